"""Corrections: by consent of all, the match goes on from before an earlier decision, across dice and reveals.

Laws of this module:

- Any seat that plays proposes it, or the director of the match's tournament, and it is carried out when all
  seats that have not resigned have agreed, whoever proposes being one of them if it is a seat. One of them
  declines, or whoever has agreed does not any more, or the director withdraws his, and it is gone; so it is
  as soon as anybody plays on or takes back, or he could see how his dice fall before he agrees. Only one is
  proposed at a time.
- It goes back to before a decision that stands, the first of its command: that is a frame to every viewer,
  so all know that somebody decided there, and the asked seats tell who. What else is named, hidden or not,
  is refused in one way.
- Where seats of one side alone play there is nobody whose consent would mean anything: dice would be thrown
  anew until they please. So it is refused there, where a seat alone takes back a slip without asking.
- What is carried out is an `Undone`. No roll has the index of one before: `DiceCounted` follows it, for the
  umpire, so that unseen rolls are not counted by others. No undo of a seat goes back past that.
- Clocks go on as they stand: since months may lie behind it, time is neither given nor taken, unlike by an
  undo (`domain.match.clock`); who is asked then has his time running from then on.

As in `domain.match.notices`, the functions at the end return what to record for a request, or raise
`RequestError`. Deliberately absent: reasons. The log has no free text; a director's stands with the rulings
of his tournament, and players have the chat.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Decided, Fact, Notice, State
from domain.kernel.seats import Correction, Match
from domain.match.notices import check_going_on, check_playing, check_seat
from domain.match.refusals import RequestError
from domain.match.undo import Undone

Stood = Callable[[int], int | None]
"""Returns the seat of the decision that stands behind a fact and may be taken anew, or None."""


class CorrectionOffered(Notice, frozen=True):
    """Somebody proposed to go on from fact `back_to`, behind which seat `of` decided."""

    by: int | None
    """The seat that proposes; None for the director of the tournament."""
    back_to: int
    of: int

    def note(self, match: Match) -> None:
        """Put the proposal on the table; a seat that proposes agrees."""
        seat = UNSET if self.by is None else self.by
        agreed = () if self.by is None else (self.by,)
        match.correction = Correction(self.back_to, self.of, agreed, seat)

    def words(self) -> str:
        """Return the sentence that says who proposes to go back, and how far."""
        who = "The director" if self.by is None else f"[seat:{self.by}]"
        before = f"before an earlier decision of [seat:{self.of}]"
        return f"{who} proposed to correct the match: to go on from {before}"


class CorrectionAnswered(Notice, frozen=True):
    """A seat agreed to the correction that is proposed, or declined it; of whoever had agreed, withdrew."""

    seat: int
    agreed: bool

    def note(self, match: Match) -> None:
        """Count the agreement, or take the proposal off the table."""
        proposed = match.correction
        if proposed and self.agreed:
            match.correction = replace(proposed, agreed=(*proposed.agreed, self.seat))
        else:
            match.correction = UNSET

    def words(self) -> str:
        """Return the sentence that says how the seat answered."""
        return f"[seat:{self.seat}] {'agreed to' if self.agreed else 'declined'} the correction"


class CorrectionWithdrawn(Notice, frozen=True):
    """The director proposes no more to go on from fact `back_to`."""

    back_to: int

    def note(self, match: Match) -> None:
        """Take his proposal off the table."""
        match.correction = UNSET

    def words(self) -> str:
        """Return the sentence that says so."""
        return "The director withdrew the correction that he had proposed"


class DiceCounted(Notice, frozen=True):
    """After a correction the dice go on from these counts, so that no index is used twice."""

    rolls: int
    """The rolls and draws made so far, also those that were taken back."""
    unseen: int = 0
    """The unseen rolls."""

    @property
    def bars_undo(self) -> bool:
        """Whether nothing before it is taken back by a seat: all have agreed to what stands there."""
        return True

    def fold(self, state: State[Any, Any]) -> None:
        """Set the counts."""
        state.rolls = self.rolls
        state.unseen = self.unseen or UNSET

    def audience(self) -> Audience:
        """Return the umpire: others are not to count unseen rolls."""
        return Audience.UMPIRE

    def words(self) -> str:
        """Return the sentence that says that no die falls twice."""
        return f"The dice go on with roll {self.rolls}, and unseen ones with {self.unseen}: none falls twice"


def seat_of(fact: Fact) -> int | None:
    """Return the seat whose decision begins a command by this fact; None if none does."""
    if type(fact) is Decided and fact.how != "forced" and not fact.joined:
        return fact.seat
    return None


class Decisions:
    """The decisions of a log that stand and may be taken anew, as it is gone through from its first fact."""

    def __init__(self) -> None:
        self._seqs, self._seats = array("q"), array("h")

    def add(self, seq: int, fact: Fact) -> None:
        """Take the next fact."""
        if type(fact) is Undone:
            while self._seqs and self._seqs[-1] > fact.back_to:
                self._seqs.pop()
                self._seats.pop()
        elif (seat := seat_of(fact)) is not None:
            self._seqs.append(seq)
            self._seats.append(seat)

    def behind(self, back_to: int) -> int | None:
        """Return the seat whose decision stands right behind a fact; None if none does."""
        place = bisect_left(self._seqs, back_to + 1)
        found = place < len(self._seqs) and self._seqs[place] == back_to + 1
        return self._seats[place] if found else None


def offer(match: Match, by: int | None, back_to: int, stood: Stood) -> list[Notice]:
    """Propose to go on from fact `back_to`; `by` is the seat that does, None for the director.

    Raises RequestError: not_started, over, no_seat, resigned, paused, nobody, offered, no_undo.
    """
    check_playing(match)
    if by is not None:
        _check_plays(match, by)
    check_going_on(match)
    if len({match.side(seat) for seat in _players(match)}) <= 1:
        raise RequestError("nobody", "no seat of the other side plays that could agree")
    if match.correction and not _players(match) <= {*match.correction.agreed}:
        raise RequestError("offered", "a correction is proposed already: decline or withdraw it first")
    of = stood(back_to)
    if of is None:
        raise RequestError("no_undo", "no decision that stands was taken there")
    return [CorrectionOffered(by, back_to, of)]


def answer(state: State[Any, Any], seat: int, *, agreed: bool) -> list[Notice]:
    """Answer the correction that is proposed; it is carried out when all seats that play have agreed.

    Whoever has agreed may decline still. Raises RequestError: not_started, over, no_seat, resigned, paused,
    no_offer.
    """
    match = state.match
    check_playing(match)
    _check_plays(match, seat)
    check_going_on(match)
    proposed = match.correction
    if not proposed:
        raise RequestError("no_offer", "nothing is on offer")
    if agreed and seat in proposed.agreed:
        raise RequestError("no_offer", "this seat has agreed already")
    answered = CorrectionAnswered(seat, agreed)
    if not agreed or not _players(match) <= {*proposed.agreed, seat}:
        return [answered]
    counted = DiceCounted(state.rolls, state.unseen or 0)
    return [answered, Undone(proposed.of, proposed.back_to, consent=True), counted]


def withdraw(match: Match) -> list[Notice]:
    """Take back what the director proposes; a seat declines its own (`answer`).

    Raises RequestError: not_started, over, paused, no_offer.
    """
    check_playing(match)
    check_going_on(match)
    if not match.correction or match.correction.by is not UNSET:
        raise RequestError("no_offer", "the director proposes nothing")
    return [CorrectionWithdrawn(match.correction.back_to)]


def _check_plays(match: Match, seat: int) -> None:
    check_seat(match, seat)
    if seat in match.resigned:
        raise RequestError("resigned", "this seat has resigned")


def _players(match: Match) -> set[int]:
    """Return the seats that have not resigned."""
    return set(range(len(match.seats))) - {*match.resigned}
