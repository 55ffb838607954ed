"""P23.4, P23.5 Contact movement: the Operation player's days at sea, and the Reaction player's answer."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.battle.missions import destinations, ferrying
from domain.pacific_war.battle.movement import Sail, at_once, marches, reach, searchers
from domain.pacific_war.battle.search import meetings_in_contact, search
from domain.pacific_war.battle.sequence import enter
from domain.pacific_war.battle.special_boats import BoatSails, hunt
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.campaigns import MONTH_BEGIN, SPACES
from domain.pacific_war.board.charts import LOCATIONS, TABLES
from domain.pacific_war.board.special_boats import movable, sites
from domain.pacific_war.board.table import Open, Own, Sight, Table, at_base, enemy, spent
from domain.pacific_war.board.weather import slowed
from domain.pacific_war.command.costs import reaction_hexes
from domain.pacific_war.decisions.choices import Continue, EndContact, EndDay, Ferry, ForceEnd, StandingOrder
from domain.pacific_war.decisions.cycle import CommitSearch, Done, MoveGround, MoveTF, Pass, Target
from domain.pacific_war.decisions.special_boats import MoveBoat, OpenSeaplaneBase
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.means import CONDITIONS
from domain.pacific_war.facts.months import (
    DayIs,
    MeansAre,
    OperationIs,
    SearchesMade,
    under_way,
    war,
)
from domain.pacific_war.facts.silence import cushion, sealed
from domain.pacific_war.facts.wording import hexes
from domain.pacific_war.month import MonthEnd

HEXES: int = TABLES["contact"]["hexes_per_day"]
DAYS: int = TABLES["contact"]["max_days"]
MARCH_EVERY: int = TABLES["contact"]["ground_hex_every_days"]
MARCH_FROM = 6
"""P23.5.1: ground units move if the task forces may move so many hexes, or more."""
ORDERS = (0, 3, 6, 10)
"""P0.9.5: hexes of a standing order."""
FORCES_WITHIN = {"S": 3, "A": 6}
"""P22: hexes to a Reaction location or task force at which the end can be forced."""


def ready(table: Table, side: int, *, a_day: bool = False) -> None:
    """Let everything of a side move anew; groups of both sides that have searched search no more.

    A task force that begins `a_day` of contact in foul weather goes a hex less (P6.3).
    """
    own, before = table.own[side], sealed(table)
    now = Changes(table, "ready to move")
    for tf, fleet in own.fleets.items():
        used = slowed(table.open, table.open.tfs[tf].node) if a_day else 0
        if fleet.used != used or fleet.stopped:
            now.fleet(tf, used=used, stopped=False)
    for unit, ground in own.ground.items():
        if ground.moved:
            now.troops(unit, moved=False)
    for one in table.own:
        for unit, air in one.air.items():
            if air.searching:
                now.aircraft(unit, searching=False)
    now.record()
    cushion(table, before, 2)


def moves(open: Open, own: Own, side: int, most: int, ferried: Sequence[str]) -> list[Decision]:
    """Return what may move: task forces `most` hexes in all, air units that have not ferried, searches."""
    options: list[Decision] = []
    if most:
        options += [MoveTF(tf) for tf in sorted(own.fleets) if reach(open, own, tf, most)]
    options += [
        Ferry(unit)
        for unit in ferrying(open, own)
        if at_base(own.air[unit].home) and unit not in ferried and airfields(open, own, side, unit)
    ]
    if most:
        options += map(MoveBoat, movable(open, own, side))
    options += map(OpenSeaplaneBase, sites(open, own, side))
    return [*options, *searchers(open, own)]


def airfields(open: Open, own: Own, side: int, unit: str) -> list[str]:
    """Return the bases that an air unit can ferry to (P23.4), by id."""
    return [place for place in destinations(open, own, side, unit) if at_base(place)]


def enemy_near(open: Open, side: int, most: int) -> bool:
    """Return whether an enemy task force is within so many hexes of a location or task force of a side."""
    here = [LOCATIONS[place].hex for place, base in open.bases.items() if base.control == side]
    here += [force.node[:4] for force in open.tfs.values() if force.side == side]
    return any(
        distance(force.node[:4], spot) <= most
        for force in open.tfs.values()
        if force.side != side
        for spot in here
    )


def detected_near(open: Open, side: int, most: int) -> bool:
    """Return whether a Detected enemy task force is within so many hexes of what a side has."""
    seen = replace(open, tfs={tf: f for tf, f in open.tfs.items() if f.detected or f.side == side})
    return enemy_near(seen, side, most)


def may_force(open: Open, own: Own, side: int) -> bool:
    """Return whether the Reaction player may force the end (P22), by his Condition."""
    seen = any(force.detected for force in open.tfs.values() if force.side != side)
    match own.means.condition:
        case "S":
            return seen and detected_near(open, side, FORCES_WITHIN["S"])
        case "A":
            return seen or enemy_near(open, side, FORCES_WITHIN["A"])
    return seen


def passes(open: Open, own: Own, side: int) -> bool:
    """Return whether a standing order passes for the Reaction player (P0.9.5)."""
    order = own.means.order
    return order >= 0 and not (order and detected_near(open, side, order))


def asking_on(sight: Sight, side: int, options: Sequence[Decision], most: int) -> list[Decision]:
    """Return the decisions that only ask another: moves of up to so many hexes with a choice of where to."""
    board, own = sight.open, sight.own
    return [
        one
        for one in options
        if isinstance(one, MoveBoat)
        or (isinstance(one, Ferry) and len(airfields(board, own, side, one.air)) > 1)
        or (isinstance(one, MoveTF) and len(reach(board, own, one.tf, most)) > 1)
    ]


class Ferrying(Procedure):
    """P23.4 AN AIR UNIT FERRIES IN A CONTACT PHASE."""

    side: int
    unit: str

    @ask("23.4", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose where the air unit flies to."""
        return [Target(place) for place in airfields(sight.open, sight.own, self.side, self.unit)]

    @where.chosen
    def _(self, table: Table, decision: Target) -> Flow:
        now = Changes(table, "ferried")
        now.aircraft(self.unit, home=decision.target)
        now.record()
        return DONE


