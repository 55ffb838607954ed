"""Seats that were taken and not given: each node completes them, whoever took them comes back or not."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import pytest

from server.lobby import unfinished
from server.lobby.seats import Seats
from server.postgres.database import Connection, Pool, alone
from server.serving import Serving
from tests.server.talk import Said, offer, talking, token
from tests.server.test_claims import Weeks, weeks  # noqa: F401 a fixture
from tests.server.test_replacing import on_offer, take
from tests.server.test_seats import join, joined, look_on, opens, valid, wish


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Give a connection as the owner of the database."""
    async with alone(dsn) as conn:
        yield conn


class Giving:
    """Whether seats are given, or that breaks off as at a node that is killed between the log and the lobby.

    Nodes look by themselves no more: tests have them look.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._patch, self._complete = patch, Seats.complete
        patch.setattr(unfinished, "LOOK", 3600.0)

    def breaks(self) -> None:
        async def complete(_: Seats, _match: UUID, _token: bytes, _pool: Pool) -> bool:
            raise TimeoutError

        self._patch.setattr(Seats, "complete", complete)

    def mended(self) -> None:
        self._patch.setattr(Seats, "complete", self._complete)


@pytest.fixture
def giving(monkeypatch: pytest.MonkeyPatch) -> Giving:
    return Giving(monkeypatch)


async def left(giving: Giving, server: Serving) -> tuple[Said, Said]:
    """Offer a match whose second seat is taken and not given; return it, and what was asked for the seat."""
    created = await offer(server.url)
    asked = wish(created, name="Zoe")
    giving.breaks()
    assert "unavailable" == (await joined(server, created, asked))["code"]
    return created, asked


async def seats(owner: Connection) -> list[tuple[int, str]]:
    rows = await owner.fetch("SELECT seat, name FROM lobby.seat ORDER BY match_id, seat")
    return [(row["seat"], row["name"]) for row in rows]


async def test_nodes_that_look_at_once_give_a_seat_once(
    giving: Giving, server: Serving, owner: Connection
) -> None:
    created, asked = await left(giving, server)
    giving.mended()

    await asyncio.gather(*(server.lobby.unfinished.look() for _ in range(3)))

    assert [(1, "Zoe")] == await seats(owner)
    assert 1 == await valid(server, created)
    assert 1 == await opens(server, created, asked["token"])
    assert "bad_token" == await opens(server, created, token(created, "seat", 1))


async def test_what_could_not_be_given_is_tried_at_the_next_look(
    giving: Giving, server: Serving, owner: Connection
) -> None:
    await left(giving, server)

    await server.lobby.unfinished.look()
    before = await seats(owner)
    giving.mended()
    await server.lobby.unfinished.look()

    assert [[], [(1, "Zoe")]] == [before, await seats(owner)]


async def test_a_seat_that_changed_hands_is_given_too(
    giving: Giving,
    weeks: Weeks,  # noqa: F811 the fixture
    owner: Connection,
) -> None:
    """Given a seat that was taken over, whose links are void and whose holder is not written down yet."""
    async with on_offer(weeks) as (created, _, _):
        giving.breaks()
        answer, own = await take(weeks, created, name="Zoe")
        giving.mended()
        await weeks.server.lobby.unfinished.look()

    assert "unavailable" == answer["code"]
    assert [(0, "Seat 0"), (1, "Zoe")] == await seats(owner)
    assert ["Seat 1"] == [row["name"] for row in await owner.fetch("SELECT name FROM lobby.predecessor")]
    assert 1 == await opens(weeks.server, created, own)


async def test_who_was_refused_gets_nothing_however_often_a_node_looks(
    server: Serving, owner: Connection
) -> None:
    created = await offer(server.url)
    first, second = wish(created, name="Zoe"), wish(created, name="Yves")
    async with talking(server.url) as one, talking(server.url) as two:
        for talk in (one, two):
            await look_on(talk, created)
        await asyncio.gather(join(one, first), join(two, second))
    before = await seats(owner)

    await server.lobby.unfinished.look()

    assert before == await seats(owner)
    assert 1 == len(before)
    assert 1 == await valid(server, created)


async def test_seats_are_gone_through_page_by_page(
    giving: Giving, server: Serving, owner: Connection
) -> None:
    """Given more seats that were asked for than a page has, all at one moment."""
    await left(giving, server)
    await owner.execute(
        "INSERT INTO lobby.joining (hash, match_id, command_id, seat, name, kind, created_at)"
        " SELECT sha256(n::text::bytea), match_id, gen_random_uuid(), 1, '', 'person', created_at"
        " FROM lobby.joining, generate_series(1, $1) n",
        2 * unfinished.PAGE,
    )
    giving.mended()

    await server.lobby.unfinished.look()

    assert [(1, "Zoe")] == await seats(owner)
