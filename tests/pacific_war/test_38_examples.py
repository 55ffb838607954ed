"""P38 The worked examples, to the die."""

from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war import decisions as d
from domain.pacific_war.movement import Movement
from domain.pacific_war.naval import NavalBattles
from domain.pacific_war.strikes import AirMissions
from tests.pacific_war.board import again_at, battle, dice_left, options, table_at, take

JAPAN, ALLIES = 0, 1


def test_p38_3_search_and_carrier_strike_with_a_simultaneous_strike() -> None:
    """Given the fleets of 38.3, when both strike, then all falls as the example says."""
    scene = battle(
        month="1942-05",
        tfs=[
            {
                "id": "J1",
                "side": "JP",
                "hex": "5540",
                "core": ["cv_shokaku", "cv_zuikaku"],
                "screen": ["ca_myoko_haguro", "dd_jp27", "dd_jp7"],
            },
            {
                "id": "A1",
                "side": "AL",
                "hex": "5543",
                "core": ["cv_lexington", "cv_yorktown"],
                "screen": ["ca_us1", "ca_us2", "dd_us2", "dd_us4"],
            },
        ],
        air=[
            {"id": "cvg_lexington", "steps": 5, "level": 1},
            {"id": "cvg_yorktown", "steps": 6, "level": 1},
            {"id": "cvg_shokaku", "steps": 4, "level": 1},
            {"id": "cvg_zuikaku", "steps": 4, "level": 1},
        ],
    )
    table = table_at(scene, Movement(side=ALLIES), 5, advantage=ALLIES, detected=["A1"])
    take(table, ALLIES, d.CommitSearch("cvg_yorktown"))
    take(table, ALLIES, d.Done())
    assert table.state.open.tfs["J1"].detected
    assert 0 == dice_left(table)

    dice = (4, 7, 1, 5, 0, 8, 2, 6, 4, 1, 2, 6, 0)
    table = again_at(table, AirMissions(side=ALLIES), *dice)
    take(table, ALLIES, d.AssignCAP("cvg_lexington", 1), d.AssignCAP("cvg_yorktown", 1), d.Done())
    take(table, JAPAN, d.AssignCAP("cvg_shokaku", 1), d.AssignCAP("cvg_zuikaku", 1), d.Done())
    take(
        table,
        ALLIES,
        d.DeclareMission("strike_tf", "A1"),
        d.Target("J1"),
        d.AddSteps("cvg_lexington", "strike", 3),
        d.AddSteps("cvg_yorktown", "strike", 3),
        d.AddSteps("cvg_yorktown", "escort", 1),
        d.Done(),
    )
    take(
        table,
        JAPAN,
        d.SimultaneousStrike(),
        d.AddSteps("cvg_shokaku", "strike", 2),
        d.AddSteps("cvg_zuikaku", "strike", 2),
        d.AddSteps("cvg_zuikaku", "escort", 1),
        d.Done(),
    )
    take(
        table,
        ALLIES,
        d.AllotStrike("cvg_lexington", "cv_shokaku"),
        d.WithSteps(2),
        d.AllotStrike("cvg_yorktown", "cv_shokaku"),
        d.WithSteps(1),
        d.AllotStrike("cvg_yorktown", "cv_zuikaku"),
        d.WithSteps(2),
    )
    take(
        table,
        JAPAN,
        d.AllotStrike("cvg_shokaku", "cv_lexington"),
        d.WithSteps(1),
        d.AllotStrike("cvg_zuikaku", "cv_lexington"),
        d.WithSteps(1),
    )

    japan, allies = table.state.own
    assert 0 == dice_left(table)
    assert (3, 1) == (japan.ships["cv_shokaku"].damage, japan.ships["cv_zuikaku"].damage)
    assert "sunk" == table.state.open.lost["cv_lexington"]
    assert 0 == allies.air["cvg_lexington"].steps
    assert (6, 1) == (allies.air["cvg_yorktown"].steps, allies.air["cvg_yorktown"].cap)
    assert 0 == allies.air["cvg_yorktown"].ready
    assert (1, 1, "cv_shokaku") == (
        japan.air["cvg_shokaku"].steps,
        japan.air["cvg_shokaku"].ready,
        japan.air["cvg_shokaku"].home,
    )
    zuikaku = japan.air["cvg_zuikaku"]
    assert (3, 1, 0) == (zuikaku.steps, zuikaku.cap, zuikaku.ready)
    assert [4, 5] == table.state.open.steps_lost


