"""Several processes of a machine behind one port, started and killed as they are in earnest."""

import asyncio
import contextlib
import hashlib
import os
import secrets
import signal
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server.machine import parent
from server.machine.port import reserved
from server.siblings.line import ANSWER
from tests.server.reading import get
from tests.server.talk import Said, Talk, enter, offer, prompt, sit, talking
from tests.server.together import PATIENCE, Machine, alive, bot_sits, filled, machine, started, until

DECISIONS = 5


async def begun(north: Talk, south: Talk, created: Said) -> None:
    """Sit on both seats and begin."""
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    for seat, talk in enumerate((north, south)):
        await enter(talk, created, seat)
        await sit(talk, created, promise=hashlib.sha256(nonces[seat]).hexdigest())
    for seat, talk in enumerate((north, south)):
        await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())


async def decide(talks: tuple[Talk, Talk], created: Said) -> int | None:
    """Decide for a seat that is asked, and return the last fact that came of it; None at the end."""
    asked = [(seat, talk) for seat, talk in enumerate(talks) if _asked(talk, seat)]
    if not asked:
        return None
    seat, talk = asked[0]
    upto, options = await prompt(talk, seat)
    stored = await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])
    return int(stored["seq"])


def _asked(talk: Talk, seat: int) -> bool:
    told = [message for message in talk.heard if message["t"] in {"frame", "view"}]
    return any(one["seat"] == seat for one in told[-1]["prompts"])


async def reach(talk: Talk, upto: int) -> None:
    """Hear of a match up to a fact."""
    while max((m["upto"] for m in talk.heard if m["t"] in {"frame", "view"}), default=0) < upto:
        await talk.hear("frame", "view")


async def seats_apart(server: Machine, stack: AsyncExitStack) -> tuple[Said, list[Talk]]:
    """Begin a match whose seats are at two processes, with an onlooker at each."""
    created = await offer(server.url, scenario="campaign", options={"turns": 8})
    talks = [await stack.enter_async_context(server.talk_to(number)) for number in (0, 1, 0, 1)]
    await begun(talks[0], talks[1], created)
    for talk in talks[2:]:
        await enter(talk, created)
    return created, talks


async def plays_on(created: Said, talks: list[Talk]) -> int:
    """Decide a few times; everybody hears of each, which the log alone would tell every 15 s."""
    made = 0
    for _ in range(DECISIONS):
        upto = await decide((talks[0], talks[1]), created)
        if upto is None:
            break
        made += 1
        for talk in talks:
            await reach(talk, upto)
    return made


@pytest.mark.soak
async def test_with_redis_they_see_it_too(dsn: str, folder: Path, redis_url: str) -> None:
    async with machine(folder, dsn, redis_url=redis_url) as server, AsyncExitStack() as stack:
        created, talks = await seats_apart(server, stack)

        assert await plays_on(created, talks) > 1


async def test_players_at_two_processes_one_of_which_is_killed_play_on_until_all_are_told_to_stop(
    dsn: str, folder: Path
) -> None:
    async with machine(folder, dsn) as server:
        async with AsyncExitStack() as stack:
            created, talks = await seats_apart(server, stack)
            assert await plays_on(created, talks) > 1
            before = server.children
            os.killpg(server.process.pid, signal.SIGTSTP)  # Ctrl-Z, which stops nobody
            os.kill(before[0], signal.SIGKILL)
            lost = await _which_ends(talks[0], talks[1])
            other = await stack.enter_async_context(server.talk_again())
            await enter(other, created, lost)
            players = (other, talks[1]) if lost == 0 else (talks[0], other)

            assert await decide(players, created)
            await until(lambda: _all_answer(server))
            ends = await server.numbers("fleetfold_process_ends_total")
            assert 1 == len(set(before) & set(server.children))
            assert [0, 1] == sorted(ends.values())
        server.process.send_signal(signal.SIGTERM)
        code = await server.process.wait()
        said = server.log.read_text()

        assert 0 == code
        assert 2 == said.count('"event": "stopped"')
        assert "Traceback" not in said
        assert 1 == said.count('"event": "process.ended"')


async def _which_ends(*talks: Talk) -> int:
    """Wait until one of the talks is cut off; return its place."""
    waits = [asyncio.create_task(talk.socket.wait_closed()) for talk in talks]
    done, rest = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED, timeout=30)
    for task in rest:
        task.cancel()
    return waits.index(done.pop())


