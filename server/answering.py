"""What a node is answering: named in every log line that is written meanwhile.

The fields are made only when a line is: most commands write none.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

About = Callable[[], Mapping[str, Any]]
"""Returns the fields that the log lines about a message have: no token, no decision."""

_about: ContextVar[About | None] = ContextVar("about", default=None)


@contextmanager
def answering(about: About) -> Iterator[None]:
    """Have log lines name what is being answered while the context lasts."""
    token = _about.set(about)
    try:
        yield
    finally:
        _about.reset(token)


def name_what_is_answered(
    _logger: Any, _method: str, line: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Add the fields of what is being answered to a log line; those that it has already win."""
    about = _about.get()
    return line if about is None else {**about(), **line}
