import asyncio
import json
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from domain.match.refusals import RequestError
from server.lobby.links import Access, Links
from server.lobby.seats import open_to
from server.lobby.tokens import uuid7
from server.people import persons
from server.people.sweeping import sweep
from server.postgres.database import alone, connection
from server.serving import Serving
from tests.conftest import running
from tests.server.authenticator import Authenticator, Browser, Said, raw
from tests.server.talk import enter, new_token, offer, seated, sit, token

VOID = "UPDATE lobby.token SET revoked_at = log.now() WHERE match_id = $1 AND person_id = $2"


@pytest.fixture
def browser(server_url: str) -> Browser:
    return Browser(server_url)


async def matches_of(browser: Browser) -> list[Said]:
    """Return somebody's matches, once the list has followed the log."""
    async with asyncio.timeout(10):
        while True:
            _, mine = await browser.ask("GET", "/api/me/matches")
            if mine["matches"]:
                found: list[Said] = mine["matches"]
                return found
            await asyncio.sleep(0.05)


async def test_a_guest_is_told_by_which_ways_he_could_sign_up(browser: Browser) -> None:
    status, me = await browser.ask("GET", "/api/me")

    assert (status, me) == (
        200,
        {"person": None, "ways": {"passkeys": True, "why": "", "mail": False, "oidc": ""}},
    )


async def test_at_an_address_of_digits_it_is_said_where_passkeys_can_be_had(browser: Browser) -> None:
    _, me = await browser.ask("GET", "/api/me", Host=f"127.0.0.1:{browser.port}")

    assert not me["ways"]["passkeys"]
    assert f"http://localhost:{browser.port}" in me["ways"]["why"]


async def test_who_signs_up_is_known_from_then_on(browser: Browser) -> None:
    told = await browser.sign_up("anna", name="Anna", zone="Europe/Berlin", night=23)
    status, me = await browser.ask("GET", "/api/me")

    assert (status, 10) == (200, len(set(told["codes"])))
    assert ("anna", "Anna", "Europe/Berlin", 23, 10) == tuple(
        me["person"][name] for name in ("handle", "name", "zone", "night", "codes")
    )
    assert ["Firefox on Linux"] == [one["browser"] for one in me["person"]["sessions"]]
    assert me["person"]["sessions"][0]["here"]


async def test_the_cookie_is_for_this_host_and_no_script(browser: Browser) -> None:
    await browser.sign_up("anna")

    assert (browser.headers.get("Set-Cookie") or "").endswith(
        "; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax"
    )


async def test_the_cookie_is_kept_as_long_again_whenever_the_page_is_opened(browser: Browser) -> None:
    """Given a browser that counts from when it was last sent a cookie."""
    await browser.sign_up("anna")
    kept = browser.cookie
    await browser.ask("GET", "/api/me")

    assert f"{kept}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax" == browser.headers.get("Set-Cookie")


async def test_over_https_no_other_host_can_set_the_cookie(dsn: str, folder: Path) -> None:
    async with running(dsn, folder, proxies=1) as server:
        browser = Browser(server.url)
        browser.origin, browser.proxied = f"https://localhost:{browser.port}", True
        await browser.sign_up("anna")
        kept = browser.headers.get("Set-Cookie") or ""
        _, me = await browser.ask("GET", "/api/me")
        browser.cookie = browser.cookie.removeprefix("__Host-")
        _, guest = await browser.ask("GET", "/api/me")

    assert kept.startswith("__Host-fleetfold=")
    assert kept.endswith("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure")
    assert ("anna", None) == (me["person"]["handle"], guest["person"])


async def test_over_plain_http_elsewhere_nobody_stays(browser: Browser) -> None:
    browser.origin = "http://fleet.example"

    _, me = await browser.ask("GET", "/api/me", Host="fleet.example")
    status, told = await browser.ask("POST", "/api/me/sign-in", {"recovery": "x"}, Host="fleet.example")

    assert (False, 400, "no_passkeys") == (me["ways"]["passkeys"], status, told["code"])
    assert "https" in me["ways"]["why"]


async def test_a_handle_is_had_once(server_url: str, browser: Browser) -> None:
    await browser.sign_up("anna")

    status, told = await Browser(server_url).ask(
        "POST", "/api/me/passkeys/options", {"purpose": "sign up", "handle": "anna"}
    )

    assert (409, "handle_taken") == (status, told["code"])


@pytest.mark.parametrize("handle", ["an", "Anna", "a" * 21, "an na", "änna", "operator", ""])
async def test_what_cannot_be_a_handle_is_refused(browser: Browser, handle: str) -> None:
    status, told = await browser.ask(
        "POST", "/api/me/passkeys/options", {"purpose": "sign up", "handle": handle}
    )

    assert status in {400, 409}
    assert told["code"] in {"bad_text", "handle_taken"}


async def test_of_two_who_sign_up_by_one_handle_at_once_one_has_it(server_url: str) -> None:
    browsers, keys = [Browser(server_url) for _ in range(4)], [Authenticator() for _ in range(4)]
    asked = []
    for one, key in zip(browsers, keys, strict=True):
        _, told = await one.ask("POST", "/api/me/passkeys/options", {"purpose": "sign up", "handle": "anna"})
        asked.append({"handle": "anna", "credential": key.make(told["options"], one.origin)})

    answers = await asyncio.gather(
        *(one.ask("POST", "/api/me/sign-up", body) for one, body in zip(browsers, asked, strict=True))
    )

    assert [200, 409, 409, 409] == sorted(status for status, _ in answers)


