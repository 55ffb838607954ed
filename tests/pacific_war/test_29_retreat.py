"""P29.2.5 Retreat from a naval combat."""

from domain.kernel.table import Table
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.battle.retreat import Retreat, ways
from domain.pacific_war.board.atlas import seaward
from domain.pacific_war.decisions import cycle as d
from tests.pacific_war.board import battle, kinds, options, table_at
from tests.pacific_war.clash import ALLIES, JAPAN, SEA, act, fleet, joined, words

CRUISERS = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1")]


def three_phases(table: Table) -> None:
    """Hold the range and the fire for three phases."""
    for _ in range(3):
        act(table, JAPAN, d.Hold())
        act(table, ALLIES, d.Hold())
        act(table, JAPAN, d.Done())
        act(table, ALLIES, d.Done())


def test_p29_2_5_to_an_adjacent_node_without_enemy_task_forces() -> None:
    tfs = [*CRUISERS, fleet("A2", "ca_us2", at="5542"), fleet("J2", "ca_chokai_maya", at="5544")]
    table = table_at(battle(tfs=tfs), Retreat(tfs=("J1",)))

    near = sorted(set(seaward(SEA)) - {"5542"})
    assert [d.RetreatTF("J1", node) for node in near] == options(table, JAPAN)
    assert "Choose where [J1] retreats to." == table.prompts[JAPAN].text
    act(table, JAPAN, d.RetreatTF("J1", "5544"))
    assert "5544" == table.state.open.tfs["J1"].node


def test_p29_2_5_to_any_adjacent_node_if_enemies_are_everywhere() -> None:
    ring = [fleet(f"A{n}", f"dd_us{n}", at=node) for n, node in enumerate(seaward(SEA), 1)]
    table = table_at(battle(tfs=[fleet("J1", "ca_atago_takao"), *ring]), Retreat(tfs=("J1",)))

    assert [d.RetreatTF("J1", node) for node in sorted(seaward(SEA))] == options(table, JAPAN)


def test_p29_2_5_to_each_coast_beside_it() -> None:
    """Given a task force off Milne Bay, then it may retreat to either of its coasts."""
    table = table_at(battle(tfs=[fleet("J1", "ca_atago_takao", at="4640")]), Retreat(tfs=()))

    assert {"4740a", "4740b"} <= {*ways(table.state.open, "J1")}
    assert sorted(seaward("4640")) == ways(table.state.open, "J1")


def test_p29_2_5_r_49_only_inside_the_area() -> None:
    # An area of the hexes 5722 and 5721 has one way out of 5722, one of 5722 alone has none.
    for lat, left in (((18.4, 21.5), ["5721"]), ((18.4, 20.0), [])):
        scene = battle(
            tfs=[fleet("J1", "ca_atago_takao", at="5722")], area={"lat": lat, "lon": (166.0, 167.5)}
        )
        table = table_at(scene, Retreat(tfs=()))
        assert left == ways(table.state.open, "J1")


def test_p29_2_5_r_49_who_has_no_room_stays() -> None:
    area = {"lat": (18.4, 20.0), "lon": (166.0, 167.5)}
    tfs = [fleet("J1", "ca_atago_takao", at="5722"), fleet("A1", "ca_us1", at="5722")]
    table = joined(battle(tfs=tfs, area=area, control={"JP": ["wake"]}), advantage=ALLIES)
    three_phases(table)

    assert "5722" == table.state.open.tfs["J1"].node
    assert table.state.open.naval is None
    assert {} == table.prompts


def test_p29_2_5_the_only_way_is_taken_without_a_question() -> None:
    area = {"lat": (18.4, 21.5), "lon": (166.0, 167.5)}
    tfs = [fleet("J1", "ca_atago_takao", at="5722"), fleet("A1", "ca_us1", at="5722")]
    table = joined(battle(tfs=tfs, area=area, control={"JP": ["wake"]}), advantage=ALLIES)
    three_phases(table)

    assert "5721" == table.state.open.tfs["J1"].node


