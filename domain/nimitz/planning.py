"""N9.11 US battle plans, N10.2 Japanese battle plans."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.attacks import no_kamikaze
from domain.nimitz.automaton import or_by_rule
from domain.nimitz.board import carriers
from domain.nimitz.charts import FREE_POINTS, JA, JA_PLANS, POINTS_PER_SUPPLY, US_PLANS
from domain.nimitz.decisions import BuyPlan, BuyPoints, DonePlans, JaByRule, JaPlanOrder
from domain.nimitz.facts import number
from domain.nimitz.happenings import (
    BattalionDug,
    CupFilled,
    PlanBought,
    PlanDrawn,
    PlansInOrder,
    PlanVoid,
    PointsAre,
    Screening,
)
from domain.nimitz.table import Open, Sight, Table, battalions, fighting, japan
from domain.nimitz.theatres import pay

MOST_BOUGHT = sum(plan.cost for plan in US_PLANS.values())
"""No more battle plan points than all plans cost are of use (N21)."""
FIRST_LIGHT, BATTALION, DAMAGE_CONTROL, SCREENING_SHIP, KAMIKAZE = (
    "ja.first_light",
    "ja.battalion",
    "ja.damage_control",
    "ja.screening_ship",
    "ja.kamikaze",
)
ORDER_MATTERS = ((FIRST_LIGHT, BATTALION), (DAMAGE_CONTROL, SCREENING_SHIP))


class Planning(Procedure):
    """N9.11 US PLANS."""

    def commander(self, open: Open) -> int:
        """Return the US commander of the battle, who pays."""
        return fighting(open).seat

    @step("N9.11")
    def free_points(self, table: Table) -> None:
        """Three battle plan points are free."""
        table.record(PointsAre(FREE_POINTS, 0, "free"))

    @ask("N9.11", by="commander")
    def buy(self, sight: Sight) -> list[Decision]:
        """Buy battle plans, then begin the battle."""
        board = sight.open
        battle = fighting(board)
        can_pay = board.supply[sight.seat] and battle.bought < MOST_BOUGHT
        points: list[Decision] = [BuyPoints()] if can_pay else []
        plans = [
            BuyPlan(plan.id)
            for plan in US_PLANS.values()
            if plan.cost <= battle.points and plan.id not in battle.held
        ]
        return [*plans, *points, DonePlans()]

    @buy.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        battle, supply = fighting(sight.open), sight.open.supply[sight.seat]
        lost = ", lost if not spent" if battle.points else ""
        return (
            f"Battle plans: {number(battle.points, 'point')} left{lost}; "
            f"each SP buys {POINTS_PER_SUPPLY} (you have {supply}). Japan draws {battle.plans} each turn."
        )

    @buy.chosen
    def _(self, table: Table, decision: BuyPoints | BuyPlan | DonePlans) -> Flow:
        battle = fighting(table.open)
        if isinstance(decision, DonePlans):
            return DONE
        if isinstance(decision, BuyPlan):
            plan = decision.plan
            table.record(PlanBought(plan, battle.points - US_PLANS[plan].cost))
        else:
            pay(table, table.actor, 1, "for battle plan points")
            more = POINTS_PER_SUPPLY
            table.record(PointsAre(battle.points + more, battle.bought + more, f"{more} for a supply point"))
        return self.buy

    @buy.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [option for option in options if not isinstance(option, DonePlans)]


class JapanesePlans(Procedure):
    """N10.2 JAPANESE PLANS."""

    ordered: tuple[str, ...] = ()

    def japan(self, open: Open) -> tuple[int, ...]:
        """Return the seat of Japan, if there is one."""
        return japan(open)

    @step("N10.2")
    def draw(self, table: Table) -> Flow:
        """Draw until the number of this battle is in force."""
        battle = fighting(table.open)
        if len(battle.in_force) >= battle.plans:
            return None
        if not battle.cup:
            kept = ["ja.screening_ship"] if battle.screening else []
            table.record(CupFilled(full_cup(), (*battle.in_force, *kept), battle.plans))
        (place,) = table.draw("Japanese plan", len(battle.cup), by=JA)
        plan = battle.cup[place]
        table.record(PlanDrawn(plan, plan in battle.drawn, len(battle.cup)))
        return self.draw

    @ask("N20.2", by="japan")
    def order(self, sight: Sight) -> list[Decision]:
        """Choose which of the plans takes effect first, where that matters."""
        plans = fighting(sight.open).in_force
        pairs = [pair for pair in ORDER_MATTERS if set(pair) <= set(plans)]
        left = [plan for pair in pairs if not set(pair) & set(self.ordered) for plan in pair]
        return or_by_rule(map(JaPlanOrder, left))

    @order.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        plans = [f"[{one.plan}]" for one in options if isinstance(one, JaPlanOrder)]
        return f"{' and '.join(plans[:2])} are both in force: choose which takes effect first."

    @order.chosen
    def _(self, table: Table, decision: JaPlanOrder | JaByRule) -> Flow:
        if isinstance(decision, JaByRule):
            return self.screening_ship
        self.ordered = (*self.ordered, decision.plan)
        in_force = fighting(table.open).in_force
        rest = (plan for plan in in_force if plan not in self.ordered)
        table.record(PlansInOrder((*self.ordered, *rest)))
        return self.order

    @step("N11.6")
    def screening_ship(self, table: Table) -> None:
        """Keep a Screening Ship until it is used; without a Japanese carrier it is void."""
        if SCREENING_SHIP not in fighting(table.open).in_force:
            return
        if carriers(table.open, JA):
            table.record(Screening(waits=True))
        else:
            table.record(PlanVoid(SCREENING_SHIP, "is void: Japan has no carrier here"))

    @step("N11.6")
    def no_kamikaze(self, table: Table) -> None:
        """Lay aside a Kamikaze that can have no effect."""
        why = no_kamikaze(table.open)
        if KAMIKAZE in fighting(table.open).in_force and why:
            table.record(PlanVoid(KAMIKAZE, f"is void: {why}"))

    @step("N11.6")
    def battalion_first(self, table: Table) -> None:
        """One battalion comes from the box at once, unless Japan's First Light was drawn before it (R-76)."""
        plans = fighting(table.open).in_force
        if BATTALION in plans and FIRST_LIGHT not in plans[: plans.index(BATTALION)]:
            dig_in(table)


class LatePlans(Procedure):
    """R-76 A BATTALION that was drawn after Japan's First Light."""

    @step("N11.6")
    def battalion(self, table: Table) -> None:
        """Bring it into the Japanese foxhole now."""
        if BATTALION in fighting(table.open).in_force:
            dig_in(table)


def dig_in(table: Table) -> None:
    """Take the first battalion of the box; if there is none nobody comes (N1.14)."""
    box = battalions(table.open)
    if box:
        table.record(BattalionDug(box[0]))


def full_cup() -> tuple[str, ...]:
    """Return all Japanese plan counters, by id (N9.10)."""
    return tuple(plan for plan in sorted(JA_PLANS) for _ in range(JA_PLANS[plan].copies))
