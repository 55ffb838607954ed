"""Which node runs whose bots and clocks: each once, taken up by others in seconds, asleep if nobody plays."""

import asyncio
import hashlib
import os
import secrets
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from domain.match.notices import NonceShown
from server.lobby import charges
from server.lobby.charges import SHARES
from server.postgres.database import Connection, Database, connection
from server.proof import keys
from server.proof.keys import generate
from server.serving import Serving
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, offer, prompt, seated, sit, talking

BOT = {"1": "random"}


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


async def until(holds: Callable[[], bool], within: float = 15) -> None:
    async with asyncio.timeout(within):
        while not holds():
            await asyncio.sleep(0.02)


@asynccontextmanager
async def against_a_bot(
    url: str, created: Said | None = None, **wish: Any
) -> AsyncIterator[tuple[Said, Talk]]:
    """Offer a match against a bot of the house, and begin it."""
    created = created or await offer(url, bots=BOT, **wish)
    nonce = secrets.token_bytes(16)
    async with talking(url) as talk:
        await enter(talk, created, 0)
        await sit(talk, created, promise=hashlib.sha256(nonce).hexdigest())
        while True:  # the bot has to promise, too
            answer = await talk.ask("show", match=created["match"], nonce=nonce.hex())
            if answer["t"] == "receipt":
                break
            await asyncio.sleep(0.05)
        await prompt(talk, 0)
        yield created, talk


async def play_a_turn(talk: Talk, created: Said, within: float = 10) -> bool:
    """Decide for seat 0 and wait for the bot; return whether seat 0 is asked again and all is not over."""
    upto, options = await prompt(talk, 0)
    heard = len(talk.heard)
    await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])
    before = [said for said in talk.heard[heard:] if said["t"] == "frame"]  # than the receipt came
    async with asyncio.timeout(within):
        while True:
            frame = before.pop(0) if before else await talk.hear("frame")
            if frame["upto"] > upto and any(asked["seat"] == 0 for asked in frame["prompts"]):
                return True
            if frame["patch"].get("match", {}).get("over"):
                return False


async def decided(server: Serving, created: Said) -> int:
    """Return how many decisions of the bot in seat 1 are on the log."""
    entries = await server.log.read_everything(UUID(created["match"]))
    return sum(entry.type == "Decided" and b'"seat":1' in entry.body for entry in entries)


def taken_up(server: Serving, bot: tuple[UUID, int]) -> bool:
    return bot in bots(server)


def bots(*nodes: Serving) -> list[tuple[UUID, int]]:
    return [key for node in nodes if node.house is not None for key in node.house._running]


def in_charge(node: Serving, created: Said) -> bool:
    """Whether a match is in the charge of a node."""
    return charges._NAMES[charges._share(UUID(created["match"]))] in node.leases.held


async def test_the_nonce_of_a_bot_follows_from_the_key_of_its_match(server: Serving) -> None:
    async with against_a_bot(server.url) as (created, _):
        match = UUID(created["match"])
        live = await server.matches.get(match)
        shown = {
            fact.seat: fact.nonce
            for entry in await server.log.read_everything(match)
            if isinstance(fact := live.game.fact(entry.body), NonceShown)
        }

        assert keys.bot_nonce(live.key, 1).hex() == shown[1]
        assert not (server.settings.data / "nonces").exists()


