"""P20, P5.3, P5.4 An Operation from its activation to its end, over month ends."""

from msgspec.structs import replace

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.battle.deactivation import Deactivation, remove_detection
from domain.pacific_war.battle.lighting import light
from domain.pacific_war.battle.sequence import BattleCycle, dawn, enter, phase
from domain.pacific_war.board.campaigns import MONTH_BEGIN, SPACES
from domain.pacific_war.board.charts import DAY, TABLES
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.special import first_strike, opening, surprised
from domain.pacific_war.board.table import Sight, Table, active, enemy, spent
from domain.pacific_war.board.war import Condition
from domain.pacific_war.decisions.choices import ChooseLighting
from domain.pacific_war.facts.cycle import LightingIs
from domain.pacific_war.facts.months import DayIs, MeansAre, OperationIs, under_way, war
from domain.pacific_war.month import MonthEnd
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.bids import Claim, forfeit
from domain.pacific_war.operations.contact import Contact, ReactionContact
from domain.pacific_war.victory.closing import close

INTELLIGENCE: dict[str, list[Condition]] = TABLES["operational_intelligence"]["by_level_d10"]
BY_LEVEL: dict[str, int] = TABLES["operational_intelligence"]["die_modifier_by_operation_level"]
ALONE = 2
"""R-25: in the second 5.2.M in which the Operation player has nobody, the Reaction player stands down."""
CYCLE_DAYS = 2


class OperationUnderWay(Procedure):
    """P20 AN OPERATION."""

    cycle: int = 0
    alone: int = 0
    """Cycles at whose end the Operation player had no Activated unit, which is his secret (P0.4.1)."""

    @step("20.2")
    def activation(self, table: Table) -> Flow:
        """Let the Operation player activate units."""
        enter(table, "5.1.P")
        return Activation(side=table.open.operation, kind="operation")

    @step("20.2.2")
    def forfeited(self, table: Table) -> Flow:
        """Who activates nothing loses his bid, and a day passes (R-4)."""
        if under_way(table.open).level:
            return None
        forfeit(table)
        day = (war(table.open).day + 1) % SPACES
        table.record(DayIs(day, "since nothing was activated"))
        return self.month_too if day == MONTH_BEGIN else DONE

    @step("21.1")
    def intelligence(self, table: Table) -> None:
        """Let the Reaction player learn the Condition."""
        enter(table, "5.1.Q")
        learn_condition(table)

    @step("23.4")
    def contact(self, table: Table) -> Flow:
        """Let the Operation player move in contact."""
        enter(table, "5.1.R")
        return Contact(side=table.open.operation)

    @step("22.1")
    def reaction(self, table: Table) -> Flow:
        """Let the Reaction player activate units, but not in the first Operation of the war (S1.5)."""
        if spent(table.own):
            return self.end
        if opening(table.open):
            return self.reaction_contact
        enter(table, "5.1.S")
        return Activation(side=enemy(table.open.operation), kind="reaction")

    @step("23.5.1")
    def reaction_contact(self, table: Table) -> Flow:
        """Let the Reaction player move in contact."""
        enter(table, "5.1.T")
        return ReactionContact(side=enemy(table.open.operation))

    @step("5.2")
    def fight(self, table: Table) -> Flow:
        """Fight a battle cycle."""
        if spent(table.own):
            return self.end
        self.cycle += 1
        return CampaignCycle(cycle=self.cycle, alone=self.alone)

    @step("5.3.2")
    def tally(self, table: Table) -> None:
        """Close an Operation without Activated units, in whatever phase of the cycle it ended (R-3)."""
        self.alone += not active(table.own[table.open.operation])
        if spent(table.own):
            close(table)

    @step("32.2")
    def detection(self, table: Table) -> None:
        """Task forces go out of sight."""
        enter(table, "5.2.N")
        remove_detection(table)

    @step("32.3")
    def day(self, table: Table) -> Flow:
        """Two days pass; the month may end (P5.4.1 b, c)."""
        enter(table, "5.2.O")
        board = war(table.open)
        if board.operation is not None:
            later = replace(board.operation, days=board.operation.days + CYCLE_DAYS)
            table.record(OperationIs(later, f"The Operation has lasted {later.days} days"))
        day = board.day + CYCLE_DAYS
        table.record(DayIs(day % SPACES, "after a battle cycle"))
        return MonthEnd() if day >= SPACES else None

    @step("5.3.4")
    def again(self, table: Table) -> Flow:
        """Fight on while the Operation lasts."""
        return self.fight if war(table.open).operation is not None else DONE

    @step("5.3.2")
    def end(self, table: Table) -> Flow:
        """Close the Operation before a battle cycle, in which the month may have ended (P5.4.1 a).

        The month has ended if the marker has come to Month Begin, not if the Operation began there.
        """
        came = under_way(table.open).moved > 0
        close(table)
        return MonthEnd() if came and war(table.open).day == MONTH_BEGIN else DONE

    @step("5.4.2")
    def claim(self, table: Table) -> Flow:
        """After the month the Reaction player may take over."""
        enter(table, "5.1.O")
        return Claim(side=enemy(table.open.operation))

    @step("5.4.2")
    def over(self, _table: Table) -> Flow:
        """Claimed or not, this Operation is over."""
        return DONE

    @step("5.4.1")
    def month_too(self, _table: Table) -> Flow:
        """End the month as if nobody had bid."""
        return MonthEnd()


