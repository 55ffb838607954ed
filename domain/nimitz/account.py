"""What a campaign of Nimitz came to: objectives held (N18), forces lost, and why it ended."""

from typing import Final

from domain.kernel.facts import Fact
from domain.match.account import Account, Loss, Row
from domain.match.notices import GameEnded
from domain.nimitz.blows import Damaged, Destroyed
from domain.nimitz.charts import COUNTERS, JA, OBJECTIVES, SIDE_OF, US
from domain.nimitz.facts import CampaignSetUp, OutOfSupply
from domain.nimitz.rows import Counter
from domain.nimitz.table import Open, ashore_in, held_objectives
from domain.nimitz.victory import invasion_points

OBJECTIVE: Final = 6.0
"""What an objective weighs beside what forces are worth."""

WORTH: Final = {
    "CV": 4.0,
    "BB": 3.0,
    "CVL": 2.0,
    "CRU": 2.0,
    "CVE": 1.5,
    "DD": 1.5,
    "SS": 1.5,
    "ARMY": 2.0,
    "MARINE": 2.0,
    "BASE": 1.0,
    "BN": 0.5,
    "BOMBER": 1.5,
    "FIGHTER": 1.5,
}
"""What a force is worth by its type; no figure of the rules says it."""

AIR_GROUP: Final = 0.2
"""What an aircraft of a carrier is worth."""

DAMAGE: Final = 0.4
"""The share of its worth that a force loses by its first hit."""

KINDS: Final = {"SHIP": "Ships", "INF": "Infantry", "LBA": "Land-based aircraft", "CAG": "Carrier aircraft"}


class NimitzAccount(Account):
    """The account of Nimitz."""

    set_up = (CampaignSetUp,)
    kinds = tuple(KINDS.values())

    def score(self, open: Open) -> tuple[float, float]:
        """Return what the objectives weigh in which the US alone are ashore; Japan has no score of its own.

        Supply, which the result asks for as well, comes and goes while forces move on.
        """
        if not open.year:
            return 0.0, 0.0
        alone = ashore_in(open, US) - ashore_in(open, JA)
        return OBJECTIVE * len(alone.intersection(OBJECTIVES[open.year])), 0.0

    def losses(self, open: Open, fact: Fact) -> list[Loss]:
        """Return the forces and aircraft destroyed or damaged."""
        del open
        match fact:
            case Destroyed():
                return [_loss(fact.target)]
            case Damaged():
                return [_loss(fact.target, gone=False)]
            case OutOfSupply():
                hurt = [_loss(force, gone=False) for force in fact.damaged]
                return [*map(_loss, fact.destroyed), *hurt]
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


def _loss(name: str, *, gone: bool = True) -> Loss:
    counter: Counter = COUNTERS[name]
    worth = AIR_GROUP if counter.kind == "CAG" else WORTH[counter.type]
    return Loss(SIDE_OF[name], name, KINDS[counter.kind], worth if gone else DAMAGE * worth, gone)
