"""A match without a server: its whole log, the live table, and random play.

Deliberately absent: clocks, connections, keys. What a server does to a match (notices, undo, folding again)
is done here in the same order, in the plainest way.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any

from domain.kernel.dice import Dice, seeded
from domain.kernel.facts import Fact, How, State, evolve
from domain.kernel.procedures import Decision
from domain.kernel.table import MOST_DECISIONS, Table
from domain.match import notices
from domain.match.game import Game
from domain.match.undo import Undone, standing

Log = list[tuple[int, Fact]]
Make = Callable[..., Table]


class Playing:
    """A match under way: `log` holds `(seq, fact)` from 1, `table` the rules at work, `state` the fold.

    `make` builds the table, for harnesses that look over its shoulder.
    """

    table: Table

    def __init__(
        self,
        game: Game,
        scenario: str,
        options: Mapping[str, Any] | None = None,
        dice: Dice | None = None,
        make: Make = Table,
    ) -> None:
        self.game, self.dice, self.make = game, dice or seeded(0), make
        self.state = game.state()
        self.log: Log = []
        self._stand: Log = []
        self._counted = 0
        for fact in opening(game, scenario, options or {}):
            self._fold(fact)
        match = self.state.match
        self.table = make(game, self.state, self.dice, game.first(match.scenario, match.options))
        self._keep(self.table.facts)

    def decide(self, seat: int, decision: Decision, how: How = "chosen") -> list[Fact]:
        """Let a seat decide; the facts are on the log. Raises Illegal."""
        facts = self.table.decide(seat, decision, how)
        self._keep(facts)
        return facts

    def decide_all(self, seat: int, decisions: Sequence[Decision]) -> list[Fact]:
        """Let a seat decide with one command. Raises Illegal and NotOneCommand."""
        facts = self.table.decide_all(seat, decisions)
        self._keep(facts)
        return facts

    def notice(self, facts: Sequence[Fact]) -> None:
        """Put notices on the log; after an `Undone` the table is folded again."""
        for fact in facts:
            self._fold(fact)
        if any(isinstance(fact, Undone) for fact in facts):
            self.fold_again()

    def fold_again(self) -> None:
        """Drop the table and make another from the log."""
        self.state = evolve(self.game.state(), (fact for _, fact in standing(self.log)))
        self.table = self.make(self.game, self.state, self.dice)

    def standing(self) -> Log:
        """Return the facts that count. Only the news since this was last asked can have taken any back."""
        news = self.log[self._counted :]
        stand = [*self._stand, *news]
        self._stand = standing(stand) if any(isinstance(fact, Undone) for _, fact in news) else stand
        self._counted = len(self.log)
        return self._stand

    def _fold(self, fact: Fact) -> None:
        fact.fold(self.state)
        self._keep([fact])

    def _keep(self, facts: Sequence[Fact]) -> None:
        self.log += enumerate(facts, len(self.log) + 1)


def opening(game: Game, scenario: str, given: Mapping[str, Any]) -> Iterator[Fact]:
    """Yield the notices from the first fact to the start of play; each seat's nonce is its number."""
    options = game.set_up(scenario, given)
    seats = game.seats(scenario, options)
    yield notices.Created(game.name, scenario, options, game.revision, "00" * 32, seats)
    nonces = [bytes([seat]) * notices.NONCE_BYTES for seat in range(len(seats))]
    for seat, nonce in enumerate(nonces):
        yield notices.SeatTaken(seat, "bot")
        yield notices.NonceCommitted(seat, sha256(nonce).hexdigest())
    for seat, nonce in enumerate(nonces):
        yield notices.NonceShown(seat, nonce.hex())
    yield notices.Started()


def any_choice(table: Table, chance: Random) -> tuple[int, Decision]:
    """Return a seat that is asked and one of its options, both by chance."""
    seat = chance.choice(sorted(table.prompts))
    return seat, chance.choice(table.prompts[seat].options)


def any_command(table: Table, chance: Random) -> tuple[int, list[Decision]]:
    """Return a seat that is asked and a whole command of it, by chance.

    One of its options, as `any_choice` does; in a sealed step with those that must follow.
    """
    seat, decision = any_choice(table, chance)
    return seat, finished(table, seat, decision, chance.choice)


def finished(
    table: Table, seat: int, first: Decision, choose: Callable[[Sequence[Decision]], Decision]
) -> list[Decision]:
    """Return a decision with those that must follow it in the same command, each chosen from its options."""
    decisions = [first]
    while table.sealed(seat) and decisions[-1] in table.quiet(seat):
        table = table.ahead(seat, decisions[-1:])
        options, quiet = table.prompts[seat].options, table.quiet(seat)
        if len(decisions) == MOST_DECISIONS - 1:
            options = tuple(option for option in options if option not in quiet)
        decisions.append(choose(options))
    return decisions


def played_out(
    game: Game,
    scenario: str,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    limit: int = 10_000,
) -> Playing:
    """Return a match played to its end by chance; `limit` commands are a bug."""
    chance = Random(seed)
    playing = Playing(game, scenario, options, seeded(seed))
    for _ in range(limit):
        if playing.state.match.over:
            return playing
        playing.decide_all(*any_command(playing.table, chance))
    raise AssertionError(f"no end after {limit} commands")


def copy_of(game: Game, state: State[Any, Any]) -> State[Any, Any]:
    """Return a state put down as bytes and picked up again."""
    return game.restore(game.encode(state))
