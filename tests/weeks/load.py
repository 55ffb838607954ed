"""`make bench-weeks`: a node with many persons and matches by turns, with its notices and without.

The promise: 10,000 persons, 50,000 matches, 2,000 turns an hour on one node; what is due is told within a
minute, and the p99 of decisions is within a fifth of without. Measured is the whole path: a player connects,
says hello by his link, decides until he is asked no longer, and goes; a minute later whom he has left to
decide is told, by a mail server, a push service or a webhook, which take what comes over SMTP and TLS. Times
are taken in turns, without and with, with and without, so that what the machine does besides falls on both
alike. An hour's turns may be squeezed into less time, which asks more of the node than was promised.

Receivers (`tests.weeks.apart`), players and Postgres share the machine with the node, and its cores, but no
process. Deliberately absent: clients that watch, and what is pushed being opened (`tests.weeks.desk`).
"""

import asyncio
import os
import random
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import UUID

import asyncpg
from msgspec import Struct

from clients import bots
from clients.client import Client
from clients.links import Place
from clients.player import next_decisions
from domain.midway import MIDWAY
from server.bench import Result, Say, share
from server.bench.scratch import engine, scratch
from server.lobby.tokens import read_token
from server.log.store import PostgresReader
from server.postgres.database import Connection, Database, connection, opened
from server.proof import keys
from server.settings import Settings
from tests.weeks.apart import apart
from tests.weeks.demo import CLOCK
from tests.weeks.filled import Template, as_told, fill_matches, fill_persons, link_of
from tests.weeks.node import Node, node
from tests.weeks.player import Player

ORDER: Final = (False, True, True, False)
"""Whether notices are on, time by time."""

MINUTE: Final = 60.0
"""Seconds within which what is due is told."""

WITHIN: Final = 1.2
"""By how much the p99 of decisions may be more with notices than without."""

START: Final = 10.0
"""Seconds within which a node that starts serves, and has set all clocks in which something is due."""

PATIENCE: Final = 3600.0
"""Seconds within which a node has taken in all that was put into its database."""

_ASKED: Final = "SELECT match_id, seat FROM view.turn WHERE match_id = ANY($1)"
_AGES: Final = """
SELECT extract(epoch FROM told.at - o.due - off.lasted)::float8 AS age, o.outcome
  FROM people.outbox o CROSS JOIN LATERAL (SELECT coalesce(o.sent_at, log.now()) AS at) told
 CROSS JOIN LATERAL (
  SELECT coalesce(sum(least(told.at, until) - greatest(o.due, since)), '0') AS lasted
    FROM unnest($2::timestamptz[], $3::timestamptz[]) AS off(since, until)
   WHERE since < told.at AND until > o.due) off
 WHERE o.kind = 'turn' AND o.made_at >= $1 AND o.due <= log.now()
"""  # without the times in which notices were switched off, when nobody could have told them
_INSTANT: Final = "SELECT log.now()"
_LEFT: Final = "SELECT count(*) FROM people.outbox WHERE outcome IS NULL AND due <= log.now()"
_SHIFT: Final = "UPDATE log.clock SET shift = shift + interval '61 seconds'"


class Scale(Struct, frozen=True):
    """How much is measured: an hour's `turns` within `squeezed` seconds, for `seconds` each time."""

    persons: int = 10_000
    matches: int = 50_000
    turns: int = 2_000
    squeezed: float = 3600.0
    seconds: float = 150.0
    moved: bool = False
    """Whether the clock is put a minute ahead behind the last turn, for which no time is long enough."""


class Measured(Struct):
    """What was measured: milliseconds of decisions by whether notices were on, ages in seconds, bytes."""

    decisions: dict[bool, list[float]]
    turns: int = 0
    ages: list[float] = []
    told: int = 0
    untold: int = 0
    start: float = 0.0
    """Seconds in which a node started that found all matches there, until all clocks were set."""
    memory: tuple[float, float] = (0.0, 0.0)
    """Of the node, before the first match was put in and at the end."""


