"""Refusals: why a request is not carried out, as a code for programs and a sentence for people.

Deliberately absent: which failure is answered how (`server.play.failures`), HTTP statuses
(`server.http.pages`) and close codes (`server.socket.visit`).
"""

from typing import Final

from msgspec import Struct

from domain.match.refusals import Code

LATER: Final[frozenset[Code]] = frozenset({"busy", "unavailable", "conflict"})
"""Codes of refusals after which the same request may succeed a moment later."""


class Refusal(Struct, frozen=True):
    """Why something was not done; `rule` is the one that asks, `seq` the head for whoever came too late."""

    code: Code
    reason: str
    rule: str = ""
    seq: int | None = None
