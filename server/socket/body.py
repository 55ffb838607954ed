"""A request with a body, read by h11; `websockets` reads none.

Which of the two reads a connection follows from its first bytes: a request by a method of VERBS has a body,
all others are left to `websockets`. What h11 has read goes on as a request of `websockets`, so that limits,
proxies, answers and the end of the connection are the same for both. Deliberately absent: which paths such a
request may be sent to (`server.http.pages`).
"""

from http import HTTPStatus
from typing import Final

import h11
from websockets.datastructures import Headers
from websockets.http11 import Request

from server.http.pages import Unreadable

VERBS: Final = ("DELETE", "PATCH", "POST", "PUT")
"""The methods whose requests have a body."""

BODY: Final = 32 << 10
"""Bytes of a body above which a request is refused."""

HEAD: Final = 16 << 10
"""Bytes of a request's head above which it is refused."""

GO_ON: Final = b"HTTP/1.1 100 Continue\r\n\r\n"

_LONGEST: Final = max(map(len, VERBS)) + 1


def is_verb(begun: bytes) -> bool | None:
    """Whether a request that begins so has a body; None while that cannot be said."""
    if any(begun.startswith(f"{verb} ".encode()) for verb in VERBS):
        return True
    may_be = len(begun) < _LONGEST and any(f"{verb} ".encode().startswith(begun) for verb in VERBS)
    return None if may_be else False


class BodyReader:
    """Reads one request; what comes behind it is not read."""

    def __init__(self) -> None:
        self._reading = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD)
        self._head: h11.Request | None = None
        self.body = bytearray()

    @property
    def awaited(self) -> bool:
        """Whether the sender waits to be told to go on (RFC 9110, 10.1.1), which is asked once."""
        return self._head is not None and self._reading.they_are_waiting_for_100_continue

    def take(self, data: bytes) -> Request | None:
        """Take the next bytes; return the request once it is whole. Raises Unreadable."""
        self._reading.receive_data(data)
        try:
            while True:
                event = self._reading.next_event()
                if event is h11.NEED_DATA or event is h11.PAUSED:
                    return None
                if isinstance(event, h11.EndOfMessage):
                    return self._request()
                self._take(event)
        except h11.RemoteProtocolError:
            raise Unreadable("this request cannot be read") from None

    def _take(self, event: object) -> None:
        if isinstance(event, h11.Request):
            self._head = event
        elif isinstance(event, h11.Data):
            self.body += event.data
            if len(self.body) > BODY:
                raise Unreadable(f"a body has {BODY} bytes at most", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        else:
            raise Unreadable("this request ends before its end")

    def _request(self) -> Request:
        assert self._head is not None
        headers = Headers(
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in self._head.headers
        )
        return Request(
            self._head.target.decode("ascii"),
            headers,
            self._head.method.decode("ascii"),
            f"HTTP/{self._head.http_version.decode('ascii')}",
        )
