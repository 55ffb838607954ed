"""C12.5, C12.6, C12.15, C12.17 Cups and chits: what is in a cup, and how a chit is drawn."""

from collections.abc import Callable
from typing import Final

from domain.coral_sea.atlas import COAST
from domain.coral_sea.charts import CHITS, UNITS
from domain.coral_sea.fighting import ChitsHeld, ChitShown, CupRefilled
from domain.coral_sea.intelligence import board
from domain.coral_sea.prerequisites import air_support
from domain.coral_sea.printed import SIDES, Chit, Condition
from domain.coral_sea.secrets import ChitDrawn, ChitLeft, CupFilled
from domain.coral_sea.table import Battle, Open, Table, at, fighting
from domain.coral_sea.units import tactics

BUNKERS = next(chit.id for chit in CHITS.values() if chit.effects[0].type == "attach_bunker")
Test = Callable[[Open, Battle, Chit, Condition, list[str]], bool]
"""Whether a condition holds: of the table, the battle, the chit, the condition, the side's chits in hand."""


def _ships_off_shore(open: Open, battle: Battle, chit: Chit, need: Condition, _hand: list[str]) -> bool:
    return any(
        UNITS[unit].type in need.unit_types
        for sea in COAST[battle.area]
        for unit in at(open, sea, chit.owner, "naval")
    )


def _air_support(open: Open, battle: Battle, chit: Chit, _need: Condition, _hand: list[str]) -> bool:
    side = chit.owner
    return air_support(open, side, battle.domain, battle.area, battle.units[side])


def _in_cup(open: Open, battle: Battle, chit: Chit, _need: Condition, hand: list[str]) -> bool:
    return eligible(open, battle, chit, hand)


def _own_unit(_open: Open, battle: Battle, chit: Chit, need: Condition, _hand: list[str]) -> bool:
    return any(
        UNITS[unit].type == need.unit_type and need.nationality in {None, UNITS[unit].nationality}
        for unit in battle.units[chit.owner]
    )


def _bunker_slot(_open: Open, battle: Battle, chit: Chit, need: Condition, hand: list[str]) -> bool:
    """C12.17: when drawn, the one in question counts among those in the hand already."""
    used = len(battle.bunkers) + (hand.count(chit.id) if need.count_hand else 1)
    return used <= len(battle.units[chit.owner])


CONDITIONS: Final[dict[str, Test]] = {
    "own_naval_in_adjacent_sea": _ships_off_shore,
    "side_is_defender": lambda _o, battle, chit, _n, _h: battle.attacker != chit.owner,
    "air_support_ground": _air_support,
    "air_support_naval": _air_support,
    "in_cup_condition_true": _in_cup,
    "own_unit_in_battle": _own_unit,
    "bunker_slot_free": _bunker_slot,
}


def met(open: Open, battle: Battle, chit: Chit, need: Condition | None, hand: list[str]) -> bool:
    """Return whether a condition of a chit holds."""
    return need is None or CONDITIONS[need.type](open, battle, chit, need, hand)


def eligible(open: Open, battle: Battle, chit: Chit, hand: list[str]) -> bool:
    """Return whether a kind of chit belongs in the cup now (C12.15)."""
    return all(met(open, battle, chit, need, hand) for need in chit.in_cup_if)


def cup(open: Open, battle: Battle, side: int, hand: list[str]) -> tuple[str, ...]:
    """Return a full cup: all eligible now, less those in the hand and attached bunkers (C12.5, C12.6)."""
    chits: list[str] = []
    for chit in CHITS.values():
        if chit.owner != side or chit.domain != battle.domain or not eligible(open, battle, chit, hand):
            continue
        used = hand.count(chit.id) + (len(battle.bunkers) if chit.id == BUNKERS else 0)
        chits += [chit.id] * (chit.count - used)
    return tuple(chits)


def best_tactics(open: Open, battle: Battle, side: int) -> int:
    """Return the highest tactical value of a side in the battle (C12.5)."""
    return max((tactics(open, unit) for unit in battle.units[side]), default=0)


def draw(table: Table, side: int, extra: int = 0) -> None:
    """Draw as many chits as the highest tactical value, and some more (C12.5, C12.7)."""
    now = board(table)
    battle = fighting(table.open)
    wanted = best_tactics(now, battle, side) + extra
    refills = 0
    hand = table.own[side].chits
    while len(hand) < wanted:
        if not table.own[side].cup:
            if refills and not _usable(now, battle, side, hand):
                break
            refills += 1
            fill(table, side)
            if not table.own[side].cup:
                break
        draw_one(table, side)
    table.record(ChitsHeld(side, len(hand)))


def _usable(open: Open, battle: Battle, side: int, hand: list[str]) -> bool:
    """Return whether a full cup would hold a chit that could be kept (C12.6)."""
    kinds = {chit: CHITS[chit] for chit in cup(open, battle, side, hand)}
    return any(met(open, battle, k, k.needs_when_drawn, [*hand, name]) for name, k in kinds.items())


def fill(table: Table, side: int) -> None:
    """Fill a cup."""
    chits = cup(board(table), fighting(table.open), side, table.own[side].chits)
    table.record(CupFilled(side, chits))
    table.record(CupRefilled(side))


def draw_one(table: Table, side: int) -> None:
    """Draw a chit; if it is of no use it is shown and set aside (C12.6)."""
    left = table.own[side].cup
    (place,) = table.draw(f"draw a chit, {SIDES[side]}", len(left), by=side)
    chit = left[place]
    table.record(ChitDrawn(side, chit))
    kind = CHITS[chit]
    if not met(board(table), fighting(table.open), kind, kind.needs_when_drawn, table.own[side].chits):
        table.record(ChitLeft(side, chit))
        table.record(ChitShown(side, chit, "of no use now"))
