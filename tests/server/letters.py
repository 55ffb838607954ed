"""A mail server of the tests' own: it takes, refuses, and hangs while it is told to."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP, Envelope

from server.mail_url import MailServer


class Letters:
    """The mails that have come. `answers` are said to the next ones, then that they are taken."""

    def __init__(self) -> None:
        self.took: list[EmailMessage] = []
        self.answers: list[str] = []
        self.open = asyncio.Event()
        self.open.set()
        self.begun = 0
        self._news = asyncio.Condition()
        self._made: list[SMTP] = []
        self.server = MailServer("127.0.0.1", 0, tls=False)

    async def start(self) -> asyncio.Server:
        """Listen."""
        server = await asyncio.get_running_loop().create_server(self._smtp, "127.0.0.1", 0)
        self.server = MailServer("127.0.0.1", server.sockets[0].getsockname()[1], tls=False)
        return server

    def _smtp(self) -> SMTP:
        one = SMTP(self, loop=asyncio.get_running_loop(), hostname="mail.test")
        self._made.append(one)
        return one

    async def handle_DATA(self, _smtp: SMTP, _session: Any, envelope: Envelope) -> str:  # noqa: N802 its name
        async with self._news:
            self.begun += 1
            self._news.notify_all()
        await self.open.wait()
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            message = message_from_bytes(envelope.content, policy=policy.default)
            assert [message["To"]] == envelope.rcpt_tos
            async with self._news:
                self.took.append(message)
                self._news.notify_all()
        return answer

    async def heard(self, count: int) -> EmailMessage:
        """Wait for so many mails, and return the last."""
        async with asyncio.timeout(10), self._news:
            await self._news.wait_for(lambda: len(self.took) >= count)
        return self.took[count - 1]

    async def hangs(self, count: int = 1) -> None:
        """Wait until so many mails have begun to come."""
        async with asyncio.timeout(10), self._news:
            await self._news.wait_for(lambda: self.begun >= count)

    def drop_all(self) -> None:
        """End all connections."""
        for one in self._made:
            if isinstance(one.transport, asyncio.WriteTransport):
                one.transport.abort()


@contextlib.asynccontextmanager
async def letters() -> AsyncIterator[Letters]:
    """Give a mail server."""
    one = Letters()
    server = await one.start()
    try:
        yield one
    finally:
        server.close()
        await asyncio.sleep(0)  # whoever was just taken has a connection then
        one.drop_all()
        await asyncio.sleep(0)


def link_in(message: EmailMessage) -> str:
    """Return the link in a mail."""
    text = str(message.get_content())
    return next(line for line in text.splitlines() if "://" in line)


def token_in(message: EmailMessage) -> str:
    """Return the token of the link in a mail."""
    return link_in(message).partition("#")[2]
