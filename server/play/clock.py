"""The time by which a node plays: the database's, kept between two measurements by the monotonic clock.

Facts, deadlines and pongs take their time from here, and none from the wall clock of the machine: that one
may be wrong, or be set while a match goes on, and is only compared. While the database is away the last
measurement holds. Deliberately absent: the thinking time of seats (`domain.match.clock`).
"""

import asyncio
import math
import time
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog

from server.postgres.database import Pool, Unfit, connection

EVERY: Final = 5.0
"""Seconds between two measurements."""

ROUND_TRIPS: Final = 5
"""Questions of a measurement; the answer that came fastest counts."""

DRIFT: Final = 200e-6
"""Seconds a second by which the monotonic clock of a machine may be wrong."""

OFF: Final = 1.0
"""Seconds by which a wall clock may differ from the database's before it is told."""

NO_DATE: Final = 253_370_764_800_000_000
"""From here on no date is made of a time, as a deadline may be: the year 9999."""

_NOW: Final = "SELECT log.now()"
_SHIFT: Final = "SELECT shift FROM log.clock WHERE shift <> '0' AND NOT trial"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

logger = structlog.get_logger()


class Clock:
    """The database's time, and how far this machine's is from it. All times are in microseconds."""

    def __init__(self, pool: Pool) -> None:
        """Take a pool whose role may ask the time. Before the first `measure` there is no time to tell."""
        self._pool = pool
        self._ahead = 0
        """From the monotonic clock to the database's."""
        self._within = math.inf
        """How wrong that may have been when it was measured, at `_measured` of the monotonic clock."""
        self._measured = 0
        self._away = False
        self.off = False
        """Whether the wall clock was told to be wrong."""

    def now(self) -> int:
        """Return the database's time, in microseconds since the epoch."""
        return _monotonic() + self._ahead

    @property
    def offset(self) -> float:
        """Seconds by which the wall clock of this machine is ahead of the database's; negative if behind."""
        return (time.time_ns() // 1000 - self.now()) / 1e6

    async def run(self) -> None:
        """Measure every EVERY seconds until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.measure()
            except Exception as why:
                if not self._away:  # logged once, not at every attempt
                    logger.warning("clock not measured", why=repr(why))
                self._away = True
                self._compare()

    async def measure(self) -> None:
        """Ask the database's time, and log it when the wall clock has become wrong or right."""
        async with connection(self._pool) as conn:
            for _ in range(ROUND_TRIPS):
                sent = _monotonic()
                told = await conn.fetchval(_NOW)
                self.take(sent, (told - _EPOCH) // _MICROSECOND, _monotonic())
        self._away = False
        self._compare()

    def take(self, sent: int, told: int, heard: int) -> None:
        """Note an answer, asked for and heard at these times of the monotonic clock.

        It was made in between, so it is right within half of that. An earlier answer stays while it is the
        better one, for all that the clocks have drifted since, unless the two cannot both be right.
        """
        within, ahead = (heard - sent) / 2, told - (sent + heard) // 2
        before = self._within + DRIFT * (heard - self._measured)
        if within <= before or abs(ahead - self._ahead) > within + before:
            self._ahead, self._within, self._measured = ahead, within, heard

    def _compare(self) -> None:
        offset = self.offset
        if self.off == (abs(offset) > OFF):
            return
        self.off = not self.off
        if self.off:
            logger.warning(
                "clock off", ahead=round(offset, 3), why="this machine's clock; play goes by the database's"
            )
        else:
            logger.info("clock right", ahead=round(offset, 3))


async def refuse_shift(pool: Pool) -> None:
    """Raise Unfit where the database's time is shifted and no test or demo made the database."""
    async with connection(pool) as conn:
        shift = await conn.fetchval(_SHIFT)
    if shift is not None:
        raise Unfit(
            f"The time of this database is shifted by {shift}, and it was not made by a test or a demo. "
            "As the owner of the schema set `shift` in log.clock to '0', then start again."
        )


def _monotonic() -> int:
    """Return a time that never steps; on Linux it goes on while the machine is suspended."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000
    return time.monotonic_ns() // 1000
