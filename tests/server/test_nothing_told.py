"""What persons keep to themselves, looked for everywhere that others can read.

Persons go through all that there is: they sign up by a passkey, by mail and by a provider, add ways to be
told, register a bot, take seats, use codes, do it wrong, are erased. All that the server writes and says to
others meanwhile is kept, and searched for each secret in each form in which it might stand there.
"""

import asyncio
import base64
import contextlib
import hashlib
import json
import re
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import UUID

import asyncpg
import pytest
import structlog

from server.serving import Serving
from tests.conftest import running
from tests.server.authenticator import Authenticator, Browser, Said
from tests.server.letters import Letters, letters, token_in
from tests.server.provider import SECRET, Identities, identities
from tests.server.reading import get
from tests.server.talk import Talk, enter, new_token, offer, sit, talking
from tests.server.test_channel_pages import push
from tests.server.test_people_oidc import comes_back, is_let_in, leaves

ADDRESSES = ("quiet.anna@post.example", "quiet.carl@post.example")
HOOK = "https://hooks.example/a-place-that-nobody-knows"
ENDPOINT = "https://push.example/an-endpoint-that-nobody-knows"


class Kept:
    """Secrets by what they are."""

    def __init__(self) -> None:
        self.all: dict[str, str] = {}

    def add(self, what: str, secret: str) -> str:
        """Keep one, and return it."""
        assert len(secret) >= 12, what
        self.all[f"{what} {len(self.all)}"] = secret
        return secret


def forms(secret: str) -> Iterator[bytes]:
    """Yield a secret, the bytes that it stands for, and their hashes, raw, in hex and in base64."""
    plain = secret.encode()
    given = [plain, hashlib.sha256(plain).digest()]
    with contextlib.suppress(ValueError):
        inner = base64.urlsafe_b64decode(secret.removeprefix("ff_").removeprefix("whsec_") + "===")
        if len(inner) >= 12:
            given += [inner, hashlib.sha256(inner).digest()]
    for one in given:
        yield one
        yield one.hex().encode()
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            yield encode(one).rstrip(b"=")


def found(kept: Mapping[str, str], heard: Mapping[str, bytes]) -> list[tuple[str, str]]:
    """Return which secret stands where."""
    lower = {where: (text, text.lower()) for where, text in heard.items()}
    return [
        (what, where)
        for what, secret in kept.items()
        for where, (text, small) in lower.items()
        if any(form in text or form.lower() in small for form in forms(secret))
    ]


@contextlib.asynccontextmanager
async def tapped(url: str) -> AsyncIterator[bytearray]:
    """Give all that Redis is told meanwhile."""
    said = bytearray()
    reader, writer = await asyncio.open_unix_connection(url.removeprefix("unix://"))
    writer.write(b"MONITOR\r\n")
    assert (await reader.readline()).startswith(b"+OK")

    async def listen() -> None:
        while line := await reader.readline():
            said.extend(re.sub(rb"\\x([0-9a-f]{2})", lambda one: bytes.fromhex(one[1].decode()), line))

    listening = asyncio.create_task(listen())
    try:
        yield said
    finally:
        listening.cancel()
        writer.close()
        await asyncio.gather(listening, return_exceptions=True)


def cookie(kept: Kept, browser: Browser) -> None:
    for one in filter(None, (browser.cookie, browser.asked)):
        kept.add("session", one.partition("=")[2])


async def signs_up(kept: Kept, browser: Browser, handle: str, key: Authenticator) -> list[str]:
    told = await browser.sign_up(handle, key)
    cookie(kept, browser)
    return [kept.add("code", code) for code in told["codes"]]


async def mailed(kept: Kept, browser: Browser, box: Letters, address: str, **more: str) -> Said:
    there = len(box.took)
    status, _ = await browser.ask("POST", "/api/me/mail", {"address": address})
    assert 200 == status
    token = kept.add("mailed link", token_in(await box.heard(there + 1)))
    _, told = await browser.ask("POST", "/api/me/mailed", {"token": token, **more})
    await browser.ask("POST", "/api/me/mailed", {"token": token, **more})  # used up
    cookie(kept, browser)
    return told


async def by_a_provider(kept: Kept, browser: Browser, harbour: Identities, **more: str) -> Said:
    """Go to the provider and come back; return what one comes back with."""
    to = await leaves(browser)
    found = await is_let_in(to)
    asked = parse_qs(urlsplit(to).query)
    for what, secret in {
        **found,
        "nonce": asked["nonce"][0],
        "challenge": asked["code_challenge"][0],
    }.items():
        kept.add(f"provider's {what}", secret)
    cookie(kept, browser)
    await get(f"http://127.0.0.1:{browser.port}", f"/provider?{urlencode(found)}")
    status, told = await comes_back(browser, found)
    kept.add("verifier", harbour.asked[-1]["code_verifier"])
    for what, token in harbour.told[-1].items() if harbour.status == 200 else ():
        kept.add(what, token)
        kept.add(f"end of {what}", token.rpartition(".")[2])
    if status == 200 and told["new"]:
        _, told = await comes_back(browser, {"state": found["state"]}, **more)
        for code in told["codes"]:
            kept.add("code", code)
    cookie(kept, browser)
    return found


