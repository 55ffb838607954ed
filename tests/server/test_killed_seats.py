"""Nodes that are killed while a seat changes hands, or while somebody sits down and commits anew.

All that was said is said again to the next node. Then each thing has happened once, links are void that must
be, and a seat has one holder.
"""

import asyncio
import hashlib
import itertools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID, uuid4

import pytest
import pytest_asyncio
from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from server.postgres.database import Connection
from server.postgres.embedded import Embedded
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.killed import Killed, Stage, killed, stage
from tests.server.meets import signed_up
from tests.server.talk import enter, offer, sit, talking, token
from tests.server.test_claims import Weeks, on_trial
from tests.server.test_replacing import late, listed, person
from tests.server.test_seats import look_on, opens, wish


class Seated(Struct):
    """A match, and who is about it."""

    created: Said
    anna: Browser
    bert: Browser
    carl: Browser
    dora: Browser
    nonces: list[bytes]

    @property
    def match(self) -> UUID:
        return UUID(self.created["match"])

    @property
    def browsers(self) -> list[Browser]:
        return [self.anna, self.bert, self.carl, self.dora]


Play: TypeAlias = Callable[[Killed, Connection, Seated, bool], Awaitable[None]]


async def out_of_time(dsn: str, server: Serving) -> Seated:
    """Anna plays Bert, who is out of time for the third time."""
    await on_trial(dsn)
    weeks = Weeks(dsn, server)
    async with late(weeks) as (created, _, _):
        anna, bert = [await person(weeks, handle, created, at) for at, handle in enumerate(("anna", "bert"))]
    carl, dora = [await person(weeks, handle) for handle in ("carl", "dora")]
    return Seated(created, anna, bert, carl, dora, [])


async def offered(_: str, server: Serving) -> Seated:
    """Anna sits at a match whose other seat is free."""
    anna, bert, carl, dora = [
        await signed_up(server.url, handle) for handle in ("anna", "bert", "carl", "dora")
    ]
    created, nonces = await offer(server.url), [secrets.token_bytes(16) for _ in range(4)]
    async with anna.talking() as talk:
        await enter(talk, created, 0)
        assert "receipt" == (await sit(talk, created, promise=promise(nonces[0])))["t"]
    return Seated(created, anna, bert, carl, dora, nonces)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def hands(postgres: Embedded, template: str) -> AsyncIterator[Stage[Seated]]:
    async with stage(postgres, template, out_of_time) as made:
        yield made


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def joining(postgres: Embedded, template: str) -> AsyncIterator[Stage[Seated]]:
    async with stage(postgres, template, offered) as made:
        yield made


def promise(nonce: bytes) -> str:
    return hashlib.sha256(nonce).hexdigest()


async def by_session(browser: Browser, seated: Seated, t: str, **said: Any) -> Said:
    """Say something at the match in a browser that is signed in, and return the answer."""
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=seated.match, mine=True)
        await talk.hear("view")
        return await talk.ask(t, match=seated.match, **said)


async def seat_of(browser: Browser, seated: Seated) -> int | None:
    """Return the seat that somebody's session opens."""
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=seated.match, mine=True)
        seat: int | None = (await talk.hear("welcome")).get("seat")
        return seat


async def types(owner: Connection, seated: Seated) -> list[str]:
    rows = await owner.fetch("SELECT type FROM log.fact WHERE match_id = $1 ORDER BY seq", seated.match)
    return [row["type"] for row in rows]


# A seat that changes hands


async def claim(world: Killed, seated: Seated, command: str) -> Said:
    async with talking(world.url) as talk:
        await enter(talk, seated.created, 0)
        return await talk.ask("claim", match=seated.match, seat=1, choice="replace", command=command)


async def take(browser: Browser, seated: Seated, asked: Said) -> Said:
    async with browser.talking() as talk:
        await look_on(talk, seated.created)
        await talk.say("join", **asked)
        return await talk.hear("receipt", "refused", command=asked["command"])


