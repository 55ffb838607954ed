"""C16 Fortresses and sieges, and what happens when ground units enter an area."""

from collections.abc import Sequence

from domain.coral_sea import changes
from domain.coral_sea.battle import Fight, begin
from domain.coral_sea.charts import BESIEGE, OWNERS, REFUGE, SIEGE_VALUE, SORTIE
from domain.coral_sea.checks import DIE
from domain.coral_sea.decisions import Besiege, Done, TakeRefuge
from domain.coral_sea.decisions import Sortie as SortieFrom
from domain.coral_sea.facts import number
from domain.coral_sea.flight import inside
from domain.coral_sea.happenings import TookRefuge
from domain.coral_sea.intelligence import board, seen, show
from domain.coral_sea.losses import Drowned
from domain.coral_sea.places import FortressFell, SiegeLaid, SiegeLifted
from domain.coral_sea.retreat import GainControl
from domain.coral_sea.stacking import pay
from domain.coral_sea.supply import able, able_ground
from domain.coral_sea.table import GROUND, Open, Sight, Table, at, enemy, troops
from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


def shut_in(open: Open, area: str) -> list[str]:
    """Return the units inside a fortress."""
    return [name for name in at(open, area, None, GROUND) if open.units[name].inside]


class Entering(Procedure):
    """C8.5, C10.6 GROUND UNITS ENTER AN AREA: refuge, battle, then control or siege."""

    units: tuple[str, ...]
    side: int
    area: str
    origin: str

    @property
    def foe(self) -> int:
        """The other side."""
        return enemy(self.side)

    @ask("C16.3", by="foe", forced=True)
    def refuge(self, sight: Sight) -> list[Decision]:
        """Send units into the fortress, or let them fight outside."""
        whole = seen(sight)
        fortress = whole.fortresses.get(self.area)
        if fortress is None or fortress.side != self.foe or inside(whole, self.area) >= REFUGE:
            return []
        outside = troops(whole, self.area, self.foe)
        return [*map(TakeRefuge, outside), Done()] if outside else []

    @refuge.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:
        """Return those after whom another may still go inside; a hidden one is shown to all (C22.2)."""
        units = [one for one in options if isinstance(one, TakeRefuge)]
        room = REFUGE - inside(seen(sight), self.area)
        more = len(units) > 1 and room > 1
        return units if more and not sight.open.options.limited_intelligence else ()

    @refuge.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        room = REFUGE - inside(seen(sight), self.area)
        return (
            f"The enemy comes to [{self.area}]: choose who goes into the fortress, which has room for "
            f"{number(room, 'unit')}. The others fight outside."
        )

    @refuge.chosen
    def _(self, table: Table, decision: TakeRefuge | Done) -> Flow:
        if isinstance(decision, Done):
            return None
        show(table, [decision.unit])
        table.record(TookRefuge((decision.unit,), self.area))
        return self.refuge

    @step("C12.1")
    def battle(self, table: Table) -> Flow:
        """Units outside fight a battle at once; own units inside join those that come to relieve them.

        All attackers have acted (C12.13), those from inside too.
        """
        whole = board(table)
        defenders = troops(whole, self.area, self.foe)
        if not defenders:
            return None
        friends = [n for n in shut_in(whole, self.area) if OWNERS[n] == self.side and n not in self.units]
        changes.acted(table, friends)
        begin(table, self.side, self.area, self.origin, [*self.units, *friends], defenders)
        return Fight(turn=self.side)

    @step("C16.4")
    def siege(self, table: Table) -> Flow:
        """Before an enemy fortress with none of its owner's units outside, a siege begins."""
        whole = board(table)
        fortress = whole.fortresses.get(self.area)
        here = troops(whole, self.area, self.side)
        if fortress is None or fortress.side == self.side:
            return None
        if here and not troops(whole, self.area, self.foe) and self.area not in whole.sieges:
            table.record(SiegeLaid(self.area, self.side))
        return DONE

    @step("C3.9")
    def control(self, table: Table) -> Flow:
        """Alone there, the side gains control."""
        if not troops(board(table), self.area, self.side):
            return DONE
        return GainControl(area=self.area, side=self.side)


def lift(table: Table) -> None:
    """C16.7: the siege marker goes when no enemy ground unit is left in the area."""
    whole = board(table)
    for area, besieger in list(whole.sieges.items()):
        if not troops(whole, area, besieger):
            table.record(SiegeLifted(area))
    for name, unit in board(table).units.items():
        if unit.inside and unit.area not in table.open.sieges and not _foes(table, unit.area, OWNERS[name]):
            changes.come_out(table, name)


def _foes(table: Table, area: str, side: int) -> bool:
    return bool(troops(board(table), area, enemy(side)))


def sieges(open: Open, side: int) -> list[Decision]:
    """Return the sieges that may be pressed, and the sorties that may be made (C16.5, C16.6)."""
    sp = open.operation.sp if open.operation else 0
    ready = {open.units[name].area for name in able_ground(open)}
    options: list[Decision] = []
    if sp >= BESIEGE:
        options += [Besiege(a) for a, besieger in open.sieges.items() if besieger == side and a in ready]
    if sp >= SORTIE:
        options += [SortieFrom(area) for area in open.sieges if sallying(open, area)]
    return options


def sallying(open: Open, area: str) -> list[str]:
    """Return the besieged units that could make a sortie: with the marker inside, no other counts (C16.6)."""
    return [name for name in able(open) if open.units[name].inside and open.units[name].area == area]


class Siege(Procedure):
    """C16.5 A SIEGE IS PRESSED by all besieging units that can act."""

    side: int
    area: str

    @step("C16.5")
    def press(self, table: Table) -> Flow:
        """Roll d10, add the factor and the units inside, subtract the besiegers: the fortress may fall."""
        whole = board(table)
        acting = [n for n in able_ground(whole) if whole.units[n].area == self.area]
        defenders = shut_in(whole, self.area)
        pay(table, BESIEGE, "the siege")
        changes.acted(table, acting)
        modifiers = [
            Modifier("fortress", whole.fortresses[self.area].factor),
            Modifier("units inside", len(defenders)),
            Modifier("besiegers", -len(acting)),
        ]
        need = f"{SIEGE_VALUE} or less and it falls"
        (die,) = table.roll(
            "siege", 1, DIE, by=self.side, target=need, subject=self.area, modifiers=modifiers
        )
        if die + sum(modifier.amount for modifier in modifiers) > SIEGE_VALUE:
            return DONE
        show(table, defenders)
        return Drowned(units=tuple(defenders)) if defenders else None

    @step("C16.5")
    def falls(self, table: Table) -> Flow:
        """Pass control: the units inside are destroyed, and the fortress is no more."""
        table.record(FortressFell(self.area))
        return GainControl(area=self.area, side=self.side)


class Sally(Procedure):
    """C16.6 A SORTIE of besieged units against the besiegers."""

    side: int
    area: str

    @step("C16.6")
    def go(self, table: Table) -> Flow:
        """All that can act attack; they can retreat only back inside."""
        whole = board(table)
        acting = sallying(whole, self.area)
        pay(table, SORTIE, "a sortie")
        changes.acted(table, acting)
        begin(table, self.side, self.area, self.area, acting, troops(whole, self.area, enemy(self.side)))
        return Fight(turn=self.side)
