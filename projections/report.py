"""Reports: how a match ended, in sentences and figures, for the page about its end and for the terminal.

The measure of a moment: every command is weighed by how much it moved the difference of the two scores, plus
what it cost either side beyond that, both as the title's account counts them (`domain.match.account`). The
five that weigh most decided the match. Facts that were taken back count for nothing.

Deliberately absent: reports of matches that have not ended, which would tell what is hidden.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.facts import OWN_CHOICE, Decided, Fact, Notice, Rolled, State, UmpireFact
from domain.kernel.seats import the
from domain.match.account import Loss, Row
from domain.match.chain import Entry
from domain.match.game import Game
from domain.match.notices import Created, GameEnded, Started
from domain.match.undo import standing
from projections.history import named
from projections.luck import Luck, luck

MOST: Final = 5
"""How many moments are told."""

SENTENCES: Final = 3
"""How many facts of a moment are told: those that weigh most."""

SLIGHT: Final = 0.1
"""What weighs less than this share of the heaviest is not told, neither a moment nor a fact of it."""


DAYS_FROM: Final = 48
"""From so many hours on a span is told in days."""


class NotEnded(Exception):
    """A match has not ended, so that there is no report of it yet."""


class Moment(Struct, frozen=True):
    """A command that decided much: the fact that weighs most, where in the match it was, and what it did.

    The words of that fact stand first, then those of others as they happened.
    """

    seq: int
    when: str
    words: list[str]
    weight: float


class LossGroup(Struct, frozen=True):
    """What a side lost of one kind: its ids, in the order in which they were lost."""

    kind: str
    ids: list[str]


class Report(Struct, frozen=True):
    """How a match ended. Sentences have ids in square brackets; times are in microseconds since the epoch."""

    title: str
    scenario: str
    winner: int | None
    """The side; None where nobody has won."""
    reason: str
    rule: str
    """The rule of the title that ended it; `match` for a resignation or an agreement."""
    rows: list[Row]
    """The victory points; none if the title has no points."""
    losses: tuple[list[LossGroup], list[LossGroup]]
    moments: list[Moment]
    luck: list[Luck]
    when: str
    """How far it went: `Turn 6`."""
    began: int
    ended: int
    decisions: int
    """How often somebody decided, counted by commands."""
    rolls: int


class _Weighed(Struct):
    """A fact in force with its weight, and what it cost."""

    seq: int
    fact: Fact
    weight: float
    costs: list[Loss]


class _Step(Struct):
    """One command as it is weighed, and where the match stood."""

    when: str
    facts: list[_Weighed]

    @property
    def weight(self) -> float:
        return sum(one.weight for one in self.facts)


class _Account(Struct):
    """The match, folded while it is weighed."""

    game: Game
    state: State[Any, Any]
    lost: dict[tuple[int, str], list[str]]
    """Side and kind to the ids lost."""
    ahead: float = 0.0

    def fold(self, seq: int, fact: Fact) -> _Weighed:
        """Fold a fact and weigh it."""
        if isinstance(fact, Notice | UmpireFact | Rolled):
            fact.fold(self.state)
            return _Weighed(seq, fact, 0.0, [])
        account = self.game.account
        costs = account.losses(self.state.open, fact)
        fact.fold(self.state)
        one, other = account.score(self.state.open)
        swing, self.ahead = abs(one - other - self.ahead), one - other
        if isinstance(fact, account.set_up):
            return _Weighed(seq, fact, 0.0, [])
        for loss in costs:
            self._lose(loss)
        return _Weighed(seq, fact, swing + sum(loss.worth for loss in costs), costs)

    def _lose(self, loss: Loss) -> None:
        ids = self.lost.setdefault((loss.side, loss.kind), [])
        if loss.gone and loss.id not in ids:
            ids.append(loss.id)


def report(game: Game, entries: Sequence[Entry]) -> Report:
    """Return the report of a whole match. Raises NotEnded; ValueError for facts that the title lacks."""
    if not entries or not entries[-1].final:
        raise NotEnded("the match has not ended")
    at, commands = {e.seq: e.at for e in entries}, {e.seq: e.command for e in entries}
    facts = standing((entry.seq, game.fact(entry.body)) for entry in entries)
    account = _Account(game, game.state(), defaultdict(list))
    steps = list(_steps(account, facts, commands))
    match, board = account.state.match, account.state.open
    created = next(fact for _, fact in facts if isinstance(fact, Created))
    end = next((fact for _, fact in reversed(facts) if isinstance(fact, GameEnded)), None)
    if end is None:
        raise NotEnded("the match was never decided")
    return Report(
        title=game.name,
        scenario=created.scenario,
        winner=match.winner,
        reason=game.sentence(game.account.reason(board, end)),
        rule=end.rule,
        rows=game.account.rows(board),
        losses=(_lost(account, 0), _lost(account, 1)),
        moments=_moments(game, steps),
        luck=[
            replace(one, words=game.sentence(one.words))
            for one in luck(fact for _, fact in facts if isinstance(fact, Rolled))
        ],
        when=game.account.when(board),
        began=next((at[seq] for seq, fact in facts if isinstance(fact, Started)), entries[0].at),
        ended=entries[-1].at,
        decisions=len(
            {commands[seq] for seq, fact in facts if isinstance(fact, Decided) and fact.how in OWN_CHOICE}
        ),
        rolls=account.state.rolls,
    )


def _steps(
    account: _Account, facts: Iterable[tuple[int, Fact]], commands: dict[int, UUID]
) -> Iterable[_Step]:
    """Fold a match and yield its commands, weighed."""
    for _, command in groupby(facts, lambda one: commands[one[0]]):
        weighed = [account.fold(seq, fact) for seq, fact in command]
        yield _Step(account.game.account.when(account.state.open), weighed)


def _moments(game: Game, steps: Iterable[_Step]) -> list[Moment]:
    """Return the steps that weigh most, in their order."""
    weighed = sorted((step for step in steps if step.weight > 0), key=lambda step: -step.weight)
    found = [_moment(game, step) for step in weighed[:MOST] if step.weight >= SLIGHT * weighed[0].weight]
    return sorted(found, key=lambda moment: moment.seq)


def _moment(game: Game, step: _Step) -> Moment:
    gone = {loss.id for one in step.facts for loss in one.costs if loss.gone}
    facts = [one for one in step.facts if one.weight > 0 and not _outdone(one, gone)]
    heaviest = sorted(facts, key=lambda one: -one.weight)
    first, *others = [one for one in heaviest[:SENTENCES] if one.weight >= SLIGHT * heaviest[0].weight]
    told = [first, *sorted(others, key=lambda one: one.seq)]
    return Moment(first.seq, step.when, [game.words(one.fact) for one in told], step.weight)


def _outdone(one: _Weighed, gone: set[str]) -> bool:
    """Return whether a fact only hurt what the same command took off for good."""
    return bool(one.costs) and all(not loss.gone and loss.id in gone for loss in one.costs)


def _lost(account: _Account, side: int) -> list[LossGroup]:
    """Return what a side lost, by kind in the title's order."""
    kinds = account.game.account.kinds
    return [LossGroup(kind, ids) for kind in kinds if (ids := account.lost.get((side, kind)))]


