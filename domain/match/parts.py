"""A cache of the parts of a view: a part stays the same object while its inputs are unchanged.

The state of a match is changed in place, so views are made from a mirror of it: a copy, never mutated, that
shares with the previous mirror whatever is equal. A part is a pure function's result; while the inputs
are equal the cached part is returned and the function is not called. So what is made for a view and for a
patch grows with what has changed; the mirror compares the whole table each time, without copying it.

Deliberately absent: what the parts of a title are (its `view` module), and who may see them.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cache
from itertools import chain, compress
from operator import is_not, ne
from typing import Any, Final, TypeVar

from msgspec import Struct, inspect, structs

Made = TypeVar("Made")
SomePart = TypeVar("SomePart", bound="Part")
Value = TypeVar("Value")

PLAIN: Final = frozenset({str, int, bool, type(None)})
"""The types of values that hold no others: most of a table."""


class Part(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """A component of a view. A field that has its default is left out when the part is encoded."""


class Layer(dict[Any, Any]):
    """A dictionary, never mutated, with the keys of the one that it replaces, in their order.

    It knows of which keys its entries are others. It is never empty: as a field that is left out while it is
    empty, an empty one would be sent.
    """

    __slots__ = ("changed", "replaces")
    changed: list[Any]
    replaces: list[Any] | None
    """What `changed` of the one that it replaces is: if that were held itself, none would ever be freed."""


class _Kept(Struct, frozen=True, gc=False):
    """A result and the inputs it was computed from."""

    inputs: tuple[Any, ...]
    made: Any


class Parts:
    """The last result of each function."""

    def __init__(self) -> None:
        self._kept: dict[Callable[..., Any], _Kept] = {}
        self._last: dict[type[Part], Any] = {}

    def copy(self) -> "Parts":
        """Return an independent copy of the cache."""
        other = Parts()
        other._kept, other._last = dict(self._kept), dict(self._last)
        return other

    def one(self, make: Callable[..., Made], *inputs: Any) -> Made:
        """Return `make(*inputs)`, cached: a part, or a dictionary, whose equal entries stay the same objects.

        `make` is a module-level function that depends on its inputs alone; inputs must never be mutated. The
        order of a dictionary among them does not count: where it matters, the keys are an input too.
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
        """Return `part`, or the last part of its type passed here if that is equal."""
        kept = self._last.get(type(part))
        if kept is not None and kept == part:
            return kept  # type: ignore[no-any-return]
        self._last[type(part)] = part
        return part

    def each(self, make: Callable[..., Made], *layers: Collection[str]) -> dict[str, Made]:
        """Return a dictionary of `make(key, *entries)` for each key of the first layer, cached by key.

        A layer is a mapping, whose entry for a key is the value or None, or a collection of keys, whose entry
        is whether it holds the key. `make` is called only for keys with a changed entry; if all results are
        equal to the cached ones, and in the same order, the same dictionary is returned.
        """
        kept = self._kept.get(make)
        made: dict[str, Made]
        if kept is None:
            made = {key: make(key, *_entries(key, layers)) for key in layers[0]}
        elif not any(map(is_not, kept.inputs, layers)):
            made = kept.made
            return made
        else:
            first, made = layers[0], kept.made
            changed = dict.fromkeys(chain.from_iterable(map(different, kept.inputs, layers)))
            anew: dict[str, Made] = {}
            for key in changed:
                if key in first:
                    part = make(key, *_entries(key, layers))
                    if key not in made or made[key] != part:
                        anew[key] = part
            if not _follows(kept.inputs[0], first) and list(made) != list(first):
                made = {key: anew[key] if key in anew else made[key] for key in first}
            elif anew:
                made = _layer(made, anew)
        self._kept[make] = _Kept(layers, made)
        return made


