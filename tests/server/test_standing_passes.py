"""Windows and standing passes of Coral Sea (C6.6, C6.9) on a server.

A side that is asked is waited for, whatever it holds. What it has ordered is carried out as the server's bots
answer. Nothing that the others are sent, and no wait, depends on what a side holds or on how it came to pass.
"""

import asyncio
import contextlib
import hashlib
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from uuid import UUID, uuid4, uuid5

import pytest
from msgspec import Raw, Struct, json
from msgspec.structs import replace

from clients.client import Client, RequestRefused
from clients.links import Place
from domain.coral_sea import CORAL_SEA
from domain.coral_sea.cards import legal
from domain.coral_sea.decisions import EndOperation, Pass, PassOn, PlayReaction
from domain.coral_sea.reactions import OP_END
from domain.coral_sea.secrets import StandingPasses
from domain.coral_sea.table import pile
from domain.kernel.facts import Decided
from domain.kernel.procedures import Decision
from domain.kernel.seats import Clock
from domain.match import notices
from domain.match.notices import Created
from projections.standings import standings
from server.fanout.broadcasts import Broadcast
from server.log.store import MemoryLog
from server.play import acts, live
from server.play.clockwork import Clockwork, share
from server.play.live import Live
from server.play.matches import Matches
from server.proof import keys
from server.proof.keys import KeyRing
from server.protocol import wire
from server.protocol.beat import beat
from server.serving import Serving
from tests.conftest import running
from tests.coral_sea.test_27_secrecy import HIDING
from tests.kernel.secrecy import Dealing
from tests.server.talk import offer, token

T = TypeVar("T")

WINDOW = "C6.5"
PASS, PASS_ON, ASK_AGAIN = ({"type": kind} for kind in ("pass", "pass_on", "ask_again"))
PASSES = (PASS, PASS_ON, ASK_AGAIN)

# 1 A whole server


Asked = Callable[[Client, list[dict[str, Any]]], bool]


def options(client: Client) -> list[dict[str, Any]]:
    return [json.decode(option) for option in client.prompt.options] if client.prompt else []


def in_window(client: Client) -> bool:
    return client.prompt is not None and client.prompt.rule == WINDOW


def can_only_pass(client: Client, offered: list[dict[str, Any]]) -> bool:
    return in_window(client) and all(option in PASSES for option in offered)


def passes_beforehand(client: Client) -> bool:
    """Whether a side has a standing pass for the window in which it is asked."""
    table = client.view["table"]
    return in_window(client) and table["window"]["id"] in table["own"].get("passing", {})


@contextlib.asynccontextmanager
async def at_table(server: Serving, **wish: Any) -> AsyncIterator[list[Client]]:
    """Two persons at a match that has begun."""
    created = await offer(server.url, "coral_sea", "campaign", **wish)
    nonces = server.settings.data / "nonces"
    async with contextlib.AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(
                Client(Place(server.url, UUID(created["match"]), token(created, "seat", seat)), nonces=nonces)
            )
            for seat in (0, 1)
        ]
        await asyncio.gather(*(client.sit("") for client in clients))
        yield clients


class Over(Exception):
    """The match has ended before what was looked for came."""


@contextlib.asynccontextmanager
async def table_where(
    server: Serving, play: Callable[[list[Client]], Awaitable[T]]
) -> AsyncIterator[tuple[list[Client], T]]:
    """Two persons at the first match in which what `play` looks for comes, and what it found."""
    while True:
        async with at_table(server) as clients:
            try:
                found = await play(clients)
            except Over:
                continue
            yield clients, found
            return


async def go(clients: list[Client], until: Asked, answer: dict[str, Any] = PASS) -> Client:
    """Play by chance, and give one answer in windows, until somebody is asked what is wanted; return him."""
    chance = Random(5)
    while True:
        for client in clients:
            if (offered := options(client)) and until(client, offered):
                return client
        if clients[0].over:
            raise Over
        client = next(client for client in clients if client.prompt)
        offered = options(client)
        busy = [o for o in offered if o["type"] not in {"end_operation", "draw_card", "play_card"}]
        ways = [{"type": "choose_mode", "mode": "map"}, answer]
        choice = next((way for way in ways if way in offered), None) or chance.choice(busy or offered)
        receipt = await client.decide(choice)
        await both_have(clients, receipt.seq)


async def both_have(clients: list[Client], seq: int) -> None:
    for client in clients:
        await client.wait(lambda c=client: c.upto >= seq)  # type: ignore[misc]


