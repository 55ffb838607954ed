"""`fleetfold backup`: everything that is kept, as one file."""

from collections.abc import Callable
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final
from uuid import uuid4

import click
from asyncpg import InsufficientPrivilegeError, Record

from server.commands.archive import FORM, Applied, Manifest, Writing, writing
from server.commands.keeping import to_back_up
from server.commands.reach import note, owner
from server.commands.running import Progress, log_lines, read_settings, run
from server.postgres.copying import begin, is_empty, kept_tables
from server.postgres.database import Connection, Unfit, alone
from server.postgres.migrations import LOCK, applied
from server.proof.keys import read_ring
from server.proof.published import grown
from server.proof.sealed import refuse_other_ring_on
from server.settings import Settings

_MADE: Final = """
SELECT clock_timestamp() AS made, current_setting('server_version') AS postgres,
       (SELECT count(*) FROM lobby.match) AS matches
"""

_SEALED_WITH: Final = """
SELECT DISTINCT convert_from(substring(s.box FROM 3 FOR get_byte(s.box, 1)), 'SQL_ASCII') AS key
  FROM log.secret s JOIN lobby.match m USING (match_id) WHERE m.ended_at IS NULL ORDER BY key
"""


@click.command()
@click.argument("place", type=click.Path(path_type=Path))
@click.option(
    "--with-keys",
    is_flag=True,
    help="Put the key ring and the key that signs checkpoints into it. Whoever has the file then has both.",
)
def command(place: Path, *, with_keys: bool) -> None:
    """Write everything that is kept into one file, while the server runs or not.

    PLACE is a new file, or a folder in which one is named by the time. It holds all matches as of one moment,
    with everything acknowledged before; links, names and talk; checkpoints and the audit log. Play is not
    stopped meanwhile. Take the settings that `fleetfold serve` has; a database of yours is read by the login
    that owns the schema.

    The key ring is NOT in it unless you say so: matches that have not ended cannot go on without. Keep a copy
    of it in another place. `fleetfold restore` puts everything back.

    \b
    fleetfold backup /var/backups/fleetfold/
    """  # noqa: D301 click wants the character, not the backslash
    log_lines("error")
    settings = read_settings()
    within = place.is_dir()
    named = (lambda made: place / file_name(made)) if within else (lambda _made: place)
    path, manifest = run(back_up(settings, named, with_keys=with_keys))
    size = path.stat().st_size / 1e6
    click.echo(f"{path}: {manifest.matches} matches, {manifest.facts} facts, {size:.1f} MB.")
    click.echo("It holds what is hidden in matches that go on: keep it as you keep the database.", err=True)
    if with_keys:
        click.echo("The keys are in it: whoever has it can open every match and sign as you.", err=True)
    else:
        click.secho(_without_keys(settings, manifest), fg="yellow", err=True)


def _without_keys(settings: Settings, manifest: Manifest) -> str:
    """Say loudly what is not in a backup."""
    ring = settings.data / "keys" if settings.embedded and not settings.keys_file else "FLEETFOLD_KEYS"
    needed = ", ".join(manifest.sealed_with) or "none today"
    return (
        f"NOT in it: the key ring ({ring}; needed by matches that have not ended: {needed}) and the key that "
        f"signs checkpoints ({settings.data / 'signer'}). Without the ring these matches can never go on. "
        "Keep copies of both in another place, or use --with-keys."
    )


async def back_up(
    settings: Settings, named: Callable[[datetime], Path], *, with_keys: bool
) -> tuple[Path, Manifest]:
    """Write a backup; return its file and its manifest."""
    secret = to_back_up(settings) if with_keys else {}
    async with owner(settings) as dsn, alone(dsn) as conn:
        if await is_empty(conn):
            raise Unfit("There is nothing to back up: no server has started on this database.")
        try:
            await note(conn, "backup", "everything", keys=with_keys)
            # Held to the end: a schema file that rewrites a table would leave it empty in our snapshot.
            await conn.execute("SELECT pg_advisory_lock_shared($1)", LOCK)
            async with conn.transaction(isolation="repeatable_read", readonly=True):
                await begin(conn)
                row = await conn.fetchrow(_MADE)
                assert row is not None
                path = named(row["made"])
                return path, await _write(conn, settings, path, secret, row)
        except InsufficientPrivilegeError as why:
            raise Unfit(f"A backup is made with the login that owns the schema: {why}.") from None


async def _write(
    conn: Connection, settings: Settings, path: Path, secret: dict[str, str], row: Record
) -> Manifest:
    """Write what is in the snapshot of the current transaction."""
    tree = await grown(conn)
    if "keys" in secret:
        await refuse_other_ring_on(conn, read_ring(secret["keys"]))
    progress = Progress()
    with writing(path) as archive:
        for table in await kept_tables(conn):
            progress.say(f"{table.name} …")
            await archive.add_table(conn, table)
        _add_files(archive, settings, secret)
        manifest = Manifest(
            form=FORM,
            id=uuid4(),
            made=row["made"],
            server=version("fleetfold"),
            postgres=row["postgres"],
            schema=tuple(Applied(n, digest.hex()) for n, digest in sorted((await applied(conn)).items())),
            matches=row["matches"],
            facts=archive.members["tables/log.fact"].rows,
            size=tree.size,
            root=tree.root.hex(),
            sealed_with=tuple(one["key"] for one in await conn.fetch(_SEALED_WITH)),
            members=archive.members,
        )
        archive.end(manifest)
    return manifest


def _add_files(archive: Writing, settings: Settings, secret: dict[str, str]) -> None:
    """Add what lies beside the database; the notes that were published are in it."""
    nonces = settings.data / "nonces"
    for file in sorted(nonces.iterdir()) if nonces.is_dir() else ():
        archive.add(f"nonces/{file.name}", file.read_bytes())
    for name, text in secret.items():
        archive.add(f"secrets/{name}", text.encode())


def file_name(made: datetime) -> str:
    """Name a backup by its time."""
    return f"fleetfold-{made:%Y%m%dT%H%M%SZ}.zip"
