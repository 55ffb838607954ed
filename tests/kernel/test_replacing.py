"""Seats that change hands: when one is offered, who takes the offer back, and that no record lies of it."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Decided, Fact, Notice
from domain.kernel.seats import Clock, Hours, Match, TimeOff
from domain.match import replacing
from domain.match.chain import Fault
from domain.match.claims import WinClaimed
from domain.match.clock import Clocks, Turning
from domain.match.hours import HoursFixed
from domain.match.judging import judge
from domain.match.notices import BY_MATCH, GameEnded, Resigned, TimeOutClaimed
from domain.match.pauses import ClocksStopped
from domain.match.position import decode, encode
from domain.match.replacing import SeatOffered, SeatReplaced
from domain.match.rest import DAY, SECOND
from tests.kernel.test_claims import (
    ASKED,
    NOON,
    OUT,
    TIMED,
    WEEKS,
    begun,
    clocks,
    default,
    ended,
    folded,
    out_of,
    refusal,
    timed_out,
)
from tests.projections.play import Tale, retold
from tests.tiny import GAME

UTC = Hours(((0, 0),))


def vacant(clock: Clock = WEEKS) -> Clocks:
    """Clocks of a seat 0 that is out of time and offered to others."""
    return Clocks(clock, 2, Turning({0: 0, 1: 5 * SECOND}, NOON, (0,), late={0: 2}, vacant=(0,)))


# the offer


def test_the_third_time_out_in_a_row_lets_who_waits_offer_the_seat() -> None:
    assert [SeatOffered(0, 1)] == replacing.offer_seat(begun(), clocks(2), 0, 1, OUT, ASKED)


@pytest.mark.parametrize(
    ("late", "by", "at", "code"),
    [
        (1, 1, OUT, "no_time_out"),
        (2, 1, OUT - 1, "no_time_out"),
        (2, 0, OUT, "not_allowed"),
        (2, 9, OUT, "no_seat"),
    ],
)
def test_too_early_or_by_another_no_seat_is_offered(late: int, by: int, at: int, code: str) -> None:
    assert code == refusal(lambda: replacing.offer_seat(begun(), clocks(late), 0, by, at, ASKED))[0]


def test_a_seat_is_offered_once_and_not_without_a_clock() -> None:
    assert "offered" == refusal(lambda: replacing.offer_seat(begun(), vacant(), 0, 1, OUT, ASKED))[0]
    assert "no_clock" == refusal(lambda: replacing.offer_seat(begun(None), None, 0, 1, OUT, ASKED))[0]


def test_of_a_team_the_last_seat_that_plays_is_offered() -> None:
    four = begun(seats=4)
    assert "not_allowed" == refusal(lambda: replacing.offer_seat(four, clocks(2), 0, 1, OUT, ASKED))[0]

    Resigned(2).note(four)

    assert [SeatOffered(0, 1)] == replacing.offer_seat(four, clocks(2), 0, 1, OUT, ASKED)


# the taking


def test_a_seat_that_is_offered_is_taken_with_the_hours_of_who_takes_it() -> None:
    nights = replace(WEEKS, nights=True)
    taken = replacing.take_over(begun(nights), vacant(nights), 0, "bot", UTC)

    assert [SeatReplaced(0, "bot"), HoursFixed(0, UTC)] == taken
    assert [SeatReplaced(0, "person")] == replacing.take_over(begun(), vacant(), 0, "person", UTC)


def test_nobody_takes_a_seat_that_is_not_offered_or_while_nothing_is_played() -> None:
    over, paused = begun(), begun()
    over.over = True
    ClocksStopped().note(paused)

    assert "no_offer" == refusal(lambda: replacing.take_over(begun(), clocks(2), 0, "person"))[0]
    assert "no_offer" == refusal(lambda: replacing.take_over(begun(None), None, 0, "person"))[0]
    assert "no_offer" == refusal(lambda: replacing.take_over(begun(), vacant(), 1, "person"))[0]
    assert "over" == refusal(lambda: replacing.take_over(over, vacant(), 0, "person"))[0]
    assert "paused" == refusal(lambda: replacing.take_over(paused, vacant(), 0, "person"))[0]
    assert "bad_kind" == refusal(lambda: replacing.take_over(begun(), vacant(), 0, "ghost"))[0]
    assert "no_seat" == refusal(lambda: replacing.take_over(begun(), vacant(), 7, "person"))[0]


def bound(seat: int) -> Match:
    """A match in which a seat has said its hours, been on holiday, and offered all that can be offered."""
    match = begun()
    match.taken, match.hours, match.holidays = {0: "person", 1: "person"}, {0: UTC, 1: UTC}, {}
    match.holidays = {seat: (TimeOff(0, DAY),)}
    match.draw, match.undo, match.undo_to, match.pause = (seat,), (seat,), 7, (seat,)
    return match


def test_who_takes_over_is_bound_by_nothing_that_the_one_before_offered_or_used_up() -> None:
    match = bound(0)

    SeatReplaced(0, "bot").note(match)

    assert ({0: "bot", 1: "person"}, {1: UTC}) == (match.taken, match.hours)
    assert match.holidays is UNSET
    assert match.pause is UNSET
    assert ((), (), 0) == (match.draw, match.undo, match.undo_to)


def test_what_another_has_offered_stays_on_the_table() -> None:
    match = bound(1)

    SeatReplaced(0, "person").note(match)

    assert ((1,), (1,), 7, (1,)) == (match.draw, match.undo, match.undo_to, match.pause)


# the clock


def test_who_takes_over_has_the_bank_of_the_match_and_is_late_no_more() -> None:
    kept = vacant()
    kept.turn(NOON + DAY, (0,), (), replaced=(0,))

    assert {0: WEEKS.bank * SECOND, 1: 5 * SECOND} == kept.left
    assert ({}, ()) == (kept.late, kept.vacant)
    assert NOON + DAY + WEEKS.bank * SECOND == kept.deadline(0)


def test_who_comes_back_and_decides_has_withdrawn_the_offer_and_a_default_has_not() -> None:
    back, played_on = vacant(), vacant()
    back.turn(NOON + DAY, (1,), (0,))
    played_on.turn(NOON + DAY, (0,), (), claimed=(0,))

    assert ((), (0,)) == (back.vacant, played_on.vacant)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (SeatOffered(0, 1), "[seat:1] offers the seat of [seat:0] to somebody else"),
        (SeatReplaced(0, "person"), "Another person takes over: [seat:0]"),
    ],
)
def test_each_is_told_as_a_sentence(fact: Notice, words: str) -> None:
    assert words == fact.words()


# of a record


def offered() -> tuple[Tale, int, int]:
    """A match of which a seat is offered at its third time-out; that seat, and when that was."""
    told, seat, deadline = timed_out(2)
    return [*told, (deadline, [SeatOffered(seat, 1 - seat)])], seat, deadline


def fault_of(told: Tale) -> Fault | None:
    return judge(GAME, retold(TIMED, told).commands)


def why(told: Tale) -> str:
    fault = fault_of(told)
    return "" if fault is None else fault.why


def test_a_seat_that_was_offered_and_taken_is_true_and_its_fold_is_taken_up_from_a_position() -> None:
    told, seat, deadline = offered()
    fold = folded(retold(TIMED, told))

    assert (seat,) == decode(encode(fold.position())).clocks.vacant  # type: ignore[union-attr]
    assert (seat,) == fold.view(Audience.ONLOOKERS).clocks.vacant  # type: ignore[union-attr]
    told.append((deadline + DAY, [SeatReplaced(seat, "person")]))
    fold = folded(retold(TIMED, told))

    assert fault_of(told) is None
    assert fold.clocks is not None
    assert deadline + DAY + 600 * SECOND == out_of(fold, seat)
    assert () == fold.clocks.vacant
    assert fold.barrier == fold.seq


def test_an_offer_too_early_not_the_third_in_a_row_or_by_who_is_asked_is_found() -> None:
    told, seat, deadline = timed_out(2)
    once, _, second = timed_out(1)

    early = why([*told, (deadline - 1, [SeatOffered(seat, 1 - seat)])])
    soon = why([*once, (second, [SeatOffered(seat, 1 - seat)])])
    own = why([*told, (deadline, [SeatOffered(seat, seat)])])

    assert "could not be: this seat has time left" == early
    assert "could not be: that is claimed when time is out for the third time in a row" == soon
    assert "could not be: whoever claims waits himself: this seat has to decide first" == own


def test_a_seat_that_was_never_offered_is_not_given_away() -> None:
    told, seat, deadline = timed_out(2)
    taken: tuple[int, list[Fact]] = (deadline + DAY, [SeatReplaced(seat, "person")])
    offering, _, _ = offered()

    assert "could not be: this seat is not on offer, or not any more" == why([*told, taken])
    assert "could not be: this seat is not on offer, or not any more" == why([*offering, taken, taken])
    assert "has no part in this command" in why([*offering, (deadline, [*taken[1], *taken[1]])])


def test_hours_that_no_clock_goes_by_are_found_behind_a_replacement() -> None:
    told, seat, deadline = offered()

    assert "has no part in this command" == why(
        [*told, (deadline, [SeatReplaced(seat, "person"), HoursFixed(seat, UTC)])]
    )


def test_while_nobody_has_taken_the_seat_who_waits_plays_on_or_claims_the_win() -> None:
    told, seat, deadline = offered()
    won = [WinClaimed(seat, 1 - seat), GameEnded(1 - seat, "time", BY_MATCH)]

    assert ended(TIMED, told, deadline + DAY, *won) is None
    assert fault_of([*told, (deadline + DAY, [TimeOutClaimed(seat, 1 - seat), default(seat)])]) is None


def test_once_taken_over_no_win_is_claimed_before_three_more_time_outs() -> None:
    told, seat, deadline = offered()
    told.append((deadline, [SeatReplaced(seat, "person")]))
    out = out_of(folded(retold(TIMED, told)), seat)
    fault = ended(TIMED, told, out, WinClaimed(seat, 1 - seat), GameEnded(1 - seat, "time", BY_MATCH))

    assert fault is not None
    assert "could not be: that is claimed when time is out for the third time in a row" == fault.why


def test_who_came_back_and_decided_keeps_his_seat() -> None:
    told, seat, deadline = offered()
    own = next(fact for _, fact in TIMED.facts if isinstance(fact, Decided))
    told.append((deadline, [replace(own, seat=seat, how="chosen")]))
    told.append((deadline, [SeatReplaced(seat, "person")]))

    assert "could not be: this seat is not on offer, or not any more" == why(told)
