"""One match in the memory of a node: its facts folded, its prompts drawn up, its time counted.

A `Live` is mutable and used only under the match's lock. All other code gets its `snapshot`, which shows the
match as stored: it is replaced when a command is stored, and when commands of other nodes were read from the
log. If an append fails in any way, the live match is evicted. Deliberately absent: the log itself,
connections, locks.
"""

from collections.abc import Collection, Generator, Mapping, Sequence
from typing import Any
from uuid import UUID

from msgspec import Raw, json, structs

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.dice import Fair
from domain.kernel.facts import Fact, State
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match import chain, notices
from domain.match.chain import Draft, Entry, Sealing, sealing
from domain.match.clock import Clocks
from domain.match.fold import Fold
from domain.match.game import Game
from domain.match.telling import Telling, telling
from domain.match.views import patch, patches
from server.fanout.broadcasts import Broadcast
from server.play.questions import Questions, prompt_message, prompt_messages
from server.play.reading import Reading
from server.play.snapshot import FAR, Snapshot
from server.proof import keys
from server.protocol.wire import Asked

_encode = json.Encoder().encode


class Beyond(Exception):
    """Whether a decision stands behind fact `back_to` has to be asked of the log."""

    def __init__(self, back_to: int) -> None:
        super().__init__(back_to)
        self.back_to = back_to


