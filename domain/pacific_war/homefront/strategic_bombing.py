"""P8.3 Strategic bombing (5.1.C): the home defence, and what a raid does to Japan.

What comes of it is returned. Where the points are based and which raids are sent is in `raids` (P8.1, P8.2).
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from domain.pacific_war.board.charts import ALLIES, JAPAN, LOCATIONS, TABLES
from domain.pacific_war.board.combat import pick_air, uct
from domain.pacific_war.board.table import Open, Own, Table, air_class, based
from domain.pacific_war.command.links import linked
from domain.pacific_war.decisions.orders_of_war import Mode
from domain.pacific_war.facts.silence import cushion, sealed

_BOMBING: dict[str, Any] = TABLES["strategic_bombing"]
START_HRL: Final[int] = _BOMBING["hrl_start"]
MODES: Final = tuple(mode["id"] for mode in _BOMBING["modes"])
"""P8.3: the modes in the order in which their raid groups fly."""
_MODES: Final = {mode["id"]: mode for mode in _BOMBING["modes"]}
MOST_DEFENDERS, FIT_STEPS = 8, 2
"""P8.3: so many fighter units defend at most, each of so many steps at least."""
A_DIE = 1
"""What is sealed for the home defence."""
ESCORT_BASE = "iwo_jima"
"""P8.3: from here fighters go along."""


class Raid(Struct, frozen=True):
    """P8.3 What comes of a raid group: points lost by base, and what Japan loses."""

    lost: dict[str, int] = {}
    hrl: int = 0
    """Homeland Resource Level."""
    msp: int = 0
    """Merchant Shipping Points."""


def allowed(mode: Mode, date: str) -> bool:
    """Return whether a mode may be flown in a month (P8.2)."""
    since: str = _MODES[mode]["from"]
    return date >= since


def defenders(open: Open, own: Own) -> int:
    """Return the strength of the home defence (P8.3): Japan's fit fighter units at homeland airbases."""
    units = [
        unit
        for place, base in open.bases.items()
        if LOCATIONS[place].homeland and base.control == JAPAN and not base.interdicted
        for unit in based(own, place)
        if air_class(unit).kind == "1E" and own.air[unit].steps >= FIT_STEPS
    ]
    return min(MOST_DEFENDERS, len(units))


def escorted(open: Open, own: Own) -> bool:
    """Return whether Iwo Jima is a Linked airbase of the Allies, by what they were told (P8.3)."""
    base = open.bases.get(ESCORT_BASE)
    return (
        base is not None
        and base.control == ALLIES
        and base.airbase > 0
        and linked(own, LOCATIONS[ESCORT_BASE].hex)
    )


def fly(table: Table, mode: Mode, points: Mapping[str, int]) -> Raid:
    """Let a raid group of a mode fly, its points by base (P8.3).

    The die of the home defence is unseen, that of the effect is open. Points are lost one by one, from the
    base that has most of them, ties by id. Whether there is a home defence is Japan's knowledge (P0.4.1): as
    much is sealed where no die falls.
    """
    before = sealed(table)
    guard = defenders(table.open, table.own[JAPAN])
    defence = _BOMBING["defence"]
    name = "shift_if_iwo_jima_allied_linked" if escorted(table.open, table.own[ALLIES]) else "shift"
    shot = uct(table, "home defence", guard, [("home defence", int(defence[name]))], by=JAPAN, unseen=True)
    cushion(table, before, A_DIE)
    lost = pick_air(points, shot)
    left = sum(points.values()) - sum(lost.values())
    row = _MODES[mode]
    done = uct(table, f"{mode} raid", left, [(mode, int(row["shift"]))], by=ALLIES)
    return Raid(lost, hrl=done) if row["effect"] == "HRL" else Raid(lost, msp=done)


def raids(table: Table, groups: Mapping[Mode, Mapping[str, int]]) -> dict[Mode, Raid]:
    """Let all raid groups of a month fly, in the order precision, incendiary, mining (P8.3)."""
    return {mode: fly(table, mode, groups[mode]) for mode in MODES if groups.get(mode)}


def lowered(level: int, by: int) -> int:
    """Return the Homeland Resource Level after a raid: never below 0 (P8.1)."""
    return max(0, level - by)
