"""N11 Hits and plans."""

from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import Rolled
from domain.nimitz import NIMITZ, attacks, combat, flak, flight, rounds
from domain.nimitz.automaton import Chose
from domain.nimitz.blows import AirfieldsAre, CombatBegan, Dived
from domain.nimitz.charts import JA_PLANS, US_PLANS
from domain.nimitz.decisions import AllocateHit, CancelHit, PassPlan, TakeHit, UsePlan
from domain.nimitz.happenings import PlanUsed, PlanVoid, Screening
from domain.nimitz.hits import Hits, first_to_be_hit
from domain.nimitz.planning import JapanesePlans
from tests.nimitz.board import JA, TWO_PLAYERS, US, Board, of, rolls, short
from tests.nimitz.rulebook import rows, section
from tests.nimitz.test_10_battle_turn import arena, clash, fight, fired, struck
from tests.seen import view

Kind = attacks.Kind


def hits(victim: int, kind: Kind, area: str, left: int) -> Hits:
    return Hits(victim=victim, kind=kind, area=area, left=left)


def strengthened(plan: str, name: str, kind: Kind, area: str = "CO") -> tuple[int, int]:
    """What a Japanese attack's value and superior value are with a plan."""
    ja = [
        "kaga",
        "tone-chikuma",
        "destroyer-gp-1",
        "sub-gp-1",
        "55th-inf",
        "ja-bn-01*",
        "59-sentai",
        "8-sentai",
    ]
    board = arena(["desron-1", "25th-inf"], ja, plans=[plan] if plan else [])
    full = name if name.startswith("ja-bn") else f"42-ja-{name}"
    value, superior, _ = attacks.strength(board.open, full, kind, area)
    return value, superior


def test_n11_1_r_65_japanese_hits_fall_on_the_lowest_value_then_the_damaged() -> None:
    ja = ["tone-chikuma*", "destroyer-gp-1", "destroyer-gp-4*", "kongo-haruna"]
    board = arena(["desron-1"], [*ja, "55th-inf"], hits(JA, attacks.TORPEDOES, "CO", 1))

    assert [AllocateHit("42-ja-destroyer-gp-4"), AllocateHit("42-ja-tone-chikuma")] == board.offered()
    why = of(board.facts, Chose)[0]
    assert ["the lowest value, 2", "damaged forces first"] == [step.reason for step in why.steps]


def test_n11_1_value_goes_before_damage() -> None:
    board = arena(["desron-1"], ["kaga", "tone-chikuma*", "55th-inf"])

    legal = ["42-ja-kaga", "42-ja-tone-chikuma"]
    assert ["42-ja-kaga"] == first_to_be_hit(board.open, JA, legal)[0]


def test_n11_1_n20_2_in_mode_b_japans_seat_allocates_hits_on_its_forces() -> None:
    ja = ["destroyer-gp-1", "destroyer-gp-4", "55th-inf"]
    board = arena(["desron-1"], ja, hits(JA, attacks.TORPEDOES, "CO", 1), mode=TWO_PLAYERS)
    alone = arena(["desron-1"], ja, hits(JA, attacks.TORPEDOES, "CO", 1))

    assert ([1], [0]) == (board.asked, alone.asked)


def test_n11_2_r_66_us_hits_fall_on_any_of_the_lowest_value() -> None:
    board = arena(["25th-inf*", "32nd-inf", "1st-marine"], ["55th-inf"], hits(US, attacks.INFANTRY, "IS", 3))

    assert [AllocateHit("42-us-25th-inf"), AllocateHit("42-us-32nd-inf")] == board.offered()
    board.decide(AllocateHit("42-us-32nd-inf"), AllocateHit("42-us-25th-inf"))
    assert ["32nd-inf", "25th-inf!", "32nd-inf!"] == struck(board)


def test_n11_2_n0_5_r_77_the_candidates_for_a_hit_are_listed_by_id() -> None:
    board = arena(["mag-13", "25th-inf", "us-bn-01"], ["55th-inf"], hits(US, attacks.GUNS, "CO", 3))
    assert ["us-bn-01", "us-bn-01!"] == struck(board)

    assert [AllocateHit("42-us-25th-inf"), AllocateHit("airfield")] == board.offered()


