"""C21.2 Prerequisites of cards, and C6.4: a card whose effect could do nothing cannot be played."""

from collections.abc import Callable
from typing import Final

from domain.coral_sea import targets
from domain.coral_sea.airfields import carrier_near, in_range
from domain.coral_sea.atlas import site_areas
from domain.coral_sea.charts import CARDS, OWNERS, UNITS
from domain.coral_sea.initiative import controls
from domain.coral_sea.printed import SIDES, Effect, Prerequisite
from domain.coral_sea.table import GROUND, POOL, Open, at, enemy
from domain.coral_sea.truk import free_entries, on_map

Test = Callable[[Open, int, Prerequisite, Effect], bool]
"""The table, the side that plays, the prerequisite, and the card's first effect."""


def holds(open: Open, side: int, card: str, need: Prerequisite, *, public: bool = False) -> bool:
    """Return whether a prerequisite holds."""
    if public and open.options.limited_intelligence and need.type in HIDDEN:
        return True
    return TESTS[need.type](open, side, need, CARDS[card].effects[0])


def does_something(open: Open, side: int, card: str) -> bool:
    """Return whether any effect of a card could do something now (C6.4)."""
    return any(USES[e.type](open, side, e) if e.type in USES else True for e in CARDS[card].effects)


def air_support(open: Open, side: int, domain: str, area: str, fighting: list[str]) -> bool:
    """C12.15: a working airfield in range, or a carrier: off the coast on land, in the battle at sea."""
    if in_range(open, side, area):
        return True
    if domain == GROUND:
        return carrier_near(open, side, area)
    return any(UNITS[unit].type == "CV" for unit in fighting)


def _deck(open: Open, _side: int, need: Prerequisite, _effect: Effect) -> bool:
    return open.decks[SIDES.index(need.side)] <= need.n


def _ground_unit_in(open: Open, _side: int, need: Prerequisite, _effect: Effect) -> bool:
    owner = SIDES.index(need.side)
    return any(at(open, area, owner, GROUND) for area in site_areas(need.site))


def _units_on_map(open: Open, _side: int, need: Prerequisite, _effect: Effect) -> bool:
    return bool(targets.removable(open, SIDES.index(need.side), need.unit_type))


def _role(open: Open, side: int, need: Prerequisite, _effect: Effect) -> bool:
    return open.battle is not None and (open.battle.attacker == side) == (need.role == "attacker")


def _air_support(open: Open, side: int, _need: Prerequisite, _effect: Effect) -> bool:
    battle = open.battle
    return battle is not None and air_support(open, side, battle.domain, battle.area, battle.units[side])


def _place_controlled(open: Open, side: int, need: Prerequisite, _effect: Effect) -> bool:
    return bool(targets.arrivals(open, side, need.places))


def _in_pool(open: Open, _side: int, need: Prerequisite, _effect: Effect) -> bool:
    return any(unit in open.units and open.units[unit].status == POOL for unit in need.units)


TESTS: Final[dict[str, Test]] = {
    "controls": lambda o, _s, n, _e: controls(o, SIDES.index(n.side), n.site),
    "ground_unit_in": _ground_unit_in,
    "deck_at_most": _deck,
    "permanent_in_play": lambda o, _s, n, _e: n.card in o.permanent,
    "initiative_is": lambda o, _s, n, _e: o.initiative == SIDES.index(n.side),
    "any_unit_in_pool": _in_pool,
    "place_controlled": _place_controlled,
    "rp_area_available": lambda o, s, _n, _e: bool(targets.rp_areas(o, s)),
    "truk_fleet_off_map": lambda o, _s, _n, _e: not on_map(o),
    "truk_entry_free": lambda o, _s, _n, e: bool(free_entries(o, e.entry)),
    "units_on_map": _units_on_map,
    "air_target_exists": lambda o, s, _n, e: bool(targets.air(o, s, e)),
    "refit_target_exists": lambda o, s, _n, e: bool(targets.refits(o, s, e.rebuild, e.reorganize)),
    "disease_target_exists": lambda o, s, _n, _e: bool(targets.diseased(o, s)),
    "move_rp_possible": lambda o, s, _n, e: bool(targets.barges(o, s, e.max_distance)),
    "air_transport_possible": lambda o, s, _n, e: bool(targets.flights(o, s, e.max_distance)),
    "own_operation": lambda o, s, _n, _e: o.operation is not None and o.operation.side == s,
    "enemy_operation": lambda o, s, _n, _e: o.operation is not None and o.operation.side == enemy(s),
    "own_rp_on_map": lambda o, s, _n, _e: bool(o.rp[s]),
    "enemy_naval_move_just_ended_at_sea": lambda o, s, _n, _e: bool(targets.ended_at_sea(o, s)),
    "battle_domain": lambda o, _s, n, _e: o.battle is not None and o.battle.domain == n.domain,
    "battle_role": _role,
    "air_support": _air_support,
}
HIDDEN: Final = {
    "ground_unit_in",
    "units_on_map",
    "air_target_exists",
    "refit_target_exists",
    "disease_target_exists",
    "move_rp_possible",
    "air_transport_possible",
    "own_rp_on_map",
    "enemy_naval_move_just_ended_at_sea",
    "truk_entry_free",
    "truk_fleet_off_map",
    "air_support",
}
"""Prerequisites that may depend on hidden stacks (C22.2)."""


def _other_has_chits(open: Open, side: int, _effect: Effect) -> bool:
    return open.battle is not None and open.battle.chits[enemy(side)] > 0


def _failed_own(open: Open, side: int, _effect: Effect) -> bool:
    check = open.check
    return check is not None and not check.passed and not check.rerolled and OWNERS[check.unit] == side


def _named(open: Open, _side: int, effect: Effect) -> bool:
    battle = open.battle
    return battle is not None and battle.revealed in effect.chits and not battle.cancelled


def _foes(open: Open, side: int, _effect: Effect) -> bool:
    battle = open.battle
    return battle is not None and bool(battle.units[enemy(side)])


def _undecided(open: Open, _side: int, _effect: Effect) -> bool:
    return open.battle is not None and all(open.battle.units)


USES: Final[dict[str, Callable[[Open, int, Effect], bool]]] = {
    "discard_enemy_chits": _other_has_chits,
    "reroll": _failed_own,
    "cancel_chit": _named,
    "attack_checks": _foes,
    "extra_chits": _undecided,
    "check_modifier": _undecided,
    "extra_operation": lambda o, _s, _e: o.operation is not None and not o.operation.again,
}
"""Effects that may find nothing to work on although the prerequisites hold (C6.4)."""
