"""What must hold on the table after every decision. The fuzzer of all titles calls `invariants`.

With limited intelligence the open table is not the whole truth: hand in `intelligence.board(table)`.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from domain.coral_sea.atlas import PORTS, at_sea
from domain.coral_sea.charts import AREAS, DECKS, GROUND_LIMIT, OWNERS, UNITS
from domain.coral_sea.printed import SIDES
from domain.coral_sea.table import GROUND, MAP, NAVAL, Open, at, is_truk, ships


def invariants(open: Open) -> Iterator[str]:
    """Yield a sentence for each invariant that is broken."""
    yield from cards(open)
    yield from tracks(open)
    for name, unit in open.units.items():
        if (unit.status == MAP) != bool(unit.area):
            yield f"{name} is {unit.status} at {unit.area or 'nowhere'}"
    if open.options.limited_intelligence:
        return
    for here in standing(open):
        yield from together(open, here)
        yield from afloat(open, here) if at_sea(here.area) else ashore(open, here)
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


class Here(NamedTuple):
    """An area with its units: all, and by side the ships, the ground units, and those outside a fortress."""

    area: str
    units: list[str]
    ships: tuple[list[str], list[str]]
    cargo: tuple[list[str], list[str]]
    troops: tuple[list[str], list[str]]


def standing(open: Open) -> Iterable[Here]:
    """Return the areas with units. The table's own questions go through all units each time."""
    found: dict[str, Here] = {}
    for name, unit in open.units.items():
        if not unit.area:
            continue
        here = found.get(unit.area)
        if here is None:
            here = found[unit.area] = Here(unit.area, [], ([], []), ([], []), ([], []))
        side = OWNERS[name]
        here.units.append(name)
        if UNITS[name].domain != GROUND:
            here.ships[side].append(name)
        else:
            here.cargo[side].append(name)
            if not unit.inside:
                here.troops[side].append(name)
    return found.values()


def together(open: Open, here: Here) -> Iterator[str]:
    fighting = open.battle is not None and open.battle.area == here.area
    if not fighting and here.area not in open.fortresses:
        if all(here.troops) and not at_sea(here.area):
            yield f"opposing ground units at {here.area}"
        if at_sea(here.area) and all(here.ships):
            yield f"opposing ships at {here.area}"
    kinds = {is_truk(ship) for ship in here.ships[0]}
    if open.operation is None and len(kinds) > 1:
        yield f"the Truk Fleet and others at {here.area}"


def afloat(open: Open, here: Here) -> Iterator[str]:
    for side in (0, 1):
        if here.cargo[side] and not here.ships[side]:
            yield f"cargo of {SIDES[side]} without ships at {here.area}"
        if open.operation is None and len(here.cargo[side]) > GROUND_LIMIT:
            yield f"{len(here.cargo[side])} units aboard at {here.area}"


def ashore(open: Open, here: Here) -> Iterator[str]:
    area = here.area
    for name in here.units:
        side = OWNERS[name]
        mine = open.control.get(area) == side
        if UNITS[name].domain == NAVAL and area not in PORTS:
            yield f"{name} on land at {area}"
        if not mine and not any(here.troops):
            yield f"{name} at {area}, which the enemy controls"
        alone = not here.troops[1 - side] and not here.ships[1 - side]
        held = mine or open.battle or area in open.fortresses
        if UNITS[name].domain == GROUND and alone and not held:
            yield f"{name} alone at {area} without control"
