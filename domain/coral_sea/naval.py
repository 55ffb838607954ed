"""C9 Naval movement, with C10 naval transport: picking, loading, the voyage, coasts and ports on the way."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.coral_sea import changes, transport
from domain.coral_sea.atlas import ROUTES, at_sea
from domain.coral_sea.battle import Fight, begin
from domain.coral_sea.charts import EMBARKING, GROUND_LIMIT, LADEN, MOVE_NAVAL, RP_PER_SHIP
from domain.coral_sea.decisions import (
    Done,
    EmbarkFrom,
    LandAt,
    LoadRp,
    LoadUnit,
    PickUnit,
    StepTo,
    Stop,
    UnloadRp,
    UnloadUnit,
    picks,
)
from domain.coral_sea.facts import ActionEnded, either, number
from domain.coral_sea.intelligence import board, cover, seen
from domain.coral_sea.routes import Waters, candidates, range_of, staying
from domain.coral_sea.secrets import ShipsMoved
from domain.coral_sea.silence import LEFT_PORT, LOADED, SHIPS_PICKED, UNLOADED, pad
from domain.coral_sea.stacking import less, pay, price
from domain.coral_sea.table import GROUND, Move, Open, Sight, Table, at, enemy, operating, ships
from domain.kernel.procedures import Decision, Flow, Procedure, ask, step


class NavalMove(Procedure):
    """C9 A NAVAL MOVE: one ship or a stack, with its cargo."""

    side: int
    fleet: tuple[str, ...] = ()
    cargo: tuple[str, ...] = ()
    tired: tuple[str, ...] = ()
    """Units aboard that had acted before; they are carried along, but may not land (C7.3)."""
    rp: int = 0
    left: int = 0
    """Range left."""
    stepped: bool = False
    from_sea: bool = False
    paused: bool = False
    """The one pause at a coast is used (C10.4)."""
    pausing: bool = False
    before: tuple[str, ...] = ()
    """The ground units in this sea area before the pause."""
    paid_at: str = ""
    """The port where stacking was paid (C10.8)."""
    unloaded: tuple[str, ...] = ()
    """Units put ashore in this port."""
    fought: bool = False

    @ask("C9.1", by="side", forced=True)
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the ships that sail together."""
        return picks(candidates(seen(sight), self.fleet), len(self.fleet))

    @pick.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the choices after which more ships, or cargo, may be chosen."""
        whole = seen(sight)
        return [one for one in options if self.after(one).choosing(whole, picked=isinstance(one, Done))]

    @pick.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        taken = (
            f" {len(self.fleet)} taken, Range {self.range(seen(sight))} with those taken."
            if self.fleet
            else ""
        )
        return f"Set sail, 2 SP: choose the ships that sail together.{taken}"

    @pick.chosen
    def _(self, table: Table, decision: PickUnit | Done) -> Flow:
        if isinstance(decision, Done):
            return None
        self.fleet += (decision.unit,)
        self.tell(table)
        return self.pick

    @step("C9.1")
    def set_out(self, table: Table) -> Flow:
        """Pay; all own ships of a sea area take all cargo along without a choice (C10.2)."""
        pad(table, SHIPS_PICKED)
        pay(table, MOVE_NAVAL, "a naval move")
        whole = board(table)
        here = self.here(whole)
        self.from_sea = at_sea(here)
        if self.takes_all(whole):
            self.cargo = tuple(at(whole, here, self.side, GROUND))
            self.tired = tuple(unit for unit in self.cargo if whole.units[unit].acted)
            self.rp = whole.rp[self.side].get(here, 0)
            return self.sail
        return None

    @ask("C10.2", by="side", forced=True)
    def load(self, sight: Sight) -> list[Decision]:
        """Choose what goes aboard."""
        whole = seen(sight)
        return self.hold(whole).options()

    @load.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the cargo after which more may be chosen."""
        whole = seen(sight)
        cargo = [option for option in options if not isinstance(option, Done)]
        return [one for one in cargo if self.after(one).loading(whole)]

    @load.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        now = f"{number(len(self.cargo), 'unit')} of {GROUND_LIMIT}, {number(self.rp, 'resource point')}"
        room = len(self.fleet) * RP_PER_SHIP
        return f"Choose what goes aboard: {now} of {room} so far. Units aboard cost Range."

    @load.chosen
    def _(self, table: Table, decision: LoadUnit | LoadRp | Done) -> Flow:
        if isinstance(decision, Done):
            return None
        later = self.after(decision)
        self.cargo, self.rp = later.cargo, later.rp
        self.tell(table)
        return self.load

    @step("C10.3")
    def sail(self, table: Table) -> None:
        """Range is the lowest of the ships, less 2 for units loaded, or aboard at sea when it starts."""
        self.left = self.range(board(table))
        self.tell(table, self.left)
        changes.acted(table, (*self.fleet, *self.cargo))
        pad(table, LOADED + 2)

    @ask("C9.3", by="side", forced="in_sight")
    def go(self, sight: Sight) -> list[Decision]:
        """Choose the next area, or what to do here.

        C9.8: where a battle ashore has cost what the end of the move needed, it ends here (R94).
        """
        return self.courses(seen(sight))

    @go.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return what may be put ashore, or whom to embark or land, where more is to be chosen after it."""
        whole = seen(sight)
        return [option for option in options if self.goes_on(whole, option)]

    def courses(self, whole: Open) -> list[Decision]:
        """Return the next areas, and what to do here."""
        here, sp = self.here(whole), operating(whole).sp
        waters = Waters(whole, self.fleet, self.cargo, sp)
        options: list[Decision] = [StepTo(to) for to in waters.ways(here, self.left)]
        if at_sea(here):
            if not self.paused and not waters.truk:
                options += transport.coasts(waters, here, self.cargo, self.fresh, self.rp, self.left)
            if waters.may_end(here):
                options.append(Stop())
        elif self.stepped:
            payable = self.due(whole) <= sp
            options += transport.ashore(self.cargo if payable else (), self.rp)
            options += [Stop()] if payable else []
        return options or [Stop()]

    @go.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        kinds = {type(one) for one in options}
        can = ["choose the next area"] * (StepTo in kinds)
        can += ["pause at a coast"] * bool({EmbarkFrom, LandAt} & kinds)
        can += ["unload"] * bool({UnloadUnit, UnloadRp} & kinds) + ["stop"] * (Stop in kinds)
        what = either(can)
        return f"Range {self.left} left. {what[0].upper()}{what[1:]}."

    @go.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        if isinstance(decision, StepTo):
            return self.voyage(table, decision.to)
        whole = board(table)
        here = self.here(whole)
        if isinstance(decision, EmbarkFrom | LandAt):
            self.pause(table)
            if isinstance(decision, EmbarkFrom):
                return transport.Embarking(side=self.side, area=decision.area, aboard=self.cargo, sea=here)
            return transport.Landing(side=self.side, area=decision.area, aboard=self.fresh, sea=here)
        if isinstance(decision, UnloadUnit | Stop) and (due := self.due(whole)):
            pad(table, UNLOADED)
            pay(table, due, "stacking")
            self.paid_at = here
        if isinstance(decision, Stop):
            return self.arrive
        later = self.after(decision)
        self.cargo, self.unloaded, self.rp = later.cargo, later.unloaded, later.rp
        self.tell(table, self.left)
        return None

    @step("C10.4")
    def tally(self, table: Table) -> Flow:
        """After a pause, count who is aboard; embarking costs 2 Range (C10.3). Then the move goes on."""
        cover(table)
        if self.fought:
            return self.arrive
        if self.pausing:
            whole = board(table)
            here = self.here(whole)
            newcomers = [u for u in at(whole, here, self.side, GROUND) if u not in self.before]
            kept = [unit for unit in self.cargo if whole.units[unit].area == here]
            self.left -= EMBARKING if newcomers else 0
            self.cargo = (*kept, *newcomers)
            self.pausing, self.before = False, ()
            self.tell(table, self.left)
        return self.go

    @step("C9.8")
    def arrive(self, table: Table) -> None:
        """End the move; cards may answer where ships ended at sea (C21.2)."""
        whole = board(table)
        if not at_sea(self.here(whole)):
            pad(table, LEFT_PORT - 1)
        areas = dict.fromkeys(whole.units[ship].area for ship in self.fleet)
        at_end = tuple(area for area in areas if at_sea(area))
        if whole.options.limited_intelligence:
            table.record(ShipsMoved(self.side, self.fleet))
            table.record(ActionEnded((), at_end))
        else:
            table.record(ActionEnded(self.fleet, at_end))

    def after(self, decision: Decision) -> "NavalMove":
        """Return the stack as it is after one more was picked, loaded or unloaded."""
        match decision:
            case PickUnit(unit):
                return replace(self, fleet=(*self.fleet, unit))
            case LoadUnit(unit):
                return replace(self, cargo=(*self.cargo, unit))
            case LoadRp():
                return replace(self, rp=self.rp + 1)
            case UnloadUnit(unit):
                cargo = tuple(name for name in self.cargo if name != unit)
                return replace(self, cargo=cargo, unloaded=(*self.unloaded, unit))
            case UnloadRp():
                return replace(self, rp=self.rp - 1)
        return self

    def choosing(self, open: Open, *, picked: bool = False) -> bool:
        """Return whether ships, or with all ships `picked` cargo, are to be chosen before it sails."""
        if not picked:
            more = candidates(open, self.fleet)
            if len(more) + bool(self.fleet) > 1:
                return True
            if more:
                return self.after(PickUnit(more[0])).choosing(open)
        paid = less(open, MOVE_NAVAL)
        return not self.takes_all(paid) and self.loading(paid)

    def loading(self, open: Open) -> bool:
        """Return whether there is a choice of cargo after what must be loaded."""
        options = self.hold(open).options()
        return len(options) > 1 or (bool(options) and self.after(options[0]).loading(open))

    def goes_on(self, open: Open, decision: Decision) -> bool:
        """Return whether another choice follows in this step after a decision to pause here, or to unload."""
        here = self.here(open)
        if isinstance(decision, EmbarkFrom):
            pause = transport.Embarking(side=self.side, area=decision.area, aboard=self.cargo, sea=here)
            return len(pause.options(open)) > 1
        if isinstance(decision, LandAt):
            return len(self.fresh) > 1
        if not isinstance(decision, UnloadUnit | UnloadRp):
            return False
        due = self.due(open) if isinstance(decision, UnloadUnit) else 0
        later = replace(self.after(decision), paid_at=here) if due else self.after(decision)
        return not self.in_sight(open) or len(later.courses(less(open, due))) > 1

    def in_sight(self, open: Open) -> bool:
        """Return whether single options are forced: not for hidden stacks, as it would reveal the Range."""
        return not open.options.limited_intelligence

    def takes_all(self, open: Open) -> bool:
        """Return whether no ship stays behind at sea, so that all cargo sails (C10.2)."""
        here = self.here(open)
        return at_sea(here) and not staying(open, self.fleet, here, self.side)

    def hold(self, open: Open) -> transport.Hold:
        """Return what may be loaded."""
        return transport.Hold(open, self.side, self.here(open), self.fleet, self.cargo, self.rp)

    def pause(self, table: Table) -> None:
        """Note who is aboard in this sea area, whichever stack carries them."""
        whole = board(table)
        self.paused = self.pausing = True
        self.before = tuple(at(whole, self.here(whole), self.side, GROUND))

    def range(self, open: Open) -> int:
        """Return the Range to start with (C9.2), for what is aboard now (C10.3)."""
        laden = LADEN if self.from_sea else EMBARKING
        return range_of(open, self.fleet) - (laden if self.cargo else 0)

    def tell(self, table: Table, left: int | None = None) -> None:
        """Record the state of the move and the Range left; before it sets out, the Range it will have."""
        if left is None:
            left = self.range(board(table))
        origin = operating(table.open).area
        changes.under_way(table, self.side, Move("sail", self.fleet, self.cargo, self.rp, origin, left))

    @property
    def fresh(self) -> tuple[str, ...]:
        """The units aboard that may land."""
        return tuple(unit for unit in self.cargo if unit not in self.tired)

    def here(self, open: Open) -> str:
        """Return where the stack is."""
        return open.units[self.fleet[0]].area

    def due(self, open: Open) -> int:
        """Return what stacking here costs now: in a port it is paid once, and who was unloaded is free."""
        here = self.here(open)
        stack = (*self.fleet, *self.cargo, *self.unloaded)
        return 0 if here == self.paid_at else price(open, here, self.side, stack)

    def voyage(self, table: Table, to: str) -> Flow:
        """Enter the next area with all cargo; enemy ships at sea are fought at once (C9.5)."""
        whole = board(table)
        here = self.here(whole)
        on_the_way = self.stepped and not at_sea(here)
        self.left -= ROUTES[here][to]
        self.stepped, self.paid_at, self.unloaded = True, "", ()
        defenders = ships(whole, to, enemy(self.side)) if at_sea(to) else []
        changes.move(table, (*self.fleet, *self.cargo), to, "sail")
        changes.carry_rp(table, self.side, here, to, self.rp)
        self.tell(table, self.left)
        if on_the_way:
            pad(table, LEFT_PORT)
        if not defenders:
            return None
        self.fought = True
        begin(table, self.side, to, here, list(self.fleet), defenders)
        return Fight(turn=self.side)
