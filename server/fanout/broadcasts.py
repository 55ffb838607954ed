"""The types of fan-out: broadcasts, topics, the source that fills holes, the bytes of a websocket message.

A broadcast is one message to all of one audience, most often the frame of a command; it names the range of
the log that it covers. `server.fanout.bus` carries broadcasts between nodes, `server.fanout.ring` keeps the
last of them, `server.fanout.hub` hands them to connections by way of `server.fanout.room` and
`server.fanout.slow_watchers`, `server.fanout.recovery` fills holes from the log, `server.fanout.presence`
counts who is there.

Deliberately absent: what a broadcast's text says, and who may see it. Both were settled when it was made.
"""

import asyncio
import struct
from collections.abc import Collection, Coroutine, Iterable
from typing import Any, Final, Protocol
from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import Viewer

Topic = tuple[UUID, Viewer]
"""A match and one of its audiences."""


class Broadcast(Struct, frozen=True, gc=False):
    """What one audience is sent for the facts in (after, upto]; `text` is the whole JSON message.

    An empty text stands for the range alone: whoever gets it reads the log. A broadcast with `upto` 0 covers
    nothing: its text is not from the log, such as a line of chat, and may be lost.
    """

    match: UUID
    audience: Viewer
    after: int
    upto: int
    text: bytes


class TooFar(Exception):
    """More facts have happened since than are worth sending one by one: take the view."""


class Source(Protocol):
    """The log, as the fan-out asks it. Any method may raise when the log cannot be reached."""

    async def since(self, match: UUID, audience: Viewer, after: int) -> Broadcast:
        """Give one broadcast covering (after, head]; raises TooFar when that is more than 2,000 facts."""
        ...

    async def view(self, match: UUID, audience: Viewer) -> Broadcast:
        """Give the audience's view at the head: `after` is 0, `upto` the head."""
        ...

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        """Give the last seq of each match that has facts, in one query."""
        ...


class Pace(Struct, frozen=True):
    """Every duration of the fan-out, in seconds."""

    beat: float = 2.0  # a heartbeat through Redis
    silence: float = 6.0  # without one: a new connection
    answer: float = 3.0  # Redis answers by then or is away
    again: float = 0.25  # between attempts to reach Redis, or the log
    poll: float = 0.5  # between looks at the log while Redis is away
    compare: float = 15.0  # between looks at the log while all seems well
    gather: float = 0.1  # broadcasts of a crowded match wait so long for each other
    patience: float = 30.0  # a connection may be behind so long
    farewell: float = 10.0  # and then has so long to hear why it is closed
    presence: float = 1.0  # between two words about who is there
    absence: float = 60.0  # a node not heard of for so long has no watchers


SHORT: Final = 126  # lengths below it fit the header's second byte
MEDIUM: Final = 1 << 16  # lengths below it fit two further bytes; others take eight
TEXT_AND_FINAL: Final = 0x81


def websocket_bytes(text: bytes) -> bytes:
    """Make the text one unmasked, final websocket text message (RFC 6455, 5.2), ready to be written."""
    length = len(text)
    if length < SHORT:
        return struct.pack("!BB", TEXT_AND_FINAL, length) + text
    if length < MEDIUM:
        return struct.pack("!BBH", TEXT_AND_FINAL, SHORT, length) + text
    return struct.pack("!BBQ", TEXT_AND_FINAL, SHORT + 1, length) + text


class BackgroundTasks:
    """Tasks that nobody waits for, kept until they are done or ended together."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Begin a piece of work."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


async def end(tasks: Iterable[asyncio.Task[None]], again: float = 0.25) -> None:
    """Cancel tasks until they have ended.

    Once is not enough: before Python 3.12 `asyncio.wait_for`, which the Redis client uses, now and then
    swallows a cancellation.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=again)
