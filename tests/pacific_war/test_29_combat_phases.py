"""P29.2 The combat phases: who takes part, range, fire orders, fire, surprise, and who leaves."""

from typing import Any

import pytest

from domain.kernel.procedures import Decision
from domain.kernel.table import Illegal, Table, Unfinished
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.fighting import OrdersGiven
from tests.pacific_war.board import battle, change, kinds, options, told
from tests.pacific_war.clash import (
    ALLIES,
    JAPAN,
    SEA,
    act,
    fleet,
    hidden,
    joined,
    orders,
    ranges,
    rolls,
    unseen,
    words,
)

HOLD = d.Hold()
CRUISERS = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1")]
BATTLE_LINE = [
    fleet("J1", "ca_atago_takao", "dd_jp11", core=["bb_hiei", "cvl_shoho"]),
    fleet("A1", "ca_us1", "dd_us1", core=["bb_arizona", "cv_hornet"]),
]


def hold(table: Table) -> None:
    """Let both hold the range."""
    ranges(table, d.Hold(), d.Hold())


def cease(table: Table) -> None:
    """Let nobody fire."""
    act(table, JAPAN, d.Done())
    act(table, ALLIES, d.Done())


def gunners(table: Table, side: int) -> set[str]:
    """Return whom a side may let fire."""
    return {one.unit for one in options(table, side) if isinstance(one, d.Fire)}


def aims(table: Table, side: int, ship: str) -> list[d.At]:
    """Return what a ship may aim at."""
    ahead = table.ahead(side, [d.Fire(ship)])
    return [one for one in options(ahead, side) if isinstance(one, d.At)]


# who takes part


def test_p29_2_screens_then_battleships_then_all() -> None:
    table = joined(battle(tfs=BATTLE_LINE), advantage=ALLIES)
    seen = []
    for _ in range(3):
        hold(table)
        seen.append((gunners(table, JAPAN), {one.target for one in aims(table, JAPAN, "dd_jp11")}))
        cease(table)

    screen, line = {"ca_atago_takao", "dd_jp11"}, {"ca_us1", "dd_us1"}
    assert [
        (screen, line),
        (screen | {"bb_hiei"}, line | {"bb_arizona"}),
        (screen | {"bb_hiei", "cvl_shoho"}, line | {"bb_arizona", "cv_hornet"}),
    ] == seen


def test_p29_2_a_side_without_a_screen_has_its_battleships_in_front() -> None:
    tfs = [fleet("J1", core=["bb_hiei", "cvl_shoho"]), fleet("A1", "ca_us1")]
    table = joined(battle(tfs=tfs), advantage=ALLIES)
    hold(table)

    assert {"bb_hiei"} == gunners(table, JAPAN)


def test_p29_2_a_side_without_screen_and_battleships_has_all_in_front() -> None:
    tfs = [fleet("J1", core=["cvl_shoho", "aa_jp1"]), fleet("A1", "ca_us1")]
    table = joined(battle(tfs=tfs), advantage=ALLIES)
    for _ in range(2):
        hold(table)
        assert {"cvl_shoho", "aa_jp1"} == {one.target for one in aims(table, ALLIES, "ca_us1")}
        cease(table)


def test_p29_2_a_battleship_in_the_screen_fights_from_the_beginning() -> None:
    tfs = [fleet("J1", "bb_hiei", core=["bb_kirishima"]), fleet("A1", "ca_us1")]
    table = joined(battle(tfs=tfs), advantage=ALLIES)
    hold(table)

    assert {"bb_hiei"} == gunners(table, JAPAN)


