"""The file of a backup: a ZIP with a member for each table, others for files, and a manifest as the last.

    tables/log.fact …   rows, as COPY writes them in its text format (`server.postgres.copying`)
    nonces/…            as they lie in the data folder of an older version
    secrets/keys        the key ring, and
    secrets/signer      the key that signs checkpoints: both only if they were asked for
    manifest.json       what made it and when, the files of the schema, and of each member size and SHA-256

Whoever reads it compares all of that: before anything is read that it has these members and no others, each
once and of its size, beyond which nothing is inflated. Whatever is wrong with a file is said in a sentence.

It is written under another name until it is whole, readable for its owner alone: it holds what is hidden in
matches that go on. What a backup that was killed has left of that, the next into the same folder removes: a
draft is locked by who writes it. Deliberately absent: what is in a database.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import secrets
import zipfile
import zlib
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Final
from uuid import UUID
from zipfile import BadZipFile, ZipFile, ZipInfo

from asyncpg import DataError, IntegrityConstraintViolationError, PostgresSyntaxError
from msgspec import Struct, json

from server.postgres.copying import Table, copy_in, copy_out
from server.postgres.database import Connection, Unfit

FORM: Final = 1
"""What a manifest says of its own form; another is refused."""

LEVEL: Final = 3
"""Of compression: half of it is hashes, which no level makes smaller."""

PIECE: Final = 256 << 10
"""Bytes that are read at a time."""

MANIFEST: Final = "manifest.json"

SMALL: Final = 1 << 20
"""Bytes of a file that is no table, at most."""

LONGEST: Final = 16 << 20
"""Bytes of a manifest, at most: with a line for each file that lies beside the database."""

BROKEN: Final = (BadZipFile, KeyError, EOFError, zlib.error, RuntimeError, ValueError, OverflowError)
"""What reading a ZIP or JSON raises where it is damaged, or made by somebody else."""

_DRAFT: Final = re.compile(r"\..+\.[0-9a-f]{8}\.backup-draft")
_ENCRYPTED: Final = 0x1


class Applied(Struct, frozen=True):
    """A file of the schema that had been applied."""

    number: int
    sha256: str


class Member(Struct, frozen=True):
    """What a member holds; rows and columns if it is a table's. `size` is in bytes."""

    sha256: str
    rows: int = 0
    columns: tuple[str, ...] = ()
    size: int | None = None  # the first backups did not say


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
        self.members[name] = Member(hashlib.sha256(content).hexdigest(), size=len(content))

    async def add_table(self, conn: Connection, table: Table) -> None:
        """Add the rows of a table, as they come."""
        digest, size = hashlib.sha256(), 0
        with self._archive.open(f"tables/{table.name}", "w", force_zip64=True) as member:

            async def write(piece: bytes) -> None:
                nonlocal size
                digest.update(piece)
                size += len(piece)
                member.write(piece)

            rows = await copy_out(conn, table, write)
        self.members[f"tables/{table.name}"] = Member(digest.hexdigest(), rows, table.columns, size)

    def end(self, manifest: Manifest) -> None:
        """Add the manifest, as the last."""
        self._archive.writestr(MANIFEST, json.format(json.encode(manifest)))


