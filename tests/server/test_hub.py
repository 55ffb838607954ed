import asyncio
import contextlib
import json
import random
import socket
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable, Coroutine
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import msgspec
import pytest
import uvloop
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

import server.fanout.room
from domain.kernel.audience import VIEWERS, Audience
from server.bench.fanout import fanout_bench
from server.fanout.broadcasts import Broadcast, Timing, websocket_bytes
from server.fanout.bus import Exchange, LocalBus
from server.fanout.hub import Hub
from server.fanout.ring import Piece
from server.fanout.room import GATHERED, UNSENT, Room, Subscriber
from tests.server.watching import QUICK, ListLog, Node, Watching, match_id, node, until

HASTY = msgspec.structs.replace(QUICK, again=0.005, poll=0.005, compare=0.02)
"""For what waits for nothing but to be looked at again."""


def hub_of(log: ListLog, timing: Timing = QUICK, exchange: Exchange | None = None) -> Hub:
    return Hub(log, LocalBus(exchange), timing)


async def test_after_zero_is_given_the_view_and_then_what_comes() -> None:
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    async with node(hub_of(log)) as here:
        watching = await here.watch(match)
        await watching.reach(5)

        here.hub.deliver(log.decide(match, 2))
        await watching.reach(7)

        assert [(0, 5), (5, 7)] == watching.ranges
        assert 1 == watching.views


async def test_hello_is_answered_from_the_log_and_later_from_the_ring() -> None:
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    async with node(hub_of(log)) as here:
        first = await here.watch(match, after=3)
        await first.reach(5)
        for _ in range(3):
            here.hub.deliver(log.decide(match))
        reads = log.reads
        second = await here.watch(match, after=6)
        await second.reach(8)

        assert [(3, 5), (5, 6), (6, 7), (7, 8)] == first.ranges
        assert [(6, 7), (7, 8)] == second.ranges
        assert reads == log.reads


async def test_one_who_has_everything_is_sent_nothing() -> None:
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    async with node(hub_of(log)) as here:
        watching = await here.watch(match, after=5)
        await here.current(1)
        here.hub.deliver(log.decide(match))
        await watching.reach(6)

        assert [(5, 6)] == watching.ranges


async def test_more_than_the_farthest_behind_is_given_the_view() -> None:
    log, match = ListLog(farthest=10), match_id()
    log.decide(match, 50)
    async with node(hub_of(log)) as here:
        watching = await here.watch(match, after=3)
        await watching.reach(50)

        assert (1, [(0, 50)]) == (watching.views, watching.ranges)


async def test_one_who_claims_more_than_there_is_gets_the_view() -> None:
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    async with node(hub_of(log)) as here:
        client = await here.connect(match, Audience.ONLOOKERS, after=10**9)

        assert {
            "type": "view",
            "for": Audience.ONLOOKERS.value,
            "after": 0,
            "upto": 5,
            "pad": "",
        } == json.loads(await client.recv())
        await client.close()


async def test_a_view_that_is_kept_is_not_shown_to_one_who_knows_that_the_log_goes_on() -> None:
    """Nobody told this node, whose room is as it was."""
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    async with node(hub_of(log)) as here:
        first = await here.watch(match)
        await first.reach(5)
        log.decide(match, 3)
        second = await here.watch(match, head=8)
        await second.reach(8)
        await first.reach(8)

        assert [(0, 8)] == second.ranges
        assert [(0, 5), (5, 8)] == first.ranges


async def test_a_view_that_was_asked_for_before_the_log_went_on_is_asked_for_again() -> None:
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    log.gate.clear()
    async with node(hub_of(log)) as here:
        first = await here.watch(match)
        await until(lambda: log.reads)
        log.decide(match, 3)
        second = await here.watch(match, head=8)
        await until(lambda: here.hub.behind == 2)
        log.gate.set()
        await second.reach(8)
        await first.reach(8)

        assert [(0, 8)] == second.ranges


async def test_many_who_arrive_together_cost_one_read() -> None:
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    log.gate.clear()
    async with node(hub_of(log)) as here:
        watchings = [await here.watch(match) for _ in range(20)]
        await until(lambda: here.hub.behind == 20)
        log.gate.set()
        for watching in watchings:
            await watching.reach(5)

        assert 1 == log.reads


async def test_a_frame_of_one_audience_never_reaches_another() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watchings = [await here.watch(match, audience) for audience in VIEWERS for _ in range(2)]
        await here.current(6)
        here.hub.deliver(log.decide(match, audiences=[Audience.SIDE_1]))
        await here.watching[2].reach(2)

        assert [1, 1, 2, 2, 1, 1] == [watching.upto for watching in watchings]

        here.hub.deliver(log.decide(match))  # the others learn of what they missed from the hole
        for watching in watchings:
            await watching.reach(3)


