"""Somebody comes in by a provider of identities, which is the tests' own and speaks over the loopback."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
from joserfc.jwk import RSAKey
from structlog.testing import capture_logs

from server.people import oidc
from server.serving import Serving
from tests.conftest import running
from tests.server.authenticator import Browser, Said, raw
from tests.server.provider import SECRET, Identities, identities
from tests.server.reading import get


@pytest.fixture
async def harbour() -> AsyncIterator[Identities]:
    """Give a provider."""
    async with identities() as one:
        yield one


@pytest.fixture
async def server(dsn: str, folder: Path, harbour: Identities) -> AsyncIterator[Serving]:
    """Give a server that takes the provider."""
    async with running(dsn, folder, oidc=harbour.provider()) as one:
        yield one


@pytest.fixture
def browser(server: Serving) -> Browser:
    return Browser(server.url)


async def leaves(browser: Browser) -> str:
    """Leave for the provider, and return where to."""
    status, told = await browser.ask("POST", "/api/me/oidc")
    assert status == 200, told
    return str(told["to"])


async def is_let_in(to: str) -> Said:
    """Go where a browser is sent, and return what it comes back with."""
    parts = urlsplit(to)
    asked = f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n"
    answer = await raw(parts.port or 0, asked.encode())
    there = next(line for line in answer.decode().split("\r\n") if line.startswith("Location: "))
    back = urlsplit(there.removeprefix("Location: "))
    assert back.path == "/provider"
    return {name: values[0] for name, values in parse_qs(back.query).items()}


async def comes_back(browser: Browser, found: Said, **more: str) -> tuple[int, Said]:
    return await browser.ask("POST", "/api/me/oidc/back", {**found, **more})


async def comes(browser: Browser, handle: str = "") -> tuple[int, Said]:
    """Go all the way, and choose a handle if one is asked for."""
    found = await is_let_in(await leaves(browser))
    status, told = await comes_back(browser, found)
    if status == 200 and told["new"] and handle:
        return await comes_back(browser, {"state": found["state"]}, handle=handle)
    return status, told


async def sql(dsn: str, text: str) -> Any:
    """Carry something out as the owner of the database, and return the first value."""
    conn = await asyncpg.connect(dsn)
    try:
        return await conn.fetchval(text)
    finally:
        await conn.close()


async def test_somebody_signs_up_by_the_provider_and_chooses_a_handle_then(browser: Browser) -> None:
    _, guest = await browser.ask("GET", "/api/me")
    status, told = await comes(browser, "anna")
    _, me = await browser.ask("GET", "/api/me")

    assert "Harbour" == guest["ways"]["oidc"]
    assert (200, 10, False) == (status, len(told["codes"]), told["new"])
    assert ("anna", True) == (me["person"]["handle"], me["person"]["oidc"])


async def test_who_is_known_by_the_provider_comes_in_on_another_browser(
    server: Serving, browser: Browser
) -> None:
    await comes(browser, "anna")
    status, told = await comes(Browser(server.url))

    assert (200, "anna", []) == (status, told["me"]["person"]["handle"], told["codes"])
    assert (1, 1) == (server.people.entry.sign_ups, server.people.entry.sign_ins["oidc"])


async def test_another_subject_is_somebody_else(
    server: Serving, browser: Browser, harbour: Identities
) -> None:
    await comes(browser, "anna")
    harbour.subject = "other"
    _, told = await comes(Browser(server.url))

    assert told["new"]


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("iss", "https://evil.example"),
        ("iss", None),
        ("aud", "somebody else"),
        ("aud", ["fleetfold", "somebody else"]),
        ("aud", None),
        ("azp", "somebody else"),
        ("nonce", "another"),
        ("nonce", None),
        ("exp", 1_000_000_000),
        ("exp", None),
        ("iat", 4_000_000_000),
        ("sub", None),
        ("sub", 7),
        ("sub", ""),
        ("sub", "x" * 256),
    ],
)
async def test_a_token_that_says_something_wrong_lets_nobody_in(
    browser: Browser, harbour: Identities, claim: str, value: Any
) -> None:
    harbour.claims = {claim: value}
    if claim == "aud":
        harbour.claims["azp"] = "somebody else" if isinstance(value, list) else "fleetfold"
    status, told = await comes(browser)

    assert (400, "bad_link") == (status, told["code"])


@pytest.mark.parametrize("signs", ["another key", "none"])
async def test_a_token_that_the_provider_has_not_signed_lets_nobody_in(
    browser: Browser, harbour: Identities, signs: str
) -> None:
    harbour.signs = None if signs == "none" else RSAKey.generate_key(2048, {"kid": "first"})
    status, told = await comes(browser)

    assert (400, "bad_link") == (status, told["code"])


async def test_a_discovery_by_another_issuer_is_not_believed(browser: Browser, harbour: Identities) -> None:
    harbour.said = {"issuer": "https://evil.example"}
    status, told = await browser.ask("POST", "/api/me/oidc")

    assert (400, "bad_link") == (status, told["code"])


async def test_a_code_of_another_browser_lets_nobody_in_and_is_left_good(
    server: Serving, browser: Browser
) -> None:
    """Given login CSRF: somebody is made to come back with the state and code of who wants him signed in."""
    found, other = await is_let_in(await leaves(browser)), Browser(server.url)
    await leaves(other)
    answers = [await comes_back(one, found) for one in (Browser(server.url), other)]
    status, _ = await comes_back(browser, found)

    assert [(400, "bad_link")] * 2 == [(code, told["code"]) for code, told in answers]
    assert 200 == status


async def test_a_code_that_was_stolen_is_redeemed_by_nobody_else(
    server: Serving, browser: Browser, harbour: Identities
) -> None:
    """Given PKCE: a code of one browser that comes with the state of another, which is good there."""
    stolen, other = await is_let_in(await leaves(browser)), Browser(server.url)
    state = (await is_let_in(await leaves(other)))["state"]
    status, told = await comes_back(other, {"state": state, "code": stolen["code"]})

    assert (400, "bad_link") == (status, told["code"])
    assert stolen["code"] == harbour.asked[-1]["code"]


async def test_a_state_is_good_once(browser: Browser, harbour: Identities) -> None:
    found = await is_let_in(await leaves(browser))
    await comes_back(browser, found)
    status, told = await comes_back(browser, found)

    assert (400, "bad_link") == (status, told["code"])
    assert 1 == len(harbour.asked)


async def test_after_ten_minutes_nobody_comes_back(dsn: str, browser: Browser) -> None:
    found = await is_let_in(await leaves(browser))
    await sql(dsn, "UPDATE people.leaving SET made_at = made_at - interval '10 minutes'")
    status, told = await comes_back(browser, found)

    assert (400, "bad_link") == (status, told["code"])


async def test_a_handle_is_chosen_only_by_who_has_come_back_in_that_browser(
    server: Serving, browser: Browser
) -> None:
    found = await is_let_in(await leaves(browser))
    state = {"state": found["state"]}
    early, _ = await comes_back(browser, state, handle="anna")
    await comes_back(browser, found)
    other = Browser(server.url)
    await leaves(other)
    elsewhere, _ = await comes_back(other, state, handle="mallory")
    await Browser(server.url).sign_up("taken")
    taken, _ = await comes_back(browser, state, handle="taken")
    status, _ = await comes_back(browser, state, handle="anna")

    assert (400, 400, 409, 200) == (early, elsewhere, taken, status)


async def test_no_get_begins_or_ends_the_way(browser: Browser) -> None:
    """Given a link or picture on another site, which sends a GET with this server's cookies."""
    found = await is_let_in(await leaves(browser))
    query = f"state={found['state']}&code={found['code']}"
    for path in ("/api/me/oidc", "/api/me/oidc/back", f"/api/me/oidc/back?{query}"):
        await raw(
            browser.port,
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {browser.asked}\r\n\r\n".encode(),
        )
    elsewhere, _ = await browser.ask("POST", "/api/me/oidc/back", found, Origin="https://elsewhere.example")
    begun, _ = await browser.ask("POST", "/api/me/oidc", Origin="https://elsewhere.example")
    status, _ = await comes_back(browser, found)

    assert (403, 403, 200) == (elsewhere, begun, status)


