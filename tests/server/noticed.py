"""Persons, matches and turns as rows, for tests of notices, and what tells of them without a server."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import asyncpg
from msgspec import json

from server.mail_url import MailServer
from server.notices.notifying import Notifying
from server.notices.outbox import LEASE
from server.notices.outward import Outward
from server.notices.places import AnyPlace, Mail
from server.postgres.database import Connection, Database
from server.proof.keys import KeyRing
from tests.server.certificates import Certificates
from tests.server.receivers import MailBox, trusting

HOME = "https://fleet.example"
BOB = Mail(address="bob@example.org")
RING = KeyRing({"k1": bytes((37 + i * i * 7) % 256 for i in range(32))})


class World:
    """A database of the tests' own, as its owner sees it. Its clock is moved by hand."""

    def __init__(self, owner: Connection, database: Database) -> None:
        self.owner, self.database = owner, database
        self.there: dict[UUID, int] | None = {}
        """The seats that are at matches; None: unknown."""
        self.asked: list[Collection[UUID]] = []

    async def begin(self) -> None:
        """Let the clock be moved."""
        await self.owner.execute("UPDATE log.clock SET trial = true")

    async def later(self, **by: float) -> None:
        """Move the clock on."""
        await self.owner.execute("UPDATE log.clock SET shift = shift + $1::interval", timedelta(**by))

    async def now(self) -> Any:
        """Return the database's time."""
        return await self.owner.fetchval("SELECT log.now()")

    async def person(self, handle: str = "", **fields: Any) -> UUID:
        """Make a person."""
        person = uuid4()
        handle = handle or f"p{person.hex[:12]}"
        await self.owner.execute("INSERT INTO people.person (id, handle) VALUES ($1, $2)", person, handle)
        for name, value in fields.items():
            await self.owner.execute(f"UPDATE people.person SET {name} = $2 WHERE id = $1", person, value)
        return person

    async def match(
        self, *persons: UUID | None, sides: Sequence[int] = (0, 1), match: UUID | None = None
    ) -> UUID:
        """Make a match with these persons in its seats, which are of these sides."""
        match = match or uuid4()
        await self.owner.execute(
            "INSERT INTO lobby.match (match_id, title, scenario, label, pace, private, command)"
            " VALUES ($1, 'midway', 'duel', $2, '', false, sha256($3))",
            match,
            "Friday",
            match.bytes,
        )
        chairs = [{"name": f"side {side}", "side": side, "kind": "person"} for side in sides]
        await self.owner.execute(
            "INSERT INTO view.standings (match_id, title, scenario, created_at, last_at, started, over,"
            " ended, reason, facts, decisions, asked, chairs)"
            " VALUES ($1, 'midway', 'duel', now(), now(), true, false, false, '', 1, 0, '{}', $2)",
            match,
            json.encode(chairs).decode(),
        )
        for seat, person in enumerate(persons):
            await self.owner.execute(
                "INSERT INTO lobby.seat (match_id, seat, name, kind, person_id)"
                " VALUES ($1, $2, $3, 'person', $4)",
                match,
                seat,
                f"Player {seat}",
                person,
            )
        return match

    async def ask(self, match: UUID, seat: int, seq: int) -> None:
        """Let a turn of a seat begin now."""
        await self.owner.execute(
            "INSERT INTO view.turn (match_id, seat, seq, since) VALUES ($1, $2, $3, log.now())",
            match,
            seat,
            seq,
        )

    async def moved(self, match: UUID, seat: int) -> None:
        """Let the turn of a seat end."""
        await self.owner.execute("DELETE FROM view.turn WHERE match_id = $1 AND seat = $2", match, seat)

    async def fact(self, match: UUID, seq: int, type: str, **body: Any) -> None:
        """Put a fact on the log, now."""
        await self.owner.execute(
            "INSERT INTO log.fact"
            " (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body)"
            " VALUES ($1, gen_random_uuid(), log.now(), $2, 0, 1, 7, false, $3, sha256('x'), $4)",
            match,
            seq,
            type,
            json.encode(body),
        )

    async def outbox(self) -> list[tuple[Any, ...]]:
        """Return kind, seat, turn and outcome of all notices, in the order in which they were made."""
        rows = await self.owner.fetch(
            "SELECT kind, seat, turn, outcome FROM people.outbox ORDER BY made_at, kind, seat, turn"
        )
        return [tuple(row) for row in rows]

    async def present(self, matches: Collection[UUID]) -> Mapping[UUID, int] | None:
        """Say who is there."""
        self.asked.append(matches)
        return None if self.there is None else {match: self.there.get(match, 0) for match in matches}

    def notifying(
        self,
        outward: Callable[[], Outward] | None = None,
        mail: MailServer | None = None,
        lease: timedelta = LEASE,
        ring: KeyRing = RING,
    ) -> Notifying:
        """Return what tells notices; its rounds are made by hand."""
        return Notifying(
            self.database.read,
            ring,
            self.present,
            lambda: 0,
            lambda: HOME,
            mail=mail,
            sender="notices@fleet.example",
            lease=lease,
            outward=outward,
        )


async def round_of(one: Notifying) -> None:
    """Look for what is due and tell it, until nothing is due."""
    await one.look()
    for worker in one.workers.values():
        while await worker.look() or worker.busy:
            await worker.idle()


def notifying(world: World, box: MailBox, certificates: Certificates) -> Notifying:
    """Return what tells notices by this mail server, and to whoever has one of these certificates."""
    return world.notifying(lambda: trusting(certificates), MailServer("127.0.0.1", box.port, tls=False))


async def one_to_tell(world: World, telling: Notifying, place: AnyPlace = BOB) -> tuple[UUID, UUID]:
    """Make a person with a channel, and a match with nobody in particular, in which he has seat 1."""
    person = await world.person()
    await telling.channels.add(person, place)
    return person, await world.match(None, person)


async def owner_of(dsn: str) -> Connection:
    """Connect as the owner of a database."""
    connection: Connection = await asyncpg.connect(dsn)
    return connection
