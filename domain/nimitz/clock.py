"""R-77 Clock: what is decided for a seat whose time has run out."""

from typing import Any

from domain.kernel.facts import State
from domain.kernel.frames import Decision, Prompt
from domain.nimitz import decisions as d

ENDS: tuple[type[Decision], ...] = (
    d.DoneResupply,
    d.DoneScouting,
    d.DoneReserving,
    d.DoneMoving,
    d.DonePlans,
    d.DoneAir,
    d.PassFirstLight,
    d.PassPlan,
    d.TakeHit,
)


def default(_state: State[Any, Any], _seat: int, prompt: Prompt) -> Decision:
    """Return the default decision: whatever ends the step or passes, else the first of the list.

    Lists are in the order of ids, so the first is what the rules take for Japan where they break ties by id.
    """
    return next((option for option in prompt.options if isinstance(option, ENDS)), prompt.options[0])
