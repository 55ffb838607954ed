"""P26.1, P26.2 Lighting and P27 Advantage in an Operation."""

from typing import Any

import pytest

from domain.kernel.facts import Rolled
from domain.kernel.table import Table
from domain.pacific_war.battle.lighting import modifiers, take_advantage
from domain.pacific_war.decisions.choices import ChooseLighting
from domain.pacific_war.facts.cycle import AdvantageIs, LightingIs
from domain.pacific_war.facts.months import war
from domain.pacific_war.operations.operation import CampaignCycle
from tests.pacific_war.board import Die, options, rolls, told
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    act,
    operation,
    outset,
    phase,
    play,
    put,
    sail,
    within,
)

FIRST = ["Day", "Day", "Day", "Day", "Day", "Day", "Dusk", "Dusk", "Night", "Night"]
AFTER = {
    "Day": ["Day", "Day", "Day", "Day", "Dusk", "Dusk", "Night", "Night", "Night", "Night"],
    "Dusk": ["Day", "Day", "Day", "Day", "Day", "Dusk", "Night", "Night", "Night", "Night"],
    "Night": ["Day", "Day", "Day", "Day", "Day", "Day", "Day", "Day", "Dusk", "Night"],
}


def first(condition: str = "I", *dice: Die, forced: bool = False, before: Any = "Day") -> Table:
    """Return a table at the first cycle of an Allied Operation."""
    table = outset()
    operation(table, condition=condition, forced=forced)
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["dd_us1"])
    table.record(LightingIs(before))
    return within(table, "fight", *dice)


@pytest.mark.parametrize("condition", ["S", "I"])
@pytest.mark.parametrize("pick", ["Day", "Night"])
def test_p26_1_who_ended_contact_himself_picks_the_lighting(condition: str, pick: Any) -> None:
    table = first(condition, 5, 5)
    assert [ChooseLighting("Day"), ChooseLighting("Night")] == options(table, ALLIES)
    assert "26.1" == table.prompts[ALLIES].rule
    facts = act(table, ALLIES, ChooseLighting(pick))

    assert pick == table.state.open.lighting
    assert "lighting" not in [purpose for purpose, _, _ in rolls(facts)]


@pytest.mark.parametrize("face", range(10))
@pytest.mark.parametrize(("condition", "forced"), [("A", False), ("I", True), ("S", True), ("A", True)])
def test_p26_1_p23_5_after_a_forced_end_or_an_ambush_it_is_rolled(
    condition: str, face: int, *, forced: bool
) -> None:
    """Whatever the lighting of the last Operation was, the first row counts."""
    for before in ("Day", "Night"):
        table = first(condition, face, 5, 5, forced=forced, before=before)

        assert FIRST[face] == table.state.open.lighting
        assert "lighting" == told(table.facts, Rolled)[0].purpose


@pytest.mark.parametrize("face", range(10))
@pytest.mark.parametrize("before", ["Day", "Dusk", "Night"])
def test_p26_2_later_cycles_are_rolled_by_the_last_lighting(before: Any, face: int) -> None:
    table = outset()
    operation(table, condition="I")
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["dd_us1"])
    table.record(LightingIs(before))
    table = play(table, CampaignCycle(cycle=2), face, 5, 5)

    assert AFTER[before][face] == table.state.open.lighting


@pytest.mark.parametrize("day", [29, 30])
def test_p26_2_a_month_end_does_not_reset_it(day: int) -> None:
    """Given Night before, 9 is Night again; in a first cycle he would be asked."""
    table = outset(day=day)
    operation(table, condition="I")
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["dd_us1"])
    table.record(LightingIs("Night"))
    table = within(table, "day", 9, 5, 5, cycle=1)

    assert "Night" == table.state.open.lighting
    assert "1942-10" == war(table.state.open).month


# P27


def shifts(table: Table, side: int, cycle: int) -> dict[str, int]:
    """Return what is added to a side's die, without what is 0."""
    return {reason: amount for reason, amount in modifiers(table.state.open, side, cycle) if amount}


