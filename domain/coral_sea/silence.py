"""C22.3 Hidden moves cannot be counted: each kind of them seals as many facts as the largest.

The other side sees neither picks nor cargo, but it sees the number of sealed facts, and their place among the
open ones. So before each fact that everybody may see, padding is recorded up to the number that the largest
move of the kind could have reached by then. The numbers follow from the order of battle (C4), the limit
aboard (C10.1) and two facts for each decision: the decision, and the state of the move after it.
"""

from domain.coral_sea.charts import GROUND_LIMIT, RP_PER_SHIP, UNITS
from domain.coral_sea.table import GROUND, NAVAL, Table

PICK = 2
"""Facts for each pick: the decision, and the state of the move after it."""
ENDS = 2
"""Facts for the decision that begins the picks, and for Done."""


def _most(domain: str) -> int:
    """Return how many units of a domain the larger side has."""
    return max(sum(u.owner == side and u.domain == domain for u in UNITS.values()) for side in (0, 1))


ABOARD = 2 * GROUND_LIMIT
"""Ground units aboard, if another stack has come to the same sea area in this operation (C10.12)."""
SHIPS_PICKED = ENDS + PICK * _most(NAVAL)
"""Before the naval move is paid for (C9.1)."""
LOADED = SHIPS_PICKED + 1 + PICK * (GROUND_LIMIT + _most(NAVAL) * RP_PER_SHIP)
"""Before it sails (C10.2)."""
TROOPS_PICKED = ENDS + PICK * _most(GROUND)
"""Before the ground move is paid for (C8.1)."""
EMBARKED = ENDS + GROUND_LIMIT
"""Before units come aboard from a coast (C10.4)."""
LANDED = ENDS + ABOARD
"""Before units land (C10.5)."""
UNLOADED = 1 + PICK * _most(NAVAL) * RP_PER_SHIP
"""Before stacking is paid in a port (C10.8): resource points are unloaded free, before or after it."""
LEFT_PORT = 2 * UNLOADED + PICK * ABOARD + 4
"""Before all see that the stack has left the port, or that its move has ended there."""


def pad(table: Table, count: int) -> None:
    """Record padding up to a number of sealed facts in this command, if stacks are hidden (C22.2)."""
    if table.open.options.limited_intelligence:
        table.pad(count)
