"""FLEETFOLD_MAIL taken apart: by which mail server notices go.

| URL | what it names |
|---|---|
| `smtp://user:password@host:587` | a server that begins TLS when asked to (STARTTLS); else it gets nothing |
| `smtps://user:password@host:465` | a server that speaks TLS from the first byte |

A server on this machine, `localhost` or an address of the loopback, need not have TLS. Deliberately absent:
connections.
"""

from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

NAME: Final = "FLEETFOLD_MAIL"
PORTS: Final = {"smtp": 587, "smtps": 465}
HERE: Final = ("localhost", "127.0.0.1", "::1")


class MailFault(ValueError):
    """The mail server cannot be used as it is set. The message names the variable, never its value."""


class MailServer(Struct, frozen=True):
    """A mail server. Its repr holds no password."""

    host: str
    port: int
    tls: bool
    user: str = ""
    password: str = ""

    @property
    def here(self) -> bool:
        """Whether it is on this machine."""
        return self.host in HERE

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"


def parse(value: str) -> MailServer:
    """Take a URL apart. Raises MailFault."""
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        raise MailFault(f"{NAME} is not a URL.") from None
    if parts.scheme not in PORTS or not parts.hostname:
        raise MailFault(
            f"{NAME} must be like smtp://user:password@host:587 or smtps://user:password@host:465."
        )
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise MailFault(f"{NAME} has nothing behind the port: write what is special in a password as %40.")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port or PORTS[parts.scheme], parts.scheme == "smtps", user, password)
