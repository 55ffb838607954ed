"""P5.1 Where a side is in 5.1.I to 5.1.M, and what each chapter of them has to offer.

A chapter lists what may be done by what its side sees, and does it. Deliberately absent: how both sides go
from chapter to chapter (`administration`).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.procedures import Decision
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.room import friendly
from domain.pacific_war.board.table import Open, Own, Sight, Table, enemy
from domain.pacific_war.command.links import supplied
from domain.pacific_war.facts.months import MeansAre


class Desk(Struct, frozen=True, omit_defaults=True):
    """How far a side has come in 5.1.I to 5.1.M."""

    chapter: int = 0
    entered: bool = False
    """The chapter has begun."""
    picked: tuple[str, ...] = ()
    """A first pick that waits for its second (P0.3.1): the kind of it, then ids."""
    done: tuple[str, ...] = ()
    """What was done in this chapter, `kind:id`, as often as it was done (R-58)."""
    following: bool = False
    """The side takes what the house proposes (P0.9.1)."""
    repeating: bool = False
    """The side does as last month (P0.9.2)."""
    sailing: tuple[str, ...] = ()
    """A crippled ship under way, and its port (P13.2.5)."""

    def did(self, *what: str) -> "Desk":
        """Return the desk after something is done."""
        return replace(self, picked=(), done=(*self.done, *what))


class Chapter(NamedTuple):
    """A chapter of 5.1.I to 5.1.M, or a part of one that is done before the next."""

    rule: str
    text: str
    options: Callable[[Sight, Desk], Iterable[Decision]]
    """What may be done, without `Done`: nothing ends the chapter."""
    take: Callable[[Table, int, Desk, Decision], Desk]
    """Do it for a side."""
    picks: Callable[[Desk, Decision], tuple[str, ...]] = lambda _desk, _decision: ()
    """What is picked if another decision must follow."""
    seconds: Callable[[Sight, Desk], list[Decision]] = lambda _sight, _desk: []
    """What may follow what is picked."""
    then: Callable[[tuple[str, ...]], str] = lambda _picked: ""
    """The sentence for what must follow what is picked."""
    enter: Callable[[Table, int], None] | None = None
    """What happens when a side comes to it."""
    must: bool = False
    """What can be done must be done: there is no `Done`."""
    owes: Callable[[Sight, Desk], bool] = lambda _sight, _desk: False
    """Whether something must still be done before the chapter may be ended."""
    again: Callable[[Sight, Desk], list[Decision]] = lambda _sight, _desk: []
    """What was done last month and may be done again, in its order (P0.9.2)."""
    forks: Callable[[Sight, Desk, Sequence[Decision]], list[Decision]] | None = None
    """Which first picks leave a choice, where that can be found for all at once (P0.3)."""


def ready(open: Open, own: Own, side: int, place: str) -> bool:
    """Return whether a location is friendly, and Linked now or counts as Linked (R-50, R-94)."""
    return friendly(open, side, place) and supplied(own, side, LOCATIONS[place].hex)


def quiet_place(open: Open, side: int, place: str) -> bool:
    """Return whether no enemy ground unit is at a location."""
    return LOCATIONS[place].hex not in open.troops[enemy(side)]


def pay(table: Table, side: int, hq: str, cost: int, why: str) -> None:
    """Take Command Points from a headquarters."""
    left = table.own[side].means.points[hq] - cost
    table.record(MeansAre(side, points={hq: left}, why=why))
