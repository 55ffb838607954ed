"""Facts about the match itself, common to all titles, and the requests of a seat that lead to them.

The functions at the end return the notices to record for a request, or raise `RequestError`; they do not
change the state. The server makes every notice by them, and recorded matches are judged by them
(`domain.match.judging`): a change of their conditions must still accept the notices of older matches.
"""

from collections.abc import Collection
from hashlib import sha256
from typing import Any, ClassVar

from msgspec import UNSET

from domain.kernel.facts import Notice, State
from domain.kernel.seats import Clock, Hours, Match, Seat
from domain.match.clock import Clocks
from domain.match.hours import fix_hours
from domain.match.promises import check_promise, is_hex
from domain.match.refusals import RequestError

NONCE_BYTES = 16

KINDS = ("person", "bot")
"""The kinds of player that may take a seat."""

BY_MATCH = "match"
"""The `rule` of a `GameEnded` that is not by the title's rules."""

CALLED_OFF = "called off"
"""The `reason` of a `GameEnded` without a result."""

LONGEST = 10 * 366 * 86_400
"""The greatest time of a clock, in seconds."""


class Created(Notice, frozen=True):
    """The first fact: what will be played, and the commitment to the dice."""

    title: str
    scenario: str
    options: dict[str, bool | int | str]
    revision: str
    commitment: str
    seats: tuple[Seat, ...]
    clock: Clock | None = None

    def note(self, match: Match) -> None:
        """Set title, scenario, options, revision, commitment, seats and clock."""
        match.title, match.scenario, match.options = self.title, self.scenario, dict(self.options)
        match.revision, match.commitment = self.revision, self.commitment
        match.seats, match.clock = self.seats, self.clock

    def words(self) -> str:
        """Return the sentence that says what is played."""
        named = f"[title:{self.title}], [scenario:{self.scenario}]"
        return f"A match of {named}, under revision {self.revision} of the rules"


class SeatTaken(Notice, frozen=True):
    """A seat was taken by a person or a bot."""

    seat: int
    kind: str

    def note(self, match: Match) -> None:
        """Mark the seat as taken."""
        match.taken[self.seat] = self.kind

    def words(self) -> str:
        """Return the sentence that says who sat down where."""
        return f"A {self.kind} sits down: [seat:{self.seat}]"


class NonceCommitted(Notice, frozen=True):
    """A seat committed to a nonce, before any nonce is shown."""

    seat: int
    hash: str

    def note(self, match: Match) -> None:
        """Store the commitment."""
        match.promises[self.seat] = self.hash

    def words(self) -> str:
        """Return the sentence that says whose nonce is fixed."""
        return f"The nonce of [seat:{self.seat}] is fixed"


class NonceShown(Notice, frozen=True):
    """A seat showed the nonce it had committed to."""

    seat: int
    nonce: str

    def note(self, match: Match) -> None:
        """Store the nonce."""
        match.nonces[self.seat] = self.nonce

    def words(self) -> str:
        """Return the sentence that says whose nonce is shown, without the nonce."""
        return f"The nonce of [seat:{self.seat}] is shown"


class Started(Notice, frozen=True):
    """All nonces are shown, which fixes the dice; play begins."""

    def note(self, match: Match) -> None:
        """Mark the match as started."""
        match.started = True

    def words(self) -> str:
        """Return the sentence that says that the match begins."""
        return "The match begins"


class Resigned(Notice, frozen=True):
    """A seat resigned."""

    seat: int

    def note(self, match: Match) -> None:
        """Mark the seat."""
        match.resigned = (*match.resigned, self.seat)

    def words(self) -> str:
        """Return the sentence that says who resigned."""
        return f"[seat:{self.seat}] resigned"


class TimeOutClaimed(Notice, frozen=True):
    """The time of a seat had run out; the title's default decision follows in the same command."""

    seat: int
    by: int | None = None
    """The seat that claimed it; None for the server."""

    def words(self) -> str:
        """Return the sentence that says whose time ran out."""
        return f"The time of [seat:{self.seat}] has run out"


class GameEnded(Notice, frozen=True):
    """The match is decided: `winner` is a side, or None for a draw."""

    winner: int | None
    reason: str
    rule: str

    def fold(self, state: State[Any, Any]) -> None:
        """Set the result; clear offers, the stack and the seats that are asked."""
        match = state.match
        match.over, match.winner, match.reason, match.draw, match.undo = (
            True,
            self.winner,
            self.reason,
            (),
            (),
        )
        match.pause = match.paused = match.correction = UNSET
        state.asked = ()
        state.stack.clear()

    def words(self) -> str:
        """Return the sentence that says who won, why, and by which rule of the title."""
        if (self.reason, self.rule) == (CALLED_OFF, BY_MATCH):
            return "The match is called off, without a result"
        result = "The match is drawn" if self.winner is None else f"[side:{self.winner}] won"
        return f"{result}: {self.reason}{'' if self.rule == BY_MATCH else f' ({self.rule})'}"


class Ended(Notice, frozen=True):
    """The last fact: it reveals the match key, with which everything can be verified."""

    final: ClassVar[bool] = True

    key: str

    def note(self, match: Match) -> None:
        """Store the key."""
        match.key = self.key

    def words(self) -> str:
        """Return the sentence that says that the key is revealed, without the key."""
        return "The match key is revealed: every die can be checked"


