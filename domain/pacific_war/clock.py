"""P0.8 The default decision of a seat whose time has run out."""

from collections.abc import Iterator, Sequence

from domain.kernel.procedures import Decision, Prompt
from domain.pacific_war.board.table import Open, Own, State, members
from domain.pacific_war.command.costs import price
from domain.pacific_war.decisions import choices as c
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.orders_of_month import Suggested
from domain.pacific_war.decisions.orders_of_war import PlaceSBP

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
    PlaceSBP,
)
"""P0.8: what ends a window, or does least, in this order."""


OWED = (d.Deactivate, d.DeactivateTF)
"""P5.2.M: what is done while a side may not be done (P20.2.5, R-41)."""


def default(state: State, seat: int, prompt: Prompt) -> Decision:
    """Return the default decision (P0.8): what ends the window, else the first of the list.

    An attack on land is made with all units, so there the window ends when none is left. The first lighting
    is Day, which is the first of its list.
    """
    options = prompt.options
    if all(isinstance(one, OWED) for one in options):
        own = state.own[state.match.side(seat)]
        return min(options, key=lambda one: (-_worth(state.open, own, one), _piece(one)))
    if isinstance(options[-1], c.ClaimOperation):
        return options[-1]  # no
    more = next((one for one in options if isinstance(one, d.CommitAttacker)), None)
    return more or next(ending(options), options[0])


def _worth(open: Open, own: Own, decision: Decision) -> int:
    """Return the Activation Points of what is deactivated (P20.1): of a task force those of its ships."""
    if isinstance(decision, d.DeactivateTF):
        return sum(price(open, own, ship) for ship in members(own, decision.tf))
    return price(open, own, _piece(decision))


def _piece(decision: Decision) -> str:
    """Return the unit or task force that is deactivated."""
    assert isinstance(decision, OWED)
    return decision.tf if isinstance(decision, d.DeactivateTF) else decision.unit


def ending(options: Sequence[Decision]) -> Iterator[Decision]:
    """Yield the options that end a window."""
    return (one for kind in ENDS for one in options if isinstance(one, kind))
