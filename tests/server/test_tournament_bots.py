"""A tournament of registered bots, which play over sockets by their tokens, from entry to places."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest

from clients.bots import strengths
from clients.links import Place
from clients.player import Outcome, play
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.meets import PERSONS, done, made, pairings, read, signed_up, table, until
from tests.server.test_people_bots import BOTH

LIMIT = 240.0
"""Seconds after which a tournament is given up."""


class Bot:
    """A bot of a person, which plays whatever waits for it."""

    def __init__(self, owner: Browser, handle: str, token: str, nonces: Path) -> None:
        self.owner, self.handle, self._nonces = owner, handle, nonces
        self.authorization = {"Authorization": f"Bearer {token}"}
        self.dismissed = False
        self.played: dict[str, Outcome] = {}
        """By match, how it ended."""

    async def enter(self, tournament: str) -> int:
        """Enter by its own token, and return the status of the answer."""
        path = f"/api/bots/tournaments/{tournament}/entry"
        guest = Browser(self.owner.origin)
        status, _ = await guest.ask("POST", path, {"enters": True}, **self.authorization)
        return status

    async def run(self, title: str, seed: int) -> None:
        """Play every match of its own that waits, one after the other, until it is dismissed."""
        *_, choose = strengths(title).values()
        guest = Browser(self.owner.origin)
        while not self.dismissed:
            _, told = await guest.ask("GET", "/api/me/matches", **self.authorization)
            for one in told["matches"]:
                match = one["info"]["match"]
                if match not in self.played and one["info"]["state"] == "open":
                    place = Place(f"http://127.0.0.1:{self.owner.port}", UUID(match))
                    self.played[match] = await play(
                        place, choose, seed=seed, nonces=self._nonces, headers=self.authorization
                    )
            await asyncio.sleep(0.1)


async def registered(owner: Browser, handle: str, nonces: Path) -> Bot:
    """Register a bot of somebody, with a token."""
    status, told = await owner.ask("POST", "/api/me/bots", {"handle": handle, "name": handle.title()})
    assert status == 200, told
    path = f"/api/me/bots/{handle}/tokens"
    status, told = await owner.ask("POST", path, {"name": "home", "scopes": BOTH})
    assert status == 200, told
    return Bot(owner, handle, told["token"], nonces / handle)


@contextlib.asynccontextmanager
async def at_work(bots: list[Bot], title: str) -> AsyncIterator[None]:
    """Have bots play, and see that none of them fails."""
    async with asyncio.TaskGroup() as group:
        for seed, bot in enumerate(bots):
            group.create_task(bot.run(title, seed))
        yield
        for bot in bots:
            bot.dismissed = True


async def whole(url: str, nonces: Path, count: int, *, title: str, scenario: str, rounds: int) -> Said:
    """Play a Swiss of so many bots, each of a person of its own, and return how it stands when it is over."""
    owners = [await signed_up(url, handle) for handle in PERSONS[:count]]
    bots = [
        await registered(owner, f"{handle}_bot", nonces)
        for owner, handle in zip(owners, PERSONS, strict=False)
    ]
    wish = {"title": title, "scenario": scenario, "rounds": rounds, "bots": True}
    tournament = await made(owners[0], **wish, rated=True, clock={"bank": 3600})
    assert [200] * count == [await bot.enter(tournament) for bot in bots]
    await done(owners[0], "POST", tournament, "start")
    async with asyncio.timeout(LIMIT), at_work(bots, title):
        over = await until(owners[0], tournament, lambda told: told["info"]["state"] == "over", LIMIT)
    check(over, bots, count, rounds)
    return over


def check(over: Said, bots: list[Bot], count: int, rounds: int) -> None:
    """See that all of it was played, each pair once, and that the table says what the log does."""
    assert [count // 2] * rounds == [len(one["pairings"]) for one in over["rounds"]]
    pairs = [pair for one in over["rounds"] for pair in one["pairings"]]
    assert {"played"} == {pair["how"] for pair in pairs}
    assert len(pairs) == len({pair["match"] for pair in pairs})
    assert len(pairs) == len({frozenset((pair["first"], pair["second"])) for pair in pairs})
    points = dict.fromkeys((one["number"] for one in over["entrants"]), 0.0)
    handles = {one["number"]: one["player"]["handle"] for one in over["entrants"]}
    ended = {bot.handle: bot.played for bot in bots}
    for pair in pairs:
        said = ended[handles[pair["first"]]][pair["match"]]
        assert 0 == said.side
        assert (0.5 if said.winner is None else 1.0 - said.winner) == pair["points"]
        points[pair["first"]] += pair["points"]
        points[pair["second"]] += pair["second_points"]
    assert points == {row["entrant"]: row["points"] for row in over["standings"]}
    assert sorted(points.values(), reverse=True) == [row[2] for row in table(over)]


async def test_four_bots_play_a_swiss_from_entry_to_places(server: Serving, tmp_path: Path) -> None:
    over = await whole(server.url, tmp_path, 4, title="tiny", scenario="skirmish", rounds=2)

    assert [{"kind": "bot"}] * 4 == [{"kind": one["player"]["kind"]} for one in over["entrants"]]
    assert set(PERSONS[:4]) == {one["owner"] for one in over["entrants"]}


@pytest.mark.soak
async def test_eight_bots_play_a_swiss_of_three_rounds_from_entry_to_places(
    server: Serving, tmp_path: Path
) -> None:
    over = await whole(server.url, tmp_path, 8, title="midway", scenario="duel", rounds=3)
    director = await signed_up(server.url, "judy")

    assert 12 == sum(len(pairings(over, number)) for number in (1, 2, 3))
    again = await read(director, over["info"]["id"])  # ratings may have followed by now
    assert [over[part] for part in ("rounds", "standings")] == [
        again[part] for part in ("rounds", "standings")
    ]
