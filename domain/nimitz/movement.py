"""N6 US movement: the invasion reserve, raiding, strategic bombers, and moving."""

from collections.abc import Iterator, Sequence

from domain.kernel.procedures import DONE, Decision, Flow, ask, step
from domain.nimitz.charts import AREAS, COUNTERS, INVASION_FROM, INVASION_LIMIT, JA, SPECIAL, US
from domain.nimitz.decisions import DoneMoving, DoneReserving, LendForce, MoveForce, ReserveForInvasion
from domain.nimitz.facts import ForceMoved, Lent, Reserved, number
from domain.nimitz.table import (
    AUSTRALIA,
    COMMANDERS,
    HAWAII,
    MARIANAS,
    RAID,
    SB,
    WEST_COAST,
    Open,
    Sight,
    Table,
    ashore_in,
    by_place,
    present_in,
)
from domain.nimitz.theatres import PACIFIC, SOUTHWEST, Stage, mover, pay


class Reserving(Stage):
    """N6.1 THE INVASION RESERVE, in 1945."""

    reserved: int = 0

    @ask("N6.1", by="next_seat")
    def reserve(self, sight: Sight) -> list[Decision]:
        """Reserve forces for the invasion of Japan, for good."""
        board = sight.open
        if "japan_invasion" not in SPECIAL[board.year] or self.reserved == INVASION_LIMIT:
            return self.listed([], DoneReserving())
        ours = by_place(board, US)
        names = [n for area in INVASION_FROM for n in ours.get(area, []) if mover(board, n) == sight.seat]
        return self.listed(map(ReserveForInvasion, names), DoneReserving())

    @reserve.chosen
    def _(self, table: Table, decision: ReserveForInvasion | DoneReserving) -> Flow:
        if isinstance(decision, DoneReserving):
            return None
        self.picked, self.reserved = True, self.reserved + 1
        table.record(Reserved(decision.force))
        return self.reserve

    @reserve.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return (
            f"Invasion of Japan: {self.reserved} of at most {INVASION_LIMIT} forces are kept for it. "
            "Choose another in Hawaii or on the West Coast; it does not come back."
        )

    @reserve.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [option for option in options if not isinstance(option, DoneReserving)]

    @step("N20.3")
    def next_commander(self, _table: Table) -> Flow:
        """Then the other commander."""
        self.leave()
        return self.reserve if self.seats else DONE


class Movement(Stage):
    """N6 US MOVEMENT."""

    ashore: tuple[str, ...] = ()
    """Where the US were ashore at the start."""
    wings: tuple[str, ...] = ()
    """Bomber wings that were in the Marianas at the start."""

    @step("N6")
    def snapshot(self, table: Table) -> None:
        """Note where the US are ashore at the start: always on the West Coast and in Australia (R-63)."""
        board = table.open
        self.ashore = tuple(sorted({*ashore_in(board, US), WEST_COAST, AUSTRALIA}))
        there = by_place(board, US).get(MARIANAS, [])
        self.wings = tuple(n for n in there if COUNTERS[n].bomber_wing)

    @step("N6.1")
    def reserve(self, _table: Table) -> Flow:
        """First forces may be reserved for the invasion."""
        return Reserving(seats=self.seats)

    @ask("N6.4", by="next_seat")
    def move(self, sight: Sight) -> list[Decision]:
        """Move each force at most once, anywhere it may go, then end the movement."""
        board = sight.open
        moves = [
            MoveForce(name, target) for name, targets in self.moves(board, sight.seat) for target in targets
        ]
        return self.listed([*moves, *self.loans(board, sight.seat)], DoneMoving())

    @move.chosen
    def _(self, table: Table, decision: MoveForce | LendForce | DoneMoving) -> Flow:
        if isinstance(decision, DoneMoving):
            return None
        self.picked = True
        if isinstance(decision, LendForce):
            table.record(Lent(decision.force, SOUTHWEST))
        else:
            self.carry_out(table, decision)
        return self.move

    @step("N20.3")
    def next_commander(self, _table: Table) -> Flow:
        """Then the other commander."""
        self.leave()
        return self.move if self.seats else DONE

    @move.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        left = len({one.force for one in options if type(one) is MoveForce})
        if not left:
            return "Movement: nobody is left to move."
        return f"Movement: {number(left, 'force')} can still move, each once. Choose one, then where it goes."

    @move.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [option for option in options if type(option) is not DoneMoving]

    def carry_out(self, table: Table, decision: MoveForce) -> None:
        """Move a force; infantry that meets Japanese forces is on a transport there (N6.4 c)."""
        name, target = decision.force, decision.target
        if target == SB:
            pay(table, table.actor, 1, f"for the sortie of [{name}]")
        met = target in present_in(table.open, JA)
        aboard = COUNTERS[name].kind == "INF" and met
        table.record(ForceMoved(name, table.open.forces[name].place, target, aboard))

    def moves(self, open: Open, seat: int) -> Iterator[tuple[str, list[str]]]:
        """Yield each force of a seat that may still move with the places it may move to."""
        enemy, ours = present_in(open, JA), by_place(open, US)
        bases = [area for area in AREAS if area in self.ashore and has_room(ours, area)]
        coasts = [area for area in AREAS if AREAS[area].us_may_enter]
        australian = [[area for area in areas if AREAS[area].au] for areas in (bases, coasts)]
        for place, names in ours.items():
            if place not in AREAS:
                continue
            for name in names:
                if open.forces[name].moved or mover(open, name) != seat:
                    continue
                kind = COUNTERS[name].kind
                if kind == "INF" and place in enemy:
                    continue
                by_air, others = australian if COUNTERS[name].nation == "AU" else (bases, coasts)
                targets = [area for area in (by_air if kind == "LBA" else others) if area != place]
                if COUNTERS[name].type == "SS":
                    targets.append(RAID)
                if name in self.wings and open.supply[seat]:
                    targets.append(SB)
                yield name, targets

    def loans(self, open: Open, seat: int) -> list[Decision]:
        """Return the ships in Hawaii that POA may lend (N20.3)."""
        if open.mode != COMMANDERS or seat != PACIFIC:
            return []
        return [
            LendForce(name)
            for name in by_place(open, US).get(HAWAII, [])
            if COUNTERS[name].kind == "SHIP" and not open.forces[name].moved and open.forces[name].seat < 0
        ]


def has_room(ours: dict[str, list[str]], area: str) -> bool:
    """Return whether the airfields of an area can take one more group (N6.4 b)."""
    limit = AREAS[area].airfield
    if limit is None or AREAS[area].us_lba_unlimited:
        return True
    there = ours.get(area, []) + (ours.get(SB, []) if area == MARIANAS else [])
    return sum(COUNTERS[name].kind == "LBA" for name in there) < limit
