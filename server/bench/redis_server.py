"""A Redis of our own, to measure and to test with. It keeps nothing on disk: what dies with it is lost."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import redis

from server.bench import LeftOut
from server.postgres import launch

PATIENCE: Final = 10.0
"""Seconds until it has to answer."""


class RedisServer:
    """A Redis, or a Sentinel, in a folder of its own; it ends with the thread that started it."""

    def __init__(self, folder: Path, *words: str | Path, port: int = 0, config: Path | None = None) -> None:
        """Take what else stands on its command line, and its file; without a port it listens on a socket."""
        self.folder, self.port, self._words, self._config = folder, port, words, config
        self.url = f"redis://127.0.0.1:{port}" if port else f"unix://{folder}/redis.sock"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers. Raises LeftOut where there is no Redis."""
        program = shutil.which("redis-server")
        if program is None:
            raise LeftOut("there is no redis-server: run `deploy/provision redis`")
        starter = [sys.executable, "-I", "-S", launch.__file__]
        starter += map(str, (os.getpid(), os.getuid(), os.getgid()))
        ours = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        if not self.port:
            ours += ["--unixsocket", str(self.folder / "redis.sock")]
        volatile = ["--save", "", "--appendonly", "no", "--loglevel", "warning"]
        command: list[str | Path] = [program, *([self._config] if self._config else [])]
        if "--sentinel" not in self._words:
            command += [*ours, *volatile]
        self.process = subprocess.Popen([*starter, *command, *self._words], stdout=subprocess.DEVNULL)  # noqa: S603
        end = time.monotonic() + PATIENCE
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                raise LeftOut("the redis-server here does not start")
            time.sleep(0.005)

    def answers(self) -> bool:
        """Whether it takes commands."""
        try:
            self.ask("PING")
        except redis.ConnectionError as why:
            return isinstance(why, redis.AuthenticationError)
        return True

    def ask(self, *words: str | bytes | int) -> object:
        """Have it do something."""
        with redis.Redis.from_url(self.url) as client:
            return client.execute_command(*words)

    def kill(self) -> None:
        """End it without a word to anyone; start it again with `start`."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
