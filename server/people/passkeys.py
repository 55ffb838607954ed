"""Passkeys: a person is known by a key that his browser or device keeps (WebAuthn, by `webauthn`).

A challenge is random, kept as its hash for CHALLENGE minutes, and good for one answer. It is bound to what it
was made for, and a key to the host of the page. Deliberately absent: who a person is
(`server.people.persons`).
"""

import secrets
from typing import Any, Final, Literal
from uuid import UUID

import webauthn
from msgspec import Struct, json
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from domain.match.refusals import RequestError
from server.lobby.fitting import NAME, fit
from server.lobby.tokens import digest
from server.people.cookies import relying_party
from server.postgres.database import PooledConnection

Purpose = Literal["sign up", "sign in", "add"]

CHALLENGE: Final = 10
"""Minutes within which an authenticator has to answer."""

KEYS: Final = 20
"""Passkeys that a person may have."""

_KEPT: Final = "INSERT INTO people.ceremony (hash, purpose, person_id) VALUES ($1, $2, $3)"
OVER: Final = f"DELETE FROM people.ceremony WHERE made_at < log.now() - interval '{CHALLENGE} minutes'"  # noqa: S608
"""Removes challenges that nobody has answered in time."""

_ONCE: Final = f"""
DELETE FROM people.ceremony
 WHERE hash = $1 AND purpose = $2 AND made_at > log.now() - interval '{CHALLENGE} minutes'
RETURNING person_id
"""  # noqa: S608 a number
_ADD: Final = """
INSERT INTO people.passkey (credential, person_id, key, uses, name, transports)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING RETURNING id
"""
_FIND: Final = """
SELECT id, person_id, key, uses FROM people.passkey WHERE credential = $1 FOR NO KEY UPDATE
"""

TRANSPORTS: Final = frozenset({"usb", "nfc", "ble", "smart-card", "hybrid", "internal"})

BAD: Final = "this passkey was not accepted; try once more"


class Proof(Struct, frozen=True):
    """What an authenticator has answered: the challenge, and all of it as the library reads it."""

    challenge: bytes
    credential: dict[str, Any]


async def creation(
    conn: PooledConnection, home: str, purpose: Purpose, person: UUID, handle: str, name: str
) -> dict[str, Any]:
    """Return the options to make a passkey of a person who is, or will be, called so. Raises RequestError."""
    challenge = await _challenge(conn, purpose, person)
    known = await conn.fetch("SELECT credential FROM people.passkey WHERE person_id = $1", person)
    if len(known) >= KEYS:
        raise RequestError("too_many", f"you have {KEYS} passkeys; remove one first")
    return _as_json(
        webauthn.generate_registration_options(
            rp_id=relying_party(home),
            rp_name="Fleetfold",
            user_id=person.bytes,
            user_name=handle,
            user_display_name=name or handle,
            challenge=challenge,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                require_resident_key=True,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
            exclude_credentials=[PublicKeyCredentialDescriptor(id=row["credential"]) for row in known],
        )
    )


async def request(conn: PooledConnection, home: str) -> dict[str, Any]:
    """Return the options to sign in with any passkey of this host. Raises RequestError."""
    return _as_json(
        webauthn.generate_authentication_options(
            rp_id=relying_party(home), challenge=await _challenge(conn, "sign in", None)
        )
    )


async def add(conn: PooledConnection, home: str, proof: Proof, name: str, person: UUID) -> int:
    """Keep a new passkey of a person, and return its number. Raises RequestError."""
    try:
        verified = webauthn.verify_registration_response(
            credential=proof.credential,
            expected_challenge=proof.challenge,
            expected_rp_id=relying_party(home),
            expected_origin=home,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as why:
        raise RequestError("bad_passkey", BAD) from why
    named = fit(name.strip() or "Passkey", NAME, "a passkey's name")
    asked = proof.credential.get("response", {}).get("transports", [])
    ways = [way for way in asked if way in TRANSPORTS] if isinstance(asked, list) else []
    number = await conn.fetchval(
        _ADD,
        verified.credential_id,
        person,
        verified.credential_public_key,
        verified.sign_count,
        named,
        ways,
    )
    if number is None:
        raise RequestError("bad_passkey", "this passkey is known already")
    if await conn.fetchval("SELECT count(*) FROM people.passkey WHERE person_id = $1", person) > KEYS:
        raise RequestError("too_many", f"you have {KEYS} passkeys; remove one first")
    return int(number)


async def use(conn: PooledConnection, home: str, proof: Proof) -> tuple[UUID, int]:
    """Return whose passkey has signed, and its number. Raises RequestError.

    A count that does not grow is that of a copy (WebAuthn, 6.1.1), and is refused; 0 is that of one that does
    not count.
    """
    key = await conn.fetchrow(_FIND, _credential_id(proof.credential))
    if key is None:
        raise RequestError("bad_passkey", "this passkey is not known here, or not any more")
    try:
        verified = webauthn.verify_authentication_response(
            credential=proof.credential,
            expected_challenge=proof.challenge,
            expected_rp_id=relying_party(home),
            expected_origin=home,
            credential_public_key=key["key"],
            credential_current_sign_count=key["uses"],
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as why:
        raise RequestError("bad_passkey", BAD) from why
    await conn.execute(
        "UPDATE people.passkey SET uses = $2, used_at = log.now() WHERE id = $1",
        key["id"],
        verified.new_sign_count,
    )
    return key["person_id"], key["id"]


async def once(
    conn: PooledConnection, credential: dict[str, Any], purpose: Purpose
) -> tuple[Proof, UUID | None]:
    """Take the challenge that was answered, once, and return it with the person it was made for.

    Raises RequestError where none was made for this, or one too long ago.
    """
    try:
        said = json.decode(webauthn.base64url_to_bytes(credential["response"]["clientDataJSON"]))
        challenge = webauthn.base64url_to_bytes(said["challenge"])
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        raise RequestError("bad_passkey", BAD) from why
    row = await conn.fetchrow(_ONCE, digest(challenge), purpose)
    if row is None:
        raise RequestError("bad_passkey", "that took too long, or was answered before; try once more")
    return Proof(challenge, credential), row["person_id"]


def _credential_id(credential: dict[str, Any]) -> bytes:
    try:
        return webauthn.base64url_to_bytes(credential["rawId"])
    except (ValueError, KeyError, TypeError, AttributeError) as why:
        raise RequestError("bad_passkey", BAD) from why


async def _challenge(conn: PooledConnection, purpose: Purpose, person: UUID | None) -> bytes:
    challenge = secrets.token_bytes(32)
    await conn.execute(OVER)
    await conn.execute(_KEPT, digest(challenge), purpose, person)
    return challenge


def _as_json(options: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.decode(webauthn.options_to_json(options))
    return found
