"""P23.4, P23.5, P23.5.1 Contact movement; P24 and P25.2 as far as they belong to it."""

from collections.abc import Iterable
from typing import Any

import pytest
from msgspec import UNSET

from domain.kernel.audience import Audience
from domain.kernel.facts import Decided, Fact, Rolled, RolledUnseen
from domain.kernel.table import MOST_DECISIONS, Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.movement import shunned
from domain.pacific_war.battle.submarines import attack
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import Continue, EndContact, EndDay, Ferry, ForceEnd, StandingOrder
from domain.pacific_war.facts.cycle import Found, LightingIs, Sailed, UnitLost
from domain.pacific_war.facts.months import OperationIs, under_way, war
from domain.pacific_war.operations.contact import Contact, ReactionContact, may_force
from server.lobby.suggestions import propose
from tests.pacific_war.board import Die, dice_left, drawn, kinds, options, rolls, sealed_facts, told
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    act,
    days,
    means,
    operation,
    outset,
    patrol,
    phase,
    play,
    put,
    quiet_sea,
    sail,
    wake,
)

TWO_NORTH = "6145"


def at_sea(condition: str = "I", *, detected: bool = False, at: str = OPEN_SEA, **more: Any) -> Table:
    """Return a table of 5.1.R, before it begins, with an Allied carrier task force at sea."""
    table = outset(**more)
    operation(table)
    means(table, JAPAN, condition=condition)
    phase(table, "5.1.R")
    sail(table, "A1", at, ["cv_saratoga"], ["ca_us1", "dd_us1"], detected=detected)
    return table


def contact(table: Table, *dice: Die) -> Table:
    """Return a table at the first day of contact."""
    return play(table, Contact(side=ALLIES), *dice)


# P23.4, the day


def test_p23_4_each_day_has_its_five_steps() -> None:
    """Given a task force out of reach of all search, the day goes on by one, the marker by three hexes."""
    table = contact(at_sea())

    assert [d.MoveTF("A1"), d.CommitSearch("cvg_saratoga"), EndDay(), EndContact()] == options(table, ALLIES)
    facts = act(table, ALLIES, EndDay())
    assert [9] == days(facts)
    assert (1, 3) == (under_way(table.state.open).days, under_way(table.state.open).moved)
    assert [d.Pass(), *map(StandingOrder, (0, 3, 6, 10))] == options(table, JAPAN)
    act(table, JAPAN, d.Pass())
    assert [Continue(), EndContact()] == options(table, ALLIES)
    act(table, ALLIES, Continue())
    assert [d.MoveTF("A1"), d.CommitSearch("cvg_saratoga"), EndDay()] == options(table, ALLIES)


def test_p23_4_on_the_first_day_the_phase_may_end_at_once() -> None:
    table = contact(at_sea())
    facts = act(table, ALLIES, EndContact())

    assert [] == days(facts)
    assert (0, 0) == (under_way(table.state.open).days, under_way(table.state.open).moved)
    assert {} == table.prompts


def test_p23_4_three_hexes_for_each_task_force_and_day() -> None:
    table = contact(at_sea())
    reached = table.ahead(ALLIES, [d.MoveTF("A1")])
    far = {one.node for one in options(reached, ALLIES) if isinstance(one, d.SailTo)}

    assert 36 == len(far)  # 6 + 12 + 18 hexes within 3, all of them sea
    act(table, ALLIES, d.MoveTF("A1"), d.SailTo(TWO_NORTH))
    assert 6 == len(table.ahead(ALLIES, [d.MoveTF("A1")]).prompts[ALLIES].options)
    act(table, ALLIES, d.MoveTF("A1"), d.SailTo("6144"))
    assert d.MoveTF("A1") not in options(table, ALLIES)
    act(table, ALLIES, EndDay())
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())
    assert d.MoveTF("A1") in options(table, ALLIES)  # another day


def test_p23_4_a_slow_or_crippled_task_force_goes_as_far() -> None:
    table = at_sea()
    put(table, {"cv_saratoga": {"damage": 4}})
    table = contact(table)

    assert 36 == len(table.ahead(ALLIES, [d.MoveTF("A1")]).prompts[ALLIES].options)


