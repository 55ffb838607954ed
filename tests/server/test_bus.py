import asyncio
import contextlib
import gc
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from typing import Any, cast
from uuid import UUID

import msgspec
import pytest
from redis.asyncio import Redis
from structlog.testing import capture_logs

from domain.kernel.audience import VIEWERS, Audience, Viewer
from server import redis_url
from server.bench.redis_server import RedisServer
from server.fanout import outbox
from server.fanout.broadcasts import Broadcast, Timing, Topic, is_of_links, links_changed
from server.fanout.bus import Bus, Exchange, LocalBus
from server.fanout.channels import NODES, PARTS, TAGS, channel, tag
from server.fanout.hub import Hub
from server.fanout.letters import Letters, NoAnswer
from server.fanout.messages import STALE, NotOurs, Seals
from server.fanout.outbox import Batch
from server.fanout.presence import Crowd
from server.fanout.redis_bus import RedisBus
from server.fanout.redis_ways import Masters
from tests.server.family import Family, family_of_none
from tests.server.masters import Cluster
from tests.server.proxy import proxied
from tests.server.watching import QUICK, ListLog, Node, Watching, match_id, node, until

Make = Callable[[], Bus | Awaitable[Bus]]


class Listener:
    """A listener that writes down what it hears."""

    def __init__(self) -> None:
        self.broadcasts: list[Broadcast] = []
        self.doubted: list[Topic] = []
        self.nodes: list[bytes | None] = []
        self.takes = 0.0

    def arrived(self, broadcast: Broadcast, node: bytes | None = None) -> None:
        self.broadcasts.append(broadcast)
        self.nodes.append(node)

    async def asked(self, question: bytes) -> bytes:
        await asyncio.sleep(self.takes)
        return question[::-1]

    def compare_with_log(self, topics: Iterable[Topic]) -> None:
        self.doubted += topics


KEYS = [b"one key of a cluster" + bytes(12), b"the key before it" + bytes(15)]


def redis_bus(url: str, timing: Timing = QUICK) -> RedisBus:
    return RedisBus(url, KEYS, timing)


PATIENT = msgspec.structs.replace(QUICK, answer=3.0, silence=6.0)
"""For a Redis that nothing is wrong with: where the machine is busy it is not to be taken for lost."""


@pytest.fixture
async def family() -> AsyncIterator[Family]:
    async with family_of_none() as made:
        yield made


@pytest.fixture(params=["local", "redis", "redis_cluster", "siblings"])
def make(request: pytest.FixtureRequest) -> Make:
    if request.param == "siblings":
        return cast("Family", request.getfixturevalue("family")).bus
    if request.param == "local":
        exchange = Exchange()
        return lambda: LocalBus(exchange)
    if request.param == "redis_cluster":
        url = cast("Cluster", request.getfixturevalue("redis_cluster")).url
    else:
        url = request.getfixturevalue("redis_url")
    return lambda: redis_bus(url, PATIENT)


async def ask(url: str, *words: str | bytes) -> object:
    """Have Redis do something."""
    client: Any = Redis.from_url(url)
    try:
        return await client.execute_command(*words)
    finally:
        await client.aclose()


@contextlib.asynccontextmanager
async def listening(make: Make, *topics: Topic) -> AsyncIterator[tuple[Bus, Listener]]:
    """Start a bus, subscribe, and wait until it says so."""
    made, listener = make(), Listener()
    bus = await made if isinstance(made, Awaitable) else made
    await bus.start(listener)
    for topic in topics:
        bus.watch(topic)
    try:
        await until(lambda: bus.up and set(topics) <= set(listener.doubted))
        yield bus, listener
    finally:
        await bus.stop()


def broadcast(
    match: UUID, audience: Viewer = Audience.ONLOOKERS, after: int = 0, text: bytes = b'{"a":1}'
) -> Broadcast:
    return Broadcast(match, audience, after, after + 1, text)


async def told_by(bus: Bus, there: Listener, match: UUID) -> bytes:
    """Let a bus tell of a match that is watched elsewhere; return the name that it is heard under."""
    bus.publish([broadcast(match)])
    await until(lambda: there.broadcasts)
    node = there.nodes[0]
    assert node is not None
    return node


# The contract of all


async def test_a_frame_reaches_the_other_nodes_that_watch_its_topic(make: Make) -> None:
    match = match_id()
    async with listening(make, (match, Audience.ONLOOKERS)) as (_, there), listening(make) as (here, _):
        here.publish([broadcast(match)])
        await until(lambda: there.broadcasts)

        assert [broadcast(match)] == there.broadcasts


async def test_that_links_have_changed_is_told_to_all_who_watch_the_match(make: Make) -> None:
    match = match_id()
    async with AsyncExitStack() as stack:
        watching = [
            (await stack.enter_async_context(listening(make, (match, viewer))))[1] for viewer in VIEWERS
        ]
        here, _ = await stack.enter_async_context(listening(make))
        here.publish(links_changed(match))
        await until(lambda: all(listener.broadcasts for listener in watching))

        assert [[match]] * 3 == [[one.match for one in listener.broadcasts] for listener in watching]
        assert all(is_of_links(listener.broadcasts[0]) for listener in watching)


