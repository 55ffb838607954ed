"""Links by mail: somebody comes in by one, or adds an address. The mail server is the tests' own."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from structlog.testing import capture_logs

from server.people import post
from server.people.mailboxes import Mailboxes, fit_address
from server.people.sweeping import sweep
from server.proof.keys import KeyRing, match_key
from server.serving import Serving
from tests.conftest import running
from tests.server.authenticator import Authenticator, Browser, Said, raw
from tests.server.letters import Letters, letters, link_in, token_in
from tests.server.reading import get

ANNA = "anna@post.example"
PAGE = b"GET /mailed HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
async def box() -> AsyncIterator[Letters]:
    """Give a mail server."""
    async with letters() as one:
        yield one


@pytest.fixture
async def server(dsn: str, folder: Path, box: Letters) -> AsyncIterator[Serving]:
    """Give a server that sends mails."""
    async with running(dsn, folder, mail=box.server, mail_from="fleet@fleet.example") as one:
        yield one


@pytest.fixture
def browser(server: Serving) -> Browser:
    return Browser(server.url)


async def asks(browser: Browser, address: str = ANNA) -> tuple[int, Said]:
    return await browser.ask("POST", "/api/me/mail", {"address": address})


async def opens(browser: Browser, token: str, **more: str | int) -> tuple[int, Said]:
    return await browser.ask("POST", "/api/me/mailed", {"token": token, **more})


async def is_mailed(browser: Browser, box: Letters, address: str = ANNA) -> str:
    """Ask for a link, and return the token in the mail that comes."""
    there = len(box.took)
    status, told = await asks(browser, address)
    assert (200, {"minutes": 10}) == (status, told)
    return token_in(await box.heard(there + 1))


async def signs_up(browser: Browser, box: Letters, handle: str = "anna", address: str = ANNA) -> Said:
    status, told = await opens(browser, await is_mailed(browser, box, address), handle=handle)
    assert status == 200, told
    return told


async def sql(dsn: str, text: str) -> Any:
    """Carry something out as the owner of the database, and return the first value."""
    conn = await asyncpg.connect(dsn)
    try:
        return await conn.fetchval(text)
    finally:
        await conn.close()


async def test_somebody_signs_up_by_a_link_and_chooses_a_handle_then(browser: Browser, box: Letters) -> None:
    token = await is_mailed(browser, box, " Anna@Post.Example ")
    _, first = await opens(browser, token)
    _, told = await opens(browser, token, handle="anna", name="Anna", zone="Europe/Berlin", night=0)
    _, me = await browser.ask("GET", "/api/me")

    assert (True, None) == (first["new"], first["me"]["person"])
    assert (False, 10) == (told["new"], len(told["codes"]))
    assert ("anna", "Anna", "Europe/Berlin", 0, ANNA) == tuple(
        me["person"][name] for name in ("handle", "name", "zone", "night", "mail")
    )


async def test_who_is_known_by_an_address_comes_in_by_it_on_another_browser(
    server: Serving, browser: Browser, box: Letters
) -> None:
    await signs_up(browser, box)
    other = Browser(server.url)
    status, told = await opens(other, await is_mailed(other, box))

    assert (200, False, []) == (status, told["new"], told["codes"])
    assert "anna" == (await other.ask("GET", "/api/me"))[1]["person"]["handle"]
    assert (1, 1) == (server.people.entry.sign_ups, server.people.entry.sign_ins["mail"])


async def test_the_answer_is_the_same_whether_an_address_is_known_or_not(
    server: Serving, browser: Browser, box: Letters
) -> None:
    await signs_up(browser, box)
    answers = []
    for address in (ANNA, "nobody@post.example"):
        other = Browser(server.url)
        status, told = await asks(other, address)
        headers = {name: value for name, value in other.headers.items() if name != "date"}
        headers["set-cookie"] = headers["set-cookie"].partition(";")[2]
        answers.append((status, told, headers))
    known, unknown = await box.heard(2), await box.heard(3)

    assert answers[0] == answers[1]
    assert known["Subject"] == unknown["Subject"]
    texts = [str(one.get_content()).replace(link_in(one), "") for one in (known, unknown)]
    assert texts[0] == texts[1]


async def test_a_link_is_good_once(browser: Browser, box: Letters) -> None:
    token = await is_mailed(browser, box)
    await opens(browser, token, handle="anna")
    status, told = await opens(browser, token)

    assert (400, "bad_link") == (status, told["code"])


async def test_of_two_who_open_a_link_at_once_one_comes_in(browser: Browser, box: Letters) -> None:
    token = await is_mailed(browser, box)
    answers = await asyncio.gather(*(opens(browser, token, handle=f"anna{n}") for n in range(4)))

    assert [200, 400, 400, 400] == sorted(status for status, _ in answers)


async def test_in_another_browser_a_link_opens_nothing_and_is_not_used_up(
    server: Serving, browser: Browser, box: Letters
) -> None:
    """Given a scanner of mails, that reads what is under a link, and somebody who was sent another's link."""
    token, other = await is_mailed(browser, box), Browser(server.url)
    await is_mailed(other, box, "mallory@post.example")
    assert b"HTTP/1.1 200 " == (await raw(other.port, PAGE))[:13]
    answers = [await opens(one, token, handle="mallory") for one in (Browser(server.url), other)]
    status, _ = await opens(browser, token, handle="anna")

    assert [(400, "bad_link")] * 2 == [(code, told["code"]) for code, told in answers]
    assert 200 == status


