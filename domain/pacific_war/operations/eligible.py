"""P20.2.1 Which units may be activated, by whom, and at Operation Level 1 which may react (P22.1).

What they cost is in `costs`, how they are paid for in `activation`.
"""

from domain.pacific_war.board import special_boats
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.boxes import travelling
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import BOATS, BOXES, LOCATIONS
from domain.pacific_war.board.table import Open, Own, Table, at_base, base_hex, enemy, fleet_hex, interdicted
from domain.pacific_war.command.costs import nation
from domain.pacific_war.command.emergency import supported, tied
from domain.pacific_war.command.links import linked_to
from domain.pacific_war.facts.months import war
from domain.pacific_war.operations.ports import markers_left, may_sail

NEAR = 10
"""P22: hexes from an Activated enemy unit at which units may react at Operation Level 1."""


def spot(open: Open, own: Own, unit: str) -> str:
    """Return the hex of an inactive unit that may be activated, or an empty string."""
    if unit in BOATS:
        return base_hex(open, unit)
    if unit in own.ships:
        place = own.ships[unit].port
        return LOCATIONS[place].hex if place in LOCATIONS else ""
    if unit in own.air:
        place = own.air[unit].home
        return base_hex(open, place) if at_base(place) else ""
    place = own.ground[unit].hex if unit in own.ground else ""
    return "" if place in BOXES else place


def idle(open: Open, own: Own, side: int) -> list[str]:
    """Return the inactive units that may be activated if an HQ commands them and can pay (P20.2.1).

    An air unit above the capacity of its airbase too, since it may ferry (P2.3.2); no air group of a carrier,
    which is activated with her (R-91); nothing that keeps up an emergency link (P11.7).
    """
    day, busy, free = war(open).day, tied(own), markers_left(open, side)
    ships = [
        ship
        for ship, one in own.ships.items()
        if one.port in LOCATIONS and not one.active and may_sail(open, own, side, ship, free=free)
    ]
    air = [
        unit
        for unit, one in own.air.items()
        if at_base(one.home) and one.steps and not one.active and not interdicted(open, one.home)
    ]
    ground = [
        unit
        for unit, one in own.ground.items()
        if spot(open, own, unit) and one.steps and not one.active and not one.broken
    ]
    barred = own.means.barred
    boats = special_boats.idle(open, own, side)
    able = (
        unit for unit in (*ships, *air, *ground, *boats) if unit not in busy and not travelling(own, unit)
    )
    return sorted(unit for unit in able if barred.get(unit, 0) <= day)


def commanded(open: Open, own: Own, hq: str, unit: str) -> bool:
    """Return whether a headquarters commands a unit: its nation, and a link, an emergency link among them.

    Or it is an Isolated ship (P12.4).
    """
    if nation(unit) not in HEADQUARTERS[hq].nats:
        return False
    if unit in BOATS:
        return linked_to(own, hq, spot(open, own, unit))
    stranded = unit in own.ships and own.ships[unit].isolated
    return stranded or linked_to(own, hq, spot(open, own, unit)) or supported(open, own, unit)


def in_reach(table: Table, side: int) -> list[str]:
    """Return the units within 10 hexes of an enemy task force or Activated ground or air unit (P22)."""
    board, own, theirs = table.open, table.own[side], table.own[enemy(side)]
    foes = [fleet_hex(board, tf) for tf in theirs.fleets]
    foes += [unit.hex for unit in theirs.ground.values() if unit.active and unit.hex]
    foes += [
        base_hex(board, air.home)
        for air in theirs.air.values()
        if air.active and air.steps and at_base(air.home)
    ]
    return [
        unit
        for unit in idle(board, own, side)
        if any(distance(spot(board, own, unit), foe) <= NEAR for foe in foes)
    ]
