"""P10 Command Points (5.1.G): how many a month brings, and how a side shares them out.

In the war they go by formulas and dates (P10.1, P10.2), old ones vanish, and some may be put into the Future
Operation Pool (P10.4); how that is spent is in `pool`.
"""

from collections import Counter
from collections.abc import Sequence

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS, of_side
from domain.pacific_war.board.charts import AIR, ALLIES, GROUND, SHIPS, SIDES, TABLES
from domain.pacific_war.board.table import Open, Own, Sight, Table
from domain.pacific_war.board.war import Share
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.command.pool import POOL_A_MONTH, POOL_MOST, POOL_PURSES, owner
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_month import (
    PURSES,
    AllocateCP,
    AsLastMonth,
    CommandPoints,
    Suggested,
    UndoAllocation,
)
from domain.pacific_war.decisions.orders_of_war import AllocateFOP
from domain.pacific_war.facts.months import MeansAre, PicksKept, TotalsAre, war
from domain.pacific_war.facts.wording import number
from domain.pacific_war.months.isolation import whereabouts
from domain.pacific_war.months.schedule import resources, strategic

_POINTS = TABLES["command_points"]
FIRST_MONTH, FIRST_POINTS = "1941-12", int(_POINTS["japan_1941_12"])
NATIONS = {"US": frozenset({"US"}), "CW": frozenset({"CW", "NL", "CN"})}
"""P10.3: the nations of a headquarters of which one is needed for points of a purse; others go to any."""


def japan(date: str, msp: int, resources: int, hrl: int) -> int:
    """Return the points of Japan in a Strategic month (P10.1).

    `resources` are its intact, Linked resource hexes, `msp` its Merchant Shipping Points, `hrl` the Homeland
    Resource Level.
    """
    if date == FIRST_MONTH:
        return FIRST_POINTS
    return 10 + msp // 2 + 2 * min(resources, msp // 4) + hrl


def allies(date: str) -> dict[str, int]:
    """Return the points of the Allies in a Strategic month by purse (P10.2)."""
    return {"US": _POINTS["allied_us"][date], "CW": _POINTS["allied_cw"][date]}


def of_month(table: Table) -> tuple[int, int]:
    """Return the points that Japan and the Allies get in this month (P10.1, P10.2)."""
    board = war(table.open)
    if strategic(table.open):
        mine = japan(board.month, board.msp, resources(table), board.hrl)
        return mine, sum(allies(board.month).values())
    given = CAMPAIGNS[table.open.scenario].command_points
    return given["JP"][board.month], given["AL"][board.month]


def purses(open: Open, side: int) -> dict[str, int]:
    """Return what a side may share out this month, by purse: in a campaign one figure for all (P10.2)."""
    if side == ALLIES and strategic(open):
        return allies(war(open).month)
    return {SIDES[side]: war(open).totals[side]}


def listed(open: Open, side: int) -> list[str]:
    """Return the headquarters of a side that may be given points, by id (P10.3).

    They are on the map or in a box (P11.2.1.4); one that leaves this month is not listed (R-87).
    """
    return [
        hq
        for hq, post in sorted(war(open).posts.items())
        if of_side(hq) == side and post.site and HEADQUARTERS[hq].end != war(open).month
    ]


def takes(hq: str, purse: str) -> bool:
    """Return whether a headquarters takes points of a purse, by its nations (P10.3)."""
    needed = NATIONS.get(purse)
    return needed is None or bool(needed & set(HEADQUARTERS[hq].nats))


def room(own: Own, shares: Sequence[Share], hq: str) -> int:
    """Return how many points a headquarters still takes: what it has and is given is at most its cap."""
    given = sum(one.points for one in shares if one.hq == hq and not one.pooled)
    return max(0, HEADQUARTERS[hq].cp_cap - own.means.points.get(hq, 0) - given)


def left(open: Open, side: int, shares: Sequence[Share]) -> dict[str, int]:
    """Return what is left in each purse of a side."""
    return {
        purse: points - sum(one.points for one in shares if one.purse == purse)
        for purse, points in purses(open, side).items()
    }


