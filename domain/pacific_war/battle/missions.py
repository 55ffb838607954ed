"""P28.2, P28.3 Missions: which may be declared, at what, and who may fly them."""

from collections import Counter
from collections.abc import Collection, Mapping

from domain.pacific_war.battle import supply
from domain.pacific_war.battle.losses import deck_room
from domain.pacific_war.battle.paradrop import drop_zones, jumpers
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import AIR, AIR_ROOM, LOCATIONS, NIGHT, OWNERS
from domain.pacific_war.board.combat import dated
from domain.pacific_war.board.special import only_strikes, raid_shift, spared
from domain.pacific_war.board.special_boats import seaplane_bases
from domain.pacific_war.board.table import (
    Open,
    Own,
    Plan,
    air_class,
    enemy,
    fleet_hex,
    flies,
    groups_of,
    home_hex,
    housed,
    interdicted,
    is_carrier,
    launch_limit,
    members,
    printed,
    stack_room,
)
from domain.pacific_war.decisions.cycle import AddPara, AddSteps, DeclareMission, Role, Target

AT_SHIPS = ("strike_tf", "strike_ships_in_port")
AT_BASES = ("strike_airbase", "strike_port", "strike_fort")
STRIKES = (
    "strike_tf",
    "strike_airbase",
    "strike_port",
    "strike_ships_in_port",
    "strike_fort",
    "strike_ground",
)
AT_NIGHT = ("strike_airbase", "strike_port", "strike_ground")
"""P26.3: what 2E and 4E may strike at Night."""
BOMBERS = ("2E", "4E")
ESCORTS = ("1E", "CVG")


def place_hex(open: Open, place: str) -> str:
    """Return the hex of a location, a task force or a hex."""
    if place in LOCATIONS:
        return LOCATIONS[place].hex
    return fleet_hex(open, place) if place in open.tfs else place[:4]


def stationed(open: Open, own: Own, origin: str) -> list[str]:
    """Return the own air units at an airbase or in a task force that may fly missions, by id."""
    if origin in LOCATIONS:
        return [] if open.bases[origin].interdicted else housed(open, own, origin)
    return [unit for unit in groups_of(own, origin) if flies(open, own, unit)]


def origins(open: Open, own: Own) -> list[str]:
    """Return the places that missions of a side may come from: airbases and carrier task forces, by id."""
    bases = {air.home for air in own.air.values() if air.home in LOCATIONS and air.steps}
    fleets = {tf for tf in own.fleets if any(is_carrier(open, ship) for ship in members(own, tf))}
    return sorted(bases | fleets)


def room(open: Open, origin: str, launched: Mapping[str, int]) -> int:
    """Return how many steps may still take off in this phase (P2.3.2)."""
    if origin not in LOCATIONS:
        return 99
    return max(0, launch_limit(open, origin) - launched.get(origin, 0))


def strikes_at(open: Open, unit: str, kind: str) -> bool:
    """Return whether an air unit can strike at such a target (P28.2, P26.3)."""
    cls = air_class(unit)
    if open.lighting == NIGHT and (cls.kind not in BOMBERS or kind not in AT_NIGHT):
        return False
    return bool(cls.nav if kind in AT_SHIPS else cls.gnd)


def able(open: Open, own: Own, kind: str, origin: str) -> list[str]:
    """Return the air units at an origin with ready steps for a kind of strike, by id, however far it is."""
    return [
        unit for unit in stationed(open, own, origin) if _may_fly(own, unit) and strikes_at(open, unit, kind)
    ]


def strikers(open: Open, own: Own, kind: str, origin: str, target: str) -> list[str]:
    """Return the air units at an origin with ready steps that can strike at a target, by id."""
    far = distance(place_hex(open, origin), place_hex(open, target))
    return [unit for unit in able(open, own, kind, origin) if far <= air_class(unit).range]


