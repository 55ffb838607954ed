"""Matches of any title played by random decisions, as input of the other benchmarks."""

import secrets
import time
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from random import Random
from typing import Final, TypeVar
from uuid import UUID, uuid4

from msgspec import Struct

from domain.kernel.dice import Fair
from domain.kernel.facts import Fact, evolve
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.chain import ZERO, Draft, Entry, seal
from domain.match.game import Game
from domain.match.notices import Created, Ended, show_nonce, take_seat
from server.proof import keys

SEED: Final = 1942
WHOLE: Final = 5_000
"""Facts after which a match has been played long enough to say how a whole one goes."""

LONGER: Final = 0.9
"""Probability with which the last option, which in many lists ends a stage, is left out."""


class Played(Struct, frozen=True):
    """A match: its key, the facts of each of its commands, and how long each decision took in the rules."""

    key: bytes
    commands: list[list[Fact]]
    seconds: list[float]

    @property
    def facts(self) -> list[Fact]:
        """All facts, in order."""
        return [fact for command in self.commands for fact in command]


Option = TypeVar("Option")

Choice = Callable[[Table, int, Random], Decision]
"""Chooses a decision for a seat that is asked."""

Around = Callable[..., list[Fact]]
"""Calls a function with its arguments and returns its result; it may profile the call."""


def simply(decide: Callable[..., list[Fact]], *given: object) -> list[Fact]:
    """Call it, without profiling."""
    return decide(*given)


def by_chance(table: Table, seat: int, random: Random) -> Decision:
    """Choose any decision; the last of the list less often."""
    return one_of(table.prompts[seat].options, random)


def one_of(options: Sequence[Option], random: Random) -> Option:
    """Choose one of these; the last less often."""
    less = len(options) > 1 and random.random() < LONGER
    return random.choice(options[:-1] if less else options)


def play(
    game: Game,
    scenario: str,
    most: int,
    seed: int = SEED,
    choose: Choice = by_chance,
    around: Around = simply,
) -> Played:
    """Play a match, by chance or otherwise, to its end or to the decision that brings it to `most` facts."""
    random = Random(seed)  # noqa: S311 a choice is not a secret
    options = game.set_up(scenario, {})
    seats = game.seats(scenario, options)
    key, nonces = keys.match_key(), [secrets.token_bytes(16) for _ in seats]
    state, commands, seconds = game.state(), list[list[Fact]](), list[float]()

    def note(*facts: Fact) -> None:
        evolve(state, facts)
        commands.append(list(facts))

    note(Created(game.name, scenario, options, game.revision, keys.dice_commitment(key), seats))
    for seat, nonce in enumerate(nonces):
        note(*take_seat(state.match, seat, "bot", sha256(nonce).hexdigest()))
    for seat, nonce in enumerate(nonces):
        note(*show_nonce(state.match, seat, nonce.hex()))
    table = Table(game, state, Fair(keys.dice_key(key), nonces), game.first(scenario, options))
    commands[-1] += table.facts
    count = sum(map(len, commands))
    while not state.match.over and count < most:
        seat = random.choice(list(table.prompts))
        decisions = command(table, seat, random, choose)
        begun = time.perf_counter()
        facts = around(table.decide_all, seat, decisions)
        seconds.append(time.perf_counter() - begun)
        commands.append(facts)
        count += len(facts)
    if state.match.over:
        ended = Ended(key.hex())
        evolve(state, [ended])
        commands[-1].append(ended)
    return Played(key, commands, seconds)


def command(table: Table, seat: int, random: Random, choose: Choice) -> list[Decision]:
    """Choose for a seat; in a sealed step until a decision that is not quiet."""
    decisions = [choose(table, seat, random)]
    while table.sealed(seat) and decisions[-1] in table.quiet(seat):
        table = table.ahead(seat, decisions[-1:])
        decisions.append(choose(table, seat, random))
    return decisions


@cache
def longest(game: Game, most: int = WHOLE) -> str:
    """Return the scenario whose match, played by chance until it has `most` facts, has the most of them."""
    return max(game.short, key=lambda scenario: len(play(game, scenario, most).facts))


def sealed(game: Game, played: Played, match: UUID) -> list[Entry]:
    """Make the entries of a match as the log has them, a millisecond from one command to the next."""
    entries: list[Entry] = []
    k_salt = keys.salt_key(played.key)
    began = time.time_ns() // 1000 - 1000 * len(played.commands)
    for number, facts in enumerate(played.commands):
        drafts: list[Draft] = [
            (type(fact).__name__, fact.ver, fact.audience(), fact.final, game.encode(fact)) for fact in facts
        ]
        after, prev = (entries[-1].seq, entries[-1].hash) if entries else (0, ZERO)
        entries += seal(match, uuid4(), began + 1000 * number, after, prev, drafts, k_salt)
    return entries
