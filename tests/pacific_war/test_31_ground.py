"""P31.1 to P31.5 Ground combat (R-54, R-90), P2.2.4 and P2.7 as far as it needs them."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.dice import Scripted
from domain.kernel.facts import Rolled
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.ground import GroundCombats, fallen, odds_shift, quality, tq_shift
from domain.pacific_war.board.table import Ground, Own
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.fighting import GroundBattleIs, GroundStepsLost, Withdrew
from tests.pacific_war.board import battle, dice_left, faces, kinds, options, table_at, told
from tests.pacific_war.clash import ALLIES, JAPAN, act, check, hidden, rolls, words

LAE = "4439"


def field(
    *dice: int,
    at: str = "lae",
    advantage: int = JAPAN,
    marks: dict[str, dict[str, Any]] | None = None,
    **units: int,
) -> Table:
    """Return a ground combat of these units, id to steps, in a hex of Japan's; marks change units."""
    more = {name: units.pop(name) for name in ("fort",) if name in units}
    scene = battle(
        month="1942-05",
        control={"JP": ["lae", "buna", "wake", "manila"], "AL": ["port_moresby"]},
        bases={at: more} if more else {},
        ground=[{"id": unit, "hex": at, "steps": steps} for unit, steps in units.items()],
    )
    quiet = table_at(scene, GroundCombats(), advantage=advantage)
    for unit, fields in (marks or {}).items():
        for own in quiet.state.own:
            if unit in own.ground:
                own.ground[unit] = replace(own.ground[unit], **fields)
    quiet.state.open.ground = {unit: one for own in quiet.state.own for unit, one in own.ground.items()}
    quiet.state.stack = []
    return Table(PACIFIC_WAR, quiet.state, Scripted(faces(*dice)), GroundCombats())


def attack(table: Table, side: int, *units: str) -> list[Any]:
    """Let a side attack with these units, and the other not; return the facts of the last command."""
    act(table, 1 - side, d.NoAttack())
    facts = act(table, side, d.Attack())
    if options(table, side) and "CommitAttacker" in kinds(table, side):
        left = {one.unit for one in options(table, side) if isinstance(one, d.CommitAttacker)}
        last: list[Decision] = [] if left == set(units) else [d.Done()]
        facts = act(table, side, *map(d.CommitAttacker, units), *last)
    return facts


def shifts(facts: list[Any], purpose: str) -> dict[str, int]:
    """Return the shifts of a roll by reason."""
    return next(
        {one.reason: one.amount for one in roll.modifiers}
        for roll in told(facts, Rolled)
        if roll.purpose == purpose
    )


# P31.1 who attacks


def test_p31_1_r_54_both_choose_in_secret_in_every_hex() -> None:
    table = field(jp_ssd=4, us_24div=3)
    assert [d.Attack(), d.NoAttack()] == options(table, JAPAN) == options(table, ALLIES)
    assert "[lae]" in table.prompts[JAPAN].text

    yes = act(table, JAPAN, d.Attack())
    no = act(field(jp_ssd=4, us_24div=3), JAPAN, d.NoAttack())
    assert "" == words(yes) == words(no)
    assert hidden(yes) == hidden(no)


def test_p31_1_nobody_attacks() -> None:
    table = field(jp_ssd=4, us_24div=3)
    act(table, JAPAN, d.NoAttack())
    facts = act(table, ALLIES, d.NoAttack())

    assert [] == rolls(facts)
    assert "Nobody attacks at [lae]" in words(facts)
    assert {} == table.prompts


@pytest.mark.parametrize("advantage", [JAPAN, ALLIES])
def test_p31_1_if_both_attack_the_advantage_player_is_the_attacker(advantage: int) -> None:
    table = field(9, 9, jp_ssd=4, us_24div=3, advantage=advantage)
    act(table, JAPAN, d.Attack())
    facts = act(table, ALLIES, d.Attack())

    assert [advantage, 1 - advantage] == [one.by for one in told(facts, Rolled)]
    assert "Both would attack at [lae]" in words(facts)