@pytest.mark.parametrize("day", range(1, 11))
def test_p23_4_ground_units_march_on_days_2_4_6_8_and_10(day: int) -> None:
    table = at_sea()
    put(table, {"au_30bde": {"active": True}})
    table = contact(table)
    for _ in range(day - 1):
        act(table, ALLIES, EndDay())
        act(table, JAPAN, d.Pass())
        act(table, ALLIES, Continue())

    marching = "MoveGround" in kinds(table, ALLIES)
    assert (day % 2 == 0) == marching
    if marching:
        move = next(one for one in options(table, ALLIES) if isinstance(one, d.MoveGround))
        act(table, ALLIES, move)
        assert move.hex == table.state.own[ALLIES].ground["au_30bde"].hex
        assert "MoveGround" not in kinds(table, ALLIES)  # one hex


def test_p23_4_only_activated_units_march_that_are_not_embarked() -> None:
    table = at_sea()
    sail(table, "A2", OPEN_SEA, ["aa_us1"], cargo={"aa_us1": ["us_2mar"]})
    table = contact(table)
    act(table, ALLIES, EndDay())
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())

    assert not {"MoveGround", "Embark", "Disembark", "WithdrawGround"} & kinds(table, ALLIES)


def test_p23_4_each_land_based_air_unit_ferries_once_in_the_phase() -> None:
    """Given fighters of range 3 at Noumea, Efate is 3 hexes away, Espiritu Santo 4 and full of two units."""
    table = at_sea()
    wake(table, "us_1e_67fs")
    table = contact(table)
    assert Ferry("us_1e_67fs") in options(table, ALLIES)
    assert (d.MoveTF("A1"),) == table.quiet(ALLIES)
    act(table, ALLIES, Ferry("us_1e_67fs"))  # Efate alone, so it is not asked
    assert "efate" == table.state.own[ALLIES].air["us_1e_67fs"].home

    assert "Ferry" not in kinds(table, ALLIES)
    act(table, ALLIES, EndDay())
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())
    assert "Ferry" not in kinds(table, ALLIES)


def test_p23_4_a_ferry_goes_to_airbases_with_room_within_twice_the_range() -> None:
    table = at_sea()
    put(table, {"us_lra_sopac": {"home": "suva"}})
    wake(table, "us_1e_67fs", "cvg_enterprise")
    table = contact(table)
    assert {d.MoveTF("A1"), Ferry("us_1e_67fs")} == {*table.quiet(ALLIES)}
    places = table.ahead(ALLIES, [Ferry("us_1e_67fs")]).prompts[ALLIES].options

    assert (d.Target("efate"), d.Target("espiritu_santo")) == places
    act(table, ALLIES, Ferry("us_1e_67fs"), d.Target("espiritu_santo"))
    assert "espiritu_santo" == table.state.own[ALLIES].air["us_1e_67fs"].home
    assert Ferry("cvg_enterprise") not in options(table, ALLIES)  # aboard: not land-based


def test_p23_4_a_group_is_committed_once_a_day_by_a_step_and_searches_that_day_alone() -> None:
    """Given a Japanese task force 4 hexes away, the group finds it on 2, less 1 for its few ships."""
    table = at_sea()
    quiet_sea(table)
    sail(table, "J1", "6143", screen=["dd_jp29"])
    table = contact(table, 2)
    act(table, ALLIES, d.CommitSearch("cvg_saratoga"))
    group = table.state.own[ALLIES].air["cvg_saratoga"]
    assert (6, 5) == (group.steps, group.ready)
    assert d.CommitSearch("cvg_saratoga") not in options(table, ALLIES)

    facts = act(table, ALLIES, EndDay())
    assert [("search", "1 or less", -1)] == rolls(facts)
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())
    assert d.CommitSearch("cvg_saratoga") in options(table, ALLIES)
    assert [] == rolls(act(table, ALLIES, EndDay()))


