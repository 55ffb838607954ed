"""What is read from a connection and an address, and when: all is counted, and beyond a limit it waits."""

import asyncio
import contextlib
import gc
import socket
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from msgspec import json
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.frames import Frame, Opcode

from server import addresses, limits
from server.addresses import Address, Addresses, network
from server.limits import KIB, SOCKETS, Bucket
from server.postgres.database import Database, connection
from server.serving import Serving
from server.socket import paced
from server.socket.arriving import ARRIVING
from server.socket.paced import Paced
from tests.conftest import running
from tests.server.flood import HANDSHAKE
from tests.server.reading import exchange, get
from tests.server.talk import Talk, enter, offer, prompt, seated, talking, token

EVER = 1e9
"""Seconds until what was spent is back: not while a test runs."""


@pytest.fixture
def limited() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def only(server: Serving) -> Paced:
    """Return the one connection of a server."""
    (connection,) = server.gateway.connections
    return connection


def only_of(server: Serving, talk: Talk) -> Paced:
    """Return the connection of a server to one who talks."""
    place = talk.socket.local_address
    return next(one for one in server.gateway.connections if one.remote_address == place)


def left(bucket: Bucket) -> float:
    bucket.owed()
    return bucket._tokens


def put(talk: Talk, kind: Opcode, data: bytes = b"", *, fin: bool = True) -> int:
    """Send one frame as it stands; return its bytes."""
    written = Frame(kind, data, fin).serialize(mask=True)
    talk.socket.transport.write(written)
    return len(written)


PING_MESSAGE = json.encode({"t": "ping"})

KINDS = {
    "a message": [(Opcode.TEXT, PING_MESSAGE, True)],
    "a ping": [(Opcode.PING, b"", True)],
    "a pong": [(Opcode.PONG, b"x", True)],
    "an empty ping with a load": [(Opcode.PING, 100 * b"x", True)],
    "fragments": [
        (Opcode.TEXT, b"", False),
        (Opcode.CONT, PING_MESSAGE[:4], False),
        (Opcode.CONT, b"", False),
        (Opcode.CONT, PING_MESSAGE[4:], True),
    ],
}


@pytest.mark.parametrize("kind", KINDS)
async def test_every_frame_spends_of_its_connection_and_of_its_address(
    server: Serving, limited: pytest.MonkeyPatch, kind: str
) -> None:
    limited.setattr(paced, "FRAMES", (100, EVER))
    limited.setattr(addresses, "WORK", (100, EVER))
    async with talking(server.url) as talk:
        await talk.say("ping")
        await talk.hear("pong")
        connection = only(server)
        before = left(connection._frames), left(connection.address.work)
        frames, size = 0, 0
        for frame, data, fin in 5 * KINDS[kind]:
            size += put(talk, frame, data, fin=fin)
            frames += 1
        size += put(talk, Opcode.TEXT, b'{"t":"hello","version":9,"match":"%b"}' % NOBODY)
        assert "version" == (await talk.hear("refused"))["code"]

        spent = frames + 1 + size / KIB
        assert spent == pytest.approx(before[0] - left(connection._frames))
        assert spent + limits.HELLO == pytest.approx(before[1] - left(connection.address.work))


NOBODY = b"00000000-0000-7000-8000-000000000000"

ASKED: dict[str, dict[str, Any]] = {
    "say": {"room": "table", "text": "Ahoy"},
    "decide": {"answers": 1, "decision": {"type": "Pass"}},
    "undo": {},
    "foresee": {"answers": 1, "decisions": [{"type": "Pass"}]},
    "suggest": {"answers": 1},
    "revoke": {"seat": 1},
    "withdraw": {},
}
"""What a seat may ask for in a match that is under way, of which none is stored."""


