"""How a connection sits down: by the link of a seat, on one that is free, or in the match that comes after.

With a seat goes a promise, by which the dice are bound before anybody knows them, and later what was
promised. All of these are commands by which a match begins, and are answered by a receipt. Deliberately
absent: who may have a seat (`server.lobby.seats`), and what is recorded of it (`server.play.acts`).
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from domain.kernel.audience import VIEWERS
from domain.kernel.seats import Hours
from server.play import acts
from server.play.acts import Action, IsRepetition
from server.play.zones import hours_of
from server.protocol import wire
from server.socket.visit import Answer, Visit


async def _sit(visit: Visit, sit: wire.Sit) -> None:
    seat, token = visit.accesses.seat_and_token(sit.match)  # now: the access may end meanwhile
    await visit.spend(visit.commands)
    sit, holder = await visit.caller.as_said(sit), await visit.caller.holder()
    act = acts.sit(seat, sit.kind, sit.promise, _hours(visit, sit))
    with visit.accesses.relinks(sit.match):
        link, receipt = await visit.gate.lobby.seats.sit(
            sit, seat, lambda: _beginning(visit, sit, act, token), holder
        )
        if link is not None:
            await visit.relink(sit.match, link)
    await visit.confirm(receipt)


async def _join(visit: Visit, join: wire.Join) -> None:
    visit.accesses.to(join.match)
    await visit.spend(visit.commands)
    join = await visit.caller.as_said(join)
    act = acts.join(join.seat, join.kind, join.promise, _hours(visit, join))
    link, receipt = await visit.gate.lobby.seats.join(
        join,
        lambda: _beginning(visit, join, act),
        await visit.caller.holder(),
        sat=visit.accesses.sat(join.match),
    )
    await visit.gate.end_void_accesses(join.match)
    await visit.send(wire.Linked(join.match, link))
    await visit.confirm(receipt)


async def _rematch(visit: Visit, asked: wire.Rematch) -> None:
    await visit.spend(visit.commands)
    await visit.accesses.checked(asked.match)
    before, asked = visit.accesses.seat(asked.match), await visit.caller.as_said(asked)
    gate = visit.gate
    rematch, new = await gate.lobby.rematches.of(asked.match, again=asked.again)
    if new:
        gate.created(rematch.match, rematch.bots)
    seat = rematch.seat(before)
    join = wire.Join(rematch.match, asked.command, seat, asked.token, asked.promise, asked.name, asked.kind)
    act = acts.sit(seat, asked.kind, asked.promise, _hours(visit, asked))
    link, receipt = await gate.lobby.seats.follow(
        join, lambda: _beginning(visit, join, act), await visit.caller.holder()
    )
    # By the first who sits there, perhaps not the first who asked; from others it is not written again.
    gate.hub.send_everywhere(asked.match, wire.encode(wire.Rematched(asked.match, rematch.match)), VIEWERS)
    await visit.send(wire.Linked(rematch.match, link))
    await visit.confirm(receipt)


async def _show(visit: Visit, show: wire.Show) -> None:
    seat, token = visit.accesses.seat_and_token(show.match)
    act = acts.show(seat, show.nonce)
    await visit.spend(visit.commands)
    await visit.confirm(await _beginning(visit, show, act, token))


def _hours(visit: Visit, asked: wire.Sit | wire.Join | wire.Rematch) -> Callable[[], Hours | None]:
    return lambda: hours_of(asked.zone, asked.night, visit.gate.matches.now())


def _beginning(
    visit: Visit, message: Any, act: tuple[Action, IsRepetition], token: bytes | None = None
) -> Awaitable[wire.Receipt]:
    """Carry out a command by which a match begins, without a token as one that takes none."""
    matches = visit.gate.matches
    return visit.receipt(message, matches.command(message.match, message.command, *act, token))


ANSWERS: Mapping[type[Any], Answer] = {
    wire.Sit: _sit,
    wire.Join: _join,
    wire.Rematch: _rematch,
    wire.Show: _show,
}
