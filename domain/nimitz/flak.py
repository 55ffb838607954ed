"""N10.7 AAA: by rows, escorts before carriers, hits falling before the next row."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.attacks import AAA, attack, strength, targets
from domain.nimitz.automaton import first_few
from domain.nimitz.blows import CombatBegan
from domain.nimitz.board import enemy, ships, there
from domain.nimitz.charts import JA, US
from domain.nimitz.decisions import PassPlan, UsePlan
from domain.nimitz.facts import number
from domain.nimitz.happenings import PlanUsed
from domain.nimitz.hits import Hits
from domain.nimitz.table import CARRIERS, ESCORTS, Open, Sight, Table, fighting, rated

ROWS = (ESCORTS, CARRIERS)


class Flak(Procedure):
    """N10.7 THE AAA OF A SIDE in a battle area."""

    side: int
    area: str
    only: tuple[str, ...] = ()
    """The aircraft of an attack at first light (N10.3)."""
    row: int = 0
    hits: int = 0
    fired: tuple[str, ...] = ()

    def commander(self, open: Open) -> tuple[int, ...]:
        """Return the US commander, if it is the US that fire."""
        return (fighting(open).seat,) if self.side == US else ()

    @step("N10.7")
    def fire(self, table: Table) -> Flow:
        """As many ships of the row fire as there are enemy aircraft, those with the best AAA."""
        if self.row == len(ROWS):
            return self.anti_aircraft
        self.hits = 0
        for name in self.gunners(table):
            if not self.fired:
                table.record(CombatBegan(AAA, self.area))
            self.hits += attack(table, name, AAA, self.area) or 0
            self.fired = (*self.fired, name)
        return None

    @ask("N11.7", by="commander")
    def aaa(self, sight: Sight) -> list[Decision]:
        """Use a battle plan for one hit more, or none."""
        if not self.hits or "us.aaa" not in fighting(sight.open).held:
            return []
        return [UsePlan("us.aaa"), PassPlan()]

    @aaa.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"AAA {there(self.area)}: {number(self.hits, 'hit')} on Japan. Add one with [us.aaa], or not."

    @aaa.chosen
    def _(self, table: Table, decision: UsePlan | PassPlan) -> Flow:
        if isinstance(decision, UsePlan):
            table.record(PlanUsed(decision.plan, "one hit more"))
            self.hits += 1
        return None

    @step("N10.7")
    def hits_of_row(self, _table: Table) -> Flow:
        """Let the hits fall before the next row fires."""
        self.row += 1
        return self.falling() if self.hits else None

    @step("N10.7")
    def next_row(self, _table: Table) -> Flow:
        """Then the next row."""
        return self.fire

    @ask("N11.7", by="commander")
    def anti_aircraft(self, sight: Sight) -> list[Decision]:
        """Use a battle plan to fire once more with a ship, or none."""
        board = sight.open
        fits = "us.anti_aircraft" in fighting(board).held and self.targets(board)
        again = [n for n in self.fired if n in fighting(board).ships] if fits else []
        return [*(UsePlan("us.anti_aircraft", name) for name in again), PassPlan()] if again else []

    @anti_aircraft.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        left = f"{len(self.targets(sight.open))} Japanese aircraft left"
        return (
            f"AAA {there(self.area)}: {left}. Choose a ship that fires again by [us.anti_aircraft], or go on."
        )

    @anti_aircraft.chosen
    def _(self, table: Table, decision: UsePlan | PassPlan) -> Flow:
        if isinstance(decision, PassPlan):
            return DONE
        table.record(PlanUsed(decision.plan, "fires once more", decision.subject))
        self.hits = attack(table, decision.subject, AAA, self.area) or 0
        return self.last_hits

    @step("N10.7")
    def silence(self, _table: Table) -> Flow:
        """Without it the guns fall silent."""
        return DONE

    @step("N10.7")
    def last_hits(self, _table: Table) -> Flow:
        """Its hits fall too."""
        return self.falling() if self.hits else None

    def targets(self, open: Open) -> list[str]:
        """Return the enemy aircraft here."""
        return targets(open, enemy(self.side), AAA, self.area, self.only)

    def gunners(self, table: Table) -> list[str]:
        """Return the ships of the row that fire, best first: one for each enemy aircraft (R-44)."""
        board = table.open
        count = len(self.targets(board))
        if not count:
            return []
        row = [
            n
            for n in ships(board, self.side, self.area, ROWS[self.row])
            if strength(board, n, AAA, "")[0] > 0
        ]
        rank = {name: (-(rated(board, name).aaa or 0), -rated(board, name).aaa_sup) for name in row}
        row.sort(key=lambda name: (rank[name], name))
        if self.side == JA:
            ranked = [(name, rank[name]) for name in row]
            reason = f"the best AAA, one for each aircraft, {count} in all"
            first_few(table, "N10.7", "Ships that fire", ranked, count, reason)
        return row[:count]

    def falling(self) -> Procedure:
        """Return the hits that fall now."""
        return Hits(victim=enemy(self.side), kind=AAA, area=self.area, left=self.hits, only=self.only)
