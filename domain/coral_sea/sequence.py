"""C5 The operational sequence: the secret choice, its three outcomes, the card action."""

from domain.coral_sea.cards import CARD_ACTION, Effects, count, lay, legal
from domain.coral_sea.charts import CARDS, HAND_LIMIT, INITIATIVE_BONUS, JAPAN
from domain.coral_sea.checks import DIE
from domain.coral_sea.decisions import ChooseMode, DiscardForRp, DrawCard, PlayCard, SetTop
from domain.coral_sea.effects_supply import NewRp, permanent_areas
from domain.coral_sea.facts import (
    CardActionBegan,
    ModeCommitted,
    ModesRevealed,
    OperationWon,
    SequenceBegan,
    either,
)
from domain.coral_sea.initiative import holder
from domain.coral_sea.intelligence import cover, seen, set_top, tops
from domain.coral_sea.operation import OperationFrame
from domain.coral_sea.printed import SIDES
from domain.coral_sea.scenarios import set_up
from domain.coral_sea.secrets import CardDiscarded, CardDrawn, ModeHeld
from domain.coral_sea.table import CARD, MAP_CHOICE, Open, Sight, Table, enemy, pile
from domain.coral_sea.victory import end
from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


def draw(table: Table, side: int, cards: int = 1) -> None:
    """Draw cards blind; the last one of a deck ends the game at once (C5.9)."""
    lying = pile(table.state, side)
    for place in table.draw(f"draw a card, {SIDES[side]}", len(lying), min(cards, len(lying)), by=side):
        table.record(CardDrawn(side, lying.pop(place)))
    count(table, side)
    if not lying:
        end(table, "the last card is drawn", "C23.1")


class CoralSea(Procedure):
    """C5 THE GAME: sequence after sequence, until it ends (C23)."""

    @step("C24.2")
    def set_up(self, table: Table) -> None:
        """Units, resource points and control as the set-up says."""
        table.record(set_up(table.state.match.scenario, table.state.match.options))
        cover(table)

    @step("C24.4")
    def deal(self, table: Table) -> None:
        """Each side draws five cards."""
        for side in (0, 1):
            draw(table, side, HAND_LIMIT)

    @step("C5.1")
    def sequence(self, _table: Table) -> Flow:
        """Play a sequence."""
        return Sequence()

    @step("C5.1")
    def again(self, _table: Table) -> Flow:
        """Then the next."""
        return self.sequence