@pytest.mark.parametrize("marks", [{"broken": True, "active": False}, {"active": False}, {"scattered": True}])
def test_p31_1_p2_2_4_only_activated_unbroken_units_attack_but_the_question_is_put(marks: Any) -> None:
    table = field(jp_ssd=4, us_24div=3, marks={"jp_ssd": marks})

    assert [d.NoAttack()] == options(table, JAPAN)


def test_p31_1_troops_that_landed_or_moved_may_attack() -> None:
    table = field(jp_ssd=4, us_24div=3, marks={"us_24div": {"landing": True, "moved": True}})

    assert [d.Attack(), d.NoAttack()] == options(table, ALLIES)


def test_p5_2_h_hexes_come_in_ascending_number() -> None:
    scene = battle(
        control={"JP": ["lae", "buna"]},
        ground=[
            {"id": "jp_ssd", "hex": "buna"},
            {"id": "us_24div", "hex": "buna"},
            {"id": "jp_kure5", "hex": "lae"},
            {"id": "us_25div", "hex": "lae"},
            {"id": "au_30bde", "hex": "port_moresby"},
        ],
    )
    table = table_at(scene, GroundCombats(), advantage=JAPAN)
    for place in ("[lae]", "[buna]"):
        assert place in table.prompts[JAPAN].text
        act(table, JAPAN, d.NoAttack())
        act(table, ALLIES, d.NoAttack())
    assert {} == table.prompts


# P31.2 with what


def test_p31_2_at_least_one_unit_and_those_named() -> None:
    table = field(9, 9, jp_ssd=4, jp_kure5=2, us_24div=3)
    act(table, ALLIES, d.NoAttack())
    act(table, JAPAN, d.Attack())
    assert "Choose a unit that attacks." == table.prompts[JAPAN].text
    assert [d.CommitAttacker("jp_kure5"), d.CommitAttacker("jp_ssd")] == options(table, JAPAN)
    act(table, JAPAN, d.CommitAttacker("jp_kure5"))
    assert "Choose a unit that attacks, or be done." == table.prompts[JAPAN].text
    assert [d.CommitAttacker("jp_ssd"), d.Done()] == options(table, JAPAN)
    facts = act(table, JAPAN, d.Done())

    # 2 steps against 3 at quality 7 and 6: column 2 - 2 - 1 (odds) + 1 (jungle) - 2 (terrain), no floor.
    assert ("attack", "lae", "no column", 9) == rolls(facts)[0]
    assert "The attack is made by [jp_kure5]" in words(facts)


def test_p31_2_p0_3_the_only_unit_is_named_without_a_question() -> None:
    table = field(9, 9, jp_ssd=4, us_24div=3)
    act(table, ALLIES, d.NoAttack())
    facts = act(table, JAPAN, d.Attack())

    assert ["attack", "defence"] == [one[0] for one in rolls(facts)]


def test_p31_2_the_defender_defends_with_all() -> None:
    table = field(9, 9, jp_ssd=4, us_24div=3, us_25div=2, marks={"us_25div": {"active": False}})
    facts = attack(table, JAPAN)

    # 5 steps: column 4 - 3; at quality 7 against 6 there is no shift.
    assert ("defence", "lae", "column 1", 9) == rolls(facts)[1]


# P31.3 the rolls


@pytest.mark.parametrize(
    ("attacking", "defending", "shift"),
    [
        (16, 4, 2), (15, 4, 1), (8, 4, 1), (7, 4, 0), (4, 4, 0), (3, 4, -1), (2, 4, -1), (7, 15, -2),
        (1, 2, -1), (1, 3, -2), (4, 1, 2),
    ],
)  # fmt: skip
def test_p31_3_odds(attacking: int, defending: int, shift: int) -> None:
    assert shift == odds_shift(attacking, defending)
    least = {2: Fraction(4), 1: Fraction(2), 0: Fraction(1), -1: Fraction(1, 2), -2: Fraction(0)}[shift]
    assert Fraction(attacking, defending) >= least


