"""The types of views, decisions and facts of each title, and their JSON Schema.

`View` is what `patch` changes; its `table` is of the title's own type, `domain.<title>.shown.Table`.
"""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from msgspec import json

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.match.game import Game
from domain.match.views import ClocksView, MatchView, View

__all__ = ["ClocksView", "Decision", "MatchView", "View", "facts", "schema"]


def schema(game: Game) -> dict[str, Any]:
    """Return the JSON Schema of a title: `View` and `Decision` under `$defs`, with their parts."""
    decisions: Any = reduce(or_, game.decisions)
    types = [View[game.table], decisions]  # type: ignore[name-defined]
    (view, decision), parts = json.schema_components(types, ref_template="#/$defs/{name}")
    seen = parts.pop(view["$ref"].rpartition("/")[2])
    parts |= {"View": {**seen, "title": "View"}, "Decision": decision}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": game.title,
        "$defs": {name: _without_null(part) for name, part in parts.items()},
    }


def facts(types: Sequence[type[Fact]]) -> dict[str, Any]:
    """Return the JSON Schema of facts: `Fact` under `$defs`, with its parts, some named like those of a view.

    A fact is written with all its fields; in an old record, fields added since are missing.
    """
    (fact,), parts = json.schema_components([reduce(or_, types)], ref_template="#/$defs/{name}")
    return {"$defs": {**parts, "Fact": fact}}


def _without_null(part: Any) -> Any:
    """Return a schema without null: a field that has no value is left out."""
    if isinstance(part, list):
        return [_without_null(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {name: _without_null(value) for name, value in part.items() if (name, value) != ("default", None)}
    if None in kept.get("enum", ()):
        kept["enum"] = [value for value in kept["enum"] if value is not None]
    if "anyOf" in kept:
        others = [one for one in kept["anyOf"] if one != {"type": "null"}]
        kept = {**kept, "anyOf": others} if len(others) > 1 else {**kept, **others[0]}
        if len(others) == 1:
            del kept["anyOf"]
    return kept
