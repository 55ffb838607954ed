"""The channels of a person, as his page manages them.

A browser is pushed to by the session that added it, or said last where it is pushed to. With that the channel
is deleted, by the database: nothing is pushed to a browser that is signed out, wherever that was done.

Every function but `unsubscribe` is for a person who is known to be who he is. Deliberately absent: proof that
a mail address is his, which whoever adds one has to have before; sending (`server.notices.worker`), what goes
with an erased person (`server.people.erasing`).
"""

import base64
import secrets
from collections.abc import Sequence
from datetime import datetime
from email.headerregistry import Address
from typing import Final, Literal
from uuid import UUID

from asyncpg import Record
from cryptography.hazmat.primitives.asymmetric import ec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.match.refusals import RequestError
from server.notices.outward import read_url
from server.notices.places import AnyPlace, Boxes, Mail, Push, Webhook, hashed
from server.postgres.database import Pool, PooledConnection, connection
from server.proof.keys import KeyRing

MOST: Final = 10
"""Channels of a person."""

TESTS: Final = 10
"""Tests of all channels of a person within an hour."""

SHOWN: Final = 5
"""Deliveries of a channel that are shown, the last."""

LONGEST: Final = 2000
"""Characters of an address on the web."""

LONGEST_MAIL: Final = 254
TOKEN: Final = 20
SECRET: Final = 32
AUTH: Final = 16
SHAPES: Final = ("fleetfold", "discord", "slack", "ntfy")

NOT_HIS: Final = "this is not one of your ways to be told, or it is gone"

State = Literal["on", "off", "gone"]

_LOCK: Final = "SELECT FROM people.person WHERE id = $1 AND erased_at IS NULL FOR NO KEY UPDATE"
_SESSION: Final = "SELECT FROM people.session WHERE id = $1 FOR KEY SHARE"
_THERE: Final = "SELECT id, box FROM people.channel WHERE person_id = $1 AND mark = ANY($2::bytea[])"
_BROWSER: Final = "SELECT box FROM people.channel WHERE id = $1 AND person_id = $2 AND kind = 'push'"
_COUNT: Final = "SELECT count(*) FROM people.channel WHERE person_id = $1"
_TAKE: Final = """
DELETE FROM people.channel WHERE kind = 'push' AND mark = ANY($1::bytea[]) AND id <> $2
"""
_ADD: Final = """
INSERT INTO people.channel (id, person_id, kind, name, box, mark, unsubscribe, session)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
_AGAIN: Final = """
UPDATE people.channel SET box = $2, unsubscribe = $3, session = $4, state = 'on', turned_on = log.now()
 WHERE id = $1
"""
_RENEW: Final = """
UPDATE people.channel SET box = $2, unsubscribe = $3, session = $4, mark = $5,
       state = CASE state WHEN 'gone' THEN 'on' ELSE state END,
       turned_on = CASE state WHEN 'gone' THEN log.now() ELSE turned_on END
 WHERE id = $1
"""
# What it missed while it was off, or led nowhere, of what lasts; that is as due as by a channel that is new.
_MISSED: Final = """
UPDATE people.outbox o SET outcome = NULL, due = log.now(), tries = 0, tried_at = NULL, fault = NULL
 WHERE o.channel = $1 AND o.kind IN ('turn', 'low', 'out') AND o.outcome IN ('off', 'gone')
   AND EXISTS (SELECT FROM people.channel c WHERE c.id = $1 AND c.state = 'on')
   AND EXISTS (SELECT FROM view.turn t WHERE t.match_id = o.match_id AND t.seq = o.turn)
"""
_MAILS: Final = """
DELETE FROM people.channel WHERE person_id = $1 AND kind = 'mail'
RETURNING id, box, unsubscribe, state, away, quiet, digest
"""
_ADD_AS_IT_WAS: Final = """
INSERT INTO people.channel (id, person_id, kind, name, box, mark, unsubscribe, state, away, quiet, digest)
VALUES ($1, $2, 'mail', $3, $4, $5, $6, $7, $8, $9, $10)
"""
_LIST: Final = """
SELECT id, kind, name, state, away, quiet, digest, made_at FROM people.channel
 WHERE person_id = $1 ORDER BY made_at, id
