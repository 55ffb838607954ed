"""Who reads a match over HTTP: by the token of a link, as a person of this server, or as somebody's bot.

Deliberately absent: what an access shows (`server.http.matches`), and what persons and bots have
(`server.lobby.links`).
"""

from domain.match.refusals import RequestError
from server.http.pages import PageRequest
from server.lobby.links import Access, Links
from server.people.cookies import token_in
from server.people.sessions import Here, Sessions, is_bots
from server.postgres.database import Pool


async def access_of(request: PageRequest, links: Links, sessions: Sessions, pool: Pool) -> Access:
    """Return the access to a match by a link's token, or else what is a person's or a bot's own.

    A bot's token is for reading whatever its scopes: each of them has all that changes nothing. Raises
    RequestError: bad_token, no_match, no_session for a bot's token that is void, not_seated, bad_request.
    """
    match, here = request.match(), await _here(request, sessions)
    if here is not None:
        return await links.own(match, here.person, _seat_of(request), pool)
    return await links.access(match, request.token, pool)


async def _here(request: PageRequest, sessions: Sessions) -> Here | None:
    """Return who reads, None for a guest.

    A page of another server can have the cookie sent, and read nothing of the answer; it is nobody's.
    """
    if is_bots(request.token):
        return await sessions.bot(request.token)
    if not request.token and request.origin in {"", request.home}:
        return await sessions.of(token_in(request.cookies, request.home))
    return None


def _seat_of(request: PageRequest) -> int | None:
    """Return the seat of one's own that a query asks for, None without one; raises RequestError."""
    text = request.query.get("seat")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= 3):  # noqa: PLR2004 digits of a seat
        raise RequestError("bad_request", "seats are numbered from 0 on")
    return int(text)
