"""What a connection watches: matches, which it is let in to by a link, and the lobby; and what it says there.

A link may become void at any moment while somebody is let in by it: whoever has become nobody meanwhile
watches nothing, and no line that is said after he watches is missed. Deliberately absent: what is sent to
who watches (`server.fanout.hub`), and what a link opens (`server.lobby.links`).
"""

from collections.abc import Mapping
from typing import Any

from domain.kernel.audience import Audience, Viewer
from domain.match.refusals import RequestError
from server.limits import HELLO
from server.lobby.links import Access
from server.play.matches import BadToken
from server.play.snapshot import Snapshot
from server.protocol import wire
from server.socket.visit import NOT_KNOWN, PATIENCE, Answer, Visit, known_version
from server.tracing import span

ROOMS: Mapping[wire.Room, tuple[Viewer, ...]] = {
    "table": (Audience.SIDE_0, Audience.SIDE_1),
    "onlookers": (Audience.ONLOOKERS,),
}
"""The audiences of each chat room."""


async def _hello(visit: Visit, hello: wire.Hello) -> None:
    await visit.spend(visit.hellos, HELLO)
    known_version(hello.version)
    with span("hello", match=hello.match):
        try:
            await _let_in(visit, hello)
        except BadToken:
            # A seat that is given to a person is opened to his sessions by another token, and a node that
            # completes what a killed one has begun may do so just now.
            if not _by_session(hello):
                raise
            await _let_in(visit, hello)


def _by_session(hello: wire.Hello) -> bool:
    """Whether one comes by no link, but as who one is."""
    return hello.mine and not hello.token


async def _let_in(visit: Visit, hello: wire.Hello) -> None:
    gate, accesses = visit.gate, visit.accesses
    if accesses.get(hello.match) is None and len(accesses) >= gate.most:
        raise RequestError("too_many", f"a connection watches at most {gate.most} matches")
    access, head = await _resolve(visit, hello)
    live = await gate.matches.level_with(hello.match, head)
    accesses.hold(hello.match, access)
    side = None if access.seat is None else live.standing.side(access.seat)
    if access.token:
        async with gate.arriving.turn(visit.connection):
            if access.role != "onlooker" and not live.standing.started:
                await gate.lobby.makers.seen([(access.match, access.seat)])
            # The link may have become void before we watched by it, and the access have ended for that.
            if accesses.get(hello.match) is not access:
                raise BadToken
            await accesses.checked(hello.match)
    await visit.send(
        wire.Welcome(
            wire.VERSION, hello.match, live.game.name, access.role, live.seq, seat=access.seat, side=side
        )
    )
    after = hello.after if _known(hello, live) else 0
    if accesses.get(hello.match) is not access:  # it has become void since
        raise BadToken
    await gate.hub.watch(
        visit.connection,
        hello.match,
        Audience.of(side),
        after,
        access.seat,
        head=live.seq,
        counted=not (hello.glance and access.role == "onlooker"),
    )
    if accesses.get(hello.match) is not access:  # nor by now, and he watches no more
        raise BadToken
    # Only now that it watches: no line said after this query is missed.
    room: wire.Room = "onlookers" if side is None else "table"
    for line in await gate.arriving.last_lines(visit.connection, hello.match, room):
        await visit.connection.tell(line)
    seats, onlookers = gate.hub.presence(hello.match)
    present = [seat for seat in range(seats.bit_length()) if seats >> seat & 1]
    await visit.send(wire.Presence(hello.match, present, onlookers))


async def _resolve(visit: Visit, hello: wire.Hello) -> tuple[Access, int]:
    """Return what a token opens, or what is this person's own, and the log's head of the match."""
    arriving, connection = visit.gate.arriving, visit.connection
    here = await visit.caller.here() if _by_session(hello) else None
    try:
        if here is None:
            return await arriving.access(connection, hello.match, hello.token)
        return await arriving.own(connection, hello.match, here.person, hello.seat)
    except RequestError as why:
        visit.bad_tokens += why.code == "bad_token"
        if visit.bad_tokens > PATIENCE:
            await visit.close(NOT_KNOWN, "too many links that are not valid")
        raise


def _known(hello: wire.Hello, live: Snapshot) -> bool:
    """Whether the fact and hash that a client names end a command on the log."""
    end = live.end(hello.after)
    return end is not None and hello.h in {"", end.hex()}


async def _bye(visit: Visit, bye: wire.Bye) -> None:
    visit.accesses.end(bye.match)


async def _lobby(visit: Visit, lobby: wire.Lobby) -> None:
    board = visit.gate.board
    if not lobby.watching:
        board.leave(visit.connection)
        return
    await visit.spend(visit.hellos, HELLO)
    await board.watch(visit.connection)


async def _ping(visit: Visit, _: wire.Ping) -> None:
    await visit.send(wire.Pong(visit.gate.matches.now()))


async def _say(visit: Visit, say: wire.Say) -> None:
    await visit.spend(visit.lines)
    access = await visit.accesses.checked(say.match)
    if (say.room == "table") != (access.seat is not None):
        raise RequestError("not_allowed", "seats talk at the table, onlookers among themselves")
    here, address = await visit.caller.here(), visit.connection.address
    person = here.person if here else None
    said = await visit.gate.chat.say(say.match, say.room, access.seat, address, say.text, person)
    visit.gate.hub.send_everywhere(say.match, wire.encode(said), ROOMS[say.room])


ANSWERS: Mapping[type[Any], Answer] = {
    wire.Hello: _hello,
    wire.Bye: _bye,
    wire.Lobby: _lobby,
    wire.Ping: _ping,
    wire.Say: _say,
}