async def test_seats_are_served_before_onlookers() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        for audience in reversed(VIEWERS):
            await here.watch(match, audience)
        await here.current(3)
        order: list[Audience] = []
        take = here.hub.arrived

        def noted(broadcast: Broadcast, node: bytes | None = None) -> None:
            order.append(broadcast.audience)
            take(broadcast, node)

        here.hub.arrived = noted  # type: ignore[method-assign]
        here.hub.deliver(reversed(log.decide(match)))

        assert Audience.ONLOOKERS is order[-1]


async def test_old_frames_are_dropped_and_holes_filled_once() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watchings = [await here.watch(match) for _ in range(3)]
        await here.current(3)
        lost, later = log.decide(match), log.decide(match)
        reads = log.reads
        here.hub.deliver(later)
        here.hub.deliver(later)
        here.hub.deliver(lost)
        for watching in watchings:
            await watching.reach(3)
        await asyncio.sleep(0.02)

        assert [(0, 1), (1, 2), (2, 3)] == watchings[0].ranges
        assert log.reads <= reads + 1


async def test_a_range_without_text_is_read_from_the_log() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watching = await here.watch(match)
        await here.current(1)
        here.hub.arrived(msgspec.structs.replace(log.decide(match)[2], text=b""))
        await watching.reach(2)

        assert [(0, 1), (1, 2)] == watching.ranges


async def test_a_seq_the_log_does_not_know_is_asked_for_three_times_only() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log, Timing(again=0.01, compare=60))) as here:
        watching = await here.watch(match)
        await here.current(1)
        here.hub.arrived(Broadcast(match, Audience.ONLOOKERS, 70, 71, b"{}"))
        await until(lambda: here.hub.tally.resyncs == 3)
        await asyncio.sleep(0.1)

        assert 3 == here.hub.tally.resyncs
        here.hub.deliver(log.decide(match))
        await watching.reach(2)


async def test_what_the_log_is_known_to_hold_is_fetched_for_whoever_was_told_less() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watchings = [await here.watch(match, audience) for audience in VIEWERS]
        await here.current(3)
        log.decide(match, 2)
        here.hub.log_reaches(match, 3)
        for watching in watchings:
            await watching.reach(3)
        reads = log.reads
        here.hub.log_reaches(match, 3)
        here.hub.log_reaches(match_id(), 5)
        await asyncio.sleep(0.05)

        assert reads == log.reads


async def test_too_much_missed_while_current_is_the_view_for_all() -> None:
    log, match = ListLog(farthest=10), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watchings = [await here.watch(match) for _ in range(3)]
        await here.current(3)
        log.decide(match, 50)
        here.hub.compare_with_log([(match, Audience.ONLOOKERS)])
        for watching in watchings:
            await watching.reach(51)
        here.hub.deliver(log.decide(match))
        await watchings[0].reach(52)

        assert [(0, 1), (0, 51), (51, 52)] == watchings[0].ranges


async def test_what_nobody_told_us_of_is_found_when_heads_are_compared() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watching = await here.watch(match)
        await here.current(1)
        log.decide(match)
        await watching.reach(2, seconds=QUICK.compare * 2)


async def test_a_log_that_fails_fails_the_new_watcher_and_leaves_nothing_behind() -> None:
    log, match = ListLog(), match_id()
    log.fault = ConnectionError("away")
    async with node(hub_of(log)) as here:
        client = await here.connect(match)
        await until(lambda: here.faults)

        assert [log.fault] == here.faults
        assert (0, 0, 0) == (here.hub.connections, here.hub.watchers, here.hub.topics)
        await client.close()


async def test_a_log_that_fails_for_a_while_is_asked_again_for_those_who_watch() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watching = await here.watch(match)
        await here.current(1)
        log.fault = ConnectionError("away")
        log.decide(match)
        here.hub.deliver(log.decide(match))
        await asyncio.sleep(0.2)
        log.fault = None
        await watching.reach(3)

        assert (0, 1) == watching.ranges[0]


async def test_leaving_ends_the_subscription_with_the_last() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        first, second = await here.watch(match), await here.watch(match)
        await here.current(2)
        await first.end()
        await until(lambda: here.hub.connections == 1)
        assert 1 == here.hub.topics
        await second.end()
        await until(lambda: here.hub.connections == 0)

        assert (0, 0) == (here.hub.topics, here.hub.watchers)


async def test_a_second_hello_begins_anew() -> None:
    log, match = ListLog(), match_id()
    log.decide(match, 5)
    async with node(hub_of(log)) as here:
        client = await here.connect(match)
        await here.current(1)
        await here.hub.watch(here.connections[0], match, Audience.ONLOOKERS, 2)
        here.hub.deliver(log.decide(match))
        spans = [
            (told["after"], told["upto"]) for told in [json.loads(await client.recv()) for _ in range(3)]
        ]

        assert [(0, 5), (2, 5), (5, 6)] == spans
        assert 1 == here.hub.watchers
        await client.close()


