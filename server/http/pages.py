"""HTTP requests and responses on the port of the websockets: GET only, without side effects.

Tokens come in the Authorization header, never in a path or a query. Deliberately absent: anything that
changes a match; that goes over the socket.
"""

import mimetypes
from collections.abc import Awaitable, Callable
from email.utils import formatdate
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

import structlog
from msgspec import Struct, json
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from domain.match.refusals import Code, RequestError
from server.addresses import Address
from server.play.failures import refusal_for
from server.protocol.responses import Failure
from server.settings import Settings

logger = structlog.get_logger()

JSON = "application/json"
NDJSON = "application/x-ndjson"
TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
NO_PAGE = b"This server was built without the page. Bots and the command line work: see fleetfold --help.\n"
FOR_EVER = "public, max-age=31536000, immutable"
FRESH = "no-cache"

ONCE = ("Host", "Origin", "Authorization")
"""The headers that are read: a request may have each once."""

STATUS: dict[Code, HTTPStatus] = {
    "no_match": HTTPStatus.NOT_FOUND,
    "no_title": HTTPStatus.NOT_FOUND,
    "no_step": HTTPStatus.NOT_FOUND,
    "private": HTTPStatus.FORBIDDEN,
    "not_allowed": HTTPStatus.FORBIDDEN,
    "bad_token": HTTPStatus.UNAUTHORIZED,
}


class PageRequest(Struct, frozen=True):
    """A request: the parts of its path, its query, its bearer token, and its connection."""

    parts: tuple[str, ...]
    query: dict[str, str]
    token: str
    address: Address

    def match(self) -> UUID:
        """Return the match that the path names; raises RequestError."""
        try:
            return UUID(self.parts[2])
        except ValueError:
            raise RequestError("no_match", "there is no such match") from None


class Connection(Protocol):
    """What a response needs to know of the connection (`server.socket.paced`)."""

    id: UUID
    address: Address


class Page(Struct, frozen=True):
    """A response."""

    body: bytes
    kind: str = JSON
    caching: str = "no-store"
    status: HTTPStatus = HTTPStatus.OK


Handler = Callable[[PageRequest], Awaitable[Page]]


class Pages:
    """Routes from the first parts of a path to handlers; all other paths lead to the built page."""

    def __init__(self, routes: dict[tuple[str, ...], Handler], built: Path | None) -> None:
        """Take the routes, in which `*` stands for one part, and the folder of the built page if any."""
        self._routes = routes
        self._built = built.resolve() if built and (built / "index.html").is_file() else None
        self.served = 0

    @property
    def built(self) -> bool:
        """Whether there is a page to open in a browser."""
        return self._built is not None

    async def answer(self, connection: Connection, request: Request) -> Response:
        """Return the response to a request that is not for a websocket."""
        self.served += 1
        if request.method != "GET":
            text = "everything here is read with GET; what changes something goes over the socket"
            refused = response(refusal("not_allowed", text, HTTPStatus.METHOD_NOT_ALLOWED))
            refused.headers["Allow"] = "GET"
            return refused
        address = urlsplit(request.path)
        parts = tuple(unquote(part) for part in address.path.split("/") if part)
        query = {key: values[-1] for key, values in parse_qs(address.query).items()}
        wanted = PageRequest(parts, query, bearer(request.headers), connection.address)
        try:
            return response(await self._page(wanted))
        except Exception as why:
            no = refusal_for(why)
            if no is None:
                logger.exception("page", path="/".join(parts[:2]), connection=connection.id.hex)
                text = "the server has made a mistake"
                return response(refusal("bug", text, HTTPStatus.INTERNAL_SERVER_ERROR))
            theirs = isinstance(why, RequestError)
            other = HTTPStatus.BAD_REQUEST if theirs else HTTPStatus.SERVICE_UNAVAILABLE
            return response(refusal(no.code, no.reason, STATUS.get(no.code, other)))

    async def _page(self, request: PageRequest) -> Page:
        for pattern, handler in self._routes.items():
            if len(pattern) == len(request.parts) and all(
                want in {"*", part} for want, part in zip(pattern, request.parts, strict=True)
            ):
                return await handler(request)
        if request.parts[:1] == ("api",):
            return refusal("no_page", "there is nothing under this path", HTTPStatus.NOT_FOUND)
        return self._file(request.parts)

    def _file(self, parts: tuple[str, ...]) -> Page:
        if self._built is None:
            return Page(NO_PAGE, TEXT, FRESH, HTTPStatus.OK if not parts else HTTPStatus.NOT_FOUND)
        try:
            path = self._built.joinpath(*parts).resolve()
            there = path.is_relative_to(self._built) and path.is_file() and not self._hidden(path)
        except (OSError, ValueError):  # no file can have this name
            there = False
        if there:
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            kind += "; charset=utf-8" if kind.startswith("text/") else ""
            return Page(path.read_bytes(), kind, FOR_EVER if parts[0] == "assets" else FRESH)
        if parts and (parts[0] == "assets" or "." in parts[-1]):
            return refusal("no_page", "there is nothing under this path", HTTPStatus.NOT_FOUND)
        return Page((self._built / "index.html").read_bytes(), "text/html; charset=utf-8", FRESH)

    def _hidden(self, path: Path) -> bool:
        """Whether a file in the page's folder is hidden: build tools leave such files there."""
        assert self._built is not None
        return any(part.startswith(".") for part in path.relative_to(self._built).parts)


def response(page: Page) -> Response:
    """Make the HTTP response of a page, with the headers that every answer has."""
    headers = Headers(
        {
            "Date": formatdate(usegmt=True),
            "Connection": "close",
            "Content-Length": str(len(page.body)),
            "Content-Type": page.kind,
            "Cache-Control": page.caching,
            "Content-Security-Policy": CONTENT_POLICY,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
    )
    return Response(page.status.value, page.status.phrase, headers, page.body)


def refusal(code: Code, reason: str, status: HTTPStatus) -> Page:
    """Return a refusal as JSON with this HTTP status."""
    return Page(json.encode(Failure(code, reason)), status=status)


def bad_request(reason: str) -> Response:
    """Return the response 400 with this reason."""
    return response(refusal("bad_request", reason, HTTPStatus.BAD_REQUEST))


def found(value: Any) -> Page:
    """Return the response 200 with a value as JSON."""
    return Page(json.encode(value))


def readable(request: Request) -> bool:
    """Whether a request is unambiguous: no header of ONCE twice, and URLs that can be parsed."""
    try:
        for url in (request.path, *request.headers.get_all("Origin")):
            urlsplit(url)
    except ValueError:
        return False
    return all(len(request.headers.get_all(name)) <= 1 for name in ONCE)


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
