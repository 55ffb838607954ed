"""P10.4 The Future Operation Pool: whose it is, and how it is spent beside a headquarters' own points."""

from typing import Any

from domain.pacific_war.board.campaigns import HEADQUARTERS, of_side
from domain.pacific_war.board.charts import BOXES, TABLES
from domain.pacific_war.board.table import Open, Own, Table
from domain.pacific_war.facts.months import MeansAre, war

_FOP: dict[str, Any] = TABLES["command_points"]["fop"]
POOL_MOST: int = _FOP["cap"]
POOL_A_MONTH: int = _FOP["max_add_per_month"]
POOL_PURSES = ("JP", "US")
"""P10.4: the purse of each side from which the pool is filled."""


def owner(side: int) -> str:
    """Return the headquarters to which the pool of a side belongs (P10.4)."""
    return next(hq for hq, one in HEADQUARTERS.items() if one.fop and of_side(hq) == side)


def pooled(open: Open, own: Own, hq: str) -> int:
    """Return what the pool adds to a headquarters: all of it to its owner while that is on the map.

    One that stands in a box keeps it (P11.2.1.4).
    """
    post = war(open).posts.get(hq)
    stands = post and (post.site in open.bases or post.site in BOXES)
    return own.means.fop if HEADQUARTERS[hq].fop and stands else 0


def purse(open: Open, own: Own, hq: str) -> int:
    """Return what a headquarters can bid or spend: its own points and what the pool adds (P18.1)."""
    return own.means.points.get(hq, 0) + (pooled(open, own, hq) if own.means.fop else 0)


def spenders(open: Open, own: Own) -> list[str]:
    """Return the headquarters of a side that have points, their own or those of the pool, by id."""
    able = {hq for hq, points in own.means.points.items() if points}
    return sorted(able | {hq for hq in own.means.links if own.means.fop and pooled(open, own, hq)})


def draw(table: Table, side: int, hq: str, amount: int, why: str, **more: Any) -> int:
    """Take points from a headquarters, then from the pool; return how many the pool gave (P10.4)."""
    means = table.own[side].means
    has = means.points.get(hq, 0)
    drawn = max(0, amount - has)
    pool = means.fop - drawn if drawn else None
    table.record(MeansAre(side, points={hq: max(0, has - amount)}, fop=pool, why=why, **more))
    return drawn
