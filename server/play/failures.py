"""Maps the exceptions of play and the log to refusals."""

from asyncpg import InterfaceError, InternalClientError, PostgresError

from domain.kernel.table import Illegal, NotOneCommand
from domain.match.refusals import Code, RequestError
from server.log.store import Busy, Oversized, Unavailable
from server.play.acts import Stale
from server.play.matches import Conflict
from server.play.opening import NoMatch
from server.play.reading import UnknownTitle
from server.protocol.refusals import Refusal

REFUSALS: dict[type[Exception], tuple[Code, str]] = {
    Conflict: ("conflict", "others moved first, again and again: look, and decide again"),
    NoMatch: ("no_match", "there is no such match"),
    UnknownTitle: ("no_title", "this server does not have the title of this match"),
    Oversized: ("too_long", "more comes of this than the log takes"),
    Busy: ("busy", "too much at once: send it again"),
    Unavailable: ("unavailable", "the log cannot be reached: send it again"),
    OSError: ("unavailable", "the log cannot be reached: send it again"),
    TimeoutError: ("unavailable", "the log cannot be reached: send it again"),
    PostgresError: ("unavailable", "the log cannot be reached: send it again"),
    InterfaceError: ("unavailable", "the log cannot be reached: send it again"),
    InternalClientError: ("unavailable", "the log cannot be reached: send it again"),
}
"""Expected exceptions that are not a bug, with the code and sentence of their refusal."""


class RefusedAtHome(Exception):
    """Another node, where the match is at home, has refused a command."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def refusal_for(why: Exception) -> Refusal | None:
    """Return the refusal for an exception; None for a bug."""
    if isinstance(why, RequestError):
        return Refusal(why.code, why.reason, seq=why.seq if isinstance(why, Stale) else None)
    if isinstance(why, Illegal):
        return Refusal("illegal", str(why), why.rule)
    if isinstance(why, NotOneCommand):
        return Refusal("apart", str(why))
    if isinstance(why, RefusedAtHome):
        return why.refusal
    return next((Refusal(*answer) for kind, answer in REFUSALS.items() if isinstance(why, kind)), None)
