"""The first pass along a record: its form, its key and its chain, and what the checks of its facts need.

Deliberately absent: what the facts say (`projections.judging`).
"""

from collections.abc import Callable, Iterator
from typing import Final, Literal
from uuid import UUID

from msgspec import Struct, json

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Entry, Fault, Sealed, Walk, committed, head, link
from domain.match.notices import Created, Ended, GameEnded
from domain.match.undo import Undone, Undos
from projections.record import UNREADABLE, key
from projections.sources import Source
from server.proof.keys import SIZE, dice_commitment, salt_key

ENDS: Final = {Ended.__name__, GameEnded.__name__}
"""The types of facts in the command that ends a match; after it a record has no sealed facts."""

TOLD: Final = 1000
"""Facts after which it is told how far a pass has come."""

Result = Literal["holds", "fails", "differs", "unchecked"]

Tell = Callable[[str, int], object]
"""Is told what is checked, and how many facts of it have been."""

decode_created = json.Decoder(Created).decode
_decode_undone = json.Decoder(Undone).decode


class Check(Struct, frozen=True):
    """One check: its name, its result, a text for people, and the seq of the first wrong fact if it fails.

    `differs`: the present rules are another revision than the match was played under and decide otherwise, or
    newer rules may have gone on without a request. This is not a failure.
    """

    name: str
    result: Result
    text: str
    seq: int | None = None


class Linked(Struct, frozen=True):
    """What the first pass came to."""

    key: bytes | None
    """The match key, if it is known and is the one that fact 1 commits to."""
    keyed: Check
    chain: Check
    facts: int
    """The number of all facts."""
    whole: int
    """The number of facts before the first at which the chain breaks."""
    head: bytes
    """The hash after the last fact."""
    complete: bool
    """Whether all facts are given in full."""
    undos: Undos
    """The undos among the whole facts."""

    @property
    def broken(self) -> bool:
        """Whether the chain breaks."""
        return self.whole < self.facts


def silent(_what: str, _facts: int) -> None:
    """Tell nobody."""


def passed(one: Source, what: str, tell: Tell) -> Iterator[tuple[Entry | Sealed, bytes]]:
    """Yield the facts of a record, telling now and then how far one has come."""
    for number, line in enumerate(one.lines(), 1):
        yield line
        if number % TOLD == 0:
            tell(what, number)


def linked(one: Source, given: bytes | None, tell: Tell) -> Linked:
    """Go along the chain of a record; `given` is the key of a match that has not ended. Raises BadRecord."""
    keyed, match_key = _key(one, given)
    links = _Links(UUID(one.header.match), match_key)
    for entry, grain in passed(one, "chain", tell):
        links.take(entry, grain)
    chain = links.check()
    whole = chain.seq - 1 if chain.result == "fails" and chain.seq else links.facts
    return Linked(
        match_key,
        keyed,
        chain,
        links.facts,
        whole,
        links.head,
        not links.sealed,
        [undo for undo in links.undos if undo[0] <= whole],
    )


def _key(one: Source, given: bytes | None) -> tuple[Check, bytes | None]:
    """Compare the match key with the commitment of fact 1; return the check, and the key if it fits."""
    first, last = one.first, one.last
    found = key([last] if last else []) or given
    if found is None:
        if isinstance(last, Entry) and last.type == Ended.__name__:
            return Check("key", "fails", f"Fact {last.seq} reveals no key.", last.seq), None
        text = "The match has not ended: its key is not revealed yet."
        return Check("key", "unchecked", text), None
    promised = _promised(first)
    if promised is None:
        return Check("key", "fails", "Fact 1 makes no commitment to a key.", 1), None
    if len(found) != SIZE or dice_commitment(found) != promised:
        text = f"The key is not the one that fact 1 commits to ({promised})."
        return Check("key", "fails", text, last.seq if last else None), None
    return Check("key", "holds", "The key is the one that fact 1 commits to."), found


