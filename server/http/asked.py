"""What a path and a query ask for: a title, a time. Deliberately absent: what is answered."""

from collections.abc import Mapping

from domain.match.refusals import RequestError
from domain.titles import TITLES
from server.log.store import YEAR_10000


def title_of(name: str) -> str:
    """Return the name of a title that there is; raises RequestError."""
    if name not in TITLES:
        raise RequestError("no_title", "there is no such title")
    return name


def before_of(query: Mapping[str, str]) -> int | None:
    """Return the time before which something is asked for, in microseconds; raises RequestError."""
    before = query.get("before")
    if before is not None and not _is_time(before):
        raise RequestError(
            "bad_request", "before is a time in microseconds since 1970, such as a match's last"
        )
    return None if before is None else int(before)


def _is_time(text: str) -> bool:
    """Whether a text is microseconds since 1970: few digits, since of thousands `int` makes no number."""
    return (
        text.isascii() and text.isdecimal() and len(text) <= len(str(YEAR_10000)) and int(text) < YEAR_10000
    )
