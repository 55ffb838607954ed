"""The dice of all matches of a title, which are summed once for all who ask within a minute.

Laws of this module:
- A title is summed at most once in KEPT seconds, and by one question at a time, wherever those who ask come
  from. No answer says less than was known KEPT seconds ago.
- To sum is a read (`server.http.reads`): it has a place among those of the node, and whoever has to be
  answered by it pays TITLE_DICE. What is kept costs him no more than any page.

Deliberately absent: the sums themselves (`projections.audit`). What could not be summed is not kept.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct, json

from projections import audit
from server.addresses import Address
from server.http.reads import Reads
from server.http.responses import TitleAudit
from server.limits import TITLE_DICE
from server.postgres.database import Pool, connection

KEPT: Final = 60.0
"""Seconds for which an answer serves, from when the database was asked."""


class Kept(Struct, frozen=True):
    """An answer, as JSON, and until when it serves."""

    body: bytes
    until: float


class TitleDice:
    """The dice of the titles that were asked for lately."""

    def __init__(self, pool: Pool, reads: Reads, clock: Callable[[], float] = time.monotonic) -> None:
        self._pool, self._reads, self._clock = pool, reads, clock
        self._kept: dict[str, Kept] = {}

    async def answer(self, address: Address, title: str) -> bytes:
        """Return a TitleAudit as JSON, of a title that there is. Raises what `Reads.read` raises."""
        kept = self._served(title)
        if kept is not None:
            return kept
        return await self._reads.read(address, ("dice", title), TITLE_DICE, partial(self._summed, title))

    def _served(self, title: str) -> bytes | None:
        kept = self._kept.get(title)
        return kept.body if kept is not None and self._clock() < kept.until else None

    async def _summed(self, title: str) -> bytes:
        served = self._served(title)
        if served is not None:  # it was summed for others while this one waited at his address
            return served
        begun = self._clock()
        async with connection(self._pool) as conn:
            body = json.encode(TitleAudit(await audit.dice(conn, title=title)))
        self._kept[title] = Kept(body, begun + KEPT)
        return body
