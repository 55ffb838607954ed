"""C22.2 Limited intelligence: which stacks are hidden, and the combined table.

Without the option the open table has everything. With it, units and resource points in sea areas and ports
are on their owner's screen; everybody sees the top counter and the height of a stack. Rules use
`board(table)`, options are computed from `seen(sight)`.
"""

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import replace

from domain.coral_sea.atlas import PORTS, SEA, at_sea
from domain.coral_sea.charts import OWNERS, UNITS
from domain.coral_sea.decisions import SetTop
from domain.coral_sea.happenings import UnitsCovered, UnitsShown
from domain.coral_sea.places import HiddenStackSeen, RpHas
from domain.coral_sea.secrets import HiddenOrder, HiddenRp, HiddenUnits
from domain.coral_sea.table import GROUND, MAP, NAVAL, Open, Operation, Own, Sight, Table, Unit, enemy
from domain.kernel.procedures import Decision

HIDDEN = SEA | PORTS
"""The areas whose stacks are hidden."""
RP = "rp"
"""A resource point as a counter of a stack."""
UNKNOWN = {
    (side, domain): next(n for n, u in UNITS.items() if u.owner == side and u.domain == domain)
    for side in (0, 1)
    for domain in (GROUND, NAVAL)
}
"""Side and domain to the unit that stands in for a hidden stack."""


def board(table: Table) -> Open:
    """Return the table with the hidden stacks of both sides, for the rules."""
    now = table.open
    if not now.options.limited_intelligence:
        return now
    japan, allied = table.own
    return replace(
        now,
        units={**now.units, **japan.units, **allied.units},
        rp=({**now.rp[0], **japan.rp}, {**now.rp[1], **allied.rp}),
        operation=_moved(now, table.own),
    )


def _moved(open: Open, screens: list[Own]) -> Operation | None:
    """Return the operation with the ships that have moved, also those on their owner's screen."""
    operation = open.operation
    return operation and replace(operation, moved=operation.moved or screens[operation.side].moved)


def seen(sight: Sight) -> Open:
    """Return the table as a seat knows it: a hidden enemy stack counts as holding a unit."""
    now = sight.open
    if not now.options.limited_intelligence:
        return now
    own = sight.own
    foe = enemy(sight.side)
    rp = [dict(now.rp[0]), dict(now.rp[1])]
    rp[sight.side] |= own.rp
    strangers = {f"{foe}:{area}": (foe, area) for area in now.stacks[foe]}
    return replace(
        now,
        units=_Mixed({**now.units, **own.units}, strangers),
        rp=(rp[0], rp[1]),
        operation=_moved(now, [own if side == sight.side else Own() for side in (0, 1)]),
    )


class _Mixed(dict[str, Unit]):
    """Known units, and in `items()` one more for each hidden enemy stack, under the name in UNKNOWN."""

    def __init__(self, known: dict[str, Unit], strangers: dict[str, tuple[int, str]]) -> None:
        super().__init__(known)
        self.strangers = [
            (UNKNOWN[side, NAVAL if at_sea(area) else GROUND], Unit(MAP, area))
            for side, area in strangers.values()
        ]

    def items(self) -> Iterator[tuple[str, Unit]]:  # type: ignore[override]
        """Iterate over the known units, then over those for hidden stacks."""
        return chain(super().items(), self.strangers)


def show(table: Table, units: list[str]) -> None:
    """Move units of hidden stacks to the open table."""
    hidden = {n: table.own[OWNERS[n]].units[n] for n in units if n in table.own[OWNERS[n]].units}
    if not hidden:
        return
    table.record(UnitsShown({name: replace(unit) for name, unit in hidden.items()}))
    for side in (0, 1):
        mine = {name: Unit() for name in hidden if OWNERS[name] == side}
        if mine:
            table.record(HiddenUnits(side, mine))


def cover(table: Table) -> None:
    """Move units in hidden areas to their owner's screen, unless in a battle; then update what is seen."""
    if not table.open.options.limited_intelligence:
        return
    fighting = {name for units in table.open.battle.units for name in units} if table.open.battle else set()
    going = {n: u for n, u in table.open.units.items() if u.area in HIDDEN and n not in fighting}
    if going:
        for side in (0, 1):
            mine = {name: replace(unit) for name, unit in going.items() if OWNERS[name] == side}
            if mine:
                table.record(HiddenUnits(side, mine))
        table.record(UnitsCovered(tuple(going)))
    for side in (0, 1):
        for area, count in [pair for pair in table.open.rp[side].items() if pair[0] in HIDDEN]:
            table.record(HiddenRp(side, area, count))
            table.record(RpHas(side, area, 0, "out of sight"))
    stack_up(table)


def stack_up(table: Table) -> None:
    """Update the order of each hidden stack, newcomers on top, and record what is seen of it."""
    whole = board(table)
    for side in (0, 1):
        own = table.own[side]
        items: dict[str, list[str]] = {}
        for name, unit in whole.units.items():
            if unit.area in HIDDEN and OWNERS[name] == side:
                items.setdefault(unit.area, []).append(name)
        for area, count in whole.rp[side].items():
            if area in HIDDEN:
                items.setdefault(area, []).extend([RP] * count)
        for area in sorted({*items, *own.order}):
            order = _ordered(own.order.get(area, []), items.get(area, []))
            if order != own.order.get(area, []):
                table.record(HiddenOrder(side, area, tuple(order)))
            see(table, side, area)


def see(table: Table, side: int, area: str) -> None:
    """Record what is seen of a stack, if that has changed."""
    order = table.own[side].order.get(area, [])
    stack = table.open.stacks[side].get(area)
    now = (order[-1], len(order)) if order else ("", 0)
    if now != ((stack.top, stack.count) if stack else ("", 0)):
        table.record(HiddenStackSeen(side, area, *now))


def _ordered(before: list[str], now: list[str]) -> list[str]:
    """Return what is in a stack now, in the order it had, newcomers on top."""
    left = list(now)
    kept = []
    for item in before:
        if item in left:
            left.remove(item)
            kept.append(item)
    return kept + left


def tops(sight: Sight, done: tuple[str, ...]) -> list[Decision]:
    """Return how a side may set the tops of its stacks (D23), each stack once before a decision."""
    return [
        SetTop(area, item)
        for area, order in sight.own.order.items()
        if area not in done
        for item in dict.fromkeys(order)
        if item != order[-1]
    ]


def set_top(table: Table, side: int, decision: SetTop) -> None:
    """Set another top (D23)."""
    order = list(table.own[side].order[decision.area])
    order.remove(decision.item)
    table.record(HiddenOrder(side, decision.area, (*order, decision.item)))
    see(table, side, decision.area)
