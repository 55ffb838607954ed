"""Recovery codes: ten, each good for signing in once, for who has no passkey at hand.

Of 80 random bits each, so that their SHA-256 can be kept without salt. Deliberately absent: how often one may
try (`server.people.shares`).
"""

import base64
import hashlib
import secrets
from typing import Final
from uuid import UUID

from server.people.persons import one_at_a_time
from server.postgres.database import PooledConnection

CODES: Final = 10
BYTES: Final = 10


async def make_codes(conn: PooledConnection, person: UUID) -> list[str]:
    """Make the codes of a person anew, and return them; earlier ones are void."""
    await one_at_a_time(conn, person)
    made = [secrets.token_bytes(BYTES) for _ in range(CODES)]
    await conn.execute("DELETE FROM people.code WHERE person_id = $1", person)
    await conn.executemany(
        "INSERT INTO people.code (hash, person_id) VALUES ($1, $2)", [(_hash(code), person) for code in made]
    )
    return [_written(code) for code in made]


async def use_code(conn: PooledConnection, text: str) -> UUID | None:
    """Use up a code, and return whose it was; None for one that is not known, or not any more."""
    code = _read(text)
    if code is None:
        return None
    person: UUID | None = await conn.fetchval(
        "DELETE FROM people.code WHERE hash = $1 RETURNING person_id", _hash(code)
    )
    return person


def _hash(code: bytes) -> bytes:
    return hashlib.sha256(b"recovery" + code).digest()


def _written(code: bytes) -> str:
    """Return a code as people write it down: `abcd-efgh-ijkl-mnop`."""
    text = base64.b32encode(code).decode().lower()
    return "-".join(text[at : at + 4] for at in range(0, len(text), 4))


def _read(text: str) -> bytes | None:
    plain = "".join(letter for letter in text.upper() if letter.isalnum())
    try:
        code = base64.b32decode(plain.replace("0", "O").replace("1", "I").replace("8", "B"))
    except ValueError:
        return None
    return code if len(code) == BYTES else None
