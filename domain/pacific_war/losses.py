"""P2.2.1, P28.4.7 Hits on ships, what goes down with them, and air groups that have lost their deck."""

from collections.abc import Mapping, Sequence

from domain.pacific_war.atlas import distance
from domain.pacific_war.changes import Changes
from domain.pacific_war.charts import AIR_ROOM, LOCATIONS, OWNERS
from domain.pacific_war.facts import Covered, ShipHit, UnitLost
from domain.pacific_war.intelligence import show
from domain.pacific_war.table import (
    Open,
    Own,
    Table,
    aboard,
    based,
    crippled,
    fit,
    fleet_hex,
    printed,
)

NEAR = 2
"""P28.4.7: hexes to another deck or airbase, at most."""
OUT = "out of the scenario"
"""P1.1: what becomes of a unit that is gone, and neither sunk nor lost."""


def inflict(table: Table, hits: Mapping[str, int], flying: Mapping[str, int] | None = None) -> dict[str, int]:
    """Let ships take hits, all at once; `flying` are the steps of air units that are on a mission.

    Cargo goes down with its ship, and so do the steps of its groups that are aboard. Steps in the air look
    for another deck (P28.4.7). Return the `flying` steps that come back as what they were: not those that
    are lost or have joined another group.
    """
    aloft = dict(flying or {})
    now, homeless = Changes(table), dict[str, str]()
    for ship in sorted(hits):
        if not hits[ship]:
            continue
        before = now.ship_now(ship).damage
        full = printed(table.open, ship).hits
        damage = min(full, before + hits[ship])
        if crippled(table.open, ship, damage):
            where = _hex(table, ship)
            homeless |= dict.fromkeys(based(table.own[OWNERS[ship]], ship), where)
        now.ship(ship, damage=damage)
        now.tell(ShipHit(ship, hits[ship], damage, full))
        if damage >= full:
            sink(now, ship, aloft)
    now.record()
    for unit, where in homeless.items():
        aloft[unit] = _find_decks(table, unit, where, aloft.get(unit, 0))
    return {unit: steps for unit, steps in aloft.items() if steps}


def _hex(table: Table, ship: str) -> str:
    now = table.own[OWNERS[ship]].ships[ship]
    return fleet_hex(table.open, now.tf) if now.tf else LOCATIONS[now.port].hex


def sink(now: Changes, ship: str, aloft: Mapping[str, int] | None = None) -> None:
    """Let a ship go down with her cargo and her air group, but for the steps on CAP and those `aloft`."""
    side = OWNERS[ship]
    now.leave_fleet(ship)
    now.ship(ship, tf="", port="")
    now.tell(UnitLost(ship, side, "sunk"))
    for unit, ground in now.table.own[side].ground.items():
        if ship in ground.aboard:
            left = {one: steps for one, steps in now.ground_now(unit).aboard.items() if one != ship}
            now.troops(unit, aboard=left)
            now.lose_ground(unit, ground.aboard[ship], "lost at sea")
    for unit in based(now.table.own[side], ship):
        air = now.air_now(unit)
        idle = air.steps - air.cap - (aloft or {}).get(unit, 0)
        now.lose_air(unit, idle, "with the ship", of="ready")


def take_out(now: Changes, side: int, ships: Sequence[str]) -> None:
    """Let ships of a side be out of the scenario with all that is aboard, neither sunk nor lost (P1.1)."""
    own = now.table.own[side]
    for unit in aboard(own, ships):
        now.troops(unit, hex="", aboard={}, steps=0, active=False)
        now.tell(UnitLost(unit, side, OUT))
    for unit in sorted(unit for ship in ships for unit in based(own, ship)):
        now.aircraft(unit, home="", steps=0, ready=0, cap=0, active=False)
        now.tell(UnitLost(unit, side, OUT))
    for ship in ships:
        now.leave_fleet(ship)
        now.ship(ship, tf="", port="", active=False)
        now.tell(UnitLost(ship, side, OUT))


