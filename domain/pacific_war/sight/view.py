"""Makes the table as pages and bots get it (`domain.pacific_war.sight.shown`) from the ledgers."""

from collections.abc import Collection, Iterable
from functools import cache
from typing import TypeVar

from msgspec import structs

from domain.match.game import told_apart
from domain.match.parts import Part, Parts
from domain.pacific_war.battle.sequence import OF_THE_WAR, PHASES
from domain.pacific_war.board import table
from domain.pacific_war.board.atlas import area
from domain.pacific_war.board.campaigns import CAMPAIGNS, HEADQUARTERS
from domain.pacific_war.board.charts import (
    AIR,
    BOATS,
    BOXES,
    CLASSES,
    GROUND,
    LOCATIONS,
    MARKERS,
    OWNERS,
    PARTS,
    SCENARIOS,
    SHIPS,
    SIDE_NAMES,
    SIDES,
    SPEED,
    figures,
)
from domain.pacific_war.board.combat import month
from domain.pacific_war.board.special_boats import NAMES
from domain.pacific_war.board.table import Open, Own
from domain.pacific_war.months.commands import DUTY
from domain.pacific_war.months.schedule import strategic
from domain.pacific_war.sight import campaign_view, shown

T = TypeVar("T")

WAR = tuple(shown.StepOfPlay(phase=phase, name=name) for phase, name in PHASES.items())
"""P5.1, P5.2: the phases of the war."""
MONTH = tuple(step for step in WAR if step.phase not in OF_THE_WAR)
"""P5.1, P5.2: the phases of a campaign."""
SEQUENCE_OF_PLAY = tuple(step for step in WAR if step.phase.startswith("5.2"))
"""P5.2: the phases of a battle."""


def names() -> dict[str, str]:
    """Return ids to the names that players read; a part of a division is called after it (P16.9).

    Pages make the name of a part themselves, since there are as many as other names of ground units.
    """
    parts = {part for three in PARTS.values() for part in three}
    things = [
        (unit.id, unit.name, SIDE_NAMES[OWNERS[unit.id]])
        for units in (SHIPS, AIR, GROUND)
        for unit in units.values()
        if unit.id not in parts
    ]
    markers = {
        f"{SIDES[side][0]}{n}": f"TF {SIDES[side][0]}{n}"
        for side in (0, 1)
        for n in range(1, MARKERS[side] + 1)
    }
    places = {place: one.name for places in (LOCATIONS, BOXES) for place, one in places.items()}
    sides = {f"side:{side}": name for side, name in enumerate(SIDE_NAMES)}
    seats = {f"seat:{side}": name for side, name in enumerate(SIDE_NAMES)}
    staffs = {hq: one.name for hq, one in HEADQUARTERS.items()}
    return told_apart(things) | markers | places | staffs | sides | seats | NAMES | {DUTY: "merchant duty"}


def view(open: Open, parts: Parts) -> Part:
    """Return what onlookers see."""
    if not open.scenario:
        return Part()
    battle = SCENARIOS.get(open.scenario)
    return shown.Table(
        scenario=open.scenario,
        month=month(open),
        cycle=open.cycle,
        cycles=battle.battle_cycles if battle else 0,
        phase=open.phase,
        sequence_of_play=SEQUENCE_OF_PLAY if battle else WAR if strategic(open) else MONTH,
        lighting=open.lighting,
        advantage=_side(open.advantage),
        operation=SIDES[open.operation],
        area=_area(open.scenario),
        roster=roster(open.scenario),
        locations=parts.each(_location, open.bases, *open.ports, *open.airfields),
        tfs=parts.each(
            _tf, open.tfs, open.contents, parts.one(_speeds, open.scenario, open.contents, open.ships)
        ),
        ships=parts.one(_public_ships, open.scenario, open.ships),
        air=parts.each(_air, open.air),
        ground=parts.each(_ground, open.ground),
        troops=parts.one(_by_side, tuple(open.troops[0]), tuple(open.troops[1])),
        patrols=parts.each(_patrol, open.patrols),
        lost=parts.one(dict, open.lost),
        steps_lost=parts.one(_counts, *open.steps_lost),
        struck=tuple(open.struck),
        raids=parts.one(_raids, open.raids),
        naval=parts.one(_naval, open.naval) if open.naval else None,
        landed=parts.one(_landed, open.landed) if open.landed else None,
        points=_pair(*open.points) if open.points else None,
        level=open.level,
        war=parts.one(campaign_view.months, open.scenario, open.war, _manned(open)) if open.war else None,
    )


