import asyncio
import datetime as dt
import shutil
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from server.postgres.database import (
    Connection,
    Database,
    Pool,
    apply,
    auditor,
    connect,
    connection,
    opened,
)
from server.postgres.embedded import Embedded, embedded
from server.postgres.migrations import SCHEMA, SchemaError
from tests.conftest import NO_DISK

LOG = ("fact", "secret", "leaf", "checkpoint", "audit")
CHANNEL = (
    "away",
    "box",
    "digest",
    "leased_until",
    "mark",
    "quiet",
    "session",
    "state",
    "turned_on",
    "unsubscribe",
)
OUTBOX = ("due", "fault", "outcome", "sent_at", "tried_at", "tries")
PERSON = ("about", "erased_at", "handle", "locale", "name", "night", "seen_at", "shown", "zone")
HERE = ("at", "guests", "persons")
LOBBY = ("match", "token", "seat", "joining", "chat")
TOURNAMENT = ("about", "ended_at", "name", "rounds", "started_at", "state")
MATCH = uuid.UUID(int=7)
ROWS = {
    "fact": "(match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body) "
    f"VALUES ('{MATCH}', '{MATCH}', now(), 1, 0, 1, 7, false, 'Created', sha256(''), '')",
    "secret": f"VALUES ('{MATCH}', 'box')",
    "leaf": f"VALUES (0, '{MATCH}', 1, decode(repeat('00', 32), 'hex'))",
    "checkpoint": "VALUES (1, 'root', 'note')",
    "audit": "(actor, action, subject) VALUES ('operator', 'looked', 'match')",
}
ROLES = ("game_node", "game_projector", "game_auditor")


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


async def fill(owner: Connection) -> None:
    for table, row in ROWS.items():
        await owner.execute(f"INSERT INTO log.{table} {row}")


async def allowed(owner: Connection, role: str, sql: str) -> bool:
    """Whether a role may run a statement, which is undone whatever comes of it."""
    undo = owner.transaction()
    await undo.start()
    try:
        await owner.execute(f"SET LOCAL ROLE {role}")
        await owner.execute(sql)
    except asyncpg.InsufficientPrivilegeError:
        return False
    finally:
        await undo.rollback()
    return True


