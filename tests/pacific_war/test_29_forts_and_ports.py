"""P29.1.3 Forts and inactive ships in naval combat (R-74)."""

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import CycleBegan
from tests.pacific_war.board import again_at, battle, options, table_at
from tests.pacific_war.clash import ALLIES, JAPAN, act, fleet, orders, rolls

FORT = "fort:wake"


def wake(*dice: int, level: int = 1, lighting: str = "Dusk", ships: tuple[str, ...] = ("bb_hiei",)) -> Table:
    """Return a combat of Japanese ships with the Allied fort of Wake Island, after the range pick."""
    core = [ship for ship in ships if ship.startswith("bb")]
    screen = [ship for ship in ships if not ship.startswith("bb")]
    scene = battle(
        control={"AL": ["wake"]},
        bases={"wake": {"fort": level}},
        tfs=[fleet("J1", *screen, core=core, at="5722")],
    )
    table = table_at(scene, NavalBattles(), 2, 5, *dice, lighting=lighting, advantage=JAPAN)  # type: ignore[arg-type]
    act(table, JAPAN, d.Engage())
    act(table, JAPAN, d.Hold())
    return table


def fort(table: Table) -> tuple[int, bool]:
    """Return the level of the fort, and whether a hit waits for its pair."""
    base = table.state.open.bases["wake"]
    return base.fort, base.fort_hit


@pytest.mark.parametrize(
    ("level", "face", "left"),
    # Battleship, guns 8, column 5; medium range 0; less the fort's gun defence of 1: column 4.
    # Face 0: 3 hits; 1, 2: 2 hits; 3 to 6: 1 hit; 7 and more: none.
    [
        (1, 2, (0, False)),
        (1, 3, (1, True)),
        (1, 7, (1, False)),
        (2, 0, (1, True)),
        (2, 1, (1, False)),
        (2, 6, (2, True)),
    ],
)
def test_p29_1_3_every_two_hits_lower_the_fort_and_an_odd_one_is_kept(
    level: int, face: int, left: tuple[int, bool]
) -> None:
    table = wake(face, level=level)
    act(table, ALLIES, d.Done())
    facts = act(table, JAPAN, *orders(("bb_hiei", FORT, False)))

    assert ("guns", FORT, "column 4", face) == rolls(facts)[0]
    assert left == fort(table)


def test_p29_1_3_r_74_the_odd_hit_finds_its_pair_in_the_next_phase() -> None:
    table = wake(3, 3)
    act(table, ALLIES, d.Done())
    act(table, JAPAN, *orders(("bb_hiei", FORT, False)))
    assert (1, True) == fort(table)
    act(table, JAPAN, d.Hold())
    act(table, ALLIES, d.Done())
    act(table, JAPAN, *orders(("bb_hiei", FORT, False)))

    assert (0, False) == fort(table)
    assert table.state.open.naval is None  # nobody is left to fight


def test_p29_1_3_r_74_the_odd_hit_is_gone_with_the_cycle() -> None:
    table = wake(3)
    act(table, ALLIES, d.Done())
    act(table, JAPAN, *orders(("bb_hiei", FORT, False)))
    assert (1, True) == fort(table)

    table.record(CycleBegan(2))
    assert (1, False) == fort(table)


def test_p29_1_3_r_74_hits_of_a_volley_are_added_up() -> None:
    table = wake(2, 2, ships=("bb_hiei", "bb_kirishima"))
    act(table, ALLIES, d.Done())
    act(table, JAPAN, *orders(("bb_hiei", FORT, False), ("bb_kirishima", FORT, False)))

    assert (0, False) == fort(table)


@pytest.mark.parametrize(
    ("level", "lighting", "column"),
    # Guns 3 a level, not halved; the row of others: -3 long, -1 medium, 0 short; Hiei's gun defence 2.
    # At Night the night guns of the Allies, -2 in May 1942.
    [
        (1, "Dusk", 3 - 1 - 2),
        (2, "Dusk", 4 - 1 - 2),
        (3, "Dusk", 5 - 1 - 2),
        (3, "Day", 5 - 3 - 2),
        (3, "Night", 5 + 0 - 2 - 2),
    ],
)
def test_p29_1_3_r_74_the_guns_of_a_fort(level: int, lighting: str, column: int) -> None:
    table = wake(9, level=level, lighting=lighting)
    act(table, ALLIES, *orders((FORT, "bb_hiei", False)))
    facts = act(table, JAPAN, d.Done())

    told = f"column {column}" if column > 0 else "no column"
    assert [("guns", "bb_hiei", told, 9)] == rolls(facts)


