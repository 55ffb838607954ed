"""P8 Strategic bombing: the home defence, the modes, and what Japan loses."""

from typing import Any

import pytest

from domain.kernel.facts import Rolled, RolledUnseen
from domain.kernel.table import Table
from domain.pacific_war.board.charts import AIR, CLASSES, LOCATIONS, OWNERS
from domain.pacific_war.board.table import Air
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.homefront.strategic_bombing import (
    MODES,
    START_HRL,
    Raid,
    allowed,
    defenders,
    escorted,
    fly,
    lowered,
    raids,
)
from tests.pacific_war.board import dice_left, rolls, told
from tests.pacific_war.months import ALLIES, JAPAN, campaign

FIGHTERS = sorted(u for u, one in AIR.items() if OWNERS[u] == JAPAN and CLASSES[one.cls].kind == "1E")
"""The fighter units of Japan."""


def homeland(
    *dice: int, fighters: int = 0, iwo_jima: bool = False, month: str = "1945-03", **base: Any
) -> Table:
    """Return a table where Japan has fighters of 3 steps at Tokyo, and the Allies have Iwo Jima or not."""
    bases: dict[str, dict[str, int]] = {"tokyo": {"control": JAPAN, "airbase": 4} | base}
    if iwo_jima:
        bases["iwo_jima"] = {"control": ALLIES, "airbase": 2}
    table = campaign(*dice, month=month, bases=bases, posts={"hq_sopac": Post("iwo_jima")})
    table.state.own[JAPAN].air |= {unit: Air("tokyo", 3, 1) for unit in FIGHTERS[:fighters]}
    tell_links(table, ALLIES)
    table.facts = []
    return table


def test_p8_3_the_home_defence_counts_fit_fighters_at_homeland_airbases_up_to_8() -> None:
    """Given 10 fighter units at Tokyo, then 8 count; with fewer steps, interdicted, or lost, none."""
    table = homeland(fighters=10)
    own = table.state.own[JAPAN]
    assert 8 == defenders(table.open, own)
    assert 3 == defenders(homeland(fighters=3).open, homeland(fighters=3).state.own[JAPAN])

    weak = homeland(fighters=3)
    unit = next(u for u, one in weak.state.own[JAPAN].air.items() if one.home == "tokyo")
    weak.state.own[JAPAN].air[unit] = Air("tokyo", 1, 1)
    assert 2 == defenders(weak.open, weak.state.own[JAPAN])
    weak.state.own[JAPAN].air[unit] = Air("tokyo", 2, 1)
    assert 3 == defenders(weak.open, weak.state.own[JAPAN])
    bomber = homeland(fighters=1)
    bomber.state.own[JAPAN].air["jn_2e_25af"] = Air("tokyo", 4, 1)
    assert 1 == defenders(bomber.open, bomber.state.own[JAPAN])

    for gone in (homeland(fighters=3, airbase_damage=4), homeland(fighters=3, control=ALLIES)):
        assert 0 == defenders(gone.open, gone.state.own[JAPAN])


@pytest.mark.parametrize(("iwo_jima", "target", "shift"), [(False, "column 2", -3), (True, "column 1", -4)])
def test_p8_3_it_is_shifted_by_3_by_4_with_iwo_jima(iwo_jima: bool, target: str, shift: int) -> None:
    """Given 8 defenders, column 5, then column 2 or 1; 10 points fly as incendiaries in column 6."""
    table = homeland(9, 9, fighters=8, iwo_jima=iwo_jima)
    fly(table, "incendiary", {"saipan": 10})

    assert [("home defence", target, shift), ("incendiary raid", "column 6", 0)] == rolls(table.facts)


def test_p8_3_iwo_jima_counts_as_a_linked_airbase_of_the_allies() -> None:
    table = homeland(iwo_jima=True)
    board, own = table.open, table.state.own[ALLIES]
    assert LOCATIONS["iwo_jima"].hex in own.means.links["hq_sopac"]
    assert escorted(board, own)

    own.means.links = {}
    assert not escorted(board, own)
    assert not escorted(homeland().open, homeland().state.own[ALLIES])
    bare = homeland(iwo_jima=True)
    bare.state.open.bases["iwo_jima"] = type(bare.state.open.bases["iwo_jima"])(ALLIES)
    assert not escorted(bare.open, bare.state.own[ALLIES])
    foe = homeland(iwo_jima=True)
    foe.state.open.bases["iwo_jima"] = type(bare.state.open.bases["iwo_jima"])(JAPAN, airbase=2)
    assert not escorted(foe.open, foe.state.own[ALLIES])


@pytest.mark.parametrize(
    ("mode", "target", "raid"),
    [
        ("precision", "column 5", Raid({}, hrl=2)),
        ("incendiary", "column 6", Raid({}, hrl=3)),
        ("mining", "column 4", Raid({}, msp=1)),
    ],
)
def test_p8_3_each_mode_has_its_shift_and_its_effect(mode: Any, target: str, raid: Raid) -> None:
    """Given 10 points, column 6, at face 3, then precision -1, incendiary 0, mining -2 and shipping."""
    table = homeland(3)

    assert raid == fly(table, mode, {"saipan": 10})
    assert [target] == [shown for _, shown, _ in rolls(table.facts)]
    assert 0 == dice_left(table)


def test_p8_3_what_the_defence_shoots_down_comes_off_before_the_effect_from_the_base_with_most() -> None:
    """Given 8 defenders, column 2 at face 0: 2 hits; of 4 and 3 points 2 and 3 are left, column 4."""
    table = homeland(0, 9, fighters=8)
    raid = fly(table, "incendiary", {"saipan": 3, "guam": 4})

    assert {"guam": 2} == raid.lost  # at 3 and 3 by id
    assert ("incendiary raid", "column 4", 0) == rolls(table.facts)[-1]


def test_p8_3_p3_1_of_a_group_that_is_shot_down_nothing_is_left_to_bomb() -> None:
    table = homeland(0, fighters=8)

    assert Raid({"saipan": 2}) == fly(table, "precision", {"saipan": 2})
    assert 0 == dice_left(table)


def test_p8_3_p0_2_2_the_die_of_the_home_defence_is_unseen_and_that_of_the_effect_is_open() -> None:
    table = homeland(9, 9, fighters=3)
    fly(table, "mining", {"saipan": 10})

    assert [("home defence", JAPAN)] == [(one.purpose, one.by) for one in told(table.facts, RolledUnseen)]
    assert [("mining raid", ALLIES)] == [(one.purpose, one.by) for one in told(table.facts, Rolled)]


def test_p8_3_the_groups_fly_in_the_order_precision_incendiary_mining() -> None:
    table = homeland(9, 9)
    found = raids(table, {"mining": {"saipan": 3}, "precision": {"guam": 5}, "incendiary": {}})

    assert ["precision", "mining"] == [*found]
    assert ["precision raid", "mining raid"] == [purpose for purpose, _, _ in rolls(table.facts)]
    assert ("precision", "incendiary", "mining") == MODES


@pytest.mark.parametrize(
    ("mode", "before", "since"),
    [
        ("precision", "1944-05", "1944-06"),
        ("incendiary", "1945-02", "1945-03"),
        ("mining", "1945-02", "1945-03"),
    ],
)
def test_p8_2_the_modes_have_their_first_months(mode: Any, before: str, since: str) -> None:
    assert (False, True) == (allowed(mode, before), allowed(mode, since))


def test_p8_1_the_homeland_resource_level_starts_at_20_and_ends_at_0() -> None:
    assert (20, 17, 0) == (START_HRL, lowered(20, 3), lowered(2, 3))