@pytest.mark.parametrize(
    ("attacking", "defending", "shift"),
    [(7, 7, 0), (9, 7, 0), (9, 6, 1), (9, 4, 1), (9, 3, 2), (9, 0, 2), (5, 7, 0), (4, 7, -1),
        (4, 8, -1), (0, 9, -2)],
)  # fmt: skip
def test_p31_3_a_third_of_the_difference_toward_0_at_most_2(
    attacking: int, defending: int, shift: int
) -> None:
    assert shift == tq_shift(attacking, defending)


@pytest.mark.parametrize(("sevens", "fours", "average"), [(3, 3, 6), (2, 4, 5), (1, 5, 5), (1, 8, 4)])
def test_p31_3_the_average_is_rounded_a_half_upward(sevens: int, fours: int, average: int) -> None:
    """Given 5.5, 5, 4.5 and 4.3 on average."""
    table = field(jp_ssd=sevens, jp_engr2=fours)

    assert average == quality(table.state.open, table.state.own[JAPAN], ["jp_engr2", "jp_ssd"])


def test_p31_3_the_average_quality_is_weighted_and_rounded_half_up() -> None:
    # 3 steps of 7 and 3 of 4 are 5.5, rounded 6: no shift against 6.
    table = field(9, 9, jp_ssd=3, jp_engr2=3, us_24div=2, at="manila")
    facts = attack(table, JAPAN, "jp_engr2", "jp_ssd")
    assert "troop quality" not in shifts(facts, "attack")

    table = field(9, 9, jp_engr2=3, us_1mardiv=3, at="manila")  # 4 against 7
    facts = attack(table, JAPAN)
    assert -1 == shifts(facts, "attack")["troop quality"]
    assert 1 == shifts(facts, "defence")["troop quality"]


def test_p31_3_attack_and_defence_with_all_shifts() -> None:
    """Given 2 steps of 6 in the jungle with a fort of 1, when 4 steps of 7 attack, then as the table says."""
    table = field(9, 9, fort=1, at="lae", us_1mardiv=4, jp_84gd=2)
    facts = attack(table, ALLIES)

    # Attack, column 3: -2, odds 2 to 1: +1, jungle 2 and fort 1: -3: column 1 by the floor of 3 steps.
    assert {"attacking": -2, "odds": 1, "terrain and fort": -3} == shifts(facts, "attack")
    # Defence, 2 steps, column 2: -3, no floor.
    assert {"defending": -3} == shifts(facts, "defence")
    assert [("attack", "lae", "column 1", 9), ("defence", "lae", "no column", 9)] == rolls(facts)


@pytest.mark.parametrize(("fort", "off"), [(0, -2), (1, -3), (2, -4), (3, -4)])
def test_p31_3_terrain_and_fort_take_off_at_most_four(fort: int, off: int) -> None:
    table = field(9, 9, fort=fort, us_1mardiv=4, jp_84gd=2)

    assert off == shifts(attack(table, ALLIES), "attack")["terrain and fort"]


def test_p31_3_the_fort_is_the_defenders() -> None:
    table = field(9, 9, fort=2, jp_ssd=4, us_24div=3)

    assert -2 == shifts(attack(table, JAPAN), "attack")["terrain and fort"]  # the terrain alone


@pytest.mark.parametrize(("month", "jungle"), [("1942-05", 1), ("1942-07", None)])
def test_p31_3_p3_2_attack_in_jungle(month: str, jungle: int | None) -> None:
    scene = battle(
        month=month,
        control={"JP": ["lae"]},
        ground=[{"id": "jp_ssd", "hex": "lae"}, {"id": "us_24div", "hex": "lae", "steps": 3}],
    )
    table = table_at(scene, GroundCombats(), 9, 9, advantage=JAPAN)

    assert jungle == shifts(attack(table, JAPAN), "attack").get("jungle")


def test_p31_3_p3_2_materiel_and_doctrine_by_date() -> None:
    scene = battle(
        month="1944-09",
        control={"JP": ["lae"]},
        ground=[{"id": "jp_ssd", "hex": "lae"}, {"id": "us_24div", "hex": "lae", "steps": 3}],
    )
    table = table_at(scene, GroundCombats(), 9, 9, advantage=ALLIES)
    found = shifts(attack(table, ALLIES), "attack")

    assert (2, -3) == (found["materiel"], found["terrain and fort"])  # jungle 2 and doctrine 1