def check_playing(match: Match) -> None:
    """Raise RequestError unless the match is started and not over."""
    if not match.started:
        raise RequestError("not_started", "the match has not begun")
    if match.over:
        raise RequestError("over", "the match is over")


def check_going_on(match: Match) -> None:
    """Raise RequestError while the match is paused."""
    if match.paused:
        raise RequestError("paused", "the match is paused: somebody has to go on first")


def check_seat(match: Match, seat: int) -> None:
    """Raise RequestError for a seat that the match does not have."""
    if not 0 <= seat < len(match.seats):
        raise RequestError("no_seat", f"there is no seat {seat}; there are {len(match.seats)}, from 0")


def check_may_answer(offer: tuple[int, ...], seat: int) -> None:
    """Raise RequestError unless something is on offer that the seat has not agreed to."""
    if not offer:
        raise RequestError("no_offer", "nothing is on offer")
    if seat in offer:
        raise RequestError("no_offer", "this seat has agreed already")


def fit_clock(clock: Clock | None) -> None:
    """Raise RequestError for a clock with a time out of range, or without any time."""
    if clock is None:
        return
    if not all(0 <= time <= LONGEST for time in (clock.bank, clock.increment, clock.cap, clock.turn or 0)):
        raise RequestError("bad_clock", "the times of a clock are whole seconds, not below 0")
    if not (clock.bank or clock.increment or clock.turn):
        raise RequestError("bad_clock", "a clock needs some time to begin with")


def take_seat(match: Match, seat: int, kind: str, promise: str, hours: Hours | None = None) -> list[Notice]:
    """Take a seat, commit to a nonce, whose SHA-256 in hex is `promise`, and fix the hours if there are any.

    No two seats may commit to the same nonce: a seat that copies a commitment has no nonce of its own.
    Raises RequestError: no_seat, seat_taken, bad_kind, bad_nonce, bad_hours.
    """
    check_seat(match, seat)
    if seat in match.taken:
        raise RequestError("seat_taken", "this seat is taken")
    if kind not in KINDS:
        raise RequestError("bad_kind", f"a seat is taken by a {' or a '.join(KINDS)}")
    check_promise(match, promise)
    fixed = fix_hours(match, seat, hours) if hours else []
    return [SeatTaken(seat, kind), NonceCommitted(seat, promise.lower()), *fixed]


def show_nonce(match: Match, seat: int, nonce: str) -> list[Notice]:
    """Show a seat's nonce, in hex; the last one starts the match (then `Started` is the last notice).

    Raises RequestError: no_seat, too_early, shown, bad_nonce.
    """
    check_seat(match, seat)
    if len(match.promises) < len(match.seats):
        raise RequestError("too_early", "not every seat has committed to a nonce")
    if seat in match.nonces:
        raise RequestError("shown", "the nonce of this seat has been shown")
    if len(nonce) != 2 * NONCE_BYTES or not is_hex(nonce):
        raise RequestError("bad_nonce", f"a nonce is {NONCE_BYTES} bytes in hex")
    if sha256(bytes.fromhex(nonce)).hexdigest() != match.promises[seat]:
        raise RequestError("bad_nonce", "this is not the nonce that the seat committed to")
    shown = NonceShown(seat, nonce.lower())
    return [shown, Started()] if len(match.nonces) + 1 == len(match.seats) else [shown]


def resign(match: Match, seat: int) -> list[Notice]:
    """Return `Resigned` for a seat, with `GameEnded` if all seats of its side have now resigned.

    The side has then lost. Raises RequestError: not_started, over, no_seat, resigned.
    """
    check_playing(match)
    check_seat(match, seat)
    if seat in match.resigned:
        raise RequestError("resigned", "this seat has resigned")
    side = match.side(seat)
    resigned: list[Notice] = [Resigned(seat)]
    if set(match.seats_of(side)) <= {*match.resigned, seat}:
        resigned.append(GameEnded(1 - side, "resignation", BY_MATCH))
    return resigned


def claim_time(
    match: Match, clocks: Clocks | None, seat: int, by: int | None, at: int, asked: Collection[int] = ()
) -> list[Notice]:
    """Claim that a seat's time has run out by `at`, in microseconds since the epoch.

    `by` is the seat that claims it; None for the server. `asked` are the seats that are asked. The caller
    adds the default decision of `seat` to the same command. Raises RequestError: no_seat, no_time_out; where
    time is out by claim alone not_allowed and resigned, too.
    """
    if match.clock is not None and match.clock.by_claim:
        if by is None:
            raise RequestError("not_allowed", "in this match a time-out is claimed by a seat that waits")
        check_waits(match, by, asked)
    elif by is not None:
        check_seat(match, by)
    check_out(clocks, seat, at)
    return [TimeOutClaimed(seat, by)]


def check_out(clocks: Clocks | None, seat: int, at: int) -> None:
    """Raise RequestError unless a seat's time has run out by `at`, in microseconds since the epoch."""
    deadline = clocks.deadline(seat) if clocks else None
    if deadline is None:
        raise RequestError("no_time_out", "no time is running for this seat")
    if at < deadline:
        raise RequestError("no_time_out", "this seat has time left")


def check_waits(match: Match, by: int, asked: Collection[int]) -> None:
    """Raise RequestError unless a seat waits for others: it plays, and is not asked itself."""
    check_seat(match, by)
    if by in match.resigned:
        raise RequestError("resigned", "this seat has resigned")
    if by in asked:
        raise RequestError("not_allowed", "whoever claims waits himself: this seat has to decide first")
