"""How a fact is told to an audience: in words, and with all that is needed to recompute its hash.

Who may not see a fact is told its commitment instead, and can follow the chain all the same.
"""

from uuid import UUID

from msgspec import Struct

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact
from domain.match.chain import Entry, salt
from domain.match.game import Game


class Told(Struct, frozen=True):
    """A fact as an audience gets it. `body` holds the exact bytes of the log, as text."""

    seq: int
    at: int
    """Microseconds since 1970-01-01 UTC."""
    command: UUID
    index: int
    """Which fact of its command it is, from 0."""
    ver: int
    audience: Audience
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
        game.words(fact),
        salt(k_salt, entry.seq).hex() if k_salt and entry.audience is not Audience.ALL else "",
    )
