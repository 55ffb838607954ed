"""Parts of a view that are kept, as the same object, while what they are made of has not changed.

The state of a match is changed in place, so a view is made of a mirror of it: a copy that is never changed,
and that shares with the one before it whatever is equal. A part is made by a pure function that is given all
it depends on; while that is what it was, the part is given out again and the function is not called. So both
what is drawn up anew and what a patch looks into grow with what has changed, and not with the table.

Deliberately absent: what the parts of a title are (its `view` module), and who may see them.
"""

from collections.abc import Callable, Collection, Iterable
from itertools import chain, compress
from operator import is_not, ne
from typing import Any, TypeVar

from msgspec import Struct, structs

Made = TypeVar("Made")
SomePart = TypeVar("SomePart", bound="Part")
Value = TypeVar("Value")


class Part(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something in a view, complete in itself. A field that has its default is left out when it is sent."""


class _Kept(Struct, frozen=True):
    """What was made, and what it was made of."""

    inputs: tuple[Any, ...]
    made: Any


class Parts:
    """What was made last by each function."""

    def __init__(self) -> None:
        self._kept: dict[Callable[..., Any], _Kept] = {}
        self._last: dict[type[Part], Any] = {}

    def copy(self) -> "Parts":
        """Return the same parts, to go on from here by themselves."""
        other = Parts()
        other._kept, other._last = dict(self._kept), dict(self._last)
        return other

    def one(self, make: Callable[..., Made], *inputs: Any) -> Made:
        """Return what `make(*inputs)` gives: a part, or a dictionary, whose entries are kept if equal.

        `make` is a function of a module, and depends on its inputs alone, which are never changed.
        """
        kept = self._kept.get(make)
        if kept is not None and kept.inputs == inputs:
            made: Made = kept.made
            return made
        made = make(*inputs)
        if kept is not None:
            made = mirrored(made, kept.made)
        self._kept[make] = _Kept(inputs, made)
        return made

    def same(self, part: SomePart) -> SomePart:
        """Return a part, or the last of its type that was given here if that is equal."""
        kept = self._last.get(type(part))
        if kept is not None and kept == part:
            return kept  # type: ignore[no-any-return]
        self._last[type(part)] = part
        return part

    def each(self, make: Callable[..., Made], *layers: Collection[str]) -> dict[str, Made]:
        """Return what `make(key, *entries)` gives for each key of the first layer, by key.

        A layer is a mapping, or a collection of keys. Its entry for a key is the value, or None if there is
        none; of a collection, whether the key is in it. Only what has another entry is made anew, and if
        all of it comes out equal the dictionary is the same object.
        """
        kept = self._kept.get(make)
        made: dict[str, Made]
        if kept is None:
            made = {key: make(key, *_entries(key, layers)) for key in layers[0]}
        elif kept.inputs == layers:
            made = kept.made
            return made
        else:
            first, made = layers[0], kept.made
            changed = set(chain.from_iterable(map(different, kept.inputs, layers)))
            anew = {key: make(key, *_entries(key, layers)) for key in changed if key in first}
            if any(key not in made or made[key] != part for key, part in anew.items()):
                made = made | anew
            if len(anew) < len(changed) and len(made) > len(first):
                made = {key: part for key, part in made.items() if key in first}
        self._kept[make] = _Kept(layers, made)
        return made


def mirrored(now: Value, before: Any) -> Value:
    """Return a copy of a value that shares with an earlier mirror whatever is equal to it.

    `before` is of the same type, or None. What is frozen, or cannot be changed, is taken as it is.
    """
    copy: Any = now
    if isinstance(now, dict):
        return _mirrored_dict(now, before)  # type: ignore[return-value]
    if now == before and type(now) is type(before):
        return before
    if isinstance(now, list | tuple):
        was = before if before and len(before) == len(now) else [None] * len(now)
        copy = type(now)(map(mirrored, now, was))
    elif isinstance(now, set):
        copy = now.copy()
    elif isinstance(now, Struct) and not now.__struct_config__.frozen:
        fields = structs.astuple(now)
        was = structs.astuple(before) if before is not None else [None] * len(fields)
        pairs = zip(fields, was, strict=True)
        copy = type(now)(*[field if type(field) in _PLAIN else mirrored(field, old) for field, old in pairs])
    return copy  # type: ignore[no-any-return]


def _mirrored_dict(now: dict[Any, Any], before: dict[Any, Any] | None) -> dict[Any, Any]:
    if before is None or list(now) != list(before):
        was = before or {}
        return {key: mirrored(value, was.get(key)) for key, value in now.items()}
    changed = list(compress(now, map(ne, now.values(), before.values())))
    return before | {key: mirrored(now[key], before[key]) for key in changed} if changed else before


def different(before: Collection[str], now: Collection[str]) -> Iterable[str]:
    """Return the keys whose entries are not the same objects, or that are in one of two collections alone."""
    if before is now:
        return ()
    if not isinstance(now, dict) or not isinstance(before, dict):
        return set(before) ^ set(now)
    if list(before) == list(now):
        return compress(now, map(is_not, before.values(), now.values()))
    both = dict.fromkeys([*now, *before])
    return [key for key in both if now.get(key, _NONE) is not before.get(key, _NONE)]


_NONE: Any = object()
_PLAIN = frozenset({str, int, bool, type(None)})


def _entries(key: str, layers: Iterable[Collection[str]]) -> list[Any]:
    return [layer.get(key) if isinstance(layer, dict) else key in layer for layer in layers]
