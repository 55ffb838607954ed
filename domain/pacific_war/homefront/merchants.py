"""P9.3 Merchant shipping attrition (5.1.F): submarines against merchants and escorts, and the answer.

What goes in is given, what comes out is returned; the phase that keeps it is in `shipping`.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from domain.pacific_war.board.campaigns import since
from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.combat import Shifts, d10, dated, month, uct
from domain.pacific_war.board.table import Open, Own, Table, air_class, based
from domain.pacific_war.command.links import linked

_MERCHANT: dict[str, Any] = TABLES["merchant"]
MOST_MSP: Final[int] = _MERCHANT["cap"]
START_MSP: Final[dict[str, int]] = _MERCHANT["start"]
"""P9.4: first month of a scenario to the Merchant Shipping Points at its start."""
REGIONS: Final[dict[str, tuple[str, ...]]] = {
    row["id"]: tuple(row["controlled_any_of"]) for row in _MERCHANT["interdiction_strength"]["regions"]
}
"""P9.3: choke region to its locations."""
HUNTERS = ("2E", "4E", "LRA")
"""P9.3: kinds of air units that interdict a choke region."""
ASW_EXTRA = 5
"""P9.3: what is added to the escorts for anti-submarine strength."""
FEW_RESOURCES, HALVED_SINCE = 4, "1942-07"
"""P14.3: with fewer resource hexes, from this month on, half of the addition arrives."""

Priority = Literal["merchants", "escorts"]


class Trade(Struct, frozen=True):
    """P9.3 What attrition goes by in a month."""

    msp: int
    boats: int
    """Submarine points on merchant duty."""
    markers: int
    """Escort points that are markers."""
    destroyers: tuple[str, ...] = ()
    """DD units on escort duty, each an escort point."""
    level: int = 0
    """Strategic Intelligence of the Allies (P7.2)."""
    regions: int = 0
    """Choke regions that the Allies interdict."""
    priority: Priority = "merchants"

    @property
    def escorts(self) -> int:
        """All escort points on duty, as they were when the phase began (R-82)."""
        return self.markers + len(self.destroyers)


class Toll(Struct, frozen=True):
    """P9.3 What a month costs: points of each kind."""

    merchants: int = 0
    escorts: int = 0
    marine: int = 0
    boats: int = 0


def banded(name: str, value: int) -> int:
    """Return the shift of a band of `merchant`: `escort_shift` or `scarcity_shift` (P9.3)."""
    return next(
        int(row["shift"])
        for row in _MERCHANT[name]
        if value >= row["min"] and (row["max"] is None or value <= row["max"])
    )


def merchant_shifts(open: Open, trade: Trade) -> Shifts:
    """Return the shifts of the attack on merchants (P9.3)."""
    extra: int = _MERCHANT["escort_priority"]["extra_shift_on_merchants"]
    return [
        ("Strategic Intelligence", _MERCHANT["si_shift"][str(trade.level)]),
        ("torpedoes of the time", dated(open, "sub_torpedo_shift", ALLIES)),
        ("escorts", banded("escort_shift", trade.escorts)),
        ("few merchants left", banded("scarcity_shift", trade.msp)),
        ("escorts first", extra if trade.priority == "escorts" else 0),
    ]


def attrition(table: Table, trade: Trade) -> Toll:
    """Roll what a month costs Japan and the Allies (P9.3); the first die is unseen, the others are open."""
    merchants = min(trade.msp, _merchants(table, trade))
    escorts = _escorts(table, trade)
    marine = marine_losses(month(table.open), d10(table, "marine losses", by=-1))
    boats = _answer(table, trade)
    return Toll(merchants, escorts, min(marine, trade.msp - merchants), boats)


def _merchants(table: Table, trade: Trade) -> int:
    """Return the merchants that submarines sink; with priority on escorts half of them, rounded up."""
    if not trade.boats:
        return 0
    shifts = merchant_shifts(table.open, trade)
    sunk = uct(table, "attack on merchants", trade.boats + trade.regions, shifts, by=ALLIES, unseen=True)
    return (sunk + 1) // 2 if trade.priority == "escorts" else sunk


def _escorts(table: Table, trade: Trade) -> int:
    """Return the escort points that submarines sink, at most all; only with priority on escorts."""
    if trade.priority != "escorts":
        return 0
    shifts = [
        ("escorts", int(_MERCHANT["escort_priority"]["escort_loss_shift"])),
        ("torpedoes of the time", min(0, dated(table.open, "sub_torpedo_shift", ALLIES))),
    ]
    return min(trade.escorts, uct(table, "attack on escorts", trade.boats, shifts, by=ALLIES))


def marine_losses(date: str, face: int) -> int:
    """Return the merchants that are lost at sea without a fight (P9.3)."""
    lost: list[int] = since(_MERCHANT["marine_losses_by_d10"], date)
    return lost[face]


def _answer(table: Table, trade: Trade) -> int:
    """Return the submarine points that escorts and aircraft sink, at most all (P9.3)."""
    if not trade.boats:
        return 0
    asw = _MERCHANT["asw"]
    shifts = [
        ("ASW of the time", int(since(asw["shift"], month(table.open)))),
        ("escorts first", int(asw["escort_priority_shift"]) if trade.priority == "escorts" else 0),
    ]
    strength = trade.escorts + ASW_EXTRA
    return min(trade.boats, uct(table, "anti-submarine warfare", strength, shifts, by=JAPAN))


def share_escort_losses(markers: int, destroyers: Mapping[str, int], lost: int) -> tuple[int, dict[str, int]]:
    """Return the markers lost, and hits by DD unit, of so many escort points (P9.3, R-35).

    Markers go first; then DD units take one hit at a time, the lowest id first while it has hits left.
    """
    taken = min(markers, lost)
    hits = dict[str, int]()
    rest = lost - taken
    for unit in sorted(destroyers):
        hits |= {unit: min(rest, destroyers[unit])} if rest else {}
        rest -= hits.get(unit, 0)
    return taken, hits


def interdicted(open: Open, own: Own) -> int:
    """Return the choke regions that the Allies interdict, by the links that they were told (P9.3)."""
    bases = {
        place
        for place, base in open.bases.items()
        if base.control == ALLIES
        and not base.interdicted
        and linked(own, LOCATIONS[place].hex)
        and any(air_class(unit).kind in HUNTERS for unit in based(own, place))
    }
    return regions(bases)


def regions(bases: Collection[str]) -> int:
    """Return how many choke regions have one of these bases."""
    return sum(any(place in bases for place in places) for places in REGIONS.values())


def grown(msp: int, date: str, resources: int) -> int:
    """Return the Merchant Shipping Points after those that a month adds (P14.3, P9.4)."""
    more: int = TABLES["points_schedule"]["msp"][date]
    if resources < FEW_RESOURCES and date >= HALVED_SINCE:
        more //= 2
    return min(MOST_MSP, msp + more)
