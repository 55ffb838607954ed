"""C21.1 Effects on the operation that is open, and Tactics cards in a battle."""

from domain.coral_sea.cards import effect
from domain.coral_sea.facts import AirfieldCost, AnotherOperation, AttritionSpared, HandPeeked, SupplyLeft
from domain.coral_sea.fighting import ChecksModified, ChitCancelled, ChitsAdded, ChitsHeld, ChitShown
from domain.coral_sea.printed import SIDES, Effect
from domain.coral_sea.secrets import ChitLeft, HandSeen
from domain.coral_sea.table import Table, enemy, fighting, operating
from domain.kernel.procedures import Flow


@effect("sp_change")
def sp_change(table: Table, _side: int, what: Effect, _card: str) -> Flow:
    """Change the supply points left, not below 0."""
    table.record(SupplyLeft(max(0, operating(table.open).sp + what.value), "a card"))
    return None


@effect("peek_hand")
def peek_hand(table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Look at a hand once."""
    table.record(HandPeeked(side))
    table.record(HandSeen(side, tuple(table.own[SIDES.index(what.side)].hand)))
    return None


@effect("no_attrition")
def no_attrition(table: Table, _side: int, what: Effect, _card: str) -> Flow:
    """Spare the next ground moves the jungle (C8.3)."""
    table.record(AttritionSpared(operating(table.open).unattrited + what.moves))
    return None


@effect("cheap_airfield")
def cheap_airfield(table: Table, _side: int, what: Effect, _card: str) -> Flow:
    """Make airfields cheaper in this operation."""
    table.record(AirfieldCost(what.cost))
    return None


@effect("extra_operation")
def extra_operation(table: Table, side: int, _what: Effect, _card: str) -> Flow:
    """Let another operation follow."""
    table.record(AnotherOperation(side))
    return None


@effect("extra_chits")
def extra_chits(table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Draw more chits at first."""
    table.record(ChitsAdded(side, fighting(table.open).extra[side] + what.count))
    return None


@effect("check_modifier")
def check_modifier(table: Table, _side: int, what: Effect, _card: str) -> Flow:
    """Add to all checks of a side's units in this battle."""
    side = SIDES.index(what.side)
    table.record(ChecksModified(side, fighting(table.open).modifiers[side] + what.value))
    return None


@effect("discard_enemy_chits")
def discard_enemy_chits(table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Make the enemy show chits of its hand by chance and set them aside."""
    foe = enemy(side)
    hand = list(table.own[foe].chits)
    for place in table.draw(f"lose a chit, {SIDES[foe]}", len(hand), min(what.count, len(hand)), by=foe):
        chit = hand.pop(place)
        table.record(ChitLeft(foe, chit))
        table.record(ChitShown(foe, chit, "lost to a card"))
        table.record(ChitsHeld(foe, len(hand)))
    return None


@effect("cancel_chit")
def cancel_chit(table: Table, _side: int, _what: Effect, _card: str) -> Flow:
    """Take its effect from the chit that was revealed."""
    table.record(ChitCancelled(fighting(table.open).revealed))
    return None
