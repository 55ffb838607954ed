"""A match that begins on another device than one sat down at, on a server with sockets and bots."""

import asyncio
import hashlib
import secrets
from itertools import pairwise
from pathlib import Path
from uuid import UUID, uuid4

from domain.match.anew import MOST
from server.postgres.database import alone
from server.serving import Serving
from tests.conftest import running
from tests.server.talk import Said, Talk, enter, new_token, offer, prompt, sit, talking

WAITING = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def promise(nonce: bytes) -> str:
    return hashlib.sha256(nonce).hexdigest()


async def seated_both(north: Talk, south: Talk, created: Said, nonces: list[bytes]) -> None:
    for seat, talk in enumerate((north, south)):
        await enter(talk, created, seat)
        await sit(talk, created, promise=promise(nonces[seat]))


async def anew(talk: Talk, created: Said, nonce: bytes, instead: bytes | None) -> Said:
    before = promise(instead) if instead is not None else ""
    return await talk.ask("anew", match=created["match"], promise=promise(nonce), instead=before)


async def show(talk: Talk, created: Said, nonce: bytes) -> Said:
    return await talk.ask("show", match=created["match"], nonce=nonce.hex())


async def test_a_match_begins_from_another_device_when_the_other_seat_has_shown_already(
    server: Serving,
) -> None:
    created = await offer(server.url)
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    fresh = [secrets.token_bytes(16) for _ in range(2)]
    async with talking(server.url) as north, talking(server.url) as south, talking(server.url) as phone:
        await seated_both(north, south, created, nonces)
        await show(north, created, nonces[0])
        await enter(phone, created, 1)

        answers = [
            await anew(phone, created, fresh[1], nonces[1]),
            await show(south, created, nonces[1]),  # the first device: its nonce counts no more
            await show(north, created, nonces[0]),  # nor does what had been shown
            await anew(north, created, nonces[0], None),
            await anew(north, created, fresh[0], None),
            await show(north, created, fresh[0]),
            await show(phone, created, fresh[1]),
        ]
        await prompt(north, 0)

    said = [answer.get("code", answer["t"]) for answer in answers]
    expected = ["receipt", "too_early", "too_early", "bad_nonce", "receipt", "receipt", "receipt"]
    assert expected == said
    live = await server.matches.get(UUID(created["match"]))
    assert {0: fresh[0].hex(), 1: fresh[1].hex()} == live.standing.nonces


async def test_of_two_devices_that_commit_anew_at_once_one_does(server: Serving) -> None:
    created = await offer(server.url)
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with talking(server.url) as north, talking(server.url) as south:
        await seated_both(north, south, created, nonces)
        async with talking(server.url) as one, talking(server.url) as two:
            for device in (one, two):
                await enter(device, created, 1)
            answers = await asyncio.gather(
                *(anew(device, created, secrets.token_bytes(16), nonces[1]) for device in (one, two))
            )

    assert ["receipt", "stale"] == sorted(str(answer.get("code", answer["t"])) for answer in answers)


async def test_a_commitment_that_is_sent_again_has_one_effect_and_one_answer(server: Serving) -> None:
    created = await offer(server.url)
    nonces = [secrets.token_bytes(16) for _ in range(3)]
    async with talking(server.url) as north, talking(server.url) as south:
        await seated_both(north, south, created, nonces[:2])
        asked = {
            "match": created["match"],
            "command": str(uuid4()),
            "promise": promise(nonces[2]),
            "instead": promise(nonces[1]),
        }

        first, second = [await south.ask("anew", **asked) for _ in range(2)]

    assert first == second
    assert {1: 1} == (await server.matches.get(UUID(created["match"]))).standing.anew


async def test_who_commits_anew_again_and_again_is_refused_and_may_begin_where_he_did_last(
    server: Serving,
) -> None:
    created = await offer(server.url)
    nonces = [secrets.token_bytes(16) for _ in range(MOST + 3)]
    async with talking(server.url) as north, talking(server.url) as south:
        await seated_both(north, south, created, nonces[:2])
        answers = [await anew(south, created, after, before) for before, after in pairwise(nonces[1:])]
        await show(north, created, nonces[0])
        await show(south, created, nonces[MOST + 1])
        await prompt(north, 0)

    assert [*["receipt"] * MOST, "too_many"] == [answer.get("code", answer["t"]) for answer in answers]


async def test_whoever_looks_on_commits_to_nothing(server: Serving) -> None:
    created = await offer(server.url)
    async with talking(server.url) as talk:
        await enter(talk, created)
        await talk.say("anew", match=created["match"], command=uuid4(), promise="ab" * 32)

        assert "not_seated" == (await talk.hear("refused"))["code"]


async def test_who_was_invited_commits_to_nothing_once_another_has_taken_the_seat(
    dsn: str, server: Serving
) -> None:
    """Given a seat whose invitation is not void yet, as a transaction holds its match's row."""
    created = await offer(server.url)
    match, theirs = UUID(created["match"]), secrets.token_bytes(16)
    async with talking(server.url) as joins, talking(server.url) as invited:
        await enter(joins, created)
        await enter(invited, created, 1)
        async with alone(dsn) as owner, owner.transaction():
            await owner.execute("SELECT FROM lobby.match WHERE match_id = $1 FOR NO KEY UPDATE", match)
            await joins.say(
                "join", match=match, command=uuid4(), seat=1, promise=promise(theirs), token=new_token()
            )
            async with asyncio.timeout(10):
                while 1 not in (await server.matches.get(match)).standing.promises:
                    await asyncio.sleep(0.02)
            asking = asyncio.create_task(anew(invited, created, secrets.token_bytes(16), theirs))
            # No longer than they take to come to it: a node gives a statement that waits three seconds.
            async with asyncio.timeout(10):
                while not asking.done() and await owner.fetchval(WAITING) < 2:
                    await asyncio.sleep(0.01)
        answer = await asking
        await joins.hear("receipt")

    assert "bad_token" == answer.get("code", answer["t"])
    assert {1: promise(theirs)} == (await server.matches.get(match)).standing.promises


async def test_a_bot_of_the_house_commits_anew_when_its_opponent_does(dsn: str, folder: Path) -> None:
    """Given a bot that had shown its nonce, and a node that runs it anew after that."""
    nonces = [secrets.token_bytes(16) for _ in range(3)]
    async with running(dsn, folder) as server:
        created = await offer(server.url, bots={"1": "random"})
        async with talking(server.url) as talk:
            await enter(talk, created, 0)
            await sit(talk, created, promise=promise(nonces[0]))
            async with asyncio.timeout(10):
                while 1 not in (await server.matches.get(UUID(created["match"]))).standing.nonces:
                    await asyncio.sleep(0.02)
            first = (await server.matches.get(UUID(created["match"]))).standing.nonces[1]
            assert "receipt" == (await anew(talk, created, nonces[1], nonces[0]))["t"]
            async with asyncio.timeout(10):
                while 1 not in (await server.matches.get(UUID(created["match"]))).standing.nonces:
                    await asyncio.sleep(0.02)
    async with running(dsn, folder) as server, talking(server.url) as talk:
        await enter(talk, created, 0)
        assert "receipt" == (await anew(talk, created, nonces[2], nonces[1]))["t"]
        async with asyncio.timeout(10):
            while 1 not in (await server.matches.get(UUID(created["match"]))).standing.nonces:
                await asyncio.sleep(0.02)
        await show(talk, created, nonces[2])
        await prompt(talk, 0)
        standing = (await server.matches.get(UUID(created["match"]))).standing

    assert 2 == len((standing.spent or {})[1])
    assert first != standing.nonces[1]
