"""N5.3, N5.4 US scouting and the scouted orders."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Step, ask, step
from domain.nimitz.areas import AreasInOrder
from domain.nimitz.charts import AREAS
from domain.nimitz.decisions import DoneScouting, GiveSupply, PlaceScout
from domain.nimitz.facts import ScoutPlaced, ScoutSpent
from domain.nimitz.garrison import orderable, to_order
from domain.nimitz.ordering import Order
from domain.nimitz.table import Sight, Table
from domain.nimitz.theatres import Stage, gifts, give, pay


class Scouting(Stage):
    """N5 US SCOUTING."""

    @ask("N5.3", by="next_seat")
    def place(self, sight: Sight) -> list[Decision]:
        """Send scouts to areas with Japanese forces that can be ordered."""
        board = sight.open
        areas = [area for area in AREAS if orderable(board, area)] if board.supply[sight.seat] else []
        return self.listed([*map(PlaceScout, areas), *gifts(board, sight.seat)], DoneScouting())

    @place.chosen
    def _(self, table: Table, decision: PlaceScout | GiveSupply | DoneScouting) -> Flow:
        if isinstance(decision, DoneScouting):
            return None
        self.picked = True
        if isinstance(decision, GiveSupply):
            give(table, decision)
        else:
            pay(table, table.actor, 1, "for a scout")
            table.record(ScoutPlaced(decision.area, table.open.scouts.get(decision.area, 0) + 1))
        return self.place

    @place.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        sent = sum(sight.open.scouts.values())
        points = sight.open.supply[sight.seat]
        return (
            "Scouting: where a scout goes, for 1 SP, Japan carries out an order before you move. "
            f"{sent} sent, {points} SP left."
        )

    @place.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [option for option in options if not isinstance(option, DoneScouting)]

    @step("N20.3")
    def next_commander(self, _table: Table) -> Flow:
        """Then the other commander."""
        self.leave()
        return self.place if self.seats else DONE


class ScoutedOrders(AreasInOrder):
    """N5.4 SCOUTED ORDERS."""

    @step("N5.4")
    def order_of_areas(self, table: Table) -> None:
        """Areas with scouts go by their number of orderable forces."""
        board = table.open
        self.list_areas(table, {area: len(orderable(board, area)) for area in board.scouts})

    next_area = AreasInOrder.next_area.under("N20.2")
    first_area = AreasInOrder.first_area.under("N5.4")

    @step("N5.4")
    def report(self, table: Table) -> Flow:
        """Each scout brings one order; where nothing can be ordered any more it is lost."""
        scouts = table.open.scouts.get(self.area, 0)
        if not scouts:
            return self.next_area
        names = to_order(table, self.area)
        table.record(ScoutSpent(self.area, scouts - 1, not names))
        return Order(area=self.area, scouted=True) if names else self.report

    @step("N5.4")
    def next_scout(self, _table: Table) -> Flow:
        """Then the next scout of the area."""
        return self.report

    def orders(self) -> Step:
        """Begin with `report`."""
        return self.report
