"""Refusals: why a request is not carried out. All codes are listed here, so that each has one meaning.

`clients/PROTOCOL.md` says what each means and what a client should do.
"""

from typing import Literal

Code = Literal[
    "apart",
    "bad_clock",
    "bad_decision",
    "bad_hours",
    "bad_kind",
    "bad_link",
    "bad_nonce",
    "bad_passkey",
    "bad_recovery",
    "bad_request",
    "bad_set_up",
    "bad_text",
    "bad_token",
    "bug",
    "busy",
    "command_reused",
    "conflict",
    "empty",
    "handle_taken",
    "illegal",
    "no_bot",
    "no_clock",
    "no_hello",
    "no_holiday",
    "no_match",
    "no_offer",
    "no_page",
    "no_passkeys",
    "no_person",
    "no_seat",
    "no_session",
    "no_state",
    "no_step",
    "no_time_out",
    "no_title",
    "no_undo",
    "no_unit",
    "nobody",
    "not_allowed",
    "not_asked",
    "not_paused",
    "not_seated",
    "not_started",
    "offered",
    "origin",
    "over",
    "paused",
    "private",
    "resigned",
    "seat_taken",
    "shown",
    "stale",
    "started",
    "too_early",
    "too_fast",
    "too_late",
    "too_long",
    "too_many",
    "unavailable",
    "version",
]
"""`no_page`, `no_person`, `no_unit` and `origin` occur over HTTP only."""


class RequestError(Exception):
    """A request that is refused. `code` is for programs, `reason` for people."""

    def __init__(self, code: Code, reason: str) -> None:
        super().__init__(reason)
        self.code: Code = code
        self.reason = reason
