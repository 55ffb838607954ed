from msgspec import json

from server.http.responses import RESPONSES, SeatDecisions, schema
from server.protocol import wire
from server.protocol.listing import SeatInfo


def test_no_answer_has_the_name_of_a_message() -> None:
    _, parts = json.schema_components(RESPONSES, ref_template="#/$defs/{name}")
    messages = wire.schema()["$defs"]
    shared = {"Audience", "Clock", "MatchInfo", "SeatInfo"}

    assert shared == parts.keys() & messages.keys()
    assert {name: messages[name] for name in shared} == {name: parts[name] for name in shared}
    assert parts.keys() | messages.keys() == schema()["$defs"].keys()


def test_every_field_of_an_answer_is_there_but_what_is_told_after_the_end() -> None:
    parts = schema()["$defs"]

    assert [*SeatInfo.__struct_fields__] == parts["SeatInfo"]["required"]
    assert {"default", "least", "most"} < {*parts["Option"]["required"]}
    assert {"forced"} == {*SeatDecisions.__struct_fields__} - {*parts["SeatDecisions"]["required"]}


def test_a_record_leaves_out_what_has_its_default() -> None:
    parts = schema()["$defs"]

    assert {"checkpoint", "box"} == parts["RecordHeader"]["properties"].keys() - {
        *parts["RecordHeader"]["required"]
    }
    assert {"salt"} == parts["FactLine"]["properties"].keys() - {*parts["FactLine"]["required"]}


def test_the_messages_keep_what_they_may_leave_out() -> None:
    assert wire.schema()["$defs"]["Hello"] == schema()["$defs"]["Hello"]
