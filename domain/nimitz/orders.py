"""N7 Japanese orders: area by area until nothing is left to order."""

from domain.kernel.procedures import Flow, Step, step
from domain.nimitz.areas import AreasInOrder
from domain.nimitz.bombing import StrategicBombing
from domain.nimitz.charts import AREAS, JA
from domain.nimitz.counter import reset_counter
from domain.nimitz.garrison import hold_back, to_order
from domain.nimitz.ordering import Order
from domain.nimitz.table import Table, by_place


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
        self.list_areas(table, {area: count for area, count in unmoved.items() if count})

    next_area = AreasInOrder.next_area.under("N20.2")
    first_area = AreasInOrder.first_area.under("N7.3")

    @step("N7.3")
    def give_order(self, table: Table) -> Flow:
        """While it has forces that may be ordered, an order is performed."""
        return Order(area=self.area) if to_order(table, self.area) else self.next_area

    @step("N7.3")
    def next_order(self, _table: Table) -> Flow:
        """Then the next order of the area."""
        return self.give_order

    def orders(self) -> Step:
        """Begin with `give_order`."""
        return self.give_order
