"""The accesses of one connection: by which link it watches each match, and until when.

A link that is void ends its access, with one exception: who replaces his own link keeps it until the next is
there. A node knows who has access to each match, also who does not watch it yet: a look at its links costs
what those few do, and not what all connections do. Deliberately absent: what a token opens
(`server.lobby.links`).
"""

import contextlib
from collections.abc import Collection, Iterator
from typing import Any
from uuid import UUID

from domain.match.refusals import RequestError
from server.fanout.hub import Hub
from server.lobby.links import Access
from server.lobby.offers import Lobby
from server.play.matches import BadToken
from server.protocol import wire
from server.socket.paced import Paced


class Holders:
    """Who has access to each match, of all connections of a node."""

    def __init__(self) -> None:
        self._of: dict[UUID, dict[Accesses, None]] = {}

    def add(self, match: UUID, accesses: "Accesses") -> None:
        """Note that a connection has access to a match."""
        self._of.setdefault(match, {})[accesses] = None

    def discard(self, match: UUID, accesses: "Accesses") -> None:
        """Note that it has none, or none any more."""
        there = self._of.get(match, {})
        there.pop(accesses, None)
        if not there:
            self._of.pop(match, None)

    def of(self, matches: Collection[UUID] | None = None) -> "dict[Accesses, None]":
        """Return whoever has access to any of these matches, or of all."""
        chosen = self._of if matches is None else self._of.keys() & matches
        return {accesses: None for match in chosen for accesses in self._of[match]}


class Accesses:
    """What a connection may see, by match."""

    def __init__(self, connection: Paced, holders: Holders, hub: Hub, lobby: Lobby, log: Any) -> None:
        """Take who has access, where the connection watches, who knows of tokens, and its own log lines."""
        self.connection = connection
        self._holders, self._hub, self._lobby, self._log = holders, hub, lobby, log
        self._held: dict[UUID, Access] = {}
        self._sat: set[UUID] = set()
        self._over = False
        self._kept: Access | None = None
        """The access whose link is being replaced from here."""

    def __len__(self) -> int:
        """How many matches there is access to."""
        return len(self._held)

    def get(self, match: UUID) -> Access | None:
        """Return the access to a match, None where there is none."""
        return self._held.get(match)

    def sat(self, match: UUID) -> bool:
        """Return whether there is access to a seat of a match, or was in the life of this connection."""
        return match in self._sat

    def to(self, match: UUID) -> Access:
        """Return the access to a match. Raises RequestError where there is none."""
        access = self._held.get(match)
        if access is None:
            raise RequestError("no_hello", "say hello to the match first")
        return access

    def seat(self, match: UUID) -> int:
        """Return the seat that the link opened at `hello`, without looking the token up again.

        Raises RequestError without access, and for an onlooker.
        """
        access = self.to(match)
        if access.seat is None:
            raise RequestError("not_seated", "onlookers decide nothing")
        return access.seat

    def seat_and_token(self, match: UUID) -> tuple[int, bytes | None]:
        """Return the seat as `seat` does, and the hash of the token by which it was opened."""
        return self.seat(match), self.to(match).token

    async def checked(self, match: UUID) -> Access:
        """Return the access to a match after looking its token up again; raises BadToken if it is void."""
        access = self.to(match)
        void = access.token and await self._lobby.links.void({access.token})
        if void or self._held.get(match) is not access:
            self.end(match)
            raise BadToken
        return access

    def hold(self, match: UUID, access: Access) -> None:
        """Keep the access to a match, in place of another to it. Raises BadToken once all have ended."""
        if self._over:
            raise BadToken
        self._held[match] = access
        if access.seat is not None:
            self._sat.add(match)
        self._holders.add(match, self)
        self._tell_connection()

    def end(self, match: UUID) -> None:
        """End the access to a match, and watch it no more."""
        self._held.pop(match, None)
        self._holders.discard(match, self)
        self._tell_connection()
        self._hub.leave(self.connection, match)

    def end_all(self) -> None:
        """End all accesses for good: the connection has ended, or who is on it may be there no more."""
        self._over = True
        for match in list(self._held):
            self.end(match)

    def _tell_connection(self) -> None:
        """Whoever has a seat by any of them is read before others."""
        self.connection.plays = any(one.seat is not None for one in self._held.values())

    @contextlib.contextmanager
    def relinks(self, match: UUID) -> Iterator[None]:
        """Keep the access that there is to a match while its link is void and the next is not here yet.

        Where none comes the access ends, or its link is looked at soon.
        """
        kept = self._kept = self._held.get(match)
        try:
            yield
        except Exception as why:
            if kept and kept.token and isinstance(why, RequestError) and why.code == "bad_token":
                self.end(match)
            else:
                self._hub.links_doubted(match)
            raise
        finally:
            self._kept = None

    def tokens(self, matches: Collection[UUID] | None = None) -> set[bytes]:
        """Return the hashes of the tokens by which the connection watches these matches, or all."""
        return {
            access.token
            for match, access in self._held.items()
            if access.token and (matches is None or match in matches)
        }

    def places(self) -> set[tuple[UUID, int | None]]:
        """Return match and seat (None: the creator's) of each link by which the connection watches."""
        return {(one.match, one.seat) for one in self._held.values() if one.role != "onlooker"}

    def end_void(self, void: Collection[bytes]) -> list[wire.Refused]:
        """End the accesses by void tokens; return a refusal for each, to be sent."""
        left = [
            match for match, access in self._held.items() if access.token in void and access is not self._kept
        ]
        for match in left:
            self.end(match)
            self._log.info("shown out", match=str(match))
        why = BadToken()
        return [wire.Refused(why.code, why.reason, match) for match in left]