async def test_a_passkey_opens_a_session_on_another_browser(server_url: str, browser: Browser) -> None:
    key, other = Authenticator(), Browser(server_url)
    await browser.sign_up("anna", key)

    status, me = await other.sign_in(key)

    assert (200, "anna", 2) == (status, me["person"]["handle"], len(me["person"]["sessions"]))


async def test_what_an_authenticator_has_answered_is_good_once(server_url: str, browser: Browser) -> None:
    key, other = Authenticator(), Browser(server_url)
    await browser.sign_up("anna", key)
    _, told = await other.ask("POST", "/api/me/passkeys/options", {"purpose": "sign in"})
    credential = key.sign(told["options"], other.origin)
    first, _ = await other.ask("POST", "/api/me/sign-in", {"credential": credential})

    again, told = await Browser(server_url).ask("POST", "/api/me/sign-in", {"credential": credential})

    assert (200, 400, "bad_passkey") == (first, again, told["code"])


@pytest.mark.parametrize(
    ("age", "answer"), [("9 minutes", (200, None)), ("10 minutes", (400, "bad_passkey"))]
)
async def test_after_ten_minutes_a_challenge_is_answered_in_vain(
    dsn: str, server_url: str, browser: Browser, age: str, answer: tuple[int, str | None]
) -> None:
    key, other = Authenticator(), Browser(server_url)
    await browser.sign_up("anna", key)
    _, told = await other.ask("POST", "/api/me/passkeys/options", {"purpose": "sign in"})
    async with alone(dsn) as conn:
        await conn.execute("UPDATE people.ceremony SET made_at = made_at - $1::text::interval", age)
    credential = key.sign(told["options"], other.origin)
    status, told = await other.ask("POST", "/api/me/sign-in", {"credential": credential})

    assert answer == (status, told.get("code"))
    assert (status == 200) == bool(other.cookie)


async def test_a_copied_passkey_that_counts_behind_is_refused(server_url: str, browser: Browser) -> None:
    key = Authenticator()
    await browser.sign_up("anna", key)
    key.uses = 5
    await Browser(server_url).sign_in(key)
    key.uses = 2

    status, told = await Browser(server_url).sign_in(key)

    assert (400, "bad_passkey") == (status, told["code"])


@pytest.mark.parametrize("fault", ["origin", "host", "key", "challenge"])
async def test_a_passkey_of_another_page_or_key_is_refused(
    server_url: str, browser: Browser, fault: str
) -> None:
    key, other = Authenticator(), Browser(server_url)
    await browser.sign_up("anna", key)
    _, told = await other.ask("POST", "/api/me/passkeys/options", {"purpose": "sign in"})
    options, origin = told["options"], other.origin
    if fault == "origin":
        origin = "http://localhost:1"
    elif fault == "host":
        options["rpId"] = "localhost.example"
    elif fault == "key":
        key.key = Authenticator().key
    else:
        options["challenge"] = options["challenge"][::-1]

    status, told = await other.ask("POST", "/api/me/sign-in", {"credential": key.sign(options, origin)})

    assert (400, "bad_passkey") == (status, told["code"])
    assert not other.cookie


@pytest.mark.parametrize(
    "credential", [{}, {"response": 1}, {"response": {"clientDataJSON": "e30"}}, {"rawId": []}]
)
async def test_what_is_no_answer_of_an_authenticator_is_refused(browser: Browser, credential: object) -> None:
    status, told = await browser.ask("POST", "/api/me/sign-in", {"credential": credential})

    assert (400, "bad_passkey") == (status, told["code"])


async def test_a_recovery_code_opens_a_session_once(server_url: str, browser: Browser) -> None:
    told = await browser.sign_up("anna")
    code = told["codes"][3]

    first, me = await Browser(server_url).ask(
        "POST", "/api/me/sign-in", {"recovery": code.upper().replace("-", " ")}
    )
    again, refused = await Browser(server_url).ask("POST", "/api/me/sign-in", {"recovery": code})

    assert (200, 9) == (first, me["person"]["codes"])
    assert (400, "bad_recovery") == (again, refused["code"])


async def test_new_codes_make_the_old_ones_void(server_url: str, browser: Browser) -> None:
    old = (await browser.sign_up("anna"))["codes"]
    _, new = await browser.ask("POST", "/api/me/codes")

    assert 400 == (await Browser(server_url).ask("POST", "/api/me/sign-in", {"recovery": old[0]}))[0]
    assert 200 == (await Browser(server_url).ask("POST", "/api/me/sign-in", {"recovery": new["codes"][0]}))[0]


async def test_who_has_signed_out_is_a_guest(browser: Browser) -> None:
    await browser.sign_up("anna")
    kept = browser.cookie
    await browser.ask("POST", "/api/me/sign-out")
    browser.cookie, gone = kept, browser.cookie

    _, me = await browser.ask("GET", "/api/me")

    assert ("", None, "") == (gone, me["person"], browser.cookie)  # the old cookie is taken away, too


async def not_used_for(dsn: str, age: str) -> None:
    """Have all sessions last used so long ago."""
    async with alone(dsn) as conn:
        await conn.execute("UPDATE people.session SET seen_at = log.now() - $1::text::interval", age)


@pytest.mark.parametrize(("age", "handle"), [("91 days", None), ("89 days", "anna")])
async def test_a_session_not_used_for_90_days_has_ended_though_it_is_not_removed_yet(
    dsn: str, browser: Browser, age: str, handle: str | None
) -> None:
    await browser.sign_up("anna")
    await not_used_for(dsn, age)

    _, me = await browser.ask("GET", "/api/me")
    async with alone(dsn) as conn:
        left = await conn.fetchval("SELECT count(*) FROM people.session")

    assert (handle, 1) == (me["person"] and me["person"]["handle"], left)