"""
_LAST: Final = """
SELECT c.id AS channel, o.kind, o.match_id, o.made_at, o.sent_at, o.outcome, o.tries, o.fault
  FROM people.channel c CROSS JOIN LATERAL (
    SELECT * FROM people.outbox WHERE channel = c.id ORDER BY made_at DESC, id LIMIT $2) o
 WHERE c.person_id = $1 ORDER BY o.made_at DESC
"""
_CHANGE: Final = """
UPDATE people.channel SET state = coalesce($3, state), away = coalesce($4, away), quiet = coalesce($5, quiet),
       digest = coalesce($6, digest),
       turned_on = CASE WHEN $3 = 'on' AND state = 'off' THEN log.now() ELSE turned_on END
 WHERE id = $1 AND person_id = $2 AND (state <> 'gone' OR $3::text IS NULL)
"""
_REMOVE: Final = "DELETE FROM people.channel WHERE id = $1 AND person_id = $2"
_TESTED: Final = """
SELECT count(*) FROM people.outbox
 WHERE person_id = $1 AND kind = 'test' AND made_at > (SELECT log.now()) - interval '1 hour'
"""
_TEST: Final = """
INSERT INTO people.outbox (channel, person_id, kind, turn, due)
SELECT id, person_id, 'test', 0, log.now() FROM people.channel
 WHERE id = $1 AND person_id = $2 AND state = 'on'
