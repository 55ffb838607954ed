"""P0.4.1, P24.4 What becomes public, and what is hidden again."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.pacific_war.board.charts import OWNERS, SHIPS
from domain.pacific_war.board.table import (
    Own,
    Table,
    aboard,
    based,
    contested,
    enemy,
    groups_of,
    members,
    troops_in,
)
from domain.pacific_war.facts.changes import afloat, public, seen
from domain.pacific_war.facts.cycle import Covered, Found, OutOfSight, Shown, Struck


def show(
    table: Table,
    *,
    tfs: Iterable[str] = (),
    ships: Iterable[str] = (),
    air: Iterable[str] = (),
    ground: Iterable[str] = (),
) -> None:
    """Make units public that are not yet; a task force with all that is in it."""
    board = table.open
    forces, keels, wings, units = list(tfs), list(ships), list(air), list(ground)
    for tf in forces:
        own = table.own[board.tfs[tf].side]
        keels += members(own, tf)
        wings += groups_of(own, tf)
        units += aboard(own, members(own, tf))
    contents = {tf: table.own[board.tfs[tf].side].fleets[tf].ships for tf in forces}
    shown = Shown(
        {tf: one for tf, one in contents.items() if board.contents.get(tf) != one},
        {u: afloat(table.own[OWNERS[u]].ships[u]) for u in dict.fromkeys(keels) if u not in board.ships},
        {u: public(table.own[OWNERS[u]].air[u]) for u in dict.fromkeys(wings) if u not in board.air},
        {u: seen(table.own[OWNERS[u]].ground[u]) for u in dict.fromkeys(units) if u not in board.ground},
    )
    if shown != Shown():
        table.record(replace(shown, nodes={tf: board.tfs[tf].node for tf in shown.contents}))


def detect(table: Table, tf: str, why: str, rule: str) -> None:
    """Let a task force be Detected, with all that is in it."""
    if not table.open.tfs[tf].detected:
        table.record(Found(tf, why, rule))
        show(table, tfs=[tf])


def refresh(table: Table, tf: str) -> None:
    """Show what has come into a Detected task force."""
    if table.open.tfs[tf].detected:
        show(table, tfs=[tf])


def lose_sight(table: Table, tf: str) -> None:
    """Let a task force be Undetected, and hide all that is in it."""
    side = table.open.tfs[tf].side
    own, board = table.own[side], table.open
    inside = members(own, tf)
    table.record(OutOfSight(tf))
    covered = Covered(
        (tf,),
        tuple(ship for ship in inside if ship in board.ships),
        tuple(unit for unit in groups_of(own, tf) if unit in board.air),
        tuple(unit for unit in aboard(own, inside) if unit in board.ground),
    )
    table.record(covered)


def show_port(table: Table, location: str, side: int) -> None:
    """Show a side's inactive ships in a port that is struck, bombarded, fought in or captured (P0.4.1)."""
    _lay_open(table, location)
    show(table, ships=moored(table.own[side], location))


def show_base(table: Table, location: str, side: int, what: str) -> None:
    """Show what a strike or a bombardment of a base lays open (P0.4.1); `what` is its airbase or its port.

    Aircraft are shown on either, since a base is a port or an airbase (P2.3); ships only if it is the port.
    """
    _lay_open(table, location)
    own = table.own[side]
    show(table, air=based(own, location), ships=moored(own, location) if what == "port" else ())


def _lay_open(table: Table, location: str) -> None:
    if location not in table.open.struck:
        table.record(Struck(location))


def moored(own: Own, location: str) -> list[str]:
    """Return the own inactive ships in a port."""
    return [ship for ship, one in own.ships.items() if one.port == location]


def show_troops(table: Table, hex: str, side: int) -> None:
    """Show a side's ground units in a hex."""
    show(table, ground=troops_in(table.own[side], hex))


def meet(table: Table, hex: str) -> None:
    """Show the ground units of both sides where they have met."""
    if contested(table.open, hex):
        for side in (0, 1):
            show_troops(table, hex, side)


def cover_bases(table: Table) -> None:
    """Hide what is in ports and on airbases again, with the next cycle or with the Operation (P5.2.A, P5.3).

    Left are the ships of Detected task forces, and the groups aboard them.
    """
    board = table.open
    seen = {ship for ship, one in board.ships.items() if one.tf}
    wings = [unit for unit, one in board.air.items() if one.home not in seen]
    gone = Covered(
        ships=tuple(ship for ship in board.ships if ship not in seen),
        air=tuple(sorted(wings, key=lambda unit: board.air[unit].home in SHIPS)),  # those ashore first
    )
    if gone != Covered():
        table.record(gone)


def cover_troops(table: Table) -> None:
    """Hide ground units where there is no enemy ground unit, except those in sight aboard (P5.2.N)."""
    board = table.open
    gone = [
        unit
        for unit, one in board.ground.items()
        if not one.steps
        or (one.hex and one.hex not in board.troops[enemy(OWNERS[unit])])
        or (not one.hex and not any(ship in board.ships for ship in one.aboard))
    ]
    if gone:
        table.record(Covered(ground=tuple(gone)))
