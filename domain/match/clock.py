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


class Clocks:
    """The time left to each seat, in microseconds. It runs for every seat that is asked."""

    def __init__(self, clock: Clock, seats: int, turning: Turning | None = None) -> None:
        """Begin with the whole bank of each seat, or go on from `turning`."""
        turning = turning or Turning(dict.fromkeys(range(seats), clock.bank * SECOND), 0, ())
        self._clock = clock
        self.left = dict(turning.left)
        self._since, self._asked = turning.since, turning.asked

    def turning(self) -> Turning:
        """Return the clocks as of the last command, from which others can go on."""
        return Turning(dict(self.left), self._since, self._asked)

    def turn(self, at: int, asked: tuple[int, ...], decided: Collection[int]) -> None:
        """Count a command stored at `at`, in microseconds since the epoch.

        `decided` are the seats that decided in it, `asked` those that are asked after it, or
        nobody if the match is paused then.
        """
        for seat in self._asked:
            self.left[seat] = max(0, self.left[seat] - (at - self._since))
        most = self._clock.cap * SECOND
        for seat in decided:
            more = self.left[seat] + self._clock.increment * SECOND
            self.left[seat] = min(more, most) if most else more
        self._since, self._asked = at, asked

    def deadline(self, seat: int) -> int | None:
        """Return when a seat's time runs out, in microseconds since the epoch; None if it is not asked."""
        return self._since + self.left[seat] if seat in self._asked else None
