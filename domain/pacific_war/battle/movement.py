"""P23.6 Movement in the battle cycle: reorganising, task forces, ground units, embarking and landing."""

from collections.abc import Sequence

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.battle import special_boats, submarines
from domain.pacific_war.battle.reorganise import Transfer, clear, new_marker, regroupings, unsettled
from domain.pacific_war.battle.seaplane_bases import open_base
from domain.pacific_war.battle.search import meetings, search
from domain.pacific_war.board.atlas import FORBIDDEN, area, course, flood, kind, landward
from domain.pacific_war.board.charts import ALLOWANCE, GROUPS, OWNERS, SPEED
from domain.pacific_war.board.combat import d10
from domain.pacific_war.board.room import harbour
from domain.pacific_war.board.special import intercepts, may_land
from domain.pacific_war.board.special_boats import MOVES, movable, sites
from domain.pacific_war.board.table import (
    Open,
    Own,
    Sight,
    Table,
    contested,
    enemy,
    fleet_hex,
    flies,
    free_lift,
    hostile,
    location_of,
    members,
    operation_number,
    printed,
    speed,
    stack_room,
    surface,
    tfs_at,
    troop,
    warship,
)
from domain.pacific_war.board.weather import slowed
from domain.pacific_war.decisions.cycle import (
    Aboard,
    CommitSearch,
    Disembark,
    Done,
    Embark,
    Intercept,
    MoveGround,
    MoveTF,
    NewTF,
    Pass,
    SailTo,
    TransferShip,
    WithdrawGround,
)
from domain.pacific_war.decisions.special_boats import MoveBoat, OpenSeaplaneBase
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import Busy, Covered, Sailed
from domain.pacific_war.facts.fighting import WentAshore, Withdrew
from domain.pacific_war.facts.happenings import InterceptTried
from domain.pacific_war.facts.intelligence import detect, meet, refresh, show
from domain.pacific_war.facts.silence import cushion, sealed
from domain.pacific_war.facts.wording import either, hexes, number

INTERCEPTED_ON = 3
"""P23.6: an interception succeeds on this face or less."""


# what can be done


def left(open: Open, own: Own, tf: str, most: int = 0) -> int:
    """Return the hexes that an own task force has left: of `most`, else of its allowance (P23.6)."""
    return max(0, (most or ALLOWANCE[speed(open, own, members(own, tf))]) - own.fleets[tf].used)


def reach(open: Open, own: Own, tf: str, most: int = 0) -> list[str]:
    """Return the nodes that an own task force can sail to, by hex; `most` as in `left`."""
    if own.fleets[tf].stopped or not members(own, tf):
        return []
    start = open.tfs[tf].node
    return sorted(flood(start, left(open, own, tf, most), area(open.scenario)).keys() - {start})


def shunned(open: Open, side: int, *, contact: bool = False) -> set[str]:
    """Return the hexes that a path avoids (P23.4.1): enemy patrols' zones, and known enemy warships.

    In Contact Phases enemy task forces count for nothing.
    """
    hexes = {near for zone in submarines.zones(open, enemy(side)).values() for near in zone}
    if contact:
        return hexes
    for tf, inside in open.contents.items():
        if open.tfs[tf].side != side and any(surface(open, ship) for ship in inside.ships):
            hexes.add(fleet_hex(open, tf))
    return hexes


def marches(open: Open, own: Own) -> list[MoveGround]:
    """Return the moves of ground units (P23.2): Activated, unbroken, not landed, not held by the enemy."""
    return [
        MoveGround(unit, to)
        for unit, ground in sorted(own.ground.items())
        if ground.hex
        and ground.active
        and not (ground.broken or ground.landing or ground.moved or contested(open, ground.hex))
        for to in sorted(landward(ground.hex))
        if _enters(open, own, to, ground.steps) and may_land(open, OWNERS[unit], to)
    ]