async def goes_by_a_provider(kept: Kept, url: str, harbour: Identities) -> list[Any]:
    """Sign up and in by the provider, and be refused; return what another is told who comes back instead."""
    kept.add("what the provider knows one by", harbour.subject)
    kept.add("what the provider knows the server by", SECRET)
    dora, again, wrong = Browser(url), Browser(url), Browser(url)
    await by_a_provider(kept, dora, harbour, handle="dora")
    _, me = await dora.ask("GET", "/api/me")
    assert "dora" == me["person"]["handle"]
    found = await by_a_provider(kept, again, harbour)
    for harbour.claims, harbour.status in (({"aud": "somebody else"}, 200), ({}, 500)):
        await by_a_provider(kept, wrong, harbour)
    harbour.claims, harbour.status = {}, 200
    return [await comes_back(browser, found) for browser in (again, wrong)]


async def ways_to_be_told(kept: Kept, browser: Browser) -> None:
    """Add a webhook and a browser, and have a test told by each, to names that are nowhere."""
    subscribed = push() | {"endpoint": kept.add("endpoint", ENDPOINT)}
    kept.add("push key", subscribed["p256dh"])
    auth = kept.add("push secret", base64.urlsafe_b64encode(secrets.token_bytes(16)).decode().rstrip("="))
    for place in ({"kind": "webhook", "url": kept.add("webhook", HOOK)}, subscribed | {"auth": auth}):
        status, told = await browser.ask("POST", "/api/me/channels", place)
        assert 200 == status, told
        if told["secret"]:
            kept.add("webhook's secret", told["secret"])
        await browser.ask("POST", f"/api/me/channels/{told['channels'][-1]['id']}/test")


async def each_was_tried(browser: Browser) -> None:
    """Wait until a try by each way to be told has failed, and that is noted."""
    async with asyncio.timeout(40):
        while True:
            _, me = await browser.ask("GET", "/api/me/channels")
            tried = {one["kind"] for one in me["channels"] if one["last"] and one["last"][0]["fault"]}
            if {"push", "webhook"} <= tried:
                return
            await asyncio.sleep(0.05)


async def a_bot(kept: Kept, browser: Browser, url: str, match: str) -> None:
    """Register a bot that looks at a match, and remove it."""
    await browser.ask("POST", "/api/me/bots", {"handle": "anna_bot"})
    body = {"name": "home", "scopes": ["play", "read"]}
    _, made = await browser.ask("POST", "/api/me/bots/anna_bot/tokens", body)
    bearer = {"Authorization": f"Bearer {kept.add('bot token', made['token'])}"}
    async with talking(url, additional_headers=bearer) as talk:
        await talk.say("hello", version=1, match=match, mine=True)
        await talk.hear("welcome")
    assert 200 == (await get(url, f"/api/matches/{match}", made["token"])).status
    await browser.ask("DELETE", "/api/me/bots/anna_bot", {})
    assert 401 == (await get(url, f"/api/matches/{match}", made["token"])).status


async def takes_seats(kept: Kept, talk: Talk, created: Said) -> None:
    """Sit down by the link, and show a nonce too early and one that is not one's own."""
    for link in created["links"]:
        kept.add(f"{link['role']}'s link", link["token"])
    await enter(talk, created, 0)
    nonce, token = secrets.token_bytes(16), kept.add("seat's token", new_token())
    await sit(talk, created, promise=hashlib.sha256(nonce).hexdigest(), token=token, name="Anna")
    assert "refused" == (await talk.ask("show", match=created["match"], nonce=nonce.hex()))["t"]
    other = kept.add("nonce that is another's", secrets.token_hex(16))
    await talk.ask("show", match=created["match"], nonce=other)


async def seen_by_another(server: Serving, match: str, browser: Browser) -> bytes:
    """Return all that a person is told who has nothing to do with it."""
    paths = (
        "/api/matches",
        f"/api/matches/{match}",
        f"/api/matches/{match}/record",
        "/api/people/anna",
        "/api/people/anna/results",
        "/api/people/carl",
        "/api/people/dora",
        "/api/titles",
        "/readyz",
        "/you",
    )
    seen = [(await get(server.url, path)).raw for path in paths]
    seen += [json.dumps(await browser.ask("GET", path)).encode() for path in ("/api/me", "/api/me/export")]
    async with browser.talking() as talk:
        await talk.say("lobby")
        await talk.say("hello", version=1, match=match)
        await talk.hear("presence")
        await talk.say("ping")
        await talk.hear("pong")
        seen += [json.dumps(one).encode() for one in talk.heard]
    return b"\n".join(seen)


async def log_of(dsn: str) -> bytes:
    """Return the tables of the log, and what projections made of it."""
    conn = await asyncpg.connect(dsn)
    try:
        tables = await conn.fetch(
            "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables"
            " WHERE schemaname IN ('log', 'view') AND tablename <> 'secret'"
        )
        rows = [tuple(row) for (name,) in tables for row in await conn.fetch(f"SELECT * FROM {name}")]
    finally:
        await conn.close()
    return b"\n".join(
        value if isinstance(value, bytes) else str(value).encode() for row in rows for value in row
    )


