"""Verification: whether a match happened as its record says, step by step, trusting nobody.

Each check says what holds, what does not and at which seq, or what could not be checked and why. A check
looks at the facts before the first one at which the chain breaks: what follows it proves nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal
from uuid import UUID

from msgspec import Struct, json

from domain.kernel.adjudicate import readjudicate
from domain.kernel.chain import OPEN, ZERO, Entry, Fault, Sealed, check, committed, head, link
from domain.kernel.dice import Fair
from domain.kernel.facts import Drew, Fact, Rolled
from domain.kernel.game import Game
from domain.kernel.notices import Created, NonceCommitted, NonceShown, Started
from domain.kernel.undo import standing
from domain.titles import TITLES
from projections.record import BadRecord, Header, Proof, Record, read
from server.keys import SIZE, dice_commitment, dice_key, salt_key
from server.notes import BadNote, Verifier, read_note
from server.tree import includes, leaf_hash

_decode_created = json.Decoder(Created).decode

Result = Literal["holds", "fails", "differs", "unchecked"]
Facts = list[tuple[int, Fact]]


class Check(Struct, frozen=True):
    """One step: what was looked at, what came of it, and of a failure the first bad seq.

    `differs`: today's rules are another revision than the match was played under, and they decide otherwise.
    That is news, not a fault.
    """

    name: str
    result: Result
    text: str
    seq: int | None = None


class Report(Struct, frozen=True):
    """All steps, in order."""

    checks: list[Check]

    @property
    def good(self) -> bool:
        """Whether nothing that could be checked is wrong."""
        return all(check.result != "fails" for check in self.checks)

    @property
    def first_bad(self) -> int | None:
        """The first seq at which anything is wrong; None if nothing is, or only the header."""
        return min((c.seq for c in self.checks if c.result == "fails" and c.seq is not None), default=None)

    @property
    def differences(self) -> int:
        """How many decisions come out otherwise under today's rules, of the same revision or not."""
        return sum(check.name == "decision" for check in self.checks)


