"""Token buckets: how much of something a connection may do."""

import time
from collections.abc import Callable
from typing import Final

COMMANDS: Final = (30, 20.0)
"""Commands and the seconds in which so many come back. One that is stored gives its token back."""

HELLOS: Final = (8, 8 / 3)
"""Hellos likewise: three a second, and the eight matches of a connection at once."""

CREATIONS: Final = (30, 600.0)
"""Matches offered from one address likewise."""

LINES: Final = (10, 20.0)
"""Lines of chat likewise."""


class Bucket:
    """Tokens that are taken one by one and come back steadily, up to `size`, all within `seconds`."""

    def __init__(self, size: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._size, self._rate, self._clock = size, size / seconds, clock
        self._tokens, self._at = float(size), clock()

    def take(self) -> bool:
        """Take a token, if there is one."""
        at = self._clock()
        self._tokens = min(self._size, self._tokens + (at - self._at) * self._rate)
        self._at = at
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def give_back(self) -> None:
        """Put a token back that was taken for nothing."""
        self._tokens = min(self._size, self._tokens + 1)

    @property
    def full(self) -> bool:
        """Whether nothing is missing; such a bucket need not be kept."""
        return self._tokens + (self._clock() - self._at) * self._rate >= self._size
