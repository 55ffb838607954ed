"""R-94 Fremantle counts as Linked for P13, P15, P16, P17, P25.1 and P31.7: no headquarters reaches it."""

from typing import Any

import pytest

from domain.kernel.table import Table
from domain.pacific_war.battle.repair import repair_airbases
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Air, Ground, Ship
from domain.pacific_war.command.links import linked_hexes, payers, reached, tell_links
from domain.pacific_war.decisions.dispositions import (
    BreakDown,
    BuildSubCommand,
    RepairAirbase,
    RepairUnit,
    ReplaceAir,
    ReplaceGround,
    To,
    Transport,
    UpgradeAA,
)
from domain.pacific_war.months.desk import Desk, ready
from domain.pacific_war.months.proposals import bases
from domain.pacific_war.operations.eligible import commanded
from tests.pacific_war.campaign import (
    ALLIES,
    DOCKYARDS,
    ENGINEERING,
    JAPAN,
    REPLACEMENTS,
    SUBMARINES,
    TRANSPORT,
    administration,
    after,
    laid_out,
    of,
    sight,
)
from tests.pacific_war.clash import act

SPOT = LOCATIONS["fremantle"].hex
UNITS: dict[str, Any] = {
    "dd_us1": Ship(port="fremantle", damage=1, active=False),
    "aa_us1": Ship(port="fremantle", active=False),
    "us_1e_haw": Air("fremantle", 1, 1, active=False),
    "au_homeS": Ground(SPOT, steps=6, active=False),
}
POINTS: dict[str, Any] = {"hq_aus": 5, "hq_india": 9, "hq_cincpac": 7}


def at(rule: str, *dice: int, side: int = ALLIES, **changes: Any) -> Table:
    """Return a table of S1 in 1943 at a chapter of a side; Allied units of each kind lie at Fremantle."""
    given: dict[str, Any] = {"units": UNITS, "means": {ALLIES: {"points": dict(POINTS)}}}
    return administration(rule, side, *dice, table=laid_out("1943-02", "S1"), **(given | changes))


def test_r_94_p11_6_no_headquarters_reaches_fremantle() -> None:
    table = laid_out("1942-01", "S1")

    assert SPOT not in linked_hexes(table, ALLIES)


@pytest.mark.parametrize("unit", ["au_perth", "au_homeS"])
def test_r_94_p13_2_2_troops_are_carried_away_from_fremantle_and_to_it(unit: str) -> None:
    table = at(TRANSPORT, units=UNITS | {"au_homeS": Ground(LOCATIONS["sydney"].hex, steps=3, active=False)})
    picked = after(table, ALLIES, Transport(unit))

    assert (To("fremantle") in picked) == (unit == "au_homeS")
    assert (To("sydney") in picked) == (unit == "au_perth")


def test_r_94_p15_1_p15_2_4_lesser_damage_is_repaired_at_fremantle_and_transports_are_upgraded() -> None:
    """Given three headquarters with points, then the richest of them pays for the upgrade (P11.8)."""
    assert RepairUnit("dd_us1") in of(at(DOCKYARDS), ALLIES, RepairUnit)

    assert [UpgradeAA("aa_us1", "hq_india")] == [
        one for one in of(at(REPLACEMENTS), ALLIES, UpgradeAA) if one.unit == "aa_us1"
    ]


def test_r_94_p16_2_p16_4_p16_9_units_at_fremantle_are_filled_up_and_broken_down() -> None:
    table = at(REPLACEMENTS)

    assert ReplaceAir("us_1e_haw") in of(table, ALLIES, ReplaceAir)
    assert ReplaceGround("au_homeS") in of(table, ALLIES, ReplaceGround)
    assert BreakDown("au_homeS") in of(table, ALLIES, BreakDown)


def test_r_94_p17_1_p11_8_the_richest_headquarters_pays_for_work_at_fremantle() -> None:
    table = at(ENGINEERING, bases={"fremantle": {"airbase_damage": 1}})
    job = RepairAirbase("fremantle", 1, "hq_india")
    assert job in [*bases(sight(table, ALLIES), Desk())]  # the house proposes it too (P0.9.1)
    act(table, ALLIES, job)

    assert 0 == table.state.open.bases["fremantle"].airbase_damage
    assert POINTS | {"hq_india": 8} == table.state.own[ALLIES].means.points


def test_r_94_p31_7_the_airbase_of_fremantle_is_repaired() -> None:
    table = at(ENGINEERING, 9, bases={"fremantle": {"airbase_damage": 1}})
    repair_airbases(table)

    assert 0 == table.state.open.bases["fremantle"].airbase_damage


def test_r_94_p20_2_1_nobody_at_fremantle_is_commanded_for_activation() -> None:
    table = at(ENGINEERING)
    tell_links(table, ALLIES)
    own = table.state.own[ALLIES]

    assert not any(commanded(table.state.open, own, hq, unit) for hq in HEADQUARTERS for unit in UNITS)


def test_r_94_p14_1_p14_6_new_units_and_commands_need_a_link() -> None:
    table = at(SUBMARINES, bases={"fremantle": {"command": False}})
    board, own = table.state.open, table.state.own[ALLIES]

    assert ready(board, own, ALLIES, "fremantle")
    assert not reached(board, own, ALLIES, "fremantle")
    ports = [one.port for one in of(table, ALLIES, BuildSubCommand)]
    assert "darwin" in ports
    assert "fremantle" not in ports


def test_r_94_japan_at_fremantle_is_not_linked_by_it() -> None:
    table = at(ENGINEERING, side=JAPAN, bases={"fremantle": {"control": JAPAN}}, units={})
    board, own = table.state.open, table.state.own[JAPAN]
    own.means.points = {"hq_south": 9}

    assert not ready(board, own, JAPAN, "fremantle")
    assert [] == payers(own, SPOT, 1)
    assert not ready(board, table.state.own[ALLIES], ALLIES, "fremantle")
