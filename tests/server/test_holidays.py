"""A holiday of a person, at all his matches at once; the time of days is moved on by hand."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import UUID, uuid4

import pytest

from server.http.holidays import HolidayPages
from server.serving import Serving
from tests.server.authenticator import Browser
from tests.server.talk import Said, seated, token
from tests.server.test_claims import DAYS, Weeks, seen
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture

DAY = 86_400 * 10**6


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
