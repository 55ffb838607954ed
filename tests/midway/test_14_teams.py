"""M14 Players, teams, spectators. The seats of full teams: AKAGI 0 to HIRYU 3, ENTERPRISE 4 to YORKTOWN 6."""

import pytest

from domain.kernel.audience import VIEWERS
from domain.kernel.facts import evolve, seen_by
from domain.kernel.procedures import Decision
from domain.kernel.seats import Seat
from domain.midway import MIDWAY
from domain.midway.choices import LossProposed, ProposalAnswered, ProposalSettled
from domain.midway.decisions import (
    Accept,
    Advance,
    CapVsBombers,
    CapVsFighters,
    Done,
    HitType,
    Land,
    Launch,
    Lose,
    Recall,
    Refuse,
    SearchAssign,
    SearchStart,
    Spot,
    StrikeBelow,
    Target,
    TurnBack,
)
from domain.midway.facts import GroupLost, StrengthLost
from domain.midway.teams import admiral, split
from tests.fuzz.matches import Play
from tests.midway.board import DUEL, HISTORICAL, begun, given, of
from tests.seen import view

WAVE = {
    "ENT-D1": (5, "ATTACKING"),
    "ENT-D2": (5, "ATTACKING"),
    "HOR-D1": (5, "ATTACKING"),
    "YOR-D1": (5, "ATTACKING"),
}


def test_m14_1_two_players_have_one_seat_a_side() -> None:
    board = begun()

    assert (Seat("Japan", 0), Seat("United States", 1)) == MIDWAY.seats(HISTORICAL, {})
    assert [0] == board.asked


def test_m14_2_spectators_see_what_the_players_see() -> None:
    play = Play(MIDWAY, DUEL, {}, 1)
    play.decide(0, Done())
    facts = [fact for _, fact in play.log]

    seen = [view(MIDWAY, evolve(MIDWAY.state(), seen_by(eyes, facts)), eyes) for eyes in VIEWERS]

    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, ["Akagi", "Kaga", "Soryu", "Hiryu", "Enterprise", "Hornet", "Yorktown"]),
        (
            {"japanese_seats": 2, "american_seats": 1},
            ["Akagi and Kaga", "Soryu and Hiryu", "Enterprise and Hornet and Yorktown"],
        ),
        (
            {"japanese_seats": 3, "american_seats": 2},
            ["Akagi and Kaga", "Soryu", "Hiryu", "Enterprise and Hornet", "Yorktown"],
        ),
    ],
)
def test_m14_3_up_to_one_seat_per_carrier(options: dict[str, int], names: list[str]) -> None:
    seats = MIDWAY.seats(HISTORICAL, {"team_play": True, **options})

    assert names == [seat.name for seat in seats]


def test_m14_3_a_group_belongs_to_the_seat_of_its_home_carrier_wherever_it_lands() -> None:
    board = given({"KAG-D1": (5, "DECK:HIRYU")}, step=9, team_play=True)

    assert {1: [Launch("KAG-D1", "MOVING"), Done()]} == lists(board.table.prompts)


def lists(prompts: object) -> dict[int, list[Decision]]:
    assert isinstance(prompts, dict)
    return {seat: list(prompt.options) for seat, prompt in prompts.items()}


@pytest.mark.parametrize(
    ("groups", "step", "seats"),
    [
        ({"KAG-D1": (5, "HOME"), "HIR-D1": (5, "HOME")}, 3, {1: Advance("KAG-D1"), 3: Advance("HIR-D1")}),
        ({"KAG-D1": (5, "WAITING")}, 1, {0: Land("KAG-D1", "AKAGI"), 2: Land("KAG-D1", "SORYU")}),
        ({"KAG-D1": (5, "HANGAR:HIRYU")}, 11, {3: Spot("KAG-D1")}),
        ({"KAG-D1": (5, "DECK:HIRYU")}, 11, {3: StrikeBelow("KAG-D1")}),
        ({"KAG-F1": (5, "CAP:1"), "ENT-D1": (5, "READY")}, 5, {1: CapVsBombers("KAG-F1")}),
        ({"KAG-F1": (5, "CAP:1"), "ENT-F1": (5, "READY")}, 5, {1: CapVsFighters("KAG-F1")}),
        ({"KAG-D1": (5, "ATTACKING"), "AKA-T1": (5, "HOME")}, 7, {1: Target("KAG-D1", "HORNET")}),
        ({"KAG-F1": (5, "CAP:1"), "SOR-D1": (5, "MOVING")}, 3, {1: Recall("KAG-F1"), 2: TurnBack("SOR-D1")}),
    ],
)
def test_m14_4_who_decides_in_a_team(
    groups: dict[str, tuple[int, str]], step: int, seats: dict[int, Decision]
) -> None:
    board = given(groups, step=step, team_play=True, cap_recall=True, turn_back=True)

    for seat, decision in seats.items():
        assert decision in board.offered(seat=seat)
        others = [other for other in board.asked if other != seat]
        assert not any(decision in board.offered(seat=other) for other in others)