def test_p29_2_combat_ends_when_a_side_has_no_ship_left_and_nobody_retreats() -> None:
    # Night, short: guns 6, column 4 + 1 - 2 = 3, face 0: 2 hits; destroyers with 3.
    tfs = [fleet("J1", "dd_jp11"), fleet("A1", "ca_us1", "ca_us2")]
    table = joined(battle(tfs=tfs), 0, 0, lighting="Night", advantage=ALLIES, sure=(5, 3))
    hold(table)
    act(table, JAPAN, d.Done())
    act(table, ALLIES, *orders(("ca_us1", "dd_jp11", False), ("ca_us2", "dd_jp11", False)))

    board = table.state.open
    assert board.naval is None
    assert "J1" not in board.tfs
    assert SEA == board.tfs["A1"].node
    assert board.tfs["A1"].detected
    assert {"Done", "NewTF"} == kinds(table, ALLIES)  # it may reorganise (P2.2.2)


def test_p29_2_sunk_ships_take_cargo_and_air_groups_down_in_the_middle() -> None:
    tfs = [
        fleet("J1", core=["cvl_shoho", "aa_jp1", "aa_jp2"], cargo={
            "aa_jp1": ["jp_ichiki:1"], "aa_jp2": ["jp_ichiki:2"]}),
        fleet("A1", "ca_us1", "ca_us2"),
    ]  # fmt: skip
    scene = battle(tfs=tfs, air=[{"id": "cvg_shoho", "steps": 2, "level": 1}])
    # Day, long: column 4 - 1; face 0 is 2 hits; Shoho has 2 and gun defence 1: column 2, face 0: 2.
    table = joined(scene, 0, 0, advantage=ALLIES)
    change(table, JAPAN, {"aa_jp1": {"damage": 1}})
    hold(table)
    act(table, JAPAN, d.Done())
    act(table, ALLIES, *orders(("ca_us1", "cvl_shoho", False), ("ca_us2", "aa_jp1", False)))

    board, own = table.state.open, table.state.own[JAPAN]
    assert {"cvl_shoho": "sunk", "aa_jp1": "sunk", "cvg_shoho": "destroyed"} == board.lost
    assert (2, {"aa_jp2": 2}) == (own.ground["jp_ichiki"].steps, own.ground["jp_ichiki"].aboard)
    assert [2, 0] == board.steps_lost
    assert ("aa_jp2",) == board.contents["J1"].ships
    hold(table)
    assert {"aa_jp2"} == {one.target for one in aims(table, ALLIES, "ca_us1")}


# a range


@pytest.mark.parametrize(("lighting", "start"), [("Day", 2), ("Dusk", 1), ("Night", 0)])
def test_p29_2_the_first_range(lighting: str, start: int) -> None:
    table = joined(battle(tfs=CRUISERS), lighting=lighting, advantage=ALLIES, sure=(5, 4))

    assert table.state.open.naval is not None
    assert (start, 1) == (table.state.open.naval.range, table.state.open.naval.phase)


def test_p29_2_a_picks_are_sealed_and_equal_ones_apply() -> None:
    table = joined(battle(tfs=CRUISERS), advantage=ALLIES)
    first = act(table, JAPAN, d.Close())
    other = act(joined(battle(tfs=CRUISERS), advantage=ALLIES), JAPAN, d.OpenRange())
    second = act(table, ALLIES, d.Close())

    assert "" == words(first) == words(other)
    assert hidden(first) == hidden(other)
    assert [] == rolls(second)
    assert "Range: [side:0] closes, [side:1] close" in words(second)
    assert table.state.open.naval is not None
    assert 1 == table.state.open.naval.range


def test_p29_2_a_there_is_no_breaking_off_in_the_first_phase() -> None:
    table = joined(battle(tfs=CRUISERS), advantage=ALLIES)

    assert [d.Close(), d.Hold(), d.OpenRange()] == options(table, JAPAN) == options(table, ALLIES)
    hold(table)
    cease(table)
    assert [d.Close(), d.Hold(), d.OpenRange(), d.BreakOff()] == options(table, JAPAN)
    assert "or break off" in table.prompts[JAPAN].text


def test_p29_2_a_the_faster_side_gets_its_pick() -> None:
    tfs = [fleet("J1", "ca_atago_takao", core=["cvl_hosho"]), fleet("A1", "ca_us1", core=["aa_us1"])]
    table = joined(battle(tfs=tfs), lighting="Dusk", advantage=ALLIES)
    facts = ranges(table, d.Close(), d.OpenRange())  # M against S

    assert [] == rolls(facts)
    assert table.state.open.naval is not None
    assert 0 == table.state.open.naval.range


