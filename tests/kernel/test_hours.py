"""The hours of a seat: when they may be said, and that no record can be given others."""

from collections.abc import Callable

import pytest
from msgspec import UNSET, json
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Decided
from domain.kernel.seats import Clock, Hours, Match
from domain.match import notices
from domain.match.chain import Fault
from domain.match.fold import Fold
from domain.match.hours import HoursFixed, fix_hours
from domain.match.judging import judge
from domain.match.notices import Created, NonceCommitted, SeatTaken, TimeOutClaimed
from domain.match.position import decode, encode
from domain.match.refusals import RequestError
from domain.match.rest import DAY, MINUTE, SECOND
from tests.kernel.probe import chairs
from tests.projections.play import Played, Tale, play, retold, tale
from tests.tiny import GAME

BOTH = Clock(3600, nights=True, weekends=True)
NIGHTS = Clock(3600, nights=True)
HOME = Hours(((0, 7200), (1_900_000_000, 3600)), 23 * 60)
PROMISE = "ab" * 32


def created(clock: Clock | None = BOTH) -> Match:
    match = Match()
    Created("tiny", "skirmish", {}, "1", "", chairs(2), clock).note(match)
    return match


def refusal(attempt: Callable[[], object]) -> str:
    with pytest.raises(RequestError) as caught:
        attempt()
    return caught.value.code


def test_a_seat_fixes_its_hours_as_it_sits_down() -> None:
    match = created()

    told = notices.take_seat(match, 1, "person", PROMISE, HOME)

    assert [SeatTaken(1, "person"), NonceCommitted(1, PROMISE), HoursFixed(1, HOME)] == told
    for fact in told:
        fact.note(match)
    assert {1: HOME} == match.hours
    assert "seat_taken" == refusal(lambda: notices.take_seat(match, 1, "person", "cd" * 32, HOME))


@pytest.mark.parametrize("clock", [None, Clock(3600), Clock(3600, turn=60)])
def test_where_no_clock_goes_by_hours_none_are_told(clock: Clock | None) -> None:
    told = notices.take_seat(created(clock), 0, "person", PROMISE, HOME)

    assert [SeatTaken(0, "person"), NonceCommitted(0, PROMISE)] == told


@pytest.mark.parametrize(
    "hours",
    [
        replace(HOME, night=1440),
        replace(HOME, night=-1),
        replace(HOME, offsets=()),
        replace(HOME, offsets=((0, 20 * 3600),)),
        replace(HOME, offsets=((5, 0), (5, 3600))),
        replace(HOME, offsets=((5, 0), (4, 3600))),
        replace(HOME, offsets=tuple((second, 0) for second in range(65))),
    ],
)
def test_hours_that_cannot_be_are_refused(hours: Hours) -> None:
    assert "bad_hours" == refusal(lambda: fix_hours(created(), 0, hours))


def test_a_night_is_for_a_clock_that_has_nights() -> None:
    weekends = created(Clock(3600, weekends=True))

    assert "bad_hours" == refusal(lambda: fix_hours(weekends, 0, HOME))
    assert [HoursFixed(0, replace(HOME, night=UNSET))] == fix_hours(weekends, 0, replace(HOME, night=UNSET))


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (HOME, "[seat:0] lives by UTC+02:00, its nights from 23:00 to 07:00"),
        (Hours(((0, -12600),), 30), "[seat:0] lives by UTC-03:30, its nights from 00:30 to 08:30"),
        (Hours(((0, 0),)), "[seat:0] lives by UTC+00:00"),
    ],
)
def test_hours_are_told_as_a_sentence(hours: Hours, words: str) -> None:
    assert words == HoursFixed(0, hours).words()


# of a record

HOURS = {0: HOME, 1: Hours(((0, -36000),), 60)}
PLAYED = play(GAME, "campaign", clock=BOTH, hours=HOURS, undos=0.3)


def folded(played: Played) -> Fold:
    fold = Fold(GAME)
    for command in played.commands:
        fold.apply(command)
    return fold


def placed(told: Tale, seat: int) -> int:
    """Which command fixes the hours of a seat."""
    return next(n for n, (_, facts) in enumerate(told) if HoursFixed(seat, HOURS[seat]) in facts)


