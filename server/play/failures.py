"""Which refusal answers which exception of play and the log; what is logged where nobody waits for one."""

import contextlib
from collections.abc import Iterator

import structlog
from asyncpg import InterfaceError, InternalClientError, PostgresError

from domain.kernel.table import Illegal, NotOneCommand
from domain.match.refusals import Code, RequestError
from server.log.store import Busy, Oversized, Unavailable
from server.play.acts import Stale
from server.play.memory import Conflict
from server.play.opening import NoMatch
from server.play.reading import UnknownTitle
from server.protocol.refusals import LATER, Refusal

logger = structlog.get_logger()

REFUSALS: dict[type[Exception], tuple[Code, str]] = {
    Conflict: ("conflict", "others moved first, again and again: look, and decide again"),
    NoMatch: ("no_match", "there is no such match"),
    UnknownTitle: ("no_title", "this server does not have the title of this match"),
    Oversized: ("too_long", "more comes of this than the log takes"),
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
    if isinstance(why, Busy):
        return Refusal("busy", str(why))
    if isinstance(why, RefusedAtHome):
        return why.refusal
    return next((Refusal(*answer) for kind, answer in REFUSALS.items() if isinstance(why, kind)), None)


def failed(what: str, why: Exception, **about: str) -> bool:
    """Log why something failed that nobody waits for; whether it may succeed when it is tried again.

    A bug is logged with its trace, and is not mended by trying again.
    """
    refusal = refusal_for(why)
    if refusal is None:
        logger.error(what, exc_info=why, **about)
        return False
    logger.warning(what, why=type(why).__name__, **about)
    return refusal.code in LATER


@contextlib.contextmanager
def put_off(what: str) -> Iterator[None]:
    """Log what failed, so that a loop goes on which does the same again in a while."""
    try:
        yield
    except Exception as why:
        failed(what, why)
