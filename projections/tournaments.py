"""A tournament as it stands: what its pairings have come to, who is where, and what comes next.

Laws of this module:
- All of it is a function of who has entered, of the pairings, and of their results: worked out again, it is
  the same.
- A forfeit counts as a game; where both lose, nobody has met anybody, and both have none. A bye brings a
  point in a Swiss, and nothing where all meet or where one goes on by it.
- A tie of a knock-out that is level has two more games, and two more. If it is level then, or if both have
  lost every game of it by forfeit, the better seed goes on: a tie has to end, and the bracket needs somebody
  from it, whom the next would beat without a game if he does not come.
- Who withdraws from a round robin before half of his games are played takes all of them with him.
- Who comes late to a Swiss has no points for the rounds before: a half for each would pay.

Deliberately absent: pairings and places by themselves (`projections.pairings`, `projections.places`), and
where results come from (`server.tournaments`).
"""

from collections.abc import Collection, Sequence
from math import ceil, log2
from typing import Final

from msgspec import Struct

from projections.pairings import (
    WHOLE_BYE,
    Game,
    Pairing,
    annulled,
    bracket,
    goes_on,
    legs,
    next_ties,
    round_robin,
    swiss,
)
from projections.places import Place, places
from server.protocol.tournaments import ResultKind, StandingRow, TournamentKind

TIE: Final = 6
"""Games of a tie of a knock-out at most: two, and two more twice."""


class Entrant(Struct, frozen=True):
    """A place in a tournament, and whether whoever has it plays no more."""

    number: int
    out: bool = False


class Result(Struct, frozen=True):
    """A pairing, and the points of both; None while there is no result. With no `second` it is a bye."""

    number: int
    round: int
    first: int
    second: int | None
    how: ResultKind | None = None
    points: float | None = None
    second_points: float | None = None


class Step(Struct, frozen=True):
    """What comes when all of a round is over: more games of it, the next round, or with neither the end."""

    more: Sequence[Pairing] = ()
    following: Sequence[Pairing] = ()

    @property
    def over(self) -> bool:
        """Whether the tournament is."""
        return not self.more and not self.following


