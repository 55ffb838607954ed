"""M9 Planning (steps 11 and 12): what stands on deck, and which decks are clear, next turn."""

from collections.abc import Iterator, Sequence

from domain.kernel.procedures import Decision, Flow, ask
from domain.midway.charts import DECK_LIMIT
from domain.midway.decisions import Done, Spot, StrikeBelow, groups_of, or_done
from domain.midway.facts import GroupMoved
from domain.midway.table import (
    Open,
    Sight,
    Table,
    at,
    carriers_of,
    deck,
    hangar,
    on_deck,
    operational,
    strength,
)
from domain.midway.teams import Stage


class Planning(Stage):
    """M9 PLANNING."""

    @ask("M9.4", by="deciders")
    def plan(self, sight: Sight) -> list[Decision]:
        """Spot planes on deck or strike them below for the next turn, or be done."""
        return or_done(_plans(sight.open, sight.side, sight.seat))

    @plan.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        up, below = len(groups_of(options, Spot)), len(groups_of(options, StrikeBelow))
        can = [f"{up} can come up on deck"] * (up > 0) + [f"{below} can be struck below"] * (below > 0)
        groups = " and ".join(can).replace(" can", " of your groups can", 1)
        ends = "Planes on deck can be launched next turn, a clear deck takes planes in."
        return f"Plan the next turn: {groups}. {ends}"

    @plan.chosen
    def _(self, table: Table, decision: Spot | StrikeBelow | Done) -> Flow:
        if isinstance(decision, Done):
            self.leave(table.actor)
            return self.plan
        place = table.open.groups[decision.group].place
        ship = _ship(table.open, decision.group)
        to = deck(ship) if isinstance(decision, Spot) else hangar(ship)
        table.record(GroupMoved(decision.group, place, to))
        return self.plan

    @plan.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the plans after which that for another group is still legal.

        To strike below takes no room, to spot does: only of several that may all be spotted on one ship, each
        may leave no room for any other.
        """
        board, plans = sight.open, [one for one in options if isinstance(one, Spot | StrikeBelow)]
        spots = [one for one in plans if isinstance(one, Spot)]
        ships = {_ship(board, one.group) for one in spots}
        if len(plans) != len(spots) or len(ships) > 1:
            return list(plans) if len(plans) > 1 else []
        room = {ship: DECK_LIMIT - strength(board, on_deck(board, ship)) for ship in ships}
        needs = [board.groups[one.group].strength for one in spots]
        return [
            one
            for place, one in enumerate(spots)
            if any(
                needs[place] + other <= room[_ship(board, one.group)]
                for other in (*needs[:place], *needs[place + 1 :])
            )
        ]


def _ship(open: Open, group: str) -> str:
    return open.groups[group].place.partition(":")[2]


def _plans(open: Open, side: int, seat: int) -> Iterator[Decision]:
    for ship in carriers_of(open, side):
        if open.carriers[ship].seat != seat or not operational(open, ship):
            continue
        on = on_deck(open, ship)
        room = DECK_LIMIT - strength(open, on)
        for name in at(open, side, hangar(ship)):
            if not open.groups[name].moved and open.groups[name].strength <= room:
                yield Spot(name)
        for name in on:
            if not open.groups[name].moved:
                yield StrikeBelow(name)
