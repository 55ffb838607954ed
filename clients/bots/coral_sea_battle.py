"""Coral Sea for a bot: battles, and what comes of them: chits, losses, retreats, refuge (C12, C13, C16)."""

from random import Random
from typing import Final

from clients.bots.coral_sea_board import Board, Judge, Option, might

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


def chit(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Play what hurts the enemy most and ourselves least."""
    names = {held["id"]: held["name"] for held in board.table["own"]["chits"]}
    return max(options, key=lambda option: CHITS.get(names[option["chit"]], 1.0))


def victim(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Of our own let the steadiest check, of the enemy's the shakiest; losses go to the least."""

    def steadiness(option: Option) -> tuple[float, float]:
        unit = board.units[option["unit"]]
        return unit.get("cohesion", 0) - 2 * bool(unit.get("depleted")), -unit["points"]

    ours = board.units[options[0]["unit"]]["side"] == board.side
    return max(options, key=steadiness) if ours else min(options, key=steadiness)


def retreat(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Go where friends and resource points are."""
    return max(
        options,
        key=lambda o: (
            2 * (board.areas[o["area"]].get("control") == board.side)
            + len(board.at(o["area"], ours=True))
            + board.rp.get(o["area"], 0)
        ),
    )


def refuge(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Go inside if the enemy outside is stronger."""
    area = board.units[options[0]["unit"]]["area"]
    outside = might([board.units[option["unit"]] for option in options])
    return options[0] if might(board.at(area, ours=False, domain="ground")) > outside else None


FIGHTING: Final[dict[str, Judge]] = {
    "play_chit": chit,
    "choose_unit": victim,
    "retreat_to": retreat,
    "take_refuge": refuge,
}
