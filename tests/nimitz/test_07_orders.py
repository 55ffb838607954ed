"""N7 Japanese orders."""

import pytest

from domain.kernel.facts import Rolled
from domain.nimitz.automaton import Chose
from domain.nimitz.charts import BANDS, ORDER_MODIFIERS, ORDERS, SCOUT_MODIFIERS
from domain.nimitz.counter import change_counter
from domain.nimitz.decisions import JaDestination, JaNextArea, JaPickUnit
from domain.nimitz.destinations import closest, destinations, fewest, order_for
from domain.nimitz.marches import BattalionsCame, CounterIs, HeldBack, NotPerformed, OrderDone, Ordered
from domain.nimitz.ordering import Order
from domain.nimitz.orders import Orders
from tests.nimitz.board import SOLITAIRE, TWO_PLAYERS, Board, given, of, reasons
from tests.nimitz.rulebook import rows, section

Places = dict[str, list[str]]


def tried(us: Places, ja: Places, area: str, order: str, **settings: object) -> Board:
    """Begin in the middle of an order, just before it is tried."""
    return given(us, ja, Order(area=area, order=order, at="try_order"), **settings)  # type: ignore[arg-type]


def where(us: Places, ja: Places, order: str, area: str, year: int = 1942) -> list[str]:
    return destinations(given(us, ja, year=year).open, order, area)


def test_n7_1_the_counter_is_0_and_marks_are_made_anew() -> None:
    board = given({"SI": ["sub-gp-1"]}, {"SI": ["55th-inf", "kaga"]}, Orders(), counter=9)

    first = of(board.facts, CounterIs)[0]
    assert 0 == first.counter
    assert 1 == len(of(board.facts, HeldBack))


def test_n7_1_n5_1_who_has_moved_and_who_waits_off_the_map_is_not_held_back() -> None:
    us = {"SI": ["sub-gp-1"]}
    ja = {
        "CI": ["ja-bn-01"],
        "JA_RE": ["junyo", "16th-inf"],
        "MA": ["ja-bn-02"],
        "SI": ["55th-inf", "6th-inf"],
    }
    board = given(us, ja)
    for name in ("ja-bn-01", "42-ja-55th-inf"):
        board.open.forces[name].moved = True
    board = Board(board.table.state, board.dice, Orders())

    held = [(fact.area, fact.forces) for fact in of(board.facts, HeldBack)]
    assert [("MA", ("ja-bn-02",)), ("SI", ("42-ja-6th-inf",))] == held


@pytest.mark.parametrize(("before", "change", "after"), [(13, 4, 15), (3, -8, 0), (5, 2, 7)])
def test_n7_2_r_03_the_counter_runs_from_0_to_15(before: int, change: int, after: int) -> None:
    board = given(counter=before)

    change_counter(board.table, change, "HOLD")

    assert after == board.open.counter
    assert ((0, 3), (4, 7), (8, 11), (12, 15)) == BANDS


def test_n7_3_r_06_areas_with_the_fewest_unmoved_forces_come_first() -> None:
    ja = {"CI": ["kaga", "akagi", "soryu"], "PH": ["hiryu"], "EA": ["shoho", "hosho"], "ML": ["zuiho"]}
    board = given({"HI": ["25th-inf"]}, ja, Orders(), dice=[1, 1, 1, 1])

    areas = next(fact for fact in of(board.facts, Chose) if fact.question == "Areas in order")
    assert ("ML", "PH", "EA", "CI") == areas.chosen
    assert ["ML", "PH", "EA", "CI"] == [fact.area for fact in of(board.facts, OrderDone)]


def test_n7_4_the_first_order_in_an_objective_is_hold() -> None:
    ships = ["kaga", "akagi", "soryu", "hiryu", "shokaku", "zuikaku", "hosho"]
    board = given({"HI": ["25th-inf"]}, {"NG": ships}, Orders(), dice=[2])

    assert ["automatic in an objective", "rolled 4"] == [fact.why for fact in of(board.facts, Ordered)]
    assert 1 == len([fact for fact in of(board.facts, Rolled) if fact.purpose == "order"])


