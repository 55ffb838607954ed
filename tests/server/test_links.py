"""Links that were exchanged or revoked on another node: nothing that comes by them is stored or answered.

Nor is anything shown to who came in by one: nodes tell each other. Where `links_unheard` they do not.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast
from uuid import UUID, uuid4

import asyncpg
import pytest
from asyncpg.connection import LoggedQuery
from redis.asyncio import Redis

from server.fanout.channels import channel
from server.lobby.links import Links
from server.log.outcomes import Unavailable
from server.log.statements import APPEND
from server.postgres.database import Connection, connection
from server.serving import Serving
from server.socket import gateway
from server.socket.gateway import LOOK_REST
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, new_token, offer, prompt, seated, sit, talking, token
from tests.server.test_together import siblings
from tests.server.watching import until

Looks = list[Links]


@asynccontextmanager
async def two_nodes(dsn: str, folder: Path) -> AsyncIterator[tuple[Serving, Serving]]:
    async with running(dsn, folder) as here, running(dsn, folder) as there:
        yield here, there


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    """Give the lobby of each look at links; no node looks without a reason as long as a test lasts."""
    asked, void = Looks(), Links.void

    async def noted(links: Links, tokens: Collection[bytes]) -> set[bytes]:
        asked.append(links)
        return await void(links, tokens)

    monkeypatch.setattr(Links, "void", noted)
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
    return asked


async def quiet(looks: Looks) -> None:
    """Wait until nobody looks any more on account of who came: each subscription is a reason to."""
    before = -1
    async with asyncio.timeout(10):
        while before != len(looks):
            before = len(looks)
            await asyncio.sleep(2 * LOOK_REST)


@asynccontextmanager
async def nodes_that_speak(
    dsn: str, folder: Path, redis_url: str, by: str
) -> AsyncIterator[tuple[Serving, Serving]]:
    """Run two nodes with Redis, or two processes of one with the lines between them."""
    async with AsyncExitStack() as stack:
        if by == "lines":
            here, there = await stack.enter_async_context(siblings(dsn, folder, 0, 0))
        else:
            nodes = [running(dsn, folder, redis_url=redis_url) for _ in range(2)]
            here, there = [await stack.enter_async_context(node) for node in nodes]
        yield here, there


async def overheard(redis_url: str, match: UUID, tell: Callable[[UUID], None]) -> bytes:
    """Return the message that goes through Redis when something is told of a match."""
    redis: Any = Redis.from_url(redis_url)
    async with redis, redis.pubsub(ignore_subscribe_messages=True) as spy, asyncio.timeout(10):
        await spy.subscribe(channel(match))
        await spy.get_message(timeout=1)
        tell(match)
        while (message := await spy.get_message(timeout=1)) is None:
            pass
    return bytes(message["data"])


async def decide(talk: Talk, created: Said, seat: int) -> Said:
    upto, options = await prompt(talk, seat)
    return await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])


async def come_in(talk: Talk, created: Said, by: Said) -> None:
    await talk.say("hello", version=1, match=created["match"], token=by["link"]["token"])
    await talk.hear("view", "frame")


async def exchange(talk: Talk, created: Said) -> Said:
    await talk.say("exchange", match=created["match"])
    return await talk.hear("linked")


@pytest.mark.usefixtures("links_unheard")
async def test_a_decision_by_a_link_that_another_node_exchanged_is_not_stored(dsn: str, folder: Path) -> None:
    async with (
        two_nodes(dsn, folder) as (here, there),
        seated(here.url) as (created, north, _),
        talking(there.url) as thief,
        talking(there.url) as owner,
    ):
        await enter(thief, created, 0)
        new = await exchange(north, created)
        before = await here.log.read_everything(UUID(created["match"]))

        late = await decide(thief, created, 0)
        after = await here.log.read_everything(UUID(created["match"]))
        still = await thief.ask("resign", match=created["match"])
        await come_in(owner, created, new)
        receipt = await decide(owner, created, 0)
        await thief.say("ping")
        await thief.hear("pong")
        stored = await here.log.read_everything(UUID(created["match"]))

    assert ("bad_token", "this link is not valid any more") == (late["code"], late["reason"])
    assert before == after
    assert "no_hello" == still["code"]
    assert ("receipt", before) == (receipt["t"], stored[: len(before)])
    assert receipt["seq"] == len(stored) > len(before)
    assert [] == [m for m in thief.heard if m["t"] == "frame" and m["upto"] > len(before)]


@pytest.mark.usefixtures("links_unheard")
async def test_nobody_sits_down_by_a_link_that_another_node_revoked(dsn: str, folder: Path) -> None:
    async with (
        two_nodes(dsn, folder) as (here, there),
        talking(here.url) as creator,
        talking(there.url) as stranger,
        talking(there.url) as owner,
    ):
        created = await offer(here.url)
        await creator.say("hello", version=1, match=created["match"], token=token(created, "creator"))
        await creator.hear("view")
        await enter(stranger, created, 1)
        await creator.say("revoke", match=created["match"], seat=1)
        new = await creator.hear("linked")

        late = await sit(stranger, created)
        facts = await here.log.read_everything(UUID(created["match"]))
        async with connection(here.database.read) as conn:
            names = await conn.fetchval("SELECT count(*) FROM lobby.seat")
        await come_in(owner, created, new)

        assert "bad_token" == late["code"]
        assert (["Created"], 0) == ([fact.type for fact in facts], names)
        assert "receipt" == (await sit(owner, created))["t"]


@pytest.mark.usefixtures("links_unheard")
async def test_by_a_void_link_nobody_learns_what_its_seat_may_know(dsn: str, folder: Path) -> None:
    """Neither by a refusal, which may tell what the seat is asked, nor by the receipt of what was stored."""
    async with two_nodes(dsn, folder) as (here, there), seated(here.url) as (created, north, _):
        match, command = created["match"], str(uuid4())
        upto, options = await prompt(north, 0)
        resent: dict[str, Any] = {"t": "decide", "answers": upto, "decision": options[0], "command": command}
        await north.ask(**resent, match=match)
        wishes: list[dict[str, Any]] = [
            resent,
            {"t": "decide", "answers": upto, "decision": options[-1], "command": command},
            {"t": "decide", "answers": upto, "decision": options[0]},
            {"t": "decide", "answers": 1, "decision": options[0]},
            {"t": "decide", "answers": upto, "decision": {"type": "Pass"}},
            {"t": "foresee", "answers": upto, "decisions": [options[0]]},
            {"t": "undo"},
            {"t": "offer", "what": "undo"},
            {"t": "answer", "what": "draw", "agreed": True},
            {"t": "claim", "seat": 1},
            {"t": "resign"},
        ]
        async with AsyncExitStack() as stack:
            thieves = [await stack.enter_async_context(talking(there.url)) for _ in wishes]
            for thief in thieves:
                await enter(thief, created, 0)
            await exchange(north, created)
            before = await here.log.read_everything(UUID(match))

            answers = [
                await thief.ask(**wish, match=match) for thief, wish in zip(thieves, wishes, strict=True)
            ]

        assert ["bad_token"] * len(wishes) == [answer.get("code") for answer in answers]
        assert {frozenset({"t", "code", "reason", "match", "command"})} == {frozenset(one) for one in answers}
        assert before == await here.log.read_everything(UUID(match))


@pytest.mark.parametrize("by", ["lines", "redis"])
async def test_who_only_watches_by_a_link_that_another_node_exchanged_is_shown_out(
    dsn: str, folder: Path, redis_url: str, looks: Looks, by: str
) -> None:
    async with (
        nodes_that_speak(dsn, folder, redis_url, by) as (here, there),
        seated(here.url) as (created, north, _),
        talking(there.url) as thief,
        talking(here.url) as near,
        talking(there.url) as onlooker,
        talking(there.url) as owner,
    ):
        for watching, seat in ((thief, 0), (near, 0), (onlooker, None), (owner, 1)):
            await enter(watching, created, seat)
        await quiet(looks)
        await exchange(north, created)

        refused = await thief.hear("refused")
        assert "bad_token" == (await near.hear("refused"))["code"]
        receipt = await decide(north, created, 0)
        await onlooker.hear("frame", upto=receipt["seq"])
        for talk in (thief, owner, onlooker):
            await talk.say("ping")
            await talk.hear("pong")

        assert ("bad_token", created["match"]) == (refused["code"], refused["match"])
        assert [] == [m for m in thief.heard if m["t"] == "frame" and m["upto"] >= receipt["seq"]]
        assert receipt["seq"] in [m["upto"] for m in owner.heard if m["t"] == "frame"]
        told = [m["t"] for m in (*onlooker.heard, *owner.heard)]
        assert {"welcome", "view", "presence", "frame", "pong"} == set(told)


@pytest.mark.parametrize("by", ["lines", "redis"])
async def test_who_watches_by_an_invitation_is_shown_out_of_all_nodes_when_it_is_void(
    dsn: str, folder: Path, redis_url: str, looks: Looks, by: str
) -> None:
    """Since it was revoked, since somebody sat down by it, and since somebody joined without it."""
    async with nodes_that_speak(dsn, folder, redis_url, by) as (here, there):
        created = await offer(here.url)
        match = created["match"]
        async with talking(here.url) as creator, talking(there.url) as first:
            await creator.say("hello", version=1, match=match, token=token(created, "creator"))
            await creator.hear("view")
            await enter(first, created, 1)
            await quiet(looks)
            await creator.say("revoke", match=match, seat=1)
            new = await creator.hear("linked")
            assert "bad_token" == (await first.hear("refused"))["code"]

            async with talking(here.url) as south, talking(there.url) as second:
                for talk in (south, second):
                    await come_in(talk, created, new)
                await quiet(looks)
                await sit(south, created)
                assert "bad_token" == (await second.hear("refused"))["code"]

            async with talking(here.url) as joins, talking(there.url) as third:
                await enter(third, created, 0)
                await enter(joins, created)
                await quiet(looks)
                await joins.ask("join", match=match, seat=0, promise="ab" * 32, token=new_token())
                assert "bad_token" == (await third.hear("refused"))["code"]


async def test_here_a_thief_is_shown_out_before_who_exchanged_the_link_says_anything_more(
    server: Serving, looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a node that rests from its last look at links."""
    monkeypatch.setattr(gateway, "LOOK_REST", 600.0)
    async with seated(server.url) as (created, north, _), talking(server.url) as thief:
        await enter(thief, created, 0)
        server.gateway._look_at(UUID(created["match"]))
        await until(lambda: looks)
        await exchange(north, created)
        receipt = await decide(north, created, 0)

        assert "receipt" == receipt["t"]
        assert "bad_token" == (await thief.hear("refused"))["code"]
        assert [] == [m for m in thief.heard if m["t"] == "frame" and m["upto"] >= receipt["seq"]]


