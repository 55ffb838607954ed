"""P2.2.1, P28.4.7 Hits on ships, what goes down with them, and air groups that have lost their deck."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import month_after
from domain.pacific_war.board.charts import AIR_ROOM, LOCATIONS, OWNERS, TABLES
from domain.pacific_war.board.table import (
    Open,
    Own,
    Table,
    aboard,
    based,
    crippled,
    fit,
    fleet_hex,
    is_carrier,
    printed,
)
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import Covered, ShipHit, UnitLost
from domain.pacific_war.facts.fighting import GroundStepsLost
from domain.pacific_war.facts.intelligence import show
from domain.pacific_war.facts.months import MeansAre, war
from domain.pacific_war.facts.silence import cushion, sealed

NEAR = 2
"""P28.4.7: hexes to another deck or airbase, at most."""
PENALTY: dict[str, int] = TABLES["activation"]["penalty_return_months"]
"""P20.2.3: class to the months in the Penalty box."""
LOOKING = "looking for another deck"
OUT = "out of the scenario"
"""P1.1: what becomes of a unit that is gone, and neither sunk nor lost."""


def inflict(table: Table, hits: Mapping[str, int], flying: Mapping[str, int] | None = None) -> dict[str, int]:
    """Let ships take hits, all at once; `flying` are the steps of air units that are on a mission.

    Cargo goes down with its ship, and so do the steps of its groups that are aboard. Steps in the air look
    for another deck (P28.4.7). Return the `flying` steps that come back as what they were: not those that
    are lost or have joined another group.
    """
    aloft = dict(flying or {})
    now, homeless = Changes(table), dict[int, dict[str, str]]()
    for ship in sorted(hits):
        if not hits[ship]:
            continue
        before = now.ship_now(ship).damage
        full = printed(table.open, ship).hits
        damage = min(full, before + hits[ship])
        if is_carrier(table.open, ship) and crippled(table.open, ship, damage):
            side, where = OWNERS[ship], _hex(table, ship)
            groups = homeless.setdefault(side, {})
            groups |= dict.fromkeys(based(table.own[side], ship), where)
        now.ship(ship, damage=damage)
        now.tell(ShipHit(ship, hits[ship], damage, full))
        if damage >= full:
            sink(now, ship, aloft)
    now.record()
    for groups in homeless.values():
        aloft |= _land(table, groups, aloft)
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
            if now.table.open.war:
                now.tell(GroundStepsLost(unit, side, ground.aboard[ship], broken=False))
    for unit in based(now.table.own[side], ship):
        air = now.air_now(unit)
        idle = air.steps - air.cap - (aloft or {}).get(unit, 0)
        now.lose_air(unit, idle, "with the ship", of="ready")


def take_out(now: Changes, side: int, ships: Sequence[str]) -> None:
    """Let ships of a side be out of the scenario with all that is aboard, neither sunk nor lost (P1.1).

    In a campaign they go to the Penalty box, with their cargo and their groups (P20.2.3).
    """
    own = now.table.own[side]
    if now.table.open.war:
        penalise(now, side, ships)
        return
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


def penalise(now: Changes, side: int, ships: Sequence[str]) -> None:
    """Send ships to the Penalty box until so many months have passed (P20.2.3, R-89)."""
    own, month = now.table.own[side], war(now.table.open).month
    for unit in aboard(own, ships):
        now.troops(unit, active=False)
    for unit in sorted(unit for ship in ships for unit in based(own, ship)):
        now.aircraft(unit, ready=0, cap=0, active=False)
    returns = {}
    for ship in ships:
        now.leave_fleet(ship)
        now.ship(ship, tf="", port="", active=False)
        returns[ship] = month_after(month, PENALTY[printed(now.table.open, ship).cls])
    now.table.record(MeansAre(side, penalty=returns, why="to the Penalty box"))


def _land(table: Table, groups: Mapping[str, str], returning: Mapping[str, int]) -> dict[str, int]:
    """Let groups of a side that have lost their deck land elsewhere, each from its hex (P28.4.7).

    `returning` are their steps that come from a mission; return those that are with their group afterwards.
    One fact is sealed, also if nothing was in the air: what was on CAP is the owner's secret (P0.4.2).
    A group is hidden or shown as all else that its new task force holds (P0.4.1).
    """
    now, back, places, before = Changes(table, LOOKING), dict[str, int](), dict[str, str](), sealed(table)
    for unit, where in groups.items():
        places[unit], back[unit] = _find_decks(now, unit, where, returning.get(unit, 0))
    board = table.open
    decks = {unit: place for unit, place in places.items() if place and place not in LOCATIONS}
    covered = tuple(u for u, deck in decks.items() if deck not in board.ships and u in board.air)
    if covered:
        table.record(Covered(air=covered))
    now.record()
    cushion(table, before, 1)
    show(table, air=[unit for unit, deck in decks.items() if deck in board.ships])
    return back


def _find_decks(now: Changes, unit: str, where: str, returning: int) -> tuple[str, int]:
    """Let the steps of a group that are in the air land elsewhere, those on a mission first (P28.4.7).

    They are added to the group of a carrier with room. Where there is no group, or ashore, the group itself
    moves: not while steps of it are left aboard its crippled carrier, since a unit is in one place. Return
    where it moves, or an empty string, and the steps that come from a mission and are with their group.
    """
    board, air, own = now.table.open, now.air_now(unit), _as_changed(now, OWNERS[unit])
    carrier, aloft = air.home, {"used": returning, "cap": air.cap}
    if not carrier or not sum(aloft.values()):
        return "", 0
    left, place, settled = air.steps - sum(aloft.values()), "", {"used": 0, "cap": 0}
    for host in _hosts(now.table, own, carrier, where):
        room = deck_room(board, own, host)
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
    if sum(aloft.values()) and not left and not place and (place := _airfield(board, own, unit, where)):
        settled, aloft = aloft, {"used": 0, "cap": 0}
    _settle(now, unit, place, left, settled, sum(aloft.values()))
    return place, settled["used"]


def _as_changed(now: Changes, side: int) -> Own:
    """Return what a side has, with the changes of air units that are not recorded yet."""
    own = now.table.own[side]
    return replace(own, air=own.air | now.air)


def _join(now: Changes, mate: str, level: int, steps: int, kind: str) -> None:
    """Add steps to the group of another carrier; its level is the lower of the two (P28.4.7)."""
    if steps:
        air = now.air_now(mate)
        cap = air.cap + (steps if kind == "cap" else 0)
        now.aircraft(mate, steps=air.steps + steps, level=min(air.level, level), cap=cap)


def _settle(now: Changes, unit: str, place: str, left: int, settled: Mapping[str, int], lost: int) -> None:
    """Leave a group where it is with what is aboard, or move it to a place; steps without one are lost."""
    air, stays = now.air_now(unit), left + sum(settled.values())
    now.aircraft(unit, steps=stays + lost, ready=min(air.ready, left), cap=settled["cap"])
    now.lose_air(unit, lost, "without a deck to land on")
    if place or not stays:
        now.aircraft(unit, home=place)


def deck_room(open: Open, own: Own, carrier: str) -> int:
    """Return how many air steps a carrier in a task force has room for (P2.2.1): none if it is crippled."""
    if not own.ships[carrier].tf or not fit(open, own, carrier):
        return 0
    aboard = sum(air.steps for air in own.air.values() if air.home == carrier)
    return max(0, printed(open, carrier).cap - aboard)


def _hosts(table: Table, own: Own, carrier: str, where: str) -> list[str]:
    """Return own carriers of the nation at most 2 hexes away that have room, by id."""
    nation = printed(table.open, carrier).nat
    return [
        host
        for host in sorted(own.ships)
        if host != carrier
        and printed(table.open, host).nat == nation
        and deck_room(table.open, own, host)
        and distance(_hex(table, host), where) <= NEAR
    ]


def _airfield(open: Open, own: Own, unit: str, where: str) -> str:
    """Return the first own airbase, by id, at most 2 hexes away with room for a unit, or an empty string."""
    fields = [
        place
        for place, base in open.bases.items()
        if base.control == OWNERS[unit]
        and len(based(own, place)) < AIR_ROOM[base.airbase]
        and distance(LOCATIONS[place].hex, where) <= NEAR
    ]
    return min(fields, default="")
