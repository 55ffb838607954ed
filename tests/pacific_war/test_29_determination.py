"""P29.1 Who fights: engage or evade, surprise, one force, ships in port and forts."""

from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.bombardment import Bombardment
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Found, Sailed
from tests.pacific_war.board import again_at, battle, dice_left, kinds, options, table_at, told
from tests.pacific_war.clash import (
    ALLIES,
    JAPAN,
    SEA,
    act,
    fleet,
    hidden,
    joined,
    rolls,
    unseen,
    words,
)

CRUISERS = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1")]


def test_p29_1_both_choose_in_secret_and_are_told_at_once() -> None:
    table = table_at(battle(tfs=CRUISERS), NavalBattles(), advantage=ALLIES)

    first = act(table, JAPAN, d.Evade())
    other = table_at(battle(tfs=CRUISERS), NavalBattles(), advantage=ALLIES)
    engaged = act(other, JAPAN, d.Engage())
    second = act(table, ALLIES, d.Evade())

    assert [] == options(other, JAPAN)
    assert [d.Engage(), d.Evade()] == options(other, ALLIES)
    assert "" == words(first) == words(engaged)
    assert hidden(first) == hidden(engaged)
    assert "At hex 5543 [side:0] evades, [side:1] evade: there is no combat" in words(second)


def test_p29_1_if_both_evade_nothing_happens() -> None:
    table = table_at(battle(tfs=CRUISERS), NavalBattles(), advantage=ALLIES)

    act(table, JAPAN, d.Evade())
    facts = act(table, ALLIES, d.Evade())

    assert [] == rolls(facts)
    assert not table.state.open.tfs["J1"].detected
    assert not table.state.open.tfs["J1"].fought
    assert {} == table.prompts


def test_p29_1_if_both_engage_nobody_rolls_to_evade() -> None:
    table = table_at(battle(tfs=CRUISERS), NavalBattles(), 5, 5, advantage=ALLIES)

    act(table, JAPAN, d.Engage())
    facts = act(table, ALLIES, d.Engage())

    assert ["surprise", "surprise"] == unseen(facts)
    assert table.state.open.naval is not None


@pytest.mark.parametrize(
    ("mine", "theirs", "lighting", "detected", "needs"),
    [
        ("ca_atago_takao", "ca_us1", "Day", [], 6),
        ("ca_atago_takao", "ca_us1", "Dusk", [], 6),
        ("ca_atago_takao", "ca_us1", "Night", [], 5),
        ("ca_atago_takao", "ca_us1", "Day", ["J1"], 7),
        ("ca_atago_takao", "ca_us1", "Day", ["A1"], 6),
        ("ca_atago_takao", "cvs_us1", "Day", [], 4),
        ("ca_atago_takao", "aa_us1", "Day", [], 2),
        ("ca_atago_takao", "aa_us1", "Night", ["J1"], 2),
        ("cvl_hosho", "ca_us1", "Day", [], 8),
        ("cvl_hosho", "ca_us1", "Night", [], 7),
    ],
)
def test_p29_1_evasion_by_speed_night_and_detection(
    mine: str, theirs: str, lighting: str, detected: list[str], needs: int
) -> None:
    tfs = [
        fleet("J1", core=[mine]) if mine.startswith("cv") else fleet("J1", mine),
        fleet("A1", theirs) if theirs.startswith("ca") else fleet("A1", core=[theirs]),
    ]
    for face in (needs - 1, needs):
        surprise = [] if face == needs else [5, 5]
        table = table_at(
            battle(tfs=tfs),
            NavalBattles(),
            face,
            *surprise,
            lighting=lighting,  # type: ignore[arg-type]
            detected=detected,
            advantage=ALLIES,
        )
        act(table, JAPAN, d.Evade())
        facts = act(table, ALLIES, d.Engage())

        assert unseen(facts) == (["evasion", "surprise", "surprise"] if surprise else ["evasion"])
        assert (table.state.open.naval is None) == (face == needs)
        assert ("[side:0] gets away" in words(facts)) == (face == needs)
        assert ("[side:0] fails to evade" in words(facts)) == (face != needs)


