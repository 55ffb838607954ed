r"""Records: a match as one file, to keep, to share, to verify offline, to import into another log.

A record is text, one JSON value per line, each line ended by a newline. The first is the header:

    {"fleetfold":1,"match":…,"title":…,"scenario":…,"head":n,"hash":h_n}

`head` is the number of facts, `hash` the hash of the last. Optional are `checkpoint`: the signed note under
which the match was published, its index in the tree and the path, leaf first, in hexadecimal; and `box`: the
encrypted key of a match that has not ended, for the log it is imported into. Then one line per fact, from 1:

    {"seq":…,"at":…,"command":…,"index":…,"type":…,"ver":…,"audience":…,"final":…,"hash":…,"body":"…"}

`body` is a string that holds the exact bytes of the log, so that every hash can be computed again
(`domain.match.chain` says how). A secret that its own side may read before the end also has its `salt`.
For a fact that the reader may not see there is only `{"seq":…,"sealed":c_n}`, as on the wire: its time, type
and length would reveal what a seat is doing. The hash of a sealed fact is computed from c_n.

Each line has exactly one valid encoding, the one written here. So any changed byte of a record is detected,
but for one number: the `index` of an open fact where facts before it are sealed.
Deliberately absent: accounts, names, chat; whether a record is true, which `verify` checks.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import Meta, Struct, json

from domain.kernel.audience import Audience, Reader
from domain.match.chain import Entry, Sealed, salt, shown
from domain.match.notices import Created, Ended
from server.log.statements import AT_ONCE
from server.log.store import LogReader
from server.postgres.database import Connection, PooledConnection
from server.proof.tree import inclusion_proof, leaf_hash

FORM: Final = 1
"""The version of the record format."""

Hash = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Hex = Annotated[str, Meta(pattern=r"\A([0-9a-f]{2})*\Z")]
Id = Annotated[str, Meta(pattern=r"\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")]
Seq = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Small = Annotated[int, Meta(ge=0, le=2**15 - 1)]

_SEALED = re.compile(rb'\{"seq":[0-9]+,"sealed":')


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """Proof that a finished match is in a published tree: the signed note, the leaf's index, and the path."""

    note: str
    index: Annotated[int, Meta(ge=0)]
    path: tuple[Hash, ...]


