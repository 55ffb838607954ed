"""Undo: which facts are in force, and how far back a seat may go.

Nothing is ever deleted: an undo is one more fact, and folding skips the facts it covers. No roll is taken
back, because no undo goes back past a roll or a reveal.
"""

from collections.abc import Iterable, Sequence

from domain.kernel.facts import Decided, Fact, Notice
from domain.kernel.seats import Match


class Undone(Notice, frozen=True):
    """All facts after `back_to` but notices are taken back: they stay in the log and are not folded."""

    seat: int
    back_to: int

    def note(self, match: Match) -> None:
        """Clear the offer; the skipping is done by `standing`."""
        match.undo, match.undo_to = (), 0

    def words(self) -> str:
        """Return the sentence that says who took decisions back; which, the facts before tell."""
        return f"[seat:{self.seat}] took back the last decisions"


def standing(facts: Iterable[tuple[int, Fact]]) -> list[tuple[int, Fact]]:
    """Return the `(seq, fact)` pairs in force, without those taken back, in the order of their seqs."""
    stand: list[tuple[int, Fact]] = []
    for seq, fact in facts:
        add(stand, seq, fact)
    return stand


def add(stand: list[tuple[int, Fact]], seq: int, fact: Fact) -> None:
    """Append the next fact to the list of those in force; an `Undone` first removes the facts it covers."""
    if isinstance(fact, Undone):
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


def bars(fact: Fact) -> bool:
    """Return whether no undo goes back past a fact: it reveals something, or was decided by default."""
    return fact.bars_undo or (isinstance(fact, Decided) and fact.how == "default")


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
