"""What the log answers to an append, and how long it is waited for."""

from msgspec import Struct

from domain.match.chain import Entry

DEADLINE = 4.0
"""Seconds from a question to its answer, whatever happens."""


class Stored(Struct, frozen=True):
    """The command is in the log, on disk, as it was sent."""


class Repeated(Struct, frozen=True):
    """The command id was in the log already, with these entries; nothing was added."""

    entries: tuple[Entry, ...]


class Moved(Struct, frozen=True):
    """Nothing was added: another moved first, the match has ended, or `at` is ahead of the log's clock."""


class Void(Struct, frozen=True):
    """Nothing was added: the link by which the command came is void."""


class Busy(Exception):
    """Too many appends wait; nothing was added. Come back later."""


class Unavailable(Exception):
    """The log gave no answer in time. The command may or may not have been stored: send it again to learn."""


Outcome = Stored | Repeated | Moved | Void
