"""Only what is on the log is told, and all of it: while an append is under way, and by a node that slept.

An append is held by a lock on the table of facts in a real Postgres: it is under way for as long as a test
wants, and everything can be read meanwhile.
"""

import asyncio
import contextlib
import hashlib
import itertools
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from msgspec import structs

from domain.kernel.audience import Audience
from server.play import matches
from server.play.live import Live
from server.serving import Serving
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import Said, Talk, enter, new_token, offer, prompt, seated, sit, talking, token
from tests.tiny import orders

NONCE = bytes(16)

Command = Callable[[Talk, Said], Coroutine[Any, Any, Said]]


@contextlib.asynccontextmanager
async def held(
    server: Serving, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Callable[[], Any]]:
    """Let no append through until the end; what is given waits until one is under way."""
    monkeypatch.setattr(matches, "DEADLINE", 60.0)
    monkeypatch.setattr(server.log._pump, "_deadline", 60.0)
    holder, looker = await asyncpg.connect(dsn), await asyncpg.connect(dsn)
    lock = holder.transaction()
    await lock.start()
    await holder.execute("LOCK TABLE log.fact IN SHARE MODE")

    async def under_way() -> None:
        waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'log.fact'::regclass)"
        async with asyncio.timeout(10):
            while not await looker.fetchval(waiting):
                await asyncio.sleep(0.005)

    try:
        yield under_way
    finally:
        await lock.rollback()
        await holder.close()
        await looker.close()


def paths(server: Serving, match: str) -> list[str]:
    """Return every path of the read API that is about a match or about all of them."""
    parts = {"ID": match, "SEQ": "5", "TITLE": "tiny"}
    asked = []
    for pattern in server.pages._routes:
        names = iter(("TITLE",) if "matches" not in pattern else ("ID", "SEQ"))
        asked.append("/" + "/".join(parts[next(names)] if part == "*" else part for part in pattern))
    every = [path for path in asked if path.startswith("/api/")]
    steps = f"/api/matches/{match}/steps"
    return [*every, f"{steps}?side=0", f"{steps}?side=1", f"{steps}?side=1&all=1", "/api/matches?state=ended"]


async def told(server: Serving, created: Said) -> dict[str, Any]:
    """Ask everything that can be asked, with everybody's eyes."""
    match = created["match"]
    tokens = {"seat 0": token(created, "seat", 0), "seat 1": token(created, "seat", 1), "": ""}
    asked = list(itertools.product(tokens, paths(server, match)))
    pages = await asyncio.gather(*(get(server.url, path, tokens[who]) for who, path in asked))
    said: dict[str, Any] = {
        f"{who} {path}": page.body for (who, path), page in zip(asked, pages, strict=True)
    }
    for who, door in tokens.items():
        async with talking(server.url) as talk:
            await talk.say("hello", version=1, match=match, token=door)
            await talk.hear("presence")
            said[f"{who} hello"] = [heard for heard in talk.heard if heard["t"] != "presence"]
    numbers = (await get(server.url, "/metrics")).body.decode().splitlines()
    said["stored"] = [line for line in numbers if line.startswith("fleetfold_commands_stored")]
    return said


def steady(said: dict[str, Any]) -> dict[str, Any]:
    """Leave out who is there, which is true of the moment."""
    return {key: _without_presence(value) for key, value in said.items()}


def _without_presence(value: Any) -> Any:
    if not isinstance(value, bytes) or b'"present":' not in value or b'"$schema":' in value:
        return value
    page = json.loads(value)
    for one in page.get("matches", [page]):
        del one["onlookers"]
        for seat in one["seats"]:
            del seat["present"]
    return page


async def settled(server: Serving, created: Said) -> dict[str, Any]:
    """Ask until the projections have come to the head and say the same twice."""
    before: dict[str, Any] = {}
    async with asyncio.timeout(20):
        while before != (now := steady(await told(server, created))):
            before = now
            await asyncio.sleep(0.1)
    return now


