"""How a fact is told to an audience: in words, and with all that is needed to recompute its hash.

Who may not see a fact is told its commitment instead, and can follow the chain all the same.
"""

from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from domain.kernel.chain import OPEN, Entry, committed, salt
from domain.kernel.facts import Fact
from domain.kernel.game import Game


class Told(Struct, frozen=True):
    """A fact as an audience gets it. `body` holds the exact bytes of the log, as text."""

    seq: int
    at: int
    """Microseconds since 1970-01-01 UTC."""
    command: UUID
    index: int
    """Which fact of its command it is, from 0."""
    ver: int
    audience: int
    type: str
    body: str
    words: str
    """One sentence of plain English, ids in square brackets."""
    salt: str = ""
    """The salt of its commitment, in hex: of a secret of one's own, which cannot be linked without it."""


def told(game: Game, entry: Entry, fact: Fact | None = None, k_salt: bytes = b"") -> Told:
    """Tell one fact to somebody who may see it; `fact` spares the decoding where it is at hand."""
    fact = game.fact(entry.body) if fact is None else fact
    return Told(
        entry.seq,
        entry.at,
        entry.command,
        entry.index,
        entry.ver,
        entry.audience,
        entry.type,
        entry.body.decode(),
        fact.words(),
        salt(k_salt, entry.seq).hex() if k_salt and entry.audience != OPEN else "",
    )


def tell(
    game: Game, entries: Iterable[Entry], audience: int, k_salt: bytes
) -> tuple[list[Told], list[tuple[int, str]]]:
    """Return what an audience (one bit) is told of entries: facts, and `(seq, c_n in hex)` for the rest."""
    facts: list[Told] = []
    sealed: list[tuple[int, str]] = []
    for entry in entries:
        if entry.audience & audience:
            facts.append(told(game, entry, k_salt=k_salt))
        else:
            sealed.append((entry.seq, committed(entry, k_salt).hex()))
    return facts, sealed