class Course(Struct, frozen=True):
    """A tournament: its kind, the entrants, the strongest first, its pairings, and the rounds of a Swiss."""

    kind: TournamentKind
    entrants: Sequence[Entrant]
    results: Sequence[Result]
    rounds: int = 0

    @property
    def round(self) -> int:
        """The latest round, 0 before the first."""
        return max((one.round for one in self.results), default=0)

    @property
    def settled(self) -> bool:
        """Whether every pairing has a result."""
        return all(one.how is not None for one in self.results)

    def void(self) -> frozenset[int]:
        """Return the numbers of the pairings that do not count, since somebody withdrew early."""
        if self.kind != "round robin":
            return frozenset()
        numbers: set[int] = set()
        for one in self._out():
            his = [r for r in self.results if str(one) in (str(r.first), str(r.second))]
            real = [game for r in his if r.how != "withdrawn" for game in _games(r)]
            if real != annulled(real, str(one), 2 * (len(self.entrants) - 1)) or not real:
                numbers |= {r.number for r in his}
        return frozenset(numbers)

    def games(self) -> list[Game]:
        """Return the games that count, of names that are numbers of entrants."""
        void = self.void()
        games = [game for one in self.results if one.number not in void for game in _games(one)]
        return [game for game in games if game.second is not None or self.kind == "swiss" or not game.points]

    def table(self) -> list[StandingRow]:
        """Return the table, the best first."""
        games = self.games()
        found = places(self._names(), games)
        if self.kind == "knock-out" and self.results:
            found = self._by_round(found)
        void, out = self.void(), self._out()
        return [_row(one, [r for r in self.results if r.number not in void], out) for one in found]

    def step(self) -> Step:
        """Return what comes next, once the latest round is settled or before the first."""
        if self.kind == "knock-out":
            return self._next_ties()
        if self.kind == "round robin":
            planned = round_robin(self._names())
            return Step(following=planned[self.round]) if self.round < len(planned) else Step()
        there = [one for one in self.entrants if not one.out]
        if self.round >= self.rounds or len(there) < 2:  # noqa: PLR2004 nobody is left to play
            return Step()
        out = {str(one) for one in self._out()}
        return Step(following=swiss(self._names(), self.games(), out))

    def ties(self, number: int) -> list[Pairing]:
        """Return the ties of a round of a knock-out, in the order of its bracket."""
        ties: dict[frozenset[str], Pairing] = {}
        for one in sorted(self.results, key=lambda r: r.number):
            if one.round == number:
                tie = Pairing(str(one.first), None if one.second is None else str(one.second))
                ties.setdefault(frozenset({tie.first, tie.second or ""}), tie)
        return list(ties.values())

    def _names(self) -> list[str]:
        return [str(one.number) for one in self.entrants]

    def _out(self) -> set[int]:
        return {one.number for one in self.entrants if one.out}

    def _winner(self, tie: Pairing) -> str | None:
        both = {tie.first, tie.second}
        his = [r for r in self.results if r.round == self.round and {str(r.first), str(r.second)} == both]
        forfeited = sum(r.points == r.second_points == 0 for r in his)
        games = [game for r in his for game in _games(r)]
        winner = goes_on(tie, games, {str(one) for one in self._out()}, forfeited)
        if winner is None and his and (len(his) >= TIE or forfeited == len(his)):
            return next(name for name in self._names() if name in both)
        return winner

    def _next_ties(self) -> Step:
        if not self.results:
            return Step(following=_games_of(bracket(self._names())))
        ties = self.ties(self.round)
        winners = {tie: winner for tie in ties if (winner := self._winner(tie)) is not None}
        level = [tie for tie in ties if tie not in winners]
        if level:
            return Step(more=_games_of(level))
        return Step(following=_games_of(next_ties(ties, winners))) if len(ties) > 1 else Step()

    def _by_round(self, found: Sequence[Place]) -> list[Place]:
        """Return the places by how far one has come, which those who went out in the same round share."""
        reached: dict[str, int] = {}
        for number in range(1, self.round + 1):
            for tie in self.ties(number):
                reached |= {one: number for one in (tie.first, tie.second) if one is not None}
        final = self.ties(self.round)
        won = self._winner(final[0]) if len(final) == 1 and self.settled else None
        if won is not None:
            reached[won] += 1
        ahead = {one: sum(other > reached[one] for other in reached.values()) for one in reached}
        return sorted(
            (Place(ahead[one.name] + 1, one.name, one.points, one.buchholz, one.direct) for one in found),
            key=lambda one: one.place,
        )


def rounds_of(entrants: int) -> int:
    """Return how many rounds of a Swiss leave one alone at the top of so many."""
    return max(1, ceil(log2(entrants))) if entrants > 1 else 1


def _games_of(ties: Sequence[Pairing]) -> list[Pairing]:
    """Return the games of ties, two each, and their byes."""
    return [game for tie in ties for game in (legs(tie) or [tie])]


def _games(one: Result) -> list[Game]:
    """Return what a pairing counts as; where both have lost as two byes without points."""
    if one.points is None:
        return []
    first = str(one.first)
    if one.second is None:
        return [Game(first, None, one.points)]
    second = str(one.second)
    if one.points == one.second_points == 0:
        return [Game(first, None, 0.0), Game(second, None, 0.0)]
    return [Game(first, second, one.points)]


def _row(place: Place, results: Sequence[Result], out: Collection[int]) -> StandingRow:
    number = int(place.name)
    points = [
        (r.points if r.first == number else r.second_points)
        for r in results
        if r.second is not None and r.how is not None and number in (r.first, r.second)
    ]
    byes = sum(r.first == number and r.second is None and r.points == WHOLE_BYE for r in results)
    return StandingRow(
        place.place,
        number,
        place.points,
        place.buchholz,
        place.direct,
        len(points),
        points.count(1.0),
        points.count(0.5),
        points.count(0.0),
        byes,
        number in out,
    )
