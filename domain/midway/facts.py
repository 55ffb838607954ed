"""M19.1 The facts of the table. Each fact carries the resulting values; applying it consults no rule.

Some facts change nothing: they state what follows from the fact before them (a carrier is crippled), so that
readers of the log need no rules. Deliberately absent: facts for one side alone, since all is open.
"""

from msgspec.structs import replace

from domain.kernel import seats
from domain.kernel.facts import Fact
from domain.midway.charts import SCENARIOS, SEQUENCE, SIDE_NAMES, SIDES, SQUADRONS, SUNK_AT
from domain.midway.table import ATTACKING, HOME, LOST, WAITING, Carrier, Group, Open, Options, box

CAUSES = {
    "CAP_DOGFIGHT": "to the CAP",
    "ESCORT_DOGFIGHT": "to the escorts",
    "CAP_VS_BOMBERS": "to the CAP",
    "AA": "to anti-aircraft fire",
    "DITCHING": "to ditching",
}


def the(side: int) -> str:
    """Return a side within a sentence: `[JP]`, `the [US]`."""
    return seats.the(SIDE_NAMES[side], f"[{SIDES[side]}]")


def number(count: int, word: str) -> str:
    """Return a count with its word: `1 group`, `2 groups`."""
    return f"{count} {word}{'s' * (count != 1)}"


class SetUp(Fact, frozen=True):
    """M2.2: the board before turn 1."""

    scenario: str
    options: Options
    turn_limit: int
    sudden_death: bool
    first_minute: int
    minutes_per_turn: int
    found: tuple[bool, bool]
    carriers: dict[str, Carrier]
    groups: dict[str, Group]

    def apply(self, open: Open) -> None:
        """Lay out the board; carriers and groups are copied, for the board's own will change."""
        open.scenario, open.options = self.scenario, self.options
        open.turn_limit, open.sudden_death = self.turn_limit, self.sudden_death
        open.first_minute, open.minutes_per_turn = self.first_minute, self.minutes_per_turn
        open.found = self.found
        open.carriers = {name: replace(carrier) for name, carrier in self.carriers.items()}
        open.groups = {name: replace(group) for name, group in self.groups.items()}

    def words(self) -> str:
        """Say what stands ready."""
        ships = ", ".join(f"[{ship}]" for ship in self.carriers)
        title = SCENARIOS[self.scenario].title if self.scenario in SCENARIOS else self.scenario
        return f"{title} is set up for {self.turn_limit} turns: {len(self.groups)} groups with {ships}"


class TurnStarted(Fact, frozen=True):
    """A turn began."""

    turn: int

    def apply(self, open: Open) -> None:
        """Set the turn."""
        open.turn = self.turn

    def words(self) -> str:
        """Say which."""
        return f"Turn {self.turn} begins"


class StepStarted(Fact, frozen=True):
    """A step of the sequence of play began; `beside` is one that is open at the same time, or 0 (M15.12)."""

    step: int
    side: int
    beside: int = 0

    def apply(self, open: Open) -> None:
        """Set the steps that are open."""
        open.steps = (self.beside, self.step) if self.beside else (self.step,)

    def words(self) -> str:
        """Say which and whose."""
        return f"Step {self.step}: [{SIDES[self.side]}], {SEQUENCE[self.step - 1].name}"


class StepEnded(Fact, frozen=True):
    """A step of the sequence of play ended."""

    step: int
    side: int

    def apply(self, open: Open) -> None:
        """Clear what mattered in this step alone."""
        open.designated = {}
        for group in open.groups.values():
            if group.side == self.side:
                group.target = group.committed = ""
                group.search_group = group.proposed = 0
                group.moved = False

    def words(self) -> str:
        """Say which."""
        return f"Step {self.step} ends: [{SIDES[self.side]}], {SEQUENCE[self.step - 1].name}"


