"""C21.1 What effects do to the letter: who picks, how often, with which modifiers, and what is in sight."""

from typing import Any

import pytest

from domain.coral_sea import CORAL_SEA
from domain.coral_sea.decisions import (
    ChooseMode,
    ChooseUnit,
    DiscardForRp,
    Done,
    DrawCard,
    PlaceRp,
    PlaceUnitAt,
    PlayCard,
    PlayReaction,
    Refit,
    TargetArea,
)
from domain.coral_sea.facts import HandPeeked, SupplyLeft
from domain.coral_sea.fighting import CheckRolled, ChitShown
from domain.coral_sea.happenings import UnitsShown
from domain.kernel.dice import Scripted
from domain.kernel.facts import Rolled
from domain.kernel.table import Table
from tests.coral_sea.board import AL, DARK, JP, Board, action, land_battle, of, operation


def test_c21_1_supply_points_never_fall_below_zero_and_all_learn_of_the_look_at_a_hand() -> None:
    board = operation(JP, "rabaul", {"j_144": "rabaul"}, stop=True, hands=((), ("A24",)))
    board.table.open.operation.sp = 1
    facts = board.go(PlayReaction("A24"))

    assert [SupplyLeft(0, "a card")] == of(facts, SupplyLeft)
    assert [HandPeeked(AL)] == of(facts, HandPeeked)


def test_c21_1_the_chit_that_a_card_takes_is_shown_and_set_aside() -> None:
    board = battle(JP, ["a_30"], draws=["a_g_assault", "a_g_bombardment", "a_g_bombardment"], hand="J30")
    facts = board.go(PlayReaction("J30"))

    assert [ChitShown(AL, "a_g_bombardment", "lost to a card")] == of(facts, ChitShown)
    assert ["a_g_assault"] == board.own(AL).chits


def battle(attacker: int, defenders: list[str], hand: str, *others: str, **more: Any) -> Board:
    """A battle at Buna that is about to begin, with a card on the attacker's hand and some on the other's."""
    hands = ((hand,), others) if attacker == JP else (others, (hand,))
    unit = "j_144" if attacker == JP else "a_1m"
    return land_battle(
        attacker,
        "buna",
        {unit: ""},
        dict.fromkeys(defenders, ""),
        origin="morobe",
        watch=True,
        hands=hands,
        **more,
    )


@pytest.mark.parametrize(
    ("attacker", "card", "defenders"),
    [(JP, "J31", ["a_30", "a_7"]), (AL, "A32", ["j_144", "j_41", "j_28"])],
)
def test_c21_1_the_attacker_or_the_owner_picks_who_checks_as_the_attack_card_says(
    attacker: int, card: str, defenders: list[str]
) -> None:
    """Banzai Charge lets the attacker pick, the Cactus Air Force the owner: Japan in both cases."""
    board = battle(attacker, defenders, card)
    board.go(PlayReaction(card))

    assert [JP] == board.asked
    assert [*map(ChooseUnit, defenders)] == board.offered()


def test_c21_1_a_failed_check_is_rolled_again_with_the_same_modifiers() -> None:
    """Banzai Charge adds 2: with 5 the brigade, whose cohesion is 6, fails twice."""
    board = battle(JP, ["a_30"], "J31", "A31", dice=[5, 5])
    board.go(PlayReaction("J31"))
    facts = board.go(PlayReaction("A31"))

    assert [CheckRolled("a_30", 5, 2, 6, passed=False, rerolled=True)] == of(facts, CheckRolled)
    assert "o" == board.state("a_30")


@pytest.mark.parametrize(("area", "rolls"), [("buna", 0), ("lae", 1)])
def test_c22_1_an_air_attack_rolls_for_an_airfield_only_where_the_enemy_has_one(
    area: str, rolls: int
) -> None:
    board = action(
        AL,
        {"j_144": "buna", "j_28": "lae"},
        hands=((), ("A05",)),
        control={"buna": JP, "lae": JP},
        options={"air_attacks_on_airfields": True},
    )
    board.go(PlayCard("A05"))
    facts = board.go(TargetArea(area))

    assert rolls == sum(fact.purpose == "airfield" for fact in of(facts, Rolled))


