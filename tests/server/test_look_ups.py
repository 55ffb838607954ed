"""Look-ups: of persons, ladders and results, with a share for each address and one for each person."""

import pytest

from server.limits import Bucket
from server.people import shares
from server.serving import Serving
from tests.server.authenticator import Browser
from tests.server.meets import made, signed_up
from tests.server.reading import get

LOOKS = (
    ("GET", "/api/people/bert", None),
    ("GET", "/api/people/bert/results", None),
    ("GET", "/api/people/bert/tournaments", None),
    ("GET", "/api/ratings/tiny", None),
    ("GET", "/api/me/challenges?to=bert", None),
    ("POST", "/api/me/blocks", {"handle": "bert"}),
)
"""All ways to look somebody up, but for those that need a match or a tournament of one's own."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """Give so many look-ups to a person."""
    monkeypatch.setattr(shares, "OWN_LOOK_UPS", (len(LOOKS), 600.0))
    return len(LOOKS)


async def look_up(browser: Browser, handle: str = "bert") -> int:
    status, _ = await browser.ask("GET", f"/api/people/{handle}")
    return status


async def test_a_person_has_his_own_share_of_look_ups_wherever_he_asks_from(
    server: Serving, few: int
) -> None:
    """Given a person who changes his address, and another at one of these who has looked up nothing."""
    anna, bert = [await signed_up(server.url, handle) for handle in ("anna", "bert")]
    told = []
    for number in range(few + 1):
        anna.address = f"127.0.1.{1 + number}"
        told.append(await look_up(anna))
    bert.address = anna.address

    assert [*[200] * few, 429] == told
    assert 200 == await look_up(bert)
    assert 1 == server.people.shares.refused["look-ups"]


async def test_every_way_to_look_somebody_up_counts_for_who_is_signed_in(server: Serving, few: int) -> None:
    anna, bert = [await signed_up(server.url, handle) for handle in ("anna", "bert")]
    tournament = await made(anna)
    before = [(await anna.ask(verb, path, body))[0] for verb, path, body in LOOKS]
    after = [await anna.ask(verb, path, body) for verb, path, body in LOOKS]
    after.append(await anna.ask("POST", f"/api/tournaments/{tournament}/invitations", {"handle": "bert"}))
    numbers = (await get(server.url, "/metrics")).body.decode().splitlines()

    assert [200] * few == before
    assert [(429, "too_fast")] * (few + 1) == [(status, told["code"]) for status, told in after]
    assert all("you have looked up too much" in told["reason"] for _, told in after)
    assert f'fleetfold_shares_refused_total{{what="look-ups"}} {few + 1}.0' in numbers
    assert 200 == await look_up(bert)


async def test_who_has_had_his_share_is_told_when_there_is_more(server: Serving, few: int) -> None:
    anna, guest = await signed_up(server.url, "anna"), Browser(server.url)
    for _ in range(few):
        await look_up(anna, "anna")
    refused = await look_up(anna, "anna")

    assert 429 == refused
    assert 600 / few - 1 <= int(anna.headers["Retry-After"]) <= 600 / few
    assert 200 == await look_up(guest, "anna")


async def test_an_address_has_its_share_of_handles_whoever_asks_there(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(shares._LIMITS, "look-ups", (2, 600.0))
    anna, bert = [await signed_up(server.url, handle) for handle in ("anna", "bert")]

    assert [200, 200, 429] == [await look_up(one) for one in (anna, bert, Browser(server.url))]


def test_a_bucket_says_when_there_is_a_token() -> None:
    times = [0.0]
    bucket = Bucket(2, 10.0, lambda: times[-1])
    waits = [bucket.wait()]
    bucket.spend(2)
    waits.append(bucket.wait())
    times.append(4.0)
    waits.append(bucket.wait())
    times.append(5.0)

    assert [0.0, 5.0, 1.0] == pytest.approx(waits)
    assert bucket.acquire()
