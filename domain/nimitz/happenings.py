"""What happens around the combat of a battle: set-up, plans, turns, the end; `blows` has the combat."""

from domain.kernel.facts import Fact
from domain.nimitz.board import the, there
from domain.nimitz.facts import listed, number, place
from domain.nimitz.table import Battle, Force, Open, Plane, fighting


class BattleBegan(Fact, frozen=True):
    """N8.3: the forces of an area go to the battle board, commanded by a US seat (N20.3)."""

    area: str
    seat: int

    def apply(self, open: Open) -> None:
        """Lay out an empty board."""
        open.battle = Battle(self.area, self.seat)
        open.battles.remove(self.area)

    def words(self) -> str:
        """Say where."""
        return f"The battle of {place(self.area)} begins"


class ShipsPlaced(Fact, frozen=True):
    """N9.2, N9.5, N9.6: ships stand in a battle area, for the whole battle."""

    ships: tuple[str, ...]
    area: str
    why: str = ""

    def apply(self, open: Open) -> None:
        """Put them there."""
        fighting(open).ships |= dict.fromkeys(self.ships, self.area)

    def words(self) -> str:
        """Say where."""
        verb = "is" if len(self.ships) == 1 else "are"
        why = f": {self.why}" if self.why else ""
        return f"{listed(self.ships)} {verb} placed {there(self.area)}{why}"


class IslandOccupied(Fact, frozen=True):
    """N9.3, N9.4: the forces of a side on the island and on transports, and its airfield counters."""

    side: int
    foxhole: tuple[str, ...]
    transports: tuple[str, ...]
    aircraft: tuple[str, ...]
    airfields: int

    def apply(self, open: Open) -> None:
        """Put them there."""
        battle = fighting(open)
        battle.foxhole += self.foxhole
        battle.airfields[self.side] = self.airfields
        for name in self.aircraft:
            battle.planes[name] = Plane(damaged=open.forces[name].damaged)

    def words(self) -> str:
        """Say who is where."""
        parts = [number(self.airfields, "airfield")]
        if self.foxhole:
            parts.append(f"{listed(self.foxhole)} in foxholes")
        if self.transports:
            parts.append(f"{listed(self.transports)} on transports")
        return f"At the island {the(self.side)} has {'; '.join(parts)}"


