"""When the clock of a seat stands still: in its nights, at its weekends, on its holidays.

All of it is a function of the log, and needs no database of time zones: a seat's offsets from UTC for the
years to come are on the log (`Hours`). Nights and weekends go by the seat's own clock on the wall, so a week
of them is the same every week, and time that runs is counted by weeks, not by days. Where the wall clock is
put on or back, what it shows decides: a night then has seven hours or nine.

All times are in microseconds. Deliberately absent: who is asked (`domain.match.clock`), zones by name.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import UNSET, Struct

from domain.kernel.seats import Clock, Hours, Match

SECOND: Final = 1_000_000
MINUTE: Final = 60 * SECOND
DAY: Final = 86_400 * SECOND
WEEK: Final = 7 * DAY
NIGHT: Final = 8 * 60 * MINUTE
"""How long a night is."""

SATURDAY: Final = 5 * DAY
"""From the beginning of a week, which is Monday."""

_THURSDAY: Final = 3 * DAY
"""The day of the week with which the epoch begins."""

UTC: Final = Hours(((0, 0),))
"""The hours of a seat that has said nothing: no night, and weekends by UTC."""

Spans = tuple[tuple[int, int], ...]


class Rest(Struct, frozen=True):
    """When no time runs for a seat; what it says of an instant holds from then on."""

    offsets: Spans
    """By how much its wall is ahead of UTC, each behind from when on; the first holds before, too."""
    still: Spans = ()
    """The parts of each week in which no time runs, by the wall, from Monday on, apart and in order."""
    off: Spans = ()
    """Holidays, each from its beginning to its end."""

    def used(self, since: int, until: int) -> int:
        """Return how much time runs from one instant to a later one."""
        total = 0
        for begin, end, ahead in self._pieces(since):
            if begin >= until:
                break
            upto = until if end is None else min(end, until)
            total += self._ran(upto + ahead) - self._ran(begin + ahead)
        return total

    def out(self, since: int, left: int) -> int:
        """Return the first instant, not before `since`, by which so much time has run."""
        if left <= 0:
            return since
        for begin, end, ahead in self._pieces(since):
            before = self._ran(begin + ahead)
            runs = None if end is None else self._ran(end + ahead) - before
            if runs is None or left <= runs:
                return self._first(before + left) - ahead
            left -= runs
        raise AssertionError("the last piece has no end")

    def _pieces(self, since: int) -> Iterator[tuple[int, int | None, int]]:
        """Yield begin, end and offset of each piece of time from an instant on that is no holiday.

        The last has no end.
        """
        edges = sorted({since, *(edge for edge in self._edges() if edge > since)})
        for begin, end in zip(edges, [*edges[1:], None], strict=True):
            if not any(first <= begin < last for first, last in self.off):
                place = bisect_right(self.offsets, begin, key=lambda pair: pair[0])
                yield begin, end, self.offsets[max(0, place - 1)][1]

    def _edges(self) -> Iterator[int]:
        yield from (begin for begin, _ in self.offsets[1:])
        for span in self.off:
            yield from span

    def _ran(self, wall: int) -> int:
        """Return how much time runs up to an instant by the wall, counted from a Monday."""
        weeks, within = divmod(wall + _THURSDAY, WEEK)
        stood = sum(min(end, within) - begin for begin, end in self.still if begin < within)
        return weeks * self._awake() + within - stood

    def _first(self, ran: int) -> int:
        """Return the first instant by the wall up to which so much time runs."""
        weeks, left = divmod(ran, self._awake())
        if not left:
            weeks, left = weeks - 1, self._awake()
        at = 0
        for begin, end in self.still:
            if left <= begin - at:
                break
            left -= begin - at
            at = end
        return weeks * WEEK + at + left - _THURSDAY

    def _awake(self) -> int:
        """Return how much time runs in a week; some does, as a night is shorter than a day."""
        return WEEK - sum(end - begin for begin, end in self.still)


def rests(match: Match) -> dict[int, Rest]:
    """Return when no time runs, of each seat for which it does not run always."""
    clock = match.clock
    if clock is None or not (clock.nights or clock.weekends or match.holidays):
        return {}
    said, off = match.hours or {}, match.holidays or {}
    return {
        seat: rest(clock, said.get(seat, UTC), [(one.since, one.until) for one in off.get(seat, ())])
        for seat in range(len(match.seats))
    }


def rest(clock: Clock, hours: Hours, off: Sequence[tuple[int, int]] = ()) -> Rest:
    """Return when no time of a seat with such a clock, such hours and such holidays runs."""
    still = list[tuple[int, int]]()
    if clock.nights and hours.night is not UNSET:
        for day in range(7):
            begin = day * DAY + hours.night * MINUTE
            still += [(begin, min(begin + NIGHT, WEEK)), (0, max(0, begin + NIGHT - WEEK))]
    if clock.weekends:
        still.append((SATURDAY, WEEK))
    offsets = tuple((begin * SECOND, ahead * SECOND) for begin, ahead in hours.offsets)
    return Rest(offsets, _joined(still), tuple(off))


def _joined(spans: Iterable[tuple[int, int]]) -> Spans:
    """Return spans in order, those that touch or overlap as one, and none that is empty."""
    joined = list[tuple[int, int]]()
    for begin, end in sorted(span for span in spans if span[0] < span[1]):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return tuple(joined)
