"""Decide a recorded match again under today's rules, with the dice as they fell.

Replay never needs this: folding consults no rule. It shows which recorded decisions today's rules would
have answered otherwise, and how.
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


class Difference(Struct, frozen=True):
    """Where today's rules part from the record: the first fact of a decision that is not the same."""

    seq: int
    rule: str
    recorded: Fact | None
    found: Fact | str | None
    """The fact that came now, or why the decision could not be taken."""


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
        if _begins(head):
            state = table.state if table else evolve(game.state(), past)
            table, difference = _again(game, state, table, chapter)
        elif not _stands_alone(head):
            table, difference = None, Difference(seq, "", head, None)
        elif table is not None:
            head.fold(table.state)
        past += [fact for _, fact in chapter]
        if difference is not None:
            yield difference


def _begins(fact: Fact) -> bool:
    return isinstance(fact, Started) or (isinstance(fact, Decided) and fact.how != "forced")


def _stands_alone(fact: Fact) -> bool:
    if isinstance(fact, GameEnded):
        return fact.rule == "match"
    return isinstance(fact, Notice)


def _chapters(facts: Seqs) -> Iterator[Seqs]:
    """Yield each decision, or the start of play, with all that came of it, and each other fact alone."""
    current: Seqs = []
    for seq, fact in facts:
        if current and not _begins(fact) and not _stands_alone(fact):
            current.append((seq, fact))
            continue
        if current:
            yield current
        current = [(seq, fact)] if _begins(fact) else []
        if not current:
            yield [(seq, fact)]
    if current:
        yield current


def _again(
    game: Game, state: State[Any, Any], table: Table | None, facts: Seqs
) -> tuple[Table | None, Difference | None]:
    seq, head = facts[0]
    recorded = [fact for _, fact in facts]
    dice = Scripted(_rolls(recorded))
    try:
        if isinstance(head, Decided):
            table = table or Table(game, state, dice)
            table.dice = dice
            how: Literal["chosen", "default"] = "default" if head.how == "default" else "chosen"
            found = table.decide(head.seat, game.decision(head.decision), how)
        else:
            head.fold(state)
            table = Table(game, state, dice, game.first(state.match.scenario, state.match.options))
            found = [head, *table.facts]
    except (Illegal, OutOfDice, Runaway, DecodeError) as why:
        return None, Difference(seq, getattr(why, "rule", ""), head, str(why))
    for position in range(max(len(found), len(recorded))):
        was = recorded[position] if position < len(recorded) else None
        now = found[position] if position < len(found) else None
        if was != now:
            at = facts[min(position, len(facts) - 1)][0]
            return None, Difference(at, _rule(recorded[:position]), was, now)
    return table, None


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