def verify_file(
    text: bytes,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Report:
    """Verify a file. See `checks`."""
    return Report([*file_checks(text, key, verifier, titles)])


def verify(
    one: Record,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Report:
    """Verify a record. See `checks`."""
    return Report([*checks(one, key, verifier, titles)])


def checks(
    one: Record,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Iterator[Check]:
    """Check a record, and yield each step as soon as it is done.

    `key` is the match key where somebody who holds the key ring verifies a match that has not ended.
    `verifier` is the public key of whoever signs the checkpoints.
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
        yield from _folds(game, one, whole, key)


def file_checks(
    text: bytes,
    key: bytes | None = None,
    verifier: Verifier | None = None,
    titles: Mapping[str, Game] = TITLES,
) -> Iterator[Check]:
    """Check a file: its form first, then what it says. See `checks`."""
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
    """Compare the match key with the commitment of the first fact; return it if it is the one."""
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
    except ValueError:
        return None


def _chain(one: Record, key: bytes | None) -> Check:
    hidden = [e for e in one.entries if isinstance(e, Entry) and e.audience != OPEN]
    sealed = sum(isinstance(entry, Sealed) for entry in one.entries)
    if key is not None:
        fault = check(one.entries, salt_key(key))
        rest = f"; {len(hidden)} commitments to hidden facts were opened with the key"
    elif all(entry.seq in one.salts for entry in hidden):
        fault = check(one.entries, salts=one.salts)
        rest = f"; {sealed} facts are sealed" if sealed else ""
    else:
        fault = _loosely(one.match, one.entries)
        rest = f"; {len(hidden)} hidden facts cannot be opened without the key and were taken as they stand"
    if fault is not None:
        return Check("chain", "fails", f"Fact {fault.seq} {fault.why}.", fault.seq)
    if key is None and one.salts == {} and hidden:
        return Check("chain", "unchecked", f"The open facts hold{rest}.")
    return Check("chain", "holds", f"Each of {len(one.entries)} facts is linked to the one before{rest}.")


def _loosely(match: UUID, entries: Sequence[Entry | Sealed]) -> Fault | None:
    """Check all links but those of hidden facts, for which the stored hash is taken."""
    prev, last = ZERO, None
    for seq, entry in enumerate(entries, 1):
        if entry.seq != seq:
            return Fault(seq, "is missing")
        if last is not None and last.final:
            return Fault(seq, f"follows {last.seq}, which is final")
        if isinstance(entry, Sealed):
            prev = link(match, seq, prev, entry.commitment)
            continue
        if entry.audience == OPEN and entry.hash != link(match, seq, prev, committed(entry, b"")):
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
        except ValueError as fault:
            return Check("header", "fails", f"Fact 1 does not say what is played: {fault}.", 1)
        if (said.title, said.scenario) != (header.title, header.scenario):
            text = f"The header names another title or scenario than fact 1: {said.title}, {said.scenario}."
            return Check("header", "fails", text, 1)
    return Check("header", "holds", f"{header.title}, {header.scenario}: {header.head} facts, {header.hash}.")


def _folds(game: Game, one: Record, whole: Sequence[Entry | Sealed], key: bytes | None) -> Iterator[Check]:
    """Make the checks that need to know what the facts say."""
    facts: Facts = []
    for entry in whole:
        if isinstance(entry, Entry):
            fact, why = _decoded(game, entry)
            if fact is None:
                yield Check("facts", "fails", f"Fact {entry.seq} {why}.", entry.seq)
                return
            facts.append((entry.seq, fact))
    nonces = _nonces(facts)
    yield nonces
    if nonces.result == "holds":
        yield _dice(facts, key, one)
    else:
        yield Check("dice", "unchecked", "Without the true nonces the dice cannot be cast again.")
    yield from _table(game, facts, one, whole)


def _decoded(game: Game, entry: Entry) -> tuple[Fact | None, str]:
    """Read a fact, and compare what the log says about it with what its class says."""
    try:
        fact = game.fact(entry.body)
    except ValueError as fault:
        return None, f"is no fact of {game.title}: {fault}"
    kind = type(fact)
    if entry.type != kind.__name__:
        return None, f"is filed as {entry.type}, and its body is a {kind.__name__}"
    if (entry.audience, entry.final) != (fact.audience(), kind.final):
        return None, f"is addressed to {entry.audience}, final {entry.final}: not as every {kind.__name__} is"
    if entry.ver > kind.ver:
        return None, f"is of version {entry.ver}; {kind.__name__} has come to {kind.ver}"
    return fact, ""


def _nonces(facts: Facts) -> Check:
    promises: dict[int, str] = {}
    shown: dict[int, str] = {}
    for seq, fact in facts:
        if isinstance(fact, NonceCommitted):
            if shown or fact.seat in promises:
                text = f"Seat {fact.seat} commits to a nonce when it may know another's."
                return Check("nonces", "fails", text, seq)
            promises[fact.seat] = fact.hash
        elif isinstance(fact, NonceShown):
            if _digest(fact.nonce) != promises.get(fact.seat) or fact.seat in shown:
                text = f"Seat {fact.seat} shows another nonce than it committed to."
                return Check("nonces", "fails", text, seq)
            shown[fact.seat] = fact.nonce
        elif isinstance(fact, Started) and set(shown) != set(promises):
            return Check("nonces", "fails", "Play begins before all nonces are shown.", seq)
    return Check("nonces", "holds", f"Nonces shown as committed to before any was: {len(shown)}.")


def _digest(nonce: str) -> str:
    try:
        return sha256(bytes.fromhex(nonce)).hexdigest()
    except ValueError:
        return ""


def _dice(facts: Facts, key: bytes | None, one: Record) -> Check:
    """Cast every die again from the key and the nonces."""
    if key is None:
        return Check("dice", "unchecked", "Without the key the dice cannot be cast again.")
    nonces = {fact.seat: bytes.fromhex(fact.nonce) for _, fact in facts if isinstance(fact, NonceShown)}
    fair = Fair(dice_key(key), [nonces[seat] for seat in sorted(nonces)])
    rolls = dice = 0
    for seq, fact in facts:
        if isinstance(fact, Rolled):
            count, cast = 1, fair.roll(fact.index, len(fact.dice), fact.sides) if fact.sides > 0 else ()
            fell = fact.dice
        elif isinstance(fact, Drew):
            count, fell = len(fact.places), fact.places
            cast = _drawn(fair, fact)
        else:
            continue
        if not one.complete:
            rolls = fact.index
        if fact.index != rolls:
            return Check("dice", "fails", f"Fact {seq} has roll {fact.index} in the place of {rolls}.", seq)
        if cast != fell:
            text = f"Fact {seq} says {_list(fell)}; the key and the nonces give {_list(cast)}."
            return Check("dice", "fails", text, seq)
        rolls += count
        dice += len(fell)
    return Check("dice", "holds", f"{dice} dice and draws are as the key and the nonces give them.")


def _drawn(fair: Fair, drew: Drew) -> tuple[int, ...]:
    if drew.left < len(drew.places):
        return ()
    return tuple(fair.roll(drew.index + n, 1, drew.left - n)[0] - 1 for n in range(len(drew.places)))


def _list(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "nothing"


def _table(game: Game, facts: Facts, one: Record, whole: Sequence[Entry | Sealed]) -> Iterator[Check]:
    """Fold the match, and decide it again."""
    if not one.complete:
        text = "Facts are sealed: the table can be folded, and decided again, when all are known."
        yield Check("fold", "unchecked", text)
        return
    state = game.state()
    for seq, fact in standing(facts):
        try:
            fact.fold(state)
        except Exception as fault:
            yield Check("fold", "fails", f"Fact {seq} does not fit the table: {fault!r}.", seq)
            return
    yield Check("fold", "holds", f"{len(facts)} facts fold to a table.")
    if len(whole) == len(one.entries):
        yield from _rules(game, facts, state.match.revision)


def _rules(game: Game, facts: Facts, revision: str) -> Iterator[Check]:
    same = revision == game.revision
    result: Result = "fails" if same else "differs"
    found = 0
    try:
        for one in readjudicate(game, facts):
            found += 1
            rule = f", rule {one.rule}" if one.rule else ""
            text = f"Fact {one.seq}{rule}: recorded {one.recorded}, decided again {one.found}."
            yield Check("decision", result, text, one.seq)
    except Exception as fault:
        yield Check("rules", result, f"The match cannot be decided again: {fault!r}.")
        return
    rules = f"revision {revision}" if same else f"revision {game.revision}, played under {revision}"
    if found:
        yield Check("rules", result, f"Decided again under {rules}: {found} differences.")
    else:
        yield Check("rules", "holds", f"Decided again under {rules}, everything comes out the same.")


def _checkpoint(header: Header, proof: Proof | None, verifier: Verifier | None) -> Check:
    if proof is None:
        return Check("checkpoint", "unchecked", "The record is in no checkpoint.")
    try:
        note = verifier.open(proof.note) if verifier else read_note(proof.note)
    except BadNote as bad:
        return Check("checkpoint", "fails", f"The note of the checkpoint is bad: {bad}.")
    leaf = leaf_hash(UUID(header.match), header.head, bytes.fromhex(header.hash))
    if not includes(note.root, note.size, proof.index, leaf, [bytes.fromhex(step) for step in proof.path]):
        text = f"The match as it stands here is not in the checkpoint of {note.origin}, size {note.size}."
        return Check("checkpoint", "fails", text, header.head)
    where = f"match {proof.index + 1} of the {note.size} in the checkpoint of {note.origin}"
    if verifier is None:
        text = f"It is {where}; who signed that was not checked, for want of the public key."
        return Check("checkpoint", "unchecked", text)
    return Check("checkpoint", "holds", f"It is {where}, which is signed.")