async def test_after_ten_minutes_a_link_opens_nothing(dsn: str, browser: Browser, box: Letters) -> None:
    tokens = [await is_mailed(browser, box) for _ in range(2)]
    await sql(dsn, "UPDATE people.mailed SET made_at = made_at - interval '9 minutes 50 seconds'")
    early, _ = await opens(browser, tokens[0])
    await sql(dsn, "UPDATE people.mailed SET made_at = made_at - interval '10 seconds'")
    late, told = await opens(browser, tokens[1])

    assert (200, 400, "bad_link") == (early, late, told["code"])


async def test_both_links_that_a_browser_has_asked_for_are_good(browser: Browser, box: Letters) -> None:
    first = await is_mailed(browser, box)
    await is_mailed(browser, box)

    assert 200 == (await opens(browser, first, handle="anna"))[0]


async def test_a_handle_that_is_taken_uses_no_link_up(
    server: Serving, browser: Browser, box: Letters
) -> None:
    await Browser(server.url).sign_up("anna")
    token = await is_mailed(browser, box)
    taken, told = await opens(browser, token, handle="anna")
    free, _ = await opens(browser, token, handle="anna_2")

    assert (409, "handle_taken", 200) == (taken, told["code"], free)


async def test_a_person_adds_an_address_and_comes_in_by_it(
    server: Serving, browser: Browser, box: Letters
) -> None:
    await browser.sign_up("anna")
    _, told = await opens(browser, await is_mailed(browser, box))
    other = Browser(server.url)
    _, came = await opens(other, await is_mailed(other, box))

    assert (ANNA, "anna") == (told["me"]["person"]["mail"], came["me"]["person"]["handle"])


async def test_an_address_is_added_only_by_who_is_signed_in_as_its_person(
    browser: Browser, box: Letters
) -> None:
    await browser.sign_up("anna")
    token = await is_mailed(browser, box)
    await browser.ask("POST", "/api/me/sign-out")
    as_guest, _ = await opens(browser, token)
    await browser.sign_up("bert")
    as_bert, told = await opens(browser, token)

    assert (401, 401, "no_session") == (as_guest, as_bert, told["code"])


async def test_an_address_is_one_persons(server: Serving, browser: Browser, box: Letters) -> None:
    await signs_up(browser, box)
    other = Browser(server.url)
    await other.sign_up("bert")
    status, told = await opens(other, await is_mailed(other, box))
    _, me = await other.ask("GET", "/api/me")

    assert (403, "not_allowed", "") == (status, told["code"], me["person"]["mail"])


