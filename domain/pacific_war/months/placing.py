"""P0.9.1, P14 Where the house proposes to place what comes in 5.1.J.

A unit goes to the headquarters of its nation that has most Command Points, else to where most of these have a
link, and only if there is no other place to where the enemy is or into a box; of several places it goes to
that with least of its kind.
"""

from collections.abc import Callable, Iterator, Sequence

from domain.kernel.procedures import Decision
from domain.pacific_war.board.boxes import whereabouts
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import AIR, BOXES, LOCATIONS, SHIPS
from domain.pacific_war.board.table import Open, Own, Sight
from domain.pacific_war.command.costs import nation
from domain.pacific_war.command.links import linked_to
from domain.pacific_war.decisions.dispositions import PlaceHQ, To
from domain.pacific_war.facts.months import war
from domain.pacific_war.months import arrivals
from domain.pacific_war.months.desk import Desk, quiet_place


def staffs(sight: Sight, desk: Desk) -> Iterator[Decision]:
    """Place each headquarters at its own site, else at the first on its list that is free (P11.2.1.3)."""
    listed = [one for one in arrivals.homecomings(sight, desk) if isinstance(one, PlaceHQ)]
    for hq in dict.fromkeys(one.hq for one in listed):
        sites = (HEADQUARTERS[hq].site, *HEADQUARTERS[hq].alternate_sites)
        yield min((one for one in listed if one.hq == hq), key=lambda one: sites.index(one.site))


def to(where: Callable[[Sight, str], list[str]]) -> Callable[[Sight, Desk], Iterator[Decision]]:
    """Return what proposes a place for the unit that is picked, of those that it may come to."""

    def place(sight: Sight, desk: Desk) -> Iterator[Decision]:
        if desk.picked:
            unit = desk.picked[0]
            yield To(best(sight, unit, where(sight, unit)))

    return place


def best(sight: Sight, unit: str, places: Sequence[str]) -> str:
    """Return the best place for a unit, of one or more."""
    posts = staffs_of(sight.open, unit)
    ranks = {place: _rank(sight, posts, place) for place in places}
    first = min(ranks.values())
    like = [place for place, rank in ranks.items() if rank == first]
    return min(like, key=lambda place: (crowd(sight.own, unit, place), place)) if len(like) > 1 else like[0]


def _rank(sight: Sight, posts: dict[str, str], place: str) -> tuple[bool, int, bool, int]:
    """Return what the best place has least of, for a unit that these headquarters command."""
    own, boxed = sight.own, place in BOXES
    return (
        not boxed and not quiet_place(sight.open, sight.side, place),
        -max((1 + own.means.points.get(hq, 0) for hq, site in posts.items() if site == place), default=0),
        boxed,
        0 if boxed else -sum(linked_to(own, hq, LOCATIONS[place].hex) for hq in posts),
    )


def staffs_of(open: Open, unit: str) -> dict[str, str]:
    """Return the headquarters that command the nation of a unit, each to its site."""
    mine = nation(unit)
    return {hq: one.site for hq, one in war(open).posts.items() if mine in HEADQUARTERS[hq].nats}


def crowd(own: Own, unit: str, place: str) -> int:
    """Return how much of the kind of a unit is at a place: ships, air units, or ground steps."""
    if unit in SHIPS:
        return sum(whereabouts(own, one) == place for one in own.ships)
    if unit in AIR:
        return sum(air.steps > 0 for one, air in own.air.items() if whereabouts(own, one) == place)
    return sum(one.steps for unit, one in own.ground.items() if whereabouts(own, unit) == place)