def withdrawals(open: Open, own: Own, side: int) -> list[WithdrawGround]:
    """Return where ground units may withdraw to from a hex that the enemy shares (P2.8)."""
    return [
        WithdrawGround(unit, to)
        for unit, ground in sorted(own.ground.items())
        if ground.hex and contested(open, ground.hex)
        for to in sorted(landward(ground.hex))
        if _enters(open, own, to, ground.steps) and not hostile(open, to, side)
    ]


def _enters(open: Open, own: Own, hex: str, steps: int) -> bool:
    return hex in area(open.scenario) and hex not in FORBIDDEN and stack_room(own, hex) >= steps


def lifts(open: Open, own: Own, side: int, unit: str) -> list[Aboard]:
    """Return the task forces, then the single ships, that can take a ground unit aboard where it is (P23.6).

    From a friendly port it may go even with the enemy in the hex, which P2.8 alone would not allow.
    """
    ground = own.ground[unit]
    if not ground.hex or not ground.active:
        return []
    if ground.hex in open.troops[enemy(side)] and not harbour(open, side, location_of(ground.hex)):
        return []
    forces = [tf for tf in sorted(own.fleets) if fleet_hex(open, tf) == ground.hex and left(open, own, tf)]
    room = {tf: holds(open, own, tf, unit) for tf in forces}
    ships = sorted(ship for tf in forces for ship, free in room[tf].items() if free >= ground.steps)
    return [
        *(Aboard(tf) for tf in forces if sum(room[tf].values()) >= ground.steps),
        *(Aboard(ship) for ship in ships),
    ]


def holds(open: Open, own: Own, tf: str, unit: str) -> dict[str, int]:
    """Return ships of a task force to the steps of a unit that fit aboard, by id; a DD lifts no division."""
    small = troop(open, unit).size in ("R", "B")
    ships = sorted(members(own, tf))
    return {s: free_lift(open, own, s) for s in ships if small or printed(open, s).cls != "DD"}


def landings(open: Open, own: Own, side: int) -> list[Disembark]:
    """Return the units that can go ashore where their task force is (P23.6)."""
    options = []
    for unit, ground in sorted(own.ground.items()):
        if not ground.aboard or not ground.steps:
            continue
        tf = own.ships[next(iter(ground.aboard))].tf
        if not tf or not left(open, own, tf):
            continue
        spot = fleet_hex(open, tf)
        allowed = not hostile(open, spot, side) or may_land(open, side, spot)
        if allowed and kind(spot) == "h" and _enters(open, own, spot, ground.steps):
            options.append(Disembark(unit))
    return options


def searchers(open: Open, own: Own) -> list[CommitSearch]:
    """Return the carrier air groups of which a step can search (P23.6)."""
    return [
        CommitSearch(unit)
        for unit, air in sorted(own.air.items())
        if unit in _GROUPS and air.ready and not air.searching and flies(open, own, unit)
    ]


_GROUPS = frozenset(GROUPS.values())

REORGANISING = "reorganise task forces"
ACTS: dict[type[Decision], str] = {
    TransferShip: REORGANISING,
    NewTF: REORGANISING,
    MoveTF: "move task forces",
    MoveBoat: "move a special submarine",
    OpenSeaplaneBase: "open a seaplane base",
    MoveGround: "march",
    Embark: "embark",
    Disembark: "put troops ashore",
    WithdrawGround: "withdraw",
    CommitSearch: "commit carrier groups to search",
}
"""P23.6: what may be done in a movement phase, as the player is told."""


