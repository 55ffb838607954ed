"""P0.4.1 Changes of units: the one module that writes both ledgers.

A change is recorded for the owner; for everybody too if the unit is public at the moment, and where the
presence of units in a place has changed. Deliberately absent: whether a change is allowed, and when units are
shown and covered (`intelligence`).
"""

from typing import Any

from msgspec.structs import replace

from domain.kernel.facts import Fact
from domain.pacific_war.board.charts import BOXES, OWNERS
from domain.pacific_war.board.table import Air, Contents, Fleet, Ground, Ship, Table, at_base
from domain.pacific_war.facts.cycle import (
    AirStepsLost,
    BaseIs,
    MarkerRemoved,
    Presence,
    There,
    UnitLost,
    UnitsAre,
)
from domain.pacific_war.facts.secrets import OwnUnits


class Changes:
    """New values of units, gathered and then recorded together: one fact a side, whatever has changed."""

    def __init__(self, table: Table, why: str = "") -> None:
        self.table, self.why = table, why
        self.fleets: dict[str, Fleet | None] = {}
        self.ships: dict[str, Ship] = {}
        self.air: dict[str, Air] = {}
        self.ground: dict[str, Ground] = {}
        self.patrols: dict[tuple[int, str], int] = {}
        self.news: list[Fact] = []
        """What everybody is told, after the units have changed."""

    def ship_now(self, ship: str) -> Ship:
        """Return a naval unit as it stands with these changes."""
        return self.ships.get(ship) or self.table.own[OWNERS[ship]].ships[ship]

    def air_now(self, unit: str) -> Air:
        """Return an air unit as it stands with these changes."""
        return self.air.get(unit) or self.table.own[OWNERS[unit]].air[unit]

    def ground_now(self, unit: str) -> Ground:
        """Return a ground unit as it stands with these changes."""
        return self.ground.get(unit) or self.table.own[OWNERS[unit]].ground[unit]

    def fleet_now(self, tf: str) -> Fleet:
        """Return a task force as it stands with these changes."""
        return self.fleets.get(tf) or self.table.own[self.table.open.tfs[tf].side].fleets[tf]

    def ship(self, ship: str, **new: Any) -> None:
        """Change a naval unit."""
        self.ships[ship] = replace(self.ship_now(ship), **new)

    def aircraft(self, unit: str, **new: Any) -> None:
        """Change an air unit."""
        self.air[unit] = replace(self.air_now(unit), **new)

    def troops(self, unit: str, **new: Any) -> None:
        """Change a ground unit."""
        self.ground[unit] = replace(self.ground_now(unit), **new)

    def fleet(self, tf: str, **new: Any) -> None:
        """Change a task force."""
        self.fleets[tf] = replace(self.fleet_now(tf), **new)

    def come(self, unit: str, what: Ship | Air | Ground) -> None:
        """Add a unit that was not in play: a reinforcement, or a part of a division (P14.1, P16.9)."""
        if isinstance(what, Ship):
            self.ships[unit] = what
        elif isinstance(what, Air):
            self.air[unit] = what
        else:
            self.ground[unit] = what

    def patrol(self, side: int, at: str, points: int) -> None:
        """Set the points of a patrol."""
        self.patrols[side, at] = points

    def tell(self, fact: Fact) -> None:
        """Record a fact for everybody after the units have changed."""
        self.news.append(fact)

    # losses

    def lose_air(self, unit: str, steps: int, how: str, *, of: str = "used") -> None:
        """Take steps off an air unit: first those `of` a kind, then used ones, ready ones, those on CAP."""
        if not steps:
            return
        air, side = self.air_now(unit), OWNERS[unit]
        kinds = {"used": air.steps - air.ready - air.cap, "ready": air.ready, "cap": air.cap}
        rest = steps
        for kind in dict.fromkeys((of, *kinds)):
            taken = min(kinds[kind], rest)
            kinds[kind] -= taken
            rest -= taken
        left = air.steps - steps
        new: dict[str, Any] = {"steps": left, "ready": kinds["ready"], "cap": kinds["cap"]}
        self.aircraft(unit, **new | ({"home": ""} if not left else {}))
        self.tell(AirStepsLost(unit, side, steps, how))
        if not left:
            self.tell(UnitLost(unit, side, "destroyed"))

    def lose_ground(self, unit: str, steps: int, how: str = "destroyed") -> None:
        """Take steps off a ground unit."""
        ground = self.ground_now(unit)
        left = max(0, ground.steps - steps)
        self.troops(unit, steps=left, **({} if left else {"hex": "", "aboard": {}}))
        if not left:
            self.tell(UnitLost(unit, OWNERS[unit], how))

    def leave_fleet(self, ship: str) -> None:
        """Take a naval unit out of its task force."""
        tf = self.ship_now(ship).tf
        if tf:
            now = self.fleet_now(tf).ships
            core = tuple(one for one in now.core if one != ship)
            self.fleet(tf, ships=Contents(core, tuple(one for one in now.screen if one != ship)))

    # recording

    def record(self) -> None:
        """Record all that was gathered: for the owners, for everybody, and where units are now."""
        table = self.table
        where = {side: self._places(side) for side in (0, 1)}
        for side in (0, 1):
            mine = self._of(side)
            if mine is not None:
                table.record(mine)
        self._update()
        for side in (0, 1):
            for kind, places in where[side]:
                for place in sorted(places | self._now(side, kind)):
                    presence(table, kind, side, place)
        for fact in self.news:
            table.record(fact)
        for tf, fleet in self.fleets.items():
            if fleet is not None and not fleet.ships.ships:
                dissolve(table, tf)

    def _of(self, side: int) -> OwnUnits | None:
        fleets = {tf: one for tf, one in self.fleets.items() if self.table.open.tfs[tf].side == side}
        ships = {unit: one for unit, one in self.ships.items() if OWNERS[unit] == side}
        air = {unit: one for unit, one in self.air.items() if OWNERS[unit] == side}
        ground = {unit: one for unit, one in self.ground.items() if OWNERS[unit] == side}
        patrols = {at: points for (owner, at), points in self.patrols.items() if owner == side}
        if not (fleets or ships or air or ground or patrols):
            return None
        return OwnUnits(side, fleets, ships, air, ground, patrols, self.why)

    def _update(self) -> None:
        """Bring the public copies up to date."""
        board = self.table.open
        contents = {
            tf: one.ships for tf, one in self.fleets.items() if one is not None and tf in board.contents
        }
        ships = {unit: afloat(one) for unit, one in self.ships.items() if unit in board.ships}
        air = {unit: public(one) for unit, one in self.air.items() if unit in board.air}
        ground = {unit: seen(one) for unit, one in self.ground.items() if unit in board.ground}
        stand = UnitsAre(
            {tf: one for tf, one in contents.items() if board.contents[tf] != one},
            {unit: one for unit, one in ships.items() if board.ships[unit] != one},
            {unit: one for unit, one in air.items() if board.air[unit] != one},
            {unit: one for unit, one in ground.items() if board.ground[unit] != one},
        )
        if stand != UnitsAre():
            self.table.record(stand)

    def _places(self, side: int) -> list[tuple[Presence, set[str]]]:
        """Return where the units were that are to change."""
        own = self.table.own[side]
        return [
            (
                "ports",
                {own.ships[one].port for one in self.ships if OWNERS[one] == side and one in own.ships},
            ),
            ("airfields", {own.air[one].home for one in self.air if OWNERS[one] == side and one in own.air}),
            ("troops", {own.ground[u].hex for u in self.ground if OWNERS[u] == side and u in own.ground}),
        ]

    def _now(self, side: int, kind: Presence) -> set[str]:
        own = self.table.own[side]
        if kind == "ports":
            return {own.ships[one].port for one in self.ships if OWNERS[one] == side}
        if kind == "airfields":
            return {own.air[one].home for one in self.air if OWNERS[one] == side}
        return {own.ground[one].hex for one in self.ground if OWNERS[one] == side}


