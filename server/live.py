"""One match in the memory of a node: its facts folded, its prompts drawn up, its time counted.

What a decision comes to (`drafted`) is shown to nobody before it is in the log (`stored`): until then views
and prompts are those of fact `seq`. If the append fails in any way, the whole live match is dropped.
Deliberately absent: the log itself, connections, locks.
"""

from collections.abc import Callable, Generator, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from msgspec import json

from domain.kernel import chain, notices
from domain.kernel.chain import ZERO, Draft, Entry
from domain.kernel.clock import Clocks
from domain.kernel.dice import Fair
from domain.kernel.facts import Fact, State, bit
from domain.kernel.fold import Fold
from domain.kernel.game import Game
from domain.kernel.table import Table
from domain.kernel.telling import Told, told
from domain.kernel.views import patch, view
from domain.titles import TITLES
from server import keys, wire
from server.fanout import Frame
from server.questions import Questions, Waiting, asked, asked_again, drawn_up

AUDIENCES: tuple[int | None, ...] = (0, 1, None)
"""The sides, and None for the onlookers, in the order of the fan-out's audiences."""


_created = json.Decoder(notices.Created).decode


class UnknownTitle(Exception):
    """A match of a title that this server does not have."""


class Live:
    """A match as of its fact `seq`, whose hash is `hash`."""

    def __init__(self, match: UUID, game: Game, key: bytes) -> None:
        self.match, self.game, self.key = match, game, key
        self.k_salt = keys.salt_key(key)
        self.table: Table | None = None
        self.seq, self.hash = 0, ZERO
        self.ends: dict[int, bytes] = {}
        """The hash at the end of each command, by seq."""
        self.not_before = 0
        """The time that the command under way has counted with: it is not stored under an earlier one."""
        self.views: tuple[dict[str, Any], ...] = ({}, {}, {})
        self._fold = Fold(game)
        self._questions = Questions()

    @property
    def state(self) -> State[Any, Any]:
        """The state, which a command under way may have moved beyond `seq`."""
        return self._fold.state

    @property
    def facts(self) -> Sequence[tuple[int, Fact]]:
        """The facts that stand, as `(seq, fact)` pairs."""
        return self._fold.facts

    @property
    def clocks(self) -> Clocks | None:
        """The time that each seat has left, if any is kept."""
        return self._fold.clocks

    @property
    def at(self) -> int:
        """When the last command was stored, in microseconds since the epoch."""
        return self._fold.at

    @property
    def asked_at(self) -> dict[int, int]:
        """Since which seq each asked seat has had the prompt it has."""
        return self._questions.since

    # from the log

    @classmethod
    def folding(cls, match: UUID, entries: Sequence[Entry], key: bytes) -> Generator[None, None, "Live"]:
        """Fold a match from its first facts on, a command at a time; raises UnknownTitle.

        Nobody has the match before it is whole: it is what the work returns.
        """
        title = _created(entries[0].body).title
        if title not in TITLES:
            raise UnknownTitle(f"match {match} is of title {title}, which is not here")
        live, waiting = cls(match, TITLES[title], key), Waiting()
        commands = [list(command) for _, command in groupby(entries, lambda entry: entry.command)]
        for command in commands:
            facts = live._fold.take(command)
            live._pass(command[-1])
            waiting.take(live.state.asked, live.seq, facts)
            yield
        live._sit_down()
        if any(since < live.seq for since in waiting.since.values()):
            live._questions = yield from asked_again(live.game, live._dice(), commands, waiting.since)
        live._look()
        return live

    def _pass(self, last: Entry) -> None:
        self.seq, self.hash = last.seq, last.hash
        self.ends[last.seq] = last.hash

    def _sit_down(self) -> None:
        match = self.state.match
        playing = match.started and not match.over
        self.table = Table(self.game, self.state, self._dice()) if playing else None

    def _dice(self) -> Fair:
        nonces = self.state.match.nonces
        return Fair(keys.dice_key(self.key), [bytes.fromhex(nonces[seat]) for seat in sorted(nonces)])

    def _look(self, facts: Sequence[Fact] = ()) -> None:
        """Draw up prompts and views as of now, after a command that came to these facts."""
        self._questions.put(drawn_up(self.game, self.table), self.seq, facts)
        if self.game.own.__struct_fields__:
            self.views = tuple(map(self._fold.view, AUDIENCES))
        else:  # nobody has a screen of his own: all see the same
            self.views = (self._fold.view(None),) * len(AUDIENCES)

    # what is asked for

    def prompts(self, side: int | None) -> list[wire.Asked]:
        """Return the prompts of a side's seats; onlookers have none."""
        if side is None:
            return []
        return [a for seat, a in self._questions.prompts.items() if self.state.match.side(seat) == side]

    def drafted(self, act: Callable[["Live"], list[Fact]]) -> list[Fact]:
        """Let a command act, and return the facts to append; the end brings the match key.

        Whatever it raises, or if the facts are not stored, this live match must be dropped, unless what it
        raised is Illegal, Apart or Refused.
        """
        facts = act(self)
        if self.state.match.over:
            ended = notices.Ended(self.key.hex())
            ended.fold(self.state)
            facts = [*facts, ended]
        return facts

    def foreseen(self, seat: int, ahead: Table) -> tuple[wire.Asked, dict[str, Any]]:
        """Return what a seat is asked, and what has changed of its view, on a copy of the table."""
        side = self.state.match.side(seat)
        seen = {**self.views[side], **view(self.game, ahead.state, side)}
        return asked(self.game, ahead, seat), patch(self.views[side], seen)

    def note(self, facts: Sequence[Fact]) -> list[Fact]:
        """Fold notices; the start of play brings what comes of it, and an undo folds the match again."""
        noted = self.game.noted(self.state, facts)
        if any(isinstance(fact, notices.Started) for fact in facts):
            match = self.state.match
            first = self.game.first(match.scenario, match.options)
            self.table = Table(self.game, self.state, self._dice(), first)
            noted += self.table.facts
        return noted

    def sealed(self, command: UUID, at: int, facts: Sequence[Fact]) -> list[Entry]:
        """Make the entries of a command: in sequence, linked, `at` never falling."""
        drafts: list[Draft] = [
            (str(fact.__struct_config__.tag), fact.ver, fact.audience(), fact.final, self.game.encode(fact))
            for fact in facts
        ]
        at = max(at, self.at, self.not_before)
        return chain.seal(self.match, command, at, self.seq, self.hash, drafts, self.k_salt)

    def stored(self, entries: Sequence[Entry], facts: Sequence[Fact]) -> list[Frame]:
        """Take what a command came to, now that it is in the log; return each audience's frame."""
        before, after = self.views, self.seq
        if self._fold.note(entries, facts):
            self._sit_down()
        self._pass(entries[-1])
        self._look(facts)
        tellings = [
            told(self.game, entry, fact, self.k_salt) for entry, fact in zip(entries, facts, strict=True)
        ]
        pairs = {id(now): (was, now) for was, now in zip(before, self.views, strict=True)}
        changes = {which: patch(*pair) for which, pair in pairs.items()}
        return [
            self.frame(audience, after, entries, tellings, changes[id(self.views[audience])])
            for audience in range(len(AUDIENCES))
        ]

    def frame(
        self,
        audience: int,
        after: int,
        entries: Sequence[Entry],
        tellings: Sequence[Told],
        change: dict[str, Any],
    ) -> Frame:
        """Make the frame of an audience that covers these entries and ends at the head."""
        side = AUDIENCES[audience]
        mine = bit(side)
        message = wire.Frame(
            self.match,
            after,
            self.seq,
            self.hash.hex(),
            [t for entry, t in zip(entries, tellings, strict=True) if entry.audience & mine],
            [(e.seq, chain.committed(e, self.k_salt).hex()) for e in entries if not e.audience & mine],
            change,
            self.prompts(side),
        )
        return Frame(self.match, audience, after, self.seq, wire.encode(message))

    def whole(self, audience: int) -> Frame:
        """Make the view message of an audience."""
        message = wire.View(
            self.match, self.seq, self.hash.hex(), self.views[audience], self.prompts(AUDIENCES[audience])
        )
        return Frame(self.match, audience, 0, self.seq, wire.encode(message))
