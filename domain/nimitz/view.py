"""Makes the table as pages and bots get it (`domain.nimitz.shown`) from the open table."""

from functools import cache
from typing import Any, Final, Literal, NamedTuple, TypeVar, cast

from msgspec import Struct, convert, json, structs

from domain.kernel.facts import State
from domain.match.game import told_apart
from domain.match.parts import Part, Parts
from domain.nimitz import shown
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
    SIDE_OF,
    SIDES,
    TRACK,
    TURNS,
    US,
    US_PLANS,
)
from domain.nimitz.facts import STEPS
from domain.nimitz.rows import CounterKind
from domain.nimitz.table import INV, JA_RE, RAID, Battle, Force, Open, Plane, is_ashore, supply_from
from domain.nimitz.victory import invasion_points, level_of

T = TypeVar("T")


class _Ground(Struct, frozen=True):
    """What is computed from the places of the forces."""

    held: tuple[str, ...]
    supplied: tuple[str, ...]
    contested: tuple[str, ...]
    result: int
    result_level: str
    raids: int
    invasion: int | None


MODES: Final[tuple[Literal["a", "b", "c"], ...]] = ("a", "b", "c")


def view(open: Open, parts: Parts) -> Part:
    """Return the table; both sides and onlookers see the same (N0.6)."""
    if not open.year:
        return Part()
    spots = parts.one(_spots, parts.each(_spot, open.forces))
    ground = parts.one(_ground, spots, open.year)
    return shown.Table(
        year=open.year,
        mode=MODES[open.mode - 1],
        linked=open.linked,
        turn=open.turn,
        turns=TURNS[open.year],
        steps=STEPS,
        supply=open.supply,
        counter=open.counter,
        raids=ground.raids,
        held=ground.held,
        supplied=ground.supplied,
        contested=ground.contested,
        result=ground.result,
        result_level=ground.result_level,
        forces=parts.each(_force, open.forces),
        returned=parts.one(_returned, open.returned),
        auto_held=tuple(open.auto_held),
        scouts=open.scouts,
        battles=tuple(open.battles),
        counts=tuple(open.counts),
        results=open.results,
        map=MAP,
        boxes=BOXES,
        battle_areas=BATTLE_AREAS,
        counters=printed(open.year),
        charts=charts(open.year),
        date=f"{TRACK[open.turn - 1]} {open.year}" if open.turn else "",
        step=open.step,
        step_name=STEPS[open.step - 1] if open.step else "",
        invasion=ground.invasion,
        battle=parts.same(_battle(open, open.battle, parts)) if open.battle else None,
        level=open.level,
    )


class _Spot(NamedTuple):
    """What the ground depends on of a force; in the boxes of raids and of the invasion each one counts."""

    place: str
    side: int
    ashore: bool
    name: str = ""


def _spot(name: str, force: Force) -> _Spot:
    side, ashore = SIDE_OF[name], is_ashore(Open(forces={name: force}), name)
    return _Spot(force.place, side, ashore, name if force.place in {RAID, INV} else "")


def _spots(spots: dict[str, _Spot]) -> frozenset[_Spot]:
    return frozenset(spots.values())


def _ground(spots: frozenset[_Spot], year: int) -> _Ground:
    ours, theirs = [
        [spot for spot in spots if spot.side == side and spot.place in AREAS] for side in (US, JA)
    ]
    held, supplied = supply_from(
        {spot.place for spot in ours if spot.ashore}, {spot.place for spot in theirs if spot.ashore}
    )
    invasion = {spot.name: Force(INV) for spot in spots if spot.place == INV and spot.side == US}
    reached = sum(area in held for area in OBJECTIVES[year])
    reached += invasion_points(Open(year=year, forces=invasion))
    return _Ground(
        tuple(sorted(held)),
        tuple(sorted(supplied)),
        tuple(sorted({spot.place for spot in ours} & {spot.place for spot in theirs})),
        reached,
        level_of(year, reached),
        sum(spot.place == RAID and spot.side == US for spot in spots),
        sum(COUNTERS[name].buy for name in invasion) if invasion else None,
    )


