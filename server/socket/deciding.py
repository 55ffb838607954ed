"""How a connection plays a seat that it has: its decisions and other commands, and its looks ahead.

The seat is that of the link behind the connection, and never what a message says. A command passes the
link's hash to the log, which stores nothing for a void one; a look ahead has it looked up. Deliberately
absent: what a command does (`server.play.commands`).
"""

from collections.abc import Mapping
from typing import Any

from server.play import acts
from server.play.commands import COMMANDS, Command
from server.play.live import Live
from server.protocol import wire
from server.socket.visit import Answer, Visit


async def _command(visit: Visit, message: Command) -> None:
    seat, token = visit.accesses.seat_and_token(message.match)
    await visit.spend(visit.commands)
    if isinstance(message, wire.Claim) and message.choice == "replace":
        await visit.gate.lobby.check_offered(message.match)
    if isinstance(message, wire.Anew):
        # Else who was invited might commit the seat of somebody who has just taken it.
        await visit.gate.lobby.seats.settle(message.match, seat)
    await visit.confirm(await visit.receipt(message, visit.gate.passing.command(message, seat, token)))


async def _foresee(visit: Visit, foresee: wire.Foresee) -> None:
    """Answer without storing, broadcasting or logging anything: nobody else can learn of the request."""
    await visit.spend(visit.commands)
    await visit.accesses.checked(foresee.match)
    seat = visit.accesses.seat(foresee.match)

    def look(live: Live) -> wire.Foreseen:
        ahead = acts.foresee(live, seat, foresee.answers, foresee.decisions)
        return wire.Foreseen(foresee.match, foresee.command, live.seq, *live.foreseen(seat, ahead))

    foreseen = await visit.gate.matches.glance(foresee.match, look, foresee.answers)
    visit.commands.give_back()
    await visit.send(foreseen)


async def _suggest(visit: Visit, suggest: wire.Suggest) -> None:
    """Answer as `_foresee` does; it costs as much as a command that is refused."""
    await visit.spend(visit.commands)
    await visit.accesses.checked(suggest.match)
    seat, here = visit.accesses.seat(suggest.match), visit.connection
    await visit.send(await visit.gate.suggestions.answer(suggest, seat, here.address, here))


ANSWERS: Mapping[type[Any], Answer] = {
    **dict.fromkeys(COMMANDS, _command),
    wire.Foresee: _foresee,
    wire.Suggest: _suggest,
}
