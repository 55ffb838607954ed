"""Tournaments as they are read: on lists, as a whole, and as a file.

The table of a tournament is worked out each time, from its pairings and from what the log says of their
matches. Names are those of now; who was erased is `someone`. Deliberately absent: who asks.
"""

import csv
import io
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from asyncpg import Record
from msgspec import json

from domain.kernel.seats import Clock
from domain.match.refusals import RequestError
from projections.ratings import PROVISIONAL
from server.lobby.seats import SOMEONE
from server.people.persons import micros
from server.postgres.database import Pool, connection
from server.protocol.results import Player
from server.protocol.tournaments import (
    EntrantInfo,
    MyTournament,
    PairingInfo,
    Placed,
    Predecessor,
    RoundInfo,
    RulingInfo,
    Tournament,
    TournamentInfo,
    Tournaments,
)
from server.tournaments.course import LATE, NO_SUCH, AnyConnection, Drawn, course, drawn

SHOWN: Final = 50
"""Tournaments that are over in one answer, and of a person."""

GOING: Final = 200
"""Tournaments that are open in one answer, and as many that are under way."""

RULINGS: Final = 200
"""Rulings of a tournament in one answer, the latest; in a file are all."""

PLAIN: Final = ("made", "entered", "left", "paired")
"""What is noted in the book and can be seen without it: in an answer it would take the place of rulings."""

_LATE: Final = f"make_interval(days => {LATE.days})"
_INFO: Final = f"""
t.*, d.handle AS d_handle, d.name AS d_name, d.owner IS NOT NULL AS d_bot,
(SELECT count(*) FROM people.entrant e WHERE e.tournament = t.id)::int AS entrants,
(SELECT coalesce(max(r.number), 0) FROM people.round r WHERE r.tournament = t.id)::int AS round,
CASE WHEN t.state = 'over' AND t.kind <> 'knock-out' AND log.now() < t.ended_at + {_LATE}
     THEN t.ended_at + {_LATE} END AS ruled_until,
w.person_id IS NOT NULL AS won, w.handle AS w_handle, w.name AS w_name, w.bot AS w_bot
"""  # noqa: S608 constants
_FROM: Final = """
people.tournament t JOIN people.person d ON d.id = t.director
  LEFT JOIN LATERAL (
    SELECT e.person_id, p.handle, p.name, p.owner IS NOT NULL AS bot, count(*) OVER () AS firsts
      FROM people.entrant e JOIN people.person p ON p.id = e.person_id
     WHERE e.tournament = t.id AND e.place = 1 LIMIT 1) w ON w.firsts = 1
"""
_ONE: Final = f"SELECT {_INFO} FROM {_FROM} WHERE t.id = $1"  # noqa: S608 constants of this module
_GOING: Final = f"""
SELECT {_INFO} FROM {_FROM} WHERE t.state = $1 ORDER BY t.made_at DESC, t.id LIMIT {GOING}
"""  # noqa: S608
_PAST: Final = f"""
SELECT {_INFO} FROM {_FROM} WHERE t.state IN ('over', 'called off') AND t.made_at < $1
 ORDER BY t.made_at DESC, t.id LIMIT {SHOWN + 1}
"""  # noqa: S608
_MINE: Final = f"""
SELECT {_INFO}, t.director = $1 AS directs, mine.number, i.person_id IS NOT NULL AS invited, i.place
  FROM {_FROM} LEFT JOIN people.entrant mine ON (mine.tournament, mine.person_id) = (t.id, $1)
  LEFT JOIN people.invitation i ON (i.tournament, i.person_id) = (t.id, $1)
 WHERE t.id IN (SELECT id FROM people.tournament WHERE director = $1
                UNION SELECT tournament FROM people.entrant WHERE person_id = $1
                UNION SELECT tournament FROM people.invitation WHERE person_id = $1)
 ORDER BY t.state IN ('over', 'called off'), t.made_at DESC, t.id LIMIT {GOING}
"""  # noqa: S608
_PLACED: Final = f"""
SELECT {_INFO}, mine.number, mine.place
  FROM {_FROM} JOIN people.entrant mine ON mine.tournament = t.id
  JOIN people.person p ON p.id = mine.person_id
 WHERE p.handle = $1 ORDER BY t.made_at DESC, t.id LIMIT {SHOWN}
"""  # noqa: S608
_ENTRANTS: Final = """
SELECT e.*, p.handle, p.name, p.owner IS NOT NULL AS bot, o.handle AS owner, r.rating, r.deviation
  FROM people.entrant e JOIN people.person p ON p.id = e.person_id
  LEFT JOIN people.person o ON o.id = p.owner
  LEFT JOIN view.rating r ON r.title = $2 AND r.subject = p.id::text
 WHERE e.tournament = $1 ORDER BY e.seed, e.number
"""
_BEFORE: Final = """
SELECT b.number, b.until, p.handle, p.name, p.owner IS NOT NULL AS bot
  FROM people.entrant_before b JOIN people.person p ON p.id = b.person_id
 WHERE b.tournament = $1 ORDER BY b.id
"""
_ROUNDS: Final = "SELECT number, paired_at, over_at FROM people.round WHERE tournament = $1 ORDER BY number"
_RULINGS: Final = """
SELECT g.*, p.handle FROM people.ruling g LEFT JOIN people.person p ON p.id = g.by
 WHERE g.tournament = $1 AND g.what <> ALL($2::text[]) ORDER BY g.id DESC LIMIT $3
"""
_WHY: Final = """
SELECT DISTINCT ON (pairing) pairing, reason FROM people.ruling
 WHERE tournament = $1 AND pairing IS NOT NULL ORDER BY pairing, id DESC
"""
_HEAD: Final = (
    "round",
    "pairing",
    "first",
    "second",
    "points of first",
    "points of second",
    "how",
    "reason",
    "counts",
    "match",
)


