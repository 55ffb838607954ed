"""The hash chain: how the facts of a match are linked so that any change is detected.

All numbers are big endian. A *field* is its length in bytes as 4 bytes unsigned, then the bytes; `‖` joins.
The two-letter label in front of the fields has no length.

    salt_n = first 16 bytes of HMAC-SHA-256(key k_salt, message: seq as 8 bytes); empty where audience is 7
    c_n    = SHA-256("c1" ‖ field(salt_n) ‖ field(type) ‖ field(ver) ‖ field(audience) ‖ field(command)
                          ‖ field(at) ‖ field(body))
    h_n    = SHA-256("h1" ‖ field(match) ‖ field(seq) ‖ field(h_{n-1}) ‖ field(c_n)),    h_0 = 32 zero bytes

    type      UTF-8                        at      8 bytes, signed, microseconds since 1970-01-01 UTC
    ver       2 bytes                      body    the exact bytes of the log
    audience  1 byte                       match   16 bytes, as a UUID is written from left to right
    command   16 bytes, likewise           seq     8 bytes, from 1

Audience is a sum of 1 (side 0), 2 (side 1) and 4 (onlookers); 7 is everybody, 0 the umpire alone. Facts that
everybody may see have no salt.
A viewer who may not see fact n is sent its commitment c_n instead (`Sealed`) and can still check the chain;
the salt prevents guessing a body with few possible values. The last fact of a match, `Ended`, reveals the
match key, 32 bytes in hexadecimal, with which every c_n can be opened. Two keys are derived from it:

    k_salt = HKDF-SHA-256(key: the match key, no salt, info: the four letters "salt", 32 bytes)
    k_dice = HKDF-SHA-256(key: the match key, no salt, info: the four letters "dice", 32 bytes)

HKDF is RFC 5869; an absent salt is 32 zero bytes. The first fact, `Created`, holds in `commitment`
SHA-256(k_dice) in hexadecimal; `domain.kernel.dice` says how dice are computed from k_dice and the nonces.
`docs/design/platform.md`, "Another verifier", has the rest of what a verifier in another language needs.

Not covered by the hash, but by `check`: the index of a fact in its command, and that nothing follows the end.
Deliberately absent: keys and their storage, the log, what a body means.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import Audience, Reader

ZERO = bytes(32)
"""h_0, the hash before the first fact."""

_LENGTH: Final = struct.Struct(">I")
_NUMBERS: Final = struct.Struct(">IHIBI16sIq")
"""The fields ver, audience, command and at of c_n, each behind its length."""

_PLACE: Final = struct.Struct(">2sI16sIQI")
"""The label of h_n, its fields match and seq, each behind its length, and the length of the next."""

Draft = tuple[str, int, Audience, bool, bytes]
"""A fact not yet in the log: type, ver, audience, final, body."""


class Entry(Struct, frozen=True):
    """One fact as stored in the log.

    `index` counts the facts of one command from 0. `at` is in microseconds since the epoch. `hash` is h_n;
    h_{n-1} is the hash of the entry before.
    """

    match: UUID
    command: UUID
    at: int
    seq: int
    index: int
    ver: int
    audience: Audience
    final: bool
    type: str
    hash: bytes
    body: bytes


class Sealing(Struct, frozen=True, gc=False):
    """An entry of the log, and what its hash is made of besides what it holds."""

    entry: Entry
    salt: bytes
    """Empty where everybody may see the fact."""
    commitment: bytes
    """c_n, 32 bytes."""


class Sealed(Struct, frozen=True):
    """Stands in for a fact that the reader may not see: its number and its commitment c_n."""

    seq: int
    commitment: bytes


class Fault(Struct, frozen=True):
    """The seq of the first invalid fact, and the reason, as a sentence without its subject."""

    seq: int
    why: str


def salt(k_salt: bytes, seq: int) -> bytes:
    """Return 16 bytes: the first half of HMAC-SHA-256 under `k_salt` of seq as 8 bytes big endian."""
    return hmac.digest(k_salt, seq.to_bytes(8, "big"), "sha256")[:16]


def commitment(
    salt: bytes, type: str, ver: int, audience: Audience, command: UUID, at: int, body: bytes
) -> bytes:
    """Return c_n, 32 bytes: SHA-256 of `c1` and each argument with its length, in the order given here."""
    kind = type.encode()
    numbers = _NUMBERS.pack(2, ver, 1, audience.value, 16, command.bytes, 8, at)
    fields = (b"c1", _LENGTH.pack(len(salt)), salt, _LENGTH.pack(len(kind)), kind, numbers)
    return hashlib.sha256(b"".join((*fields, _LENGTH.pack(len(body)), body))).digest()


def link(match: UUID, seq: int, prev: bytes, commitment: bytes) -> bytes:
    """Return h_n, 32 bytes: SHA-256 of `h1` and each argument with its length, in the order given here."""
    place = _PLACE.pack(b"h1", 16, match.bytes, 8, seq, len(prev))
    return hashlib.sha256(b"".join((place, prev, _LENGTH.pack(len(commitment)), commitment))).digest()


def seal(
    match: UUID, command: UUID, at: int, after: int, prev: bytes, facts: Iterable[Draft], k_salt: bytes
) -> list[Entry]:
    """Return the facts of one command as entries from `after + 1` on; `prev` is the hash of `after`."""
    return [one.entry for one in sealings(match, command, at, after, prev, facts, k_salt)]


def sealings(
    match: UUID, command: UUID, at: int, after: int, prev: bytes, facts: Iterable[Draft], k_salt: bytes
) -> list[Sealing]:
    """Return what `seal` returns, each entry with its salt and commitment."""
    made = []
    for index, (name, ver, audience, final, body) in enumerate(facts):
        seq = after + 1 + index
        grain = b"" if audience is Audience.ALL else salt(k_salt, seq)
        c_n = commitment(grain, name, ver, audience, command, at, body)
        prev = link(match, seq, prev, c_n)
        entry = Entry(match, command, at, seq, index, ver, audience, final, name, prev, body)
        made.append(Sealing(entry, grain, c_n))
    return made


def sealing(entry: Entry, k_salt: bytes) -> Sealing:
    """Return an entry of the log with its salt and commitment."""
    grain = b"" if entry.audience is Audience.ALL else salt(k_salt, entry.seq)
    return Sealing(entry, grain, _commitment(entry, grain))


def committed(entry: Entry, k_salt: bytes) -> bytes:
    """Return c_n of an entry of the log."""
    return sealing(entry, k_salt).commitment


def shown(entries: Iterable[Entry], audience: Reader, k_salt: bytes) -> list[Entry | Sealed]:
    """Return the entries, with `Sealed` in place of those that an audience may not see."""
    return [
        entry if audience.sees(entry.audience) else Sealed(entry.seq, committed(entry, k_salt))
        for entry in entries
    ]


def check(
    entries: Iterable[Entry | Sealed],
    k_salt: bytes | None = None,
    *,
    salts: Mapping[int, bytes] | None = None,
    after: int = 0,
    prev: bytes = ZERO,
) -> Fault | None:
    """Return the first fault of a chain, or None if it is valid.

    `entries` are the facts `after + 1`, `after + 2`, … of one match, where `prev` is the hash of `after` and
    `after` ends a command; facts which the reader may not see are given as `Sealed`. Hidden facts given in
    full need their salt: all from `k_salt`, or one by one from `salts`, by seq (a seat gets the salts of its
    own secrets only).

    Detected are: a gap or repeat, a wrong link (for a changed fact at that fact, for a changed commitment at
    the next fact in full), a decreasing `at`, another match, a command whose facts are incomplete or not
    consecutive, anything after the final fact. A `Sealed` tail is not checked by itself: compare `head` with
    the hash of a later fact or with a receipt.
    """
    walk = Walk(k_salt, after=after, prev=prev)
    known = salts or {}
    for entry in entries:
        fault = walk.follow(entry, known.get(entry.seq))
        if fault is not None:
            return fault
    return None


def head(
    match: UUID,
    entries: Iterable[Entry | Sealed],
    prev: bytes = ZERO,
) -> bytes:
    """Return the hash after `entries`, of which the last may be `Sealed`; compare it with a receipt."""
    for entry in entries:
        prev = entry.hash if isinstance(entry, Entry) else link(match, entry.seq, prev, entry.commitment)
    return prev


class Walk:
    """One pass along a chain, fact by fact, as in `check`; a chain that has a fault is followed no further.

    After each fact given in full, `seq` and `hash` are the head so far. Linking a sealed fact needs the match
    id, which only full facts have, so sealed facts wait for one. Nothing else is held of a match but the
    numbers of its commands, none of which may come again.
    """

    def __init__(self, k_salt: bytes | None = None, *, after: int = 0, prev: bytes = ZERO) -> None:
        self.first = after
        self.seq = after
        self.hash = prev
        self.k_salt = k_salt
        self.waiting: list[Sealed] = []
        self.last: Entry | None = None
        self.commands: set[int] = set()

    def follow(self, entry: Entry | Sealed, grain: bytes | None = None) -> Fault | None:
        """Check the next fact of the chain; return its fault, or None.

        `grain` is the salt of a hidden fact given in full, where there is no `k_salt`.
        """
        if entry.seq != self.seq + 1:
            return Fault(self.seq + 1, f"is missing: {entry.seq} stands in its place")
        self.seq = entry.seq
        if self.last is not None and self.last.final:
            return Fault(entry.seq, f"follows {self.last.seq}, which is final")
        if isinstance(entry, Sealed):
            self.waiting.append(entry)
            return None
        why = self._displaced(entry) or self._unlinked(entry, grain)
        self.last = entry
        self.commands.add(entry.command.int)
        return Fault(entry.seq, why) if why else None

    def _displaced(self, entry: Entry) -> str:
        """Return what is wrong with the entry's match, time or command at this place, or an empty string.

        Between two full facts there may be sealed ones, of the earlier command, the later, or others.
        """
        last = self.last
        start = entry.seq - entry.index
        if last is None:
            return "" if start > self.first else "is not the first of its command"
        if entry.match != last.match:
            return "is of another match"
        if entry.at < last.at:
            return f"is earlier than {last.seq}"
        if entry.command == last.command:
            whole = start == last.seq - last.index and entry.at == last.at
            return "" if whole else f"does not go with {last.seq}, of the same command"
        if entry.command.int in self.commands:
            return "is of a command that had ended"
        return "" if start > last.seq else "is not the first of its command"

    def _unlinked(self, entry: Entry, grain: bytes | None) -> str:
        """Return why the entry does not link to the facts before it, or an empty string."""
        if entry.audience is Audience.ALL:
            grain = b""
        elif self.k_salt is not None:
            grain = salt(self.k_salt, entry.seq)
        if grain is None:
            return "is hidden, and its salt was not given"
        prev = head(entry.match, self.waiting, self.hash)
        self.waiting.clear()
        self.hash = link(entry.match, entry.seq, prev, _commitment(entry, grain))
        return "" if self.hash == entry.hash else "does not link to what stands before it"


def _commitment(entry: Entry, grain: bytes) -> bytes:
    return commitment(grain, entry.type, entry.ver, entry.audience, entry.command, entry.at, entry.body)
