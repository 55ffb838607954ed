"""Imports: a record brought into a log, command by command, as it is read.

Deliberately absent: whether a record is true, which `projections.verify` checks before.
"""

from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import groupby
from uuid import UUID

from domain.match.chain import ZERO, Entry, Walk
from projections.sources import Source
from server.log.store import Log, Repeated, Stored


class NoImport(Exception):
    """A record was not imported. The message says why, and whether anything was written."""


class AlreadyThere(NoImport):
    """The log has the whole match already."""


async def bring_in(log: Log, one: Source, k_salt: bytes) -> AsyncIterator[int]:
    """Import a record into another log, command by command; yield the seq of the last fact written so far.

    Each command is appended like any other, so that the log checks it and projections read it in the order of
    play. Copying the rows in as the database owner with xid 0 would not do: running projections have passed
    that position and would never read them.

    The record is gone through twice, and no more of it held than a page of the log and a command. The first
    time nothing is written; the second time the chain is checked again, so that what is written is what was
    checked. If the log has the beginning of the match already, the import continues after it, so an
    interrupted import can be repeated. Raises NoImport if facts are sealed, the chain is broken, or the log
    has another match under this id; AlreadyThere if the log has all of it; BadRecord; and whatever the log
    raises.
    """
    match = UUID(one.header.match)
    found = await _there(log, one, k_salt)
    if found is None:
        raise NoImport(f"another match is there under the id {match}. Nothing was written.")
    there, prev = found
    if there == one.header.head:
        raise AlreadyThere(f"match {match} is there already, with all its {there} facts.")
    yield there
    for command in _commands(_chained(one, k_salt)):
        if command[0].seq <= there:
            continue
        box = bytes.fromhex(one.header.box) if command[0].seq == 1 and one.header.box else None
        answer = await log.append(command, prev, box)
        if not isinstance(answer, Stored) and answer != Repeated(tuple(command)):
            raise NoImport(f"the log has moved on by itself at fact {command[0].seq}. It ends there.")
        prev = command[-1].hash
        yield command[-1].seq
    if await _there(log, one, k_salt) != (one.header.head, prev):
        raise NoImport(f"match {match} does not stand in the log as it stands in the record.")


async def _there(log: Log, one: Source, k_salt: bytes) -> tuple[int, bytes] | None:
    """Check a record; return the last fact that the log has of it, and its hash.

    None where the log has another match under its id, or a part of a command. Raises NoImport.
    """
    ours = _chained(one, k_salt)
    same, seq, last, command = True, 0, ZERO, None
    async for page in log.pages(UUID(one.header.match)):
        for stored in page:
            same = same and stored == next(ours, None)
            seq, last, command = stored.seq, stored.hash, stored.command
    head = last
    for entry in ours:
        same = same and not (entry.seq == seq + 1 and entry.command == command)
        head = entry.hash
    if same and head.hex() != one.header.hash:
        raise NoImport("the header's hash is not that of the last fact. Nothing was written.")
    return (seq, last) if same else None


def _chained(one: Source, k_salt: bytes) -> Iterator[Entry]:
    """Yield the facts of a record as its chain is checked. Raises NoImport."""
    walk = Walk(k_salt)
    for entry, _ in one.lines():
        if not isinstance(entry, Entry):
            raise NoImport(
                "facts of this record are sealed. Only a record with all of them can be brought in."
            )
        fault = walk.follow(entry)
        if fault is not None:
            raise NoImport(f"fact {fault.seq} {fault.why}. Nothing was written.")
        yield entry


def _commands(entries: Iterable[Entry]) -> Iterable[list[Entry]]:
    return (list(command) for _, command in groupby(entries, lambda entry: entry.command))