def test_n11_1_n11_2_the_view_says_whose_hit_is_allocated_and_which_target_may_be_spared() -> None:
    ja = arena(["desron-1"], ["destroyer-gp-1", "destroyer-gp-2"], hits(JA, attacks.GUNS, "CO", 1))
    us = arena(["25th-inf", "32nd-inf"], ["55th-inf"], hits(US, attacks.INFANTRY, "IS", 1))
    spared = arena(
        ["mag-13"], ["55th-inf"], hits(US, attacks.BOMBS, "IS", 1), held=["us.damage_control", "us.seabees"]
    )

    assert {"victim": "JA", "kind": "Naval guns", "area": "CO"} == waiting_hit(ja)
    assert {"victim": "US", "kind": "Infantry", "area": "IS"} == waiting_hit(us)
    asked = {"victim": "US", "kind": "Bomb runs", "area": "IS", "target": "airfield"}
    assert asked == waiting_hit(spared)
    spared.decide(TakeHit())
    assert None is waiting_hit(spared)


def waiting_hit(board: Board) -> Any:
    return view(NIMITZ, board.table.state, Audience.ONLOOKERS)["table"].get("hit")


def test_n11_3_a_hit_on_an_airfield_takes_one_counter() -> None:
    board = arena(["mag-13", "19th-bg"], ["55th-inf"], hits(US, attacks.BOMBS, "IS", 1))

    assert [(US, 1)] == [(fact.side, fact.airfields) for fact in of(board.facts, AirfieldsAre)]


def test_n11_4_r_74_a_hit_on_transports_is_two_on_the_infantry_aboard() -> None:
    ja = ["55th-inf~", "6th-inf~", "ja-bn-01~"]
    board = arena(["desron-1"], ja, hits(JA, attacks.TORPEDOES, "CO", 2))
    assert ["ja-bn-01", "ja-bn-01!", "6th-inf", "6th-inf!"] == struck(board)

    gone = arena(["desron-1"], ["ja-bn-01~"], hits(JA, attacks.TORPEDOES, "CO", 3))
    assert ["ja-bn-01", "ja-bn-01!"] == struck(gone)

    hurt = arena(["desron-1"], ["ja-bn-01*~", "tone-chikuma"], hits(JA, attacks.TORPEDOES, "CO", 2))
    assert ["tone-chikuma", "tone-chikuma!"] == struck(hurt)
    last = arena(["desron-1"], ["ja-bn-01*~"], hits(JA, attacks.TORPEDOES, "CO", 2))
    assert (["ja-bn-01!"], []) == (struck(last), last.asked)

    ours = arena(["25th-inf~", "32nd-inf~"], ["sub-gp-1"], hits(US, attacks.TORPEDOES, "CO", 1))
    assert [AllocateHit("42-us-25th-inf"), AllocateHit("42-us-32nd-inf")] == ours.offered()


def test_n11_4_n11_7_damage_control_cancels_the_whole_hit_on_transports() -> None:
    held = ["us.damage_control"]
    board = arena(["25th-inf~"], ["sub-gp-1"], hits(US, attacks.TORPEDOES, "CO", 1), held=held)

    assert [CancelHit("us.damage_control"), TakeHit()] == board.offered()
    board.decide(CancelHit("us.damage_control"))
    assert ([], [], ["us.damage_control"]) == (struck(board), board.asked, fight(board).used)


def test_n11_5_targets_are_checked_before_each_hit_and_what_is_over_is_lost() -> None:
    board = arena(["25th-inf"], ["ja-bn-01", "8-sentai"], hits(JA, attacks.INFANTRY, "IS", 9))

    assert ["ja-bn-01", "ja-bn-01!"] == struck(board)
    assert [0] == [fact.airfields for fact in of(board.facts, AirfieldsAre)]


def test_n11_6_every_plan_of_the_book_is_in_the_charts_and_the_other_way_round() -> None:
    book = rows(section("11"))
    japanese = {row[0]: (row[1], int(row[2])) for row in book if row[0].startswith("ja.")}
    american = {row[0]: (row[1], int(row[2])) for row in book if row[0].startswith("us.")}

    assert japanese == {plan.id: (plan.name, plan.copies) for plan in JA_PLANS.values()}
    assert american == {plan.id: (plan.name, plan.cost) for plan in US_PLANS.values()}


