"""P0.8 The default decision of a seat whose time has run out."""

from collections.abc import Iterator, Sequence

from domain.kernel.procedures import Decision, Prompt
from domain.pacific_war import choices as c
from domain.pacific_war import decisions as d
from domain.pacific_war.orders_of_month import Suggested
from domain.pacific_war.table import State

ENDS: tuple[type[Decision], ...] = (
    Suggested,
    d.Done,
    d.Pass,
    d.Decline,
    d.EndMissions,
    d.Evade,
    d.Hold,
    d.NoAttack,
    d.AllotRest,
    c.NoBid,
    c.Forfeit,
    c.EndDay,
    c.EndContact,
)
"""P0.8: what ends a window, or does least, in this order."""


def default(_state: State, _seat: int, prompt: Prompt) -> Decision:
    """Return the default decision (P0.8): what ends the window, else the first of the list.

    An attack on land is made with all units, so there the window ends when none is left. An Operation is not
    claimed.
    """
    more = next((one for one in prompt.options if isinstance(one, d.CommitAttacker)), None)
    if c.ClaimOperation(yes=False) in prompt.options:
        return c.ClaimOperation(yes=False)
    return more or next(ending(prompt.options), prompt.options[0])


def ending(options: Sequence[Decision]) -> Iterator[Decision]:
    """Yield the options that end a window."""
    return (one for kind in ENDS for one in options if isinstance(one, kind))
