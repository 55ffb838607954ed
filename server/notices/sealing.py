"""The encryption of a push message, which its browser alone opens (RFC 8291, by way of RFC 8188).

Here and not from a package, since the one that is kept, http-ece, comes without a wheel: each installation
would build it with a builder that no lock names. The test has the example of the standard's appendix.
"""

import os
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SALT: Final = 16
RECORD: Final = 4096
"""Bytes of the one record, of which the text and 17 bytes more are a part."""

LONGEST: Final = 3_000
LAST: Final = b"\x02"
"""Behind the text of the last record; zeros may follow."""


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """Return a public key as the 65 bytes that browsers and push services read."""
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def sealed(
    text: bytes,
    p256dh: bytes,
    auth: bytes,
    *,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body of a push message for a browser's public key, 65 bytes, and its secret, 16 bytes.

    `own`, a key for this message alone, and `salt` are drawn unless a test names them. Raises ValueError for
    a text above LONGEST bytes, or a key that is none.
    """
    if len(text) > LONGEST:
        raise ValueError("too long for a push message")
    own = own or ec.generate_private_key(ec.SECP256R1())
    salt = os.urandom(SALT) if salt is None else salt
    browser = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), p256dh)
    ours = point(own.public_key())
    shared = own.exchange(ec.ECDH(), browser)
    ikm = _derived(shared, auth, b"WebPush: info\0" + p256dh + ours, 32)
    key = _derived(ikm, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(ikm, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, text + LAST, None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)
