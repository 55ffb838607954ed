"""N3 The campaign turn, and campaigns one after the other."""

from domain.kernel.procedures import DONE, Flow, Procedure, step
from domain.nimitz.battles import Battles
from domain.nimitz.charts import TURNS
from domain.nimitz.facts import StepBegan, TurnBegan
from domain.nimitz.garrison import hold_back
from domain.nimitz.movement import Movement
from domain.nimitz.orders import Orders
from domain.nimitz.rear import Repairs, check_supply, reinforce, return_to_port
from domain.nimitz.resupply import Resupply, income
from domain.nimitz.scenarios import LINKED_WAR, set_up, years
from domain.nimitz.scouting import ScoutedOrders, Scouting
from domain.nimitz.table import Table, us_seats
from domain.nimitz.victory import check_defeat, end_war, evaluate


class War(Procedure):
    """N2.1 A GAME: one campaign, or four of them linked (N18.3)."""

    years: tuple[int, ...] = ()

    @step("N2.1")
    def begin(self, table: Table) -> None:
        """Say which campaigns are played."""
        self.years = years(table.state.match.scenario)

    @step("N2.2")
    def set_up(self, table: Table) -> Flow:
        """Set up the next campaign."""
        match = table.state.match
        year, self.years = self.years[0], self.years[1:]
        table.record(set_up(year, int(match.options["mode"]), linked=match.scenario == LINKED_WAR))
        return Campaign()

    @step("N18.3")
    def next_campaign(self, table: Table) -> Flow:
        """Then the next; after the last the results are added."""
        if self.years:
            return self.set_up
        end_war(table)
        return DONE


class Campaign(Procedure):
    """N3.1 A CAMPAIGN, turn by turn."""

    @step("N3.1")
    def turn(self, _table: Table) -> Flow:
        """Play a turn."""
        return Turn()

    @step("N3.1")
    def next_turn(self, table: Table) -> Flow:
        """Until the last."""
        return self.turn if table.open.turn < TURNS[table.open.year] else None

    @step("N18")
    def end(self, table: Table) -> None:
        """Then the campaign is evaluated."""
        evaluate(table)


class Turn(Procedure):
    """N3 THE CAMPAIGN TURN."""

    @step("N3.1")
    def advance_turn(self, table: Table) -> None:
        """Advance the turn and clear the marks."""
        table.record(TurnBegan(table.open.turn + 1))
        table.record(StepBegan(1))

    @step("N4")
    def resupply(self, table: Table) -> Flow:
        """Give the US their supply points to spend."""
        table.record(StepBegan(2))
        income(table)
        return Resupply(seats=us_seats(table.open))

    @step("N5")
    def scouting(self, table: Table) -> Flow:
        """Let the US scout."""
        table.record(StepBegan(3))
        hold_back(table)
        return Scouting(seats=us_seats(table.open))

    @step("N5.4")
    def scouted_orders(self, _table: Table) -> Flow:
        """Scouted orders are carried out."""
        return ScoutedOrders()

    @step("N6")
    def movement(self, table: Table) -> Flow:
        """Let the US move."""
        table.record(StepBegan(4))
        return Movement(seats=us_seats(table.open))

    @step("N7")
    def orders(self, table: Table) -> Flow:
        """Japan's forces get orders."""
        table.record(StepBegan(5))
        return Orders()

    @step("N8")
    def battles(self, table: Table) -> Flow:
        """Battles are fought."""
        table.record(StepBegan(6))
        return Battles()

    @step("N13")
    def reinforcement(self, table: Table) -> None:
        """Japan is reinforced."""
        table.record(StepBegan(7))
        reinforce(table)

    @step("N14")
    def repair(self, table: Table) -> Flow:
        """Japan repairs."""
        table.record(StepBegan(8))
        return Repairs()

    @step("N15")
    def port(self, table: Table) -> None:
        """US ships return to port."""
        table.record(StepBegan(9))
        return_to_port(table)

    @step("N16")
    def supply(self, table: Table) -> None:
        """US forces out of supply suffer."""
        table.record(StepBegan(10))
        check_supply(table)

    @step("N17")
    def defeat(self, table: Table) -> None:
        """Check whether the campaign is lost."""
        table.record(StepBegan(11))
        check_defeat(table)
