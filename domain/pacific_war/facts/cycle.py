"""P0.4 What can happen in sight of all: the sequence, markers, public copies of units, installations, ends.

Facts carry outcomes. What happens behind the screens is in `secrets`, missions and combat are in `fighting`.
"""

from typing import ClassVar, Literal

from msgspec.structs import replace

from domain.kernel.facts import Fact
from domain.pacific_war.board import toll
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import SCENARIOS, SIDE_NAMES, Lighting
from domain.pacific_war.board.table import Air, Base, Contents, Ground, Open, Patrol, Ship, TaskForce
from domain.pacific_war.facts.wording import (
    at,
    does,
    few,
    hexes,
    listed,
    number,
    side_of,
    standing,
    the,
    whose,
)

Presence = Literal["ports", "airfields", "troops"]

AFTER_UNSEEN_DICE = ("5.2.D", "5.2.J", "5.2.L")
"""P24.1, P31.8: the phases before which both have searched, or in which units rally."""


class SetUp(Fact, frozen=True):
    """P1 The map before the first cycle; what is in the task forces is behind the screens (P0.4.3)."""

    scenario: str
    operation: int
    bases: dict[str, Base]
    tfs: dict[str, TaskForce]
    patrols: dict[str, Patrol]
    ports: tuple[tuple[str, ...], tuple[str, ...]]
    airfields: tuple[tuple[str, ...], tuple[str, ...]]
    troops: tuple[tuple[str, ...], tuple[str, ...]]

    def apply(self, open: Open) -> None:
        """Lay it out; what will change is copied."""
        open.scenario, open.operation = self.scenario, self.operation
        open.bases, open.tfs, open.patrols = dict(self.bases), dict(self.tfs), dict(self.patrols)
        open.ports = (list(self.ports[0]), list(self.ports[1]))
        open.airfields = (list(self.airfields[0]), list(self.airfields[1]))
        open.troops = (list(self.troops[0]), list(self.troops[1]))

    def words(self) -> str:
        """Say what is played."""
        if self.scenario in CAMPAIGNS:
            return f"{CAMPAIGNS[self.scenario].name}: the map is set up"
        title = SCENARIOS[self.scenario].name if self.scenario in SCENARIOS else self.scenario
        return f"{title}: the map is set up, {does(self.operation, 'have')} the operation"


class CycleBegan(Fact, frozen=True):
    """P5.2.A A battle cycle began; what was noted of the last one is cleared."""

    cycle: int

    def apply(self, open: Open) -> None:
        """Count it."""
        open.cycle = self.cycle
        open.struck = []
        open.tfs = {
            tf: replace(force, came=False, known=force.detected, busy=False, fought=False)
            for tf, force in open.tfs.items()
        }
        open.bases = {
            place: replace(base, fort_hit=False) if base.fort_hit else base
            for place, base in open.bases.items()
        }

    def words(self) -> str:
        """Say which."""
        return f"Battle cycle {self.cycle} begins"


class PhaseBegan(Fact, frozen=True):
    """P5.2 A phase of the battle cycle began."""

    phase: str
    name: str

    @property
    def bars_undo(self) -> bool:
        """Whether unseen dice may have fallen: whether they have is nobody's to know (P0.2.2, P0.3.1)."""
        return self.phase in AFTER_UNSEEN_DICE

    def apply(self, open: Open) -> None:
        """Note it; patrols look for every task force anew, and airbases launch anew."""
        open.phase, open.contacts, open.launched, open.flown = self.phase, [], {}, []

    def words(self) -> str:
        """Say which."""
        return f"{self.name} (P{self.phase})"


class LightingIs(Fact, frozen=True):
    """P26 The lighting of this cycle."""

    lighting: Lighting

    def apply(self, open: Open) -> None:
        """Set it."""
        open.lighting = self.lighting

    def words(self) -> str:
        """Say which."""
        return f"The cycle is fought {'at' if self.lighting != 'Day' else 'by'} {self.lighting.lower()}"


