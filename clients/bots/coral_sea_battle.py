"""Coral Sea for a bot: battles, and what comes of them: chits, losses, retreats, refuge (C12, C13, C16)."""

from collections.abc import Sequence
from typing import Final, TypeVar

from clients.bots.coral_sea_board import Board, might
from clients.bots.judges import Judge, judge
from domain.coral_sea.decisions import ChooseUnit, LoseUnit, PlayChit, RetreatTo, TakeRefuge

Loss = TypeVar("Loss", ChooseUnit, LoseUnit)

CHITS: Final = {
    "Night Battle": 5.0,
    "Long Lance": 4.5,
    "Torpedoes": 4.5,
    "Air Strike": 4.4,
    "Shore Bombardment": 4.2,
    "Bombardment": 4.0,
    "Ambush": 4.0,
    "Bunkers": 3.5,
    "Assault": 3.0,
    "Gunnery": 3.0,
    "Close Combat": 2.5,
    "Might of Will": 2.0,
    "Poor Coordination": 0.0,
}

OF_A_CHIT: Final = "C12.8"
ABOARD: Final = "C10.11"
AUTOMATIC: Final = "might_of_will"
"""The chit that depletes one of our own without a check (C12.10)."""
GUNNERY: Final = "gunnery"
GUNNERY_ELSE: Final = 2
"""What Gunnery adds to the check of all but heavy ships (C12.18)."""


def chit(board: Board, options: Sequence[PlayChit]) -> PlayChit | None:
    """Play what hurts the enemy most and ourselves least."""
    names = {held.id: held.name for held in board.chits}
    return max(options, key=lambda option: CHITS.get(names[option.chit], 1.0))


def victim(board: Board, options: Sequence[ChooseUnit]) -> ChooseUnit | None:
    """Of our own let the steadiest check, of the enemy's the shakiest; without a check the least is lost."""
    if board.units[options[0].unit].side != board.side:
        return min(options, key=lambda option: steadiness(board, option.unit))
    if board.rule == ABOARD or revealed(board, AUTOMATIC):
        return least(board, options)
    return max(options, key=lambda option: steadiness(board, option.unit))


def steadiness(board: Board, name: str) -> tuple[float, float]:
    """Return how well a unit stands a check: its cohesion here, and how little it costs if it fails."""
    unit = board.units[name]
    harder = GUNNERY_ELSE if revealed(board, GUNNERY) and unit.type != "HS" else 0
    return unit.cohesion - 2 * unit.depleted - harder, -unit.points


def least(board: Board, options: Sequence[Loss]) -> Loss | None:
    """Give up what is worth least; in a battle one that is not depleted yet, for it stays (C12.11)."""

    def price(option: Loss) -> tuple[bool, float]:
        unit = board.units[option.unit]
        return board.rule == OF_A_CHIT and unit.depleted, might([unit])

    return min(options, key=price)


def revealed(board: Board, chit: str) -> bool:
    """Return whether it is this chit that asks for a unit."""
    shown = board.battle.revealed if board.battle else None
    return board.rule == OF_A_CHIT and shown is not None and shown.chit.endswith(chit)


def retreat(board: Board, options: Sequence[RetreatTo]) -> RetreatTo | None:
    """Go where friends and resource points are."""
    return max(
        options,
        key=lambda o: (
            2 * (board.areas[o.area].control == board.side)
            + len(board.at(o.area, ours=True))
            + board.rp.get(o.area, 0)
        ),
    )


def refuge(board: Board, options: Sequence[TakeRefuge]) -> TakeRefuge | None:
    """Go inside if the enemy outside is stronger."""
    area = board.units[options[0].unit].area
    outside = might([board.units[option.unit] for option in options])
    return options[0] if might(board.at(area, ours=False, domain="ground")) > outside else None


FIGHTING: Final[tuple[Judge[Board], ...]] = (
    judge(PlayChit, chit),
    judge(ChooseUnit, victim),
    judge(LoseUnit, least),
    judge(RetreatTo, retreat),
    judge(TakeRefuge, refuge),
)
