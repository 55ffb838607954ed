"""Holidays: who may go, for how long, and that no time of the seat runs meanwhile."""

from collections.abc import Callable

import pytest

from domain.kernel.facts import Notice
from domain.kernel.seats import Clock, Match, TimeOff
from domain.match import holidays
from domain.match.fold import Fold
from domain.match.holidays import HolidayBegan, HolidayEnded
from domain.match.judging import judge
from domain.match.notices import Created, Resigned, Started
from domain.match.refusals import RequestError
from domain.match.rest import DAY, SECOND
from tests.kernel.probe import chairs
from tests.projections.play import Tale, play, retold, tale
from tests.tiny import GAME

NOON = 1_800_000_000 * SECOND
WEEKS = Clock(5 * 86_400, by_claim=True)


def begun(clock: Clock | None = WEEKS) -> Match:
    return noted(Match(), Created("tiny", "skirmish", {}, "1", "", chairs(2), clock), Started())


def noted(match: Match, *facts: Notice) -> Match:
    for fact in facts:
        fact.note(match)
    return match


def refusal(attempt: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RequestError) as caught:
        attempt()
    return caught.value.code, caught.value.reason


def test_a_seat_goes_on_holiday_and_comes_back_early() -> None:
    match = begun()

    gone = holidays.begin(match, 1, 14, NOON)
    assert [HolidayBegan(1, NOON, 14)] == gone
    assert {1: (TimeOff(NOON, NOON + 14 * DAY),)} == noted(match, *gone).holidays

    back = holidays.end(match, 1, NOON + 3 * DAY)
    assert [HolidayEnded(1, NOON + 3 * DAY)] == back
    assert {1: (TimeOff(NOON, NOON + 3 * DAY),)} == noted(match, *back).holidays


@pytest.mark.parametrize("days", [0, -1, 15])
def test_a_holiday_has_one_to_fourteen_days(days: int) -> None:
    assert ("no_holiday", "a holiday has 1 to 14 days") == refusal(
        lambda: holidays.begin(begun(), 0, days, NOON)
    )


def test_a_year_has_thirty_days_of_holiday_of_which_those_begun_are_spent() -> None:
    match = noted(begun(), HolidayBegan(0, NOON, 14), HolidayBegan(0, NOON + 20 * DAY, 14))
    noted(match, HolidayEnded(0, NOON + 22 * DAY + 1))
    later = NOON + 40 * DAY

    assert ("no_holiday", "of 30 days a year 13 are left") == refusal(
        lambda: holidays.begin(match, 0, 14, later)
    )
    assert holidays.begin(match, 0, 13, later)
    assert holidays.begin(match, 1, 14, later)
    assert holidays.begin(match, 0, 14, NOON + 365 * DAY)
    assert refusal(lambda: holidays.begin(match, 0, 14, NOON + 365 * DAY - 1))


def test_nobody_goes_twice_at_once_and_nobody_comes_back_who_has_not_gone() -> None:
    match = noted(begun(), HolidayBegan(0, NOON, 2))

    assert "no_holiday" == refusal(lambda: holidays.begin(match, 0, 1, NOON + 2 * DAY - 1))[0]
    assert holidays.begin(match, 0, 1, NOON + 2 * DAY)
    assert "no_holiday" == refusal(lambda: holidays.end(match, 0, NOON + 2 * DAY))[0]
    assert "no_holiday" == refusal(lambda: holidays.end(match, 1, NOON))[0]


@pytest.mark.parametrize("clock", [None, Clock(60)])
def test_holidays_are_for_clocks_whose_time_outs_are_claimed(clock: Clock | None) -> None:
    assert "no_clock" == refusal(lambda: holidays.begin(begun(clock), 0, 1, NOON))[0]


def test_whoever_does_not_play_has_no_holiday() -> None:
    over = begun()
    over.over = True

    assert "over" == refusal(lambda: holidays.begin(over, 0, 1, NOON))[0]
    assert "no_seat" == refusal(lambda: holidays.begin(begun(), 2, 1, NOON))[0]
    assert "resigned" == refusal(lambda: holidays.begin(noted(begun(), Resigned(0)), 0, 1, NOON))[0]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (HolidayBegan(0, NOON, 1), "[seat:0] goes on holiday for 1 day"),
        (HolidayBegan(0, NOON, 2), "[seat:0] goes on holiday for 2 days"),
        (HolidayEnded(0, NOON), "[seat:0] is back from its holiday"),
    ],
)
def test_each_is_told_as_a_sentence(fact: Notice, words: str) -> None:
    assert words == fact.words()


# of a record

PLAYED = play(GAME, "campaign", clock=WEEKS, undos=0, most=8)


def folded(told: Tale) -> Fold:
    fold = Fold(GAME)
    for command in retold(PLAYED, told).commands:
        fold.apply(command)
    return fold


def gone(days: int = 3) -> tuple[Tale, int, int]:
    """A match in which a seat that is asked has gone on holiday; with the seat, and since when."""
    told = tale(PLAYED)[:6]
    seat = folded(told).state.asked[0]
    since = told[-1][0] + DAY
    return [*told, (since, [HolidayBegan(seat, since, days)])], seat, since


def test_no_time_of_the_seat_runs_until_its_holiday_is_over() -> None:
    told, seat, since = gone()
    clocks = folded(told).clocks
    assert clocks is not None

    left = clocks.left[seat]
    assert since + 3 * DAY + left == clocks.deadline(seat)
    back = folded([*told, (since + 2 * DAY, [HolidayEnded(seat, since + 2 * DAY)])]).clocks
    assert back is not None
    assert left == back.left[seat]
    assert since + 2 * DAY + left == back.deadline(seat)


def truth(told: Tale) -> str:
    fault = judge(GAME, retold(PLAYED, told).commands)
    return fault.why if fault else ""


def test_a_record_tells_of_holidays_as_they_were() -> None:
    told, seat, since = gone()
    early = told[:-1]

    assert "" == truth(told)
    assert "" == truth([*told, (since + DAY, [HolidayEnded(seat, since + DAY)])])
    assert "is not what it should be" in truth([*early, (since, [HolidayBegan(seat, since + DAY, 3)])])
    assert "is not what it should be" in truth([*early, (since, [HolidayBegan(seat, since - 2 * DAY, 3)])])
    assert "a holiday has 1 to 14 days" in truth([*early, (since, [HolidayBegan(seat, since, 15)])])
    assert "is not what it should be" in truth([*told, (since + DAY, [HolidayEnded(seat, since + 9 * DAY)])])