def test_p23_4_the_phase_ends_after_day_10() -> None:
    table = contact(at_sea(month="1942-09", day=8))
    for day in range(1, 11):
        facts = act(table, ALLIES, EndDay())
        assert [8 + day] == days(facts)
        assert d.Pass() in options(table, JAPAN)
        assert day < 10 or {JAPAN} == table.prompts.keys()
        act(table, JAPAN, d.Pass())
        if day < 10:
            act(table, ALLIES, Continue())

    assert {} == table.prompts
    run = under_way(table.state.open)
    assert (10, 30, False, "I") == (run.days, run.moved, run.forced, run.condition)


def test_p23_4_r_33_the_condition_is_revealed_at_the_end() -> None:
    table = contact(at_sea("A"))
    act(table, ALLIES, EndDay())
    assert "" == under_way(table.state.open).condition
    act(table, JAPAN, d.Pass())
    assert "" == under_way(table.state.open).condition
    facts = act(table, ALLIES, EndContact())

    assert "A" == under_way(table.state.open).condition
    assert "The Condition is Ambush" in [fact.words() for fact in told(facts, OperationIs)]


# P23.4.1 and P25.2


def test_p23_4_1_in_contact_enemy_task_forces_count_for_nothing_on_the_path() -> None:
    """Given a known warship, a battle cycle goes round it, contact movement does not."""
    table = at_sea()
    sail(table, "J1", "6146", screen=["ca_chokai_maya"], detected=True)
    patrol(table, JAPAN, "6140", 1)
    board = table.state.open

    assert {"6146", "6140"} <= shunned(board, ALLIES)
    assert "6146" not in shunned(board, ALLIES, contact=True)
    assert "6140" in shunned(board, ALLIES, contact=True)
    table = contact(table)
    facts = act(table, ALLIES, d.MoveTF("A1"), d.SailTo("6145"))
    assert "6146" in [node for fact in told(facts, Sailed) for node in fact.path]
    assert {ALLIES} == table.prompts.keys()  # nobody is asked to intercept


@pytest.mark.parametrize(("level", "need"), [(0, 2), (2, 2), (3, 3)])
def test_p25_2_strategic_intelligence_3_adds_1_to_contact(level: int, need: int) -> None:
    """Given a fast task force and 3 points: 3 + 1 - 2, and 1 more at level 3."""
    table = at_sea()
    means(table, JAPAN, level=level)
    patrol(table, JAPAN, "6146", 3)
    table = play(table, Contact(side=ALLIES), 9)
    table.facts = []
    attack(table, "6146", "A1")

    (die,) = told(table.facts, RolledUnseen)
    assert ("contact", f"{need} or less") == (die.purpose, die.target)


def test_p25_2_r_8_a_patrol_looks_once_for_each_task_force_and_day_of_contact() -> None:
    table = at_sea()
    patrol(table, JAPAN, "6146", 1)
    table = contact(table, 9, 9, 9)  # the second is a search, by the patrol
    facts = act(table, ALLIES, d.MoveTF("A1"), d.SailTo("6146"))
    assert ["contact"] == [purpose for purpose, _, _ in rolls(facts)]
    assert [] == rolls(act(table, ALLIES, d.MoveTF("A1"), d.SailTo("6147")))
    act(table, ALLIES, EndDay())
    act(table, JAPAN, d.Pass())
    act(table, ALLIES, Continue())
    facts = act(table, ALLIES, d.MoveTF("A1"), d.SailTo("6146"))  # another day

    assert ["contact"] == [purpose for purpose, _, _ in rolls(facts)]


def test_p25_2_r_8_a_task_force_may_be_lost_and_another_goes_on() -> None:
    """Given a damaged destroyer alone and 4 points, torpedoes of column 5 sink it; the phase goes on."""
    table = at_sea()
    sail(table, "A2", "6047", screen=["dd_us2"])
    put(table, {"dd_us2": {"damage": 2}})
    patrol(table, JAPAN, "6046", 4)
    table = contact(table, 0, drawn(0), 0)
    facts = act(table, ALLIES, d.MoveTF("A2"), d.SailTo("6045"))

    assert ["contact", "the ship attacked", "submarine torpedoes"] == [one[0] for one in rolls(facts)]
    assert ["dd_us2"] == [fact.unit for fact in told(facts, UnitLost)]
    assert "A2" not in table.state.open.tfs
    assert [d.MoveTF("A1")] == [one for one in options(table, ALLIES) if isinstance(one, d.MoveTF)]


