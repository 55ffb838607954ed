"""N7.3 The order in which areas are given orders, scouted ones too (R-12)."""

from collections.abc import Sequence
from itertools import groupby

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, Step, ask, step
from domain.nimitz.automaton import TIES_BY_ID, Chose, Narrowed, or_by_rule
from domain.nimitz.charts import AREAS
from domain.nimitz.decisions import JaByRule, JaNextArea
from domain.nimitz.facts import number
from domain.nimitz.table import Open, Sight, Table, japan


class AreasInOrder(Procedure):
    """Areas one after the other, those with the fewest forces first; the list is made once."""

    areas: tuple[tuple[int, str], ...] = ()
    """Number of forces and area, what is left of the list."""
    area: str = ""

    def list_areas(self, table: Table, counts: dict[str, int]) -> None:
        """Make the list and record it."""
        self.areas = tuple(sorted((count, area) for area, count in counts.items()))
        if self.areas:
            names = tuple(area for _, area in self.areas)
            why = (Narrowed("the fewest forces first" + self.ties(table.open), names),)
            table.record(Chose(table.rule, "Areas in order", names, names, why))

    def ties(self, open: Open) -> str:
        """Say which areas have as many forces, and who puts those in order; nothing if none have."""
        ties = [[AREAS[area].name for _, area in some] for _, some in groupby(self.areas, lambda one: one[0])]
        tied = [", ".join(names) for names in ties if len(names) > 1]
        how = "ties as Japan's seat chooses" if japan(open) else TIES_BY_ID
        return f", {how}: {'; '.join(tied)}" if tied else ""

    def japan(self, open: Open) -> tuple[int, ...]:
        """Return the seat of Japan, if there is one."""
        return japan(open)

    def orders(self) -> Step:
        """Return the step at which the orders of an area begin."""
        raise NotImplementedError

    @ask("", by="japan")
    def next_area(self, _sight: Sight) -> list[Decision]:
        """Choose which of the tied areas comes next."""
        return or_by_rule(JaNextArea(area) for count, area in self.areas if count == self.areas[0][0])

    @next_area.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        tied, fewest = sum(isinstance(one, JaNextArea) for one in options), number(self.areas[0][0], "force")
        return f"{tied} areas have {fewest} each, the fewest: choose which has its orders next."

    @next_area.chosen
    def _(self, _table: Table, decision: JaNextArea | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.first_area
        self.take(decision.area)
        return self.orders()

    @step("")
    def first_area(self, _table: Table) -> Flow:
        """Without a person for Japan ties go by id (N7.3)."""
        if not self.areas:
            return DONE
        self.take(self.areas[0][1])
        return self.orders()

    def take(self, area: str) -> None:
        """Take an area off the list."""
        self.area = area
        self.areas = tuple(row for row in self.areas if row[1] != area)
