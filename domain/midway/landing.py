"""M4 Land Planes (steps 1 and 2), with hangar limits (M15.6) and ditching (M15.5)."""

from collections.abc import Sequence

from msgspec import field

from domain.kernel.procedures import Decision, Flow, ask, step
from domain.midway.charts import LAND_LIMIT
from domain.midway.damage import lose
from domain.midway.decisions import Done, Land, groups_of, or_done
from domain.midway.facts import GroupMoved, number
from domain.midway.table import (
    WAITING,
    Open,
    Sight,
    Table,
    aboard,
    at,
    carriers_of,
    hangar,
    on_deck,
    operational,
    strength,
)
from domain.midway.teams import Stage


def takes_in(open: Open, ship: str) -> bool:
    """Return whether a carrier can take planes in: operational, and the deck clear (M4.2)."""
    return operational(open, ship) and not on_deck(open, ship)


class Landing(Stage):
    """M4 LAND PLANES."""

    landed: dict[str, int] = field(default_factory=dict)
    """The strength that each carrier has taken in during this step."""

    @ask("M4.4", by="deciders")
    def land(self, sight: Sight) -> list[Decision]:
        """Land planes that are Waiting to Land, or be done."""
        board = sight.open
        ships = [s for s in carriers_of(board, sight.side) if board.carriers[s].seat == sight.seat]
        room = {ship: self.room(board, ship) for ship in ships if takes_in(board, ship)}
        return or_done(
            Land(group, ship)
            for group in at(board, sight.side, WAITING)
            for ship, free in room.items()
            if board.groups[group].strength <= free
        )

    @land.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        can = f"{number(len(groups_of(options)), 'waiting group')} can land"
        return f"Land planes: {can}. Choose one, then a carrier with a clear deck; the rest wait."

    @land.chosen
    def _(self, table: Table, decision: Land | Done) -> Flow:
        if isinstance(decision, Done):
            self.leave(table.actor)
        else:
            points = table.open.groups[decision.group].strength
            self.landed[decision.ship] = self.landed.get(decision.ship, 0) + points
            table.record(GroupMoved(decision.group, WAITING, hangar(decision.ship)))
        return self.land

    @land.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the landings that leave room for another."""
        board, picks = sight.open, [option for option in options if isinstance(option, Land)]
        return [
            one
            for one in picks
            if any(
                one.group != other.group
                and (
                    one.ship != other.ship
                    or strength(board, [one.group, other.group]) <= self.room(board, one.ship)
                )
                for other in picks
            )
        ]

    @step("M15.5")
    def ditch(self, table: Table) -> None:
        """With the option Ditching every own group that is still waiting loses 1 SP."""
        if table.open.options.ditching:
            for side in self.sides:
                for group in at(table.open, side, WAITING):
                    lose(table, group, 1, "DITCHING")

    def room(self, open: Open, ship: str) -> int:
        """Return the strength that a carrier can still take in during this step (M4.3, M15.6)."""
        free = LAND_LIMIT - self.landed.get(ship, 0)
        if open.options.hangar_capacity:
            free = min(free, open.carriers[ship].capacity - strength(open, aboard(open, ship)))
        return free
