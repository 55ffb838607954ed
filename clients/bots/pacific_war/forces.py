"""The forces as a bot sees them: task forces and their ships, what is likely in hidden ones, and the goal.

The set-up is public, so a task force that was never seen is taken to hold what it began with.
"""

import re
from collections.abc import Callable
from functools import cached_property, wraps
from random import Random
from typing import Any, Final, TypeVar

from clients.bots.pacific_war import heading
from clients.bots.pacific_war.marches import by_land
from clients.bots.pacific_war.objectives import shore, swing, worth
from clients.bots.pacific_war.odds import Mark
from clients.bots.pacific_war.plans import Plan, Rendezvous, best_plan, rendezvous
from clients.bots.pacific_war.table import Table, beginning, cargo
from clients.bots.typed import TypedPrompt
from domain.pacific_war.board.atlas import zone
from domain.pacific_war.board.campaigns import CAMPAIGNS
from domain.pacific_war.board.charts import (
    ALLOWANCE,
    CARRIERS,
    DUSK,
    LOCATIONS,
    NIGHT,
    SCENARIOS,
    SIDES,
    SLOWED,
    SPEED,
    figures,
)
from domain.pacific_war.board.printed import NavalUnit
from domain.pacific_war.sight.shown import (
    Ship,
    SideId,
)
from server.protocol.shown import Decision, View

LOOK_AHEAD: Final = 4
"""The most movement phases that a bot looks ahead in a campaign."""
GOALS: Final = {"E1": "port_moresby", "E4": "wake", "B1": "midway"}
"""Scenario to the place that Japan is to take."""


Known = TypeVar("Known")


def once(method: "Callable[[Forces, str], Known]") -> "Callable[[Forces, str], Known]":
    """Let a method remember what it returned for an id: a board is asked often, and never changes."""
    name = method.__name__

    @wraps(method)
    def known(self: "Forces", key: str) -> Known:
        kept: dict[str, Known] = self.kept.setdefault(name, {})
        if key not in kept:
            kept[key] = method(self, key)
        return kept[key]

    return known


