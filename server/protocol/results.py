"""What is answered over HTTP as JSON about results: ladders, what a person has played, how equal sides are.

Persons are named by their handles, and by nothing of the database's. Ratings and deviations are rounded to
points; times are in microseconds since the epoch. Deliberately absent: where it comes from
(`server.http.results`).
"""

from typing import Literal

from msgspec import Struct

PlayerKind = Literal["person", "bot", "house", "guest"]
"""Whether somebody is a person, a bot that a person has registered, a bot of the house, or nobody known."""


class Player(Struct, frozen=True):
    """Who plays. `handle` is None for a bot of the house, a guest, and who was erased, who is `someone`."""

    name: str
    """Empty where an operator has hidden it."""
    handle: str | None
    kind: PlayerKind


class Rank(Struct, frozen=True):
    """A row of a ladder. `owner` is the handle of who has registered a bot."""

    player: Player
    owner: str | None
    rank: int | None
    """None for a rating that is provisional: its deviation is 110 or more."""
    rating: int
    deviation: int
    """As of today: it grows while nothing is played."""
    matches: int
    last: int


class Ladder(Struct, frozen=True):
    """A page of the ladder of a title: the settled ratings, the highest first, and then the provisional."""

    title: str
    page: int
    """From 1 on."""
    pages: int
    ranks: list[Rank]


class RatingPoint(Struct, frozen=True):
    """A rating after a rated match."""

    at: int
    rating: int
    deviation: int


class TitleRating(Struct, frozen=True):
    """The rating of a player in a title, and how it came to that: the last matches, the earliest first."""

    title: str
    rating: int
    deviation: int
    provisional: bool
    matches: int
    curve: list[RatingPoint]


class SideRecord(Struct, frozen=True):
    """How often a player has won, drawn and lost a scenario with a side."""

    title: str
    scenario: str
    side: int
    won: int
    drawn: int
    lost: int


class PlayedMatch(Struct, frozen=True):
    """A match that a player has played to its end."""

    match: str
    title: str
    scenario: str
    side: int
    ended: int
    score: float
    """1 for a win, 0.5 for a draw, 0 for a defeat."""
    reason: str
    opponents: list[Player]
    before: int | None
    """The rating before it; None for a match that was not rated."""
    after: int | None


class TitleLuck(Struct, frozen=True):
    """What the dice of a player came to in all matches of a title that have ended, beside fair dice.

    Rolls count whose target says which faces succeed, in two measures that are not added: the hits of dice,
    and how many checks held and repairs succeeded. Not among them are private matches, those in which he sat
    on both sides, and sides of several seats.
    """

    title: str
    measure: Literal["hits", "checks"]
    matches: int
    """In which he rolled such dice."""
    dice: int
    came: int
    expected: float
    """The mean of fair dice."""
    low: float
    """Fair dice come to `low` to `high` in 19 of 20 cases."""
    high: float
    words: str


class PersonResults(Struct, frozen=True):
    """What a person, or a bot of one, has played and come to.

    Private matches are not in `records`, `matches` and `luck`; those that were rated count for the ratings.
    """

    player: Player
    owner: str | None
    ratings: list[TitleRating]
    records: list[SideRecord]
    matches: list[PlayedMatch]
    """The latest first."""
    more: bool
    """Whether there are earlier ones than these: `before=ENDED` of the last one asks for them."""
    in_time: int
    """Turns in matches with a clock that ended in time: from when he was asked until he was no longer."""
    too_late: int
    """Turns in these whose time was claimed, or in which another took over his seat."""
    luck: list[TitleLuck]
    """The title with the most dice first, and of each title hits before checks."""


class ScenarioBalance(Struct, frozen=True):
    """How the rated matches of a scenario went for side 0; a draw counts half."""

    scenario: str
    matches: int
    points: float
    low: float
    """The share lies between `low` and `high` in 19 of 20 cases."""
    high: float
    counts: bool
    """Whether there are enough matches for ratings to take it into account."""


class TitleBalance(Struct, frozen=True):
    """How equal the sides of each scenario of a title are."""

    title: str
    sides: list[str]
    scenarios: list[ScenarioBalance]