class AdvantageIs(Fact, frozen=True):
    """P27.1 The Advantage player of this cycle; no totals where a scenario names him."""

    side: int
    totals: tuple[int, ...] = ()

    def apply(self, open: Open) -> None:
        """Set him."""
        open.advantage = self.side

    def words(self) -> str:
        """Say who, by which totals."""
        by = f": {self.totals[0]} against {self.totals[1]}" if self.totals else ""
        return f"{does(self.side, 'have')} the Advantage{by}"


class Sailed(Fact, frozen=True):
    """P23.6 A task force went along these nodes. `known`: Detected before its move (P29.1.1)."""

    tf: str
    path: tuple[str, ...]
    known: bool

    def apply(self, open: Open) -> None:
        """Move the marker."""
        force = open.tfs[self.tf]
        open.tfs[self.tf] = replace(force, node=self.path[-1], came=True, known=self.known)

    def words(self) -> str:
        """Say where to."""
        return f"[{self.tf}] sails {hexes(len(self.path))}, to {at(self.path[-1])}"


class MarkerPlaced(Fact, frozen=True):
    """P2.2.2 A new task force, made of another one."""

    tf: str
    force: TaskForce

    def apply(self, open: Open) -> None:
        """Place its marker."""
        open.tfs[self.tf] = self.force

    def words(self) -> str:
        """Say where."""
        return f"{does(self.force.side, 'form')} [{self.tf}] at {at(self.force.node)}"


class MarkerRemoved(Fact, frozen=True):
    """P2.2.2 A task force without a ship is removed."""

    tf: str

    def apply(self, open: Open) -> None:
        """Take its marker."""
        del open.tfs[self.tf]
        open.contents.pop(self.tf, None)

    def words(self) -> str:
        """Say which."""
        return f"The marker of [{self.tf}] is taken off the map"


class Found(Fact, frozen=True):
    """P24.4 A task force is Detected."""

    reveals: ClassVar[bool] = True

    tf: str
    why: str
    rule: str

    def apply(self, open: Open) -> None:
        """Turn its marker."""
        open.tfs[self.tf] = replace(open.tfs[self.tf], detected=True)

    def words(self) -> str:
        """Say which, and how."""
        return f"[{self.tf}] is Detected {self.why} (P{self.rule})"


class OutOfSight(Fact, frozen=True):
    """P32.2 A task force is Undetected again; what was seen of it stays noted."""

    tf: str

    def apply(self, open: Open) -> None:
        """Turn its marker."""
        force = open.tfs[self.tf]
        seen = open.contents.get(self.tf, Contents()).ships
        open.tfs[self.tf] = replace(force, detected=False, seen=seen, seen_cycle=open.cycle)

    def words(self) -> str:
        """Say which."""
        return f"[{self.tf}] is out of sight"


class UnitsAre(Fact, frozen=True):
    """P0.4.1 How public units stand after something has happened to them."""

    contents: dict[str, Contents] = {}  # noqa: RUF012 a Struct copies its defaults
    ships: dict[str, Ship] = {}  # noqa: RUF012
    air: dict[str, Air] = {}  # noqa: RUF012
    ground: dict[str, Ground] = {}  # noqa: RUF012

    def apply(self, open: Open) -> None:
        """Set the public copies."""
        open.contents |= self.contents
        open.ships |= self.ships
        open.air |= self.air
        open.ground |= self.ground

    def words(self) -> str:
        """Say how they stand, in few words."""
        told = standing(self.contents, self.ships, self.air, self.ground)
        rows = [f"{place}{' has' if place.startswith('[') else ':'} {what}" for place, what in told.items()]
        return f"Now {'; '.join(rows)}"