async def test_somebody_ends_the_session_of_another_browser(server_url: str, browser: Browser) -> None:
    key, other = Authenticator(), Browser(server_url)
    await browser.sign_up("anna", key)
    await other.sign_in(key)
    _, me = await browser.ask("GET", "/api/me")
    number = next(one["id"] for one in me["person"]["sessions"] if not one["here"])

    await browser.ask("DELETE", f"/api/me/sessions/{number}")

    assert (await other.ask("GET", "/api/me"))[1]["person"] is None
    assert (await browser.ask("GET", "/api/me"))[1]["person"] is not None


async def test_nobody_ends_a_session_of_somebody_else(server_url: str, browser: Browser) -> None:
    other = Browser(server_url)
    await browser.sign_up("anna")
    await other.sign_up("bert")
    _, me = await browser.ask("GET", "/api/me")

    await other.ask("DELETE", f"/api/me/sessions/{me['person']['sessions'][0]['id']}")

    assert (await browser.ask("GET", "/api/me"))[1]["person"] is not None


async def test_all_other_sessions_end_at_once(server_url: str, browser: Browser) -> None:
    key, others = Authenticator(), [Browser(server_url) for _ in range(2)]
    await browser.sign_up("anna", key)
    for other in others:
        await other.sign_in(key)

    _, me = await browser.ask("DELETE", "/api/me/sessions")

    assert [True] == [one["here"] for one in me["person"]["sessions"]]


async def test_a_removed_passkey_ends_the_sessions_that_it_began(server_url: str, browser: Browser) -> None:
    first, second, other = Authenticator(), Authenticator(), Browser(server_url)
    await browser.sign_up("anna", first)
    _, told = await browser.ask("POST", "/api/me/passkeys/options", {"purpose": "add"})
    body = {"name": "Telephone", "credential": second.make(told["options"], browser.origin)}
    _, me = await browser.ask("POST", "/api/me/passkeys", body)
    assert ["Passkey", "Telephone"] == [one["name"] for one in me["person"]["passkeys"]]
    await other.sign_in(second)

    number = me["person"]["passkeys"][1]["id"]
    await browser.ask("DELETE", f"/api/me/passkeys/{number}")

    assert (await other.ask("GET", "/api/me"))[1]["person"] is None
    assert 400 == (await other.sign_in(second))[0]


async def test_a_session_goes_with_its_passkey_though_it_has_removed_another(
    server_url: str, browser: Browser
) -> None:
    """Given a laptop that is stolen: whoever has it has removed the owner's other passkey, or tried to."""
    first, second = Authenticator(), Authenticator()
    codes = (await browser.sign_up("anna", first))["codes"]
    _, told = await browser.ask("POST", "/api/me/passkeys/options", {"purpose": "add"})
    _, me = await browser.ask(
        "POST", "/api/me/passkeys", {"credential": second.make(told["options"], browser.origin)}
    )
    own, other = (one["id"] for one in me["person"]["passkeys"])
    removed = [(await browser.ask("DELETE", f"/api/me/passkeys/{one}"))[0] for one in (other, 999)]

    elsewhere = Browser(server_url)
    await elsewhere.ask("POST", "/api/me/sign-in", {"recovery": codes[0]})
    await elsewhere.ask("DELETE", f"/api/me/passkeys/{own}")

    assert [200, 404] == removed
    assert (await browser.ask("GET", "/api/me"))[1]["person"] is None


async def test_the_last_way_in_cannot_be_removed(server: Serving, browser: Browser) -> None:
    await browser.sign_up("anna")
    async with server.database.http.acquire() as conn:
        await conn.execute("DELETE FROM people.code")
    _, me = await browser.ask("GET", "/api/me")

    status, told = await browser.ask("DELETE", f"/api/me/passkeys/{me['person']['passkeys'][0]['id']}")

    assert (403, "not_allowed") == (status, told["code"])


async def test_a_person_says_something_else_of_himself(browser: Browser) -> None:
    await browser.sign_up("anna", name="Anna")

    _, me = await browser.ask("PATCH", "/api/me", {"about": "Carriers.", "night": 23})
    _, same = await browser.ask("PATCH", "/api/me", {"night": None})

    assert ("Anna", "Carriers.", 23) == tuple(me["person"][name] for name in ("name", "about", "night"))
    assert ("Anna", "Carriers.", None) == tuple(same["person"][name] for name in ("name", "about", "night"))


@pytest.mark.parametrize(
    "change", [{"zone": "Mars/Base"}, {"night": 24}, {"name": "x" * 41}, {"locale": "??"}]
)
async def test_what_a_person_cannot_say_of_himself_is_refused(browser: Browser, change: object) -> None:
    await browser.sign_up("anna")

    status, told = await browser.ask("PATCH", "/api/me", change)

    assert (400, "bad_text") == (status, told["code"])


