"""A person's luck over all his matches, as his page reads it, worked by hand."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest

from domain.kernel.facts import Rolled
from domain.match.replacing import SeatReplaced
from server.postgres.database import Connection
from server.serving import Serving
from tests.projections.rated import Duel, Thrown, dice, enter, enter_person, store, uid
from tests.server.reading import get
from tests.server.test_results import counted, play, read


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    opened = await asyncpg.connect(dsn)
    yield opened
    await opened.close()


def hits(by: int, of: int, dice_thrown: int) -> Rolled:
    """A roll in which so many of the dice hit, each with a chance of one half."""
    return dice(by, (6,) * of + (1,) * (dice_thrown - of))


def thrown(name: str, *rolls: Rolled | SeatReplaced, **other: Any) -> Thrown:
    return Thrown(name=name, between=rolls, rated=False, **other)


async def luck(server: Serving, handle: str = "ann") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await read(server, f"/api/people/{handle}/results"))["luck"]
    return found


def figures(one: dict[str, Any]) -> tuple[Any, ...]:
    return one["matches"], one["dice"], one["came"]


async def test_the_luck_of_a_person_is_the_sum_over_his_matches_in_words_and_figures(
    server: Serving, owner: Connection
) -> None:
    """Given a match and its rematch, in which sides are swapped, and what others rolled."""
    first = thrown("first", hits(0, 9, 12), hits(1, 1, 12))
    await play(server, owner, first, thrown("again", hits(0, 1, 8), hits(1, 5, 8), players=("bob", "ann")))
    await play(server, owner, thrown("of others", hits(0, 20, 20), players=("eve", "bob")))

    (found,) = await luck(server)

    # 20 dice, of which 10 hit in the mean, with a deviation of half the root of 20.
    assert {
        "title": "tiny",
        "measure": "hits",
        "matches": 2,
        "dice": 20,
        "came": 14,
        "expected": 10.0,
        "low": 5.6,
        "high": 14.4,
        "words": "Within ordinary luck, lucky: 4.0 hits above what was to be expected of 20 dice,"
        " where fair dice stay within ± 4.4 in 19 of 20 cases.",
    } == found
    assert [(2, 20, 2)] == [figures(one) for one in await luck(server, "bob")]


async def test_titles_and_measures_are_not_added(server: Serving, owner: Connection) -> None:
    check = dice(0, (3,) * 7, "7 or less holds", 10)
    await play(server, owner, thrown("one", hits(0, 6, 12), check))
    await play(server, owner, thrown("other", hits(0, 15, 30), title="midway"))

    assert [("midway", "hits", 1, 30), ("tiny", "hits", 1, 12), ("tiny", "checks", 1, 7)] == [
        (one["title"], one["measure"], one["matches"], one["dice"]) for one in await luck(server)
    ]


async def test_neither_private_matches_nor_those_against_oneself_count(
    server: Serving, owner: Connection
) -> None:
    await play(server, owner, thrown("counts", hits(0, 1, 2)), thrown("private", hits(0, 9, 9), private=True))
    await play(server, owner, thrown("alone", hits(0, 9, 9), hits(1, 0, 9), players=("ann", "ann")))

    assert [(1, 2, 1)] == [figures(one) for one in await luck(server)]


async def test_of_a_seat_that_changed_hands_each_has_what_was_rolled_while_he_sat_there(
    server: Serving, owner: Connection
) -> None:
    handed = thrown("handed", hits(0, 1, 2), SeatReplaced(0, "person"), hits(0, 4, 5))
    await enter_person(owner, "carl")
    await enter(owner, handed)
    await owner.execute(
        "INSERT INTO lobby.predecessor (match_id, seat, until, name, hidden, person_id)"
        " SELECT match_id, seat, $2, name, false, person_id FROM lobby.seat WHERE match_id = $1 AND seat = 0",
        handed.match,
        datetime.fromtimestamp(handed.at / 1e6, UTC),
    )
    await owner.execute("UPDATE lobby.seat SET person_id = $1 WHERE seat = 0", uid("carl"))
    await store(server.log, handed)
    await counted(server)

    assert [(1, 2, 1)] == [figures(one) for one in await luck(server)]
    assert [(1, 5, 4)] == [figures(one) for one in await luck(server, "carl")]


async def test_a_guest_who_signs_up_later_has_what_he_rolled(server: Serving, owner: Connection) -> None:
    await play(server, owner, thrown("guest", hits(1, 2, 3), players=("bob", "")))
    await enter_person(owner, "ann")
    before = await luck(server)
    await owner.execute("UPDATE lobby.seat SET person_id = $1 WHERE seat = 1", uid("ann"))

    assert [] == before
    assert [(1, 3, 2)] == [figures(one) for one in await luck(server)]


async def test_an_erased_person_leaves_no_luck_and_his_opponents_is_as_before(
    server: Serving, owner: Connection
) -> None:
    await play(server, owner, thrown("one", hits(0, 1, 2), hits(1, 2, 2)))
    before = await luck(server)
    await owner.execute(
        "UPDATE people.person SET handle = NULL, name = '', erased_at = log.now() WHERE handle = 'bob'"
    )

    assert before == await luck(server)
    got = await get(server.url, "/api/people/bob/results")
    assert (404, "no_person") == (got.status, got.json["code"])


class Unfinished(Thrown, frozen=True, kw_only=True):
    """A match that is still played: it has no end yet."""

    def facts(self) -> Any:
        """Its commands but for the last."""
        return super().facts()[:-1]


async def test_a_match_that_is_still_played_adds_nothing(server: Serving, owner: Connection) -> None:
    await play(server, owner, Unfinished(name="on", rated=False, between=(hits(0, 12, 12),)))
    assert [] == await luck(server)

    await play(server, owner, Duel(name="without dice"), thrown("over", hits(0, 1, 1)))

    assert [(1, 1, 1)] == [figures(one) for one in await luck(server)]
