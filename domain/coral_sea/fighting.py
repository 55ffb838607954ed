"""C26 What can happen in a battle, and cohesion checks anywhere, in sight of all."""

from typing import ClassVar

from domain.coral_sea.facts import does, listed, number, the
from domain.coral_sea.table import Battle, Check, Open, fighting
from domain.kernel.facts import Fact


class BattleBegan(Fact, frozen=True, rename={"origin": "from"}):
    """C12.1 to C12.3: the sides and the isolated units are fixed. `units` by side."""

    area: str
    attacker: int
    domain: str
    origin: str
    units: tuple[tuple[str, ...], tuple[str, ...]]
    isolated: tuple[str, ...] = ()

    def apply(self, open: Open) -> None:
        """Open the battle."""
        sides = (list(self.units[0]), list(self.units[1]))
        open.battle = Battle(self.area, self.attacker, self.domain, self.origin, sides, self.isolated)

    def words(self) -> str:
        """Say who attacks whom."""
        attackers, defenders = self.units[self.attacker], self.units[1 - self.attacker]
        verb = "attack" if len(attackers) > 1 else "attacks"
        cut_off = f"; isolated: {listed(self.isolated)}" if self.isolated else ""
        return f"{listed(attackers)} {verb} {listed(defenders)} at [{self.area}]{cut_off}"


class LeftBattle(Fact, frozen=True):
    """A unit is no longer in the battle; its bunker goes with it (C12.17)."""

    unit: str

    def apply(self, open: Open) -> None:
        """Take it off the list."""
        battle = fighting(open)
        for units in battle.units:
            if self.unit in units:
                units.remove(self.unit)
        battle.bunkers = tuple(name for name in battle.bunkers if name != self.unit)

    def words(self) -> str:
        """Say who."""
        return f"[{self.unit}] is out of the battle"


class ChitsHeld(Fact, frozen=True):
    """C12.5: a side holds so many chits."""

    side: int
    count: int

    def apply(self, open: Open) -> None:
        """Set the number."""
        fighting(open).chits[self.side] = self.count

    def words(self) -> str:
        """Say how many."""
        return f"{does(self.side, 'hold')} {number(self.count, 'chit')}"


class CupRefilled(Fact, frozen=True):
    """C12.5, C12.6: a side's cup was filled; the rules say with which chits."""

    side: int

    def words(self) -> str:
        """Say whose."""
        return f"The cup of {the(self.side)} is filled"


class ChitShown(Fact, frozen=True):
    """C12.6, C21.1: a chit was shown and set aside, having no effect."""

    reveals: ClassVar[bool] = True

    side: int
    chit: str
    why: str

    def apply(self, open: Open) -> None:
        """Lay it open."""
        fighting(open).shown.append(self.chit)

    def words(self) -> str:
        """Say why."""
        return f"{does(self.side, 'set')} [{self.chit}] aside: {self.why}"


class ChitRevealed(Fact, frozen=True):
    """C12.7: a side plays a chit."""

    reveals: ClassVar[bool] = True

    side: int
    chit: str
    plays: int

    def apply(self, open: Open) -> None:
        """Lay it open."""
        battle = fighting(open)
        battle.shown.append(self.chit)
        battle.revealed, battle.revealed_by, battle.cancelled = self.chit, self.side, False
        battle.plays = self.plays

    def words(self) -> str:
        """Say which."""
        return f"{does(self.side, 'play')} [{self.chit}]"


class ChitInVain(Fact, frozen=True):
    """C12.7: the chit that was played has no effect."""

    chit: str
    why: str

    def words(self) -> str:
        """Say why."""
        return f"[{self.chit}] has no effect: {self.why}"


class ChitCancelled(Fact, frozen=True):
    """C21.1: a card takes its effect from the chit that was revealed."""

    chit: str

    def apply(self, open: Open) -> None:
        """Note it."""
        fighting(open).cancelled = True

    def words(self) -> str:
        """Say which."""
        return f"[{self.chit}] is cancelled"


class BunkerAttached(Fact, frozen=True):
    """C12.17: a unit has a bunker for the rest of the battle."""

    unit: str

    def apply(self, open: Open) -> None:
        """Attach it."""
        fighting(open).bunkers += (self.unit,)

    def words(self) -> str:
        """Say who."""
        return f"[{self.unit}] has a bunker"


class ChecksModified(Fact, frozen=True):
    """C21.1: what is added to all checks of a side's units in this battle."""

    side: int
    value: int

    def apply(self, open: Open) -> None:
        """Set it."""
        fighting(open).modifiers[self.side] = self.value

    def words(self) -> str:
        """Say how much."""
        return f"All checks of {the(self.side)} in this battle: {self.value:+d}"


class ChitsAdded(Fact, frozen=True):
    """C21.1: so many chits more in a side's first draw."""

    side: int
    extra: int

    def apply(self, open: Open) -> None:
        """Set it."""
        fighting(open).extra[self.side] = self.extra

    def words(self) -> str:
        """Say how many."""
        return f"{does(self.side, 'draw')} {number(self.extra, 'chit')} more at first"


class CheckRolled(Fact, frozen=True):
    """C12.9: the outcome of a cohesion check."""

    unit: str
    die: int
    modifier: int
    cohesion: int
    passed: bool
    rerolled: bool = False

    def apply(self, open: Open) -> None:
        """Keep it, for cards that answer it."""
        open.check = Check(self.unit, self.modifier, self.cohesion, self.passed, self.rerolled)

    def words(self) -> str:
        """Say the figures."""
        outcome = "holds" if self.passed else "fails"
        again = " the second roll" if self.rerolled else ""
        return f"[{self.unit}] {outcome}{again}: {self.die + self.modifier} against cohesion {self.cohesion}"


class BattleEnded(Fact, frozen=True):
    """C12.13: the battle is over, and the chits go back."""

    area: str
    units: tuple[tuple[str, ...], tuple[str, ...]]

    def apply(self, open: Open) -> None:
        """Close it."""
        open.battle = None
        open.check = None

    def words(self) -> str:
        """Say who is left."""
        left = self.units[0] + self.units[1]
        who = f"{listed(left)} {'hold' if len(left) > 1 else 'holds'} the field" if left else "nobody is left"
        return f"The battle at [{self.area}] is over: {who}"
