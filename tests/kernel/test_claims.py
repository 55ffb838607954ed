"""Claims of who waits, and matches called off: what each may, when, and that no record can say otherwise."""

from collections.abc import Callable, Sequence

import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Decided, Fact, Notice
from domain.kernel.seats import Clock, Match
from domain.match import claims, draws, notices
from domain.match.chain import Fault
from domain.match.claims import ABSENT, CalledOff, WinClaimed
from domain.match.clock import Clocks, Turning
from domain.match.fold import Fold
from domain.match.judging import judge
from domain.match.notices import BY_MATCH, Created, Ended, GameEnded, Resigned, Started, TimeOutClaimed
from domain.match.pauses import ClocksStopped
from domain.match.position import decode, encode
from domain.match.refusals import RequestError
from domain.match.rest import DAY, SECOND
from domain.titles import TITLES
from tests.kernel.probe import chairs
from tests.projections.play import Played, Tale, play, retold, tale
from tests.tiny import GAME

NOON = 1_800_000_000 * SECOND
WEEKS = Clock(3 * 86_400, by_claim=True)
ASKED = (0,)
"""Seat 0 is asked, since noon."""


def begun(clock: Clock | None = WEEKS, seats: int = 2) -> Match:
    match = Match()
    for fact in (Created("tiny", "skirmish", {}, "1", "", chairs(seats), clock), Started()):
        fact.note(match)
    return match


def clocks(late: int = 0, clock: Clock = WEEKS) -> Clocks:
    """Clocks of a seat 0 that is asked at noon, with so many time-outs claimed in a row."""
    left = {0: clock.bank * SECOND, 1: clock.bank * SECOND}
    return Clocks(clock, 2, Turning(left, NOON, (0,), late={0: late} if late else {}))


OUT = NOON + 3 * DAY


def refusal(attempt: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RequestError) as caught:
        attempt()
    return caught.value.code, caught.value.reason


# time-outs


@pytest.mark.parametrize(
    ("by", "asked", "code"),
    [(None, (0,), "not_allowed"), (1, (0, 1), "not_allowed"), (0, (0,), "not_allowed")],
)
def test_where_who_waits_claims_nobody_else_does(by: int | None, asked: tuple[int, ...], code: str) -> None:
    assert code == refusal(lambda: notices.claim_time(begun(), clocks(), 0, by, OUT, asked))[0]


def test_who_waits_claims_a_time_out_when_time_is_out() -> None:
    assert [TimeOutClaimed(0, 1)] == notices.claim_time(begun(), clocks(), 0, 1, OUT, (0,))
    assert "no_time_out" == refusal(lambda: notices.claim_time(begun(), clocks(), 0, 1, OUT - 1, (0,)))[0]


def test_who_has_resigned_claims_nothing() -> None:
    match = begun(seats=4)
    Resigned(1).note(match)

    assert "resigned" == refusal(lambda: notices.claim_time(match, clocks(), 0, 1, OUT, (0,)))[0]
    assert "resigned" == refusal(lambda: claims.claim_win(match, clocks(2), 0, 1, OUT, ASKED, NOON))[0]


def counted(*turns: tuple[int, Sequence[int], Sequence[int]], clock: Clock = WEEKS) -> Clocks:
    """Clocks after commands behind noon: at which day, who decided, and whose time-out was claimed in it."""
    kept = Clocks(clock, 2)
    kept.turn(NOON, (0,), ())
    for day, decided, claimed in turns:
        kept.turn(NOON + day * DAY, (0,), decided, claimed=claimed)
    return kept


def test_time_outs_that_are_claimed_are_counted_until_the_seat_decides_itself() -> None:
    assert {0: 2} == counted((3, (), (0,)), (4, (), (0,))).late
    assert {} == counted((3, (), (0,)), (4, (), (0,)), (4, (0,), ())).late
    assert {0: 1} == counted((3, (), (0,)), (3, (0,), ()), (9, (), (0,))).late


def test_whoever_was_claimed_against_has_a_day_or_all_that_the_clock_begins_with() -> None:
    assert DAY == counted((3, (), (0,))).left[0]
    assert 60 * SECOND == counted((3, (), (0,)), clock=Clock(60, by_claim=True)).left[0]
    assert 50 * SECOND == counted((3, (), (0,)), clock=Clock(0, turn=50, by_claim=True)).left[0]


def test_where_the_server_decides_nothing_is_counted_and_nothing_given() -> None:
    kept = counted((3, (), (0,)), clock=Clock(3 * 86_400))

    assert ({}, 0) == (kept.late, kept.left[0])


# a win


