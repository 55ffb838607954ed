"""The chain: how the facts of a match are tied together so that a change shows.

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

Audience is a sum of 1 (side 0), 2 (side 1) and 4 (onlookers); 7 is everybody, 0 nobody but the umpire. What
everybody may see has no salt.
Whoever may not see fact n is sent c_n in its place (`Sealed`) and can follow the chain all the same; the salt
keeps him from finding a body of few values by trying them all. When the match has ended its last fact,
`Ended`, shows the match key, 32 bytes in hexadecimal, and every c_n can be opened. Two keys follow from it:

    k_salt = HKDF-SHA-256(key: the match key, no salt, info: the four letters "salt", 32 bytes)
    k_dice = HKDF-SHA-256(key: the match key, no salt, info: the four letters "dice", 32 bytes)

HKDF is RFC 5869; without a salt it takes 32 zero bytes for one. The first fact, `Created`, holds in
`commitment` SHA-256(k_dice) in hexadecimal; `domain.kernel.dice` says how dice follow from k_dice and the
nonces. What else it takes to write another verifier, in any language, is put together in
`docs/design/platform.md`, "Another verifier".

Not covered by the hash, but by `check`: the place of a fact in its command, and that nothing follows the end.
Deliberately absent: keys and their storage, the log, what a body means.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import Audience, Reader

ZERO = bytes(32)
"""h_0, the hash before the first fact."""

Draft = tuple[str, int, Audience, bool, bytes]
"""A fact on its way into the log: type, ver, audience, final, body."""


class Entry(Struct, frozen=True):
    """One fact as the log holds it.

    `index` counts the facts of one command from 0. `at` is in microseconds since the epoch. `hash` is h_n;
    h_{n-1} is not kept, being the hash of the entry before.
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


class Sealed(Struct, frozen=True):
    """What is given in place of a fact to one who may not see it: its number and its commitment c_n."""

    seq: int
    commitment: bytes


class Fault(Struct, frozen=True):
    """The first place where a chain does not hold, and why, in a sentence without its subject."""

    seq: int
    why: str


def salt(k_salt: bytes, seq: int) -> bytes:
    """16 bytes: the first half of HMAC-SHA-256 under `k_salt` of seq as 8 bytes big endian."""
    return hmac.digest(k_salt, seq.to_bytes(8, "big"), "sha256")[:16]


def commitment(
    salt: bytes, type: str, ver: int, audience: Audience, command: UUID, at: int, body: bytes
) -> bytes:
    """c_n, 32 bytes: SHA-256 of `c1` and then each argument with its length, in the order given here."""
    return _digest(
        b"c1",
        salt,
        type.encode(),
        ver.to_bytes(2, "big"),
        audience.value.to_bytes(1, "big"),
        command.bytes,
        at.to_bytes(8, "big", signed=True),
        body,
    )


def link(match: UUID, seq: int, prev: bytes, commitment: bytes) -> bytes:
    """h_n, 32 bytes: SHA-256 of `h1` and then each argument with its length, in the order given here."""
    return _digest(b"h1", match.bytes, seq.to_bytes(8, "big"), prev, commitment)


def seal(
    match: UUID, command: UUID, at: int, after: int, prev: bytes, facts: Iterable[Draft], k_salt: bytes
) -> list[Entry]:
    """Give the facts of one command their seqs and link them to `prev`, the hash of `after`."""
    entries = []
    for index, (name, ver, audience, final, body) in enumerate(facts):
        seq = after + 1 + index
        grain = b"" if audience is Audience.ALL else salt(k_salt, seq)
        prev = link(match, seq, prev, commitment(grain, name, ver, audience, command, at, body))
        entries.append(Entry(match, command, at, seq, index, ver, audience, final, name, prev, body))
    return entries


def committed(entry: Entry, k_salt: bytes) -> bytes:
    """c_n of an entry of the log."""
    return _commitment(entry, b"" if entry.audience is Audience.ALL else salt(k_salt, entry.seq))


