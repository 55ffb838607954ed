"""C8 Ground movement and the jungle."""

from collections.abc import Sequence

from domain.coral_sea import changes
from domain.coral_sea.atlas import BOX, LAND
from domain.coral_sea.charts import MOVE_GROUND, OWNERS
from domain.coral_sea.decisions import Done, PickUnit, StartGroundMove, StepTo, Stop, more_to_pick, picks
from domain.coral_sea.facts import AttritionSpared
from domain.coral_sea.fortress import Entering
from domain.coral_sea.intelligence import HIDDEN, board, cover, seen
from domain.coral_sea.losses import Bereaved
from domain.coral_sea.silence import TROOPS_PICKED, pad
from domain.coral_sea.stacking import pay, price
from domain.coral_sea.supply import able_ground
from domain.coral_sea.table import GROUND, Move, Open, Sight, Table, abilities, at, operating, opposed
from domain.coral_sea.units import movement
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


def can_end(open: Open, stack: tuple[str, ...], area: str, left: int, sp: int) -> bool:
    """Return whether a stack that enters an area can still get to a battle or a legal stop (C8.6)."""
    side = OWNERS[stack[0]]
    if opposed(open, area, side) or price(open, area, side, stack) <= sp:
        return True
    return left > 0 and any(can_end(open, stack, there, left - 1, sp) for there in LAND[area])


def ways(open: Open, stack: tuple[str, ...], area: str, left: int, sp: int) -> list[str]:
    """Return the areas that a stack may step to (C8.4, C8.6)."""
    if not left:
        return []
    return [there for there in LAND[area] if can_end(open, stack, there, left - 1, sp)]


def movers(open: Open, area: str) -> list[str]:
    """Return the units of an area that could begin a move (C7.7, C8.1)."""
    return [unit for unit in able_ground(open) if open.units[unit].area == area and _can_start(open, unit)]


def _can_start(open: Open, unit: str) -> bool:
    area = open.units[unit].area
    return bool(ways(open, (unit,), area, movement(open, unit), operating(open).sp - MOVE_GROUND))


def starts(open: Open) -> list[Decision]:
    """Return the areas that a ground move may start from (C8.1)."""
    if operating(open).sp < MOVE_GROUND:
        return []
    areas: dict[str, None] = {}
    for unit in able_ground(open):
        area = open.units[unit].area
        if area not in areas and area != BOX and _can_start(open, unit):
            areas[area] = None
    return [StartGroundMove(area) for area in areas]


class GroundMove(Procedure):
    """C8 A GROUND MOVE: a stack of one area goes and ends together."""

    side: int
    area: str
    stack: tuple[str, ...] = ()
    left: int = 0
    """Movement left, fixed at the start (C8.2)."""
    stepped: bool = False
    spared: bool = False
    """The jungle spares this move."""
    fought: bool = False

    @ask("C8.1", by="side", forced=True)
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the units that move together."""
        left = [unit for unit in movers(seen(sight), self.area) if unit not in self.stack]
        return picks(left, len(self.stack))

    @pick.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        taken = f" {len(self.stack)} taken, Movement {self.left} with those taken." if self.stack else ""
        return f"March from [{self.area}], 1 SP: choose the units that move together.{taken}"

    @pick.chosen
    def _(self, table: Table, decision: PickUnit | Done) -> Flow:
        if isinstance(decision, Done):
            return None
        self.stack += (decision.unit,)
        self.left = self.slowest(board(table))
        self.tell(table)
        return self.pick

    @pick.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return more_to_pick(options)

    @step("C8.2")
    def set_out(self, table: Table) -> None:
        """Pay; the lowest movement factor holds for all and is fixed now."""
        if self.area in HIDDEN:
            pad(table, TROOPS_PICKED)
        pay(table, MOVE_GROUND, "a ground move")
        changes.acted(table, self.stack)
        whole = board(table)
        self.left = self.slowest(whole)
        able = {what.type for unit in self.stack for what in abilities(whole, unit)}
        self.spared = "no_attrition" in able
        if not self.spared and whole.operation and whole.operation.unattrited:
            self.spared = True
            table.record(AttritionSpared(whole.operation.unattrited - 1))

    @step("C17.1")
    def leaders(self, table: Table) -> Flow:
        """Ask where a leader goes whose stack is split."""
        whole = board(table)
        split = [u for u in at(whole, self.area, self.side, GROUND) if u not in self.stack]
        led = next((u for u in [*self.stack, *split] if u in table.open.leaders.values()), "")
        if not led or not split:
            return None
        return Bereaved(side=self.side, unit=led, mates=(*self.stack, *split), once=True)

    @ask("C8.4", by="side", forced="in_sight")
    def march(self, sight: Sight) -> list[Decision]:
        """Choose the next area, or stop."""
        whole = seen(sight)
        sp = operating(whole).sp
        here = whole.units[self.stack[0]].area
        options: list[Decision] = [StepTo(to) for to in ways(whole, self.stack, here, self.left, sp)]
        if self.stepped and price(whole, here, self.side, self.stack) <= sp:
            options.append(Stop())
        return options

    @march.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        return f"Movement {self.left} left: choose the next area{', or stop' if Stop() in options else ''}."

    @march.chosen
    def _(self, table: Table, decision: StepTo | Stop) -> Flow:
        if isinstance(decision, Stop):
            here = board(table).units[self.stack[0]].area
            pay(table, price(board(table), here, self.side, self.stack), "stacking")
            return DONE
        if not self.stepped:
            self.jungle(table)
        self.stepped = True
        self.left -= 1
        whole = board(table)
        here = whole.units[self.stack[0]].area
        self.fought = opposed(whole, decision.to, self.side)
        changes.move(table, self.stack, decision.to, "march")
        self.tell(table)
        return Entering(units=self.stack, side=self.side, area=decision.to, origin=here)

    @step("C8.5")
    def on(self, table: Table) -> Flow:
        """After a battle the move is over, whatever the outcome."""
        cover(table)
        return DONE if self.fought else self.march

    def in_sight(self, open: Open) -> bool:
        """Return whether single options are forced: not for hidden stacks, where it would reveal the way."""
        return not open.options.limited_intelligence

    def slowest(self, open: Open) -> int:
        """Return the lowest movement factor of the stack (C8.2)."""
        return min(movement(open, unit) for unit in self.stack)

    def tell(self, table: Table) -> None:
        """Record the state of the move."""
        changes.under_way(table, self.side, Move("march", self.stack, (), 0, self.area, self.left))

    def jungle(self, table: Table) -> None:
        """C8.3: at the first step every unit is depleted; a depleted one is disorganised."""
        if not self.spared:
            changes.wear(table, self.stack)
