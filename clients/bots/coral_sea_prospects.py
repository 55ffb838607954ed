"""Coral Sea for a bot: what a march, a voyage or an operation promises from where the units are.

Deliberately absent: any choice. What places are worth in themselves is in `coral_sea_board`.
"""

from typing import Final

from clients.bots.coral_sea_board import HUBS, HUNT, KEEPS, Board, might
from domain.coral_sea.shown import Unit

WANTED_FIELDS: Final = frozenset({"buna", "guadalcanal_lunga", "milne_bay", "buin", "tulagi"})
"""Where an airfield reaches the places that matter."""


def promise(board: Board, marker: str) -> float:
    """Return what an operation from an area promises."""
    ships = board.at(marker, ours=True, domain="naval")
    men = spare(board, marker)
    found = 0.15 * sum(bool(u.depleted or u.disorganised) for u in board.at(marker, ours=True))
    if ships:
        found += 1.5 * board.pull(marker, might(men[:3]), by_sea=True) if men else 0.0
        found += 0.5 if prey(board, marker, ships) else 0.0
    near = {marker, *(a for a, k in board.areas[marker].next.items() if k in {"land", "coast"})}
    for area in near:
        troops = spare(board, area)
        if troops and board.areas[area].kind == "land":
            found = max(found, 0.5 * land_prize(board, area, might(troops), 2))
    return found


def land_prize(board: Board, area: str, force: float, reach: int) -> float:
    """Return the best prize within a march."""
    found, seen, edge = 0.0, {area}, [area]
    for steps in range(1, reach + 1):
        edge = [
            there
            for here in edge
            for there, kind in board.areas[here].next.items()
            if kind == "land" and there not in seen
        ]
        seen.update(edge)
        for there in edge:
            if board.areas[there].control != board.side:
                found = max(found, board.prize(there, force) / (0.7 + 0.3 * steps))
        edge = [there for there in edge if not board.strength(there, ours=False, domain="ground")]
    return found


def needed(board: Board, area: str) -> bool:
    """Return whether an area should not be left without a garrison."""
    if area in KEEPS[board.side]:
        return True
    matters = HUBS[board.side].get(area, 0.0) + any(s.area == area for s in board.table.sites.values())
    return bool(matters) and board.threat(area)


def spare(board: Board, area: str) -> list[Unit]:
    """Return the troops that may leave an area, the best first: where a garrison is needed the last stays."""
    here = sorted(board.at(area, ours=True, domain="ground"), key=lambda unit: -might([unit]))
    return here[:-1] if needed(board, area) else here


def last(board: Board, area: str) -> bool:
    """Return whether one unit alone would be left of a garrison that is needed."""
    going = {*board.move.units, *board.move.cargo} if board.move else set[str]()
    left = [n for n, u in board.ours.items() if u.area == area and u.domain == "ground" and n not in going]
    return needed(board, area) and len(left) == 1


def prey(board: Board, start: str, ships: list[Unit]) -> str:
    """Return the sea area of a weaker enemy fleet within reach, or none."""
    near, force = board.far(start, by_sea=True), might(ships)
    reach = min((u.move for u in ships), default=0)
    best, worth = "", 0.0
    for area in {u.area for u in board.theirs.values() if u.domain == "naval"}:
        against = board.strength(area, ours=False, domain="naval")
        if board.areas[area].kind == "sea" and near.get(area, 99) <= reach and force > HUNT * against:
            gain = sum(u.points for u in board.at(area, ours=False)) / (1 + near[area])
            best, worth = (area, gain) if gain > worth else (best, worth)
    return best
