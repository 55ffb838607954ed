"""A fact as it is sent to an audience: in words, and with all that is needed to recompute its hash.

An audience that may not see a fact is sent its commitment instead, and can still check the chain.
"""

from uuid import UUID

from msgspec import Raw, Struct, json

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact
from domain.match.chain import Entry, Sealing, salt
from domain.match.game import Game


class Told(Struct, frozen=True):
    """A fact as sent to an audience. `body` holds the exact bytes of the log, as text."""

    seq: int
    at: int
    """Microseconds since 1970-01-01 UTC."""
    command: UUID
    index: int
    """The number of the fact in its command, from 0."""
    ver: int
    audience: Audience
    type: str
    body: str
    words: str
    """One sentence of plain English, ids in square brackets."""
    salt: str = ""
    """The salt of a hidden fact's commitment, in hex, without which its link cannot be checked."""


class Telling(Struct, frozen=True, gc=False):
    """A fact as it is sent to every audience, encoded once: in full, or by its commitment."""

    audience: Audience
    """Who may see it."""
    full: Raw
    """`Told`, as JSON."""
    sealed: tuple[int, str] | None
    """Its seq and, in hex, its commitment, for those who may not; None if everybody may see it."""


def telling(game: Game, sealing: Sealing, fact: Fact) -> Telling:
    """Return a fact as it is sent, the commitment only where somebody may not see it."""
    entry = sealing.entry
    hidden = entry.audience is not Audience.ALL
    return Telling(
        entry.audience,
        Raw(_encode(_told(game, entry, fact, sealing.salt))),
        (entry.seq, sealing.commitment.hex()) if hidden else None,
    )


def told(game: Game, entry: Entry, fact: Fact | None = None, k_salt: bytes = b"") -> Told:
    """Return one fact as sent to an audience that may see it; passing `fact` avoids decoding the entry."""
    fact = game.fact(entry.body) if fact is None else fact
    hidden = k_salt and entry.audience is not Audience.ALL
    return _told(game, entry, fact, salt(k_salt, entry.seq) if hidden else b"")


_encode = json.Encoder().encode


def _told(game: Game, entry: Entry, fact: Fact, grain: bytes) -> Told:
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
        grain.hex(),
    )
