"""The board as plain JSON for pages and bots: keyed by ids, without nulls, complete in itself."""

from typing import Any

from domain.midway.charts import CHARTS, SEQUENCE, SHIPS, SIDE_NAMES, SIDES, SQUADRONS
from domain.midway.table import JAPAN, UNITED_STATES, Carrier, Group, Open, Own, state_of
from domain.midway.victory import losses, points

PURPOSES = {
    "SEARCH": "search",
    "CAP_DOGFIGHT": "CAP against escorts",
    "ESCORT_DOGFIGHT": "escorts against CAP",
    "CAP_VS_BOMBERS": "CAP against bombers",
    "AA": "anti-aircraft fire",
    "ATTACK_D": "attack of the dive bombers",
    "REROLL_D": "sixes of the dive bombers again",
    "ATTACK_T": "attack of the torpedo bombers",
    "REROLL_T": "sixes of the torpedo bombers again",
    "ARMED_DECK": "armed planes on deck",
    "REPAIR": "repair",
}
"""What dice are rolled for."""
SEQUENCE_OF_PLAY = [
    {"step": row.step, "side": row.side, "name": row.name, "rule": row.rule} for row in SEQUENCE
]


def view(open: Open, _own: Own | None) -> dict[str, Any]:
    """Return the board; both sides and onlookers see the same (M1.10)."""
    if not open.carriers:
        return {}
    shown: dict[str, Any] = {
        "scenario": open.scenario,
        "turn": open.turn,
        "turn_limit": open.turn_limit,
        "time": _time(open),
        "sudden_death": open.sudden_death,
        "steps": list(open.steps),
        "active": [SEQUENCE[step - 1].side for step in open.steps],
        "cap_rings": open.options.cap_rings,
        "carriers": {name: _carrier(name, carrier) for name, carrier in open.carriers.items()},
        "groups": {name: _group(name, group) for name, group in open.groups.items()},
        "found": dict(zip(SIDES, open.found, strict=True)),
        "points": {SIDES[side]: points(open, side) for side in (JAPAN, UNITED_STATES)},
        "losses": {SIDES[side]: losses(open, side) for side in (JAPAN, UNITED_STATES)},
        "sequence": SEQUENCE_OF_PLAY,
    }
    if open.steps:
        shown["step"], shown["step_name"] = open.steps[0], SEQUENCE[open.steps[0] - 1].name
    if open.designated:
        shown["designated"] = dict(open.designated)
    if open.grade:
        shown["grade"] = open.grade
    return shown


def names() -> dict[str, str]:
    """Return the display name of every id: sides, carriers, groups, places, and what is rolled for."""
    named = dict(zip(SIDES, SIDE_NAMES, strict=True))
    named |= {f"side:{number}": name for number, name in enumerate(SIDE_NAMES)}
    named |= {name: ship.name for name, ship in SHIPS.items()}
    named |= {name: squadron.name for name, squadron in SQUADRONS.items()}
    named |= PURPOSES
    for box in CHARTS.boxes:
        if box.per == "carrier":
            named |= {f"{box.id}:{ship}": f"{box.label} of {SHIPS[ship].name}" for ship in SHIPS}
        else:
            named |= {
                f"{side}:{box.id}": f"{name}: {box.label}"
                for side, name in zip(SIDES, SIDE_NAMES, strict=True)
            }
    return named


def _time(open: Open) -> str:
    minutes = open.first_minute + max(open.turn - 1, 0) * open.minutes_per_turn
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def _carrier(name: str, carrier: Carrier) -> dict[str, Any]:
    return {
        "name": SHIPS[name].name,
        "side": SIDES[carrier.side],
        "aa": carrier.aa,
        "repair": carrier.repair,
        "capacity": carrier.capacity,
        "damage": carrier.damage,
        "state": state_of(carrier.damage),
        "seat": carrier.seat,
    }


def _group(name: str, group: Group) -> dict[str, Any]:
    squadron = SQUADRONS[name]
    shown: dict[str, Any] = {
        "name": squadron.name,
        "side": SIDES[group.side],
        "type": group.type,
        "home": group.home,
        "aircraft": squadron.aircraft,
        "full": group.full,
        "strength": group.strength,
        "place": group.place,
    }
    for field in ("target", "committed", "search_group", "proposed", "moved"):
        if value := getattr(group, field):
            shown[field] = value
    return shown
