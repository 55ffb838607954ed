"""P34 Special submarines in an Operation: they move, they are hunted, and their aircraft strike."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from domain.kernel.facts import Padding
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask
from domain.pacific_war.battle.air_combat import base_flak, guns
from domain.pacific_war.battle.bombing import hit_airbase, hit_port
from domain.pacific_war.battle.losses import inflict
from domain.pacific_war.battle.missions import objectives, place_hex
from domain.pacific_war.battle.seaplane_bases import close_base
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import BOATS, NIGHT, TABLES
from domain.pacific_war.board.combat import dated, uct
from domain.pacific_war.board.special_boats import HITS, boats, hunting, meetings, reach, together, turn
from domain.pacific_war.board.table import Open, Own, Sight, Table, enemy, members, value
from domain.pacific_war.decisions.cycle import Pass, SailTo
from domain.pacific_war.decisions.special_boats import HuntSubmarine, STOStrike
from domain.pacific_war.facts.intelligence import show_base
from domain.pacific_war.facts.months import war
from domain.pacific_war.facts.special_boats import BoatHunted, BoatIs

HUNTED = -2
STRENGTH: int = TABLES["options"]["sto"]["strike_strength"]
RANGE = 2
"""P34.2: hexes to what it strikes, at most."""


class BoatSails(Procedure):
    """P34.1 A SPECIAL SUBMARINE MOVES."""

    side: int
    piece: str
    most: int
    """Nodes."""

    @ask("34.1", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose where the submarine goes."""
        return [SailTo(node) for node in reach(sight.open, self.piece, self.most)]

    @where.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        if not war(sight.open).special[self.piece].base:
            return f"Choose where [{self.piece}] goes."
        return f"Choose where [{self.piece}] goes. It gives up its seaplane base, and who is there flies off."

    @where.chosen
    def _(self, table: Table, decision: SailTo) -> Flow:
        if war(table.open).special[self.piece].base:
            close_base(table, self.piece, harmed=False)
        boat = war(table.open).special[self.piece]
        now = replace(boat, node=decision.node, moved=turn(table.open))
        table.record(BoatIs(self.piece, now, "has moved"))
        return DONE


class Hunt(Procedure):
    """P34.1 DESTROYERS HUNT SPECIAL SUBMARINES, ONCE A PHASE AND HEX."""

    side: int
    left: tuple[str, ...]
    """Pieces that share a hex with a task force of the side."""

    @ask("34.1", by="side")
    def hunt(self, sight: Sight) -> list[Decision]:
        """Hunt the submarine with a task force, or pass.

        Who has neither destroyers nor light cruisers there is asked too, since the other side sees who is.
        Who lets one submarine go may hunt another in its hex (R-120).
        """
        if not self.left:
            return []
        forces = hunting(sight.open, sight.own, self.side, self.left[0])
        return [*map(HuntSubmarine, forces), Pass()]

    @hunt.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        if len(options) == 1:
            return f"[{self.left[0]}] is in the hex of a task force that cannot hunt it: pass."
        return f"Choose the task force that hunts [{self.left[0]}], or pass."

    @hunt.chosen
    def _(self, table: Table, decision: HuntSubmarine | Pass) -> Flow:
        piece, self.left = self.left[0], self.left[1:]
        if isinstance(decision, HuntSubmarine):
            self.left = tuple(one for one in self.left if not together(table.open, one, piece))
            attack(table, self.side, decision.tf, piece)
        return self.hunt


def hunt(open: Open) -> Hunt | None:
    """Return the hunt at the end of a movement phase, if there may be one."""
    for side in (0, 1):
        if found := meetings(open, side):
            return Hunt(side=side, left=tuple(found))
    return None


def attack(table: Table, side: int, tf: str, piece: str) -> None:
    """Let a task force hunt a special submarine: at most 1 hit, and the die is unseen (P34.1)."""
    board, own = table.open, table.own[side]
    strength = sum(value(board, ship, own.ships[ship].damage, "asw") for ship in members(own, tf))
    if not strength:
        table.record(Padding())
    shifts = [("ASW", HUNTED)]
    hit = uct(table, "anti-submarine attack", strength, shifts, by=side, subject=piece, unseen=True) > 0
    table.record(BoatHunted(piece, side, hit))
    if hit:
        boat = war(board).special[piece]
        sunk = boat.hits + 1 >= HITS
        if sunk and boat.base:
            close_base(table, piece, harmed=True)
        boat = replace(boat, hits=boat.hits + 1, base=boat.base and not sunk)
        table.record(BoatIs(piece, boat, "is sunk" if sunk else "is damaged"))


def strikes(open: Open, own: Own, side: int) -> list[STOStrike]:
    """Return the strikes that special submarines can send out: not at Night, once an Operation (P34.2)."""
    if not open.war or open.lighting == NIGHT:
        return []
    return [
        one
        for piece, boat in boats(open, side).items()
        if BOATS[piece] == "sto" and piece in own.means.roused and boat.struck != open.war.operations
        for one in _targets(open, side, piece, boat.node)
    ]


def _targets(open: Open, side: int, piece: str, node: str) -> list[STOStrike]:
    near = [
        STOStrike(piece, "strike_tf", ship)
        for tf in objectives(open, side, "strike_tf")
        if distance(node, place_hex(open, tf)) <= RANGE and tf in open.contents
        for ship in sorted(open.contents[tf].ships)
    ]
    ashore: tuple[Literal["strike_port", "strike_airbase"], ...] = ("strike_port", "strike_airbase")
    near += [
        STOStrike(piece, kind, place)
        for kind in ashore
        for place in objectives(open, side, kind)
        if distance(node, place_hex(open, place)) <= RANGE
    ]
    return near


def strike(table: Table, side: int, order: STOStrike) -> None:
    """Let the aircraft of a special submarine strike: one hit of half the flak, and nothing comes of it."""
    board, foe, target = table.open, enemy(side), order.target
    boat = replace(war(board).special[order.piece], struck=war(board).operations)
    table.record(BoatIs(order.piece, boat, f"sends its aircraft against [{target}]"))
    if order.kind == "strike_tf":
        theirs = table.own[foe]
        shot_at = theirs.ships[target].tf
        flak = guns(board, theirs, members(theirs, shot_at))
    else:
        show_base(table, target, foe, "port" if order.kind == "strike_port" else "airbase")
        shot_at, flak = target, base_flak(board, target, foe)
    dates = [("flak of the time", dated(board, "flak_shift", foe))]
    if uct(table, "flak", flak // 2, dates, by=foe, subject=shot_at):
        return
    hits = uct(table, "air attack", STRENGTH, (), by=side, subject=target)
    if not hits:
        return
    match order.kind:
        case "strike_tf":
            inflict(table, {target: hits})
        case "strike_port":
            hit_port(table, target, hits)
        case "strike_airbase":
            hit_airbase(table, target, foe, hits, (hits + 1) // 2, "in an air strike")