class Forces:
    """The forces of both sides, as one seat's side sees them."""

    def __init__(self, view: View[Table], prompt: TypedPrompt[Decision], random: Random) -> None:
        table = view.table
        assert table.own is not None
        self.table, self.own = table, table.own
        self.options = prompt.options
        self.random, self.text = random, prompt.text
        self.named: tuple[str, ...] = tuple(re.findall(r"\[(\w+)\]", prompt.text))
        """What the text of the prompt names: the ship that fires, the task force that comes."""
        self.me: SideId = table.own.side
        self.side = SIDES.index(self.me)
        self.foe: SideId = SIDES[1 - self.side]
        self.scenario = table.scenario
        self.battle = SCENARIOS.get(table.scenario) or CAMPAIGNS[table.scenario]
        self.points = worth(table.scenario)
        self.operation = table.war.operation if table.war else None
        self.figures = figures(table.scenario)
        self.night = table.lighting == NIGHT
        self.dusk = table.lighting == DUSK
        self.first = table.advantage == self.me
        """Whether this side has the Advantage in this cycle."""
        self._marks = dict[str, Mark]()
        self.kept = dict[str, dict[str, Any]]()
        self.second_half = table.phase[-1] in "KLMNO"

    # time

    @cached_property
    def moves_left(self) -> int:
        """The movement phases of this side that are left, this one included."""
        if self.operation:
            left = max(0, self.operation.planned - self.operation.days)
            return min(LOOK_AHEAD, 1 + left // 2)
        open_until = "C" if self.first else "K"
        here = int(self.table.phase[-1] <= open_until)
        return self.table.cycles - self.table.cycle + here

    @cached_property
    def moves_after(self) -> int:
        """The movement phases of this side that come after the phase that is played."""
        return self.moves_left - int(self.table.phase[-1] == ("C" if self.first else "K"))

    @property
    def last(self) -> bool:
        """Whether this is the last cycle."""
        return bool(self.table.cycles) and self.table.cycle == self.table.cycles

    # ships and task forces

    def printed(self, ship: str) -> NavalUnit:
        """Return what is printed on a ship."""
        return self.figures.ships[ship]

    def ship(self, ship: str) -> Ship:
        """Return a ship as it is known, or undamaged."""
        return self.own.ships.get(ship) or self.table.ships.get(ship) or Ship()

    @once
    def crippled(self, ship: str) -> bool:
        """Return whether a ship is crippled, as far as is known."""
        return 2 * self.ship(ship).damage >= self.printed(ship).hits

    @once
    def members(self, tf: str) -> tuple[str, ...]:
        """Return the ships of a task force, those of a hidden one by what was seen of it or by the set-up."""
        if tf in self.own.fleets:
            return (*self.own.fleets[tf].core, *self.own.fleets[tf].screen)
        force = self.table.tfs[tf]
        ships = (*force.core, *force.screen) or force.seen or beginning(self.scenario).get(tf, ())
        return tuple(ship for ship in ships if ship not in self.table.lost)

    @once
    def speed(self, tf: str) -> str:
        """Return the speed class of a task force."""
        classes = ["S" if self.crippled(s) else self.printed(s).spd for s in self.members(tf)]
        return min(classes, key=SPEED.__getitem__, default="S")

    def allowance(self, tf: str) -> int:
        """Return the hexes that a task force moves in a phase."""
        return ALLOWANCE[self.speed(tf)]

    def left(self, tf: str) -> int:
        """Return the hexes that an own task force may still sail in this phase: each sails once.

        What foul weather takes off at the start of a phase counts as used (P6.3).
        """
        fleet = self.own.fleets[tf]
        foul = self.table.war is not None and zone(self.node(tf)[:4]) in self.table.war.foul
        return 0 if fleet.stopped or fleet.used > SLOWED * foul else self.allowance(tf) - fleet.used

    def node(self, tf: str) -> str:
        """Return the node of a task force."""
        return self.table.tfs[tf].node

    @cached_property
    def foes(self) -> tuple[str, ...]:
        """The enemy task forces."""
        return tuple(sorted(tf for tf, one in self.table.tfs.items() if one.side == self.foe))

    def at(self, node: str, *, ours: bool) -> tuple[str, ...]:
        """Return the task forces of a side on a node."""
        side = self.me if ours else self.foe
        return tuple(
            sorted(tf for tf, one in self.table.tfs.items() if one.side == side and one.node == node)
        )

    def carriers(self, tf: str) -> list[str]:
        """Return the carriers of a task force that can fly."""
        return [s for s in self.members(tf) if self.printed(s).cls in CARRIERS and not self.crippled(s)]

    @once
    def guns(self, tf: str) -> int:
        """Return the guns of a task force."""
        return sum(self.printed(s).gun for s in self.members(tf) if not self.crippled(s))

    @once
    def load(self, ship: str) -> int:
        """Return the steps of troops aboard a ship, of an enemy's as in the set-up until they have landed."""
        if ship in self.own.ships:
            return sum(ground.aboard.get(ship, 0) for ground in self.own.ground.values())
        known = [g.aboard.get(ship, 0) for g in self.table.ground.values() if g.aboard]
        if known or ship in self.table.ships:
            return sum(known)
        return 0 if self.landed_already else cargo(self.scenario).get(ship, 0)

    @cached_property
    def landed_already(self) -> bool:
        """Whether who is to take the goal has troops there."""
        return bool(self.goal) and LOCATIONS[self.goal].hex in self.table.troops[self.taker]

    @once
    def laden(self, tf: str) -> bool:
        """Return whether a task force carries troops."""
        return any(self.load(ship) for ship in self.members(tf))

    # the goal

    @cached_property
    def plan(self) -> Plan | None:
        """The landing that this side would lead now, in a campaign."""
        return best_plan(self.table) if self.table.war else None

    @cached_property
    def rendezvous(self) -> Rendezvous | None:
        """The port where the transports of this side are to be brought together, in a campaign."""
        return rendezvous(self.table) if self.table.war else None

    @property
    def points_of(self) -> dict[str, int]:
        """Headquarters to the Command Points that they have."""
        return self.own.means.points if self.own.means else {}

    @cached_property
    def goal(self) -> str:
        """The location that is to be taken, or an empty string."""
        return heading.goal(self.table, self.plan) if self.table.war else GOALS.get(self.scenario, "")

    @cached_property
    def on_foot(self) -> dict[str, int]:
        """The hexes from which troops of this side walk to the goal of a campaign, to the way."""
        return by_land(self.table, self.own, self.goal) if self.table.war and self.goal else {}

    @cached_property
    def taker(self) -> SideId:
        """The side that is to take the goal: Japan in a battle, in a campaign who leads the Operation."""
        return self.operation.player if self.operation else "JP"

    @property
    def attacks(self) -> bool:
        """Whether this side is to take the goal."""
        return self.taker == self.me

    @cached_property
    def goal_node(self) -> str:
        """The node of the goal."""
        return shore(self.goal) if self.goal else ""

    @cached_property
    def stakes(self) -> float:
        """The points that hang on the goal: for control, and for troops ashore."""
        if self.table.war:
            return swing(self.table, self.goal) if self.goal else 0.0
        p = self.points
        held = p.JP_controls_port_moresby + p.JP_controls_midway + p.JP_controls_wake
        free = (
            p.AL_if_no_japanese_ground_step_ashore_at_port_moresby
            + p.AL_controls_midway_uncontested
            + p.AL_controls_wake_uncontested
        )
        return held + free
