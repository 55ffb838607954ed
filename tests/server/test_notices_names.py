"""Names whose look-up hangs keep few others waiting."""

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from typing import Any
from uuid import uuid4

import pytest

from server.notices.names import EACH, Names, domain_of
from server.notices.notifying import Notifying
from server.notices.places import Webhook
from tests.server.noticed import World, one_to_tell
from tests.server.receivers import Browser, Web

HERE = ["127.0.0.1"]


class NameServer:
    """The system's look-ups, of which those of hosts that begin with `hang` hang until `open` is set."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.asked: list[str] = []
        self._real = socket.getaddrinfo

    def find(self, host: Any, *args: Any, **named: Any) -> Any:
        """Look up."""
        if not str(host).endswith((".example", ".example.org")):
            return self._real(host, *args, **named)
        self.asked.append(host)
        if host.startswith("hang"):
            self.open.wait(60)
        return self._real(HERE[0], *args, **named)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[NameServer]:
    one = NameServer()
    monkeypatch.setattr("socket.getaddrinfo", one.find)
    yield one
    one.open.set()


@pytest.fixture
def names() -> Iterator[Names]:
    one = Names()
    yield one
    one.close()


async def none_found(looking: Sequence[Coroutine[Any, Any, Sequence[str]]]) -> None:
    """Look up, and see that each takes too long."""
    async with asyncio.timeout(20):
        found = await asyncio.gather(*looking, return_exceptions=True)
    assert {TimeoutError} == {type(one) for one in found}


async def test_of_the_names_of_one_person_that_hang_few_are_looked_up(
    server: NameServer, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.notices.names.PATIENCE", 0.2)
    one, other = uuid4(), uuid4()
    await none_found([names.find(f"hang.d{n}.example", 443, one) for n in range(100)])

    assert EACH == len(server.asked)
    assert HERE == await names.find("good.example", 443, other)
    server.open.set()
    async with asyncio.timeout(20):
        while names._under_way:
            await asyncio.sleep(0.01)
    assert HERE == await names.find("fine.example", 443, one)


async def test_of_the_names_of_one_domain_that_hang_few_are_looked_up(
    server: NameServer, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.notices.names.PATIENCE", 0.2)
    await none_found([names.find(f"hang{n}.evil.example", 443, uuid4()) for n in range(100)])

    assert EACH == len(server.asked)
    assert HERE == await names.find("good.example", 443, uuid4())


async def test_a_host_is_looked_up_once_for_all_who_want_it_then(server: NameServer, names: Names) -> None:
    wanted = [asyncio.create_task(names.find("hang.example", 443, uuid4())) for _ in range(20)]
    async with asyncio.timeout(20):
        while not server.asked:
            await asyncio.sleep(0.01)
    server.open.set()

    assert [HERE] * 20 == await asyncio.gather(*wanted)
    assert ["hang.example"] == server.asked
    await names.find("hang.example", 443)
    assert 2 == len(server.asked)


async def test_a_host_that_hung_is_left_alone_for_a_while(
    server: NameServer, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.notices.names.PATIENCE", 0.2)
    await none_found([names.find("hang.example", 443)])
    server.open.set()
    async with asyncio.timeout(20):
        while names._under_way:
            await asyncio.sleep(0.01)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            await names.find("hang.example", 443)
    assert 1 == len(server.asked)

    names._resting = {host: until - 300 for host, until in names._resting.items()}

    assert HERE == await names.find("hang.example", 443)


async def claimed(world: World, telling: Notifying) -> None:
    """Begin to tell what has become due."""
    await world.later(seconds=61)
    await telling.look()
    for worker in telling.workers.values():
        await worker.look()


@contextlib.asynccontextmanager
async def hung(world: World, telling: Notifying, server: NameServer, count: int) -> AsyncIterator[None]:
    """Tell a person by webhooks whose names hang, until so many are looked up."""
    person, match = await one_to_tell(world, telling, Webhook(url="https://hang.d0.example/"))
    for number in range(1, 8):
        await telling.channels.add(person, Webhook(url=f"https://hang.d{number}.example/"))
    await world.ask(match, 1, 5)
    await claimed(world, telling)
    async with asyncio.timeout(20):
        while len(server.asked) < count:
            await asyncio.sleep(0.01)
    yield
    server.open.set()
    async with asyncio.timeout(20):
        await telling.workers["webhook"].idle()


async def test_webhooks_of_one_person_that_hang_make_nobody_elses_wait(
    world: World, telling: Notifying, hook: Web, server: NameServer
) -> None:
    async with hung(world, telling, server, EACH):
        _, match = await one_to_tell(world, telling, Webhook(url=hook.url("hook.example.org")))
        await world.ask(match, 1, 5)
        await claimed(world, telling)
        await hook.heard(1, within=20)

        assert {"hook.example.org"} == {host for host in server.asked if not host.startswith("hang")}


async def test_webhooks_that_hang_in_all_threads_make_no_push_wait(
    world: World, telling: Notifying, hook: Web, server: NameServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.notices.names.LOOK_UPS", 2)
    async with hung(world, telling, server, 2):
        browser = Browser().place(hook.url("push.example.org"), telling.keys.public)
        _, match = await one_to_tell(world, telling, browser)
        await world.ask(match, 1, 5)
        await claimed(world, telling)
        await hook.heard(1, within=20)


@pytest.mark.parametrize(
    ("host", "domain"),
    [("a.b.Example.org", "example.org"), ("b.example.", "b.example"), ("localhost", "localhost")],
)
def test_a_domain_is_the_last_two_labels(host: str, domain: str) -> None:
    assert domain == domain_of(host)
