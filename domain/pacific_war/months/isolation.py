"""P12 The Isolation Penalty (5.1.H): what no headquarters can reach suffers.

The effects of a marker are where they are felt: missions and CAP, ground combat, rally, repair, activation.
"""

from collections.abc import Iterator

from domain.pacific_war.battle.control import settle
from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, OWNERS
from domain.pacific_war.board.table import Ground, Open, Own, Table, location_of, operation_number, troop
from domain.pacific_war.command.emergency import supported
from domain.pacific_war.command.links import linked, tell_links
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.fighting import GroundStepsLost
from domain.pacific_war.facts.months import IsolationJudged, MeansAre, war
from domain.pacific_war.facts.silence import cushion, sealed

FAR_HOME = frozenset(
    {
        "calcutta",
        "madras",
        "trincomalee",
        "colombo",
        "sydney",
        "brisbane",
        "townsville",
        "cairns",
        "fremantle",
        "darwin",
        "auckland",
        "pearl_harbor",
    }
)
"""P12: where Allied units are never Isolated: India, Australia, New Zealand, Hawaii."""
CUT_OFF = "cut off"
A_SIDE = 3
"""What is sealed for a side: its links, its dice, its units."""


def isolate(table: Table) -> None:
    """Mark what is not Linked now, and let it suffer; Japan first, then the Allies (P12).

    The links of a side are tested once, before its units suffer; so what Japan loses is seen in those of the
    Allies. Who is marked, and whether dice fell, is its owner's knowledge: as much is sealed whatever
    happened. Control is checked at the end (P2.6). What was flown in is used up (P28.11): who flew is public.
    """
    for side in (JAPAN, ALLIES):
        before = sealed(table)
        tell_links(table, side)
        _penalise(table, side)
        cushion(table, before, A_SIDE)
    table.record(IsolationJudged())
    settle(table)
    for side in (JAPAN, ALLIES):
        if past := table.own[side].means.supplied:
            table.record(MeansAre(side, supplied=dict.fromkeys(past, 0), why="what was flown in is used up"))


def _penalise(table: Table, side: int) -> None:
    own, now = table.own[side], Changes(table, "by their links")
    cut = dict(marks(table.open, own, side))
    unbroken = [unit for unit in sorted(own.ground) if cut.get(unit) and not own.ground[unit].broken]
    fates = dict(zip(unbroken, _stand_fast(table, side, unbroken), strict=True))
    for unit in sorted(cut):
        if unit in own.ships:
            if own.ships[unit].isolated != cut[unit]:
                now.ship(unit, isolated=cut[unit])
        elif unit in own.air:
            _ground_aircraft(now, unit, isolated=cut[unit])
        else:
            _starve(now, unit, isolated=cut[unit], breaks=fates.get(unit, False))
    now.record()


def _stand_fast(table: Table, side: int, units: list[str]) -> list[bool]:
    """Return which of these ground units become Broken: a die above troop quality (P12.3).

    All dice of a side are one roll, by id, so that they cannot be counted.
    """
    needs = [troop(table.open, unit).tq for unit in units]
    told = ", ".join(f"[{unit}] stands on {tq} or less" for unit, tq in zip(units, needs, strict=True))
    dice = table.roll_unseen("isolation", len(units), 10, by=side, target=told)
    return [die % 10 > tq for die, tq in zip(dice, needs, strict=True)]


def _ground_aircraft(now: Changes, unit: str, *, isolated: bool) -> None:
    """Mark an air unit; it loses a step (P12.1)."""
    if isolated:
        now.lose_air(unit, 1, CUT_OFF)
        isolated = now.air_now(unit).steps > 0
    if now.air_now(unit).isolated != isolated:
        now.aircraft(unit, isolated=isolated)


def _starve(now: Changes, unit: str, *, isolated: bool, breaks: bool) -> None:
    """Mark a ground unit; a Broken one loses a step (P12.2), another may become Broken (P12.3)."""
    ground = now.ground_now(unit)
    if isolated and ground.broken:
        now.tell(GroundStepsLost(unit, OWNERS[unit], 1, broken=False))
        now.lose_ground(unit, 1)
        isolated = now.ground_now(unit).steps > 0
    if breaks:
        now.troops(unit, broken=True)
    if ground.isolated != isolated:
        now.troops(unit, isolated=isolated)


def marks(open: Open, own: Own, side: int) -> Iterator[tuple[str, bool]]:
    """Yield every unit of a side, and whether it is Isolated by what was told (P12).

    Any friendly headquarters will do (R-73), and so will an emergency link that supports the unit (P11.7).
    Units in a box are exempt, and Activated ones: the latter draw on the Operation (R-21), also those aboard
    ships and in task forces. So are troops that have landed in it and are Activated no more (P5.4.3).
    """
    for unit, spot, active in whereabouts(own):
        exempt = active or (unit in own.ground and _beached(open, own.ground[unit]))
        yield unit, not exempt and cut_off(own, side, spot) and not supported(open, own, unit)


def _beached(open: Open, ground: Ground) -> bool:
    """Return whether troops have landed in the Operation that is suspended (P5.4.3)."""
    return war(open).operation is not None and ground.landed == operation_number(open)


def whereabouts(own: Own) -> Iterator[tuple[str, str, bool]]:
    """Yield every own unit with steps, and every ship: its hex, and whether it is Activated.

    The hex is empty at sea, in a box and in no place.
    """
    for ship, one in own.ships.items():
        yield ship, _hex(one.port), one.active
    for unit, air in own.air.items():
        if air.steps:
            yield unit, _base(own, air.home), air.active
    for unit, ground in own.ground.items():
        if ground.steps:
            yield unit, _hex(ground.hex), ground.active


def cut_off(own: Own, side: int, hex: str) -> bool:
    """Return whether an inactive unit of a side in a hex is Isolated: not Linked, and not at home (P12).

    In no hex are units in boxes and at sea.
    """
    if not hex or linked(own, hex):
        return False
    place = location_of(hex)
    if side == ALLIES:
        return place not in FAR_HOME
    return not (place and LOCATIONS[place].homeland)


def _base(own: Own, home: str) -> str:
    """Return the hex of an airbase, or of the port that a carrier lies in; empty at sea and in a box."""
    return _hex(own.ships[home].port if home in own.ships else home)


def _hex(place: str) -> str:
    """Return the hex of a location or of a hex; empty for a box and for nowhere."""
    if place in LOCATIONS:
        return LOCATIONS[place].hex
    return place if place.isdigit() else ""
