"""Who may see something, and who looks at a match: the one type for both.

Of a fact it says to whom it is shown, of a reader for whose eyes a match is read. The umpire reads all, and
nobody gets what is the umpire's before the match has ended. Deliberately absent: which audience a fact has
(its class says that), and who somebody is (`server.lobby.offers`).
"""

from enum import Enum
from typing import Final, Literal, TypeAlias


class Audience(Enum):
    """Two sides, the onlookers, and whoever is more than one of them.

    The value is the sum that stands in the log and in the hash of a fact: 1 side 0, 2 side 1, 4 onlookers.
    """

    UMPIRE = 0
    """A fact that is shown to nobody; a reader from whom nothing is kept."""
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
        """Return the audience of a side or, with None, of those who have none. Raises ValueError."""
        if side not in _OF:
            raise ValueError(f"there is no side {side}")
        return _OF[side]

    @property
    def side(self) -> int | None:
        """0 or 1 where this is one side and nobody else, else None."""
        return _SIDES.get(self)

    def sees(self, shown_to: "Audience") -> bool:
        """Whether a reader who is this audience may see what is shown to another."""
        mine = self._value_  # asked of every fact for every viewer: `value` takes four times as long
        return not mine or mine & shown_to._value_ != 0


Viewer: TypeAlias = Literal[Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS]
"""Who is sent anything while a match goes on. No type checker lets the umpire pass for one of them."""

VIEWERS: Final[tuple[Viewer, ...]] = (Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS)
"""Each of them is sent views and updates of its own."""

Reader: TypeAlias = Literal[Audience.UMPIRE, Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS]
"""For whose eyes a match is read: one viewer's, or the umpire's."""

_SIDES: Final = {Audience.SIDE_0: 0, Audience.SIDE_1: 1}
_OF: Final = {viewer.side: viewer for viewer in VIEWERS}
