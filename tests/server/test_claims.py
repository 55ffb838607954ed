"""Claims and matches called off, over the socket: time is moved on by hand, and nobody decides unasked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from domain.match.judging import judge
from server.serving import Serving
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, prompt, seated, talking
from tests.tiny import GAME

DAYS = {"bank": 3 * 86_400, "by_claim": True}
TRIAL = "UPDATE log.clock SET trial = true"


class Weeks:
    """A server whose time is moved on by hand."""

    def __init__(self, dsn: str, server: Serving) -> None:
        self.dsn, self.server, self.days = dsn, server, 0.0

    async def pass_days(self, days: float) -> None:
        """Put the time of the database ahead, and let the server notice."""
        self.days += days
        owner = await asyncpg.connect(self.dsn)
        await owner.execute("UPDATE log.clock SET shift = make_interval(secs => $1)", self.days * 86_400)
        await owner.close()
        await self.server.clock.measure()

    async def types(self, created: Said) -> list[str]:
        entries = await self.server.log.read_everything(UUID(created["match"]))
        return [entry.type for entry in entries]

    async def is_true(self, created: Said) -> bool:
        """Whether the match as it stands on the log is judged to be true."""
        commands = list[list[Any]]()
        for entry in await self.server.log.read_everything(UUID(created["match"])):
            if entry.index == 0:
                commands.append([])
            commands[-1].append(entry)
        return judge(GAME, commands) is None


@pytest.fixture
async def weeks(dsn: str, folder: Path) -> AsyncIterator[Weeks]:
    await on_trial(dsn)
    async with running(dsn, folder) as server:
        yield Weeks(dsn, server)


async def on_trial(dsn: str) -> None:
    """Let the time of a database be moved on."""
    owner = await asyncpg.connect(dsn)
    await owner.execute(TRIAL)
    await owner.close()


@asynccontextmanager
async def waiting(url: str, **wish: Any) -> AsyncIterator[tuple[Said, Talk, Talk]]:
    """Begin a match in which seat 1 is asked and seat 0 has decided, and waits."""
    async with seated(url, **wish) as (created, north, south):
        await prompt(south, 1)
        await decide(north, created, 0)
        yield created, north, south


async def decide(talk: Talk, created: Said, seat: int) -> Said:
    upto, options = await prompt(talk, seat)
    return await talk.ask("decide", match=created["match"], answers=upto, decision=options[0])


async def claim(talk: Talk, created: Said, choice: str = "default", seat: int = 1) -> Said:
    return await talk.ask("claim", match=created["match"], seat=seat, choice=choice)


async def seen(url: str, created: Said) -> Said:
    async with talking(url) as onlooker:
        view: Said = (await enter(onlooker, created))["view"]
        return view


async def test_where_who_waits_claims_the_server_decides_for_nobody(weeks: Weeks) -> None:
    async with waiting(weeks.server.url, clock=DAYS) as (created, north, south):
        assert "no_time_out" == (await claim(north, created))["code"]
        assert UUID(created["match"]) not in weeks.server.clockwork._timers
        await weeks.pass_days(4)
        decided = await decide(south, created, 1)

        assert "receipt" == decided["t"]
        assert "TimeOutClaimed" not in await weeks.types(created)


async def test_a_claimed_time_out_is_decided_by_the_rules_and_leaves_a_day(weeks: Weeks) -> None:
    async with waiting(weeks.server.url, clock=DAYS) as (created, north, _):
        await weeks.pass_days(4)
        answer = await claim(north, created)
        view = await seen(weeks.server.url, created)

    assert "receipt" == answer["t"]
    assert {"1": 1} == view["clocks"]["late"]
    assert 86_400 * 10**6 == view["clocks"]["left"]["1"]
    assert await weeks.is_true(created)


async def test_of_three_time_outs_in_a_row_the_third_may_be_claimed_as_a_win(weeks: Weeks) -> None:
    """Given a seat that stays away: whoever waits plays on twice, deciding when asked, and then has won."""
    async with waiting(weeks.server.url, scenario="campaign", clock=DAYS) as (created, north, _):
        claimed = 0
        while claimed < 2:
            await weeks.pass_days(4)
            early = await claim(north, created, "win")
            assert ("refused", "no_time_out") == (early["t"], early["code"])
            assert "receipt" == (await claim(north, created))["t"]
            claimed += 1
            while 0 in (await seen(weeks.server.url, created))["asked"]:
                await hear_up_to(north, created, weeks)
                await decide(north, created, 0)
        await weeks.pass_days(4)
        won = await claim(north, created, "win")
        told = await weeks.types(created)

    assert "receipt" == won["t"]
    assert ["WinClaimed", "GameEnded", "Ended"] == told[-3:]
    assert (await seen(weeks.server.url, created))["match"]["winner"] == 0
    assert await weeks.is_true(created)


async def hear_up_to(talk: Talk, created: Said, weeks: Weeks) -> None:
    """Hear all frames up to the head of the match."""
    head = len(await weeks.types(created))
    while not any(said.get("upto") == head for said in talk.heard):
        await talk.hear("frame", "view")


async def test_who_is_asked_claims_nothing_and_without_a_clock_no_time_runs_out(weeks: Weeks) -> None:
    async with waiting(weeks.server.url) as (created, north, south):
        await weeks.pass_days(13)
        codes = [(await claim(north, created, choice))["code"] for choice in ("default", "win", "off")]
        await weeks.pass_days(2)
        mine = (await claim(south, created, "win", seat=0))["code"]

    assert ["no_time_out"] * 3 == codes
    assert "not_allowed" == mine


@pytest.mark.parametrize(("choice", "winner"), [("win", 0), ("off", None)])
async def test_without_a_clock_who_waited_14_days_chooses_how_it_ends(
    weeks: Weeks, choice: str, winner: int | None
) -> None:
    async with waiting(weeks.server.url) as (created, north, _):
        await weeks.pass_days(15)
        answer = await claim(north, created, choice)
        match = (await seen(weeks.server.url, created))["match"]

    assert "receipt" == answer["t"]
    assert (True, winner) == (match["over"], match.get("winner"))
    assert await weeks.is_true(created)


async def test_a_match_is_called_off_before_both_have_decided_and_sent_again_it_is_answered_alike(
    weeks: Weeks,
) -> None:
    async with waiting(weeks.server.url) as (created, _, south):
        assert (await seen(weeks.server.url, created))["early"]
        command = "0d9f2a52-2f0a-4a1e-9a53-5d3f1b1e7c10"
        first = await south.ask("call_off", match=created["match"], command=command)
        again = await south.ask("call_off", match=created["match"], command=command)
        view = await seen(weeks.server.url, created)

    assert "receipt" == first["t"]
    assert first == again
    assert (True, "called off") == (view["match"]["over"], view["match"]["reason"])
    assert "winner" not in view["match"]
    assert "early" not in view
    assert await weeks.is_true(created)


async def test_once_both_have_decided_nobody_calls_the_match_off(weeks: Weeks) -> None:
    async with waiting(weeks.server.url) as (created, north, south):
        await decide(south, created, 1)
        answer = await north.ask("call_off", match=created["match"])

    assert "too_late" == answer["code"]
    assert "early" not in await seen(weeks.server.url, created)


async def test_on_holiday_no_time_runs_out_and_back_early_it_runs_on(weeks: Weeks) -> None:
    async with waiting(weeks.server.url, clock=DAYS) as (created, north, south):
        gone = await south.ask("holiday", match=created["match"], days=14)
        again = await south.ask("holiday", match=created["match"], days=1)
        await weeks.pass_days(12)
        asleep = await claim(north, created)
        back = await south.ask("holiday", match=created["match"], days=0)
        await weeks.pass_days(4)
        late = await claim(north, created)

    assert ["receipt"] * 3 == [gone["t"], back["t"], late["t"]]
    assert ["no_holiday", "no_time_out"] == [again["code"], asleep["code"]]
    assert await weeks.is_true(created)


async def test_a_holiday_ends_by_itself_and_is_shown_to_all(weeks: Weeks) -> None:
    async with waiting(weeks.server.url, clock=DAYS) as (created, north, south):
        await south.ask("holiday", match=created["match"], days=2)
        holidays = (await seen(weeks.server.url, created))["match"]["holidays"]["1"]
        await weeks.pass_days(4.9)
        early = await claim(north, created)
        await weeks.pass_days(0.2)
        late = await claim(north, created)

    assert [2 * 86_400 * 10**6] == [one["until"] - one["since"] for one in holidays]
    assert ("no_time_out", "receipt") == (early["code"], late["t"])


async def test_behind_a_restart_an_order_is_carried_out_and_no_time_out_where_who_waits_claims(
    dsn: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a seat that is out of time and has ordered its decision, which falls later than a timer would."""
    await on_trial(dsn)
    async with running(dsn, folder) as before, waiting(before.url, clock=DAYS) as (created, _, _):
        await Weeks(dsn, before).pass_days(4)
    monkeypatch.setattr(GAME, "ordered", GAME.default)

    async with running(dsn, folder, think=0.2) as after, asyncio.timeout(10):
        match = UUID(created["match"])
        while b'"how":"ordered"' not in b"".join(one.body for one in await after.log.read_everything(match)):
            await asyncio.sleep(0.05)
        types = await Weeks(dsn, after).types(created)

    assert "TimeOutClaimed" not in types


async def test_who_looks_on_claims_nothing_and_calls_nothing_off(weeks: Weeks) -> None:
    async with waiting(weeks.server.url) as (created, _, _), talking(weeks.server.url) as onlooker:
        await enter(onlooker, created)
        answers = [
            await claim(onlooker, created, "win"),
            await onlooker.ask("call_off", match=created["match"]),
        ]

    assert ["not_seated"] * 2 == [answer["code"] for answer in answers]
