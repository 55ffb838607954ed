"""The table as plain JSON for pages and bots: keyed by ids, without nulls, complete in itself.

What is printed (map, counters, charts) is the same object for a whole campaign, what changes is beside it.
"""

from functools import cache
from typing import Any

from msgspec import Struct, json, to_builtins

from domain.kernel.facts import State
from domain.match.game import told_apart, without_nulls
from domain.nimitz.board import transported
from domain.nimitz.charts import (
    AREAS,
    BATTLE_AREAS,
    BOXES,
    COUNTERS,
    EVALUATION,
    FLIGHTS,
    FORCES,
    INVASION,
    JA,
    JA_PLANS,
    LINKED,
    OBJECTIVES,
    ORDERS,
    REINFORCEMENTS,
    SIDE_NAMES,
    SIDES,
    TRACK,
    TURNS,
    US,
    US_PLANS,
)
from domain.nimitz.facts import STEPS
from domain.nimitz.table import INV, JA_RE, RAID, Battle, Force, Open, Own, Plane, at, contested, supply
from domain.nimitz.victory import invasion_points, level_of


def view(open: Open, _own: Own | None) -> dict[str, Any]:
    """Return the table; both sides and onlookers see the same (N0.6)."""
    if not open.year:
        return {}
    held, supplied = supply(open)
    result = sum(area in held for area in OBJECTIVES[open.year]) + invasion_points(open)
    shown: dict[str, Any] = {
        "year": open.year,
        "mode": " abc"[open.mode],
        "linked": open.linked,
        "turn": open.turn,
        "turns": TURNS[open.year],
        "steps": STEP_NAMES,
        "supply": {str(seat): points for seat, points in open.supply.items()},
        "counter": open.counter,
        "raids": len(at(open, RAID, US)),
        "held": sorted(held),
        "supplied": sorted(supplied),
        "contested": contested(open),
        "result": result,
        "result_level": level_of(open.year, result),
        "forces": {name: _force(force) for name, force in open.forces.items()},
        "returned": {kind: list(queue) for kind, queue in open.returned.items()},
        "auto_held": list(open.auto_held),
        "scouts": dict(open.scouts),
        "battles": list(open.battles),
        "counts": list(open.counts),
        "results": {str(year): count for year, count in open.results.items()},
        "map": MAP,
        "boxes": BOXES,
        "battle_areas": BATTLE_MAP,
        "counters": printed(open.year),
        "charts": charts(open.year),
    }
    if open.turn:
        shown["date"] = f"{TRACK[open.turn - 1]} {open.year}"
    if open.step:
        shown["step"], shown["step_name"] = open.step, STEPS[open.step - 1]
    if invasion := at(open, INV, US):
        shown["invasion"] = sum(COUNTERS[name].buy for name in invasion)
    if open.battle is not None:
        shown["battle"] = _battle(open, open.battle)
    if open.level:
        shown["level"] = open.level
    return shown


class _Waiting(Struct):
    """What is read of the procedure that waits, whichever it is; the fields are those of `hits.Hits`."""

    type: str
    at: str = ""
    victim: int = 0
    kind: str = ""
    area: str = ""
    target: str = ""


_waiting = json.Decoder(_Waiting).decode


def waiting(state: State[Any, Any]) -> dict[str, Any]:
    """Return the hit that somebody is asked about: whom it falls on, of what, where, and if named its target.

    It stands in the bookmark alone, which nothing hides from anybody here (N0.6).
    """
    if not state.asked or not state.frames or state.match.over:
        return {}
    hit = _waiting(state.frames[-1])
    if hit.type != "Hits":
        return {}
    shown = {"victim": SIDES[hit.victim], "kind": hit.kind, "area": hit.area}
    return {"hit": shown | {"target": hit.target} if hit.at == "cancel" else shown}