@pytest.mark.parametrize(("both", "shift"), [(True, -1), (False, None)])
def test_p31_3_landing_counts_if_every_attacker_has_the_marker(both: bool, shift: int | None) -> None:
    marks = {"us_24div": {"landing": True}, "us_25div": {"landing": both}}
    table = field(9, 9, jp_ssd=4, us_24div=3, us_25div=3, marks=marks)

    assert shift == shifts(attack(table, ALLIES, "us_24div", "us_25div"), "attack").get("landing")


def test_p31_3_an_atoll_helps_both() -> None:
    table = field(9, 9, at="wake", us_wakedb=3, jp_ssd=4)
    facts = attack(table, JAPAN)

    # Attack 4 steps, column 3: -2 + 0 (4 to 3) + 1; defence 3 steps, column 3: -3 + 1.
    assert {"attacking": -2, "atoll": 1} == shifts(facts, "attack")
    assert {"defending": -3, "atoll": 1} == shifts(facts, "defence")
    assert ["column 2", "column 1"] == [one[2] for one in rolls(facts)]


def test_p31_3_frontage_is_15_on_each_side() -> None:
    table = field(9, 9, at="manila", jp_5div=9, jp_18div=9, us_24div=9, us_25div=9)
    facts = attack(table, JAPAN, "jp_18div", "jp_5div")

    # 15, column 7: attack -2, odds 18 to 18: 0, city -1: 4; defence -3: 4.
    assert ["column 4", "column 4"] == [one[2] for one in rolls(facts)[:2]]


def test_p31_3_the_odds_count_all_steps() -> None:
    # 36 to 18 is 2 to 1, though 15 fight 15.
    table = field(9, 9, at="manila", jp_5div=9, jp_18div=9, jp_38div=9, jp_2div=9, us_24div=9, us_25div=9)
    facts = attack(table, JAPAN, "jp_18div", "jp_2div", "jp_38div", "jp_5div")

    assert 1 == shifts(facts, "attack")["odds"]


@pytest.mark.parametrize(("steps", "column"), [(3, "column 1"), (2, "no column")])
def test_p31_3_from_three_steps_on_no_roll_is_below_column_1(steps: int, column: str) -> None:
    # Against 9 steps: odds less than 1 to 2: -2; jungle +1 and -2.
    table = field(9, 9, jp_ssd=steps, us_24div=9)

    assert column == rolls(attack(table, JAPAN))[0][2]


def test_p31_3_r_90_p2_2_4_broken_defenders_count_half_rounded_up() -> None:
    """Given 5 Broken steps, when they defend, then they are 3: in strength, odds, floor and average."""
    marks = {"us_24div": {"broken": True, "active": False}}
    table = field(9, 9, at="manila", jp_5div=6, us_24div=5, marks=marks)
    facts = attack(table, JAPAN)

    assert 1 == shifts(facts, "attack")["odds"]  # 6 to 3
    assert ("defence", "manila", "column 1", 9) == rolls(facts)[1]  # 3 steps: column 3 - 3, but the floor

    marks = {"us_24div": {"broken": True, "active": False}}
    table = field(9, 9, at="manila", jp_5div=6, us_24div=4, marks=marks)
    facts = attack(table, JAPAN)
    assert ("defence", "manila", "no column", 9) == rolls(facts)[1]  # 2 steps: no floor


def test_p31_3_r_90_the_average_weighs_broken_units_by_half() -> None:
    # 5 Broken steps of 4 (3 count) and 4 of 7: 40 / 7 = 5.7, rounded 6. By all steps it were 48 / 9,
    # rounded 5. Against 8 that is a difference of 2, and no shift; or of 3, and one.
    marks = {"us_cb1": {"broken": True, "active": False}}
    table = field(9, 9, at="manila", jp_109div=6, us_cb1=5, us_1mardiv=4, marks=marks)

    assert "troop quality" not in shifts(attack(table, JAPAN), "attack")


