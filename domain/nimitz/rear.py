"""N13 Japanese reinforcement, N14 Japanese repair, N15 US return to port, N16 US supply check."""

from collections.abc import Sequence

from domain.kernel.facts import Modifier
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.nimitz.automaton import BY_ID, D10, Chose, Narrowed, draw, narrowed, or_by_rule
from domain.nimitz.bombing import send_back
from domain.nimitz.charts import (
    AREAS,
    BATTALIONS_PER_MISSING,
    COUNTERS,
    EXTRA_INF,
    JA,
    LAST_PORT,
    RAID_PENALTY,
    REINFORCEMENTS,
    SIDE_OF,
    US,
)
from domain.nimitz.counter import reset_counter
from domain.nimitz.decisions import JaByRule, JaKeepForce
from domain.nimitz.facts import InPort, OutOfSupply
from domain.nimitz.marches import BattalionsCame, Reinforced
from domain.nimitz.rows import KINDS, row_of
from domain.nimitz.table import (
    AUSTRALIA,
    HAWAII,
    JAPAN,
    PORTS,
    RAID,
    Open,
    Sight,
    Table,
    at,
    battalions,
    by_place,
    fresh,
    japan,
    present_in,
    supply,
)

WORDS = {"SHIP": "Reinforcing ships", "INF": "Reinforcing infantry", "LBA": "Reinforcing aircraft"}


def burden(open: Open) -> list[str]:
    """Return the damaged Japanese forces on the map that count against reinforcement (N13.1), by id."""
    beside = present_in(open, US)
    return [
        name
        for name, force in sorted(open.forces.items())
        if force.damaged
        and SIDE_OF[name] == JA
        and force.place in AREAS
        and not (COUNTERS[name].kind == "INF" and force.place in beside)
    ]


def reinforce(table: Table) -> None:
    """N13: roll, look up, set the counter back, and let the forces appear in Japan."""
    board = table.open
    damage, raiders = len(burden(board)), len(at(board, RAID, US))
    changes = (("counter", board.counter), ("damaged forces", -damage), ("raids", -RAID_PENALTY * raiders))
    modifiers = tuple(Modifier(why, amount) for why, amount in changes if amount)
    (face,) = table.roll("reinforcement", 1, D10, by=JA, modifiers=modifiers)
    row = row_of(REINFORCEMENTS, face + sum(m.amount for m in modifiers))
    reset_counter(table, f"reinforcement, row {row.words()}")
    wanted = {"SHIP": row.ships, "INF": row.inf + EXTRA_INF.get(board.year, 0), "LBA": row.lba}
    for kind in KINDS:
        arrive(table, kind, wanted[kind])


def arrive(table: Table, kind: str, count: int) -> None:
    """N13.4: fresh forces are drawn, then the oldest returned come; two battalions for each missing one."""
    board = table.open
    new = fresh(board, kind)
    drawn = draw(table, "N13.4", WORDS[kind], new, min(count, len(new)))
    queue = board.returned[kind][: count - len(drawn)]
    if queue:
        why = (Narrowed("the oldest returned", tuple(queue)),)
        table.record(Chose("N13.4", WORDS[kind], tuple(board.returned[kind]), tuple(queue), why))
    for name in (*drawn, *queue):
        table.record(Reinforced(name, kind))
    missing = count - len(drawn) - len(queue)
    come = tuple(battalions(board)[: BATTALIONS_PER_MISSING * missing])
    if come:
        why_come = "for reinforcements that are missing"
        table.record(BattalionsCame(come, JAPAN, aboard=False, arrived=False, why=why_come))


