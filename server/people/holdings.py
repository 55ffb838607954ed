"""What a person has in the lobby: his seats and offers, and how those of a guest become his.

Deliberately absent: how a seat is taken (`server.lobby.seats`), which ties it to who is signed in.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.match.refusals import RequestError
from server.lobby.listing import Listing
from server.lobby.seats import open_to
from server.lobby.tokens import digest, read_token
from server.notices.again import OFFERED
from server.people.sessions import Here
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.listing import MatchInfo
from server.protocol.people import MyMatch, NotTied, Tied

LINKS: Final = 200
"""Links that may be tied at once."""

VOID: Final = "its link is void"
KEPT_AWAY: Final = "you and somebody who plays there do not play with each other"
ANOTHERS: Final = "it is another person's"
YOURS: Final = "it is yours already"
UNTAKEN: Final = "no person has taken the seat yet"

_WHOSE: Final = """
SELECT CASE WHEN $2::smallint IS NULL THEN (SELECT person_id FROM lobby.match WHERE match_id = $1)
            ELSE (SELECT person_id FROM lobby.seat WHERE match_id = $1 AND seat = $2) END
"""
_LINK: Final = """
SELECT kind, seat FROM lobby.token
 WHERE hash = $1 AND match_id = $2 AND revoked_at IS NULL AND person_id IS NULL
   AND kind IN ('seat', 'creator')
"""
_SEAT: Final = """
UPDATE lobby.seat SET person_id = $3, name = $4
 WHERE match_id = $1 AND seat = $2 AND person_id IS NULL AND kind = 'person' AND strength = ''
"""
_OFFER: Final = "UPDATE lobby.match SET person_id = $2 WHERE match_id = $1 AND person_id IS NULL"

_KEPT_AWAY: Final = """
SELECT EXISTS (SELECT FROM lobby.seat s WHERE s.match_id = $1
                  AND (people.keeps_away(s.person_id, $2) OR people.keeps_away($2, s.person_id)))
"""

_AGAIN: Final = f"""
SELECT m FROM unnest($2::uuid[]) AS m WHERE {OFFERED.format(person="$1", match="m")}
"""  # noqa: S608 constants of this package

_ORDER: Final = {"playing": 0, "open": 1, "ended": 2}


class GuestLink(Struct, frozen=True, forbid_unknown_fields=True):
    """A link that a guest has: the match, and the token in its fragment."""

    match: UUID
    token: str


class Holdings:
    """The seats and offers of this server's persons."""

    def __init__(self, pool: Pool, listing: Listing) -> None:
        self._pool, self._listing = pool, listing

    async def tie(self, here: Here, links: Sequence[GuestLink]) -> Tied:
        """Make seats and offers a person's whose links he has; return the matches, and what was left out.

        Left out are links that are void, and seats that nobody has taken or that are another person's, or
        where somebody keeps him away. Raises RequestError for too many.
        """
        if len(links) > LINKS:
            raise RequestError("too_many", f"at most {LINKS} links at once")
        tied, left = [], []
        for link in links:
            async with connection(self._pool) as conn, conn.transaction():
                if why := await self._tie(conn, here, link):
                    left.append(NotTied(link.match, why))
                else:
                    tied.append(link.match)
        return Tied(tied, left)

    async def _tie(self, conn: PooledConnection, here: Here, link: GuestLink) -> str:
        """Tie what a link opens; return why not, or nothing."""
        try:
            token = digest(read_token(link.token))
        except RequestError:
            return VOID
        await conn.execute("SELECT FROM lobby.match WHERE match_id = $1 FOR NO KEY UPDATE", link.match)
        found = await conn.fetchrow(_LINK, token, link.match)
        if found is None:
            return VOID
        if found["kind"] == "seat" and await conn.fetchval(_KEPT_AWAY, link.match, here.person):
            return KEPT_AWAY
        if found["kind"] == "creator":
            done = await conn.execute(_OFFER, link.match, here.person)
        else:
            done = await conn.execute(_SEAT, link.match, found["seat"], here.person, here.name)
        if done == "UPDATE 0":
            whose = await conn.fetchval(_WHOSE, link.match, found["seat"])
            return UNTAKEN if whose is None else YOURS if whose == here.person else ANOTHERS
        await open_to(conn, here.person, link.match, found["kind"], found["seat"])
        return ""

    async def mine(self, here: Here) -> list[MyMatch]:
        """Return the matches of a person: those that wait for him, in play, open, and the last that ended.

        Of those that wait, who has waited for longest comes first; else the latest.
        """
        his = await self._listing.of_person(here.person)
        over = [info.match for info, _ in his if info.rematch is not None]
        async with connection(self._pool) as conn:
            again = {row["m"] for row in await conn.fetch(_AGAIN, here.person, over)} if over else set()
        found = [MyMatch(info, seats, info.match in again or _waits(info, seats)) for info, seats in his]
        return sorted(
            found,
            key=lambda one: (-1, one.info.last) if one.waits else (_ORDER[one.info.state], -one.info.last),
        )

    async def gone(self, here: Here) -> list[UUID]:
        """Return the latest matches to which a person challenged somebody in vain: they are his no more."""
        return await self._listing.gone(here.person)


def _waits(info: MatchInfo, seats: Sequence[int]) -> bool:
    """Whether a match waits for who has these seats: he is asked, or is yet to take one kept for him."""
    if info.state == "open":
        return any(info.seats[seat].taken is None for seat in seats)
    return info.state == "playing" and not set(seats).isdisjoint(info.asked)
