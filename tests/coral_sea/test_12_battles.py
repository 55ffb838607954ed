"""C12 What chits do beside their checks, and who holds how many; C17.1 leaders in battles."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.coral_sea import charts
from domain.coral_sea.cups import cup
from domain.coral_sea.decisions import ChooseUnit, Pass, PlayChit, PlayReaction
from domain.coral_sea.facts import WindowOpened
from domain.coral_sea.fighting import BattleEnded, CheckRolled, ChitInVain, ChitRevealed, ChitsHeld
from domain.coral_sea.happenings import UnitsMoved
from domain.coral_sea.places import AirfieldSuppressed
from tests.coral_sea.board import AL, JP, Board, Where, land_battle, of, operation


def at_buna(side: int = JP, mine: str = "", theirs: str = "", **more: Any) -> Board:
    """The 144th Regiment and the 30th Brigade fight at Buna; `side` attacks from Morobe."""
    attacker, defender = ("j_144", "a_30") if side == JP else ("a_30", "j_144")
    return land_battle(side, "buna", {attacker: mine}, {defender: theirs}, origin="morobe", **more)


def checked(board: Board) -> list[tuple[str, int]]:
    """Who has checked, and what was added."""
    return [(fact.unit, fact.modifier) for fact in of(board.facts, CheckRolled)]


HORII = {"leaders": {"l_horii": "j_144"}}


def test_c17_1_a_leader_helps_all_checks_of_his_side_and_no_others_r82() -> None:
    board = at_buna(AL, change=HORII, draws=["a_g_assault"])
    board.go(PlayChit("a_g_assault"))

    assert [("j_144", -1), ("a_30", 0)] == checked(board)


def test_c17_1_a_leader_elsewhere_does_not_help_r82() -> None:
    board = at_buna(
        AL, others={"j_28": "lae"}, change={"leaders": {"l_horii": "j_28"}}, draws=["a_g_assault"]
    )
    board.go(PlayChit("a_g_assault"))

    assert [("j_144", 0), ("a_30", 0)] == checked(board)


def test_c17_1_c21_1_a_leader_and_a_card_add_up() -> None:
    board = at_buna(AL, change=HORII, draws=["a_g_assault"], hands=(["J28"], []), watch=True)
    board.go(PlayReaction("J28"))
    board.watch = False
    board.quiet()
    board.go(PlayChit("a_g_assault"))

    assert [("j_144", -2), ("a_30", 0)] == checked(board)


def test_c12_7_c21_1_who_lost_the_last_chit_to_a_card_draws_at_its_turn() -> None:
    board = at_buna(theirs="d", draws=["j_g_ambush", "a_g_assault"], hands=(["J30"], []), watch=True)
    board.go(PlayReaction("J30"))
    assert board.open.battle is not None
    assert [3, 0] == board.open.battle.chits
    board.watch = False
    board.quiet()
    board.go(PlayChit("j_g_ambush"))

    assert board.open.battle is not None
    assert ([AL], [2, 1]) == (board.asked, board.open.battle.chits)


def test_c12_10_c12_11_might_of_will_drives_a_depleted_unit_out_of_the_battle() -> None:
    board = at_buna(mine="d", draws=["j_g_might_of_will"])
    board.go(PlayChit("j_g_might_of_will"))

    assert ("do", {"j_144": "morobe"}) == (board.state("j_144"), board.at("j_144"))
    assert [("a_30", 1)] == checked(board)


SHIPS = {"a_tf17": "ward_hunt_strait"}


@pytest.mark.parametrize(
    ("chit", "airfields", "suppressed"),
    [
        ("a_g_shore_bombardment", {"buna": JP}, ["buna"]),
        ("a_g_shore_bombardment", {}, []),
        ("a_g_assault", {"buna": JP}, []),
    ],
)
def test_c12_16_only_shells_stop_an_airfield_and_only_the_enemys(
    chit: str, airfields: dict[str, int], suppressed: list[str]
) -> None:
    board = at_buna(AL, others=SHIPS, change={"airfields": airfields}, draws=[chit])
    board.go(PlayChit(chit))

    assert suppressed == board.open.suppressed


def test_c12_16_an_airfield_is_stopped_once() -> None:
    shells = ["a_g_shore_bombardment"] * 2
    board = at_buna(AL, others=SHIPS, change={"airfields": {"buna": JP}}, draws=[*shells, "j_g_ambush"])
    board.go(PlayChit(shells[0]), PlayChit("j_g_ambush"), PlayChit(shells[1]))

    assert [AirfieldSuppressed("buna")] == of(board.facts, AirfieldSuppressed)


def test_c12_8_all_effects_count_though_the_first_emptied_one_side_r32() -> None:
    """The brigade, the only defender, is driven out; the regiment must check all the same."""
    board = at_buna(draws=["j_g_close_combat"], dice=[10, 9])
    board.go(PlayChit("j_g_close_combat"))

    assert [("a_30", 0), ("j_144", 0)] == checked(board)
    assert ("o", "d") == (board.state("a_30"), board.state("j_144"))


def test_c12_8_the_owner_picks_anew_for_each_effect() -> None:
    board = land_battle(
        AL,
        "buna",
        {"a_30": "", "a_7": ""},
        {"j_144": "", "j_28": ""},
        origin="morobe",
        draws=["a_g_assault"],
    )
    board.go(PlayChit("a_g_assault"), ChooseUnit("j_28"), ChooseUnit("a_30"))

    assert [("j_28", 0), ("a_30", 0)] == checked(board)


def test_c12_9_c21_1_one_reroll_a_check() -> None:
    board = at_buna(
        AL, draws=["a_g_assault"], dice=[10, 10, 1], hands=(["J27"], []), watch=True, control={"lae": JP}
    )
    while PlayReaction("J27") not in board.offered():
        board.go(Pass() if Pass() in board.offered() else PlayChit("a_g_assault"))
    board.go(PlayReaction("J27"))
    board.quiet()

    assert [("j_144", False), ("j_144", True), ("a_30", False)] == [
        (fact.unit, fact.rerolled) for fact in of(board.facts, CheckRolled)
    ]
    assert "o" == board.state("j_144")
    assert 1 == len(of(board.facts, ChitRevealed))


def test_c12_6_c12_17_a_full_cup_holds_all_but_the_hand_and_attached_bunkers_r34() -> None:
    """Japan has no ships or air support; two Ambushes and a Bunkers are in hand, one is attached."""
    board = land_battle(AL, "buna", {"a_30": ""}, {"j_144": "", "j_28": ""}, origin="morobe")
    battle = board.open.battle
    assert battle is not None
    battle.bunkers = ("j_28",)

    assert Counter(
        j_g_close_combat=3, j_g_might_of_will=2, j_g_poor_coordination=1, j_g_bunkers=1
    ) == Counter(cup(board.open, battle, JP, ["j_g_ambush", "j_g_ambush", "j_g_bunkers"]))


def test_c12_17_a_bunker_for_nobody_is_played_in_vain() -> None:
    """When it is played the 28th Regiment has left, and the 144th has a bunker already."""
    draws = ["a_g_assault", "a_g_assault", "j_g_bunkers", "j_g_bunkers", "j_g_ambush"]
    board = land_battle(
        AL, "buna", {"a_30": ""}, {"j_144": "", "j_28": ""}, origin="morobe", draws=draws, dice=[1, 1, 9, 1]
    )
    board.go(PlayChit("a_g_assault"), ChooseUnit("j_28"), PlayChit("j_g_bunkers"), ChooseUnit("j_144"))
    board.go(PlayChit("a_g_assault"), ChooseUnit("j_28"))
    facts = board.go(PlayChit("j_g_bunkers"))

    assert ["j_g_bunkers"] == [fact.chit for fact in of(facts, ChitInVain)]
    assert board.open.battle is not None
    assert (["j_144"], ("j_144",)) == (board.open.battle.units[JP], board.open.battle.bunkers)


def test_c12_6_c12_14_where_neither_can_play_each_passes_once_r86(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for kind in charts.CHITS:
        monkeypatch.setitem(charts.CHITS, kind, replace(charts.CHITS[kind], count=0))
    board = at_buna()

    assert [(JP, 0), (AL, 0)] * 2 == [(fact.side, fact.count) for fact in of(board.facts, ChitsHeld)]
    assert board.open.battle is None


def test_c12_14_the_attackers_go_back_one_after_the_other_as_they_came() -> None:
    board = land_battle(AL, "buna", {"a_30": "", "a_7": ""}, {"j_144": ""}, origin="morobe", watch=True)
    assert board.open.battle is not None
    board.open.battle.plays = charts.CHIT_GUARD
    board.quiet()

    assert [("a_30",), ("a_7",)] == [fact.units for fact in of(board.facts, UnitsMoved)]
    assert {"a_30": "morobe", "a_7": "morobe"} == board.at("a_30", "a_7")
    assert JP == board.open.control["buna"]


def test_c12_7_c12_13_nobody_draws_once_the_battle_is_decided() -> None:
    """The depleted brigade plays the only chit that it holds, and the regiment is driven out."""
    board = at_buna(AL, mine="d", draws=["a_g_assault"], dice=[10])
    facts = board.go(PlayChit("a_g_assault"))

    assert [(AL, 0)] == [(fact.side, fact.count) for fact in of(facts, ChitsHeld)]
    assert 1 == len(of(facts, BattleEnded))


def test_c6_5_c12_9_no_window_opens_after_a_check_that_is_passed_r79() -> None:
    board = at_buna(AL, draws=["a_g_assault"], options={"always_ask": True})
    facts = board.go(PlayChit("a_g_assault"))

    assert [("j_144", 0), ("a_30", 0)] == checked(board)
    assert "check_failed" not in [fact.window for fact in of(facts, WindowOpened)]


def test_c12_11_c21_1_who_falls_sick_is_disorganised_but_does_not_retreat() -> None:
    units: dict[str, Where] = {"a_7": ("abau", "d")}
    board = operation(AL, "papuan_coast", units, hands=(("J24",), ()), dice=[9], stop=True)
    while PlayReaction("J24") not in board.offered():
        board.go(Pass())
    board.go(PlayReaction("J24"))

    assert ("do", {"a_7": "abau"}) == (board.state("a_7"), board.at("a_7"))
