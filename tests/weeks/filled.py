"""A database filled with persons, ways to be told, and matches by turns that are in play.

One match is offered, taken and begun through a server, and every row that it wrote in the lobby is written
again for each of the others, under their ids; its facts are linked anew for each, with its own key sealed
again. What a node builds of the log it builds itself. Persons and channels are made by the server's own code.
"""

import asyncio
import hashlib
import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

import asyncpg
from msgspec import Struct
from msgspec.structs import replace

from domain.match.chain import ZERO, Entry, committed, link
from server.bench.scratch import COLUMNS, row
from server.lobby.tokens import digest, uuid7, written
from server.notices.channels import Channels
from server.notices.due import Due
from server.notices.places import AnyPlace, Mail, Webhook
from server.notices.push import PushKeys
from server.people import persons
from server.postgres.database import Connection, Database, connection
from server.proof.keys import KeyRing, salt_key
from tests.server.receivers import Browser
from tests.weeks.apart import Apart

BATCH: Final = 1000
"""Matches that are put in at once."""

BESIDE: Final = 8
"""Persons that are made side by side."""

SPREAD: Final = timedelta(hours=25)
"""Over how much of the past turns have begun: at 2,000 an hour each match has one in that time."""

_TABLES: Final = ("match", "seat", "token", "joining")
_CLONES: Final = """
CREATE TEMP TABLE clone ON COMMIT DROP AS
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[], $5::bytea[])
  AS c(id, first, second, key_0, key_1)
"""
_PERSON: Final = "CASE t.person_id WHEN $2 THEN c.first WHEN $3 THEN c.second END"
_HASH: Final = "CASE {0} WHEN $4 THEN c.key_0 WHEN $5 THEN c.key_1 ELSE sha256(uuid_send(c.id) || {0}) END"
_CHANGED: Final = {
    "match": f"'match_id', c.id, 'command', sha256(uuid_send(c.id)), 'person_id', {_PERSON},"
    " 'seen_at', log.now() - interval '1 day'",
    "seat": f"'match_id', c.id, 'person_id', {_PERSON}",
    "token": f"'match_id', c.id, 'person_id', {_PERSON}, 'hash', {_HASH.format('t.hash')},"
    f" 'replaced_by', {_HASH.format('t.replaced_by')}",
    "joining": f"'match_id', c.id, 'person_id', {_PERSON}, 'hash', {_HASH.format('t.hash')},"
    " 'command_id', md5(uuid_send(c.id) || uuid_send(t.command_id))::uuid",
}
_CLONE: Final = """
INSERT INTO lobby.{0}
SELECT n.* FROM lobby.{0} t CROSS JOIN clone c
 CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object({1})) n
 WHERE t.match_id = $1 AND ($2::uuid, $3::uuid, $4::bytea, $5::bytea) IS NOT NULL ORDER BY n.match_id{2}
"""
_SECRETS: Final = "INSERT INTO log.secret (match_id, box) SELECT * FROM unnest($1::uuid[], $2::bytea[])"
_TOLD: Final = "UPDATE people.outbox SET outcome = 'sent', tries = 1, tried_at = due, sent_at = due"


class Template(Struct, frozen=True):
    """A match in play: its facts and key, the persons at its seats, and the tokens these are held by."""

    entries: Sequence[Entry]
    key: bytes
    persons: tuple[UUID, UUID]
    tokens: tuple[bytes, bytes]

    @property
    def match(self) -> UUID:
        """Its id."""
        return self.entries[0].match


def token_of(match: UUID, seat: int) -> bytes:
    """Return the token by which a seat of a match made here is held."""
    return hashlib.sha256(match.bytes + bytes([seat])).digest()[:20]


def link_of(match: UUID, seat: int) -> str:
    """Return it as links have it."""
    return written(token_of(match, seat))


