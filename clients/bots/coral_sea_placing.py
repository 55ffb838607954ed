"""Coral Sea for a bot: what a card brings and where to, and whom it strikes (C15, C21, C24)."""

from random import Random
from typing import Final

from clients.bots.coral_sea_board import Board, Judge, Option, might


def place_rp(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Put resource points where ships and troops wait for them."""
    return max(options, key=lambda o: len(board.at(o["area"], ours=True)) - 3 * board.rp.get(o["area"], 0))


def place_units(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Bring troops as near to the goals as may be."""
    return max(options, key=lambda option: board.pull(option["area"], 15.0, by_sea=True))


def enter(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Let the fleet appear where the enemy's ships are near."""
    fleet = [u["area"] for u in board.theirs.values() if u["domain"] == "naval"]
    return min(options, key=lambda o: min((board.far(o["area"]).get(a, 99) for a in fleet), default=0))


def strike(board: Board, options: list[Option], random: Random) -> Option | None:  # noqa: ARG001
    """Attack from the air where the most can be lost."""
    return max(
        options, key=lambda option: sum(u["points"] + 1 for u in board.at(option["area"], ours=False)[:2])
    )


PLACING: Final[dict[str, Judge]] = {
    "place_rp": place_rp,
    "place_units_at": place_units,
    "place_unit_at": place_units,
    "truk_entry": enter,
    "remove_unit": lambda b, o, _r: min(o, key=lambda x: might([b.units[x["unit"]]])),
    "target_area": strike,
    "target_unit": lambda b, o, _r: min(o, key=lambda x: b.units[x["unit"]]["cohesion"]),
}
