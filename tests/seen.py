"""What is seen of a match, as plain JSON: the helpers of tests that look at it."""

from typing import Any

from msgspec import json

from domain.kernel.audience import Viewer
from domain.kernel.facts import State
from domain.match import views
from domain.match.game import Game
from domain.match.parts import Parts, mirrored


def view(game: Game, state: State[Any, Any], audience: Viewer) -> dict[str, Any]:
    """What one audience sees of a state, made from nothing."""
    return plain(views.view(game, state, audience))


def table(game: Game, open: Any) -> dict[str, Any]:
    """What onlookers see of an open table."""
    return plain(game.view(mirrored(open, None), Parts()))


def plain(seen: Any) -> dict[str, Any]:
    """A view as it comes out of JSON."""
    found: dict[str, Any] = json.decode(json.encode(seen))
    return found