@pytest.mark.parametrize("year", [1942, 1943, 1944, 1945])
@pytest.mark.parametrize("counter", [0, 4, 8, 12, 15])
def test_n7_4_r_01_r_04_an_order_is_d10_and_the_band_of_the_year(year: int, counter: int) -> None:
    board = given({}, {"EA": ["hosho" if year == 1942 else "kongo-haruna"]}, year=year, counter=counter)
    board = Board(board.table.state, board.dice, Order(area="EA"))

    rolled = of(board.facts, Rolled)[0]
    band = min(counter // 4, 3)
    amounts = {1942: (0, 2, 5, 10), 1943: (1, 2, 4, 8), 1944: (5, 5, 6, 6), 1945: (5, 6, 6, 6)}
    assert amounts[year][band] == rolled.modifiers[0].amount
    assert {1942: 2, 1943: 0, 1944: -2, 1945: -3}[year] == SCOUT_MODIFIERS[year]
    assert amounts[year] == ORDER_MODIFIERS[year]


def test_n7_5_hold_keeps_6_ships_1_infantry_and_3_aircraft() -> None:
    ships = ["kaga", "akagi", "soryu", "hiryu", "shokaku", "zuikaku", "hosho"]
    planes = ["14-sentai", "24-sentai", "8-sentai", "59-sentai"]
    board = tried({}, {"PH": [*ships, "2nd-inf", "38th-inf", *planes]}, "PH", "HOLD")

    assert 10 == len(of(board.facts, OrderDone)[0].stayed)
    assert 3 == sum(not force.moved for force in board.open.forces.values() if force.place == "PH")


def test_n7_5_of_several_destinations_the_one_with_fewest_forces_then_the_die() -> None:
    ja = {"CI": ["ja-bn-01", "kaga"], "MA": ["ja-bn-02"], "PH": ["2nd-inf", "38th-inf"], "GI": ["ja-bn-03"]}
    board = tried({}, ja, "CI", "SUPPORT", dice=[6])

    assert "MA" == of(board.facts, OrderDone)[0].to
    assert [["the fewest Japanese forces there", "by the die"]] == reasons(board.facts, "Destination")
    chose = next(fact for fact in of(board.facts, Chose) if "Destination" in fact.question)
    assert (("GI", "MA", "PH"), ("MA",), (6,)) == (chose.candidates, chose.chosen, chose.die)


def test_n7_5_all_forces_count_at_the_destination() -> None:
    board = given({}, {"GI": ["ja-bn-01", "kaga"], "WI": ["ja-bn-02"], "ML": ["akagi", "soryu", "hiryu"]})

    assert ["WI"] == fewest(board.open, ["GI", "ML", "WI"])


def test_n7_5_r_21_the_own_area_and_the_homes_of_others_are_no_destination() -> None:
    everywhere: Places = {"BO": ["ja-bn-01"], "NG": ["ja-bn-02"], "SI": ["ja-bn-03"]}

    assert ["BO", "SI"] == where({}, everywhere, "SUPPORT", "NG")
    assert [] == where({}, everywhere, "SOUTH", "SI")
    assert [] == where({"WC": ["25th-inf"]}, {"HI": ["ja-bn-01"]}, "BATTLE", "HI")


def test_n7_5_r_25_one_that_did_not_arrive_this_turn_stays() -> None:
    board = tried(
        {}, {"CI": ["2nd-inf", "38th-inf", "14-sentai", "8-sentai"], "MA": ["ja-bn-01"]}, "CI", "WITHDRAW"
    )

    done = of(board.facts, OrderDone)[0]
    assert ("MA", 3) == (done.to, len(done.went))
    lone = tried({}, {"CI": ["2nd-inf", "kaga"], "MA": ["ja-bn-01"]}, "CI", "WITHDRAW")
    assert ("42-ja-kaga",) == of(lone.facts, OrderDone)[0].went
    japan = tried({}, {"JA": ["2nd-inf"], "CI": ["ja-bn-01"]}, "JA", "SUPPORT")
    assert ("42-ja-2nd-inf",) == of(japan.facts, OrderDone)[0].went


def test_n7_5_r_18_starred_aircraft_go_to_japan_where_nobody_is_ashore() -> None:
    board = tried(
        {},
        {"CI": ["ja-bn-01", "ja-bn-03", "14-sentai", "kaga"], "NG": ["ja-bn-02"]},
        "CI",
        "SOUTH",
        dice=[10],
    )

    done = of(board.facts, OrderDone)[0]
    assert ("SI", ("42-ja-14-sentai",)) == (done.to, done.to_japan)
    unstarred = tried(
        {"GI": ["mag-22"]}, {"JA": ["14-sentai", "kaga"], "ML": ["ja-bn-01"]}, "JA", "OFFENSIVE"
    )
    assert () == of(unstarred.facts, OrderDone)[0].to_japan


def test_n7_5_r_18_from_japan_itself_they_stay() -> None:
    board = tried({"OK": ["sub-gp-1"]}, {"JA": ["14-sentai", "kaga"], "OK": ["akagi"]}, "JA", "SOUTH")

    assert ("42-ja-kaga",) == of(board.facts, OrderDone)[0].went
    assert "JA" == board.where("14-sentai")["14-sentai"]


def test_n7_5_refit_takes_aircraft_to_japan_though_nobody_is_ashore_there() -> None:
    board = tried({}, {"CI": ["ja-bn-01", "ja-bn-02", "14-sentai", "kaga"]}, "CI", "REFIT")

    assert ("JA", "JA") == (board.where("14-sentai")["14-sentai"], board.where("kaga")["kaga"])


def test_n7_5_r_24_battalions_fill_up_missing_infantry_where_us_forces_are() -> None:
    us = {"SI": ["us-bn-01"], "HI": ["25th-inf"]}
    board = tried(us, {"CI": ["ja-bn-01", "kaga"]}, "CI", "OFFENSIVE", spare=2)

    came = of(board.facts, BattalionsCame)[0]
    assert (("ja-bn-02", "ja-bn-03"), "SI", True) == (came.forces, came.area, came.aboard)
    assert board.open.forces["ja-bn-02"].arrived
    free = tried({"HI": ["25th-inf"]}, {"CI": ["ja-bn-01", "kaga"]}, "CI", "OFFENSIVE", spare=2)
    assert [] == of(free.facts, BattalionsCame)


def test_n7_5_infantry_arrives_on_transports_only_where_us_forces_are() -> None:
    us = {"SI": ["sub-gp-1"]}
    board = tried(us, {"JA": ["2nd-inf"], "CI": ["ja-bn-01"]}, "JA", "OFFENSIVE")
    ashore = tried({}, {"JA": ["2nd-inf"], "CI": ["ja-bn-01"]}, "JA", "SUPPORT")

    assert ("SI~", "CI") == (board.where("2nd-inf")["2nd-inf"], ashore.where("2nd-inf")["2nd-inf"])


def test_n7_5_r_14_r_15_the_fallback_has_its_own_numbers_and_counts_itself() -> None:
    board = tried({}, {"PH": ["ja-bn-01", "14-sentai"]}, "PH", "BATTLE", counter=5)

    assert ["forces of both sides meet in no other area, US submarines not counted"] == [
        fact.why for fact in of(board.facts, NotPerformed)
    ]
    assert ["HOLD"] == [fact.order for fact in of(board.facts, OrderDone)]
    assert [9] == [fact.counter for fact in of(board.facts, CounterIs)]
    stuck = tried(
        {"CI": ["sub-gp-1"]}, {"CI": ["ja-bn-01", "8-sentai"], "MA": ["ja-bn-02"]}, "CI", "OFFENSIVE"
    )
    why = "it has no ship to send, and no infantry or aircraft that may leave"
    assert why == of(stuck.facts, NotPerformed)[0].why


@pytest.mark.parametrize(
    ("total", "order"),
    [
        (-3, "HOLD"),
        (3, "HOLD"),
        (4, "REFIT"),
        (7, "REFIT"),
        (8, "WITHDRAW"),
        (10, "WITHDRAW"),
        (11, "SUPPORT"),
        (12, "SOUTH"),
        (13, "EAST"),
        (14, "BATTLE"),
        (15, "REINFORCE"),
        (16, "REINFORCE"),
        (17, "SORTIE"),
        (18, "SORTIE"),
        (19, "OFFENSIVE"),
        (25, "OFFENSIVE"),
    ],
)
def test_n7_6_the_order_of_each_total(total: int, order: str) -> None:
    assert order == order_for(total)


def test_n7_2_the_modifiers_of_the_counter_are_those_of_the_book() -> None:
    head, *years = rows(section("7"))[:5]

    assert head[1:] == [f"counter {low}-{high}" for low, high in BANDS]
    assert {int(year): tuple(map(int, row)) for year, *row in years} == ORDER_MODIFIERS


def test_n7_6_r_17_the_numbers_of_the_order_table_are_those_of_the_book() -> None:
    for row in rows(section("7"))[1:]:
        if row[1] in ORDERS:
            order = ORDERS[row[1]]
            numbers = (order.ships, order.inf, order.lba, order.resupply)
            printed = tuple(int(cell.rstrip("*").replace("\N{MINUS SIGN}", "-")) for cell in row[2:6])
            assert printed == numbers
            assert row[4].endswith("*") == order.lba_to_japan_if_no_ja_ashore


def test_n7_6_refit_goes_to_japan_and_is_not_possible_there() -> None:
    assert ["JA"] == where({}, {}, "REFIT", "CI")
    assert [] == where({}, {}, "REFIT", "JA")


def test_n7_6_r_20_withdraw_goes_to_a_neighbour_nearer_to_japan() -> None:
    assert ["CI", "WI"] == where({}, {}, "WITHDRAW", "ML")
    assert [] == where({}, {}, "WITHDRAW", "JA")
    assert ["JA"] == where({}, {}, "WITHDRAW", "EA")


def test_n7_6_r_16_support_goes_where_japan_is_ashore_but_for_japan_and_east_asia() -> None:
    ja: Places = {
        "JA": ["2nd-inf"],
        "EA": ["38th-inf"],
        "CI": ["14-sentai"],
        "SI": ["6th-inf~"],
        "GI": ["kaga"],
    }

    assert ["CI"] == where({"SI": ["mag-22"]}, ja, "SUPPORT", "JA")


def test_n7_6_r_19_south_goes_nearer_to_australia_and_never_into_it() -> None:
    assert ["ML"] == where({}, {}, "SOUTH", "WI")[:1]
    assert [] == where({}, {}, "SOUTH", "NG")


def test_n7_6_east_goes_nearer_to_hawaii_where_japan_is_ashore() -> None:
    ja: Places = {"ML": ["ja-bn-01"], "GI": ["kaga"]}

    assert ["ML"] == where({}, ja, "EAST", "CI")
    assert [] == where({}, ja, "EAST", "ML")


def test_n7_6_battle_goes_where_both_are_but_not_to_submarines_alone() -> None:
    ja: Places = {"SI": ["kaga"], "GI": ["akagi"], "WI": ["soryu"]}

    assert ["GI"] == where({"SI": ["sub-gp-1"], "GI": ["sub-gp-2", "mag-22"]}, ja, "BATTLE", "CI")


def test_n7_6_reinforce_goes_to_an_objective_with_japan_ashore() -> None:
    ja: Places = {"NG": ["55th-inf"], "SI": ["kaga"], "PH": ["2nd-inf"]}

    assert ["NG"] == where({}, ja, "REINFORCE", "CI")


def test_n7_6_sortie_goes_where_both_sides_are_ashore() -> None:
    ja: Places = {"NG": ["55th-inf"], "SI": ["6th-inf~"], "GI": ["14-sentai"]}

    assert ["GI", "NG"] == where({"NG": ["mag-22"], "SI": ["mag-13"], "GI": ["us-bn-01"]}, ja, "SORTIE", "CI")


def test_n7_6_r_22_offensive_goes_to_the_closest_objective_beside_japan_ashore() -> None:
    board = given({}, {"CI": ["ja-bn-01"], "GI": ["ja-bn-02"], "WI": ["ja-bn-03"]})

    assert ["HI", "MI", "NG", "SA", "SI"] == destinations(board.open, "OFFENSIVE", "CI")
    assert ["NG", "SI"] == closest(board.open, "OFFENSIVE", "CI")[0]


@pytest.mark.parametrize(
    ("face", "order"),
    [(1, "SORTIE"), (5, "SORTIE"), (6, "ALASKA"), (7, "ALASKA"), (8, "OFFENSIVE"), (10, "OFFENSIVE")],
)
def test_n7_6_east_that_is_not_possible_is_rolled(face: int, order: str) -> None:
    board = tried({}, {"PH": ["kaga"]}, "PH", "EAST", dice=[face])

    assert order == of(board.facts, Ordered)[0].order
    assert f"in place of EAST, rolled {face}" == of(board.facts, Ordered)[0].why


def test_n7_6_r_23_alaska_moves_4_ships_1_infantry_2_aircraft_and_counts_0() -> None:
    ships = ["kaga", "akagi", "soryu", "hiryu", "zuikaku"]
    board = tried({}, {"JA": [*ships, "2nd-inf", "38th-inf"]}, "JA", "ALASKA", counter=5)

    assert ("AK", 5) == (of(board.facts, OrderDone)[0].to, len(of(board.facts, OrderDone)[0].went))
    assert 5 == board.open.counter
    there = tried({}, {"AK": ["kaga"]}, "AK", "ALASKA")
    assert ["HOLD"] == [fact.order for fact in of(there.facts, OrderDone)]


def test_n7_7_the_whole_chain_ends_in_hold() -> None:
    board = tried({}, {"NG": ["kaga"]}, "NG", "REINFORCE", dice=[9])

    chain = ["SOUTH", "EAST", "OFFENSIVE", "BATTLE", "HOLD"]
    assert chain == [fact.order for fact in of(board.facts, Ordered)]
    assert 4 == board.open.counter


def test_n20_2_japans_seat_picks_area_destination_and_forces() -> None:
    ja: Places = {"CI": ["kaga", "akagi"], "EA": ["soryu", "hiryu"], "ML": ["6th-base", "7th-inf", "hosho"]}
    board = given({"HI": ["25th-inf"]}, ja, Orders(), mode=TWO_PLAYERS, dice=[10, 9, 9, 9])

    assert [JaNextArea("CI"), JaNextArea("EA")] == board.offered(JaNextArea)
    board.decide(JaNextArea("EA"))
    assert "N20.2" == board.rule
    board.until("none")
    assert ["EA", "CI"] == list(dict.fromkeys(fact.area for fact in of(board.facts, Ordered)))[:2]


def test_n20_2_n7_3_who_breaks_ties_is_said_and_between_which_areas() -> None:
    ja = {
        "CI": ["ja-bn-01", "ja-bn-02"],
        "WI": ["ja-bn-03", "ja-bn-04"],
        "MA": ["kaga", "ja-bn-05", "ja-bn-06"],
    }
    why = {
        mode: reasons(given({}, ja, Orders(), mode=mode).facts, "Areas in order")
        for mode in (SOLITAIRE, TWO_PLAYERS)
    }

    assert {
        SOLITAIRE: [["the fewest forces first, ties by id: Caroline Islands, Wake Island"]],
        TWO_PLAYERS: [
            ["the fewest forces first, ties as Japan's seat chooses: Caroline Islands, Wake Island"]
        ],
    } == why


def test_n7_3_of_ties_nothing_is_said_where_there_are_none() -> None:
    ja = {"CI": ["ja-bn-01", "ja-bn-02"], "WI": ["kaga", "ja-bn-03", "ja-bn-04"]}

    assert [["the fewest forces first"]] == reasons(given({}, ja, Orders()).facts, "Areas in order")


def test_n20_2_r_81_japans_seat_fills_the_numbers_ships_first() -> None:
    ships = ["kaga", "akagi", "soryu"]
    board = tried(
        {}, {"CI": [*ships, "2nd-inf", "38th-inf"], "MA": ["ja-bn-01"]}, "CI", "WITHDRAW", mode=TWO_PLAYERS
    )

    assert [JaPickUnit(f"42-ja-{name}") for name in sorted(ships)] == board.offered(JaPickUnit)
    board.decide(JaPickUnit("42-ja-soryu"), JaPickUnit("42-ja-kaga"), JaPickUnit("42-ja-38th-inf"))
    assert ("42-ja-soryu", "42-ja-kaga", "42-ja-38th-inf") == of(board.facts, OrderDone)[0].went


def test_n20_2_r_85_japans_seat_is_asked_only_where_somebody_can_stay() -> None:
    ja: Places = {"CI": ["kaga", "akagi", "2nd-inf", "38th-inf", "8-sentai"], "MA": ["ja-bn-01"]}
    board = tried({}, ja, "CI", "WITHDRAW", mode=TWO_PLAYERS)
    assert [JaPickUnit("42-ja-2nd-inf"), JaPickUnit("42-ja-38th-inf")] == board.offered(JaPickUnit)

    board.decide(JaPickUnit("42-ja-2nd-inf"))
    went = ("42-ja-akagi", "42-ja-kaga", "42-ja-2nd-inf", "42-ja-8-sentai")
    assert (went, []) == (of(board.facts, OrderDone)[0].went, board.asked)


def test_n20_2_japans_seat_chooses_among_all_destinations() -> None:
    ja: Places = {"CI": ["ja-bn-01", "kaga"], "MA": ["ja-bn-02"], "PH": ["2nd-inf", "38th-inf"]}
    board = tried({}, ja, "CI", "SUPPORT", mode=TWO_PLAYERS)

    assert [JaDestination("MA"), JaDestination("PH")] == board.offered(JaDestination)


@pytest.mark.parametrize(
    ("area", "order", "why"),
    [
        ("JA", "REFIT", "its forces are in Japan already"),
        ("JA", "WITHDRAW", "its forces are in Japan already"),
        ("CI", "SUPPORT", "Japan is ashore in no other area but Japan and East Asia"),
        ("NG", "SOUTH", "it is beside Australia, where Japan may not go"),
        ("CI", "EAST", "Japan is ashore in no neighbour that is closer to Hawaii"),
        ("CI", "BATTLE", "forces of both sides meet in no other area, US submarines not counted"),
        ("NG", "REINFORCE", "Japan is ashore in no other objective"),
        ("NG", "SORTIE", "both sides are ashore in no other area"),
        (
            "JA",
            "OFFENSIVE",
            "no other objective without Japan ashore is beside an area with it",
        ),
        ("AK", "ALASKA", "its forces are in Alaska already"),
    ],
)
def test_n7_6_r_15_an_order_that_leads_nowhere_says_why(area: str, order: str, why: str) -> None:
    board = tried({"HI": ["sub-gp-1"]}, {area: ["kaga"]}, area, order)

    first = of(board.facts, NotPerformed)[0]
    assert (order, why) == (first.order, first.why)


def test_n7_6_a_battle_needs_forces_of_both_sides() -> None:
    us, ja = (
        {"HI": ["25th-inf"], "SI": ["43rd-inf"]},
        {"CI": ["kaga"], "SI": ["ja-bn-01"], "WI": ["ja-bn-02"]},
    )

    assert ["SI"] == where(us, ja, "BATTLE", "CI")


def test_n7_6_an_offensive_goes_where_japan_is_not_ashore() -> None:
    ja = {"CI": ["kaga"], "NG": ["ja-bn-01"], "SI": ["ja-bn-02"], "GI": ["ja-bn-03"]}

    assert ["HI", "NC", "SA"] == where({}, ja, "OFFENSIVE", "CI")


@pytest.mark.parametrize(
    ("area", "to", "why"),
    [("SI", "NC", "the closest, 1 link away"), ("CI", "NC", "the closest, 2 links away")],
)
def test_n7_6_r_22_the_closest_objective_and_how_far_it_is(area: str, to: str, why: str) -> None:
    ja = {
        "SI": ["ja-bn-01", "ja-bn-02"],
        "CI": ["kaga"],
        "GI": ["ja-bn-03"],
        "NG": ["ja-bn-04"],
        "WI": ["ja-bn-05"],
    }
    ja[area] = [*ja[area], "akagi"]
    board = tried({}, ja, area, "OFFENSIVE")

    assert why in reasons(board.facts, "Destination")[0]
    assert to == of(board.facts, OrderDone)[0].to


def test_n20_2_the_destination_that_japans_seat_chooses_is_gone_to() -> None:
    ja: Places = {"CI": ["ja-bn-01", "kaga"], "MA": ["ja-bn-02", "ja-bn-03"], "PH": ["2nd-inf"]}
    board = tried({}, ja, "CI", "SUPPORT", mode=TWO_PLAYERS)

    board.decide(JaDestination("MA"))

    assert "MA" == of(board.facts, OrderDone)[0].to


def test_n7_5_r_25_infantry_that_goes_counts_for_who_must_stay() -> None:
    ja: Places = {"CI": ["2nd-inf", "8-sentai", "59-sentai"], "MA": ["ja-bn-01"]}
    board = tried({}, ja, "CI", "SUPPORT")

    went = of(board.facts, OrderDone)[0].went
    assert ("42-ja-2nd-inf", 2) == (went[0], len(went))
