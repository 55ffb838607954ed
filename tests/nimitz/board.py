"""Tables for the tests of the rules: a few forces, a step to begin with, dice and draws that fall as written.

Forces that are not named are out of play, battalions not named too unless `spare` puts the next ones into the
box. A force is written by the end of its id, with `*` if it is damaged and `~` if it is on a transport. When
the written rolls are used up every die shows 10 (no hit); draws that are not written take the first by id.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from domain.kernel.facts import Decided, Fact, Paused, Rolled, State, evolve
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.table import Table
from domain.match.notices import Created, Started
from domain.nimitz import NIMITZ
from domain.nimitz.automaton import Chose
from domain.nimitz.battles import Fight
from domain.nimitz.charts import COUNTERS, POOL, SIDE_OF
from domain.nimitz.facts import CampaignSetUp
from domain.nimitz.happenings import BattleBegan
from domain.nimitz.scenarios import set_up
from domain.nimitz.table import JA_BN, Force, Open

US, JA = 0, 1
SOLITAIRE, TWO_PLAYERS, COMMANDERS = 1, 2, 3
MISS = 10


class Dice:
    """Falls as written: d10 rolls from one list, draws (places from 1) from another."""

    def __init__(self, rolls: Sequence[int], draws: Sequence[int], chance: Random | None = None) -> None:
        self.rolls, self.draws, self.drawing, self.chance = list(rolls), list(draws), False, chance
        self.rolled: list[int] = []

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:  # noqa: ARG002 the kernel's shape
        if self.chance and not self.rolls:
            return tuple(self.chance.randint(1, sides) for _ in range(count))
        if self.drawing:
            return tuple(self.draws.pop(0) if self.draws else 1 for _ in range(count))
        faces = tuple(self.rolls.pop(0) if self.rolls else MISS for _ in range(count))
        self.rolled += faces
        assert sides == 10
        return faces


class Drawing(Table):
    """A table that tells its dice which rolls are draws."""

    dice: Any

    def draw(self, purpose: str, left: int, count: int = 1, *, by: int = -1) -> tuple[int, ...]:
        self.dice.drawing = True
        places = super().draw(purpose, left, count, by=by)
        self.dice.drawing = False
        return places


class Board:
    """A table with what has happened on it since it was laid out."""

    def __init__(self, state: State[Any, Any], dice: Dice, *procedures: Procedure) -> None:
        self.dice = dice
        self.before = NIMITZ.encode(state)
        """The state as it was laid out."""
        self.table = Drawing(NIMITZ, state, dice, *procedures)
        self.facts = list(self.table.facts)

    @property
    def open(self) -> Open:
        table: Open = self.table.open
        return table

    @property
    def asked(self) -> list[int]:
        return list(self.table.prompts)

    @property
    def rule(self) -> str:
        return next(iter({prompt.rule for prompt in self.table.prompts.values()}), "")

    def offered(self, *kinds: type[Decision], seat: int | None = None) -> list[Decision]:
        prompts = self.table.prompts if seat is None else {seat: self.table.prompts[seat]}
        options = [option for prompt in prompts.values() for option in prompt.options]
        return [option for option in options if not kinds or isinstance(option, kinds)]

    def decide(self, *decisions: Decision) -> list[Fact]:
        """Take decisions one by one, each of a seat that has it on its list; return what came of the last."""
        facts: list[Fact] = []
        for decision in decisions:
            seats = [n for n, prompt in self.table.prompts.items() if decision in prompt.options]
            assert seats, f"{decision} is not among {self.offered()[:40]}"
            facts = self.table.decide(seats[0], decision)
            self.facts += facts
        return happened(facts)

    def until(self, rule: str) -> None:
        """Take the last option (Done, Pass, the last target) until a rule asks or nobody is asked."""
        for _ in range(500):
            if not self.table.prompts or self.rule == rule:
                return
            seat, prompt = next(iter(self.table.prompts.items()))
            self.facts += self.table.decide(seat, prompt.options[-1])
        raise AssertionError(f"{rule} never asks")

    def where(self, *ends: str) -> dict[str, str]:
        """The place of forces, `*` if damaged, `~` if on a transport."""
        return {end: stand(self.open.forces[full(self.open, end)]) for end in ends}

    def in_place(self, place: str, side: int | None = None) -> list[str]:
        """All that is in a place, written as the tests write it."""
        return sorted(
            short(name) + marks(force)
            for name, force in self.open.forces.items()
            if force.place == place and side in {None, SIDE_OF[name]}
        )


def short(name: str) -> str:
    """The end of an id, without year and side; a battalion's whole id."""
    return name if name[2] == "-" and name[3:5] == "bn" else name[6:]


