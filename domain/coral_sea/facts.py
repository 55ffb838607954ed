"""C26 What can happen in the sequence of play, with cards and in operations.

Facts carry outcomes. What happens to units and areas is in `happenings`, in battles in `fighting`, behind the
screens in `secrets`.
"""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from domain.coral_sea.charts import ALLIED, SCENARIOS, SIDE_NAMES
from domain.coral_sea.printed import SIDES, Fortification
from domain.coral_sea.table import Fortress, Open, Operation, Options, Unit, operating
from domain.kernel import seats
from domain.kernel.facts import Fact


def the(side: int) -> str:
    """Return a side within a sentence: `[japan]`, `the [allied]`."""
    return seats.the(SIDE_NAMES[side], f"[{SIDES[side]}]")


def does(side: int, verb: str) -> str:
    """Return a side with what it does, in the number of its name: `[japan] plays`, `the [allied] play`."""
    if side == ALLIED:
        return f"{the(side)} {verb}"
    return f"{the(side)} {'has' if verb == 'have' else f'{verb}s'}"


def number(count: int, word: str) -> str:
    """Return a count with its word: `1 card`, `2 cards`."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def either(ways: Sequence[str]) -> str:
    """Return ways to go on as one reads them: `a`, `a or b`, `a, b or c`."""
    return " or ".join(", ".join(ways).rsplit(", ", 1))


def listed(ids: tuple[str, ...]) -> str:
    """Return ids in brackets, one after the other."""
    return ", ".join(f"[{name}]" for name in ids)


class SetUp(Fact, frozen=True):
    """C24: the table before the first sequence. `units` are all there are, wherever they are."""

    scenario: str
    options: Options
    control: dict[str, int]
    units: dict[str, Unit]
    rp: tuple[dict[str, int], dict[str, int]]
    initiative: int
    counters: tuple[int, int]
    decks: tuple[int, int]
    fortresses: tuple[Fortification, ...] = ()
    fortress_sides: tuple[int, ...] = ()
    leaders: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults

    def apply(self, open: Open) -> None:
        """Lay out the table; what will change is copied."""
        open.scenario, open.options = self.scenario, self.options
        open.control = dict(self.control)
        open.units = {name: replace(unit) for name, unit in self.units.items()}
        open.rp = (dict(self.rp[0]), dict(self.rp[1]))
        open.initiative = self.initiative
        open.counters, open.decks = list(self.counters), list(self.decks)
        open.fortresses = {
            f.area: Fortress(side, f.factor)
            for f, side in zip(self.fortresses, self.fortress_sides, strict=True)
        }
        open.leaders = dict(self.leaders)

    def words(self) -> str:
        """Say what is played."""
        title = SCENARIOS[self.scenario].title if self.scenario in SCENARIOS else self.scenario
        return f"{title}: the map is set up, {does(self.initiative, 'have')} the initiative"


class SequenceBegan(Fact, frozen=True):
    """C5.1: an operational sequence began, with this side holding the initiative."""

    number: int
    initiative: int
    until: int = 0

    def apply(self, open: Open) -> None:
        """Count it, and clear what the last one left."""
        open.sequence, open.initiative, open.initiative_until = self.number, self.initiative, self.until
        open.committed, open.modes = [False, False], ()
        open.card_action = -1

    def words(self) -> str:
        """Say which."""
        return f"Sequence {self.number} begins: {does(self.initiative, 'have')} the initiative"


class ModeCommitted(Fact, frozen=True):
    """C5.2: a side has chosen, and nobody else knows what. It cannot be changed."""

    reveals: ClassVar[bool] = True

    side: int

    def apply(self, open: Open) -> None:
        """Note that it is in."""
        open.committed[self.side] = True

    def words(self) -> str:
        """Say who."""
        return f"{does(self.side, 'have')} chosen Card or Map"


class ModesRevealed(Fact, frozen=True):
    """C5.2: both choices were laid open."""

    reveals: ClassVar[bool] = True

    modes: tuple[str, str]

    def apply(self, open: Open) -> None:
        """Lay them open."""
        open.modes = self.modes

    def words(self) -> str:
        """Say what both have chosen."""
        return " and ".join(f"{the(side)} chose {mode.title()}" for side, mode in enumerate(self.modes))


class OperationWon(Fact, frozen=True):
    """C5.3: both chose Map, and the higher total conducts the operation."""

    side: int
    totals: tuple[int, int]

    def words(self) -> str:
        """Say who wins it by which totals."""
        japan, allied = self.totals
        totals = f"the total of [japan] is {japan}, that of the [allied] {allied}"
        if japan == allied:
            totals = f"both totals are {japan}, and the initiative breaks the tie"
        return f"{does(self.side, 'conduct')} the operation: {totals}"


class CardActionBegan(Fact, frozen=True):
    """C5.6: a side that chose Card takes its card action."""

    side: int

    def apply(self, open: Open) -> None:
        """Note whose it is."""
        open.card_action = self.side

    def words(self) -> str:
        """Say whose."""
        return f"{does(self.side, 'take')} a card action"


class WindowOpened(Fact, frozen=True):
    """C6.5: a reaction window is open; it may lie inside another."""

    window: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.windows.append(self.window)

    def words(self) -> str:
        """Say when it is."""
        return f"Cards may be played in reaction: [window:{self.window}] (C6.5)"


class WindowClosed(Fact, frozen=True):
    """C6.5: all have passed in the window that was opened last."""

    def apply(self, open: Open) -> None:
        """Close it."""
        open.windows.pop()

    def words(self) -> str:
        """Say so."""
        return "No more cards in reaction (C6.5)"


class HandHas(Fact, frozen=True):
    """How many cards a side has in its hand, its deck and its discards."""

    side: int
    hand: int
    deck: int
    discards: int

    def apply(self, open: Open) -> None:
        """Set the numbers."""
        open.hands[self.side] = self.hand
        open.decks[self.side] = self.deck
        open.discards[self.side] = self.discards

    def words(self) -> str:
        """Say how many."""
        rest = f"{number(self.deck, 'card')} left to draw, {self.discards} discarded"
        return f"{does(self.side, 'hold')} {number(self.hand, 'card')}; {rest}"


class CardPlayed(Fact, frozen=True):
    """C6.7: a card was played face up; a permanent one stays beside the map."""

    reveals: ClassVar[bool] = True

    side: int
    card: str
    permanent: bool = False

    def apply(self, open: Open) -> None:
        """Lay it on its pile, or beside the map."""
        open.played[self.side].append(self.card)
        if self.permanent:
            open.permanent.append(self.card)

    def words(self) -> str:
        """Say who played it."""
        return f"{does(self.side, 'play')} [{self.card}]"


class HandPeeked(Fact, frozen=True):
    """C21.1: a side looked at the other's hand."""

    reveals: ClassVar[bool] = True

    by: int

    def words(self) -> str:
        """Say who."""
        return f"{does(self.by, 'look')} at the hand of {the(1 - self.by)}"


