"""Pacific War for a bot: merchants, their escorts, submarines, and the bombing of Japan (P8, P9, P14.2)."""

from collections.abc import Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions.dispositions import AssignSubs
from domain.pacific_war.decisions.orders_of_war import (
    AssignEscort,
    BombingPoints,
    LiftSBP,
    PlaceSBP,
    Priority,
    SendRaid,
)

REACH: Final = 18
"""P8.2: hexes from which bombers reach the homeland."""
CHENGTU: Final = "chengtu"
MODES: Final = ("incendiary", "precision", "mining")
"""P8.2: how bombers fly, the most useful first."""


def escort(board: Board, options: Sequence[AssignEscort]) -> AssignEscort | None:  # noqa: ARG001
    """Put destroyers on escort duty: every merchant ship counts."""
    return options[0]


def prey(board: Board, options: Sequence[Priority]) -> Priority | None:  # noqa: ARG001
    """Let the submarines go for merchants: Japan lives by them."""
    return next((one for one in options if one.what == "merchants"), options[0])


def duty(board: Board, options: Sequence[AssignSubs]) -> AssignSubs | None:  # noqa: ARG001
    """Send what has come against merchants."""
    able = [one for one in options if one.command == "merchants"]
    return max(able, key=lambda one: one.points, default=None)


def homeward(base: str) -> int:
    """Return the hexes from a base of bombers to the nearest location of the homeland."""
    if base == CHENGTU:
        return REACH
    homes = (one.hex for one in LOCATIONS.values() if one.homeland)
    return min(distance(LOCATIONS[base].hex, home) for home in homes)


def lift(board: Board, options: Sequence[LiftSBP]) -> LiftSBP | None:  # noqa: ARG001
    """Lift bombers from where they do not reach Japan."""
    able = [one for one in options if homeward(one.base) > REACH]
    return max(able, key=lambda one: (one.n, one.base), default=None)


def station(board: Board, options: Sequence[PlaceSBP]) -> PlaceSBP | None:  # noqa: ARG001
    """Place bombers as near to Japan as can be."""
    return min(options, key=lambda one: (homeward(one.base), one.base))


def raid(board: Board, options: Sequence[SendRaid]) -> SendRaid | None:  # noqa: ARG001
    """Raid Japan: with fire once it is allowed."""
    return min(options, key=lambda one: (MODES.index(one.mode), one.base))


def bombers(board: Board, options: Sequence[BombingPoints]) -> BombingPoints | None:  # noqa: ARG001
    """Send all there are."""
    return max(options, key=lambda one: one.points)


HOMEFRONT: Final[tuple[Judge[Board], ...]] = (
    judge(AssignSubs, duty),
    judge(AssignEscort, escort),
    judge(Priority, prey),
    judge(LiftSBP, lift),
    judge(PlaceSBP, station),
    judge(SendRaid, raid),
    judge(BombingPoints, bombers),
)
