"""Boards for tests of Pacific War: a battle made up for the test, and a table in the middle of it.

A battle is data of the same shape as a scenario's. Dice are given as faces, 0 to 9; a draw as `drawn(place)`.
"""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any, TypeVar, get_type_hints

from msgspec import convert
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.facts import Fact, Roll
from domain.kernel.procedures import Decision, Procedure
from domain.kernel.seats import Match, Seat
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.atlas import NODES, flood
from domain.pacific_war.board.charts import OWNERS, SCENARIOS, SIDE_NAMES, Lighting
from domain.pacific_war.board.printed import Area, Battle
from domain.pacific_war.decisions.cycle import (
    AddSteps,
    AllotStrike,
    AssignCAP,
    DeclareMission,
    Done,
    SimultaneousStrike,
    Target,
    WithSteps,
)
from domain.pacific_war.facts.cycle import AdvantageIs, CycleBegan, LightingIs
from domain.pacific_war.facts.intelligence import detect
from domain.pacific_war.setup.scenarios import set_up

Kind = TypeVar("Kind", bound=Fact)
Die = int | tuple[int, ...]

WORLD = Area((-90.0, 90.0), (0.0, 360.0))
_numbers = count(1)


def battle(like: str = "E1", name: str = "", **changes: Any) -> str:
    """Return the id of a battle made up for a test: that of a scenario without units, with these changes.

    The id is a number unless a name is given.
    Values may be plain: `tfs=[{"id": "J1", "side": "JP", "hex": "5540", "screen": ["ca_..."]}]`,
    `air=[{"id": ..., "steps": 2, "level": 1, "base": "rabaul"}]`, `ground=[{"id": ..., "hex": "lae"}]`,
    `bases={"lae": {"airbase": 1}}`, `control={"JP": ["lae"]}`, `naval`, `patrols`, `month="1942-11"`.
    """
    blank = replace(
        SCENARIOS[like], area=WORLD, tfs=(), air=(), ground=(), naval=(), patrols=(), overrides=(), special=()
    )
    name = name or f"T{next(_numbers)}"
    fields = {field: getattr(blank, field) for field in Battle.__struct_fields__}
    types = get_type_hints(Battle)
    made = {field: convert(value, types[field]) for field, value in changes.items()}
    SCENARIOS[name] = Battle(**fields | made | {"id": name})
    return name


def drawn(place: int) -> tuple[int, ...]:
    """Return the script of a draw: the place, from 0, among what is drawn from."""
    return (place + 1,)


def faces(*dice: Die) -> list[tuple[int, ...]]:
    """Return faces as dice are recorded: the face 0 as 10."""
    return [one if isinstance(one, tuple) else (one or 10,) for one in dice]


def table_at(
    scenario: str,
    procedure: Procedure | None,
    *dice: Die,
    lighting: Lighting = "Day",
    advantage: int = 0,
    cycle: int = 1,
    detected: Iterable[str] = (),
    ready: bool = True,
) -> Table:
    """Return a table of a scenario at a procedure, or laid out only; no other dice than these may be rolled.

    `detected` are task forces that are Detected; `ready` lets all air steps be ready, as in 5.2.A.
    """
    state = PACIFIC_WAR.state()
    seats = tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))
    state.match = Match(title="pacific_war", scenario=scenario, seats=seats, started=True)
    quiet = Table(PACIFIC_WAR, state, Scripted(()))
    set_up(quiet, scenario)
    quiet.record(CycleBegan(cycle))
    quiet.record(LightingIs(lighting))
    quiet.record(AdvantageIs(advantage))
    if ready:
        for own in state.own:
            own.air = {unit: replace(air, ready=air.steps) for unit, air in own.air.items()}
    for tf in detected:
        detect(quiet, tf, "for the test", "24.4")
    quiet.record(CycleBegan(cycle))
    return Table(PACIFIC_WAR, state, Scripted(faces(*dice)), *([procedure] if procedure else []))


def again_at(table: Table, procedure: Procedure, *dice: Die) -> Table:
    """Return a table of the same state at another procedure, with other dice."""
    table.state.stack = []
    return Table(PACIFIC_WAR, table.state, Scripted(faces(*dice)), procedure)


