"""Corrections at a live match: what they are is in `domain.match.corrections`, what acts do in `acts`.

What is proposed may lie before all that a node holds of a match. Then the log is asked for it, under the
match's lock, and the act is tried again (`Live.stood`). Should the log move on meanwhile, the append finds it
out. Deliberately absent: how a match is opened anew that goes back further than it was held (`matches`).
"""

from domain.kernel.facts import Fact
from domain.match import corrections
from domain.match.corrections import CorrectionAnswered, CorrectionOffered, CorrectionWithdrawn
from domain.match.refusals import RequestError
from server.play.acts import Action, IsRepetition
from server.play.live import Live


def _check_nobody_is_missing(live: Live) -> None:
    """Raise RequestError while a seat is offered to others.

    Its player ends that by a decision alone, for which he might not be asked behind a correction.
    """
    if live.clocks and live.clocks.vacant:
        raise RequestError("not_allowed", "a seat is offered to others: correct it once somebody plays there")


def _check_no_other(live: Live, back_to: int) -> None:
    """Raise RequestError, no_offer, where what is proposed goes back to another fact."""
    proposed = live.state.match.correction
    if proposed and proposed.back_to != back_to:
        raise RequestError("no_offer", "another correction is proposed by now")


def propose(by: int | None, back_to: int) -> tuple[Action, IsRepetition]:
    """Propose to go on from fact `back_to`; `by` is the seat that does, None for the director.

    Its action raises RequestError, not_allowed, while a seat is offered to others, what `corrections.offer`
    raises, and Beyond.
    """

    def act(live: Live) -> list[Fact]:
        _check_nobody_is_missing(live)
        return live.note(corrections.offer(live.state.match, by, back_to, live.stood))

    return (
        act,
        lambda _, facts: (
            isinstance(head := facts[0], CorrectionOffered) and (head.by, head.back_to) == (by, back_to)
        ),
    )


def answer(seat: int, back_to: int, *, agreed: bool) -> tuple[Action, IsRepetition]:
    """Agree to the correction that is proposed, or decline it; it goes back to fact `back_to`.

    Its action raises RequestError, no_offer, where another is proposed by now, and what `propose` and
    `corrections.answer` raise.
    """

    def act(live: Live) -> list[Fact]:
        _check_no_other(live, back_to)
        if agreed:
            _check_nobody_is_missing(live)
        return live.note(corrections.answer(live.state, seat, agreed=agreed))

    return act, lambda _, facts: facts[0] == CorrectionAnswered(seat, agreed)


def withdraw(back_to: int) -> tuple[Action, IsRepetition]:
    """Take back, as the director, that the match go on from fact `back_to`.

    Its action raises RequestError, no_offer, where another is proposed by now, and what
    `corrections.withdraw` raises.
    """

    def act(live: Live) -> list[Fact]:
        _check_no_other(live, back_to)
        return live.note(corrections.withdraw(live.state.match))

    return act, lambda _, facts: facts[0] == CorrectionWithdrawn(back_to)
