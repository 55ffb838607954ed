"""One websocket: clear answers, one effect, and the match untouched by whatever is wrong."""

import asyncio
import json
import re
import socket as sockets
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4, uuid5

import pytest
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus

from domain.kernel.audience import VIEWERS
from server.http.headers import same_origin
from server.play import acts
from server.postgres.database import EACH, connection
from server.serving import Serving
from server.settings import Settings
from server.socket import paced, visitor
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, new_token, offer, prompt, seated, talking, token
from tests.server.watching import until

NONE = "00000000-0000-7000-8000-000000000000"


async def length(server: Serving, created: Said) -> int:
    match = UUID(created["match"])
    return (await server.log.heads([match]))[match]


async def decide(talk: Talk, created: Said, seat: int, which: int = 0) -> Said:
    upto, options = await prompt(talk, seat)
    return await talk.ask("decide", match=created["match"], answers=upto, decision=options[which])


async def test_a_decision_is_answered_with_a_receipt_and_seen_by_all(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as onlooker:
        await enter(onlooker, created)

        receipt = await decide(north, created, 0)
        frame = await onlooker.hear("frame", upto=receipt["seq"])

        assert "receipt" == receipt["t"]
        assert receipt["h"] == frame["h"]
        assert [] == frame["prompts"]


async def test_who_decides_is_answered_in_one_write_with_the_frame_after_the_seats_and_before_the_crowd(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = list[tuple[str, ...]]()
    async with seated(server.url) as (created, north, south), talking(server.url) as onlooker:
        await enter(onlooker, created)
        rooms = [server.hub._rooms[UUID(created["match"]), audience] for audience in VIEWERS]
        await until(lambda: all(room.current for room in rooms))
        for room in rooms:
            (line,) = room.current
            monkeypatch.setattr(line, "write", partial(_noted, written, room.topic[1].name, line.write))
        receipt = await decide(north, created, 0)
        for talk in (south, onlooker):
            await talk.hear("frame", upto=receipt["seq"])

    assert [
        ("SIDE_1", "frame"),
        ("SIDE_0", "frame", "receipt"),
        ("ONLOOKERS", "frame"),
    ] == [one for one in written if "frame" in one]


def _noted(
    written: list[tuple[str, ...]], audience: str, write: Callable[[bytes], None], data: bytes
) -> None:
    write(data)
    written.append((audience, *(kind for kind in ("frame", "receipt") if f'"t":"{kind}"'.encode() in data)))


async def test_the_same_command_twice_has_one_effect_and_one_answer(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        command = uuid4()
        sent: dict[str, Any] = {
            "match": created["match"], "command": command, "answers": upto, "decision": options[0]
        }  # fmt: skip
        first = await north.ask("decide", **sent)
        before = await length(server, created)

        again = await north.ask("decide", **sent)

        assert first == again
        assert before == await length(server, created)


async def test_a_command_id_cannot_be_used_for_something_else(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        command = uuid4()
        sent: dict[str, Any] = {"match": created["match"], "command": command, "answers": upto}
        await north.ask("decide", decision=options[0], **sent)

        other = await north.ask("decide", decision=options[1], **sent)

        assert ("refused", "command_reused") == (other["t"], other["code"])


async def test_a_command_id_that_took_a_seat_takes_it_with_one_promise_only(server: Serving) -> None:
    created = await offer(server.url)
    sent = {"match": created["match"], "command": uuid4(), "promise": "ab" * 32, "token": new_token()}
    async with talking(server.url) as talk:
        await enter(talk, created, 0)
        await talk.ask("sit", **sent)

        again = await talk.ask("sit", **sent)
        other = await talk.ask("sit", **sent | {"promise": "cd" * 32})
        bot = await talk.ask("sit", **sent, kind="bot")

        assert "receipt" == again["t"]
        assert ["command_reused"] * 2 == [other["code"], bot["code"]]


async def test_nobody_can_take_the_id_of_a_time_out_to_come(server: Serving) -> None:
    async with seated(server.url, title="midway", scenario="duel", clock={"bank": 1}) as (created, north, _):
        match = UUID(created["match"])
        ahead = uuid5(match, f"default 0 {await length(server, created) + 1}")
        offered = await north.ask("offer", match=match, what="draw", command=ahead)

        frame = await north.hear("frame", after=offered["seq"])

        assert "TimeOutClaimed" in {fact["type"] for fact in frame["facts"]}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"decision": {"type": "Sail", "islet": "nowhere"}}, "illegal"),
        ({"decision": {"type": "Nonsense"}}, "bad_decision"),
        ({"decision": {"type": "Sail"}}, "bad_decision"),
        ({"answers": 1}, "stale"),
        ({"answers": 10_000}, "stale"),
        ({"match": "00000000-0000-7000-8000-000000000000"}, "no_hello"),
    ],
)
async def test_a_wrong_decision_is_refused_and_leaves_no_trace(
    server: Serving, wrong: dict[str, Any], code: str
) -> None:
    async with seated(server.url) as (created, north, _):
        upto, options = await prompt(north, 0)
        before = await length(server, created)
        sent = {"match": created["match"], "answers": upto, "decision": options[0]} | wrong

        answer = await north.ask("decide", **sent)

        assert ("refused", code) == (answer["t"], answer["code"])
        assert answer["reason"]
        assert before == await length(server, created)
        assert "receipt" == (await decide(north, created, 0))["t"]


