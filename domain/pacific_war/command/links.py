"""P11.6 Command Links: which hexes a headquarters commands, and what its owner is told of it; safe paths.

A path runs over hexes: sea and land are joined in shore hexes, whose coasts connect (R-67). The umpire makes
the test with everything in sight; the owner is told the result alone (P11.6.1).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache

from msgspec import Struct

from domain.pacific_war.board.atlas import FORBIDDEN, area, beside, landward, nodes, seaward, within
from domain.pacific_war.board.campaigns import HEADQUARTERS, of_side
from domain.pacific_war.board.charts import ALLIES, BOXES, JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.room import friendly
from domain.pacific_war.board.special_boats import seaplane_bases
from domain.pacific_war.board.table import (
    Open,
    Own,
    Table,
    air_class,
    enemy,
    fleet_hex,
    home_hex,
    warship,
)
from domain.pacific_war.facts.months import LinksAre, war

OSB_RADIUS: int = TABLES["command_links"]["osb_radius"]
NEAR_AIRBASE = 2
"""P11.6 c: hexes from an enemy airbase that its aircraft block, and from own fighters that keep it open."""
MENACE = ("1E", "2E", "4E")
"""P11.6 c: kinds of land-based air units that block."""
ENOUGH = 2
"""P11.6 c: so many such units at an airbase block."""
DANGER: int = TABLES["strategic_transport"]["danger_radius"]
"""P13.2.2: hexes from an airbase with enemy aircraft that a transport path keeps away."""
FROM_A_BOX = 4
"""P11.2.1.4: by so much the radius of a headquarters in a box is less; it runs from the entry ports."""
FROM_HOME: dict[int, frozenset[str]] = {
    JAPAN: frozenset(),
    ALLIES: frozenset({LOCATIONS["fremantle"].hex}),
}
"""R-94: hexes that count as Linked for a side in P13, P15, P16, P17, P25.1 and P31.7 in any case."""
COVER = ("1E", "CVG")
"""P11.6 c: kinds that keep a hex open."""


@cache
def roads(hex: str) -> tuple[str, ...]:
    """Return the hexes beside a hex that a link can go on to: by sea, or by land that is not forbidden."""
    found = {end[:4] for node in nodes(hex) for end in seaward(node)}
    if hex not in FORBIDDEN:
        found |= {end for end in landward(hex) if end not in FORBIDDEN}
    return tuple(end for end in beside(hex) if end in found)


def spread(starts: Iterable[str], radius: int, blocked: Collection[str]) -> dict[str, int]:
    """Return the hexes within `radius` of any start by a path of which no hex between is blocked."""
    edge = list(starts)
    first, seen = set(edge), dict.fromkeys(edge, 0)
    for far in range(1, radius + 1):
        edge_next: list[str] = []
        for one in edge:
            if one in blocked and one not in first:
                continue
            for end in roads(one):
                if end not in seen:
                    seen[end] = far
                    edge_next.append(end)
        edge = edge_next
    return seen


def held(table: Table, side: int) -> set[str]:
    """Return the hexes that the enemy holds against links of a side: garrisons, warships (P11.6 a, b)."""
    board, foe = table.open, enemy(side)
    theirs = table.own[foe]
    manned = {one.hex for one in theirs.ground.values() if one.steps and not one.broken}
    hexes = {LOCATIONS[place].hex for place, base in board.bases.items() if base.control == foe} & manned
    return hexes | {fleet_hex(board, tf) for tf in theirs.fleets if warship(board, theirs, tf)}


def menacing(table: Table, side: int) -> set[str]:
    """Return the hexes that enemy aircraft block for a side if nobody covers them (P11.6 c).

    Their bases are Linked without c.
    """
    board, foe = table.open, enemy(side)
    theirs = table.own[foe]
    linked: set[str] | None = None
    found, menaces = set[str](), wings(theirs)
    for place, base in board.bases.items():
        if base.control != foe or base.interdicted or menaces[place] < ENOUGH:
            continue
        if linked is None:
            linked = set().union(*reach(table, foe, held(table, foe)).values())
        if LOCATIONS[place].hex in linked:
            found |= within(LOCATIONS[place].hex, NEAR_AIRBASE)
    return found


def covered(table: Table, side: int) -> set[str]:
    """Return the hexes that own fighters keep open for a side (P11.6 c)."""
    return set().union(*(within(spot, NEAR_AIRBASE) for spot in _cover(table, table.own[side])))


def wings(own: Own) -> Counter[str]:
    """Return how many air units of a kind that blocks are at each place (P11.6 c)."""
    return Counter(air.home for unit, air in own.air.items() if air.steps and air_class(unit).kind in MENACE)


def _cover(table: Table, own: Own) -> Iterator[str]:
    """Yield the hexes of own fighters; groups in the Penalty box or in no place cover none."""
    for unit, air in own.air.items():
        if not air.steps or air_class(unit).kind not in COVER:
            continue
        if air.home in LOCATIONS or (
            air.home in own.ships and (own.ships[air.home].tf or own.ships[air.home].port in LOCATIONS)
        ):
            yield home_hex(table.open, own, unit)


def reach(table: Table, side: int, blocked: Collection[str]) -> dict[str, frozenset[str]]:
    """Return each headquarters of a side on the map to the hexes it has a link to (P11.6).

    A link runs on from an Offensive Support Base that has one itself, within 8 hexes; chains are allowed.
    """
    board, shut = table.open, frozenset(blocked)
    bases = tuple(
        LOCATIONS[place].hex for place, base in board.bases.items() if base.control == side and base.osb
    )
    found = dict[str, frozenset[str]]()
    for hq, post in sorted(war(board).posts.items()):
        if of_side(hq) != side:
            continue
        if post.site in LOCATIONS:
            found[hq] = _chain((LOCATIONS[post.site].hex,), HEADQUARTERS[hq].radius, bases, shut)
        elif post.site in BOXES:
            ports = [place for place in BOXES[post.site].entry if board.bases[place].control == side]
            starts = tuple(LOCATIONS[place].hex for place in ports)
            found[hq] = _chain(starts, HEADQUARTERS[hq].radius - FROM_A_BOX, bases, shut)
    return found


@lru_cache(128)
def _chain(
    starts: tuple[str, ...], radius: int, bases: tuple[str, ...], blocked: frozenset[str]
) -> frozenset[str]:
    """Return the hexes that are reached from these, and by chains of support bases.

    It goes by nothing but what is printed and what it is given. A month asks for the same again and again:
    after every decision of 5.1.I to 5.1.M, which most often change nothing in it.
    """
    found, left = set(spread(starts, radius, blocked)), set(bases)
    while fresh := left & found:
        left -= fresh
        for base in fresh:
            found |= spread([base], OSB_RADIUS, blocked).keys()
    return frozenset(found)


class Blockers(Struct, frozen=True):
    """What the enemy blocks for a side at one moment; its own aircraft may keep some of it open."""

    held: tuple[str, ...]
    menaced: tuple[str, ...]


def blockers(table: Table, side: int) -> Blockers:
    """Return what the enemy blocks for a side now."""
    return Blockers(tuple(sorted(held(table, side))), tuple(sorted(menacing(table, side))))


def links(table: Table, side: int, foe: Blockers | None = None) -> dict[str, tuple[str, ...]]:
    """Return each headquarters of a side to the hexes it has a link to now, by id.

    Only locations, hexes of own task forces and of own units are ends (R-38), seaplane bases among them.
    With `foe`, the enemy blocks what he blocked at another moment (R-50).
    """
    foe = foe or blockers(table, side)
    aircraft = set(foe.menaced) - covered(table, side) if foe.menaced else set()
    blocked = {*foe.held, *aircraft}
    ends = _ends(table, side)
    return {hq: tuple(sorted(hexes & ends)) for hq, hexes in reach(table, side, blocked).items()}


def linked_hexes(table: Table, side: int) -> set[str]:
    """Return the hexes to which any headquarters of a side has a link now (R-73)."""
    return {spot for hexes in links(table, side).values() for spot in hexes}


def _ends(table: Table, side: int) -> set[str]:
    board, own = table.open, table.own[side]
    ends = {LOCATIONS[place].hex for place in board.bases}
    ends |= {*seaplane_bases(board, side).values(), *(fleet_hex(board, tf) for tf in own.fleets)}
    return ends | {unit.hex for unit in own.ground.values() if unit.hex}


def tell_links(table: Table, *sides: int) -> None:
    """Tell sides their links as they are at this moment, each its own alone (P11.6.1)."""
    for side in sides:
        table.record(LinksAre(side, links(table, side)))


def tell_paths(table: Table, side: int) -> None:
    """Tell a side its links and the hexes that a transport path may use (P13.2.2)."""
    table.record(LinksAre(side, links(table, side), safe(table, side)))


def relink(table: Table, side: int, foe: Blockers) -> None:
    """Tell a side its links if they have changed by its own doing; the enemy is as he was (R-50)."""
    now = links(table, side, foe)
    if now != table.own[side].means.links:
        table.record(LinksAre(side, now))


def safe(table: Table, side: int) -> tuple[str, ...]:
    """Return the hexes with water that a transport path of a side may use (P13.2.2).

    They are in the area, hold no enemy task force, and are out of reach of enemy aircraft on airbases.
    """
    board, foe = table.open, enemy(side)
    shut = {force.node[:4] for force in board.tfs.values() if force.side == foe}
    menaces = wings(table.own[foe])
    for place, base in board.bases.items():
        if base.control == foe and not base.interdicted and menaces[place]:
            shut |= within(LOCATIONS[place].hex, DANGER)
    return tuple(one for one in waters(board.scenario) if one not in shut)


@cache
def waters(scenario: str) -> tuple[str, ...]:
    """Return the hexes of a scenario's area that have water, by number."""
    return tuple(sorted(one for one in area(scenario) if nodes(one)))


