"""P6, P8, P9 What can happen in the months of the war in sight of all: weather, bombers, shipping, Japan.

Deliberately absent: what leads to it (`weather`, `raids`, `shipping`, `points_of_month`).
"""

from typing import ClassVar, Literal

from msgspec.structs import replace

from domain.kernel.facts import Fact
from domain.pacific_war.board.table import Open
from domain.pacific_war.facts.months import war
from domain.pacific_war.facts.wording import at, does, number


class WeatherIs(Fact, frozen=True):
    """P6.2 The zones in which the weather is Foul this month; elsewhere it is clear."""

    foul: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Note them."""
        war(open).foul = self.foul

    def words(self) -> str:
        """Say where."""
        return f"The weather is foul in: {', '.join(self.foul)}" if self.foul else "The weather is clear"


class HomelandIs(Fact, frozen=True, omit_defaults=True):
    """P8.1, P9.4 What Japan lives on, after it has changed: what is None stays as it was."""

    msp: int | None = None
    hrl: int | None = None
    why: str = ""

    def apply(self, open: Open) -> None:
        """Set what is given."""
        board = war(open)
        board.msp = board.msp if self.msp is None else self.msp
        board.hrl = board.hrl if self.hrl is None else self.hrl

    def words(self) -> str:
        """Say how much is left, and why."""
        told = [number(self.msp, "Merchant Shipping Point")] if self.msp is not None else []
        told += [f"Homeland Resource Level {self.hrl}"] if self.hrl is not None else []
        return f"{does(0, 'have')} {', '.join(told) or 'what it had'}, {self.why}"


class BombersAre(Fact, frozen=True):
    """P8.1 Where Strategic Bombing Points stand, and how many wait for a place."""

    bombers: dict[str, int]
    grounded: int
    why: str

    def apply(self, open: Open) -> None:
        """Set both."""
        board = war(open)
        board.bombers, board.grounded = dict(self.bombers), self.grounded

    def words(self) -> str:
        """Say where."""
        told = [f"[{base}] {points}" for base, points in self.bombers.items()]
        told += [f"{self.grounded} without a place"] if self.grounded else []
        return f"Strategic Bombing Points {self.why}: {', '.join(told) or 'none'}"


class ShippingFought(Fact, frozen=True):
    """P9.3 What fought in the month's attrition, which is told now, and what each side has lost."""

    reveals: ClassVar[bool] = True

    boats: int
    escorts: int
    priority: Literal["merchants", "escorts"]
    merchants_lost: int
    escorts_lost: int
    marine: int
    boats_lost: int

    def words(self) -> str:
        """Say who fought, and the losses."""
        fought = (
            f"{number(self.boats, 'submarine point')} went for {self.priority},"
            f" {number(self.escorts, 'escort point')} stood against them"
        )
        lost = (
            f"{number(self.merchants_lost + self.marine, 'Merchant Shipping Point')},"
            f" {self.marine} of them to the sea, {number(self.escorts_lost, 'escort point')},"
            f" {number(self.boats_lost, 'submarine point')}"
        )
        return f"Merchant shipping: {fought}; lost: {lost}"


class ToSea(Fact, frozen=True):
    """S1.7 A task force stands at sea when the war begins."""

    tf: str
    node: str

    def apply(self, open: Open) -> None:
        """Move its marker."""
        open.tfs[self.tf] = replace(open.tfs[self.tf], node=self.node)

    def words(self) -> str:
        """Say which, and where."""
        return f"[{self.tf}] is at sea, at {at(self.node)}"
