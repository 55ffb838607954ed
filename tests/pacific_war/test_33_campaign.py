"""P33.2 Victory in the Solomons and Papua: points of the months, damage points, levels."""

from typing import Any

import pytest

from domain.match.notices import GameEnded
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.facts.cycle import Counted
from domain.pacific_war.facts.months import InitiativeIs, PlacesScored
from domain.pacific_war.victory.campaign_victory import end, level, place_rows, score_month
from tests.pacific_war.board import told
from tests.pacific_war.months import ALLIES, JAPAN, campaign

WORTH = {
    "guadalcanal": (6, 6),
    "buna": (1, 3),
    "milne_bay": (5, 1),
    "port_moresby": (10, 0),
    "espiritu_santo": (10, 0),
    "lae": (0, 4),
    "munda": (0, 3),
    "shortland": (0, 6),
    "rabaul": (0, 15),
}
"""Location to what it scores for Japan and for the Allies, as the scenario prints it."""


def test_p33_2_the_locations_of_c1_are_worth_what_the_scenario_says() -> None:
    given = CAMPAIGNS["C1"].victory.locations

    assert {place: (one["JP"], one["AL"]) for place, one in given.items()} == WORTH


@pytest.mark.parametrize("holder", [JAPAN, ALLIES])
@pytest.mark.parametrize("place", WORTH)
def test_p33_2_a_location_scores_for_who_controls_it(place: str, holder: int) -> None:
    """Given a location in the hands of a side, then it has its points, and no row if there are none."""
    table = campaign(bases={place: {"control": holder}})
    points = WORTH[place][holder]
    row = (points, 0) if holder == JAPAN else (0, points)

    assert ([(place, row)] if points else []) == [one for one in place_rows(table.open) if one[0] == place]


def test_p33_2_each_month_adds_to_what_was_scored() -> None:
    """Given the set-up, then Guadalcanal and Buna score 7 for Japan, Milne Bay 1 for the Allies, twice."""
    table = campaign()
    table.facts = []
    score_month(table)
    score_month(table)

    first = told(table.facts, PlacesScored)[0]
    assert ("1942-08", {"guadalcanal": (6, 0), "buna": (1, 0), "milne_bay": (0, 1)}) == (
        first.month,
        dict(first.rows),
    )
    assert (14, 2) == table.state.open.war.places
    words = "[guadalcanal] 6, [buna] 1, [milne_bay] 1"
    assert f"Points for locations at the end of August 1942: {words}" == first.words()


@pytest.mark.parametrize(
    ("ahead", "result"),
    [
        (45, "Allied decisive"),
        (44, "Allied marginal"),
        (20, "Allied marginal"),
        (19, "draw"),
        (-10, "draw"),
        (-11, "Japanese marginal"),
        (-35, "Japanese marginal"),
        (-36, "Japanese decisive"),
        (-99, "Japanese decisive"),
    ],
)
def test_p33_2_the_level_goes_by_the_allies_less_japan(ahead: int, result: str) -> None:
    assert result == level("C1", 50, 50 + ahead)
    assert result == level("C1", 100, 100 + ahead)


@pytest.mark.parametrize(
    ("damage", "points", "result", "winner"),
    [
        ((0, 0), (7, 1), "draw", None),
        ((10, 50), (17, 51), "Allied marginal", ALLIES),
        ((60, 12), (67, 13), "Japanese decisive", JAPAN),
    ],
)
def test_p33_2_p19_3_the_game_ends_with_location_and_damage_points(
    damage: tuple[int, int], points: tuple[int, int], result: str, winner: Any
) -> None:
    """Given one month end and the damage points of two Operations, then both count, and the level stands."""
    table = campaign(month="1942-12")
    table.record(InitiativeIs(-1, (damage[0] // 2, damage[1] // 2)))
    table.record(InitiativeIs(0, (damage[0] - damage[0] // 2, damage[1] - damage[1] // 2)))
    score_month(table)
    table.facts = []
    end(table)

    rows = (("Locations", (7, 1)), ("Damage points", damage))
    assert [Counted(rows, points, result)] == told(table.facts, Counted)
    assert [GameEnded(winner, result, "33.2")] == told(table.facts, GameEnded)
    assert (points, result) == (table.state.open.points, table.state.open.level)
    assert table.state.match.over
