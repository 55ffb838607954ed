"""C27 What happens behind a side's screen: cards, the secret choice, chits, and hidden stacks (C22.2)."""

from itertools import groupby
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from domain.coral_sea.facts import does, listed, number, the
from domain.coral_sea.happenings import on_the_way
from domain.coral_sea.table import MAP, Move, Own, Unit
from domain.kernel.facts import Secret


class CardDrawn(Secret, frozen=True):
    """C5.6: a side drew a card; it alone knows which."""

    card: str

    def apply(self, own: Own) -> None:
        """Put it in the hand."""
        own.hand.append(self.card)

    def words(self) -> str:
        """Say which."""
        return f"{does(self.side, 'draw')} [{self.card}]"


class CardLeft(Secret, frozen=True):
    """A card left the hand to be played."""

    card: str

    def apply(self, own: Own) -> None:
        """Take it out."""
        own.hand.remove(self.card)

    def words(self) -> str:
        """Say which."""
        return f"[{self.card}] leaves the hand of {the(self.side)}"


class CardDiscarded(Secret, frozen=True):
    """C5.6: a card was discarded face down."""

    card: str

    def apply(self, own: Own) -> None:
        """Lay it on the discards; they are kept for what is left to draw, and no view shows them."""
        own.hand.remove(self.card)
        own.discards.append(self.card)

    def words(self) -> str:
        """Say that, and not which: nobody may look it up (R6)."""
        return f"{does(self.side, 'discard')} a card, face down"


class ModeHeld(Secret, frozen=True):
    """C5.2: what a side has chosen; empty once it is laid open."""

    mode: str

    def apply(self, own: Own) -> None:
        """Keep it."""
        own.mode = self.mode

    def words(self) -> str:
        """Say what."""
        choice = f"The choice of {the(self.side)}"
        return f"{choice}, kept secret: {self.mode.title()}" if self.mode else f"{choice} is laid open"


class HandSeen(Secret, frozen=True):
    """C21.1: a side has seen these cards in the other's hand."""

    cards: tuple[str, ...]

    def apply(self, own: Own) -> None:
        """Remember them."""
        own.seen += [card for card in self.cards if card not in own.seen]

    def words(self) -> str:
        """Say which."""
        return f"{does(self.side, 'see')} {listed(self.cards) or 'an empty hand'}"


class StandingPasses(Secret, frozen=True):
    """C6.9: in which kinds of window a side passes from now on.

    Recorded whatever a side answers in a window, and for both sides when an operation ends: a change of
    standing passes looks to others like none.
    """

    windows: tuple[str, ...]

    def apply(self, own: Own) -> None:
        """Keep them."""
        own.passing = self.windows or UNSET

    def words(self) -> str:
        """Say which."""
        kinds = ", ".join(f"[window:{window}]" for window in self.windows)
        until = f" until the operation ends: {kinds}" if kinds else ": none"
        return f"Standing passes of {the(self.side)}{until} (C6.9)"


class CupFilled(Secret, frozen=True):
    """C12.5: what is in a side's cup now."""

    chits: tuple[str, ...]

    def apply(self, own: Own) -> None:
        """Fill it."""
        own.cup = list(self.chits)

    def words(self) -> str:
        """Say how much."""
        return f"{number(len(self.chits), 'chit')} in the cup of {the(self.side)}"


class ChitDrawn(Secret, frozen=True):
    """C12.6: a side drew a chit; it alone knows which, unless it must show it."""

    chit: str

    def apply(self, own: Own) -> None:
        """Take it out of the cup."""
        own.cup.remove(self.chit)
        own.chits.append(self.chit)

    def words(self) -> str:
        """Say which."""
        return f"{does(self.side, 'draw')} [{self.chit}]"


class ChitLeft(Secret, frozen=True):
    """A chit left the hand: played, exchanged or lost."""

    chit: str

    def apply(self, own: Own) -> None:
        """Take it out."""
        own.chits.remove(self.chit)

    def words(self) -> str:
        """Say which."""
        return f"[{self.chit}] leaves the chits of {the(self.side)}"


class ChitsBack(Secret, frozen=True):
    """C12.13: all chits of a side went back."""

    def apply(self, own: Own) -> None:
        """Empty hand and cup."""
        own.chits, own.cup = [], []

    def words(self) -> str:
        """Say whose."""
        return f"The chits of {the(self.side)} go back"


def standing(unit: Unit) -> str:
    """Say where and how a unit stands that is hidden: `at [rabaul], depleted`."""
    if unit.status != MAP or not unit.area:
        return "not hidden any more"
    how = {"depleted": unit.depleted, "disorganised": unit.disorganised, "has acted": unit.acted}
    return ", ".join([f"at [{unit.area}]", *(word for word, so in how.items() if so)])


class HiddenUnits(Secret, frozen=True):
    """C22.2: units stand like this in hidden stacks; those not on the map have left them."""

    later: ClassVar[tuple[str, ...]] = ("why",)

    units: dict[str, Unit]
    why: str = ""

    def apply(self, own: Own) -> None:
        """Keep copies of them, since they will change here."""
        for name, unit in self.units.items():
            if unit.status == MAP and unit.area:
                own.units[name] = replace(unit)
            else:
                own.units.pop(name, None)

    def words(self) -> str:
        """Say which stand where, and how; those that stand alike together."""
        alike: dict[str, list[str]] = {}
        for name, unit in self.units.items():
            alike.setdefault(standing(unit), []).append(name)
        told = "; ".join(f"{listed(tuple(names))} {how}" for how, names in alike.items())
        return f"Hidden units of {the(self.side)}: {told}{f', {self.why}' if self.why else ''}"


class HiddenRp(Secret, frozen=True):
    """C22.2: so many resource points are in a hidden stack."""

    area: str
    count: int

    def apply(self, own: Own) -> None:
        """Set the number."""
        if self.count:
            own.rp[self.area] = self.count
        else:
            own.rp.pop(self.area, None)

    def words(self) -> str:
        """Say how many."""
        return f"Hidden resource points of {the(self.side)} at [{self.area}]: {self.count}"


class HiddenOrder(Secret, frozen=True):
    """C22.2: the order of a hidden stack, from the bottom to the top."""

    area: str
    items: tuple[str, ...]

    def apply(self, own: Own) -> None:
        """Set it."""
        if self.items:
            own.order[self.area] = list(self.items)
        else:
            own.order.pop(self.area, None)

    def words(self) -> str:
        """Say what is on top."""
        runs = ((item, len([*run])) for item, run in groupby(self.items))
        told = (f"{count} resource points" if count > 1 else f"[{item}]" for item, count in runs)
        return f"The stack of {the(self.side)} at [{self.area}]: {', '.join(told) or 'nothing'}"


class ShipsMoved(Secret, frozen=True):
    """C22.2: the ships of the naval move just completed, whose stacks are hidden."""

    ships: tuple[str, ...]

    def apply(self, own: Own) -> None:
        """Note them."""
        own.moved = self.ships

    def words(self) -> str:
        """Say which."""
        return f"Ships of {the(self.side)} that have moved: {listed(self.ships) or 'none'}"


class HiddenStackUnderWay(Secret, frozen=True):
    """C22.2: how the move of a hidden stack stands; without units it is over."""

    move: Move

    def apply(self, own: Own) -> None:
        """Set it."""
        own.move = self.move if self.move.units else None

    def words(self) -> str:
        """Say who, and what is left."""
        if not self.move.units:
            return f"The move of {the(self.side)} is over"
        return on_the_way(self.move)
