"""HTTP requests and responses on the port of the websockets: GET and HEAD only, without side effects.

Tokens come in the Authorization header, never in a path or a query. Deliberately absent: anything that
changes a match; that goes over the socket.
"""

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Collection
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, Protocol
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

import structlog
from msgspec import Struct, json, structs
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from domain.match.refusals import Code, RequestError
from server.addresses import Address
from server.http.compressing import Compressing, compressed
from server.limits import FILE, LONGEST_DEBT, QUERY, SEARCH
from server.log.outcomes import Busy
from server.play.failures import refusal_for
from server.protocol.responses import Failure
from server.settings import Settings
from server.tracing import span

logger = structlog.get_logger()

JSON = "application/json"
NDJSON = "application/x-ndjson"
TEXT = "text/plain; charset=utf-8"
MARKDOWN = "text/markdown; charset=utf-8"
HTML = "text/html; charset=utf-8"

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FOR_EVER = "public, max-age=31536000, immutable"
FRESH = "no-cache"

COMPRESSED = frozenset({JSON, NDJSON, TEXT, MARKDOWN, HTML})
"""Kinds of answers that become smaller by it."""

WORTH = 1_000
"""Bytes from which an answer is compressed: what is smaller fits one packet either way."""

REFUSED = re.compile(r"q=0(\.0*)?")
"""The weight of what a sender does not read."""

READING = ("GET", "HEAD")
"""The methods that are answered."""

ONCE = ("Host", "Origin", "Authorization")
"""The headers that are read: a request may have each once."""

STATUS: dict[Code, HTTPStatus] = {
    "no_match": HTTPStatus.NOT_FOUND,
    "no_title": HTTPStatus.NOT_FOUND,
    "no_step": HTTPStatus.NOT_FOUND,
    "no_unit": HTTPStatus.NOT_FOUND,
    "private": HTTPStatus.FORBIDDEN,
    "not_allowed": HTTPStatus.FORBIDDEN,
    "bad_token": HTTPStatus.UNAUTHORIZED,
}

RETRY_AFTER = 2
"""Seconds after which whoever was told that something cannot be done now is to ask again."""


class PageRequest(Struct, frozen=True):
    """A request: the parts of its path, its query, its bearer token, and its connection.

    `host` is the name it was sent to, `encodings` those that its sender reads of `br` and `gzip`, `trace` the
    span of his that it is part of, as `traceparent`.
    """

    parts: tuple[str, ...]
    query: dict[str, str]
    token: str
    address: Address
    host: str = ""
    encodings: frozenset[str] = frozenset()
    trace: str = ""

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
    connection_lost_waiter: asyncio.Future[None]
    """Done when the connection has ended."""

    async def spend(self, amount: float) -> None:
        """Spend of the address's work, and wait until it owes none. Raises ConnectionClosed."""


class Page(Struct, frozen=True):
    """A response.

    `lasting`: the same for all and for long, so that it is kept compressed. `anywhere`: pages of others may
    show it. `retry`: seconds after which it may be asked for again, 0 where that would change nothing.
    """

    body: bytes
    kind: str = JSON
    caching: str = "no-store"
    status: HTTPStatus = HTTPStatus.OK
    encoding: str = ""
    lasting: bool = False
    anywhere: bool = False
    retry: int = 0


Handler = Callable[[PageRequest], Awaitable[Page]]