@pytest.mark.parametrize(
    ("plan", "name", "kind", "area", "plain", "better"),
    [
        ("ja.air_combat", "59-sentai", attacks.DOGFIGHT, "IS", (6, 3), (9, 5)),
        ("ja.air_combat", "8-sentai", attacks.BOMBS, "CO", (2, 0), (5, 2)),
        ("ja.air_combat", "8-sentai", attacks.BOMBS, "IS", (4, 0), (7, 2)),
        ("ja.air_combat", "tone-chikuma", attacks.AAA, "CO", (2, 0), (2, 0)),
        ("ja.attack_plan", "kaga", attacks.AAA, "JO", (4, 2), (5, 2)),
        ("ja.attack_plan", "tone-chikuma", attacks.DEPTH, "CO", (1, 0), (2, 0)),
        ("ja.attack_plan", "sub-gp-1", attacks.TORPEDOES, "CO", (3, 0), (4, 0)),
        ("ja.attack_plan", "ja-bn-01", attacks.INFANTRY, "IS", (0, 0), (1, 0)),
        ("ja.attack_plan", "kaga", attacks.GUNS, "CO", (0, 0), (0, 0)),
        ("ja.infantry_combat", "55th-inf", attacks.INFANTRY, "IS", (4, 0), (7, 2)),
        ("ja.ship_combat", "tone-chikuma", attacks.GUNS, "CO", (4, 0), (7, 2)),
        ("ja.ship_combat", "kaga", attacks.AAA, "JO", (4, 2), (7, 4)),
        ("ja.ship_combat", "sub-gp-1", attacks.TORPEDOES, "CO", (3, 0), (3, 0)),
        ("ja.submarine_warfare", "sub-gp-1", attacks.TORPEDOES, "CO", (3, 0), (7, 2)),
        ("ja.submarine_warfare", "destroyer-gp-1", attacks.DEPTH, "CO", (1, 0), (5, 2)),
    ],
)
def test_n11_6_r_67_what_plans_add(
    plan: str, name: str, kind: Kind, area: str, plain: tuple[int, int], better: tuple[int, int]
) -> None:
    assert (plain, better) == (strengthened("", name, kind, area), strengthened(plan, name, kind, area))


def test_n11_6_r_67_plans_add_up_and_help_japan_alone() -> None:
    board = arena(["25th-inf"], ["55th-inf"], plans=["ja.attack_plan", "ja.infantry_combat"])

    assert (8, 2) == attacks.strength(board.open, "42-ja-55th-inf", attacks.INFANTRY, "IS")[:2]
    assert (3, 0) == attacks.strength(board.open, "42-us-25th-inf", attacks.INFANTRY, "IS")[:2]


def test_n11_6_artillery_is_one_hit_more_if_japan_has_infantry_ashore() -> None:
    board = arena(["25th-inf"], ["55th-inf"], clash(attacks.INFANTRY, "IS"), plans=["ja.artillery"])
    none = arena(["25th-inf"], ["8-sentai"], clash(attacks.INFANTRY, "IS"), plans=["ja.artillery"])

    assert (["25th-inf"], []) == (struck(board), struck(none))


def test_n11_6_n11_7_artillery_alone_is_an_infantry_step_too() -> None:
    shelled = on_the_beach(plans=["ja.artillery"])
    assert ([("Infantry", "IS")], ["25th-inf"]) == (begun_combat(shelled), struck(shelled))
    assert ("Infantry", "IS") == (fight(shelled).step, fight(shelled).over)

    asked = on_the_beach(held=["us.artillery"])
    assert ([("Infantry", "IS")], "N11.7") == (begun_combat(asked), asked.rule)
    assert [] == begun_combat(on_the_beach())


def on_the_beach(**settings: Any) -> Board:
    """Infantry step with nobody in a foxhole."""
    board = arena(["25th-inf"], ["55th-inf", "8-sentai"], **settings)
    fight(board).foxhole, fight(board).beach = [], ["42-ja-55th-inf", "42-us-25th-inf"]
    return Board(board.table.state, board.dice, clash(attacks.INFANTRY, "IS"))


def begun_combat(board: Board) -> list[tuple[str, str]]:
    return [(fact.step, fact.area) for fact in of(board.facts, CombatBegan)]


def test_n11_6_carrier_attack_sends_bombers_without_a_roll() -> None:
    board = arena(
        ["mag-13", "desron-1"], ["8-sentai"], flight.JapaneseAircraft(), plans=["ja.carrier_attack"]
    )

    assert [] == rolls(board.facts)
    assert {"CO"} == {plane.at for name, plane in fight(board).planes.items() if "sentai" in name}