def test_p29_2_a_a_crippled_ship_slows_its_side() -> None:
    table = joined(battle(tfs=CRUISERS), lighting="Dusk", advantage=ALLIES)
    change(table, JAPAN, {"ca_atago_takao": {"damage": 2}})
    facts = ranges(table, d.Close(), d.OpenRange())

    assert [] == rolls(facts)
    assert table.state.open.naval is not None
    assert 2 == table.state.open.naval.range


@pytest.mark.parametrize(
    ("advantage", "dice", "range_"),
    [(ALLIES, (7, 3), 2), (ALLIES, (3, 7), 0), (JAPAN, (7, 3), 0), (ALLIES, (4, 4, 0, 0, 8, 9), 0)],
)
def test_p29_2_a_equal_speeds_roll_and_ties_are_rolled_again(
    advantage: int, dice: tuple[int, ...], range_: int
) -> None:
    table = joined(battle(tfs=CRUISERS), *dice, lighting="Dusk", advantage=advantage)
    facts = ranges(table, d.Close(), d.OpenRange())

    assert [("range", face) for face in dice] == [(one[0], one[3]) for one in rolls(facts)]
    assert [] == unseen(facts)
    assert table.state.open.naval is not None
    assert range_ == table.state.open.naval.range


@pytest.mark.parametrize(("lighting", "pick", "stays"), [("Day", d.OpenRange(), 2), ("Night", d.Close(), 0)])
def test_p29_2_a_range_stays_between_short_and_long(lighting: str, pick: Decision, stays: int) -> None:
    table = joined(battle(tfs=CRUISERS), lighting=lighting, advantage=ALLIES, sure=(5, 4))
    ranges(table, pick, pick)

    assert table.state.open.naval is not None
    assert stays == table.state.open.naval.range


def second_phase(tfs: list[dict[str, Any]], *dice: int, lighting: str = "Day") -> Table:
    """Return a combat in its second phase, nobody having fired."""
    table = joined(battle(tfs=tfs), *dice, lighting=lighting, advantage=ALLIES, sure=(5, 4))
    hold(table)
    cease(table)
    return table


@pytest.mark.parametrize(
    ("lighting", "face", "away"),
    [("Day", 5, False), ("Day", 6, True), ("Night", 3, False), ("Night", 4, True)],
)
def test_p29_2_a_breaking_off_at_equal_speed_takes_a_die(lighting: str, face: int, away: bool) -> None:
    table = second_phase(CRUISERS, face, lighting=lighting)
    facts = ranges(table, d.BreakOff(), d.Close())

    assert [("breaking off", face)] == [(one[0], one[3]) for one in rolls(facts)]
    assert away == ({"RetreatTF"} == kinds(table, JAPAN))
    assert "wants to break off" in words(facts)
    if not away:  # the other's pick applies
        assert table.state.open.naval is not None
        assert {"Day": 1, "Night": 0}[lighting] == table.state.open.naval.range
        assert {"Fire", "HoldFire", "Done"} == kinds(table, JAPAN)


def test_p29_2_a_the_faster_side_breaks_off_without_a_die_and_the_slower_never() -> None:
    tfs = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1", core=["aa_us1"])]
    table = second_phase(tfs)
    ranges(table, d.BreakOff(), d.Hold())
    assert {"RetreatTF"} == kinds(table, JAPAN)

    table = second_phase(tfs)
    facts = ranges(table, d.Close(), d.BreakOff())
    assert [] == rolls(facts)
    assert table.state.open.naval is not None
    assert 1 == table.state.open.naval.range


def test_p29_2_a_if_both_break_off_both_retreat_japan_first() -> None:
    table = second_phase(CRUISERS)
    facts = ranges(table, d.BreakOff(), d.BreakOff())

    assert [] == rolls(facts)
    assert {"RetreatTF"} == kinds(table, JAPAN)
    assert [] == options(table, ALLIES)
    act(table, JAPAN, d.RetreatTF("J1", "5542"))
    act(table, ALLIES, d.RetreatTF("A1", "5544"))
    assert ("5542", "5544") == (table.state.open.tfs["J1"].node, table.state.open.tfs["A1"].node)
    assert table.state.open.naval is None


