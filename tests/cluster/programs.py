"""Programs that make up a cluster on this machine: each in a process of its own that ends with its starter.

Everything listens on the loopback and nowhere else.
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from server.postgres import launch
from server.postgres.engine import Account

LOOPBACK = "127.0.0.1"

NAP = 0.05
"""Seconds between looks at what is waited for."""


class NotThere(Exception):
    """A program does not start. The message says what a person can do about it."""


class Program:
    """One program: started, killed and started again. What it says goes to a file beside the others'.

    On Linux it gets SIGINT when its starter ends, however that ended, which all of ours take for a stop.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        logs: Path,
        *,
        account: Account | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.name, self.log = name, logs / f"{name}.log"
        self._command = [str(part) for part in command]
        self._user = (account.user, account.group) if account else (os.getuid(), os.getgid())
        self._environ = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", **(environ or {})}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def start(self) -> None:
        """Start it, in a session of its own: Ctrl-C is for whoever started it."""
        starter = [sys.executable, "-I", "-S", launch.__file__, str(os.getpid()), *map(str, self._user)]
        with self.log.open("ab") as out:
            self._process = subprocess.Popen(
                [*starter, *self._command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=self._environ,
                start_new_session=True,
            )

    def signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """End it without a word to anyone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    async def stop(self, within: float = 20.0) -> None:
        """Ask it to end, and end it if it does not within so many seconds."""
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGINT)
        until = time.monotonic() + within
        while self.pid is not None and time.monotonic() < until:
            await asyncio.sleep(NAP)
        self.kill()

    async def ready(self, answers: Callable[[], Awaitable[bool]], within: float = 60.0) -> None:
        """Wait until it answers. Raises NotThere, with the last it said, if it ends before, or is late."""
        until = time.monotonic() + within
        while True:
            with contextlib.suppress(Exception):  # whatever it is that does not answer yet
                if await answers():
                    return
            if self.pid is None or time.monotonic() > until:
                said = self.log.read_text(errors="replace").splitlines()[-8:]
                raise NotThere("\n".join([f"{self.name} does not start:", *said]))
            await asyncio.sleep(NAP)


def free_ports(count: int) -> list[int]:
    """Return ports of the loopback that nobody has, all of them different."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in found:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind((LOOPBACK, 0))
        return [one.getsockname()[1] for one in found]


async def fetched(port: int, path: str, within: float = 3.0) -> tuple[int, str]:
    """Ask a port for a page over HTTP; its status and its text."""
    async with asyncio.timeout(within):
        reader, writer = await asyncio.open_connection(LOOPBACK, port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {LOOPBACK}\r\nConnection: close\r\n\r\n".encode())
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.close()
    return int(head.split()[1]), body.decode()
