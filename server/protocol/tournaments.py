"""What is answered over HTTP as JSON about tournaments. Everybody is answered alike, but under `/api/me`.

Times are in microseconds since the epoch. Entrants and pairings are named by their numbers in the tournament.
Deliberately absent: where it comes from (`server.tournaments`).
"""

from collections.abc import Mapping, Sequence
from typing import Literal
from uuid import UUID

from msgspec import Struct

from domain.kernel.seats import Clock
from server.protocol.results import Player

TournamentKind = Literal["round robin", "swiss", "knock-out"]
TournamentState = Literal["open", "under way", "over", "called off"]
ResultKind = Literal["played", "adjudicated", "forfeit", "withdrawn", "bye"]


class TournamentInfo(Struct, frozen=True, kw_only=True):
    """A tournament in short."""

    id: UUID
    name: str
    about: str
    title: str
    scenario: str
    options: Mapping[str, bool | int | str]
    clock: Clock | None
    by_turns: bool
    kind: TournamentKind
    rounds: int
    """Of a Swiss; 0 for one that is yet to be reckoned by its entrants, and for other kinds."""
    rated: bool
    open: bool
    """Whether anybody may enter, else who is invited."""
    bots: bool
    by_itself: bool
    """Whether a round begins as soon as the one before is over, else when the director says so."""
    most: int
    director: Player
    state: TournamentState
    made: int
    started: int | None
    ended: int | None
    ruled_until: int | None
    """Until when its director rules results though it is over; None where he does not, or not any more."""
    entrants: int
    round: int
    """The latest that was paired, 0 before the first."""
    winner: Player | None


class Tournaments(Struct, frozen=True):
    """Those that are open or under way, and the latest that are over."""

    tournaments: Sequence[TournamentInfo]
    more: bool
    """Whether earlier ones are over: `before=MADE` of the last asks for them."""


class Predecessor(Struct, frozen=True):
    """Who had a place before, up to and with which round."""

    player: Player
    until: int


class EntrantInfo(Struct, frozen=True):
    """A place in a tournament, and who has it."""

    number: int
    player: Player
    owner: str | None
    """The handle of who has registered a bot."""
    rating: int | None
    provisional: bool
    since: int
    late: int
    """The round from which he plays; 0: from the first."""
    withdrawn: int | None
    before: Sequence[Predecessor]


class PairingInfo(Struct, frozen=True):
    """Two who meet, `first` with side 0; with no `second` a bye. `match` is None until it is made."""

    number: int
    first: int
    second: int | None
    match: UUID | None
    state: Literal["waiting", "playing", "over"]
    points: float | None
    second_points: float | None
    how: ResultKind | None
    """None while there is no result; a match that was called off has none either."""
    reason: str
    counts: bool
    """False where somebody has withdrawn from a round robin so early that nothing of his counts."""


class RoundInfo(Struct, frozen=True):
    """A round. `over` is None while it is not."""

    number: int
    since: int
    over: int | None
    pairings: Sequence[PairingInfo]


class StandingRow(Struct, frozen=True):
    """A row of the table. In a knock-out places go by how far one has come."""

    place: int
    entrant: int
    points: float
    buchholz: float
    direct: float
    played: int
    won: int
    drawn: int
    lost: int
    byes: int
    out: bool


class RulingInfo(Struct, frozen=True):
    """What was done by whom (None: by the server itself), and why."""

    at: int
    by: str | None
    what: str
    entrant: int | None
    pairing: int | None
    reason: str


class Directed(Struct, frozen=True, omit_defaults=True):
    """The tournament and the pairing of a match, to who directs it; to all others neither."""

    tournament: UUID | None = None
    pairing: int | None = None


class Tournament(Struct, frozen=True):
    """A tournament as a whole; rulings the latest first, in a file all that was done."""

    info: TournamentInfo
    entrants: Sequence[EntrantInfo]
    rounds: Sequence[RoundInfo]
    standings: Sequence[StandingRow]
    rulings: Sequence[RulingInfo]


class MyTournament(Struct, frozen=True):
    """A tournament of the person who asks. `place`: the number of the entrant whose place he is offered."""

    info: TournamentInfo
    director: bool
    entrant: int | None
    invited: bool
    place: int | None


class MyTournaments(Struct, frozen=True):
    """Those that he directs, has entered, or is invited to; the latest first."""

    tournaments: Sequence[MyTournament]


class Invitation(Struct, frozen=True):
    """Somebody who is invited, perhaps to the place of an entrant."""

    handle: str
    name: str
    since: int
    place: int | None
    answer: Literal["entered"] | None


class Invitations(Struct, frozen=True):
    """Whom the director has invited."""

    invited: Sequence[Invitation]


class Placed(Struct, frozen=True):
    """A tournament that somebody has entered, and his place in it once it is over."""

    info: TournamentInfo
    entrant: int
    place: int | None


class PlacedIn(Struct, frozen=True):
    """The tournaments of a person or bot, the latest first."""

    tournaments: Sequence[Placed]
