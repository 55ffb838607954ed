"""6 Reactions: the window that any step may open."""

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask
from tests.tiny.charts import CARDS, WINDOWS
from tests.tiny.decisions import Pass, Play
from tests.tiny.facts import CardLeft, CardPlayed, HandHas
from tests.tiny.table import Sight, Table

BOTH = 2


class Reactions(Procedure):
    """6 REACTIONS. The captains speak in turn until both have passed."""

    to: str
    captains: tuple[int, int]
    speaks: int
    """The side that speaks."""
    passes: int = 0

    @classmethod
    def window_for(cls, to: str, table: Table) -> "Reactions":
        """Return the window for a reaction to something; the side with the initiative speaks first."""
        return cls(to=to, captains=table.open.captains, speaks=table.open.turn % 2)

    @property
    def captain(self) -> int:
        """The seat that speaks."""
        return self.captains[self.speaks]

    @ask("6.1", by="captain")
    def react(self, sight: Sight) -> list[Decision]:
        """Play a card, or pass.

        A captain is asked whether he holds a card that fits or not: who is passed over would betray his hand.
        """
        fits = [card for card in sight.own.hand if CARDS[card] in WINDOWS[self.to]]
        return [*map(Play, fits), Pass()]

    @react.chosen
    def _(self, table: Table, decision: Play | Pass) -> Flow:
        if isinstance(decision, Play):
            table.record(CardLeft(self.speaks, decision.card))
            table.record(CardPlayed(self.speaks, decision.card))
            table.record(HandHas(self.speaks, len(table.own[self.speaks].hand)))
        self.passes = 0 if isinstance(decision, Play) else self.passes + 1
        self.speaks = 1 - self.speaks
        return DONE if self.passes == BOTH else self.react
