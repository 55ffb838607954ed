"""Rounds of tournaments when nodes fail, or two do the same; and what is told and kept of tournaments."""

import asyncio
import csv
import io
import json
import os
import sys
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from projections.generations import rebuild
from projections.standings import Standings
from server.notices.outbox import SEATED
from server.postgres.database import Connection
from server.serving import Serving
from tests.conftest import running
from tests.server.authenticator import Browser, Said
from tests.server.meets import (
    PERSONS,
    adjudicate,
    all_made,
    begun,
    directed,
    done,
    made,
    pairings,
    read,
    rule,
    signed_up,
    until,
)
from tests.server.reading import get
from tests.server.talk import new_token
from tests.server.test_tournaments import begin, resigned

_REFUSE = """
CREATE FUNCTION people.broken() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'broken off'; END $$;
CREATE TRIGGER broken BEFORE UPDATE OF match_id ON people.pairing
  FOR EACH ROW EXECUTE FUNCTION people.broken()
"""


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    opened = await asyncpg.connect(dsn)
    yield opened
    await opened.close()


def paired(number: int, told: Said) -> bool:
    """Whether so many rounds are paired, and their matches made."""
    return len(told["rounds"]) == number and all_made(told)


async def matches(owner: Connection) -> int:
    """Return how many matches there are, and see that each has its first fact once."""
    count: int = await owner.fetchval("SELECT count(*) FROM lobby.match")
    assert count == await owner.fetchval("SELECT count(*) FROM log.fact WHERE type = 'Created'")
    return count


async def test_a_match_that_was_made_and_not_noted_is_found_again_and_not_made_twice(
    server: Serving, owner: Connection
) -> None:
    await owner.execute(_REFUSE)
    tournament, (anna, *_) = await begun(server.url, 4, rounds=1)
    async with asyncio.timeout(10):
        while await owner.fetchval("SELECT count(*) FROM log.fact WHERE type = 'Created'") < 2:
            await asyncio.sleep(0.02)
    before = await read(anna, tournament)
    await owner.execute("DROP TRIGGER broken ON people.pairing")
    after = await until(anna, tournament, all_made)

    assert {None} == {pair["match"] for pair in pairings(before)}
    assert 2 == len({pair["match"] for pair in pairings(after)}) == await matches(owner)


async def test_two_nodes_make_each_match_and_each_round_once(
    server: Serving, dsn: str, folder: Path, owner: Connection
) -> None:
    async with running(dsn, folder.with_name("other")) as other:
        tournament, (anna, *_) = await begun(server.url, 8, rounds=2)
        for number in (1, 2):
            await until(anna, tournament, partial(paired, number))
            await owner.execute(
                "UPDATE people.pairing SET how = 'forfeit', points = 1, second_points = 0 WHERE how IS NULL"
            )
            await asyncio.gather(*(node.meets.rounds.look() for node in (server, other) for _ in range(3)))
        over = await until(anna, tournament, lambda told: told["info"]["state"] == "over")

    assert [4, 4] == [len(one["pairings"]) for one in over["rounds"]]
    assert 8 == await matches(owner)


async def test_a_tournament_is_the_same_when_the_views_are_built_anew(server: Serving) -> None:
    tournament, zora, persons = await directed(server.url, 2, rounds=2)
    told = await until(persons[0], tournament, all_made)
    match = pairings(told)[0]["match"]
    await begin(persons, match)
    await until(persons[0], tournament, lambda told: pairings(told, 1)[0]["state"] == "playing")
    await resigned(persons[1], match)
    await until(persons[0], tournament, lambda told: len(told["rounds"]) == 2)
    await adjudicate(zora, tournament, lambda _: 0.5)
    over = await until(persons[0], tournament, lambda told: told["info"]["state"] == "over")

    await rebuild(server.database.projector, Standings())

    assert over == await read(persons[0], tournament)
    assert [1.5, 0.5] == [row["points"] for row in over["standings"]]


