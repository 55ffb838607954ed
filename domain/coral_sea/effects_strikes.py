"""C21.1 Effects that strike at units: air attacks, submarines, disease, attacks in battle, second rolls."""

from collections.abc import Sequence

from domain.coral_sea import targets
from domain.coral_sea.cards import effect
from domain.coral_sea.charts import DAMAGE_ON, OWNERS, UNITS
from domain.coral_sea.checks import DIE, CohesionCheck, checks, roll_check
from domain.coral_sea.decisions import ChooseUnit, TargetArea, TargetUnit
from domain.coral_sea.facts import number
from domain.coral_sea.intelligence import board, cover, seen, show
from domain.coral_sea.places import AirfieldDamaged
from domain.coral_sea.printed import Effect
from domain.coral_sea.table import Open, Sight, Table, checking, enemy
from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step


@effect("air_attack")
def air_attack(_table: Table, side: int, what: Effect, card: str) -> Flow:
    """Attack an area from the air."""
    return AirAttack(side=side, foe=enemy(side), effect=what, card=card)


@effect("sub_attack")
def sub_attack(_table: Table, side: int, what: Effect, card: str) -> Flow:
    """Attack a stack that has just moved with a submarine."""
    return AirAttack(side=side, foe=enemy(side), effect=what, card=card, from_below=True)


@effect("disease")
def disease(_table: Table, side: int, what: Effect, card: str) -> Flow:
    """Let a unit without resource points sicken."""
    return Disease(side=side, effect=what, card=card)


@effect("attack_checks")
def attack_checks(_table: Table, side: int, what: Effect, card: str) -> Flow:
    """Make enemy units in the battle check."""
    chooser = side if what.chooser == "attacker" else enemy(side)
    return Assault(side=side, chooser=chooser, effect=what, card=card)


@effect("reroll")
def reroll(table: Table, _side: int, _what: Effect, card: str) -> Flow:
    """Roll the failed check again with the same modifiers; the second result stands."""
    check = checking(table.open)
    again = [Modifier("as before", check.modifier)] if check.modifier else []
    assert card
    roll_check(table, check.unit, check.cohesion, again, again=True)
    return None


def nth(struck: Sequence[str], what: Effect, left: Sequence[Decision]) -> str:
    """Return which of the units that an effect strikes is chosen now."""
    return f"unit {len(struck) + 1} of {min(what.checks, len(struck) + len(left))}"


