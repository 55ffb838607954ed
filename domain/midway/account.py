"""What a match of Midway came to: points of M13.5, carriers and groups lost, and why it ended (M13)."""

from domain.kernel.facts import Fact
from domain.match.account import Account, Loss, Row
from domain.match.notices import GameEnded
from domain.midway.charts import (
    CRIPPLED_AT,
    POINTS_CIRCLE,
    POINTS_SUNK,
    SEQUENCE,
    SIDE_NAMES,
    SIDES,
    SUNK_AT,
)
from domain.midway.facts import CarrierDamaged, CarrierSunk, GroupLost, SetUp, StrengthLost, number
from domain.midway.table import JAPAN, UNITED_STATES, Open, carriers_of, enemy
from domain.midway.victory import losses, points

STRENGTH_POINT = 0.1
"""What a strength point weighs beside a point for damage."""

CRIPPLED = 4.0
"""What it weighs, beside the points, that a carrier can no longer launch, land or plan."""

CARRIERS, GROUPS = "Carriers", "Groups"
BOTH = (JAPAN, UNITED_STATES)


class MidwayAccount(Account):
    """The account of Midway."""

    set_up = (SetUp,)
    kinds = (CARRIERS, GROUPS)

    def scene(self, open: Open) -> str:
        """Return the turn and its step: what a side's wave does to all it attacks is one moment."""
        steps = " and ".join(f"{SIDE_NAMES[_side(step)]}: {SEQUENCE[step - 1].name}" for step in open.steps)
        return f"{self.when(open)}, {steps}" if steps else self.when(open)

    def losses(self, open: Open, fact: Fact) -> list[Loss]:
        """Return the carrier hit or sunk with the groups aboard, a group lost, or strength points."""
        match fact:
            case CarrierDamaged():
                return [_hits(open, fact)]
            case CarrierSunk():
                before = POINTS_CIRCLE * open.carriers[fact.ship].damage
                side = open.carriers[fact.ship].side
                carrier = Loss(side, fact.ship, CARRIERS, POINTS_SUNK - before + CRIPPLED, says="{} sank")
                return [carrier, *(_group(open, group, open.groups[group].strength) for group in fact.groups)]
            case GroupLost():
                return [_group(open, fact.group, fact.points)]
            case StrengthLost():
                return [_group(open, fact.group, fact.points, gone=False)]
            case _:
                return []

    def rows(self, open: Open) -> list[Row]:
        """Return what each carrier that was hit counts, and the strength points lost (M13.5, M13.6)."""
        rows = []
        for side in BOTH:
            for ship in carriers_of(open, side):
                damage = open.carriers[ship].damage
                if damage:
                    worth = points(_only(open, ship), enemy(side))
                    words = f"[{ship}] {'sunk' if damage >= SUNK_AT else f'with {damage} damage'}"
                    rows.append(Row(words, (0, worth) if side == JAPAN else (worth, 0)))
        rows.append(Row("Victory points", (points(open, JAPAN), points(open, UNITED_STATES))))
        rows.append(Row("Strength points lost", (losses(open, JAPAN), losses(open, UNITED_STATES))))
        return rows

    def when(self, open: Open) -> str:
        """Return the turn."""
        return f"Turn {open.turn}" if open.turn else ""

    def turn(self, open: Open) -> int:
        """Return the turn."""
        return open.turn

    def by_rules(self, open: Open, end: GameEnded) -> str:
        """Return what M13.1 to M13.4 say; where points decide, who has more."""
        count = _count(open, end)
        sunk = [side for side in BOTH if all(_damage(open, side, SUNK_AT))]
        hurt = [side for side in BOTH if any(_damage(open, side, CRIPPLED_AT))]
        match end.rule:
            case "M13.1":
                both = f"All carriers of both sides were sunk{count}"
                return both if len(sunk) > 1 else f"All carriers of [side:{1 - (end.winner or 0)}] were sunk."
            case "M13.2":
                both = f"Both sides had a carrier crippled or sunk{count}"
                return both if len(hurt) > 1 else _hurt(open, hurt[0])
            case "M13.3":
                return f"Neither side had bombers left{count}"
            case _:
                return f"The last turn was over{count}"


def _side(step: int) -> int:
    return SIDES.index(SEQUENCE[step - 1].side)


def _hits(open: Open, fact: CarrierDamaged) -> Loss:
    """Return what hits cost that a carrier bears."""
    carrier = open.carriers[fact.ship]
    worth = float(POINTS_CIRCLE * (fact.damage - carrier.damage))
    says = f"[{fact.ship}] took {number(fact.hits, 'hit')}"  # as many may fall on another
    if carrier.damage < CRIPPLED_AT <= fact.damage:
        worth, says = worth + CRIPPLED, "{} {was} crippled"
    return Loss(carrier.side, fact.ship, CARRIERS, worth, gone=False, says=says)


def _group(open: Open, group: str, strength: int, *, gone: bool = True) -> Loss:
    side = open.groups[group].side
    says = f"[side:{side}] lost {{}}" if gone else ""
    return Loss(side, group, GROUPS, STRENGTH_POINT * strength, gone, says)


def _damage(open: Open, side: int, least: int) -> list[bool]:
    return [open.carriers[ship].damage >= least for ship in carriers_of(open, side)]


def _hurt(open: Open, side: int) -> str:
    ship = next(s for s in carriers_of(open, side) if open.carriers[s].damage >= CRIPPLED_AT)
    state = "sunk" if open.carriers[ship].damage >= SUNK_AT else "crippled"
    return f"[{ship}] was {state}, and the enemy had no carrier hurt as badly: that ends this battle."


def _count(open: Open, end: GameEnded) -> str:
    """Say how points decided: the winner's first."""
    first = JAPAN if end.winner is None else end.winner
    one, other = points(open, first), points(open, enemy(first))
    if one != other:
        return f", and points decide: {one} to {other}."
    mine, yours = losses(open, first), losses(open, enemy(first))
    if mine != yours:
        return f", points are even at {one}, and fewer losses decide: {mine} SP against {yours}."
    return f"; points are even at {one}, and so are losses at {mine} SP."


def _only(open: Open, ship: str) -> Open:
    """Return a table with one carrier only, to count what she is worth by the rule itself."""
    return Open(carriers={ship: open.carriers[ship]})
