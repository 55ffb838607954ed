"""P30.1 Demolition."""

from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war import decisions as d
from domain.pacific_war.demolition import Demolition
from tests.pacific_war.board import battle, change, options, table_at
from tests.pacific_war.clash import ALLIES, act, hidden, rolls

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