def learn_condition(table: Table) -> None:
    """Roll for the Condition (P21): unseen; the Reaction player alone learns it. Some are given (C1.2)."""
    operation, foe = under_way(table.open), enemy(table.open.operation)
    if surprised(table.open):
        table.record(MeansAre(foe, condition="S", why="the first Operation"))
        table.record(OperationIs(replace(operation, condition="S"), "The Condition is Surprise Attack"))
        return
    more, row = BY_LEVEL[str(operation.level)], INTELLIGENCE[str(table.own[foe].means.level)]
    face = d10(
        table,
        "operational intelligence",
        by=foe,
        target="by the level of Strategic Intelligence",
        shifts=[("Operation Level", more)],
        unseen=True,
    )
    table.record(MeansAre(foe, condition=row[max(0, min(9, face + more))], why="intelligence"))


class CampaignCycle(BattleCycle):
    """P5.2 A BATTLE CYCLE OF AN OPERATION."""

    alone: int = 0
    """Earlier cycles at whose end the Operation player had nobody (R-25)."""

    @step("5.2.A")
    def lighting(self, table: Table) -> Flow:
        """Fix the lighting; in the first cycle the Operation player may pick it (P26.1); S1.4 has Day."""
        dawn(table, self.cycle)
        if first_strike(table.open):
            table.record(LightingIs(DAY))
            return None
        operation = under_way(table.open)
        if self.cycle == 1 and not operation.forced and operation.condition != "A":
            return PickLighting(side=operation.player)
        light(table, self.cycle)
        return None

    @step("5.2.M")
    def joint(self, table: Table) -> Flow:
        """Let the Operation player deactivate and activate units."""
        return phase(table, "5.2.M", Joint(side=table.open.operation))

    @step("5.2.M")
    def joint_too(self, table: Table) -> Flow:
        """Then the Reaction player; all his units stand down when he alone has had some for long (R-41)."""
        nobody = not active(table.own[table.open.operation])
        forced = nobody and self.alone + 1 >= ALONE
        return phase(table, "5.2.M", Joint(side=enemy(table.open.operation), forced=forced))

    @step("5.2.N")
    def detection(self, _table: Table) -> Flow:
        """Leave the rest to the Operation, which does it also when it has ended (R-3)."""
        return DONE


class PickLighting(Procedure):
    """P26.1 THE OPERATION PLAYER PICKS THE LIGHTING."""

    side: int

    @ask("26.1", by="side")
    def pick(self, _sight: Sight) -> list[Decision]:
        """Choose whether the first cycle is fought by day or at night."""
        return [ChooseLighting("Day"), ChooseLighting("Night")]

    @pick.chosen
    def _(self, table: Table, decision: ChooseLighting) -> Flow:
        table.record(LightingIs(decision.lighting))
        return DONE


class Joint(Procedure):
    """P20.4 A SIDE'S PART OF THE JOINT PHASE."""

    side: int
    forced: bool = False
    """It must deactivate all, and activates nothing (R-41)."""

    @step("32.1")
    def deactivate(self, _table: Table) -> Flow:
        """Deactivate units."""
        return Deactivation(side=self.side, forced=self.forced)

    @step("20.4")
    def activate(self, table: Table) -> Flow:
        """Activate more units, which act from the next cycle."""
        if self.forced or spent(table.own):
            return DONE
        return Activation(side=self.side, kind="joint")
