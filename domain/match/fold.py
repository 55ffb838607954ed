"""A match folded from its log, command by command, undos included.

An undo folds the match again from a saved state: the one after the last fact that no undo can go back past,
or the one that the last undo went back to. So repeated undos do not each fold the whole match.

A fold that forgets lets go of the facts that no undo can go back past, so that its memory does not grow with
the match; it can be put down as a `Position` and taken up from there. A correction goes back further, and
so does an undo in a log written under other rules. Where that is past what is held it raises `Forgotten`, and
the match is folded again: from an earlier position, by a fold that knows of the undos to come, or by one that
forgets nothing.
"""

from bisect import bisect_right
from collections.abc import Collection, Sequence
from typing import Any

from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.kernel.audience import VIEWERS, Viewer
from domain.kernel.facts import OWN_CHOICE, Decided, Fact, State, evolve
from domain.kernel.seats import Match
from domain.match.chain import ZERO, Entry
from domain.match.claims import is_early
from domain.match.clock import Clocks
from domain.match.corrections import seat_of
from domain.match.game import Game
from domain.match.notices import Started, TimeOutClaimed
from domain.match.parts import Part
from domain.match.position import Position
from domain.match.replacing import SeatOffered, SeatReplaced
from domain.match.rest import rests
from domain.match.undo import Undone, Undos, add, bars, with_lowest
from domain.match.undoing import UndoAnswered, UndoOffered
from domain.match.views import ClocksView, View, Views

FORGET = 1000
"""Facts in force from which on a fold that forgets saves a later state to start from."""


GOES_ON = (Started, Decided, Undone)
"""The facts by which play goes on: nobody has been waited for from before them."""


class Forgotten(Exception):
    """An undo goes back to fact `back_to`, past what this fold holds or what bars undos today.

    A fold that begins at or before `back_to` and knows beforehand that it does will do, unless it is an undo
    of a seat: then a barrier stands behind that, and only a fold that forgets nothing does.
    """

    def __init__(self, back_to: int) -> None:
        super().__init__(f"an undo goes back to fact {back_to}")
        self.back_to = back_to


class SavedState(Struct, frozen=True):
    """The encoded state after fact `seq`; empty before the first."""

    seq: int = 0
    state: bytes = b""


