"""A node is killed while a tournament is made, entered, started, played, ruled and ended.

Whoever was not answered looks how things stand, and says it again to the next node if it has not been done.
Then no round is paired twice, no match made twice, nobody sits in two places, what nobody plays is opened by
no link, and the table is that of the results.
"""

import hashlib
import itertools
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio

from projections.generations import rebuild
from projections.standings import Standings
from server.postgres.database import Connection
from server.postgres.embedded import Embedded
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.killed import Killed, Stage, killed, stage
from tests.server.meets import PERSONS, all_made, pairings, read, signed_up, table, until
from tests.server.talk import new_token

TWICE = """
SELECT match_id, person_id FROM lobby.seat WHERE person_id IS NOT NULL GROUP BY 1, 2 HAVING count(*) > 1
 UNION ALL
SELECT match_id, person_id FROM lobby.token WHERE person_id IS NOT NULL AND revoked_at IS NULL
 GROUP BY 1, 2 HAVING count(DISTINCT seat) > 1
"""
# Ruled without having begun, or replaced by another.
NOT_PLAYED = """
SELECT t.hash FROM lobby.token t
 WHERE t.revoked_at IS NULL
   AND NOT EXISTS (SELECT FROM log.fact WHERE match_id = t.match_id AND type = 'Started')
   AND (EXISTS (SELECT FROM people.pairing WHERE match_id = t.match_id AND how IS NOT NULL)
     OR EXISTS (SELECT FROM lobby.match m WHERE m.match_id = t.match_id AND m.ended_at IS NOT NULL))
"""


class Cup:
    """A tournament of four, which the first directs."""

    def __init__(self, world: Killed, persons: list[Browser]) -> None:
        self._world, self._persons, self.id = world, persons, ""
        self._anna = persons[0]

    async def ask(self, browser: Browser, verb: str, path: str, body: Said | None = None) -> Said:
        status, told = await browser.ask(verb, f"/api/tournaments{path}", body)
        assert status == 200, told
        return told

    async def unless(
        self, done: Callable[[Said], bool], browser: Browser, what: str, body: Said | None = None
    ) -> None:
        """Ask for something, unless it is seen to be done."""

        async def step() -> None:
            if not done(await read(browser, self.id)):
                await self.ask(browser, "POST", f"/{self.id}/{what}", body)

        await self._world.do(step)

    async def make(self) -> None:
        body = {"command": str(uuid4()), "name": "Winter cup", "title": "tiny", "scenario": "skirmish"}
        wish = {**body, "kind": "swiss", "rounds": 2}
        told = await self._world.do(lambda: self.ask(self._anna, "POST", "", wish))
        self.id = told["info"]["id"]

    async def until(self, holds: Callable[[Said], bool]) -> Said:
        return await self._world.do(lambda: until(self._anna, self.id, holds))

    async def rule(self, what: str, noted: str, **of: Any) -> None:
        def done(told: Said) -> bool:
            return any(
                one["what"] == noted
                and of.items() & {"pairing": one["pairing"], "entrant": one["entrant"]}.items()
                for one in told["rulings"]
            )

        await self.unless(done, self._anna, "rulings", {"what": what, "reason": "As agreed", **of})

    async def play(self, told: Said, pair: Said) -> None:
        """Let two play, and the second resign."""
        names = {one["number"]: one["player"]["handle"] for one in told["entrants"]}
        both = [self._persons[PERSONS.index(names[pair[which]])] for which in ("first", "second")]
        nonces = [at.to_bytes() * 16 for at in (1, 2)]
        for one, nonce in zip(both, nonces, strict=True):
            sits = {"token": new_token(), "promise": hashlib.sha256(nonce).hexdigest()}
            await self._say(one, pair["match"], "sit", **sits)
        for one, nonce in zip(both, nonces, strict=True):
            await self._say(one, pair["match"], "show", nonce=nonce.hex())
        await self._say(both[1], pair["match"], "resign")

    async def _say(self, browser: Browser, match: str, t: str, **said: Any) -> None:
        command = str(uuid4())

        async def step() -> None:
            async with browser.talking() as talk:
                await talk.say("hello", version=1, match=match, mine=True)
                await talk.hear("view")
                answer = await talk.ask(t, match=match, command=command, **said)
            assert "receipt" == answer["t"], answer

        await self._world.do(step)


def is_paired(number: int, told: Said) -> bool:
    return len(told["rounds"]) == number and all_made(told)


