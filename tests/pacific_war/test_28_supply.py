"""P28.11 Supply missions: who may fly them, where to, and what they are good for until the month is over."""

from typing import Any

import pytest

from domain.kernel.dice import Scripted, seeded
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.control import capture
from domain.pacific_war.battle.missions import declared
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.charts import LAUNCH_LIMIT, LOCATIONS
from domain.pacific_war.board.table import Air, Base
from domain.pacific_war.command.emergency import supported, supports_bases
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.fighting import TookOff
from domain.pacific_war.facts.happenings import SuppliesFlown
from domain.pacific_war.facts.months import MeansAre
from domain.pacific_war.months.isolation import isolate
from tests.pacific_war.board import battle, missions, options, rolls, take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, alter, laid_out
from tests.pacific_war.months import in_sight
from tests.pacific_war.test_11_emergency import BOATS, GARRISON, HERE, TOKYO_EXPRESS, linked_by

TR, SECOND = "jn_tr_1", "ja_tr_1"
RABAUL = Air("rabaul", 2, 1, ready=1)
SUPPLY = d.DeclareMission("supply", TR)


def flying(*, enemies: int = 0, lighting: Any = "Day", **changes: Any) -> Table:
    """Return a table of Japan's air missions; transport aircraft are ready at Rabaul, 6 hexes away.

    `enemies`: Allied fighters over Guadalcanal are on CAP.
    """
    units = {TR: RABAUL} | changes.pop("units", {})
    given = linked_by(BOATS, units=units, **changes)
    given["means"][JAPAN]["emergency"] = {}
    given["bases"]["guadalcanal"] = {"airbase": 1}
    table = laid_out()
    alter(table, **given)
    if enemies:
        alter(table, units={"us_1e_67fs": {"home": "munda", "active": True, "cap": enemies}})
    table.state.open.lighting = lighting
    table = Table(PACIFIC_WAR, table.state, Scripted(()), AirMissions(side=JAPAN))
    while table.prompts and d.DeclareMission not in {type(one) for one in options(table, JAPAN)}:
        side = next(iter(table.prompts))
        if d.Done() not in options(table, side):
            break
        take(table, side, d.Done())
    return table


def supplied(table: Table) -> set[str]:
    """Return the units of the garrison that are supported."""
    own = table.state.own[JAPAN]
    return {unit for unit in GARRISON if supported(table.state.open, own, unit)}


def test_p28_11_a_whole_unit_flies_to_own_troops_or_an_own_base_within_6_hexes() -> None:
    table = flying()
    assert SUPPLY in options(table, JAPAN)
    take(table, JAPAN, SUPPLY)
    found = {one.target for one in options(table, JAPAN) if isinstance(one, d.Target)}
    assert {HERE, LOCATIONS["buna"].hex, LOCATIONS["munda"].hex} <= found
    assert not {LOCATIONS["rabaul"].hex, LOCATIONS["truk"].hex, LOCATIONS["port_moresby"].hex} & found
    facts = take(table, JAPAN, d.Target(HERE))

    assert [SuppliesFlown(TR, JAPAN, HERE, 3)] == told(facts, SuppliesFlown)
    assert [TookOff(JAPAN, {TR: 2}, "rabaul")] == told(facts, TookOff)
    assert ("rabaul", 0, 2) == (
        table.state.own[JAPAN].air[TR].home,
        table.state.own[JAPAN].air[TR].ready,
        table.state.own[JAPAN].air[TR].steps,
    )
    assert {"jp_41reg"} == supplied(table)  # 3 steps, as P11.7 counts them
    assert SUPPLY not in options(table, JAPAN)


def test_p28_11_r_13_enemy_cap_and_flak_do_not_interfere() -> None:
    """Given Allied fighters on CAP near Guadalcanal, then no die falls and no step is lost."""
    table = flying(enemies=3)
    facts = take(table, JAPAN, SUPPLY, d.Target(HERE))

    assert [] == rolls(facts)
    assert 2 == table.state.own[JAPAN].air[TR].steps