async def test_a_match_whose_bot_s_nonce_lies_in_a_file_begins(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nonce = secrets.token_bytes(16)
    monkeypatch.setattr(keys, "bot_nonce", lambda *_: nonce)
    async with running(dsn, folder) as server:
        created = await offer(server.url, bots=BOT)
        match = UUID(created["match"])
        async with asyncio.timeout(10):
            while 1 not in (await server.matches.get(match)).standing.taken:
                await asyncio.sleep(0.02)
    monkeypatch.undo()
    (folder / "nonces").mkdir()
    (folder / "nonces" / f"{match}-1.nonce").write_text(nonce.hex())
    async with running(dsn, folder) as server, against_a_bot(server.url, created) as (_, talk):
        await play_a_turn(talk, created)


async def test_each_bot_is_run_once_whoever_comes_and_goes(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charges, "LOOK", 0.1)
    async with running(dsn, folder) as one:
        offered = [await offer(one.url, bots=BOT) for _ in range(20)]
        expected = sorted((UUID(created["match"]), 1) for created in offered)
        await until(lambda: sorted(bots(one)) == expected)
        async with running(dsn, folder) as two:
            await until(lambda: sorted(bots(one, two)) == expected and bool(bots(two)))
            shares = [len(node.leases.held) for node in (one, two)]
            offered = [await offer(one.url, bots=BOT) for _ in range(8)]
            expected = sorted([*expected, *((UUID(created["match"]), 1) for created in offered)])
            seen = Counter[int]()
            async with asyncio.timeout(15):
                while sorted(bots(one, two)) != expected or seen.total() < 20:
                    seen[max(Counter(bots(one, two)).values())] += 1
                    await asyncio.sleep(0.02)
        await until(lambda: sorted(bots(one)) == expected)

        assert [SHARES // 2] * 2 == shares
        assert {1} == set(seen)


async def test_a_bot_decides_on_in_seconds_when_its_node_is_killed(
    dsn: str, folder: Path, redis_url: str
) -> None:
    folder.mkdir()
    generate(folder / "keys")
    settings = {
        **os.environ, "FLEETFOLD_DATABASE_URL": dsn, "FLEETFOLD_DATA": str(folder),
        "FLEETFOLD_KEYS": str(folder / "keys"), "FLEETFOLD_REDIS_URL": redis_url,
    }  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.node", env=settings,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    other = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().strip()
    async with running(dsn, folder, redis_url=redis_url) as here:
        await until(lambda: len(here.leases.held) == SHARES // 2)
        while process.returncode is None:
            theirs = await offer(other, bots=BOT, scenario="campaign")
            if in_charge(here, theirs):
                continue  # a match is wanted whose bot is run by the other node
            async with against_a_bot(here.url, theirs) as (_, talk):
                bot = UUID(theirs["match"]), 1
                if not await play_a_turn(talk, theirs):
                    continue  # it was over by its dice
                assert bot not in bots(here)
                process.kill()
                await process.wait()
                await until(partial(taken_up, here, bot), within=8)
                before = await decided(here, theirs)
                while await play_a_turn(talk, theirs):
                    if await decided(here, theirs) > before:
                        break
                else:
                    return  # it was over by its dice

                assert await decided(here, theirs) > before


async def test_a_match_that_nobody_plays_is_asleep_until_somebody_does(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charges, "LOOK", 0.1)
    monkeypatch.setattr(charges, "WHOLE", 0.3)
    monkeypatch.setattr(charges, "OVERLAP", timedelta(seconds=2))
    async with against_a_bot(server.url, scenario="campaign") as (created, talk):
        await until(lambda: len(bots(server)) == 1)
        await asyncio.sleep(2.5)
        awake = len(bots(server))
        monkeypatch.setattr(charges, "AWAKE", timedelta(0))
        await until(lambda: not bots(server))
        await asyncio.sleep(0.5)

        assert (1, []) == (awake, bots(server))
        monkeypatch.setattr(charges, "AWAKE", timedelta(hours=1))
        await play_a_turn(talk, created)


COPIED = """
INSERT INTO lobby.match (match_id, title, scenario, pace, private, command, seen_at, clocked)
SELECT m, 'tiny', 'duel', '', false, sha256(uuid_send(m)), '2026-01-01', true FROM unnest($1::uuid[]) m
"""
LAST = """
INSERT INTO log.fact (match_id, command_id, xid, at, seq, cmd_ix, ver, audience, final, type, hash, body)
SELECT m, m, '5', log.now() - $2::interval, 1, 0, 1, 7, $3, 'Some', sha256(''), '{}' FROM unnest($1::uuid[]) m
"""
STOOD = """
INSERT INTO view.cursor (name, gen, live, xid, match_id, seq) VALUES ('standings', 1, true, '5', $1, 1)
    ON CONFLICT (name, gen) DO UPDATE SET xid = '5', match_id = excluded.match_id, seq = 1
"""


async def test_of_a_transaction_that_standings_know_in_part_the_rest_is_seen(
    database: Database, owner: Connection
) -> None:
    """Given a log that was restored, whose facts are all of one transaction."""
    _, two, three = matches = [UUID(int=number) for number in (1, 2, 3)]
    await owner.execute(COPIED, matches)
    await owner.execute(LAST, matches, timedelta(days=1), True)
    await owner.execute(STOOD, two)
    async with connection(database.play) as conn:
        rows = await conn.fetch(
            charges._MOVED, list(range(SHARES)), timedelta(seconds=10), [], timedelta(seconds=10)
        )

    assert [(three, True)] == [(row["match_id"], row["ended"]) for row in rows]


async def test_a_clock_is_set_where_standings_lack_a_fact_for_longer_than_looks_overlap(
    database: Database, owner: Connection
) -> None:
    late, fresh = UUID(int=1), UUID(int=2)
    await owner.execute(COPIED, [late, fresh])
    await owner.execute(LAST, [late], timedelta(seconds=60), False)
    await owner.execute(LAST, [fresh], timedelta(0), False)
    await owner.execute(STOOD, UUID(int=0))
    found: list[set[UUID]] = []
    for overlap in (timedelta(seconds=30), timedelta(seconds=90)):
        async with connection(database.play) as conn:
            rows = await conn.fetch(
                charges._MOVED, list(range(SHARES)), timedelta(seconds=10), [late, fresh], overlap
            )
        found.append({row["match_id"] for row in rows if row["clock"]})

    assert [{late}, set()] == found


async def test_an_end_that_was_not_noted_is_noted(
    dsn: str, folder: Path, owner: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(dsn, folder) as server, against_a_bot(server.url) as (created, talk):
        monkeypatch.setattr(server, "_changed", lambda _: None)
        await talk.ask("resign", match=created["match"])
        await asyncio.sleep(1.2)
    await owner.execute("UPDATE lobby.match SET ended_at = NULL")
    async with running(dsn, folder):
        async with asyncio.timeout(10):
            while not await owner.fetchval("SELECT ended_at FROM lobby.match"):
                await asyncio.sleep(0.05)

    assert await owner.fetchval(
        "SELECT ended_at = s.last_at FROM lobby.match JOIN view.standings s USING (match_id)"
    )


async def test_a_clock_runs_out_though_the_node_that_was_played_on_is_gone(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as one, running(dsn, folder) as two:
        await until(lambda: len(two.leases.held) == SHARES // 2)
        while True:
            async with seated(one.url, clock={"bank": 3}) as (created, _, _):
                if in_charge(two, created):
                    break
        match = UUID(created["match"])
        await one.clockwork.stop()
        async with asyncio.timeout(10):
            while "TimeOutClaimed" not in [entry.type for entry in await one.log.read_everything(match)]:
                await asyncio.sleep(0.05)


async def test_the_node_in_charge_sets_a_clock_anew_when_somebody_decides_on_another(
    dsn: str, folder: Path
) -> None:
    async with running(dsn, folder) as one, running(dsn, folder) as two:
        await until(lambda: len(two.leases.held) == SHARES // 2)
        while True:
            async with seated(one.url, clock={"bank": 1000}) as (created, north, _):
                if in_charge(two, created):
                    await followed(two, created, north)
                    break


async def followed(node: Serving, created: Said, talk: Talk) -> None:
    """Decide for seat 0 when a node has set the clock; wait until it has seen that."""
    match = UUID(created["match"])
    await until(lambda: match in node.clockwork._timers)
    upto, options = await prompt(talk, 0)
    stored = await talk.ask("decide", match=match, answers=upto, decision=options[0])
    await until(lambda: node.matches.memory.live[match].seq >= stored["seq"])


async def test_a_clock_that_does_not_run_is_opened_by_nobody(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as server:
        created = await offer(server.url, clock={"bank": 1000})
        server.matches.memory.live.clear()
        assert server.charges is not None
        server.charges._whole = float("-inf")
        await server.charges.look()

        assert {} == server.charges._unset
        assert UUID(created["match"]) not in server.matches.memory.live


WEEKS = {"by_turns": True, "clock": {"bank": 7 * 86_400, "increment": 86_400}}
NOTED = """
SELECT EXISTS (SELECT FROM lobby.clock_due d JOIN view.standings s USING (match_id)
                WHERE d.seq = s.facts AND d.due > log.now() + interval '1 day')
"""


async def noted(owner: Connection) -> None:
    """Wait until it is noted of the one match, as it is, that nothing is due for a day."""
    async with asyncio.timeout(15):
        while not await owner.fetchval(NOTED):
            await asyncio.sleep(0.05)


async def look_at_all(server: Serving) -> None:
    """Look at all matches of a node, and set the clocks that are to be set."""
    assert server.charges is not None
    server.charges._whole = float("-inf")
    await server.charges.look()
    await until(lambda: not server.charges or not server.charges._unset)


async def test_a_node_that_starts_opens_no_match_in_which_no_clock_is_due(
    dsn: str, folder: Path, owner: Connection
) -> None:
    async with running(dsn, folder) as one, seated(one.url, **WEEKS) as (created, _, _):
        match = UUID(created["match"])
        await noted(owner)
    async with running(dsn, folder) as server:
        await look_at_all(server)
        rested = match not in server.matches.memory.live
        await owner.execute("UPDATE lobby.clock_due SET due = log.now() + interval '1 minute'")
        await look_at_all(server)

        assert (True, True) == (rested, match in server.matches.memory.live)


async def test_a_match_that_has_moved_since_its_clock_was_noted_is_opened(
    dsn: str, folder: Path, owner: Connection
) -> None:
    async with running(dsn, folder) as one, seated(one.url, **WEEKS) as (created, _, _):
        await noted(owner)
    await owner.execute("UPDATE lobby.clock_due SET seq = seq - 1")
    async with running(dsn, folder) as server:
        await look_at_all(server)

        assert UUID(created["match"]) in server.matches.memory.live
        await noted(owner)
