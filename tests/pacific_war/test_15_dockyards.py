"""P15 Naval repair: docks, large ports, what bars repair, two units made one."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.table import Table
from domain.pacific_war.board.charts import figures
from domain.pacific_war.board.table import Ship
from domain.pacific_war.board.war import Post
from domain.pacific_war.decisions.dispositions import Recombine, RepairUnit, With
from domain.pacific_war.facts.cycle import UnitLost
from tests.pacific_war.board import told
from tests.pacific_war.campaign import ALLIES, DOCKYARDS, JAPAN, administration, after, of
from tests.pacific_war.clash import act
from tests.pacific_war.invariants import places


def yard(side: int = ALLIES, **changes: Any) -> Table:
    """Return a table at the dockyards of a side: Brisbane has a dry dock of size 1 and a port of size 4."""
    return administration(DOCKYARDS, side, **changes)


def at(place: str, damage: int = 1, **more: Any) -> dict[str, Any]:
    return {"port": place, "damage": damage, **more}


def repairable(table: Table, side: int = ALLIES) -> list[str]:
    """Return the ships that may be repaired."""
    return [one.unit for one in of(table, side, RepairUnit)]


def test_p15_1_a_hit_is_taken_off_once_a_unit_and_phase() -> None:
    table = yard(units={"ca_us1": at("brisbane", 3), "dd_us1": at("noumea", 1)})
    assert ["ca_us1", "dd_us1"] == repairable(table)
    facts = act(table, ALLIES, RepairUnit("ca_us1"))

    assert 2 == table.state.own[ALLIES].ships["ca_us1"].damage
    assert ["dd_us1"] == repairable(table)
    assert [] == [fact for fact in facts if fact.audience().name == "ALL"]  # nobody else is told


@pytest.mark.parametrize(
    "state", [{"damage": 0}, {"active": True}, {"isolated": True}, {"port": "", "tf": ""}]
)
def test_p15_1_p12_4_p5_4_3_only_a_damaged_inactive_unit_in_port_that_is_not_isolated(
    state: dict[str, Any],
) -> None:
    assert ["ca_us1"] == repairable(yard(units={"ca_us1": at("brisbane")}))

    assert [] == repairable(yard(units={"ca_us1": at("brisbane") | state}))


def test_p2_3_4_p15_1_a_dry_dock_repairs_two_units_for_each_point_of_its_size() -> None:
    units = {ship: at("brisbane") for ship in ("ca_us1", "ca_us2", "ca_us5")}
    table = yard(units=units)
    act(table, ALLIES, RepairUnit("ca_us1"))
    act(table, ALLIES, RepairUnit("ca_us5"))

    assert [] == repairable(table)
    assert 1 == table.state.own[ALLIES].ships["ca_us2"].damage


@pytest.mark.parametrize(
    ("ship", "damage", "large_port"),
    [
        ("dd_us1", 1, True),
        ("cl_us7", 1, True),
        ("aa_us1", 1, True),
        ("dd_us1", 2, False),  # crippled
        ("ca_us1", 1, False),
        ("bb_north_carolina", 1, False),
        ("cv_wasp", 1, False),
    ],
)
def test_p15_1_lesser_damage_is_repaired_in_a_port_of_size_3_other_damage_in_a_dock(
    ship: str, damage: int, large_port: bool
) -> None:
    assert [ship] == repairable(yard(units={ship: at("brisbane", damage)}))
    assert [ship] * large_port == repairable(yard(units={ship: at("noumea", damage)}))

    assert [] == repairable(yard(units={ship: at("noumea", damage)}, bases={"noumea": {"port": 2}}))


def test_p15_1_two_in_each_large_port_and_lesser_damage_leaves_the_dock_free() -> None:
    """Given two destroyer units and two cruisers in Brisbane, then all four are repaired, and no fifth."""
    ships = ("dd_us1", "dd_us2", "ca_us1", "ca_us2")
    table = yard(units={ship: at("brisbane") for ship in (*ships, "dd_us4")})
    for ship in ships:
        act(table, ALLIES, RepairUnit(ship))

    assert [] == repairable(table)
    assert [0, 0, 0, 0, 1] == [table.state.own[ALLIES].ships[ship].damage for ship in (*ships, "dd_us4")]


def test_p15_1_a_large_port_must_be_linked() -> None:
    posts = {"hq_sopac": Post(), "hq_swpa": Post()}

    assert ["ca_us1"] == repairable(
        yard(units={"ca_us1": at("brisbane"), "dd_us1": at("noumea")}, posts=posts)
    )


def test_p15_1_japan_has_no_dock_in_c1_and_uses_truk_and_rabaul() -> None:
    units = {
        "dd_jp24": at("truk"),
        "aa_jp10": at("rabaul"),
        "ca_chokai_maya": at("truk"),
        "dd_jp29": at("lae"),
    }

    assert ["aa_jp10", "dd_jp24"] == repairable(yard(JAPAN, units=units), JAPAN)


def test_p15_2_p15_2_1_none_among_enemy_ground_units() -> None:
    hexes = {"jp_engr3": {"hex": "4851"}}

    assert [] == repairable(yard(units={"ca_us1": at("brisbane"), **hexes}))


def test_p15_2_1_none_in_a_port_with_half_its_size_of_damage() -> None:
    for damage, found in ((1, ["ca_us1"]), (2, [])):  # of 4
        bases = {"brisbane": {"port_damage": damage}}
        assert found == repairable(yard(units={"ca_us1": at("brisbane")}, bases=bases))
    assert [] == repairable(  # 2 of 3 are more than half
        yard(units={"dd_us1": at("noumea")}, bases={"noumea": {"port_damage": 2}})
    )


def test_p15_2_2_a_sunk_unit_never_returns() -> None:
    assert [] == repairable(yard(units={"dd_us1": Ship(damage=3, active=False)}))


# P15.2.3

PAIR = {"dd_us1": at("efate", 2), "dd_us2": at("efate", 2)}


def test_p15_2_3_two_damaged_units_are_made_one() -> None:
    """Given 2 hits of 3 on both, when one is kept, then it has 1, and the other is in no place."""
    table = yard(units=PAIR)
    assert [Recombine("dd_us1"), Recombine("dd_us2")] == of(table, ALLIES, Recombine)
    facts = act(table, ALLIES, Recombine("dd_us2"))  # with the other, the only one

    own = table.state.own[ALLIES]
    assert Ship(port="efate", damage=1, active=False) == own.ships["dd_us2"]
    assert Ship(damage=3, active=False) == own.ships["dd_us1"]
    assert [] == told(facts, UnitLost)  # not counted as sunk
    assert {} == table.state.open.lost
    assert [] == of(table, ALLIES, Recombine)


def test_p15_2_3_p41_1_the_other_is_out_of_the_game_and_in_no_place() -> None:
    table = yard(units=PAIR)
    act(table, ALLIES, Recombine("dd_us2"))

    assert [] == [*places(table.state.open, table.state.own[ALLIES], ALLIES)]


def test_p15_2_3_p0_4_1_one_that_was_public_is_not_shown_as_a_wreck() -> None:
    table = yard(units=PAIR)
    board, own = table.state.open, table.state.own[ALLIES]
    board.ships |= {ship: own.ships[ship] for ship in PAIR}
    act(table, ALLIES, Recombine("dd_us2"))

    assert {"dd_us2": Ship(port="efate", damage=1, active=False)} == board.ships


def test_p15_2_3_there_may_be_a_choice_of_the_other() -> None:
    table = yard(units=PAIR | {"dd_us4": at("efate", 1)})

    assert [With("dd_us1"), With("dd_us4")] == [*after(table, ALLIES, Recombine("dd_us2"))]
    act(table, ALLIES, Recombine("dd_us2"), With("dd_us4"))
    assert 0 == table.state.own[ALLIES].ships["dd_us2"].damage  # 2 and 1, less 3


@pytest.mark.parametrize(
    "units",
    [
        PAIR | {"dd_us2": at("noumea", 2)},  # another port
        PAIR | {"dd_us2": at("efate", 0)},  # not damaged
        {"dd_us1": at("efate", 1), "dd_us2": at("efate", 1)},  # 2 hits of 3
        PAIR | {"dd_us2": at("efate", 2, active=True)},
        {"dd_us1": at("efate", 2), "dd_cw3": at("efate", 2)},  # of another nation
        {"dd_us1": at("efate", 2), "cl_us7": at("efate", 2)},  # of another class
        {"ca_us1": at("efate", 2), "ca_us2": at("efate", 2)},  # of none of the classes
    ],
)
def test_p15_2_3_inactive_in_one_port_of_one_nation_and_class_with_enough_damage(
    units: dict[str, dict[str, Any]],
) -> None:
    assert [] == of(yard(units=units), ALLIES, Recombine)


@pytest.mark.parametrize("pair", [("cl_us7", "cl_us8"), ("aa_us1", "aa_us2")])
def test_p15_2_3_light_cruisers_and_transports_too(pair: tuple[str, str]) -> None:
    table = yard(units={ship: at("efate", 2) for ship in pair})

    assert [Recombine(ship) for ship in pair] == of(table, ALLIES, Recombine)


def test_p15_2_3_both_have_equal_hits(monkeypatch: pytest.MonkeyPatch) -> None:
    ships = figures("C1").ships
    monkeypatch.setitem(ships, "dd_us2", replace(ships["dd_us2"], hits=4))

    assert [] == of(yard(units=PAIR), ALLIES, Recombine)
