"""C10 Naval transport: what may be loaded, embarked, landed and put ashore."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.coral_sea import changes
from domain.coral_sea.atlas import COAST, at_sea
from domain.coral_sea.charts import EMBARKING, GROUND_LIMIT, RP_PER_SHIP
from domain.coral_sea.decisions import (
    Done,
    EmbarkFrom,
    LandAt,
    LoadRp,
    LoadUnit,
    PickUnit,
    UnloadRp,
    UnloadUnit,
    more_to_pick,
    picks,
)
from domain.coral_sea.facts import number
from domain.coral_sea.fortress import Entering
from domain.coral_sea.intelligence import board, seen
from domain.coral_sea.routes import Fleet, Waters, range_of, staying
from domain.coral_sea.silence import EMBARKED, LANDED, pad
from domain.coral_sea.stacking import pay, price
from domain.coral_sea.table import GROUND, Open, Sight, Table, at, is_truk, operating, troops
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


class Hold:
    """C10.1, C10.2: what a stack may take aboard where it starts; what stays must find room too."""

    def __init__(
        self, open: Open, side: int, area: str, fleet: tuple[str, ...], cargo: tuple[str, ...], rp: int
    ) -> None:
        self.open, self.side, self.area, self.fleet, self.cargo, self.rp = open, side, area, fleet, cargo, rp
        self.exclusive = open.options.transport_troops_or_rp_exclusive
        self.units = [u for u in troops(open, area, side) if u not in cargo and not open.units[u].acted]
        self.points = open.rp[side].get(area, 0) - rp
        self.others = staying(open, fleet, area, side)

    def options(self) -> list[Decision]:
        """Return the picks, and Done if what stays has room."""
        options: list[Decision] = []
        if (
            not is_truk(self.fleet[0])
            and len(self.cargo) < GROUND_LIMIT
            and not (self.exclusive and self.bound_to_rp())
        ):
            options += [LoadUnit(unit) for unit in self.units if self.still_sails(unit)]
        room = self.rp < len(self.fleet) * RP_PER_SHIP
        if self.points and room and not (self.exclusive and self.cargo):
            options.append(LoadRp())
        if not options:
            return []
        return [*options, Done()] if not at_sea(self.area) or self.rest_has_room() else options

    def bound_to_rp(self) -> bool:
        """Return whether the stack has resource points, or must take some that others have no room for."""
        homeless = at_sea(self.area) and self.points > len(self.others) * RP_PER_SHIP
        return bool(self.rp or (homeless and not self.cargo))

    def still_sails(self, unit: str) -> bool:
        """Return whether the Range left with one more unit aboard still leads to a legal end (C10.3)."""
        if at_sea(self.area):
            return True
        left = range_of(self.open, self.fleet) - EMBARKING
        waters = Waters(self.open, self.fleet, (*self.cargo, unit), operating(self.open).sp)
        return bool(waters.ways(self.area, left))

    def rest_has_room(self) -> bool:
        """Return whether the ships that stay can carry what stays; Truk ships carry no troops (C18.2)."""
        staying_units = len(at(self.open, self.area, self.side, GROUND)) - len(self.cargo)
        limit = 0 if all(map(is_truk, self.others)) else GROUND_LIMIT
        return staying_units <= limit and self.points <= len(self.others) * RP_PER_SHIP


def coasts(waters: Waters, here: str, cargo: Fleet, fresh: Fleet, rp: int, left: int) -> list[Decision]:
    """Return where the stack may pause to embark or land (C10.4, C10.5), if it can end its move after it.

    Of the cargo only `fresh` units may land: others had acted before they came aboard (C7.3, R93).
    """
    now, side, options = waters.open, waters.side, list[Decision]()
    rp_only = now.options.transport_troops_or_rp_exclusive and rp
    room = left >= EMBARKING and len(cargo) < GROUND_LIMIT and not rp_only
    if room and (waters.may_end(here) or waters.ways(here, left - EMBARKING)):
        options += [EmbarkFrom(area) for area in COAST[here] if waiting(now, side, area)]
    for area in COAST[here] if fresh else ():
        sp = waters.sp - price(now, area, side, cargo)
        if sp >= 0 and (waters.may_end(here) or Waters(now, waters.fleet, cargo, sp).ways(here, left)):
            options.append(LandAt(area))
    return options


def waiting(open: Open, side: int, area: str) -> list[str]:
    """Return the units on a coast that could be embarked (C10.4)."""
    return [unit for unit in troops(open, area, side) if not open.units[unit].acted]


def ashore(cargo: tuple[str, ...], rp: int) -> list[Decision]:
    """Return what may be unloaded in a port on the way (C10.8)."""
    options: list[Decision] = [UnloadUnit(unit) for unit in cargo]
    return [*options, UnloadRp()] if rp else options


class Embarking(Procedure):
    """C10.4 UNITS ARE EMBARKED from one coast; they have acted."""

    side: int
    area: str
    aboard: tuple[str, ...]
    sea: str
    chosen: tuple[str, ...] = ()

    @ask("C10.4", by="side", forced=True)
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the units that come aboard."""
        return self.options(seen(sight))

    @pick.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        whole = seen(sight)
        units = [option for option in options if isinstance(option, PickUnit)]
        return [one for one in units if len(self.after(one).options(whole)) > 1]

    @pick.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        room = GROUND_LIMIT - len(self.aboard) - len(self.chosen)
        count = f"{len(self.chosen)} chosen, room for {number(room, 'more unit')}"
        return f"Embark at [{self.area}]: choose who comes aboard. {count}."

    @pick.chosen
    def _(self, _table: Table, decision: PickUnit | Done) -> Flow:
        if isinstance(decision, Done):
            return None
        self.chosen += (decision.unit,)
        return self.pick

    @step("C10.4")
    def come_aboard(self, table: Table) -> Flow:
        """They go to the ships' sea area."""
        pad(table, EMBARKED)
        changes.acted(table, self.chosen)
        changes.move(table, self.chosen, self.sea, "embark")
        return DONE

    def options(self, open: Open) -> list[Decision]:
        """Return who may be chosen, with Done once one has been."""
        room = GROUND_LIMIT - len(self.aboard) - len(self.chosen)
        left = [unit for unit in waiting(open, self.side, self.area) if unit not in self.chosen]
        return picks(left if room else [], len(self.chosen))

    def after(self, decision: PickUnit) -> "Embarking":
        """Return the pause as it is after one more was chosen."""
        return replace(self, chosen=(*self.chosen, decision.unit))


