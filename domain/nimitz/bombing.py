"""N19.2 Strategic bombing."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.automaton import draw
from domain.nimitz.charts import COUNTERS, JA, US
from domain.nimitz.decisions import PickBombed
from domain.nimitz.facts import number
from domain.nimitz.marches import BattalionBack, Returned
from domain.nimitz.rows import KINDS
from domain.nimitz.table import JAPAN, MARIANAS, SB, Open, Sight, Table, at
from domain.nimitz.theatres import theatre


def send_back(table: Table, name: str, why: str) -> None:
    """Send a Japanese force, full, to the returned queue of its kind, a battalion to its box (N14)."""
    if COUNTERS[name].type == "BN":
        table.record(BattalionBack(name, why))
    else:
        table.record(Returned(name, COUNTERS[name].kind, why))


class StrategicBombing(Procedure):
    """N19.2 STRATEGIC BOMBING. Each wing that was sent bombs a force in Japan."""

    wings: tuple[str, ...] = ()
    wing: str = ""

    def commander(self, open: Open) -> int:
        """Return the seat of the wings' base."""
        return theatre(open, MARIANAS)

    @step("N19.2")
    def wings_fly(self, table: Table) -> None:
        """All wings in the bombing box fly."""
        self.wings = tuple(at(table.open, SB, US))

    @step("N19.2")
    def next_wing(self, _table: Table) -> Flow:
        """They fly one after the other, by id."""
        if not self.wings:
            return DONE
        self.wing, self.wings = self.wings[0], self.wings[1:]
        return None

    @ask("N19.2", by="commander", forced=True)
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the kind of force in Japan that is bombed."""
        there = at(sight.open, JAPAN, JA)
        return [PickBombed(kind) for kind in KINDS if any(COUNTERS[n].kind == kind for n in there)]

    @pick.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        more = f" {number(len(self.wings), 'wing')} more to come." if self.wings else ""
        return f"[{self.wing}] bombs Japan: choose the kind of force; one of it is drawn and sent back.{more}"

    @pick.chosen
    def _(self, table: Table, decision: PickBombed) -> Flow:
        names = at(table.open, JAPAN, JA, decision.kind)
        (bombed,) = draw(table, "N19.2", "Bombed in Japan", names)
        send_back(table, bombed, f"bombed by [{self.wing}]")
        return self.next_wing

    @step("N19.2")
    def nothing_there(self, _table: Table) -> Flow:
        """If Japan has nothing there, nothing happens."""
        return self.next_wing
