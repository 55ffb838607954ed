"""C10.11 Losses aboard, C10.12 the limit at sea, C17.2 leaders: what goes with a unit that is gone."""

from collections.abc import Sequence

from domain.coral_sea import changes
from domain.coral_sea.atlas import at_sea
from domain.coral_sea.charts import GROUND_LIMIT, OWNERS, RP_PER_SHIP, UNITS
from domain.coral_sea.decisions import ChooseUnit, LoseUnit
from domain.coral_sea.fighting import LeftBattle
from domain.coral_sea.happenings import LeaderLost, LeaderWith
from domain.coral_sea.initiative import shift
from domain.coral_sea.intelligence import board, cover, seen
from domain.coral_sea.table import GROUND, NAVAL, Open, Sight, Table, at, ships
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


def leave_battle(table: Table, unit: str) -> None:
    """Take a unit out of the battle that is fought, if it is in it."""
    battle = table.open.battle
    if battle and any(unit in units for units in battle.units):
        table.record(LeftBattle(unit))


class Caused(Procedure, kw_only=True):
    """A procedure with a cause, which is told once and then cleared, and so not recorded in the stack."""

    why: str = ""

    def told(self) -> str:
        """Return the cause and clear it."""
        why, self.why = self.why, ""
        return why


class Loss(Caused, kw_only=True):
    """C4.4 A UNIT IS DESTROYED, with what goes down with it."""

    unit: str
    area: str = ""
    mates: tuple[str, ...] = ()

    @step("C4.4")
    def destroy(self, table: Table) -> None:
        """Take it out for good; it scores for the opponent. Truk ships are lost (C18.5)."""
        whole = board(table)
        side = OWNERS[self.unit]
        self.area = whole.units[self.unit].area
        self.mates = tuple(
            name for name in at(whole, self.area, side, UNITS[self.unit].domain) if name != self.unit
        )
        leave_battle(table, self.unit)
        changes.destroy(table, self.unit, self.told())
        shift(table)

    @step("C17.2")
    def leaders(self, _table: Table) -> Flow:
        """Ask which unit of the stack a leader stays with; he is lost with the last one."""
        return Bereaved(side=OWNERS[self.unit], unit=self.unit, mates=self.mates)

    @step("C10.11")
    def cargo(self, table: Table) -> Flow:
        """With a ship one ground unit is destroyed, with the last ship all cargo."""
        side = OWNERS[self.unit]
        if UNITS[self.unit].domain != NAVAL or not at_sea(self.area):
            return DONE
        shed(table, side, self.area, "lost with the ship")
        if not ships(board(table), self.area, side):
            return self.last_ship
        return CargoLoss(side=side, area=self.area, kind="destroyed")

    @step("C10.11")
    def last_ship(self, table: Table) -> Flow:
        """With the last ship all cargo is destroyed."""
        return drowned(table, OWNERS[self.unit], self.area)


def shed(table: Table, side: int, area: str, why: str) -> None:
    """C10.11: of resource points at sea those are lost that the ships left there cannot carry (R97).

    The new height of the stack is recorded at once, since the enemy can count the sealed facts (C22.2).
    """
    whole = board(table)
    room = len(ships(whole, area, side)) * RP_PER_SHIP
    if whole.rp[side].get(area, 0) > room:
        changes.set_rp(table, side, area, room, why)
        cover(table)


def drowned(table: Table, side: int, area: str) -> Flow:
    """C10.10, C10.11: where no ship of a side is left at sea, its units aboard are destroyed."""
    whole = board(table)
    cargo = at(whole, area, side, GROUND)
    return Drowned(units=tuple(cargo)) if cargo and not ships(whole, area, side) else None


class Drowned(Procedure):
    """C10.11 ALL CARGO IS DESTROYED."""

    units: tuple[str, ...]

    @step("C10.11")
    def next_unit(self, _table: Table) -> Flow:
        """One after the other."""
        if not self.units:
            return DONE
        unit, *rest = self.units
        self.units = tuple(rest)
        return Loss(unit=unit, why="with the last ship there (C10.11)")

    @step("C10.11")
    def again(self, _table: Table) -> Flow:
        """Until none is left."""
        return self.next_unit