def test_p29_1_a_slow_force_cannot_evade_a_fast_one() -> None:
    tfs = [fleet("J1", core=["aa_jp1"]), fleet("A1", "ca_us1")]
    table = table_at(battle(tfs=tfs), NavalBattles(), 9, 5, 5, advantage=ALLIES)

    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Engage())

    assert table.state.open.naval is not None


@pytest.mark.parametrize(
    ("month", "lighting", "detected", "dice", "surprise"),
    [
        ("1942-05", "Day", [], (5, 0), ALLIES),
        ("1942-05", "Day", [], (4, 0), -1),
        ("1942-05", "Day", [], (0, 5), JAPAN),
        ("1942-05", "Day", ["J1", "A1"], (5, 0), ALLIES),
        # J1 Detected: the Allies +1 for it, +2 for being Undetected, Japan nothing.
        ("1942-05", "Day", ["J1"], (2, 0), ALLIES),
        ("1942-05", "Day", ["J1"], (1, 0), -1),
        # Japan at Night +2 until December 1942.
        ("1942-12", "Night", [], (2, 5), JAPAN),
        ("1942-12", "Night", [], (2, 4), -1),
        ("1943-01", "Night", [], (3, 4), -1),
        # Radar: the Allies +2 from January 1943, by Day too.
        ("1943-01", "Day", [], (3, 0), ALLIES),
        ("1943-01", "Day", [], (2, 0), -1),
        ("1943-01", "Day", [], (0, 7), JAPAN),
        ("1943-01", "Day", [], (0, 6), -1),
        ("1942-12", "Day", [], (3, 0), -1),
    ],
)
def test_p29_1_surprise_by_five(
    month: str, lighting: str, detected: list[str], dice: tuple[int, int], surprise: int
) -> None:
    scene = battle(month=month, tfs=CRUISERS)
    table = joined(scene, sure=dice, lighting=lighting, detected=detected, advantage=ALLIES)

    assert table.state.open.naval is not None
    assert surprise == table.state.open.naval.surprise


def test_p29_1_the_advantage_player_rolls_first_for_surprise() -> None:
    table = table_at(battle(tfs=CRUISERS), NavalBattles(), 9, 0, advantage=JAPAN)
    act(table, JAPAN, d.Engage())
    facts = act(table, ALLIES, d.Engage())

    assert table.state.open.naval is not None
    assert JAPAN == table.state.open.naval.surprise
    assert "[side:0] has Surprise" in words(facts)


def test_p29_1_1_all_task_forces_of_a_side_fight_as_one_at_the_slowest_speed() -> None:
    tfs = [fleet("J1", "ca_atago_takao"), fleet("J2", core=["aa_jp1"]), fleet("A1", "ca_us1")]
    # S against F: 9 - 4 is below 6, though J1 alone would get away.
    table = table_at(battle(tfs=tfs), NavalBattles(), 9, 5, 5, advantage=ALLIES)
    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Engage())

    assert table.state.open.naval is not None
    assert (("J1", "J2"), ("A1",)) == table.state.open.naval.forces


def test_p29_1_1_a_force_is_detected_if_one_task_force_is() -> None:
    tfs = [fleet("J1", "ca_atago_takao"), fleet("J2", "ca_chokai_maya"), fleet("A1", "ca_us1")]
    table = table_at(battle(tfs=tfs), NavalBattles(), 6, 5, 5, detected=["J2"], advantage=ALLIES)
    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Engage())

    assert table.state.open.naval is not None


def test_p29_1_1_r_60_all_that_takes_part_is_detected_and_public_from_the_beginning() -> None:
    tfs = [
        fleet("J1", "ca_atago_takao", core=["cvl_shoho", "aa_jp1"], cargo={"aa_jp1": ["jp_ichiki"]}),
        fleet("J2", "ca_chokai_maya"),
        fleet("A1", "ca_us1"),
    ]
    scene = battle(tfs=tfs, air=[{"id": "cvg_shoho", "steps": 2, "level": 1}])
    table = table_at(scene, NavalBattles(), 5, 5, advantage=ALLIES)
    act(table, JAPAN, d.Engage())
    assert {} == table.state.open.contents
    facts = act(table, ALLIES, d.Engage())

    board = table.state.open
    assert {"J1", "J2", "A1"} == board.contents.keys() == {one.tf for one in told(facts, Found)}
    assert {"ca_atago_takao", "cvl_shoho", "aa_jp1", "ca_chokai_maya", "ca_us1"} == board.ships.keys()
    assert {"cvg_shoho"} == board.air.keys()
    assert {"jp_ichiki"} == board.ground.keys()
    assert all(force.fought and force.busy for force in board.tfs.values())


