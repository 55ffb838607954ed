"""P29.2.5 Task forces retreat from a naval combat."""

from collections.abc import Sequence

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.atlas import area, seaward
from domain.pacific_war.board.table import Open, Sight, Table, enemy, tfs_at
from domain.pacific_war.decisions.cycle import RetreatTF
from domain.pacific_war.facts.cycle import Sailed


def ways(open: Open, tf: str) -> list[str]:
    """Return where a task force may retreat to: beside it, away from enemy task forces if it can (R-49)."""
    force = open.tfs[tf]
    near = [node for node in seaward(force.node) if node[:4] in area(open.scenario)]
    return sorted(node for node in near if not tfs_at(open, node, enemy(force.side))) or sorted(near)


class Retreat(Procedure):
    """P29.2.5 A RETREAT, TASK FORCE BY TASK FORCE."""

    tfs: tuple[str, ...]

    @ask("29.2.5", by="whose", forced=True)
    def go(self, sight: Sight) -> list[Decision]:
        """Choose where the task force retreats to."""
        tf = self.next(sight.open)
        return [RetreatTF(tf, node) for node in ways(sight.open, tf)] if tf else []

    @go.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Choose where [{self.next(sight.open)}] retreats to."

    @go.chosen
    def _(self, table: Table, decision: RetreatTF) -> Flow:
        self.tfs = tuple(tf for tf in self.tfs if tf != decision.tf)
        table.record(Sailed(decision.tf, (decision.node,), known=True))
        return self.go

    @step("29.2.5")
    def stay(self, table: Table) -> Flow:
        """Who has nowhere to go stays."""
        tf = self.next(table.open)
        if not tf:
            return None
        self.tfs = tuple(one for one in self.tfs if one != tf)
        return self.go

    def next(self, open: Open) -> str:
        """Return the next task force that is still afloat, Japan's first (P0.5), or an empty string."""
        left = [(open.tfs[tf].side, tf) for tf in self.tfs if tf in open.tfs]
        return min(left, default=(0, ""))[1]

    def whose(self, open: Open) -> int:
        """Return whose it is."""
        tf = self.next(open)
        return open.tfs[tf].side if tf else 0