class OperationOpened(Fact, frozen=True):
    """C7.1: an operation was opened; units that acted before may act again."""

    side: int
    area: str
    sp: int

    def apply(self, open: Open) -> None:
        """Place the marker."""
        open.operation = Operation(self.side, self.area, self.sp)
        open.suppressed = []
        for unit in open.units.values():
            unit.acted = False

    def words(self) -> str:
        """Say where."""
        return (
            f"{does(self.side, 'open')} an operation at [{self.area}] with {number(self.sp, 'supply point')}"
        )


class SupplyLeft(Fact, frozen=True):
    """C7.2: so many supply points are left of the operation."""

    sp: int
    spent_on: str

    def apply(self, open: Open) -> None:
        """Set what is left."""
        operating(open).sp = self.sp

    def words(self) -> str:
        """Say what they went for."""
        return f"Supply for {self.spent_on}: {number(self.sp, 'point')} left"


class ActionEnded(Fact, frozen=True):
    """C6.5: an action is complete; `moved` are the ships of a naval move, `ended_at` their seas."""

    moved: tuple[str, ...] = ()
    ended_at: tuple[str, ...] = ()

    def apply(self, open: Open) -> None:
        """Note the ships that moved; no move is under way any more."""
        operation = operating(open)
        open.move = None
        operation.moved, operation.ended_at = self.moved, self.ended_at

    def words(self) -> str:
        """Say so."""
        return f"The move ends at {listed(self.ended_at)}" if self.ended_at else "The action is over"


