"""What a campaign of Coral Sea came to: the points of C23, units and leaders lost, and why it ended."""

from domain.coral_sea.charts import ALLIED, JAPAN, OWNERS, UNITS, VP_SITES
from domain.coral_sea.facts import SetUp
from domain.coral_sea.happenings import LeaderLost, UnitDepleted, UnitDestroyed
from domain.coral_sea.table import NAVAL, Open, controlled
from domain.coral_sea.victory import points
from domain.kernel.facts import Fact
from domain.match.account import Account, Loss, Row
from domain.match.notices import GameEnded

DESTROYED, DEPLETED, LEADER = 0.5, 0.25, 0.5
"""What a unit destroyed, a step and a leader weigh beside a victory point."""

SHIPS, GROUND, LEADERS = "Ships", "Ground units", "Leaders"
SIDES = (JAPAN, ALLIED)


class CoralSeaAccount(Account):
    """The account of Coral Sea."""

    set_up = (SetUp,)
    kinds = (SHIPS, GROUND, LEADERS)

    def score(self, open: Open) -> tuple[float, float]:
        """Return the victory points of each side as they stand (C23)."""
        return points(open, JAPAN), points(open, ALLIED)

    def losses(self, open: Open, fact: Fact) -> list[Loss]:
        """Return the unit destroyed or depleted, or the leader lost."""
        match fact:
            case UnitDestroyed():
                return [Loss(fact.side, fact.unit, _kind(fact.unit), DESTROYED)]
            case UnitDepleted():
                return [Loss(OWNERS[fact.unit], fact.unit, _kind(fact.unit), DEPLETED, gone=False)]
            case LeaderLost():
                return [Loss(OWNERS[open.leaders[fact.leader]], fact.leader, LEADERS, LEADER)]
            case _:
                return []

    def rows(self, open: Open) -> list[Row]:
        """Return the sites that each side holds, enemy units destroyed, and bonus points (C23.2 to C23.4)."""
        held = [controlled(open, side) for side in SIDES]
        rows = []
        for site in VP_SITES:
            japan, allied = (site.value * areas.issuperset(site.areas) for areas in held)
            if japan or allied:
                rows.append(Row(f"[{site.urban_area}]", (japan, allied)))
        destroyed, bonus = open.destroyed_points, open.bonus
        if any(destroyed):
            rows.append(Row("Enemy units destroyed", (destroyed[JAPAN], destroyed[ALLIED])))
        if any(bonus):
            rows.append(Row("Cards", (bonus[JAPAN], bonus[ALLIED])))
        return [*rows, Row("Victory points", (points(open, JAPAN), points(open, ALLIED)))]

    def when(self, open: Open) -> str:
        """Return the sequence."""
        return f"Sequence {open.sequence}" if open.sequence else ""

    def by_rules(self, open: Open, end: GameEnded) -> str:
        """Return what ended it, and how the points compare (C23.1, C23.5)."""
        first = JAPAN if end.winner is None else end.winner
        why = "The last card was drawn" if end.rule == "C23.1" else f"{end.reason} was played"
        count = f"{points(open, first)} to {points(open, 1 - first)}"
        return f"{why}, and victory points decide: {count}."


def _kind(unit: str) -> str:
    return SHIPS if UNITS[unit].domain == NAVAL else GROUND
