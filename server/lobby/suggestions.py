"""Suggestions: what the strongest bot would decide for a seat, in the step that it is asked about.

The bot gets the seat's own view and prompt, as it would over the socket, on a copy of the table without dice;
its quiet decisions are taken there in turn. This is done in a thread and one at a time, each address in
rotation, so that play is not held up and no address waits for all that another asks. The match itself is
looked at before and after, outside of the turn: who waits for one match keeps nobody from another.

Deliberately absent: how a bot decides (`clients.bots`).
"""

import asyncio
from random import Random
from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType, json, to_builtins

from clients.bots import Choose, strengths
from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.table import MOST_DECISIONS, Table
from domain.match.game import Game
from domain.match.views import Views
from server.addresses import Address
from server.log.outcomes import Busy
from server.play import acts
from server.play.live import Live
from server.play.matches import Matches
from server.play.questions import prompt_message
from server.protocol import wire
from server.single_flight import Connection
from server.turns import Turns

WAITING = 8
"""Suggestions of an address that may be queued; beyond it `Busy`."""

LONGEST = 30.0
"""Seconds that one may be queued; beyond it `Busy`."""


class Proposal(Struct, frozen=True):
    """What a bot would decide: quiet decisions, the table after them, and the next one if it is not quiet."""

    ahead: Table
    decisions: tuple[Raw, ...]
    last: Raw | UnsetType = UNSET


class Suggestions:
    """Makes the suggestions of a node, one after the other."""

    def __init__(self, matches: Matches) -> None:
        """Take the matches of the node."""
        self._matches = matches
        self._turns = Turns(1)

    async def answer(
        self, asked: wire.Suggest, seat: int, address: Address, connection: Connection | None = None
    ) -> wire.Suggested:
        """Return what a bot would decide for a seat, as it was asked from an address.

        Raises Busy and ConnectionClosed as `Turns.turn` does, what `acts.foresee` raises, and Stale if the
        match moves on meanwhile.
        """
        given = asked.decisions
        game, state = await self._matches.glance(
            asked.match, lambda live: _start(live, seat, asked), asked.answers
        )
        try:
            async with self._turns.turn(address, connection, longest=LONGEST, most=WAITING):
                proposal = await asyncio.to_thread(propose, game, state, seat, MOST_DECISIONS - len(given))
        except Busy:
            address.turn_away("suggestions")
            raise

        def told(live: Live) -> wire.Suggested:
            acts.table_if_asked(live, seat, asked.answers)
            prompt, patch = live.foreseen(seat, proposal.ahead)
            decisions = (*given, *proposal.decisions)
            return wire.Suggested(
                asked.match, asked.command, live.seq, decisions, prompt, patch, proposal.last
            )

        return await self._matches.glance(asked.match, told, asked.answers)


def _start(live: Live, seat: int, asked: wire.Suggest) -> tuple[Game, bytes]:
    """Return the title and the encoded state from which a bot is to decide."""
    table = acts.table_if_asked(live, seat, asked.answers)
    ahead = acts.foresee(live, seat, asked.answers, asked.decisions) if asked.decisions else table
    return live.game, live.game.encode(ahead.state)


def propose(game: Game, state: bytes, seat: int, most: int) -> Proposal:
    """Let the strongest bot of a title decide for a seat: the quiet decisions of a step, and the next one.

    At most `most` quiet decisions are taken, and none that answers another rule than the first, but what a
    pick itself asks more, as where a task force sails that was chosen to move.
    """
    *_, choose = strengths(game.name).values()
    table = Table(game, game.restore(state), Scripted(()))
    views, decisions = Views(game), list[Raw]()
    audience = Audience.of(table.state.match.side(seat))
    first, depth = table.prompts[seat].rule, len(table.state.stack)
    while True:
        asked = prompt_message(game, table, seat)
        # What a pick asks lies on the stack above the question that it answers.
        if asked.rule != first and len(table.state.stack) <= depth:
            return Proposal(table, tuple(decisions))
        view = to_builtins(views.of(table.state, (audience,))[audience], str_keys=True)
        place = _chosen(choose, view, asked)
        option = Raw(game.encode(table.prompts[seat].options[place]))
        if place not in asked.quiet or len(decisions) == most:
            return Proposal(table, tuple(decisions), option)
        table = table.ahead(seat, [game.decision(option)])
        decisions.append(option)


def _chosen(choose: Choose, view: dict[str, Any], asked: wire.Asked) -> int:
    """Return the place of the option that a bot chooses; the same one whenever it is asked the same."""
    prompt: dict[str, Any] = json.decode(json.encode(asked))
    options = prompt["options"]
    return int(options.index(choose(view, prompt, Random(len(options)))))  # noqa: S311 a choice is not a secret
