"""P5.2 The battle cycle, and the match that is made of cycles (P1.1)."""

from domain.kernel.procedures import DONE, Flow, Procedure, step
from domain.match.notices import GameEnded
from domain.pacific_war import control, deactivation, repair
from domain.pacific_war.bombardment import Bombardment
from domain.pacific_war.changes import Changes
from domain.pacific_war.charts import SCENARIOS
from domain.pacific_war.demolition import Demolition
from domain.pacific_war.facts import Counted, CycleBegan, PhaseBegan
from domain.pacific_war.ground import GroundCombats
from domain.pacific_war.intelligence import cover_bases
from domain.pacific_war.lighting import light, take_advantage
from domain.pacific_war.movement import Movement
from domain.pacific_war.naval import NavalBattles
from domain.pacific_war.scenarios import set_up
from domain.pacific_war.silence import cushion, sealed
from domain.pacific_war.special import wakes
from domain.pacific_war.strikes import AirMissions
from domain.pacific_war.table import Table, active, enemy
from domain.pacific_war.victory import level, points, score, winner

PHASES = {
    "5.2.A": "Lighting",
    "5.2.B": "Advantage",
    "5.2.C": "Advantage movement",
    "5.2.D": "Advantage air missions",
    "5.2.E": "Naval battle",
    "5.2.F": "Bombardment",
    "5.2.G": "Demolition",
    "5.2.H": "Ground combat",
    "5.2.I": "Airbase repair",
    "5.2.J": "Rally",
    "5.2.K": "Disadvantage movement",
    "5.2.L": "Disadvantage air missions",
    "5.2.M": "Deactivation",
    "5.2.N": "Detection removal",
    "5.2.O": "Day marker",
}
"""P5.2: the phases of the battle cycle, as they are called."""


class PacificWar(Procedure):
    """P1 A BATTLE: SO MANY CYCLES AS THE SCENARIO SAYS."""

    scenario: str
    cycles: int = 0

    @step("1.1")
    def begin(self, table: Table) -> None:
        """Set up the map."""
        set_up(table, self.scenario)

    @step("5.2")
    def cycle(self, _table: Table) -> Flow:
        """Fight a battle cycle."""
        self.cycles += 1
        return BattleCycle(cycle=self.cycles)

    @step("1.1")
    def again(self, table: Table) -> Flow:
        """Go on, unless that was the last cycle or nobody is Activated (R-45)."""
        if self.cycles < SCENARIOS[self.scenario].battle_cycles and not spent(table):
            return self.cycle
        return None

    @step("33.1")
    def count(self, table: Table) -> None:
        """Count the points; the match is over."""
        rows = score(table.open, table.own)
        japan, allies = points(rows)
        result = level(self.scenario, japan, allies)
        table.record(Counted(tuple(rows), (japan, allies), result))
        table.record(GameEnded(winner(result), result, "33.1"))


def spent(table: Table) -> bool:
    """Return whether neither side has an Activated unit."""
    return not any(active(own) for own in table.own)


class BattleCycle(Procedure):
    """P5.2 A BATTLE CYCLE."""

    cycle: int

    @step("5.2.A")
    def lighting(self, table: Table) -> None:
        """Fix the lighting; all air steps are ready, Landing markers of the last cycle are removed."""
        table.record(CycleBegan(self.cycle))
        enter(table, "5.2.A")
        cover_bases(table)
        refresh(table, self.cycle)
        light(table, self.cycle)

    @step("5.2.B")
    def advantage(self, table: Table) -> None:
        """Determine the Advantage player."""
        enter(table, "5.2.B")
        take_advantage(table, self.cycle)

    @step("5.2.C")
    def movement(self, table: Table) -> Flow:
        """Let the Advantage player move."""
        enter(table, "5.2.C")
        return Movement(side=table.open.advantage)

    @step("5.2.D")
    def missions(self, table: Table) -> Flow:
        """Let the Advantage player fly missions."""
        if spent(table):
            return DONE
        enter(table, "5.2.D")
        return AirMissions(side=table.open.advantage)

    @step("5.2.E")
    def naval(self, table: Table) -> Flow:
        """Naval combat."""
        if spent(table):
            return DONE
        enter(table, "5.2.E")
        return NavalBattles()

    @step("5.2.F")
    def bombardment(self, table: Table) -> Flow:
        """Bombardment, the Advantage player first."""
        if spent(table):
            return DONE
        enter(table, "5.2.F")
        return Bombardment(side=table.open.advantage)

    @step("5.2.F")
    def bombardment_too(self, table: Table) -> Flow:
        """Then the Disadvantage player."""
        return Bombardment(side=enemy(table.open.advantage))

    @step("5.2.G")
    def demolition(self, table: Table) -> Flow:
        """Demolition, the Advantage player first."""
        enter(table, "5.2.G")
        return Demolition(side=table.open.advantage)

    @step("5.2.G")
    def demolition_too(self, table: Table) -> Flow:
        """Then the Disadvantage player."""
        return Demolition(side=enemy(table.open.advantage))

    @step("5.2.H")
    def ground(self, table: Table) -> Flow:
        """Ground combat, hex by hex."""
        enter(table, "5.2.H")
        return GroundCombats()

    @step("2.6")
    def settle(self, table: Table) -> None:
        """Control changes."""
        control.settle(table)

    @step("5.2.I")
    def repair(self, table: Table) -> None:
        """Airbases are repaired."""
        enter(table, "5.2.I")
        repair.repair_airbases(table)

    @step("5.2.J")
    def rally(self, table: Table) -> None:
        """Broken ground units rally."""
        enter(table, "5.2.J")
        repair.rally(table)

    @step("5.2.K")
    def second_movement(self, table: Table) -> Flow:
        """Let the Disadvantage player move."""
        if spent(table):
            return DONE
        enter(table, "5.2.K")
        return Movement(side=enemy(table.open.advantage))

    @step("5.2.L")
    def second_missions(self, table: Table) -> Flow:
        """Let the Disadvantage player fly missions."""
        if spent(table):
            return DONE
        enter(table, "5.2.L")
        return AirMissions(side=enemy(table.open.advantage))

    @step("5.2.M")
    def joint(self, table: Table) -> Flow:
        """In a Battle the Operation player deactivates units."""
        if SCENARIOS[table.open.scenario].type != "battle":
            return self.detection
        enter(table, "5.2.M")
        return deactivation.Deactivation(side=table.open.operation)

    @step("5.2.M")
    def joint_too(self, table: Table) -> Flow:
        """Then the Reaction player."""
        return deactivation.Deactivation(side=enemy(table.open.operation))

    @step("5.2.N")
    def detection(self, table: Table) -> None:
        """Task forces go out of sight."""
        enter(table, "5.2.N")
        deactivation.remove_detection(table)

    @step("5.2.O")
    def day(self, table: Table) -> None:
        """Two days pass."""
        enter(table, "5.2.O")


def enter(table: Table, phase: str) -> None:
    """Record that a phase begins."""
    table.record(PhaseBegan(phase, PHASES[phase]))


def refresh(table: Table, cycle: int) -> None:
    """Make all air steps ready, and remove Landing markers (P5.2.A)."""
    before = sealed(table)
    now = Changes(table, "ready for the cycle")
    for own in table.own:
        for unit, air in own.air.items():
            awake = air.active or wakes(table.open, air.home, cycle)
            now.aircraft(unit, ready=air.steps, cap=0, active=awake)
        for unit, ground in own.ground.items():
            if ground.landing or ground.scattered:
                now.troops(unit, landing=False, scattered=False)
    now.record()
    cushion(table, before, 2)
