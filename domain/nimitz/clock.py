"""R-77 Clock: the default decision of a seat whose time has run out."""

from domain.kernel.procedures import Decision, Prompt
from domain.nimitz import decisions as d
from domain.nimitz.table import State

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
    d.JaByRule,
)


def default(_state: State, _seat: int, prompt: Prompt) -> Decision:
    """Return the default decision: whatever ends the step or passes, else the first of the list, by id.

    For Japan it is to let the automated rules choose, who roll where they would without a seat (N20.2).
    """
    return next((option for option in prompt.options if isinstance(option, ENDS)), prompt.options[0])
