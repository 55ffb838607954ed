"""M5 Move Planes (steps 3 and 4), with the options of the step: RECALL, TURN_BACK and CAP endurance."""

from collections.abc import Iterator, Sequence

from domain.kernel.procedures import Decision, Flow, ask, step
from domain.midway.decisions import Advance, Done, Recall, SearchStart, TurnBack, groups_of, or_done
from domain.midway.facts import GroupMoved, number
from domain.midway.search import Search, may_search
from domain.midway.table import (
    ATTACKING,
    CAP,
    HOME,
    MOVING,
    READY,
    WAITING,
    Open,
    Sight,
    Table,
    in_cap,
    outward,
    owner,
)
from domain.midway.teams import Stage, admiral, others_stay

NEXT = {MOVING: READY, READY: ATTACKING, HOME: WAITING}
"""M5.3: the next box of the circuit."""
TURNS_BACK = (MOVING, READY)


class Movement(Stage):
    """M5 MOVE PLANES."""

    searching: bool = False

    @step("M12.2")
    def search(self, _table: Table) -> Flow:
        """If the admiral has called for it, the search comes now; then the other planes may move."""
        called, self.searching = self.searching, False
        return Search(side=self.sides[0]) if called else None

    @ask("M5.3", by="deciders")
    def advance(self, sight: Sight) -> list[Decision]:
        """Move planes one box along the circuit, or be done."""
        return or_done(_moves(sight.open, sight.side, sight.seat))

    @advance.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        count = len(groups_of(options, Advance))
        can = f"{number(count, 'group')} can go one box on" if count else "none can go on"
        if SearchStart() in options:
            begin = "Or begin" if count else "Begin"
            waits = "until it is found, planes Moving to Attack go no further"
            return f"Move planes: {can}. {begin} the search for the enemy fleet: {waits}."
        which = "which go" if count else "which turn back"
        return f"Move planes: {can}. Choose {which}, or leave them where they are."

    @advance.chosen
    def _(self, table: Table, decision: Advance | SearchStart | Recall | TurnBack | Done) -> Flow:
        if isinstance(decision, SearchStart):
            self.searching = True
            return self.search
        if isinstance(decision, Done):
            self.leave(table.actor)
            return self.advance
        place = table.open.groups[decision.group].place
        to = {Advance: NEXT.get(place, WAITING), Recall: WAITING, TurnBack: HOME}[type(decision)]
        table.record(GroupMoved(decision.group, place, to))
        return self.advance

    @advance.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return others_stay(options, Advance, Recall, TurnBack)

    @step("M15.4")
    def endurance(self, table: Table) -> None:
        """With the option Endurance of the CAP every group still on CAP moves one position outward."""
        if table.open.options.cap_endurance:
            for group in in_cap(table.open, self.sides[0]):
                place = table.open.groups[group].place
                table.record(GroupMoved(group, place, outward(table.open, place)))


def _moves(open: Open, side: int, seat: int) -> Iterator[Decision]:
    mine = [
        (n, g) for n, g in open.groups.items() if g.side == side and not g.moved and owner(open, n) == seat
    ]
    for name, group in mine:
        if group.place in NEXT and (group.place != MOVING or open.found[side]):
            yield Advance(name)
    if seat == admiral(open, side) and may_search(open, side):
        yield SearchStart()
    for name, group in mine:
        if open.options.cap_recall and group.place.startswith(CAP):
            yield Recall(name)
        if open.options.turn_back and group.place in TURNS_BACK:
            yield TurnBack(name)
