"""What the seats of a match are asked, and since when each has had the prompt it has.

A decision answers a prompt that was seen at some fact; it is stale if that fact lies before the prompt. So
`since` is told by the log alone: a match that was followed all along and one that was folded a moment ago
give the same answer. A prompt is another one as soon as its rule, text or options change, and whenever its
seat has decided, even if the same is asked again: a decision sent twice must not count twice.

Deliberately absent: whether a decision is legal, which the table knows.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence

from msgspec import Raw

from domain.kernel.dice import Dice
from domain.kernel.facts import Decided, Fact
from domain.kernel.table import Table
from domain.match.chain import Entry
from domain.match.fold import Fold
from domain.match.game import Game
from server.protocol.wire import Asked


class Questions:
    """The prompts of a match as of its last command, and the seq at which each began to be asked."""

    def __init__(self) -> None:
        self.prompts: dict[int, Asked] = {}
        self.since: dict[int, int] = {}

    def put(self, prompts: dict[int, Asked], seq: int, facts: Iterable[Fact] = ()) -> None:
        """Take the prompts as of `seq`, the end of a command that came to these facts."""
        answered = _answered(facts)
        self.since = {
            seat: self.since[seat] if seat not in answered and self.prompts.get(seat) == asked else seq
            for seat, asked in prompts.items()
        }
        self.prompts = prompts


def drawn_up(game: Game, table: Table | None) -> dict[int, Asked]:
    """Return the prompts of a table as they are sent; of none where nobody plays."""
    if table is None or table.state.match.over:
        return {}
    return {seat: asked(game, table, seat) for seat in table.prompts}


def asked(game: Game, table: Table, seat: int) -> Asked:
    """Return the prompt of a seat as it is sent."""
    one, quiet = table.prompts[seat], table.quiet(seat)
    return Asked(
        seat,
        one.rule,
        one.text,
        tuple(Raw(game.encode(option)) for option in one.options),
        tuple(place for place, option in enumerate(one.options) if option in quiet),
    )


class Waiting:
    """Since when each seat has waited for its own decision: at the earliest, then, its prompt began.

    This is cheap to follow through a whole log, where prompts would have to be drawn up for every command.
    """

    def __init__(self, since: Mapping[int, int]) -> None:
        self.since = dict(since)

    def follow(self, asked: Sequence[int], seq: int, facts: Iterable[Fact]) -> None:
        """Take who is asked at `seq`, the end of a command that came to these facts."""
        answered = _answered(facts)
        self.since = {seat: seq if seat in answered else self.since.get(seat, seq) for seat in asked}


def asked_again(
    fold: Fold, questions: Questions, dice: Dice, commands: Sequence[Sequence[Entry]], first: int
) -> Generator[None, None, Questions]:
    """Fold commands once more and follow the prompts from fact `first`, where one of them began to be asked.

    It yields after each command.

    Today's rules may go on by themselves where older ones paused, so they are put to work on copies.
    """
    game = fold.game
    for command in commands:
        facts = fold.apply(command)
        if command[-1].seq >= first:
            table = Table(game, game.restore(game.encode(fold.state)), dice)
            questions.put(drawn_up(game, table), command[-1].seq, facts)
        yield
    return questions


def _answered(facts: Iterable[Fact]) -> set[int]:
    return {fact.seat for fact in facts if isinstance(fact, Decided)}
