"""Pacific War for a bot: what a month asks before its Operations (P10, P13 to P17).

Points go first to who leads the next landing, troops to what is threatened and then to where transports lie;
the rest is as the house proposes. Deliberately absent: headquarters that move, the pool of P10.4, and what
concerns merchants and bombers (`homefront`).
"""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.harbours import TRANSPORTS, idle_lift, in_ports, loaded, transports, waiting
from clients.bots.pacific_war.marches import by_land
from clients.bots.pacific_war.objectives import GREAT, SOME, contested, manned, swing, threatened, wanted
from clients.bots.pacific_war.plans import best_plan, prospects
from clients.bots.pacific_war.staff import need
from clients.bots.pacific_war.table import NEVER, ways
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import AIR, CLASSES, GROUND, LOCATIONS, SHIPS
from domain.pacific_war.decisions.dispositions import (
    BreakDown,
    BuildAirbase,
    BuildFort,
    EstablishECL,
    NewGroundUnit,
    OfSteps,
    PlaceHQ,
    To,
    Transport,
    UpgradeAA,
    With,
)
from domain.pacific_war.decisions.orders_of_month import AllocateCP, CommandPoints, Suggested, UndoAllocation

RESERVE: Final = 40
"""The Command Points that a headquarters keeps for Operations when it builds."""
AIRFIELD: Final = 2
WALLS: Final = 1
"""The size of airbase and fort that a place of great worth is built to."""
BESIDE: Final = 2
"""Hexes over land within which troops are brought up for a march."""
SPARE: Final = 0.5
"""The part of what may be given that the leading headquarters gets at least."""


# Command Points


def allocate(board: Board, options: Sequence[AllocateCP]) -> AllocateCP | None:
    """Give points first to the headquarters that leads the next landing."""
    plan = best_plan(board.table, funded=False)
    if plan is None or any(isinstance(one, UndoAllocation) for one in board.options):
        return None
    return next((one for one in options if one.hq == plan.hq), None)


def points(board: Board, options: Sequence[CommandPoints]) -> CommandPoints | None:
    """Give what the landing needs, and half of what there is at least."""
    plan, most = best_plan(board.table, funded=False), options[-1].points
    wanted_now = max(need(plan) if plan else 0, int(SPARE * most))
    return min(options, key=lambda one: abs(one.points - wanted_now))


# strategic transport and arrivals


def calls(board: Board) -> list[tuple[str, int]]:
    """Return the own places to which troops are to be carried, with the steps, the most urgent first.

    Threatened places that are worth something come first, then those from which troops can march, then ports
    where transports wait for troops.
    """
    table = board.table
    short = [
        (swing(table, place), place, wanted(table, place) - manned(table, place))
        for place in held(board)
        if wanted(table, place) > manned(table, place)
    ]
    waiting = list[tuple[float, str, int]]()
    for port, (ships, units) in in_ports(table, board.own).items():
        lift = sum(SHIPS[ship].lift for ship in ships)
        steps = sum(board.own.ground[unit].steps for unit in units)
        if steps < lift and port in held(board):
            waiting.append((float(lift), port, lift - steps))
    rows = [
        *sorted(short, reverse=True),
        *sorted(fronts(board), reverse=True),
        *sorted(waiting, reverse=True),
    ]
    return [(place, steps) for _, place, steps in rows]


def fronts(board: Board) -> list[tuple[float, str, int]]:
    """Return what places of the enemy beside ours are worth, our place there, and the steps it lacks."""
    ours, found = held(board), list[tuple[float, str, int]]()
    for one in prospects(board.table, board.own):
        if not one.hostile or one.worth < GREAT:
            continue
        near = by_land(board.table, board.own, one.place)
        beside = [p for p in ours if 0 < near.get(board.table.locations[p].hex, 0) <= BESIDE]
        best = max(beside, key=lambda place: (manned(board.table, place), place), default="")
        if best and (lacking := one.needed - manned(board.table, best)) > 0:
            found.append((one.worth, best, lacking))
    return found


