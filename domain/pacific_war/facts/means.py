"""How what a side has besides units is told: each field of `MeansAre` in phrases, in the order of `TELLS`.

Deliberately absent: `used`, `charged` and `commands`, which only keep the books of what other fields tell.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from domain.pacific_war.board.war import Condition, EmergencyLink
from domain.pacific_war.facts.wording import at, few, hexes, listed, number, spelled

CONDITIONS: dict[Condition, str] = {"": "", "S": "Surprise Attack", "I": "Intercept", "A": "Ambush"}
"""P21: as they are called."""
NATIONS = {"JP": "Japanese", "US": "American", "CW": "Commonwealth"}
"""Whose transport points and replacement steps are counted (P13.1, P16.1)."""


def _counts(word: str) -> Callable[[Mapping[str, int]], Iterable[str]]:
    """Tell how many each has: `[hq_cf] 3 Command Points`."""
    return lambda counts: [f"[{one}] {number(n, word)}" for one, n in counts.items()]


def _condition(condition: Condition) -> Iterable[str]:
    return [CONDITIONS[condition]] if condition else []


def _crossing(crossing: Mapping[str, str]) -> Iterable[str]:
    return [
        f"[{unit}] {f'goes to [{to}]' if to else 'may be carried again'}" for unit, to in crossing.items()
    ]


def _left(word: str) -> Callable[[Mapping[str, int]], Iterable[str]]:
    """Tell what is left of the month by nation and kind (`US.1E`), or by carrier (`AL_US`)."""

    def told(left: Mapping[str, int]) -> list[str]:
        parts = {purse.removeprefix("AL_").replace("any_air", "air"): n for purse, n in left.items() if n}
        split = [(*purse.partition("."), n) for purse, n in parts.items()]
        found = [
            number(n, " ".join(filter(None, (NATIONS.get(who, who), kind, word))))
            for who, _, kind, n in split
        ]
        return found or [f"no {word} left"]

    return told


def _penalty(penalty: Mapping[str, str]) -> Iterable[str]:
    return [f"[{ship}]" + (f" until {spelled(month)}" if month else "") for ship, month in penalty.items()]


def _waiting(waiting: Sequence[str]) -> Iterable[str]:
    return [f"still to be placed: {few(waiting, 'unit')}" if waiting else "all are placed"]


def _barred(barred: Mapping[str, int]) -> Iterable[str]:
    return [f"[{unit}] not to be Activated before day {day}" for unit, day in barred.items() if day]


def _order(order: int) -> Iterable[str]:
    until = (
        f"until a Detected enemy task force is within {hexes(order)}" if order else "to the end of the phase"
    )
    return [f"pass {until}" if order >= 0 else "no standing order"]


def _escorting(ships: Sequence[str]) -> Iterable[str]:
    return [f"{few(ships, 'destroyer') if ships else 'no destroyer'} on escort duty"]


def _priority(priority: str) -> Iterable[str]:
    return [f"they go for {priority} first"] if priority else []


def _emergency(links: Mapping[str, EmergencyLink]) -> Iterable[str]:
    told = [f"an emergency link to [{place}] by {_keeper(one)}" for place, one in links.items()]
    return told or ["no emergency link"]


def _keeper(link: EmergencyLink) -> str:
    return f"{'submarines of ' if link.kind == 'submarine' else ''}[{link.asset}]"


def _supplied(supplied: Mapping[str, int]) -> Iterable[str]:
    return [f"supply for {number(n, 'step')} at {at(spot)}" for spot, n in supplied.items()]


def _roused(pieces: Sequence[str]) -> Iterable[str]:
    return [f"{listed(pieces) or 'no special submarine'} Activated"]


TELLS: dict[str, Callable[[Any], Iterable[str]]] = {
    "points": _counts("Command Point"),
    "fop": lambda n: [f"Future Operation Pool {n}"],
    "level": lambda level: [f"Strategic Intelligence {level}"],
    "condition": _condition,
    "submarines": _counts("submarine point"),
    "pool": lambda n: [f"{number(n, 'submarine point')} unassigned"],
    "duty": lambda n: [f"{number(n, 'submarine point')} on merchant duty"],
    "priority": _priority,
    "escorts": lambda n: [number(n, "escort point")],
    "escorting": _escorting,
    "crossing": _crossing,
    "transport": _left("transport point"),
    "steps": _left("replacement step"),
    "penalty": _penalty,
    "waiting": _waiting,
    "barred": _barred,
    "near": lambda units: [f"{few(units, 'unit')} may react"] if units else [],
    "order": _order,
    "emergency": _emergency,
    "supplied": _supplied,
    "roused": _roused,
}
"""Fields of `MeansAre` to what is told of their value."""
