"""C25.3 Clock: the default decision of a seat whose time has run out."""

from domain.coral_sea.decisions import (
    ChooseMode,
    DiscardForRp,
    Done,
    DrawCard,
    EndOperation,
    Pass,
    Stop,
)
from domain.coral_sea.table import CARD, State
from domain.kernel.procedures import Decision, Prompt

MODEST: tuple[type[Decision], ...] = (Pass, EndOperation, Done, Stop, DrawCard, DiscardForRp)
"""The decisions that commit a seat to least, in order of preference."""


def default(_state: State, _seat: int, prompt: Prompt) -> Decision:
    """Return the default: Card, pass, end, done, stop, draw, discard; else the first of the list."""
    if ChooseMode(CARD) in prompt.options:
        return ChooseMode(CARD)
    for kind in MODEST:
        for option in prompt.options:
            if isinstance(option, kind):
                return option
    return prompt.options[0]
