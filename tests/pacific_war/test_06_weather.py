"""P6 Weather: the zones, their seasons, their dice."""

import pytest

from domain.kernel.facts import Rolled
from domain.pacific_war.board.atlas import HEX_NAMES, place, zone
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.board.weather import ZONES, foul_on, roll_weather
from tests.pacific_war.board import dice_left, told
from tests.pacific_war.months import campaign

BOOK = {
    "north": {"10 11 12 01 02 03": 5, "04 05 06 07 08 09": 2},
    "central": {"07 08 09 10 11": 2, "12 01 02 03 04 05 06": 1},
    "south": {"12 01 02 03 04": 2, "05 06 07 08 09 10 11": 1},
    "southeast": {"05 06 07 08 09 10": 3, "11 12 01 02 03 04": 1},
}
"""The table of P6.2: months to the highest face that is Foul."""


@pytest.mark.parametrize("name", BOOK)
def test_p6_2_each_zone_has_its_seasons(name: str) -> None:
    """Given every month, then the face is that of the table; the two seasons make a year."""
    faces = {month: face for months, face in BOOK[name].items() for month in months.split()}

    assert 12 == len(faces)
    assert faces == {month: foul_on(name, f"1944-{month}") for month in faces}


def test_p6_1_a_hex_belongs_to_the_zone_of_its_centre() -> None:
    """Given every hex, then its letter is what latitude and longitude say."""

    def by_place(hex: str) -> str:
        lat, lon = place(hex)
        if lat >= 30:
            return "north"
        if lat >= 5:
            return "central" if lon >= 125 else "southeast"
        return "south" if lon >= 140 else "southeast"

    assert [] == [one for one in HEX_NAMES if by_place(one) != zone(one)]
    assert ("north", "central", "south", "southeast") == ZONES


def test_p6_1_each_location_names_the_zone_of_its_hex() -> None:
    assert {one.id: one.zone for one in LOCATIONS.values()} == {
        one.id: zone(one.hex) for one in LOCATIONS.values()
    }


@pytest.mark.parametrize(
    ("dice", "foul"),
    [
        ((2, 2, 1, 3), {"north", "central", "south", "southeast"}),
        ((3, 3, 2, 4), set()),
        ((0, 9, 1, 9), {"north", "south"}),
    ],
)
def test_p6_2_four_open_dice_in_the_order_of_the_zones(dice: tuple[int, ...], foul: set[str]) -> None:
    """Given August, then the weather is Foul at 2, 2, 1 and 3 or less."""
    table = campaign(*dice, month="1942-08")
    table.facts = []

    assert foul == roll_weather(table)
    assert 0 == dice_left(table)
    assert [f"weather in the {name}" for name in ZONES] == [one.purpose for one in told(table.facts, Rolled)]
