"""All of it on one node: looks for what is due, workers for each kind of channel, and what they count.

Every node does all of this, and each thing is done by one of them. Deliberately absent: HTTP, and the page.
"""

import asyncio
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Final, cast

import structlog

from server.mail_url import MailServer
from server.notices.channels import Channels
from server.notices.due import Due
from server.notices.mail import Mailer
from server.notices.outbox import LEASE, Kind, Outbox
from server.notices.outward import Outward
from server.notices.push import NOBODY, PushKeys, WebPush
from server.notices.running_low import RunningLow
from server.notices.webhook import Webhooks
from server.notices.words import Home
from server.notices.worker import Present, Sender, Worker
from server.play.failures import put_off
from server.postgres.database import Pool
from server.proof.keys import KeyRing

LOOK: Final = 1.0
"""Seconds between two looks for what is due."""

TIDY: Final = 3600.0
"""Seconds between two times that what is old is deleted."""

PATIENCE: Final = 2.0
"""Seconds that a node which stops gives to what it is telling."""

log = structlog.get_logger(__name__)


class Notifying:
    """The notices of a node."""

    def __init__(
        self,
        pool: Pool,
        ring: KeyRing,
        present: Present,
        now: Callable[[], int],
        home: Home,
        *,
        mail: MailServer | None = None,
        sender: str = "",
        contact: str = "",
        loopback: bool = False,
        lease: timedelta = LEASE,
        outward: Callable[[], Outward] | None = None,
    ) -> None:
        """Take who is where, the database's time in microseconds, and how mail goes, None: there is none.

        `contact` is how push services reach the operator, `mailto:` or `https:`.
        """
        if loopback:
            log.warning(
                "notices.loopback",
                why="webhooks and pushes may reach this very machine; that is for tests and nothing else",
            )
        self.channels, self.keys = Channels(pool, ring), PushKeys(ring)
        self.mails = mail is not None
        self.low, self._now = RunningLow(pool), now
        self._due, self._outbox = Due(pool), Outbox(pool, ring, lease)
        make = outward or partial(Outward, loopback=loopback)
        self._outwards = push, webhook = make(), make()  # two: names of webhooks that hang hold up no push
        senders: dict[Kind, object] = {
            "push": WebPush(push, self.keys, home, contact or NOBODY),
            "webhook": Webhooks(webhook, home),
        }
        if mail is not None:
            senders["mail"] = Mailer(mail, sender, home)
        self.workers = {
            kind: Worker(kind, self._outbox, cast("Sender", one), present) for kind, one in senders.items()
        }
        self.age = 0.0
        """For how many seconds the notice has been due that is so the longest."""

    async def run(self) -> None:
        """Look for what is due, and tell it, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._look())
            group.create_task(self._tidy())
            for worker in self.workers.values():
                group.create_task(worker.run())

    async def stop(self) -> None:
        """Begin to tell nothing more, and give what is being told a moment."""
        for worker in self.workers.values():
            worker.close()
        idle = [asyncio.create_task(worker.idle()) for worker in self.workers.values()]
        _, late = await asyncio.wait(idle, timeout=PATIENCE)
        for task in late:
            task.cancel()
        for outward in self._outwards:
            outward.close()

    async def look(self) -> None:
        """Put in what has become due."""
        with put_off("notices not looked for"):
            await self._due.look()
            await self.low.look(self._now())
            await self._outbox.unsent(self.workers.keys())
            self.age = await self._outbox.age()

    def told(self) -> Iterator[tuple[tuple[str, str], float]]:
        """Yield how many notices this node has dealt with, by channel and outcome."""
        for kind, worker in self.workers.items():
            for outcome, count in worker.told.items():
                yield (kind, outcome), count

    async def _look(self) -> None:
        while True:
            await self.look()
            await asyncio.sleep(LOOK)

    async def _tidy(self) -> None:
        while True:
            with put_off("old notices not deleted"):
                await self._outbox.tidy()
            await asyncio.sleep(TIDY)
