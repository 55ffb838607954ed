"""P0.9.1 What the house proposes for the rest of a chapter of 5.1.I to 5.1.M.

A proposal is made of what its seat sees, and holds nothing that rolls a die: steps go to the weakest units
that lose no level by them, ships are repaired by their worth, bases are repaired, emergency links to what is
cut off are kept up; strategic transport is in `carrying`, places for what comes in `placing`. Deliberately
absent: levels, building and new links, which follow from a plan that the house does not have.
"""

from collections.abc import Iterable, Iterator

from domain.kernel.procedures import Decision
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Sight, printed, stack_room, troop
from domain.pacific_war.command.costs import COSTS
from domain.pacific_war.command.emergency import MAINTAIN, serving
from domain.pacific_war.command.links import linked, pays_for
from domain.pacific_war.decisions.dispositions import (
    AssignSubs,
    BoxTransfer,
    DropECL,
    MaintainECL,
    RepairAirbase,
    RepairPort,
    RepairUnit,
    ReplaceAir,
    ReplaceGround,
    To,
    Transport,
)
from domain.pacific_war.months import (
    arrivals,
    carrying,
    commands,
    dockyards,
    placing,
    replacements,
    transport,
)
from domain.pacific_war.months.desk import Chapter, Desk
from domain.pacific_war.months.engineering import AIRBASE_HIT, PORT_HIT
from domain.pacific_war.months.engineering import options as jobs
from domain.pacific_war.months.lifelines import kept_or_dropped


def proposal(sight: Sight, desk: Desk, chapter: Chapter) -> Iterator[Decision]:
    """Yield what the house proposes for the rest of a chapter; two chapters may be of one rule (P11.7).

    For a unit that is placed it is where that one goes, and no more.
    """
    made = {
        transport.options: carrying.carried,
        arrivals.homecomings: placing.staffs,
        arrivals.next_back: placing.to(arrivals.harbours),
        arrivals.next_new: placing.to(arrivals.berths),
        kept_or_dropped: lifelines_kept,
        commands.options: submarines,
        dockyards.options: ships,
        replacements.options: steps,
        jobs: bases,
    }
    return made[chapter.options](sight, desk) if chapter.options in made else iter(())


def in_words(proposed: Iterable[Decision]) -> tuple[str, ...]:
    """Return what is proposed in words; who is carried is said together with where he goes."""
    said, first = list[str](), ""
    for one in proposed:
        match one:
            case Transport() | BoxTransfer():
                first = f"{one.words()} "
            case _:
                said.append(f"{first if isinstance(one, To) else ''}{one.words()}")
                first = ""
    return tuple(said)


def lifelines_kept(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Keep up the links to places that are still cut off, as far as the points go; drop the others."""
    board, own, purses = sight.open, sight.own, dict(sight.own.means.points)
    for place in sorted({one.location for one in kept_or_dropped(sight, desk) if isinstance(one, DropECL)}):
        able = sorted(hq for hq, n in purses.items() if n >= MAINTAIN)
        hq = min(able, key=lambda one: -purses[one], default="")
        if hq and serving(board, own, place) and not linked(own, LOCATIONS[place].hex):
            purses[hq] -= MAINTAIN
            yield MaintainECL(place, hq)
        else:
            yield DropECL(place)


def submarines(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Assign what is in the pool to the first Command that can still have it."""
    free = [
        place for place in commands.commands(sight.open, sight.side) if f"assigned:{place}" not in desk.done
    ]
    if free and sight.own.means.pool > 0:
        yield AssignSubs(free[0], sight.own.means.pool)


def ships(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Repair the ships of most worth first, by what they cost to activate, as many as the yards take."""
    left = [one.unit for one in dockyards.options(sight, desk) if isinstance(one, RepairUnit)]
    left.sort(key=lambda ship: (-COSTS[printed(sight.open, ship).cls], ship))
    for ship in left:
        if where := dockyards.yard(sight, desk, ship):
            desk = desk.did(f"repaired:{ship}", where)
            yield RepairUnit(ship)


def steps(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Give steps to the weakest air units, never more than they had, then to the weakest ground units."""
    board, own = sight.open, sight.own
    purses = dict(own.means.steps)
    got = {what.partition(":")[2]: desk.done.count(what) for what in desk.done}
    flyers = {unit: own.air[unit].steps for unit in replacements.flyers_short(sight, desk)}
    for unit, now in sorted(flyers.items(), key=lambda one: (one[1] - got.get(one[0], 0), one[0])):
        purse, had = replacements.air_purse(unit), now - got.get(unit, 0)
        most = min(replacements.MOST_AIR, had) - got.get(unit, 0)
        count = max(0, min(most, replacements.room(board, own, unit) - now, purses[purse]))
        purses[purse] -= count
        yield from [ReplaceAir(unit)] * count
    room = dict[str, int]()
    troops = {unit: own.ground[unit].steps for unit in replacements.troops_short(sight, desk)}
    for unit, now in sorted(troops.items(), key=lambda one: (one[1] - got.get(one[0], 0), one[0])):
        spot, purse = own.ground[unit].hex, replacements.ground_purse(board, unit)
        left = room.setdefault(spot, stack_room(own, spot))
        most = replacements.MOST_GROUND - got.get(unit, 0)
        count = max(0, min(most, left, troop(board, unit).max_steps - now, purses[purse]))
        purses[purse] -= count
        room[spot] -= count
        yield from [ReplaceGround(unit)] * count


def bases(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Repair the airbases, else the ports, as far as one headquarters has the points."""
    points, seen = dict(sight.own.means.points), set[str]()
    listed = [one for one in jobs(sight, desk) if isinstance(one, RepairAirbase | RepairPort)]
    for job in sorted(listed, key=lambda one: (isinstance(one, RepairPort), one.location, -one.hits)):
        if job.location in seen:
            continue
        cost = job.hits * (AIRBASE_HIT if isinstance(job, RepairAirbase) else PORT_HIT)
        spot = LOCATIONS[job.location].hex
        able = [hq for hq, n in points.items() if n >= cost and pays_for(sight.own, hq, spot)]
        if not able:
            continue
        hq = min(able, key=lambda one: (-points[one], one))
        points[hq] -= cost
        seen.add(job.location)
        yield type(job)(job.location, job.hits, hq)
