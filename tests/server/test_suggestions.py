"""What a bot suggests is legal and of one step; what a title declares quiet is quiet; who waits for whom."""

import asyncio
import threading
from random import Random
from uuid import UUID, uuid4

import pytest
from msgspec import UNSET

from clients.bots import strengths
from domain.kernel.procedures import Decision
from domain.kernel.table import MOST_DECISIONS, Table
from domain.match.refusals import RequestError
from domain.titles import TITLES
from server import turns
from server.addresses import Address
from server.bench.chance import play
from server.bench.sensible import by
from server.lobby import suggestions
from server.lobby.suggestions import propose
from server.log.outcomes import Busy
from server.protocol import wire
from server.serving import Serving
from tests.server.talk import prompt, seated

FACTS, EVERY = 700, 4


@pytest.mark.parametrize("name", sorted(TITLES))
def test_what_is_suggested_is_of_one_step_and_can_be_decided_in_turn(name: str) -> None:
    game = TITLES[name]
    *_, best = strengths(name).values()
    sensible, most, prompts, rules = by(game, best), 0, 0, set[str]()

    def choose(table: Table, seat: int, random: Random) -> Decision:
        nonlocal most, prompts
        rule, quiet = table.prompts[seat].rule, table.quiet(seat)
        rules.update([rule] * bool(quiet))
        for option in quiet[:2]:
            table.ahead(seat, [option])  # raises NotQuiet if it is not
        prompts += bool(quiet)
        if quiet and prompts % EVERY == 0:
            proposal = propose(game, game.encode(table.state), seat, MOST_DECISIONS)
            decisions = [game.decision(one) for one in proposal.decisions]
            most = max(most, len(decisions))
            ahead = table.ahead(seat, decisions) if decisions else table
            asked = ahead.prompts[seat]
            if proposal.last is not UNSET:
                assert game.decision(proposal.last) in asked.options
                assert rule == asked.rule or len(ahead.state.stack) > len(table.state.stack)
        return sensible(table, seat, random)

    play(game, next(iter(game.scenarios)), FACTS, choose=choose)

    assert most > 1
    assert len(rules) > 1


async def test_a_crowd_at_one_address_keeps_nobody_else_from_a_suggestion(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, ended, crowd, alone = threading.Event(), list[str](), Address(), Address()

    def slowly(*_: object) -> None:
        assert go_on.wait(10)
        raise RequestError("no_step", "nothing is suggested here")

    monkeypatch.setattr(suggestions, "propose", slowly)
    node = server.gateway.suggestions
    async with seated(server.url) as (created, north, _):
        upto, _ = await prompt(north, 0)
        asked = wire.Suggest(UUID(created["match"]), uuid4(), upto)

        async def ask(name: str, address: Address) -> None:
            with pytest.raises(RequestError):
                await node.answer(asked, 0, address)
            ended.append(name)

        tasks = [asyncio.create_task(ask("crowd", crowd)) for _ in range(1 + suggestions.WAITING)]
        async with asyncio.timeout(10):
            while node._turns.waiting_at(crowd) < suggestions.WAITING:
                await asyncio.sleep(0)
        with pytest.raises(Busy):
            await node.answer(asked, 0, crowd)
        assert 1 == crowd.turned_away["suggestions"]
        tasks.append(asyncio.create_task(ask("alone", alone)))
        await asyncio.sleep(0)
        go_on.set()
        await asyncio.gather(*tasks)

    assert 2 == ended.index("alone")


async def test_a_suggestion_that_has_waited_too_long_is_for_later_and_leaves_its_turn(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggestions, "LONGEST", 0.02)
    node = server.gateway.suggestions
    async with seated(server.url) as (created, north, _):
        upto, _ = await prompt(north, 0)
        asked = wire.Suggest(UUID(created["match"]), uuid4(), upto)
        async with node._turns.turn(Address()):
            refused = await north.ask("suggest", match=created["match"], answers=upto)
            assert ("busy", turns.LATER) == (refused["code"], refused["reason"])
            assert 1 == server.addresses.turned_away["suggestions"]

        assert asked.command == (await node.answer(asked, 0, Address())).command


async def test_who_waits_for_one_match_keeps_nobody_from_a_suggestion_in_another(server: Serving) -> None:
    node = server.gateway.suggestions
    async with (
        seated(server.url) as (created, north, _),
        seated(server.url) as (other, its_north, _),
        asyncio.timeout(10),
    ):
        held = wire.Suggest(UUID(created["match"]), uuid4(), (await prompt(north, 0))[0])
        free = wire.Suggest(UUID(other["match"]), uuid4(), (await prompt(its_north, 0))[0])
        async with server.matches.memory.lock(held.match):
            waiting = asyncio.create_task(node.answer(held, 0, Address()))
            await asyncio.sleep(0)  # it begins to wait
            suggested = await node.answer(free, 0, Address())
            assert not waiting.done()

        assert [free.command, held.command] == [suggested.command, (await waiting).command]


async def test_no_suggestion_is_made_for_who_goes_while_it_waits_for_its_turn(
    server: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, turns = list[object](), server.gateway.suggestions._turns
    monkeypatch.setattr(suggestions, "propose", lambda *given: made.append(given))
    async with (
        turns.turn(Address()),
        seated(server.url) as (created, north, _),
        asyncio.timeout(10),
    ):
        upto, _ = await prompt(north, 0)
        await north.say("suggest", match=created["match"], command=uuid4(), answers=upto)
        while not turns.crowded:
            await asyncio.sleep(0.001)
        north.socket.transport.abort()
        while turns.crowded:
            await asyncio.sleep(0.001)

    assert [] == made
