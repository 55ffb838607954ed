"""What happens in the combat of a battle: who flies, who is hit, who comes home.

Aircraft are land-based groups, which are forces too, or carrier aircraft; both stand on the battle board.
"""

from domain.kernel.facts import Fact
from domain.nimitz.board import the, there, to
from domain.nimitz.facts import number, place, told
from domain.nimitz.table import OUT, US_RE, Force, Open, fighting

NO_DECK = "lack of a deck"
"""The reason that an aircraft is lost which no carrier has room for (N10.12)."""

BY = {
    "Dogfight": "in a dogfight",
    "AAA": "by anti-aircraft fire",
    "Bomb runs": "by bombs",
    "Torpedoes": "by torpedoes",
    "Depth charges": "by depth charges",
    "Naval guns": "by naval guns",
    "Infantry": "by infantry",
    NO_DECK: "for want of a deck to land on",
}
"""How a kind of attack, or another reason, is said of what it hit."""


def by(why: str) -> str:
    """Say by what a force was hit."""
    return BY.get(why, f"by {why}")


class AirborneOver(Fact, frozen=True):
    """N10.3 to N10.5: aircraft are in the air over a battle area."""

    aircraft: tuple[str, ...]
    area: str

    def apply(self, open: Open) -> None:
        """Put them there."""
        for name in self.aircraft:
            fighting(open).planes[name].at = self.area

    def words(self) -> str:
        """Say where."""
        return f"{told(self.aircraft, 'flies', 'fly')} {to(self.area)}"


class Dived(Fact, frozen=True):
    """N11.6: a bomber dived into the enemy ships; it is destroyed after the attack."""

    aircraft: str

    def apply(self, open: Open) -> None:
        """Mark it."""
        fighting(open).planes[self.aircraft].dived = True

    def words(self) -> str:
        """Say which."""
        return f"[{self.aircraft}] dives into the enemy: one hit more"


class CombatBegan(Fact, frozen=True):
    """N10.6 to N10.10: a combat step is fought in a battle area."""

    step: str
    area: str

    def apply(self, open: Open) -> None:
        """Note it."""
        battle = fighting(open)
        battle.step, battle.over = self.step, self.area

    def words(self) -> str:
        """Say what and where."""
        return f"{self.step} {there(self.area)}"


class Grounded(Fact, frozen=True):
    """N10.3, N10.12: aircraft are at home again; `flown` ones do not move again this turn."""

    aircraft: tuple[str, ...]
    flown: bool = False

    def apply(self, open: Open) -> None:
        """Take them out of the air."""
        for name in self.aircraft:
            plane = fighting(open).planes[name]
            plane.at, plane.flown = "", self.flown

    def words(self) -> str:
        """Say who."""
        if self.flown:
            return told(self.aircraft, "will not fly again this turn", "will not fly again this turn")
        return told(self.aircraft, "returns", "return")


class Rehomed(Fact, frozen=True):
    """N10.12: an aircraft lands on another carrier than its own."""

    aircraft: str
    ship: str

    def apply(self, open: Open) -> None:
        """Change its home."""
        fighting(open).planes[self.aircraft].home = self.ship

    def words(self) -> str:
        """Say where."""
        return f"[{self.aircraft}] lands on [{self.ship}]"


class Advanced(Fact, frozen=True):
    """N10.11: infantry of a side moved from beach and transports."""

    side: int
    foxhole: tuple[str, ...]
    beach: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Move it; from now on it is ashore."""
        battle = fighting(open)
        battle.beach = [name for name in battle.beach if name not in self.foxhole]
        battle.foxhole += self.foxhole
        battle.beach += self.beach
        for name in (*self.foxhole, *self.beach):
            open.forces[name].aboard = False

    def words(self) -> str:
        """Say who is where now."""
        parts = []
        if self.foxhole:
            parts.append(told(self.foxhole, "digs in", "dig in"))
        if self.beach:
            parts.append(told(self.beach, "reaches the beach", "reach the beach"))
        return "; ".join(parts)


class AirfieldsAre(Fact, frozen=True):
    """N11.3, N10.13: a side's airfield counters."""

    side: int
    airfields: int
    why: str

    def apply(self, open: Open) -> None:
        """Set them."""
        fighting(open).airfields[self.side] = self.airfields

    def words(self) -> str:
        """Say why."""
        left = f"{number(self.airfields, 'airfield')} left to {the(self.side)}"
        hit = self.why.removeprefix("hit by ")
        return f"{left}: {self.why if hit == self.why else f'hit {by(hit)}'}"


class Damaged(Fact, frozen=True):
    """N1.6: a force or an aircraft took its first hit."""

    target: str
    why: str

    def apply(self, open: Open) -> None:
        """Turn it over."""
        if self.target in open.forces:
            open.forces[self.target].damaged = True
        if self.target in fighting(open).planes:
            fighting(open).planes[self.target].damaged = True

    def words(self) -> str:
        """Say by what."""
        return f"[{self.target}] is damaged {by(self.why)}"


class Destroyed(Fact, frozen=True):
    """N1.6, N12.2: a force or an aircraft was destroyed."""

    target: str
    why: str
    battalion: bool = False
    """A Japanese battalion: it goes to its box when the battle ends."""

    def apply(self, open: Open) -> None:
        """Take it off the board."""
        take_off(open, self.target)
        if self.target in open.forces:
            open.forces[self.target] = Force(OUT)
        if self.battalion:
            fighting(open).fallen.append(self.target)

    def words(self) -> str:
        """Say by what."""
        return f"[{self.target}] is {'lost' if self.why == NO_DECK else 'destroyed'} {by(self.why)}"


class GroupLost(Fact, frozen=True):
    """N10.13: a land-based group without an airfield goes, full, to the reinforcements."""

    aircraft: str
    side: int

    def apply(self, open: Open) -> None:
        """Take it off the board."""
        take_off(open, self.aircraft)
        if self.side == 0:
            open.forces[self.aircraft] = Force(US_RE)

    def words(self) -> str:
        """Say which."""
        gone = "" if self.side else f" and goes back to {place(US_RE)}"
        return f"[{self.aircraft}] has lost its airfield{gone}"


def take_off(open: Open, name: str) -> None:
    """Take a force or an aircraft off the battle board."""
    battle = fighting(open)
    battle.ships.pop(name, None)
    battle.planes.pop(name, None)
    for spot in (battle.foxhole, battle.beach):
        if name in spot:
            spot.remove(name)