def test_m14_4_the_admiral_searches_and_designates() -> None:
    groups = {f"HOR-D{n}": (4, "MOVING") for n in (1, 2, 3, 4)}
    board = given(groups, step=4, found=(True, False), damage={"YORKTOWN": 10}, team_play=True)
    assert {6: [SearchStart(), Done()]} == lists(board.table.prompts)
    board.decide(SearchStart())
    assert SearchAssign("HOR-D1", 1) in board.offered(seat=6)

    board = given(
        {"KAG-F1": (5, "CAP:1"), "ENT-D1": (5, "READY"), "ENT-T1": (4, "READY")},
        step=5,
        dice=[[4, 1, 1, 1, 1]],
        team_play=True,
    )
    board.decide(CapVsBombers("KAG-F1"))
    assert {0: [HitType("D"), HitType("T")]} == lists(board.table.prompts)


def test_m14_3_the_table_keeps_that_teams_play() -> None:
    assert [False, True] == [begun(DUEL, team_play=on).open.options.team_play for on in (False, True)]


def test_m14_4_without_akagi_or_yorktown_the_first_carrier_is_the_admirals() -> None:
    board = begun(DUEL, team_play=True)

    assert [0, 1] == [admiral(board.open, side) for side in (0, 1)]


def test_m14_4_a_stage_ends_when_every_seat_has_picked_done() -> None:
    board = given(
        {"KAG-D1": (5, "HOME"), "HIR-D1": (5, "HOME"), "ENT-D1": (5, "HOME")}, step=3, team_play=True
    )

    board.decide(Done(), seat=3)
    assert ([1], (3,)) == (board.asked, board.open.steps)
    board.decide(Advance("KAG-D1"))
    assert ([4], (4,)) == (board.asked, board.open.steps)


def test_m14_4_the_limits_of_cap_count_the_whole_side() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "KAG-F1": (5, "CAP:1"), "ENT-F1": (5, "READY"), "ENT-D1": (5, "READY")},
        step=5,
        team_play=True,
    )

    board.decide(CapVsFighters("KAG-F1"))

    assert {0: [CapVsBombers("AKA-F1"), Done()]} == lists(board.table.prompts)


def test_m14_4_hits_are_split_and_each_seat_picks_among_its_own_groups() -> None:
    board = given(
        {
            "AKA-F1": (5, "CAP:1"),
            "ENT-F1": (3, "READY"),
            "ENT-F2": (2, "READY"),
            "YOR-F1": (3, "READY"),
            "YOR-F2": (2, "READY"),
        },
        step=5,
        dice=[[4, 4, 1, 1, 1], [1] * 10],
        team_play=True,
    )

    board.decide(CapVsFighters("AKA-F1"))

    expected = {4: [Lose("ENT-F1"), Lose("ENT-F2")], 6: [Lose("YOR-F1"), Lose("YOR-F2")]}
    assert expected == lists(board.table.prompts)
    board.decide(Lose("YOR-F2"))
    assert {4: expected[4]} == lists(board.table.prompts)


def test_m14_5_a_seat_without_carriers_goes_on_deciding_for_its_groups() -> None:
    board = given({"KAG-D1": (5, "HOME")}, step=3, damage={"KAGA": 10}, team_play=True)

    assert {1: [Advance("KAG-D1"), Done()]} == lists(board.table.prompts)


def test_m14_6_the_groups_of_one_seat_lose_as_usual() -> None:
    board = given(
        {"ENT-D1": (5, "ATTACKING"), "ENT-D2": (5, "ATTACKING")}, step=8, dice=[[4] + [1] * 6], team_play=True
    )
    board.decide(Target("ENT-D1", "AKAGI"), Target("ENT-D2", "AKAGI"))

    assert ("M7.7", {4: [Lose("ENT-D1"), Lose("ENT-D2")]}) == (board.rule, lists(board.table.prompts))


