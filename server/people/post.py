"""The post: links go out beside the requests that ask for them, so that no answer takes longer for a mail.

What waits is in memory alone, since of a link the database knows a hash: after a crash it is asked for again.
A mail server that fails is tried again for as long as the link is good. Deliberately absent: who may ask for
how many (`server.people.mailing`).
"""

import asyncio
import time
from collections import Counter
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Final, Literal, get_args

import structlog
from msgspec import Struct

from domain.match.refusals import RequestError
from server.mail import Unsent, send
from server.mail_url import MailServer

Outcome = Literal["sent", "put off", "given up"]
OUTCOMES: Final = get_args(Outcome)

MINUTES: Final = 10
"""For how long a link is good."""

WAITING: Final = 200
"""Mails that may wait; a request beyond these is refused, whoever asks."""

AT_ONCE: Final = 4
"""Mails that are sent at the same time."""

AGAIN: Final = 20.0
"""Seconds after which a mail that was not taken is tried again."""

TEXT: Final = """\
Somebody, you we hope, has asked to come in to Fleetfold by this address. Open this link in the browser in
which that was asked, within {minutes} minutes:

{link}

It is good once. If it was not you, leave it: nothing happens, and nobody was told whether you are known
there.
"""

logger = structlog.get_logger()


class Letter(Struct, frozen=True):
    """A mail with a link, and when it was asked for, in seconds of this machine's steady clock."""

    address: str
    link: str
    since: float

    def __repr__(self) -> str:
        return "Letter()"


class Post:
    """Sends links."""

    def __init__(self, server: MailServer, sender: str) -> None:
        self._server, self._sender = server, sender
        self._letters: asyncio.Queue[Letter] = asyncio.Queue()
        self.outcomes: Counter[Outcome] = Counter()
        """What came of mails since the start."""

    def check_room(self) -> None:
        """Raise RequestError where too many mails wait."""
        if self._letters.qsize() >= WAITING:
            raise RequestError("busy", "the mail server is slow; try again in some minutes")

    def put(self, address: str, link: str) -> None:
        """Send a link soon."""
        self._letters.put_nowait(Letter(address, link, time.monotonic()))

    async def run(self) -> None:
        """Send what there is, until cancelled."""
        async with asyncio.TaskGroup() as workers:
            for _ in range(AT_ONCE):
                workers.create_task(self._work())

    async def _work(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        while not task.cancelling():  # asyncio.wait_for may have hidden it from us (Python 3.11)
            letter = await self._letters.get()
            try:
                await send(self._server, self._sender, letter.address, self._written(letter))
            except Unsent as why:
                self._put_off(letter, str(why))
            except Exception:
                logger.exception("bug")
            else:
                self.outcomes["sent"] += 1

    def _put_off(self, letter: Letter, why: str) -> None:
        late = time.monotonic() - letter.since > MINUTES * 60 - AGAIN
        self.outcomes["given up" if late else "put off"] += 1
        logger.warning("mail given up" if late else "mail put off", why=why)
        if not late:
            asyncio.get_running_loop().call_later(AGAIN, self._letters.put_nowait, letter)

    def _written(self, letter: Letter) -> EmailMessage:
        message = EmailMessage(policy=SMTP)
        name, _, domain = self._sender.rpartition("@")
        message["From"] = Address("Fleetfold", name, domain)
        message["To"] = letter.address
        message["Subject"] = "Your link to Fleetfold"
        message["Date"] = formatdate(usegmt=True)
        message["Message-ID"] = make_msgid(domain=domain)
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(TEXT.format(minutes=MINUTES, link=letter.link))
        return message
