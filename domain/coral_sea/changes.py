"""C2 Changes of the board: the one module that knows on which ledger a unit is (C22.2).

Each function records what happens to units or resource points. Deliberately absent: whether it is allowed,
and what is seen of hidden stacks: `intelligence.cover` records that when all that moves together has moved.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.coral_sea.charts import OWNERS, UNITS
from domain.coral_sea.happenings import (
    Acted,
    CameOut,
    StackUnderWay,
    UnitDepleted,
    UnitDestroyed,
    UnitDisorganised,
    UnitLeft,
    UnitPlaced,
    UnitRebuilt,
    UnitReorganised,
    UnitsMoved,
)
from domain.coral_sea.intelligence import HIDDEN, board, show
from domain.coral_sea.places import RpHas
from domain.coral_sea.secrets import HiddenRp, HiddenStackUnderWay, HiddenUnits
from domain.coral_sea.table import DESTROYED, LOST, Move, Open, Table, Unit, is_truk
from domain.kernel.facts import Fact

JUNGLE = "by the jungle (C8.3)"
ALREADY = ", being depleted already"
"""Why a unit that would be depleted is disorganised (C8.3, C10.11, C12.11)."""


def _change(table: Table, fact: Fact, units: Sequence[str]) -> None:
    """Record what happens to units: in sight of all, or behind their owner's screen."""
    hidden = [name for name in units if name not in table.open.units]
    if not hidden:
        table.record(fact)
        return
    side = OWNERS[hidden[0]]
    later = Open(units={name: replace(table.own[side].units[name]) for name in hidden})
    fact.apply(later)
    table.record(HiddenUnits(side, later.units, getattr(fact, "why", "")))


def place(table: Table, unit: str, area: str) -> None:
    """Place a unit on the map, full and organised."""
    table.record(UnitPlaced(unit, area))


def move(table: Table, units: Sequence[str], to: str, how: str = "move") -> None:
    """Move units of one area to another."""
    if not units:
        return
    origin = board(table).units[units[0]].area
    if to not in HIDDEN:
        show(table, list(units))
    shown = tuple(name for name in units if name in table.open.units)
    covered = tuple(name for name in units if name not in table.open.units)
    for some in (shown, covered):
        if some:
            _change(table, UnitsMoved(some, origin, to, how), some)


def under_way(table: Table, side: int, move: Move) -> None:
    """Record the state of the move under way: with hidden stacks for its side alone.

    Then it is recorded even if it has not changed, so that the number of facts reveals nothing to the enemy.
    """
    if table.open.options.limited_intelligence:
        table.record(HiddenStackUnderWay(side, move))
    elif move != table.open.move:
        table.record(StackUnderWay(move))


def move_over(table: Table, side: int) -> None:
    """Record for the side of a hidden stack that its move is over; otherwise the end of the action does."""
    if table.own[side].move:
        table.record(HiddenStackUnderWay(side, Move()))


def acted(table: Table, units: Sequence[str]) -> None:
    """Record that units have had their action."""
    for some in (
        tuple(name for name in units if name in table.open.units),
        tuple(name for name in units if name not in table.open.units),
    ):
        if some:
            _change(table, Acted(some), some)


def refresh(table: Table) -> None:
    """Let the units of hidden stacks act again; those in sight do so when the operation opens (C7.1)."""
    for side in (0, 1):
        tired = {n: replace(u, acted=False) for n, u in table.own[side].units.items() if u.acted}
        if tired:
            table.record(HiddenUnits(side, tired))


def deplete(table: Table, unit: str, why: str) -> None:
    """Flip a unit; `why` follows on `is depleted`, with its rule."""
    _change(table, UnitDepleted(unit, why), [unit])


def disorganise(table: Table, unit: str, why: str, *, instead: bool = False) -> None:
    """Mark a unit, `instead` of depleting it once more; `why` follows on `is disorganised`, with its rule."""
    _change(table, UnitDisorganised(unit, f"{why}{ALREADY if instead else ''}"), [unit])


def wear(table: Table, units: Sequence[str]) -> None:
    """Let the jungle deplete units, and disorganise those that are depleted already (C8.3).

    Hidden units get one fact, whatever happens to them: the number of facts must not reveal their state.
    """
    hidden: dict[str, Unit] = {}
    for name in units:
        unit = board(table).units[name]
        if name not in table.open.units:
            hidden[name] = replace(unit, depleted=True, disorganised=unit.depleted or unit.disorganised)
        elif not unit.depleted:
            table.record(UnitDepleted(name, JUNGLE))
        elif not unit.disorganised:
            table.record(UnitDisorganised(name, f"{JUNGLE}{ALREADY}"))
    if hidden:
        table.record(HiddenUnits(OWNERS[units[0]], hidden, JUNGLE))


def reorganise(table: Table, unit: str) -> None:
    """Take the marker off a unit."""
    _change(table, UnitReorganised(unit), [unit])


def rebuild(table: Table, unit: str) -> None:
    """Flip a unit back."""
    _change(table, UnitRebuilt(unit), [unit])


def destroy(table: Table, unit: str, why: str) -> None:
    """Destroy a unit, in sight of all; Truk ships are lost and may come back (C18.5)."""
    show(table, [unit])
    counter = UNITS[unit]
    status = LOST if is_truk(unit) else DESTROYED
    table.record(UnitDestroyed(unit, counter.owner, status, counter.vp_if_destroyed, why))


def leave(table: Table, unit: str, status: str, why: str) -> None:
    """Take a unit off the map, in sight of all, without destroying it."""
    show(table, [unit])
    table.record(UnitLeft(unit, status, why))


def set_rp(table: Table, side: int, area: str, count: int, why: str) -> None:
    """Set the number of a side's resource points in an area."""
    if count == board(table).rp[side].get(area, 0):
        return
    if table.open.options.limited_intelligence and area in HIDDEN:
        table.record(HiddenRp(side, area, count))
    else:
        table.record(RpHas(side, area, count, why))


def add_rp(table: Table, side: int, area: str, count: int, why: str) -> None:
    """Add resource points to an area, or take some away."""
    set_rp(table, side, area, board(table).rp[side].get(area, 0) + count, why)


def carry_rp(table: Table, side: int, origin: str, to: str, count: int) -> None:
    """Carry resource points by ship. Behind a screen none are recorded too: a missing fact would tell."""
    rp = board(table).rp[side]
    left, there = rp.get(origin, 0) - count, rp.get(to, 0) + count
    if table.open.options.limited_intelligence:
        table.record(HiddenRp(side, origin, left))
        table.record(HiddenRp(side, to, there))
    elif count:
        table.record(RpHas(side, origin, left, "carried away"))
        table.record(RpHas(side, to, there, "carried there"))


def come_out(table: Table, unit: str) -> None:
    """Let a unit come out of a fortress that is not besieged any more (C16.7)."""
    _change(table, CameOut(unit), [unit])