def look(table: Table) -> None:
    """Let both sides search, Japan first (P24.1)."""
    for side in (0, 1):
        search(table, side)
    meetings_in_contact(table)
    table.record(SearchesMade())


class Contact(Procedure):
    """P23.4 THE OPERATION PLAYER MOVES, DAY BY DAY."""

    side: int
    day: int = 0
    ferried: tuple[str, ...] = ()
    moving: bool = False

    @step("23.4")
    def dawn(self, table: Table) -> None:
        """Another day: task forces may sail again."""
        self.day += 1
        ready(table, self.side, a_day=True)

    @ask("23.4", by="side")
    def act(self, sight: Sight) -> list[Decision]:
        """Move task forces and other units, then end the day."""
        board, own = sight.open, sight.own
        options = moves(board, own, self.side, HEXES, self.ferried)
        if self.day % MARCH_EVERY == 0:
            options = [*options, *marches(board, own)]
        return [*options, EndDay(), *([EndContact()] if self.day == 1 else [])]

    @act.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        first = ", or end the contact movement at once" if self.day == 1 else ""
        return f"Day {self.day}: move task forces up to {hexes(HEXES)}, then end the day{first}."

    @act.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return asking_on(sight, self.side, options, HEXES)

    @act.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        match decision:
            case MoveTF(tf):
                self.moving = True
                return Sail(side=self.side, tf=tf, most=HEXES)
            case MoveBoat(piece):
                self.moving = True
                return BoatSails(side=self.side, piece=piece, most=HEXES)
            case Ferry(unit):
                self.moving = True
                self.ferried += (unit,)
                return Ferrying(side=self.side, unit=unit)
            case MoveGround() | CommitSearch() | OpenSeaplaneBase():
                at_once(table, self.side, decision)
                return self.act
            case EndContact():
                return self.over
        return None

    @step("23.4")
    def again(self, _table: Table) -> Flow:
        """Go on until the day is ended."""
        moved, self.moving = self.moving, False
        return self.act if moved else None

    @step("23.4")
    def dusk(self, table: Table) -> Flow:
        """Move the day marker and the ONM marker; entering Month Begin ends the month (P5.4.1 a)."""
        board, operation = war(table.open), under_way(table.open)
        day = (board.day + 1) % SPACES
        table.record(
            OperationIs(
                replace(operation, days=operation.days + 1, moved=operation.moved + HEXES),
                f"The task forces have had {hexes(operation.moved + HEXES)} of contact movement",
            )
        )
        table.record(DayIs(day, "in the contact movement"))
        if spent(table.own):
            return self.over  # not before now, so that the month may end with the Operation
        return MonthEnd() if day == MONTH_BEGIN else self.searches

    @step("5.4.2")
    def resume(self, table: Table) -> None:
        """After a month end go on at step 3 of the day (R-26)."""
        enter(table, "5.1.R")

    @step("24.1")
    def searches(self, table: Table) -> None:
        """Both sides search."""
        look(table)

    @ask("23.5", by="foe", forced=True)
    def force(self, sight: Sight) -> list[Decision]:
        """Force the end of the enemy's contact movement, or pass; under an order he passes (P0.9.5)."""
        if passes(sight.open, sight.own, self.foe):
            return [Pass()]
        ends = [ForceEnd()] if may_force(sight.open, sight.own, self.foe) else []
        return [*ends, Pass(), *map(StandingOrder, ORDERS)]

    @force.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        if any(isinstance(one, ForceEnd) for one in options):
            fleets = sorted(sight.open.tfs.items())
            found = [f"[{tf}]" for tf, force in fleets if force.side == self.side and force.detected]
            seen = f" You have found {', '.join(found)}." if found else ""
            return f"Force the end of the enemy's contact movement, or let him go on.{seen}"
        return "The enemy is at sea, and you cannot force the end of his contact movement yet: pass."

    @force.chosen
    def _(self, table: Table, decision: ForceEnd | Pass | StandingOrder) -> Flow:
        """Take the answer: an order lasts until this window is shown again (P0.9.5)."""
        if passes(table.open, table.own[self.foe], self.foe):
            return None
        means, before = table.own[self.foe].means, sealed(table)
        order = decision.n if isinstance(decision, StandingOrder) else -1
        if order != means.order:
            table.record(MeansAre(self.foe, order=order, why="a standing order"))
        cushion(table, before, 1)
        if isinstance(decision, ForceEnd):
            operation = under_way(table.open)
            table.record(
                OperationIs(replace(operation, forced=True), "The contact movement is forced to end")
            )
            return self.over
        return None

    @ask("23.4", by="side")
    def go_on(self, _sight: Sight) -> list[Decision]:
        """Go on with another day, or end the contact movement."""
        return [Continue(), EndContact()] if self.day < DAYS else []

    @go_on.chosen
    def _(self, _table: Table, decision: Continue | EndContact) -> Flow:
        return self.dawn if isinstance(decision, Continue) else None

    @step("21.1")
    def over(self, table: Table) -> None:
        """Reveal the Condition at the end of the phase (R-33)."""
        reveal(table, self.foe)

    @step("34.1")
    def hunted(self, table: Table) -> Flow:
        """Let special submarines be hunted."""
        return hunt(table.open)

    @property
    def foe(self) -> int:
        """The Reaction player."""
        return enemy(self.side)


