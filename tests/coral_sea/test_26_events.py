"""C26 What happens: every fact of the sequence, of units and of battles as a sentence, and what it leaves."""

from random import Random
from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from domain.coral_sea import CORAL_SEA, facts, fighting, happenings
from domain.coral_sea.facts import (
    ActionEnded,
    AirfieldCost,
    AnotherOperation,
    AttritionSpared,
    CardPlayed,
    Counted,
    HandPeeked,
    InitiativeChanged,
    ModeCommitted,
    ModesRevealed,
    OperationEnded,
    OperationOpened,
    PointsGained,
    SequenceBegan,
    SetUp,
    SupplyLeft,
    UnitRebuiltThisOperation,
)
from domain.coral_sea.fighting import (
    BattleBegan,
    BattleEnded,
    BunkerAttached,
    CheckRolled,
    ChecksModified,
    ChitCancelled,
    ChitInVain,
    ChitRevealed,
    ChitsAdded,
    ChitsHeld,
    ChitShown,
    CupRefilled,
    LeftBattle,
)
from domain.coral_sea.happenings import (
    Acted,
    CameOut,
    LeaderLost,
    LeaderWith,
    StackUnderWay,
    TookRefuge,
    UnitDepleted,
    UnitDestroyed,
    UnitDisorganised,
    UnitLeft,
    UnitPlaced,
    UnitRebuilt,
    UnitReorganised,
    UnitsCovered,
    UnitsMoved,
    UnitsShown,
)
from domain.coral_sea.initiative import holder
from domain.coral_sea.secrets import HiddenUnits
from domain.coral_sea.table import Move, Open, Options, Unit
from domain.kernel.audience import Audience
from domain.kernel.facts import Decided, Fact, State, evolve
from domain.match.adjudicate import readjudicate
from domain.match.catalogue import defined
from domain.match.undo import reach
from tests.coral_sea.board import AL, DARK, JP, given
from tests.coral_sea.test_words_and_view import SENTENCES as ELSEWHERE
from tests.fuzz.matches import Play, choose
from tests.seen import view


def laid_out(initiative: int, scenario: str = "campaign") -> SetUp:
    """A set-up of an empty map."""
    return SetUp(scenario, Options(), {}, {}, ({}, {}), initiative, (3, 3), (32, 32))


