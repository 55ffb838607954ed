"""P33.3, P33.4 The war ends by Japan's victory, by its surrender, or with its last month; R-86."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.procedures import Procedure
from domain.kernel.table import Table
from domain.match.notices import GameEnded
from domain.pacific_war.account import PacificWarAccount
from domain.pacific_war.board.charts import LOCATIONS, SHIPS
from domain.pacific_war.board.war import Operation, Post
from domain.pacific_war.facts.cycle import Counted, ShipHit
from domain.pacific_war.facts.months import InitiativeIs, MonthIs, OperationIs
from domain.pacific_war.homefront.collapse import CAPITALS, OUTPOSTS, at_once, automatic, points
from domain.pacific_war.month import Month, MonthEnd
from domain.pacific_war.operations.operation import CampaignCycle
from domain.pacific_war.victory.war_victory import judge, standing
from tests.pacific_war.board import dice_left, faces, told
from tests.pacific_war.campaign import ALLIES, JAPAN, campaign_at, laid_out


def at_end(month: str, *dice: int, scenario: str = "S2", hrl: int = 20, msp: int = 49, **held: int) -> Table:
    """A table at a month end; `held` are locations to who controls them."""
    table = laid_out(month, scenario)
    war = table.state.open.war
    assert war is not None
    war.hrl, war.msp = hrl, msp
    for place, side in held.items():
        table.state.open.bases[place] = replace(table.state.open.bases[place], control=side)
    table.dice._rolls = faces(*dice)  # type: ignore[attr-defined]
    table.facts = []
    return table


def ended(table: Table) -> tuple[Any, ...]:
    """Judge the month; return who has won and the level, or nothing."""
    judge(table)
    assert 0 == dice_left(table)
    return tuple((one.winner, one.reason) for one in told(table.facts, GameEnded))


# automatic victory


@pytest.mark.parametrize(
    ("month", "held"),
    [
        ("1941-12", ("pearl_harbor",)),
        ("1943-12", ("pearl_harbor",)),
        ("1942-02", CAPITALS[:2]),
        ("1942-12", OUTPOSTS[:5]),
    ],
)
def test_p33_3_japan_wins_s1_at_once(month: str, held: tuple[str, ...]) -> None:
    table = at_end(month, scenario="S1", **dict.fromkeys(held, JAPAN))

    assert ((JAPAN, "Japanese decisive"),) == ended(table)


@pytest.mark.parametrize(
    ("month", "held"),
    [
        ("1944-01", ("pearl_harbor",)),
        ("1942-11", OUTPOSTS[:5]),
        ("1942-12", OUTPOSTS[:4]),
        ("1942-12", CAPITALS[:1]),
    ],
)
def test_p33_3_japan_does_not_win_too_late_or_with_too_little(month: str, held: tuple[str, ...]) -> None:
    assert () == ended(at_end(month, scenario="S1", **dict.fromkeys(held, JAPAN)))


def in_oahu(procedure: Procedure, scenario: str = "S1", month: str = "1942-06") -> Table:
    """A table at a procedure, with Japanese troops alone at Pearl Harbor."""
    table = laid_out(month, scenario)
    table.state.open.advantage = JAPAN
    first = next(unit for unit, ground in table.state.own[JAPAN].ground.items() if ground.hex)
    for side, left in ((JAPAN, (first,)), (ALLIES, ())):
        own = table.state.own[side]
        own.ships, own.air, own.ground = {}, {}, {unit: own.ground[unit] for unit in left}
    units = {first: {"hex": LOCATIONS["pearl_harbor"].hex, "active": True}}
    table.record(OperationIs(Operation(JAPAN, "hq_cf", 60, ap=10, level=1), "for the test", begun=True))
    return campaign_at(procedure, table=table, units=units)


def test_p33_3_p0_7_japan_wins_when_pearl_harbor_falls_and_not_first_at_the_month_end() -> None:
    table = in_oahu(CampaignCycle(cycle=2, at="settle"))

    assert JAPAN == table.state.open.bases["pearl_harbor"].control
    assert [(JAPAN, "Japanese decisive")] == [(o.winner, o.reason) for o in told(table.facts, GameEnded)]
    assert table.state.match.over
    assert table.state.open.war.operation is None


def test_p33_3_p0_7_it_may_fall_at_the_end_of_5_1_h_too() -> None:
    table = in_oahu(Month(at="isolation"))

    assert [(JAPAN, "Japanese decisive")] == [(o.winner, o.reason) for o in told(table.facts, GameEnded)]


@pytest.mark.parametrize(("scenario", "month"), [("S1", "1944-01"), ("S2", "1944-01")])
def test_p33_3_p0_7_after_1943_and_in_s2_the_war_goes_on(scenario: str, month: str) -> None:
    table = in_oahu(CampaignCycle(cycle=2, at="settle"), scenario, month)

    assert JAPAN == table.state.open.bases["pearl_harbor"].control
    assert not table.state.match.over


def test_p33_3_outposts_count_at_a_month_end_alone() -> None:
    assert automatic("1942-12", OUTPOSTS[:5])
    assert not at_once("1942-12", OUTPOSTS)


def test_p33_3_in_s2_japan_does_not_win_at_once() -> None:
    assert () == ended(at_end("1944-01", pearl_harbor=JAPAN))


# collapse


def collapsed(month: str, *dice: int) -> Table:
    """Given HRL 0 and no ships, then 5 and 4 points; Saipan, Iwo Jima, Manila and Rangoon make 13."""
    return at_end(month, *dice, hrl=0, msp=0, saipan=ALLIES, iwo_jima=ALLIES, manila=ALLIES, rangoon=ALLIES)


@pytest.mark.parametrize(("face", "ends"), [(8, False), (9, True)])
def test_p33_4_with_13_points_a_die_of_9_is_needed(face: int, ends: bool) -> None:
    table = collapsed("1945-04", face)

    assert 13 == points("1945-04", standing(table))
    assert (((ALLIES, "Allied decisive"),) if ends else ()) == ended(table)


@pytest.mark.parametrize(
    ("month", "result"),
    [
        ("1945-04", "Allied decisive"),
        ("1945-06", "Allied substantial"),
        ("1945-07", "Allied marginal"),
        ("1945-09", "draw"),
    ],
)
def test_p33_4_the_level_goes_by_the_month_of_the_surrender(month: str, result: str) -> None:
    assert [result] == [reason for _, reason in ended(collapsed(month, 9))]


def test_p33_4_before_june_1944_nothing_is_counted_and_below_13_no_die_falls() -> None:
    assert () == ended(collapsed("1944-05"))
    assert () == ended(at_end("1945-01", hrl=0, msp=0))


@pytest.mark.parametrize(
    ("hrl", "msp", "counted", "result"),
    [(0, 0, 12, "Japanese marginal"), (0, 15, 11, "Japanese decisive"), (20, 49, 3, "Japanese decisive")],
)
def test_p33_4_after_the_last_month_japan_has_held_out(hrl: int, msp: int, counted: int, result: str) -> None:
    """Given HRL and MSP of 0, Soviet entry and Saipan, then 5, 4, 2 and 1 points; and so on."""
    table = at_end("1945-09", hrl=hrl, msp=msp, saipan=ALLIES)

    assert counted == points("1945-09", standing(table))
    assert [(JAPAN, result)] == list(ended(table))


def test_p33_4_sunk_and_crippled_carriers_and_battleships_count() -> None:
    table = at_end("1945-01")
    own = table.state.own[JAPAN]
    before = points("1945-01", standing(table))
    for ship in own.ships:
        if SHIPS[ship].cls in ("CV", "CVL", "BB"):
            own.ships[ship] = replace(own.ships[ship], damage=SHIPS[ship].hits - 1)

    assert before + 2 == points("1945-01", standing(table))


def test_p33_4_atomic_bombs_need_a_great_linked_base_near_japan_and_five_bombing_points() -> None:
    table = at_end("1945-08", saipan=ALLIES)
    war = table.state.open.war
    assert war is not None
    table.state.open.bases["saipan"] = replace(table.state.open.bases["saipan"], airbase=4)
    own = table.state.own[JAPAN]
    own.air, own.ground = {}, {u: g for u, g in own.ground.items() if g.hex != LOCATIONS["saipan"].hex}
    war.posts = war.posts | {"hq_cincpac": Post("saipan")}
    war.bombers, war.grounded = {"saipan": 3}, 1
    assert not standing(table).bombs
    war.grounded = 2
    assert standing(table).bombs


# the month end


def test_p33_3_p4_3_a_month_without_an_end_is_followed_by_another() -> None:
    table = campaign_at(MonthEnd(), *[9] * 12, table=laid_out("1944-02", "S2"))

    assert [MonthIs("1944-03")] == told(table.facts, MonthIs)
    assert not table.state.match.over


def test_p33_4_r_86_an_operation_under_way_is_counted_before_the_end() -> None:
    table = at_end("1945-09")
    war = table.state.open.war
    assert war is not None
    war.operation, war.operations = Operation(JAPAN, "hq_cf", 5), 3
    judge(table)

    kinds = [type(fact) for fact in table.facts if isinstance(fact, InitiativeIs | Counted | GameEnded)]
    assert [InitiativeIs, Counted, GameEnded] == kinds
    assert table.state.match.over


def test_p33_4_the_account_tells_the_level_and_the_collapse() -> None:
    table = collapsed("1945-04", 9)
    judge(table)
    (end,) = told(table.facts, GameEnded)
    account = PacificWarAccount()

    assert "Allied decisive: 13 collapse points of Japan." == account.by_rules(table.open, end)
    assert {} == account.held(table.open)
    (loss,) = account.losses(table.open, ShipHit("cv_zuikaku", 3, 6, 6))
    assert 6 == loss.worth
