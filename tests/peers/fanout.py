"""One text of 600 bytes to so many sockets: the processor's time of the whole server, a delivery.

Every contestant is a process of its own on the servers' core, and its clients are a process on the
others. They have their turns within each round, so that what else the machine does falls on all alike. A
text goes out when the one before was read by all. Time is that of the server's process, with its system
calls and whatever it does to be told that it is to send.
"""

import contextlib
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from server.bench import Say
from server.bench.fanout import FRAME
from tests.peers.figures import Figure, Tell
from tests.peers.installed import HERE, Missing, Peers
from tests.peers.processes import Started, spent, started
from tests.peers.readers import Readers, reading

Arguments = Callable[[Peers, int], Sequence[str | Path]]
"""How a server is started for so many sockets."""

PYTHON: Final = (sys.executable, "-m", "tests.peers.stands")


def _node(name: str) -> Arguments:
    return lambda peers, count: ("node", HERE / "fanout.mjs", name, str(count), peers.packages())


CONTESTANTS: Final[dict[str, Arguments]] = {
    "C, epoll": lambda peers, _: (peers.fanout(),),
    "raw asyncio (uvloop)": lambda _, __: (*PYTHON, "raw"),
    "Fleetfold's hub": lambda _, __: (*PYTHON, "ours"),
    "websockets' broadcast": lambda _, __: (*PYTHON, "broadcast"),
    "ws": _node("ws"),
    "socket.io": _node("socket.io"),
    "Colyseus": _node("colyseus"),
    "uvicorn": lambda peers, _: (peers.python(), HERE / "asgi.py"),
}
WITHOUT_PEERS: Final = ("raw asyncio (uvloop)", "Fleetfold's hub")
"""Those that need nothing from a registry."""

ALL_IN: Final = 120.0
"""Seconds within which a server has to know all of its sockets."""


class Contestant:
    """A server, its clients, and what each delivery to all of them has cost so far."""

    def __init__(self, name: str, server: Started, readers: Readers, sockets: int) -> None:
        self.name = name
        self.microseconds: list[float] = []
        self._server, self._readers, self._sockets = server, readers, sockets
        self._size = self._settled()

    def turn(self, seconds: float) -> None:
        """Deliver for so many seconds, and note what a delivery took."""
        have = self._readers.received()
        rounds, began, end = 0, spent([self._server.pid]), time.monotonic() + seconds
        while not rounds or time.monotonic() < end:
            self._server.say(b"\n")
            rounds += 1
            self._readers.received(have + rounds * self._size)
        took = spent([self._server.pid]) - began
        self.microseconds.append(took / rounds / self._sockets * 1e6)

    def _settled(self) -> int:
        """Deliver until all sockets get it; return the bytes of a delivery to all."""
        end = time.monotonic() + ALL_IN
        while time.monotonic() < end:
            before = self._readers.received()
            self._server.say(b"\n")
            size = self._after_quiet() - before
            if size >= self._sockets * FRAME and not size % self._sockets:
                return size
        raise TimeoutError(f"{self.name} has not delivered to {self._sockets} in {ALL_IN:.0f} s")

    def _after_quiet(self) -> int:
        have, before = self._readers.received(), -1
        while have != before:
            time.sleep(0.2)
            before, have = have, self._readers.received()
        return have


def measure(
    peers: Peers,
    say: Say,
    tell: Tell,
    sizes: Sequence[int],
    rounds: int,
    seconds: float,
    names: Sequence[str],
) -> None:
    """Measure these contestants at each number of sockets; one that is not there is told so."""
    for size in sizes:
        say(f"one text to {size} sockets, by {len(names)} servers")
        with contextlib.ExitStack() as stack:
            there = [one for name in names if (one := _entered(stack, peers, tell, name, size))]
            for number in range(rounds + 1):
                first = number % max(1, len(there))
                for one in [*there[first:], *there[:first]]:
                    one.turn(seconds)
        for one in there:
            each = statistics.median(one.microseconds[1:])  # the first round warms up
            tell(Figure("fanout", one.name, size, {"µs a delivery": each}))


def _entered(
    stack: contextlib.ExitStack, peers: Peers, tell: Tell, name: str, size: int
) -> Contestant | None:
    try:
        return stack.enter_context(_contestant(peers, name, size))
    except (Missing, OSError, RuntimeError) as why:
        tell(Figure("fanout", name, size, left_out=str(why)))
        return None


@contextlib.contextmanager
def _contestant(peers: Peers, name: str, size: int) -> Iterator[Contestant]:
    with started(CONTESTANTS[name](peers, size)) as server, reading(server.told, size) as readers:
        yield Contestant(name, server, readers, size)