@pytest.mark.parametrize("before", [False, True])
def test_p29_1_1_detected_means_before_the_fleets_met(before: bool) -> None:
    """Given A1 that comes to J1 by Day, when it evades, then what it was before its move counts."""
    tfs = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1", at="5542")]
    detected = ["A1"] if before else []
    search = [9, 9] if not before else [9]
    table = table_at(battle(tfs=tfs), Movement(side=ALLIES), *search, detected=detected, advantage=ALLIES)
    act(table, ALLIES, d.MoveTF("A1"), d.SailTo(SEA))
    if options(table, JAPAN):
        act(table, JAPAN, d.Pass())
    act(table, ALLIES, d.Done())
    assert table.state.open.tfs["A1"].detected
    assert table.state.open.tfs["J1"].detected

    # Equal speeds by Day: 6 gets away from here unless A1 was Detected before it moved.
    surprise = [5, 5] if before else []
    table = again_at(table, NavalBattles(), 6, *surprise)
    act(table, ALLIES, d.Evade())
    act(table, JAPAN, d.Engage())

    assert (table.state.open.naval is not None) == before


def test_p29_1_1_r_83_who_was_there_counts_as_before_the_meeting_at_night() -> None:
    """Given J1 that has not moved, when A1 comes at Night and both are seen, then it was not before."""
    tfs = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1", at="5542")]
    # Search 3 and 3 at Night find nothing; then each Undetected one rolls, the Advantage player's first.
    table = table_at(battle(tfs=tfs), Movement(side=ALLIES), 9, 9, 6, 6, lighting="Night", advantage=ALLIES)
    act(table, ALLIES, d.MoveTF("A1"), d.SailTo(SEA))
    act(table, JAPAN, d.Pass())
    facts = act(table, ALLIES, d.Done())
    assert [("meeting", "A1", 6), ("meeting", "J1", 6)] == [
        (purpose, subject, face) for purpose, subject, _, face in rolls(facts) if purpose == "meeting"
    ]
    assert not table.state.open.tfs["J1"].known

    table = again_at(table, NavalBattles(), 5)
    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Engage())

    assert table.state.open.naval is None


def harbour(*tfs: dict[str, Any], **more: Any) -> str:
    """Return a battle at Rabaul, a Japanese port of size 3 with inactive ships."""
    ships = [{"at": "rabaul", "side": "JP", "units": ["cl_tenryu_yubari", "bb_hiei"]}]
    return battle(control={"JP": ["rabaul"]}, naval=ships, tfs=tfs, **more)


def test_p29_1_2_against_ships_in_port_the_other_chooses_alone() -> None:
    table = table_at(harbour(fleet("A1", "ca_us1", at="4837")), NavalBattles(), advantage=JAPAN)

    assert [] == options(table, JAPAN)
    assert [d.Engage(), d.Evade()] == options(table, ALLIES)
    assert "engage, or evade without a die" in table.prompts[ALLIES].text


@pytest.mark.parametrize(("dice", "side"), [((4, 2), ALLIES), ((3, 2), -1), ((0, 8), JAPAN), ((0, 7), -1)])
def test_p29_1_r_102_a_side_with_ships_in_port_alone_rolls_for_surprise_and_counts_as_detected(
    dice: tuple[int, int], side: int
) -> None:
    """Given a fleet that is not known off Rabaul by Day: +1, the enemy is Detected, +2, it is Undetected."""
    table = table_at(harbour(fleet("A1", "ca_us1", at="4837")), NavalBattles(), *dice, advantage=ALLIES)
    facts = act(table, ALLIES, d.Engage())

    assert ["surprise", "surprise"] == [one[0] for one in rolls(facts)]
    assert table.state.open.naval is not None
    assert side == table.state.open.naval.surprise


