"""P20.2.2, P20.2.3 In port: ships go into task forces, troops go aboard; and what is taken back."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask
from domain.pacific_war.battle.movement import holds, load
from domain.pacific_war.battle.reorganise import new_marker, slots
from domain.pacific_war.board.charts import AIR, BOATS, LIGHT, LOCATIONS, MARKERS, OWNERS, SHIPS
from domain.pacific_war.board.special_boats import owner
from domain.pacific_war.board.table import (
    Contents,
    Open,
    Own,
    Sight,
    Table,
    based,
    fleet_hex,
    location_of,
    tfs_at,
)
from domain.pacific_war.decisions.choices import AssignToTF, FormTF
from domain.pacific_war.decisions.cycle import Aboard, Slot
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import Covered
from domain.pacific_war.facts.intelligence import meet, refresh, show
from domain.pacific_war.facts.months import MeansAre
from domain.pacific_war.facts.wording import number


def berth(port: str) -> str:
    """Return the node at which a task force of a port is formed."""
    return LOCATIONS[port].coast or LOCATIONS[port].hex


def places(open: Open, own: Own, side: int, ship: str) -> list[AssignToTF | FormTF]:
    """Return the task forces of its port that a ship may join, and the new one that it may form (R-56)."""
    node = berth(own.ships[ship].port)
    joined: list[AssignToTF | FormTF] = [
        AssignToTF(tf, slot) for tf in tfs_at(open, node, side) for slot in slots(open, own, ship, tf)
    ]
    return [*joined, *(FormTF(slot) for slot in new_slots(ship) if markers_left(open, side))]


def markers_left(open: Open, side: int) -> bool:
    """Return whether a side may form another task force (R-56)."""
    return sum(force.side == side for force in open.tfs.values()) < MARKERS[side]


def may_sail(open: Open, own: Own, side: int, ship: str, *, free: bool) -> bool:
    """Return whether there are `places` for a ship; `free`: whether the side has `markers_left`."""
    if free and new_slots(ship):
        return True
    forces = tfs_at(open, berth(own.ships[ship].port), side)
    return any(slots(open, own, ship, tf) for tf in forces)


def new_slots(ship: str) -> list[Slot]:
    """Return the slots of an empty task force that a ship may take (P2.2.2)."""
    unit = SHIPS[ship]
    light = unit.cls in LIGHT
    room: list[Slot] = [] if light else ["core"]
    return [*room, "screen"] if light or unit.capital else room


def harbour(open: Open, own: Own, unit: str) -> str:
    """Return the own port in the hex of a ground unit, or an empty string."""
    place = location_of(own.ground[unit].hex) if own.ground[unit].hex else ""
    mine = place in open.bases and open.bases[place].control == OWNERS[unit]
    return place if mine and open.bases[place].port else ""


def boarding(open: Open, own: Own, unit: str) -> list[Aboard]:
    """Return the task forces of its port, then the single ships, that can take a ground unit aboard.

    It costs them none of their allowance, which there is in movement phases alone (P23.6).
    """
    ground, place = own.ground[unit], harbour(open, own, unit)
    if not place or not ground.active:
        return []
    room = {tf: holds(open, own, tf, unit) for tf in tfs_at(open, berth(place), OWNERS[unit])}
    ships = sorted(ship for free in room.values() for ship, steps in free.items() if steps >= ground.steps)
    whole = [tf for tf, free in room.items() if sum(free.values()) >= ground.steps]
    return [*map(Aboard, whole), *map(Aboard, ships)]


class Boarding(Procedure):
    """P20.2.2 TROOPS GO ABOARD IN PORT."""

    unit: str

    @ask("20.2.2", by="side", forced=True)
    def aboard(self, sight: Sight) -> list[Decision]:
        """Choose the task force or the ship that takes it aboard."""
        return [*boarding(sight.open, sight.own, self.unit)]

    @aboard.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        steps = sight.own.ground[self.unit].steps
        return f"Choose the task force or the ship that takes [{self.unit}] aboard, {number(steps, 'step')}."

    @aboard.chosen
    def _(self, table: Table, decision: Aboard) -> Flow:
        load(table, table.own[self.side], decision.into, self.unit, cost=0)
        return DONE

    @property
    def side(self) -> int:
        """Whose unit it is."""
        return OWNERS[self.unit]


class Sortie(Procedure):
    """P20.2.3 D AN ACTIVATED SHIP GOES INTO A TASK FORCE."""

    ship: str

    @ask("20.2.2", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose the task force that it joins, or form one."""
        return [*places(sight.open, sight.own, self.side, self.ship)]

    @where.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Choose the task force, and the place in it, that [{self.ship}] joins."

    @where.chosen
    def _(self, table: Table, decision: AssignToTF | FormTF) -> Flow:
        board, own = table.open, table.own[self.side]
        groups = based(own, self.ship)
        ships, air = [s for s in (self.ship,) if s in board.ships], [u for u in groups if u in board.air]
        if ships or air:
            table.record(Covered(ships=tuple(ships), air=tuple(air)))
        if isinstance(decision, FormTF):
            tf = new_marker(table, self.side, berth(own.ships[self.ship].port))
        else:
            tf = decision.tf
        now = Changes(table, "activated")
        inside = now.fleet_now(tf).ships
        if decision.slot == "core":
            now.fleet(tf, ships=Contents((*inside.core, self.ship), inside.screen))
        else:
            now.fleet(tf, ships=Contents(inside.core, (*inside.screen, self.ship)))
        now.ship(self.ship, tf=tf, port="", active=True)
        for unit in groups:
            now.aircraft(unit, active=True, ready=own.air[unit].steps, cap=0)
        now.record()
        refresh(table, tf)
        return DONE

    @property
    def side(self) -> int:
        """Whose ship it is."""
        return OWNERS[self.ship]


