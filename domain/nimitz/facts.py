"""Facts of the campaign. Each fact carries the resulting values; applying it consults no rule.

The acts of Japan are in `marches`, their reasons in `automaton`, the facts of battles in `happenings`.
Deliberately absent: facts for one side alone, since all is open (N0.6).
"""

from msgspec.structs import replace

from domain.kernel.facts import Fact
from domain.kernel.seats import the
from domain.nimitz.charts import PLACES, TRACK, TURNS
from domain.nimitz.table import INV, OUT, Force, Open

STEPS = (
    "Advance turn",
    "US resupply",
    "US scouting and Japanese scouted orders",
    "US movement",
    "Japanese orders",
    "Battles",
    "Japanese reinforcement",
    "Japanese repair",
    "US return to port",
    "US supply check",
    "US defeat check",
)
"""The steps of the campaign turn (N3)."""


def place(id: str) -> str:
    """Return an area or a box within a sentence: `the [ML]`, `[NG]`."""
    name, _, _ = PLACES.get(id, "").partition(":")
    return the(name, f"[{id}]")


def listed(names: tuple[str, ...]) -> str:
    """Say ids one after the other."""
    return ", ".join(f"[{name}]" for name in names)


def told(names: tuple[str, ...], one: str, several: str) -> str:
    """Say what one does, or several do."""
    return f"{listed(names)} {one if len(names) == 1 else several}"


def number(count: int, word: str) -> str:
    """Say how many, with the word in the singular or plural that an s makes: no hits, 1 hit, 2 hits."""
    return f"{count or 'no'} {word}{'s' * (count != 1)}"


class CampaignSetUp(Fact, frozen=True):
    """N2: a campaign is laid out; results of earlier years of a linked war stay."""

    year: int
    mode: int
    linked: bool
    supply: dict[int, int]
    forces: dict[str, Force]

    def apply(self, open: Open) -> None:
        """Lay it out; forces are copied, for the table's own will change."""
        open.year, open.mode, open.linked, open.turn, open.step = self.year, self.mode, self.linked, 0, 0
        open.supply, open.counter = dict(self.supply), 0
        open.forces = {name: replace(force) for name, force in self.forces.items()}
        open.returned, open.auto_held, open.scouts = {"SHIP": [], "INF": [], "LBA": []}, [], {}
        open.battles, open.battle, open.counts, open.level = [], None, [], ""

    def words(self) -> str:
        """Say what is played."""
        return f"The campaign of {self.year} is set up, {TURNS[self.year]} turns, {len(self.forces)} forces"


class TurnBegan(Fact, frozen=True):
    """N3.1: the next turn; the marks of the last are cleared."""

    turn: int

    def apply(self, open: Open) -> None:
        """Advance the turn and clear the marks."""
        open.turn, open.auto_held = self.turn, []
        for force in open.forces.values():
            force.moved = force.arrived = False
            force.seat = -1

    def words(self) -> str:
        """Say which."""
        return f"Turn {self.turn}, {TRACK[self.turn - 1]}, begins"


class StepBegan(Fact, frozen=True):
    """N3: a step of the campaign turn begins."""

    step: int

    def apply(self, open: Open) -> None:
        """Note it."""
        open.step = self.step

    def words(self) -> str:
        """Say which."""
        return f"Step {self.step}: {STEPS[self.step - 1]}"


class SupplyIs(Fact, frozen=True):
    """A US seat has so many supply points now."""

    seat: int
    change: int
    supply: int
    why: str

    def apply(self, open: Open) -> None:
        """Set them."""
        open.supply[self.seat] = self.supply

    def words(self) -> str:
        """Say why."""
        return f"[seat:{self.seat}] has {self.supply} SP, {self.change:+d} {self.why}"


class Bought(Fact, frozen=True):
    """N4.3: a force came from the reinforcements."""

    force: str
    place: str
    seat: int
    """In mode c the buyer, who may move it this turn; else -1."""

    def apply(self, open: Open) -> None:
        """Put it on the map, full."""
        open.forces[self.force] = Force(self.place, seat=self.seat)

    def words(self) -> str:
        """Say where it appears."""
        return f"[{self.force}] is bought and comes to {place(self.place)}"


class Repaired(Fact, frozen=True):
    """N4.4: a damaged US force is full again."""

    force: str

    def apply(self, open: Open) -> None:
        """Mend it."""
        open.forces[self.force].damaged = False

    def words(self) -> str:
        """Say which."""
        return f"[{self.force}] is repaired"


class ScoutPlaced(Fact, frozen=True):
    """N5.3: an area will be scouted so many times."""

    area: str
    scouts: int

    def apply(self, open: Open) -> None:
        """Note the number."""
        open.scouts[self.area] = self.scouts

    def words(self) -> str:
        """Say how many are there."""
        return f"A scout goes to {place(self.area)}" + (f", {self.scouts} in all" if self.scouts > 1 else "")


