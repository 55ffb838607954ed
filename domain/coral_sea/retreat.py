"""C13 Retreat, and C3.9 what happens when a side gains control: each may lead to the other."""

from collections.abc import Sequence

from domain.coral_sea import airfields, changes
from domain.coral_sea.atlas import PORTS, at_sea
from domain.coral_sea.charts import RETREAT_AREAS, RP_PER_SHIP, UNITS
from domain.coral_sea.decisions import RetreatTo
from domain.coral_sea.flight import destinations, open_water
from domain.coral_sea.happenings import TookRefuge
from domain.coral_sea.initiative import shift
from domain.coral_sea.intelligence import board, cover, seen
from domain.coral_sea.losses import Bereaved, Loss, leave_battle, shed
from domain.coral_sea.places import ControlChanged
from domain.coral_sea.table import GROUND, NAVAL, WITHDRAWN, Sight, Table, at, enemy, is_truk, ships
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


class Retreat(Procedure):
    """C13 A RETREAT, made at once, unit by unit; it costs nothing."""

    unit: str
    side: int
    isolated: bool = False
    start: str = ""
    gone: int = 0
    """How many areas it has gone."""

    @step("C13.4")
    def begin(self, table: Table) -> Flow:
        """With no legal destination the unit is destroyed."""
        whole = board(table)
        self.start = whole.units[self.unit].area
        return None if destinations(whole, self.unit, self.isolated) else self.destroyed

    @ask("C13.4", by="side", forced=True)
    def go(self, sight: Sight) -> list[Decision]:
        """Choose where the unit retreats to."""
        return [RetreatTo(area) for area in destinations(seen(sight), self.unit, self.isolated)]

    @go.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        away = f", area {self.gone + 1} of at most {RETREAT_AREAS}" if self.gone else " at once"
        return f"[{self.unit}] retreats from [{self.start}]{away}: choose where to."

    @go.chosen
    def _(self, table: Table, decision: RetreatTo) -> Flow:
        leave_battle(table, self.unit)
        if decision.area == self.start:
            table.record(TookRefuge((self.unit,), decision.area))
            return DONE
        self.gone += 1
        origin = board(table).units[self.unit].area
        changes.move(table, [self.unit], decision.area, "retreat")
        if UNITS[self.unit].domain == NAVAL:
            take_cargo(table, self.side, origin, decision.area)
        cover(table)
        return GainControl(area=decision.area, side=self.side)

    @step("C17.2")
    def leader(self, table: Table) -> Flow:
        """Ask where a leader with the unit goes."""
        mates = [m for m in at(board(table), self.start, self.side, GROUND) if m != self.unit]
        if not mates or UNITS[self.unit].domain == NAVAL:
            return None
        return Bereaved(side=self.side, unit=self.unit, mates=(self.unit, *mates), once=True)

    @step("C13.1")
    def farther(self, table: Table) -> Flow:
        """Go on only by the plain series rule, and not past own resource points or fortresses."""
        whole = board(table)
        here = whole.units[self.unit].area
        if self.gone >= RETREAT_AREAS or at_sea(here) or UNITS[self.unit].domain == NAVAL:
            return DONE
        own_fortress = here in whole.fortresses and whole.fortresses[here].side == self.side
        if whole.rp[self.side].get(here) or own_fortress:
            return DONE
        return self.go if destinations(whole, self.unit, self.isolated) else DONE

    @step("C13.4")
    def over(self, _table: Table) -> Flow:
        """Leave: it has retreated."""
        return DONE

    @step("C13.5")
    def destroyed(self, table: Table) -> Flow:
        """Destroy it: there is no way out. A Truk ship that other ships alone keep out is only removed."""
        if not is_truk(self.unit) or not open_water(board(table), self.unit):
            rule = "C13.5" if UNITS[self.unit].domain == NAVAL else "C12.12" if self.isolated else "C13.4"
            return Loss(unit=self.unit, why=f"since it has no way to retreat ({rule})")
        leave_battle(table, self.unit)
        changes.leave(table, self.unit, WITHDRAWN, "since other ships bar every way to retreat (C13.5)")
        shed(table, self.side, self.start, "gone with the ship")
        return None


def take_cargo(table: Table, side: int, origin: str, to: str) -> None:
    """Cargo goes with the last ship; resource points that the others have no room for go too (C13.5)."""
    if not at_sea(origin):
        return
    whole = board(table)
    staying = ships(whole, origin, side)
    here = whole.rp[side].get(origin, 0)
    going = max(0, here - len(staying) * RP_PER_SHIP)
    if going:
        changes.add_rp(table, side, origin, -going, "taken along")
        changes.add_rp(table, side, to, going, "taken along")
    if not staying:
        changes.move(table, at(whole, origin, side, GROUND), to, "retreat")


class GainControl(Procedure):
    """C3.9 CONTROL IS GAINED by a ground unit alone in a land area."""

    area: str
    side: int

    @step("C3.7")
    def control(self, table: Table) -> Flow:
        """Change it at the instant a ground unit is alone there; ships never change it."""
        whole = board(table)
        if at_sea(self.area) or whole.control.get(self.area, self.side) == self.side:
            return DONE
        alone = at(whole, self.area, self.side, GROUND) and not at(whole, self.area, enemy(self.side), GROUND)
        if not alone or self.area in whole.fortresses:
            return DONE
        table.record(ControlChanged(self.area, self.side))
        return None

    @step("C3.9")
    def ships_leave(self, table: Table) -> Flow:
        """First enemy ships in the port retreat, one by one, without becoming disorganised."""
        foe = enemy(self.side)
        fleet = ships(board(table), self.area, foe) if self.area in PORTS else []
        return Retreat(unit=fleet[0], side=foe) if fleet else self.resource_points

    @step("C3.9")
    def next_ship(self, _table: Table) -> Flow:
        """Then the next."""
        return self.ships_leave

    @step("C15.4")
    def resource_points(self, table: Table) -> None:
        """Then half of the enemy's resource points, rounded down, are captured; the rest vanish."""
        foe = enemy(self.side)
        found = board(table).rp[foe].get(self.area, 0)
        if found:
            changes.set_rp(table, foe, self.area, 0, "captured")
            changes.add_rp(table, self.side, self.area, found // 2, "captured")
            cover(table)

    @step("C19.6")
    def airfield(self, table: Table) -> None:
        """Then an enemy airfield counter is replaced."""
        airfields.capture(table, self.side, self.area)

    @step("C20.3")
    def initiative(self, table: Table) -> None:
        """Last comes the test of the initiative."""
        shift(table)