@pytest.mark.parametrize("table", [*LOG, "fact_p0"])
async def test_the_owner_too_cannot_update_delete_or_truncate(owner: Connection, table: str) -> None:
    await fill(owner)
    column = await owner.fetchval(
        "SELECT attname FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 1 LIMIT 1",
        f"log.{table}",
    )
    for sql in (
        f"UPDATE log.{table} SET {column} = {column}",
        f"DELETE FROM log.{table}",
        f"TRUNCATE log.{table} CASCADE",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
            await owner.execute(sql)

    assert 1 == await owner.fetchval(f"SELECT count(*) FROM log.{table}")


async def test_a_new_partition_inherits_the_row_trigger(owner: Connection) -> None:
    await owner.execute(
        "CREATE TABLE log.fact_p1 PARTITION OF log.fact FOR VALUES FROM "
        f"('{uuid.UUID(int=0)}') TO ('{uuid.UUID(int=1 << 64)}')"
    )
    await fill(owner)

    assert 1 == await owner.fetchval("SELECT count(*) FROM log.fact_p1")
    with pytest.raises(asyncpg.InsufficientPrivilegeError, match="append-only"):
        await owner.execute("DELETE FROM log.fact_p1")


async def test_each_role_may_do_exactly_what_is_granted(owner: Connection) -> None:
    await fill(owner)
    found = {
        (role, verb, table)
        for role in ROLES
        for verb in ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE")
        for table in (
            *(f"log.{name}" for name in LOG),
            "view.cursor",
            *(f"lobby.{name}" for name in LOBBY),
            "log.fact_p0",
        )
        if await owner.fetchval("SELECT has_table_privilege($1, $2, $3)", role, table, verb)
    }

    assert {
        *(
            ("game_node", "SELECT", table)
            for table in ("log.fact", "log.secret", "log.checkpoint", "view.cursor")
        ),
        *(("game_node", "INSERT", table) for table in ("log.secret", "log.audit")),
        *(("game_node", verb, f"lobby.{table}") for verb in ("SELECT", "INSERT") for table in LOBBY),
        ("game_node", "DELETE", "lobby.chat"),
        *(("game_projector", "SELECT", table) for table in ("log.fact", "log.leaf", "log.checkpoint")),
        *(("game_projector", "INSERT", table) for table in ("log.leaf", "log.checkpoint")),
        *(("game_projector", verb, "view.cursor") for verb in ("SELECT", "INSERT", "UPDATE", "DELETE")),
        *(("game_auditor", "SELECT", f"log.{name}") for name in LOG if name != "secret"),
        ("game_auditor", "SELECT", "view.cursor"),
    } == found


async def test_a_node_updates_these_columns_and_no_others(owner: Connection) -> None:
    rows = await owner.fetch(
        "SELECT table_schema || '.' || table_name || '.' || column_name"
        " FROM information_schema.column_privileges WHERE grantee = 'game_node' AND privilege_type = 'UPDATE'"
    )

    assert {
        "lobby.challenge.answer",
        "lobby.challenge.answered_at",
        "lobby.challenge.reply",
        "lobby.clock_due.deadlines",
        "lobby.clock_due.due",
        "lobby.clock_due.noted",
        "lobby.clock_due.seq",
        "lobby.joining.name",
        "lobby.match.ended_at",
        "lobby.match.hidden",
        "lobby.match.label",
        "lobby.match.person_id",
        "lobby.match.seen_at",
        "lobby.match.withdrawn",
        "lobby.predecessor.name",
        "lobby.seat.hidden",
        "lobby.seat.kind",
        "lobby.seat.name",
        "lobby.seat.person_id",
        "lobby.token.revoked_at",
        "lobby.token.replaced_by",
        *(f"people.channel.{name}" for name in CHANNEL),
        *(f"people.here.{name}" for name in HERE),
        *(f"people.heard.{name}" for name in ("match_id", "seq", "xid")),
        *(f"people.holiday.{name}" for name in ("command", "since", "told", "until")),
        *(f"people.outbox.{name}" for name in OUTBOX),
        "people.mail.box",
        "people.mail.mark",
        "people.mail.verified_at",
        "people.mailed.box",
        "people.mailed.used_at",
        "people.leaving.back",
        "people.leaving.subject",
        "people.oidc.used_at",
        "people.heard.chat",
        "people.passkey.name",
        "people.passkey.used_at",
        "people.passkey.uses",
        *(f"people.entrant.{name}" for name in ("person_id", "place", "seed", "withdrawn_at")),
        *(f"people.pairing.{name}" for name in ("attempt", "how", "match_id", "points", "second_points")),
        *(f"people.person.{name}" for name in PERSON),
        "people.report.text",
        "people.round.over_at",
        "people.ruling.reason",
        *(f"people.tournament.{name}" for name in TOURNAMENT),
        "people.session.passkey",
        "people.session.seen_at",
        "people.token.used_at",
    } == {row[0] for row in rows}


async def test_a_token_that_is_void_stays_so(owner: Connection) -> None:
    await owner.execute(
        f"INSERT INTO lobby.match (match_id, title, scenario, pace, private, command)"
        f" VALUES ('{MATCH}', 'tiny', 'duel', '', false, sha256('a'))"
    )
    await owner.execute(
        f"INSERT INTO lobby.token (hash, match_id, seat, kind, revoked_at)"
        f" VALUES (sha256('a'), '{MATCH}', 0, 'seat', now()), (sha256('b'), '{MATCH}', 1, 'seat', NULL)"
    )
    await owner.execute("UPDATE lobby.token SET revoked_at = now() WHERE hash = sha256('b')")

    for column, value in (("revoked_at", "NULL"), ("seat", "1"), ("replaced_by", "sha256('b')")):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await owner.execute(f"UPDATE lobby.token SET {column} = {value}")
    assert [True, True] == [
        row[0] for row in await owner.fetch("SELECT revoked_at IS NOT NULL FROM lobby.token")
    ]


@pytest.mark.parametrize(
    ("role", "sql", "expected"),
    [
        ("game_node", "INSERT INTO log.fact " + ROWS["fact"], True),
        ("game_node", f"INSERT INTO log.fact (match_id, xid) VALUES ('{MATCH}', '1')", False),
        ("game_node", "UPDATE log.fact SET seq = 2", False),
        ("game_node", "DELETE FROM log.fact", False),
        ("game_node", "INSERT INTO log.secret " + ROWS["secret"], True),
        ("game_node", "INSERT INTO log.audit " + ROWS["audit"], True),
        ("game_node", "SELECT * FROM log.audit", False),
        ("game_node", "INSERT INTO log.leaf " + ROWS["leaf"], False),
        ("game_node", "UPDATE lobby.match SET ended_at = now()", True),
        ("game_node", "UPDATE lobby.match SET private = false", False),
        ("game_node", "UPDATE lobby.token SET revoked_at = now(), replaced_by = hash", True),
        ("game_node", "UPDATE lobby.token SET seat = 1", False),
        ("game_node", "UPDATE lobby.token SET kind = 'creator'", False),
        ("game_node", "UPDATE lobby.token SET hash = sha256('mine')", False),
        ("game_node", "DELETE FROM lobby.token", False),
        ("game_node", "UPDATE lobby.seat SET name = 'someone'", True),
        ("game_node", "UPDATE lobby.seat SET strength = ''", False),
        ("game_node", "UPDATE people.person SET owner = id", False),
        ("game_node", "UPDATE people.person SET banned_at = NULL", False),
        ("game_node", "DELETE FROM people.person", False),
        ("game_node", f"SELECT people.forget_bot('{MATCH}')", True),
        ("game_projector", f"SELECT people.forget_bot('{MATCH}')", False),
        ("game_projector", "SELECT * FROM people.session", False),
        ("game_auditor", "SELECT * FROM people.person", False),
        ("game_node", "UPDATE lobby.joining SET hash = sha256('mine')", False),
        ("game_node", "DELETE FROM lobby.joining", False),
        ("game_node", "UPDATE lobby.chat SET text = 'unsaid'", False),
        ("game_node", "CREATE TABLE view.mine (a int)", False),
        ("game_node", "CREATE TABLE log.mine (a int)", False),
        ("game_projector", "INSERT INTO log.fact " + ROWS["fact"], False),
        ("game_projector", "SELECT * FROM log.secret", False),
        ("game_projector", "INSERT INTO log.leaf " + ROWS["leaf"], True),
        ("game_projector", "INSERT INTO view.cursor VALUES ('history', 1)", True),
        ("game_projector", "CREATE TABLE view.mine (a int)", True),
        ("game_projector", "SELECT * FROM lobby.token", False),
        ("game_projector", "SELECT match_id, rated FROM lobby.match", True),
        ("game_projector", "SELECT match_id, seat, strength FROM lobby.seat", True),
        ("game_projector", "SELECT match_id, command_id, seat, person_id FROM lobby.joining", True),
        ("game_projector", "SELECT id, owner FROM people.person", True),
        ("game_projector", "SELECT label FROM lobby.match", False),
        ("game_projector", "SELECT name FROM lobby.seat", False),
        ("game_projector", "SELECT hash FROM lobby.joining", False),
        ("game_projector", "SELECT handle FROM people.person", False),
        ("game_node", "UPDATE lobby.match SET rated = true", False),
        ("game_auditor", "SELECT * FROM view.rated", False),
        ("game_auditor", "SELECT * FROM view.rating", False),
        ("game_auditor", "SELECT * FROM log.fact, log.leaf, log.checkpoint, log.audit", True),
        ("game_auditor", "SELECT * FROM log.secret", False),
        ("game_auditor", "SELECT * FROM lobby.token", False),
        ("game_auditor", "INSERT INTO log.audit " + ROWS["audit"], False),
    ],
)
async def test_what_a_role_may(owner: Connection, role: str, sql: str, expected: bool) -> None:
    assert expected == await allowed(owner, role, sql)


async def test_nodes_and_auditors_read_what_projections_make(owner: Connection, database: Database) -> None:
    async with connection(database.projector) as conn:
        await conn.execute("CREATE TABLE view.made (a int)")

    async with connection(database.read) as conn:
        assert [] == await conn.fetch("SELECT * FROM view.made")
    assert not await allowed(owner, "game_node", "INSERT INTO view.made VALUES (1)")


async def test_every_pool_has_its_role_and_settings(database: Database) -> None:
    async def shown(pool: Pool, *names: str) -> list[str]:
        async with connection(pool) as conn:
            return [await conn.fetchval(f"SHOW {name}") for name in names]

    for pool in (database.append, database.play, database.read, database.http):
        assert ["game_node", "force_generic_plan", "off", "3s", "5s"] == await shown(
            pool,
            "role",
            "plan_cache_mode",
            "enable_seqscan",
            "statement_timeout",
            "idle_in_transaction_session_timeout",
        )
    assert ["game_projector", "15s", "5s"] == await shown(
        database.projector, "role", "statement_timeout", "idle_in_transaction_session_timeout"
    )


async def test_an_auditor_connection_reads_no_keys(dsn: str) -> None:
    async with auditor(dsn) as conn:
        assert [] == await conn.fetch("SELECT * FROM log.fact")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await conn.fetch("SELECT * FROM log.secret")


async def test_a_connection_is_kept_after_use_and_dropped_after_any_exception(database: Database) -> None:
    async def pid() -> int:
        async with connection(database.append) as conn:
            return int(await conn.fetchval("SELECT pg_backend_pid()"))

    class Odd(BaseException):
        """What no except clause for Exception catches."""

    async def raising(fault: type[BaseException]) -> None:
        async with connection(database.append) as conn:
            seen.append(await conn.fetchval("SELECT pg_backend_pid()"))
            raise fault

    seen: list[int] = []
    first = await pid()
    kept = await pid()
    for fault in (ValueError, asyncio.CancelledError, Odd, asyncpg.InternalClientError):
        with pytest.raises(fault):
            await raising(fault)

    assert first == kept == seen[0]
    assert len(set(seen)) == len(seen)
    assert await pid() not in seen


async def test_a_full_pool_raises_within_the_time_given(database: Database) -> None:
    async with connection(database.append), connection(database.append):
        with pytest.raises(TimeoutError):
            async with connection(database.append, within=0.05):
                pytest.fail("there are two connections only")


async def test_a_silent_statement_ends_after_three_seconds(database: Database) -> None:
    began = asyncio.get_running_loop().time()
    with pytest.raises(asyncpg.QueryCanceledError):
        async with connection(database.append) as conn:
            await conn.execute("SELECT pg_sleep(10)")

    assert 2.9 < asyncio.get_running_loop().time() - began < 4.0


async def test_closing_does_not_wait_for_a_connection_in_use(dsn: str) -> None:
    pools = await connect(dsn)
    await pools.append.acquire()
    async with asyncio.timeout(6):
        await pools.close()

    assert 0 == pools.append.get_size()


async def test_the_schema_applied_twice_is_applied_once(empty_dsn: str) -> None:
    first = await apply(empty_dsn)
    second = await apply(empty_dsn)

    assert [path.name for path in sorted(SCHEMA.glob("*.sql"))] == first
    assert [] == second


async def test_servers_that_start_at_once_share_the_work(empty_dsn: str) -> None:
    done = await asyncio.gather(*(apply(empty_dsn) for _ in range(4)))

    assert sorted(path.name for path in SCHEMA.glob("*.sql")) == sorted(
        name for names in done for name in names
    )


async def test_databases_of_one_cluster_do_not_collide_over_roles(own_postgres: Embedded) -> None:
    conn = await asyncpg.connect(own_postgres.dsn)
    for number in range(3):
        await conn.execute(f"CREATE DATABASE d{number}")
    done = await asyncio.gather(*(apply(own_postgres.url(f"d{number}")) for number in range(3)))
    roles = await conn.fetchval("SELECT count(*) FROM pg_roles WHERE rolname = ANY($1)", ROLES)
    await conn.close()

    assert 3 == roles
    assert [len(list(SCHEMA.glob("*.sql")))] * 3 == [len(names) for names in done]


async def test_a_failing_file_leaves_nothing_and_those_before_it_stay(empty_dsn: str, tmp_path: Path) -> None:
    (tmp_path / "0001_good.sql").write_text("CREATE TABLE good (a int);")
    (tmp_path / "0002_bad.sql").write_text("CREATE TABLE bad (a int); SELECT 1 / 0;")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await apply(empty_dsn, tmp_path)
    (tmp_path / "0002_bad.sql").write_text("CREATE TABLE bad (a int);")

    assert ["0002_bad.sql"] == await apply(empty_dsn, tmp_path)


async def test_a_changed_file_and_a_newer_database_are_refused(empty_dsn: str, tmp_path: Path) -> None:
    (tmp_path / "0001_one.sql").write_text("CREATE TABLE one (a int);")
    (tmp_path / "0002_two.sql").write_text("CREATE TABLE two (a int);")
    await apply(empty_dsn, tmp_path)
    (tmp_path / "0001_one.sql").write_text("CREATE TABLE one (b int);")
    with pytest.raises(SchemaError, match=r"0001_one.sql is not as it was applied"):
        await apply(empty_dsn, tmp_path)
    (tmp_path / "0001_one.sql").write_text("CREATE TABLE one (a int);")
    (tmp_path / "0002_two.sql").unlink()

    with pytest.raises(SchemaError, match="schema file 2, unknown to this server"):
        await apply(empty_dsn, tmp_path)


async def test_an_owner_who_is_no_superuser_will_do(own_postgres: Embedded) -> None:
    conn = await asyncpg.connect(own_postgres.dsn)
    await conn.execute("CREATE ROLE steward LOGIN CREATEROLE PASSWORD 'p'")
    await conn.execute("CREATE DATABASE theirs OWNER steward")
    await conn.close()
    dsn = own_postgres.url("theirs").replace(own_postgres.dsn.split("@")[0], "postgresql://steward:p")

    async with opened(dsn) as database, connection(database.append) as node:
        assert "game_node" == await node.fetchval("SELECT current_user")
        assert [] == await node.fetch("SELECT * FROM log.fact")


async def test_matches_of_before_are_by_turns_unless_their_pace_says_live(
    empty_dsn: str, tmp_path: Path
) -> None:
    for file in sorted(SCHEMA.glob("000[1234]_*.sql")):
        shutil.copy(file, tmp_path)
    await apply(empty_dsn, tmp_path)
    paces = {"live": False, "Live, an evening": False, "a turn a day": True, "": True}
    owner = await asyncpg.connect(empty_dsn)
    for pace in paces:
        await owner.execute(
            "INSERT INTO lobby.match (match_id, title, scenario, pace, private, command, created_at)"
            " VALUES (gen_random_uuid(), 'tiny', 'duel', $1, false, sha256(convert_to($1, 'UTF8')),"
            " '2026-01-02')",
            pace,
        )

    await apply(empty_dsn)

    rows = await owner.fetch("SELECT pace, by_turns, seen_at = created_at AS seen, hidden FROM lobby.match")
    await owner.close()
    assert {pace: (turns, True, False) for pace, turns in paces.items()} == {
        row["pace"]: (row["by_turns"], row["seen"], row["hidden"]) for row in rows
    }


async def test_a_login_that_owns_nothing_may_start_on_a_schema_that_is_up_to_date(dsn: str) -> None:
    conn = await asyncpg.connect(dsn)
    await conn.execute("CREATE ROLE guest LOGIN PASSWORD 'p'")
    await conn.execute("GRANT game_node, game_projector TO guest")
    try:
        theirs = "postgresql://guest:p" + dsn[dsn.index("@") :]
        done = await apply(theirs)
        database = await connect(theirs)
        async with connection(database.append) as node:
            role = await node.fetchval("SELECT current_user")
        await database.close()
    finally:
        await conn.execute("DROP ROLE guest")
        await conn.close()

    assert ([], "game_node") == (done, role)


async def test_a_server_in_recovery_is_refused_but_for_auditors(folder: Path) -> None:
    async with embedded(folder, NO_DISK) as dsn:
        await apply(dsn)
    (folder / "postgres" / "standby.signal").touch()

    async with embedded(folder, NO_DISK) as dsn:
        with pytest.raises(asyncpg.TargetServerAttributeNotMatched):
            await apply(dsn)
        with pytest.raises(asyncpg.TargetServerAttributeNotMatched):
            await connect(dsn)
        async with auditor(dsn) as conn:
            assert [True, 0] == [
                await conn.fetchval("SELECT pg_is_in_recovery()"),
                await conn.fetchval("SELECT count(*) FROM log.fact"),
            ]


async def test_time_is_utc_and_exact(database: Database) -> None:
    at = dt.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=dt.UTC)
    async with connection(database.read) as conn:
        assert at == await conn.fetchval("SELECT $1::timestamptz", at)