def test_n11_6_r_70_r_79_damage_control_cancels_the_first_hit_on_a_force() -> None:
    plans = ["ja.damage_control"]
    board = arena(["25th-inf"], ["55th-inf"], hits(JA, attacks.INFANTRY, "IS", 2), plans=plans)
    assert (["55th-inf"], plans) == (struck(board), [fact.plan for fact in of(board.facts, PlanVoid)])

    field = arena(["mag-13"], ["8-sentai"], hits(JA, attacks.BOMBS, "IS", 1), plans=plans)
    assert ([0], plans) == ([fact.airfields for fact in of(field.facts, AirfieldsAre)], fight(field).in_force)

    air = arena(
        ["enterprise"], ["kaga"], hits(JA, attacks.AAA, "UO", 1), plans=plans, air={"kaga:1A6M": "UO"}
    )
    assert ["kaga:1A6M"] == struck(air)

    ours = arena(
        ["enterprise"],
        ["kaga"],
        hits(US, attacks.AAA, "JO", 1),
        held=["us.damage_control"],
        air={"enterprise:1F4F": "JO"},
    )
    assert ["enterprise:1F4F"] == struck(ours)


def test_n11_6_the_screening_ship_takes_the_first_hit_on_a_carrier_after_damage_control() -> None:
    board = arena(["enterprise"], ["kaga"], plans=["ja.damage_control"])
    fight(board).screening = True
    board = Board(board.table.state, board.dice, hits(JA, attacks.BOMBS, "JO", 3))

    kinds = [type(fact) for fact in of(board.facts, PlanVoid, Screening)]
    assert ([PlanVoid, Screening], ["kaga"], False) == (kinds, struck(board), fight(board).screening)


def test_n11_6_kamikaze_hits_once_more_and_dies_but_not_before_1944() -> None:
    air = {"mag-13": "", "8-sentai": "CO"}
    early = arena(
        ["desron-1"],
        ["8-sentai"],
        rounds.BattleTurn(at="bomb_runs"),
        plans=["ja.kamikaze"],
        air={"8-sentai": "CO"},
    )
    assert [] == of(early.facts, Dived)

    late = arena(
        ["desron-1"],
        ["takao-kokutai", "55th-inf"],
        rounds.BattleTurn(at="bomb_runs"),
        plans=["ja.kamikaze"],
        air={"takao-kokutai": "CO"},
        year=1944,
    )
    assert air
    assert ["desron-1", "takao-kokutai!"] == struck(late)[:2]


@pytest.mark.parametrize(
    ("year", "us", "why"),
    [
        (1942, "desron-1", "is void: before 1944 it has no effect"),
        (1943, "desron-12", "is void: before 1944 it has no effect"),
        (1944, "sub-gp-1", "is void: the US have no surface ship or transport here"),
    ],
)
def test_n11_6_a_kamikaze_plan_without_effect_is_void_when_drawn(year: int, us: str, why: str) -> None:
    plans = JapanesePlans()
    board = arena([us, "mag-22"], ["ja-bn-01", "sub-gp-1"], year=year)
    fight(board).cup = ["ja.kamikaze"]
    board = Board(board.table.state, board.dice, plans)

    assert [("ja.kamikaze", why)] == [(fact.plan, fact.why) for fact in of(board.facts, PlanVoid)]
    assert [] == fight(board).in_force


@pytest.mark.parametrize(("year", "us"), [(1944, "desron-12"), (1945, "desron-2")])
def test_n11_6_a_kamikaze_plan_with_effect_is_in_force(year: int, us: str) -> None:
    board = arena([us, "us-bn-01"], ["ja-bn-01"], year=year)
    fight(board).cup = ["ja.kamikaze"]
    board = Board(board.table.state, board.dice, JapanesePlans())

    assert ([], ["ja.kamikaze"]) == (of(board.facts, PlanVoid), fight(board).in_force)


def test_n11_6_no_contact_silences_us_submarines_in_the_ocean() -> None:
    us, ja = ["sub-gp-1", "mag-13"], ["kaga", "tone-chikuma"]
    board = arena(us, ja, clash(attacks.TORPEDOES, "JO"), plans=["ja.no_contact"])
    heard = arena(us, ja, clash(attacks.TORPEDOES, "JO"))

    assert ([], ["sub-gp-1"]) == (fired(board), fired(heard))


