"""Checks on the content of a record's facts: nonces, dice, notices, decisions.

Each check names the first wrong fact, says what holds, or why it could not be made. The form of the file, its
hash chain and its checkpoint are checked before, in `projections.verify`.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import islice

from domain.kernel.dice import UNSEEN, Fair
from domain.kernel.facts import Decided, Drew, Fact, Notice, Roll, RolledUnseen
from domain.match.adjudicate import readjudicate
from domain.match.anew import NonceCommittedAnew
from domain.match.chain import Entry
from domain.match.game import Game
from domain.match.judging import Judge, set_up_fault, was_asked_for
from domain.match.notices import Created, NonceCommitted, NonceShown, Started
from domain.match.undo import TakenBack, Undos
from projections.linking import Check, Linked, Result, Tell, passed, silent
from projections.record import UNREADABLE, BadRecord
from projections.sources import Source
from server.log.outcomes import Unavailable
from server.proof.keys import dice_key

PLAY = (Started, Decided, Roll, Drew)
"""The facts of play. Before each every seat has shown its nonce, whether there is a `Started` or not."""

DEEPEST = 100
"""Lists and objects within each other in a fact. How many a decoder reads changes with the interpreter; what
is found of a record must not."""

_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def judged(game: Game, one: Source, links: Linked, tell: Tell = silent) -> Iterator[Check]:
    """Make the checks of what the facts say, of those before the first at which the chain breaks.

    Raises BadRecord.
    """
    nonces, dice = _Nonces(), _Dice(links)
    board, commands = _Board(game, links.undos), _Commands(game, links.undos)
    created: Fact | None = None
    for entry in _whole(one, links, "facts", tell):
        fact, why = _decoded(game, entry)
        if fact is None:
            yield Check("facts", "fails", f"Fact {entry.seq} {why}.", entry.seq)
            return
        if entry.seq == 1:
            created = fact
        nonces.take(entry.seq, fact)
        if nonces.fault is None:
            dice.take(entry.seq, fact)
        if links.complete:
            board.take(entry.seq, fact)
            commands.take(entry, fact)
    yield nonces.check()
    if nonces.fault is None:
        yield dice.check()
    else:
        yield Check("dice", "unchecked", "Without the true nonces the dice cannot be cast again.")
    if created is not None:
        yield _set_up(game, created)
    yield from _table(game, one, links, board, commands, tell)
    text = "Whether a seat itself asked for what stands under its number, no record shows: seats do not sign."
    yield Check("requests", "unchecked", text)


def _whole(one: Source, links: Linked, what: str, tell: Tell) -> Iterator[Entry]:
    """Yield the facts given in full before the first at which the chain breaks."""
    for entry, _ in islice(passed(one, what, tell), links.whole):
        if isinstance(entry, Entry):
            yield entry


def _decoded(game: Game, entry: Entry) -> tuple[Fact | None, str]:
    """Decode a fact and compare its entry with its class; return the fact, or None and what is wrong."""
    try:
        _check_depth(entry.body)
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


def _check_depth(body: bytes) -> None:
    """Raise ValueError where more than DEEPEST lists and objects are within each other."""
    depth = 0
    marks = _MARKS.findall(body) if body.count(b"[") + body.count(b"{") > DEEPEST else ()
    for mark in marks:
        depth += (mark in (b"[", b"{")) - (mark in (b"]", b"}"))
        if depth > DEEPEST:
            raise ValueError(f"more than {DEEPEST} lists and objects within each other")


def _twice(body: bytes) -> str:
    """Return a key that occurs twice in an object of the body, which decoders may read differently; or ""."""
    names: list[str] = []

    def keep(pairs: list[tuple[str, object]]) -> None:
        names.extend(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)

    json.loads(body, object_pairs_hook=keep)
    return names[0] if names else ""


class _Nonces:
    """The nonces: each promised before any that counts was shown, shown as promised, all before play."""

    def __init__(self) -> None:
        self._seats = range(0)
        self._promises: dict[int, str] = {}
        self._shown: dict[int, str] = {}
        self._hashes: set[str] = set()
        """All that were promised, also those that count no more."""
        self.fault: Check | None = None

    def take(self, seq: int, fact: Fact) -> None:
        """Look at the next fact."""
        if self.fault is None and (why := self._wrong(fact)):
            self.fault = Check("nonces", "fails", why, seq)

    def check(self) -> Check:
        """Return what came of it."""
        text = f"Nonces shown as committed to before any was: {len(self._shown)}."
        return self.fault or Check("nonces", "holds", text)

    def _wrong(self, fact: Fact) -> str:
        if isinstance(fact, Created):
            self._seats = self._seats or range(len(fact.seats))
        elif isinstance(fact, NonceCommitted | NonceCommittedAnew):
            return self._promised(fact)
        elif isinstance(fact, NonceShown):
            if _digest(fact.nonce) != self._promises.get(fact.seat) or fact.seat in self._shown:
                return f"Seat {fact.seat} shows another nonce than it committed to."
            self._shown[fact.seat] = fact.nonce
        elif isinstance(fact, PLAY) and not 0 < len(self._shown) == len(self._seats):
            return "Play begins before every seat has shown its nonce."
        return ""

    def _promised(self, fact: NonceCommitted | NonceCommittedAnew) -> str:
        if fact.seat not in self._seats:
            return f"Seat {fact.seat} commits to a nonce, and is not there."
        if isinstance(fact, NonceCommittedAnew):
            if fact.seat in self._shown:
                return f"Seat {fact.seat} commits anew when its nonce was shown and counts."
            for seat in self._shown:
                del self._promises[seat]
            self._shown.clear()
        elif self._shown or fact.seat in self._promises:
            return f"Seat {fact.seat} commits to a nonce when it may know another's."
        if fact.hash in self._hashes:
            return f"Seat {fact.seat} commits to a nonce that was committed to before."
        self._hashes.add(fact.hash)
        self._promises[fact.seat] = fact.hash
        return ""


def _digest(nonce: str) -> str:
    try:
        return sha256(bytes.fromhex(nonce)).hexdigest()
    except ValueError:
        return ""


class _Dice:
    """The dice, each cast again from the key and the nonces shown."""

    def __init__(self, links: Linked) -> None:
        self._key, self._complete = links.key, links.complete
        self._nonces: dict[int, bytes] = {}
        self._fair: Fair | None = None
        """Made for the first roll."""
        self._dice, self._rolls = 0, {0: 0, UNSEEN: 0}
        self._fault: Check | None = None

    def take(self, seq: int, fact: Fact) -> None:
        """Look at the next fact, whose nonce is true if it shows one."""
        if self._key is None or self._fault is not None:
            return
        why = ""
        if isinstance(fact, NonceShown):
            self._nonces[fact.seat] = bytes.fromhex(fact.nonce)
            if self._fair is not None:
                why = f"Fact {seq} shows a nonce when dice have fallen."
        elif isinstance(fact, Roll | Drew):
            self._fair = self._fair or Fair(
                dice_key(self._key), [self._nonces[seat] for seat in sorted(self._nonces)]
            )
            why = self._wrong(self._fair, seq, fact)
        if why:
            self._fault = Check("dice", "fails", why, seq)

    def check(self) -> Check:
        """Return what came of it."""
        if self._key is None:
            return Check("dice", "unchecked", "Without the key the dice cannot be cast again.")
        text = f"{self._dice} dice and draws are as the key and the nonces give them."
        return self._fault or Check("dice", "holds", text)

    def _wrong(self, fair: Fair, seq: int, fact: Roll | Drew) -> str:
        first = UNSEEN if isinstance(fact, RolledUnseen) else 0
        if isinstance(fact, Roll):
            count, fell = 1, fact.dice
            cast = fair.roll(first + fact.index, len(fell), fact.sides) if fact.sides > 0 else ()
        else:
            count, fell = len(fact.places), fact.places
            cast = _drawn(fair, fact)
        # Sealed facts may hold rolls, so indexes may be skipped there; but none may repeat.
        due = self._rolls[first]
        if fact.index < due or (self._complete and fact.index > due):
            return f"Fact {seq} has roll {fact.index} in the place of {due}."
        if cast != fell:
            return f"Fact {seq} says {_list(fell)}; the key and the nonces give {_list(cast)}."
        self._rolls[first] = fact.index + count
        self._dice += len(fell)
        return ""


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


class _Board:
    """The facts in force, folded."""

    def __init__(self, game: Game, undos: Undos) -> None:
        self._gone, self._facts = TakenBack(undos), 0
        self.state = game.state()
        self.fault: Check | None = None

    def take(self, seq: int, fact: Fact) -> None:
        """Fold the next fact, if it is not taken back."""
        self._facts += 1
        if self.fault is not None or self._gone.covers(seq, fact):
            return
        try:
            fact.fold(self.state)
        except Exception as fault:
            self.fault = Check("fold", "fails", f"Fact {seq} does not fit the table: {fault!r}.", seq)

    def check(self) -> Check:
        """Return what came of it."""
        return self.fault or Check("fold", "holds", f"{self._facts} facts fold to a table.")


class _Commands:
    """The commands, whose notices are judged one after the other."""

    def __init__(self, game: Game, undos: Undos) -> None:
        self._judge = Judge(game, undos)
        self._entries: list[Entry] = []
        self._facts: list[Fact] = []
        """Of the command that goes on."""
        self._commands = self._notices = self._unasked = self._first_unasked = 0
        self._fault: Check | None = None

    def take(self, entry: Entry, fact: Fact) -> None:
        """Take the next fact."""
        if not self._entries or entry.command != self._entries[0].command:
            self._judge_command()
            self._entries, self._facts = [], []
            self._commands += 1
            if not was_asked_for(fact):
                self._unasked += 1
                self._first_unasked = self._first_unasked or entry.seq
        self._entries.append(entry)
        self._facts.append(fact)
        self._notices += isinstance(fact, Notice)

    def check(self, *, broken: bool) -> Check:
        """Return what came of it; if the chain is broken, the last command may be incomplete."""
        if not broken:
            self._judge_command()
        if self._fault is not None:
            return self._fault
        if self._unasked:
            text = (
                f"Asked for by no seat: {self._unasked} of {self._commands} commands, the first at fact"
                f" {self._first_unasked}. Newer rules may have gone on by themselves."
            )
            return Check("notices", "differs", text, self._first_unasked)
        text = f"{self._notices} notices in {self._commands} commands could be made where they stand."
        return Check("notices", "holds", text)

    def _judge_command(self) -> None:
        if not self._entries or self._fault is not None:
            return
        fault = self._judge.take(self._entries, self._facts)
        if fault is not None:
            kind = next(entry.type for entry in self._entries if entry.seq == fault.seq)
            self._fault = Check("notices", "fails", f"Fact {fault.seq} ({kind}) {fault.why}.", fault.seq)


def _table(
    game: Game, one: Source, links: Linked, board: _Board, commands: _Commands, tell: Tell
) -> Iterator[Check]:
    """Say what came of the fold and of the notices, and decide the match again."""
    if not links.complete:
        text = "Facts are sealed: the table can be folded, and decided again, when all are known."
        yield Check("fold", "unchecked", text)
        text = "Facts are sealed: what was asked for, and when, can be judged when all are known."
        yield Check("notices", "unchecked", text)
        return
    yield board.check()
    if board.fault is not None:
        return
    yield commands.check(broken=links.broken)
    if not links.broken:
        facts = ((entry.seq, game.fact(entry.body)) for entry in _whole(one, links, "rules", tell))
        yield from _rules(game, facts, links.undos, board.state.match.revision)


def _rules(game: Game, facts: Iterable[tuple[int, Fact]], undos: Undos, revision: str) -> Iterator[Check]:
    played, today = revision_number(revision), revision_number(game.revision)
    if played > today:
        text = f"Rules of revision {revision} are not known here: ask a program that has them."
        yield Check("rules", "unchecked", text)
        return
    older = 0 < played < today
    result: Result = "differs" if older else "fails"
    found = 0
    try:
        for one in readjudicate(game, facts, undos):
            found += 1
            rule = f", rule {one.rule}" if one.rule else ""
            text = f"Fact {one.seq}{rule}: recorded {one.recorded}, decided again {one.found}."
            yield Check("decision", result, text, one.seq)
    except (BadRecord, Unavailable):
        raise
    except Exception as fault:
        yield Check("rules", result, f"The match cannot be decided again: {fault!r}.")
        return
    rules = f"revision {today}, played under {revision}" if older else f"revision {revision}"
    if found:
        yield Check("rules", result, f"Decided again under {rules}: {found} differences.")
    else:
        yield Check("rules", "holds", f"Decided again under {rules}, everything comes out the same.")
