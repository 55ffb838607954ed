"""The file of a backup: a ZIP with a member for each table, others for files, and a manifest as the last.

    tables/log.fact …   rows, as COPY writes them in its text format (`server.postgres.copying`)
    nonces/…            as they lie in the data folder of an older version
    secrets/keys        the key ring, and
    secrets/signer      the key that signs checkpoints: both only if they were asked for
    manifest.json       what made it and when, the files of the schema, and of each member its SHA-256

Whoever reads it compares all of that. It is written under another name until it is whole, readable for its
owner alone: it holds what is hidden in matches that go on. Deliberately absent: what is in a database.
"""

import contextlib
import hashlib
import os
import secrets
import zipfile
import zlib
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import UUID
from zipfile import BadZipFile, ZipFile

from msgspec import DecodeError, Struct, json

from server.postgres.copying import Table, copy_in, copy_out
from server.postgres.database import Connection, Unfit

FORM: Final = 1
"""What a manifest says of its own form; another is refused."""

LEVEL: Final = 3
"""Of compression: half of it is hashes, which no level makes smaller."""

PIECE: Final = 256 << 10
"""Bytes that are read at a time."""

MANIFEST: Final = "manifest.json"


class Applied(Struct, frozen=True):
    """A file of the schema that had been applied."""

    number: int
    sha256: str


class Member(Struct, frozen=True):
    """What a member holds; rows and columns if it is a table's."""

    sha256: str
    rows: int = 0
    columns: tuple[str, ...] = ()


class Manifest(Struct, frozen=True):
    """What is in a backup. `size` and `root` are of the tree over the matches that have ended."""

    form: int
    id: UUID
    made: datetime
    server: str
    postgres: str
    schema: tuple[Applied, ...]
    matches: int
    facts: int
    size: int
    root: str
    sealed_with: tuple[str, ...]
    """The ids of the keys that are needed for the matches that have not ended."""
    members: dict[str, Member]


class Writing:
    """A new archive that is being written; `members` says what is in it so far."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self.members: dict[str, Member] = {}

    def add(self, name: str, content: bytes) -> None:
        """Add a file."""
        self._archive.writestr(name, content)
        self.members[name] = Member(hashlib.sha256(content).hexdigest())

    async def add_table(self, conn: Connection, table: Table) -> None:
        """Add the rows of a table, as they come."""
        digest = hashlib.sha256()
        with self._archive.open(f"tables/{table.name}", "w", force_zip64=True) as member:

            async def write(piece: bytes) -> None:
                digest.update(piece)
                member.write(piece)

            rows = await copy_out(conn, table, write)
        self.members[f"tables/{table.name}"] = Member(digest.hexdigest(), rows, table.columns)

    def end(self, manifest: Manifest) -> None:
        """Add the manifest, as the last."""
        self._archive.writestr(MANIFEST, json.format(json.encode(manifest)))


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Writing]:
    """Write an archive, which has its name when it is whole. Raises FileExistsError, OSError."""
    if path.exists():
        raise FileExistsError(f"{path} is there already, and stays.")
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w+b") as file:
            with ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
                yield Writing(archive)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(path)
        keep_names(path.parent)
    finally:
        draft.unlink(missing_ok=True)


class Reading:
    """An archive that is being read. Its methods raise Unfit where a member is not as its manifest says."""

    def __init__(self, archive: ZipFile, manifest: Manifest) -> None:
        self._archive, self.manifest = archive, manifest

    def names(self, within: str) -> list[str]:
        """Return the names of the members in a folder."""
        return [name for name in self.manifest.members if name.startswith(within)]

    def file(self, name: str) -> bytes:
        """Read a member that is a file."""
        with damage(name):
            content = self._archive.read(name)
        self._compare(name, hashlib.sha256(content).hexdigest())
        return content

    async def put_back(self, conn: Connection, table: Table) -> None:
        """Put the rows of a table into it; what was put there is to be given up if this raises."""
        name, digest = f"tables/{table.name}", hashlib.sha256()

        async def pieces() -> AsyncIterator[bytes]:
            with damage(name), self._archive.open(name) as member:
                while piece := member.read(PIECE):
                    digest.update(piece)
                    yield piece

        await copy_in(conn, table, pieces())
        self._compare(name, digest.hexdigest())

    def _compare(self, name: str, digest: str) -> None:
        if digest != self.manifest.members[name].sha256:
            raise Unfit(f"The backup is damaged: {name} is not what its manifest says.")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[Reading]:
    """Open an archive. Raises Unfit if it is none, was cut short, or is of a form not known here."""
    try:
        with ZipFile(path) as archive:
            content = archive.read(MANIFEST)
            manifest = json.decode(content, type=Manifest)
            if manifest.form != FORM:
                raise Unfit(f"{path} was written by a newer version: {manifest.server}.")
            yield Reading(archive, manifest)
    except (BadZipFile, KeyError, DecodeError) as fault:
        raise Unfit(f"{path} is no backup, or was cut short or damaged: {fault}.") from None


@contextlib.contextmanager
def damage(name: str) -> Iterator[None]:
    """Say of which member it is that cannot be read."""
    try:
        yield
    except (BadZipFile, KeyError, EOFError, zlib.error) as fault:
        raise Unfit(f"The backup is damaged: {name} cannot be read: {fault}.") from None


def keep_names(folder: Path) -> None:
    """Have the disk keep the names of new files of a folder."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
