"""M8 Launch Planes (steps 9 and 10). The deck limit (M9.3) keeps a launch within 20 SP (M8.2)."""

from collections.abc import Iterator, Sequence

from domain.kernel.procedures import Decision, Flow, ask
from domain.midway.decisions import Done, Launch, groups_of, or_done
from domain.midway.facts import GroupMoved, number
from domain.midway.table import FIGHTERS, Open, Sight, Table, carriers_of, deck, operational, owner
from domain.midway.teams import Stage, others_stay


class Launching(Stage):
    """M8 LAUNCH PLANES."""

    @ask("M8.3", by="deciders")
    def launch(self, sight: Sight) -> list[Decision]:
        """Launch planes from the decks, to Moving to Attack or (fighters) to the CAP centre, or be done."""
        return or_done(_launches(sight.open, sight.side, sight.seat))

    @launch.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        can = f"{number(len(groups_of(options)), 'group')} on deck"
        fighters = any(isinstance(pick, Launch) and pick.to == "CAP:1" for pick in options)
        ways = "to attack, or fighters on CAP" if fighters else "to attack"
        return f"Launch planes: {can}. Choose one, {ways}; the rest stay on deck."

    @launch.chosen
    def _(self, table: Table, decision: Launch | Done) -> Flow:
        if isinstance(decision, Done):
            self.leave(table.actor)
        else:
            table.record(GroupMoved(decision.group, table.open.groups[decision.group].place, decision.to))
        return self.launch

    @launch.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return others_stay(options, Launch)


def _launches(open: Open, side: int, seat: int) -> Iterator[Decision]:
    decks = {deck(ship) for ship in carriers_of(open, side) if operational(open, ship)}
    for name, group in open.groups.items():
        if group.place in decks and owner(open, name) == seat:
            yield Launch(name, "MOVING")
            if group.type == FIGHTERS:
                yield Launch(name, "CAP:1")
