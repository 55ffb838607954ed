"""P29.3 Bombardment of what is ashore."""

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.battle.bombing import hit_airbase, hit_fort, hit_port, hit_troops
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.board.atlas import kind
from domain.pacific_war.board.charts import TABLES
from domain.pacific_war.board.combat import uct
from domain.pacific_war.board.table import (
    Open,
    Own,
    Sight,
    Table,
    enemy,
    fleet_hex,
    fort,
    location_of,
    members,
    value,
)
from domain.pacific_war.decisions.cycle import Bombard, Pass
from domain.pacific_war.facts.cycle import Busy
from domain.pacific_war.facts.intelligence import detect, show_base, show_troops

SHIFT: dict[str, int] = TABLES["bombardment"]["shift"]
REPLY = 3
"""P29.3: the strength with which each level of a fort replies."""


def marks(open: Open, hex: str, side: int) -> list[str]:
    """Return what a side may bombard in a hex, in the order of P29.3."""
    foe, place = enemy(side), location_of(hex)
    base = open.bases.get(place)
    there = ["ground"] if hex in open.troops[foe] else []
    if base and base.control == foe:
        there += [what for what in ("airbase", "port", "fort") if getattr(base, what)]
    return there


def bombarding(open: Open, side: int, done: tuple[str, ...]) -> list[str]:
    """Return the task forces of a side that lie off something to bombard, by id: all this is public.

    Their player chooses the order, also from hex to hex (P5.2).
    """
    return [
        tf
        for tf in sorted(open.tfs)
        if open.tfs[tf].side == side
        and tf not in done
        and not open.tfs[tf].fought
        and kind(fleet_hex(open, tf)) == "h"
        and marks(open, fleet_hex(open, tf), side)
    ]


def broadside(open: Open, own: Own, tf: str) -> int:
    """Return the guns of an own task force."""
    return sum(value(open, ship, own.ships[ship].damage, "gun") for ship in members(own, tf))


class Bombardment(Procedure):
    """P29.3 A SIDE BOMBARDS."""

    side: int
    done: tuple[str, ...] = ()

    @ask("29.3", by="side")
    def choose(self, sight: Sight) -> list[Decision]:
        """Bombard with a task force, or pass; who passes bombards no more."""
        board = sight.open
        forces = bombarding(board, self.side, self.done)
        options: list[Decision] = [
            Bombard(tf, what)  # type: ignore[arg-type]
            for tf in forces
            if broadside(board, sight.own, tf)
            for what in marks(board, fleet_hex(board, tf), self.side)
        ]
        return [*options, Pass()] if forces else []

    @choose.chosen
    def _(self, table: Table, decision: Bombard | Pass) -> Flow:
        if isinstance(decision, Pass):
            return DONE
        self.done += (decision.tf,)
        bombard(table, self.side, decision.tf, decision.target)
        return self.choose

    @step("29.3")
    def over(self, _table: Table) -> None:
        """Nothing is left to bombard with."""


def bombard(table: Table, side: int, tf: str, what: str) -> None:
    """Let a task force bombard; the fort replies first (P29.3)."""
    board, foe = table.open, enemy(side)
    spot = fleet_hex(board, tf)
    place = location_of(spot)
    detect(table, tf, "by its bombardment", "24.3")
    table.record(Busy((tf,)))
    if what == "ground":
        show_troops(table, spot, foe)
    elif what in ("airbase", "port"):
        show_base(table, place, foe, what)
    for _ in range(fort(board, spot, foe)):
        if tf in board.tfs:
            _reply(table, side, tf)
    if tf not in board.tfs:
        return
    shifts = [("such a target", SHIFT[what]), ("fort", -((fort(board, spot, foe) + 1) // 2))]
    strength = broadside(board, table.own[side], tf)
    hits = uct(table, "bombardment", strength, shifts, by=side, subject=place or tf)
    match what:
        case "ground":
            hit_troops(table, spot, foe, hits)
        case "airbase":
            hit_airbase(table, place, foe, hits, hits, "in a bombardment")
        case "port":
            hit_port(table, place, hits)
        case "fort":
            hit_fort(table, place, hits // 2)


def _reply(table: Table, side: int, tf: str) -> None:
    """Let a level of a fort fire at the ship with most guns as they are now, ties by id."""
    board, own = table.open, table.own[side]
    ship = min(members(own, tf), key=lambda one: (-value(board, one, own.ships[one].damage, "gun"), one))
    hits = uct(table, "the fort replies", REPLY, (), by=enemy(side), subject=ship)
    inflict(table, {ship: hits})
