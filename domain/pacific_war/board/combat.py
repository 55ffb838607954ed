"""P3 Dice and the universal combat table."""

from collections.abc import Iterable, Mapping, Sequence

from domain.kernel.facts import Modifier
from domain.pacific_war.board.charts import COLUMNS, LEVEL_SHIFT, SCENARIOS, by_date, column, hits
from domain.pacific_war.board.table import Open, Table, location_of

Shifts = Iterable[tuple[str, int]]
"""Reasons and column shifts; those of 0 are left out of the record."""


def modifiers(shifts: Shifts) -> tuple[Modifier, ...]:
    """Return the shifts that are not 0, for the record."""
    return tuple(Modifier(reason, amount) for reason, amount in shifts if amount)


def d10(
    table: Table,
    purpose: str,
    *,
    by: int,
    target: str = "",
    subject: str = "",
    shifts: Sequence[tuple[str, int]] = (),
    unseen: bool = False,
) -> int:
    """Roll a die and return its face, 0 to 9: a recorded 10 is the face 0 (P0.2).

    A hex as `subject` is recorded as the location in it, or not at all: it has no name.
    """
    roll = table.roll_unseen if unseen else table.roll
    named = location_of(subject) if subject[:4].isdigit() else subject
    (die,) = roll(purpose, 1, 10, by=by, target=target, subject=named, modifiers=modifiers(shifts))
    return die % 10


def uct(
    table: Table,
    purpose: str,
    strength: int,
    shifts: Shifts,
    *,
    by: int,
    subject: str = "",
    at: str = "",
    unseen: bool = False,
    least: int = 0,
) -> int:
    """Roll on the universal combat table and return the hits (P3.1). Strength 0 rolls no die.

    `subject` fires, or is fired at by many; `at` is whom a single unit fires at, as a sentence names it;
    `least` is the column below which no shift takes the attack (P31.3).
    """
    if strength <= 0:
        return 0
    rows = list(shifts)
    shifted = max(least, column(strength) + sum(amount for _, amount in rows))
    shown = f"column {min(shifted, COLUMNS)}" if shifted >= 1 else "no column"
    target = f"{shown} at {at}" if at else shown
    face = d10(table, purpose, by=by, target=target, subject=subject, shifts=rows, unseen=unseen)
    return hits(shifted, face)


def month(open: Open) -> str:
    """Return the month: `1942-05`."""
    if open.war:
        return open.war.month
    return SCENARIOS[open.scenario].month


def dated(open: Open, name: str, side: int) -> int:
    """Return a shift by date of a side (P3.2)."""
    return by_date(name, side, month(open))


def level_of(steps: Iterable[tuple[int, int]]) -> int:
    """Return the level of most steps among `(level, steps)`, the lower of equals (P28.8, R-79)."""
    totals: dict[int, int] = {}
    for level, count in steps:
        totals[level] = totals.get(level, 0) + count
    return min(totals, key=lambda level: (-totals[level], level), default=1)


def level_shift(level: int) -> int:
    """Return the shift of a status level (P28.5.1)."""
    return LEVEL_SHIFT[level]


def pick_air(steps: Mapping[str, int], hits: int) -> dict[str, int]:
    """Return the steps each air unit loses: each time the one with most in the role, ties by id (P3.3)."""
    left, taken = dict(steps), dict[str, int]()
    for _ in range(min(hits, sum(left.values()))):
        unit = min(left, key=lambda one: (-left[one], one))
        left[unit] -= 1
        taken[unit] = taken.get(unit, 0) + 1
    return taken
