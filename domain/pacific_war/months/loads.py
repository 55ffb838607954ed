"""P13.1, P13.2.1 What may be carried, from where, for how many points of whose."""

from msgspec import Struct

from domain.pacific_war.board.boxes import travelling, whereabouts
from domain.pacific_war.board.charts import AIR, TABLES
from domain.pacific_war.board.table import Open, Own, Table, contested, printed, troop
from domain.pacific_war.command.emergency import tied
from domain.pacific_war.facts.cycle import Covered
from domain.pacific_war.facts.months import MeansAre

_COSTS = TABLES["strategic_transport"]["costs"]
STEPS_A_POINT = 3
"""P13.1: ground steps that a point carries, rounded up."""
AIR_COST: int = _COSTS["air_unit"]
SHIP_COST: int = _COSTS["crippled_naval_unit"]


class Load(Struct, frozen=True):
    """What can be carried: from where, for how many points of which purse."""

    origin: str
    purse: str
    cost: int


def purse(nation: str) -> str:
    """Return who carries units of a nation (P13.1)."""
    return "JP" if nation == "JP" else "AL_US" if nation in ("US", "CN") else "AL_CW"


def load(open: Open, own: Own, unit: str) -> Load | None:
    """Return a unit that may be carried, from a location or a box (P13.2.1), or None.

    Read so: a carrier group is carried only with its carrier, or from an airbase. What keeps up an emergency
    link stays where it is (P11.7).
    """
    place = whereabouts(own, unit)
    if not place or travelling(own, unit) or unit in tied(own):
        return None
    if unit in own.ships:
        ship = own.ships[unit]
        idle = not (ship.active or ship.isolated)
        return Load(place, purse(printed(open, unit).nat), SHIP_COST) if idle else None
    if unit in own.air:
        air = own.air[unit]
        idle = air.home == place and air.steps > 0 and not (air.active or air.isolated)
        return Load(place, purse(AIR[unit].nat), AIR_COST) if idle else None
    ground = own.ground[unit]
    if ground.active or ground.broken or ground.isolated or contested(open, ground.hex):
        return None
    return Load(place, purse(troop(open, unit).nat), -(-ground.steps // STEPS_A_POINT))


def pay(table: Table, side: int, name: str, cost: int) -> None:
    """Take transport points from a purse."""
    left = table.own[side].means.transport
    table.record(MeansAre(side, transport=left | {name: left[name] - cost}, why="for strategic transport"))


def hide(table: Table, *units: str) -> None:
    """Hide units that are public where they were; where they go no enemy sees them (P0.4.1)."""
    board = table.open
    gone = Covered(
        ships=tuple(unit for unit in units if unit in board.ships),
        air=tuple(unit for unit in units if unit in board.air),
        ground=tuple(unit for unit in units if unit in board.ground),
    )
    if gone != Covered():
        table.record(gone)
