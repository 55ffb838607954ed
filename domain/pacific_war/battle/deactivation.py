"""P32.1 Deactivation in the joint phase, P20.2.5 Overtime, P32.2 detection removal."""

from collections.abc import Mapping, Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.battle.losses import take_out
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import LOCATIONS, NIGHT, PORT_ROOM
from domain.pacific_war.board.special_boats import seaplane_bases
from domain.pacific_war.board.table import (
    Open,
    Own,
    Sight,
    Table,
    aboard,
    at_base,
    based,
    enemy,
    fleet_hex,
    groups_of,
    members,
    spent,
    stack_room,
    warship,
)
from domain.pacific_war.board.war import Operation
from domain.pacific_war.command.costs import UNITS_PER_POINT, overtime
from domain.pacific_war.command.links import linked, tell_links
from domain.pacific_war.command.pool import draw, purse
from domain.pacific_war.decisions.cycle import Deactivate, DeactivateTF, Done, Target
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.intelligence import cover_troops, lose_sight, meet
from domain.pacific_war.facts.silence import cushion, sealed
from domain.pacific_war.facts.wording import number

FAR, FAR_AT_NIGHT = 3, 1
STANDING_DOWN = 3
"""Facts that a task force of a campaign seals at most: its units, its marker, the Penalty box."""


class Deactivation(Procedure):
    """P32.1 A SIDE DEACTIVATES UNITS."""

    side: int
    forced: bool = False
    """It must deactivate all (R-41)."""
    moved: bool = False

    @ask("32.1", by="side")
    def choose(self, sight: Sight) -> list[Decision]:
        """Deactivate units that are to fight no more, or be done."""
        own = sight.own
        options: list[Decision] = [
            *(
                Deactivate(unit)
                for unit, air in sorted(own.air.items())
                if at_base(air.home) and air.active and air.steps
            ),
            *(
                Deactivate(unit)
                for unit, one in sorted(own.ground.items())
                if one.hex and one.active and one.steps
            ),
            *map(DeactivateTF, sorted(own.fleets)),
        ]
        if not _may_have(sight.open, self.side):
            return []
        return [*options, Done()] if not options or self.may_stop(sight) else options

    @choose.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        if isinstance(options[0], Done):
            return "Nothing is left to deactivate: be done."
        if sight.open.war:
            return self.told(sight.own, sight.open.war.operation, options)
        asked = "Choose a unit or task force that is to fight no more in this scenario, or be done."
        if any(isinstance(one, DeactivateTF) for one in options):
            asked += " A task force that is in no own port with room leaves the scenario with all aboard."
        return asked

    def told(self, own: Own, operation: Operation | None, options: Sequence[Decision]) -> str:
        """Return the sentence of a campaign."""
        asked = "Choose a unit or task force that stands down"
        if self.forced:
            asked += ": only you have units out, and all must"
        elif operation and self.side == operation.player and (due := owed(own, operation)):
            points = number(due, "Command Point")
            asked += f"; to be done costs {points} of [{operation.hq}], since the planned days are over"
        else:
            asked += ", or be done"
        if any(isinstance(one, DeactivateTF) for one in options):
            asked += ". A task force that is in no own port with room goes to the Penalty box with all aboard"
        return f"{asked}."

    @choose.chosen
    def _(self, table: Table, decision: Deactivate | DeactivateTF | Done) -> Flow:
        if isinstance(decision, Done):
            self.pay(table)
            return DONE
        self.moved = True
        if isinstance(decision, DeactivateTF):
            return StandDown(side=self.side, tf=decision.tf)
        now = Changes(table, "deactivated")
        if decision.unit in table.own[self.side].air:
            now.aircraft(decision.unit, active=False)
        else:
            now.troops(decision.unit, active=False)
        now.record()
        return None

    @step("5.3.1", was="over")
    def again(self, table: Table) -> Flow:
        """Go on until the side is done, or nobody at all is Activated: then all is over (R-45)."""
        moved, self.moved = self.moved, False
        return self.choose if moved and not spent(table.own) else None

    def may_stop(self, sight: Sight) -> bool:
        """Return whether the side may be done: not if it must deactivate all, or cannot pay overtime."""
        operation = sight.open.war.operation if sight.open.war else None
        if operation is None or self.side != operation.player:
            return not self.forced
        return owed(sight.own, operation) <= purse(sight.open, sight.own, operation.hq)

    def pay(self, table: Table) -> None:
        """Pay for overtime (P20.2.5): a point for four Activated units, from the Operation HQ."""
        operation = table.open.war.operation if table.open.war else None
        if operation is None or self.side != operation.player:
            return
        before = sealed(table)
        if due := owed(table.own[self.side], operation):
            draw(table, self.side, operation.hq, due, "overtime")
        cushion(table, before, 1)