async def changes_hands(world: Killed, owner: Connection, seated: Seated, rival: bool) -> None:
    """Anna offers the seat, and Carl takes it; as a `rival` Dora tries as soon as another node is there."""
    before, command = token(seated.created, "seat", 1), str(uuid4())
    asked = {one: wish(seated.created) for one in ("carl", "dora")}
    answers = dict[str, Said]()

    async def restarted() -> None:
        assert world.server is not None
        gone = "SeatReplaced" in await types(owner, seated)
        assert ("bad_token" if gone else 1) == await opens(world.server, seated.created, before)
        assert (None if gone else 1) == await seat_of(seated.bert, seated)
        if rival:
            answers["dora"] = await take(seated.dora, seated, asked["dora"])

    world.taken_over = restarted
    assert "receipt" == (await world.do(partial(claim, world, seated, command)))["t"]
    answers["carl"] = await world.do(partial(take, seated.carl, seated, asked["carl"]))
    server = await world.finish()
    (who,) = [one for one, answer in answers.items() if answer["t"] == "receipt"]
    holder, other = (seated.carl, seated.dora) if who == "carl" else (seated.dora, seated.carl)
    other_token = asked["dora" if who == "carl" else "carl"]["token"]
    told = await types(owner, seated)
    info = await listed(Weeks("", server), seated.created)
    lobby = await owner.fetch(
        "SELECT p.handle, b.handle AS before FROM lobby.seat s JOIN people.person p ON p.id = s.person_id"
        " LEFT JOIN lobby.predecessor d USING (match_id, seat)"
        " LEFT JOIN people.person b ON b.id = d.person_id WHERE seat = 1"
    )
    links = await owner.fetch("SELECT person_id FROM lobby.token WHERE seat = 1 AND revoked_at IS NULL")

    assert (1, 1) == (told.count("SeatOffered"), told.count("SeatReplaced"))
    assert [(who, "bert")] == [tuple(row) for row in lobby]
    assert [False, True] == sorted(row["person_id"] is None for row in links)
    assert [1, None, None] == [await seat_of(one, seated) for one in (holder, other, seated.bert)]
    assert 1 == await opens(server, seated.created, asked[who]["token"])
    assert ["bad_token"] * 2 == [await opens(server, seated.created, one) for one in (before, other_token)]
    assert (who.title(), []) == (info["seats"][1]["player"], info["joinable"])
    assert await Weeks("", server).is_true(seated.created)


# A seat that is taken, and commits anew


async def commits_anew(world: Killed, owner: Connection, seated: Seated, rival: bool) -> None:
    """Bert joins, Anna shows her nonce, and Bert begins on another device; as a `rival` Carl, who has the
    invitation, commits the seat to a nonce of his as soon as another node is there."""
    invitation, joins = token(seated.created, "seat", 1), wish(seated.created)
    before, other, fresh, own = seated.nonces
    commands = [str(uuid4()) for _ in range(5)]

    async def restarted() -> None:
        assert world.server is not None
        if not rival or 1 != await opens(world.server, seated.created, invitation):
            return
        taken = (await types(owner, seated)).count("SeatTaken") == 2
        async with talking(world.url) as talk:
            await enter(talk, seated.created, 1)
            said = {"promise": promise(b"c" * 16), "instead": promise(other) if taken else ""}
            answer = await talk.ask("anew", match=seated.match, **said)
        # The node that has taken over gives the seat by itself: he may not come in any more.
        assert answer["code"] in ({"bad_token", "no_hello"} if taken else {"not_seated"})

    def says(browser: Browser, at: int, t: str, **said: Any) -> Callable[[], Awaitable[Said]]:
        return partial(by_session, browser, seated, t, command=commands[at], **said)

    world.taken_over = restarted
    asked = {**joins, "promise": promise(other)}
    answers = [
        await world.do(partial(take, seated.bert, seated, asked)),
        await world.do(says(seated.anna, 0, "show", nonce=before.hex())),
        await world.do(says(seated.bert, 1, "anew", promise=promise(fresh), instead=promise(other))),
        await world.do(says(seated.anna, 2, "anew", promise=promise(own), instead="")),
        await world.do(says(seated.anna, 3, "show", nonce=own.hex())),
        await world.do(says(seated.bert, 4, "show", nonce=fresh.hex())),
    ]
    server = await world.finish()
    told, standing = await types(owner, seated), (await server.matches.get(seated.match)).standing
    seats = await owner.fetch(
        "SELECT p.handle FROM lobby.seat JOIN people.person p ON p.id = person_id ORDER BY seat"
    )

    assert ["receipt"] * 6 == [answer.get("code", answer["t"]) for answer in answers]
    counts = [told.count(one) for one in ("SeatTaken", "NonceCommittedAnew", "NonceShown", "Started")]
    assert [2, 2, 3, 1] == counts
    assert {0: own.hex(), 1: fresh.hex()} == standing.nonces
    assert ["anna", "bert"] == [row["handle"] for row in seats]
    assert "bad_token" == await opens(server, seated.created, invitation)
    assert [0, 1, None] == [await seat_of(one, seated) for one in (seated.anna, seated.bert, seated.carl)]
    assert await Weeks("", server).is_true(seated.created)


