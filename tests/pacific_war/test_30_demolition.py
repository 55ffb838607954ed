"""P30.1 Demolition."""

from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.demolition import Demolition
from domain.pacific_war.decisions import cycle as d
from tests.pacific_war.board import battle, change, options, table_at, take
from tests.pacific_war.clash import ALLIES, act, hidden, rolls
from tests.pacific_war.operations import GONE, at, led

US = "us_24div"
"""A division of troop quality 6."""


def moresby(*dice: int, ground: list[dict[str, Any]] | None = None, **more: Any) -> Table:
    """Return a table on which the Allies may demolish at Port Moresby, port 2, airbase 2, Japan at Lae."""
    units = ground or [{"id": US, "hex": "port_moresby", "steps": 3}, {"id": "jp_ssd", "hex": "lae"}]
    scene = battle(control={"AL": ["port_moresby"], "JP": ["lae"]}, ground=units, **more)
    return table_at(scene, Demolition(side=ALLIES), *dice)


def test_p30_1_the_own_airbase_and_port_with_enemies_adjacent() -> None:
    table = moresby()

    assert [d.Demolish(US, "airbase"), d.Demolish(US, "port"), d.Pass()] == options(table, ALLIES)


def test_p30_1_with_enemies_in_the_hex() -> None:
    table = moresby(ground=[{"id": US, "hex": "port_moresby"}, {"id": "jp_ssd", "hex": "port_moresby"}])

    assert [d.Demolish(US, "airbase"), d.Demolish(US, "port"), d.Pass()] == options(table, ALLIES)


def test_p30_1_adjacent_is_adjacent_though_no_land_joins_the_hexes() -> None:
    scene = battle(
        control={"AL": ["rabaul"], "JP": ["kavieng"]},
        ground=[{"id": US, "hex": "rabaul"}, {"id": "jp_ssd", "hex": "kavieng"}],
    )
    table = table_at(scene, Demolition(side=ALLIES))

    assert d.Demolish(US, "port") in options(table, ALLIES)  # 4837 and 4736, with a strait between


@pytest.mark.parametrize(
    "ground",
    [
        [{"id": US, "hex": "port_moresby"}, {"id": "jp_ssd", "hex": "madang"}],
        [{"id": "jp_ssd", "hex": "lae"}],
        [{"id": US, "hex": "port_moresby"}],
    ],
)
def test_p30_1_not_without_enemies_near_and_own_units_there(ground: list[dict[str, Any]]) -> None:
    assert {} == moresby(ground=ground).prompts


def test_p30_1_not_a_base_that_the_enemy_controls() -> None:
    units = [{"id": US, "hex": "lae"}, {"id": "jp_ssd", "hex": "lae"}]

    assert {} == moresby(ground=units).prompts


def test_p30_1_p2_2_4_a_broken_unit_may_not_an_inactive_one_may() -> None:
    table = moresby()
    change(table, ALLIES, {US: {"active": False}})
    assert d.Demolish(US, "port") in options(table, ALLIES)

    change(table, ALLIES, {US: {"active": False, "broken": True}})
    assert [d.Pass()] == options(table, ALLIES)  # who is Broken is a secret, so the question stands


@pytest.mark.parametrize(("face", "size"), [(6, 1), (7, 2), (0, 1), (9, 2)])
def test_p30_1_at_most_the_troop_quality_takes_one_off_the_size(face: int, size: int) -> None:
    for what in ("airbase", "port"):
        table = moresby(face)
        facts = act(table, ALLIES, d.Demolish(US, what))

        assert [("demolition", US, "6 or less", face)] == rolls(facts)
        assert size == getattr(table.state.open.bases["port_moresby"], what)


def test_p30_1_an_engineer_takes_two() -> None:
    units = [{"id": "au_eng", "hex": "port_moresby"}, {"id": "jp_ssd", "hex": "lae"}]
    table = moresby(4, ground=units)
    act(table, ALLIES, d.Demolish("au_eng", "airbase"))

    assert 0 == table.state.open.bases["port_moresby"].airbase


