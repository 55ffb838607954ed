"""The matches of this node: fold, decide, append, and only then tell.

One writer a match on this node, by its lock; between nodes the log decides, and what others have put there is
folded onto what is known. Whatever goes wrong with a live match, it is dropped and folded again from the log.
Nobody but the command under way sees a `Live`: all others are given its snapshot. Deliberately absent:
connections; what a token opens; what a command does (`server.play.acts`).
"""

import asyncio
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar
from uuid import UUID, uuid5

import structlog
from msgspec import Struct, json

from domain.kernel.audience import Viewer
from domain.kernel.facts import Fact
from domain.kernel.table import Apart, Illegal
from domain.match.chain import ZERO, Entry, seal
from domain.match.notices import Created, Ended
from domain.match.refusals import RequestError
from domain.match.telling import told
from domain.match.views import patch
from projections.views import seeing
from server.fanout.broadcasts import Broadcast, TooFar
from server.log.outcomes import DEADLINE
from server.log.store import Log, Moved, Repeated, Stored, Unavailable, Void
from server.play.acts import Act, Same
from server.play.live import Live
from server.play.slices import Slices
from server.play.snapshot import Snapshot
from server.proof import keys
from server.proof.keys import KeyRing

logger = structlog.get_logger()

T = TypeVar("T")

ROUNDS = 3
"""How often a decision is decided again after somebody else moved first."""

FAR = 2000
"""Facts behind the head beyond which a client gets the view instead."""


class Receipt(Struct, frozen=True):
    """A command is on the log; its last fact is `seq`, with hash `hash`."""

    seq: int
    hash: bytes


class Conflict(Exception):
    """Others moved first, again and again."""


class NoMatch(Exception):
    """There is no such match."""


class BadToken(RequestError):
    """The link by which something was asked opens nothing any more."""

    def __init__(self) -> None:
        super().__init__("bad_token", "this link is not valid any more")


def now() -> int:
    """Return the time of this node, in microseconds since the epoch."""
    return time.time_ns() // 1000