def test_n11_6_no_contact_stops_any_attack_of_a_us_submarine_in_the_ocean() -> None:
    us, ja = ["sub-gp-1"], ["kaga", "sub-gp-1"]
    stopped, heard = (
        arena(us, ja, clash(attacks.DEPTH, "JO"), plans=plans) for plans in (["ja.no_contact"], [])
    )

    assert ([("kaga", JA)], [("sub-gp-1", US), ("kaga", JA)]) == (hunters(stopped), hunters(heard))


def test_n11_6_no_contact_stops_nobody_elsewhere() -> None:
    us, ja = ["desron-1", "sub-gp-1"], ["tone-chikuma", "sub-gp-1"]
    board = arena(us, ja, clash(attacks.TORPEDOES, "CO"), plans=["ja.no_contact"])

    assert [("sub-gp-1", US), ("sub-gp-1", JA)] == hunters(board)


def hunters(board: Board) -> list[tuple[str, int]]:
    """Who rolled, and whose it was."""
    return [(short(fact.subject), fact.by) for fact in of(board.facts, Rolled)]


def window(board: Board, *uses: UsePlan) -> list[str]:
    """Use plans in the window that is open, pass, and say who was struck."""
    board.decide(*uses)
    if PassPlan() in board.offered():
        board.decide(PassPlan())
    return struck(board)


def test_n11_7_furball_diving_attack_and_ranging_shots_add_a_hit_to_a_hit() -> None:
    air = {"mag-13": "IS", "59-sentai": "IS"}
    dog = arena(
        ["mag-13"], ["59-sentai"], clash(attacks.DOGFIGHT, "IS"), air=air, held=["us.furball"], dice=[4]
    )
    assert ["59-sentai", "59-sentai!"] == window(dog, UsePlan("us.furball"))

    bombs = arena(
        ["mag-13"],
        ["tone-chikuma"],
        clash(attacks.BOMBS, "CO"),
        air={"mag-13": "CO"},
        held=["us.diving_attack"],
        dice=[4],
    )
    assert ["tone-chikuma", "tone-chikuma!"] == window(bombs, UsePlan("us.diving_attack"))

    for kind, us in ((attacks.GUNS, "colorado-maryland"), (attacks.TORPEDOES, "sub-gp-1")):
        shots = arena([us], ["tone-chikuma"], clash(kind, "CO"), held=["us.ranging_shots"], dice=[2])
        assert ["tone-chikuma", "tone-chikuma!"] == window(shots, UsePlan("us.ranging_shots"))


def test_n11_7_no_window_without_a_hit_or_without_the_plan() -> None:
    air = {"mag-13": "IS", "59-sentai": "IS"}
    missed = arena(
        ["mag-13"], ["59-sentai"], clash(attacks.DOGFIGHT, "IS"), air=air, held=["us.furball"], dice=[9]
    )
    none = arena(["mag-13"], ["59-sentai"], clash(attacks.DOGFIGHT, "IS"), air=air, dice=[4])

    assert ([], []) == (missed.asked, none.asked)


def test_n11_7_aaa_and_anti_aircraft() -> None:
    air = {"8-sentai": "UO", "4-kokutai": "UO"}
    board = arena(
        ["enterprise", "desron-1"],
        ["8-sentai", "4-kokutai"],
        flak.Flak(side=US, area="UO"),
        air=air,
        held=["us.aaa", "us.anti_aircraft"],
        coastal=False,
        dice=[3, 10, 3],
    )
    board.decide(UsePlan("us.aaa"), AllocateHit("42-ja-8-sentai"))
    assert ["8-sentai", "8-sentai!"] == struck(board)
    ships = ["42-us-desron-1", "42-us-enterprise"]
    assert [*(UsePlan("us.anti_aircraft", ship) for ship in ships), PassPlan()] == board.offered()
    board.decide(UsePlan("us.anti_aircraft", "42-us-desron-1"))
    assert ["8-sentai", "8-sentai!", "4-kokutai"] == struck(board)
    used = [("us.aaa", "one hit more", ""), ("us.anti_aircraft", "fires once more", "42-us-desron-1")]
    assert used == [(fact.plan, fact.effect, fact.subject) for fact in of(board.facts, PlanUsed)]
    assert ([], []) == (fight(board).held, board.asked)