def sunk_on_day_1(day: int = 8, *dice: Die) -> Table:
    """Return a table on which the only Activated unit has been lost to a patrol on its first day."""
    table = outset(day=day)
    operation(table)
    means(table, JAPAN, condition="I")
    phase(table, "5.1.R")
    sail(table, "A2", OPEN_SEA, screen=["dd_us2"])
    put(table, {"dd_us2": {"damage": 2}})
    patrol(table, JAPAN, "6146", 4)
    table = contact(table, 0, drawn(0), 0, *dice)
    act(table, ALLIES, d.MoveTF("A2"), d.SailTo("6146"))
    return table


def test_p0_7_r_70_whether_anybody_is_activated_is_looked_at_after_step_2_of_the_day() -> None:
    """Given the last unit lost, the day still ends; then nobody searches and nobody is asked."""
    table = sunk_on_day_1()
    assert [EndDay(), EndContact()] == options(table, ALLIES)
    facts = act(table, ALLIES, EndDay())

    assert [9] == days(facts)
    assert {} == table.prompts
    assert "I" == under_way(table.state.open).condition


# P24 in Contact Phases


def near_shortland(condition: str, *dice: Die, side: int = ALLIES, number: str = "5.1.R") -> Table:
    """Return a table with 3 Allied ships 7 hexes from the flying boats at Shortland: value 5."""
    table = at_sea(condition, at="5046")
    phase(table, number)
    return play(table, ReactionContact(side=JAPAN) if side == JAPAN else Contact(side=ALLIES), *dice)


@pytest.mark.parametrize(("condition", "need"), [("S", 2), ("I", 5), ("A", 7)])
def test_p22_1_p24_2_the_condition_modifies_the_search_of_the_reaction_player(
    condition: str, need: int
) -> None:
    for face in (need, need + 1):
        table = near_shortland(condition, face)
        table.record(_night())
        facts = act(table, ALLIES, EndDay())

        # There is no lighting in Contact Phases.
        assert [("search", f"{need} or less", need - 5)] == rolls(facts)
        assert (face <= need) == table.state.open.tfs["A1"].detected
        assert not told(facts, Rolled)


def _night() -> Any:
    return LightingIs("Night")


@pytest.mark.parametrize("condition", ["S", "I", "A"])
def test_p22_1_p24_2_in_5_1_t_the_condition_does_not_modify_searches(condition: str) -> None:
    table = at_sea(condition, at="5046")
    operation(table, moved=0, condition=condition)
    phase(table, "5.1.T")
    table = play(table, ReactionContact(side=JAPAN), 9)

    assert [("search", "5 or less", 0)] == rolls(table.facts)


def test_p24_1_r_24_both_search_japan_first() -> None:
    table = at_sea("I", at="5046")
    sail(table, "J1", "5045", screen=["dd_jp29"])
    table = play(table, Contact(side=ALLIES), 9, 9)
    facts = act(table, ALLIES, EndDay())

    assert ["A1", "J1"] == [die.subject for die in told(facts, RolledUnseen)]


def test_p24_1_p24_3_task_forces_on_one_node_find_each_other_without_a_die_in_contact() -> None:
    table = at_sea()
    sail(table, "J1", OPEN_SEA, screen=["dd_jp29"])
    table = play(table, Contact(side=ALLIES), 9, 9)
    table.record(_night())
    facts = act(table, ALLIES, EndDay())

    assert ["A1", "J1"] == [fact.tf for fact in told(facts, Found)]
    assert {"24.3"} == {fact.rule for fact in told(facts, Found)}


# P22, P23.5: who may force the end


def forcing(condition: str, at: str, *, detected: bool) -> bool:
    """Return whether Japan may force the end with an Allied task force here."""
    table = at_sea(condition, detected=detected, at=at)
    return may_force(table.state.open, table.state.own[JAPAN], JAPAN)


