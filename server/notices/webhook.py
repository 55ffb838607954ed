"""Webhooks: a POST to an address of the person's, in one of several shapes.

Our own is signed by the scheme of Standard Webhooks: over id, time and body, by HMAC-SHA256 with the secret
that was shown when the channel was added. The id stays the same when a notice is told again. The others are
what Discord, Slack and ntfy take, whose addresses are secrets themselves.

In our own shape the label and the names are data, as the lists of matches have them: a program compares them,
and whoever shows them treats them as what strangers wrote. The others are text that is shown, and nothing in
it that a stranger wrote is a link (`server.notices.words`).
"""

import base64
import hmac
import time
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from msgspec import json

from server.notices.outward import Outward
from server.notices.places import Webhook
from server.notices.words import Failed, Gone, Home, Notice

JSON: Final = "application/json"

MOST: Final = {"discord": 2000, "slack": 4000, "ntfy": 4096}
"""How much text such a webhook takes at once: characters, of ntfy bytes."""

REST: Final = 100
"""Of that, what is left for the line that says how many more there are."""

DONE: Final = range(200, 300)


class Webhooks:
    """Tells notices by webhooks."""

    def __init__(self, outward: Outward, home: Home) -> None:
        """Take what the links of notices begin with."""
        self._outward, self._home = outward, home

    async def send(self, to: Webhook, notices: Sequence[Notice], person: UUID | None = None) -> None:
        """Tell notices at once by a channel of this person's. Raises Failed, Gone."""
        headers, body = self.request(to, tuple(notices), int(time.time()))
        status = await self._outward.post(to.url, headers, body, person)
        if status == HTTPStatus.GONE:
            raise Gone
        if status not in DONE:
            raise Failed(f"answered with status {status}")

    def request(self, to: Webhook, notices: tuple[Notice, ...], at: int) -> tuple[dict[str, str], bytes]:
        """Return headers and body for a webhook of any shape; `at` is in seconds since the epoch."""
        match to.shape:
            case "discord":
                return {"Content-Type": JSON}, json.encode(
                    {"content": self._lines(notices, to.shape), "allowed_mentions": {"parse": []}}
                )
            case "slack":
                return {"Content-Type": JSON}, json.encode({"text": self._lines(notices, to.shape)})
            case "ntfy":
                headers = {
                    "Content-Type": "text/plain; charset=utf-8",
                    "Click": notices[0].link(self._home()),
                }
                return headers, self._lines(notices, to.shape).encode()
            case _:
                body = json.encode(self._own(notices, at))
                return signed(to.secret, str(notices[0].id), at, body) | {"Content-Type": JSON}, body

    def _lines(self, notices: Sequence[Notice], shape: str) -> str:
        """Write as many as such a webhook takes at once, and how many more there are."""
        lines: list[str] = []
        room = MOST[shape] - REST
        for one in notices:
            line = _line(one) if shape == "ntfy" else f"{_line(one)} {one.link(self._home())}"
            line = _slack(line) if shape == "slack" else line
            room -= len(line.encode() if shape == "ntfy" else line) + 1
            if room < 0:
                return "\n".join([*lines, f"and {len(notices) - len(lines)} more: {self._home()}/"])
            lines.append(line)
        return "\n".join(lines)

    def _own(self, notices: Sequence[Notice], at: int) -> dict[str, Any]:
        told = [
            {
                "kind": one.kind,
                "text": one.heading,
                "match": one.match,
                "tournament": one.tournament,
                "title": one.title,
                "opponents": one.opponents if one.match else "",
                "label": one.label,
                "terms": one.terms,
                "until": None if one.until is None else one.until.replace(microsecond=0),
                "said": one.said,
                "link": one.link(self._home()),
            }
            for one in notices
        ]
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
        return {"type": "fleetfold.notices", "timestamp": when, "data": {"notices": told}}


def signed(secret: str, id: str, at: int, body: bytes) -> dict[str, str]:
    """Return the three headers of Standard Webhooks; `secret` is in base64."""
    message = f"{id}.{at}.".encode() + body
    digest = base64.b64encode(hmac.digest(base64.b64decode(secret), message, "sha256")).decode()
    return {"webhook-id": id, "webhook-timestamp": str(at), "webhook-signature": f"v1,{digest}"}


def _line(one: Notice) -> str:
    told = f"{', '.join(filter(None, (one.heading, one.about, one.terms, one.lasts)))}."
    return f"{told} {one.said}" if one.said else told


def _slack(text: str) -> str:
    """Escape what Slack reads as commands."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