class Fold:
    """A match as of its last command, which ends with fact `seq`, whose hash is `hash`.

    `facts` are the `(seq, fact)` pairs not taken back: all of them or, of a fold that forgets, at least those
    after `barrier`.
    """

    def __init__(self, game: Game, *, forgets: bool = False, undos: Undos = ()) -> None:
        """Take the title and, of a fold that forgets, undos to come: it holds what these go back to."""
        self.game = game
        self.state: State[Any, Any] = game.state()
        self.facts: list[tuple[int, Fact]] = []
        self.seq, self.hash, self.at = 0, ZERO, 0
        self.clocks: Clocks | None = None
        self.barrier = 0
        """The last fact in force that no undo goes back past; 0 if there is none."""
        self.took_back: int | None = None
        """The seat of the last undo, if nobody has decided since."""
        self.asked_since: dict[int, int] = {}
        """Since which seq each asked seat has been asked without having decided, or since a correction.

        Its prompt is no older.
        """
        self.waited_since = 0
        """When play last went on: when it began, or a decision was taken or taken back."""
        self.decided: set[int] = set()
        """The seats that have taken a decision themselves, or lost one by a time-out that was claimed."""
        self._forgets = forgets
        self._ahead = with_lowest(undos)
        self._start = SavedState()
        """The state before `facts`."""
        self._next: SavedState | None = None
        """A later state to start from, as soon as no undo can go back past it."""
        self._kept: list[SavedState] = []
        """At most two saved states, the earlier first."""
        self._views = Views(game)

    @classmethod
    def at_position(cls, game: Game, position: Position, undos: Undos = ()) -> "Fold":
        """Take up a fold that forgets from where it was put down. Raises msgspec.DecodeError."""
        fold = cls(game, forgets=True, undos=undos)
        fold.state = game.restore(position.state)
        fold.seq, fold.hash, fold.at = position.seq, position.hash, position.at
        fold.barrier, fold.took_back = position.barrier, position.took_back
        fold.asked_since = dict(position.asked_since)
        fold.waited_since, fold.decided = position.waited_since, set(position.decided)
        clock = fold.state.match.clock
        if clock is not None and position.clocks is not None:
            match = fold.state.match
            fold.clocks = Clocks(clock, len(match.seats), position.clocks, rests(match))
        fold._start = SavedState(position.seq, bytes(position.state))
        return fold

    def position(self) -> Position:
        """Put the fold down, to be taken up by `at_position`."""
        return Position(
            self.seq,
            self.hash,
            self.at,
            Raw(self.game.encode(self.state)),
            self.barrier,
            self.took_back,
            dict(self.asked_since),
            None if self.clocks is None else self.clocks.turning(),
            self.waited_since,
            tuple(sorted(self.decided)),
        )

    def stands_at(self, position: Position) -> bool:
        """Return whether this fold, put down, is that position."""
        own = replace(self.position(), state=position.state)
        return own == position and self.state == self.game.restore(position.state)

    @property
    def start(self) -> int:
        """The fact after which `facts` begin: 0 if nothing was forgotten."""
        return self._start.seq

    def copy(self) -> "Fold":
        """Return an independent copy."""
        other = Fold(self.game, forgets=self._forgets)
        other.state = self.game.restore(self.game.encode(self.state))
        other.facts, other._kept, other._ahead = list(self.facts), list(self._kept), list(self._ahead)
        other._start, other._next = self._start, self._next
        other.seq, other.hash, other.at = self.seq, self.hash, self.at
        other.barrier, other.took_back = self.barrier, self.took_back
        other.asked_since, other.clocks = dict(self.asked_since), self.clocks and self.clocks.copy()
        other.waited_since, other.decided = self.waited_since, set(self.decided)
        return other

    def apply(self, entries: Sequence[Entry]) -> list[Fact]:
        """Fold one whole command and return its facts. Raises Forgotten; then this fold is of no more use."""
        facts = [self.game.fact(entry.body) for entry in entries]
        for fact in facts:
            fact.fold(self.state)
        self.note(entries, facts)
        return facts

    def note(self, entries: Sequence[Entry], facts: Sequence[Fact]) -> bool:
        """Note one whole command whose facts are folded already; return whether it held an undo.

        Then `state` has been folded again, and is another object. Raises Forgotten as `apply` does.
        """
        for entry, fact in zip(entries, facts, strict=True):
            add(self.facts, entry.seq, fact)
            if bars(fact):
                self.barrier = entry.seq
        undone = [fact for fact in facts if type(fact) is Undone]
        if undone:
            by_consent = all(fact.consent for fact in undone)
            self._go_back(min(fact.back_to for fact in undone), self._start.seq if by_consent else None)
        self.seq, self.hash, self.at = entries[-1].seq, entries[-1].hash, entries[-1].at
        self._count_turns(facts)
        if self._forgets:
            self._forget()
            if self.clocks is not None:
                self.clocks.forget(self.barrier)
        return bool(undone)

    def decided_at(self, seq: int) -> int | None:
        """Return the seat of the decision at fact `seq`, behind `start`, that a match may be corrected from.

        None if none that stands is there.
        """
        place = self._count(seq) - 1
        found, fact = self.facts[place] if place >= 0 else (0, None)
        return seat_of(fact) if fact is not None and found == seq else None

    def _go_back(self, seq: int, least: int | None) -> None:
        """Fold the remaining facts again, from the last saved state at or before `seq`.

        `least` is how far back it may go; None for the last that bars undos. Raises Forgotten.
        """
        if self._forgets and seq < (max(self._start.seq, self.barrier) if least is None else least):
            raise Forgotten(seq)
        if self._next is not None and seq < self._next.seq:
            self._next = None
        kept = [one for one in self._kept if one.seq <= seq]
        saved = kept[-1] if kept else self._start
        done = self._count(saved.seq)
        self.state = self.game.restore(saved.state) if saved.state else self.game.state()
        back = self._count(seq)
        fixed = next((n for n in range(back, done, -1) if self.facts[n - 1][1].bars_undo), 0)
        if fixed:
            kept = [self._keep(done, fixed)]
            done = fixed
        self._kept = [*kept[:1], self._keep(done, back)] if back else []
        evolve(self.state, [fact for _, fact in self.facts[back:]])
        if seq < self.barrier:
            self.barrier = next((n for n, fact in reversed(self.facts) if bars(fact)), 0)

    def _count(self, seq: int) -> int:
        """Return how many facts in `facts` have a seq up to `seq`."""
        return bisect_right(self.facts, seq, key=lambda fact: fact[0])

    def _keep(self, start: int, end: int) -> SavedState:
        """Fold `facts[start:end]` and return the state after them."""
        evolve(self.state, [fact for _, fact in self.facts[start:end]])
        return SavedState(self.facts[end - 1][0], self.game.encode(self.state))

    def _forget(self) -> None:
        """Start from a later state, if no undo can go back past it; save one when there are many facts."""
        while self._ahead and self._ahead[-1][0] <= self.seq:
            self._ahead.pop()
        barrier = min(self.barrier, self._ahead[-1][1]) if self._ahead else self.barrier
        if self._next is not None and self._next.seq <= barrier:
            self._start, self._next = self._next, None
            self.facts = self.facts[self._count(self._start.seq) :]
            self._kept = [one for one in self._kept if one.seq >= self._start.seq]
        if self._next is None and len(self.facts) >= FORGET:
            self._next = SavedState(self.seq, self.game.encode(self.state))

    def views(self, audiences: Collection[Viewer] = VIEWERS) -> dict[Viewer, View[Part]]:
        """Return the view of each of these audiences, with the clocks if the match has any."""
        return self._shown(self._views, self.state, audiences)

    @property
    def standing(self) -> Match:
        """Seats, offers and the end as of the last `views`; a copy, never mutated."""
        return self._views.match

    def view(self, audience: Viewer) -> View[Part]:
        """Return the view of one side or of the onlookers, with the clocks if the match has any."""
        return self.views((audience,))[audience]

    def foreseen(self, ahead: State[Any, Any], audience: Viewer) -> View[Part]:
        """Return the view of one audience for a possible later state, with the present clocks."""
        return self._shown(self._views.copy(), ahead, (audience,))[audience]

    def _shown(
        self, views: Views, state: State[Any, Any], audiences: Collection[Viewer]
    ) -> dict[Viewer, View[Part]]:
        early = is_early(self.state.match, self.decided)
        return views.of(state, audiences, self._clocks_view(), early=early, waited_since=self.waited_since)

    def _clocks_view(self) -> ClocksView | None:
        return (
            None
            if self.clocks is None
            else ClocksView(
                at=self.at,
                left=dict(self.clocks.left),
                late=dict(self.clocks.late),
                vacant=self.clocks.vacant,
            )
        )

    def _count_turns(self, facts: Sequence[Fact]) -> None:
        """Count who decided or took back in a command, and who is asked after it: the time runs for them."""
        match, asked = self.state.match, self.state.asked
        decided: set[int] = set()
        chose: set[int] = set()
        late: set[int] = set()
        offered = {fact.seat for fact in facts if type(fact) is SeatOffered}
        replaced = {fact.seat for fact in facts if type(fact) is SeatReplaced}
        since = self.asked_since
        for fact in facts:
            if type(fact) is Decided:
                self.took_back = None
                decided.add(fact.seat)
                if fact.how in OWN_CHOICE:
                    chose.add(fact.seat)
            elif type(fact) is Undone:
                self.took_back = fact.seat
                since = {} if fact.consent else since
            elif type(fact) is TimeOutClaimed:
                late.add(fact.seat)
        self.asked_since = {
            seat: self.seq if seat in decided else since.get(seat, self.seq) for seat in asked
        }
        if any(type(fact) in GOES_ON for fact in facts):
            self.waited_since = self.at
        self.decided |= chose | late
        if match.clock is not None and self.clocks is None:
            self.clocks = Clocks(match.clock, len(match.seats))
        if self.clocks is not None:
            turn = self.game.account.turn(self.state.open)
            running = () if match.paused else asked
            self.clocks.turn(self.at, running, chose, turn, rests(match), late, offered, replaced)
            # By consent no time is given: there `DiceCounted` is the last.
            if type(last := facts[-1]) is Undone:
                self.clocks.take_back(last.seat, last.back_to, self._undo_offered(facts))
            self.clocks.remember(self.seq)

    def _undo_offered(self, facts: Sequence[Fact]) -> int | None:
        """Return the fact that asked for an undo which others agreed to in a command; None without asking."""
        if type(facts[0]) is not UndoAnswered:
            return None
        return next((seq for seq, fact in reversed(self.facts) if type(fact) is UndoOffered), None)
