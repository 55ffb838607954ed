import asyncio
import random
from collections.abc import AsyncIterator, Iterable
from typing import Any
from uuid import UUID

import asyncpg
import pytest

from domain.kernel.facts import Fact
from domain.match.claims import OUT_OF_TIME
from domain.match.notices import BY_MATCH, CALLED_OFF
from domain.match.replacing import SeatReplaced
from projections.balance import ENOUGH, advantage
from projections.feed import catch_up, turn
from projections.generations import rebuild
from projections.glicko2 import Rating, Result, aged, expected, rated
from projections.ratings import PERIOD, Ratings
from server.log.store import PostgresLog
from server.postgres.database import Connection, Database, connection
from tests.projections.rated import Duel, enter, enter_person, season, store, uid


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    opened = await asyncpg.connect(dsn)
    yield opened
    await opened.close()


async def play(owner: Connection, log: PostgresLog, *duels: Duel) -> None:
    for duel in duels:
        await enter(owner, duel)
        await store(log, duel)


async def rows(database: Database, view: str = "rated") -> list[dict[str, Any]]:
    order = {"rated": "title, ended_at, match_id, side", "rating": "title, subject"}[view]
    async with connection(database.read) as conn:
        return [dict(row) for row in await conn.fetch(f"SELECT * FROM view.{view} ORDER BY {order}")]


async def follow(database: Database) -> list[dict[str, Any]]:
    await catch_up(database.projector, Ratings())
    return await rows(database)


async def both(database: Database) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    return await rows(database), await rows(database, "rating")


def ratings_after(row: dict[str, Any]) -> Rating:
    return Rating(row["rating"], row["deviation"], row["volatility"])


async def test_a_win_moves_both_ratings_as_glicko_says(
    database: Database, owner: Connection, log: PostgresLog
) -> None:
    await play(owner, log, Duel(name="one"))

    won, lost = await follow(database)

    new = Rating()
    assert (str(uid("ann")), 1.0, str(uid("bob")), 0.0) == (
        won["subject"],
        won["score"],
        lost["subject"],
        lost["score"],
    )
    assert rated(new, [Result(new, 1)], 0) == ratings_after(won)
    assert rated(new, [Result(new, 0)], 0) == ratings_after(lost)
    assert (1500, 350, 0.06, 0.5) == (
        won["before"],
        won["before_deviation"],
        won["before_volatility"],
        won["chance"],
    )
    async with connection(database.read) as conn:
        latest = await conn.fetch("SELECT subject, rating, matches, last_match FROM view.rating")
    assert {
        (won["subject"], won["rating"], 1, won["match_id"]),
        (lost["subject"], lost["rating"], 1, won["match_id"]),
    } == set(map(tuple, latest))


