"""What lies in the own ports of a campaign: ships that carry troops, who may go aboard, who commands them.

Deliberately absent: where they are to go (`plans`).
"""

from collections.abc import Iterable, Iterator
from typing import Final

from clients.bots.pacific_war.objectives import wanted
from clients.bots.pacific_war.table import Table
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import GROUND, LOCATIONS, SHIPS
from domain.pacific_war.sight.shown import Screen

TRANSPORTS: Final = 6
"""Ships of a convoy: what the core of a task force holds (P2.2.2)."""
RUNNERS: Final = 8
"""Destroyers that carry troops: what the screens of two task forces hold; divisions do not fit on them."""

Ports = dict[str, tuple[list[str], list[str]]]
"""Ports to the ships there that carry troops, transports first, and to those who may go."""


def idle_lift(own: Screen) -> dict[str, int]:
    """Return the ports with transports that are fit for sea, to the steps that these carry."""
    found = dict[str, int]()
    for ship, one in own.ships.items():
        if one.port in LOCATIONS and SHIPS[ship].cls == "AA" and not one.crippled:
            found[one.port] = found.get(one.port, 0) + SHIPS[ship].lift
    return found


def lying(table: Table, own: Screen, ship: str) -> str:
    """Return the port in which a ship lies, or off which its task force was formed (5.1.P); or nothing."""
    one = own.ships[ship]
    if one.port in LOCATIONS:
        return one.port
    if one.tf and table.phase == "5.1.P":
        node = table.tfs[one.tf].node
        return next((p for p, base in table.locations.items() if base.coast == node), "")
    return ""


def in_ports(table: Table, own: Screen) -> Ports:
    """Return the ports with ships that carry troops, transports first, to these and to those who may go."""
    found = Ports()
    for ship, one in sorted(own.ships.items()):
        if SHIPS[ship].lift and not one.crippled and (port := lying(table, own, ship)):
            found.setdefault(port, ([], []))[0].append(ship)
    for ships, _ in found.values():
        ships.sort(key=lambda ship: (SHIPS[ship].cls != "AA", ship))
    hexes = {LOCATIONS[port].hex: port for port in found}
    for unit, ground in own.ground.items():
        carrier = next(iter(ground.aboard), "")
        port = lying(table, own, carrier) if carrier else hexes.get(ground.hex, "")
        if port in found and ground.steps and not (ground.broken or ground.isolated):
            found[port][1].append(unit)
    for port, (_, units) in found.items():
        units.sort(
            key=lambda unit: (not own.ground[unit].aboard, -GROUND[unit].tq * own.ground[unit].steps, unit)
        )
        _leave(table, own, port, units)
    return found


def waiting(table: Table, own: Screen) -> dict[str, list[str]]:
    """Return the own ports, with ships or without, to the troops there that may go, the best first."""
    ports = {
        base.hex: place for place, base in table.locations.items() if base.control == own.side and base.port
    }
    found = dict[str, list[str]]()
    for unit, ground in own.ground.items():
        port = ports.get(ground.hex, "")
        if port and LOCATIONS[port].coast and ground.steps and not (ground.broken or ground.isolated):
            found.setdefault(port, []).append(unit)
    for port, units in found.items():
        units.sort(key=lambda unit: (-GROUND[unit].tq * own.ground[unit].steps, unit))
        _leave(table, own, port, units)
    return found


def transports(own: Screen) -> list[str]:
    """Return the transports that are fit for sea and have nobody aboard, wherever they are on the map."""
    laden = {ship for ground in own.ground.values() for ship in ground.aboard}
    return sorted(
        ship
        for ship, one in own.ships.items()
        if (one.port in LOCATIONS or one.tf) and not one.crippled and ship not in laden and big((ship,))
    )


def _leave(table: Table, own: Screen, port: str, units: list[str]) -> None:
    """Take off the list those who stay to hold the port: the least that are enough."""
    stay = wanted(table, port)
    for unit in reversed(list(units)):
        if stay > 0 and not own.ground[unit].aboard and own.ground[unit].inactive:
            units.remove(unit)
            stay -= own.ground[unit].steps


def loaded(own: Screen, transports: Iterable[str], units: Iterable[str], steps: int) -> list[str]:
    """Return the troops that go, the best first, until there are enough: as many as the transports take."""
    ships = list(transports)
    room, large = (sum(SHIPS[s].lift for s in ships if s in some) for some in (ships, big(ships)))
    count, going = 0, list[str]()
    for unit in units:
        size, division = own.ground[unit].steps, GROUND[unit].size == "D"
        if size <= (min(room, large) if division else room) and count < steps:
            going.append(unit)
            room, count = room - size, count + size
            large -= size if division else 0
    return going


def big(ships: Iterable[str]) -> list[str]:
    """Return the ships that carry divisions too: transports."""
    return [ship for ship in ships if SHIPS[ship].cls == "AA"]


def staffs(own: Screen, spot: str, ships: Iterable[str], units: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Yield the headquarters that command ships and troops in a hex, with their points."""
    means = own.means
    if means is None:
        return
    nations = [group for group in ({SHIPS[s].nat for s in ships}, {GROUND[u].nat for u in units}) if group]
    for hq, hexes in means.links.items():
        if spot in hexes and all(set(HEADQUARTERS[hq].nats) & group for group in nations):
            pool = means.fop if HEADQUARTERS[hq].fop else 0
            yield hq, means.points.get(hq, 0) + pool


def fewest(own: Screen, ships: Iterable[str], units: Iterable[str]) -> list[str]:
    """Return as many transports as the troops need, those at sea first."""
    left, taken = sum(own.ground[unit].steps for unit in units), list[str]()
    for ship in sorted(ships, key=lambda one: (SHIPS[one].cls != "AA", not own.ships[one].tf, one)):
        if left > 0:
            taken.append(ship)
            left -= SHIPS[ship].lift
    return taken