def held(board: Board) -> list[str]:
    """Return the own places without enemy troops."""
    table = board.table
    return [p for p, base in table.locations.items() if base.control == board.me and not contested(table, p)]


def place_of(board: Board, unit: str) -> str:
    """Return the location at which an own unit is, or an empty string."""
    if unit in board.own.air:
        return board.own.air[unit].home
    spot = board.own.ground[unit].hex if unit in board.own.ground else ""
    return next((p for p, base in board.table.locations.items() if base.hex == spot), "")


def free(board: Board, unit: str) -> bool:
    """Return whether a ground unit can leave where it is: nothing calls for troops there."""
    place = place_of(board, unit)
    if not place:
        return False
    steps = board.own.ground[unit].steps
    lift = idle_lift(board.own).get(place, 0)
    return manned(board.table, place) - steps >= max(wanted(board.table, place), lift)


def carry(board: Board, options: Sequence[Transport]) -> Transport | None:
    """Carry troops to where they are called for: the best that are free, no more than needed."""
    table = board.table
    able = [o for o in options if o.unit in board.own.ground and free(board, o.unit)]
    for place, steps in calls(board):
        rows = [
            (board.own.ground[o.unit].steps > 2 * steps, -GROUND[o.unit].tq, distance(*ends), o.unit, o)
            for o in able
            if (ends := (board.own.ground[o.unit].hex, table.locations[place].hex))[0] != ends[1]
        ]
        if rows:
            return min(rows, key=lambda row: row[:4])[4]
    return None


def carried(board: Board, options: Sequence[To]) -> To | None:
    """Go where troops are called for; aircraft where the enemy is in their range."""
    offered = {option.place: option for option in options}
    unit = next((name for name in board.named if name in AIR or name in GROUND), "")
    if unit in AIR:
        foes = [base.hex for base in board.table.locations.values() if base.control == board.foe]
        reach = CLASSES[AIR[unit].cls].range

        def front(place: str) -> tuple[bool, float, str]:
            far = min((distance(LOCATIONS[place].hex, foe) for foe in foes), default=0)
            return (manned(board.table, place) == 0, abs(far - reach / 2), place)

        able = [place for place in offered if place in LOCATIONS]
        return offered[min(able, key=front)] if able else None
    for place, _ in calls(board):
        if place in offered:
            return offered[place]
    able = [place for place in offered if place in board.table.locations]
    return offered[max(able, key=lambda place: (swing(board.table, place), place))] if able else None


def raised(board: Board, options: Sequence[NewGroundUnit]) -> NewGroundUnit | None:  # noqa: ARG001
    """Raise the best of the units that were eliminated."""
    return max(options, key=lambda one: (GROUND[one.unit].tq, one.unit))


def of_steps(board: Board, options: Sequence[OfSteps]) -> OfSteps | None:  # noqa: ARG001
    """Raise it with all steps there are."""
    return max(options, key=lambda one: one.steps)


def assault(board: Board, options: Sequence[UpgradeAA]) -> UpgradeAA | None:
    """Fit transports out for assault where points are left."""
    return next((one for one in options if board.points_of.get(one.hq, 0) >= RESERVE), None)


def seat(board: Board, options: Sequence[PlaceHQ]) -> PlaceHQ | None:
    """Place the headquarters where the enemy threatens it least."""
    return min(
        options,
        key=lambda o: (o.site not in board.table.locations or threatened(board.table, o.site), o.site),
    )


# engineering


def airfield(board: Board, options: Sequence[BuildAirbase]) -> BuildAirbase | None:
    """Build an airbase where a place of great worth has a small one or none."""
    able = [one for one in options if rich(board, one.hq, one.location)]
    able = [one for one in able if board.table.locations[one.location].airbase < AIRFIELD]
    return max(able, key=lambda one: (swing(board.table, one.location), one.location), default=None)


