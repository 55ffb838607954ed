"""The form of what goes over a line between a server process and the one that started it.

    4 bytes length of all that follows · 1 byte kind · the rest

Numbers are big endian. Nothing is sealed: a line is a pair of sockets that was made before the process was
started and handed to it, so that nobody else can open, read or fake one.
"""

import struct
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

_HEAD: Final = struct.Struct("!IB")


class Kind(IntEnum):
    """What a frame is. Where both ends send it, the switch passes it on."""

    START = 1  # to a process: what it has to know, before anything else
    READY = 2  # from it: it serves
    FAILED = 3  # from it: it cannot, and why
    CAME = 4  # to a process: the number of a sibling
    GONE = 5  # to a process: the number of a sibling that ended, or says nothing
    BEAT = 6  # from a process, and back to it
    WATCH = 7  # from a process: a channel; back to it when it is subscribed
    UNWATCH = 8  # from a process: a channel
    PUBLISH = 9  # a channel and a message; passed on, with who says it, to whoever watches the channel
    TELL = 10  # a topic and a text; passed on to all others with the number of who told it
    ASK = 11  # a question; passed on to all others with the number of who asks
    REQUEST = 12  # a question to one sibling; passed on with the number of who asks
    ANSWER = 13  # an answer; passed on to who asked, with the number of who answers


def frame(kind: Kind, *parts: bytes) -> bytes:
    """Return one frame."""
    return b"".join((_HEAD.pack(1 + sum(map(len, parts)), kind), *parts))


class Frames:
    """Takes a stream of bytes apart."""

    def __init__(self) -> None:
        self._rest = b""

    def taken(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield the kind and the rest of each frame that is complete with this data."""
        data = self._rest + data if self._rest else data
        place = 0
        while len(data) - place >= _HEAD.size:
            length, kind = _HEAD.unpack_from(data, place)
            end = place + 4 + length
            if end > len(data):
                break
            yield kind, data[place + _HEAD.size : end]
            place = end
        self._rest = data[place:]
