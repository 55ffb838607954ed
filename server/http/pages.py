"""HTTP requests and responses on the port of the websockets.

GET and HEAD have no side effects. What changes something about a person has a verb of its own, which is
carried out for pages of this server only: a browser names the page that asks as Origin, and a form of another
page can neither name ours nor send JSON. Tokens come in the Authorization header, never in a path or a query.
Deliberately absent: anything that changes a match; that goes over the socket.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Mapping
from email.utils import formatdate
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Final, Protocol
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import UUID

import structlog
from msgspec import MsgspecError, Struct, json, structs
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from domain.match.refusals import Code, RequestError
from server.addresses import Address
from server.http.compressing import Compressing, compressed
from server.http.headers import bearer, encodings_of, own_origins, same_origin
from server.limits import FILE, LONGEST_DEBT, QUERY, SEARCH
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
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
FOR_EVER = "public, max-age=31536000, immutable"
FRESH = "no-cache"

COMPRESSED = frozenset({JSON, NDJSON, TEXT, MARKDOWN, HTML})
"""Kinds of answers that become smaller by it."""

WORTH = 1_000
"""Bytes from which an answer is compressed: what is smaller fits one packet either way."""

READING = ("GET", "HEAD")
"""The methods that are answered under every path."""

STATUS: dict[Code, HTTPStatus] = {
    "no_match": HTTPStatus.NOT_FOUND,
    "no_page": HTTPStatus.NOT_FOUND,
    "no_title": HTTPStatus.NOT_FOUND,
    "no_step": HTTPStatus.NOT_FOUND,
    "no_unit": HTTPStatus.NOT_FOUND,
    "private": HTTPStatus.FORBIDDEN,
    "not_allowed": HTTPStatus.FORBIDDEN,
    "bad_token": HTTPStatus.UNAUTHORIZED,
    "no_session": HTTPStatus.UNAUTHORIZED,
    "no_person": HTTPStatus.NOT_FOUND,
    "handle_taken": HTTPStatus.CONFLICT,
    "origin": HTTPStatus.FORBIDDEN,
    "too_fast": HTTPStatus.TOO_MANY_REQUESTS,
}

RETRY_AFTER = 2
"""Seconds after which whoever was told that something cannot be done now is to ask again."""


class PageRequest(Struct, frozen=True):
    """A request: the parts of its path, its query, its bearer token, and its connection.

    `host` is the name it was sent to, `encodings` those that its sender reads of `br` and `gzip`, `trace` the
    span of his that it is part of, as `traceparent`. `origin` is that of the page that asks, where its
    browser says so, `home` the one by which this server is asked, `cookies` and `agent` the headers of these
    names.
    """

    parts: tuple[str, ...]
    query: dict[str, str]
    token: str
    address: Address
    host: str = ""
    encodings: frozenset[str] = frozenset()
    trace: str = ""
    body: bytes = b""
    origin: str = ""
    home: str = ""
    cookies: str = ""
    agent: str = ""

    def match(self, part: int = 2) -> UUID:
        """Return the match that a part of the path names; raises RequestError."""
        try:
            return UUID(self.parts[part])
        except ValueError:
            raise RequestError("no_match", "there is no such match") from None


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """A body that says nothing."""


class Unreadable(Exception):
    """A request that cannot be read: `status`, and a sentence for whoever sent it."""

    def __init__(self, reason: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(reason)
        self.status = status


class Connection(Protocol):
    """What a response needs to know of the connection (`server.socket.paced`)."""

    id: UUID
    address: Address
    body: bytes
    unreadable: Unreadable | None
    connection_lost_waiter: asyncio.Future[None]
    """Done when the connection has ended."""

    async def spend(self, amount: float) -> None:
        """Spend of the address's work, and wait until it owes none. Raises ConnectionClosed."""


class Page(Struct, frozen=True):
    """A response.

    `lasting`: the same for all and for long, so that it is kept compressed. `anywhere`: pages of others may
    show it. `retry`: seconds after which it may be asked for again, 0 where that would change nothing.
    `cookie`: one that the browser is to keep, as Set-Cookie has it. `name`: of the file to be kept it as.
    `to`: the path that is to be opened instead, with a status that says so.
    """

    body: bytes
    kind: str = JSON
    caching: str = "no-store"
    status: HTTPStatus = HTTPStatus.OK
    encoding: str = ""
    lasting: bool = False
    anywhere: bool = False
    retry: int = 0
    cookie: str = ""
    name: str = ""
    to: str = ""


