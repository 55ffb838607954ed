"""A match folded from its log, command by command, undos included.

An undo folds the match again from a saved state: the one after the last fact that no undo can go back past,
or the one that the last undo went back to. So repeated undos do not each fold the whole match.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from copy import deepcopy
from typing import Any

from msgspec import Struct

from domain.kernel.audience import VIEWERS, Viewer
from domain.kernel.facts import OWN_CHOICE, Decided, Fact, State, evolve
from domain.match.chain import Entry
from domain.match.clock import Clocks
from domain.match.game import Game
from domain.match.parts import Part
from domain.match.undo import Undone, add
from domain.match.views import ClocksView, View, Views


class SavedState(Struct, frozen=True):
    """The encoded state after fact `seq`."""

    seq: int
    state: bytes


class Fold:
    """A match as of its last command. `facts` are the `(seq, fact)` pairs not taken back."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State[Any, Any] = game.state()
        self.facts: list[tuple[int, Fact]] = []
        self.clocks: Clocks | None = None
        self.at = 0
        self._kept: list[SavedState] = []
        """At most two saved states, the earlier first."""
        self._views = Views(game)

    def copy(self) -> "Fold":
        """Return an independent copy."""
        other = Fold(self.game)
        other.state = self.game.restore(self.game.encode(self.state))
        other.facts, other._kept = list(self.facts), list(self._kept)
        other.clocks, other.at = deepcopy(self.clocks), self.at
        return other

    def apply(self, entries: Sequence[Entry]) -> list[Fact]:
        """Fold one whole command and return its facts."""
        facts = [self.game.fact(entry.body) for entry in entries]
        for fact in facts:
            fact.fold(self.state)
        self.note(entries, facts)
        return facts

    def note(self, entries: Sequence[Entry], facts: Sequence[Fact]) -> bool:
        """Note one whole command whose facts are folded already; return whether it held an undo.

        Then `state` has been folded again, and is another object.
        """
        for entry, fact in zip(entries, facts, strict=True):
            add(self.facts, entry.seq, fact)
        undone = [fact.back_to for fact in facts if isinstance(fact, Undone)]
        if undone:
            self._go_back(min(undone))
        self._count_time(entries[-1].at, facts)
        return bool(undone)

    def _go_back(self, seq: int) -> None:
        """Fold the remaining facts again, from the last saved state at or before `seq`."""
        kept = [one for one in self._kept if one.seq <= seq]
        done = self._count(kept[-1].seq) if kept else 0
        self.state = self.game.restore(kept[-1].state) if kept else self.game.state()
        back = self._count(seq)
        fixed = next((n for n in range(back, done, -1) if self.facts[n - 1][1].bars_undo), 0)
        if fixed:
            kept = [self._keep(done, fixed)]
            done = fixed
        self._kept = [*kept[:1], self._keep(done, back)] if back else []
        evolve(self.state, [fact for _, fact in self.facts[back:]])

    def _count(self, seq: int) -> int:
        """Return how many facts in `facts` have a seq up to `seq`."""
        return bisect_right(self.facts, seq, key=lambda fact: fact[0])

    def _keep(self, start: int, end: int) -> SavedState:
        """Fold `facts[start:end]` and return the state after them."""
        evolve(self.state, [fact for _, fact in self.facts[start:end]])
        return SavedState(self.facts[end - 1][0], self.game.encode(self.state))

    def views(self, audiences: Collection[Viewer] = VIEWERS) -> dict[Viewer, View[Part]]:
        """Return the view of each of these audiences, with the clocks if the match has any."""
        return self._views.of(self.state, audiences, self._clocks_view())

    def view(self, audience: Viewer) -> View[Part]:
        """Return the view of one side or of the onlookers, with the clocks if the match has any."""
        return self.views((audience,))[audience]

    def foreseen(self, ahead: State[Any, Any], audience: Viewer) -> View[Part]:
        """Return the view of one audience for a possible later state, with the present clocks."""
        return self._views.copy().of(ahead, (audience,), self._clocks_view())[audience]

    def _clocks_view(self) -> ClocksView | None:
        return None if self.clocks is None else ClocksView(at=self.at, left=dict(self.clocks.left))

    def _count_time(self, at: int, facts: Sequence[Fact]) -> None:
        self.at = at
        match = self.state.match
        if match.clock is not None and self.clocks is None:
            self.clocks = Clocks(match.clock, len(match.seats))
        if self.clocks is not None:
            decided = {f.seat for f in facts if isinstance(f, Decided) and f.how in OWN_CHOICE}
            self.clocks.turn(at, () if match.paused else self.state.asked, decided)
