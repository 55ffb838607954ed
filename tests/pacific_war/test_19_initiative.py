"""P19 Strategic Initiative and damage points; P5.3 what the end of an Operation clears up."""

from typing import Any

import pytest

from domain.kernel.facts import Fact
from domain.kernel.table import Table
from domain.pacific_war.battle.control import settle
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import OWNERS, SHIPS
from domain.pacific_war.facts.cycle import AirStepsLost, PatrolIs, ShipHit, UnitLost
from domain.pacific_war.facts.fighting import GroundStepsLost
from domain.pacific_war.facts.intelligence import show_port
from domain.pacific_war.facts.months import InitiativeIs, MeansAre, OperationIs
from domain.pacific_war.month import suspend
from domain.pacific_war.victory.closing import close, shift
from tests.pacific_war.board import told
from tests.pacific_war.operations import (
    ALLIES,
    GONE,
    JAPAN,
    LANDED,
    SOPAC,
    laid_out,
    led,
    means,
    sound,
)


def fought(*facts: Fact, initiative: int = 0, **changes: Any) -> Table:
    """Return a table in an Operation of the Allies in which this has happened."""
    table = laid_out(operation=led(), initiative=initiative, **changes)
    for fact in facts:
        table.record(fact)
    return table


def damage(table: Table) -> tuple[int, int]:
    """Return the damage points of Japan and the Allies when the Operation ends now."""
    close(table)
    assert table.state.open.war.operation is None
    return told(table.facts, InitiativeIs)[-1].damage


def first(cls: str) -> str:
    """Return the first ship of a class."""
    return min(ship for ship, unit in SHIPS.items() if unit.cls == cls)


def sunk(ship: str) -> list[Fact]:
    """Return the facts of a ship that is sunk by as many hits as it takes."""
    hits = SHIPS[ship].hits
    return [ShipHit(ship, hits, hits, hits), UnitLost(ship, OWNERS[ship], "sunk")]


def points_of(side: int, points: int) -> tuple[int, int]:
    """Return points for what a side has lost."""
    return (points, 0) if side == ALLIES else (0, points)


# P19.3 what counts

SUNK = {"CV": 6, "CVL": 3, "CVE": 3, "BB": 4, "BC": 4, "CA": 2, "CL": 2, "DD": 1, "AA": 2, "CVS": 1}


@pytest.mark.parametrize(("cls", "points"), SUNK.items())
def test_p19_3_a_ship_sunk(cls: str, points: int) -> None:
    ship = first(cls)

    assert points_of(OWNERS[ship], points) == damage(fought(*sunk(ship)))


