"""Reports as the operator sees them: lines of chat that somebody found amiss, open until they are dealt with.

A line is shown as it was when it was reported, though it may be gone since; of who was erased nothing is left
of it. A year after it was dealt with a report is removed. What is to be done about somebody is another matter
(`server.people.operating`). Deliberately absent: who may report what (`server.people.blocks`).
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.people.persons import micros
from server.postgres.database import Connection

SHOWN: Final = 1000
"""Reports on a list at most."""

_LIST: Final = f"""
SELECT r.id, r.made_at, r.done_at, b.handle AS by, a.handle AS about, s.name, r.match_id, r.seat,
       r.text, r.word
  FROM people.report r JOIN people.person b ON b.id = r.by
  LEFT JOIN people.person a ON a.id = r.about
  LEFT JOIN lobby.seat s ON s.match_id = r.match_id AND s.seat = r.seat
 WHERE $1 OR r.done_at IS NULL
 ORDER BY r.done_at IS NOT NULL, r.id DESC LIMIT {SHOWN}
"""  # noqa: S608 a constant of this module
_DONE: Final = "UPDATE people.report SET done_at = log.now() WHERE id = $1 AND done_at IS NULL RETURNING id"
_KNOWN: Final = "SELECT true FROM people.report WHERE id = $1"


class Reported(Struct, frozen=True):
    """A line of chat that was reported. Times are in microseconds since the epoch.

    `by` is the handle of who reports, `about` that of who sits on the `seat`, empty for a guest, who has but
    a `name`. The seat of an onlooker is None. `text` is the line, `word` why it is reported; `done` is None
    while nobody has dealt with it.
    """

    id: int
    made: int
    done: int | None
    by: str
    about: str
    name: str
    match: UUID
    seat: int | None
    text: str
    word: str


async def listed(conn: Connection, *, every: bool = False) -> Sequence[Reported]:
    """Return the open reports, or `every` one, those behind them; each the latest first."""
    return [
        Reported(
            row["id"],
            micros(row["made_at"]),
            None if row["done_at"] is None else micros(row["done_at"]),
            row["by"] or "",
            row["about"] or "",
            row["name"] or "",
            row["match_id"],
            row["seat"],
            row["text"],
            row["word"],
        )
        for row in await conn.fetch(_LIST, every)
    ]


async def done(conn: Connection, report: int) -> bool:
    """Note that a report is dealt with; whether it was open. Raises RequestError where there is none."""
    if await conn.fetchval(_DONE, report) is not None:
        return True
    if not await conn.fetchval(_KNOWN, report):
        raise RequestError("no_offer", f"There is no report {report}.")
    return False
