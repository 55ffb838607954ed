"""C24 Setup: scenarios, optional rules, seats, and the table as one fact."""

from collections.abc import Mapping
from typing import Any

from msgspec import convert

from domain.coral_sea.atlas import BOX, HOLDABLE
from domain.coral_sea.charts import (
    AIRFIELD_COUNTERS,
    ALLIED,
    DECKS,
    JAPAN,
    OPTIONS,
    SCENARIOS,
    SIDE_NAMES,
    UNITS,
)
from domain.coral_sea.facts import SetUp
from domain.coral_sea.printed import SIDES, Stock
from domain.coral_sea.table import MAP, Options, Unit
from domain.kernel.seats import Seat
from domain.match.game import Option, Scenario


def scenarios() -> list[Scenario]:
    """Return the set-ups that can be chosen."""
    return [Scenario(row.id, row.title, row.text) for row in SCENARIOS.values()]


def options() -> list[Option]:
    """Return the optional rules (C22)."""
    return [Option(row.id, row.rule, row.text, row.default) for row in OPTIONS]


def seats(_scenario: str, _given: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Return the chairs, one a side."""
    return tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))


def set_up(scenario: str, given: Mapping[str, Any]) -> SetUp:
    """Return the table before the first sequence (C24.1 to C24.3)."""
    row = SCENARIOS[scenario]
    units = {name: Unit() for name in UNITS}
    for stack in row.units:
        for name in stack.units:
            units[name] = Unit(MAP, stack.area)
    held = row.control.japan_areas
    return SetUp(
        scenario=scenario,
        options=convert(given, Options),
        control={area: JAPAN if area in held and area != BOX else ALLIED for area in HOLDABLE},
        units=units,
        rp=(_stocks(row.resource_points, JAPAN), _stocks(row.resource_points, ALLIED)),
        initiative=SIDES.index(row.initiative),
        counters=(AIRFIELD_COUNTERS, AIRFIELD_COUNTERS),
        decks=(len(DECKS[JAPAN]), len(DECKS[ALLIED])),
        fortresses=row.fortresses,
        fortress_sides=tuple(SIDES.index(fortress.side) for fortress in row.fortresses),
        leaders={leader.id: leader.unit for leader in row.leaders},
    )


def _stocks(stocks: tuple[Stock, ...], side: int) -> dict[str, int]:
    return {stock.area: stock.count for stock in stocks if stock.side == SIDES[side]}