class Matches:
    """Live matches by id, at most `most` of them; the rest are folded when somebody asks."""

    def __init__(
        self,
        log: Log,
        ring: KeyRing,
        deliver: Callable[[list[Broadcast]], None],
        *,
        clock: Callable[[], int] = now,
        most: int = 1000,
    ) -> None:
        self._log, self._ring, self._deliver, self._clock, self._most = log, ring, deliver, clock, most
        self._live: OrderedDict[UUID, Live] = OrderedDict()
        self._locks: OrderedDict[UUID, asyncio.Lock] = OrderedDict()
        self._changed: list[Callable[[Snapshot], None]] = []
        self._found: list[Callable[[Snapshot], None]] = []
        self._doubted: list[Callable[[UUID], None]] = []
        self.slices = Slices()
        self.decisions = 0
        self.conflicts = 0

    def when_changed(self, call: Callable[[Snapshot], None]) -> None:
        """Have `call` told of every match that was folded or has moved on this node."""
        self._changed.append(call)

    def when_found(self, call: Callable[[Snapshot], None]) -> None:
        """Have `call` told of every match that was read from the log, which may hold more than was told."""
        self._found.append(call)

    def when_doubted(self, call: Callable[[UUID], None]) -> None:
        """Have `call` told of every match that may stand in the log otherwise than was told to everybody."""
        self._doubted.append(call)

    # commands

    async def create(self, match: UUID, created: Callable[[str], Created]) -> Receipt:
        """Lay a match open. `created` makes the first fact from the commitment to the dice. Once only.

        Where another has kept a key for it in this very moment, that is the key. Raises Conflict.
        """
        for _ in range(ROUNDS):
            sealed_key = await self._log.sealed_key(match)
            key = self._ring.open(match, sealed_key) if sealed_key else keys.match_key()
            fact = created(keys.dice_commitment(key))
            draft = ("Created", fact.ver, fact.audience(), fact.final, json.encode(fact))
            entries = seal(match, uuid5(match, "create 0"), self._clock(), 0, ZERO, [draft], b"")
            answer = await self._log.append(entries, ZERO, sealed_key or self._ring.seal(match, key))
            if not isinstance(answer, Moved):
                stored = answer.entries if isinstance(answer, Repeated) else entries
                return Receipt(stored[-1].seq, stored[-1].hash)
        raise Conflict(match)

    async def command(
        self, match: UUID, command: UUID, act: Act, same: Same, token: bytes | None = None
    ) -> Receipt:
        """Let a command act on a match and put what it comes to on the log; then tell everybody.

        The same command twice has one effect and one answer; `same` looks at the facts stored under its id
        and says whether it is the same command. `token` is the hash of the token of the link by which it
        came, None for the server's own: where that is void nothing is stored, and nothing else is told.
        Raises BadToken, RequestError, Illegal or Apart (nothing has changed), Conflict, NoMatch, Busy, or
        Unavailable (nobody knows whether it was stored: ask again).
        """
        try:
            async with asyncio.timeout(DEADLINE), self._locked(match):
                return await self._command(match, command, act, same, token)
        except TimeoutError:
            raise Unavailable("the log gave no answer in time") from None

    async def glance(self, match: UUID, look: Callable[[Live], T]) -> T:
        """Look at a match while nobody moves it. Raises NoMatch, Unavailable, and whatever `look` raises."""
        try:
            async with asyncio.timeout(DEADLINE), self._locked(match):
                return look(await self._get(match))
        except TimeoutError:
            raise Unavailable("the log gave no answer in time") from None

    async def _command(
        self, match: UUID, command: UUID, act: Act, same: Same, token: bytes | None
    ) -> Receipt:
        for _ in range(ROUNDS):
            live = await self._get(match)
            try:
                facts = live.closed(act(live))
            except (RequestError, Illegal, Apart):
                # No append asks, and a refusal or a receipt may tell what only the seat may know.
                if token is not None and await self._log.void(token):
                    raise BadToken from None
                if receipt := await self._repeated(match, command, same):
                    return receipt
                if not await self._behind(live):
                    raise
                continue
            except BaseException:
                self._drop(match)
                raise
            receipt = await self._append(live, command, facts, same, token)
            if receipt is not None:
                return receipt
            self.conflicts += 1
        raise Conflict(match)

    async def _append(
        self, live: Live, command: UUID, facts: Sequence[Fact], same: Same, token: bytes | None = None
    ) -> Receipt | None:
        """Append, and tell. None when somebody moved first; raises BadToken."""
        entries = live.sealed(command, self._clock(), facts)
        stored = False
        try:
            answer = await self._log.append(entries, live.hash, token=token)
            stored = isinstance(answer, Stored)
        finally:
            if not stored:
                self._drop(live.match)
                self._doubt(live.match)
        if isinstance(answer, Repeated):
            return _receipt(live, answer.entries, same)
        if isinstance(answer, Moved):
            return None
        if isinstance(answer, Void):
            raise BadToken
        self.decisions += 1
        logger.info("stored", seq=entries[-1].seq, facts=len(entries))
        try:
            frames = live.stored(entries, facts)
        except BaseException:
            self._drop(live.match)
            raise
        self._deliver(frames)
        self._tell(live)
        return Receipt(live.seq, live.hash)

    async def _repeated(self, match: UUID, command: UUID, same: Same) -> Receipt | None:
        entries = await self._log.stored(match, command)
        return _receipt(await self._get(match), entries, same) if entries else None

    async def _behind(self, live: Live) -> bool:
        """Take what others have appended; False when there is nothing new."""
        entries = await self._log.read(live.match, live.seq)
        if entries:
            await self._follow(live, entries)
        return bool(entries)

    async def _follow(self, live: Live, entries: Sequence[Entry]) -> None:
        """Fold what follows on the log onto a match, or else drop it, so that all of it is folded again."""
        followed = False
        try:
            await self.slices.through(live.following(entries))
            # Where older rules paused today's may go on by themselves: `_folded` knows what to do then.
            followed = live.table is None or not live.table.facts
        except Exception:
            logger.exception("not followed", match=str(live.match), seq=live.seq)
        finally:
            if not followed:
                self._drop(live.match)
        if followed:
            self._find(live)

    # reading

    async def get(self, match: UUID) -> Snapshot:
        """Return a match as the log has it, or had it a moment ago. Raises NoMatch."""
        live = self._live.get(match)
        if live is None:
            async with self._locked(match):
                live = await self._get(match)
        return live.snapshot

    async def latest(self, match: UUID) -> Snapshot:
        """Return a match as the log has it now. Raises NoMatch, Unavailable."""
        head = (await self._log.heads([match])).get(match, 0)
        live = self._live.get(match)
        if live is None or live.seq < head:
            async with self._locked(match):
                live = await self._get(match)
                if live.seq < head and await self._behind(live):
                    live = await self._get(match)
        return live.snapshot

    async def _get(self, match: UUID) -> Live:
        live = self._live.get(match)
        if live is not None:
            self._live.move_to_end(match)
            return live
        self._live[match] = live = await self._folded(match)
        while len(self._live) > self._most:
            self._live.popitem(last=False)
        self._find(live)
        return live

    async def _folded(self, match: UUID) -> Live:
        """Fold a match, and put on the log what today's rules do on coming back to what older ones had left.

        Nobody sees the match before that is there.
        """
        for _ in range(ROUNDS):
            entries, key = await self.read(match)
            live = await self.slices.through(Live.folding(match, entries, key))
            if live.table is None or not live.table.facts:
                return live
            facts = live.closed(list(live.table.facts))
            logger.info("rules moved on", match=str(match), seq=live.seq, facts=len(facts))
            await self._append(live, command_id(live.key, "resume", live.seq), facts, lambda *_: True)
            if live.seq > entries[-1].seq:
                return live
        raise Conflict(match)

    async def read(self, match: UUID) -> tuple[list[Entry], bytes]:
        """Return all facts of a match and its key; raises NoMatch."""
        entries = await self._log.read(match)
        sealed_key = await self._log.sealed_key(match)
        if not entries:
            raise NoMatch(match)
        ended = entries[-1].final
        return entries, _revealed(entries[-1]) if ended and sealed_key is None else self._ring.open(
            match, sealed_key or b""
        )

    # the fan-out's source

    async def since(self, match: UUID, audience: Viewer, after: int) -> Broadcast:
        """Make one frame from fact `after` to the head, from the log; raises TooFar."""
        live = await self.latest(match)
        if after == live.seq:
            return live.frame(audience, after, [], [], {})
        for frame in live.latest:
            if (frame.audience, frame.after) == (audience, after):
                return frame
        if live.seq - after > FAR or live.end(after) is None:
            raise TooFar
        entries = (await self._log.read(match))[: live.seq]
        past = await self.slices.through(seeing(live.game, entries[:after], audience, after))
        news = entries[after:]
        tellings = [told(live.game, entry, k_salt=live.k_salt) for entry in news]
        return live.frame(audience, after, news, tellings, patch(past, live.views[audience]))

    async def view(self, match: UUID, audience: Viewer) -> Broadcast:
        """Make the view at the head."""
        return (await self.latest(match)).whole(audience)

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        """Return the last seq of each match."""
        return await self._log.heads(matches)

    # housekeeping

    def _locked(self, match: UUID) -> asyncio.Lock:
        lock = self._locks.setdefault(match, asyncio.Lock())
        self._locks.move_to_end(match)
        while len(self._locks) > 2 * self._most:
            oldest = next(iter(self._locks))
            if self._locks[oldest].locked():
                break
            del self._locks[oldest]
        return lock

    def _drop(self, match: UUID) -> None:
        self._live.pop(match, None)

    def _doubt(self, match: UUID) -> None:
        for call in self._doubted:
            call(match)

    def _find(self, live: Live) -> None:
        for call in self._found:
            call(live.snapshot)
        self._tell(live)

    def _tell(self, live: Live) -> None:
        for call in self._changed:
            call(live.snapshot)


def command_id(key: bytes, reason: str, seq: int) -> UUID:
    """Return the id of a command of the server's own, from the match key: the same on every node.

    Before the key lies open nobody can know it beforehand, nor tell it from one that a client has drawn: who
    has passed and for whom the server has is nobody's to know.
    """
    return UUID(bytes=hmac.digest(key, f"command {reason} {seq}".encode(), "sha256")[:16], version=4)


def _receipt(live: Live, entries: Sequence[Entry], same: Same) -> Receipt:
    if not same(live, [live.game.fact(entry.body) for entry in entries]):
        raise RequestError("command_reused", "this command id was used for something else")
    return Receipt(entries[-1].seq, entries[-1].hash)


def _revealed(entry: Entry) -> bytes:
    return bytes.fromhex(json.decode(entry.body, type=Ended).key)
