"""When no time runs: in nights, at weekends and on holidays, by what the clock on a seat's wall shows."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from domain.kernel.seats import Clock, Hours, Match, Seat
from domain.match.clock import Clocks
from domain.match.holidays import HolidayBegan
from domain.match.hours import HoursFixed
from domain.match.rest import DAY, MINUTE, NIGHT, SECOND, Rest, rest, rests

HOUR = 60 * MINUTE
NIGHTS, WEEKENDS = Clock(60, nights=True), Clock(60, weekends=True)
BOTH = Clock(60, nights=True, weekends=True)
WEEKS = Clock(3 * 3600, nights=True, by_claim=True)
TO_SUMMER = int(datetime(2027, 3, 28, 1, tzinfo=UTC).timestamp())
TO_WINTER = int(datetime(2027, 10, 31, 1, tzinfo=UTC).timestamp())
BERLIN = ((0, 3600), (TO_SUMMER, 7200), (TO_WINTER, 3600))


def at(wall: str, zone: str = "UTC") -> int:
    """Such as `2027-03-28 23:00`, in microseconds since the epoch; what comes twice is the first."""
    return round(datetime.fromisoformat(wall).replace(tzinfo=ZoneInfo(zone)).timestamp()) * SECOND


def by_utc(clock: Clock = NIGHTS, night: int = 23) -> Rest:
    return rest(clock, Hours(((0, 0),), night * 60))


def in_berlin(clock: Clock = NIGHTS, night: int = 23) -> Rest:
    return rest(clock, Hours(BERLIN, night * 60))


# nights


def test_no_time_runs_in_the_night_and_it_runs_again_when_it_is_over() -> None:
    kept = by_utc()

    assert HOUR == kept.used(at("2027-06-01 22:00"), at("2027-06-02 03:00"))
    assert 0 == kept.used(at("2027-06-01 23:00"), at("2027-06-02 07:00"))
    assert 2 * HOUR == kept.used(at("2027-06-02 03:00"), at("2027-06-02 09:00"))
    assert 16 * HOUR == kept.used(at("2027-06-01 22:00"), at("2027-06-02 22:00"))


def test_a_night_that_does_not_go_past_midnight() -> None:
    kept = by_utc(night=1)

    assert 0 == kept.used(at("2027-06-01 01:00"), at("2027-06-01 09:00"))
    assert DAY - NIGHT == kept.used(at("2027-06-01 09:00"), at("2027-06-02 09:00"))


def test_the_night_of_a_sunday_ends_on_monday_morning() -> None:
    assert 0 == by_utc().used(at("2027-06-06 23:00"), at("2027-06-07 07:00"))
    assert HOUR == by_utc().used(at("2027-06-07 06:00"), at("2027-06-07 08:00"))


def test_time_that_reaches_into_the_night_runs_out_in_the_morning() -> None:
    assert at("2027-06-02 08:00") == by_utc().out(at("2027-06-01 22:00"), 2 * HOUR)
    assert at("2027-06-03 08:00") == by_utc().out(at("2027-06-01 22:00"), 18 * HOUR)


def test_time_that_runs_out_as_the_night_begins_is_out_then_and_not_in_the_morning() -> None:
    assert at("2027-06-01 23:00") == by_utc().out(at("2027-06-01 22:00"), HOUR)
    assert at("2027-06-02 07:00") + 1 == by_utc().out(at("2027-06-01 22:00"), HOUR + 1)
    assert at("2027-06-06 23:00") == by_utc().out(at("2027-06-05 23:00"), 16 * HOUR)


def test_who_is_asked_in_the_night_has_time_from_the_morning_on() -> None:
    assert at("2027-06-02 08:00") == by_utc().out(at("2027-06-02 02:00"), HOUR)
    assert at("2027-06-02 02:00") == by_utc().out(at("2027-06-02 02:00"), 0)


def test_east_and_west_each_has_the_night_of_its_own_wall() -> None:
    tokyo = rest(NIGHTS, Hours(((0, 9 * 3600),), 23 * 60))
    hawaii = rest(NIGHTS, Hours(((0, -10 * 3600),), 23 * 60))

    assert (at("2027-06-01 14:00"), at("2027-06-01 22:00")) == (
        tokyo.out(at("2027-06-01 13:00"), HOUR),
        tokyo.out(at("2027-06-01 14:00"), 1) - 1,
    )
    assert (at("2027-06-01 09:00"), at("2027-06-01 17:00")) == (
        hawaii.out(at("2027-06-01 08:00"), HOUR),
        hawaii.out(at("2027-06-01 09:00"), 1) - 1,
    )


def test_the_night_in_which_summer_time_begins_has_seven_hours_and_the_other_nine() -> None:
    spring, autumn = at("2027-03-27 23:00", "Europe/Berlin"), at("2027-10-30 23:00", "Europe/Berlin")

    assert spring + 7 * HOUR == in_berlin().out(spring, 1) - 1 == at("2027-03-28 07:00", "Europe/Berlin")
    assert autumn + 9 * HOUR == in_berlin().out(autumn, 1) - 1 == at("2027-10-31 07:00", "Europe/Berlin")


def test_a_night_that_begins_in_the_hour_that_comes_twice_stands_still_both_times() -> None:
    kept = rest(NIGHTS, Hours(BERLIN, 2 * 60 + 30))
    first = (TO_WINTER - 1800) * SECOND  # half past two, and once more an hour later

    assert 30 * MINUTE == kept.used(first, first + HOUR)
    assert 0 == kept.used(first, first + 30 * MINUTE)


def test_a_night_that_begins_in_the_hour_that_is_left_out_begins_behind_it() -> None:
    kept = rest(NIGHTS, Hours(BERLIN, 2 * 60 + 30))

    assert TO_SUMMER * SECOND == kept.out((TO_SUMMER - 60) * SECOND, MINUTE)
    assert 0 == kept.used(TO_SUMMER * SECOND, TO_SUMMER * SECOND + 7 * HOUR + 30 * MINUTE)


def test_before_its_first_offset_and_behind_its_last_a_seat_has_the_nearest() -> None:
    kept = rest(NIGHTS, Hours(((TO_SUMMER, 7200), (TO_WINTER, 3600)), 0))

    assert 0 == kept.used(at("2020-01-01 22:00"), at("2020-01-02 06:00"))
    assert 0 == kept.used(at("2040-01-01 23:00"), at("2040-01-02 07:00"))


# weekends


def test_no_time_runs_on_saturday_and_sunday() -> None:
    kept = by_utc(WEEKENDS)

    assert 2 * HOUR == kept.used(at("2027-06-04 22:00"), at("2027-06-07 00:00"))
    assert at("2027-06-07 01:00") == kept.out(at("2027-06-04 22:00"), 3 * HOUR)
    assert 5 * DAY == kept.used(at("2027-06-01 12:00"), at("2027-06-08 12:00"))


def test_a_weekend_begins_when_it_does_where_the_seat_lives() -> None:
    samoa = rest(WEEKENDS, Hours(((0, -11 * 3600),)))

    assert at("2027-06-05 11:00") == samoa.out(at("2027-06-05 10:00"), HOUR)
    assert at("2027-06-07 11:00") == samoa.out(at("2027-06-05 11:00"), 1) - 1


def test_nights_and_weekends_together() -> None:
    kept = by_utc(BOTH)

    assert at("2027-06-04 23:00") == kept.out(at("2027-06-04 22:00"), HOUR)
    assert at("2027-06-07 07:00") == kept.out(at("2027-06-04 23:00"), 1) - 1
    assert 80 * HOUR == kept.used(at("2027-06-01 12:00"), at("2027-06-08 12:00"))


def test_a_seat_without_a_night_has_none_though_the_clock_has() -> None:
    assert DAY == rest(NIGHTS, Hours(((0, 0),))).used(at("2027-06-01 12:00"), at("2027-06-02 12:00"))


def test_where_the_clock_has_none_a_night_counts_for_nothing() -> None:
    assert DAY == by_utc(Clock(60, weekends=True)).used(at("2027-06-01 12:00"), at("2027-06-02 12:00"))


# holidays


def test_no_time_runs_on_a_holiday_nor_in_the_night_in_which_it_ends() -> None:
    begin, end = at("2027-06-02 12:00"), at("2027-06-04 01:00")
    kept = rest(NIGHTS, Hours(((0, 0),), 23 * 60), [(begin, end)])

    assert 0 == kept.used(begin, at("2027-06-04 07:00"))
    assert begin == kept.out(at("2027-06-02 11:00"), HOUR)
    assert at("2027-06-04 08:00") == kept.out(begin, HOUR)


# of any hours

offsets = st.lists(
    st.tuples(
        st.integers(-10 * 1440, 60 * 1440).map(lambda minute: minute * 60),
        st.integers(-14 * 4, 14 * 4).map(lambda quarter: quarter * 900),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda pair: pair[0],
).map(lambda pairs: tuple(sorted(pairs)))
hours = st.builds(Hours, offsets, st.none().map(lambda _: UNSET) | st.integers(0, 1439))
holidays = st.lists(
    st.tuples(st.integers(-5, 40), st.integers(1, 14)).map(
        lambda span: (span[0] * DAY, (span[0] + span[1]) * DAY)
    ),
    max_size=3,
)
any_rest = st.builds(rest, st.sampled_from([NIGHTS, WEEKENDS, BOTH]), hours, holidays)
moments = st.integers(-20 * DAY, 80 * DAY)


@given(any_rest, st.tuples(moments, moments, moments).map(sorted))
def test_time_from_here_to_there_and_on_is_the_whole(kept: Rest, three: list[int]) -> None:
    first, second, third = three

    assert kept.used(first, second) + kept.used(second, third) == kept.used(first, third)


@given(any_rest, moments, st.integers(0, 40 * DAY))
def test_no_more_time_runs_than_passes_and_never_back(kept: Rest, since: int, passing: int) -> None:
    assert 0 <= kept.used(since, since + passing) <= passing


@given(any_rest, moments, st.integers(0, 30 * DAY))
def test_time_is_out_at_the_first_instant_by_which_it_has_run(kept: Rest, since: int, left: int) -> None:
    out = kept.out(since, left)

    assert since <= out
    assert left == kept.used(since, out)
    assert out == since or kept.used(since, out - 1) == left - 1


@given(any_rest, moments, st.integers(0, 9 * DAY), st.integers(0, 9 * DAY))
def test_whoever_has_more_left_is_out_later(kept: Rest, since: int, left: int, more: int) -> None:
    assert kept.out(since, left) <= kept.out(since, left + more)


@given(any_rest, st.integers(-10 * 1440, 60 * 1440), st.integers(1, 5))
def test_time_runs_by_what_the_wall_shows(kept: Rest, minute: int, count: int) -> None:
    """Given some minutes, told one by one: those of a night, of a weekend or of a holiday do not count."""
    ran = 0
    for each in range(minute, minute + count):
        now = each * MINUTE
        ahead = next((a for begin, a in reversed(kept.offsets) if begin <= now), kept.offsets[0][1])
        wall = (now + ahead + 3 * DAY) % (7 * DAY)
        still = any(begin <= wall < end for begin, end in kept.still)
        away = any(begin <= now < end for begin, end in kept.off)
        ran += not (still or away)

    assert ran * MINUTE == kept.used(minute * MINUTE, (minute + count) * MINUTE)


# in a match


def of(clock: Clock | None, *fixed: HoursFixed) -> Match:
    match = Match(seats=(Seat("North", 0), Seat("South", 1)), clock=clock)
    for fact in fixed:
        fact.note(match)
    return match


def test_a_match_without_nights_and_weekends_has_no_rest() -> None:
    assert {} == rests(of(None)) == rests(of(Clock(60)))


def test_a_seat_that_has_said_nothing_has_no_night_and_its_weekends_by_utc() -> None:
    assert by_utc(WEEKENDS) == rests(of(BOTH))[1]


def test_each_seat_has_its_own() -> None:
    kept = rests(of(BOTH, HoursFixed(0, Hours(BERLIN, 1380)), HoursFixed(1, Hours(((0, 32400),), 0))))

    assert {0: in_berlin(BOTH), 1: rest(BOTH, Hours(((0, 32400),), 0))} == kept


def test_a_holiday_in_somebody_elses_night_is_of_the_one_seat_alone() -> None:
    """Given a seat that goes on holiday, and one that sleeps then."""
    night = at("2027-06-01 23:00")
    match = of(WEEKS, HoursFixed(0, Hours(((0, 0),), 22 * 60)), HoursFixed(1, Hours(((0, 0),), 4 * 60)))
    clocks = Clocks(WEEKS, 2)
    clocks.turn(at("2027-06-01 21:00"), (0, 1), (), 0, rests(match))
    HolidayBegan(1, night, 1).note(match)
    clocks.turn(night, (0, 1), (), 0, rests(match))

    assert {0: 2 * HOUR, 1: HOUR} == clocks.left
    assert at("2027-06-02 08:00") == clocks.deadline(0)
    assert at("2027-06-03 00:00") == clocks.deadline(1)


def test_clocks_count_what_runs_and_say_when_it_is_out() -> None:
    clock = Clock(2 * 3600, 3600, 3 * 3600, nights=True)
    clocks = Clocks(clock, 2)
    asleep = {0: by_utc(clock), 1: by_utc(clock, 1)}

    clocks.turn(at("2027-06-01 22:00"), (0, 1), (), 0, asleep)
    assert at("2027-06-02 08:00") == clocks.deadline(0)
    assert at("2027-06-02 00:00") == clocks.deadline(1)

    clocks.turn(at("2027-06-02 07:30"), (0,), (0, 1), 0, asleep)
    assert {0: HOUR + 30 * MINUTE, 1: HOUR} == clocks.left


def test_a_cap_holds_though_the_night_has_used_up_nothing() -> None:
    clock = Clock(2 * 3600, 3600, 2 * 3600, nights=True)
    clocks = Clocks(clock, 1)
    clocks.turn(at("2027-06-01 23:00"), (0,), (), 0, {0: by_utc(clock)})

    clocks.turn(at("2027-06-02 06:00"), (), (0,), 0, {0: by_utc(clock)})

    assert {0: 2 * HOUR} == clocks.left


@pytest.mark.parametrize("days", [1, 400, 3650])
def test_a_bank_of_years_is_counted_by_weeks(days: int) -> None:
    since = at("2027-06-01 12:00")

    out = by_utc(BOTH).out(since, days * DAY)

    assert days * DAY == by_utc(BOTH).used(since, out)
    assert timedelta(days=days * 168 / 80 + 14) > timedelta(microseconds=out - since)


def test_time_runs_low_when_a_quarter_of_it_is_left_to_run() -> None:
    """Given two days that reach over a weekend, by the wall five."""
    clock = Clock(2 * 86_400, nights=True, weekends=True, by_claim=True)
    clocks = Clocks(clock, 1)

    clocks.turn(at("2027-06-03 12:00"), (0,), (), 0, {0: by_utc(clock)})

    assert at("2027-06-07 16:00") == clocks.low(0)
    assert 12 * HOUR == by_utc(clock).used(at("2027-06-07 16:00"), clocks.deadline(0) or 0)