async def resigns(north: Talk, created: Said) -> Said:
    return await north.ask("resign", match=created["match"])


async def decides(north: Talk, created: Said) -> Said:
    upto, options = await prompt(north, 0)
    return await north.ask("decide", match=created["match"], answers=upto, decision=options[0])


async def offers_a_draw(north: Talk, created: Said) -> Said:
    return await north.ask("offer", match=created["match"], what="draw")


@pytest.mark.parametrize("command", [resigns, decides, offers_a_draw])
async def test_nothing_is_told_of_a_command_whose_append_is_under_way(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    async with running(dsn, folder) as server, seated(server.url) as (created, north, _):
        before = await settled(server, created)
        async with held(server, dsn, monkeypatch) as under_way:
            ordered = asyncio.create_task(command(north, created))
            await under_way()
            meanwhile = steady(await told(server, created))
            assert not ordered.done()
        receipt = await ordered
        after = steady(await told(server, created))

        assert "receipt" == receipt["t"]
        assert before == meanwhile
        assert before[" hello"] != after[" hello"]
        assert before[f" /api/matches/{created['match']}"] != after[f" /api/matches/{created['match']}"]


@pytest.mark.parametrize("what", ["sit", "show"])
async def test_nothing_is_told_of_a_seat_or_a_start_whose_append_is_under_way(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    async with running(dsn, folder) as server, AsyncExitStack() as stack:
        created = await offer(server.url)
        match, nonces = created["match"], [NONCE, bytes(range(16))]
        seats = [await stack.enter_async_context(talking(server.url)) for _ in range(2)]
        for seat, talk in enumerate(seats):
            await enter(talk, created, seat)
        commands = [
            (talk, kind, fields)
            for kind in ("sit", "show")
            for talk, nonce in zip(seats, nonces, strict=True)
            for fields in [
                {"promise": hashlib.sha256(nonce).hexdigest(), "token": new_token()}
                if kind == "sit"
                else {"nonce": nonce.hex()}
            ]
        ]
        last = next(n for n in (1, 3) if commands[n][1] == what)
        for talk, kind, fields in commands[:last]:
            await (sit(talk, created, **fields) if kind == "sit" else talk.ask(kind, match=match, **fields))
        before = await settled(server, created)
        async with held(server, dsn, monkeypatch) as under_way:
            talk, kind, fields = commands[last]
            ordered = asyncio.create_task(talk.ask(kind, match=match, **fields))
            await under_way()
            meanwhile = steady(await told(server, created))
            assert not ordered.done()
        receipt = await ordered

        assert "receipt" == receipt["t"]
        assert before == meanwhile


# a node that slept


async def moved_on(one: Serving, two: Serving, stack: AsyncExitStack) -> tuple[Said, Talk, Talk]:
    """Let two nodes have a match in memory, and let it go on at the first, with nobody at the second."""
    created, north, south = await stack.enter_async_context(seated(one.url))
    async with talking(two.url) as talk:
        await enter(talk, created)
    for _ in range(3):
        for seat, talk in enumerate((north, south)):
            await decide_if_asked(talk, created, seat)
    return created, north, south


def latest(talk: Talk) -> Said:
    """Return the last frame or view that came."""
    return next(said for said in reversed(talk.heard) if said["t"] in {"frame", "view"})


async def decide_if_asked(talk: Talk, created: Said, seat: int) -> Said | None:
    """Take the first option of what a seat is asked, if it is."""
    await talk.say("ping")
    await talk.hear("pong")
    shown = latest(talk)
    for asked in shown["prompts"]:
        if asked["seat"] == seat:
            decision = {"answers": shown["upto"], "decision": asked["options"][0]}
            return await talk.ask("decide", match=created["match"], **decision)
    return None


async def test_a_node_on_which_nobody_watches_answers_with_the_log_s_head(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as one, running(dsn, folder) as two, AsyncExitStack() as stack:
        created, north, _ = await moved_on(one, two, stack)
        path = f"/api/matches/{created['match']}"
        first = await get(two.url, path)
        await north.ask("resign", match=created["match"])
        steps = await get(two.url, path + "/steps?side=0&all=1", token(created, "seat", 0))
        head = len(await one.log.read_everything(UUID(created["match"])))
        second = await get(two.url, path)

        assert "playing" == first.json["state"]
        assert ("ended", 1, head) == (second.json["state"], second.json["winner"], second.json["facts"])
        assert first.json["facts"] < head == steps.lines[-1]["upto"]


async def greeted(talk: Talk, hello: dict[str, Any]) -> list[Said]:
    """Say hello and return all that comes until the place of the match is told."""
    await talk.say("hello", **hello)
    await talk.hear("presence")
    return [said for said in talk.heard if said["t"] in {"welcome", "view", "frame"}]


@pytest.mark.parametrize("known", [True, False])
async def test_a_hello_at_a_node_that_slept_is_answered_from_the_log(
    dsn: str, folder: Path, redis_url: str, *, known: bool
) -> None:
    async with (
        running(dsn, folder, redis_url=redis_url) as one,
        running(dsn, folder, redis_url=redis_url) as two,
        AsyncExitStack() as stack,
    ):
        created, north, _ = await moved_on(one, two, stack)
        entries = await one.log.read_everything(UUID(created["match"]))
        after = {"after": len(entries), "h": entries[-1].hash.hex()} if known else {}
        elsewhere = await stack.enter_async_context(talking(two.url))
        hello = {"version": 1, "match": created["match"], "token": token(created, "onlooker"), **after}
        heard = await greeted(elsewhere, hello)
        receipt = await north.ask("resign", match=created["match"])
        frame = await elsewhere.hear("frame")

        assert [("welcome", len(entries))] == [(heard[0]["t"], heard[0]["head"])]
        assert ([] if known else [("view", len(entries))]) == [
            (said["t"], said["upto"]) for said in heard[1:]
        ]
        assert (len(entries), receipt["seq"]) == (frame["after"], frame["upto"])


async def test_a_hello_from_a_future_that_the_log_does_not_know_gets_the_view(dsn: str, folder: Path) -> None:
    async with (
        running(dsn, folder) as server,
        seated(server.url) as (created, _, _),
        talking(server.url) as talk,
    ):
        head = len(await server.log.read_everything(UUID(created["match"])))
        heard = await greeted(
            talk,
            {"version": 1, "match": created["match"], "token": token(created, "onlooker"), "after": head + 9},
        )

        assert [("welcome", None), ("view", head)] == [(said["t"], said.get("upto")) for said in heard]


async def test_nobody_is_shown_less_than_he_was_by_a_node_that_only_hands_frames_on(
    dsn: str, folder: Path, redis_url: str
) -> None:
    """Frames of another node go through the ring, and what the node itself has folded stays behind them."""
    async with (
        running(dsn, folder, redis_url=redis_url) as one,
        running(dsn, folder, redis_url=redis_url) as two,
        AsyncExitStack() as stack,
    ):
        created, north, south = await stack.enter_async_context(seated(one.url))
        elsewhere = await stack.enter_async_context(talking(two.url))
        begun = (await enter(elsewhere, created))["upto"]
        for _ in range(3):
            for seat, talk in enumerate((north, south)):
                await decide_if_asked(talk, created, seat)
        head = len(await one.log.read_everything(UUID(created["match"])))
        await elsewhere.hear("frame", upto=head)

        view = await two.matches.view(UUID(created["match"]), Audience.ONLOOKERS)

        assert begun < head == view.upto


# a node that is behind


class Counted:
    """How often a match was opened from the log."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times, opened = 0, Live.opened

        def counted(*given: Any) -> Any:
            self.times += 1
            return opened(*given)

        monkeypatch.setattr(Live, "opened", counted)


async def test_a_node_that_is_behind_folds_what_it_read_and_tells_it_once(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(dsn, folder) as one, running(dsn, folder) as two, AsyncExitStack() as stack:
        created, north, south = await stack.enter_async_context(seated(one.url))
        match = UUID(created["match"])
        watching = await stack.enter_async_context(talking(two.url))
        await enter(watching, created, 0)
        counted = Counted(monkeypatch)
        for _ in range(3):
            for seat, talk in enumerate((north, south)):
                await decide_if_asked(talk, created, seat)
            await two.matches.latest(match)
        head = (await one.matches.latest(match)).seq
        await watching.hear("frame", upto=head)
        mine, theirs = [structs.replace(await node.matches.latest(match), latest=()) for node in (one, two)]

        assert 0 == counted.times
        assert mine == theirs
        ranges = [(said["after"], said["upto"]) for said in watching.heard if said["t"] == "frame"]
        assert [upto for _, upto in ranges[:-1]] == [after for after, _ in ranges[1:]]
        facts = [fact["seq"] for said in watching.heard for fact in said.get("facts", ())]
        assert facts == sorted(set(facts))


async def test_a_decision_at_a_node_that_is_behind_is_taken_without_folding_all_again(
    dsn: str, folder: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        running(dsn, folder, redis_url=redis_url) as one,
        running(dsn, folder, redis_url=redis_url) as two,
        AsyncExitStack() as stack,
    ):
        created, north, _ = await stack.enter_async_context(seated(one.url, scenario="campaign"))
        elsewhere = await stack.enter_async_context(talking(two.url))
        await enter(elsewhere, created, 1)
        counted, talks, stored = Counted(monkeypatch), (north, elsewhere), [0, 0]
        while min(stored) < 4:
            for seat, talk in enumerate(talks):
                if not (answer := await decide_if_asked(talk, created, seat)):
                    continue
                assert "receipt" == answer["t"]
                stored[seat] += 1
                for other in talks:
                    while latest(other)["upto"] < answer["seq"]:
                        await other.hear("frame", "view")

        assert 0 == counted.times


@pytest.mark.parametrize("fault", [RuntimeError("a mistake"), asyncio.CancelledError()])
async def test_what_went_wrong_on_the_way_is_folded_again(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    """It goes wrong when the state has moved and the snapshot has not: nothing of that is ever told."""
    async with running(dsn, folder) as one, running(dsn, folder) as two, AsyncExitStack() as stack:
        created, _, _ = await moved_on(one, two, stack)
        match = UUID(created["match"])
        slept, set_up = await two.matches.get(match), Live._set_up_table

        def broken(_: Live) -> None:
            monkeypatch.setattr(Live, "_set_up_table", set_up)
            raise fault

        monkeypatch.setattr(Live, "_set_up_table", broken)
        with contextlib.suppress(asyncio.CancelledError):
            await two.matches.latest(match)
        now, there = await two.matches.latest(match), await one.matches.latest(match)

        assert (there.seq, there.hash, there.views) == (now.seq, now.hash, now.views)
        assert slept.seq < now.seq


async def test_rules_that_go_on_where_another_node_paused_go_on_once(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(dsn, folder) as one, running(dsn, folder) as two, AsyncExitStack() as stack:
        created, north, _ = await stack.enter_async_context(seated(one.url))
        match = UUID(created["match"])
        slept = await two.matches.get(match)
        await decide_if_asked(north, created, 0)  # and the other seat is still asked the same
        before = len(await one.log.read_everything(match))
        asks = orders.Orders.steps["choose"][0]
        monkeypatch.setattr(asks, "run", lambda *_: [])
        lives = [await node.matches.latest(match) for node in (two, one)]

        entries = await one.log.read_everything(match)
        assert slept.seq < before < len(entries)
        assert [(len(entries), entries[-1].hash)] * 2 == [(live.seq, live.hash) for live in lives]
