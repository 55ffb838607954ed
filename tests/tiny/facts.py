"""What can happen. Facts carry outcomes; what is hidden gets two, one for each audience."""

from typing import ClassVar

from domain.kernel.facts import Fact, Secret
from tests.tiny.table import Boat, Open, Own


class LagoonOpened(Fact, frozen=True):
    """The lagoon is laid out: how long the match lasts, and who speaks for each side."""

    turns: int
    night: bool
    admirals: tuple[int, int]
    captains: tuple[int, int]

    def apply(self, open: Open) -> None:
        """Lay it out."""
        open.turns, open.night = self.turns, self.night
        open.admirals, open.captains = self.admirals, self.captains

    def words(self) -> str:
        """Say how long it lasts."""
        return f"The lagoon lies open for {number(self.turns, 'turn')}{' by night' if self.night else ''}"


class BoatPlaced(Fact, frozen=True):
    """A boat joined its side's fleet."""

    boat: str
    side: int
    steps: int

    def apply(self, open: Open) -> None:
        """Place it."""
        open.boats[self.boat] = Boat(self.side, self.steps)

    def words(self) -> str:
        """Say whose boat it is."""
        return f"[{self.boat}] sails for [side:{self.side}] with {number(self.steps, 'step')}"


class TurnBegan(Fact, frozen=True):
    """A turn began."""

    turn: int

    def apply(self, open: Open) -> None:
        """Count it."""
        open.turn = self.turn

    def words(self) -> str:
        """Say which."""
        return f"Turn {self.turn} begins"


class CardDrawn(Secret, frozen=True):
    """A side drew a card; it alone knows which."""

    card: str

    def apply(self, own: Own) -> None:
        """Put it in the hand."""
        own.hand.append(self.card)

    def words(self) -> str:
        """Say which."""
        return f"[side:{self.side}] draws [{self.card}]"


class HandHas(Fact, frozen=True):
    """A hand has so many cards now."""

    side: int
    cards: int

    def apply(self, open: Open) -> None:
        """Set the number."""
        open.hands[self.side] = self.cards

    def words(self) -> str:
        """Say how many."""
        return f"[side:{self.side}] holds {number(self.cards, 'card')}"


class Ordered(Secret, frozen=True):
    """A side gave its order; it alone knows which."""

    islet: str

    def apply(self, own: Own) -> None:
        """Put the order behind the screen."""
        own.order = self.islet

    def words(self) -> str:
        """Say where to."""
        return f"[side:{self.side}] is ordered to [{self.islet}]"


class OrderSpent(Secret, frozen=True):
    """An order was carried out."""

    def apply(self, own: Own) -> None:
        """Clear the screen of it."""
        own.order = ""

    def words(self) -> str:
        """Say so."""
        return f"The order of [side:{self.side}] is carried out"


class OrdersOpened(Fact, frozen=True):
    """Both orders were laid open, and both fleets lie where they were sent."""

    reveals: ClassVar[bool] = True

    islets: tuple[str, str]

    def apply(self, open: Open) -> None:
        """Place the fleets."""
        open.fleets = dict(enumerate(self.islets))

    def words(self) -> str:
        """Say who sails where."""
        return f"[side:0] sails to [{self.islets[0]}], [side:1] to [{self.islets[1]}]"


class CardLeft(Secret, frozen=True):
    """A card left the hand."""

    card: str

    def apply(self, own: Own) -> None:
        """Take it from the hand."""
        own.hand.remove(self.card)

    def words(self) -> str:
        """Say which."""
        return f"[{self.card}] leaves the hand of [side:{self.side}]"


class CardPlayed(Fact, frozen=True):
    """A card out of a hidden hand was shown, and is in play."""

    reveals: ClassVar[bool] = True

    side: int
    card: str

    def apply(self, open: Open) -> None:
        """Lay it open."""
        open.in_play[self.card] = self.side

    def words(self) -> str:
        """Say who played it."""
        return f"[side:{self.side}] plays [{self.card}]"


class CardsSpent(Fact, frozen=True):
    """The cards in play have had their effect."""

    cards: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Lay them aside."""
        open.spent.extend(self.cards)
        open.in_play = {}

    def words(self) -> str:
        """Say which."""
        return "Laid aside: " + ", ".join(f"[{card}]" for card in self.cards)


class StepsLeft(Fact, frozen=True):
    """A boat has so many steps now; with none it is sunk."""

    boat: str
    steps: int

    def apply(self, open: Open) -> None:
        """Set the number."""
        open.boats[self.boat].steps = self.steps

    def words(self) -> str:
        """Say how many, or that it sinks."""
        if not self.steps:
            return f"[{self.boat}] sinks"
        return f"[{self.boat}] has {number(self.steps, 'step')} left"


class FlagRaised(Fact, frozen=True):
    """The flag of a side flies over an islet."""

    later: ClassVar[tuple[str, ...]] = ("why",)

    islet: str
    side: int
    why: str = ""

    def apply(self, open: Open) -> None:
        """Raise it."""
        open.flags[self.islet] = self.side

    def words(self) -> str:
        """Say where."""
        return f"[side:{self.side}] raises its flag over [{self.islet}]"


def number(count: int, word: str) -> str:
    """Return a count with its word: `1 step`, `2 steps`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
