"""N2 Set-up, N3 the campaign turn."""

import pytest

from domain.nimitz import NIMITZ
from domain.nimitz.charts import COUNTERS, FORCES, OBJECTIVES, SIDE_OF, YEARS
from domain.nimitz.facts import CampaignEnded, StepBegan, SupplyIs, TurnBegan
from domain.nimitz.rows import Span
from domain.nimitz.scenarios import set_up
from domain.nimitz.sequence import Campaign
from domain.nimitz.table import Battle, Open, held_objectives
from tests.nimitz.board import JA, US, begun, given, of
from tests.nimitz.rulebook import rows, section


def test_n2_1_four_campaigns_the_linked_war_and_a_mode() -> None:
    assert ["1942", "1943", "1944", "1945", "linked"] == list(NIMITZ.scenarios)
    assert {"mode": 1} == NIMITZ.set_up("1942", {})


def test_n2_1_a_scenario_says_how_long_it_is_and_what_is_to_be_held() -> None:
    texts = [scenario.text for scenario in NIMITZ.scenarios.values()]

    assert ["6 turns; 8 objectives to hold", "4 turns; 16 objectives to hold"] == [texts[0], texts[3]]


@pytest.mark.parametrize(
    ("span", "words"),
    [(Span(None, 3), "3 or less"), (Span(18, None), "18 or more"), (Span(3, 3), "3"), (Span(3, 5), "3-5")],
)
def test_n2_1_a_row_of_a_table_is_said_as_it_is_printed(span: Span, words: str) -> None:
    assert words == span.words()
    assert (0, 0, 0, 0, 0, 0) == (span.turns, span.plans, span.ships, span.inf, span.lba, span.objectives)


@pytest.mark.parametrize("year", YEARS)
def test_n2_2_forces_stand_full_at_their_start(year: int) -> None:
    board = begun(year).open

    for name, force in board.forces.items():
        counter = COUNTERS[name]
        if counter.type != "BN":
            start = f"{counter.side}_RE" if counter.start == "RE" else counter.start
            assert (start, False, False) == (force.place, force.damaged, force.aboard), name


def test_n2_2_battalions_are_numbered_in_list_order_and_one_is_fresh_in_1942() -> None:
    board = begun()

    assert ["ja-bn-01"] == [name for name in board.in_place("MA") if "bn" in name]
    assert ["us-bn-02"] == [name for name in board.in_place("BO") if "us-bn" in name]
    assert ["ja-bn-10"] == [name for name in board.in_place("JA_RE") if "bn" in name]
    assert "ja-bn-11" == board.in_place("JA_BN")[0]


def test_n2_3_counters_begin_at_0() -> None:
    board = begun()

    first = of(board.facts, SupplyIs)[0]
    assert (21, 21) == (first.change, first.supply)
    assert (0, 0, 1) == (board.open.counter, len(board.in_place("RAID")), board.open.turn)


def test_n2_3_nothing_of_an_earlier_campaign_stays_but_its_result() -> None:
    board = begun()
    board.open.results, board.open.level, board.open.counts = {1942: 5}, "Poor", [5]
    board.open.scouts, board.open.auto_held, board.open.battles = {"ML": 1}, ["NG"], ["SI"]
    board.open.returned["SHIP"], board.open.counter, board.open.battle = ["42-ja-kaga"], 7, Battle("SI")
    laid = set_up(1943, 1, linked=True)

    board.table.record(laid)

    empty = Open(
        mode=1,
        linked=True,
        year=1943,
        supply={0: 0},
        forces=laid.forces,
        returned={"SHIP": [], "INF": [], "LBA": []},
        results={1942: 5},
    )
    assert empty == board.open
    assert (0, 0, 0) == (board.open.turn, board.open.step, board.open.counter)
    board.open.forces["43-us-enterprise"].damaged = True
    assert not laid.forces["43-us-enterprise"].damaged


def test_n2_4_carrier_aircraft_exist_in_battle_only() -> None:
    assert not any(":" in name for name in begun().open.forces)


def test_n2_5_check_numbers_of_the_set_up() -> None:
    table = {row[0]: list(map(int, row[1:])) for row in rows(section("2")) if row[0].isdigit()}

    for year in YEARS:
        board = begun(year).open
        counts = []
        for side in (US, JA):
            names = [name for name in board.forces if SIDE_OF[name] == side]
            bns = [n for n in names if COUNTERS[n].type == "BN" and board.forces[n].place != "JA_BN"]
            kinds = [COUNTERS[n].kind for n in names if COUNTERS[n].type != "BN"]
            counts += [kinds.count("SHIP"), kinds.count("INF"), len(bns), kinds.count("LBA")]
        assert table[str(year)] == [*counts, len(OBJECTIVES[year]), len(held_objectives(board))]


def test_n3_1_the_steps_of_a_turn_come_in_their_order() -> None:
    board = begun(1945)
    while board.open.turn < 2 and board.asked:
        seat, prompt = next(iter(board.table.prompts.items()))
        board.facts += board.table.decide(seat, prompt.options[-1])

    steps = [fact.step for fact in of(board.facts, StepBegan)]
    assert list(range(1, 12)) == steps[:11]
    assert [1, 2] == [fact.turn for fact in of(board.facts, TurnBegan)][:2]


@pytest.mark.parametrize(("year", "last"), [(1942, 6), (1943, 6), (1944, 6), (1945, 4)])
def test_n3_1_r_36_a_turn_follows_until_the_last_one_of_the_year(year: int, last: int) -> None:
    one_more = given({}, {}, Campaign(at="next_turn"), year=year, turn=last - 1)
    over = given({}, {}, Campaign(at="next_turn"), year=year, turn=last)

    assert [last] == [fact.turn for fact in of(one_more.facts, TurnBegan)]
    assert ([], 1) == (of(over.facts, TurnBegan), len(of(over.facts, CampaignEnded)))


def test_n2_2_r_37_the_second_desron_6_of_1945_is_desron_55() -> None:
    names = [counter.name for counter in FORCES[1945].values() if counter.side == "US"]

    assert (1, 1) == (names.count("DESRON 6"), names.count("DESRON 55"))


def test_n2_2_r_56_the_genzan_group_of_1942_bombs_ships_with_2() -> None:
    genzan = FORCES[1942]["42-ja-genzan-kokutai"]

    assert (2, 2) == (genzan.value, genzan.ratings.full.bomb_ship)
