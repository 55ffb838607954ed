"""Thinking time: who uses it up, what a decision adds, and when it has run out. All times are the log's."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, json
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.seats import Clock
from domain.match.clock import Clocks, Turning, low_of
from domain.match.fold import Fold
from domain.match.rest import SECOND
from domain.match.undoing import undo_slip
from domain.match.views import ClocksView
from domain.titles import TITLES
from tests.projections.play import Played, Tale, play, retold, tale
from tests.tiny import GAME

NOON = 1_800_000_000 * SECOND
PAGE = Path(__file__).parents[2] / "clients" / "web"


def seconds(clocks: Clocks) -> dict[int, float]:
    return {seat: left / SECOND for seat, left in clocks.left.items()}


def after(clock: Clock, *turns: tuple[float, tuple[int, ...], tuple[int, ...]], seats: int = 2) -> Clocks:
    """Clocks after some commands: in which second behind noon, who is asked then, and who decided in it."""
    clocks = Clocks(clock, seats)
    for second, asked, decided in turns:
        clocks.turn(NOON + int(second * SECOND), asked, decided)
    return clocks


def test_every_seat_begins_with_its_bank_and_nobody_waits() -> None:
    clocks = Clocks(Clock(60), 3)

    assert {0: 60, 1: 60, 2: 60} == seconds(clocks)
    assert [None] * 3 == [clocks.deadline(seat) for seat in range(3)]


def test_time_is_used_up_by_those_who_are_asked_alone() -> None:
    clocks = after(Clock(60), (0, (0,), ()), (7, (1,), (0,)), (9.5, (), (1,)))

    assert {0: 53, 1: 57.5} == seconds(clocks)


def test_two_who_are_asked_at_once_use_up_theirs_at_once() -> None:
    clocks = after(Clock(60), (0, (0, 1), ()), (5, (1,), (0,)), (8, (), (1,)))

    assert {0: 55, 1: 52} == seconds(clocks)


def test_a_command_of_others_is_counted_too_and_adds_nothing() -> None:
    clocks = after(Clock(60, 10), (0, (0,), ()), (5, (0,), ()), (8, (0,), (1,)))

    assert {0: 52, 1: 70} == seconds(clocks)


def test_a_decision_adds_the_increment_to_who_decided() -> None:
    clocks = after(Clock(60, 10), (0, (0,), ()), (5, (1,), (0,)))

    assert {0: 65, 1: 60} == seconds(clocks)


@pytest.mark.parametrize(("cap", "left"), [(0, 65), (66, 65), (65, 65), (64, 64), (61, 61)])
def test_a_decision_adds_no_more_than_the_cap_lets(cap: int, left: int) -> None:
    clocks = after(Clock(60, 10, cap), (0, (0,), ()), (5, (1,), (0,)))

    assert left == seconds(clocks)[0]


def test_the_cap_holds_at_every_decision_and_without_it_time_adds_up() -> None:
    turns = [(float(n), (n % 2,), ((n + 1) % 2,)) for n in range(1, 41)]

    assert {0: 60 + 20 * 5 - 19, 1: 60 + 20 * 5 - 20} == seconds(after(Clock(60, 5), *turns))
    assert {0: 70, 1: 70} == seconds(after(Clock(60, 5, 70), *turns))


def test_no_seat_has_less_than_no_time() -> None:
    clocks = after(Clock(5, 3), (0, (0,), ()), (9, (0,), ()), (10, (1,), (0,)))

    assert {0: 3, 1: 5} == seconds(clocks)


def test_time_runs_out_when_the_seat_was_asked_and_what_it_had_left() -> None:
    clocks = after(Clock(60), (0, (0,), ()), (20, (0, 1), ()))

    assert NOON + 60 * SECOND == clocks.deadline(0)
    assert NOON + 80 * SECOND == clocks.deadline(1)


def test_a_seat_that_is_not_asked_any_more_has_no_deadline() -> None:
    clocks = after(Clock(60), (0, (0,), ()), (20, (1,), (0,)))

    assert (None, NOON + 80 * SECOND) == (clocks.deadline(0), clocks.deadline(1))


def turned(clock: Clock, *turns: tuple[float, int]) -> Clocks:
    """Clocks of a match whose turns of the title begin so many seconds behind noon, while nobody is asked."""
    clocks = Clocks(clock, 2)
    for second, turn in turns:
        clocks.turn(NOON + int(second * SECOND), (), (), turn)
    return clocks


def test_a_turn_of_the_title_adds_to_every_seat_the_first_too_and_a_command_within_it_nothing() -> None:
    assert {0: 75, 1: 75} == seconds(turned(Clock(60, turn=15), (0, 0), (1, 1), (2, 1)))
    assert {0: 90, 1: 90} == seconds(turned(Clock(60, turn=15), (0, 0), (1, 1), (2, 2)))


def test_a_turn_that_begins_again_after_an_undo_adds_nothing() -> None:
    assert {0: 90, 1: 90} == seconds(turned(Clock(60, turn=15), (0, 1), (1, 2), (2, 1), (3, 2)))


def test_a_turn_adds_no_more_than_the_cap_lets_and_nothing_where_the_clock_says_nothing_of_it() -> None:
    assert {0: 70, 1: 70} == seconds(turned(Clock(60, 0, 70, turn=15), (0, 1), (1, 2)))
    assert {0: 60, 1: 60} == seconds(turned(Clock(60, 10), (0, 1), (1, 2)))


def test_a_turn_takes_nothing_from_who_has_more_than_the_cap() -> None:
    week, day = 7 * 86_400, 86_400

    assert {0: 3600, 1: 3600} == seconds(turned(Clock(3600, 10, 600), (0, 1), (1, 2)))
    assert {0: week, 1: week} == seconds(turned(Clock(week, cap=3 * day, turn=day), (0, 1), (1, 2)))
    assert {0: 65, 1: 65} == seconds(turned(Clock(60, cap=65, turn=15), (0, 1), (1, 2)))


def counted_before(
    clock: Clock, turns: Sequence[tuple[int, tuple[int, ...], tuple[int, ...]]]
) -> dict[int, int]:
    """What each seat has left by the formula that clocks without turns have always had."""
    left, since, running = dict.fromkeys(range(2), clock.bank * SECOND), 0, tuple[int, ...]()
    for at, asked, decided in turns:
        for seat in running:
            left[seat] = max(0, left[seat] - (at - since))
        for seat in decided:
            more = left[seat] + clock.increment * SECOND
            left[seat] = min(more, clock.cap * SECOND) if clock.cap else more
        since, running = at, asked
    return left


SOME = st.sets(st.integers(0, 1)).map(lambda seats: (*sorted(seats),))
TIMES = st.integers(0, 100)


@given(
    st.builds(Clock, TIMES, TIMES, TIMES),
    st.lists(st.tuples(st.integers(0, 60 * SECOND), SOME, SOME, st.integers(0, 9)), max_size=12),
)
def test_a_clock_without_turns_counts_to_the_microsecond_as_it_always_did(
    clock: Clock, commands: list[tuple[int, tuple[int, ...], tuple[int, ...], int]]
) -> None:
    clocks, at, turns = Clocks(clock, 2), NOON, list[tuple[int, tuple[int, ...], tuple[int, ...]]]()
    for later, asked, decided, turn in commands:
        at += later
        clocks.turn(at, asked, decided, turn)
        turns.append((at, asked, decided))

        assert counted_before(clock, turns) == clocks.left


def test_a_decision_that_ends_a_turn_adds_both() -> None:
    clocks = Clocks(Clock(60, 10, turn=15), 2)
    clocks.turn(NOON, (0,), (), 1)

    clocks.turn(NOON + 5 * SECOND, (1,), (0,), 2)

    assert {0: 60 + 15 - 5 + 10 + 15, 1: 60 + 15 + 15} == seconds(clocks)


def test_clocks_put_down_go_on_in_the_same_turn() -> None:
    clocks = turned(Clock(60, turn=15), (0, 1), (1, 2))

    again = Clocks(Clock(60, turn=15), 2, json.decode(json.encode(clocks.turning()), type=Turning))
    again.turn(NOON + 9 * SECOND, (), (), 2)

    assert {0: 90, 1: 90} == seconds(again)


def test_a_clock_that_says_nothing_of_turns_is_encoded_as_before_there_were_any() -> None:
    assert b'{"bank":60,"increment":0,"cap":0}' == json.encode(Clock(60))


@pytest.mark.parametrize(
    ("title", "scenario"),
    [*((name, game.default_scenario) for name, game in TITLES.items()), ("pacific_war", "C1")],
)
def test_every_title_says_when_a_turn_begins_and_never_goes_back(title: str, scenario: str) -> None:
    """Given the beginning of a match of each title; time is added as often as its number has grown."""
    game = TITLES[title]
    played = play(game, scenario, clock=Clock(10**6, turn=1000), undos=0, most=300)
    fold, turns = Fold(game), list[int]()
    for command in played.commands:
        fold.apply(command)
        turns.append(game.account.turn(fold.state.open))

    grown = sum(later > earlier for earlier, later in pairwise(turns))
    assert sorted(turns) == turns
    assert 0 == turns[0]
    assert grown
    assert fold.clocks is not None
    assert 10**6 + grown * 1000 >= max(seconds(fold.clocks).values()) > 10**6 - 400 * 90


# as a log is folded


def folded(played: Played) -> Fold:
    fold = Fold(GAME)
    for command in played.commands:
        fold.apply(command)
    return fold


def test_a_match_without_a_clock_counts_no_time_and_shows_none() -> None:
    fold = folded(play(GAME, "skirmish", most=8))

    assert fold.clocks is None
    assert fold.view(Audience.ONLOOKERS).clocks is None


PLAYED = play(GAME, "campaign", clock=Clock(100, 10, 105), undos=0)
BEGUN = 5


def timed(spent: int, how: str = "chosen") -> tuple[Tale, int]:
    """A match whose first decision took so many seconds, and whose that was."""
    told = tale(PLAYED)[: BEGUN + 1]
    head, *rest = told[BEGUN][1]
    told[BEGUN] = (told[BEGUN - 1][0] + spent * SECOND, [replace(head, how=how), *rest])
    return told, head.seat  # type: ignore[attr-defined]


def clocks_of(told: Tale) -> Clocks:
    clocks = folded(retold(PLAYED, told)).clocks
    assert clocks is not None
    return clocks


def test_of_a_record_whose_cap_is_below_its_bank_only_who_decides_is_cut_to_it() -> None:
    """Given a match begun when clocks knew no turns: what a seat had above the cap stood until it decided."""
    low = play(GAME, "campaign", clock=Clock(3600, 5, 60), undos=0, most=8)
    told = tale(low)
    told[BEGUN] = (told[BEGUN - 1][0], told[BEGUN][1])
    begun = folded(retold(low, told[:BEGUN])).clocks
    decided = folded(retold(low, told[: BEGUN + 1]))

    assert begun is not None
    assert decided.clocks is not None
    assert 1 <= GAME.account.turn(decided.state.open)
    assert {0: 3600, 1: 3600} == seconds(begun)
    (seat,) = decided.decided
    assert {seat: 60, 1 - seat: 3600} == seconds(decided.clocks)


def test_a_decision_is_timed_from_when_it_was_asked_to_when_it_was_stored() -> None:
    told, seat = timed(30)

    assert {seat: 80, 1 - seat: 70} == seconds(clocks_of(told))


def test_a_decision_that_took_no_time_adds_up_to_the_cap() -> None:
    told, seat = timed(0)

    assert {seat: 105, 1 - seat: 100} == seconds(clocks_of(told))


def test_what_the_clock_decided_adds_nothing() -> None:
    told, seat = timed(100, how="default")

    assert 0 == seconds(clocks_of(told))[seat]


def test_the_view_says_what_is_left_and_when_that_was() -> None:
    told, seat = timed(30)
    view = folded(retold(PLAYED, told)).view(Audience.ONLOOKERS).clocks

    assert ClocksView(at=told[-1][0], left={seat: 80 * SECOND, 1 - seat: 70 * SECOND}) == view


def test_a_decision_taken_back_has_used_up_its_time_and_its_seat_is_asked_anew() -> None:
    told, seat = timed(30)
    fold = folded(retold(PLAYED, told))
    back = told[-1][0] + 20 * SECOND

    clocks = clocks_of([*told, (back, [*undo_slip(fold.state.match, seat, fold.facts)])])

    assert {seat: 80, 1 - seat: 50} == seconds(clocks)
    assert back + 80 * SECOND == clocks.deadline(seat)


@pytest.mark.parametrize(
    ("clock", "left", "low"),
    [
        (Clock(400, by_claim=True), 400, 300),
        (Clock(0, turn=400, by_claim=True), 400, 300),
        (Clock(0, 400, by_claim=True), 400, 300),
        (Clock(40, 400, turn=80, by_claim=True), 120, 20),
        (Clock(400, 40, by_claim=True), 90, 0),
    ],
)
def test_by_turns_time_runs_low_when_a_quarter_is_left_of_the_most_that_is_given_at_once(
    clock: Clock, left: int, low: int
) -> None:
    clocks = Clocks(clock, 2, Turning({0: left * SECOND, 1: left * SECOND}, NOON, (0,)))

    assert (NOON + low * SECOND, None) == (clocks.low(0), clocks.low(1))


class Low(Struct):
    """What the page has for an example: with how many seconds left it says that a clock is low."""

    clock: Clock
    low: int


def test_time_is_low_with_as_much_left_as_the_page_says() -> None:
    examples = json.decode((PAGE / "src" / "fixtures" / "low.json").read_bytes(), type=list[Low])

    assert [one.low * SECOND for one in examples] == [low_of(one.clock) for one in examples]
