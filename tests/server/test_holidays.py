"""A holiday of a person, at all his matches at once; the time of days is moved on by hand."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import pytest

from server.http.holidays import HolidayPages
from server.people import holidays
from server.people.holidays import Holidays
from server.play.matches import StoredCommand
from server.postgres.database import connection
from server.serving import Serving
from tests.server.authenticator import Browser
from tests.server.noticed import owner_of
from tests.server.talk import Said, Talk, enter, offer, seated, sit, talking, token
from tests.server.test_claims import DAYS, Weeks, seen
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture
from tests.server.test_replacing import on_offer, person, taken_by

DAY = 86_400 * 10**6


@pytest.fixture(autouse=True)
def between_looks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a server look for holidays by itself so many seconds after the first time, or never."""
    monkeypatch.setattr(holidays, "LOOK", getattr(request, "param", 3600.0))


class Player:
    """A person with a seat in several matches."""

    def __init__(self, browser: Browser, url: str, matches: list[Said]) -> None:
        self.browser, self.url, self.matches = browser, url, matches

    async def away(self, days: int, command: UUID | None = None) -> tuple[int, Said]:
        body = {"days": days, "command": str(command or uuid4())}
        return await self.browser.ask("POST", "/api/me/holiday", body)

    async def days(self, place: int) -> list[float]:
        """The days of each holiday in one of the matches."""
        match = (await seen(self.url, self.matches[place]))["match"]
        return [(one["until"] - one["since"]) / DAY for one in match.get("holidays", {}).get("0", [])]

    def ids(self, *places: int) -> list[str]:
        return sorted(self.matches[place]["match"] for place in places)


@pytest.fixture
async def anna(weeks: Weeks) -> AsyncIterator[Player]:
    """Somebody who plays two matches by claims, one with a clock of minutes, and one without a clock."""
    url, browser = weeks.server.url, Browser(weeks.server.url)
    await browser.sign_up("anna")
    clocks: list[Any] = [DAYS, DAYS, {"bank": 600}, None]
    async with AsyncExitStack() as stack:
        matches = [(await stack.enter_async_context(seated(url, clock=clock)))[0] for clock in clocks]
        links = [{"match": one["match"], "token": token(one, "seat", 0)} for one in matches]
        await browser.ask("POST", "/api/me/seats", {"links": links})
        yield Player(browser, url, matches)


async def test_a_holiday_is_said_at_all_matches_that_have_such_a_clock_and_ended_at_all(
    weeks: Weeks, anna: Player
) -> None:
    status, told = await anna.away(7)
    began = [await anna.days(place) for place in range(4)]
    await weeks.pass_days(2.5)
    _, back = await anna.away(0)
    ended = [await anna.days(place) for place in range(4)]

    assert 200 == status
    assert anna.ids(0, 1) == [one["match"] for one in told["matches"]]
    assert [""] * 4 == [one["code"] for one in (*told["matches"], *back["matches"])]
    assert [[7.0], [7.0], [], []] == began
    assert [[2.5], [2.5]] == [[round(one, 1) for one in days] for days in ended[:2]]


async def test_a_match_that_refuses_says_why_and_keeps_no_other_from_being_done(
    weeks: Weeks, anna: Player
) -> None:
    """Given that of one match fewer days of the year are left than are asked for."""
    first = anna.matches[0]["match"]
    async with anna.browser.talking() as talk:
        await talk.say("hello", version=1, match=first, mine=True)
        await talk.hear("view")
        for _ in range(2):
            await talk.ask("holiday", match=first, days=14)
            await weeks.pass_days(weeks.days + 15)
    _, told = await anna.away(3)
    by_match = {one["match"]: (one["code"], one["reason"]) for one in told["matches"]}

    assert ("no_holiday", "of 30 days a year 2 are left") == by_match[first]
    assert ("", "") == by_match[anna.matches[1]["match"]]
    assert [3.0] == await anna.days(1)


