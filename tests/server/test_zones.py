"""The hours of a seat: from a zone by its name to offsets, said when it sits down, and kept by its clock."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

import pytest

from domain.kernel.seats import Clock, Hours, Match, Seat
from domain.match.hours import MOST_OFFSETS, fix_hours
from domain.match.notices import LONGEST
from domain.match.refusals import RequestError
from server.play.zones import hours_of

NOON = int(datetime(2027, 1, 15, 12, tzinfo=UTC).timestamp())
TODAY = NOON - 12 * 3600


def hours(zone: str, night: int | None = None) -> Hours:
    found = hours_of(zone, night, NOON * 1_000_000)
    assert found is not None
    return found


def test_a_zone_is_told_by_its_offsets_from_today_on() -> None:
    berlin = hours("Europe/Berlin", 1380)

    summer, winter = datetime(2027, 3, 28, 1, tzinfo=UTC), datetime(2027, 10, 31, 1, tzinfo=UTC)
    assert (
        (TODAY, 3600),
        (int(summer.timestamp()), 7200),
        (int(winter.timestamp()), 3600),
    ) == berlin.offsets[:3]
    assert 1380 == berlin.night


def test_a_zone_without_summer_time_has_one_offset() -> None:
    assert Hours(((TODAY, 19800),)) == hours("Asia/Kolkata")
    assert Hours(((TODAY, 0),), 60) == hours("", 60)


def test_who_says_nothing_has_no_hours() -> None:
    assert hours_of("", None, NOON) is None


@pytest.mark.parametrize(
    "zone",
    ["Mars/Olympus", "../../etc/passwd", "/etc/localtime", "Europe", "x" * 300, "a\0b", "Europe/\udcff"],
)
def test_what_is_no_zone_is_refused(zone: str) -> None:
    with pytest.raises(RequestError) as caught:
        hours_of(zone, None, NOON)
    assert "bad_hours" == caught.value.code


ZONES = sorted(available_timezones() - {"localtime"})
OFTEN = ["Africa/Casablanca", "Africa/El_Aaiun", "Asia/Gaza", "Asia/Hebron"]
"""Zones that change four times in some years, around Ramadan."""

YEARS = (2027, 2032, 2036, 2040, 2045)


def check_zone(zone: str, year: int) -> None:
    """Check that a seat that sits down in this year may keep the hours of a zone, and that they are right."""
    now = datetime(year, 1, 15, 12, tzinfo=UTC)
    found = hours_of(zone, None, int(now.timestamp()) * 1_000_000)

    assert found is not None
    assert fix_hours(Match(seats=(Seat("North", 0),), clock=Clock(60, weekends=True)), 0, found)
    assert len(found.offsets) < MOST_OFFSETS or found.offsets[-1][0] > now.timestamp() + LONGEST
    for begin, ahead in found.offsets[1:]:
        wall = ZoneInfo(zone)
        around = [datetime.fromtimestamp(begin + late, wall).utcoffset() for late in (-1, 0)]
        assert around[0] != around[1]
        assert around[1] is not None
        assert ahead == around[1].total_seconds()


@pytest.mark.parametrize("year", YEARS)
def test_zones_of_the_database_come_out_as_it_says_in_years_to_come(year: int) -> None:
    """Given a part of the zones in each year, those that change most often in all."""
    for zone in {*OFTEN, *ZONES[YEARS.index(year) :: len(YEARS)]}:
        check_zone(zone, year)


@pytest.mark.soak
@pytest.mark.parametrize("year", YEARS)
def test_every_zone_of_the_database_comes_out_as_it_says_in_years_to_come(year: int) -> None:
    for zone in ZONES:
        check_zone(zone, year)