async def test_a_look_at_links_that_fails_is_made_again(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    void, failed = Links.void, list[bool]()

    async def fails_once(links: Links, tokens: Collection[bytes]) -> set[bytes]:
        if not failed:
            failed.append(True)
            raise Unavailable("the database is away")
        return await void(links, tokens)

    monkeypatch.setattr(gateway, "LOOK_LATER", 0.05)
    async with seated(server.url) as (created, _, _), talking(server.url) as thief:
        await enter(thief, created, 0)
        access = await server.lobby.links.access(UUID(created["match"]), token(created, "seat", 0))
        monkeypatch.setattr(Links, "void", fails_once)
        monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
        await server.lobby.links.exchange(access)

        assert "bad_token" == (await thief.hear("refused"))["code"]
        assert failed


async def test_whoever_repeats_what_nodes_tell_of_links_has_the_database_asked_so_often_and_no_more(
    dsn: str, folder: Path, redis_url: str, looks: Looks
) -> None:
    async with (
        nodes_that_speak(dsn, folder, redis_url, "redis") as (here, there),
        seated(here.url) as (created, north, _),
        talking(there.url) as watching,
    ):
        match = UUID(created["match"])
        await enter(watching, created, 0)
        message = await overheard(redis_url, match, here.hub.links_changed)
        await quiet(looks)
        looks.clear()
        clock = asyncio.get_running_loop().time
        begun, redis = clock(), cast("Any", Redis.from_url(redis_url))
        async with redis:
            while clock() - begun < 5 * LOOK_REST:
                for said in (message, b"of no node") * 20:
                    await redis.publish(channel(match), said)
        await until(lambda: there.lobby.links in looks)
        took, asked = clock() - begun, looks.count(there.lobby.links)
        await decide(north, created, 0)
        await watching.hear("frame")

        assert asked <= 2 + took / LOOK_REST
        assert "refused" not in [m["t"] for m in watching.heard]


async def test_of_two_who_exchange_a_link_at_once_one_has_a_new_link(dsn: str, folder: Path) -> None:
    async with two_nodes(dsn, folder) as nodes:
        for _ in range(10):
            created = await offer(nodes[0].url)
            match = UUID(created["match"])
            access = await nodes[0].lobby.links.access(match, token(created, "seat", 0))

            answers = await asyncio.gather(
                *(node.lobby.links.exchange(access) for node in nodes), return_exceptions=True
            )
            async with connection(nodes[0].database.read) as conn:
                valid = await conn.fetchval(
                    "SELECT count(*) FROM lobby.token"
                    " WHERE match_id = $1 AND seat = 0 AND revoked_at IS NULL",
                    match,
                )

            assert 1 == valid
            assert {"Link", "RequestError"} == {type(answer).__name__ for answer in answers}


async def test_what_the_server_decides_is_stored_though_the_links_were_exchanged(server: Serving) -> None:
    async with seated(server.url, clock={"bank": 1, "increment": 0}) as (created, north, south):
        for talk in (north, south):
            await exchange(talk, created)

        async with asyncio.timeout(10):
            while "TimeOutClaimed" not in [
                fact.type for fact in await server.log.read_everything(UUID(created["match"]))
            ]:
                await asyncio.sleep(0.02)


async def test_a_decision_asks_the_database_for_nothing_but_its_append(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_pool, asked = asyncpg.create_pool, list[str]()

    def note(query: LoggedQuery) -> None:
        asked.append(query.query)

    async def listened_to(made: Connection) -> None:
        made.add_query_logger(note)

    def pool(dsn: str, *, server_settings: dict[str, str], **settings: Any) -> Any:
        if server_settings["role"] == "game_node":
            settings["init"] = listened_to
        return create_pool(dsn, server_settings=server_settings, **settings)

    monkeypatch.setattr(asyncpg, "create_pool", pool)
    async with running(dsn, folder) as server, seated(server.url) as (created, north, south):
        for talk in (north, south):
            await talk.say("ping")
            await talk.hear("pong")
        assert asked
        async with asyncio.timeout(10):
            while asked:  # when somebody comes or sits down, links are looked at a moment later
                asked.clear()
                await asyncio.sleep(3 * LOOK_REST)

        receipts = [await decide(talk, created, seat) for seat, talk in enumerate((north, south))]

        assert ["receipt"] * 2 == [receipt["t"] for receipt in receipts]
        assert [APPEND] * 2 == asked