class GroupMoved(Fact, frozen=True, rename={"origin": "from"}):
    """A group went from one place to another."""

    group: str
    origin: str
    to: str

    def apply(self, open: Open) -> None:
        """Set the place."""
        group = open.groups[self.group]
        group.place, group.moved = self.to, True

    def words(self) -> str:
        """Say from where to where, in the words of its way."""
        side = SIDES.index(SQUADRONS[self.group].side)
        here, there = f"[{box(side, self.origin)}]", f"[{box(side, self.to)}]"
        if self.origin == WAITING:
            return f"[{self.group}] lands in the {there}"
        if self.origin.startswith("DECK:") and not self.to.startswith("HANGAR:"):
            return f"[{self.group}] is launched from the {here} to {there}"
        if self.origin.startswith(("DECK:", "HANGAR:")):
            return f"[{self.group}] goes from the {here} to the {there}"
        if self.origin == ATTACKING:
            return f"[{self.group}] leaves the attack for {there}"
        if self.to == HOME:
            return f"[{self.group}] turns back from {here} to {there}"
        return f"[{self.group}] goes from {here} to {there}"


class StrengthLost(Fact, frozen=True):
    """A group lost strength points and has `strength` left."""

    group: str
    points: int
    strength: int
    cause: str

    def apply(self, open: Open) -> None:
        """Set what is left."""
        open.groups[self.group].strength = self.strength

    def words(self) -> str:
        """Say how much is left."""
        return f"[{self.group}] loses {self.points} SP {CAUSES[self.cause]}: {self.strength} left"


class GroupLost(Fact, frozen=True):
    """A group lost its last strength points (M1.5)."""

    group: str
    points: int
    cause: str

    def apply(self, open: Open) -> None:
        """Take it off the board."""
        group = open.groups[self.group]
        group.strength, group.place = 0, LOST

    def words(self) -> str:
        """Say to what."""
        last = f"its last {self.points} SP" if self.points > 1 else "its last SP"
        return f"[{self.group}] loses {last} {CAUSES[self.cause]} and is lost"


class CarrierDamaged(Fact, frozen=True):
    """A carrier was hit and stays afloat with `damage` marked circles (M7.11)."""

    ship: str
    hits: int
    damage: int

    def apply(self, open: Open) -> None:
        """Set the damage."""
        open.carriers[self.ship].damage = self.damage

    def words(self) -> str:
        """Say how bad it is."""
        return f"[{self.ship}] takes {number(self.hits, 'hit')}: {self.damage} damage"


class CarrierCrippled(Fact, frozen=True):
    """A carrier can no longer land, launch or plan (M11.2)."""

    ship: str

    def words(self) -> str:
        """Say which."""
        return f"[{self.ship}] is crippled"


class CarrierSunk(Fact, frozen=True):
    """A carrier was hit and sank with the groups aboard (M11.4, M11.5)."""

    ship: str
    hits: int
    groups: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Mark the last circle and take the groups off the board."""
        open.carriers[self.ship].damage = SUNK_AT
        for name in self.groups:
            group = open.groups[name]
            group.strength, group.place = 0, LOST

    def words(self) -> str:
        """Say who went down with her."""
        aboard = ", ".join(f"[{group}]" for group in self.groups)
        with_her = f"; lost with her: {aboard}" if aboard else ""
        return f"[{self.ship}] takes {number(self.hits, 'hit')} and sinks{with_her}"


class Repaired(Fact, frozen=True):
    """A carrier repaired a circle and has `damage` left (M10.3)."""

    ship: str
    damage: int

    def apply(self, open: Open) -> None:
        """Set the damage."""
        open.carriers[self.ship].damage = self.damage

    def words(self) -> str:
        """Say what is left."""
        return f"[{self.ship}] repairs one damage: {self.damage} left"


class CarrierRestored(Fact, frozen=True):
    """A carrier is operational again (M10.4)."""

    ship: str

    def words(self) -> str:
        """Say which."""
        return f"[{self.ship}] is operational again"


class Counted(Fact, frozen=True):
    """The final count by side: points, strength points lost, and the grade (M13.5 to M13.7)."""

    points: tuple[int, int]
    losses: tuple[int, int]
    grade: str = ""
    """`decisive`, `clear` or `narrow`; empty if the game is drawn."""

    def apply(self, open: Open) -> None:
        """Set the grade."""
        open.grade = self.grade

    def words(self) -> str:
        """Say the count."""
        counts = (
            f"{the(side)} has {number(points, 'point')} and lost {lost} SP"
            for side, (points, lost) in enumerate(zip(self.points, self.losses, strict=True))
        )
        grade = f"; the victory is {self.grade}" if self.grade else ""
        return ", ".join(counts) + grade
