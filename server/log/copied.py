"""Whether the log holds facts that were copied from another cluster, which is asked before a server starts.

The feed (`projections.feed`) follows transactions. Facts of one that this cluster has not come to it would
hold back for as long, and give later facts of their matches out before them.
"""

from typing import Final

from server.postgres.database import Pool, Unfit, connection

_AHEAD: Final = """
SELECT newest.place, newest.next FROM (
  SELECT f.xid, f.xid::text AS place, pg_snapshot_xmax(pg_current_snapshot())::text AS next
    FROM log.fact f ORDER BY f.xid DESC LIMIT 1) newest
 WHERE newest.xid >= pg_snapshot_xmax(pg_current_snapshot())
"""


async def refuse_facts_ahead(pool: Pool) -> None:
    """Raise Unfit where facts are of transactions that this cluster has not come to."""
    async with connection(pool) as conn:
        found = await conn.fetchrow(_AHEAD)
    if found is not None:
        raise Unfit(
            f"The log has facts of transaction {found['place']}, and this cluster has only come to "
            f"{found['next']}: it was copied from another, as by pg_dump. As the owner of the schema set "
            "xid = '0' on all facts, as deploy/runbook.md says (Restored from a dump), then start again."
        )
