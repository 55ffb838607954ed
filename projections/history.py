"""History: a match in words, command by command, for any audience.

The words come from the facts (`Game.words`); this module groups them, marks what was taken back, and names
ids. Ids are in square brackets, so that a page can highlight them; `named` replaces them for a terminal.
Deliberately absent: any fact that the audience may not see. Such facts are only counted.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import Audience, Reader
from domain.kernel.facts import Decided, Fact
from domain.kernel.seats import Seat, the
from domain.match.chain import Entry, Sealed
from domain.match.game import Game
from domain.match.notices import Created
from domain.match.undo import TakenBack, Undone, Undos, undos_of
from server.protocol.names import called

BY_NAME: Final[dict[str, Reader]] = {
    "0": Audience.SIDE_0,
    "1": Audience.SIDE_1,
    "onlookers": Audience.ONLOOKERS,
    "all": Audience.UMPIRE,
}
"""The readers by their name on the command line; `all` is the umpire, who sees every fact."""

_ID = re.compile(r"\[([^\[\]]+)\]")


class Sentence(Struct, frozen=True):
    """One fact in words."""

    seq: int
    type: str
    audience: Audience
    words: str
    taken_back: bool = False


class Passage(Struct):
    """One command: who acted, when, and its facts in words, as far as the audience may know.

    It covers the facts `after + 1` to `upto`. `seat` is None if no seat acted, or if it is not known. If all
    facts are sealed, `command` and `at` are None. `hidden` counts the facts that are not told.
    """

    after: int
    upto: int
    command: UUID | None = None
    at: int | None = None
    seat: int | None = None
    sentences: list[Sentence] = []
    hidden: int = 0


def passages(
    game: Game, entries: Iterable[Entry | Sealed], audience: Reader, undos: Undos | None = None
) -> Iterator[Passage]:
    """Yield a match, or the beginning of one, as passages.

    `entries` are its facts from the first on; those given in full are told if the audience may see them.
    Where their `undos` are known beforehand, they are gone through once and not held. The seat that acted is
    told even if its facts are hidden, since everybody sees which seats are asked.
    """
    if undos is None:
        entries = list(entries)
        undos = undone(game, entries)
    gone = TakenBack(undos)
    for command in _commands(entries):
        passage = Passage(command[0].seq - 1, command[-1].seq)
        for one in command:
            if isinstance(one, Sealed):
                passage.hidden += 1
                continue
            fact = game.fact(one.body)
            passage.command, passage.at = one.command, one.at
            if passage.seat is None:
                passage.seat = _actor(fact)
            if not audience.sees(one.audience):
                passage.hidden += 1
                continue
            words, taken_back = game.words(fact), gone.covers(one.seq, fact)
            passage.sentences.append(Sentence(one.seq, one.type, one.audience, words, taken_back))
        yield passage


def undone(game: Game, entries: Iterable[Entry | Sealed]) -> Undos:
    """Return the undos among facts as far as these are given in full. Raises ValueError for other facts."""
    given = (one for one in entries if isinstance(one, Entry) and one.type == Undone.__name__)
    return undos_of((one.seq, game.fact(one.body)) for one in given)


def _commands(log: Iterable[Entry | Sealed]) -> Iterator[list[Entry | Sealed]]:
    """Group facts by command. Sealed facts join the command that they must belong to, or form a group."""
    group: list[Entry | Sealed] = []
    waiting: list[Entry | Sealed] = []
    last: UUID | None = None
    for one in log:
        if isinstance(one, Sealed):
            waiting.append(one)
            continue
        if one.command == last:
            group += [*waiting, one]
        else:
            start = one.seq - one.index
            earlier = [hidden for hidden in waiting if hidden.seq < start]
            yield from (known for known in (group, earlier) if known)
            group = [*(hidden for hidden in waiting if hidden.seq >= start), one]
        last = one.command
        waiting = []
    yield from (known for known in (group, waiting) if known)


def _actor(fact: Fact) -> int | None:
    """Return the seat that acted by a fact: the one that decided, or that a notice names; else None."""
    if isinstance(fact, Decided) and fact.how == "forced":
        return None
    seat = getattr(fact, "seat", None)
    return seat if isinstance(seat, int) else None


def seats(entries: Iterable[Entry | Sealed], game: Game) -> tuple[Seat, ...]:
    """Return the seats of a match, from its first fact; empty if that is missing or sealed."""
    first = next(iter(entries), None)
    if not isinstance(first, Entry):
        return ()
    created = game.fact(first.body)
    return created.seats if isinstance(created, Created) else ()


def names(game: Game, seats: Sequence[Seat]) -> dict[str, str]:
    """Return the display names of a match's ids: the title's own, its sides, and its seats."""
    sides = {f"side:{side}": name for side, name in enumerate(game.sides)}
    return {**sides, **game.names, **{f"seat:{number}": seat.name for number, seat in enumerate(seats)}}


def named(words: str, names: dict[str, str]) -> str:
    """Replace ids in square brackets by their names; an id without a name stays.

    A seat that is named as its side is gets the article of that name.
    """
    told = _ID.sub(lambda found: _named(found[1], called(names, found[1]) or found[0]), words)
    return f"{told[:1].upper()}{told[1:]}"


def _named(id: str, name: str) -> str:
    return the(name) if id.startswith("seat:") else name