async def decided(server: Serving, match: UUID) -> list[Decided]:
    facts = [CORAL_SEA.fact(entry.body) for entry in await server.log.read_everything(match)]
    return [fact for fact in facts if isinstance(fact, Decided)]


async def test_c6_6_a_seat_that_can_only_pass_is_asked_and_nobody_answers_for_it(server: Serving) -> None:
    async with at_table(server) as clients:
        asked = await go(clients, can_only_pass)
        match = asked.place.match

        assert match not in server.clockwork._timers
        assert not server.clockwork._claims
        await asked.decide(PASS)

    assert {"chosen", "forced"} >= {fact.how for fact in await decided(server, match)}


async def test_c6_9_what_a_seat_has_ordered_is_carried_out_and_nothing_tells_that_it_was(
    server: Serving,
) -> None:
    async with table_where(server, partial(go_until_ordered, server)) as (clients, _):
        match = clients[0].place.match
        entries = await server.log.read_everything(match)
        made = await decided(server, match)
        ordered = [fact for fact in made if fact.how == "ordered"]
        assert [PASS_ON] == [json.decode(fact.decision) for fact in ordered[:1]]
        assert {4} == {entry.command.version for entry in entries if entry.seq > 1}
        own = sum(fact.how in {"chosen", "ordered"} for fact in made)
        async with asyncio.timeout(10), server.database.read.acquire() as conn:
            while (now := await standings(conn, [match])) == [] or now[0].facts < len(entries):
                await asyncio.sleep(0.01)
        assert own == now[0].decisions


async def go_until_passed_on(clients: list[Client]) -> Client:
    """Play until a side is asked where it has passed on; return its client."""
    return await go(clients, lambda client, _: passes_beforehand(client), PASS_ON)


async def go_until_ordered(server: Serving, clients: list[Client], beyond: int = 0) -> None:
    """Play on, leaving to the server what was ordered, until it has carried out more than so many orders."""
    match = clients[0].place.match
    while sum(fact.how == "ordered" for fact in await decided(server, match)) <= beyond:
        upto = clients[0].upto
        if any(passes_beforehand(client) for client in clients):
            await both_have(clients, upto + 1)
        else:
            await go(clients, lambda c, _, u=upto: c.upto > u, PASS_ON)  # type: ignore[misc]


async def test_c6_9_an_order_is_carried_out_after_a_restart(dsn: str, folder: Path) -> None:
    async with (
        running(dsn, folder, think=3600) as first,
        table_where(first, go_until_passed_on) as (_, asked),
    ):
        match = asked.place.match
        assert match in first.clockwork._timers
        before = await decided(first, match)
        assert "ordered" not in {fact.how for fact in before}

    async with running(dsn, folder) as second, asyncio.timeout(10):
        await second.matches.get(match)  # as whoever opens the match does
        while len(after := await decided(second, match)) == len(before):
            await asyncio.sleep(0.01)
        assert "ordered" == after[len(before)].how


async def test_c6_9_an_order_is_carried_out_by_any_node(dsn: str, folder: Path, redis_url: str) -> None:
    async with (
        running(dsn, folder, redis_url=redis_url, think=3600) as slow,
        running(dsn, folder, redis_url=redis_url) as quick,
        table_where(slow, go_until_passed_on) as (clients, asked),
    ):
        match = asked.place.match
        before = clients[0].upto
        async with Client(Place(quick.url, match)) as onlooker:  # so that the node folds the match
            await onlooker.wait(lambda: onlooker.upto > before)
            await both_have(clients, onlooker.upto)

            assert "ordered" in {fact.how for fact in await decided(slow, match)}
            assert (await slow.matches.latest(match)).hash == (await quick.matches.latest(match)).hash


async def test_c6_9_a_seat_that_takes_back_what_was_passed_for_it_decides_anew(server: Serving) -> None:
    async with table_where(server, partial(taken_back, server)) as (clients, seat):
        match = seat.place.match

        assert passes_beforehand(seat)
        assert match not in server.clockwork._timers
        assert not server.clockwork._claims
        receipt = await seat.decide(PASS)
        await both_have(clients, receipt.seq)
        assert not passes_beforehand(seat)
        assert "chosen" == [fact.how for fact in await decided(server, match) if fact.how != "forced"][-1]