async def _all_answer(server: Machine) -> bool:
    return await server.answering() == 2


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
async def test_a_start_is_cut_short_by_who_tells_the_whole_group_to_stop(
    dsn: str, folder: Path, told: signal.Signals
) -> None:
    """Given the others are about to start, then they are ended at once and say nothing of it."""
    async with started(folder, dsn) as server:
        await until(lambda: _has_children(server))
        children = server.children
        os.killpg(server.process.pid, told)
        code = await asyncio.wait_for(server.process.wait(), PATIENCE)
        said = server.log.read_text()

        assert (0, "") == (code, said)
        assert not any(map(alive, children))


async def _has_children(server: Machine) -> bool:
    return bool(server.children)


async def test_one_who_begins_to_listen_on_the_port_before_we_do_is_not_shared_with(
    dsn: str, folder: Path
) -> None:
    async with started(folder, dsn) as server:
        await until(lambda: _has_children(server))
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            other.bind(("127.0.0.1", server.port))
            other.listen()
            code = await asyncio.wait_for(server.process.wait(), PATIENCE)

        assert 1 == code
        assert f"Error: another server listens on port {server.port}, too" in server.log.read_text()


@pytest.mark.parametrize("processes", [1, 2])
async def test_a_start_that_waits_for_its_database_is_cut_short(folder: Path, processes: int) -> None:
    asked = asyncio.Event()

    async def silent(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.set()
        await ended.wait()
        writer.close()

    ended = asyncio.Event()
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as database:
        port = database.sockets[0].getsockname()[1]
        async with started(folder, f"postgresql://me@127.0.0.1:{port}/none", processes) as server:
            await asyncio.wait_for(asked.wait(), PATIENCE)
            server.process.send_signal(signal.SIGTERM)
            code = await asyncio.wait_for(server.process.wait(), PATIENCE)
            ended.set()

            assert (0, "") == (code, server.log.read_text())


async def test_when_the_process_that_was_started_is_killed_all_end_and_the_port_is_free(
    folder: Path,
) -> None:
    """Given one that stands still, and a Postgres of its own, which ends, too."""
    async with machine(folder, None) as server:
        children = server.children
        os.kill(server.serving[0], signal.SIGSTOP)
        server.process.kill()
        await server.process.wait()

        async def gone() -> bool:
            return not any(alive(pid) for pid in children)

        await until(gone)
        parts = urlsplit(server.url)
        assert parts.hostname is not None
        assert parts.port is not None
        with reserved(parts.hostname, [parts.port]) as port:
            assert parts.port == port
        assert 3 == len(children)


@pytest.mark.soak
async def test_one_that_is_stopped_is_told_of_and_another_serves_in_its_place(dsn: str, folder: Path) -> None:
    async with machine(folder, dsn) as server:
        stopped, *_ = before = server.children
        clock = asyncio.get_running_loop().time
        os.kill(stopped, signal.SIGSTOP)
        begun, told = clock(), []
        while alive(stopped):
            asked = clock()
            missing = await _missing(server.url)
            told.append((missing, clock() - asked))
        taken = clock() - begun
        await until(lambda: _all_answer(server))

        assert {1} == {missing for missing, _ in told}
        assert max(waited for _, waited in told) < ANSWER + 1
        assert parent.STILL < taken < 2 * parent.STILL
        assert 1 == len(set(before) & set(server.children))


async def _missing(url: str) -> int:
    """Ask until one answers how many do not: the kernel deals some of them to one that is stopped."""
    asked = [asyncio.create_task(get(url, "/readyz")) for _ in range(12)]
    try:
        for answer in asyncio.as_completed(asked, timeout=PATIENCE):
            with contextlib.suppress(OSError):  # of one that is killed
                return int((await answer).json["missing"])
    finally:
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
    raise AssertionError


@pytest.mark.soak
async def test_limits_count_for_all_processes_but_not_for_the_bots_of_the_house(
    dsn: str, folder: Path
) -> None:
    most = 6
    async with machine(folder, dsn, connections_per_address=most) as server, AsyncExitStack() as stack:
        talk = await stack.enter_async_context(talking(server.url))
        opened = 1 + await filled(stack, server.url, 4 * most)
        await asyncio.sleep(1)  # until each knows of all
        wish = {"version": 1, "title": "tiny", "scenario": "skirmish", "bots": {"1": "random"}}
        matches = [(await talk.ask("create", "created", **wish))["match"] for _ in range(3)]

        assert most <= opened <= 2 * most
        assert 0 == sum([await filled(stack, server.url, 1) for _ in range(12)])  # 12 times at one: hardly
        for match in matches:
            await until(lambda match=match: bot_sits(server.url, match))  # type: ignore[misc]