def test_p38_4_naval_battle_over_three_phases() -> None:
    """Given the fleets of 38.4, when both engage, then the three phases fall as the example says."""
    scene = battle(
        month="1942-11",
        tfs=[
            {
                "id": "A1",
                "side": "AL",
                "hex": "5340",
                "core": ["bb_washington"],
                "screen": ["ca_us1", "dd_us15"],
            },
            {
                "id": "J1",
                "side": "JP",
                "hex": "5340",
                "core": ["bb_kirishima"],
                "screen": ["ca_atago_takao", "cl_sendai_yura", "dd_jp11"],
            },
        ],
    )
    dice = (5, 4, 7, 3)
    one = (2, 6, 4, 1, 3, 3, 7, 0)
    two = (0, 2, 4, 3, 2, 5, 5, 8, 1, 9)
    three = (1, 3, 4, 6, 5, 2, 8)
    table = table_at(
        scene,
        NavalBattles(),
        *dice,
        *one,
        *two,
        *three,
        lighting="Night",
        advantage=ALLIES,
        detected=["A1", "J1"],
    )
    take(table, ALLIES, d.Engage())
    take(table, JAPAN, d.Engage())
    take(table, ALLIES, d.OpenRange())
    take(table, JAPAN, d.Hold())
    fire(table, ALLIES, ("ca_us1", "ca_atago_takao", False), ("dd_us15", "cl_sendai_yura", True))
    fire(
        table,
        JAPAN,
        ("ca_atago_takao", "ca_us1", True),
        ("cl_sendai_yura", "dd_us15", False),
        ("dd_jp11", "ca_us1", True),
    )
    assert 3 == table.state.open.ships["ca_us1"].damage
    take(table, ALLIES, d.Hold())
    take(table, JAPAN, d.Close())
    fire(
        table,
        ALLIES,
        ("bb_washington", "bb_kirishima", False),
        ("ca_us1", "ca_atago_takao", False),
        ("dd_us15", "dd_jp11", False),
    )
    fire(
        table,
        JAPAN,
        ("bb_kirishima", "bb_washington", False),
        ("ca_atago_takao", "ca_us1", True),
        ("cl_sendai_yura", "dd_us15", True),
        ("dd_jp11", "bb_washington", True),
    )
    assert "sunk" == table.state.open.lost["ca_us1"]
    assert 2 == table.state.open.ships["bb_kirishima"].damage
    take(table, ALLIES, d.Hold())
    take(table, JAPAN, d.Hold())
    fire(table, ALLIES, ("bb_washington", "bb_kirishima", False), ("dd_us15", "dd_jp11", False))
    fire(
        table,
        JAPAN,
        ("bb_kirishima", "bb_washington", False),
        ("ca_atago_takao", "bb_washington", False),
        ("cl_sendai_yura", "bb_washington", True),
        ("dd_jp11", "bb_washington", False),
    )

    assert 0 == dice_left(table)
    assert 4 == table.state.open.ships["bb_kirishima"].damage
    assert 0 == table.state.open.ships["bb_washington"].damage
    assert {"RetreatTF"} == {type(one).__name__ for one in options(table, JAPAN)}


def fire(table: Table, side: int, *orders: tuple[str, str, bool]) -> None:
    """Give fire orders: ship, target, torpedoes."""
    picks: list[Decision] = []
    for ship, target, torpedoes in orders:
        picks += [d.Fire(ship), d.At(target, torpedoes)]
    take(table, side, *picks, d.Done())
