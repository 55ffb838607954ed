"""One address cannot stop play: whoever plays at another is answered, whatever is sent from the first."""

import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from clients.bots import strengths
from clients.client import Client
from clients.links import Place
from clients.player import take_part
from server import wire
from server.serving import Serving
from tests.server.history import ROOT
from tests.server.tables import Node
from tests.server.talk import Said, enter, offer, prompt, seated, talking, token

KINDS = (
    "pings",
    "ping_frames",
    "pong_frames",
    "fragments",
    "hellos",
    "commands",
    "handshakes",
    "callers",
    "silent",
)

DECISIONS = 5
LONG = 300

TABLES = 30
ONLOOKERS = 2


@pytest.fixture
async def node(dsn: str, folder: Path) -> AsyncIterator[Node]:
    """Give a server in a process of its own, with the tiny title."""
    folder.mkdir()
    started = Node(dsn, folder)
    await started.start()
    yield started
    await started.kill()


@contextlib.asynccontextmanager
async def flood(kind: str, address: str, node: Node, match: str) -> AsyncIterator[None]:
    """Let sixty connections of an address send all they can."""
    attack = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.flood", kind, address, str(node.port), match,
        cwd=ROOT, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        assert attack.stdout is not None
        async with asyncio.timeout(20):
            assert kind == (await attack.stdout.readline()).decode().strip()
        yield
        assert attack.returncode is None
    finally:
        with contextlib.suppress(ProcessLookupError):
            attack.kill()
        await attack.communicate()


async def played(url: str, shown: Said, decisions: int) -> list[str]:
    """Shake hands, take the seats of a match, decide and undo so often, look on; return what was answered."""
    answers: list[Said] = []
    async with seated(url) as (created, north, _):
        for _ in range(decisions):
            upto, options = await prompt(north, 0)
            sent = {"match": created["match"], "answers": upto, "decision": options[0]}
            answers += [await north.ask("decide", **sent), await north.ask("undo", match=created["match"])]
    async with talking(url) as onlooker:
        answers.append(await enter(onlooker, shown))
    return [answer["t"] for answer in answers]


async def test_who_plays_at_another_address_is_answered_whatever_is_sent(node: Node) -> None:
    """Each kind comes from an address of its own, which has spent nothing yet."""
    shown = await offer(node.url)
    for number, kind in enumerate(KINDS, 2):
        async with flood(kind, f"127.0.0.{number}", node, shown["match"]):
            answers = await played(node.url, shown, DECISIONS)

        assert [*2 * DECISIONS * ["receipt"], "view"] == answers, kind


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
async def test_who_plays_on_while_it_is_sent_for_long_is_answered_each_time(node: Node, kind: str) -> None:
    shown = await offer(node.url)
    async with flood(kind, "127.0.0.2", node, shown["match"]):
        answers = await played(node.url, shown, LONG)

    assert [*2 * LONG * ["receipt"], "view"] == answers


class Noting(Client):
    """A client that notes what it is refused, and why its connections end."""

    def __init__(self, place: Place, told: set[str]) -> None:
        super().__init__(place)
        self._told = told

    def _refused(self, message: wire.Refused) -> None:
        self._told.add(message.code)
        super()._refused(message)

    async def _one_connection(self) -> str:
        why = await super()._one_connection()
        self._told.add(why)
        return why


async def table(url: str, told: set[str], rounds: int) -> int:
    """Play match after match as fast as it goes, watched; return how many have been played to the end."""
    ended = 0
    for _ in range(rounds):
        created = await offer(url)
        match, choose = UUID(created["match"]), strengths("tiny")["random"]
        doors = [token(created, "seat", seat) for seat in range(2)] + ONLOOKERS * [token(created, "onlooker")]
        async with contextlib.AsyncExitStack() as stack:
            clients = [
                await stack.enter_async_context(Noting(Place(url, match, door), told)) for door in doors
            ]
            await asyncio.gather(*(take_part(client, choose, seed=1) for client in clients[:2]))
            for client in clients:
                await client.wait(lambda client=client: client.over)  # type: ignore[misc]
        ended += 1
    return ended


async def hall(url: str, rounds: int) -> None:
    """Let sixty players and their onlookers play from one address; nobody comes to a limit.

    A machine that is busy with other things may be late: that is no limit, and costs nobody a match.
    """
    told: set[str] = set()
    ended = await asyncio.gather(*(table(url, told, rounds) for _ in range(TABLES)))

    assert [rounds] * TABLES == ended
    assert not {"too_fast", "too_many"} & told
    assert [] == [why for why in told if re.search("closed: (1008|4\\d\\d\\d)|answers", why)]


async def test_sixty_players_and_their_onlookers_play_undisturbed_from_one_address(server: Serving) -> None:
    await hall(server.url, 1)


@pytest.mark.soak
async def test_sixty_players_go_on_from_match_to_match_at_one_address(server: Serving) -> None:
    await hall(server.url, 2)
