"""Who is next: the addresses in rotation, and of each address whoever has waited longest.

However many wait at one address, another waits behind one of them only. Deliberately absent: what they wait
for (`server.socket.rota`, `server.turns`), and how many an address may have (`server.addresses`).
"""

from collections import deque
from typing import Generic, TypeVar

from server.addresses import Address

T = TypeVar("T")


class Rotation(Generic[T]):
    """What waits, by address."""

    def __init__(self) -> None:
        self._waiting: dict[Address, deque[T]] = {}
        """In the order of their turns."""

    def __bool__(self) -> bool:
        """Whether any waits."""
        return bool(self._waiting)

    def at(self, address: Address) -> int:
        """Return how many wait at an address."""
        return len(self._waiting.get(address, ()))

    def add(self, address: Address, one: T) -> None:
        """Put one behind the others of its address."""
        self._waiting.setdefault(address, deque()).append(one)

    def discard(self, address: Address, one: T) -> None:
        """Take out one that waits no more, if it is still there."""
        there = self._waiting.get(address, deque())
        if one in there:
            there.remove(one)
        if not there:
            self._waiting.pop(address, None)

    def take(self) -> T:
        """Return the first of the next address, which has its next turn after all others."""
        address = next(iter(self._waiting))
        there = self._waiting.pop(address)
        one = there.popleft()
        if there:
            self._waiting[address] = there
        return one
