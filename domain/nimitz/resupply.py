"""N4 US resupply."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, ask, step
from domain.nimitz.charts import COUNTERS, INCOME, SIDE_OF, US
from domain.nimitz.decisions import DoneResupply, GiveSupply, Purchase, Repair
from domain.nimitz.facts import Bought, Repaired, SupplyIs
from domain.nimitz.table import AUSTRALIA, COMMANDERS, INV, OUT, RAID, US_RE, WEST_COAST, Open, Sight, Table
from domain.nimitz.theatres import PACIFIC, SOUTHWEST, Stage, gifts, give, pay, theatre


def income(table: Table) -> None:
    """N4.1: add the supply points of the year; two commanders halve them (N20.3)."""
    board = table.open
    points = INCOME[board.year]
    if board.mode != COMMANDERS:
        table.record(SupplyIs(PACIFIC, points, board.supply[PACIFIC] + points, "income"))
        return
    odd_to = PACIFIC if board.turn % 2 else SOUTHWEST
    for seat in (PACIFIC, SOUTHWEST):
        share = points // 2 + (points % 2 if seat == odd_to else 0)
        table.record(SupplyIs(seat, share, board.supply[seat] + share, "income"))


def repair_price(force: str) -> int:
    """Return what the repair of a force costs (N4.4)."""
    return max(1, COUNTERS[force].buy // 2)


class Resupply(Stage):
    """N4 US RESUPPLY."""

    @ask("N4.2", by="next_seat")
    def spend(self, sight: Sight) -> list[Decision]:
        """Buy and repair forces, then end the resupply."""
        board = sight.open
        points = board.supply[sight.seat]
        bought = [
            Purchase(name) for name in self.purchases(board, sight.seat) if COUNTERS[name].buy <= points
        ]
        repaired = [Repair(name) for name in self.repairs(board, sight.seat) if repair_price(name) <= points]
        return self.listed([*bought, *repaired, *gifts(board, sight.seat)], DoneResupply())

    @spend.chosen
    def _(self, table: Table, decision: Purchase | Repair | GiveSupply | DoneResupply) -> Flow:
        if isinstance(decision, DoneResupply):
            return None
        self.picked = True
        if isinstance(decision, Purchase):
            buy(table, decision.force)
        elif isinstance(decision, Repair):
            pay(table, table.actor, repair_price(decision.force), "for a repair")
            table.record(Repaired(decision.force))
        else:
            give(table, decision)
        return self.spend

    @spend.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        damaged = len(self.repairs(sight.open, sight.seat))
        points = sight.open.supply[sight.seat]
        repair = (
            f"Buy forces, or repair damaged ones ({damaged})." if damaged else "Buy forces; none is damaged."
        )
        return f"Resupply: {points} SP left, also for scouts and battle plans. {repair}"

    @spend.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [option for option in options if not isinstance(option, DoneResupply)]

    @step("N20.3")
    def next_commander(self, _table: Table) -> Flow:
        """Then the other commander."""
        self.leave()
        return self.spend if self.seats else DONE

    def purchases(self, open: Open, seat: int) -> list[str]:
        """Return the reinforcements a seat may buy: Australian ones are SWPA's in mode c (N4.3, N20.3)."""
        return [
            name
            for name, force in open.forces.items()
            if force.place == US_RE
            and (COUNTERS[name].nation != "AU" or open.mode != COMMANDERS or seat == SOUTHWEST)
        ]

    def repairs(self, open: Open, seat: int) -> list[str]:
        """Return the damaged forces a seat commands, on the map, in port or in the bombing box (N4.4)."""
        nowhere = (US_RE, OUT, RAID, INV)
        return [
            name
            for name, force in open.forces.items()
            if force.damaged
            and SIDE_OF[name] == US
            and force.place not in nowhere
            and theatre(open, force.place) == seat
        ]


def buy(table: Table, name: str) -> None:
    """N4.3: pay for a force; it appears on the West Coast, an Australian one in Australia."""
    pay(table, table.actor, COUNTERS[name].buy, "for a purchase")
    place = AUSTRALIA if COUNTERS[name].nation == "AU" else WEST_COAST
    buyer = table.actor if table.open.mode == COMMANDERS else -1
    table.record(Bought(name, place, buyer))