class AirAttack(Procedure):
    """C21.1 AN AIR ATTACK, or a submarine's: the enemy owner picks which units check, one by one."""

    side: int
    foe: int
    effect: Effect
    card: str
    from_below: bool = False
    area: str = ""
    struck: tuple[str, ...] = ()

    @ask("C21.1", by="side", forced=True)
    def target(self, sight: Sight) -> list[Decision]:
        """Choose the area that is attacked."""
        whole = seen(sight)
        if self.from_below:
            return [TargetArea(area) for area in targets.ended_at_sea(whole, self.side)]
        return [TargetArea(area) for area in targets.air(whole, self.side, self.effect)]

    @target.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        count = number(self.effect.checks, "enemy unit")
        then = checks(self.effect.modifier, self.effect.on_fail)
        return f"[{self.card}]: choose the area to attack. The owner picks {count} there; each {then}."

    @target.chosen
    def _(self, _table: Table, decision: TargetArea) -> None:
        self.area = decision.area

    @step("C22.1")
    def airfield(self, table: Table) -> None:
        """By option an enemy airfield there may be put out of order."""
        whole = board(table)
        if self.from_below or not whole.options.air_attacks_on_airfields or self.area in whole.damaged:
            return
        if self.area and targets.enemy_airfield(whole, self.side, self.area):
            need = f"{DAMAGE_ON} or more puts it out of order"
            (die,) = table.roll("airfield", 1, DIE, by=self.side, target=need, subject=self.area)
            if die >= DAMAGE_ON:
                table.record(AirfieldDamaged(self.area))

    @ask("C21.1", by="foe", forced=True)
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the unit that is hit."""
        if len(self.struck) == self.effect.checks:
            return []
        return [ChooseUnit(unit) for unit in self.candidates(seen(sight))]

    @pick.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        then = checks(self.effect.modifier, self.effect.on_fail)
        place = nth(self.struck, self.effect, options)
        return f"[{self.card}] strikes [{self.area}], {place}: choose which of your units {then}."

    @pick.chosen
    def _(self, table: Table, decision: ChooseUnit) -> Flow:
        self.struck += (decision.unit,)
        show(table, [decision.unit])
        return CohesionCheck(
            unit=decision.unit,
            cause=self.card,
            modifier=self.effect.modifier,
            on_fail=self.effect.on_fail,
            retreats=self.effect.retreat,
        )

    @step("C21.1")
    def next_unit(self, table: Table) -> Flow:
        """Different units, as many as the card says or as there are."""
        cover(table)
        left = len(self.struck) < self.effect.checks and self.candidates(board(table))
        return self.pick if left and self.struck else DONE

    def candidates(self, open: Open) -> list[str]:
        """Return the units that may be picked: those of the stack, or of the domains the card names."""
        if self.from_below or self.effect.just_moved:
            found = targets.just_moved(open, self.area)
            preferred = [u for u in found if UNITS[u].type == self.effect.prefer_type]
            return [u for u in preferred or found if u not in self.struck]
        return [
            name
            for name, unit in open.units.items()
            if unit.area == self.area
            and self.area
            and OWNERS[name] == self.foe
            and UNITS[name].domain in self.effect.targets
            and name not in self.struck
        ]


class Disease(Procedure):
    """C21.1 DISEASE in an area without a resource point of the unit's side."""

    side: int
    effect: Effect
    card: str

    @ask("C21.1", by="side", forced=True)
    def target(self, sight: Sight) -> list[Decision]:
        """Choose the unit that sickens."""
        return [TargetUnit(unit) for unit in dict.fromkeys(targets.diseased(seen(sight), self.side))]

    @target.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"[{self.card}]: choose the unit that {checks(self.effect.modifier, self.effect.on_fail)}."

    @target.chosen
    def _(self, table: Table, decision: TargetUnit) -> Flow:
        show(table, [decision.unit])
        return CohesionCheck(
            unit=decision.unit,
            cause=self.card,
            modifier=self.effect.modifier,
            on_fail=self.effect.on_fail,
        )

    @step("C21.1")
    def over(self, table: Table) -> None:
        """Hide again what was hidden."""
        cover(table)


class Assault(Procedure):
    """C21.1 AN ATTACK CARD: so many different enemy units in the battle check."""

    side: int
    chooser: int
    effect: Effect
    card: str
    struck: tuple[str, ...] = ()

    @ask("C21.1", by="chooser", forced=True)
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the unit that must check."""
        battle = sight.open.battle
        if battle is None or len(self.struck) == self.effect.checks:
            return []
        return [ChooseUnit(u) for u in battle.units[enemy(self.side)] if u not in self.struck]

    @pick.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        which = "which enemy unit" if sight.side == self.side else "which of your units"
        then = checks(self.effect.modifier, self.effect.on_fail)
        return f"[{self.card}], {nth(self.struck, self.effect, options)}: choose {which} {then}."

    @pick.chosen
    def _(self, _table: Table, decision: ChooseUnit) -> Flow:
        self.struck += (decision.unit,)
        return CohesionCheck(
            unit=decision.unit,
            cause=self.card,
            modifier=self.effect.modifier,
            on_fail=self.effect.on_fail,
        )

    @step("C21.1")
    def next_unit(self, table: Table) -> Flow:
        """Different units, while there are any."""
        battle = table.open.battle
        done = not self.struck or len(self.struck) == self.effect.checks
        left = [u for u in battle.units[enemy(self.side)] if u not in self.struck] if battle else []
        return DONE if done or not left else self.pick
