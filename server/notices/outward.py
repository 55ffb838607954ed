"""Requests to places on the web that people name, which cannot be turned inwards.

Laws of this module:

1. A place is reached over https, at an address on the open internet. The host is looked up once, all that it
   is found under must be open, and the connection goes to that very address; the certificate must be the
   host's. So a name that changes its address between check and use leads nowhere else.
2. No redirect is followed, no proxy and no password of the environment is used. A request takes WITHIN at
   most, and READ bytes of its answer are looked at.
3. What comes back tells nothing to anybody but its status.

Tests reach the loopback by a setting that the server tells of at its start. Deliberately absent: what is
sent; how many names are looked up (`server.notices.names`).
"""

import asyncio
import ipaddress
import ssl
from collections.abc import Mapping
from typing import Final
from uuid import UUID

import httpx

from server.notices.names import LookUp, Names
from server.notices.words import Failed

WITHIN: Final = 5.0
"""Seconds for all of a request, looking up the name included."""

READ: Final = 64 << 10
CLOSED: Final = [
    ipaddress.ip_network(text)
    for text in (
        "168.63.129.16/32",  # a cloud's own server of metadata, in the open range
        "192.0.0.0/24",
        "192.88.99.0/24",  # to 6to4
        "2001::/23",  # Teredo among them
        "2001:db8::/32",
        "2002::/16",  # 6to4
        "3fff::/20",
        "5f00::/16",
    )
]
"""What is closed beyond what Python knows of IANA's registries, which differs from version to version."""

OPEN_6: Final = ipaddress.ip_network("2000::/3")
"""All that is given out of IPv6: neither mapped IPv4 nor NAT64 (64:ff9b::/96) nor what is local."""

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_open(address: str) -> bool:
    """Whether an address is one of the open internet."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # one with a scope is local
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip not in OPEN_6:
        return False
    if not ip.is_global or ip.is_multicast or ip.is_reserved or ip.is_unspecified:
        return False
    return not any(ip in closed for closed in CLOSED)


def read_url(text: str) -> httpx.URL:
    """Return the address of a place on the web. Raises ValueError for what is none, or not of https.

    Parsed as for sending: what is taken here does not fail there for how it is written.
    """
    try:
        url = httpx.URL(text)
        host, port = url.host, url.port  # a host in Punycode is decoded here, and may be none
    except httpx.InvalidURL as why:
        raise ValueError(str(why)) from None
    if url.scheme != "https" or not host or url.userinfo or port == 0:
        raise ValueError("not an address of https")
    return url


class Outward:
    """Sends requests outward."""

    def __init__(
        self, *, loopback: bool = False, look_up: LookUp | None = None, trust: ssl.SSLContext | None = None
    ) -> None:
        """Allow also the loopback, for tests. SSL_CERT_FILE of the environment names whom to trust."""
        self._loopback = loopback
        self._names = Names(look_up)
        self._trust = trust or httpx.create_ssl_context()

    def close(self) -> None:
        """End what is looked up."""
        self._names.close()

    async def post(
        self, url: str, headers: Mapping[str, str], body: bytes, person: UUID | None = None
    ) -> int:
        """Send a POST to what this person has named, and return the status of the answer. Raises Failed."""
        try:
            place = read_url(url)
        except ValueError:
            raise Failed("not an address of https") from None
        try:
            async with asyncio.timeout(WITHIN):
                return await self._post(place, headers, body, person)
        except TimeoutError:
            raise Failed("no answer in time") from None
        except httpx.ConnectError as why:
            tls = isinstance(why.__context__, ssl.SSLError) or "SSL" in str(why) or "certificate" in str(why)
            raise Failed("no valid certificate" if tls else "no connection") from None
        except httpx.HTTPError:
            raise Failed("the connection broke off") from None

    async def _post(
        self, url: httpx.URL, headers: Mapping[str, str], body: bytes, person: UUID | None
    ) -> int:
        port = url.port or 443
        host = url.raw_host.decode("ascii")
        address = await self._address(host, port, person)
        sent = {
            **headers,
            "Host": url.netloc.decode("ascii"),
            "Accept-Encoding": "identity",
            "User-Agent": "Fleetfold",
        }
        async with httpx.AsyncClient(
            verify=self._trust, trust_env=False, follow_redirects=False, timeout=WITHIN
        ) as client:
            request = client.build_request(
                "POST",
                url.copy_with(host=address, port=port),
                headers=sent,
                content=body,
                extensions={"sni_hostname": host},
            )
            answer = await client.send(request, stream=True)
            try:
                read = 0
                async for piece in answer.aiter_raw():
                    read += len(piece)
                    if read >= READ:
                        break
            finally:
                await answer.aclose()
            return answer.status_code

    async def _address(self, host: str, port: int, person: UUID | None) -> str:
        """Return the one address that a host is reached at. Raises Failed."""
        try:
            found = await self._names.find(host, port, person)
        except TimeoutError:
            raise
        except (OSError, UnicodeError):
            raise Failed("no such host") from None
        if not found:
            raise Failed("no such host")
        if not all(is_open(one) or (self._loopback and _is_loopback(one)) for one in found):
            raise Failed("not an address of the open internet")
        return found[0]


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
