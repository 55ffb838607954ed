"""M14 Players and teams: who decides, the even split of hits, and the admiral's proposal.

With one seat per side every function here returns that seat. LOSE is handled here because each seat picks
its own share of the hits (M14.7).
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import field

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.midway.choices import TYPES, LossProposed, ProposalAnswered, ProposalSettled
from domain.midway.damage import lose
from domain.midway.decisions import Accept, Lose, Refuse, groups_of
from domain.midway.facts import number, the
from domain.midway.table import Open, Sight, Table, enemy, owner, strength

ADMIRALS = ("AKAGI", "YORKTOWN")
CAUSES = {
    "CAP_DOGFIGHT": ("Dogfight with the CAP of {foe}", "your escorts"),
    "ESCORT_DOGFIGHT": ("Dogfight with the escorts of {foe}", "your CAP"),
    "CAP_VS_BOMBERS": ("Attack by the CAP of {foe}", "your {bombers}"),
    "AA": ("Anti-aircraft fire of [{ship}]", "your wave"),
}
"""Roll to what its owner is told: which attack it was, of whom, and what it hit."""


def seats_of(open: Open, side: int) -> list[int]:
    """Return the seats of a side, in data order of their first carriers."""
    return sorted({carrier.seat for carrier in open.carriers.values() if carrier.side == side})


def admiral(open: Open, side: int) -> int:
    """Return the admiral's seat: that of AKAGI or YORKTOWN, sunk or not (M14.4).

    Where the scenario has no such carrier it is the seat of the side's first carrier.
    """
    flagship = open.carriers.get(ADMIRALS[side])
    return seats_of(open, side)[0] if flagship is None else flagship.seat


def split(open: Open, groups: Iterable[str], hits: int) -> dict[int, int]:
    """Return the hits that each seat takes (M14.7). The groups must have more strength than `hits`.

    The remainder goes to the seat with the most groups; what is more than a seat's strength passes to the
    next seats in data order, and round again.
    """
    involved: dict[int, list[str]] = {}
    for group in groups:
        if open.groups[group].strength:
            involved.setdefault(owner(open, group), []).append(group)
    seats = sorted(involved)
    each, over = divmod(hits, len(seats))
    most = max(seats, key=lambda seat: (len(involved[seat]), strength(open, involved[seat]), -seat))
    due = {seat: each + over * (seat == most) for seat in seats}
    passed = 0
    while passed or any(due[seat] > strength(open, involved[seat]) for seat in seats):
        for seat in seats:
            wanted = due[seat] + passed
            due[seat] = min(wanted, strength(open, involved[seat]))
            passed = wanted - due[seat]
    return due


def caused(open: Open, group: str, cause: str) -> tuple[str, str]:
    """Return which attack hit a group, with whose it was, and what was hit, both as its owner is told."""
    hit = open.groups[group]
    words = {"foe": the(enemy(hit.side)), "bombers": TYPES.get(hit.type, ""), "ship": hit.target}
    attack, struck = CAUSES[cause]
    return attack.format_map(words), struck.format_map(words)


def _hit(which: int, hits: int) -> str:
    return f"hit {which} of {hits}" if hits > 1 else "1 hit"


Pick = TypeVar("Pick", bound=Decision)


def others_stay(options: Sequence[Decision], *kinds: type[Pick]) -> list[Pick]:
    """Return the picks of some kinds if they concern several groups, so another can follow; else none."""
    picks = [option for option in options if isinstance(option, kinds)]
    return picks if len(groups_of(picks)) > 1 else []


class Stage(Procedure):
    """A voluntary stage: every seat of `sides` picks until it is done (M3.4, M14.4)."""

    sides: tuple[int, ...]
    done: tuple[int, ...] = ()

    def deciders(self, open: Open) -> tuple[int, ...]:
        """Return the seats that have not picked DONE."""
        return tuple(seat for side in self.sides for seat in seats_of(open, side) if seat not in self.done)

    def leave(self, seat: int) -> None:
        """Note that a seat has picked DONE."""
        self.done = (*self.done, seat)


class Losses(Procedure):
    """Hits on some groups: each seat takes its share and picks which of its groups lose strength."""

    groups: tuple[str, ...]
    hits: int
    cause: str
    due: dict[int, int] = field(default_factory=dict)
    """The hits that each seat has still to take."""

    @step("M6.7")
    def share_hits(self, table: Table) -> Flow:
        """Hits that equal or exceed the strength take all of it; else they are split among the seats."""
        if self.hits < strength(table.open, self.groups):
            self.due = split(table.open, self.groups, self.hits)
            return None
        for group in self.groups:
            lose(table, group, table.open.groups[group].strength, self.cause)
        return DONE

    def losers(self, _open: Open) -> tuple[int, ...]:
        """Return the seats that have hits to take."""
        return tuple(seat for seat, hits in self.due.items() if hits)

    @ask("", by="losers", forced=True)
    def lose(self, sight: Sight) -> list[Decision]:
        """Choose the group that takes a hit."""
        groups = sight.open.groups
        return [
            Lose(group)
            for group in self.groups
            if groups[group].strength and owner(sight.open, group) == sight.seat
        ]

    @lose.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        attack, struck = caused(sight.open, self.groups[0], self.cause)
        left = self.due[sight.seat]
        which = f"{_hit(self.hits - left + 1, self.hits)} on {struck}"
        if len(self.due) > 1:
            # Of the seat's own share alone, so that what a comrade picks does not put the question anew.
            which = f"{number(self.hits, 'hit')} on {struck}, split between the seats, {left} left for you"
        ends = "the last hit ends this" if left > 1 else "that ends this"
        return f"{attack}: {which}. Choose the group that loses 1 SP; {ends}."

    @lose.chosen
    def _(self, table: Table, decision: Lose) -> Flow:
        lose(table, decision.group, 1, self.cause)
        self.due[table.actor] -= 1
        return self.lose

    @lose.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return the picks after which the seat has another hit to take, and a choice of groups."""
        groups = sight.open.groups
        picks = [option for option in options if isinstance(option, Lose)]
        if self.due[sight.seat] == 1:
            return []
        return [pick for pick in picks if len(picks) > 2 - (groups[pick.group].strength > 1)]


