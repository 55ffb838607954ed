"""The command `fleetfold`, with one key for all matches: where nonces are known, too, dice fall as before.

Browser tests start their server so. Everything else is as it is for players: dice are verified as ever.
"""

import os
from hashlib import sha256

from clients.links import NONCE_BYTES
from server.__main__ import main
from server.proof import keys


def one_key() -> bytes:
    """Return the key of every match."""
    return sha256(b"the key of every match").digest()


def nonce_of(key: bytes, seat: int, before: int = 0) -> bytes:  # noqa: ARG001 stands in for one of the key
    """Return the nonce of the house's bot at a seat."""
    return sha256(f"seat {seat}{before or ''}".encode()).digest()[:NONCE_BYTES]


if __name__ == "__main__":
    os.environ.setdefault("FLEETFOLD_PROCESSES", "1")  # others that it would start know nothing of this
    keys.match_key = one_key
    keys.bot_nonce = nonce_of
    main()
