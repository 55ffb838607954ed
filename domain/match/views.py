"""Views: what each audience sees, and the merge patch between two views (RFC 7396).

A view holds no null: in a merge patch a null means that a field is removed. It is made of cached parts, which
stay the same objects while unchanged (`domain.match.parts`) and are shared between audiences.
"""

from collections.abc import Collection, Mapping
from functools import cache
from itertools import compress, count
from operator import is_not
from typing import Any, Final, Generic, Literal, TypeVar

from msgspec import NODEFAULT, UNSET, UnsetType, field, structs, to_builtins

from domain.kernel.audience import VIEWERS, Viewer
from domain.kernel.facts import State
from domain.kernel.seats import Clock, Hours, Match, Seat, TimeOff
from domain.match.game import Game
from domain.match.parts import PLAIN, Part, Parts, different, mirrored

Table = TypeVar("Table")

ABSENT: Final[Any] = object()
"""Marks a field that is not sent."""


class CorrectionView(Part, frozen=True, kw_only=True):
    """A correction that is proposed, as in `domain.kernel.seats.Correction`."""

    by: int | UnsetType = UNSET
    back_to: int
    of: int
    agreed: tuple[int, ...]


class MatchView(Part, frozen=True, kw_only=True):
    """The part all titles share: seats, nonces, offers and the end, as in `domain.kernel.seats.Match`."""

    title: str
    scenario: str
    options: dict[str, bool | int | str]
    revision: str
    commitment: str
    seats: tuple[Seat, ...]
    clock: Clock | None = None
    taken: dict[int, str]
    promises: dict[int, str]
    nonces: dict[int, str]
    started: bool
    anew: dict[int, int] | UnsetType = UNSET
    spent: dict[int, tuple[str, ...]] | UnsetType = UNSET
    hours: dict[int, Hours] | UnsetType = UNSET
    holidays: dict[int, tuple[TimeOff, ...]] | UnsetType = UNSET
    resigned: tuple[int, ...]
    draw: tuple[int, ...]
    undo: tuple[int, ...]
    undo_to: int
    pause: tuple[int, ...] | UnsetType = UNSET
    paused: Literal[True] | UnsetType = UNSET
    correction: CorrectionView | UnsetType = UNSET
    over: bool
    winner: int | None = None
    reason: str
    key: str


class ClocksView(Part, frozen=True, kw_only=True):
    """The time that each seat has left, in microseconds, as of `at`, in microseconds since the epoch."""

    at: int
    left: dict[int, int]
    late: dict[int, int] = field(default_factory=dict)
    """Seat to how many of its time-outs were claimed in a row, where they are decided by claims."""
    vacant: tuple[int, ...] = ()
    """The seats that are offered to others, as their players stay away."""


class View(Part, Generic[Table], frozen=True, kw_only=True):
    """What one side or the onlookers see: the match, the seats that are asked, and the title's own table."""

    match: MatchView
    asked: tuple[int, ...]
    table: Table
    clocks: ClocksView | None = None
    early: bool = False
    """Not both sides have decided yet, or been late: either may call the match off."""
    waited_since: int = 0
    """Without a clock, since when those who are asked are waited for, in microseconds since the epoch."""


