"""Rematches that are offered to a person: one who does not want to play it says so.

It waits for him no more then, and who offered it hears of it. He may still take his seat there. Deliberately
absent: how a rematch is made and its seats are taken (`server.lobby.rematches`), and notices of both.
"""

from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.lobby.challenges import WORD
from server.lobby.fitting import fit
from server.notices.again import OFFERED
from server.people.sessions import Here
from server.postgres.database import Pool, connection

_MUTED: Final = "SELECT muted_at IS NOT NULL FROM people.person WHERE id = $1"
_DECLINE: Final = f"""
INSERT INTO people.declined (match_id, person_id, word)
SELECT match_id, $2, $3 FROM lobby.match
 WHERE rematch_of = $1 AND {OFFERED.format(person="$2", match="$1")} ON CONFLICT DO NOTHING
"""  # noqa: S608 constants of this package


class Decline(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody says who does not want to play again."""

    word: str = ""


class OfferedRematches:
    """The rematches that are offered to this server's persons."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def decline(self, here: Here, match: UUID, asked: Decline) -> None:
        """Decline the rematch of a match. Raises RequestError."""
        word = fit(asked.word.strip(), WORD, "what you say")
        async with connection(self._pool) as conn:
            if word and await conn.fetchval(_MUTED, here.person):
                raise RequestError(
                    "not_allowed", "the operator of this server has muted you: say nothing with it"
                )
            if await conn.execute(_DECLINE, match, here.person, word) == "INSERT 0 0":
                raise RequestError("no_offer", "no rematch is offered to you here, or you have answered it")