class Reading:
    """The tournaments of a node's database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def all(self, before: datetime) -> Tournaments:
        """Return those that are open or under way, and the latest of the others made before a time."""
        async with connection(self._pool) as conn:
            return await listed(conn, before)

    async def one(self, tournament: UUID, *, book: bool = False) -> Tournament:
        """Return a tournament as a whole, with its whole `book` for a file. Raises RequestError."""
        async with (
            connection(self._pool) as conn,
            conn.transaction(isolation="repeatable_read", readonly=True),
        ):
            return await read(conn, tournament, book=book)

    async def mine(self, person: UUID) -> list[MyTournament]:
        """Return what a person directs, has entered, or is invited to."""
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_MINE, person)
        return [
            MyTournament(_info(row), row["directs"], row["number"], row["invited"], row["place"])
            for row in rows
        ]

    async def of(self, handle: str) -> list[Placed]:
        """Return the tournaments of a person or bot, the latest first."""
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_PLACED, handle)
        return [Placed(_info(row), row["number"], row["place"]) for row in rows]


async def listed(conn: AnyConnection, before: datetime) -> Tournaments:
    """Return those that are open or under way, and the latest of the others made before a time."""
    open_, going = await conn.fetch(_GOING, "open"), await conn.fetch(_GOING, "under way")
    past = await conn.fetch(_PAST, before)
    return Tournaments([_info(row) for row in [*open_, *going, *past[:SHOWN]]], len(past) > SHOWN)


async def read(conn: AnyConnection, tournament: UUID, *, book: bool) -> Tournament:
    """Return a tournament as a whole: with all of its book, or what is shown of it. Raises RequestError."""
    row = await conn.fetchrow(_ONE, tournament)
    if row is None:
        raise RequestError("no_page", NO_SUCH)
    pairings = await drawn(conn, tournament)
    now = await course(conn, row, pairings)
    void = now.void()
    rulings = await conn.fetch(_RULINGS, tournament, () if book else PLAIN, None if book else RULINGS)
    why = {one["pairing"]: one["reason"] for one in await conn.fetch(_WHY, tournament)}
    return Tournament(
        _info(row),
        await _entrants(conn, row),
        [
            RoundInfo(
                one["number"],
                micros(one["paired_at"]),
                _micros(one["over_at"]),
                [_pairing(p, why, void) for p in pairings if p.result.round == one["number"]],
            )
            for one in await conn.fetch(_ROUNDS, tournament)
        ],
        now.table(),
        [
            RulingInfo(
                micros(one["at"]), one["handle"], one["what"], one["entrant"], one["pairing"], one["reason"]
            )
            for one in rulings
        ],
    )


def as_csv(one: Tournament) -> bytes:
    """Return the pairings of a tournament as a table: a line each, by names."""
    names = {entrant.number: _plain(entrant.player) for entrant in one.entrants}
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(_HEAD)
    for part in one.rounds:
        for pair in part.pairings:
            lines.writerow(
                (
                    part.number,
                    pair.number,
                    names[pair.first],
                    "" if pair.second is None else names[pair.second],
                    "" if pair.points is None else pair.points,
                    "" if pair.second_points is None else pair.second_points,
                    pair.how or "",
                    _text(pair.reason),
                    "yes" if pair.counts else "no",
                    pair.match or "",
                )
            )
    return text.getvalue().encode()


def _plain(player: Player) -> str:
    return player.handle or player.name


def _text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text


async def _entrants(conn: AnyConnection, row: Record) -> list[EntrantInfo]:
    before: dict[int, list[Predecessor]] = {}
    for one in await conn.fetch(_BEFORE, row["id"]):
        before.setdefault(one["number"], []).append(Predecessor(_player(one), one["until"]))
    return [
        EntrantInfo(
            one["number"],
            _player(one),
            one["owner"],
            None if one["rating"] is None else round(one["rating"]),
            one["deviation"] is None or one["deviation"] >= PROVISIONAL,
            micros(one["entered_at"]),
            one["late"],
            _micros(one["withdrawn_at"]),
            before.get(one["number"], []),
        )
        for one in await conn.fetch(_ENTRANTS, row["id"], row["title"])
    ]


def _pairing(one: Drawn, why: Mapping[int, str], void: frozenset[int]) -> PairingInfo:
    result = one.result
    ruled = result.how not in (None, "played")
    over = one.over or ruled
    return PairingInfo(
        result.number,
        result.first,
        result.second,
        one.match,
        "over" if over else "playing" if one.started else "waiting",
        result.points,
        result.second_points,
        result.how,
        why.get(result.number, "") if ruled else one.ended,
        result.number not in void,
    )


def _info(row: Record) -> TournamentInfo:
    values: dict[str, Any] = dict(row.items())
    clock = values["clock"]
    return TournamentInfo(
        id=values["id"],
        name=values["name"],
        about=values["about"],
        title=values["title"],
        scenario=values["scenario"],
        options=json.decode(values["options"]),
        clock=None if clock is None else json.decode(clock, type=Clock),
        by_turns=values["by_turns"],
        kind=values["kind"],
        rounds=values["rounds"],
        rated=values["rated"],
        open=values["open"],
        bots=values["bots"],
        by_itself=values["by_itself"],
        most=values["most"],
        director=_named(row["d_handle"], row["d_name"], bot=row["d_bot"]),
        state=values["state"],
        made=micros(values["made_at"]),
        started=_micros(values["started_at"]),
        ended=_micros(values["ended_at"]),
        ruled_until=_micros(values["ruled_until"]),
        entrants=values["entrants"],
        round=values["round"],
        winner=_named(row["w_handle"], row["w_name"], bot=row["w_bot"]) if values["won"] else None,
    )


def _player(row: Record) -> Player:
    return _named(row["handle"], row["name"], bot=row["bot"])


def _named(handle: str | None, name: str, *, bot: bool) -> Player:
    if handle is None:
        return Player(SOMEONE, None, "bot" if bot else "person")
    return Player(name or handle, handle, "bot" if bot else "person")


def _micros(at: datetime | None) -> int | None:
    return None if at is None else micros(at)
