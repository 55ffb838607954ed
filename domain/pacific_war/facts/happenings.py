"""P23 to P25, P28 What can happen at sea and in the air besides combat, in sight of all."""

from typing import ClassVar

from domain.kernel.facts import Fact
from domain.pacific_war.board.table import Open
from domain.pacific_war.facts.wording import at, listed, number


class Looked(Fact, frozen=True):
    """P25.2 A patrol has looked for a task force; it does so once a phase."""

    hex: str
    tf: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.contacts.append(f"{self.hex}:{self.tf}")

    def words(self) -> str:
        """Say which."""
        return f"[{self.tf}] comes into the zone of the submarine patrol at {at(self.hex)}"


class InterceptTried(Fact, frozen=True):
    """P23.6 A task force tried to stop another one that came to its node."""

    reveals: ClassVar[bool] = True

    tf: str
    by: str
    stopped: bool

    def words(self) -> str:
        """Say whether it did."""
        return f"[{self.by}] {'intercepts' if self.stopped else 'fails to intercept'} [{self.tf}]"


class NotFound(Fact, frozen=True):
    """P28.5.2 A mission did not find its target."""

    reveals: ClassVar[bool] = True

    side: int
    target: str

    def words(self) -> str:
        """Say whose."""
        return f"The aircraft of [side:{self.side}] do not find [{self.target}]"


class CameBack(Fact, frozen=True):
    """P26.3 Air units of which steps have come back from a mission at Dusk; they roll for the landing."""

    units: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Note them."""
        open.flown += [unit for unit in self.units if unit not in open.flown]

    def words(self) -> str:
        """Say which."""
        return f"Back from the mission in the dusk: {listed(self.units)}"


class SuppliesFlown(Fact, frozen=True):
    """P28.11 An air unit has brought supply to a hex, for so many ground steps."""

    reveals: ClassVar[bool] = True

    unit: str
    side: int
    hex: str
    steps: int

    def words(self) -> str:
        """Say who, where to, and how much."""
        return f"[{self.unit}] brings supply to {at(self.hex)}, for {number(self.steps, 'ground step')}"


class Ferried(Fact, frozen=True):
    """P28.10 An air unit has another home."""

    unit: str
    side: int
    to: str

    def words(self) -> str:
        """Say where."""
        return f"[{self.unit}] flies to [{self.to}]"
