"""Bots claim time-outs over weeks, as defaults and never as wins; time is moved on by hand."""

import asyncio
import secrets
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import pytest

from clients import player
from clients.bots import any_legal
from clients.links import place
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, offer, prompt, sit, talking, token
from tests.server.test_claims import DAYS, Weeks, on_trial
from tests.server.test_claims import weeks as weeks  # noqa: PLC0414 a fixture


async def begin(talk: Talk, created: Said, seat: int = 1) -> None:
    """Take a seat opposite a bot, and wait until one is asked while the bot waits."""
    nonce = secrets.token_bytes(16)
    await enter(talk, created, seat)
    await sit(talk, created, promise=sha256(nonce).hexdigest())
    async with asyncio.timeout(10):
        while (await talk.ask("show", match=created["match"], nonce=nonce.hex()))["t"] == "refused":
            await asyncio.sleep(0.05)  # the bot has not sat down yet
        await prompt(talk, seat)
        while not any(said.get("patch", {}).get("asked") == [seat] for said in talk.heard):
            await talk.hear("frame")


async def claimed(weeks: Weeks, created: Said) -> list[bytes]:
    """Wait for the first claim of a time-out, and return all claims."""
    async with asyncio.timeout(15):
        while True:
            entries = await weeks.server.log.read_everything(UUID(created["match"]))
            claims = [one.body for one in entries if one.type in ("TimeOutClaimed", "WinClaimed")]
            if claims:
                return claims
            await asyncio.sleep(0.05)


async def test_a_bot_of_the_house_claims_the_default_at_the_deadline_though_it_sleeps(
    dsn: str, folder: Path
) -> None:
    await on_trial(dsn)
    async with running(dsn, folder) as before, talking(before.url) as south:
        created = await offer(before.url, clock=DAYS, bots={"0": "random"})
        await begin(south, created)
        early = await Weeks(dsn, before).types(created)
        await Weeks(dsn, before).pass_days(4)

    async with running(dsn, folder) as after:
        claims = await claimed(Weeks(dsn, after), created)
        true = await Weeks(dsn, after).is_true(created)

    assert "TimeOutClaimed" not in early
    assert b'"TimeOutClaimed","seat":1,"by":0' in claims[0]
    assert not [claim for claim in claims if b"WinClaimed" in claim]
    assert true


async def test_a_bot_that_came_by_a_link_asks_while_it_waits_and_claims_when_time_is_out(
    weeks: Weeks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "ASK", 0.1)
    monkeypatch.setattr(player, "ASK_AT_MOST", 0.2)
    created = await offer(weeks.server.url, clock=DAYS)
    link = place(f"{weeks.server.url}/match/{created['match']}#{token(created, 'seat', 0)}")
    playing = asyncio.create_task(player.play(link, any_legal.choose))
    async with talking(weeks.server.url) as south:
        await begin(south, created)
        early = await weeks.types(created)
        await weeks.pass_days(4)
        claims = await claimed(weeks, created)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)

    assert "TimeOutClaimed" not in early
    assert b'"TimeOutClaimed","seat":1,"by":0' in claims[0]
