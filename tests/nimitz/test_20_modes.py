"""N20 Modes, N21 Decisions, N22 Rolls and draws, N24, N26, and the clock."""

from random import Random
from re import findall

import pytest

from domain.kernel.audience import Audience
from domain.kernel.facts import Drew, Rolled
from domain.kernel.procedures import Prompt
from domain.match.game import BadSetUp
from domain.nimitz import DECISIONS, NIMITZ, flight
from domain.nimitz.bombing import StrategicBombing
from domain.nimitz.clock import ENDS, default
from domain.nimitz.decisions import (
    AllocateHit,
    DoneMoving,
    DoneReserving,
    DoneResupply,
    DoneScouting,
    GiveSupply,
    LendForce,
    MoveForce,
    PickBombed,
    PlaceShip,
    PlaceSub,
    Purchase,
    ReserveForInvasion,
    TakeHit,
)
from domain.nimitz.facts import SupplyIs
from domain.nimitz.movement import Movement
from domain.nimitz.resupply import Resupply
from domain.nimitz.sequence import Turn
from domain.nimitz.theatres import theatre
from tests.fuzz.matches import Play, choose
from tests.nimitz.board import COMMANDERS, SOLITAIRE, TWO_PLAYERS, battle, begun, given, of
from tests.nimitz.rulebook import rows, section
from tests.nimitz.test_10_battle_turn import arena


def test_n20_1_alone_there_is_one_us_seat_and_the_automated_side_has_none() -> None:
    seats = NIMITZ.seats("1942", {"mode": SOLITAIRE})

    assert [("United States", 0)] == [(seat.name, seat.side) for seat in seats]
    play = Play(NIMITZ, "1942", {}, 1)
    random = Random(1)
    while not play.over:
        assert {0} == set(play.table.prompts)
        play.decide(*choose(play, random, 0.9))


def test_n20_2_two_persons_have_a_seat_each() -> None:
    assert [0, 1] == [seat.side for seat in NIMITZ.seats("1942", {"mode": TWO_PLAYERS})]


def test_n20_3_two_commanders_sit_on_the_us_side_and_share_the_income() -> None:
    assert [0, 0] == [seat.side for seat in NIMITZ.seats("1942", {"mode": COMMANDERS})]
    board = begun(mode=COMMANDERS)
    assert {0: 11, 1: 10} == board.open.supply
    second = given(
        {"HI": ["25th-inf"]}, {}, Turn(at="resupply"), turn=2, mode=COMMANDERS, supply={0: 4, 1: 0}
    )
    assert [11 - 1, 11] == [fact.change for fact in of(second.facts, SupplyIs)]
    assert {"AU", "BO", "NG", "SI", "NC", "PH"} == {
        a for a in NIMITZ.names if len(a) == 2 and theatre(board.open, a)
    }


def test_n20_3_poa_decides_before_swpa_and_supply_may_be_given() -> None:
    us = {"US_RE": ["25th-inf", "1-aust-inf"], "SI": ["43rd-inf*"], "AK": ["28th-bg*"]}
    board = given(us, {}, Resupply(seats=(0, 1)), mode=COMMANDERS, supply={0: 2, 1: 1})

    assert [0] == board.asked
    poa = board.offered()
    assert Purchase("42-us-1-aust-inf") not in poa
    assert GiveSupply() in poa
    board.decide(GiveSupply(), DoneResupply())
    assert ([1], {0: 1, 1: 2}) == (board.asked, board.open.supply)
    assert Purchase("42-us-1-aust-inf") in board.offered()
    assert ["42-us-43rd-inf"] == [
        getattr(d, "force", "") for d in board.offered() if type(d).__name__ == "Repair"
    ]


def test_n20_3_swpa_gives_supply_to_poa_too() -> None:
    us = {"US_RE": ["25th-inf"]}
    board = given(us, {}, Resupply(seats=(1,)), mode=COMMANDERS, supply={0: 0, 1: 2})

    board.decide(GiveSupply())

    assert {0: 1, 1: 1} == board.open.supply