class Shown(UnitsAre, frozen=True):
    """P0.4.1 Units that become public, and how they stand."""

    reveals: ClassVar[bool] = True

    nodes: dict[str, str] = {}  # noqa: RUF012
    """Task force to the node where it is shown."""

    def words(self) -> str:
        """Say what is shown, and where, in few words."""
        told = standing(self.contents, self.ships, self.air, self.ground)
        spots = {tf: f" at {at(node)}" for tf, node in self.nodes.items()}
        rows = [
            f"{whose(side_of(tf))} [{tf}]{spots.get(tf, '')} is shown: {told.pop(f'[{tf}]')}"
            for tf in self.contents
        ]
        return "; ".join([*rows, *(f"shown {place}: {what}" for place, what in told.items())])


class Covered(Fact, frozen=True):
    """P0.4.1 Units that are hidden again."""

    contents: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    air: tuple[str, ...] = ()
    ground: tuple[str, ...] = ()

    def apply(self, open: Open) -> None:
        """Take the public copies away."""
        for copies, gone in (
            (open.contents, self.contents),
            (open.ships, self.ships),
            (open.air, self.air),
            (open.ground, self.ground),
        ):
            for one in gone:
                copies.pop(one, None)

    def words(self) -> str:
        """Say which, in few words."""
        rows = [listed(self.contents)] * bool(self.contents)
        for units, word in ((self.ships, "ship"), (self.air, "air unit"), (self.ground, "ground unit")):
            rows += [few(units, word)] * bool(units)
        return f"Out of sight: {', '.join(rows)}"


class There(Fact, frozen=True):
    """P0.4.1 A side has units of a kind in a place, or has none there any more."""

    kind: Presence
    side: int
    place: str
    there: bool

    def apply(self, open: Open) -> None:
        """Note it."""
        places = getattr(open, self.kind)[self.side]
        if self.there:
            places.append(self.place)
        else:
            places.remove(self.place)

    def words(self) -> str:
        """Say what is there."""
        what = {"ports": "ships in port", "airfields": "air units", "troops": "ground units"}[self.kind]
        return f"{does(self.side, 'have')} {'' if self.there else 'no '}{what} at {at(self.place)}"


class BaseIs(Fact, frozen=True):
    """P2.3 The installations of a location, after they have changed."""

    location: str
    base: Base
    why: str

    def apply(self, open: Open) -> None:
        """Set them."""
        toll.taken(open, open.bases[self.location], self.base)
        open.bases[self.location] = self.base

    def words(self) -> str:
        """Say how they stand."""
        base = self.base
        told = [
            f"port {base.port}{f' damaged {base.port_damage}' if base.port_damage else ''}" * bool(base.port),
            f"airbase {base.airbase}{f' damaged {base.airbase_damage}' if base.airbase_damage else ''}"
            * bool(base.airbase),
            f"fort {base.fort}" * bool(base.fort),
            f"resource damaged {base.resource_damage}" * bool(base.resource_damage),
            "support base" * base.osb,
            "Submarine Command" * base.command,
        ]
        stands = ", ".join(filter(None, told)) or "no installation left"
        return f"[{self.location}] {self.why}: {stands}, held by {the(base.control)}"


class PatrolIs(Fact, frozen=True):
    """P25.2 What is known of a patrol after a contact; without points it is gone."""

    hex: str
    side: int
    points: int

    def apply(self, open: Open) -> None:
        """Set or remove it; in a hex with patrols of both sides the other one stays."""
        doubled = open.war.doubled if open.war else {}
        second = self.hex in doubled and open.patrols[self.hex].side != self.side
        known = (
            doubled[self.hex] if second else open.patrols[self.hex].points if self.hex in open.patrols else 0
        )
        if known > self.points:
            toll.submarines_lost(open, self.side, known - self.points)
        if second:
            doubled[self.hex] = self.points
            if not self.points:
                del doubled[self.hex]
        elif self.points:
            open.patrols[self.hex] = Patrol(self.side, self.points)
        elif self.hex in doubled:
            open.patrols[self.hex] = Patrol(1 - self.side, doubled.pop(self.hex))
        else:
            open.patrols.pop(self.hex, None)

    def words(self) -> str:
        """Say how strong it is."""
        strength = number(self.points, "point") if self.points else "lost"
        return f"The submarine patrol of {the(self.side)} at {at(self.hex)}: {strength}"


