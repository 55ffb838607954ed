"""The examples of deploy/proxy: what they keep to themselves, whom they name, what an address may have."""

import re
from ipaddress import ip_address

import pytest

from server.addresses import SUBNET
from server.limits import ARRIVALS, CALLS, SOCKETS
from tests.deploy.files import DEPLOY, seconds

PING_AND_PATIENCE = 40
"""Seconds after which the server closes a socket whose client does not answer its pings."""


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Caddyfile", ["path /metrics", "reverse_proxy {$SERVER} {"]),  # it writes both headers by itself
        (
            "nginx.conf",
            [
                "location = /metrics {",
                "proxy_http_version 1.1;",
                "proxy_set_header Upgrade $http_upgrade;",
                "proxy_set_header X-Forwarded-For $remote_addr;",
                "proxy_set_header X-Forwarded-Proto $scheme;",
            ],
        ),
        (
            "haproxy.cfg",
            [
                "http-request return status 404 if { path /metrics }",
                "http-request set-header X-Forwarded-For %[src]",
                "http-request set-header X-Forwarded-Proto https",
            ],
        ),
    ],
)
def test_a_proxy_keeps_the_numbers_to_itself_and_says_who_asks(name: str, lines: list[str]) -> None:
    text = (DEPLOY / "proxy" / name).read_text()

    said = [line.strip() for line in text.splitlines()]
    assert [] == [line for line in lines if not any(one.endswith(line) for one in said)]
    assert "FLEETFOLD_PROXIES=1" in text


@pytest.mark.parametrize("name", ["nginx.conf", "haproxy.cfg", "connections.nft"])
def test_a_proxy_allows_an_address_what_the_server_does(name: str) -> None:
    text = (DEPLOY / "proxy" / name).read_text()

    limits = re.findall(
        r"^ *limit_conn fleetfold (\d+);|conn_cur gt (\d+)|ct count over (\d+)", text, re.MULTILINE
    )
    assert {str(SOCKETS + CALLS)} == {limit for found in limits for limit in found if limit}
    rates = re.findall(r"conn_rate gt (\d+)|burst (\d+) packets", text)
    assert [] == [rate for found in rates for rate in found if rate and int(rate) < 2 * ARRIVALS[0]]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:a:a0a:1", True),
        ("2001:db8::1", "2001:db8:0:0:1::", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "192.0.2.1", True),
    ],
)
def test_nginx_counts_the_connections_of_an_ipv6_network_as_one_address(
    one: str, other: str, alike: bool
) -> None:
    """The server and the other proxies do; a key of nginx's is the value of its map for the address."""
    text = (DEPLOY / "proxy" / "nginx.conf").read_text()
    (counted,) = re.findall(r"^limit_conn_zone \$(\w+) ", text, re.MULTILINE)
    found = re.search(
        rf'map \$binary_remote_addr \${counted} {{\s+default +\$binary_remote_addr;\s+"~(.+)" +\$(\w+);', text
    )
    assert found is not None

    def key(address: str) -> bytes:
        packed = ip_address(address).packed
        network = re.match(found[1].replace("(?<", "(?P<").encode(), packed)
        return network[found[2]] if network else packed

    assert alike is (key(one) == key(other))
    assert SUBNET == 8 * len(key("2001:db8::1"))
    assert ["ipmask(32,64)"] == re.findall(
        r"ipmask\([\d,]+\)", (DEPLOY / "proxy" / "haproxy.cfg").read_text()
    )
    assert 2 == (DEPLOY / "proxy" / "connections.nft").read_text().count("ip6 saddr & ffff:ffff:ffff:ffff:: ")


@pytest.mark.parametrize("name", ["Caddyfile", "nginx.conf"])
def test_a_proxy_that_does_not_count_bare_connections_names_the_rules_that_do(name: str) -> None:
    head = (DEPLOY / "proxy" / name).read_text().partition("\n\n")[0]

    assert "proxy/connections.nft" in head
    assert (DEPLOY / "proxy" / "connections.nft").is_file()


def test_bare_connections_are_counted_once_however_often_the_rules_are_loaded() -> None:
    text = (DEPLOY / "proxy" / "connections.nft").read_text()

    assert "chain" not in text.partition("\ntable inet fleetfold\ndelete table inet fleetfold\n")[0]


def test_a_proxy_waits_longer_than_the_server_pings() -> None:
    nginx = re.findall(r"proxy_(?:read|send)_timeout (\w+);", (DEPLOY / "proxy" / "nginx.conf").read_text())
    haproxy = re.findall(r"timeout tunnel (\w+)", (DEPLOY / "proxy" / "haproxy.cfg").read_text())

    assert (2, 1) == (len(nginx), len(haproxy))
    assert all(seconds(wait) > PING_AND_PATIENCE for wait in nginx + haproxy)
    # Caddy leaves them open for as long as they are.
    assert "stream_timeout" not in (DEPLOY / "proxy" / "Caddyfile").read_text()
