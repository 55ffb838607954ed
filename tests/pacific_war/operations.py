"""Boards for tests of Operations: C1 laid out at a procedure, with points, a month and dice of the test."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.seats import Match, Seat
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import AIR, LOCATIONS, OWNERS, SHIPS, SIDE_NAMES
from domain.pacific_war.board.table import Contents, Fleet, TaskForce, based
from domain.pacific_war.board.war import Means, Operation
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import BaseIs, MarkerPlaced
from domain.pacific_war.facts.intelligence import meet
from domain.pacific_war.facts.months import DayIs, InitiativeIs, MeansAre, MonthIs, OperationIs
from domain.pacific_war.facts.secrets import OwnUnits
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.setup.outset import set_up_campaign
from tests.pacific_war.board import Die, faces, options, take
from tests.pacific_war.invariants import invariants_of_state

JAPAN, ALLIES = 0, 1
CF, SEA, SOPAC, SWPA = "hq_cf", "hq_sea", "hq_sopac", "hq_swpa"
POINTS = {CF: 20, SEA: 22, SOPAC: 30, SWPA: 20}


def laid_out(
    *,
    points: Mapping[str, int] = POINTS,
    month: str = "1942-08",
    day: int = 1,
    initiative: int = -1,
    first: bool = False,
    operation: Operation | None = None,
    bases: Mapping[str, Mapping[str, Any]] | None = None,
    units: Mapping[str, Mapping[str, Any]] | None = None,
    means: Mapping[int, Mapping[str, Any]] | None = None,
) -> Table:
    """Return C1 as it is set up, at no procedure, with changes; `first`: no Operation has begun yet.

    `units` has the fields of units by id, whatever kind they are; a ground unit `at` a location. `bases` has
    the fields of installations by location, `means` those of `MeansAre` by side.
    """
    state = PACIFIC_WAR.state()
    seats = tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))
    state.match = Match(title="pacific_war", scenario="C1", seats=seats, started=True)
    table = Table(PACIFIC_WAR, state, Scripted(()))
    set_up_campaign(table, "C1")
    table.record(MonthIs(month))
    table.record(DayIs(day))
    table.record(InitiativeIs(initiative, (0, 0)))
    if not first:
        table.record(OperationIs(Operation(ALLIES, SOPAC, 1), "for the test", begun=True))
        table.record(OperationIs(None, "for the test"))
    for place, fields in (bases or {}).items():
        table.record(BaseIs(place, replace(state.open.bases[place], **fields), "for the test"))
    put(table, units or {})
    for side in (JAPAN, ALLIES):
        mine = {hq: n for hq, n in points.items() if (hq in (CF, SEA)) == (side == JAPAN)}
        table.record(MeansAre(side, points=mine))
        table.record(MeansAre(side, **(means or {}).get(side, {})))
    if operation:
        table.record(OperationIs(operation, "for the test", begun=True))
    table.facts = []
    return table


def put(table: Table, units: Mapping[str, Mapping[str, Any]]) -> None:
    """Change units as the rules would: both ledgers, and what is told of places."""
    now = Changes(table, "for the test")
    spots = set()
    for unit, given in units.items():
        fields = dict(given)
        if unit in SHIPS:
            now.ship(unit, **fields)
        elif unit in AIR:
            now.aircraft(unit, **fields)
        else:
            if "at" in fields:
                fields["hex"] = LOCATIONS[fields.pop("at")].hex
                spots.add(fields["hex"])
            now.troops(unit, **fields)
    now.record()
    for spot in sorted(spots):
        meet(table, spot)


GONE: dict[str, Any] = {"hex": "", "steps": 0}
"""What a ground unit is that is not there any more."""
LANDED: dict[str, Mapping[str, Any]] = {
    "jp_engr2": GONE,
    "jp_84gd": GONE,
    "us_1mardiv": {"at": "guadalcanal"},
}
"""The units of the landing at Guadalcanal, after it."""


def at(procedure: Procedure, *dice: Die, **changes: Any) -> Table:
    """Return C1 with changes (`laid_out`) at a procedure; no other dice than these may be rolled."""
    return on(laid_out(**changes), procedure, *dice)


def on(table: Table, procedure: Procedure, *dice: Die) -> Table:
    """Return a table of the same state at a procedure, with these dice."""
    return Table(PACIFIC_WAR, table.state, Scripted(faces(*dice)), procedure)


def determine(*dice: Die, **changes: Any) -> Table:
    """Return C1 at 5.1.O."""
    return at(Campaign(scenario="C1", at="determine"), *dice, **changes)


def led(bid: int = 18, player: int = ALLIES, hq: str = SOPAC, **more: Any) -> Operation:
    """Return an Operation that a side leads."""
    return Operation(player, hq, bid, **more)


def activating(
    *dice: Die, side: int = ALLIES, kind: str = "operation", lead: Operation | None = None, **changes: Any
) -> Table:
    """Return C1 at an activation of a side, in an Operation that the Allies lead if no other is given."""
    procedure = Activation(side=side, kind=kind)  # type: ignore[arg-type]
    return at(procedure, *dice, operation=lead or led(), **changes)


def bid(table: Table, side: int, hq: str, amount: int) -> list[Fact]:
    """Let a side bid."""
    return take(table, side, c.BidFrom(hq), c.Bid(amount))


def activate(table: Table, side: int, *units: str) -> list[Fact]:
    """Let a side activate units; ships go into the first task force that has room, or form one."""
    facts: list[Fact] = []
    for unit in units:
        facts += take(table, side, c.Activate(unit))
        choice = options(table, side)
        if choice and isinstance(choice[0], c.AssignToTF | c.FormTF):
            facts += take(table, side, choice[0])
    return facts


def activatable(table: Table, side: int) -> set[str]:
    """Return the units that a side may activate."""
    return {one.unit for one in options(table, side) if isinstance(one, c.Activate)}


def offered(table: Table, side: int, *kinds: type[Decision]) -> list[Decision]:
    """Return the decisions of these kinds on a side's list."""
    return [one for one in options(table, side) if isinstance(one, kinds)]


def means(table: Table, side: int) -> Means:
    """Return what a side has besides units."""
    return table.state.own[side].means  # type: ignore[no-any-return]


def lead(table: Table) -> Operation:
    """Return the Operation under way."""
    operation = table.state.open.war.operation
    assert operation is not None
    return operation  # type: ignore[no-any-return]


def sound(table: Table) -> None:
    """Assert that all that must hold on the table does."""
    assert [] == [*invariants_of_state(table.state)]


def seen(facts: Iterable[Fact], by: Audience) -> list[Fact]:
    """Return the facts that an audience is shown."""
    return [fact for fact in facts if by.sees(fact.audience())]


def owner(unit: str) -> int:
    """Return whose unit it is."""
    return OWNERS[unit]


def afloat(table: Table, tf: str, node: str, *ships: str, core: Iterable[str] = ()) -> None:
    """Let inactive ships be an Undetected task force at a node, with the groups that they carry."""
    side, inside = owner(ships[0] if ships else next(iter(core))), Contents(tuple(core), ships)
    table.record(MarkerPlaced(tf, TaskForce(side, node)))
    table.record(OwnUnits(side, {tf: Fleet()}))
    now = Changes(table, "for the test")
    now.fleet(tf, ships=inside)
    for ship in inside.ships:
        now.ship(ship, tf=tf, port="", active=True)
        for group in based(table.own[side], ship):
            now.aircraft(group, active=True, ready=now.air_now(group).steps)
    now.record()
