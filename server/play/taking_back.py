"""Taking back, as far as a live match has to be asked: the rules of `domain.match.undoing`, and the clock.

Where the clock rewinds, the time that has passed is of who takes back (`domain.match.clock`). Whoever still
has time would be out of it at once, so it is refused him. Records are not judged by this: a node finds it out
a moment before the command is stored. Deliberately absent: answers, which take no time of whoever has asked.
"""

from collections.abc import Callable

from domain.kernel.facts import Fact, Notice
from domain.match import undoing
from domain.match.refusals import RequestError
from domain.match.undo import Undone
from domain.match.undoing import UndoOffered
from server.play.live import Live


def slip(live: Live, seat: int, at: Callable[[], int]) -> list[Fact]:
    """Take back the seat's last decisions. Raises RequestError as `undoing.undo_slip` does."""
    made = undoing.undo_slip(live.state.match, seat, live.facts)
    return live.note(_in_time(live, made, at))


def ask(live: Live, seat: int, at: Callable[[], int]) -> list[Fact]:
    """Ask the others to take these back. Raises RequestError as `undoing.offer_undo` does."""
    made = undoing.offer_undo(live.state.match, seat, live.facts)
    return live.note(_in_time(live, made, at))


def _in_time(live: Live, made: list[Notice], at: Callable[[], int]) -> list[Notice]:
    """Return the one notice of a request. Raises RequestError if its seat would be out of time by it."""
    (back,) = made
    assert isinstance(back, Undone | UndoOffered)
    if live.clocks and not live.clocks.outlasts(back.seat, back.back_to, max(at(), live.at)):
        raise RequestError("no_undo", "more time has passed since than you had left then")
    return made
