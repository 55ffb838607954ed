"""The matches of this node: decide, append, and only then publish.

A lock makes one writer a match on this node; between nodes the append to the log decides, and commands stored
by other nodes are folded in. On any unexpected exception the live match is evicted; it is folded again from
the log at the next access. Only the command under way uses a `Live`: all other code gets its snapshot.
Deliberately absent: connections; what a token opens; what a command does (`server.play.acts`); how a match
is opened and kept (`server.play.memory`).
"""

import asyncio
import hmac
import time
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar
from uuid import UUID, uuid5

import structlog
from msgspec import Raw, Struct, json

from domain.kernel.audience import Viewer
from domain.kernel.facts import Fact
from domain.kernel.table import Illegal, NotOneCommand
from domain.match.chain import ZERO, Entry, Sealing, seal, sealing
from domain.match.fold import Forgotten
from domain.match.notices import Created
from domain.match.refusals import RequestError
from domain.match.telling import telling
from domain.match.views import patch
from server.durations import Durations
from server.fanout.broadcasts import Broadcast, TooFar
from server.fanout.messages import wall_clock
from server.log.outcomes import DEADLINE
from server.log.store import Log, Moved, Repeated, Stored, Unavailable, Void
from server.play.acts import Action, IsRepetition
from server.play.live import Beyond, Live
from server.play.memory import ROUNDS, Conflict, Memory
from server.play.opening import Opening, Positions, Source, no_positions
from server.play.slices import Slices
from server.play.snapshot import FAR, Snapshot
from server.proof import keys
from server.proof.keys import KeyRing
from server.tracing import span

logger = structlog.get_logger()

T = TypeVar("T")


class StoredCommand(Struct, frozen=True):
    """A command is on the log; its last fact is `seq`, with hash `hash`."""

    seq: int
    hash: bytes


class BadToken(RequestError):
    """The link of the request has been replaced or revoked."""

    def __init__(self) -> None:
        super().__init__("bad_token", "this link is not valid any more")


