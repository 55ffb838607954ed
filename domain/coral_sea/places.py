"""C26 What can happen to areas, in sight of all: resource points, control, airfields, sieges, stacks."""

from typing import ClassVar

from domain.coral_sea.facts import does, number, the
from domain.coral_sea.table import HiddenStack, Open
from domain.kernel.facts import Fact


class RpHas(Fact, frozen=True):
    """C15: a side has so many resource points in an area."""

    side: int
    area: str
    count: int
    why: str

    def apply(self, open: Open) -> None:
        """Set the number."""
        if self.count:
            open.rp[self.side][self.area] = self.count
        else:
            open.rp[self.side].pop(self.area, None)

    def words(self) -> str:
        """Say how many, and why they changed."""
        left = number(self.count, "resource point")
        return f"{does(self.side, 'have')} {left} at [{self.area}] ({self.why})"


class RpLost(Fact, frozen=True):
    """C5.6: resource points could not be placed, and are lost."""

    side: int
    count: int

    def words(self) -> str:
        """Say how many."""
        return f"{does(self.side, 'have')} no place for {number(self.count, 'resource point')}"


class ControlChanged(Fact, frozen=True):
    """C3.7: a side gained control of an area."""

    area: str
    side: int

    def apply(self, open: Open) -> None:
        """Set it."""
        open.control[self.area] = self.side

    def words(self) -> str:
        """Say who."""
        return f"{does(self.side, 'gain')} control of [{self.area}]"


class AirfieldSet(Fact, frozen=True):
    """C19: a counter came to an area; `left` is what the side has left."""

    area: str
    side: int
    left: int
    captured: bool = False

    def apply(self, open: Open) -> None:
        """Place it."""
        open.airfields[self.area] = self.side
        open.counters[self.side] = self.left

    def words(self) -> str:
        """Say whose."""
        if self.captured:
            return f"{does(self.side, 'capture')} the airfield at [{self.area}]"
        return f"{does(self.side, 'build')} an airfield at [{self.area}]"


class AirfieldGone(Fact, frozen=True):
    """C19.4, C19.6: a counter left an area, back to the supply or for good; `left` is what its side has."""

    area: str
    side: int
    left: int

    def apply(self, open: Open) -> None:
        """Take it off."""
        del open.airfields[self.area]
        open.counters[self.side] = self.left
        if self.area in open.damaged:
            open.damaged.remove(self.area)

    def words(self) -> str:
        """Say whose."""
        return f"The airfield of {the(self.side)} at [{self.area}] is no more"


class AirfieldDamaged(Fact, frozen=True):
    """C22.1: an airfield is out of order."""

    area: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.damaged.append(self.area)

    def words(self) -> str:
        """Say where."""
        return f"The airfield at [{self.area}] is out of order"


class AirfieldRepaired(Fact, frozen=True):
    """C22.1: an airfield works again."""

    area: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.damaged.remove(self.area)

    def words(self) -> str:
        """Say where."""
        return f"The airfield at [{self.area}] is repaired"


class AirfieldSuppressed(Fact, frozen=True):
    """C12.16: an airfield does not work until the operation ends."""

    area: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.suppressed.append(self.area)

    def words(self) -> str:
        """Say where."""
        return f"The airfield at [{self.area}] does not work until the operation ends"


class AirfieldFreed(Fact, frozen=True):
    """C12.16: an airfield that did not work for its owner works for the side that has taken it."""

    area: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.suppressed.remove(self.area)

    def words(self) -> str:
        """Say where."""
        return f"The airfield at [{self.area}] serves its new owner"


class SiegeLaid(Fact, frozen=True):
    """C16.4: a fortress is under siege."""

    area: str
    side: int

    def apply(self, open: Open) -> None:
        """Place the marker."""
        open.sieges[self.area] = self.side

    def words(self) -> str:
        """Say whose."""
        return f"{does(self.side, 'lay')} siege to the fortress of [{self.area}]"


class SiegeLifted(Fact, frozen=True):
    """C16.7: no enemy is left before a fortress."""

    area: str

    def apply(self, open: Open) -> None:
        """Take the marker off."""
        del open.sieges[self.area]

    def words(self) -> str:
        """Say where."""
        return f"The siege of the fortress of [{self.area}] is lifted"


class FortressFell(Fact, frozen=True):
    """C16.5: a fortress is no more."""

    area: str

    def apply(self, open: Open) -> None:
        """Take it and the siege marker off."""
        del open.fortresses[self.area]
        open.sieges.pop(self.area, None)

    def words(self) -> str:
        """Say which."""
        return f"The fortress of [{self.area}] falls"


class HiddenStackSeen(Fact, frozen=True):
    """C22.2: what the enemy sees of a stack now; a count of 0 means that it is gone."""

    reveals: ClassVar[bool] = True

    side: int
    area: str
    top: str
    count: int

    def apply(self, open: Open) -> None:
        """Set it."""
        if self.count:
            open.stacks[self.side][self.area] = HiddenStack(self.top, self.count)
        else:
            open.stacks[self.side].pop(self.area, None)

    def words(self) -> str:
        """Say what is on top."""
        if not self.count:
            return f"Nothing of {the(self.side)} is left at [{self.area}]"
        counters = number(self.count, "counter")
        return f"{does(self.side, 'have')} {counters} at [{self.area}], on top [{self.top}]"
