"""P16 Replacements: steps for air and ground units, levels, units raised anew; assault transports (P15.2).

Steps are kept by nation and kind, `US.1E`; the Dutch and the Chinese draw on those of the Commonwealth. What
is left when the next month comes is lost. Divisions are in `divisions`, ground units that come back in
`raised`.
"""

from domain.kernel.procedures import Decision
from domain.pacific_war.board.boxes import travelling
from domain.pacific_war.board.charts import AIR, BOXES, JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.room import hangars, takes
from domain.pacific_war.board.table import (
    Open,
    Own,
    Sight,
    Table,
    air_class,
    contested,
    printed,
    troop,
)
from domain.pacific_war.command.emergency import supported, supports_bases
from domain.pacific_war.command.links import payers, supplied
from domain.pacific_war.decisions.dispositions import (
    BreakDown,
    NewAirUnit,
    NewGroundUnit,
    OfSteps,
    RaiseLevel,
    RecombineGround,
    ReplaceAir,
    ReplaceGround,
    SwapLevels,
    To,
    UpgradeAA,
    With,
)
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.months import MeansAre, war
from domain.pacific_war.months import divisions, raised
from domain.pacific_war.months.desk import Chapter, Desk, pay, ready
from domain.pacific_war.months.schedule import replacement_steps

_TABLE = TABLES["replacements"]
MOST_AIR: int = _TABLE["max_per_air_unit"]
MOST_GROUND: int = _TABLE["max_per_ground_unit"]
LEVEL_COST: int = _TABLE["status_up_cost_steps"]
HIGHEST = 2
"""P2.2.3: the highest status level."""
JAPAN_TO_HIGHEST, JAPAN_AT_ALL = "1943-01", "1944-07"
"""P16.3: months from which Japan does not raise to the highest level, and raises no level."""
LARGE = 3
"""P16.3: size of an airbase at which a unit is raised anew."""
UPGRADE_COST, MOST_UPGRADES = 2, 4
"""P15.2.4: Command Points for an upgrade, and how many Japanese transports can have one."""
UPGRADES_FROM = ("1942-01", "1943-01")
"""P15.2.4: the month from which Japan and the Allies upgrade transports."""


def enter(table: Table, side: int) -> None:
    """Give a side the replacement steps of the month; unused ones are lost (P16.1)."""
    nations = ("JP",) if side == JAPAN else ("US", "CW")
    rows = replacement_steps(table.open)
    steps = {f"{nation}.{kind}": n for nation in nations for kind, n in rows[nation].items()}
    table.record(MeansAre(side, steps=steps, why="replacements"))


def air_purse(unit: str) -> str:
    """Return which steps an air unit draws on (P16.1)."""
    nation = AIR[unit].nat
    return f"{nation}.{air_class(unit).kind}" if nation in ("JP", "US") else "CW.any_air"


def ground_purse(open: Open, unit: str) -> str:
    """Return which steps a ground unit draws on (P16.1)."""
    nation = troop(open, unit).nat
    return f"{nation if nation in ('JP', 'US') else 'CW'}.ground"


def options(sight: Sight, desk: Desk) -> list[Decision]:
    """Return all that can be done with replacements."""
    board, own, side = sight.open, sight.own, sight.side
    flyers = [unit for unit in sorted(own.air) if serviced(sight, unit)]
    left = own.means.steps
    return [
        *(ReplaceAir(unit) for unit in flyers if _filled(sight, desk, unit)),
        *(
            RaiseLevel(unit)
            for unit in flyers
            if left.get(air_purse(unit), 0) >= LEVEL_COST
            and own.air[unit].level < highest(board, side)
            and f"raised:{unit}" not in desk.done
        ),
        *map(ReplaceGround, troops_short(sight, desk)),
        *(BreakDown(unit) for unit in divisions.breakable(sight, desk)),
        *(RecombineGround(unit) for unit in divisions.recombinable(sight, desk)),
        *upgrades(sight),
        *(
            NewAirUnit(unit)
            for unit in sorted(own.air)
            if left.get(air_purse(unit), 0) and fields(sight, unit)
        ),
        *(
            NewGroundUnit(unit)
            for unit in raised.raisable(sight, desk)
            if left.get(ground_purse(board, unit), 0)
        ),
        *(SwapLevels(unit) for unit in sorted(own.air) if partners(own, desk, unit)),
    ]


def flyers_short(sight: Sight, desk: Desk) -> list[str]:
    """Return the air units that can get a step, by id (P16.2)."""
    own = sight.own
    return [unit for unit in sorted(own.air) if _filled(sight, desk, unit) and serviced(sight, unit)]