def options(table: Table, side: int) -> list[Decision]:
    """Return what a side may decide now; nothing if it is not asked."""
    return [*table.prompts[side].options] if side in table.prompts else []


def kinds(table: Table, side: int) -> set[str]:
    """Return the kinds of decision on a side's list."""
    return {type(option).__name__ for option in options(table, side)}


def take(table: Table, side: int, *decisions: Decision) -> list[Fact]:
    """Let a side decide, all in one command; return the facts."""
    return list(table.decide_all(side, decisions))


def told(facts: Iterable[Fact], kind: type[Kind]) -> list[Kind]:
    """Return the facts of a kind."""
    return [fact for fact in facts if isinstance(fact, kind)]


def dice_left(table: Table) -> int:
    """Return how many dice of the script have not fallen."""
    assert isinstance(table.dice, Scripted)
    return table.dice.left


def change(table: Table, side: int, units: Mapping[str, Mapping[str, Any]]) -> None:
    """Change own units of a side before anything is decided: id to fields, whatever kind of unit it is.

    The public copy is changed too if there is one. Prompts are made again.
    """
    own, seen = table.state.own[side], table.state.open
    for unit, fields in units.items():
        for mine, copies in ((own.ships, seen.ships), (own.air, seen.air), (own.ground, seen.ground)):
            if unit in mine:
                mine[unit] = replace(mine[unit], **fields)
                if unit in copies:
                    copies[unit] = replace(copies[unit], **fields)
    table._advance()


def missions(
    scenario: str, side: int, *dice: Die, cap: Mapping[str, int] | None = None, **more: Any
) -> Table:
    """Return a table at the air missions of a side, after both have assigned this CAP: unit to steps."""
    table = table_at(scenario, AirMissions(side=side), *dice, **more)
    guard(table, cap or {})
    return table


def guard(table: Table, cap: Mapping[str, int]) -> None:
    """Let both sides assign CAP."""
    for side in (0, 1):
        picks = [AssignCAP(unit, steps) for unit, steps in cap.items() if OWNERS[unit] == side]
        take(table, side, *picks, Done())


def fly(
    table: Table,
    side: int,
    kind: str,
    origin: str,
    target: str,
    strike: Mapping[str, int],
    escort: Mapping[str, int] | None = None,
) -> list[Fact]:
    """Let a side declare and assemble a strike, with steps by unit; return the facts."""
    steps: list[Decision] = [AddSteps(unit, "strike", n) for unit, n in strike.items()]
    steps += [AddSteps(unit, "escort", n) for unit, n in (escort or {}).items()]
    return take(table, side, DeclareMission(kind, origin), Target(target), *steps, Done())


def answer(
    table: Table, side: int, strike: Mapping[str, int], escort: Mapping[str, int] | None = None
) -> list[Fact]:
    """Let a side strike at the same time (P28.12), with steps by unit; return the facts."""
    steps: list[Decision] = [AddSteps(unit, "strike", n) for unit, n in strike.items()]
    steps += [AddSteps(unit, "escort", n) for unit, n in (escort or {}).items()]
    return take(table, side, SimultaneousStrike(), *steps, Done())


def allot(table: Table, side: int, *picks: tuple[str, str, int]) -> list[Fact]:
    """Let a side allot its strike: unit, ship, steps."""
    decisions = [one for unit, ship, n in picks for one in (AllotStrike(unit, ship), WithSteps(n))]
    return take(table, side, *decisions)


def rolls(facts: Iterable[Fact], purpose: str = "") -> list[tuple[str, str, int]]:
    """Return the dice of facts, seen and unseen, as purpose, target and sum of the shifts."""
    return [
        (one.purpose, one.target, sum(shift.amount for shift in one.modifiers))
        for one in facts
        if isinstance(one, Roll) and purpose in ("", one.purpose)
    ]


def sealed_facts(facts: Iterable[Fact]) -> int:
    """Return how many of these facts not everybody may see."""
    return sum(fact.audience() is not Audience.ALL for fact in facts)


def sea_distance(start: str, goal: str) -> int | None:
    """Return the edges of the shortest way between two nodes, or None."""
    return flood(start, len(NODES)).get(goal)