@pytest.mark.parametrize(("condition", "at", "detected", "legal"), [
    ("S", "5343", True, True), ("S", "5344", True, False), ("S", "5343", False, False),
    ("I", "5343", True, True), ("I", "6147", True, True), ("I", "5343", False, False),
    ("A", "6147", True, True), ("A", "6147", False, False),
    ("A", "5346", False, True), ("A", "5347", False, False),
])  # fmt: skip
def test_p22_1_p23_5_the_end_may_be_forced_by_condition(
    condition: str, at: str, detected: bool, legal: bool
) -> None:
    """Given Guadalcanal, which is Japanese, at 5340."""
    assert legal == forcing(condition, at, detected=detected)


def test_p22_a_reaction_task_force_counts_like_a_location() -> None:
    table = at_sea("S", detected=True)
    assert not may_force(table.state.open, table.state.own[JAPAN], JAPAN)
    sail(table, "J1", "6144", screen=["dd_jp29"])

    assert may_force(table.state.open, table.state.own[JAPAN], JAPAN)


def test_p23_5_a_forced_end_reveals_the_condition_and_ends_the_phase() -> None:
    table = contact(at_sea("I", detected=True))
    act(table, ALLIES, EndDay())
    assert [ForceEnd(), d.Pass()] == options(table, JAPAN)[:2]
    facts = act(table, JAPAN, ForceEnd())

    run = under_way(table.state.open)
    assert (True, "I") == (run.forced, run.condition)
    assert {} == table.prompts
    assert [] == days(facts)


def test_p23_5_he_who_may_force_the_end_is_told_what_he_has_found() -> None:
    """Given an enemy task force that is Detected and one that is not, he reads of the first alone."""
    table = at_sea("I", detected=True)
    sail(table, "A2", OPEN_SEA, screen=["dd_us2"])
    sail(table, "J1", "6144", screen=["dd_jp29"], detected=True)
    table = contact(table, *[9] * 4)
    act(table, ALLIES, EndDay())
    said = "Force the end of the enemy's contact movement, or let him go on. You have found [A1]."

    assert said == table.prompts[JAPAN].text


def test_p23_4_the_reaction_player_is_asked_on_day_10_too() -> None:
    table = contact(at_sea("I", detected=True))
    for _ in range(1, 10):
        act(table, ALLIES, EndDay())
        act(table, JAPAN, d.Pass())
        act(table, ALLIES, Continue())
    act(table, ALLIES, EndDay())
    act(table, JAPAN, ForceEnd())

    assert under_way(table.state.open).forced


# P0.9.5


def test_p0_9_5_with_0_he_is_passed_over_to_the_end_of_the_phase() -> None:
    table = contact(at_sea("I", detected=True))
    act(table, ALLIES, EndDay())
    facts = act(table, JAPAN, StandingOrder(0))
    assert all(fact.audience() in (Audience.UMPIRE, Audience.SIDE_0) for fact in facts)
    for _ in range(3):
        act(table, ALLIES, Continue())
        act(table, ALLIES, EndDay())
        assert {ALLIES} == table.prompts.keys()
    act(table, ALLIES, EndContact())

    assert -1 == table.state.own[JAPAN].means.order  # it ends with the phase


@pytest.mark.parametrize("n", [3, 6, 10])
def test_r_115_p0_9_5_until_a_detected_task_force_is_so_near_and_the_order_is_over_then(n: int) -> None:
    """Given Guadalcanal at 5340 and a Detected task force that sails north, 3 hexes a day."""
    table = contact(at_sea("I", detected=True, at="5448"))
    act(table, ALLIES, EndDay())
    act(table, JAPAN, StandingOrder(n))
    for far in (5, 2) if n == 3 else (5,) if n == 6 else ():
        act(table, ALLIES, Continue())
        act(table, ALLIES, d.MoveTF("A1"), d.SailTo("5445" if far == 5 else "5442"))
        act(table, ALLIES, EndDay())
        assert ({JAPAN} if far <= n else {ALLIES}) == table.prompts.keys()
    if n == 10:
        act(table, ALLIES, Continue())
        act(table, ALLIES, EndDay())
        assert {JAPAN} == table.prompts.keys()
    act(table, JAPAN, d.Pass())
    assert -1 == table.state.own[JAPAN].means.order  # it may be given anew


