"""C18 The Truk Fleet."""

from collections.abc import Sequence

from domain.coral_sea import changes
from domain.coral_sea.charts import JAPAN, UNITS
from domain.coral_sea.decisions import TrukEntry
from domain.coral_sea.intelligence import board, seen
from domain.coral_sea.losses import Caused, Loss, leave_battle, shed
from domain.coral_sea.printed import Effect
from domain.coral_sea.table import WITHDRAWN, Open, Sight, Table, ship_areas
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step

FLEET = tuple(unit for unit, counter in UNITS.items() if counter.truk_fleet)


def on_map(open: Open) -> list[str]:
    """Return the Truk ships on the map."""
    return [unit for unit in FLEET if unit in open.units and open.units[unit].area]


def free_entries(open: Open, entries: tuple[str, ...]) -> list[str]:
    """Return the entry areas without any ship in them (C18.1)."""
    taken = ship_areas(open, 0) | ship_areas(open, 1)
    return [area for area in entries if area not in taken]


class Sortie(Procedure):
    """C18.1 THE FLEET APPEARS, all four ships full and organised, with resource points aboard."""

    effect: Effect

    @ask("C18.1", by="japan", forced=True)
    def enter(self, sight: Sight) -> list[Decision]:
        """Choose where the Truk Fleet appears."""
        return [TrukEntry(area) for area in free_entries(seen(sight), self.effect.entry)]

    @property
    def japan(self) -> int:
        """The seat that chooses."""
        return JAPAN

    @enter.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        return f"The Truk Fleet appears: choose which of {len(options)} sea areas it enters."

    @enter.chosen
    def _(self, table: Table, decision: TrukEntry) -> Flow:
        for unit in self.effect.units:
            changes.place(table, unit, decision.area)
        changes.add_rp(table, JAPAN, decision.area, self.effect.rp, "with the fleet")
        return DONE


class Withdrawal(Caused):
    """C18.5 A TRUK SHIP THAT BECOMES DISORGANISED leaves the map at once."""

    unit: str
    area: str = ""

    @step("C18.5")
    def leave(self, table: Table) -> Flow:
        """Depleted, it is lost and scores; else it is only withdrawn."""
        state = board(table).units[self.unit]
        self.area = state.area
        why = f"since it is disorganised {self.told()}, as Truk ships do (C18.5)"
        if state.depleted:
            return Loss(unit=self.unit, why=why)
        leave_battle(table, self.unit)
        changes.leave(table, self.unit, WITHDRAWN, why)
        return None

    @step("C18.5")
    def resource_points(self, table: Table) -> None:
        """With it go the resource points that the others in the area cannot carry."""
        shed(table, JAPAN, self.area, "gone with the ship")


def go_home(table: Table) -> None:
    """C18.4: when an operation ends and no resource point is aboard with any of them, all leave the map."""
    whole = board(table)
    ships = on_map(whole)
    if not ships or any(whole.rp[JAPAN].get(whole.units[ship].area) for ship in ships):
        return
    for ship in ships:
        changes.leave(table, ship, WITHDRAWN, "with no resource point left aboard (C18.4)")
