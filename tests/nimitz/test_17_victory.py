"""N17 US defeat check, N18 End of a campaign, N19 Special rules."""

import pytest

from domain.kernel.facts import Rolled
from domain.nimitz.bombing import StrategicBombing
from domain.nimitz.charts import FORCES, INVASION, LINKED, OBJECTIVES, YEARS
from domain.nimitz.decisions import PickBombed
from domain.nimitz.facts import CampaignEnded, CampaignSetUp, ObjectivesHeld, WarEnded
from domain.nimitz.garrison import orderable
from domain.nimitz.marches import BattalionBack, Returned
from domain.nimitz.rows import row_of
from domain.nimitz.sequence import Campaign, War
from domain.nimitz.table import Force
from domain.nimitz.victory import check_defeat, evaluate, invasion_points, level_of
from tests.nimitz.board import JA, TWO_PLAYERS, US, Board, begun, given, of, short
from tests.nimitz.rulebook import rows, section

ALONG = ("HI", "AK", "MI", "SA", "GI", "NC", "SI", "NG", "ML", "WI", "CI", "BO", "PH", "MA", "IJ", "OK")


def holding(count: int, year: int = 1942, **settings: object) -> Board:
    """A table on which the US hold so many objectives, Hawaii among them."""
    areas = [area for area in ALONG if area in OBJECTIVES[year]][:count]
    names = ["us-bn-01", "us-bn-02", "us-bn-03", "us-bn-04", "us-bn-05"]
    forces = {
        1942: ["25th-inf", "43rd-inf", "32nd-inf"],
        1943: ["25th-inf", "43rd-inf", "7th-inf", "37th-inf", "24th-inf"],
    }
    more = [f"mag-{n}" for n in (11, 12, 13, 14, 21, 22, 23, 24)]
    pool = [*names, *forces.get(year, ["25th-inf", "43rd-inf", "6th-inf", "24th-inf", "32nd-inf"]), *more]
    known = [name for name in pool if year != 1942 or name not in {"mag-11", "mag-12", "mag-14", "mag-24"}]
    return given({area: [known[i]] for i, area in enumerate(areas)}, {}, year=year, **settings)  # type: ignore[arg-type]


def test_n17_1_r_35_without_hawaii_the_campaign_is_lost_at_once() -> None:
    board = given({"HI": ["25th-inf"], "AK": ["28th-bg"]}, {"HI": ["ja-bn-01"]})

    check_defeat(board.table)

    ended = of(board.table.facts, CampaignEnded)[0]
    assert ("Replaced", "N17.1") == (ended.level, ended.rule)
    assert JA == board.table.state.match.winner


@pytest.mark.parametrize(("year", "least"), [(1942, 3), (1943, 4), (1944, 6), (1945, 6)])
def test_n17_2_at_or_below_the_replaced_number_it_is_lost(year: int, least: int) -> None:
    lost, alive = holding(least, year, turn=3), holding(least + 1, year, turn=3)

    check_defeat(lost.table)
    check_defeat(alive.table)

    assert (True, False) == (lost.table.state.match.over, alive.table.state.match.over)


def test_n17_2_r_34_in_1944_not_before_turn_2() -> None:
    first, second = holding(5, 1944, turn=1), holding(5, 1944, turn=2)

    check_defeat(first.table)
    check_defeat(second.table)

    assert (False, True) == (first.table.state.match.over, second.table.state.match.over)


def test_n17_3_the_count_is_recorded_every_turn() -> None:
    board = holding(5, turn=2)

    check_defeat(board.table)

    assert [(2, 5)] == [(fact.turn, len(fact.areas)) for fact in of(board.table.facts, ObjectivesHeld)]
    assert [5] == board.open.counts


def test_n18_1_the_result_is_the_objectives_held_and_in_1945_the_invasion() -> None:
    board = holding(8)
    evaluate(board.table)
    assert [(8, "Great")] == [(fact.result, fact.level) for fact in of(board.table.facts, CampaignEnded)]
    assert "Great: 8 objectives" == board.table.state.match.reason

    late = given({"HI": ["us-bn-01"], "INV": [f"{n}-marine" for n in ("1st", "2nd", "3rd")]}, year=1945)
    assert 0 == invasion_points(late.open)


def test_n18_2_every_row_of_the_evaluation() -> None:
    names = ("Great", "Good", "Historical", "Poor", "Replaced")
    for row in rows(section("18")):
        if row[0].isdigit():
            for level, span in zip(names, row[1:], strict=True):
                low, _, high = span.partition("-")
                for result in range(int(low), int(high or low) + 1):
                    assert level == level_of(int(row[0]), result)


@pytest.mark.parametrize(("held", "winner"), [(8, US), (7, US), (6, US), (5, US), (4, JA)])
def test_n18_2_historical_and_better_is_a_win(held: int, winner: int) -> None:
    board = holding(held)

    evaluate(board.table)

    assert winner == board.table.state.match.winner


@pytest.mark.parametrize(
    ("total", "level"),
    [
        (51, "Great"),
        (50, "Great"),
        (49, "Good"),
        (45, "Good"),
        (44, "Historical"),
        (35, "Historical"),
        (34, "Poor"),
        (26, "Poor"),
        (25, "Dismal"),
        (0, "Dismal"),
    ],
)
def test_n18_3_the_levels_of_the_linked_war(total: int, level: str) -> None:
    assert level == row_of(LINKED, total).level


