"""Pacific War for a bot: attacks on land by the expected exchange, demolition, retreats (P30 to P32)."""

from collections.abc import Mapping, Sequence
from typing import Final

from clients.bots.judges import Judge, judge
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.odds import mean
from domain.pacific_war.board.charts import LOCATIONS, TABLES, by_date
from domain.pacific_war.decisions.cycle import (
    Attack,
    CommitAttacker,
    Demolish,
    NoAttack,
    RetreatGround,
)
from domain.pacific_war.sight.shown import Ground

GROUND: Final = TABLES["ground"]
FAVOUR: Final = 0.9
"""How the part of their steps that the enemy is to lose must stand to the part of ours."""
LOST: Final = 1.5
"""How much stronger an enemy in the hex is when it is given up for lost."""
FLOOR: Final = 3


def counted(units: Mapping[str, Ground]) -> int:
    """Return the steps of ground units as they count: Broken ones half, rounded up."""
    return sum((one.steps + 1) // 2 if one.broken else one.steps for one in units.values())


def quality(board: Board, units: Mapping[str, Ground]) -> float:
    """Return the average troop quality by steps."""
    total = sum(one.steps for one in units.values())
    return sum(board.figures.ground[u].tq * one.steps for u, one in units.items()) / total if total else 0.0


def exchange(
    board: Board, hex: str, attackers: Mapping[str, Ground], defenders: Mapping[str, Ground], side: int
) -> tuple[float, float]:
    """Return the steps that the defender and the attacker are to lose in an attack (P31.3)."""
    ours, theirs = counted(attackers), counted(defenders)
    if not ours or not theirs:
        return float(bool(ours)), 0.0
    terrain = board.terrain(hex)
    ratio = ours / theirs
    odds = next(int(row["shift"]) for row in GROUND["odds"] if ratio >= row["min_ratio"])
    tq = int((round(quality(board, attackers)) - round(quality(board, defenders))) / GROUND["tq_divisor"])
    tq = max(-GROUND["tq_cap"], min(GROUND["tq_cap"], tq))
    atoll = GROUND["atoll_both"] if terrain == "atoll" else 0
    fort = sum(
        base.fort
        for base in board.table.locations.values()
        if base.hex == hex and (base.control == "AL") == (side == 0)
    )
    jungle = by_date("jungle_attack_shift", side, board.table.month) if terrain == "jungle" else 0
    walls = min(GROUND["terrain_fort_doctrine_cap"], GROUND["terrain"][terrain] + fort)
    landing = GROUND["landing_first_cycle"] if all(one.landing for one in attackers.values()) else 0
    shift = GROUND["attack_base"] + odds + tq + jungle - walls + landing + atoll
    hit = mean(min(ours, GROUND["frontage"]), shift, 1 if ours >= FLOOR else -99)
    back = mean(
        min(theirs, GROUND["frontage"]), GROUND["defence_base"] - tq + atoll, 1 if theirs >= FLOOR else -99
    )
    return hit, back


def fit(units: Mapping[str, Ground]) -> dict[str, Ground]:
    """Return the units that may attack."""
    return {unit: one for unit, one in units.items() if not one.broken and not one.inactive}


def favourable(board: Board, hex: str) -> bool:
    """Return whether an attack in a hex is good, or must be tried because time runs out."""
    mine, theirs = board.troops(hex, ours=True), board.troops(hex, ours=False)
    able = fit(mine)
    hit, back = exchange(board, hex, able, theirs, board.side)
    ours, foes = sum(one.steps for one in mine.values()), sum(one.steps for one in theirs.values())
    if not able or not foes:
        return bool(able)
    if all(one.broken for one in theirs.values()):
        return True
    taking = board.attacks and bool(board.goal) and hex == LOCATIONS[board.goal].hex
    if taking and (board.last or ours >= FLOOR):
        return hit > 0
    return hit / foes >= FAVOUR * back / ours and hit > 0


def fields(board: Board) -> list[str]:
    """Return the hexes with troops of both sides."""
    return sorted(set(board.table.troops["JP"]) & set(board.table.troops["AL"]))


def hex_here(board: Board) -> str:
    """Return the hex of the combat that is asked about."""
    if board.table.landed is not None:
        return board.table.landed.hex
    hexes = fields(board)
    return next((h for h in hexes if h in board.text), hexes[0] if hexes else "")


def attack(board: Board, options: Sequence[Attack]) -> Attack | None:
    """Attack: the exchange is good for us, or the place must be taken now."""
    spot = hex_here(board)
    return options[0] if spot and favourable(board, spot) else None


def no_attack(board: Board, options: Sequence[NoAttack]) -> NoAttack | None:  # noqa: ARG001 judges are alike
    """Stay on the defence: an attack would cost more than it wins."""
    return options[0]


def commit(board: Board, options: Sequence[CommitAttacker]) -> CommitAttacker | None:  # noqa: ARG001
    """Attack with all that can."""
    return options[0]


def demolish(board: Board, options: Sequence[Demolish]) -> Demolish | None:
    """Blow up what the enemy in the hex is about to take."""
    for option in options:
        spot = board.own.ground[option.unit].hex
        mine, theirs = board.troops(spot, ours=True), board.troops(spot, ours=False)
        if theirs and counted(theirs) >= LOST * counted(mine):
            return option
    return None


def retreat(board: Board, options: Sequence[RetreatGround]) -> RetreatGround | None:
    """Retreat to friends, if there are any."""
    return max(options, key=lambda o: (o.hex in board.table.troops[board.me], o.hex))


LAND_WAR: Final[tuple[Judge[Board], ...]] = (
    judge(Attack, attack),
    judge(NoAttack, no_attack),
    judge(CommitAttacker, commit),
    judge(Demolish, demolish),
    judge(RetreatGround, retreat),
)
