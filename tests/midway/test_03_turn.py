"""M3 The turn, and how decisions work."""

from importlib.resources import files

import pytest
from msgspec import json

from domain.kernel.facts import Decided
from domain.kernel.procedures import Decision
from domain.kernel.table import Illegal
from domain.match.refusals import RequestError
from domain.match.undo import standing
from domain.match.undoing import answer_undo, offer_undo, undo_slip
from domain.midway import DECISIONS, MIDWAY
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
    SearchAssign,
    SearchStart,
    Spot,
    Target,
)
from domain.midway.facts import StepStarted
from tests.fuzz.matches import Play
from tests.midway.board import DUEL, JP, US, Board, begun, given, of

DATA = json.decode(files("domain.midway").joinpath("data", "midway.json").read_bytes())


def test_m3_1_a_turn_has_fourteen_steps_in_this_order() -> None:
    board = given({"AKA-F1": (5, "HANGAR:AKAGI"), "ENT-D1": (5, "HANGAR:ENTERPRISE")}, step=11, turn=2)
    board.decide(Done())
    board.decide(Done())

    steps = [(fact.step, fact.side) for fact in board.facts if isinstance(fact, StepStarted)]
    order = [11, 12, 13, 14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert [(number, (number + 1) % 2) for number in order] == steps


def test_m3_1_results_apply_at_once() -> None:
    board = given(
        {"KAG-D1": (5, "ATTACKING"), "ENT-D1": (5, "DECK:ENTERPRISE"), "ENT-D2": (5, "ATTACKING")},
        step=7,
        damage={"ENTERPRISE": 9},
        dice=[[1] * 12, [5, 1, 1, 1, 1]],
    )

    board.decide(Target("KAG-D1", "ENTERPRISE"))

    assert 10 == board.until(8).carriers["ENTERPRISE"].damage
    assert [Target("ENT-D2", ship) for ship in ("AKAGI", "KAGA", "SORYU", "HIRYU")] == board.offered()


def test_m3_2_only_the_active_side_decides() -> None:
    board = given({"AKA-D1": (5, "HOME"), "ENT-D1": (5, "HOME")}, step=3)

    assert [JP] == board.asked
    with pytest.raises(Illegal):
        board.decide(Advance("AKA-D1"), seat=US)


def test_m3_2_the_owner_of_hit_groups_picks_in_the_others_step() -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-F1": (3, "READY"), "ENT-F2": (2, "READY")},
        step=5,
        dice=[[4, 1, 1, 1, 1], [1] * 5],
    )

    board.decide(CapVsFighters("AKA-F1"))

    assert [US] == board.asked
    assert [Lose("ENT-F1"), Lose("ENT-F2")] == board.offered()


def test_m3_3_a_decision_off_the_list_is_refused_and_changes_nothing() -> None:
    board = begun()
    before = MIDWAY.encode(board.table.state)

    with pytest.raises(Illegal) as caught:
        board.table.decide(JP, Land("AKA-D1", "ENTERPRISE"))

    assert "M4.4" == caught.value.rule
    assert before == MIDWAY.encode(board.table.state)


def test_m3_3_after_each_decision_the_list_is_made_anew() -> None:
    board = given({"AKA-D1": (5, "HOME"), "AKA-D2": (5, "HOME")}, step=3)

    board.decide(Advance("AKA-D1"))

    assert [Advance("AKA-D2"), Done()] == board.offered()


def test_m3_3_ones_own_slip_may_be_taken_back() -> None:
    play = Play(MIDWAY, DUEL, {}, 1)
    before = MIDWAY.encode(play.state.open)
    play.decide(JP, Launch("KAG-D1", "MOVING"))

    play.undo(undo_slip(play.state.match, JP, standing(play.log)))

    assert before == MIDWAY.encode(play.state.open)
    assert Launch("KAG-D1", "MOVING") in play.table.prompts[JP].options