def test_n11_7_asw_brings_us_depth_charges_before_torpedoes_once() -> None:
    us, ja = ["enterprise", "desron-1"], ["sub-gp-1"]
    procedure = rounds.BattleTurn(at="before_torpedoes")
    board = arena(us, ja, procedure, held=["us.asw"], coastal=False, dice=[3, 9])
    assert [UsePlan("us.asw"), PassPlan()] == board.offered()

    board.decide(UsePlan("us.asw"))

    order = [fact.step for fact in of(board.facts, CombatBegan)]
    assert ["Depth charges", "Torpedoes"] == order[:2]
    assert 1 == fired(board).count("desron-1")


def test_n11_7_asw_that_is_passed_is_kept_and_torpedoes_come_first() -> None:
    procedure = rounds.BattleTurn(at="before_torpedoes")
    board = arena(["enterprise", "desron-1"], ["sub-gp-1"], procedure, held=["us.asw"], coastal=False)

    board.decide(PassPlan())

    assert ["Torpedoes", "Depth charges"] == [fact.step for fact in of(board.facts, CombatBegan)][:2]
    assert (1, ["us.asw"]) == (fired(board).count("desron-1"), fight(board).held)


def test_n11_7_sonar_and_envelop_roll_again() -> None:
    board = arena(
        ["enterprise", "desron-1"],
        ["sub-gp-1"],
        clash(attacks.DEPTH, "UO"),
        held=["us.sonar"],
        coastal=False,
        dice=[9, 1],
    )
    assert ["sub-gp-1"] == window(board, UsePlan("us.sonar", "42-us-desron-1"))
    assert ["rolls again"] == [fact.effect for fact in of(board.facts, PlanUsed)]

    infantry = arena(
        ["25th-inf"], ["55th-inf"], clash(attacks.INFANTRY, "IS"), held=["us.envelop"], dice=[9, 1]
    )
    assert ["55th-inf"] == window(infantry, UsePlan("us.envelop", "42-us-25th-inf"))


def test_n11_7_charge_and_artillery_in_the_infantry_step() -> None:
    held = ["us.charge", "us.artillery"]
    board = arena(["25th-inf"], ["55th-inf"], clash(attacks.INFANTRY, "IS"), held=held, dice=[9, 3, 9])

    assert [UsePlan("us.charge", "42-us-25th-inf"), UsePlan("us.artillery"), PassPlan()] == board.offered()
    uses = (UsePlan("us.charge", "42-us-25th-inf"), UsePlan("us.artillery"))
    assert ["55th-inf", "55th-inf!"] == window(board, *uses)
    assert held == [fact.plan for fact in of(board.facts, PlanUsed)]
    assert ["attacks once more", "one hit more"] == [fact.effect for fact in of(board.facts, PlanUsed)]


def test_n11_7_n0_2_only_who_has_strength_charges() -> None:
    us = ["25th-inf", "us-bn-01", "us-bn-02*"]
    board = arena(us, ["55th-inf"], clash(attacks.INFANTRY, "IS"), held=["us.charge"])

    charging = [UsePlan("us.charge", name) for name in ("42-us-25th-inf", "us-bn-01")]
    assert [*charging, PassPlan()] == board.offered()


@pytest.mark.parametrize(
    ("plan", "us", "kind", "area", "air", "fits"),
    [
        ("us.barrel_roll", ["mag-13"], attacks.DOGFIGHT, "IS", {"mag-13": "IS"}, True),
        ("us.barrel_roll", ["mag-13"], attacks.AAA, "JO", {"mag-13": "JO"}, True),
        ("us.barrel_roll", ["mag-13"], attacks.BOMBS, "IS", {}, False),
        ("us.seabees", ["mag-13"], attacks.BOMBS, "IS", {}, True),
        ("us.seabees", ["25th-inf"], attacks.INFANTRY, "IS", {}, False),
        ("us.leathernecks", ["1st-marine"], attacks.INFANTRY, "IS", {}, True),
        ("us.leathernecks", ["1st-marine", "mag-13"], attacks.BOMBS, "IS", {}, True),
        ("us.leathernecks", ["25th-inf", "2nd-marine~"], attacks.INFANTRY, "IS", {}, False),
        ("us.leathernecks", ["1st-marine", "desron-1"], attacks.TORPEDOES, "CO", {}, False),
        ("us.charge", ["1st-marine"], attacks.INFANTRY, "IS", {}, False),
        ("us.damage_control", ["desron-1"], attacks.TORPEDOES, "CO", {}, True),
        ("us.damage_control", ["mag-13"], attacks.BOMBS, "IS", {}, True),
    ],
)
def test_n11_7_plans_that_cancel_a_hit(
    plan: str, us: list[str], kind: Kind, area: str, air: dict[str, str], fits: bool
) -> None:
    board = arena(us, ["55th-inf"], hits(US, kind, area, 1), air=air, held=[plan])

    assert ([CancelHit(plan), TakeHit()] if fits else []) == board.offered()
    if fits:
        board.decide(CancelHit(plan))
        assert ([], []) == (struck(board), of(board.facts, AirfieldsAre))


