"""P2.2.2 Task forces exchange ships, merge and split."""

from collections.abc import Iterable, Sequence

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.charts import CORE_MOST, LIGHT, MARKERS, OWNERS, SCREEN_MOST, SIDES
from domain.pacific_war.board.table import (
    Contents,
    Fleet,
    Open,
    Own,
    Sight,
    Table,
    TaskForce,
    aboard,
    members,
    printed,
    tfs_at,
)
from domain.pacific_war.decisions.cycle import Done, JoinTF, NewTF, Slot, TransferShip
from domain.pacific_war.facts.changes import Changes, dissolve
from domain.pacific_war.facts.cycle import Busy, MarkerPlaced
from domain.pacific_war.facts.intelligence import detect, refresh
from domain.pacific_war.facts.secrets import OwnUnits


def slots(open: Open, own: Own, ship: str, tf: str) -> list[Slot]:
    """Return the slots of a task force that have room for a ship (P2.2.2)."""
    unit, inside = printed(open, ship), own.fleets[tf].ships
    room: list[Slot] = []
    if unit.cls not in LIGHT and len(inside.core) < CORE_MOST:
        room.append("core")
    if (unit.cls in LIGHT or unit.capital) and len(inside.screen) < SCREEN_MOST:
        room.append("screen")
    return room


def joins(open: Open, own: Own, ship: str, among: Iterable[str]) -> list[JoinTF]:
    """Return where a ship may go among task forces on its node."""
    home = own.ships[ship].tf
    node = open.tfs[home].node
    return [
        JoinTF(tf, slot)
        for tf in sorted(among)
        if tf != home and open.tfs[tf].node == node
        for slot in slots(open, own, ship, tf)
    ]


def part_of_load(own: Own, ship: str) -> bool:
    """Return whether a ship carries only a part of a ground unit (P2.2.2)."""
    return any(len(own.ground[unit].aboard) > 1 for unit in aboard(own, [ship]))


def regroupings(
    open: Open, own: Own, side: int, among: Iterable[str], moved: Iterable[str]
) -> list[Decision]:
    """Return how a side may reorganise these task forces; each ship is moved once (P2.2.2)."""
    forces, done = [tf for tf in sorted(among) if tf in own.fleets], set(moved)
    options: list[Decision] = [
        TransferShip(ship)
        for ship in sorted(ship for tf in forces for ship in members(own, tf))
        if ship not in done and not part_of_load(own, ship) and joins(open, own, ship, forces)
    ]
    empty = any(not members(own, tf) for tf in forces)
    if not empty and sum(force.side == side for force in open.tfs.values()) < MARKERS[side]:
        options += [
            NewTF(node)
            for node in sorted({open.tfs[tf].node for tf in forces})
            if _splits(open, own, forces, node, done)
        ]
    return options


def _splits(open: Open, own: Own, forces: Iterable[str], node: str, done: set[str]) -> bool:
    """Return whether one of these task forces on a node can give a ship to a new one and keep another."""
    return any(
        len(ships := members(own, tf)) > 1
        and any(ship not in done and not part_of_load(own, ship) for ship in ships)
        for tf in forces
        if open.tfs[tf].node == node
    )


def unsettled(
    open: Open, own: Own, among: Iterable[str], options: Iterable[Decision]
) -> list[TransferShip | NewTF]:
    """Return the options after which the seat is asked again: a ship with one way to go goes it at once."""
    forces = [tf for tf in among if tf in own.fleets]
    return [
        one
        for one in options
        if isinstance(one, NewTF)
        or (isinstance(one, TransferShip) and len(joins(open, own, one.ship, forces)) > 1)
    ]


