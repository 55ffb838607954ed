"""Log lines name what is being answered when they are written."""

from uuid import UUID

from server.answering import Answered, answering, name_what_is_answered

ONE, TWO = UUID(int=1), UUID(int=2)


def test_a_line_names_what_is_answered_meanwhile_and_nothing_afterwards() -> None:
    with answering(Answered(ONE, seat=0)):
        with answering(Answered(TWO, ONE)):
            inner = name_what_is_answered(None, "info", {"event": "refused"})
        outer = name_what_is_answered(None, "info", {"event": "refused", "seat": 1})
    after = name_what_is_answered(None, "info", {"event": "serving"})

    assert {"match": str(TWO), "command": str(ONE), "event": "refused"} == inner
    assert {"match": str(ONE), "seat": 1, "event": "refused"} == outer
    assert {"event": "serving"} == after
