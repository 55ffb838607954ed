"""P14.3, P14.4, P8.1 Points of the schedule, forts that rise, and where bombing points stand (5.1.J)."""

from domain.kernel.procedures import Decision
from domain.pacific_war.board.charts import ALLIES, JAPAN
from domain.pacific_war.board.table import Open, Own, Sight, Table
from domain.pacific_war.decisions.orders_of_war import BombingPoints, LiftSBP, PlaceSBP
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.facts.homefront import BombersAre, HomelandIs
from domain.pacific_war.facts.months import MeansAre, war
from domain.pacific_war.homefront.merchants import grown
from domain.pacific_war.homefront.raids import CHENGTU, capacity
from domain.pacific_war.months.desk import Chapter, Desk
from domain.pacific_war.months.schedule import RAISED, arrives, resources_told, strategic


def enter(table: Table, side: int) -> None:
    """Give a side the points of the month, in the war alone (P14.3); Japan's forts rise (P14.4)."""
    if not strategic(table.open):
        return
    board, means = war(table.open), table.own[side].means
    if side == JAPAN:
        ships = grown(board.msp, board.month, resources_told(table.open, table.own[JAPAN]))
        if ships != board.msp:
            table.record(HomelandIs(msp=ships, why="with new ships"))
        table.record(
            MeansAre(
                JAPAN,
                pool=means.pool + arrives("jp_submarines", board.month),
                escorts=means.escorts + arrives("jp_escort_points", board.month),
                why="with what has come",
            )
        )
        _fortify(table)
        return
    boats = arrives("al_submarines", board.month)
    table.record(MeansAre(ALLIES, pool=means.pool + boats, why="with what has come"))
    if fresh := arrives("al_strategic_bombing_points", board.month):
        table.record(BombersAre(board.bombers, board.grounded + fresh, "with those that have come"))


def _fortify(table: Table) -> None:
    """Let forts rise where Japan controls the location (S1.8, S2.1); none falls."""
    for place, level in RAISED.get(table.open.scenario, {}).get(war(table.open).month, ()):
        base = table.open.bases[place]
        if base.control == JAPAN and base.fort < level:
            installations(table, place, "is fortified", fort=level)


def free(open: Open, own: Own) -> dict[str, int]:
    """Return the bases that take more bombing points, each to how many (P8.1)."""
    now = war(open).bombers
    room = {base: capacity(open, own, base) - now.get(base, 0) for base in (CHENGTU, *sorted(open.bases))}
    return {base: most for base, most in room.items() if most > 0}


def options(sight: Sight, desk: Desk) -> list[Decision]:
    """Return from where bombing points may be lifted, before any is placed, and where they may be placed."""
    if sight.side != ALLIES or not strategic(sight.open):
        return []
    board, placed = war(sight.open), any(what.startswith("placed:") for what in desk.done)
    lifts = [
        LiftSBP(base, n + 1)
        for base, points in sorted(board.bombers.items())
        if not placed and f"lifted:{base}" not in desk.done
        for n in range(points)
    ]
    return [*lifts, *(PlaceSBP(base) for base in free(sight.open, sight.own) if board.grounded)]


def owes(sight: Sight, _desk: Desk) -> bool:
    """Return whether points without a base must be placed: while a base has room for them (P8.1)."""
    return war(sight.open).grounded > 0 and bool(free(sight.open, sight.own))


def picks(_desk: Desk, decision: Decision) -> tuple[str, ...]:
    """Return the base that is picked: how many points must follow."""
    return (decision.base,) if isinstance(decision, PlaceSBP) else ()


def seconds(sight: Sight, desk: Desk) -> list[Decision]:
    """Return how many points can be placed at the base that is picked."""
    most = min(war(sight.open).grounded, free(sight.open, sight.own)[desk.picked[0]])
    return [BombingPoints(n + 1) for n in range(most)]


def take(table: Table, _side: int, desk: Desk, decision: Decision) -> Desk:
    """Lift or place bombing points."""
    board = war(table.open)
    if isinstance(decision, LiftSBP):
        base, moved = decision.base, -decision.n
    else:
        assert isinstance(decision, BombingPoints)
        base, moved = desk.picked[0], decision.points
    stand = board.bombers | {base: board.bombers.get(base, 0) + moved}
    left = {one: points for one, points in stand.items() if points}
    table.record(BombersAre(left, board.grounded - moved, "are moved" if moved < 0 else "are placed"))
    return desk.did(f"{'lifted' if moved < 0 else 'placed'}:{base}")


CHAPTERS = (
    Chapter(
        "8.1",
        "Lift Strategic Bombing Points, then place those that have no base, or be done.",
        options,
        take,
        picks,
        seconds,
        lambda picked: f"How many Strategic Bombing Points stand at [{picked[0]}]?",
        enter,
        owes=owes,
    ),
)
