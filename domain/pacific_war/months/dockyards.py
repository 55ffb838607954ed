"""P15 Naval repair in dry docks, large ports and boxes; whoever has no hit left is simply fit (P14.5)."""

from domain.kernel.procedures import Decision
from domain.pacific_war.board.boxes import travelling
from domain.pacific_war.board.charts import BOXES, LOCATIONS
from domain.pacific_war.board.table import Open, Own, Sight, Table, crippled, printed
from domain.pacific_war.command.emergency import tied
from domain.pacific_war.decisions.dispositions import Recombine, RepairUnit, With
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.months.desk import Chapter, Desk, quiet_place, ready
from domain.pacific_war.months.loads import hide

A_SIZE = 2
"""P15.1: ships that a dry dock repairs in a month for each point of its size."""
A_PORT = 2
"""P15.1: ships with lesser damage that a port repairs in a month."""
LEAST_PORT = 3
"""P15.1: size of a port that repairs lesser damage."""
HEAVY = frozenset({"BB", "BC", "CV", "CVL", "CVE", "CA"})
"""P15.1: classes that need a dry dock."""
PAIRED = frozenset({"CL", "DD", "AA"})
"""P15.2: classes that are recombined."""


def options(sight: Sight, desk: Desk) -> list[Decision]:
    """Return the ships that can be repaired, then those that can be kept of two."""
    own = sight.own
    ships = sorted(
        ship
        for ship, one in own.ships.items()
        if one.port and not one.active and one.damage and not travelling(own, ship)
    )
    return [
        *(
            RepairUnit(ship)
            for ship in ships
            if f"repaired:{ship}" not in desk.done and yard(sight, desk, ship)
        ),
        *(Recombine(ship) for ship in ships if mates(sight.open, own, ship)),
    ]


def yard(sight: Sight, desk: Desk, ship: str) -> str:
    """Return where a ship is repaired, `port:` or `dock:` with the location, or an empty string (P15.1).

    Lesser damage is left to the port while that has room, so that the dry dock is free for the others.
    """
    board, own, side = sight.open, sight.own, sight.side
    one = own.ships[ship]
    place = one.port
    if place in BOXES:
        return f"dock:{place}" if desk.done.count(f"dock:{place}") < A_SIZE * BOXES[place].dock else ""
    base = board.bases[place]
    if one.isolated or not quiet_place(board, side, place) or 2 * base.port_damage >= base.port:
        return ""
    lesser = not crippled(board, ship, one.damage) and printed(board, ship).cls not in HEAVY
    port, dock = f"port:{place}", f"dock:{place}"
    large = base.port >= LEAST_PORT and ready(board, own, side, place)
    if lesser and large and desk.done.count(port) < A_PORT:
        return port
    return dock if desk.done.count(dock) < A_SIZE * LOCATIONS[place].dock else ""


def mates(open: Open, own: Own, ship: str) -> list[str]:
    """Return the damaged units that a damaged unit can be recombined with, by id (P15.2).

    None of them keeps up an emergency link (P11.7).
    """
    one, unit, busy = own.ships[ship], printed(open, ship), tied(own)
    if unit.cls not in PAIRED or ship in busy:
        return []
    return [
        mate
        for mate, other in sorted(own.ships.items())
        if mate != ship
        and mate not in busy
        and other.port == one.port
        and other.damage
        and not other.active
        and not travelling(own, mate)
        and (printed(open, mate).nat, printed(open, mate).cls) == (unit.nat, unit.cls)
        and printed(open, mate).hits == unit.hits
        and one.damage + other.damage >= unit.hits
    ]


def seconds(sight: Sight, desk: Desk) -> list[Decision]:
    """Return what the ship that is kept can be recombined with."""
    return [With(mate) for mate in mates(sight.open, sight.own, desk.picked[0])]


def picks(_desk: Desk, decision: Decision) -> tuple[str, ...]:
    """Return the ship that is kept: the other must follow."""
    return (decision.unit,) if isinstance(decision, Recombine) else ()


def take(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Repair a ship, or recombine two.

    The other one leaves the game. Read so: it is no loss, so nobody is told; it is in no place any more.
    """
    own = table.own[side]
    now = Changes(table, "in the dockyards")
    if isinstance(decision, RepairUnit):
        ship = decision.unit
        where = yard(Sight(side, side, table.open, own), desk, ship)
        now.ship(ship, damage=own.ships[ship].damage - 1)
        now.record()
        return desk.did(f"repaired:{ship}", where)
    assert isinstance(decision, With)
    kept, gone = desk.picked[0], decision.unit
    hits = printed(table.open, kept).hits
    now.ship(kept, damage=own.ships[kept].damage + own.ships[gone].damage - hits)
    hide(table, gone)
    now.ship(gone, port="", damage=hits)
    now.record()
    return desk.did(f"kept:{kept}")


CHAPTERS = (
    Chapter(
        "15.1",
        "Choose a ship to repair or to recombine, or be done.",
        options,
        take,
        picks,
        seconds,
        lambda picked: f"Choose the unit that is used up to mend [{picked[0]}].",
    ),
)