class Repairs(Procedure):
    """N14 JAPANESE REPAIR, area by area."""

    areas: tuple[str, ...] = ()
    kept: str = ""

    def japan(self, open: Open) -> tuple[int, ...]:
        """Return the seat of Japan, if there is one."""
        return japan(open)

    @step("N14")
    def list_areas(self, table: Table) -> None:
        """Areas go by id."""
        self.areas = tuple(sorted(present_in(table.open, JA)))

    @step("N14")
    def next_area(self, _table: Table) -> Flow:
        """One after the other."""
        self.kept = ""
        return None if self.areas else DONE

    @ask("N20.2", by="japan")
    def keep(self, sight: Sight) -> list[Decision]:
        """Choose which of the equals stays as the last one."""
        return or_by_rule(map(JaKeepForce, self.keepers(sight.open)[0]))

    @keep.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        best, _ = self.keepers(sight.open)
        return f"All on [{self.areas[0]}] would leave for repair, but one stays: choose which of {len(best)}."

    @keep.chosen
    def _(self, _table: Table, decision: JaKeepForce | JaByRule) -> None:
        if isinstance(decision, JaKeepForce):
            self.kept = decision.force

    @step("N14")
    def repair(self, table: Table) -> Flow:
        """Each damaged force goes, full, to the returned queue of its kind, by id."""
        board = table.open
        best, why = self.keepers(board)
        if best and not self.kept:
            self.kept = best[0]
            narrowed(why, BY_ID, best[:1], best)
            ground = tuple(at(board, self.areas[0], JA, "INF", "LBA"))
            table.record(
                Chose("N14", "Last force to stay", ground, (self.kept,), tuple(why), about=self.areas[0])
            )
        for name in self.leavers(board):
            if name != self.kept:
                send_back(table, name, "for repair")
        self.areas = self.areas[1:]
        return self.next_area

    def leavers(self, open: Open) -> list[str]:
        """Return the damaged forces of the area, without infantry beside US forces, by id."""
        area = self.areas[0]
        met = bool(at(open, area, US))
        return [
            n
            for n in at(open, area, JA)
            if open.forces[n].damaged and not (met and COUNTERS[n].kind == "INF")
        ]

    def keepers(self, open: Open) -> tuple[list[str], list[Narrowed]]:
        """Return who may stay because all infantry and aircraft would go, and why (R-29)."""
        why: list[Narrowed] = []
        ground = at(open, self.areas[0], JA, "INF", "LBA")
        leaving = self.leavers(open)
        if not ground or any(name not in leaving for name in ground):
            return [], why
        most = max(COUNTERS[name].value for name in ground)
        best = [name for name in ground if COUNTERS[name].value == most]
        narrowed(why, f"the highest value, {most}", best, ground)
        infantry = [name for name in best if COUNTERS[name].kind == "INF"] or best
        narrowed(why, "infantry before aircraft", infantry, best)
        return infantry, why


def return_to_port(table: Table) -> None:
    """N15: ports empty toward Hawaii, then every ship elsewhere and every raider goes to the last box."""
    for box, to in zip(PORTS, (HAWAII, *PORTS), strict=False):
        if ships := at(table.open, box, US):
            table.record(InPort(tuple(ships), to))
    board = table.open
    out = [
        name
        for place, names in sorted(by_place(board, US).items())
        if place == RAID or (place in AREAS and place != HAWAII)
        for name in names
        if COUNTERS[name].kind == "SHIP"
    ]
    australian = [n for n in out if COUNTERS[n].nation == "AU" and board.forces[n].place != AUSTRALIA]
    others = [name for name in out if COUNTERS[name].nation != "AU"]
    for names, to in ((others, LAST_PORT[board.year]), (australian, AUSTRALIA)):
        if names:
            table.record(InPort(tuple(names), to))


def check_supply(table: Table) -> None:
    """N16: in every area out of supply each US infantry and land-based group takes a hit."""
    board = table.open
    _, supplied = supply(board)
    for area in sorted(present_in(board, US) - supplied - {AUSTRALIA}):
        names = at(board, area, US, "INF", "LBA")
        if names:
            damaged = tuple(n for n in names if not board.forces[n].damaged)
            destroyed = tuple(n for n in names if board.forces[n].damaged)
            table.record(OutOfSupply(area, damaged, destroyed))