def _promised(first: Entry | Sealed | None) -> str | None:
    if not isinstance(first, Entry) or first.type != Created.__name__:
        return None
    try:
        return decode_created(first.body).commitment
    except UNREADABLE:
        return None


class _Links:
    """A pass along a chain: with the key, or the salts that the record has, or as far as can be without."""

    def __init__(self, match: UUID, match_key: bytes | None) -> None:
        self._match, self._keyed = match, match_key is not None
        self._walk = Walk(salt_key(match_key) if match_key else None)
        self._loose = _Loose(match)
        self._fault: Fault | None = None
        self._loose_fault: Fault | None = None
        self._salted = self._unsalted = self._ended = False
        self.facts = self.hidden = self.sealed = 0
        self._first_sealed = 0
        self.head = ZERO
        self.undos: list[tuple[int, int]] = []

    def take(self, entry: Entry | Sealed, grain: bytes) -> None:
        """Follow the next fact."""
        self.facts += 1
        self.head = head(self._match, [entry], self.head)
        self._fault = self._fault or self._walk.follow(entry, grain or None)
        if not self._keyed:
            self._loose_fault = self._loose_fault or self._loose.follow(entry)
        if isinstance(entry, Sealed):
            self.sealed += 1
            self._first_sealed = self._first_sealed or entry.seq
            return
        if entry.audience is not Audience.ALL:
            self.hidden += 1
            self._salted = self._salted or bool(grain)
            self._unsalted = self._unsalted or not grain
        self._ended = self._ended or entry.type in ENDS
        if entry.type == Undone.__name__:
            self._note_undo(entry)

    def _note_undo(self, entry: Entry) -> None:
        try:
            self.undos.append((entry.seq, _decode_undone(entry.body).back_to))
        except UNREADABLE:
            return  # the check of the facts says so

    def check(self) -> Check:
        """Return what came of it."""
        fault, rest = self._fault, f"; {self.sealed} facts are sealed" if self.sealed else ""
        if self._keyed:
            rest = f"; {self.hidden} commitments to hidden facts were opened with the key"
        elif self._unsalted:
            fault = self._loose_fault
            rest = (
                f"; {self.hidden} hidden facts cannot be opened without the key and were taken as they stand"
            )
        if fault is not None:
            return Check("chain", "fails", f"Fact {fault.seq} {fault.why}.", fault.seq)
        if self.sealed and self._ended:
            first = self._first_sealed
            text = f"Fact {first} is sealed, though the match has ended: then its record shows every fact."
            return Check("chain", "fails", text, first)
        if not self._keyed and not self._salted and self.hidden:
            return Check("chain", "unchecked", f"The open facts hold{rest}.")
        return Check("chain", "holds", f"Each of {self.facts} facts is linked to the one before{rest}.")


class _Loose:
    """A check of all links but those of hidden facts, whose stored hashes are taken as given."""

    def __init__(self, match: UUID) -> None:
        self._match = match
        self._seq, self._prev = 0, ZERO
        self._last: Entry | None = None

    def follow(self, entry: Entry | Sealed) -> Fault | None:
        """Check the next fact; return its fault, or None."""
        self._seq += 1
        seq, last = self._seq, self._last
        if entry.seq != seq:
            return Fault(seq, "is missing")
        if last is not None and last.final:
            return Fault(seq, f"follows {last.seq}, which is final")
        if isinstance(entry, Sealed):
            self._prev = link(self._match, seq, self._prev, entry.commitment)
            return None
        if entry.audience is Audience.ALL and entry.hash != link(
            self._match, seq, self._prev, committed(entry, b"")
        ):
            return Fault(seq, "does not link to what stands before it")
        if entry.match != self._match or (last is not None and entry.at < last.at):
            return Fault(seq, "is of another match, or of an earlier time than the fact before")
        self._prev, self._last = entry.hash, entry
        return None