class Movement(Procedure):
    """P23.6 A MOVEMENT PHASE."""

    side: int
    begun: bool = False
    """Something has moved, so that task forces are reorganised no more."""
    transferred: tuple[str, ...] = ()
    embarked: tuple[str, ...] = ()
    ashore: tuple[str, ...] = ()
    """Ground units that have gone aboard, and that have been put ashore: each once a phase (R-58)."""
    moving: bool = False

    @step("23.6")
    def begin(self, table: Table) -> None:
        """Let everything of the side move anew, a hex less from where the weather is foul (P6.3)."""
        own, before = table.own[self.side], sealed(table)
        now = Changes(table, "ready to move")
        for tf, fleet in own.fleets.items():
            used = slowed(table.open, table.open.tfs[tf].node)
            if fleet.used != used or fleet.stopped:
                now.fleet(tf, used=used, stopped=False)
        for unit, ground in own.ground.items():
            if ground.moved:
                now.troops(unit, moved=False)
        for side in (0, 1):
            for unit, air in table.own[side].air.items():
                if air.searching:
                    now.aircraft(unit, searching=False)
        now.record()
        cushion(table, before, 2)

    @ask("23.6", by="side")
    def act(self, sight: Sight) -> list[Decision]:
        """Move task forces and ground units, embark, land, search; or be done."""
        board, own, side = sight.open, sight.own, self.side
        options: list[Decision] = []
        if not self.begun:
            options += regroupings(board, own, side, own.fleets, self.transferred)
        options += [MoveTF(tf) for tf in sorted(own.fleets) if reach(board, own, tf)]
        options += map(MoveBoat, movable(board, own, side))
        options += map(OpenSeaplaneBase, sites(board, own, side))
        options += marches(board, own)
        options += [
            Embark(unit)
            for unit in sorted(own.ground)
            if unit not in self.embarked and lifts(board, own, side, unit)
        ]
        options += [one for one in landings(board, own, side) if one.ground not in self.ashore]
        options += withdrawals(board, own, side)
        options += searchers(board, own)
        return [*options, Done()] if options else []

    @act.says
    def _(self, _sight: Sight, options: Sequence[Decision]) -> str:
        told = dict.fromkeys(what for one in options for kind, what in ACTS.items() if isinstance(one, kind))
        acts = either([what for what in told if what != REORGANISING])
        first = [REORGANISING] if REORGANISING in told else []
        return f"You may {' first, then '.join([*first, *([acts] if acts else [])])}, or be done."

    @act.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        """Return what has a second pick; where that is the only one, it is made at once."""
        board, own = sight.open, sight.own
        return [
            *unsettled(board, own, own.fleets, options),
            *(one for one in options if isinstance(one, MoveTF) and len(reach(board, own, one.tf)) > 1),
            *(one for one in options if isinstance(one, MoveBoat)),
            *(
                one
                for one in options
                if isinstance(one, Embark) and len(lifts(board, own, self.side, one.ground)) > 1
            ),
        ]

    @act.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        if isinstance(decision, Done):
            return self.over
        if isinstance(decision, NewTF):
            new_marker(table, self.side, decision.node)
            return self.act
        self.moving = isinstance(decision, TransferShip | MoveTF | MoveBoat | Embark)
        if isinstance(decision, TransferShip):
            self.transferred += (decision.ship,)
            return Transfer(ship=decision.ship, among=tuple(table.own[self.side].fleets))
        if not self.begun:
            self.begun = True
            clear(table, self.side)
        if isinstance(decision, MoveTF | MoveBoat):
            return _sail(self.side, decision)
        if isinstance(decision, Embark):
            self.embarked += (decision.ground,)
            return Embarking(side=self.side, unit=decision.ground)
        if isinstance(decision, Disembark):
            self.ashore += (decision.ground,)
        at_once(table, self.side, decision)
        return self.act

    @step("23.6")
    def again(self, _table: Table) -> Flow:
        """Go on until the side is done."""
        moved, self.moving = self.moving, False
        return self.act if moved else None

    @step("24.1")
    def over(self, table: Table) -> None:
        """Both sides search; fleets that have met find each other."""
        clear(table, self.side)
        for side in (0, 1):
            search(table, side)
        meetings(table)

    @step("34.1")
    def hunted(self, table: Table) -> Flow:
        """Let special submarines be hunted."""
        return special_boats.hunt(table.open)


def _sail(side: int, decision: MoveTF | MoveBoat) -> Procedure:
    if isinstance(decision, MoveTF):
        return Sail(side=side, tf=decision.tf)
    return special_boats.BoatSails(side=side, piece=decision.piece, most=MOVES[decision.piece])


