"""Challenges: a person asks another, by his handle, to a match that he has offered for it.

The match is private, and its maker has sat down as at any other. Whoever is challenged may watch it and take
the free seat until he declines or the challenger withdraws; taking it accepts. Deliberately absent: how a
seat is taken (`server.lobby.seats`).
"""

from typing import Final, Literal
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.lobby.fitting import fit
from server.lobby.listing import Listing
from server.lobby.seats import open_to
from server.people.persons import look_up, micros
from server.people.sessions import Here
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.people import ChallengeInfo

WORD: Final = 200
"""Characters of what is said with a challenge or an answer."""

OPEN: Final = 20
"""Challenges of a person that are not answered."""

TO_ONE: Final = 3
"""Of these to the same person."""

IN_A_DAY: Final = 5
"""To the same person in a day, whatever became of them."""

_MUTED: Final = "SELECT muted_at IS NOT NULL FROM people.person WHERE id = $1 FOR NO KEY UPDATE"
_OFFER: Final = """
SELECT m.private, m.ended_at IS NOT NULL OR coalesce(s.started, false) AS begun
  FROM lobby.match m LEFT JOIN view.standings s USING (match_id)
 WHERE m.match_id = $1 AND m.person_id = $2 AND NOT m.imported
"""
_WHOM: Final = """
SELECT p.id, people.keeps_away(p.id, $2) AS kept_away, people.keeps_away($2, p.id) AS keeps_away,
       coalesce(p.banned_at, o.banned_at) IS NOT NULL AS banned
  FROM people.person p LEFT JOIN people.person o ON o.id = p.owner WHERE p.handle = $1
"""
_COUNT: Final = """
SELECT count(*) FILTER (WHERE answer IS NULL) AS open,
       count(*) FILTER (WHERE answer IS NULL AND challenged = $2) AS same,
       count(*) FILTER (WHERE challenged = $2 AND made_at > log.now() - interval '1 day') AS lately
  FROM lobby.challenge WHERE challenger = $1
"""
_MAKE: Final = """
INSERT INTO lobby.challenge (match_id, challenger, challenged, word) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING
"""
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


class NewChallenge(Struct, frozen=True, forbid_unknown_fields=True):
    """A challenge to a person, to a private match of one's own that has not begun."""

    match: UUID
    handle: str
    word: str = ""


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
            await _whom(conn, here, handle)

    async def make(self, here: Here, asked: NewChallenge) -> None:
        """Challenge somebody. Raises RequestError."""
        word = fit(asked.word.strip(), WORD, "what you say")
        async with connection(self._pool) as conn, conn.transaction():
            offer = await conn.fetchrow(_OFFER, asked.match, here.person)
            if offer is None:
                raise RequestError("no_match", "you have offered no such match")
            if offer["begun"] or not offer["private"]:
                raise RequestError("not_allowed", "a challenge is to a private match that has not begun")
            whom = await _whom(conn, here, asked.handle)
            if await conn.execute(_MAKE, asked.match, here.person, whom, word) == "INSERT 0 0":
                raise RequestError("offered", "somebody was challenged to this match already")
            await open_to(conn, whom, asked.match, "onlooker", None)

    async def answer(self, here: Here, match: UUID, asked: Answer) -> None:
        """Decline a challenge, also for a bot of one's own, or withdraw one's own. Raises RequestError."""
        word = fit(asked.word.strip(), WORD, "what you say")
        async with connection(self._pool) as conn, conn.transaction():
            if await conn.fetchval(_MUTED, here.person) and word:
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


async def _whom(conn: PooledConnection, here: Here, handle: str) -> UUID:
    """Return whom a person may challenge by this handle. Raises RequestError."""
    if await conn.fetchval(_MUTED, here.person):
        raise RequestError("not_allowed", "the operator of this server has muted you")
    whom = await conn.fetchrow(_WHOM, look_up(handle), here.person)
    if whom is None:
        raise RequestError("no_person", "nobody here is called so")
    if whom["id"] == here.person:
        raise RequestError("not_allowed", "you cannot challenge yourself")
    if whom["banned"]:
        raise RequestError("not_allowed", f"{handle} does not play here any more")
    if whom["kept_away"] or whom["keeps_away"]:
        they = f"{handle} does not play with you"
        raise RequestError("not_allowed", they if whom["kept_away"] else "you keep them away")
    count = await conn.fetchrow(_COUNT, here.person, whom["id"])
    assert count is not None
    if count["open"] >= OPEN or count["same"] >= TO_ONE or count["lately"] >= IN_A_DAY:
        raise RequestError("too_many", "wait until some of your challenges are answered")
    found: UUID = whom["id"]
    return found