def walls(board: Board, options: Sequence[BuildFort]) -> BuildFort | None:
    """Build a fort where a place of great worth is threatened."""
    able = [one for one in options if rich(board, one.hq, one.location)]
    able = [
        one
        for one in able
        if board.table.locations[one.location].fort < WALLS and threatened(board.table, one.location)
    ]
    return max(able, key=lambda one: (swing(board.table, one.location), one.location), default=None)


def rich(board: Board, hq: str, place: str) -> bool:
    """Return whether a headquarters has points to build at a place that is worth it."""
    return board.points_of.get(hq, 0) >= RESERVE and swing(board.table, place) >= GREAT


def broken_down(board: Board, options: Sequence[BreakDown]) -> BreakDown | None:
    """Break a division down that the ships which are there or are to come cannot take whole."""
    found = waiting(board.table, board.own)
    for port, ships in fleets(board).items():
        units = found.get(port, [])
        aboard = loaded(board.own, ships, units, NEVER)
        able = min(sum(SHIPS[s].lift for s in ships), sum(board.own.ground[u].steps for u in units))
        if sum(board.own.ground[unit].steps for unit in aboard) < able:
            whole = next((one for one in options if one.unit in units and one.unit not in aboard), None)
            if whole is not None:
                return whole
    return None


def fleets(board: Board) -> dict[str, list[str]]:
    """Return the ports where divisions broken down could land somewhere of worth, to the ships for them."""
    own, found = board.own, dict[str, list[str]]()
    if (to := board.rendezvous) is not None:
        found[to.port] = [s for s in transports(own) if SHIPS[s].nat in HEADQUARTERS[to.hq].nats][:TRANSPORTS]
    places = [one for one in prospects(board.table, own) if one.hostile and one.worth >= SOME]
    for port, (ships, units) in in_ports(board.table, own).items():
        lift = sum(SHIPS[ship].lift for ship in ships)
        if not units or loaded(own, ships, units, NEVER) or port in found:
            continue
        near = ways(LOCATIONS[port].coast or "", board.table.scenario)
        if any(one.needed <= lift and one.promise(near.get(one.shore)) >= SOME for one in places):
            found[port] = ships
    return found


LINKS: Final = ("destroyer", "air", "submarine")
"""P11.7: what keeps up a link, that which supports most steps first."""


def lifeline(board: Board, options: Sequence[EstablishECL]) -> EstablishECL | None:
    """Keep up a place of worth that is cut off, by what supports most troops there."""
    table = board.table
    able = [one for one in options if swing(table, one.location) >= GREAT and manned(table, one.location)]
    return min(
        able,
        key=lambda o: (-swing(table, o.location), o.location, LINKS.index(o.kind)),
        default=None,
    )


def runner(board: Board, options: Sequence[With]) -> With | None:  # noqa: ARG001 judges are all alike
    """Let the weakest destroyers keep up the link."""
    able = [one for one in options if one.unit in SHIPS and SHIPS[one.unit].cls == "DD"]
    return min(able, key=lambda o: (SHIPS[o.unit].gun + SHIPS[o.unit].torp, o.unit), default=None)


def suggested(board: Board, options: Sequence[Suggested]) -> Suggested | None:  # noqa: ARG001
    """Do as the house proposes."""
    return options[0]


MONTH: Final[tuple[Judge[Board], ...]] = (
    judge(AllocateCP, allocate),
    judge(CommandPoints, points),
    judge(Transport, carry),
    judge(To, carried),
    judge(PlaceHQ, seat),
    judge(BuildAirbase, airfield),
    judge(BuildFort, walls),
    judge(UpgradeAA, assault),
    judge(NewGroundUnit, raised),
    judge(OfSteps, of_steps),
    judge(BreakDown, broken_down),
    judge(EstablishECL, lifeline),
    judge(With, runner),
    judge(Suggested, suggested),
)