def escorts(open: Open, own: Own, origin: str, target: str) -> list[str]:
    """Return the air units at an origin with ready steps that can escort to a target, by id."""
    if open.lighting == NIGHT or only_strikes(open, origin):
        return []
    far = distance(place_hex(open, origin), place_hex(open, target))
    return [
        unit
        for unit in stationed(open, own, origin)
        if _may_fly(own, unit) and air_class(unit).kind in ESCORTS and far <= air_class(unit).range
    ]


def daring(open: Open, own: Own, kind: str, origin: str) -> list[str]:
    """Return the air units at an airbase that may dive as kamikaze, by id, however far it is (P28.13)."""
    if kind != "strike_tf" or origin not in LOCATIONS or open.lighting == NIGHT:
        return []
    return [
        unit
        for unit in stationed(open, own, origin)
        if _may_fly(own, unit)
        and air_class(unit).kind == "1E"
        and dated(open, "kamikaze_allowed", OWNERS[unit])
    ]


def divers(open: Open, own: Own, kind: str, origin: str, target: str) -> list[str]:
    """Return the air units at an airbase that may dive as kamikaze at a task force, by id (P28.13)."""
    far = distance(place_hex(open, origin), place_hex(open, target))
    return [unit for unit in daring(open, own, kind, origin) if far <= air_class(unit).range]


def _may_fly(own: Own, unit: str) -> bool:
    """Return whether steps of an air unit may strike or escort: not while it is Isolated (P12.1)."""
    air = own.air[unit]
    return bool(air.ready) and air.active and not air.isolated


def objectives(open: Open, side: int, kind: str) -> list[str]:
    """Return what a kind of strike may be aimed at, wherever it is (P28.2), by id."""
    foe = enemy(side)
    if kind == "strike_tf":
        return sorted(tf for tf, one in open.tfs.items() if one.side == foe and one.detected)
    if kind == "strike_ground":
        safe = {LOCATIONS[place].hex for place in open.bases if spared(open, side, place)}
        return sorted(set(open.troops[foe]) - safe)
    standing = {"strike_airbase": "airbase", "strike_port": "port", "strike_fort": "fort"}
    return sorted(
        place
        for place, base in open.bases.items()
        if base.control == foe
        and not spared(open, side, place)
        and (getattr(base, standing[kind]) if kind in standing else place in open.ports[foe])
    )


def declared(open: Open, own: Own, side: int, launched: Mapping[str, int]) -> list[DeclareMission]:
    """Return the missions that a side may declare: each has a target (P28.2)."""
    missions = [
        DeclareMission(kind, origin)
        for kind in STRIKES
        for origin in origins(open, own)
        if room(open, origin, launched) and targets(open, own, side, kind, origin, launched)
    ]
    if open.lighting == NIGHT:
        return missions
    missions += [
        DeclareMission("ferry", unit) for unit in ferrying(open, own) if destinations(open, own, side, unit)
    ]
    missions += [
        DeclareMission("supply", unit)
        for unit in supply.carriers(open, own, launched)
        if supply.goals(open, own, side, unit)
    ]
    missions += [
        DeclareMission("paradrop", place)
        for place in sorted(open.bases)
        if drop_zones(open, own, side, place, room(open, place, launched))
    ]
    return missions


def targets(
    open: Open, own: Own, side: int, kind: str, origin: str, launched: Mapping[str, int]
) -> list[str]:
    """Return what a mission may be aimed at, by id."""
    if kind == "ferry":
        return destinations(open, own, side, origin)
    if kind == "supply":
        return supply.goals(open, own, side, origin)
    if kind == "paradrop":
        return drop_zones(open, own, side, origin, room(open, origin, launched))
    flyers = [*able(open, own, kind, origin), *daring(open, own, kind, origin)]
    ranges = [air_class(unit).range for unit in flyers]
    if not ranges:
        return []
    here, most = place_hex(open, origin), max(ranges)
    return [goal for goal in objectives(open, side, kind) if distance(here, place_hex(open, goal)) <= most]


def aimed(
    open: Open, own: Own, side: int, kind: str, origin: str, launched: Mapping[str, int]
) -> list[Target]:
    """Return the picks of a target."""
    return [Target(goal) for goal in targets(open, own, side, kind, origin, launched)]


