"""P30 Demolition before the enemy comes, and of what he has left unguarded."""

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.atlas import beside
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.table import Open, Own, Sight, Table, enemy, location_of, troop, troops_in
from domain.pacific_war.decisions.cycle import OBJECTS, Demolish, Object, Pass
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.facts.intelligence import show

MOST_RESOURCE = 2
OWN: tuple[Object, ...] = ("airbase", "port", "osb", "command", "resource")
"""P30.1: what can be blown up of a side's own, in this order."""
ENEMY: tuple[Object, ...] = ("osb", "command")
"""P30.1: what can be blown up of the enemy's."""


def threatened(open: Open, side: int) -> list[str]:
    """Return a side's locations with ground units of its own and enemy ones in or beside the hex, by id."""
    foe = enemy(side)
    return [
        place
        for place in sorted(open.bases)
        if open.bases[place].control == side
        and LOCATIONS[place].hex in open.troops[side]
        and any(spot in open.troops[foe] for spot in (LOCATIONS[place].hex, *beside(LOCATIONS[place].hex)))
    ]


def unguarded(open: Open, side: int) -> list[str]:
    """Return the enemy's locations with a marker and with ground units of a side alone, by id."""
    foe = enemy(side)
    return [
        place
        for place, base in sorted(open.bases.items())
        if base.control == foe
        and (base.osb or base.command)
        and LOCATIONS[place].hex in open.troops[side]
        and LOCATIONS[place].hex not in open.troops[foe]
    ]


def demolitions(open: Open, own: Own, side: int, done: tuple[str, ...]) -> list[Demolish]:
    """Return what unbroken ground units can blow up (P30.1); each tries once a phase."""
    objects = dict.fromkeys(threatened(open, side), OWN) | dict.fromkeys(unguarded(open, side), ENEMY)
    return [
        Demolish(unit, what)
        for place in sorted(objects)
        for unit in troops_in(own, LOCATIONS[place].hex)
        if unit not in done and not own.ground[unit].broken
        for what in objects[place]
        if _stands(open, place, what)
    ]


def _stands(open: Open, place: str, what: Object) -> bool:
    base = open.bases[place]
    if what == "resource":
        return LOCATIONS[place].resource and not base.resource_damage
    return bool(getattr(base, what))


class Demolition(Procedure):
    """P30 A SIDE BLOWS UP ITS BASES."""

    side: int
    done: tuple[str, ...] = ()

    @ask("30.1", by="side")
    def choose(self, sight: Sight) -> list[Decision]:
        """Try to destroy something of your own before the enemy has it, or what he has left; or pass."""
        board = sight.open
        options = demolitions(board, sight.own, self.side, self.done)
        return [*options, Pass()] if threatened(board, self.side) or unguarded(board, self.side) else []

    @choose.chosen
    def _(self, table: Table, decision: Demolish | Pass) -> Flow:
        if isinstance(decision, Pass):
            return DONE
        self.done += (decision.unit,)
        demolish(table, self.side, decision)
        return self.choose

    @step("30.1")
    def over(self, _table: Table) -> None:
        """Nothing is left to blow up."""


def demolish(table: Table, side: int, decision: Demolish) -> None:
    """Let a ground unit try: a face up to its TQ succeeds, an engineer does twice as much (P30.1)."""
    unit = troop(table.open, decision.unit)
    place = location_of(table.own[side].ground[unit.id].hex)
    show(table, ground=[unit.id])
    face = d10(table, "demolition", by=side, target=f"{unit.tq} or less", subject=unit.id)
    if face > unit.tq:
        return
    levels = 2 if "engineer" in unit.flags else 1
    base = table.open.bases[place]
    if decision.what == "resource":
        installations(table, place, "burns", resource_damage=min(MOST_RESOURCE, levels))
    elif decision.what in ENEMY:
        installations(table, place, f"loses {OBJECTS[decision.what]}", **{decision.what: False})
    elif decision.what == "airbase":
        size = max(0, base.airbase - levels)
        installations(
            table, place, "is demolished", airbase=size, airbase_damage=min(size, base.airbase_damage)
        )
    else:
        size = max(0, base.port - levels)
        installations(table, place, "is demolished", port=size, port_damage=min(size, base.port_damage))
