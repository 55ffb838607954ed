"""The outcomes of an append to the log, its exceptions, and its deadline."""

from msgspec import Struct

from domain.match.chain import Entry

DEADLINE = 4.0
"""Seconds within which every call to the log returns or raises."""


class Stored(Struct, frozen=True):
    """The command is in the log, flushed to disk, as it was sent."""


class Repeated(Struct, frozen=True):
    """The command id was in the log already, with these entries; nothing was added."""

    entries: tuple[Entry, ...]


class Moved(Struct, frozen=True):
    """Nothing was added: another append was first, the match has ended, or `at` is ahead of its clock."""


class Void(Struct, frozen=True):
    """Nothing was added: the link by which the command came is void."""


class Busy(Exception):
    """There is too much at once; nothing was done. Retry later: after so many seconds, if that is known.

    What there is too much of is a sentence for whoever is refused.
    """

    def __init__(self, why: str = "too much at once: send it again", after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


class Unavailable(Exception):
    """No answer within the deadline. The command may or may not be stored: send it again to find out."""


class Altered(Exception):
    """A fact in the log says that it has more before it in its command than one may have."""


Outcome = Stored | Repeated | Moved | Void
