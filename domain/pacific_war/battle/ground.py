"""P31.1 to P31.5 Ground combat, hex by hex."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.atlas import FORBIDDEN, area, landward, terrain
from domain.pacific_war.board.charts import TABLES
from domain.pacific_war.board.combat import d10, dated, uct
from domain.pacific_war.board.table import (
    GroundBattle,
    Open,
    Own,
    Sight,
    Table,
    contested,
    enemy,
    fort,
    hostile,
    stack_room,
    troop,
    troops_in,
)
from domain.pacific_war.decisions.cycle import Attack, CommitAttacker, Done, NoAttack, RetreatGround
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.fighting import GroundBattleIs, GroundStepsLost, Withdrew
from domain.pacific_war.facts.wording import at, does

_GROUND = TABLES["ground"]
FRONTAGE: int = _GROUND["frontage"]
ATTACK: int = _GROUND["attack_base"]
DEFENCE: int = _GROUND["defence_base"]
ODDS = [(Fraction(str(row["min_ratio"])), int(row["shift"])) for row in _GROUND["odds"]]
TERRAIN: dict[str, int] = _GROUND["terrain"]
CAP: int = _GROUND["terrain_fort_doctrine_cap"]
LANDING: int = _GROUND["landing_first_cycle"]
ATOLL: int = _GROUND["atoll_both"]
DIVISOR: int = _GROUND["tq_divisor"]
MOST_TQ: int = _GROUND["tq_cap"]
ISOLATED_TQ: int = TABLES["isolation"]["tq_penalty_in_combat"]
FLOOR = 3
"""P31.3: from so many steps on a roll is never below column 1."""


def battlefields(open: Open) -> list[str]:
    """Return the hexes with ground units of both sides, by number."""
    return sorted(set(open.troops[0]) & set(open.troops[1]))


def attackers(own: Own, hex: str) -> list[str]:
    """Return the own ground units in a hex that may attack (P31.1), by id."""
    return [
        unit
        for unit in troops_in(own, hex)
        if own.ground[unit].active and not own.ground[unit].broken and not own.ground[unit].scattered
    ]


def strength(own: Own, units: Iterable[str]) -> int:
    """Return the steps of units in combat: Broken ones count half, rounded up (P2.2.4)."""
    return sum(counted(own, unit) for unit in units)


def counted(own: Own, unit: str) -> int:
    """Return the steps of a unit as they count in combat."""
    ground = own.ground[unit]
    return (ground.steps + 1) // 2 if ground.broken else ground.steps


def quality(open: Open, own: Own, units: Iterable[str]) -> int:
    """Return the average TQ, weighted by steps as counted, rounded half up (P31.3, R-90)."""
    weights = [(nerve(open, own, unit), counted(own, unit)) for unit in units]
    total = sum(steps for _, steps in weights)
    return (2 * sum(tq * steps for tq, steps in weights) + total) // (2 * total) if total else 0


def nerve(open: Open, own: Own, unit: str) -> int:
    """Return the TQ of an own unit in ground combat: 2 less while it is Isolated (P12.3)."""
    return troop(open, unit).tq + (ISOLATED_TQ if own.ground[unit].isolated else 0)


def odds_shift(attacking: int, defending: int) -> int:
    """Return the shift of the odds (P31.3)."""
    ratio = Fraction(attacking, max(1, defending))
    return next(shift for least, shift in ODDS if ratio >= least)


def tq_shift(attacking: int, defending: int) -> int:
    """Return the shift of troop quality, truncated toward zero (P31.3)."""
    shift = abs(attacking - defending) // DIVISOR
    return max(-MOST_TQ, min(MOST_TQ, shift if attacking >= defending else -shift))


class GroundCombats(Procedure):
    """P5.2.H GROUND COMBAT, HEX BY HEX."""

    hexes: tuple[str, ...] = ()
    begun: bool = False

    @step("5.2.H")
    def next(self, table: Table) -> Flow:
        """Go to the next hex with ground units of both sides."""
        if not self.begun:
            self.begun, self.hexes = True, tuple(battlefields(table.open))
        while self.hexes:
            spot, *rest = self.hexes
            self.hexes = tuple(rest)
            if contested(table.open, spot):
                return GroundCombat(hex=spot)
        return DONE

    @step("5.2.H")
    def again(self, _table: Table) -> Flow:
        """And so on."""
        return self.next


class GroundCombat(Procedure):
    """P31 A GROUND COMBAT."""

    hex: str
    picks: dict[str, bool] = {}  # noqa: RUF012 a Struct copies its defaults
    committed: tuple[str, ...] = ()
    attacker: int = -1
    retreating: tuple[str, ...] = ()
    loser: int = -1
    """The side that gives way (P31.5)."""

    @ask("31.1", by="both", sealed=True)
    def decide(self, sight: Sight) -> list[Decision]:
        """Attack or not. Both choose at once."""
        if str(sight.side) in self.picks:
            return []
        return [*([Attack()] if attackers(sight.own, self.hex) else []), NoAttack()]

    @decide.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Ground units of both sides are at {at(self.hex)}: attack, or not. Both choose at once."

    @decide.chosen
    def _(self, table: Table, decision: Attack | NoAttack) -> Flow:
        self.picks = self.picks | {str(table.actor): isinstance(decision, Attack)}
        return self.decide

    @step("31.1")
    def reveal(self, table: Table) -> Flow:
        """Who attacks? If both do, it is the Advantage player."""
        eager, here = [side for side in (0, 1) if self.picks[str(side)]], at(self.hex)
        if not eager:
            table.record(GroundBattleIs(None, f"Nobody attacks at {here}"))
            return DONE
        self.attacker = table.open.advantage if len(eager) > 1 else eager[0]
        what = f"{does(self.attacker, 'attack')} at {here}"
        if len(eager) > 1:
            what = (
                f"Both would attack at {here}: {does(self.attacker, 'have')} the Advantage, and so the attack"
            )
        table.record(GroundBattleIs(GroundBattle(self.hex, self.attacker), what))
        return None

    @ask("31.2", by="attacker", forced=True)
    def commit(self, sight: Sight) -> list[Decision]:
        """Choose the units that attack, then be done."""
        left = [unit for unit in attackers(sight.own, self.hex) if unit not in self.committed]
        return [*map(CommitAttacker, left), *([Done()] if self.committed else [])]

    @commit.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        also = ", or be done" if Done() in options else ""
        return f"Choose a unit that attacks{also}."

    @commit.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        units: list[Decision] = [one for one in options if isinstance(one, CommitAttacker)]
        return units if len(units) > 1 else []  # after the last one all attack, and the dice fall

    @commit.chosen
    def _(self, table: Table, decision: CommitAttacker | Done) -> Flow:
        if isinstance(decision, CommitAttacker):
            self.committed += (decision.unit,)
            return self.commit
        battle = GroundBattle(self.hex, self.attacker, self.committed)
        told = ", ".join(f"[{unit}]" for unit in self.committed)
        table.record(GroundBattleIs(battle, f"The attack is made by {told}"))
        return None

    @step("31.3")
    def fight(self, table: Table) -> None:
        """Both roll, and lose steps at the same time; who lost steps tests."""
        foe = enemy(self.attacker)
        ours, theirs = table.own[self.attacker], table.own[foe]
        defenders = troops_in(theirs, self.hex)
        attack, defence = self.rolls(table, defenders)
        losses = {
            self.attacker: fallen(ours, self.committed, defence),
            foe: fallen(theirs, defenders, attack),
        }
        for side, lost in losses.items():
            suffer(table, side, lost)
        for side, lost in losses.items():
            waver(table, side, lost)

    def rolls(self, table: Table, defenders: Sequence[str]) -> tuple[int, int]:
        """Return the hits of the attack and of the defence (P31.3)."""
        board, side, foe = table.open, self.attacker, enemy(self.attacker)
        ours, theirs = table.own[side], table.own[foe]
        attacking, defending = strength(ours, self.committed), strength(theirs, defenders)
        ground = terrain(self.hex)
        tq = tq_shift(quality(board, ours, self.committed), quality(board, theirs, defenders))
        doctrine = -dated(board, "ground_defence_doctrine", foe)
        attackers = [ours.ground[unit] for unit in self.committed]
        landed = all(one.landing for one in attackers) and not all(one.assault for one in attackers)
        atoll = ATOLL if ground == "atoll" else 0
        hits = uct(
            table,
            "attack",
            min(attacking, FRONTAGE),
            [
                ("attacking", ATTACK),
                ("odds", odds_shift(attacking, defending)),
                ("troop quality", tq),
                ("materiel", dated(board, "ground_attack_materiel", side)),
                ("jungle", dated(board, "jungle_attack_shift", side) if ground == "jungle" else 0),
                ("terrain and fort", -min(CAP, TERRAIN[ground] + fort(board, self.hex, foe) + doctrine)),
                ("landing", LANDING if landed else 0),
                ("atoll", atoll),
            ],
            by=side,
            subject=self.hex,
            least=1 if attacking >= FLOOR else -99,
        )
        back = uct(
            table,
            "defence",
            min(defending, FRONTAGE),
            [("defending", DEFENCE), ("troop quality", -tq), ("atoll", atoll)],
            by=foe,
            subject=self.hex,
            least=1 if defending >= FLOOR else -99,
        )
        return hits, back

    @step("31.5")
    def aftermath(self, table: Table) -> Flow:
        """Let a side whose units are all Broken give way before an unbroken enemy."""
        board, foe = table.open, enemy(self.attacker)
        ours, theirs = table.own[self.attacker], table.own[foe]
        mine = [unit for unit in self.committed if ours.ground[unit].steps]
        defenders = troops_in(theirs, self.hex)
        sound = any(not ours.ground[unit].broken for unit in mine)
        if defenders and sound and all(theirs.ground[unit].broken for unit in defenders):
            self.retreating, self.loser = tuple(defenders), foe
        elif mine and defenders and not sound:
            self.retreating, self.loser = tuple(sorted(mine)), self.attacker
        what = f"{does(self.loser, 'give')} way" if self.retreating else "The ground combat is over"
        table.record(GroundBattleIs(board.landed if self.retreating else None, what))
        return None if self.retreating else DONE

    @ask("31.5", by="loser", forced=True)
    def retreat(self, sight: Sight) -> list[Decision]:
        """Choose where the unit retreats to."""
        if not self.retreating:
            return []
        unit = self.retreating[0]
        return [RetreatGround(unit, to) for to in refuges(sight.open, sight.own, self.loser, unit)]

    @retreat.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"[{self.retreating[0]}] must give way: choose where it retreats to."

    @retreat.chosen
    def _(self, table: Table, decision: RetreatGround) -> Flow:
        now = Changes(table, "retreating")
        now.troops(decision.unit, hex=decision.hex, active=False)
        now.record()
        table.record(Withdrew(decision.unit, decision.hex))
        self.retreating = self.retreating[1:]
        return self.retreat

    @step("31.5")
    def cornered(self, table: Table) -> Flow:
        """Take a step off a unit that cannot retreat."""
        if not self.retreating:
            table.record(GroundBattleIs(None, f"The retreat from {at(self.hex)} is over"))
            return None
        unit, *rest = self.retreating
        self.retreating = tuple(rest)
        table.record(GroundBattleIs(None, f"[{unit}] cannot retreat"))
        now = Changes(table, "cornered")
        now.lose_ground(unit, 1)
        now.tell(GroundStepsLost(unit, self.loser, 1, broken=False))
        now.record()
        return self.retreat

    @property
    def both(self) -> tuple[int, int]:
        """Both are asked."""
        return (0, 1)


def refuges(open: Open, own: Own, side: int, unit: str) -> list[str]:
    """Return where a ground unit may retreat to (P31.5), by number."""
    ground = own.ground[unit]
    return [
        to
        for to in sorted(landward(ground.hex))
        if to in area(open.scenario)
        and to not in FORBIDDEN
        and not hostile(open, to, side)
        and stack_room(own, to) >= ground.steps
    ]


def fallen(own: Own, units: Iterable[str], hits: int) -> dict[str, int]:
    """Return the steps that units lose: one by one the unit with most left, ties by id (P3.3)."""
    left = {unit: own.ground[unit].steps for unit in units}
    lost = dict[str, int]()
    for _ in range(min(hits, sum(left.values()))):
        unit = min(left, key=lambda one: (-left[one], one))
        left[unit] -= 1
        lost[unit] = lost.get(unit, 0) + 1
    return lost


def suffer(table: Table, side: int, lost: Mapping[str, int]) -> None:
    """Take the steps off."""
    now = Changes(table, "in ground combat")
    for unit, steps in sorted(lost.items()):
        now.lose_ground(unit, steps)
        now.tell(GroundStepsLost(unit, side, steps, broken=False))
    now.record()


def waver(table: Table, side: int, lost: Mapping[str, int]) -> None:
    """Let each unit that lost steps and lives test, by id; who fails is Broken, and deactivated (P31.4)."""
    own = table.own[side]
    for unit, steps in sorted(lost.items()):
        if not own.ground[unit].steps:
            continue
        need = nerve(table.open, own, unit) - (steps - 1)
        face = d10(table, "troop quality", by=side, target=f"{need} or less holds", subject=unit)
        if face > need and not own.ground[unit].broken:
            now = Changes(table, "Broken")
            now.troops(unit, broken=True, active=False)
            now.tell(GroundStepsLost(unit, side, 0, broken=True))
            now.record()