@pytest.mark.parametrize("t", ASKED)
async def test_a_line_of_chat_and_a_command_that_is_not_stored_cost_their_address_more(
    server: Serving, limited: pytest.MonkeyPatch, t: str
) -> None:
    limited.setattr(paced, "FRAMES", (100, EVER))
    limited.setattr(addresses, "WORK", (1000, EVER))
    async with seated(server.url) as (created, north, _):
        connection = only_of(server, north)
        before = left(connection._frames), left(connection.address.work)
        command = {} if t in {"say", "revoke", "withdraw"} else {"command": uuid4()}
        size = put(
            north, Opcode.TEXT, json.encode({"t": t, "match": created["match"], **command, **ASKED[t]})
        )
        assert ("said" if t == "say" else "refused") == (await north.hear("said", "refused"))["t"]

        spent = 1 + size / KIB
        assert spent == pytest.approx(before[0] - left(connection._frames))
        assert spent + limits.COMMAND == pytest.approx(before[1] - left(connection.address.work))


@pytest.mark.parametrize("kind", KINDS)
async def test_beyond_its_budget_a_connection_is_not_read_and_others_are(
    server: Serving, limited: pytest.MonkeyPatch, kind: str
) -> None:
    limited.setattr(paced, "FRAMES", (10, EVER))
    async with talking(server.url) as flood, talking(server.url) as other:
        await other.say("ping")
        await other.hear("pong")
        for frame, data, fin in 60 * KINDS[kind]:
            put(flood, frame, data, fin=fin)
        held = only_of(server, flood)
        while not held._unread or left(held._frames) > 0:
            await asyncio.sleep(0.001)
        left_unread = len(held._unread)
        await other.say("ping")
        await other.hear("pong")

        assert left_unread == len(held._unread)
        assert -paced.SLICE / 6 <= left(held._frames) <= 0
        assert not held.transport.is_reading()
        flood.socket.transport.abort()


async def test_what_was_not_read_is_read_when_the_budget_is_back(
    server: Serving, limited: pytest.MonkeyPatch
) -> None:
    limited.setattr(paced, "FRAMES", (10, 0.05))
    async with talking(server.url) as talk:
        for _ in range(100):
            put(talk, Opcode.TEXT, PING_MESSAGE)
        for _ in range(100):
            await talk.hear("pong")


async def test_messages_that_nobody_takes_are_not_read_either(
    server: Serving, limited: pytest.MonkeyPatch
) -> None:
    go_on = asyncio.Event()
    access = server.lobby.links.access

    async def slowly(*given: Any) -> Any:
        await go_on.wait()
        return await access(*given)

    created = await offer(server.url)
    limited.setattr(server.lobby.links, "access", slowly)
    async with talking(server.url) as talk:
        await talk.say("hello", version=1, match=created["match"])
        for _ in range(80):
            put(talk, Opcode.TEXT, PING_MESSAGE)
        while not only(server)._unread:
            await asyncio.sleep(0.001)
        assert len(only(server).recv_messages.frames) < 30
        go_on.set()
        await talk.hear("view")
        for _ in range(80):
            await talk.hear("pong")


async def test_an_address_waits_as_one_and_another_does_not(
    server: Serving, limited: pytest.MonkeyPatch
) -> None:
    limited.setattr(addresses, "WORK", (30, EVER))
    first, second = {"local_addr": ("127.0.0.2", 0)}, {"local_addr": ("127.0.0.3", 0)}
    async with talking(server.url, **first) as one, talking(server.url, **first) as two:
        for _ in range(60):
            put(one, Opcode.PING)
        while len(server.gateway.connections) < 2 or not any(c._unread for c in server.gateway.connections):
            await asyncio.sleep(0.001)
        await two.say("ping")
        async with talking(server.url, **second) as elsewhere:
            for _ in range(3):
                await elsewhere.say("ping")
                await elsewhere.hear("pong")
        mine = [c for c in server.gateway.connections if c.remote_address[0] == "127.0.0.2"]

        assert [True, True] == [bool(connection._unread) for connection in mine]
        one.socket.transport.abort()
        two.socket.transport.abort()


