"""An immutable snapshot of a match as of a stored command: what all code but the command under way uses.

A snapshot is made when a command is stored or read from the log, and never changed, so that it may be held
across an await. Deliberately absent: the mutable state (`server.play.live`).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast
from uuid import UUID

from msgspec import Raw, Struct, field, to_builtins

from domain.kernel.audience import VIEWERS, Viewer
from domain.kernel.seats import Match
from domain.match.chain import ZERO
from domain.match.game import Game
from domain.match.parts import Part
from domain.match.telling import Telling, Told
from server.fanout.broadcasts import Broadcast
from server.protocol import wire

FAR = 2000
"""Facts behind the head beyond which a client is sent the view instead of a frame."""

NOTHING: Mapping[Any, Any] = MappingProxyType({})

UNSEEN: Mapping[Viewer, Part] = MappingProxyType(dict.fromkeys(VIEWERS, Part()))
"""The view of every audience before the first fact."""


class Snapshot(Struct, frozen=True):
    """A match as of its fact `seq`, whose hash is `hash`."""

    match: UUID
    game: Game
    key: bytes
    k_salt: bytes
    seq: int = 0
    hash: bytes = ZERO
    at: int = 0
    """When the last command was stored, in microseconds since the epoch."""
    standing: Match = field(default_factory=Match)
    """Seats, offers and the end; a copy."""
    views: Mapping[Viewer, Part] = UNSEEN
    asked: Mapping[int, wire.Asked] = NOTHING
    """The prompt of each asked seat."""
    asked_at: Mapping[int, int] = NOTHING
    """Since which seq each asked seat has had the prompt it has."""
    deadlines: Mapping[int, int] = NOTHING
    """When the time of each asked seat runs out, in microseconds since the epoch, if any is kept."""
    low: Mapping[int, int] = NOTHING
    """When it runs low; `at` where it was low by then."""
    vacant: tuple[int, ...] = ()
    """The seats that are offered to others, as their players stay away."""
    ordered: frozenset[int] = frozenset()
    """The asked seats that have ordered their decision in advance (`Live.order`)."""
    latest: tuple[Broadcast, ...] = ()
    """Each audience's broadcast of the last change; empty after the match was folded from the start."""
    ends: Mapping[int, bytes] = NOTHING
    """The hash at the end of each command, by seq, of about the last FAR facts.

    It is shared with the live match, so it may go beyond `seq`. Of a match that was opened from a position
    nothing before that is known.
    """

    @property
    def claimable(self) -> Mapping[int, int]:
        """When the time of each asked seat is out, where a claim is all that comes of it then."""
        clock = self.standing.clock
        return self.deadlines if clock is not None and clock.by_claim else NOTHING

    def end(self, seq: int) -> bytes | None:
        """Return the hash of fact `seq`; None if no command ends there, as far as this snapshot knows."""
        return self.ends.get(seq) if seq <= self.seq else None

    def prompts(self, audience: Viewer) -> list[wire.Asked]:
        """Return the prompts of the seats of the viewer's side; onlookers have none."""
        side = audience.side
        if side is None:
            return []
        return [asked for seat, asked in self.asked.items() if self.standing.side(seat) == side]

    def broadcast(
        self,
        audience: Viewer,
        after: int,
        tellings: Sequence[Telling],
        change: Raw,
    ) -> Broadcast:
        """Make the broadcast of a frame for an audience that covers these facts and ends at the head.

        `change` is the patch from the audience's view at `after` to its view at the head, as JSON.
        """
        told: list[Raw] = []
        sealed: list[tuple[int, str]] = []
        for one in tellings:
            if one.sealed is None or audience.sees(one.audience):
                told.append(one.full)
            else:
                sealed.append(one.sealed)
        message = wire.Frame(
            self.match,
            after,
            self.seq,
            self.hash.hex(),
            cast("list[Told]", told),  # as JSON already: what several audiences are sent is encoded once
            sealed,
            cast("dict[str, Any]", change),
            self.prompts(audience),
        )
        return Broadcast(self.match, audience, after, self.seq, wire.encode(message))

    def whole(self, audience: Viewer) -> Broadcast:
        """Make the broadcast of an audience's whole view."""
        seen = to_builtins(self.views[audience], str_keys=True)
        message = wire.View(self.match, self.seq, self.hash.hex(), seen, self.prompts(audience))
        return Broadcast(self.match, audience, 0, self.seq, wire.encode(message))
