"""The cookies of persons, and by which address of the server there can be sessions and passkeys.

One is that of a session, another that of a browser which waits for a link by mail, or for who has left.

Over https the cookie has the prefix `__Host-`, so that no other host of its domain can set it. Over plain
http there are sessions on this machine alone, where nothing goes over a wire. Deliberately absent: what a
session is (`server.people.sessions`).
"""

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from domain.match.refusals import RequestError
from server.addresses import Address
from server.protocol.people import Ways

DAYS: Final = 90
"""Days after its last use that a session ends."""

ASKED: Final = "-asked"
"""What the name of the second cookie ends with."""


def cookie_name(home: str, kind: str = "") -> str:
    """Return the name of the cookie at an origin of this server."""
    return f"__Host-fleetfold{kind}" if home.startswith("https://") else f"fleetfold{kind}"


def token_in(cookies: str, home: str, kind: str = "") -> str:
    """Return the token in a Cookie header; empty without one, and where there can be none."""
    if not may_stay(home):
        return ""
    name = cookie_name(home, kind)
    for part in cookies.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


def cookie(home: str, token: str) -> str:
    """Return the Set-Cookie header of a session; one that ends the cookie without a token."""
    secure = "; Secure" if home.startswith("https://") else ""
    age = DAYS * 86_400 if token else 0
    return f"{cookie_name(home)}={token}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"


def cookie_of_who_asked(home: str, token: str, minutes: int) -> str:
    """Return the Set-Cookie header of a browser that has asked for a link; no other site has it sent."""
    secure = "; Secure" if home.startswith("https://") else ""
    name = cookie_name(home, ASKED)
    return f"{name}={token}; Path=/; Max-Age={minutes * 60}; HttpOnly; SameSite=Strict{secure}"


def is_here(home: str) -> bool:
    """Whether an origin says that it is on this machine: anybody may name it in a request."""
    return _is_loopback(urlsplit(home).hostname or "")


def root_of(public_url: str | None, home: str, address: Address) -> str | None:
    """Return what links of this server begin with, None where it is not known.

    That is its public URL. Without one there are links on this machine alone, for who asks from an address of
    it: a name that a request came by is his who sent it.
    """
    if public_url is not None:
        return public_url
    return home if address.here and is_here(home) else None


def may_stay(home: str) -> bool:
    """Whether there can be sessions at an origin."""
    parts = urlsplit(home)
    return parts.scheme == "https" or _is_loopback(parts.hostname or "")


def ways(home: str, *, mail: bool = False, oidc: str = "") -> Ways:
    """Return how one can sign up at an origin, or why one cannot."""
    try:
        relying_party(home)
    except RequestError as why:
        return Ways(
            passkeys=False, why=why.reason, mail=mail and may_stay(home), oidc=oidc if may_stay(home) else ""
        )
    return Ways(passkeys=True, why="", mail=mail, oidc=oidc)


def relying_party(home: str) -> str:
    """Return the id under which passkeys of an origin are kept: its host. Raises RequestError."""
    parts = urlsplit(home)
    host = parts.hostname or ""
    if _is_address(host):
        there = f" Open http://localhost:{parts.port or 80} instead." if _is_loopback(host) else ""
        raise RequestError(
            "no_passkeys",
            f"A passkey belongs to a name, and this page was opened by an address of digits.{there}",
        )
    if not may_stay(home):
        raise RequestError(
            "no_passkeys",
            "Nobody can be known again here, since this page came over plain http, which others can read."
            " The operator has to serve it over https.",
        )
    return host


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