# P31.4 losses


def test_p31_4_p3_3_hits_one_by_one_from_the_unit_with_most_left_ties_in_order() -> None:
    own = Own(ground={"a": Ground("x", steps=3), "b": Ground("x", steps=4), "c": Ground("x", steps=1)})

    assert {"b": 1} == fallen(own, ["a", "b", "c"], 1)
    assert {"b": 1, "a": 1} == fallen(own, ["a", "b", "c"], 2)
    assert {"b": 2, "a": 1} == fallen(own, ["a", "b", "c"], 3)
    assert {"b": 4, "a": 3, "c": 1} == fallen(own, ["a", "b", "c"], 20)
    assert {} == fallen(own, ["a", "b", "c"], 0)


def test_p31_4_both_lose_at_once_and_each_unit_that_lost_steps_tests() -> None:
    # Manila: 9 on 9: column 5 - 2 - 1 = 2, face 0: 2 hits; defence column 5 - 3 = 2, face 1: 1 hit.
    # Attacker first: quality 7, 1 hit, 7 holds; defender quality 6, 2 hits: above 5 breaks.
    table = field(0, 1, 7, 6, at="manila", jp_5div=9, us_24div=9)
    facts = attack(table, JAPAN)

    assert [
        ("attack", "manila", "column 2", 0),
        ("defence", "manila", "column 2", 1),
        ("troop quality", "jp_5div", "7 or less holds", 7),
        ("troop quality", "us_24div", "5 or less holds", 6),
    ] == rolls(facts)
    assert (8, False) == standing(table, JAPAN, "jp_5div")
    assert (7, True) == standing(table, ALLIES, "us_24div")


def standing(table: Table, side: int, unit: str) -> tuple[int, bool]:
    """Return steps of a unit, and whether it is Broken."""
    ground = table.state.own[side].ground[unit]
    return ground.steps, ground.broken


@pytest.mark.parametrize(("face", "broken"), [(5, False), (6, True)])
def test_p31_4_quality_less_one_for_each_hit_after_the_first(face: int, broken: bool) -> None:
    table = field(0, 9, face, at="manila", jp_5div=9, us_24div=9)
    attack(table, JAPAN)

    assert (7, broken) == standing(table, ALLIES, "us_24div")


def test_p31_4_p2_2_4_p32_1_a_unit_that_becomes_broken_is_deactivated() -> None:
    table = field(9, 1, 8, at="manila", jp_5div=9, us_24div=9)
    facts = attack(table, JAPAN)

    assert not table.state.own[JAPAN].ground["jp_5div"].active
    assert GroundStepsLost("jp_5div", JAPAN, 0, broken=True) in facts


def test_p31_4_who_lost_nothing_does_not_test_nor_who_is_gone() -> None:
    # Column 5 - 2 + 2 - 1 = 4, face 1: 2 hits destroy the 2 steps; no die for them.
    table = field(1, 9, at="manila", jp_5div=9, us_24div=2)
    facts = attack(table, JAPAN)

    assert ["attack", "defence"] == [one[0] for one in rolls(facts)]
    assert "destroyed" == table.state.open.lost["us_24div"]
    assert [] == table.state.open.troops[ALLIES]
    assert table.state.open.landed is None


def test_p31_4_who_lives_tests_also_behind_one_that_is_gone() -> None:
    # 9 on 3 in a city: column 5 - 2 + 1 - 1 = 3, face 1: 2 hits, one on each, in the order of steps and id.
    table = field(1, 9, 7, at="manila", jp_5div=9, au_30bde=1, us_24div=2)
    facts = attack(table, JAPAN)

    assert "destroyed" == table.state.open.lost["au_30bde"]
    assert [("troop quality", "us_24div", "6 or less holds", 7)] == rolls(facts)[2:]
    assert (1, True) == standing(table, ALLIES, "us_24div")


def test_p31_4_hits_on_the_attacker_fall_on_those_that_attack() -> None:
    table = field(9, 0, 0, at="manila", jp_5div=9, jp_ssd=2, us_24div=9)
    attack(table, JAPAN, "jp_ssd")

    assert (9, False) == standing(table, JAPAN, "jp_5div")
    assert "destroyed" == table.state.open.lost["jp_ssd"]


