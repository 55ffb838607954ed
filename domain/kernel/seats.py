"""The state of a match that all titles share. The facts that change it are in `domain.match.notices`."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """Thinking time, in whole seconds; what is added, is added up to `cap`.

    Fields that came later are left out where they say nothing: a match from before is encoded as it was.
    """

    bank: int
    increment: int = 0
    """Added to a seat after each of its decisions."""
    cap: int = 0
    turn: int | UnsetType = UNSET
    """Added to every seat when a turn of the title begins, the first too."""
    nights: Literal[True] | UnsetType = UNSET
    """No time of a seat runs in its eight hours of night."""
    weekends: Literal[True] | UnsetType = UNSET
    """No time of a seat runs on Saturday and Sunday, by its own time."""
    by_claim: Literal[True] | UnsetType = UNSET
    """A time-out is decided when a seat that waits claims it; else by the server, at once."""
    rewinds: Literal[True] | UnsetType = UNSET
    """What is taken back has given no time: the clocks go on as if it had not been decided."""


class Hours(Struct, frozen=True):
    """By which time a seat lives, as far as its clock has to know."""

    offsets: tuple[tuple[int, int], ...]
    """Seconds ahead of UTC, each behind the second since the epoch from which on; the first holds before."""
    night: int | UnsetType = UNSET
    """The minute of the day at which its eight hours of night begin; left out for who has none."""


class TimeOff(Struct, frozen=True):
    """Time in which no time of a seat runs, from and until when, in microseconds since the epoch."""

    since: int
    until: int


class Seat(Struct, frozen=True):
    """A place for one player. All seats of a side see the same."""

    name: str
    side: int


def the(name: str, said: str = "") -> str:
    """Return the name of a side or place within a sentence: `the Allies`, `the Mariana Islands`, `Japan`.

    `said` stands in its place where the name itself comes later, as an id in brackets.
    """
    return f"the {said or name}" if name.endswith(("s", " Coast")) else said or name


class Correction(Struct, frozen=True):
    """A correction that is proposed: to go on from the fact `back_to`, behind which seat `of` decided."""

    back_to: int
    of: int
    agreed: tuple[int, ...]
    """The seats that have agreed; a seat that proposes is the first."""
    by: int | UnsetType = UNSET
    """The seat that proposes; left out for the director of a tournament."""


class Match(Struct):
    """Seats, nonces, offers and the end of a match."""

    title: str = ""
    scenario: str = ""
    options: dict[str, bool | int | str] = {}
    revision: str = ""
    commitment: str = ""
    """SHA-256 of the key of the dice, in hex, fixed before any seat is taken."""
    seats: tuple[Seat, ...] = ()
    clock: Clock | None = None
    taken: dict[int, str] = {}
    """Seat to `person` or `bot`."""
    promises: dict[int, str] = {}
    """Seat to the SHA-256 of its nonce, in hex."""
    nonces: dict[int, str] = {}
    """Seat to its nonce, in hex."""
    started: bool = False
    anew: dict[int, int] | UnsetType = UNSET
    """Seat to how often it has replaced its promise before the match began; left out where none did."""
    spent: dict[int, tuple[str, ...]] | UnsetType = UNSET
    """Seat to its promises that count no more, the first first; left out where there are none."""
    hours: dict[int, Hours] | UnsetType = UNSET
    """Seat to the hours that it keeps; left out where none does."""
    holidays: dict[int, tuple[TimeOff, ...]] | UnsetType = UNSET
    """Seat to its holidays so far, in order; left out where there was none."""
    resigned: tuple[int, ...] = ()
    draw: tuple[int, ...] = ()
    """The seats that have agreed to the draw on offer; the first offered it."""
    undo: tuple[int, ...] = ()
    """The seats that have agreed to the undo on offer; the first offered it."""
    undo_to: int = 0
    pause: tuple[int, ...] | UnsetType = UNSET
    """The seats that have agreed to the pause on offer; the first offered it.

    It is left out without an offer, as `paused` is: a match that was never paused is encoded as it was before
    there were pauses.
    """
    paused: Literal[True] | UnsetType = UNSET
    """The clocks stand still and nothing is decided."""
    correction: Correction | UnsetType = UNSET
    """The correction that is proposed; left out without one, and once somebody has decided since."""
    over: bool = False
    winner: int | None = None
    """The side that has won; None during play and after a draw."""
    reason: str = ""
    key: str = ""
    """The match key, in hex, revealed by the last fact."""

    def side(self, seat: int) -> int:
        """Return the side of a seat."""
        return self.seats[seat].side

    def seats_of(self, side: int) -> tuple[int, ...]:
        """Return the seats of a side."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.side == side)
