"""Audiences: who may see a fact, and for whom a match is read. One type serves both.

The umpire reads every fact; facts for the umpire alone are sent to nobody before the match has ended.
Deliberately absent: which audience a fact has (its class says that), and the identity of users
(`server.lobby.offers`).
"""

from enum import Enum
from typing import Final, Literal, TypeAlias


class Audience(Enum):
    """A set of viewers: the two sides and the onlookers, in any combination.

    The value is a bit mask, as written to the log and hashed: 1 side 0, 2 side 1, 4 onlookers.
    """

    UMPIRE = 0
    """As the audience of a fact: shown to no viewer. As a reader: sees every fact."""
    SIDE_0 = 1
    SIDE_1 = 2
    SIDES = 3
    ONLOOKERS = 4
    NOT_SIDE_1 = 5
    NOT_SIDE_0 = 6
    ALL = 7

    # Each member is one object, and a key of dictionaries that are read with every decision; the hash of
    # `Enum` is a function in Python.
    __hash__ = object.__hash__

    @classmethod
    def of(cls, side: int | None) -> "Viewer":
        """Return the viewer for side 0 or 1, or the onlookers for None. Raises ValueError for any other."""
        if side not in _OF:
            raise ValueError(f"there is no side {side}")
        return _OF[side]

    @property
    def side(self) -> int | None:
        """0 or 1 if this audience is exactly one side, else None."""
        return _SIDES.get(self)

    def sees(self, shown_to: "Audience") -> bool:
        """Return whether this reader may see a fact whose audience is `shown_to`."""
        mine = self._value_  # called for every fact and viewer: `value` takes four times as long
        return not mine or mine & shown_to._value_ != 0


Viewer: TypeAlias = Literal[Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS]
"""Who is sent facts and views during a match. The type excludes the umpire."""

VIEWERS: Final[tuple[Viewer, ...]] = (Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS)
"""All viewers; each is sent its own views and frames."""

Reader: TypeAlias = Literal[Audience.UMPIRE, Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS]
"""For whom a match is read: one viewer, or the umpire."""

_SIDES: Final = {Audience.SIDE_0: 0, Audience.SIDE_1: 1}
_OF: Final = {viewer.side: viewer for viewer in VIEWERS}