# b fire orders


def test_p29_2_b_the_list_has_each_ship_that_takes_part_and_done() -> None:
    table = joined(battle(tfs=BATTLE_LINE), advantage=ALLIES)
    hold(table)

    assert [
        d.Fire("ca_atago_takao"),
        d.Fire("dd_jp11"),
        d.HoldFire("ca_atago_takao"),
        d.HoldFire("dd_jp11"),
        d.Done(),
    ] == options(table, JAPAN)
    ahead = table.ahead(JAPAN, [d.HoldFire("dd_jp11")])
    assert [d.Fire("ca_atago_takao"), d.HoldFire("ca_atago_takao"), d.Done()] == options(ahead, JAPAN)


def test_p29_2_b_no_torpedoes_at_long_range() -> None:
    table = joined(battle(tfs=CRUISERS), advantage=ALLIES)
    hold(table)
    assert [d.At("ca_us1", False)] == aims(table, JAPAN, "ca_atago_takao")

    table = joined(battle(tfs=CRUISERS), advantage=ALLIES)
    ranges(table, d.Close(), d.Close())
    assert [d.At("ca_us1", False), d.At("ca_us1", True)] == aims(table, JAPAN, "ca_atago_takao")
    assert [d.At("ca_atago_takao", False)] == aims(table, ALLIES, "ca_us1")  # it has none


@pytest.mark.parametrize(("ship", "salvos"), [("dd_jp11", 2), ("dd_jp23", 1)])
def test_p29_2_b_one_salvo_for_a_battle_or_two_with_reload(ship: str, salvos: int) -> None:
    tfs = [fleet("J1", ship), fleet("A1", "bb_arizona")]
    table = joined(battle(tfs=tfs), *[9, 9] * salvos, lighting="Dusk", advantage=ALLIES)
    for phase in range(3):
        hold(table)
        torpedoes = d.At("bb_arizona", True) in aims(table, JAPAN, ship)
        assert torpedoes == (phase < salvos)
        act(table, ALLIES, d.Done())
        act(table, JAPAN, *(orders((ship, "bb_arizona", True)) if torpedoes else [d.Done()]))


def test_p29_2_b_a_ship_without_guns_fires_its_torpedoes_or_not_at_all() -> None:
    tfs = [fleet("J1", "dd_jp23"), fleet("A1", "ca_us1")]  # guns 1, torpedoes 3, crippled 0 and 1
    table = joined(battle(tfs=tfs), lighting="Dusk", advantage=ALLIES)
    change(table, JAPAN, {"dd_jp23": {"damage": 2}})
    hold(table)
    assert [d.At("ca_us1", True)] == aims(table, JAPAN, "dd_jp23")

    table = joined(battle(tfs=tfs), advantage=ALLIES)
    change(table, JAPAN, {"dd_jp23": {"damage": 2}})
    hold(table)
    assert [d.Done()] == options(table, JAPAN)


def test_p0_3_2_p29_2_b_orders_come_as_one_command_of_always_as_many_sealed_facts() -> None:
    scene = battle(tfs=BATTLE_LINE)
    sets: list[list[Decision]] = [
        [d.Done()],
        [d.HoldFire("dd_jp11"), d.Done()],
        orders(("dd_jp11", "ca_us1", False)),
        orders(("dd_jp11", "ca_us1", True), ("ca_atago_takao", "dd_us1", True)),
    ]
    counts, said = set(), set()
    for picks in sets:
        table = joined(scene, lighting="Dusk", advantage=ALLIES)
        hold(table)
        facts = act(table, JAPAN, *picks)
        counts.add(hidden(facts))
        said.add(words(facts))

    # Each of the two ships has two picks; then Done, and the pause.
    assert {2 * 2 + 1 + 1 + 1} == counts
    assert {""} == said
    with pytest.raises(Unfinished):
        joined_at_orders(scene).decide(JAPAN, d.Fire("dd_jp11"))