def test_m14_6_the_admiral_proposes_and_the_other_seats_of_the_wave_accept() -> None:
    board = given(WAVE, step=8, dice=[[4, 4] + [1] * 5], team_play=True)
    board.decide(*(Target(group, "AKAGI") for group in WAVE))
    assert ([6], "M14.6", [Lose(group) for group in WAVE]) == (board.asked, board.rule, board.offered())

    assert [LossProposed("ENT-D1", 1)] == board.decide(Lose("ENT-D1"))
    board.decide(Lose("ENT-D1"))
    assert {4: [Accept(), Refuse()], 5: [Accept(), Refuse()]} == lists(board.table.prompts)
    assert 5 == board.open.groups["ENT-D1"].strength
    assert [ProposalAnswered(5, True)] == board.decide(Accept(), seat=5)
    facts = board.decide(Accept(), seat=4)

    expected = [ProposalAnswered(4, True), ProposalSettled(1, True), StrengthLost("ENT-D1", 2, 3, "AA")]
    assert expected == facts[:3]


def test_m14_6_no_group_is_proposed_to_lose_more_than_it_has() -> None:
    groups = {"ENT-D1": (1, "ATTACKING"), "YOR-D1": (5, "ATTACKING")}
    board = given(groups, step=8, dice=[[4, 4] + [1] * 5], team_play=True)
    board.decide(Target("ENT-D1", "AKAGI"), Target("YOR-D1", "AKAGI"))

    facts = board.decide(Lose("ENT-D1"))

    assert [LossProposed("ENT-D1", 1), LossProposed("YOR-D1", 1)] == facts


def test_m14_6_if_one_refuses_the_hits_are_split() -> None:
    board = given(WAVE, step=8, dice=[[4] * 4 + [1] * 3], team_play=True)
    board.decide(*(Target(group, "AKAGI") for group in WAVE), *[Lose("HOR-D1")] * 4)

    facts = board.decide(Refuse(), seat=5)

    # four hits on three seats: one each, and the one over to Enterprise's, which has two groups
    expected = [StrengthLost("HOR-D1", 1, 4, "AA"), StrengthLost("YOR-D1", 1, 4, "AA")]
    assert [ProposalAnswered(5, False), ProposalSettled(1, False), *expected] == facts
    assert {0} == {group.proposed for group in board.open.groups.values()}
    assert {4: [Lose("ENT-D1"), Lose("ENT-D2")]} == lists(board.table.prompts)
    board.decide(Lose("ENT-D1"), Lose("ENT-D1"))
    assert 3 == board.open.groups["ENT-D1"].strength


def test_m14_6_where_nothing_is_shot_down_nothing_is_proposed() -> None:
    board = given(WAVE, step=8, team_play=True)

    board.decide(*(Target(group, "AKAGI") for group in WAVE))

    assert [] == board.offered(Lose, Accept, Refuse)
    assert dict.fromkeys(WAVE, (5, "HOME")) == board.places()


@pytest.mark.parametrize("hits", [4, 5])
def test_m14_6_a_wave_shot_down_whole_needs_no_proposal(hits: int) -> None:
    board = given(
        {"ENT-D1": (2, "ATTACKING"), "YOR-D1": (2, "ATTACKING")},
        step=8,
        dice=[[4] * hits + [1] * (7 - hits)],
        team_play=True,
    )

    facts = board.decide(Target("ENT-D1", "AKAGI"), Target("YOR-D1", "AKAGI"))

    assert [GroupLost("ENT-D1", 2, "AA"), GroupLost("YOR-D1", 2, "AA")] == of(facts, GroupLost)


@pytest.mark.parametrize(
    ("strengths", "hits", "due"),
    [
        ({"ENT-D1": 5, "HOR-D1": 5, "YOR-D1": 5}, 6, {4: 2, 5: 2, 6: 2}),
        ({"ENT-D1": 5, "HOR-D1": 4, "HOR-D2": 1, "YOR-D1": 5}, 5, {4: 1, 5: 3, 6: 1}),
        ({"ENT-D1": 3, "HOR-D1": 5, "YOR-D1": 5}, 4, {4: 1, 5: 2, 6: 1}),
        ({"ENT-D1": 5, "HOR-D1": 5, "YOR-D1": 5}, 4, {4: 2, 5: 1, 6: 1}),
        ({"ENT-D1": 1, "HOR-D1": 5, "YOR-D1": 5}, 6, {4: 1, 5: 3, 6: 2}),
        ({"ENT-D1": 5, "HOR-D1": 2, "YOR-D1": 1}, 6, {4: 3, 5: 2, 6: 1}),
        ({"ENT-D1": 5}, 3, {4: 3}),
    ],
)
def test_m14_7_the_even_split(strengths: dict[str, int], hits: int, due: dict[int, int]) -> None:
    board = given({name: (points, "ATTACKING") for name, points in strengths.items()}, step=8, team_play=True)

    assert due == split(board.open, strengths, hits)
