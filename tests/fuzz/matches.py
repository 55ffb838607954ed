"""A match of any title with its log, as the server keeps it, but without a server."""

from collections.abc import Sequence
from hashlib import sha256
from random import Random
from typing import Any, Literal

from domain.kernel.dice import Dice, Fair
from domain.kernel.facts import Fact, evolve
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.game import BadSetUp, Game
from domain.match.notices import Created, Ended, show_nonce, take_seat
from domain.match.undo import standing
from tests.kernel.playing import finished


class Play:
    """A match under way: `log` is its facts with their numbers, `table` the live table."""

    def __init__(self, game: Game, scenario: str, given: dict[str, Any], seed: int) -> None:
        self.game, self.log = game, list[tuple[int, Fact]]()
        options = game.set_up(scenario, given)
        self.key = sha256(f"dice of {seed}".encode()).digest()
        seats = game.seats(scenario, options)
        promise = sha256(self.key).hexdigest()
        self.state = game.state()
        self.note([Created(game.name, scenario, options, game.revision, promise, seats)])
        nonces = [sha256(f"nonce of {seat} in {seed}".encode()).digest()[:16] for seat in range(len(seats))]
        for seat, nonce in enumerate(nonces):
            self.note(take_seat(self.state.match, seat, "bot", sha256(nonce).hexdigest()))
        for seat, nonce in enumerate(nonces):
            self.note(show_nonce(self.state.match, seat, nonce.hex()))
        self.dice: Dice = Fair(self.key, nonces)
        self.table = Table(game, self.state, self.dice, game.first(scenario, options))
        self.keep(self.table.facts)

    @property
    def over(self) -> bool:
        return self.state.match.over

    def keep(self, facts: Sequence[Fact]) -> None:
        """Put facts on the log that are folded already."""
        self.log += enumerate(facts, start=len(self.log) + 1)

    def note(self, notices: Sequence[Fact]) -> None:
        """Fold notices and put them on the log, with what the title says where one ends the match."""
        self.keep(self.game.noted(self.state, notices))

    def decide(
        self, seat: int, decision: Decision, how: Literal["chosen", "default"] = "chosen"
    ) -> list[Fact]:
        facts = self.table.decide(seat, decision, how)
        self.keep(facts)
        return facts

    def decide_all(self, seat: int, decisions: Sequence[Decision]) -> list[Fact]:
        """Let a seat decide with one command."""
        facts = self.table.decide_all(seat, decisions)
        self.keep(facts)
        return facts

    def undo(self, notices: Sequence[Fact]) -> None:
        """Put an undo on the log and fold the match again from what still stands."""
        self.keep(notices)
        self.state = evolve(self.game.state(), (fact for _, fact in standing(self.log)))
        self.table = Table(self.game, self.state, self.dice)

    def finish(self) -> None:
        """Reveal the key."""
        self.note([Ended(self.key.hex())])


def choose(play: Play, random: Random, patience: float = 0.0) -> tuple[int, Decision]:
    """Return a seat that is asked and a legal decision; the last option is passed by with odds `patience`.

    In a title where the last option ends a stage, patient players do more before they end it.
    """
    seat = random.choice(list(play.table.prompts))
    return seat, _option(play.table.prompts[seat].options, random, patience)


def command(play: Play, random: Random, patience: float = 0.0) -> tuple[int, list[Decision]]:
    """Return what `choose` does, in a sealed step with those decisions that must follow."""
    seat, decision = choose(play, random, patience)
    return seat, finished(play.table, seat, decision, lambda options: _option(options, random, patience))


def _option(options: Sequence[Decision], random: Random, patience: float) -> Decision:
    if len(options) > 1 and random.random() < patience:
        options = options[:-1]
    return random.choice(options)


def random_set_up(game: Game, random: Random) -> tuple[str, dict[str, Any]]:
    """Return a scenario and options that the title accepts, each option set in some of the cases."""
    while True:
        scenario = random.choice(game.short)
        given: dict[str, Any] = {}
        for option in game.options.values():
            if random.random() < 0.3:
                least, most = option.least, option.most
                given[option.id] = True if least is None or most is None else random.randint(least, most)
        try:
            game.set_up(scenario, given)
        except BadSetUp:
            continue
        return scenario, given
