"""Tables of a campaign for tests: the set-up of the Solomons and Papua, and units moved about on it."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.facts import Fact
from domain.kernel.procedures import Procedure
from domain.kernel.seats import Match, Seat
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import LOCATIONS, OWNERS, SIDE_NAMES
from domain.pacific_war.board.table import Base
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.months import MeansAre
from domain.pacific_war.setup.outset import set_up_campaign
from tests.pacific_war.board import Die, faces

JAPAN, ALLIES = 0, 1


def campaign(
    *dice: Die,
    month: str = "1942-08",
    units: Mapping[str, Mapping[str, Any]] | None = None,
    means: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {}),
    bases: Mapping[str, Mapping[str, Any]] | None = None,
    posts: Mapping[str, Any] | None = None,
    first: Procedure | None = None,
) -> Table:
    """Return a table of C1 as it is set up, with these changes; only these dice may fall.

    `units`: id to fields; `means`: fields of `MeansAre` for each side; `bases`: location to fields; `posts`:
    headquarters to where it is.
    """
    state = PACIFIC_WAR.state()
    seats = tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))
    state.match = Match(title="pacific_war", scenario="C1", seats=seats, started=True)
    quiet = Table(PACIFIC_WAR, state, Scripted(()))
    set_up_campaign(quiet, "C1")
    board = state.open
    assert board.war is not None
    board.war.month = month
    board.war.posts |= posts or {}
    for place, fields in (bases or {}).items():
        board.bases[place] = replace(board.bases.get(place, Base(JAPAN)), **fields)
    for side in (JAPAN, ALLIES):
        quiet.record(MeansAre(side, **means[side]))
    station(quiet, units or {})
    return Table(PACIFIC_WAR, state, Scripted(faces(*dice)), *([first] if first else []))


def station(table: Table, units: Mapping[str, Mapping[str, Any]]) -> None:
    """Change units as an owner's fact would; a location may be given as the hex of a ground unit."""
    now = Changes(table, "for the test")
    for unit, given in units.items():
        fields = dict(given)
        if fields.get("hex") in LOCATIONS:
            fields["hex"] = LOCATIONS[fields["hex"]].hex
        own = table.own[OWNERS[unit]]
        alter = now.ship if unit in own.ships else now.aircraft if unit in own.air else now.troops
        alter(unit, **fields)
    now.record()


def in_sight(facts: list[Fact], side: int | None = None) -> list[Fact]:
    """Return the facts that everybody sees, or that a side sees."""
    viewer = Audience.of(side)
    return [fact for fact in facts if viewer.sees(fact.audience())]
