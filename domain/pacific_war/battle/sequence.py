"""P5.2 The battle cycle, and the match that is made of cycles (P1.1)."""

from domain.kernel.procedures import DONE, Done, Flow, Procedure, step
from domain.match.notices import GameEnded
from domain.pacific_war.battle import control, deactivation, repair
from domain.pacific_war.battle.bombardment import Bombardment
from domain.pacific_war.battle.demolition import Demolition
from domain.pacific_war.battle.ground import GroundCombats
from domain.pacific_war.battle.lighting import light, take_advantage
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.charts import SCENARIOS
from domain.pacific_war.board.special import wakes
from domain.pacific_war.board.table import Table, enemy, spent
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import Counted, CycleBegan, PhaseBegan
from domain.pacific_war.facts.intelligence import cover_bases
from domain.pacific_war.facts.silence import cushion, sealed
from domain.pacific_war.setup.scenarios import set_up
from domain.pacific_war.victory.battles import level, points, score, winner
from domain.pacific_war.victory.war_victory import storm

PHASES = {
    "5.1.A": "Weather",
    "5.1.B": "Strategic intelligence",
    "5.1.C": "Strategic bombing",
    "5.1.D": "Japanese escorts",
    "5.1.E": "Submarine priority",
    "5.1.F": "Merchant shipping",
    "5.1.G": "Command Points",
    "5.1.H": "Isolation",
    "5.1.I": "Transport to engineering",
    "5.1.N": "Submarine patrols",
    "5.1.O": "Bids",
    "5.1.P": "Activation",
    "5.1.Q": "Operational intelligence",
    "5.1.R": "Contact movement",
    "5.1.S": "Reaction",
    "5.1.T": "Reaction contact movement",
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
"""P5.1, P5.2: the phases of a month and of the battle cycle, as they are called."""
OF_THE_WAR = frozenset({"5.1.A", "5.1.C", "5.1.D", "5.1.E", "5.1.F"})
"""P1: the phases that a campaign leaves out."""


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
        if self.cycles < SCENARIOS[self.scenario].battle_cycles and not spent(table.own):
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


class BattleCycle(Procedure):
    """P5.2 A BATTLE CYCLE."""

    cycle: int

    @step("5.2.A")
    def lighting(self, table: Table) -> None:
        """Fix the lighting; all air steps are ready, Landing markers of the last cycle are removed."""
        dawn(table, self.cycle)
        light(table, self.cycle)

    @step("5.2.B")
    def advantage(self, table: Table) -> None:
        """Determine the Advantage player."""
        enter(table, "5.2.B")
        take_advantage(table, self.cycle)

    @step("5.2.C")
    def movement(self, table: Table) -> Flow:
        """Let the Advantage player move."""
        return phase(table, "5.2.C", Movement(side=table.open.advantage))

    @step("5.2.D")
    def missions(self, table: Table) -> Flow:
        """Let the Advantage player fly missions."""
        return phase(table, "5.2.D", AirMissions(side=table.open.advantage))

    @step("5.2.E")
    def naval(self, table: Table) -> Flow:
        """Naval combat."""
        return phase(table, "5.2.E", NavalBattles())

    @step("5.2.F")
    def bombardment(self, table: Table) -> Flow:
        """Bombardment, the Advantage player first."""
        return phase(table, "5.2.F", Bombardment(side=table.open.advantage))

    @step("5.2.F")
    def bombardment_too(self, table: Table) -> Flow:
        """Then the Disadvantage player."""
        return phase(table, "5.2.F", Bombardment(side=enemy(table.open.advantage)))

    @step("5.2.G")
    def demolition(self, table: Table) -> Flow:
        """Demolition, the Advantage player first."""
        return phase(table, "5.2.G", Demolition(side=table.open.advantage))

    @step("5.2.G")
    def demolition_too(self, table: Table) -> Flow:
        """Then the Disadvantage player."""
        return phase(table, "5.2.G", Demolition(side=enemy(table.open.advantage)))

    @step("5.2.H")
    def ground(self, table: Table) -> Flow:
        """Ground combat, hex by hex."""
        return phase(table, "5.2.H", GroundCombats())

    @step("2.6")
    def settle(self, table: Table) -> Flow:
        """Control changes, which may end the war (P33.3)."""
        if spent(table.own):
            return DONE
        control.settle(table)
        storm(table)
        return None

    @step("5.2.I")
    def repair(self, table: Table) -> Flow:
        """Airbases are repaired."""
        if ended := phase(table, "5.2.I"):
            return ended
        repair.repair_airbases(table)
        return None

    @step("5.2.J")
    def rally(self, table: Table) -> Flow:
        """Broken ground units rally."""
        if ended := phase(table, "5.2.J"):
            return ended
        repair.rally(table)
        return None

    @step("5.2.K")
    def second_movement(self, table: Table) -> Flow:
        """Let the Disadvantage player move."""
        return phase(table, "5.2.K", Movement(side=enemy(table.open.advantage)))

    @step("5.2.L")
    def second_missions(self, table: Table) -> Flow:
        """Let the Disadvantage player fly missions."""
        return phase(table, "5.2.L", AirMissions(side=enemy(table.open.advantage)))

    @step("5.2.M")
    def joint(self, table: Table) -> Flow:
        """In a Battle the Operation player deactivates units."""
        if SCENARIOS[table.open.scenario].type != "battle":
            return self.detection
        return phase(table, "5.2.M", deactivation.Deactivation(side=table.open.operation))

    @step("5.2.M")
    def joint_too(self, table: Table) -> Flow:
        """Then the Reaction player."""
        return phase(table, "5.2.M", deactivation.Deactivation(side=enemy(table.open.operation)))

    @step("5.2.N")
    def detection(self, table: Table) -> Flow:
        """Task forces go out of sight."""
        if ended := phase(table, "5.2.N"):
            return ended
        deactivation.remove_detection(table)
        return None

    @step("5.2.O")
    def day(self, table: Table) -> Flow:
        """Two days pass."""
        return phase(table, "5.2.O")


def phase(table: Table, number: str, played: Procedure | None = None) -> Procedure | Done | None:
    """Begin a phase and return what is played in it; when nobody is Activated any more, nothing is (R-45)."""
    if spent(table.own):
        return DONE
    if table.open.phase != number:
        enter(table, number)
    return played


def dawn(table: Table, cycle: int) -> None:
    """Begin a cycle: what was shown of bases is hidden again, and everything is ready (P5.2.A)."""
    table.record(CycleBegan(cycle))
    enter(table, "5.2.A")
    cover_bases(table)
    refresh(table, cycle)


def enter(table: Table, number: str) -> None:
    """Record that a phase begins."""
    table.record(PhaseBegan(number, PHASES[number]))


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
                now.troops(unit, landing=False, assault=False, scattered=False)
    now.record()
    cushion(table, before, 2)
