"""M3.6 Clock: the default decision of a seat whose time has run out."""

from domain.kernel.procedures import Decision, Prompt
from domain.midway.decisions import Done, HitType, Lose
from domain.midway.table import READY, Open, State, at, enemy, strength


def default(state: State, seat: int, prompt: Prompt) -> Decision:
    """Return the default decision: DONE where there is one, else by kind.

    LOSE: the group with the most strength left. HIT_TYPE: the type with more strength not yet designated.
    TARGET, SEARCH_ASSIGN and ACCEPT are the first on their lists. Ties: the first.
    """
    options = prompt.options
    if Done() in options:
        return Done()
    foe = enemy(state.match.side(seat))
    return max(options, key=lambda option: _weight(state.open, foe, option))


def _weight(open: Open, foe: int, option: Decision) -> int:
    """Return the sort key of an option as default: the greatest is taken, the first of equals."""
    if isinstance(option, Lose):
        group = open.groups[option.group]
        return group.strength - group.proposed
    if isinstance(option, HitType):
        kind = option.plane_type
        return strength(open, at(open, foe, READY, kind)) - open.designated.get(kind, 0)
    return 0