def linked(own: Own, hex: str) -> bool:
    """Return whether any own headquarters has a link to a hex, by what the side was told (R-73)."""
    return any(hex in hexes for hexes in own.means.links.values())


def reached(open: Open, own: Own, side: int, place: str) -> bool:
    """Return whether a location is friendly and Linked, by what the side was told (R-50): P11.7, P14."""
    return friendly(open, side, place) and linked(own, LOCATIONS[place].hex)


def reached_places(open: Open, own: Own, side: int) -> list[str]:
    """Return the locations that are friendly and Linked, by id: `reached` for all at once."""
    hexes = linked_places(own)
    return [
        place for place in sorted(open.bases) if friendly(open, side, place) and LOCATIONS[place].hex in hexes
    ]


def supplied(own: Own, side: int, hex: str) -> bool:
    """Return whether a hex is Linked, or counts as Linked (R-94): for P13, P15, P16, P17 and P31.7."""
    return linked(own, hex) or hex in FROM_HOME[side]


def linked_places(own: Own) -> frozenset[str]:
    """Return the hexes to which any own headquarters has a link, by what the side was told (R-73)."""
    return frozenset().union(*own.means.links.values())


def linked_to(own: Own, hq: str, hex: str) -> bool:
    """Return whether a headquarters has a link to a hex, by what the side was told."""
    return hex in own.means.links.get(hq, ())


def richest(own: Own, cost: int) -> list[str]:
    """Return the headquarters with so many points, wherever they are: that with most first (P11.8)."""
    able = [hq for hq, points in own.means.points.items() if points >= cost]
    return sorted(able, key=lambda hq: (-own.means.points[hq], hq))


def pays_for(own: Own, hq: str, hex: str) -> bool:
    """Return whether a headquarters pays for work in a hex: it has a link, or any will do (P11.8, R-94)."""
    return linked_to(own, hq, hex) or hex in FROM_HOME[of_side(hq)]


def payers(own: Own, hex: str, cost: int) -> list[str]:
    """Return the headquarters that pay for work in a hex and have so many points: that with most first."""
    able = [hq for hq, points in own.means.points.items() if points >= cost and pays_for(own, hq, hex)]
    return sorted(able, key=lambda hq: (-own.means.points[hq], hq))
