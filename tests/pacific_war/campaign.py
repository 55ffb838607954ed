"""Tables of C1 and of the war for tests: as they are set up, then changed as a test needs it."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.kernel.dice import Scripted
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.seats import Match, Seat
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import BOXES, LOCATIONS, OWNERS, SIDE_NAMES
from domain.pacific_war.board.table import Air, Ground, Patrol, Ship, Sight, at_base
from domain.pacific_war.board.war import Post
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.months.administration import CHAPTERS, Administration
from domain.pacific_war.months.desk import Desk
from domain.pacific_war.setup.outset import set_up_campaign
from tests.pacific_war.board import Die, faces, options, take

JAPAN, ALLIES = 0, 1
TRANSPORT, ARRIVALS, SUBMARINES = "13.1", "14.1", "14.2"
DOCKYARDS, REPLACEMENTS, ENGINEERING = "15.1", "16.1", "17.1"
HQS, PENALTY = "11.2.1", "20.2.3"
"""The rules of the chapters."""


def laid_out(month: str = "", scenario: str = "C1") -> Table:
    """Return a table of C1, or of another scenario of months, with nobody asked yet."""
    state = PACIFIC_WAR.state()
    seats = tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))
    state.match = Match(title="pacific_war", scenario=scenario, seats=seats, started=True)
    table = Table(PACIFIC_WAR, state, Scripted(()))
    set_up_campaign(table, scenario)
    assert state.open.war is not None
    state.open.war.month = month or state.open.war.month
    return table


def campaign_at(procedure: Procedure, *dice: Die, table: Table | None = None, **changes: Any) -> Table:
    """Return a table of C1 at a procedure, after these `changes`; no other dice may be rolled."""
    table = table or laid_out()
    alter(table, **changes)
    return Table(PACIFIC_WAR, table.state, Scripted(faces(*dice)), procedure)


def alter(
    table: Table,
    *,
    month: str = "",
    units: Mapping[str, Mapping[str, Any] | Ship | Air | Ground] | None = None,
    bases: Mapping[str, Mapping[str, Any]] | None = None,
    means: Mapping[int, Mapping[str, Any]] | None = None,
    patrols: Mapping[str, tuple[int, int]] | None = None,
    posts: Mapping[str, Post] | None = None,
) -> None:
    """Change a table before a procedure begins.

    `units` are ids to fields, or to all of a unit that is not there yet; `means` are sides to fields,
    `patrols` hexes to side and points, `posts` headquarters to where they are. Where units are is told anew.
    """
    board = table.state.open
    assert board.war is not None
    if month:
        board.war.month = month
    board.war.posts |= posts or {}
    for unit, what in (units or {}).items():
        _put(table, unit, what)
    for place, fields in (bases or {}).items():
        board.bases[place] = replace(board.bases[place], **fields)
    for side, fields in (means or {}).items():
        for name, value in fields.items():
            setattr(table.state.own[side].means, name, value)
    for at, (side, points) in (patrols or {}).items():
        board.patrols[at] = Patrol(side)
        table.state.own[side].patrols[at] = points
    board.ports = _told(table, "ports")
    board.airfields = _told(table, "airfields")
    board.troops = _told(table, "troops")


def _put(table: Table, unit: str, what: Mapping[str, Any] | Ship | Air | Ground) -> None:
    own = table.state.own[OWNERS[unit]]
    book: dict[str, Any]
    for book, kind in ((own.ships, Ship), (own.air, Air), (own.ground, Ground)):
        if isinstance(what, Mapping):
            if unit in book:
                book[unit] = replace(book[unit], **what)
        elif isinstance(what, kind):
            book[unit] = what


def _told(table: Table, what: str) -> tuple[list[str], list[str]]:
    found: list[list[str]] = []
    for own in table.state.own:
        places = {
            "ports": {ship.port for ship in own.ships.values() if ship.port in LOCATIONS},
            "airfields": {air.home for air in own.air.values() if air.steps and at_base(air.home)},
            "troops": {one.hex for one in own.ground.values() if one.steps} - {"", *BOXES},
        }
        found.append(sorted(places[what]))
    return found[0], found[1]


def administration(
    rule: str, side: int, *dice: Die, table: Table | None = None, entered: bool = False, **changes: Any
) -> Table:
    """Return a table at the chapter of a rule for one side; the other is through.

    A chapter that is `entered` has begun: what the month gives is what `means` say.
    """
    at = [chapter.rule for chapter in CHAPTERS].index(rule)
    desks = {str(side): Desk(at, entered), str(1 - side): Desk(len(CHAPTERS))}
    return campaign_at(Administration(desks=desks), *dice, table=table, **changes)


def sight(table: Table, side: int) -> Sight:
    """Return what a side sees."""
    return Sight(side, side, table.state.open, table.state.own[side])


def done(table: Table, side: int) -> None:
    """Let a side be done with its chapter."""
    take(table, side, Done())


def of(table: Table, side: int, *kinds: type[Any]) -> list[Any]:
    """Return the options of these kinds."""
    return [one for one in options(table, side) if isinstance(one, kinds)]


def through(table: Table, side: int) -> None:
    """Let a side be done with all that is left; what must be chosen is the first of the list."""
    while side in table.prompts:
        found = options(table, side)
        take(table, side, Done() if Done() in found else found[0])


def after(table: Table, side: int, *picks: Decision) -> Sequence[Decision]:
    """Return what may follow picks, without taking them."""
    ahead = table.ahead(side, picks)
    return ahead.prompts[side].options