def test_p0_9_5_every_pass_of_an_order_is_written_down_and_the_enemy_is_told_none() -> None:
    """Given an order, when two days end, then each has a pass that was forced."""
    table = contact(at_sea("I", detected=True))
    act(table, ALLIES, EndDay())
    act(table, JAPAN, StandingOrder(0))
    for _ in range(2):
        act(table, ALLIES, Continue())
        facts = act(table, ALLIES, EndDay())

        (passed,) = [one for one in told(facts, Decided) if one.seat == JAPAN]
        assert (d.Pass(), "forced") == (PACIFIC_WAR.decision(bytes(passed.decision)), passed.how)
        assert Audience.UMPIRE == passed.audience()
        assert 0 == table.state.own[JAPAN].means.order  # the order stands


def test_p0_9_5_an_undetected_task_force_does_not_end_it() -> None:
    table = contact(at_sea("I", at="5848"))
    act(table, ALLIES, EndDay())
    act(table, JAPAN, StandingOrder(10))
    act(table, ALLIES, Continue())
    act(table, ALLIES, EndDay())

    assert {ALLIES} == table.prompts.keys()


def test_p0_9_5_r_70_it_ends_with_a_phase_that_the_last_loss_ends() -> None:
    table = sunk_on_day_1()
    means(table, JAPAN, order=0)
    act(table, ALLIES, EndDay())

    assert -1 == table.state.own[JAPAN].means.order


@pytest.mark.parametrize("answer", [d.Pass(), StandingOrder(0), StandingOrder(6)])
@pytest.mark.parametrize("order", [-1, 10])
def test_p0_9_5_an_answer_seals_as_many_facts_whatever_it_is(answer: Any, order: int) -> None:
    table = contact(at_sea("I", detected=True, at="5346"))
    means(table, JAPAN, order=order)
    act(table, ALLIES, EndDay())

    assert 3 == sealed_facts(act(table, JAPAN, answer))  # the decision, what it changes, the pause


def test_p0_9_5_the_end_of_the_phase_does_not_tell_whether_there_was_an_order() -> None:
    counts = set()
    for kept in (-1, 0):
        table = contact(at_sea("I"))
        means(table, JAPAN, order=kept)
        counts.add(sealed_facts(act(table, ALLIES, EndContact())))

    assert 1 == len(counts)


@pytest.mark.parametrize("condition", ["S", "I", "A"])
def test_p0_4_2_a_day_seals_as_many_facts_whatever_the_condition_and_who_searches(condition: str) -> None:
    """Given the same sea with searchers near or without any, the day seals one for each hidden force."""
    counts = []
    for at in (OPEN_SEA, "5046"):
        table = at_sea(condition, at=at)
        table = contact(table, *([9] if at != OPEN_SEA else []))
        counts.append(sealed_facts(act(table, ALLIES, EndDay())))
        assert 0 == dice_left(table)

    assert [3, 3] == counts


# P23.5.1


def reaction(condition: str = "A", moved: int = 9, **more: Any) -> Table:
    """Return a table of 5.1.T with a Japanese task force far out."""
    table = outset(**more)
    operation(table, condition=condition, moved=moved)
    phase(table, "5.1.T")
    quiet_sea(table)
    sail(table, "J1", OPEN_SEA, screen=["dd_jp29"])
    return table


@pytest.mark.parametrize(("condition", "moved", "hexes"), [
    ("S", 0, 0), ("S", 30, 0),
    ("I", 0, 0), ("I", 3, 1), ("I", 9, 4), ("I", 18, 9), ("I", 30, 9),
    ("A", 0, 3), ("A", 9, 12), ("A", 15, 18), ("A", 30, 18),
])  # fmt: skip
def test_p23_5_1_r_15_as_many_hexes_as_the_condition_gives(condition: str, moved: int, hexes: int) -> None:
    table = play(reaction(condition, moved), ReactionContact(side=JAPAN))

    if not hexes:
        assert d.MoveTF("J1") not in options(table, JAPAN)
        return
    act(table, JAPAN, d.MoveTF("J1"), d.SailTo("6146"))
    assert 1 == table.state.own[JAPAN].fleets["J1"].used
    assert (hexes > 1) == (d.MoveTF("J1") in options(table, JAPAN))
    if hexes > 1:
        names = {one.node for one in table.ahead(JAPAN, [d.MoveTF("J1")]).prompts[JAPAN].options}  # type: ignore[attr-defined]
        assert ("6144" in names) == (hexes >= 3)
        assert ("6141" in names) == (hexes >= 6)


