"""The receivers in a process of their own: whoever measures does not wait while they take a notice.

They count what comes, and do not open it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path

from msgspec import Struct

from server.mail_url import MailServer
from tests.weeks.beside import beside
from tests.weeks.desk import desk, trusting


class Apart:
    """The receivers as others see them."""

    def __init__(self, ports: tuple[int, int, int], line: Connection) -> None:
        self._mail, self._push, self._hook = ports
        self._line = line

    @property
    def server(self) -> MailServer:
        """The mail server, as a setting."""
        return MailServer("127.0.0.1", self._mail, tls=False)

    def push(self, number: int) -> str:
        """Return the endpoint at which a browser is pushed to."""
        return f"https://127.0.0.1:{self._push}/{number}"

    def hook(self, number: int) -> str:
        """Return the address of a webhook."""
        return f"https://127.0.0.1:{self._hook}/{number}"

    async def taken(self) -> int:
        """Ask how many notices were taken."""
        self._line.send(None)
        count: int = await asyncio.to_thread(self._line.recv)
        return count


class _Found(Struct):
    """What the process says first."""

    ports: tuple[int, int, int]
    authority: Path


@contextlib.asynccontextmanager
async def apart(folder: Path) -> AsyncIterator[Apart]:
    """Run the receivers, whose certificates this process, and those that it starts meanwhile, trust."""
    async with beside(_process, folder) as line:
        found: _Found = await asyncio.to_thread(line.recv)
        with trusting(found.authority):
            yield Apart(found.ports, line)


def _process(folder: Path, line: Connection) -> None:
    asyncio.run(_take(folder, line))


async def _take(folder: Path, line: Connection) -> None:
    taken, ended, loop = 0, asyncio.Event(), asyncio.get_running_loop()

    def take(_: object) -> None:
        nonlocal taken
        taken += 1

    def asked() -> None:
        try:
            line.recv()
        except EOFError:
            loop.remove_reader(line.fileno())
            ended.set()
        else:
            line.send(taken)

    async with desk(folder) as at:
        at.mail.told = at.push.told = at.hook.told = take
        loop.add_reader(line.fileno(), asked)
        line.send(_Found((at.mail.port, at.push.port, at.hook.port), at.certificates.ca))
        await ended.wait()
