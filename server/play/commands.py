"""Which act each command of a seat is, once all seats are taken.

Deliberately absent: taking a seat and showing a nonce (`server.socket.seating`), and who may ask.
"""

from collections.abc import Callable
from typing import Final, assert_never, get_args

from msgspec import UNSET, Raw

from domain.match.refusals import RequestError
from server.play import acts, correcting
from server.play.acts import Action, IsRepetition
from server.protocol import wire

Command = (
    wire.Anew
    | wire.Decide
    | wire.Undo
    | wire.Offer
    | wire.Answer
    | wire.Correct
    | wire.Resume
    | wire.Resign
    | wire.Claim
    | wire.CallOff
    | wire.Holiday
)
"""The messages by which a seat that is taken moves its match."""

COMMANDS: Final = get_args(Command)


def act_of(message: Command, seat: int, now: Callable[[], int]) -> tuple[Action, IsRepetition]:
    """Return what a seat's command does, and how it is recognised when it is sent again.

    `now` returns the time in microseconds since the epoch. Raises RequestError: bad_decision.
    """
    match message:
        case wire.Anew():
            act = acts.commit_anew(seat, message.promise, message.instead)
        case wire.Decide():
            act = acts.decide(seat, message.answers, _decisions(message))
        case wire.Undo():
            act = acts.undo(seat, now)
        case wire.Offer() | wire.Answer() | wire.Correct():
            act = _offered(message, seat, now)
        case wire.Resume():
            act = acts.resume(seat)
        case wire.Resign():
            act = acts.resign(seat)
        case wire.Claim():
            act = _claimed(message, seat, now)
        case wire.Holiday():
            act = acts.holiday(seat, message.days, now)
        case wire.CallOff():
            act = acts.call_off(seat)
        case _:
            assert_never(message)
    return act


def _offered(
    message: wire.Offer | wire.Answer | wire.Correct, seat: int, now: Callable[[], int]
) -> tuple[Action, IsRepetition]:
    if isinstance(message, wire.Correct):
        return correcting.propose(seat, message.back_to)
    if isinstance(message, wire.Offer):
        return acts.offer(seat, message.what, now)
    if message.what == "correction":
        return correcting.answer(seat, message.back_to, agreed=message.agreed)
    return acts.answer_offer(seat, message.what, agreed=message.agreed)


def _claimed(claim: wire.Claim, by: int, now: Callable[[], int]) -> tuple[Action, IsRepetition]:
    if claim.choice == "win":
        return acts.claim_win(claim.seat, by, now)
    if claim.choice == "replace":
        return acts.offer_seat(claim.seat, by, now)
    if claim.choice == "off":
        return acts.claim_off(claim.seat, by, now)
    return acts.time_out(claim.seat, by, now)


def _decisions(message: wire.Decide) -> tuple[Raw, ...]:
    single = () if message.decision is UNSET else (message.decision,)
    if single and message.decisions:
        raise RequestError("bad_decision", "either a decision is sent, or a list of them")
    return single or message.decisions