def joined_at_orders(scene: str) -> Table:
    """Return a combat at its first fire orders."""
    table = joined(scene, advantage=ALLIES)
    hold(table)
    return table


def test_p29_2_b_orders_are_told_when_both_are_done() -> None:
    table = joined(battle(tfs=CRUISERS), 9, advantage=ALLIES)
    hold(table)
    act(table, JAPAN, d.Done())
    facts = act(table, ALLIES, *orders(("ca_us1", "ca_atago_takao", False)))

    assert [
        OrdersGiven(ALLIES, {"ca_us1": "ca_atago_takao"}, ()),
        OrdersGiven(JAPAN, {}, ()),
    ] == told(facts, OrdersGiven)


def test_p29_2_b_a_ship_fires_once_and_at_enemies_that_take_part() -> None:
    table = joined_at_orders(battle(tfs=BATTLE_LINE))

    with pytest.raises(Illegal):
        act(table, JAPAN, d.Fire("bb_hiei"))
    assert {"ca_us1", "dd_us1"} == {one.target for one in aims(table, JAPAN, "dd_jp11")}
    ahead = table.ahead(JAPAN, [d.Fire("dd_jp11"), d.At("ca_us1", False)])
    assert d.Fire("dd_jp11") not in options(ahead, JAPAN)


# c fire


def test_p29_2_c_the_advantage_player_first_ships_in_order_guns_then_torpedoes() -> None:
    tfs = [fleet("J1", "ca_atago_takao", "dd_jp11"), fleet("A1", "ca_us1", "dd_us1")]
    # Dusk, medium, May 1942. CA guns 6: 4 + 0 - 1; torpedoes 5: 4 - 1. DD guns 2: 2 - 1; torpedoes of the
    # Allies 3: 3 - 1 - 1.
    table = joined(battle(tfs=tfs), *[9] * 7, lighting="Dusk", advantage=JAPAN)
    hold(table)
    act(table, ALLIES, *orders(("dd_us1", "dd_jp11", True), ("ca_us1", "ca_atago_takao", False)))
    facts = act(table, JAPAN, *orders(("dd_jp11", "dd_us1", True), ("ca_atago_takao", "ca_us1", True)))

    assert [
        ("guns", "ca_us1", "column 3", 9),
        ("torpedoes", "ca_us1", "column 3", 9),
        ("guns", "dd_us1", "column 1", 9),
        ("torpedoes", "dd_us1", "column 3", 9),
        ("guns", "ca_atago_takao", "column 3", 9),
        ("guns", "dd_jp11", "column 1", 9),
        ("torpedoes", "dd_jp11", "column 1", 9),
    ] == rolls(facts)


@pytest.mark.parametrize(
    ("ship", "range_", "column"),
    [
        ("bb_hiei", "Day", 5),  # guns 8, column 5
        ("bb_hiei", "Dusk", 5),
        ("ca_chokai_maya", "Day", 3),  # guns 6, column 4
        ("ca_chokai_maya", "Dusk", 4),
        ("cl_sendai_yura", "Day", 1),  # guns 3, column 3
        ("cl_sendai_yura", "Dusk", 3),
        ("dd_jp11", "Day", -1),  # guns 2, column 2
        ("dd_jp11", "Dusk", 1),
        ("cvl_shoho", "Day", -2),  # guns 1, column 1
        ("cvl_shoho", "Dusk", 0),
    ],
)
def test_p29_2_c_the_range_table_of_guns(ship: str, range_: str, column: int) -> None:
    assert column == gun_column(ship, range_)


@pytest.mark.parametrize(
    ("ship", "column"),
    [
        ("bb_hiei", 6),
        ("ca_chokai_maya", 5),
        ("cl_sendai_yura", 4),
        ("dd_jp11", 3),
        ("cvl_shoho", 1),
    ],
)
def test_p29_2_c_the_range_table_of_guns_at_short_range(ship: str, column: int) -> None:
    assert column == gun_column(ship, "Dusk", d.Close())


