"""P29.2 Fire in naval combat: who may fire at whom, guns, torpedoes, and the fort as a unit (P29.1.3)."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.board.charts import LIGHT, NIGHT, TABLES
from domain.pacific_war.board.combat import dated, uct
from domain.pacific_war.board.table import NavalBattle, Open, Order, Table, enemy, printed, value
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.facts.fighting import NavalBattleIs

FORT = "fort:"
_FORT = TABLES["naval"]["fort"]
_GUNS = TABLES["naval"]["gun_range_shift"]
_TORPEDOES = {1: -1, 0: 0}
LEAST_TORPEDOES_AT_NIGHT = -1
ALL_FIRE = 3
"""P29.2: the combat phase in which all may fire."""


def _battle(open: Open) -> NavalBattle:
    assert open.naval is not None
    return open.naval


def is_fort(unit: str) -> bool:
    """Return whether a unit of a combat is a fort."""
    return unit.startswith(FORT)


def left_in(open: Open, side: int) -> list[str]:
    """Return the units of a side that are left in the combat: ships by id, then its fort."""
    battle = _battle(open)
    place = battle.ports[side]
    ships = [ship for tf in battle.forces[side] if tf in open.contents for ship in open.contents[tf].ships]
    if place:
        ships += [ship for ship, one in open.ships.items() if one.port == place]
    fort = [f"{FORT}{place}"] if place and open.bases[place].fort else []
    return sorted(ships) + fort


def screening(open: Open, unit: str) -> bool:
    """Return whether a unit is in a screen; of ships in port CA, CL, DD are, and so is a fort (P29.1.2)."""
    if is_fort(unit):
        return True
    ship = open.ships[unit]
    if ship.tf:
        return unit in open.contents[ship.tf].screen
    return printed(open, unit).cls in LIGHT


def eligible(open: Open, side: int) -> list[str]:
    """Return who of a side may fire and be fired at in this combat phase (P29.2)."""
    units, phase = left_in(open, side), _battle(open).phase
    if phase >= ALL_FIRE:
        return units
    screen = [unit for unit in units if screening(open, unit)]
    heavy = [unit for unit in units if not is_fort(unit) and printed(open, unit).cls in ("BB", "BC")]
    if phase == 1:
        return screen or heavy or units
    return sorted({*screen, *heavy}) or units


def guns(open: Open, unit: str) -> int:
    """Return the gun strength of a unit in combat: crippled and inactive ships have half (P29.1.3)."""
    if is_fort(unit):
        level: int = open.bases[unit.removeprefix(FORT)].fort
        return int(_FORT["gun_per_level"]) * level
    ship = open.ships[unit]
    strength = value(open, unit, ship.damage, "gun")
    return strength if ship.tf else strength // 2


def called(unit: str) -> str:
    """Return a unit of a combat as a sentence names it."""
    return f"the fort of [{bare(unit)}]" if is_fort(unit) else f"[{unit}]"


def bare(unit: str) -> str:
    """Return a ship, or the location of a fort."""
    return unit.removeprefix(FORT)


def salvo(open: Open, unit: str) -> bool:
    """Return whether a ship may fire a torpedo salvo, at what is not a fort (P29.2 b, R-74)."""
    battle = _battle(open)
    if is_fort(unit) or battle.range not in _TORPEDOES or not open.ships[unit].tf:
        return False
    salvos = 2 if printed(open, unit).reload else 1
    return bool(value(open, unit, open.ships[unit].damage, "torp")) and battle.salvos.get(unit, 0) < salvos


def targets(open: Open, side: int) -> list[str]:
    """Return whom a side may fire at."""
    return eligible(open, enemy(side))


def fire(table: Table, orders: Mapping[str, Order], sides: Sequence[int]) -> None:
    """Let sides fire one after the other, and then apply all damage (P29.2 c)."""
    hits: dict[str, int] = {}
    for side in sides:
        for target, taken in _volley(table, orders, side).items():
            hits[target] = hits.get(target, 0) + taken
    inflict(table, {target: taken for target, taken in hits.items() if not is_fort(target)})
    for target, taken in hits.items():
        if is_fort(target):
            hit_fort(table, target.removeprefix(FORT), taken)


def _volley(table: Table, orders: Mapping[str, Order], side: int) -> dict[str, int]:
    """Let the units of a side fire by id, guns, then torpedoes; return target to hits."""
    board = table.open
    mine, theirs = left_in(board, side), left_in(board, enemy(side))
    hits, salvos = dict[str, int](), dict(_battle(board).salvos)
    for unit in sorted(orders):
        order = orders[unit]
        if unit not in mine or order.target not in theirs:
            continue
        taken = _fire_guns(table, unit, order.target, side)
        if order.torpedoes and salvo(board, unit) and not is_fort(order.target):
            taken += _fire_torpedoes(table, unit, order.target, side)
            salvos[unit] = salvos.get(unit, 0) + 1
        hits[order.target] = hits.get(order.target, 0) + taken
    if salvos != _battle(board).salvos:
        table.record(NavalBattleIs(replace(_battle(board), salvos=salvos), "Torpedoes are in the water"))
    return hits


def _fire_guns(table: Table, unit: str, target: str, side: int) -> int:
    board = table.open
    row = _GUNS.get("other" if is_fort(unit) else printed(board, unit).cls, _GUNS["other"])
    shifts = [
        ("range", int(row[str(_battle(board).range)])),
        ("protection", -protection(board, target, "def_g")),
        ("Night", dated(board, "night_gun_shift", side) if board.lighting == NIGHT else 0),
    ]
    return uct(table, "guns", guns(board, unit), shifts, by=side, subject=bare(unit), at=called(target))


def _fire_torpedoes(table: Table, unit: str, target: str, side: int) -> int:
    board = table.open
    night = dated(board, "night_gun_shift", side) if board.lighting == NIGHT else 0
    shifts = [
        ("range", _TORPEDOES[_battle(board).range]),
        ("protection", -protection(board, target, "def_a")),
        ("torpedoes of the time", dated(board, "ship_torpedo_shift", side)),
        ("Night", max(LEAST_TORPEDOES_AT_NIGHT, night)),
    ]
    strength = value(board, unit, board.ships[unit].damage, "torp")
    return uct(table, "torpedoes", strength, shifts, by=side, subject=unit, at=called(target))


def protection(open: Open, unit: str, what: str) -> int:
    """Return `def_g` or `def_a` of a unit in combat."""
    return int(_FORT[what]) if is_fort(unit) else int(getattr(printed(open, unit), what))


def hit_fort(table: Table, place: str, hits: int) -> None:
    """Lower a fort by a level for every 2 hits; an odd one waits until the cycle ends (P29.1.3, R-74)."""
    base = table.open.bases[place]
    total = hits + base.fort_hit
    if not hits or not base.fort:
        return
    level = max(0, base.fort - total // int(_FORT["hits_per_level"]))
    odd = bool(total % int(_FORT["hits_per_level"])) and level > 0
    installations(table, place, "has its fort hit", fort=level, fort_hit=odd)