def mirrored(now: Value, before: Any) -> Value:
    """Return a copy of `now` that shares with `before`, an earlier mirror or None, whatever is equal.

    Frozen structs and immutable values are not copied. A dictionary of another order is not equal, unless it
    is an entry of a dictionary itself.
    """
    if now is before:
        return now
    if type(now) in PLAIN:
        return before if type(now) is type(before) and now == before else now
    if isinstance(now, dict):
        return _mirrored_dict(now, before if isinstance(before, dict) else None)  # type: ignore[return-value]
    if type(now) is not type(before):
        before = None
    copy: Any = now
    if isinstance(now, (list, tuple)):
        if now == before and (not now or type(now[0]) in PLAIN):
            return before  # type: ignore[no-any-return]
        was = before if before is not None and len(before) == len(now) else [None] * len(now)
        values = list(map(mirrored, now, was))
        copy = before if was is before and not any(map(is_not, values, was)) else type(now)(values)
    elif isinstance(now, set):
        copy = before if now == before else now.copy()
    elif isinstance(now, Struct) and not now.__struct_config__.frozen:
        copy = _mirrored_struct(now, before)
    elif now == before:
        copy = before
    return copy  # type: ignore[no-any-return]


def _mirrored_struct(now: Struct, before: Struct | None) -> Struct:
    fields = structs.astuple(now)
    if before is None:
        return type(now)(*[mirrored(field, None) for field in fields])
    was = structs.astuple(before)
    values = list(was)
    ordered, others = _places(type(now))
    for place in ordered:
        values[place] = mirrored(fields[place], was[place])
    for place in others:
        if fields[place] is not was[place] and fields[place] != was[place]:
            values[place] = mirrored(fields[place], was[place])
    return type(now)(*values) if any(map(is_not, values, was)) else before


@cache
def _places(kind: type[Struct]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the places of the fields that hold dictionaries, whose order counts, and those of the others."""
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]
    ordered = tuple(place for place, field in enumerate(fields) if _holds_dict(field.type))
    return ordered, tuple(place for place in range(len(fields)) if place not in ordered)


def _holds_dict(kind: inspect.Type) -> bool:
    match kind:
        case inspect.StructType():
            return any(_holds_dict(field.type) for field in kind.fields)
        case inspect.ListType() | inspect.VarTupleType():
            return _holds_dict(kind.item_type)
        case inspect.TupleType():
            return any(map(_holds_dict, kind.item_types))
        case inspect.UnionType():
            return any(map(_holds_dict, kind.types))
    return isinstance(kind, inspect.DictType | inspect.AnyType)


def _mirrored_dict(now: dict[Any, Any], before: dict[Any, Any] | None) -> dict[Any, Any]:
    if before is None or list(now) != list(before):
        was = before or {}
        return {key: mirrored(value, was.get(key)) for key, value in now.items()}
    if not now:
        return before
    changed = list(compress(now, map(ne, now.values(), before.values())))
    if not changed:
        return before
    return _layer(before, {key: mirrored(now[key], before[key]) for key in changed})


def _layer(before: dict[Any, Any], anew: dict[Any, Any]) -> Layer:
    """Return `before` with the entries `anew`, at least one, each other than that of `before`."""
    layer = Layer(before)
    layer.update(anew)
    layer.changed = [*anew]
    layer.replaces = before.changed if type(before) is Layer else None
    return layer


def _follows(before: Collection[str], now: Collection[str]) -> bool:
    """Return whether `now` is known to have the keys of `before` in their order."""
    if type(now) is Layer and type(before) is Layer:
        return now.replaces is before.changed
    return now is before


def different(before: Collection[str], now: Collection[str]) -> Iterable[str]:
    """Return, in order, the keys whose entries are not the same object, or that only one of both has."""
    if before is now:
        return ()
    if isinstance(now, Layer) and _follows(before, now):
        return now.changed
    if not isinstance(now, dict) or not isinstance(before, dict):
        return [key for key in dict.fromkeys([*now, *before]) if (key in now) != (key in before)]
    if list(before) == list(now):
        return compress(now, map(is_not, before.values(), now.values()))
    both = dict.fromkeys([*now, *before])
    return [key for key in both if now.get(key, _NONE) is not before.get(key, _NONE)]


_NONE: Any = object()


def _entries(key: str, layers: Iterable[Collection[str]]) -> list[Any]:
    return [layer.get(key) if isinstance(layer, dict) else key in layer for layer in layers]
