"""What the ids in a text are called where a reader has the names of a title."""

import pytest

from domain.titles import TITLES
from projections.history import named
from server.commands.watch import spoken
from server.protocol.names import called

NAMES = {"jp_5div": "5 Division", "us_1.b": "a unit that is called so", "a": "A"}


@pytest.mark.parametrize(
    ("id", "name"),
    [
        ("jp_5div", "5 Division"),
        ("jp_5div.a", "5 Division, part a"),
        ("us_1.b", "a unit that is called so"),
        ("jp_6div.a", None),
        ("jp_5div.ab", None),
        (".a", None),
        ("a", "A"),
        ("", None),
    ],
)
def test_a_part_is_called_after_its_unit(id: str, name: str | None) -> None:
    assert name == called(NAMES, id)


def test_p2_a_part_of_a_division_is_told_by_its_name() -> None:
    unit = next(one for one in TITLES["pacific_war"].names if one.endswith("div"))
    name = TITLES["pacific_war"].names[unit]
    words = f"Part [{unit}.a] and [{unit}]"

    assert f"Part {name}, part a and {name}" == spoken(words, TITLES["pacific_war"].names)
    assert spoken(words, TITLES["pacific_war"].names) == named(words, TITLES["pacific_war"].names)
