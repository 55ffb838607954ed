"""What a seat may do about the match itself, and every answer it may get."""

from collections.abc import Callable, Sequence
from hashlib import sha256

import pytest
from msgspec import Raw, ValidationError, json

from domain.kernel.facts import Decided, Notice
from domain.kernel.seats import Clock, Match, Seat
from domain.match import draws, notices, undoing
from domain.match.clock import Clocks
from domain.match.draws import DrawAnswered, DrawOffered
from domain.match.notices import (
    Created,
    Ended,
    GameEnded,
    NonceCommitted,
    NonceShown,
    Resigned,
    SeatTaken,
    Started,
    TimeOutClaimed,
)
from domain.match.refusals import RequestError
from domain.match.rest import SECOND
from domain.match.undo import Undone
from domain.match.undoing import UndoAnswered, UndoOffered
from tests.kernel.playing import Playing
from tests.kernel.probe import chairs
from tests.tiny import GAME

NONCE = ["0a" * 16, "B0" * 16]
PROMISE = [sha256(bytes.fromhex(nonce)).hexdigest() for nonce in NONCE]


def created(seats: int = 2) -> Match:
    return noted(Match(), [Created("tiny", "skirmish", {"night": True}, "1", "ab" * 32, chairs(seats))])


def noted(match: Match, facts: Sequence[Notice]) -> Match:
    for fact in facts:
        fact.note(match)
    return match


def seated() -> Match:
    match = created()
    for seat in (0, 1):
        noted(match, notices.take_seat(match, seat, "person", PROMISE[seat]))
    return match


def begun(seats: int = 2) -> Match:
    return noted(created(seats), [Started()])