async def test_a_great_deal_too_much_is_closed_with_a_code_that_is_not_final_and_a_line(
    server: Serving, limited: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    limited.setattr(paced, "FRAMES", (10, EVER))
    async with talking(server.url) as talk, talking(server.url) as other:
        talk.socket.transport.write(20_000 * Frame(Opcode.PING, b"").serialize(mask=True))
        with pytest.raises(ConnectionClosed):
            await talk.hear("never")
        await other.say("ping")
        await other.hear("pong")

    assert 1008 == talk.socket.close_code
    assert 1 == "".join(capfd.readouterr()).count("too much at once")


async def test_what_is_stored_costs_nothing(server: Serving, limited: pytest.MonkeyPatch) -> None:
    limited.setattr(paced, "FRAMES", (20, EVER))
    limited.setattr(addresses, "WORK", (90, EVER))
    async with seated(server.url) as (created, north, _):
        kinds = []
        for _ in range(40):
            upto, options = await prompt(north, 0)
            sent = {"match": created["match"], "answers": upto, "decision": options[0]}
            kinds.append((await north.ask("decide", **sent))["t"])
            kinds.append((await north.ask("undo", match=created["match"]))["t"])

        assert ["receipt"] * 80 == kinds


async def test_whoever_connects_too_often_waits_and_is_served(
    dsn: str, folder: Any, limited: pytest.MonkeyPatch
) -> None:
    limited.setattr(addresses, "ARRIVALS", (2, 0.1))
    async with running(dsn, folder) as server:
        got = await asyncio.gather(*(get(server.url, "/healthz") for _ in range(10)))

    assert [200] * 10 == [one.status for one in got]


@pytest.mark.parametrize("proxies", [0, 1])
async def test_where_too_many_wait_the_next_is_turned_away_and_other_addresses_are_not(
    dsn: str, folder: Any, limited: pytest.MonkeyPatch, proxies: int
) -> None:
    limited.setattr(addresses, "ARRIVALS", (1, EVER))
    limited.setattr(addresses, "LONGEST_WAIT", 0.0)

    def asked(address: str) -> dict[str, Any]:
        if proxies:
            return {"additional_headers": {"X-Forwarded-For": address}}
        return {"local_addr": (address, 0)}

    async with running(dsn, folder, proxies=proxies) as server:
        for address in ("127.0.0.2", "127.0.0.3"):
            async with talking(server.url, **asked(address)) as talk:
                await talk.say("ping")
                await talk.hear("pong")
            wait = server.addresses._of(address).arrivals
            wait.spend(5)
            with pytest.raises((OSError, EOFError, InvalidHandshake)):
                async with talking(server.url, **asked(address)):
                    pass


async def test_connections_that_never_ask_leave_room_for_other_addresses(
    dsn: str, folder: Any, limited: pytest.MonkeyPatch
) -> None:
    limited.setattr(addresses, "CALLS", 4 - limits.SOCKETS)
    async with running(dsn, folder) as server:
        place = urlsplit(server.url)
        with contextlib.ExitStack() as stack:
            for _ in range(8):
                made = socket.create_connection((place.hostname, place.port), 5, ("127.0.0.2", 0))
                stack.enter_context(made)
            async with talking(server.url) as talk:
                await talk.say("ping")
                await talk.hear("pong")
            assert 4 == server.addresses._of("127.0.0.2").calls


async def test_nothing_is_kept_of_a_connection_that_has_ended(server: Serving) -> None:
    async with talking(server.url) as talk:
        await talk.say("ping")
        await talk.hear("pong")
        address = only(server).address
        assert (1, 1) == (address.calls, address.sockets)
    await get(server.url, "/healthz")
    await exchange(server.url, b"nonsense\r\n\r\n")
    while address.calls:
        await asyncio.sleep(0.001)

    assert 0 == address.sockets


async def ask_and_go(server: Serving, request: bytes) -> None:
    """Ask something ten times, and go each time at once, so that the server reads both together."""
    place = urlsplit(server.url)
    for _ in range(10):
        with socket.create_connection((place.hostname, place.port or 0), timeout=10) as comer:
            comer.sendall(request)
    await get(server.url, "/healthz")  # the kernel hands over who came before it
    async with asyncio.timeout(10):
        while server.addresses.at(("127.0.0.1", 1)).calls:
            await asyncio.sleep(0.001)
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize("arrivals", [(100, 1.0), (1, 0.05)], ids=["at once", "after a wait"])
async def test_who_opens_a_websocket_and_goes_before_it_is_answered_is_not_counted_for_ever(
    dsn: str, folder: Path, limited: pytest.MonkeyPatch, arrivals: tuple[float, float]
) -> None:
    limited.setattr(addresses, "ARRIVALS", arrivals)
    async with running(dsn, folder) as server:
        await ask_and_go(server, HANDSHAKE)

        assert 0 == server.addresses.at(("127.0.0.1", 1)).sockets


async def test_who_goes_before_it_is_known_who_he_is_behind_a_proxy_is_not_counted_for_ever(
    dsn: str, folder: Path
) -> None:
    told = HANDSHAKE.replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 203.0.113.1\r\n\r\n")
    async with running(dsn, folder, proxies=1) as server:
        await ask_and_go(server, told)
        there = server.addresses.under("203.0.113.1")

        assert (0, 0) == (there.calls, there.sockets)


async def test_who_comes_while_the_server_ends_is_cut_off_and_not_left_open(server: Serving) -> None:
    server.addresses.close()
    place = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: fleet.example\r\n\r\n")

    async with asyncio.timeout(10):
        with contextlib.suppress(ConnectionResetError):
            assert b"" == await reader.read()
    writer.close()


@pytest.mark.parametrize("iterations", [1, 2, 3, 4])
async def test_who_was_accepted_when_the_server_began_to_end_is_cut_off_too(
    dsn: str, folder: Path, iterations: int
) -> None:
    """Given connections of which the loop is told as the server ends, or in the iterations before.

    asyncio leaves those open whose first step comes after the end of the listening.
    """
    async with running(dsn, folder) as server:
        place = urlsplit(server.url)
        assert place.hostname is not None
        comers = [socket.create_connection((place.hostname, place.port or 0), timeout=10) for _ in range(3)]
        for _ in range(iterations):
            await asyncio.sleep(0)
    gc.collect()

    for comer in comers:
        with comer, contextlib.suppress(ConnectionResetError):
            assert b"" == comer.recv(1)


async def test_a_connection_that_has_ended_leaves_nothing_to_the_search_for_garbage(server: Serving) -> None:
    async with talking(server.url) as talk:
        await talk.say("ping")
        await talk.hear("pong")
        ended = weakref.ref(only(server))
        gc.collect()
        gc.disable()
    try:
        async with asyncio.timeout(10):
            while ended() is not None:
                await asyncio.sleep(0.01)
    finally:
        gc.enable()


def test_addresses_at_rest_are_forgotten_and_others_are_not() -> None:
    known = Addresses()
    busy = known.at(("192.0.2.1", 1))
    busy.work.spend(10_000)
    there = known.at(("192.0.2.2", 1))
    there.arrive()
    reading = known.at(("192.0.2.3", 1))
    reading.readers += 1
    for number in range(addresses.MANY):
        known.at((f"10.0.{number >> 8}.{number & 255}", 1))

    assert busy is known.at(("192.0.2.1", 2))
    assert there is known.at(("192.0.2.2", 2))
    assert reading is known.at(("192.0.2.3", 2))
    assert len(known._known) < addresses.MANY


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", None),
        ("192.0.2.7.example", None),
    ],
)
def test_an_ipv6_customer_is_counted_as_one(name: str, counted: str | None) -> None:
    assert counted == network(name)


