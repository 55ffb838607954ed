"""A title as small as a test needs it: whatever procedures are given, one list that all see, one a side.

Deliberately absent: rules. The tests bring their own procedures.
"""

from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from domain.kernel import procedures
from domain.kernel.dice import Dice, Scripted
from domain.kernel.facts import Fact, Secret, State, evolve
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.seats import Seat
from domain.kernel.table import Table
from domain.match.game import Game, Scenario
from domain.match.notices import Created, Started
from domain.match.parts import Part, Parts


class Open(Struct):
    said: list[str] = []


class Own(Struct):
    heard: list[str] = []


Sight: TypeAlias = procedures.Sight[Open, Own]


class Said(Fact, frozen=True):
    text: str

    def words(self) -> str:
        return self.text

    def apply(self, open: Open) -> None:
        open.said.append(self.text)


class Whispered(Secret, frozen=True):
    text: str

    def words(self) -> str:
        return self.text

    def apply(self, own: Own) -> None:
        own.heard.append(self.text)


class Unsaid(Fact, frozen=True):
    place: int

    def apply(self, open: Open) -> None:
        open.said.pop(self.place)


class Pick(Decision, frozen=True):
    number: int


class Pass(Decision, frozen=True):
    pass


class Never(Procedure):
    """A union of procedures wants a member even where a test has but one."""


FrameType = TypeVar("FrameType", bound=type[Procedure])


def probe(*procedures: type[Procedure], seats: int = 2, **more: Any) -> Game:
    """A title of these procedures, with seats of side 0 and side 1 in turn; `more` is for `Game`."""
    parts: dict[str, Any] = {"table": Shown, "view": view, "screen": screen, "names": {}}
    return Game(
        name="probe",
        title="Probe",
        revision="1",
        sides=("North", "South"),
        scenarios=[Scenario("probe", "Probe")],
        options=[],
        open=Open,
        own=Own,
        facts=[Said, Whispered, Unsaid],
        procedures=[Never, *procedures],
        decisions=[Pick, Pass],
        seats=lambda scenario, options: chairs(seats),  # noqa: ARG005
        first=lambda scenario, options: procedures[0](),  # noqa: ARG005
        default=lambda state, seat, prompt: prompt.options[0],  # noqa: ARG005
        **parts | more,
    )


class Heard(Part, frozen=True, kw_only=True):
    heard: tuple[str, ...]


class Shown(Part, frozen=True, kw_only=True):
    said: tuple[str, ...]
    own: Heard | None = None


def view(open: Open, _parts: Parts) -> Part:
    return Shown(said=tuple(open.said))


def screen(shown: Shown, _open: Open, own: Own, _parts: Parts) -> Part:
    return Shown(said=shown.said, own=Heard(heard=tuple(own.heard)))


def chairs(count: int) -> tuple[Seat, ...]:
    return tuple(Seat(f"seat {number}", number % 2) for number in range(count))


def begun(game: Game) -> State[Any, Any]:
    """A match that has started, before the first step."""
    seats = game.seats("probe", {})
    return evolve(game.state(), [Created("probe", "probe", {}, "1", "", seats), Started()])


def table_of(first: Procedure, *others: type[Procedure], dice: Dice | None = None, seats: int = 2) -> Table:
    """A table at which a procedure is under way."""
    game = probe(type(first), *others, seats=seats)
    return Table(game, begun(game), dice or Scripted([]), first)


def said(table: Table) -> list[str]:
    """What all have heard so far."""
    return list(table.open.said)
