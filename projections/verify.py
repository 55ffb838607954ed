"""Verification of a record: whether a match was played as its record says, without trusting a server.

Each check says what holds, what fails and at which seq, or what could not be checked and why. Checks use only
the facts before the first one at which the hash chain breaks: what follows it proves nothing. A record may be
as long as it likes: of its facts no more is held than a check needs to go on.
"""

from collections.abc import Iterator, Mapping
from io import BytesIO
from typing import BinaryIO
from uuid import UUID

from msgspec import Struct

from domain.match.chain import Entry
from domain.match.game import Game
from domain.titles import TITLES
from projections.judging import judged
from projections.linking import Check, Linked, Tell, decode_created, linked, silent
from projections.record import UNREADABLE, BadRecord, Proof, RecordHeader
from projections.sources import RecordFile, Source
from server.proof.notes import BadNote, ForeignNote, Verifier, read_note
from server.proof.tree import includes, leaf_hash


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
    """Verify the bytes of a file and return the report. See `checks`."""
    return Report([*file_checks(BytesIO(text), key, verifier, titles)])


def verify(
    one: Source,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Report:
    """Verify a record and return the report. See `checks`."""
    return Report([*checks(one, key, verifier, titles)])


def checks(
    one: Source,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
    tell: Tell = silent,
) -> Iterator[Check]:
    """Check a record, and yield each check as soon as it is done.

    `key` is the match key, for a match that has not ended, from the operator's key ring. `verifier` holds the
    public key for the signatures of checkpoints. `tell` is told how far it has come. The record is gone
    through three times: along its chain, over what its facts say, and by the rules. Raises BadRecord.
    """
    yield from _checks(one, linked(one, key, tell), verifier, titles, tell)


def file_checks(
    file: BinaryIO,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
    tell: Tell = silent,
) -> Iterator[Check]:
    """Check a file that is open: its form first, then the record in it. See `checks`."""
    try:
        one = RecordFile(file)
        links = linked(one, key, tell)
        yield Check("form", "holds", f"The file is a record of {links.facts} facts.")
        yield from _checks(one, links, verifier, titles, tell)
    except BadRecord as bad:
        yield Check("form", "fails", f"Line {bad.line}: {bad.why}.", bad.seq)


def _checks(
    one: Source, links: Linked, verifier: Verifier | None, titles: Mapping[str, Game], tell: Tell
) -> Iterator[Check]:
    game = titles.get(one.header.title)
    yield from (links.chain, _header(one, links), links.keyed)
    yield _checkpoint(one.header, one.header.checkpoint, verifier)
    if game is None:
        yield Check("facts", "unchecked", f"There is no title {one.header.title} here.")
    else:
        yield from judged(game, one, links, tell)


def _header(one: Source, links: Linked) -> Check:
    header, first = one.header, one.first
    if links.broken:
        return Check("header", "unchecked", "The chain is broken before the end that the header names.")
    if (links.facts, links.head.hex()) != (header.head, header.hash):
        return Check("header", "fails", "The header names another head than the last fact.", header.head)
    if isinstance(first, Entry):
        try:
            said = decode_created(first.body)
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
