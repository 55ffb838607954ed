"""P28.11 Supply missions: transport aircraft bring to a place what an emergency link would (P11.7).

Nobody interferes (R-13), so there is no die: the unit flies, and its steps are used. Deliberately absent:
what the support is good for (`command.emergency`), and its end (`months.isolation`).
"""

from collections.abc import Mapping

from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.table import Open, Own, Table, air_class, flies, launch_limit
from domain.pacific_war.command.emergency import KINDS
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.fighting import TookOff
from domain.pacific_war.facts.happenings import SuppliesFlown
from domain.pacific_war.facts.intelligence import show
from domain.pacific_war.facts.months import MeansAre


def carriers(open: Open, own: Own, launched: Mapping[str, int]) -> list[str]:
    """Return the air units that may fly a supply mission, by id: in campaigns alone.

    All steps of a unit take off, within the launch limit of its airbase; one ready step is enough.
    """
    if not open.war:
        return []
    return [
        unit
        for unit, air in sorted(own.air.items())
        if air_class(unit).kind == "TR"
        and air.home in LOCATIONS
        and air.ready
        and air.active
        and not air.isolated
        and flies(open, own, unit)
        and launched.get(air.home, 0) + air.steps <= launch_limit(open, air.home)
    ]


def goals(open: Open, own: Own, side: int, unit: str) -> list[str]:
    """Return the hexes that an air unit can bring supply to: with own ground units or an own base."""
    here = LOCATIONS[own.air[unit].home].hex
    bases = {
        LOCATIONS[place].hex
        for place, base in open.bases.items()
        if base.control == side and (base.airbase or base.port)
    }
    near = bases | set(open.troops[side])
    return sorted(spot for spot in near if spot != here and distance(spot, here) <= KINDS["air"].reach)


def fly(table: Table, side: int, unit: str, hex: str) -> None:
    """Let an air unit bring supply to a hex: it supports 3 ground steps more there."""
    own, steps = table.own[side], KINDS["air"].steps
    home, flown = own.air[unit].home, own.air[unit].steps
    now = Changes(table, "brings supply")
    now.aircraft(unit, ready=0)
    now.record()
    show(table, air=[unit])
    table.record(TookOff(side, {unit: flown}, home))
    total = own.means.supplied.get(hex, 0) + steps
    table.record(MeansAre(side, supplied={hex: total}, why="supply is flown in"))
    table.record(SuppliesFlown(unit, side, hex, steps))
