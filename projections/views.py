"""Views: what any audience saw at any moment of a match, as the frames it was sent.

Applying the patches of all frames up to a moment gives the view of that moment. Deliberately absent: prompts,
which need the rules; replay does not run them.
"""

from collections.abc import Generator, Iterable, Iterator
from itertools import groupby
from typing import Any

from domain.kernel.audience import Viewer
from domain.match.chain import Entry, committed
from domain.match.fold import Fold
from domain.match.game import Game
from domain.match.parts import Part
from domain.match.telling import Told, told
from domain.match.views import View, patch, patched
from server.protocol.wire import Frame


def steps(
    game: Game, entries: Iterable[Entry], audience: Viewer, k_salt: bytes, *, everything: bool = False
) -> Iterator[Frame]:
    """Yield a frame for each command of a match, from the first on.

    `entries` are all its facts. The view is that of one side or of the onlookers; with `everything`, as after
    the end of the match, every fact is sent in full and none is sealed.
    """
    yield from steps_from(Fold(game), Part(), entries, audience, k_salt, everything=everything)


def steps_from(
    fold: Fold,
    seen: Part,
    entries: Iterable[Entry],
    audience: Viewer,
    k_salt: bytes,
    *,
    everything: bool = False,
) -> Iterator[Frame]:
    """Yield a frame for each of the commands that follow a fold, of which the audience saw `seen`."""
    for _, command in groupby(entries, lambda entry: entry.command):
        facts = list(command)
        first, last = facts[0], facts[-1]
        shown: list[Told] = []
        sealed: list[tuple[int, str]] = []
        for entry, fact in zip(facts, fold.apply(facts), strict=True):
            if everything or audience.sees(entry.audience):
                shown.append(told(fold.game, entry, fact, k_salt))
            else:
                sealed.append((entry.seq, committed(entry, k_salt).hex()))
        now = fold.view(audience)
        change = patch(seen, now)
        seen = now
        yield Frame(first.match, first.seq - 1, last.seq, last.hash.hex(), shown, sealed, change, [])


def seen_at(game: Game, entries: Iterable[Entry], audience: Viewer, seq: int) -> View[Part]:
    """Return the view of an audience after the last command that ends at or before `seq`."""
    work = seeing(game, entries, audience, seq)
    while True:
        try:
            next(work)
        except StopIteration as seen:
            view: View[Part] = seen.value
            return view


def seeing(
    game: Game, entries: Iterable[Entry], audience: Viewer, seq: int
) -> Generator[None, None, View[Part]]:
    """Do what `seen_at` does, yielding after each command so that the caller can do other work."""
    fold = Fold(game)
    for _, command in groupby(entries, lambda entry: entry.command):
        facts = list(command)
        if facts[-1].seq > seq:
            break
        fold.apply(facts)
        yield
    return fold.view(audience)


def folded(frames: Iterable[Frame]) -> dict[str, Any]:
    """Return the view after the last of these frames, by applying their patches from the first on."""
    seen: dict[str, Any] = {}
    for frame in frames:
        seen = patched(seen, frame.patch)
    return seen