def lines(one: Report, names: dict[str, str]) -> list[str]:
    """Return a report as lines of text, with the names of ids."""
    sides = [names.get(f"side:{side}", f"side {side}") for side in (0, 1)]
    result = "The match is drawn." if one.winner is None else named(f"{the(sides[one.winner])} won.", names)
    text = [result, named(one.reason, names), _length(one), *_table(one.rows, sides, names)]
    for name, lost in zip(sides, one.losses, strict=True):
        told = [f"  {group.kind}: {', '.join(names.get(i, i) for i in group.ids)}" for group in lost]
        text += ["", f"Losses of {the(name)}", *(told or ["  None"])]
    if one.moments:
        text += ["", "What decided it"]
    for moment in one.moments:
        text.append(f"  Fact {moment.seq}" + (f", {moment.when}" if moment.when else ""))
        text += [f"    {named(words, names)}" for words in moment.words]
    if one.luck:
        text += ["", "Luck", *(f"  {named(each.words, names)}" for each in one.luck)]
    return text


def _table(rows: Sequence[Row], sides: Sequence[str], names: dict[str, str]) -> list[str]:
    """Return the victory points as a table; a side without any has no column."""
    if not rows:
        return []
    told = [(named(row.words, names), row.points) for row in rows]
    columns = [side for side in (0, 1) if any(points[side] for _, points in told)]
    width = max(len(words) for words, _ in told)
    head = " " * width + "".join(f"  {sides[side]:>14}" for side in columns)
    return [
        "",
        head,
        *(f"{words:{width}}" + "".join(f"  {points[side]:14}" for side in columns) for words, points in told),
    ]


def _length(one: Report) -> str:
    """Say how far the match went and how long it took."""
    minutes = (one.ended - one.began) // 60_000_000
    hours = minutes // 60
    span = (
        f"{hours // 24} days"
        if hours >= DAYS_FROM
        else f"{hours} h {minutes % 60} min"
        if hours
        else f"{minutes} min"
    )
    counts = f"{one.decisions} decisions, {one.rolls} rolls and draws, {span}."
    return f"{one.when}, {counts}" if one.when else counts
