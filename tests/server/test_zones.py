"""The hours of a seat: from a zone by its name to offsets, said when it sits down, and kept by its clock."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

import pytest

from domain.kernel.seats import Clock, Hours, Match, Seat
from domain.match.hours import MOST_OFFSETS, fix_hours
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


def test_zones_of_the_database_come_out_as_it_says() -> None:
    match = Match(seats=(Seat("North", 0),), clock=Clock(60, weekends=True))
    for zone in sorted(available_timezones() - {"localtime"})[::4]:
        found = hours(zone)

        assert fix_hours(match, 0, found)
        assert len(found.offsets) <= MOST_OFFSETS
        for begin, ahead in found.offsets[1:]:
            wall = ZoneInfo(zone)
            around = [datetime.fromtimestamp(begin + late, wall).utcoffset() for late in (-1, 0)]
            assert around[0] != around[1]
            assert around[1] is not None
            assert ahead == around[1].total_seconds()