def refusal(attempt: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(RequestError) as caught:
        attempt()
    assert str(caught.value) == caught.value.reason
    return caught.value.code, caught.value.reason


def test_created_lays_the_match_open() -> None:
    seats = (Seat("North", 0), Seat("South", 1))
    clock = Clock(600, 10, 900)
    match = noted(Match(), [Created("tiny", "skirmish", {"night": True}, "1", "ab" * 32, seats, clock)])

    assert ("tiny", "skirmish", {"night": True}, "1") == (
        match.title,
        match.scenario,
        match.options,
        match.revision,
    )
    assert ("ab" * 32, seats, clock) == (match.commitment, match.seats, match.clock)


def test_a_match_knows_its_sides() -> None:
    match = created(4)

    assert [0, 1, 0, 1] == [match.side(seat) for seat in range(4)]
    assert ((0, 2), (1, 3)) == (match.seats_of(0), match.seats_of(1))


def test_what_is_agreed_beforehand_stays_so() -> None:
    match, clock = created(), json.decode(b'{"bank":60}', type=Clock)

    assert (60, 0, 0) == (clock.bank, clock.increment, clock.cap)
    with pytest.raises(ValidationError):
        json.decode(b'{"bank":60,"pause":5}', type=Clock)
    with pytest.raises(AttributeError):
        clock.bank = 61  # type: ignore[misc]
    with pytest.raises(AttributeError):
        match.seats[1].side = 0  # type: ignore[misc]
    assert [0, 1] == [match.side(0), match.side(1)]


def test_a_draw_is_offered_only_where_the_other_side_has_a_seat() -> None:
    alone = noted(Match(), [Created("tiny", "skirmish", {}, "1", "", (Seat("North", 0),)), Started()])
    together = (Seat("North", 0), Seat("North East", 0))
    both = noted(Match(), [Created("tiny", "skirmish", {}, "1", "", together), Started()])

    why = ("nobody", "no seat on the other side could agree to a draw")
    assert why == refusal(lambda: draws.offer_draw(alone, 0))
    assert why == refusal(lambda: draws.offer_draw(both, 1))
    assert [DrawOffered(0)] == draws.offer_draw(begun(), 0)


def test_a_seat_that_is_alone_has_nobody_to_ask_for_an_undo_and_loses_to_the_empty_side() -> None:
    alone = noted(Match(), [Created("tiny", "skirmish", {}, "1", "", (Seat("North", 0),)), Started()])

    assert ("nobody", "no other seat could agree; a slip is taken back without asking") == refusal(
        lambda: undoing.offer_undo(alone, 0, [])
    )
    assert [Resigned(0), GameEnded(1, "resignation", "match")] == notices.resign(alone, 0)


def test_taking_a_seat_commits_to_a_nonce() -> None:
    facts = notices.take_seat(created(), 1, "person", PROMISE[1].upper())

    assert [SeatTaken(1, "person"), NonceCommitted(1, PROMISE[1])] == facts


def test_a_seat_is_taken_once() -> None:
    assert ("seat_taken", "this seat is taken") == refusal(
        lambda: notices.take_seat(seated(), 1, "bot", PROMISE[1])
    )


@pytest.mark.parametrize("promise", ["", "ab" * 31, "ab" * 33, "g" * 64, "X" * 64, "é" * 64])
def test_a_commitment_is_64_hex_digits(promise: str) -> None:
    assert ("bad_nonce", "the commitment to a nonce is 64 hex digits") == refusal(
        lambda: notices.take_seat(created(), 0, "person", promise)
    )


@pytest.mark.parametrize("spelled", [PROMISE[0], PROMISE[0].upper()])
def test_two_seats_do_not_commit_to_one_nonce(spelled: str) -> None:
    match = created()
    noted(match, notices.take_seat(match, 0, "person", PROMISE[0]))

    assert ("bad_nonce", "another seat has committed to the same nonce: draw one of your own") == refusal(
        lambda: notices.take_seat(match, 1, "person", spelled)
    )


@pytest.mark.parametrize("kind", ["", "ghost", "Person"])
def test_a_seat_is_taken_by_a_person_or_a_bot(kind: str) -> None:
    why = "a seat is taken by a person or a bot"

    assert ("bad_kind", why) == refusal(lambda: notices.take_seat(created(), 0, kind, PROMISE[0]))
    for known in ("person", "bot"):
        assert SeatTaken(0, known) == notices.take_seat(created(), 0, known, PROMISE[0])[0]


@pytest.mark.parametrize("seat", [-1, 2])
@pytest.mark.parametrize(
    "attempt",
    [
        lambda match, seat: notices.take_seat(match, seat, "person", PROMISE[0]),
        lambda match, seat: notices.show_nonce(match, seat, NONCE[0]),
        notices.resign,
        draws.offer_draw,
        lambda match, seat: draws.answer_draw(match, seat, agreed=True),
        lambda match, seat: undoing.undo_slip(match, seat, []),
        lambda match, seat: undoing.offer_undo(match, seat, []),
        lambda match, seat: undoing.answer_undo(match, seat, [], agreed=True),
        lambda match, seat: notices.claim_time(match, None, 0, seat, 0),
    ],
)
def test_no_request_is_of_a_seat_that_is_not_there(
    attempt: Callable[[Match, int], object], seat: int
) -> None:
    why = f"there is no seat {seat}; there are 2, from 0"

    assert ("no_seat", why) == refusal(lambda: attempt(begun(), seat))


def timed() -> Clocks:
    """Seat 0 is asked since the 5th second and has 10 left."""
    clocks = Clocks(Clock(10), 2)
    clocks.turn(5 * SECOND, (0,), ())
    return clocks


@pytest.mark.parametrize("by", [None, 0, 1])
def test_time_is_claimed_when_it_has_run_out_and_not_before(by: int | None) -> None:
    out = 15 * SECOND

    assert [TimeOutClaimed(0, by)] == notices.claim_time(begun(), timed(), 0, by, out)
    assert ("no_time_out", "this seat has time left") == refusal(
        lambda: notices.claim_time(begun(), timed(), 0, by, out - 1)
    )


def test_no_time_is_claimed_of_a_seat_that_is_not_asked_or_where_there_is_no_clock() -> None:
    why = ("no_time_out", "no time is running for this seat")

    assert why == refusal(lambda: notices.claim_time(begun(), timed(), 1, 0, 99 * SECOND))
    assert why == refusal(lambda: notices.claim_time(begun(), None, 0, 1, 99 * SECOND))


def test_no_clock_goes_beyond_ten_years() -> None:
    assert 10 * 366 * 24 * 60 * 60 == notices.LONGEST


@pytest.mark.parametrize("clock", [None, Clock(1), Clock(0, 1), Clock(notices.LONGEST, 0, notices.LONGEST)])
def test_a_clock_that_can_run(clock: Clock | None) -> None:
    notices.fit_clock(clock)


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        (Clock(0), "a clock needs some time to begin with"),
        (Clock(0, 0, 9), "a clock needs some time to begin with"),
        (Clock(-1, 5), "the times of a clock are whole seconds, not below 0"),
        (Clock(5, -1), "the times of a clock are whole seconds, not below 0"),
        (Clock(5, 0, -1), "the times of a clock are whole seconds, not below 0"),
        (Clock(notices.LONGEST + 1), "the times of a clock are whole seconds, not below 0"),
        (Clock(1, notices.LONGEST + 1), "the times of a clock are whole seconds, not below 0"),
        (Clock(1, 0, notices.LONGEST + 1), "the times of a clock are whole seconds, not below 0"),
    ],
)
def test_a_clock_that_cannot_run(clock: Clock, why: str) -> None:
    assert ("bad_clock", why) == refusal(lambda: notices.fit_clock(clock))


