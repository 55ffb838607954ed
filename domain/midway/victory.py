"""M13 End of the game and victory. Resignation and draws by agreement (M13.8) are the kernel's."""

from domain.match.notices import GameEnded
from domain.midway.charts import CLEAR, CRIPPLED_AT, DECISIVE, POINTS_CIRCLE, POINTS_SUNK, SUNK_AT
from domain.midway.facts import Counted
from domain.midway.table import (
    BOMBERS,
    JAPAN,
    LOST,
    UNITED_STATES,
    Group,
    Open,
    Table,
    afloat,
    carriers_of,
    enemy,
)


def points(open: Open, side: int) -> int:
    """Return a side's points: 15 for each enemy carrier sunk, else its present damage (M13.5)."""
    damage = [open.carriers[ship].damage for ship in carriers_of(open, enemy(side))]
    return sum(POINTS_SUNK if marked >= SUNK_AT else POINTS_CIRCLE * marked for marked in damage)


def losses(open: Open, side: int) -> int:
    """Return the strength points that a side has lost (M13.6)."""
    return sum(lost(group) for group in open.groups.values() if group.side == side)


def lost(group: Group) -> int:
    """Return the strength points that a counter has lost (M13.6)."""
    return group.full - group.strength


def leader(open: Open) -> int | None:
    """Return the side that wins if points decide: more points, or fewer losses; None for a draw (M13.6)."""
    ahead = points(open, JAPAN) - points(open, UNITED_STATES)
    ahead = ahead or losses(open, UNITED_STATES) - losses(open, JAPAN)
    if not ahead:
        return None
    return JAPAN if ahead > 0 else UNITED_STATES


def annihilation(table: Table) -> None:
    """M13.1: a side whose carriers are all sunk has lost; if both have, points decide."""
    gone = [side for side in (JAPAN, UNITED_STATES) if not afloat(table.open, side)]
    if gone:
        _end(table, gone, "annihilation", "M13.1", decisive=len(gone) == 1)


def sudden_death(table: Table) -> None:
    """M13.2: a side with a carrier crippled or sunk has lost; if both have one, points decide."""
    hurt = [side for side in (JAPAN, UNITED_STATES) if _hurt(table.open, side)]
    if table.open.sudden_death and hurt:
        _end(table, hurt, "sudden death", "M13.2")


def exhaustion(table: Table) -> None:
    """M13.3: if neither side has a bomber group left anywhere, points decide."""
    if not any(g.type in BOMBERS and g.place != LOST for g in table.open.groups.values()):
        _end(table, [], "exhaustion", "M13.3")


def turn_limit(table: Table) -> None:
    """M13.4: after the last turn points decide."""
    if table.open.turn >= table.open.turn_limit:
        _end(table, [], "turn limit", "M13.4")


def _hurt(open: Open, side: int) -> bool:
    return any(open.carriers[ship].damage >= CRIPPLED_AT for ship in carriers_of(open, side))


def _end(table: Table, beaten: list[int], reason: str, rule: str, *, decisive: bool = False) -> None:
    """End the game: the only beaten side loses, otherwise points decide. The grade is M13.7."""
    board = table.open
    winner = enemy(beaten[0]) if len(beaten) == 1 else leader(board)
    japan, united_states = points(board, JAPAN), points(board, UNITED_STATES)
    difference = abs(japan - united_states)
    grade = "decisive" if decisive or difference >= DECISIVE else "clear" if difference >= CLEAR else "narrow"
    table.record(
        Counted(
            (japan, united_states),
            (losses(board, JAPAN), losses(board, UNITED_STATES)),
            grade if winner is not None else "",
        )
    )
    table.record(GameEnded(winner, reason, rule))
