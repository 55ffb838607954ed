"""Reads the HTTP API of a server: one GET, with the token in a header.

A token is sent nowhere else: not in the path, not in the query, not in an error's message.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, Final

from clients.links import BadLink, Place
from server.protocol import wire

PATIENCE: Final = 30.0
"""Seconds to wait for an answer."""


class Unread(Exception):
    """The server did not answer, or not with what was requested; the message says why."""


def get(url: str, path: str, token: str = "") -> bytes:
    """Return the body under a path; raises Unread, BadLink."""
    if not url.startswith(("http://", "https://")):
        raise BadLink(f"{url} does not begin with http:// or https://")
    request = urllib.request.Request(url.rstrip("/") + path)  # noqa: S310 checked above
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
            body: bytes = answer.read()
    except urllib.error.HTTPError as refused:
        with refused:
            raise Unread(_reason(refused.code, refused.read())) from None
    except urllib.error.URLError as fault:
        raise Unread(f"{url} cannot be reached: {fault.reason}") from None
    except (OSError, HTTPException) as fault:
        raise Unread(f"{url} cannot be reached: {str(fault) or type(fault).__name__}") from None
    return body


def titles(url: str) -> list[dict[str, Any]]:
    """Return the titles that a server has, with scenarios, options, names of ids and bots."""
    found: list[dict[str, Any]] = json.loads(get(url, "/api/titles"))
    return found


def matches(url: str, state: str = "") -> list[dict[str, Any]]:
    """Return the matches that everybody may see, the latest first; `state` is open, playing or ended."""
    found: list[dict[str, Any]] = json.loads(get(url, "/api/matches" + (f"?state={state}" if state else "")))[
        "matches"
    ]
    return found


def match(place: Place) -> dict[str, Any]:
    """Return an entry of the list of matches for one match, with its options and clock."""
    found: dict[str, Any] = json.loads(get(place.url, f"/api/matches/{place.match}", place.token))
    return found


def steps(place: Place) -> Iterator[wire.Frame]:
    """Return a frame for every command of a match so far, as the audience of this token may know it."""
    for line in get(place.url, f"/api/matches/{place.match}/steps", place.token).splitlines():
        frame = wire.decode_outgoing(line)
        if isinstance(frame, wire.Frame):
            yield frame


def _reason(status: int, body: bytes) -> str:
    try:
        told = json.loads(body)
        return str(told["reason"])
    except (ValueError, KeyError, TypeError):
        return f"the server answers {status}"
