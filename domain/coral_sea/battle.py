"""C12 Combat: the course of a battle. Cups are in `cups`, checks in `checks`, results in `damage`."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from domain.coral_sea.charts import CHIT_GUARD, CHITS, UNITS
from domain.coral_sea.checks import CohesionCheck, checks, plain
from domain.coral_sea.cups import BUNKERS, draw, met
from domain.coral_sea.damage import Damage
from domain.coral_sea.decisions import ChooseUnit, PlayChit
from domain.coral_sea.facts import number, the
from domain.coral_sea.fighting import (
    BattleBegan,
    BattleEnded,
    BunkerAttached,
    ChecksModified,
    ChitInVain,
    ChitRevealed,
    ChitsAdded,
    ChitsHeld,
)
from domain.coral_sea.intelligence import board, cover, seen, show
from domain.coral_sea.isolation import isolated
from domain.coral_sea.places import AirfieldSuppressed
from domain.coral_sea.printed import SIDES, ChitEffect
from domain.coral_sea.reactions import BATTLE_DRAWN, BATTLE_START, CHIT_REVEALED, of_battle
from domain.coral_sea.retreat import Retreat
from domain.coral_sea.secrets import ChitLeft, ChitsBack
from domain.coral_sea.table import Battle, Open, Sight, Table, abilities, enemy, fighting
from domain.coral_sea.targets import enemy_airfield
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step

LACKS: Final[dict[str, str]] = {
    "own_unit_in_battle": "no {nation}light ships",
    "in_cup_condition_true": "no air support",
    "bunker_slot_free": "no unit for it",
}
"""What is missing where the need of a chit is not met, by the kind of need."""


def decided(open: Open) -> bool:
    """Return whether at least one side has no unit left in the battle (C12.13)."""
    return not all(fighting(open).units)


def begin(
    table: Table, attacker: int, area: str, origin: str, attackers: list[str], defenders: list[str]
) -> None:
    """Fix the sides (C12.2) and the isolated defenders, as it was before the attackers left (C12.3).

    All see that the attackers have left their origin, for a retreat may lead there (C13.5).
    """
    whole = board(table)
    before = {name: replace(whole.units[name], area=origin) for name in attackers}
    earlier = replace(whole, units={**whole.units, **before})
    cut_off = tuple(name for name in defenders if isolated(earlier, name))
    show(table, [*attackers, *defenders])
    sides = (tuple(attackers), tuple(defenders))
    units = sides if attacker == 0 else (sides[1], sides[0])
    table.record(BattleBegan(area, attacker, UNITS[attackers[0]].domain, origin, units, cut_off))
    cover(table)


def _in_vain(open: Open, battle: Battle, hand: list[str]) -> str:
    """Name the chits in the hand that would have no effect now, each with what it lacks (C12.7)."""
    needs = {name: CHITS[name].needs_when_played for name in hand}
    vain = [
        f"[{name}] ({LACKS[need.type].format(nation='US ' if need.nationality else '')})"
        for name, need in needs.items()
        if need and not met(open, battle, CHITS[name], need, hand)
    ]
    return f" No effect now: {', '.join(vain)}." if vain else ""


class Fight(Procedure):
    """C12 A BATTLE, fought out before anything else goes on."""

    turn: int
    """The side that plays a chit next; the attacker is first."""
    idle: int = 0
    """Turns in a row without a chit."""

    @step("C17.1")
    def leaders(self, table: Table) -> None:
        """Leaders with units in the battle do what they can."""
        battle = fighting(table.open)
        for side in (battle.attacker, enemy(battle.attacker)):
            for what in (e for unit in battle.units[side] for e in abilities(table.open, unit)):
                if what.type == "extra_chits":
                    table.record(ChitsAdded(side, battle.extra[side] + what.count))
                elif what.type == "check_modifier":
                    whose = SIDES.index(what.side)
                    table.record(ChecksModified(whose, battle.modifiers[whose] + what.value))

    @step("C12.4")
    def battle_start(self, table: Table) -> Flow:
        """Attack and Tactics cards may be played; checks are made at once."""
        return of_battle(table, BATTLE_START)

    @step("C12.4")
    def still_on(self, table: Table) -> Flow:
        """If one side has no unit left the battle is over."""
        return self.over if decided(table.open) else None

    @step("C12.5")
    def first_draws(self, table: Table) -> None:
        """Draw as many chits as the highest tactical value, the attacker first."""
        battle = fighting(table.open)
        for side in (battle.attacker, enemy(battle.attacker)):
            draw(table, side, battle.extra[side])

    @step("C12.5")
    def battle_drawn(self, table: Table) -> Flow:
        """Tactics cards may be played."""
        return of_battle(table, BATTLE_DRAWN)

    @step("C12.7")
    def take_turn(self, table: Table) -> Flow:
        """Draw first if the side at its turn has no chits; without any it passes (C12.6)."""
        if decided(table.open):
            return self.over
        if fighting(table.open).plays >= CHIT_GUARD:
            return self.guard
        if not table.own[self.turn].chits:
            draw(table, self.turn)
        if table.own[self.turn].chits:
            self.idle = 0
            return None
        self.idle += 1
        self.turn = enemy(self.turn)
        return self.guard if self.idle > 1 else self.take_turn

    @ask("C12.7", by="turn")
    def play(self, sight: Sight) -> list[Decision]:
        """Play a chit."""
        return [PlayChit(chit) for chit in dict.fromkeys(sight.own.chits)]

    @play.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        battle = fighting(sight.open)
        held = number(len(sight.own.chits), "chit")
        words = f"Battle of [{battle.area}]: you hold {held}. Play one; then the other side plays."
        return words + _in_vain(seen(sight), battle, sight.own.chits)

    @play.chosen
    def _(self, table: Table, decision: PlayChit) -> None:
        table.record(ChitLeft(self.turn, decision.chit))
        table.record(ChitRevealed(self.turn, decision.chit, fighting(table.open).plays + 1))
        table.record(ChitsHeld(self.turn, len(table.own[self.turn].chits)))

    @step("C12.7")
    def needs(self, table: Table) -> Flow:
        """If what it needs fails, the chit has no effect; else it may be answered."""
        battle = fighting(table.open)
        chit = CHITS[battle.revealed]
        if not met(board(table), battle, chit, chit.needs_when_played, table.own[self.turn].chits):
            table.record(ChitInVain(chit.id, "what it needs is not there"))
            return self.next_side
        return of_battle(table, CHIT_REVEALED)

    @step("C12.16")
    def shore_bombardment(self, table: Table) -> Flow:
        """Shells also stop an enemy airfield in the area until the operation ends."""
        battle = fighting(table.open)
        if battle.cancelled:
            return self.next_side
        field = enemy_airfield(table.open, self.turn, battle.area)
        if CHITS[battle.revealed].also and field and battle.area not in table.open.suppressed:
            table.record(AirfieldSuppressed(battle.area))
        return None

    @step("C12.8")
    def effects(self, table: Table) -> Flow:
        """All effects are carried out: what falls on the defender first."""
        battle = fighting(table.open)
        return ChitEffects(chit=battle.revealed, defender=enemy(battle.attacker))

    @step("C12.7")
    def next_side(self, table: Table) -> Flow:
        """Let a side that has played its last chit draw at once; then the other plays."""
        if decided(table.open):
            return self.over
        if not table.own[self.turn].chits:
            draw(table, self.turn)
        self.turn = enemy(self.turn)
        return self.take_turn

    @step("C12.14")
    def guard(self, table: Table) -> Flow:
        """Stop a battle that would not end: the attackers that are left retreat."""
        battle = fighting(table.open)
        left = battle.units[battle.attacker]
        return Retreat(unit=left[0], side=battle.attacker) if left else self.over

    @step("C12.14")
    def next_to_go(self, _table: Table) -> Flow:
        """One after the other."""
        return self.guard

    @step("C12.13")
    def over(self, table: Table) -> None:
        """Put the chits back."""
        battle = fighting(table.open)
        for side in (0, 1):
            table.record(ChitsBack(side))
        table.record(BattleEnded(battle.area, (tuple(battle.units[0]), tuple(battle.units[1]))))
        cover(table)


class ChitEffects(Procedure):
    """C12.8 THE EFFECTS OF A CHIT, each on a unit that the owner picks."""

    chit: str
    defender: int
    done: int = 0

    def order(self) -> list[ChitEffect]:
        """Return the effects in the order they are carried out: on the defender first."""
        return sorted(CHITS[self.chit].effects, key=lambda e: SIDES.index(e.side) != self.defender)

    def owner(self, _open: Open) -> tuple[int, ...]:
        """Return the side that the next effect falls on."""
        order = self.order()
        return (SIDES.index(order[self.done].side),) if self.done < len(order) else ()

    @ask("C12.8", by="owner", forced=True)
    def pick(self, sight: Sight) -> list[Decision]:
        """Choose the unit that the chit affects."""
        battle = fighting(sight.open)
        units = battle.units[sight.side]
        if self.chit == BUNKERS:
            units = [unit for unit in units if unit not in battle.bunkers]
        return [ChooseUnit(unit) for unit in units]

    @pick.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        by = fighting(sight.open).revealed_by
        chit = f"Your own [{self.chit}]" if by == sight.side else f"[{self.chit}] of {the(by)}"
        place = f"effect {self.done + 1} of {len(self.order())}"
        return f"{chit}, {place}: choose which of your {len(options)} units {self.falls()}."

    @pick.chosen
    def _(self, table: Table, decision: ChooseUnit) -> Flow:
        now = self.order()[self.done]
        if now.type == "attach_bunker":
            table.record(BunkerAttached(decision.unit))
            return None
        if now.type == "automatic":
            return Damage(
                unit=decision.unit, result=now.result, retreats=True, why=f"by [{self.chit}] (C12.10)"
            )
        other_than_heavy = UNITS[decision.unit].type != "HS"
        modifier = now.modifier + (now.modifier_if_not_hs if other_than_heavy else 0)
        return CohesionCheck(unit=decision.unit, cause=self.chit, modifier=modifier, on_fail=now.on_fail)

    @step("C12.8")
    def next_effect(self, _table: Table) -> Flow:
        """Skip an effect without a possible target."""
        self.done += 1
        return self.pick if self.done < len(CHITS[self.chit].effects) else DONE

    def falls(self) -> str:
        """Say what the next effect does to a unit."""
        now = self.order()[self.done]
        if now.type == "attach_bunker":
            return "has the bunker"
        if now.type == "automatic":
            return f"is {plain(now.result)}"
        return checks(now.modifier, now.on_fail)
