"""Decides a recorded match again under the present rules, with the recorded dice: all of it, or one command.

Replay never needs this: folding consults no rule. It shows which recorded decisions have other consequences
under the present rules, and what they are. Of a command only the facts count that the rules decide: those
from its first decision, or from the start of play, to the next pause. Deliberately absent: who may see the
result.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import takewhile, zip_longest
from typing import Any, TypeGuard

from msgspec import DecodeError, Struct, structs

from domain.kernel.dice import OutOfDice, Scripted
from domain.kernel.facts import Decided, Drew, Fact, Notice, Roll, State, evolve
from domain.kernel.table import Illegal, NotOneCommand, Runaway, Table
from domain.match.game import Game
from domain.match.notices import GameEnded, Started
from domain.match.undo import TakenBack, Undone, Undos, add, undos_of, with_lowest

Seqs = list[tuple[int, Fact]]


class NotTheDefault(Exception):
    """A decision is recorded as the default of its prompt, and the title's default is another."""


REFUSALS = (Illegal, NotOneCommand, OutOfDice, Runaway, DecodeError, NotTheDefault)
"""The exceptions that mean that a decision cannot be taken again."""


class Difference(Struct, frozen=True):
    """The first fact of a decision that is not as recorded when decided again."""

    seq: int
    rule: str
    recorded: Fact | None
    found: Fact | str | None
    """The fact found now, None if there is none, or the reason why the decision could not be taken."""


class DecidedAgain(Struct, frozen=True):
    """One command decided again: its decisions, or the start of play, with all that follows."""

    recorded: tuple[tuple[int, Fact], ...]
    """Its facts as recorded, with their seqs."""
    found: tuple[Fact, ...]
    """Its facts as found now; empty if it could not be decided."""
    refused: str = ""
    """Why it could not be decided, or empty."""

    @property
    def same(self) -> bool:
        """Whether all facts found equal those recorded."""
        return [fact for _, fact in self.recorded] == [*self.found]


KEEP = 1000
"""Facts after which the state is kept, so that those before it can be let go."""


def readjudicate(
    game: Game, log: Iterable[tuple[int, Fact]], undos: Undos | None = None
) -> Iterator[Difference]:
    """Take every decision of a log again, those taken back too; yield at most one difference a command.

    The decisions of one command are taken in order.

    `log` is the whole log as `(seq, fact)` in order. After a difference the check goes on from the state that
    the recorded facts fold to. A fact of the table that follows no decision is a difference too. Where the
    log's `undos` are known beforehand, it is gone through once and not held.
    """
    if undos is None:
        log = list(log)
        undos = undos_of(log)
    past = _Past(game, undos)
    table: Table | None = None
    for group in _groups(log):
        seq, head = group[0]
        difference = None
        if _begins(head) or _closes(group):
            table, difference = _again(game, past.state(table), table, group)
        elif isinstance(head, Undone) or not _stands_alone(head):
            table = None
            difference = None if isinstance(head, Undone) else Difference(seq, "", head, None)
        elif table is not None:
            head.fold(table.state)
        past.count(group, table)
        if difference is not None:
            yield difference


