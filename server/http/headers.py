"""What the headers of a request say: its token, what its sender reads, from which page it comes.

Deliberately absent: what is answered (`server.http.pages`).
"""

import re
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request

from server.settings import Settings

REFUSED = re.compile(r"q=0(\.0*)?")
"""The weight of what a sender does not read."""

ONCE = ("Host", "Origin", "Authorization", "Cookie", "Content-Type")
"""The headers that are read: a request may have each once."""


def readable(request: Request) -> bool:
    """Whether a request is unambiguous: no header of ONCE twice, and URLs that can be parsed."""
    try:
        for url in (request.path, *request.headers.get_all("Origin")):
            urlsplit(url)
    except ValueError:
        return False
    return all(len(request.headers.get_all(name)) <= 1 for name in ONCE)


def encodings_of(headers: Headers) -> frozenset[str]:
    """Return which of `br` and `gzip` a sender reads; one of weight 0 he does not (RFC 9110, 12.5.3)."""
    found = set()
    for named in ",".join(headers.get_all("Accept-Encoding")).lower().split(","):
        name, _, weight = (part.strip() for part in named.partition(";"))
        if name in {"br", "gzip"} and not REFUSED.fullmatch(weight):
            found.add(name)
    return frozenset(found)


def bearer(headers: Headers) -> str:
    """Return the bearer token of the Authorization header, empty without one."""
    scheme, _, token = headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def same_origin(headers: Headers, settings: Settings) -> bool:
    """Whether a websocket may open: without Origin (no browser), or with an allowed or this server's own."""
    origin = headers.get("Origin")
    return origin is None or origin.lower() in (settings.origins or own_origins(headers, settings))


def own_origins(headers: Headers, settings: Settings) -> tuple[str, ...]:
    """Return the origins of this server's own page: that of its public URL, and that of the Host header.

    The scheme of the latter is what the operator's proxy reports; without a proxy it is http.
    """
    public = urlsplit((settings.public_url or "").lower())
    usual = {"http": ":80", "https": ":443"}.get(public.scheme, "")
    name, host = public.netloc.removesuffix(usual), headers.get("Host", "").lower()
    if host == name:
        return (f"{public.scheme}://{name}",)
    scheme = headers.get("X-Forwarded-Proto", "http").lower() if settings.proxies else "http"
    return f"{public.scheme}://{name}", f"{scheme}://{host}"


def by_name(url: str) -> str:
    """Return the URL of a server on this machine by its name: an address of digits can have no passkeys."""
    return url.replace("http://127.0.0.1:", "http://localhost:", 1)
