"""P2.2.1, P28.4.7 Hits on ships, what goes down with them, and air groups that have lost their deck."""

from collections.abc import Mapping

from domain.pacific_war.atlas import distance
from domain.pacific_war.changes import Changes
from domain.pacific_war.charts import AIR_ROOM, GROUPS, LOCATIONS, OWNERS
from domain.pacific_war.facts import ShipHit, UnitLost
from domain.pacific_war.table import (
    Table,
    based,
    capacity,
    crippled,
    fleet_hex,
    printed,
)

NEAR = 2
"""P28.4.7: hexes to another deck or airbase, at most."""


def inflict(table: Table, hits: Mapping[str, int], flying: Mapping[str, int] | None = None) -> None:
    """Let ships take hits, all at once; `flying` are the steps of air groups that are on a mission.

    Cargo goes down with its ship, and so do the steps of its group that are aboard. Steps in the air look for
    another deck (P28.4.7).
    """
    aloft = dict(flying or {})
    now, decks = Changes(table), dict[str, str]()
    for ship in sorted(hits):
        if not hits[ship]:
            continue
        side, before = OWNERS[ship], now.ship_now(ship).damage
        full = printed(table.open, ship).hits
        damage = min(full, before + hits[ship])
        lamed = crippled(table.open, ship, damage) and not crippled(table.open, ship, before)
        if lamed and GROUPS.get(ship) in table.own[side].air:
            decks[ship] = _hex(table, ship)
        now.ship(ship, damage=damage)
        now.tell(ShipHit(ship, hits[ship], damage, full))
        if damage >= full:
            _sink(now, ship, aloft)
    now.record()
    for ship, where in decks.items():
        _find_decks(table, ship, where, aloft.get(GROUPS[ship], 0))


def _hex(table: Table, ship: str) -> str:
    now = table.own[OWNERS[ship]].ships[ship]
    return fleet_hex(table.open, now.tf) if now.tf else LOCATIONS[now.port].hex


def _sink(now: Changes, ship: str, aloft: Mapping[str, int]) -> None:
    side = OWNERS[ship]
    now.leave_fleet(ship)
    now.ship(ship, tf="", port="")
    now.tell(UnitLost(ship, side, "sunk"))
    for unit, ground in now.table.own[side].ground.items():
        if ship in ground.aboard:
            left = {one: steps for one, steps in now.ground_now(unit).aboard.items() if one != ship}
            now.troops(unit, aboard=left)
            now.lose_ground(unit, ground.aboard[ship], "lost at sea")
    group = GROUPS.get(ship, "")
    if group in now.table.own[side].air and now.air_now(group).home == ship:
        air = now.air_now(group)
        idle = air.steps - air.cap - aloft.get(group, 0)
        now.lose_air(group, idle, "with the ship", of="ready")


def _find_decks(table: Table, carrier: str, where: str, returning: int) -> None:
    """Let the steps of a group that are in the air land elsewhere, those on a mission first (P28.4.7)."""
    unit, side = GROUPS[carrier], OWNERS[carrier]
    own = table.own[side]
    air = own.air[unit]
    aloft = {"used": returning, "cap": air.cap}
    if air.home != carrier or not sum(aloft.values()):
        return
    now = Changes(table, "looking for another deck")
    sunk = not own.ships[carrier].tf and not own.ships[carrier].port
    left = air.steps - sum(aloft.values())
    for host in _hosts(table, carrier, where):
        group = GROUPS[host]
        room = capacity(table.open, own, host)
        for kind, waiting in aloft.items():
            if moved := min(room, waiting):
                room -= moved
                aloft[kind] -= moved
                mate = now.air_now(group)
                level = min(mate.level, air.level) if mate.steps else air.level
                cap = mate.cap + (moved if kind == "cap" else 0)
                now.aircraft(group, home=host, steps=mate.steps + moved, level=level, cap=cap)
    rest = sum(aloft.values())
    field = _airfield(table, side, where)
    if rest and field and (sunk or not left):
        now.aircraft(unit, home=field, steps=rest, ready=0, cap=aloft["cap"])
    else:
        now.aircraft(unit, steps=left + rest, cap=0, ready=min(air.ready, left))
        now.lose_air(unit, rest, "without a deck to land on")
        if not left and not rest:
            now.aircraft(unit, home="")
    now.record()


def _hosts(table: Table, carrier: str, where: str) -> list[str]:
    """Return own carriers of the nation at most 2 hexes away that have room, by id."""
    side = OWNERS[carrier]
    own = table.own[side]
    nation = printed(table.open, carrier).nat
    return [
        host
        for host in sorted(own.ships)
        if host != carrier
        and own.ships[host].tf
        and printed(table.open, host).cap
        and printed(table.open, host).nat == nation
        and distance(_hex(table, host), where) <= NEAR
        and capacity(table.open, own, host) > 0
    ]


def _airfield(table: Table, side: int, where: str) -> str:
    """Return the nearest own airbase at most 2 hexes away that has room for a unit, or an empty string."""
    fields = [
        (distance(LOCATIONS[place].hex, where), place)
        for place, base in table.open.bases.items()
        if base.control == side
        and base.airbase
        and len(based(table.own[side], place)) < AIR_ROOM[base.airbase]
        and distance(LOCATIONS[place].hex, where) <= NEAR
    ]
    return min(fields, default=(0, ""))[1]


def pick_air(steps: Mapping[str, int], hits: int) -> dict[str, int]:
    """Return the steps each air unit loses: each time the one with most in the role, ties by id (P3.3)."""
    left, taken = dict(steps), dict[str, int]()
    for _ in range(min(hits, sum(left.values()))):
        unit = min(left, key=lambda one: (-left[one], one))
        left[unit] -= 1
        taken[unit] = taken.get(unit, 0) + 1
    return taken