def owed(own: Own, operation: Operation) -> int:
    """Return the Command Points due in overtime (P20.2.5); groups aboard and cargo cost nothing (R-91)."""
    if not overtime(operation):
        return 0
    ships = sum(ship.active and bool(ship.tf) for ship in own.ships.values())
    air = sum(one.active and one.steps > 0 and at_base(one.home) for one in own.air.values())
    ground = sum(one.active and bool(one.hex) and one.steps > 0 for one in own.ground.values())
    return -(-(ships + air + ground) // UNITS_PER_POINT)


def _may_have(open: Open, side: int) -> bool:
    """Return whether a side may have Activated units, for all that everybody sees."""
    at_sea = any(force.side == side for force in open.tfs.values())
    return at_sea or bool(open.airfields[side] or open.troops[side])


def harbour(open: Open, own: Own, side: int, tf: str) -> str:
    """Return the own port in the hex of a task force that has room for its ships, or an empty string."""
    for place, base in open.bases.items():
        here = base.control == side and base.port and LOCATIONS[place].coast in (open.tfs[tf].node, None)
        inside = sum(ship.port == place for ship in own.ships.values())
        room = inside + len(members(own, tf)) <= PORT_ROOM[base.port]
        if here and room and LOCATIONS[place].hex == fleet_hex(open, tf):
            return place
    return ""


def crowded_out(open: Open, own: Own, side: int, tf: str) -> list[str]:
    """Return the cargo of a task force that its port hex has no room for (P2.7), by id."""
    place = harbour(open, own, side, tf)
    room, out = stack_room(own, LOCATIONS[place].hex) if place else 0, list[str]()
    for unit in aboard(own, members(own, tf)) if place else []:
        steps = own.ground[unit].steps
        if steps <= room:
            room -= steps
        else:
            out.append(unit)
    return out


class StandDown(Procedure):
    """P32.1 A TASK FORCE STANDS DOWN."""

    side: int
    tf: str
    lodged: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Cargo to the location where there is room for it."""

    @step("11.6.1")
    def learn(self, table: Table) -> None:
        """Tell the side its links, if some cargo has to go elsewhere; in battles all is Linked (R-22)."""
        if table.open.war and crowded_out(table.open, table.own[self.side], self.side, self.tf):
            tell_links(table, self.side)

    @ask("2.7", by="side", forced=True)
    def lodge(self, sight: Sight) -> list[Decision]:
        """Choose the place for cargo that the port hex has no room for."""
        unit = self.homeless(sight.open, sight.own)
        return [*map(Target, self.lodgings(sight.open, sight.own, unit))] if unit else []

    @lodge.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Choose where [{self.homeless(sight.open, sight.own)}] goes, for which there is no room."

    @lodge.chosen
    def _(self, table: Table, decision: Target) -> Flow:
        unit = self.homeless(table.open, table.own[self.side])
        self.lodged = self.lodged | {unit: decision.target}
        return self.lodge

    @step("32.1")
    def enter(self, table: Table) -> None:
        """Enter the port; with cargo that has no place anywhere there is no port with room."""
        stranded = self.homeless(table.open, table.own[self.side])
        stand_down(table, self.side, self.tf, None if stranded else self.lodged)

    def homeless(self, open: Open, own: Own) -> str:
        """Return the next unit to find a place for, or an empty string."""
        units = crowded_out(open, own, self.side, self.tf)
        return next((unit for unit in units if unit not in self.lodged), "")

    def lodgings(self, open: Open, own: Own, unit: str) -> list[str]:
        """Return the nearest friendly Linked places with room for a unit (P2.7), by id."""
        here, far = fleet_hex(open, self.tf), dict[str, int]()
        for place, base in sorted(open.bases.items()):
            spot = LOCATIONS[place].hex
            taken = sum(own.ground[one].steps for one, other in self.lodged.items() if other == place)
            room = stack_room(own, spot) - taken >= own.ground[unit].steps
            supplied = linked(own, spot) if open.war else True
            if base.control == self.side and spot != here and supplied and room:
                far[place] = distance(here, spot)
        return [place for place, hexes in far.items() if hexes == min(far.values())]


def stand_down(table: Table, side: int, tf: str, lodged: Mapping[str, str] | None) -> None:
    """Let a task force enter its port, where its cargo lands; elsewhere it is out of the scenario (P1.1).

    `lodged` is the cargo that goes elsewhere; None if there is no place for some. Ships and cargo that were
    seen at sea are hidden like all others in a port (P0.4.1). In a campaign as many facts are sealed whether
    the port, or the Penalty box, takes them.
    """
    board, own, before = table.open, table.own[side], sealed(table)
    place, ships = harbour(board, own, side, tf), members(own, tf)
    if board.tfs[tf].detected and (place or board.war):
        lose_sight(table, tf)  # what is out of a battle is told by name
    now, cargo = Changes(table, "deactivated"), dict[str, str]()
    if place and lodged is not None:
        cargo = {unit: LOCATIONS[lodged.get(unit, place)].hex for unit in aboard(own, ships)}
        for unit, spot in cargo.items():
            now.troops(unit, hex=spot, aboard={}, active=False)
        for unit in groups_of(own, tf):
            now.aircraft(unit, active=False)
        for ship in ships:
            now.leave_fleet(ship)
            now.ship(ship, tf="", port=place, active=False)
    else:
        take_out(now, side, ships)
    now.record()
    for spot in sorted(set(cargo.values())):
        meet(table, spot)
    if board.war:
        cushion(table, before, STANDING_DOWN)


def remove_detection(table: Table) -> None:
    """Let task forces go out of sight that no enemy is near and that were not busy (P32.2)."""
    board = table.open
    for tf in sorted(tf for tf, force in board.tfs.items() if force.detected and not force.busy):
        if not watched(table, tf):
            lose_sight(table, tf)
    cover_troops(table)


def watched(table: Table, tf: str) -> bool:
    """Return whether an enemy ground unit, warship or working airbase with aircraft is near (P32.2)."""
    board = table.open
    foe = enemy(board.tfs[tf].side)
    own, here = table.own[foe], fleet_hex(board, tf)
    most = FAR_AT_NIGHT if board.lighting == NIGHT else FAR
    eyes: Sequence[str] = [
        *board.troops[foe],
        *(fleet_hex(board, one) for one in own.fleets if warship(board, own, one)),
        *(
            LOCATIONS[p].hex
            for p, base in board.bases.items()
            if base.control == foe and not base.interdicted and based(own, p)
        ),
        *(spot for piece, spot in seaplane_bases(board, foe).items() if based(own, piece)),
    ]
    return any(distance(eye, here) <= most for eye in eyes)
