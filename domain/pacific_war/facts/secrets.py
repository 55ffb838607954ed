"""P0.4 What happens behind a side's screen: its units, its patrols, the mission it puts together."""

from domain.kernel.facts import Secret
from domain.pacific_war.board.table import Air, Fleet, Ground, Own, Plan, Ship
from domain.pacific_war.facts.fighting import BY_UNIT, KINDS
from domain.pacific_war.facts.wording import at, kinds, number, standing, the

MOST = 3
"""So many own units are told one by one, more by their number."""


class OwnUnits(Secret, frozen=True):
    """How own units stand after something has happened to them; a task force that is None is gone."""

    fleets: dict[str, Fleet | None] = {}  # noqa: RUF012 a Struct copies its defaults
    ships: dict[str, Ship] = {}  # noqa: RUF012
    air: dict[str, Air] = {}  # noqa: RUF012
    ground: dict[str, Ground] = {}  # noqa: RUF012
    patrols: dict[str, int] = {}  # noqa: RUF012
    why: str = ""

    def apply(self, own: Own) -> None:
        """Set them."""
        for tf, fleet in self.fleets.items():
            if fleet is None:
                own.fleets.pop(tf, None)
            else:
                own.fleets[tf] = fleet
        own.ships |= self.ships
        own.air |= self.air
        own.ground |= self.ground
        for spot, points in self.patrols.items():
            if points:
                own.patrols[spot] = points
            else:
                own.patrols.pop(spot, None)

    def words(self) -> str:
        """Say how they stand."""
        units = (*self.fleets, *self.ships, *self.air, *self.ground, *self.patrols)
        told = self._each() if len(units) <= MOST else self._many()
        why = f", {self.why}" if self.why else ""
        return f"Own units of {the(self.side)}{why}: {'; '.join(told) or 'as before'}"

    def _each(self) -> list[str]:
        """Return how each of them stands."""
        told = [
            f"[{tf}] {'is dissolved' if fleet is None else kinds(fleet.ships.ships)}"
            for tf, fleet in self.fleets.items()
        ]
        idle = {unit: one for unit, one in self.air.items() if not one.active}
        told += [f"{place}: {what}" for place, what in standing({}, self.ships, idle, self.ground).items()]
        told += [
            f"[{unit}]: {number(one.steps, 'step')}, {one.ready} ready, {one.cap} on CAP"
            for unit, one in self.air.items()
            if one.active
        ]
        patrols = self.patrols.items()
        return told + [f"patrol at {at(spot)}: {number(points, 'point')}" for spot, points in patrols]

    def _many(self) -> list[str]:
        """Return how many there are."""
        rows = (
            (self.fleets, "task force"),
            (self.ships, "ship"),
            (self.air, "air unit"),
            (self.ground, "ground unit"),
            (self.patrols, "patrol"),
        )
        return [number(len(units), word) for units, word in rows if units]


class Planned(Secret, frozen=True):
    """P28.2 The mission that a side puts together; None when it flies or is given up."""

    plan: Plan | None

    def apply(self, own: Own) -> None:
        """Keep it."""
        own.plan = self.plan

    def words(self) -> str:
        """Say what it is."""
        if self.plan is None:
            return f"The plan of {the(self.side)} is done"
        plan = self.plan
        steps = [
            f"{number(n, 'step')} of [{unit}]" for unit, n in (*plan.strike.items(), *plan.escort.items())
        ]
        target = f", at {at(plan.target)}" if plan.target else ""
        what = f"{KINDS[plan.kind]}, {'with' if plan.kind in BY_UNIT else 'from'} [{plan.origin}]{target}"
        return f"Planned by {the(self.side)}: {what}: {', '.join(steps) or 'nobody yet'}"


class OriginKept(Secret, frozen=True):
    """P28.2 Where the mission under way comes from; empty when it is over."""

    origin: str

    def apply(self, own: Own) -> None:
        """Keep it."""
        own.origin = self.origin

    def words(self) -> str:
        """Say where."""
        return f"The mission of {the(self.side)} comes from [{self.origin}]" if self.origin else "It is over"
