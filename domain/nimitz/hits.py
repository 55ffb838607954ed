"""N11.1 to N11.5 Hits: who takes them, and which plan cancels one."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.attacks import AAA, DOGFIGHT, Kind, targets
from domain.nimitz.automaton import Chose, Narrowed, narrowed, or_by_rule
from domain.nimitz.blows import AirfieldsAre, Damaged, Destroyed
from domain.nimitz.board import allocator, enemy, landed, the, there, transported, value
from domain.nimitz.charts import COUNTERS, JA, SIDES, TRANSPORT_HITS, US
from domain.nimitz.decisions import AllocateHit, CancelHit, JaByRule, TakeHit
from domain.nimitz.happenings import PlanUsed, PlanVoid, Screening
from domain.nimitz.planning import DAMAGE_CONTROL, SCREENING_SHIP
from domain.nimitz.table import (
    AIRFIELD,
    CARRIERS,
    TRANSPORT,
    TWO_PLAYERS,
    Open,
    Sight,
    Table,
    fighting,
    is_damaged,
)


def first_to_be_hit(open: Open, victim: int, legal: list[str]) -> tuple[list[str], list[Narrowed]]:
    """Return the candidates for a hit and why: the lowest value, of Japan's the damaged (N11.1, N11.2)."""
    why: list[Narrowed] = []
    if len(legal) < 2:  # noqa: PLR2004 nothing to choose from
        return legal, why
    least = min(value(target) for target in legal)
    low = [target for target in legal if value(target) == least]
    narrowed(why, f"the lowest value, {least}", low, legal)
    if victim == US:
        return low, why
    hurt = [target for target in low if is_damaged(open, target)]
    narrowed(why, "damaged forces first", hurt or low, low)
    return hurt or low, why


