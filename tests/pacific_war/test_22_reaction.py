"""P22 Reaction limits, by Condition and Operation Level."""

import pytest

from domain.kernel.table import Table
from domain.pacific_war.board.war import Operation
from domain.pacific_war.command.costs import joint_limit, reaction_hexes, reaction_limit
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import Activate, PayFrom, TimeMultiple
from domain.pacific_war.facts.months import under_way
from tests.pacific_war.board import kinds, options
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    act,
    means,
    operation,
    outset,
    phases,
    sail,
    wake,
    within,
)


@pytest.mark.parametrize(("ap", "surprise", "intercept", "ambush", "later"), [
    (1, 3, 6, 1, 1), (4, 3, 6, 6, 6), (8, 3, 6, 12, 12), (9, 3, 6, 13, 13), (10, 3, 7, 15, 15),
    (12, 3, 9, 18, 18), (15, 3, 11, 22, 22), (16, 4, 12, 24, 24), (27, 6, 20, 40, 40),
])  # fmt: skip
def test_p22_1_p20_4_the_limits_of_activation_points(
    ap: int, surprise: int, intercept: int, ambush: int, later: int
) -> None:
    run = Operation(ALLIES, "hq_sopac", 40, ap=ap)

    assert [surprise, intercept, ambush] == [
        reaction_limit(run, "S"),
        reaction_limit(run, "I"),
        reaction_limit(run, "A"),
    ]
    assert later == joint_limit(run)


@pytest.mark.parametrize(("moved", "surprise", "intercept", "ambush"), [
    (0, 0, 0, 3), (3, 0, 1, 6), (6, 0, 3, 9), (9, 0, 4, 12), (15, 0, 7, 18), (18, 0, 9, 18),
    (21, 0, 9, 18), (30, 0, 9, 18),
])  # fmt: skip
def test_p22_1_the_hexes_of_reaction_contact(moved: int, surprise: int, intercept: int, ambush: int) -> None:
    run = [Operation(ALLIES, "hq_sopac", 40, moved=moved, condition=one) for one in ("S", "I", "A")]

    assert [surprise, intercept, ambush] == [reaction_hexes(one) for one in run]


def reacting(condition: str = "I", *, level: int = 2, ap: int = 12, points: int = 30) -> Table:
    """Return a table at 5.1.S, with an Allied task force 3 hexes from Shortland."""
    table = outset(points=({"hq_sea": points, "hq_cf": 30}, {"hq_sopac": 14}))
    operation(table, ap=ap, level=level, condition=condition)
    means(table, JAPAN, condition=condition)
    sail(table, "A1", "5042", ["cv_saratoga"], ["ca_us1", "dd_us1"])
    return within(table, "reaction", 0, 0, 0, 0, 0)


@pytest.mark.parametrize(("condition", "left"), [("S", 3), ("I", 9), ("A", 18)])
def test_p22_1_he_may_spend_as_much_as_the_condition_gives(condition: str, left: int) -> None:
    table = reacting(condition)
    act(table, JAPAN, PayFrom("hq_sea"))

    assert f"[hq_sea] has {left} Command Points to spend" in table.prompts[JAPAN].text


def test_p22_1_r_28_hq_cost_is_outside_the_limit() -> None:
    """Given a limit of 18 and 16 points, 13 AP and the cost of 3 can be paid, due with the 11th."""
    table = reacting("A", points=16)
    act(table, JAPAN, PayFrom("hq_sea"))
    while any(isinstance(one, Activate) for one in options(table, JAPAN)):
        act(table, JAPAN, next(one for one in options(table, JAPAN) if isinstance(one, Activate)))
        if "AssignToTF" in kinds(table, JAPAN) or "FormTF" in kinds(table, JAPAN):
            act(table, JAPAN, options(table, JAPAN)[0])

    held = table.state.own[JAPAN].means
    assert ({"hq_sea": 13}, ("hq_sea",), None) == (held.used, held.charged, held.points.get("hq_sea"))


def test_p22_1_done_with_nothing_activated_and_no_time_multiple() -> None:
    table = reacting()
    act(table, JAPAN, PayFrom("hq_sea"))
    act(table, JAPAN, Activate("jn_1e_25af"))

    assert d.Done() in options(table, JAPAN)
    assert not any(isinstance(one, TimeMultiple) for one in options(table, JAPAN))
    table = reacting()
    facts = act(table, JAPAN, d.Done())
    assert "5.1.T" in phases(facts)
    assert 0 == under_way(table.state.open).answered


@pytest.mark.parametrize(("level", "changes"), [(1, False), (2, False), (3, True)])
def test_p22_1_a_second_headquarters_at_level_3_alone(level: int, changes: bool) -> None:
    table = reacting(level=level)
    act(table, JAPAN, PayFrom("hq_sea"))
    act(table, JAPAN, Activate("jn_1e_25af"))

    assert changes == (PayFrom("hq_cf") in options(table, JAPAN))


def test_p22_1_p11_6_1_at_level_1_only_units_within_10_hexes() -> None:
    """Given the task force at 5042: Rabaul is 5 hexes away, Truk 12; fighters at Port Moresby count too."""
    for level, far in ((1, False), (2, True)):
        table = reacting(level=level)
        act(table, JAPAN, PayFrom("hq_cf"))
        able = {one.unit for one in options(table, JAPAN) if isinstance(one, Activate)}
        assert "jn_1e_25af" in able
        assert far == ("jp_ichiki" in able)


def test_p22_1_at_level_1_activated_ground_and_air_units_of_the_operation_count() -> None:
    table = outset(points=({"hq_sea": 30}, {"hq_sopac": 14}))
    operation(table, level=1, condition="I")
    means(table, JAPAN, condition="I")
    sail(table, "A1", OPEN_SEA, screen=["dd_us1"])
    wake(table, "us_1e_35fg")
    table = within(table, "reaction", 9, 9, 9)
    act(table, JAPAN, PayFrom("hq_sea"))

    assert Activate("jn_1e_25af") in options(table, JAPAN)
