"""The history check: whatever breaks, the log is what its writers were told.

`violations` compares what writers saw with the log and the feed; every check is linear in the history.
`watched` compares what a watcher got with what it may see. `play` makes a history: writers in processes of
their own append to a dozen matches, all of them to all, while the nemesis kills writers and Postgres.

A writer process, which `play` starts: `python -m tests.server.history URL FILE SEED MATCH…`. It writes what
it does into FILE, a line at a time, so that nothing is lost when it is killed.
"""

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import msgspec
from msgspec import Struct

from domain.kernel.audience import VIEWERS, Audience
from domain.match.chain import ZERO, Draft, Entry, check, seal
from server.log.store import Busy, Moved, PostgresLog, Repeated, Stored, Unavailable
from server.postgres.database import Database, apply, connect, connection
from server.postgres.embedded import Embedded

ROOT = Path(__file__).parents[2]
K_SALT = bytes.fromhex("5a" * 32)

WRITERS = 4
LANES = 4
MATCHES = 12
BUSY = 300
"""Answers that a history has to have more of: one in which little happened proves little."""
LATEST = 6
"""So many times as long as was meant a history may take to come to them, on a busy machine."""
THROWN_AWAY = 0.05
"""The share of answers that a writer takes for lost, and looks up."""


class Invoked(Struct, frozen=True, tag=True):
    """A writer is about to send a command. Times are nanoseconds of one monotonic clock for all processes."""

    match: UUID
    command: UUID
    time: int


class Acknowledged(Struct, frozen=True, tag=True):
    """A writer was told that its command is stored at these seqs, and the hash of its last fact."""

    match: UUID
    command: UUID
    time: int
    seqs: tuple[int, ...]
    hash: bytes


class Refused(Struct, frozen=True, tag=True):
    """A writer was told that its command is not stored, and does not send it again."""

    match: UUID
    command: UUID
    time: int


Event = Invoked | Acknowledged | Refused
Log = Mapping[UUID, Sequence[Entry]]
Feed = Sequence[tuple[UUID, int]]


class Content(Struct, frozen=True):
    """The body of a fact: how many facts its command has."""

    of: int


class History(Struct):
    """What happened, and how much of it."""

    events: list[Event]
    log: dict[UUID, list[Entry]]
    feed: list[tuple[UUID, int]]
    kills: int = 0
    crashes: int = 0


def violations(events: Iterable[Event], log: Log, feed: Feed) -> list[str]:
    """Name everything in a history that must not be, in the order of platform.md's (1) to (5)."""
    events = list(events)
    return [*_told(events, log), *_chained(log), *_whole(log), *_in_real_time(events, log), *_fed(log, feed)]


def _told(events: Iterable[Event], log: Log) -> list[str]:
    """(1) What was acknowledged is there once, as it was acknowledged; what was refused is not there."""
    found: list[str] = []
    commands = _commands(log)
    for event in events:
        there = commands.get((event.match, event.command), [])
        if isinstance(event, Acknowledged):
            if event.seqs != tuple(entry.seq for entry in there):
                found.append(f"acknowledged at {event.seqs}, not there: {event.command} of {event.match}")
            elif event.hash != there[-1].hash:
                found.append(f"acknowledged with another hash: {event.command} of {event.match}")
        elif isinstance(event, Refused) and there:
            found.append(f"refused, yet there: {event.command} of {event.match}")
    return found


def _chained(log: Log) -> list[str]:
    """(2) Facts 1 to n without a gap, each linked to the one before."""
    faults = ((match, check(entries, K_SALT)) for match, entries in log.items())
    return [f"fact {fault.seq} {fault.why}: {match}" for match, fault in faults if fault]


def _whole(log: Log) -> list[str]:
    """(3) Of each command all facts, side by side."""
    found = []
    for (match, command), there in _commands(log).items():
        places = [(entry.seq - there[0].seq, entry.index) for entry in there]
        wanted = msgspec.json.decode(there[0].body, type=Content).of
        if places != [(index, index) for index in range(wanted)]:
            found.append(f"not whole: {command} of {match}")
    return found