def troops_short(sight: Sight, desk: Desk) -> list[str]:
    """Return the ground units that can get a step, by id (P16.4)."""
    return [unit for unit in sorted(sight.own.ground) if _refilled(sight, desk, unit)]


def _filled(sight: Sight, desk: Desk, unit: str) -> bool:
    """Return whether there is a step for an air unit, and room for it where it is."""
    own = sight.own
    return (
        own.means.steps.get(air_purse(unit), 0) > 0
        and own.air[unit].steps < room(sight.open, own, unit)
        and desk.done.count(f"air:{unit}") < MOST_AIR
    )


def serviced(sight: Sight, unit: str) -> bool:
    """Return whether an air unit can get steps: where its base is Linked (P11.7 too), or in a box (P16.2)."""
    own = sight.own
    air = own.air[unit]
    if not air.steps or air.active or travelling(own, unit):
        return False
    place = own.ships[air.home].port if air.home in own.ships else air.home
    return place in BOXES or (bool(place) and _supplied(sight, place))


def _supplied(sight: Sight, place: str) -> bool:
    """Return whether a base is Linked for replacements: by a headquarters or an emergency link (P11.7)."""
    board, own, side = sight.open, sight.own, sight.side
    return ready(board, own, side, place) or supports_bases(board, own, place)


def room(open: Open, own: Own, unit: str) -> int:
    """Return the most steps that an air unit can have where it is."""
    most, home = AIR[unit].max_steps, own.air[unit].home
    if home not in own.ships:
        return most
    others = sum(air.steps for one, air in own.air.items() if air.home == home and one != unit)
    return min(most, printed(open, home).cap - others)


def highest(open: Open, side: int) -> int:
    """Return the level to which a side can raise an air unit now (P16.3)."""
    month = war(open).month
    if side != JAPAN or month < JAPAN_TO_HIGHEST:
        return HIGHEST
    return HIGHEST - 1 if month < JAPAN_AT_ALL else 0


def _refilled(sight: Sight, desk: Desk, unit: str) -> bool:
    """Return whether a ground unit can get a step (P16.4)."""
    board, own = sight.open, sight.own
    ground = own.ground[unit]
    return (
        bool(ground.hex)
        and not ground.active
        and not travelling(own, unit)
        and ground.steps < troop(board, unit).max_steps
        and own.means.steps.get(ground_purse(board, unit), 0) > 0
        and desk.done.count(f"ground:{unit}") < MOST_GROUND
        and (supplied(own, sight.side, ground.hex) or supported(board, own, unit))
        and not contested(board, ground.hex)
        and divisions.stacks(own, ground.hex)
    )


def upgrades(sight: Sight) -> list[Decision]:
    """Return the transports that can be fitted out for assault, and who pays (P15.2.4)."""
    board, own, side = sight.open, sight.own, sight.side
    if war(board).month < UPGRADES_FROM[side]:
        return []
    if side == JAPAN and sum(ship.assault for ship in own.ships.values()) >= MOST_UPGRADES:
        return []
    return [
        UpgradeAA(ship, hq)
        for ship, one in sorted(own.ships.items())
        if one.port
        and not (one.active or one.assault or travelling(own, ship))
        and printed(board, ship).cls == "AA"
        and ready(board, own, side, one.port)
        for hq in payers(own, LOCATIONS[one.port].hex, UPGRADE_COST)[:1]
    ]


def fields(sight: Sight, unit: str) -> list[str]:
    """Return where an eliminated air unit can come back, by id (P16.3.3).

    That is at an airbase of the homeland or in a box; one that is not a carrier group also at a Linked
    airbase of size 3 or more.
    """
    board, own, side = sight.open, sight.own, sight.side
    if own.air[unit].steps:
        return []
    bases = [
        place
        for place, base in board.bases.items()
        if base.control == side
        and base.airbase
        and (
            (side == JAPAN and LOCATIONS[place].homeland)
            or (not AIR[unit].carrier and base.airbase >= LARGE and _supplied(sight, place))
        )
    ]
    boxes = [box for box in BOXES if takes(board, own, box, unit) and raised.in_play(board, box)]
    return sorted([*hangars(board, own, bases), *boxes])


