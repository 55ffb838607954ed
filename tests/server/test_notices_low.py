"""When time that runs low is told: of real facts, which this test projects by hand."""

from collections.abc import AsyncIterator, Generator
from dataclasses import dataclass
from typing import TypeVar
from uuid import uuid4

import asyncpg
import pytest

from domain.kernel.seats import Clock, Hours
from domain.match.fold import Fold
from domain.match.rest import DAY, SECOND
from projections.feed import catch_up
from projections.generations import prepare
from projections.spells import Turns
from server.log.store import PostgresLog
from server.notices import running_low
from server.notices.channels import Channels
from server.notices.places import Mail
from server.notices.running_low import LAG, RunningLow
from server.play.live import Live
from server.play.reading import Reading
from server.play.snapshot import Snapshot
from tests.projections.play import Played, keep, play
from tests.server.noticed import RING, World
from tests.tiny import GAME

HOUR = 3600 * SECOND
_T = TypeVar("_T")


@pytest.fixture
async def log(world: World) -> AsyncIterator[PostgresLog]:
    opened = PostgresLog(world.database)
    yield opened
    await opened.close()


def run(work: Generator[None, None, _T]) -> _T:
    """Return what comes of work that yields now and then."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def snapshot(played: Played, commands: int) -> Snapshot:
    """Fold a match up to a command, as a node does that opens it."""
    reading = Reading(Fold(GAME))
    run(reading.page(played.cut(commands).entries))
    return run(Live.opened(played.match, played.key, reading)).snapshot


@dataclass
class Told:
    """A match whose seats are told by mail, and how much of it is on the log and in the view."""

    world: World
    played: Played
    stored: int = 0

    async def store(self, log: PostgresLog, commands: int, *, shown: bool = True) -> None:
        """Bring the log up to a command, and the view of turns, too, if that is not away."""
        cut = self.played.cut(commands)
        await keep(log, cut, self.stored)
        self.stored = len(cut.entries)
        if shown:
            await self.show()

    async def show(self) -> None:
        """Bring the view of turns up to the log."""
        await catch_up(self.world.database.projector, Turns())

    async def low(self) -> list[int]:
        """Return the seqs of the turns of which it was told."""
        return [turn for kind, _, turn, _ in await self.world.outbox() if kind == "low"]

    async def out(self) -> list[tuple[int, int]]:
        """Return who was told that a time-out may be claimed, and of which turn."""
        return [(seat, turn) for kind, seat, turn, _ in await self.world.outbox() if kind == "out"]


async def match_with(world: World, clock: Clock, hours: dict[int, Hours] | None = None) -> Told:
    """Play a match with such a clock, with a channel for each of its seats."""
    played = play(GAME, "campaign", {}, clock=clock, hours=hours or {}, undos=0, most=12)
    await prepare(world.database.projector, Turns())
    persons = [await world.person() for _ in snapshot(played, 1).standing.seats]
    for number, person in enumerate(persons):
        await Channels(world.database.read, RING).add(person, Mail(address=f"seat{number}@example.org"))
    await world.match(*persons, match=played.match)
    return Told(world, played)


def started(played: Played) -> int:
    """Return how many commands have begun the match, and asked somebody."""
    return next(n for n in range(1, len(played.commands) + 1) if snapshot(played, n).low)


async def begun(world: World, log: PostgresLog) -> tuple[Told, RunningLow, Snapshot]:
    """Begin a match of a day a side; return it with a node that knows of none, and as it stands."""
    told = await match_with(world, Clock(86_400))
    first = started(told.played)
    await told.store(log, first)
    return told, RunningLow(world.database.read), snapshot(told.played, first)


def earliest(live: Snapshot) -> int:
    return min(live.low.values())


async def test_a_node_that_is_behind_the_log_tells_nothing_and_the_other_tells_the_truth(
    world: World, log: PostgresLog
) -> None:
    """Given two nodes, of which one has seen no more of a match than its beginning."""
    told = await match_with(world, Clock(86_400, 3600))
    first = started(told.played)
    await told.store(log, first)
    behind, level = RunningLow(world.database.read), RunningLow(world.database.read)
    old = snapshot(told.played, first)
    for node in (behind, level):
        node.changed(old)
    await told.store(log, first + 1)
    now = snapshot(told.played, first + 1)
    level.changed(now)

    await behind.look(earliest(old) + LAG)
    assert [] == await told.low()
    assert not behind._times.get(told.played.match)

    await level.look(earliest(now))
    assert len(now.low) == len(await told.low()) > 0


async def test_what_was_low_before_the_last_fact_and_was_not_told_is_told(
    world: World, log: PostgresLog
) -> None:
    """Given a match that is folded further between the time and the next look."""
    told = await match_with(world, Clock(86_400))
    first = started(told.played)
    await told.store(log, first)
    node = RunningLow(world.database.read)
    live = snapshot(told.played, first)
    node.changed(live)
    at = earliest(live)
    node.changed(Snapshot(live.match, live.game, live.key, live.k_salt, live.seq, at=at + 1, low=live.low))

    await node.look(at + 2)

    assert len(live.low) == len(await told.low())


async def test_while_the_view_lags_nothing_is_told_and_nothing_forgotten(
    world: World, log: PostgresLog
) -> None:
    told = await match_with(world, Clock(86_400))
    first = started(told.played)
    await told.store(log, first)
    await told.store(log, first + 1, shown=False)
    node, live = RunningLow(world.database.read), snapshot(told.played, first + 1)
    node.changed(live)
    for second in range(3):
        await node.look(earliest(live) + LAG + second * SECOND)
        assert [] == await told.low()

    await told.show()
    await node.look(earliest(live) + HOUR)

    assert len(live.low) == len(await told.low()) > 0
    assert {} == node._times


async def test_who_had_no_more_when_he_was_asked_is_not_told(world: World, log: PostgresLog) -> None:
    """Given a match in which something happens an hour later, and his turn goes on."""
    told, node, live = await begun(world, log)
    for at in (live.at, live.at + HOUR):
        low = dict.fromkeys(live.low, at)
        node.changed(Snapshot(live.match, live.game, live.key, live.k_salt, live.seq, at=at, low=low))

    await node.look(live.at + 2 * HOUR)

    assert [] == await told.low()


async def test_by_nights_and_weekends_it_is_told_when_a_quarter_is_left_of_time_that_runs(
    world: World, log: PostgresLog
) -> None:
    clock = Clock(4 * 86_400, nights=True, weekends=True, by_claim=True)
    night = Hours(((0, 0),), 23 * 60)
    told = await match_with(world, clock, {0: night, 1: night})
    first = started(told.played)
    await told.store(log, first)
    node, live = RunningLow(world.database.read), snapshot(told.played, first)
    node.changed(live)
    at, out = earliest(live), min(live.deadlines.values())

    assert out - at > DAY  # as the wall goes
    await node.look(at - 1)
    assert [] == await told.low()
    await node.look(at)
    assert len(live.low) == len(await told.low()) > 0


async def test_who_waits_is_told_once_that_a_time_out_may_be_claimed(world: World, log: PostgresLog) -> None:
    told = await match_with(world, Clock(86_400, by_claim=True))
    first = next(n for n in range(1, 99) if len(snapshot(told.played, n).asked) == 1)
    await told.store(log, first)
    node, live = RunningLow(world.database.read), snapshot(told.played, first)
    node.changed(live)
    ((late, at),) = live.deadlines.items()

    await node.look(at - 1)
    assert [] == await told.out()
    for second in range(3):
        await node.look(at + second * SECOND)

    waiting = [seat for seat in range(len(live.standing.seats)) if seat != late]
    assert waiting == [seat for seat, _ in await told.out()]
    assert {live.asked_at[late]} == {turn for _, turn in await told.out()}


async def test_where_a_time_out_is_decided_by_itself_nobody_is_told_to_claim_it(
    world: World, log: PostgresLog
) -> None:
    told, node, live = await begun(world, log)
    node.changed(live)

    await node.look(max(live.deadlines.values()) + HOUR)

    assert [] == await told.out()
    assert await told.low()


async def test_time_that_runs_low_earlier_than_was_known_is_told_then(world: World, log: PostgresLog) -> None:
    """Given a match that is folded further, and of which something comes an hour earlier than before."""
    told, node, live = await begun(world, log)
    later = {seat: at + HOUR for seat, at in live.low.items()}
    for low in (later, live.low):
        node.changed(Snapshot(live.match, live.game, live.key, live.k_salt, live.seq, at=live.at, low=low))

    await node.look(earliest(live))

    assert len(live.low) == len(await told.low()) > 0


async def test_however_often_a_match_moves_one_place_of_it_is_kept_and_what_comes_is_told(
    world: World, log: PostgresLog
) -> None:
    """Given a match whose time runs low later with each of a hundred facts."""
    told, node, live = await begun(world, log)
    for hours in range(100):
        low = {seat: at + hours * HOUR for seat, at in live.low.items()}
        node.changed(Snapshot(live.match, live.game, live.key, live.k_salt, live.seq, at=live.at, low=low))
    assert 1 == len(node._wake)

    await node.look(earliest(live))
    assert [] == await told.low()
    assert 1 == len(node._wake)
    await node.look(earliest(live) + 99 * HOUR)

    assert len(live.low) == len(await told.low()) > 0
    assert {} == node._times


async def test_what_comes_no_more_is_forgotten_before_its_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given many matches that end long before time runs low, and one that goes on."""
    monkeypatch.setattr(running_low, "SPARE", 2)
    node, live = RunningLow(world.database.read), snapshot(play(GAME, "campaign", {}, clock=Clock(86_400)), 2)
    for low in ({0: live.at + HOUR}, {}):
        for _ in range(9):
            match = uuid4()
            node.changed(Snapshot(match, live.game, live.key, live.k_salt, 1, at=live.at, low=low))
            node.changed(Snapshot(match, live.game, live.key, live.k_salt, 2, at=live.at, low={}))
    node.changed(
        Snapshot(live.match, live.game, live.key, live.k_salt, 1, at=live.at, low={0: live.at + DAY})
    )

    await node.look(live.at)

    assert [(live.at + DAY, live.match)] == node._wake


async def test_what_the_database_does_not_take_is_told_by_the_next_look(
    world: World, log: PostgresLog
) -> None:
    told, node, live = await begun(world, log)
    node.changed(live)
    await world.owner.execute("ALTER TABLE people.outbox RENAME TO away")
    with pytest.raises(asyncpg.UndefinedTableError):
        await node.look(earliest(live))
    await world.owner.execute("ALTER TABLE people.away RENAME TO outbox")

    await node.look(earliest(live))

    assert len(live.low) == len(await told.low()) > 0
