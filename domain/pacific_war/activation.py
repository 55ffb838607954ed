"""P20 Activation: units are paid for, ships form task forces in port, troops go aboard."""

from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.atlas import distance
from domain.pacific_war.campaigns import HEADQUARTERS
from domain.pacific_war.changes import Changes
from domain.pacific_war.charts import AIR, BOXES, LOCATIONS, MARKERS, OWNERS, SHIPS
from domain.pacific_war.choices import (
    Activate,
    AssignToTF,
    Forfeit,
    FormTF,
    PayFrom,
    TimeMultiple,
    UndoActivation,
)
from domain.pacific_war.costs import (
    HEADQUARTERS_BY_LEVEL,
    MOST_MULTIPLES,
    due,
    joint_limit,
    level,
    multiple_cost,
    nation,
    price,
    reaction_limit,
    refunds,
)
from domain.pacific_war.decisions import Done, Embark, Slot
from domain.pacific_war.facts import Covered
from domain.pacific_war.intelligence import refresh
from domain.pacific_war.links import linked_to, tell_links
from domain.pacific_war.months import MeansAre, OperationIs, under_way, war
from domain.pacific_war.movement import Embarking, lifts
from domain.pacific_war.opening import MOST_STAFFS, FirstSortie, at_sea, charge_of, granted, lead, refund_of
from domain.pacific_war.orders_of_war import PutToSea
from domain.pacific_war.pool import draw, purse, spenders
from domain.pacific_war.reorganise import new_marker, slots
from domain.pacific_war.special import opening
from domain.pacific_war.table import (
    Contents,
    Open,
    Own,
    Sight,
    Table,
    aboard,
    based,
    enemy,
    fleet_hex,
    groups_of,
    housed,
    location_of,
    tfs_at,
)
from domain.pacific_war.wording import number

Kind = Literal["operation", "reaction", "joint"]
"""5.1.P, 5.1.S or 5.2.M."""
HIGHEST = 3
"""P22: the Operation Level at which the Reaction player may change the headquarters."""
NEAR = 10
"""P22: hexes from an Activated enemy unit at which units may react at Operation Level 1."""


def berth(ship_port: str) -> str:
    """Return the node at which a task force of a port is formed."""
    return LOCATIONS[ship_port].coast or LOCATIONS[ship_port].hex


def spot(own: Own, unit: str) -> str:
    """Return the hex of an inactive unit that may be activated, or an empty string."""
    if unit in own.ships:
        place = own.ships[unit].port
        return LOCATIONS[place].hex if place in LOCATIONS else ""
    if unit in own.air:
        place = own.air[unit].home
        return LOCATIONS[place].hex if place in LOCATIONS else ""
    place = own.ground[unit].hex if unit in own.ground else ""
    return "" if place in BOXES else place


def idle(open: Open, own: Own, side: int) -> list[str]:
    """Return the inactive units that may be activated if an HQ commands them and can pay (P20.2.1)."""
    day = war(open).day
    ships = [
        ship
        for ship, one in own.ships.items()
        if one.port in LOCATIONS and not one.active and places(open, own, side, ship)
    ]
    air = [
        unit
        for unit, one in own.air.items()
        if one.home in LOCATIONS
        and one.steps
        and not one.active
        and not open.bases[one.home].interdicted
        and unit in housed(open, own, one.home)
    ]
    ground = [
        unit
        for unit, one in own.ground.items()
        if spot(own, unit) and one.steps and not one.active and not one.broken
    ]
    barred = own.means.barred
    return sorted(unit for unit in (*ships, *air, *ground) if barred.get(unit, 0) <= day)


def places(open: Open, own: Own, side: int, ship: str) -> list[AssignToTF | FormTF]:
    """Return the task forces of its port that a ship may join, and the new one that it may form (R-56)."""
    node = berth(own.ships[ship].port)
    joined: list[AssignToTF | FormTF] = [
        AssignToTF(tf, slot) for tf in tfs_at(open, node, side) for slot in slots(open, own, ship, tf)
    ]
    free = sum(force.side == side for force in open.tfs.values()) < MARKERS[side]
    return [*joined, *(FormTF(slot) for slot in new_slots(ship) if free)]


def new_slots(ship: str) -> list[Slot]:
    """Return the slots of an empty task force that a ship may take (P2.2.2)."""
    unit = SHIPS[ship]
    light = unit.cls in ("CA", "CL", "DD")
    room: list[Slot] = [] if light else ["core"]
    return [*room, "screen"] if light or unit.capital else room


