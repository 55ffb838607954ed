"""P40 Decisions of the months of the war: raids, escorts, what submarines go for, the pool, bombers."""

from typing import ClassVar, Literal

from domain.kernel.procedures import Decision
from domain.pacific_war.facts.wording import number

Mode = Literal["precision", "incendiary", "mining"]
"""P8.3: how a raid is flown."""


class SendRaid(Decision, frozen=True, tag="raid"):
    """P8.2: from which base bombers fly, and how."""

    says: ClassVar[str] = "raid Japan from [{base}]: {mode}"

    base: str
    mode: Mode


class BombingPoints(Decision, frozen=True, tag="bombing_points"):
    """P8.1, P8.2: how many Strategic Bombing Points."""

    points: int

    def words(self) -> str:
        """Say how many."""
        return number(self.points, "Strategic Bombing Point")


class LiftSBP(Decision, frozen=True, tag="lift_sbp"):
    """P8.1: lift bombing points from a base, to place them elsewhere."""

    base: str
    n: int

    def words(self) -> str:
        """Say how many, and from where."""
        return f"lift {number(self.n, 'Strategic Bombing Point')} from [{self.base}]"


class PlaceSBP(Decision, frozen=True, tag="place_sbp"):
    """P8.1: where bombing points are placed."""

    says: ClassVar[str] = "place Strategic Bombing Points at [{base}]"

    base: str


class AssignEscort(Decision, frozen=True, tag="assign_escort"):
    """P9.1: put destroyers on escort duty."""

    says: ClassVar[str] = "put [{dd}] on escort duty"

    dd: str


class ReleaseEscort(Decision, frozen=True, tag="release_escort"):
    """P9.1: take destroyers off escort duty."""

    says: ClassVar[str] = "take [{dd}] off escort duty, to [{port}]"

    dd: str
    port: str


class Priority(Decision, frozen=True, tag="priority"):
    """P9.2: what the submarines on merchant duty go for."""

    says: ClassVar[str] = "go for {what}"

    what: Literal["merchants", "escorts"]


class AllocateFOP(Decision, frozen=True, tag="allocate_fop"):
    """P10.4: put Command Points into the Future Operation Pool."""

    n: int

    def words(self) -> str:
        """Say how many."""
        return f"put {number(self.n, 'Command Point')} into the Future Operation Pool"


class PutToSea(Decision, frozen=True, tag="sortie"):
    """S1.7: which task force is put to sea at once; where to must follow."""

    says: ClassVar[str] = "put [{tf}] to sea"

    tf: str