async def fill_persons(database: Database, ring: KeyRing, at: Apart, count: int) -> list[UUID]:
    """Make persons, each with one way to be told: a third of them by mail, by push, by a webhook."""
    channels, by = Channels(database.notices, ring), PushKeys(ring).public
    made, some = [uuid7() for _ in range(count)], asyncio.Semaphore(BESIDE)

    async def make(number: int, person: UUID) -> None:
        async with some:
            async with connection(database.http) as conn:
                await persons.create(conn, person, f"person_{number}", "")
            await channels.add(person, _place(at, number, by))

    await asyncio.gather(*(make(number, person) for number, person in enumerate(made)))
    return made


def _place(at: Apart, number: int, by: str) -> AnyPlace:
    match number % 3:
        case 0:
            return Mail(address=f"person{number}@post.example")
        case 1:
            return Browser().place(at.push(number), by)
        case _:
            return Webhook(url=at.hook(number))


async def fill_matches(
    dsn: str, ring: KeyRing, template: Template, people: Sequence[UUID], count: int, now: int
) -> list[UUID]:
    """Put in so many matches of these persons, whose turns have begun before `now`, in microseconds."""
    made: list[UUID] = []
    owner = await asyncpg.connect(dsn)
    try:
        for first in range(0, count, BATCH):
            numbers = range(first, min(count, first + BATCH))
            matches = [uuid7() for _ in numbers]
            pairs = [_pair(people, number) for number in numbers]
            await _lobby(owner, template, matches, pairs)
            await _log(owner, ring, template, matches, now)
            made += matches
        await owner.execute("ANALYZE")
    finally:
        await owner.close()
    return made


def _pair(people: Sequence[UUID], number: int) -> tuple[UUID, UUID]:
    rounds, one = divmod(number, len(people))
    return people[one], people[(one + 1 + rounds) % len(people)]


async def _lobby(
    owner: Connection, template: Template, matches: Sequence[UUID], pairs: Sequence[tuple[UUID, UUID]]
) -> None:
    async with owner.transaction():
        keys = [[digest(token_of(match, seat)) for match in matches] for seat in (0, 1)]
        await owner.execute(_CLONES, matches, *map(list, zip(*pairs, strict=True)), *keys)
        held = [digest(token) for token in template.tokens]
        for table in _TABLES:
            # A token goes in before those which it takes the place of.
            order = ", n.replaced_by NULLS FIRST" if table == "token" else ""
            await owner.execute(
                _CLONE.format(table, _CHANGED[table], order), template.match, *template.persons, *held
            )


async def _log(
    owner: Connection, ring: KeyRing, template: Template, matches: Sequence[UUID], now: int
) -> None:
    async with owner.transaction():
        boxes = [ring.seal(match, template.key) for match in matches]
        await owner.execute(_SECRETS, matches, boxes)
        entries = (entry for match in matches for entry in copy_of(template, match, now))
        await owner.copy_records_to_table(
            "fact", schema_name="log", columns=COLUMNS, records=map(row, entries)
        )


def copy_of(template: Template, match: UUID, now: int) -> list[Entry]:
    """Return the facts of the template as another match's, the last of them within SPREAD before `now`."""
    ago = random.uniform(0.01, 1) * SPREAD.total_seconds() * 1e6
    later = round(now - ago) - template.entries[-1].at
    return list(_linked(template, match, later))


def _linked(template: Template, match: UUID, later: int) -> Iterator[Entry]:
    prev, k_salt, commands = ZERO, salt_key(template.key), dict[UUID, UUID]()
    for one in template.entries:
        if one.command not in commands:
            mixed = hashlib.md5(match.bytes + one.command.bytes).digest()
            commands[one.command] = UUID(bytes=mixed)
        moved = replace(one, match=match, command=commands[one.command], at=one.at + later)
        prev = link(match, one.seq, prev, committed(moved, k_salt))
        yield replace(moved, hash=prev)


async def as_told(dsn: str, database: Database) -> int:
    """Put in what is due of the turns that last, and note all of it as told; return how many these were."""
    due = Due(database.notices)
    await due.look()
    while due.walks:
        await due.look()
    owner = await asyncpg.connect(dsn)
    try:
        done: str = await owner.execute(_TOLD)
    finally:
        await owner.close()
    return int(done.rsplit(maxsplit=1)[-1])
