"""What fails where nobody waits for an answer: it is told, and tried again where that may help."""

from uuid import UUID

from structlog.testing import capture_logs

from server.log.store import Unavailable
from server.play.failures import failed, put_off
from server.play.opening import NoMatch


def test_only_what_may_succeed_later_is_tried_again() -> None:
    given = [Unavailable(), OSError(), TimeoutError(), NoMatch(UUID(int=1)), ZeroDivisionError()]
    with capture_logs() as said:
        again = [failed("it failed", why, match="m") for why in given]

    assert [True, True, True, False, False] == again
    assert ["warning"] * 4 + ["error"] == [line["log_level"] for line in said]
    assert [("it failed", "m")] * 5 == [(line["event"], line["match"]) for line in said]


def test_a_bug_ends_no_loop_and_is_told_with_its_trace() -> None:
    bug = ZeroDivisionError()
    with capture_logs() as said, put_off("it failed"):
        raise bug

    assert [bug] == [line["exc_info"] for line in said]
