"""What is read over HTTP: health, lists, a match as its reader may see it, the page, and what is refused."""

import asyncio
import itertools
import json
import socket
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from msgspec import structs
from prometheus_client.parser import text_string_to_metric_families
from websockets.datastructures import Headers
from websockets.http11 import Request

from domain import titles
from domain.kernel.audience import VIEWERS, Audience, Viewer
from projections import verify, views
from projections.record import read
from server.addresses import Address
from server.http import compressing as server_compressing
from server.http.compressing import SMALL, Compressing
from server.http.pages import Connection, Page, PageRequest, Pages, cost_of
from server.http.reads import Reads
from server.limits import FILE, QUERY
from server.postgres.embedded import Embedded
from server.proof.notes import Verifier, new_signer, read_note
from server.protocol import wire
from server.serving import Serving
from tests.conftest import running
from tests.server.reading import HEADERS, exchange, get, pages
from tests.server.talk import Said, Talk, enter, offer, prompt, seated, talking, token
from tests.tiny import GAME

TITLES = {GAME.name: GAME}


async def decide(talk: Talk, created: Said, seat: int) -> Said:
    upto, options = await prompt(talk, seat)
    return await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])


async def until(answer: Callable[[], Any], holds: Callable[[Any], bool]) -> Any:
    """Ask again until the answer is as it should be; projections are a moment behind."""
    async with asyncio.timeout(5):
        while not holds(found := await answer()):
            await asyncio.sleep(0.02)
    return found


def api(created: Said, what: str = "") -> str:
    return f"/api/matches/{created['match']}{what}"


# The operator's


async def test_the_process_is_alive(server: Serving) -> None:
    got = await get(server.url, "/healthz")

    assert (200, b"alive\n") == (got.status, got.body)


async def test_a_server_is_ready_while_its_database_answers(folder: Path, own_postgres: Embedded) -> None:
    async with running(own_postgres.dsn, folder / "server") as server:
        before = await get(server.url, "/readyz")
        await own_postgres.stop()
        without = await get(server.url, "/readyz")
        alive = await get(server.url, "/healthz")
        await own_postgres.start()
        after = await until(lambda: get(server.url, "/readyz"), lambda got: got.status == 200)

        told = before.json
        assert 1 > abs(told.pop("clock_offset"))
        assert (200, {"ready": True, "bus": True, "signed": True, "signer": False}) == (before.status, told)
        assert (503, False) == (without.status, without.json["ready"])
        assert 200 == alive.status
        assert after.json["ready"]


