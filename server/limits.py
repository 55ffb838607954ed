"""Rate limits for each connection and each address, limits of the process, and the token bucket.

A limit `(size, seconds)` is a bucket of `size` tokens that refills within `seconds`. Deliberately absent: who
spends tokens on what (`server.socket.visit`, `server.socket.paced`, `server.addresses`).
"""

import gc
import resource
import sys
import time
from collections.abc import Callable
from typing import Final

from server.nobody import nobody

# A connection

FRAMES: Final = (100, 10.0)
"""Websocket frames read from a connection: messages, fragments, pings and pongs, and each KiB counts as one
more. While the bucket is in debt nothing is read."""

AHEAD: Final = 56 << 10
"""Bytes buffered while a connection may not be read, above which it is closed: more than one message may
have (`server.socket.listening.MESSAGE`), since all of it may come in such a while."""

COMMANDS: Final = (30, 20.0)
"""Commands of a connection. One that is stored is refunded."""

HELLOS: Final = (8, 8 / 3)
"""Hellos of a connection: three a second, and the eight matches of a connection at once."""

LINES: Final = (10, 20.0)
"""Lines of chat of a connection."""

ROOM_LINES: Final = (60, 20.0)
"""Lines of chat in a room of a match: each goes to all who are there, and nobody reads more."""

ROOM_SHARE: Final = (20, 20.0)
"""Lines of these from one seat, or from onlookers at one address: a third, so that others are heard, too."""

# An address, which sixty players and their onlookers may share

SOCKETS: Final = 512
"""Websockets open from one address, unless the operator says otherwise; if he allows more, the limits of
`ARRIVALS` and `WORK` grow with it."""

CALLS: Final = 128
"""Connections open from one address besides websockets: for HTTP, or without a request so far."""

ARRIVALS: Final = (SOCKETS, 10.0)
"""New connections from one address. Above it they wait."""

LONGEST_WAIT: Final = 5.0
"""Seconds of waiting beyond which a new connection is aborted instead."""

WORK: Final = (6 * SOCKETS, 20.0)
"""Tokens that all connections of an address may spend together: websocket frames cost as for the connection,
and what a message asks for costs on top of that. Above it they wait."""

HELLO: Final = 10.0
"""Tokens of WORK that a hello costs: the match is looked up, and its view drawn up and sent."""

COMMAND: Final = 3.0
"""Tokens of WORK that a command or a line of chat costs."""

CREATIONS: Final = (60, 600.0)
"""Matches offered from one address."""

OFFERS: Final = 3
"""Open offers of one address that others could join, unless the operator says otherwise."""

SIGN_UPS: Final = (60, 3600.0)
"""Persons who sign up from one address, as a whole club may in an evening."""

REGISTRATIONS: Final = (60, 3600.0)
"""Bots that are registered from one address."""

ATTEMPTS: Final = (240, 600.0)
"""Times that somebody at one address begins to sign up or in, or tries a recovery code."""

MAILS: Final = (20, 3600.0)
"""Links by mail that are asked for from one address."""

LOOK_UPS: Final = (600, 600.0)
"""Handles that are looked up from one address."""

OWN_LOOK_UPS: Final = (300, 600.0)
"""Persons, ladders and results that a person looks up while he is signed in, from wherever he does."""

READS: Final = (400_000, 100.0)
"""Facts of matches read whole from one address, one read at a time."""

RECORD: Final = 1.0
"""Tokens of READS that a fact costs in a record: it is copied."""

STEPS: Final = 5.0
"""Tokens of READS that a fact costs in steps: it is folded, and every view of the match drawn up."""

FOLDED: Final = 0.5
"""Tokens of READS that a fact costs that is only folded, to come to where a passage begins."""

REPORT: Final = 2.0
"""Tokens of READS that a fact costs in a report: it is folded and weighed."""

DISPUTE: Final = 2.0
"""Tokens of READS that a fact costs in a dispute: it is folded, and looked up for what was taken back."""

TITLE_DICE: Final = 20_000.0
"""Tokens of READS that the dice of all matches of a title cost where they have to be summed."""

RESULTS: Final = 4_000.0
"""Tokens of READS that a ladder, a person's results and the balance of a title cost each: all of their rows
are gone through."""

FILE: Final = 1.0
"""Tokens of WORK that an answer over HTTP costs that is at hand, beyond the bytes of its request."""

QUERY: Final = 5.0
"""Tokens of WORK that an answer over HTTP costs for which the database is asked."""

SEARCH: Final = 20.0
"""Tokens of WORK that a search of the list of matches costs."""

LONGEST_DEBT: Final = 10.0
"""Seconds of waiting beyond which a request over HTTP is refused instead."""

