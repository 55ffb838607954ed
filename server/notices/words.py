"""What a notice says: the same sentences by every channel, and nothing that is hidden in the match.

What strangers wrote, a label, a name, a word with a challenge, is told as plain text: nothing that a program
which shows it could make a link of, or take for a part of the sentence (`unlinked`).

Deliberately absent: what happened in the match, which is for who opens it; any token.
"""

import re
from collections.abc import Callable
from datetime import datetime
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.titles import TITLES

SAYS: Final = {
    "turn": "It is your turn in {game}",
    "low": "Your time runs low in {game}",
    "out": "You may claim a time-out in {game}",
    "begun": "The match begins: {game}",
    "anew": "Begin again, as the other seat has done: {game}",
    "offer": "You are asked to agree to something in {game}",
    "joined": "Somebody has joined {game}",
    "holiday": "Somebody goes on holiday in {game}",
    "vacant": "Your seat is offered to others, as you stay away: {game}",
    "round": "A round begins, and your match waits for you: {game}",
    "botround": "A round begins, and the match of a bot of yours waits for it: {game}",
    "invited": "You are invited to a tournament of {game}",
    "botinvited": "A bot of yours is invited to a tournament of {game}",
    "ended": "The match has ended: {game}",
    "wrote": "Somebody wrote in {game}",
    "challenged": "You are challenged to {game}",
    "accepted": "Your challenge is accepted: {game}",
    "declined": "Your challenge is declined: {game}",
    "withdrawn": "A challenge to you is taken back: {game}",
    "rematch": "A rematch of {game} is offered to you",
    "refused": "Your rematch of {game} is declined",
    "test": "This is a test: notices reach you here",
}
"""By kind of notice its sentence, which ends without a full stop."""

Home = Callable[[], str]
"""Returns what the links of this server begin with, without a slash at its end."""

_LINKS: Final = re.compile(r"(?<=\S)[.@:/\\\u3002\uff0e\uff61](?=[^\s\d.])")
"""What stands within an address, and seldom within anything else."""

_MARKS: Final = str.maketrans(dict.fromkeys('[]()<>`*_~|#"', " "))
"""What Discord and Slack, and mail programs here and there, take for more than text."""

_PLAIN: Final = re.compile(r"[\w -]*")
"""A name of such characters alone stays as it is: no link is made of it. Handles are of them."""

NOBODY_NAMED: Final = "your opponent"


class Notice(Struct, frozen=True):
    """A notice to the seat of a match, with the title's id, the label, and the names of the other seats.

    Of a challenge, to whoever challenges or is challenged, with the handle of the other, and his `word`; to
    the latter with the `terms`, too. Of an invitation to a `tournament`, to no match, with its director's
    handle, and what he calls it as label.
    Of a turn, `until` is when the player's time is out, None where no clock says so, and `lasts` says that.
    Names and labels that an operator has hidden are empty here.
    """

    id: UUID
    kind: str
    match: UUID | None
    seat: int | None
    title: str
    label: str
    others: tuple[str, ...]
    word: str = ""
    tournament: UUID | None = None
    terms: str = ""
    until: datetime | None = None
    lasts: str = ""

    @property
    def game(self) -> str:
        """The name of the title."""
        known = TITLES.get(self.title)
        return self.title if known is None else known.title

    @property
    def opponents(self) -> str:
        """Who else sits there, as they write their names."""
        return " and ".join(name for name in self.others if name) or NOBODY_NAMED

    @property
    def heading(self) -> str:
        """The notice in a line."""
        return SAYS[self.kind].format(game=self.game)

    @property
    def about(self) -> str:
        """Whom the match is against, or who invites, and its label, as plain text; empty for a test."""
        if self.match is None and self.tournament is None:
            return ""
        names = self.opponents if _PLAIN.fullmatch(self.opponents) else unlinked(self.opponents)
        label = unlinked(self.label)
        return f"{'against' if self.match else 'by'} {names}" + (f": {label}" if label else "")

    @property
    def said(self) -> str:
        """What the other said with it, as plain text; empty where he said nothing."""
        return f'{self.opponents} says: "{unlinked(self.word)}"' if self.word else ""

    @property
    def lines(self) -> tuple[str, ...]:
        """What stands below the heading, line by line."""
        return tuple(line for line in (self.about, self.terms, self.lasts, self.said) if line)

    def link(self, home: str) -> str:
        """Return the address that opens match or tournament, and is no credential; home where he may not."""
        if self.tournament is not None:
            return f"{home}/tournaments/{self.tournament}"
        return home if self.match is None or self.kind == "withdrawn" else f"{home}/match/{self.match}"


def unlinked(text: str) -> str:
    """Return the text of a stranger with no address left in it, and nothing that a program marks up."""
    return " ".join(_LINKS.sub(r"\g<0> ", text.translate(_MARKS)).split())


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
