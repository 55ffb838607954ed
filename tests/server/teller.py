"""A process that tells notices until it is killed: `python -m tests.server.teller DSN CERTIFICATES LEASE`.

The lease is in seconds.
"""

import asyncio
import ssl
import sys
from datetime import timedelta

from server.notices.outward import Outward
from server.postgres.database import connect
from tests.server.noticed import World, owner_of


async def main(dsn: str, authority: str, lease: str) -> None:
    """Tell."""
    world = World(await owner_of(dsn), await connect(dsn))
    trust = ssl.create_default_context(cafile=authority)
    held = timedelta(seconds=float(lease))
    await world.notifying(lambda: Outward(loopback=True, trust=trust), lease=held).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