def gun_column(ship: str, lighting: str, pick: Decision = HOLD) -> int:
    """Return the column with which a Japanese ship fires at destroyers, which have no gun defence."""
    ours = fleet("J1", core=[ship]) if ship.startswith(("bb", "cv")) else fleet("J1", ship)
    table = joined(battle(tfs=[ours, fleet("A1", "dd_us1")]), 9, lighting=lighting, advantage=ALLIES)
    ranges(table, pick, pick)
    act(table, ALLIES, d.Done())
    facts = act(table, JAPAN, *orders((ship, "dd_us1", False)))
    roll = next(one for one in facts if type(one).__name__ == "Rolled")
    base = {"bb": 5, "ca": 4, "cl": 3, "dd": 2, "cv": 1}[ship[:2]]
    shifted = base + sum(one.amount for one in roll.modifiers)  # type: ignore[attr-defined]
    assert roll.target.split(" at ")[0] == (f"column {shifted}" if shifted > 0 else "no column")  # type: ignore[attr-defined]
    return shifted


@pytest.mark.parametrize(
    ("month", "column"),
    # US CA: guns 6, column 4, short +1, Atago's defence 1; night guns -2, -1 from 1943-01, 0 from 1943-07.
    [("1942-05", 2), ("1943-01", 3), ("1943-07", 4)],
)
def test_p29_2_c_guns_at_night(month: str, column: int) -> None:
    table = joined(battle(month=month, tfs=CRUISERS), 9, lighting="Night", advantage=ALLIES, sure=(5, 5))
    hold(table)
    act(table, JAPAN, d.Done())
    facts = act(table, ALLIES, *orders(("ca_us1", "ca_atago_takao", False)))

    assert [("guns", "ca_atago_takao", f"column {column}", 9)] == rolls(facts)


@pytest.mark.parametrize(
    ("month", "lighting", "column"),
    [
        # DD, torpedoes 3, column 3, at a CL without air defence: -1 at medium range; ships' torpedoes of the
        # Allies -1, 0 from 1943-09; at Night the night gun shift -2, but not below -1.
        ("1942-05", "Dusk", 1),
        ("1943-09", "Dusk", 2),
        ("1942-05", "Night", 1),
        ("1943-09", "Night", 3),
    ],
)
def test_p29_2_c_torpedoes_by_range_date_and_night(month: str, lighting: str, column: int) -> None:
    tfs = [fleet("J1", "cl_sendai_yura"), fleet("A1", "dd_us1")]
    table = joined(battle(month=month, tfs=tfs), 9, 9, lighting=lighting, advantage=ALLIES, sure=(5, 4))
    hold(table)
    act(table, JAPAN, d.Done())
    facts = act(table, ALLIES, *orders(("dd_us1", "cl_sendai_yura", True)))

    assert ("torpedoes", "cl_sendai_yura", f"column {column}", 9) == rolls(facts)[1]


def test_p29_2_c_air_defence_protects_from_torpedoes_and_gun_defence_from_guns() -> None:
    tfs = [fleet("J1", "dd_jp11"), fleet("A1", "bb_arizona")]  # gun defence 3, air defence 1
    table = joined(battle(tfs=tfs), 9, 9, lighting="Dusk", advantage=ALLIES)
    hold(table)
    act(table, ALLIES, d.Done())
    facts = act(table, JAPAN, *orders(("dd_jp11", "bb_arizona", True)))

    # Guns 2 - 1 - 3; torpedoes 4 - 1 - 1.
    assert [("guns", "bb_arizona", "no column", 9), ("torpedoes", "bb_arizona", "column 2", 9)] == rolls(
        facts
    )


