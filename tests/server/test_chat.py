"""Who is heard in the chat of a match, however much others say; over real sockets from several addresses."""

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from uuid import UUID

import pytest

from server import limits
from server.addresses import Address
from server.lobby import chat
from server.serving import Serving
from tests.server.talk import Said, Talk, enter, offer, seated, talking

EVER = 1e9
"""Seconds until what was said is forgotten: not while a test runs."""

CONNECTIONS = limits.ROOM_LINES[0] // limits.LINES[0]
"""So many could fill a room."""

SHARE = limits.ROOM_SHARE[0]


@pytest.fixture(autouse=True)
def rooms_that_stay_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "ROOM_LINES", (limits.ROOM_LINES[0], EVER))
    monkeypatch.setattr(chat, "ROOM_SHARE", (SHARE, EVER))


@asynccontextmanager
async def crowd(
    server: Serving, created: Said, addresses: Sequence[str], seat: int | None = None
) -> AsyncIterator[list[Talk]]:
    """Give as many connections as could fill a room, from these addresses in turn."""
    async with AsyncExitStack() as stack:
        talks = list[Talk]()
        for number in range(CONNECTIONS):
            source = (addresses[number % len(addresses)], 0)
            talk = await stack.enter_async_context(talking(server.url, local_addr=source))
            await enter(talk, created, seat)
            talks.append(talk)
        yield talks


async def say_all(talks: Sequence[Talk], created: Said, room: str) -> Counter[str]:
    """Let each say as many lines as a connection may; return how many were refused, and why."""
    refused = Counter[str]()
    for talk in talks:
        for _ in range(limits.LINES[0]):
            await talk.say("say", match=created["match"], room=room, text="Banzai")
        await talk.say("ping")
        await talk.hear("pong")
        refused.update(one["code"] for one in talk.heard if one["t"] == "refused")
    return refused


async def hears(hearer: Talk, speaker: Talk, created: Said, room: str, lines: int = 1) -> None:
    """Let somebody say lines, each of which another hears."""
    for number in range(lines):
        await speaker.say("say", match=created["match"], room=room, text=f"Ahoy {number}")
        await hearer.hear("said", room=room, text=f"Ahoy {number}")


async def test_from_one_address_onlookers_fill_a_third_of_their_room_and_others_are_heard(
    server: Serving,
) -> None:
    created = await offer(server.url)
    async with (
        crowd(server, created, ["127.0.0.2"]) as talks,
        talking(server.url, local_addr=("127.0.0.1", 0)) as alone,
    ):
        await enter(alone, created)
        refused = await say_all(talks, created, "onlookers")

        assert {"too_fast": CONNECTIONS * limits.LINES[0] - SHARE} == refused
        await hears(talks[0], alone, created, "onlookers", limits.LINES[0])


async def test_a_seat_fills_a_third_of_its_table_and_the_other_is_heard(server: Serving) -> None:
    """From however many addresses: its link may be open at each."""
    async with (
        seated(server.url) as (created, north, south),
        crowd(server, created, [f"127.0.0.{number}" for number in range(2, 5)], seat=0) as talks,
    ):
        refused = await say_all(talks, created, "table")

        assert {"too_fast": CONNECTIONS * limits.LINES[0] - SHARE} == refused
        await hears(north, south, created, "table", limits.LINES[0])


async def test_players_are_heard_whatever_onlookers_say(server: Serving) -> None:
    """Given a room of onlookers that is full; whoever is refused there has spent nothing of his share."""
    async with (
        seated(server.url) as (created, north, south),
        crowd(server, created, [f"127.0.0.{number}" for number in range(2, 5)]) as talks,
        talking(server.url) as late,
    ):
        await enter(late, created)
        refused = await say_all(talks, created, "onlookers")
        await late.say("say", match=created["match"], room="onlookers", text="Ahoy")

        assert {} == refused
        assert "too_fast" == (await late.hear("refused"))["code"]
        share = UUID(created["match"]), "onlookers", server.addresses.under("127.0.0.1")
        assert 0 == server.gateway.chat._lines[share].spent
        await hears(north, south, created, "table", limits.LINES[0])
        await hears(south, north, created, "table", limits.LINES[0])


async def test_rooms_and_shares_in_which_nothing_was_said_lately_are_forgotten(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given shares that are full again at once."""
    monkeypatch.setattr(chat, "ROOM_SHARE", (SHARE, 1e-9))
    monkeypatch.setattr(chat, "MANY", 5)
    created, kept = await offer(server.url), chat.Chat(server.database.read)
    match = UUID(created["match"])
    for number in range(20):
        await kept.say(match, "onlookers", None, Address(), f"Ahoy {number}")

    assert len(kept._lines) <= 7
