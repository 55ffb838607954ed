"""What persons have for a time is removed once that is over, by rule, whether anybody comes by or not.

Deliberately absent: how long each is kept (the modules whose OVER is carried out here).
"""

import asyncio
from typing import Final

from server.people import blocks, mailing, passkeys, providing, sessions
from server.play.failures import put_off
from server.postgres.database import Pool, connection

SWEEP: Final = 3600.0
"""Seconds between two removals of what is old."""


async def sweep(pool: Pool) -> None:
    """Remove what persons have had for long enough, until cancelled."""
    while True:
        with put_off("what is old not removed"):
            async with connection(pool) as conn:
                for over in (mailing.OVER, sessions.OVER, blocks.OVER, passkeys.OVER, providing.OVER):
                    await conn.execute(over)
        await asyncio.sleep(SWEEP)