def test_p29_1_2_r_71_to_evade_ships_in_port_takes_no_die_and_leaves_the_bombardment() -> None:
    table = table_at(harbour(fleet("A1", "ca_us1", at="4837")), NavalBattles(), advantage=ALLIES)

    facts = act(table, ALLIES, d.Evade())

    assert [] == rolls(facts)
    assert {} == table.state.open.ships
    assert not table.state.open.tfs["A1"].fought
    table = again_at(table, Bombardment(side=ALLIES))
    assert {"Bombard", "Pass"} == kinds(table, ALLIES)


def test_p29_1_2_r_71_who_fought_ships_in_port_does_not_bombard() -> None:
    table = table_at(harbour(fleet("A1", "ca_us1", at="4837")), NavalBattles(), 5, 5, advantage=ALLIES)
    act(table, ALLIES, d.Engage())

    table = again_at(table, Bombardment(side=ALLIES))
    assert [] == options(table, ALLIES)


def test_p29_1_2_p0_4_1_a_port_that_is_fought_in_shows_its_ships_and_no_aircraft() -> None:
    scene = harbour(
        fleet("A1", "ca_us1", at="4837"), air=[{"id": "jn_2e_25af", "steps": 2, "level": 1, "base": "rabaul"}]
    )
    table = table_at(scene, NavalBattles(), 5, 5, advantage=ALLIES)

    facts = act(table, ALLIES, d.Engage())

    assert ["surprise", "surprise"] == unseen(facts)
    assert {"ca_us1", "cl_tenryu_yubari", "bb_hiei"} == table.state.open.ships.keys()
    assert {} == table.state.open.air


def test_p29_1_2_inactive_light_ships_and_the_fort_are_the_screen() -> None:
    scene = harbour(fleet("A1", "ca_us1", at="4837"), bases={"rabaul": {"fort": 1}})
    table = table_at(scene, NavalBattles(), 5, 5, advantage=ALLIES)
    act(table, ALLIES, d.Engage())
    act(table, ALLIES, d.Hold())
    act(table, JAPAN, d.Done())
    act(table, ALLIES, d.Done())

    # Phase 1 was against the screen; in phase 2 the battleship, which counts as core, takes part too.
    assert table.state.open.naval is not None
    assert 2 == table.state.open.naval.phase
    act(table, ALLIES, d.Hold())
    assert [d.Fire("bb_hiei"), d.Fire("cl_tenryu_yubari"), d.Fire("fort:rabaul")] == options(table, JAPAN)[:3]


def test_p29_1_2_phase_one_has_the_screen_of_the_port_alone() -> None:
    scene = harbour(fleet("A1", "ca_us1", at="4837"), bases={"rabaul": {"fort": 1}})
    table = table_at(scene, NavalBattles(), 5, 5, advantage=ALLIES)
    act(table, ALLIES, d.Engage())
    act(table, ALLIES, d.Hold())

    assert [d.Fire("cl_tenryu_yubari"), d.Fire("fort:rabaul")] == options(table, JAPAN)[:2]
    act(table, JAPAN, d.Done())
    aims = options(table, ALLIES)
    assert [d.Fire("ca_us1"), d.HoldFire("ca_us1"), d.Done()] == aims


def test_p29_1_2_r_48_the_port_picks_no_range_and_the_other_alone_counts() -> None:
    table = table_at(harbour(fleet("A1", "ca_us1", at="4837")), NavalBattles(), 5, 5, advantage=JAPAN)
    act(table, ALLIES, d.Engage())

    assert [] == options(table, JAPAN)
    facts = act(table, ALLIES, d.Close())

    assert [] == rolls(facts)
    assert table.state.open.naval is not None
    assert 1 == table.state.open.naval.range


def test_p29_1_2_r_48_nobody_retreats_from_or_in_the_port() -> None:
    table = table_at(harbour(fleet("A1", "ca_us1", at="4837")), NavalBattles(), 5, 5, advantage=JAPAN)
    act(table, ALLIES, d.Engage())
    for _ in range(3):
        act(table, ALLIES, d.Hold())
        act(table, JAPAN, d.Done())
        act(table, ALLIES, d.Done())

    assert table.state.open.naval is None
    assert {} == table.prompts
    assert "4837" == table.state.open.tfs["A1"].node
    assert "rabaul" == table.state.own[JAPAN].ships["bb_hiei"].port