class ShipHit(Fact, frozen=True):
    """P3.3 A naval unit took hits."""

    reveals: ClassVar[bool] = True

    ship: str
    hits: int
    damage: int
    of: int

    def apply(self, open: Open) -> None:
        """Count it where damage points are counted."""
        toll.hit(open, self.ship, max(0, self.damage - self.hits), self.damage, self.of)

    def words(self) -> str:
        """Say how many, and how it stands."""
        state = "sunk" if self.damage >= self.of else "crippled" if self.damage * 2 >= self.of else ""
        return f"[{self.ship}] takes {number(self.hits, 'hit')}: {self.damage} of {self.of}" + (
            f", {state}" if state else ""
        )


class UnitLost(Fact, frozen=True):
    """P0.7 A unit is out of the game for good."""

    reveals: ClassVar[bool] = True

    unit: str
    side: int
    how: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.lost[self.unit] = self.how
        toll.lost(open, self.unit, self.how)

    def words(self) -> str:
        """Say which, and how."""
        return f"[{self.unit}] is {self.how}"


class AirStepsLost(Fact, frozen=True):
    """P33.1 A side lost air steps."""

    unit: str
    side: int
    steps: int
    how: str

    def apply(self, open: Open) -> None:
        """Count them."""
        open.steps_lost[self.side] += self.steps
        toll.air_lost(open, self.side, self.steps)

    def words(self) -> str:
        """Say how many, and how."""
        return f"[{self.unit}] loses {number(self.steps, 'step')} {self.how}"


class Busy(Fact, frozen=True):
    """P32.2 Task forces have fought, bombarded or landed troops in this cycle."""

    tfs: tuple[str, ...]
    fought: bool = False

    def apply(self, open: Open) -> None:
        """Note it."""
        for tf in self.tfs:
            force = open.tfs[tf]
            open.tfs[tf] = replace(force, busy=True, fought=force.fought or self.fought)

    def words(self) -> str:
        """Say which."""
        return f"{listed(self.tfs)} cannot hide in this cycle"


class Noticed(Fact, frozen=True):
    """P29.1.1 Task forces that count otherwise than before in naval battles: as Detected, or not."""

    known: dict[str, bool]

    def apply(self, open: Open) -> None:
        """Note it."""
        for tf, known in self.known.items():
            open.tfs[tf] = replace(open.tfs[tf], known=known)

    def words(self) -> str:
        """Say which."""
        told = [
            f"{listed(tfs)} as {state}"
            for state, tfs in (
                ("Detected", [tf for tf, so in self.known.items() if so]),
                ("Undetected", [tf for tf, so in self.known.items() if not so]),
            )
            if tfs
        ]
        return f"In a naval battle of this cycle count {' and '.join(told)}"


class Struck(Fact, frozen=True):
    """P0.4.1 What is in this place is public until the next cycle."""

    location: str

    def apply(self, open: Open) -> None:
        """Note it."""
        open.struck.append(self.location)

    def words(self) -> str:
        """Say where."""
        return f"[{self.location}] lies open to the enemy's eyes until the next cycle"


class Counted(Fact, frozen=True):
    """P33.1 The final count, and the level of the result."""

    score: tuple[tuple[str, tuple[int, int]], ...]
    """What scored, and the points of Japan and of the Allies for it."""
    points: tuple[int, int]
    level: str

    def apply(self, open: Open) -> None:
        """Set them."""
        open.score, open.points, open.level = self.score, self.points, self.level

    def words(self) -> str:
        """Say both."""
        return f"{SIDE_NAMES[0]} {self.points[0]}, {SIDE_NAMES[1]} {self.points[1]}: {self.level}"
