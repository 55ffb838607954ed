"""Committing anew: before a match begins a seat may commit to another nonce, since its own is elsewhere.

Laws of this module:

1. No nonce counts that was chosen after another seat's was shown. Whoever commits anew may have seen what was
   shown so far; so none of it counts any more, and those seats commit to other nonces as well.
2. What has been committed to once is never committed to again, by any seat: it may be known.
3. A seat commits anew MOST times by its own choice, so that nobody holds a match up for ever. What it has to
   do because another seat did is not counted.

As in `domain.match.notices`, the function at the end returns what to record for a request, or raises
`RequestError`. Deliberately absent: why somebody commits anew, which no log can know.
"""

from typing import Final

from domain.kernel.facts import Notice
from domain.kernel.seats import Match
from domain.match.notices import check_seat
from domain.match.promises import check_promise
from domain.match.refusals import RequestError

MOST: Final = 3
"""How often a seat may replace a commitment of its own that still counts."""


class NonceCommittedAnew(Notice, frozen=True):
    """A seat committed to another nonce, and what was shown until then counts no more."""

    seat: int
    hash: str

    def note(self, match: Match) -> None:
        """Store the commitment, and put aside those that count no more."""
        spent = dict(match.spent or {})
        if self.seat in match.promises:
            match.anew = {**(match.anew or {}), self.seat: times(match, self.seat) + 1}
        for seat in (*match.nonces, self.seat):
            if seat in match.promises:
                spent[seat] = (*spent.get(seat, ()), match.promises.pop(seat))
        match.spent, match.nonces = spent, {}
        match.promises[self.seat] = self.hash

    def words(self) -> str:
        """Return the sentence that says whose nonce is fixed once more."""
        return f"The nonce of [seat:{self.seat}] is fixed anew, and none that was shown before counts"


def times(match: Match, seat: int) -> int:
    """Return how often a seat has replaced a commitment that still counted."""
    return (match.anew or {}).get(seat, 0)


def commit_anew(match: Match, seat: int, promise: str) -> list[Notice]:
    """Commit a seat to another nonce, whose SHA-256 in hex is `promise`.

    Raises RequestError: no_seat, not_seated, started, shown, bad_nonce, too_many.
    """
    check_seat(match, seat)
    if seat not in match.taken:
        raise RequestError("not_seated", "nobody has sat down here, and so nothing is committed to")
    if match.started:
        raise RequestError("started", "the match has begun")
    if seat in match.nonces:
        raise RequestError("shown", "the nonce of this seat has been shown, and counts")
    check_promise(match, promise)
    if seat in match.promises and times(match, seat) >= MOST:
        text = f"a match moves to another device {MOST} times at most: begin it where you did last"
        raise RequestError("too_many", text)
    return [NonceCommittedAnew(seat, promise.lower())]
