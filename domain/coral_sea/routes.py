"""C9 Where ships may go. Pure functions."""

from domain.coral_sea.atlas import ROUTES, SEA, at_sea
from domain.coral_sea.charts import MOVE_NAVAL, OWNERS, UNITS
from domain.coral_sea.flight import strangers
from domain.coral_sea.isolation import friendly_port
from domain.coral_sea.stacking import price
from domain.coral_sea.supply import able_ships
from domain.coral_sea.table import Open, enemy, is_truk, operating, ship_areas
from domain.coral_sea.units import movement

Fleet = tuple[str, ...]


class Waters:
    """The waters as a fleet finds them: what it may enter, and where it may end (C9.3 to C9.8, C18)."""

    def __init__(self, open: Open, fleet: Fleet, cargo: Fleet, sp: int) -> None:
        self.open, self.fleet, self.stack, self.sp = open, fleet, (*fleet, *cargo), sp
        self.side, self.truk = OWNERS[fleet[0]], is_truk(fleet[0])
        self.foes = ship_areas(open, enemy(self.side))
        self.mixed = strangers(open, fleet[0])

    def enterable(self, area: str) -> bool:
        """Any sea area, and friendly ports, but not for Truk ships (C9.3, C9.4, C18.2)."""
        return at_sea(area) or (not self.truk and friendly_port(self.open, area, self.side))

    def may_end(self, area: str) -> bool:
        """C9.5, C9.8: at sea, unless the other fleet is there; in a port, if stacking can be paid."""
        if area in SEA:
            return area in self.foes or area not in self.mixed
        return price(self.open, area, self.side, self.stack) <= self.sp

    def ways(self, area: str, left: int) -> list[str]:
        """Return the areas that may be entered next with so much Range left."""
        return [to for to, cost in ROUTES[area].items() if self._leads_on(to, left - cost)]

    def _leads_on(self, area: str, left: int) -> bool:
        if left < 0 or not self.enterable(area):
            return False
        if self.may_end(area):
            return True
        return left > 0 and any(self._leads_on(to, left - cost) for to, cost in ROUTES[area].items())


def range_of(open: Open, fleet: Fleet) -> int:
    """Return the lowest Range among some ships (C9.2)."""
    return min(movement(open, ship) for ship in fleet)


def candidates(open: Open, fleet: Fleet) -> list[str]:
    """Return the ships that may still be picked: Truk and other ships exclude each other (C9.1, D13).

    Each has somewhere to go (C7.7): it reaches more sea areas than there are ships it must not end with.
    """
    return [
        ship
        for ship in able_ships(open)
        if ship not in fleet and (not fleet or is_truk(ship) == is_truk(fleet[0]))
    ]


def can_sail(open: Open) -> bool:
    """Return whether a naval move may start (C9.1)."""
    return operating(open).sp >= MOVE_NAVAL and bool(candidates(open, ()))


def staying(open: Open, fleet: Fleet, area: str, side: int) -> list[str]:
    """Return the own ships of an area that do not sail."""
    return [
        name
        for name, unit in open.units.items()
        if unit.area == area and OWNERS[name] == side and UNITS[name].domain == "naval" and name not in fleet
    ]
