"""By which clock and options matches are played, as a list says it.

It stands in the first fact of a match and never changes: it is read once, and that of the latest KEPT matches
that were asked for is kept. Deliberately absent: all that is chosen of a match (`server.http.api`).
"""

from collections.abc import Collection, Mapping
from typing import Final
from uuid import UUID

from msgspec import Struct, json

from domain.kernel.seats import Clock
from domain.match.game import BadSetUp
from domain.match.notices import Created
from domain.titles import TITLES
from server.postgres.database import PooledConnection

KEPT: Final = 5000

_FIRST: Final = "SELECT match_id, body FROM log.fact WHERE match_id = ANY($1::uuid[]) AND seq = 1"

_created = json.Decoder(Created)


class Terms(Struct, frozen=True):
    """A clock, None without one, and the options that are not the scenario's own."""

    clock: Clock | None
    chosen: Mapping[str, bool | int | str]


UNKNOWN: Final = Terms(None, {})
"""Of a match of which the log has nothing."""


class AllTerms:
    """The terms of matches, by their ids."""

    def __init__(self) -> None:
        self._known: dict[UUID, Terms] = {}

    async def of(self, conn: PooledConnection, matches: Collection[UUID]) -> dict[UUID, Terms]:
        """Return those of these matches; of one that is not on the log none. Raises what the query does."""
        found = {match: self._known[match] for match in matches if match in self._known}
        missing = [match for match in matches if match not in found]
        if missing:
            rows = await conn.fetch(_FIRST, missing)
            found |= {row["match_id"]: terms_of(row["body"]) for row in rows}
        for match in found:
            self._known.pop(match, None)
        self._known |= found
        while len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return found


def terms_of(first: bytes) -> Terms:
    """Return what the first fact of a match says, given its body."""
    created = _created.decode(first)
    return Terms(created.clock, _chosen(created))


def _chosen(created: Created) -> dict[str, bool | int | str]:
    game = TITLES.get(created.title)
    try:
        usual = {} if game is None else game.set_up(created.scenario, {})
    except BadSetUp:
        usual = {}
    return {name: value for name, value in created.options.items() if usual.get(name) != value}
