"""P11.7 Emergency links: what keeps them up, and what is supported where no headquarters reaches.

All is asked of one side's own knowledge; everybody sees only where a link is. Deliberately absent: how a link
is established and dropped (`months.lifelines`), and where support is felt (P12, P16, P20.1, P31.7, P31.8).
"""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from domain.pacific_war.board.atlas import distance, flood
from domain.pacific_war.board.boxes import travelling
from domain.pacific_war.board.charts import LOCATIONS, TABLES
from domain.pacific_war.board.table import (
    Open,
    Own,
    Table,
    air_class,
    fit,
    location_of,
    printed,
    troops_in,
)
from domain.pacific_war.board.war import EmergencyLink
from domain.pacific_war.command.links import reached
from domain.pacific_war.facts.months import MeansAre

_TABLE = TABLES["emergency_links"]
ESTABLISH: int = _TABLE["establish_cp"]
MAINTAIN: int = _TABLE["maintain_cp"]
LEAST = 2
"""P11.7: steps of the air unit that keeps up a link."""


class Kind(Struct, frozen=True):
    """P11.7 A kind of emergency link: the ground steps that it supports, and its reach in hexes."""

    id: str
    steps: int
    reach: int

    @property
    def bases(self) -> bool:
        """Whether it supports the bases too, and with them the aircraft and the ships there."""
        return self.id == "destroyer"


KINDS = {row["id"]: Kind(row["id"], row["supports_steps"], row["range"]) for row in _TABLE["kinds"]}


def serving(open: Open, own: Own, place: str) -> Kind | None:
    """Return the kind of the link at an own location, or None: no link, or what kept it up is gone."""
    link = own.means.emergency.get(place)
    return KINDS[link.kind] if link and _stands(open, own, place, link) else None


def _stands(open: Open, own: Own, place: str, link: EmergencyLink) -> bool:
    """Return whether what keeps up a link is there; it may have been driven to a place out of reach."""
    if link.kind == "destroyer":
        near = own.ships[link.asset].port in sea_near(place)
        return near and _idle_destroyer(open, own, link.asset)
    if link.kind == "air":
        return _idle_transport(own, link.asset) and _reaches(own.air[link.asset].home, place, link.kind)
    base = open.bases[link.asset]
    return base.command and base.control == open.bases[place].control


def _idle_destroyer(open: Open, own: Own, ship: str) -> bool:
    one = own.ships[ship]
    return bool(one.port) and not one.active and printed(open, ship).cls == "DD" and fit(open, own, ship)


def _idle_transport(own: Own, unit: str) -> bool:
    air = own.air[unit]
    return air_class(unit).kind == "TR" and air.steps >= LEAST and air.home in LOCATIONS and not air.active


def tied(own: Own) -> frozenset[str]:
    """Return the units that keep up emergency links: they do nothing else (P11.7)."""
    return frozenset(link.asset for link in own.means.emergency.values())


def supported(open: Open, own: Own, unit: str) -> bool:
    """Return whether an emergency link, or supply by air (P28.11), supports an own unit (P11.7)."""
    if unit in own.ground:
        return bool(own.ground[unit].hex) and unit in _fed(open, own, own.ground[unit].hex)
    home = own.ships[unit].port if unit in own.ships else own.air[unit].home
    return supports_bases(open, own, own.ships[home].port if home in own.ships else home)


def supports_bases(open: Open, own: Own, place: str) -> bool:
    """Return whether an emergency link supports the bases of an own location (P2.3.2.1)."""
    kind = serving(open, own, place)
    return kind is not None and kind.bases


def _fed(open: Open, own: Own, hex: str) -> list[str]:
    """Return the own ground units in a hex that are supported: by id, as far as the steps go (R-81).

    Supply that was flown in adds to a link (P28.11). While the Operation is suspended, Activated units draw
    on it and leave the steps to others (R-111).
    """
    kind = serving(open, own, location_of(hex))
    left, found = (kind.steps if kind else 0) + own.means.supplied.get(hex, 0), list[str]()
    apart = open.war and open.war.operation and open.war.operation.suspended
    for unit in troops_in(own, hex) if left else []:
        if not (apart and own.ground[unit].active) and own.ground[unit].steps <= left:
            left -= own.ground[unit].steps
            found.append(unit)
    return found


# what can keep up a link


def assets(open: Open, own: Own, side: int, place: str, kind: str) -> list[str]:
    """Return what can keep up a link of a kind at a location, by id: at another place, which is Linked.

    A submarine point is named by its Command.
    """
    busy = tied(own)
    if kind == "submarine":
        return [
            command
            for command, points in sorted(own.means.submarines.items())
            if points > 0 and _near(open, own, side, command, place, kind)
        ]
    if kind == "air":
        return [
            unit
            for unit in sorted(own.air)
            if unit not in busy
            and not travelling(own, unit)
            and _idle_transport(own, unit)
            and not own.air[unit].isolated
            and not open.bases[own.air[unit].home].interdicted
            and _near(open, own, side, own.air[unit].home, place, kind)
        ]
    return [
        ship
        for ship in sorted(own.ships)
        if ship not in busy
        and not travelling(own, ship)
        and own.ships[ship].port in sea_near(place)
        and _idle_destroyer(open, own, ship)
        and reached(open, own, side, own.ships[ship].port)
    ]


def _near(open: Open, own: Own, side: int, origin: str, place: str, kind: str) -> bool:
    return _reaches(origin, place, kind) and reached(open, own, side, origin)


def _reaches(origin: str, place: str, kind: str) -> bool:
    return distance(LOCATIONS[origin].hex, LOCATIONS[place].hex) <= KINDS[kind].reach


@cache
def sea_near(place: str) -> frozenset[str]:
    """Return the locations whose ports destroyers reach from that of a location, by sea (P11.7)."""
    coast = LOCATIONS[place].coast
    if not coast:
        return frozenset()
    near = flood(coast, KINDS["destroyer"].reach)
    return frozenset(other for other, one in LOCATIONS.items() if one.coast in near)


# the books


def establish(table: Table, side: int, place: str, link: EmergencyLink) -> None:
    """Note a link on a side's books; a submarine point that keeps it up leaves its Command."""
    means = table.own[side].means
    links, boats = means.emergency | {place: link}, _points(means.submarines, link, -1)
    table.record(MeansAre(side, emergency=links, submarines=boats, why="an emergency link is established"))


def drop(table: Table, side: int, place: str) -> None:
    """Take a link off a side's books: its asset is free, a submarine point is at its Command again."""
    means = table.own[side].means
    left = {one: link for one, link in means.emergency.items() if one != place}
    link = means.emergency[place]
    boats = _points(means.submarines, link, 1)
    table.record(MeansAre(side, emergency=left, submarines=boats, why="an emergency link ends"))


def _points(ports: Mapping[str, int], link: EmergencyLink, more: int) -> dict[str, int] | None:
    """Return the points of a Command after a link of its submarines, or None for one of another kind."""
    return {link.asset: ports.get(link.asset, 0) + more} if link.kind == "submarine" else None
