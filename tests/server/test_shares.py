"""What an address and its network may have of attempts to come in, and which addresses are one network."""

from typing import Any

import pytest

from server.addresses import Addresses
from server.people import shares
from server.people.shares import NETWORK, Shares, TooFast
from server.serving import Serving
from tests.server.authenticator import Browser
from tests.server.test_people_oidc import harbour as harbour  # noqa: PLC0414 a fixture
from tests.server.test_people_oidc import server as server  # noqa: PLC0414 the same


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("192.0.2.1", "192.0.2.255", "192.0.3.1"),
        ("2001:db8:0:100::/64", "2001:db8:0:1ff::/64", "2001:db8:0:200::/64"),
        ("2001:db8::1", "2001:db8:0:ff::1", "2001:db8:0:100::1"),
        ("unix:", "unix:", "elsewhere"),
    ],
)
def test_a_network_is_what_one_customer_of_a_provider_may_have(one: str, same: str, other: str) -> None:
    assert shares.network(one) == shares.network(same)
    assert shares.network(one) != shares.network(other)


@pytest.mark.parametrize(
    ("addresses", "elsewhere"),
    [
        ([f"192.0.2.{number}" for number in range(NETWORK + 1)], "192.0.3.0"),
        ([f"2001:db8:0:1{number:02x}::/64" for number in range(NETWORK + 1)], "2001:db8:0:200::/64"),
    ],
)
def test_a_network_has_the_shares_of_so_many_addresses_and_no_more(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str], elsewhere: str
) -> None:
    """Given addresses of one network, each of which asks for its whole share and no more."""
    monkeypatch.setitem(shares._LIMITS, "attempts", (2, 600.0))
    counts, known = Shares(), Addresses()
    for address in addresses[:NETWORK]:
        for _ in range(2):
            counts.take("attempts", known.under(address))

    with pytest.raises(TooFast) as refused:
        counts.take("attempts", known.under(addresses[NETWORK]))
    counts.take("attempts", known.under(elsewhere))

    assert 0 < refused.value.after <= 600.0 / (2 * NETWORK)
    assert {"attempts": 1} == counts.refused


@pytest.mark.parametrize(
    ("path", "body", "answer"),
    [
        ("/api/me/passkeys/options", {"purpose": "sign in"}, 200),
        ("/api/me/sign-in", {"recovery": "x"}, 400),
        ("/api/me/mailed", {"token": "x"}, 400),
        ("/api/me/oidc", {}, 200),
        ("/api/me/oidc/back", {"state": "x", "code": "x"}, 400),
    ],
)
async def test_attempts_to_come_in_beyond_an_addresss_share_are_refused_and_counted(
    server: Serving, monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, Any], answer: int
) -> None:
    monkeypatch.setitem(shares._LIMITS, "attempts", (2, 600.0))
    browser = Browser(server.url)
    told = [await browser.ask("POST", path, body) for _ in range(3)]

    assert [answer, answer, 429] == [status for status, _ in told]
    assert "too_fast" == told[-1][1]["code"]
    assert 0 < int(browser.headers["Retry-After"]) <= 300
    assert 1 == server.people.shares.refused["attempts"]