async def measure(scale: Scale, folder: Path, say: Say) -> Measured:
    """Fill a database of its own, let turns be played, and return what was measured."""
    async with engine(folder / "postgres") as running, scratch(running, "weeks") as dsn:
        return await measure_on(dsn, scale, folder, say)


async def measure_on(dsn: str, scale: Scale, folder: Path, say: Say) -> Measured:
    """Do it on a database in which nobody has played."""
    owner = await asyncpg.connect(dsn)
    await owner.execute("UPDATE log.clock SET trial = true")
    await asyncio.to_thread(keys.generate, folder / "keys")
    found = Measured({False: [], True: []})
    async with apart(folder / "desk") as at, opened(dsn) as database:
        settings = Settings(
            database_url=dsn,
            keys_file=folder / "keys",
            data=folder,
            port=0,
            mail=at.server,
            mail_from="notices@fleet.example",
            notices_to_loopback=True,
            drain_seconds=0,
        )
        async with node(settings) as one:
            ring = keys.find_ring(file=folder / "keys")
            template = await _template(one, database, ring, folder)
            before = await one.ask("weigh")
            say(f"making {scale.persons:,} persons")
            people = await fill_persons(database, ring, at, scale.persons)
            say(f"putting in {scale.matches:,} matches of {len(template.entries)} facts")
            now = await _now(owner)
            matches = await fill_matches(dsn, ring, template, people, scale.matches, now)
            say("the node takes them in: projections")
            await _none_left(one, "behind")
            say("the node takes them in: clocks")
            await _none_left(one, "unset")
            say("what is due by now is put in, and noted as told")
            await as_told(dsn, database)
            random.shuffle(matches)
        say("the node starts again")
        began = time.perf_counter()
        async with node(settings) as one:
            await _none_left(one, "unset")
            found.start = time.perf_counter() - began
            await _times(one, owner, scale, matches, found, say)
            found.memory = before, await one.ask("weigh")
        say(f"{await at.taken()} notices were taken")
    await owner.close()
    return found


async def _template(one: Node, database: Database, ring: keys.KeyRing, folder: Path) -> Template:
    """Let two persons begin a match, and return it."""
    both = [Player(one.url, handle, seat, folder / handle) for seat, handle in enumerate(("ann", "bob"))]
    for player in both:
        await player.browser.sign_up(player.handle)
    maker, taker = both
    match = await maker.offer(
        title=MIDWAY.name, scenario="duel", clock=CLOCK, by_turns=True, rated=True, persons=True
    )
    await _none_left(one, "behind")
    await taker.find(title=MIDWAY.name, rated=True, by_turns=True)
    await maker.begin()
    log = PostgresReader(database.play)
    async with connection(database.http) as conn:
        ids = {row["handle"]: row["id"] for row in await conn.fetch("SELECT id, handle FROM people.person")}
    tokens = [read_token(player.place.token) for player in both if player.place is not None]
    key = ring.open(match, await log.sealed_key(match) or b"")
    found = (ids[maker.handle], ids[taker.handle])
    return Template(await log.read_everything(match), key, found, (tokens[0], tokens[1]))


async def _now(owner: Connection) -> int:
    now: int = await owner.fetchval("SELECT (extract(epoch FROM log.now()) * 1000000)::bigint")
    return now


