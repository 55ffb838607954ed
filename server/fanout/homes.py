"""The homes of matches: which other node has moved a match last, and so has its table as it is now.

Commands of a match that is at home elsewhere are passed on (`server.play.passing`), so that the seats of one
match may be at several nodes and none reads from the log what another has just decided. Who has moved last
follows from what the bus brings; a home that does not answer, or says that it is none, is a home no longer.
A home is an advice: the log judges, and any node may decide anything.
"""

import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

from msgspec import Struct

from server.fanout.broadcasts import Node

TENURE: Final = 60.0
"""Seconds after its last move for which a node stays a match's home."""


class _Home(Struct, gc=False):
    upto: int
    node: Node | None
    since: float


class Homes:
    """Who moved each match last, of those that are watched at this node."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._homes: dict[UUID, _Home] = {}
        self._silent: set[Node] = set()

    def moved(self, match: UUID, upto: int, node: Node | None = None) -> None:
        """Learn that a node, or (None) this one, has moved a match on to fact `upto`."""
        home = self._homes.get(match)
        if home is None:
            self._homes[match] = _Home(upto, node, self._now())
        elif upto > home.upto:
            home.upto, home.node, home.since = upto, node, self._now()
        if node is not None and self._silent:
            self._silent.discard(node)

    def of(self, match: UUID) -> Node | None:
        """Return the node that a match is at home at; None where that is this one, or none is known."""
        home = self._homes.get(match)
        if home is None or home.node in self._silent or self._now() - home.since > TENURE:
            return None
        return home.node

    def left(self, match: UUID) -> None:
        """Learn that its home has given a match up, or that nobody watches it here any more."""
        self._homes.pop(match, None)

    def silent(self, node: Node) -> None:
        """Learn that a node has not answered: it is no home until something is heard of it again."""
        self._silent.add(node)
