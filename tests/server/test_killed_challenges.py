"""Nodes that are killed while somebody challenges another: match and challenge are there, or neither is."""

import contextlib
from collections.abc import AsyncIterator
from functools import partial
from uuid import uuid4

import pytest
import pytest_asyncio
from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from server.lobby.challenges import TO_ONE
from server.postgres.embedded import Embedded
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.killed import Stage, killed, stage
from tests.server.meets import signed_up
from tests.server.test_claims import on_trial
from tests.server.test_results import counted


class Two(Struct):
    anna: Browser
    bert: Browser


async def two(dsn: str, server: Serving) -> Two:
    await on_trial(dsn)
    return Two(await signed_up(server.url, "anna"), await signed_up(server.url, "bert"))


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def meet(postgres: Embedded, template: str) -> AsyncIterator[Stage[Two]]:
    async with stage(postgres, template, two) as made:
        yield made


async def challenge(anna: Browser, command: str) -> Said:
    async with anna.talking() as talk:
        said = {"version": 1, "title": "tiny", "scenario": "skirmish", "challenge": "bert", "word": "Again?"}
        return await talk.ask("create", "created", "refused", command=command, **said)


async def made(anna: Browser) -> list[tuple[str, str, str]]:
    """Return the challenges of anna, and those of her matches at which no challenge is."""
    _, told = await anna.ask("GET", "/api/me/challenges")
    _, own = await anna.ask("GET", "/api/me/matches")
    found = [(one["info"]["match"], one["to"], one["word"]) for one in told["challenges"]]
    known = {match for match, _, _ in found}
    alone = [one["info"]["match"] for one in own["matches"] if one["info"]["match"] not in known]
    return found + [(match, "", "") for match in alone]


@pytest.mark.parametrize(
    ("moment", "how", "again"),
    [(2, "after", True), (2, "after", False), (4, "before", False), (4, "after", False)],
)
async def test_a_challenge_is_made_with_its_match_or_not_at_all_though_a_node_is_killed(
    meet: Stage[Two], moment: int, how: str, again: bool
) -> None:
    """Given whoever challenges sends it `again`, or has gone; then no remains of it count against him."""
    anna, answers = meet.knows.anna, list[Said]()
    async with killed(meet, moment, how, [anna, meet.knows.bert]) as (world, owner):
        asked = partial(challenge, anna, str(uuid4()))
        with contextlib.suppress(ConnectionClosed):
            answers.append(await (world.do(asked) if again else asked()))
        await counted(await world.finish())
        found = await made(anna)
        await owner.execute("UPDATE log.clock SET shift = shift + interval '2 minutes'")
        more = [(await challenge(anna, str(uuid4())))["t"] for _ in range(TO_ONE)]

    there = bool(answers) or world.died.endswith("after log.fact")
    assert world.died or answers
    assert [("bert", "Again?")] * there == [one[1:] for one in found]
    assert [one["match"] for one in answers] == [match for match, _, _ in found][: len(answers)]
    assert ["created"] * (TO_ONE - len(found)) + ["refused"] * len(found) == more
