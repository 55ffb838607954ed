"""N7 Japanese orders: area by area until nothing is left to order."""

from domain.kernel.frames import DONE, Decision, Flow, ask, step
from domain.nimitz.areas import AreasInOrder
from domain.nimitz.bombing import StrategicBombing
from domain.nimitz.charts import AREAS, JA
from domain.nimitz.counter import reset_counter
from domain.nimitz.decisions import JaByRule, JaNextArea
from domain.nimitz.garrison import hold_back, to_order
from domain.nimitz.ordering import Order
from domain.nimitz.table import Sight, Table, by_place


class Orders(AreasInOrder):
    """N7 JAPANESE ORDERS."""

    @step("N7.1")
    def start(self, table: Table) -> Flow:
        """Set the counter to 0; wings that were sent bomb Japan first (N19.2)."""
        reset_counter(table, "orders begin")
        return StrategicBombing()

    @step("N7.1")
    def mark(self, table: Table) -> None:
        """Mark who may not move, with the US forces as they now are."""
        hold_back(table)

    @step("N7.3")
    def order_of_areas(self, table: Table) -> None:
        """Areas go by their number of forces that have not moved."""
        board = table.open
        unmoved = {
            area: sum(not board.forces[name].moved for name in names)
            for area, names in by_place(board, JA).items()
            if area in AREAS
        }
        self.list_areas(table, "N7.3", {area: count for area, count in unmoved.items() if count})

    @ask("N20.2", by="japan")
    def next_area(self, sight: Sight) -> list[Decision]:  # noqa: ARG002 the kernel's shape
        """Choose which of the tied areas comes next."""
        return self.tied()

    @next_area.chosen
    def _(self, _table: Table, decision: JaNextArea | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.first_area
        self.take(decision.area)
        return self.give_order

    @step("N7.3")
    def first_area(self, _table: Table) -> Flow:
        """Without a person for Japan ties go by id."""
        if not self.areas:
            return DONE
        self.take(self.areas[0][1])
        return None

    @step("N7.3")
    def give_order(self, table: Table) -> Flow:
        """While it has forces that may be ordered, an order is performed."""
        return Order(area=self.area) if to_order(table, self.area) else self.next_area

    @step("N7.3")
    def next_order(self, _table: Table) -> Flow:
        """Then the next order of the area."""
        return self.give_order
