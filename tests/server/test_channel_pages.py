import base64
import json
from pathlib import Path
from typing import get_args
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from server.mail_url import MailServer
from server.notices.places import hashed
from server.notices.sealing import point
from server.notices.words import SAYS
from server.protocol.people import NoticeKind
from server.serving import Serving
from tests.conftest import running
from tests.server.authenticator import Browser, Said, raw


@pytest.fixture
async def anna(server_url: str) -> Browser:
    browser = Browser(server_url)
    await browser.sign_up("anna")
    return browser


HOOK = {"kind": "webhook", "url": "https://hooks.example/secret-place"}


def push() -> Said:
    """Return what a browser says of itself."""
    key = point(ec.generate_private_key(ec.SECP256R1()).public_key())
    written = [base64.urlsafe_b64encode(data).decode().rstrip("=") for data in (key, bytes(16))]
    return {"kind": "push", "endpoint": "https://push.example/one", "p256dh": written[0], "auth": written[1]}


async def test_a_way_to_be_told_is_added_changed_and_removed(anna: Browser) -> None:
    _, added = await anna.ask("POST", "/api/me/channels", HOOK)
    (one,) = added["channels"]
    path = f"/api/me/channels/{one['id']}"
    _, changed = await anna.ask("PATCH", path, {"digest": True, "on": False})
    _, removed = await anna.ask("DELETE", path)

    assert added["secret"].startswith("whsec_")
    assert ("webhook", "on", True, True, False) == tuple(
        one[name] for name in ("kind", "state", "away", "quiet", "digest")
    )
    assert ("off", True, "") == (
        changed["channels"][0]["state"],
        changed["channels"][0]["digest"],
        changed["secret"],
    )
    assert [] == removed["channels"]


async def test_a_browser_hears_which_of_the_ways_it_is(anna: Browser) -> None:
    _, hook = await anna.ask("POST", "/api/me/channels", HOOK)
    _, added = await anna.ask("POST", "/api/me/channels", push())
    _, again = await anna.ask("POST", "/api/me/channels", push() | {"endpoint": "https://push.example/one"})
    _, listed = await anna.ask("GET", "/api/me/channels")

    (browser,) = [one["id"] for one in listed["channels"] if one["kind"] == "push"]
    assert (browser, browser, None) == (added["added"], again["added"], listed["added"])
    assert hook["added"] not in {browser, None}


def test_the_page_knows_every_kind_of_notice() -> None:
    assert set(SAYS) == set(get_args(NoticeKind))


async def test_where_it_leads_is_told_to_nobody_again(anna: Browser) -> None:
    await anna.ask("POST", "/api/me/channels", HOOK)
    await anna.ask("POST", "/api/me/channels", push())
    told = [(await anna.ask("GET", path))[1] for path in ("/api/me/channels", "/api/me/export", "/api/me")]

    assert ["browser", "fleetfold webhook"] == sorted(one["name"] for one in told[0]["channels"])
    assert "example" not in json.dumps(told)


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "webhook", "url": "http://hooks.example/"},
        {"kind": "webhook", "url": HOOK["url"], "shape": "other"},
        {"kind": "push", "endpoint": "https://push.example/", "p256dh": "AAAA", "auth": "AAAA"},
        {"kind": "mail", "address": "anna@fleet.example"},
        {"url": HOOK["url"]},
    ],
)
async def test_what_is_no_way_to_be_told_is_refused(anna: Browser, body: Said) -> None:
    status, told = await anna.ask("POST", "/api/me/channels", body)

    assert (400, "bad_request") == (status, told["code"])


async def test_a_test_is_put_where_workers_find_it(server: Serving, anna: Browser) -> None:
    _, added = await anna.ask("POST", "/api/me/channels", HOOK)
    status, _ = await anna.ask("POST", f"/api/me/channels/{added['channels'][0]['id']}/test")
    async with server.database.read.acquire() as conn:
        kinds = [row["kind"] for row in await conn.fetch("SELECT kind FROM people.outbox")]

    assert (200, ["test"]) == (status, kinds)


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("PATCH", "/api/me/channels/{}"),
        ("DELETE", "/api/me/channels/{}"),
        ("POST", "/api/me/channels/{}/test"),
    ],
)
async def test_nobody_touches_a_channel_of_somebody_else(
    server_url: str, anna: Browser, verb: str, path: str
) -> None:
    bert = Browser(server_url)
    await bert.sign_up("bert")
    _, added = await anna.ask("POST", "/api/me/channels", HOOK)

    for name in (added["channels"][0]["id"], "7"):
        status, told = await bert.ask(verb, path.format(name))

        assert (403, "not_allowed") == (status, told["code"])


