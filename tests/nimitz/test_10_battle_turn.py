"""N10 The battle turn. Most tests begin in the middle of one, on a board that the rules have set up."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.kernel.facts import Rolled
from domain.kernel.procedures import Procedure
from domain.nimitz import aftermath, attacks, combat, first_light, flak, flight, rounds
from domain.nimitz.automaton import Chose
from domain.nimitz.battles import over
from domain.nimitz.blows import (
    Advanced,
    AirborneOver,
    AirfieldsAre,
    CombatBegan,
    Damaged,
    Destroyed,
    Grounded,
    GroupLost,
    Rehomed,
    take_off,
)
from domain.nimitz.board import fit
from domain.nimitz.decisions import (
    AdjustLength,
    DoneAir,
    JaFirstLightCarrier,
    JaLoseAircraft,
    JaPlanOrder,
    JaSendGroup,
    LoseAircraft,
    PassFirstLight,
    PassPlan,
    PickCarrier,
    PlaceShip,
    PlaceSub,
    RollFirstLight,
    SendAircraft,
)
from domain.nimitz.happenings import (
    BattalionDug,
    BattleTurnBegan,
    CupFilled,
    LengthIs,
    PlanUsed,
    PlanVoid,
    Screening,
)
from domain.nimitz.marches import Returned
from domain.nimitz.planning import JapanesePlans, LatePlans
from domain.nimitz.table import Battle, Force
from tests.nimitz.board import JA, TWO_PLAYERS, US, Board, battle, of, reasons, rolls, short


def fight(board: Board) -> Battle:
    assert board.open.battle is not None
    return board.open.battle


def arena(
    us: Sequence[str],
    ja: Sequence[str],
    procedure: Procedure | None = None,
    *,
    air: dict[str, str] | None = None,
    hurt: Sequence[str] = (),
    plans: Sequence[str] = (),
    held: Sequence[str] = (),
    dice: Sequence[int] = (),
    area: str = "SI",
    coastal: bool = True,
    **settings: Any,
) -> Board:
    """Set up a battle, send aircraft (by the end of their ids) and begin a procedure of the battle turn."""
    laid = battle(area, us, ja, **settings)
    while laid.rule in {"N9.2", "N9.6", "N20.2"}:
        places = [option for option in laid.offered() if isinstance(option, PlaceShip | PlaceSub)]
        wanted = [option for option in places if option.area == ("CO" if coastal else "UO")]
        laid.decide(wanted[0] if wanted else laid.offered()[0])
    board = fight(laid)
    board.in_force, board.held = list(plans), list(held)
    board.turn = 1
    for end, where in (air or {}).items():
        name = end if end in board.planes else next(n for n in sorted(board.planes) if n.endswith(end))
        board.planes[name].at = where
    for end in hurt:
        plane = next(n for n in sorted(board.planes) if n.endswith(end))
        board.planes[plane].damaged = True
    laid.dice.rolls, laid.dice.rolled = list(dice), []
    state = laid.table.state
    state.stack, state.asked = [], ()
    return Board(state, laid.dice, *([procedure] if procedure else []))


def clash(kind: attacks.Kind, area: str) -> combat.Clash:
    return combat.Clash(kind=kind, area=area)


def struck(board: Board) -> list[str]:
    """Who was damaged, and destroyed with an exclamation mark, in order."""
    return [
        (short(f.target) if f.target[2:3] == "-" else f.target) + "!" * isinstance(f, Destroyed)
        for f in of(board.facts, Damaged, Destroyed)
    ]


def fired(board: Board) -> list[str]:
    return [who for _, who, _ in rolls(board.facts)]


def test_n10_1_the_steps_of_a_battle_turn_are_in_the_order_of_the_book() -> None:
    steps = [step.rule for step, _ in dict.fromkeys(rounds.BattleTurn.steps.values())]

    numbers = list(dict.fromkeys(rule for rule in steps if rule.startswith("N10")))
    expected = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    assert [f"N10.{n}" for n in expected] == numbers


def test_n10_3_first_light_on_both_sides_is_void() -> None:
    board = arena(
        ["enterprise"], ["kaga"], first_light.FirstLight(), plans=["ja.first_light"], held=["us.first_light"]
    )

    assert (["ja.first_light"], ["us.first_light"]) == (
        [fact.plan for fact in of(board.facts, PlanVoid)],
        [fact.plan for fact in of(board.facts, PlanUsed)],
    )
    assert [] == of(board.facts, Rolled) + board.asked


def test_n10_3_japanese_first_light_attacks_before_all_others() -> None:
    us = ["enterprise", "desron-1", "mag-13"]
    plans = ["ja.first_light"]
    board = arena(us, ["kaga", "shoho"], first_light.FirstLight(), plans=plans, dice=[9, 9], coastal=False)

    assert ["42-ja-kaga"] == [fact.chosen[0] for fact in of(board.facts, Chose) if "Carrier" in fact.question]
    attack = [
        ("AAA", "desron-1"),
        ("AAA", "enterprise"),
        ("Bomb runs", "kaga:2D3A"),
        ("Bomb runs", "kaga:3B5N"),
    ]
    assert attack == [(purpose, who) for purpose, who, _ in rolls(board.facts)]
    flown = {short(n) for n, plane in fight(board).planes.items() if plane.flown}
    assert {"kaga:1A6M", "kaga:2D3A", "kaga:3B5N"} == flown
    assert [] == [fact for fact in of(board.facts, CombatBegan) if fact.step == "Dogfight"]


def test_n10_3_aircraft_of_a_carrier_hit_at_first_light_are_destroyed() -> None:
    board = arena(
        ["enterprise"], ["kaga"], first_light.FirstLight(), plans=["ja.first_light"], dice=[10, 10, 4, 10]
    )

    assert "enterprise" in struck(board)
    lost = [name for name in struck(board) if name.startswith("enterprise:")]
    assert 4 == len(lost)


def test_n10_3_r_80_first_light_without_a_target_grounds_nobody() -> None:
    board = arena(["sub-gp-1"], ["kaga"], first_light.FirstLight(), plans=["ja.first_light"])

    assert [] == of(board.facts, AirborneOver, Grounded, AirfieldsAre)


def test_n10_3_r_80_first_light_without_bombers_on_its_carrier_grounds_nobody() -> None:
    board = arena(["enterprise"], ["kaga"], plans=["ja.first_light"])
    for bomber in ("2D3A", "3B5N"):
        del fight(board).planes[f"42-ja-kaga:{bomber}"]
    board = Board(board.table.state, board.dice, first_light.FirstLight())

    assert [] == of(board.facts, AirborneOver, Grounded, AirfieldsAre)
    assert ["has no bombers on its carrier"] == [fact.why for fact in of(board.facts, PlanVoid)]


@pytest.mark.parametrize(("face", "held"), [(6, ["us.first_light"]), (7, [])])
def test_n10_3_r_55_us_first_light_needs_a_7_and_is_kept_below(face: int, held: list[str]) -> None:
    board = arena(["enterprise", "hornet"], ["kaga"], first_light.FirstLight(), held=["us.first_light"])
    assert [RollFirstLight(), PassFirstLight()] == board.offered()
    board.dice.rolls = [face]

    board.decide(RollFirstLight())

    assert held == fight(board).held
    assert ([] if held else [PickCarrier("42-us-enterprise"), PickCarrier("42-us-hornet")]) == board.offered()


def test_n10_3_us_bombers_at_first_light_suffer_aaa_bomb_and_stay_home_afterwards() -> None:
    board = arena(
        ["enterprise"],
        ["kaga", "destroyer-gp-1", "55th-inf"],
        first_light.FirstLight(),
        held=["us.first_light"],
    )
    board.dice.rolls = [8, 10, 10, 1, 10]
    board.decide(RollFirstLight())
    board.decide(
        SendAircraft("42-us-enterprise:2SBD", "JO"), SendAircraft("42-us-enterprise:3SBD", "JO"), DoneAir()
    )

    assert ["First Light", "AAA", "AAA", "Bomb runs", "Bomb runs"] == [
        purpose for purpose, _, _ in rolls(board.facts)
    ]
    assert ["kaga", "kaga:1A6M!", "kaga:2D3A!", "kaga:3B5N!"] == struck(board)
    flown = {short(n) for n, plane in fight(board).planes.items() if plane.flown}
    assert {"enterprise:2SBD", "enterprise:3SBD"} == flown
    later = Board(board.table.state, board.dice, flight.UsAircraft())
    assert {"42-us-enterprise:1F4F", "42-us-enterprise:4TBD"} == {
        d.aircraft for d in later.offered() if isinstance(d, SendAircraft)
    }


def test_n10_3_us_bombers_at_first_light_attack_area_by_area_and_no_aaa_guards_the_island() -> None:
    board = arena(["enterprise"], ["kaga", "8-sentai"], first_light.FirstLight(), held=["us.first_light"])
    board.dice.rolls = [7]
    board.decide(RollFirstLight())
    board.decide(SendAircraft(GROUP[1], "IS"), SendAircraft(GROUP[2], "JO"), DoneAir())

    fired = [("kaga", "AAA"), ("enterprise:3SBD", "Bomb runs"), ("enterprise:2SBD", "Bomb runs")]
    assert fired == [(who, purpose) for purpose, who, _ in rolls(board.facts)][1:]
    assert "7 or more" == next(fact.target for fact in of(board.facts, Rolled))


def test_n10_3_us_first_light_that_is_passed_is_kept() -> None:
    board = arena(["enterprise"], ["kaga"], first_light.FirstLight(), held=["us.first_light"])

    board.decide(PassFirstLight())

    assert (["us.first_light"], [], []) == (fight(board).held, board.asked, of(board.facts, Rolled))


def test_n10_3_the_carrier_of_the_japanese_first_light_has_the_most_aircraft() -> None:
    ja, plans = ["shoho", "kaga", "akagi"], ["ja.first_light"]
    board = arena(["enterprise"], ja, first_light.FirstLight(), plans=plans)
    void = arena(["enterprise"], ["kaga*"], first_light.FirstLight(), plans=plans)

    assert [["the most aircraft", "by id"]] == reasons(board.facts, "Carrier for First Light")
    assert ("42-ja-akagi",) == of(board.facts, Chose)[0].chosen
    assert ["has no carrier with aircraft"] == [fact.why for fact in of(void.facts, PlanVoid)]


def test_n10_4_r_52_us_aircraft_may_be_sent_or_stay_and_no_contact_closes_the_ocean() -> None:
    board = arena(["mag-13", "19th-bg"], ["55th-inf"], flight.UsAircraft())
    assert 9 == len(board.offered())
    board.decide(SendAircraft("42-us-mag-13", "JO"), DoneAir())
    assert {"42-us-mag-13": "JO", "42-us-19th-bg": ""} == {n: p.at for n, p in fight(board).planes.items()}

    closed = arena(["mag-13"], ["55th-inf"], flight.UsAircraft(), plans=["ja.no_contact"])
    assert {"IS", "CO", "UO"} == {d.area for d in closed.offered() if isinstance(d, SendAircraft)}


def test_n10_5_r_38_r_50_one_group_of_bombers_and_one_of_fighters_a_carrier_and_on_land() -> None:
    ja = ["kaga", "akagi", "8-sentai", "4-kokutai", "59-sentai"]
    board = arena(["enterprise", "mag-13"], ja, flight.JapaneseAircraft(), dice=[10] * 6)

    groups = ["bombers:42-ja-akagi", "bombers:42-ja-kaga", "bombers:LBA"]
    groups += ["fighters:42-ja-akagi", "fighters:42-ja-kaga", "fighters:LBA"]
    assert groups == [fact.subject for fact in of(board.facts, Rolled)]


@pytest.mark.parametrize(
    ("us", "face", "area"),
    [
        (["desron-1"], 1, "CO"),
        (["desron-1", "mag-13"], 1, "IS"),
        (["desron-1", "mag-13"], 4, "IS"),
        (["desron-1"], 6, "CO"),
        (["desron-1"], 10, "CO"),
        (["enterprise"], 3, "UO"),
        (["mag-13"], 10, "IS"),
        (["25th-inf"], 2, "IS"),
    ],
)
def test_n10_5_a_group_flies_where_the_die_says_else_higher_else_lower(
    us: list[str], face: int, area: str
) -> None:
    board = arena(us, ["8-sentai"], flight.JapaneseAircraft(), dice=[face])

    assert [area] == [fact.area for fact in of(board.facts, AirborneOver)]


@pytest.mark.parametrize(
    ("face", "area", "why"),
    [
        (2, "IS", ["by the die", "the next higher that is legal"]),
        (3, "IS", ["by the die"]),
        (5, "IS", ["by the die"]),
        (6, "CO", ["by the die"]),
        (7, "UO", ["by the die"]),
    ],
)
def test_n10_5_each_battle_area_has_its_numbers(face: int, area: str, why: list[str]) -> None:
    us = ["desron-1", "enterprise", "mag-13"]
    board = arena(us, ["8-sentai"], flight.JapaneseAircraft(), dice=[face])

    assert ([area], [why]) == (
        [fact.area for fact in of(board.facts, AirborneOver)],
        reasons(board.facts, "Area for"),
    )
    (chose,) = of(board.facts, Chose)
    assert (("IS", "CO", "UO"), (face,)) == (chose.candidates, chose.die)
    numbers = "1-2 Japanese Ocean, 3-5 Island, 6 Coastal, 7-10 US Ocean"
    assert [numbers] == [fact.target for fact in of(board.facts, Rolled)]


def test_n10_5_a_group_without_a_legal_area_stays_at_home() -> None:
    board = arena(["sub-gp-1"], ["8-sentai", "kaga"], flight.JapaneseAircraft(), dice=[10])

    assert [] == of(board.facts, AirborneOver)
    assert ["by the die", "no area is legal, it stays at home"] == reasons(board.facts, "Area for")[0]


def test_n20_2_n10_5_no_die_is_cast_for_a_group_that_a_person_could_send_nowhere() -> None:
    board = arena(["sub-gp-1"], ["8-sentai", "kaga"], flight.JapaneseAircraft(), mode=TWO_PLAYERS)

    assert ([], []) == (rolls(board.facts), of(board.facts, AirborneOver, Chose))


def test_n10_5_fighters_follow_aircraft_and_stay_home_where_there_are_none() -> None:
    board = arena(["mag-13"], ["59-sentai"], flight.JapaneseAircraft(), dice=[10])
    assert [] == of(board.facts, AirborneOver)

    board = arena(["mag-13"], ["59-sentai"], flight.JapaneseAircraft(), air={"mag-13": "JO"}, dice=[10])
    assert ["JO"] == [fact.area for fact in of(board.facts, AirborneOver)]
    assert [["by the die", "the next lower that is legal"]] == reasons(board.facts, "Area for")


def test_n10_6_dogfights_only_between_aircraft_in_the_air() -> None:
    us, ja = ["mag-13", "mag-21", "19th-bg"], ["59-sentai", "8-sentai"]
    air = {"mag-13": "IS", "19th-bg": "IS", "59-sentai": "IS", "8-sentai": "IS"}
    board = arena(us, ja, clash(attacks.DOGFIGHT, "IS"), air=air, dice=[4, 3])

    assert ["mag-13", "59-sentai"] == fired(board)
    assert ["59-sentai", "19th-bg", "19th-bg!"] == struck(board)


def test_n10_6_superior_hits_that_find_no_aircraft_in_the_air_are_lost() -> None:
    board = arena(
        ["mag-13", "mag-21"],
        ["59-sentai"],
        clash(attacks.DOGFIGHT, "IS"),
        air={"mag-13": "IS", "mag-21": "IS", "59-sentai": "IS"},
        dice=[1, 1, 10],
    )

    assert ["59-sentai", "59-sentai!"] == struck(board)


def test_n10_7_r_44_the_best_ships_fire_one_for_each_aircraft_escorts_before_carriers() -> None:
    us = ["enterprise", "hornet", "desron-1", "chester-louisville"]
    air = {"8-sentai": "UO"}
    board = arena(us, ["8-sentai"], flak.Flak(side=US, area="UO"), air=air, coastal=False)

    assert ["desron-1", "enterprise"] == fired(board)


def test_n10_7_hits_fall_before_the_next_row_and_submarines_and_transports_do_not_fire() -> None:
    us = ["enterprise", "desron-1", "sub-gp-1", "25th-inf~"]
    ja = ["8-sentai*", "kaga"]
    board = arena(us, ja, flak.Flak(side=US, area="UO"), air={"8-sentai": "UO"}, coastal=False, dice=[1])

    assert (["desron-1"], ["8-sentai!"]) == (fired(board), struck(board))


def test_n10_7_aircraft_over_the_island_are_safe_from_aaa() -> None:
    board = arena(["mag-13", "desron-1"], ["8-sentai"], rounds.BattleTurn(at="aaa"), air={"8-sentai": "IS"})

    assert "AAA" not in [purpose for purpose, _, _ in rolls(board.facts)]


def test_n10_7_area_by_area_first_the_us_ships_fire_then_the_japanese() -> None:
    us, ja = (
        ["enterprise", "desron-1", "mag-13"],
        ["kaga", "tone-chikuma", "kongo-haruna", "55th-inf", "8-sentai", "4-kokutai"],
    )
    air = {"mag-13": "CO", "8-sentai": "CO", "4-kokutai": "UO", "enterprise:1F4F": "JO"}
    board = arena(us, ja, rounds.BattleTurn(at="aaa"), air=air)

    fire = [(short(f.subject), f.by) for f in of(board.facts, Rolled) if f.purpose == "AAA"]
    in_ocean = [("tone-chikuma", JA), ("kaga", JA)]
    assert [*in_ocean, ("desron-1", US), ("kongo-haruna", JA), ("enterprise", US)] == fire
    began = [fact.area for fact in of(board.facts, CombatBegan) if fact.step == "AAA"]
    assert ["JO", "CO", "CO", "UO"] == began


def test_n10_1_a_new_battle_turn_finds_all_at_home_and_no_plan_in_force() -> None:
    board = arena(["mag-13"], ["55th-inf"], air={"mag-13": "CO"}, plans=["ja.duration"])
    fight(board).planes["42-us-mag-13"].flown = True
    fight(board).step, fight(board).over = "AAA", "CO"

    board.table.record(BattleTurnBegan(2))

    plane, now = fight(board).planes["42-us-mag-13"], fight(board)
    assert ("", False) == (plane.at, plane.flown)
    assert (2, [], "", "") == (now.turn, now.in_force, now.step, now.over)


def test_n10_7_the_ships_that_fire_of_japan_are_explained() -> None:
    ja = ["kongo-haruna", "tone-chikuma", "8-sentai"]
    board = arena(["mag-13"], ja, flak.Flak(side=JA, area="CO"), air={"mag-13": "CO"})

    assert [["the best AAA, one for each aircraft, 1 in all"]] == reasons(board.facts, "Ships that fire")
    assert ["kongo-haruna"] == fired(board)


def test_n10_7_equal_aaa_goes_by_id_and_that_is_said() -> None:
    ja = ["destroyer-gp-4", "destroyer-gp-1", "tone-chikuma*", "8-sentai"]
    board = arena(["mag-13"], ja, flak.Flak(side=JA, area="CO"), air={"mag-13": "CO"})

    assert [["the best AAA, one for each aircraft, 1 in all", "by id"]] == reasons(
        board.facts, "Ships that fire"
    )
    assert ["destroyer-gp-1"] == fired(board)


def test_n10_8_bombs_on_ships_and_on_the_island() -> None:
    us = ["mag-13", "19th-bg", "25th-inf"]
    ja = ["tone-chikuma", "ja-bn-01", "8-sentai"]
    sea = arena(us, ja, clash(attacks.BOMBS, "CO"), air={"mag-13": "CO"}, dice=[4])
    assert ["tone-chikuma"] == struck(sea)

    land = arena(us, ja, clash(attacks.BOMBS, "IS"), air={"19th-bg": "IS"}, dice=[4])
    assert ["ja-bn-01"] == struck(land)


def test_n10_8_infantry_is_bombed_only_with_friends_ashore_and_without_a_target_nobody_rolls() -> None:
    board = arena(["enterprise"], ["ja-bn-01"], clash(attacks.BOMBS, "IS"), air={"2SBD": "IS"}, dice=[1])
    assert ([], []) == (rolls(board.facts), struck(board))

    airfield = arena(
        ["enterprise"], ["8-sentai", "ja-bn-01"], clash(attacks.BOMBS, "IS"), air={"2SBD": "IS"}, dice=[1]
    )
    assert [0] == [fact.airfields for fact in of(airfield.facts, AirfieldsAre)]


def test_n10_9_torpedoes_hit_surface_ships_and_transports() -> None:
    board = arena(
        ["sub-gp-1", "25th-inf"], ["sub-gp-1", "55th-inf~"], clash(attacks.TORPEDOES, "CO"), dice=[2]
    )

    assert (["sub-gp-1"], ["55th-inf", "55th-inf!"]) == (fired(board), struck(board))


def test_n10_9_depth_charges_one_attacker_for_each_submarine() -> None:
    us = ["enterprise", "desron-1", "chester-louisville"]
    board = arena(us, ["sub-gp-1"], clash(attacks.DEPTH, "UO"), coastal=False, dice=[3])

    assert (["desron-1"], ["sub-gp-1"]) == (fired(board), struck(board))


def test_n10_9_the_japanese_ships_that_hunt_submarines_are_explained() -> None:
    ja = ["destroyer-gp-1", "destroyer-gp-4", "sub-gp-1"]
    board = arena(["sub-gp-1"], ja, clash(attacks.DEPTH, "CO"))
    assert [["the best depth charges, one for each submarine, 1 in all", "by id"]] == reasons(
        board.facts, "Ships that hunt"
    )
    assert ["destroyer-gp-1"] == fired(board)

    alone = arena(["sub-gp-1"], ja[:1], clash(attacks.DEPTH, "CO"))
    assert ([], ["destroyer-gp-1"]) == (reasons(alone.facts, "Ships that hunt"), fired(alone))


@pytest.mark.parametrize(("kind", "sides"), [(attacks.TORPEDOES, (US, JA)), (attacks.DEPTH, (US,))])
def test_n10_9_where_japan_hunts_no_submarines_nothing_is_explained(
    kind: attacks.Kind, sides: tuple[int, ...]
) -> None:
    ja = ["destroyer-gp-1", "destroyer-gp-4", "sub-gp-1"]
    procedure = combat.Clash(kind=kind, area="CO", sides=sides)

    assert [] == reasons(arena(["sub-gp-1", "desron-1"], ja, procedure).facts, "Ships that hunt")


def test_n10_9_r_42_naval_guns_have_one_pool_of_targets() -> None:
    us = ["colorado-maryland", "25th-inf"]
    ja = ["tone-chikuma", "55th-inf", "8-sentai", "ja-bn-01"]
    board = arena(us, ja, clash(attacks.GUNS, "CO"), dice=[4, 10])

    assert (["colorado-maryland", "tone-chikuma"], ["ja-bn-01"]) == (fired(board), struck(board))
    assert ["the lowest value, 0"] == reasons(board.facts, "Naval guns")[0]


def test_n10_9_carriers_have_no_guns_and_ships_outside_coastal_do_not_fire() -> None:
    board = arena(
        ["enterprise", "desron-1"], ["tone-chikuma", "55th-inf"], clash(attacks.GUNS, "CO"), coastal=False
    )

    assert [] == fired(board)


def test_n10_10_r_49_infantry_in_foxholes_fights_infantry_in_foxholes_first() -> None:
    board = arena(["25th-inf"], ["55th-inf", "8-sentai"], clash(attacks.INFANTRY, "IS"), dice=[3, 10])
    assert ["55th-inf"] == struck(board)

    beach = arena(["25th-inf"], ["8-sentai", "55th-inf"], dice=[3])
    fight(beach).foxhole.remove("42-ja-55th-inf")
    fight(beach).beach.append("42-ja-55th-inf")
    beach.dice.rolls = [3]
    beach = Board(beach.table.state, beach.dice, clash(attacks.INFANTRY, "IS"))
    assert [0] == [fact.airfields for fact in of(beach.facts, AirfieldsAre)]
    assert ["25th-inf"] == fired(beach)


def test_n10_11_r_59_infantry_advances_and_marines_go_straight_into_foxholes() -> None:
    board = arena(["1st-marine~", "25th-inf~"], ["55th-inf~", "ja-bn-01"])
    fight(board).beach.append("42-us-43rd-inf")
    board.open.forces["42-us-43rd-inf"] = Force("SI")

    aftermath.infantry_advances(board.table)

    assert [
        (US, ("42-us-43rd-inf", "42-us-1st-marine"), ("42-us-25th-inf",)),
        (JA, (), ("42-ja-55th-inf",)),
    ] == [(fact.side, fact.foxhole, fact.beach) for fact in of(board.table.facts, Advanced)]
    assert not board.open.forces["42-us-25th-inf"].aboard
    assert ["ja-bn-01", "42-us-43rd-inf", "42-us-1st-marine"] == fight(board).foxhole
    assert ["42-us-25th-inf", "42-ja-55th-inf"] == fight(board).beach


def test_n10_12_r_48_carrier_aircraft_find_room_by_number_on_sound_decks() -> None:
    board = arena(["enterprise", "hornet"], ["kaga"])
    board.open.forces["42-us-enterprise"].damaged = True
    for name in ("enterprise:1F4F", "hornet:2SBD", "hornet:3SBD", "enterprise:4TBD"):
        del fight(board).planes[f"42-us-{name}"]

    aftermath.land(board.table)

    assert ["42-us-hornet"] == fit(board.open, US)
    assert {"42-us-hornet"} == {p.home for n, p in fight(board).planes.items() if "-us-" in n}
    assert ["enterprise:2SBD", "enterprise:3SBD"] == [
        short(f.aircraft) for f in of(board.table.facts, Rehomed)
    ]


def test_n10_12_a_carrier_whose_places_are_all_taken_takes_nobody_else() -> None:
    board = arena(["enterprise", "hornet", "wasp"], ["kaga"], air={"wasp:1F4F": "JO"})
    for name in ("hornet:1F4F", "wasp:2SBD", "wasp:3SBD", "wasp:4TBD"):
        fight(board).planes.pop(f"42-us-{name}", None)
    board.open.forces["42-us-wasp"].damaged = True

    aftermath.land(board.table)

    assert [("wasp:1F4F", "hornet")] == [
        (short(fact.aircraft), short(fact.ship)) for fact in of(board.table.facts, Rehomed)
    ]


GROUP = tuple(f"42-us-enterprise:{slot}" for slot in ("1F4F", "2SBD", "3SBD", "4TBD"))


def test_n10_12_r_86_us_aircraft_on_the_deck_of_a_lost_carrier_claim_no_place() -> None:
    board = arena(["enterprise", "hornet"], ["kaga"], air={GROUP[1]: "JO", GROUP[2]: "JO"})
    del fight(board).planes["42-us-hornet:4TBD"]
    take_off(board.open, "42-us-enterprise")
    board = Board(board.table.state, board.dice, rounds.BattleTurn(at="us_return"))

    assert ["enterprise:1F4F!", "enterprise:4TBD!"] == struck(board)
    assert ["the loss of [42-us-enterprise]'s deck"] * 2 == [f.why for f in of(board.facts, Destroyed)]
    hornets = {LoseAircraft(f"42-us-hornet:{slot}") for slot in ("1F4F", "2SBD", "3SBD")}
    assert {*hornets, LoseAircraft(GROUP[1]), LoseAircraft(GROUP[2])} == {*board.offered(LoseAircraft)}


@pytest.mark.parametrize("sunk", [True, False])
def test_n10_12_r_86_japanese_aircraft_on_the_deck_of_a_lost_carrier_push_nobody_out(sunk: bool) -> None:
    board = arena(["enterprise"], ["kaga", "akagi"], air={"42-ja-akagi:2D3A": "UO"})
    if sunk:
        take_off(board.open, "42-ja-kaga")
    else:
        board.open.forces["42-ja-kaga"].damaged = True
    board = Board(board.table.state, board.dice, rounds.BattleTurn(at="japanese_return"))

    assert ["kaga:1A6M!", "kaga:2D3A!", "kaga:3B5N!"] == struck(board)
    left = {short(name) for name in fight(board).planes if "-ja-" in name}
    assert {"akagi:1A6M", "akagi:2D3A", "akagi:3B5N"} == left


def test_n10_3_r_86_a_japanese_carrier_hit_at_first_light_loses_what_is_on_her_deck() -> None:
    board = arena(["enterprise"], ["kaga"], first_light.FirstLight(), held=["us.first_light"])
    board.dice.rolls = [7, 10, 4, 10]
    board.decide(RollFirstLight())
    board.decide(SendAircraft(GROUP[1], "JO"), SendAircraft(GROUP[2], "JO"), DoneAir())

    assert "kaga" in struck(board)
    assert [] == [name for name in fight(board).planes if "-ja-" in name]


def test_n10_12_the_us_choose_who_finds_no_deck() -> None:
    board = arena(["enterprise", "hornet"], ["kaga"], air=dict.fromkeys(GROUP, "JO"))
    board.open.forces["42-us-enterprise"].damaged = True
    for slot in ("1F4F", "2SBD"):
        del fight(board).planes[f"42-us-hornet:{slot}"]
    board = Board(board.table.state, board.dice, rounds.BattleTurn(at="us_return"))

    assert 6 == len(board.offered(LoseAircraft))
    assert board.offered() == [*board.table.quiet(0)]
    board.decide(LoseAircraft("42-us-enterprise:4TBD"))
    assert () == board.table.quiet(0)
    board.decide(LoseAircraft("42-us-enterprise:2SBD"))
    assert ["42-us-enterprise:1F4F", "42-us-enterprise:3SBD"] == [
        f.aircraft for f in of(board.facts, Rehomed)
    ]


def test_n10_11_where_nobody_advances_nothing_is_told() -> None:
    board = arena(["25th-inf"], ["55th-inf"])

    aftermath.infantry_advances(board.table)

    assert [] == of(board.table.facts, Advanced)


def test_n10_12_only_who_is_in_the_air_returns() -> None:
    board = arena(["enterprise", "mag-13"], ["kaga"], air={"mag-13": "CO", GROUP[1]: "JO"})

    aftermath.land(board.table)

    (back,) = of(board.table.facts, Grounded)
    assert ("42-us-enterprise:2SBD", "42-us-mag-13") == back.aircraft


@pytest.mark.parametrize(("ja", "told"), [(["8-sentai"], 0), (["8-sentai", "59-sentai"], 1)])
def test_n10_13_a_choice_of_one_is_none(ja: list[str], told: int) -> None:
    board = arena(["mag-13"], ja)
    fight(board).airfields[JA] = len(ja) - 1
    board = Board(board.table.state, board.dice, aftermath.AirfieldLosses())

    assert (1, told) == (len(of(board.facts, GroupLost)), len(of(board.facts, Chose)))


def test_n10_12_land_based_aircraft_need_no_deck() -> None:
    board = arena(["enterprise", "mag-13"], ["kaga", "8-sentai"], air={GROUP[0]: "UO", "mag-13": "IS"})
    board = Board(board.table.state, board.dice, rounds.BattleTurn(at="us_return"))

    assert ([], []) == (struck(board), board.offered(LoseAircraft))


def test_n10_12_japan_loses_damaged_aircraft_first_then_the_lowest_value() -> None:
    air = {"42-ja-kaga:1A6M": "UO", "42-ja-kaga:2D3A": "UO", "42-ja-kaga:3B5N": "UO"}
    board = arena(["enterprise"], ["kaga", "akagi"], air=air, hurt=["akagi:3B5N"])
    board.open.forces["42-ja-kaga"].damaged = True
    board = Board(board.table.state, board.dice, aftermath.DeckLosses(side=JA))

    assert ["akagi:3B5N!", "akagi:1A6M!", "kaga:1A6M!"] == struck(board)
    assert [["damaged ones first"], ["the lowest value, 1", "by id"], ["the lowest value, 1"]] == reasons(
        board.facts, "Aircraft lost"
    )
    lost = [fact.target for fact in of(board.facts, Destroyed)]
    assert lost == [name for fact in of(board.facts, Chose) for name in fact.chosen]


def test_n10_13_r_47_groups_without_an_airfield_go_full_to_the_reinforcements() -> None:
    board = arena(["mag-13*", "19th-bg"], ["8-sentai*", "59-sentai", "4-kokutai"])
    fight(board).airfields = {US: 1, JA: 1}
    board = Board(board.table.state, board.dice, aftermath.AirfieldLosses())

    assert [LoseAircraft("42-us-19th-bg"), LoseAircraft("42-us-mag-13")] == board.offered()
    board.decide(LoseAircraft("42-us-mag-13"))
    assert ["mag-13", "8-sentai", "59-sentai"] == [
        short(fact.aircraft) for fact in of(board.facts, GroupLost)
    ]
    assert {"mag-13": "US_RE", "8-sentai": "JA_RE"} == board.where("mag-13", "8-sentai")
    assert ["42-ja-8-sentai", "42-ja-59-sentai"] == board.open.returned["LBA"]
    assert "[42-ja-8-sentai] returns to the [JA_RE_LBA]" == of(board.facts, Returned)[0].words()


@pytest.mark.parametrize(("fields", "quiet"), [(2, 0), (1, 3), (0, 3)])
def test_n10_13_a_loss_is_quiet_while_another_is_chosen_after_it(fields: int, quiet: int) -> None:
    board = arena(["mag-13", "19th-bg", "22nd-bg"], ["ja-bn-01"])
    fight(board).airfields = {US: fields, JA: 0}
    board = Board(board.table.state, board.dice, aftermath.AirfieldLosses())

    assert 3 == len(board.offered(LoseAircraft))
    assert quiet == len(board.table.quiet(0))
    board.decide(LoseAircraft("42-us-mag-13"))
    # The last two, with no airfield at all: one choice more, and then there is none.
    assert () == board.table.quiet(0)


def test_n10_13_r_73_a_wing_that_is_away_counts_and_may_be_lost() -> None:
    board = arena(["mag-22"], ["ja-bn-01"], area="MA", elsewhere={"SB": ["73rd-bw"]}, year=1944)
    fight(board).airfields[US] = 1
    board = Board(board.table.state, board.dice, aftermath.AirfieldLosses())

    board.decide(LoseAircraft("44-us-73rd-bw"))

    assert {"73rd-bw": "US_RE"} == board.where("73rd-bw")


def test_n10_13_r_73_a_wing_that_is_away_counts_for_the_us_in_the_marianas_alone() -> None:
    elsewhere = {"SB": ["73rd-bw"]}
    other = arena(["mag-22"], ["ja-bn-01"], aftermath.AirfieldLosses(), elsewhere=elsewhere, year=1944)
    taken = arena(
        ["25th-inf"], ["takao-kokutai"], aftermath.AirfieldLosses(), area="MA", elsewhere=elsewhere, year=1944
    )

    assert ([], []) == (other.offered(), of(other.facts, GroupLost))
    assert ([], []) == (taken.offered(), of(taken.facts, GroupLost))


def test_n10_13_a_side_without_land_based_aircraft_loses_its_airfields() -> None:
    board = arena(["mag-13"], ["55th-inf"])
    del fight(board).planes["42-us-mag-13"]
    board = Board(board.table.state, board.dice, aftermath.AirfieldLosses())

    assert [(US, 0)] == [(fact.side, fact.airfields) for fact in of(board.facts, AirfieldsAre)]


def test_n10_13_the_us_lose_one_after_the_other_until_the_airfields_are_enough() -> None:
    board = arena(["mag-13", "mag-21", "19th-bg"], ["55th-inf"])
    fight(board).airfields[US] = 1
    board = Board(board.table.state, board.dice, aftermath.AirfieldLosses())

    board.decide(LoseAircraft("42-us-mag-13"))
    assert [LoseAircraft("42-us-19th-bg"), LoseAircraft("42-us-mag-21")] == board.offered()
    board.decide(LoseAircraft("42-us-19th-bg"))
    assert (["42-us-mag-13", "42-us-19th-bg"], []) == (
        [fact.aircraft for fact in of(board.facts, GroupLost)],
        board.offered(),
    )


@pytest.mark.parametrize(
    ("us", "ja", "left", "why"),
    [
        (["25th-inf"], ["55th-inf", "6th-inf"], 2, ["Duration, [JA] has more counters"]),
        (["25th-inf", "mag-13"], ["55th-inf"], 0, ["Duration, [JA] has fewer counters"]),
        (["25th-inf"], ["55th-inf"], 1, []),
    ],
)
def test_n10_14_duration_goes_with_the_greater_number(
    us: list[str], ja: list[str], left: int, why: list[str]
) -> None:
    board = arena(us, ja, plans=["ja.duration"])
    fight(board).left = 2
    board = Board(board.table.state, board.dice, aftermath.Advance())

    assert left == of(board.facts, LengthIs)[-1].left
    assert [*why, "a battle turn is over"] == [fact.why for fact in of(board.facts, LengthIs)]


@pytest.mark.parametrize(("by", "left", "word"), [(1, 3, "longer"), (-1, 1, "shorter")])
def test_n10_14_engaged_makes_the_battle_longer_or_shorter(by: int, left: int, word: str) -> None:
    board = arena(["25th-inf"], ["55th-inf"], held=["us.engaged"])
    fight(board).left = 3
    board = Board(board.table.state, board.dice, aftermath.Advance())

    board.decide(AdjustLength(by))

    assert left == fight(board).left
    assert [f"the battle is a turn {word}"] == [fact.effect for fact in of(board.facts, PlanUsed)]


def test_n10_14_r_53_engaged_changes_the_length_and_5_is_the_most() -> None:
    board = arena(["25th-inf"], ["55th-inf", "6th-inf"], plans=["ja.duration"], held=["us.engaged"])
    fight(board).left = 5
    board = Board(board.table.state, board.dice, aftermath.Advance())
    assert [AdjustLength(1), AdjustLength(-1), PassPlan()] == board.offered()

    board.decide(AdjustLength(1))

    assert 4 == fight(board).left


def test_n10_14_a_battle_ends_without_turns_or_without_a_side() -> None:
    board = arena(["25th-inf"], ["55th-inf"])
    fight(board).left = 1
    assert "" == over(board.open)
    fight(board).left = 0
    assert "its time is up" == over(board.open)
    board.open.forces["42-ja-55th-inf"] = Force("OUT")
    assert "Japan has nobody left" == over(board.open)
    board.open.forces["42-us-25th-inf"] = Force("OUT")
    assert "the US have nobody left" == over(board.open)


def test_n20_2_japans_seat_sends_its_groups_where_it_may() -> None:
    us, ja = ["enterprise", "mag-13"], ["8-sentai", "59-sentai"]
    board = arena(us, ja, flight.JapaneseAircraft(), mode=TWO_PLAYERS)

    assert [JaSendGroup("bombers:LBA", "IS"), JaSendGroup("bombers:LBA", "UO")] == board.offered(JaSendGroup)
    board.decide(JaSendGroup("bombers:LBA", "UO"))
    assert ["UO", "UO"] == [fact.area for fact in of(board.facts, AirborneOver)]
    fixed = arena(us, ja, flight.JapaneseAircraft(), mode=TWO_PLAYERS, plans=["ja.carrier_attack"])
    assert "UO" == of(fixed.facts, AirborneOver)[0].area


def test_n20_2_japans_seat_chooses_the_carrier_of_first_light_and_lost_aircraft() -> None:
    board = arena(
        ["enterprise"],
        ["kaga", "akagi"],
        first_light.FirstLight(),
        plans=["ja.first_light"],
        mode=TWO_PLAYERS,
    )
    assert [JaFirstLightCarrier("42-ja-akagi"), JaFirstLightCarrier("42-ja-kaga")] == board.offered(
        JaFirstLightCarrier
    )

    losses = arena(["enterprise"], ["8-sentai", "4-kokutai"], mode=TWO_PLAYERS)
    fight(losses).airfields[JA] = 1
    losses = Board(losses.table.state, losses.dice, aftermath.AirfieldLosses())
    assert [JaLoseAircraft("42-ja-4-kokutai"), JaLoseAircraft("42-ja-8-sentai")] == losses.offered(
        JaLoseAircraft
    )


def test_n20_2_r_75_the_order_of_plans_is_asked_where_it_matters() -> None:
    board = arena(["enterprise"], ["kaga"], mode=TWO_PLAYERS)
    fight(board).plans, fight(board).in_force = 3, ["ja.first_light", "ja.duration", "ja.battalion"]
    board = Board(board.table.state, board.dice, JapanesePlans())

    assert [JaPlanOrder("ja.first_light"), JaPlanOrder("ja.battalion")] == board.offered(JaPlanOrder)
    board.decide(JaPlanOrder("ja.battalion"))
    assert ["ja.battalion", "ja.first_light", "ja.duration"] == fight(board).in_force
    assert [] == board.asked


def test_n20_2_r_75_both_pairs_of_plans_are_put_in_order() -> None:
    pairs = ["ja.first_light", "ja.battalion", "ja.damage_control", "ja.screening_ship"]
    board = arena(["enterprise"], ["kaga"], mode=TWO_PLAYERS)
    fight(board).plans, fight(board).in_force = 4, [*pairs]
    board = Board(board.table.state, board.dice, JapanesePlans())

    assert [JaPlanOrder(plan) for plan in pairs] == board.offered(JaPlanOrder)
    board.decide(JaPlanOrder("ja.battalion"))
    assert [JaPlanOrder(plan) for plan in pairs[2:]] == board.offered(JaPlanOrder)
    board.decide(JaPlanOrder("ja.screening_ship"))
    order = ["ja.battalion", "ja.screening_ship", "ja.first_light", "ja.damage_control"]
    assert (order, []) == (fight(board).in_force, board.asked)


def test_n11_6_n1_14_no_battalion_comes_from_an_empty_box() -> None:
    board = arena(["enterprise"], ["kaga"])
    fight(board).plans, fight(board).in_force = 1, ["ja.battalion"]
    board = Board(board.table.state, board.dice, LatePlans(), JapanesePlans())

    assert ([], ["ja.battalion"]) == (of(board.facts, BattalionDug), fight(board).in_force)


def test_n10_2_r_75_a_screening_ship_that_waits_counts_as_drawn_from_a_new_cup() -> None:
    board = arena(["enterprise"], ["kaga"])
    fight(board).plans, fight(board).cup, fight(board).screening = 1, [], True
    board = Board(board.table.state, board.dice, JapanesePlans())

    (filled,) = of(board.facts, CupFilled)
    assert (22, ("ja.screening_ship",), 1) == (len(filled.cup), filled.drawn, filled.plans)


@pytest.mark.parametrize(
    ("plans", "early"),
    [(["ja.battalion", "ja.first_light"], True), (["ja.first_light", "ja.battalion"], False)],
)
def test_n11_6_r_76_battalion_and_first_light_in_the_order_drawn(plans: list[str], early: bool) -> None:
    board = arena(["enterprise"], ["kaga"], spare=2)
    fight(board).plans, fight(board).in_force = 2, [*plans]
    board = Board(board.table.state, board.dice, JapanesePlans())
    assert early == bool(of(board.facts, BattalionDug))

    late = Board(board.table.state, board.dice, LatePlans())
    assert early != bool(of(late.facts, BattalionDug))
    assert (["ja-bn-01"], "SI") == (fight(late).foxhole, late.where("ja-bn-01")["ja-bn-01"])


def test_n11_6_r_76_a_battalion_is_there_before_the_us_attack_at_first_light() -> None:
    board = arena(["enterprise"], ["kaga"], spare=1, held=["us.first_light"])
    fight(board).plans, fight(board).in_force = 1, ["ja.battalion"]
    board = Board(board.table.state, board.dice, rounds.BattleTurn(at="japanese_plans"))

    assert ("N10.3", ["ja-bn-01"]) == (board.rule, [fact.force for fact in of(board.facts, BattalionDug)])


def test_n11_6_screening_ship_waits_by_carriers_and_is_void_without() -> None:
    board = arena(["enterprise"], ["kaga"])
    fight(board).in_force = ["ja.screening_ship"]
    assert [True] == [
        f.waits for f in of(Board(board.table.state, board.dice, JapanesePlans()).facts, Screening)
    ]

    board = arena(["enterprise"], ["55th-inf"])
    fight(board).in_force = ["ja.screening_ship"]
    void = Board(board.table.state, board.dice, JapanesePlans())
    assert ["ja.screening_ship"] == [fact.plan for fact in of(void.facts, PlanVoid)]