def shown(entries: Iterable[Entry], audience: Reader, k_salt: bytes) -> list[Entry | Sealed]:
    """Show an audience the entries that it may see, and `Sealed` in place of all others."""
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
    """Find the first seq at which a chain does not hold; None when all of it holds.

    `entries` are the facts `after + 1`, `after + 2`, … of one match, where `prev` is the hash of `after` and
    `after` ends a command; facts which the reader may not see stand there as `Sealed`. Hidden facts given in
    full need their salt: all from `k_salt`, or one by one from `salts`, by seq (a seat gets the salts of its
    own secrets only).

    Found are: a gap or repeat, a wrong link (of a changed fact the fact itself, of a changed commitment the
    next fact in full), `at` falling, another match, a command that is not whole in one place, anything after
    the final fact. A `Sealed` tail is covered only by the hash of a fact after it or by a receipt: compare
    `head` with it.
    """
    walk = _Walk(after, prev, k_salt, salts or {})
    for entry in entries:
        fault = walk.follow(entry)
        if fault is not None:
            return fault
    return None


def head(
    match: UUID,
    entries: Iterable[Entry | Sealed],
    prev: bytes = ZERO,
) -> bytes:
    """Find the hash after `entries`: to compare with a receipt, where the last of them may be `Sealed`."""
    for entry in entries:
        prev = entry.hash if isinstance(entry, Entry) else link(match, entry.seq, prev, entry.commitment)
    return prev


class _Walk:
    """One pass along a chain. After each fact `seq` and `hash` are the head so far.

    A sealed fact before the first full one cannot be linked until the match is known, so commitments wait for
    it.
    """

    def __init__(self, after: int, prev: bytes, k_salt: bytes | None, salts: Mapping[int, bytes]) -> None:
        self.first = after
        self.seq = after
        self.hash = prev
        self.k_salt = k_salt
        self.salts = salts
        self.waiting: list[Sealed] = []
        self.last: Entry | None = None
        self.commands: set[UUID] = set()

    def follow(self, entry: Entry | Sealed) -> Fault | None:
        """Go on by one fact; say what is wrong with it, if anything."""
        if entry.seq != self.seq + 1:
            return Fault(self.seq + 1, f"is missing: {entry.seq} stands in its place")
        self.seq = entry.seq
        if self.last is not None and self.last.final:
            return Fault(entry.seq, f"follows {self.last.seq}, which is final")
        if isinstance(entry, Sealed):
            self.waiting.append(entry)
            return None
        why = self._displaced(entry) or self._unlinked(entry)
        self.last = entry
        self.commands.add(entry.command)
        return Fault(entry.seq, why) if why else None

    def _displaced(self, entry: Entry) -> str:
        """Say what keeps it from standing here by its match, its time or its command.

        Between two facts in full there may be sealed ones, of the earlier command, the later, or others.
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
        if entry.command in self.commands:
            return "is of a command that had ended"
        return "" if start > last.seq else "is not the first of its command"

    def _unlinked(self, entry: Entry) -> str:
        """Say what keeps it from being linked to all before it."""
        grain = self._salt(entry)
        if grain is None:
            return "is hidden, and its salt was not given"
        prev = head(entry.match, self.waiting, self.hash)
        self.waiting.clear()
        self.hash = link(entry.match, entry.seq, prev, _commitment(entry, grain))
        return "" if self.hash == entry.hash else "does not link to what stands before it"

    def _salt(self, entry: Entry) -> bytes | None:
        if entry.audience is Audience.ALL:
            return b""
        if self.k_salt is not None:
            return salt(self.k_salt, entry.seq)
        return self.salts.get(entry.seq)


def _commitment(entry: Entry, grain: bytes) -> bytes:
    return commitment(grain, entry.type, entry.ver, entry.audience, entry.command, entry.at, entry.body)


def _digest(label: bytes, *fields: bytes) -> bytes:
    whole = [label]
    for field in fields:
        whole.append(len(field).to_bytes(4, "big"))
        whole.append(field)
    return hashlib.sha256(b"".join(whole)).digest()
