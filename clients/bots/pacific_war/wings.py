"""What ships are worth to an attack from the air, which aircraft are where, and what waits for a strike."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from clients.bots.pacific_war.air_odds import Guard
from clients.bots.pacific_war.forces import Forces
from clients.bots.pacific_war.odds import Mark
from clients.bots.pacific_war.table import Wing, cargo
from domain.pacific_war.board.charts import (
    AIR,
    CARRIERS,
    CLASSES,
    GROUPS,
    LOCATIONS,
    by_date,
)

OUT_OF_ACTION: Final = 3.0
"""What it is worth beyond points that a carrier flies no more, while there are cycles left."""
ABOARD: Final = 0.3
"""How much of what a landing can win is counted for the transports that carry it, as we guard ours."""
THEIRS: Final = 1.0
"""The same of the enemy's: a landing that is sunk is won."""
CROWDED: Final = 4
"""Steps of a group with which its deck is likely to be full when it is attacked (P28.5.1)."""


class Wings(Forces):
    """The forces of both sides with their aircraft."""

    # what ships are worth

    def mark(self, ship: str) -> Mark:
        """Return a ship as a target, with what hangs on it."""
        if ship not in self._marks:
            self._marks[ship] = self._mark(ship)
        return self._marks[ship]

    def _mark(self, ship: str) -> Mark:
        unit = self.printed(ship)
        sunk = float(self.points.sunk.get(unit.cls, 1))
        crippled = float(self.points.crippled.get(unit.cls, 0))
        shift = -unit.def_a
        if unit.cls in CARRIERS:
            steps = self.steps(GROUPS[ship]) if ship in GROUPS else 0
            sunk += 0.5 * steps / self.points.air_steps_per_point
            if not self.last or not self.second_half:
                sunk, crippled = sunk + OUT_OF_ACTION, crippled + OUT_OF_ACTION
            shift += 1 if steps >= CROWDED else 0
        if self.stakes and (load := self.load(ship)):
            whole = sum(cargo(self.scenario).values()) or load
            sunk += (ABOARD if unit.side == self.me else THEIRS) * self.stakes * load / whole
            crippled += 0.05 * self.stakes * load / whole
        return Mark(unit.hits, sunk, crippled, min(self.ship(ship).damage, unit.hits - 1), shift)

    def marks(self, ships: Iterable[str]) -> tuple[Mark, ...]:
        """Return ships as targets, in an order that depends on them alone."""
        return tuple(self.mark(ship) for ship in ships)

    # air units

    def steps(self, unit: str) -> int:
        """Return the steps of an air unit, of an enemy's as last known or as in the set-up."""
        known = self.own.air.get(unit) or self.table.air.get(unit)
        if known is not None:
            return known.steps
        row = next((one for one in self.battle.air if one.id == unit), None)
        carrier = AIR[unit].carrier
        if row is None or (carrier and carrier in self.table.lost):
            return 0
        return row.steps

    @cached_property
    def wings(self) -> tuple[Wing, ...]:
        """The enemy's air units, where they are likely to be."""
        where = {ship: tf for tf in self.foes for ship in self.members(tf)}
        found = []
        for row in self.battle.air:
            cls = CLASSES[AIR[row.id].cls]
            if AIR[row.id].side != self.foe or not (steps := self.steps(row.id)):
                continue
            known = self.table.air.get(row.id)
            home = known.home if known else row.base or (AIR[row.id].carrier or "")
            level = known.level if known else row.level
            if home in LOCATIONS:
                base = self.table.locations.get(home)
                if base and self.foe in base.aircraft and base.control == self.foe:
                    found.append(Wing(row.id, home, LOCATIONS[home].hex, steps, level, cls))
            elif home in where and not self.crippled(home):
                spot = self.node(where[home])[:4]
                found.append(Wing(row.id, where[home], spot, steps, level, cls))
        return tuple(found)

    @cached_property
    def own_wings(self) -> tuple[Wing, ...]:
        """Our air units that can fly; `steps` are those that are ready."""
        found = []
        for unit, air in sorted(self.own.air.items()):
            cls = CLASSES[AIR[unit].cls]
            if not air.steps or air.inactive:
                continue
            if air.home in LOCATIONS:
                found.append(Wing(unit, air.home, LOCATIONS[air.home].hex, air.ready, air.level, cls))
            elif (ship := self.own.ships.get(air.home)) and ship.tf and not ship.crippled:
                spot = self.node(ship.tf)[:4]
                found.append(Wing(unit, ship.tf, spot, air.ready, air.level, cls))
        return tuple(found)

    def spared(self, place: str) -> bool:
        """Return whether air units at a place only search and strike (E1.1)."""
        return self.scenario == "E1" and place in ("townsville", "noumea")

    @cached_property
    def asleep(self) -> bool:
        """Whether the Allies are surprised: they fly no CAP (E2.1)."""
        return self.scenario == "E2" and self.table.cycle == 1

    # flak

    def flak(self, ships: Iterable[str]) -> int:
        """Return the flak of ships."""
        return sum(self.printed(s).aa // (2 if self.crippled(s) else 1) for s in ships)

    def guard(self, ships: Sequence[str], cap: int, level: int, *, ours: bool, more: int = 0) -> Guard:
        """Return what waits for a strike at ships."""
        side = self.side if ours else 1 - self.side
        shift = by_date("flak_shift", side, self.table.month) - (2 if self.asleep and side == 1 else 0)
        radar = by_date("cap_shift", side, self.table.month)
        return Guard(cap, level, self.flak(ships) + more, shift, radar)
