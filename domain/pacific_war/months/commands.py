"""P14.2, P14.6 Submarine Commands: points change from one to another, and new Commands are built.

In the war Allied points are on merchant duty too. What the schedule brings is in `points_of_month`.
"""

from domain.kernel.procedures import Decision
from domain.pacific_war.board.charts import ALLIES, TABLES
from domain.pacific_war.board.table import Open, Own, Sight, Table
from domain.pacific_war.board.war import Boats
from domain.pacific_war.command.links import reached_places, richest
from domain.pacific_war.decisions.dispositions import AssignSubs, BuildSubCommand, RecallSubs
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.facts.months import MeansAre, PicksKept
from domain.pacific_war.months.desk import Chapter, Desk, pay
from domain.pacific_war.months.schedule import strategic

DUTY = "merchants"
"""P14.2: the merchant duty, among the Commands that points are recalled from and assigned to."""
COST: int = TABLES["submarine_command"]["build_cp"]
LEAST_PORT = 2
"""P14.6: size of a port that takes a Submarine Command."""


def commands(open: Open, side: int) -> list[str]:
    """Return the locations of the Submarine Commands of a side, by id."""
    return sorted(place for place, base in open.bases.items() if base.control == side and base.command)


def enter(table: Table, side: int) -> None:
    """Let the points of Commands that are lost return to the pool (P14.6); last month's picks are kept."""
    means, left = table.own[side].means, commands(table.open, side)
    if means.boats or means.boats_before:
        table.record(PicksKept(side, boats=(), boats_before=means.boats))
    lost = {place: points for place, points in means.submarines.items() if place not in left}
    if lost:
        pool = means.pool + sum(lost.values())
        told = dict.fromkeys(lost, 0)
        table.record(MeansAre(side, submarines=told, pool=pool, why="after the loss of a Command"))


def options(sight: Sight, desk: Desk) -> list[Decision]:
    """Return how points may be recalled and assigned, and where a Command may be built.

    Only the Allies recall points, and only while there is another Command to assign them to; each Command
    once, before the first is assigned (P14.2).
    """
    board, own, side = sight.open, sight.own, sight.side
    places, done = commands(board, side), desk.done
    if side == ALLIES and strategic(board):
        places = [*places, DUTY]
    recalls: list[Decision] = []
    if side == ALLIES and len(places) > 1 and not any(what.startswith("assigned:") for what in done):
        recalls = [
            RecallSubs(place, points)
            for place in places
            if f"recalled:{place}" not in done
            for points in range(1, belonging(own, place) + 1)
        ]
    return [
        *recalls,
        *(
            AssignSubs(place, points)
            for place in places
            if f"assigned:{place}" not in done
            for points in range(1, own.means.pool + 1)
        ),
        *(
            BuildSubCommand(place, hq)
            for hq in richest(own, COST)[:1]
            for place in reached_places(board, own, side)
            if board.bases[place].port >= LEAST_PORT and not board.bases[place].command
        ),
    ]


def again(sight: Sight, desk: Desk) -> list[Decision]:
    """Return what was recalled and assigned last month and may be now, in the same order (P0.9.2)."""
    before: list[Decision] = [
        (RecallSubs if one.recalled else AssignSubs)(one.command, one.points)
        for one in sight.own.means.boats_before
    ]
    listed = options(sight, desk) if before else []
    return [one for one in before if one in listed]


def belonging(own: Own, command: str) -> int:
    """Return the points of a Command, in port and on patrol, or of the merchant duty (P14.2)."""
    if command == DUTY:
        return own.means.duty
    patrols = sum(own.patrols.get(at, 0) for at, home in own.means.commands.items() if home == command)
    return own.means.submarines.get(command, 0) + patrols


def on_patrol(own: Own, at: str) -> int:
    """Return the points of a patrol that were not recalled since it was sent (P14.2)."""
    command = own.means.commands.get(at)
    return own.patrols[at] if command is None else max(0, min(own.patrols[at], belonging(own, command)))


def take(table: Table, side: int, desk: Desk, decision: Decision) -> Desk:
    """Recall or assign points, or build a Command.

    Points that are recalled from patrol go to the pool at once; until the patrols are lifted in 5.1.N their
    Command has so many fewer in port, which may be less than none.
    """
    match decision:
        case RecallSubs(command, points):
            _move(table, side, command, -points)
            return desk.did(f"recalled:{command}")
        case AssignSubs(command, points):
            _move(table, side, command, points)
            return desk.did(f"assigned:{command}")
        case BuildSubCommand(port, hq):
            pay(table, side, hq, COST, "for a Submarine Command")
            installations(table, port, "has a new Submarine Command", command=True)
    return desk


def _move(table: Table, side: int, command: str, points: int) -> None:
    """Move points from the pool to a Command or the duty, or back if they are below 0; keep the pick."""
    means, why = table.own[side].means, "assigned" if points > 0 else "recalled"
    if command == DUTY:
        table.record(MeansAre(side, duty=means.duty + points, pool=means.pool - points, why=why))
    else:
        now = {command: means.submarines.get(command, 0) + points}
        table.record(MeansAre(side, submarines=now, pool=means.pool - points, why=why))
    table.record(PicksKept(side, boats=(*means.boats, Boats(command, abs(points), recalled=points < 0))))


CHAPTERS = (
    Chapter(
        "14.2",
        "Recall and assign submarine points, build Submarine Commands, or be done.",
        options,
        take,
        again=again,
        enter=enter,
    ),
)
