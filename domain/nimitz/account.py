"""What a campaign of Nimitz came to: objectives held (N18), forces lost, and why it ended."""

from typing import Final

from domain.kernel.facts import Fact
from domain.kernel.seats import the
from domain.match.account import Account, Held, Loss, Row
from domain.match.notices import GameEnded
from domain.nimitz.blows import Destroyed
from domain.nimitz.charts import AREAS, COUNTERS, JA, OBJECTIVES, SIDE_OF, US
from domain.nimitz.facts import STEPS, CampaignSetUp, OutOfSupply
from domain.nimitz.table import HAWAII, Open, ashore_in, held_objectives
from domain.nimitz.victory import invasion_points

OBJECTIVE: Final = 8.0
"""What an objective weighs beside what forces are worth."""

CAMPAIGN: Final = 2 * OBJECTIVE
"""What Hawaii weighs, without which the campaign is lost (N17.1)."""

WORTH: Final = {
    "CV": 8.0,
    "BB": 3.0,
    "CVL": 4.0,
    "CRU": 2.0,
    "CVE": 2.5,
    "DD": 1.5,
    "SS": 1.5,
    "ARMY": 1.5,
    "MARINE": 1.5,
    "BASE": 0.8,
    "BN": 0.4,
    "BOMBER": 1.0,
    "FIGHTER": 1.0,
}
"""What a force is worth by its type; no figure of the rules says it."""

AIR_GROUP: Final = 0.2
"""What an aircraft of a carrier is worth."""

KINDS: Final = {"SHIP": "Ships", "INF": "Infantry", "LBA": "Land-based aircraft", "CAG": "Carrier aircraft"}


class NimitzAccount(Account):
    """The account of Nimitz."""

    set_up = (CampaignSetUp,)
    kinds = tuple(KINDS.values())

    def scene(self, open: Open) -> str:
        """Return the turn with the battle that is fought, or the step."""
        if open.battle:
            return f"{self.when(open)}, battle of {the(AREAS[open.battle.area].name)}"
        return f"{self.when(open)}, {STEPS[open.step - 1]}" if open.turn and open.step else self.when(open)

    def held(self, open: Open) -> dict[str, Held]:
        """Return who alone is ashore in each objective; it is worth something to the US only.

        Supply, which the result asks for as well, comes and goes while forces move on.
        """
        if not open.year:
            return {}
        ours, theirs = ashore_in(open, US), ashore_in(open, JA)
        fought_for = open.battle.area if open.battle else ""
        found = {}
        for area in OBJECTIVES[open.year]:
            if area in ours and area in theirs:
                if area == fought_for:
                    found[area] = Held(None)
            elif area in ours:
                found[area] = Held(US, CAMPAIGN if area == HAWAII else OBJECTIVE)
            elif area in theirs:
                found[area] = Held(JA)
        return found

    def losses(self, open: Open, fact: Fact) -> list[Loss]:
        """Return the forces and aircraft destroyed."""
        del open
        match fact:
            case Destroyed():
                return [_loss(fact.target)]
            case OutOfSupply():
                return [*map(_loss, fact.destroyed)]
            case _:
                return []

    def rows(self, open: Open) -> list[Row]:
        """Return the objectives held (N18.1); in a linked war the result of each year."""
        if not open.year:
            return []
        if open.linked:
            return [Row(f"Campaign of {year}", (result, 0)) for year, result in open.results.items()]
        rows = [Row(f"[{area}]", (1, 0)) for area in held_objectives(open)]
        if invasion := invasion_points(open):
            rows.append(Row("Forces kept for the invasion of Japan", (invasion, 0)))
        return [*rows, Row("Objectives held", (len(held_objectives(open)) + invasion, 0))]

    def when(self, open: Open) -> str:
        """Return the turn; in a linked war with its year."""
        if not open.turn:
            return ""
        return f"{open.year}, turn {open.turn}" if open.linked else f"Turn {open.turn}"

    def turn(self, open: Open) -> int:
        """Return the turn, behind those of the years before in a linked war."""
        return open.year * 100 + open.turn if open.turn else 0

    def by_rules(self, open: Open, end: GameEnded) -> str:
        """Return the level, and what it rests on (N17, N18)."""
        level, _, why = end.reason.partition(": ")
        if end.rule == "N17.1":
            return "Hawaii was lost, and with it the campaign: the commander was replaced."
        if end.rule == "N17.2":
            return (
                f"The US held {why.removesuffix(', too few')}, too few to go on: the commander was replaced."
            )
        good = "which counts as a victory" if end.winner == US else "which is not enough to win"
        return f"The last turn was over: the US hold {why}, level “{open.level or level}”, {good}."


def _loss(name: str) -> Loss:
    counter, side = COUNTERS[name], SIDE_OF[name]
    if counter.kind == "CAG":
        return Loss(side, name, KINDS[counter.kind], AIR_GROUP)
    if counter.type == "BN":
        return Loss(side, name, KINDS[counter.kind], WORTH[counter.type])
    says = "{} sank" if counter.kind == "SHIP" else f"[side:{side}] lost {{}}"
    return Loss(side, name, KINDS[counter.kind], WORTH[counter.type], says=says)
