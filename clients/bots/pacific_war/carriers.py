"""Pacific War for a bot: where carriers are best: their targets in range, away from guns (P23.6, P28)."""

from typing import Final

from msgspec import Struct

from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.dangers import from_air, from_ships, under_way
from clients.bots.pacific_war.naval import expected
from clients.bots.pacific_war.prospects import ashore_hopes
from clients.bots.pacific_war.strikes import at_ships, groups_aboard, own_groups, peril, raiders
from clients.bots.pacific_war.table import ways
from domain.pacific_war.board.atlas import distance

FUEL: Final = 0.02
"""What each hex sailed takes off."""
NEAR: Final = 0.6
"""What each hex beyond the range of its aircraft takes off a place for carriers."""
DANGER: Final = 0.6
"""How much of what may come from the air is counted against carriers: much of it would come anyway."""
CAUGHT: Final = 0.4
"""The same of surface fleets: carriers are fast, and evade."""
ANSWERED: Final = 0.05
"""How much of what an answer could do is counted, where one is in range."""
ON_GUARD: Final = 0.75
"""The part of a group that is counted for a strike."""
TOMORROW: Final = 0.5
"""What targets in range at Night are worth, beside those by day: they may be in range in the next cycle."""
FIRST: Final = 0.75
"""The most of the enemy's carriers that a first blow is trusted to put out of action."""
SHORT: Final = 3
"""The range of carrier groups where none is left."""
LEASH: Final = 1.0
"""What each hex takes off a place that lies too far from what the Operation is about."""
STRAYS: Final = 4
"""The hexes that carriers of a campaign may go from there."""
FLEET: Final = 3
"""Air steps with which a task force is one of carriers first of all."""


def is_carrier_force(board: Board, tf: str) -> bool:
    """Return whether a task force lives by its aircraft."""
    groups = groups_aboard(board, board.carriers(tf))
    return not board.laden(tf) and sum(board.own.air[unit].steps for unit in groups) >= FLEET


class Hopes(Struct, frozen=True):
    """What a carrier force may strike at, its range, and what our other carriers promise."""

    reach: int
    fleets: dict[str, float]
    bases: dict[str, float]
    others: float
    flies: bool


def hopes_of(board: Board, tf: str) -> Hopes:
    """Return what a carrier force may strike at, by points; at Night what may be there by day."""
    wings = own_groups(board, tf)
    striking = [w for w in wings if w.steps]
    part = ON_GUARD * (TOMORROW if board.night else 1.0)
    fleets = {
        foe: part * at_ships(board, striking, board.node(foe), foe).value if striking else 0.0
        for foe in board.foes
    }
    bases = ashore_hopes(board, tf) if striking and not board.night else {}
    others = sum(prospect(board, other) for other in sorted(board.own.fleets) if other != tf)
    reach = max((w.cls.range for w in wings), default=SHORT)
    return Hopes(reach, fleets, {spot: part * value for spot, value in bases.items()}, others, bool(striking))


def carriers_goal(board: Board, tf: str, hexes: int) -> str:
    """Return where carriers are best: their strikes in range, away from surface fleets, unseen."""
    near = ways(board.node(tf), board.scenario)
    if board.table.war and (convoy := guarded(board)):
        far = ways(convoy, board.scenario)
        return min(near.within(hexes), key=lambda row: (far.get(row[0]), row[1], row[0]))[0]
    hopes = hopes_of(board, tf)
    values = {node: carriers_at(board, tf, node, hopes) - FUEL * steps for node, steps in near.within(hexes)}
    return max(values, key=lambda node: values[node])


def guarded(board: Board) -> str:
    """Return the node of the own convoy with most troops, which carriers guard, or an empty string."""
    steps = {tf: sum(board.load(ship) for ship in board.members(tf)) for tf in board.own.fleets}
    most = max(steps, key=lambda tf: (steps[tf], tf), default="")
    return board.node(most) if most and steps[most] else ""


def carriers_at(board: Board, tf: str, node: str, hopes: Hopes) -> float:
    """Return what a node is worth to a carrier force."""
    eyes = [("CVG", node[:4])]
    gains = max(
        (
            hope * board.found(foe, eyes)
            for foe, hope in hopes.fleets.items()
            if distance(node, board.node(foe)) <= hopes.reach
        ),
        default=0.0,
    )
    ashore = max((v for spot, v in hopes.bases.items() if distance(node, spot) <= hopes.reach), default=0.0)
    value = max(gains, ashore) - NEAR * beyond(board, node, hopes)
    value -= DANGER * from_air(board, tf, node) * (1 - first_blow(board, gains + hopes.others))
    raids = raiders(board, node[:4], moving=False)
    if gains and raids:
        value -= ANSWERED * peril(board, raids, board.members(tf), 0, 1)
    value -= CAUGHT * from_ships(board, tf, node) + under_way(board, tf, node)
    if board.table.war and board.goal:
        value -= LEASH * max(0, distance(node, board.goal_node) - STRAYS)
    if foes := board.at(node, ours=False):
        value += min(0.0, expected(board, (tf,), foes).balance) - 1.0
    return value


def beyond(board: Board, node: str, hopes: Hopes) -> int:
    """Return how many hexes the nearest target that is worth a strike lies out of range."""
    far = [
        distance(node, board.node(foe)) - hopes.reach
        for foe, hope in hopes.fleets.items()
        if hope > 1 or not hopes.flies
    ]
    return max(0, min(far)) if far else 0


def prospect(board: Board, tf: str) -> float:
    """Return what the strikes of another own carrier force promise in this phase."""
    wings = [w for w in own_groups(board, tf) if w.steps]
    if sum(w.steps for w in wings) < FLEET:
        return 0.0
    spot, reach = board.node(tf)[:4], max(w.cls.range for w in wings) + board.left(tf)
    return max(
        (
            ON_GUARD * at_ships(board, wings, board.node(foe), foe).value * board.found(foe, [("CVG", spot)])
            for foe in board.foes
            if distance(spot, board.node(foe)) <= reach
        ),
        default=0.0,
    )


def first_blow(board: Board, gains: float) -> float:
    """Return the part of the enemy's carriers that our strikes are likely to put out of action first."""
    carriers = [ship for foe in board.foes for ship in board.carriers(foe)]
    whole = sum(board.mark(ship).sunk for ship in carriers)
    return min(FIRST, gains / whole) if whole else 0.0
