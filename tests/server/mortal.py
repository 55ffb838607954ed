"""A node as `tests.server.node` is, in a process of its own that kills itself at a moment: `mortal`.

A moment is a write to the database that stands for itself, or the end of a transaction with writes in it:
what comes between two of them changes nothing that outlives the process. They are counted from when the file
DOOM is in the folder, which says at which of them the process ends, before it or after it: `7 after`. After
it nobody has been told of it yet. Each moment is a line of the file MOMENTS.
"""

import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from asyncpg import Connection

from domain.titles import TITLES
from server.__main__ import main
from tests.tiny import GAME

T = TypeVar("T")
Held = Any
"""A connection."""

DOOM, MOMENTS = "doom", "moments"

# What a node does again and again by itself is none: who is here, and what is to be told to whom.
WRITES = re.compile(
    r"\b(?:INSERT INTO|UPDATE|DELETE FROM) "
    r"((?:log|lobby|people)"
    r"\.(?!here\b|heard\b|mailed\b|channel\b|outbox\b|session\b|ceremony\b|leaving\b|holiday\b|report\b)\w+)"
)


class Moments:
    """The moments of this process."""

    def __init__(self, folder: Path) -> None:
        self._doom, self._lines, self._count = folder / DOOM, folder / MOMENTS, 0
        self._open: dict[int, str] = {}
        """What was written in each transaction that is open, by its connection."""

    async def carry_out(self, held: Held, query: str, statement: Callable[[], Awaitable[T]]) -> T:
        """Carry a statement out; end before it or after it if that is the moment."""
        what = self._moment(held, query)
        if not what or not self._doom.exists():
            return await statement()
        self._count += 1
        number, (doomed, how) = str(self._count), self._doom.read_text().split()
        if (doomed, how) == (number, "before"):
            self._end(f"{number} before {what}")
        answer = await statement()
        if (doomed, how) == (number, "after"):
            self._end(f"{number} after {what}")
        self._say(f"{number} {what}")
        return answer

    def _moment(self, held: Held, query: str) -> str:
        """Return what is written at last by a statement; empty for nothing."""
        if query in {"COMMIT;", "ROLLBACK;"}:
            written = self._open.pop(id(held), "")
            return written if query == "COMMIT;" else ""
        found = WRITES.search(query)
        what = found[1] if found else ""
        if what and held.is_in_transaction():
            self._open[id(held)] = f"{self._open.get(id(held), 'commit')} {what}"
            return ""
        return what

    def _end(self, what: str) -> None:
        self._say(what)
        os.kill(os.getpid(), signal.SIGKILL)

    def _say(self, what: str) -> None:
        with self._lines.open("a") as lines:
            lines.write(f"{what}\n")


def meets(moments: Moments) -> None:
    """Have all connections of this process meet moments."""

    def met(name: str, *, plain: bool) -> None:
        """`plain`: with arguments it is carried out by another of them."""
        statement = getattr(Connection, name)

        async def wrapped(self: Held, query: str, *args: Any, **more: Any) -> Any:
            if plain and args:
                return await statement(self, query, *args, **more)
            return await moments.carry_out(self, query, lambda: statement(self, query, *args, **more))

        setattr(Connection, name, wrapped)

    met("execute", plain=True)
    met("_execute", plain=False)
    met("_executemany", plain=False)


def mortal(folder: str, settings: Mapping[str, str]) -> None:
    """Serve from a folder by these settings, in a process that has nothing else to do; say nothing."""
    with Path(os.devnull).open("w") as nowhere:
        for said in (sys.stdout, sys.stderr):
            os.dup2(nowhere.fileno(), said.fileno())
    os.environ.update(settings)
    meets(Moments(Path(folder)))
    TITLES[GAME.name] = GAME
    main(["serve"], prog_name="fleetfold")