@pytest.mark.parametrize(
    ("duel", "why"),
    [
        (Duel(name="unrated", rated=False), "friendly"),
        (Duel(name="unclocked", clock=None), "no clock"),
        (Duel(name="agreed", winner=None, reason="agreement", rule=BY_MATCH), "a draw by agreement"),
        (Duel(name="off", winner=None, reason=CALLED_OFF, rule=BY_MATCH), "called off"),
        (Duel(name="alone", players=("ann", "ann")), "one person on both sides"),
        (Duel(name="guest", players=("ann", "")), "a guest"),
        (Duel(name="own bot", players=("ann", "anns_bot")), "a bot and its owner"),
        (Duel(name="two own bots", players=("anns_bot", "anns_other")), "two bots of one owner"),
        (Duel(name="mirror", players=("house:calm", "house:calm")), "a bot of the house against itself"),
        (Duel(name="one side", players=("ann", "bob"), sides=(0, 0)), "a side without a seat"),
        (Duel(name="team", players=("ann", "bob", "cyd"), sides=(0, 1, 1)), "several on a side"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
async def test_a_match_is_not_rated_where_something_is_lacking(
    database: Database, owner: Connection, log: PostgresLog, duel: Duel, why: str
) -> None:
    await enter_person(owner, "ann")
    await enter_person(owner, "anns_bot", of="ann")
    await enter_person(owner, "anns_other", of="ann")
    await play(owner, log, duel, Duel(name="counts"))

    assert {uid("counts")} == {row["match_id"] for row in await follow(database)}, why


@pytest.mark.parametrize(
    "duel",
    [
        Duel(name="resigned", reason="resignation", rule=BY_MATCH),
        Duel(name="claimed", reason=OUT_OF_TIME, rule=BY_MATCH),
        Duel(name="drawn by the rules", winner=None),
        Duel(name="another's bot", players=("ann", "bobs_bot")),
        Duel(name="of the house", players=("house:calm", "ann")),
        Duel(name="two of the house", players=("house:calm", "house:bold")),
        Duel(name="all seats of a side", players=("ann", "bob", "bob"), sides=(0, 1, 1)),
        Duel(name="private", private=True),
    ],
    ids=lambda duel: duel.name,
)
async def test_a_match_is_rated(database: Database, owner: Connection, log: PostgresLog, duel: Duel) -> None:
    await enter_person(owner, "bob")
    await enter_person(owner, "bobs_bot", of="bob")
    await play(owner, log, duel)

    found = await follow(database)

    assert [duel.match] * 2 == [row["match_id"] for row in found]
    assert {player if player.startswith("house:") else str(uid(player)) for player in duel.players} == {
        row["subject"] for row in found
    }


async def test_who_sat_down_counts_and_not_who_is_tied_to_the_seat_or_erased_later(
    database: Database, owner: Connection, log: PostgresLog
) -> None:
    await play(owner, log, Duel(name="one"), Duel(name="with a guest", players=("ann", "")))
    before = await follow(database)

    await enter_person(owner, "cyd")
    await owner.execute("UPDATE lobby.seat SET person_id = $1 WHERE seat = 1", uid("cyd"))
    await owner.execute("UPDATE people.person SET handle = NULL, name = '', erased_at = log.now()")
    await rebuild(database.projector, Ratings())

    assert before == await rows(database)


async def test_ratings_are_less_sure_by_the_days_without_play(
    database: Database, owner: Connection, log: PostgresLog
) -> None:
    await play(owner, log, Duel(name="one", day=0.1), Duel(name="same day", day=0.2))
    await play(owner, log, Duel(name="later", day=100.0, winner=1))

    found = await follow(database)

    first, second, third = found[0], found[2], found[4]
    assert (first["rating"], first["deviation"]) == (second["before"], second["before_deviation"])
    assert aged(ratings_after(second), 100 / PERIOD).deviation == third["before_deviation"]
    assert [1, 2, 3] == [row["matches"] for row in (first, second, third)]


async def test_the_advantage_of_a_side_counts_from_the_fifty_first_match_on(
    database: Database, owner: Connection, log: PostgresLog
) -> None:
    """Given fifty matches of a scenario, each between two who play no other, of which North won 40."""
    duels = [
        Duel(name=f"{n:03}", players=(f"north_{n}", f"south_{n}"), winner=int(n >= 40), day=n)
        for n in range(ENOUGH)
    ]
    await play(owner, log, *duels, Duel(name="other", scenario="campaign", day=ENOUGH + 1))
    await play(owner, log, Duel(name="next", players=("cyd", "dan"), day=ENOUGH + 2))

    found = await follow(database)

    worth = advantage(40, ENOUGH)
    assert {0.5} == {row["chance"] for row in found[:-2]}
    assert [expected(Rating(), Rating(), worth), expected(Rating(), Rating(), -worth)] == [
        row["chance"] for row in found[-2:]
    ]
    assert rated(Rating(), [Result(Rating(), 1, worth)], 0) == ratings_after(found[-2])
    assert [(51, 41.0), (51, 10.0)] == [(row["played"], row["points"]) for row in found[-2:]]


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_in_whatever_order_matches_come_from_the_log_it_is_the_same(
    database: Database, owner: Connection, log: PostgresLog, seed: int
) -> None:
    duels = season(seed, 80)
    for duel in duels:
        await enter(owner, duel)
    coming = random.Random(seed).sample(duels, len(duels))
    for number, duel in enumerate(coming):
        await store(log, duel)
        if number % 7 == 0:
            await follow(database)
    await follow(database)
    shuffled = await both(database)

    await rebuild(database.projector, Ratings())

    assert shuffled == await both(database)
    assert in_order(duels) == [row["match_id"] for row in shuffled[0][::2]]
    assert last_of_each(shuffled[0]) == [
        (row["subject"], row["rating"], row["deviation"], row["volatility"], row["matches"])
        for row in shuffled[1]
    ]


def in_order(duels: Iterable[Duel]) -> list[Any]:
    return [duel.match for duel in sorted(duels, key=lambda duel: (duel.at, duel.match))]


def last_of_each(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    last = {row["subject"]: row for row in found}
    return [
        (subject, row["rating"], row["deviation"], row["volatility"], row["matches"])
        for subject, row in sorted(last.items())
    ]


async def test_another_nodes_match_that_ended_earlier_and_is_stored_later_counts_in_its_place(
    database: Database, owner: Connection, log: PostgresLog
) -> None:
    first, second = Duel(name="first", day=1), Duel(name="second", day=2, winner=1)
    await play(owner, log, second)
    alone = await follow(database)
    await play(owner, log, first)

    found = await follow(database)

    assert [first.match, second.match] == [row["match_id"] for row in found[::2]]
    assert (Rating(), 1) == (ratings_before(found[0]), found[0]["matches"])
    assert aged(ratings_after(found[0]), 1 / PERIOD) == ratings_before(found[2])
    assert ratings_after(found[2]) != ratings_after(alone[0])
    assert [second.match] * 2 == [row["last_match"] for row in await rows(database, "rating")]


def ratings_before(row: dict[str, Any]) -> Rating:
    return Rating(row["before"], row["before_deviation"], row["before_volatility"])


async def test_rebuilt_while_matches_end_it_is_the_same_as_followed(
    database: Database, owner: Connection, log: PostgresLog
) -> None:
    duels = season(5, 60)
    for duel in duels:
        await enter(owner, duel)
    for duel in duels[::2]:
        await store(log, duel)
    await follow(database)

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        rebuilding = group.create_task(rebuild(database.projector, Ratings()))
        for duel in duels[1::2]:
            await store(log, duel)
            await turn(database.projector, Ratings())
        await rebuilding
    await follow(database)
    followed = await both(database)
    await rebuild(database.projector, Ratings())

    assert followed == await both(database)
    assert len(duels) == len(followed[0]) / 2


class Handed(Duel, frozen=True, kw_only=True):
    """A match in which seat 1 was given to another before it ended."""

    def facts(self) -> list[tuple[UUID, list[Fact]]]:
        *before, end = super().facts()
        return [*before, (uid(f"{self.name} handed"), [SeatReplaced(1, "person")]), end]


@pytest.mark.parametrize("winner", [0, 1, None])
async def test_whose_seat_was_given_to_another_has_lost_however_it_ends_and_the_other_is_not_rated(
    database: Database, owner: Connection, log: PostgresLog, winner: int | None
) -> None:
    handed = Handed(name="handed", winner=winner)
    await play(owner, log, handed)
    carl = await enter_person(owner, "carl")
    await owner.execute(
        "INSERT INTO lobby.joining (hash, match_id, command_id, seat, name, kind, person_id)"
        " VALUES (sha256('carl'), $1, $2, 1, 'carl', 'person', $3)",
        handed.match,
        uid("handed handed"),
        carl,
    )

    found = await follow(database)

    assert [(str(uid("ann")), 1.0), (str(uid("bob")), 0.0)] == [
        (one["subject"], one["score"]) for one in found
    ]


async def test_what_was_not_offered_as_rated_is_not_when_a_seat_is_given_to_another(
    database: Database, owner: Connection, log: PostgresLog
) -> None:
    await play(owner, log, Handed(name="friendly", rated=False), Handed(name="guest", players=("ann", "")))

    assert [] == await follow(database)