def test_n18_3_results_are_added_and_each_year_has_its_own_set_up() -> None:
    board = holding(5, turn=6, linked=True)
    evaluate(board.table)
    assert not board.table.state.match.over
    following = Board(board.table.state, board.dice, War(years=(1943,), at="next_campaign"))

    assert [1943] == [fact.year for fact in of(following.facts, CampaignSetUp)]
    assert {1942: 5} == following.open.results
    assert 1 == following.open.turn


def test_n18_3_the_campaigns_of_the_war_follow_year_by_year_and_then_it_ends() -> None:
    board = begun(linked=True)
    years: list[int] = []
    while of(board.facts, CampaignSetUp) and len(years) <= len(YEARS):
        years += [fact.year for fact in of(board.facts, CampaignSetUp)]
        cut_short = board.table.state
        cut_short.stack, cut_short.asked = cut_short.stack[:1], ()
        board = Board(cut_short, board.dice)

    assert ([*YEARS], 1) == (years, len(of(board.facts, WarEnded)))


def test_n18_3_r_58_a_lost_year_adds_0_and_ends_the_war() -> None:
    board = holding(3, turn=2, linked=True, results={})
    board.open.results = {1941: 30}

    check_defeat(board.table)

    assert [(30, "Poor")] == [(fact.total, fact.level) for fact in of(board.table.facts, WarEnded)]
    assert JA == board.table.state.match.winner


def test_n17_2_a_lost_campaign_of_one_year_is_no_lost_war() -> None:
    board = holding(3, turn=2)

    check_defeat(board.table)

    assert [] == of(board.table.facts, WarEnded)
    assert "Replaced: 3 objectives, too few" == board.table.state.match.reason


def test_n18_1_n19_4_in_1945_invasion_points_count_with_the_objectives() -> None:
    board = holding(14, 1945, turn=4)
    dear = sorted((c for c in FORCES[1945].values() if c.side == "US"), key=lambda c: -c.buy)[:14]
    for counter in dear:
        if board.open.forces[counter.id].place == "OUT":
            board.open.forces[counter.id] = Force("INV")
    points = invasion_points(board.open)

    evaluate(board.table)

    assert points > 0
    assert [14 + points] == [fact.result for fact in of(board.table.facts, CampaignEnded)]


def test_n18_3_the_whole_war_is_won_with_35() -> None:
    board = holding(14, 1945, turn=4, linked=True, results={1942: 7, 1943: 8, 1944: 11})
    last = Board(board.table.state, board.dice, War(at="next_campaign"), Campaign(at="end"))

    assert [(40, "Historical")] == [(fact.total, fact.level) for fact in of(last.facts, WarEnded)]
    assert (US, "Historical: 40 objectives in the linked war") == (
        last.table.state.match.winner,
        last.table.state.match.reason,
    )


def test_n19_1_n19_3_in_1945_forces_in_okinawa_and_iwo_jima_get_no_orders() -> None:
    ja = {"OK": ["kongo-haruna", "6th-inf"], "IJ": ["hosho"], "EA": ["junyo"]}
    late = given({}, ja, year=1945)
    early = given({}, {"OK": ["kaga"]})

    assert ([], [], 1) == (
        orderable(late.open, "OK"),
        orderable(late.open, "IJ"),
        len(orderable(late.open, "EA")),
    )
    assert ["42-ja-kaga"] == orderable(early.open, "OK")


def test_n19_2_r_69_a_wing_bombs_a_force_of_the_kind_chosen() -> None:
    ja = {"JA": ["zuikaku", "shokaku*", "100th-inf", "ja-bn-01"]}
    board = given({"SB": ["73rd-bw"]}, ja, StrategicBombing(), year=1944, draws=[1])

    assert [PickBombed("SHIP"), PickBombed("INF")] == board.offered()
    board.decide(PickBombed("SHIP"))
    assert ["44-ja-shokaku"] == [fact.force for fact in of(board.facts, Returned)]
    assert {"shokaku": "JA_RE"} == board.where("shokaku")
    battalion = given({"SB": ["73rd-bw"]}, {"JA": ["ja-bn-01"]}, StrategicBombing(), year=1944)
    assert 1 == len(of(battalion.facts, BattalionBack))
    empty = given({"SB": ["73rd-bw"]}, {}, StrategicBombing(), year=1944)
    assert [] == of(empty.facts, Returned, Rolled) + empty.asked


def test_n19_2_every_wing_bombs_once_by_id() -> None:
    wings = ["73rd-bw", "313th-bw", "58th-bw"]
    board = given({"SB": wings}, {"JA": ["amagi", "10th-inf", "100th-inf"]}, StrategicBombing(), year=1945)

    board.decide(PickBombed("SHIP"))

    bombed = [(short(fact.force), fact.why) for fact in of(board.facts, Returned)]
    assert [
        ("amagi", "bombed by [45-us-313th-bw]"),
        ("100th-inf", "bombed by [45-us-58th-bw]"),
        ("10th-inf", "bombed by [45-us-73rd-bw]"),
    ] == bombed


@pytest.mark.parametrize(
    ("bought", "objectives"), [(0, 0), (49, 0), (50, 1), (79, 1), (80, 2), (99, 2), (100, 3), (300, 3)]
)
def test_n19_4_the_invasion_box(bought: int, objectives: int) -> None:
    assert objectives == row_of(INVASION, bought).objectives


def test_n19_4_prices_in_the_box_are_added() -> None:
    dear = sorted((c for c in FORCES[1945].values() if c.side == "US"), key=lambda c: -c.buy)[:14]
    board = given({"INV": [counter.id[6:] for counter in dear]}, year=1945)

    expected = row_of(INVASION, sum(counter.buy for counter in dear)).objectives
    assert expected == invasion_points(board.open) > 0
    assert TWO_PLAYERS == 2
