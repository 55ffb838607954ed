"""Tables of the campaign C1 for tests: its outset, an Operation under way, procedures in the middle of it.

Dice are given as faces, as in `board`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from domain.kernel.dice import Scripted
from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.seats import Match, Seat
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.sequence import PHASES
from domain.pacific_war.board.charts import AIR, GROUND, SHIPS, SIDE_NAMES
from domain.pacific_war.board.table import Contents, Fleet, Patrol, Ship, TaskForce, groups_of
from domain.pacific_war.board.war import Operation
from domain.pacific_war.campaign import Campaign
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import MarkerPlaced, PhaseBegan
from domain.pacific_war.facts.intelligence import detect
from domain.pacific_war.facts.months import DayIs, MeansAre, MonthIs, OperationIs, under_way, war
from domain.pacific_war.facts.secrets import OwnUnits
from domain.pacific_war.operations.operation import CampaignCycle, OperationUnderWay
from domain.pacific_war.setup.outset import set_up_campaign
from tests.pacific_war.board import faces, take
from tests.pacific_war.clash import check
from tests.pacific_war.invariants import invariants_of_state

JAPAN, ALLIES = 0, 1
POINTS: Sequence[Mapping[str, int]] = ({"hq_sea": 22}, {"hq_sopac": 30})
"""P38.2: Command Points by side."""
OF_A_MONTH = ("5.1.B", "5.1.G", "5.1.H", "5.1.I", "5.1.N")
OPEN_SEA = "6147"
"""A hex far from all Japanese locations and searches, with the open sea around it."""


def outset(
    *,
    points: Sequence[Mapping[str, int]] = POINTS,
    month: str = "1942-09",
    day: int = 8,
    levels: tuple[int, int] = (0, 0),
    begun: int = 1,
) -> Table:
    """Return a table of C1 as it is laid out, between two Operations; `begun` have been before."""
    state = PACIFIC_WAR.state()
    seats = tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))
    state.match = Match(title="pacific_war", scenario="C1", seats=seats, started=True)
    table = Table(PACIFIC_WAR, state, Scripted(()))
    set_up_campaign(table, "C1")
    table.record(MonthIs(month))
    table.record(DayIs(day))
    war(state.open).operations = begun
    for side in (JAPAN, ALLIES):
        table.record(MeansAre(side, points=dict(points[side]), level=levels[side]))
    return table


def operation(table: Table, player: int = ALLIES, **fields: Any) -> Operation:
    """Let an Operation be under way; fields as in `Operation`."""
    hq = ("hq_sea", "hq_sopac")[player]
    given: dict[str, Any] = {"hq": hq, "bid": 18, "ap": 12, "level": 2, "condition": ""} | fields
    table.record(OperationIs(Operation(player, **given), "for the test", begun=True))
    return under_way(table.state.open)


def changed(table: Table, **fields: Any) -> None:
    """Change the Operation under way."""
    table.record(OperationIs(replace(under_way(table.state.open), **fields), "for the test"))


def means(table: Table, side: int, **fields: Any) -> None:
    """Change what a side has besides units."""
    table.record(MeansAre(side, **fields))


def sail(
    table: Table,
    tf: str,
    node: str,
    core: Iterable[str] = (),
    screen: Iterable[str] = (),
    cargo: Mapping[str, Iterable[str]] | None = None,
    *,
    detected: bool = False,
) -> None:
    """Put ships into a task force, with their groups and this cargo: ship to units; all is Activated."""
    side = {"J": JAPAN, "A": ALLIES}[tf[0]]
    contents = Contents(tuple(core), tuple(screen))
    table.record(MarkerPlaced(tf, TaskForce(side, node)))
    table.record(OwnUnits(side, {tf: Fleet()}))
    now = Changes(table, "for the test")
    now.fleet(tf, ships=contents)
    for ship in contents.ships:
        if ship not in table.own[side].ships:  # it comes later in the campaign
            table.record(OwnUnits(side, ships={ship: Ship(active=False)}))
        now.ship(ship, tf=tf, port="", active=True)
    for ship, units in (cargo or {}).items():
        for unit in units:
            now.troops(unit, hex="", aboard={ship: now.ground_now(unit).steps}, active=True)
    now.record()
    wings = Changes(table, "for the test")
    for unit in groups_of(table.own[side], tf):
        wings.aircraft(unit, active=True, ready=wings.air_now(unit).steps)
    wings.record()
    if detected:
        detect(table, tf, "for the test", "24.4")


def wake(table: Table, *units: str) -> None:
    """Let air and ground units be Activated."""
    put(table, {unit: {"active": True} for unit in units})


def put(table: Table, units: Mapping[str, Mapping[str, Any]]) -> None:
    """Change units of both sides, as the rules would: id to fields. An Activated air unit is ready."""
    now = Changes(table, "for the test")
    for unit, fields in units.items():
        if unit in SHIPS:
            now.ship(unit, **fields)
        elif unit in AIR:
            ready = {"ready": now.air_now(unit).steps} if fields.get("active") else {}
            now.aircraft(unit, **{**ready, **fields})
        else:
            assert unit in GROUND
            now.troops(unit, **fields)
    now.record()


def quiet_sea(table: Table) -> None:
    """Send away the Allied aircraft that would search `OPEN_SEA`."""
    away = ("us_lra_sopac", "us_4e_11bg", "cw_2e_nz")
    put(table, {unit: {"home": "townsville"} for unit in away})


def phase(table: Table, number: str) -> None:
    """Let a phase have begun."""
    table.record(PhaseBegan(number, PHASES[number]))


def patrol(table: Table, side: int, at: str, points: int) -> None:
    """Place a submarine patrol."""
    now = Changes(table, "for the test")
    now.patrol(side, at, points)
    now.record()
    table.state.open.patrols[at] = Patrol(side)


def play(table: Table, procedure: Procedure, *dice: Any) -> Table:
    """Return a table of the same state at a procedure; these dice will fall, no others."""
    table.state.stack = []
    return Table(PACIFIC_WAR, table.state, MonthDice(table.state, dice), procedure)


def within(table: Table, at: str, *dice: Any, cycle: int = 0, alone: int = 0) -> Table:
    """Return a table of the same state in a campaign, at a step of the Operation under way."""
    return _in_campaign(table, dice, OperationUnderWay(at=at, cycle=cycle, alone=alone))


def in_cycle(table: Table, at: str, *dice: Any, cycle: int = 2, alone: int = 0) -> Table:
    """Return a table of the same state in a campaign, at a step of a battle cycle of the Operation."""
    running = OperationUnderWay(at="tally", cycle=cycle, alone=alone)
    return _in_campaign(table, dice, running, CampaignCycle(cycle=cycle, alone=alone, at=at))


def _in_campaign(table: Table, dice: Iterable[Any], *inner: Procedure) -> Table:
    table.state.stack = []
    outer = Campaign(scenario="C1", at="again")
    return Table(PACIFIC_WAR, table.state, MonthDice(table.state, dice), outer, *inner)


class MonthDice(Scripted):
    """Dice as they are given, but for those of a month's own phases, which have their own tests: all 5."""

    def __init__(self, state: Any, dice: Iterable[Any]) -> None:
        super().__init__(faces(*dice))
        self.state = state

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        """Return the next roll of the script, or fives."""
        if self.state.open.phase in OF_A_MONTH:
            return (5,) * count
        return super().roll(index, count, sides)


