"""What a node is answering: named in every log line that is written meanwhile.

What is kept is plain values: tasks and timers that are made meanwhile keep it for as long as they last.
"""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final
from uuid import UUID

from msgspec import Struct


class Answered(Struct, frozen=True, gc=False):
    """What the log lines about a message say, as far as there is any: no token, no decision."""

    match: UUID | None = None
    command: UUID | None = None
    seat: int | None = None


NOTHING_TO_TELL: Final = Answered()

_answered: ContextVar[Answered] = ContextVar("answered", default=NOTHING_TO_TELL)


@contextmanager
def answering(what: Answered) -> Iterator[None]:
    """Have log lines name what is being answered while the context lasts."""
    token = _answered.set(what)
    try:
        yield
    finally:
        _answered.reset(token)


def name_what_is_answered(
    _logger: Any, _method: str, line: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Add what is being answered to a log line, whose own fields win; a processor of structlog."""
    what = _answered.get()
    about = {
        "match": str(what.match) if what.match else None,
        "command": str(what.command) if what.command else None,
        "seat": what.seat,
    }
    return {**{name: value for name, value in about.items() if value is not None}, **line}