def rouse(table: Table, piece: str, *, active: bool = True) -> None:
    """Let a special submarine be Activated, or not after all; its owner alone knows it (P34.1)."""
    side = owner(piece)
    others = tuple(one for one in table.own[side].means.roused if one != piece)
    why = "activated" if active else "not activated after all"
    table.record(MeansAre(side, roused=(*others, piece) if active else others, why=why))


def activate(table: Table, unit: str) -> None:
    """Let an air or ground unit be Activated; all steps of an air unit are ready."""
    if unit in BOATS:
        rouse(table, unit)
        return
    now = Changes(table, "activated")
    if unit in AIR:
        now.aircraft(unit, active=True, ready=now.air_now(unit).steps, cap=0)
    else:
        now.troops(unit, active=True)
    now.record()


def deactivate(table: Table, unit: str) -> None:
    """Let a unit be inactive again where it was: a ship in its port, troops ashore (P20.2.2).

    The ship is public or hidden as the others there (P0.4.1).
    """
    if unit in BOATS:
        rouse(table, unit, active=False)
        return
    now, board, own = Changes(table, "not activated after all"), table.open, table.own[OWNERS[unit]]
    if unit in AIR:
        now.aircraft(unit, active=False)
    elif unit in SHIPS:
        place, groups = location_of(fleet_hex(board, own.ships[unit].tf)), based(own, unit)
        if unit in board.ships:
            table.record(Covered(ships=(unit,), air=tuple(one for one in groups if one in board.air)))
        now.leave_fleet(unit)
        now.ship(unit, tf="", port=place, active=False)
        for group in groups:
            now.aircraft(group, active=False)
    elif aboard := own.ground[unit].aboard:
        spot = fleet_hex(board, own.ships[next(iter(aboard))].tf)
        now.troops(unit, hex=spot, aboard={}, active=False)
    else:
        now.troops(unit, active=False)
    now.record()
    if unit in SHIPS and any(one.port == own.ships[unit].port for one in board.ships.values()):
        show(table, ships=[unit])
    if unit in own.ground:
        meet(table, own.ground[unit].hex)
