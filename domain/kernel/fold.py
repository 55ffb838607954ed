"""A match folded command by command from what stands in the log, over what was taken back as well."""

from collections.abc import Sequence
from typing import Any

from domain.kernel import views
from domain.kernel.chain import Entry
from domain.kernel.clock import Clocks
from domain.kernel.facts import Decided, Fact, State, evolve
from domain.kernel.game import Game
from domain.kernel.undo import Undone, standing


class Fold:
    """A match as of its last command. `facts` are the `(seq, fact)` pairs that stand."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State[Any, Any] = game.state()
        self.facts: list[tuple[int, Fact]] = []
        self.clocks: Clocks | None = None
        self.at = 0

    def take(self, entries: Sequence[Entry]) -> list[Fact]:
        """Fold one whole command and return its facts."""
        facts = [self.game.fact(entry.body) for entry in entries]
        for fact in facts:
            fact.fold(self.state)
        self.note(entries, facts)
        return facts

    def note(self, entries: Sequence[Entry], facts: Sequence[Fact]) -> bool:
        """Count one whole command whose facts are folded already; whether an undo folded all again."""
        self.facts += [(entry.seq, fact) for entry, fact in zip(entries, facts, strict=True)]
        undone = any(isinstance(fact, Undone) for fact in facts)
        if undone:
            self.facts = standing(self.facts)
            self.state = evolve(self.game.state(), [fact for _, fact in self.facts])
        self._count_time(entries[-1].at, facts)
        return undone

    def view(self, side: int | None) -> dict[str, Any]:
        """Return what a side or, with None, the onlookers see, with the clocks if the match has any."""
        seen = views.view(self.game, self.state, side)
        if self.clocks is not None:
            left = {str(seat): time for seat, time in self.clocks.left.items()}
            seen["clocks"] = {"at": self.at, "left": left}
        return seen

    def _count_time(self, at: int, facts: Sequence[Fact]) -> None:
        self.at = at
        match = self.state.match
        if match.clock is not None and self.clocks is None:
            self.clocks = Clocks(match.clock, len(match.seats))
        if self.clocks is not None:
            decided = {f.seat for f in facts if isinstance(f, Decided) and f.how == "chosen"}
            self.clocks.turn(at, self.state.asked, decided)
