"""The list of matches: what the lobby shows of each, the same to everybody, searched and filtered.

It is read from the lobby's tables and the standings, which follow the log within a second. An offer is on the
list while a person may join it and whoever made it is there, or was lately. One search is under way at a
time, and those that wait have their turn address by address. Deliberately absent: what is played
(`server.play.matches`), private matches, which are read one by one, and who watches the list
(`server.lobby.board`).
"""

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, cast
from uuid import UUID

from asyncpg import Record
from msgspec import Struct, json

from domain.match.refusals import RequestError
from projections.standings import VACANT, Standing, read_standing
from server.addresses import Address
from server.lobby.terms import UNKNOWN, AllTerms, Terms
from server.lobby.withdrawing import NOTHING
from server.postgres.database import Pool, PooledConnection, connection
from server.protocol.listing import Kind, MatchInfo, MatchState, SeatInfo
from server.turns import Turns

SHOWN = 200
"""Matches on a list; of the lobby as it is watched, in each state."""

LONGEST = 30.0
"""Seconds that a search waits for its turn; beyond it `Busy`."""

LIVELY: tuple[MatchState, ...] = ("open", "playing")
"""The states that the lobby shows as it is watched; open are also seats that are offered of one in play."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

FREE = """
EXISTS (SELECT FROM jsonb_array_elements(s.chairs) WITH ORDINALITY AS c(chair, number)
         WHERE c.chair ->> 'kind' = ''
           AND NOT EXISTS (SELECT FROM lobby.seat b WHERE b.match_id = s.match_id AND b.seat = c.number - 1
                                                      AND b.strength <> ''))
"""
"""SQL: whether a match, of which `s` is the standing, has a seat that is free for a person."""

HERE = """
m.seen_at > (SELECT log.now()) - CASE WHEN m.by_turns THEN interval '14 days' ELSE interval '10 minutes' END
"""
"""SQL: whether whoever offered match `m` is there, or was so lately that the offer stays on the list."""

_PLAYERS = """
(SELECT json_object_agg(p.seat, json_build_object(
          'name', CASE WHEN p.hidden THEN '' ELSE p.name END, 'bot', p.strength <> '',
          'person', p.person_id IS NOT NULL,
          'handle', CASE WHEN p.hidden THEN '' ELSE coalesce(h.handle, '') END))
   FROM lobby.seat p LEFT JOIN people.person h ON h.id = p.person_id
  WHERE p.match_id = m.match_id)::text AS players
"""
_NEXT = """
(SELECT n.match_id FROM lobby.match n WHERE n.rematch_of = m.match_id) AS rematch,
coalesce((SELECT n.same_sides FROM lobby.match n WHERE n.rematch_of = m.match_id), false) AS same_sides
"""
_PAIRED = "EXISTS (SELECT FROM people.pairing q WHERE q.match_id = m.match_id) AS paired"
_SHOWN = f"""
m.match_id, CASE WHEN m.hidden THEN '' ELSE m.label END AS label, m.pace, m.by_turns, m.private, m.imported,
m.rated, m.persons, m.least, m.most, m.rematch_of, m.withdrawn, {_NEXT}, {_PAIRED}, {_PLAYERS}
"""
_ONE = f"SELECT {_SHOWN} FROM lobby.match m WHERE m.match_id = $1"  # noqa: S608 constants of this module
_STATES: Mapping[MatchState, str] = {
    "open": "m.ended_at IS NULL AND NOT s.over AND NOT s.started AND m.rematch_of IS NULL AND NOT m.withdrawn"
    f" AND {HERE} AND {FREE}",
    "playing": "m.ended_at IS NULL AND NOT s.over AND s.started",
    "ended": "m.ended_at IS NOT NULL AND s.over",
}
# Nobody moves there, so that many others may have moved since.
_VACANT = f"m.ended_at IS NULL AND {VACANT}"
_FOUND = """
(translate(concat_ws(chr(10), CASE WHEN m.hidden THEN '' ELSE m.label END, s.title, s.scenario), '_-', '  ')
   ILIKE {0}
 OR EXISTS (SELECT FROM lobby.seat n WHERE n.match_id = m.match_id AND NOT n.hidden
                                       AND translate(n.name, '_-', '  ') ILIKE {0}))
"""


_GONE: Final = f"""
SELECT m.match_id
  FROM lobby.challenge g JOIN lobby.match m USING (match_id) JOIN view.standings s USING (match_id)
 WHERE g.challenger = $1 AND g.answered_at IS NOT NULL AND {NOTHING}
 ORDER BY g.answered_at DESC LIMIT {SHOWN}