async def test_one_click_of_a_mail_program_turns_a_channel_off_and_one_without_leads_to_a_page(
    server: Serving, anna: Browser
) -> None:
    _, added = await anna.ask("POST", "/api/me/channels", HOOK)
    async with server.database.read.acquire() as conn:
        box = await conn.fetchval("SELECT box FROM people.channel")
    place = server.notices.channels._boxes.open(UUID(added["channels"][0]["id"]), box)
    assert place is not None
    form = b"List-Unsubscribe=One-Click"
    head = (
        f"POST /api/unsubscribe/{place.token} HTTP/1.1\r\nHost: localhost\r\n"
        f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n"
    )

    by_get = await raw(anna.port, head.replace("POST", "GET").partition("Content-Type")[0].encode() + b"\r\n")
    _, still = await anna.ask("GET", "/api/me/channels")
    answer = await raw(anna.port, head.encode() + form)
    unknown = await raw(anna.port, head.replace(place.token, "x" * 27).encode() + form)
    _, told = await anna.ask("GET", "/api/me/channels")

    assert b"HTTP/1.1 303 See Other" == by_get.partition(b"\r\n")[0]
    assert f"Location: /unsubscribe#{place.token}\r\n".encode() in by_get
    assert "on" == still["channels"][0]["state"]
    assert (b"HTTP/1.1 200 OK", b"HTTP/1.1 404 No") == (answer[:15], unknown[:15])
    assert "off" == told["channels"][0]["state"]


async def test_mail_goes_to_the_address_that_is_the_persons_and_to_none_that_was(
    dsn: str, folder: Path
) -> None:
    mail = MailServer("127.0.0.1", 1, tls=False)
    async with running(dsn, folder, mail=mail, mail_from="notices@fleet.example") as server:
        anna = Browser(server.url)
        await anna.sign_up("anna")
        _, without = await anna.ask("POST", "/api/me/channels", {"kind": "mail"})
        async with server.database.read.acquire() as conn:
            person = await conn.fetchval("SELECT id FROM people.person")
            await server.people.persons._mailboxes.keep(conn, person, "anna@fleet.example")
            _, added = await anna.ask("POST", "/api/me/channels", {"kind": "mail"})
            await anna.ask("PATCH", f"/api/me/channels/{added['added']}", {"digest": True, "quiet": False})
            stops = await conn.fetchval("SELECT unsubscribe FROM people.channel")
            await server.people.persons._mailboxes.keep(conn, person, "other@fleet.example")
            row = await conn.fetchrow("SELECT id, box, unsubscribe FROM people.channel")
            assert row is not None
        _, after = await anna.ask("GET", "/api/me/channels")
        place = server.notices.channels._boxes.open(row["id"], row["box"])

    assert "add a mail address first" == without["reason"]
    assert ["mail"] == [one["kind"] for one in added["channels"]]
    assert [("mail", "on", True, False)] == [
        (one["kind"], one["state"], one["digest"], one["quiet"]) for one in after["channels"]
    ]
    assert place is not None
    assert ("other@fleet.example", stops, stops) == (place.names, row["unsubscribe"], hashed(place.token))


async def test_without_a_mail_server_there_is_no_mail(anna: Browser) -> None:
    status, told = await anna.ask("POST", "/api/me/channels", {"kind": "mail"})

    assert (403, "this server sends no mail") == (status, told["reason"])


async def test_a_guest_has_no_ways_to_be_told(server_url: str) -> None:
    for verb in ("GET", "POST"):
        status, told = await Browser(server_url).ask(verb, "/api/me/channels", HOOK)

        assert (401, "no_session") == (status, told["code"])
