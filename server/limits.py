"""How much may come from one connection, from one address and into the process; buckets that count it.

Deliberately absent: who counts what (`server.socket.visitor`, `server.socket.paced`, `server.addresses`).
"""

import resource
import time
from collections.abc import Callable
from typing import Final

# A connection

FRAMES: Final = (100, 10.0)
"""Frames that are read from a connection, and the seconds in which so many come back. Messages, fragments,
pings and pongs are all frames, and each KiB counts as one more. Beyond it nothing is read for a while."""

AHEAD: Final = 32 << 10
"""Bytes that have come beyond what may be read, above which a connection is closed."""

COMMANDS: Final = (30, 20.0)
"""Commands likewise. One that is stored gives back all that it spent."""

HELLOS: Final = (8, 8 / 3)
"""Hellos likewise: three a second, and the eight matches of a connection at once."""

LINES: Final = (10, 20.0)
"""Lines of chat likewise."""

# An address, which sixty players and their onlookers may share

SOCKETS: Final = 512
"""Websockets open from one address, unless the operator says otherwise; if he allows more, the limits of
`ARRIVALS` and `WORK` grow with it."""

CALLS: Final = 128
"""Connections beyond the websockets: those that read over HTTP or have not asked for anything yet."""

ARRIVALS: Final = (SOCKETS, 10.0)
"""Connections made likewise. Whoever comes beyond it waits."""

LONGEST_WAIT: Final = 5.0
"""Seconds of waiting beyond which a new connection is cut off instead."""

WORK: Final = (6 * SOCKETS, 20.0)
"""What all connections of an address may spend together, likewise: a frame counts as for its connection, and
what it asks for counts on top of that. Beyond it they wait."""

HELLO: Final = 10.0
"""What a hello counts: the match is looked up, and its view drawn up and sent."""

COMMAND: Final = 3.0
"""What a command counts, and a line of chat."""

CREATIONS: Final = (60, 600.0)
"""Matches offered likewise."""

READS: Final = (400_000, 100.0)
"""Facts of matches that are read whole, likewise. Of one read at a time: the next waits."""

RECORD: Final = 1.0
"""What a fact counts in a record: it is copied."""

STEPS: Final = 5.0
"""What it counts in steps: it is folded, and every view of the match drawn up."""

READERS: Final = 128
"""Reads of an address that may be under way and wait."""

KIB: Final = 1024

FILES: Final = 1 << 16
"""Files that the process wants to be allowed to have open: every connection is one, and it is common to be
allowed a thousand, which two addresses could use up."""


def allow_files(wanted: int) -> int:
    """Raise the soft limit of open files as far as is wanted and allowed; return what it is."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < enough:
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
        return enough
    return wanted


class Bucket:
    """Tokens that are taken and come back steadily, up to `size`, all within `seconds`."""

    __slots__ = ("_at", "_clock", "_rate", "_size", "_tokens")

    def __init__(self, size: float, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._rate, self._clock = float(size), size / seconds, clock
        self._tokens, self._at = float(size), clock()

    def acquire(self) -> bool:
        """Take a token, if there is one."""
        self._fill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def spend(self, amount: float = 1.0) -> float:
        """Take tokens whether or not they are there; return the seconds until none is owed."""
        self._fill()
        self._tokens -= amount
        return self._wait()

    def owed(self) -> float:
        """Return the seconds until none is owed."""
        self._fill()
        return self._wait()

    def give_back(self, amount: float = 1.0) -> None:
        """Put tokens back that were taken for nothing."""
        self._tokens = min(self._size, self._tokens + amount)

    def _fill(self) -> None:
        at = self._clock()
        self._tokens = min(self._size, self._tokens + (at - self._at) * self._rate)
        self._at = at

    def _wait(self) -> float:
        return max(0.0, -self._tokens / self._rate)

    @property
    def full(self) -> bool:
        """Whether nothing is missing; such a bucket need not be kept."""
        return self._tokens + (self._clock() - self._at) * self._rate >= self._size