async def test_one_connection_watches_several_matches_and_leaves_one() -> None:
    log, one, two = ListLog(), match_id(), match_id()
    log.decide(one)
    log.decide(two, 2)
    async with node(hub_of(log)) as here:
        client = await here.connect(one)
        await here.current(1)
        await here.hub.watch(here.connections[0], two, Audience.SIDE_0, 0)
        here.hub.leave(here.connections[0], one)
        here.hub.deliver(log.decide(one))
        here.hub.deliver(log.decide(two))
        got = [json.loads(await client.recv()) for _ in range(3)]

        assert [
            (Audience.ONLOOKERS.value, 0, 1),
            (Audience.SIDE_0.value, 0, 2),
            (Audience.SIDE_0.value, 2, 3),
        ] == [(told["for"], told["after"], told["upto"]) for told in got]
        await client.close()


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65535, 65536, 200_000])
async def test_ready_bytes_are_frames_to_a_real_client(length: int) -> None:
    log, match = ListLog(), match_id()
    text = b"x" * length
    async with node(hub_of(log)) as here:
        client = await here.connect(match)
        await client.recv()
        await here.current(1)
        here.hub.send_here(match, text)
        here.hub.send_here(match, b"y")

        assert [text.decode(), "y"] == [await client.recv(), await client.recv()]
        await client.close()


async def in_parts() -> AsyncIterator[str]:
    for part in ('{"fragments":', '"' + "z" * 5000 + '"', "}"):
        yield part
        await asyncio.sleep(0.001)


async def test_ordinary_sends_pings_and_ready_bytes_share_a_connection() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    log.weight = 3000
    async with node(hub_of(log), ping_interval=0.01) as here:
        client = await here.connect(match)
        await here.current(1)
        connection = here.connections[0]

        async def prompts() -> None:
            for number in range(200):
                await connection.send(json.dumps({"prompt": number}))

        async def fragments() -> None:
            for _ in range(50):
                await connection.send(in_parts())

        async def frames() -> None:
            for _ in range(200):
                here.hub.deliver(log.decide(match))
                await asyncio.sleep(0)

        sending = asyncio.gather(prompts(), fragments(), frames())
        upto, told = 0, 0
        while upto < 201 or told < 250:
            message = json.loads(await client.recv())
            if "upto" in message:
                assert upto == message["after"]
                upto = message["upto"]
            else:
                told += 1
        await sending

        assert (201, 250) == (upto, told)
        await client.close()


async def test_nothing_is_written_once_closing_has_begun() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        client = await here.connect(match)
        await client.recv()
        await here.current(1)
        closing = asyncio.create_task(here.connections[0].close(4000, "bye"))
        await asyncio.sleep(0)
        assert State.OPEN is not here.connections[0].state
        here.hub.deliver(log.decide(match))
        with pytest.raises(ConnectionClosed):
            await client.recv()
        await closing

        assert 4000 == client.close_code


async def test_a_transport_that_ends_in_this_turn_costs_its_own_connection_only() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        lost, kept = await here.connect(match), await here.watch(match)
        await here.current(2)
        here.connections[0].transport.abort()
        for _ in range(5):
            here.hub.deliver(log.decide(match))
        await kept.reach(6)
        await until(lambda: here.hub.connections == 1)
        await lost.close()