# ferries


def ferrying(open: Open, own: Own) -> list[str]:
    """Return the air units that may fly a ferry mission: Activated, with a ready step (P28.2), by id."""
    units = []
    for unit, air in sorted(own.air.items()):
        if not air.steps or not air.ready or not air.active:
            continue
        if interdicted(open, air.home) or only_strikes(open, air.home):
            continue  # those above the capacity may leave
        if air.home not in LOCATIONS and not flies(open, own, unit):
            continue
        units.append(unit)
    return units


def destinations(open: Open, own: Own, side: int, unit: str) -> list[str]:
    """Return the bases and carriers with room that an air unit can ferry to (P28.10), by id.

    Carriers take air groups of their nation (P2.1), a seaplane base takes one LRA unit (P34.1).
    """
    air, cls, here = own.air[unit], air_class(unit), home_hex(open, own, unit)
    reach = 2 * cls.range
    there = Counter(one.home for one in own.air.values() if one.steps)
    fields = [
        place
        for place, base in open.bases.items()
        if base.control == side
        and place != air.home
        and there[place] < AIR_ROOM[base.airbase]
        and distance(LOCATIONS[place].hex, here) <= reach
    ]
    decks = [
        ship
        for ship, one in own.ships.items()
        if cls.kind == "CVG"
        and ship != air.home
        and printed(open, ship).nat == AIR[unit].nat
        and deck_room(open, own, ship) >= air.steps
        and distance(fleet_hex(open, one.tf), here) <= reach
    ]
    lagoons = [
        piece
        for piece, spot in seaplane_bases(open, side).items()
        if cls.kind == "LRA" and not there[piece] and distance(spot, here) <= reach
    ]
    return sorted([*fields, *decks, *lagoons])


# assembling


def additions(open: Open, own: Own, plan: Plan, launched: Mapping[str, int]) -> list[AddSteps | AddPara]:
    """Return what may be added to a mission (P28.3): each unit once a role, within the launch limit."""
    if plan.kind == "paradrop":
        most = min(room(open, plan.origin, launched), stack_room(own, plan.target))
        return [*jumpers(open, own, plan.origin, plan.para, most)]
    taken = sum(plan.strike.values()) + sum(plan.escort.values())
    free = room(open, plan.origin, launched) - taken
    bombers = strikers(open, own, plan.kind, plan.origin, plan.target)
    dive = divers(open, own, plan.kind, plan.origin, plan.target)
    options: list[AddSteps | AddPara] = []
    roles: tuple[tuple[Role, list[str]], ...] = (("strike", bombers), ("kamikaze", dive))
    for role, units in roles:
        for unit in units:
            if unit not in plan.strike:
                most = min(free, _spare(own, plan, unit))
                options += [AddSteps(unit, role, steps) for steps in range(1, most + 1)]
    for unit in escorts(open, own, plan.origin, plan.target):
        if unit in plan.escort:
            continue
        most = min(free, _spare(own, plan, unit))
        if not plan.strike:
            most = min(most, free - 1, _most_beside(own, plan, {*bombers, *dive}, unit))
        options += [AddSteps(unit, "escort", steps) for steps in range(1, most + 1)]
    return options


def _spare(own: Own, plan: Plan, unit: str) -> int:
    """Return the ready steps of a unit that the plan has not taken."""
    return own.air[unit].ready - plan.strike.get(unit, 0) - plan.escort.get(unit, 0)


def _most_beside(own: Own, plan: Plan, able: Collection[str], unit: str) -> int:
    """Return how many steps of a unit may escort so that a step that can strike is left over (P28.3)."""
    others = sum(_spare(own, plan, one) for one in able if one != unit)
    return 99 if others else _spare(own, plan, unit) - (1 if unit in able else 99)


def bonus(open: Open, kind: str) -> int:
    """Return the shift of a scenario on a kind of strike (E2.1, R-77)."""
    return raid_shift(open) if kind in ("strike_airbase", "strike_port", "strike_ships_in_port") else 0