def public(air: Air) -> Air:
    """Return what everybody sees of an air unit: not what is ready, on CAP or Activated (P0.4.1, R-95)."""
    return Air(home=air.home, steps=air.steps, level=air.level)


def seen(ground: Ground) -> Ground:
    """Return what everybody sees of a ground unit: not whether it has moved, or is Isolated."""
    return replace(ground, moved=False, isolated=False)


def afloat(ship: Ship) -> Ship:
    """Return what everybody sees of a naval unit: not whether it is Isolated."""
    return replace(ship, isolated=False) if ship.isolated else ship


def presence(table: Table, kind: Presence, side: int, place: str) -> None:
    """Record whether a side has units of a kind in a place, if that has changed."""
    own, board = table.own[side], table.open
    if not place or place in BOXES or (kind != "troops" and not at_base(place)):
        return
    if kind == "ports":
        there = any(ship.port == place for ship in own.ships.values())
    elif kind == "airfields":
        there = any(air.home == place and air.steps for air in own.air.values())
    else:
        there = any(ground.hex == place and ground.steps for ground in own.ground.values())
    if there != (place in getattr(board, kind)[side]):
        table.record(There(kind, side, place, there))


def dissolve(table: Table, tf: str) -> None:
    """Remove a task force without ships (P2.2.2)."""
    table.record(OwnUnits(table.open.tfs[tf].side, {tf: None}))
    table.record(MarkerRemoved(tf))


def installations(table: Table, location: str, why: str, **new: Any) -> None:
    """Change the installations of a location."""
    table.record(BaseIs(location, replace(table.open.bases[location], **new), why))
