"""Dispute: one command of a match decided again, shown to an audience beside the recorded facts.

The facts found may hold secrets. So they are filtered by class, as facts in the log are: an audience sees the
recorded and the found facts of the classes it may see, and of the rest only whether they are the same. While
a match with screens goes on, facts found that differ from the recorded ones are withheld: they might reveal
what the match itself has not.
Deliberately absent: reading the log, and when the answer is given (`server.http.disputes`).
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import Audience, Reader
from domain.kernel.facts import Decided, Fact, seen_by
from domain.match.adjudicate import DecidedAgain, decide_again
from domain.match.chain import Entry
from domain.match.game import Game
from domain.match.notices import Created
from domain.match.undo import Undos
from projections.history import undone


class Saying(Struct, frozen=True):
    """A fact in words, with its body as encoded for the log."""

    type: str
    words: str
    body: str
    rule: str = ""
    """The rule that the fact names, or empty."""


class ComparedFact(Struct, frozen=True):
    """A recorded fact beside the one found in its place; either may be missing."""

    seq: int | None
    recorded: Saying | None
    found: Saying | None
    same: bool


class Dispute(Struct, frozen=True):
    """A command decided again, as far as an audience may know it."""

    match: UUID
    title: str
    seq: int
    """The fact asked about."""
    first: int
    last: int
    """The first and the last fact of the command that the rules decided."""
    at: int
    """When the command was stored, in microseconds since the epoch."""
    seat: int | None
    """Who decided; None for the start of play."""
    rule: str
    """The rule of the fact asked about, or the last rule named before it among the facts told."""
    played: str
    """The revision of the rules that the match began under."""
    revision: str
    """The revision by which it was decided again."""
    same: bool
    """Whether all facts found are as recorded, including those not told."""
    lines: Sequence[ComparedFact]
    hidden: int
    """The number of recorded facts that are not told."""
    hidden_same: bool
    """Whether the facts that are not told are as recorded."""
    withheld: bool = False
    """Whether found facts that differ are withheld until the match has ended."""
    refused: str = ""
    """Why the command could not be decided again, or empty."""


def dispute(
    game: Game, entries: Iterable[Entry], seq: int, audience: Reader, undos: Undos | None = None
) -> Dispute | None:
    """Decide the command of fact `seq` again, and return what an audience may know of the result.

    `entries` are all facts of the match. Where its `undos` are known beforehand, they are gone through once,
    as far as that command, and not held. Pass the umpire only if the match has ended. Returns None if there
    is no such fact, or no rule decided it.
    """
    if undos is None:
        entries = list(entries)
        undos = undone(game, entries)
    log = _Followed(entries)
    again = decide_again(game, ((entry.seq, game.fact(entry.body)) for entry in log), seq, undos)
    if again is None or log.first is None:
        return None
    shown = [(n, fact) for n, fact in again.recorded if audience.sees(fact.audience())]
    found = seen_by(audience, again.found)
    lines = compare(game, shown, found)
    visible = all(line.same for line in lines)
    withheld = not again.same and audience is not Audience.UMPIRE and bool(game.own.__struct_fields__)
    (first, head), created = again.recorded[0], game.fact(log.first.body)
    return Dispute(
        match=log.first.match,
        title=game.name,
        seq=seq,
        first=first,
        last=again.recorded[-1][0],
        at=log.at(first),
        seat=head.seat if isinstance(head, Decided) else None,
        rule=_rule(shown, seq),
        played=created.revision if isinstance(created, Created) else "",
        revision=game.revision,
        same=again.same,
        lines=_without_found(lines) if withheld else lines,
        hidden=len(again.recorded) - len(shown),
        hidden_same=again.same or (not visible and _same_hidden(again, audience)),
        withheld=withheld,
        refused="it is told when the match has ended" if withheld and again.refused else again.refused,
    )


class _Followed:
    """The facts of a match as they are gone through; kept is the first, and when each command began."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = entries
        self.first: Entry | None = None
        self._firsts, self._times = array("q"), array("q")

    def __iter__(self) -> Iterator[Entry]:
        for entry in self._entries:
            self.first = self.first or entry
            if entry.index == 0 or not self._firsts:
                self._firsts.append(entry.seq)
                self._times.append(entry.at)
            yield entry

    def at(self, seq: int) -> int:
        """Return when the command of a fact was stored."""
        return self._times[bisect_right(self._firsts, seq) - 1]


def compare(game: Game, recorded: Sequence[tuple[int, Fact]], found: Sequence[Fact]) -> list[ComparedFact]:
    """Pair recorded facts with those found; equal facts at the beginning and at the end share a line."""
    was = [fact for _, fact in recorded]
    shorter = min(len(was), len(found))
    ahead = next((n for n in range(shorter) if was[n] != found[n]), shorter)
    behind = next((n for n in range(shorter - ahead) if was[-1 - n] != found[-1 - n]), shorter - ahead)
    pairs = [
        *zip(recorded[:ahead], found[:ahead], strict=True),
        *zip_longest(recorded[ahead : len(was) - behind], found[ahead : len(found) - behind]),
        *zip(recorded[len(was) - behind :], found[len(found) - behind :], strict=True),
    ]
    return [
        ComparedFact(
            known[0] if known else None,
            _said(game, known[1]) if known else None,
            _said(game, now) if now is not None else None,
            known is not None and known[1] == now,
        )
        for known, now in pairs
    ]


def _said(game: Game, fact: Fact) -> Saying:
    rule = getattr(fact, "rule", "")
    return Saying(type(fact).__name__, game.words(fact), game.encode(fact).decode(), rule)


def _rule(shown: Sequence[tuple[int, Fact]], seq: int) -> str:
    """Return the last rule named up to `seq`, of the facts told only, so that no hidden rule is revealed."""
    return next((rule for n, fact in reversed(shown) if n <= seq and (rule := getattr(fact, "rule", ""))), "")


def _same_hidden(again: DecidedAgain, audience: Reader) -> bool:
    recorded = [fact for _, fact in again.recorded if not audience.sees(fact.audience())]
    return recorded == [fact for fact in again.found if not audience.sees(fact.audience())]


def _without_found(lines: Sequence[ComparedFact]) -> list[ComparedFact]:
    """Drop the found facts from the first difference on, and mark those lines as different."""
    first = next((n for n, line in enumerate(lines) if not line.same), len(lines))
    rest = [
        ComparedFact(line.seq, line.recorded, None, same=False) for line in lines[first:] if line.recorded
    ]
    return [*lines[:first], *rest]
