"""Requests to places that people name reach nothing but the open internet, and in tests the loopback."""

import asyncio
import socket
import time

import pytest

from server.notices.outward import READ, Outward, is_open
from server.notices.words import Failed
from tests.server.certificates import Certificates
from tests.server.receivers import Web, found_at, trusting

CLOSED = "not an address of the open internet"


async def fault(outward: Outward, url: str) -> str:
    try:
        with pytest.raises(Failed) as failed:
            await outward.post(url, {}, b"{}")
    finally:
        outward.close()
    return failed.value.fault


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.8.9.10",
        "168.63.129.16",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:8.8.8.8",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "3fff::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "nothing",
    ],
)
def test_an_address_that_is_not_of_the_open_internet_is_closed(address: str) -> None:
    assert not is_open(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001:801::200e"]
)
def test_an_address_of_the_open_internet_is_open(address: str) -> None:
    assert is_open(address)


@pytest.mark.parametrize(
    "url",
    [
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/",
        "https://LOCALHOST./",
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0177.0.0.1/",
        "https://0x7f000001/",
        "https://0/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[::ffff:a9fe:a9fe]/",
        "https://10.0.0.7:5432/",
    ],
)
async def test_no_way_to_write_an_inner_address_leads_there(url: str) -> None:
    assert await fault(Outward(), url) in {CLOSED, "no such host", "not an address of https"}


async def test_the_forms_that_the_system_reads_are_refused_for_where_they_lead() -> None:
    """Given forms of 127.0.0.1 that the C library resolves, so that they do not fail for being unknown."""
    for url in ("https://2130706433/", "https://127.1/", "https://localhost/"):
        assert CLOSED == await fault(Outward(), url)


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "10.1.2.3", "::ffff:10.1.2.3"])
async def test_a_name_that_leads_inwards_is_refused(address: str) -> None:
    look_up, _ = found_at(address)

    assert CLOSED == await fault(Outward(look_up=look_up), "https://hook.example.org/")


async def test_a_name_with_one_inner_address_among_open_ones_is_refused() -> None:
    async def look_up(_host: str, _port: int) -> list[str]:
        return ["8.8.8.8", "127.0.0.1"]

    assert CLOSED == await fault(Outward(look_up=look_up), "https://hook.example.org/")


async def test_a_name_is_looked_up_once_and_the_connection_goes_to_what_was_found(
    hook: Web, certificates: Certificates
) -> None:
    """Given a name that the system does not know, and that leads elsewhere when it is asked a second time."""
    look_up, asked = found_at("127.0.0.1", "169.254.169.254")
    outward = trusting(certificates, look_up)

    assert 201 == await outward.post(hook.url("hook.example.org"), {}, b"{}")
    assert ["hook.example.org"] == asked
    assert f"hook.example.org:{hook.port}" == hook.took[0].headers["host"]
    assert CLOSED == await fault(outward, hook.url("hook.example.org"))
    assert 1 == hook.connections


async def test_the_certificate_has_to_be_that_of_the_name_and_not_of_the_address(
    hook: Web, certificates: Certificates
) -> None:
    look_up, _ = found_at("127.0.0.1")

    assert "no valid certificate" == await fault(
        trusting(certificates, look_up), hook.url("other.example.org")
    )
    assert not hook.took


async def test_a_certificate_of_an_unknown_authority_is_refused(hook: Web) -> None:
    assert "no valid certificate" == await fault(Outward(loopback=True), hook.url())


async def test_no_redirect_is_followed(hook: Web, certificates: Certificates) -> None:
    hook.status, hook.extra = 302, f"Location: {hook.url(path='/elsewhere')}\r\n"
    outward = trusting(certificates)

    assert 302 == await outward.post(hook.url(), {}, b"{}")
    outward.close()
    assert ["/hook"] == [one.path for one in hook.took]


async def test_an_answer_without_end_is_not_read_to_the_end(hook: Web, certificates: Certificates) -> None:
    hook.tail = b"x" * 4096
    outward = trusting(certificates)
    began = time.monotonic()

    assert 201 == await outward.post(hook.url(), {}, b"{}")
    outward.close()
    assert time.monotonic() - began < 5
    assert READ == 65_536


async def test_who_does_not_answer_is_given_up(
    hook: Web, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.notices.outward.WITHIN", 0.3)
    hook.open.clear()

    assert "no answer in time" == await fault(trusting(certificates), hook.url())


async def test_a_name_server_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.notices.outward.WITHIN", 0.1)

    async def look_up(_host: str, _port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    assert "no answer in time" == await fault(Outward(look_up=look_up), "https://hook.example.org/")


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/", "https://a:b@127.0.0.1/", "ftp://127.0.0.1/", "https://", "https://xn--a.example/"],
)
async def test_what_is_not_https_is_refused_on_the_loopback_too(url: str, certificates: Certificates) -> None:
    assert "not an address of https" == await fault(trusting(certificates), url)


async def test_where_nobody_listens_there_is_no_connection(certificates: Certificates) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    assert "no connection" == await fault(trusting(certificates), f"https://127.0.0.1:{port}/")


async def test_no_proxy_of_the_environment_is_used(
    hook: Web, certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    outward = trusting(certificates)

    assert 201 == await outward.post(hook.url(), {}, b"{}")
    outward.close()
