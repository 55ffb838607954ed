"""What a battle of Pacific War came to: ships and steps lost, points of P33.1, and why it ended."""

from domain.kernel.facts import Fact
from domain.match.account import Account, Held, Loss, Row
from domain.match.notices import GameEnded
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import OWNERS, SCENARIOS, SHIPS, SIDE_NAMES
from domain.pacific_war.board.printed import Points
from domain.pacific_war.board.table import Open
from domain.pacific_war.board.toll import SUNK
from domain.pacific_war.facts.cycle import AirStepsLost, BaseIs, SetUp, ShipHit
from domain.pacific_war.facts.fighting import GroundStepsLost
from domain.pacific_war.facts.wording import number

SHIPS_LOST, AIRCRAFT, TROOPS = "Ships", "Air steps", "Ground steps"

AIR_STEP, GROUND_STEP, BASE = 0.5, 0.5, 4.0
"""What a step of an air unit, of a ground unit and a location weigh beside a victory point."""


class PacificWarAccount(Account):
    """The account of Pacific War."""

    set_up = (SetUp,)
    kinds = (SHIPS_LOST, AIRCRAFT, TROOPS)

    def scene(self, open: Open) -> str:
        """Return the cycle with the battle that is fought in it."""
        if open.naval:
            return f"{self.when(open)}, naval battle"
        if open.landed:
            return f"{self.when(open)}, ground combat"
        return f"{self.when(open)}, air strike" if open.raids else self.when(open)

    def held(self, open: Open) -> dict[str, Held]:
        """Return who holds each location that the scenario is fought for (P33.1), of a battle alone."""
        if open.scenario not in SCENARIOS:
            return {}
        points = SCENARIOS[open.scenario].victory.points
        return {
            place: Held(open.bases[place].control, worth)
            for place, worth in worths(points).items()
            if place in open.bases
        }

    def losses(self, open: Open, fact: Fact) -> list[Loss]:
        """Return the ship sunk or crippled, the steps lost, or the location that does not score (`held`)."""
        match fact:
            case ShipHit(ship, hits, damage, of):
                return _hit(open, ship, damage - hits, damage, of)
            case AirStepsLost(unit, side, steps):
                return [Loss(side, unit, AIRCRAFT, AIR_STEP * steps, gone=False)]
            case GroundStepsLost(unit, side, steps) if steps:
                return [Loss(side, unit, TROOPS, GROUND_STEP * steps, gone=False)]
            case BaseIs(location, base) if base.control != open.bases[
                location
            ].control and location not in self.held(open):
                says = f"{{}} fell to [side:{base.control}]"
                return [Loss(open.bases[location].control, location, "", BASE, gone=False, says=says)]
        return []

    def rows(self, open: Open) -> list[Row]:
        """Return what scored for each side (P33.1)."""
        if not open.points:
            return []
        rows = [Row(what, points) for what, points in open.score]
        return [*rows, Row("Victory points", (open.points[0], open.points[1]))]

    def when(self, open: Open) -> str:
        """Return the cycle."""
        return f"Cycle {open.cycle}" if open.cycle else ""

    def turn(self, open: Open) -> int:
        """Return the cycle of a battle; of a campaign a number that grows with months and Operations."""
        if open.war is None:
            return open.cycle
        year, month = open.war.month.split("-")
        return int(year) * 12 + int(month) + open.war.operations

    def by_rules(self, open: Open, end: GameEnded) -> str:
        """Return the points and the level (P33.1)."""
        if not open.points:
            return f"{end.reason}."
        japan, allies = open.points
        level = f"{open.level[:1].upper()}{open.level[1:]}"
        if open.scenario in CAMPAIGNS and CAMPAIGNS[open.scenario].strategic:
            return f"{level}: {number(allies, 'collapse point')} of Japan."
        count = f"{SIDE_NAMES[0]} has {number(japan, 'point')}, the {SIDE_NAMES[1]} have {allies}"
        what = "month" if open.scenario in CAMPAIGNS else "cycle"
        return f"The last {what} was over: {count}. {level}."


def worths(points: Points) -> dict[str, int]:
    """Return the locations that a scenario is fought for, to what the control of each is worth."""
    return {
        place: worth
        for place, worth in (
            ("port_moresby", points.JP_controls_port_moresby),
            ("midway", points.JP_controls_midway),
            ("wake", points.JP_controls_wake),
        )
        if worth
    }


def _hit(open: Open, ship: str, before: int, damage: int, of: int) -> list[Loss]:
    cls = SHIPS[ship].cls
    if open.scenario in SCENARIOS:
        scored = SCENARIOS[open.scenario].victory.points
        crippled, sunk = scored.crippled.get(cls, 0), scored.sunk.get(cls, 0)
    else:  # P19.3
        crippled, sunk = SUNK[cls] // 2, SUNK[cls]
    if damage >= of:
        return [Loss(OWNERS[ship], ship, SHIPS_LOST, sunk or 1, says="{} {was} sunk")]
    if damage * 2 >= of > before * 2:
        return [Loss(OWNERS[ship], ship, SHIPS_LOST, crippled, gone=False, says="{} {was} crippled")]
    return [Loss(OWNERS[ship], ship, SHIPS_LOST, 0.25 * (damage - before), gone=False)]