def _in_real_time(events: Iterable[Event], log: Log) -> list[str]:
    """(4) What was acknowledged before another was begun is earlier in the log.

    Going backwards, it is enough to remember the earliest acknowledgement so far.
    """
    invoked: dict[tuple[UUID, UUID], int] = {}
    told: dict[tuple[UUID, UUID], int] = {}
    for event in events:
        if not isinstance(event, Refused):
            times = invoked if isinstance(event, Invoked) else told
            times.setdefault((event.match, event.command), event.time)
    found = []
    for match, entries in log.items():
        earliest: float = float("inf")
        for entry in reversed(entries):
            name = (match, entry.command)
            if entry.index:
                continue
            if name not in invoked:
                found.append(f"sent by nobody: {entry.command} of {match}")
            elif earliest < invoked[name]:
                found.append(f"begun after a later one was acknowledged: {entry.command} of {match}")
            earliest = min(earliest, told.get(name, earliest))
    return found


def _fed(log: Log, feed: Feed) -> list[str]:
    """(5) The feed is the log, once, and of each match in its order."""
    seen: dict[UUID, list[int]] = {}
    for match, seq in feed:
        seen.setdefault(match, []).append(seq)
    found = []
    for match in {**log, **seen}:
        wanted = [entry.seq for entry in log.get(match, ())]
        got = seen.get(match, [])
        if wanted != got:
            place = next(
                (n for n, pair in enumerate(zip(wanted, got, strict=False)) if pair[0] != pair[1]), None
            )
            at = min(len(wanted), len(got)) if place is None else place
            found.append(f"the feed differs from the log at its fact {at + 1} of {match}")
    return found


def _commands(log: Log) -> dict[tuple[UUID, UUID], list[Entry]]:
    commands: dict[tuple[UUID, UUID], list[Entry]] = {}
    for match, entries in log.items():
        for entry in entries:
            commands.setdefault((match, entry.command), []).append(entry)
    return commands


Range = tuple[int, int, Sequence[int]]
"""What a watcher got at once: `after`, `upto`, and the seqs of the facts shown."""


def watched(ranges: Iterable[Range], visible: Collection[int], start: int = 0) -> list[str]:
    """(6) A watcher's ranges join up from `start` and show exactly what its audience may see of them."""
    found = []
    for after, upto, seqs in ranges:
        if after != start:
            found.append(f"range {after} to {upto} does not join on to {start}")
        if upto < after:
            found.append(f"range {after} to {upto} goes backwards")
        if hidden := [seq for seq in seqs if seq not in visible]:
            found.append(f"range {after} to {upto} shows hidden {hidden}")
        if sorted(set(seqs)) != list(seqs) or any(not after < seq <= upto for seq in seqs):
            found.append(f"range {after} to {upto} shows {list(seqs)}: out of order, twice or not of it")
        if missing := [seq for seq in range(after + 1, upto + 1) if seq in visible and seq not in set(seqs)]:
            found.append(f"range {after} to {upto} lacks {missing}")
        start = upto
    return found


# The play


async def play(engine: Embedded, folder: Path, seconds: float, seed: int) -> History:
    """Let writers write for so long while the nemesis is at work; then gather what happened."""
    chance = random.Random(seed)
    await apply(engine.dsn)
    database = await connect(engine.dsn)
    matches = [uuid4() for _ in range(MATCHES)]
    history = History([], {}, [])
    writers = Writers(engine.dsn, folder, matches, chance)
    reading = asyncio.create_task(follow(database, history.feed, await there(database)))
    try:
        for _ in range(WRITERS):
            await writers.start()
        await nemesis(engine, writers, history, seconds, chance)
        await writers.kill_all()
        await gather(engine, database, matches, folder, history)
    finally:
        await writers.kill_all()
        reading.cancel()
        await asyncio.wait([reading])
        await database.close()
    return history


