"""Tournaments for tests: persons and bots who enter one, and what is read of it."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

from tests.server.authenticator import Browser, Said

PERSONS = ("anna", "bert", "carl", "dora", "emil", "fred", "gina", "hans")


async def signed_up(url: str, handle: str) -> Browser:
    """Sign somebody up."""
    browser = Browser(url)
    await browser.sign_up(handle, name=handle.title())
    return browser


async def made(director: Browser, **wish: Any) -> str:
    """Make a tournament and return its id."""
    body = {"command": str(uuid4()), "name": "Winter cup", "title": "tiny", "scenario": "skirmish"}
    status, told = await director.ask("POST", "/api/tournaments", {**body, "kind": "swiss", **wish})
    assert status == 200, told
    return str(told["info"]["id"])


async def done(browser: Browser, verb: str, tournament: str, what: str, body: Said | None = None) -> Said:
    """Do something that is to succeed."""
    status, told = await browser.ask(verb, f"/api/tournaments/{tournament}/{what}", body)
    assert status == 200, told
    return told


async def refused(browser: Browser, verb: str, tournament: str, what: str, body: Said | None = None) -> str:
    """Do something that is to be refused, and return the code."""
    status, told = await browser.ask(verb, f"/api/tournaments/{tournament}/{what}", body)
    assert status >= 400, told
    assert told["reason"]
    return str(told["code"])


async def begun(url: str, count: int, **wish: Any) -> tuple[str, list[Browser]]:
    """Start a tournament of so many persons, the first of whom directs it, without playing anything."""
    persons = [await signed_up(url, handle) for handle in PERSONS[:count]]
    return await _begun(persons[0], persons, **wish), persons


async def directed(url: str, count: int, **wish: Any) -> tuple[str, Browser, list[Browser]]:
    """Start a tournament of so many persons, directed by somebody else, who rules on all."""
    persons = [await signed_up(url, handle) for handle in PERSONS[:count]]
    director = await signed_up(url, "zora")
    return await _begun(director, persons, **wish), director, persons


async def _begun(director: Browser, persons: Sequence[Browser], **wish: Any) -> str:
    tournament = await made(director, **wish)
    for one in persons:
        await done(one, "POST", tournament, "entry")
    await done(director, "POST", tournament, "start")
    return tournament


async def read(browser: Browser, tournament: str) -> Said:
    """Read a tournament."""
    status, told = await browser.ask("GET", f"/api/tournaments/{tournament}")
    assert status == 200, told
    return told


async def until(
    browser: Browser, tournament: str, holds: Callable[[Said], bool], limit: float = 10.0
) -> Said:
    """Read a tournament until something holds of it."""
    async with asyncio.timeout(limit):
        while not holds(told := await read(browser, tournament)):
            await asyncio.sleep(0.05)
    return told


def pairings(told: Said, number: int = 0) -> list[Said]:
    """Return the pairings of a round, of the latest if none is told."""
    found: list[Said] = told["rounds"][number - 1]["pairings"]
    return found


def all_made(told: Said) -> bool:
    """Whether every pairing that is played has its match."""
    return bool(told["rounds"]) and all(
        pair["match"] is not None for one in told["rounds"] for pair in one["pairings"] if pair["how"] is None
    )


async def rule(director: Browser, tournament: str, what: str, **of: Any) -> Said:
    """Rule something."""
    return await done(director, "POST", tournament, "rulings", {"what": what, "reason": "As agreed", **of})


async def adjudicate(director: Browser, tournament: str, points: Callable[[Said], float]) -> Said:
    """Rule all that is open in the latest round, and return how the tournament stands then."""
    told = await read(director, tournament)
    for pair in pairings(told):
        if pair["how"] is None:
            told = await rule(director, tournament, "adjudicate", pairing=pair["number"], points=points(pair))
    return told


def table(told: Said) -> Sequence[tuple[int, str, float]]:
    """Return the table: place, handle, points."""
    names = {one["number"]: one["player"]["handle"] for one in told["entrants"]}
    return [(row["place"], names[row["entrant"]], row["points"]) for row in told["standings"]]