@pytest.mark.parametrize(
    ("verb", "path", "body", "code"),
    [
        ("GET", "/api/people/%00", None, "no_person"),
        ("GET", "/api/people/a%00b", None, "no_person"),
        ("POST", "/api/me/blocks", {"handle": "a\0b"}, "no_person"),
        ("DELETE", "/api/me/blocks/%00", {}, "no_person"),
        ("DELETE", "/api/me/bots/a%00b", {}, "no_person"),
        ("POST", "/api/me/bots/a%00b/tokens", {"name": "x", "scopes": ["play"]}, "no_person"),
        ("POST", "/api/me/reports", {"match": str(UUID(int=1)), "line": 10**30}, "bad_request"),
        ("POST", "/api/me/reports", {"match": str(UUID(int=1)), "line": 2**63}, "bad_request"),
        ("POST", "/api/me/reports", {"match": str(UUID(int=1)), "line": 2**63 - 1}, "no_match"),
        ("POST", "/api/me/reports", {"match": str(UUID(int=1)), "line": 1, "word": "\0"}, "bad_text"),
        ("PATCH", "/api/me", {"night": 10**30}, "bad_text"),
        ("PATCH", "/api/me", {"zone": "a\0b"}, "bad_text"),
        ("PATCH", "/api/me", {"locale": "a\0b"}, "bad_text"),
        ("DELETE", "/api/me/sessions/9999999999999999999", {}, "bad_request"),
        ("GET", "/api/matches?before=99999999999999999999", None, "bad_request"),
    ],
)
async def test_what_no_column_can_have_is_refused_as_what_it_is(
    browser: Browser, verb: str, path: str, body: object, code: str
) -> None:
    await browser.sign_up("anna")

    _, told = await browser.ask(verb, path, body)

    assert code == told["code"]


@pytest.mark.parametrize("seat", [-1, 2**15, 10**30])
async def test_a_seat_that_no_title_has_is_not_looked_up(browser: Browser, seat: int) -> None:
    await browser.sign_up("anna")
    created = await offer(browser.origin.replace("localhost", "127.0.0.1"))
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True, seat=seat)
        told = await talk.hear("refused", "view")
        if told["t"] == "refused":
            joining = await talk.ask("join", match=created["match"], seat=seat, token="x", promise="0" * 64)

    assert ("not_seated", "refused") == (told["code"], joining["t"])


def test_time_zones_are_read_from_the_disk_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given that the names of all zones are known: to walk the tz database again would stop the loop."""
    persons.fit_zone("UTC")
    monkeypatch.setattr("importlib.resources.files", None)
    persons.fit_zone("Europe/Berlin")
    with pytest.raises(RequestError):
        persons.fit_zone("Mars/Base")


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [
        ("PATCH", "/api/me", {"name": "x"}),
        ("POST", "/api/me/codes", {}),
        ("POST", "/api/me/seats", {"links": []}),
        ("DELETE", "/api/me", {"handle": "anna"}),
        ("DELETE", "/api/me/sessions", {}),
        ("POST", "/api/me/bots", {"handle": "botty"}),
        ("GET", "/api/me/matches", None),
        ("GET", "/api/me/export", None),
    ],
)
async def test_a_guest_has_nothing_that_is_a_persons(
    browser: Browser, verb: str, path: str, body: object
) -> None:
    status, told = await browser.ask(verb, path, body)

    assert (401, "no_session") == (status, told["code"])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": ""}, 403),
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
async def test_nothing_is_changed_for_another_page(
    browser: Browser, headers: dict[str, str], status: int
) -> None:
    await browser.sign_up("anna", name="Anna")

    answered, _ = await browser.ask("PATCH", "/api/me", {"name": "Mallory"}, **headers)

    assert status == answered
    assert "Anna" == (await browser.ask("GET", "/api/me"))[1]["person"]["name"]


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"POST /api/me/sign-out HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
        (
            b"POST /api/me/sign-out HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000\r\n\r\n"
            + b"x" * 40000,
            413,
        ),
        (b"POST /api/me/sign-out HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 400),
        (b"POST /api/me/sign-out HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 9000 + b"\r\n", 400),
        (b"PUT /api/me HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 405),
        (b"POST /api/titles HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", 405),
        (b"POST  HTTP/1.1\r\n\r\n", 400),
    ],
)
async def test_a_body_that_cannot_be_read_is_answered(browser: Browser, data: bytes, status: int) -> None:
    answer = await raw(browser.port, data)

    assert f"HTTP/1.1 {status} ".encode() == answer[:13]


async def test_a_body_may_come_in_pieces_and_be_waited_for(browser: Browser) -> None:
    head = (
        f"POST /api/me/sign-out HTTP/1.1\r\nHost: localhost:{browser.port}\r\nOrigin: {browser.origin}\r\n"
        "Content-Type: application/json\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    async with asyncio.timeout(10):
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
        for letter in head.encode():
            writer.write(bytes([letter]))
            await asyncio.sleep(0)
        assert b"HTTP/1.1 100 Continue\r\n\r\n" == await reader.readexactly(25)
        for piece in (b"1\r\n{\r\n", b"1\r\n}\r\n0\r\n\r\n"):
            writer.write(piece)
            await writer.drain()
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()

    assert b"HTTP/1.1 200 OK" == answer[:15]


async def test_sign_ups_beyond_an_addresss_share_are_refused_and_counted(
    server: Serving, browser: Browser
) -> None:
    body = {"handle": "anna", "credential": {}}
    told = [await browser.ask("POST", "/api/me/sign-up", body) for _ in range(61)]

    assert [400] * 60 + [429] == [status for status, _ in told]
    assert 1 == server.people.shares.refused["sign-ups"]


async def test_no_passkey_is_asked_for_where_the_sign_up_would_be_refused(browser: Browser) -> None:
    """Given that to ask for one uses up no sign-up."""
    body = {"handle": "anna", "credential": {}}
    wanted = {"purpose": "sign up", "handle": "anna"}
    for _ in range(59):
        await browser.ask("POST", "/api/me/sign-up", body)

    told = [(await browser.ask("POST", "/api/me/passkeys/options", wanted))[0] for _ in range(2)]
    last, _ = await browser.ask("POST", "/api/me/sign-up", body)
    told.append((await browser.ask("POST", "/api/me/passkeys/options", wanted))[0])
    signing_in, _ = await browser.ask("POST", "/api/me/passkeys/options", {"purpose": "sign in"})

    assert [200, 200, 429] == told
    assert (400, 200) == (last, signing_in)


@pytest.mark.parametrize("zone", ["Etc/Unknown", "+05:30", ""])
async def test_who_signs_up_is_not_refused_for_what_his_browser_says_of_itself(
    browser: Browser, zone: str
) -> None:
    """Given what browsers say that know no zone, and Chromium where the system's language is C."""
    told = await browser.sign_up("anna", zone=zone, locale="en-US@posix")

    assert ("UTC", "") == (told["me"]["person"]["zone"], told["me"]["person"]["locale"])