class UnitRebuiltThisOperation(Fact, frozen=True):
    """C14.2: the one rebuilding of this operation has been used."""

    def apply(self, open: Open) -> None:
        """Note it."""
        operating(open).rebuilt = True

    def words(self) -> str:
        """Say so."""
        return "No other unit can be rebuilt in this operation"


class AttritionSpared(Fact, frozen=True):
    """C21.1: so many of the next ground moves suffer no jungle attrition."""

    moves: int

    def apply(self, open: Open) -> None:
        """Set the number."""
        operating(open).unattrited = self.moves

    def words(self) -> str:
        """Say how many."""
        moves = "land move" if self.moves == 1 else f"{self.moves} land moves"
        return f"The jungle spares the next {moves}" if self.moves else "The jungle spares no more land moves"


class AirfieldCost(Fact, frozen=True):
    """C21.1: what an airfield costs in this operation."""

    sp: int

    def apply(self, open: Open) -> None:
        """Set the cost."""
        operating(open).airfield_cost = self.sp

    def words(self) -> str:
        """Say how much."""
        return f"Airfields cost {number(self.sp, 'supply point')} in this operation"


class AnotherOperation(Fact, frozen=True):
    """C21.1: another operation of the same side follows this one."""

    side: int

    def apply(self, open: Open) -> None:
        """Note it."""
        operating(open).again = True

    def words(self) -> str:
        """Say whose."""
        return f"{does(self.side, 'open')} another operation after this one"


class OperationEnded(Fact, frozen=True):
    """C7.2: the operation is over; `why` says what kept it from going on, empty if nothing all may know."""

    later: ClassVar[tuple[str, ...]] = ("why",)

    side: int
    why: str = ""

    def apply(self, open: Open) -> None:
        """Take the marker off."""
        open.operation = None
        open.suppressed = []

    def words(self) -> str:
        """Say whose, and why."""
        return f"The operation of {the(self.side)} ends{f': {self.why}' if self.why else ''}"


class InitiativeChanged(Fact, frozen=True):
    """C20: a side gets the initiative from the next sequence on; `until` is the last one, or 0 for good."""

    side: int
    until: int

    def apply(self, open: Open) -> None:
        """Note it for the sequences to come."""
        open.initiative, open.initiative_until = self.side, self.until
        open.shifted = open.shifted or not self.until

    def words(self) -> str:
        """Say for how long."""
        how_long = f"up to sequence {self.until}" if self.until else "for the rest of the game"
        return f"{does(self.side, 'hold')} the initiative from the next sequence on, {how_long}"


class PointsGained(Fact, frozen=True):
    """C23.4: a side has so many bonus points now."""

    side: int
    gained: int
    bonus: int

    def apply(self, open: Open) -> None:
        """Set them."""
        open.bonus[self.side] = self.bonus

    def words(self) -> str:
        """Say how many."""
        return f"{does(self.side, 'gain')} {number(self.gained, 'victory point')}"


class Counted(Fact, frozen=True):
    """C23.5: the final count."""

    points: tuple[int, int]

    def apply(self, open: Open) -> None:
        """Set it."""
        open.points = self.points

    def words(self) -> str:
        """Say it."""
        japan, allied = (number(points, "victory point") for points in self.points)
        return f"{does(0, 'have')} {japan} and {does(1, 'have')} {allied}"
