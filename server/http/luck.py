"""A person's luck over all his matches that have ended, by title, as his page shows it.

Counted is what was rolled for a seat while he sat there; not in private matches, as those are on no list, and
not where he sat on both sides. Measures are summed for themselves (`projections.luck` says why), and never
over titles. Deliberately absent: how dice are counted (`projections.seat_luck`).
"""

from typing import Final
from uuid import UUID

from projections.luck import Count, over_matches
from server.postgres.database import PooledConnection
from server.protocol.results import TitleLuck

# The last bits of a sum go by its order.
_SUMMED: Final = """
WITH mine AS MATERIALIZED (
  SELECT match_id, seat, NULL::timestamptz AS until FROM lobby.seat WHERE person_id = $1
  UNION ALL SELECT match_id, seat, until FROM lobby.predecessor WHERE person_id = $1
)
SELECT l.title, l.measure, count(DISTINCT l.match_id) AS matches, sum(l.dice)::bigint AS dice,
       sum(l.came)::bigint AS came, sum(l.expected ORDER BY l.match_id, l.place) AS expected,
       sum(l.variance ORDER BY l.match_id, l.place) AS variance
  FROM mine JOIN lobby.match m USING (match_id)
  JOIN view.seat_luck l ON l.match_id = mine.match_id AND l.seat = mine.seat
                       AND l.until IS NOT DISTINCT FROM mine.until
 WHERE NOT m.private
   AND NOT EXISTS (SELECT FROM mine other WHERE other.match_id = mine.match_id AND other.seat <> mine.seat)
 GROUP BY l.title, l.measure
 ORDER BY max(sum(l.dice)) OVER (PARTITION BY l.title) DESC, l.title, l.measure DESC
"""


async def luck_of(conn: PooledConnection, person: UUID) -> list[TitleLuck]:
    """Return a person's luck: the title with the most dice first, and of each title hits before checks."""
    found = []
    for row in await conn.fetch(_SUMMED, person):
        count = Count(row["dice"], row["came"], row["expected"], row["variance"])
        low, high = count.range
        found.append(
            TitleLuck(
                row["title"],
                row["measure"],
                row["matches"],
                count.dice,
                count.came,
                round(count.expected, 1),
                round(low, 1),
                round(high, 1),
                over_matches(row["measure"], count),
            )
        )
    return found
