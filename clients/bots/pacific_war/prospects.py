"""Pacific War for a bot: what missions promise, by kind and target (P28.5 to P28.7).

Deliberately absent: any choice.
"""

from typing import Final

from msgspec.structs import replace

from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.strikes import (
    Bombs,
    Mission,
    at_ships,
    best,
    cap_over,
    grouped,
    peril,
    price,
    raiders,
)
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.charts import LAUNCH_LIMIT, LOCATIONS
from domain.pacific_war.sight.shown import Ground

WORTH: Final = 0.4
"""The points that a mission must promise."""
CARRY: Final = 1.0
"""How many CAP steps that no escort engages a strike step can bear."""
AT_BASE: Final = {"strike_airbase": -1, "strike_port": -1, "strike_fort": -3, "strike_ground": -3}
TAKES: Final = 0.4
"""The part of what is at stake that is won if all defenders are Broken before our troops attack."""
TAKES_LATER: Final = 0.12


def hex_of(board: Board, place: str) -> str:
    """Return the hex of a location, a task force or a hex."""
    if place in LOCATIONS:
        return LOCATIONS[place].hex
    return board.node(place)[:4] if place in board.table.tfs else place[:4]


def plan(board: Board, kind: str, origin: str, target: str, start: str = "") -> Mission:
    """Return the best mission of a kind from a place at a target; with `start`, as if from that hex."""
    wings = [w for w in board.own_wings if w.place == origin]
    start, limit = start or hex_of(board, origin), 99
    if origin in LOCATIONS:
        base = board.table.locations[origin]
        limit = LAUNCH_LIMIT[max(0, base.airbase - base.airbase_damage)]
    if kind == "strike_tf":
        if board.night:
            return Mission()
        mission = at_ships(board, wings, start, target, limit)
        return _less_answer(board, mission, origin, target)
    spot = hex_of(board, target)
    escorting = not board.spared(origin)
    at = "nav" if kind == "strike_ships_in_port" else "gnd"
    groups = grouped(wings, distance(start, spot), at, escorting=escorting, night=board.night)
    if not groups:
        return Mission()
    cap, level = (0, 1) if board.night else cap_over(board, target, spot)
    held = board.table.locations.get(target if target in LOCATIONS else _place(board, spot))
    held = held if held is not None and held.control == board.foe else None
    flak = max(held.airbase, held.port) + 2 * held.fort if held is not None else 0
    if kind == "strike_ships_in_port":
        ships = in_port(board, target)
        guard = board.guard((), cap, level, ours=False, more=flak + board.flak(ships) // 2)
        shift = 1 + (1 if board.asleep else 0)
        return best(groups, guard, shift, board.marks(ships), price(board), limit)
    guard = board.guard((), cap, level, ours=False, more=flak)
    fort = held.fort if held is not None and kind != "strike_fort" else 0
    shift = AT_BASE[kind] - (fort + 1) // 2 - (2 if board.night else 0)
    shift += 1 if board.asleep and kind in ("strike_airbase", "strike_port") else 0
    return best(groups, guard, shift, Bombs(shift, ashore(board, kind, target)), price(board), limit)


def _place(board: Board, spot: str) -> str:
    return next((place for place, base in board.table.locations.items() if base.hex == spot), "")


def in_port(board: Board, place: str) -> list[str]:
    """Return the enemy ships in a port, as they are known or as in the set-up."""
    known = [s for s, one in board.table.ships.items() if one.port == place and s not in board.table.lost]
    if known:
        return sorted(known)
    rows = (row for row in board.battle.naval if row.at == place)
    return sorted(s for row in rows for s in row.units if s not in board.table.lost)


def ashore(board: Board, kind: str, target: str) -> tuple[float, ...]:
    """Return what 0, 1, 2, … hits on something ashore are worth."""
    per_step = 1 / board.points.air_steps_per_point
    if kind == "strike_airbase":
        base = board.table.locations[target]
        parked = sum(w.steps for w in board.wings if w.place == target)
        size = max(0, base.airbase - base.airbase_damage)
        return tuple(
            min(parked, (n + 1) // 2) * per_step + 0.15 * min(n, size) * bool(parked) for n in range(19)
        )
    if kind == "strike_fort":
        base = board.table.locations[target]
        level = board.fort(target, base.fort).mark.sunk if target == board.goal and board.attacks else 0.0
        return tuple(level * min(base.fort, n // 2) / max(1, base.fort) for n in range(5))
    if kind == "strike_ground":
        return broken(board, target)
    return (0.0,)


def broken(board: Board, hex: str) -> tuple[float, ...]:
    """Return what 0, 1, 2, … hits on troops are worth: the chance that all of them are Broken by so many."""
    if not board.goal or hex != LOCATIONS[board.goal].hex:
        return (0.0,)
    foes = board.troops(hex, ours=False) or garrison(board, hex)
    sound = [board.figures.ground[unit].tq for unit, one in foes.items() if not one.broken]
    ashore = bool(board.troops(hex, ours=True))
    coming = any(board.laden(tf) and board.node(tf)[:4] == hex for tf in board.own.fleets)
    if board.attacks:
        whole = board.stakes * (TAKES if ashore else TAKES_LATER if coming else 0.02)
    else:
        whole = board.stakes * (0.15 if ashore else 0.05)
    if not sound:
        return tuple(whole * 0.05 * n for n in range(8))
    chance = sum((9 - tq) / 10 for tq in sound) / len(sound)
    return tuple(whole * min(1.0, 1 - (1 - chance / len(sound)) ** n) for n in range(12))


def garrison(board: Board, hex: str) -> dict[str, Ground]:
    """Return the enemy's ground units in a hex as in the set-up."""
    return {
        row.id: Ground(hex=hex, steps=board.figures.ground[row.id].steps)
        for row in board.battle.ground
        if row.hex in (hex, board.goal) and board.figures.ground[row.id].side == board.foe
    }


def _less_answer(board: Board, mission: Mission, origin: str, target: str) -> Mission:
    """Return a mission less what the answer to it may cost (P28.12)."""
    if origin in LOCATIONS or not mission.strike:
        return mission
    far = distance(hex_of(board, origin), hex_of(board, target))
    raids = [
        tuple(g for g in groups if any(w.unit == g.unit and w.place == target for w in board.wings))
        for groups in raiders(board, hex_of(board, origin), moving=False)
    ]
    raids = [groups for groups in raids if groups]
    if not raids or far > max(w.cls.range for w in board.wings if w.place == target):
        return mission
    known = 1.0 if board.table.tfs[origin].detected else 0.3
    up = sum(board.own.air[w.unit].cap for w in board.own_wings if w.place == origin)
    cost = 0.5 * known * peril(board, tuple(raids), board.members(origin), up, 1)
    return replace(mission, value=mission.value - cost)


def targets(board: Board, kind: str) -> list[str]:
    """Return what a kind of mission may be aimed at."""
    if kind == "strike_tf":
        return [tf for tf in board.foes if board.table.tfs[tf].detected]
    if kind == "strike_ground":
        spot = LOCATIONS[board.goal].hex if board.goal else ""
        return [spot] if spot in board.table.troops[board.foe] else []
    held = [p for p, base in board.table.locations.items() if base.control == board.foe]
    if kind == "strike_ships_in_port":
        return [place for place in held if board.foe in board.table.locations[place].ships]
    if kind == "strike_fort":
        return [place for place in held if board.table.locations[place].fort and place == board.goal]
    return [p for p in held if board.foe in board.table.locations[p].aircraft and not board.spared(p)]


def ashore_hopes(board: Board, origin: str) -> dict[str, float]:
    """Return the hexes of targets ashore to what a mission from a carrier force in range promises there."""
    hopes = dict[str, float]()
    for kind in ("strike_airbase", "strike_ships_in_port", "strike_ground"):
        for target in targets(board, kind):
            spot = hex_of(board, target)
            value = plan(board, kind, origin, target, spot).value
            hopes[spot] = max(hopes.get(spot, 0.0), value)
    return {spot: value for spot, value in hopes.items() if value > WORTH}


def carried(mission: Mission) -> bool:
    """Return whether a strike is not too weak for the CAP that its escort leaves free."""
    return mission.free <= CARRY * sum(steps for _, steps in mission.strike)