def test_n20_3_in_each_step_of_a_turn_poa_decides_and_then_swpa() -> None:
    board = begun(mode=COMMANDERS)
    asked = [(board.rule, *board.asked)]
    for done in (DoneResupply(), DoneResupply(), DoneScouting(), DoneScouting()):
        board.decide(done)
        asked.append((board.rule, *board.asked))

    assert [("N4.2", 0), ("N4.2", 1), ("N5.3", 0), ("N5.3", 1), ("N6.4", 0)] == asked


def test_n20_3_each_moves_its_own_what_it_bought_and_what_it_is_lent() -> None:
    us = {"HI": ["enterprise", "25th-inf"], "SI": ["43rd-inf"], "WC": ["hornet"]}
    board = given(us, {}, Movement(seats=(0, 1)), mode=COMMANDERS)
    board.open.forces["42-us-hornet"].seat = 1
    board.decide(LendForce("42-us-enterprise"), DoneMoving())

    assert [1] == board.asked
    movers = {d.force for d in board.offered() if isinstance(d, MoveForce)}
    assert {"42-us-enterprise", "42-us-43rd-inf", "42-us-hornet"} == movers


def test_n20_3_r_82_the_reserve_is_its_movers_and_bombing_is_poas() -> None:
    us = {"WC": ["1st-marine", "2nd-marine"]}
    board = given(us, {}, year=1945, mode=COMMANDERS)
    board.open.forces["45-us-2nd-marine"].seat = 1
    board = type(board)(board.table.state, board.dice, Movement(seats=(0, 1)))
    assert [ReserveForInvasion("45-us-1st-marine"), DoneReserving()] == board.offered()
    assert (ReserveForInvasion("45-us-1st-marine"),) == board.table.quiet(board.asked[0])
    board.decide(DoneReserving())
    assert [ReserveForInvasion("45-us-2nd-marine"), DoneReserving()] == board.offered()

    bombing = given(
        {"SB": ["73rd-bw"]}, {"JA": ["junyo", "8th-inf"]}, StrategicBombing(), year=1945, mode=COMMANDERS
    )
    assert ([0], [PickBombed("SHIP"), PickBombed("INF")]) == (bombing.asked, bombing.offered())


def test_n20_4_spectators_see_all_events() -> None:
    board = begun()

    told = [fact for fact in board.facts if fact.audience() is not Audience.UMPIRE]
    assert {Audience.ALL} == {fact.audience() for fact in told}


@pytest.mark.parametrize("mode", [0, 4, True])
def test_n20_there_is_no_other_mode(mode: object) -> None:
    with pytest.raises(BadSetUp):
        NIMITZ.set_up("1942", {"mode": mode})


def test_n21_every_decision_of_the_book_is_in_the_catalogue() -> None:
    text = section("21") + section("20") + section("11")
    book = set(findall(r"`([A-Z][A-Za-z]+)[{`]", text)) - {"Resign"}

    assert {decision.__name__ for decision in DECISIONS} == book


def test_n21_what_costs_no_die_may_be_decided_together() -> None:
    buying = given({"US_RE": ["hornet", "wasp"]}, {}, Resupply(seats=(0,)), supply=20)
    moving = given({"HI": ["sub-gp-1"]}, {}, Movement(seats=(0,)))
    flying = arena(["mag-13"], ["55th-inf"], flight.UsAircraft())

    for board in (buying, moving, flying):
        assert board.offered()[:-1] == [*board.table.quiet(0)]


@pytest.mark.parametrize(
    ("us", "together"),
    [
        (["desron-1", "desron-6"], True),
        (["desron-1"], False),
        (["sub-gp-1", "sub-gp-2"], True),
        (["sub-gp-1"], False),
    ],
)
def test_n21_ships_are_placed_together_but_the_last_whose_place_lets_the_dice_fall(
    us: list[str], together: bool
) -> None:
    board = battle("SI", us, ["kaga", "tone-chikuma", "kongo-haruna", "55th-inf"])

    assert 2 * len(us) == len(board.offered(PlaceShip, PlaceSub))
    assert (board.offered() if together else []) == [*board.table.quiet(0)]