def reveal(table: Table, foe: int) -> None:
    """Reveal the Condition, and let the standing order end (P0.9.5)."""
    means, operation = table.own[foe].means, under_way(table.open)
    before = sealed(table)
    if means.order >= 0:
        table.record(MeansAre(foe, order=-1, why="the contact movement is over"))
    cushion(table, before, 1)
    if not operation.condition:
        why = f"The Condition is {CONDITIONS[means.condition]}"
        table.record(OperationIs(replace(operation, condition=means.condition), why))


class ReactionContact(Procedure):
    """P23.5.1 THE REACTION PLAYER MOVES."""

    side: int
    ferried: tuple[str, ...] = ()
    moving: bool = False

    @step("23.5.1")
    def begin(self, table: Table) -> None:
        """Let everything of the side move."""
        ready(table, self.side)

    @ask("23.5.1", by="side")
    def act(self, sight: Sight) -> list[Decision]:
        """Move task forces and other units, or be done."""
        board, own, most = sight.open, sight.own, reaction_hexes(under_way(sight.open))
        options = moves(board, own, self.side, most, self.ferried)
        if most >= MARCH_FROM:
            options = [*options, *marches(board, own)]
        return [*options, Done()] if options else []

    @act.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Move task forces up to {hexes(reaction_hexes(under_way(sight.open)))}, or be done."

    @act.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return asking_on(sight, self.side, options, reaction_hexes(under_way(sight.open)))

    @act.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        match decision:
            case MoveTF(tf):
                self.moving = True
                return Sail(side=self.side, tf=tf, most=reaction_hexes(under_way(table.open)))
            case MoveBoat(piece):
                self.moving = True
                return BoatSails(side=self.side, piece=piece, most=reaction_hexes(under_way(table.open)))
            case Ferry(unit):
                self.moving = True
                self.ferried += (unit,)
                return Ferrying(side=self.side, unit=unit)
            case MoveGround() | CommitSearch() | OpenSeaplaneBase():
                at_once(table, self.side, decision)
                return self.act
        return None

    @step("23.5.1")
    def again(self, _table: Table) -> Flow:
        """Go on until the side is done."""
        moved, self.moving = self.moving, False
        return self.act if moved else None

    @step("24.1")
    def over(self, table: Table) -> None:
        """Both sides search."""
        look(table)

    @step("34.1")
    def hunted(self, table: Table) -> Flow:
        """Let special submarines be hunted."""
        return hunt(table.open)