# A seat that is taken in a browser that never comes back


async def is_lost(world: Killed, owner: Connection, seated: Seated, rival: bool) -> None:
    """Bert joins, or as a `rival` a guest does, and the node is killed before it has said who has the seat.
    Nothing is said again: another node is started, and that is all."""
    joins = wish(seated.created, name="Zoe")
    invitation, browser = token(seated.created, "seat", 1), Browser(world.url) if rival else seated.bert
    with pytest.raises((ConnectionClosed, OSError)):
        await take(browser, seated, joins)
    server = await world.finish()
    async with asyncio.timeout(10):
        while await owner.fetchval("SELECT count(*) FROM lobby.seat WHERE seat = 1") == 0:
            await asyncio.sleep(0.02)
    name = await owner.fetchval("SELECT name FROM lobby.seat WHERE seat = 1")

    assert 2 == (await types(owner, seated)).count("SeatTaken")
    assert ("Zoe" if rival else "Bert") == name
    assert "bad_token" == await opens(server, seated.created, invitation)
    if not rival:
        async with asyncio.timeout(10):  # until the list has followed the log
            while not (mine := (await seated.bert.ask("GET", "/api/me/matches"))[1]["matches"]):
                await asyncio.sleep(0.05)
        assert [(str(seated.match), [1])] == [(one["info"]["match"], one["seats"]) for one in mine]
        assert 1 == await seat_of(seated.bert, seated)
    assert 1 == await opens(server, seated.created, joins["token"])


async def goes_on(on: Stage[Seated], play: Play, moment: int, how: str, rival: bool) -> str:
    """Play a story whose node is killed at a moment; return what it was, empty if there were fewer."""
    async with killed(on, moment, how, on.knows.browsers) as (world, owner):
        await play(world, owner, on.knows, rival)
        return world.died


@pytest.mark.parametrize(("moment", "how", "rival"), [(3, "after", True), (4, "after", False)])
async def test_a_seat_changes_hands_once_though_a_node_is_killed(
    hands: Stage[Seated], moment: int, how: str, rival: bool
) -> None:
    assert await goes_on(hands, changes_hands, moment, how, rival)


@pytest.mark.parametrize(("moment", "how"), [(2, "after"), (3, "after")])
async def test_a_match_begins_on_another_device_though_a_node_is_killed(
    joining: Stage[Seated], moment: int, how: str
) -> None:
    assert await goes_on(joining, commits_anew, moment, how, rival=True)


@pytest.mark.parametrize("guest", [False, True])
async def test_who_took_a_seat_of_a_killed_node_has_it_though_his_browser_never_comes_back(
    joining: Stage[Seated], guest: bool
) -> None:
    assert "2 after log.fact" == await goes_on(joining, is_lost, 2, "after", rival=guest)


@pytest.mark.soak
@pytest.mark.parametrize("rival", [False, True])
@pytest.mark.parametrize("how", ["before", "after"])
async def test_whenever_a_node_is_killed_a_seat_changes_hands_once(
    hands: Stage[Seated], how: str, rival: bool
) -> None:
    await everywhere(hands, changes_hands, how, rival)


@pytest.mark.soak
@pytest.mark.parametrize("how", ["before", "after"])
async def test_whenever_a_node_is_killed_a_match_begins_on_another_device(
    joining: Stage[Seated], how: str
) -> None:
    await everywhere(joining, commits_anew, how, rival=True)


async def everywhere(on: Stage[Seated], play: Play, how: str, rival: bool) -> None:
    """Play a story once for each moment that there is."""
    found = list[str]()
    for moment in itertools.count(1):
        died = await goes_on(on, play, moment, how, rival)
        if not died:
            break
        found.append(died)
    assert len(found) > 3, found
