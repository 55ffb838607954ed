"""Which facts still count, and how far a seat may go back.

Nothing is ever deleted: a decision is taken back by one more fact, and folding skips what it covers.
The dice are not turned back, because nothing is undone across a roll or a reveal.
"""

from collections.abc import Iterable, Sequence

from domain.kernel.facts import Decided, Fact, Notice
from domain.kernel.seats import Match


class Undone(Notice, frozen=True):
    """The table's facts after `back_to` were taken back; they stay in the log and count no more."""

    seat: int
    back_to: int

    def note(self, match: Match) -> None:
        """Clear the offer; the skipping is done by `standing`."""
        match.undo, match.undo_to = (), 0

    def words(self) -> str:
        """Say how far."""
        return f"[seat:{self.seat}] took back what followed fact {self.back_to}"


def standing(facts: Iterable[tuple[int, Fact]]) -> list[tuple[int, Fact]]:
    """Return the `(seq, fact)` pairs that count: without the table's facts that were taken back.

    The pairs come in the order of their seqs.
    """
    stand: list[tuple[int, Fact]] = []
    for seq, fact in facts:
        add(stand, seq, fact)
    return stand


def add(stand: list[tuple[int, Fact]], seq: int, fact: Fact) -> None:
    """Add the next fact to a list of those that stand; an `Undone` takes back what it says."""
    if isinstance(fact, Undone):
        _take_back(stand, fact.back_to)
    stand.append((seq, fact))


def _take_back(stand: list[tuple[int, Fact]], back_to: int) -> None:
    """Drop the table's facts after `back_to` from the end of a list; only what lies there is looked at."""
    notices: list[tuple[int, Fact]] = []
    while stand and stand[-1][0] > back_to:
        last = stand.pop()
        if isinstance(last[1], Notice):
            notices.append(last)
    stand += reversed(notices)


def reach(facts: Sequence[tuple[int, Fact]], seat: int, *, alone: bool) -> int | None:
    """Return the seq to go back to so that the last decision of `seat` is undone, or None.

    With it go those that were taken in one command with it. `facts` are `(seq, fact)` pairs that stand, in
    order. Rolls, draws, reveals and decisions taken by the clock bar the way; with `alone` so do decisions of
    other seats.
    """
    for seq, fact in reversed(facts):
        if fact.reveals:
            return None
        if isinstance(fact, Decided) and fact.how != "forced":
            if fact.how == "default":
                return None
            if fact.seat == seat and not fact.joined:
                return seq - 1
            if fact.seat != seat and alone:
                return None
    return None
