"""Whose bytes are parsed next: the addresses in rotation, a few parts in each iteration of the event loop.

Laws of this module:
- In an iteration so many parts are done, and then all else has its turn: what they lead to, and writing.
- Where several addresses wait, each has one part in turn, however many connections it has.
- Who has a seat goes before who asks and looks on, and these before new connections, so that whoever has
  begun is soon done. The last part of an iteration is for those behind, by turns for the one and the other.

Without it many connections of one address are served as one crowd, and whoever sends a single message from
elsewhere waits behind all of them. Deliberately absent: what a part is (`server.socket.paced`), and which
address is next (`server.rotation`).
"""

import asyncio
from collections.abc import Callable
from typing import Final, Literal

from server.addresses import Address
from server.rotation import Rotation

AT_ONCE: Final = 4
"""Parts in an iteration: a handshake takes some milliseconds, a command one."""

Part = Callable[[], None]


Rank = Literal[0, 1, 2]
"""Who has a seat; who has begun; who is new."""


class Rota:
    """All parts that wait on a node."""

    def __init__(self) -> None:
        self._ranks = Rotation[Part](), Rotation[Part](), Rotation[Part]()
        self._left = AT_ONCE
        self._new_first = False
        """Whether the last part of an iteration is for one who is new, though somebody plays."""
        self._next: asyncio.Handle | None = None

    def ask(self, address: Address, part: Part, rank: Rank = 1) -> None:
        """Do a part at once if none waits before it and some are left in this iteration, else in its turn."""
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._go_on)
        if self._left and not any(self._ranks[: rank + 1]):
            self._left -= 1
            _do(part)
        else:
            self._ranks[rank].add(address, part)

    def _go_on(self) -> None:
        self._left = 0  # what a part asks for has its turn later, and is not done within it
        playing, begun, new = self._ranks
        self._new_first = not self._new_first
        behind = (new, begun) if self._new_first or not playing else (begun, new)
        for order in (*(AT_ONCE - 1) * [self._ranks], (*behind, playing)):
            rotation = next(filter(None, order), None)
            if rotation is not None:
                _do(rotation.take())
        self._left = AT_ONCE
        self._next = asyncio.get_running_loop().call_soon(self._go_on) if any(self._ranks) else None


def _do(part: Part) -> None:
    """Do a part. Whatever it raises is told as the loop tells it, and the others are done all the same."""
    try:
        part()
    except Exception as why:
        context = {"message": "what a connection sent was not taken in", "exception": why}
        asyncio.get_running_loop().call_exception_handler(context)