def act(table: Table, side: int, *decisions: Decision) -> list[Fact]:
    """Let a side decide, and both do as little as they may in a month that begins by it; return the facts.

    The ledgers and the invariants are checked.
    """
    take(table, side, *decisions)
    return through(table)


def through(table: Table) -> list[Fact]:
    """Return the facts of a table that begins, and of a month that begins on it, as in `act`."""
    facts = list(table.facts)
    while table.prompts and table.state.open.phase in OF_A_MONTH:
        asked, prompt = next(iter(table.prompts.items()))
        ends = Done() if Done() in prompt.options else PACIFIC_WAR.default(table.state, asked, prompt)
        facts += take(table, asked, ends)
    sound(table)
    return facts


def sound(table: Table) -> None:
    """Assert that both ledgers agree and that no invariant is broken."""
    check(table)
    assert [] == list(invariants_of_state(table.state))


def phases(facts: Iterable[Fact]) -> list[str]:
    """Return the phases that begin in facts, by number, but for those of a month."""
    begun = [fact.phase for fact in facts if isinstance(fact, PhaseBegan)]
    return [number for number in begun if number not in OF_A_MONTH]


def days(facts: Iterable[Fact]) -> list[int]:
    """Return where the day marker goes in facts."""
    return [fact.day for fact in facts if isinstance(fact, DayIs)]
