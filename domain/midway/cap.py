"""M6 CAP Attacks (steps 5 and 6)."""

from collections.abc import Sequence
from typing import Literal

from domain.kernel.procedures import DONE, Decision, Flow, ask, step
from domain.midway.charts import CAP_HIT, SIDES
from domain.midway.choices import Committed, HitsDesignated
from domain.midway.decisions import CapVsBombers, CapVsFighters, Done, HitType, groups_of, or_done
from domain.midway.facts import GroupMoved
from domain.midway.table import (
    BOMBERS,
    DIVE_BOMBERS,
    FIGHTERS,
    READY,
    TORPEDO_BOMBERS,
    Open,
    Sight,
    Table,
    at,
    enemy,
    in_cap,
    outward,
    owner,
    strength,
)
from domain.midway.teams import BomberLosses, FighterLosses, Stage, admiral, others_stay

BOMBER_TYPES: tuple[Literal["D"], Literal["T"]] = ("D", "T")
AGAINST_FIGHTERS, AGAINST_BOMBERS = "fighters", "bombers"


def committed(open: Open, side: int, purpose: str = "") -> list[str]:
    """Return the CAP groups of a side that are committed, to one purpose or to either."""
    return [
        name
        for name in in_cap(open, side)
        if open.groups[name].committed and purpose in ("", open.groups[name].committed)
    ]


