"""Seats that are offered to others as their players stay away: who takes one over a socket, and sees what."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from msgspec import json

from server.fanout.broadcasts import REPLACED
from server.lobby.seats import Seats
from server.nobody import nobody
from server.postgres.database import connection
from server.socket import gateway
from tests.conftest import running
from tests.server.authenticator import Browser
from tests.server.talk import Said, Talk, enter, talking, token
from tests.server.test_claims import DAYS, Weeks, claim, decide, hear_up_to, on_trial, seen, waiting
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture
from tests.server.test_seats import join, joined, look_on, opens, valid, wish

BOTH = {"scenario": "campaign", "clock": DAYS}


@asynccontextmanager
async def late(weeks: Weeks, **wish: Any) -> AsyncIterator[tuple[Said, Talk, Talk]]:
    """Begin a match in which seat 1 is out of time for the third time in a row, and seat 0 waits."""
    async with waiting(weeks.server.url, **(BOTH | wish)) as (created, north, south):
        for _ in range(2):
            await weeks.pass_days(4)
            assert "receipt" == (await claim(north, created))["t"]
            while 0 in (await seen(weeks.server.url, created))["asked"]:
                await hear_up_to(north, created, weeks)
                await decide(north, created, 0)
        await weeks.pass_days(4)
        yield created, north, south


@asynccontextmanager
async def on_offer(weeks: Weeks, **wish: Any) -> AsyncIterator[tuple[Said, Talk, Talk]]:
    """The same, and seat 0 has offered the seat to others."""
    async with late(weeks, **wish) as (created, north, south):
        assert "receipt" == (await claim(north, created, "replace"))["t"]
        yield created, north, south


async def listed(weeks: Weeks, created: Said) -> Said:
    """Return the match as it is listed, once the list has followed the log."""
    browser, head = Browser(weeks.server.url), len(await weeks.types(created))
    async with asyncio.timeout(10):
        while (one := (await browser.ask("GET", f"/api/matches/{created['match']}"))[1])["facts"] < head:
            await asyncio.sleep(0.05)
    return one


async def take(weeks: Weeks, created: Said, **other: Any) -> tuple[Said, str]:
    """Take the seat as a guest; return the answer, and the token by which the seat is held then."""
    asked = wish(created, **other)
    return await joined(weeks.server, created, asked), asked["token"]


async def shown_out(talk: Talk, created: Said) -> None:
    await talk.hear("refused", match=created["match"], code="bad_token")


async def test_who_takes_the_seat_sees_what_it_knew_and_who_had_it_sees_nothing_more(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, north, south):
        async with talking(weeks.server.url) as old:
            before = (await enter(old, created, 1))["view"]["table"]
        answer, door = await take(weeks, created, name="Carl")
        await shown_out(south, created)
        async with talking(weeks.server.url) as next_one:
            await next_one.say("hello", version=1, match=created["match"], token=door)
            after = await next_one.hear("view")
            heard = len(south.heard)
            decided = await decide(next_one, created, 1)
            await hear_up_to(north, created, weeks)
        frames = [json.encode(said) for said in north.heard]
        own = await south.ask("resign", match=created["match"])
        await south.say("ping")
        await south.hear("pong")

        assert ["receipt"] * 2 == [answer["t"], decided["t"]]
        assert before == after["view"]["table"]
        assert "own" in before
        assert any(REPLACED in frame for frame in frames)
        assert "bad_token" == await opens(weeks.server, created, token(created, "seat", 1))
        assert "no_hello" == own["code"]
        assert ["refused", "pong"] == [said["t"] for said in south.heard[heard:]]
        assert 1 == await valid(weeks.server, created)
        assert await weeks.is_true(created)


async def test_who_takes_the_seat_has_the_bank_again_and_is_on_the_list_by_his_name(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, _, _):
        before = await listed(weeks, created)
        await take(weeks, created, name="Carl")
        after, view = await listed(weeks, created), await seen(weeks.server.url, created)

    assert (["Seat 1", [1]], ["Carl", []]) == (
        [before["seats"][1]["player"], before["joinable"]],
        [after["seats"][1]["player"], after["joinable"]],
    )
    assert DAYS["bank"] * 10**6 == view["clocks"]["left"]["1"]
    assert "vacant" not in view["clocks"]
    assert "late" not in view["clocks"]


async def test_before_the_third_time_out_no_seat_is_offered_and_none_is_taken(weeks: Weeks) -> None:
    async with waiting(weeks.server.url, clock=DAYS) as (created, north, _):
        await weeks.pass_days(4)
        offered = await claim(north, created, "replace")
        taken, _ = await take(weeks, created)

    assert ["no_time_out", "started"] == [offered["code"], taken["code"]]


async def test_who_comes_back_before_another_has_come_keeps_his_seat(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, _, south):
        await hear_up_to(south, created, weeks)
        back = await decide(south, created, 1)
        taken, _ = await take(weeks, created)

        assert "receipt" == back["t"]
        assert "started" == taken["code"]
        assert [] == (await listed(weeks, created))["joinable"]
        assert 1 == await opens(weeks.server, created, token(created, "seat", 1))


async def test_while_nobody_has_come_the_win_is_claimed(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, north, _):
        won = await claim(north, created, "win")

        assert "receipt" == won["t"]
        assert [] == (await listed(weeks, created))["joinable"]
        assert await weeks.is_true(created)


async def test_of_two_who_want_the_seat_at_once_one_has_it(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, _, _):
        answers = await asyncio.gather(take(weeks, created), take(weeks, created))
        doors = [await opens(weeks.server, created, door) for _, door in answers]

        assert ["receipt", "refused"] == sorted(answer["t"] for answer, _ in answers)
        assert {1, "bad_token"} == set(doors)
        assert 1 == (await weeks.types(created)).count("SeatReplaced")


async def test_what_is_sent_again_is_answered_alike_and_a_broken_taking_is_completed(
    weeks: Weeks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a taking that breaks off when its command is stored: by then the earlier link opens nothing."""
    async with on_offer(weeks) as (created, _, _):
        asked = wish(created)
        with monkeypatch.context() as patch:
            patch.setattr(Seats, "complete", _broken)
            first = await joined(weeks.server, created, asked)
            old = await valid(weeks.server, created)
        again = await joined(weeks.server, created, asked)
        once_more = await joined(weeks.server, created, asked)

        assert ("bug", 0) == (first["code"], old)
        assert again == once_more
        assert 1 == await opens(weeks.server, created, asked["token"])


