"""P28.13 Kamikaze: fighters that dive at a task force, and do not come back.

Their steps strike in a mission against a task force beside others, in a role of their own. Read so: the steps
of a unit that strike in one mission are all of one sort. Deliberately absent: who may take the role
(`missions`).
"""

from collections.abc import Mapping

from msgspec.structs import replace

from domain.pacific_war.board.charts import TABLES
from domain.pacific_war.board.table import Own, Raid, Table, air_class
from domain.pacific_war.facts.changes import Changes
from domain.pacific_war.facts.fighting import RaidsAre

STRENGTH: int = TABLES["air"]["kamikaze_nav"]
"""P28.13: the naval strength of a step."""
FLAK: int = TABLES["air"]["kamikaze_flak_shift"]
PLAIN = 1
"""P28.5.1: the level whose shift is 0."""


def naval(raid: Raid, unit: str) -> int:
    """Return the naval strength of a step of an air unit in a raid."""
    return STRENGTH if unit in raid.kamikaze else air_class(unit).nav


def level(own: Own, raid: Raid, unit: str) -> int:
    """Return the level at which steps of an air unit attack ships: that of kamikaze makes no shift."""
    return PLAIN if unit in raid.kamikaze else own.air[unit].level


def flak_shift(raid: Raid) -> int:
    """Return the shift of flak: all that attack are kamikaze, or not."""
    return FLAK if raid.kamikaze and all(unit in raid.kamikaze for unit in raid.strike) else 0


def dive(table: Table) -> None:
    """Let all kamikaze steps that are left be eliminated after the attack; none of them comes back."""
    raids = table.open.raids
    gone = {unit: steps for raid in raids for unit, steps in raid.strike.items() if unit in raid.kamikaze}
    if not gone:
        return
    now = Changes(table, "as kamikaze")
    for unit, steps in gone.items():
        now.lose_air(unit, steps, "as kamikaze")
    table.record(RaidsAre(tuple(_without(raid, gone) for raid in raids), "The kamikaze have dived"))
    now.record()


def _without(raid: Raid, gone: Mapping[str, int]) -> Raid:
    return replace(raid, strike={unit: n for unit, n in raid.strike.items() if unit not in gone})
