"""Challenges as they are made: to a person by his handle, in the transaction that stores the match.

Laws of this module:

1. Who may not be challenged, or not now, is refused before anything is stored.
2. A match to which somebody is challenged is on no offer to others, whatever becomes of the challenge: it is
   withdrawn from the start. Until it is answered the challenger has one seat there, and who is challenged may
   take another; nobody else may, by a link either (`server.lobby.seats`, `server.lobby.welcome`).
3. It counts from the first fact of its match on. One whose node died before that, and which is not sent
   again, is told to nobody.

Deliberately absent: who is told of it, and how it is answered (`server.people.challenges`).
"""

from typing import Final
from uuid import UUID

from domain.match.refusals import RequestError
from server.lobby.fitting import fit
from server.lobby.seats import open_to
from server.postgres.database import PooledConnection
from server.protocol import wire

WORD: Final = 200
"""Characters of what is said with a challenge or an answer."""

OPEN: Final = 20
"""Challenges of a person that are not answered."""

TO_ONE: Final = 3
"""Of these to the same person."""

IN_A_DAY: Final = 5
"""To the same person in a day, whatever became of them."""

BEGUN: Final = "EXISTS (SELECT FROM log.fact f WHERE f.match_id = c.match_id AND f.seq = 1)"
"""SQL: whether the match of challenge `c` has its first fact."""

MUTED: Final = """
SELECT muted_at IS NOT NULL AS muted, owner IS NOT NULL AS bot FROM people.person WHERE id = $1
   FOR NO KEY UPDATE
"""
_WHOM: Final = """
SELECT p.id, people.keeps_away(p.id, $2) AS kept_away, people.keeps_away($2, p.id) AS keeps_away,
       coalesce(p.banned_at, o.banned_at) IS NOT NULL AS banned
  FROM people.person p LEFT JOIN people.person o ON o.id = p.owner WHERE p.handle = $1
"""
# Those that were made just now are about to have their first fact.
_COUNT: Final = f"""
SELECT count(*) FILTER (WHERE answer IS NULL) AS open,
       count(*) FILTER (WHERE answer IS NULL AND challenged = $2) AS same,
       count(*) FILTER (WHERE challenged = $2 AND made_at > log.now() - interval '1 day') AS lately
  FROM lobby.challenge c
 WHERE challenger = $1 AND (made_at > log.now() - interval '1 minute' OR {BEGUN})
"""  # noqa: S608 constants of this module
_MAKE: Final = """
INSERT INTO lobby.challenge (match_id, challenger, challenged, word) VALUES ($1, $2, $3, $4)
"""


def fit_challenge(asked: wire.Create, seats: int) -> None:
    """Raise RequestError where nobody could be challenged to a match of so many seats, as it is asked for."""
    fit(asked.word, WORD, "what you say")
    if not asked.challenge:
        if asked.word:
            raise RequestError("bad_set_up", "a word goes with a challenge")
        return
    if seats - len(asked.bots) < 2:  # noqa: PLR2004 one of them, and who is challenged
        raise RequestError("bad_set_up", "a challenge needs a seat for each of two persons")
    if asked.band is not None:
        raise RequestError("bad_set_up", "a challenge is to one person, whatever his rating")


async def whom(conn: PooledConnection, person: UUID, handle: str) -> UUID:
    """Return whom a person may challenge by this handle. Raises RequestError."""
    who = await conn.fetchrow(MUTED, person)
    if who is None or who["muted"]:
        raise RequestError("not_allowed", "the operator of this server has muted you")
    if who["bot"]:
        raise RequestError("not_allowed", "a bot challenges nobody: its owner does")
    known = handle.isascii() and handle.isprintable()
    found = await conn.fetchrow(_WHOM, handle, person) if known else None
    if found is None:
        raise RequestError("no_person", "nobody here is called so")
    if found["id"] == person:
        raise RequestError("not_allowed", "you cannot challenge yourself")
    if found["banned"]:
        raise RequestError("not_allowed", f"{handle} does not play here any more")
    if found["kept_away"] or found["keeps_away"]:
        they = f"{handle} does not play with you"
        raise RequestError("not_allowed", they if found["kept_away"] else "you keep them away")
    count = await conn.fetchrow(_COUNT, person, found["id"])
    assert count is not None
    if count["open"] >= OPEN or count["same"] >= TO_ONE or count["lately"] >= IN_A_DAY:
        raise RequestError("too_many", "wait until some of your challenges are answered")
    challenged: UUID = found["id"]
    return challenged


async def challenge(conn: PooledConnection, match: UUID, person: UUID, asked: wire.Create) -> None:
    """Challenge somebody to a match that this transaction has stored. Raises RequestError."""
    challenged = await whom(conn, person, asked.challenge)
    await conn.execute(_MAKE, match, person, challenged, asked.word.strip())
    if asked.private:
        await open_to(conn, challenged, match, "onlooker", None)
