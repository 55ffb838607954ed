"""C6 Cards: which may be played, and how the effects on a card are carried out one after the other.

The effects themselves register here by their names; they are in `effects_supply` and `effects_strikes`
(C21.1). What must hold first is in `prerequisites` (C21.2).
"""

from collections.abc import Callable
from typing import Final

from domain.coral_sea.charts import CARDS
from domain.coral_sea.facts import CardPlayed, HandHas
from domain.coral_sea.prerequisites import does_something, holds
from domain.coral_sea.printed import Colour, Effect, Prerequisite
from domain.coral_sea.secrets import CardLeft
from domain.coral_sea.table import Open, Table, pile
from domain.kernel.procedures import DONE, Flow, Procedure, step

CARD_ACTION = "card_action"
Run = Callable[[Table, int, Effect, str], Flow]
"""What an effect does: the table, the side that plays, the effect, the card."""
EFFECTS: Final[dict[str, Run]] = {}


def effect(name: str) -> Callable[[Run], Run]:
    """Register a function under the name of its effect type (C21.1)."""

    def entered(run: Run) -> Run:
        EFFECTS[name] = run
        return run

    return entered


def timing(open: Open, card: str) -> tuple[tuple[str, ...], tuple[Prerequisite, ...], Colour]:
    """Return when a card may be played, what must hold, and its colour as it is now (C6.8)."""
    printed = CARDS[card]
    for permanent, switch in printed.after_permanent.items():
        if permanent in open.permanent:
            return switch.timing, switch.prerequisites, switch.colour
    return printed.timing, printed.prerequisites, printed.colour


def legal(open: Open, side: int, card: str, window: str, *, public: bool = False) -> bool:
    """Return whether a card may be played at a moment: colour, prerequisites, and some effect (C6.2, C6.4).

    With `public`, conditions that depend on hidden stacks are taken to hold.
    """
    when, needs, colour = timing(open, card)
    if window not in when:
        return False
    if colour == "yellow" and not _attack(open, side, card):
        return False
    return all(holds(open, side, card, need, public=public) for need in needs) and does_something(
        open, side, card
    )


def _attack(open: Open, side: int, card: str) -> bool:
    """C6.2: an Attack card is for the operation owner in a battle it started, who can pay for it."""
    operation, battle = open.operation, open.battle
    if operation is None or battle is None or battle.attacker != side or operation.side != side:
        return False
    return operation.sp >= (CARDS[card].sp_cost or 0)


def lay(table: Table, side: int, card: str) -> None:
    """Take a card out of the hand and lay it face up (C6.7)."""
    table.record(CardLeft(side, card))
    table.record(CardPlayed(side, card, CARDS[card].permanent))
    count(table, side)


def count(table: Table, side: int) -> None:
    """Record how many cards a side has in hand, in the deck and discarded (C27)."""
    own = table.own[side]
    table.record(HandHas(side, len(own.hand), len(pile(table.state, side)), len(own.discards)))


class Effects(Procedure):
    """C21.1 THE EFFECTS OF A CARD, in the order listed on it."""

    side: int
    card: str
    done: int = 0

    @step("C21.1")
    def next_effect(self, table: Table) -> Flow:
        """Carry out the next."""
        effects = CARDS[self.card].effects
        if self.done == len(effects):
            return DONE
        now = effects[self.done]
        self.done += 1
        return EFFECTS[now.type](table, self.side, now, self.card)

    @step("C21.1")
    def again(self, _table: Table) -> Flow:
        """Until all are done."""
        return self.next_effect
