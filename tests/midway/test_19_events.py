"""M19 Events, dice and invariants."""

from random import Random
from re import findall

import pytest
from msgspec import Struct

from domain.kernel.facts import Rolled, evolve
from domain.match.adjudicate import readjudicate
from domain.midway import DECISIONS, FACTS, MIDWAY
from domain.midway.decisions import Done, Target
from domain.midway.facts import SetUp
from tests.fuzz.matches import Play, choose, random_set_up
from tests.midway.board import given, rolls
from tests.midway.invariants import Watch, invariants
from tests.midway.rulebook import RULEBOOK, section


def played(seed: int) -> Play:
    random = Random(seed)
    play = Play(MIDWAY, *random_set_up(MIDWAY, random), seed)
    while not play.over:
        play.decide(*choose(play, random, 0.9))
    return play


def test_m19_1_the_rulebook_names_every_event() -> None:
    named = set(findall(r"[A-Z]\w+", section("M19.1")))

    assert set() == {kind.__name__ for kind in FACTS} - named
    assert "GameEnded" in named


def test_m19_1_neither_an_event_nor_a_decision_is_ever_changed() -> None:
    kinds: list[type[Struct]] = [*FACTS, *DECISIONS]

    assert [] == [kind for kind in kinds if not kind.__struct_config__.frozen]


def test_m19_1_the_events_are_enough_to_rebuild_every_state() -> None:
    play = played(1)

    state = evolve(MIDWAY.state(), (fact for _, fact in play.log))

    assert MIDWAY.encode(play.state) == MIDWAY.encode(state)


def test_m19_2_dice_are_drawn_in_the_order_of_the_rules() -> None:
    board = given(
        {"ENT-D1": (3, "ATTACKING"), "ENT-T1": (2, "ATTACKING"), "AKA-D1": (1, "DECK:AKAGI")},
        step=8,
        dice=[[1] * 7, [6, 1, 1], [6], [1], [6, 1], [1], [1], [1]],
        armed_decks=True,
    )

    board.decide(Target("ENT-D1", "AKAGI"), Target("ENT-T1", "AKAGI"), Done(), Done())

    expected = ["AA", "ATTACK_D", "REROLL_D", "REROLL_D", "ATTACK_T", "REROLL_T", "ARMED_DECK", "REPAIR"]
    assert expected == [purpose for purpose, _ in rolls(board.facts)][:8]


def test_m19_2_a_roll_of_no_dice_is_not_made() -> None:
    board = given({"ENT-T1": (2, "ATTACKING")}, step=8)

    board.decide(Target("ENT-T1", "AKAGI"))

    assert ["AA", "ATTACK_T"] == [purpose for purpose, _ in rolls(board.facts)]


def test_m19_2_every_roll_names_a_rule_of_the_book() -> None:
    named = {
        (roll.rule, roll.purpose)
        for seed in range(12)
        for _, roll in played(seed).log
        if isinstance(roll, Rolled)
    }

    assert set() == {rule for rule, _ in named} - set(RULEBOOK)
    assert ("M6.6", "CAP_DOGFIGHT") in named


@pytest.mark.parametrize("seed", range(12))
def test_m19_3_items_1_to_7_hold_after_every_fact(seed: int) -> None:
    state, watch = MIDWAY.state(), Watch()
    for _, fact in played(seed).log:
        fact.fold(state)
        if state.open.carriers and not isinstance(fact, SetUp):
            assert [] == [*invariants(state.open), *watch.broken(state.open, fact)]


def test_m19_3_item_8_every_list_is_finite_and_without_duplicates() -> None:
    random, play = Random(8), Play(MIDWAY, "historical-4-june", {}, 8)
    while not play.over:
        for prompt in play.table.prompts.values():
            assert 0 < len(prompt.options) == len(set(prompt.options))
        play.decide(*choose(play, random, 0.9))


def test_m19_3_item_9_decisions_and_dice_played_again_give_the_same_events() -> None:
    for seed in range(6):
        assert [] == list(readjudicate(MIDWAY, played(seed).log))


def test_m19_4_every_game_ends() -> None:
    assert {True} == {played(seed).over for seed in range(12)}
