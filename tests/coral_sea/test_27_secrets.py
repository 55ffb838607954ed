"""C27 What is kept behind a side's screen: each fact as a sentence for its owner, and what it leaves."""

import pytest

from domain.coral_sea.secrets import (
    CardLeft,
    ChitDrawn,
    ChitLeft,
    ChitsBack,
    CupFilled,
    HandSeen,
    HiddenRp,
    HiddenUnits,
    ShipsMoved,
    standing,
)
from domain.coral_sea.table import MAP, POOL, Own, Unit
from domain.kernel.facts import Fact
from tests.coral_sea.board import AL, JP

SENTENCES: list[tuple[Fact, str]] = [
    (CardLeft(JP, "J07"), "[J07] leaves the hand of [japan]"),
    (CupFilled(AL, ("a_g_assault",)), "1 chit in the cup of the [allied]"),
    (CupFilled(JP, ("j_g_ambush", "j_g_ambush")), "2 chits in the cup of [japan]"),
    (ChitDrawn(AL, "a_g_assault"), "the [allied] draw [a_g_assault]"),
    (ChitLeft(JP, "j_g_ambush"), "[j_g_ambush] leaves the chits of [japan]"),
    (ChitsBack(AL), "The chits of the [allied] go back"),
    (HiddenRp(JP, "rabaul", 2), "Hidden resource points of [japan] at [rabaul]: 2"),
    (ShipsMoved(AL, ("a_tf17",)), "Ships of the [allied] that have moved: [a_tf17]"),
    (ShipsMoved(AL, ()), "Ships of the [allied] that have moved: none"),
]


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES)
def test_c27_a_secret_says_to_its_owner_what_it_is(fact: Fact, sentence: str) -> None:
    assert sentence == fact.words()


def test_c21_1_a_card_that_is_seen_again_is_remembered_once() -> None:
    own = Own(seen=["J07"])

    HandSeen(AL, ("J07", "J24")).apply(own)

    assert ["J07", "J24"] == own.seen


@pytest.mark.parametrize("unit", [Unit(), Unit(MAP, ""), Unit(POOL, "rabaul")])
def test_c22_2_a_unit_without_a_place_on_the_map_has_left_the_hidden_ones(unit: Unit) -> None:
    own = Own(units={"j_144": Unit(MAP, "rabaul")})

    HiddenUnits(JP, {"j_144": unit}).apply(own)

    assert ({}, "not hidden any more") == (own.units, standing(unit))
