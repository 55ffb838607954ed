"""Checks on the content of a record's facts: nonces, dice, notices, decisions.

Each check names the first wrong fact, says what holds, or why it could not be made. The form of the file, its
hash chain and its checkpoint are checked before, in `projections.verify`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Literal

from msgspec import Struct

from domain.kernel.dice import UNSEEN, Fair
from domain.kernel.facts import Drew, Fact, Notice, Roll, RolledUnseen
from domain.match.adjudicate import readjudicate
from domain.match.chain import Entry, Sealed
from domain.match.game import Game
from domain.match.judging import judge, set_up_fault, was_asked_for
from domain.match.notices import Created, NonceCommitted, NonceShown, Started
from domain.match.undo import standing
from projections.record import UNREADABLE, Record
from server.proof.keys import dice_key

Result = Literal["holds", "fails", "differs", "unchecked"]
Facts = list[tuple[int, Fact]]


class Check(Struct, frozen=True):
    """One check: its name, its result, a text for people, and the seq of the first wrong fact if it fails.

    `differs`: the present rules are another revision than the match was played under and decide otherwise, or
    newer rules may have gone on without a request. This is not a failure.
    """

    name: str
    result: Result
    text: str
    seq: int | None = None


def judged(game: Game, one: Record, whole: Sequence[Entry | Sealed], key: bytes | None) -> Iterator[Check]:
    """Make the checks that need the content of the facts.

    `whole` are the facts of the record before the first at which its chain breaks; `key` is the match key.
    """
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
    if facts and facts[0][0] == 1:
        yield _set_up(game, facts[0][1])
    yield from _table(game, facts, one, whole)
    text = "Whether a seat itself asked for what stands under its number, no record shows: seats do not sign."
    yield Check("requests", "unchecked", text)


def _decoded(game: Game, entry: Entry) -> tuple[Fact | None, str]:
    """Decode a fact and compare its entry with its class; return the fact, or None and what is wrong."""
    try:
        fact, name = game.fact(entry.body), _twice(entry.body)
        audience = fact.audience()
    except UNREADABLE as fault:
        return None, f"is no fact of {game.title}: {fault}"
    if name:
        return None, f"says {name!r} twice"
    kind = type(fact)
    if entry.type != kind.__name__:
        return None, f"is filed as {entry.type}, and its body is a {kind.__name__}"
    if (entry.audience, entry.final) != (audience, kind.final):
        found = f"is addressed to {entry.audience.value}, final {entry.final}"
        return None, f"{found}: not as every {kind.__name__} is"
    if entry.ver > kind.ver:
        return None, f"is of version {entry.ver}; {kind.__name__} has come to {kind.ver}"
    return fact, ""


def _twice(body: bytes) -> str:
    """Return a key that occurs twice in an object of the body, which decoders may read differently; or ""."""
    names: list[str] = []

    def keep(pairs: list[tuple[str, object]]) -> None:
        names.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)

    json.loads(body, object_pairs_hook=keep)
    return names[0] if names else ""


def _nonces(facts: Facts) -> Check:
    seats: set[int] = set()
    promises: dict[int, str] = {}
    shown: dict[int, str] = {}
    for seq, fact in facts:
        if isinstance(fact, Created):
            seats = set(range(len(fact.seats)))
        elif isinstance(fact, NonceCommitted):
            if shown or fact.seat in promises:
                text = f"Seat {fact.seat} commits to a nonce when it may know another's."
                return Check("nonces", "fails", text, seq)
            if fact.hash in promises.values():
                return Check("nonces", "fails", f"Seat {fact.seat} commits to another's nonce.", seq)
            promises[fact.seat] = fact.hash
        elif isinstance(fact, NonceShown):
            if _digest(fact.nonce) != promises.get(fact.seat) or fact.seat in shown:
                text = f"Seat {fact.seat} shows another nonce than it committed to."
                return Check("nonces", "fails", text, seq)
            shown[fact.seat] = fact.nonce
        elif isinstance(fact, Started) and set(shown) != seats:
            return Check("nonces", "fails", "Play begins before every seat has shown its nonce.", seq)
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
    dice, rolls = 0, {0: 0, UNSEEN: 0}
    complete = one.complete  # which looks at every fact
    for seq, fact in facts:
        first = UNSEEN if isinstance(fact, RolledUnseen) else 0
        if isinstance(fact, Roll):
            count, fell = 1, fact.dice
            cast = fair.roll(first + fact.index, len(fell), fact.sides) if fact.sides > 0 else ()
        elif isinstance(fact, Drew):
            count, fell = len(fact.places), fact.places
            cast = _drawn(fair, fact)
        else:
            continue
        # Sealed facts may hold rolls, so indexes may be skipped there; but none may repeat.
        due = rolls[first]
        if fact.index < due or (complete and fact.index > due):
            return Check("dice", "fails", f"Fact {seq} has roll {fact.index} in the place of {due}.", seq)
        if cast != fell:
            text = f"Fact {seq} says {_list(fell)}; the key and the nonces give {_list(cast)}."
            return Check("dice", "fails", text, seq)
        rolls[first] = fact.index + count
        dice += len(fell)
    return Check("dice", "holds", f"{dice} dice and draws are as the key and the nonces give them.")


def _drawn(fair: Fair, drew: Drew) -> tuple[int, ...]:
    if drew.left < len(drew.places):
        return ()
    return tuple(fair.roll(drew.index + n, 1, drew.left - n)[0] - 1 for n in range(len(drew.places)))


def _list(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces)) or "nothing"


def _set_up(game: Game, created: Fact) -> Check:
    today = revision_number(game.revision)
    revision = revision_number(created.revision) if isinstance(created, Created) else today
    if not revision:
        return Check("set-up", "fails", "Fact 1 names no revision of the rules.", 1)
    if revision > today:
        text = f"Played under revision {revision}; this is a program of revision {today}."
        return Check("set-up", "unchecked", text)
    why = set_up_fault(game, created)
    if not why:
        return Check("set-up", "holds", f"Scenario, options, seats and clock are as {game.title} has them.")
    if revision < today:
        text = f"Played under revision {revision}; under {today} {why}."
        return Check("set-up", "differs", text, 1)
    return Check("set-up", "fails", f"Fact 1 sets up what cannot be played: {why}.", 1)


def revision_number(name: str) -> int:
    """Return a revision of the rules as a number, from 1; 0 if the name is not such a number."""
    return int(name) if re.fullmatch("[1-9][0-9]*", name) else 0


def _table(game: Game, facts: Facts, one: Record, whole: Sequence[Entry | Sealed]) -> Iterator[Check]:
    """Fold the match, judge its notices, and decide it again."""
    if not one.complete:
        text = "Facts are sealed: the table can be folded, and decided again, when all are known."
        yield Check("fold", "unchecked", text)
        text = "Facts are sealed: what was asked for, and when, can be judged when all are known."
        yield Check("notices", "unchecked", text)
        return
    state = game.state()
    for seq, fact in standing(facts):
        try:
            fact.fold(state)
        except Exception as fault:
            yield Check("fold", "fails", f"Fact {seq} does not fit the table: {fault!r}.", seq)
            return
    yield Check("fold", "holds", f"{len(facts)} facts fold to a table.")
    broken = len(whole) < len(one.entries)
    yield _notices(game, facts, whole, broken=broken)
    if not broken:
        yield from _rules(game, facts, state.match.revision)


def _notices(game: Game, facts: Facts, whole: Sequence[Entry | Sealed], *, broken: bool) -> Check:
    """Judge the notices, command by command; if the chain is broken, the last command may be incomplete."""
    entries = [entry for entry in whole if isinstance(entry, Entry)]
    commands = [list(command) for _, command in groupby(entries, lambda entry: entry.command)]
    fault = judge(game, commands[:-1] if broken else commands)
    if fault is not None:
        kind = entries[fault.seq - 1].type
        return Check("notices", "fails", f"Fact {fault.seq} ({kind}) {fault.why}.", fault.seq)
    known = dict(facts)
    unasked = [one[0].seq for one in commands if not was_asked_for(known[one[0].seq])]
    if unasked:
        text = (
            f"Asked for by no seat: {len(unasked)} of {len(commands)} commands, the first at fact"
            f" {unasked[0]}. Newer rules may have gone on by themselves."
        )
        return Check("notices", "differs", text, unasked[0])
    count = sum(isinstance(fact, Notice) for _, fact in facts)
    text = f"{count} notices in {len(commands)} commands could be made where they stand."
    return Check("notices", "holds", text)


def _rules(game: Game, facts: Facts, revision: str) -> Iterator[Check]:
    played, today = revision_number(revision), revision_number(game.revision)
    if played > today:
        text = f"Rules of revision {revision} are not known here: ask a program that has them."
        yield Check("rules", "unchecked", text)
        return
    older = 0 < played < today
    result: Result = "differs" if older else "fails"
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
    rules = f"revision {today}, played under {revision}" if older else f"revision {revision}"
    if found:
        yield Check("rules", result, f"Decided again under {rules}: {found} differences.")
    else:
        yield Check("rules", "holds", f"Decided again under {rules}, everything comes out the same.")