class RecordHeader(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a record."""

    fleetfold: int
    match: Id
    title: str
    scenario: str
    head: Seq
    hash: Hash
    checkpoint: Proof | None = None
    box: Hex = ""


class FactLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The line of a fact that is given in full."""

    seq: Seq
    at: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    command: Id
    index: Small
    type: str
    ver: Small
    audience: Audience
    final: bool
    hash: Hash
    body: str
    salt: Hex = ""


class SealedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The line of a fact that the reader may not see."""

    seq: Seq
    sealed: Hash


Line = tuple[Entry | Sealed, bytes]
"""A fact of a record, and its salt if it is a secret that is given in full with one, else nothing."""


class Record(Struct, frozen=True):
    """A decoded record, held whole. `salts` are those of secrets given in full, by seq."""

    header: RecordHeader
    entries: Sequence[Entry | Sealed]
    salts: Mapping[int, bytes] = {}

    @property
    def first(self) -> Entry | Sealed:
        """The first fact."""
        return self.entries[0]

    @property
    def last(self) -> Entry | Sealed:
        """The last fact."""
        return self.entries[-1]

    def lines(self) -> Iterator[Line]:
        """Yield its facts in order, with their salts."""
        return ((entry, self.salts.get(entry.seq, b"")) for entry in self.entries)

    @property
    def match(self) -> UUID:
        """The id of the match."""
        return UUID(self.header.match)

    @property
    def complete(self) -> bool:
        """Whether all facts are given in full."""
        return all(isinstance(entry, Entry) for entry in self.entries)

    @property
    def key(self) -> bytes | None:
        """The match key if the last fact reveals it, else None."""
        return key(self.entries)


class BadRecord(Exception):
    """A file is not a record, or is damaged. `line` counts from 1; `seq` is its fact, None in the header."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line, self.why = line, why
        self.seq = line - 1 if line > 1 else None


UNREADABLE: Final = (ValueError, RecursionError)
"""Raised when decoding invalid JSON or JSON of another type; RecursionError for deeply nested lists."""

_created = json.Decoder(Created).decode
_ended = json.Decoder(Ended).decode
_line = json.Decoder(FactLine).decode
_sealed_line = json.Decoder(SealedLine).decode
_header = json.Decoder(RecordHeader).decode


def key(entries: Sequence[Entry | Sealed]) -> bytes | None:
    """Return the match key if the last of these facts reveals it, in lower-case hex; else None."""
    last = entries[-1] if entries else None
    if not isinstance(last, Entry) or last.type != "Ended":
        return None
    try:
        revealed = _ended(last.body).key
        found = bytes.fromhex(revealed)
    except UNREADABLE:
        return None
    return found if found.hex() == revealed else None


def record(
    entries: Sequence[Entry],
    audience: Reader,
    k_salt: bytes = b"",
    *,
    proof: Proof | None = None,
    box: bytes = b"",
) -> Record:
    """Return the record of a match, from all its facts.

    For the umpire it has every fact in full. For another reader the facts that it may not see are sealed, and
    its own secrets have their salts; this needs `k_salt`. Raises ValueError if there are no facts.
    """
    if not entries:
        raise ValueError("a record has at least one fact")
    header = header_of(entries[0], entries[-1], proof=proof, box=box)
    shown_ones, salts = _as_seen(entries, audience, k_salt)
    return Record(header, shown_ones, salts)


def header_of(first: Entry, last: Entry, *, proof: Proof | None = None, box: bytes = b"") -> RecordHeader:
    """Return the first line of the record of a match, of which these are the first and the last fact."""
    title, scenario = _played(first)
    return RecordHeader(FORM, str(last.match), title, scenario, last.seq, last.hash.hex(), proof, box.hex())


async def read_ends(log: LogReader, match: UUID, head: int) -> tuple[Entry, Entry]:
    """Return the first fact of a match, and fact `head`, which must be there. Raises Unavailable."""
    first = [one async for page in log.pages(match, 0, 1) for one in page]
    return (first or await log.read_everything(match))[0], (await log.read_everything(match, head - 1))[0]


def _as_seen(
    entries: Sequence[Entry], audience: Reader, k_salt: bytes
) -> tuple[Sequence[Entry | Sealed], dict[int, bytes]]:
    """Return facts as a reader may see them, and the salts of its own secrets."""
    if audience is Audience.UMPIRE:
        return entries, {}
    secrets = [e for e in entries if e.audience is not Audience.ALL and audience.sees(e.audience)]
    salts = {secret.seq: salt(k_salt, secret.seq) for secret in secrets}
    return shown(entries, audience, k_salt), salts


async def stream(
    log: LogReader, header: RecordHeader, audience: Reader, k_salt: bytes = b""
) -> AsyncIterator[bytes]:
    """Yield the bytes of a record as the log is read, some hundred lines at a time: it is never held whole.

    The audience is as in `record`. Raises Unavailable.
    """
    yield json.encode(header) + b"\n"
    async for part in passage(log, UUID(header.match), 0, header.head, audience, k_salt):
        yield part


async def passage(
    log: LogReader, match: UUID, after: int, upto: int, audience: Reader, k_salt: bytes = b""
) -> AsyncIterator[bytes]:
    """Yield the lines of facts behind `after`, of the commands that end at or before `upto`.

    Gives way to the event loop after every AT_ONCE lines.
    """
    async for page in log.pages(match, after, upto):
        for first in range(0, len(page), AT_ONCE):
            entries, salts = _as_seen(page[first : first + AT_ONCE], audience, k_salt)
            yield b"".join(_written(entry, salts.get(entry.seq, b"")) + b"\n" for entry in entries)
            await asyncio.sleep(0)


def _played(first: Entry) -> tuple[str, str]:
    """Return title and scenario; empty strings if the first fact is damaged, which `verify` reports."""
    try:
        created = _created(first.body)
    except UNREADABLE:
        return "", ""
    return created.title, created.scenario


def write(one: Record) -> bytes:
    """Return a record as the bytes of its file."""
    return b"".join(written(one))


def written(one: Record) -> Iterator[bytes]:
    """Yield the lines of its file."""
    yield json.encode(one.header) + b"\n"
    for line in one.lines():
        yield _written(*line) + b"\n"


def read(text: bytes) -> Record:
    """Return the record in the bytes of a file; its facts are numbered from 1 without a gap.

    Raises BadRecord for any other form. Hashes are not computed again: `domain.match.chain` checks them.
    """
    file = BytesIO(text)
    header = read_header(file.readline())
    found = [*read_facts(header, file)]
    return Record(
        header, [entry for entry, _ in found], {entry.seq: grain for entry, grain in found if grain}
    )


def read_header(line: bytes) -> RecordHeader:
    """Return the header in the first line of a file. Raises BadRecord."""
    line = _ended_line(1, line)
    try:
        header = _header(line)
    except msgspec.ValidationError as fault:
        raise BadRecord(1, f"not the header of a record: {fault}") from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadRecord(1, f"not JSON: {fault}") from fault
    if header.fleetfold != FORM:
        raise BadRecord(1, f"a record of form {header.fleetfold}; known here is {FORM}")
    if json.encode(header) != line:
        raise BadRecord(1, "not written as records are: spaces, order or spelling differ")
    return header


def read_facts(header: RecordHeader, lines: Iterable[bytes], *, strictly: bool = True) -> Iterator[Line]:
    """Yield the facts in the other lines of a file as they are read. Raises BadRecord.

    Not `strictly` is for lines that were read so before: whether they are written as records are is not
    looked at again.
    """
    match, count = UUID(header.match), 0
    for count, line in enumerate(lines, 1):
        entry, grain = _read_line(count + 1, _ended_line(count + 1, line), match, strictly=strictly)
        if entry.seq != count:
            raise BadRecord(count + 1, f"fact {entry.seq} stands in the place of fact {count}")
        yield entry, grain
    if count != header.head:
        short = min(count, header.head) + 2
        raise BadRecord(short, f"the header says {header.head} facts, and there are {count}")


def read_fact(header: RecordHeader, line: bytes) -> Entry | Sealed | None:
    """Return the fact in a line, wherever in its file that is; None if there is none in it."""
    try:
        return _read_line(0, _ended_line(0, line), UUID(header.match))[0]
    except BadRecord:
        return None


def _ended_line(number: int, line: bytes) -> bytes:
    """Return a line without the newline that ends it."""
    if not line.endswith(b"\n"):
        raise BadRecord(number, "the file ends in the middle of a line")
    return line[:-1]


def _read_line(number: int, line: bytes, match: UUID, *, strictly: bool = True) -> Line:
    entry: Entry | Sealed
    grain = b""
    try:
        if _SEALED.match(line):
            hidden = _sealed_line(line)
            entry = Sealed(hidden.seq, bytes.fromhex(hidden.sealed))
        else:
            fields = _line(line)
            entry, grain = _entry(fields, match), bytes.fromhex(fields.salt)
    except msgspec.ValidationError as fault:
        raise BadRecord(number, f"not a fact: {fault}") from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise BadRecord(number, f"not JSON: {fault}") from fault
    if strictly and _written(entry, grain) != line:
        raise BadRecord(number, "not written as records are: spaces, order or spelling differ")
    return entry, grain


def _entry(fields: FactLine, match: UUID) -> Entry:
    return Entry(
        match,
        UUID(fields.command),
        fields.at,
        fields.seq,
        fields.index,
        fields.ver,
        fields.audience,
        fields.final,
        fields.type,
        bytes.fromhex(fields.hash),
        fields.body.encode(),
    )


def _written(one: Entry | Sealed, grain: bytes) -> bytes:
    if isinstance(one, Sealed):
        return json.encode(SealedLine(one.seq, one.commitment.hex()))
    return json.encode(
        FactLine(
            one.seq,
            one.at,
            str(one.command),
            one.index,
            one.type,
            one.ver,
            one.audience,
            one.final,
            one.hash.hex(),
            one.body.decode(),
            grain.hex(),
        )
    )


_LEAF = """
SELECT l.ix, c.size, c.note FROM log.leaf l
  JOIN log.checkpoint c ON c.size > l.ix WHERE l.match_id = $1 ORDER BY c.size DESC LIMIT 1
"""
_LEAVES = "SELECT match_id, last_seq, head FROM log.leaf WHERE ix < $1 ORDER BY ix"


async def proof(conn: "Connection | PooledConnection", match: UUID) -> Proof | None:
    """Return the proof, by the latest note, that a match is in the published tree; None if it is not.

    The database role must be allowed to read the tree: the auditor's or the projector's.
    """
    leaf = await conn.fetchrow(_LEAF, match)
    if leaf is None:
        return None
    leaves = [leaf_hash(*row) for row in await conn.fetch(_LEAVES, leaf["size"])]
    path = inclusion_proof(leaves, leaf["ix"])
    return Proof(leaf["note"], leaf["ix"], tuple(step.hex() for step in path))
