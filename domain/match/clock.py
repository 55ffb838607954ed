"""Thinking time, computed from the times in the log; no system clock is read here.

Laws of taking back, where the clock `rewinds`; of other clocks, as all once were, what was added stands:

- What was added for decisions that are taken back, or for turns that began by them, is gone.
- Who takes back has used all time since his step began, also while others thought over what he had decided:
  he never has more than if he had decided nothing.
- Another who was not asked when that step began has all back that he has used since; one who was has used
  what has run for him.
- Where others have to agree, this is counted until they were asked. In what they take to answer nobody uses
  time, or one of them could wait until the other's is out.
- Claims in a row count as they did then: nobody who is away begins anew without deciding.

Deliberately absent: when the time of a seat stands still though it is asked (`domain.match.rest`).
"""

from bisect import bisect_right
from collections.abc import Collection, Mapping
from typing import Final

from msgspec import Struct

from domain.kernel.seats import Clock
from domain.match.rest import DAY, SECOND, Rest

NEVER: Final[Mapping[int, Rest]] = {}
"""No seat's time ever stands still."""

LOW: Final = 4
"""By turns time is low when a part in so many is left: who is away has days yet to come back."""

LOW_LIVE: Final = 10
"""The same in live play, where a quarter of an hour is no hurry; but not below a minute, LEAST."""

LEAST: Final = 60
"""Seconds. Of so little that a minute would be low from the beginning, it is half."""


def most_of(clock: Clock) -> int:
    """Return the most that is given at once, in microseconds: the bank, or what is added, if that is more."""
    return max(clock.bank, clock.increment, clock.turn or 0) * SECOND


def low_of(clock: Clock) -> int:
    """Return with how much time left a seat's time is low, in microseconds: for notices and in the page.

    The page has the same in `words/low.ts`; both are held to its `fixtures/low.json`.
    """
    most = most_of(clock)
    return most // LOW if clock.by_claim else max(most // LOW_LIVE, min(LEAST * SECOND, most // 2))


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
    passed: dict[int, int] = {}
    """Where the clock `rewinds`: the time that would have run for a seat were it asked always."""
    used: dict[int, int] = {}
    """Where the clock `rewinds`: the time that has run for a seat, but for what it got back."""


class Clocks:
    """The time left to each seat, in microseconds. It runs for every seat that is asked."""

    def __init__(
        self,
        clock: Clock,
        seats: int,
        turning: Turning | None = None,
        rests: Mapping[int, Rest] = NEVER,
    ) -> None:
        """Begin with the whole bank of each seat, or go on from `turning`, where `rests` hold.

        Nobody goes back past that.
        """
        turning = turning or Turning(dict.fromkeys(range(seats), clock.bank * SECOND), 0, ())
        self._clock, self._rests = clock, rests
        self.left, self.late = dict(turning.left), dict(turning.late)
        self.vacant = turning.vacant
        self._since, self._asked, self._turn = turning.since, turning.asked, turning.turn
        self._passed, self._used = dict(turning.passed), dict(turning.used)
        self._past = [(0, turning)]
        """Behind each command that may be gone back to: its last fact, and the clocks then."""

    def turning(self) -> Turning:
        """Return the clocks as of the last command, from which others can go on."""
        return Turning(
            dict(self.left),
            self._since,
            self._asked,
            self._turn,
            dict(self.late),
            self.vacant,
            dict(self._passed),
            dict(self._used),
        )

    def copy(self) -> "Clocks":
        """Return an independent copy."""
        other = Clocks(self._clock, len(self.left), self.turning(), self._rests)
        other._past = list(self._past)
        return other

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
        self._run(at)
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
            self.left[seat] = max(self.left[seat], most_of(self._clock))
            self.late.pop(seat, None)
        back = {*decided, *replaced}
        self.vacant = tuple(seat for seat in (*self.vacant, *offered) if seat not in back)
        if turn > self._turn:
            self._turn = turn
            self._add(self._clock.turn or 0)
        self._since, self._asked, self._rests = at, asked, rests

    def take_back(self, seat: int, back_to: int, asked_at: int | None = None) -> None:
        """Go back, for `seat`, to the clocks behind fact `back_to`, and count time from there on.

        `turn` has counted the command that does it. `asked_at` is the fact by which others were asked to
        agree, if they were.
        """
        if not self._clock.rewinds:
            return
        then = self._as_of(back_to)
        until = self.turning() if asked_at is None else self._as_of(asked_at)
        for each in self.left:
            began, now = (then.passed, until.passed) if each == seat else (then.used, until.used)
            ran = now.get(each, 0) - began.get(each, 0) if each in then.asked else 0
            self.left[each] = max(0, then.left[each] - ran)
            self._used[each] = then.used.get(each, 0) + ran
        self._passed, self.late, self._turn = dict(until.passed), dict(then.late), then.turn
        del self._past[self._place(back_to) + 1 :]

    def outlasts(self, seat: int, back_to: int, at: int) -> bool:
        """Return whether a seat keeps some time if at an instant it goes back to fact `back_to`.

        True, too, of a seat that has none anyway, and of a clock that does not rewind.
        """
        ran = self._ran(seat, at) if self._asked else 0
        if not self._clock.rewinds or self.left[seat] <= (ran if seat in self._asked else 0):
            return True
        then = self._as_of(back_to)
        return then.left[seat] > self._passed.get(seat, 0) + ran - then.passed.get(seat, 0)

    def remember(self, seq: int) -> None:
        """Keep the clocks as of the last command, which ends with fact `seq`, for who goes back to it."""
        if self._clock.rewinds:
            self._past.append((seq, self.turning()))

    def forget(self, seq: int) -> None:
        """Forget what was before fact `seq`, which nobody goes back past."""
        del self._past[: self._place(seq)]

    def _as_of(self, seq: int) -> Turning:
        return self._past[self._place(seq)][1]

    def _place(self, seq: int) -> int:
        return max(0, bisect_right(self._past, seq, key=lambda kept: kept[0]) - 1)

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
        return self._out(seat, max(0, self.left[seat] - low_of(self._clock)))

    def _out(self, seat: int, time: int) -> int:
        """Return when so much time of a seat has run."""
        rest = self._rests.get(seat)
        return rest.out(self._since, time) if rest else self._since + time

    def _grace(self) -> int:
        """Return what a seat has after a claim, so that three in a row are more than one moment.

        It is a day, or less where the clock begins with less.
        """
        return min(DAY, most_of(self._clock))

    def _run(self, at: int) -> None:
        """Let time run until an instant; where nobody is asked, as in a pause, it passes for nobody."""
        for seat in self.left if self._asked and self._clock.rewinds else self._asked:
            ran = self._ran(seat, at)
            used = ran if seat in self._asked else 0
            self.left[seat] = max(0, self.left[seat] - used)
            if self._clock.rewinds:
                self._passed[seat] = self._passed.get(seat, 0) + ran
                self._used[seat] = self._used.get(seat, 0) + used

    def _ran(self, seat: int, at: int) -> int:
        """Return how much time of a seat has run by an instant, if it is asked."""
        rest = self._rests.get(seat)
        return rest.used(self._since, at) if rest else at - self._since
