"""Undo: which facts are in force, and how far back a seat may go.

Nothing is ever deleted: an undo is one more fact, and folding skips the facts it covers. No undo of a seat
goes back past a roll or a reveal. A correction, to which all agree, may (`domain.match.corrections`).
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import UNSET, UnsetType

from domain.kernel.facts import Decided, Fact, Notice
from domain.kernel.seats import Match


class Undone(Notice, frozen=True):
    """All facts after `back_to` but notices are taken back: they stay in the log and are not folded."""

    seat: int
    """Who takes back or, by consent, whose decision it goes back to."""
    back_to: int
    consent: Literal[True] | UnsetType = UNSET
    """A correction, to which all have agreed: it may cover rolls and reveals, and it gives no time."""

    def note(self, match: Match) -> None:
        """Clear the offer, and a correction that is proposed; the skipping is done by `standing`.

        Else one would stand again that the decision which is taken back had taken off the table.
        """
        match.undo, match.undo_to, match.correction = (), 0, UNSET

    def words(self) -> str:
        """Return the sentence that says who took decisions back; which, the facts before tell."""
        if self.consent:
            before = f"before an earlier decision of [seat:{self.seat}]"
            return f"Corrected by consent: the match goes on from {before}"
        return f"[seat:{self.seat}] took back the last decisions"


Undos = Sequence[tuple[int, int]]
"""The undos of a log as `(seq, back_to)`, in order."""


def undos_of(facts: Iterable[tuple[int, Fact]]) -> Undos:
    """Return the undos among the facts of a log."""
    return [(seq, fact.back_to) for seq, fact in facts if isinstance(fact, Undone)]


def with_lowest(undos: Undos) -> list[tuple[int, int]]:
    """Return the seq of each undo with the lowest that it, or one behind it, goes back to; the last first."""
    lowest: list[tuple[int, int]] = []
    for seq, back_to in reversed(undos):
        lowest.append((seq, min(back_to, lowest[-1][1]) if lowest else back_to))
    return lowest


def standing(facts: Iterable[tuple[int, Fact]]) -> list[tuple[int, Fact]]:
    """Return the `(seq, fact)` pairs in force, without those taken back, in the order of their seqs."""
    stand: list[tuple[int, Fact]] = []
    for seq, fact in facts:
        add(stand, seq, fact)
    return stand


def add(stand: list[tuple[int, Fact]], seq: int, fact: Fact) -> None:
    """Append the next fact to the list of those in force; an `Undone` first removes the facts it covers."""
    if type(fact) is Undone:  # asked of every fact: of a Struct, `isinstance` takes ten times as long
        _take_back(stand, fact.back_to)
    stand.append((seq, fact))


def _take_back(stand: list[tuple[int, Fact]], back_to: int) -> None:
    """Remove all facts after `back_to` but notices; the cost grows with those facts, not with the list."""
    notices: list[tuple[int, Fact]] = []
    while stand and stand[-1][0] > back_to:
        last = stand.pop()
        if isinstance(last[1], Notice):
            notices.append(last)
    stand += reversed(notices)


class TakenBack:
    """Which facts of a log are not in force, told from its undos alone, so that nothing of it need be held.

    What it keeps are the spans that undos cover. Of a log it says what `standing` says.
    """

    def __init__(self, undos: Iterable[tuple[int, int]]) -> None:
        """Take the undos of a log as `(seq, back_to)`, in order."""
        self._after: list[int] = []
        self._before: list[int] = []
        for seq, back_to in undos:
            after = back_to
            while self._before and self._before[-1] > back_to:
                after = min(after, self._after.pop())
                self._before.pop()
            self._after.append(after)
            self._before.append(seq)

    def covers(self, seq: int, fact: Fact) -> bool:
        """Return whether a fact was taken back."""
        place = bisect_right(self._before, seq)
        return place < len(self._after) and self._after[place] < seq and not isinstance(fact, Notice)


def bars(fact: Fact) -> bool:
    """Return whether no undo goes back past a fact: it reveals something, or was decided by default."""
    return fact.bars_undo or (type(fact) is Decided and fact.how == "default")


def reach(facts: Sequence[tuple[int, Fact]], seat: int, *, alone: bool) -> int | None:
    """Return the seq to go back to so that the last command of decisions of `seat` is undone, or None.

    `facts` are the `(seq, fact)` pairs in force, in order: at least those after the last that `bars`. Rolls,
    draws, reveals and decisions by default prevent an undo of what is before them; with `alone` so do
    decisions of other seats.
    """
    for seq, fact in reversed(facts):
        if bars(fact):
            return None
        if isinstance(fact, Decided) and fact.how != "forced":
            if fact.seat == seat and not fact.joined:
                return seq - 1
            if fact.seat != seat and alone:
                return None
    return None