@pytest.mark.parametrize(("cls", "points"), SUNK.items())
def test_p19_3_a_ship_crippled_half_of_it_rounded_down(cls: str, points: int) -> None:
    ship = first(cls)
    of = SHIPS[ship].hits
    facts = [ShipHit(ship, 1, hits, of) for hits in range(1, (of + 1) // 2 + 1)]

    assert points_of(OWNERS[ship], points // 2) == damage(fought(*facts))


def test_p19_3_a_ship_with_fewer_hits_counts_nothing() -> None:
    assert (0, 0) == damage(fought(ShipHit("cv_saratoga", 2, 2, 5)))


def test_p19_3_a_ship_crippled_and_then_sunk_counts_once() -> None:
    table = fought(ShipHit("cv_saratoga", 3, 3, 5), ShipHit("cv_saratoga", 2, 5, 5))
    table.record(UnitLost("cv_saratoga", ALLIES, "sunk"))

    assert (6, 0) == damage(table)


def test_p19_3_a_ship_crippled_before_the_operation_counts_only_when_it_is_sunk() -> None:
    assert (0, 0) == damage(fought(ShipHit("cv_saratoga", 1, 4, 5)))
    assert (0, 0) == damage(fought(ShipHit("ca_us1", 1, 3, 4)))  # with just half of its hits before
    table = fought(ShipHit("cv_saratoga", 1, 5, 5), UnitLost("cv_saratoga", ALLIES, "sunk"))
    assert (6, 0) == damage(table)


def test_p19_3_a_ship_crippled_repaired_and_crippled_again_counts_once() -> None:
    hurt = ShipHit("cv_saratoga", 3, 3, 5)

    assert (3, 0) == damage(fought(hurt, hurt))


def test_p19_3_each_crippled_ship_is_rounded_by_itself() -> None:
    destroyers = [ShipHit(ship, 2, 2, 3) for ship in ("dd_us1", "dd_us2", "dd_us4")]

    assert (0, 0) == damage(fought(*destroyers))


def test_p19_3_a_ship_that_is_out_of_the_way_is_not_sunk() -> None:
    assert (0, 0) == damage(fought(UnitLost("cv_saratoga", ALLIES, "out of the scenario")))


@pytest.mark.parametrize(("steps", "points"), [(1, 0), (2, 1), (3, 1), (6, 3)])
def test_p19_3_two_air_steps_are_a_point(steps: int, points: int) -> None:
    facts = [AirStepsLost("cvg_saratoga", ALLIES, 1, "shot down")] * steps

    assert (points, 0) == damage(fought(*facts))


@pytest.mark.parametrize(("steps", "points"), [(1, 0), (2, 1), (5, 2)])
def test_p19_3_two_ground_steps_are_a_point(steps: int, points: int) -> None:
    facts = [GroundStepsLost("jp_ssd", JAPAN, 1, broken=False)] * steps

    assert (0, points) == damage(fought(*facts))


def test_p19_3_air_and_ground_steps_are_rounded_apart() -> None:
    air, ground = (
        AirStepsLost("cvg_saratoga", ALLIES, 1, ""),
        GroundStepsLost("us_147", ALLIES, 1, broken=True),
    )

    assert (0, 0) == damage(fought(air, ground))


@pytest.mark.parametrize(
    ("port", "airbase", "points"), [(0, 0, 0), (1, 0, 1), (1, 1, 1), (2, 1, 2), (3, 4, 4)]
)
def test_p19_3_a_location_captured(port: int, airbase: int, points: int) -> None:
    """Whatever its damage, half of its port, its airbase and 1."""
    sizes = {"port": port, "airbase": airbase, "port_damage": port, "airbase_damage": airbase}
    table = fought(bases={"guadalcanal": sizes}, units=LANDED)
    settle(table)

    assert (0, points) == damage(table)


def test_p19_3_a_headquarters_captured_is_5_beside_its_location() -> None:
    table = fought(
        units={"us_1mardiv": {"at": "rabaul"}, "jp_41reg": GONE, "jp_kure5": GONE, "jp_engr3": GONE}
        | {ship: {"port": "truk"} for ship in ("ca_chokai_maya", "cl_tenryu_yubari", "dd_jp29")}
        | {ship: {"port": "truk"} for ship in ("aa_jp10", "aa_jp12")}
        | {unit: {"home": "", "steps": 0} for unit in ("jn_1e_25af", "jn_2e_25af")}
    )
    settle(table)

    assert (0, 5 + (3 + 3 + 1) // 2) == damage(table)


def test_p19_3_a_submarine_point() -> None:
    contact, hit = PatrolIs("5040", JAPAN, 3), PatrolIs("5040", JAPAN, 2)

    assert (0, 0) == damage(fought(contact))
    assert (0, 1) == damage(fought(contact, hit))
    assert (0, 2) == damage(fought(contact, PatrolIs("5040", JAPAN, 1)))
    assert (0, 3) == damage(fought(contact, hit, PatrolIs("5040", JAPAN, 1), PatrolIs("5040", JAPAN, 0)))


def test_p19_3_hits_of_the_rules_are_counted() -> None:
    """Given a carrier sunk in port with 6 steps aboard, by the procedure that all attacks share."""
    table = fought()
    inflict(table, {"cv_saratoga": 5})

    assert (6 + 3, 0) == damage(table)


# P19.3 the track


@pytest.mark.parametrize(
    ("difference", "moved"),
    [
        (0, 0),
        (5, 0),
        (6, 1),
        (11, 1),
        (12, 2),
        (17, 2),
        (18, 3),
        (60, 3),
        (-5, 0),
        (-6, -1),
        (-13, -2),
        (-99, -3),
    ],
)
def test_p19_3_it_moves_a_sixth_of_the_difference_and_3_at_most(difference: int, moved: int) -> None:
    assert moved == shift(difference)


@pytest.mark.parametrize(
    ("before", "ship", "after"),
    [
        (0, "cv_saratoga", 1),
        (-1, "cv_saratoga", 0),
        (0, "cv_shokaku", -1),
        (10, "cv_saratoga", 10),
        (-10, "cv_shokaku", -10),
    ],
)
def test_p19_1_p19_3_up_for_japan_down_for_the_allies_within_the_track(
    before: int, ship: str, after: int
) -> None:
    table = fought(*sunk(ship), initiative=before)
    close(table)

    assert after == table.state.open.war.initiative


def test_p19_1_c1_begins_at_1_for_the_allies() -> None:
    assert -1 == CAMPAIGNS["C1"].initiative


def test_p38_5_d_p19_3_8_to_1_moves_it_by_1() -> None:
    table = fought(*sunk("cv_saratoga"), *sunk("ca_us1"), *sunk("dd_jp29"), initiative=-1)
    close(table)

    assert [InitiativeIs(0, (8, 1))] == told(table.facts, InitiativeIs)[-1:]
    assert "nobody has the initiative" in told(table.facts, InitiativeIs)[-1].words()


def test_p19_3_p33_2_damage_points_are_added_to_those_of_the_game() -> None:
    table = fought(*sunk("cv_saratoga"))
    close(table)
    table.record(OperationIs(led(), "another", begun=True))
    for fact in sunk("ca_us1") + sunk("dd_jp29"):
        table.record(fact)
    close(table)

    assert (8, 1) == table.state.open.war.damage


def test_p19_3_between_operations_nothing_counts() -> None:
    table = laid_out(initiative=0)
    for fact in sunk("cv_saratoga"):
        table.record(fact)
    table.record(OperationIs(led(), "another", begun=True))

    assert (0, 0) == damage(table)


def test_p19_3_r_16_what_was_inflicted_before_a_month_end_counts_after_it() -> None:
    table = fought(*sunk("cv_saratoga"))
    suspend(table, suspended=True)
    suspend(table, suspended=False)
    for fact in sunk("ca_us1"):
        table.record(fact)

    assert (8, 0) == damage(table)


def test_r_112_p19_3_what_is_lost_while_it_is_suspended_does_not_count() -> None:
    table = fought(*sunk("cv_saratoga"))
    suspend(table, suspended=True)
    for fact in (*sunk("cv_enterprise"), *sunk("dd_jp29")):
        table.record(fact)
    suspend(table, suspended=False)

    assert (6, 0) == damage(table)


# P5.3.3


def test_p5_3_3_what_was_noted_of_the_operation_is_cleared() -> None:
    noted = {"used": {SOPAC: 12}, "charged": (SOPAC,), "near": ("us_147",), "condition": "A", "order": 3}
    table = laid_out(operation=led(), means={ALLIES: noted, JAPAN: noted})
    close(table)

    for side in (JAPAN, ALLIES):
        mine = means(table, side)
        assert ({}, (), (), "", -1) == (mine.used, mine.charged, mine.near, mine.condition, mine.order)
    assert {SOPAC: 30, "hq_swpa": 20} == means(table, ALLIES).points


def test_p5_3_p0_4_1_ships_that_were_shown_in_a_port_are_hidden_again() -> None:
    table = laid_out(operation=led())
    show_port(table, "suva", ALLIES)
    assert "cv_saratoga" in table.state.open.ships
    close(table)

    assert {} == table.state.open.ships
    assert [] == table.state.open.struck
    sound(table)


def test_p5_3_2_as_much_is_sealed_for_both_whoever_has_noted_what() -> None:
    plain = laid_out(operation=led())
    noted = laid_out(operation=led(), means={ALLIES: {"used": {SOPAC: 12}, "order": 3}})
    for table in (plain, noted):
        close(table)

    assert [type(fact) for fact in plain.facts] == [type(fact) for fact in noted.facts]
    assert [JAPAN, ALLIES] == [fact.side for fact in told(plain.facts, MeansAre)]
