"""Thinking time, computed from the times in the log; no system clock is read here.

Deliberately absent: when the time of a seat stands still though it is asked (`domain.match.rest`).
"""

from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct

from domain.kernel.seats import Clock
from domain.match.rest import DAY, SECOND, Rest

NEVER: Final[Mapping[int, Rest]] = {}
"""No seat's time ever stands still."""

LOW: Final = 4
"""Time runs low when a part in so many is left, of the bank or of what is added at once, if that is more."""


class Turning(Struct, frozen=True):
    """The clocks of a match as of a command: the time left to each seat, since when it runs, and for whom.

    All times are in microseconds, `since` from the epoch on.
    """

    left: dict[int, int]
    since: int
    asked: tuple[int, ...]
    turn: int = 0
    """The latest turn of the title that has begun."""
    late: dict[int, int] = {}
    """Seat to how many of its time-outs were claimed in a row, where they are decided by claims."""
    vacant: tuple[int, ...] = ()
    """The seats that are offered to others, as their players stay away."""


class Clocks:
    """The time left to each seat, in microseconds. It runs for every seat that is asked."""

    def __init__(
        self,
        clock: Clock,
        seats: int,
        turning: Turning | None = None,
        rests: Mapping[int, Rest] = NEVER,
    ) -> None:
        """Begin with the whole bank of each seat, or go on from `turning`, where `rests` hold."""
        turning = turning or Turning(dict.fromkeys(range(seats), clock.bank * SECOND), 0, ())
        self._clock, self._rests = clock, rests
        self.left, self.late = dict(turning.left), dict(turning.late)
        self.vacant = turning.vacant
        self._since, self._asked, self._turn = turning.since, turning.asked, turning.turn

    def turning(self) -> Turning:
        """Return the clocks as of the last command, from which others can go on."""
        return Turning(dict(self.left), self._since, self._asked, self._turn, dict(self.late), self.vacant)

    def turn(
        self,
        at: int,
        asked: tuple[int, ...],
        decided: Collection[int],
        turn: int = 0,
        rests: Mapping[int, Rest] = NEVER,
        claimed: Collection[int] = (),
        offered: Collection[int] = (),
        replaced: Collection[int] = (),
    ) -> None:
        """Count a command stored at `at`, in microseconds since the epoch.

        `decided` are the seats that decided in it, `asked` those that are asked after it, or
        nobody if the match is paused then. `turn` is that of the title (`Account.turn`): one that
        begins again after an undo adds nothing. `rests` say when no time runs from then on, of each seat for
        which it does not run always. `claimed` are the seats whose time-out was claimed in it, `offered`
        those that were offered to others, `replaced` those that others have taken: they have the bank again,
        since whoever comes has a match to read that all others know.
        """
        for seat in self._asked:
            self.left[seat] = max(0, self.left[seat] - self._used(seat, at))
        most = self._clock.cap * SECOND
        for seat in decided:
            more = self.left[seat] + self._clock.increment * SECOND
            self.left[seat] = min(more, most) if most else more
            self.late.pop(seat, None)
        if self._clock.by_claim:
            for seat in claimed:
                self.left[seat] = max(self.left[seat], self._grace())
                self.late[seat] = self.late.get(seat, 0) + 1
        for seat in replaced:
            self.left[seat] = max(self.left[seat], self._most())
            self.late.pop(seat, None)
        back = {*decided, *replaced}
        self.vacant = tuple(seat for seat in (*self.vacant, *offered) if seat not in back)
        if turn > self._turn:
            self._turn = turn
            self._add(self._clock.turn or 0)
        self._since, self._asked, self._rests = at, asked, rests

    def _add(self, seconds: int) -> None:
        """Add some seconds to every seat, up to the cap; what a seat has above it already stands."""
        if not seconds:
            return
        most = self._clock.cap * SECOND
        for seat, left in self.left.items():
            more = left + seconds * SECOND
            self.left[seat] = max(left, min(more, most)) if most else more

    def deadline(self, seat: int) -> int | None:
        """Return when a seat's time runs out, in microseconds since the epoch; None if it is not asked."""
        return self._out(seat, self.left[seat]) if seat in self._asked else None

    def low(self, seat: int) -> int | None:
        """Return when a seat's time runs low, in microseconds since the epoch; None if it is not asked.

        Where no more was left when it began to run, that is then.
        """
        if seat not in self._asked:
            return None
        return self._out(seat, max(0, self.left[seat] - self._most() // LOW))

    def _out(self, seat: int, time: int) -> int:
        """Return when so much time of a seat has run."""
        rest = self._rests.get(seat)
        return rest.out(self._since, time) if rest else self._since + time

    def _most(self) -> int:
        """Return the bank, or what is added at once, if that is more."""
        clock = self._clock
        return max(clock.bank, clock.increment, clock.turn or 0) * SECOND

    def _grace(self) -> int:
        """Return what a seat has after a claim, so that three in a row are more than one moment.

        It is a day, or less where the clock begins with less.
        """
        return min(DAY, self._most())

    def _used(self, seat: int, at: int) -> int:
        rest = self._rests.get(seat)
        return rest.used(self._since, at) if rest else at - self._since