async def test_an_address_is_mailed_so_often_and_no_more_whoever_asks(
    server: Serving, browser: Browser, box: Letters
) -> None:
    await signs_up(browser, box)
    known = [(await asks(Browser(server.url)))[0] for _ in range(5)]
    unknown = [(await asks(Browser(server.url), "nobody@post.example"))[0] for _ in range(6)]

    assert [200] * 4 + [429] == known
    assert [200] * 5 + [429] == unknown
    assert 2 == server.people.shares.refused["mails"]


async def test_a_person_has_so_many_addresses_mailed_and_no_more(browser: Browser) -> None:
    await browser.sign_up("anna")
    answers = [(await asks(browser, f"{number}@post.example"))[0] for number in range(6)]

    assert [200] * 5 + [429] == answers


async def test_an_address_of_the_net_asks_for_so_many_mails_and_no_more(server: Serving) -> None:
    answers = [(await asks(Browser(server.url), f"{number}@post.example"))[0] for number in range(21)]

    assert [200] * 20 + [429] == answers


@pytest.mark.parametrize(
    "address",
    [
        "anna",
        "anna@post",
        "a b@post.example",
        "anna@post.example\r\nBcc: all@post.example",
        "",
        "@post.example",
    ],
)
async def test_what_is_no_mail_address_is_refused(browser: Browser, address: str) -> None:
    status, told = await asks(browser, address)

    assert (400, "bad_text") == (status, told["code"])


