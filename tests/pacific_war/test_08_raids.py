"""P8.1, P8.2 Strategic bombing: bases, the raids that are sent, what comes of them, bases that are lost."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.dice import seeded
from domain.kernel.table import Table
from domain.pacific_war.battle.control import capture
from domain.pacific_war.board.charts import BOXES, LOCATIONS
from domain.pacific_war.board.table import Air
from domain.pacific_war.board.war import Post
from domain.pacific_war.clock import default
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_war import BombingPoints, LiftSBP, PlaceSBP, SendRaid
from domain.pacific_war.facts.homefront import BombersAre, HomelandIs
from domain.pacific_war.homefront.raids import StrategicBombing, bombing, capacity, targets
from tests.pacific_war.board import dice_left, options, take, told
from tests.pacific_war.campaign import ALLIES, JAPAN, administration, campaign_at, laid_out, of
from tests.pacific_war.twins import sent

FORCES: Mapping[str, Post] = {"hq_cincpac": Post("saipan")}
"""The Pacific Ocean Areas at Saipan, so that it is Linked."""


def scene(month: str = "1945-03", foul: tuple[str, ...] = (), **bombers: int) -> Table:
    """A table of S2: Saipan is a great base of the Allies, Japan has no aircraft and no garrison there."""
    table = laid_out(month, "S2")
    war = table.state.open.war
    assert war is not None
    war.bombers, war.foul, war.posts = dict(bombers), foul, war.posts | FORCES
    board, own = table.state.open, table.state.own[JAPAN]
    for place in ("saipan", "guam"):
        board.bases[place] = type(board.bases[place])(ALLIES, port=2, airbase=4)
    own.air = {}
    own.ground = {u: g for u, g in own.ground.items() if g.hex != LOCATIONS["saipan"].hex}
    return table


def raiding(*dice: int, **more: Any) -> Table:
    return campaign_at(StrategicBombing(), *dice, table=scene(**more))


# where they stand


def test_p8_1_a_great_linked_airbase_takes_8_points_for_each_of_its_size_and_the_box_2() -> None:
    table = scene()
    tell_links(table, ALLIES)
    board, own = table.open, table.own[ALLIES]

    assert (32, 2) == (capacity(board, own, "saipan"), capacity(board, own, "chengtu"))
    board.bases["saipan"] = type(board.bases["saipan"])(ALLIES, airbase=3)
    assert 24 == capacity(board, own, "saipan")
    board.bases["saipan"] = type(board.bases["saipan"])(ALLIES, airbase=2)
    assert 0 == capacity(board, own, "saipan")
    assert 0 == capacity(board, own, "tokyo")


def test_p8_1_an_airbase_without_a_link_takes_none() -> None:
    table = scene()
    table.state.own[ALLIES].means.links = {}

    assert 0 == capacity(table.open, table.own[ALLIES], "saipan")


@pytest.mark.parametrize(("month", "fresh"), [("1944-06", 2), ("1944-07", 0), ("1945-04", 3)])
def test_p14_3_p8_1_points_that_come_are_placed_and_others_lifted_first(month: str, fresh: int) -> None:
    table = administration("8.1", ALLIES, table=scene(month, saipan=4))
    war = table.open.war

    assert war is not None
    assert fresh == war.grounded
    assert [LiftSBP("saipan", n) for n in (1, 2, 3, 4)] == of(table, ALLIES, LiftSBP)
    take(table, ALLIES, LiftSBP("saipan", 3))
    assert [] == of(table, ALLIES, LiftSBP)
    assert ({"saipan": 1}, fresh + 3) == (war.bombers, war.grounded)
    take(table, ALLIES, PlaceSBP("chengtu"), BombingPoints(2))
    assert ({"saipan": 1, "chengtu": 2}, fresh + 1) == (war.bombers, war.grounded)
    assert PlaceSBP("chengtu") not in options(table, ALLIES)
    assert PlaceSBP("saipan") in options(table, ALLIES)
    take(table, ALLIES, PlaceSBP("saipan"), *([BombingPoints(fresh + 1)] if fresh else []))
    assert ({"saipan": fresh + 2, "chengtu": 2}, 0) == (war.bombers, war.grounded)


def test_p8_1_points_are_placed_until_none_is_left_before_one_is_done() -> None:
    """Given points without a base and room for them, then one is not done; who places none lets the clock."""
    table = administration("8.1", ALLIES, table=scene("1944-06", saipan=4))

    assert Done() not in options(table, ALLIES)
    assert PlaceSBP("chengtu") == default(table.state, ALLIES, table.prompts[ALLIES])
    take(table, ALLIES, PlaceSBP("saipan"), BombingPoints(2))
    assert not [one for one in options(table, ALLIES) if isinstance(one, PlaceSBP)]


def test_p8_1_points_for_which_there_is_no_room_wait() -> None:
    given = scene("1944-06", chengtu=2)
    for place in ("saipan", "guam"):
        given.state.open.bases[place] = replace(given.state.open.bases[place], airbase=2)
    given.state.own[ALLIES].means.links = {}
    given.state.open.war.posts = {}
    table = administration("8.1", ALLIES, table=given)

    assert 2 == table.open.war.grounded
    assert [LiftSBP("chengtu", 1), LiftSBP("chengtu", 2), Done()] == options(table, ALLIES)


def test_p8_1_nothing_is_lifted_once_points_are_placed() -> None:
    table = administration("8.1", ALLIES, table=scene("1944-06", saipan=4))
    take(table, ALLIES, PlaceSBP("chengtu"), BombingPoints(1))

    assert [] == of(table, ALLIES, LiftSBP)
    assert 5 + 1 == bombing(table.open)


def test_p8_1_japan_and_a_campaign_have_no_bombing_points() -> None:
    assert [] == of(administration("8.1", JAPAN, table=scene("1944-06", saipan=4)), JAPAN, LiftSBP)
    assert [] == of(administration("8.1", ALLIES), ALLIES, PlaceSBP)


# raids


def test_p8_2_saipan_reaches_tokyo_and_the_box_three_places_of_kyushu_and_honshu() -> None:
    assert "tokyo" in targets("saipan")
    assert {"sasebo", "kure", "kanoya"} == targets("chengtu")
    assert frozenset() == targets("pearl_harbor")
    assert "chengtu" in BOXES


@pytest.mark.parametrize(
    ("month", "modes"),
    [
        ("1944-05", []),
        ("1944-06", ["precision"]),
        ("1945-02", ["precision"]),
        ("1945-03", ["precision", "incendiary", "mining"]),
    ],
)
def test_p8_2_each_mode_from_its_month(month: str, modes: list[str]) -> None:
    table = raiding(month=month, saipan=4)

    assert [SendRaid("saipan", mode) for mode in modes] == of(table, ALLIES, SendRaid)  # type: ignore[arg-type]


def test_p8_2_p6_3_foul_weather_in_the_north_leaves_the_other_modes() -> None:
    table = raiding(saipan=4, foul=("north",))

    assert ["incendiary", "mining"] == [one.mode for one in of(table, ALLIES, SendRaid)]


def test_p8_2_points_fly_once_and_nobody_is_asked_when_none_is_left() -> None:
    table = raiding(9, 9, saipan=4, chengtu=1)
    take(table, ALLIES, SendRaid("saipan", "incendiary"))
    assert [BombingPoints(n) for n in (1, 2, 3, 4)] == options(table, ALLIES)
    take(table, ALLIES, BombingPoints(3))

    assert SendRaid("saipan", "incendiary") not in options(table, ALLIES)
    assert SendRaid("saipan", "mining") in options(table, ALLIES)
    assert SendRaid("chengtu", "incendiary") in options(table, ALLIES)
    take(table, ALLIES, SendRaid("saipan", "mining"))
    assert [BombingPoints(1)] == options(table, ALLIES)


def test_p8_3_p10_1_a_raid_lowers_the_homeland_level_and_mining_sinks_ships() -> None:
    """Given 8 points: column 5 for incendiaries, face 0: 4; column 5 - 2 for 8 points of mines, face 0: 2."""
    table = raiding(0, 0, saipan=16)
    take(table, ALLIES, SendRaid("saipan", "incendiary"))
    take(table, ALLIES, BombingPoints(8))
    take(table, ALLIES, SendRaid("saipan", "mining"))
    facts = take(table, ALLIES, BombingPoints(8))

    assert 0 == dice_left(table)
    assert [(49, 16), (47, 16)] == [(one.msp, one.hrl) for one in told(facts, HomelandIs)]
    war = table.open.war
    assert war is not None
    assert (47, 16, {"saipan": 16}) == (war.msp, war.hrl, war.bombers)


def flown(steps: int) -> list[tuple[bytes, bytes]]:
    """Raid Japan past one fighter unit at Tokyo; return what the Allies and the onlookers are sent."""
    given = scene(saipan=4)
    given.state.own[JAPAN].air = {"ja_1e_5ad": Air("tokyo", steps, 1, active=False)}
    given.state.open.airfields = (["tokyo"], given.state.open.airfields[1])
    table = campaign_at(StrategicBombing(), table=given)
    take(table, ALLIES, SendRaid("saipan", "incendiary"))
    return sent(table.state, seeded(1), ALLIES, [BombingPoints(4)], ALLIES)


def test_p8_3_p0_4_1_whether_there_is_a_home_defence_is_not_told_by_its_die() -> None:
    """Given a fighter unit of 1 step or of 2, then no die falls or one without effect, unseen by all."""
    assert flown(1) == flown(2)


def test_p8_2_the_allies_may_send_none() -> None:
    table = raiding(saipan=4)
    facts = take(table, ALLIES, Done())

    assert [] == told(facts, BombersAre)


# a base that is lost


def test_p2_6_points_of_a_captured_base_fly_to_the_box_and_to_bases_with_room() -> None:
    table = scene(saipan=6)
    tell_links(table, ALLIES)
    capture(table, "saipan", JAPAN)
    war = table.open.war

    assert war is not None
    assert 2 == war.bombers["chengtu"]
    assert 6 == sum(war.bombers.values())
    assert "saipan" not in war.bombers


def test_p2_6_points_without_a_place_to_fly_to_are_lost() -> None:
    table = scene(saipan=6)
    table.state.own[ALLIES].means.links = {}
    capture(table, "saipan", JAPAN)
    war = table.open.war

    assert war is not None
    assert {"chengtu": 2} == war.bombers
    assert 0 == war.grounded