class Live:
    """The mutable state of a match, level with fact `seq` of the log, whose hash is `hash`."""

    def __init__(self, match: UUID, game: Game, key: bytes) -> None:
        self.match, self.game, self.key = match, game, key
        self.k_salt = keys.salt_key(key)
        self.table: Table | None = None
        self.not_before = 0
        """Lower bound of the time stamp of the command under way, which has computed with this time."""
        self.recalled: dict[int, int | None] = {}
        """What the log has answered since the last command to who was Beyond."""
        self._fold = Fold(game, forgets=True)
        self._questions = Questions()
        self._ends: dict[int, bytes] = {}
        self.snapshot = Snapshot(match, game, key, self.k_salt, ends=self._ends)

    @property
    def seq(self) -> int:
        """The last fact that is on the log, as far as this node knows."""
        return self.snapshot.seq

    @property
    def hash(self) -> bytes:
        """The hash of fact `seq`."""
        return self.snapshot.hash

    @property
    def at(self) -> int:
        """When the last command was stored, in microseconds since the epoch."""
        return self.snapshot.at

    @property
    def asked_at(self) -> Mapping[int, int]:
        """Since which seq each asked seat has had the prompt it has."""
        return self.snapshot.asked_at

    @property
    def state(self) -> State[Any, Any]:
        """The state; during a command it may already include facts beyond `seq`."""
        return self._fold.state

    @property
    def facts(self) -> Sequence[tuple[int, Fact]]:
        """The facts that were not undone, as `(seq, fact)` pairs: at least all that may still be."""
        return self._fold.facts

    def stood(self, back_to: int) -> int | None:
        """Return the seat of the decision that stands behind a fact and may be taken anew, or None.

        Raises Beyond, where the log has to be asked: then what it says is put into `recalled`.
        """
        if not 0 < back_to < self.seq:
            return None
        if back_to >= self._fold.start:
            return self._fold.decided_at(back_to + 1)
        if back_to not in self.recalled:
            raise Beyond(back_to)
        return self.recalled[back_to]

    @property
    def clocks(self) -> Clocks | None:
        """The time that each seat has left, if any is kept."""
        return self._fold.clocks

    @property
    def waited_since(self) -> int:
        """When play last went on, in microseconds since the epoch."""
        return self._fold.waited_since

    @property
    def decided(self) -> Collection[int]:
        """The seats that have taken a decision themselves, or lost one by a time-out that was claimed."""
        return self._fold.decided

    def order(self, seat: int) -> Decision | None:
        """Return the decision that an asked seat has ordered in advance; None if it has none.

        None, too, at a prompt to which the seat itself has returned by an undo: there it decides anew.
        """
        prompt = self.table.prompts.get(seat) if self.table else None
        if prompt is None or self.state.match.over:
            return None
        if self._fold.took_back == seat:
            return None
        return self.game.ordered(self.state, seat, prompt)

    # from the log

    @classmethod
    def opened(cls, match: UUID, key: bytes, reading: Reading) -> Generator[None, None, "Live"]:
        """Make the live match of what was read of the log, to its head; yields now and then.

        The generator's return value is the complete match.
        """
        live = cls(match, reading.fold.game, key)
        live._fold = reading.fold
        live._ends.update(reading.ends)
        live._set_up_table()
        live._questions = yield from reading.questions(live._questions, live._dice())
        live._replace_snapshot()
        return live

    def following(self, entries: Sequence[Entry]) -> Generator[None, None, None]:
        """Fold the commands that follow fact `seq` on the log, then replace the snapshot.

        Yields after each command. If it raises or is not run to its end, this live match must be evicted.
        """
        was, reading = self.snapshot, Reading(self._fold)
        folded = yield from reading.page(entries)
        tellings: list[Telling] = []
        for command, facts in folded:
            tellings += self._tellings([sealing(entry, self.k_salt) for entry in command], facts)
            yield
        self._set_up_table()
        self._questions = yield from reading.questions(self._questions, self._dice())
        self._ends.update(reading.ends)
        self._replace_snapshot()
        self._broadcasts_since(was, tellings)

    def _set_up_table(self) -> None:
        match = self.state.match
        playing = match.started and not match.over
        self.table = Table(self.game, self.state, self._dice()) if playing else None

    def _dice(self) -> Fair:
        nonces = self.state.match.nonces
        return Fair(keys.dice_key(self.key), [bytes.fromhex(nonces[seat]) for seat in sorted(nonces)])

    def _replace_snapshot(self, facts: Sequence[Fact] = ()) -> None:
        """Replace the snapshot by one as of the last command, which recorded `facts`."""
        last = self._fold
        self.recalled = {}
        self._questions.put(prompt_messages(self.game, self.table), last.seq, facts)
        while (oldest := next(iter(self._ends), last.seq)) < last.seq - FAR:
            del self._ends[oldest]
        asked, clocks = self._questions.prompts, self.clocks
        ends = {seat: clocks.deadline(seat) for seat in asked} if clocks else {}
        low = {seat: clocks.low(seat) for seat in asked} if clocks else {}
        views = self._fold.views()
        self.snapshot = Snapshot(
            self.match,
            self.game,
            self.key,
            self.k_salt,
            last.seq,
            last.hash,
            last.at,
            self._fold.standing,
            views,
            asked,
            self._questions.since,
            {seat: end for seat, end in ends.items() if end is not None},
            {seat: at for seat, at in low.items() if at is not None},
            clocks.vacant if clocks else (),
            frozenset(seat for seat in asked if self.order(seat) is not None),
            ends=self._ends,
        )

    def _tellings(self, sealings: Sequence[Sealing], facts: Sequence[Fact]) -> list[Telling]:
        return [telling(self.game, one, fact) for one, fact in zip(sealings, facts, strict=True)]

    def _broadcasts_since(self, was: Snapshot, tellings: Sequence[Telling]) -> list[Broadcast]:
        """Make each audience's broadcast from snapshot `was` to the current one, which keeps them."""
        now = self.snapshot
        changes = patches({which: (was.views[which], view) for which, view in now.views.items()})
        encoded = {id(change): Raw(_encode(change)) for change in changes.values()}
        broadcasts = [
            now.broadcast(which, was.seq, tellings, encoded[id(changes[which])]) for which in VIEWERS
        ]
        self.snapshot = structs.replace(now, latest=tuple(broadcasts))
        return broadcasts

    # a command

    def closed(self, facts: list[Fact]) -> list[Fact]:
        """Return the facts of a command; if the match is over, append the fact that reveals its key."""
        if self.state.match.over:
            ended = notices.Ended(self.key.hex())
            ended.fold(self.state)
            facts = [*facts, ended]
        return facts

    def foreseen(self, seat: int, ahead: Table) -> tuple[Asked, dict[str, Any]]:
        """Return a seat's prompt on a copy of the table, and the patch from its current view to that one."""
        audience = Audience.of(self.state.match.side(seat))
        shown, seen = self.snapshot.views[audience], self._fold.foreseen(ahead.state, audience)
        return prompt_message(self.game, ahead, seat), patch(shown, seen)

    def note(self, facts: Sequence[Fact]) -> list[Fact]:
        """Fold notices and return them; after `Started` with the first facts of play. An undo refolds all."""
        noted = self.game.noted(self.state, facts)
        if any(isinstance(fact, notices.Started) for fact in facts):
            match = self.state.match
            first = self.game.first(match.scenario, match.options)
            self.table = Table(self.game, self.state, self._dice(), first)
            noted += self.table.facts
        return noted

    def sealed(self, command: UUID, at: int, facts: Sequence[Fact]) -> list[Sealing]:
        """Make the entries of a command: numbered and hash-linked, `at` not before the last command's."""
        drafts: list[Draft] = [
            (str(fact.__struct_config__.tag), fact.ver, fact.audience(), fact.final, self.game.encode(fact))
            for fact in facts
        ]
        at = max(at, self.at, self.not_before)
        return chain.sealings(self.match, command, at, self.seq, self.hash, drafts, self.k_salt)

    def told_since(
        self, was: Snapshot, sealings: Sequence[Sealing], facts: Sequence[Fact]
    ) -> list[Broadcast]:
        """Return each audience's broadcast from an earlier snapshot, to which these facts were added."""
        return self._broadcasts_since(was, self._tellings(sealings, facts))

    def stored(self, sealings: Sequence[Sealing], facts: Sequence[Fact]) -> list[Broadcast]:
        """Update the snapshot after a command was stored; return each audience's broadcast.

        Raises Forgotten where it corrects what is held no more: then the match has to be opened anew.
        """
        was, entries = self.snapshot, [one.entry for one in sealings]
        if self._fold.note(entries, facts):
            self._set_up_table()
        self._ends[entries[-1].seq] = entries[-1].hash
        self._replace_snapshot(facts)
        return self._broadcasts_since(was, self._tellings(sealings, facts))