SENTENCES: list[tuple[Fact, str]] = [
    (laid_out(JP), "The campaign: the map is set up, [japan] has the initiative"),
    (laid_out(AL, "of old"), "of old: the map is set up, the [allied] have the initiative"),
    (ModeCommitted(JP), "[japan] has chosen Card or Map"),
    (ModeCommitted(AL), "the [allied] have chosen Card or Map"),
    (HandPeeked(AL), "the [allied] look at the hand of [japan]"),
    (HandPeeked(JP), "[japan] looks at the hand of the [allied]"),
    (ActionEnded(), "The action is over"),
    (ActionEnded(("a_tf17",), ("coral_sea_west",)), "The move ends at [coral_sea_west]"),
    (SupplyLeft(0, "a card"), "Supply for a card: 0 points left"),
    (UnitRebuiltThisOperation(), "No other unit can be rebuilt in this operation"),
    (AttritionSpared(0), "The jungle spares no more land moves"),
    (AttritionSpared(1), "The jungle spares the next land move"),
    (AttritionSpared(2), "The jungle spares the next 2 land moves"),
    (AirfieldCost(1), "Airfields cost 1 supply point in this operation"),
    (AnotherOperation(JP), "[japan] opens another operation after this one"),
    (OperationEnded(AL), "The operation of the [allied] ends"),
    (
        OperationEnded(AL, "no action is possible"),
        "The operation of the [allied] ends: no action is possible",
    ),
    (
        InitiativeChanged(AL, 8),
        "the [allied] hold the initiative from the next sequence on, up to sequence 8",
    ),
    (
        InitiativeChanged(AL, 0),
        "the [allied] hold the initiative from the next sequence on, for the rest of the game",
    ),
    (PointsGained(JP, 2, 4), "[japan] gains 2 victory points"),
    (Counted((1, 20)), "[japan] has 1 victory point and the [allied] have 20 victory points"),
    (UnitPlaced("a_30", "noumea"), "[a_30] arrives at [noumea]"),
    (UnitsMoved(("a_30",), "abau", "lae"), "[a_30] moves from [abau] to [lae]"),
    (
        UnitsMoved(("a_tf17",), "noumea", "loyalty_sea", "sail"),
        "[a_tf17] sails from [noumea] to [loyalty_sea]",
    ),
    (UnitsMoved(("a_30",), "papuan_coast", "abau", "land"), "[a_30] lands from [papuan_coast] to [abau]"),
    (UnitsMoved(("a_30",), "abau", "papuan_coast", "embark"), "[a_30] embarks from [abau] to [papuan_coast]"),
    (UnitsMoved(("a_30",), "buna", "kokoda", "retreat"), "[a_30] retreats from [buna] to [kokoda]"),
    (UnitsMoved(("a_30",), "abau", "buna", "fly"), "[a_30] flies from [abau] to [buna]"),
    (
        StackUnderWay(Move("march", ("a_30", "a_7"), (), 0, "abau", 2)),
        "[a_30], [a_7] are under way from [abau]; Movement left: 2",
    ),
    (Acted(("a_30", "a_7")), "[a_30], [a_7] have acted in this operation"),
    (UnitReorganised("a_30"), "[a_30] is reorganised"),
    (UnitRebuilt("a_30"), "[a_30] is rebuilt"),
    (UnitDestroyed("j_shoho", JP, "destroyed", 3), "[j_shoho] is destroyed: 3 points for the [allied]"),
    (UnitLeft("j_shoho", "removed", "for good (C21.1)"), "[j_shoho] leaves the map for good (C21.1)"),
    (TookRefuge(("j_kure3",), "rabaul"), "[j_kure3] takes refuge in the fortress of [rabaul]"),
    (CameOut("j_kure3"), "[j_kure3] comes out of the fortress"),
    (LeaderWith("l_horii", "j_144"), "[l_horii] stays with [j_144]"),
    (LeaderLost("l_horii"), "[l_horii] is lost"),
    (UnitsShown({"a_30": Unit(), "a_7": Unit()}), "In sight: [a_30], [a_7]"),
    (UnitsCovered(("a_30", "a_7")), "Out of sight: [a_30], [a_7]"),
    (
        BattleBegan("buna", JP, "ground", "kokoda", (("j_144", "j_41"), ("a_30",))),
        "[j_144], [j_41] attack [a_30] at [buna]",
    ),
    (LeftBattle("a_30"), "[a_30] is out of the battle"),
    (ChitsHeld(AL, 2), "the [allied] hold 2 chits"),
    (CupRefilled(AL), "The cup of the [allied] is filled"),
    (ChitShown(AL, "a_g_assault", "lost to a card"), "the [allied] set [a_g_assault] aside: lost to a card"),
    (ChitRevealed(JP, "j_g_ambush", 1), "[japan] plays [j_g_ambush]"),
    (ChitInVain("j_g_air_strike", "no airfield"), "[j_g_air_strike] has no effect: no airfield"),
    (ChitCancelled("j_g_ambush"), "[j_g_ambush] is cancelled"),
    (BunkerAttached("j_144"), "[j_144] has a bunker"),
    (ChecksModified(AL, 1), "All checks of the [allied] in this battle: +1"),
    (ChecksModified(JP, -1), "All checks of [japan] in this battle: -1"),
    (ChitsAdded(JP, 1), "[japan] draws 1 chit more at first"),
    (CheckRolled("a_30", 5, -2, 6, passed=True), "[a_30] holds: 3 against cohesion 6"),
    (BattleEnded("buna", (("j_144",), ())), "The battle at [buna] is over: [j_144] holds the field"),
    (
        BattleEnded("buna", ((), ("a_30", "a_7"))),
        "The battle at [buna] is over: [a_30], [a_7] hold the field",
    ),
]


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES)
def test_c26_1_a_fact_says_what_happened(fact: Fact, sentence: str) -> None:
    assert sentence == fact.words()


def test_c26_1_none_of_them_is_without_a_sentence() -> None:
    told = {type(fact) for fact, _ in (*SENTENCES, *ELSEWHERE)}

    assert set() == {*defined(Fact, facts, happenings, fighting)} - told


MOVED = UnitsMoved(("j_144",), "lae", "morobe", "march")
LEARNT: list[Fact] = [
    CardPlayed(JP, "J07"),
    ModesRevealed(("card", "map")),
    HandPeeked(AL),
    ChitShown(AL, "a_g_assault", "lost to a card"),
    ChitRevealed(JP, "j_g_ambush", 1),
    UnitsShown({"a_30": Unit()}),
]


@pytest.mark.parametrize("fact", LEARNT)
def test_c25_2_nothing_is_taken_back_once_the_other_side_has_learnt_of_it(fact: Fact) -> None:
    decided = Decided(JP, Raw(b'{"type":"stop"}'), "chosen")
    log = list(enumerate([decided, MOVED], start=1))

    assert (0, None) == (reach(log, JP, alone=False), reach([*log, (3, fact)], JP, alone=False))


