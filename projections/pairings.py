"""Who plays whom in a tournament: round robin, Swiss and knock-out, as functions of what has been played.

Laws of this module:
- The same entrants in the same order, and the same games, give the same pairings.
- A pairing says who has side 0. In a round robin and in a knock-out each meets the other with both sides. In
  a Swiss each game has sides of its own, and who has had side 0 less often gets it.
- Nobody is without a pairing but by a bye: where the numbers are odd, or fill no bracket.

The Swiss is a matching of least cost, found by `networkx`: repeated pairings are the worst, then differences
of points, then sides that cannot be evened out; within equal points the upper half meets the lower. It never
comes to a dead end, whoever comes late or leaves. Libraries of chess pairings know the tables and colours of
chess, one game at a time, and no late entry by a director's will; and the best of them rest on that matching.

Deliberately absent: who may enter, when a round begins, and places (`projections.places`).
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final

import networkx as nx
from msgspec import Struct

WHOLE_BYE: Final = 1.0
"""The points of a bye. A director may give half a point for a round before a late entry."""

_AGAIN: Final = 10**12
"""The cost of meeting again, or of a second bye."""

_APART: Final = 10**8
"""The cost of a difference of half a point, which grows by its square."""

_SIDES: Final = 10**4
"""The cost of two who both have had one side more often, by the square of how much more."""


class Pairing(Struct, frozen=True, order=True):
    """Two who play, `first` with side 0; with no `second` a bye."""

    first: str
    second: str | None


class Game(Struct, frozen=True):
    """A game that has ended, and the points of `first`, of 1; with no `second` a bye, and its points."""

    first: str
    second: str | None
    points: float

    def points_of(self, who: str) -> float:
        """Return the points of one who played it."""
        return self.points if who == self.first else 1.0 - self.points


def round_robin(entrants: Sequence[str]) -> list[list[Pairing]]:
    """Return the rounds in which all meet, each twice, the second time with sides swapped.

    With an odd number one has a bye in each round, which is not listed: it brings no points.
    """
    ring: list[str | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    rounds = []
    for number in range(len(ring) - 1):
        half = len(ring) // 2
        pairs = zip(ring[:half], reversed(ring[half:]), strict=True)
        ordered = [(a, b) if (number + place) % 2 else (b, a) for place, (a, b) in enumerate(pairs)]
        rounds.append([Pairing(a, b) for a, b in ordered if a is not None and b is not None])
        ring = [ring[0], ring[-1], *ring[1:-1]]
    swapped = [[_swapped(one) for one in pairings] for pairings in rounds]
    return rounds + swapped


def _swapped(one: Pairing) -> Pairing:
    assert one.second is not None
    return Pairing(one.second, one.first)


def annulled(games: Sequence[Game], withdrawn: str, meetings: int) -> list[Game]:
    """Return which games of a round robin count when one has withdrawn, who had `meetings` in all.

    With fewer than half of them played all of his are void; otherwise they stand.
    """
    his = [game for game in games if withdrawn in (game.first, game.second)]
    return list(games) if 2 * len(his) >= meetings else [game for game in games if game not in his]


def swiss(entrants: Sequence[str], games: Sequence[Game], out: Collection[str] = ()) -> list[Pairing]:
    """Return the next round of a Swiss, the bye last.

    `entrants` are in the order of their strength, late ones too; `out` are those who have withdrawn. What a
    late one is given for earlier rounds is a bye of less than WHOLE_BYE, and no reason to have none later.
    """
    there = [one for one in entrants if one not in set(out)]
    form = _Form(there, games)
    graph = nx.Graph()
    names: list[str | None] = [*form.order, *([None] if len(there) % 2 else [])]
    for one, other in combinations(range(len(names)), 2):
        first, second = names[one], names[other]
        assert first is not None
        cost = form.bye(first) if second is None else form.cost(first, second)
        graph.add_edge(one, other, weight=-cost)
    found = [sorted(pair) for pair in nx.max_weight_matching(graph, maxcardinality=True)]
    pairings = []
    for one, other in sorted(found):
        first, second = names[one], names[other]
        assert first is not None
        pairings.append(Pairing(first, None) if second is None else form.seated(first, second))
    return sorted(pairings, key=lambda one: one.second is None)


class _Form:
    """What those who are there have come to before a round of a Swiss."""

    def __init__(self, there: Sequence[str], games: Sequence[Game]) -> None:
        self.points = dict.fromkeys(there, 0)
        """Twice the points, so that they are whole."""
        self._firsts = dict.fromkeys(there, 0)
        self._last: dict[str, int] = {}
        self._met: dict[tuple[str, str], int] = {}
        self._byes = dict.fromkeys(there, 0)
        for game in games:
            self._count(game)
        rank = {one: place for place, one in enumerate(there)}
        self.order = sorted(there, key=lambda one: (-self.points[one], rank[one]))
        groups: dict[int, list[str]] = {}
        for one in self.order:
            groups.setdefault(self.points[one], []).append(one)
        self._place = {one: place for group in groups.values() for place, one in enumerate(group)}
        self._half = {points: len(group) // 2 for points, group in groups.items()}

    def _count(self, game: Game) -> None:
        for one in (game.first, game.second):
            if one in self.points:
                self.points[one] += round(2 * game.points_of(one))
        if game.second is None:
            if game.points >= WHOLE_BYE and game.first in self._byes:
                self._byes[game.first] += 1
            return
        pair = min(game.first, game.second), max(game.first, game.second)
        self._met[pair] = self._met.get(pair, 0) + 1
        for one, by in ((game.first, 1), (game.second, -1)):
            if one in self._firsts:
                self._firsts[one] += by
                self._last[one] = by

    def bye(self, one: str) -> int:
        """Return the cost of a bye: it is for who has the fewest points, and of these for the last."""
        return _AGAIN * self._byes[one] + _APART * (self.points[one] + 1) ** 2 - self.order.index(one)

    def cost(self, one: str, other: str) -> int:
        """Return the cost of a pairing."""
        met = self._met.get((min(one, other), max(one, other)), 0)
        apart = self.points[one] - self.points[other]
        sides = self._firsts[one] + self._firsts[other]
        fold = 0 if apart else (self._place[other] - self._place[one] - self._half[self.points[one]]) ** 2
        return _AGAIN * met + _APART * apart**2 + _SIDES * sides**2 + fold

    def seated(self, one: str, other: str) -> Pairing:
        """Return the pairing with its sides: `one` stands above `other`."""
        mine, others = (
            (self._firsts[one], self._last.get(one, 0)),
            (self._firsts[other], self._last.get(other, 0)),
        )
        if mine == others:
            return Pairing(one, other) if self.order.index(one) % 2 == 0 else Pairing(other, one)
        return Pairing(one, other) if mine < others else Pairing(other, one)


def bracket(entrants: Sequence[str]) -> list[Pairing]:
    """Return the ties of the first round of a knock-out, the strongest first among the entrants.

    Strong ones meet late: the first could meet the second in the last round only. Where the numbers fill no
    bracket the strongest have byes. The winners of ties that stand beside each other meet next.
    """
    size = 1
    while size < len(entrants):
        size *= 2
    order = [0]
    while len(order) < size:
        whole = 2 * len(order) - 1
        order = [place for one in order for place in (one, whole - one)]
    names: list[str | None] = [*entrants, *[None] * (size - len(entrants))]
    ties = []
    for one, other in zip(order[::2], order[1::2], strict=True):
        strong = names[min(one, other)]
        assert strong is not None
        ties.append(Pairing(strong, names[max(one, other)]))
    return ties


def legs(tie: Pairing) -> list[Pairing]:
    """Return the two games of a tie, one with each side; none for a bye."""
    return [] if tie.second is None else [tie, _swapped(tie)]


def goes_on(tie: Pairing, games: Sequence[Game], out: Collection[str] = (), forfeited: int = 0) -> str | None:
    """Return who goes on from a tie; None while its two games are not played, or while they are level.

    Two more games then follow, until one is ahead. Who has a bye, or whose opponent is `out`, goes on.
    `forfeited` games, which both have lost, put nobody ahead, and are over all the same.
    """
    if tie.second is None or (tie.second in out and tie.first not in out):
        return tie.first
    if tie.first in out:
        return tie.second
    both = {tie.first, tie.second}
    played = [game for game in games if {game.first, game.second} == both]
    lead = sum(2 * game.points_of(tie.first) - 1 for game in played)
    if (len(played) + forfeited) % 2 or lead == 0:
        return None
    return tie.first if lead > 0 else tie.second


def next_ties(ties: Sequence[Pairing], winners: Mapping[Pairing, str]) -> list[Pairing]:
    """Return the ties of the next round, when each tie has a winner; none when one is left."""
    left = [winners[tie] for tie in ties]
    return [Pairing(one, other) for one, other in zip(left[::2], left[1::2], strict=False)]
