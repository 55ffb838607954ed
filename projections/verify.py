"""Verification of a record: whether a match was played as its record says, without trusting a server.

Each check says what holds, what fails and at which seq, or what could not be checked and why. Checks use only
the facts before the first one at which the hash chain breaks: what follows it proves nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct, json

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Entry, Fault, Sealed, check, committed, head, link
from domain.match.game import Game
from domain.match.notices import Created, Ended, GameEnded
from domain.titles import TITLES
from projections.judging import Check, judged
from projections.record import UNREADABLE, BadRecord, Proof, Record, RecordHeader, read
from server.proof.keys import SIZE, dice_commitment, salt_key
from server.proof.notes import BadNote, ForeignNote, Verifier, read_note
from server.proof.tree import includes, leaf_hash

ENDS: Final = {Ended.__name__, GameEnded.__name__}
"""The types of facts in the command that ends a match; after it a record has no sealed facts."""

_decode_created = json.Decoder(Created).decode


class Report(Struct, frozen=True):
    """All checks of a record, in order."""

    checks: list[Check]

    @property
    def good(self) -> bool:
        """Whether no check fails."""
        return all(check.result != "fails" for check in self.checks)

    @property
    def first_bad(self) -> int | None:
        """The lowest seq at which a check fails; None if none fails, or only checks without a seq."""
        return min((c.seq for c in self.checks if c.result == "fails" and c.seq is not None), default=None)

    @property
    def differences(self) -> int:
        """The number of differences under the present rules: decisions, the set-up, unrequested commands."""
        return sum(
            check.name == "decision" or (check.result == "differs" and check.name != "rules")
            for check in self.checks
        )


def verify_file(
    text: bytes,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Report:
    """Verify a file and return the report. See `checks`."""
    return Report([*file_checks(text, key, verifier, titles)])


def verify(
    one: Record,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Report:
    """Verify a record and return the report. See `checks`."""
    return Report([*checks(one, key, verifier, titles)])


def checks(
    one: Record,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Iterator[Check]:
    """Check a record, and yield each check as soon as it is done.

    `key` is the match key, for a match that has not ended, from the operator's key ring. `verifier` holds the
    public key for the signatures of checkpoints.
    """
    key_check, key = _key(one, key)
    chain = _chain(one, key)
    whole = _before(one.entries, chain.seq if chain.result == "fails" else None)
    game = titles.get(one.header.title)
    yield from (chain, _header(one, whole), key_check)
    yield _checkpoint(one.header, one.header.checkpoint, verifier)
    if game is None:
        yield Check("facts", "unchecked", f"There is no title {one.header.title} here.")
    else:
        yield from judged(game, one, whole, key)


def file_checks(
    text: bytes,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Iterator[Check]:
    """Check a file: its form first, then the record in it. See `checks`."""
    try:
        one = read(text)
    except BadRecord as bad:
        yield Check("form", "fails", f"Line {bad.line}: {bad.why}.", bad.seq)
        return
    yield Check("form", "holds", f"The file is a record of {len(one.entries)} facts.")
    yield from checks(one, key, verifier, titles)


def _before(entries: Sequence[Entry | Sealed], seq: int | None) -> list[Entry | Sealed]:
    return list(entries if seq is None else entries[: seq - 1])


def _key(one: Record, given: bytes | None) -> tuple[Check, bytes | None]:
    """Compare the match key with the commitment of fact 1; return the check, and the key if it fits."""
    key = one.key or given
    first, last = one.entries[0], one.entries[-1]
    if key is None:
        if isinstance(last, Entry) and last.type == "Ended":
            return Check("key", "fails", f"Fact {last.seq} reveals no key.", last.seq), None
        text = "The match has not ended: its key is not revealed yet."
        return Check("key", "unchecked", text), None
    promised = _created(first)
    if promised is None:
        return Check("key", "fails", "Fact 1 makes no commitment to a key.", 1), None
    if len(key) != SIZE or dice_commitment(key) != promised:
        text = f"The key is not the one that fact 1 commits to ({promised})."
        return Check("key", "fails", text, last.seq), None
    return Check("key", "holds", "The key is the one that fact 1 commits to."), key


def _created(first: Entry | Sealed) -> str | None:
    if not isinstance(first, Entry) or first.type != "Created":
        return None
    try:
        return _decode_created(first.body).commitment
    except UNREADABLE:
        return None


def _chain(one: Record, key: bytes | None) -> Check:
    hidden = [e for e in one.entries if isinstance(e, Entry) and e.audience is not Audience.ALL]
    sealed = [entry.seq for entry in one.entries if isinstance(entry, Sealed)]
    if key is not None:
        fault = check(one.entries, salt_key(key))
        rest = f"; {len(hidden)} commitments to hidden facts were opened with the key"
    elif all(entry.seq in one.salts for entry in hidden):
        fault = check(one.entries, salts=one.salts)
        rest = f"; {len(sealed)} facts are sealed" if sealed else ""
    else:
        fault = _loosely(one.match, one.entries)
        rest = f"; {len(hidden)} hidden facts cannot be opened without the key and were taken as they stand"
    if fault is not None:
        return Check("chain", "fails", f"Fact {fault.seq} {fault.why}.", fault.seq)
    if sealed and any(isinstance(entry, Entry) and entry.type in ENDS for entry in one.entries):
        text = f"Fact {sealed[0]} is sealed, though the match has ended: then its record shows every fact."
        return Check("chain", "fails", text, sealed[0])
    if key is None and one.salts == {} and hidden:
        return Check("chain", "unchecked", f"The open facts hold{rest}.")
    return Check("chain", "holds", f"Each of {len(one.entries)} facts is linked to the one before{rest}.")


def _loosely(match: UUID, entries: Sequence[Entry | Sealed]) -> Fault | None:
    """Check all links but those of hidden facts, whose stored hashes are taken as given."""
    prev, last = ZERO, None
    for seq, entry in enumerate(entries, 1):
        if entry.seq != seq:
            return Fault(seq, "is missing")
        if last is not None and last.final:
            return Fault(seq, f"follows {last.seq}, which is final")
        if isinstance(entry, Sealed):
            prev = link(match, seq, prev, entry.commitment)
            continue
        if entry.audience is Audience.ALL and entry.hash != link(match, seq, prev, committed(entry, b"")):
            return Fault(seq, "does not link to what stands before it")
        if entry.match != match or (last is not None and entry.at < last.at):
            return Fault(seq, "is of another match, or of an earlier time than the fact before")
        prev, last = entry.hash, entry
    return None


def _header(one: Record, whole: Sequence[Entry | Sealed]) -> Check:
    header = one.header
    if len(whole) < len(one.entries):
        return Check("header", "unchecked", "The chain is broken before the end that the header names.")
    if header.head != len(whole) or head(one.match, whole).hex() != header.hash:
        return Check("header", "fails", "The header names another head than the last fact.", header.head)
    first = whole[0]
    if isinstance(first, Entry):
        try:
            said = _decode_created(first.body)
        except UNREADABLE as fault:
            return Check("header", "fails", f"Fact 1 does not say what is played: {fault}.", 1)
        if (said.title, said.scenario) != (header.title, header.scenario):
            text = f"The header names another title or scenario than fact 1: {said.title}, {said.scenario}."
            return Check("header", "fails", text, 1)
    return Check("header", "holds", f"{header.title}, {header.scenario}: {header.head} facts, {header.hash}.")


def _checkpoint(header: RecordHeader, proof: Proof | None, verifier: Verifier | None) -> Check:
    """Check that the match is in the checkpoint; a signature by another key makes the result `unchecked`."""
    if proof is None:
        return Check("checkpoint", "unchecked", "The record is in no checkpoint.")
    unchecked = "" if verifier else "who signed that was not checked, for want of the public key"
    try:
        note = verifier.open(proof.note) if verifier else read_note(proof.note)
    except ForeignNote as foreign:
        unchecked = f"that is {foreign}, whose key is at hand, and the key of whoever signed it is not"
        note = read_note(proof.note)
    except BadNote as bad:
        return Check("checkpoint", "fails", f"The note of the checkpoint is bad: {bad}.")
    leaf = leaf_hash(UUID(header.match), header.head, bytes.fromhex(header.hash))
    if not includes(note.root, note.size, proof.index, leaf, [bytes.fromhex(step) for step in proof.path]):
        text = f"The match as it stands here is not in the checkpoint of {note.origin}, size {note.size}."
        return Check("checkpoint", "fails", text, header.head)
    where = f"match {proof.index + 1} of the {note.size} in the checkpoint of {note.origin}"
    if unchecked:
        return Check("checkpoint", "unchecked", f"It is {where}; {unchecked}.")
    return Check("checkpoint", "holds", f"It is {where}, which is signed.")