def at_once(table: Table, side: int, decision: Decision) -> None:
    """Do what needs no second pick."""
    match decision:
        case MoveGround(unit, to):
            march(table, unit, to, moved=True)
        case WithdrawGround(unit, to):
            march(table, unit, to, active=False)
            table.record(Withdrew(unit, to))
        case Disembark(unit):
            land(table, side, unit)
        case OpenSeaplaneBase(hex):
            open_base(table, side, hex)
        case CommitSearch(unit):
            now = Changes(table, "searching")
            now.aircraft(unit, ready=table.own[side].air[unit].ready - 1, searching=True)
            now.record()


def march(table: Table, unit: str, to: str, **new: bool) -> None:
    """Move a ground unit to a hex beside it."""
    now = Changes(table, "marching")
    now.troops(unit, hex=to, **new)
    now.record()
    meet(table, to)


def land(table: Table, side: int, unit: str) -> None:
    """Put a ground unit ashore from its task force (P23.6).

    Read so: troops *land* where the unit gets a Landing marker. A unit that goes ashore among friends is not
    shown by it, and its task force is not Detected (P0.4.1, P24.3, P32.2).
    """
    board, own = table.open, table.own[side]
    ground = own.ground[unit]
    tf = own.ships[next(iter(ground.aboard))].tf
    spot = fleet_hex(board, tf)
    opposed = hostile(board, spot, side)
    now = Changes(table, "going ashore")
    assault = opposed and all(own.ships[ship].assault for ship in ground.aboard)
    now.troops(unit, hex=spot, aboard={}, landing=opposed, assault=assault)
    if opposed:
        now.troops(unit, landed=operation_number(board))
    now.fleet(tf, used=own.fleets[tf].used + 1)
    now.record()
    if opposed:
        show(table, ground=[unit])
        table.record(WentAshore((unit,), side, spot, tf))
        detect(table, tf, "by its landing", "24.3")
        table.record(Busy((tf,)))
    meet(table, spot)


class Embarking(Procedure):
    """P23.6 A GROUND UNIT GOES ABOARD."""

    side: int
    unit: str

    @ask("23.6", by="side", forced=True)
    def aboard(self, sight: Sight) -> list[Decision]:
        """Choose the task force or the ship that takes it aboard."""
        return [*lifts(sight.open, sight.own, self.side, self.unit)]

    @aboard.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        steps = sight.own.ground[self.unit].steps
        return f"Choose the task force or the ship that takes [{self.unit}] aboard, {number(steps, 'step')}."

    @aboard.chosen
    def _(self, table: Table, decision: Aboard) -> Flow:
        load(table, table.own[self.side], decision.into, self.unit)
        return None


def load(table: Table, own: Own, into: str, unit: str, cost: int = 1) -> None:
    """Take a ground unit aboard a ship, or the ships of a task force, which are filled by id (P23.6).

    `cost` are the hexes of the allowance that it takes. What is aboard an Undetected task force is hidden,
    also a unit that was public ashore (P0.4.1).
    """
    tf, ships = (into, members(own, into)) if into in own.fleets else (own.ships[into].tf, (into,))
    steps, loaded = own.ground[unit].steps, dict[str, int]()
    for ship, room in holds(table.open, own, tf, unit).items():
        if ship in ships and (taken := min(room, steps)):
            loaded[ship] = taken
            steps -= taken
    if unit in table.open.ground and not table.open.tfs[tf].detected:
        table.record(Covered(ground=(unit,)))
    now = Changes(table, "going aboard")
    now.troops(unit, hex="", aboard=loaded)
    now.fleet(tf, used=own.fleets[tf].used + cost)
    now.record()
    refresh(table, tf)


