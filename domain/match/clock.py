"""Thinking time, computed from the times in the log; no system clock is read here."""

from collections.abc import Collection

from msgspec import Struct

from domain.kernel.seats import Clock

SECOND = 1_000_000


class Turning(Struct, frozen=True):
    """The clocks of a match as of a command: the time left to each seat, since when it runs, and for whom.

    All times are in microseconds, `since` from the epoch on.
    """

    left: dict[int, int]
    since: int
    asked: tuple[int, ...]
    turn: int = 0
    """The latest turn of the title that has begun."""


class Clocks:
    """The time left to each seat, in microseconds. It runs for every seat that is asked."""

    def __init__(self, clock: Clock, seats: int, turning: Turning | None = None) -> None:
        """Begin with the whole bank of each seat, or go on from `turning`."""
        turning = turning or Turning(dict.fromkeys(range(seats), clock.bank * SECOND), 0, ())
        self._clock = clock
        self.left = dict(turning.left)
        self._since, self._asked, self._turn = turning.since, turning.asked, turning.turn

    def turning(self) -> Turning:
        """Return the clocks as of the last command, from which others can go on."""
        return Turning(dict(self.left), self._since, self._asked, self._turn)

    def turn(self, at: int, asked: tuple[int, ...], decided: Collection[int], turn: int = 0) -> None:
        """Count a command stored at `at`, in microseconds since the epoch.

        `decided` are the seats that decided in it, `asked` those that are asked after it, or
        nobody if the match is paused then. `turn` is that of the title (`Account.turn`): one that
        begins again after an undo adds nothing.
        """
        for seat in self._asked:
            self.left[seat] = max(0, self.left[seat] - (at - self._since))
        for seat in decided:
            self._add(seat, self._clock.increment)
        if turn > self._turn:
            self._turn = turn
            for seat in self.left:
                self._add(seat, self._clock.turn or 0)
        self._since, self._asked = at, asked

    def _add(self, seat: int, seconds: int) -> None:
        """Add some seconds to a seat, up to the cap."""
        more, most = self.left[seat] + seconds * SECOND, self._clock.cap * SECOND
        self.left[seat] = min(more, most) if most else more

    def deadline(self, seat: int) -> int | None:
        """Return when a seat's time runs out, in microseconds since the epoch; None if it is not asked."""
        return self._since + self.left[seat] if seat in self._asked else None