@pytest.mark.parametrize(("boats", "together"), [(2, False), (3, True)])
def test_n21_submarines_with_one_place_are_sent_together_while_two_are_left_behind(
    boats: int, together: bool
) -> None:
    board = battle("SI", [f"sub-gp-{n + 1}" for n in range(boats)], ["kaga"])

    assert boats == len(board.offered(PlaceSub))
    assert (board.offered() if together else []) == [*board.table.quiet(0)]


@pytest.mark.parametrize(("mode", "seat"), [(SOLITAIRE, -1), (COMMANDERS, 0)])
def test_n20_3_who_bought_a_force_is_noted_for_two_commanders_alone(mode: int, seat: int) -> None:
    seats = (0, 1) if mode == COMMANDERS else (0,)
    board = given({"US_RE": ["hornet"]}, {}, Resupply(seats=seats), mode=mode, supply=5)

    board.decide(Purchase("42-us-hornet"))

    assert ("WC", seat) == (board.where("hornet")["hornet"], board.open.forces["42-us-hornet"].seat)


def test_n20_3_poa_lends_ships_that_are_in_hawaii_and_have_not_moved() -> None:
    us = {"HI": ["enterprise", "hornet", "25th-inf"], "WC": ["wasp"]}
    board = given(us, {}, Movement(seats=(0, 1)), mode=COMMANDERS)

    assert [LendForce("42-us-enterprise"), LendForce("42-us-hornet")] == board.offered(LendForce)
    board.decide(MoveForce("42-us-enterprise", "MI"), LendForce("42-us-hornet"))
    assert [] == board.offered(LendForce)
    board.decide(DoneMoving())
    assert ([1], []) == (board.asked, board.offered(LendForce))
    assert [] == given(us, {}, Movement(seats=(0,))).offered(LendForce)


def test_n20_3_r_71_a_commander_with_nothing_to_decide_is_not_asked() -> None:
    board = given(
        {"US_RE": ["hornet", "wasp"]}, {}, Resupply(seats=(0, 1)), mode=COMMANDERS, supply={0: 10, 1: 0}
    )

    board.decide(Purchase("42-us-hornet"), DoneResupply())

    assert [] == board.asked


def test_n22_every_roll_and_draw_of_the_book_is_made_somewhere() -> None:
    missing = {
        "scouted order",
        "order",
        "random area",
        "battle length",
        "Japanese plan",
        "air group",
        "reinforcement",
        "EAST not performed",
        "Dogfight",
        "AAA",
        "Bomb runs",
        "Torpedoes",
        "Depth charges",
        "Naval guns",
        "Infantry",
        "Ships for [HOLD]",
        "Infantry for [HOLD]",
        "Aircraft for [HOLD]",
        "Reinforcing ships",
    }
    for seed in range(24):
        random = Random(seed)
        play = Play(NIMITZ, ("1944", "1943", "1945")[seed % 3], {"mode": 1}, seed)
        while missing and not play.over:
            play.decide(*choose(play, random, 0.95))
        missing -= {fact.purpose for _, fact in play.log if isinstance(fact, Rolled | Drew)}

    assert set() == missing


def test_n23_r_77_a_seat_whose_time_has_run_out_does_the_least() -> None:
    board = begun()
    state = board.table.state
    options = (Purchase("42-us-hornet"), DoneResupply())
    assert DoneResupply() == default(state, 0, Prompt("N4", "", options))
    assert AllocateHit("a") == default(state, 0, Prompt("N11.1", "", (AllocateHit("a"), AllocateHit("b"))))
    assert TakeHit in ENDS
    assert DoneScouting in ENDS
    while board.asked:
        seat, prompt = next(iter(board.table.prompts.items()))
        decision = default(state, seat, prompt)
        assert decision in prompt.options
        board.table.decide(seat, decision, "default")
    assert state.match.over


def test_n24_the_coverage_table_names_rules_of_the_book() -> None:
    assert 150 < len(rows(section("24")))


def test_n26_the_balance_table_has_three_policies_for_each_year() -> None:
    years = [row[0] for row in rows(section("26")) if row[0].isdigit()]

    assert {"1942": 3, "1943": 3, "1944": 3, "1945": 3} == {year: years.count(year) for year in years}
