"""N2 Set-up: the scenarios, the mode (N20), the seats, and a campaign laid out as one fact."""

from collections.abc import Mapping
from typing import Any

from domain.kernel.seats import Seat
from domain.match.game import Option, Scenario
from domain.nimitz.charts import BATTALIONS, FORCES, JA, OBJECTIVES, POOL, SIDE_NAMES, TURNS, US, YEARS
from domain.nimitz.facts import CampaignSetUp
from domain.nimitz.table import COMMANDERS, JA_BN, JA_RE, SOLITAIRE, TWO_PLAYERS, US_RE, Force

LINKED_WAR = "linked"
RESERVES = {"US": US_RE, "JA": JA_RE}


def scenarios() -> list[Scenario]:
    """Return the four campaigns and the linked war (N2.1)."""
    campaigns = [
        Scenario(
            str(year),
            f"Campaign of {year}",
            f"{TURNS[year]} turns; {len(OBJECTIVES[year])} objectives to hold",
        )
        for year in YEARS
    ]
    text = "The four campaigns one after the other, results added; a campaign that is lost ends the war"
    return [*campaigns, Scenario(LINKED_WAR, "The linked war", text)]


def options() -> list[Option]:
    """Return the mode of N20 as a number."""
    text = (
        "1: one person against the automated Japanese side; 2: two persons, the second for Japan; "
        "3: two US commanders together against the automated side"
    )
    return [Option("mode", "N20", text, SOLITAIRE, SOLITAIRE, COMMANDERS)]


def seats(_scenario: str, given: Mapping[str, Any]) -> tuple[Seat, ...]:
    """Return the chairs of a mode; the automated side has none (N20)."""
    if given["mode"] == COMMANDERS:
        return (Seat("Pacific Ocean Areas", US), Seat("South West Pacific", US))
    sides = (US, JA) if given["mode"] == TWO_PLAYERS else (US,)
    return tuple(Seat(SIDE_NAMES[side], side) for side in sides)


def years(scenario: str) -> tuple[int, ...]:
    """Return the campaigns of a scenario, in order."""
    return YEARS if scenario == LINKED_WAR else (int(scenario),)


def set_up(year: int, mode: int, *, linked: bool) -> CampaignSetUp:
    """Return a campaign before its first turn (N2.2, N2.3)."""
    forces = {
        name: Force(RESERVES[counter.side] if counter.start == "RE" else counter.start)
        for name, counter in FORCES[year].items()
    }
    return CampaignSetUp(
        year=year,
        mode=mode,
        linked=linked,
        supply={0: 0, 1: 0} if mode == COMMANDERS else {0: 0},
        forces=forces | _battalions(year),
    )


def _battalions(year: int) -> dict[str, Force]:
    """Place the battalions, numbered in list order; the rest of the Japanese pool is in the box (N2.2)."""
    placed: dict[str, Force] = {}
    for side, rows in BATTALIONS[year].items():
        places = [row.area for row in rows for _ in range(row.count)]
        if side == "JA":
            places += [JA_BN] * (POOL[year] - len(places))
        for number, place in enumerate(places, start=1):
            placed[f"{side.lower()}-bn-{number:02}"] = Force(JA_RE if place == "RE" else place)
    return placed