class Sail(Procedure):
    """P23.6, P23.4.1 A TASK FORCE MOVES."""

    side: int
    tf: str
    most: int = 0
    """The hexes of contact movement, in which nobody is intercepted (P23.4); 0 in a battle cycle."""
    way: tuple[str, ...] = ()
    """The nodes that are left of its path."""
    asked: tuple[str, ...] = ()
    """The enemy task forces on this node that have been asked."""

    @ask("23.6", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose where the task force goes."""
        return [SailTo(node) for node in reach(sight.open, sight.own, self.tf, self.most)]

    @where.says
    def _(self, sight: Sight, _options: Sequence[Decision]) -> str:
        return (
            f"Choose where [{self.tf}] sails: {hexes(left(sight.open, sight.own, self.tf, self.most))} left."
        )

    @where.chosen
    def _(self, table: Table, decision: SailTo) -> None:
        board, own = table.open, table.own[self.side]
        start, most = board.tfs[self.tf].node, left(board, own, self.tf, self.most)
        avoided = shunned(board, self.side, contact=bool(self.most))
        self.way = course(start, decision.node, most, area(board.scenario), avoided)

    @step("23.4.1")
    def go(self, table: Table) -> Flow:
        """Sail to the end of the path, or to the first hex where something may happen.

        What it was before the step into this node counts in a battle there (P29.1.1): a long move stands for
        single ones (P0.9.3).
        """
        board = table.open
        if not self.way:
            return DONE
        zones = {near for zone in submarines.zones(board, enemy(self.side)).values() for near in zone}
        foes = {force.node for force in board.tfs.values() if force.side != self.side}
        stops = (n for n, node in enumerate(self.way, 1) if node in foes or node[:4] in zones)
        ahead = next(stops, len(self.way))
        leg, self.way, self.asked = self.way[:ahead], self.way[ahead:], ()
        now = Changes(table, "at sea")
        now.fleet(self.tf, used=table.own[self.side].fleets[self.tf].used + len(leg))
        now.record()
        table.record(Sailed(self.tf, leg, board.tfs[self.tf].detected))
        return None

    @step("25.2")
    def patrols(self, table: Table) -> Flow:
        """Enemy patrols look for it, by hex; once slowed, it goes only as far as it still can."""
        for at in submarines.waiting(table.open, self.tf):
            submarines.attack(table, at, self.tf)
            if self.tf not in table.open.tfs:
                return DONE
        self.way = self.way[: left(table.open, table.own[self.side], self.tf, self.most)]
        return None

    @ask("23.6", by="foe")
    def intercept(self, sight: Sight) -> list[Decision]:
        """Try to stop the task force that has come, or pass."""
        ready = self.next_foe(sight.open)
        if not ready:
            return []
        can = warship(sight.open, sight.own, ready)
        return [Intercept(), Pass()] if can else [Pass()]

    @intercept.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        comes = f"[{self.tf}] comes to [{self.next_foe(sight.open)}]"
        if len(options) == 1:
            return f"{comes}, which has no ship that could stop it: pass."
        return f"{comes}: try to stop it, or pass."

    @intercept.chosen
    def _(self, table: Table, decision: Intercept | Pass) -> Flow:
        board, by = table.open, self.next_foe(table.open)
        self.asked += (by,)
        if isinstance(decision, Pass):
            return self.intercept
        own, foes = table.own[self.side], table.own[self.foe]
        mine = speed(board, own, members(own, self.tf))
        faster = SPEED[speed(board, foes, members(foes, by))] > SPEED[mine]
        shifts = (("Detected", 2 * board.tfs[self.tf].detected), ("faster", int(faster)))
        need = INTERCEPTED_ON + sum(amount for _, amount in shifts)
        face = d10(
            table,
            "interception",
            by=self.foe,
            target=f"{need} or less",
            subject=by,
            shifts=shifts,
            unseen=True,
        )
        table.record(InterceptTried(self.tf, by, face <= need))
        if face > need:
            return self.intercept
        now = Changes(table, "stopped")
        now.fleet(self.tf, stopped=True)
        now.record()
        return DONE

    @step("23.4.1")
    def on(self, _table: Table) -> Flow:
        """Go on."""
        return self.go

    @property
    def foe(self) -> int:
        """The side that may intercept."""
        return enemy(self.side)

    def next_foe(self, open: Open) -> str:
        """Return the next enemy task force on this node that is to be asked, or an empty string."""
        if self.tf not in open.tfs or self.most or not intercepts(open, self.foe):
            return ""
        there = tfs_at(open, open.tfs[self.tf].node, self.foe)
        return next((tf for tf in there if tf not in self.asked), "")