@pytest.mark.parametrize(
    "air",
    [
        Air("rabaul", 2, 1),  # no ready step
        Air("rabaul", 2, 1, active=False),
        Air("rabaul", 2, 1, ready=2, isolated=True),
    ],
)
def test_p28_11_p12_1_only_activated_ready_units_that_are_not_isolated(air: Air) -> None:
    assert SUPPLY not in options(flying(units={TR: air}), JAPAN)


def test_p28_11_p2_3_2_all_steps_of_the_unit_must_fit_the_launch_limit() -> None:
    table = flying()
    board, own = table.state.open, table.state.own[JAPAN]
    most = LAUNCH_LIMIT[3]

    assert SUPPLY in declared(board, own, JAPAN, {})
    assert SUPPLY in declared(board, own, JAPAN, {"rabaul": most - 2})
    assert SUPPLY not in declared(board, own, JAPAN, {"rabaul": most - 1})


def test_p28_11_p26_3_not_at_night() -> None:
    assert SUPPLY not in options(flying(lighting="Night"), JAPAN)


def test_p28_11_tr_units_only() -> None:
    table = flying(units={"jn_2e_25af": {"active": True, "ready": 3}})

    declarations = [one for one in options(table, JAPAN) if isinstance(one, d.DeclareMission)]
    assert {TR} == {one.origin for one in declarations if one.kind == "supply"}


def test_p28_11_no_engagement_or_battle_has_it() -> None:
    scene = battle(
        air=[{"id": TR, "steps": 2, "level": 1, "base": "rabaul"}],
        ground=[{"id": "jp_ssd", "hex": "lae"}],
        control={"JP": ["lae", "rabaul"]},
    )

    assert "supply" not in {
        one.kind for one in options(missions(scene, JAPAN), JAPAN) if isinstance(one, d.DeclareMission)
    }


def test_p28_11_each_unit_brings_3_steps_and_a_link_adds_its_own() -> None:
    """Given two units, then 6 steps; with destroyers 6 more, and all of the garrison is supported."""
    table = flying(units={SECOND: RABAUL})
    take(table, JAPAN, SUPPLY, d.Target(HERE))
    take(table, JAPAN, d.DeclareMission("supply", SECOND), d.Target(HERE))
    own = table.state.own[JAPAN]
    assert {HERE: 6} == own.means.supplied
    assert {"jp_41reg", "jp_engr3", "jp_kure5"} == supplied(table)
    assert not supports_bases(table.state.open, own, "guadalcanal")

    own.means.emergency = {"guadalcanal": TOKYO_EXPRESS}
    assert {"jp_41reg", "jp_engr3", "jp_kure5", "jp_ichiki"} == supplied(table)


def test_p28_11_p12_it_lasts_until_the_end_of_the_next_5_1_h() -> None:
    table = flying()
    take(table, JAPAN, SUPPLY, d.Target(HERE))
    table = Table(PACIFIC_WAR, table.state, seeded("isolation"))
    isolate(table)
    mine = table.state.own[JAPAN]
    assert (False, True) == (mine.ground["jp_41reg"].isolated, mine.ground["jp_kure5"].isolated)
    assert {} == mine.means.supplied

    isolate(table)
    assert table.state.own[JAPAN].ground["jp_41reg"].isolated


def test_p28_11_p2_6_it_is_lost_with_the_location() -> None:
    table = flying()
    take(table, JAPAN, SUPPLY, d.Target(HERE))
    assert Base(JAPAN).control == table.state.open.bases["guadalcanal"].control
    capture(table, "guadalcanal", ALLIES)

    assert {} == table.state.own[JAPAN].means.supplied


def test_p28_11_p0_4_1_everybody_sees_who_flies_and_where() -> None:
    table = flying()
    facts = take(table, JAPAN, SUPPLY, d.Target(HERE))
    shown = in_sight(facts, ALLIES)

    assert [SuppliesFlown(TR, JAPAN, HERE, 3)] == told(shown, SuppliesFlown)
    assert [] == told(shown, MeansAre)
    assert TR in table.state.open.air
    assert "[jn_tr_1] brings supply to [guadalcanal], for 3 ground steps" in [one.words() for one in shown]
