"""P39 The merchant war, the bombing of Japan and its collapse, as the balance check has them, within a tenth.

Month by month the rules roll their dice; what both sides would decide is a policy, and the war on the map is
what it was. What a figure loses when it is rounded for the table, to the decimals that it has there, is let
pass too.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from msgspec import Struct

from domain.kernel.dice import seeded
from domain.kernel.table import Table
from domain.pacific_war.board.campaigns import month_after
from domain.pacific_war.board.charts import TABLES
from domain.pacific_war.board.combat import d10
from domain.pacific_war.homefront import strategic_bombing
from domain.pacific_war.homefront.collapse import Standing, points, surrenders
from domain.pacific_war.homefront.merchants import START_MSP, Trade, attrition, grown
from domain.pacific_war.homefront.strategic_bombing import MODES, START_HRL, lowered, raids
from domain.pacific_war.months.intelligence_level import level
from tests.pacific_war.months import ALLIES, campaign

REGIONS_BY_DATE = (("1945-01", 1), ("1945-03", 2), ("1945-04", 3))
"""Lingayen, Iwo Jima, Okinawa, as they fell."""
MERCHANT_WARS = 800
RESOURCES = 15
"""Resource hexes that count for Japan: all."""
SCHEDULE: dict[str, Any] = TABLES["points_schedule"]
LAST = "1945-09"


def off(found: Mapping[str, float], book: Mapping[str, float]) -> dict[str, Any]:
    """Return what is further from the table than a tenth, and half of what its last digit stands for.

    A figure that the table has with a decimal is a float here, one that it has without is an int.
    """
    return {
        name: (found[name], value)
        for name, value in book.items()
        if abs(found[name] - value) > value / 10 + (0.5 if isinstance(value, int) else 0.05)
    }


class Trading(Struct):
    """The merchant war as it stands in a month, with the policy of both."""

    share: Callable[[str], float]
    """Part of the boats that is on merchant duty in a month; boats are rounded."""
    first: Callable[[int], bool] = lambda _escorts: False
    """Whether the boats go for so many escorts first."""
    destroyers: int = 0
    """DD units on escort duty; they take no hits."""
    msp: int = START_MSP["1941-12"]
    boats: int = SCHEDULE["start_1941_12"]["al_submarines"]
    markers: int = SCHEDULE["start_1941_12"]["jp_escort_points"]

    def suffer(self, table: Table, month: str) -> tuple[int, int]:
        """Roll a month of it; return the MSP and the submarine points that are lost."""
        on_duty = self.markers + self.destroyers
        trade = Trade(
            self.msp,
            round(self.share(month) * self.boats),
            on_duty,
            level=level(ALLIES, month, d10(table, "level", by=ALLIES, unseen=True)),
            regions=max((n for since, n in REGIONS_BY_DATE if since <= month), default=0),
            priority="escorts" if self.first(on_duty) else "merchants",
        )
        toll = attrition(table, trade)
        self.msp = grown(self.msp - toll.merchants - toll.marine, month, RESOURCES)
        self.boats += SCHEDULE["al_submarines"][month] - toll.boats
        self.markers += SCHEDULE["jp_escort_points"][month] - min(self.markers, toll.escorts)
        return toll.merchants + toll.marine, toll.boats


def most_boats(month: str) -> float:
    return 0.75 if month < "1943-01" else 0.85


# the merchant war


def year_by_year(seed: int, table: Table, trading: Trading) -> Counter[str]:
    """Return losses by year, points left at month ends, and submarine points lost."""
    table.dice = seeded(f"merchants {seed}")
    noted, month = Counter[str](), "1942-01"
    while month <= LAST:
        table.state.open.war.month = month
        lost, boats = trading.suffer(table, month)
        table.facts = []
        noted.update({month[:4]: lost, "boats": boats, month: trading.msp})
        month = month_after(month)
    return noted


@pytest.mark.parametrize(
    ("policy", "book"),
    [
        pytest.param(
            {"share": most_boats},
            {
                "1942": 11.3,
                "1943": 18.4,
                "1944": 39.8,
                "1945": 22,
                "1942-12": 58,
                "1943-12": 49,
                "1944-12": 25,
                "1945-08": 11,
                "boats": 12.9,
            },
            id="merchants",
        ),
        *(
            pytest.param(policy, book, id=name, marks=pytest.mark.soak)
            for name, policy, book in (
                ("half the boats", {"share": lambda _month: 0.5}, {"1944-12": 43, "1945-08": 28}),
                (
                    "escorts first",
                    {"share": most_boats, "first": lambda _escorts: True},
                    {"1945-08": 34, "boats": 15},
                ),
                (
                    "escorts from 9",
                    {"share": most_boats, "first": lambda escorts: escorts >= 9},
                    {"1945-08": 10, "boats": 11},
                ),
                ("2 destroyers", {"share": most_boats, "destroyers": 2}, {"1945-08": 21, "boats": 17}),
                ("4 destroyers", {"share": most_boats, "destroyers": 4}, {"1945-08": 31, "boats": 22}),
            )
        ),
    ],
)
def test_p39_p9_3_the_merchant_war_is_that_of_the_balance_check(
    policy: dict[str, Any], book: dict[str, float]
) -> None:
    """Given many wars under a policy, then each mean is that of the table; September 1945 counts."""
    table, total = campaign(), Counter[str]()
    for seed in range(MERCHANT_WARS):
        total.update(year_by_year(seed, table, Trading(**policy)))
    found = {name: total[name] / MERCHANT_WARS for name in book}

    assert {} == off(found, book)


# bombing and collapse

DEFENDERS = 6
"""Fighter units that defend Japan."""
ESCORTED_SINCE = MINING_SINCE = "1945-04"
"""Iwo Jima is taken at the end of March; then a part of the bombers lay mines."""
MINING = 0.3
FELL = {
    "saipan": "1944-07",
    "manila": "1945-03",
    "iwo_jima": "1945-03",
    "rangoon": "1945-05",
    "okinawa": "1945-06",
}
"""Month at whose end the Allies control a location."""
FEW_CARRIERS_SINCE, FEW_BATTLESHIPS_SINCE = "1944-11", "1945-04"
"""After Leyte Gulf, and after the loss of Yamato."""


def raid(table: Table, month: str, bombers: int) -> strategic_bombing.Raid:
    """Fly the raids of a month: incendiary as soon as it may be, and mines; return what all of it does."""
    fire = MODES[1] if strategic_bombing.allowed(MODES[1], month) else MODES[0]
    mining = round(MINING * bombers) if month >= MINING_SINCE else 0
    given = {fire: {"saipan": bombers - mining}, MODES[2]: {"saipan": mining}}
    flown = raids(table, {mode: group for mode, group in given.items() if sum(group.values())}).values()
    lost = sum(sum(one.lost.values()) for one in flown)
    return strategic_bombing.Raid(
        {"saipan": lost}, sum(one.hrl for one in flown), sum(one.msp for one in flown)
    )


def standing(month: str, hrl: int, msp: int) -> Standing:
    """Return how Japan stands at a month end if all else is as it was."""
    return Standing(
        hrl,
        msp,
        frozenset(place for place, since in FELL.items() if since <= month),
        0 if month >= FEW_CARRIERS_SINCE else 3,
        0 if month >= FEW_BATTLESHIPS_SINCE else 4,
        bombs=True,
    )


@cache
def chance(collapse: int) -> float:
    """Return how often Japan surrenders by so many points: each face of the die once."""
    return sum(surrenders(campaign(face), collapse) for face in range(10)) / 10 if collapse >= 13 else 0


def months_of_war(seed: int, table: Table) -> tuple[dict[str, int], dict[str, float]]:
    """Return the HRL after each month, and how likely Japan surrenders at its end."""
    table.dice, trading = seeded(f"bombing {seed}"), Trading(most_boats)
    hrl, bombers, month, holds = START_HRL, 0, "1942-01", 1.0
    levels, ends = dict[str, int](), dict[str, float]()
    while month <= LAST:
        table.state.open.war.month = month
        done = raid(table, month, bombers) if bombers else strategic_bombing.Raid()
        hrl, bombers = lowered(hrl, done.hrl), bombers - sum(done.lost.values())
        trading.msp = max(0, trading.msp - done.msp)
        trading.suffer(table, month)
        table.facts = []
        bombers += SCHEDULE["al_strategic_bombing_points"][month]
        now = chance(points(month, standing(month, hrl, trading.msp)))
        levels[month], ends[month] = hrl, holds * now
        holds *= 1 - now
        month = month_after(month)
    return levels, ends | {"later": holds}


@pytest.mark.parametrize("wars", [200, pytest.param(4_000, marks=pytest.mark.soak)])
def test_p39_p8_3_p33_4_bombing_and_surrender_are_those_of_the_balance_check(
    wars: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given many wars, then the mean HRL is that of the table, and so is the part that ends in each month."""
    monkeypatch.setattr(strategic_bombing, "defenders", lambda *_: DEFENDERS)
    monkeypatch.setattr(strategic_bombing, "escorted", lambda board, _: board.war.month >= ESCORTED_SINCE)
    table, hrl, ends = campaign(), Counter[str](), Counter[str]()
    for seed in range(wars):
        levels, surrendered = months_of_war(seed, table)
        hrl.update(levels)
        ends.update(surrendered)
    mean = {month: total / wars for month, total in hrl.items()}
    percent = {month: 100 * total / wars for month, total in ends.items()}

    assert {} == off(mean, {"1944-12": 18.5, "1945-04": 13.4, "1945-08": 3.7})
    assert {} == off(percent, {"1945-06": 14, "1945-07": 18, "1945-08": 53, "1945-09": 11, "later": 2})
