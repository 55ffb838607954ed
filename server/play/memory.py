"""The matches in the memory of a node: how they come there, are brought level with the log, and go.

Each match has a lock, and who holds it is the only one to change the match, or to put it here. Who decides
in a match reads it under the lock, over connections for play. Who only looks at one reads beside the lock,
over connections of his kind, once for all of that kind who want it then; he takes the lock when nothing is
left but to put here what he has read, or to fold a few facts. So nobody who decides waits for the reading of
others; two may read a match at once, and who comes second takes what is here by then.
Deliberately absent: commands, and how facts get on the log (`server.play.matches`).
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from uuid import UUID
from weakref import WeakValueDictionary

import structlog

from domain.match.chain import Entry
from domain.match.fold import Forgotten
from server.play.live import Live
from server.play.opening import Opening
from server.play.slices import Slices
from server.play.snapshot import Snapshot

logger = structlog.get_logger()

ROUNDS = 3
"""Attempts at what others may have moved meanwhile: to carry out a command, or to open a match."""

AT_ONCE = 16
"""Matches that are opened at once for those who decide: the first are done before the last begin.

If all that a crash has put out of memory were opened at once, all would end late, and past their deadline.
"""


FEW = 50
"""Facts that who only looks folds under a match's lock, at most: of more he opens the match anew."""


class Conflict(Exception):
    """Others moved first ROUNDS times in a row."""


class Lock(asyncio.Lock):
    """The lock of a match, which is there for as long as somebody holds it or waits for it."""

    seq = 0
    """The last fact that this node has had of the match since then."""


class Memory:
    """An LRU cache of at most `most` live matches by id; others are opened from the log."""

    def __init__(self, most: int, slices: Slices, go_on: Callable[[Live], Awaitable[bool]]) -> None:
        """Take what folds on, and what stores those facts by which today's rules go on beyond a last pause.

        That returns whether the match is level with the log again; it is not if another writer was first.
        """
        self.live: OrderedDict[UUID, Live] = OrderedDict()
        self._most, self._slices, self._go_on = most, slices, go_on
        self._locks: WeakValueDictionary[UUID, Lock] = WeakValueDictionary()
        self._openings = asyncio.Semaphore(AT_ONCE)
        self._changed: list[Callable[[Snapshot], None]] = []
        self._found: list[Callable[[Snapshot], None]] = []

    def when_changed(self, call: Callable[[Snapshot], None]) -> None:
        """Call `call` with the new snapshot whenever a match is folded or moves on this node."""
        self._changed.append(call)

    def when_found(self, call: Callable[[Snapshot], None]) -> None:
        """Call `call` whenever a match was read from the log: it may be ahead of what was broadcast."""
        self._found.append(call)

    def lock(self, match: UUID) -> Lock:
        """Return the lock of a match."""
        lock = self._locks.get(match)
        if lock is None:
            lock = self._locks[match] = Lock()
        return lock

    # for who decides: under the lock

    async def get(self, match: UUID, opening: Opening) -> Live:
        """Return a match, which may be behind the log. Raises NoMatch, Unavailable, Conflict."""
        if match in self.live:
            self.live.move_to_end(match)
            return self.live[match]
        for _ in range(ROUNDS):
            async with self._openings:
                live = await opening.live(match)
            if await self._put(live):
                return live
        raise Conflict(match)

    async def level(self, match: UUID, head: int, opening: Opening) -> Live:
        """Return a match at fact `head` or later, or as far as the log goes. Raises what `get` raises."""
        live = await self.get(match, opening)
        if live.seq < head and await self.behind(live, opening):
            live = await self.get(match, opening)
        return live

    async def behind(self, live: Live, opening: Opening) -> bool:
        """Fold what other nodes have appended; False when there is nothing new. Raises Unavailable."""
        entries = await opening.missed(live.match, live.seq)
        if entries:
            await self._follow(live, entries)
        return bool(entries)

    # for who looks: beside the lock

    async def look(self, match: UUID, head: int, opening: Opening) -> Snapshot:
        """Return a match as `level` does, for who decides nothing in it."""
        live = self.live.get(match)
        for _ in range(2):  # the reading of another may have begun before the log came to `head`
            if live is None or live.seq < head:
                live = await opening.flights.once(match, partial(self._read, match, head, opening))
        assert live is not None
        return live.snapshot

    async def _read(self, match: UUID, head: int, opening: Opening) -> Live:
        live = await self._found_or_opened(match, opening)
        if live.seq < head and await self._behind(live, opening):
            live = await self._found_or_opened(match, opening)
        return live

    async def _found_or_opened(self, match: UUID, opening: Opening) -> Live:
        lock = self.lock(match)  # from before it is read, so that it knows what was there meanwhile
        for _ in range(ROUNDS):
            if live := self.live.get(match):
                return live
            read = await opening.live(match)
            async with lock:
                if live := self.live.get(match):
                    return live
                if read.seq >= lock.seq and await self._put(read):
                    return read
        raise Conflict(match)

    async def _behind(self, live: Live, opening: Opening) -> bool:
        lock = self.lock(live.match)
        entries = await opening.missed(live.match, live.seq)
        anew = await opening.live(live.match) if len(entries) > FEW else None
        async with lock:
            now = self.live.get(live.match)
            if anew and anew.seq >= lock.seq and (now is None or now.seq < anew.seq):
                await self._put(anew)
            elif now and (news := [one for one in entries if one.seq > now.seq]):
                await self._follow(now, news)
        return bool(entries)

    # for both: under the lock

    async def _put(self, live: Live) -> bool:
        """Keep a match that was opened; False if it has to be opened again.

        If today's rules go on beyond its last pause, those facts are stored first.
        """
        if live.table is not None and live.table.facts and not await self._go_on(live):
            return False
        self.live[live.match] = live
        while len(self.live) > self._most:
            self.live.popitem(last=False)
        self._tell_found(live)
        return True

    async def _follow(self, live: Live, entries: Sequence[Entry]) -> None:
        """Fold later entries of the log onto a match; if that fails, evict it."""
        followed = False
        try:
            await self._slices.through(live.following(entries))
            # Where older rules paused today's may go on by themselves: `_put` handles that case.
            followed = live.table is None or not live.table.facts
        except Forgotten:
            logger.info("corrected beyond what is held", match=str(live.match), seq=live.seq)
        except Exception:
            logger.exception("not followed", match=str(live.match), seq=live.seq)
        finally:
            if not followed:
                self.drop(live.match)
        if followed:
            self._tell_found(live)

    def drop(self, match: UUID) -> None:
        """Evict a match, if it is here."""
        self.live.pop(match, None)

    def changed(self, live: Live) -> None:
        """Tell that a match has moved."""
        if lock := self._locks.get(live.match):  # without one nobody reads it who has to know
            lock.seq = live.seq
        for call in self._changed:
            call(live.snapshot)

    def _tell_found(self, live: Live) -> None:
        for call in self._found:
            call(live.snapshot)
        self.changed(live)
