"""Whoever notices are sent to: a mail server, a push service that opens them, and a receiver of webhooks.

All listen on the loopback (`tests.server.receivers`). What comes is noted with the time by which is played,
after it was checked as the receiver checks it: the push by RFC 8291 and who pushes, the webhook's signature.
"""

import asyncio
import base64
import contextlib
import hmac
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from server.mail_url import MailServer
from server.nobody import nobody
from server.notices.words import SAYS
from tests.server.certificates import Certificates
from tests.server.receivers import Browser, MailBox, Took, Web, certificates_in, proven
from tests.weeks.tally import Channel, Delivery

KINDS: Final = {text.partition("{")[0]: kind for kind, text in SAYS.items()}
"""The kind of a notice by how its sentence begins."""


class Receiver(Struct):
    """Where a person at a seat is told."""

    seat: int
    address: str
    browser: Browser
    secret: str = ""
    """Of his webhook, as he was shown it."""

    @property
    def path(self) -> str:
        """The path at which he is pushed to, and has his webhook."""
        return f"/seat/{self.seat}"


class Desk:
    """The three receivers, and what has come."""

    def __init__(self, certificates: Certificates) -> None:
        self.certificates = certificates
        self.mail, self.push, self.hook = MailBox(), Web(certificates), Web(certificates)
        self.mail.told, self.push.told, self.hook.told = self._mailed, self._pushed, self._hooked
        self.receivers: list[Receiver] = []
        self.deliveries: list[Delivery] = []
        self.now: Callable[[], int] = lambda: 0
        """The time by which is played, in microseconds since the epoch."""
        self.key = ""
        """The server's key, as it tells browsers that subscribe."""
        self.mailed: Callable[[EmailMessage], None] = nobody
        """Called with a mail that is no notice."""
        self._news = asyncio.Event()

    @property
    def server(self) -> MailServer:
        """The mail server, as a setting."""
        return MailServer("127.0.0.1", self.mail.port, tls=False)

    async def until(self, holds: Callable[[list[Delivery]], bool], within: float) -> bool:
        """Wait until it holds of what has come, for so many seconds at most; whether it does."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                while not holds(self.deliveries):
                    self._news.clear()
                    await self._news.wait()
        return holds(self.deliveries)

    def _note(self, channel: Channel, receiver: Receiver, text: str) -> None:
        kind = next(kind for start, kind in KINDS.items() if text.startswith(start))
        self.deliveries.append(Delivery(channel, receiver.seat, kind, self.now()))
        self._news.set()

    def _mailed(self, message: EmailMessage) -> None:
        subject = str(message["Subject"])
        if not subject.startswith(tuple(KINDS)):
            self.mailed(message)
            return
        receiver = next(one for one in self.receivers if one.address == message["To"])
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        self._note("mail", receiver, subject)

    def _pushed(self, took: Took) -> None:
        receiver = self._at(took)
        audience = self.push.url(path="")
        assert proven(took, audience)["k"] == self.key
        self._note("push", receiver, receiver.browser.opened(took.body)["title"])

    def _hooked(self, took: Took) -> None:
        receiver = self._at(took)
        self._note("webhook", receiver, signed(took, receiver.secret)["data"]["notices"][0]["text"])

    def _at(self, took: Took) -> Receiver:
        return next(one for one in self.receivers if one.path == took.path)


def signed(took: Took, secret: str) -> dict[str, Any]:
    """Check the signature of a webhook by Standard Webhooks, and return what it says."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    said = f"{took.headers['webhook-id']}.{took.headers['webhook-timestamp']}.".encode() + took.body
    expected = f"v1,{base64.b64encode(hmac.digest(key, said, 'sha256')).decode()}"
    assert hmac.compare_digest(expected, took.headers["webhook-signature"])
    found: dict[str, Any] = json.loads(took.body)
    return found


@contextlib.asynccontextmanager
async def desk(folder: Path) -> AsyncIterator[Desk]:
    """Run the receivers, whose certificates this process trusts meanwhile."""
    one = Desk(certificates_in(folder))
    with trusting(one.certificates.ca):
        await one.mail.start()
        await one.push.start()
        await one.hook.start()
        try:
            yield one
        finally:
            for receiver in (one.mail, one.push, one.hook):
                await receiver.stop()


@contextlib.contextmanager
def trusting(authority: Path) -> Iterator[None]:
    """Let this process, and those that it starts meanwhile, trust an authority of certificates."""
    before = os.environ.get("SSL_CERT_FILE")
    os.environ["SSL_CERT_FILE"] = str(authority)
    try:
        yield
    finally:
        if before is None:
            del os.environ["SSL_CERT_FILE"]
        else:
            os.environ["SSL_CERT_FILE"] = before