def test_sixty_players_and_their_onlookers_fit_one_address() -> None:
    address = Address()
    hall = 60 * 8
    waits = [address.arrive() for _ in range(hall)]
    hellos = [address.work.spend(1 + limits.HELLO) for _ in range(60 * 4)]

    assert [0.0] * hall == waits
    assert hall <= address.most
    assert [0.0] * len(hellos) == hellos
    assert all(address.creations.acquire() for _ in range(60))


def test_where_more_websockets_are_allowed_more_matches_may_be_offered() -> None:
    address = Address(2 * SOCKETS)

    assert all(address.creations.acquire() for _ in range(120))
    assert not address.creations.acquire()


def test_who_spends_more_than_there_is_owes_it_and_is_told_how_long() -> None:
    now = 0.0
    bucket = Bucket(10, 5.0, lambda: now)

    assert 0.0 == bucket.spend(10)
    assert 2.0 == bucket.spend(4)
    assert not bucket.acquire()
    now = 1.0
    assert 1.0 == bucket.owed()
    bucket.give_back(4)
    assert 0.0 == bucket.owed()
    assert bucket.acquire()
    now = 100.0
    assert bucket.full


@pytest.fixture
def waits_for_ever(limited: pytest.MonkeyPatch) -> None:
    """Let what is owed never come back."""
    limited.setattr(addresses, "WORK", (100, EVER))