def test_p23_5_1_p23_6_a_suggested_move_says_where_to() -> None:
    """Given an enemy to sail for, what is suggested answers what the move of a task force asks."""
    table = reaction("A", 15)
    sail(table, "A1", "5046", ["cv_saratoga"], ["ca_us1"], detected=True)
    table = play(table, ReactionContact(side=JAPAN), *[9] * 4)
    proposal = propose(PACIFIC_WAR, PACIFIC_WAR.encode(table.state), JAPAN, MOST_DECISIONS)

    assert [d.MoveTF("J1")] == [PACIFIC_WAR.decision(one) for one in proposal.decisions]
    assert proposal.last is not UNSET
    assert isinstance(PACIFIC_WAR.decision(proposal.last), d.SailTo)


@pytest.mark.parametrize(("moved", "marches"), [(9, False), (12, True)])
def test_p23_5_1_ground_units_march_one_hex_if_the_number_is_6(moved: int, marches: bool) -> None:
    """Given Intercept: half of 9 is 4, half of 12 is 6."""
    table = reaction("I", moved)
    wake(table, "jp_ssd")
    table = play(table, ReactionContact(side=JAPAN))

    assert marches == ("MoveGround" in kinds(table, JAPAN))


def test_p23_5_1_each_ground_unit_marches_once() -> None:
    table = reaction("A", 9)
    wake(table, "jp_ssd")
    table = play(table, ReactionContact(side=JAPAN), 9)
    move = next(one for one in options(table, JAPAN) if isinstance(one, d.MoveGround))
    act(table, JAPAN, move)

    assert move.hex == table.state.own[JAPAN].ground["jp_ssd"].hex
    assert "MoveGround" not in kinds(table, JAPAN)


def test_p23_5_1_p23_4_a_group_is_committed_once_and_searches_at_the_end() -> None:
    """Given a Japanese Operation and an Allied carrier 4 hexes from its one task force: 2, less 1."""
    table = outset()
    operation(table, JAPAN, condition="S")
    quiet_sea(table)
    phase(table, "5.1.T")
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"])
    sail(table, "J1", "6143", screen=["dd_jp29"])
    table = play(table, ReactionContact(side=ALLIES), 1)
    assert [d.CommitSearch("cvg_saratoga"), d.Done()] == options(table, ALLIES)
    facts = act(table, ALLIES, d.CommitSearch("cvg_saratoga"))  # nothing is left to do

    assert [("search", "1 or less", -1)] == rolls(facts)
    assert table.state.open.tfs["J1"].detected


def test_p23_5_1_one_ferry_searches_no_day_and_then_both_search() -> None:
    table = reaction("S", 0)
    wake(table, "jn_1e_25af")
    table = play(table, ReactionContact(side=JAPAN))
    assert {"Ferry", "Done"} == kinds(table, JAPAN)
    act(table, JAPAN, *_ferry(table, "jn_1e_25af"))
    facts = table.facts

    assert {} == table.prompts
    assert [] == days(facts)
    assert 1 == [fact.words() for fact in facts].count("Both sides search")
    assert 8 == war(table.state.open).day


def _ferry(table: Table, unit: str) -> list[Any]:
    if Ferry(unit) not in table.quiet(JAPAN):
        return [Ferry(unit)]
    return [Ferry(unit), table.ahead(JAPAN, [Ferry(unit)]).prompts[JAPAN].options[0]]


def test_p23_5_1_nobody_is_intercepted() -> None:
    table = reaction("A", 9)
    sail(table, "A1", "6146", ["cv_saratoga"])
    table = play(table, ReactionContact(side=JAPAN), 9, 9)
    facts = act(table, JAPAN, d.MoveTF("J1"), d.SailTo("6145"))

    assert "6145" == table.state.open.tfs["J1"].node
    assert [] == rolls(facts)
    assert {JAPAN} == table.prompts.keys()


