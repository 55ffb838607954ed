"""Hours that seats keep, over the socket: said by a zone when one sits down, and kept by clocks."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from server.serving import Serving
from tests.conftest import running
from tests.server.authenticator import Browser
from tests.server.talk import Said, Talk, enter, offer, sit, talking

NIGHTS = {"bank": 1, "nights": True}
TRIAL = "UPDATE log.clock SET trial = true"


@asynccontextmanager
async def begun(
    url: str, *hours: dict[str, Any], clock: dict[str, Any]
) -> AsyncIterator[tuple[Said, list[Talk]]]:
    """Offer a match with such a clock and begin it, each of two seats with its hours."""
    created = await offer(url, clock=clock)
    async with talking(url) as north, talking(url) as south:
        talks, nonces = [north, south], [secrets.token_bytes(16) for _ in range(2)]
        for seat, talk in enumerate(talks):
            await enter(talk, created, seat)
            promise = hashlib.sha256(nonces[seat]).hexdigest()
            assert "receipt" == (await sit(talk, created, promise=promise, **hours[seat]))["t"]
        for seat, talk in enumerate(talks):
            await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())
        yield created, talks


async def seen(url: str, created: Said) -> Said:
    async with talking(url) as onlooker:
        view: Said = (await enter(onlooker, created))["view"]
        return view


async def shifted(dsn: str, server: Serving, hours: int) -> None:
    """Put the time of the database ahead, and let the server notice."""
    owner = await asyncpg.connect(dsn)
    await owner.execute("UPDATE log.clock SET shift = make_interval(hours => $1)", hours)
    await owner.close()
    await server.clock.measure()


async def test_whoever_sits_down_says_by_zone_when_its_night_is_and_all_see_it(server: Serving) -> None:
    hours = {"zone": "Asia/Kolkata", "night": 1380}
    async with begun(server.url, hours, {}, clock={"bank": 60, "nights": True}) as (created, _):
        match = (await seen(server.url, created))["match"]

    (_, ahead), *others = match["hours"]["0"]["offsets"]
    assert (5 * 3600 + 1800, []) == (ahead, others)
    assert 1380 == match["hours"]["0"]["night"]
    assert ["0"] == list(match["hours"])
    assert {"bank": 60, "increment": 0, "cap": 0, "nights": True, "rewinds": True} == match["clock"]


async def test_where_no_clock_goes_by_it_nothing_is_told_of_a_zone(server: Serving) -> None:
    hours = {"zone": "Asia/Kolkata", "night": 1380}
    async with begun(server.url, hours, hours, clock={"bank": 60}) as (created, _):
        view = await seen(server.url, created)
        facts = [entry.type for entry in await server.log.read_everything(UUID(created["match"]))]

    assert "hours" not in view["match"]
    assert "HoursFixed" not in facts


@pytest.mark.parametrize("hours", [{"zone": "Mars/Olympus"}, {"zone": "Europe/Berlin", "night": 1440}])
async def test_hours_that_cannot_be_are_refused_and_the_seat_is_still_free(
    server: Serving, hours: dict[str, Any]
) -> None:
    created = await offer(server.url, clock=NIGHTS)
    async with talking(server.url) as talk:
        await enter(talk, created, 0)

        refused = await sit(talk, created, **hours)
        taken = await sit(talk, created, zone="Europe/Berlin", night=1380)

    assert ("refused", "bad_hours") == (refused["t"], refused["code"])
    assert "receipt" == taken["t"]


async def test_where_a_clock_has_weekends_alone_no_night_is_kept(server: Serving) -> None:
    hours = {"zone": "Asia/Kolkata", "night": 1380}
    async with begun(server.url, hours, {}, clock={"bank": 60, "weekends": True}) as (created, _):
        match = (await seen(server.url, created))["match"]

    assert ["offsets"] == list(match["hours"]["0"])


async def test_who_joins_from_the_lobby_says_its_hours_too(server: Serving) -> None:
    created = await offer(server.url, clock=NIGHTS)
    async with talking(server.url) as talk:
        await enter(talk, created)
        promise, token = secrets.token_hex(32), "A" * 27
        joined = await talk.ask(
            "join", match=created["match"], seat=1, token=token, promise=promise, zone="Asia/Tokyo", night=0
        )

        match = (await seen(server.url, created))["match"]

    assert "receipt" == joined["t"]
    assert 32400 == match["hours"]["1"]["offsets"][0][1]


async def test_the_same_sitting_down_sent_again_is_answered_alike(server: Serving) -> None:
    created = await offer(server.url, clock=NIGHTS)
    async with talking(server.url) as talk:
        await enter(talk, created, 0)
        same = {"promise": secrets.token_hex(32), "token": "B" * 27, "zone": "UTC", "night": 60}
        command = "6f0f2f6e-36a6-4b3c-8f51-0d3c1f1f8a11"
        first = await talk.ask("sit", match=created["match"], command=command, **same)
        again = await talk.ask("sit", match=created["match"], command=command, **same)

    assert first == again
    assert "receipt" == first["t"]


async def test_nobody_runs_out_of_time_in_its_night_and_in_the_morning_it_is_decided(
    dsn: str, folder: Path
) -> None:
    """Given two seats whose night began half an hour ago, and a second of time each."""
    owner = await asyncpg.connect(dsn)
    await owner.execute(TRIAL)
    await owner.close()
    now = datetime.now(UTC)
    asleep = {"zone": "UTC", "night": (now.hour * 60 + now.minute - 30) % 1440}
    async with running(dsn, folder) as server:
        async with begun(server.url, asleep, asleep, clock=NIGHTS) as (created, (north, south)):
            await shifted(dsn, server, 6)
            for talk, other in ((north, 1), (south, 0)):
                answer = await talk.ask("claim", match=created["match"], seat=other)
                assert "no_time_out" == answer["code"]
        match = UUID(created["match"])
        assert "TimeOutClaimed" not in [entry.type for entry in await server.log.read_everything(match)]
        await shifted(dsn, server, 8)

    async with running(dsn, folder) as server, asyncio.timeout(10):
        while "TimeOutClaimed" not in [entry.type for entry in await server.log.read_everything(match)]:
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("said", "night", "ahead"), [({}, 1380, 19_800), ({"zone": "Asia/Tokyo", "night": 60}, 60, 32_400)]
)
async def test_a_person_keeps_the_night_of_his_page_as_it_was_when_he_sat_down_unless_he_says_another(
    server: Serving, said: Said, night: int, ahead: int
) -> None:
    browser = Browser(server.url)
    await browser.sign_up("anna", zone="Asia/Kolkata", night=23)
    created = await offer(server.url, clock={"bank": 60, "nights": True})
    async with browser.talking() as talk:
        await enter(talk, created, 0)
        answer = await sit(talk, created, **said)
    status, _ = await browser.ask("PATCH", "/api/me", {"night": 5})
    async with talking(server.url) as onlooker:
        hours = (await enter(onlooker, created))["view"]["match"]["hours"]["0"]

    assert ("receipt", 200) == (answer["t"], status)
    assert (night, ahead) == (hours["night"], hours["offsets"][0][1])


async def test_a_person_without_a_night_has_none_in_a_match(server: Serving) -> None:
    browser = Browser(server.url)
    await browser.sign_up("anna", zone="Asia/Kolkata")
    created = await offer(server.url, clock={"bank": 60, "nights": True, "weekends": True})
    async with browser.talking() as talk:
        await enter(talk, created, 0)
        await sit(talk, created)
    async with talking(server.url) as onlooker:
        hours = (await enter(onlooker, created))["view"]["match"]["hours"]["0"]

    assert "night" not in hours
    assert 19_800 == hours["offsets"][0][1]
