"""P0.4.1, P0.4.2 What a view says of the table: each thing as it stands, to the side that may see it."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.ground import GroundCombats
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import Counted
from tests import seen
from tests.pacific_war.board import battle, change, fly, missions, table_at, take
from tests.pacific_war.clash import ALLIES, JAPAN, SEA, fleet, joined


def view(table: Table, side: int | None = None) -> dict[str, Any]:
    """Return what a side sees of the table, or what onlookers do."""
    found: dict[str, Any] = seen.view(PACIFIC_WAR, table.state, Audience.of(side))["table"]
    return found


@pytest.fixture
def stand() -> Table:
    """A table with a Detected fleet of each side, a hidden transport, and units ashore."""
    scene = battle(
        tfs=[
            fleet("J1", "ca_atago_takao", core=["cvs_kamikawa"]),
            fleet("J2", core=["aa_jp10"], at="5740", cargo={"aa_jp10": ["jp_kure5"]}),
            fleet("A1", "ca_us1", at="5546"),
        ],
        naval=[{"at": "pearl_harbor", "side": "AL", "units": ["dd_us1"]}],
        air=[{"id": "jn_2e_25af", "steps": 3, "level": 1, "base": "rabaul"}],
        ground=[{"id": "us_24div", "hex": "port_moresby"}, {"id": "jp_84gd", "hex": "rabaul"}],
        patrols=[{"side": "AL", "hex": "6617", "points": 3}],
    )
    table = table_at(scene, Retreat(tfs=()), advantage=ALLIES, detected=["J1", "A1"])
    change(table, JAPAN, {"ca_atago_takao": {"damage": 2}, "jn_2e_25af": {"ready": 1, "cap": 1}})
    change(table, JAPAN, {"jp_84gd": {"broken": True, "active": False}})
    change(table, ALLIES, {"ca_us1": {"damage": 1}})
    return table


def test_p0_4_1_task_forces_and_ships_that_everybody_sees(stand: Table) -> None:
    """Given cruisers with 2 and 1 of 4 hits, then the first are crippled, and make their fleet slow."""
    found = view(stand)

    assert {
        "J1": {
            "side": "JP",
            "node": SEA,
            "detected": True,
            "core": ["cvs_kamikawa"],
            "screen": ["ca_atago_takao"],
            "speed": "S",
        },
        "J2": {"side": "JP", "node": "5740"},
        "A1": {"side": "AL", "node": "5546", "detected": True, "screen": ["ca_us1"], "speed": "F"},
    } == found["tfs"]
    assert {
        "ca_atago_takao": {"tf": "J1", "damage": 2, "crippled": True},
        "ca_us1": {"tf": "A1", "damage": 1},
        "cvs_kamikawa": {"tf": "J1"},
    } == found["ships"]
    assert ({}, {}) == (found["air"], found["ground"])


def test_p0_4_1_where_units_of_a_side_are_is_public(stand: Table) -> None:
    found = view(stand)
    place = {name: found["locations"][name] for name in ("rabaul", "pearl_harbor", "port_moresby")}

    assert {"JP": ["4837"], "AL": ["4440"]} == found["troops"]
    assert [["JP"], [], []] == [place[name].get("aircraft", []) for name in place]
    assert [[], ["AL"], []] == [place[name].get("ships", []) for name in place]
    assert {"6617": {"side": "AL"}} == found["patrols"]
    assert ("AL", "JP") == (found["advantage"], found["operation"])


def test_p0_4_1_a_side_sees_its_own_units_as_they_are(stand: Table) -> None:
    japan, allies = view(stand, JAPAN)["own"], view(stand, ALLIES)["own"]

    assert "own" not in view(stand)
    assert {"core": ["aa_jp10"], "speed": "S"} == japan["fleets"]["J2"]
    assert {"jn_2e_25af": {"home": "rabaul", "steps": 3, "level": 1, "ready": 1, "cap": 1}} == japan["air"]
    assert {
        "jp_84gd": {"hex": "4837", "steps": 1, "broken": True, "inactive": True},
        "jp_kure5": {"aboard": {"aa_jp10": 2}, "steps": 2},
    } == japan["ground"]
    assert {
        "ca_us1": {"tf": "A1", "damage": 1},
        "dd_us1": {"port": "pearl_harbor", "inactive": True},
    } == allies["ships"]
    assert {"6617": 3} == allies["patrols"]


def test_p0_4_3_the_roster_names_what_is_ashore_and_aboard(stand: Table) -> None:
    roster = view(stand)["roster"]

    assert {"jp_kure5", "jp_84gd", "us_24div"} == roster["ground"].keys()
    assert {"aa_jp10", "ca_atago_takao", "ca_us1", "cvs_kamikawa", "dd_us1"} == roster["ships"].keys()


def test_p28_3_p0_4_2_a_plan_is_seen_by_its_side_and_the_mission_by_all() -> None:
    air = [
        {"id": unit, "steps": 2, "level": 1, "base": "port_moresby"} for unit in ("us_1e_35fg", "us_2e_3bg")
    ]
    table = missions(battle(air=air, control={"JP": ["lae"]}), ALLIES, 9, 9)
    take(table, ALLIES, d.DeclareMission("strike_airbase", "port_moresby"), d.Target("lae"))
    take(table, ALLIES, d.AddSteps("us_2e_3bg", "strike", 2))

    assert {
        "kind": "strike_airbase",
        "origin": "port_moresby",
        "target": "lae",
        "strike": {"us_2e_3bg": 2},
    } == view(table, ALLIES)["own"]["plan"]
    assert "plan" not in view(table, JAPAN)["own"]

    scene = battle(
        tfs=[fleet("J1", "dd_jp7", "dd_jp8"), fleet("A1", core=["cv_lexington"], at="5544")],
        air=[{"id": "cvg_lexington", "steps": 3, "level": 1}],
    )
    table = missions(scene, ALLIES, 0, 9, detected=["J1", "A1"])
    fly(table, ALLIES, "strike_tf", "A1", "J1", {"cvg_lexington": 2}, {"cvg_lexington": 1})
    assert [
        {
            "side": "AL",
            "kind": "strike_tf",
            "target": "J1",
            "origin": "A1",
            "strike": {"cvg_lexington": 2},
            "escort": {"cvg_lexington": 1},
            "found": True,
        }
    ] == view(table)["raids"]


@pytest.mark.parametrize(("dice", "side"), [((9, 0), "JP"), ((0, 9), "AL"), ((5, 5), None)])
def test_p29_1_a_naval_battle_is_seen_with_its_range_and_who_has_surprise(
    dice: tuple[int, int], side: str | None
) -> None:
    scene = battle(tfs=[fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1")])
    table = joined(scene, sure=dice, advantage=JAPAN)

    found: dict[str, Any] = {
        "node": SEA,
        "forces": {"JP": ["J1"], "AL": ["A1"]},
        "ports": {"JP": "", "AL": ""},
    }
    found |= {"phase": 1, "range": 2} | ({"surprise": side} if side else {})
    assert found == view(table)["naval"]


def test_p31_2_p33_1_a_ground_combat_and_the_count_are_seen() -> None:
    ground = [{"id": unit, "hex": "lae", "steps": 4} for unit in ("jp_ssd", "jp_21div", "us_24div")]
    table = table_at(battle(ground=ground), GroundCombats(), advantage=JAPAN)
    take(table, ALLIES, d.NoAttack())
    take(table, JAPAN, d.Attack())

    assert {"hex": "4439", "attacker": "JP"} == view(table)["landed"]
    table.record(Counted((), (3, 5), "Allied marginal"))
    assert ({"JP": 3, "AL": 5}, "Allied marginal") == (view(table)["points"], view(table)["level"])