class Writers:
    """Processes that write."""

    def __init__(self, dsn: str, folder: Path, matches: Sequence[UUID], chance: random.Random) -> None:
        self.dsn = dsn
        self.folder = folder
        self.matches = matches
        self.chance = chance
        self.running: list[asyncio.subprocess.Process] = []
        self.started = 0

    async def start(self) -> None:
        self.started += 1
        file = self.folder / f"writer-{self.started}"
        arguments = [self.dsn, str(file), str(self.chance.getrandbits(32)), *map(str, self.matches)]
        self.running.append(
            await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.server.history", *arguments, cwd=ROOT
            )
        )

    def acknowledged(self) -> int:
        """How much they were told is stored."""
        mark = f'"{Acknowledged.__name__}"'.encode()
        return sum(file.read_bytes().count(mark) for file in self.folder.glob("writer-*"))

    async def kill_one(self) -> None:
        """End one without a word."""
        victim = self.running.pop(self.chance.randrange(len(self.running)))
        assert victim.returncode is None, "a writer has ended by itself"
        victim.kill()
        await victim.wait()

    async def kill_all(self) -> None:
        while self.running:
            await self.kill_one()


async def nemesis(
    engine: Embedded, writers: Writers, history: History, seconds: float, chance: random.Random
) -> None:
    """Kill a writer about every second, Postgres about every seven.

    It goes on until enough was written in between, but no longer than `LATEST` times the seconds.
    """
    began = time.monotonic()
    crash = time.monotonic() + chance.uniform(2, 6)
    while (took := time.monotonic() - began) < seconds or (
        took < LATEST * seconds and (writers.acknowledged() <= BUSY or not history.crashes)
    ):
        await asyncio.sleep(chance.uniform(0.3, 1.5))
        await writers.kill_one()
        history.kills += 1
        await writers.start()
        if time.monotonic() > crash and engine.pid:
            os.kill(engine.pid, chance.choice([signal.SIGQUIT, signal.SIGKILL]))
            history.crashes += 1
            crash = time.monotonic() + chance.uniform(5, 9)


# `f.xid`, or the order would be that of the text.
FEED = """
SELECT f.xid::text, f.match_id, f.seq FROM log.fact f
 WHERE (f.xid, f.match_id, f.seq) > ($1::text::xid8, $2, $3)
   AND f.xid < pg_snapshot_xmin(pg_current_snapshot())
 ORDER BY f.xid, f.match_id, f.seq LIMIT 5000
"""


async def there(database: Database) -> set[UUID]:
    """Find the matches of earlier rounds on the same Postgres."""
    async with connection(database.projector) as conn:
        return {row["match_id"] for row in await conn.fetch("SELECT DISTINCT match_id FROM log.fact")}


async def follow(database: Database, feed: list[tuple[UUID, int]], earlier: Collection[UUID]) -> None:
    """Read the feed as projections do, through every crash; leave out the matches of earlier rounds."""
    cursor: tuple[str, UUID, int] = ("0", UUID(int=0), 0)
    while True:
        with contextlib.suppress(Exception):
            async with connection(database.projector) as conn:
                while rows := await conn.fetch(FEED, *cursor):
                    feed += [(row["match_id"], row["seq"]) for row in rows if row["match_id"] not in earlier]
                    cursor = tuple(rows[-1])
        await asyncio.sleep(0.05)


async def gather(
    engine: Embedded, database: Database, matches: Iterable[UUID], folder: Path, history: History
) -> None:
    """Read the log and what the writers wrote; wait for the feed to come to its end."""
    await end_sessions(engine)
    log = PostgresLog(database, deadline=30)
    for match in matches:
        history.log[match] = await log.read_everything(match)
    await log.close()
    total = sum(map(len, history.log.values()))
    async with asyncio.timeout(30):
        while len(history.feed) < total:
            await asyncio.sleep(0.05)
    decoder = msgspec.json.Decoder(Event)
    for file in sorted(folder.glob("writer-*")):
        history.events += decoder.decode_lines(file.read_bytes())


