"""P5.1, P5.4 A month: its phases up to the bids, and its end."""

from msgspec.structs import replace

from domain.kernel.procedures import Flow, Procedure, step
from domain.pacific_war.battle.sequence import OF_THE_WAR, enter
from domain.pacific_war.board.campaigns import CAMPAIGNS, month_after
from domain.pacific_war.board.charts import BOATS
from domain.pacific_war.board.special_boats import arrival, harbours, home, owner
from domain.pacific_war.board.table import Table
from domain.pacific_war.board.war import SpecialBoat
from domain.pacific_war.board.weather import ZONES, roll_weather
from domain.pacific_war.facts.homefront import WeatherIs
from domain.pacific_war.facts.months import MonthIs, OperationIs, war
from domain.pacific_war.facts.special_boats import BoatIs
from domain.pacific_war.homefront.raids import StrategicBombing
from domain.pacific_war.homefront.shipping import EscortDuty, SubmarinePriority, suffer
from domain.pacific_war.months.administration import Administration
from domain.pacific_war.months.command_points import Allocation
from domain.pacific_war.months.intelligence_level import gather
from domain.pacific_war.months.isolation import isolate
from domain.pacific_war.months.patrols import SubmarinePatrols
from domain.pacific_war.months.schedule import strategic
from domain.pacific_war.victory.campaign_victory import end, score_month
from domain.pacific_war.victory.closing import close
from domain.pacific_war.victory.war_victory import judge, storm

FIRST_OF_WAR = ("S1", "1941-12")
"""S1.1: of this month there is only the allocation of Command Points."""


def plays(table: Table, phase: str) -> bool:
    """Begin a phase of the month if the scenario has it in this month (P1, S1.1, R-5)."""
    board = war(table.open)
    if phase in OF_THE_WAR and not strategic(table.open):
        return False
    if phase == "5.1.A" and not board.weathered:
        return False
    if (table.open.scenario, board.month) == FIRST_OF_WAR and phase != "5.1.G":
        return False
    enter(table, phase)
    return True


def come(table: Table) -> None:
    """Let the special submarines come whose month it is, while their port is their owner's (P34.1, P34.2)."""
    board = war(table.open)
    for piece, kind in BOATS.items():
        port = table.open.bases.get(home(piece))
        if kind not in board.chosen or piece in board.special or board.month < arrival(piece):
            continue
        if port and port.control == owner(piece) and port.port:
            node = harbours(table.open, owner(piece))[home(piece)]
            table.record(BoatIs(piece, SpecialBoat(node), "comes"))


class Month(Procedure):
    """P5.1 THE PHASES OF A MONTH."""

    @step("34.2")
    def special(self, table: Table) -> None:
        """Let the special submarines come that were chosen."""
        come(table)

    @step("6.2")
    def weather(self, table: Table) -> None:
        """Roll the weather."""
        if plays(table, "5.1.A"):
            foul = roll_weather(table)
            table.record(WeatherIs(tuple(zone for zone in ZONES if zone in foul)))

    @step("7.1")
    def intelligence(self, table: Table) -> None:
        """Set the levels of Strategic Intelligence."""
        if plays(table, "5.1.B"):
            gather(table)

    @step("8.2")
    def bombing(self, table: Table) -> Flow:
        """Let the Allies bomb Japan."""
        return StrategicBombing() if plays(table, "5.1.C") else None

    @step("9.1")
    def escorts(self, table: Table) -> Flow:
        """Let Japan put destroyers on escort duty."""
        return EscortDuty() if plays(table, "5.1.D") else None

    @step("9.2")
    def priority(self, table: Table) -> Flow:
        """Let the Allies choose what their submarines go for."""
        return SubmarinePriority() if plays(table, "5.1.E") else None

    @step("9.3")
    def attrition(self, table: Table) -> None:
        """Let merchant shipping suffer."""
        if plays(table, "5.1.F"):
            suffer(table)

    @step("10.3")
    def points(self, table: Table) -> Flow:
        """Let both share out their Command Points."""
        return Allocation() if plays(table, "5.1.G") else None

    @step("5.1.H")
    def isolation(self, table: Table) -> None:
        """Let suffer what no headquarters can reach; control may change by it, and end the war (P33.3)."""
        if plays(table, "5.1.H"):
            isolate(table)
            storm(table)

    @step("13.1")
    def administration(self, table: Table) -> Flow:
        """Let both administer, from transport to engineering, each by itself (R-44)."""
        return Administration() if plays(table, "5.1.I") else None

    @step("25.1")
    def patrols(self, table: Table) -> Flow:
        """Let both send submarines on patrol."""
        return SubmarinePatrols() if plays(table, "5.1.N") else None


class MonthEnd(Procedure):
    """P5.4 A MONTH ENDS, IN AN OPERATION OR BETWEEN TWO."""

    @step("5.4.2")
    def suspend(self, table: Table) -> None:
        """Suspend the Operation."""
        suspend(table, suspended=True)

    @step("33.2")
    def score(self, table: Table) -> None:
        """Count the location points; the last month ends the game (R-86), the war perhaps an earlier one."""
        if strategic(table.open):
            judge(table)
            return
        score_month(table)
        board = war(table.open)
        if board.month == CAMPAIGNS[table.open.scenario].end_month:
            if board.operation is not None:
                close(table)
            end(table)

    @step("4.3")
    def next_month(self, table: Table) -> Flow:
        """Another month begins."""
        table.record(MonthIs(month_after(war(table.open).month)))
        return Month()

    @step("5.4.2")
    def resume(self, table: Table) -> None:
        """Let the Operation go on; in 5.1.R at what is left of the day, which it begins itself (R-26)."""
        suspend(table, suspended=False)


def suspend(table: Table, *, suspended: bool) -> None:
    """Suspend the Operation under way or let it go on, if there is one."""
    operation = war(table.open).operation
    if operation is not None:
        why = "The Operation is suspended" if suspended else "The Operation goes on"
        table.record(OperationIs(replace(operation, suspended=suspended), why))