def test_p25_2_r_8_a_patrol_looks_once_in_5_1_t() -> None:
    table = reaction("A", 9)
    patrol(table, ALLIES, "6146", 1)
    table = play(table, ReactionContact(side=JAPAN), 9)
    facts = act(table, JAPAN, d.MoveTF("J1"), d.SailTo("6146"))
    assert ["contact"] == [one[0] for one in rolls(facts)]
    assert [] == rolls(act(table, JAPAN, d.MoveTF("J1"), d.SailTo("6147")))
    assert [] == rolls(act(table, JAPAN, d.MoveTF("J1"), d.SailTo("6146")))


def test_p41_11_nothing_but_p25_2_fights_in_contact() -> None:
    table = contact(at_sea())

    assert kinds(table, ALLIES) <= {"MoveTF", "CommitSearch", "EndDay", "EndContact", "Ferry", "MoveGround"}


def test_p24_2_searches_are_told_whether_or_not_a_die_fell() -> None:
    for at, dice in ((OPEN_SEA, []), ("5046", [9])):
        facts = act(contact(at_sea(at=at), *dice), ALLIES, EndDay())

        assert "Both sides search" in [fact.words() for fact in facts if not sealed_facts([fact])]


def shape(facts: Iterable[Fact]) -> list[str]:
    """Return what the Allies and onlookers can count: kinds of facts that all see, places of the others."""
    return [type(one).__name__ if one.audience() is Audience.ALL else "sealed" for one in facts]


@pytest.mark.parametrize("searched", [False, True])
def test_p41_14_the_days_are_alike_whatever_the_condition(searched: bool) -> None:
    """Given searches that fail or none, all facts of two days are alike until the Condition is revealed."""
    shapes = set()
    for condition in ("S", "I", "A"):
        table = contact(at_sea(condition, at="5046" if searched else OPEN_SEA), *([9, 9] if searched else []))
        seen = shape(act(table, ALLIES, EndDay()))
        seen += shape(act(table, JAPAN, d.Pass()))
        seen += shape(act(table, ALLIES, Continue()))
        seen += shape(act(table, ALLIES, EndDay()))
        seen += shape(act(table, JAPAN, d.Pass()))
        shapes.add((*seen, *shape(act(table, ALLIES, EndContact()))))

    assert 1 == len(shapes)


def test_p41_14_a_day_is_alike_whichever_enemy_found_nothing() -> None:
    """Given a group that is committed or not, and nothing found, the end of the day seals as many facts."""
    shapes = set()
    for committed in (True, False):
        table = at_sea()
        quiet_sea(table)
        sail(table, "J1", "6143", screen=["dd_jp29"])
        table = contact(table, *([9] if committed else []))
        if committed:
            act(table, ALLIES, d.CommitSearch("cvg_saratoga"))
        shapes.add(tuple(shape(act(table, ALLIES, EndDay()))))

    assert 1 == len(shapes)


def test_p41_16_p0_9_3_a_long_move_leaves_the_state_of_single_ones() -> None:
    """Given a patrol on the way that finds the task force, and torpedoes that miss."""
    states = []
    for legs in (["6144"], ["6146", "6145", "6144"]):
        table = at_sea()
        patrol(table, JAPAN, "6145", 3)
        table = contact(table, 0, drawn(0), 9, 9, 9)
        for node in legs:
            act(table, ALLIES, d.MoveTF("A1"), d.SailTo(node))
        assert 0 == dice_left(table)
        states.append((table.state.open, table.state.own))

    assert states[0] == states[1]


def test_p41_16_p0_9_5_an_order_leaves_the_state_of_as_many_passes() -> None:
    states = []
    for ordered in (True, False):
        table = contact(at_sea("I", detected=True))
        for day in range(3):
            act(table, ALLIES, EndDay())
            if JAPAN in table.prompts:
                act(table, JAPAN, StandingOrder(0) if ordered else d.Pass())
            act(table, ALLIES, Continue() if day < 2 else EndContact())
        states.append((table.state.open, table.state.own))

    assert states[0] == states[1]
