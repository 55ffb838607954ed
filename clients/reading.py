"""Reads the HTTP API of a server: one GET, with the token in a header.

Who is told to come later does so, some times. A token is sent nowhere else: not in the path, not in the
query, not in an error's message.
"""

import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import Final, TypeVar

from msgspec import DecodeError, json

from clients.links import BadLink, Place
from server.protocol import wire
from server.protocol.listing import MatchInfo, MatchState
from server.protocol.responses import Failure, MatchDetails, MatchList, TitleInfo

Answer = TypeVar("Answer")

PATIENCE: Final = 90.0
"""Seconds to wait for an answer: a server lets a read wait for its address and then for a place, 30 each."""

TRIES: Final = 8
"""How often something is asked for at most: sixty who read at one address are answered in some minutes."""

LONGEST_PAUSE: Final = 60.0
"""Seconds between two of these at most, whatever the server says."""

LATER: Final = frozenset({"busy", "too_fast"})
"""Codes of refusals that say no more than that: whoever comes in so many seconds may be answered."""

AT_ONCE: Final = 5000
"""Facts of a passage, which are as many as a server sends."""


class Unread(Exception):
    """The server did not answer, or not with what was requested; the message says why."""


class Later(Unread):
    """The server says to come again after so many seconds."""

    def __init__(self, reason: str, after: float) -> None:
        super().__init__(reason)
        self.after = after


def get(url: str, path: str, token: str = "") -> bytes:
    """Return the body under a path; raises Unread, BadLink."""
    if not url.startswith(("http://", "https://")):
        raise BadLink(f"{url} does not begin with http:// or https://")
    for _ in range(TRIES - 1):
        try:
            return _get(url, path, token)
        except Later as later:
            time.sleep(min(later.after, LONGEST_PAUSE))
    return _get(url, path, token)


def _get(url: str, path: str, token: str) -> bytes:
    request = urllib.request.Request(url.rstrip("/") + path)  # noqa: S310 checked above
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            body: bytes = answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            raise _refusal(refused.code, refused.headers.get("Retry-After", ""), refused.read()) from None
    except urllib.error.URLError as fault:
        raise Unread(f"{url} cannot be reached: {fault.reason}") from None
    except (OSError, HTTPException) as fault:
        raise Unread(f"{url} cannot be reached: {str(fault) or type(fault).__name__}") from None
    return body


def titles(url: str) -> list[TitleInfo]:
    """Return the titles that a server has, with scenarios, options and bots."""
    return _read(list[TitleInfo], url, "/api/titles")


def names(url: str, title: str) -> dict[str, str]:
    """Return what the ids of a title are called."""
    return _read(dict[str, str], url, f"/api/names/{title}")


def matches(url: str, state: MatchState | None = None) -> list[MatchInfo]:
    """Return the matches that everybody may see, or those in one state, the latest first."""
    return _read(MatchList, url, "/api/matches" + (f"?state={state}" if state else "")).matches


def match(place: Place) -> MatchDetails:
    """Return an entry of the list of matches for one match, with its options and clock."""
    return _read(MatchDetails, place.url, f"/api/matches/{place.match}", place.token)


def steps(place: Place, after: int = 0) -> Iterator[wire.Frame]:
    """Yield a frame for every command of a match so far, as the audience of this token may know it.

    They begin behind fact `after`, and are asked for in passages as they are taken, so that a match may be as
    long as it likes.
    """
    head = match(place).facts
    while after < head:
        frames = passage(place, after, after + AT_ONCE)
        yield from frames
        if not frames:
            return
        after = frames[-1].upto


def passage(place: Place, after: int, upto: int) -> list[wire.Frame]:
    """Return a frame for every command from fact `after` on that ends at or before fact `upto`."""
    path = f"/api/matches/{place.match}/steps?from={after}&upto={upto}"
    messages = map(wire.decode_outgoing, get(place.url, path, place.token).splitlines())
    return [frame for frame in messages if isinstance(frame, wire.Frame)]


def _read(form: type[Answer], url: str, path: str, token: str = "") -> Answer:
    body = get(url, path, token)
    try:
        return json.decode(body, type=form)
    except (DecodeError, UnicodeDecodeError) as fault:
        raise Unread(f"{url} does not answer {path} as a server of Fleetfold does: {fault}") from None


def _refusal(status: int, after: str, body: bytes) -> Unread:
    try:
        told = json.decode(body, type=Failure)
    except (DecodeError, UnicodeDecodeError):
        return Unread(f"the server answers {status}")
    if told.code in LATER and after.isdecimal():
        return Later(told.reason, float(after))
    return Unread(told.reason)
