"""C26 What can happen to units and leaders, in sight of all. What can happen to areas is in `places`."""

from typing import ClassVar

from domain.coral_sea.facts import listed, number, the
from domain.coral_sea.table import MAP, Move, Open, Unit
from domain.kernel.facts import Fact

ALONE = {
    "move": "moves",
    "march": "marches",
    "sail": "sails",
    "land": "lands",
    "embark": "embarks",
    "retreat": "retreats",
    "fly": "flies",
}
"""How one unit goes."""


def because(why: str) -> str:
    """Return a cause as it follows on what happened: ` by the jungle (C8.3)`; facts of old do not name it."""
    return f" {why}" if why else ""


class UnitPlaced(Fact, frozen=True):
    """A unit comes to the map, full and organised (C21.1)."""

    unit: str
    area: str

    def apply(self, open: Open) -> None:
        """Place it."""
        open.units[self.unit] = Unit(MAP, self.area)

    def words(self) -> str:
        """Say where."""
        return f"[{self.unit}] arrives at [{self.area}]"


class UnitsMoved(Fact, frozen=True, rename={"origin": "from"}):
    """Units went from one area to another; `how` says in one word."""

    units: tuple[str, ...]
    origin: str
    to: str
    how: str = "move"

    def apply(self, open: Open) -> None:
        """Set the area."""
        for name in self.units:
            open.units[name].area = self.to

    def words(self) -> str:
        """Say who goes where."""
        verb = self.how if len(self.units) > 1 else ALONE[self.how]
        return f"{listed(self.units)} {verb} from [{self.origin}] to [{self.to}]"


def on_the_way(move: Move) -> str:
    """Say who is under way, and how far they may still go."""
    aboard = f" with {listed(move.cargo)}" if move.cargo else ""
    factor = "Range" if move.how == "sail" else "Movement"
    verb = "is" if len(move.units) == 1 else "are"
    return f"{listed(move.units)}{aboard} {verb} under way from [{move.origin}]; {factor} left: {move.left}"


class StackUnderWay(Fact, frozen=True):
    """C8.2, C9.2: how the move under way stands: who moves, from where, and how far yet."""

    move: Move

    def apply(self, open: Open) -> None:
        """Set it."""
        open.move = self.move

    def words(self) -> str:
        """Say who, and what is left."""
        return on_the_way(self.move)


