"""Several nodes, restarts and ends: nothing acknowledged is lost and everybody goes on."""

import asyncio
import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from websockets.exceptions import ConnectionClosed

from clients.bots import strengths
from clients.client import Client
from clients.links import Place
from clients.player import Outcome, play
from domain.kernel.audience import Audience
from server.bench.redis_server import RedisServer
from server.play import slices
from tests.conftest import running
from tests.server.talk import Said, enter, offer, prompt, seated, talking, token
from tests.tiny import orders


def place(url: str, created: Said, seat: int) -> Place:
    return Place(url, UUID(created["match"]), token(created, "seat", seat))


async def both_play(urls: tuple[str, str], created: Said, folder: Path) -> list[Outcome]:
    choose = strengths("tiny")["random"]
    return await asyncio.gather(
        *(
            play(place(url, created, seat), choose, seed=seat, nonces=folder / "nonces")
            for seat, url in enumerate(urls)
        )
    )


async def test_seats_and_onlookers_on_two_nodes_see_one_match(dsn: str, folder: Path, redis_url: str) -> None:
    async with (
        running(dsn, folder, redis_url=redis_url) as one,
        running(dsn, folder, redis_url=redis_url) as two,
    ):
        created = await offer(one.url, scenario="campaign")
        match = UUID(created["match"])
        async with Client(Place(one.url, match)) as here, Client(Place(two.url, match)) as there:
            first, second = await both_play((one.url, two.url), created, folder)
            await here.wait(lambda: bool(here.match.get("key")))
            await there.wait(lambda: bool(there.match.get("key")))

            assert (first.upto, first.h) == (second.upto, second.h)
            assert here.view == there.view
            assert first.winner == here.match.get("winner")


async def test_talk_is_heard_once_on_every_node(dsn: str, folder: Path, redis_url: str) -> None:
    async with (
        running(dsn, folder, redis_url=redis_url) as one,
        running(dsn, folder, redis_url=redis_url) as two,
        seated(one.url) as (created, north, south),
        talking(two.url) as elsewhere,
    ):
        await enter(elsewhere, created, 1)
        match = created["match"]
        await north.say("say", match=match, room="table", text="One")
        await elsewhere.hear("said", text="One")
        await elsewhere.say("say", match=match, room="table", text="Two")
        for talk in (north, south):
            await talk.hear("said", text="Two")
        await north.say("ping")
        await north.hear("pong")

        assert [["One", "Two"]] * 2 == [
            [m["text"] for m in talk.heard if m["t"] == "said"] for talk in (north, south)
        ]


async def test_play_goes_on_while_redis_is_away(dsn: str, folder: Path, own_redis: RedisServer) -> None:
    async with (
        running(dsn, folder, redis_url=own_redis.url) as one,
        running(dsn, folder, redis_url=own_redis.url) as two,
    ):
        created = await offer(one.url)
        own_redis.kill()

        first, second = await both_play((one.url, two.url), created, folder)

        assert (first.upto, first.h) == (second.upto, second.h)


async def test_two_nodes_that_decide_at_once_agree(dsn: str, folder: Path, redis_url: str) -> None:
    async with AsyncExitStack() as stack:
        nodes = [await stack.enter_async_context(running(dsn, folder, redis_url=redis_url)) for _ in range(2)]
        created = await offer(nodes[0].url, title="tiny", scenario="campaign", options={"pairs": True})
        choose = strengths("tiny")["random"]

        outcomes = await asyncio.gather(
            *(
                play(place(nodes[seat % 2].url, created, seat), choose, seed=seat, nonces=folder / "nonces")
                for seat in range(4)
            )
        )

        assert 1 == len({outcome.h for outcome in outcomes})


