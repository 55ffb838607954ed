"""P40 Decisions of the month's sealed windows: Command Points (5.1.G) and submarine patrols (5.1.N)."""

from typing import ClassVar

from domain.kernel.procedures import Decision
from domain.pacific_war.facts.wording import at, number

PURSES = {"JP": "", "AL": "", "US": "American ", "CW": "Commonwealth "}
"""P10.3: the purses, and what is said before `Command Points`; `AL` where a scenario has one figure."""


class AllocateCP(Decision, frozen=True, tag="allocate_cp"):
    """P10.3: which headquarters gets points of a purse."""

    purse: str
    hq: str

    def words(self) -> str:
        """Say whose points, and for whom."""
        return f"give {PURSES[self.purse]}Command Points to [{self.hq}]"


class CommandPoints(Decision, frozen=True, tag="command_points"):
    """P10.3: how many."""

    points: int

    def words(self) -> str:
        """Say how many."""
        return number(self.points, "Command Point")


class UndoAllocation(Decision, frozen=True, tag="undo_allocation"):
    """P10.3: take back what was given to a headquarters this month."""

    says: ClassVar[str] = "take back what [{hq}] was given"

    hq: str


class PatrolFrom(Decision, frozen=True, tag="patrol_from"):
    """P25.1: which Submarine Command sends a patrol."""

    says: ClassVar[str] = "send a patrol from [{command}]"

    command: str


class PatrolOf(Decision, frozen=True, tag="patrol"):
    """P25.1: how strong it is."""

    points: int

    def words(self) -> str:
        """Say how strong."""
        return number(self.points, "submarine point")


class PatrolAt(Decision, frozen=True, tag="patrol_at"):
    """P25.1: where it lies."""

    hex: str

    def words(self) -> str:
        """Say where."""
        return f"patrol at {at(self.hex)}"


class Suggested(Decision, frozen=True, omit_defaults=True, tag="suggested"):
    """P0.9.1: the house's proposal for what is left to decide, and be done."""

    picks: tuple[str, ...] = ()
    """The decisions that it stands for, in words, where the question does not say them."""

    def words(self) -> str:
        """Say which."""
        if not self.picks:
            return "do as proposed, and be done"
        return f"as the house suggests: {'; '.join(self.picks)}"


class AsLastMonth(Decision, frozen=True, tag="as_last_month"):
    """P0.9.2: what was picked last month, as far as it is legal now."""

    says: ClassVar[str] = "as last month"