def test_p30_1_the_size_is_never_below_0_and_damage_never_above_it() -> None:
    units = [{"id": "au_eng", "hex": "port_moresby"}, {"id": "jp_ssd", "hex": "lae"}]
    table = moresby(4, ground=units, bases={"port_moresby": {"port": 1, "airbase": 3}})
    table.state.open.bases["port_moresby"] = type(table.state.open.bases["port_moresby"])(
        ALLIES, port=1, airbase=3, airbase_damage=3
    )
    act(table, ALLIES, d.Demolish("au_eng", "airbase"))

    base = table.state.open.bases["port_moresby"]
    assert (1, 1) == (base.airbase, base.airbase_damage)

    table = moresby(4, ground=units, bases={"port_moresby": {"port": 1}})
    act(table, ALLIES, d.Demolish("au_eng", "port"))
    assert 0 == table.state.open.bases["port_moresby"].port


def test_p30_1_one_try_for_each_unit_and_phase_until_you_pass() -> None:
    units = [
        {"id": US, "hex": "port_moresby"},
        {"id": "au_30bde", "hex": "port_moresby"},
        {"id": "jp_ssd", "hex": "lae"},
    ]
    table = moresby(9, 9, ground=units)
    act(table, ALLIES, d.Demolish(US, "port"))
    assert [d.Demolish("au_30bde", "airbase"), d.Demolish("au_30bde", "port"), d.Pass()] == options(
        table, ALLIES
    )
    act(table, ALLIES, d.Demolish("au_30bde", "port"))
    act(table, ALLIES, d.Pass())
    assert {} == table.prompts


@pytest.mark.parametrize(
    ("unit", "face", "damage"), [("us_24div", 6, 1), ("au_eng", 4, 2), ("us_24div", 7, 0)]
)
def test_p30_1_p2_3_5_an_intact_resource_hex(unit: str, face: int, damage: int) -> None:
    scene = battle(
        control={"AL": ["palembang"]},
        ground=[{"id": unit, "hex": "palembang"}, {"id": "jp_ssd", "hex": "palembang"}],
    )
    table = table_at(scene, Demolition(side=ALLIES), face)
    assert [d.Demolish(unit, "airbase"), d.Demolish(unit, "port"), d.Demolish(unit, "resource")] == options(
        table, ALLIES
    )[:3]
    act(table, ALLIES, d.Demolish(unit, "resource"))

    assert damage == table.state.open.bases["palembang"].resource_damage


def test_p30_1_p2_3_5_a_damaged_resource_hex_is_no_object() -> None:
    scene = battle(
        control={"AL": ["palembang"]},
        ground=[
            {"id": US, "hex": "palembang"},
            {"id": "au_30bde", "hex": "palembang"},
            {"id": "jp_ssd", "hex": "palembang"},
        ],
    )
    table = table_at(scene, Demolition(side=ALLIES), 0)
    act(table, ALLIES, d.Demolish(US, "resource"))

    assert [d.Demolish("au_30bde", "airbase"), d.Demolish("au_30bde", "port"), d.Pass()] == options(
        table, ALLIES
    )


def test_p30_1_p0_4_1_who_demolishes_is_public() -> None:
    table = moresby(9)
    assert {} == table.state.open.ground
    act(table, ALLIES, d.Demolish(US, "port"))

    assert {US} == table.state.open.ground.keys()


def test_p5_2_g_to_pass_is_the_same_for_others_whoever_is_broken() -> None:
    sound, broken = moresby(), moresby()
    change(broken, ALLIES, {US: {"broken": True, "active": False}})

    assert hidden(act(sound, ALLIES, d.Pass())) == hidden(act(broken, ALLIES, d.Pass()))


# support bases and Submarine Commands


