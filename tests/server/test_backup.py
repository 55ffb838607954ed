"""Backups: everything that is kept comes back, or nothing does and somebody is told."""

import asyncio
import hashlib
import os
import shutil
import signal
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import asyncpg
import pytest
from msgspec import json, structs

from server.commands import backup as backing_up
from server.commands.archive import MANIFEST, Manifest, reading
from server.commands.backup import back_up
from server.commands.restore import Done, Wish, restore
from server.postgres import restoring
from server.postgres.copying import KEPT, MADE_ANEW, is_empty
from server.postgres.database import Connection, Unfit, apply
from server.postgres.embedded import Embedded
from server.postgres.migrations import LOCK, SCHEMA, SchemaError
from server.proof.checkpoints import LATEST, Sequencer
from server.proof.keys import KeyFault
from server.proof.notes import new_signer
from server.proof.published import grown
from server.proof.tree import Tree
from server.serving import Serving, serving
from server.settings import Settings
from tests.conftest import run_sql, running
from tests.server.talk import offer, seated
from tests.server.test_starts import key

ROOT = Path(__file__).parents[2]
COUNTS = """
SELECT pid FROM pg_stat_activity
 WHERE query LIKE 'ANALYZE%' AND wait_event = 'VacuumDelay' AND backend_xid IS NOT NULL
   AND datname = current_database()
"""
EVERYTHING = "SELECT array_agg(t::text ORDER BY t::text) FROM (SELECT {columns} FROM {table}) t"


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


@pytest.fixture
async def other(empty_dsn: str) -> AsyncIterator[Connection]:
    """Give a connection to the database that is restored into."""
    conn = await asyncpg.connect(empty_dsn)
    yield conn
    await conn.close()


def settings(dsn: str, folder: Path, **more: Any) -> Settings:
    return Settings(database_url=dsn, data=folder, port=0, **more)


async def backup(set_by: Settings, to: Path, *, with_keys: bool = False) -> Manifest:
    _, manifest = await back_up(set_by, lambda _made: to, with_keys=with_keys)
    return manifest


async def restored(set_by: Settings, file: Path, **given: Any) -> Done:
    wish = Wish(set_by, None, None, None, without_keys=False, accept_loss=False)
    with reading(file) as archive:
        return await restore(structs.replace(wish, **given), archive)


async def played(server: Serving) -> None:
    """Play a match to its end, have that signed, offer another and talk about it."""
    async with seated(server.url) as (created, north, _):
        await north.say("say", match=created["match"], room="table", text="Back\\slash, é")
        await north.hear("said")
        await north.ask("resign", match=created["match"])
    signer = server.signer or new_signer()
    sequencer = Sequencer(server.database.projector, signer, server.settings.data / "checkpoints", interval=0)
    async with asyncio.timeout(10):
        while await sequencer.once() is None:
            await asyncio.sleep(0.01)
    await offer(server.url, label="Midway, tonight")


async def rows(conn: Connection) -> dict[str, list[str]]:
    """Return all that is kept, as text, without the numbers of transactions."""
    names = await conn.fetch(
        "SELECT table_schema || '.' || table_name AS name,"
        "       string_agg(quote_ident(column_name), ', ' ORDER BY column_name) AS columns"
        " FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)"
        " WHERE table_schema = ANY($1) AND table_type = 'BASE TABLE' AND column_name <> 'xid' GROUP BY 1",
        KEPT,
    )
    return {
        one["name"]: await conn.fetchval(EVERYTHING.format(table=one["name"], columns=one["columns"])) or []
        for one in names
    }


def altered(file: Path, name: str, content: bytes | None = None, **manifest: Any) -> Path:
    """Copy a backup with another content of one member, or other words in its manifest."""
    to = file.with_name(f"altered-{uuid4()}.zip")
    with ZipFile(file) as old, ZipFile(to, "w") as new:
        for one in old.namelist():
            said = old.read(one)
            if one == name:
                said = content or said.replace(b"t", b"s", 1)
            if one == MANIFEST and manifest:
                said = json.encode(structs.replace(json.decode(said, type=Manifest), **manifest))
            new.writestr(one, said)
    return to


