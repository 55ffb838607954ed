"""M2 Setup: scenarios, the options they can have, the seats of M14, and the board as one fact."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import convert

from domain.kernel.seats import Seat
from domain.match.game import BadSetUp, Option, Scenario
from domain.midway.charts import OPTIONS, SCENARIOS, SHIPS, SIDE_NAMES, SIDES, SQUADRONS, SetUpRow
from domain.midway.facts import SetUp, number
from domain.midway.table import Carrier, Group, Options

SEATS = ("japanese_seats", "american_seats")
WHOSE = ("Japanese", "American")


def scenarios() -> list[Scenario]:
    """Return the set-ups that can be chosen, with a sentence about each."""
    return [Scenario(row.id, row.title, _text(row)) for row in SCENARIOS.values()]


def options() -> list[Option]:
    """Return the options of M15, and team play (M14.3)."""
    return [Option(row.id, row.rule, row.text, row.default, row.least, row.most) for row in OPTIONS]


def check(scenario: str, given: Mapping[str, Any]) -> None:
    """Refuse options that do not go together: seats without team play, a search where there is none."""
    row = SCENARIOS[scenario]
    for side, (option, whose) in enumerate(zip(SEATS, WHOSE, strict=True)):
        wanted, most = given.get(option), len(_ships(row, side))
        if wanted is None:
            continue
        if not given.get("team_play"):
            raise BadSetUp(f"a number of {whose} seats can be chosen in team play alone (M14.3)")
        if wanted > most:
            has = f"{row.title} has {number(most, f'{whose} carrier')}"
            raise BadSetUp(f"{has}, and there is one seat at most for each (M14.3)")
    if given.get("japanese_search") and not row.search_rule:
        raise BadSetUp(f"{row.title} is played without a search, so Japan cannot have to search (M15.10)")


def seats(scenario: str, given: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Return the chairs: one per side, or in team play those of the carriers, in data order (M14)."""
    if not given.get("team_play"):
        return tuple(Seat(name, side) for side, name in enumerate(SIDE_NAMES))
    return tuple(
        Seat(" and ".join(SHIPS[ship].name for ship in ships), side)
        for side, ships in _chairs(scenario, given)
    )


def set_up(scenario: str, given: Mapping[str, Any]) -> SetUp:
    """Return the board of a scenario before turn 1 (M2.2)."""
    row = SCENARIOS[scenario]
    searches = row.search_rule
    chosen = convert(given, Options)
    hours, minutes = map(int, row.first_turn_time.split(":"))
    limit = given.get("turn_limit")
    return SetUp(
        scenario=scenario,
        options=chosen,
        turn_limit=row.turn_limit if limit is None else limit,
        sudden_death=row.sudden_death is not None,
        first_minute=60 * hours + minutes,
        minutes_per_turn=row.minutes_per_turn,
        found=(not (searches and chosen.japanese_search), not searches),
        carriers=_carriers(row, given),
        groups=_groups(row),
    )


def _ships(row: SetUpRow, side: int) -> list[str]:
    return [ship for ship in row.ships if SHIPS[ship].side == SIDES[side]]


def _chairs(scenario: str, given: Mapping[str, Any]) -> list[tuple[int, Sequence[str]]]:
    """Deal each side's carriers to its seats: neighbours in data order, the first seats take what is over."""
    chairs: list[tuple[int, Sequence[str]]] = []
    for side, option in enumerate(SEATS):
        ships = _ships(SCENARIOS[scenario], side)
        count = (given.get(option) or len(ships)) if given.get("team_play") else 1
        each, over = divmod(len(ships), count)
        for seat in range(count):
            size = each + (seat < over)
            chairs.append((side, ships[:size]))
            ships = ships[size:]
    return chairs


def _carriers(row: SetUpRow, given: Mapping[str, Any]) -> dict[str, Carrier]:
    carriers: dict[str, Carrier] = {}
    for seat, (side, ships) in enumerate(_chairs(row.id, given)):
        for name in ships:
            ship = SHIPS[name]
            carriers[name] = Carrier(
                side=side,
                aa=ship.aa_dice,
                repair=ship.repair_min,
                capacity=ship.hangar_capacity,
                seat=seat,
                damage=row.damage[name],
            )
    return carriers


def _groups(row: SetUpRow) -> dict[str, Group]:
    return {
        name: Group(
            side=SIDES.index(squadron.side),
            home=squadron.home,
            type=squadron.type,
            full=squadron.strength,
            strength=squadron.strength,
            place=row.positions[name],
        )
        for name, squadron in SQUADRONS.items()
        if name in row.positions
    }


def _text(row: SetUpRow) -> str:
    ships = " and ".join(
        ", ".join(SHIPS[ship].name for ship in _ships(row, side)) for side in range(len(SIDES))
    )
    search = "; the Japanese fleet has to be found first" if row.search_rule else ""
    death = "; who first cripples or sinks the enemy carrier wins" if row.sudden_death else ""
    return f"{ships}, {row.turn_limit} turns{search}{death}"