READERS: Final = 128
"""Reads of an address that may be queued or under way."""

KIB: Final = 1024

FILES: Final = 1 << 13
"""Open files without which the operator is warned at the start: every connection is one, so these are a
dozen addresses with all the connections that they may have. The usual limit of a thousand could be used up
by two."""

MOST_FILES: Final = 1 << 20
"""Open files that a server asks for where it may have as many as it likes."""

SPARE_FILES: Final = (1280, 8)
"""Open files that are not for newcomers: so many, or one of so many where that is less. With them the
database is reached, and a whole backlog is accepted before the first is turned away. Whoever connects then
is a newcomer: a bot of the house that comes, and who asks whether the node is well, too.
"""


def allow_files(wanted: int = MOST_FILES) -> int:
    """Raise the soft limit of open files to `wanted` or the hard limit, if it is lower; return what it is.

    Where there is no limit, `wanted` is returned. A kernel may refuse what its hard limit allows, as that of
    macOS does; then it is less.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft == resource.RLIM_INFINITY:
        return wanted
    while soft < enough:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
        except (OSError, ValueError):
            enough //= 2
        else:
            return enough
    return soft


def files_for(connections: int) -> int:
    """Return the open files without which a server is short of them, by its websockets of one address."""
    return max(FILES, connections + CALLS + SPARE_FILES[0])


def room_for(descriptor: int) -> bool:
    """Whether a new connection may begin, by its file descriptor.

    A new one is the lowest that is free. So from one that is too high on, all below are open.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    most, part = SPARE_FILES
    return soft == resource.RLIM_INFINITY or descriptor < soft - min(most, soft // part)


GARBAGE: Final = (5_000, 5, 100)
"""Objects made, and not freed yet, from which on the newest are searched for garbage; how many such searches
make one among older ones, and how many of these one among all. By Python's own measure, 700 for the first,
an eighth of the processor's time goes into searches that find nothing: what a decision makes holds no cycles.
"""


def search_less_for_garbage() -> None:
    """Search for garbage now, spare all that is left for good, and from now on search as GARBAGE says.

    To be called when a server has started: a search through what it has loaded would block the event loop.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


SWITCH: Final = 0.0005
"""Seconds that a thread which reckons may keep the others from running. By Python's own measure, 5 ms, the
event loop waits so long each time that it wakes, ten times in a decision, while a report is made beside it.
"""


def give_way_sooner() -> None:
    """Let threads take turns every SWITCH seconds."""
    sys.setswitchinterval(SWITCH)


class Bucket:
    """A token bucket: `size` tokens, refilled steadily, from empty to full in `seconds`."""

    __slots__ = ("_at", "_changed", "_clock", "_rate", "_size", "_tokens", "spent")

    def __init__(
        self,
        size: float,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        changed: Callable[[], object] = nobody,
    ) -> None:
        """Take what is to be called whenever `spent` changes."""
        self._changed = changed
        self.spent = 0.0
        """Tokens taken so far, less those refunded."""
        self._size, self._rate, self._clock = float(size), size / seconds, clock
        self._tokens, self._at = float(size), clock()

    def acquire(self) -> bool:
        """Take a token if there is one; whether there was."""
        self._fill()
        if self._tokens < 1:
            return False
        self._tokens -= 1
        self.spent += 1
        self._changed()
        return True

    def spend(self, amount: float = 1.0) -> float:
        """Take tokens, into debt if there are too few; return the seconds until the debt is refilled."""
        self._fill()
        self._tokens -= amount
        self.spent += amount
        self._changed()
        return self._wait()

    def owed(self) -> float:
        """Return the seconds until the debt is refilled; 0 without debt."""
        self._fill()
        return self._wait()

    def wait(self) -> float:
        """Return the seconds until there is a token."""
        self._fill()
        return max(0.0, (1 - self._tokens) / self._rate)

    def give_back(self, amount: float = 1.0) -> None:
        """Refund tokens, up to the bucket's size."""
        self._tokens = min(self._size, self._tokens + amount)
        self.spent -= amount
        self._changed()

    def spent_elsewhere(self, amount: float) -> None:
        """Take tokens that another process has taken, or refund what it refunded; `spent` leaves them out."""
        self._fill()
        self._tokens = min(self._size, self._tokens - amount)

    def _fill(self) -> None:
        at = self._clock()
        self._tokens = min(self._size, self._tokens + (at - self._at) * self._rate)
        self._at = at

    def _wait(self) -> float:
        return max(0.0, -self._tokens / self._rate)

    @property
    def full(self) -> bool:
        """Whether the bucket is full, so that it need not be kept."""
        return self._tokens + (self._clock() - self._at) * self._rate >= self._size
