"""The charts of Midway, read once from `data/midway.json`: figures of the rules, ships, groups, set-ups.

All numbers that a rule names come from here. Deliberately absent: anything that changes in play.
"""

from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct, json

SideId = Literal["JP", "US"]
PlaneType = Literal["F", "D", "T"]


class Ship(Struct, frozen=True):
    """A carrier as the rules print it (M2.3)."""

    id: str
    name: str
    side: str
    aa_dice: int
    repair_min: int
    hangar_capacity: int


class Squadron(Struct, frozen=True):
    """A group as the rules print it (M2.3); `planes` is the number of aircraft it stands for."""

    id: str
    name: str
    home: str
    side: str
    type: PlaneType
    aircraft: str
    planes: int
    strength: int


class Box(Struct, frozen=True):
    """A kind of place (M1.6)."""

    id: str
    per: str
    holds: tuple[str, ...]
    label: str


class SequenceRow(Struct, frozen=True):
    """A row of the sequence of play (M3.1)."""

    step: int
    side: SideId
    name: str
    rule: str


class SetUpRow(Struct, frozen=True):
    """A scenario as the data file gives it: where groups stand, what carriers have suffered (M2)."""

    id: str
    title: str
    ships: tuple[str, ...]
    turn_limit: int
    minutes_per_turn: int
    first_turn_time: str
    search_rule: bool
    sudden_death: str | None
    damage: dict[str, int]
    positions: dict[str, str]


class OptionRow(Struct, frozen=True):
    """An option of M15; with `least` and `most` a whole number in that range, else a flag."""

    id: str
    default: bool | int | None
    text: str
    rule: str
    least: int | None = None
    most: int | None = None


class Parameter(Struct, frozen=True):
    """A figure that a rule names."""

    value: Any
    rule: str


class SideRow(Struct, frozen=True):
    """A side (M1.1)."""

    id: SideId
    name: str


class Charts(Struct, frozen=True):
    """The data file; what is not named here is for readers of the file."""

    parameters: dict[str, Parameter]
    sides: tuple[SideRow, ...]
    ships: tuple[Ship, ...]
    groups: tuple[Squadron, ...]
    boxes: tuple[Box, ...]
    sequence: tuple[SequenceRow, ...]
    scenarios: tuple[SetUpRow, ...]
    options: tuple[OptionRow, ...]


def _number(name: str) -> int:
    return int(CHARTS.parameters[name].value)


CHARTS = json.decode(files(__package__).joinpath("data", "midway.json").read_bytes(), type=Charts)

SIDES = tuple(side.id for side in CHARTS.sides)
SIDE_NAMES = tuple(side.name for side in CHARTS.sides)
SHIPS = {ship.id: ship for ship in CHARTS.ships}
SQUADRONS = {squadron.id: squadron for squadron in CHARTS.groups}
SEQUENCE = CHARTS.sequence
SCENARIOS = {scenario.id: scenario for scenario in CHARTS.scenarios}
OPTIONS = CHARTS.options

LAND_LIMIT = _number("land_limit_per_carrier_per_turn")
DECK_LIMIT = _number("deck_limit")
CAP_HIT = _number("cap_hit_min")
AA_HIT = _number("aa_hit_min")
DIVE_HIT, DIVE_HITS = _number("dive_hit_min"), _number("dive_hits_first_roll")
TORPEDO_HIT, TORPEDO_HITS = _number("torpedo_hit_min"), _number("torpedo_hits_first_roll")
REROLL_ON, REROLL_HIT, REROLL_HITS = _number("reroll_on"), _number("reroll_hit_min"), _number("reroll_hits")
CRIPPLED_AT, SUNK_AT = _number("crippled_at"), _number("sunk_at")
SEARCH_GROUPS = _number("search_groups")
SEARCH_AGAIN: tuple[int, ...] = tuple(CHARTS.parameters["search_die_rerolls"].value)
SEARCH_BOMBERS = _number("search_min_bomber_groups")
POINTS_SUNK, POINTS_CIRCLE = _number("points_sunk"), _number("points_per_marked_circle")
ARMED_DECK_HIT = _number("armed_deck_hit_min")
DECISIVE, CLEAR = _number("decisive_points"), _number("clear_points")
