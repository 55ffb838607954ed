"""Boards for the tests of the rules: a few groups, a step to begin with, dice that fall as written.

Groups that are not named are lost and carriers not named undamaged, as in the worked examples of M18. When
the written rolls are used up all dice show 1: no hit, no repair.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.kernel.facts import Decided, Fact, Paused, Rolled, State, evolve
from domain.kernel.procedures import END, Decision, Procedure
from domain.kernel.table import Table
from domain.match.notices import Created, Started
from domain.midway import MIDWAY
from domain.midway.facts import StepStarted, TurnStarted
from domain.midway.scenarios import set_up
from domain.midway.sequence import Midway, Pair, Turn
from domain.midway.table import Group, Open

JP, US = 0, 1
HISTORICAL, DUEL = "historical-4-june", "duel"
PAIRS = {1: "land_planes", 3: "move_planes", 5: "cap_attacks", 7: "carrier_attacks"}
PAIRS |= {9: "launch_planes", 11: "planning", 13: "repair_damage"}


class Dice:
    """Falls as written, then shows ones."""

    def __init__(self, rolls: Sequence[Sequence[int]]) -> None:
        self.rolls = [tuple(roll) for roll in rolls]

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        if not self.rolls:
            return (1,) * count
        faces = self.rolls.pop(0)
        assert len(faces) == count, f"roll {index}: {count}d{sides} asked for, and {faces} is written"
        return faces


class Board:
    """A table with what has happened on it since the board was laid out."""

    def __init__(self, state: State[Any, Any], dice: Dice, procedures: Sequence[Procedure]) -> None:
        self.before = MIDWAY.encode(state)
        self.dice = dice
        self.table = Table(MIDWAY, state, dice, *procedures)
        self.facts = list(self.table.facts)

    @property
    def open(self) -> Open:
        board: Open = self.table.open
        return board

    @property
    def asked(self) -> list[int]:
        return list(self.table.prompts)

    @property
    def rule(self) -> str:
        """The rule that asks."""
        return next(iter({prompt.rule for prompt in self.table.prompts.values()}))

    def offered(self, *kinds: type[Decision], seat: int | None = None) -> list[Decision]:
        """What is legal now, of some kinds or of all, for one seat or for all that are asked."""
        prompts = self.table.prompts if seat is None else {seat: self.table.prompts[seat]}
        options = [option for prompt in prompts.values() for option in prompt.options]
        return [option for option in options if not kinds or isinstance(option, kinds)]

    def decide(self, *decisions: Decision, seat: int | None = None) -> list[Fact]:
        """Take decisions one by one, each of a seat that has it on its list; return what came of the last."""
        facts: list[Fact] = []
        for decision in decisions:
            seats = [n for n, prompt in self.table.prompts.items() if decision in prompt.options]
            assert seats, f"{decision} is not among {self.offered()}"
            facts = self.table.decide(seats[0] if seat is None else seat, decision)
            self.facts += facts
        return happened(facts)

    def places(self, *names: str) -> dict[str, tuple[int, str]]:
        """Strength and place of some groups, or of all that are not lost."""
        groups = self.open.groups
        return where(self.open, names or [name for name in groups if groups[name].strength])

    def damage(self, ship: str) -> int:
        return self.open.carriers[ship].damage

    def until(self, step: int, turn: int | None = None) -> Open:
        """The board as it was when a step began."""
        state = MIDWAY.restore(self.before)
        for fact in self.facts:
            if isinstance(fact, StepStarted) and fact.step == step and turn in {None, state.open.turn}:
                board: Open = state.open
                return board
            fact.fold(state)
        raise AssertionError(f"step {step} has not begun")


def given(
    groups: Mapping[str, tuple[int, str]] | None = None,
    *,
    step: int = 1,
    turn: int = 2,
    damage: Mapping[str, int] | None = None,
    dice: Sequence[Sequence[int]] = (),
    found: tuple[bool, bool] = (True, True),
    scenario: str = HISTORICAL,
    **options: bool | int,
) -> Board:
    """Lay out a board just before a step; without groups as the scenario does."""
    state, board = seated(scenario, options)
    if groups is not None:
        board = replace(
            board,
            found=found,
            groups={name: put(group, groups.get(name, (0, "LOST"))) for name, group in board.groups.items()},
            carriers={
                name: replace(ship, damage=(damage or {}).get(name, 0))
                for name, ship in board.carriers.items()
            },
        )
    evolve(state, [board, TurnStarted(turn)])
    first = step - (step + 1) % 2
    after = Turn.steps[PAIRS[first]][1]
    procedures = [
        Midway(at="next_turn"),
        Turn(at=after),
        Pair(first=first, at="united_states" if step % 2 == 0 else "japan"),
    ]
    return Board(state, Dice(dice), procedures)


def begun(scenario: str = HISTORICAL, dice: Sequence[Sequence[int]] = (), **options: bool | int) -> Board:
    """A match from its very beginning."""
    state, _ = seated(scenario, options)
    return Board(state, Dice(dice), [Midway()])


def seated(scenario: str, options: Mapping[str, bool | int]) -> tuple[State[Any, Any], Any]:
    chosen = MIDWAY.set_up(scenario, options)
    created = Created("midway", scenario, chosen, MIDWAY.revision, "", MIDWAY.seats(scenario, chosen))
    return evolve(MIDWAY.state(), [created, Started()]), set_up(scenario, chosen)


def put(group: Group, stands: tuple[int, str]) -> Group:
    return replace(group, strength=stands[0], place=stands[1])


def where(open: Open, names: Sequence[str]) -> dict[str, tuple[int, str]]:
    """Strength and place of some groups."""
    return {name: (open.groups[name].strength, open.groups[name].place) for name in names}


def happened(facts: Sequence[Fact]) -> list[Fact]:
    """What happened, without the umpire's notes."""
    return [fact for fact in facts if not isinstance(fact, Decided | Paused)]


def of(facts: Sequence[Fact], *kinds: type[Fact]) -> list[Fact]:
    """The facts of some kinds."""
    return [fact for fact in facts if isinstance(fact, kinds)]


def rolls(facts: Sequence[Fact]) -> list[tuple[str, tuple[int, ...]]]:
    """What was rolled for, and how it fell."""
    return [(fact.purpose, fact.dice) for fact in facts if isinstance(fact, Rolled)]


__all__ = ["END", "Board", "begun", "given", "happened", "of", "rolls", "where"]
