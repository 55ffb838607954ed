"""Challenges: who is told of them, and how they are answered.

A person asks another, by his handle, to a match that he offers him alone, and sits down there as at any
other. Whoever is challenged may take the free seat until he declines or the challenger withdraws; taking it
accepts. To a private match he has an onlooker's access until then. Deliberately absent: how one is made
(`server.lobby.challenges`), how a seat is taken (`server.lobby.seats`).
"""

from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.lobby.challenges import MUTED, WORD, whom
from server.lobby.fitting import fit
from server.lobby.listing import Listing
from server.people.persons import micros
from server.people.sessions import Here
from server.postgres.database import Pool, connection
from server.protocol.people import ChallengeInfo

_ANSWER: Final = """
UPDATE lobby.challenge SET answer = $3, reply = $4, answered_at = log.now()
 WHERE match_id = $1 AND answer IS NULL AND CASE $3
         WHEN 'declined' THEN $2 IN (challenged, (SELECT owner FROM people.person WHERE id = challenged))
         ELSE challenger = $2 END
RETURNING challenged
"""
_VOID: Final = """
UPDATE lobby.token SET revoked_at = log.now()
 WHERE match_id = $1 AND person_id = $2 AND kind = 'onlooker' AND revoked_at IS NULL
"""


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """What becomes of a challenge that is not taken up, and a word with it."""

    answer: Literal["declined", "withdrawn"]
    word: str = ""


class Challenging:
    """The challenges of this server's persons."""

    def __init__(self, pool: Pool, listing: Listing) -> None:
        self._pool, self._listing = pool, listing

    async def check(self, here: Here, handle: str) -> None:
        """Raise RequestError if a challenge to somebody would be refused now, whatever the match."""
        async with connection(self._pool) as conn, conn.transaction():
            await whom(conn, here.person, handle)

    async def answer(self, here: Here, match: UUID, asked: Answer) -> None:
        """Decline a challenge, also for a bot of one's own, or withdraw one's own. Raises RequestError."""
        word = fit(asked.word.strip(), WORD, "what you say")
        async with connection(self._pool) as conn, conn.transaction():
            if await conn.fetchval(MUTED, here.person) and word:
                raise RequestError(
                    "not_allowed", "the operator of this server has muted you: say nothing with it"
                )
            challenged = await conn.fetchval(_ANSWER, match, here.person, asked.answer, word)
            if challenged is None:
                raise RequestError("no_offer", "there is no such challenge, or it was answered already")
            await conn.execute(_VOID, match, challenged)

    async def of(self, here: Here, *, waiting: bool = False) -> list[ChallengeInfo]:
        """Return a person's challenges: those that are not answered first, each the latest first.

        `waiting`: only those to him, or to a bot of his, that are not answered.
        """
        return [
            ChallengeInfo(
                info,
                row["by_handle"] or "",
                row["to_handle"] or "",
                row["word"],
                micros(row["made_at"]),
                row["answer"],
                row["reply"],
            )
            for info, row in await self._listing.challenges(here.person, waiting=waiting)
        ]