def test_the_third_time_out_in_a_row_may_be_claimed_as_a_win() -> None:
    won = [WinClaimed(0, 1), GameEnded(1, "time", BY_MATCH)]

    assert won == claims.claim_win(begun(), clocks(2), 0, 1, OUT, ASKED, NOON)
    assert won == claims.claim_win(begun(), clocks(7), 0, 1, OUT, ASKED, NOON)


@pytest.mark.parametrize(
    ("late", "at", "why"),
    [
        (0, OUT, "that is claimed when time is out for the third time in a row"),
        (1, OUT, "that is claimed when time is out for the third time in a row"),
        (2, OUT - 1, "this seat has time left"),
    ],
)
def test_before_the_third_time_out_nothing_is_won(late: int, at: int, why: str) -> None:
    assert ("no_time_out", why) == refusal(
        lambda: claims.claim_win(begun(), clocks(late), 0, 1, at, ASKED, NOON)
    )


def test_where_the_server_decides_for_who_is_out_of_time_no_win_is_claimed() -> None:
    live = Clock(60)

    match, kept = begun(live), clocks(2, live)
    assert "not_allowed" == refusal(lambda: claims.claim_win(match, kept, 0, 1, OUT, ASKED, NOON))[0]


def test_a_win_is_claimed_by_who_waits_on_the_other_side() -> None:
    four = begun(seats=4)

    assert "not_allowed" == refusal(lambda: claims.claim_win(begun(), clocks(2), 0, 0, OUT, ASKED, NOON))[0]
    assert "not_allowed" == refusal(lambda: claims.claim_win(begun(), clocks(2), 0, 1, OUT, (0, 1), NOON))[0]
    assert "not_allowed" == refusal(lambda: claims.claim_win(four, clocks(2), 0, 2, OUT, ASKED, NOON))[0]
    assert "no_seat" == refusal(lambda: claims.claim_win(begun(), clocks(2), 9, 1, OUT, ASKED, NOON))[0]
    assert "no_time_out" == refusal(lambda: claims.claim_win(begun(), clocks(2), 0, 1, OUT, (), NOON))[0]


def test_against_a_team_a_win_is_claimed_when_the_others_have_resigned() -> None:
    four = begun(seats=4)
    assert "not_allowed" == refusal(lambda: claims.claim_win(four, clocks(2), 0, 1, OUT, ASKED, NOON))[0]

    Resigned(2).note(four)

    assert GameEnded(1, "time", BY_MATCH) in claims.claim_win(four, clocks(2), 0, 1, OUT, ASKED, NOON)


def test_nothing_is_claimed_before_the_beginning_behind_the_end_or_in_a_pause() -> None:
    early, over, paused = begun(), begun(), begun()
    early.started, over.over = False, True
    ClocksStopped().note(paused)

    assert "not_started" == refusal(lambda: claims.claim_win(early, clocks(2), 0, 1, OUT, ASKED, NOON))[0]
    assert "over" == refusal(lambda: claims.claim_win(over, clocks(2), 0, 1, OUT, ASKED, NOON))[0]
    assert "paused" == refusal(lambda: claims.claim_win(paused, clocks(2), 0, 1, OUT, ASKED, NOON))[0]


# without a clock


def test_without_a_clock_who_is_waited_for_14_days_may_be_claimed_against() -> None:
    free, late = begun(None), NOON + ABSENT

    won = [WinClaimed(0, 1), GameEnded(1, "absence", BY_MATCH)]
    assert won == claims.claim_win(free, None, 0, 1, late, ASKED, NOON)
    off = [CalledOff(1, 0), GameEnded(None, "called off", BY_MATCH)]
    assert off == claims.claim_off(free, 0, 1, late, ASKED, NOON)
    for claim in (
        lambda: claims.claim_win(free, None, 0, 1, late - 1, ASKED, NOON),
        lambda: claims.claim_off(free, 0, 1, late - 1, ASKED, NOON),
    ):
        assert ("no_time_out", "this seat has been waited for less than 14 days") == refusal(claim)


def test_with_a_clock_nobody_is_away_but_out_of_time() -> None:
    assert "not_allowed" == refusal(lambda: claims.claim_off(begun(), 0, 1, NOON + ABSENT, ASKED, NOON))[0]


# called off


@pytest.mark.parametrize("decided", [(), (0,), (1,)])
@pytest.mark.parametrize("by", [0, 1])
def test_either_calls_the_match_off_until_both_have_decided(decided: tuple[int, ...], by: int) -> None:
    assert [CalledOff(by), GameEnded(None, "called off", BY_MATCH)] == claims.call_off(begun(), by, decided)