class _Past:
    """The facts of a log in force so far, and the states that later undos go back to.

    What is before a kept state, and no later undo goes back past, is let go.
    """

    def __init__(self, game: Game, undos: Undos) -> None:
        self._game = game
        self._stand: Seqs = []
        self._returns = {back_to for _, back_to in undos}
        self._undos = with_lowest(undos)
        self._fresh = 0
        """Facts counted since any were let go."""
        self._kept: dict[int, tuple[int, bytes]] = {}
        """By the seq an undo may go back to: another, and the encoded state with the notices up to that."""

    def count(self, group: Seqs, table: Table | None) -> None:
        """Add a group. `table` is the table after it, or None if it could not be decided as recorded."""
        for seq, fact in group:
            add(self._stand, seq, fact)
            if isinstance(fact, Undone):
                self._kept = {kept: state for kept, state in self._kept.items() if kept <= fact.back_to}
        last = group[-1][0]
        self._fresh += len(group)
        if table is not None and (last in self._returns or self._fresh >= KEEP):
            self._kept[last] = last, self._game.encode(table.state)
        if self._fresh >= KEEP:
            self._let_go(last)

    def state(self, table: Table | None) -> State[Any, Any]:
        """Return the state of a table or, without one, the fold of the facts in force."""
        if table is not None:
            return table.state
        back = max(self._kept, default=0)
        upto, kept = self._kept.get(back, (0, b""))
        state = self._game.restore(kept) if kept else self._game.state()
        news = [*takewhile(lambda one: one[0] > upto, reversed(self._stand))][::-1]
        evolve(state, [fact for _, fact in news])
        if kept and all(isinstance(fact, Notice) for _, fact in news):
            self._kept[back] = self._stand[-1][0], self._game.encode(state)
        elif len(news) >= KEEP:
            last = self._stand[-1][0]
            self._kept[last] = last, self._game.encode(state)
        return state

    def _let_go(self, seq: int) -> None:
        """Let go of what is before the last kept state that no undo behind `seq` goes back past."""
        while self._undos and self._undos[-1][0] <= seq:
            self._undos.pop()
        lowest = self._undos[-1][1] if self._undos else seq
        start = max((back for back in self._kept if back <= lowest), default=0)
        self._kept = {back: state for back, state in self._kept.items() if back >= start}
        self._stand = self._stand[bisect_right(self._stand, start, key=lambda one: one[0]) :]
        self._fresh = 0


def decide_again(
    game: Game, log: Iterable[tuple[int, Fact]], seq: int, undos: Undos | None = None
) -> DecidedAgain | None:
    """Decide the command of fact `seq` again, from the fold of the facts before it.

    `log` is the whole log as `(seq, fact)` in order, or its beginning; facts taken back later count as they
    did then. Where the log's `undos` are known beforehand, it is gone through once, no further than that
    command, and not held. Returns None if there is no such fact, if it is a notice, which no rule
    decides, or if it is one of the facts that a title records before such an end of the match.
    """
    if undos is None:
        log = list(log)
        undos = undos_of(log)
    gone = TakenBack(undo for undo in undos if undo[0] < seq)
    state, misfit, command = game.state(), "", None
    for group in _groups(log):
        if group[-1][0] >= seq:
            command = group
            break
        if not misfit:
            misfit = _misfit(state, [fact for n, fact in group if not gone.covers(n, fact)])
    if command is None or command[0][0] > seq or _closes(command):
        return None
    if not _begins(command[0][1]):
        return (
            None if _stands_alone(command[0][1]) else DecidedAgain((*command,), (), "it came of no decision")
        )
    if misfit:
        return DecidedAgain((*command,), (), misfit)
    try:
        _, found = _decided(game, state, None, command)
    except REFUSALS as why:
        return DecidedAgain((*command,), (), str(why))
    except Exception as why:
        return DecidedAgain((*command,), (), _said_of(why))
    return DecidedAgain((*command,), (*_as_recorded(found, [fact for _, fact in command]),))


def _misfit(state: State[Any, Any], facts: Iterable[Fact]) -> str:
    """Fold facts; return why they cannot be folded, or nothing."""
    try:
        evolve(state, facts)
    except REFUSALS as why:
        return str(why)
    except Exception as why:
        return _said_of(why)
    return ""


def _said_of(why: Exception) -> str:
    """Say an exception of altered facts, which may break any rule; that is a finding, not a bug."""
    return f"the facts before it, or its own, do not fit the rules: {why!r}"


def _begins(fact: Fact) -> bool:
    return isinstance(fact, Started) or (_was_taken(fact) and not fact.joined)


def _was_taken(fact: Fact) -> TypeGuard[Decided]:
    return isinstance(fact, Decided) and fact.how != "forced"


def _stands_alone(fact: Fact) -> bool:
    if isinstance(fact, GameEnded):
        return fact.rule == "match"
    return isinstance(fact, Notice)


