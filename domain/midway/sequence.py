"""M3 The turn: the sequence of play.

The loop of turns ends only by the victory checks within it.
"""

from collections.abc import Callable

from domain.kernel.procedures import Flow, Procedure, step
from domain.midway.attack import CarrierAttacks
from domain.midway.cap import CapAttacks
from domain.midway.facts import StepEnded, StepStarted, TurnStarted
from domain.midway.landing import Landing
from domain.midway.launch import Launching
from domain.midway.movement import Movement
from domain.midway.planning import Planning
from domain.midway.repair import Repairs
from domain.midway.scenarios import set_up
from domain.midway.table import JAPAN, UNITED_STATES, Open, Table
from domain.midway.victory import annihilation, exhaustion, sudden_death, turn_limit

LAND, MOVE, CAP, ATTACK, LAUNCH, PLAN, REPAIR = 1, 3, 5, 7, 9, 11, 13
"""The Japanese step of each pair; the American one follows."""
PARALLEL = (LAND, LAUNCH, PLAN)
CHAPTERS: dict[int, Callable[[tuple[int, ...]], Procedure]] = {
    LAND: lambda sides: Landing(sides=sides),
    MOVE: lambda sides: Movement(sides=sides),
    CAP: lambda sides: CapAttacks(sides=sides),
    ATTACK: lambda sides: CarrierAttacks(side=sides[0]),
    LAUNCH: lambda sides: Launching(sides=sides),
    PLAN: lambda sides: Planning(sides=sides),
    REPAIR: lambda sides: Repairs(side=sides[0]),
}


class Midway(Procedure):
    """A game of Midway, from the setup to its end."""

    @step("M2.2")
    def set_up(self, table: Table) -> None:
        """Every group and carrier is placed as the scenario says."""
        table.record(set_up(table.state.match.scenario, table.state.match.options))

    @step("M15.11")
    def free_decks(self, table: Table) -> Flow:
        """With the option Free decks both sides play one planning step before turn 1."""
        return Pair(first=PLAN) if table.open.options.free_decks else None

    @step("M3.1")
    def turn(self, _table: Table) -> Flow:
        """Play a turn."""
        return Turn()

    @step("M3.1")
    def next_turn(self, _table: Table) -> Flow:
        """Go on with the next, until the game ends (M13)."""
        return self.turn


class Turn(Procedure):
    """M3.1 THE FOURTEEN STEPS of a turn, in seven pairs: Japan first, then the United States."""

    @step("M3.1")
    def begin(self, table: Table) -> None:
        """Begin the next turn."""
        table.record(TurnStarted(table.open.turn + 1))

    @step("M4")
    def land_planes(self, _table: Table) -> Flow:
        """Play steps 1 and 2."""
        return Pair(first=LAND)

    @step("M5")
    def move_planes(self, _table: Table) -> Flow:
        """Play steps 3 and 4."""
        return Pair(first=MOVE)

    @step("M6")
    def cap_attacks(self, _table: Table) -> Flow:
        """Play steps 5 and 6."""
        return Pair(first=CAP)

    @step("M7")
    def carrier_attacks(self, _table: Table) -> Flow:
        """Play steps 7 and 8."""
        return Pair(first=ATTACK)

    @step("M13.1")
    def annihilation(self, table: Table) -> None:
        """Check whether a side has lost all its carriers."""
        annihilation(table)

    @step("M13.2")
    def sudden_death(self, table: Table) -> None:
        """Check in some scenarios whether a side has a carrier crippled."""
        sudden_death(table)

    @step("M8")
    def launch_planes(self, _table: Table) -> Flow:
        """Play steps 9 and 10."""
        return Pair(first=LAUNCH)

    @step("M9")
    def planning(self, _table: Table) -> Flow:
        """Play steps 11 and 12."""
        return Pair(first=PLAN)

    @step("M10")
    def repair_damage(self, _table: Table) -> Flow:
        """Play steps 13 and 14."""
        return Pair(first=REPAIR)

    @step("M13.3")
    def exhaustion(self, table: Table) -> None:
        """Check whether neither side has a bomber left."""
        exhaustion(table)

    @step("M13.4")
    def turn_limit(self, table: Table) -> None:
        """Check whether this was the last turn."""
        turn_limit(table)


class Pair(Procedure):
    """Two steps of the sequence with one name; `first` is the number of the Japanese one."""

    first: int

    @step("M3.1")
    def japan(self, table: Table) -> Flow:
        """Japan goes first; with the option Parallel steps (M15.12) both sides in some pairs."""
        both = (JAPAN, UNITED_STATES)
        return PairedSteps(first=self.first, sides=both if self.parallel(table.open) else (JAPAN,))

    @step("M3.1")
    def united_states(self, table: Table) -> Flow:
        """Then the United States."""
        return None if self.parallel(table.open) else PairedSteps(first=self.first, sides=(UNITED_STATES,))

    def parallel(self, open: Open) -> bool:
        """Return whether both steps are open at the same time."""
        return open.options.parallel_steps and self.first in PARALLEL


class PairedSteps(Procedure):
    """One step of the sequence of play, or both of a pair at the same time."""

    first: int
    sides: tuple[int, ...]

    @step("M3.1")
    def start(self, table: Table) -> None:
        """Begin the step."""
        for side in self.sides:
            beside = self.first if side != self.sides[0] else 0
            table.record(StepStarted(self.first + side, side, beside))

    @step("M3.1")
    def play(self, _table: Table) -> Flow:
        """Play it by the rules of its chapter."""
        return CHAPTERS[self.first](self.sides)

    @step("M3.1")
    def end(self, table: Table) -> None:
        """End it."""
        for side in self.sides:
            table.record(StepEnded(self.first + side, side))