def test_once_both_sides_have_decided_nothing_is_called_off() -> None:
    four = begun(seats=4)

    assert "too_late" == refusal(lambda: claims.call_off(begun(), 0, (0, 1)))[0]
    assert "too_late" == refusal(lambda: claims.call_off(four, 0, (0, 3)))[0]
    assert CalledOff(0) in claims.call_off(four, 0, (0, 2))


def test_a_match_is_called_off_while_it_is_played_by_who_plays() -> None:
    early, over, four = begun(), begun(), begun(seats=4)
    early.started, over.over = False, True
    Resigned(2).note(four)
    cases = ((early, 0), (over, 0), (four, 2))

    codes = [refusal(lambda m=m, by=by: claims.call_off(m, by, ()))[0] for m, by in cases]  # type: ignore[misc]
    assert ["not_started", "over", "resigned"] == codes


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (WinClaimed(0, 1), "[seat:1] claims the win against [seat:0]"),
        (CalledOff(1), "[seat:1] called the match off before both sides had decided"),
        (CalledOff(1, 0), "[seat:1] called the match off: [seat:0] stayed away"),
        (GameEnded(None, "called off", BY_MATCH), "The match is called off, without a result"),
        (GameEnded(1, "time", BY_MATCH), "[side:1] won: time"),
    ],
)
def test_each_is_told_as_a_sentence(fact: Notice, words: str) -> None:
    assert words == fact.words()


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("reason", ["time", "absence", "called off"])
def test_every_title_tells_such_an_end(title: str, reason: str) -> None:
    game = TITLES[title]
    end = GameEnded(None if reason == "called off" else 1, reason, BY_MATCH)

    told = game.account.reason(game.open(), end)

    assert "resigned" not in told
    assert "draw" not in told


def test_a_match_that_is_called_off_has_no_level_and_one_that_is_claimed_has() -> None:
    game = TITLES["nimitz"]
    played = play(game, game.default_scenario, options={"mode": 2}, most=12, undos=0)
    for end, why in (
        (GameEnded(None, "called off", BY_MATCH), None),
        (GameEnded(1, "absence", BY_MATCH), "stayed away for 14 days"),
        (GameEnded(0, "time", BY_MATCH), "ran out of time three times in a row"),
    ):
        noted = game.noted(folded(played).state, [end])

        assert (2 if why else 1) == len(noted)
        assert why is None or why in noted[0].words()


# of a record

TIMED = play(GAME, "campaign", clock=replace(WEEKS, bank=600), undos=0)
FREE = play(GAME, "campaign", undos=0)


def folded(played: Played) -> Fold:
    fold = Fold(played.game)
    for command in played.commands:
        fold.apply(command)
    return fold


def waiting(played: Played) -> Tale:
    """A match up to when one seat is asked for the first time, and the other waits."""
    return tale(played)[: next(n for n in range(5, 99) if len(folded(played.cut(n)).state.asked) == 1)]


def ended(played: Played, told: Tale, at: int, *facts: Fact) -> Fault | None:
    """Judge a match that ends by these facts, with the key."""
    return judge(GAME, retold(played, [*told, (at, [*facts, Ended(played.key.hex())])]).commands)


def timed_out(times: int) -> tuple[Tale, int, int]:
    """A match whose asked seat was claimed against so often in a row; that seat, and its next deadline."""
    told = waiting(TIMED)
    seat = folded(retold(TIMED, told)).state.asked[0]
    for _ in range(times):
        fold = folded(retold(TIMED, told))
        told.append((out_of(fold, seat), [TimeOutClaimed(seat, 1 - seat), default(seat)]))
    return told, seat, out_of(folded(retold(TIMED, told)), seat)


def out_of(fold: Fold, seat: int) -> int:
    assert fold.clocks is not None
    return fold.clocks.deadline(seat) or 0


def default(seat: int) -> Fact:
    """A decision of the rules, and nothing of what follows: it is judged that there is one, not which."""
    first = next(fact for _, fact in TIMED.facts if isinstance(fact, Decided))
    return replace(first, seat=seat, how="default")


def test_a_win_that_was_claimed_at_the_third_time_out_is_true_and_any_before_is_found() -> None:
    told, seat, deadline = timed_out(2)
    won = [WinClaimed(seat, 1 - seat), GameEnded(1 - seat, "time", BY_MATCH)]
    seq = sum(len(facts) for _, facts in told) + 1

    assert {seat: 2} == folded(retold(TIMED, told)).view(Audience.ONLOOKERS).clocks.late  # type: ignore[union-attr]
    assert ended(TIMED, told, deadline, *won) is None
    early = Fault(seq, "could not be: this seat has time left")
    assert early == ended(TIMED, told, deadline - 1, *won)
    once, _, then = timed_out(1)
    second = ended(TIMED, once, then, *won)
    assert second is not None
    assert "could not be: that is claimed when time is out for the third time in a row" == second.why


