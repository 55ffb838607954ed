"""P34.1 Seaplane bases: a special submarine opens one where it is, and it is gone with the submarine.

The base is the submarine, which is the home of the LRA unit there. Nobody else uses it, and nothing is built,
damaged or held with it (R-122).
"""

from msgspec.structs import replace

from domain.pacific_war.battle.driven_out import drive_out
from domain.pacific_war.board.special_boats import owner, seaplane_bases, sites
from domain.pacific_war.board.table import Table, enemy
from domain.pacific_war.facts.months import war
from domain.pacific_war.facts.special_boats import BoatIs


def open_base(table: Table, side: int, hex: str) -> None:
    """Let a special submarine open its seaplane base in a hex."""
    piece = sites(table.open, table.own[side], side)[hex]
    boat = war(table.open).special[piece]
    table.record(BoatIs(piece, replace(boat, base=True), "opens a seaplane base"))


def close_base(table: Table, piece: str, *, harmed: bool) -> None:
    """Let the air unit of a seaplane base leave it, and the base be gone (R-123)."""
    boat = war(table.open).special[piece]
    table.record(BoatIs(piece, replace(boat, base=False), "gives up its seaplane base"))
    drive_out(table, owner(piece), piece, harmed=harmed)


def overrun(table: Table) -> None:
    """Let seaplane bases be given up in whose hex the enemy has ground units (R-123)."""
    for side in (0, 1):
        for piece, spot in seaplane_bases(table.open, side).items():
            if spot in table.open.troops[enemy(side)]:
                close_base(table, piece, harmed=True)