class Landing(Procedure):
    """C10.5, C10.6 UNITS LAND on one coast, in battle if the enemy is there."""

    side: int
    area: str
    aboard: tuple[str, ...]
    sea: str
    chosen: tuple[str, ...] = ()

    @ask("C10.4", by="side", forced=True)
    def pick(self, _sight: Sight) -> list[Decision]:
        """Choose the units that land."""
        return picks([unit for unit in self.aboard if unit not in self.chosen], len(self.chosen))

    @pick.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        left = number(len(self.aboard) - len(self.chosen), "unit")
        return f"Land at [{self.area}]: choose who lands. {len(self.chosen)} chosen, {left} still aboard."

    @pick.chosen
    def _(self, _table: Table, decision: PickUnit | Done) -> Flow:
        if isinstance(decision, Done):
            return None
        self.chosen += (decision.unit,)
        return self.pick

    @pick.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return more_to_pick(options)

    @step("C10.5")
    def land(self, table: Table) -> Flow:
        """Land: it costs nothing but stacking; a battle is fought at once."""
        pad(table, LANDED)
        pay(table, price(board(table), self.area, self.side, self.chosen), "stacking")
        changes.acted(table, self.chosen)
        changes.move(table, self.chosen, self.area, "land")
        return Entering(units=self.chosen, side=self.side, area=self.area, origin=self.sea)