async def test_frames_arrive_in_the_order_they_were_published(make: Make) -> None:
    match = match_id()
    sent = [broadcast(match, after=seq) for seq in range(2000)]
    async with listening(make, (match, Audience.ONLOOKERS)) as (_, there), listening(make) as (here, _):
        for one in sent:
            here.publish([one])
        await until(lambda: len(there.broadcasts) == 2000)

        assert sent == there.broadcasts


async def test_a_topic_is_one_match_and_one_audience(make: Make) -> None:
    match, other = match_id(), match_id()
    async with listening(make, (match, Audience.SIDE_1)) as (_, there), listening(make) as (here, _):
        here.publish([broadcast(other, audience) for audience in VIEWERS])
        here.publish([broadcast(match, audience) for audience in VIEWERS])
        await until(lambda: there.broadcasts)
        await asyncio.sleep(0.05)

        assert [broadcast(match, Audience.SIDE_1)] == there.broadcasts


async def test_every_subscription_puts_its_topic_in_doubt(make: Make) -> None:
    match = match_id()
    async with listening(make, (match, Audience.SIDE_0)) as (bus, listener):
        first = list(listener.doubted)
        bus.watch((match, Audience.SIDE_1))
        await until(lambda: (match, Audience.SIDE_1) in listener.doubted)

        assert [(match, Audience.SIDE_0)] == first
        assert {match} == {doubted for doubted, _ in listener.doubted}


async def test_what_is_watched_no_longer_is_not_heard(make: Make) -> None:
    match = match_id()
    async with (
        listening(make, (match, Audience.SIDE_0), (match, Audience.SIDE_1)) as (bus, there),
        listening(make) as (here, _),
    ):
        bus.unwatch((match, Audience.SIDE_0))
        here.publish([broadcast(match, Audience.SIDE_0), broadcast(match, Audience.SIDE_1)])
        await until(lambda: there.broadcasts)

        assert [broadcast(match, Audience.SIDE_1)] == there.broadcasts


async def test_the_end_of_one_subscription_puts_no_other_in_doubt(make: Make) -> None:
    """Given matches that are all in one part of a Cluster, whose subscriptions go over one connection."""
    left, kept, begun = (UUID(int=64 * match_id().int % (1 << 128) + 1) for _ in range(3))
    async with listening(make, (left, Audience.SIDE_0), (kept, Audience.SIDE_0)) as (bus, listener):
        listener.doubted.clear()
        bus.unwatch((left, Audience.SIDE_0))
        bus.watch((begun, Audience.SIDE_0))
        await until(lambda: listener.doubted)
        await asyncio.sleep(0.2)  # longer than a new connection takes

        assert bus.up
        assert [(begun, Audience.SIDE_0)] == listener.doubted


async def test_watched_again_is_heard_again(make: Make) -> None:
    match = match_id()
    async with listening(make, (match, Audience.SIDE_0)) as (bus, there), listening(make) as (here, _):
        bus.unwatch((match, Audience.SIDE_0))
        bus.watch((match, Audience.SIDE_0))
        await until(lambda: len(there.doubted) > 1)
        here.publish([broadcast(match, Audience.SIDE_0)])
        await until(lambda: there.broadcasts)

        assert [broadcast(match, Audience.SIDE_0)] == there.broadcasts


async def test_who_told_of_a_match_is_asked_and_answers(make: Make) -> None:
    match = match_id()
    async with listening(make, (match, Audience.ONLOOKERS)) as (bus, there), listening(make) as (here, _):
        node = await told_by(here, there, match)

        answers = await asyncio.gather(*(bus.ask(node, b"%d?" % number) for number in range(100)))

        assert [(b"%d?" % number)[::-1] for number in range(100)] == answers


async def test_a_node_that_has_gone_gives_no_answer(make: Make) -> None:
    match = match_id()
    async with listening(make, (match, Audience.ONLOOKERS)) as (bus, there):
        async with listening(make) as (here, _):
            node = await told_by(here, there, match)

        with pytest.raises(NoAnswer):
            await bus.ask(node, b"?")


