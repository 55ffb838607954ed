"""P2.6 Air units that have to leave their base."""

from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import AIR_ROOM, LOCATIONS
from domain.pacific_war.board.table import Table, air_class, base_hex, based
from domain.pacific_war.facts.changes import Changes


def drive_out(table: Table, side: int, home: str, *, harmed: bool = True) -> None:
    """Let the air units of a side leave a base; if harmed, half their steps are lost (P2.6)."""
    own = table.own[side]
    for unit in based(own, home):
        if harmed:
            now = Changes(table, "driven out")
            now.lose_air(unit, (own.air[unit].steps + 1) // 2, "on the ground", of="ready")
            now.record()
        if own.air[unit].steps:
            _flee(table, unit, side, base_hex(table.open, home))


def _flee(table: Table, unit: str, side: int, here: str) -> None:
    """Let an air unit ferry to the nearest own airbase with room within its range, else it is lost."""
    own = table.own[side]
    fields = [
        (distance(here, LOCATIONS[other].hex), other)
        for other, base in table.open.bases.items()
        if base.control == side
        and len(based(own, other)) < AIR_ROOM[base.airbase]
        and distance(here, LOCATIONS[other].hex) <= air_class(unit).range
    ]
    now = Changes(table, "driven out")
    if fields:
        now.aircraft(unit, home=min(fields)[1], ready=0, cap=0)
    else:
        now.lose_air(unit, own.air[unit].steps, "on the ground")
    now.record()