Handler = Callable[[PageRequest], Awaitable[Page]]


Routes = Mapping[tuple[str, ...], Handler]
"""Handlers by the parts of a path, of which `*` stands for any one."""


class Pages:
    """Routes from the parts of a path to handlers; all other paths have one of their own."""

    def __init__(
        self,
        routes: Routes,
        otherwise: Handler,
        verbs: Mapping[str, Routes] | None = None,
        settings: Settings | None = None,
        anyones: Routes | None = None,
    ) -> None:
        """Take the routes, what answers where none leads, and the routes of each verb beside GET.

        `anyones` are sent by POST from anywhere: what they change needs a token of its own.
        """
        self._anyones = anyones or {}
        self._routes, self._otherwise = routes, otherwise
        self._verbs, self._settings = verbs or {}, settings or Settings()
        self._compress = Compressing()
        self.served = 0

    async def answer(self, connection: Connection, request: Request) -> Response:
        """Return the response to a request that is not for a websocket; to HEAD it has no body.

        Raises ConnectionClosed where the client went while the request waited.
        """
        self.served += 1
        if connection.unreadable is not None:
            return response(refusal("bad_request", str(connection.unreadable), connection.unreadable.status))
        wanted = self._wanted(connection, request)
        if request.method in READING:
            answer = await self._read(connection, wanted, self._page)
        else:
            answer = await self._change(connection, request, wanted)
        if request.method == "HEAD":
            answer.body = b""
        return answer

    def _wanted(self, connection: Connection, request: Request) -> PageRequest:
        address, headers = urlsplit(request.path), request.headers
        return PageRequest(
            tuple(unquote(part) for part in address.path.split("/") if part),
            {key: values[-1] for key, values in parse_qs(address.query).items()},
            bearer(headers),
            connection.address,
            headers.get("Host", ""),
            encodings_of(headers),
            ",".join(headers.get_all("traceparent")),
            connection.body,
            headers.get("Origin", "").lower(),
            own_origins(headers, self._settings)[-1],
            headers.get("Cookie", ""),
            headers.get("User-Agent", ""),
        )

    async def _change(self, connection: Connection, request: Request, wanted: PageRequest) -> Response:
        """Carry out what changes something, for a page of this server."""
        if request.method == "POST" and (handler := _led_to(self._anyones, wanted.parts)) is not None:
            return await self._read(connection, wanted, handler, stays=True)
        handler = _led_to(self._verbs.get(request.method, {}), wanted.parts)
        if handler is None:
            known = [method for method, routes in self._verbs.items() if _led_to(routes, wanted.parts)]
            text = "nothing is changed under this path in this way; matches are played over the socket"
            refused = response(refusal("not_allowed", text, HTTPStatus.METHOD_NOT_ALLOWED))
            refused.headers["Allow"] = ", ".join([*READING, *known])
            return refused
        if not wanted.origin or not same_origin(request.headers, self._settings):
            logger.info("turned away", why="a page that is not the server's own")
            return response(
                refusal("origin", "only this server's own page may change this", HTTPStatus.FORBIDDEN)
            )
        if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != JSON:
            return response(refusal("bad_request", f"a body is {JSON}", HTTPStatus.UNSUPPORTED_MEDIA_TYPE))
        named = f"{request.method} /" + "/".join(wanted.parts[:2])

        async def carry_out(request: PageRequest) -> Page:
            with span(named, parent=request.trace):
                return await handler(request)

        return await self._read(connection, wanted, carry_out, stays=True)

    async def _read(
        self, connection: Connection, wanted: PageRequest, handler: Handler, *, stays: bool = False
    ) -> Response:
        """Return what a handler answers; what changes something `stays` to its end if its sender goes."""
        if (owed := connection.address.work.owed()) > LONGEST_DEBT:
            connection.address.turn_away("requests")
            return response(too_fast(owed))
        await connection.spend(cost_of(wanted))
        try:
            if stays:
                return response(await handler(wanted))
            return response(await self._while_there(connection, wanted, handler))
        except Exception as why:
            no = refusal_for(why)
            if no is None:
                logger.exception("page", path="/".join(wanted.parts[:2]), connection=connection.id.hex)
                text = "the server has made a mistake"
                return response(refusal("bug", text, HTTPStatus.INTERNAL_SERVER_ERROR))
            theirs = isinstance(why, RequestError)
            other = HTTPStatus.BAD_REQUEST if theirs else HTTPStatus.SERVICE_UNAVAILABLE
            status = STATUS.get(no.code, other)
            after = math.ceil(getattr(why, "after", 0.0))  # of Busy, and of whoever has had his share
            retry = max(RETRY_AFTER, after) if status is HTTPStatus.SERVICE_UNAVAILABLE else after
            return response(refusal(no.code, no.reason, status, retry))

    async def _while_there(self, connection: Connection, request: PageRequest, handler: Handler) -> Page:
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
                page = await handler(request)
                return await smaller(page, request.encodings, self._compress)
            finally:
                read = True
                gone.remove_done_callback(end)

    async def _page(self, request: PageRequest) -> Page:
        for pattern, handler in self._routes.items():
            if _leads(pattern, request.parts):
                with span("GET /" + "/".join(pattern), parent=request.trace):
                    return await handler(request)
        if request.parts[:1] == ("api",):
            return refusal("no_page", "there is nothing under this path", HTTPStatus.NOT_FOUND)
        with span("GET page", parent=request.trace):
            return await self._otherwise(request)