def test_p29_1_2_who_fights_a_port_may_break_off_without_a_die_and_retreats() -> None:
    table = table_at(harbour(fleet("A1", "ca_us1", at="4837")), NavalBattles(), 5, 5, advantage=JAPAN)
    act(table, ALLIES, d.Engage())
    act(table, ALLIES, d.Hold())
    act(table, JAPAN, d.Done())
    act(table, ALLIES, d.Done())
    facts = act(table, ALLIES, d.BreakOff())

    assert [] == rolls(facts)
    assert {"RetreatTF"} == kinds(table, ALLIES)


def test_p29_1_2_a_slow_force_breaks_off_too_since_the_port_does_not_pursue() -> None:
    table = table_at(harbour(fleet("A1", core=["aa_us1"], at="4837")), NavalBattles(), 5, 5, advantage=JAPAN)
    act(table, ALLIES, d.Engage())
    act(table, ALLIES, d.Hold())
    act(table, JAPAN, d.Done())
    act(table, ALLIES, d.Done())
    facts = act(table, ALLIES, d.BreakOff())

    assert [] == rolls(facts)
    assert {"RetreatTF"} == kinds(table, ALLIES)


def in_port_too() -> str:
    """Return a battle at Rabaul with a Japanese task force beside the ships in port."""
    return harbour(fleet("J1", "ca_atago_takao", at="4837"), fleet("A1", "ca_us1", at="4837"))


def test_p29_1_2_r_66_task_forces_choose_and_the_port_fights_with_them() -> None:
    table = table_at(in_port_too(), NavalBattles(), 5, 5, advantage=ALLIES)
    act(table, JAPAN, d.Engage())
    act(table, ALLIES, d.Engage())

    assert table.state.open.naval is not None
    assert ("rabaul", "") == table.state.open.naval.ports
    assert {"Close", "Hold", "OpenRange"} == kinds(table, JAPAN)


def test_p29_1_2_r_66_if_the_task_forces_get_away_the_port_is_fought_alone() -> None:
    table = table_at(in_port_too(), NavalBattles(), 6, 5, 5, advantage=ALLIES)
    act(table, JAPAN, d.Evade())
    facts = act(table, ALLIES, d.Engage())

    board = table.state.open
    assert board.naval is not None
    assert "leaves the port to itself" in words(facts)
    assert ((), ("A1",)) == board.naval.forces
    assert not board.tfs["J1"].detected
    assert not board.tfs["J1"].fought
    assert [] == options(table, JAPAN)
    act(table, ALLIES, d.Hold())
    assert [d.Fire("cl_tenryu_yubari"), d.HoldFire("cl_tenryu_yubari"), d.Done()] == options(table, JAPAN)


def test_p29_1_2_r_66_both_evade_at_a_port() -> None:
    table = table_at(in_port_too(), NavalBattles(), advantage=ALLIES)
    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Evade())

    assert table.state.open.naval is None


def test_p29_1_2_r_66_the_speed_of_the_task_forces_counts_when_they_pursue() -> None:
    table = table_at(in_port_too(), NavalBattles(), 5, 5, 5, advantage=ALLIES)
    act(table, JAPAN, d.Engage())
    facts = act(table, ALLIES, d.Evade())  # equal: 5 is not enough, as against a speed of 0 it would be

    assert ["evasion", "surprise", "surprise"] == unseen(facts)
    assert table.state.open.naval is not None


def test_p29_1_2_once_the_task_forces_are_sunk_the_port_picks_no_range() -> None:
    scene = harbour(fleet("J1", "dd_jp11", at="4837"), fleet("A1", "ca_us1", "ca_us2", at="4837"))
    # Day, long range: guns 6, column 4 - 1 = 3, face 0: 2 hits each; the destroyers have 3.
    table = joined(scene, 0, 0, advantage=ALLIES)
    act(table, JAPAN, d.Hold())
    act(table, ALLIES, d.Hold())
    act(table, JAPAN, d.Done())
    act(
        table,
        ALLIES,
        d.Fire("ca_us1"),
        d.At("dd_jp11", False),
        d.Fire("ca_us2"),
        d.At("dd_jp11", False),
        d.Done(),
    )

    assert "sunk" == table.state.open.lost["dd_jp11"]
    assert [] == options(table, JAPAN)
    assert {"Close", "Hold", "OpenRange", "BreakOff"} == kinds(table, ALLIES)