class FighterLosses(Losses):
    """M6.8 FIGHTER LOSSES."""

    lose = Losses.lose.under("M6.8")


class BomberLosses(Losses):
    """M6.9 BOMBER LOSSES."""

    lose = Losses.lose.under("M6.9")


class WaveLosses(Losses):
    """M7.7 AA LOSSES."""

    lose = Losses.lose.under("M7.7")


class Proposal(Procedure):
    """M14.6 AA LOSSES IN A TEAM. The admiral proposes, the others of the wave accept or refuse."""

    side: int
    groups: tuple[str, ...]
    hits: int
    refused: bool = False

    def admiral(self, open: Open) -> int:
        """Return the admiral's seat."""
        return admiral(open, self.side)

    def others(self, open: Open) -> tuple[int, ...]:
        """Return the other seats with groups in the wave."""
        return tuple(sorted({owner(open, group) for group in self.groups} - {admiral(open, self.side)}))

    @ask("M14.6", by="admiral", forced=True)
    def propose(self, sight: Sight) -> list[Decision]:
        """Propose a group of the wave to take a hit of the anti-aircraft fire."""
        wave = {name: sight.open.groups[name] for name in self.groups}
        if sum(group.proposed for group in wave.values()) == self.hits:
            return []
        return [Lose(name) for name, group in wave.items() if group.proposed < group.strength]

    @propose.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        taken = sum(sight.open.groups[name].proposed for name in self.groups)
        then = "Then its other seats accept, or refuse."
        attack, struck = caused(sight.open, self.groups[0], "AA")
        which = f"{_hit(taken + 1, self.hits)} on {struck}"
        return f"{attack}: {which}. Propose the group that loses 1 SP. {then}"

    @propose.chosen
    def _(self, table: Table, decision: Lose) -> Flow:
        proposed = table.open.groups[decision.group].proposed
        table.record(LossProposed(decision.group, proposed + 1))
        return self.propose

    @ask("M14.6", by="others")
    def answer(self, _sight: Sight) -> list[Decision]:
        """Accept the admiral's proposal, or refuse it and have the hits split evenly."""
        return [Accept(), Refuse()]

    @answer.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        mine = (name for name in self.groups if owner(sight.open, name) == sight.seat)
        yours = sum(sight.open.groups[name].proposed for name in mine) or "none"
        attack, struck = caused(sight.open, self.groups[0], "AA")
        fire = f"{attack}: {number(self.hits, 'hit')} on {struck}"
        share = f"The admiral proposes that your groups take {yours} of them"
        return f"{fire}. {share}. If you refuse, they are split evenly."

    @answer.chosen
    def _(self, table: Table, decision: Accept | Refuse) -> Flow:
        self.refused = isinstance(decision, Refuse)
        table.record(ProposalAnswered(table.actor, not self.refused))
        return self.settle if self.refused else None

    @step("M14.6")
    def settle(self, table: Table) -> Flow:
        """If all have accepted, the proposal takes effect; if one has refused, the hits are split (M14.7)."""
        proposed = {name: table.open.groups[name].proposed for name in self.groups}
        table.record(ProposalSettled(self.side, not self.refused))
        if self.refused:
            return WaveLosses(groups=self.groups, hits=self.hits, cause="AA")
        for group, points in proposed.items():
            if points:
                lose(table, group, points, "AA")
        return None
