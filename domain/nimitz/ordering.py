"""N7.4, N7.5 One order: rolled, tried, and if it cannot be performed another in its place."""

from collections.abc import Sequence

from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.automaton import D10, Chose, Narrowed, area_roll, d10, draw, narrowed, or_by_rule
from domain.nimitz.charts import (
    BANDS,
    COUNTERS,
    JA,
    OBJECTIVES,
    ORDER_MODIFIERS,
    ORDERS,
    ROLL_EAST,
    SCOUT_MODIFIERS,
    US,
)
from domain.nimitz.counter import change_counter
from domain.nimitz.decisions import JaByRule, JaDestination, JaPickUnit
from domain.nimitz.destinations import HOLD, REFIT, closest, destinations, fewest, nowhere, order_for
from domain.nimitz.garrison import UNBOUND, orderable
from domain.nimitz.marches import AutoHeld, BattalionsCame, NotPerformed, OrderDone, Ordered
from domain.nimitz.rows import KINDS, row_of
from domain.nimitz.table import JAPAN, Open, Sight, Table, ashore, at, battalions, japan

WORDS = {"SHIP": "Ships", "INF": "Infantry", "LBA": "Aircraft"}


class Order(Procedure):
    """N7.4 ONE ORDER of an area."""

    area: str
    scouted: bool = False
    order: str = ""
    to: str = ""
    chosen: tuple[str, ...] = ()

    def japan(self, open: Open) -> tuple[int, ...]:
        """Return the seat of Japan, if there is one."""
        return japan(open)

    @step("N7.4")
    def roll(self, table: Table) -> None:
        """Roll for the order; the first in an objective is HOLD without a roll."""
        board = table.open
        if self.area in OBJECTIVES[board.year] and self.area not in board.auto_held:
            table.record(AutoHeld(self.area))
            self.order, why = HOLD, "automatic in an objective"
        else:
            total = self._scouted_roll(table) if self.scouted else self._rolled(table)
            self.order, why = order_for(total), f"rolled {total}"
        table.record(Ordered(self.area, self.order, why))

    @step("N7.5")
    def try_order(self, table: Table) -> Flow:
        """Is there a place to go to? HOLD needs none."""
        self.to, self.chosen = "", ()
        if self.order == HOLD:
            return self.all_go
        if destinations(table.open, self.order, self.area):
            return None
        table.record(NotPerformed(self.area, self.order, nowhere(self.order, self.area)))
        return self.fall_back

    @ask("N20.2", by="japan", forced=True)
    def destination(self, sight: Sight) -> list[Decision]:
        """Choose the destination of the order."""
        places, _ = closest(sight.open, self.order, self.area)
        return or_by_rule(map(JaDestination, places)) or [*map(JaDestination, places)]

    @destination.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Order of [{self.area}]: {self.order}. Choose where it leads."

    @destination.chosen
    def _(self, _table: Table, decision: JaDestination | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.rule_picks_destination
        self.to = decision.area
        return self.all_go

    @step("N7.5")
    def rule_picks_destination(self, table: Table) -> None:
        """Of several the one with the fewest Japanese forces, then one by the die."""
        board = table.open
        valid = destinations(board, self.order, self.area)
        places, why = closest(board, self.order, self.area)
        few, die = fewest(board, places), tuple[int, ...]()
        narrowed(why, "the fewest Japanese forces there", few, places)
        self.to = few[0]
        if len(few) > 1:
            self.to, die = area_roll(table, few, self.area)
            why.append(Narrowed("by the die", (self.to,)))
        about = f"Destination of [{self.order}] from"
        table.record(Chose("N7.5", about, tuple(valid), (self.to,), tuple(why), die, self.area))

    @step("N20.2")
    def all_go(self, table: Table) -> None:
        """Where all of a kind must go a person for Japan is not asked (R-85)."""
        board = table.open
        if not japan(board):
            return
        able = orderable(board, self.area)
        for kind in KINDS:
            names, count = self.wanted(board, kind, able)
            if 0 < count < len(names):
                return
            self.chosen = (*self.chosen, *names[:count])

    @ask("N20.2", by="japan")
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the next force for the order: ships, then infantry, then aircraft."""
        able = orderable(sight.open, self.area)
        for kind in KINDS:
            names, count = self.wanted(sight.open, kind, able)
            if count:
                return or_by_rule(map(JaPickUnit, names))
        return []

    @pick.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        able = orderable(sight.open, self.area)
        asked = ((kind, *self.wanted(sight.open, kind, able)) for kind in KINDS)
        kind, names, count = next(row for row in asked if row[2])
        to = f" to [{self.to}]" if self.to else ""
        what = f"{count} more of {len(names)} {WORDS[kind].lower()}"
        return f"Order of [{self.area}]: {self.order}{to}. Choose {what} {'that go' if to else 'that stay'}."

    @pick.chosen
    def _(self, _table: Table, decision: JaPickUnit | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.draw_forces
        self.chosen = (*self.chosen, decision.force)
        return self.all_go

    @step("N7.5")
    def draw_forces(self, table: Table) -> None:
        """Without a person for Japan they are drawn."""
        able = orderable(table.open, self.area)
        for kind in KINDS:
            names, count = self.wanted(table.open, kind, able)
            if count:
                question = f"{WORDS[kind]} for [{self.order}]"
                self.chosen = (*self.chosen, *draw(table, "N7.5", question, names, count))

    @step("N7.5")
    def move(self, table: Table) -> Flow:
        """Move and mark them; battalions take the place of infantry that did not come."""
        if not self.chosen:
            why = "it has no ship to send, and no infantry or aircraft that may leave"
            table.record(NotPerformed(self.area, self.order, why))
            return self.fall_back
        if self.order == HOLD:
            table.record(OrderDone(self.area, self.order, stayed=self.chosen))
            return self.resupply
        board = table.open
        aircraft_go_home = self.to != JAPAN and not self.aircraft_follow(board)
        home = tuple(n for n in self.chosen if COUNTERS[n].kind == "LBA" and aircraft_go_home)
        went = tuple(n for n in self.chosen if n not in home)
        met = bool(at(board, self.to, US))
        infantry = tuple(n for n in went if COUNTERS[n].kind == "INF")
        aboard = infantry if met else ()
        table.record(OrderDone(self.area, self.order, went=went, to=self.to, to_japan=home, aboard=aboard))
        missing = ORDERS[self.order].inf - len(infantry)
        come = tuple(battalions(table.open)[:missing]) if went and met else ()
        if come:
            why = "for infantry that did not come"
            table.record(BattalionsCame(come, self.to, aboard=True, arrived=True, why=why))
        return self.resupply

    @step("N7.5")
    def fall_back(self, table: Table) -> Flow:
        """Not performed: try the order that stands in its place, from the same area."""
        fallback = ORDERS[self.order].fallback
        assert fallback is not None, self.order
        before, why = self.order, ""
        if fallback[0] in ORDERS:
            self.order = fallback[0]
        else:
            face = d10(
                table,
                "EAST not performed",
                target="1-5 SORTIE, 6-7 ALASKA, 8-10 OFFENSIVE",
                subject=self.area,
            )
            self.order, why = row_of(ROLL_EAST, face).order, f", rolled {face}"
        table.record(Ordered(self.area, self.order, f"in place of {before}{why}"))
        return self.try_order

    @step("N7.5")
    def resupply(self, table: Table) -> Flow:
        """Count the order on the resupply counter, but not a scouted one."""
        if not self.scouted:
            change_counter(table, ORDERS[self.order].resupply, self.order)
        return DONE

    def wanted(self, open: Open, kind: str, able: list[str]) -> tuple[list[str], int]:
        """Return who of a kind may still be chosen of those who are able, and how many more must be."""
        names = [n for n in able if COUNTERS[n].kind == kind and n not in self.chosen]
        if not names:
            return [], 0
        if self.order != HOLD and kind == "LBA" and not self.aircraft_leave(open):
            return [], 0
        taken = [n for n in self.chosen if COUNTERS[n].kind == kind]
        count = min(ORDERS[self.order].limit(kind) - len(taken), len(names))
        if self.order != HOLD and kind != "SHIP":
            count = min(count, self.spare(open))
        return names, count

    def spare(self, open: Open) -> int:
        """Return how many infantry and aircraft may still leave: one that did not arrive stays (R-25)."""
        there = [n for n in at(open, self.area, JA, "INF", "LBA") if not open.forces[n].arrived]
        leaving = [n for n in self.chosen if COUNTERS[n].kind != "SHIP"]
        if self.area in UNBOUND:
            return len(there)
        return max(0, len(there) - 1 - len(leaving))

    def aircraft_follow(self, open: Open) -> bool:
        """Return whether aircraft go to the destination itself."""
        return self.order == REFIT or ashore(open, self.to, JA)

    def aircraft_leave(self, open: Open) -> bool:
        """Return whether aircraft go anywhere: to the destination, or with * to Japan (R-18)."""
        if self.aircraft_follow(open):
            return True
        return ORDERS[self.order].lba_to_japan_if_no_ja_ashore and self.area != JAPAN

    def _rolled(self, table: Table) -> int:
        board = table.open
        band = next(i for i, (low, high) in enumerate(BANDS) if low <= board.counter <= high)
        amount = ORDER_MODIFIERS[board.year][band]
        modifiers = (Modifier(f"counter at {board.counter}", amount),)
        (face,) = table.roll("order", 1, D10, by=JA, subject=self.area, modifiers=modifiers)
        return face + amount

    def _scouted_roll(self, table: Table) -> int:
        amount = SCOUT_MODIFIERS[table.open.year]
        modifiers = (Modifier(f"scouted in {table.open.year}", amount),)
        faces = table.roll("scouted order", 2, D10, by=JA, subject=self.area, modifiers=modifiers)
        return sum(faces) + amount