async def test_a_person_adds_the_provider_and_removes_it(server: Serving, browser: Browser) -> None:
    await browser.sign_up("anna")
    _, told = await comes(browser)
    other = Browser(server.url)
    _, came = await comes(other)
    status, me = await browser.ask("DELETE", "/api/me/oidc")
    again, _ = await browser.ask("DELETE", "/api/me/oidc")

    assert (True, "anna") == (told["me"]["person"]["oidc"], came["me"]["person"]["handle"])
    assert (200, False, 404) == (status, me["person"]["oidc"], again)
    assert (await other.ask("GET", "/api/me"))[1]["person"] is None


async def test_who_comes_back_adds_it_only_as_who_has_left(browser: Browser) -> None:
    await browser.sign_up("anna")
    found = await is_let_in(await leaves(browser))
    await browser.ask("POST", "/api/me/sign-out")
    status, told = await comes_back(browser, found)

    assert (401, "no_session") == (status, told["code"])


async def test_what_one_is_known_by_at_the_provider_is_one_persons(server: Serving, browser: Browser) -> None:
    await comes(browser, "anna")
    other = Browser(server.url)
    await other.sign_up("bert")
    status, told = await comes(other)

    assert (403, "not_allowed") == (status, told["code"])


async def test_the_provider_as_the_last_way_in_cannot_be_removed(dsn: str, browser: Browser) -> None:
    await comes(browser, "anna")
    await sql(dsn, "DELETE FROM people.code")
    status, told = await browser.ask("DELETE", "/api/me/oidc")

    assert (403, "not_allowed") == (status, told["code"])


