"""`fleetfold restore`: a backup put back, into an empty database."""

import contextlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Final

import click
from asyncpg import InsufficientPrivilegeError
from msgspec import Struct

from projections.every import PROJECTIONS
from projections.feed import catch_up
from projections.generations import prepare
from projections.projection import UnprojectableFact
from server.commands.archive import Manifest, Reading, reading
from server.commands.keeping import NAMES, ring_for, still_to_do, to_restore, to_write
from server.commands.reach import note, owner
from server.commands.running import Progress, log_lines, read_settings, run
from server.postgres import restoring
from server.postgres.copying import analyze, begin, count_on, is_empty, kept_tables
from server.postgres.database import Connection, Unfit, alone, opened, own_login
from server.postgres.engine import account
from server.postgres.folder import begin_restoring, end_restoring, own_folder
from server.postgres.migrations import LOCK, File, SchemaError, apply_in, missing, numbered
from server.proof.checkpoints import Tampered, publish
from server.proof.keys import KeyRing, write_private
from server.proof.notes import BadNote, read_note
from server.proof.published import grown, lost, own_notes, read_notes, refuse_other_ends
from server.proof.sealed import give_up, refuse_other_ring_on
from server.settings import Settings

_HAS_AUDIT: Final = """
SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'log' AND tablename = 'audit')
"""
_THIS: Final = "SELECT EXISTS (SELECT FROM log.audit WHERE action = 'restore' AND subject = $1)"

_GAP: Final = """
SELECT match_id FROM log.fact GROUP BY match_id HAVING max(seq) <> count(*) OR min(seq) <> 1 LIMIT 1
"""


class Wish(Struct, frozen=True):
    """What is to be put back, and what is taken as it is."""

    settings: Settings
    keys: Path | None
    signer: Path | None
    published: Path | None
    without_keys: bool
    accept_loss: bool


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--keys", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="The key ring's file."
)
@click.option(
    "--signer",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file of the signing key.",
)
@click.option(
    "--published",
    type=click.Path(exists=True, path_type=Path),
    help="The last checkpoint that was published, or the folder of them all: to know what is lost.",
)
@click.option("--without-keys", is_flag=True, help="Give up matches that go on whose key is lost.")
@click.option("--accept-loss", is_flag=True, help="Restore though matches that were published are not in it.")
def command(
    file: Path,
    keys: Path | None,
    signer: Path | None,
    published: Path | None,
    *,
    without_keys: bool,
    accept_loss: bool,
) -> None:
    """Put a backup back into an empty database, with all its matches, links and talk.

    Take the settings that `fleetfold serve` is to have: without a database of yours FLEETFOLD_DATA is set up
    anew. Everything in FILE is compared with what it says of itself, and its matches with the checkpoints
    that were signed; all of it is put back or nothing. If this is cut short nothing is served until it was
    run again.

    The key ring has to be there: in the file, by --keys, or where the server looks for it. What
    FLEETFOLD_KEYS and FLEETFOLD_SIGNER name comes first, since the server goes by it. With --published you
    are told how many matches ended after the backup was made: they are lost, and whoever kept that
    checkpoint can prove that they were. See the runbook for what to do then.

    \b
    fleetfold restore fleetfold-20261129T020000Z.zip --keys keys --signer signer --published checkpoints/
    """  # noqa: D301 click wants the character, not the backslash
    log_lines("error")
    wish = Wish(read_settings(), keys, signer, published, without_keys, accept_loss)
    manifest, done = run(_restore_from(file, wish))
    made = f"{manifest.made:%Y-%m-%d %H:%M:%S} UTC"
    click.echo(f"Restored as of {made}: {manifest.matches} matches, {manifest.facts} facts.")
    if done.given_up:
        click.secho(
            f"{done.given_up} matches that went on cannot be opened: given up.", fg="yellow", err=True
        )
    for line in done.to_do:
        click.secho(line, fg="yellow", err=True)


class Done(Struct, frozen=True):
    """What a restore came to: how many matches were given up, and what to do before a server starts."""

    given_up: int
    to_do: list[str]


async def _restore_from(file: Path, wish: Wish) -> tuple[Manifest, Done]:
    with reading(file) as archive:
        return archive.manifest, await restore(wish, archive)


async def restore(wish: Wish, archive: Reading) -> Done:
    """Put everything back. Raises Unfit, KeyFault, SchemaError; then nothing was put back."""
    settings, manifest = wish.settings, archive.manifest
    files = schema_of(manifest)
    kept = {name: archive.text(f"secrets/{name}") for name in NAMES if f"secrets/{name}" in manifest.members}
    texts = to_restore(settings, {"keys": wish.keys, "signer": wish.signer}, kept)
    ring = ring_for(manifest.sealed_with, texts.get("keys", ""), without_keys=wish.without_keys)
    notes = _published(wish)
    given_up = 0
    if settings.embedded:
        own_folder(settings.data, account(settings.data / "postgres"))
        if not (settings.data / "postgres").exists():
            begin_restoring(settings.data)
    async with owner(settings, create=True) as dsn:
        async with alone(dsn) as conn:
            there = await _is_there(conn, manifest)
            end_restoring(settings.data)  # the database has the mark now
            if not there:
                given_up = await _put_back(conn, wish, archive, files, ring, notes)
            _write_files(settings, archive, texts, notes)
            await restoring.end(conn)
        await _project(await own_login(dsn) if settings.embedded else dsn)
    return Done(given_up, list(still_to_do(settings, kept)))


