"""What a seat is told in a prompt: of how many, from what, and what ends it (M3 to M14).

That each sentence of whole matches can be read and is short enough, `tests/fuzz/test_sentences.py` tries.
"""

import pytest

from domain.midway.decisions import (
    CapVsFighters,
    HitType,
    Launch,
    Lose,
    SearchAssign,
    SearchStart,
    Spot,
    Target,
)
from tests.midway.board import Board, given

PATROL = {"AKA-F1": (5, "CAP:1"), "AKA-F2": (5, "CAP:1")}
STRIKE = {"ENT-D1": (5, "ATTACKING"), "ENT-D2": (5, "ATTACKING"), "ENT-T1": (4, "ATTACKING")}
RAID = {
    "ENT-F1": (5, "READY"),
    "ENT-F2": (5, "READY"),
    "ENT-D1": (5, "READY"),
    "ENT-D2": (5, "READY"),
    "ENT-T1": (4, "READY"),
}
FOUR = dict.fromkeys(("ENT-D1", "ENT-D2", "HOR-D1", "YOR-D1"), (5, "MOVING"))


def said(board: Board, seat: int | None = None) -> str:
    """What a seat is told, or the only one that is asked."""
    if seat is not None:
        return board.table.prompts[seat].text
    (prompt,) = board.table.prompts.values()
    return prompt.text


def test_m4_4_landing_counts_the_groups_that_can() -> None:
    board = given({"AKA-F1": (5, "WAITING"), "AKA-F2": (5, "WAITING"), "AKA-D1": (5, "HOME")}, step=1)

    assert said(board).startswith("Land planes: 2 waiting groups can land. ")


def test_m5_3_moving_counts_the_groups_that_can_go_on() -> None:
    board = given({"AKA-F1": (5, "MOVING"), "AKA-F2": (5, "HOME")}, step=3)

    told = "Move planes: 2 groups can go one box on. Choose which go, or leave them where they are."
    assert told == said(board)


def test_m12_2_moving_says_what_the_search_is_for() -> None:
    board = given(FOUR, step=4, found=(True, False))

    assert said(board).startswith("Move planes: none can go on. Begin the search for the enemy fleet")


def test_m15_8_where_none_can_go_on_groups_may_turn_back() -> None:
    aboard = dict.fromkeys(("ENT-D2", "HOR-D1", "YOR-D1"), (5, "HANGAR:ENTERPRISE"))
    board = given({"ENT-D1": (5, "MOVING"), **aboard}, step=4, found=(True, False), turn_back=True)

    told = "Move planes: none can go on. Choose which turn back, or leave them where they are."
    assert told == said(board)


def test_m12_4_the_search_names_the_group_and_counts_it() -> None:
    board = given({**FOUR, "ENT-F1": (5, "MOVING")}, step=4, found=(True, False))
    board.decide(SearchStart())
    first = said(board)

    board.decide(SearchAssign("ENT-D1", 1))

    which = "which of the 4 search groups does [{}] fly with? Then a die says who finds the enemy."
    assert f"The search, 1 of 5: {which.format('ENT-D1')}" == first
    assert f"The search, 2 of 5: {which.format('ENT-D2')}" == said(board)


def test_m6_3_cap_counts_its_strength_against_the_escorts() -> None:
    board = given({**PATROL, **RAID}, step=5)
    first = said(board)

    board.decide(CapVsFighters("AKA-F1"))

    then = "; once they are matched, the bombers can be reached. {} SP of yours so far."
    assert first.startswith(f"CAP attacks: choose groups against the 10 SP of escorts{then.format(0)}")
    assert then.format(5) in said(board)


def test_m6_4_cap_counts_its_strength_against_the_bombers() -> None:
    board = given({**PATROL, "ENT-D1": (5, "READY")}, step=5)

    told = "CAP attacks: choose groups against the 5 SP of bombers, 0 SP of yours so far. "
    assert said(board).startswith(told)