class Pages:
    """Routes from the first parts of a path to handlers; all other paths have one of their own."""

    def __init__(self, routes: dict[tuple[str, ...], Handler], otherwise: Handler) -> None:
        """Take the routes, in which `*` stands for one part, and what answers where none leads."""
        self._routes, self._otherwise = routes, otherwise
        self._compress = Compressing()
        self.served = 0

    async def answer(self, connection: Connection, request: Request) -> Response:
        """Return the response to a request that is not for a websocket; to HEAD it has no body.

        Raises ConnectionClosed where the client went while the request waited.
        """
        self.served += 1
        if request.method not in READING:
            text = "everything here is read with GET; what changes something goes over the socket"
            refused = response(refusal("not_allowed", text, HTTPStatus.METHOD_NOT_ALLOWED))
            refused.headers["Allow"] = ", ".join(READING)
            return refused
        answer = await self._read(connection, request)
        if request.method == "HEAD":
            answer.body = b""
        return answer

    async def _read(self, connection: Connection, request: Request) -> Response:
        address = urlsplit(request.path)
        parts = tuple(unquote(part) for part in address.path.split("/") if part)
        query = {key: values[-1] for key, values in parse_qs(address.query).items()}
        host, encodings = request.headers.get("Host", ""), encodings_of(request.headers)
        token, trace = bearer(request.headers), ",".join(request.headers.get_all("traceparent"))
        wanted = PageRequest(parts, query, token, connection.address, host, encodings, trace)
        if (owed := connection.address.work.owed()) > LONGEST_DEBT:
            connection.address.turn_away("requests")
            return response(too_fast(owed))
        await connection.spend(cost_of(wanted))
        try:
            return response(await self._while_there(connection, wanted))
        except Exception as why:
            no = refusal_for(why)
            if no is None:
                logger.exception("page", path="/".join(parts[:2]), connection=connection.id.hex)
                text = "the server has made a mistake"
                return response(refusal("bug", text, HTTPStatus.INTERNAL_SERVER_ERROR))
            theirs = isinstance(why, RequestError)
            other = HTTPStatus.BAD_REQUEST if theirs else HTTPStatus.SERVICE_UNAVAILABLE
            status = STATUS.get(no.code, other)
            after = math.ceil(why.after) if isinstance(why, Busy) else 0
            retry = max(RETRY_AFTER, after) if status is HTTPStatus.SERVICE_UNAVAILABLE else 0
            return response(refusal(no.code, no.reason, status, retry))

    async def _while_there(self, connection: Connection, request: PageRequest) -> Page:
        """Return the page. Raises TimeoutError once the client has gone, and what reading it raises."""
        gone, read = connection.connection_lost_waiter, False
        if gone.done():
            raise TimeoutError
        async with asyncio.timeout(None) as limit:

            def end(_: object) -> None:
                if not read:  # else it was on its way already when the page was
                    limit.reschedule(0.0)

            gone.add_done_callback(end)
            try:
                page = await self._page(request)
                return await smaller(page, request.encodings, self._compress)
            finally:
                read = True
                gone.remove_done_callback(end)

    async def _page(self, request: PageRequest) -> Page:
        for pattern, handler in self._routes.items():
            if len(pattern) == len(request.parts) and all(
                want in {"*", part} for want, part in zip(pattern, request.parts, strict=True)
            ):
                with span("GET /" + "/".join(pattern), parent=request.trace):
                    return await handler(request)
        if request.parts[:1] == ("api",):
            return refusal("no_page", "there is nothing under this path", HTTPStatus.NOT_FOUND)
        with span("GET page", parent=request.trace):
            return await self._otherwise(request)


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
            "Cross-Origin-Resource-Policy": "cross-origin" if page.anywhere else "same-origin",
            "Vary": "Accept-Encoding",
        }
    )
    if page.encoding:
        headers["Content-Encoding"] = page.encoding
    if page.retry:
        headers["Retry-After"] = str(page.retry)
    return Response(page.status.value, page.status.phrase, headers, page.body)


def refusal(code: Code, reason: str, status: HTTPStatus, retry: int = 0) -> Page:
    """Return a refusal as JSON with this HTTP status, and the seconds after which to ask again, if any."""
    return Page(json.encode(Failure(code, reason)), status=status, retry=retry)


def too_fast(owed: float) -> Page:
    """Return the refusal of a request of an address that owes so many seconds of work."""
    reason = "too many requests from one address; wait some seconds"
    return refusal("too_fast", reason, HTTPStatus.TOO_MANY_REQUESTS, math.ceil(owed))


ASKED: Final = frozenset(
    {("api", "matches"), ("api", "audit"), ("api", "checkpoint"), ("match",), ("readyz",), ("metrics",)}
)
"""The first parts of the paths for which the database is asked, or other processes."""


def cost_of(request: PageRequest) -> float:
    """Return what a request costs of `server.limits.WORK`; what a whole match costs is reckoned apart."""
    if request.parts[:1] not in ASKED and request.parts[:2] not in ASKED:
        return FILE
    return SEARCH if "q" in request.query else QUERY


def bad_request(reason: str) -> Response:
    """Return the response 400 with this reason."""
    return response(refusal("bad_request", reason, HTTPStatus.BAD_REQUEST))


def found(value: Any, *, lasting: bool = False) -> Page:
    """Return the response 200 with a value as JSON."""
    return Page(json.encode(value), lasting=lasting)


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


async def smaller(
    page: Page, encodings: Collection[str], compress: Callable[[bytes], Awaitable[bytes]]
) -> Page:
    """Return an answer compressed for who reads that, beside the loop; what lasts is compressed once."""
    if page.encoding or "gzip" not in encodings or len(page.body) < WORTH or page.kind not in COMPRESSED:
        return page
    body = _kept(page.body) if page.lasting else await compress(page.body)
    return structs.replace(page, body=body, encoding="gzip")


_kept = lru_cache(maxsize=64)(compressed)


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