def test_p29_1_r_62_a_fort_without_a_port_guards_every_coast() -> None:
    for node in ("4638a", "4638b"):
        scene = battle(
            control={"JP": ["gasmata"]}, bases={"gasmata": {"fort": 1}}, tfs=[fleet("A1", "ca_us1", at=node)]
        )
        table = table_at(scene, NavalBattles(), advantage=ALLIES)
        assert {"Engage", "Evade"} == kinds(table, ALLIES)


def test_p29_1_r_62_a_fort_with_a_port_guards_the_coast_of_the_port() -> None:
    met = []
    for node in ("5038a", "5038b"):
        scene = battle(
            control={"JP": ["buka"]}, bases={"buka": {"fort": 1}}, tfs=[fleet("A1", "ca_us1", at=node)]
        )
        met.append(bool(options(table_at(scene, NavalBattles(), advantage=ALLIES), ALLIES)))

    assert [True, False] == met


def test_p29_1_a_port_without_ships_and_fort_is_not_fought() -> None:
    scene = battle(control={"JP": ["rabaul"]}, tfs=[fleet("A1", "ca_us1", at="4837")])
    table = table_at(scene, NavalBattles(), advantage=ALLIES)

    assert {} == table.prompts


def test_p29_1_own_ports_are_no_enemies() -> None:
    table = table_at(harbour(fleet("J1", "ca_atago_takao", at="4837")), NavalBattles(), advantage=ALLIES)

    assert {} == table.prompts


def test_p29_1_r_47_on_different_coasts_they_do_not_meet() -> None:
    tfs = [fleet("J1", "ca_atago_takao", at="5038a"), fleet("A1", "ca_us1", at="5038b")]
    table = table_at(battle(control={"JP": ["buka"]}, tfs=tfs), NavalBattles(), advantage=ALLIES)

    assert {} == table.prompts


def test_p5_2_e_r_47_the_advantage_player_chooses_the_next_battle() -> None:
    tfs = [
        fleet("J1", "ca_atago_takao"),
        fleet("A1", "ca_us1"),
        fleet("J2", "ca_chokai_maya", at="5340"),
        fleet("A2", "ca_us2", at="5340"),
    ]
    table = table_at(battle(tfs=tfs), NavalBattles(), advantage=ALLIES)

    assert [] == options(table, JAPAN)
    assert [d.NextBattle("5340"), d.NextBattle(SEA)] == options(table, ALLIES)
    act(table, ALLIES, d.NextBattle(SEA))
    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Evade())
    # The last one is taken without a question, and a node once only.
    assert "[guadalcanal]" in table.prompts[JAPAN].text
    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Evade())
    assert {} == table.prompts


def savo(detected: tuple[str, ...] = ()) -> Table:
    """Return a table of E3 on which TF J1 has come to Guadalcanal."""
    table = table_at("E3", NavalBattles(), lighting="Night", advantage=JAPAN, detected=detected)
    table.record(Sailed("J1", ("5340",), known=bool(detected)))
    return again_at(table, NavalBattles())


@pytest.mark.parametrize("detected", [(), ("J1",)])
def test_e3_2_japan_has_surprise_without_a_die_detected_or_not(detected: tuple[str, ...]) -> None:
    table = savo(detected=detected)
    act(table, JAPAN, d.Engage())
    facts = act(table, ALLIES, d.Engage())

    assert [] == rolls(facts)
    assert JAPAN == table.state.open.naval.surprise


def test_e3_2_the_allies_are_not_asked_to_intercept() -> None:
    table = table_at("E3", Movement(side=JAPAN), lighting="Night", advantage=JAPAN)
    act(table, JAPAN, d.MoveTF("J1"), d.SailTo("5340"))

    assert [] == options(table, ALLIES)
    assert "5340" == table.state.open.tfs["J1"].node
    assert 0 == dice_left(table)