def test_m6_8_a_hit_on_escorts_says_which_it_is_of_how_many_and_whose_cap_it_was() -> None:
    board = given({**PATROL, **RAID}, step=5, dice=[[4, 4, 1, 1, 1, 1, 1, 1, 1, 1]])
    board.decide(CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"))
    first = said(board)

    board.decide(Lose("ENT-F1"))

    cause = "Dogfight with the CAP of [JP]"
    choose = "Choose the group that loses 1 SP"
    assert f"{cause}: hit 1 of 2 on your escorts. {choose}; the last hit ends this." == first
    assert f"{cause}: hit 2 of 2 on your escorts. {choose}; that ends this." == said(board)


def test_m6_8_a_hit_on_the_cap_says_that_escorts_scored_it() -> None:
    board = given({**PATROL, **RAID}, step=5, dice=[[1] * 10, [4] + [1] * 9])

    board.decide(CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"))

    assert said(board).startswith("Dogfight with the escorts of the [US]: 1 hit on your CAP. ")


def test_m6_9_hits_on_bombers_are_counted_for_the_attacker_and_then_by_type() -> None:
    raid = {name: where for name, where in RAID.items() if not name.startswith("ENT-F")}
    board = given({**PATROL, **raid}, step=5, dice=[[4, 4, 4, 1, 1, 1, 1, 1, 1, 1]])
    board.decide(*board.offered()[:1])
    board.decide(*board.offered()[:1])
    before = said(board)

    board.decide(HitType("D"), HitType("T"))
    last = said(board)
    board.decide(HitType("D"))

    assert before.startswith("Your CAP: hit 1 of 3 on the enemy bombers. Choose the type that takes it; ")
    assert "hit 3 of 3" in last
    assert said(board).startswith("Attack by the CAP of [JP]: hit 1 of 2 on your dive bombers. ")


def test_m7_3_a_target_is_asked_for_group_by_group() -> None:
    board = given(STRIKE, step=8)
    board.decide(Target("ENT-D1", "KAGA"))

    told = "Attack, group 2 of 3: which carrier does [ENT-D2] attack? After the last the attacks are rolled."
    assert told == said(board)


def test_m7_7_a_hit_on_a_wave_names_the_ship_that_fired() -> None:
    board = given(STRIKE, step=8, dice=[[4, 4, 4, 1, 1, 1, 1, 1, 1]])
    board.decide(*(Target(group, "KAGA") for group in STRIKE))

    board.decide(Lose("ENT-D1"))

    assert said(board).startswith("Anti-aircraft fire of [KAGA]: hit 2 of 3 on your wave. ")


def test_m8_3_launching_counts_the_deck_and_offers_cap_to_fighters_alone() -> None:
    board = given({"AKA-F1": (5, "DECK:AKAGI"), "AKA-D1": (5, "DECK:AKAGI")}, step=9)
    first = said(board)

    board.decide(Launch("AKA-F1", "CAP:1"))

    deck = (
        "Launch planes: 2 groups on deck. Choose one, to attack, or fighters on CAP; the rest stay on deck."
    )
    assert deck == first
    assert "Launch planes: 1 group on deck. Choose one, to attack; the rest stay on deck." == said(board)


def test_m9_4_planning_counts_what_can_come_up_and_go_below() -> None:
    board = given({"AKA-F1": (5, "HANGAR:AKAGI"), "AKA-D1": (5, "DECK:AKAGI")}, step=11)
    first = said(board)

    board.decide(Spot("AKA-F1"))

    can = "1 of your groups can come up on deck and 1 can be struck below"
    assert first.startswith(f"Plan the next turn: {can}. ")
    assert said(board).startswith("Plan the next turn: 1 of your groups can be struck below. ")


@pytest.mark.parametrize(("seat", "left"), [(4, 2), (6, 1)])
def test_m14_7_in_a_team_each_seat_is_told_its_share(seat: int, left: int) -> None:
    raid = {"ENT-F1": (5, "READY"), "ENT-F2": (5, "READY"), "YOR-F1": (5, "READY")}
    board = given(
        {**PATROL, **raid, "YOR-F2": (5, "READY")}, step=5, dice=[[4, 4, 4] + [1] * 7], team_play=True
    )

    board.decide(CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"))

    assert f"3 hits on your escorts, split between the seats, {left} left for you." in said(board, seat)


def test_m14_7_what_a_comrade_picks_does_not_put_the_question_anew() -> None:
    raid = {"ENT-F1": (5, "READY"), "ENT-F2": (5, "READY"), "YOR-F1": (5, "READY")}
    board = given(
        {**PATROL, **raid, "YOR-F2": (5, "READY")}, step=5, dice=[[4, 4, 4] + [1] * 7], team_play=True
    )
    board.decide(CapVsFighters("AKA-F1"), CapVsFighters("AKA-F2"))
    before = board.table.prompts[6]

    board.decide(Lose("ENT-F1"))

    assert before == board.table.prompts[6]


def test_m14_6_the_admiral_proposes_hit_by_hit_and_the_others_hear_their_share() -> None:
    wave = {"ENT-D1": (5, "ATTACKING"), "YOR-D1": (5, "ATTACKING")}
    board = given(wave, step=8, dice=[[4, 4, 1, 1, 1, 1, 1]], team_play=True)
    board.decide(Target("ENT-D1", "AKAGI"), Target("YOR-D1", "AKAGI"))
    board.decide(Lose("ENT-D1"))
    second = said(board)

    board.decide(Lose("ENT-D1"))

    assert second.startswith("Anti-aircraft fire of [AKAGI]: hit 2 of 2 on your wave. Propose the group")
    assert "The admiral proposes that your groups take 2 of them. If you refuse, they are " in said(board)
