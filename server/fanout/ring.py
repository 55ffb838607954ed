"""A cache of the last broadcasts of one match to one audience, without gaps.

The ring knows nothing of connections: a watcher has a place in it, which is a seq, and asks what follows.
"""

from collections import OrderedDict
from typing import Final

from msgspec import Struct

MOST: Final = 256
"""Broadcasts that a ring keeps."""

HEAVIEST: Final = 1 << 20
"""Bytes that a ring keeps, so that large broadcasts do not add up.

A match that is played and watched has three rings, which are most of what it costs in memory. Who is further
behind is served from the log."""


class Piece(Struct, frozen=True, gc=False):
    """A broadcast's websocket bytes and the range (after, upto] they cover."""

    after: int
    upto: int
    data: bytes


class Ring:
    """Contiguous pieces: each begins where the one before ends, and the last ends at `upto`."""

    __slots__ = ("_most", "_pieces", "_weight", "upto")

    def __init__(self, upto: int, most: int = MOST) -> None:
        self.upto = upto
        self._most = most
        self._weight = 0
        self._pieces: OrderedDict[int, Piece] = OrderedDict()  # by where they begin

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def oldest(self) -> int:
        """The earliest place from which the ring has all that follows."""
        return next(iter(self._pieces), self.upto)

    def append(self, piece: Piece) -> None:
        """Add a piece that begins where the ring ends; evict the oldest beyond the limits."""
        assert self.upto == piece.after < piece.upto
        self._pieces[piece.after] = piece
        self.upto = piece.upto
        self._weight += len(piece.data)
        while len(self._pieces) > self._most or (self._weight > HEAVIEST and len(self._pieces) > 1):
            _, gone = self._pieces.popitem(last=False)
            self._weight -= len(gone.data)

    def following(self, place: int) -> Piece | None:
        """Return the piece that begins at this place, if the ring still has it."""
        return self._pieces.get(place)

    def restart(self, upto: int) -> None:
        """Discard all pieces and continue from seq `upto`."""
        self._pieces.clear()
        self._weight = 0
        self.upto = upto
