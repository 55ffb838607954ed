"""An endless war: a title without an end, as large as a real one, on which long matches are measured.

Two sides have a hundred counters each and move them in turn: a die is rolled for every move, and the counter
loses or regains a step. What a side did last is known to it alone. There is one rule for each of what a long
match is made of, and nothing that grows with it. Deliberately absent: anything to win.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct, structs

from domain.kernel import facts, procedures, table
from domain.kernel.facts import Fact, Secret
from domain.kernel.procedures import Decision, Flow, Procedure, Prompt, ask, step
from domain.kernel.seats import Seat
from domain.match.game import Game, Scenario
from domain.match.parts import Part, Parts

COUNTERS: Final = 100
"""Counters of a side."""

MOVABLE: Final = 10
"""Counters that a side may choose from."""


class Counter(Struct):
    """A counter on the map."""

    place: int = 0
    steps: int = 4


class Open(Struct):
    """What all can see."""

    turn: int = 0
    counters: dict[str, Counter] = {}


class Own(Struct):
    """What one side alone can see."""

    last: str = ""


State: TypeAlias = facts.State[Open, Own]
Sight: TypeAlias = procedures.Sight[Open, Own]
Table: TypeAlias = table.TableOf[Open, Own]


class TurnBegan(Fact, frozen=True):
    """A turn began."""

    turn: int

    def apply(self, open: Open) -> None:
        """Count it."""
        open.turn = self.turn

    def words(self) -> str:
        """Say which."""
        return f"Turn {self.turn} begins"


class Placed(Fact, frozen=True):
    """A counter stands somewhere."""

    counter: str
    place: int

    def apply(self, open: Open) -> None:
        """Put it there."""
        open.counters.setdefault(self.counter, Counter()).place = self.place

    def words(self) -> str:
        """Say where."""
        return f"{self.counter} stands at {self.place}"


class StepsLeft(Fact, frozen=True):
    """A counter has so many steps."""

    counter: str
    steps: int

    def apply(self, open: Open) -> None:
        """Set the number."""
        open.counters[self.counter].steps = self.steps

    def words(self) -> str:
        """Say how many."""
        return f"{self.counter} has {self.steps} steps"


class Remembered(Secret, frozen=True):
    """A side remembers which counter it moved."""

    counter: str

    def apply(self, own: Own) -> None:
        """Note it."""
        own.last = self.counter

    def words(self) -> str:
        """Say which."""
        return f"{self.counter} was moved last"


class Move(Decision, frozen=True):
    """Move a counter."""

    counter: str


class War(Procedure):
    """1 THE WAR. Sides move in turn, for ever."""

    @step("1.1")
    def set_up(self, table: Table) -> None:
        """All counters are placed."""
        for side in (0, 1):
            for number in range(COUNTERS):
                table.record(Placed(f"{side}-{number}", number))

    @step("1.2")
    def begin(self, table: Table) -> None:
        """Begin a turn."""
        table.record(TurnBegan(table.open.turn + 1))

    @ask("1.3", by="mover")
    def move(self, sight: Sight) -> list[Decision]:
        """Move one of the counters whose turn it is."""
        first = sight.open.turn // 2 * MOVABLE
        return [Move(f"{sight.seat}-{(first + number) % COUNTERS}") for number in range(MOVABLE)]

    @move.chosen
    def _(self, table: Table, decision: Move) -> Flow:
        counter = table.open.counters[decision.counter]
        table.record(Placed(decision.counter, (counter.place + 1) % COUNTERS))
        (die,) = table.roll("move", 1, by=table.actor, target="4 or less hits")
        table.record(StepsLeft(decision.counter, 1 + (counter.steps + die) % 4))
        table.record(Remembered(table.actor, decision.counter))
        return self.begin

    def mover(self, open: Open) -> int:
        """Return the seat whose turn it is."""
        return open.turn % 2


class Peace(Procedure):
    """2 PEACE. It never comes; a title has more procedures than one."""


class Shown(Part, frozen=True, kw_only=True):
    """A counter as it is shown."""

    place: int
    steps: int


class Map(Part, frozen=True, kw_only=True):
    """What an audience sees."""

    turn: int
    counters: dict[str, Shown]
    last: str = ""


def view(open: Open, parts: Parts) -> Part:
    """Return what onlookers see."""
    return Map(turn=open.turn, counters=parts.each(_shown, open.counters))


def screen(shown: Map, _open: Open, own: Own, _parts: Parts) -> Part:
    """Return what a side sees: the table, and what it moved last."""
    return structs.replace(shown, last=own.last)


def _shown(_name: str, counter: Counter) -> Shown:
    return Shown(place=counter.place, steps=counter.steps)


def _seats(_scenario: str, _options: Mapping[str, Any]) -> tuple[Seat, ...]:
    return Seat("East", 0), Seat("West", 1)


def _default(_state: State, _seat: int, prompt: Prompt) -> Decision:
    return prompt.options[0]


ENDLESS: Final = Game(
    name="endless",
    title="The Endless War",
    revision="1",
    sides=("East", "West"),
    scenarios=[Scenario("war", "War")],
    options=[],
    names={},
    open=Open,
    own=Own,
    facts=[TurnBegan, Placed, StepsLeft, Remembered],
    procedures=[War, Peace],
    decisions=[Move],
    seats=_seats,
    first=lambda _scenario, _options: War(),
    default=_default,
    table=Map,
    view=view,
    screen=screen,
)
