"""Parts of a view: kept, as the same object, while what they are made of is equal."""

from gc import get_referents
from random import Random
from typing import Any

import pytest
from msgspec import Struct, field, json

from domain.match.parts import Part, Parts, different, mirrored


class Boat(Struct):
    """A piece of a table, changed in place."""

    place: str
    hits: list[int] = []


class Printed(Struct, frozen=True):
    """What never changes."""

    name: str


class Lake(Struct):
    boats: dict[str, Boat] = {}
    sunk: list[str] = []
    pair: tuple[dict[str, int], dict[str, int]] = ({}, {})
    flagship: Boat | None = None
    chart: Printed = Printed("lake")
    seen: set[str] = set()


class Shown(Part, frozen=True, kw_only=True):
    where: str
    sunk: bool = False


class Count(Part, frozen=True, kw_only=True):
    boats: int


MADE: list[Any] = []


def shown(name: str, boat: Boat, sunk: bool | None = None) -> Shown:
    MADE.append(name)
    return Shown(where=boat.place, sunk=bool(sunk))


def counted(boats: dict[str, Boat]) -> Count:
    MADE.append("count")
    return Count(boats=len(boats))


def by_place(places: dict[str, str]) -> dict[str, Count]:
    found = list(places.values())
    return {place: Count(boats=found.count(place)) for place in found}


def made() -> list[Any]:
    """What was made since the last time."""
    found = MADE.copy()
    MADE.clear()
    return found


@pytest.fixture(autouse=True)
def nothing_made() -> None:
    MADE.clear()


def lake() -> Lake:
    return Lake({"a": Boat("east"), "b": Boat("west"), "c": Boat("west")})


def test_a_field_with_its_default_is_left_out() -> None:
    assert b'{"where":"east"}' == json.encode(Shown(where="east"))
    assert b"{}" == json.encode(Part())


# mirrors


def test_a_mirror_stays_what_it_was_when_the_table_changes_in_place() -> None:
    table = lake()
    table.pair[1]["x"] = 1
    table.flagship = table.boats["a"]
    was = json.encode(table)

    mirror = mirrored(table, None)
    table.boats["a"].place = "north"
    table.boats["b"].hits.append(3)
    table.boats["d"] = Boat("south")
    del table.boats["c"]
    table.sunk.append("c")
    table.pair[0]["y"] = table.pair[1]["x"] = 2
    table.seen.add("a")

    assert was == json.encode(mirror)
    assert type(mirror) is Lake


def test_a_mirror_is_equal_and_shares_all_that_is_equal_with_the_one_before() -> None:
    table = lake()
    before = mirrored(table, None)
    table.boats["b"].place = "north"
    table.sunk.append("c")

    now = mirrored(table, before)

    assert table == now
    assert now.boats is not before.boats
    assert [True, False, True] == [now.boats[name] is before.boats[name] for name in "abc"]
    assert now.pair is before.pair
    assert now.chart is table.chart
    assert now.boats["b"] is not table.boats["b"]


def test_a_mirror_has_the_order_of_the_table_where_nothing_else_has_changed() -> None:
    """A part may be made of the order: of the units of a stack, as one lies on another."""
    table = lake()
    before = mirrored(table, None)

    now = mirrored(Lake(dict(reversed(table.boats.items()))), before)

    assert ["c", "b", "a"] == list(now.boats)
    assert all(now.boats[name] is before.boats[name] for name in "abc")


class Sea(Struct):
    """Dictionaries deep within."""

    lake: Lake
    lakes: list[Lake] = []
    soundings: dict[str, int] | None = None


def test_a_mirror_has_the_order_of_what_lies_deep_within() -> None:
    def sea(*names: str) -> Sea:
        depths = dict.fromkeys(names, 1)
        return Sea(Lake(pair=(depths, {})), [Lake({name: Boat("east") for name in names})], depths)

    before = mirrored(sea("a", "b"), None)
    now = mirrored(sea("b", "a"), before)

    assert ["a", "b"] == list(before.lake.pair[0]) == list(before.lakes[0].boats)
    assert ["b", "a"] == list(now.lake.pair[0]) == list(now.lakes[0].boats) == list(now.soundings or ())


def test_a_mirror_of_what_has_not_changed_is_the_one_before() -> None:
    table = lake()
    before = mirrored(table, None)

    assert mirrored(lake(), before) is before
    assert mirrored(table.boats, before.boats) is before.boats


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1}, {"b": 1}),
        ({"a": 1, "b": 2}, {"a": 1}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([1, 2], [2, 1]),
        ([1, 2], [1]),
        (({}, {"a": 1}), ({"a": 1}, {})),
        ((), (1,)),
        (Boat("east"), Boat("east", [1])),
        (None, Boat("east")),
        (Boat("east"), None),
        ({"a": {"b": [1]}}, {"a": {"b": [1, 2]}}),
        ({"a"}, {"b"}),
        ({"a": "x"}, {"a": {"b": 1}}),
        ({"a": {"b": 1}}, {"a": "x"}),
        ({"a": {"b": 1}}, {"a": ["b"]}),
        ({"a": ["b"]}, {"a": {"b": 1}}),
        (Boat("east"), Lake()),
        ([{"a": 1, "b": 2}], [{"b": 2, "a": 1}]),
    ],
)
def test_whatever_there_was_before_a_mirror_is_equal_to_what_it_is_of(old: Any, new: Any) -> None:
    now = mirrored(new, mirrored(old, None))

    assert new == now
    assert isinstance(now, type(new))
    assert not isinstance(new, dict) or list(new) == list(now)
    assert new is None or new == () or now is not new


