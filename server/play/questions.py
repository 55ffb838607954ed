"""The prompts of a match's seats, and the seq at which each began.

A decision names the fact at which its sender saw the prompt; it is stale if the prompt began later. `since`
is therefore a function of the log alone: a match folded incrementally and one folded from the start give the
same result. A prompt counts as new when its rule, text or options change, and whenever its seat has decided,
even if the same is asked again: a decision sent twice must not count twice. After a correction all are new:
what was decided for another table is not meant for this one.

Deliberately absent: whether a decision is legal, which the table checks.
"""

from collections.abc import Iterable, Sequence
from itertools import compress, count
from typing import cast

from msgspec import Raw

from domain.kernel.facts import Decided, Fact
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.game import Game
from domain.match.undo import Undone
from server.protocol.wire import Asked


class Questions:
    """The prompts of a match as of its last command, and the seq at which each began to be asked."""

    def __init__(self) -> None:
        self.prompts: dict[int, Asked] = {}
        self.since: dict[int, int] = {}

    def put(self, prompts: dict[int, Asked], seq: int, facts: Sequence[Fact] = ()) -> None:
        """Replace the prompts by those as of `seq`, the last fact of a command that recorded `facts`."""
        news = _asked_anew(facts, prompts)
        self.since = {
            seat: self.since[seat] if seat not in news and self.prompts.get(seat) == prompt else seq
            for seat, prompt in prompts.items()
        }
        self.prompts = prompts


def prompt_messages(game: Game, table: Table | None) -> dict[int, Asked]:
    """Return the prompts of a table by seat, as messages; empty without a table or after the end."""
    if table is None or table.state.match.over:
        return {}
    return {seat: prompt_message(game, table, seat) for seat in table.prompts}


def prompt_message(game: Game, table: Table, seat: int) -> Asked:
    """Return the prompt of a seat as a message."""
    one = table.prompts[seat]
    options = Raw(game.encode(one.options))  # as JSON already, in one go: they are hundreds
    return Asked(
        seat,
        one.rule,
        one.text,
        cast("tuple[Raw, ...]", options),
        _places(one.options, table.quiet(seat)),
        table.sealed(seat),
    )


def _places(options: tuple[Decision, ...], among: tuple[Decision, ...]) -> tuple[int, ...]:
    """Return the places of the options that are among these decisions."""
    if among == options[: len(among)]:  # most often all but the last, the same objects, of hundreds
        return tuple(range(len(among)))
    return tuple(compress(count(), map(set(among).__contains__, options)))


def _asked_anew(facts: Sequence[Fact], asked: Iterable[int]) -> set[int]:
    """Return which seats have a new prompt, though it may read as before."""
    if any(type(fact) is Undone and fact.consent for fact in facts):
        return set(asked)
    return {fact.seat for fact in facts if type(fact) is Decided}