async def test_whoever_is_paired_is_told_of_each_match_until_he_sits_down(
    server: Serving, owner: Connection
) -> None:
    anna, bert = [await signed_up(server.url, handle) for handle in PERSONS[:2]]
    hook = {"kind": "webhook", "url": "https://hooks.example.org/bert"}
    status, _ = await bert.ask("POST", "/api/me/channels", hook)
    tournament = await made(anna, rounds=1)
    for one in (anna, bert):
        await done(one, "POST", tournament, "entry")
    await done(anna, "POST", tournament, "start")
    first = pairings(await until(anna, tournament, all_made))[0]["match"]
    before = await waiting(owner)
    await rule(anna, tournament, "replay", pairing=1)
    second = pairings(await until(anna, tournament, all_made))[0]["match"]
    after = await waiting(owner)
    await begin([anna, bert], second)

    assert 200 == status
    assert ({first: True}, {first: False, second: True}) == (before, after)
    assert {first: False, second: False} == await waiting(owner)


async def waiting(owner: Connection) -> dict[str, bool]:
    """Return the matches of which it was told that a round begins, and whether that holds still."""
    rows = await owner.fetch(
        f"SELECT match_id, NOT ({SEATED}) AS holds FROM people.outbox o WHERE kind = 'round'"
    )
    return {str(row["match_id"]): row["holds"] for row in rows}


async def test_a_tournament_is_exported_as_json_and_as_a_table(server: Serving) -> None:
    tournament, zora, (anna, *_) = await directed(server.url, 2, rounds=1)
    await rule(zora, tournament, "adjudicate", pairing=1, points=0.5)
    await until(anna, tournament, lambda told: told["info"]["state"] == "over")
    whole = await get(server.url, f"/api/tournaments/{tournament}/export")
    rows = await get(server.url, f"/api/tournaments/{tournament}/export?form=csv")

    assert {**await read(anna, tournament), "rulings": whole.json["rulings"]} == whole.json
    (line,) = csv.DictReader(io.StringIO(rows.body.decode()))
    assert ("1", "0.5", "adjudicated", "As agreed") == (
        line["round"],
        line["points of first"],
        line["how"],
        line["reason"],
    )
    assert {"anna", "bert"} == {line["first"], line["second"]}


async def test_what_is_done_is_noted_in_the_audit_log_without_its_words(
    server: Serving, owner: Connection
) -> None:
    tournament, zora, _ = await directed(server.url, 2, rounds=1)
    await rule(zora, tournament, "adjudicate", pairing=1, points=0.5)
    rows = await owner.fetch("SELECT action, actor, detail FROM log.audit WHERE subject = $1", tournament)

    assert {"tournament: made", "tournament: started", "tournament: adjudicated"} <= {
        r["action"] for r in rows
    }
    assert "As agreed" not in str(rows)
    assert "zora" not in str(rows)


async def test_an_operator_lists_shows_and_exports_tournaments(
    server: Serving, dsn: str, folder: Path, owner: Connection
) -> None:
    tournament, _ = await begun(server.url, 2, rounds=1)

    wishes = ("list",), ("show", tournament), ("export", tournament)
    listed, shown, exported = await asyncio.gather(*(told(dsn, folder, *words) for words in wishes))

    assert f"{tournament}  under way" in listed
    assert "   1. anna" in shown
    assert tournament == json.loads(exported)["info"]["id"]
    noted = await owner.fetch("SELECT action FROM log.audit WHERE actor LIKE 'operator %'")
    assert {"list tournaments", "show tournament", "export tournament"} == {row["action"] for row in noted}


async def told(dsn: str, folder: Path, *words: str) -> str:
    """Run `fleetfold tournament` on the database of a server, and return what it says."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "tournament", *words),
        env={**os.environ, "FLEETFOLD_DATABASE_URL": dsn, "FLEETFOLD_DATA": str(folder)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        said, _ = await process.communicate()
    assert 0 == process.returncode
    return said.decode()


async def test_a_link_that_got_out_lets_nobody_sit_down_who_is_not_paired(server: Serving) -> None:
    tournament, (anna, bert) = await begun(server.url, 2, rounds=1)
    carl = await signed_up(server.url, "carl")
    match = pairings(await until(anna, tournament, all_made))[0]["match"]
    link = await server.lobby.bot_token(UUID(match), 0)
    codes = []
    for browser in (carl, Browser(server.url)):
        async with browser.talking() as talk:
            await talk.say("hello", version=1, match=match, token=link)
            await talk.hear("view")
            answer = await talk.ask("sit", match=match, token=new_token(), promise="0" * 64)
            codes.append(answer.get("code"))

    assert ["private", "private"] == codes
    await begin([anna, bert], match)