class CapAttacks(Stage):
    """M6 CAP ATTACKS. Groups are committed, all dice are rolled, losses are taken."""

    cap_hits: int = 0
    escort_hits: int = 0
    bomber_hits: int = 0

    @property
    def side(self) -> int:
        """The active side."""
        return self.sides[0]

    @ask("M6.2", by="deciders")
    def commit(self, sight: Sight) -> list[Decision]:
        """Commit fighters of the CAP against the planes in the enemy's Ready to Attack, or be done."""
        board, foe = sight.open, enemy(sight.side)
        free = [
            name
            for name in in_cap(board, sight.side)
            if not board.groups[name].committed and owner(board, name) == sight.seat
        ]
        matched = strength(board, committed(board, sight.side, AGAINST_FIGHTERS))
        if matched < strength(board, at(board, foe, READY, FIGHTERS)):
            return or_done(map(CapVsFighters, free))
        return or_done(map(CapVsBombers, free)) if at(board, foe, READY, BOMBERS) else []

    @commit.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        board, foe = sight.open, enemy(sight.side)
        against = AGAINST_FIGHTERS if groups_of(options, CapVsFighters) else AGAINST_BOMBERS
        # Of the seat's own groups alone, so that what a comrade commits does not put the question anew.
        mine = [name for name in committed(board, sight.side, against) if owner(board, name) == sight.seat]
        escorts, bombers = (strength(board, at(board, foe, READY, kind)) for kind in (FIGHTERS, BOMBERS))
        ends = f"{strength(board, mine)} SP of yours so far. When you are done, the dice are rolled."
        if against == AGAINST_BOMBERS:
            return f"CAP attacks: choose groups against the {bombers} SP of bombers, {ends}"
        then = "; once they are matched, the bombers can be reached" if bombers else ""
        return f"CAP attacks: choose groups against the {escorts} SP of escorts{then}. {ends}"

    @commit.chosen
    def _(self, table: Table, decision: CapVsFighters | CapVsBombers | Done) -> Flow:
        if isinstance(decision, Done):
            self.leave(table.actor)
        else:
            purpose = AGAINST_FIGHTERS if isinstance(decision, CapVsFighters) else AGAINST_BOMBERS
            table.record(Committed(decision.group, purpose))
        return self.commit

    @commit.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the groups after which another may be committed, against fighters or bombers."""
        board, foe = sight.open, enemy(sight.side)
        escorts, matched = at(board, foe, READY, FIGHTERS), committed(board, sight.side, AGAINST_FIGHTERS)
        more = bool(at(board, foe, READY, BOMBERS))
        against = others_stay(options, CapVsFighters)
        still = [one for one in against if strength(board, [*matched, one.group]) < strength(board, escorts)]
        return [*(against if more else still), *others_stay(options, CapVsBombers)]

    @step("M6.5")
    def begin(self, table: Table) -> Flow:
        """If no group has been committed the step is over."""
        return None if committed(table.open, self.side) else DONE

    @step("M6.6")
    def roll(self, table: Table) -> None:
        """Roll for the dogfight, for the escorts and for the attack on the bombers; 4 or more hits (M6.7)."""
        board, foe = table.open, enemy(self.side)
        fighters = strength(board, committed(board, self.side, AGAINST_FIGHTERS))
        escorts = strength(board, at(board, foe, READY, FIGHTERS)) if fighters else 0
        others = strength(board, committed(board, self.side, AGAINST_BOMBERS))
        self.cap_hits = self.attack(table, "CAP_DOGFIGHT", fighters, self.side)
        self.escort_hits = self.attack(table, "ESCORT_DOGFIGHT", escorts, foe)
        self.bomber_hits = self.attack(table, "CAP_VS_BOMBERS", others, self.side)

    @step("M6.8")
    def enemy_fighter_losses(self, table: Table) -> Flow:
        """First the enemy takes the hits on its fighters in Ready to Attack."""
        return self.fighter_losses(
            at(table.open, enemy(self.side), READY, FIGHTERS), self.cap_hits, "CAP_DOGFIGHT"
        )

    @step("M6.8")
    def own_fighter_losses(self, table: Table) -> Flow:
        """Then the active side takes those on its groups committed against fighters."""
        mine = committed(table.open, self.side, AGAINST_FIGHTERS)
        return self.fighter_losses(mine, self.escort_hits, "ESCORT_DOGFIGHT")

    @step("M6.9")
    def all_bombers(self, table: Table) -> Flow:
        """If the hits equal or exceed the strength of the bombers, all are lost."""
        bombers = at(table.open, enemy(self.side), READY, BOMBERS)
        if self.bomber_hits < strength(table.open, bombers):
            return None
        hits, self.bomber_hits = self.bomber_hits, 0
        return BomberLosses(groups=tuple(bombers), hits=hits, cause="CAP_VS_BOMBERS")

    def admiral(self, open: Open) -> int:
        """Return the seat that designates hits (M14.4)."""
        return admiral(open, self.side)

    @ask("M6.9", by="admiral", forced=True)
    def designate(self, sight: Sight) -> list[Decision]:
        """Choose the type of bomber that takes a hit of the CAP."""
        board = sight.open
        if sum(board.designated.values()) == self.bomber_hits:
            return []
        return [
            HitType(kind)
            for kind in BOMBER_TYPES
            if board.designated.get(kind, 0) < strength(board, at(board, enemy(self.side), READY, kind))
        ]

    @designate.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        which = f"hit {sum(sight.open.designated.values()) + 1} of {self.bomber_hits} on the enemy bombers"
        return f"Your CAP: {which}. Choose the type that takes it; then the owner chooses the groups."

    @designate.chosen
    def _(self, table: Table, decision: HitType) -> Flow:
        hits = table.open.designated.get(decision.plane_type, 0) + 1
        table.record(HitsDesignated(decision.plane_type, hits))
        return self.designate

    @designate.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the picks after which there is another hit, and a choice of types, to designate."""
        board, foe = sight.open, enemy(sight.side)
        kinds = [option.plane_type for option in options if isinstance(option, HitType)]
        left = {k: strength(board, at(board, foe, READY, k)) - board.designated.get(k, 0) for k in kinds}
        more = sum(board.designated.values()) + 1 < self.bomber_hits and len(kinds) > 1
        return [pick for pick in options if isinstance(pick, HitType) and more and left[pick.plane_type] > 1]

    @step("M6.9")
    def dive_bomber_losses(self, table: Table) -> Flow:
        """Let the owner take the hits on dive bombers."""
        return self.bomber_losses(table, DIVE_BOMBERS)

    @step("M6.9")
    def torpedo_bomber_losses(self, table: Table) -> Flow:
        """Then let him take those on torpedo bombers."""
        return self.bomber_losses(table, TORPEDO_BOMBERS)

    @step("M6.10")
    def outward(self, table: Table) -> None:
        """Every committed group that survives moves one position outward."""
        for group in committed(table.open, self.side):
            place = table.open.groups[group].place
            table.record(GroupMoved(group, place, outward(table.open, place)))

    def attack(self, table: Table, purpose: str, dice: int, by: int) -> int:
        """Roll one of the three rolls and return its hits."""
        what = f"{SIDES[enemy(self.side)]}:{READY}"
        faces = table.roll(purpose, dice, by=by, target=f"{CAP_HIT}+ hits", subject=what)
        return sum(face >= CAP_HIT for face in faces)

    def fighter_losses(self, groups: list[str], hits: int, cause: str) -> Flow:
        """Return the procedure by which fighters take hits, if there are any."""
        return FighterLosses(groups=tuple(groups), hits=hits, cause=cause) if hits else None

    def bomber_losses(self, table: Table, kind: str) -> Flow:
        """Return the procedure by which bombers take the hits designated to their type, if any."""
        hits = table.open.designated.get(kind, 0)
        groups = tuple(at(table.open, enemy(self.side), READY, kind))
        return BomberLosses(groups=groups, hits=hits, cause="CAP_VS_BOMBERS") if hits else None
