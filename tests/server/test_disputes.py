"""Disputes over HTTP: a command decided again from the log in Postgres, altered or not, for whoever asks."""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import groupby
from random import Random
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from domain.kernel.audience import Audience
from server.http import reads
from server.http.disputes import BEAT
from server.serving import Serving
from tests.server.reading import Got, get
from tests.server.talk import Said, Talk, prompt, seated, sit, talking, token


async def ask(server: Serving, created: Said, seq: int | str, door: str = "") -> Got:
    return await get(server.url, f"/api/matches/{created['match']}/dispute/{seq}", door)


async def all_of(server: Serving, created: Said, seqs: Iterable[int], door: str) -> list[Got]:
    """Ask for several at a time."""
    answers: list[Got] = []
    for _, few in groupby(seqs, lambda seq: seq // 7):
        answers += await asyncio.gather(*(ask(server, created, seq, door) for seq in few))
    return answers


async def decided(talk: Talk, created: Said, seat: int, chance: Random) -> None:
    upto, options = await prompt(talk, seat)
    choice = chance.choice(options)
    receipt = await talk.ask("decide", match=created["match"], answers=upto, decision=choice)
    await has_heard(talk, receipt["seq"])


async def has_heard(talk: Talk, seq: int) -> None:
    """Wait until somebody was sent all up to a fact."""
    while not any(message.get("upto", 0) >= seq for message in talk.heard):
        await talk.hear("frame", "view")


@asynccontextmanager
async def skirmish(server: Serving, decisions: int, seed: int = 5) -> AsyncIterator[Said]:
    """A match of the tiny title with so many decisions, or all it has."""
    chance = Random(seed)
    async with seated(server.url) as (created, *talks):
        for _ in range(decisions):
            about = (await get(server.url, f"/api/matches/{created['match']}")).json
            if about["state"] == "ended":
                break
            seat = about["asked"][0]
            await decided(talks[seat], created, seat, chance)
        yield created


async def alter(dsn: str, match: str, seq: int, body: dict[str, Any]) -> None:
    """Do what only the owner of a database can: write over a fact."""
    owner = await asyncpg.connect(dsn)
    tables = await owner.fetch(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE n.nspname = 'log' AND c.relname LIKE 'fact%' AND c.relkind IN ('r', 'p')"
    )
    for table in tables:
        await owner.execute(f"ALTER TABLE log.{table['relname']} DISABLE TRIGGER USER")
    done = await owner.execute(
        "UPDATE log.fact SET body = $3 WHERE match_id = $1 AND seq = $2",
        match,
        seq,
        json.dumps(body, separators=(",", ":")).encode(),
    )
    assert "UPDATE 1" == done
    await owner.close()


async def facts(server: Serving, created: Said, query: str = "", door: str = "") -> list[Said]:
    """All facts that a reader is told."""
    steps = await get(server.url, f"/api/matches/{created['match']}/steps{query}", door)
    return [fact for frame in steps.lines for fact in frame["facts"]]


async def test_a_command_is_decided_again_and_told_beside_the_record(server: Serving) -> None:
    async with skirmish(server, 100) as created:
        known = await facts(server, created, "?all=1")
        rolled = next(fact for fact in known if fact["type"] in {"Rolled", "Drew"})
        got = await ask(server, created, rolled["seq"])

        command = got.json
        line = next(line for line in command["lines"] if line["seq"] == rolled["seq"])
        assert (200, True, 0) == (got.status, command["same"], command["hidden"])
        assert line["recorded"] == line["found"]
        assert (rolled["words"], rolled["body"]) == (line["found"]["words"], line["found"]["body"])
        assert line["same"]
        assert json.loads(rolled["body"])["rule"] == command["rule"]


async def test_a_log_that_was_altered_shows_the_difference(server: Serving, dsn: str) -> None:
    async with skirmish(server, 100) as created:
        known = await facts(server, created, "?all=1")
        hit = next(fact for fact in known if fact["type"] == "HandHas")
        before = (await ask(server, created, hit["seq"])).json
        await alter(dsn, created["match"], hit["seq"], {**json.loads(hit["body"]), "cards": 9})
        after = (await ask(server, created, hit["seq"])).json

        (line,) = (line for line in after["lines"] if not line["same"])
        assert (True, False) == (before["same"], after["same"])
        assert hit["words"] == line["found"]["words"]
        assert "9 cards" in line["recorded"]["words"]


async def test_nimitz_the_automated_side_is_disputed_while_the_match_goes_on(
    server: Serving, dsn: str
) -> None:
    async with talking(server.url) as talk:
        created = await talk.ask(
            "create", "created", version=1, title="nimitz", scenario="1942", options={"mode": 1}
        )
        door = token(created, "seat", 0)
        await talk.say("hello", version=1, match=created["match"], token=door)
        await talk.hear("view")
        nonce = bytes(16)
        promise = hashlib.sha256(nonce).hexdigest()
        await sit(talk, created, promise=promise)
        await talk.ask("show", match=created["match"], nonce=nonce.hex())
        known: list[Said] = []
        while not any(fact["type"] == "Chose" for fact in known):
            upto, options = await prompt(talk, 0)
            done = next((one for one in options if one["type"].startswith("Done")), options[-1])
            receipt = await talk.ask("decide", match=created["match"], answers=upto, decision=done)
            await has_heard(talk, receipt["seq"])
            known = await facts(server, created)
        chose = next(fact for fact in known if fact["type"] == "Chose")
        true = (await ask(server, created, chose["seq"])).json
        body = json.loads(chose["body"])
        await alter(dsn, created["match"], chose["seq"], {**body, "question": "Altered"})
        false = (await ask(server, created, chose["seq"])).json

    (line,) = (line for line in false["lines"] if not line["same"])
    assert (True, True, False) == (true["same"], true["hidden_same"], false["same"])
    assert true["hidden"] > 0
    assert (body["rule"], 0) == (true["rule"], true["seat"])
    assert (chose["seq"], chose["words"]) == (line["seq"], line["found"]["words"])
    assert line["recorded"]["words"].startswith("Altered")


async def test_while_a_match_goes_on_each_is_told_what_he_may_see_and_no_more(server: Serving) -> None:
    async with skirmish(server, 3) as created:
        doors = {Audience.of(seat): token(created, "seat", seat) for seat in (0, 1)} | {Audience.of(None): ""}
        entries, _ = await server.matches.opening.everything(UUID(created["match"]))
        head = entries[-1].seq
        hidden = {
            audience: [entry for entry in entries if not audience.sees(entry.audience)] for audience in doors
        }
        told = {
            audience: await all_of(server, created, range(head + 2), door) for audience, door in doors.items()
        }

    for audience, answers in told.items():
        commands = [got.json for got in answers if got.status == 200]
        shown = {line["seq"] for command in commands for line in command["lines"]}
        assert commands
        assert all(command["same"] and command["hidden_same"] for command in commands)
        assert not shown & {entry.seq for entry in hidden[audience]}
        for got in answers:
            for entry in hidden[audience]:
                assert entry.body not in got.raw.replace(b'\\"', b'"')


async def test_an_altered_secret_shows_to_others_by_no_word(server: Serving, dsn: str) -> None:
    async with skirmish(server, 3) as created:
        north, south = (token(created, "seat", seat) for seat in (0, 1))
        drawn = next(
            f for f in reversed(await facts(server, created, door=north)) if f["type"] == "CardDrawn"
        )
        true = json.loads(drawn["body"])["card"]
        await alter(dsn, created["match"], drawn["seq"], {**json.loads(drawn["body"]), "card": "card:98"})
        own = await ask(server, created, drawn["seq"], north)
        other = await ask(server, created, drawn["seq"], south)

    assert (False, False, True) == (other.json["same"], other.json["hidden_same"], other.json["withheld"])
    assert {True} == {line["same"] for line in other.json["lines"]}
    assert b"card:98" not in other.raw
    assert true.encode() not in other.raw
    assert b"card:98" in own.raw
    assert [None] == [line["found"] for line in own.json["lines"] if line["seq"] == drawn["seq"]]


async def test_with_screens_the_answer_comes_on_a_beat(server: Serving) -> None:
    async with skirmish(server, 2) as created:
        head = (await get(server.url, f"/api/matches/{created['match']}")).json["facts"]
        times = []
        for seq in (head, 1):
            before = time.monotonic()
            await ask(server, created, seq)
            times.append(time.monotonic() - before)

    assert all(took >= BEAT for took in times)


async def test_more_disputes_than_may_wait_are_turned_away_and_play_goes_on(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reads, "READERS", 3)
    async with skirmish(server, 100) as created:
        head = (await get(server.url, f"/api/matches/{created['match']}")).json["facts"]
        answers = await asyncio.gather(*(ask(server, created, seq) for seq in range(head - 20, head)))
        again = await ask(server, created, head - 2)

    assert 503 in {got.status for got in answers}
    assert {"2"} == {got.headers["retry-after"] for got in answers if got.status == 503}
    assert all(got.json["code"] == "busy" for got in answers if got.status == 503)
    assert 200 == again.status


@pytest.mark.parametrize("seq", ["1", "0", "9999", "99999999999999999999", "-1", "x"])
async def test_what_no_rule_decided_cannot_be_disputed(server: Serving, seq: str) -> None:
    async with skirmish(server, 1) as created:
        got = await ask(server, created, seq)

    assert (404, "no_step") == (got.status, got.json["code"])


async def test_a_private_match_is_disputed_with_a_token_only(server: Serving) -> None:
    async with seated(server.url, private=True) as (created, north, _):
        await decided(north, created, 0, Random(1))
        head = (await get(server.url, f"/api/matches/{created['match']}", token(created, "onlooker"))).json
        without = await ask(server, created, head["facts"])
        with_it = await ask(server, created, head["facts"], token(created, "onlooker"))

    assert (403, 200) == (without.status, with_it.status)
