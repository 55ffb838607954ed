"""N20.3 Two US commanders: whose a force or an area is, and steps that both take in turn.

In the other modes every function here returns the one US seat.
"""

from collections.abc import Iterable, Sequence

from domain.kernel.procedures import Decision, Procedure, step
from domain.nimitz.charts import SWPA
from domain.nimitz.decisions import GiveSupply
from domain.nimitz.facts import SupplyIs
from domain.nimitz.table import COMMANDERS, Open, Table

PACIFIC, SOUTHWEST = 0, 1
"""The seats of POA and SWPA."""


def theatre(open: Open, place: str) -> int:
    """Return the seat that commands an area or a box."""
    return SOUTHWEST if open.mode == COMMANDERS and place in SWPA else PACIFIC


def mover(open: Open, force: str) -> int:
    """Return the seat that moves a force this turn: its buyer, who it is lent to, or its theatre's."""
    lent = open.forces[force].seat
    return theatre(open, open.forces[force].place) if lent < 0 else lent


def pay(table: Table, seat: int, price: int, why: str) -> None:
    """Take supply points from a seat."""
    if price:
        table.record(SupplyIs(seat, -price, table.open.supply[seat] - price, why))


def gifts(open: Open, seat: int) -> list[Decision]:
    """Return what a seat may give to the other in N4 and N5."""
    return [GiveSupply()] if open.mode == COMMANDERS and open.supply[seat] else []


def give(table: Table, decision: GiveSupply) -> None:
    """Pass supply points to the other commander."""
    giver = table.actor
    pay(table, giver, decision.amount, "given to the other commander")
    taker = 1 - giver
    table.record(
        SupplyIs(
            taker, decision.amount, table.open.supply[taker] + decision.amount, "from the other commander"
        )
    )


class Stage(Procedure):
    """A step that each US commander takes until Done, one after the other (N0.7, N20.3).

    A list that would hold Done alone when the step begins is passed over; after a pick it is asked (R-71).
    """

    seats: tuple[int, ...]
    picked: bool = False

    def next_seat(self, _open: Open) -> tuple[int, ...]:
        """Return the commander whose turn it is."""
        return self.seats[:1]

    def listed(self, picks: Iterable[Decision], done: Decision) -> list[Decision]:
        """Return the picks with Done at their end."""
        options: Sequence[Decision] = list(picks)
        return [*options, done] if options or self.picked else []

    def leave(self) -> None:
        """Pass on to the other commander."""
        self.seats, self.picked = self.seats[1:], False


__all__ = ["Stage", "gifts", "give", "mover", "pay", "step", "theatre"]