async def test_no_schema_file_is_applied_while_a_backup_is_made(
    dsn: str, folder: Path, owner: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a file that rewrites a table, then its rows would not be in the snapshot of the backup."""
    free: list[bool] = []

    async def may_apply() -> bool:
        return bool(await owner.fetchval("SELECT pg_try_advisory_lock($1)", LOCK))

    async def looked(conn: Connection) -> Tree:
        free.append(await may_apply())
        return await grown(conn)

    monkeypatch.setattr(backing_up, "grown", looked)
    async with running(dsn, folder):
        pass
    await backup(settings(dsn, folder), tmp_path / "b.zip")

    assert [False] == free
    async with asyncio.timeout(10):  # Postgres ends the session a little after its connection is closed
        while not await may_apply():
            await asyncio.sleep(0.01)


async def test_with_the_keys_goes_the_signer_that_the_settings_name(
    dsn: str, folder: Path, tmp_path: Path
) -> None:
    async with running(dsn, folder):
        pass
    signer = new_signer()
    signer.write(tmp_path / "another")
    text = (tmp_path / "another").read_text()
    wishes: list[dict[str, Any]] = [{"signer_file": tmp_path / "another"}, {"signer": text}]
    for number, named in enumerate(wishes):
        file = tmp_path / f"{number}.zip"
        set_by = settings(dsn, folder, keys=key("k"), **named)
        await backup(set_by, file, with_keys=True)
        with reading(file) as archive:
            assert text == archive.text("secrets/signer")


async def test_all_that_is_kept_comes_back_as_it_was_and_goes_on(
    dsn: str, folder: Path, owner: Connection, empty_dsn: str, other: Connection, tmp_path: Path
) -> None:
    ring = key("k")
    async with running(dsn, folder, keys=ring) as server:
        await played(server)
    made = await backup(settings(dsn, folder, keys=ring), tmp_path / "b.zip")
    before = await rows(owner)

    await restored(settings(empty_dsn, tmp_path / "new", keys=ring), tmp_path / "b.zip")
    after = await rows(other)
    audit = await other.fetch("SELECT action FROM log.audit ORDER BY id")

    assert [one["action"] for one in audit] == ["backup", "restore"]
    after["log.audit"].pop()
    assert before == after
    assert all(before[f"lobby.{name}"] for name in ("match", "token", "seat", "chat"))
    assert all(before[f"log.{name}"] for name in ("fact", "secret", "leaf", "checkpoint", "clock"))
    assert (2, len(before["log.fact"]), 1) == (made.matches, made.facts, made.size)
    async with running(empty_dsn, folder, keys=ring) as server:
        assert "created" == (await offer(server.url))["t"]


async def test_every_schema_of_the_database_is_kept_or_made_anew(owner: Connection) -> None:
    found = await owner.fetch("SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_'")

    assert {*KEPT, *MADE_ANEW, "public", "information_schema"} == {row["nspname"] for row in found}


async def test_a_backup_is_for_its_owner_alone_and_overwrites_none(
    dsn: str, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "b.zip"
    await backup(settings(dsn, folder), file)
    first = file.read_bytes()

    with pytest.raises(FileExistsError, match="is there already, and stays"):
        await backup(settings(dsn, folder), file)

    assert 0o600 == file.stat().st_mode & 0o777
    assert first == file.read_bytes()
    assert [file] == list(tmp_path.iterdir())


async def test_a_login_that_does_not_own_the_schema_is_told_to(
    dsn: str, folder: Path, owner: Connection, tmp_path: Path
) -> None:
    await owner.execute("CREATE ROLE looker LOGIN PASSWORD 'p'")
    try:
        theirs = "postgresql://looker:p" + dsn[dsn.index("@") :]
        with pytest.raises(Unfit, match="with the login that owns the schema"):
            await backup(settings(theirs, folder), tmp_path / "b.zip")
    finally:
        await owner.execute("DROP ROLE looker")

    assert [] == list(tmp_path.iterdir())


async def test_nothing_is_restored_into_a_database_that_is_not_empty(
    dsn: str, folder: Path, owner: Connection, tmp_path: Path
) -> None:
    async with running(dsn, folder) as server:
        await offer(server.url)
        await backup(server.settings, tmp_path / "b.zip")
        before = await rows(owner)
        with pytest.raises(Unfit, match=r"not empty.*Nothing was changed"):
            await restored(server.settings, tmp_path / "b.zip")

    assert before == await rows(owner)
    assert not await owner.fetchval(restoring.IS_RESTORING)


def cut(file: Path, part: float) -> Path:
    """Copy the beginning of a file."""
    content = file.read_bytes()
    to = file.with_name("cut.zip")
    to.write_bytes(content[: int(len(content) * part)])
    return to


def flipped(file: Path) -> Path:
    """Copy a backup with one bit of its facts turned."""
    with ZipFile(file) as archive:
        at = archive.getinfo("tables/log.fact")
        place = at.header_offset + 200
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    to = file.with_name("flipped.zip")
    to.write_bytes(content)
    return to


async def test_a_damaged_backup_leaves_nothing_and_nothing_is_served(
    dsn: str, folder: Path, empty_dsn: str, other: Connection, tmp_path: Path
) -> None:
    file = tmp_path / "b.zip"
    async with running(dsn, folder) as server:
        await offer(server.url)
        await backup(server.settings, file)
        set_by = settings(empty_dsn, tmp_path / "new", keys=(folder / "keys").read_text())

    for damaged, said in (
        (altered(file, "", form=2), "newer version"),
        (cut(file, 0.9), "is no backup, or was cut short"),
        (altered(file, "", members={}), "its members are not those that its manifest names"),
        (altered(file, "tables/lobby.match"), "tables/lobby.match is not what its manifest says"),
        (flipped(file), "tables/log.fact (cannot be read|is not what)"),
        (altered(file, "", size=5), "its matches are not those of its manifest"),
    ):
        with pytest.raises(Unfit, match=said):
            await restored(set_by, damaged)
        assert await is_empty(other)
    await refused(set_by)
    await restored(set_by, file)
    async with serving(set_by) as server:
        assert "created" == (await offer(server.url, title="midway", scenario="duel"))["t"]


def facts_of(file: Path) -> list[bytes]:
    with ZipFile(file) as archive:
        return archive.read("tables/log.fact").splitlines(keepends=True)


def without_fact(file: Path, line: int) -> Path:
    """Copy a backup that lacks a fact, by its place in the file, and whose manifest says nothing of that."""
    facts = facts_of(file)
    del facts[line]
    content = b"".join(facts)
    with reading(file) as archive:
        members = dict(archive.manifest.members)
    digest = hashlib.sha256(content).hexdigest()
    fewer = structs.replace(members["tables/log.fact"], rows=len(facts), sha256=digest, size=len(content))
    return altered(file, "tables/log.fact", content, members={**members, "tables/log.fact": fewer})


async def test_a_backup_that_is_not_what_was_signed_is_refused(
    dsn: str, folder: Path, empty_dsn: str, other: Connection, tmp_path: Path
) -> None:
    file, note = tmp_path / "b.zip", tmp_path / "note"
    async with running(dsn, folder) as server:
        await played(server)
        await backup(server.settings, file)
        set_by = settings(empty_dsn, tmp_path / "new", keys=(folder / "keys").read_text())
    note.write_text(new_signer().sign(1, bytes(32)))
    end = next(n for n, line in enumerate(facts_of(file)) if b"\tEnded\t" in line)

    with pytest.raises(Unfit, match="not of the log that was published: the first 1 matches"):
        await restored(set_by, file, published=note)
    with pytest.raises(
        Unfit, match=r"not of the log that was published: match .* does not end as was signed"
    ):
        await restored(set_by, without_fact(file, end))
    with pytest.raises(Unfit, match=r"facts of match .* are missing"):
        await restored(set_by, without_fact(file, end - 1))
    assert await is_empty(other)
    await restored(set_by, file, published=folder / "checkpoints")

    published = (folder / "checkpoints" / LATEST).read_text()
    assert published == (set_by.data / "checkpoints" / LATEST).read_text()


async def test_what_is_written_while_a_backup_is_made_is_in_all_of_it_or_in_nothing(
    dsn: str, folder: Path, owner: Connection, tmp_path: Path
) -> None:
    file = tmp_path / "b.zip"
    async with running(dsn, folder) as server:
        await offer(server.url)

    async def meanwhile() -> None:
        conn = await asyncpg.connect(dsn)
        await conn.execute(
            "INSERT INTO lobby.match (match_id, title, scenario, pace, private, command)"
            " VALUES (gen_random_uuid(), 'tiny', 'duel', '', false, sha256('a'))"
        )
        await conn.close()

    def named(_made: datetime) -> Path:
        """Name the file, behind the first look and before any table is read."""
        with ThreadPoolExecutor() as others:
            others.submit(asyncio.run, meanwhile()).result()
        return file

    _, manifest = await back_up(settings(dsn, folder), named, with_keys=False)

    assert 2 == await owner.fetchval("SELECT count(*) FROM lobby.match")
    assert (1, 1) == (manifest.matches, manifest.members["tables/lobby.match"].rows)


async def refused(set_by: Settings) -> None:
    """See that no server starts on a database until the restore has ended."""
    with pytest.raises(SchemaError, match="being restored into this database, or that was cut short"):
        async with serving(set_by):
            pass


async def test_a_restore_that_was_killed_leaves_nothing_that_is_served_by_anybody_and_is_run_again(
    dsn: str, folder: Path, empty_dsn: str, other: Connection, tmp_path: Path
) -> None:
    async with running(dsn, folder) as server:
        await offer(server.url)
        await backup(server.settings, tmp_path / "b.zip")
        set_by = settings(empty_dsn, tmp_path / "new", keys=(folder / "keys").read_text())
    given = {
        "FLEETFOLD_DATABASE_URL": empty_dsn,
        "FLEETFOLD_DATA": str(set_by.data),
        "FLEETFOLD_KEYS": set_by.keys,
    }
    name = await other.fetchval("SELECT current_database()")
    # So that it stays long where all rows are there and counted, before anything is compared.
    await other.execute(f"ALTER DATABASE {name} SET vacuum_cost_limit = 1")
    await other.execute(f"ALTER DATABASE {name} SET vacuum_cost_delay = 100")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "restore", str(tmp_path / "b.zip"),
        env={**os.environ, **given}, cwd=ROOT,
    )  # fmt: skip
    elsewhere = structs.replace(set_by, data=tmp_path / "elsewhere")
    try:
        async with asyncio.timeout(20):
            while (pid := await other.fetchval(COUNTS)) is None:
                await asyncio.sleep(0.01)
        await refused(elsewhere)
    finally:
        process.send_signal(signal.SIGKILL)
        await process.wait()
    await other.execute("SELECT pg_terminate_backend($1)", pid)
    await other.execute(f"ALTER DATABASE {name} RESET ALL")
    await refused(set_by)
    await refused(elsewhere)

    assert await is_empty(other)
    await restored(set_by, tmp_path / "b.zip")

    assert 1 == await other.fetchval("SELECT count(*) FROM lobby.match")
    async with serving(elsewhere):
        pass


async def test_one_that_was_killed_at_its_very_end_goes_on_from_there(
    dsn: str, folder: Path, empty_dsn: str, other: Connection, tmp_path: Path
) -> None:
    async with running(dsn, folder) as server:
        await offer(server.url)
        made = await backup(server.settings, tmp_path / "b.zip", with_keys=True)
    set_by = settings(empty_dsn, tmp_path / "new")
    await restored(set_by, tmp_path / "b.zip")
    await restoring.begin(other, made.id)
    (set_by.data / "keys").unlink()

    await restored(set_by, tmp_path / "b.zip")

    assert (set_by.data / "keys").exists()
    async with serving(structs.replace(set_by, keys=(folder / "keys").read_text())):
        pass


async def test_keys_come_back_only_if_they_were_asked_for(
    dsn: str, folder: Path, empty_dsn: str, other: Connection, tmp_path: Path
) -> None:
    async with running(dsn, folder) as server:
        await offer(server.url)
        new_signer().write(folder / "signer")
        (folder / "nonces").mkdir()
        (folder / "nonces" / "kept").write_text("a nonce")
        without = await backup(server.settings, tmp_path / "without.zip")
        await backup(server.settings, tmp_path / "with.zip", with_keys=True)
    set_by = settings(empty_dsn, tmp_path / "new")
    ring = (folder / "keys").read_text()

    with pytest.raises(KeyFault, match=f"sealed with {without.sealed_with[0]}, which is not on the key ring"):
        await restored(set_by, tmp_path / "without.zip")
    with pytest.raises(KeyFault, match="which is not on the key ring"):
        await restored(structs.replace(set_by, keys=key("another")), tmp_path / "without.zip")
    with pytest.raises(KeyFault, match="the key ring has another of that name"):
        await restored(structs.replace(set_by, keys=key(without.sealed_with[0])), tmp_path / "without.zip")
    assert await is_empty(other)
    await restored(set_by, tmp_path / "with.zip")

    assert "a nonce" == (set_by.data / "nonces" / "kept").read_text()
    assert ring not in (tmp_path / "without.zip").read_bytes().decode("latin-1")
    assert not [name for name in without.members if name.startswith("secrets/")]
    for name in ("keys", "signer"):
        assert (folder / name).read_text() == (set_by.data / name).read_text()
        assert 0o600 == (set_by.data / name).stat().st_mode & 0o777


@pytest.mark.parametrize("ring", ["", key("another")], ids=["none", "another"])
async def test_matches_whose_ring_is_lost_are_given_up_if_that_is_wanted_and_the_server_starts(
    dsn: str, folder: Path, empty_dsn: str, other: Connection, tmp_path: Path, ring: str
) -> None:
    async with running(dsn, folder) as server:
        await played(server)
        await backup(server.settings, tmp_path / "b.zip")

    set_by = settings(empty_dsn, tmp_path / "new", keys=ring)
    done = await restored(set_by, tmp_path / "b.zip", without_keys=True)

    assert (1, 2) == (done.given_up, await other.fetchval("SELECT count(*) FROM lobby.match"))
    assert "1" == await other.fetchval("SELECT detail->>'given_up' FROM log.audit WHERE action = 'restore'")
    async with serving(structs.replace(set_by, keys=key("another"))) as server:
        assert "created" == (await offer(server.url, title="midway", scenario="duel"))["t"]


async def test_a_backup_of_an_older_schema_is_brought_up_to_date_and_of_a_newer_one_refused(
    empty_dsn: str, folder: Path, other: Connection, tmp_path: Path
) -> None:
    older = tmp_path / "schema"
    older.mkdir()
    for file in sorted(SCHEMA.glob("*.sql"))[:4]:
        shutil.copy(file, older)
    await apply(empty_dsn, older)
    await other.execute(
        "INSERT INTO lobby.match (match_id, title, scenario, pace, private, command, created_at)"
        " VALUES ($1, 'tiny', 'duel', 'a turn a day', false, sha256('a'), '2026-01-02')",
        uuid4(),
    )
    await backup(settings(empty_dsn, folder), tmp_path / "b.zip")
    await other.execute("DROP SCHEMA log, lobby, view, setup CASCADE")

    await restored(settings(empty_dsn, tmp_path / "new"), tmp_path / "b.zip")
    row = await other.fetchrow("SELECT by_turns, seen_at = created_at AS seen FROM lobby.match")
    newer = altered(tmp_path / "b.zip", "", schema=[{"number": 9999, "sha256": "00"}])

    assert row is not None
    assert (True, True) == (row["by_turns"], row["seen"])
    with pytest.raises(SchemaError, match="schema file 9999, unknown to this server"):
        await restored(settings(empty_dsn, tmp_path / "newer"), newer)


async def test_an_owner_who_is_no_superuser_restores_and_backs_up(
    dsn: str, folder: Path, postgres: Embedded, tmp_path: Path
) -> None:
    async with running(dsn, folder) as server:
        await played(server)
        await backup(server.settings, tmp_path / "b.zip", with_keys=True)
    await run_sql(
        postgres, "CREATE ROLE steward LOGIN PASSWORD 'p' IN ROLE game_node, game_projector, game_auditor"
    )
    await run_sql(postgres, "CREATE DATABASE theirs OWNER steward")
    theirs = "postgresql://steward:p" + postgres.url("theirs")[dsn.index("@") :]
    try:
        await restored(settings(theirs, tmp_path / "new"), tmp_path / "b.zip")
        again = await backup(settings(theirs, tmp_path / "new"), tmp_path / "again.zip")
        conn = await asyncpg.connect(theirs)
        owners = await conn.fetch(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = ANY($1)", KEPT
        )
        await conn.close()
    finally:
        await run_sql(postgres, "DROP DATABASE theirs WITH (FORCE)")
        await run_sql(postgres, "DROP ROLE steward")

    assert ["steward"] == [row["tableowner"] for row in owners]
    assert (2, 1) == (again.matches, again.size)


async def test_the_commands_say_what_is_missing_and_what_to_do(
    dsn: str, folder: Path, empty_dsn: str, tmp_path: Path
) -> None:
    async def fleetfold(*words: str, **given: str) -> tuple[int | None, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "server", *words, cwd=ROOT,
            env={**os.environ, **{f"FLEETFOLD_{name}": value for name, value in given.items()}},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        said, _ = await process.communicate()
        return process.returncode, said.decode()

    async with running(dsn, folder) as server:
        await offer(server.url)
        ring = (folder / "keys").read_text().split()[0]
        old = {"DATABASE_URL": dsn, "DATA": str(folder), "KEYS": str(folder / "keys")}
        made = await fleetfold("backup", str(tmp_path), **old)
    (file,) = tmp_path.glob("fleetfold-*.zip")
    new = {"DATABASE_URL": empty_dsn, "DATA": str(tmp_path / "new")}
    refused = await fleetfold("restore", str(file), **new)
    done = await fleetfold("restore", str(file), "--keys", str(folder / "keys"), **new)

    assert 0 == made[0], made
    assert f"{file}: 1 matches" in made[1]
    assert (
        "NOT in it: the key ring (FLEETFOLD_KEYS; needed by matches that have not ended: " + ring in made[1]
    )
    assert 1 == refused[0]
    assert (
        f"sealed with {ring}, which is not on the key ring: name the file of the ring by --keys" in refused[1]
    )
    assert 0 == done[0], done
    assert "1 matches" in done[1]
    assert "Set FLEETFOLD_KEYS to the key ring before you start the server" in done[1]
    assert "The key that signs checkpoints is not there" in done[1]