async def test_an_illegal_decision_is_refused_with_the_rule_that_asks(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        upto, _ = await prompt(north, 0)

        answer = await north.ask(
            "decide", match=created["match"], answers=upto, decision={"type": "Sail", "islet": "nowhere"}
        )

        assert "4.1" == answer["rule"]


async def test_no_decision_waits_for_connections_that_others_read_by(server: Serving) -> None:
    async with AsyncExitStack() as stack:
        created, north, _ = await stack.enter_async_context(seated(server.url))
        for pool in (server.database.read, server.database.http, server.database.projector) * EACH:
            await stack.enter_async_context(connection(pool))
        upto, options = await prompt(north, 0)
        sent = {"match": created["match"], "answers": upto, "decision": options[0]}

        stored = await north.ask("decide", **sent)
        refused = await north.ask("decide", **sent)

        assert ("receipt", "not_asked") == (stored["t"], refused["code"])


async def test_who_is_not_asked_and_who_looks_on_decide_nothing(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as onlooker:
        upto, options = await prompt(north, 0)
        await enter(onlooker, created)
        await decide(north, created, 0)
        sent = {"match": created["match"], "answers": upto, "decision": options[0]}

        answers = [await talk.ask("decide", **sent) for talk in (north, onlooker)]

        assert ["not_asked", "not_seated"] == [answer["code"] for answer in answers]


async def test_a_pong_tells_the_time_by_which_clocks_run(server: Serving) -> None:
    async with talking(server.url) as talk:
        before = server.matches.now()
        await talk.say("ping")
        pong = await talk.hear("pong")
        after = server.matches.now()

    assert before <= pong["now"] <= after


async def test_another_protocol_is_refused_with_the_one_that_is_known(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as talk:
        await talk.say("hello", version=2, match=created["match"])
        answer = await talk.hear("refused")

        assert "version" == answer["code"]
        assert "1" in answer["reason"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("{", 4400),
        ('{"t":"unheard_of"}', 4400),
        ('{"t":"ping","more":1}', 4400),
        ('{"t":"hello","version":1,"match":"x"}', 4400),
        (b"\x00\x01", 4400),
        ('"' + "x" * 66_000 + '"', 1009),
        (f'{{"t":"decide","match":"{NONE}","command":"{NONE}","answers":1,"decision":{"[" * 3900}', 4400),
        (f'{{"t":"ping","more":{"[" * 3900}{"]" * 3900}}}', 4400),
        (f'{{"t":"decide","match":"{NONE}","command":"{NONE}","answers":{"9" * 7000}}}', 4400),
    ],
)
async def test_what_is_no_message_closes_the_connection(
    server: Serving, data: str | bytes, code: int
) -> None:
    async with talking(server.url) as talk:
        await talk.socket.send(data)
        with pytest.raises(ConnectionClosed):
            await talk.hear("never")

        assert code == talk.socket.close_code


async def test_text_that_is_no_utf_8_closes_the_connection(server: Serving) -> None:
    async with talking(server.url) as talk:
        talk.socket.protocol.send_text(b"\xff\xfe")
        talk.socket.send_data()
        with pytest.raises(ConnectionClosed):
            await talk.hear("never")

        assert 1007 == talk.socket.close_code


@pytest.mark.parametrize("after_a_word", [False, True])
@pytest.mark.parametrize(
    ("data", "code"), [(b"treason \xff\xfe", 1007), (b"treason" * 9400, 1009), (b"\xfftreason", 1007)]
)
async def test_what_no_message_can_be_made_of_leaves_a_line_in_the_log(
    server: Serving, capfd: pytest.CaptureFixture[str], data: bytes, code: int, after_a_word: bool
) -> None:
    async with talking(server.url) as talk:
        if after_a_word:
            await talk.say("ping")
            await talk.hear("pong")
        talk.socket.protocol.send_text(data)
        talk.socket.send_data()
        with pytest.raises(ConnectionClosed):
            await talk.hear("never")
        while server.gateway.connections:
            await asyncio.sleep(0.001)
    lines = [line for line in "".join(capfd.readouterr()).splitlines() if "closed" in line]

    assert 1 == len(lines)
    assert f"code={code}" in plain(lines[0])
    assert "treason" not in lines[0]


def plain(line: str) -> str:
    """Take the colours out of a line of the log."""
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


async def test_a_connection_that_says_nothing_is_closed(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "FIRST", 0.05)
    async with talking(server.url) as talk:
        with pytest.raises(ConnectionClosed):
            await talk.hear("never")

        assert 4009 == talk.socket.close_code


async def test_a_connection_that_only_begins_its_first_message_is_closed(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "FIRST", 0.05)
    async with talking(server.url) as talk:
        talk.socket.protocol.send_text(b'{"t":', fin=False)
        talk.socket.send_data()
        with pytest.raises(ConnectionClosed):
            await talk.hear("never")

        assert 4009 == talk.socket.close_code


async def test_who_spoke_while_the_server_was_busy_is_heard(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "FIRST", 0.2)
    async with talking(server.url) as talk:
        while not server.gateway.connections:
            await asyncio.sleep(0.001)
        await talk.say("ping")
        time.sleep(0.4)  # noqa: ASYNC251 this is how a busy server is made

        await talk.hear("pong")


async def test_the_time_to_speak_does_not_run_while_nothing_is_read(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitor, "FIRST", 0.01)
    monkeypatch.setattr(paced, "FRAMES", (1, 0.2))
    async with talking(server.url) as talk:
        for _ in range(4):
            await talk.socket.pong()
        await talk.say("ping")

        await talk.hear("pong")


async def test_a_handshake_that_is_not_finished_does_not_disturb_others(server: Serving) -> None:
    place = urlsplit(server.url)
    with sockets.create_connection((place.hostname, place.port)) as slow:
        slow.sendall(b"GET /socket HTTP/1.1\r\nHost: x\r\n")
        async with talking(server.url) as talk:
            await talk.say("ping")

            await talk.hear("pong")


async def test_a_foreign_page_may_not_connect(server: Serving) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with talking(server.url, origin="https://elsewhere.example"):
            pass
    async with talking(server.url, origin=server.url) as talk:
        await talk.say("ping")

        assert 403 == refused.value.response.status_code
        await talk.hear("pong")


OWN, PUBLIC = "fleet.example:8000", "https://fleet.example"


@pytest.mark.parametrize(
    ("settings", "headers", "origin", "taken"),
    [
        ({}, {"Host": OWN}, f"http://{OWN}", True),
        ({}, {"Host": OWN}, f"https://{OWN}", False),
        ({}, {"Host": OWN}, "http://fleet.example", False),
        ({}, {"Host": OWN, "X-Forwarded-Proto": "https"}, f"https://{OWN}", False),
        ({"proxies": 1}, {"Host": OWN, "X-Forwarded-Proto": "https"}, f"https://{OWN}", True),
        ({"proxies": 1}, {"Host": OWN, "X-Forwarded-Proto": "https"}, f"http://{OWN}", False),
        ({"public_url": PUBLIC}, {"Host": "fleet.example"}, PUBLIC, True),
        ({"public_url": PUBLIC}, {"Host": "fleet.example"}, "http://fleet.example", False),
        ({"public_url": PUBLIC}, {"Host": "inside:8000"}, PUBLIC, True),
        ({"public_url": PUBLIC}, {"Host": "inside:8000"}, "http://inside:8000", True),
        ({"public_url": PUBLIC}, {"Host": "fleet.example"}, "https://elsewhere.example", False),
        ({"public_url": f"{PUBLIC}:443/play"}, {"Host": "fleet.example"}, PUBLIC, True),
        ({"public_url": PUBLIC, "origins": ("https://a.example",)}, {"Host": "x"}, "https://a.example", True),
        ({"public_url": PUBLIC, "origins": ("https://a.example",)}, {"Host": "x"}, "http://a.example", False),
        ({"public_url": PUBLIC, "origins": ("https://a.example",)}, {"Host": "x"}, PUBLIC, False),
        ({}, {"Host": OWN}, "null", False),
        ({}, {}, "http://", False),
    ],
)
def test_a_page_is_the_server_s_own_if_its_scheme_is_too(
    settings: dict[str, Any], headers: dict[str, str], origin: str, taken: bool
) -> None:
    assert taken == same_origin(Headers({**headers, "Origin": origin}), Settings(**settings))


async def test_behind_tls_the_page_of_the_public_url_may_connect_and_its_plain_double_not(
    dsn: str, folder: Any
) -> None:
    async with running(dsn, folder, public_url="https://fleet.example", proxies=1) as server:
        assert server.house is not None
        inside = server.house.url
        async with talking(inside, origin="https://fleet.example") as talk:
            await talk.say("ping")

            await talk.hear("pong")
        with pytest.raises(InvalidStatus) as refused:
            async with talking(inside, origin="http://fleet.example"):
                pass

    assert 403 == refused.value.response.status_code


async def test_an_address_has_so_many_connections_and_no_more(dsn: str, folder: Any) -> None:
    async with running(dsn, folder, connections_per_address=2) as server:
        async with talking(server.url) as first, talking(server.url) as second:
            for talk in (first, second):
                await talk.say("ping")
                await talk.hear("pong")
            with pytest.raises(InvalidStatus) as refused:
                async with talking(server.url):
                    pass
        await asyncio.sleep(0.05)
        async with talking(server.url) as later:
            await later.say("ping")
            await later.hear("pong")

        assert 503 == refused.value.response.status_code


async def test_behind_a_proxy_each_player_s_address_has_its_own_connections(dsn: str, folder: Any) -> None:
    async with running(dsn, folder, connections_per_address=1, proxies=1) as server:
        forged = {"X-Forwarded-For": "203.0.113.9, 203.0.113.1"}
        async with (
            talking(server.url, additional_headers={"X-Forwarded-For": "203.0.113.1"}) as one,
            talking(server.url, additional_headers={"X-Forwarded-For": "203.0.113.2"}) as other,
        ):
            for talk in (one, other):
                await talk.say("ping")
                await talk.hear("pong")
            with pytest.raises(InvalidStatus) as refused:
                async with talking(server.url, additional_headers=forged):
                    pass

        assert 503 == refused.value.response.status_code


async def test_without_a_proxy_an_address_that_is_told_is_not_believed(dsn: str, folder: Any) -> None:
    async with running(dsn, folder, connections_per_address=1) as server, talking(server.url) as first:
        await first.say("ping")
        await first.hear("pong")
        with pytest.raises(InvalidStatus) as refused:
            async with talking(server.url, additional_headers={"X-Forwarded-For": "203.0.113.1"}):
                pass

        assert 503 == refused.value.response.status_code


async def test_the_bots_of_the_house_take_nobody_s_connections(dsn: str, folder: Any) -> None:
    async with running(dsn, folder, connections_per_address=1) as server:
        created = await offer(server.url, bots={"0": "random", "1": "random"})
        async with talking(server.url) as talk:
            await talk.say("hello", version=1, match=created["match"])
            while True:
                message = await talk.hear("view", "frame")
                shown = message.get("view") or message["patch"]
                if shown.get("match", {}).get("key"):
                    break


async def test_a_connection_watches_so_many_matches_and_no_more(dsn: str, folder: Any) -> None:
    async with running(dsn, folder, matches_per_connection=2) as server, talking(server.url) as talk:
        offered = [await offer(server.url) for _ in range(3)]
        for created in offered:
            await talk.say("hello", version=1, match=created["match"])

        assert "too_many" == (await talk.hear("refused"))["code"]
        await talk.say("bye", match=offered[0]["match"])
        await talk.say("hello", version=1, match=offered[2]["match"])
        assert "view" == (await talk.hear("view", match=offered[2]["match"]))["t"]


async def test_a_flood_is_closed_while_another_seat_plays_on(server: Serving) -> None:
    async with seated(server.url) as (created, north, south):
        before = await length(server, created)
        with suppress(ConnectionClosed):
            for _ in range(60):
                await north.say(
                    "decide", match=created["match"], command=uuid4(), answers=1, decision={"type": "Pass"}
                )
        with pytest.raises(ConnectionClosed):
            await north.hear("never")

        assert 1008 == north.socket.close_code
        assert before == await length(server, created)
        assert "receipt" == (await decide(south, created, 1))["t"]


async def test_commands_that_are_stored_are_no_flood(server: Serving) -> None:
    async with seated(server.url) as (created, north, _):
        kinds = []
        for _ in range(25):
            kinds.append((await decide(north, created, 0))["t"])
            kinds.append((await north.ask("undo", match=created["match"]))["t"])

        assert ["receipt"] * 50 == kinds


async def test_a_late_client_is_given_what_it_lacks_and_only_that(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as late:
        receipt = await decide(north, created, 0)
        shown = max(m["upto"] for m in north.heard if m["t"] == "frame" and m["upto"] < receipt["seq"])

        frame = await enter(late, created, 0, after=shown)

        assert (shown, receipt["seq"]) == (frame["after"], frame["upto"])


async def test_a_client_whose_hash_is_another_gets_the_view(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as talk:
        await talk.say("hello", version=1, match=created["match"], after=1, h="00" * 32)

        assert "view" == (await talk.hear("view", "frame"))["t"]


async def test_a_bug_is_answered_and_costs_nobody_else_anything(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with seated(server.url) as (created, north, south):
        before = await length(server, created)

        def broken(*_: Any) -> Any:
            raise RuntimeError("a mistake")

        with monkeypatch.context() as patch:
            patch.setattr(acts, "decide", broken)
            upto, options = await prompt(north, 0)
            answer = await north.ask("decide", match=created["match"], answers=upto, decision=options[0])

        assert "bug" == answer["code"]
        assert "mistake" in answer["reason"]
        assert before == await length(server, created)
        assert "receipt" == (await decide(north, created, 0))["t"]
        assert "receipt" == (await decide(south, created, 1))["t"]


async def test_talk_stays_in_its_room(server: Serving) -> None:
    async with seated(server.url) as (created, north, south), talking(server.url) as onlooker:
        await enter(onlooker, created)
        match = created["match"]
        await north.say("say", match=match, room="table", text="Well met")
        await onlooker.say("say", match=match, room="onlookers", text="North looks strong")
        await onlooker.say("say", match=match, room="table", text="Beware")

        at_the_table = await south.hear("said")
        refused = await onlooker.hear("refused")

        assert ("Well met", 0) == (at_the_table["text"], at_the_table["seat"])
        assert "not_allowed" == refused["code"]
        assert ["North looks strong"] == [m["text"] for m in onlooker.heard if m["t"] == "said"]
        await south.say("ping")
        await south.hear("pong")
        assert ["Well met"] == [m["text"] for m in south.heard if m["t"] == "said"]


async def test_what_is_said_while_somebody_comes_in_is_heard_by_him(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as late:
        match, under_way, go_on = created["match"], asyncio.Event(), asyncio.Event()
        watch = server.hub.watch

        async def slowly(*given: Any, **named: Any) -> None:
            under_way.set()
            await go_on.wait()
            await watch(*given, **named)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(server.hub, "watch", slowly)
            await late.say("hello", version=1, match=match, token=token(created, "seat", 1))
            await under_way.wait()
        await north.say("say", match=match, room="table", text="Well met")
        await north.hear("said")
        go_on.set()

        assert "Well met" == (await late.hear("said"))["text"]


async def test_who_is_there_is_told(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as onlooker:
        await enter(onlooker, created)

        presence = await north.hear("presence", onlookers=1)

        assert [0, 1] == presence["seats"]


async def test_who_only_glances_is_no_onlooker_and_sees_the_table(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as glancing:
        await glancing.say("hello", version=1, match=created["match"], glance=True)
        await glancing.hear("view")
        async with talking(server.url) as onlooker:
            await enter(onlooker, created)
            await north.hear("presence", onlookers=1)
        presence = await north.hear("presence", onlookers=0)

        assert [0, 1] == presence["seats"]


async def test_a_token_is_never_in_what_is_logged(server: Serving, capfd: pytest.CaptureFixture[str]) -> None:
    async with seated(server.url) as (created, north, _):
        await decide(north, created, 0)
        await north.ask("decide", match=created["match"], answers=1, decision={"type": "Pass"})
        lines = "".join(capfd.readouterr())

    assert "refused" in lines
    assert token(created, "seat", 0) not in lines
    assert json.dumps(created["links"][0]["path"]) not in lines


async def test_a_socket_may_be_opened_without_a_path_of_a_match_only(server: Serving) -> None:
    with pytest.raises(InvalidStatus):
        async with connect(server.url.replace("http", "ws") + "/other"):
            pass


async def test_who_comes_in_later_is_shown_the_talk_of_his_own_room_alone(server: Serving) -> None:
    async with seated(server.url) as (created, north, _), talking(server.url) as first:
        await enter(first, created)
        match = created["match"]
        await north.say("say", match=match, room="table", text="Well met")
        await north.hear("said")
        await first.say("say", match=match, room="onlookers", text="North looks strong")
        await first.hear("said")
        async with talking(server.url) as onlooker, talking(server.url) as seat:
            await enter(onlooker, created)
            await seat.say("hello", version=1, match=match, token=token(created, "seat", 0))
            for talk in (onlooker, seat):
                await talk.hear("presence")
                await talk.say("ping")
                await talk.hear("pong")

            assert ["North looks strong"] == [m["text"] for m in onlooker.heard if m["t"] == "said"]
            assert ["Well met"] == [m["text"] for m in seat.heard if m["t"] == "said"]
