"""What a campaign of Coral Sea came to: the points of C23, units and leaders lost, and why it ended."""

from domain.coral_sea.charts import ALLIED, AREAS, ISLANDS, JAPAN, OWNERS, UNITS, VP_SITES
from domain.coral_sea.facts import PointsGained, SetUp, number
from domain.coral_sea.happenings import LeaderLost, UnitDepleted, UnitDestroyed
from domain.coral_sea.printed import Site
from domain.coral_sea.table import NAVAL, Open, controlled
from domain.coral_sea.victory import points
from domain.kernel.facts import Fact
from domain.match.account import Account, Held, Loss, Row
from domain.match.notices import GameEnded

DESTROYED, DEPLETED, LEADER = 0.5, 0.25, 0.5
"""What a unit destroyed, a step and a leader weigh beside a victory point."""

SHIPS, GROUND, LEADERS = "Ships", "Ground units", "Leaders"
SIDES = (JAPAN, ALLIED)


class CoralSeaAccount(Account):
    """The account of Coral Sea."""

    set_up = (SetUp,)
    kinds = (SHIPS, GROUND, LEADERS)

    def scene(self, open: Open) -> str:
        """Return the sequence, and the operation that is open in it."""
        if open.operation is None:
            return self.when(open)
        return f"{self.when(open)}, operation at {AREAS[open.operation.area].name}"

    def held(self, open: Open) -> dict[str, Held]:
        """Return who holds each site that counts (C23.2)."""
        areas = {side: controlled(open, side) for side in SIDES}
        return {
            site.urban_area: Held(side, site.value, _whole(site))
            for site in VP_SITES
            for side in SIDES
            if areas[side].issuperset(site.areas)
        }

    def losses(self, open: Open, fact: Fact) -> list[Loss]:
        """Return the unit destroyed or depleted, the leader lost, or what a card gained."""
        match fact:
            case UnitDestroyed():
                worth = DESTROYED + fact.points
                return [Loss(fact.side, fact.unit, _kind(fact.unit), worth, says=_lost(fact.side, fact.unit))]
            case UnitDepleted():
                says, owner = "{} {was} depleted", OWNERS[fact.unit]
                return [Loss(owner, fact.unit, _kind(fact.unit), DEPLETED, gone=False, says=says)]
            case LeaderLost():
                side = OWNERS[open.leaders[fact.leader]]
                return [Loss(side, fact.leader, LEADERS, LEADER, says=f"[side:{side}] lost {{}}")]
            case PointsGained():
                return [_gain(open, fact)]
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

    def turn(self, open: Open) -> int:
        """Return the sequence."""
        return open.sequence

    def by_rules(self, open: Open, end: GameEnded) -> str:
        """Return what ended it, and how the points compare (C23.1, C23.5)."""
        first = JAPAN if end.winner is None else end.winner
        why = "The last card was drawn" if end.rule == "C23.1" else f"{end.reason} was played"
        count = f"{points(open, first)} to {points(open, 1 - first)}"
        return f"{why}, and victory points decide: {count}."


def _whole(site: Site) -> str:
    """Return the island all of which is to be controlled (C23.2), where one area is not enough."""
    island = AREAS[site.urban_area].island
    return ISLANDS[island].name if island and len(site.areas) > 1 else ""


def _lost(side: int, unit: str) -> str:
    return "{} sank" if _kind(unit) == SHIPS else f"[side:{side}] lost {{}}"


def _gain(open: Open, fact: PointsGained) -> Loss:
    """Return the points that a card gains as what they cost the other side."""
    says = f"{{}} gained [side:{fact.side}] {number(fact.gained, 'victory point')}"
    return Loss(1 - fact.side, open.played[fact.side][-1], "", fact.gained, gone=False, says=says)


def _kind(unit: str) -> str:
    return SHIPS if UNITS[unit].domain == NAVAL else GROUND
