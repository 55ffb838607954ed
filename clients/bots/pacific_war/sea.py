"""Pacific War for a bot: where surface fleets sail, who moves first, who searches (P23.6, P24)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.carriers import FUEL, carriers_goal, is_carrier_force
from clients.bots.pacific_war.dangers import from_air, from_ships, under_way
from clients.bots.pacific_war.landing import barred, convoy_goal, laden
from clients.bots.pacific_war.naval import expected, slowest
from clients.bots.pacific_war.strikes import at_ships, own_groups
from clients.bots.pacific_war.table import NEVER, ways
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import AIR, CLASSES
from domain.pacific_war.decisions.cycle import CommitSearch, MoveTF, SailTo

COVER: Final = 4.0
"""What it is worth to lie with the convoy."""
EVADES: Final = 6
"""What an evasion must reach."""
STAYS: Final = 0.5
"""How likely an enemy whom we reach after the battles of a cycle is still there in the next's."""
SEARCHED: Final = 0.4
"""The points that a search must promise."""
BOMBARDS: Final = 10
"""Guns with which a bombardment of the goal is worth the way."""
SUPPORT: Final = 5.0
"""What guns are worth where troops of ours fight for the goal."""


def destination(board: Board, tf: str) -> str:
    """Return the node where a task force is best."""
    hexes = board.left(tf)
    if not hexes or not board.members(tf):
        return board.node(tf)
    if board.laden(tf):
        return convoy_goal(board, tf, hexes)
    if is_carrier_force(board, tf):
        return carriers_goal(board, tf, hexes)
    return surface_goal(board, tf, hexes)


# surface fleets


def surface_goal(board: Board, tf: str, hexes: int) -> str:
    """Return where a surface fleet is best: at an enemy that it beats, with the convoy, before the goal."""
    start = board.node(tf)
    near = ways(start, board.scenario)
    places = set[str]() if barred(board) else convoys(board)
    best, most = start, -1e9
    for node, steps in near.within(hexes):
        value = -FUEL * steps
        ours = sorted({tf, *board.at(node, ours=True)})
        foes = board.at(node, ours=False)
        if foes:
            balance = expected(board, ours, foes).balance
            value += balance * met(board, ours, foes, balance)
        if node in places:
            value += COVER
        elif places:
            value -= 0.1 * min(ways(one, board.scenario).get(node, NEVER) for one in places)
        value += at_goal(board, tf, node, bool(places))
        value += hunt(board, tf, node)
        value -= from_air(board, tf, node) + from_ships(board, tf, node, ours) + under_way(board, tf, node)
        if value > most + 1e-9:
            best, most = node, value
    return best


def met(board: Board, ours: Sequence[str], theirs: Sequence[str], balance: float) -> float:
    """Return the chance of a combat where we sail to an enemy: the side that it is bad for evades (P29.1)."""
    hunters, prey = (ours, theirs) if balance > 0 else (theirs, ours)
    lead = 2 * (slowest(board, prey) - slowest(board, hunters)) + board.night
    lead -= any(board.table.tfs[tf].detected for tf in prey)
    caught = max(0.0, min(1.0, (EVADES - lead) / 10))
    if not board.second_half:
        return caught
    return 0.0 if board.last else STAYS * caught


def convoys(board: Board) -> set[str]:
    """Return where own convoys will be when they have moved."""
    return {convoy_goal(board, tf, board.left(tf)) for tf in laden(board)}


def at_goal(board: Board, tf: str, node: str, landing: bool) -> float:
    """Return what it is worth to be at the goal: to bombard it and fight its fort, or to hold its waters."""
    if not board.goal or node != board.goal_node:
        return 0.0
    held = board.table.locations[board.goal].control == board.foe
    if board.attacks and held:
        fort = board.port_of(node, ours=False)
        value = expected(board, (tf,), (), fort).balance if fort else 0.0
        if board.guns(tf) >= BOMBARDS and not (board.last and board.second_half):
            value += SUPPORT if board.landed_already else 2.0 * landing
        return value
    return 0.0


def hunt(board: Board, tf: str, node: str) -> float:
    """Return the pull of enemy convoys that a surface fleet would beat."""
    pull = 0.0
    for foe in board.foes:
        if board.laden(foe):
            far = ways(node, board.scenario).get(board.node(foe), NEVER)
            with_it = board.at(board.node(foe), ours=False)
            if far and expected(board, (tf,), with_it).balance > 0:
                pull = max(pull, 2.0 - 0.3 * far)
    return pull


# moves


def ordered(board: Board, options: Sequence[MoveTF]) -> list[MoveTF]:
    """Return the task forces in the order in which they move: fleets before convoys, carriers last."""
    return sorted(options, key=lambda o: (is_carrier_force(board, o.tf), board.laden(o.tf), o.tf))


def move(board: Board, options: Sequence[MoveTF]) -> MoveTF | None:
    """Sail where more is to be won than lost: carriers by range, fleets by the exchange, convoys in time."""
    for option in ordered(board, options):
        if board.left(option.tf) and destination(board, option.tf) != board.node(option.tf):
            return option
    return None


def sail(board: Board, options: Sequence[SailTo]) -> SailTo | None:
    """Sail to the place that is best for this task force."""
    tf = next((name for name in board.named if name in board.own.fleets), "")
    if not tf:
        return None
    goal = destination(board, tf)
    exact = next((o for o in options if o.node == goal), None)
    if exact or goal not in board.table.tfs:
        far = ways(goal, board.scenario)
        return exact or min(options, key=lambda o: (far.get(o.node, NEVER), o.node))
    return None


# search


def search(board: Board, options: Sequence[CommitSearch]) -> CommitSearch | None:
    """Let a step search: something worth a strike may be found in range."""
    for option in options:
        wing = next((w for w in board.own_wings if w.unit == option.cvg), None)
        if wing is None:
            continue
        spot = wing.hex
        wings = [w for w in own_groups(board, wing.place) if w.steps]
        reach = CLASSES[AIR[option.cvg].cls].range
        searching = [("CVG", w.hex) for w in board.own_wings if board.own.air[w.unit].searching]
        for foe in board.foes:
            if distance(spot, board.node(foe)) > reach:
                continue
            more = board.found(foe, [*searching, ("CVG", spot)]) - board.found(foe, searching)
            if more > 0 and more * at_ships(board, wings, spot, foe).value > SEARCHED:
                return option
    return None


MOVES: Final[tuple[Judge[Board], ...]] = (
    judge(MoveTF, move),
    judge(SailTo, sail),
    judge(CommitSearch, search),
)
