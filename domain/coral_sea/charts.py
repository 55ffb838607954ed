"""C3, C4, C6: the map, the counters, the cards and the chits, read once from `data/coral-sea.json`.

All numbers that a rule names come from here. Sides are 0 (Japan) and 1 (the Allies) throughout the rules; the
file has words. Deliberately absent: anything that changes in play.
"""

from importlib.resources import files
from typing import Any

from msgspec import json

from domain.coral_sea.printed import SIDES, Charts

SIDE_NAMES = ("Japan", "Allies")
JAPAN, ALLIED = 0, 1


def _value(name: str) -> Any:
    return CHARTS.parameters[name].value


CHARTS = json.decode(files(__package__).joinpath("data", "coral-sea.json").read_bytes(), type=Charts)

AREAS = {area.id: area for area in CHARTS.areas}
ISLANDS = {island.id: island for island in CHARTS.islands}
VP_SITES = CHARTS.vp_sites
UNITS = {unit.id: unit for unit in CHARTS.units}
OWNERS = {unit.id: unit.owner for unit in CHARTS.units}
"""Unit to its side."""
CARDS = {card.id: card for card in CHARTS.cards}
DECKS = tuple(tuple(card.id for card in CHARTS.cards if card.side == side) for side in SIDES)
"""The ids of each side's cards."""
CHITS = {chit.id: chit for chit in CHARTS.chits}
SCENARIOS = {row.id: row for row in CHARTS.scenarios}
OPTIONS = CHARTS.options
LEADERS = {leader.id: leader for row in CHARTS.scenarios for leader in row.leaders}

HAND_LIMIT: int = _value("hand_limit")
SP_PER_RP: int = _value("sp_per_rp")
SUPPLY_AREAS: int = _value("supply_land_areas")
INITIATIVE_BONUS: int = _value("initiative_bonus")
AIRFIELD_RANGE: tuple[int, int] = tuple(_value("airfield_range")[side] for side in SIDES)
AIRFIELD_COUNTERS: int = _value("airfield_counters")
GROUND_LIMIT: int = _value("transport_ground_limit")
RP_PER_SHIP: int = _value("transport_rp_per_naval_unit")
EMBARKING: int = _value("embark_range_cost")
LADEN: int = _value("loaded_at_sea_range_penalty")
SIEGE_VALUE: int = _value("siege_value")
REFUGE: int = _value("fortress_room")
DAMAGE_ON: int = _value("airfield_damage_on")
RETREAT_AREAS: int = _value("retreat_areas")
CHIT_GUARD: int = _value("battle_guard_chits")
INITIATIVE_SHIFT: dict[str, Any] = _value("initiative_shift")
RETREAT_EDGE: tuple[str, str] = tuple(_value("retreat_edge")[side] for side in SIDES)
RP_AREAS: tuple[tuple[str, ...], ...] = tuple(tuple(_value("rp_areas")[side]) for side in SIDES)

SP = {row.action.partition(" ")[0]: row.sp for row in CHARTS.sp_costs if isinstance(row.sp, int)}
MOVE_GROUND, MOVE_NAVAL = SP["move_ground_unit_or_stack"], SP["move_naval_unit_or_stack"]
STACKING, BESIEGE = SP["stack_in_land_area"], SP["besiege"]
REORGANIZE, REBUILD = SP["reorganize_unit"], SP["rebuild_unit"]
AIRFIELD, REPAIR = SP["build_airfield"], SP["repair_airfield"]
SORTIE = SP["sortie"]
