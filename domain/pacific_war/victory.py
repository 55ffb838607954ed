"""P33.1 What scores in a scenario, and the level of the result."""

from domain.pacific_war.charts import LOCATIONS, SCENARIOS
from domain.pacific_war.table import Open, Own, crippled, enemy, printed


def points(open: Open, screens: list[Own]) -> tuple[int, int]:
    """Return the points of Japan and of the Allies as things stand (P33.1)."""
    totals = [0, 0]
    scored = SCENARIOS[open.scenario].victory.points
    for side in (0, 1):
        for ship, one in screens[side].ships.items():
            cls = printed(open, ship).cls
            if open.lost.get(ship) == "sunk":
                totals[enemy(side)] += scored.sunk[cls]
            elif (one.tf or one.port) and crippled(open, ship, one.damage):
                totals[enemy(side)] += scored.crippled[cls]
        totals[enemy(side)] += open.steps_lost[side] // scored.air_steps_per_point
    totals[0] += scored.JP_controls_port_moresby * _holds(open, 0, "port_moresby")
    totals[0] += scored.JP_controls_midway * _holds(open, 0, "midway")
    totals[0] += scored.JP_controls_wake * _holds(open, 0, "wake")
    totals[1] += scored.AL_if_no_japanese_ground_step_ashore_at_port_moresby * _empty(open, "port_moresby")
    totals[1] += scored.AL_controls_midway_uncontested * (
        _holds(open, 1, "midway") and _empty(open, "midway")
    )
    totals[1] += scored.AL_controls_wake_uncontested * (_holds(open, 1, "wake") and _empty(open, "wake"))
    return totals[0], totals[1]


def _holds(open: Open, side: int, place: str) -> bool:
    return place in open.bases and open.bases[place].control == side


def _empty(open: Open, place: str) -> bool:
    """Return whether no Japanese ground unit is in the hex of a location."""
    return LOCATIONS[place].hex not in open.troops[0]


def level(scenario: str, japan: int, allies: int) -> str:
    """Return the level of a result (P33.1): the first line that is reached counts."""
    victory = SCENARIOS[scenario].victory
    if victory.signed_levels:
        return next(row.result for row in victory.signed_levels if _reached(row.min, japan - allies))
    margin = abs(japan - allies)
    result = next(row.result for row in victory.levels if _reached(row.min_margin, margin))
    if result == "draw":
        return result
    return f"{'Japanese' if japan > allies else 'Allied'} {result}"


def _reached(least: int | None, margin: int) -> bool:
    return least is None or margin >= least


def winner(result: str) -> int | None:
    """Return the side that has won by a level, or None."""
    words = result.split(" ", maxsplit=1)[0]
    return {"Japanese": 0, "Allied": 1}.get(words)
