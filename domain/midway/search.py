"""M12 The search for the enemy fleet; the Japanese one is option M15.10."""

from collections.abc import Sequence

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.midway.charts import SEARCH_AGAIN, SEARCH_BOMBERS, SEARCH_GROUPS, SIDES
from domain.midway.choices import FleetFound, SearchAssigned
from domain.midway.decisions import SearchAssign, groups_of
from domain.midway.facts import GroupMoved
from domain.midway.table import (
    BOMBERS,
    FIGHTERS,
    LOST,
    MOVING,
    READY,
    Open,
    Sight,
    Table,
    aboard,
    at,
    carriers_of,
    operational,
)
from domain.midway.teams import admiral

FINDS = f"1 to {SEARCH_GROUPS} names the search group, {' and '.join(map(str, SEARCH_AGAIN))} again"


def may_search(open: Open, side: int) -> bool:
    """Return whether SEARCH_START is legal (M12.2).

    It takes four bomber groups in MOVING; or all that are left and not aboard a crippled carrier, when these
    are fewer than four.
    """
    if open.found[side]:
        return False
    ready = len(at(open, side, MOVING, BOMBERS))
    if ready >= SEARCH_BOMBERS:
        return True
    return 0 < ready == _usable(open, side)


def legal_groups(open: Open, side: int, bombers: bool) -> list[int]:
    """Return the search groups that the next group may join (M12.4): bombers as evenly as possible."""
    numbers = range(1, SEARCH_GROUPS + 1)
    if not bombers:
        return list(numbers)
    flying = [open.groups[name].search_group for name in at(open, side, MOVING, BOMBERS)]
    each, over = divmod(len(flying), SEARCH_GROUPS)
    size = {number: flying.count(number) for number in numbers}
    full = sum(count > each for count in size.values())
    return [n for n in numbers if size[n] < each or (size[n] == each and full < over)]


class Search(Procedure):
    """M12 THE SEARCH."""

    side: int
    number: int = 0
    """The search group that has found the enemy."""

    def admiral(self, open: Open) -> int:
        """Return the seat that divides the search groups (M14.4)."""
        return admiral(open, self.side)

    @ask("M12.4", by="admiral", forced=True)
    def assign(self, sight: Sight) -> list[Decision]:
        """Choose the search group that these planes join."""
        for types in (BOMBERS, FIGHTERS):
            for name in at(sight.open, self.side, MOVING, types):
                if not sight.open.groups[name].search_group:
                    groups = legal_groups(sight.open, self.side, bombers=types == BOMBERS)
                    return [SearchAssign(name, number) for number in groups]
        return []

    @assign.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        (group,) = groups_of(options)
        flying = at(sight.open, self.side, MOVING)
        told = sum(sight.open.groups[name].search_group > 0 for name in flying)
        which = f"which of the {SEARCH_GROUPS} search groups does [{group}] fly with?"
        return f"The search, {told + 1} of {len(flying)}: {which} Then a die says who finds the enemy."

    @assign.chosen
    def _(self, table: Table, decision: SearchAssign) -> Flow:
        table.record(SearchAssigned(decision.group, decision.search_group))
        return self.assign

    @assign.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return all of them while fighters, which may join any group, come after these planes."""
        flying = at(sight.open, self.side, MOVING, FIGHTERS)
        left = [name for name in flying if not sight.open.groups[name].search_group]
        now = {option.group for option in options if isinstance(option, SearchAssign)}
        return [*options] if {*left} - now else []

    @step("M12.5")
    def roll(self, table: Table) -> Flow:
        """Roll for the search group that has found the enemy; 5 and 6 are rolled again."""
        (self.number,) = table.roll(
            "SEARCH",
            1,
            by=self.side,
            target=FINDS,
            subject=f"{SIDES[self.side]}:{MOVING}",
        )
        return self.roll if self.number in SEARCH_AGAIN else None

    @step("M12.6")
    def found(self, table: Table) -> None:
        """Send that search group to Ready to Attack at once; the others do not move in this step."""
        flying = at(table.open, self.side, MOVING)
        finders = [name for name in flying if table.open.groups[name].search_group == self.number]
        held = tuple(name for name in flying if name not in finders)
        table.record(FleetFound(self.side, self.number, held))
        for name in finders:
            table.record(GroupMoved(name, MOVING, READY))


def _usable(open: Open, side: int) -> int:
    stuck = {
        name for ship in carriers_of(open, side) if not operational(open, ship) for name in aboard(open, ship)
    }
    return sum(
        group.side == side and group.type in BOMBERS and group.place != LOST and name not in stuck
        for name, group in open.groups.items()
    )
