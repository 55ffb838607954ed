"""Mail addresses of persons: sealed with the key ring, and found again by a keyed hash.

Both keys are derived from the ring for this alone. After a new key was put on top of the ring an address is
found by the older ones yet, and is sealed anew when its person comes in by it: a key that is taken away
forgets those that were not. Deliberately absent: how an address is known to be somebody's
(`server.people.mailing`).
"""

import hashlib
import hmac
import re
from typing import Final
from uuid import UUID

from asyncpg import UniqueViolationError

from domain.match.refusals import RequestError
from server.notices.channels import move_mail
from server.notices.places import Boxes
from server.postgres.database import Connection, PooledConnection
from server.proof.keys import KeyRing, Unsealable

LONGEST: Final = 254

_ADDRESS: Final = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+", re.ASCII
)

_WHOSE: Final = "SELECT person_id FROM people.mail WHERE mark = ANY($1::bytea[])"
_KEEP: Final = """
INSERT INTO people.mail (person_id, mark, box) VALUES ($1, $2, $3)
    ON CONFLICT (person_id) DO UPDATE SET mark = $2, box = $3, verified_at = log.now()
"""


NO_MORE_MAILS: Final = "DELETE FROM people.channel WHERE person_id = $1 AND kind = 'mail'"
"""Whoever has no address is told nothing by mail."""


class Mailboxes:
    """The mail addresses of this server's persons."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring.ring(b"mail addresses")
        self._keys = ring.derived(b"marks of mail addresses")
        self._places = Boxes(ring)

    def marks(self, address: str) -> list[bytes]:
        """Return the keyed hashes of an address, 32 bytes each: the first is that which is kept today."""
        return [hmac.digest(key, address.encode(), hashlib.sha256) for key in self._keys]

    def seal(self, of: UUID, address: str) -> bytes:
        """Return an address sealed for a person, or for whatever else has this id."""
        return self._ring.seal(of, address.encode())

    def open(self, of: UUID, box: bytes) -> str:
        """Return the address that was sealed for this id. Raises Unsealable."""
        return self._ring.open(of, box).decode()

    async def of(self, conn: "Connection | PooledConnection", person: UUID) -> str:
        """Return a person's address; empty without one, and where no key of the ring opens it any more."""
        box = await conn.fetchval("SELECT box FROM people.mail WHERE person_id = $1", person)
        try:
            return self.open(person, box) if box else ""
        except Unsealable:
            return ""

    async def whose(self, conn: PooledConnection, address: str) -> UUID | None:
        """Return the person who has an address."""
        person: UUID | None = await conn.fetchval(_WHOSE, self.marks(address))
        return person

    async def keep(self, conn: PooledConnection, person: UUID, address: str) -> None:
        """Keep the address of a person, in place of another that he had, also for notices.

        Raises RequestError.
        """
        there = await self.whose(conn, address)
        if there not in (None, person):
            raise mine_not_yours()
        if there is None:
            await move_mail(conn, self._places, person, address)
        try:
            await conn.execute(_KEEP, person, self.marks(address)[0], self.seal(person, address))
        except UniqueViolationError:
            raise mine_not_yours() from None


def fit_address(text: str) -> str:
    """Return a mail address as it is kept; raises RequestError for what cannot be one."""
    address = text.strip().lower()
    if len(address) > LONGEST or not _ADDRESS.fullmatch(address):
        raise RequestError("bad_text", "this is no mail address, or one that cannot be written to from here")
    return address


def mine_not_yours() -> RequestError:
    """Return the refusal of an address that is another person's; only who reads its mails is told."""
    return RequestError("not_allowed", "this address is another person's here; sign in by it instead")