async def test_a_provider_that_was_replaced_is_no_way_in_and_gives_way_to_the_new_one(
    dsn: str, browser: Browser
) -> None:
    """Given somebody who was known by another provider, and has his codes no more."""
    await browser.sign_up("anna")
    await sql(dsn, "DELETE FROM people.code")
    await sql(
        dsn,
        "INSERT INTO people.oidc (issuer, subject, person_id) SELECT 'https://old.example', '1', id"
        " FROM people.person",
    )
    _, me = await browser.ask("GET", "/api/me")
    path = f"/api/me/passkeys/{me['person']['passkeys'][0]['id']}"
    refused, _ = await browser.ask("DELETE", path)
    added, told = await comes(browser)
    removed, _ = await browser.ask("DELETE", path)

    assert (False, 403, 200, True, 200) == (
        me["person"]["oidc"],
        refused,
        added,
        told["me"]["person"]["oidc"],
        removed,
    )
    assert 1 == await sql(dsn, "SELECT count(*) FROM people.oidc")


async def test_who_is_banned_is_told_so(dsn: str, server: Serving, browser: Browser) -> None:
    await comes(browser, "anna")
    await sql(dsn, "UPDATE people.person SET banned_at = now()")
    status, told = await comes(Browser(server.url))

    assert 403 == status
    assert "banned" in told["reason"]


async def test_what_the_provider_knows_somebody_by_is_exported_and_erased(dsn: str, browser: Browser) -> None:
    await comes(browser, "anna")
    _, kept = await browser.ask("GET", "/api/me/export")
    await browser.ask("DELETE", "/api/me", {"handle": "anna"})

    assert ["248289761001"] == [one["subject"] for one in kept["providers"]]
    assert 0 == await sql(dsn, "SELECT count(*) FROM people.oidc")