async def goes_through_everything(
    kept: Kept, server: Serving, box: Letters, harbour: Identities, dsn: str
) -> dict[str, bytes]:
    """Let persons do all that there is; return what others can read."""
    for address in ADDRESSES:
        kept.add("mail address", address)
    anna, carl, bert, key = Browser(server.url), Browser(server.url), Browser(server.url), Authenticator()
    await bert.sign_up("bert")
    codes = await signs_up(kept, anna, "anna", key)
    kept.add("passkey", base64.urlsafe_b64encode(key.id).decode().rstrip("="))
    await mailed(kept, anna, box, ADDRESSES[0])
    carls = await mailed(kept, carl, box, ADDRESSES[1], handle="carl")
    for code in carls["codes"]:
        kept.add("code", code)
    await ways_to_be_told(kept, anna)
    created = await offer(server.url, private=False)
    async with anna.talking() as talk:
        await takes_seats(kept, talk, created)
    match = created["match"]
    await a_bot(kept, anna, server.url, match)
    for code in (codes[0], codes[0], codes[1][:-1] + "0"):  # used, used up, mistyped
        other = Browser(server.url)
        await other.ask("POST", "/api/me/sign-in", {"recovery": code})
        cookie(kept, other)
    await Browser(server.url).sign_in(key)
    errors = [
        *await goes_by_a_provider(kept, server.url, harbour),
        await bert.ask("POST", "/api/me/mail", {"address": f"{ADDRESSES[0]} "}),
        await bert.ask("POST", "/api/me/seats", {"links": [{"match": match, "token": kept_token(kept)}]}),
        await bert.ask("POST", "/api/me/sign-in", {"recovery": 7}),
        await bert.ask("DELETE", "/api/me/bots/anna_bot", {}),
    ]
    await each_was_tried(anna)
    heard = {"another's answers": await seen_by_another(server, match, bert)}
    await anna.ask("POST", "/api/me/sign-out")
    await carl.ask("DELETE", "/api/me", {"handle": "carl"})
    heard["another's answers, later"] = await seen_by_another(server, match, bert)
    heard["errors"] = json.dumps(errors).encode()
    heard["metrics"] = (await get(server.url, "/metrics")).raw
    heard["tables of the log"] = await log_of(dsn)
    assert match.encode() in heard["another's answers"]
    assert UUID(match).bytes in heard["tables of the log"] or match.encode() in heard["tables of the log"]
    return heard


def kept_token(kept: Kept) -> str:
    """Return the token of a seat that is somebody's."""
    return next(secret for what, secret in kept.all.items() if what.startswith("seat's token"))


@pytest.mark.parametrize("leak", [False, True])
async def test_nothing_that_persons_keep_to_themselves_is_told(
    dsn: str, folder: Path, redis_url: str, capfd: pytest.CaptureFixture[str], leak: bool
) -> None:
    """Given a `leak` of one of them in a log line, that one is found, and nothing else."""
    kept = Kept()
    async with letters() as box, identities() as harbour, tapped(redis_url) as redis:
        ways: dict[str, Any] = {"mail": box.server, "mail_from": "fleet@fleet.example"}
        ways |= {"oidc": harbour.provider(), "redis_url": redis_url}
        async with running(dsn, folder, **ways) as server:
            heard = await goes_through_everything(kept, server, box, harbour, dsn)
            if leak:
                hashed = hashlib.sha256(kept_token(kept).encode()).hexdigest()
                structlog.get_logger().info("seat", token=hashed)
    captured = capfd.readouterr()
    heard |= {"log lines": (captured.out + captured.err).encode(), "Redis": bytes(redis)}

    assert b"stored" in heard["log lines"]
    for kind in (b"push", b"webhook"):
        assert re.search(rb"notice\.failed.*\bkind\W+" + kind, heard["log lines"])
    assert b"provider refused" in heard["log lines"]
    assert b"PUBLISH" in heard["Redis"].upper()
    expected = [(what, "log lines") for what in kept.all if what.startswith("seat's token") and leak]
    assert expected == found(kept.all, heard)


@pytest.mark.parametrize("number", range(8))
def test_a_secret_is_found_in_each_form(number: int) -> None:
    secret = "ff_" + base64.urlsafe_b64encode(bytes(range(200, 220))).decode()
    written = list(forms(secret))[2 * number]

    assert [("token", "a line")] == found({"token": secret}, {"a line": b"so it is: " + written + b"."})
    assert [] == found({"token": secret}, {"a line": b"so it is: " + written[:-2] + b"."})


def test_what_stands_in_a_dictionary_of_other_things_is_not_taken_for_a_secret() -> None:
    told: dict[str, Any] = {"match": "01a208fc-c199-71e4-9c84-6d0a315f629e", "handle": "anna"}

    assert [] == found({"token": new_token()}, {"an answer": json.dumps(told).encode()})