def test_n11_7_every_us_plan_has_its_place() -> None:
    placed = {
        *combat.MORE,
        *combat.ROLLED_AGAIN,
        "us.charge",
        "us.artillery",
        "us.aaa",
        "us.anti_aircraft",
        "us.asw",
    }
    placed |= {"us.first_light", "us.engaged"}
    placed |= {"us.barrel_roll", "us.seabees", "us.leathernecks", "us.damage_control"}

    assert set(US_PLANS) == placed


def test_n0_2_a_roll_says_what_hits_and_what_hits_twice() -> None:
    air = {"8-sentai": "UO"}
    board = arena(
        ["enterprise", "desron-1"], ["8-sentai"], flak.Flak(side=US, area="UO"), air=air, coastal=False
    )

    said = {short(fact.subject): fact.target for fact in of(board.facts, Rolled)}
    assert {"desron-1": "3 or less hits", "enterprise": "4 or less hits, 2 or less twice"} == said


def test_n0_2_a_superior_value_of_1_is_told_too() -> None:
    board = arena(["desron-1"], ["shoho"], air={"shoho:1A6M": "IS"})
    attacks.attack(board.table, "42-ja-shoho", attacks.AAA, "JO")

    assert ["2 or less hits, 1 or less twice"] == [fact.target for fact in of(board.table.facts, Rolled)]


def test_n11_6_a_roll_names_the_plans_that_help_it() -> None:
    board = arena(["25th-inf"], ["55th-inf"], plans=["ja.attack_plan", "ja.infantry_combat", "ja.duration"])
    attacks.attack(board.table, "42-ja-55th-inf", attacks.INFANTRY, "IS")

    (roll,) = of(board.table.facts, Rolled)
    plans = [(JA_PLANS["ja.attack_plan"].name, 1), (JA_PLANS["ja.infantry_combat"].name, 3)]
    assert plans == [(modifier.reason, modifier.amount) for modifier in roll.modifiers]


def test_n0_2_r_43_who_has_no_strength_is_no_attacker() -> None:
    board = arena(["25th-inf", "us-bn-01*"], ["55th-inf"])

    assert ["42-us-25th-inf"] == attacks.attackers(board.open, US, attacks.INFANTRY, "IS")


def test_n10_3_an_attack_at_first_light_is_by_its_group_and_on_it_alone() -> None:
    air = {"42-us-enterprise:2SBD": "JO", "42-us-enterprise:3SBD": "JO"}
    board = arena(["enterprise"], ["kaga"], air=air)
    group = ("42-us-enterprise:3SBD",)

    assert [*group] == attacks.attackers(board.open, US, attacks.BOMBS, "JO", group)
    assert [*group] == attacks.targets(board.open, US, attacks.AAA, "JO", group)
    assert [*air] == attacks.targets(board.open, US, attacks.AAA, "JO")


def test_n10_9_the_best_depth_charges_come_first() -> None:
    board = arena(["desron-1", "sub-gp-1", "colorado-maryland"], ["sub-gp-1", "tone-chikuma"])

    best = [("42-us-desron-1", 3), ("42-us-colorado-maryland", 2), ("42-us-sub-gp-1", 1)]
    assert best == attacks.by_depth(board.open, US, "CO")


def test_n10_9_equal_depth_charges_go_by_id_whether_ship_or_submarine() -> None:
    board = arena(["vincennes-quincy*", "sub-gp-1"], ["sub-gp-1", "tone-chikuma"])

    equals = [("42-us-sub-gp-1", 1), ("42-us-vincennes-quincy", 1)]
    assert equals == attacks.by_depth(board.open, US, "CO")
