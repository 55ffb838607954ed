"""P28.5.1 Which ships the strike steps attack; under P28.12 both sides allot at once."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.table import Allotted, Open, Raid, Sight, Table, is_carrier, printed
from domain.pacific_war.decisions.cycle import AllotRest, AllotStrike, WithSteps
from domain.pacific_war.facts.fighting import RaidsAre


def ships_there(open: Open, raid: Raid) -> list[str]:
    """Return the ships that a raid may attack, by id: all are public."""
    if raid.target in open.tfs:
        return sorted(ship for ship, one in open.ships.items() if one.tf == raid.target)
    return sorted(ship for ship, one in open.ships.items() if one.port == raid.target)


def best(open: Open, raid: Raid) -> str:
    """Return the carrier, else the ship, with most hits left, ties by id (P0.8)."""
    ships = ships_there(open, raid)
    return min(
        ships,
        key=lambda ship: (
            not is_carrier(open, ship),
            -(printed(open, ship).hits - open.ships[ship].damage),
            ship,
        ),
    )


class Allotment(Procedure):
    """P28.5.1 STRIKE STEPS ARE ALLOTTED."""

    sides: tuple[int, ...]
    picked: tuple[Allotted, ...] = ()
    pending: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Side to `unit:ship` whose steps are to be picked."""

    @ask("28.5.1", by="sides", sealed=True)
    def allot(self, sight: Sight) -> list[Decision]:
        """Choose which ships your strike attacks, each air unit with some or all of its steps."""
        raid = _raid(sight.open, sight.side)
        left = self.left(raid)
        if not left:
            return []
        pending = self.pending.get(str(sight.side), "")
        if pending:
            unit, ship = pending.split(":")
            least = left[unit] if self.ships(sight.open, raid, unit) == [ship] else 1
            return [WithSteps(steps) for steps in range(least, left[unit] + 1)]
        picks = [
            AllotStrike(unit, ship) for unit in sorted(left) for ship in self.ships(sight.open, raid, unit)
        ]
        return [*picks, AllotRest()]

    @allot.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        pending, raid = self.pending.get(str(sight.side), ""), _raid(sight.open, sight.side)
        if pending:
            unit, ship = pending.split(":")
            return f"With how many steps does [{unit}] attack [{ship}]?"
        return f"Choose which ships of [{raid.target}] your strike attacks, unit by unit."

    @allot.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        total = sum(self.left(_raid(sight.open, sight.side)).values())
        return [
            one
            for one in options
            if isinstance(one, AllotStrike) or (isinstance(one, WithSteps) and one.steps < total)
        ]

    @allot.chosen
    def _(self, table: Table, decision: AllotStrike | WithSteps | AllotRest) -> Flow:
        side = table.actor
        raid = _raid(table.open, side)
        before = sum(self.left(raid).values())
        match decision:
            case AllotStrike(unit, ship):
                self.pending = self.pending | {str(side): f"{unit}:{ship}"}
            case WithSteps(steps):
                unit, ship = self.pending[str(side)].split(":")
                self.pending = self.pending | {str(side): ""}
                self.picked += (Allotted(unit, ship, steps),)
            case AllotRest():
                ship = best(table.open, raid)
                self.picked += tuple(Allotted(unit, ship, n) for unit, n in sorted(self.left(raid).items()))
        if before and not self.left(raid):
            table.pad(2 * sum(raid.strike.values()) + 1)
        return self.allot

    @step("28.5.1")
    def tell(self, table: Table) -> None:
        """Tell what both have allotted."""
        picked = together(self.picked)
        raids = tuple(
            replace(raid, allotted=tuple(one for one in picked if one.unit in raid.strike))
            for raid in table.open.raids
        )
        table.record(RaidsAre(raids, "The aircraft pick their targets"))

    def left(self, raid: Raid) -> dict[str, int]:
        """Return the steps that are not allotted, by unit."""
        taken = dict[str, int]()
        for one in self.picked:
            taken[one.unit] = taken.get(one.unit, 0) + one.steps
        return {u: n - taken.get(u, 0) for u, n in raid.strike.items() if n > taken.get(u, 0)}

    def ships(self, open: Open, raid: Raid, unit: str) -> list[str]:
        """Return the ships that steps of a unit are not allotted to yet."""
        taken = {one.ship for one in self.picked if one.unit == unit}
        return [ship for ship in ships_there(open, raid) if ship not in taken]


def together(picked: Iterable[Allotted]) -> list[Allotted]:
    """Return what was picked with the steps of a unit at a ship added up, in the order first named."""
    steps = dict[tuple[str, str], int]()
    for one in picked:
        steps[one.unit, one.ship] = steps.get((one.unit, one.ship), 0) + one.steps
    return [Allotted(unit, ship, n) for (unit, ship), n in steps.items()]


def _raid(open: Open, side: int) -> Raid:
    return next(raid for raid in open.raids if raid.side == side)