def new_marker(table: Table, side: int, node: str) -> str:
    """Place an empty task force on a node, and return its id: the first that is free."""
    board, letter = table.open, SIDES[side][0]
    tf = next(name for n in range(1, MARKERS[side] + 1) if (name := f"{letter}{n}") not in board.tfs)
    near = [board.tfs[one] for one in tfs_at(board, node, side)]
    force = TaskForce(side, node, came=any(one.came for one in near), known=any(one.known for one in near))
    table.record(MarkerPlaced(tf, force))
    used = max(
        (table.own[side].fleets[one].used for one in tfs_at(board, node, side) if one != tf), default=0
    )
    table.record(OwnUnits(side, {tf: Fleet(used=used)}))
    return tf


def clear(table: Table, side: int) -> None:
    """Remove the markers of a side that have no ship (P2.2.2)."""
    for tf in sorted(tf for tf, fleet in table.own[side].fleets.items() if not fleet.ships.ships):
        dissolve(table, tf)


class Transfer(Procedure):
    """P2.2.2 A SHIP CHANGES ITS TASK FORCE."""

    ship: str
    among: tuple[str, ...]

    @ask("2.2.2", by="side", forced=True)
    def join(self, sight: Sight) -> list[Decision]:
        """Choose the task force that it joins."""
        return [*joins(sight.open, sight.own, self.ship, [tf for tf in self.among if tf in sight.open.tfs])]

    @join.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Choose the task force, and the place in it, that [{self.ship}] joins."

    @join.chosen
    def _(self, table: Table, decision: JoinTF) -> Flow:
        now = Changes(table, "transferred")
        old = table.own[self.side].ships[self.ship].tf
        before = table.open.tfs[old]
        now.leave_fleet(self.ship)
        inside = now.fleet_now(decision.tf).ships
        if decision.slot == "core":
            now.fleet(decision.tf, ships=Contents((*inside.core, self.ship), inside.screen))
        else:
            now.fleet(decision.tf, ships=Contents(inside.core, (*inside.screen, self.ship)))
        now.ship(self.ship, tf=decision.tf)
        used = max(table.own[self.side].fleets[tf].used for tf in (old, decision.tf))
        now.fleet(decision.tf, used=used)
        now.record()
        if before.busy:
            table.record(Busy((decision.tf,), fought=before.fought))
        if before.detected:
            detect(table, decision.tf, "with the ship that joins it", "2.2.2")
        refresh(table, decision.tf)
        return None

    @property
    def side(self) -> int:
        """Whose ship it is."""
        return OWNERS[self.ship]


class Reorganise(Procedure):
    """P2.2.2 TASK FORCES THAT HAVE FOUGHT REORGANISE."""

    side: int
    tfs: tuple[str, ...]
    moved: tuple[str, ...] = ()
    moving: bool = False

    @ask("2.2.2", by="side")
    def regroup(self, sight: Sight) -> list[Decision]:
        """Reorganise the task forces that have fought: transfer ships, form task forces, or be done."""
        options = regroupings(sight.open, sight.own, self.side, self.there(sight.open), self.moved)
        return [*options, Done()] if options else []

    @regroup.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:
        return unsettled(sight.open, sight.own, self.there(sight.open), options)

    @regroup.chosen
    def _(self, table: Table, decision: TransferShip | NewTF | Done) -> Flow:
        if isinstance(decision, Done):
            return self.over
        if isinstance(decision, NewTF):
            self.tfs += (new_marker(table, self.side, decision.node),)
            return self.regroup
        self.moved += (decision.ship,)
        self.moving = True
        return Transfer(ship=decision.ship, among=self.there(table.open))

    @step("2.2.2")
    def again(self, _table: Table) -> Flow:
        """Go on until there is nothing more to do."""
        moved, self.moving = self.moving, False
        return self.regroup if moved else None

    @step("2.2.2")
    def over(self, table: Table) -> None:
        """Remove a new task force that nothing has joined."""
        clear(table, self.side)

    def there(self, open: Open) -> tuple[str, ...]:
        """Return those that are left."""
        return tuple(tf for tf in dict.fromkeys(self.tfs) if tf in open.tfs)
