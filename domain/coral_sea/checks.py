"""C12.9 Cohesion checks, wherever they are asked for."""

from domain.coral_sea import intelligence
from domain.coral_sea.charts import CARDS, CHITS, OWNERS
from domain.coral_sea.damage import Damage
from domain.coral_sea.fighting import CheckRolled
from domain.coral_sea.isolation import isolated
from domain.coral_sea.reactions import CHECK_FAILED, of_battle
from domain.coral_sea.table import Open, Table, checking
from domain.coral_sea.units import cohesion
from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Flow, Procedure, step

DIE = 10
BUNKER = next(e.check_modifier for chit in CHITS.values() for e in chit.effects if e.type == "attach_bunker")


class CohesionCheck(Procedure):
    """C12.9 A COHESION CHECK: d10 and modifiers, at most the cohesion passes."""

    unit: str
    cause: str
    """The card or chit that asks for it."""
    modifier: int
    on_fail: str
    retreats: bool = False
    """Whether it retreats outside a battle as well (C21.1)."""

    @step("C12.9")
    def roll(self, table: Table) -> Flow:
        """Roll against the cohesion as it is now."""
        whole = intelligence.board(table)
        battle = whole.battle
        cut_off = self.unit in battle.isolated if battle else isolated(whole, self.unit)
        roll_check(table, self.unit, cohesion(whole, self.unit, cut_off), self.modifiers(whole))
        return DONE if checking(table.open).passed else None

    @step("C6.5")
    def react(self, table: Table) -> Flow:
        """On a failure in a battle its owner may react."""
        return of_battle(table, CHECK_FAILED) if table.open.battle else None

    @step("C12.11")
    def result(self, table: Table) -> Flow:
        """Then comes the result."""
        if checking(table.open).passed:
            return DONE
        retreats = self.retreats or table.open.battle is not None
        why = f"by [{self.cause}] (C12.11)"
        return Damage(unit=self.unit, result=self.on_fail, retreats=retreats, why=why)

    def modifiers(self, open: Open) -> list[Modifier]:
        """Return what is added to the roll, and why."""
        found = [Modifier(named(self.cause), self.modifier)] if self.modifier else []
        battle = open.battle
        if battle:
            if battle.modifiers[OWNERS[self.unit]]:
                found.append(Modifier("cards and leaders", battle.modifiers[OWNERS[self.unit]]))
            if self.unit in battle.bunkers:
                found.append(Modifier("bunker", BUNKER))
        return found


def named(cause: str) -> str:
    """Return the printed name of a card or chit."""
    return CARDS[cause].name if cause in CARDS else CHITS[cause].name


def plain(result: str) -> str:
    """Say a result as players do."""
    return result.replace("_", " ").replace("disorganized", "disorganised")


def checks(modifier: int, on_fail: str) -> str:
    """Say that a unit checks, and what befalls it if it fails."""
    added = f" at {modifier:+}" if modifier else ""
    return f"checks{added}; if it fails it is {plain(on_fail)}"


def roll_check(table: Table, unit: str, target: int, modifiers: list[Modifier], again: bool = False) -> None:
    """Roll a check and record the outcome."""
    (die,) = table.roll(
        "cohesion check",
        1,
        DIE,
        by=OWNERS[unit],
        target=f"{target} or less holds",
        subject=unit,
        modifiers=modifiers,
    )
    added = sum(modifier.amount for modifier in modifiers)
    table.record(CheckRolled(unit, die, added, target, die + added <= target, again))