def test_the_last_nonce_starts_the_match() -> None:
    match = seated()

    first = notices.show_nonce(match, 1, NONCE[1])
    assert [NonceShown(1, NONCE[1].lower())] == first
    noted(match, first)
    last = notices.show_nonce(match, 0, NONCE[0])
    assert [NonceShown(0, NONCE[0]), Started()] == last
    noted(match, last)

    assert match.started
    assert {0: NONCE[0], 1: NONCE[1].lower()} == match.nonces


def test_no_nonce_is_shown_before_all_have_committed() -> None:
    match = created()
    noted(match, notices.take_seat(match, 0, "person", PROMISE[0]))

    assert ("too_early", "not every seat has committed to a nonce") == refusal(
        lambda: notices.show_nonce(match, 0, NONCE[0])
    )


def test_a_nonce_is_shown_once() -> None:
    match = seated()
    noted(match, notices.show_nonce(match, 0, NONCE[0]))

    assert ("shown", "the nonce of this seat has been shown") == refusal(
        lambda: notices.show_nonce(match, 0, NONCE[0])
    )


@pytest.mark.parametrize("nonce", ["", "0a" * 15, "0a" * 17, "0g" * 16])
def test_a_nonce_is_16_bytes_in_hex(nonce: str) -> None:
    assert ("bad_nonce", "a nonce is 16 bytes in hex") == refusal(
        lambda: notices.show_nonce(seated(), 0, nonce)
    )


def test_another_nonce_than_the_one_committed_to() -> None:
    assert ("bad_nonce", "this is not the nonce that the seat committed to") == refusal(
        lambda: notices.show_nonce(seated(), 0, NONCE[1])
    )


@pytest.mark.parametrize(
    "attempt",
    [
        lambda match: notices.resign(match, 0),
        lambda match: draws.offer_draw(match, 0),
        lambda match: draws.answer_draw(match, 0, agreed=True),
        lambda match: undoing.undo_slip(match, 0, []),
        lambda match: undoing.offer_undo(match, 0, []),
        lambda match: undoing.answer_undo(match, 0, [], agreed=True),
    ],
)
def test_nothing_before_the_start_and_nothing_after_the_end(attempt: Callable[[Match], object]) -> None:
    over = begun()
    over.over = True

    assert ("not_started", "the match has not begun") == refusal(lambda: attempt(created()))
    assert ("over", "the match is over") == refusal(lambda: attempt(over))


def test_who_resigns_has_lost() -> None:
    assert [Resigned(0), GameEnded(1, "resignation", "match")] == notices.resign(begun(), 0)
    assert [Resigned(1), GameEnded(0, "resignation", "match")] == notices.resign(begun(), 1)


def test_a_team_has_lost_when_all_its_seats_have_resigned() -> None:
    match = begun(4)

    first = notices.resign(match, 2)
    assert [Resigned(2)] == first
    noted(match, first)
    noted(match, notices.resign(match, 1))
    assert ("resigned", "this seat has resigned") == refusal(lambda: notices.resign(match, 2))

    assert [Resigned(0), GameEnded(1, "resignation", "match")] == notices.resign(match, 0)


def test_a_draw_is_offered_and_agreed() -> None:
    match = noted(begun(), draws.offer_draw(begun(), 1))
    assert (1,) == match.draw

    assert [DrawAnswered(0, agreed=True), GameEnded(None, "agreement", "match")] == draws.answer_draw(
        match, 0, agreed=True
    )


def test_a_draw_is_declined_and_may_be_offered_again() -> None:
    match = noted(begun(), [DrawOffered(1)])
    assert ("offered", "a draw is on offer already") == refusal(lambda: draws.offer_draw(match, 0))

    noted(match, draws.answer_draw(match, 0, agreed=False))

    assert () == match.draw
    assert [DrawOffered(1)] == draws.offer_draw(match, 1)


