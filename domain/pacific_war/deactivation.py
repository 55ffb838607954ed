"""P32.1 Deactivation in the joint phase of a Battle, P32.2 detection removal."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.atlas import distance
from domain.pacific_war.changes import Changes
from domain.pacific_war.charts import LOCATIONS, NIGHT, PORT_ROOM
from domain.pacific_war.costs import UNITS_PER_POINT, overtime
from domain.pacific_war.decisions import Deactivate, DeactivateTF, Done
from domain.pacific_war.intelligence import cover_troops, lose_sight, meet
from domain.pacific_war.losses import take_out
from domain.pacific_war.pool import draw, purse
from domain.pacific_war.silence import cushion, sealed
from domain.pacific_war.table import (
    Open,
    Own,
    Sight,
    Table,
    aboard,
    based,
    enemy,
    fleet_hex,
    groups_of,
    members,
    warship,
)
from domain.pacific_war.war import Operation

FAR, FAR_AT_NIGHT = 3, 1


class Deactivation(Procedure):
    """P32.1 A SIDE DEACTIVATES UNITS."""

    side: int
    forced: bool = False
    """It must deactivate all (R-41)."""

    @ask("32.1", by="side")
    def choose(self, sight: Sight) -> list[Decision]:
        """Deactivate units that are to fight no more, or be done."""
        own = sight.own
        options: list[Decision] = [
            *(
                Deactivate(unit)
                for unit, air in sorted(own.air.items())
                if _at_base(air.home) and air.active and air.steps
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
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        if len(options) == 1:
            return "Nothing is left to deactivate: be done."
        asked = "Choose a unit or task force that is to fight no more in this scenario, or be done."
        if any(isinstance(one, DeactivateTF) for one in options):
            asked += " A task force that is in no own port with room leaves the scenario with all aboard."
        return asked

    @choose.chosen
    def _(self, table: Table, decision: Deactivate | DeactivateTF | Done) -> Flow:
        if isinstance(decision, Done):
            self.pay(table)
            return DONE
        if isinstance(decision, DeactivateTF):
            stand_down(table, self.side, decision.tf)
        else:
            now = Changes(table, "deactivated")
            if decision.unit in table.own[self.side].air:
                now.aircraft(decision.unit, active=False)
            else:
                now.troops(decision.unit, active=False)
            now.record()
        return self.choose

    @step("32.1")
    def over(self, _table: Table) -> None:
        """Nothing is left to deactivate."""

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
    air = sum(one.active and one.steps > 0 and _at_base(one.home) for one in own.air.values())
    ground = sum(one.active and bool(one.hex) and one.steps > 0 for one in own.ground.values())
    return -(-(ships + air + ground) // UNITS_PER_POINT)


def _may_have(open: Open, side: int) -> bool:
    """Return whether a side may have Activated units, for all that everybody sees."""
    at_sea = any(force.side == side for force in open.tfs.values())
    return at_sea or bool(open.airfields[side] or open.troops[side])


def _at_base(home: str) -> bool:
    return home in LOCATIONS


def harbour(open: Open, own: Own, side: int, tf: str) -> str:
    """Return the own port in the hex of a task force that has room for its ships, or an empty string."""
    for place, base in open.bases.items():
        here = base.control == side and base.port and LOCATIONS[place].coast in (open.tfs[tf].node, None)
        inside = sum(ship.port == place for ship in own.ships.values())
        room = inside + len(members(own, tf)) <= PORT_ROOM[base.port]
        if here and room and LOCATIONS[place].hex == fleet_hex(open, tf):
            return place
    return ""


def stand_down(table: Table, side: int, tf: str) -> None:
    """Let a task force enter its port, where its cargo lands; elsewhere it is out of the scenario (P1.1)."""
    board, own = table.open, table.own[side]
    place, ships = harbour(board, own, side, tf), members(own, tf)
    now = Changes(table, "deactivated")
    if not place:
        take_out(now, side, ships)
        now.record()
        return
    for unit in aboard(own, ships):
        now.troops(unit, hex=LOCATIONS[place].hex, aboard={}, active=False)
    for unit in groups_of(own, tf):
        now.aircraft(unit, active=False)
    for ship in ships:
        now.leave_fleet(ship)
        now.ship(ship, tf="", port=place, active=False)
    now.record()
    meet(table, LOCATIONS[place].hex)


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
    ]
    return any(distance(eye, here) <= most for eye in eyes)