class ScoutSpent(Fact, frozen=True):
    """N5.4: a scout was used, or was lost because nothing could be ordered there any more."""

    area: str
    left: int
    lost: bool

    def apply(self, open: Open) -> None:
        """Take it away."""
        if self.left:
            open.scouts[self.area] = self.left
        else:
            del open.scouts[self.area]

    def words(self) -> str:
        """Say what came of it."""
        return (
            f"The scout in {place(self.area)} {'is lost: nothing can be ordered' if self.lost else 'reports'}"
        )


class Reserved(Fact, frozen=True):
    """N6.1: a force is kept for the invasion of Japan."""

    force: str

    def apply(self, open: Open) -> None:
        """Put it into the box, for good."""
        open.forces[self.force].place = INV

    def words(self) -> str:
        """Say which."""
        return f"[{self.force}] is reserved for the invasion of Japan"


class Lent(Fact, frozen=True):
    """N20.3: the other commander may move this ship this turn."""

    force: str
    seat: int

    def apply(self, open: Open) -> None:
        """Hand it over."""
        open.forces[self.force].seat = self.seat

    def words(self) -> str:
        """Say to whom."""
        return f"[{self.force}] is lent to [seat:{self.seat}]"


class ForceMoved(Fact, frozen=True, rename={"origin": "from"}):
    """N6.2 to N6.4: a US force moved."""

    force: str
    origin: str
    to: str
    aboard: bool

    def apply(self, open: Open) -> None:
        """Put it there and mark it."""
        force = open.forces[self.force]
        force.place, force.aboard, force.moved = self.to, self.aboard, True

    def words(self) -> str:
        """Say from where to where."""
        how = " on transports" if self.aboard else ""
        return f"[{self.force}] goes from {place(self.origin)} to {place(self.to)}{how}"


class Landed(Fact, frozen=True):
    """N8.1: infantry on transports in an area without enemies is ashore."""

    forces: tuple[str, ...]
    area: str

    def apply(self, open: Open) -> None:
        """Put it ashore."""
        for name in self.forces:
            open.forces[name].aboard = False

    def words(self) -> str:
        """Say where."""
        return f"{told(self.forces, 'lands', 'land')} in {place(self.area)} unopposed"


class BattlesFound(Fact, frozen=True):
    """N8.2: these areas have battles."""

    areas: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Note them."""
        open.battles = list(self.areas)

    def words(self) -> str:
        """Say where."""
        where = ", ".join(map(place, self.areas))
        return f"There are battles in {where}" if self.areas else "There are no battles"


class InPort(Fact, frozen=True):
    """N15, N8.4: US forces went from one place to another on their own."""

    forces: tuple[str, ...]
    to: str

    def apply(self, open: Open) -> None:
        """Put them there."""
        for name in self.forces:
            open.forces[name].place = self.to

    def words(self) -> str:
        """Say where."""
        return f"{told(self.forces, 'returns', 'return')} to {place(self.to)}"


class OutOfSupply(Fact, frozen=True):
    """N16: forces out of supply took a hit each."""

    area: str
    damaged: tuple[str, ...]
    destroyed: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Damage or destroy them."""
        for name in self.damaged:
            open.forces[name].damaged = True
        for name in self.destroyed:
            open.forces[name] = Force(OUT)

    def words(self) -> str:
        """Say what it cost."""
        parts = []
        if self.damaged:
            parts.append(f"{listed(self.damaged)} damaged")
        if self.destroyed:
            parts.append(f"{listed(self.destroyed)} destroyed")
        return f"Out of supply in {place(self.area)}: {'; '.join(parts)}"


class ObjectivesHeld(Fact, frozen=True):
    """N17.3: the objectives held at the end of a turn."""

    turn: int
    areas: tuple[str, ...]

    def apply(self, open: Open) -> None:
        """Note the count."""
        open.counts.append(len(self.areas))

    def words(self) -> str:
        """Say which."""
        held = f": {', '.join(map(place, self.areas))}" if self.areas else ""
        return f"At the end of turn {self.turn} the US hold {number(len(self.areas), 'objective')}{held}"


class CampaignEnded(Fact, frozen=True):
    """N17, N18.2: the level of a campaign."""

    year: int
    result: int
    level: str
    rule: str
    why: str

    def apply(self, open: Open) -> None:
        """Note result and level."""
        open.results[self.year] = self.result
        open.level = self.level

    def words(self) -> str:
        """Say the level."""
        held = number(self.result, "objective")
        why = "" if self.why == held else ": " + self.why.removeprefix(f"{held}, ")
        return f"The campaign of {self.year} ends at the level {self.level}, with {held}{why} ({self.rule})"


class WarEnded(Fact, frozen=True):
    """N18.3: the level of a linked war."""

    total: int
    level: str

    def apply(self, open: Open) -> None:
        """Note the level."""
        open.level = self.level

    def words(self) -> str:
        """Say the level."""
        return f"The linked war ends at the level {self.level}, with {number(self.total, 'objective')} in all"
