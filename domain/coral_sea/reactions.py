"""C6.5 Reaction windows.

Whether a side is asked depends on what everybody can see, never on its hand, which would reveal its cards
(C6.6). By option `always_ask` a side is asked in every window that the table of C6.5 gives it.

A side may pass beforehand, for windows of one kind (C6.9). It is still asked in them, and the server passes
for it. Its standing passes are recorded with every answer, so that others cannot tell whether it has any.
"""

from collections.abc import Sequence
from typing import Final

from domain.coral_sea.cards import Effects, lay, legal
from domain.coral_sea.charts import CARDS, DECKS, UNITS
from domain.coral_sea.decisions import AskAgain, Pass, PassOn, PlayReaction
from domain.coral_sea.facts import WindowClosed, WindowOpened, number
from domain.coral_sea.intelligence import seen
from domain.coral_sea.secrets import StandingPasses
from domain.coral_sea.stacking import pay
from domain.coral_sea.table import Open, Sight, State, Table, checking, enemy, fighting, operating
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, Prompt, ask, step

OP_OPEN, AFTER_ACTION, OP_END = "op_open", "op_after_action", "op_end"
BATTLE_START, BATTLE_DRAWN = "battle_start", "battle_drawn"
CHIT_REVEALED, CHECK_FAILED = "chit_revealed", "check_failed"
WINDOWS: Final = (
    OP_OPEN,
    AFTER_ACTION,
    OP_END,
    BATTLE_START,
    BATTLE_DRAWN,
    CHIT_REVEALED,
    CHECK_FAILED,
)


def entitled(open: Open, side: int, window: str) -> bool:
    """Return whether a side might have a card to play now, by what everybody can see.

    Every card that is not face up counts. With limited intelligence `open` has no hidden stacks, so
    conditions about them are taken to hold.
    """
    if open.options.always_ask:
        return True
    return any(
        card not in open.played[side] and legal(open, side, card, window, public=True) for card in DECKS[side]
    )


class Window(Procedure):
    """C6.5 A WINDOW. Each side in the order given plays cards until it passes."""

    window: str
    sides: tuple[int, ...]
    again: bool = False
    speaks: tuple[int, ...] = ()
    """The side whose turn it is to react, if it is entitled to."""
    opened: bool = False
    """A side was asked, and all know that the window is open."""

    @step("C6.6")
    def turn(self, table: Table) -> None:
        """See whether the next side is entitled to react; the window opens with the first that is."""
        side = self.sides[0]
        self.speaks = (side,) if entitled(table.open, side, self.window) else ()
        if self.speaks and not self.opened:
            self.opened = True
            table.record(WindowOpened(self.window))

    @ask("C6.5", by="speaks")
    def react(self, sight: Sight) -> list[Decision]:
        """Play a card in reaction, or pass."""
        known = seen(sight)
        cards = [card for card in sight.own.hand if legal(known, sight.side, card, self.window)]
        options: list[Decision] = [*map(PlayReaction, cards), Pass()]
        if sight.open.options.standing_passes:
            options.append(PassOn())
            options += [AskAgain()] if sight.own.passing else []
        return options

    @react.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        when = f"[window:{self.window}]{self.about(sight.open)}"
        if self.window in (sight.own.passing or ()):
            return f"{when}: you pass here unless you answer at once."
        cards = sum(isinstance(one, PlayReaction) for one in options)
        can = (
            f"you may answer with {number(cards, 'card')}" if cards else "you hold no card that answers this"
        )
        return f"{when}: {can}."

    @react.chosen
    def _(self, table: Table, decision: PlayReaction | Pass | PassOn | AskAgain) -> Flow:
        self.stand(table, decision)
        if not isinstance(decision, PlayReaction):
            return None
        self.again = True
        lay(table, self.sides[0], decision.card)
        pay(table, CARDS[decision.card].sp_cost or 0, "the attack card")
        return Effects(side=self.sides[0], card=decision.card)

    def about(self, open: Open) -> str:
        """Name the unit that has failed its check, or the chit that was revealed."""
        if self.window == CHECK_FAILED:
            return f" ([{checking(open).unit}])"
        return f" ([{fighting(open).revealed}])" if self.window == CHIT_REVEALED else ""

    def stand(self, table: Table, decision: Decision) -> None:
        """C6.9: the side's answer says whether it goes on passing here; anywhere else only AskAgain does."""
        side = self.sides[0]
        held = {*(table.own[side].passing or ())} - {self.window}
        if isinstance(decision, PassOn):
            held |= {self.window}
        elif isinstance(decision, AskAgain):
            held = set()
        keep(table, side, tuple(window for window in WINDOWS if window in held))

    @step("C6.5")
    def next_side(self, table: Table) -> Flow:
        """Ask a side again that has played; one that has passed is not."""
        if self.again:
            self.again = False
            return self.turn
        self.sides = self.sides[1:]
        if self.sides:
            return self.turn
        if self.opened:
            table.record(WindowClosed())
        return DONE


def keep(table: Table, side: int, windows: tuple[str, ...]) -> None:
    """Record the standing passes of a side, changed or not, in a match that has them (C6.9)."""
    if table.open.options.standing_passes:
        table.record(StandingPasses(side, windows))


def ordered(state: State, seat: int, prompt: Prompt) -> Decision | None:
    """Return the pass that a side has ordered for the window in which it is asked, or None (C6.9)."""
    if PassOn() not in prompt.options:
        return None
    passing = state.own[state.match.side(seat)].passing or ()
    return PassOn() if state.open.windows[-1] in passing else None


def of_operation(table: Table, window: str) -> Window:
    """Return a window of the operation that is open, in the order of C6.5."""
    side = operating(table.open).side
    orders = {OP_OPEN: (side, enemy(side)), AFTER_ACTION: (enemy(side), side), OP_END: (side,)}
    return Window(window=window, sides=orders[window])


def of_battle(table: Table, window: str) -> Window:
    """Return a window of the battle that is fought, in the order of C6.5."""
    battle = fighting(table.open)
    if window == CHIT_REVEALED:
        return Window(window=window, sides=(enemy(battle.revealed_by),))
    if window == CHECK_FAILED:
        return Window(window=window, sides=(UNITS[checking(table.open).unit].owner,))
    return Window(window=window, sides=(battle.attacker, enemy(battle.attacker)))
