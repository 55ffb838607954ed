"""What is taken back gives nobody time, where the clock rewinds; all times are the log's."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, json

from domain.kernel.audience import Audience
from domain.kernel.facts import Decided, Fact
from domain.kernel.seats import Clock, Hours
from domain.match import position
from domain.match.clock import NEVER, Clocks, Turning
from domain.match.fold import Fold
from domain.match.judging import judge
from domain.match.pauses import ClocksStarted, ClocksStopped, PauseAnswered, PauseOffered
from domain.match.rest import SECOND, Rest, rest
from domain.match.undo import Undone
from domain.match.undoing import UndoOffered, answer_undo, offer_undo, undo_slip
from tests.projections.play import Played, Tale, play, retold, tale
from tests.tiny import GAME

NOON = 1_800_000_000 * SECOND
HOUR = 3600


class Course:
    """The clocks of two seats, command by command, each so many seconds behind the one before.

    Seat 0 is asked first, by fact 1.
    """

    def __init__(
        self,
        clock: Clock,
        asked: tuple[int, ...] = (0,),
        begun: int = NOON,
        rests: Mapping[int, Rest] = NEVER,
    ) -> None:
        self.clocks, self.at, self.seq, self.rests = Clocks(clock, 2), begun, 0, rests
        self.tell(0, asked)

    @property
    def left(self) -> dict[int, float]:
        return {seat: left / SECOND for seat, left in self.clocks.left.items()}

    def tell(
        self, seconds: float, asked: tuple[int, ...], decided: tuple[int, ...] = (), turn: int = 0
    ) -> int:
        """Count a command; return its seq."""
        self.at, self.seq = self.at + int(seconds * SECOND), self.seq + 1
        self.clocks.turn(self.at, asked, decided, turn, self.rests)
        self.clocks.remember(self.seq)
        return self.seq

    def take_back(
        self, seconds: float, seat: int, back_to: int, asked: tuple[int, ...], asked_at: int | None = None
    ) -> None:
        self.at, self.seq = self.at + int(seconds * SECOND), self.seq + 1
        self.clocks.turn(self.at, asked, (), 0, self.rests)
        self.clocks.take_back(seat, back_to, asked_at)
        self.clocks.remember(self.seq)


def rewinds(bank: int, increment: int = 0, cap: int = 0, turn: int = 0) -> Clock:
    return Clock(bank, increment, cap, turn or UNSET, rewinds=True)


def test_who_decides_and_takes_back_five_times_has_what_he_had_less_the_time_that_passed() -> None:
    week, day = 7 * 86_400, 86_400
    course = Course(rewinds(week, day))

    for _ in range(5):
        course.tell(60, (1,), (0,))
        course.take_back(30, 0, course.seq - 1, (0,))

    assert {0: week - 5 * 90, 1: week} == course.left
    assert course.clocks.deadline(0) == NOON + week * SECOND
    assert course.clocks.deadline(1) is None


def test_of_a_clock_of_before_what_was_added_stands() -> None:
    course = Course(Clock(100, 10))
    course.tell(30, (1,), (0,))

    course.take_back(20, 0, 1, (0,))

    assert {0: 80, 1: 80} == course.left
    assert Turning({0: 80 * SECOND, 1: 80 * SECOND}, course.at, (0,)) == course.clocks.turning()


def test_while_the_other_thought_over_it_the_time_was_of_who_takes_back() -> None:
    course = Course(rewinds(100, 10))
    course.tell(30, (1,), (0,))

    course.take_back(20, 0, 1, (0,))

    assert {0: 50, 1: 100} == course.left


def test_who_takes_back_has_no_less_than_no_time() -> None:
    course = Course(rewinds(100, 50))
    course.tell(90, (1,), (0,))

    course.take_back(20, 0, 1, (0,))

    assert {0: 0, 1: 100} == course.left
    assert course.at == course.clocks.deadline(0)


def test_another_who_was_asked_already_has_used_his_own_time() -> None:
    course = Course(rewinds(100, 10), (0, 1))
    course.tell(30, (1,), (0,))

    course.take_back(20, 0, 1, (0, 1))

    assert {0: 50, 1: 50} == course.left


def test_another_who_was_asked_already_and_had_decided_is_not_charged_for_what_he_was_not_asked() -> None:
    course = Course(rewinds(100, 10), (0, 1))
    course.tell(30, (1,), (0,))
    course.tell(5, (0,), (1,))
    asked_at = course.tell(40, (0,))

    course.take_back(7, 0, 1, (0, 1), asked_at)

    assert {0: 100 - 75, 1: 100 - 35} == course.left


def test_where_others_agree_time_counts_until_they_were_asked_and_their_answer_takes_nobodys() -> None:
    course = Course(rewinds(100, 10))
    course.tell(30, (1,), (0,))
    asked_at = course.tell(5, (1,))

    course.take_back(50, 0, 1, (0,), asked_at)

    assert {0: 65, 1: 100} == course.left
    assert course.at + 65 * SECOND == course.clocks.deadline(0)


def test_across_decisions_of_others_what_these_added_is_gone_too_and_what_they_used_is_back() -> None:
    course = Course(rewinds(100, 10))
    course.tell(30, (1,), (0,))
    course.tell(20, (0,), (1,))
    asked_at = course.tell(4, (0,))

    course.take_back(50, 0, 1, (0,), asked_at)

    assert {0: 46, 1: 100} == course.left


def test_two_steps_taken_back_one_by_one_count_as_both_at_once() -> None:
    one_by_one, at_once = Course(rewinds(100, 10)), Course(rewinds(100, 10))
    for course in (one_by_one, at_once):
        course.tell(30, (0,), (0,))
        course.tell(20, (1,), (0,))

    one_by_one.take_back(3, 0, 2, (0,))
    one_by_one.take_back(4, 0, 1, (0,))
    at_once.take_back(7, 0, 1, (0,))

    assert {0: 43, 1: 100} == one_by_one.left
    assert at_once.clocks.turning() == one_by_one.clocks.turning()


def test_what_others_took_to_answer_counts_for_nobody_when_more_is_taken_back_later() -> None:
    course = Course(rewinds(100, 10))
    course.tell(30, (0,), (0,))
    course.tell(20, (1,), (0,))
    asked_at = course.tell(3, (1,))
    course.take_back(50, 0, 2, (0,), asked_at)

    course.take_back(4, 0, 1, (0,))

    assert {0: 43, 1: 100} == course.left


def test_what_others_got_back_is_not_counted_when_more_is_taken_back_later() -> None:
    """Given seat 1, asked at first, then not, and again by the decision that is taken back first."""
    course = Course(rewinds(100, 10), (0, 1))
    course.tell(10, (0,), (1,))
    course.tell(5, (1,), (0,))
    asked_at = course.tell(20, (1,))
    course.take_back(0, 0, 2, (0,), asked_at)
    assert {0: 65, 1: 100} == course.left

    asked_at = course.tell(1, (0,))
    course.take_back(0, 1, 1, (0, 1), asked_at)

    assert {0: 100 - 36, 1: 100 - 36} == course.left


def test_a_decision_that_stands_behind_one_that_was_taken_back_adds_once() -> None:
    course = Course(rewinds(100, 10))
    course.tell(30, (1,), (0,))
    course.take_back(5, 0, 1, (0,))

    course.tell(2, (1,), (0,))

    assert {0: 73, 1: 100} == course.left


def test_a_turn_that_began_by_it_adds_nothing_and_adds_when_it_begins_again() -> None:
    course = Course(rewinds(100, 10, turn=15))
    course.tell(0, (0,), turn=1)
    course.tell(30, (1,), (0,), turn=2)
    assert {0: 110, 1: 130} == course.left

    course.take_back(5, 0, 2, (0,))
    assert {0: 80, 1: 115} == course.left
    course.tell(1, (1,), (0,), turn=2)

    assert {0: 79 + 10 + 15, 1: 130} == course.left


def test_what_is_back_is_not_cut_to_the_cap_and_what_is_added_later_is() -> None:
    course = Course(rewinds(100, 10, cap=40))
    course.tell(5, (1,), (0,))
    assert {0: 40, 1: 100} == course.left

    course.take_back(5, 0, 1, (0,))
    assert {0: 90, 1: 100} == course.left
    course.tell(1, (1,), (0,))

    assert {0: 40, 1: 100} == course.left


def test_in_a_pause_no_time_passes_for_who_takes_back_behind_it() -> None:
    course = Course(rewinds(100, 10))
    course.tell(30, (1,), (0,))
    course.tell(7, ())
    course.tell(5000, (1,))

    course.take_back(3, 0, 1, (0,))

    assert {0: 60, 1: 100} == course.left


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()) * SECOND


NIGHTS: Clock = Clock(86_400, 3600, nights=True, rewinds=True)
UTC_ALONE = Hours(((0, 0),))


@pytest.mark.parametrize(
    ("clock", "begun", "hours", "off"),
    [
        (NIGHTS, "2027-06-01 20:00", Hours(((0, 0),), 22 * 60), []),
        (NIGHTS, "2027-06-01 20:00", UTC_ALONE, [("2027-06-01 23:00", "2027-06-02 07:00")]),
        (Clock(86_400, 3600, weekends=True, rewinds=True), "2027-06-04 20:00", UTC_ALONE, []),
        # the wall is put back at 1:00, so that a night lasts until 5:00 by UTC; an hour of it comes behind
        (NIGHTS, "2027-10-30 16:00", Hours(((0, 7200), (1_824_944_400, 3600)), 22 * 60), []),
    ],
    ids=["night", "holiday", "weekend", "end of summer time"],
)
def test_what_passed_for_who_takes_back_is_time_that_runs_for_him(
    clock: Clock, begun: str, hours: Hours, off: list[tuple[str, str]]
) -> None:
    """Given twelve hours from when seat 0 was asked to when it takes back, of which four run for it."""
    rests = {0: rest(clock, hours, [(at(since), at(until)) for since, until in off])}
    course = Course(clock, begun=at(begun), rests=rests)
    course.tell(HOUR, (1,), (0,))

    course.take_back(11 * HOUR, 0, 1, (0,))

    assert {0: 20 * HOUR, 1: 24 * HOUR} == course.left


def test_claims_in_a_row_count_as_before_the_decision_and_a_seat_on_offer_is_so_no_more() -> None:
    clock = Clock(86_400, 3600, by_claim=True, rewinds=True)
    course = Course(clock)
    late = Turning({0: 0, 1: 60 * SECOND}, NOON, (0,), late={0: 2}, vacant=(0,))
    course.clocks = Clocks(clock, 2, late)
    course.tell(5, (1,), (0,))
    assert ({}, ()) == (course.clocks.late, course.clocks.vacant)

    course.take_back(5, 0, 1, (0,))

    assert {0: 0, 1: 60} == course.left
    assert ({0: 2}, ()) == (course.clocks.late, course.clocks.vacant)


def test_an_undo_outlasts_the_time_of_who_has_some_left_by_it_and_of_who_has_none_anyway() -> None:
    """Given a seat that decides in its 30th second, gains 50 and is asked again: it has 120 then."""
    course = Course(rewinds(100, 50))
    course.tell(30, (0,), (0,))

    lasts = [course.clocks.outlasts(0, 1, course.at + later * SECOND) for later in (69, 70, 119, 120)]

    assert [True, False, False, True] == lasts


def test_what_nobody_goes_back_past_is_forgotten_and_a_copy_goes_its_own_way() -> None:
    course = Course(rewinds(100, 10))
    for _ in range(50):
        course.tell(1, (0,))
        course.clocks.forget(course.seq)
    asked = course.tell(1, (0,))
    course.tell(9, (1,), (0,))

    other = course.clocks.copy()
    other.forget(course.seq)
    course.clocks.forget(asked)
    course.take_back(1, 0, asked, (0,))

    assert [2, 1] == [len(kept._past) for kept in (course.clocks, other)]
    assert {0: 39 * SECOND, 1: 100 * SECOND} == course.clocks.left
    assert {0: 50 * SECOND, 1: 100 * SECOND} == other.left


# whatever is decided and taken back


class Wild:
    """A match of any decisions, counted by clocks and, beside them, by what stands.

    Who is asked goes by how many decisions stand; each third of these begins a turn.
    """

    def __init__(self, clock: Clock, prompts: list[tuple[int, ...]]) -> None:
        self.clock, self.prompts = clock, prompts
        self.clocks, self.now, self.seq = Clocks(clock, 2), NOON, 0
        self.ran, self.paused = 0, False
        """Time that was no pause, and was not taken to answer."""
        self.stands: list[tuple[int, int, int, int]] = []
        """Of each decision the fact before, whose it is, what he had left then, and `ran` then."""
        self.offered: tuple[int, int, int, int] | None = None
        """Who has asked to go back, to which fact, by which fact, and `ran` then."""
        self.tell()

    @property
    def asked(self) -> tuple[int, ...]:
        return () if self.paused else self.prompts[len(self.stands) % len(self.prompts)]

    def tell(self, decided: tuple[int, ...] = (), back: tuple[int, int, int | None] | None = None) -> None:
        self.clocks.turn(self.now, self.asked, decided, len(self.stands) // 3)
        if back:
            self.clocks.take_back(*back)
        self.seq += 1
        self.clocks.remember(self.seq)

    def do(self, what: str, seat: int, later: int) -> None:
        """Let so much time pass, and do that, if it can be done."""
        before = self.ran
        self.now, self.ran = self.now + later, self.ran + (0 if self.paused else later)
        mine = [place for place, (_, by, *_) in enumerate(self.stands) if by == seat][-1:]
        if what in ("pause", "go on"):
            self.paused = what == "pause"
            self.tell()
        elif what == "decide" and seat in self.asked:
            self.stands.append((self.seq, seat, self.clocks.left[seat], before))
            self.tell((seat,))
        elif what == "offer" and mine and not self.paused:
            self.tell()
            self.offered = seat, self.stands[mine[0]][0], self.seq, self.ran
        elif what == "slip" and mine == [len(self.stands) - 1] and not self.paused:
            self.take_back(mine[0], None, self.ran)
        elif what == "agree" and mine and self.offered and not self.paused:
            by, back_to, asked_at, ran = self.offered
            if (by, back_to) == (seat, self.stands[mine[0]][0]):
                self.take_back(mine[0], asked_at, ran)
        else:
            self.tell()

    def take_back(self, place: int, asked_at: int | None, upto: int) -> None:
        back_to, seat, had, began = self.stands[place]
        del self.stands[place:]
        self.ran, self.offered = upto, None
        self.tell((), (seat, back_to, asked_at))
        assert max(0, had - (upto - began)) == self.clocks.left[seat]


TIMES = st.integers(0, 100)
ACTS = st.sampled_from(["decide", "decide", "slip", "offer", "agree", "talk", "pause", "go on"])


@given(
    st.builds(Clock, TIMES, TIMES, TIMES, st.integers(0, 50), rewinds=st.just(True)),
    st.lists(st.sampled_from([(0,), (1,), (0, 1)]), min_size=1, max_size=4),
    st.lists(st.tuples(ACTS, st.integers(0, 1), st.integers(0, 40 * SECOND)), max_size=40),
)
def test_nobody_ever_has_more_than_he_began_with_and_what_the_decisions_that_stand_have_added(
    clock: Clock, prompts: list[tuple[int, ...]], acts: list[tuple[str, int, int]]
) -> None:
    """Given any decisions and undos; who takes back has what he would have, had he decided nothing."""
    match = Wild(clock, prompts)
    for act in acts:
        match.do(*act)

        turns = len(match.stands) // 3
        for seat, left in match.clocks.left.items():
            own = sum(by == seat for _, by, *_ in match.stands)
            assert left <= (clock.bank + own * clock.increment + turns * (clock.turn or 0)) * SECOND
            assert not clock.cap or left <= max(clock.bank, clock.cap) * SECOND


# as a log is folded

PLAYED = play(GAME, "campaign", clock=Clock(100, 10, rewinds=True), undos=0)
BEGUN = 5
FIRST: list[Fact] = tale(PLAYED)[BEGUN][1]


def told(*commands: tuple[int, list[Fact]]) -> Played:
    """A match of which this follows once it has begun: each command so many seconds after the one before."""
    story: Tale = tale(PLAYED)[:BEGUN]
    for seconds, facts in commands:
        story.append((story[-1][0] + seconds * SECOND, facts))
    return retold(PLAYED, story)


def folded(played: Played) -> Fold:
    fold = Fold(GAME)
    for command in played.commands:
        fold.apply(command)
    return fold


def left(fold: Fold) -> dict[int, float]:
    assert fold.clocks is not None
    return {seat: time / SECOND for seat, time in fold.clocks.left.items()}


def test_a_slip_in_a_match_gives_no_time_and_the_log_has_no_fault() -> None:
    decided = folded(told((30, FIRST)))
    (seat,) = decided.decided
    slip: list[Fact] = [*undo_slip(decided.state.match, seat, decided.facts)]

    played = told((30, FIRST), (20, slip))

    assert {seat: 50, 1 - seat: 50} == left(folded(played))  # both were asked at once, and one still is
    assert judge(GAME, played.commands) is None


def test_an_agreed_undo_in_a_match_counts_until_it_was_asked_for_also_behind_a_pause() -> None:
    pause: list[tuple[int, list[Fact]]] = [
        (1, [PauseOffered(0)]),
        (1, [PauseAnswered(1, agreed=True), ClocksStopped()]),
    ]
    fold = folded(told((30, FIRST)))
    (seat,) = fold.decided
    going_on: list[Fact] = [ClocksStarted(1, fold.state.asked)]
    asked: list[Fact] = [*offer_undo(fold.state.match, seat, fold.facts)]
    before = [(30, FIRST), *pause, (5_000, going_on), (8, asked)]
    fold = folded(told(*before))
    agreed: list[Fact] = [*answer_undo(fold.state.match, 1 - seat, fold.facts, agreed=True)]

    played = told(*before, (3, agreed))

    assert [True, True] == [isinstance(asked[0], UndoOffered), isinstance(agreed[-1], Undone)]
    assert {seat: 60, 1 - seat: 60} == left(folded(played))
    assert judge(GAME, played.commands) is None


def test_a_slip_counts_until_it_is_taken_back_also_where_others_were_asked_before_and_declined() -> None:
    fold = folded(told((30, FIRST)))
    (seat,) = fold.decided
    asked: list[Fact] = [*offer_undo(fold.state.match, seat, fold.facts)]
    fold = folded(told(before := (30, FIRST), (8, asked)))
    declined: list[Fact] = [*answer_undo(fold.state.match, 1 - seat, fold.facts, agreed=False)]
    slip: list[Fact] = [*undo_slip(fold.state.match, seat, fold.facts)]

    played = told(before, (8, asked), (4, declined), (5, slip))

    assert {seat: 53, 1 - seat: 53} == left(folded(played))
    assert judge(GAME, played.commands) is None


def test_a_match_put_down_between_a_decision_and_its_undo_goes_on_with_the_same_clocks() -> None:
    played = play(
        GAME, "campaign", seed=3, undos=0.4, paused=0.1, clock=Clock(3600, 20, turn=60, rewinds=True)
    )
    whole, forgetful, met = Fold(GAME), Fold(GAME, forgets=True), 0
    taken_up: Fold | None = None
    for command in played.commands:
        facts = whole.apply(command)
        forgetful.apply(command)
        if taken_up is not None and isinstance(facts[-1], Undone) and facts[-1].back_to >= taken_up.start:
            taken_up.apply(command)
            assert taken_up.clocks is not None
            assert whole.clocks is not None
            assert whole.clocks.turning() == taken_up.clocks.turning()
            met += 1
        assert whole.position().clocks == forgetful.copy().position().clocks
        if not isinstance(facts[0], Decided):
            taken_up = Fold.at_position(GAME, position.decode(position.encode(whole.position())))
        elif taken_up is not None:
            taken_up.apply(command)

    assert met
    assert judge(GAME, played.commands) is None
    assert whole.view(Audience.ONLOOKERS).match.over


def test_a_clock_says_that_it_rewinds_and_one_of_before_is_encoded_as_it_was() -> None:
    assert b'{"bank":60,"increment":0,"cap":0}' == json.encode(Clock(60))
    assert b'{"bank":60,"increment":0,"cap":0,"rewinds":true}' == json.encode(Clock(60, rewinds=True))
