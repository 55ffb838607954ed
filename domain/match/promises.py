"""Promises: what a seat commits to its nonce by.

Deliberately absent: when one may be made (`domain.match.notices`, `domain.match.anew`).
"""

from domain.kernel.seats import Match
from domain.match.refusals import RequestError


def check_promise(match: Match, promise: str) -> None:
    """Raise RequestError unless a seat may commit to `promise`: to which no seat has, or it may be known."""
    if len(promise) != 64 or not is_hex(promise):  # noqa: PLR2004 a SHA-256 in hex
        raise RequestError("bad_nonce", "the commitment to a nonce is 64 hex digits")
    if promise.lower() in match.promises.values():
        raise RequestError("bad_nonce", "another seat has committed to the same nonce: draw one of your own")
    if any(promise.lower() in spent for spent in (match.spent or {}).values()):
        raise RequestError("bad_nonce", "this nonce was committed to before: draw another")


def is_hex(text: str) -> bool:
    """Return whether a text has hexadecimal digits alone."""
    return all(digit in "0123456789abcdefABCDEF" for digit in text)