async def goes_on(on: Stage[list[Browser]], moment: int, how: str) -> str:
    """Play a tournament whose node is killed at a moment; return what it was, empty if there were fewer."""
    persons = on.knows
    async with killed(on, moment, how, persons) as (world, owner):

        async def restarted() -> None:
            assert [] == await owner.fetch(TWICE)
            assert [] == await owner.fetch(NOT_PLAYED)

        world.taken_over = restarted
        cup = Cup(world, persons)
        await cup.make()
        for handle, one in zip(PERSONS, persons, strict=False):
            await cup.unless(partial(is_in, handle), one, "entry")
        await cup.unless(lambda told: told["info"]["state"] != "open", persons[0], "start")
        first = await cup.until(partial(is_paired, 1))
        await cup.play(first, pairings(first)[0])
        await cup.until(lambda told: pairings(told, 1)[0]["how"] == "played")
        await cup.rule("adjudicate", "adjudicated", pairing=2, points=0.5)
        second = await cup.until(partial(is_paired, 2))
        void = pairings(second)[0]["match"]
        await cup.rule("replay", "played anew", pairing=3)
        anew = await cup.until(lambda told: pairings(told)[0]["match"] not in (None, void))
        await cup.rule("withdraw", "withdrawn", entrant=pairings(second)[1]["second"])
        await cup.play(anew, pairings(anew)[0])
        over = await cup.until(lambda told: told["info"]["state"] == "over")
        server = await world.finish()
        await restarted()
        await is_right(owner, server, persons[0], over)
        return world.died


def is_in(handle: str, told: Said) -> bool:
    return handle in [one["player"]["handle"] for one in told["entrants"]]


async def is_right(owner: Connection, server: Serving, anna: Browser, over: Said) -> None:
    """See that all of it has happened once, and that the table is that of the results."""
    meant = ["made", *["entered"] * 4, "started", *["paired"] * 2, "adjudicated", "played anew", "withdrawn"]
    noted = await owner.fetch("SELECT what FROM people.ruling")
    matches = [row["match_id"] for row in await owner.fetch("SELECT match_id FROM lobby.match")]
    created = await owner.fetch("SELECT match_id FROM log.fact WHERE type = 'Created'")
    paired = [pair for one in over["rounds"] for pair in one["pairings"]]
    points = {one["number"]: 0.0 for one in over["entrants"]}
    for pair in paired:
        points[pair["first"]] += pair["points"]
        points[pair["second"]] += pair["second_points"]
    names = {one["number"]: one["player"]["handle"] for one in over["entrants"]}
    again = await until(anna, over["info"]["id"], lambda told: told == over)
    await rebuild(server.database.projector, Standings())

    assert sorted(meant) == sorted(row["what"] for row in noted)
    assert [[1, 2, 3, 4]] * 2 == [
        sorted(number for pair in one["pairings"] for number in (pair["first"], pair["second"]))
        for one in over["rounds"]
    ]
    assert sorted(matches) == sorted(row["match_id"] for row in created)
    assert (5, 4) == (len(matches), len({pair["match"] for pair in paired}))
    assert ["played", "adjudicated", "played", "withdrawn"] == [pair["how"] for pair in paired]
    assert {names[number]: one for number, one in points.items()} == {who: one for _, who, one in table(over)}
    assert over == again == await read(anna, over["info"]["id"])
    places = await owner.fetch("SELECT number, place FROM people.entrant")
    assert {row["number"]: row["place"] for row in places} == {
        row["entrant"]: row["place"] for row in over["standings"]
    }


async def sign_up_four(_: str, server: Serving) -> list[Browser]:
    return [await signed_up(server.url, handle) for handle in PERSONS[:4]]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def four(postgres: Embedded, template: str) -> AsyncIterator[Stage[list[Browser]]]:
    async with stage(postgres, template, sign_up_four) as made:
        yield made


@pytest.mark.parametrize(("moment", "how"), [(11, "after"), (20, "before")])
async def test_a_tournament_goes_on_as_it_would_have_though_a_node_is_killed(
    four: Stage[list[Browser]], moment: int, how: str
) -> None:
    assert await goes_on(four, moment, how)


@pytest.mark.soak
@pytest.mark.parametrize("how", ["before", "after"])
async def test_whenever_a_node_is_killed_a_tournament_goes_on_as_it_would_have(
    four: Stage[list[Browser]], how: str
) -> None:
    found = list[str]()
    for moment in itertools.count(1):
        died = await goes_on(four, moment, how)
        if not died:
            break
        found.append(died)
    assert len(found) > 30, found