def test_a_match_with_hours_is_true_and_shows_them_to_all() -> None:
    assert judge(GAME, PLAYED.commands) is None
    seen = folded(PLAYED).view(Audience.ONLOOKERS).match
    assert HOURS == seen.hours
    assert b'"hours":{"0":{"offsets":[[0,7200],[1900000000,3600]],"night":1380}' in json.encode(seen)


def test_a_fold_that_is_put_down_goes_on_by_the_same_hours() -> None:
    half = folded(PLAYED.cut(len(PLAYED.commands) - 3))
    again = Fold.at_position(GAME, decode(encode(half.position())))

    for command in PLAYED.commands[-3:]:
        again.apply(command)

    whole = folded(PLAYED)
    assert again.clocks is not None
    assert whole.clocks is not None
    assert whole.clocks.turning() == again.clocks.turning()


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (HoursFixed(1, HOME), "follows from nothing"),
        (HoursFixed(0, replace(HOME, night=0)), "follows from nothing"),
    ],
)
def test_hours_that_are_changed_while_the_match_goes_on_are_found(fact: HoursFixed, why: str) -> None:
    told = tale(PLAYED)[:7]
    seq = sum(len(facts) for _, facts in told) + 1

    assert Fault(seq, why) == judge(GAME, retold(PLAYED, [*told, (told[-1][0], [fact])]).commands)


def test_hours_of_another_seat_than_the_one_that_sits_down_are_found() -> None:
    told = tale(PLAYED)
    place = placed(told, 0)
    at, facts = told[place]
    forged = retold(PLAYED, [*told[:place], (at, [*facts[:2], HoursFixed(1, HOME)]), *told[place + 1 :]])

    fault = judge(GAME, forged.commands)

    assert fault is not None
    assert "is not what it should be: [seat:0] lives by UTC+02:00" in fault.why


def claimed(hours: dict[int, Hours], asleep: Hours) -> tuple[Tale, Played]:
    """A match in which the first who is asked is claimed against as if it kept the hours `asleep`."""
    played = play(GAME, "campaign", clock=NIGHTS, hours=hours, undos=0, most=6)
    told = tale(played)[:5]
    seat = folded(retold(played, told)).state.asked[0]
    other = play(GAME, "campaign", clock=NIGHTS, hours={**hours, seat: asleep}, undos=0, most=6)
    clocks = folded(retold(other, tale(other)[:5])).clocks
    assert clocks is not None
    deadline = clocks.deadline(seat)
    assert deadline is not None
    return [*told, (deadline, [TimeOutClaimed(seat)])], played


def test_a_claim_in_a_night_of_the_seat_is_too_early() -> None:
    """Given a seat that is asked as its night begins: a claim as if it had none, and one in the morning."""
    begins = tale(play(GAME, "campaign", clock=NIGHTS, undos=0, most=6))[4][0]
    night = Hours(((0, 0),), begins % DAY // MINUTE)
    kept = {0: night, 1: night}

    early, played = claimed(kept, Hours(((0, 0),)))
    late, _ = claimed(kept, night)

    seq = sum(len(facts) for _, facts in early)
    assert early[-1][0] < late[-1][0]
    too_early = judge(GAME, retold(played, early).commands)
    assert Fault(seq, "could not be: this seat has time left") == too_early
    in_time = judge(GAME, retold(played, late).commands)
    assert in_time is not None
    assert "is not followed by the default decision" in in_time.why


def test_a_decision_in_the_night_uses_up_nothing() -> None:
    begins = tale(play(GAME, "campaign", clock=NIGHTS, undos=0, most=6))[4][0]
    night = Hours(((0, 0),), begins % DAY // MINUTE)
    told = tale(play(GAME, "campaign", clock=NIGHTS, hours={0: night, 1: night}, undos=0, most=6))
    played = play(GAME, "campaign", clock=NIGHTS, hours={0: night, 1: night}, undos=0, most=6)
    at, facts = told[5]
    assert isinstance(facts[0], Decided)

    slept = folded(retold(played, [*told[:5], (told[4][0] + 5 * 60 * MINUTE, facts)])).clocks
    awake = folded(retold(played, [*told[:5], (told[4][0] + 9 * 60 * MINUTE, facts)])).clocks

    assert slept is not None
    assert awake is not None
    assert at
    assert slept.left[facts[0].seat] > (3600 - 60) * SECOND
    assert 0 == awake.left[facts[0].seat]
