"""Decide a recorded match again under today's rules, with the dice as they fell: all of it, or one step.

Replay never needs this: folding consults no rule. It shows which recorded decisions today's rules would
have answered otherwise, and how. Deliberately absent: who may see what comes of it.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import DecodeError, Struct

from domain.kernel.dice import OutOfDice, Scripted
from domain.kernel.facts import Decided, Drew, Fact, Notice, Rolled, State, evolve
from domain.kernel.game import Game
from domain.kernel.notices import GameEnded, Started
from domain.kernel.table import Illegal, Runaway, Table
from domain.kernel.undo import standing

Seqs = list[tuple[int, Fact]]

REFUSALS = (Illegal, OutOfDice, Runaway, DecodeError)
"""What keeps a decision from being taken again."""


class Difference(Struct, frozen=True):
    """Where today's rules part from the record: the first fact of a decision that is not the same."""

    seq: int
    rule: str
    recorded: Fact | None
    found: Fact | str | None
    """The fact that came now, or why the decision could not be taken."""


class Again(Struct, frozen=True):
    """One step, a decision or the start of play with all that came of it, decided again by itself."""

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
    """Decide every standing decision of a log again; yield at most one difference for each.

    `log` is the whole log as `(seq, fact)` in order. After a difference the recorded facts are folded and
    the check goes on from there. A fact of the table that came of no decision is a difference too.
    """
    table: Table | None = None
    past: list[Fact] = []
    for chapter in _chapters(standing(log)):
        seq, head = chapter[0]
        difference = None
        if _begins(head) or _closes(chapter):
            state = table.state if table else evolve(game.state(), past)
            table, difference = _again(game, state, table, chapter)
        elif not _stands_alone(head):
            table, difference = None, Difference(seq, "", head, None)
        elif table is not None:
            head.fold(table.state)
        past += [fact for _, fact in chapter]
        if difference is not None:
            yield difference


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
    return Again((*step,), (*found,))


def _begins(fact: Fact) -> bool:
    return isinstance(fact, Started) or (isinstance(fact, Decided) and fact.how != "forced")


def _stands_alone(fact: Fact) -> bool:
    if isinstance(fact, GameEnded):
        return fact.rule == "match"
    return isinstance(fact, Notice)


def _closes(chapter: Seqs) -> bool:
    """Whether a match ends here by resignation or agreement, after what the title says of it."""
    last = chapter[-1][1]
    return isinstance(last, GameEnded) and last.rule == "match"


def _chapters(facts: Seqs) -> Iterator[Seqs]:
    """Yield each decision, or the start of play, with all that came of it, and each other fact alone.

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
    how: Literal["chosen", "default"] = "default" if head.how == "default" else "chosen"
    return table, table.decide(head.seat, game.decision(head.decision), how)


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
