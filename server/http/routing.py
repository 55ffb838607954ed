"""All paths of a server in one place: what its parts read, change, and take from anywhere.

Deliberately absent: what is answered under any of them.
"""

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from server.http.pages import Handler, Pages, Routes
from server.settings import Settings

VERBS = ("POST", "PATCH", "DELETE")


@runtime_checkable
class Read(Protocol):
    """Pages that are read."""

    def routes(self) -> Routes:
        """Return what is read."""


@runtime_checkable
class Changed(Protocol):
    """Pages that change something."""

    def verbs(self) -> dict[str, Routes]:
        """Return what is changed, by verb."""


@runtime_checkable
class Anyones(Protocol):
    """Pages that take something from anywhere."""

    def anyones(self) -> Routes:
        """Return what may be sent from anywhere, by POST: it needs a token of its own."""


def routed(settings: Settings, otherwise: Handler, *parts: Read | Changed | Anyones) -> Pages:
    """Return the pages of a server, of which `otherwise` answers where no route of any part leads."""
    verbs = [part.verbs() for part in parts if isinstance(part, Changed)]
    return Pages(
        _merged(part.routes() for part in parts if isinstance(part, Read)),
        otherwise,
        {verb: _merged(one.get(verb, {}) for one in verbs) for verb in VERBS},
        settings,
        _merged(part.anyones() for part in parts if isinstance(part, Anyones)),
    )


def _merged(routes: Iterable[Routes]) -> Routes:
    return {path: handler for one in routes for path, handler in one.items()}
