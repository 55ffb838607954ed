"""Decide a recorded match again under today's rules, with the dice as they fell: all of it, or one step.

Replay never needs this: folding consults no rule. It shows which recorded decisions today's rules would
have answered otherwise, and how. Deliberately absent: who may see what comes of it.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile, zip_longest
from typing import Any, TypeGuard

from msgspec import DecodeError, Struct, structs

from domain.kernel.dice import OutOfDice, Scripted
from domain.kernel.facts import Decided, Drew, Fact, Notice, Rolled, State, evolve
from domain.kernel.table import Apart, Illegal, Runaway, Table
from domain.match.game import Game
from domain.match.notices import GameEnded, Started
from domain.match.undo import Undone, add, standing

Seqs = list[tuple[int, Fact]]


class NotTheDefault(Exception):
    """A decision stands as the default of its prompt, and the title's default is another."""


REFUSALS = (Illegal, Apart, OutOfDice, Runaway, DecodeError, NotTheDefault)
"""What keeps a decision from being taken again."""


class Difference(Struct, frozen=True):
    """Where today's rules part from the record: the first fact of a decision that is not the same."""

    seq: int
    rule: str
    recorded: Fact | None
    found: Fact | str | None
    """The fact that came now, or why the decision could not be taken."""


class Again(Struct, frozen=True):
    """One step decided again by itself: what a command decided, or the start of play, and what came of it."""

    recorded: tuple[tuple[int, Fact], ...]
    """Its facts as they stand in the log, with their seqs."""
    found: tuple[Fact, ...]
    """What came of it now; nothing where it could not be decided at all."""
    refused: str = ""
    """Why it could not be decided."""

    @property
    def same(self) -> bool:
        """Whether everything came out as it is recorded."""
        return [fact for _, fact in self.recorded] == [*self.found]


def readjudicate(game: Game, log: Iterable[tuple[int, Fact]]) -> Iterator[Difference]:
    """Decide every decision of a log again, those taken back too; yield at most one difference for each.

    Those that one command held are decided again as one, each in its turn.

    `log` is the whole log as `(seq, fact)` in order. After a difference the recorded facts are folded and
    the check goes on from there. A fact of the table that came of no decision is a difference too.
    """
    facts = list(log)
    past = _Past(game, facts)
    table: Table | None = None
    for chapter in _chapters(facts):
        seq, head = chapter[0]
        difference = None
        if _begins(head) or _closes(chapter):
            table, difference = _again(game, past.state(table), table, chapter)
        elif isinstance(head, Undone) or not _stands_alone(head):
            table = None
            difference = None if isinstance(head, Undone) else Difference(seq, "", head, None)
        elif table is not None:
            head.fold(table.state)
        past.count(chapter, table)
        if difference is not None:
            yield difference


class _Past:
    """The facts of a log that stand so far, and the states that later undos go back to."""

    def __init__(self, game: Game, facts: Seqs) -> None:
        self._game = game
        self._stand: Seqs = []
        self._returns = {fact.back_to for _, fact in facts if isinstance(fact, Undone)}
        self._kept: dict[int, tuple[int, bytes]] = {}
        """By the seq that an undo goes back to: the state there, with all notices up to another seq."""

    def count(self, chapter: Seqs, table: Table | None) -> None:
        """Count a chapter; `table` has come to its end, if it has not parted from the record."""
        for seq, fact in chapter:
            add(self._stand, seq, fact)
            if isinstance(fact, Undone):
                self._kept = {kept: state for kept, state in self._kept.items() if kept <= fact.back_to}
        last = chapter[-1][0]
        if table is not None and last in self._returns:
            self._kept[last] = last, self._game.encode(table.state)

    def state(self, table: Table | None) -> State[Any, Any]:
        """Return the state of a table or, without one, what stands folds to."""
        if table is not None:
            return table.state
        back = max(self._kept, default=0)
        upto, kept = self._kept.get(back, (0, b""))
        state = self._game.restore(kept) if kept else self._game.state()
        news = [*takewhile(lambda one: one[0] > upto, reversed(self._stand))][::-1]
        evolve(state, [fact for _, fact in news])
        if kept and all(isinstance(fact, Notice) for _, fact in news):
            self._kept[back] = self._stand[-1][0], self._game.encode(state)
        return state


