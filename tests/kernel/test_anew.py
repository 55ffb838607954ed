"""Committing anew: whose nonces count then, who may, and how often."""

from hashlib import sha256

import pytest

from domain.match import anew, notices
from domain.match.anew import MOST, NonceCommittedAnew
from domain.match.notices import Started
from tests.kernel.test_notices import NONCE, PROMISE, created, noted, refusal, seated


def other(number: int) -> str:
    return bytes([number]).hex() * 16


def promise(nonce: str) -> str:
    return sha256(bytes.fromhex(nonce)).hexdigest()


def test_before_anything_is_shown_a_seat_replaces_its_own_promise_alone() -> None:
    match = noted(seated(), anew.commit_anew(seated(), 0, promise(other(1)).upper()))

    assert {0: promise(other(1)), 1: PROMISE[1]} == match.promises
    assert ({0: 1}, {0: (PROMISE[0],)}) == (match.anew, match.spent)


def test_what_was_shown_when_another_seat_commits_anew_counts_no_more() -> None:
    match = seated()
    noted(match, notices.show_nonce(match, 0, NONCE[0]))

    assert [NonceCommittedAnew(1, promise(other(1)))] == anew.commit_anew(match, 1, promise(other(1)))
    noted(match, anew.commit_anew(match, 1, promise(other(1))))

    assert ({1: promise(other(1))}, {}) == (match.promises, match.nonces)
    assert {0: (PROMISE[0],), 1: (PROMISE[1],)} == match.spent
    why = ("too_early", "not every seat has committed to a nonce")
    assert why == refusal(lambda: notices.show_nonce(match, 0, NONCE[0]))
    assert why == refusal(lambda: notices.show_nonce(match, 1, other(1)))


def test_a_match_begins_by_the_nonces_that_were_committed_to_last() -> None:
    match = seated()
    noted(match, notices.show_nonce(match, 0, NONCE[0]))
    noted(match, anew.commit_anew(match, 1, promise(other(1))))
    noted(match, anew.commit_anew(match, 0, promise(other(2))))
    noted(match, notices.show_nonce(match, 1, other(1)))

    last = notices.show_nonce(match, 0, other(2))

    assert Started() == last[-1]
    assert {0: other(2), 1: other(1)} == noted(match, last).nonces
    assert {1: 1} == match.anew
    assert ("started", "the match has begun") == refusal(lambda: anew.commit_anew(match, 0, PROMISE[0]))


@pytest.mark.parametrize("known", [PROMISE[0], PROMISE[1], PROMISE[0].upper()])
def test_what_was_committed_to_before_is_never_committed_to_again(known: str) -> None:
    """Given a nonce that was shown and one that was not, neither of which counts any more."""
    match = seated()
    noted(match, notices.show_nonce(match, 0, NONCE[0]))
    noted(match, anew.commit_anew(match, 1, promise(other(1))))

    for seat in (0, 1):
        why = ("bad_nonce", "this nonce was committed to before: draw another")
        assert why == refusal(lambda seat=seat: anew.commit_anew(match, seat, known))  # type: ignore[misc]
    assert "bad_nonce" == refusal(lambda: anew.commit_anew(match, 0, promise(other(1))))[0]


def test_nobody_sits_down_with_what_was_committed_to_before() -> None:
    match = created()
    noted(match, notices.take_seat(match, 0, "person", PROMISE[0]))
    noted(match, anew.commit_anew(match, 0, promise(other(1))))

    assert "bad_nonce" == refusal(lambda: notices.take_seat(match, 1, "person", PROMISE[0]))[0]


def test_a_seat_whose_nonce_is_shown_and_counts_does_not_commit_anew() -> None:
    """Whoever could take back what he has shown could choose once more when he has seen the others'."""
    match = seated()
    noted(match, notices.show_nonce(match, 0, NONCE[0]))

    assert "shown" == refusal(lambda: anew.commit_anew(match, 0, promise(other(1))))[0]


def test_nobody_holds_a_match_up_for_ever() -> None:
    """Given who commits anew whenever the other seat has shown, which commits anew each time."""
    match, number = seated(), 0
    nonce = NONCE[0]
    for _ in range(MOST):
        noted(match, notices.show_nonce(match, 0, nonce))
        number += 2
        noted(match, anew.commit_anew(match, 1, promise(other(number))))
        nonce = other(number + 1)
        noted(match, anew.commit_anew(match, 0, promise(nonce)))
    noted(match, notices.show_nonce(match, 0, nonce))

    assert "too_many" == refusal(lambda: anew.commit_anew(match, 1, promise(other(99))))[0]
    assert {1: MOST} == match.anew
    assert Started() == notices.show_nonce(match, 1, other(number))[-1]


def test_an_empty_seat_and_one_that_is_not_there_commit_to_nothing() -> None:
    assert "not_seated" == refusal(lambda: anew.commit_anew(created(), 0, PROMISE[0]))[0]
    for seat in (-1, 2):
        assert "no_seat" == refusal(lambda seat=seat: anew.commit_anew(seated(), seat, promise(other(1))))[0]  # type: ignore[misc]
    assert "bad_nonce" == refusal(lambda: anew.commit_anew(seated(), 0, "ab"))[0]


def test_its_words_say_that_nothing_shown_counts() -> None:
    words = "The nonce of [seat:1] is fixed anew, and none that was shown before counts"

    assert words == NonceCommittedAnew(1, PROMISE[1]).words()