# P31.5 after combat


def at_moresby(*dice: int, marks: dict[str, dict[str, Any]] | None = None, extra: Any = ()) -> Table:
    """Return a combat at Port Moresby: 9 Japanese steps attack 4 Broken Allied ones; Lae is Japanese."""
    scene = battle(
        month="1942-05",
        control={"AL": ["port_moresby", "buna"], "JP": ["lae"]},
        ground=[
            {"id": "jp_5div", "hex": "port_moresby"},
            {"id": "au_30bde", "hex": "port_moresby", "steps": 4},
            *extra,
        ],
    )
    table = table_at(scene, GroundCombats(), *dice, advantage=JAPAN)
    broken = {"broken": True, "active": False}
    for unit, fields in ({"au_30bde": broken} | (marks or {})).items():
        for own in table.state.own:
            if unit in own.ground:
                own.ground[unit] = replace(own.ground[unit], **fields)
    table.state.open.ground = {u: one for own in table.state.own for u, one in own.ground.items()}
    return table


def test_p31_5_broken_defenders_retreat_by_land_not_to_enemy_places() -> None:
    table = at_moresby(9, 9)
    attack(table, JAPAN)

    # Lae 4439 is Japanese; Buna 4539 and 4540 are free.
    assert [d.RetreatGround("au_30bde", "4539"), d.RetreatGround("au_30bde", "4540")] == options(
        table, ALLIES
    )
    assert "[au_30bde]" in table.prompts[ALLIES].text
    facts = act(table, ALLIES, d.RetreatGround("au_30bde", "4540"))
    unit = table.state.own[ALLIES].ground["au_30bde"]
    assert ("4540", False, True, 4) == (unit.hex, unit.active, unit.broken, unit.steps)
    assert [Withdrew("au_30bde", "4540")] == told(facts, Withdrew)
    assert table.state.open.landed is None
    assert ["4540"] == table.state.open.troops[ALLIES]


def test_p31_5_not_to_a_hex_with_enemy_ground_units_nor_without_room() -> None:
    extra = [
        {"id": "jp_ssd", "hex": "4540"},
        *({"id": f"us_{n}div", "hex": "buna", "steps": steps} for n, steps in ((24, 30), (25, 27))),
    ]
    table = at_moresby(9, 9, 0, extra=extra)
    attack(table, JAPAN)

    # 57 of 60 steps stand at Buna: no room for 4 (P2.7). The unit loses a step and stays.
    assert (3, True) == standing(table, ALLIES, "au_30bde")
    assert "4440" == table.state.own[ALLIES].ground["au_30bde"].hex
    assert {} == table.prompts


def test_p31_5_p2_7_just_enough_room() -> None:
    extra = [
        {"id": "jp_ssd", "hex": "4540"},
        *({"id": f"us_{n}div", "hex": "buna", "steps": steps} for n, steps in ((24, 30), (25, 26))),
    ]
    table = at_moresby(9, 9, extra=extra)
    attack(table, JAPAN)

    assert "4539" == table.state.own[ALLIES].ground["au_30bde"].hex  # the only way, without a question


def test_p31_5_a_cornered_unit_loses_its_last_step() -> None:
    table = field(
        9, 9, at="wake", us_wakedb=1, jp_ssd=4, marks={"us_wakedb": {"broken": True, "active": False}}
    )
    facts = attack(table, JAPAN)

    assert "destroyed" == table.state.open.lost["us_wakedb"]
    lost = facts.index(GroundStepsLost("us_wakedb", ALLIES, 1, broken=False))
    assert lost > facts.index(GroundBattleIs(None, "[us_wakedb] cannot retreat"))


def test_p31_5_each_cornered_unit_loses_a_step() -> None:
    mark = {"broken": True, "active": False}
    table = field(9, 9, at="wake", us_wakedb=2, us_6db=3, jp_ssd=4, marks={"us_wakedb": mark, "us_6db": mark})
    attack(table, JAPAN)

    assert (1, True) == standing(table, ALLIES, "us_wakedb")
    assert (2, True) == standing(table, ALLIES, "us_6db")
    assert table.state.open.landed is None