def _leads(pattern: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    return len(pattern) == len(parts) and all(
        want in {"*", part} for want, part in zip(pattern, parts, strict=True)
    )


def _led_to(routes: Routes, parts: tuple[str, ...]) -> Handler | None:
    return next((handler for pattern, handler in routes.items() if _leads(pattern, parts)), None)


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
    if page.cookie:
        headers["Set-Cookie"] = page.cookie
    if page.to:
        headers["Location"] = page.to
    if page.name:
        headers["Content-Disposition"] = f'attachment; filename="{page.name}"'
    return Response(page.status.value, page.status.phrase, headers, page.body)


def refusal(code: Code, reason: str, status: HTTPStatus, retry: int = 0) -> Page:
    """Return a refusal as JSON with this HTTP status, and the seconds after which to ask again, if any."""
    return Page(json.encode(Failure(code, reason)), status=status, retry=retry)


def too_fast(owed: float) -> Page:
    """Return the refusal of a request of an address that owes so many seconds of work."""
    reason = "too many requests from one address; wait some seconds"
    return refusal("too_fast", reason, HTTPStatus.TOO_MANY_REQUESTS, math.ceil(owed))


ASKED: Final = frozenset(
    {
        ("api", "matches"),
        ("api", "audit"),
        ("api", "checkpoint"),
        ("api", "me"),
        ("api", "people"),
        ("api", "tournaments"),
        ("api", "bots"),
        ("match",),
        ("readyz",),
        ("metrics",),
    }
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


def body_of(request: PageRequest, form: Any) -> Any:
    """Return what a request's body says, of a form that msgspec knows. Raises RequestError."""
    try:
        return json.decode(request.body, type=form)
    except (MsgspecError, RecursionError) as why:
        raise RequestError("bad_request", f"this body is not what is asked for here: {why}") from None


def found(value: Any, *, lasting: bool = False) -> Page:
    """Return the response 200 with a value as JSON."""
    return Page(json.encode(value), lasting=lasting)


async def smaller(
    page: Page, encodings: Collection[str], compress: Callable[[bytes], Awaitable[bytes]]
) -> Page:
    """Return an answer compressed for who reads that, beside the loop; what lasts is compressed once."""
    if page.encoding or "gzip" not in encodings or len(page.body) < WORTH or page.kind not in COMPRESSED:
        return page
    body = _kept(page.body) if page.lasting else await compress(page.body)
    return structs.replace(page, body=body, encoding="gzip")


_kept = lru_cache(maxsize=64)(compressed)