async def test_a_provider_that_fails_hangs_or_is_gone_is_said_to_have_done_so(
    browser: Browser, harbour: Identities, monkeypatch: pytest.MonkeyPatch
) -> None:
    harbour.status = 500
    failed, _ = await comes(browser)
    monkeypatch.setattr(oidc, "WITHIN", 0.2)
    harbour.open.clear()
    hung, told = await browser.ask("POST", "/api/me/oidc")
    harbour.open.set()
    harbour.said = {"token_endpoint": "http://127.0.0.1:9/token"}
    gone, _ = await comes(browser)

    assert (400, 400, 400) == (failed, hung, gone)
    assert "Harbour" in told["reason"]


async def test_without_a_provider_nobody_leaves_for_one(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as server:
        browser = Browser(server.url)
        _, me = await browser.ask("GET", "/api/me")
        status, told = await browser.ask("POST", "/api/me/oidc")

    assert ("", 403) == (me["ways"]["oidc"], status)
    assert "no provider" in told["reason"]


async def test_one_comes_back_to_the_servers_own_url_whatever_name_it_is_asked_by(
    dsn: str, folder: Path, harbour: Identities
) -> None:
    settings: dict[str, Any] = {"public_url": "https://fleet.example", "oidc": harbour.provider()}
    async with running(dsn, folder, proxies=1, **settings) as server:
        assert server.house is not None
        browser = Browser(server.house.url)
        browser.origin, browser.proxied = "https://evil.example", True
        _, told = await browser.ask("POST", "/api/me/oidc", Host="evil.example")

    assert ["https://fleet.example/provider"] == parse_qs(urlsplit(told["to"]).query)["redirect_uri"]


async def test_one_comes_back_to_the_public_url_where_a_request_says_that_it_is_for_localhost(
    dsn: str, folder: Path, harbour: Identities
) -> None:
    settings: dict[str, Any] = {"public_url": "https://fleet.example", "oidc": harbour.provider()}
    async with running(dsn, folder, **settings) as server:
        assert server.house is not None
        _, told = await Browser(server.house.url).ask("POST", "/api/me/oidc")

    assert ["https://fleet.example/provider"] == parse_qs(urlsplit(told["to"]).query)["redirect_uri"]


async def test_nothing_of_the_way_stands_in_logs_numbers_tables_or_others_answers(
    dsn: str, server: Serving, browser: Browser, harbour: Identities
) -> None:
    secrets = [SECRET]
    with capture_logs() as lines:
        to = await leaves(browser)
        found = await is_let_in(to)
        harbour.claims = {"aud": "somebody else"}
        await comes_back(browser, found)
        harbour.claims = {}
        again = await is_let_in(await leaves(browser))
        await comes_back(browser, again)
        await comes_back(browser, {"state": again["state"]}, handle="anna")
        secrets += [*found.values(), *again.values(), harbour.asked[-1]["code_verifier"]]
        secrets += [parse_qs(urlsplit(to).query)["nonce"][0]]
        secrets += [browser.cookie.partition("=")[2], browser.asked.partition("=")[2]]
        other = Browser(server.url)
        await other.sign_up("bert")
        seen = [await other.ask("GET", path) for path in ("/api/people/anna", "/api/me", "/api/me/export")]
    numbers = (await get(server.url, "/metrics")).body.decode()
    conn = await asyncpg.connect(dsn)
    rows = []
    for table in await conn.fetch(
        "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname IN ('lobby', 'people', 'log')"
    ):
        rows += [str(dict(row)) for row in await conn.fetch(f"SELECT * FROM {table[0]}")]
    await conn.close()
    everything = json.dumps([lines, seen, numbers, rows], default=str)

    assert "provider refused" in everything
    assert [] == [secret for secret in secrets if secret in everything]
    assert harbour.subject not in json.dumps([lines, seen, numbers], default=str)