def test_m3_3_after_another_has_decided_it_takes_agreement() -> None:
    play = Play(MIDWAY, DUEL, {}, 1)
    play.decide(JP, Launch("KAG-D1", "MOVING"))
    play.decide(JP, Done())
    play.decide(JP, Done())
    play.decide(US, Spot("ENT-F1"))
    with pytest.raises(RequestError):
        undo_slip(play.state.match, JP, standing(play.log))

    play.note(offer_undo(play.state.match, JP, standing(play.log)))
    play.undo(answer_undo(play.state.match, US, standing(play.log), agreed=True))

    assert [JP] == list(play.table.prompts)
    assert "HANGAR:ENTERPRISE" == play.state.open.groups["ENT-F1"].place


def test_m3_3_nothing_is_taken_back_across_a_roll() -> None:
    board = given({"YOR-D1": (5, "ATTACKING"), "YOR-D2": (5, "MOVING")}, step=8)
    board.decide(Target("YOR-D1", "KAGA"))
    log = list(enumerate(board.facts, start=1))

    for request in (undo_slip, offer_undo):
        with pytest.raises(RequestError):
            request(board.table.state.match, US, log)


def test_m3_4_a_stage_with_nothing_but_done_ends_by_itself() -> None:
    board = given({"ENT-D1": (5, "HOME")}, step=1)

    assert (4, [US]) == (board.open.steps[0], board.asked)
    assert [] == of(board.facts, Decided)


def test_m3_4_a_mandatory_list_of_one_is_applied_by_the_server() -> None:
    board = given({"ENT-D1": (5, "ATTACKING")}, step=8, damage={"AKAGI": 10, "KAGA": 10, "SORYU": 10})

    decided = of(board.facts, Decided)[0]
    assert isinstance(decided, Decided)
    assert ("forced", Target("ENT-D1", "HIRYU")) == (decided.how, MIDWAY.decision(decided.decision))


def test_m3_4_a_voluntary_list_of_one_and_done_is_asked() -> None:
    board = given({"ENT-D1": (5, "HOME")}, step=4)

    assert [Advance("ENT-D1"), Done()] == board.offered()


def test_m3_5_the_catalogue_names_every_decision_and_its_fields() -> None:
    catalogue = {row["type"]: tuple(row["fields"]) for row in DATA["decisions"]}

    assert catalogue == {kind.__struct_config__.tag: kind.__struct_fields__ for kind in DECISIONS}


def defaulted(board: Board) -> Decision:
    seat, prompt = next(iter(board.table.prompts.items()))
    return MIDWAY.default(board.table.state, seat, prompt)


@pytest.mark.parametrize(
    ("groups", "step", "found"),
    [
        ({"AKA-D1": (5, "WAITING")}, 1, True),
        ({"AKA-D1": (5, "HOME")}, 3, True),
        ({"AKA-F1": (5, "CAP:1"), "ENT-D1": (5, "READY")}, 5, True),
        ({"AKA-D1": (5, "DECK:AKAGI")}, 9, True),
        ({"AKA-D1": (5, "DECK:AKAGI")}, 11, True),
        ({"ENT-D1": (5, "MOVING")}, 4, False),
    ],
)
def test_m3_6_the_default_of_a_voluntary_stage_is_done(
    groups: dict[str, tuple[int, str]], step: int, found: bool
) -> None:
    board = given(groups, step=step, found=(True, found))

    assert Done() == defaulted(board)


def test_m3_6_target_is_the_first_afloat_enemy_carrier() -> None:
    board = given({"ENT-D1": (5, "ATTACKING")}, step=8, damage={"AKAGI": 10})

    assert Target("ENT-D1", "KAGA") == defaulted(board)


def test_m3_6_lose_is_the_group_with_the_most_strength_left() -> None:
    board = given(
        {"ENT-D1": (3, "ATTACKING"), "ENT-D2": (4, "ATTACKING"), "ENT-D3": (4, "ATTACKING")},
        step=8,
        dice=[[4, 1, 1, 1, 1, 1, 1]],
    )
    board.decide(*(Target(f"ENT-D{n}", "AKAGI") for n in (1, 2, 3)))

    assert Lose("ENT-D2") == defaulted(board)


