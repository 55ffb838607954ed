"""C12.11 Results of failed checks and automatic depletion, in battles and outside them."""

from typing import Final

from domain.coral_sea import changes
from domain.coral_sea.atlas import at_sea
from domain.coral_sea.charts import OWNERS, UNITS
from domain.coral_sea.intelligence import board
from domain.coral_sea.isolation import isolated
from domain.coral_sea.losses import CargoLoss, Caused, Loss
from domain.coral_sea.retreat import Retreat
from domain.coral_sea.table import NAVAL, Table, Unit, is_truk
from domain.coral_sea.truk import Withdrawal
from domain.kernel.procedures import DONE, Flow, step

FLIP, MARK, FLEE, DIE = "flip", "mark", "flee", "die"

RESULTS: Final[dict[tuple[bool, bool], dict[str, tuple[str, ...]]]] = {
    (False, False): {
        "depleted": (FLIP,),
        "disorganized": (MARK, FLEE),
        "depleted_and_disorganized": (FLIP, MARK, FLEE),
    },
    (False, True): {
        "depleted": (FLIP,),
        "disorganized": (FLEE,),
        "depleted_and_disorganized": (FLIP, FLEE),
    },
    (True, False): {
        "depleted": (MARK, FLEE),
        "disorganized": (MARK, FLEE),
        "depleted_and_disorganized": (MARK, FLEE),
    },
    (True, True): {
        "depleted": (FLEE,),
        "disorganized": (FLEE,),
        "depleted_and_disorganized": (FLEE,),
    },
}
"""C12.11: whether a unit is depleted and disorganised, and the result, to what befalls it."""
SUNK: Final = {"depleted": (DIE,), "disorganized": (FLEE,), "depleted_and_disorganized": (DIE,)}
"""The last row of C12.11 for ships."""


def outcome(unit: str, state: Unit, result: str) -> tuple[str, ...]:
    """Return what befalls a unit (C12.11)."""
    if state.depleted and state.disorganised and UNITS[unit].domain == NAVAL:
        return SUNK[result]
    return RESULTS[state.depleted, state.disorganised][result]


class Damage(Caused):
    """C12.11 A RESULT, with the losses aboard (C10.11) and the retreat (C13)."""

    unit: str
    result: str
    retreats: bool
    """Whether it may have to retreat: in battles, and where a card says so."""
    what: tuple[str, ...] = ()
    cut_off: bool = False
    aboard: tuple[str, ...] = ()
    """What the cargo still suffers."""
    area: str = ""

    @step("C12.11")
    def strike(self, table: Table) -> Flow:
        """Flip it, mark it, or destroy it; a Truk ship that is disorganised leaves the map (C18.5)."""
        whole = board(table)
        state = whole.units[self.unit]
        self.area = state.area
        self.what = outcome(self.unit, state, self.result)
        battle = table.open.battle
        self.cut_off = (self.unit in battle.isolated) if battle else isolated(whole, self.unit)
        if DIE in self.what:
            return self.destroyed
        if FLIP in self.what:
            changes.deplete(table, self.unit, self.why)
            self.aboard += ("depleted",)
        if MARK in self.what and is_truk(self.unit):
            return self.withdrawn
        why = self.told()
        if MARK in self.what:
            changes.disorganise(table, self.unit, why, instead=self.result == "depleted")
            self.aboard += ("disorganised",)
        return None

    @step("C10.11")
    def losses_aboard(self, _table: Table) -> Flow:
        """Let a ground unit aboard suffer what the ship does."""
        if not self.aboard or UNITS[self.unit].domain != NAVAL or not at_sea(self.area):
            return self.flee
        kind, *rest = self.aboard
        self.aboard = tuple(rest)
        return CargoLoss(side=OWNERS[self.unit], area=self.area, kind=kind)

    @step("C10.11")
    def more_losses_aboard(self, _table: Table) -> Flow:
        """One for each."""
        return self.losses_aboard

    @step("C12.12")
    def flee(self, _table: Table) -> Flow:
        """Retreat; isolated, it is destroyed unless it can go aboard ships (C13.3)."""
        if FLEE not in self.what or not self.retreats:
            return DONE
        side = OWNERS[self.unit]
        if self.cut_off and UNITS[self.unit].domain == NAVAL:
            self.why = "since it is isolated (C12.12)"
            return self.destroyed
        return Retreat(unit=self.unit, side=side, isolated=self.cut_off)

    @step("C12.12")
    def over(self, _table: Table) -> Flow:
        """Leave: it is out of the battle."""
        return DONE

    @step("C12.11")
    def destroyed(self, _table: Table) -> Flow:
        """Destroy it."""
        return Loss(unit=self.unit, why=self.told())

    @step("C12.11")
    def gone(self, _table: Table) -> Flow:
        """Leave: that is all."""
        return DONE

    @step("C18.5")
    def withdrawn(self, _table: Table) -> Flow:
        """Take it off the map at once: lost if depleted, else only withdrawn."""
        return Withdrawal(unit=self.unit, why=self.told())