class Views:
    """Makes the views of one match, and caches their parts from one state to the next."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._shared, self._screens = Parts(), (Parts(), Parts())
        self._match, self._open, self._own = Match(), game.open(), [game.own(), game.own()]

    @property
    def match(self) -> Match:
        """The part that all titles share, as of the last views; it is never mutated."""
        return self._match

    def copy(self) -> "Views":
        """Return an independent copy, cache included."""
        other = Views(self._game)
        other._shared = self._shared.copy()
        other._screens = self._screens[0].copy(), self._screens[1].copy()
        other._match, other._open, other._own = self._match, self._open, [*self._own]
        return other

    def of(
        self,
        state: State[Any, Any],
        audiences: Collection[Viewer] = VIEWERS,
        clocks: ClocksView | None = None,
        *,
        early: bool = False,
        waited_since: int = 0,
    ) -> dict[Viewer, View[Part]]:
        """Return the view of each of these audiences; in a title without screens all get the same object."""
        game = self._game
        if state.match != self._match:
            self._match = mirrored(state.match, self._match)
        self._open = mirrored(state.open, self._open)
        match = self._shared.one(_match, self._match)
        table = game.view(self._open, self._shared)
        if game.waiting is not None:
            table = game.waiting(table, state)
        shared = View(
            match=match,
            asked=state.asked,
            table=table,
            clocks=clocks,
            early=early,
            waited_since=waited_since if clocks is None and self._match.started else 0,
        )
        if game.screen is None:
            return dict.fromkeys(audiences, shared)
        views: dict[Viewer, View[Part]] = {}
        for audience in audiences:
            if (side := audience.side) is None:
                views[audience] = shared
            else:
                self._own[side] = mirrored(state.own[side], self._own[side])
                seen = game.screen(table, self._open, self._own[side], self._screens[side])
                views[audience] = structs.replace(shared, table=seen)
        return views


def view(game: Game, state: State[Any, Any], audience: Viewer) -> View[Part]:
    """Return the view of one audience of a state, without a cache."""
    return Views(game).of(state, (audience,))[audience]


NESTED: Final = (dict, Part)
"""The types that a patch descends into."""

EMPTY: Final = (list, dict, set)
"""Types of which an empty value is left out, where it is the default."""

Known = dict[tuple[int, int], dict[str, Any]]
"""Patches computed so far, by the `id()` of the old and of the new object."""


def patches(pairs: Mapping[Viewer, tuple[Part, Part]]) -> dict[Viewer, dict[str, Any]]:
    """Return each audience's merge patch from its old to its new view; shared parts are compared once."""
    known: Known = {}
    return {audience: _patch(*pair, known) for audience, pair in pairs.items()}


def patch(old: Part | dict[str, Any], new: Part | dict[str, Any]) -> dict[str, Any]:
    """Return the merge patch from `old` to `new`, as plain JSON types; empty if they are equal.

    A change between 1, 1.0 and true is detected in a field, but not within a list. Objects that are identical
    in both are not compared, so what has not changed costs next to nothing.
    """
    return _patch(old, new, {})


def _patch(old: Part | dict[str, Any], new: Part | dict[str, Any], known: Known) -> dict[str, Any]:
    pair = id(old), id(new)
    if (found := known.get(pair)) is not None:
        return found
    changes: dict[str, Any] = {}
    known[pair] = changes
    if not isinstance(new, dict) and not isinstance(old, dict) and type(new) is type(old):
        fields, was, now = _fields(type(new)), structs.astuple(old), structs.astuple(new)
        for place in compress(count(), map(is_not, was, now)):
            key, left_out = fields[place]
            _change(changes, key, _sent(was[place], left_out), _sent(now[place], left_out), known)
        return changes
    entries, others = _items(old), _items(new)
    for key in different(entries, others):
        _change(changes, str(key), entries.get(key, ABSENT), others.get(key, ABSENT), known)
    return changes


def _change(changes: dict[str, Any], key: str, before: Any, now: Any, known: Known) -> None:
    """Add to `changes` what turns `before` into `now`, if they differ."""
    if before is now:
        return
    if type(now) in PLAIN:
        if now != before or type(now) is not type(before):
            changes[key] = now
    elif now is ABSENT:
        changes[key] = None
    elif isinstance(before, NESTED) and isinstance(now, NESTED):
        if change := _patch(before, now, known):
            changes[key] = change
    elif now != before or type(now) is not type(before):
        changes[key] = to_builtins(now, str_keys=True)


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


def _items(value: Part | dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a part that are sent, or the entries of a dictionary."""
    if isinstance(value, dict):
        return value
    fields = zip(_fields(type(value)), structs.astuple(value), strict=True)
    sent = ((key, _sent(item, left_out)) for (key, left_out), item in fields)
    return {key: item for key, item in sent if item is not ABSENT}


def _sent(value: Any, left_out: Any) -> Any:
    """Return the value of a field, or ABSENT if it is left out when the part is encoded."""
    if value is left_out or (left_out in EMPTY and type(value) is left_out and not value):
        return ABSENT
    return value


@cache
def _fields(kind: type[Part]) -> tuple[tuple[str, Any], ...]:
    """Return the name of each field as sent, and the value or the empty type with which it is left out."""
    return tuple(
        (field.encode_name, field.default if field.default_factory is NODEFAULT else field.default_factory)
        for field in structs.fields(kind)
    )


def _match(match: Match) -> MatchView:
    said = structs.asdict(match)
    if match.correction:
        said["correction"] = CorrectionView(**structs.asdict(match.correction))
    return MatchView(**said)