async def _none_left(one: Node, what: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while await one.ask(what):
            await asyncio.sleep(0.1)


async def _times(
    one: Node, owner: Connection, scale: Scale, matches: list[UUID], found: Measured, say: Say
) -> None:
    """Play turns, without notices and with them, and see how long what was due has waited."""
    asked = {row["match_id"]: row["seat"] for row in await owner.fetch(_ASKED, matches)}
    began = await owner.fetchval(_INSTANT)
    rate = scale.turns / scale.squeezed
    switched: dict[bool, list[datetime]] = {True: [], False: []}
    for on in ORDER:
        say(f"{scale.seconds:.0f} s of turns, {rate:.1f} a second, {'with' if on else 'without'} notices")
        await _switch(one, owner, switched, on=on)
        some = [
            (match, asked[match]) for match in (matches.pop() for _ in range(round(rate * scale.seconds)))
        ]
        found.decisions[on] += await _turns(one.url, some, rate)
        found.turns += len(some)
    await _switch(one, owner, switched, on=True)
    say("what is left is told")
    if scale.moved:
        await owner.execute(_SHIFT)
        await one.ask("measure")
    else:
        await asyncio.sleep(MINUTE + 1)  # until the last turn is due
    off = [switched[False], switched[True]]
    rows, before = await owner.fetch(_AGES, began, *off), -1
    async with asyncio.timeout(PATIENCE):
        while not rows or len(rows) != before or await owner.fetchval(_LEFT):
            await asyncio.sleep(3)  # as long as something new is found and told
            before, rows = len(rows), await owner.fetch(_AGES, began, *off)
    found.ages = [row["age"] for row in rows if row["outcome"] == "sent"]
    found.told, found.untold = len(found.ages), sum(row["outcome"] not in ("sent", "stale") for row in rows)


async def _switch(one: Node, owner: Connection, switched: dict[bool, list[datetime]], *, on: bool) -> None:
    """Switch notices on or off, and note since when they are, unless they are already."""
    await one.ask("on" if on else "off")
    if len(switched[False]) - len(switched[True]) != (not on):
        switched[on].append(await owner.fetchval(_INSTANT))


async def _turns(url: str, some: Sequence[tuple[UUID, int]], rate: float) -> list[float]:
    """Play a turn of each, so many begun a second; return the milliseconds of all decisions."""
    milliseconds: list[float] = []
    loop = asyncio.get_running_loop()
    first = loop.time()
    async with asyncio.TaskGroup() as group:
        for number, (match, seat) in enumerate(some):
            await asyncio.sleep(first + number / rate - loop.time())
            group.create_task(_turn(url, match, seat, milliseconds))
    return milliseconds


async def _turn(url: str, match: UUID, seat: int, milliseconds: list[float]) -> None:
    choose = list(bots.strengths(MIDWAY.name).values())[-1]
    async with Client(Place(url, match, link_of(match, seat))) as client, asyncio.timeout(MINUTE):
        while client.prompt is not None and not client.over:
            at = client.upto
            chosen = await next_decisions(client, client.prompt, choose, random.Random())
            began = time.perf_counter()
            seq = (await client.decide_all(chosen, at)).seq
            milliseconds.append((time.perf_counter() - began) * 1000)
            await client.wait(lambda seq=seq: client.over or client.upto >= seq)  # type: ignore[misc]


def results(found: Measured) -> list[Result]:
    """Write what was measured as ratios, of which more is better."""
    rows = []
    for name, part in (("p50", 0.5), ("p99", 0.99), ("at most", 1.0)):
        age = share(found.ages, part)
        keep = 1.0 if part == 1.0 else None
        rows.append(
            Result(f"outbox age, {name}", age, "s", f"limit {MINUTE:.0f}", MINUTE / max(age, 0.01), keep)
        )
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        without, having = (share(found.decisions[on], part) for on in (False, True))
        keep = 1 / WITHIN if part == 0.99 else None
        text = f"without {without:.1f}"
        rows.append(Result(f"decisions with notices, {name}", having, "ms", text, without / having, keep))
    told = found.told / max(1, found.told + found.untold)
    before, after = (size / 2**20 for size in found.memory)
    return [
        *rows,
        Result("told, of what was due", found.told, "notices", "all", told, 1.0),
        Result(
            "a start with these matches", found.start, "s", f"limit {START:.0f}", START / found.start, 1.0
        ),
        Result("memory of the node", after, "MiB", f"empty {before:.0f}", before / after),
    ]


def words(scale: Scale, found: Measured) -> str:
    """Say what was asked of the node, and what else the machine did at the end."""
    decisions = sum(map(len, found.decisions.values()))
    return (
        f"{scale.persons:,} persons, {scale.matches:,} matches by turns in play; {found.turns:,} turns with "
        f"{decisions:,} decisions, at {scale.turns:,} turns in {scale.squeezed:.0f} s, half of them with "
        f"notices. {os.cpu_count()} cores, of which {os.getloadavg()[0]:.1f} were wanted in the last minute."
    )
