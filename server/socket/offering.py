"""What a connection offers: a match, its links made anew, and all of it withdrawn.

Whoever makes a link void is answered when nobody watches by it on this node any more. Deliberately absent:
how matches are made and links kept (`server.lobby`), and how their seats are taken (`server.socket.seating`).
"""

from collections.abc import Mapping
from typing import Any

from domain.match.refusals import RequestError
from server.protocol import wire
from server.socket.visit import Answer, Visit, known_version


async def _create(visit: Visit, create: wire.Create) -> None:
    await visit.spend(visit.commands)
    known_version(create.version)
    if not visit.connection.address.creations.acquire():
        raise RequestError("too_fast", "too many matches were offered from here; try again in some minutes")
    here = await visit.caller.here()
    person = here.person if here else None
    created = await visit.gate.lobby.create(create, visit.connection.address, person)
    visit.gate.created(created.match, create.bots)
    await visit.send(created)


async def _exchange(visit: Visit, exchange: wire.Exchange) -> None:
    await visit.spend(visit.commands)
    access = visit.accesses.to(exchange.match)
    with visit.accesses.relinks(exchange.match):
        await visit.relink(exchange.match, await visit.gate.lobby.links.exchange(access))


async def _revoke(visit: Visit, revoke: wire.Revoke) -> None:
    await visit.spend(visit.commands)
    link = await visit.gate.lobby.links.revoke(await visit.accesses.checked(revoke.match), revoke.seat)
    await visit.gate.end_void_accesses(revoke.match)
    await visit.send(wire.Linked(revoke.match, link))


async def _withdraw(visit: Visit, withdraw: wire.Withdraw) -> None:
    await visit.spend(visit.commands)
    await visit.gate.lobby.links.withdraw(await visit.accesses.checked(withdraw.match))
    await visit.send(wire.Withdrawn(withdraw.match))


ANSWERS: Mapping[type[Any], Answer] = {
    wire.Create: _create,
    wire.Exchange: _exchange,
    wire.Revoke: _revoke,
    wire.Withdraw: _withdraw,
}