@contextlib.contextmanager
def writing(path: Path) -> Iterator[Writing]:
    """Write an archive, which has its name when it is whole. Raises FileExistsError, OSError."""
    if path.exists():
        raise FileExistsError(f"{path} is there already, and stays.")
    remove_drafts(path.parent)
    draft, opened = _new_draft(path)
    try:
        with opened as file:
            with ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
                yield Writing(archive)
            file.flush()
            os.fsync(file.fileno())
            draft.rename(path)
        keep_names(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def _new_draft(path: Path) -> tuple[Path, IO[bytes]]:
    """Make a draft of an archive and lock it; anew where another backup took it for one that was left."""
    while True:
        draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.backup-draft")
        file = os.fdopen(os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:
            return draft, file
        file.close()


def remove_drafts(folder: Path) -> None:
    """Remove what backups that were killed have left in a folder: drafts that nobody has locked."""
    for draft in folder.iterdir():
        if _DRAFT.fullmatch(draft.name):
            with contextlib.suppress(OSError), draft.open("rb") as file:  # or it is locked, gone, another's
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                draft.unlink()


class Reading:
    """An archive that is being read. Its methods raise Unfit where a member is not as its manifest says."""

    def __init__(self, archive: ZipFile, manifest: Manifest) -> None:
        self._archive, self.manifest = archive, manifest

    def names(self, within: str) -> list[str]:
        """Return the names of the members in a folder."""
        return [name for name in self.manifest.members if name.startswith(within)]

    def text(self, name: str) -> str:
        """Read a member that is a file of text."""
        with _damaged(name):
            content = _content(self._archive, name)
            self._compare(name, hashlib.sha256(content).hexdigest())
            return content.decode()

    def pieces(self, name: str) -> Iterator[bytes]:
        """Read a member piece by piece; what they were put to is to be given up if this raises."""
        digest = hashlib.sha256()
        with _damaged(name), self._archive.open(name) as member:
            while piece := member.read(PIECE):
                digest.update(piece)
                yield piece
        self._compare(name, digest.hexdigest())

    async def put_back(self, conn: Connection, table: Table) -> None:
        """Put the rows of a table into it; what was put there is to be given up if this raises."""
        name = f"tables/{table.name}"

        async def pieces() -> AsyncIterator[bytes]:
            for piece in self.pieces(name):
                yield piece

        try:
            await copy_in(conn, table, pieces())
        except (DataError, IntegrityConstraintViolationError, PostgresSyntaxError) as fault:
            raise Unfit(f"The backup is damaged: {name} cannot be put back: {fault}.") from None

    def _compare(self, name: str, digest: str) -> None:
        if digest != self.manifest.members[name].sha256:
            raise Unfit(f"The backup is damaged: {name} is not what its manifest says.")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[Reading]:
    """Open an archive. Raises Unfit if it is none, was cut short, or is of a form not known here; OSError."""
    with contextlib.ExitStack() as stack:
        with damage(f"{path} is no backup, or was cut short or damaged"):
            archive = stack.enter_context(ZipFile(path))
            _refuse(archive.getinfo(MANIFEST), LONGEST)
            manifest = json.decode(_content(archive, MANIFEST), type=Manifest)
            if manifest.form != FORM:
                raise Unfit(f"{path} was written by a newer version: {manifest.server}.")
            _refuse_others(archive, manifest)
        yield Reading(archive, manifest)


def _content(archive: ZipFile, name: str) -> bytes:
    """Read a member, no further than it is long as it says itself, which is to have been looked at."""
    with archive.open(name) as member:
        return member.read(archive.getinfo(name).file_size + 1)


def _refuse_others(archive: ZipFile, manifest: Manifest) -> None:
    """Raise BadZipFile where the members are not those of the manifest, each once, and as large."""
    found = [one.filename for one in archive.infolist()]
    if sorted(found) != sorted([*manifest.members, MANIFEST]):
        raise BadZipFile("its members are not those that its manifest names")
    for name, member in manifest.members.items():
        info = archive.getinfo(name)
        size = info.file_size if member.size is None else member.size
        _refuse(info, size if name.startswith("tables/") else min(size, SMALL))
        if info.file_size != size:
            raise BadZipFile(f"{name} is not as large as its manifest says")


def _refuse(info: ZipInfo, most: int) -> None:
    """Raise BadZipFile where a member is larger, or none that a backup has."""
    if info.file_size > most:
        raise BadZipFile(f"{info.filename} is too large: {info.file_size} bytes")
    if info.flag_bits & _ENCRYPTED:
        raise BadZipFile(f"{info.filename} is encrypted")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise BadZipFile(f"{info.filename} is compressed otherwise than a backup")


def _damaged(name: str) -> contextlib.AbstractContextManager[None]:
    return damage(f"The backup is damaged: {name} cannot be read")


@contextlib.contextmanager
def damage(what: str) -> Iterator[None]:
    """Raise Unfit with what cannot be read, and why."""
    try:
        yield
    except BROKEN as fault:
        why: Exception = fault
    except OSError as fault:
        if (
            fault.errno != errno.EINVAL
        ):  # of a place in the file where nothing can be; else the disk is at fault
            raise
        why = fault
    else:
        return
    raise Unfit(f"{what}: {' '.join(str(why).split())}.")


def keep_names(folder: Path) -> None:
    """Have the disk keep the names of new files of a folder."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