class Sequence(Procedure):
    """C5 AN OPERATIONAL SEQUENCE: secret choice, reveal, resolution."""

    first: int = 0
    """The side with the initiative, fixed when the sequence starts (C5.8)."""
    set: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    @step("C5.8")
    def begin(self, table: Table) -> None:
        """Fix who holds the initiative."""
        self.first, until = holder(table.open)
        table.record(SequenceBegan(table.open.sequence + 1, self.first, until))

    def undecided(self, open: Open) -> tuple[int, ...]:
        """Return the sides that have not chosen."""
        return tuple(side for side in (0, 1) if not open.committed[side])

    @ask("C5.2", by="undecided")
    def choose(self, sight: Sight) -> list[Decision]:
        """Card or Map? Both sides choose in secret; both choices are laid open together."""
        options: list[Decision] = [ChooseMode(CARD)]
        if seen(sight).rp[sight.side]:
            options.append(ChooseMode(MAP_CHOICE))
        return [*options, *tops(sight, self.set[sight.side])]

    @choose.chosen
    def _(self, table: Table, decision: ChooseMode | SetTop) -> Flow:
        side = table.actor
        if isinstance(decision, SetTop):
            set_top(table, side, decision)
            done = (*self.set[side], decision.area)
            self.set = (done, self.set[1]) if side == JAPAN else (self.set[0], done)
            return self.choose
        table.record(ModeHeld(side, decision.mode))
        table.record(ModeCommitted(side))
        return None

    @step("C5.2")
    def reveal(self, table: Table) -> None:
        """Lay both choices open."""
        table.record(ModesRevealed((table.own[0].mode, table.own[1].mode)))
        for side in (0, 1):
            table.record(ModeHeld(side, ""))

    @step("C5.3")
    def operation(self, table: Table) -> Flow:
        """Let the only side that chose Map operate; if both did, the higher roll does."""
        modes = table.open.modes
        if MAP_CHOICE not in modes:
            return None
        if CARD in modes:
            return OperationFrame(side=modes.index(MAP_CHOICE))
        totals = [self.roll(table, side) for side in (0, 1)]
        winner = self.first if totals[0] == totals[1] else totals.index(max(totals))
        table.record(OperationWon(winner, (totals[0], totals[1])))
        return OperationFrame(side=winner)

    @step("C5.4")
    def first_card(self, table: Table) -> Flow:
        """Let the side with the initiative take its card action first, if it chose Card."""
        return self.card_action(table, self.first)

    @step("C5.4")
    def second_card(self, table: Table) -> Flow:
        """Then the other side, if it chose Card (C5.5)."""
        return self.card_action(table, enemy(self.first))

    def card_action(self, table: Table, side: int) -> Flow:
        """Return the card action of a side that chose Card."""
        return CardAction(side=side) if table.open.modes[side] == CARD else None

    def roll(self, table: Table, side: int) -> int:
        """Roll for the operation: 2 more with the initiative, and what cards add (C5.3)."""
        modifiers = [Modifier("initiative", INITIATIVE_BONUS)] if side == self.first else []
        modifiers += [
            Modifier(CARDS[card].name, what.value)
            for card in table.open.permanent
            for what in CARDS[card].effects
            if what.kind == "op_roll_modifier" and what.side == SIDES[side]
        ]
        (die,) = table.roll("operation", 1, DIE, by=side, target="the higher total", modifiers=modifiers)
        return die + sum(modifier.amount for modifier in modifiers)


class CardAction(Procedure):
    """C5.6 A CARD ACTION: play, draw or discard."""

    side: int
    set: tuple[str, ...] = ()

    @step("C5.6")
    def begin(self, table: Table) -> None:
        """Say whose card action it is."""
        table.record(CardActionBegan(self.side))

    @ask("C5.6", by="side")
    def choose(self, sight: Sight) -> list[Decision]:
        """Play an Operational card, draw a card, or discard one for a resource point."""
        whole = seen(sight)
        hand = sight.own.hand
        options: list[Decision] = [PlayCard(c) for c in hand if legal(whole, self.side, c, CARD_ACTION)]
        if len(hand) < HAND_LIMIT:
            options.append(DrawCard())
        return [*options, *map(DiscardForRp, hand), *tops(sight, self.set)]

    @choose.says
    def _(self, sight: Sight, options: tuple[Decision, ...]) -> str:
        kinds = {type(one) for one in options}
        can = ["play an Operational card"] * (PlayCard in kinds) + ["draw a card"] * (DrawCard in kinds)
        can += ["discard one for a resource point"] * (DiscardForRp in kinds)
        held = f"{len(sight.own.hand)} of {HAND_LIMIT} cards in hand"
        return f"Your card action, {held}: {either(can)}."

    @choose.chosen
    def _(self, table: Table, decision: PlayCard | DrawCard | DiscardForRp | SetTop) -> Flow:
        if isinstance(decision, SetTop):
            set_top(table, self.side, decision)
            self.set += (decision.area,)
            return self.choose
        if isinstance(decision, DrawCard):
            draw(table, self.side)
            return DONE
        if isinstance(decision, DiscardForRp):
            table.record(CardDiscarded(self.side, decision.card))
            count(table, self.side)
            return NewRp(side=self.side, left=1, only=permanent_areas(table.open, self.side))
        lay(table, self.side, decision.card)
        return Effects(side=self.side, card=decision.card)

    @step("C5.6")
    def over(self, table: Table) -> None:
        """End the card action."""
        cover(table)