def screen(seen: Part, open: Open, own: Own, parts: Parts) -> Part:
    """Return what a side sees: the table of the onlookers with its own screen."""
    if not isinstance(seen, shown.Table):
        return seen
    side = next((OWNERS[unit] for unit in (*own.ships, *own.air, *own.ground)), 0)
    mine = shown.Screen(
        side=SIDES[side],
        fleets=parts.one(_fleets, open.scenario, own.fleets, own.ships),
        ships=parts.one(_own_ships, open.scenario, own.ships),
        air=parts.each(_air, own.air),
        ground=parts.each(_ground, own.ground),
        patrols=parts.one(dict, own.patrols),
        plan=parts.one(_plan, own.plan) if own.plan else None,
        origin=own.origin,
        means=parts.one(campaign_view.means, own.means) if open.war else None,
    )
    return structs.replace(seen, own=parts.same(mine))


def _manned(open: Open) -> tuple[str, ...]:
    """Return the seaplane bases with an air unit (P34.1)."""
    return tuple(place for places in open.airfields for place in places if place in BOATS)


@cache
def _area(scenario: str) -> tuple[str, ...]:
    return tuple(sorted(area(scenario)))


@cache
def roster(scenario: str) -> shown.Roster:
    """Return all units of a scenario as they are printed."""
    if scenario in CAMPAIGNS:
        return _roster(scenario, campaign_view.units(scenario))
    battle = SCENARIOS[scenario]
    ships = {ship for tf in battle.tfs for ship in (*tf.core, *tf.screen)}
    ships |= {ship for harbour in battle.naval for ship in harbour.units}
    cargo = {name.partition(":")[0] for tf in battle.tfs for load in tf.cargo.values() for name in load}
    units = {*ships, *cargo, *(row.id for row in battle.ground), *(row.id for row in battle.air)}
    return _roster(scenario, units, [row.id for row in battle.air])


def _roster(scenario: str, units: Collection[str], wings: Iterable[str] = ()) -> shown.Roster:
    """Return units as they are printed; `wings` is the order of the air units, by default that of ids."""
    printed = figures(scenario)
    return shown.Roster(
        ships={ship: _naval_unit(scenario, ship) for ship in sorted(units) if ship in SHIPS},
        air={unit: _air_unit(unit) for unit in (wings or sorted(units)) if unit in AIR},
        ground={
            unit: shown.GroundUnit(
                name=one.name,
                side=one.side,
                nation=one.nat,
                size=one.size,
                tq=one.tq,
                most=one.max_steps,
                flags=one.flags,
            )
            for unit in sorted(units)
            if unit in GROUND
            for one in (printed.ground[unit],)
        },
    )


def _naval_unit(scenario: str, ship: str) -> shown.NavalUnit:
    one = figures(scenario).ships[ship]
    return shown.NavalUnit(
        name=one.name,
        side=one.side,
        nation=one.nat,
        cls=one.cls,
        gun=one.gun,
        aa=one.aa,
        torp=one.torp,
        asw=one.asw,
        def_g=one.def_g,
        def_a=one.def_a,
        hits=one.hits,
        speed=one.spd,
        cap=one.cap,
        lift=one.lift,
        reload=one.reload,
        float_planes=one.float_planes,
    )


def _air_unit(unit: str) -> shown.AirUnit:
    one, cls = AIR[unit], CLASSES[AIR[unit].cls]
    return shown.AirUnit(
        name=one.name,
        side=one.side,
        nation=one.nat,
        cls=one.cls,
        kind=cls.kind,
        range=cls.range,
        air=cls.air,
        nav=cls.nav,
        gnd=cls.gnd,
        most=one.max_steps,
    )


def _side(side: int) -> shown.SideId | None:
    return SIDES[side] if side >= 0 else None


def _pair(japan: T, allies: T) -> shown.BySide[T]:
    return {"JP": japan, "AL": allies}


def _by_side(japan: tuple[str, ...], allies: tuple[str, ...]) -> shown.BySide[tuple[str, ...]]:
    return _pair(tuple(sorted(japan)), tuple(sorted(allies)))


def _counts(japan: int, allies: int) -> shown.BySide[int]:
    return _pair(japan, allies)


def _location(
    place: str, base: table.Base, ports_0: bool, ports_1: bool, air_0: bool, air_1: bool
) -> shown.Location:
    printed = LOCATIONS[place]
    return shown.Location(
        name=printed.name,
        hex=printed.hex,
        control=SIDES[base.control],
        terrain=printed.terrain,
        port=base.port,
        port_damage=base.port_damage,
        airbase=base.airbase,
        airbase_damage=base.airbase_damage,
        fort=base.fort,
        fort_hit=base.fort_hit,
        resource_damage=base.resource_damage,
        osb=base.osb,
        command=base.command,
        emergency=base.emergency,
        coast=printed.coast or "",
        ships=tuple(side for side, there in zip(SIDES, (ports_0, ports_1), strict=True) if there),
        aircraft=tuple(side for side, there in zip(SIDES, (air_0, air_1), strict=True) if there),
    )