class Acted(Fact, frozen=True):
    """C7.3: units have had their action in this operation."""

    units: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Note it."""
        for name in self.units:
            open.units[name].acted = True

    def words(self) -> str:
        """Say who."""
        return f"{listed(self.units)} {'has' if len(self.units) == 1 else 'have'} acted in this operation"


class UnitDepleted(Fact, frozen=True):
    """C4.3: a counter was flipped to its depleted side."""

    later: ClassVar[tuple[str, ...]] = ("why",)

    unit: str
    why: str = ""

    def apply(self, open: Open) -> None:
        """Flip it."""
        open.units[self.unit].depleted = True

    def words(self) -> str:
        """Say which."""
        return f"[{self.unit}] is depleted{because(self.why or '(C4.3)')}"


class UnitDisorganised(Fact, frozen=True):
    """C4.3: a unit got the marker."""

    later: ClassVar[tuple[str, ...]] = ("why",)

    unit: str
    why: str = ""

    def apply(self, open: Open) -> None:
        """Mark it."""
        open.units[self.unit].disorganised = True

    def words(self) -> str:
        """Say which."""
        return f"[{self.unit}] is disorganised{because(self.why or '(C4.3)')}"


class UnitReorganised(Fact, frozen=True):
    """C14.1: a unit lost the marker."""

    unit: str

    def apply(self, open: Open) -> None:
        """Take the marker off."""
        open.units[self.unit].disorganised = False

    def words(self) -> str:
        """Say which."""
        return f"[{self.unit}] is reorganised"


class UnitRebuilt(Fact, frozen=True):
    """C14.2: a unit is at full strength again."""

    unit: str

    def apply(self, open: Open) -> None:
        """Flip it back."""
        open.units[self.unit].depleted = False

    def words(self) -> str:
        """Say which."""
        return f"[{self.unit}] is rebuilt"


class UnitDestroyed(Fact, frozen=True):
    """C4.4, C18.5: a unit was destroyed; `status` tells lost Truk ships, which may come back, from others."""

    later: ClassVar[tuple[str, ...]] = ("why",)

    unit: str
    side: int
    status: str
    points: int
    why: str = ""

    def apply(self, open: Open) -> None:
        """Take it off the map and score it."""
        open.units[self.unit] = Unit(self.status)
        open.fallen[self.side] += 1
        open.destroyed_points[1 - self.side] += self.points

    def words(self) -> str:
        """Say what it is worth."""
        fate = "lost" if self.status == "lost" else "destroyed"
        worth = f"{number(self.points, 'point')} for {the(1 - self.side)}"
        return f"[{self.unit}] is {fate}{because(self.why)}: {worth}"


class UnitLeft(Fact, frozen=True):
    """C18.4, C21.1: a unit left the map without being destroyed."""

    later: ClassVar[tuple[str, ...]] = ("why",)

    unit: str
    status: str
    why: str = ""

    def apply(self, open: Open) -> None:
        """Take it off the map."""
        open.units[self.unit] = Unit(self.status)

    def words(self) -> str:
        """Say which."""
        return f"[{self.unit}] leaves the map{because(self.why)}"


class TookRefuge(Fact, frozen=True):
    """C16.2, C16.3: units are inside a fortress."""

    units: tuple[str, ...]
    area: str

    def apply(self, open: Open) -> None:
        """Send them inside."""
        for name in self.units:
            open.units[name].inside = True

    def words(self) -> str:
        """Say who."""
        verb = "takes" if len(self.units) == 1 else "take"
        return f"{listed(self.units)} {verb} refuge in the fortress of [{self.area}]"


class CameOut(Fact, frozen=True):
    """C16.7: a unit came out of a fortress."""

    unit: str

    def apply(self, open: Open) -> None:
        """Let it out."""
        open.units[self.unit].inside = False

    def words(self) -> str:
        """Say who."""
        return f"[{self.unit}] comes out of the fortress"


class LeaderWith(Fact, frozen=True):
    """C17.1: a leader is with a unit."""

    leader: str
    unit: str

    def apply(self, open: Open) -> None:
        """Attach him."""
        open.leaders[self.leader] = self.unit

    def words(self) -> str:
        """Say with whom."""
        return f"[{self.leader}] stays with [{self.unit}]"


class LeaderLost(Fact, frozen=True):
    """C17.2: a leader was lost with the last unit of his stack."""

    leader: str

    def apply(self, open: Open) -> None:
        """Take him off."""
        del open.leaders[self.leader]

    def words(self) -> str:
        """Say who."""
        return f"[{self.leader}] is lost"


class UnitsShown(Fact, frozen=True):
    """C22.2: units out of hidden stacks are in sight of all for a while."""

    reveals: ClassVar[bool] = True

    units: dict[str, Unit]

    def apply(self, open: Open) -> None:
        """Put copies of them on the open table, since they will change there."""
        for name, unit in self.units.items():
            open.units[name] = Unit(
                unit.status, unit.area, unit.depleted, unit.disorganised, unit.acted, unit.inside
            )

    def words(self) -> str:
        """Say which."""
        return f"In sight: {listed(tuple(self.units))}"


class UnitsCovered(Fact, frozen=True):
    """C22.2: units went into hidden stacks; `HiddenStackSeen` says what is on top."""

    units: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Take them off the open table."""
        for name in self.units:
            del open.units[name]

    def words(self) -> str:
        """Say which."""
        return f"Out of sight: {listed(self.units)}"
