"""A match as it is read from the log: folded page by page, and no more of it held than is needed.

Since when a seat has had its prompt follows from the prompts of the commands in between, which are drawn up
only once it is known which commands these are. So a page of commands is held until no seat can have been
asked since it. Deliberately absent: the log itself, and what becomes of the fold (`server.play.live`).
"""

from collections.abc import Generator, Sequence
from itertools import groupby

from msgspec import json

from domain.kernel.dice import Dice
from domain.kernel.facts import Fact
from domain.kernel.table import Table
from domain.match import notices
from domain.match.chain import Entry
from domain.match.fold import Fold
from domain.match.game import Game
from domain.titles import TITLES
from server.play.questions import Questions, prompt_messages
from server.play.snapshot import FAR

Command = list[Entry]

_created = json.Decoder(notices.Created).decode


class UnknownTitle(Exception):
    """The match is of a title that this server does not have."""


class TooLate(Exception):
    """A fold was taken up too late: what is known of the match has to begin at or before fact `seq`."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class Reading:
    """A fold that follows the log, with the commands in which the prompts of now may have begun."""

    def __init__(self, fold: Fold) -> None:
        """Go on from a fold, which moves with this reading."""
        self.fold = fold
        self.start = fold.seq
        self.ends: dict[int, bytes] = {fold.seq: fold.hash} if fold.seq else {}
        """The hash at the end of each command, by seq, of the last FAR facts."""
        self._held: list[tuple[Fold, list[Command]]] = []
        """Pages of commands, each with the fold before it."""

    def page(self, entries: Sequence[Entry]) -> Generator[None, None, list[tuple[Command, list[Fact]]]]:
        """Fold the next commands, yielding after each; return them with their facts. Raises Forgotten."""
        commands = [list(command) for _, command in groupby(entries, lambda entry: entry.command)]
        self._held.append((self.fold.copy(), commands))
        folded: list[tuple[Command, list[Fact]]] = []
        for command in commands:
            folded.append((command, self.fold.apply(command)))
            self.ends[command[-1].seq] = command[-1].hash
            yield
        first = min(self.fold.asked_since.values(), default=self.fold.seq)
        while self._held and self._held[0][1][-1][-1].seq < first:
            del self._held[0]
        self.ends = {seq: end for seq, end in self.ends.items() if seq >= self.fold.seq - FAR}
        return folded

    def check_start(self) -> None:
        """Raise TooLate if a seat may take back, or has been asked since, what came before this reading."""
        fold = self.fold
        if fold.state.match.over:
            return  # nobody is asked, and nothing is taken back
        if self.start and self.start > fold.barrier:
            raise TooLate(fold.barrier)
        first = min(fold.asked_since.values(), default=fold.seq)
        if first < self.start and self._asked_earlier():
            raise TooLate(first - 1)

    def questions(self, known: Questions, dice: Dice) -> Generator[None, None, Questions]:
        """Return the prompts known at the start, brought up to the last command, yielding after each.

        Where none are known, those of a seat that has been asked since just then are drawn up from the fold
        at the start. If none of now can have begun before the last command, its prompts are left to the
        caller, who draws them up anyway. Prompts are drawn up on copies of the state, since today's rules may
        go on by themselves where older ones paused.
        """
        first = min(self.fold.asked_since.values(), default=self.fold.seq)
        questions = known if first <= self.start else Questions()
        if not self._asked_earlier():
            return questions
        fold, game = self._held[0][0], self.fold.game
        if first == self.start and not known.prompts:
            table = Table(game, game.restore(game.encode(fold.state)), dice)
            questions.put(prompt_messages(game, table), first)
        for command in (command for _, commands in self._held for command in commands):
            facts = fold.apply(command)
            if command[-1].seq >= first:
                table = Table(game, game.restore(game.encode(fold.state)), dice)
                questions.put(prompt_messages(game, table), command[-1].seq, facts)
            yield
        return questions

    def _asked_earlier(self) -> bool:
        """Return whether a seat may have been asked since before the last command."""
        return any(since < self.fold.seq for since in self.fold.asked_since.values())


def game_of(first: Entry) -> Game:
    """Return the title of a match, which its first fact names. Raises UnknownTitle."""
    title = _created(first.body).title
    if title not in TITLES:
        raise UnknownTitle(f"match {first.match} is of title {title}, which is not here")
    return TITLES[title]
