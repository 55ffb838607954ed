"""P20 Activation: units are paid for, and in the end the sum of points is told. Who may be: `eligible`."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec.structs import replace

from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.campaigns import HEADQUARTERS
from domain.pacific_war.board.charts import OWNERS, SHIPS
from domain.pacific_war.board.special import opening
from domain.pacific_war.board.table import Open, Own, Sight, Table, aboard
from domain.pacific_war.command.costs import (
    HEADQUARTERS_BY_LEVEL,
    MOST_MULTIPLES,
    THRESHOLD,
    due,
    joint_limit,
    level,
    multiple_cost,
    price,
    reaction_limit,
)
from domain.pacific_war.command.links import tell_links
from domain.pacific_war.command.pool import draw, purse, spenders
from domain.pacific_war.decisions.choices import (
    Activate,
    Forfeit,
    FormTF,
    PayFrom,
    TimeMultiple,
    UndoActivation,
)
from domain.pacific_war.decisions.cycle import Done, Embark
from domain.pacific_war.decisions.orders_of_war import PutToSea
from domain.pacific_war.facts.months import MeansAre, OperationIs, under_way
from domain.pacific_war.facts.wording import number
from domain.pacific_war.operations.eligible import commanded, idle, in_reach
from domain.pacific_war.operations.ports import Boarding, Sortie, activate, boarding, deactivate, places
from domain.pacific_war.setup.opening import (
    MOST_STAFFS,
    FirstSortie,
    at_sea,
    charge_of,
    granted,
    lead,
    refund_of,
)

Kind = Literal["operation", "reaction", "joint"]
"""5.1.P, 5.1.S or 5.2.M."""
HIGHEST = 3
"""P22: the Operation Level at which the Reaction player may change the headquarters."""


class Activation(Procedure):
    """P20.2 A SIDE ACTIVATES UNITS."""

    side: int
    kind: Kind
    hq: str = ""
    """The headquarters that pays."""
    paid: dict[str, str] = {}  # noqa: RUF012 a Struct copies its defaults
    """Units activated in this window, to the headquarters that paid."""
    costs: dict[str, int] = {}  # noqa: RUF012
    """What each of them cost: a unit that goes aboard leaves the place that made it dear (P20.1)."""
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
    named: tuple[str, ...] = ()
    """Headquarters named since the last activation, each once (S1.3, R-58)."""
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
        near = tuple(in_reach(table, self.side)) if operation.level == 1 else ()
        table.record(MeansAre(self.side, near=near, why="who may react"))

    @ask("20.2.2", by="side", forced="may_be_passed_over")
    def choose(self, sight: Sight) -> list[Decision]:
        """Activate units, or be done."""
        if self.multiples >= 0:
            return [Done()]
        board, own = sight.open, sight.own
        options: list[Decision] = []
        if self.may_name(board):
            options += [PayFrom(hq) for hq in self.headquarters(board, own) if hq != self.hq]
        options += map(Activate, self.eligible(board, own))
        options += map(UndoActivation, self.taken_back(own))
        options += [Embark(unit) for unit in sorted(own.ground) if boarding(board, own, unit)]
        if self.kind == "operation" and opening(board):
            options += [PutToSea(tf) for tf in sorted(own.fleets) if tf not in self.out and at_sea(board, tf)]
        if self.kind == "operation":
            if not self.paid:
                return [*options, Forfeit()] if options else []
            most = self.affordable(board, own)
            options += [TimeMultiple(k) for k in range(MOST_MULTIPLES + 1) if k <= most]
            return [*options, Done()]
        return [*options, Done()] if options or not self.may_be_passed_over(board) else []

    def may_be_passed_over(self, open: Open) -> bool:
        """Return whether a side is not asked that can only be done (R-124).

        It is asked as long as both know of points that it may spend: else they would learn that its
        headquarters have none, or nobody to activate. Who has bid and can activate nobody forfeits (R-4).
        """
        operation = under_way(open)
        if self.kind == "operation":
            return True
        if self.side == operation.player:
            return 0 < operation.bid <= operation.spent
        return self.kind == "joint" and joint_limit(operation) <= operation.answered

    @choose.says
    def _(self, sight: Sight, options: Sequence[Decision]) -> str:
        if [*options] == [Done()]:
            return "You can activate nobody more: say that you are done."
        if not self.hq and any(isinstance(one, PayFrom) for one in options):
            return "Choose the headquarters that pays, then the units that it activates; or be done."
        left = number(max(0, self.left(sight.open, sight.own)), "Command Point")
        what = "Activate units"
        if any(isinstance(one, Embark) for one in options):
            what += ", let troops go aboard"
        end = "or give the Operation up" if any(isinstance(o, Forfeit) for o in options) else "or be done"
        return f"{what}, {end}. [{self.hq}] has {left} to spend." if self.hq else f"{what}, {end}."

    @choose.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:
        undo = self.taken_back(sight.own)
        return [one for one in options if self.goes_on(sight.open, sight.own, one, undo)]

    @choose.chosen
    def _(self, table: Table, decision: Decision) -> Flow:
        match decision:
            case PayFrom(hq):
                self.named += (hq,) if opening(table.open) else ()
                self.changed, self.hq = bool(self.hq), hq
            case Activate(unit):
                self.pay(table, unit)
                if unit in SHIPS:
                    self.moving = True
                    return Sortie(ship=unit)
                activate(table, unit)
            case Embark(unit):
                self.moving = True
                return Boarding(unit=unit)
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
            told = replace(
                operation,
                hq=lead(table.open, table.own[self.side], self.hq),
                bid=granted(table.open, operation),
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
        """Return the points that the side may still spend in this window, by its limit and its HQ.

        Without a bid the limit is what the headquarters has (P1.3), which is nobody else's to know (P0.4.2).
        """
        operation, points = under_way(open), purse(open, own, self.hq) if self.hq else 0
        if self.side == operation.player:
            return min(points, operation.bid - operation.spent - self.spent) if operation.bid else points
        most = (
            joint_limit(operation) - operation.answered
            if self.kind == "joint"
            else reaction_limit(operation, own.means.condition)
        )
        return min(points, most - self.ap)

    def eligible(self, open: Open, own: Own) -> list[str]:
        """Return the units that may be activated now (P20.2.1), by id."""
        return list(self.among(open, own, idle(open, own, self.side))) if self.hq else []

    def among(self, open: Open, own: Own, units: Sequence[str]) -> Iterator[str]:
        """Yield those of some idle units that the headquarters commands and can pay for.

        An Operation cost is outside the Reaction limit (P22).
        """
        near = set(own.means.near) if self._bounded(open) else None
        left, points = self.left(open, own), purse(open, own, self.hq)
        bidden = self.side == under_way(open).player
        for unit in units:
            if (near is None or unit in near) and commanded(open, own, self.hq, unit):
                cost = price(open, own, unit)
                whole = cost + charge_of(open, own, self.hq, cost)
                if whole <= left if bidden else cost <= left and whole <= points:
                    yield unit

    def _bounded(self, open: Open) -> bool:
        return self.kind == "reaction" and under_way(open).level == 1

    def may_name(self, open: Open) -> bool:
        """Return whether the side may name the paying HQ: once; at Level 3 the Reaction player again once.

        The Operation player is not asked, unless he leads without a bid.
        """
        operation = under_way(open)
        if self.side == operation.player and opening(open):
            return True
        if self.side == operation.player or not self.hq:
            return not self.hq
        return operation.level == HIGHEST and not self.changed

    def headquarters(self, open: Open, own: Own) -> list[str]:
        """Return the headquarters that may pay: with points and an eligible unit, as many as P22 allows."""
        operation = under_way(open)
        used = [hq for hq, points in own.means.used.items() if points]
        mine = MOST_STAFFS if opening(open) else 1
        most = mine if self.side == operation.player else HEADQUARTERS_BY_LEVEL[operation.level]
        able = [hq for hq in spenders(open, own) if hq not in self.named]
        if len(used) >= most:
            able = [hq for hq in able if hq in used]
        units = idle(open, own, self.side)
        return [hq for hq in able if any(self.with_hq(hq).among(open, own, units))]

    def with_hq(self, hq: str) -> "Activation":
        """Return this window with another paying headquarters."""
        return replace(self, hq=hq)

    def affordable(self, open: Open, own: Own) -> int:
        """Return the most Time Multiples that the points allow (P20.2.5)."""
        return self.left(open, own) // max(1, multiple_cost(self.ap))

    def taken_back(self, own: Own) -> list[str]:
        """Return the units whose activation may be taken back: each once, a ship only with nothing aboard."""
        return [
            unit
            for unit in sorted(self.paid)
            if unit not in self.undone
            and not (unit in own.ships and (aboard(own, [unit]) or own.ships[unit].tf in self.out))
        ]

    def goes_on(self, open: Open, own: Own, decision: Decision, undo: Sequence[str]) -> bool:
        """Return whether the side is sure to be asked again after a decision, and the enemy is shown nothing.

        Who may be passed over is not asked when nothing is left to choose (P0.3): not where a second pick
        follows, nor while a unit can be taken back (`undo` are those now). Who leads has the time still to
        choose.
        """
        into = _ways(open, own, decision)
        if len(into) > 1 or isinstance(decision, PayFrom):
            return True
        if any(tf in open.tfs and open.tfs[tf].detected for tf in into):
            return False
        asked = not self.may_be_passed_over(open)
        match decision:
            case Activate() | Embark():
                return asked or self.kind == "operation"
            case UndoActivation(unit):
                return asked or self.paid[unit] == self.hq or len(undo) > 1
        return False

    # paying

    def pay(self, table: Table, unit: str) -> None:
        """Pay for a unit, and the Operation cost of the headquarters if it falls due."""
        own = table.own[self.side]
        cost = price(table.open, own, unit)
        falls, fee = due(own, self.hq, cost), charge_of(table.open, own, self.hq, cost)
        used = own.means.used | {self.hq: own.means.used.get(self.hq, 0) + cost}
        charged = (*own.means.charged, self.hq) if falls else None
        self.drawn += draw(table, self.side, self.hq, cost + fee, "activating", used=used, charged=charged)
        self.paid, self.named = self.paid | {unit: self.hq}, ()
        self.costs = self.costs | {unit: cost}
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
        means, cost = own.means, self.costs[unit]
        used = means.used.get(hq, 0) - cost
        # What was due before this window is due whatever is taken back in it.
        falls = hq in means.charged and used <= THRESHOLD
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


def _ways(open: Open, own: Own, decision: Decision) -> list[str]:
    """Return the task force of each second pick that follows, by which a ship or troops may go into it.

    It is empty for a new one.
    """
    match decision:
        case Activate(unit) if unit in SHIPS:
            return [
                "" if isinstance(one, FormTF) else one.tf for one in places(open, own, OWNERS[unit], unit)
            ]
        case Embark(unit):
            into = [one.into for one in boarding(open, own, unit)]
            return [one if one in own.fleets else own.ships[one].tf for one in into]
    return []
