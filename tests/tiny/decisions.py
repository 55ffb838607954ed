"""What may be chosen, and what is chosen for a seat whose time has run out."""

from domain.kernel.procedures import Decision, Prompt
from tests.tiny.table import State


class Sail(Decision, frozen=True):
    """Send the fleet to an islet (4.1)."""

    islet: str


class Play(Decision, frozen=True):
    """Play a card from the hand (6.1)."""

    card: str


class Lose(Decision, frozen=True):
    """Take a hit on a boat (5.3)."""

    boat: str


class Press(Decision, frozen=True):
    """Fight another round (5.5)."""


class Pass(Decision, frozen=True):
    """Do nothing (5.5, 6.1)."""


def default(state: State, seat: int, prompt: Prompt) -> Decision:  # noqa: ARG001 the kernel's shape
    """Pass where that is possible, else take the first of the list."""
    return Pass() if Pass() in prompt.options else prompt.options[0]
