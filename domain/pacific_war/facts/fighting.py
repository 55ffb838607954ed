"""P28 to P31 What can happen in missions and combat, in sight of all."""

from collections.abc import Mapping
from typing import ClassVar

from domain.kernel.facts import Fact
from domain.pacific_war.board import toll
from domain.pacific_war.board.table import GroundBattle, NavalBattle, Open, Raid
from domain.pacific_war.facts.wording import at, listed, number, the

KINDS = {
    "strike_tf": "strike at ships",
    "strike_airbase": "strike at the airbase",
    "strike_port": "strike at the port",
    "strike_ships_in_port": "strike at ships in port",
    "strike_fort": "strike at the fort",
    "strike_ground": "strike at ground units",
    "ferry": "ferry",
    "supply": "supply",
    "paradrop": "paradrop",
}
"""P28.2: the kinds of mission, as they are called."""

BY_UNIT = ("ferry", "supply")
"""P28.2: the kinds that name an air unit, not a place, as their origin."""


def flown(steps: Mapping[str, int]) -> str:
    """Return steps by air unit as words."""
    return ", ".join(f"{number(n, 'step')} of [{unit}]" for unit, n in steps.items())


class RaidsAre(Fact, frozen=True):
    """P28.4 The missions under way, the phasing player's first; none when they are over."""

    reveals: ClassVar[bool] = True

    raids: tuple[Raid, ...]
    what: str

    def apply(self, open: Open) -> None:
        """Set them."""
        open.raids = self.raids

    def words(self) -> str:
        """Say what flies where."""
        if not self.raids:
            return self.what
        return f"{self.what}: {'; '.join(map(_flies, self.raids))}"


def _flies(raid: Raid) -> str:
    """Say what a mission does, and with whom."""
    guard = f", escorted by {flown(raid.escort)}" if raid.escort else ""
    origin = f" from {at(raid.origin)}" if raid.origin else ""
    mission = f"{KINDS[raid.kind]} at {at(raid.target)}{origin}"
    named = ", ".join(f"{number(one.steps, 'step')} of [{one.unit}] at [{one.ship}]" for one in raid.allotted)
    diving = listed(unit for unit in raid.kamikaze if unit in raid.strike)
    dive = f", {diving} as kamikaze" if diving else ""
    return f"{the(raid.side)}, {mission}, with {named or flown(raid.strike) or 'nobody left'}{dive}{guard}"


class TookOff(Fact, frozen=True):
    """P28.2 Steps took off; from an airbase they count against its launch limit."""

    reveals: ClassVar[bool] = True

    side: int
    units: dict[str, int]
    base: str = ""

    def apply(self, open: Open) -> None:
        """Count them."""
        if self.base:
            open.launched[self.base] = open.launched.get(self.base, 0) + sum(self.units.values())

    def words(self) -> str:
        """Say who."""
        take = "takes" if sum(self.units.values()) == 1 else "take"
        return f"{flown(self.units)} {take} off{f' from [{self.base}]' if self.base else ''}"


class CapIs(Fact, frozen=True):
    """P28.1 The CAP that an air combat meets over a hex."""

    reveals: ClassVar[bool] = True

    side: int
    hex: str
    steps: dict[str, int]

    def words(self) -> str:
        """Say who."""
        return f"CAP of {the(self.side)} over {at(self.hex)}: {flown(self.steps) or 'none'}"


class NavalBattleIs(Fact, frozen=True):
    """P29 How the naval combat stands; None when it is over."""

    reveals: ClassVar[bool] = True

    battle: NavalBattle | None
    what: str

    def apply(self, open: Open) -> None:
        """Set it."""
        open.naval = self.battle

    def words(self) -> str:
        """Say what has changed, and where as it begins."""
        if self.battle and not self.battle.phase:
            return f"At {at(self.battle.node[:4])} {self.what[:1].lower()}{self.what[1:]}"
        return self.what


class OrdersGiven(Fact, frozen=True):
    """P29.2 The fire orders of a side, told when both have given theirs: ship to target."""

    reveals: ClassVar[bool] = True

    side: int
    orders: dict[str, str]
    torpedoes: tuple[str, ...]

    def words(self) -> str:
        """Say who fires at whom."""
        told = [
            f"[{ship}] at {'the fort' if target.startswith('fort:') else f'[{target}]'}"
            f"{' with torpedoes' if ship in self.torpedoes else ''}"
            for ship, target in self.orders.items()
        ]
        return f"Fire orders of {the(self.side)}: {', '.join(told) or 'none'}"


class GroundBattleIs(Fact, frozen=True):
    """P31 How the ground combat stands; None when it is over."""

    reveals: ClassVar[bool] = True

    battle: GroundBattle | None
    what: str

    def apply(self, open: Open) -> None:
        """Set it."""
        open.landed = self.battle

    def words(self) -> str:
        """Say what has changed."""
        return self.what


class GroundStepsLost(Fact, frozen=True):
    """P31.4 A ground unit lost steps, or is Broken by what happened to it."""

    unit: str
    side: int
    steps: int
    broken: bool

    def apply(self, open: Open) -> None:
        """Count them where damage points are counted."""
        toll.ground_lost(open, self.side, self.steps)

    def words(self) -> str:
        """Say what."""
        told = [f"loses {number(self.steps, 'step')}"] * bool(self.steps) + ["is Broken"] * self.broken
        return f"[{self.unit}] {' and '.join(told) or 'holds'}"


class WentAshore(Fact, frozen=True):
    """P23.6 Troops went ashore from a task force."""

    reveals: ClassVar[bool] = True

    units: tuple[str, ...]
    side: int
    hex: str
    tf: str = ""

    def words(self) -> str:
        """Say who, and where."""
        return f"{listed(self.units)} {'lands' if len(self.units) == 1 else 'land'} at {at(self.hex)}"


class Withdrew(Fact, frozen=True):
    """P2.8, P31.5 A ground unit left a hex before the enemy."""

    unit: str
    hex: str

    def words(self) -> str:
        """Say which, and where to."""
        return f"[{self.unit}] falls back to {at(self.hex)}"
