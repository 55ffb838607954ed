"""N7.2 The Japanese resupply counter."""

from domain.nimitz.charts import TRACK_MOST
from domain.nimitz.marches import CounterIs
from domain.nimitz.table import Table


def change_counter(table: Table, change: int, why: str) -> None:
    """Move the counter, cut at the ends of its track."""
    before = table.open.counter
    after = max(0, min(TRACK_MOST, before + change))
    if change:
        table.record(CounterIs(after, f"{change:+d} for [{why}]"))


def reset_counter(table: Table, why: str) -> None:
    """Set the counter back to 0."""
    table.record(CounterIs(0, why))
