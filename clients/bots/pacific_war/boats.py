"""Pacific War for a bot: special submarines (P34): they are hunted, and the STO goes out to strike.

Deliberately absent: what the KRS is for, a seaplane base.
"""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.table import NEVER, ways
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import BOATS as PIECES
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions.choices import Activate
from domain.pacific_war.decisions.cycle import SailTo
from domain.pacific_war.decisions.special_boats import HuntSubmarine, MoveBoat, STOStrike

STRIKES: Final = 2
"""Hexes within which its aircraft strike (P34.2)."""
SORTIE: Final = 12
"""Hexes to something worth a strike within which it is activated."""
ASHORE: Final = 0.5
"""What a strike at a place promises, at a ship more by what the ship is worth."""


def depth_charges(board: Board, tf: str) -> int:
    """Return the anti-submarine value of an own task force (P34.1)."""
    return sum(board.printed(ship).asw // (2 if board.crippled(ship) else 1) for ship in board.members(tf))


def hunt(board: Board, options: Sequence[HuntSubmarine]) -> HuntSubmarine:
    """Hunt the submarine, which costs nothing, with the task force that is best at it."""
    return max(options, key=lambda one: (depth_charges(board, one.tf), one.tf))


def prey(board: Board, piece: str) -> tuple[int, str]:
    """Return how far a submarine is by sea from the nearest that is worth a strike, and the hex of that."""
    boat = board.table.war.special.get(piece) if board.table.war else None
    if boat is None or PIECES[piece] != "sto":
        return NEVER, ""
    near = ways(boat.node, board.scenario)
    seen = [board.node(tf) for tf in board.foes if board.table.tfs[tf].detected]
    fields = [
        base.coast or base.hex
        for base in board.table.locations.values()
        if base.control == board.foe and board.foe in base.aircraft
    ]
    rows = ((near.get(node), node[:4]) for node in (*seen, *fields) if node in near)
    return min(rows, default=(NEVER, ""))


def rouse(board: Board, options: Sequence[Activate]) -> Activate | None:
    """Send the submarine out: something worth a strike is near."""
    if board.table.phase == "5.1.P" and board.plan is None:
        return None
    able = [one for one in options if one.unit in PIECES]
    return next((one for one in able if prey(board, one.unit)[0] <= SORTIE), None)


def steer(board: Board, options: Sequence[MoveBoat]) -> MoveBoat | None:
    """Sail towards what is worth a strike."""
    return next((one for one in options if STRIKES < prey(board, one.piece)[0] < NEVER), None)


def sail(board: Board, options: Sequence[SailTo]) -> SailTo | None:
    """Come within reach of what is worth a strike, no nearer than needed."""
    piece = next((name for name in board.named if name in PIECES), "")
    spot = prey(board, piece)[1] if piece else ""
    if not spot:
        return None
    return min(options, key=lambda one: (max(STRIKES, distance(one.node, spot)), one.node))


def strike(board: Board, options: Sequence[STOStrike]) -> STOStrike:
    """Strike with the submarine's aircraft, which risks nothing, where most is to be won."""

    def worth(one: STOStrike) -> tuple[float, bool, str]:
        ashore = one.target in LOCATIONS
        return ASHORE if ashore else board.mark(one.target).sunk, one.kind == "strike_airbase", one.target

    return max(options, key=worth)


BOATS: Final[tuple[Judge[Board], ...]] = (
    judge(HuntSubmarine, hunt),
    judge(Activate, rouse),
    judge(MoveBoat, steer),
    judge(SailTo, sail),
    judge(STOStrike, strike),
)