def test_p29_1_3_r_74_no_torpedoes_at_a_fort_and_none_from_it() -> None:
    table = wake(ships=("dd_jp11",))

    ahead = table.ahead(JAPAN, [d.Fire("dd_jp11")])
    assert [d.At(FORT, False)] == options(ahead, JAPAN)
    ahead = table.ahead(ALLIES, [d.Fire(FORT)])
    assert [d.At("dd_jp11", False)] == options(ahead, ALLIES)


def test_p29_1_3_the_fort_alone_is_fought_in_every_phase() -> None:
    table = wake(9)
    for _ in range(3):
        assert [d.Fire(FORT), d.HoldFire(FORT), d.Done()] == options(table, ALLIES)
        act(table, ALLIES, d.Done())
        act(table, JAPAN, d.Done())
        if options(table, JAPAN):
            act(table, JAPAN, d.Hold())

    assert table.state.open.naval is None
    assert "5722" == table.state.open.tfs["J1"].node
    assert (1, False) == fort(table)


def rabaul(*dice: int, ships: tuple[str, ...], lighting: str = "Dusk", damage: int = 0) -> Table:
    """Return a combat of an Allied cruiser with inactive ships at Rabaul, after the range pick."""
    scene = battle(
        control={"JP": ["rabaul"]},
        naval=[{"at": "rabaul", "side": "JP", "units": ships}],
        tfs=[fleet("A1", "ca_us1", at="4837")],
    )
    table = table_at(scene, NavalBattles(), lighting=lighting, advantage=JAPAN)  # type: ignore[arg-type]
    own = table.state.own[JAPAN]
    for ship in ships:
        own.ships[ship] = type(own.ships[ship])(port="rabaul", active=False, damage=damage)
    table = again_at(table, NavalBattles(), 5, 5, *dice)
    act(table, ALLIES, d.Engage())
    act(table, ALLIES, d.Hold())
    return table


@pytest.mark.parametrize(
    ("damage", "column"),
    [
        (0, 3 - 1),  # guns 6, in port 3: column 3; New Orleans-Minneapolis has gun defence 1
        (2, 1 - 1),  # crippled 3, in port 1
    ],
)
def test_p29_1_3_inactive_ships_have_half_their_guns_and_no_torpedoes(damage: int, column: int) -> None:
    table = rabaul(9, ships=("ca_chokai_maya",), damage=damage)
    ahead = table.ahead(JAPAN, [d.Fire("ca_chokai_maya")])
    assert [d.At("ca_us1", False)] == options(ahead, JAPAN)
    act(table, ALLIES, d.Done())
    facts = act(table, JAPAN, *orders(("ca_chokai_maya", "ca_us1", False)))

    assert [("guns", "ca_us1", f"column {column}" if column > 0 else "no column", 9)] == rolls(facts)


def test_p29_1_3_a_ship_in_port_is_sunk_like_any_other() -> None:
    table = rabaul(0, ships=("cl_tenryu_yubari", "bb_hiei"), damage=2)
    act(table, JAPAN, d.Done())
    act(table, ALLIES, *orders(("ca_us1", "cl_tenryu_yubari", False)))

    assert "sunk" == table.state.open.lost["cl_tenryu_yubari"]
    assert "" == table.state.own[JAPAN].ships["cl_tenryu_yubari"].port
    assert ["rabaul"] == table.state.open.ports[JAPAN]


def test_p29_1_3_the_last_ship_in_port_is_sunk() -> None:
    table = rabaul(0, ships=("cl_tenryu_yubari",), damage=2)
    act(table, JAPAN, d.Done())
    act(table, ALLIES, *orders(("ca_us1", "cl_tenryu_yubari", False)))

    assert [] == table.state.open.ports[JAPAN]
    assert table.state.open.naval is None
    assert {} == table.prompts or "2.2.2" == table.prompts[ALLIES].rule


def test_e4_1_a_task_force_that_meets_the_fort_may_fight_it() -> None:
    table = table_at("E4", NavalBattles(), advantage=JAPAN)
    assert {} == table.prompts  # J1 is a hex away

    table = wake(level=1)
    assert table.state.open.tfs["J1"].fought
