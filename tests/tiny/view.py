"""What is shown of the table: 1, and each side's screen under `own`. Onlookers get none."""

from msgspec import structs

from domain.match.parts import Part, Parts
from tests.tiny import table
from tests.tiny.table import Open
from tests.tiny.table import Own as Screen


class Boat(Part, frozen=True, kw_only=True):
    """A boat of one side."""

    side: int
    steps: int


class Own(Part, frozen=True, kw_only=True):
    """One side's screen."""

    hand: tuple[str, ...]
    order: str


class Table(Part, frozen=True, kw_only=True):
    """What all can see, keyed by id."""

    turn: int
    turns: int
    night: bool
    admirals: tuple[int, int]
    captains: tuple[int, int]
    boats: dict[str, Boat]
    fleets: dict[int, str]
    flags: dict[str, int]
    hands: dict[int, int]
    in_play: dict[str, int]
    spent: tuple[str, ...]
    own: Own | None = None


def view(open: Open, parts: Parts) -> Part:
    """Return what onlookers see."""
    return Table(
        turn=open.turn,
        turns=open.turns,
        night=open.night,
        admirals=open.admirals,
        captains=open.captains,
        boats=parts.each(_boat, open.boats),
        fleets=open.fleets,
        flags=open.flags,
        hands=open.hands,
        in_play=open.in_play,
        spent=tuple(open.spent),
    )


def screen(shown: Table, _open: Open, own: Screen, parts: Parts) -> Part:
    """Return what a side sees: the table with its own screen."""
    return structs.replace(shown, own=parts.same(Own(hand=tuple(own.hand), order=own.order)))


def _boat(_name: str, boat: table.Boat) -> Boat:
    return Boat(side=boat.side, steps=boat.steps)
