"""The types of fan-out: broadcasts, topics, the source that fills gaps, the bytes of a websocket message.

A broadcast is one message to all connections of one audience, most often the frame of a command; it names
the range of the log that it covers. `server.fanout.bus` carries broadcasts between nodes,
`server.fanout.ring` caches the last of them, `server.fanout.hub` delivers them to connections by way of
`server.fanout.room` and `server.fanout.slow_watchers`, `server.fanout.recovery` fills gaps from the log,
`server.fanout.presence` counts connections.

Deliberately absent: the content of a broadcast, and who may see it. Both are settled when it is made.
"""

import asyncio
import struct
from collections.abc import Collection, Coroutine, Iterable
from typing import Any, Final, Protocol
from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import VIEWERS, Viewer

Topic = tuple[UUID, Viewer]
"""A match and one of its audiences."""

Node = bytes
"""The name of a node on its bus: 16 bytes that it draws, or the number that it has among its siblings."""


REPLACED: Final = b'"SeatReplaced"'
"""The type of that fact, as it stands in a message."""


class Broadcast(Struct, frozen=True, gc=False):
    """The message to one audience that covers the facts in (after, upto]; `text` is the whole JSON message.

    An empty text announces the range alone: the receiver reads the log. A broadcast with `upto` 0 covers no
    facts: its text, such as a line of chat, is not from the log and may be lost. One of `links_changed` is
    for nodes, and nobody who watches is told.
    """

    match: UUID
    audience: Viewer
    after: int
    upto: int
    text: bytes


def links_changed(match: UUID) -> list[Broadcast]:
    """Return the broadcasts by which other nodes learn that links of a match have changed.

    Their range is empty, (1, 1]: it goes where ranges go, is owed as they are where it could not be sent, and
    a node of an older version, which has the first fact of all that it watches, passes over it.
    """
    return [Broadcast(match, viewer, 1, 1, b"") for viewer in VIEWERS]


def is_of_links(broadcast: Broadcast) -> bool:
    """Whether a broadcast is one of `links_changed`."""
    return broadcast.after == broadcast.upto and not broadcast.text


def changes_hands(broadcast: Broadcast) -> bool:
    """Whether a seat changes hands by a broadcast, so that its earlier links are void.

    Whoever stores that tells of the links too, a moment later, if nothing happens to him until then.
    """
    return REPLACED in broadcast.text


class TooFar(Exception):
    """The range has more facts than a frame may cover: the view is sent instead."""


class Source(Protocol):
    """What the fan-out reads from the log. Any method may raise when the log cannot be reached."""

    async def since(self, match: UUID, audience: Viewer, after: int) -> Broadcast:
        """Return one broadcast covering (after, head]; raises TooFar when that is more than 2,000 facts."""
        ...

    async def view(self, match: UUID, audience: Viewer) -> Broadcast:
        """Return the audience's view at the head: `after` is 0, `upto` the head."""
        ...

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        """Return the last seq of each match that has facts, in one query."""
        ...


class Timing(Struct, frozen=True):
    """Every duration of the fan-out, in seconds."""

    beat: float = 2.0  # between heartbeats through Redis
    silence: float = 6.0  # without a heartbeat, until the connection is replaced
    answer: float = 3.0  # deadline of a command to Redis
    again: float = 0.25  # between attempts to reach Redis, or the log
    look: float = 5.0  # between questions who is master, of Sentinels or a Cluster
    ask: float = 1.0  # for another node's answer
    poll: float = 0.5  # between comparisons with the log while Redis is away
    compare: float = 15.0  # between comparisons with the log otherwise
    patience: float = 30.0  # for which a connection may stay behind
    farewell: float = 10.0  # for the close handshake of one that stayed behind longer
    presence: float = 1.0  # between updates of presence
    absence: float = 60.0  # without an update, until a node's presence expires


SHORT: Final = 126  # lengths below it fit the header's second byte
MEDIUM: Final = 1 << 16  # lengths below it fit two further bytes; others take eight
TEXT_AND_FINAL: Final = 0x81


def websocket_bytes(text: bytes) -> bytes:
    """Encode the text as one unmasked, final websocket frame (RFC 6455, 5.2), ready to be written."""
    length = len(text)
    if length < SHORT:
        return struct.pack("!BB", TEXT_AND_FINAL, length) + text
    if length < MEDIUM:
        return struct.pack("!BBH", TEXT_AND_FINAL, SHORT, length) + text
    return struct.pack("!BBQ", TEXT_AND_FINAL, SHORT + 1, length) + text


class BackgroundTasks:
    """Tasks that nobody awaits; references are kept until they are done, or ended by `end`."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task."""
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


async def end(tasks: Iterable[asyncio.Task[Any]], again: float = 0.25) -> None:
    """Cancel tasks, every `again` seconds, until all have ended.

    Once is not enough: before Python 3.12 `asyncio.wait_for`, which the Redis client uses, sometimes swallows
    a cancellation.
    """
    pending = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        _, pending = await asyncio.wait(pending, timeout=again)