"""  # noqa: S608 constants of this package
_HIS = f"""
WITH his AS (
  SELECT match_id, array_agg(seat ORDER BY seat) FILTER (WHERE seat IS NOT NULL) AS seats
    FROM (SELECT match_id, seat FROM lobby.seat WHERE person_id = $1
          UNION SELECT match_id, seat FROM lobby.token
                 WHERE person_id = $1 AND kind = 'seat' AND revoked_at IS NULL
          UNION SELECT match_id, NULL FROM lobby.match WHERE person_id = $1) AS places
   GROUP BY match_id
)
(SELECT s.*, {_SHOWN}, coalesce(his.seats, '{{}}') AS his
   FROM his JOIN lobby.match m USING (match_id) JOIN view.standings s USING (match_id)
  WHERE m.ended_at IS NULL AND NOT s.over AND NOT ({NOTHING}))
UNION ALL
(SELECT s.*, {_SHOWN}, coalesce(his.seats, '{{}}') AS his
   FROM his JOIN lobby.match m USING (match_id) JOIN view.standings s USING (match_id)
  WHERE m.ended_at IS NOT NULL OR s.over ORDER BY s.last_at DESC LIMIT {SHOWN})
"""  # noqa: S608 constants of this module


SAT = "EXISTS (SELECT FROM jsonb_array_elements(s.chairs) AS c(chair) WHERE c.chair ->> 'kind' <> '')"
"""SQL: whether somebody sits at a match, of which `s` is the standing: who challenges to it does so first."""

_TO_HIS = "challenged IN (SELECT id FROM people.person WHERE $1 IN (id, owner))"
_CHALLENGES = f"""
SELECT s.*, {_SHOWN}, c.word, c.made_at, c.answer, c.reply, b.handle AS by_handle, t.handle AS to_handle
  FROM (SELECT * FROM lobby.challenge WHERE {{which}}
         ORDER BY answer IS NOT NULL, made_at DESC LIMIT {SHOWN}) c
  JOIN people.person b ON b.id = c.challenger JOIN people.person t ON t.id = c.challenged
  JOIN lobby.match m USING (match_id) JOIN view.standings s USING (match_id)
 WHERE c.answer IS NOT NULL OR c.challenger = $1 OR m.ended_at IS NULL AND {SAT}
 ORDER BY c.answer IS NOT NULL, c.made_at DESC
"""  # noqa: S608 constants of this module


class Wish(Struct, frozen=True):
    """Which matches are asked for: in these states; of a title, at a pace, with these words, if given.

    With those that are open come those in play of which a seat is offered to others.
    """

    states: Collection[MatchState]
    title: str | None = None
    by_turns: bool | None = None
    words: str = ""
    """Part of a label, a player's name, a title or a scenario; in capital letters or not."""
    before: int | None = None
    """Only those that were last changed before then, in microseconds since the epoch."""


class Player(Struct, frozen=True):
    """Who sits on a seat, or is to: a name, and whether it is a bot that the server itself seats.

    `handle` is that of a person, empty for others, and for one who was erased or is hidden.
    """

    name: str
    bot: bool
    person: bool = False
    handle: str = ""


_players = json.Decoder(dict[int, Player])