async def test_who_takes_a_seat_while_he_is_signed_in_has_it_everywhere(
    server_url: str, browser: Browser
) -> None:
    key, other = Authenticator(), Browser(server_url)
    await browser.sign_up("anna", key, name="Anna")
    created = await offer(server_url)
    match = created["match"]
    async with browser.talking() as talk:
        await enter(talk, created, 0)
        await sit(talk, created, name="somebody else")
    await other.sign_in(key)

    async with other.talking() as talk:
        await talk.say("hello", version=1, match=match, mine=True)
        welcome = await talk.hear("welcome", "refused")
    mine = await matches_of(other)
    _, one = await other.ask("GET", f"/api/matches/{match}")

    assert ("seat", 0) == (welcome["role"], welcome["seat"])
    assert [(match, [0], False)] == [(m["info"]["match"], m["seats"], m["waits"]) for m in mine]
    assert ("Anna", "anna") == (one["seats"][0]["player"], one["seats"][0]["handle"])


async def test_who_comes_by_his_session_while_his_seat_is_given_to_him_is_let_in(
    server_url: str, dsn: str, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a node that completes what a killed one has begun, just after a hello has looked for his seat."""
    await browser.sign_up("anna")
    created = await offer(server_url)
    match = created["match"]
    async with browser.talking() as talk:
        await enter(talk, created, 0)
        await sit(talk, created)
    own, given = Links.own, list[UUID]()

    async def given_meanwhile(links: Links, match: UUID, person: UUID, seat: int | None) -> Access:
        found = await own(links, match, person, seat)
        if not given:
            given.append(person)
            async with alone(dsn) as conn, conn.transaction():
                await conn.execute(VOID, match, person)
                await open_to(conn, person, match, "seat", 0)  # type: ignore[arg-type]
        return found

    monkeypatch.setattr(Links, "own", given_meanwhile)
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=match, mine=True)
        answer = await talk.hear("view", "refused")

    assert ("view", 1) == (answer["t"], len(given))


async def test_who_looks_on_has_no_seat_by_another_persons_session(server_url: str, browser: Browser) -> None:
    await browser.sign_up("anna")
    created = await offer(server_url)
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        looks_on = await talk.hear("welcome", "refused")
        await talk.say("hello", version=1, match=created["match"], mine=True, seat=1)
        refused = await talk.hear("welcome", "refused")

    assert ("onlooker", "not_seated") == (looks_on["role"], refused["code"])


async def test_a_session_counts_only_for_a_page_of_this_server(server_url: str, browser: Browser) -> None:
    await browser.sign_up("anna")
    created = await offer(server_url)
    async with browser.talking() as talk:
        await enter(talk, created, 0)
        await sit(talk, created)
    async with browser.talking(origin=False) as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        welcome = await talk.hear("welcome")

    assert "onlooker" == welcome["role"]


async def test_seats_of_a_guest_become_his_when_he_is_known(server_url: str, browser: Browser) -> None:
    await browser.sign_up("anna", name="Anna")
    async with seated(server_url) as (created, _, _):
        link = {"match": created["match"], "token": token(created, "seat", 1)}
        void = {"match": created["match"], "token": new_token()}
        free = await offer(server_url)
        nobody = {"match": free["match"], "token": token(free, "seat", 0)}

        _, tied = await browser.ask("POST", "/api/me/seats", {"links": [link, void, nobody]})
        _, again = await browser.ask("POST", "/api/me/seats", {"links": [link]})
        mine = await matches_of(browser)

    assert ([created["match"]], []) == (tied["tied"], again["tied"])
    assert [
        {"match": created["match"], "reason": "its link is void"},
        {"match": free["match"], "reason": "no person has taken the seat yet"},
    ] == tied["left"]
    assert ["it is yours already"] == [one["reason"] for one in again["left"]]
    assert [[1]] == [one["seats"] for one in mine]


async def test_a_seat_that_is_anothers_is_not_tied(server_url: str, browser: Browser) -> None:
    other = Browser(server_url)
    await browser.sign_up("anna")
    await other.sign_up("bert")
    async with seated(server_url) as (created, _, _):
        link = {"match": created["match"], "token": token(created, "seat", 1)}
        await browser.ask("POST", "/api/me/seats", {"links": [link]})

        _, tied = await other.ask("POST", "/api/me/seats", {"links": [link]})

    assert ([], ["it is another person's"]) == (tied["tied"], [one["reason"] for one in tied["left"]])


async def test_a_match_that_is_offered_while_signed_in_is_the_persons(browser: Browser) -> None:
    await browser.sign_up("anna")
    async with browser.talking() as talk:
        created = await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        await talk.say("hello", version=1, match=created["match"], mine=True)
        welcome = await talk.hear("welcome")
        await talk.say("withdraw", match=created["match"])
        withdrawn = await talk.hear("withdrawn", "refused")

    assert ("creator", "withdrawn") == (welcome["role"], withdrawn["t"])


async def test_by_a_session_one_decides_and_another_link_of_the_seat_may_be_made(
    server_url: str, browser: Browser
) -> None:
    await browser.sign_up("anna")
    async with seated(server_url) as (created, north, _):
        link = {"match": created["match"], "token": token(created, "seat", 0)}
        await browser.ask("POST", "/api/me/seats", {"links": [link]})
        async with browser.talking() as talk:
            await talk.say("hello", version=1, match=created["match"], mine=True)
            view = await talk.hear("view")
            option = view["prompts"][0]["options"][0]
            receipt = await talk.ask("decide", match=created["match"], answers=view["upto"], decision=option)
            await talk.say("exchange", match=created["match"])
            linked = await talk.hear("linked", "refused")
        gone = await north.hear("refused")

    assert ("receipt", "linked", "bad_token") == (receipt["t"], linked["t"], gone["code"])


async def test_whose_session_ends_is_shown_out(server_url: str, browser: Browser) -> None:
    key, other = Authenticator(), Browser(server_url)
    await browser.sign_up("anna", key)
    await other.sign_in(key)
    created = await offer(server_url)
    async with other.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("welcome")
        await browser.ask("DELETE", "/api/me/sessions")
        with pytest.raises(ConnectionClosed) as closed:
            await talk.hear("nothing else")

    assert closed.value.rcvd is not None
    assert (4401, "signed out") == (closed.value.rcvd.code, closed.value.rcvd.reason)


async def test_whose_session_was_not_used_for_90_days_is_shown_out(
    dsn: str, server: Serving, browser: Browser
) -> None:
    await browser.sign_up("anna")
    created = await offer(server.url)
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("welcome")
        await not_used_for(dsn, "91 days")
        server.gateway.look_at_sessions()
        with pytest.raises(ConnectionClosed) as closed:
            await talk.hear("nothing else")

    assert closed.value.rcvd is not None
    assert (4401, "signed out") == (closed.value.rcvd.code, closed.value.rcvd.reason)


async def test_nothing_is_done_for_whose_session_has_ended_though_he_answers_no_close(
    server: Serving, browser: Browser
) -> None:
    """Given somebody who reads no close frame, and sends commands meanwhile: to join, and to offer."""
    await browser.sign_up("anna")
    created = await offer(server.url)
    gateway = server.gateway
    async with browser.talking() as talk:
        await talk.say("hello", version=1, match=created["match"], mine=True)
        await talk.hear("welcome")
        await talk.ask("create", "created", version=1, title="tiny", scenario="skirmish")
        (visitor,) = (one for one in gateway._visitors.values() if one.caller.known)
        talk.socket.transport.pause_reading()
        await browser.ask("POST", "/api/me/sign-out")
        async with asyncio.timeout(10):
            while visitor.connection.protocol.state is State.OPEN:
                await asyncio.sleep(0.01)
        held = len(visitor.accesses)
        join = {"seat": 1, "token": new_token(), "promise": "0" * 64}
        await talk.say("join", match=created["match"], command=uuid4(), **join)
        await talk.say("create", command=uuid4(), version=1, title="tiny", scenario="skirmish")
        talk.socket.transport.resume_reading()
        async with asyncio.timeout(10):
            while visitor.connection in gateway.connections:
                await asyncio.sleep(0.01)
    async with connection(server.database.http) as conn:
        rows = [await conn.fetchval(f"SELECT count(*) FROM lobby.{table}") for table in ("match", "seat")]

    assert [2, 0] == rows
    assert 0 == held


async def test_who_is_erased_leaves_no_name_and_the_match_goes_on(server: Serving, browser: Browser) -> None:
    await browser.sign_up("anna", name="Anna, red side", zone="Europe/Berlin")
    async with seated(server.url) as (created, north, south):
        link = {"match": created["match"], "token": token(created, "seat", 0)}
        await browser.ask("POST", "/api/me/seats", {"links": [link]})
        await north.say("say", match=created["match"], room="table", text="I am Anna")
        await south.hear("said")
        async with server.database.append.acquire() as conn:
            before = await conn.fetchval("SELECT count(*) FROM log.fact")
        status, me = await browser.ask("DELETE", "/api/me", {"handle": "anna"})
        _, one = await browser.ask("GET", f"/api/matches/{created['match']}")
        await enter(north, created, 0)
        async with server.database.append.acquire() as conn:
            after = await conn.fetchval("SELECT count(*) FROM log.fact")
            rows = []
            for table in await conn.fetch(
                "SELECT schemaname || '.' || tablename FROM pg_tables WHERE schemaname IN ('lobby', 'people')"
            ):
                rows += [dict(row) for row in await conn.fetch(f"SELECT * FROM {table[0]}")]

    assert (200, None, "someone", "") == (
        status,
        me["person"],
        one["seats"][0]["player"],
        one["seats"][0]["handle"],
    )
    assert before == after
    assert not [row for row in rows if "anna" in str(row).lower()]


async def test_erased_is_only_who_types_his_handle(browser: Browser) -> None:
    await browser.sign_up("anna")

    status, _ = await browser.ask("DELETE", "/api/me", {"handle": "bert"})

    assert 400 == status
    assert (await browser.ask("GET", "/api/me"))[1]["person"] is not None


async def test_all_that_is_kept_of_somebody_is_given_to_him(server_url: str, browser: Browser) -> None:
    await browser.sign_up("anna", name="Anna")
    async with seated(server_url) as (created, north, south):
        link = {"match": created["match"], "token": token(created, "seat", 0)}
        await browser.ask("POST", "/api/me/seats", {"links": [link]})
        await north.say("say", match=created["match"], room="table", text="Good luck")
        await south.hear("said")
        _, kept = await browser.ask("GET", "/api/me/export")

    assert "anna" == kept["person"][0]["handle"]
    assert [created["match"]] == [one["match"] for one in kept["seats"]]
    assert ["Good luck"] == [one["text"] for one in kept["chat"]]
    assert 'attachment; filename="fleetfold-anna.json"' == browser.headers.get("Content-Disposition")
    assert "hash" not in json.dumps(kept)


NAMED = {
    "person": "handle, name",
    "passkeys": "passkeys",
    "providers": "provider of identities",
    "sessions": "sessions",
    "bots": "your bots",
    "tokens": "their tokens",
    "channels": "a browser or another service",
    "mail": "a mail address",
    "notices": "what you were told",
    "offers": "matches that you offered",
    "seats": "which seats are yours",
    "seats_before": "until somebody else took them over",
    "blocked": "whom you keep away",
    "reports": "lines of talk you reported",
    "challenges": "challenges: who asked whom",
    "rematches": "rematches that you declined",
    "tournaments": "tournaments that you entered",
    "rulings": "what you ruled as director",
    "chat": "what you wrote in the talk",
    "holiday": "your last holiday",
    "ratings": "your ratings",
    "results": "results and luck with dice",
}
"""What the page about privacy calls each part of what is kept of a person."""


async def test_the_page_about_privacy_names_all_that_is_given_to_a_person(browser: Browser) -> None:
    await browser.sign_up("anna")
    _, kept = await browser.ask("GET", "/api/me/export")
    page = " ".join(Path("docs/privacy.md").read_text().split())

    assert set(NAMED) == set(kept)
    assert [] == [said for said in NAMED.values() if said not in page]


@pytest.mark.parametrize(
    "said",
    [
        "There are two cookies",
        "an address for which a link was asked, by whomever",
        "that the operator has muted or banned you",
        "since when you are here, and when you were last",
        "What is left of you is a number",
        "Whom he has banned he hands that file out to",
        "the same of who comes from there and chooses no handle",
    ],
)
def test_the_page_about_privacy_names_what_is_in_no_part_of_it(said: str) -> None:
    assert said in " ".join(Path("docs/privacy.md").read_text().split())


async def test_what_is_left_of_who_is_erased_says_nothing_of_before(dsn: str, browser: Browser) -> None:
    await browser.sign_up("anna")
    async with alone(dsn) as conn:
        await conn.execute("UPDATE people.person SET muted_at = now(), banned_at = NULL")
        await browser.ask("DELETE", "/api/me", {"handle": "anna"})
        row = await conn.fetchrow("SELECT * FROM people.person")

    assert row is not None
    id_, erased = row["id"], row["erased_at"]
    assert {id_, erased, "", "UTC", False, None} == set(row.values())


TOO_OLD = (
    "SELECT count(*) FROM people.session WHERE seen_at < now() - interval '90 days'",
    "SELECT count(*) FROM people.report WHERE done_at < now() - interval '1 year'",
    "SELECT count(*) FROM people.leaving WHERE made_at < now() - interval '10 minutes'",
    "SELECT count(*) FROM people.ceremony WHERE made_at < now() - interval '10 minutes'",
)
"""How many of each are kept for too long."""


async def test_what_is_kept_for_a_time_goes_though_nobody_signs_in(
    server: Serving, dsn: str, browser: Browser
) -> None:
    """Given one of each that is too old by a minute, and one that is not by as much."""
    await browser.sign_up("anna")
    created = await offer(server.url)
    async with alone(dsn) as conn:
        for hash_, age in ((b"a" * 32, "90 days 1 minute"), (b"b" * 32, "89 days 23:59")):
            await conn.execute(
                "INSERT INTO people.session (hash, person_id, browser, seen_at)"
                " SELECT $1, id, $2, now() - $2::text::interval FROM people.person",
                hash_,
                age,
            )
        for line, age in enumerate(("1 year 1 minute", "1 year -1 minute")):
            await conn.execute(
                "INSERT INTO people.report (by, match_id, line, text, done_at)"
                " SELECT id, $1, $2, $3, now() - $3::text::interval FROM people.person",
                UUID(created["match"]),
                line,
                age,
            )
        for hash_, age in ((b"c" * 32, "11 minutes"), (b"d" * 32, "9 minutes")):
            await conn.execute(
                "INSERT INTO people.leaving (hash, browser, back, subject, made_at)"
                " VALUES ($1, $1, true, $2, now() - $2::text::interval)",
                hash_,
                age,
            )
            await conn.execute(
                "INSERT INTO people.ceremony (hash, purpose, made_at)"
                " VALUES ($1, 'sign in', now() - $2::text::interval)",
                hash_,
                age,
            )
        sweeping = asyncio.create_task(sweep(server.database.http))
        async with asyncio.timeout(10):
            while any([await conn.fetchval(query) for query in TOO_OLD]):
                await asyncio.sleep(0.02)
        sweeping.cancel()
        sessions = [row[0] for row in await conn.fetch("SELECT browser FROM people.session ORDER BY 1")]
        reports = [row[0] for row in await conn.fetch("SELECT text FROM people.report")]
        leaving = [row[0] for row in await conn.fetch("SELECT subject FROM people.leaving")]
        challenges = [row[0] for row in await conn.fetch("SELECT hash FROM people.ceremony")]

    assert ["89 days 23:59", "Firefox on Linux"] == sessions
    assert ["1 year -1 minute"] == reports
    assert (["9 minutes"], [b"d" * 32]) == (leaving, challenges)


async def test_a_line_of_an_onlooker_who_erases_himself_stays_and_names_nobody(
    server: Serving, browser: Browser
) -> None:
    await browser.sign_up("anna")
    async with seated(server.url) as (created, _, __), browser.talking() as talk:
        await enter(talk, created)
        await talk.say("say", match=created["match"], room="onlookers", text="Well played")
        await talk.hear("said")
    await browser.ask("DELETE", "/api/me", {"handle": "anna"})
    async with server.database.append.acquire() as conn:
        row = await conn.fetchrow("SELECT * FROM lobby.chat")

    assert row is not None
    assert {"Well played", "onlookers"} < set(row.values())
    assert row["seat"] is None
    assert not [name for name in row.keys() if "person" in name or "address" in name]  # noqa: SIM118 a record


async def test_a_bot_of_a_person_says_so_and_whose_it_is(server_url: str, browser: Browser) -> None:
    await browser.sign_up("anna")
    _, me = await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot", "name": "Anna's bot"})
    _, made = await browser.ask("POST", "/api/me/bots/anna_bot/tokens", {"name": "home", "scopes": ["play"]})
    _, profile = await Browser(server_url).ask("GET", "/api/people/anna_bot")
    _, listed = await browser.ask("GET", "/api/me")

    assert ["anna_bot"] == [one["handle"] for one in me["person"]["bots"]]
    assert (True, "anna") == (profile["bot"], profile["owner"])
    assert ["play"] == listed["person"]["bots"][0]["tokens"][0]["scopes"]
    assert made["token"] not in json.dumps(listed)


async def test_nobody_has_tokens_of_a_bot_of_somebody_else(server_url: str, browser: Browser) -> None:
    other = Browser(server_url)
    await browser.sign_up("anna")
    await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"})
    await other.sign_up("bert")

    status, _ = await other.ask("POST", "/api/me/bots/anna_bot/tokens", {"name": "x", "scopes": ["play"]})

    assert 404 == status


async def test_a_removed_bot_is_nobody(browser: Browser) -> None:
    await browser.sign_up("anna")
    await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"})
    _, me = await browser.ask("DELETE", "/api/me/bots/anna_bot")

    assert [] == me["person"]["bots"]
    assert 404 == (await browser.ask("GET", "/api/people/anna_bot"))[0]


async def test_nothing_of_an_erased_person_comes_back_by_another_node(dsn: str, folder: Path) -> None:
    async with running(dsn, folder) as here, running(dsn, folder) as there:
        anna, away = Browser(here.url), Browser(there.url)
        await anna.sign_up("anna", name="Anna")
        away.cookie = anna.cookie
        async with away.talking() as talk:
            await talk.say("hello", version=1, match=(await offer(there.url))["match"], mine=True)
            await talk.hear("welcome")
            await anna.ask("DELETE", "/api/me", {"handle": "anna"})
            created = await talk.ask(
                "create", "created", "refused", version=1, title="tiny", scenario="skirmish", label="by Anna"
            )
        async with here.database.read.acquire() as conn:
            labels = [row["label"] for row in await conn.fetch("SELECT label FROM lobby.match")]

    assert "refused" == created["t"]
    assert "by Anna" not in labels


async def test_nothing_is_said_of_somebody_while_he_is_erased(server: Serving, browser: Browser) -> None:
    await browser.sign_up("anna", name="Anna")
    same = [Browser(server.url) for _ in range(6)]
    for one in same:
        one.cookie = browser.cookie
    await asyncio.gather(
        browser.ask("DELETE", "/api/me", {"handle": "anna"}),
        *(one.ask("PATCH", "/api/me", {"about": "I am Anna"}) for one in same[:3]),
        *(one.ask("POST", "/api/me/bots", {"handle": f"anna_{at}"}) for at, one in enumerate(same[3:])),
    )
    async with server.database.read.acquire() as conn:
        rows = await conn.fetch("SELECT * FROM people.person")

    assert not [row for row in rows if "anna" in str(dict(row)).lower()]


async def test_a_bot_that_is_made_while_its_person_waits_to_be_erased_is_erased_with_him(
    dsn: str, server: Serving, browser: Browser
) -> None:
    """Given a handle that a third transaction has and gives back, for which the making of the bot waits."""
    await browser.sign_up("anna")
    other = Browser(server.url)
    other.cookie = browser.cookie
    async with alone(dsn) as holder:
        holding = holder.transaction()
        await holding.start()
        await holder.execute(
            "INSERT INTO people.person (id, handle, name) VALUES ($1, 'annas_bot', 'Anna')", uuid7()
        )
        making = asyncio.create_task(other.ask("POST", "/api/me/bots", {"handle": "annas_bot"}))
        await waiting_for_locks(dsn, 1)
        erasing = asyncio.create_task(browser.ask("DELETE", "/api/me", {"handle": "anna"}))
        await waiting_for_locks(dsn, 2)

        await holding.rollback()
        made, erased = await asyncio.gather(making, erasing)
        left = await holder.fetch("SELECT handle, name FROM people.person WHERE handle IS NOT NULL")

    assert (200, 200, []) == (made[0], erased[0], left)


async def waiting_for_locks(dsn: str, count: int) -> None:
    """Return once so many connections of the database wait for a lock of another."""
    query = """
        SELECT count(*) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'
    """
    async with alone(dsn) as conn, asyncio.timeout(10):
        while await conn.fetchval(query) < count:
            await asyncio.sleep(0.02)


async def test_codes_that_are_made_twice_at_once_are_ten(server: Serving, browser: Browser) -> None:
    await browser.sign_up("anna")
    same = [Browser(server.url) for _ in range(6)]
    for one in same:
        one.cookie = browser.cookie
    await asyncio.gather(*(one.ask("POST", "/api/me/codes") for one in same))
    async with server.database.read.acquire() as conn:
        count = await conn.fetchval("SELECT count(*) FROM people.code")

    assert 10 == count
