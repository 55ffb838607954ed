"""What a notice says: the same sentences by every channel, and nothing that is hidden in the match.

Deliberately absent: what happened in the match, which is for who opens it; any token.
"""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.titles import TITLES

SAYS: Final = {
    "turn": "It is your turn in {game}",
    "low": "Your time runs low in {game}",
    "begun": "The match begins: {game}",
    "offer": "You are asked to agree to something in {game}",
    "joined": "Somebody has joined {game}",
    "holiday": "Somebody goes on holiday in {game}",
    "ended": "The match has ended: {game}",
    "wrote": "Somebody wrote in {game}",
    "test": "This is a test: notices reach you here",
}
"""By kind of notice its sentence, which ends without a full stop."""

Home = Callable[[], str]
"""Returns what the links of this server begin with, without a slash at its end."""

NOBODY_NAMED: Final = "your opponent"


class Notice(Struct, frozen=True):
    """A notice to the seat of a match, with the title's id, the label, and the names of the other seats.

    Names and labels that an operator has hidden are empty here.
    """

    id: UUID
    kind: str
    match: UUID | None
    seat: int | None
    title: str
    label: str
    others: tuple[str, ...]

    @property
    def game(self) -> str:
        """The name of the title."""
        known = TITLES.get(self.title)
        return self.title if known is None else known.title

    @property
    def opponents(self) -> str:
        """Who else sits there."""
        return " and ".join(name for name in self.others if name) or NOBODY_NAMED

    @property
    def heading(self) -> str:
        """The notice in a line."""
        return SAYS[self.kind].format(game=self.game)

    @property
    def about(self) -> str:
        """Whom the match is against, and its label; empty for a test."""
        if self.match is None:
            return ""
        return f"against {self.opponents}" + (f": {self.label}" if self.label else "")

    def link(self, home: str) -> str:
        """Return the address that opens the match, and is no credential."""
        return home if self.match is None else f"{home}/match/{self.match}"


def heading_of(notices: tuple[Notice, ...]) -> str:
    """Return one line for what is told at once."""
    return notices[0].heading if len(notices) == 1 else f"{len(notices)} things wait for you"


class Failed(Exception):
    """A notice could not be told; it may be later. `fault` says why in words of ours, without a place."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class Gone(Exception):
    """A channel leads nowhere any more, for good."""
