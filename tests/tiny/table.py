"""1 The table: what lies open, and what each side alone can see.

Questions about the table are pure functions here. The pile of cards is nowhere: it is what nobody has seen.
"""

from typing import TypeAlias

from msgspec import Struct

from domain.kernel import facts, procedures, table
from tests.tiny.charts import CARDS


class Boat(Struct):
    """A boat of one side; with no step left it is sunk."""

    side: int
    steps: int


class Open(Struct):
    """What all can see, keyed by id."""

    turn: int = 0
    turns: int = 0
    night: bool = False
    admirals: tuple[int, int] = (0, 1)
    """The seat of each side that gives orders."""
    captains: tuple[int, int] = (0, 1)
    """The seat of each side that plays cards and takes losses."""
    boats: dict[str, Boat] = {}
    fleets: dict[int, str] = {}
    """Side to the islet where its boats lie."""
    flags: dict[str, int] = {}
    """Islet to the side whose flag flies there."""
    hands: dict[int, int] = {}
    """Side to the number of its cards."""
    in_play: dict[str, int] = {}
    """Card to the side that played it."""
    spent: list[str] = []


class Own(Struct):
    """What one side alone can see."""

    hand: list[str] = []
    order: str = ""
    """The islet ordered, empty while there is no order."""


State: TypeAlias = facts.State[Open, Own]
Sight: TypeAlias = procedures.Sight[Open, Own]
Table: TypeAlias = table.TableOf[Open, Own]


def afloat(open: Open, side: int) -> list[str]:
    """Return the boats of a side that have steps left."""
    return [name for name, boat in open.boats.items() if boat.side == side and boat.steps]


def met(open: Open) -> bool:
    """Return whether both fleets lie at the same islet."""
    return open.fleets[0] == open.fleets[1]


def played(open: Open, side: int, kind: str) -> bool:
    """Return whether a card of a kind by a side is in play."""
    return any(by == side and CARDS[card] == kind for card, by in open.in_play.items())


def pile(state: State) -> list[str]:
    """Return the cards not yet drawn, in the order of their ids. The umpire alone can ask this."""
    drawn = {*state.own[0].hand, *state.own[1].hand, *state.open.in_play, *state.open.spent}
    return [card for card in CARDS if card not in drawn]