def test_p31_5_each_defender_in_order() -> None:
    extra = [{"id": "us_24div", "hex": "port_moresby", "steps": 2}]
    table = at_moresby(9, 9, extra=extra, marks={"us_24div": {"broken": True, "active": False}})
    attack(table, JAPAN)

    assert {"au_30bde"} == {one.unit for one in options(table, ALLIES)}  # type: ignore[attr-defined]
    act(table, ALLIES, d.RetreatGround("au_30bde", "4540"))
    assert {"us_24div"} == {one.unit for one in options(table, ALLIES)}  # type: ignore[attr-defined]
    act(table, ALLIES, d.RetreatGround("us_24div", "4539"))
    assert {} == table.prompts


def test_p31_5_one_unbroken_defender_holds_the_place() -> None:
    extra = [{"id": "us_24div", "hex": "port_moresby", "steps": 2}]
    table = at_moresby(9, 9, extra=extra)
    attack(table, JAPAN)

    assert {} == table.prompts
    assert "4440" == table.state.own[ALLIES].ground["au_30bde"].hex


def test_p31_5_broken_attackers_retreat_if_they_can() -> None:
    # 9 Japanese on 9 Allies: column 5 - 2 + 1 - 2 = 2: none; defence 5 - 3 = 2, face 1: 1 hit, 8 breaks.
    scene = battle(
        month="1942-05",
        control={"AL": ["port_moresby", "buna"], "JP": ["lae"]},
        ground=[
            {"id": "jp_5div", "hex": "port_moresby"},
            {"id": "jp_ssd", "hex": "port_moresby"},
            {"id": "us_24div", "hex": "port_moresby"},
        ],
    )
    table = table_at(scene, GroundCombats(), 9, 1, 8, advantage=JAPAN)
    attack(table, JAPAN, "jp_5div")

    assert [d.RetreatGround("jp_5div", "4439"), d.RetreatGround("jp_5div", "4540")] == options(table, JAPAN)
    act(table, JAPAN, d.RetreatGround("jp_5div", "4439"))
    assert "4440" == table.state.own[JAPAN].ground["jp_ssd"].hex  # who did not attack stays
    assert not table.state.own[JAPAN].ground["jp_5div"].active


def test_p31_5_broken_attackers_that_cannot_retreat_lose_a_step() -> None:
    table = field(9, 0, 8, at="wake", us_wakedb=9, jp_ssd=4)
    facts = attack(table, JAPAN)

    # Defence column 5 - 3 + 1 = 3, face 0: 2 hits; 8 is above 6: Broken, and cornered: 4 - 2 - 1.
    assert (1, True) == standing(table, JAPAN, "jp_ssd")
    assert GroundStepsLost("jp_ssd", JAPAN, 1, broken=False) in facts
    assert 0 == dice_left(table)


def test_p31_5_if_all_on_both_sides_are_broken_the_attackers_retreat() -> None:
    table = at_moresby(9, 0, 9, marks={})
    attack(table, JAPAN)  # 2 counted steps: column 2 - 3, no hits: the attacker is unbroken, so not here
    assert {"RetreatGround"} == kinds(table, ALLIES)

    marks = {"us_24div": {"broken": True, "active": False}}
    table = field(9, 0, 9, marks=marks, jp_ssd=4, us_24div=9)
    attack(table, JAPAN)  # 5 counted: column 4 - 3 = 1, face 0: 1 hit; 9 breaks the attackers too
    assert {"RetreatGround"} == kinds(table, JAPAN)


def test_p31_5_nobody_retreats_from_an_enemy_that_is_gone() -> None:
    # Attack: column 5 - 2 + 2 - 1 = 4, face 1: 2 hits, and nobody is left.
    table = field(1, 9, at="manila", jp_5div=9, us_24div=2)
    facts = attack(table, JAPAN)

    assert "The ground combat is over" in words(facts)
    assert {} == table.prompts
    check(table)