def _tf(
    _tf: str, force: table.TaskForce, inside: table.Contents | None, speed: str | None
) -> shown.TaskForce:
    return shown.TaskForce(
        side=SIDES[force.side],
        node=force.node,
        detected=force.detected,
        busy=force.busy,
        fought=force.fought,
        core=inside.core if inside else (),
        screen=inside.screen if inside else (),
        speed=speed or "",
        seen=force.seen,
        seen_cycle=force.seen_cycle,
    )


def _speeds(
    scenario: str, contents: dict[str, table.Contents], ships: dict[str, table.Ship]
) -> dict[str, str]:
    return {tf: _slowest(scenario, inside, ships) for tf, inside in contents.items()}


def _slowest(scenario: str, inside: table.Contents, ships: dict[str, table.Ship]) -> str:
    printed = figures(scenario).ships
    classes = [
        "S" if ships[ship].damage * 2 >= printed[ship].hits else printed[ship].spd
        for ship in inside.ships
        if ship in ships
    ]
    return min(classes, key=SPEED.__getitem__, default="S")


def _fleets(
    scenario: str, fleets: dict[str, table.Fleet], ships: dict[str, table.Ship]
) -> dict[str, shown.Fleet]:
    return {
        tf: shown.Fleet(
            core=fleet.ships.core,
            screen=fleet.ships.screen,
            speed=_slowest(scenario, fleet.ships, ships),
            used=fleet.used,
            stopped=fleet.stopped,
        )
        for tf, fleet in fleets.items()
    }


def _public_ships(scenario: str, ships: dict[str, table.Ship]) -> dict[str, shown.Ship]:
    return {ship: _ship(scenario, ship, one) for ship, one in ships.items()}


def _own_ships(scenario: str, ships: dict[str, table.Ship]) -> dict[str, shown.Ship]:
    return {ship: _ship(scenario, ship, one) for ship, one in ships.items()}


def _ship(scenario: str, ship: str, one: table.Ship) -> shown.Ship:
    return shown.Ship(
        tf=one.tf,
        port=one.port,
        damage=one.damage,
        crippled=one.damage * 2 >= figures(scenario).ships[ship].hits,
        inactive=not one.active,
        isolated=one.isolated,
        assault=one.assault,
    )


def _air(_unit: str, air: table.Air) -> shown.Air:
    return shown.Air(
        home=air.home,
        steps=air.steps,
        level=air.level,
        inactive=not air.active,
        ready=air.ready,
        cap=air.cap,
        searching=air.searching,
        isolated=air.isolated,
    )


def _ground(_unit: str, ground: table.Ground) -> shown.Ground:
    return shown.Ground(
        hex=ground.hex,
        aboard=ground.aboard,
        steps=ground.steps,
        broken=ground.broken,
        inactive=not ground.active,
        landing=ground.landing,
        moved=ground.moved,
        isolated=ground.isolated,
    )


def _patrol(_hex: str, patrol: table.Patrol) -> shown.Patrol:
    return shown.Patrol(side=SIDES[patrol.side], points=patrol.points)


def _raids(raids: tuple[table.Raid, ...]) -> tuple[shown.Raid, ...]:
    return tuple(
        shown.Raid(
            side=SIDES[raid.side],
            kind=raid.kind,
            target=raid.target,
            origin=raid.origin,
            strike=raid.strike,
            escort=raid.escort,
            found=raid.found,
            answer=raid.answer,
            kamikaze=raid.kamikaze,
        )
        for raid in raids
    )


def _naval(battle: table.NavalBattle) -> shown.NavalBattle:
    return shown.NavalBattle(
        node=battle.node,
        forces=_pair(*battle.forces),
        ports=_pair(*battle.ports),
        phase=battle.phase,
        range=battle.range,
        surprise=_side(battle.surprise),
    )


def _landed(battle: table.GroundBattle) -> shown.GroundBattle:
    return shown.GroundBattle(hex=battle.hex, attacker=_side(battle.attacker), attackers=battle.attackers)


def _plan(plan: table.Plan) -> shown.Plan:
    return shown.Plan(
        kind=plan.kind,
        origin=plan.origin,
        target=plan.target,
        strike=plan.strike,
        escort=plan.escort,
        para=plan.para,
        kamikaze=plan.kamikaze,
    )
