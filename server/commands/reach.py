"""How commands open the log: in the configured database, or in the embedded one of the data folder.

If a server is running on the data folder, its Postgres is used through its socket; else Postgres is started
for the command and stopped after it. Deliberately absent: access rules. Anyone who can run these commands can
read the database.
"""

import contextlib
import getpass
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import quote, urlencode
from uuid import UUID

import click
from msgspec import Struct, json

from domain.match.chain import Entry
from projections.record import BadRecord, Proof, header_of, proof, read_ends
from projections.sources import RecordFile, RecordInLog
from server.log.store import PostgresLog
from server.postgres.database import Connection, Database, PooledConnection, connection, opened, own_login
from server.postgres.embedded import DATABASE, OWNER, embedded
from server.postgres.engine import EmbeddedError
from server.postgres.folder import claim, refuse_half_restored
from server.proof import keys
from server.proof.keys import KeyFault, KeyRing, Unsealable
from server.proof.notes import BadNote, Verifier, find_signer
from server.settings import Settings

_LOOKED = "INSERT INTO log.audit (actor, action, subject, detail) VALUES ($1, $2, $3, $4)"


class OpenLog(Struct, frozen=True):
    """The log that a command reads or imports into. `folder` is the data folder of an embedded database."""

    database: Database
    log: PostgresLog
    settings: Settings
    folder: Path | None

    def ring(self) -> KeyRing:
        """Find the key ring. Raises KeyFault."""
        return keys.find_ring(text=self.settings.keys, file=self.settings.keys_file, folder=self.folder)

    async def ends(self, match: UUID) -> tuple[Entry, Entry]:
        """Read the first and the last fact of a match; a click error where there is none."""
        head = (await self.log.heads([match])).get(match)
        if head is None:
            raise click.ClickException(f"There is no match {match}.")
        return await read_ends(self.log, match, head)

    async def key(self, match: UUID, last: Entry, *, needed: bool = True) -> bytes | None:
        """Open the key of a match that has not ended; None where it has, or where it cannot be had."""
        if last.final:
            return None
        sealed_key = await self.log.sealed_key(match)
        try:
            if sealed_key is not None:
                return self.ring().open(match, sealed_key)
            why = "the log holds no key for it"
        except (KeyFault, Unsealable) as fault:
            why = str(fault)
        if needed:
            raise click.ClickException(f"Match {match} has not ended, and its key cannot be had: {why}.")
        return None

    async def record(self, match: UUID) -> RecordInLog:
        """Return the record of a match as it stands, with its checkpoint if it is in one."""
        first, last = await self.ends(match)
        header = header_of(first, last, proof=await self.proof(match))
        return RecordInLog(self.log, header, first, last)

    async def proof(self, match: UUID) -> Proof | None:
        """Read the proof that a match is in the published tree; None if it is not."""
        async with connection(self.database.projector) as conn:
            return await proof(conn, match)

    async def note(self, action: str, match: UUID, **detail: object) -> None:
        """Write an entry of the audit log: a match was viewed, exported or imported by a command."""
        async with connection(self.database.append) as conn:
            await note(conn, action, str(match), **detail)


async def note(conn: "Connection | PooledConnection", action: str, subject: str, **detail: object) -> None:
    """Write an entry of the audit log, of whoever runs a command."""
    said = json.encode(detail).decode()
    await conn.execute(_LOOKED, f"operator {getpass.getuser()}", action, subject, said)


@contextlib.asynccontextmanager
async def reach(settings: Settings, *, create: bool = False) -> AsyncIterator[OpenLog]:
    """Open the log. With `create` a data folder without a database gets one; else that is a click error.

    Raises EmbeddedError, SchemaError, and what connecting raises.
    """
    async with contextlib.AsyncExitStack() as stack:
        refuse_half_restored(settings.data)
        dsn = await stack.enter_async_context(owner(settings, create=create))
        if settings.embedded:
            dsn = await own_login(dsn)
        database = await stack.enter_async_context(opened(dsn))
        log = PostgresLog(database)
        stack.push_async_callback(log.close)
        yield OpenLog(database, log, settings, settings.data if settings.embedded else None)


@contextlib.asynccontextmanager
async def owner(settings: Settings, *, create: bool = False) -> AsyncIterator[str]:
    """Yield the URL of the database, with its owner's login if it is embedded; nothing is applied to it.

    With `create` a data folder without a database gets one; else that is a click error.
    """
    if settings.database_url is not None:
        yield settings.database_url
        return
    async with _in_folder(settings.data, create=create) as dsn:
        yield dsn


@contextlib.asynccontextmanager
async def _in_folder(folder: Path, *, create: bool) -> AsyncIterator[str]:
    home = folder / "postgres"
    if not create and not (home / "PG_VERSION").exists():
        raise click.ClickException(
            f"There are no matches in {folder} yet. Set FLEETFOLD_DATA to another folder, or "
            "FLEETFOLD_DATABASE_URL to a database."
        )
    if _in_use(folder):
        yield _socket(folder, home)
        return
    click.echo(f"Starting the database in {folder} …", err=True)
    async with embedded(folder) as dsn:
        yield dsn


def _in_use(folder: Path) -> bool:
    """Whether a server is running on the folder."""
    if not folder.is_dir():
        return False
    lock = claim(folder / "server.lock")
    if lock is not None:
        lock.close()
    return lock is None


def _socket(folder: Path, home: Path) -> str:
    """Make the URL of a Postgres that runs already, from what it says about itself. Raises EmbeddedError."""
    try:
        lines = (home / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        port, sockets = int(lines[3]), lines[4]
        password = (folder / "password").read_text(encoding="ascii").strip()
    except (FileNotFoundError, ValueError, IndexError):
        raise EmbeddedError(f"A server on {folder} is just starting or stopping. Try again.") from None
    except PermissionError:
        raise EmbeddedError(f"The data folder {folder} belongs to another account.") from None
    place = urlencode({"host": sockets, "port": port}, quote_via=quote)
    return f"postgresql://{OWNER}:{password}@/{DATABASE}?{place}"


def file_or_match(given: str) -> Path | UUID:
    """Return the argument as a file's path or a match id; raises a click error if it is neither."""
    if (path := Path(given)).is_file():
        return path
    try:
        return UUID(given)
    except ValueError:
        raise click.BadParameter(f"{given} is neither a file nor the id of a match.") from None


@contextlib.contextmanager
def record_file(path: Path) -> Iterator[RecordFile]:
    """Open the file of a record; raises a click error, with the line number, when it is found to be none."""
    try:
        with path.open("rb") as file:
            yield RecordFile(file)
    except BadRecord as bad:
        raise click.ClickException(f"{path}, {bad}.") from None


def verifier(given: str | None, settings: Settings) -> Verifier | None:
    """Find the public key that checkpoints are checked with: as given, or that of this machine's server."""
    if given is None:
        try:
            path, text, file = settings.data / "signer", settings.signer, settings.signer_file
            signer = find_signer(path, text=text, file=file, make=False)
            return None if signer is None else Verifier(signer.public)
        except (KeyFault, OSError):
            return None
    text = Path(given).read_text(encoding="utf-8") if Path(given).is_file() else given
    try:
        return Verifier(text)
    except BadNote as bad:
        raise click.BadParameter(f"this is no public key of a log: {bad}.") from None
