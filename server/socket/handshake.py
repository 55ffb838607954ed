"""The first step of a connection: whom it counts as, and whether it becomes a websocket or is answered here.

Connections to `/socket` become websockets where there is room; what else is asked is answered over HTTP.
Deliberately absent: the limits themselves (`server.addresses`), and what the paths say (`server.http.pages`).
"""

from http import HTTPStatus
from typing import Protocol

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from domain.match.refusals import Code
from server.addresses import Addresses
from server.http import headers, pages
from server.lobby.house import House
from server.people.cookies import token_in
from server.people.sessions import hash_of, hash_of_bots, is_bots
from server.settings import Settings
from server.socket.paced import Paced

logger = structlog.get_logger()


class Node(Protocol):
    """What has to be known of the server that is asked (`server.serving`)."""

    settings: Settings
    addresses: Addresses
    pages: pages.Pages
    house: House | None
    draining: bool
    """Whether it ends, and takes nobody any more."""


async def handshake(node: Node, connection: ServerConnection, request: Request) -> Response | None:
    """Return what a request is answered with; None where the connection becomes a websocket."""
    assert isinstance(connection, Paced)
    try:
        return await _answer(node, connection, request)
    except ConnectionClosed:
        return turned_away("unavailable", "the client has gone")


async def _answer(node: Node, connection: Paced, request: Request) -> Response | None:
    if not headers.readable(request):
        return pages.bad_request(
            "this request cannot be read: a header stands twice in it, or something is no URL"
        )
    if not await _arrived(node, connection, request):
        return turned_away("too_many", "too many connections from one address")
    if request.path != "/socket":
        return await node.pages.answer(connection, request)
    if node.draining or connection.address.full:
        if not node.draining:
            connection.address.turn_away("websockets")
        text = "restarting" if node.draining else "too many connections from one address"
        return turned_away("too_many", text)
    if not headers.same_origin(request.headers, node.settings):
        logger.info("turned away", why="a page that is not the server's own")
        return turned_away("origin", "this page is not one of the server's own", HTTPStatus.FORBIDDEN)
    connection.enter()
    connection.session, connection.bot = _who(request)
    return None


def _who(request: Request) -> tuple[bytes, bool]:
    """Return the hash of the session that a page of ours has, or of a bot's token, and whether it is that.

    A page sends its Origin, other programs send none: a cookie counts for the former, a token for the latter.
    """
    origin, token = request.headers.get("Origin", "").lower(), headers.bearer(request.headers)
    if origin:
        return hash_of(token_in(request.headers.get("Cookie", ""), origin)), False
    return (hash_of_bots(token), True) if is_bots(token) else (b"", False)


async def _arrived(node: Node, connection: Paced, request: Request) -> bool:
    """Count a connection under its request's address; whether it is within the limits.

    Raises ConnectionClosed if it ends while it waits.
    """
    if node.house is not None and node.house.is_one(request.headers):
        connection.address.arrivals.give_back()
        address = node.addresses.own()
    elif node.addresses.direct:
        return True
    else:
        address = node.addresses.behind(connection.remote_address, request.headers)
    wait = connection.move(address)
    if wait is None:
        return False
    await connection.wait(wait)
    return True


def turned_away(code: Code, why: str, status: HTTPStatus = HTTPStatus.SERVICE_UNAVAILABLE) -> Response:
    """Return the refusal of a handshake as HTTP response."""
    retry = pages.RETRY_AFTER if status is HTTPStatus.SERVICE_UNAVAILABLE else 0
    return pages.response(pages.refusal(code, why, status, retry))