def advantage(condition: str = "I", *, initiative: int = 0, player: int = ALLIES) -> Table:
    """Return a table in a cycle of an Operation."""
    table = outset()
    operation(table, player, condition=condition)
    war(table.state.open).initiative = initiative
    phase(table, "5.2.B")
    return table


@pytest.mark.parametrize(("condition", "cycle", "mine", "theirs"), [
    ("S", 1, {"Surprise Attack": 4}, {}), ("S", 2, {}, {}),
    ("I", 1, {}, {}), ("A", 1, {}, {"Ambush": 3}), ("A", 2, {}, {}),
])  # fmt: skip
@pytest.mark.parametrize("player", [JAPAN, ALLIES])
def test_p27_the_condition_counts_in_the_first_cycle(
    condition: str, cycle: int, mine: dict[str, int], theirs: dict[str, int], player: int
) -> None:
    table = advantage(condition, player=player)

    assert (mine, theirs) == (shifts(table, player, cycle), shifts(table, 1 - player, cycle))


@pytest.mark.parametrize(("initiative", "japan", "allies"), [
    (3, {"initiative": 1}, {}), (0, {}, {}), (-1, {}, {"initiative": 1}),
])  # fmt: skip
def test_p27_the_holder_of_the_initiative(
    initiative: int, japan: dict[str, int], allies: dict[str, int]
) -> None:
    table = advantage(initiative=initiative)
    for cycle in (1, 4):
        assert (japan, allies) == (shifts(table, JAPAN, cycle), shifts(table, ALLIES, cycle))


@pytest.mark.parametrize(("count", "more"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_p27_more_enemies_detected_at_most_2(count: int, more: int) -> None:
    table = advantage()
    for n, ship in enumerate(("dd_us1", "dd_us2", "dd_us4")[:count], 1):
        sail(table, f"A{n}", OPEN_SEA, screen=[ship], detected=True)

    assert more == shifts(table, JAPAN, 2).get("enemies Detected", 0)
    assert {} == shifts(table, ALLIES, 2)
    sail(table, "J1", OPEN_SEA, screen=["dd_jp29"], detected=True)
    assert min(2, max(0, count - 1)) == shifts(table, JAPAN, 2).get("enemies Detected", 0)


@pytest.mark.parametrize(("month", "more"), [("1942-12", 1), ("1943-01", 0)])
def test_p27_japan_is_trained_for_night_until_december_1942(month: str, more: int) -> None:
    table = outset(month=month)
    operation(table, condition="I")
    war(table.state.open).initiative = 0
    for lighting in ("Day", "Dusk", "Night"):
        table.record(LightingIs(lighting))
        assert (more if lighting == "Night" else 0) == sum(shifts(table, JAPAN, 2).values())
        assert {} == shifts(table, ALLIES, 2)


@pytest.mark.parametrize("player", [JAPAN, ALLIES])
def test_p27_a_tie_goes_to_the_operation_player_later_to_who_had_the_advantage(player: int) -> None:
    for cycle, before, holder in ((1, 1 - player, player), (2, 1 - player, 1 - player), (2, player, player)):
        table = advantage(player=player)
        sail(table, "A1", OPEN_SEA, screen=["dd_us1"])
        put(table, {"jn_1e_25af": {"active": True}})
        table.record(AdvantageIs(before))
        table = play(table, CampaignCycle(cycle=cycle, at="day"), 4, 4)
        table.facts = []
        take_advantage(table, cycle)

        assert holder == table.state.open.advantage


def test_p27_the_higher_total_has_it_and_japan_rolls_first() -> None:
    table = advantage(initiative=-1)
    sail(table, "A1", OPEN_SEA, screen=["dd_us1"])
    table = play(table, CampaignCycle(cycle=2, at="day"), 5, 5)
    table.facts = []
    take_advantage(table, 2)

    assert [(JAPAN, 5), (ALLIES, 5)] == [(die.by, die.dice[0]) for die in told(table.facts, Rolled)]
    assert [AdvantageIs(ALLIES, (5, 6))] == told(table.facts, AdvantageIs)