# what differs


@pytest.mark.parametrize(
    ("before", "now", "keys"),
    [
        ({"a": "x", "b": "y"}, {"a": "x", "b": "z"}, {"b"}),
        ({"a": "x", "b": "y"}, {"b": "y"}, {"a"}),
        ({"b": "y"}, {"a": "x", "b": "y"}, {"a"}),
        ({"a": "x", "b": "y"}, {"b": "y", "a": "x"}, set()),
        (["a", "b"], ["b", "c"], {"a", "c"}),
        (["a", "b"], ["b", "a"], set()),
        ({"a": "x"}, ["a", "b"], {"b"}),
        (["a", "b"], {"a": "x"}, {"b"}),
        ({}, {}, set()),
    ],
)
def test_the_keys_with_other_entries_are_found(before: Any, now: Any, keys: set[str]) -> None:
    assert keys == set(different(before, now))


def test_an_entry_that_is_equal_and_another_object_is_another_entry() -> None:
    boat = Boat("east")

    assert ["a"] == list(different({"a": boat}, {"a": Boat("east")}))
    assert [] == list(different({"a": boat}, {"a": boat}))


@pytest.mark.parametrize("seed", range(5))
def test_at_every_step_of_a_walk_the_keys_that_differ_are_found(seed: int) -> None:
    """Of mirrors and of parts: through boats that move, come, go and change places, and steps without any."""
    random, table, parts = Random(seed), lake(), Parts()
    mirror = mirrored(table, None).boats
    where = parts.each(shown, mirror)
    for _ in range(60):
        match random.randrange(5):
            case 0:
                table.boats[random.choice("abcdef")] = Boat("south")
            case 1:
                table.boats.pop(random.choice("abcdef"), None)
            case 2:
                table.boats = dict(reversed(table.boats.items()))
            case _:
                for boat in random.sample([*table.boats.values()], min(2, len(table.boats))):
                    boat.place = random.choice(["east", "west"])
                    boat.hits = [random.randrange(2)]
        mirror_before, mirror = mirror, mirrored(table.boats, mirror)
        where_before, where = where, parts.each(shown, mirror)

        assert list(table.boats.items()) == list(mirror.items())
        assert list(where.items()) == [(name, shown(name, boat)) for name, boat in table.boats.items()]
        for before, now in ((mirror_before, mirror), (where_before, where)):
            keys = {*before, *now}
            assert {key for key in keys if before.get(key) is not now.get(key)} == {*different(before, now)}


class Harbour(Part, frozen=True, kw_only=True):
    boats: dict[str, Shown] = field(default_factory=dict)


def test_what_comes_to_hold_nothing_is_left_out_as_if_it_had_never_held_anything() -> None:
    parts, table = Parts(), lake()
    mirror = mirrored(table.boats, None)
    parts.each(shown, mirror)
    for name in "abc":
        del table.boats[name]
        mirror = mirrored(table.boats, mirror)
        where = parts.each(shown, mirror)

    assert b"{}" == json.encode(Harbour(boats=where))


def test_a_dictionary_does_not_hold_the_one_that_it_replaces() -> None:
    """A match of a thousand decisions has one of them, not a thousand."""
    table = lake()
    first = mirrored(table.boats, None)
    table.boats["a"].place = "north"
    second = mirrored(table.boats, first)
    table.boats["a"].place = "south"

    third = mirrored(table.boats, second)

    assert ["a"] == list(different(second, third))
    assert not any(held is second or held is first for held in get_referents(third))


def test_between_dictionaries_that_do_not_follow_each_other_all_keys_are_found() -> None:
    table = lake()
    versions = [mirrored(table.boats, None)]
    for name in "abc":
        table.boats[name].place = "north"
        versions.append(mirrored(table.boats, versions[-1]))

    assert [["a"], ["a", "b"], ["a", "b", "c"]] == [list(different(versions[0], now)) for now in versions[1:]]
    assert ["b", "c"] == list(different(versions[1], versions[3]))
    assert ["b", "c"] == list(different(versions[3], versions[1]))


def test_what_is_the_same_object_has_no_keys_that_differ() -> None:
    boats = {"a": Boat("east")}

    assert [] == list(different(boats, boats))


# parts


def test_a_part_is_made_again_only_when_what_it_is_made_of_has_changed() -> None:
    parts, boats = Parts(), {"a": Boat("east")}

    first = parts.one(counted, mirrored(boats, None))
    again = parts.one(counted, mirrored(boats, None))
    assert ["count"] == made()
    assert first is again

    boats["b"] = Boat("west")
    assert Count(boats=2) == parts.one(counted, mirrored(boats, None))
    assert ["count"] == made()


