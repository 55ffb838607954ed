"""Nimitz, what a battle is likely to come to: mean hits, turn by turn, and no dice.

A rough model of N9 to N12, for those ashore: they hold the area, ships do not (N1.10). Deliberately absent:
plans, dogfights, flak, submarines, depth charges, and who loses aircraft.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from typing import Final

from msgspec import Struct

from clients.bots.nimitz_board import Piece

ENDS: Final = (0.2, 0.3, 0.3, 0.2)
"""The chance that a battle ends after its first, second, third, fourth turn (N9.8)."""
SEA, COAST, ISLAND, ABOARD = range(4)
"""Where a force is: far out, within reach of guns, ashore, on a transport."""
TRANSPORT: Final = 4
"""A transport group is hit after all that is worth less; each hit is two for those aboard (N11.4)."""
BOMBERS: Final = {"CV": 3, "CVL": 2, "CVE": 1}
"""Bombers that a carrier sends, each with about this chance of a hit."""
BOMB: Final = 0.35
INLAND: Final = {"US": 1.0, "JA": 0.5}
"""Part of the bombers that goes to the island while somebody is there: Japan rolls for it (N10.5)."""
PLANS: Final = {"US": 1.0, "JA": 1.25}
"""How much plans help; Japan draws them in every turn."""


class Rank(Struct, frozen=True, order=True):
    """Forces that count alike: they are hit in the order of value (N11)."""

    value: int
    where: int
    hits: int
    infantry: float = 0
    guns: float = 0
    bombs: float = 0
    marines: bool = False


Line = tuple[tuple[Rank, int], ...]
"""A side of a battle: each rank and how many are of it, those first that are hit first."""


class Outcome(Struct, frozen=True):
    """How likely the US are to be alone ashore, and the part of those ashore that each side loses."""

    holds: float
    killed: float
    lost: float


def expect(us: Iterable[Piece], ja: Iterable[Piece]) -> Outcome:
    """Return what a battle between these is likely to come to."""
    return _fought(line(us), line(ja))


def line(pieces: Iterable[Piece]) -> Line:
    """Return forces by ranks."""
    pieces = list(pieces)
    counts: dict[Rank, int] = {}
    carriers = sum(piece.type in BOMBERS for piece in pieces)
    screen = carriers if pieces and pieces[0].side == "JA" else 0
    for piece in sorted(pieces, key=lambda p: (p.ratings.surface or 0, p.id)):
        at_sea = piece.type in BOMBERS
        if piece.kind == "SHIP" and not at_sea and piece.type != "SS" and screen:
            at_sea, screen = True, screen - 1  # N9.5: as many escorts as carriers stay with them
        rank = _rank(piece, at_sea=at_sea)
        if rank is not None:
            counts[rank] = counts.get(rank, 0) + 1
    return tuple(sorted(counts.items()))


def _rank(piece: Piece, *, at_sea: bool) -> Rank | None:
    hits = 1 if piece.damaged else 2
    if piece.kind == "INF":
        where = ABOARD if piece.aboard else ISLAND
        value = TRANSPORT if piece.aboard else piece.value
        foot = (piece.ratings.infantry or 0) / 10
        return Rank(value, where, hits, infantry=foot, marines=piece.type == "MARINE")
    if piece.kind == "LBA":
        return Rank(1, ISLAND, 1, bombs=(piece.ratings.bomb_ground or 0) / 10)
    if piece.type == "SS":
        return None
    bombs = 0.0 if piece.damaged else BOMBERS.get(piece.type, 0) * BOMB
    guns = 0.0 if at_sea else (piece.ratings.surface or 0) / 10
    return Rank(piece.value, SEA if at_sea else COAST, hits, guns=guns, bombs=bombs)


class _Side:
    """A side while the model runs: hits that each rank can still take."""

    def __init__(self, name: str, ranks: Line) -> None:
        self.name = name
        self.ranks = ranks
        self.left = [float(rank.hits * count) for rank, count in ranks]
        self.first = self.ashore

    @property
    def ashore(self) -> float:
        """Hits that those ashore and those on the way can take."""
        return sum(
            hits for (rank, _), hits in zip(self.ranks, self.left, strict=True) if rank.where >= ISLAND
        )

    def strike(self, turn: int) -> tuple[float, float, float]:
        """Return what infantry, guns and bombs are likely to hit in a turn, from 0."""
        foot = guns = bombs = 0.0
        for (rank, _), hits in zip(self.ranks, self.left, strict=True):
            part = PLANS[self.name] * hits / rank.hits
            landed = 0 if rank.where == ISLAND else 1 if rank.marines else 2  # N10.11
            foot += rank.infantry * part if turn >= landed else 0.0
            guns += rank.guns * part
            bombs += rank.bombs * part
        return foot, guns, bombs

    def landed(self, turn: int) -> bool:
        """Return whether anybody is ashore in a turn: only then do they shoot at those ashore."""
        return any(
            hits and (rank.where == ISLAND or (rank.where == ABOARD and turn))
            for (rank, _), hits in zip(self.ranks, self.left, strict=True)
        )

    def suffer(self, hits: float, turn: int, *where: int) -> float:
        """Take hits in the order of value, where they can fall; return those that are too many."""
        for i, (rank, _) in enumerate(self.ranks):
            place = ISLAND if rank.where == ABOARD and turn else rank.where
            if place not in where or hits <= 0:
                continue
            each = 2.0 if place == ABOARD else 1.0
            taken = min(self.left[i], hits * each)
            self.left[i] -= taken
            hits -= taken / each
        return hits


@lru_cache(maxsize=20_000)
def _fought(us: Line, ja: Line) -> Outcome:
    ours, theirs = _Side("US", us), _Side("JA", ja)
    holds = killed = lost = 0.0
    for turn, ends in enumerate(ENDS):
        blows = ours.strike(turn), theirs.strike(turn)
        landed = ours.landed(turn), theirs.landed(turn)
        _hit(theirs, ours.name, blows[0], turn, landed=landed[0])
        _hit(ours, theirs.name, blows[1], turn, landed=landed[1])
        left, enemy = ours.ashore, theirs.ashore
        holds += ends * exp(-enemy) * (1 - exp(-left))
        killed += ends * (1 - enemy / max(theirs.first, 0.5))
        lost += ends * (1 - left / max(ours.first, 0.5))
    return Outcome(holds, killed, lost)


def _hit(side: _Side, by: str, blow: tuple[float, float, float], turn: int, *, landed: bool) -> None:
    foot, guns, bombs = blow
    side.suffer(foot, turn, ISLAND)
    inland = bombs * INLAND[by] if landed else 0.0
    over = side.suffer(inland, turn, ISLAND)
    side.suffer(bombs - inland + over, turn, SEA, COAST, ABOARD)
    side.suffer(guns, turn, COAST, ABOARD, *([ISLAND] if landed else []))
