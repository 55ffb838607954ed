"""P16.9 Divisions are broken down into three units, and recombined.

While it is broken down a division has no steps and is in no place, and so are its parts while it is whole.
Nobody is told: neither is a loss.
"""

from domain.pacific_war.board.boxes import travelling
from domain.pacific_war.board.charts import OWNERS, PARTS, share
from domain.pacific_war.board.table import Ground, Own, Sight, Table, stack_room
from domain.pacific_war.command.emergency import supported
from domain.pacific_war.command.links import supplied
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.intelligence import meet
from domain.pacific_war.months.desk import Desk

LEAST = 3
"""P16.9: steps of a division that can be broken down."""


def breakable(sight: Sight, desk: Desk) -> list[str]:
    """Return the divisions that can be broken down: inactive, unbroken, Linked, with 3 steps or more."""
    return [
        unit
        for unit, ground in sorted(sight.own.ground.items())
        if unit in PARTS
        and f"divided:{unit}" not in desk.done
        and ground.hex
        and ground.steps >= LEAST
        and not (ground.active or ground.broken or travelling(sight.own, unit))
        and (supplied(sight.own, sight.side, ground.hex) or supported(sight.open, sight.own, unit))
    ]


def recombinable(sight: Sight, desk: Desk) -> list[str]:
    """Return the divisions of which all living parts are in one hex, inactive and unbroken."""
    own = sight.own
    return [
        unit
        for unit in sorted(own.ground)
        if unit in PARTS and f"divided:{unit}" not in desk.done
        for parts in (living(own, unit),)
        if parts
        and parts[0].hex
        and len({part.hex for part in parts}) == 1
        and not any(part.active or part.broken for part in parts)
        and not any(travelling(own, part) for part in PARTS[unit])
    ]


def living(own: Own, unit: str) -> list[Ground]:
    """Return the parts of a division that have steps."""
    return [own.ground[part] for part in PARTS[unit] if part in own.ground and own.ground[part].steps]


def stacks(own: Own, hex: str) -> bool:
    """Return whether a hex has room for a step more (P2.7)."""
    return stack_room(own, hex) > 0


def break_down(table: Table, desk: Desk, unit: str) -> Desk:
    """Break a division down; its parts are where it was, and what it was."""
    own = table.own[OWNERS[unit]]
    whole = own.ground[unit]
    now = Changes(table, "broken down")
    now.troops(unit, hex="", steps=0)
    for n, part in enumerate(PARTS[unit]):
        steps = share(whole.steps, n)
        now.come(part, Ground(whole.hex, steps=steps, active=False, isolated=whole.isolated))
    now.record()
    meet(table, whole.hex)
    return desk.did(f"divided:{unit}")


def recombine(table: Table, desk: Desk, unit: str) -> Desk:
    """Make one unit of what is left of a division; it is Isolated if one of the parts was."""
    own = table.own[OWNERS[unit]]
    parts = living(own, unit)
    spot, steps = parts[0].hex, sum(part.steps for part in parts)
    now = Changes(table, "recombined")
    for part in PARTS[unit]:
        if own.ground[part].steps:
            now.troops(part, hex="", steps=0)
    now.troops(
        unit, hex=spot, steps=steps, active=False, broken=False, isolated=any(p.isolated for p in parts)
    )
    now.record()
    meet(table, spot)
    return desk.did(f"divided:{unit}")
