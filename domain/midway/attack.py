"""M7 Carrier Attacks (steps 7 and 8), with weak flak (M15.9) and armed decks (M15.7)."""

from collections.abc import Sequence

from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.midway.charts import (
    AA_HIT,
    ARMED_DECK_HIT,
    DIVE_HIT,
    DIVE_HITS,
    REROLL_HIT,
    REROLL_HITS,
    REROLL_ON,
    TORPEDO_HIT,
    TORPEDO_HITS,
)
from domain.midway.choices import Targeted
from domain.midway.damage import hit
from domain.midway.decisions import Target
from domain.midway.facts import GroupMoved
from domain.midway.table import (
    ATTACKING,
    BOMBERS,
    DIVE_BOMBERS,
    FIGHTERS,
    HOME,
    TORPEDO_BOMBERS,
    Open,
    Sight,
    Table,
    afloat,
    at,
    enemy,
    on_deck,
    operational,
    owner,
    strength,
)
from domain.midway.teams import Proposal, WaveLosses


class CarrierAttacks(Procedure):
    """M7 CARRIER ATTACKS."""

    side: int

    @step("M7.2")
    def escorts_leave(self, table: Table) -> None:
        """First all fighter groups go to Heading Home."""
        for group in at(table.open, self.side, ATTACKING, FIGHTERS):
            table.record(GroupMoved(group, ATTACKING, HOME))

    def next_group(self, open: Open) -> str:
        """Return the next bomber group without a target, or none."""
        untold = (n for n in at(open, self.side, ATTACKING, BOMBERS) if not open.groups[n].target)
        return next(untold, "")

    def next_owner(self, open: Open) -> tuple[int, ...]:
        """Return the seat of the next bomber group without a target."""
        group = self.next_group(open)
        return (owner(open, group),) if group else ()

    @ask("M7.3", by="next_owner", forced=True)
    def target(self, sight: Sight) -> list[Decision]:
        """Choose the enemy carrier that these bombers attack."""
        group = self.next_group(sight.open)
        return [Target(group, ship) for ship in afloat(sight.open, enemy(self.side))]

    @target.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        board, group = sight.open, self.next_group(sight.open)
        bombers = at(board, self.side, ATTACKING, BOMBERS)
        told = sum(board.groups[name].target != "" for name in bombers)
        which = f"which carrier does [{group}] attack?"
        return f"Attack, group {told + 1} of {len(bombers)}: {which} After the last the attacks are rolled."

    @target.chosen
    def _(self, table: Table, decision: Target) -> Flow:
        table.record(Targeted(decision.group, decision.ship))
        return self.target

    @target.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return all of them while another group of the same seat is to be told its target."""
        board = sight.open
        untold = [n for n in at(board, self.side, ATTACKING, BOMBERS) if not board.groups[n].target]
        return [*options] if untold[1:] and owner(board, untold[1]) == sight.seat else []

    @step("M7.5")
    def next_wave(self, table: Table) -> Flow:
        """Waves are resolved one after the other, their targets in list order (M7.4)."""
        targets = {table.open.groups[name].target for name in at(table.open, self.side, ATTACKING)}
        ship = next((ship for ship in afloat(table.open, enemy(self.side)) if ship in targets), "")
        return Wave(side=self.side, ship=ship) if ship else DONE

    @step("M7.5")
    def another_wave(self, _table: Table) -> Flow:
        """And so on, until no wave is left."""
        return self.next_wave


class Wave(Procedure):
    """M7.4 AN ATTACK WAVE: all groups with the same target."""

    side: int
    ship: str
    shot_down: int = 0
    hits: int = 0
    sixes: int = 0

    def groups(self, open: Open, types: str = BOMBERS) -> list[str]:
        """Return the groups of the wave."""
        return [n for n in at(open, self.side, ATTACKING, types) if open.groups[n].target == self.ship]

    @step("M7.6")
    def anti_aircraft(self, table: Table) -> None:
        """One AA roll against the whole wave; with the option Weak flak a crippled carrier rolls half."""
        full = table.open.carriers[self.ship].aa
        weak = table.open.options.weak_flak and not operational(table.open, self.ship)
        dice = (full + 1) // 2 if weak else full
        faces = table.roll(
            "AA",
            dice,
            by=enemy(self.side),
            target=f"{AA_HIT}+ hits",
            subject=self.ship,
            modifiers=(Modifier("dice, crippled (M15.9)", dice - full),) if weak else (),
        )
        self.shot_down = sum(face >= AA_HIT for face in faces)

    @step("M7.7")
    def losses(self, table: Table) -> Flow:
        """Each hit is one SP of the wave; where several seats are in it, the admiral proposes (M14.6)."""
        groups = tuple(self.groups(table.open))
        if not self.shot_down:
            return None
        several = len({owner(table.open, group) for group in groups}) > 1
        if several and self.shot_down < strength(table.open, groups):
            return Proposal(side=self.side, groups=groups, hits=self.shot_down)
        return WaveLosses(groups=groups, hits=self.shot_down, cause="AA")

    @step("M7.8")
    def dive_bombers(self, table: Table) -> None:
        """One die per surviving SP of dive bombers; every 5 or 6 is one hit."""
        dice = strength(table.open, self.groups(table.open, DIVE_BOMBERS))
        self.attack(table, "ATTACK_D", dice, DIVE_HIT, DIVE_HITS)

    @step("M7.10")
    def dive_bomber_sixes(self, table: Table) -> Flow:
        """As many dice as showed 6s are rolled again, until none does."""
        return self.dive_bomber_sixes if self.reroll(table, "REROLL_D") else None

    @step("M7.9")
    def torpedo_bombers(self, table: Table) -> None:
        """One die per surviving SP of torpedo bombers; every 6 is two hits."""
        dice = strength(table.open, self.groups(table.open, TORPEDO_BOMBERS))
        self.attack(table, "ATTACK_T", dice, TORPEDO_HIT, TORPEDO_HITS)

    @step("M7.10")
    def torpedo_bomber_sixes(self, table: Table) -> Flow:
        """Do the same after torpedo bombers, one hit per 6."""
        return self.torpedo_bomber_sixes if self.reroll(table, "REROLL_T") else None

    @step("M15.7")
    def armed_deck(self, table: Table) -> None:
        """With the option Armed decks a hit carrier with planes on deck takes one more hit on 5 or 6."""
        if table.open.options.armed_decks and self.hits and on_deck(table.open, self.ship):
            need = f"{ARMED_DECK_HIT}+ is one more hit"
            faces = table.roll("ARMED_DECK", 1, by=self.side, target=need, subject=self.ship)
            self.hits += sum(face >= ARMED_DECK_HIT for face in faces)

    @step("M7.11")
    def damage(self, table: Table) -> None:
        """Add the hits of both types to the target's damage in one go."""
        if self.hits:
            hit(table, self.ship, self.hits)

    @step("M7.12")
    def survivors(self, table: Table) -> None:
        """Send the surviving groups of the wave to Heading Home at once."""
        for group in self.groups(table.open):
            table.record(GroupMoved(group, ATTACKING, HOME))

    def attack(self, table: Table, purpose: str, dice: int, least: int, hits: int) -> None:
        """Roll attack dice; note the hits, and the sixes that are rolled again."""
        need = f"{least}{'+' * (least < REROLL_ON)} is {hits} hit{'s' * (hits > 1)}"
        faces = table.roll(purpose, dice, by=self.side, target=need, subject=self.ship)
        self.hits += hits * sum(face >= least for face in faces)
        self.sixes = sum(face >= REROLL_ON for face in faces)

    def reroll(self, table: Table, purpose: str) -> int:
        """Roll sixes again; note the hits and return the new sixes."""
        if self.sixes:
            self.attack(table, purpose, self.sixes, REROLL_HIT, REROLL_HITS)
        return self.sixes