@pytest.mark.parametrize(("dive", "torpedo", "kind"), [(3, 4, "T"), (4, 4, "D"), (4, 3, "D")])
def test_m3_6_hit_type_is_the_type_with_more_strength_left(dive: int, torpedo: int, kind: str) -> None:
    board = given(
        {"AKA-F1": (5, "CAP:1"), "ENT-D1": (dive, "READY"), "ENT-T1": (torpedo, "READY")},
        step=5,
        dice=[[4, 1, 1, 1, 1]],
    )
    board.decide(*board.offered()[:1])

    assert kind == getattr(defaulted(board), "plane_type", "")


def test_m3_6_hits_that_are_designated_already_count_off() -> None:
    groups = {"AKA-F1": (5, "CAP:1"), "ENT-D1": (4, "READY"), "ENT-T1": (3, "READY"), "HOR-T1": (1, "READY")}
    board = given(groups, step=5, dice=[[4, 4, 4, 1, 1]])
    board.decide(CapVsBombers("AKA-F1"))
    assert HitType("D") == defaulted(board)

    board.decide(HitType("D"))
    assert HitType("T") == defaulted(board)

    board.decide(HitType("T"))
    assert HitType("D") == defaulted(board)


def test_m3_6_of_types_with_as_much_left_the_dive_bombers_are_hit() -> None:
    groups = {"AKA-F1": (5, "CAP:1"), "ENT-D1": (5, "READY"), "ENT-T1": (4, "READY")}
    board = given(groups, step=5, dice=[[4, 4, 1, 1, 1]])

    board.decide(CapVsBombers("AKA-F1"), HitType("D"))

    assert HitType("D") == defaulted(board)


def test_m3_6_what_the_admiral_proposes_already_counts_off() -> None:
    groups = {"ENT-D1": (5, "ATTACKING"), "YOR-D1": (5, "ATTACKING")}
    board = given(groups, step=8, dice=[[4, 4, 1, 1, 1, 1, 1]], team_play=True)
    board.decide(Target("ENT-D1", "AKAGI"), Target("YOR-D1", "AKAGI"))
    assert Lose("ENT-D1") == defaulted(board)

    board.decide(Lose("ENT-D1"))

    assert Lose("YOR-D1") == defaulted(board)


def test_m3_6_search_assign_is_the_lowest_legal_number() -> None:
    groups = {f"ENT-D{n}": (5, "MOVING") for n in (1, 2, 3, 4)}
    board = given(groups, step=4, found=(True, False))
    board.decide(SearchStart(), SearchAssign("ENT-D1", 1))

    assert SearchAssign("ENT-D2", 2) == defaulted(board)


def test_m3_6_the_answer_to_a_proposal_is_accept() -> None:
    board = given(
        {"ENT-D1": (5, "ATTACKING"), "YOR-D1": (5, "ATTACKING")},
        step=8,
        dice=[[4, 1, 1, 1, 1, 1, 1]],
        team_play=True,
    )
    board.decide(Target("ENT-D1", "AKAGI"), Target("YOR-D1", "AKAGI"), Lose("ENT-D1"))

    assert Accept() == defaulted(board)


def test_m3_6_the_default_is_applied_through_the_table_and_recorded() -> None:
    board = begun(DUEL)

    facts = board.table.decide(JP, defaulted(board), "default")

    assert isinstance(facts[0], Decided)
    assert "default" == facts[0].how


def test_m3_6_a_match_of_nothing_but_defaults_ends() -> None:
    play = Play(MIDWAY, DUEL, {}, 2)
    while not play.over:
        seat, prompt = next(iter(play.table.prompts.items()))
        play.decide(seat, MIDWAY.default(play.state, seat, prompt), "default")

    assert "turn limit" == play.state.match.reason


def test_m3_7_a_strike_takes_five_turns_from_launch_to_launch() -> None:
    board = given({"KAG-T1": (5, "DECK:KAGA")}, step=9, turn=2)
    strike = [
        (2, Launch("KAG-T1", "MOVING")),
        (3, Advance("KAG-T1")),
        (4, Advance("KAG-T1")),
        (4, Target("KAG-T1", "ENTERPRISE")),
        (5, Advance("KAG-T1")),
        (6, Land("KAG-T1", "KAGA")),
        (6, Spot("KAG-T1")),
        (7, Launch("KAG-T1", "MOVING")),
    ]
    flown = []
    for _, decision in strike:
        flown.append((board.open.turn, decision))
        board.decide(decision)

    assert strike == flown
