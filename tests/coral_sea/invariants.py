"""What must hold on the table after every decision. The fuzzer of all titles calls `invariants`.

With limited intelligence the open table is not the whole truth: hand in `intelligence.board(table)`.
"""

from collections.abc import Iterator

from domain.coral_sea.atlas import PORTS, at_sea
from domain.coral_sea.charts import AREAS, DECKS, GROUND_LIMIT, OWNERS, UNITS
from domain.coral_sea.printed import SIDES
from domain.coral_sea.table import GROUND, MAP, Open, at, is_truk, ships, troops


def invariants(open: Open) -> Iterator[str]:
    """Yield a sentence for each invariant that is broken."""
    yield from cards(open)
    yield from tracks(open)
    for name, unit in open.units.items():
        if (unit.status == MAP) != bool(unit.area):
            yield f"{name} is {unit.status} at {unit.area or 'nowhere'}"
    if open.options.limited_intelligence:
        return
    areas = {unit.area for unit in open.units.values() if unit.area}
    for area in areas:
        yield from together(open, area)
        yield from afloat(open, area) if at_sea(area) else ashore(open, area)
    for side in (0, 1):
        for area, count in open.rp[side].items():
            if count < 1 or not (AREAS[area].urban or count <= len(ships(open, area, side))):
                yield f"{count} resource points of {SIDES[side]} at {area}"


def cards(open: Open) -> Iterator[str]:
    for side in (0, 1):
        known = open.hands[side] + open.decks[side] + open.discards[side] + len(open.played[side])
        if known not in {0, len(DECKS[side])} and open.sequence:
            yield f"{SIDES[side]} has {known} cards"
        if open.hands[side] > 5:
            yield f"{SIDES[side]} holds {open.hands[side]} cards"


def tracks(open: Open) -> Iterator[str]:
    if open.operation and not 0 <= open.operation.sp <= 6:
        yield f"{open.operation.sp} supply points"
    for side in (0, 1):
        if not 0 <= open.counters[side] + list(open.airfields.values()).count(side) <= 3:
            yield f"{SIDES[side]} has too many airfields"
    for area, side in open.airfields.items():
        if open.control[area] != side and not at(open, area, None, GROUND):
            yield f"the airfield of {SIDES[side]} at {area} is not its own"


def together(open: Open, area: str) -> Iterator[str]:
    fighting = open.battle is not None and open.battle.area == area
    if not fighting and area not in open.fortresses:
        if all(troops(open, area, side) for side in (0, 1)) and not at_sea(area):
            yield f"opposing ground units at {area}"
        if at_sea(area) and all(ships(open, area, side) for side in (0, 1)):
            yield f"opposing ships at {area}"
    kinds = {is_truk(ship) for ship in ships(open, area, 0)}
    if open.operation is None and len(kinds) > 1:
        yield f"the Truk Fleet and others at {area}"


def afloat(open: Open, area: str) -> Iterator[str]:
    for side in (0, 1):
        cargo = at(open, area, side, GROUND)
        if cargo and not ships(open, area, side):
            yield f"cargo of {SIDES[side]} without ships at {area}"
        if open.operation is None and len(cargo) > GROUND_LIMIT:
            yield f"{len(cargo)} units aboard at {area}"


def ashore(open: Open, area: str) -> Iterator[str]:
    for name in at(open, area):
        side = OWNERS[name]
        mine = open.control.get(area) == side
        if UNITS[name].domain == "naval" and area not in PORTS:
            yield f"{name} on land at {area}"
        contested = troops(open, area, 1 - side) or troops(open, area, side)
        if not mine and not contested:
            yield f"{name} at {area}, which the enemy controls"
        alone = not troops(open, area, 1 - side) and not ships(open, area, 1 - side)
        held = mine or open.battle or area in open.fortresses
        if UNITS[name].domain == GROUND and alone and not held:
            yield f"{name} alone at {area} without control"