def after(*facts: Fact, **fields: Any) -> Open:
    """The table that is left when facts are folded onto a board."""
    state: State[Open, Any] = given({}).table.state
    for name, value in fields.items():
        setattr(state.open, name, value)
    return evolve(state, facts).open


@pytest.mark.parametrize("fact", [OperationOpened(JP, "rabaul", 6), OperationEnded(JP)])
def test_c12_16_c7_1_a_suppressed_airfield_works_again_when_an_operation_ends_or_opens(fact: Fact) -> None:
    assert [] == after(fact, suppressed=["lae"]).suppressed


def test_c24_1_the_side_that_the_set_up_names_has_the_initiative() -> None:
    assert AL == after(laid_out(AL)).initiative


def test_c20_3_c5_8_the_initiative_held_for_good_passes_to_nobody_in_later_sequences() -> None:
    now = after(SequenceBegan(3, AL))

    assert (AL, 0) == holder(now)


@pytest.mark.parametrize(("sequence", "held"), [(5, (AL, 6)), (6, (JP, 0))])
def test_c20_2_the_initiative_that_was_lent_goes_back_to_japan_for_no_limited_time(
    sequence: int, held: tuple[int, int]
) -> None:
    assert held == holder(after(initiative=AL, initiative_until=6, sequence=sequence))


def test_c6_7_a_card_lies_beside_the_map_only_if_it_is_permanent() -> None:
    now = after(CardPlayed(AL, "A10"), CardPlayed(AL, "A03", permanent=True))

    assert (["A10", "A03"], ["A03"]) == (now.played[AL], now.permanent)


def test_c5_2_all_see_who_has_chosen_and_not_what() -> None:
    state = evolve(given({}).table.state, [SequenceBegan(2, JP), ModeCommitted(AL)])

    assert ["allied"] == view(CORAL_SEA, state, Audience.of(JP))["table"]["committed"]


def test_c5_1_a_new_sequence_begins_with_the_choice_and_nothing_is_left_of_the_last_one() -> None:
    began = SequenceBegan(2, JP)
    left = {"card_action": AL, "committed": [True, True], "modes": ("card", "card")}
    state = evolve(given({}, change=left).table.state, [began])

    assert "choice" == view(CORAL_SEA, state, Audience.ONLOOKERS)["table"]["step"]
    assert after(sequence=2, modes=()) == after(began, **left)


FOUGHT = BattleBegan("buna", JP, "ground", "kokoda", (("j_144",), ("a_30",)))


def test_c27_all_see_the_chits_that_were_set_aside_and_played_in_their_order() -> None:
    shown = [ChitShown(AL, "a_g_assault", "lost to a card"), ChitRevealed(JP, "j_g_ambush", 1)]
    state = evolve(given({"j_144": "buna", "a_30": "buna"}).table.state, [FOUGHT, *shown])

    assert ["a_g_assault", "j_g_ambush"] == view(CORAL_SEA, state, Audience.ONLOOKERS)["table"]["battle"][
        "shown"
    ]


def test_c12_13_nothing_is_left_of_a_battle_that_is_over() -> None:
    rolled = CheckRolled("a_30", 9, 0, 6, passed=False)
    now = after(FOUGHT, rolled, BattleEnded("buna", (("j_144",), ())))

    assert (None, None) == (now.battle, now.check)


@pytest.mark.parametrize(
    ("options", "caused"),
    [({}, (UnitDepleted, UnitDisorganised, UnitDestroyed, UnitLeft)), (DARK, (HiddenUnits,))],
)
def test_c26_1_a_record_from_before_causes_were_told_is_as_true(
    options: dict[str, bool], caused: tuple[type[Fact], ...]
) -> None:
    chance, play = Random(0), Play(CORAL_SEA, "campaign", options, 0)
    while not play.over:
        play.decide(*choose(play, chance, 0.95))
    before: list[tuple[int, Fact]] = [
        (seq, replace(fact, why="") if isinstance(fact, caused) else fact) for seq, fact in play.log
    ]

    changed = {type(was) for (_, was), (_, now) in zip(play.log, before, strict=True) if was != now}
    assert {*caused} == changed
    assert [] == list(readjudicate(CORAL_SEA, before))


def test_c5_1_after_the_set_up_nothing_has_been_played_yet() -> None:
    state = CORAL_SEA.state()
    laid_out(JP).fold(state)
    board = state.open

    assert ([0, 0], [0, 0], [32, 32], [3, 3]) == (board.hands, board.discards, board.decks, board.counters)
    assert ([False, False], 0, 0) == (board.committed, board.sequence, board.initiative_until)
    assert board.card_action not in {JP, AL}


def test_c22_every_option_is_off_unless_it_is_chosen() -> None:
    options = Options()

    assert [] == [name for name in CORAL_SEA.options if getattr(options, name)]