def test_p29_2_c_all_damage_counts_together_at_the_end() -> None:
    """Given two cruisers that cripple each other, when both have fired, then both did so with full guns."""
    tfs = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1")]
    # Dusk, closed to short: 4 + 1 - 1 = column 4: face 0 is 3 hits of 4, and neither was hurt before.
    table = joined(battle(tfs=tfs), 0, 0, lighting="Dusk", advantage=ALLIES)
    ranges(table, d.Close(), d.Close())
    act(table, ALLIES, *orders(("ca_us1", "ca_atago_takao", False)))
    facts = act(table, JAPAN, *orders(("ca_atago_takao", "ca_us1", False)))

    assert ["column 4", "column 4"] == [one[2] for one in rolls(facts)]
    assert 3 == table.state.own[JAPAN].ships["ca_atago_takao"].damage
    assert 3 == table.state.own[ALLIES].ships["ca_us1"].damage


def test_p29_2_c_crippled_ships_have_half_their_guns_and_torpedoes() -> None:
    table = joined(battle(tfs=CRUISERS), 9, 9, lighting="Dusk", advantage=ALLIES)
    change(table, JAPAN, {"ca_atago_takao": {"damage": 2}})
    ranges(table, d.Hold(), d.Hold())
    act(table, ALLIES, d.Done())
    facts = act(table, JAPAN, *orders(("ca_atago_takao", "ca_us1", True)))

    # Guns 3: 3 - 1; torpedoes 5 // 2 = 2: 2 - 1.
    assert ["column 2", "column 1"] == [one[2] for one in rolls(facts)]


# d surprise


def surprised(*dice: int, advantage: int = ALLIES) -> Table:
    """Return a combat at Dusk in which Japan has surprise."""
    tfs = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1", "dd_us1")]
    sure = (0, 9) if advantage == ALLIES else (9, 0)
    return joined(battle(tfs=tfs), *dice, lighting="Dusk", advantage=advantage, sure=sure)


def test_p29_2_a_d_both_pick_the_range_but_that_of_the_side_with_surprise_applies() -> None:
    table = surprised()
    assert [d.Close(), d.Hold(), d.OpenRange()] == options(table, JAPAN) == options(table, ALLIES)
    assert "his pick counts" in table.prompts[ALLIES].text
    facts = ranges(table, d.Close(), d.OpenRange())

    assert [] == rolls(facts)
    assert "Range: [side:0] closes, [side:1] open" in words(facts)
    assert table.state.open.naval is not None
    assert 0 == table.state.open.naval.range


def test_p29_2_d_p0_3_2_the_surprised_side_does_not_fire_but_is_asked() -> None:
    table = surprised(9)
    hold(table)

    assert [d.Done()] == options(table, ALLIES)
    assert "Surprise" in table.prompts[ALLIES].text
    facts = act(table, ALLIES, d.Done())
    assert 2 * 2 + 1 + 2 == hidden(facts)
    facts = act(table, JAPAN, *orders(("ca_atago_takao", "ca_us1", False)))
    assert 1 == len(rolls(facts))


def test_p29_2_d_in_phase_two_the_side_with_surprise_fires_first_and_its_damage_counts() -> None:
    # Phase 2, medium: Atago's guns 6: 4 - 1 = 3, face 0: 2 hits of 4, crippled; torpedoes 5: 4 - 1 = 3.
    # The Allies have the Advantage, but fire second: guns 3 (half): 3 - 1 = 2.
    table = surprised(0, 9, 9, 9)
    hold(table)
    cease(table)
    hold(table)
    act(table, ALLIES, *orders(("ca_us1", "ca_atago_takao", False), ("dd_us1", "ca_atago_takao", False)))
    facts = act(table, JAPAN, *orders(("ca_atago_takao", "ca_us1", True)))

    assert [
        ("guns", "ca_us1", "column 3", 0),
        ("torpedoes", "ca_us1", "column 3", 9),
        ("guns", "ca_atago_takao", "column 2", 9),
        ("guns", "ca_atago_takao", "no column", 9),
    ] == rolls(facts)