def partners(own: Own, desk: Desk, unit: str) -> list[str]:
    """Return the air units with which one can exchange levels: of its class, at its airbase (P16.5)."""
    air, done = own.air[unit], desk.done
    if not air.steps or air.active or air.home not in LOCATIONS or f"swapped:{unit}" in done:
        return []
    if travelling(own, unit):
        return []
    return sorted(
        other
        for other, one in own.air.items()
        if one.home == air.home
        and one.steps
        and not one.active
        and not travelling(own, other)
        and one.level != air.level
        and AIR[other].cls == AIR[unit].cls
        and f"swapped:{other}" not in done
    )


def picks(desk: Desk, decision: Decision) -> tuple[str, ...]:
    """Return what is picked so far."""
    match decision:
        case NewAirUnit(unit):
            return "new", unit
        case NewGroundUnit(unit):
            return "ground", unit
        case SwapLevels(unit):
            return "swap", unit
        case To(place):
            return (*desk.picked, place)
    return ()


def seconds(sight: Sight, desk: Desk) -> list[Decision]:
    """Return what may follow what is picked."""
    own = sight.own
    match desk.picked:
        case "swap", unit:
            return [With(other) for other in partners(own, desk, unit)]
        case "new", unit:
            return [To(place) for place in fields(sight, unit)]
        case "ground", unit:
            left = own.means.steps.get(ground_purse(sight.open, unit), 0)
            return [OfSteps(steps + 1) for steps in range(raised.most(sight, unit, left))]
    _, unit, _ = desk.picked
    most = min(MOST_AIR, own.means.steps.get(air_purse(unit), 0), AIR[unit].max_steps)
    return [OfSteps(steps) for steps in range(1, most + 1)]


def then(picked: tuple[str, ...]) -> str:
    """Return what is asked after a pick."""
    match picked:
        case "swap", unit:
            return f"Choose the unit with which [{unit}] swaps levels."
        case "new", unit:
            return f"Choose where [{unit}] is raised anew."
        case "ground", unit:
            return f"With how many steps does [{unit}] come back?"
    return f"With how many steps does [{picked[1]}] come back at [{picked[2]}]?"


def take(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Do what was chosen."""
    board, own = table.open, table.own[side]
    now = Changes(table, "replacements")
    match decision:
        case ReplaceAir(unit):
            _spend(table, side, air_purse(unit), 1)
            had = own.air[unit].steps - desk.done.count(f"air:{unit}")
            new = desk.done.count(f"air:{unit}") + 1
            level = own.air[unit].level - (1 if new == had + 1 else 0)
            now.aircraft(unit, steps=own.air[unit].steps + 1, level=max(0, level))
            desk = desk.did(f"air:{unit}")
        case RaiseLevel(unit):
            _spend(table, side, air_purse(unit), LEVEL_COST)
            now.aircraft(unit, level=own.air[unit].level + 1)
            desk = desk.did(f"raised:{unit}")
        case ReplaceGround(unit):
            _spend(table, side, ground_purse(board, unit), 1)
            now.troops(unit, steps=own.ground[unit].steps + 1)
            desk = desk.did(f"ground:{unit}")
        case BreakDown(unit):
            return divisions.break_down(table, desk, unit)
        case RecombineGround(unit):
            return divisions.recombine(table, desk, unit)
        case UpgradeAA(ship, hq):
            pay(table, side, hq, UPGRADE_COST, "for an upgrade")
            now.ship(ship, assault=True)
        case OfSteps(steps) if desk.picked[0] == "ground":
            _, unit = desk.picked
            _spend(table, side, ground_purse(board, unit), steps)
            raised.come_back(now, Sight(side, side, board, own), unit, steps)
            desk = desk.did(raised.DONE)
        case OfSteps(steps):
            _, unit, place = desk.picked
            _spend(table, side, air_purse(unit), steps)
            now.aircraft(unit, home=place, steps=steps, level=0, active=False, isolated=False)
            desk = desk.did(*[f"air:{unit}"] * steps)
        case With(other):
            _, unit = desk.picked
            levels = own.air[unit].level, own.air[other].level
            now.aircraft(unit, level=levels[1])
            now.aircraft(other, level=levels[0])
            desk = desk.did(f"swapped:{unit}", f"swapped:{other}")
    now.record()
    return desk


def _spend(table: Table, side: int, purse: str, count: int) -> None:
    left = table.own[side].means.steps
    table.record(MeansAre(side, steps=left | {purse: left[purse] - count}, why="replacements"))


CHAPTERS = (
    Chapter(
        "16.1",
        "Spend replacement steps, change levels, break divisions down or recombine them, or be done.",
        options,
        take,
        picks,
        seconds,
        then,
        enter,
    ),
)