async def _broken(*_: object) -> bool:
    raise ZeroDivisionError


async def test_a_seat_of_a_private_match_is_taken_by_who_has_a_link_to_look_on(weeks: Weeks) -> None:
    async with on_offer(weeks, private=True) as (created, _, _), talking(weeks.server.url) as onlooker:
        await enter(onlooker, created)
        answer = await join(onlooker, wish(created))

        assert "receipt" == answer["t"]


@pytest.mark.parametrize("how", ["told", "missed"])
async def test_at_another_node_who_had_the_seat_is_shown_out_at_once(
    dsn: str, folder: Path, redis_url: str, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Given two nodes that look at links only where they have a reason to. One tells the other, or is not
    heard, so that the other reads it from the log."""
    monkeypatch.setattr(gateway, "LOOK_AGAIN", 600.0)
    await on_trial(dsn)
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(running(dsn, folder, redis_url=redis_url))
        there = await stack.enter_async_context(running(dsn, folder, redis_url=redis_url))
        weeks = Weeks(dsn, here)
        created, _, _ = await stack.enter_async_context(on_offer(weeks))
        old = await stack.enter_async_context(talking(there.url))
        assert "view" == (await enter(old, created, 1))["t"]
        if how == "missed":
            monkeypatch.setattr(here.hub._bus, "publish", nobody)
        answer, _ = await take(weeks, created)
        if how == "missed":
            there.hub.log_reaches(UUID(created["match"]), len(await weeks.types(created)))
        await shown_out(old, created)

        assert "receipt" == answer["t"]


async def person(weeks: Weeks, handle: str, created: Said | None = None, seat: int = 0) -> Browser:
    """Somebody who has signed up and, if a match is given, has a seat of it."""
    browser = Browser(weeks.server.url)
    await browser.sign_up(handle, name=handle.capitalize())
    if created is not None:
        link = {"match": created["match"], "token": token(created, "seat", seat)}
        _, told = await browser.ask("POST", "/api/me/seats", {"links": [link]})
        assert [created["match"]] == told["tied"]
    return browser


async def taken_by(browser: Browser, created: Said) -> Said:
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"])
        await talk.hear("view")
        return await join(talk, wish(created))


async def test_an_opponent_and_whom_he_keeps_away_do_not_take_the_seat(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, _, _):
        anna = await person(weeks, "anna", created)
        carl = await person(weeks, "carl")
        await anna.ask("POST", "/api/me/blocks", {"handle": "carl"})
        codes = [(await taken_by(one, created))["code"] for one in (anna, carl)]

    assert ["not_allowed"] * 2 == codes


async def test_a_person_who_takes_over_has_the_seat_everywhere_and_who_had_it_a_line(weeks: Weeks) -> None:
    """Given a person on the seat, with a session and a line of talk; then another, who talks too."""
    async with on_offer(weeks) as (created, north, south):
        bert, carl = await person(weeks, "bert", created, 1), await person(weeks, "carl")
        await south.say("say", match=created["match"], room="table", text="Bert was here")
        await north.hear("said")
        async with bert.talking() as session:
            await session.say("hello", version=1, match=created["match"], mine=True)
            await session.hear("view")
            assert "receipt" == (await taken_by(carl, created))["t"]
            await shown_out(session, created)
        async with carl.talking() as session:
            await session.say("hello", version=1, match=created["match"], mine=True)
            assert 1 == (await session.hear("welcome"))["seat"]
            await session.say("say", match=created["match"], room="table", text="Carl is here")
            await north.hear("said")
        _, kept = await bert.ask("GET", "/api/me/export")
        _, other = await carl.ask("GET", "/api/me/export")
        _, mine = await bert.ask("GET", "/api/me/matches")
        await bert.ask("DELETE", "/api/me", {"handle": "bert"})
        said = await texts(weeks)
        left = await names(weeks)

    assert [created["match"]] == [one["match"] for one in kept["seats_before"]]
    assert [] == kept["seats"]
    assert ["Bert was here"] == [one["text"] for one in kept["chat"]]
    assert ["Carl is here"] == [one["text"] for one in other["chat"]]
    assert [] == mine["matches"]
    assert (["Carl is here"], ["someone"]) == (said, left)


async def texts(weeks: Weeks) -> list[str]:
    async with connection(weeks.server.database.read) as conn:
        return [row["text"] for row in await conn.fetch("SELECT text FROM lobby.chat ORDER BY id")]


async def names(weeks: Weeks) -> list[str]:
    async with connection(weeks.server.database.read) as conn:
        return [row["name"] for row in await conn.fetch("SELECT name FROM lobby.predecessor")]


async def test_who_was_replaced_has_lost_and_who_came_has_the_result(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, north, _):
        bert, carl = await person(weeks, "bert", created, 1), await person(weeks, "carl")
        await taken_by(carl, created)
        await north.ask("resign", match=created["match"])
        await listed(weeks, created)
        async with asyncio.timeout(10):
            while not (his := (await carl.ask("GET", "/api/people/carl/results"))[1])["matches"]:
                await asyncio.sleep(0.1)
        _, before = await bert.ask("GET", "/api/people/bert/results")

    assert [(1.0, "resignation")] == [(one["score"], one["reason"]) for one in his["matches"]]
    assert [(0.0, "replaced")] == [(one["score"], one["reason"]) for one in before["matches"]]


async def test_a_guest_who_sits_at_the_match_or_did_does_not_take_the_seat_by_that_connection(
    weeks: Weeks,
) -> None:
    async with on_offer(weeks) as (created, north, south):
        codes = [(await join(talk, wish(created)))["code"] for talk in (north, south)]
        answer, _ = await take(weeks, created)
        await shown_out(south, created)

    assert (["not_allowed"] * 2, "receipt") == (codes, answer["t"])


@pytest.mark.parametrize("seat", [0, 1])
async def test_where_a_person_has_a_seat_the_one_on_offer_is_for_persons(weeks: Weeks, seat: int) -> None:
    async with on_offer(weeks) as (created, _, _):
        before = await listed(weeks, created)
        await person(weeks, "anna", created, seat)
        after = await listed(weeks, created)
        as_guest, _ = await take(weeks, created)
        answer = await taken_by(await person(weeks, "carl"), created)

    assert [False, True] == [before["persons"], after["persons"]]
    assert ["no_session", "receipt"] == [as_guest["code"], answer["t"]]


@pytest.mark.parametrize("who", ["kept away", "the opponent"])
async def test_a_command_that_was_refused_once_is_looked_at_again_when_it_comes_again(
    weeks: Weeks, who: str
) -> None:
    """Given a command that was noted, and refused for its time zone; then its sender may not any more."""
    async with on_offer(weeks, clock=DAYS | {"nights": True}) as (created, _, _):
        carl, asked = await person(weeks, "carl"), wish(created)
        async with carl.talking() as talk:
            await look_on(talk, created)
            first = await join(talk, {**asked, "zone": "No/Where"})
        if who == "kept away":
            anna = await person(weeks, "anna", created)
            await anna.ask("POST", "/api/me/blocks", {"handle": "carl"})
        else:
            link = {"match": created["match"], "token": token(created, "seat", 0)}
            await carl.ask("POST", "/api/me/seats", {"links": [link]})
        async with carl.talking() as talk:
            await look_on(talk, created)
            again = await join(talk, asked)
        by_nobody = await joined(weeks.server, created, asked)

    assert "refused" == first["t"]
    assert ["not_allowed"] * 2 == [again["code"], by_nobody["code"]]


async def test_what_is_on_the_log_is_answered_alike_to_who_may_not_take_a_seat_now(weeks: Weeks) -> None:
    """Given a connection that has the seat by its command, and sends the command again."""
    async with on_offer(weeks) as (created, _, _), talking(weeks.server.url) as talk:
        asked = wish(created)
        await look_on(talk, created)
        first = await join(talk, asked)
        await talk.say("hello", version=1, match=created["match"], token=asked["token"])
        await talk.hear("view")
        again = await join(talk, asked)

    assert ("receipt", first) == (first["t"], again)


async def test_who_was_replaced_comes_back_to_his_own_side_alone(weeks: Weeks) -> None:
    """Given two who were replaced before, one on each side, as the lobby says."""
    async with on_offer(weeks) as (created, _, _):
        before = [await person(weeks, handle) for handle in ("anna", "bert")]
        async with connection(weeks.server.database.read) as conn:
            for seat, handle in enumerate(("anna", "bert")):
                await conn.execute(
                    "INSERT INTO lobby.predecessor (match_id, seat, until, name, hidden, person_id)"
                    " SELECT $1, $2, log.now(), name, false, id FROM people.person WHERE handle = $3",
                    created["match"],
                    seat,
                    handle,
                )
        across, own = [await taken_by(browser, created) for browser in before]

    assert ("not_allowed", "receipt") == (across["code"], own["t"])


async def test_a_report_is_about_who_said_the_line_and_made_by_who_could_read_it(weeks: Weeks) -> None:
    """Given a line of who was replaced then, and one of who came."""
    async with on_offer(weeks) as (created, north, south):
        bert, carl = await person(weeks, "bert", created, 1), await person(weeks, "carl")
        lines = [await said(south, north, created, "Bert was here")]
        lines.append(await said(north, south, created, "And who are you?"))
        assert "receipt" == (await taken_by(carl, created))["t"]
        async with carl.talking() as session:
            await session.say("hello", version=1, match=created["match"], mine=True)
            await session.hear("view")
            lines.append(await said(session, north, created, "Carl is here"))
        anna = await person(weeks, "anna", created)
        bodies = [{"match": created["match"], "line": line} for line in lines]
        by_anna = [(await anna.ask("POST", "/api/me/reports", body))[0] for body in bodies]
        by_bert = [(await bert.ask("POST", "/api/me/reports", body))[0] for body in bodies[1:]]
        async with connection(weeks.server.database.read) as conn:
            about = await conn.fetch(
                "SELECT b.handle AS by, p.handle FROM people.report r JOIN people.person b ON b.id = r.by"
                " LEFT JOIN people.person p ON p.id = r.about ORDER BY r.id"
            )

    assert ([200] * 3, [200, 404]) == (by_anna, by_bert)
    assert [("anna", "bert"), ("anna", "anna"), ("anna", "carl"), ("bert", "anna")] == list(map(tuple, about))


async def said(by: Talk, to: Talk, created: Said, text: str) -> int:
    """Say a line at the table, and return its number as another hears it."""
    await by.say("say", match=created["match"], room="table", text=text)
    line: int = (await to.hear("said", text=text))["id"]
    return line
