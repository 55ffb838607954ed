"""P1 The set-up of a campaign as facts: bases, inactive units, headquarters, submarines."""

from domain.pacific_war.board.atlas import area
from domain.pacific_war.board.campaigns import (
    CAMPAIGNS,
    HEADQUARTERS,
    MONTH_BEGIN,
    Campaign,
    submarine_commands,
)
from domain.pacific_war.board.charts import AIR, ALLIES, BOXES, GROUND, JAPAN, LOCATIONS, OWNERS, SIDES
from domain.pacific_war.board.printed import Bases
from domain.pacific_war.board.table import Air, Base, Ground, Ship, Table
from domain.pacific_war.board.war import Post, War
from domain.pacific_war.facts.cycle import SetUp
from domain.pacific_war.facts.months import MeansAre, MonthsSetUp
from domain.pacific_war.facts.secrets import OwnUnits


def set_up_campaign(
    table: Table, scenario: str, *, weather: bool = False, chosen: tuple[str, ...] = ()
) -> None:
    """Record the map and the months for all, each side's units and means for itself.

    `weather`: the months of the war have weather; campaigns have none (P5.1.A). `chosen`: options
    of the war (P34).
    """
    one = CAMPAIGNS[scenario]
    own = [_units(one, side) for side in (0, 1)]
    ports, fields, troops = (
        tuple(tuple(sorted(places)) for places in by_side)
        for by_side in (
            [{ship.port for ship in mine.ships.values() if ship.port in LOCATIONS} for mine in own],
            [{air.home for air in mine.air.values() if air.home in LOCATIONS} for mine in own],
            [{unit.hex for unit in mine.ground.values() if unit.hex not in BOXES} for mine in own],
        )
    )
    table.record(
        SetUp(
            scenario,
            JAPAN,
            _bases(one),
            {},
            {},
            (ports[0], ports[1]),
            (fields[0], fields[1]),
            (troops[0], troops[1]),
        )
    )
    table.record(
        MonthsSetUp(_months(one, weathered=weather and one.strategic, chosen=chosen if one.strategic else ()))
    )
    for mine in own:
        table.record(mine)
    for side in (0, 1):
        boats, duty = _submarines(one, side)
        escorts = one.escorts if side == JAPAN else 0
        table.record(
            MeansAre(
                side,
                submarines=boats,
                duty=duty or None,
                escorts=escorts or None,
                why="at the start",
            )
        )


def _months(one: Campaign, *, weathered: bool, chosen: tuple[str, ...]) -> War:
    """Return the ledger of the months before the first of them."""
    sites = {hq: one.hq_sites.get(hq, HEADQUARTERS[hq].site) for side in SIDES for hq in one.hqs[side]}
    posts = {hq: Post(site) for hq, site in sites.items()}
    posts |= {hq: Post(returns=month) for hq, month in one.later_hqs.items()}
    return War(
        one.start_month,
        day=MONTH_BEGIN if one.start_day == "MB" else one.start_day,
        initiative=one.initiative,
        posts=posts,
        weathered=weathered,
        msp=one.msp,
        hrl=one.hrl,
        grounded=one.bombers,
        chosen=chosen,
    )


def _bases(one: Campaign) -> dict[str, Base]:
    given = {place: SIDES.index(side) for side, places in one.control.items() for place in places}
    supported = {place for places in one.osb.values() for place in places}
    commands = {place for places in submarine_commands(one.id) for place in places}
    inside = area(one.id)
    return {
        place: Base(
            given.get(place, SIDES.index(printed.control_1941_12)),
            port=printed.port if changed.port is None else changed.port,
            airbase=printed.airbase if changed.airbase is None else changed.airbase,
            fort=printed.fort if changed.fort is None else changed.fort,
            osb=place in supported,
            command=place in commands,
        )
        for place, printed in LOCATIONS.items()
        if printed.hex in inside
        for changed in (one.bases.get(place, Bases()),)
    }


def _units(one: Campaign, side: int) -> OwnUnits:
    ships = {
        ship: Ship(port=harbour.at, active=False)
        for harbour in one.naval
        if harbour.side == SIDES[side]
        for ship in harbour.units
    }
    air = {
        row.id: Air(row.base or AIR[row.id].carrier or "", row.steps, row.level, active=False)
        for row in one.air
        if OWNERS[row.id] == side
    }
    ground = {
        row.id: Ground(
            LOCATIONS[row.hex].hex if row.hex in LOCATIONS else row.hex,
            steps=GROUND[row.id].steps if row.steps is None else row.steps,
            active=False,
        )
        for row in one.ground
        if OWNERS[row.id] == side
    }
    return OwnUnits(side, {}, ships, air, ground, {}, "as they are set up")


def _submarines(one: Campaign, side: int) -> tuple[dict[str, int], int]:
    """Return the points of each Submarine Command, and those on merchant duty (P14.2, R-69).

    They are shared evenly, the remainder to the first; but of the Allied ones in the war one is at each
    Command, and the rest on merchant duty.
    """
    places, points = submarine_commands(one.id)[side], one.submarines[SIDES[side]]
    if one.strategic and side == ALLIES:
        return dict.fromkeys(places, 1), points - len(places)
    share, rest = divmod(points, len(places))
    return {place: share + (rest if n == 0 else 0) for n, place in enumerate(places)}, 0