async def test_sent_again_after_a_kill_in_the_middle_it_does_what_is_left_and_nothing_twice(
    anna: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, say, left = uuid4(), HolidayPages._say, [1]

    async def once(pages: HolidayPages, *given: Any) -> tuple[str, str]:
        if not left:
            raise ConnectionError
        left.pop()
        return await say(pages, *given)

    with monkeypatch.context() as patch:
        patch.setattr(HolidayPages, "_say", once)
        status, _ = await anna.away(5, command)
    half = sorted([await anna.days(0), await anna.days(1)])
    _, told = await anna.away(5, command)
    whole = [await anna.days(0), await anna.days(1)]
    _, another = await anna.away(5)

    assert 200 != status
    assert [[], [5.0]] == half
    assert [[5.0], [5.0]] == whole
    assert ["", ""] == [one["code"] for one in told["matches"]]
    assert ["no_holiday"] * 2 == [one["code"] for one in another["matches"]]


@pytest.mark.parametrize("days", [-1, 15])
async def test_a_holiday_is_not_longer_than_one_may_be(anna: Player, days: int) -> None:
    status, told = await anna.away(days)

    assert (400, "no_holiday") == (status, told["code"])
    assert [] == await anna.days(0)


async def test_a_guest_has_no_matches_to_go_on_holiday_from(server: Serving) -> None:
    body = {"days": 3, "command": str(uuid4())}
    status, told = await Browser(server.url).ask("POST", "/api/me/holiday", body)

    assert (401, "no_session") == (status, told["code"])


class Beginning:
    """A match in which both have sat down, and nobody has shown his nonce."""

    def __init__(self, created: Said, talks: list[Talk], nonces: list[bytes]) -> None:
        self.created, self._talks, self._nonces = created, talks, nonces

    async def begins(self) -> None:
        for talk, nonce in zip(self._talks, self._nonces, strict=True):
            await talk.ask("show", match=self.created["match"], nonce=nonce.hex())


@asynccontextmanager
async def about_to_begin(anna: Player, clock: Any) -> AsyncIterator[Beginning]:
    """Let anna and somebody else sit down; the match is the last of hers."""
    created = await offer(anna.url, clock=clock)
    async with talking(anna.url) as north, talking(anna.url) as south:
        nonces = [secrets.token_bytes(16) for _ in range(2)]
        for seat, talk in enumerate((north, south)):
            await enter(talk, created, seat)
            await sit(talk, created, promise=hashlib.sha256(nonces[seat]).hexdigest())
        link = {"match": created["match"], "token": token(created, "seat", 0)}
        await anna.browser.ask("POST", "/api/me/seats", {"links": [link]})
        anna.matches.append(created)
        yield Beginning(created, [north, south], nonces)


async def told(weeks: Weeks, created: Said, seat: int = 0) -> None:
    """Wait until a holiday is said at a seat, or refused there; look by hand where nobody else does."""
    async with asyncio.timeout(10):
        while f"{created['match']} {seat}" not in await noted(weeks):
            if holidays.LOOK > 1:
                await weeks.server.away.lasting.look()
            await asyncio.sleep(0.02)


async def noted(weeks: Weeks) -> list[str]:
    """Return the seats at which holidays are said."""
    async with connection(weeks.server.database.read) as conn:
        return [one for row in await conn.fetch("SELECT told FROM people.holiday") for one in row["told"]]


async def began(weeks: Weeks, created: Said) -> int:
    """Return how many holidays have begun in a match."""
    return (await weeks.types(created)).count("HolidayBegan")


@pytest.mark.parametrize("between_looks", [0.05], indirect=True)
async def test_a_match_that_begins_while_it_lasts_has_what_is_left_of_it(weeks: Weeks, anna: Player) -> None:
    """Given seven days, of which two and a half have passed; and a clock of minutes, which has none."""
    async with about_to_begin(anna, DAYS) as days, about_to_begin(anna, {"bank": 600}) as minutes:
        _, said = await anna.away(7)
        await weeks.pass_days(2.5)
        before = await anna.days(4)
        for one in (days, minutes):
            await one.begins()
            await told(weeks, one.created)
        rest = [await anna.days(4), await anna.days(5)]
        await weeks.pass_days(4)
        _, back = await anna.away(0)
        left = (await seen(anna.url, days.created))["clocks"]["left"]["0"]
        true = await weeks.is_true(days.created)

    assert anna.ids(0, 1) == [one["match"] for one in said["matches"]]
    assert [] == before
    assert [[5.0], []] == rest
    assert DAYS["bank"] - 60 < left / 10**6
    assert anna.ids(0, 1, 4) == [one["match"] for one in back["matches"] if not one["code"]]
    assert (True, None) == (said["until"] is not None, back["until"])
    assert true


async def test_the_others_of_such_a_match_are_told_as_of_any_holiday(weeks: Weeks, anna: Player) -> None:
    async with about_to_begin(anna, DAYS) as one:
        await anna.away(3)
        await one.begins()
        await told(weeks, one.created)
        async with talking(anna.url) as south:
            match = (await enter(south, one.created, 1))["view"]["match"]

    assert {"0": 1} == {seat: len(said) for seat, said in match["holidays"].items()}


async def test_who_takes_a_seat_over_on_his_holiday_has_the_rest_there(weeks: Weeks) -> None:
    async with on_offer(weeks) as (created, _, _):
        carl = await person(weeks, "carl")
        await carl.ask("POST", "/api/me/holiday", {"days": 4, "command": str(uuid4())})
        assert "receipt" == (await taken_by(carl, created))["t"]
        await told(weeks, created, 1)
        match = (await seen(weeks.server.url, created))["match"]

    assert [4.0] == [(one["until"] - one["since"]) / DAY for one in match["holidays"]["1"]]


async def test_a_match_that_begins_after_he_is_back_has_none(weeks: Weeks, anna: Player) -> None:
    """Given one who comes back at once, and whose request to go comes once more, late."""
    command = uuid4()
    async with about_to_begin(anna, DAYS) as one:
        await anna.away(7, command)
        await anna.away(0)
        await anna.away(7, command)
        await one.begins()
        async with asyncio.timeout(10):
            while not await listed_as_begun(weeks, one.created):
                await asyncio.sleep(0.02)
        await weeks.server.away.lasting.look()

    assert 0 == await began(weeks, one.created)


async def test_a_holiday_is_kept_for_30_days_after_its_end_and_no_longer(weeks: Weeks) -> None:
    """Given a request for it that comes once more, late: it begins no other while the first is kept."""
    carl, asked = await person(weeks, "carl"), {"days": 3, "command": str(uuid4())}
    await carl.ask("POST", "/api/me/holiday", asked)
    await weeks.pass_days(3 + 29.9)
    await weeks.server.away.lasting.look()
    _, again = await carl.ask("POST", "/api/me/holiday", asked)
    kept = await holidays_kept(weeks)
    await weeks.pass_days(0.2)
    await weeks.server.away.lasting.look()

    assert (None, 1) == (again["until"], kept)
    assert 0 == await holidays_kept(weeks)


async def holidays_kept(weeks: Weeks) -> int:
    async with connection(weeks.server.database.read) as conn:
        return int(await conn.fetchval("SELECT count(*) FROM people.holiday"))


async def listed_as_begun(weeks: Weeks, created: Said) -> bool:
    async with connection(weeks.server.database.read) as conn:
        query = "SELECT true FROM view.standings WHERE match_id = $1 AND started"
        return bool(await conn.fetchval(query, UUID(created["match"])))


class Matches:
    """The matches of a server, with something in the way of their commands."""

    def __init__(self, weeks: Weeks) -> None:
        self._matches, self.now = weeks.server.matches, weeks.server.matches.now
        self.asked, self.breaks = 0, False
        self.under_way, self.go = asyncio.Event(), asyncio.Event()
        self.go.set()

    async def command(self, *given: Any, **more: Any) -> StoredCommand:
        self.asked += 1
        stored = await self._matches.command(*given, **more)
        self.under_way.set()
        await self.go.wait()
        if self.breaks:
            raise ConnectionError
        return stored


def another_node(weeks: Weeks, matches: Matches) -> Holidays:
    return Holidays(weeks.server.database.http, matches)  # type: ignore[arg-type]


async def test_broken_off_when_it_was_said_and_by_two_nodes_at_once_it_is_said_once(
    weeks: Weeks, anna: Player
) -> None:
    async with about_to_begin(anna, DAYS) as one:
        await anna.away(7)
        for created in anna.matches[:3]:
            await told(weeks, created)
        matches = Matches(weeks)
        matches.breaks = True
        node = another_node(weeks, matches)
        await one.begins()
        async with asyncio.timeout(10):
            while not matches.asked:
                await node.look()
        at = f"{one.created['match']} 0"
        broken = [await began(weeks, one.created), at in await noted(weeks)]
        matches.breaks = False
        await asyncio.gather(node.look(), weeks.server.away.lasting.look())
        whole = [await began(weeks, one.created), at in await noted(weeks)]

    assert [1, False] == broken
    assert [1, True] == whole


async def test_who_comes_back_while_it_is_said_somewhere_is_back_there_too(
    weeks: Weeks, anna: Player
) -> None:
    async with about_to_begin(anna, DAYS) as one:
        await anna.away(7)
        for created in anna.matches[:3]:
            await told(weeks, created)
        matches = Matches(weeks)
        matches.go.clear()
        await one.begins()
        node = another_node(weeks, matches)
        async with asyncio.timeout(10), asyncio.TaskGroup() as group:
            while not await listed_as_begun(weeks, one.created):
                await asyncio.sleep(0.02)
            group.create_task(node.look())
            await matches.under_way.wait()
            back = group.create_task(anna.away(0))
            while not await somebody_waits(weeks):
                await asyncio.sleep(0.02)
            matches.go.set()
        _, answer = back.result()
        types = await weeks.types(one.created)

    assert one.created["match"] in {said["match"] for said in answer["matches"] if not said["code"]}
    assert ["HolidayBegan", "HolidayEnded"] == [one for one in types if one.startswith("Holiday")]


async def somebody_waits(weeks: Weeks) -> bool:
    """Whether a statement waits for a lock, as the owner of the database alone is told."""
    owner = await owner_of(weeks.dsn)
    found = await owner.fetchval(
        "SELECT EXISTS (SELECT FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock')"
    )
    await owner.close()
    return bool(found)


async def test_a_match_that_refuses_it_for_good_is_not_asked_again(weeks: Weeks, anna: Player) -> None:
    """Given that of one match fewer days of the year are left than are asked for."""
    first = anna.matches[0]
    async with anna.browser.talking() as talk:
        await talk.say("hello", version=1, match=first["match"], mine=True)
        await talk.hear("view")
        for _ in range(2):
            await talk.ask("holiday", match=first["match"], days=14)
            await weeks.pass_days(weeks.days + 15)
    await anna.away(3)
    for created in anna.matches[:3]:
        await told(weeks, created)
    matches = Matches(weeks)
    await another_node(weeks, matches).look()

    assert (0, 2, [3.0]) == (matches.asked, await began(weeks, first), await anna.days(1))