QUIET: dict[str, dict[str, Any]] = {"jp_ssd": GONE, "jp_mid2c": GONE}
"""So that nobody is beside Port Moresby."""
OWN_MARKERS: dict[str, Any] = {"osb": True, "command": True}


def marked(place: str, unit: str, *dice: int, enemies: str = "", **base: Any) -> Table:
    """Return C1 at the demolition of the Allies, with a unit of theirs at a place that has markers."""
    units = QUIET | {unit: {"at": place}} | ({enemies: {"at": place}} if enemies else {})
    return at(Demolition(side=ALLIES), *dice, bases={place: base}, units=units, operation=led())


def test_p30_1_a_an_own_support_base_and_submarine_command_with_enemies_near() -> None:
    table = marked("milne_bay", "us_147", enemies="jp_kure5", **OWN_MARKERS)
    objects = [
        one.what for one in options(table, ALLIES) if isinstance(one, d.Demolish) and one.unit == "us_147"
    ]

    assert ["airbase", "port", "osb", "command"] == objects
    alone = marked("milne_bay", "us_147", **OWN_MARKERS)
    assert {} == alone.prompts


@pytest.mark.parametrize(("what", "left"), [("osb", (False, True)), ("command", (True, False))])
@pytest.mark.parametrize(("face", "falls"), [(5, True), (6, False)])
def test_p30_1_a_at_most_the_troop_quality_eliminates_it(
    what: d.Object, left: tuple[bool, bool], face: int, falls: bool
) -> None:
    table = marked("milne_bay", "us_147", face, enemies="jp_kure5", **OWN_MARKERS)
    take(table, ALLIES, d.Demolish("us_147", what))

    base = table.state.open.bases["milne_bay"]
    assert (left if falls else (True, True)) == (base.osb, base.command)
    assert (1, 1) == (base.airbase, base.port)


def test_p30_1_b_those_of_the_enemy_where_he_has_no_ground_unit() -> None:
    """Given Allied troops that have come to Shortland, in the phase before it changes hands."""
    table = marked("shortland", "us_raider", 8)

    assert [d.Demolish("us_raider", "osb"), d.Pass()] == options(table, ALLIES)
    facts = take(table, ALLIES, d.Demolish("us_raider", "osb"))
    base = table.state.open.bases["shortland"]
    assert (0, False, 2, 1) == (base.control, base.osb, base.port, base.airbase)
    assert [("demolition", "us_raider", "8 or less", 8)] == rolls(facts)
    assert "us_raider" in table.state.open.ground
    assert {} == table.prompts


def test_p30_1_b_a_submarine_command_too() -> None:
    table = marked("shortland", "us_raider", 9, osb=False, command=True)
    take(table, ALLIES, d.Demolish("us_raider", "command"))

    assert table.state.open.bases["shortland"].command


def test_p30_1_b_not_with_an_enemy_ground_unit_in_the_hex() -> None:
    assert {} == marked("shortland", "us_raider", enemies="jp_kure5").prompts


def test_p30_1_b_not_another_installation_nor_from_beside_it() -> None:
    assert {} == marked("shortland", "us_raider", osb=False).prompts
    beside = at(Demolition(side=ALLIES), units=QUIET | {"us_raider": {"hex": "5040"}}, operation=led())
    assert {} == beside.prompts


def test_p30_1_b_a_broken_unit_may_not_and_is_asked_all_the_same() -> None:
    table = marked("shortland", "us_raider")
    change(table, ALLIES, {"us_raider": {"broken": True}})

    assert [d.Pass()] == options(table, ALLIES)


def test_p30_1_what_is_blown_up_is_said_in_words() -> None:
    assert "[us_raider] blows up the support base" == d.Demolish("us_raider", "osb").words()
    assert "[us_raider] blows up the Submarine Command" == d.Demolish("us_raider", "command").words()
    assert "[us_raider] blows up the port" == d.Demolish("us_raider", "port").words()