def _returned(returned: dict[str, list[str]]) -> dict[CounterKind, tuple[str, ...]]:
    return {cast("CounterKind", kind): tuple(queue) for kind, queue in returned.items()}


def _force(_name: str, force: Force) -> shown.Force:
    return shown.Force(**structs.asdict(force))


def _battle(open: Open, battle: Battle, parts: Parts) -> shown.Battle:
    transports: shown.BySide[tuple[str, ...]] = {
        "US": tuple(transported(open, US)),
        "JA": tuple(transported(open, JA)),
    }
    return shown.Battle(
        area=battle.area,
        seat=battle.seat,
        turn=battle.turn,
        left=battle.left,
        ships=cast("dict[str, shown.Place]", battle.ships),
        foxhole=tuple(sorted(battle.foxhole)),
        beach=tuple(sorted(battle.beach)),
        transports=transports,
        airfields=cast("shown.OfSides[int]", {SIDES[side]: n for side, n in battle.airfields.items()}),
        planes=parts.each(_plane, battle.planes),
        rooms=battle.rooms,
        plans=battle.plans,
        cup=len(battle.cup),
        in_force=tuple(battle.in_force),
        screening=battle.screening,
        points=battle.points,
        held=tuple(battle.held),
        used=tuple(battle.used),
        step=battle.step,
        over=battle.over if battle.step else None,
    )


def _plane(_name: str, plane: Plane) -> shown.Plane:
    return shown.Plane(**structs.asdict(plane))


class _Waiting(Struct):
    """The fields of `hits.Hits`, decoded from the procedure that waits, whichever it is."""

    type: str
    at: str = ""
    victim: int = 0
    kind: str = ""
    area: str = ""
    target: str = ""


_waiting = json.Decoder(_Waiting).decode


def waiting(table: Part, state: State[Any, Any]) -> Part:
    """Return the table with the hit that somebody is asked about, if there is one.

    The hit is in the stack of procedures alone, which holds nothing hidden here (N0.6).
    """
    if not isinstance(table, shown.Table) or not state.asked or not state.stack or state.match.over:
        return table
    hit = _waiting(state.stack[-1])
    if hit.type != "Hits":
        return table
    target = hit.target if hit.at == "cancel" else ""
    return structs.replace(
        table, hit=shown.Hit(victim=SIDES[hit.victim], kind=hit.kind, area=hit.area, target=target)
    )


@cache
def printed(year: int) -> dict[str, shown.Counter]:
    """Return what is printed on the counters of a year: forces, battalions, carrier aircraft."""
    names = [name for name, counter in COUNTERS.items() if counter.type == "BN"]
    names += FORCES[year]
    names += [name for ship in FORCES[year] for name in FLIGHTS.get(ship, ())]
    return {name: _printed(COUNTERS[name], shown.Counter) for name in names}


@cache
def charts(year: int) -> shown.Charts:
    """Return the charts of a year: orders, plans, tables."""
    return shown.Charts(
        orders=_printed(ORDERS, dict[str, shown.OrderRow]),
        us_plans=_printed(US_PLANS, dict[str, shown.Plan]),
        ja_plans=_printed(JA_PLANS, dict[str, shown.Plan]),
        reinforcements=_printed(REINFORCEMENTS, tuple[shown.Span, ...]),
        evaluation=_printed(EVALUATION[year], tuple[shown.Span, ...]),
        invasion=_printed(INVASION, tuple[shown.Span, ...]),
        linked=_printed(LINKED, tuple[shown.Span, ...]),
        objectives=OBJECTIVES[year],
    )


def _printed(rows: Any, kind: type[T]) -> T:
    return convert(rows, kind, from_attributes=True)


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


MAP = _printed(AREAS, dict[str, shown.Area])