def test_p29_2_d_orders_of_and_against_sunk_ships_are_lost_in_phase_two() -> None:
    table = surprised(0, 0)
    change(table, ALLIES, {"ca_us1": {"damage": 1}})
    hold(table)
    cease(table)
    hold(table)
    act(table, ALLIES, *orders(("ca_us1", "ca_atago_takao", False)))
    # 3 - …: 2 hits by guns, and column 3, face 0: 2 by torpedoes: sunk before it fires.
    facts = act(table, JAPAN, *orders(("ca_atago_takao", "ca_us1", True)))

    assert "sunk" == table.state.open.lost["ca_us1"]
    assert 2 == len(rolls(facts))


def test_p29_2_d_in_phase_three_surprise_is_over() -> None:
    table = surprised(9, 9)
    for _ in range(2):
        hold(table)
        cease(table)
    hold(table)
    act(table, ALLIES, *orders(("ca_us1", "ca_atago_takao", False)))
    facts = act(table, JAPAN, *orders(("ca_atago_takao", "ca_us1", False)))

    assert ["ca_atago_takao", "ca_us1"] == [one[1] for one in rolls(facts)]


# who leaves


def to_the_end(tfs: list[dict[str, Any]], damage: dict[str, int], *, advantage: int = ALLIES) -> Table:
    """Return a combat after three phases without a shot."""
    table = joined(battle(tfs=tfs), advantage=advantage)
    for ship, hits in damage.items():
        change(table, ALLIES if "us" in ship else JAPAN, {ship: {"damage": hits}})
    for _ in range(3):
        hold(table)
        cease(table)
    return table


@pytest.mark.parametrize(
    ("damage", "advantage", "leaves"),
    [
        ({}, ALLIES, JAPAN),  # 6 and 6: the Disadvantage player
        ({}, JAPAN, ALLIES),
        ({"ca_atago_takao": 2}, JAPAN, JAPAN),  # crippled, it counts nothing
        ({"ca_us1": 1}, JAPAN, ALLIES),  # uncrippled, it counts in full
        ({"ca_us1": 2}, ALLIES, ALLIES),
    ],
)
def test_p29_2_4_the_side_with_less_guns_of_uncrippled_ships_retreats(
    damage: dict[str, int], advantage: int, leaves: int
) -> None:
    table = to_the_end(CRUISERS, damage, advantage=advantage)

    assert {"RetreatTF"} == kinds(table, leaves)
    assert [] == options(table, 1 - leaves)


def test_p29_2_4_ships_that_did_not_fire_count_too() -> None:
    tfs = [fleet("J1", "dd_jp11", core=["cvl_shoho", "bb_hiei"]), fleet("A1", "ca_us1")]
    table = to_the_end(tfs, {}, advantage=JAPAN)  # 2 + 1 + 8 against 6

    assert {"RetreatTF"} == kinds(table, ALLIES)


def test_p29_2_the_prompts_say_where_things_stand() -> None:
    table = joined_at_orders(battle(tfs=CRUISERS))
    assert "Give fire orders at long range, both at once: choose a ship, or be done." == (
        table.prompts[JAPAN].text
    )
    ahead = table.ahead(ALLIES, [d.Fire("ca_us1")])
    assert "Choose the target of [ca_us1] at long range." == ahead.prompts[ALLIES].text
    held = table.ahead(
        JAPAN, [d.HoldFire(one.unit) for one in options(table, JAPAN) if isinstance(one, d.HoldFire)]
    )
    assert "No ship of yours is left that can fire at long range: be done." == held.prompts[JAPAN].text
    cease(table)
    assert "Phase 2 of 3, long range: close, hold or open it, or break off." == table.prompts[JAPAN].text

    table = joined(battle(tfs=CRUISERS), advantage=ALLIES)
    assert "Phase 1 of 3, long range: close, hold or open it." == table.prompts[JAPAN].text


def test_p29_2_4_what_decides_is_told() -> None:
    table = joined(battle(tfs=CRUISERS), advantage=ALLIES)
    for _ in range(2):
        hold(table)
        cease(table)
    hold(table)
    act(table, JAPAN, d.Done())

    assert "[side:0] retreats: the guns are 6 against 6" in words(act(table, ALLIES, d.Done()))