def test_a_part_that_comes_out_equal_is_the_one_before() -> None:
    parts = Parts()

    first = parts.one(counted, {"a": Boat("east")})

    assert first is parts.one(counted, {"a": Boat("west")})
    assert 2 * ["count"] == made()


def test_of_a_dictionary_of_parts_those_that_come_out_equal_are_the_ones_before() -> None:
    parts = Parts()

    first = parts.one(by_place, {"a": "east", "b": "west", "c": "west"})
    then = parts.one(by_place, {"a": "east", "b": "west", "c": "east"})

    assert {"east": Count(boats=2), "west": Count(boats=1)} == then
    assert {"east": Count(boats=1), "west": Count(boats=2)} == first
    last = parts.one(by_place, {"a": "east", "b": "north", "c": "east"})
    assert last["east"] is then["east"]


def test_of_many_parts_only_those_are_made_anew_whose_entries_have_changed() -> None:
    parts, table = Parts(), lake()
    before = mirrored(table.boats, None)
    first = parts.each(shown, before)
    assert ["a", "b", "c"] == made()

    table.boats["b"].place = "north"
    del table.boats["c"]
    table.boats["d"] = Boat("south")
    then = parts.each(shown, mirrored(table.boats, before))

    assert ["b", "d"] == sorted(made())
    assert {"a": "east", "b": "north", "d": "south"} == {name: one.where for name, one in then.items()}
    assert first["a"] is then["a"]
    assert ["a", "b", "c"] == list(first), "what was given out stays as it was"
    assert "west" == first["b"].where


def place(_name: str, boat: Boat) -> str:
    return boat.place


def test_functions_that_follow_a_layer_at_their_own_pace_miss_nothing() -> None:
    east, west, north = (Boat(where) for where in ("east", "west", "north"))
    first, second, third = {"a": east, "b": east}, {"a": west, "b": east}, {"a": west, "b": north}

    late = Parts()
    late.each(shown, first)
    late.each(place, second)
    assert {"a": "west", "b": "north"} == late.each(place, third)
    assert ["west", "north"] == [one.where for one in late.each(shown, third).values()]

    apart = Parts()
    apart.each(shown, second)
    apart.each(place, second)
    assert {"a": "west", "b": "north"} == apart.each(place, third)
    assert ["east", "east"] == [one.where for one in apart.each(shown, first).values()]


def test_what_is_new_comes_in_the_order_of_the_table() -> None:
    """Else two nodes send the same in other bytes, as sets of words differ from process to process."""
    parts, names = Parts(), [f"boat {number}" for number in range(30)]
    parts.each(shown, {name: Boat("east") for name in names[:10]}, [])

    then = parts.each(shown, {name: Boat("east") for name in names}, names[5:])

    assert names == list(then)


def test_many_parts_of_which_none_comes_out_other_are_the_same_dictionary() -> None:
    parts, boats = Parts(), {"a": Boat("east")}
    first = parts.each(shown, mirrored(boats, None))
    boats["a"].hits.append(1)

    assert first is parts.each(shown, mirrored(boats, None))
    assert first is parts.each(shown, mirrored(boats, None))


def test_parts_of_several_layers_follow_each_of_them() -> None:
    parts, boats = Parts(), mirrored(lake().boats, None)
    first = parts.each(shown, boats, ["c", "z"])
    assert [False, False, True] == [one.sunk for one in first.values()]
    made()

    then = parts.each(shown, boats, ["a", "z"])

    assert ["a", "c"] == sorted(made())
    assert [True, False, False] == [one.sunk for one in then.values()]


def test_an_entry_that_a_mapping_does_not_have_is_none() -> None:
    entries: list[Any] = []

    def kept(*given: Any) -> Part:
        entries.append(given)
        return Part()

    Parts().each(kept, {"a": 1}, {"b": 2}, {"a": 0})

    assert [("a", 1, None, 0)] == entries


def test_a_part_of_a_type_that_is_equal_to_the_last_is_the_last() -> None:
    parts = Parts()

    first = parts.same(Shown(where="east"))

    assert first is parts.same(Shown(where="east"))
    assert Shown(where="west") == parts.same(Shown(where="west"))
    assert first is not parts.same(Shown(where="east"))
    assert Count(boats=1) == parts.same(Count(boats=1))


def test_copies_go_on_by_themselves() -> None:
    parts, boats = Parts(), {"a": Boat("east")}
    mirror = mirrored(boats, None)
    first, same = parts.each(shown, mirror), parts.same(Count(boats=1))
    made()

    copy = parts.copy()
    assert first is copy.each(shown, mirror)
    assert same is copy.same(Count(boats=1))
    assert [] == made()
    boats["a"].place = "west"
    copy.each(shown, mirrored(boats, mirror))
    copy.same(Count(boats=2))
    boats["a"].place = "east"
    made()

    assert first is parts.each(shown, mirrored(boats, mirror))
    assert same is parts.same(Count(boats=1))
    assert [] == made()