def decide_again(game: Game, log: Iterable[tuple[int, Fact]], seq: int) -> Again | None:
    """Decide the step that fact `seq` belongs to again, from the position that the facts before it fold to.

    `log` is the whole log as `(seq, fact)` in order, or its beginning; facts taken back later are judged as
    they stood then. None where there is no such fact, or it is a notice and no rule decided it, or what the
    title says before a match ends by one.
    """
    facts = list(log)
    step = next((chapter for chapter in _chapters(facts) if chapter[0][0] <= seq <= chapter[-1][0]), None)
    if step is None:
        return None
    if _closes(step):
        return None
    if not _begins(step[0][1]):
        return None if _stands_alone(step[0][1]) else Again((*step,), (), "it came of no decision")
    past = standing((n, fact) for n, fact in facts if n < step[0][0])
    try:
        state = evolve(game.state(), (fact for _, fact in past))
        _, found = _decided(game, state, None, step)
    except REFUSALS as why:
        return Again((*step,), (), str(why))
    except Exception as why:  # facts that were altered may break any rule, and that is an answer
        return Again((*step,), (), f"the facts before it, or its own, do not fit the rules: {why!r}")
    return Again((*step,), (*_as_recorded(found, [fact for _, fact in step]),))


def _begins(fact: Fact) -> bool:
    return isinstance(fact, Started) or (_was_taken(fact) and not fact.joined)


def _was_taken(fact: Fact) -> TypeGuard[Decided]:
    return isinstance(fact, Decided) and fact.how != "forced"


def _stands_alone(fact: Fact) -> bool:
    if isinstance(fact, GameEnded):
        return fact.rule == "match"
    return isinstance(fact, Notice)


def _closes(chapter: Seqs) -> bool:
    """Whether a match ends here by resignation or agreement, after what the title says of it."""
    last = chapter[-1][1]
    return isinstance(last, GameEnded) and last.rule == "match"


def _chapters(facts: Seqs) -> Iterator[Seqs]:
    """Yield each step with all that came of it, and each other fact alone.

    An end that came of no decision is yielded with the facts of the title before it.
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
        yield from _apart(current)
        current = [(seq, fact)] if _begins(fact) else []
        if not current:
            yield [(seq, fact)]
    yield from _apart(current)


def _apart(chapter: Seqs) -> Iterator[Seqs]:
    """Yield a decision with what came of it whole, and facts that came of none one by one."""
    if chapter and _begins(chapter[0][1]):
        yield chapter
    else:
        yield from ([fact] for fact in chapter)


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
    """Decide one step on a state; return the table and what it recorded. Raises one of REFUSALS."""
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
    """Give each fact found as it is recorded where that lacks only what came later and only tells."""
    return [
        was if now.later and was == _before(now) else now
        for now, was in zip_longest(found, recorded[: len(found)])
    ]


def _before(fact: Fact) -> Fact:
    """Return a fact as a record from before its later fields has it."""
    fields = structs.fields(fact)
    return structs.replace(fact, **{one.name: one.default for one in fields if one.name in fact.later})


def _rolls(facts: list[Fact]) -> list[tuple[int, ...]]:
    rolls: list[tuple[int, ...]] = []
    for fact in facts:
        if isinstance(fact, Rolled):
            rolls.append(fact.dice)
        elif isinstance(fact, Drew):
            rolls += [(place + 1,) for place in fact.places]
    return rolls


def _rule(facts: list[Fact]) -> str:
    return next((fact.rule for fact in reversed(facts) if isinstance(fact, Rolled | Drew)), "")