def _closes(group: Seqs) -> bool:
    """Return whether the group ends the match by resignation or agreement."""
    last = group[-1][1]
    return isinstance(last, GameEnded) and last.rule == "match"


def _groups(facts: Iterable[tuple[int, Fact]]) -> Iterator[Seqs]:
    """Yield the facts of a log in groups: those of each command that decides together, each other alone.

    An end by resignation or agreement is yielded with the title's facts before it.
    """
    current: Seqs = []
    for seq, fact in facts:
        if not _begins(fact) and not _stands_alone(fact):
            current.append((seq, fact))
            continue
        if current and _closes([(seq, fact)]) and not _begins(current[0][1]):
            yield [*current, (seq, fact)]
            current = []
            continue
        yield from _separated(current)
        current = [(seq, fact)] if _begins(fact) else []
        if not current:
            yield [(seq, fact)]
    yield from _separated(current)


def _separated(group: Seqs) -> Iterator[Seqs]:
    """Yield a group that begins with a decision whole, and the facts of any other one by one."""
    if group and _begins(group[0][1]):
        yield group
    else:
        yield from ([fact] for fact in group)


def _again(
    game: Game, state: State[Any, Any], table: Table | None, facts: Seqs
) -> tuple[Table | None, Difference | None]:
    seq, head = facts[0]
    recorded = [fact for _, fact in facts]
    try:
        table, found = _decided(game, state, table, facts)
    except REFUSALS as why:
        return None, Difference(seq, getattr(why, "rule", ""), head, str(why))
    found = _as_recorded(found, recorded)
    for position in range(max(len(found), len(recorded))):
        was = recorded[position] if position < len(recorded) else None
        now = found[position] if position < len(found) else None
        if was != now:
            at = facts[min(position, len(facts) - 1)][0]
            return None, Difference(at, _rule(recorded[:position]), was, now)
    return table, None


def _decided(
    game: Game, state: State[Any, Any], table: Table | None, facts: Seqs
) -> tuple[Table, list[Fact]]:
    """Decide one command on a state; return the table and the facts recorded. Raises one of REFUSALS."""
    head = facts[0][1]
    if _closes(facts):
        table = table or Table(game, state, Scripted([]))
        return table, game.noted(state, [facts[-1][1]])
    dice = Scripted(_rolls([fact for _, fact in facts]))
    if not isinstance(head, Decided):
        head.fold(state)
        table = Table(game, state, dice, game.first(state.match.scenario, state.match.options))
        return table, [head, *table.facts]
    table = table or Table(game, state, dice)
    table.dice = dice
    decision = game.decision(head.decision)
    if head.how == "ordered":
        return table, table.decide(head.seat, decision, head.how)
    if head.how != "default":
        decisions = [game.decision(fact.decision) for _, fact in facts if _was_taken(fact)]
        return table, table.decide_all(head.seat, decisions)
    prompt = table.prompts.get(head.seat)
    if prompt is not None and decision != (default := game.default(state, head.seat, prompt)):
        raise NotTheDefault(f"the default is {default}")
    return table, table.decide(head.seat, decision, "default")


def _as_recorded(found: list[Fact], recorded: list[Fact]) -> list[Fact]:
    """Replace each found fact by the recorded one where these differ in nothing but `later` fields."""
    return [
        was if now.later and was == _before(now) else now
        for now, was in zip_longest(found, recorded[: len(found)])
    ]


def _before(fact: Fact) -> Fact:
    """Return a fact with its `later` fields at their defaults, as older logs have it."""
    fields = structs.fields(fact)
    return structs.replace(fact, **{one.name: one.default for one in fields if one.name in fact.later})


def _rolls(facts: list[Fact]) -> list[tuple[int, ...]]:
    rolls: list[tuple[int, ...]] = []
    for fact in facts:
        if isinstance(fact, Roll):
            rolls.append(fact.dice)
        elif isinstance(fact, Drew):
            rolls += [(place + 1,) for place in fact.places]
    return rolls


def _rule(facts: list[Fact]) -> str:
    return next((fact.rule for fact in reversed(facts) if isinstance(fact, Roll | Drew)), "")