async def end_sessions(engine: Embedded) -> None:
    """End all sessions and wait until they are gone: a killed writer's may still be at work."""
    while True:
        with contextlib.suppress(Exception):  # it may be starting after a crash
            conn = await asyncpg.connect(engine.dsn)
            break
        await asyncio.sleep(0.1)
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    pids = [row["pid"] for row in await conn.fetch(f"SELECT pid FROM pg_stat_activity WHERE {others}")]
    await conn.fetch("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS s(pid)", pids)
    while await conn.fetchval("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY($1::int[])", pids):
        await asyncio.sleep(0.02)
    await conn.close()


# The writer


async def write(dsn: str, file: Path, seed: int, matches: Sequence[UUID]) -> None:
    """Write until killed."""
    encoder = msgspec.json.Encoder()
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def say(event: Event) -> None:
        os.write(handle, encoder.encode(event) + b"\n")

    log = PostgresLog(await connected(dsn))
    await asyncio.gather(*(lane(log, matches, random.Random(seed + number), say) for number in range(LANES)))


async def connected(dsn: str) -> Database:
    """Connect as soon as Postgres lets us."""
    while True:
        try:
            return await connect(dsn)
        except Exception:  # whatever a crash makes of it
            await asyncio.sleep(0.1)


async def lane(
    log: PostgresLog, matches: Sequence[UUID], chance: random.Random, say: Callable[[Event], None]
) -> None:
    """One writer: a command after the other, to any match."""
    heads: dict[UUID, tuple[int, bytes, int]] = {}
    while True:
        match, command = chance.choice(matches), uuid4()
        facts = drafts(chance)
        say(Invoked(match, command, time.monotonic_ns()))
        for _ in range(3):
            after, prev, at = heads.get(match, (0, ZERO, 0))
            entries = seal(match, command, max(at, time.time_ns() // 1000), after, prev, facts, K_SALT)
            there = await told(log, entries, prev, lost=chance.random() < THROWN_AWAY)
            if there:
                seqs = tuple(entry.seq for entry in there)
                say(Acknowledged(match, command, time.monotonic_ns(), seqs, there[-1].hash))
                heads[match] = (there[-1].seq, there[-1].hash, there[-1].at)
                break
            heads[match] = await head(log, match, heads.get(match))
        else:
            say(Refused(match, command, time.monotonic_ns()))


def drafts(chance: random.Random) -> list[Draft]:
    """One to three facts for any audience."""
    count = chance.randint(1, 3)
    body = msgspec.json.encode(Content(count))
    return [("Happened", 1, chance.choice(ANY), False, body) for _ in range(count)]


ANY = (*VIEWERS, Audience.ALL, Audience.UMPIRE)


async def told(log: PostgresLog, entries: Sequence[Entry], prev: bytes, *, lost: bool) -> Sequence[Entry]:
    """Send a command until the log says what became of it; the entries stored, or none."""
    while True:
        try:
            answer = await log.append(entries, prev)
            if lost:
                return await log.stored(entries[0].match, entries[0].command)
        except (Busy, Unavailable):
            await asyncio.sleep(0.05)
            continue
        match answer:
            case Stored():
                return entries
            case Repeated(there):
                return there
            case Moved():
                return ()


async def head(log: PostgresLog, match: UUID, known: tuple[int, bytes, int] | None) -> tuple[int, bytes, int]:
    """Read on to the head of a match: its seq, hash and time."""
    known = known or (0, ZERO, 0)
    while True:
        try:
            rest = await log.read_everything(match, known[0])
        except Unavailable:
            continue
        return (rest[-1].seq, rest[-1].hash, rest[-1].at) if rest else known


if __name__ == "__main__":
    url, path, number, *names = sys.argv[1:]
    asyncio.run(write(url, Path(path), int(number), [UUID(name) for name in names]))