async def never_reading(here: object, match: UUID) -> socket.socket:
    """Open a websocket by hand, with little room to receive, and read no further than the handshake."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.setblocking(False)
    loop = asyncio.get_running_loop()
    port = next(iter(here.server.sockets)).getsockname()[1]  # type: ignore[attr-defined]
    await loop.sock_connect(made, ("127.0.0.1", port))
    lines = [
        f"GET /{match}/2/0/0 HTTP/1.1", f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "",
    ]  # fmt: skip
    await loop.sock_sendall(made, "\r\n".join(lines).encode())
    assert b"101" in await loop.sock_recv(made, 20)
    return made


async def test_one_who_never_reads_is_cut_off_and_nobody_else_waits() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    timing = msgspec.structs.replace(QUICK, patience=1.0, farewell=0.5, compare=60.0)
    async with node(hub_of(log, timing)) as here:
        sleepers = [await never_reading(here, match) for _ in range(5)]
        readers = [await here.watch(match) for _ in range(5)]
        await here.current(10)
        log.weight = 20_000
        tracemalloc.start()
        worst = 0
        for _ in range(600):
            here.hub.deliver(log.decide(match))
            worst = max([worst, *(line.unsent() for line in here.hub._subscribers.values())])
            await asyncio.sleep(0.001)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        for reader in readers:
            await reader.reach(601)
        assert UNSENT + 21_000 >= worst
        assert held < 40_000_000  # 12 MB were sent to each; the ring holds 4
        await until(lambda: here.hub.tally.closed_slow == 5)
        await until(lambda: here.hub.connections == 5)

        loop = asyncio.get_running_loop()
        for sleeper in sleepers:
            received = b""
            async with asyncio.timeout(10):  # what was on its way, and then the end
                with contextlib.suppress(ConnectionResetError):
                    while more := await loop.sock_recv(sleeper, 1 << 20):
                        received += more
            sleeper.close()
            assert received
        assert 5 == here.hub.tally.closed_slow


async def test_one_who_reads_again_in_time_hears_4008() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    timing = msgspec.structs.replace(QUICK, patience=0.3, farewell=5.0)
    async with node(hub_of(log, timing)) as here:
        client = await here.connect(match, max_queue=1)
        client.transport.pause_reading()
        await here.current(1)
        log.weight = 50_000
        while not here.hub.tally.closed_slow:
            here.hub.deliver(log.decide(match))
            await asyncio.sleep(0.002)
        client.transport.resume_reading()
        with contextlib.suppress(ConnectionClosed):
            while True:
                await client.recv()

        assert 4008 == client.close_code


async def stall(here: object, match: UUID, log: ListLog) -> int:
    """Deliver until the only watcher is behind; return the head."""
    hub = here.hub  # type: ignore[attr-defined]
    while not hub.behind:
        hub.deliver(log.decide(match))
        await asyncio.sleep(0)
    return log.head(match)


async def test_behind_for_a_while_is_served_from_the_ring_without_a_hole() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        client = await here.connect(match, max_queue=1)
        client.transport.pause_reading()
        await here.current(1)
        log.weight = 20_000
        head = await stall(here, match, log)
        for _ in range(30):
            here.hub.deliver(log.decide(match))
        reads = log.reads
        client.transport.resume_reading()
        watching = Watching(client, Audience.ONLOOKERS, 0)
        await watching.reach(head + 30)

        assert (1, reads) == (watching.views, log.reads)
        assert head + 30 == len(watching.ranges)
        await here.current(1)
        await watching.end()


async def test_fallen_off_the_ring_gets_the_view_once() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        client = await here.connect(match, max_queue=1)
        client.transport.pause_reading()
        await here.current(1)
        log.weight = 20_000
        await stall(here, match, log)
        for _ in range(400):
            here.hub.deliver(log.decide(match))
        client.transport.resume_reading()
        watching = Watching(client, Audience.ONLOOKERS, 0)
        await watching.reach(log.head(match))
        here.hub.deliver(log.decide(match))
        await watching.reach(log.head(match))

        assert 2 == watching.views  # the first is the one at the start
        assert 0 == here.hub.behind
        await watching.end()


async def test_fallen_off_again_before_being_current_is_closed_with_4008() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    timing = msgspec.structs.replace(QUICK, patience=1.0)
    async with node(hub_of(log, timing)) as here:
        client = await here.connect(match, max_queue=1)
        client.transport.pause_reading()
        await here.current(1)
        log.weight = 20_000
        await stall(here, match, log)
        for _ in range(400):
            here.hub.deliver(log.decide(match))
        log.weight = 20_000_000
        client.transport.resume_reading()
        watching = Watching(client, Audience.ONLOOKERS, 0)
        while here.hub.tally.views < 2:  # in the very turn in which it is written: it is read here, too
            await asyncio.sleep(0)
        log.weight = 0
        for _ in range(400):
            here.hub.deliver(log.decide(match))
        await asyncio.wait([watching.task], timeout=5)

        assert (2, 2, 4008) == (watching.views, here.hub.tally.views, client.close_code)
        await watching.end()


# Rounds

RECEIPT = b'{"type":"receipt"}'


class Written:
    """How many messages each write to a connection had."""

    def __init__(self, hub: Hub) -> None:
        self.writes: dict[ServerConnection, list[int]] = {}
        for connection, subscriber in hub._subscribers.items():
            self._note(subscriber, self.writes.setdefault(connection, []))

    def _note(self, subscriber: Subscriber, writes: list[int]) -> None:
        write = subscriber.write

        def noted(data: bytes) -> None:
            writes.append(data.count(b'{"type"'))
            write(data)

        subscriber.write = noted


@contextlib.asynccontextmanager
async def crowd(
    monkeypatch: pytest.MonkeyPatch, log: ListLog, match: UUID, onlookers: int = 5
) -> AsyncIterator[tuple[Node, Room, Written]]:
    """Onlookers of a match who are written to one a turn of the loop."""
    monkeypatch.setattr(server.fanout.room, "SLICE", 1)
    log.decide(match)
    async with node(hub_of(log, msgspec.structs.replace(QUICK, compare=60.0))) as here:
        for _ in range(onlookers):
            await here.watch(match)
        await here.current(onlookers)
        yield here, here.hub._rooms[match, Audience.ONLOOKERS], Written(here.hub)


@contextlib.asynccontextmanager
async def table(log: ListLog, match: UUID) -> AsyncIterator[tuple[Node, Written]]:
    """Both sides of a match, side 0 by two connections, and an onlooker."""
    log.decide(match)
    async with node(hub_of(log, msgspec.structs.replace(QUICK, compare=60.0))) as here:
        for audience in (Audience.SIDE_0, Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS):
            await here.watch(match, audience)
        await here.current(4)
        yield here, Written(here.hub)


async def test_all_are_written_to_in_the_next_turn_of_the_loop() -> None:
    log, match = ListLog(), match_id()
    async with table(log, match) as (here, written):
        here.hub.deliver(log.decide(match))
        at_once = [list(written.writes[one]) for one in here.connections]
        await asyncio.sleep(0)

        assert ([[]] * 4, [[1]] * 4) == (at_once, [written.writes[one] for one in here.connections])
        for watching in here.watching:
            await watching.reach(2)


async def test_who_decided_has_frame_and_receipt_in_one_write_before_the_crowd_has_the_frame() -> None:
    log, match = ListLog(), match_id()
    async with table(log, match) as (here, written):
        mover, *others = here.connections
        here.hub.deliver(log.decide(match))
        told = here.hub.receipt(mover, match, RECEIPT)
        at_once = [list(written.writes[one]) for one in here.connections]
        for watching in here.watching:
            await watching.reach(2)

        assert told
        await until(lambda: here.watching[0].receipts)
        assert [[2], [1], [1], []] == at_once
        assert [[1]] * 3 == [written.writes[one] for one in others]
        assert [[2]] == [written.writes[mover]]


async def test_what_another_node_tells_waits_for_the_receipt_of_who_has_it_carry_a_command_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server.fanout.room, "HELD_BACK", 60.0)
    log, match = ListLog(), match_id()
    async with table(log, match) as (here, written):
        mover, *_, onlooker = here.connections
        held: list[list[int]] = []

        async def carried_out(node: bytes, _: bytes) -> bytes:
            for broadcast in log.decide(match):
                here.hub.arrived(broadcast, node)
            await asyncio.sleep(0.01)
            held.extend(list(written.writes[one]) for one in here.connections)
            return b"stored"

        monkeypatch.setattr(here.hub._bus, "ask", carried_out)
        await here.hub.ask(b"another", b"a command", match)
        told = here.hub.receipt(mover, match, RECEIPT)
        at_once = [list(written.writes[one]) for one in here.connections]
        await asyncio.sleep(0)

        assert told
        assert [[]] * 4 == held
        assert [[2], [1], [1], []] == at_once
        assert [1] == written.writes[onlooker]


async def test_what_another_node_tells_does_not_wait_long_for_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with table(log, match) as (here, _):
        silent = asyncio.Event()

        async def nothing(*_: bytes) -> bytes:
            await silent.wait()
            return b""

        monkeypatch.setattr(here.hub._bus, "ask", nothing)
        asking = asyncio.create_task(here.hub.ask(b"another", b"a command", match))
        await asyncio.sleep(0)
        for broadcast in log.decide(match):
            here.hub.arrived(broadcast, b"another")
        for watching in here.watching:
            await watching.reach(2)
        silent.set()
        await asking
        here.hub.arrived(log.decide(match)[-1], b"another")

        assert not here.hub._asking


async def test_a_receipt_alone_is_left_to_who_sends_it() -> None:
    """Given a command that was stored before, or one who is told nothing of the match."""
    log, match = ListLog(), match_id()
    async with table(log, match) as (here, written):
        mover = here.connections[0]
        alone = here.hub.receipt(mover, match, RECEIPT), here.hub.receipt(mover, match_id(), RECEIPT)

        assert (False, False) == alone
        assert [[]] * 4 == list(written.writes.values())


async def test_a_receipt_is_not_written_to_one_who_is_behind_and_the_others_have_the_frame(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with table(log, match) as (here, written):
        mover = here.connections[0]
        subscriber = here.hub._subscribers[mover]
        monkeypatch.setattr(subscriber, "unsent", lambda: UNSENT)
        here.hub.deliver(log.decide(match))
        told = here.hub.receipt(mover, match, RECEIPT)

        assert not told
        assert [[], [1], [1], []] == [written.writes[one] for one in here.connections]
        assert match in subscriber.behind
        monkeypatch.undo()
        for watching in here.watching:
            await watching.reach(2)


async def test_a_crowd_has_the_first_frame_at_once_and_what_follows_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, _, written):
        here.hub.deliver(log.decide(match))
        await asyncio.sleep(0)
        first = sorted(map(len, written.writes.values()))
        for _ in range(3):  # while four are left of five
            here.hub.deliver(log.decide(match))
            await asyncio.sleep(0)
        for watching in here.watching:
            await watching.reach(5)

        assert [0, 0, 0, 0, 1] == first
        assert [[1, 3]] * 5 == list(written.writes.values())


async def test_a_round_rests_as_long_as_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, room, written):
        clock = [0.0]
        monkeypatch.setattr("server.fanout.room.time", SimpleNamespace(monotonic=lambda: clock[0]))
        here.hub.deliver(log.decide(match))
        await asyncio.sleep(0)
        clock[0] = 7.0
        await until(lambda: room.round is None)
        free = room.free
        here.hub.deliver(log.decide(match))

        assert 14.0 == free
        assert isinstance(room.turn, asyncio.TimerHandle)
        here.hub.flush()
        assert [[1, 1]] * 5 == list(written.writes.values())


async def test_one_who_comes_with_what_is_gathered_has_each_frame_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, room, _):
        room.free = time.monotonic() + 60.0
        for _ in range(5):
            here.hub.deliver(log.decide(match))
        late = await here.watch(match, after=3)
        await late.reach(6)
        assert {1} == {watching.upto for watching in here.watching[:5]}
        here.hub.flush()
        here.hub.deliver(log.decide(match))
        for watching in here.watching:
            await watching.reach(7)

        assert [(3, 4), (4, 5), (5, 6), (6, 7)] == late.ranges


async def test_who_says_hello_again_during_a_round_has_each_frame_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, room, _):
        here.hub.deliver(log.decide(match))
        await asyncio.sleep(0)
        assert room.round is not None
        left = [subscriber.connection for subscriber in room.round.left]
        here.hub.leave(left[0], match)
        again = asyncio.create_task(here.hub.watch(left[1], match, Audience.ONLOOKERS, 1))
        here.hub.deliver(log.decide(match))
        await again
        await until(lambda: 4 == [watching.upto for watching in here.watching].count(3))

        assert [(0, 1)] == next(one.ranges for one in here.watching if one.upto == 1)


async def test_a_view_that_is_sent_during_a_round_comes_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, room, _):
        here.hub.deliver(log.decide(match))
        await asyncio.sleep(0)
        here.hub.deliver(log.decide(match))
        log.decide(match, 50)
        view = await log.view(match, Audience.ONLOOKERS)
        assert room.round is not None
        assert room.ring is not None
        room.restart(room.ring, Piece(0, 53, websocket_bytes(view.text)))
        for watching in here.watching:
            await watching.reach(53)

        assert [[(0, 1), (1, 2), (2, 3), (0, 53)]] * 5 == [watching.ranges for watching in here.watching]


async def test_what_a_crowd_gathers_is_written_in_rounds_of_no_more_than_may_be_unsent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, room, written):
        log.weight = 20_000
        for _ in range(20):
            here.hub.deliver(log.decide(match))
        at_once = sum(map(len, written.writes.values()))
        gathered = room.size
        largest = 0
        while room.gathered or room.round:
            await asyncio.sleep(0)
            largest = max(largest, len(room.round.data) if room.round else 0)
        for watching in here.watching:
            await watching.reach(21)

        assert 0 == at_once
        assert gathered > 400_000
        assert 60_000 < largest <= GATHERED
        ranges = [(seq, seq + 1) for seq in range(21)]
        assert [ranges] * 5 == [watching.ranges for watching in here.watching]


async def test_one_who_comes_while_rounds_are_left_has_each_frame_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, _, _):
        log.weight = 20_000
        for _ in range(20):
            here.hub.deliver(log.decide(match))
        await asyncio.sleep(0)
        late = [await here.watch(match, after=after) for after in (1, 4, 21)]
        here.hub.deliver(log.decide(match))
        for watching in here.watching:
            await watching.reach(22)

        begun = [[after for after, _ in one.ranges] for one in late]
        assert [[*range(1, 22)], [*range(4, 22)], [21]] == begun


async def test_a_room_holds_so_much_for_a_crowd_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    log, match = ListLog(), match_id()
    monkeypatch.setattr("server.fanout.room.HELD", 100_000)
    async with crowd(monkeypatch, log, match) as (here, room, _):
        log.weight = 20_000
        most = 0
        for _ in range(20):
            here.hub.deliver(log.decide(match))
            most = max(most, room.size)
        for watching in here.watching:
            await watching.reach(21)

        assert 80_000 < most < 100_000


async def test_what_is_gathered_leaves_no_more_unsent_than_a_single_frame() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log, msgspec.structs.replace(QUICK, compare=60.0))) as here:
        client = await here.connect(match, max_queue=1)
        client.transport.pause_reading()
        await here.current(1)
        log.weight = 20_000
        (line,) = here.hub._subscribers.values()
        while line.unsent() < 30_000:
            here.hub.deliver(log.decide(match))
            here.hub.flush()
        for _ in range(3):
            here.hub.deliver(log.decide(match))
        here.hub.flush()

        assert (1, True) == (here.hub.behind, line.unsent() < UNSENT + 21_000)
        client.transport.resume_reading()
        watching = Watching(client, Audience.ONLOOKERS, 0)
        await watching.reach(log.head(match))
        await watching.end()


async def test_what_is_on_its_way_to_a_crowd_is_written_before_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, match = ListLog(), match_id()
    async with crowd(monkeypatch, log, match) as (here, _, written):
        for _ in range(2):
            here.hub.deliver(log.decide(match))
            await asyncio.sleep(0)
        here.hub.flush()

        assert [[1, 1]] * 5 == list(written.writes.values())


async def test_presence_counts_seats_and_onlookers_over_all_nodes() -> None:
    log, match, exchange = ListLog(), match_id(), Exchange()
    log.decide(match)
    heard: list[tuple[int, int | None]] = []
    one = Hub(log, LocalBus(exchange), QUICK, lambda _, seats, onlookers: heard.append((seats, onlookers)))
    async with node(one) as here, node(hub_of(log, QUICK, exchange)) as there:
        first, _ = await here.watch(match, Audience.SIDE_0), await here.watch(match, Audience.SIDE_0)
        await there.watch(match, Audience.SIDE_1)
        await there.watch(match, Audience.ONLOOKERS)
        await until(lambda: here.hub.presence(match) == (3, 1))
        await first.end()
        await asyncio.sleep(4 * QUICK.presence)
        assert (3, 1) == here.hub.presence(match)
        await here.watching[1].end()
        await until(lambda: there.hub.presence(match) == (2, 1))

        assert (3, 1) == heard[-1]
        assert len(heard) == len(set(heard))


async def test_frames_of_one_node_reach_watchers_of_another() -> None:
    log, match, exchange = ListLog(), match_id(), Exchange()
    log.decide(match)
    async with node(hub_of(log, QUICK, exchange)) as here, node(hub_of(log, QUICK, exchange)) as there:
        watchings = [await here.watch(match), await there.watch(match, Audience.SIDE_1)]
        await here.current(1)
        await there.current(1)
        reads = log.reads
        for number in range(20):
            (here, there)[number % 2].hub.deliver(log.decide(match))
            await asyncio.sleep(0.001)
        for watching in watchings:
            await watching.reach(21)

        assert reads == log.reads


async def test_who_leaves_a_match_while_its_log_is_read_watches_the_others_on() -> None:
    """Given a connection that waits for two matches, of which the first is asked for."""
    log, left, match = ListLog(), match_id(), match_id()
    for one in (left, match):
        log.decide(one)
    log.gate.clear()
    async with node(hub_of(log)) as here, asyncio.timeout(5):
        client = await here.connect(left)
        await until(lambda: log.reads)
        (connection,) = here.connections
        second = asyncio.create_task(here.hub.watch(connection, match, Audience.ONLOOKERS, 0))
        await until(lambda: here.hub.behind == 2)
        here.hub.leave(connection, left)
        log.gate.set()
        await second
        watching = Watching(client, Audience.ONLOOKERS, 0)
        await watching.reach(1)
        here.hub.deliver(log.decide(match))
        await watching.reach(2)
        await watching.end()


async def test_nobody_who_watches_is_told_that_links_have_changed_and_his_node_is() -> None:
    log, match, exchange, doubted = ListLog(), match_id(), Exchange(), list[UUID]()
    log.decide(match)
    async with node(hub_of(log, QUICK, exchange)) as here, node(hub_of(log, QUICK, exchange)) as there:
        watching = await there.watch(match)
        await there.current(1)
        there.hub.links_doubted = doubted.append
        here.hub.links_changed(match)
        await until(lambda: doubted)
        here.hub.deliver(log.decide(match))
        await watching.reach(2)

        assert [match] == doubted
        assert [(0, 1), (1, 2)] == watching.ranges


async def test_links_are_looked_at_whenever_something_may_have_been_missed() -> None:
    """What was told between the look at a link that somebody comes by and the subscription is not heard."""
    log, match, doubted = ListLog(), match_id(), list[UUID]()
    log.decide(match)
    async with node(hub_of(log)) as here:
        here.hub.links_doubted = doubted.append
        await here.watch(match)
        await until(lambda: doubted)

        assert [match] == doubted


async def test_links_are_looked_at_where_a_seat_changes_hands_or_the_log_had_to_be_read() -> None:
    """Whoever stored it may have broken off before he tells of the links."""
    log, match, doubted = ListLog(), match_id(), list[UUID]()
    log.decide(match)
    async with node(hub_of(log)) as here:
        here.hub.links_doubted = doubted.append
        watching = await here.watch(match)
        await here.current(1)
        await until(lambda: doubted)
        doubted.clear()
        here.hub.deliver(log.decide(match))
        await watching.reach(2)
        decided = list(doubted)
        for broadcast in log.decide(match):
            text = broadcast.text.replace(b'{"', b'{"fact": "SeatReplaced", "', 1)
            here.hub.arrived(msgspec.structs.replace(broadcast, text=text), b"another")
        replaced = list(doubted)
        doubted.clear()
        log.decide(match)
        here.hub.log_reaches(match, 4)
        await until(lambda: doubted)

        assert ([], [match], [match]) == (decided, replaced, doubted)


async def test_links_are_looked_at_where_a_range_comes_without_its_text() -> None:
    """What was owed of a match may have been joined with what was told of its links."""
    log, match, doubted = ListLog(), match_id(), list[UUID]()
    log.decide(match)
    async with node(hub_of(log)) as here:
        here.hub.links_doubted = doubted.append
        watching = await here.watch(match)
        await until(lambda: doubted)
        doubted.clear()
        for broadcast in log.decide(match):
            here.hub.arrived(msgspec.structs.replace(broadcast, text=b""), b"another")
        told = list(doubted)
        await watching.reach(2)

        assert [match] == told


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a failure takes seconds; to shrink it, minutes
)
@given(st.randoms(use_true_random=True))  # seeded all the same; drawing each number is slow
def test_watchers_see_joined_ranges_whatever_order_frames_come_in(chance: random.Random) -> None:
    asyncio.run(shuffled(chance))


async def test_a_ring_that_begins_anew_leaves_nobody_behind() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        watching = await here.watch(match)
        await here.current(1)
        room = here.hub._rooms[match, Audience.ONLOOKERS]
        assert room.ring is not None
        _, watcher = room.current.popitem()  # it has just been given the view ...
        watcher.place, watcher.viewed = 1, True
        log.decide(match, 50)
        room.ring.restart(51)  # ... when the room began anew
        room.sent = room.announced = 51
        here.hub._slow.serve(watcher)
        await watching.reach(51, seconds=1)

        assert [(0, 1), (0, 51)] == watching.ranges


async def shuffled(chance: random.Random) -> None:
    log, match = ListLog(farthest=chance.choice([5, 2000])), match_id()
    log.decide(match, 3)
    async with node(hub_of(log, HASTY)) as here:
        for _ in range(6):
            await here.watch(match, VIEWERS[chance.randrange(3)], chance.choice([0, 1, 2, 3]))
        held: list[Broadcast] = []
        for _ in range(60):
            held += log.decide(match, chance.randint(1, 3))
            chance.shuffle(held)
            for broadcast in [held.pop() for _ in range(chance.randint(0, len(held)))]:
                if chance.random() < 0.9:
                    here.hub.arrived(broadcast)
                if chance.random() < 0.2:
                    here.hub.arrived(broadcast)
            if chance.random() < 0.3:
                await asyncio.sleep(0.001)
            if chance.random() < 0.1:
                await here.watch(match, VIEWERS[chance.randrange(3)], chance.randint(0, log.head(match)))
        for watching in here.watching:
            await watching.reach(log.head(match))


async def test_a_fault_of_ours_closes_the_connection_it_concerns_and_no_other() -> None:
    log, match = ListLog(), match_id()
    log.decide(match)
    async with node(hub_of(log)) as here:
        kept = await here.watch(match)
        await here.current(1)
        here.hub._slow._join = lambda _: 1 / 0  # type: ignore[method-assign,assignment]
        lost = await here.connect(match)
        await lost.wait_closed()
        here.hub.deliver(log.decide(match))
        await kept.reach(2)

        assert 1011 == lost.close_code


async def test_the_measurement_of_the_fan_out_runs() -> None:
    results = await fanout_bench(sizes=[5], rounds=1, seconds=0.001)

    assert ["raw asyncio", "websockets broadcast", "raw asyncio"] == [result.against for result in results]
    assert all(result.value > 0 < result.ratio for result in results)


@pytest.mark.parametrize(
    "test",
    [
        test_ordinary_sends_pings_and_ready_bytes_share_a_connection,
        test_nothing_is_written_once_closing_has_begun,
        test_a_transport_that_ends_in_this_turn_costs_its_own_connection_only,
        test_one_who_never_reads_is_cut_off_and_nobody_else_waits,
        test_one_who_reads_again_in_time_hears_4008,
        test_behind_for_a_while_is_served_from_the_ring_without_a_hole,
        test_fallen_off_the_ring_gets_the_view_once,
        test_fallen_off_again_before_being_current_is_closed_with_4008,
        test_too_much_missed_while_current_is_the_view_for_all,
    ],
)
def test_transports_of_uvloop_keep_the_same_laws(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    uvloop.run(test())


def test_the_header_of_a_frame_says_its_length() -> None:
    assert b"\x81\x00" == websocket_bytes(b"")
    assert b"\x81\x7d" == websocket_bytes(bytes(125))[:2]
    assert b"\x81\x7e\x00\x7e" == websocket_bytes(bytes(126))[:4]
    assert b"\x81\x7f\x00\x00\x00\x00\x00\x01\x00\x00" == websocket_bytes(bytes(65536))[:10]