def _find_decks(table: Table, unit: str, where: str, returning: int) -> int:
    """Let the steps of a group that are in the air land elsewhere, those on a mission first (P28.4.7).

    They are added to the group of a carrier with room. Where there is no group, or ashore, the group itself
    moves: not while steps of it are left aboard its crippled carrier, since a unit is in one place. Return
    the steps that come from a mission and are with their group.
    """
    own, carrier = table.own[OWNERS[unit]], table.own[OWNERS[unit]].air[unit].home
    air = own.air[unit]
    aloft = {"used": returning, "cap": air.cap}
    if not carrier or not sum(aloft.values()):
        return 0
    left, place, settled = air.steps - sum(aloft.values()), "", {"used": 0, "cap": 0}
    now = Changes(table, "looking for another deck")
    for host in _hosts(table, carrier, where):
        room = deck_room(table.open, own, host)
        mates = based(own, host)
        if not mates and (left or place):
            continue
        for kind, waiting in tuple(aloft.items()):
            moved = min(room, waiting)
            room -= moved
            aloft[kind] -= moved
            if mates:
                _join(now, mates[0], air.level, moved, kind)
            elif moved:
                place, settled[kind] = host, moved
    if sum(aloft.values()) and not left and not place and (place := _airfield(table, unit, where)):
        settled, aloft = aloft, {"used": 0, "cap": 0}
    _settle(now, unit, place, left, settled, sum(aloft.values()))
    return settled["used"]


def _join(now: Changes, mate: str, level: int, steps: int, kind: str) -> None:
    """Add steps to the group of another carrier; its level is the lower of the two (P28.4.7)."""
    if steps:
        air = now.air_now(mate)
        cap = air.cap + (steps if kind == "cap" else 0)
        now.aircraft(mate, steps=air.steps + steps, level=min(air.level, level), cap=cap)


def _settle(now: Changes, unit: str, place: str, left: int, settled: Mapping[str, int], lost: int) -> None:
    """Leave a group where it is with what is aboard, or move it to a place; the steps without one are lost.

    It is hidden or shown as all else that its new task force holds (P0.4.1).
    """
    air, stays = now.air_now(unit), left + sum(settled.values())
    now.aircraft(unit, steps=stays + lost, ready=min(air.ready, left), cap=settled["cap"])
    now.lose_air(unit, lost, "without a deck to land on")
    if not place:
        if not stays:
            now.aircraft(unit, home="")
        now.record()
        return
    now.aircraft(unit, home=place)
    table, hidden = now.table, place not in LOCATIONS and place not in now.table.open.ships
    if hidden and unit in table.open.air:
        table.record(Covered(air=(unit,)))
    now.record()
    if place in table.open.ships:
        show(table, air=[unit])


def deck_room(open: Open, own: Own, carrier: str) -> int:
    """Return how many air steps a carrier in a task force has room for (P2.2.1): none if it is crippled."""
    if not own.ships[carrier].tf or not fit(open, own, carrier):
        return 0
    aboard = sum(air.steps for air in own.air.values() if air.home == carrier)
    return max(0, printed(open, carrier).cap - aboard)


def _hosts(table: Table, carrier: str, where: str) -> list[str]:
    """Return own carriers of the nation at most 2 hexes away that have room, by id."""
    own, nation = table.own[OWNERS[carrier]], printed(table.open, carrier).nat
    return [
        host
        for host in sorted(own.ships)
        if host != carrier
        and printed(table.open, host).nat == nation
        and deck_room(table.open, own, host)
        and distance(_hex(table, host), where) <= NEAR
    ]


def _airfield(table: Table, unit: str, where: str) -> str:
    """Return the first own airbase, by id, at most 2 hexes away with room for a unit, or an empty string."""
    own, side = table.own[OWNERS[unit]], OWNERS[unit]
    fields = [
        place
        for place, base in table.open.bases.items()
        if base.control == side
        and len(based(own, place)) < AIR_ROOM[base.airbase]
        and distance(LOCATIONS[place].hex, where) <= NEAR
    ]
    return min(fields, default="")


def pick_air(steps: Mapping[str, int], hits: int) -> dict[str, int]:
    """Return the steps each air unit loses: each time the one with most in the role, ties by id (P3.3)."""
    left, taken = dict(steps), dict[str, int]()
    for _ in range(min(hits, sum(left.values()))):
        unit = min(left, key=lambda one: (-left[one], one))
        left[unit] -= 1
        taken[unit] = taken.get(unit, 0) + 1
    return taken