def _force(force: Force) -> dict[str, Any]:
    shown: dict[str, Any] = {"place": force.place}
    if force.damaged:
        shown["damaged"] = True
    if force.aboard:
        shown["aboard"] = True
    if force.moved:
        shown["moved"] = True
    if force.arrived:
        shown["arrived"] = True
    if force.seat >= 0:
        shown["seat"] = force.seat
    return shown


def _battle(open: Open, battle: Battle) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "area": battle.area,
        "seat": battle.seat,
        "turn": battle.turn,
        "left": battle.left,
        "ships": dict(battle.ships),
        "foxhole": sorted(battle.foxhole),
        "beach": sorted(battle.beach),
        "transports": {SIDES[side]: transported(open, side) for side in (US, JA)},
        "airfields": {SIDES[side]: count for side, count in battle.airfields.items()},
        "planes": {name: _plane(plane) for name, plane in battle.planes.items()},
        "rooms": dict(battle.rooms),
        "plans": battle.plans,
        "cup": len(battle.cup),
        "in_force": list(battle.in_force),
        "screening": battle.screening,
        "points": battle.points,
        "held": list(battle.held),
        "used": list(battle.used),
    }
    if battle.step:
        shown["step"], shown["over"] = battle.step, battle.over
    return shown


def _plane(plane: Plane) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    if plane.home:
        shown["home"] = plane.home
    if plane.at:
        shown["at"] = plane.at
    for field in ("damaged", "flown", "dived"):
        if getattr(plane, field):
            shown[field] = True
    return shown


def _plain(what: Any) -> Any:
    return without_nulls(to_builtins(what, str_keys=True))


@cache
def printed(year: int) -> dict[str, Any]:
    """Return what is printed on the counters of a year: forces, battalions, carrier aircraft."""
    names = [name for name, counter in COUNTERS.items() if counter.type == "BN"]
    names += FORCES[year]
    names += [name for ship in FORCES[year] for name in FLIGHTS.get(ship, ())]
    return {name: {k: v for k, v in _plain(COUNTERS[name]).items() if k != "id"} for name in names}


@cache
def charts(year: int) -> dict[str, Any]:
    """Return the charts of a year: orders, plans, tables."""
    charts: dict[str, Any] = _plain(
        {
            "orders": ORDERS,
            "us_plans": US_PLANS,
            "ja_plans": JA_PLANS,
            "reinforcements": REINFORCEMENTS,
            "evaluation": EVALUATION[year],
            "invasion": INVASION,
            "linked": LINKED,
            "objectives": OBJECTIVES[year],
        }
    )
    return charts


def names() -> dict[str, str]:
    """Return the display name of every id that occurs."""
    named = {f"side:{number}": name for number, name in enumerate(SIDE_NAMES)}
    named |= dict(zip(SIDES, SIDE_NAMES, strict=True))
    named |= {area.id: area.name for area in AREAS.values()}
    named |= {area.id: area.name for area in BATTLE_AREAS.values()}
    named |= BOXES | {JA_RE: "Japanese reinforcements"}
    named |= {plan.id: plan.name for plan in [*US_PLANS.values(), *JA_PLANS.values()]}
    named |= {order: order for order in ORDERS}
    whose = {"US": "US", "JA": "Japanese"}
    named |= told_apart([(one.id, one.name, whose[one.side]) for one in COUNTERS.values()])
    named |= {"airfield": "an airfield", "transport": "the transports"}
    named |= {"SHIP": "ships", "INF": "infantry", "LBA": "aircraft"}
    for kind in ("bombers", "fighters"):
        named |= {f"{kind}:{ship}": f"{kind.capitalize()} of {COUNTERS[ship].name}" for ship in FLIGHTS}
        named |= {f"{kind}:LBA": f"Land-based {kind}"}
    return named


STEP_NAMES = list(STEPS)
MAP: dict[str, Any] = {
    name: {k: v for k, v in _plain(area).items() if k != "id"} for name, area in AREAS.items()
}
BATTLE_MAP: dict[str, Any] = {name: _plain(area) for name, area in BATTLE_AREAS.items()}
