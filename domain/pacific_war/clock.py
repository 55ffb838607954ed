"""P0.8 The default decision of a seat whose time has run out."""

from collections.abc import Iterator, Sequence

from domain.kernel.procedures import Decision, Prompt
from domain.pacific_war import choices as c
from domain.pacific_war import decisions as d
from domain.pacific_war.costs import price
from domain.pacific_war.orders_of_month import Suggested
from domain.pacific_war.table import Own, State, members

ENDS: tuple[type[Decision], ...] = (
    Suggested,
    c.NoBid,
    c.Forfeit,
    c.EndDay,
    c.EndContact,
    d.Done,
    d.Pass,
    d.Decline,
    d.EndMissions,
    d.Evade,
    d.Hold,
    d.NoAttack,
    d.AllotRest,
)
"""P0.8: what ends a window, or does least, in this order."""


def default(state: State, seat: int, prompt: Prompt) -> Decision:
    """Return the default decision (P0.8): what ends the window, else the first of the list.

    An attack on land is made with all units, so there the window ends when none is left. No Operation is
    claimed. Who may not be done with deactivating deactivates what has cost most.
    """
    more = (one for one in prompt.options if isinstance(one, d.CommitAttacker))
    for one in (*more, *ending(prompt.options)):
        return one
    own, left = state.own[state.match.side(seat)], c.ClaimOperation(yes=False)
    if left in prompt.options:
        return left
    return min(prompt.options, key=lambda one: -_cost(own, one))


def _cost(own: Own, decision: Decision) -> int:
    """Return the Activation Points of what a decision deactivates (P20.1); 0 of another one."""
    match decision:
        case d.Deactivate(unit):
            return price(own, unit)
        case d.DeactivateTF(tf):
            return sum(price(own, ship) for ship in members(own, tf))
    return 0


def ending(options: Sequence[Decision]) -> Iterator[Decision]:
    """Yield the options that end a window."""
    return (one for kind in ENDS for one in options if isinstance(one, kind))
