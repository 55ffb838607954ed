"""P28.5 to P28.7 What a strike does to ships, installations and ground units."""

from collections.abc import Iterable, Mapping

from domain.pacific_war.battle import kamikaze
from domain.pacific_war.battle.missions import bonus, place_hex
from domain.pacific_war.board.charts import DUSK, NIGHT
from domain.pacific_war.board.combat import d10, level_of, level_shift, uct
from domain.pacific_war.board.table import (
    Own,
    Raid,
    Table,
    air_class,
    based,
    enemy,
    fort,
    is_carrier,
    printed,
    troop,
    troops_in,
)
from domain.pacific_war.facts.changes import Changes, installations
from domain.pacific_war.facts.fighting import GroundStepsLost

BASE_SHIFT = {"strike_airbase": -1, "strike_port": -1, "strike_fort": -3, "strike_ground": -3}
AT_NIGHT = -2
ON_DECK = 2
"""P28.5.1: ready steps aboard that make a carrier burn."""


def strike_ship(table: Table, raid: Raid, steps: Mapping[str, int], ship: str) -> int:
    """Roll an attack of these steps on a ship (P28.5.1), and return the hits."""
    board, own = table.open, table.own[raid.side]
    strength = sum(count * kamikaze.naval(raid, unit) for unit, count in steps.items())
    level = level_of((kamikaze.level(own, raid, unit), count) for unit, count in steps.items())
    shifts = [
        ("level", level_shift(level)),
        ("protection", -printed(board, ship).def_a),
        ("aircraft on deck", 1 if _crowded(table, ship) else 0),
        ("unseen", 1 if raid.unseen else 0),
        ("in port", 1 if raid.kind == "strike_ships_in_port" else 0),
        ("four engines", -1 if all(air_class(unit).kind == "4E" for unit in steps) else 0),
        ("Dusk", -1 if board.lighting == DUSK else 0),
        ("surprised", bonus(board, raid.kind)),
    ]
    return uct(table, "air attack", strength, shifts, by=raid.side, subject=ship)


def _crowded(table: Table, ship: str) -> bool:
    own = table.own[enemy_of(table, ship)]
    ready = sum(air.ready for air in own.air.values() if air.home == ship)
    return is_carrier(table.open, ship) and ready >= ON_DECK


def enemy_of(table: Table, ship: str) -> int:
    """Return whose ship it is."""
    return next(side for side in (0, 1) if ship in table.own[side].ships)


def bomb(table: Table, raid: Raid) -> int:
    """Roll a strike on installations or troops (P28.6, P28.7), and return the hits."""
    board, own = table.open, table.own[raid.side]
    spot = place_hex(board, raid.target)
    strength = sum(count * air_class(unit).gnd for unit, count in raid.strike.items())
    level = level_of((own.air[unit].level, count) for unit, count in raid.strike.items())
    walls = 0 if raid.kind == "strike_fort" else -((fort(board, spot, enemy(raid.side)) + 1) // 2)
    shifts = [
        ("level", level_shift(level)),
        ("such a target", BASE_SHIFT[raid.kind]),
        ("fort", walls),
        ("Night", AT_NIGHT if board.lighting == NIGHT else 0),
        ("surprised", bonus(board, raid.kind)),
    ]
    return uct(table, "bombing", strength, shifts, by=raid.side, subject=raid.target)


def damage(table: Table, raid: Raid, hits: int) -> None:
    """Apply the hits of a strike on installations or troops."""
    if not hits:
        return
    foe = enemy(raid.side)
    match raid.kind:
        case "strike_airbase":
            hit_airbase(table, raid.target, foe, hits, (hits + 1) // 2, "in an air strike")
        case "strike_port":
            hit_port(table, raid.target, hits)
        case "strike_fort":
            hit_fort(table, raid.target, hits // 2)
        case "strike_ground":
            hit_troops(table, place_hex(table.open, raid.target), foe, hits)


def hit_airbase(table: Table, place: str, side: int, hits: int, parked: int, how: str) -> None:
    """Damage an airbase, and take parked steps: the unit with most, ready ones first (P28.6, P29.3, R-84)."""
    base, own = table.open.bases[place], table.own[side]
    if (damage := min(base.airbase, base.airbase_damage + hits)) != base.airbase_damage:
        installations(table, place, "is hit", airbase_damage=damage)
    now = Changes(table, "on the ground")
    for _ in range(parked):
        here = [unit for unit in based(own, place) if _parked(now, unit)]
        if not here:
            break
        ready = [unit for unit in here if now.air_now(unit).ready]
        unit = min(ready or here, key=lambda one: (-_parked(now, one), one))
        now.lose_air(unit, 1, how, of="ready")
    now.record()


def _parked(now: Changes, unit: str) -> int:
    """Return the steps of a unit that stand on the ground: not those on CAP or on a mission."""
    air = now.air_now(unit)
    flying = sum(r.strike.get(unit, 0) + r.escort.get(unit, 0) for r in now.table.open.raids)
    return max(0, air.steps - air.cap - flying)


def hit_port(table: Table, place: str, hits: int) -> None:
    """Damage a port (P28.6)."""
    base = table.open.bases[place]
    if (damage := min(base.port, base.port_damage + hits)) != base.port_damage:
        installations(table, place, "is hit", port_damage=damage)


def hit_fort(table: Table, place: str, levels: int) -> None:
    """Lower a fort (P28.6)."""
    base = table.open.bases[place]
    if levels and base.fort:
        installations(table, place, "has its fort hit", fort=max(0, base.fort - levels))


def hit_troops(table: Table, hex: str, side: int, hits: int) -> None:
    """Let ground units test, one for each hit (P28.7).

    It is the unbroken one with most steps, which breaks; if all are Broken, the one with most loses a step.
    """
    own = table.own[side]
    for _ in range(hits):
        units = troops_in(own, hex)
        if not units:
            return
        sound = [unit for unit in units if not own.ground[unit].broken]
        unit = _largest(own, sound or units)
        tq = troop(table.open, unit).tq
        face = d10(table, "troop quality", by=side, target=f"{tq} or less holds", subject=unit)
        if face <= tq:
            continue
        now = Changes(table, "under fire")
        if sound:
            now.troops(unit, broken=True, active=False)
            now.tell(GroundStepsLost(unit, side, 0, broken=True))
        else:
            now.lose_ground(unit, 1)
            now.tell(GroundStepsLost(unit, side, 1, broken=False))
        now.record()


def _largest(own: Own, units: Iterable[str]) -> str:
    return min(units, key=lambda unit: (-own.ground[unit].steps, unit))
