"""C21.1 Effects of Operational cards: what arrives, what is moved and mended, what lasts to the end."""

from collections.abc import Sequence

from domain.coral_sea import changes, targets
from domain.coral_sea.atlas import at_sea
from domain.coral_sea.cards import effect
from domain.coral_sea.charts import CARDS
from domain.coral_sea.decisions import (
    Done,
    FlyRp,
    FlyUnit,
    MoveRp,
    PlaceRp,
    PlaceUnitAt,
    PlaceUnitsAt,
    Refit,
    RemoveUnit,
)
from domain.coral_sea.facts import PointsGained, listed, number
from domain.coral_sea.initiative import lend
from domain.coral_sea.intelligence import board, cover, seen
from domain.coral_sea.losses import drowned, shed
from domain.coral_sea.places import RpLost
from domain.coral_sea.printed import SIDES, Effect, Pick
from domain.coral_sea.retreat import GainControl
from domain.coral_sea.table import POOL, REMOVED, Open, Sight, Table
from domain.coral_sea.truk import Sortie
from domain.coral_sea.victory import end
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


@effect("gain_rp")
def gain_rp(_table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Place resource points."""
    return NewRp(side=side, left=what.amount)


@effect("gain_vp")
def gain_vp(table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Gain bonus points (C23.4)."""
    table.record(PointsGained(side, what.amount, table.open.bonus[side] + what.amount))
    return None


@effect("end_game")
def end_game(table: Table, _side: int, _what: Effect, card: str) -> Flow:
    """Sudden Death: the game ends and points are compared (C21.4)."""
    end(table, CARDS[card].name, "C21.4")
    return None


@effect("reinforce")
def reinforce(_table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Place units out of the pool (C24.5)."""
    return Reinforcements(side=side, effect=what)


@effect("truk_fleet")
def truk_fleet(_table: Table, _side: int, what: Effect, _card: str) -> Flow:
    """Let the Truk Fleet appear (C18.1)."""
    return Sortie(effect=what)


@effect("permanent")
def permanent(_table: Table, _side: int, _what: Effect, _card: str) -> Flow:
    """Do nothing more: the card lies beside the map and is looked up there (C21.3)."""
    return None


@effect("remove_units")
def remove_units(_table: Table, _side: int, what: Effect, _card: str) -> Flow:
    """Each named side takes a unit off the map."""
    return Removals(picks=what.picks)


@effect("temporary_initiative")
def temporary_initiative(table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Hold the initiative for some sequences (C20.2)."""
    lend(table, side, what.sequences)
    return None


@effect("refit")
def refit(_table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Rebuild and reorganise."""
    return Refitting(side=side, rebuild=what.rebuild, reorganize=what.reorganize)


@effect("move_rp")
def move_rp(_table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Move a resource point by barge."""
    return Transport(side=side, reach=what.max_distance, by_air=False)


@effect("air_transport")
def air_transport(_table: Table, side: int, what: Effect, _card: str) -> Flow:
    """Fly a unit or a resource point."""
    return Transport(side=side, reach=what.max_distance, by_air=True)


def permanent_areas(open: Open, side: int) -> tuple[str, ...]:
    """Return where alone a side may place a resource point for a discard; empty if anywhere (C15.2)."""
    for card in open.permanent:
        for what in CARDS[card].effects:
            if what.kind == "discard_rp_areas" and what.side == SIDES[side]:
                return what.areas
    return ()


class NewRp(Procedure):
    """C15.2 NEW RESOURCE POINTS are placed one at a time; without a legal area they are lost (C5.6)."""

    side: int
    left: int
    only: tuple[str, ...] = ()

    @ask("C15.2", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose where the resource point is placed."""
        return [PlaceRp(area) for area in targets.rp_areas(sight.open, self.side, self.only)]

    @where.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:
        """Return all while another is to be placed; with hidden stacks all see where each is (C22.2)."""
        hidden = sight.open.options.limited_intelligence
        return () if hidden or self.left == 1 or len(options) == 1 else options

    @where.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        goes = "the next" if self.left > 1 else "it"
        return f"{number(self.left, 'new resource point')} to place: choose where {goes} goes."

    @where.chosen
    def _(self, table: Table, decision: PlaceRp) -> Flow:
        changes.add_rp(table, self.side, decision.area, 1, "new")
        cover(table)
        self.left -= 1
        return self.where if self.left else DONE

    @step("C5.6")
    def lost(self, table: Table) -> None:
        """There is no place for them."""
        table.record(RpLost(self.side, self.left))


class Reinforcements(Procedure):
    """C24.5 REINFORCEMENTS, full and organised, free of stacking."""

    side: int
    effect: Effect

    def waiting(self, open: Open) -> list[str]:
        """Return the units still in the pool."""
        return [u for u in self.effect.units if u in open.units and open.units[u].status == POOL]

    @ask("C24.5", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose where the reinforcements arrive."""
        waiting = self.waiting(sight.open)
        places = targets.arrivals(sight.open, self.side, self.effect.places)
        if not waiting:
            return []
        if self.effect.mode == "each":
            return [PlaceUnitAt(waiting[0], place) for place in places]
        return [PlaceUnitsAt(place) for place in places]

    @where.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:
        """Return all while another arrives by itself; with hidden stacks all see each arrive (C22.2)."""
        each = [one for one in options if isinstance(one, PlaceUnitAt)]
        more = len(self.waiting(sight.open)) > 1 and len(each) > 1
        return each if more and not sight.open.options.limited_intelligence else ()

    @where.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        waiting = tuple(self.waiting(sight.open))
        if self.effect.mode != "each":
            return f"Reinforcements: choose where {listed(waiting)} {'arrive' if waiting[1:] else 'arrives'}."
        more = f" {number(len(waiting) - 1, 'more unit')} to come." if len(waiting) > 1 else ""
        return f"Reinforcements: choose where [{waiting[0]}] arrives.{more}"

    @where.chosen
    def _(self, table: Table, decision: PlaceUnitsAt | PlaceUnitAt) -> Flow:
        waiting = self.waiting(table.open)
        for unit in waiting if isinstance(decision, PlaceUnitsAt) else waiting[:1]:
            changes.place(table, unit, decision.area)
        cover(table)
        return self.where


class Removals(Procedure):
    """C21.1 UNITS ARE TAKEN OFF THE MAP for good: no points, not destroyed; a last ship's cargo is lost."""

    picks: tuple[Pick, ...]

    @property
    def side(self) -> int:
        """The side that must give one up."""
        return SIDES.index(self.picks[0].side)

    @ask("C21.1", by="side", forced=True)
    def give_up(self, sight: Sight) -> list[Decision]:
        """Choose the unit that leaves the map."""
        whole = seen(sight)
        return [RemoveUnit(u) for u in targets.removable(whole, self.side, self.picks[0].unit_type)]

    @give_up.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        return f"Choose which of your {len(options)} ships leaves the map for good. It counts as no loss."

    @give_up.chosen
    def _(self, table: Table, decision: RemoveUnit) -> Flow:
        area = board(table).units[decision.unit].area
        changes.leave(table, decision.unit, REMOVED, "for good (C21.1)")
        if not at_sea(area):
            return None
        shed(table, self.side, area, "gone with the ship")
        return drowned(table, self.side, area)

    @step("C21.1")
    def next_side(self, _table: Table) -> Flow:
        """Then the other side; one with none loses nothing."""
        self.picks = self.picks[1:]
        return self.give_up if self.picks else DONE


class Refitting(Procedure):
    """C21.1 REFIT: units in own urban areas, not isolated, ships in port."""

    side: int
    rebuild: int
    reorganize: int

    @ask("C21.1", by="side", forced=True)
    def mend(self, sight: Sight) -> list[Decision]:
        """Choose a unit to rebuild or reorganise, or end the refit."""
        options = targets.refits(seen(sight), self.side, self.rebuild, self.reorganize)
        return [*options, Done()] if options else []

    @mend.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:
        """Return those after which something else is left to mend; not where stacks are hidden (C22.2)."""
        refits = [one for one in options if isinstance(one, Refit)]
        left = {"rebuild": self.rebuild, "reorganize": self.reorganize}

        def goes_on(one: Refit) -> bool:
            return any(other != one and left[other.what] > (other.what == one.what) for other in refits)

        return () if sight.open.options.limited_intelligence else [one for one in refits if goes_on(one)]

    @mend.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        left = [(self.rebuild, "to rebuild"), (self.reorganize, "to reorganise")]
        what = " and ".join(f"{number(count, 'unit')} {how}" for count, how in left if count)
        return f"Refit: {what} at most. Choose one, then what is done."

    @mend.chosen
    def _(self, table: Table, decision: Refit | Done) -> Flow:
        if isinstance(decision, Done):
            return DONE
        if decision.what == "rebuild":
            changes.rebuild(table, decision.unit)
            self.rebuild -= 1
        else:
            changes.reorganise(table, decision.unit)
            self.reorganize -= 1
        return self.mend


class Transport(Procedure):
    """C21.1 A RESOURCE POINT OR A UNIT is moved by barge or flown."""

    side: int
    reach: int
    by_air: bool

    @ask("C21.1", by="side", forced=True)
    def carry(self, sight: Sight) -> list[Decision]:
        """Choose what is carried, and where to."""
        find = targets.flights if self.by_air else targets.barges
        return find(seen(sight), self.side, self.reach)

    @carry.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        how = "Fly a unit or a resource point" if self.by_air else "Carry a resource point by barge"
        return f"{how}, at most {number(self.reach, 'area')} far: choose what and where from, then where to."

    @carry.chosen
    def _(self, table: Table, decision: MoveRp | FlyRp | FlyUnit) -> Flow:
        if isinstance(decision, FlyUnit):
            changes.move(table, [decision.unit], decision.to, "fly")
            cover(table)
            return GainControl(area=decision.to, side=self.side)
        changes.add_rp(table, self.side, decision.origin, -1, "carried away")
        changes.add_rp(table, self.side, decision.to, 1, "carried there")
        return DONE
