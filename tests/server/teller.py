"""A process that tells notices until it is killed: `python -m tests.server.teller DSN CERTIFICATES`."""

import asyncio
import ssl
import sys
from datetime import timedelta

from server.notices.outward import Outward
from server.postgres.database import connect
from tests.server.noticed import World, owner_of

LEASE = timedelta(seconds=1)


async def main(dsn: str, authority: str) -> None:
    """Tell."""
    world = World(await owner_of(dsn), await connect(dsn))
    trust = ssl.create_default_context(cafile=authority)
    await world.notifying(lambda: Outward(loopback=True, trust=trust), lease=LEASE).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