def test_a_win_for_another_side_or_for_another_reason_is_found() -> None:
    told, seat, deadline = timed_out(2)
    claim = WinClaimed(seat, 1 - seat)

    for end in (
        GameEnded(seat, "time", BY_MATCH),
        GameEnded(None, "time", BY_MATCH),
        GameEnded(1 - seat, "absence", BY_MATCH),
    ):
        fault = ended(TIMED, told, deadline, claim, end)
        assert fault is not None
        assert "is not what it should be" in fault.why


def test_a_time_out_that_nobody_claimed_is_found_where_who_waits_claims() -> None:
    told, seat, deadline = timed_out(0)
    told.append((deadline, [TimeOutClaimed(seat), default(seat)]))

    fault = judge(GAME, retold(TIMED, told).commands)

    assert fault is not None
    assert "could not be: in this match a time-out is claimed by a seat that waits" == fault.why


def test_a_claim_against_who_is_away_is_true_after_14_days_of_waiting() -> None:
    told = waiting(FREE)
    seat, since = folded(retold(FREE, told)).state.asked[0], told[-1][0]
    off = [CalledOff(1 - seat, seat), GameEnded(None, "called off", BY_MATCH)]

    assert ended(FREE, told, since + ABSENT, *off) is None
    early = ended(FREE, told, since + ABSENT - 1, *off)
    assert early is not None
    assert "could not be: this seat has been waited for less than 14 days" == early.why


def test_who_is_waited_for_is_not_helped_by_talk_of_draws() -> None:
    told = waiting(FREE)
    seat, since = folded(retold(FREE, told)).state.asked[0], told[-1][0]
    told.append((since + 13 * DAY, [draws.DrawOffered(seat)]))
    won = [WinClaimed(seat, 1 - seat), GameEnded(1 - seat, "absence", BY_MATCH)]

    assert ended(FREE, told, since + ABSENT, *won) is None
    assert since == folded(retold(FREE, told)).view(Audience.ONLOOKERS).waited_since
    assert 0 == folded(retold(TIMED, timed_out(0)[0])).view(Audience.ONLOOKERS).waited_since
    assert 0 == folded(FREE.cut(1)).view(Audience.ONLOOKERS).waited_since


def test_a_match_may_be_called_off_until_both_have_decided_and_its_view_says_so() -> None:
    both = next(n for n in range(len(FREE.commands)) if len(folded(FREE.cut(n)).decided) == 2)
    off = [CalledOff(0), GameEnded(None, "called off", BY_MATCH)]
    before, behind = tale(FREE)[: both - 1], tale(FREE)[:both]

    assert folded(retold(FREE, before)).view(Audience.ONLOOKERS).early
    assert ended(FREE, before, before[-1][0], *off) is None
    assert not folded(retold(FREE, behind)).view(Audience.ONLOOKERS).early
    late = ended(FREE, behind, behind[-1][0], *off)
    assert late is not None
    assert "could not be: both sides have decided: a draw can be offered, or one resigns" == late.why


@pytest.mark.parametrize("by", [0, 1])
def test_whose_time_out_was_claimed_does_not_get_away_by_calling_the_match_off(by: int) -> None:
    """Given a seat that has decided, and waited for another, which never has."""
    before, seat, _ = timed_out(0)
    told, _, _ = timed_out(1)

    fold = folded(retold(TIMED, told))

    assert {1 - seat} == folded(retold(TIMED, before)).decided
    assert {0, 1} == fold.decided
    assert not fold.view(Audience.ONLOOKERS).early
    off = [CalledOff(by), GameEnded(None, "called off", BY_MATCH)]
    late = ended(TIMED, told, told[-1][0], *off)
    assert late is not None
    assert "could not be: both sides have decided: a draw can be offered, or one resigns" == late.why


def test_a_fold_that_is_put_down_knows_who_decided_who_was_late_and_since_when_all_wait() -> None:
    told, seat, _ = timed_out(2)
    whole = folded(retold(TIMED, told))

    again = Fold.at_position(GAME, decode(encode(whole.position())))

    assert (whole.decided, whole.waited_since) == (again.decided, again.waited_since)
    assert again.clocks is not None
    assert {seat: 2} == again.clocks.late
    assert again.stands_at(whole.position())
