"""The history check of a trial, as platform.md numbers it, and besides what real rules make possible.

(1) to (6) are those of `tests.server.history`. (3), that commands are whole, is held by deciding every one of
them again. What whole clients saw last is compared with the fold of the log.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from msgspec import Struct, json

from domain.kernel.audience import Audience
from domain.match.adjudicate import readjudicate
from domain.match.chain import Entry, check
from projections import views
from server.log.store import PostgresLog
from server.postgres.database import Database
from server.proof import keys
from tests.cluster.load import Book, Seen
from tests.server import history
from tests.server.history import Acknowledged, Invoked, Refused

GATHER = 60.0
"""Seconds within which the log can be read and the feed comes to its end, once nothing is broken any more."""


class Logged(Struct):
    """The log of all matches that were played, their salts, and the feed."""

    entries: dict[UUID, list[Entry]] = {}
    salts: dict[UUID, bytes] = {}
    feed: list[tuple[UUID, int]] = []


async def gathered(
    database: Database, ring: keys.KeyRing, matches: Iterable[UUID], feed: list[tuple[UUID, int]]
) -> Logged:
    """Read the log, and wait until the feed has come to its end."""
    found, log = Logged(feed=feed), PostgresLog(database, deadline=GATHER)
    for match in matches:
        found.entries[match] = await log.read_everything(match)
        sealed = await log.sealed_key(match)
        assert sealed is not None
        found.salts[match] = keys.salt_key(ring.open(match, sealed))
    await log.close()
    total = sum(map(len, found.entries.values()))
    with contextlib.suppress(TimeoutError):  # then the check says where it ends
        async with asyncio.timeout(GATHER):
            while len(feed) < total:
                await asyncio.sleep(0.05)
    return found


def violations(book: Book, logged: Logged) -> list[str]:
    """Name everything that must not be."""
    again = [
        fault
        for match, entries in logged.entries.items()
        for fault in decided_otherwise(book, match, entries)
    ]
    return [*as_logged(book, logged), *again, *as_seen(book, logged), *seen_otherwise(book, logged)]


def as_logged(book: Book, logged: Logged) -> list[str]:
    """(1), (2), (4) and (5): the log is what its writers were told, and the feed is the log."""
    log = logged.entries
    return [
        *told(book.events, log),
        *chained(logged),
        *history._in_real_time([*book.events, *others(book.events, log)], log),
        *history._fed(log, logged.feed),
    ]


def as_seen(book: Book, logged: Logged) -> list[str]:
    """(6) Onlookers were shown what they may see, and all of it."""
    log = logged.entries
    return [*book.faults, *(fault for match in log for fault in shown(book, match, log[match]))]


def told(events: Iterable[history.Event], log: Mapping[UUID, Sequence[Entry]]) -> Iterator[str]:
    """(1) What was acknowledged is there once, with its last fact as it was told; what was refused is not."""
    commands = history._commands(log)
    for event in events:
        there = commands.get((event.match, event.command), [])
        if isinstance(event, Acknowledged):
            if not there or (there[-1].seq, there[-1].hash) != (event.seqs[-1], event.hash):
                yield f"acknowledged at {event.seqs}, not there so: {event.command} of {event.match}"
            elif [entry.seq - there[0].seq for entry in there] != [entry.index for entry in there]:
                yield f"there more than once: {event.command} of {event.match}"
        elif isinstance(event, Refused) and there:
            yield f"refused, yet there: {event.command} of {event.match}"


def chained(logged: Logged) -> Iterator[str]:
    """(2) Facts 1 to n without a gap, each linked to the one before."""
    for match, entries in logged.entries.items():
        if fault := check(entries, logged.salts[match]):
            yield f"fact {fault.seq} {fault.why}: {match}"


def others(events: Iterable[history.Event], log: Mapping[UUID, Sequence[Entry]]) -> Iterator[Invoked]:
    """(4) Commands of which nobody wrote down that he sent them, the server's own: they began at any time."""
    sent = {(event.match, event.command) for event in events}
    yield from (Invoked(*name, 0) for name in history._commands(log) if name not in sent)


def decided_otherwise(book: Book, match: UUID, entries: Sequence[Entry]) -> Iterator[str]:
    """(3) What the rules make of each decision is on the log, all of it."""
    game = book.titles[match]
    for difference in readjudicate(game, ((entry.seq, game.fact(entry.body)) for entry in entries)):
        yield f"decided again it is otherwise at {difference.seq}: {match}"


def shown(book: Book, match: UUID, entries: Sequence[Entry]) -> Iterator[str]:
    """(6) Each range that onlookers got shows what they may see of it."""
    visible = {entry.seq for entry in entries if Audience.ONLOOKERS.sees(entry.audience)}
    for (after, upto), seqs in book.ranges[match].items():
        for fault in history.watched([(after, upto, seqs)], visible, start=after):
            yield f"{fault}: {match}"


def seen_otherwise(book: Book, logged: Logged) -> Iterator[str]:
    """What a client saw last is the fold of the log up to there, for its audience."""
    wanted: dict[tuple[UUID, Audience], list[Seen]] = {}
    for seen in book.seen:
        if seen.upto:
            wanted.setdefault((seen.match, seen.audience), []).append(seen)
    for (match, audience), looks in wanted.items():
        assert audience is not Audience.UMPIRE
        entries, salt = logged.entries[match], logged.salts[match]
        for upto in sorted({seen.upto for seen in looks}):
            before = [entry for entry in entries if entry.seq <= upto]
            steps = views.steps(book.titles[match], before, audience, salt)  # type: ignore[arg-type]
            fold = json.decode(json.encode(views.folded(steps)))
            for seen in looks:
                if seen.upto == upto and json.decode(json.encode(seen.view)) != fold:
                    yield f"{audience.name} of {match} sees something else at {upto}"


class Recovery(Struct, frozen=True):
    """How long it took after a kill until every table had stored a command that was sent after it."""

    what: str
    seconds: float | None
    """None: some table stored nothing more."""
    database: float | None = None
    """How long it took until the database took a write that was begun after the kill."""

    def __str__(self) -> str:
        """Say both, the database's in brackets."""
        back = ("never" if span is None else f"{span:.1f}" for span in (self.seconds, self.database))
        return "{} {} ({})".format(self.what, *back)


def recoveries(
    book: Book,
    kills: Iterable[tuple[str, int]],
    tables: int,
    database: Callable[[int], float | None] = lambda _: None,
) -> list[Recovery]:
    """Measure them; kills are what was killed, and when in nanoseconds."""
    invoked = {
        (event.match, event.command): event.time
        for event in reversed(book.events)
        if isinstance(event, Invoked)
    }
    stored = sorted(
        (event.time, invoked[event.match, event.command], book.tables[event.match])
        for event in book.events
        if isinstance(event, Acknowledged)
    )
    found = []
    for what, at in kills:
        back: dict[int, int] = {}
        for time_, sent, table in stored:
            if sent > at:
                back.setdefault(table, time_)
        last = max(back.values()) if len(back) == tables else None
        found.append(Recovery(what, None if last is None else (last - at) / 1e9, database(at)))
    return found


def quantile(numbers: Sequence[float], share: float) -> float:
    """Return the number below which that share of them is; 0 for none."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def since(begun: float) -> str:
    """Say how long ago something was."""
    return f"{time.monotonic() - begun:.1f} s"
