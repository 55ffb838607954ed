"""How a match that is not in memory is read: from a position that was kept of it, or from its first fact.

Each kind of reader has an opening of its own, over its own connections: nobody who decides waits for theirs.
A position is a convenience. One that is damaged, not on the chain or not fit to be folded on is ignored,
logged and counted, and the match is folded from its start. Deliberately absent: which matches are in memory
(`server.play.matches`).
"""

import contextlib
from collections.abc import Awaitable, Callable, Generator
from itertools import groupby
from typing import TypeVar
from uuid import UUID

import structlog
from msgspec import Struct, json

from domain.match.chain import Entry
from domain.match.corrections import seat_of
from domain.match.fold import Fold, Forgotten
from domain.match.notices import Ended
from domain.match.undo import Undone, Undos
from projections.positions import BadPosition, Found
from server.log.statements import MOST
from server.log.store import LogReader
from server.play.live import Live
from server.play.reading import Reading, TooLate, game_of
from server.play.slices import Slices
from server.proof.keys import KeyRing
from server.single_flight import SingleFlight

logger = structlog.get_logger()

_undone = json.Decoder(Undone).decode

T = TypeVar("T")

Work = Callable[[Fold, list[Entry]], Generator[None, None, T]]
"""Makes something of a fold and of the commands that follow it."""

Positions = Callable[[UUID, int], Awaitable[Found | None]]
"""Returns the last position kept of a match at or before a fact; raises BadPosition."""


class NoMatch(Exception):
    """The match is not on the log."""


async def no_positions(_match: UUID, _upto: int) -> Found | None:
    """Return that no position is kept."""
    return None


class Source(Struct, frozen=True):
    """Where matches are read from: the log, and the positions kept of it, over the same connections."""

    log: LogReader
    positions: Positions = no_positions


