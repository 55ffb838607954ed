"""A position: a match folded up to some command, kept so that its fold can go on from there.

It follows from the facts and is never part of a match: whoever holds one may throw it away and fold again.
It holds secrets of both sides, as the log does. `form` names the types that it was encoded with. Deliberately
absent: where positions are kept, and whether one is still on the chain, which its reader checks by `hash`.
"""

import hashlib
from functools import cache

from msgspec import Raw, Struct, json

from domain.kernel.facts import State
from domain.match.clock import Turning
from domain.match.game import Game

FORM = 4
"""The version of `Position` and of what its fields mean."""


class Position(Struct, frozen=True, omit_defaults=True):
    """A fold after fact `seq`, the last of its command, whose hash is `hash`."""

    seq: int
    hash: bytes
    at: int
    """When the command was stored, in microseconds since the epoch."""
    state: Raw
    """The state, as the title encodes it."""
    barrier: int = 0
    """The last fact in force that no undo goes back past; 0 if there is none."""
    took_back: int | None = None
    """The seat of the last undo, if nobody has decided since."""
    asked_since: dict[int, int] = {}
    """Since which seq each asked seat has been asked without having decided, or since a correction."""
    clocks: Turning | None = None
    """The clocks, if the match has any."""
    waited_since: int = 0
    """When play last went on, in microseconds since the epoch."""
    decided: tuple[int, ...] = ()
    """The seats that have taken a decision themselves, or lost one by a time-out that was claimed."""


encode = json.Encoder().encode
decode = json.Decoder(Position).decode
"""Decode a position; raises msgspec.DecodeError."""


@cache
def form(game: Game) -> str:
    """Return a name for how positions of a title are encoded: it changes with any field of its state."""
    schema = json.encode(json.schema(State[game.open, game.own]))  # type: ignore[name-defined]
    return f"{FORM}-{hashlib.sha256(schema).hexdigest()[:16]}"
