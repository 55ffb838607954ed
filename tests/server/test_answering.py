"""Log lines name what is being answered when they are written."""

from server.answering import answering, name_what_is_answered


def test_a_line_names_what_is_answered_meanwhile_and_nothing_afterwards() -> None:
    with answering(lambda: {"match": "one", "seat": 0}):
        with answering(lambda: {"match": "two"}):
            inner = name_what_is_answered(None, "info", {"event": "refused"})
        outer = name_what_is_answered(None, "info", {"event": "refused", "seat": 1})
    after = name_what_is_answered(None, "info", {"event": "serving"})

    assert {"match": "two", "event": "refused"} == inner
    assert {"match": "one", "seat": 1, "event": "refused"} == outer
    assert {"event": "serving"} == after