class Hits(Procedure):
    """N11.5 HITS OF AN ATTACK, until they or the legal targets are used up."""

    victim: int
    kind: Kind
    area: str
    left: int
    only: tuple[str, ...] = ()
    ashore: bool | None = None
    """Whether the attackers were ashore when they attacked (R-84)."""
    target: str = ""
    by_rule: bool = False
    """Whether Japan's seat has left this hit to the rules (R-88)."""
    inside: int = 0
    """Hits still to fall on the infantry of a transport group (N11.4)."""
    fallen: int = 0
    """The hits that have fallen or were cancelled."""

    def commander(self, open: Open) -> tuple[int, ...]:
        """Return the US commander, where a hit is on the US (N11.7)."""
        return (fighting(open).seat,) if self.victim == US else ()

    def chooser(self, open: Open) -> tuple[int, ...]:
        """Return who chooses among equals: the US, too, where Japan's seat leaves it to the rules (R-65)."""
        return (fighting(open).seat,) if self.by_rule else allocator(open, self.victim)

    def legal(self, open: Open) -> list[str]:
        """Return the legal targets now (N11.5)."""
        if self.inside:
            return transported(open, self.victim)
        return targets(open, self.victim, self.kind, self.area, self.only, ashore=self.ashore)

    @step("N11.5")
    def next_hit(self, table: Table) -> Flow:
        """One candidate takes the hit; of several somebody must choose."""
        legal = self.legal(table.open) if self.left or self.inside else []
        if not legal and self.inside:
            self.inside = 0
            return self.next_hit
        if not legal:
            return DONE
        candidates, why = first_to_be_hit(table.open, self.victim, legal)
        if self.victim == JA and why:
            question = f"{self.kind}: Japanese target"
            table.record(Chose("N11.1", question, tuple(legal), tuple(candidates), tuple(why)))
        if len(candidates) > 1:
            return None
        self.target = candidates[0]
        return self.fall if self.inside else self.named

    @ask("N11.1", by="chooser")
    def allocate(self, sight: Sight) -> list[Decision]:
        """Choose who takes the hit."""
        candidates, _ = first_to_be_hit(sight.open, self.victim, self.legal(sight.open))
        picks = [*map(AllocateHit, sorted(candidates))]
        return or_by_rule(picks) if sight.side == JA else [*picks]

    @allocate.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        candidates, _ = first_to_be_hit(sight.open, self.victim, self.legal(sight.open))
        which, of = self.which()
        ends = "; the last hit ends this" if which < of and not self.inside else ""
        return f"{self.told(which, of)}. Choose which of {len(candidates)} takes it{ends}."

    @allocate.chosen
    def _(self, _table: Table, decision: AllocateHit | JaByRule) -> Flow:
        self.by_rule = isinstance(decision, JaByRule)
        if isinstance(decision, JaByRule):
            return self.allocate
        self.target = decision.target
        return self.fall if self.inside else self.named

    @allocate.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return those after which the same seat is asked about a plan, or about the next hit."""
        picks = [option for option in options if isinstance(option, AllocateHit)]
        return [one for one in picks if self.asks_again(sight.open, one.target, len(picks))]

    def asks_again(self, open: Open, target: str, of: int) -> bool:
        """Return whether who gives a hit to one of so many equals is surely asked next, too."""
        if self.victim == US and not self.inside and self.plans(open, target):
            return True
        hurt = target != AIRFIELD and is_damaged(open, target)
        # Transports hand the hit on; a Japanese force takes the next one, too; and then Japan is asked again.
        if target == TRANSPORT or self.by_rule or (self.victim == JA and target != AIRFIELD and not hurt):
            return False
        gone = hurt or (target == AIRFIELD and fighting(open).airfields[self.victim] == 1)
        return (self.inside or self.left) > 1 and of - gone > 1

    @step("N11.6")
    def named(self, table: Table) -> Flow:
        """Damage Control or a Screening Ship may cancel a hit on a Japanese force."""
        if self.victim == JA and cancelled(table, self.target):
            self.count()
            return self.next_hit
        return None

    @ask("N11.7", by="commander")
    def cancel(self, sight: Sight) -> list[Decision]:
        """Cancel the hit with a plan, or let it fall."""
        plans = self.plans(sight.open, self.target)
        return [*map(CancelHit, plans), TakeHit()] if plans else []

    @cancel.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        named = {AIRFIELD: "an airfield", TRANSPORT: "the transports"}
        on = named.get(self.target, f"[{self.target}]")
        worse = self.target in COUNTERS and is_damaged(sight.open, self.target)
        what = ("destroys" if worse else "damages") if self.target in COUNTERS else "falls on"
        return f"{self.attack()}: {_hit(*self.which())} {what} {on}. Cancel it with a plan, or take it."

    @cancel.chosen
    def _(self, table: Table, decision: CancelHit | TakeHit) -> Flow:
        if isinstance(decision, TakeHit):
            return self.fall
        table.record(PlanUsed(decision.plan, "the hit is cancelled", self.target))
        self.count()
        return self.next_hit

    @step("N11.3")
    def fall(self, table: Table) -> Flow:
        """Let the hit fall: on an airfield, on the infantry of a transport group twice, or on a force."""
        if self.inside:
            self.inside -= 1
            strike(table, self.target, self.kind)
            return self.next_hit
        self.count()
        if self.target == TRANSPORT:
            self.inside = TRANSPORT_HITS
        elif self.target == AIRFIELD:
            count = fighting(table.open).airfields[self.victim]
            table.record(AirfieldsAre(self.victim, count - 1, f"hit by {self.kind}"))
        else:
            strike(table, self.target, self.kind)
        return self.next_hit

    def count(self) -> None:
        """Count a hit that falls or is cancelled."""
        self.left -= 1
        self.fallen += 1

    def which(self) -> tuple[int, int]:
        """Return which hit is asked about, and of how many."""
        if self.inside:
            return TRANSPORT_HITS - self.inside + 1, TRANSPORT_HITS
        return self.fallen + 1, self.fallen + self.left

    def attack(self) -> str:
        """Say which attack the hits came from, and whose it was."""
        return f"{self.kind} of {the(enemy(self.victim))} {there(self.area)}"

    def told(self, which: int, of: int) -> str:
        """Say where this hit stands, of which attack it is and on whom it falls."""
        aboard = "infantry on the transports of " if self.inside else ""
        return f"{self.attack()}: {_hit(which, of)} on {aboard}{the(self.victim)}"

    def plans(self, open: Open, target: str) -> list[str]:
        """Return the plans held that cancel a hit on a target of the US (N11.7)."""
        return [plan for plan in fighting(open).held if self.cancels(open, plan, target)]

    def cancels(self, open: Open, plan: str, target: str) -> bool:
        """Return whether a US plan cancels a hit on a target (N11.7)."""
        if plan == "us.damage_control":
            return is_force(target) or target in {AIRFIELD, TRANSPORT}
        if plan == "us.barrel_roll":
            return self.kind in {DOGFIGHT, AAA}
        if plan == "us.seabees":
            return target == AIRFIELD
        if plan != "us.leathernecks":
            return False
        ashore = landed(open, US)
        marines = any(COUNTERS[name].type == "MARINE" for name in ashore)
        return marines and (target == AIRFIELD or target in ashore)


def cancelled(table: Table, target: str) -> bool:
    """Return whether a Japanese plan cancels a hit, and use it: Damage Control before others (N11.6)."""
    battle = fighting(table.open)
    carrier = target in COUNTERS and COUNTERS[target].type in CARRIERS
    force = target == TRANSPORT or is_force(target)
    can = {DAMAGE_CONTROL: DAMAGE_CONTROL in battle.in_force and force}
    can[SCREENING_SHIP] = battle.screening and carrier
    plans = [plan for plan in battle.in_force if plan in can]
    first = [SCREENING_SHIP, DAMAGE_CONTROL] if _ordered_first(table.open, plans) else [*can]
    plan = next((plan for plan in first if can[plan]), "")
    if plan == SCREENING_SHIP:
        table.record(Screening(waits=False))
    elif plan:
        table.record(
            PlanVoid(plan, f"cancels the hit on {'the transports' if target == TRANSPORT else f'[{target}]'}")
        )
    return bool(plan)


def is_force(target: str) -> bool:
    """Return whether a target is a force: airfields and carrier aircraft are not (N1.3, R-70, R-79)."""
    return target in COUNTERS and COUNTERS[target].kind != "CAG"


def _hit(which: int, of: int) -> str:
    return f"hit {which} of {of}" if of > 1 else "1 hit"


def _ordered_first(open: Open, plans: list[str]) -> bool:
    """Return whether Japan's seat has put the Screening Ship before Damage Control (N20.2)."""
    return open.mode == TWO_PLAYERS and plans[:1] == [SCREENING_SHIP] and DAMAGE_CONTROL in plans


def strike(table: Table, name: str, kind: Kind) -> None:
    """Give a force or an aircraft a hit: damaged by the first, destroyed by the second (N1.6)."""
    if not is_damaged(table.open, name):
        table.record(Damaged(name, kind))
        return
    counter = COUNTERS[name]
    table.record(Destroyed(name, kind, counter.type == "BN" and counter.side == SIDES[JA]))
