"""2.1 and 2.2 setting up, and 3 the sequence of play."""

from domain.kernel.procedures import DONE, Flow, Procedure, step
from tests.tiny import table as lagoon
from tests.tiny import victory
from tests.tiny.battle import Battle
from tests.tiny.charts import SQUALL
from tests.tiny.facts import BoatPlaced, CardDrawn, CardsSpent, FlagRaised, HandHas, LagoonOpened, TurnBegan
from tests.tiny.orders import Orders
from tests.tiny.reactions import Reactions
from tests.tiny.table import Table


class Campaign(Procedure):
    """3 SEQUENCE OF PLAY. Turn after turn until one side is sunk or the last turn is over."""

    boats: int
    turns: int
    night: bool
    pairs: bool

    @step("2.1")
    def lay_out(self, table: Table) -> None:
        """Each side has its boats of two steps. In pairs the captains sit in seats 2 and 3."""
        captains = (2, 3) if self.pairs else (0, 1)
        table.record(LagoonOpened(self.turns, self.night, (0, 1), captains))
        for side, letter in enumerate("ns"):
            for number in range(1, self.boats + 1):
                table.record(BoatPlaced(f"boat:{letter}{number}", side, 2))

    @step("2.2")
    def deal(self, table: Table) -> None:
        """Each side draws two cards."""
        for side in (0, 1):
            draw(table, side, 2)

    @step("3.1")
    def turn(self, table: Table) -> Flow:
        """Play a turn; after the last one, reckon."""
        return self.reckoning if table.open.turn == self.turns else Turn()

    @step("3.1")
    def again(self, table: Table) -> Flow:  # noqa: ARG002 the kernel's shape
        """Go on with the next turn."""
        return self.turn

    @step("7.2")
    def reckoning(self, table: Table) -> None:
        """The flags decide."""
        victory.most_flags(table)


class Turn(Procedure):
    """3 A TURN. Cards, orders, then battle where the fleets have met, else landings."""

    @step("3.1")
    def begin(self, table: Table) -> None:
        """Count the turn."""
        table.record(TurnBegan(table.open.turn + 1))

    @step("3.2")
    def cards(self, table: Table) -> None:
        """Each side draws a card."""
        for side in (0, 1):
            draw(table, side, 1)

    @step("4")
    def orders(self, table: Table) -> Flow:  # noqa: ARG002 the kernel's shape
        """Both sides give orders."""
        return Orders()

    @step("3.3")
    def battle(self, table: Table) -> Flow:
        """Fleets that have met do battle."""
        return Battle(islet=table.open.fleets[0]) if lagoon.met(table.open) else self.landing

    @step("3.3")
    def over(self, table: Table) -> Flow:  # noqa: ARG002 the kernel's shape
        """After a battle nobody lands."""
        return DONE

    @step("3.4")
    def landing(self, table: Table) -> Flow:
        """Before the flags go up, either side may react."""
        return Reactions.window_for("landing", table)

    @step("3.4")
    def flags(self, table: Table) -> None:
        """Each fleet raises its flag, unless the enemy has played a squall."""
        for side in (0, 1):
            if not lagoon.played(table.open, 1 - side, SQUALL):
                table.record(FlagRaised(table.open.fleets[side], side, "alone there"))
        if table.open.in_play:
            table.record(CardsSpent(tuple(table.open.in_play)))


def draw(table: Table, side: int, count: int) -> None:
    """Draw cards for a side, as far as there are any: the side learns which, the others how many."""
    pile = lagoon.pile(table.state)
    for place in table.draw("draw a card", len(pile), min(count, len(pile)), by=side):
        table.record(CardDrawn(side, pile.pop(place)))
    table.record(HandHas(side, len(table.own[side].hand)))