def most(open: Open, own: Own, side: int, shares: Sequence[Share], purse: str, hq: str) -> int:
    """Return how many points of a purse a headquarters may be given now; 0 if it was given some."""
    given = [one for one in shares if not one.pooled]
    if not takes(hq, purse) or any((one.purse, one.hq) == (purse, hq) for one in given):
        return 0
    return min(left(open, side, shares)[purse], room(own, shares, hq))


def allocations(open: Open, own: Own, side: int, shares: Sequence[Share]) -> list[AllocateCP]:
    """Return which purses may give to which headquarters, each once (P10.3)."""
    return [
        AllocateCP(purse, hq)
        for purse in purses(open, side)
        for hq in listed(open, side)
        if most(open, own, side, shares, purse, hq)
    ]


def again(open: Open, own: Own, side: int, shares: Sequence[Share]) -> list[Share]:
    """Return the picks of last month in their order, as far as they are legal now (P0.9.2)."""
    found = list(shares)
    for one in own.means.shares:
        if one.pooled:
            if one.points <= poolable(open, own, side, found):
                found.append(one)
            continue
        known = one.purse in purses(open, side) and one.hq in listed(open, side)
        if known and one.points <= most(open, own, side, found, one.purse, one.hq):
            found.append(one)
    return found[len(shares) :]


def poolable(open: Open, own: Own, side: int, shares: Sequence[Share]) -> int:
    """Return how many points may be put into the Future Operation Pool now, in one go (P10.4)."""
    if not strategic(open) or any(one.pooled for one in shares):
        return 0
    purse = POOL_PURSES[side]
    if not any(HEADQUARTERS[hq].fop for hq in listed(open, side)):
        return 0
    return max(0, min(POOL_A_MONTH, POOL_MOST - own.means.fop, left(open, side, shares)[purse]))


def census(own: Own) -> Counter[tuple[str, str]]:
    """Return how many own units of each nation are in each hex."""
    return Counter((_nation(unit), spot) for unit, spot, _ in whereabouts(own))


def commanded(own: Own, hq: str, units: Counter[tuple[str, str]]) -> int:
    """Return how many own units a headquarters can command where they are, by the links that were told."""
    nats, hexes = HEADQUARTERS[hq].nats, frozenset(own.means.links.get(hq, ()))
    return sum(count for (nation, spot), count in units.items() if nation in nats and spot in hexes)


def _nation(unit: str) -> str:
    return (SHIPS.get(unit) or AIR.get(unit) or GROUND[unit]).nat