async def test_a_match_goes_on_after_a_restart(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as server:
        port = int(server.url.rpartition(":")[2])
        created = await offer(server.url, scenario="campaign", options={"turns": 8})
        playing = asyncio.create_task(both_play((server.url, server.url), created, folder))
        await asyncio.sleep(0.15)
    async with running(dsn, folder, port=port) as server:
        first, second = await playing

        assert (first.upto, first.h) == (second.upto, second.h)


async def test_who_is_connected_is_told_to_come_back(dsn: str, folder: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(running(dsn, folder))
        created = await offer(server.url)
        async with talking(server.url) as talk:
            await enter(talk, created)
            await stack.aclose()
            with pytest.raises(ConnectionClosed):
                await talk.hear("never")

            assert {"t": "restarting"} in talk.heard
            assert 1012 == talk.socket.close_code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_serve_ends_in_good_order(folder: Path, number: signal.Signals) -> None:
    settings = {**os.environ, "FLEETFOLD_DATA": str(folder), "FLEETFOLD_PROCESSES": "1"}
    for _ in range(2):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server", "serve", env=settings,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        url = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().strip()
        created = await offer(url, title="midway", scenario="duel")
        process.send_signal(number)
        _, lines = await asyncio.wait_for(process.communicate(), 30)

        assert 0 == process.returncode
        assert "created" == created["t"]
        assert b'"event": "stopped"' in lines
        assert b"Traceback" not in lines


async def test_a_clock_that_ran_out_while_the_server_was_away_is_found(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as server, seated(server.url, clock={"bank": 1}) as (created, _, _):
        pass
    await asyncio.sleep(1.1)
    async with running(dsn, folder) as server:
        match = UUID(created["match"])
        async with asyncio.timeout(10):
            while not any(
                entry.type == "TimeOutClaimed" for entry in await server.log.read_everything(match)
            ):
                await asyncio.sleep(0.02)


async def test_rules_that_changed_meanwhile_go_on_from_where_the_match_stands(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(dsn, folder) as server, seated(server.url) as (created, _, _):
        before = len(await server.log.read_everything(UUID(created["match"])))
    monkeypatch.setattr(orders.Orders.steps["choose"][0], "run", lambda *_: [])
    async with running(dsn, folder) as server, talking(server.url) as talk:
        first = await enter(talk, created)

        entries = await server.log.read_everything(UUID(created["match"]))
        assert before < len(entries) == first["upto"]


async def test_rules_that_changed_meanwhile_go_on_once_though_two_nodes_come_back_at_once(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(dsn, folder) as server, seated(server.url) as (created, _, _):
        match = UUID(created["match"])
    monkeypatch.setattr(orders.Orders.steps["choose"][0], "run", lambda *_: [])
    async with running(dsn, folder) as here, running(dsn, folder) as there:
        lives = await asyncio.gather(here.matches.get(match), there.matches.get(match))

        entries = await here.log.read_everything(match)
        assert [len(entries)] * 2 == [live.seq for live in lives]
        assert [entries[-1].hash] * 2 == [live.hash for live in lives]
        assert lives[0].views == lives[1].views


async def test_what_rules_that_changed_do_is_seen_by_nobody_before_it_is_on_the_log(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(dsn, folder) as server, seated(server.url) as (created, _, _):
        match = UUID(created["match"])
    monkeypatch.setattr(orders.Orders.steps["choose"][0], "run", lambda *_: [])
    under_way, go_on = asyncio.Event(), asyncio.Event()
    async with running(dsn, folder) as server:
        append = server.log.append

        async def slowly(*given: Any, **named: Any) -> Any:
            under_way.set()
            await go_on.wait()
            return await append(*given, **named)

        monkeypatch.setattr(server.log, "append", slowly)
        first = asyncio.create_task(server.matches.get(match))
        await under_way.wait()
        second = asyncio.create_task(server.matches.get(match))
        done, _ = await asyncio.wait([first, second], timeout=0.1)
        go_on.set()

        assert set() == done
        assert await first is await second
        assert len(await server.log.read_everything(match)) == (await first).seq


async def test_a_match_that_is_being_folded_is_seen_by_nobody(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICE", 0.0)
    async with running(dsn, folder) as server, seated(server.url) as (created, north, _):
        match = UUID(created["match"])
        for _ in range(5):
            upto, options = await prompt(north, 0)
            await north.ask("decide", match=match, answers=upto, decision=options[0])
            await north.ask("undo", match=match)
        whole = await server.matches.get(match)
        ends = sorted(whole.ends)
        server.matches.memory.drop(match)

        lives = await asyncio.gather(*(server.matches.get(match) for _ in range(5)))
        frames = await asyncio.gather(
            *(server.matches.since(match, Audience.SIDE_0, end) for end in ends[-6:])
        )

        assert {id(lives[0])} == {id(live) for live in lives}
        assert (whole.seq, whole.hash, whole.views) == (lives[0].seq, lives[0].hash, lives[0].views)
        assert [(end, whole.seq) for end in ends[-6:]] == [(frame.after, frame.upto) for frame in frames]
