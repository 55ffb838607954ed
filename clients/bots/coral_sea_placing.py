"""Coral Sea for a bot: what a card brings and where to, and whom it strikes (C15, C21, C24)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.coral_sea_board import Board, might
from clients.bots.judges import Judge, judge
from domain.coral_sea.decisions import (
    PlaceRp,
    PlaceUnitAt,
    PlaceUnitsAt,
    RemoveUnit,
    TargetArea,
    TargetUnit,
    TrukEntry,
)


def place_rp(board: Board, options: Sequence[PlaceRp]) -> PlaceRp | None:
    """Put resource points where ships and troops wait for them."""
    return max(options, key=lambda o: len(board.at(o.area, ours=True)) - 3 * board.rp.get(o.area, 0))


def place_units(
    board: Board, options: Sequence[PlaceUnitsAt | PlaceUnitAt]
) -> PlaceUnitsAt | PlaceUnitAt | None:
    """Bring troops as near to the goals as may be."""
    return max(options, key=lambda option: board.pull(option.area, 15.0, by_sea=True))


def enter(board: Board, options: Sequence[TrukEntry]) -> TrukEntry | None:
    """Let the fleet appear where the enemy's ships are near."""
    fleet = [u.area for u in board.theirs.values() if u.domain == "naval"]
    return min(options, key=lambda o: min((board.far(o.area).get(a, 99) for a in fleet), default=0))


def strike(board: Board, options: Sequence[TargetArea]) -> TargetArea | None:
    """Attack from the air where the most can be lost."""
    return max(options, key=lambda option: sum(u.points + 1 for u in board.at(option.area, ours=False)[:2]))


def remove(board: Board, options: Sequence[RemoveUnit]) -> RemoveUnit | None:
    """Take off the map what is worth least."""
    return min(options, key=lambda option: might([board.units[option.unit]]))


def sicken(board: Board, options: Sequence[TargetUnit]) -> TargetUnit | None:
    """Let disease strike the shakiest."""
    return min(options, key=lambda option: board.units[option.unit].cohesion)


PLACING: Final[tuple[Judge[Board], ...]] = (
    judge(PlaceRp, place_rp),
    judge(PlaceUnitsAt, place_units),
    judge(PlaceUnitAt, place_units),
    judge(TrukEntry, enter),
    judge(RemoveUnit, remove),
    judge(TargetArea, strike),
    judge(TargetUnit, sicken),
)
