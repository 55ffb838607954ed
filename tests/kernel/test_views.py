"""Views, and the merge patch between two of them (RFC 7396)."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import field, inspect, json, structs

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.dice import seeded
from domain.kernel.seats import Match
from domain.match.parts import Part
from domain.match.views import Views, patch, patched, patches
from domain.titles import TITLES
from tests.kernel.playing import Playing, any_choice
from tests.seen import plain, view
from tests.tiny import GAME
from tests.tiny.view import Table as TinyTable

scalars = st.booleans() | st.integers(-2, 2) | st.sampled_from([0.0, 1.0, 0.5]) | st.text("ab", max_size=2)
keys = st.text("abc", max_size=1)
lists = st.lists(st.text("ab", max_size=2), max_size=2)
values = st.recursive(scalars, lambda inner: lists | st.dictionaries(keys, inner), max_leaves=12)
objects = st.dictionaries(keys, values, max_size=4)
nulls = st.recursive(st.none() | scalars, lambda inner: st.dictionaries(keys, inner), max_leaves=9)


def merge_patch(target: Any, change: Any) -> Any:
    """The pseudo-code of RFC 7396, section 2, line by line."""
    if isinstance(change, dict):
        if not isinstance(target, dict):
            target = {}
        for name, value in change.items():
            if value is None:
                if name in target:
                    del target[name]
            else:
                target[name] = merge_patch(target.get(name), value)
        return target
    return change


def written(value: Any) -> bytes:
    """As JSON, so that 1, 1.0 and true are three things."""
    return json.encode(value, order="deterministic")


@given(objects, objects)
@example({"a": 1}, {"a": True})
@example({"a": {"b": 1}}, {"a": {"b": 1.0}})
def test_a_patch_makes_the_new_of_the_old(old: dict[str, Any], new: dict[str, Any]) -> None:
    before = written(old)
    change = json.decode(written(patch(old, new)))

    assert written(new) == written(patched(old, change))
    assert written(new) == written(merge_patch(json.decode(before), change))
    assert before == written(old)


@given(objects, objects)
@example({"a": 1}, {"a": True})
@example({"a": {"b": 1}}, {"a": {"b": 1.0}})
def test_a_patch_is_empty_if_and_only_if_nothing_changed(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert (written(old) == written(new)) == (patch(old, new) == {})
    assert {} == patch(old, old)


@given(nulls, nulls)
def test_a_patch_is_applied_as_the_rfc_says(target: Any, change: Any) -> None:
    before = written(target)

    assert written(merge_patch(json.decode(before), change)) == written(patched(target, change))
    assert before == written(target)


APPENDIX: list[tuple[Any, Any, Any]] = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]
"""Original, patch and result of RFC 7396, appendix A, in its order."""


@pytest.mark.parametrize(("original", "change", "result"), APPENDIX)
def test_the_examples_of_the_rfc(original: Any, change: Any, result: Any) -> None:
    assert result == patched(original, change)


@pytest.mark.parametrize(
    ("original", "result"),
    [
        (original, result)
        for original, _, result in APPENDIX
        if isinstance(original, dict) and isinstance(result, dict) and None not in original.values()
    ],
)
def test_the_examples_of_the_rfc_there_and_back(original: Any, result: Any) -> None:
    assert result == patched(original, patch(original, result))
    assert original == patched(result, patch(result, original))


def test_a_patch_says_no_more_than_what_changed() -> None:
    old = {"boats": {"1": {"steps": 2, "side": 0}, "2": {"steps": 1, "side": 1}}, "turn": 1, "order": "x"}
    new = {"boats": {"1": {"steps": 1, "side": 0}, "2": {"steps": 1, "side": 1}}, "turn": 1, "flags": {}}

    assert {"order": None, "boats": {"1": {"steps": 1}}, "flags": {}} == patch(old, new)


@pytest.mark.parametrize("side", [0, 1, None])
def test_over_a_whole_match_the_patches_make_the_view(side: int | None) -> None:
    for seed in range(5):
        chance = Random(seed)
        playing = Playing(GAME, "campaign", {"pairs": bool(seed % 2)}, seeded(seed))
        seen = json.decode(json.encode(view(GAME, playing.state, Audience.of(side))))
        while not playing.state.match.over:
            before = view(GAME, playing.state, Audience.of(side))
            playing.decide(*any_choice(playing.table, chance))
            change = json.decode(json.encode(patch(before, view(GAME, playing.state, Audience.of(side)))))
            seen = patched(seen, change)

            assert json.decode(json.encode(view(GAME, playing.state, Audience.of(side)))) == seen
            assert b"null" not in json.encode(seen)


def test_what_each_audience_sees_of_the_tiny_title() -> None:
    playing = Playing(GAME, "skirmish")

    north, south, onlookers = (view(GAME, playing.state, Audience.of(side)) for side in (0, 1, None))

    assert playing.table.own[0].hand == north["table"]["own"]["hand"]
    assert playing.table.own[1].hand == south["table"]["own"]["hand"]
    assert "own" not in onlookers["table"]
    assert {"0": 3, "1": 3} == onlookers["table"]["hands"]
    assert [0, 1] == onlookers["asked"]
    assert "tiny" == onlookers["match"]["title"]
    assert {"0": "bot", "1": "bot"} == onlookers["match"]["taken"]


def test_what_a_title_says_of_the_procedure_that_waits_stands_on_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = Playing(GAME, "skirmish").state
    before = view(GAME, state, Audience.ONLOOKERS)["table"]

    class Asking(TinyTable, frozen=True, kw_only=True):
        asks: int

    monkeypatch.setattr(
        GAME, "waiting", lambda table, state: Asking(**structs.asdict(table), asks=len(state.asked))
    )
    monkeypatch.setattr(GAME, "screen", None)

    assert {**before, "asks": 2} == view(GAME, state, Audience.ONLOOKERS)["table"]


def test_what_is_the_same_object_in_both_is_not_looked_into() -> None:
    class Charts(dict[str, int]):
        __hash__ = None

        def __eq__(self, other: object) -> bool:
            raise AssertionError("it was looked into")

    charts = Charts(odds=3)

    assert {"turn": 2} == patch({"charts": charts, "turn": 1}, {"charts": charts, "turn": 2})


class Leaf(Part, frozen=True, kw_only=True):
    size: int = 0
    large: int = 1_000
    names: tuple[str, ...] = ()
    found: dict[str, int] = field(default_factory=dict)
    counted: int = field(default_factory=int)


class Tree(Part, frozen=True, kw_only=True):
    leaves: dict[str, Leaf]


FOUND = st.dictionaries(st.just("a"), st.just(1))


@given(
    st.builds(Leaf, size=st.integers(0, 2), names=st.just(()) | st.just(("a",)), found=FOUND),
    st.builds(Leaf, large=st.just(int("1000")) | st.just(1), counted=st.integers(0, 1)),
)
def test_a_patch_of_parts_is_that_of_what_is_sent_of_them(one: Leaf, other: Leaf) -> None:
    """A field is left out by the rule of the encoder: if it is its default, and not if it is equal to it."""
    for old, new in ((one, other), (other, one), (one, one)):
        was, now = plain(old), plain(new)

        assert patch(was, now) == plain(patch(old, new))
        assert now == patched(was, plain(patch(old, new)))
        assert {"leaves": {"x": now}} == plain(patch(Part(), Tree(leaves={"x": new})))


def test_what_several_audiences_share_is_compared_once_and_what_they_do_not_apart() -> None:
    new, old, older = Leaf(size=1), Leaf(), Leaf(size=2, names=("a",))

    changes = patches(
        {
            Audience.SIDE_0: (Tree(leaves={"x": old}), Tree(leaves={"x": new})),
            Audience.SIDE_1: (Tree(leaves={"x": new}), Tree(leaves={"x": new})),
            Audience.ONLOOKERS: (Tree(leaves={"x": older}), Tree(leaves={"x": new})),
        }
    )

    assert {"leaves": {"x": {"size": 1}}} == changes[Audience.SIDE_0]
    assert {} == changes[Audience.SIDE_1]
    assert {"leaves": {"x": {"size": 1, "names": None}}} == changes[Audience.ONLOOKERS]


def test_in_a_title_without_screens_all_get_the_same_view() -> None:
    game = TITLES["midway"]
    views = Views(game).of(game.state())

    assert set(VIEWERS) == set(views)
    assert 1 == len(set(map(id, views.values())))


def test_no_audience_shares_a_cache_with_a_screen() -> None:
    """Else the order of what is sent could follow what another side alone can see."""
    views = Views(GAME)

    for one in (views, views.copy()):
        assert 3 == len({id(parts) for parts in (one._shared, *one._screens)})


LEDGERS = [Match, *(kind for game in (*TITLES.values(), GAME) for kind in (game.open, game.own))]


@pytest.mark.parametrize("ledger", LEDGERS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_a_ledger_holds_nothing_that_a_mirror_cannot_take(ledger: type[Any]) -> None:
    mirrorable(inspect.type_info(ledger))


def mirrorable(kind: inspect.Type, *, frozen: bool = False) -> None:
    """Hold a type to scalars, structs, tuples, lists, dictionaries and sets; what is frozen has no others."""
    if isinstance(kind, inspect.StructType):
        immutable = kind.cls.__struct_config__.frozen
        assert immutable or not frozen, f"{kind.cls} can be changed within what is frozen"
        assert immutable or len(kind.cls.__match_args__) == len(kind.fields), f"{kind.cls} takes names only"
        for one in kind.fields:
            mirrorable(one.type, frozen=immutable)
        return
    assert not frozen or not isinstance(kind, inspect.DictType | inspect.ListType | inspect.SetType)
    inside = [getattr(kind, name) for name in ("value_type", "item_type") if hasattr(kind, name)]
    for part in (*inside, *getattr(kind, "item_types", ()), *getattr(kind, "types", ())):
        mirrorable(part, frozen=frozen)
    assert type(kind).__name__ in MIRRORED, kind


MIRRORED = {
    *("StrType", "IntType", "BoolType", "NoneType", "LiteralType", "CustomType"),
    *("DictType", "ListType", "SetType", "VarTupleType", "TupleType", "UnionType"),
}
"""A `CustomType` is UNSET."""
