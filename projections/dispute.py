"""Dispute: one step of a match decided again, told to an audience beside what is recorded.

What comes of deciding again is the umpire's, for it may know what nobody was shown. So it is told by class,
as facts are: who may see a class of facts sees those recorded and those found; of the rest he hears whether
they came out the same. Where a title has screens and the match goes on, what was found instead of a recorded
fact is not told at all: it is a turn that the match did not take, and might show what the match did not.
Deliberately absent: reading the log, and when the answer is given (`server.http.disputes`).
"""

from collections.abc import Sequence
from itertools import zip_longest
from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import Audience, Reader
from domain.kernel.facts import Decided, Fact, seen_by
from domain.match.adjudicate import Again, decide_again
from domain.match.chain import Entry
from domain.match.game import Game
from domain.match.notices import Created


class Saying(Struct, frozen=True):
    """A fact in words, with its body as the log writes it."""

    type: str
    words: str
    body: str
    rule: str = ""
    """The rule at work, where the fact names it."""


class Line(Struct, frozen=True):
    """A recorded fact beside the one found in its place; either may be missing."""

    seq: int | None
    recorded: Saying | None
    found: Saying | None
    same: bool


class Dispute(Struct, frozen=True):
    """A step decided again, as an audience may know it."""

    match: UUID
    title: str
    seq: int
    """The fact asked about."""
    first: int
    last: int
    """The facts of the step."""
    at: int
    """When the step was stored, in microseconds since the epoch."""
    seat: int | None
    """Who decided; None for the start of play."""
    rule: str
    """The rule of the fact asked about, or else the last that a fact before it in this step names."""
    played: str
    """The revision of the rules that the match began under."""
    revision: str
    """The revision by which it was decided again."""
    same: bool
    """Whether everything came out as recorded, what is not told with it."""
    lines: Sequence[Line]
    hidden: int
    """How many recorded facts are not told."""
    hidden_same: bool
    """Whether what is not told came out as recorded."""
    withheld: bool = False
    """What was found instead is told when the match has ended."""
    refused: str = ""
    """Why the step could not be decided again."""


def dispute(game: Game, entries: Sequence[Entry], seq: int, audience: Reader) -> Dispute | None:
    """Decide the step of fact `seq` again and tell it to an audience: the umpire when the match has ended.

    `entries` are all facts of the match. None where there is no such fact, or no rule decided it.
    """
    facts = [(entry.seq, game.fact(entry.body)) for entry in entries]
    again = decide_again(game, facts, seq)
    if again is None:
        return None
    shown = [(n, fact) for n, fact in again.recorded if audience.sees(fact.audience())]
    found = seen_by(audience, again.found)
    lines = beside(game, shown, found)
    visible = all(line.same for line in lines)
    withheld = not again.same and audience is not Audience.UMPIRE and bool(game.own.__struct_fields__)
    (first, head), created = again.recorded[0], facts[0][1]
    return Dispute(
        match=entries[0].match,
        title=game.name,
        seq=seq,
        first=first,
        last=again.recorded[-1][0],
        at=next(entry.at for entry in entries if entry.seq == first),
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


def beside(game: Game, recorded: Sequence[tuple[int, Fact]], found: Sequence[Fact]) -> list[Line]:
    """Put recorded facts and those found side by side; what is alike at both ends stands on one line."""
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
        Line(
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
    """Find the rule among the facts that are told, so that no other one's rule is."""
    return next((rule for n, fact in reversed(shown) if n <= seq and (rule := getattr(fact, "rule", ""))), "")


def _same_hidden(again: Again, audience: Reader) -> bool:
    recorded = [fact for _, fact in again.recorded if not audience.sees(fact.audience())]
    return recorded == [fact for fact in again.found if not audience.sees(fact.audience())]


def _without_found(lines: Sequence[Line]) -> list[Line]:
    """Keep what is recorded; from the first difference on say no more than that it differs."""
    first = next((n for n, line in enumerate(lines) if not line.same), len(lines))
    rest = [Line(line.seq, line.recorded, None, same=False) for line in lines[first:] if line.recorded]
    return [*lines[:first], *rest]
