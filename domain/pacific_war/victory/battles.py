"""P33.1 What scores in a scenario, and the level of the result."""

from typing import TypeAlias

from domain.pacific_war.board.charts import LOCATIONS, SCENARIOS
from domain.pacific_war.board.printed import Points
from domain.pacific_war.board.table import Open, Own, enemy, printed
from domain.pacific_war.board.table import crippled as is_crippled

Row: TypeAlias = tuple[str, tuple[int, int]]
"""What scored, a location in brackets, and the points of Japan and of the Allies for it."""


def score(open: Open, screens: list[Own]) -> list[Row]:
    """Return what scores as things stand (P33.1), without what is worth nothing to either side."""
    scored = SCENARIOS[open.scenario].victory.points
    sunk, crippled = [0, 0], [0, 0]
    for side in (0, 1):
        foe = enemy(side)
        for ship, one in screens[side].ships.items():
            cls = printed(open, ship).cls
            if open.lost.get(ship) == "sunk":
                sunk[foe] += scored.sunk[cls]
            elif is_crippled(open, ship, one.damage):
                crippled[foe] += scored.crippled[cls]
    japan, allies = (lost // scored.air_steps_per_point for lost in open.steps_lost)
    rows = [
        ("Ships sunk", (sunk[0], sunk[1])),
        ("Ships crippled", (crippled[0], crippled[1])),
        ("Air steps destroyed", (allies, japan)),
        *((f"[{place}]", points) for place, points in _places(open, scored)),
    ]
    return [(what, points) for what, points in rows if any(points)]


def _places(open: Open, scored: Points) -> list[tuple[str, tuple[int, int]]]:
    """Return what the locations of a scenario score for each side."""
    moresby = scored.AL_if_no_japanese_ground_step_ashore_at_port_moresby
    return [
        (
            "port_moresby",
            (
                scored.JP_controls_port_moresby * _holds(open, 0, "port_moresby"),
                moresby * _empty(open, "port_moresby"),
            ),
        ),
        (
            "midway",
            (
                scored.JP_controls_midway * _holds(open, 0, "midway"),
                scored.AL_controls_midway_uncontested * _alone(open, "midway"),
            ),
        ),
        (
            "wake",
            (
                scored.JP_controls_wake * _holds(open, 0, "wake"),
                scored.AL_controls_wake_uncontested * _alone(open, "wake"),
            ),
        ),
    ]


def points(rows: list[Row]) -> tuple[int, int]:
    """Return the points of Japan and of the Allies."""
    return sum(one for _, (one, _) in rows), sum(other for _, (_, other) in rows)


def _alone(open: Open, place: str) -> bool:
    """Return whether the Allies control a location without Japanese ground units in its hex."""
    return _holds(open, 1, place) and _empty(open, place)


def _holds(open: Open, side: int, place: str) -> bool:
    return place in open.bases and open.bases[place].control == side


def _empty(open: Open, place: str) -> bool:
    """Return whether no Japanese ground unit is in the hex of a location."""
    return LOCATIONS[place].hex not in open.troops[0]


def level(scenario: str, japan: int, allies: int) -> str:
    """Return the level of a result (P33.1): the first line that is reached counts."""
    ahead = japan - allies
    levels = SCENARIOS[scenario].victory.levels
    return next(row.result for row in levels if row.min is None or ahead >= row.min)


def winner(result: str) -> int | None:
    """Return the side that has won by a level, or None."""
    words = result.split(" ", maxsplit=1)[0]
    return {"Japanese": 0, "Allied": 1}.get(words)