def commanded(own: Own, hq: str, unit: str) -> bool:
    """Return whether a headquarters commands a unit: its nation, and a link, or an Isolated ship (P12.4)."""
    if nation(unit) not in HEADQUARTERS[hq].nats:
        return False
    stranded = unit in own.ships and own.ships[unit].isolated
    return stranded or linked_to(own, hq, spot(own, unit))


class Activation(Procedure):
    """P20.2 A SIDE ACTIVATES UNITS."""

    side: int
    kind: Kind
    hq: str = ""
    """The headquarters that pays."""
    paid: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Units activated in this window, to the headquarters that paid."""
    undone: tuple[str, ...] = ()
    ap: int = 0
    spent: int = 0
    """Activation Points and all Command Points spent in this window."""
    drawn: int = 0
    """Of these, what the Future Operation Pool gave (P10.4)."""
    multiples: int = -1
    changed: bool = False
    """The Reaction player has changed the paying headquarters."""
    moving: bool = False
    forfeited: bool = False
    out: tuple[str, ...] = ()
    """Task forces that were put to sea (S1.7)."""

    @step("11.6.1")
    def learn(self, table: Table) -> None:
        """Tell the side its links; at Operation Level 1 also which units may react."""
        tell_links(table, self.side)
        operation = under_way(table.open)
        if self.kind != "reaction":
            self.hq = operation.hq if self.side == operation.player else ""
            return
        near = tuple(_in_reach(table, self.side)) if operation.level == 1 else ()
        table.record(MeansAre(self.side, near=near, why="who may react"))

    @ask("20.2.2", by="side")
    def choose(self, sight: Sight) -> list[Decision]:
        """Activate units, or be done."""
        if self.multiples >= 0:
            return [Done()]
        board, own = sight.open, sight.own
        units = self.eligible(board, own)
        options: list[Decision] = []
        if self.may_name(board):
            options += [PayFrom(hq) for hq in self.headquarters(board, own) if hq != self.hq]
        options += map(Activate, units)
        options += [
            Embark(unit)
            for unit in sorted(own.ground)
            if own.ground[unit].active and in_port(board, own, unit) and lifts(board, own, self.side, unit)
        ]
        if self.kind == "operation" and opening(board):
            options += [PutToSea(tf) for tf in sorted(own.fleets) if tf not in self.out and at_sea(board, tf)]
        options += [UndoActivation(unit) for unit in self.taken_back(own)]
        if self.kind == "operation":
            if not self.paid:
                return [*options, Forfeit()] if options else []
            most = self.affordable(board, own)
            options += [TimeMultiple(k) for k in range(MOST_MULTIPLES + 1) if k <= most]
            return [*options, Done()]
        return [*options, Done()] if options else []

    @choose.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        if not self.hq and any(isinstance(one, PayFrom) for one in options):
            return "Choose the headquarters that pays, then the units that it activates; or be done."
        left = number(max(0, self.left(sight.open, sight.own)), "Command Point")
        what = "Activate units"
        if any(isinstance(one, Embark) for one in options):
            what += ", let troops go aboard"
        end = "or give the Operation up" if any(isinstance(o, Forfeit) for o in options) else "or be done"
        return f"{what}, {end}. [{self.hq}] has {left} to spend." if self.hq else f"{what}, {end}."

    @choose.quiet
    def _(self, _sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        return [one for one in options if not isinstance(one, Done | Forfeit)]

    @choose.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        match decision:
            case PayFrom(hq):
                self.changed, self.hq = bool(self.hq), hq
            case Activate(unit):
                self.pay(table, unit)
                if unit in SHIPS:
                    self.moving = True
                    return Sortie(ship=unit)
                activate(table, unit)
            case Embark(unit):
                self.moving = True
                return Embarking(side=self.side, unit=unit)
            case PutToSea(tf):
                self.moving = True
                self.out += (tf,)
                return FirstSortie(side=self.side, tf=tf)
            case UndoActivation(unit):
                self.take_back(table, unit)
            case TimeMultiple(k):
                self.multiples = k
                self.charge(table, k * multiple_cost(self.ap))
            case Forfeit():
                self.forfeited = True
                return self.over
            case _:
                return self.over
        return self.choose

    @step("20.2.2")
    def again(self, _table: Table) -> Flow:
        """Go on until the side is done; who has nothing that he could activate forfeits (R-4)."""
        moved, self.moving = self.moving, False
        if moved:
            return self.choose
        self.forfeited = self.kind == "operation" and not self.paid
        return None

    @step("20.2.4")
    def over(self, table: Table) -> None:
        """Tell the sum of the points spent, not for what."""
        operation = under_way(table.open)
        if self.kind == "operation":
            if self.forfeited:
                return
            left = purse(table.open, table.own[self.side], self.hq)
            told = replace(
                operation,
                hq=lead(table.open, table.own[self.side], self.hq),
                bid=operation.bid if operation.hq else granted(table.open, self.side, self.spent + left),
                ap=self.ap,
                spent=self.spent,
                multiples=max(0, self.multiples),
                level=level(self.ap),
            )
            why = f"An Operation of Level {told.level}, for {number(self.ap, 'Activation Point')}"
            table.record(OperationIs(told, why))
        elif self.paid:
            mine = self.side == operation.player
            told = (
                replace(operation, ap=operation.ap + self.ap, spent=operation.spent + self.spent)
                if mine
                else replace(operation, answered=operation.answered + self.ap)
            )
            table.record(OperationIs(told, f"{number(self.ap, 'Activation Point')} more"))

    # who may be activated, for how much

    def left(self, open: Open, own: Own) -> int:
        """Return the points that the side may still spend in this window, by its limit and its HQ."""
        operation, points = under_way(open), purse(open, own, self.hq) if self.hq else 0
        if self.side == operation.player:
            if opening(open):
                return points
            return min(points, operation.bid - operation.spent - self.spent) if operation.hq else points
        most = (
            joint_limit(operation) - operation.answered
            if self.kind == "joint"
            else reaction_limit(operation, own.means.condition)
        )
        return min(points, most - self.ap)

    def fits(self, open: Open, own: Own, unit: str) -> bool:
        """Return whether a unit can be paid for; an Operation cost is outside the Reaction limit (P22)."""
        cost = price(own, unit)
        fee = charge_of(open, own, self.hq, cost)
        if self.side == under_way(open).player:
            return cost + fee <= self.left(open, own)
        return cost <= self.left(open, own) and cost + fee <= purse(open, own, self.hq)

    def eligible(self, open: Open, own: Own) -> list[str]:
        """Return the units that may be activated now (P20.2.1), by id."""
        if not self.hq:
            return []
        near = set(own.means.near) if self._bounded(open) else None
        return [
            unit
            for unit in idle(open, own, self.side)
            if commanded(own, self.hq, unit) and (near is None or unit in near) and self.fits(open, own, unit)
        ]

    def _bounded(self, open: Open) -> bool:
        return self.kind == "reaction" and under_way(open).level == 1

    def may_name(self, open: Open) -> bool:
        """Return whether the side may name the paying HQ: before its first activation, at Level 3 again."""
        operation = under_way(open)
        if self.side == operation.player:
            return opening(open) or (not operation.hq and not self.paid)
        return not self.hq or not self.paid or (operation.level == HIGHEST and not self.changed)

    def headquarters(self, open: Open, own: Own) -> list[str]:
        """Return the headquarters that may pay: with points and an eligible unit, as many as P22 allows."""
        operation = under_way(open)
        used = [hq for hq, points in own.means.used.items() if points]
        mine = MOST_STAFFS if opening(open) else 1
        most = mine if self.side == operation.player else HEADQUARTERS_BY_LEVEL[operation.level]
        able = spenders(open, own)
        if len(used) >= most:
            able = [hq for hq in able if hq in used]
        return [hq for hq in able if self.with_hq(hq).eligible(open, own)]

    def with_hq(self, hq: str) -> "Activation":
        """Return this window with another headquarters."""
        return replace(self, hq=hq)

    def affordable(self, open: Open, own: Own) -> int:
        """Return the most Time Multiples that the points allow (P20.2.5)."""
        return self.left(open, own) // max(1, multiple_cost(self.ap))

    def taken_back(self, own: Own) -> list[str]:
        """Return the units whose activation may be taken back: each once, nothing aboard, not aboard."""
        return [
            unit
            for unit in sorted(self.paid)
            if unit not in self.undone
            and not (unit in own.ships and (aboard(own, [unit]) or own.ships[unit].tf in self.out))
            and not (unit in own.ground and own.ground[unit].aboard)
        ]

    # paying

    def pay(self, table: Table, unit: str) -> None:
        """Pay for a unit, and the Operation cost of the headquarters if it falls due."""
        own = table.own[self.side]
        cost = price(own, unit)
        falls, fee = due(own, self.hq, cost), charge_of(table.open, own, self.hq, cost)
        used = own.means.used | {self.hq: own.means.used.get(self.hq, 0) + cost}
        charged = (*own.means.charged, self.hq) if falls else None
        self.drawn += draw(table, self.side, self.hq, cost + fee, "activating", used=used, charged=charged)
        self.paid = self.paid | {unit: self.hq}
        self.ap += cost
        self.spent += cost + fee

    def charge(self, table: Table, amount: int) -> None:
        """Take points from the paying headquarters."""
        if amount:
            draw(table, self.side, self.hq, amount, "more time")
            self.spent += amount

    def take_back(self, table: Table, unit: str) -> None:
        """Give the points of a unit back, the Operation cost too if it is no longer due."""
        own, hq = table.own[self.side], self.paid[unit]
        means, cost = own.means, price(own, unit)
        used = means.used.get(hq, 0) - cost
        here = sum(price(own, one) for one, payer in self.paid.items() if payer == hq)
        falls = refunds(means.charged, hq, used, here)
        fee = refund_of(table.open, own, hq) if falls else 0
        pool = min(self.drawn, cost + fee) if HEADQUARTERS[hq].fop else 0
        self.drawn -= pool
        table.record(
            MeansAre(
                self.side,
                points={hq: means.points.get(hq, 0) + cost + fee - pool},
                fop=means.fop + pool if pool else None,
                used=means.used | {hq: used},
                charged=tuple(one for one in means.charged if one != hq) if falls else None,
                why="not activating",
            )
        )
        self.paid = {one: payer for one, payer in self.paid.items() if one != unit}
        self.undone += (unit,)
        self.ap -= cost
        self.spent -= cost + fee
        deactivate(table, unit)


def in_port(open: Open, own: Own, unit: str) -> bool:
    """Return whether a ground unit is in the hex of an own port."""
    place = location_of(own.ground[unit].hex) if own.ground[unit].hex else ""
    return place in open.bases and open.bases[place].port > 0 and open.bases[place].control == OWNERS[unit]


def activate(table: Table, unit: str) -> None:
    """Let an air or ground unit be Activated; all steps of an air unit are ready."""
    now = Changes(table, "activated")
    if unit in AIR:
        now.aircraft(unit, active=True, ready=now.air_now(unit).steps, cap=0)
    else:
        now.troops(unit, active=True)
    now.record()


def deactivate(table: Table, unit: str) -> None:
    """Let a unit be inactive again, a ship back in its port."""
    now = Changes(table, "not activated after all")
    if unit in AIR:
        now.aircraft(unit, active=False)
    elif unit in SHIPS:
        tf = now.ship_now(unit).tf
        place = location_of(fleet_hex(table.open, tf))
        now.leave_fleet(unit)
        now.ship(unit, tf="", port=place, active=False)
        for group in based(table.own[OWNERS[unit]], unit):
            now.aircraft(group, active=False)
    else:
        now.troops(unit, active=False)
    now.record()


def _in_reach(table: Table, side: int) -> list[str]:
    """Return the units within 10 hexes of an enemy task force or Activated ground or air unit (P22)."""
    board, own, theirs = table.open, table.own[side], table.own[enemy(side)]
    foes = [fleet_hex(board, tf) for tf in theirs.fleets]
    foes += [unit.hex for unit in theirs.ground.values() if unit.active and unit.hex]
    foes += [
        LOCATIONS[air.home].hex
        for air in theirs.air.values()
        if air.active and air.steps and air.home in LOCATIONS
    ]
    return [
        unit for unit in idle(board, own, side) if any(distance(spot(own, unit), foe) <= NEAR for foe in foes)
    ]


class Sortie(Procedure):
    """P20.2.3 D AN ACTIVATED SHIP GOES INTO A TASK FORCE."""

    ship: str

    @ask("20.2.2", by="side", forced=True)
    def where(self, sight: Sight) -> list[Decision]:
        """Choose the task force that it joins, or form one."""
        return [*places(sight.open, sight.own, self.side, self.ship)]

    @where.says
    def _(self, _sight: Sight, _options: Sequence[Decision]) -> str:
        return f"Choose the task force, and the place in it, that [{self.ship}] joins."

    @where.chosen
    def _(self, table: Table, decision: AssignToTF | FormTF) -> Flow:
        own = table.own[self.side]
        if self.ship in table.open.ships:
            table.record(Covered(ships=(self.ship,)))
        if isinstance(decision, FormTF):
            tf = new_marker(table, self.side, berth(own.ships[self.ship].port))
        else:
            tf = decision.tf
        now = Changes(table, "activated")
        inside = now.fleet_now(tf).ships
        if decision.slot == "core":
            now.fleet(tf, ships=Contents((*inside.core, self.ship), inside.screen))
        else:
            now.fleet(tf, ships=Contents(inside.core, (*inside.screen, self.ship)))
        now.ship(self.ship, tf=tf, port="", active=True)
        now.record()
        wings = Changes(table, "activated")
        for unit in groups_of(own, tf):
            if not own.air[unit].active:
                wings.aircraft(unit, active=True, ready=own.air[unit].steps, cap=0)
        wings.record()
        refresh(table, tf)
        return DONE

    @property
    def side(self) -> int:
        """Whose ship it is."""
        return OWNERS[self.ship]