def schema_of(manifest: Manifest) -> list[File]:
    """Return the files that made the schema of a backup. Raises SchemaError if they are not ours."""
    files = numbered()
    try:
        there = {one.number: bytes.fromhex(one.sha256) for one in manifest.schema}
        later = missing(files, there)
    except ValueError:
        raise Unfit("The backup is damaged: its manifest has a hash that is none.") from None
    except SchemaError as why:
        raise SchemaError(f"The backup was made by version {manifest.server}. {why}") from None
    return [file for file in files if file not in later]


def _published(wish: Wish) -> list[str]:
    """Read the notes that were published, from where it was said or where this server puts them."""
    place = wish.published or wish.settings.data / "checkpoints"
    try:
        return read_notes(place) if place.exists() else []
    except BadNote as bad:
        raise Unfit(f"{place} holds no published checkpoints: {bad}.") from None


async def _is_there(conn: Connection, manifest: Manifest) -> bool:
    """Whether this very backup was put back, but for the end; else mark the database, which has to be empty.

    Raises Unfit where anything else is there.
    """
    async with _as_owner(conn):
        await conn.execute("SELECT pg_advisory_xact_lock($1)", LOCK)  # whoever starts a server now waits
        if await is_empty(conn):
            await restoring.begin(conn, manifest.id)
            return False
        ours = await conn.fetchval(restoring.IS_RESTORING) and await conn.fetchval(_HAS_AUDIT)
        if ours and await conn.fetchval(_THIS, str(manifest.id)):
            return True
    raise Unfit(
        "This database is not empty: a server has started on it, or another backup was restored. A backup is "
        "put back into a new one only: choose another FLEETFOLD_DATA, or make a new database and set "
        "FLEETFOLD_DATABASE_URL to it. Nothing was changed."
    )


async def _put_back(
    conn: Connection, wish: Wish, archive: Reading, files: list[File], ring: KeyRing | None, notes: list[str]
) -> int:
    """Make the schema, fill it, and compare everything, in one transaction: all of it or nothing.

    Return how many matches were given up, for want of their keys.
    """
    progress = Progress()
    async with _as_owner(conn):
        await begin(conn)
        await conn.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
        for file in files:
            await apply_in(conn, file)
        tables = await kept_tables(conn)
        if {f"tables/{table.name}" for table in tables} != set(archive.names("tables/")):
            raise Unfit("The backup has other tables than the schema that it was made with.")
        for table in tables:
            progress.say(f"{table.name} …")
            await archive.put_back(conn, table)
        await count_on(conn)
        await analyze(conn, tables)
        given_up = await give_up(conn, ring) if wish.without_keys else 0
        await _compare(conn, wish, archive.manifest, ring, notes)
        said = {"made": archive.manifest.made.isoformat(), "facts": archive.manifest.facts}
        await note(conn, "restore", str(archive.manifest.id), **said, given_up=given_up)
    return given_up


@contextlib.asynccontextmanager
async def _as_owner(conn: Connection) -> AsyncIterator[None]:
    """Do something in a transaction; raise Unfit where this login may not."""
    try:
        async with conn.transaction():
            yield
    except InsufficientPrivilegeError as why:
        raise Unfit(
            f"This login may not make the schema and its roles: {why}. Take the one that is to own the "
            "database, as deploy/postgres/roles.sql makes it."
        ) from None


async def _compare(
    conn: Connection, wish: Wish, manifest: Manifest, ring: KeyRing | None, notes: list[str]
) -> None:
    """Compare what was put back with the manifest, with what was signed, and with the key ring at hand."""
    if (match := await conn.fetchval(_GAP)) is not None:
        raise Unfit(f"The backup is damaged: facts of match {match} are missing.")
    published = [read_note(text) for text in notes]
    try:
        tree = await grown(conn, [*await own_notes(conn), *published])
        await refuse_other_ends(conn)
    except Tampered as fault:
        raise Unfit(f"This backup is not of the log that was published: {fault}.") from None
    if (tree.size, tree.root.hex()) != (manifest.size, manifest.root):
        raise Unfit("The backup is damaged: its matches are not those of its manifest.")
    if (gone := lost(tree, published)) and not wish.accept_loss:
        raise Unfit(
            f"A checkpoint was published of {tree.size + gone} matches that had ended, and in this backup "
            f"there are {tree.size}. The rest, {gone}, ended after it was made and would be lost, which "
            "whoever kept that checkpoint can prove. Take a later backup, or say --accept-loss and read what "
            "the runbook says of it (Backup and restore)."
        )
    if ring is not None:
        await refuse_other_ring_on(conn, ring)


def _write_files(settings: Settings, archive: Reading, texts: dict[str, str], notes: list[str]) -> None:
    """Write what lies beside the database, unless it is there."""
    settings.data.mkdir(parents=True, exist_ok=True)
    for file, text in to_write(settings, texts).items():
        write_private(file, text)
    for name in archive.names("nonces/"):
        file = settings.data / "nonces" / Path(name).name
        file.parent.mkdir(exist_ok=True, mode=0o700)
        if not file.exists():
            write_private(file, archive.text(name))
    for text in notes:
        publish(settings.data / "checkpoints", read_note(text).size, text)


async def _project(dsn: str) -> None:
    """Build the projections, so that the lists are whole when a server starts; it would do so by itself."""
    progress = Progress()
    async with opened(dsn) as database:
        for projection in PROJECTIONS:
            await prepare(database.projector, projection)
            try:
                await catch_up(database.projector, projection, say=partial(progress.facts, projection.name))
            except UnprojectableFact as bad:
                click.echo(f"{bad}. Play is not affected; see the runbook, Is it healthy.", err=True)