def marks(force: Force) -> str:
    return "*" * force.damaged + "~" * force.aboard


def stand(force: Force) -> str:
    return force.place + marks(force)


def full(open: Open, end: str, side: str = "us") -> str:
    """The whole id of an end: of a battalion itself, else of this year, first of all of a side."""
    if end in COUNTERS:
        return end
    names = [f"{open.year % 100}-{of}-{end}" for of in (side, "us", "ja")]
    return next(name for name in names if name in COUNTERS)


def given(
    us: Mapping[str, Sequence[str]] | None = None,
    ja: Mapping[str, Sequence[str]] | None = None,
    *procedures: Procedure,
    year: int = 1942,
    mode: int = SOLITAIRE,
    turn: int = 1,
    supply: int | Mapping[int, int] = 0,
    counter: int = 0,
    spare: int = 0,
    dice: Sequence[int] = (),
    draws: Sequence[int] = (),
    linked: bool = False,
    results: Mapping[int, int] | None = None,
) -> Board:
    """Lay out a table and begin with the procedures given, the last one first to run."""
    scenario = "linked" if linked else str(year)
    state = seated(scenario, mode)
    laid = set_up(year, mode, linked=linked)
    evolve(state, [emptied(laid)])
    board: Open = state.open
    board.turn, board.counter, board.results = turn, counter, dict(results or {})
    board.supply = dict(supply) if isinstance(supply, Mapping) else dict.fromkeys(board.supply, supply)
    for side, places in (("us", us or {}), ("ja", ja or {})):
        for place, ends in places.items():
            for end in ends:
                name = full(board, end.rstrip("*~"), side)
                board.forces[name] = Force(place, damaged="*" in end, aboard="~" in end)
    box = [f"ja-bn-{n:02}" for n in range(1, POOL[year] + 1)]
    for name in [name for name in box if board.forces[name].place == "OUT"][:spare]:
        board.forces[name] = Force(JA_BN)
    return Board(state, Dice(dice, draws), *procedures)


def emptied(laid: CampaignSetUp) -> CampaignSetUp:
    forces = {name: Force("OUT") for name in laid.forces}
    return CampaignSetUp(laid.year, laid.mode, laid.linked, laid.supply, forces)


def seated(scenario: str, mode: int) -> State[Any, Any]:
    chosen = NIMITZ.set_up(scenario, {"mode": mode})
    created = Created("nimitz", scenario, chosen, NIMITZ.revision, "", NIMITZ.seats(scenario, chosen))
    return evolve(NIMITZ.state(), [created, Started()])


def battle(
    area: str,
    us: Sequence[str],
    ja: Sequence[str],
    *,
    elsewhere: Mapping[str, Sequence[str]] | None = None,
    **settings: Any,
) -> Board:
    """Begin a battle in an area; the battle board is set up by the rules."""
    us_places: dict[str, Sequence[str]] = {area: us}
    ja_places: dict[str, Sequence[str]] = {area: ja}
    us_places |= elsewhere or {}
    board = given(us_places, ja_places, **settings)
    state = board.table.state
    state.open.battles = [area]
    seat = 1 if settings.get("mode") == COMMANDERS and area in {"AU", "BO", "NG", "SI", "NC", "PH"} else 0
    evolve(state, [BattleBegan(area, seat)])
    return Board(state, board.dice, Fight())


def begun(
    year: int = 1942, mode: int = SOLITAIRE, dice: Sequence[int] = (), *, linked: bool = False
) -> Board:
    """A match from its very beginning; dice that are not written fall by chance."""
    scenario = "linked" if linked else str(year)
    state = seated(scenario, mode)
    return Board(state, Dice(dice, (), Random(1)), NIMITZ.first(scenario, {"mode": mode}))


def happened(facts: Sequence[Fact]) -> list[Fact]:
    """What happened, without the umpire's notes."""
    return [fact for fact in facts if not isinstance(fact, Decided | Paused)]


def of(facts: Sequence[Fact], *kinds: type[Fact]) -> list[Any]:
    """The facts of some kinds."""
    return [fact for fact in facts if isinstance(fact, kinds)]


def rolls(facts: Sequence[Fact]) -> list[tuple[str, str, int]]:
    """What was rolled for, by whom, and how it fell."""
    return [
        (fact.purpose, short(fact.subject) if fact.subject[2:3] == "-" else fact.subject, fact.dice[0])
        for fact in facts
        if isinstance(fact, Rolled)
    ]


def reasons(facts: Sequence[Fact], question: str) -> list[list[str]]:
    """Why the automated side chose as it did, for a question."""
    return [[step.reason for step in fact.steps] for fact in of(facts, Chose) if question in fact.question]