class Bereaved(Procedure):
    """C17.2 WHERE A LEADER GOES whose unit is gone, or that is left behind."""

    side: int
    unit: str
    mates: tuple[str, ...]
    once: bool = False
    """He is only asked where he goes; the unit itself is still there."""

    def leader(self, open: Open) -> str:
        """Return the next leader that is still with the unit."""
        return next((leader for leader, unit in open.leaders.items() if unit == self.unit), "")

    @ask("C17.2", by="side", forced=True)
    def stays(self, sight: Sight) -> list[Decision]:
        """Choose the unit that the leader stays with."""
        return [ChooseUnit(unit) for unit in self.mates] if self.leader(sight.open) else []

    @stays.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        why = "The stack parts" if self.once else f"[{self.unit}] is gone"
        return f"{why}: choose which of {len(options)} units [{self.leader(sight.open)}] stays with."

    @stays.chosen
    def _(self, table: Table, decision: ChooseUnit) -> Flow:
        table.record(LeaderWith(self.leader(table.open), decision.unit))
        return DONE if self.once else self.stays

    @step("C17.2")
    def lost(self, table: Table) -> Flow:
        """With the last unit he is lost."""
        leader = self.leader(table.open)
        if not leader or self.once:
            return DONE
        table.record(LeaderLost(leader))
        return self.lost


class CargoLoss(Procedure):
    """C10.11 A SHIP'S LOSS IS SHARED by a ground unit aboard."""

    side: int
    area: str
    kind: str

    @ask("C10.11", by="side", forced=True)
    def who(self, sight: Sight) -> list[Decision]:
        """Choose the unit aboard that shares the ship's loss."""
        return [ChooseUnit(unit) for unit in at(seen(sight), self.area, self.side, GROUND)]

    @who.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        which = f"which of {len(options)} units aboard shares its loss"
        return f"A ship at [{self.area}] is {self.kind}: choose {which}."

    @who.chosen
    def _(self, table: Table, decision: ChooseUnit) -> Flow:
        unit = board(table).units[decision.unit]
        if self.kind == "destroyed":
            return Loss(unit=decision.unit, why="with a ship (C10.11)")
        if self.kind == "depleted" and not unit.depleted:
            changes.deplete(table, decision.unit, "with a ship (C10.11)")
        elif not unit.disorganised:
            instead = self.kind == "depleted"
            changes.disorganise(table, decision.unit, "with a ship (C10.11)", instead=instead)
        return DONE


class Excess(Procedure):
    """C10.12 AT THE END OF AN OPERATION no more than three ground units of a side stay in one sea area."""

    side: int

    @ask("C10.12", by="side", forced=True)
    def lose(self, sight: Sight) -> list[Decision]:
        """Choose the unit aboard that is lost: there are too many."""
        whole = seen(sight)
        areas = {unit.area for unit in whole.units.values() if at_sea(unit.area)}
        for area in sorted(areas):
            cargo = at(whole, area, self.side, GROUND)
            if len(cargo) > GROUND_LIMIT:
                return [LoseUnit(unit) for unit in cargo]
        return []

    @lose.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        area = seen(sight).units[next(one.unit for one in options if isinstance(one, LoseUnit))].area
        over = len(options) - GROUND_LIMIT
        which = "one that is lost" if over == 1 else f"next of {over} that are lost"
        return f"{len(options)} units at sea at [{area}], {GROUND_LIMIT} may stay: choose the {which}."

    @lose.chosen
    def _(self, _table: Table, decision: LoseUnit) -> Flow:
        return Loss(unit=decision.unit, why="as one too many at sea (C10.12)")

    @step("C10.12")
    def again(self, table: Table) -> Flow:
        """Until nowhere there are too many."""
        whole = board(table)
        full = [u.area for n, u in whole.units.items() if at_sea(u.area) and OWNERS[n] == self.side]
        return self.lose if any(len(at(whole, a, self.side, GROUND)) > GROUND_LIMIT for a in full) else None