class FlightsReady(Fact, frozen=True):
    """N9.7: an undamaged carrier has her full air group."""

    ship: str
    aircraft: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Put them aboard."""
        battle = fighting(open)
        battle.rooms[self.ship] = len(self.aircraft)
        for name in self.aircraft:
            battle.planes[name] = Plane(self.ship)

    def words(self) -> str:
        """Say how many."""
        return f"[{self.ship}] has {len(self.aircraft)} aircraft ready"


TURN_OVER = "a battle turn is over"
"""The reason that a battle turn takes off the length of its battle."""


class LengthIs(Fact, frozen=True):
    """N9.8, N10.14: so many battle turns are left."""

    left: int
    why: str

    def apply(self, open: Open) -> None:
        """Set them."""
        fighting(open).left = self.left

    def words(self) -> str:
        """Say why."""
        left = number(max(0, self.left), "battle turn")
        if self.why == TURN_OVER:
            return f"This battle turn is over: {left} left"
        return f"{left} left: {self.why}"


class CupFilled(Fact, frozen=True):
    """N9.9, N9.10, N10.2: the Japanese plan counters in the cup; `drawn` kinds count as drawn already."""

    cup: tuple[str, ...]
    drawn: tuple[str, ...]
    plans: int

    def apply(self, open: Open) -> None:
        """Fill it."""
        battle = fighting(open)
        battle.cup, battle.drawn, battle.plans = list(self.cup), list(self.drawn), self.plans

    def words(self) -> str:
        """Say how many are drawn each turn."""
        cup = number(len(self.cup), "Japanese plan")
        return f"{cup} in the cup; {self.plans} of them in force each battle turn"


class PointsAre(Fact, frozen=True):
    """N9.11: battle plan points."""

    points: int
    bought: int
    why: str

    def apply(self, open: Open) -> None:
        """Set them."""
        battle = fighting(open)
        battle.points, battle.bought = self.points, self.bought

    def words(self) -> str:
        """Say why."""
        return f"{number(self.points, 'battle plan point')}: {self.why}"


class PlanBought(Fact, frozen=True):
    """N9.11: the US hold a plan for this battle."""

    plan: str
    points: int

    def apply(self, open: Open) -> None:
        """Hold it."""
        battle = fighting(open)
        battle.held.append(self.plan)
        battle.points = self.points

    def words(self) -> str:
        """Say which."""
        return f"The US buy [{self.plan}]: {number(self.points, 'battle plan point')} left"


class PlanUsed(Fact, frozen=True):
    """N11.7: a US plan was used, or came to nothing (N10.3 a)."""

    plan: str
    effect: str
    subject: str = ""

    def apply(self, open: Open) -> None:
        """Lay it aside."""
        battle = fighting(open)
        battle.held.remove(self.plan)
        battle.used.append(self.plan)

    def words(self) -> str:
        """Say what it does."""
        about = f" for [{self.subject}]" if self.subject else ""
        return f"[{self.plan}]{about}: {self.effect}"


class BattleTurnBegan(Fact, frozen=True):
    """N10.1: a battle turn begins; plans of the last are no longer in force."""

    turn: int

    def apply(self, open: Open) -> None:
        """Set the turn; all aircraft are at home."""
        battle = fighting(open)
        battle.turn, battle.in_force, battle.step, battle.over = self.turn, [], "", ""
        for plane in battle.planes.values():
            plane.at, plane.flown = "", False

    def words(self) -> str:
        """Say which."""
        return f"Battle turn {self.turn} begins"


class PlanDrawn(Fact, frozen=True):
    """N10.2: a plan counter was drawn: it is in force, or its kind was drawn before and it is set aside."""

    plan: str
    aside: bool
    of: int
    """How many counters lay in the cup."""

    def apply(self, open: Open) -> None:
        """Take it out of the cup."""
        battle = fighting(open)
        battle.cup.remove(self.plan)
        if not self.aside:
            battle.in_force.append(self.plan)
            battle.drawn.append(self.plan)

    def words(self) -> str:
        """Say what becomes of it."""
        aside = ", and sets it aside: its kind was drawn before" if self.aside else ""
        return f"Japan draws [{self.plan}], 1 of {number(self.of, 'counter')} in the cup{aside}"


class PlansInOrder(Fact, frozen=True):
    """N20.2: the order in which the plans take effect."""

    plans: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Set it."""
        fighting(open).in_force = list(self.plans)

    def words(self) -> str:
        """Say it."""
        return f"The plans take effect in this order: {listed(self.plans)}"


class PlanVoid(Fact, frozen=True):
    """N11.6, N10.3: a Japanese plan was spent, or has no effect."""

    plan: str
    why: str

    def apply(self, open: Open) -> None:
        """Take it out of force."""
        battle = fighting(open)
        if self.plan in battle.in_force:
            battle.in_force.remove(self.plan)

    def words(self) -> str:
        """Say why."""
        return f"[{self.plan}] {self.why}"


class Screening(Fact, frozen=True):
    """N11.6: a Screening Ship waits for the first hit on a Japanese carrier, or was used."""

    waits: bool

    def apply(self, open: Open) -> None:
        """Note it."""
        fighting(open).screening = self.waits

    def words(self) -> str:
        """Say which."""
        what = "stands by the carriers" if self.waits else "takes the hit on the carrier"
        return f"[ja.screening_ship] {what}"


class BattalionDug(Fact, frozen=True):
    """N11.6: a battalion from the box goes straight into the Japanese foxhole."""

    force: str

    def apply(self, open: Open) -> None:
        """Put it there."""
        battle = fighting(open)
        open.forces[self.force] = Force(battle.area)
        battle.foxhole.append(self.force)
        battle.in_force.remove("ja.battalion")

    def words(self) -> str:
        """Say which."""
        return f"[{self.force}] appears in a foxhole"


class BattleEnded(Fact, frozen=True):
    """N12: a battle ended; all infantry there is ashore, carrier aircraft vanish."""

    area: str
    why: str
    ashore: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Clear the board."""
        open.battle = None
        for name in self.ashore:
            open.forces[name].aboard = False

    def words(self) -> str:
        """Say why."""
        return f"The battle of {place(self.area)} ends: {self.why}"