async def taken_back(server: Serving, clients: list[Client]) -> Client:
    """Play until a seat could take back what was passed for it, and has done so; return it."""
    match, ordered = clients[0].place.match, 0
    while True:
        await go_until_ordered(server, clients, ordered)
        made = [fact for fact in await decided(server, match) if fact.how != "forced"]
        ordered, seat = sum(fact.how == "ordered" for fact in made), clients[made[-1].seat]
        if made[-1].how != "ordered":  # somebody has decided since
            continue
        try:
            receipt = await seat.send(wire.Undo(match, uuid4()))
        except RequestRefused:  # dice fell
            continue
        await both_have(clients, receipt.seq)
        return seat


# 2 Broadcast by frame: one public course, two hands, two ways to pass

MATCH = UUID("01890000-0000-7000-8000-000000000002")
START, SECOND = 1_750_000_000_000_000, 1_000_000
HEX = re.compile(rb"[0-9a-f]{64}")
ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[45][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")


class Course(Struct):
    """A match over a log in memory, always with the same key: what was decided, each audience's frames."""

    matches: Matches
    clockwork: Clockwork
    sent: list[list[bytes]]
    done: list[tuple[int, Decision]]

    async def live(self) -> Live:
        await self.matches.get(MATCH)
        return self.matches.memory.live[MATCH]

    async def note(self, facts: Callable[[Live], list[Any]]) -> None:
        await self.matches.command(MATCH, self.id(), lambda at: at.note(facts(at)), lambda *_: False)

    async def decide(self, seat: int, decision: Decision) -> None:
        answers = (await self.live()).seq
        act, same = acts.decide(seat, answers, [Raw(CORAL_SEA.encode(decision))])
        await self.matches.command(MATCH, self.id(), act, same)
        self.done.append((seat, decision))

    def id(self) -> UUID:
        return uuid5(MATCH, str(len(self.sent)))


@contextlib.contextmanager
def dealing(dealt: dict[int, tuple[str, str]], script: dict[int, str] | None) -> Iterator[None]:
    """Let every match have the same key, and let cards and chits be dealt as a script says."""
    with pytest.MonkeyPatch.context() as change:
        change.setattr(keys, "match_key", lambda: hashlib.sha256(b"windows").digest())
        change.setattr(live, "Table", partial(Dealing, hiding=HIDING, dealt=dealt, script=script))
        yield


async def begun(think: float = 0.0) -> Course:
    """Lay a match open, seat everybody, show all nonces."""
    ticks, sent = count(START, SECOND), list[list[bytes]]()

    def deliver(frames: list[Broadcast]) -> None:
        sent.append([frame.text for frame in frames])

    ring = KeyRing({"k1": hashlib.sha256(b"ring").digest()})
    all_matches = Matches(MemoryLog(lambda: 2 * START), ring, deliver, clock=lambda: next(ticks))
    course = Course(all_matches, Clockwork(all_matches, think), sent, [])
    given = CORAL_SEA.set_up("campaign", {})
    created = partial(Created, "coral_sea", "campaign", given, CORAL_SEA.revision)
    seats = CORAL_SEA.seats("campaign", given)
    await all_matches.create(MATCH, lambda promise: created(promise, seats, Clock(10**9, 5)))
    nonces = [bytes([seat]) * 16 for seat in (0, 1)]
    for seat, nonce in enumerate(nonces):
        promise = hashlib.sha256(nonce).hexdigest()
        await course.note(lambda at, s=seat, p=promise: notices.take_seat(at.state.match, s, "person", p))  # type: ignore[misc]
    for seat, nonce in enumerate(nonces):
        await course.note(lambda at, s=seat, n=nonce: notices.show_nonce(at.state.match, s, n.hex()))  # type: ignore[misc]
    return course


async def to_a_window(course: Course, seed: int) -> tuple[int, str, str]:
    """Play by chance until a side is asked that can only pass and that one card more would let answer.

    Returns the side, a card of its hand, and one of its deck that fits.
    """
    chance = Random(seed)
    while True:
        at = await course.live()
        assert at.table is not None
        seat, prompt = chance.choice(sorted(at.table.prompts.items()))
        if prompt.rule == WINDOW and at.state.open.windows[-1] != OP_END:
            window, hand = at.state.open.windows[-1], at.state.own[seat].hand
            fits = [c for c in pile(at.state, seat) if legal(at.state.open, seat, c, window)]
            if len(prompt.options) == len((Pass(), PassOn())) and fits and hand:
                return seat, hand[0], fits[0]
        here = [option for option in prompt.options if option != PassOn()]
        await course.decide(seat, chance.choice(here))


async def to_the_end(course: Course, side: int, answer: Decision, seed: int) -> set[str]:
    """Play on to the end of the operation, one side giving one answer in windows, or what it has ordered."""
    chance = Random(seed)
    while True:
        at = await course.live()
        assert at.table is not None
        if at.state.open.operation is None or at.state.match.over:
            return {fact.how for _, fact in at.facts if isinstance(fact, Decided)}
        before = len(course.sent)
        seat, prompt = min(at.table.prompts.items())
        if at.order(seat) is not None:
            while len(course.sent) == before:  # the clockwork's turn
                await asyncio.sleep(0)
        elif prompt.rule == WINDOW:
            await course.decide(seat, answer if seat == side else Pass())
        else:
            busy = [option for option in prompt.options if option != EndOperation()]
            await course.decide(seat, chance.choice(busy or prompt.options))


def masked(frames: list[bytes]) -> list[bytes]:
    """Frames without what is drawn or hashed: ids of commands, hashes and commitments, all of one length."""
    return [HEX.sub(b"#", ID.sub(b"@", frame)) for frame in frames]


@pytest.mark.parametrize("seed", [1, 4, 6, 8])
async def test_c6_6_c6_9_what_a_side_holds_and_how_it_passes_changes_no_byte_for_others(seed: int) -> None:
    dealt: dict[int, tuple[str, str]] = {}
    with dealing(dealt, None):
        first = await begun()
        side, one, other = await to_a_window(first, seed)
        before = list(first.done)
        await to_the_end(first, side, Pass(), seed)
    swap = {one: other, other: one}
    same = {index: card for index, (_, card) in dealt.items()}
    exchanged = {index: swap.get(card, card) for index, card in same.items()}
    others, hows = [audience for audience in (0, 1, 2) if audience != side], []
    for script in (same, exchanged):
        for answer in (Pass(), PassOn()):
            with dealing({}, script):
                course = await begun()
                for seat, decision in before:
                    await course.decide(seat, decision)
                assert (script is exchanged) == await can_answer(course, side)
                hows.append(await to_the_end(course, side, answer, seed))
            assert len(first.sent) == len(course.sent)
            for was, now in zip(first.sent, course.sent, strict=True):
                assert masked([was[other] for other in others]) == masked([now[other] for other in others])

    assert [False, True, False, True] == ["ordered" in how for how in hows]


async def can_answer(course: Course, side: int) -> bool:
    """Whether a side that is asked in a window holds a card that fits."""
    at = await course.live()
    assert at.table is not None
    return any(isinstance(option, PlayReaction) for option in at.table.prompts[side].options)


async def test_c6_9_an_order_waits_as_a_bot_does_and_by_nothing_that_its_seat_holds() -> None:
    dealt: dict[int, tuple[str, str]] = {}
    with dealing(dealt, None):
        course = await begun(think=1000.0)
        side, one, other = await to_a_window(course, 1)
        before = list(course.done)
    swap = {one: other, other: one}
    for deal in ({}, swap):
        script = {index: deal.get(card, card) for index, (_, card) in dealt.items()}
        with dealing({}, script):
            course = await begun(think=1000.0)
            for seat, decision in before:
                await course.decide(seat, decision)
            at, now = await course.live(), asyncio.get_running_loop().time
            StandingPasses(side, tuple(at.state.open.windows)).fold(at.state)
            assert PassOn() == at.order(side)
            ordered = replace(at.snapshot, ordered=frozenset({side}))
            start = now()
            course.clockwork.changed(ordered)
            end = now()
            since = at.asked_at[side]
            # The same for both hands: what is drawn follows from the key, the seat and the question.
            wait = beat(1000.0, share(hashlib.sha256(b"windows").digest(), side, since))
            assert start + wait <= course.clockwork._timers[MATCH].when() <= end + wait

            # A notice meanwhile does not begin the wait anew.
            when = course.clockwork._timers[MATCH].when()
            course.clockwork.changed(ordered)
            assert when == course.clockwork._timers[MATCH].when()
            await course.clockwork.stop()


def test_c6_9_waits_of_orders_are_spread_evenly_over_those_of_bots() -> None:
    key, many = hashlib.sha256(b"waits").digest(), 2000
    shares = sorted(share(key, seat, since) for seat in (0, 1) for since in range(many // 2))

    assert (0.5, 1.0, 1.5) == (beat(1.0, 0.0), beat(1.0, 0.5), beat(1.0, 1.0))
    # Kolmogorov and Smirnov: even numbers lie closer than this in 999 of 1000 samples.
    assert 1.95 / many**0.5 > max(abs(one - place / many) for place, one in enumerate(shares))
