"""What the ids in a text are called.

A part of a unit, `jp_5div.a`, is called after the unit, whose name alone is sent. The page does the same
(`withParts` in `clients/web/src/protocol/http.ts`).
"""

from collections.abc import Mapping


def called(names: Mapping[str, str], id: str) -> str | None:
    """Return what an id is called; None if it has no name."""
    if id in names:
        return names[id]
    whole, dot, part = id[:-2], id[-2:-1], id[-1:]
    return f"{names[whole]}, part {part}" if dot == "." and whole in names else None