def test_c21_1_c22_2_a_hidden_unit_is_in_sight_while_it_checks_and_no_longer() -> None:
    """Three regiments lie in Lae; Japan picks the first of the two that the air attack strikes."""
    units = dict.fromkeys(("j_144", "j_41", "j_28"), "lae")
    board = operation(JP, "rabaul", units, control={"lae": JP}, hands=((), ("A05",)), options=DARK)
    board.go(ChooseMode("card"), ChooseMode("card"), DrawCard(), PlayCard("A05"))
    facts = board.go(ChooseUnit("j_144"))

    assert ["UnitsShown", "CheckRolled"] == [
        type(fact).__name__ for fact in of(facts, UnitsShown, CheckRolled)
    ]
    assert [["j_144"]] == [[*fact.units] for fact in of(facts, UnitsShown)]
    assert ([JP], [ChooseUnit("j_41"), ChooseUnit("j_28")]) == (board.asked, board.offered())
    assert ("j_144" in board.table.open.units, "j_144" in board.own(JP).units) == (False, True)


def test_c24_5_c22_2_a_reinforcement_in_a_port_is_out_of_sight_before_the_next_arrives() -> None:
    board = action(AL, {}, hands=((), ("A13",)), options=DARK)
    board.go(PlayCard("A13"), PlaceUnitAt("a_14", "port_moresby"))

    assert PlaceUnitAt("a_163", "australia") in board.offered()
    assert ("a_14" in board.table.open.units, "a_14" in board.own(AL).units) == (False, True)


def test_c15_2_c22_2_all_see_the_stack_grow_with_each_resource_point() -> None:
    board = action(AL, {}, hands=((), ("A10",)), options=DARK)
    board.go(PlayCard("A10"), PlaceRp("noumea"))

    assert PlaceRp("noumea") in board.offered()
    assert 1 == board.table.open.stacks[AL]["noumea"].count


def test_c21_1_a_refit_rebuilds_two_and_reorganises_two_and_no_more() -> None:
    worn = ("j_144", "j_41", "j_28")
    board = action(JP, dict.fromkeys(worn, ("rabaul", "do")), hands=(("J19",), ()))
    board.go(PlayCard("J19"), Refit("j_144", "rebuild"), Refit("j_41", "rebuild"))
    rebuilt = board.offered()
    board.go(Refit("j_144", "reorganize"))
    reorganised = board.offered()
    board.go(Refit("j_41", "reorganize"))

    assert [*[Refit(unit, "reorganize") for unit in worn], Done()] == rebuilt
    assert [*[Refit(unit, "reorganize") for unit in worn[1:]], Done()] == reorganised
    assert [] == board.offered(Refit)
    assert ["full", "full", "do"] == [board.state(unit) for unit in worn]


@pytest.mark.parametrize(
    ("side", "permanent", "stocks"),
    [
        (JP, ["J05"], ({"rabaul": 1}, {})),
        (AL, ["J05"], ({}, {"noumea": 1})),
        (AL, ["A03", "A04", "J05"], ({}, {"noumea": 1})),
    ],
)
def test_c15_2_townsville_bombed_limits_the_allies_alone_whatever_lies_beside_it(
    side: int, permanent: list[str], stocks: tuple[dict[str, int], dict[str, int]]
) -> None:
    board = action(side, {}, hands=(("J07",), ("A10",)), permanent=permanent)
    board.go(DiscardForRp("J07" if side == JP else "A10"))

    assert stocks == board.open.rp


def test_c15_2_a_match_can_be_saved_while_it_is_asked_where_the_resource_point_goes() -> None:
    board = action(AL, {}, hands=((), ("A10",)))
    board.go(DiscardForRp("A10"))
    restored = Table(CORAL_SEA, CORAL_SEA.restore(CORAL_SEA.encode(board.table.state)), Scripted(()))

    assert [PlaceRp("australia"), PlaceRp("noumea")] == board.offered()
    assert board.table.prompts == restored.prompts
