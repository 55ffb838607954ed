"""P0.3.2 Padding: so many sealed facts, whatever was done."""

from domain.kernel.audience import Audience
from domain.pacific_war.board.table import Table


def sealed(table: Table) -> int:
    """Return how many facts of this command not everybody may see."""
    return sum(fact.audience() is not Audience.ALL for fact in table.facts)


def cushion(table: Table, before: int, count: int) -> None:
    """Pad what was sealed since there were `before` sealed facts to `count`."""
    table.pad(before + count)
