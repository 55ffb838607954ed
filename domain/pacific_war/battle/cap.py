"""P28.1 CAP: both sides assign steps at once, each in one command."""

from collections.abc import Iterable, Sequence
from functools import cache

from domain.kernel.procedures import Decision, Flow, Procedure, ask
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import roster
from domain.pacific_war.board.charts import AIR, GROUPS, NIGHT, OWNERS, SCENARIOS
from domain.pacific_war.board.special import only_strikes, stands_down
from domain.pacific_war.board.table import Open, Own, Sight, Table, air_class, at_base, flies, home_hex
from domain.pacific_war.decisions.cycle import AssignCAP, Done
from domain.pacific_war.facts.changes import Changes

FIGHTERS = ("1E", "CVG")
"""P28.1: the kinds that fly CAP."""


@cache
def fighters(scenario: str, side: int) -> tuple[str, ...]:
    """Return the air units of a scenario that may fly CAP: what a side has is public (P0.4.3)."""
    units = [row.id for row in SCENARIOS[scenario].air] if scenario in SCENARIOS else _of_campaign(scenario)
    return tuple(unit for unit in units if OWNERS[unit] == side and air_class(unit).kind in FIGHTERS)


def _of_campaign(scenario: str) -> list[str]:
    """Return the air units of a campaign, with the groups of carriers that come later, by id."""
    units = roster(scenario)
    return sorted((units & AIR.keys()) | {group for carrier, group in GROUPS.items() if carrier in units})


def assignable(open: Open, own: Own, side: int, done: Iterable[str]) -> list[AssignCAP]:
    """Return what may be assigned: all ready steps of Activated units, half of inactive land-based ones."""
    if stands_down(open, side):
        return []
    options = []
    for unit in sorted(set(fighters(open.scenario, side)) & own.air.keys() - set(done)):
        air = own.air[unit]
        most = air.ready
        if at_base(air.home) and not air.active:
            most = min(most, air.steps // 2 - air.cap)
        # whether it flies takes longest to say, and late in the war hundreds could
        if most < 1 or air.isolated or only_strikes(open, air.home) or not flies(open, own, unit):
            continue
        options += [AssignCAP(unit, steps) for steps in range(1, most + 1)]
    return options


class AssignmentOfCAP(Procedure):
    """P28.1 CAP IS ASSIGNED."""

    chosen: dict[str, int] = {}  # noqa: RUF012 a Struct copies its defaults
    """Unit to the steps picked so far."""
    done: tuple[int, ...] = ()

    @ask("28.1", by="sides", sealed=True)
    def assign(self, sight: Sight) -> list[Decision]:
        """Assign steps to CAP, then be done. What you assign stays hidden."""
        if sight.side in self.done or sight.open.lighting == NIGHT:
            return []
        return [*assignable(sight.open, sight.own, sight.side, self.chosen), Done()]

    @assign.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        if any(isinstance(one, AssignCAP) for one in options):
            return "Assign steps to CAP, then be done. What you assign stays hidden."
        if any(OWNERS[unit] == sight.side for unit in self.chosen):
            return "No more steps can go on CAP: be done. What you assigned stays hidden."
        return "You have no steps that can go on CAP: be done."

    @assign.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if isinstance(one, AssignCAP)]

    @assign.chosen
    def _(self, table: Table, decision: AssignCAP | Done) -> Flow:
        if isinstance(decision, AssignCAP):
            self.chosen = self.chosen | {decision.unit: decision.steps}
            return self.assign
        side = table.actor
        own = table.own[side]
        now = Changes(table, "on CAP")
        for unit, steps in self.chosen.items():
            if OWNERS[unit] == side:
                air = own.air[unit]
                now.aircraft(unit, ready=air.ready - steps, cap=air.cap + steps)
        now.record()
        self.done += (side,)
        table.pad(len(fighters(table.open.scenario, side)) + 2)
        return self.assign

    @property
    def sides(self) -> tuple[int, int]:
        """Both are asked."""
        return (0, 1)


def guarding(table: Table, side: int, hex: str) -> dict[str, int]:
    """Return the CAP of a side over a hex: unit to steps."""
    board, own = table.open, table.own[side]
    return {
        unit: air.cap
        for unit, air in sorted(own.air.items())
        if air.cap and air.home and distance(home_hex(board, own, unit), hex) == 0
    }
