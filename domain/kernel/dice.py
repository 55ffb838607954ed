"""Dice: fair ones that anyone can verify afterwards, and scripted ones for audits and tests.

A roll is a function of a key, the seats' nonces and the index of the roll in the match, so a decision retried
after a conflict gets the same faces. Deliberately absent: any source of randomness.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from hmac import digest
from itertools import islice
from typing import Final, Protocol

UNSEEN: Final = 1 << 63
"""What is added to the index of an unseen roll: these have the upper half of what 8 bytes can count, so that
no open roll ever reads from the same stream."""


class Dice(Protocol):
    """A source of rolls."""

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        """Return `count` faces from 1 to `sides`.

        `index` counts the open rolls and draws of the match from 0, and its unseen rolls from `UNSEEN`.
        """


class OutOfDice(Exception):
    """The script has no next roll, or the next one does not fit the roll asked for."""


class Fair:
    """The dice of a match.

    The faces of roll `index` come from the byte stream HMAC-SHA-256(key, nonces ‖ index ‖ block) for
    block = 0, 1, …; nonces in seat order, index as 8 bytes and block as 4 bytes, big endian. A face takes
    as many bytes as are needed to count to `sides` (one up to 256), read big endian; a number at or above
    the greatest multiple of `sides` is rejected, so that every face is equally likely.

    Open rolls and draws are counted from index 0; the unseen rolls of a match, counted by themselves, have
    the indexes from `UNSEEN` = 2**63 on.
    """

    def __init__(self, key: bytes, nonces: Sequence[bytes] = ()) -> None:
        self._key = key
        self._nonces = b"".join(nonces)

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        """Return the faces of roll `index`."""
        width = ((sides - 1).bit_length() + 7) // 8 or 1
        limit = 256**width // sides * sides
        faces = (number % sides + 1 for number in self._numbers(index, width) if number < limit)
        return tuple(islice(faces, count))

    def _numbers(self, index: int, width: int) -> Iterator[int]:
        block, stream = 0, b""
        while True:
            while len(stream) < width:
                message = self._nonces + index.to_bytes(8, "big") + block.to_bytes(4, "big")
                stream += digest(self._key, message, "sha256")
                block += 1
            yield int.from_bytes(stream[:width], "big")
            stream = stream[width:]


def seeded(seed: int | str) -> Fair:
    """Return deterministic dice for a seed: for tests and bots, never for a match."""
    return Fair(sha256(f"seed {seed}".encode()).digest())


class Scripted:
    """Dice that return given faces, roll by roll."""

    def __init__(self, rolls: Iterable[Sequence[int]]) -> None:
        self._rolls = [tuple(roll) for roll in rolls]

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        """Return the next roll of the script. Raises OutOfDice if there is none or it does not fit."""
        if not self._rolls:
            raise OutOfDice(f"roll {index}: {count}d{sides} asked for, and the script is at its end")
        faces = self._rolls.pop(0)
        if len(faces) != count or not all(1 <= face <= sides for face in faces):
            raise OutOfDice(f"roll {index}: {count}d{sides} asked for, and the script says {faces}")
        return faces

    @property
    def left(self) -> int:
        """The number of scripted rolls not used yet."""
        return len(self._rolls)
