"""N10.6, N10.8 to N10.10 A combat step in a battle area: both sides roll, then the hits fall (N0.8)."""

from collections.abc import Sequence

from msgspec import field

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.nimitz.attacks import (
    BOMBS,
    DEPTH,
    DOGFIGHT,
    GUNS,
    INFANTRY,
    TORPEDOES,
    Kind,
    attack,
    attackers,
    by_depth,
    kamikaze,
    strength,
    targets,
)
from domain.nimitz.automaton import first_few
from domain.nimitz.blows import CombatBegan, Dived
from domain.nimitz.board import ISLAND, enemy, in_foxholes, landed, side_ashore, there
from domain.nimitz.charts import JA, US
from domain.nimitz.decisions import PassPlan, UsePlan
from domain.nimitz.facts import number
from domain.nimitz.happenings import PlanUsed
from domain.nimitz.hits import Hits
from domain.nimitz.table import Open, Sight, Table, fighting

MORE: dict[str, tuple[Kind, ...]] = {
    "us.furball": (DOGFIGHT,),
    "us.diving_attack": (BOMBS,),
    "us.ranging_shots": (TORPEDOES, GUNS),
}
"""Plans that add a hit where there is one (N11.7)."""
ROLLED_AGAIN: dict[str, tuple[Kind, ...]] = {"us.sonar": (TORPEDOES, DEPTH), "us.envelop": (INFANTRY,)}
"""Plans that make a roll void and roll it again (N11.7)."""


class Clash(Procedure):
    """N0.8 A COMBAT STEP IN A BATTLE AREA."""

    kind: Kind
    area: str
    sides: tuple[int, ...] = (US, JA)
    only: tuple[str, ...] = ()
    """The aircraft of an attack at first light (N10.3)."""
    rolled: dict[str, int] = field(default_factory=dict)
    """US attacker to the hits of its roll."""
    extra: int = 0
    """US hits of plans."""
    against_us: int = 0
    japan_ashore: bool | None = None
    """Whether Japan was ashore when it attacked (R-84)."""

    def commander(self, open: Open) -> tuple[int, ...]:
        """Return the US commander, if the US attack here."""
        return (fighting(open).seat,) if US in self.sides else ()

    def attackers(self, open: Open, side: int) -> list[str]:
        """Return who of a side attacks here."""
        return attackers(open, side, self.kind, self.area, self.only) if side in self.sides else []

    @step("N10.1")
    def begin(self, table: Table) -> None:
        """Begin where anybody attacks, or a plan alone may hit."""
        if self.fought(table.open):
            table.record(CombatBegan(self.kind, self.area))

    @step("N0.8")
    def us_rolls(self, table: Table) -> None:
        """US attackers roll first, by id."""
        for name in self.attackers(table.open, US):
            self.rolled[name] = attack(table, name, self.kind, self.area) or 0

    @ask("N11.7", by="commander")
    def plans(self, sight: Sight) -> list[Decision]:
        """Use a battle plan on these attacks, or none."""
        uses = [use for plan in fighting(sight.open).held for use in self.uses(sight.open, plan)]
        return [*uses, PassPlan()] if uses else []

    @plans.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        hits = sum(self.rolled.values()) + self.extra
        return (
            f"{self.kind} {there(self.area)}: {number(hits, 'hit')} on Japan so far. "
            "Use a battle plan, or go on: then Japan attacks."
        )

    @plans.chosen
    def _(self, table: Table, decision: UsePlan | PassPlan) -> Flow:
        if isinstance(decision, PassPlan):
            return self.japanese_rolls
        plan, name = decision.plan, decision.subject
        effect = "rolls again" if plan in ROLLED_AGAIN else "attacks once more" if name else "one hit more"
        table.record(PlanUsed(plan, effect, name))
        if not name:
            self.extra += 1
            return self.plans
        hits = attack(table, name, self.kind, self.area) or 0
        if plan in ROLLED_AGAIN:
            self.rolled[name] = hits
        else:
            self.extra += hits
        return self.plans

    @step("N0.8")
    def japanese_rolls(self, table: Table) -> None:
        """Then Japanese attackers, by id; Kamikaze and Artillery add hits (N11.6)."""
        board = table.open
        self.japan_ashore = side_ashore(board, JA)
        diving = self.kind == BOMBS and self.area != ISLAND and kamikaze(board)
        if self.kind == DEPTH and JA in self.sides:
            self.say_who_hunts(table)
        for name in self.attackers(board, JA):
            self.against_us += attack(table, name, self.kind, self.area) or 0
            if diving:
                table.record(Dived(name))
                self.against_us += 1
        if self.artillery(board):
            self.against_us += 1

    def say_who_hunts(self, table: Table) -> None:
        """Record which Japanese ships attack submarines, if not all do (N10.9 b)."""
        board = table.open
        hunted = len(targets(board, US, DEPTH, self.area))
        reason = f"the best depth charges, one for each submarine, {hunted} in all"
        first_few(table, "N10.9", "Ships that hunt", by_depth(board, JA, self.area), hunted, reason)

    @step("N0.8")
    def hits_on_japan(self, _table: Table) -> Flow:
        """US hits fall."""
        hits = sum(self.rolled.values()) + self.extra
        return Hits(victim=JA, kind=self.kind, area=self.area, left=hits) if hits else None

    @step("N0.8")
    def hits_on_the_us(self, _table: Table) -> Flow:
        """Japanese hits fall."""
        if not self.against_us:
            return None
        return Hits(victim=US, kind=self.kind, area=self.area, left=self.against_us, ashore=self.japan_ashore)

    def fought(self, open: Open) -> bool:
        """Return whether anything happens here."""
        if any(self.attackers(open, side) for side in (US, JA)):
            return True
        shelled = self.artillery(open) and bool(targets(open, US, self.kind, self.area))
        return shelled or (US in self.sides and any(self.uses(open, plan) for plan in fighting(open).held))

    def artillery(self, open: Open) -> bool:
        """Return whether Japan's Artillery hits here (N11.6)."""
        planned = self.kind == INFANTRY and "ja.artillery" in fighting(open).in_force
        return planned and bool(landed(open, JA))

    def uses(self, open: Open, plan: str) -> list[Decision]:
        """Return the ways in which a plan fits this window (N11.7)."""
        if self.kind in ROLLED_AGAIN.get(plan, ()):
            return [UsePlan(plan, name) for name in self.rolled]
        if not targets(open, enemy(US), self.kind, self.area):
            return []
        more = self.kind in MORE.get(plan, ()) and any(self.rolled.values())
        if more or (plan == "us.artillery" and self.kind == INFANTRY and landed(open, US)):
            return [UsePlan(plan)]
        if plan == "us.charge" and self.kind == INFANTRY:
            ready = [n for n in in_foxholes(open, US) if strength(open, n, INFANTRY, self.area)[0] > 0]
            return [UsePlan(plan, name) for name in ready]
        return []