async def test_numbers_are_told_to_prometheus(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        await decide(north, created, 0)
        await north.ask("undo", match=created["match"])
        await north.ask("claim", match=created["match"], seat=1)
        got = await get(server.url, "/metrics")

    families = {family.name: family for family in text_string_to_metric_families(got.body.decode())}
    values = {name: family.samples[0].value for name, family in families.items() if family.samples}
    assert got.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 6 == values["fleetfold_commands_stored"]
    assert 1 == sum(one.value for one in families["fleetfold_refusals"].samples)
    assert 2 == values["fleetfold_connections"]
    assert 1 == values["fleetfold_bus_up"]
    assert "counter" == families["fleetfold_deliveries"].type
    assert all(family.documentation for name, family in families.items() if name.startswith("fleetfold"))
    assert values["process_resident_memory_bytes"] > 0


# What there is to play


async def test_titles_are_told_with_scenarios_options_and_bots(server: Serving) -> None:
    titles = {title["name"]: title for title in (await get(server.url, "/api/titles")).json}

    assert {"coral_sea", "midway", "nimitz", "pacific_war", "tiny"} == set(titles)
    assert ["skirmish", "campaign"] == [one["id"] for one in titles["tiny"]["scenarios"]]
    assert ["night", "turns", "pairs"] == [one["id"] for one in titles["tiny"]["options"]]
    assert ["North", "South"] == titles["tiny"]["sides"]
    assert "random" in titles["tiny"]["bots"]
    assert "duel" in {one["id"] for one in titles["midway"]["scenarios"]}
    begins = {
        "midway": "duel",
        "coral_sea": "campaign",
        "nimitz": "1942",
        "pacific_war": "E1",
        "tiny": "skirmish",
    }
    assert begins == {name: title["default_scenario"] for name, title in titles.items()}


async def test_titles_in_short_are_called_the_same_and_have_no_options(server: Serving) -> None:
    whole = (await get(server.url, "/api/titles")).json
    short = (await get(server.url, "/api/titles?short=1")).json

    assert [
        title | {"options": [], "scenarios": [one | {"text": "", "length": ""} for one in title["scenarios"]]}
        for title in whole
    ] == short
    assert any(title["options"] for title in whole)
    assert any(one["text"] and one["length"] for title in whole for one in title["scenarios"])


async def test_what_the_ids_of_a_title_are_called_is_told(server: Serving) -> None:
    names, none = await get(server.url, "/api/names/tiny"), await get(server.url, "/api/names/none")

    assert "West Islet" == names.json["islet:1"]
    assert (404, "no_title") == (none.status, none.json["code"])


async def test_the_schema_of_the_protocol_is_that_of_its_messages(server: Serving) -> None:
    got = await get(server.url, "/api/protocol.json")

    assert json.loads(json.dumps(wire.schema())) == got.json
    assert "https://json-schema.org/draft/2020-12/schema" == got.json["$schema"]
    assert set(references(got.json)) <= {f"#/$defs/{name}" for name in got.json["$defs"]}
    assert {"Hello", "Frame", "Incoming", "Outgoing"} <= set(got.json["$defs"])
    assert all(isinstance(part, dict) and part for part in got.json["$defs"].values())
    assert set(types(got.json)) <= {"object", "array", "string", "integer", "number", "boolean", "null"}


@pytest.mark.parametrize("title", titles.TITLES)
async def test_the_schema_of_a_title_says_what_is_shown_and_what_may_be_decided(
    server: Serving, title: str
) -> None:
    got = await get(server.url, f"/api/schema/{title}")

    parts = got.json["$defs"]
    assert set(references(got.json)) <= {f"#/$defs/{name}" for name in parts}
    assert ["match", "asked", "table"] == parts["View"]["required"]
    assert {"clocks", "match", "asked", "early", "waited_since", "table"} == set(parts["View"]["properties"])
    named = {one["$ref"].rpartition("/")[2] for one in parts["Decision"]["anyOf"]}
    assert {kind.__name__ for kind in titles.TITLES[title].decisions} == named
    assert set(types(got.json)) <= {"object", "array", "string", "integer", "boolean"}, "nothing is null"
    assert b"null" not in got.body


def references(part: Any) -> list[str]:
    """Return every `$ref` in a schema."""
    return [value for key, value in pairs(part) if key == "$ref"]


def types(part: Any) -> list[str]:
    """Return every `type` in a schema that is a keyword and no property's name."""
    return [value for key, value in pairs(part) if key == "type" and isinstance(value, str)]


def pairs(part: Any) -> list[tuple[str, Any]]:
    """Return every key and value at any depth."""
    if isinstance(part, list):
        return [pair for one in part for pair in pairs(one)]
    if not isinstance(part, dict):
        return []
    return [*part.items(), *(pair for one in part.values() for pair in pairs(one))]


async def test_every_message_that_comes_fits_the_names_and_fields_of_the_schema(server: Serving) -> None:
    schema = (await get(server.url, "/api/protocol.json")).json["$defs"]
    async with seated(server.url) as (created, north, _):
        await decide(north, created, 0)

    kinds = {
        part["properties"]["t"]["enum"][0]: part
        for part in schema.values()
        if "t" in part.get("properties", {})
    }
    for message in north.heard:
        part = kinds[message["t"]]
        assert set(part["required"]) <= set(message) <= set(part["properties"]), message["t"]
    assert {"welcome", "view", "frame", "receipt"} <= {message["t"] for message in north.heard}


async def test_the_rulebook_is_there(server: Serving) -> None:
    got = await get(server.url, "/api/rules/midway")
    none = await get(server.url, "/api/rules/chess")

    assert "text/markdown; charset=utf-8" == got.headers["content-type"]
    assert b"M1" in got.body
    assert (404, "no_title") == (none.status, none.json["code"])


# Matches


async def test_matches_are_listed_by_their_state(server: Serving) -> None:
    waiting = await offer(server.url, label="Come in", pace="live")
    async with seated(server.url) as (ended, north, _), seated(server.url) as (going, _, _):
        await north.ask("resign", match=ended["match"])

        async def listed() -> dict[str, Any]:
            got = await get(server.url, "/api/matches")
            return {one["match"]: one for one in got.json["matches"]}

        def settled(all_of_them: dict[str, Any]) -> bool:
            return {"open", "playing", "ended"} == {one["state"] for one in all_of_them.values()}

        found = await until(listed, settled)
        playing = await get(server.url, "/api/matches?state=playing")
        neither = await get(server.url, "/api/matches?state=open,ended")

        assert ["open", "ended", "playing"] == [
            found[one["match"]]["state"] for one in (waiting, ended, going)
        ]
        assert ("Come in", "live") == (found[waiting["match"]]["label"], found[waiting["match"]]["pace"])
        assert ["Seat 0", "Seat 1"] == [seat["player"] for seat in found[going["match"]]["seats"]]
        assert [None, None] == [seat["taken"] for seat in found[waiting["match"]]["seats"]]
        assert 1 == found[ended["match"]]["winner"]
        assert [0, 1] == found[going["match"]]["asked"]
        assert [going["match"]] == [one["match"] for one in playing.json["matches"]]
        assert {waiting["match"], ended["match"]} == {one["match"] for one in neither.json["matches"]}


async def test_a_private_match_is_not_listed_and_is_read_with_a_token_only(server: Serving) -> None:
    shown, private = await offer(server.url), await offer(server.url, private=True)

    async def listed() -> list[str]:
        return [one["match"] for one in (await get(server.url, "/api/matches")).json["matches"]]

    found = await until(listed, bool)
    assert [shown["match"]] == found
    for path in (api(private), api(private, "/steps"), api(private, "/record")):
        without = await get(server.url, path)
        wrong = await get(server.url, path, token(shown, "onlooker"))
        nonsense = await get(server.url, path, "nonsense")
        within = await get(server.url, path, token(private, "onlooker"))

        assert (403, "private") == (without.status, without.json["code"])
        assert (401, "bad_token") == (wrong.status, wrong.json["code"])
        assert (401, "bad_token") == (nonsense.status, nonsense.json["code"])
        assert 200 == within.status
    assert (await get(server.url, api(private), token(private, "seat", 0))).json["private"]


async def test_one_match_is_told_with_its_options_and_clock(server: Serving) -> None:
    created = await offer(
        server.url, scenario="campaign", options={"turns": 2}, clock={"bank": 60}, label="Friday"
    )

    got = await until(lambda: get(server.url, api(created)), lambda got: got.json["facts"] == 1)

    assert {"night": False, "pairs": False, "turns": 2} == got.json["options"]
    assert 60 == got.json["clock"]["bank"]
    assert ("tiny", "campaign", "Friday", "open") == tuple(
        got.json[key] for key in ("title", "scenario", "label", "state")
    )


async def test_steps_fold_to_the_view_of_each_reader_during_play_and_afterwards(server: Serving) -> None:
    async with seated(server.url) as (created, north, south), talking(server.url) as onlooker:
        await enter(onlooker, created)
        readers = {
            0: (north, token(created, "seat", 0)),
            1: (south, token(created, "seat", 1)),
            None: (onlooker, ""),
        }
        await decide(north, created, 0)
        receipt = await decide(south, created, 1)
        for talk, door in readers.values():
            await has_heard(talk, receipt["seq"])
            steps = (await get(server.url, api(created, "/steps"), door)).lines

            assert view(talk.heard) == view(steps)
            assert steps[-1]["h"] == receipt["h"]
            assert joined(steps)
            assert any(step["sealed"] for step in steps)
        more = await get(server.url, api(created, "/steps?all=1&side=0"))
        assert more.body == (await get(server.url, api(created, "/steps"))).body

        end = await north.ask("resign", match=created["match"])
        for side, (talk, door) in readers.items():
            await has_heard(talk, end["seq"])
            own = (await get(server.url, api(created, "/steps"), door)).lines
            named = (await get(server.url, api(created, f"/steps?side={side}"))).lines
            everything = (await get(server.url, api(created, f"/steps?all=1&side={side}"))).lines

            assert view(talk.heard) == view(own) == view(named) == view(everything)
            assert not any(step["sealed"] for step in everything)
            assert list(range(1, end["seq"] + 1)) == [
                fact["seq"] for step in everything for fact in step["facts"]
            ]


async def has_heard(talk: Talk, seq: int) -> None:
    """Wait until somebody has been sent all up to a fact."""
    if max(message.get("upto", 0) for message in talk.heard) < seq:
        await talk.hear("frame", upto=seq)


def view(messages: list[Said]) -> Any:
    """Fold frames, from the first or from a view on."""
    seen: Any = {}
    for message in messages:
        if message["t"] == "view":
            seen = message["view"]
        elif message["t"] == "frame":
            seen = merged(seen, message["patch"])
    return seen


def merged(target: Any, patch: Any) -> Any:
    """RFC 7396, as its section 2 says it."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def joined(steps: list[Said]) -> bool:
    """Whether frames begin at the first fact and join up."""
    return [0, *(step["upto"] for step in steps[:-1])] == [step["after"] for step in steps]


async def test_how_often_a_seat_had_no_choice_is_told_of_a_match_that_has_ended(server: Serving) -> None:
    """During play it would tell whether a hidden move left one: to the other side, and to who looks on."""
    async with seated(server.url) as (created, north, south):
        doors = ["", token(created, "seat", 0), token(created, "seat", 1)]
        await decide(north, created, 0)
        await decide(south, created, 1)

        async def seats(door: str) -> list[Said]:
            found: list[Said] = (await get(server.url, api(created, "/audit"), door)).json["seats"]
            return found

        def counted(found: list[Said]) -> bool:
            return [1, 1] == [seat["chosen"] for seat in found]

        playing = [await until(partial(seats, door), counted) for door in doors]
        await south.ask("resign", match=created["match"])
        ended = [await seats(door) for door in doors]

    told = {"chosen", "default", "taken_back", "used", "longest"}
    assert [[told, told]] * 3 == [[set(seat) for seat in found] for found in playing]
    assert [[told | {"forced"}] * 2] * 3 == [[set(seat) for seat in found] for found in ended]


async def test_a_record_is_verified_during_play_and_afterwards(server: Serving) -> None:
    async with seated(server.url) as (created, north, south):
        await decide(north, created, 0)
        await decide(south, created, 1)
        doors = ["", token(created, "seat", 0), token(created, "seat", 1)]
        playing = [(await get(server.url, api(created, "/record"), door)).body for door in doors]
        await south.ask("resign", match=created["match"])
        ended = (await get(server.url, api(created, "/record"))).body

    for text in (*playing, ended):
        report = verify.verify_file(text, titles=TITLES)
        assert report.good, report
        assert "holds" == next(check.result for check in report.checks if check.name == "chain")
    assert [False] * 3 == [read(text).complete for text in playing]
    assert read(ended).complete
    assert 3 == len(set(playing))


async def test_a_report_is_given_when_the_match_has_ended_and_not_before(server: Serving) -> None:
    async with seated(server.url, private=True) as (created, north, south):
        await decide(north, created, 0)
        doors = ["", token(created, "onlooker"), token(created, "seat", 0)]
        playing = [await get(server.url, api(created, "/report"), door) for door in doors]
        await south.ask("resign", match=created["match"])
        ended = [await get(server.url, api(created, "/report"), door) for door in doors]

    assert [(403, "private"), (400, "too_early"), (400, "too_early")] == [
        (got.status, got.json["code"]) for got in playing
    ]
    assert [403, 200, 200] == [got.status for got in ended]
    told = ended[1].json
    assert told == ended[2].json
    assert "application/json" == ended[1].headers["content-type"]
    assert (0, "[side:1] resigned.", "tiny", 1) == (
        told["winner"],
        told["reason"],
        told["title"],
        told["decisions"],
    )


async def test_chapters_are_told_to_all_and_a_story_to_those_who_may_know_it(server: Serving) -> None:
    unit = "ca_chokai_maya"
    async with seated(server.url, title="pacific_war", scenario="C1") as (created, _, south):
        doors = [token(created, "seat", 0), token(created, "seat", 1), ""]

        async def stories() -> list[list[str]]:
            got = [(await get(server.url, api(created, f"/story/{unit}"), door)).json for door in doors]
            return [[line["words"] for line in lines] for lines in got]

        playing = await until(stories, lambda found: bool(found[0]))
        chapters = [(await get(server.url, api(created, "/chapters"), door)).json for door in doors]
        unknown = await get(server.url, api(created, "/story/yamato"), doors[0])
        await south.ask("resign", match=created["match"])
        ended = await stories()

    assert [["Began at [rabaul]"], [], []] == playing
    assert [["Began at [rabaul]"]] * 3 == ended
    assert ["August 1942"] == [one["named"] for one in chapters[0]]
    assert [chapters[0]] * 3 == chapters
    assert (404, "no_unit") == (unknown.status, unknown.json["code"])


@pytest.mark.parametrize("door", ["", "seat"])
async def test_a_record_with_a_byte_changed_is_not_verified(server: Serving, door: str) -> None:
    async with seated(server.url) as (created, _, south):
        await decide(south, created, 1)
        if not door:
            await south.ask("resign", match=created["match"])
        text = (
            await get(server.url, api(created, "/record"), token(created, "seat", 0) if door else "")
        ).body

    assert verify.verify_file(text, titles=TITLES).good
    for place in range(40, len(text), len(text) // 60):
        changed = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
        assert not verify.verify_file(changed, titles=TITLES).good, place


async def test_a_finished_match_is_in_a_signed_checkpoint_and_its_record_proves_it(
    dsn: str, folder: Path
) -> None:
    folder.mkdir()
    signer = new_signer("fleet.example")
    signer.write(folder / "signer")
    async with running(dsn, folder) as server:
        empty = (await get(server.url, "/api/checkpoint")).json
        async with seated(server.url) as (created, north, _):
            await north.ask("resign", match=created["match"])
        now = await until(lambda: get(server.url, "/api/checkpoint"), lambda got: bool(got.json["note"]))
        text = (await get(server.url, api(created, "/record"))).body

    report = verify.verify_file(text, verifier=Verifier(now.json["key"]), titles=TITLES)
    strangers = [Verifier(new_signer(name).public) for name in ("fleet.example", "")]
    elsewhere = [verify.verify_file(text, verifier=stranger, titles=TITLES) for stranger in strangers]
    assert ("", signer.public) == (empty["note"], empty["key"])
    assert 1 == read_note(now.json["note"]).size
    assert report.good
    checkpoints = [
        next(check.result for check in one.checks if check.name == "checkpoint")
        for one in (report, *elsewhere)
    ]
    assert ["holds", "unchecked", "unchecked"] == checkpoints
    assert all(one.good for one in elsewhere)


async def test_a_server_that_signs_nothing_says_so(server: Serving) -> None:
    assert {"note": "", "key": ""} == (await get(server.url, "/api/checkpoint")).json


# What is not there, and what is not allowed


ABSENT = [
    ("/api", "no_page"),
    ("/api/", "no_page"),
    ("/api/secrets", "no_page"),
    ("/api/matches/1/2/3", "no_page"),
    ("/api/matches/nonsense", "no_match"),
    ("/api/matches/00000000-0000-7000-8000-000000000000", "no_match"),
    ("/api/matches/00000000-0000-7000-8000-000000000000/steps", "no_match"),
    ("/api/matches/00000000-0000-7000-8000-000000000000/record", "no_match"),
    ("/api/matches/00000000-0000-7000-8000-000000000000/report", "no_match"),
    ("/api/matches/00000000-0000-7000-8000-000000000000/chapters", "no_match"),
    ("/api/matches/00000000-0000-7000-8000-000000000000/story/truk", "no_match"),
    ("/api/rules/..%2f..%2fREADME", "no_title"),
    ("/api/rules/%00", "no_title"),
    ("/api/schema/chess", "no_title"),
    ("/api/audit/%00", "no_title"),
    ("/api/audit/nowhere", "no_title"),
]


async def test_what_is_not_there_is_said_in_json(server: Serving) -> None:
    for path, code in ABSENT:
        got = await get(server.url, path)

        assert (404, code) == (got.status, got.json["code"]), path
        assert "application/json" == got.headers["content-type"]
        assert got.json["reason"]


@pytest.mark.parametrize("state", ["%00", "none", "open,%00", "open,,"])
async def test_a_state_that_no_match_has_is_refused(server: Serving, state: str) -> None:
    got = await get(server.url, f"/api/matches?state={state}")

    assert (400, "no_state") == (got.status, got.json["code"])


@pytest.mark.parametrize(
    "request_line",
    [
        "GET //[ HTTP/1.1\r\nHost: x",
        "GET /api/titles HTTP/1.1\r\nHost: x\r\nHost: y",
        "GET /api/titles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b",
        "GET /socket HTTP/1.1\r\nHost: x\r\nOrigin: http://[\r\nUpgrade: websocket",
        "GET /socket HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nOrigin: http://y\r\nUpgrade: websocket",
    ],
)
async def test_a_request_that_cannot_be_read_is_refused(server: Serving, request_line: str) -> None:
    got = await exchange(server.url, f"{request_line}\r\n\r\n".encode())

    assert (400, "bad_request") == (got.status, got.json["code"])
    assert HEADERS.items() <= got.headers.items()


async def test_a_pass_that_is_shown_twice_is_none(server: Serving) -> None:
    head = b"GET /socket HTTP/1.1\r\nHost: x\r\nX-Fleetfold-House: a\r\nX-Fleetfold-House: \xff\r\n\r\n"

    got = await exchange(server.url, head)

    assert 400 <= got.status < 500


async def test_head_is_answered_as_get_without_its_body(server: Serving) -> None:
    for path in PATHS:
        read = await get(server.url, path, reads="gzip")
        got = await get(server.url, path, method="HEAD", reads="gzip")

        dated = {"date", "content-length"} if path == "/metrics" else {"date"}
        assert (read.status, b"") == (got.status, got.body), path
        assert [*read.headers] == [*got.headers], path
        assert {name for name, text in got.headers.items() if text != read.headers[name]} <= dated, path
        assert int(got.headers["content-length"]) > 0, path


async def test_nothing_but_reading_is_answered(server: Serving) -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        got = await get(server.url, "/api/matches", method=method)

        assert (405, "GET, HEAD", "not_allowed") == (got.status, got.headers["allow"], got.json["code"])
        assert HEADERS.items() <= got.headers.items()


@pytest.mark.parametrize(
    "request_text",
    [
        "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
        "GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n",
        "nonsense\r\n\r\n",
    ],
)
async def test_a_request_with_a_body_or_of_another_kind_is_told_why_not(
    server: Serving, request_text: str
) -> None:
    got = await exchange(server.url, request_text.encode())

    assert (400, "bad_request") == (got.status, got.json["code"])
    assert "none has a body" in got.json["reason"]
    assert HEADERS.items() <= got.headers.items()


PATHS = ["/", "/healthz", "/metrics", "/api/titles", "/api/nothing", "/assets/none.js", "/match/x", "/a.b"]


async def test_every_answer_has_the_headers_that_protect(server: Serving) -> None:
    for path in PATHS:
        got = await get(server.url, path)

        assert HEADERS.items() <= got.headers.items(), path
        assert "default-src 'none'" in got.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in got.headers["content-security-policy"]
        assert "unsafe" not in got.headers["content-security-policy"]
        assert str(len(got.body)) == got.headers["content-length"]
        assert got.headers.get("server") is None


async def test_a_socket_that_is_refused_has_them_too(server: Serving) -> None:
    upgrade = (
        b"GET /socket HTTP/1.1\r\nHost: fleet.example\r\nOrigin: https://elsewhere.example\r\n"
        b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )

    got = await exchange(server.url, upgrade)

    assert (403, "origin") == (got.status, got.json["code"])
    assert HEADERS.items() <= got.headers.items()


async def test_no_secret_stands_in_a_path_or_a_query(server: Serving) -> None:
    created = await offer(server.url)
    for link in created["links"]:
        path, separator, fragment = link["path"].partition("#")

        assert "#" == separator
        assert link["token"] == fragment
        assert f"/match/{created['match']}" == path
    for path in (f"{api(created)}?token=", f"{api(created, '/steps')}?token="):
        private = await offer(server.url, private=True)
        asked = path.replace(created["match"], private["match"]) + token(private, "onlooker")

        assert 403 == (await get(server.url, asked)).status
    answers = [await get(server.url, path) for path in ("/api/matches", api(created), api(created, "/steps"))]
    assert not any(link["token"].encode() in got.raw for link in created["links"] for got in answers)


async def test_an_answer_that_is_a_mistake_of_ours_says_no_more(capfd: pytest.CaptureFixture[str]) -> None:
    async def broken(_: Any) -> Any:
        raise RuntimeError("card:07")

    async with pages(Pages({("broken",): broken}, broken)) as url:
        got = await get(url, "/broken")

    assert (500, "bug") == (got.status, got.json["code"])
    assert b"card:07" not in got.raw
    assert "card:07" in capfd.readouterr().out


async def test_nothing_more_is_read_for_a_client_that_has_gone() -> None:
    begun, given_up = asyncio.Event(), asyncio.Event()

    async def endless(_: Any) -> Any:
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            given_up.set()
            raise

    async with asyncio.timeout(10), pages(Pages({("endless",): endless}, endless)) as url:
        _, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
        writer.write(b"GET /endless HTTP/1.1\r\nHost: fleet.example\r\n\r\n")
        await begun.wait()
        writer.transport.abort()
        await given_up.wait()


async def test_nothing_at_all_is_read_for_a_client_that_went_at_once_and_nothing_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    read = list[tuple[str, ...]]()

    async def note(request: PageRequest) -> Page:
        read.append(request.parts)
        return Page(b"")

    async with pages(Pages({}, note)) as url:
        place = ("127.0.0.1", urlsplit(url).port or 0)
        for _ in range(10):
            with socket.create_connection(place, timeout=10) as comer:
                comer.sendall(b"GET /gone HTTP/1.1\r\nHost: fleet.example\r\n\r\n")
        await get(url, "/last")

    assert [("last",)] == read
    assert [] == [record.message for record in caplog.records if record.name == "asyncio"]


async def test_nothing_fails_where_a_client_goes_as_its_page_is_ready(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gone = asyncio.get_running_loop().create_future()

    async def spend(_: float) -> None:
        """Wait for nothing."""

    async def ready(_: PageRequest) -> Page:
        gone.set_result(None)
        return Page(b"")

    address = Address()
    connection = cast(
        "Connection",
        SimpleNamespace(
            id=uuid4(), address=address, spend=spend, body=b"", unreadable=None, connection_lost_waiter=gone
        ),
    )
    answer = await Pages({}, ready).answer(connection, Request("/ready", Headers()))
    await asyncio.sleep(0)

    assert 200 == answer.status_code
    assert [] == caplog.records


async def test_a_page_is_read_in_the_task_of_its_connection_and_in_no_other() -> None:
    tasks = list[int]()

    async def count(_: Any) -> Page:
        tasks.append(len(asyncio.all_tasks()))
        return Page(b"")

    async with pages(Pages({("count",): count}, count)) as url:
        reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(url).port)
        writer.write(b"GET /count HTTP/1.1\r\nHost: fleet.example\r\n\r\n")
        async with asyncio.timeout(10):
            await reader.read()
        writer.close()

    assert [2] == tasks  # the connection's and this one


@pytest.mark.parametrize("path", ["/match/x", "/readyz", "/metrics", "/api/checkpoint", "/api/matches"])
def test_what_asks_the_database_costs_more_than_a_file(path: str) -> None:
    asked = PageRequest(tuple(path.split("/")[1:]), {}, "", Address())

    assert (QUERY, FILE) == (cost_of(asked), cost_of(structs.replace(asked, parts=("app.js",))))


async def test_while_a_long_match_is_written_out_everybody_else_has_a_turn(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, had_a_turn = threading.Event(), threading.Event()
    written = views.steps

    def watched(*given: Any, **named: Any) -> Iterator[wire.Frame]:
        begun.set()
        assert had_a_turn.wait(10)  # for ever, if it were written where everybody else runs
        yield from written(*given, **named)

    async def somebody_else() -> None:
        while not begun.is_set():
            await asyncio.sleep(0.001)
        had_a_turn.set()

    monkeypatch.setattr(views, "steps", watched)
    async with seated(server.url) as (created, _, _):
        other = asyncio.create_task(somebody_else())
        steps = await get(server.url, f"/api/matches/{created['match']}/steps")
        await other

    assert 200 == steps.status
    assert steps.lines


async def test_steps_are_written_once_for_all_who_ask_at_once(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides, come_in, everybody = list[Viewer](), itertools.count(1), asyncio.Event()
    steps, ask, read = views.steps, Reads.read, server.reader.opening.everything

    def counted(*given: Any, **named: Any) -> Iterator[wire.Frame]:
        sides.append(given[2])
        yield from steps(*given, **named)

    async def asked(*given: Any) -> Any:
        if next(come_in) == 10:
            everybody.set()  # wakes who waits only after this one's wish is known too
        return await ask(*given)

    async def waits(*given: Any) -> Any:
        await everybody.wait()
        return await read(*given)

    async with seated(server.url) as (created, _, _):
        monkeypatch.setattr(views, "steps", counted)
        monkeypatch.setattr(Reads, "read", asked)
        monkeypatch.setattr(server.reader.opening, "everything", waits)
        path, doors = api(created, "/steps"), (token(created, "seat", 0), token(created, "onlooker"))
        got = await asyncio.gather(*(get(server.url, path, door) for door in doors for _ in range(5)))
        later = await get(server.url, path, doors[0])

    assert [Audience.SIDE_0, Audience.ONLOOKERS, Audience.SIDE_0] == sorted(
        sides[:2], key=VIEWERS.index
    ) + sides[2:]
    assert [got[0].body] * 5 == [one.body for one in got[:5]]
    assert [got[5].body] * 5 == [one.body for one in got[5:]]
    assert got[0].body != got[5].body
    assert got[0].body == later.body


@pytest.fixture
def compressing(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[threading.Event, list[bytes]]]:
    """Give what lets large answers be compressed, and the first letters of those that were begun."""
    may, begun = threading.Event(), list[bytes]()

    def compressed(body: bytes) -> bytes:
        begun.append(body[:1])
        if len(body) >= SMALL:
            assert may.wait(10)
        return body[:1]

    monkeypatch.setattr(server_compressing, "compressed", compressed)
    yield may, begun
    may.set()


async def test_large_answers_are_compressed_one_at_a_time_and_once_for_all_who_want_them(
    compressing: tuple[threading.Event, list[bytes]],
) -> None:
    may, begun = compressing
    compress = Compressing()
    async with asyncio.timeout(10):
        asked = [asyncio.create_task(compress(letter * SMALL)) for letter in 3 * [b"a", b"b"]]
        while not begun:
            await asyncio.sleep(0.01)
        first = list(begun)
        may.set()

        assert 3 * [b"a", b"b"] == await asyncio.gather(*asked)
        assert b"a" == await compress(b"a" * SMALL)
    assert ([b"a"], [b"a", b"b", b"a"]) == (first, begun)


async def test_a_small_answer_waits_for_no_large_one_and_who_goes_for_none(
    compressing: tuple[threading.Event, list[bytes]],
) -> None:
    may, begun = compressing
    compress = Compressing()
    async with asyncio.timeout(10):
        large = [asyncio.create_task(compress(letter * SMALL)) for letter in (b"a", b"b", b"c")]
        while not begun:
            await asyncio.sleep(0.01)
        assert b"s" == await compress(b"small")
        large[1].cancel()
        may.set()

        assert [b"a", b"c"] == await asyncio.gather(*large[::2])
    assert [b"a", b"s", b"c"] == begun
    assert 0 == len(compress._shared)
