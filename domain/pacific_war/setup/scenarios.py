"""P1 Scenarios: what can be played, the seats, and the set-up as facts."""

from collections.abc import Mapping
from typing import Any

from domain.kernel.seats import Seat
from domain.match.game import Option, Scenario
from domain.pacific_war.board.atlas import area
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import (
    AIR,
    GROUND,
    LOCATIONS,
    OWNERS,
    SCENARIOS,
    SIDE_NAMES,
    SIDES,
)
from domain.pacific_war.board.printed import Bases, Battle
from domain.pacific_war.board.table import Air, Base, Contents, Fleet, Ground, Patrol, Ship, Table, TaskForce
from domain.pacific_war.facts.cycle import SetUp
from domain.pacific_war.facts.secrets import OwnUnits

TEXTS = {
    "E1": "Two carrier fleets look for each other while a landing sails for Port Moresby.",
    "E2": "Six carriers strike at the battleships in Pearl Harbor.",
    "E3": "Cruisers fall on the fleet off Guadalcanal, at night.",
    "E4": "A landing against a fort that must fall first.",
    "B1": "The fleets meet off Midway, with a landing to follow.",
}


CAMPAIGN_TEXTS = {
    "C1": (
        "Landings and sea fights around Guadalcanal. Five months.",
        "An evening or several: some 600 decisions a side.",
    ),
    "S1": (
        "The whole war, from Pearl Harbor on. Forty-six months.",
        "Weeks: some 8,000 decisions a side.",
    ),
    "S2": (
        "The war from the landings in the Marshalls on. Twenty-one months.",
        "Weeks: some 4,000 decisions a side.",
    ),
}
"""What each is about, and how long it takes: decisions as counted between steady bots."""

LENGTHS = ("", "One cycle", "Two cycles", "Three cycles", "Four cycles")
"""In words, by the number of battle cycles."""


def scenarios() -> list[Scenario]:
    """Return the set-ups that can be chosen: the battles, then the campaigns."""
    battles = [
        Scenario(name, one.name, f"{TEXTS[name]} {LENGTHS[one.battle_cycles]}.")
        for name, one in sorted(SCENARIOS.items(), key=lambda item: _order(item[0]))
    ]
    return [*battles, *(Scenario(name, CAMPAIGNS[name].name, *said) for name, said in CAMPAIGN_TEXTS.items())]


def _order(name: str) -> tuple[bool, str]:
    return name.startswith("B"), name


def options() -> list[Option]:
    """Return the optional rules, all of the war: weather, unless it is switched off, and P34."""
    war = tuple(name for name, one in CAMPAIGNS.items() if one.strategic)
    return [
        Option(
            "weather",
            "P5.1.A",
            "Weather: where it is foul for a month, aircraft and landings suffer.",
            default=True,
            scenarios=war,
        ),
        Option(
            "krs",
            "P34.1",
            "KRS: from December 1941 Japan has a submarine that keeps a seaplane base.",
            scenarios=war,
        ),
        Option("sto", "P34.2", "STO: from February 1945 Japan has submarines with aircraft.", scenarios=war),
    ]


def seats(_scenario: str, _given: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Return the chairs, one a side."""
    return tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))


def set_up(table: Table, scenario: str) -> None:
    """Record the map for all, and each side's units for itself (P0.4.3)."""
    battle = SCENARIOS[scenario]
    own = [_own(battle, side) for side in (0, 1)]
    table.record(
        SetUp(
            scenario,
            SIDES.index(battle.operation_player),
            _bases(battle),
            {row.id: TaskForce(SIDES.index(row.side), row.hex, row.detected) for row in battle.tfs},
            {_hex(row.hex): Patrol(SIDES.index(row.side)) for row in battle.patrols},
            _places([sorted({ship.port for ship in one.ships.values() if ship.port}) for one in own]),
            _places([sorted({a.home for a in one.air.values() if a.home in LOCATIONS}) for one in own]),
            _places([sorted({unit.hex for unit in one.ground.values() if unit.hex}) for one in own]),
        )
    )
    for one in own:
        table.record(one)


def _places(by_side: list[list[str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(by_side[0]), tuple(by_side[1])


def _hex(place: str) -> str:
    return LOCATIONS[place].hex if place in LOCATIONS else place


def _bases(battle: Battle) -> dict[str, Base]:
    given = {place: SIDES.index(side) for side, places in battle.control.items() for place in places}
    inside = area(battle.id)
    return {
        place: Base(
            given.get(place, SIDES.index(printed.control_1941_12)),
            port=_or(changed.port, printed.port),
            airbase=_or(changed.airbase, printed.airbase),
            fort=_or(changed.fort, printed.fort),
        )
        for place, printed in LOCATIONS.items()
        if printed.hex in inside
        for changed in (battle.bases.get(place, Bases()),)
    }


def _or(given: int | None, printed: int) -> int:
    return printed if given is None else given


def _own(battle: Battle, side: int) -> OwnUnits:
    sleeping = battle.id == "E2" and SIDES[side] == battle.reaction_player
    fleets: dict[str, Fleet | None] = {}
    ships: dict[str, Ship] = {}
    ground: dict[str, Ground] = {}
    for row in battle.tfs:
        if row.side == SIDES[side]:
            fleets[row.id] = Fleet(Contents(row.core, row.screen))
            ships |= {ship: Ship(row.id) for ship in (*row.core, *row.screen)}
            for ship, cargo in row.cargo.items():
                for named in cargo:
                    unit, _, steps = named.partition(":")
                    carried = int(steps) if steps else GROUND[unit].steps
                    before = ground.get(unit, Ground())
                    ground[unit] = Ground(
                        aboard=before.aboard | {ship: carried}, steps=before.steps + carried
                    )
    for harbour in battle.naval:
        if harbour.side == SIDES[side]:
            ships |= {ship: Ship(port=harbour.at, active=False) for ship in harbour.units}
    air = {
        row.id: Air(row.base or AIR[row.id].carrier or "", row.steps, row.level, not sleeping)
        for row in battle.air
        if OWNERS[row.id] == side
    }
    for garrison in battle.ground:
        if OWNERS[garrison.id] == side:
            full = garrison.steps if garrison.steps is not None else GROUND[garrison.id].steps
            ground[garrison.id] = Ground(_hex(garrison.hex), steps=full, active=not sleeping)
    patrols = {_hex(row.hex): row.points for row in battle.patrols if row.side == SIDES[side]}
    return OwnUnits(side, fleets, ships, air, ground, patrols, "as they are set up")