RETURNING id
"""
_STOP: Final = (
    "UPDATE people.channel SET state = 'off' WHERE unsubscribe = $1 AND state <> 'gone' RETURNING id"
)
_KNOWN: Final = "SELECT true FROM people.channel WHERE unsubscribe = $1"


class Delivery(Struct, frozen=True):
    """A notice by a channel. Until it is told `outcome` is None; `fault` is why the last try failed."""

    kind: str
    match: UUID | None
    made: datetime
    sent: datetime | None
    outcome: str | None
    tries: int
    fault: str | None


class Channel(Struct, frozen=True):
    """A channel as its person sees it; where it leads is told by `name` only. The latest deliveries first."""

    id: UUID
    kind: str
    name: str
    state: State
    away: bool
    quiet: bool
    digest: bool
    made: datetime
    last: Sequence[Delivery] = ()


class Added(Struct, frozen=True):
    """A channel that was added. `secret`, as Standard Webhooks writes it, is shown this once."""

    channel: UUID
    secret: str = ""


class Channels:
    """The channels of all persons."""

    def __init__(self, pool: Pool, ring: KeyRing) -> None:
        self._pool, self._boxes = pool, Boxes(ring)

    async def add(self, person: UUID, place: AnyPlace, session: int | None = None) -> Added:
        """Add a channel, or turn on one that leads to the same place. Raises RequestError.

        A browser is with one person at a time: whoever added it before loses it; it ends with its `session`.
        What stops a channel stays, as it is in the mails that have gone; its secret, which nobody can be
        shown again, is another.
        """
        fit(place)
        marks = self._boxes.marks(place)
        token, secret = _new_token(), ""
        place = replace(place, token=token)
        if isinstance(place, Webhook):
            secret = (
                base64.b64encode(secrets.token_bytes(SECRET)).decode() if place.shape == SHAPES[0] else ""
            )
            place = replace(place, secret=secret)
        async with connection(self._pool) as conn, conn.transaction():
            await _lock(conn, person, session)
            there = await conn.fetchrow(_THERE, person, marks)
            if isinstance(place, Push):
                await conn.execute(_TAKE, marks, UUID(int=0) if there is None else there["id"])
            if there is not None:
                channel, box = there
                before = self._boxes.open(channel, box)
                if before is not None:
                    token = before.token
                box = self._boxes.seal(channel, replace(place, token=token))
                await conn.execute(_AGAIN, channel, box, hashed(token), session)
                await conn.execute(_MISSED, channel)
                return Added(channel, secret and f"whsec_{secret}")
            if await conn.fetchval(_COUNT, person) >= MOST:
                raise RequestError("too_many", f"you have {MOST} ways to be told already: remove one first")
            channel = new_id()
            kind, box = type(place).__name__.lower(), self._boxes.seal(channel, place)
            await conn.execute(
                _ADD, channel, person, kind, name_of(place), box, marks[0], hashed(token), session
            )
        return Added(channel, secret and f"whsec_{secret}")

    async def renew(self, person: UUID, channel: UUID, place: Push, session: int | None = None) -> None:
        """Have a browser of a person's be pushed to where it says by now. Raises RequestError.

        One that led nowhere any more is on again, one that was turned off stays so. No other channel leads
        there any more.
        """
        fit(place)
        marks = self._boxes.marks(place)
        async with connection(self._pool) as conn, conn.transaction():
            await _lock(conn, person, session)
            box = await conn.fetchval(_BROWSER, channel, person)
            if box is None:
                raise RequestError("not_allowed", NOT_HIS)
            before = self._boxes.open(channel, box)
            token = _new_token() if before is None else before.token
            await conn.execute(_TAKE, marks, channel)
            box = self._boxes.seal(channel, replace(place, token=token))
            await conn.execute(_RENEW, channel, box, hashed(token), session, marks[0])
            await conn.execute(_MISSED, channel)

    async def of(self, person: UUID) -> list[Channel]:
        """Return the channels of a person with their last deliveries."""
        async with connection(self._pool) as conn:
            rows = await conn.fetch(_LIST, person)
            told = await conn.fetch(_LAST, person, SHOWN)
        return [
            _channel(row, [_delivery(one) for one in told if one["channel"] == row["id"]]) for row in rows
        ]

    async def change(
        self,
        person: UUID,
        channel: UUID,
        *,
        on: bool | UnsetType = UNSET,
        away: bool | UnsetType = UNSET,
        quiet: bool | UnsetType = UNSET,
        digest: bool | UnsetType = UNSET,
    ) -> None:
        """Change when a channel is used; what is not given stays. Raises RequestError."""
        state = None if on is UNSET else ("on" if on else "off")
        rest = [None if one is UNSET else one for one in (away, quiet, digest)]
        async with connection(self._pool) as conn, conn.transaction():
            _refuse_none(await conn.execute(_CHANGE, channel, person, state, *rest))
            if on is True:
                await conn.execute(_MISSED, channel)

    async def test(self, person: UUID, channel: UUID) -> None:
        """Have a test told by a channel; `of` tells what came of it. Raises RequestError."""
        async with connection(self._pool) as conn, conn.transaction():
            await conn.execute(_LOCK, person)
            if await conn.fetchval(_TESTED, person) >= TESTS:
                raise RequestError("too_fast", f"that were {TESTS} tests within an hour; wait a while")
            if await conn.fetchval(_TEST, channel, person) is None:
                raise RequestError("not_allowed", "this is not one of your ways to be told, or it is off")

    async def remove(self, person: UUID, channel: UUID) -> None:
        """Remove a channel, with all that is yet to be told by it. Raises RequestError."""
        async with connection(self._pool) as conn:
            _refuse_none(await conn.execute(_REMOVE, channel, person))

    async def unsubscribe(self, token: str) -> bool:
        """Turn off the channel whose token this is; whether there is one. Once more does nothing more."""
        async with connection(self._pool) as conn:
            if await conn.fetchval(_STOP, hashed(token)) is not None:
                return True
            return await conn.fetchval(_KNOWN, hashed(token)) is not None


async def move_mail(conn: PooledConnection, boxes: Boxes, person: UUID, address: str) -> None:
    """Have a person whom mails go to told by another address, as he was by the one before, and stop it so."""
    for row in await conn.fetch(_MAILS, person):
        old, box, unsubscribe, *use = row.values()
        before = boxes.open(old, box)
        if before is None:
            continue  # it led nowhere
        place, channel = Mail(address=address, token=before.token), new_id()
        await conn.execute(
            _ADD_AS_IT_WAS,
            channel,
            person,
            name_of(place),
            boxes.seal(channel, place),
            boxes.marks(place)[0],
            unsubscribe,
            *use,
        )


async def _lock(conn: PooledConnection, person: UUID, session: int | None) -> None:
    """Keep a person, and his session if one is named, from being erased and ended. Raises RequestError."""
    if await conn.fetchrow(_LOCK, person) is None:
        raise RequestError("not_allowed", "there is no such person")
    if session is not None and await conn.fetchrow(_SESSION, session) is None:
        raise RequestError("no_session", "sign in first")


def _new_token() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(TOKEN)).decode().rstrip("=")


def fit(place: AnyPlace) -> None:
    """Raise RequestError for a place that nothing can be sent to. Whether it may be reached is seen later."""
    if isinstance(place, Mail):
        fit_mail(place.address)
        return
    url = place.endpoint if isinstance(place, Push) else place.url
    fit_url(url)
    if isinstance(place, Push):
        fit_browser(place)
    elif place.shape not in SHAPES:
        raise RequestError("bad_request", f"a webhook has the shape {', '.join(SHAPES[:-1])} or {SHAPES[-1]}")


def fit_mail(address: str) -> None:
    """Raise RequestError for what is no mail address, or one that needs more than ASCII."""
    try:
        one = Address(addr_spec=address)
    except Exception:  # the parser raises whatever it stumbles over
        one = Address()
    if not (one.username and "." in one.domain and address.isascii() and len(address) <= LONGEST_MAIL):
        raise RequestError("bad_request", "this is not a mail address")
    if not address.isprintable() or " " in address or address != one.addr_spec:
        raise RequestError("bad_request", "this is not a mail address")


def fit_url(url: str) -> None:
    """Raise RequestError for an address that is not of https, or that holds a name and a password."""
    if not url.startswith("https://"):
        raise RequestError("bad_request", "the address begins with https://, and a host follows")
    try:
        parts = read_url(url)
    except ValueError:
        raise RequestError("bad_request", "this is not an address on the web") from None
    if len(url) > LONGEST or not (url.isascii() and url.isprintable()) or " " in url or parts.fragment:
        raise RequestError("bad_request", f"the address is plain ASCII, of at most {LONGEST} characters")


def fit_browser(place: Push) -> None:
    """Raise RequestError for keys that no browser has."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpadded(place.p256dh))
        whole = len(unpadded(place.auth)) == AUTH
    except ValueError:
        whole = False
    if not whole:
        raise RequestError("bad_request", "these are not the keys of a browser")


def unpadded(text: str) -> bytes:
    """Decode base64url with or without padding. Raises ValueError."""
    return base64.b64decode(
        text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True
    )


def name_of(place: AnyPlace) -> str:
    """Return what a channel is called on its person's page, which stands in the database in clear."""
    match place:
        case Mail():
            return "mail"
        case Push():
            return "browser"
        case Webhook():
            return f"{place.shape} webhook"


def new_id() -> UUID:
    """Return a random id of a channel."""
    return UUID(bytes=secrets.token_bytes(16), version=4)


def _refuse_none(done: str) -> None:
    if done.endswith(" 0"):
        raise RequestError("not_allowed", NOT_HIS)


def _channel(row: Record, last: Sequence[Delivery]) -> Channel:
    return Channel(
        row["id"],
        row["kind"],
        row["name"],
        row["state"],
        row["away"],
        row["quiet"],
        row["digest"],
        row["made_at"],
        last,
    )


def _delivery(row: Record) -> Delivery:
    names = ("kind", "match_id", "made_at", "sent_at", "outcome", "tries", "fault")
    return Delivery(*(row[name] for name in names))