async def test_without_a_mail_server_it_is_said_that_there_are_no_links(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as server:
        browser = Browser(server.url)
        _, me = await browser.ask("GET", "/api/me")
        status, told = await asks(browser)

    assert (False, 403) == (me["ways"]["mail"], status)
    assert "sends no mail" in told["reason"]


async def test_with_a_mail_server_it_is_said_that_there_are_links(browser: Browser) -> None:
    assert (await browser.ask("GET", "/api/me"))[1]["ways"]["mail"]


async def test_nobody_waits_for_a_mail_server_that_hangs(browser: Browser, box: Letters) -> None:
    box.open.clear()
    status, _ = await asks(browser)
    await box.hangs()
    again, _ = await asks(browser)
    box.open.set()
    await box.heard(2)

    assert (200, 200) == (status, again)


async def test_a_mail_that_is_not_taken_is_sent_again(
    server: Serving, browser: Browser, box: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "AGAIN", 0.05)
    box.answers = ["451 later", "550 no"]
    token = await is_mailed(browser, box)
    status, _ = await opens(browser, token)
    outcomes = server.people.mailing.post
    assert outcomes is not None
    async with asyncio.timeout(10):
        while not outcomes.outcomes["sent"]:
            await asyncio.sleep(0.01)

    assert (200, 2, 1) == (status, outcomes.outcomes["put off"], outcomes.outcomes["sent"])


async def test_a_mail_that_is_too_late_is_given_up(
    server: Serving, browser: Browser, box: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "MINUTES", 0)
    box.answers = ["451 later"]
    await asks(browser)
    outcomes = server.people.mailing.post
    assert outcomes is not None
    async with asyncio.timeout(10):
        while not outcomes.outcomes["given up"]:
            await asyncio.sleep(0.01)

    assert [] == box.took


async def test_beyond_what_may_wait_everybody_is_refused_and_nothing_is_kept(
    dsn: str, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(post, "WAITING", 0)
    status, told = await asks(browser)

    assert (400, "busy") == (status, told["code"])
    assert 0 == await sql(dsn, "SELECT count(*) FROM people.mailed")


async def test_a_link_leads_to_the_servers_own_url_whatever_name_it_is_asked_by(
    dsn: str, folder: Path, box: Letters
) -> None:
    """Given somebody who asks in the name of a host of his own, for the address of somebody else."""
    settings: dict[str, Any] = {
        "public_url": "https://fleet.example",
        "mail": box.server,
        "mail_from": "a@fleet.example",
    }
    async with running(dsn, folder, proxies=1, **settings) as server:
        assert server.house is not None
        browser = Browser(server.house.url)
        browser.origin, browser.proxied = "https://evil.example", True
        status, _ = await browser.ask("POST", "/api/me/mail", {"address": ANNA}, Host="evil.example")
        link = link_in(await box.heard(1))

    assert 200 == status
    assert link.startswith("https://fleet.example/mailed#")


async def test_a_link_leads_to_the_public_url_where_a_request_says_that_it_is_for_localhost(
    dsn: str, folder: Path, box: Letters
) -> None:
    settings: dict[str, Any] = {
        "public_url": "https://fleet.example",
        "mail": box.server,
        "mail_from": "a@fleet.example",
    }
    async with running(dsn, folder, **settings) as server:
        assert server.house is not None
        status, _ = await asks(Browser(server.house.url))
        link = link_in(await box.heard(1))

    assert 200 == status
    assert link.startswith("https://fleet.example/mailed#")


async def test_without_a_public_url_no_link_is_mailed_for_who_is_elsewhere_whatever_he_says(
    dsn: str, folder: Path, box: Letters
) -> None:
    """Given somebody at another machine, whose requests say that they are for localhost."""
    async with running(dsn, folder, proxies=1, mail=box.server, mail_from="a@fleet.example") as server:
        browser = Browser(server.url)
        browser.origin, browser.proxied = f"https://localhost:{browser.port}", True
        elsewhere, _ = await asks(browser)
        here, _ = await browser.ask("POST", "/api/me/mail", {"address": ANNA}, X_Forwarded_For="127.0.0.1")
        await box.heard(1)

    assert (403, 200) == (elsewhere, here)
    assert 1 == len(box.took)


async def test_the_cookie_of_who_asks_is_for_this_host_and_page_and_no_script(browser: Browser) -> None:
    await asks(browser)

    assert (browser.headers.get("Set-Cookie") or "").startswith("fleetfold-asked=")
    assert (browser.headers.get("Set-Cookie") or "").endswith(
        "; Path=/; Max-Age=600; HttpOnly; SameSite=Strict"
    )


async def test_a_removed_address_opens_nothing_any_more_and_ends_sessions(
    server: Serving, browser: Browser, box: Letters
) -> None:
    await signs_up(browser, box)
    other = Browser(server.url)
    await opens(other, await is_mailed(other, box))
    status, me = await browser.ask("DELETE", "/api/me/mail")
    again, _ = await browser.ask("DELETE", "/api/me/mail")
    third = Browser(server.url)
    _, told = await opens(third, await is_mailed(third, box))

    assert (200, "", 404) == (status, me["person"]["mail"], again)
    assert (await other.ask("GET", "/api/me"))[1]["person"] is None
    assert told["new"]


async def test_the_last_way_in_is_no_address_that_can_be_removed(
    dsn: str, browser: Browser, box: Letters
) -> None:
    await signs_up(browser, box)
    await sql(dsn, "DELETE FROM people.code")
    status, told = await browser.ask("DELETE", "/api/me/mail")

    assert (403, "not_allowed") == (status, told["code"])


async def test_with_an_address_the_last_passkey_can_be_removed(
    dsn: str, browser: Browser, box: Letters
) -> None:
    await browser.sign_up("anna")
    await opens(browser, await is_mailed(browser, box))
    await sql(dsn, "DELETE FROM people.code")
    _, me = await browser.ask("GET", "/api/me")
    status, _ = await browser.ask("DELETE", f"/api/me/passkeys/{me['person']['passkeys'][0]['id']}")

    assert 200 == status


async def test_an_address_that_no_key_opens_any_more_is_no_way_in(
    dsn: str, browser: Browser, box: Letters
) -> None:
    await browser.sign_up("anna")
    await opens(browser, await is_mailed(browser, box))
    await sql(dsn, "DELETE FROM people.code")
    await sql(dsn, "UPDATE people.mail SET box = set_byte(box, 20, get_byte(box, 20) # 1)")
    _, me = await browser.ask("GET", "/api/me")
    status, told = await browser.ask("DELETE", f"/api/me/passkeys/{me['person']['passkeys'][0]['id']}")

    assert (403, "not_allowed") == (status, told["code"])


async def test_who_is_banned_is_told_so_and_his_link_is_not_used_up(
    dsn: str, server: Serving, browser: Browser, box: Letters
) -> None:
    await signs_up(browser, box)
    other = Browser(server.url)
    token = await is_mailed(other, box)
    await sql(dsn, "UPDATE people.person SET banned_at = now()")
    banned, told = await opens(other, token)
    await sql(dsn, "UPDATE people.person SET banned_at = NULL")
    back, _ = await opens(other, token)

    assert (403, 200) == (banned, back)
    assert "banned" in told["reason"]


async def test_an_address_is_exported_to_its_person_and_erased_with_him(
    dsn: str, browser: Browser, box: Letters
) -> None:
    await signs_up(browser, box)
    _, kept = await browser.ask("GET", "/api/me/export")
    await is_mailed(browser, box)
    await browser.ask("DELETE", "/api/me", {"handle": "anna"})

    assert ANNA == kept["mail"]
    assert 0 == await sql(
        dsn, "SELECT (SELECT count(*) FROM people.mail) + (SELECT count(*) FROM people.mailed)"
    )


async def test_what_is_older_than_a_day_is_removed(dsn: str, server: Serving, browser: Browser) -> None:
    for address in (ANNA, "bert@post.example"):
        await asks(browser, address)
    await sql(dsn, "UPDATE people.mailed SET made_at = made_at - interval '1 day' WHERE ctid = '(0,1)'")
    sweeping = asyncio.create_task(sweep(server.database.http))
    async with asyncio.timeout(10):
        while await sql(dsn, "SELECT count(*) FROM people.mailed") != 1:
            await asyncio.sleep(0.02)
    sweeping.cancel()


async def test_neither_addresses_nor_links_stand_in_logs_numbers_tables_or_others_answers(
    dsn: str, server: Serving, browser: Browser, box: Letters
) -> None:
    box.answers = ["550 not for anna@post.example"]
    secrets = [ANNA, "bert@post.example"]
    with capture_logs() as lines:
        await asks(browser)
        await box.hangs()
        secrets += [token := await is_mailed(browser, box, "bert@post.example")]
        await opens(Browser(server.url), token, handle="mallory")
        _, told = await opens(browser, token, handle="bert")
        secrets += [*told["codes"], browser.cookie.partition("=")[2], browser.asked.partition("=")[2]]
        other = Browser(server.url)
        await other.sign_up("carl", Authenticator())
        seen = [
            await other.ask("GET", path)
            for path in ("/api/people/bert", "/api/me", "/api/matches", "/api/me/export")
        ]
        await opens(other, await is_mailed(other, box, "bert@post.example"))
    numbers = (await get(server.url, "/metrics")).body.decode()
    conn = await asyncpg.connect(dsn)
    rows = []
    for table in await conn.fetch(
        "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname IN ('lobby', 'people', 'log')"
    ):
        rows += [str(dict(row)) for row in await conn.fetch(f"SELECT * FROM {table[0]}")]
    await conn.close()
    everything = json.dumps([lines, seen, numbers, rows], default=str)

    assert "refused" in everything or "mail put off" in everything
    assert [] == [secret for secret in secrets if secret in everything]


def test_an_address_is_found_and_opened_by_an_older_key_of_the_ring() -> None:
    old, new = match_key(), match_key()
    before, after = Mailboxes(KeyRing({"old": old})), Mailboxes(KeyRing({"new": new, "old": old}))
    person = uuid4()

    assert before.marks(ANNA)[0] in after.marks(ANNA)
    assert before.marks(ANNA)[0] != after.marks(ANNA)[0]
    assert ANNA == after.open(person, before.seal(person, fit_address(ANNA)))
