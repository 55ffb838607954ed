"""Runs projections on a database until it is killed: `python -m tests.projections.follow URL`."""

import asyncio
import sys

from projections.audit import Audit
from projections.runner import Runner
from projections.standings import Standings
from server.postgres.database import connect


async def follow(dsn: str) -> None:
    database = await connect(dsn)
    print("following", flush=True)  # noqa: T201 for the test that waits
    await Runner(database.projector, [Standings(), Audit()], every=0.01).run()


if __name__ == "__main__":
    asyncio.run(follow(sys.argv[1]))
