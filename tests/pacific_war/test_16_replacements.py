"""P16 Replacements: steps of each nation, levels, units raised anew, divisions; transports for assault."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import Rolled
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.ground import GroundCombats
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.board.charts import AIR, GROUND, LOCATIONS, OWNERS, PARTS
from domain.pacific_war.board.table import Air, Ground, Ship, free_lift
from domain.pacific_war.board.war import Post
from domain.pacific_war.decisions.cycle import Attack, Disembark, NoAttack
from domain.pacific_war.decisions.dispositions import (
    BreakDown,
    NewAirUnit,
    NewGroundUnit,
    OfSteps,
    RaiseLevel,
    RecombineGround,
    ReplaceAir,
    ReplaceGround,
    SwapLevels,
    To,
    UpgradeAA,
    With,
)
from domain.pacific_war.facts.cycle import There, UnitLost
from domain.pacific_war.months.replacements import air_purse, ground_purse, highest
from tests import seen
from tests.pacific_war.board import again_at, battle, change, table_at, told
from tests.pacific_war.campaign import (
    ALLIES,
    JAPAN,
    REPLACEMENTS,
    administration,
    after,
    alter,
    laid_out,
    of,
    through,
)
from tests.pacific_war.clash import act

NOBODY = {"hq_sopac": Post(), "hq_swpa": Post()}


def lists(side: int = ALLIES, **changes: Any) -> Table:
    """Return a table at the replacements of a side."""
    return administration(REPLACEMENTS, side, **changes)


def units(table: Table, kind: type[Any], side: int = ALLIES) -> list[str]:
    return [one.unit for one in of(table, side, kind)]


def steps(table: Table, side: int = ALLIES) -> dict[str, int]:
    left: dict[str, int] = table.state.own[side].means.steps
    return left


def air(table: Table, unit: str, side: int = ALLIES) -> tuple[int, int]:
    """Return steps and level of an air unit."""
    one = table.state.own[side].air[unit]
    return one.steps, one.level


def given(**left: int) -> dict[str, Any]:
    """Return what is left of the steps of the Allies: `US_1E=2`."""
    return {
        "entered": True,
        "means": {ALLIES: {"steps": {name.replace("_", ".", 1): n for name, n in left.items()}}},
    }


# P16.1


def test_p16_1_the_scenario_gives_steps_by_nation_and_kind() -> None:
    assert {"JP.1E": 3, "JP.2E": 2, "JP.CVG": 1, "JP.LRA": 1, "JP.ground": 2} == steps(lists(JAPAN), JAPAN)
    assert {
        "US.1E": 4,
        "US.2E": 2,
        "US.4E": 1,
        "US.CVG": 3,
        "US.LRA": 1,
        "US.ground": 3,
        "CW.any_air": 1,
        "CW.ground": 2,
    } == steps(lists())


def test_p16_1_unused_steps_are_lost() -> None:
    table = lists()
    act(table, ALLIES, ReplaceAir("us_4e_11bg"))
    through(table, ALLIES)
    table.state.stack = []

    assert 1 == steps(lists(table=table, month="1942-09"))["US.4E"]


@pytest.mark.parametrize(
    ("unit", "purse"),
    [
        ("jn_1e_25af", "JP.1E"),
        ("us_lra_sopac", "US.LRA"),
        ("cvg_wasp", "US.CVG"),
        ("us_tr_1", "US.TR"),
        ("cw_2e_nz", "CW.any_air"),
        ("cw_lra_raaf", "CW.any_air"),
    ],
)
def test_p16_1_an_air_unit_draws_on_the_steps_of_its_nation_and_kind(unit: str, purse: str) -> None:
    assert purse == air_purse(unit)


def test_p16_1_the_dutch_and_the_chinese_draw_on_the_steps_of_the_commonwealth() -> None:
    board = laid_out().state.open
    for nation, name in (("JP", "JP"), ("US", "US"), ("CW", "CW"), ("NL", "CW"), ("CN", "CW")):
        unit = next((unit for unit, one in GROUND.items() if one.nat == nation), "")
        assert not unit or f"{name}.ground" == ground_purse(board, unit)
    dutch = next(unit for unit, one in AIR.items() if one.nat == "NL")
    assert "CW.any_air" == air_purse(dutch)


def test_p16_1_a_kind_without_an_entry_gets_none() -> None:
    """Given American transport aircraft below their most steps, then C1 has no steps for them."""
    table = lists(units={"us_tr_1": Air("brisbane", 2, 1, active=False)})

    assert "us_tr_1" not in units(table, ReplaceAir)
    assert "us_1e_35fg" in units(table, ReplaceAir)


# P16.2, P16.3


def test_p16_2_a_step_for_an_air_unit_costs_one_of_its_kind() -> None:
    table = lists()
    facts = act(table, ALLIES, ReplaceAir("us_1e_49fg"))

    assert ((5, 1), 3) == (air(table, "us_1e_49fg"), steps(table)["US.1E"])
    assert [] == [fact for fact in facts if fact.audience().name == "ALL"]


def test_p16_2_no_more_than_are_left() -> None:
    table = lists()
    act(table, ALLIES, ReplaceAir("us_4e_11bg"))

    assert not {"us_4e_11bg", "us_4e_43bg"} & set(units(table, ReplaceAir))


@pytest.mark.parametrize(
    "state",
    [
        {"active": True},
        {"steps": 6},  # the most it can have
        {"steps": 0, "home": ""},
        {"home": "guadalcanal"},
    ],
)
def test_p16_2_an_inactive_unit_at_a_linked_airbase_below_its_most_steps(state: dict[str, Any]) -> None:
    assert "us_1e_49fg" in units(lists(), ReplaceAir)

    assert "us_1e_49fg" not in units(lists(units={"us_1e_49fg": state}), ReplaceAir)


def test_p16_2_the_airbase_or_the_port_of_the_carrier_is_linked() -> None:
    hurt: dict[str, Mapping[str, Any]] = {"cvg_wasp": {"steps": 3}}
    assert {"cvg_wasp", "us_1e_49fg"} <= set(units(lists(units=hurt), ReplaceAir))

    assert [] == units(lists(units=hurt, posts=NOBODY), ReplaceAir)
    away = lists(units=hurt | {"cv_wasp": {"port": ""}})  # in the Penalty box
    assert "cvg_wasp" not in units(away, ReplaceAir)


def test_p16_2_at_most_3_steps_a_unit() -> None:
    table = lists(units={"us_1e_49fg": {"steps": 2}}, **given(US_1E=9))
    for _ in range(3):
        act(table, ALLIES, ReplaceAir("us_1e_49fg"))

    assert 5 == air(table, "us_1e_49fg")[0]
    assert "us_1e_49fg" not in units(table, ReplaceAir)


@pytest.mark.parametrize(
    ("had", "level", "got", "after_it"),
    [(2, 1, 2, 1), (2, 1, 3, 0), (1, 2, 1, 2), (1, 2, 2, 1), (1, 2, 3, 1), (1, 0, 3, 0)],
)
def test_p16_3_p16_3_1_more_than_it_had_cost_a_level(had: int, level: int, got: int, after_it: int) -> None:
    table = lists(units={"us_1e_49fg": {"steps": had, "level": level}}, **given(US_1E=9))
    for _ in range(got):
        act(table, ALLIES, ReplaceAir("us_1e_49fg"))

    assert (had + got, after_it) == air(table, "us_1e_49fg")


def test_p16_3_2_a_carrier_group_takes_carrier_steps_alone_and_no_more_than_its_deck_holds() -> None:
    hurt = {"cvg_wasp": {"steps": 4}, "cvg_saratoga": {"steps": 4}}
    assert [] == [
        unit for unit in units(lists(units=hurt, **given(US_1E=9, US_2E=9)), ReplaceAir) if "cvg" in unit
    ]
    table = lists(units=hurt, **given(US_CVG=9))
    assert ["cvg_saratoga", "cvg_wasp"] == units(table, ReplaceAir)

    guests = {"cvg_enterprise": {"home": "cv_wasp", "steps": 2}}
    assert ["cvg_saratoga"] == units(lists(units=hurt | guests, **given(US_CVG=9)), ReplaceAir)


# P16.3.3


LOST = {"home": "", "steps": 0, "level": 2}


def test_p16_3_3_an_eliminated_unit_comes_back_with_1_to_3_steps_of_level_0() -> None:
    table = lists(units={"us_1e_35fg": LOST})
    assert ["us_1e_35fg"] == units(table, NewAirUnit)
    pick = NewAirUnit("us_1e_35fg")
    assert [To("brisbane"), To("townsville")] == [*after(table, ALLIES, pick)]
    assert [OfSteps(n) for n in (1, 2, 3)] == [*after(table, ALLIES, pick, To("brisbane"))]
    facts = act(table, ALLIES, pick, To("brisbane"), OfSteps(2))

    assert Air("brisbane", 2, 0, active=False) == table.state.own[ALLIES].air["us_1e_35fg"]
    assert 2 == steps(table)["US.1E"]
    assert [There("airfields", ALLIES, "brisbane", there=True)] == told(facts, There)
    assert [ReplaceAir("us_1e_35fg")] == [
        one for one in of(table, ALLIES, ReplaceAir) if one.unit == "us_1e_35fg"
    ]
    act(table, ALLIES, ReplaceAir("us_1e_35fg"))
    assert "us_1e_35fg" not in units(table, ReplaceAir)  # it has had 3 steps


def test_p16_3_3_no_more_steps_than_are_left() -> None:
    table = lists(units={"us_4e_11bg": LOST})

    assert [] == units(lists(units={"us_4e_11bg": LOST}, **given(US_1E=9)), NewAirUnit)
    act(table, ALLIES, NewAirUnit("us_4e_11bg"), To("townsville"))  # with the one step that there is
    assert Air("townsville", 1, 0, active=False) == table.state.own[ALLIES].air["us_4e_11bg"]


def test_p16_3_3_at_a_linked_airbase_of_size_3_with_room() -> None:
    for changes in (
        {"bases": {"brisbane": {"airbase": 2}, "townsville": {"airbase": 2}}},
        {"bases": {"brisbane": {"control": JAPAN}, "townsville": {"control": JAPAN}}},
        {"posts": NOBODY},
    ):
        assert [] == units(lists(units={"us_1e_35fg": LOST}, **changes), NewAirUnit)

    full = {"us_1e_35fg": LOST} | {
        unit: Air("brisbane", 1, 1, active=False)
        for unit, one in [*AIR.items()]
        if one.side == "AL" and not one.carrier and unit not in laid_out().state.own[ALLIES].air
    }
    crowded = lists(units=dict([*full.items()][:9]))
    assert 8 == sum(one.home == "brisbane" for one in crowded.state.own[ALLIES].air.values())
    act(crowded, ALLIES, NewAirUnit("us_1e_35fg"))  # Townsville is the one place
    assert {OfSteps(1)} < set(of(crowded, ALLIES, OfSteps))


def places_of(table: Table, side: int, unit: str) -> list[str]:
    """Return where a unit may be raised anew; it has a choice."""
    return [one.place for one in after(table, side, NewAirUnit(unit)) if isinstance(one, To)]


def test_p16_3_3_a_carrier_group_at_a_friendly_airbase_of_the_homeland_with_room() -> None:
    homeland = {place for place, one in LOCATIONS.items() if one.homeland and one.airbase}
    table = raised(JAPAN, "JP.CVG", units={"cvg_akagi": LOST}, bases={"kure": {"control": ALLIES}})

    assert homeland - {"kure"} == set(places_of(table, JAPAN, "cvg_akagi"))
    table = raised(JAPAN, "JP.1E", units={"jn_1e_23af": LOST})
    assert homeland < set(places_of(table, JAPAN, "jn_1e_23af"))  # and at large airbases elsewhere


def test_p16_3_3_an_allied_carrier_group_only_in_a_box_of_its_nation_others_there_too() -> None:
    boxes = ["aus_s", "chengtu", "uswc"]
    table = raised(ALLIES, "US.CVG", units={"cvg_lexington": LOST})
    assert boxes == places_of(table, ALLIES, "cvg_lexington")
    act(table, ALLIES, NewAirUnit("cvg_lexington"), To("uswc"), OfSteps(2))
    assert Air("uswc", 2, 0, active=False) == table.state.own[ALLIES].air["cvg_lexington"]

    found = places_of(raised(ALLIES, "US.1E", units={"us_1e_haw": LOST}), ALLIES, "us_1e_haw")
    assert {*boxes, "pearl_harbor"} <= set(found)
    assert "india_w" not in found


def test_p16_3_3_p2_3_2_only_in_a_box_with_room() -> None:
    """Given 8 air units in Chengtu and 19 on the West Coast, then there is room in the other two."""
    land = [unit.id for unit in AIR.values() if unit.nat == "US" and not unit.carrier][:27]
    full = dict.fromkeys(land[:8], Air("chengtu", 1, 1, active=False))
    full |= dict.fromkeys(land[8:], Air("uswc", 1, 1, active=False))
    table = raised(ALLIES, "US.CVG", units=full | {"cvg_lexington": LOST})

    assert ["aus_s", "uswc"] == places_of(table, ALLIES, "cvg_lexington")


def test_p16_3_3_no_carrier_group_without_a_homeland_or_a_box() -> None:
    assert [] == units(lists(units={"cvg_wasp": LOST}), NewAirUnit)


# P16.3.4, P16.5


def test_p16_3_4_a_level_costs_2_steps_of_its_kind_once_a_month() -> None:
    table = lists(units={"us_1e_67fs": {"level": 0}})
    act(table, ALLIES, RaiseLevel("us_1e_67fs"))

    assert ((2, 1), 2) == (air(table, "us_1e_67fs"), steps(table)["US.1E"])
    assert "us_1e_67fs" not in units(table, RaiseLevel)
    assert "us_1e_49fg" in units(table, RaiseLevel)
    act(table, ALLIES, ReplaceAir("us_1e_49fg"))
    assert not {"us_1e_49fg", "us_1e_35fg"} & set(units(table, RaiseLevel))  # 1 step is left


def test_p16_3_4_up_to_2() -> None:
    assert "jn_1e_25af" not in units(lists(JAPAN), RaiseLevel, JAPAN)  # it has 2

    assert "jn_2e_25af" in units(lists(JAPAN), RaiseLevel, JAPAN)


@pytest.mark.parametrize(("month", "japan"), [("1942-12", 2), ("1943-01", 1), ("1944-06", 1), ("1944-07", 0)])
def test_p16_3_4_japan_raises_less_from_1943_and_nothing_from_july_1944(month: str, japan: int) -> None:
    board = laid_out(month).state.open

    assert (japan, 2) == (highest(board, JAPAN), highest(board, ALLIES))


def test_p16_5_two_units_of_one_class_at_one_airbase_exchange_levels() -> None:
    same = {"us_1e_67fs": {"home": "townsville"}}
    table = lists(units=same)
    assert ["us_1e_49fg", "us_1e_67fs"] == units(table, SwapLevels)
    act(table, ALLIES, SwapLevels("us_1e_67fs"))  # with the one there is

    assert ((4, 0), (2, 1)) == (air(table, "us_1e_49fg"), air(table, "us_1e_67fs"))
    assert [] == units(table, SwapLevels)  # each once a month


def test_p16_5_there_may_be_a_choice_of_the_other() -> None:
    table = lists(units={"us_1e_67fs": {"home": "townsville"}, "us_1e_35fg": {"home": "townsville"}})

    assert [With("us_1e_35fg"), With("us_1e_49fg")] == [*after(table, ALLIES, SwapLevels("us_1e_67fs"))]
    assert "Choose the unit with which [us_1e_67fs] swaps levels." == (
        table.ahead(ALLIES, [SwapLevels("us_1e_67fs")]).prompts[ALLIES].text
    )


@pytest.mark.parametrize(
    "state",
    [
        {"home": "noumea"},
        {"home": "townsville", "level": 1},
        {"home": "townsville", "active": True},
    ],
)
def test_p16_5_not_elsewhere_not_of_the_same_level_not_activated(state: dict[str, Any]) -> None:
    assert [] == units(lists(units={"us_1e_67fs": state}), SwapLevels)


def test_p16_5_not_of_another_class() -> None:
    assert [] == units(lists(units={"us_2e_3bg": {"level": 0}}), SwapLevels)


# P16.4


def test_p16_4_a_step_for_a_ground_unit_broken_or_not() -> None:
    for broken in (False, True):
        table = lists(units={"us_2mar": {"steps": 1, "broken": broken}})
        act(table, ALLIES, ReplaceGround("us_2mar"))
        assert (2, broken) == _ground(table, "us_2mar")
        assert 2 == steps(table)["US.ground"]


def _ground(table: Table, unit: str) -> tuple[int, bool]:
    one = table.state.own[ALLIES].ground[unit]
    return one.steps, one.broken


def test_p16_4_at_most_2_a_unit() -> None:
    table = lists(units={"us_37div": {"steps": 4}})
    for _ in range(2):
        act(table, ALLIES, ReplaceGround("us_37div"))

    assert 6 == _ground(table, "us_37div")[0]
    assert 1 == steps(table)["US.ground"]
    assert "us_37div" not in units(table, ReplaceGround)


@pytest.mark.parametrize(
    "more",
    [
        {"units": {"us_2mar": {"steps": 1, "active": True}}},
        {"units": {"us_2mar": {"steps": 3}}},
        {"units": {"us_2mar": {"steps": 0, "hex": ""}}},
        {"units": {"us_2mar": {"steps": 1, "hex": "", "aboard": {"aa_us1": 1}}}},
        {"units": {"us_2mar": {"steps": 1}, "jp_engr3": {"hex": "6545"}}},
        {"units": {"us_2mar": {"steps": 1}}, "posts": NOBODY},
    ],
)
def test_p16_4_inactive_ashore_linked_and_not_among_enemies(more: dict[str, Any]) -> None:
    assert "us_2mar" in units(lists(units={"us_2mar": {"steps": 1}}), ReplaceGround)

    assert "us_2mar" not in units(lists(**more), ReplaceGround)


def test_p16_4_p2_7_the_hex_has_room() -> None:
    atoll = {"us_2mar": {"hex": "6639", "steps": 2}, "us_147": {"hex": "6639", "steps": 3}}
    assert "us_2mar" in units(lists(units=atoll | {"us_3db": {"hex": "6639"}}), ReplaceGround)

    full = atoll | {"us_37div": {"hex": "6639", "steps": 7}}
    assert "us_2mar" not in units(lists(units=full), ReplaceGround)


# P16.9


def test_p16_9_a_division_breaks_down_into_three_units() -> None:
    """Given 10 steps, then parts of 4, 3 and 3, as good as it was, in its hex; nobody else is told."""
    table = lists()
    facts = act(table, ALLIES, BreakDown("us_1mardiv"))

    own = table.state.own[ALLIES]
    assert [4, 3, 3] == [own.ground[part].steps for part in PARTS["us_1mardiv"]]
    assert {"6545"} == {own.ground[part].hex for part in PARTS["us_1mardiv"]}
    assert Ground(active=False) == own.ground["us_1mardiv"]
    part, whole = GROUND["us_1mardiv.a"], GROUND["us_1mardiv"]
    assert ("R", whole.tq, whole.flags, whole.nat) == (part.size, part.tq, part.flags, part.nat)
    assert [] == [fact for fact in facts if fact.audience().name == "ALL"]


@pytest.mark.parametrize(("whole", "parts"), [(3, [1, 1, 1]), (5, [2, 2, 1]), (7, [3, 2, 2])])
def test_p16_9_steps_are_shared_as_evenly_as_can_be_the_larger_first(whole: int, parts: list[int]) -> None:
    table = lists(units={"us_37div": {"steps": whole}})
    act(table, ALLIES, BreakDown("us_37div"))

    assert parts == [table.state.own[ALLIES].ground[part].steps for part in PARTS["us_37div"]]


@pytest.mark.parametrize(
    "state", [{"steps": 2}, {"broken": True}, {"active": True}, {"hex": "", "aboard": {"aa_us1": 9}}]
)
def test_p16_9_an_inactive_unbroken_division_of_3_steps(state: dict[str, Any]) -> None:
    assert "us_37div" in units(lists(), BreakDown)
    assert not {"us_2mar", "us_3db"} & set(units(lists(), BreakDown))

    assert "us_37div" not in units(lists(units={"us_37div": state}), BreakDown)


def test_p16_9_it_is_linked() -> None:
    assert [] == units(lists(posts=NOBODY), BreakDown)


def test_p16_9_all_living_parts_in_one_hex_make_the_division_again() -> None:
    table = lists()
    act(table, ALLIES, BreakDown("us_1mardiv"))
    assert [] == units(table, RecombineGround)  # one of the two a month
    table.state.stack = []
    alter(table, units={"us_1mardiv.b": {"steps": 0, "hex": ""}, "us_1mardiv.c": {"isolated": True}})

    table = lists(table=table)
    assert ["us_1mardiv"] == units(table, RecombineGround)
    facts = act(table, ALLIES, RecombineGround("us_1mardiv"))
    own = table.state.own[ALLIES]
    assert Ground("6545", steps=7, active=False, isolated=True) == own.ground["us_1mardiv"]
    assert [0, 0, 0] == [own.ground[part].steps for part in PARTS["us_1mardiv"]]
    assert [] == told(facts, UnitLost)
    assert "us_1mardiv" not in units(table, BreakDown)


@pytest.mark.parametrize("state", [{"hex": "5747"}, {"broken": True}, {"active": True}])
def test_p16_9_parts_that_are_apart_broken_or_activated_do_not(state: dict[str, Any]) -> None:
    table = lists()
    act(table, ALLIES, BreakDown("us_1mardiv"))
    table.state.stack = []

    assert [] == units(lists(table=table, units={"us_1mardiv.b": state}), RecombineGround)


def test_p16_9_p0_4_1_parts_among_enemies_are_public() -> None:
    table = lists(units={"jp_engr3": {"hex": "6545"}})
    act(table, ALLIES, BreakDown("us_1mardiv"))

    assert set(PARTS["us_1mardiv"]) <= table.state.open.ground.keys()


# P16.6

GONE: dict[str, Any] = {"hex": "", "steps": 0}


def raised(side: int, purse: str, left: int = 3, **changes: Any) -> Table:
    """Return the war of January 1942 at the replacements of a side, with ground steps left."""
    table = laid_out("1942-01", "S1")
    means = {side: {"steps": {purse: left}}}
    return administration(REPLACEMENTS, side, table=table, entered=True, means=means, **changes)


@pytest.mark.parametrize(
    ("side", "purse", "unit", "spot"),
    [
        (JAPAN, "JP.ground", "jp_ichiki", "7616"),
        (ALLIES, "US.ground", "us_24div", "uswc"),
        (ALLIES, "CW.ground", "cw_9ind", "india_w"),
    ],
)
def test_p16_6_an_eliminated_unit_comes_back_with_1_or_2_steps_that_are_paid(
    side: int, purse: str, unit: str, spot: str
) -> None:
    spot = LOCATIONS["tokyo"].hex if side == JAPAN else spot
    fallen = Ground(steps=0, broken=True, isolated=True)
    table = raised(side, purse, units={unit: fallen})
    assert [OfSteps(1), OfSteps(2)] == [*after(table, side, NewGroundUnit(unit))]
    act(table, side, NewGroundUnit(unit), OfSteps(2))

    ground = table.state.own[side].ground[unit]
    assert Ground(spot, steps=2, active=False) == ground
    assert {purse: 1} == steps(table, side)


def test_p16_6_one_for_each_side_and_month() -> None:
    table = raised(ALLIES, "US.ground", units={"us_24div": Ground(), "us_25div": Ground()})
    assert {"us_24div", "us_25div"} <= {one.unit for one in of(table, ALLIES, NewGroundUnit)}
    act(table, ALLIES, NewGroundUnit("us_24div"), OfSteps(1))

    assert [] == of(table, ALLIES, NewGroundUnit)
    through(table, ALLIES)
    table.state.stack = []
    table = administration(REPLACEMENTS, ALLIES, table=table, month="1942-02")
    assert NewGroundUnit("us_25div") in of(table, ALLIES, NewGroundUnit)


def test_p16_6_as_many_as_are_left_and_none_without_a_step() -> None:
    table = raised(ALLIES, "US.ground", 1, units={"us_24div": Ground()})
    act(table, ALLIES, NewGroundUnit("us_24div"))  # 1 step is all there is
    assert 1 == table.state.own[ALLIES].ground["us_24div"].steps

    table = raised(ALLIES, "US.1E", units={"us_24div": Ground()})
    assert [] == of(table, ALLIES, NewGroundUnit)


def test_p16_6_neither_engineers_nor_parachute_troops_nor_parts_of_a_division_nor_the_living() -> None:
    kinds = {flag: [u for u, one in GROUND.items() if flag in one.flags] for flag in ("engineer", "para")}
    gone = [unit for units in kinds.values() for unit in units] + [*PARTS["us_24div"]]
    for unit in gone:
        side = OWNERS[unit]
        purse = ground_purse(laid_out().state.open, unit)
        table = raised(side, purse, units={unit: Ground()})
        assert NewGroundUnit(unit) not in of(table, side, NewGroundUnit)

    table = raised(ALLIES, "US.ground", units={"us_24div": Ground(LOCATIONS["noumea"].hex, steps=1)})
    assert NewGroundUnit("us_24div") not in of(table, ALLIES, NewGroundUnit)


def test_p16_6_p16_9_a_division_that_is_broken_down_is_not_eliminated() -> None:
    part = PARTS["us_24div"][0]
    alive = {"us_24div": Ground(), part: Ground(LOCATIONS["noumea"].hex, steps=1, active=False)}
    table = raised(ALLIES, "US.ground", units=alive)
    assert NewGroundUnit("us_24div") not in of(table, ALLIES, NewGroundUnit)

    table = raised(ALLIES, "US.ground", units=alive | {part: Ground()})
    assert NewGroundUnit("us_24div") in of(table, ALLIES, NewGroundUnit)


@pytest.mark.parametrize(
    "change",
    [
        {"bases": {"tokyo": {"control": ALLIES}}},
        {"units": {"us_24div": Ground(LOCATIONS["tokyo"].hex, steps=1, active=False)}},
        {"units": {"jp_2div": Ground(LOCATIONS["tokyo"].hex, steps=99, active=False)}},
    ],
)
def test_p16_6_tokyo_is_friendly_has_room_and_no_enemy(change: dict[str, Any]) -> None:
    fallen = {"jp_ichiki": Ground()}
    assert of(raised(JAPAN, "JP.ground", units=fallen), JAPAN, NewGroundUnit)

    change = change | {"units": fallen | change.get("units", {})}
    assert [] == of(raised(JAPAN, "JP.ground", **change), JAPAN, NewGroundUnit)


def test_p16_6_not_where_neither_tokyo_nor_an_entry_port_is_in_play() -> None:
    """Given C1, whose area ends before Tokyo and before all entry ports, then nobody comes back."""
    for side, unit in ((JAPAN, "jp_ichiki"), (ALLIES, "us_1mardiv")):
        assert [] == of(lists(side, units={unit: GONE}), side, NewGroundUnit)


# P15.2.4

POINTS = {JAPAN: {"points": {"hq_cf": 20, "hq_sea": 5}}}


def test_p15_2_4_r_29_japan_fits_transports_out_for_assault_for_2_points() -> None:
    table = lists(JAPAN, means=POINTS)
    assert [UpgradeAA(ship, "hq_cf") for ship in ("aa_jp10", "aa_jp11", "aa_jp12")] == of(
        table, JAPAN, UpgradeAA
    )
    act(table, JAPAN, UpgradeAA("aa_jp10", "hq_cf"))

    own = table.state.own[JAPAN]
    assert own.ships["aa_jp10"].assault
    assert seen.view(PACIFIC_WAR, table.state, Audience.of(JAPAN))["table"]["own"]["ships"]["aa_jp10"][
        "assault"
    ]
    assert {"hq_cf": 18, "hq_sea": 5} == own.means.points
    assert ["aa_jp11", "aa_jp12"] == [one.unit for one in of(table, JAPAN, UpgradeAA)]  # once


def test_p15_2_4_at_most_4_of_them() -> None:
    done = {ship: {"assault": True} for ship in ("aa_jp11", "aa_jp12", "dd_jp24")}
    assert of(lists(JAPAN, means=POINTS, units=done), JAPAN, UpgradeAA)

    done["dd_jp29"] = {"assault": True}
    assert [] == of(lists(JAPAN, means=POINTS, units=done), JAPAN, UpgradeAA)


def test_p15_2_4_inactive_in_a_linked_port_and_paid_by_a_headquarters_with_a_link() -> None:
    for more in (
        {"units": {"aa_jp10": {"active": True}}},
        {"units": {"aa_jp10": {"port": "", "tf": "J1"}}},
        {"posts": {"hq_cf": Post(), "hq_sea": Post()}},
        {"means": {JAPAN: {"points": {"hq_cf": 1, "hq_sea": 1}}}},
    ):
        table = lists(JAPAN, **({"means": POINTS} | more))
        assert "aa_jp10" not in [one.unit for one in of(table, JAPAN, UpgradeAA)]


FUNDS = {ALLIES: {"points": {"hq_sopac": 20}}}


def test_p15_2_4_the_allies_from_january_1943_each_ship_once_and_as_many_as_they_pay_for() -> None:
    assert [] == of(lists(means=FUNDS, month="1942-12"), ALLIES, UpgradeAA)

    table = lists(means=FUNDS, month="1943-01")
    offered = of(table, ALLIES, UpgradeAA)
    assert 5 < len(offered)
    for one in offered[:5]:
        act(table, ALLIES, one)

    own = table.state.own[ALLIES]
    assert 10 == own.means.points["hq_sopac"]
    assert all(own.ships[one.unit].assault for one in offered[:5])
    assert offered[5:] == of(table, ALLIES, UpgradeAA)


def test_p15_2_4_japan_from_january_1942() -> None:
    assert [] == of(lists(JAPAN, means=POINTS, month="1941-12"), JAPAN, UpgradeAA)

    assert of(lists(JAPAN, means=POINTS, month="1942-01"), JAPAN, UpgradeAA)


def test_p15_2_4_the_lift_of_allied_transports_becomes_4_that_of_japanese_ones_stays_3() -> None:
    board, own = laid_out().state.open, laid_out().state.own
    ships = {ALLIES: "aa_us1", JAPAN: "aa_jp10"}
    for side, ship in ships.items():
        own[side].ships[ship] = Ship(port="noumea")
        assert 3 == free_lift(board, own[side], ship)
        own[side].ships[ship] = Ship(port="noumea", assault=True)
    assert {ALLIES: 4, JAPAN: 3} == {side: free_lift(board, own[side], ship) for side, ship in ships.items()}

    own[ALLIES].ships["aa_us1"] = Ship(port="noumea", assault=True, damage=2)
    assert 2 == free_lift(board, own[ALLIES], "aa_us1")  # halved when crippled


@pytest.mark.parametrize("both", [True, False])
def test_p15_2_4_p31_3_who_lands_from_assault_transports_alone_attacks_without_the_shift(both: bool) -> None:
    """Given a regiment aboard two transports, when it lands among the enemy, then both must be fitted out."""
    cargo = {"aa_jp10": ["jp_ssd:3"], "aa_jp12": ["jp_ssd:1"]}
    convoy = {"id": "J1", "side": "JP", "hex": "4439", "core": [*cargo], "cargo": cargo}
    scene = battle(tfs=[convoy], ground=[{"id": "us_24div", "hex": "lae"}], control={"AL": ["lae"]})
    table = table_at(scene, Movement(side=JAPAN))
    change(table, JAPAN, {"aa_jp10": {"assault": True}, "aa_jp12": {"assault": both}})
    act(table, JAPAN, Disembark("jp_ssd"))
    ashore = table.state.own[JAPAN].ground["jp_ssd"]
    assert (True, both) == (ashore.landing, ashore.assault)

    table = again_at(table, GroundCombats(), 9, 9)
    act(table, ALLIES, NoAttack())
    (rolled, *_) = told(act(table, JAPAN, Attack()), Rolled)
    assert both == ("landing" not in [one.reason for one in rolled.modifiers])