class Matches:
    """Carries out commands, and tells how matches stand; keeps at most `most` of them in memory."""

    def __init__(
        self,
        log: Log,
        ring: KeyRing,
        deliver: Callable[[list[Broadcast]], None],
        *,
        positions: Positions = no_positions,
        clock: Callable[[], int] = wall_clock,
        most: int = 1000,
        play: Source | None = None,
    ) -> None:
        """Take, last, where a match is read from for who decides in it: by default where others read too."""
        self._log, self._ring, self._deliver, self._clock = log, ring, deliver, clock
        self._not_stored: list[Callable[[UUID], None]] = []
        self.slices = Slices()
        """For those who read; who decides has his own, and waits for nothing that they fold."""
        at_play = Slices()
        self.memory = Memory(most, at_play, self._go_on)
        self._openings: list[Opening] = []
        self.opening = self.opening_from(Source(log, positions))
        self._for_play = self._opening(play or Source(log, positions), at_play)
        self._logger = logger.bind()  # made once, since it is asked for every command whether it writes
        self.decisions = 0
        self.conflicts = 0
        self.took = Durations()
        """From each command's arrival here until its receipt."""

    def when_not_stored(self, call: Callable[[UUID], None]) -> None:
        """Call `call` with the id of a match whose append was not stored: its log may be ahead of us."""
        self._not_stored.append(call)

    def opening_from(self, source: Source) -> Opening:
        """Return what opens the matches of this node from a source, for those who read."""
        return self._opening(source, self.slices)

    def _opening(self, source: Source, slices: Slices) -> Opening:
        self._openings.append(Opening(source, self._ring, slices))
        return self._openings[-1]

    @property
    def ignored(self) -> int:
        """How many positions were of no use."""
        return sum(opening.ignored for opening in self._openings)

    def now(self) -> int:
        """Return the time by which matches are played, in microseconds since the epoch."""
        return self._clock()

    # commands

    async def create(self, match: UUID, created: Callable[[str], Created]) -> StoredCommand:
        """Append the first fact of a match, which `created` makes from the commitment to the dice.

        Idempotent: if a key is already stored for this match, that one is used. Raises Conflict.
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
                return StoredCommand(stored[-1].seq, stored[-1].hash)
        raise Conflict(match)

    async def command(
        self,
        match: UUID,
        command: UUID,
        act: Action,
        is_repetition: IsRepetition,
        token: bytes | None = None,
        *,
        within: float = DEADLINE,
    ) -> StoredCommand:
        """Carry out a command, append its facts to the log, then publish them.

        Idempotent by command id: a repetition stores nothing and returns the same receipt; `is_repetition`
        tells from the stored facts whether it is the same command. `token` is the hash of the sender's link
        token, None for the server's own commands: if the link is void, nothing is stored and BadToken is
        raised, whatever else is wrong. It takes `within` seconds at most. Raises BadToken, RequestError,
        Illegal or NotOneCommand (nothing has changed), Conflict, NoMatch, Busy, or Unavailable (it may or may
        not have been stored: send it again).
        """
        arrived = time.perf_counter()
        try:
            with span("command", match=match):
                async with asyncio.timeout(within), self.memory.lock(match):
                    receipt = await self._command(match, command, act, is_repetition, token)
        except TimeoutError:
            raise Unavailable("the log gave no answer in time") from None
        self.took.add(time.perf_counter() - arrived)
        return receipt

    async def glance(self, match: UUID, look: Callable[[Live], T], seen: int = 0) -> T:
        """Return `look(live)`, called under the lock, of the match at fact `seen` or later, if it got so far.

        Raises NoMatch, Unavailable, and what `look` raises.
        """
        try:
            async with asyncio.timeout(DEADLINE), self.memory.lock(match):
                return look(await self.memory.level(match, seen, self._for_play))
        except TimeoutError:
            raise Unavailable("the log gave no answer in time") from None

    async def _command(
        self, match: UUID, command: UUID, act: Action, is_repetition: IsRepetition, token: bytes | None
    ) -> StoredCommand:
        for _ in range(ROUNDS):
            live = await self.memory.get(match, self._for_play)
            try:
                with span("decide", title=live.game.name):
                    facts = live.closed(await self._acted(live, act))
            except (RequestError, Illegal, NotOneCommand):
                # No append will check the token here, and a refusal or receipt may reveal the seat's secrets.
                if token is not None and await self._log.void(token):
                    raise BadToken from None
                if receipt := await self._repeated(match, command, is_repetition):
                    return receipt
                if not await self.memory.behind(live, self._for_play):
                    raise
                continue
            except BaseException:
                self.memory.drop(match)
                raise
            receipt = await self._append(live, command, facts, is_repetition, token)
            if receipt is not None:
                return receipt
            self.conflicts += 1
        raise Conflict(match)

    async def _acted(self, live: Live, act: Action) -> list[Fact]:
        """Return what an act records; what it needs to know of the log beyond what is held is asked of it."""
        while True:
            try:
                return act(live)
            except Beyond as why:
                live.recalled[why.back_to] = await self._for_play.decided_behind(live, why.back_to)

    async def _append(
        self,
        live: Live,
        command: UUID,
        facts: Sequence[Fact],
        is_repetition: IsRepetition,
        token: bytes | None = None,
    ) -> StoredCommand | None:
        """Append, and publish. None when another writer was first; raises BadToken."""
        sealings = live.sealed(command, self._clock(), facts)
        entries = [one.entry for one in sealings]
        stored = False
        try:
            with span("append"):
                answer = await self._log.append(entries, live.hash, token=token)
            stored = isinstance(answer, Stored)
        finally:
            if not stored:
                self.memory.drop(live.match)
                self._notify_not_stored(live.match)
        if isinstance(answer, Repeated):
            return _receipt(live, answer.entries, is_repetition)
        if isinstance(answer, Moved):
            return None
        if isinstance(answer, Void):
            raise BadToken
        self.decisions += 1
        self._logger.debug("stored", seq=entries[-1].seq, facts=len(entries))
        with span("tell"):
            try:
                broadcasts = live.stored(sealings, facts)
            except Forgotten:
                return await self._opened_anew(live.snapshot, sealings, facts)
            except BaseException:
                self.memory.drop(live.match)
                raise
            self._deliver(broadcasts)
            self.memory.changed(live)
        return StoredCommand(live.seq, live.hash)

    async def _opened_anew(
        self, was: Snapshot, sealings: Sequence[Sealing], facts: Sequence[Fact]
    ) -> StoredCommand:
        """Open a match anew after a stored command that took back more of it than was held, and publish."""
        last = sealings[-1].entry
        self.memory.drop(was.match)
        told = False
        try:
            live = await self.memory.get(was.match, self._for_play)
            if live.seq == last.seq:
                self._deliver(live.told_since(was, sealings, facts))
                self.memory.changed(live)
                told = True
        finally:
            if not told:
                self._notify_not_stored(was.match)
        return StoredCommand(last.seq, last.hash)

    async def _repeated(
        self, match: UUID, command: UUID, is_repetition: IsRepetition
    ) -> StoredCommand | None:
        entries = await self._log.stored(match, command)
        if not entries:
            return None
        return _receipt(await self.memory.get(match, self._for_play), entries, is_repetition)

    async def _go_on(self, live: Live) -> bool:
        """Append the facts with which today's rules have gone on beyond the last pause of a match."""
        head, facts = live.seq, live.closed(list(live.table.facts if live.table else ()))
        logger.info("rules moved on", match=str(live.match), seq=head, facts=len(facts))
        await self._append(live, command_id(live.key, "resume", head), facts, lambda *_: True)
        return live.seq > head

    # reading

    async def get(self, match: UUID, opening: Opening | None = None) -> Snapshot:
        """Return the snapshot of a match; a cached one may be behind the log. Raises NoMatch.

        Where it has to be read, it is by way of `opening`, here and below.
        """
        return await self.level_with(match, 0, opening)

    async def latest(self, match: UUID) -> Snapshot:
        """Return the snapshot of a match, level with the log's head now. Raises NoMatch, Unavailable."""
        return await self.level_with(match, await self.head(match))

    async def head(self, match: UUID) -> int:
        """Return the last seq of a match; 0 if it is not on the log. Raises Unavailable."""
        return (await self._log.heads([match])).get(match, 0)

    async def level_with(self, match: UUID, head: int, opening: Opening | None = None) -> Snapshot:
        """Return the snapshot of a match at fact `head` or later. Raises NoMatch, Unavailable."""
        return await self.memory.look(match, head, opening or self.opening)

    # the fan-out's source

    async def since(self, match: UUID, audience: Viewer, after: int) -> Broadcast:
        """Make one broadcast of a frame that covers (after, head], from the log.

        Raises TooFar if that is more than FAR facts or no command ends at `after`, NoMatch, Unavailable.
        """
        live = await self.latest(match)
        if after == live.seq:
            return live.broadcast(audience, after, [], Raw(b"{}"))
        for broadcast in live.latest:
            if (broadcast.audience, broadcast.after) == (audience, after):
                return broadcast
        if live.seq - after > FAR or live.end(after) is None:
            raise TooFar
        past = (await self.opening.fold_at(match, after)).view(audience)
        news = [entry async for page in self._log.pages(match, after, live.seq) for entry in page]
        game, change = live.game, patch(past, live.views[audience])
        tellings = [telling(game, sealing(one, live.k_salt), game.fact(one.body)) for one in news]
        return live.broadcast(audience, after, tellings, Raw(json.encode(change)))

    async def view(self, match: UUID, audience: Viewer) -> Broadcast:
        """Make the broadcast of an audience's view at the head. Raises NoMatch, Unavailable."""
        return (await self.latest(match)).whole(audience)

    async def heads(self, matches: Collection[UUID]) -> dict[UUID, int]:
        """Return the last seq of each match by its id; a match that is not on the log is left out."""
        return await self._log.heads(matches)

    def _notify_not_stored(self, match: UUID) -> None:
        for call in self._not_stored:
            call(match)


def command_id(key: bytes, reason: str, seq: int) -> UUID:
    """Derive the id of a command of the server's own from the match key: the same on every node.

    Until the key is revealed it cannot be predicted, nor told from a client's random id, so that it does not
    reveal whether a player or the server has decided.
    """
    return UUID(bytes=hmac.digest(key, f"command {reason} {seq}".encode(), "sha256")[:16], version=4)


def _receipt(live: Live, entries: Sequence[Entry], is_repetition: IsRepetition) -> StoredCommand:
    if not is_repetition(live, [live.game.fact(entry.body) for entry in entries]):
        raise RequestError("command_reused", "this command id was used for something else")
    return StoredCommand(entries[-1].seq, entries[-1].hash)
