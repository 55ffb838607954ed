"""N8 Battles: where they are and in which order; N12 how one ends."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.board import on_board
from domain.nimitz.bombing import send_back
from domain.nimitz.charts import COUNTERS, JA, US
from domain.nimitz.decisions import ChooseBattle
from domain.nimitz.deployment import Deployment
from domain.nimitz.facts import BattlesFound, InPort, Landed, number
from domain.nimitz.happenings import BattleBegan, BattleEnded
from domain.nimitz.rounds import BattleTurn
from domain.nimitz.table import (
    COMMANDERS,
    MARIANAS,
    SB,
    Open,
    Sight,
    Table,
    at,
    contested,
    fighting,
    present_in,
)
from domain.nimitz.theatres import PACIFIC, SOUTHWEST, theatre


def land_unopposed(table: Table) -> None:
    """N8.1: infantry on transports where no enemy is, is ashore from now on."""
    board = table.open
    for side in (US, JA):
        enemies = present_in(board, 1 - side)
        for area in sorted(present_in(board, side) - enemies):
            waiting = tuple(n for n in at(board, area, side, "INF") if board.forces[n].aboard)
            if waiting:
                table.record(Landed(waiting, area))


def battle_areas(open: Open) -> list[str]:
    """Return the areas with a battle: not where the US have only submarines and Japan has no ship (N8.2).

    A transport group counts as a ship (R-72).
    """
    return [area for area in contested(open) if _fought(open, area)]


def _fought(open: Open, area: str) -> bool:
    if any(COUNTERS[name].type != "SS" for name in at(open, area, US)):
        return True
    return any(COUNTERS[n].kind == "SHIP" or open.forces[n].aboard for n in at(open, area, JA))


class Battles(Procedure):
    """N8 BATTLES."""

    fought: int = 0

    @step("N8.1")
    def landings(self, table: Table) -> None:
        """Land whoever meets no enemy."""
        land_unopposed(table)

    @step("N8.2")
    def find(self, table: Table) -> None:
        """Find the contested areas."""
        table.record(BattlesFound(tuple(battle_areas(table.open))))

    def chooser(self, open: Open) -> int:
        """Return who chooses: two commanders alternate, SWPA first (N20.3)."""
        if open.mode != COMMANDERS:
            return PACIFIC
        return PACIFIC if self.fought % 2 else SOUTHWEST

    @ask("N8.3", by="chooser", forced=True)
    def choose(self, sight: Sight) -> list[Decision]:
        """Choose the next battle to be fought."""
        return [*map(ChooseBattle, sight.open.battles)]

    @choose.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        place = "next" if self.fought else "first"
        return f"{number(len(options), 'battle')} to fight: choose which comes {place}."

    @choose.chosen
    def _(self, table: Table, decision: ChooseBattle) -> Flow:
        self.fought += 1
        table.record(BattleBegan(decision.area, theatre(table.open, decision.area)))
        return Fight()

    @step("N8.3")
    def another(self, table: Table) -> Flow:
        """Until all are fought."""
        return self.choose if table.open.battles else None

    @step("N8.4")
    def wings_return(self, table: Table) -> None:
        """After the last battle the bomber wings return to the Marianas."""
        wings = tuple(at(table.open, SB, US))
        if wings:
            table.record(InPort(wings, MARIANAS))


class Fight(Procedure):
    """N8.3 A BATTLE, from its set-up to its end."""

    @step("N9")
    def set_up(self, _table: Table) -> Flow:
        """Set up the battle board."""
        return Deployment()

    @step("N10")
    def fight(self, _table: Table) -> Flow:
        """Fight a battle turn."""
        return BattleTurn()

    @step("N10.14")
    def go_on(self, table: Table) -> Flow:
        """Until no turn is left, or a side has nobody left."""
        return None if over(table.open) else self.fight

    @step("N12.2")
    def fallen(self, table: Table) -> None:
        """Destroyed Japanese battalions go back to their box."""
        for name in sorted(fighting(table.open).fallen):
            send_back(table, name, "destroyed in battle")

    @step("N12.1")
    def end(self, table: Table) -> Flow:
        """All that are left are in the area, the infantry ashore; there is no retreat (N12.3)."""
        board = table.open
        area = fighting(board).area
        ashore = tuple(n for side in (US, JA) for n in at(board, area, side, "INF") if board.forces[n].aboard)
        table.record(BattleEnded(area, over(board), ashore))
        return DONE


def over(open: Open) -> str:
    """Return why the battle is over, or nothing (N10.14)."""
    if not on_board(open, US):
        return "the US have nobody left"
    if not on_board(open, JA):
        return "Japan has nobody left"
    return "" if fighting(open).left > 0 else "its time is up"