def test_p29_2_5_task_force_by_task_force_in_order() -> None:
    tfs = [fleet("J2", "ca_atago_takao"), fleet("J1", "dd_jp11"), fleet("A1", "ca_us1", core=["bb_arizona"])]
    table = joined(battle(tfs=tfs), advantage=ALLIES)
    three_phases(table)

    assert {"J1"} == {one.tf for one in options(table, JAPAN)}  # type: ignore[attr-defined]
    act(table, JAPAN, d.RetreatTF("J1", "5542"))
    assert {"J2"} == {one.tf for one in options(table, JAPAN)}  # type: ignore[attr-defined]
    act(table, JAPAN, d.RetreatTF("J2", "5544"))
    assert table.state.open.naval is None


def test_p29_2_5_troops_aboard_go_with_their_ship_and_all_that_fought_are_detected() -> None:
    tfs = [
        fleet("J1", "dd_jp11", core=["aa_jp1"], cargo={"aa_jp1": ["jp_ichiki"]}),
        fleet("A1", "ca_us1"),
    ]
    table = joined(battle(tfs=tfs), advantage=ALLIES)
    three_phases(table)
    facts = act(table, JAPAN, d.RetreatTF("J1", "5542"))

    board = table.state.open
    assert {"aa_jp1": 3} == table.state.own[JAPAN].ground["jp_ichiki"].aboard
    assert board.tfs["J1"].detected
    assert board.tfs["A1"].detected
    assert "The combat is over" in words(facts)


def test_p29_2_5_r_63_no_second_combat_comes_of_it() -> None:
    """Given enemies all round, when J1 retreats onto one, then that node is not fought over."""
    ring = [fleet(f"A{n + 1}", f"dd_us{n}", at=node) for n, node in enumerate(seaward(SEA), 1)]
    table = joined(battle(tfs=[*CRUISERS, *ring]), advantage=ALLIES)
    three_phases(table)
    act(table, JAPAN, d.RetreatTF("J1", "5542"))

    assert {} == table.prompts
    assert table.state.open.naval is None


def test_p29_2_5_r_63_who_has_not_fought_fights_there_without_the_one_that_retreated() -> None:
    ring = [fleet(f"A{n + 1}", f"dd_us{n}", at=node) for n, node in enumerate(seaward(SEA), 1)]
    tfs = [*CRUISERS, *ring, fleet("J2", "ca_chokai_maya", at="5542")]
    table = table_at(battle(tfs=tfs), NavalBattles(), 5, 5, 5, 5, advantage=ALLIES)
    act(table, ALLIES, d.NextBattle(SEA))
    act(table, JAPAN, d.Engage())
    act(table, ALLIES, d.Engage())
    three_phases(table)
    act(table, JAPAN, d.RetreatTF("J1", "5542"))
    act(table, JAPAN, d.Engage())
    act(table, ALLIES, d.Engage())

    assert table.state.open.naval is not None
    assert ("J2",) == table.state.open.naval.forces[JAPAN]


def test_p29_2_5_there_is_one_combat_on_a_node_and_cycle() -> None:
    table = table_at(battle(tfs=CRUISERS), NavalBattles(), advantage=ALLIES)
    act(table, JAPAN, d.Evade())
    act(table, ALLIES, d.Evade())

    assert {} == table.prompts


def test_p2_2_2_those_that_fought_may_reorganise_afterwards_the_advantage_player_first() -> None:
    tfs = [
        fleet("J1", "ca_atago_takao", "dd_jp11"),
        fleet("A1", "ca_us1", core=["bb_arizona"]),
        fleet("A2", "ca_us2"),
    ]
    table = joined(battle(tfs=tfs), advantage=ALLIES)
    three_phases(table)
    act(table, JAPAN, d.RetreatTF("J1", "5542"))

    assert "2.2.2" == table.prompts[ALLIES].rule
    assert {"TransferShip", "NewTF", "Done"} == kinds(table, ALLIES)
    act(table, ALLIES, d.Done())
    assert "2.2.2" == table.prompts[JAPAN].rule
    act(table, JAPAN, d.Done())
    assert {} == table.prompts
