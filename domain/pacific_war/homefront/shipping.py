"""P9 Merchant shipping in the months of the war (5.1.D to 5.1.F): escorts, priority, attrition."""

from typing import Any

from domain.kernel.procedures import DONE, Decision, Flow, Procedure, ask, step
from domain.pacific_war.board.campaigns import since
from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.combat import month
from domain.pacific_war.board.room import berth
from domain.pacific_war.board.table import Open, Own, Sight, Table, fit, printed
from domain.pacific_war.command.emergency import tied
from domain.pacific_war.command.links import linked, tell_links
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.orders_of_war import AssignEscort, Priority, ReleaseEscort
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.cycle import Covered, ShipHit, UnitLost
from domain.pacific_war.facts.homefront import HomelandIs, ShippingFought
from domain.pacific_war.facts.months import MeansAre, war
from domain.pacific_war.homefront.merchants import Priority as First
from domain.pacific_war.homefront.merchants import Trade, attrition, interdicted, share_escort_losses

_LIMIT: list[list[Any]] = TABLES["merchant"]["dd_escort_limit"]
ABROAD = ("takao", "singapore", "palau", "truk")
"""P9.1: ports beside those of the homeland where destroyers are put on escort duty."""


def most_destroyers(date: str) -> int:
    """Return how many DD units may be on escort duty in a month (P9.1)."""
    limit: int = since(_LIMIT, date)
    return limit


def assignable(open: Open, own: Own) -> list[str]:
    """Return the DD units that may be put on duty, by id (P9.1).

    Read so: only a port of the homeland must be Linked, and all must be Japanese-controlled. Those that keep
    up an emergency link are at that (P11.7).
    """
    busy = tied(own)
    ports = [
        place
        for place, base in open.bases.items()
        if base.control == JAPAN
        and (place in ABROAD or (LOCATIONS[place].homeland and linked(own, LOCATIONS[place].hex)))
    ]
    return [
        ship
        for ship, one in sorted(own.ships.items())
        if one.port in ports
        and not one.active
        and printed(open, ship).cls == "DD"
        and fit(open, own, ship)
        and ship not in busy
    ]


def harbours(open: Open, own: Own) -> list[str]:
    """Return the ports of the homeland with room for destroyers that are off duty, by id (P9.1)."""
    return [
        place
        for place, base in sorted(open.bases.items())
        if base.control == JAPAN and base.port and LOCATIONS[place].homeland and berth(open, own, place)
    ]


class EscortDuty(Procedure):
    """P9.1 JAPAN PUTS DESTROYERS ON ESCORT DUTY."""

    ordered: tuple[str, ...] = ()
    """Units that were put on duty or taken off it: each once a month."""

    @step("11.6.1")
    def learn(self, table: Table) -> None:
        """Tell Japan its links."""
        tell_links(table, JAPAN)

    @ask("9.1", by="japan")
    def order(self, sight: Sight) -> list[Decision]:
        """Put destroyers on escort duty or off it, or be done. It is secret until shipping is attacked."""
        board, own = sight.open, sight.own
        on = own.means.escorting
        free = len(on) < most_destroyers(month(board))
        found: list[Decision] = [
            AssignEscort(dd) for dd in assignable(board, own) if free and dd not in self.ordered
        ]
        found += [
            ReleaseEscort(dd, port)
            for dd in sorted(on)
            if dd not in self.ordered
            for port in harbours(board, own)
        ]
        return [*found, Done()] if found else []

    @order.chosen
    def _(self, table: Table, decision: AssignEscort | ReleaseEscort | Done) -> Flow:
        if isinstance(decision, Done):
            return DONE
        on = table.own[JAPAN].means.escorting
        if isinstance(decision, AssignEscort):
            on = (*on, decision.dd)
            if decision.dd in table.open.ships:
                table.record(Covered(ships=(decision.dd,)))
            _berth(table, decision.dd, "")
        else:
            on = tuple(dd for dd in on if dd != decision.dd)
            _berth(table, decision.dd, decision.port)
        table.record(MeansAre(JAPAN, escorting=on, why="on escort duty"))
        self.ordered += (decision.dd,)
        return self.order

    @step("9.1")
    def over(self, _table: Table) -> None:
        """Nothing more can be ordered."""

    @property
    def japan(self) -> int:
        """Japan is asked."""
        return JAPAN


def _berth(table: Table, ship: str, port: str) -> None:
    now = Changes(table, "off escort duty" if port else "on escort duty")
    now.ship(ship, port=port, isolated=False)
    now.record()


class SubmarinePriority(Procedure):
    """P9.2 THE ALLIES CHOOSE WHAT THEIR SUBMARINES GO FOR."""

    @ask("9.2", by="allies")
    def choose(self, _sight: Sight) -> list[Decision]:
        """Choose what the submarines on merchant duty go for this month."""
        return [Priority("merchants"), Priority("escorts")]

    @choose.chosen
    def _(self, table: Table, decision: Priority) -> Flow:
        table.record(MeansAre(ALLIES, priority=decision.what, why="for the submarines on merchant duty"))
        return DONE

    @property
    def allies(self) -> int:
        """The Allies are asked."""
        return ALLIES


def suffer(table: Table) -> None:
    """Roll the attrition of a month, and tell what fought and what is lost (P9.3)."""
    board, mine, theirs = table.open, table.own[JAPAN].means, table.own[ALLIES].means
    tell_links(table, ALLIES)
    first: First = "escorts" if theirs.priority == "escorts" else "merchants"
    trade = Trade(
        war(board).msp,
        theirs.duty,
        mine.escorts,
        mine.escorting,
        theirs.level,
        interdicted(board, table.own[ALLIES]),
        first,
    )
    toll = attrition(table, trade)
    told = (toll.merchants, toll.escorts, toll.marine, toll.boats)
    table.record(ShippingFought(trade.boats, trade.escorts, first, *told))
    left = trade.msp - toll.merchants - toll.marine
    table.record(HomelandIs(msp=left, why="after the month's losses at sea"))
    table.record(MeansAre(ALLIES, duty=trade.boats - toll.boats, why="after the losses on merchant duty"))
    _lose_escorts(table, toll.escorts)


def _lose_escorts(table: Table, lost: int) -> None:
    """Take escort points off Japan: markers, then hits on its destroyers on duty (P9.3, R-35)."""
    board, own = table.open, table.own[JAPAN]
    means = own.means
    health = {dd: printed(board, dd).hits - own.ships[dd].damage for dd in means.escorting}
    markers, hits = share_escort_losses(means.escorts, health, lost)
    now = Changes(table, "on escort duty")
    for dd, count in hits.items():
        full, damage = printed(board, dd).hits, own.ships[dd].damage + count
        now.ship(dd, damage=damage)
        now.tell(ShipHit(dd, count, damage, full))
        if damage >= full:
            now.tell(UnitLost(dd, JAPAN, "sunk"))
    now.record()
    on = tuple(dd for dd in means.escorting if dd not in board.lost)
    table.record(MeansAre(JAPAN, escorts=means.escorts - markers, escorting=on, why="after the losses"))
