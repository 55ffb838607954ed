"""What an audience sees, as plain JSON, and the merge patch between two such views (RFC 7396).

A view holds no null: in a merge patch a null means that a field is gone.
"""

from typing import Any

from msgspec import json, to_builtins

from domain.kernel.audience import Viewer
from domain.kernel.facts import State
from domain.match.game import Game, without_nulls

_encode = json.Encoder().encode


def view(game: Game, state: State[Any, Any], audience: Viewer) -> dict[str, Any]:
    """Return what one side or the onlookers see: `match`, `asked` (seats) and `table`."""
    side = audience.side
    own = None if side is None else state.own[side]
    table = game.view(state.open, own)
    if game.waiting is not None and (waiting := game.waiting(state)):
        table = {**table, **waiting}
    return {
        "match": without_nulls(to_builtins(state.match, str_keys=True)),
        "asked": list(state.asked),
        "table": table,
    }


def patch(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the merge patch that makes `new` of `old`; empty if they are equal.

    A field may change between 1, 1.0 and true; what stands in a list keeps its type. What is the same object
    in both is not looked into: what never changes costs nothing.
    """
    changes: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if value is before and key in old:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            if not _same(before, value) and (change := patch(before, value)):
                changes[key] = change
        elif value != before or type(value) is not type(before) or key not in old:
            changes[key] = value
    return changes


def _same(before: dict[str, Any], value: dict[str, Any]) -> bool:
    """Whether nothing has changed, types included: so it is with most of a table, and this is quick."""
    return before == value and _encode(before) == _encode(value)


def patched(target: Any, change: Any) -> Any:
    """Return `target` with a merge patch applied; neither argument is changed."""
    if not isinstance(change, dict):
        return change
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in change.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = patched(result.get(key), value)
    return result
