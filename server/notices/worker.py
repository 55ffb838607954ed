"""Workers: they take what is due from the outbox, look whether it is still worth telling, and tell it.

Each kind of channel has workers of its own, and of a channel one is at work at a time. So a mail server that
hangs keeps mail waiting and nothing else, and a webhook that stalls keeps itself waiting.

Deliberately absent: what is due (`server.notices.due`), the tables (`server.notices.outbox`).
"""

import asyncio
import contextlib
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import timedelta
from typing import Final, Literal, Protocol, get_args
from uuid import UUID

import structlog

from server.notices.outbox import GIVEN_UP, Claim, Kind, Outbox, Outcome, Row, is_given_up, next_try
from server.notices.places import AnyPlace
from server.notices.quiet import quiet_until
from server.notices.words import Failed, Gone, Notice
from server.play.failures import failed

log = structlog.get_logger(__name__)

AT_ONCE: Final[Mapping[Kind, int]] = {"mail": 4, "push": 16, "webhook": 16}
"""Channels of each kind by which this node tells at once."""

LOOK: Final = 1.0
"""Seconds between two looks for what is due."""

AGAIN: Final = timedelta(minutes=1)
"""How long after one looked, and found him at the match, one looks again whether he has left it."""

UNSURE: Final = timedelta(minutes=10)
"""How long a notice waits while it is unknown who is at other nodes; then it is told to be sure."""

LASTING: Final = ("turn", "low", "out")
"""Kinds that go on while somebody is there, and are told when he leaves; they are news as long as they last.

All others he has seen, and are old when a day has passed.
"""

LATE: Final = "nobody was there to tell it"
"""Why a notice is given up that has been due for so long."""

BUG: Final = "a fault of this server"
"""Why a notice failed, where a sender raised what it should not."""

FRAMES: Final = 3
"""Of such a fault, how many places in the code are logged."""

Present = Callable[[Collection[UUID]], Awaitable[Mapping[UUID, int] | None]]
"""Returns the seats that are at matches, on any node, a bit each; None where that is unknown."""


Told = Literal["sent", "stale", "seen", "off", "gone", "given up", "failed"]
"""What is counted: each outcome of a notice, and tries that failed."""


class Sender(Protocol):
    """Tells notices at once by one kind of channel. Raises Failed, Gone."""

    async def send(self, to: AnyPlace, notices: Sequence[Notice], person: UUID, /) -> None:
        """Tell them, by a channel of this person's."""
        ...


