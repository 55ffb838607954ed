"""A match as it stands on a list: over HTTP, and in the lobby that is watched over the socket.

Nothing here is of what is played: the lobby shows the same to everybody. Deliberately absent: one match in
detail (`server.protocol.responses`), and which matches are listed (`server.lobby.listing`).
"""

from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.kernel.seats import Clock

Kind = Literal["person", "bot"]
MatchState = Literal["open", "playing", "ended"]


class SeatInfo(Struct, frozen=True):
    """A seat: its name and side, what sits there (None: nobody yet), and what the player is called.

    `handle` is that of a person who is known here, empty for others.
    """

    name: str
    side: int
    taken: Kind | None
    player: str
    present: bool
    handle: str


class WhoIsHere(Struct, frozen=True):
    """Who looks at the lobby: numbers of persons and guests, and some handles of those who let it be seen."""

    persons: int
    guests: int
    named: Sequence[str]


class MatchInfo(Struct, frozen=True):
    """How a match stands. Times are in microseconds since the epoch; `asked` are the seats to decide."""

    match: UUID
    title: str
    scenario: str
    label: str
    pace: str
    by_turns: bool
    """Whether it is played over days, each when there is time; else both are there at once."""
    private: bool
    imported: bool
    """Whether it was played elsewhere and brought in when it had ended."""
    state: MatchState
    seats: list[SeatInfo]
    joinable: list[int]
    """The seats that whoever watches the match may take by `join`; of one in play those that are offered."""
    asked: Sequence[int]
    winner: int | None
    """The side; None while it goes on, and where nobody has won."""
    reason: str
    clock: Clock | None
    chosen: Mapping[str, bool | int | str]
    """The options that are not the scenario's own."""
    rated: bool
    persons: bool
    """Whether its seats are for those who are signed in; those of a rated match are, and one that is offered
    again in a match of which a person has a seat."""
    band: tuple[int, int] | None
    """The ratings that it is offered to."""
    onlookers: int | None
    """None while it is not known."""
    rematch: UUID | None
    """The match that those who played this one play next."""
    paired: bool
    """Whether a tournament has paired who plays it, so that no seat of it is offered to others."""
    same_sides: bool
    """Whether nobody changes sides in that."""
    created: int
    last: int
    facts: int