def proposal(open: Open, own: Own, side: int, shares: Sequence[Share]) -> list[Share]:
    """Return the house's proposal for what is left (P0.9.1): by the units that each headquarters commands.

    What one has no room for, and what is left by rounding, goes to the others, first to who commands most.
    """
    found = list(shares)
    units = census(own)
    weights = {hq: commanded(own, hq, units) for hq in listed(open, side)}
    for purse, points in left(open, side, shares).items():
        able = {hq: most(open, own, side, found, purse, hq) for hq in weights}
        total = sum(weights[hq] for hq in able if able[hq]) or 1
        given = {hq: min(able[hq], points * weights[hq] // total) for hq in able}
        for hq in sorted(able, key=lambda one: (-weights[one], one)):
            given[hq] += min(points - sum(given.values()), able[hq] - given[hq])
            if given[hq]:
                found.append(Share(purse, hq, given[hq]))
    return found[len(shares) :]


def largest(open: Open) -> int:
    """Return the most facts that a side's picks can seal (P0.3.2), the same for both.

    Each purse gives to each headquarters at most twice, in two decisions, since each headquarters is undone
    once (R-58); then `AsLastMonth`, the pool, what ends the window, the points, and the picks that are kept.
    """
    pool = int(strategic(open))
    return max(
        4 * len(purses(open, side)) * len(listed(open, side)) + len(listed(open, side)) + 4 + pool
        for side in (0, 1)
    )


class Allocation(Procedure):
    """P10.3 COMMAND POINTS ARE ALLOCATED."""

    shares: tuple[Share, ...] = ()
    pending: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to `purse:hq` whose points are to be picked."""
    undone: tuple[str, ...] = ()
    """Headquarters whose points were taken back: each once (R-58)."""
    repeated: tuple[int, ...] = ()
    """Sides that have done as last month."""
    done: tuple[int, ...] = ()

    @step("10.3")
    def points(self, table: Table) -> None:
        """Tell how many points the month brings; unused ones stay in a campaign (R-2), in the war they go."""
        table.record(TotalsAre(of_month(table)))
        if strategic(table.open):
            for side in (0, 1):
                gone = dict.fromkeys(table.own[side].means.points, 0)
                table.record(MeansAre(side, points=gone, why="unused points vanish"))
        tell_links(table, 0, 1)

    @ask("10.3", by="sides", sealed=True)
    def allocate(self, sight: Sight) -> list[Decision]:
        """Share out your Command Points, then be done. How you share them stays hidden."""
        if sight.side in self.done:
            return []
        board = (sight.open, sight.own, sight.side, self.of(sight.side))
        if pending := self.pending.get(str(sight.side)):
            purse, _, hq = pending.partition(":")
            return [CommandPoints(n + 1) for n in range(most(*board, purse, hq))]
        able = allocations(*board)
        options: list[Decision] = [*able]
        options += [AllocateFOP(n + 1) for n in range(poolable(*board))]
        given = sorted({one.hq for one in self.of(sight.side) if not one.pooled})
        options += [UndoAllocation(hq) for hq in given if hq not in self.undone]
        if able:  # exactly then there is a proposal
            options.append(Suggested())
        if sight.side not in self.repeated and again(*board):
            options.append(AsLastMonth())
        return [*options, Done()]

    @allocate.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        mine = self.of(sight.side)
        if pending := self.pending.get(str(sight.side)):
            return f"How many Command Points for [{pending.partition(':')[2]}]?"
        rest = sum(left(sight.open, sight.side, mine).values())
        told = f"{number(rest, 'Command Point')} to share out; what you leave is lost."
        if own_pool := sight.own.means.fop:
            told += f" The Future Operation Pool has {own_pool}."
        given = proposal(sight.open, sight.own, sight.side, mine)
        shares = [f"{PURSES[one.purse]}[{one.hq}] {one.points}" for one in given]
        return f"{told} Proposed: {', '.join(shares)}." if shares else told

    @allocate.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if not isinstance(one, Suggested | Done)]

    @allocate.chosen
    def _(
        self,
        table: Table,
        decision: AllocateCP | CommandPoints | AllocateFOP | UndoAllocation | AsLastMonth | Suggested | Done,
    ) -> Flow:
        side = table.actor
        own, mine = table.own[side], self.of(side)
        match decision:
            case AllocateCP(purse, hq):
                self.pending = self.pending | {str(side): f"{purse}:{hq}"}
            case CommandPoints(points):
                purse, _, hq = self.pending[str(side)].partition(":")
                self.pending = self.pending | {str(side): ""}
                self.shares += (Share(purse, hq, points),)
            case AllocateFOP(points):
                self.shares += (Share(POOL_PURSES[side], owner(side), points, pooled=True),)
            case UndoAllocation(hq):
                self.shares = tuple(one for one in self.shares if one.hq != hq or one.pooled)
                self.undone += (hq,)
            case AsLastMonth():
                self.shares += tuple(again(table.open, own, side, mine))
                self.repeated += (side,)
            case Suggested():
                self.shares += tuple(proposal(table.open, own, side, mine))
                self.finish(table, side)
            case Done():
                self.finish(table, side)
        return self.allocate

    def finish(self, table: Table, side: int) -> None:
        """Give each headquarters its points; what is not allocated is lost (P10.3)."""
        mine, has = self.of(side), table.own[side].means
        given = {hq: has.points.get(hq, 0) for hq in sorted({one.hq for one in mine if not one.pooled})}
        for one in mine:
            if not one.pooled:
                given[one.hq] += one.points
        pool = has.fop + sum(one.points for one in mine if one.pooled) if strategic(table.open) else None
        table.record(MeansAre(side, points=given, fop=pool, why="allocated"))
        table.record(PicksKept(side, shares=mine))
        self.done += (side,)
        table.pad(largest(table.open), strict=True)

    def of(self, side: int) -> tuple[Share, ...]:
        """Return what a side has picked so far."""
        return tuple(one for one in self.shares if of_side(one.hq) == side)

    @property
    def sides(self) -> tuple[int, int]:
        """Both are asked."""
        return (0, 1)