class Opening:
    """Reads matches of one source, in slices."""

    def __init__(self, source: Source, ring: KeyRing, slices: Slices) -> None:
        self._log, self._positions = source.log, source.positions
        self._ring, self._slices = ring, slices
        self.flights = SingleFlight()
        """What is being read for who looks, by match: all who want it wait for the same."""
        self.ignored = 0
        """How many positions were of no use."""

    async def live(self, match: UUID) -> Live:
        """Return a match level with the log. Raises NoMatch, UnknownTitle, Unavailable."""

        async def read(found: Found | None, *, forgets: bool = True, undos: Undos = ()) -> Live:
            reading = None if found is None else self._taken_up(found, undos)
            async for page in self._log.pages(match, reading.start if reading else 0):
                reading = reading or Reading(Fold(game_of(page[0]), forgets=forgets, undos=undos))
                await self._run(found, reading.page(page))
            if reading is None:
                raise NoMatch(match)
            reading.check_start()
            key = await self.key(match, reading.fold.state.match.key)
            return await self._run(found, Live.opened(match, key, reading))

        return await self._from_a_position(match, MOST, read)

    async def fold_at(self, match: UUID, seq: int) -> Fold:
        """Return the fold after the last command that ends at or before fact `seq`, which is 1 or later.

        Raises NoMatch, UnknownTitle, Unavailable.
        """
        return await self.replay(match, seq, seq, _fold_alone)

    async def replay(self, match: UUID, seq: int, upto: int, work: Work[T]) -> T:
        """Return what `work` makes of the fold at fact `seq`, and of the commands from there up to `upto`.

        At 0 that is the fold before the first fact; then `upto` is 1 or later. It folds them itself. Raises
        what `fold_at` raises, and what the work raises.
        """

        async def read(found: Found | None, *, forgets: bool = True, undos: Undos = ()) -> T:
            fold = None if found is None else self._taken_up(found, undos).fold
            async for page in self._log.pages(match, fold.seq if fold else 0, seq):
                fold = fold or Fold(game_of(page[0]), forgets=forgets, undos=undos)
                await self._run(found, _applied(fold, page))
            entries: list[Entry] = []
            if upto > seq and (fold or not seq):
                after = fold.seq if fold else 0
                entries += [one async for page in self._log.pages(match, after, upto) for one in page]
            if fold is None and entries:
                fold = Fold(game_of(entries[0]), forgets=forgets, undos=undos)
            if fold is None:
                raise NoMatch(match)
            return await self._run(found, work(fold, entries))

        return await self._from_a_position(match, seq, read)

    async def everything(self, match: UUID) -> tuple[list[Entry], bytes]:
        """Return all facts of a match and its key. Raises NoMatch, Unavailable."""
        entries = [entry async for page in self._log.pages(match) for entry in page]
        if not entries:
            raise NoMatch(match)
        last = entries[-1]
        revealed = json.decode(last.body, type=Ended).key if last.final else ""
        return entries, await self.key(match, revealed)

    async def missed(self, match: UUID, after: int) -> list[Entry]:
        """Return the facts of a match behind fact `after`, for one in memory. Raises Unavailable."""
        return await self._log.read_everything(match, after)

    async def last_position(self, match: UUID, upto: int) -> int:
        """Return the fact of the last position at or before `upto`; 0 if there is none of use."""
        try:
            found = await self._positions(match, upto)
        except BadPosition:
            return 0
        return found.position.seq if found else 0

    async def key(self, match: UUID, revealed: str) -> bytes:
        """Return the key of a match: as it is sealed or, without a seal, as its end reveals it, in hex."""
        sealed_key = await self._log.sealed_key(match)
        if sealed_key is None and revealed:
            return bytes.fromhex(revealed)
        return self._ring.open(match, sealed_key or b"")

    async def _from_a_position(self, match: UUID, upto: int, read: Callable[..., Awaitable[T]]) -> T:
        """Return what `read` makes of the last position at or before `upto` that will do, or of none.

        Where an undo has gone back further than it held, it is tried again with the undos known beforehand.
        """
        further = False
        try:
            while found := await self._positions(match, upto):
                after = found.position.seq
                try:
                    return await read(found, undos=await self._undos(match, after) if further else ())
                except TooLate as why:
                    upto = why.seq
                except Forgotten as why:
                    if further and after <= why.back_to:
                        break  # an undo of older rules, for which no position will do
                    further, upto = True, min(upto, why.back_to)
        except BadPosition as why:
            self.ignored += 1
            logger.warning("position ignored", match=str(match), why=str(why))
        for known in (True,) if further else (False, True):
            with contextlib.suppress(Forgotten):
                return await read(None, undos=await self._undos(match, 0) if known else ())
        return await read(None, forgets=False)

    async def _undos(self, match: UUID, after: int) -> Undos:
        """Return the undos of a match behind fact `after`, which ends a command. Raises Unavailable."""
        pages = self._log.pages(match, after)
        found = [one async for page in pages for one in page if one.type == Undone.__name__]
        return [(one.seq, _undone(one.body).back_to) for one in found]

    async def decided_behind(self, live: Live, back_to: int) -> int | None:
        """Return the seat of the decision that stands behind a fact, by the log. Raises Unavailable."""
        entry = await self._log.standing(live.match, back_to + 1)
        return None if entry is None else seat_of(live.game.fact(entry.body))

    def _taken_up(self, found: Found, undos: Undos) -> Reading:
        try:
            return Reading(Fold.at_position(found.game, found.position, undos))
        except Exception as why:
            raise BadPosition(f"the position at fact {found.position.seq}: {why!r}") from why

    async def _run(self, found: Found | None, work: Generator[None, None, T]) -> T:
        """Run work in slices. Raises BadPosition for any fault of work that began at a position."""
        try:
            return await self._slices.through(work)
        except Forgotten:
            raise
        except Exception as why:
            if found is None:
                raise
            raise BadPosition(f"behind the position at fact {found.position.seq}: {why!r}") from why


def _fold_alone(fold: Fold, _entries: list[Entry]) -> Generator[None, None, Fold]:
    return fold
    yield


def _applied(fold: Fold, page: list[Entry]) -> Generator[None, None, None]:
    """Fold a page of commands, yielding after each."""
    for _, command in groupby(page, lambda entry: entry.command):
        fold.apply(list(command))
        yield
