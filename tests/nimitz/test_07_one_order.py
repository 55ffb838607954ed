"""N7.4, N7.5 One order: who goes, who stays, and what is told of it."""

from domain.kernel.facts import Drew
from domain.nimitz.decisions import JaPickUnit
from domain.nimitz.marches import BattalionsCame, NotPerformed, OrderDone, Ordered, Returned
from domain.nimitz.orders import Orders
from tests.nimitz.board import TWO_PLAYERS, Board, given, of
from tests.nimitz.test_07_orders import tried


def marked(board: Board) -> dict[str, tuple[bool, bool]]:
    """The forces that have moved or arrived, with both marks."""
    marks = {name: (force.moved, force.arrived) for name, force in board.open.forces.items()}
    return {name: both for name, both in marks.items() if any(both)}


def test_n7_1_n19_2_wings_bomb_japan_before_the_first_order() -> None:
    board = given({"SB": ["73rd-bw"]}, {"JA": ["amagi"], "CI": ["kongo-haruna"]}, Orders(), year=1945)

    happened = [type(fact) for fact in of(board.facts, Returned, OrderDone)]
    assert [Returned, OrderDone] == happened


def test_n7_5_n1_15_who_goes_has_moved_and_arrived_and_who_holds_has_moved() -> None:
    ja = {"CI": ["ja-bn-01", "ja-bn-03", "14-sentai", "kaga"], "NG": ["ja-bn-02"]}
    went, held = tried({}, ja, "CI", "SOUTH", dice=[10]), tried({}, ja, "CI", "HOLD")

    marks = dict.fromkeys(("ja-bn-01", "42-ja-14-sentai", "42-ja-kaga"), (True, True))
    assert marks == marked(went)
    assert dict.fromkeys(marks, (True, False)) == marked(held)


def test_n7_5_r_18_aircraft_that_would_go_from_japan_to_japan_are_neither_drawn_nor_moved() -> None:
    board = tried({"OK": ["sub-gp-1"]}, {"JA": ["14-sentai", "kaga"], "OK": ["akagi"]}, "JA", "SOUTH")

    assert {"42-ja-kaga": (True, True)} == marked(board)
    assert ["Ships for [SOUTH]"] == [fact.purpose for fact in of(board.facts, Drew)]


def test_n7_5_r_24_battalions_come_for_the_infantry_that_is_missing_alone() -> None:
    ja = {"JA": ["2nd-inf"], "CI": ["ja-bn-01"]}
    board = tried({"SI": ["sub-gp-1"]}, ja, "JA", "OFFENSIVE", spare=5)

    assert [("ja-bn-02", "ja-bn-03")] == [fact.forces for fact in of(board.facts, BattalionsCame)]


def test_n7_5_r_15_an_order_that_nobody_can_carry_out_is_not_performed() -> None:
    us, ja = {"CI": ["sub-gp-1"]}, {"CI": ["ja-bn-01", "8-sentai"], "MA": ["ja-bn-02"]}
    board = tried(us, ja, "CI", "OFFENSIVE")

    assert ["OFFENSIVE", "BATTLE"] == [fact.order for fact in of(board.facts, NotPerformed)]
    assert ["BATTLE", "HOLD"] == [fact.order for fact in of(board.facts, Ordered)]
    assert [("HOLD", ("42-ja-8-sentai",))] == [(f.order, f.stayed) for f in of(board.facts, OrderDone)]


def test_n20_2_r_81_without_ships_japans_seat_picks_infantry_at_once() -> None:
    ja = {"CI": ["2nd-inf", "38th-inf"], "MA": ["ja-bn-01"]}
    board = tried({}, ja, "CI", "WITHDRAW", mode=TWO_PLAYERS)

    assert [JaPickUnit("42-ja-2nd-inf"), JaPickUnit("42-ja-38th-inf")] == board.offered(JaPickUnit)


def test_n20_2_r_85_when_the_ships_are_picked_aircraft_that_all_go_are_not_asked_about() -> None:
    ja = {"JA": ["akagi", "kaga", "soryu", "hiryu", "14-sentai", "8-sentai"], "CI": ["ja-bn-01"]}
    board = tried({}, ja, "JA", "SUPPORT", mode=TWO_PLAYERS)

    board.decide(*(JaPickUnit(f"42-ja-{ship}") for ship in ("akagi", "kaga", "soryu")))

    went = [f"42-ja-{name}" for name in ("akagi", "kaga", "soryu", "14-sentai", "8-sentai")]
    assert ([tuple(went)], []) == ([fact.went for fact in of(board.facts, OrderDone)], board.asked)
