"""P24 Search: what can be found, by whom, at what distance."""

from collections.abc import Iterator

from domain.kernel.facts import Modifier
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import ALLIES, DUSK, LOCATIONS, NIGHT, REACH, SEARCH, TABLES, band
from domain.pacific_war.board.combat import dated
from domain.pacific_war.board.special import search_limit
from domain.pacific_war.board.table import (
    Open,
    Own,
    Table,
    air_class,
    at_base,
    base_hex,
    enemy,
    fleet_hex,
    flies,
    home_hex,
    members,
    printed,
    surface,
    troops_in,
)
from domain.pacific_war.board.weather import SEARCH_SHIFT, foul
from domain.pacific_war.facts.cycle import Noticed
from domain.pacific_war.facts.intelligence import detect
from domain.pacific_war.facts.silence import cushion, sealed

MEETING_AT_NIGHT = 6
"""P24.3: at Night fleets on one node find each other on this face or less."""
COASTWATCHERS = 1
"""P24.2: what a coastwatch location adds."""
MANY, FEW = 8, 2
"""P24.2: so many units in a task force, or more, are found more easily; so many, or fewer, less."""
CONDITION: dict[str, int] = TABLES["reaction"]["search_mod"]
"""P22: what the Reaction player's searches in 5.1.R are modified by."""
MOST_FURTHER = 2
"""P24.2: what further classes of source add at most."""

Source = tuple[str, str, int]
"""Class of source, its hex, and what is added to its value."""


def sources(open: Open, own: Own, side: int) -> list[Source]:
    """Return all that searches for a side (P24.2)."""
    return [*_aircraft(open, own), *_fleets(open, own), *_shore(open, own, side)]


def _aircraft(open: Open, own: Own) -> Iterator[Source]:
    for unit, air in own.air.items():
        kind = air_class(unit).search
        if not air.steps or kind is None:
            continue
        if kind == "CVG":
            if air.searching:
                yield kind, home_hex(open, own, unit), 0
        elif at_base(air.home) and flies(open, own, unit):
            yield kind, base_hex(open, air.home), 0


def _fleets(open: Open, own: Own) -> Iterator[Source]:
    for tf in own.fleets:
        ships = members(own, tf)
        if any(printed(open, ship).float_planes for ship in ships):
            yield "FP", fleet_hex(open, tf), 0
        if any(surface(open, ship) for ship in ships):
            yield "TF", fleet_hex(open, tf), 0
    for at in own.patrols:
        yield "SUB", at, 0


def _shore(open: Open, own: Own, side: int) -> Iterator[Source]:
    for place, base in open.bases.items():
        spot, watch = LOCATIONS[place].hex, side == ALLIES and LOCATIONS[place].coastwatch
        manned = base.control == side and any(not own.ground[u].broken for u in troops_in(own, spot))
        if watch or manned:
            yield "COAST", spot, COASTWATCHERS if watch else 0


def chance(open: Open, found: list[Source], side: int, tf: str) -> tuple[int, list[Modifier]] | None:
    """Return the value of the best source in range of a task force and the modifiers, or None (P24.2)."""
    there = fleet_hex(open, tf)
    values: dict[str, int] = {}
    for kind, spot, more in found:
        far = distance(spot, there)
        if far > min(REACH[kind], search_limit(open, side)):
            continue
        value = SEARCH[kind][band(far)]
        if value is not None:
            values[kind] = max(values.get(kind, 0), value + more)
    if not values:
        return None
    best = max(values.values())
    more = min(MOST_FURTHER, len(values) - 1)
    return best, [Modifier("further sources", more)] if more else []


def _modifiers(open: Open, own: Own, side: int, count: int, at: str) -> list[Modifier]:
    """Return what is added; in Contact Phases there is no lighting, and in 5.1.R the Condition counts."""
    lit = not open.phase.startswith("5.1")
    reacting = open.phase == "5.1.R" and side != open.operation and own.means.condition
    condition = CONDITION[own.means.condition] if reacting else 0
    rows = [
        ("Night", dated(open, "night_search_mod", side) if lit and open.lighting == NIGHT else 0),
        ("Dusk", -1 if lit and open.lighting == DUSK else 0),
        ("Condition", condition),
        ("foul weather", SEARCH_SHIFT if foul(open, at) else 0),
        ("8 or more units", 1 if count >= MANY else 0),
        ("2 or fewer units", -1 if count <= FEW else 0),
    ]
    return [Modifier(reason, amount) for reason, amount in rows if amount]


def search(table: Table, side: int) -> None:
    """Let a side search for each Undetected enemy task force (P24.1, P24.2).

    The dice are unseen, and as many facts are sealed as there are such task forces.
    """
    board, foe = table.open, enemy(side)
    hidden = sorted(tf for tf, force in board.tfs.items() if force.side == foe and not force.detected)
    mine, before = sources(board, table.own[side], side), sealed(table)
    seen = []
    for tf in hidden:
        found = chance(board, mine, side, tf)
        if found is None:
            continue
        value, further = found
        count = len(members(table.own[foe], tf))
        shifts = [*further, *_modifiers(board, table.own[side], side, count, fleet_hex(board, tf))]
        need = value + sum(one.amount for one in shifts)
        (die,) = table.roll_unseen(
            "search", 1, 10, by=side, target=f"{need} or less", subject=tf, modifiers=shifts
        )
        if die % 10 <= need:
            seen.append(tf)
    cushion(table, before, len(hidden))
    for tf in seen:
        detect(table, tf, "by search", "24.2")


def meetings_in_contact(table: Table) -> None:
    """Let task forces of both sides on one node find each other in a Contact Phase (P24.1, P24.3).

    There is no lighting then, so no die falls.
    """
    board = table.open
    for tf in sorted(tf for tf, force in board.tfs.items() if _meets(board, tf) and not force.detected):
        detect(table, tf, "by the enemy beside it", "24.3")


def meetings(table: Table) -> None:
    """Let task forces of both sides on one node find each other at the end of a movement phase (P24.3)."""
    board = table.open
    stayed = {tf: force.detected for tf, force in board.tfs.items() if not force.came}
    changed = {tf: detected for tf, detected in stayed.items() if detected != board.tfs[tf].known}
    if changed:
        table.record(Noticed(changed))
    met = [tf for tf, force in board.tfs.items() if _meets(board, tf) and not force.detected]
    order = sorted(met, key=lambda tf: (board.tfs[tf].side != board.advantage, tf))
    seen, before = [], sealed(table)
    for tf in order:
        if board.lighting == NIGHT:
            (die,) = table.roll_unseen(
                "meeting", 1, 10, by=enemy(board.tfs[tf].side), target="6 or less", subject=tf
            )
            if die % 10 > MEETING_AT_NIGHT:
                continue
        seen.append(tf)
    cushion(table, before, len(order) if board.lighting == NIGHT else 0)
    for tf in seen:
        detect(table, tf, "by the enemy beside it", "24.3")


def _meets(open: Open, tf: str) -> bool:
    force = open.tfs[tf]
    return any(other.side != force.side and other.node == force.node for other in open.tfs.values())
