"""What a look for what needs a node costs, and that it finds this while standings have stopped."""

import asyncio
import json
from datetime import timedelta
from typing import Any, Final

import pytest

from server.lobby import charges
from server.postgres.database import Connection, Database, connection
from server.serving import Serving
from tests.server.test_charges import against_a_bot, bots, owner, play_a_turn, until

__all__ = ["owner"]

PATTERN: Final = "('01000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
"""The id of match `n`, of those that are made up."""

# Left days ago, with a person to move; of these a few that need something.
AT_REST: Final = f"""
INSERT INTO lobby.match (match_id, title, scenario, pace, private, command, seen_at)
SELECT {PATTERN}, 'midway', 'duel', 'live', false, sha256(n::text::bytea), now() - interval '9 days'
  FROM generate_series($1::int, $2::int) AS n;
"""
STANDING: Final = f"""
INSERT INTO view.standings_1
SELECT {PATTERN}, 'midway', 'duel', now() - interval '9 days', now() - interval '9 days', true, false, false,
       NULL, '', 50, 10, '{{0}}', '[{{"name":"","side":0,"kind":"person","turn":50}},
                                    {{"name":"","side":1,"kind":"bot","turn":null}}]'
  FROM generate_series($1::int, $2::int) AS n;
"""
SEATS: Final = f"""
INSERT INTO lobby.seat (match_id, seat, name, kind, strength)
SELECT {PATTERN}, 1, '', 'bot', 'random' FROM generate_series($1::int, $2::int) AS n
"""
WAITS: Final = """
UPDATE view.standings_1 SET asked = '{1}', chairs = '[{"kind":"person","turn":null},{"kind":"bot","turn":50}]'
 WHERE match_id IN (SELECT match_id FROM view.standings_1 ORDER BY match_id DESC LIMIT 3)
"""
PREPARED: Final = "PREPARE look (int[], interval, uuid[], interval) AS "
LOOK: Final = "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE look (%s, '1 hour', '{}', '10 s')"


async def left(owner: Connection, first: int, last: int) -> None:
    """Make up matches that were left in the middle of play, against a bot."""
    for statement in (AT_REST, STANDING, SEATS):
        await owner.execute(statement, first, last)
    await owner.execute("ANALYZE")


async def look(database: Database, sql: str) -> tuple[int, int, str]:
    """Return what a look finds, how many pages of the database it touches, and its plan."""
    shares = f"'{{{','.join(map(str, range(charges.SHARES)))}}}'"
    async with connection(database.read) as conn:
        assert "force_generic_plan" == await conn.fetchval("SHOW plan_cache_mode")
        await conn.execute(f"{PREPARED}{sql}")
        try:
            await conn.fetchval(LOOK % shares)  # what a session asks of the catalogue it asks once
            plan: dict[str, Any] = json.loads(await conn.fetchval(LOOK % shares))[0]["Plan"]
        finally:
            await conn.execute("DEALLOCATE look")
    return plan["Actual Rows"], plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], json.dumps(plan)


async def test_a_look_costs_with_what_it_finds_and_not_with_all_that_has_not_ended(
    database: Database, owner: Connection
) -> None:
    await left(owner, 1, 1_000)
    await owner.execute(WAITS)
    few = [await look(database, sql) for sql in (charges._MOVED, charges._WHOLE)]
    await left(owner, 1_001, 10_000)
    many = [await look(database, sql) for sql in (charges._MOVED, charges._WHOLE)]

    assert [0, 3] == [found for found, _, _ in few] == [found for found, _, _ in many]
    for (_, pages, _), (_, pages_of_many, plan) in zip(few, many, strict=True):
        assert pages_of_many <= pages + 20
        assert '"Seq Scan"' not in plan


@pytest.mark.usefixtures("server")
async def test_an_end_is_noted_that_happened_long_ago(
    owner: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charges, "LOOK", 0.05)
    monkeypatch.setattr(charges, "PAGE", 3)
    await left(owner, 1, 10)
    await owner.execute("UPDATE view.standings_1 SET over = true, ended = true")
    async with asyncio.timeout(10):
        while await owner.fetchval("SELECT count(*) FROM lobby.match WHERE ended_at IS NULL"):
            await asyncio.sleep(0.05)

    assert await owner.fetchval(
        "SELECT bool_and(ended_at = last_at) FROM lobby.match JOIN view.standings USING (match_id)"
    )


async def test_a_bot_plays_on_while_standings_have_stopped(
    server: Serving, owner: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charges, "LOOK", 0.1)
    monkeypatch.setattr(charges, "WHOLE", 0.3)
    monkeypatch.setattr(charges, "OVERLAP", timedelta(seconds=0.5))
    async with (
        against_a_bot(server.url, scenario="campaign") as (created, talk),
        owner.transaction(),
    ):
        await owner.execute("SELECT FROM view.cursor WHERE name = 'standings' FOR UPDATE")
        await until(lambda: len(bots(server)) == 1)
        monkeypatch.setattr(charges, "AWAKE", timedelta(seconds=1))
        await until(lambda: not bots(server))

        await play_a_turn(talk, created)
