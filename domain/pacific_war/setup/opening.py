"""S1.3, S1.7 The first Operation of the war: three headquarters pay, and task forces begin at sea."""

from functools import lru_cache

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask
from domain.pacific_war.board.atlas import distance, flood, nodes
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import ALLIES, LOCATIONS
from domain.pacific_war.board.special import opening
from domain.pacific_war.board.table import Open, Own, Sight, Table
from domain.pacific_war.board.war import Operation
from domain.pacific_war.command.costs import due
from domain.pacific_war.decisions.cycle import SailTo
from domain.pacific_war.facts.homefront import ToSea
from domain.pacific_war.facts.months import under_way, war

MOST_STAFFS = 3
"""S1.3: the headquarters from which Japan may activate in the first Operation."""
NORTHERN, FROM_HERE = "etorofu", "7916"
"""S1.7: task forces of this port begin in this hex."""
OUT, CLEAR = 6, 2
"""S1.7: hexes by sea from their port, at most, for the others, and hexes from Allied locations, more than."""


def charge_of(open: Open, own: Own, hq: str, more: int) -> int:
    """Return the Operation cost that a headquarters pays when it spends so many AP more (P20.2.5).

    In the first Operation of the war there is one for all, the highest (S1.3). Read so: who lets a higher
    one fall due pays the difference.
    """
    falls = due(own, hq, more)
    return max(0, falls - _paid(own.means.charged)) if opening(open) and _leads(open, hq) else falls


def refund_of(open: Open, own: Own, hq: str) -> int:
    """Return the Operation cost that a headquarters gets back when none is due from it any more."""
    if not (opening(open) and _leads(open, hq)):
        return HEADQUARTERS[hq].op_cost
    others = tuple(one for one in own.means.charged if one != hq)
    return _paid(own.means.charged) - _paid(others)


def _paid(charged: tuple[str, ...]) -> int:
    return max((HEADQUARTERS[hq].op_cost for hq in charged), default=0)


def _leads(open: Open, hq: str) -> bool:
    """Return whether a headquarters is one of the Operation player."""
    return HEADQUARTERS[hq].side == ("AL" if under_way(open).player == ALLIES else "JP")


def granted(open: Open, operation: Operation) -> int:
    """Return the limit of an Operation that is told: its bid.

    In the first of the war, where several headquarters pay, it is what the month has brought (S1.3).
    """
    return war(open).totals[operation.player] if opening(open) else operation.bid


def lead(open: Open, own: Own, hq: str) -> str:
    """Return the headquarters from which an Operation is led: the one that pays.

    Where three may pay (S1.3) it is read so: the one that has paid most, ties by id.
    """
    used = own.means.used
    if not opening(open) or not used:
        return hq
    return min(used, key=lambda one: (-used[one], one))


def at_sea(open: Open, tf: str) -> tuple[str, ...]:
    """Return the nodes where a task force of a port may begin (S1.7), by hex."""
    start = open.tfs[tf].node
    if start[:4] == LOCATIONS[NORTHERN].hex:
        return nodes(FROM_HERE)
    theirs = frozenset(LOCATIONS[place].hex for place, base in open.bases.items() if base.control == ALLIES)
    return _clear(start, theirs)


@lru_cache(64)
def _clear(start: str, theirs: frozenset[str]) -> tuple[str, ...]:
    return tuple(
        sorted(
            node
            for node in flood(start, OUT)
            if node != start and all(distance(node, spot) > CLEAR for spot in theirs)
        )
    )


class FirstSortie(Procedure):
    """S1.7 A TASK FORCE BEGINS AT SEA."""

    side: int
    tf: str

    @ask("20.2.2", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose where the task force stands at sea."""
        return [SailTo(node) for node in at_sea(sight.open, self.tf)]

    @where.chosen
    def _(self, table: Table, decision: SailTo) -> Flow:
        table.record(ToSea(self.tf, decision.node))
        return DONE
