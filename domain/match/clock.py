"""Thinking time, computed from the times in the log; no system clock is read here."""

from collections.abc import Collection

from domain.kernel.seats import Clock

SECOND = 1_000_000


class Clocks:
    """The time left to each seat, in microseconds. It runs for every seat that is asked."""

    def __init__(self, clock: Clock, seats: int) -> None:
        self._clock = clock
        self.left = dict.fromkeys(range(seats), clock.bank * SECOND)
        self._since = 0
        self._asked: tuple[int, ...] = ()

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