class Worker:
    """The workers of a node for one kind of channel."""

    def __init__(self, kind: Kind, outbox: Outbox, sender: Sender, present: Present) -> None:
        self._kind, self._outbox, self._sender, self._present = kind, outbox, sender, present
        self._most = AT_ONCE[kind]
        self._under_way: set[asyncio.Task[None]] = set()
        self._free = asyncio.Event()
        self._closed = False
        self.told: Counter[Told] = Counter(dict.fromkeys(get_args(Told), 0))
        """Notices by outcome, and tries that failed as `failed`."""

    async def run(self) -> None:
        """Tell what is due until cancelled; what is being told then goes on elsewhere when its lease ends."""
        try:
            while True:
                self._free.clear()
                if not await self.look():
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(LOOK):
                            await self._free.wait()
        finally:
            for task in self._under_way:
                task.cancel()
            await asyncio.gather(*self._under_way, return_exceptions=True)

    async def look(self) -> bool:
        """Claim what is due, as far as workers are free; whether something was."""
        room = self._most - len(self._under_way)
        if room <= 0 or self._closed:
            return False
        try:
            claims = await self._outbox.claim(self._kind, room)
        except Exception as why:
            failed("notices not claimed", why, kind=self._kind)
            return False
        for claim in claims:
            task = asyncio.create_task(self._handle(claim))
            self._under_way.add(task)
            task.add_done_callback(self._done)
        return bool(claims) and len(self._under_way) < self._most

    def close(self) -> None:
        """Claim nothing more."""
        self._closed = True

    @property
    def busy(self) -> bool:
        """Whether something is being told."""
        return bool(self._under_way)

    async def idle(self) -> None:
        """Wait until nothing is being told."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._free.set()

    async def _handle(self, claim: Claim) -> None:
        """Tell by a channel, and let go of it. What the database does not take is done again later."""
        try:
            rows = await self._worth_telling(claim)
            if rows:
                await self._tell(claim, rows)
            await self._outbox.let_go(claim)
        except Exception as why:
            failed("notice not told", why, kind=self._kind, channel=claim.channel.hex)

    async def _worth_telling(self, claim: Claim) -> list[Row]:
        """Note what need not be told, put off what is to wait, and return the rest."""
        if claim.state != "on" or claim.place is None:
            await self._note(claim.rows, "off" if claim.place else "gone")
            return []
        await self._note([row for row in claim.rows if row.stale], "stale")
        rows = [row for row in claim.rows if not row.stale]
        late = [row for row in rows if claim.at - row.due >= GIVEN_UP and row.notice.kind not in LASTING]
        await self._note(late, "given up", LATE)
        rows = [row for row in rows if row not in late]
        night = quiet_until(claim.at, claim.zone, claim.night) if claim.quiet else None
        if night is not None and any(row.notice.kind != "test" for row in rows):
            await self._outbox.put_off([row.id for row in rows if row.notice.kind != "test"], night)
            rows = [row for row in rows if row.notice.kind == "test"]
        return await self._of_who_is_away(claim, rows) if claim.away else rows

    async def _of_who_is_away(self, claim: Claim, rows: Sequence[Row]) -> list[Row]:
        matches = {row.notice.match for row in rows if row.notice.match is not None}
        if not matches:
            return list(rows)
        there = await self._present(matches)
        if there is None:
            young = [row for row in rows if row.notice.match and claim.at - row.made_at < UNSURE]
            await self._outbox.put_off([row.id for row in young], claim.at + AGAIN)
            return [row for row in rows if row not in young]
        here = [row for row in rows if _is_there(row.notice, there)]
        await self._outbox.put_off([r.id for r in here if r.notice.kind in LASTING], claim.at + AGAIN)
        await self._note([row for row in here if row.notice.kind not in LASTING], "seen")
        return [row for row in rows if row not in here]

    async def _tell(self, claim: Claim, rows: Sequence[Row]) -> None:
        assert claim.place is not None  # it is worth telling
        tried = await self._outbox.trying(claim, [row.id for row in rows])
        rows = [row for row in rows if row.id in tried]
        if not rows:
            return
        try:
            await self._sender.send(claim.place, [row.notice for row in rows], claim.person)
        except Gone:
            if await self._outbox.gone(claim):
                await self._note(rows, "gone")
            else:  # its browser has said meanwhile where it is
                await self._outbox.put_off([row.id for row in rows], claim.at)
        except Failed as why:
            await self._try_later(claim, rows, why.fault)
        except Exception as why:  # whatever it is, the notice must not be tried for ever
            if not any(row.tries for row in rows):
                _log_bug(why, kind=self._kind, channel=claim.channel.hex)
            await self._try_later(claim, rows, BUG)
        else:
            await self._note(rows, "sent")

    async def _try_later(self, claim: Claim, rows: Sequence[Row], fault: str) -> None:
        """Put off what is not given up, all of it to the same time: what is told at once stays together."""
        self.told["failed"] += len(rows)
        log.info("notice.failed", kind=self._kind, channel=claim.channel.hex, fault=fault)
        over = [row for row in rows if is_given_up(claim.at, row.tried_at)]
        await self._note(over, "given up", fault)
        left = [row for row in rows if row not in over]
        if left:
            again = next_try(claim.at, min(row.tries for row in left) + 1)
            await self._outbox.put_off([row.id for row in left], again, fault)

    async def _note(self, rows: Sequence[Row], outcome: Outcome, fault: str | None = None) -> None:
        if rows:
            await self._outbox.note([row.id for row in rows], outcome, fault)
            self.told[outcome] += len(rows)


def _log_bug(why: Exception, **about: str) -> None:
    """Log what an exception is and where it was raised, without what it says, which may name a place."""
    frames = traceback.extract_tb(why.__traceback__)[-FRAMES:]
    at = ", ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in frames)
    log.error("notice.bug", why=type(why).__name__, at=at, **about)


def _is_there(notice: Notice, there: Mapping[UUID, int]) -> bool:
    if notice.match is None or notice.seat is None:
        return False
    return bool(there.get(notice.match, 0) >> notice.seat & 1)
