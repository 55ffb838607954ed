"""C7 On-board operations: opening, actions, the end."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.coral_sea import airfields, changes
from domain.coral_sea.charts import REPAIR, SP_PER_RP
from domain.coral_sea.decisions import (
    Besiege,
    BuildAirfield,
    EndOperation,
    OpenOperation,
    Rebuild,
    RemoveAirfield,
    Reorganize,
    RepairAirfield,
    SetTop,
    Sortie,
    StartGroundMove,
    StartNavalMove,
)
from domain.coral_sea.facts import ActionEnded, OperationEnded, OperationOpened, either, number
from domain.coral_sea.fortress import Sally, Siege, lift, sieges
from domain.coral_sea.ground import GroundMove, movers, starts
from domain.coral_sea.intelligence import cover, seen, set_top, tops
from domain.coral_sea.losses import Excess
from domain.coral_sea.naval import NavalMove
from domain.coral_sea.places import AirfieldRepaired, RpHas
from domain.coral_sea.reactions import AFTER_ACTION, OP_END, OP_OPEN, keep, of_operation
from domain.coral_sea.rebuilding import mend, mending
from domain.coral_sea.routes import can_sail
from domain.coral_sea.stacking import pay
from domain.coral_sea.supply import able, able_ground, reach
from domain.coral_sea.table import Open, Sight, Table, operating
from domain.coral_sea.truk import go_home
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


def actions(open: Open) -> list[Decision]:
    """Return the actions that are legal now and can be paid (C7.5, C7.7)."""
    operation = operating(open)
    side, sp = operation.side, operation.sp
    if not sp:
        return []
    ready, troops = able(open), able_ground(open)
    options = starts(open)
    if can_sail(open):
        options.append(StartNavalMove())
    options += mending(open, side, ready)
    if sp >= airfields.cost(open):
        options += airfields.works_to_do(open, side, troops)
    if sp >= REPAIR:
        options += airfields.repairs(open, side, reach(open, side, operation.area))
    return options + sieges(open, side)


def idle(open: Open, side: int) -> list[str]:
    """Return the places where an operation opened now would end at once: no action is legal there (C7.2)."""
    return [area for area in open.rp[side] if not actions(opened(open, side, area))]


def opened(open: Open, side: int, area: str) -> Open:
    """Return the table as it would be with an operation opened in an area (C7.1)."""
    rp = (dict(open.rp[0]), dict(open.rp[1]))
    then = replace(open, rp=rp, units={name: replace(unit) for name, unit in open.units.items()})
    for fact in (OperationOpened(side, area, SP_PER_RP), RpHas(side, area, rp[side][area] - 1, "")):
        fact.apply(then)
    return then


def why_over(open: Open) -> str:
    """Return why an operation cannot go on, empty if it could. Of hidden units nothing is told (C22.2)."""
    if not operating(open).sp:
        return "no supply point is left"
    return "" if open.options.limited_intelligence or actions(open) else "no action is possible"


class OperationFrame(Procedure, tag="Operation"):
    """C7 AN OPERATION."""

    side: int
    set: tuple[str, ...] = ()
    """Stacks whose top was set before this decision (D23)."""
    opened: bool = False
    acting: bool = False
    sailing: bool = False

    @ask("C7.1", by="side", forced=True)
    def open_operation(self, sight: Sight) -> list[Decision]:
        """Choose where to spend a resource point and open the operation."""
        return [OpenOperation(area) for area in seen(sight).rp[self.side]]

    @open_operation.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        places = f"which of {len(options)} places"
        text = f"Open an operation of {SP_PER_RP} supply points: choose {places} spends a resource point."
        useless = idle(seen(sight), self.side)
        if not useless:
            return text
        where = "any of them" if len(useless) == len(options) else either([f"[{area}]" for area in useless])
        return f"{text} No action is possible at {where} now: an operation there would end at once."

    @open_operation.chosen
    def _(self, table: Table, decision: OpenOperation) -> None:
        table.record(OperationOpened(self.side, decision.area, SP_PER_RP))
        changes.add_rp(table, self.side, decision.area, -1, "spent on the operation")
        changes.refresh(table)
        cover(table)
        self.opened = True

    @step("C7.1")
    def window_open(self, table: Table) -> Flow:
        """Cards may answer the opening."""
        return of_operation(table, OP_OPEN) if self.opened else DONE

    @ask("C7.2", by="side")
    def act(self, sight: Sight) -> list[Decision]:
        """Choose an action, or end the operation."""
        whole = seen(sight)
        options = actions(whole)
        return [*options, *tops(sight, self.set), EndOperation()] if options else []

    @act.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the moves for which there is a choice of units."""
        whole = seen(sight)
        return [option for option in options if self.chooses(whole, option)]

    @act.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        now = operating(sight.open)
        return f"Your operation at [{now.area}]: {number(now.sp, 'supply point')} left. Choose an action."

    @act.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        if isinstance(decision, SetTop):
            set_top(table, self.side, decision)
            self.set += (decision.area,)
            return self.act
        self.set = ()
        if isinstance(decision, EndOperation):
            return self.window_end
        self.acting = True
        self.sailing = isinstance(decision, StartNavalMove)
        return self.carry_out(table, decision)

    @step("C7.2")
    def complete(self, table: Table) -> Flow:
        """Complete the action: cards may answer it, then the next is chosen."""
        if not self.acting:
            return self.window_end
        self.acting = False
        lift(table)
        cover(table)
        changes.move_over(table, self.side)
        if not self.sailing:
            table.record(ActionEnded())
        return of_operation(table, AFTER_ACTION)

    @step("C7.2")
    def next_action(self, table: Table) -> Flow:
        """So it goes on until no supply point is left, or nothing but ending is legal."""
        lift(table)
        return self.act

    @step("C7.2")
    def window_end(self, table: Table) -> Flow:
        """Cards may answer the end."""
        return of_operation(table, OP_END)

    @step("C10.12")
    def excess_cargo(self, _table: Table) -> Flow:
        """Of more than three ground units aboard in one area the owner loses the excess."""
        return Excess(side=self.side)

    @step("C10.12")
    def enemy_excess_cargo(self, _table: Table) -> Flow:
        """Do the same for the other side."""
        return Excess(side=1 - self.side)

    @step("C18.4")
    def truk_fleet(self, table: Table) -> None:
        """Without a resource point aboard the Truk Fleet leaves the map."""
        go_home(table)

    @step("C7.2")
    def end(self, table: Table) -> Flow:
        """Take the marker off, and end standing passes; a card may let another operation follow at once."""
        again = operating(table.open).again
        table.record(OperationEnded(self.side, why_over(table.open)))
        for side in (0, 1):
            keep(table, side, ())
        cover(table)
        return OperationFrame(side=self.side) if again else None

    def chooses(self, open: Open, decision: Decision) -> bool:
        """Return whether the owner chooses who moves, or what goes along."""
        if isinstance(decision, StartGroundMove):
            return len(movers(open, decision.area)) > 1
        return isinstance(decision, StartNavalMove) and NavalMove(side=self.side).choosing(open)

    def carry_out(self, table: Table, decision: Decision) -> Flow:
        """Begin the action that was chosen."""
        if isinstance(decision, StartGroundMove):
            return GroundMove(side=self.side, area=decision.area)
        if isinstance(decision, StartNavalMove):
            return NavalMove(side=self.side)
        if isinstance(decision, Besiege):
            return Siege(side=self.side, area=decision.area)
        if isinstance(decision, Sortie):
            return Sally(side=self.side, area=decision.area)
        if isinstance(decision, Reorganize | Rebuild):
            mend(table, decision)
        elif isinstance(decision, BuildAirfield | RemoveAirfield):
            pay(table, airfields.cost(table.open), "an airfield")
            changes.acted(table, [decision.unit])
            work = airfields.build if isinstance(decision, BuildAirfield) else airfields.remove
            work(table, self.side, decision.area)
        elif isinstance(decision, RepairAirfield):
            pay(table, REPAIR, "repairs")
            table.record(AirfieldRepaired(decision.area))
        return None