def owes_with_the_next(connection: Paced) -> None:
    """Leave the address of a connection enough to be read once, and nothing for what it asks."""
    work = connection.address.work
    work.spend(left(work) - 1)


@pytest.mark.usefixtures("waits_for_ever")
async def test_what_is_asked_is_not_done_for_who_goes_while_it_waits_for_the_budget(
    server: Serving, database: Database
) -> None:
    async with talking(server.url) as talk:
        await talk.say("ping")
        await talk.hear("pong")
        one = only(server)
        owes_with_the_next(one)
        await talk.say("create", version=1, command=uuid4(), title="tiny", scenario="skirmish")
        async with asyncio.timeout(10):
            while not one.address.work.owed():
                await asyncio.sleep(0.001)
        talk.socket.transport.abort()
        async with asyncio.timeout(10):
            while server.gateway.connections:
                await asyncio.sleep(0.001)

    async with connection(database.read) as conn:
        assert 0 == await conn.fetchval("SELECT count(*) FROM lobby.match")


@pytest.mark.usefixtures("waits_for_ever")
async def test_nothing_is_read_over_http_for_who_goes_while_his_request_waits_for_the_budget(
    server: Serving, limited: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    read = list[object]()
    limited.setattr(server.listing, "matches", lambda *asked: read.append(asked))
    home = server.addresses.at(("127.0.0.1", 1))
    home.work.spend(left(home.work) - 1)
    place = urlsplit(server.url)
    _, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(b"GET /api/matches HTTP/1.1\r\nHost: fleet.example\r\n\r\n")
    async with asyncio.timeout(10):
        while not home.work.owed():
            await asyncio.sleep(0.001)
        writer.transport.abort()
        while home.calls:
            await asyncio.sleep(0.001)
    for _ in range(20):
        await asyncio.sleep(0)

    assert [] == read
    assert "failed" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("role", ["onlooker", "anybody"])
async def test_a_hello_is_not_looked_up_for_who_goes_while_it_waits_for_its_turn_and_waits_no_more(
    server: Serving, limited: pytest.MonkeyPatch, role: str
) -> None:
    created, looked_up = await offer(server.url), list[object]()
    link = {} if role == "anybody" else {"token": token(created, role)}
    limited.setattr(server.lobby.links, "access", lambda *given: looked_up.append(given))
    arriving = server.gateway.arriving.turns
    async with contextlib.AsyncExitStack() as turns, talking(server.url) as talk, asyncio.timeout(10):
        for _ in range(ARRIVING):
            await turns.enter_async_context(arriving.turn(Address()))
        await talk.say("hello", version=1, match=created["match"], **link)
        while not arriving.crowded:
            await asyncio.sleep(0.001)
        talk.socket.transport.abort()
        while arriving.crowded or server.gateway.connections:
            await asyncio.sleep(0.001)

    assert [] == looked_up


async def plays(connection: Paced, *, expected: bool) -> None:
    async with asyncio.timeout(10):
        while connection.plays is not expected:
            await asyncio.sleep(0.001)


async def test_a_connection_plays_while_it_holds_a_seat_and_no_longer(server: Serving) -> None:
    created, other = await offer(server.url), await offer(server.url)
    async with talking(server.url) as talk, talking(server.url) as creator:
        await enter(talk, other)
        one = only_of(server, talk)
        await plays(one, expected=False)
        for _ in range(2):
            await enter(talk, created, 1)
            await plays(one, expected=True)
            await talk.say("bye", match=created["match"])
            await plays(one, expected=False)
        await enter(talk, created, 1)
        await plays(one, expected=True)
        token_of_creator = token(created, "creator")
        await creator.say("hello", version=1, match=created["match"], token=token_of_creator)
        await creator.say("revoke", match=created["match"], seat=1)
        assert "bad_token" == (await talk.hear("refused"))["code"]

        assert not one.plays
