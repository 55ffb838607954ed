"""P5 A campaign or the war: months, and in them Operations, until the last month is over."""

from domain.kernel.procedures import Flow, Procedure, step
from domain.pacific_war.battle.sequence import enter
from domain.pacific_war.board.campaigns import MONTH_BEGIN
from domain.pacific_war.board.special import given
from domain.pacific_war.board.table import Table
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.facts.months import DayIs, war
from domain.pacific_war.month import Month, MonthEnd
from domain.pacific_war.operations.bids import Bidding, FreeSupportBase, begin
from domain.pacific_war.operations.operation import OperationUnderWay
from domain.pacific_war.setup.outset import set_up_campaign


class Campaign(Procedure):
    """P1 A CAMPAIGN."""

    scenario: str
    weather: bool = True
    """Whether a war has weather (P5.1.A)."""
    chosen: tuple[str, ...] = ()
    """The options of a war (P34)."""

    @step("1.1")
    def lay_out(self, table: Table) -> None:
        """Set up the map."""
        set_up_campaign(table, self.scenario, weather=self.weather, chosen=self.chosen)

    @step("5.1")
    def first_month(self, _table: Table) -> Flow:
        """Begin with the first month."""
        return Month()

    @step("18.1")
    def determine(self, table: Table) -> Flow:
        """Who leads the next Operation? In the first ones a scenario may say so (C1.2, S1.2)."""
        enter(table, "5.1.O")
        side = given(table.open, war(table.open).operations)
        if side < 0:
            return Bidding()
        begin(table, side, "", 0)
        tell_links(table, side)
        return FreeSupportBase(side=side)

    @step("18.3")
    def operate(self, table: Table) -> Flow:
        """Lead it; if nobody has bid, the month ends (P5.4.1 d)."""
        if war(table.open).operation is not None:
            return OperationUnderWay()
        table.record(DayIs(MONTH_BEGIN, "since nobody bids"))
        return MonthEnd()

    @step("5.3.4")
    def again(self, table: Table) -> Flow:
        """Go on: with an Operation that was claimed, or with bids."""
        return self.operate if war(table.open).operation is not None else self.determine