def test_a_draw_needs_every_seat() -> None:
    match = noted(begun(4), [DrawOffered(0)])
    for seat in (1, 3):
        answered = draws.answer_draw(match, seat, agreed=True)
        assert [DrawAnswered(seat, agreed=True)] == answered
        noted(match, answered)

    assert GameEnded(None, "agreement", "match") in draws.answer_draw(match, 2, agreed=True)


def test_there_is_no_draw_to_answer() -> None:
    assert ("no_offer", "nothing is on offer") == refusal(lambda: draws.answer_draw(begun(), 0, agreed=True))


def test_who_offered_or_agreed_does_not_answer_again() -> None:
    match = noted(begun(4), [DrawOffered(0), DrawAnswered(1, agreed=True)])

    for seat in (0, 1):
        assert ("no_offer", "this seat has agreed already") == refusal(
            lambda seat=seat: draws.answer_draw(match, seat, agreed=False)  # type: ignore[misc]
        )


def test_an_undo_that_some_have_agreed_to_is_still_on_offer() -> None:
    match = noted(begun(4), [UndoOffered(0, 20), UndoAnswered(1, agreed=True)])
    facts = [(21, Decided(0, Raw(b'{"type":"Pass"}'))), (22, Decided(1, Raw(b'{"type":"Pass"}')))]

    assert ("offered", "an undo is on offer already") == refusal(lambda: undoing.offer_undo(match, 1, facts))
    assert [UndoOffered(1, 22)] == undoing.offer_undo(
        match, 1, [(21, facts[1][1]), (22, facts[0][1]), (23, facts[1][1])]
    )


def test_the_end_asks_nobody_and_clears_the_offers() -> None:
    playing = Playing(GAME, "skirmish")
    playing.notice(draws.offer_draw(playing.state.match, 0))

    playing.notice(draws.answer_draw(playing.state.match, 1, agreed=True))

    match = playing.state.match
    assert (True, None, "agreement", (), ()) == (
        match.over,
        match.winner,
        match.reason,
        match.draw,
        match.undo,
    )
    assert ((), []) == (playing.state.asked, playing.state.stack)


def test_the_last_fact_reveals_the_key() -> None:
    assert "cd" * 32 == noted(begun(), [Ended("cd" * 32)]).key
    assert Ended.final
    assert not any(fact.final for fact in (GameEnded, Resigned, Started))


def test_a_claim_of_time_changes_nothing() -> None:
    assert begun() == noted(begun(), [TimeOutClaimed(1, 0)])


WORDS: list[tuple[Notice, str]] = [
    (
        Created("tiny", "skirmish", {}, "1", "", ()),
        "A match of [title:tiny], [scenario:skirmish], under revision 1 of the rules",
    ),
    (SeatTaken(0, "bot"), "A bot sits down: [seat:0]"),
    (NonceCommitted(0, PROMISE[0]), "The nonce of [seat:0] is fixed"),
    (NonceShown(0, NONCE[0]), "The nonce of [seat:0] is shown"),
    (Started(), "The match begins"),
    (Resigned(1), "[seat:1] resigned"),
    (DrawOffered(1), "[seat:1] offered a draw"),
    (DrawAnswered(0, agreed=True), "[seat:0] agreed to the draw"),
    (DrawAnswered(0, agreed=False), "[seat:0] declined the draw"),
    (UndoOffered(1, 8), "[seat:1] asked to take back the last decisions"),
    (UndoAnswered(0, agreed=True), "[seat:0] agreed to the undo"),
    (UndoAnswered(0, agreed=False), "[seat:0] declined the undo"),
    (Undone(1, 8), "[seat:1] took back the last decisions"),
    (TimeOutClaimed(1), "The time of [seat:1] has run out"),
    (GameEnded(1, "resignation", "match"), "[side:1] won: resignation"),
    (GameEnded(0, "turn limit", "M13.4"), "[side:0] won: turn limit (M13.4)"),
    (GameEnded(None, "agreement", "match"), "The match is drawn: agreement"),
    (Ended("cd"), "The match key is revealed: every die can be checked"),
]


@pytest.mark.parametrize(("fact", "words"), WORDS)
def test_every_notice_has_words(fact: Notice, words: str) -> None:
    assert words == fact.words()


@pytest.mark.parametrize(("fact", "words"), WORDS)
def test_no_notice_can_be_made_to_say_something_else(fact: Notice, words: str) -> None:
    assert type(fact).__struct_config__.frozen
    assert words == fact.words()