class Listing:
    """The list of matches of this server."""

    def __init__(self, pool: Pool, presence: Callable[[UUID], tuple[int, int | None]]) -> None:
        """Take, last, a function that returns the seats present at a match, a bit each, and its onlookers."""
        self._pool, self._presence, self._terms = pool, presence, AllTerms()
        self._searches = Turns(1)

    async def matches(self, wish: Wish, address: Address) -> list[MatchInfo]:
        """Return the latest SHOWN of these matches, the latest first, for somebody at an address.

        A search looks at every match: one is made at a time, so that others are read. Raises what
        `Turns.turn` raises, Busy where a search has waited for LONGEST seconds.
        """
        turn = self._searches.turn(address, longest=LONGEST) if wish.words else contextlib.nullcontext()
        async with turn:
            return sorted(await self._read(wish), key=lambda one: -one.last)[:SHOWN]

    async def lively(self) -> list[MatchInfo]:
        """Return the latest SHOWN matches that are open, and the latest SHOWN in play, by one query."""
        return await self._read(Wish(LIVELY))

    async def of_person(self, person: UUID) -> list[tuple[MatchInfo, list[int]]]:
        """Return the matches of a person, private ones too, each with his seats; in no order.

        Of those that have ended the latest SHOWN. One that has no standing yet is not among them, nor one to
        which he challenged somebody in vain, unless others sit there.
        """
        async with connection(self._pool) as conn:
            rows: Sequence[Record] = await conn.fetch(_HIS, person)
            infos = await self._infos(conn, rows)
        return [(info, list(row["his"])) for info, row in zip(infos, rows, strict=True)]

    async def gone(self, person: UUID) -> list[UUID]:
        """Return the latest SHOWN matches to which a person challenged in vain, where nobody else sits."""
        async with connection(self._pool) as conn:
            return [row["match_id"] for row in await conn.fetch(_GONE, person)]

    async def challenges(self, person: UUID, *, waiting: bool = False) -> list[tuple[MatchInfo, Record]]:
        """Return the matches to which he was or has challenged, each with the challenge, open ones first.

        `waiting`: only those that wait for his answer, also for a bot of his.
        """
        which = f"{_TO_HIS} AND answer IS NULL" if waiting else "challenger = $1 OR challenged = $1"
        async with connection(self._pool) as conn:
            rows: Sequence[Record] = await conn.fetch(_CHALLENGES.format(which=which), person)
            infos = await self._infos(conn, rows)
        return list(zip(infos, rows, strict=True))

    async def one(self, standing: Standing) -> MatchInfo:
        """Return what is shown of one match, private or not, that stands as given."""
        async with connection(self._pool) as conn:
            row = await conn.fetchrow(_ONE, standing.match)
            terms = await self._terms.of(conn, [standing.match])
        if row is None:
            raise RequestError("no_match", "there is no such match")
        return self._info(row, standing, terms)

    async def _read(self, wish: Wish) -> list[MatchInfo]:
        query, values = _query(wish)
        async with connection(self._pool) as conn:
            rows: Sequence[Record] = await conn.fetch(query, *values)
            return await self._infos(conn, {row["match_id"]: row for row in rows}.values())

    async def _infos(self, conn: PooledConnection, rows: Collection[Record]) -> list[MatchInfo]:
        terms = await self._terms.of(conn, [row["match_id"] for row in rows])
        return [self._info(row, read_standing(row), terms) for row in rows]

    def _info(self, row: Record, standing: Standing, known: Mapping[UUID, Terms]) -> MatchInfo:
        present, onlookers = self._presence(standing.match)
        terms = known.get(standing.match, UNKNOWN)
        players = _players.decode(row["players"] or "{}")
        return MatchInfo(
            match=standing.match,
            title=standing.title,
            scenario=standing.scenario,
            label=row["label"],
            pace=row["pace"],
            by_turns=row["by_turns"],
            private=row["private"],
            imported=row["imported"],
            state="ended" if standing.over else "playing" if standing.started else "open",
            seats=[
                SeatInfo(
                    name=chair.name,
                    side=chair.side,
                    taken=cast("Kind | None", chair.kind or None),
                    player=players[seat].name if seat in players else "",
                    present=bool(present >> seat & 1),
                    handle=players[seat].handle if seat in players else "",
                )
                for seat, chair in enumerate(standing.chairs)
            ],
            joinable=vacant(standing) or (joinable(standing, players) if _may_be_joined(row) else []),
            asked=standing.asked,
            winner=standing.winner,
            reason=standing.reason,
            clock=terms.clock,
            chosen=terms.chosen,
            rated=row["rated"],
            persons=row["persons"]
            or row["rated"]
            or (bool(vacant(standing)) and any(player.person for player in players.values())),
            band=None if row["least"] is None else (row["least"], row["most"]),
            onlookers=onlookers,
            rematch=row["rematch"],
            paired=row["paired"],
            same_sides=row["same_sides"],
            created=standing.created,
            last=standing.last,
            facts=standing.facts,
        )


def _may_be_joined(row: Record) -> bool:
    return not (row["private"] or row["imported"] or row["withdrawn"]) and row["rematch_of"] is None


def joinable(standing: Standing, players: Mapping[int, Player]) -> list[int]:
    """Return the seats that are free for anybody, if the match is not private."""
    if standing.started or standing.over:
        return []
    return [
        seat
        for seat, chair in enumerate(standing.chairs)
        if not chair.kind and not (seat in players and players[seat].bot)
    ]


def vacant(standing: Standing) -> list[int]:
    """Return the seats that are offered to others while the match goes on, whether it is private or not."""
    return [] if standing.over else [seat for seat, chair in enumerate(standing.chairs) if chair.vacant]


def _query(wish: Wish) -> tuple[str, list[object]]:
    """Return a query and its values, without conditions for what is not asked for: so an index serves."""
    before = None if wish.before is None else _EPOCH + timedelta(microseconds=wish.before)
    given: dict[str, object] = {
        "s.title = {0}": wish.title,
        "m.by_turns = {0}": wish.by_turns,
        _FOUND: _pattern(wish.words) if wish.words else None,
        "{last} < {0}": before,
    }
    asked = {condition: value for condition, value in given.items() if value is not None}
    parts = []
    conditions = [(state, _STATES[state]) for state in sorted(wish.states)]
    for state, condition in [*conditions, *([("open", _VACANT)] if "open" in wish.states else [])]:
        last = "m.ended_at" if state == "ended" else "s.last_at"
        also = [text.format(f"${number}", last=last) for number, text in enumerate(asked, 1)]
        where = " AND ".join(["NOT m.private", condition, *also])
        parts.append(
            f"(SELECT s.*, {_SHOWN} FROM lobby.match m JOIN view.standings s USING (match_id)"  # noqa: S608
            f" WHERE {where} ORDER BY {last} DESC LIMIT {SHOWN})"  # constants of this module
        )
    return " UNION ALL ".join(parts), list(asked.values())


def _pattern(words: str) -> str:
    """Return words as a pattern of LIKE that finds them anywhere."""
    plain = words.replace("\\", r"\\").replace("%", r"\%").replace("_", " ").replace("-", " ")
    return f"%{plain}%"
