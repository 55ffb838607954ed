"""C26 What happens to areas, as a sentence, and what it leaves."""

from typing import Any

import pytest
from msgspec import Raw

from domain.coral_sea import places
from domain.coral_sea.places import (
    AirfieldDamaged,
    AirfieldFreed,
    AirfieldGone,
    AirfieldRepaired,
    AirfieldSet,
    AirfieldSuppressed,
    ControlChanged,
    FortressFell,
    HiddenStackSeen,
    RpHas,
    RpLost,
    SiegeLaid,
    SiegeLifted,
)
from domain.coral_sea.table import Fortress, Open
from domain.kernel.facts import Decided, Fact, evolve
from domain.match.catalogue import defined
from domain.match.undo import reach
from tests.coral_sea.board import AL, JP, given

SENTENCES: list[tuple[Fact, str]] = [
    (
        RpHas(AL, "noumea", 2, "unloaded"),
        "the [allied] have 2 resource points at [noumea] (unloaded)",
    ),
    (RpLost(JP, 1), "[japan] has no place for 1 resource point"),
    (ControlChanged("lae", AL), "the [allied] gain control of [lae]"),
    (AirfieldSet("buna", JP, 2), "[japan] builds an airfield at [buna]"),
    (AirfieldSet("buna", JP, 2, captured=True), "[japan] captures the airfield at [buna]"),
    (AirfieldGone("buna", AL, 1), "The airfield of the [allied] at [buna] is no more"),
    (AirfieldDamaged("lae"), "The airfield at [lae] is out of order"),
    (AirfieldRepaired("lae"), "The airfield at [lae] is repaired"),
    (AirfieldSuppressed("lae"), "The airfield at [lae] does not work until the operation ends"),
    (AirfieldFreed("lae"), "The airfield at [lae] serves its new owner"),
    (SiegeLaid("rabaul", AL), "the [allied] lay siege to the fortress of [rabaul]"),
    (SiegeLifted("rabaul"), "The siege of the fortress of [rabaul] is lifted"),
    (FortressFell("rabaul"), "The fortress of [rabaul] falls"),
    (
        HiddenStackSeen(AL, "noumea", "a_tf17", 3),
        "the [allied] have 3 counters at [noumea], on top [a_tf17]",
    ),
    (HiddenStackSeen(JP, "rabaul", "", 0), "Nothing of [japan] is left at [rabaul]"),
]


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES)
def test_c26_1_a_fact_says_what_happened_to_an_area(fact: Fact, sentence: str) -> None:
    assert sentence == fact.words()


def test_c26_1_none_about_an_area_is_without_a_sentence() -> None:
    assert {*defined(Fact, places)} == {type(fact) for fact, _ in SENTENCES}


def after(*facts: Fact, **fields: Any) -> Open:
    """The table that is left when facts are folded onto a board."""
    table: Open = evolve(given({}, change=fields).table.state, facts).open
    return table


def test_c19_4_c22_1_one_that_is_gone_is_no_longer_out_of_order() -> None:
    """Another that is built there later works at once."""
    gone = AirfieldGone("buna", JP, 3)

    assert ["lae"] == after(gone, airfields={"buna": JP}, damaged=["buna", "lae"]).damaged


def test_c16_5_with_the_fortress_the_siege_is_over() -> None:
    rabaul = {"rabaul": Fortress(JP, 2)}
    now = after(FortressFell("rabaul"), fortresses=rabaul, sieges={"rabaul": AL})

    assert ({}, {}) == (now.fortresses, now.sieges)


def test_c22_2_c25_2_nothing_is_taken_back_once_the_other_side_has_seen_another_top() -> None:
    decided = Decided(AL, Raw(b'{"type":"stop"}'), "chosen")
    log: list[tuple[int, Fact]] = [(1, decided), (2, SiegeLifted("rabaul"))]
    seen = (3, HiddenStackSeen(AL, "noumea", "a_tf17", 3))

    assert (0, None) == (reach(log, AL, alone=False), reach([*log, seen], AL, alone=False))
