"""Corrections at a live match: what they are is in `domain.match.corrections`, what acts do in `acts`.

What is proposed may lie before all that a node holds of a match. Then the log is asked for it, under the
match's lock, and the act is tried again (`Live.stood`). Should the log move on meanwhile, the append finds it
out. Deliberately absent: how a match is opened anew that goes back further than it was held (`matches`).
"""

from domain.kernel.facts import Fact
from domain.match import corrections
from domain.match.corrections import CorrectionAnswered, CorrectionOffered
from server.play.acts import Action, IsRepetition
from server.play.live import Live


def propose(by: int | None, back_to: int) -> tuple[Action, IsRepetition]:
    """Propose to go on from fact `back_to`; `by` is the seat that does, None for the director.

    Its action raises what `corrections.offer` raises, and Beyond.
    """

    def act(live: Live) -> list[Fact]:
        return live.note(corrections.offer(live.state.match, by, back_to, live.stood))

    return (
        act,
        lambda _, facts: (
            isinstance(head := facts[0], CorrectionOffered) and (head.by, head.back_to) == (by, back_to)
        ),
    )


def answer(seat: int, *, agreed: bool) -> tuple[Action, IsRepetition]:
    """Agree to the correction that is proposed, or decline it.

    Its action raises what `corrections.answer` raises.
    """
    return (
        lambda live: live.note(corrections.answer(live.state, seat, agreed=agreed)),
        lambda _, facts: facts[0] == CorrectionAnswered(seat, agreed),
    )
