"""P9.1 to P9.3 in the months of the war: escort duty, priority, and what attrition takes."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.table import Table
from domain.pacific_war.board.charts import LOCATIONS, SHIPS
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_war import AssignEscort, Priority, ReleaseEscort
from domain.pacific_war.facts.cycle import ShipHit, UnitLost
from domain.pacific_war.facts.homefront import HomelandIs, ShippingFought
from domain.pacific_war.homefront.shipping import EscortDuty, SubmarinePriority, most_destroyers, suffer
from tests.pacific_war.board import dice_left, faces, options, take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, campaign_at, laid_out, of
from tests.pacific_war.invariants import invariants_of_state
from tests.pacific_war.test_01_strategic import begun


def duty(month: str = "1944-01", **changes: Any) -> Table:
    return campaign_at(EscortDuty(), table=laid_out(month, "S2"), **changes)


@pytest.mark.parametrize(
    ("month", "most"),
    [("1941-12", 2), ("1943-06", 2), ("1943-07", 4), ("1944-06", 4), ("1944-07", 6), ("1945-09", 6)],
)
def test_p9_1_how_many_destroyers_may_be_on_duty(month: str, most: int) -> None:
    assert most == most_destroyers(month)


def test_p9_1_fit_destroyers_of_the_homeland_and_of_four_ports_may_be_put_on_duty() -> None:
    table = duty()
    own = table.own[JAPAN]
    listed = {one.dd for one in of(table, JAPAN, AssignEscort)}

    ports = {own.ships[dd].port for dd in listed}
    assert listed
    assert {SHIPS[dd].cls for dd in listed} == {"DD"}
    assert all(LOCATIONS[port].homeland or port in ("takao", "singapore", "palau", "truk") for port in ports)
    every = {
        ship
        for ship, one in own.ships.items()
        if SHIPS[ship].cls == "DD"
        and (LOCATIONS[one.port].homeland or one.port in ("takao", "singapore", "palau", "truk"))
    }
    assert every == listed


def test_p9_1_a_crippled_destroyer_and_one_elsewhere_may_not() -> None:
    first, second, *_ = sorted(one.dd for one in of(duty(), JAPAN, AssignEscort))
    table = duty(units={first: {"damage": SHIPS[first].hits - 1}, second: {"port": "rabaul"}})

    assert not {first, second} & {one.dd for one in of(table, JAPAN, AssignEscort)}


def test_p9_1_p41_1_who_is_on_duty_is_in_no_port_and_the_limit_holds() -> None:
    table = duty()
    for n in range(4):
        dd = of(table, JAPAN, AssignEscort)[0].dd
        take(table, JAPAN, AssignEscort(dd))
        assert n + 1 == len(table.own[JAPAN].means.escorting)
        assert "" == table.own[JAPAN].ships[dd].port
        assert [] == list(invariants_of_state(table.state))

    assert JAPAN not in table.prompts or [] == of(table, JAPAN, AssignEscort)


def test_p9_1_a_unit_is_released_to_a_port_of_the_homeland_in_another_month() -> None:
    table = duty()
    dd = of(table, JAPAN, AssignEscort)[0].dd
    take(table, JAPAN, AssignEscort(dd))
    assert [] == of(table, JAPAN, ReleaseEscort)  # each unit once a month
    take(table, JAPAN, Done())

    later = campaign_at(EscortDuty(), table=table)
    ports = {one.port for one in of(later, JAPAN, ReleaseEscort)}
    assert {one.dd for one in of(later, JAPAN, ReleaseEscort)} == {dd}
    assert all(LOCATIONS[port].homeland for port in ports)
    take(later, JAPAN, ReleaseEscort(dd, "kure"))
    assert ("kure", ()) == (later.own[JAPAN].ships[dd].port, later.own[JAPAN].means.escorting)
    assert AssignEscort(dd) not in options(later, JAPAN)


def test_p9_1_p0_4_2_the_allies_learn_nothing_of_an_order_but_what_a_port_shows() -> None:
    table = duty()
    dd = of(table, JAPAN, AssignEscort)[0].dd
    facts = take(table, JAPAN, AssignEscort(dd))

    others = [fact for fact in facts if Audience.of(ALLIES).sees(fact.audience())]
    assert not any(dd in str(fact) for fact in others)


@pytest.mark.parametrize("what", ["merchants", "escorts"])
def test_p9_2_the_allies_choose_what_their_submarines_go_for(what: Any) -> None:
    table = campaign_at(SubmarinePriority(), table=laid_out(scenario="S2"))

    assert [Priority("merchants"), Priority("escorts")] == options(table, ALLIES)
    facts = take(table, ALLIES, Priority(what))
    assert what == table.own[ALLIES].means.priority
    assert not any(Audience.of(JAPAN).sees(fact.audience()) for fact in facts if what in str(fact))


# 5.1.F


def sea(*dice: int, month: str = "1944-01", mine: Any = None, theirs: Any = None) -> Table:
    """A table of S2 before the attrition, with these means of Japan and of the Allies."""
    table = laid_out(month, "S2")
    for side, fields in ((JAPAN, mine or {}), (ALLIES, theirs or {})):
        for name, value in fields.items():
            setattr(table.state.own[side].means, name, value)
    table.dice._rolls = faces(*dice)  # type: ignore[attr-defined]
    table.facts = []
    return table


def test_p9_3_r_82_what_fought_is_told_and_the_losses_are_taken() -> None:
    """Given 12 points, level 3, 4 escorts: column 6 + 1 - 1, face 3: 3; sea face 1: 2; column 5 - 5: none."""
    table = sea(3, 1, 0, mine={"escorts": 4}, theirs={"duty": 12, "level": 3})
    suffer(table)
    war = table.open.war

    assert 0 == dice_left(table)
    (fought,) = told(table.facts, ShippingFought)
    assert (12, 4, "merchants") == (fought.boats, fought.escorts, fought.priority)
    assert (3, 0, 2, 0) == (fought.merchants_lost, fought.escorts_lost, fought.marine, fought.boats_lost)
    assert [49 - 5] == [one.msp for one in told(table.facts, HomelandIs)]
    assert war is not None
    assert (44, 12, 4) == (war.msp, table.own[ALLIES].means.duty, table.own[JAPAN].means.escorts)


def test_p9_3_without_submarines_on_duty_only_the_sea_takes_its_toll() -> None:
    table = sea(9, theirs={"duty": 0})
    suffer(table)

    assert 0 == dice_left(table)
    assert [49] == [one.msp for one in told(table.facts, HomelandIs)]


def test_p9_3_r_35_escorts_lost_are_markers_then_hits_on_destroyers() -> None:
    """Given 61 points at escorts: column 12 - 4, face 9: 1 is not enough; face 0: 8, markers 1, then hits."""
    table = sea(9, 0, 9, 9, mine={"escorts": 1}, theirs={"duty": 61, "priority": "escorts", "level": 2})
    own = table.state.own[JAPAN]
    dds = sorted(ship for ship in own.ships if SHIPS[ship].cls == "DD")[:3]
    own.ships |= {dd: type(own.ships[dd])(active=False) for dd in dds}
    own.means.escorting = tuple(dds)
    suffer(table)

    (fought,) = told(table.facts, ShippingFought)
    assert ("escorts", 4, 4) == (fought.priority, fought.escorts, fought.escorts_lost)
    assert 0 == own.means.escorts
    hit = {one.ship: one.hits for one in told(table.facts, ShipHit)}
    assert 3 == sum(hit.values())
    assert next(iter(hit)) == dds[0]
    sunk = {one.unit for one in told(table.facts, UnitLost)}
    assert sunk == {dd for dd, hits in hit.items() if hits >= SHIPS[dd].hits}
    assert set(own.means.escorting) == set(dds) - sunk


def test_p9_3_submarine_points_on_merchant_duty_are_lost() -> None:
    """Given 20 escorts and 5: column 8, shift -5, face 0: 2 points."""
    table = sea(9, 9, 0, mine={"escorts": 20}, theirs={"duty": 3, "level": 0})
    suffer(table)

    assert 0 == dice_left(table)
    assert 1 == table.own[ALLIES].means.duty


def test_p9_4_s1_1_the_first_attrition_of_s1_is_in_january_1942() -> None:
    assert [] == [fact for _, fact in begun().log if isinstance(fact, ShippingFought)]
