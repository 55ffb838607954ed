"""What a session reads of a match over HTTP: what is the person's own, and for nobody else."""

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import pytest

from server.lobby.seats import open_to
from server.serving import Serving
from tests.server.authenticator import Browser, Said
from tests.server.reading import Got, exchange, get
from tests.server.talk import enter, sit, token

PARTS = ("", "/steps", "/record", "/report", "/audit", "/chapters", "/dispute/3", "/story/tank")
NONE = "fleetfold=none"


@pytest.fixture
async def anna(server_url: str) -> Browser:
    return await signed_up(server_url, "anna")


@pytest.fixture
async def bert(server_url: str) -> Browser:
    return await signed_up(server_url, "bert")


@pytest.fixture
async def carl(server_url: str) -> Browser:
    return await signed_up(server_url, "carl")


async def signed_up(url: str, handle: str) -> Browser:
    browser = Browser(url)
    await browser.sign_up(handle)
    return browser


@asynccontextmanager
async def playing(anna: Browser, bert: Browser, *, private: bool = False) -> AsyncIterator[Said]:
    """Begin a match of two persons, who have taken their seats while they were signed in."""
    nonces = [secrets.token_bytes(16) for _ in range(2)]
    async with anna.talking() as north, bert.talking() as south:
        created = await north.ask(
            "create", "created", version=1, title="tiny", scenario="skirmish", private=private
        )
        for seat, talk in enumerate((north, south)):
            await enter(talk, created, seat)
            await sit(talk, created, promise=hashlib.sha256(nonces[seat]).hexdigest())
        for seat, talk in enumerate((north, south)):
            await talk.ask("show", match=created["match"], nonce=nonces[seat].hex())
        yield created


async def reads(browser: Browser, created: Said, part: str, origin: str = "") -> Got:
    """Read of a match as a page does that this browser has open."""
    lines = [
        f"GET /api/matches/{created['match']}{part} HTTP/1.1",
        f"Host: localhost:{browser.port}",
        f"Cookie: {browser.cookie or NONE}",
        *([f"Origin: {origin}"] if origin else []),
    ]
    return await exchange(f"http://127.0.0.1:{browser.port}", ("\r\n".join(lines) + "\r\n\r\n").encode())


@pytest.mark.parametrize("part", ["/steps", "/record", "/steps?from=5&upto=40"])
@pytest.mark.parametrize("private", [True, False])
async def test_a_person_reads_what_his_seat_sees_and_all_at_once_their_own(
    server: Serving, anna: Browser, bert: Browser, carl: Browser, part: str, *, private: bool
) -> None:
    """Given that all ask at once, so that what one is answered could be handed to another."""
    async with playing(anna, bert, private=private) as created:
        path = f"/api/matches/{created['match']}{part}"
        doors = [token(created, "seat", 0), token(created, "seat", 1), token(created, "onlooker")]
        by_link = [(await get(server.url, path, door)).body for door in doors]
        readers = (anna, bert, carl, Browser(server.url))
        found = await asyncio.gather(*(reads(one, created, part) for one in readers * 2))

    expected = [by_link[0], by_link[1]]
    assert 3 == len(set(by_link))
    assert [*expected, *expected] == [found[number].body for number in (0, 1, 4, 5)]
    others = [found[number] for number in (2, 3, 6, 7)]
    if private:
        assert [(403, "private")] * 4 == [(one.status, one.json["code"]) for one in others]
    else:
        assert [by_link[2]] * 4 == [one.body for one in others]
    assert {"no-store"} == {one.headers["cache-control"] for one in found}


async def test_of_a_private_match_no_other_session_reads_anything(
    server: Serving, anna: Browser, bert: Browser, carl: Browser
) -> None:
    """Given another person, a guest, one who has signed out, and pages of others in a player's browser."""
    late = Browser(server.url)
    async with playing(anna, bert, private=True) as created:
        late.cookie = carl.cookie
        carl.cookie = ""
        await carl.sign_up("carla")
        await late.ask("POST", "/api/me/sign-out")
        gone = Browser(server.url)
        gone.cookie = "fleetfold=" + "A" * 27
        told = {
            who: [await reads(browser, created, part, origin) for part in PARTS]
            for who, browser, origin in (
                ("another person", carl, ""),
                ("a guest", Browser(server.url), ""),
                ("signed out", late, ""),
                ("nobody's session", gone, ""),
                ("another page", anna, "https://elsewhere.example"),
                ("a plain page", anna, f"http://localhost:{anna.port + 1}"),
                ("a page without a name", anna, "null"),
            )
        }
        own = [(await reads(anna, created, part)).status for part in PARTS]

    for who, answers in told.items():
        assert [(403, "private")] * len(PARTS) == [(one.status, one.json["code"]) for one in answers], who
        for one in answers:
            assert "access-control-allow-origin" not in one.headers
            assert "same-origin" == one.headers["cross-origin-resource-policy"]
    assert 403 not in own
    assert 401 not in own


async def test_an_onlooker_with_a_session_reads_no_more_than_onlookers_see(
    server: Serving, anna: Browser, bert: Browser, carl: Browser
) -> None:
    """Given somebody to whom a private match is open, as to who is challenged to one."""
    async with playing(anna, bert, private=True) as created:
        async with server.database.read.acquire() as conn:
            person = await conn.fetchval("SELECT id FROM people.person WHERE handle = 'carl'")
            await open_to(conn, person, UUID(created["match"]), "onlooker", None)
        path = f"/api/matches/{created['match']}/record"
        by_link = (await get(server.url, path, token(created, "onlooker"))).body
        seats = (await get(server.url, path, token(created, "seat", 0))).body
        seen, own = await reads(carl, created, "/record"), await reads(anna, created, "/record")
        refused = await reads(await signed_up(server.url, "dora"), created, "/record")

    assert by_link == seen.body
    assert seats == own.body
    assert by_link != seats
    assert 403 == refused.status


async def test_by_a_seat_one_reads_only_as_a_seat_of_ones_own(anna: Browser, bert: Browser) -> None:
    async with playing(anna, anna) as created:
        both = [(await reads(anna, created, f"/record?seat={seat}")).body for seat in (0, 1)]
        first = (await reads(anna, created, "/record")).body
        onlooker = (await reads(bert, created, "/record")).body
        told = [(await reads(bert, created, "/record?seat=1")).json]
        told += [(await reads(anna, created, f"/record?seat={seat}")).json for seat in (2, "-1", 10**30)]

    assert first == both[0]
    assert 3 == len({*both, onlooker})
    assert ["not_seated", "not_seated", "bad_request", "bad_request"] == [one["code"] for one in told]


async def test_a_link_goes_before_a_session(server: Serving, anna: Browser, bert: Browser) -> None:
    async with playing(anna, bert) as created:
        path = f"/api/matches/{created['match']}/record"
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: localhost:{anna.port}",
            f"Cookie: {anna.cookie}",
            f"Authorization: Bearer {token(created, 'onlooker')}",
        ]
        found = await exchange(server.url, ("\r\n".join(lines) + "\r\n\r\n").encode())
        by_link = (await get(server.url, path, token(created, "onlooker"))).body

    assert by_link == found.body