async def test_a_line_that_has_ended_is_asked_nothing_more(
    own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given that who is present is asked in two steps, and the master changes between them."""
    async with listening(lambda: redis_bus(own_redis.url, PATIENT)) as (made, _):
        bus = cast("RedisBus", made)
        sums, moves = bus._crowds._sums, list[asyncio.Task[None]]()

        async def later(*given: Any) -> dict[UUID, Crowd]:
            moves.append(asyncio.create_task(bus._lay({})))
            await asyncio.wait(moves, timeout=0.3)
            return await sums(*given)

        monkeypatch.setattr(bus._crowds, "_sums", later)
        await bus.presence({match_id(): Crowd(1, 1)})
        await moves[0]

        async with asyncio.timeout(5):  # but for who asks
            while 1 != len(cast("list[Any]", await ask(own_redis.url, "CLIENT LIST"))):
                await asyncio.sleep(0.01)


async def test_who_is_present_is_asked_no_further_where_another_is_master(own_redis: RedisServer) -> None:
    """Given a master that gives no answer any more, then its line is replaced without waiting for one."""
    timing = msgspec.structs.replace(PATIENT, answer=60.0, silence=60.0)
    async with (
        proxied(own_redis.url.removeprefix("unix://")) as proxy,
        listening(lambda: redis_bus(f"redis://127.0.0.1:{proxy.port}", timing)) as (made, _),
    ):
        bus = cast("RedisBus", made)
        proxy.mute()
        asked = asyncio.create_task(bus.presence({match_id(): Crowd(1, 1)}))
        await until(lambda: bus._counting)
        with capture_logs() as lines:
            async with asyncio.timeout(10):
                await bus._lay({})

                assert None is await asked
        assert [] == lines


async def test_what_a_line_that_is_replaced_has_lost_is_no_matter_of_the_next(own_redis: RedisServer) -> None:
    match, timing = match_id(), msgspec.structs.replace(PATIENT, ask=60.0, look=60.0)
    async with (
        listening(lambda: redis_bus(own_redis.url, timing), (match, Audience.ONLOOKERS)) as (made, there),
        listening(lambda: redis_bus(own_redis.url, timing)) as (here, slow),
    ):
        bus, slow.takes = cast("RedisBus", made), 0.2
        node = await told_by(here, there, match)
        (gone,) = bus._lines
        await bus._lay(renamed(own_redis))
        await until(lambda: bus.up)
        asking = asyncio.create_task(bus.ask(node, b"12"))
        await asyncio.sleep(0)
        bus.failed(gone)
        bus.lost(gone)

        assert (b"21", False) == (await asking, bus._unsure.is_set())


def renamed(server: RedisServer) -> Masters:
    """Return a server as if it were another: its socket under one more name."""
    return {(f"{server.folder}/./redis.sock", 0): frozenset(range(PARTS))}


async def test_the_presence_of_all_nodes_is_summed(make: Make) -> None:
    match, other = match_id(), match_id()
    async with listening(make) as (here, _), listening(make) as (there, _):
        with_here, with_there = {match: Crowd(1, 3)}, {match: Crowd(2, 4), other: Crowd(0, 1)}
        await here.presence(with_here)
        await there.presence(with_there)

        assert {match: Crowd(3, 7)} == await here.presence(with_here)
        assert {match: Crowd(3, 7), other: Crowd(0, 1)} == await there.presence(with_there)
        await here.presence({match: Crowd()})

        assert {match: Crowd(2, 4)} == await there.presence({match: Crowd(2, 4)})


async def test_a_node_that_stopped_has_nobody_present(make: Make) -> None:
    match = match_id()
    async with listening(make) as (here, _):
        async with listening(make) as (there, _):
            await there.presence({match: Crowd(2, 4)})

        assert {match: Crowd(1, 1)} == await here.presence({match: Crowd(1, 1)})


# Letters


async def test_a_node_that_has_gone_is_not_waited_for(redis_url: str) -> None:
    timing = msgspec.structs.replace(PATIENT, ask=60.0)
    async with listening(lambda: redis_bus(redis_url, timing)) as (bus, _), asyncio.timeout(10):
        with pytest.raises(NoAnswer):
            await bus.ask(bytes(16), b"?")


async def test_a_node_that_does_not_answer_is_waited_for_as_long_as_agreed(redis_url: str) -> None:
    match, timing = match_id(), msgspec.structs.replace(PATIENT, ask=0.05)
    async with (
        listening(lambda: redis_bus(redis_url, timing), (match, Audience.ONLOOKERS)) as (bus, there),
        listening(lambda: redis_bus(redis_url)) as (here, slow),
    ):
        slow.takes = 60.0
        node = await told_by(here, there, match)

        with pytest.raises(NoAnswer):
            await bus.ask(node, b"?")


async def test_nobody_is_asked_while_redis_is_away(own_redis: RedisServer) -> None:
    timing = msgspec.structs.replace(QUICK, ask=60.0)
    async with listening(lambda: redis_bus(own_redis.url, timing)) as (bus, _):
        own_redis.kill()
        async with asyncio.timeout(10):
            with pytest.raises(NoAnswer):
                await bus.ask(bytes(16), b"?")


def letters(keys: Sequence[bytes] = KEYS, within: float = 0.05) -> tuple[Letters, list[tuple[bytes, bytes]]]:
    """Make the letters of a node, and a list of what it sends."""
    sent: list[tuple[bytes, bytes]] = []
    return Letters(Seals(keys), lambda name, letter: sent.append((name, letter)), within), sent


async def reversed_answer(question: bytes) -> bytes:
    return question[::-1]


async def test_a_letter_is_for_one_node_and_of_the_cluster() -> None:
    (here, sent), (there, _), (elsewhere, _) = letters(), letters(), letters()
    stranger, forged = letters([bytes(32)])
    node = bytes.fromhex(there.channel.decode().rpartition(":")[2])
    for one in (here, stranger):
        with pytest.raises(NoAnswer):
            await one.ask(node, b"secret")

    assert [there.channel] * 2 == [name for name, _ in (*sent, *forged)]
    assert b"secret" not in sent[0][1]
    for letter in (forged[0][1], sent[0][1][:-1], b"", sent[0][1] + b"x"):
        with pytest.raises(NotOurs):
            there.arrived(letter, reversed_answer)
    with pytest.raises(NotOurs):
        elsewhere.arrived(sent[0][1], reversed_answer)


async def test_an_answer_counts_by_the_node_that_was_asked_alone() -> None:
    here, sent = letters(within=60.0)
    there, answers = letters()
    node = bytes.fromhex(there.channel.decode().rpartition(":")[2])
    waiting = asyncio.create_task(here.ask(node, b"12"))
    await until(lambda: sent)
    there.arrived(sent[0][1], reversed_answer)
    stranger = Seals(KEYS).seal(here.channel, (b"!", (0).to_bytes(8, "big"), b"of another"))

    here.arrived(stranger, reversed_answer)
    await until(lambda: answers)
    done = waiting.done()
    here.arrived(answers[0][1], reversed_answer)
    here.arrived(answers[0][1], reversed_answer)

    assert (False, b"21") == (done, await waiting)


# Names and form


def test_the_64_tags_fall_in_64_different_64ths_of_the_slots() -> None:
    def crc16(data: bytes) -> int:
        """CRC-16/XMODEM, as Redis Cluster has it."""
        crc = 0
        for byte in data:
            crc ^= byte << 8
            for _ in range(8):
                crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
        return crc

    assert 0x31C3 == crc16(b"123456789")
    assert list(range(64)) == [crc16(str(number).encode()) % 16384 // 256 for number in TAGS]


def test_channels_name_tag_and_match() -> None:
    match = UUID(int=5)

    assert "{21}" == tag(match)
    assert f"f:{{21}}:{match}" == channel(match)


# Seals


def passed(
    broadcasts: list[Broadcast], *, by: Seals | None = None, to: Seals | None = None, over: bytes = b"f:1"
) -> list[Broadcast]:
    """Pack broadcasts on a node, and open them on another."""
    message = (by or Seals(KEYS)).pack(b"f:1", broadcasts)
    return (to or Seals(KEYS)).open(over, broadcasts[0].match, message)


def test_what_all_audiences_are_told_comes_as_it_was_sent() -> None:
    match = match_id()
    told = [broadcast(match, audience, 7, audience.name.encode()) for audience in VIEWERS]

    assert told == passed(told)


def test_up_to_16_kib_the_text_travels_and_above_it_the_range_only() -> None:
    match = match_id()
    small, large = broadcast(match, text=b"\n" * 16384), broadcast(match, text=b"x" * 16385)

    assert [small] == passed([small])
    assert [msgspec.structs.replace(large, text=b"")] == passed([large])


def test_the_first_key_of_the_ring_seals_and_each_opens() -> None:
    told = [broadcast(match_id())]

    assert told == passed(told, to=Seals(KEYS[:1]))
    assert told == passed(told, by=Seals(KEYS[1:]))
    assert told == passed(told, by=Seals(KEYS[:1]))


def test_a_seal_by_a_key_that_is_not_on_the_ring_is_refused() -> None:
    with pytest.raises(NotOurs):
        passed([broadcast(match_id())], by=Seals([bytes(32)]))


def test_a_message_of_another_channel_is_refused() -> None:
    with pytest.raises(NotOurs):
        passed([broadcast(match_id())], over=b"f:2")


def test_a_message_that_was_altered_anywhere_is_refused() -> None:
    """So no audience is given the text of another."""
    match = match_id()
    told = [broadcast(match, audience) for audience in VIEWERS]
    here = Seals(KEYS)
    message = Seals(KEYS).pack(b"f:1", told)
    assert told == here.open(b"f:1", match, message)  # and so it knows the key of that node

    for place in range(len(message)):
        altered = bytearray(message)
        altered[place] ^= 1
        with pytest.raises(NotOurs):
            here.open(b"f:1", match, bytes(altered))
        with pytest.raises(NotOurs):
            here.open(b"f:1", match, message[:place])


@pytest.mark.parametrize("off", [-STALE - 1, STALE + 1])
def test_a_message_of_another_time_is_refused(off: int) -> None:
    clock = [1_800_000_000]
    told = [broadcast(match_id())]
    there, here = [Seals(KEYS, lambda: clock[0] * 1_000_000) for _ in range(2)]
    message = there.pack(b"f:1", told)
    clock[0] += STALE

    assert told == here.open(b"f:1", told[0].match, message)
    clock[0] += off - STALE
    with pytest.raises(NotOurs):
        here.open(b"f:1", told[0].match, message)


def test_a_node_knows_its_own_messages_and_no_others() -> None:
    here, there = Seals(KEYS), Seals(KEYS)
    message = here.pack(b"f:1", [broadcast(match_id())])

    assert (True, False, False) == (here.is_own(message), there.is_own(message), here.is_own(b""))


def test_who_has_no_key_can_read_nothing_and_tell_no_two_messages_apart() -> None:
    told = [broadcast(match_id(), text=b"nothing that is said here is seen")]
    seals = Seals(KEYS)
    messages = [seals.pack(b"f:1", told), seals.pack(b"f:1", told), Seals(KEYS).pack(b"f:1", told)]

    assert not any(told[0].text[:8] in message for message in messages)
    assert 3 == len({message[28:] for message in messages})


# Redis and its faults


async def test_what_no_node_has_made_is_refused_and_puts_the_match_in_doubt(own_redis: RedisServer) -> None:
    match = match_id()
    topics: list[Topic] = [(match, Audience.ONLOOKERS), (match, Audience.SIDE_0)]
    forged = Seals([bytes(32)]).pack(channel(match).encode(), [broadcast(match)])
    with capture_logs() as lines:
        async with listening(lambda: redis_bus(own_redis.url), *topics) as (bus, listener):
            for message in (b"nonsense", b"", forged):
                listener.doubted.clear()
                await ask(own_redis.url, "PUBLISH", channel(match), message)
                await until(lambda: set(topics) <= set(listener.doubted))

            assert ([], 3) == (listener.broadcasts, bus.counts.refused)
    assert [{"event": "bus.refused", "messages": 1, "log_level": "warning"}] == [
        line for line in lines if line["event"] == "bus.refused"
    ]


async def test_a_message_of_another_match_is_refused(own_redis: RedisServer) -> None:
    match, other = match_id(), match_id()
    message = Seals(KEYS).pack(channel(other).encode(), [broadcast(other)])
    async with listening(lambda: redis_bus(own_redis.url), (match, Audience.ONLOOKERS)) as (bus, listener):
        await ask(own_redis.url, "PUBLISH", channel(match), message)
        await until(lambda: bus.counts.refused)

        assert [] == listener.broadcasts


async def test_a_node_hears_nothing_of_what_it_said_itself(own_redis: RedisServer) -> None:
    topic: Topic = (match_id(), Audience.ONLOOKERS)
    theirs = Seals(KEYS).pack(channel(topic[0]).encode(), [broadcast(topic[0], after=1)])
    async with listening(lambda: redis_bus(own_redis.url), topic) as (bus, listener):
        bus.publish([broadcast(topic[0])])
        await bus._lines[0]._idle.wait()  # type: ignore[attr-defined]
        await ask(own_redis.url, "PUBLISH", channel(topic[0]), theirs)
        await until(lambda: listener.broadcasts)

        assert ([broadcast(topic[0], after=1)], 0) == (listener.broadcasts, bus.counts.refused)


async def test_frames_that_wait_go_out_together(own_redis: RedisServer) -> None:
    match = match_id()
    async with (
        listening(lambda: redis_bus(own_redis.url), (match, Audience.ONLOOKERS)) as (_, there),
        listening(lambda: redis_bus(own_redis.url)) as (bus, _),
    ):
        assert isinstance(bus, RedisBus)
        (line,) = bus._lines
        send, sizes = line._send, []

        async def counted(batch: Batch) -> None:
            sizes.append(len(batch.messages))
            await send(batch)

        line._send = counted  # type: ignore[method-assign]
        for seq in range(1500):
            bus.publish([broadcast(match, after=seq)])
        await until(lambda: len(there.broadcasts) == 1500)

        assert [512, 512, 476] == [size for size in sizes if size]


@pytest.mark.parametrize(("limit", "most"), [("QUEUE", 10), ("QUEUE_BYTES", 10 * len(b'{"a":1}'))])
async def test_no_room_in_the_queue_leaves_the_range_owed(
    own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(outbox, limit, most)
    match = match_id()
    async with (
        listening(lambda: redis_bus(own_redis.url), (match, Audience.ONLOOKERS)) as (_, there),
        listening(lambda: redis_bus(own_redis.url)) as (bus, _),
    ):
        for seq in range(100):
            bus.publish([broadcast(match, after=seq)])
        queued = bus.counts.queued
        await until(lambda: len(there.broadcasts) == 11)

        assert (10, 0, 90) == (queued, bus.counts.queued, bus.counts.dropped)
        assert Broadcast(match, Audience.ONLOOKERS, 10, 100, b"") in there.broadcasts


@pytest.mark.parametrize(
    "text", [b"", b"7", b"many", b"-1 5", b"1 -5", b"1 2 3", b"9" * 5000 + b" 1", b"1 1e9", b"\xff \xff"]
)
async def test_counts_of_who_is_present_are_numbers_or_nobody(redis_url: str, text: bytes) -> None:
    match = match_id()
    async with listening(lambda: redis_bus(redis_url, PATIENT)) as (bus, _):
        await ask(redis_url, "ZADD", NODES, "9999999999999", b"\xffodd")
        await ask(redis_url, "ZADD", NODES, "9999999999999", "other")
        await ask(redis_url, "SET", f"p:{tag(match)}:{match}:other", text)

        assert {match: Crowd(1, 3)} == await bus.presence({match: Crowd(1, 3)})


async def test_publishing_without_redis_neither_raises_nor_grows_and_is_made_good(
    own_redis: RedisServer,
) -> None:
    match = match_id()
    async with listening(lambda: redis_bus(own_redis.url), (match, Audience.ONLOOKERS)) as (
        bus,
        listener,
    ):
        assert isinstance(bus, RedisBus)
        own_redis.kill()
        for seq in range(20_000):
            bus.publish([broadcast(match, after=seq)])
        await until(lambda: not bus.up)
        assert None is await bus.presence({match: Crowd(1, 1)})
        await until(lambda: not bus.counts.queued)
        assert {match: (0, 20_000)} == bus._lines[0]._out._owed
        listener.doubted.clear()
        own_redis.start()
        await until(lambda: bus.up and listener.doubted)

        assert [(match, Audience.ONLOOKERS)] == listener.doubted


async def test_a_bus_that_never_found_its_redis_stops_at_once() -> None:
    bus = redis_bus("redis://127.0.0.1:1")
    await bus.start(Listener())
    bus.watch((match_id(), Audience.ONLOOKERS))
    bus.publish([broadcast(match_id())])
    await asyncio.sleep(0.2)

    assert not bus.up
    await asyncio.wait_for(bus.stop(), 1)


@pytest.mark.parametrize("turns", range(6))
async def test_a_bus_stops_while_its_subscriptions_change(redis_url: str, turns: int) -> None:
    """Given a subscription that was asked for so many turns of the loop ago, then the bus still ends."""
    bus = redis_bus(redis_url, PATIENT)
    await bus.start(Listener())
    await until(lambda: bus.up)
    bus.watch((match_id(), Audience.ONLOOKERS))
    for _ in range(turns):
        await asyncio.sleep(0)

    async with asyncio.timeout(5):
        await bus.stop()


@pytest.mark.parametrize("turns", range(1, 9))
async def test_what_a_line_owes_goes_out_though_the_bus_stops_while_it_is_replaced(
    own_redis: RedisServer, turns: int
) -> None:
    """Given a master that takes nothing any more, and another since so many turns of the loop."""
    match = match_id()
    async with (
        proxied(own_redis.url.removeprefix("unix://")) as proxy,
        listening(lambda: redis_bus(own_redis.url, PATIENT), (match, Audience.ONLOOKERS)) as (_, there),
    ):
        bus = redis_bus(f"redis://127.0.0.1:{proxy.port}", PATIENT)
        await bus.start(Listener())
        await until(lambda: bus.up)
        proxy.stall()
        bus.publish([broadcast(match)])
        bus._url = redis_url.parse(own_redis.url)
        bus._looking.add(asyncio.create_task(bus._lay(renamed(own_redis))))
        for _ in range(turns):
            await asyncio.sleep(0)
        async with asyncio.timeout(10):
            await bus.stop()
        await until(lambda: there.broadcasts)

        assert [broadcast(match, text=b"")] == there.broadcasts


async def test_a_connection_that_is_reset_while_subscriptions_change_is_replaced_once(
    own_redis: RedisServer,
) -> None:
    """Given the loss just when a subscription is sent, then the next session makes it, by one connection."""
    async with proxied(own_redis.url.removeprefix("unix://")) as proxy:
        url = f"redis://127.0.0.1:{proxy.port}"
        async with listening(lambda: redis_bus(url, PATIENT)) as (bus, listener):
            topic: Topic = (match_id(), Audience.ONLOOKERS)
            bus.watch(topic)
            proxy.reset()
            await until(lambda: not bus.up)
            await until(lambda: bus.up and listener.doubted)

            assert [topic] == listener.doubted
            assert 1 == sum(b"SUBSCRIBE" in link.asked for link in proxy.links if link.open)
    gc.collect()  # what was left open would be told here


async def test_what_gives_no_answer_is_logged_with_that_reason(own_redis: RedisServer) -> None:
    async with proxied(own_redis.url.removeprefix("unix://")) as proxy:
        proxy.stall()
        with capture_logs() as lines:
            bus = redis_bus(f"redis://127.0.0.1:{proxy.port}", msgspec.structs.replace(QUICK, answer=0.2))
            await bus.start(Listener())
            await until(lambda: any(line["event"] == "bus.away" for line in lines))
            await bus.stop()

    (away,) = [line for line in lines if line["event"] == "bus.away"]
    assert "TimeoutError: no answer in time" == away["fault"]


# Siblings


async def test_a_line_that_is_cut_leaves_the_log_to_be_polled(family: Family) -> None:
    async with listening(family.bus, (match_id(), Audience.ONLOOKERS)) as (bus, _):
        family.cut(0)
        await until(lambda: not bus.up)
        bus.publish([broadcast(match_id())])

        assert None is await bus.presence({match_id(): Crowd(1, 1)})


async def test_who_is_there_is_told_to_a_process_that_comes_and_forgotten_of_one_that_is_gone(
    family: Family,
) -> None:
    match = match_id()
    async with listening(family.bus) as (here, _):
        await here.presence({match: Crowd(1, 3)})
        async with listening(family.bus) as (there, _):
            await there.presence({})
            first = await there.presence({match: Crowd(2, 4)})
            family.cut(1)
            await until(lambda: not there.up)

            assert {match: Crowd(3, 7)} == first
            assert {match: Crowd(1, 3)} == await here.presence({match: Crowd(1, 3)})


async def test_what_finds_no_room_on_the_line_waits_and_arrives(family: Family) -> None:
    match, text = match_id(), b"x" * 16_000
    async with (
        listening(family.bus, (match, Audience.ONLOOKERS)) as (_, there),
        listening(family.bus) as (here, _),
    ):
        family.freeze(1)
        for seq in range(1000):
            here.publish([broadcast(match, after=seq, text=text)])
            await asyncio.sleep(0)
        queued = here.counts.queued
        family.thaw(1)
        await until(lambda: len(there.broadcasts) == 1000)

        assert 0 < queued < 1000
        assert 0 == here.counts.queued
        assert list(range(1000)) == [one.after for one in there.broadcasts]


async def test_of_what_finds_no_room_in_the_queue_either_the_range_is_sent(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "QUEUE", 10)
    match, text = match_id(), b"x" * 16_000
    async with (
        listening(family.bus, (match, Audience.ONLOOKERS)) as (_, there),
        listening(family.bus) as (here, _),
    ):
        family.freeze(1)
        for seq in range(1000):
            here.publish([broadcast(match, after=seq, text=text)])
            await asyncio.sleep(0)
        family.thaw(1)
        await until(lambda: any(not one.text for one in there.broadcasts))

        assert 0 < here.counts.dropped < 1000
        assert 1000 == max(one.upto for one in there.broadcasts if not one.text)


async def test_that_links_have_changed_is_told_later_where_there_is_no_room(
    family: Family, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "QUEUE", 0)
    match, other = match_id(), match_id()
    async with (
        listening(family.bus, (match, Audience.ONLOOKERS), (other, Audience.SIDE_0)) as (_, there),
        listening(family.bus) as (here, _),
    ):
        family.freeze(1)
        for seq in range(1000):
            here.publish([broadcast(match, after=seq, text=b"x" * 16_000)])
            await asyncio.sleep(0)
        dropped = here.counts.dropped
        here.publish(links_changed(other))
        family.thaw(1)
        await until(lambda: any(one.match == other for one in there.broadcasts))

        assert len(VIEWERS) == here.counts.dropped - dropped
        assert [True] == [is_of_links(one) for one in there.broadcasts if one.match == other]


# The whole way: hubs, a Redis that fails, clients over real sockets


@contextlib.asynccontextmanager
async def two_nodes(own_redis: RedisServer, log: ListLog) -> AsyncIterator[tuple[Node, Node]]:
    """Two nodes on one log and one Redis, both heard."""
    hubs = [Hub(log, redis_bus(own_redis.url), QUICK_BUT_LEFT_ALONE) for _ in range(2)]
    async with node(hubs[0]) as here, node(hubs[1]) as there:
        await until(lambda: here.hub.bus_up and there.hub.bus_up)
        yield here, there


QUICK_BUT_LEFT_ALONE = msgspec.structs.replace(QUICK, compare=60.0)
"""Heads are compared for a reason only, so that what is proved is not proved by the last resort."""


async def play(log: ListLog, match: UUID, nodes: tuple[Node, Node], decisions: int) -> None:
    for number in range(decisions):
        nodes[number % 2].hub.deliver(log.decide(match))
        await asyncio.sleep(0.002)


async def watchers(nodes: tuple[Node, Node], match: UUID) -> list[Watching]:
    made = [await one.watch(match, VIEWERS[audience]) for one in nodes for audience in (0, 1, 2, 2)]
    for one in nodes:
        await one.current(4)
    return made


async def quiet(log: ListLog, seconds: float = 0.5) -> None:
    """Wait until nobody has asked the log for so long: each subscription that is confirmed has one look."""
    asked = -1
    while asked != log.reads + log.compared:
        asked = log.reads + log.compared
        await asyncio.sleep(seconds)


async def test_between_nodes_frames_travel_without_the_log(own_redis: RedisServer) -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with two_nodes(own_redis, log) as nodes:
        watching = await watchers(nodes, match)
        await until(lambda: log.compared >= 2)
        await quiet(log)
        reads = log.reads
        for number in range(50):
            nodes[number % 2].hub.deliver(log.decide(match))
            for one in watching:
                await one.reach(log.head(match))

        assert reads == log.reads


async def test_what_redis_says_again_is_told_to_nobody_twice(own_redis: RedisServer) -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with two_nodes(own_redis, log) as (here, there):
        client = await there.connect(match)
        await there.current(1)
        overheard: Any = Redis.from_url(own_redis.url)
        async with overheard, overheard.pubsub(ignore_subscribe_messages=True) as spy:
            await spy.subscribe(channel(match))
            for _ in range(3):
                here.hub.deliver(log.decide(match))
            here.hub.send_everywhere(match, b'{"said":1}', VIEWERS)
            told = [json.loads(await client.recv()) for _ in range(5)]
            messages = [one async for one in heard(spy, 4)]
            for message in messages * 2:
                await ask(own_redis.url, "PUBLISH", channel(match), message)
        here.hub.send_everywhere(match, b'{"said":2}', VIEWERS)

        assert [1, 2, 3, 4] == [one["upto"] for one in told if "upto" in one]
        assert {"said": 2} == json.loads(await client.recv())
        await client.close()


async def heard(spy: Any, count: int) -> AsyncIterator[bytes]:
    """Give so many messages of a subscription."""
    while count:
        message = await spy.get_message(timeout=5)
        if message is not None:
            count -= 1
            yield message["data"]


async def test_frames_too_large_for_redis_are_read_from_the_log(own_redis: RedisServer) -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with two_nodes(own_redis, log) as nodes:
        watching = await watchers(nodes, match)
        log.weight = 30_000
        await play(log, match, nodes, 10)
        for one in watching:
            await one.reach(11)


async def test_subscribers_cut_while_frames_are_published_miss_nothing(own_redis: RedisServer) -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with two_nodes(own_redis, log) as nodes:
        watching = await watchers(nodes, match)
        for _ in range(5):
            playing = asyncio.create_task(play(log, match, nodes, 40))
            await asyncio.sleep(0.03)
            assert await ask(own_redis.url, "CLIENT", "KILL", "TYPE", "pubsub")
            await playing
        for one in watching:
            await one.reach(201)
        await until(lambda: all(one.hub.bus_up for one in nodes))


async def test_redis_killed_and_restarted_while_play_goes_on(own_redis: RedisServer) -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with two_nodes(own_redis, log) as nodes:
        watching = await watchers(nodes, match)
        playing = asyncio.create_task(play(log, match, nodes, 300))
        await asyncio.sleep(0.1)
        own_redis.kill()
        await asyncio.sleep(0.2)
        own_redis.start()
        await playing
        for one in watching:
            await one.reach(301)
        await until(lambda: all(one.hub.bus_up for one in nodes))
        assert (3, 4) == await present(nodes, match)
        await play(log, match, nodes, 20)
        for one in watching:
            await one.reach(321)


async def present(nodes: tuple[Node, Node], match: UUID) -> tuple[int, int | None]:
    await until(lambda: all(one.hub.presence(match) == (3, 4) for one in nodes))
    return nodes[0].hub.presence(match)


async def test_a_frozen_redis_is_left_for_the_log_and_found_again(own_redis: RedisServer) -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with two_nodes(own_redis, log) as nodes:
        watching = await watchers(nodes, match)
        assert own_redis.process is not None
        os.kill(own_redis.process.pid, signal.SIGSTOP)
        await play(log, match, nodes, 20)
        for one in watching:
            await one.reach(21, seconds=3)
        await until(lambda: not any(one.hub.bus_up for one in nodes))
        await until(lambda: all(one.hub.presence(match) == (3, None) for one in nodes))
        os.kill(own_redis.process.pid, signal.SIGCONT)
        await until(lambda: all(one.hub.bus_up for one in nodes))
        await play(log, match, nodes, 20)
        for one in watching:
            await one.reach(41)


async def test_without_redis_watched_matches_are_polled_in_one_query() -> None:
    log, matches = ListLog(), [match_id() for _ in range(5)]
    hub = Hub(log, redis_bus("redis://127.0.0.1:1"), QUICK_BUT_LEFT_ALONE)
    async with node(hub) as here:
        watching = []
        for match in matches:
            log.decide(match)
            watching.append(await here.watch(match))
        await here.current(5)
        compared = log.compared
        for match in matches:
            log.decide(match)  # by some other node
        for one in watching:
            await one.reach(2, seconds=1)

        assert log.compared - compared <= 4
        assert (0, None) == hub.presence(matches[0])
