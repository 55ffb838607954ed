"""P28.8, P28.9 Air combat with CAP, and flak, against the steps of a raid."""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.pacific_war.battle import kamikaze
from domain.pacific_war.battle.cap import guarding
from domain.pacific_war.battle.missions import place_hex
from domain.pacific_war.board.combat import dated, level_of, pick_air, uct
from domain.pacific_war.board.special import flak_shift
from domain.pacific_war.board.table import (
    Open,
    Own,
    Raid,
    Table,
    air_class,
    at_base,
    enemy,
    location_of,
    members,
    value,
)
from domain.pacific_war.board.weather import CAP_SHIFT, foul
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.fighting import CapIs
from domain.pacific_war.facts.intelligence import show

MOST_LEVELS = 2
"""P28.8: differences of levels count up to this."""
AGAINST_STRIKES = -1
FOUR_ENGINES = -1


def levels(own: Own, steps: Mapping[str, int]) -> int:
    """Return the level of most steps in a role (P28.8)."""
    return level_of((own.air[unit].level, count) for unit, count in steps.items())


def ahead(one: int, other: int) -> int:
    """Return how much a level is above another, within the limit (P28.8)."""
    return max(-MOST_LEVELS, min(MOST_LEVELS, one - other))


def fight(table: Table, raid: Raid) -> Raid:
    """Let a raid meet the CAP over its target (P28.8); return it with the steps that are left.

    Land-based units of the CAP become public; of groups of an Undetected task force only the steps that guard
    are told (P0.4.1, R-51).
    """
    board, foe = table.open, enemy(raid.side)
    spot = place_hex(board, raid.target)
    cap = guarding(table, foe, spot)
    if not cap:
        return raid
    own, theirs = table.own[raid.side], table.own[foe]
    table.record(CapIs(foe, spot, cap))
    show(table, air=[unit for unit in cap if at_base(theirs.air[unit].home)])
    guards = sum(cap.values())
    tied = min(sum(raid.escort.values()), guards)
    cap_level, radar = levels(theirs, cap), dated(board, "cap_shift", foe)
    lost_cap = lost_escort = hits = 0
    if tied:
        escort_level = levels(own, raid.escort)
        strength = sum(count * air_class(unit).air for unit, count in raid.escort.items())
        shifts = [("levels", ahead(escort_level, cap_level))]
        hits = uct(table, "escort fire", strength, shifts, by=raid.side, subject=raid.target)
        lost_cap = min(hits, guards)
        shifts = [("levels", ahead(cap_level, escort_level)), ("radar", radar)]
        lost_escort = uct(table, "engaged CAP fire", 2 * tied, shifts, by=foe, subject=raid.target)
    free = guards - tied - max(0, hits - tied)
    shifts = [
        ("levels", ahead(cap_level, levels(own, raid.strike))),
        ("radar", radar),
        ("at a strike", AGAINST_STRIKES),
        ("four engines", FOUR_ENGINES if _four_engined(raid.strike) else 0),
        ("foul weather", CAP_SHIFT if foul(board, spot) else 0),
    ]
    lost_strike = uct(table, "free CAP fire", 2 * free, shifts, by=foe, subject=raid.target)
    now = Changes(table, "in air combat")
    for unit, steps in pick_air(cap, lost_cap).items():
        now.lose_air(unit, steps, "in air combat", of="cap")
    gone = pick_air(raid.escort, lost_escort), pick_air(raid.strike, lost_strike)
    for taken in gone:
        for unit, steps in taken.items():
            now.lose_air(unit, steps, "in air combat")
    now.record()
    return replace(raid, escort=left(raid.escort, gone[0]), strike=left(raid.strike, gone[1]))


def _four_engined(steps: Mapping[str, int]) -> bool:
    return all(air_class(unit).kind == "4E" for unit in steps)


def left(steps: Mapping[str, int], taken: Mapping[str, int]) -> dict[str, int]:
    """Return steps by unit less those taken, without units that have none left."""
    return {unit: count - taken.get(unit, 0) for unit, count in steps.items() if count > taken.get(unit, 0)}


def base_flak(open: Open, place: str, side: int) -> int:
    """Return the flak of a side's location (P28.9)."""
    base = open.bases.get(place)
    return max(base.airbase, base.port) + 2 * base.fort if base and base.control == side else 0


def _unarmed(open: Open, place: str, raid: Raid) -> bool:
    """Return whether a paradrop meets no flak, as there is neither airbase nor fort (P28.14)."""
    base = open.bases.get(place)
    return raid.kind == "paradrop" and base is not None and not (base.airbase or base.fort)


def flak(table: Table, raid: Raid) -> Raid:
    """Let flak fire at the strike steps of a raid (P28.9); return it with the steps that are left."""
    board, foe = table.open, enemy(raid.side)
    own = table.own[foe]
    if raid.target in board.tfs:
        strength = guns(board, own, members(own, raid.target))
    else:
        place = location_of(place_hex(board, raid.target))
        strength = 0 if _unarmed(board, place, raid) else base_flak(board, place, foe)
        if raid.kind == "strike_ships_in_port":
            strength += guns(board, own, [s for s, one in own.ships.items() if one.port == place]) // 2
    if not raid.strike:
        return raid
    shifts = [
        ("flak of the time", dated(board, "flak_shift", foe)),
        ("surprised", flak_shift(board, foe)),
        ("kamikaze", kamikaze.flak_shift(raid)),
    ]
    hits = uct(table, "flak", strength, shifts, by=foe, subject=raid.target)
    gone = pick_air(raid.strike, hits)
    now = Changes(table, "by flak")
    for unit, steps in gone.items():
        now.lose_air(unit, steps, "to flak")
    now.record()
    return replace(raid, strike=left(raid.strike, gone))


def guns(open: Open, own: Own, ships: "list[str] | tuple[str, ...]") -> int:
    """Return the flak of own ships (P28.9)."""
    return sum(value(open, ship, own.ships[ship].damage, "aa") for ship in ships)
