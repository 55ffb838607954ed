"""A match folded command by command from what stands in the log, over what was taken back as well.

What is taken back is folded again from a state that was kept: of the last fact before which nothing is
undone, or of where the last undo went back to. So a seat that decides and takes back without end costs each
time the same, and not each time the whole match.
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
    """The state after fact `seq`, as bytes."""

    seq: int
    state: bytes


class Fold:
    """A match as of its last command. `facts` are the `(seq, fact)` pairs that stand."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State[Any, Any] = game.state()
        self.facts: list[tuple[int, Fact]] = []
        self.clocks: Clocks | None = None
        self.at = 0
        self._kept: list[SavedState] = []
        """At most two, the earlier first."""
        self._views = Views(game)

    def copy(self) -> "Fold":
        """Return a fold that goes on from here by itself."""
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
        """Count one whole command whose facts are folded already; whether an undo folded all again."""
        for entry, fact in zip(entries, facts, strict=True):
            add(self.facts, entry.seq, fact)
        undone = [fact.back_to for fact in facts if isinstance(fact, Undone)]
        if undone:
            self._go_back(min(undone))
        self._count_time(entries[-1].at, facts)
        return bool(undone)

    def _go_back(self, seq: int) -> None:
        """Fold what stands again, from the last state kept that is not beyond `seq`."""
        kept = [one for one in self._kept if one.seq <= seq]
        done = self._count(kept[-1].seq) if kept else 0
        self.state = self.game.restore(kept[-1].state) if kept else self.game.state()
        back = self._count(seq)
        fixed = next((n for n in range(back, done, -1) if self.facts[n - 1][1].reveals), 0)
        if fixed:
            kept = [self._keep(done, fixed)]
            done = fixed
        self._kept = [*kept[:1], self._keep(done, back)] if back else []
        evolve(self.state, [fact for _, fact in self.facts[back:]])

    def _count(self, seq: int) -> int:
        """Count the facts that stand up to `seq`."""
        return bisect_right(self.facts, seq, key=lambda fact: fact[0])

    def _keep(self, start: int, end: int) -> SavedState:
        """Fold some of the facts that stand, and keep the state after them."""
        evolve(self.state, [fact for _, fact in self.facts[start:end]])
        return SavedState(self.facts[end - 1][0], self.game.encode(self.state))

    def views(self, audiences: Collection[Viewer] = VIEWERS) -> dict[Viewer, View[Part]]:
        """Return what each of these audiences sees, with the clocks if the match has any."""
        return self._views.of(self.state, audiences, self._clocks_view())

    def view(self, audience: Viewer) -> View[Part]:
        """Return what one side or the onlookers see, with the clocks if the match has any."""
        return self.views((audience,))[audience]

    def foreseen(self, ahead: State[Any, Any], audience: Viewer) -> View[Part]:
        """Return what one side would see of a state that may come of this one, with the clocks of now."""
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
            self.clocks.turn(at, self.state.asked, decided)
