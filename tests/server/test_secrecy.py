"""Secrecy over the wire: does anybody get to know what he may not?

1. Canaries. A real server plays random matches of the tiny title over sockets, through Postgres and Redis.
   Each audience comes through a proxy that notes every byte it is sent, answers over HTTP and the texts of
   refusals included; so does what the server logs, and what goes through Redis on each channel. The ids
   behind one side's screen are searched for in all that is meant for others, until the match ends.
2. Exchange. The same match is played again with one card of one side exchanged for one that nobody drew: what
   the others are sent must be the same bytes. It is the kernel's harness (`tests.kernel.secrecy`) on the
   frames that the server makes of it.

Deliberately absent: what follows from the kernel alone, which its own harness looks at for every title.
"""

import asyncio
import contextlib
import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid5

import pytest
import redis.asyncio
from msgspec import Raw, Struct

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.kernel.seats import Clock
from domain.match import notices, undoing
from domain.match.notices import Created
from domain.match.refusals import RequestError
from domain.titles import TITLES
from server.fanout.broadcasts import Broadcast
from server.fanout.channels import channel
from server.log.store import MemoryLog
from server.play import acts, live
from server.play.live import Live
from server.play.matches import Matches
from server.proof import keys
from server.proof.keys import KeyRing
from server.serving import Serving
from tests.conftest import running
from tests.kernel.secrecy import Dealing, Leak, parting
from tests.kernel.test_secrecy import HIDING
from tests.server.proxy import Proxy, proxied
from tests.server.reading import get
from tests.server.talk import Said, Talk, new_token, offer, talking
from tests.tiny import GAME
from tests.tiny.decisions import Pass, Sail
from tests.tiny.facts import Ordered, OrderSpent
from tests.tiny.orders import Orders
from tests.tiny.reactions import Reactions
from tests.tiny.table import Sight, Table

# 1 Canaries

MISCHIEF = 0.3
"""How often somebody tries what he may not before a decision."""


def facts_named(*kinds: str) -> tuple[bytes, ...]:
    """Return how facts of these kinds begin: as they are, and within a text, as bodies of facts are sent."""
    plain = [f'"type":"{kind}"'.encode() for kind in kinds]
    return (*plain, *(form.replace(b'"', b'\\"') for form in plain))


UMPIRES = facts_named("Drew", "RolledUnseen", "Decided", "Paused")
"""What nobody is sent before the end."""


class Ear(Struct):
    """Somebody at the match: a talk, the proxy it goes through, and what he read over HTTP."""

    name: str
    side: int | None
    seat: int | None
    token: str
    talk: Talk
    proxy: Proxy
    read: bytearray

    def heard(self) -> bytes:
        """Return every byte that he was sent."""
        return b"".join(link.answered for link in self.proxy.links) + self.read


class Listening:
    """All that leaves the server: by audience, by channel of Redis, by log."""

    def __init__(self, server: Serving, match: UUID, ears: list[Ear]) -> None:
        self.server, self.match, self.ears = server, match, ears
        self.channels: dict[str, bytearray] = {}
        self.latest: dict[str, bytes] = {}
        """The latest message on each channel."""
        self.logged = bytearray()
        self.searched = 0

    async def state(self) -> Any:
        """Return the state that the server has, screens and all."""
        return self.server.matches.memory.live[self.match].state

    async def search(self) -> None:
        """Search for what lies behind each side's screen now; raises Leak."""
        state = await self.state()
        for side in (0, 1):
            hidden = [card.encode() for card in HIDING.canaries(state, side)]
            hidden.append(f"[side:{side}] is ordered to".encode())
            self.searched += len(hidden)
            for ear in self.ears:
                if ear.side != side:
                    look_for((*hidden, *UMPIRES), ear.heard(), ear.name)
            for name, said in self.channels.items():
                look_for((*hidden, *UMPIRES), said, f"channel {name}")
            look_for(hidden, self.logged, "the log lines")


def look_for(canaries: Iterable[bytes], said: bytes | bytearray, who: str) -> None:
    """Raise Leak where a canary is found."""
    for canary in canaries:
        where = said.find(canary)
        if where >= 0:
            raise Leak(f"{who}: {canary.decode()} in {bytes(said[max(0, where - 100) : where + 100])!r}")


@asynccontextmanager
async def listening(server: Serving, created: Said) -> AsyncIterator[Listening]:
    """Come in as every seat and as two onlookers, one with the link and one without."""
    async with AsyncExitStack() as stack:
        port = int(server.url.rpartition(":")[2])
        links = [link for link in created["links"] if link["role"] != "creator"]
        ears = []
        for link in [*links, {"role": "stranger", "token": ""}]:
            proxy = await stack.enter_async_context(proxied(port))
            talk = await stack.enter_async_context(talking(f"http://127.0.0.1:{proxy.port}"))
            seat = link.get("seat")
            side = None if seat is None else seat % 2
            name = f"{link['role']} {'' if seat is None else seat}"
            ears.append(Ear(name, side, seat, link["token"], talk, proxy, bytearray()))
            await talk.say("hello", version=1, match=created["match"], token=link["token"])
            await talk.hear("view")
        yield Listening(server, UUID(created["match"]), ears)


async def sit_down(here: Listening) -> None:
    """Take all seats and show all nonces."""
    nonces = [(ear, secrets.token_bytes(16)) for ear in here.ears if ear.seat is not None]
    for ear, nonce in nonces:
        promise, ear.token = hashlib.sha256(nonce).hexdigest(), new_token()
        await ear.talk.ask("sit", match=here.match, promise=promise, token=ear.token)
    for ear, nonce in nonces:
        receipt = await ear.talk.ask("show", match=here.match, nonce=nonce.hex())
    await all_hear(here, receipt["seq"])


async def all_hear(here: Listening, seq: int) -> None:
    """Wait until everybody has been sent all up to a fact."""
    for ear in here.ears:
        if max(m.get("upto", 0) for m in ear.talk.heard) < seq:
            await ear.talk.hear("frame", upto=seq)


def asked(here: Listening) -> dict[int, tuple[Ear, int, list[Said]]]:
    """Return who is asked: seat to its ear, the seq it answers, its options. Check whose prompts they are."""
    found: dict[int, tuple[Ear, int, list[Said]]] = {}
    for ear in here.ears:
        last = next(m for m in reversed(ear.talk.heard) if m["t"] in {"view", "frame"})
        seats = [prompt["seat"] for prompt in last["prompts"]]
        assert all(ear.side is not None and seat % 2 == ear.side for seat in seats), (ear.name, seats)
        for prompt in last["prompts"]:
            if ear.seat is not None and prompt["seat"] == ear.seat:
                found[ear.seat] = (ear, last["upto"], prompt["options"])
    return found


async def play_on(here: Listening, chance: Random) -> bool:
    """Let a seat that is asked decide by chance; False when the match is over by that."""
    ear, upto, options = chance.choice(list(asked(here).values()))
    receipt = await ear.talk.ask("decide", match=here.match, answers=upto, decision=chance.choice(options))
    assert "receipt" == receipt["t"], receipt
    await all_hear(here, receipt["seq"])
    return not (await here.state()).match.over


async def mischief(here: Listening, chance: Random) -> None:
    """Try something that is not allowed; it must be refused."""
    waiting = asked(here)
    seat, (_, upto, options) = chance.choice(list(waiting.items()))
    ear = chance.choice([ear for ear in here.ears if ear.seat != seat])
    sent: Said = {"match": here.match, "answers": upto, "decision": chance.choice(options)}
    if ear.seat in waiting:
        state = await here.state()
        assert ear.side is not None
        foreign = [*state.own[1 - ear.side].hand, *HIDING.pile(state, "")]
        sent["decision"] = {"type": "Play", "card": chance.choice(foreign)}
    answer = await ear.talk.ask("decide", **sent)
    assert answer["code"] in {"illegal", "not_asked", "not_seated", "stale"}, answer


async def read_pages(here: Listening) -> None:
    """Read all pages about the match, with everybody's eyes."""
    match = f"/api/matches/{here.match}"
    head = (await get(here.server.url, match)).json["facts"]
    for ear in here.ears:
        for path in (
            "/api/matches",
            match,
            f"{match}/steps?all=1",
            f"{match}/steps?side=0",
            f"{match}/steps?from=9&upto={head}&side=1&all=1",
            f"{match}/record",
            f"{match}/dispute/{head}",
        ):
            page = await get(here.server.url, path, ear.token)
            assert page.status in {200, 403}, (path, ear.name, page.status)
            ear.read += page.raw
        ear.read += (await get(here.server.url, "/metrics")).raw


@asynccontextmanager
async def tapped(url: str, into: Listening) -> AsyncIterator[redis.asyncio.Redis]:
    """Listen to every channel of a Redis."""
    async with redis.asyncio.Redis.from_url(url) as client, client.pubsub() as pubsub:
        await pubsub.psubscribe("*")

        async def listen() -> None:
            async for message in pubsub.listen():
                if message["type"] == "pmessage":
                    name = message["channel"].decode()
                    into.channels.setdefault(name, bytearray()).extend(message["data"])
                    into.latest[name] = message["data"]

        task = asyncio.create_task(listen())
        yield client
        task.cancel()
        await asyncio.wait([task])


async def kept(client: redis.asyncio.Redis) -> bytes:
    """Return all that a Redis keeps."""
    dumped = [key + await client.dump(key) async for key in client.scan_iter()]
    return b"".join(dumped)


@pytest.mark.parametrize(
    ("scenario", "options", "seed"),
    [("skirmish", {}, 1), ("campaign", {"turns": 5}, 2), ("campaign", {"pairs": True, "night": True}, 3)],
)
async def test_nobody_is_sent_a_byte_of_another_s_secrets(
    dsn: str,
    folder: Path,
    redis_url: str,
    scenario: str,
    options: dict[str, Any],
    seed: int,
    capfd: pytest.CaptureFixture[str],
) -> None:
    chance = Random(seed)
    async with running(dsn, folder, redis_url=redis_url) as server:
        titles = (await get(server.url, "/api/titles")).body
        created = await offer(server.url, scenario=scenario, options=options)
        async with listening(server, created) as here, tapped(redis_url, here) as client:
            await sit_down(here)
            decisions, going = 0, True
            while going:
                if chance.random() < MISCHIEF and decisions < 50:
                    await mischief(here, chance)
                if decisions % 8 == 0:
                    await read_pages(here)
                here.logged += "".join(capfd.readouterr()).encode()
                await here.search()
                going = await play_on(here, chance)
                decisions += 1
            everything = await kept(client)
            state = await here.state()
            look_for([card.encode() for side in (0, 1) for card in state.own[side].hand], everything, "Redis")

        assert decisions > 8
        assert here.searched > 60
        assert len(here.channels[channel(here.match)]) > 10_000
        assert b"refused" in here.logged
        assert titles == (await get(server.url, "/api/titles")).body


async def test_the_search_finds_a_secret_where_there_is_one(server: Serving) -> None:
    created = await offer(server.url)
    async with listening(server, created) as here:
        await sit_down(here)
        await here.search()
        north = next(ear for ear in here.ears if ear.seat == 0)
        held = (await here.state()).own[0].hand

        assert held
        assert [] == [card for card in held if card.encode() not in north.heard()]
        north.side = 1
        with pytest.raises(Leak, match="seat 0: card:"):
            await here.search()


async def test_a_guess_at_another_s_card_is_answered_alike_right_or_wrong(server: Serving) -> None:
    created = await offer(server.url)
    async with listening(server, created) as here:
        await sit_down(here)
        while not any(
            option["type"] == "Pass" for _, _, options in asked(here).values() for option in options
        ):
            await play_on(here, Random(4))
        (ear, upto, _), *_ = asked(here).values()
        state = await here.state()
        assert ear.side is not None
        guesses = [state.own[1 - ear.side].hand[0], HIDING.pile(state, "")[0], "card:99"]
        answers = [
            await ear.talk.ask(
                "decide", match=here.match, answers=upto, decision={"type": "Play", "card": guess}
            )
            for guess in guesses
        ]

        alike = [{key: value for key, value in answer.items() if key != "command"} for answer in answers]
        assert "illegal" == alike[0]["code"]
        assert [alike[0]] * 3 == alike


# 2 Exchange

MATCH = UUID("01890000-0000-7000-8000-000000000001")
START = 1_750_000_000_000_000
SECOND = 1_000_000


class Course(Struct):
    """What was done in a match, what was drawn, and what each audience was sent for each command."""

    done: list[tuple[int, bytes]]
    """Seat and decision; an empty decision is a slip taken back."""
    dealt: dict[int, tuple[str, str]]
    sent: list[list[bytes]]
    """For each command the message to side 0, to side 1 and to the onlookers."""
    matches: Matches
    live: Live


@contextlib.contextmanager
def one_key(dealt: dict[int, tuple[str, str]], script: dict[int, str] | None) -> Iterator[None]:
    """Let every match have the same key, and let the cards be dealt as a script says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(TITLES, GAME.name, GAME)
        patch.setattr(keys, "match_key", lambda: hashlib.sha256(b"one key").digest())
        patch.setattr(live, "Table", partial(Dealing, hiding=HIDING, dealt=dealt, script=script))
        yield


async def begun(options: dict[str, Any], course: Course) -> None:
    """Lay a match open, seat everybody, show all nonces; always the same bytes."""
    given = GAME.set_up("campaign", options)
    seats = GAME.seats("campaign", given)
    clock = Clock(600, 5)
    await course.matches.create(
        MATCH, lambda promise: Created("tiny", "campaign", given, GAME.revision, promise, seats, clock)
    )
    for seat in range(len(seats)):
        promise = hashlib.sha256(bytes([seat]) * 16).hexdigest()
        await ordered(
            course,
            lambda at, s=seat, p=promise: notices.take_seat(at.state.match, s, "person", p),  # type: ignore[misc]
        )
    for seat in range(len(seats)):
        await ordered(
            course,
            lambda at, s=seat: notices.show_nonce(at.state.match, s, (bytes([s]) * 16).hex()),  # type: ignore[misc]
        )


async def ordered(course: Course, facts: Callable[[Live], Sequence[Fact]]) -> None:
    """Put notices on the log."""
    await course.matches.command(MATCH, command(course), lambda at: at.note(facts(at)), lambda *_: False)
    course.live = course.matches.memory.live[MATCH]


def command(course: Course) -> UUID:
    """Return the id of the next command: always the same."""
    return uuid5(MATCH, str(len(course.sent)))


def new_course(dealt: dict[int, tuple[str, str]]) -> Course:
    """Return a course of no commands, over a log in memory; its clock ticks once a command."""
    ticks = count(START, SECOND)
    sent: list[list[bytes]] = []
    ring = KeyRing({"k1": hashlib.sha256(b"ring").digest()})

    def deliver(frames: list[Broadcast]) -> None:
        assert [*VIEWERS] == [frame.audience for frame in frames]
        sent.append([frame.text for frame in frames])

    made = Matches(MemoryLog(lambda: 2 * START), ring, deliver, clock=lambda: next(ticks))
    return Course([], dealt, sent, made, Live(MATCH, GAME, bytes(32)))


async def do(course: Course, seat: int, sent: bytes) -> None:
    """Let a seat decide, or with nothing take its slip back."""
    if sent:
        act, same = acts.decide(seat, course.live.seq, [Raw(sent)])
        await course.matches.command(MATCH, command(course), act, same)
    else:
        await ordered(course, lambda at: undoing.undo_slip(at.state.match, seat, at.facts))
    course.live = course.matches.memory.live[MATCH]
    course.done.append((seat, sent))


async def played(options: dict[str, Any], seed: int) -> Course:
    """Play a match by chance to its end, with some slips."""
    chance, course = Random(seed), new_course({})
    with one_key(course.dealt, None):
        await begun(options, course)
        while not course.live.state.match.over:
            slip = (
                course.done[-1][0] if course.done and course.done[-1][1] and chance.random() < 0.1 else None
            )
            if slip is not None and may_undo(course.live, slip):
                await do(course, slip, b"")
                continue
            assert course.live.table is not None
            prompts = course.live.table.prompts
            seat = chance.choice(sorted(prompts))
            await do(course, seat, GAME.encode(chance.choice(prompts[seat].options)))
    return course


def may_undo(at: Live, seat: int) -> bool:
    """Whether a seat may take back its last decision."""
    try:
        return bool(undoing.undo_slip(at.state.match, seat, at.facts))
    except RequestError:
        return False


async def exchanged(first: Course, options: dict[str, Any], side: int, seed: int) -> int:
    """Play a match again with a card of `side` exchanged; return how many messages were compared.

    The course ends early where the side itself may no longer decide as it did. Raises Leak.
    """
    held = set(HIDING.canaries(first.live.state, side))
    drawn = {card for _, card in first.dealt.values()}
    undrawn = [card for card in HIDING.pile(first.live.state, "") if card not in drawn]
    if not held or not undrawn:
        return 0
    chance = Random(seed)
    one, other = chance.choice(sorted(held)), chance.choice(undrawn)
    script = {index: other if card == one else card for index, (_, card) in first.dealt.items()}
    course = new_course({})
    with one_key(course.dealt, script):
        await begun(options, course)
        for seat, before in first.done:
            sent = before.replace(one.encode(), other.encode())
            table = course.live.table
            assert table is not None
            if sent and (
                seat not in table.prompts or GAME.decision(Raw(sent)) not in table.prompts[seat].options
            ):
                break
            await do(course, seat, sent)
            same_to_others(first, course, side)
        await same_from_the_log(first, course, side)
    return len(course.sent)


def same_to_others(first: Course, course: Course, side: int) -> None:
    """Compare the latest messages to all but one side; raises Leak."""
    latest = len(course.sent) - 1
    for place, audience in enumerate(VIEWERS):
        was, now = blinded(first.sent[latest][place]), blinded(course.sent[latest][place])
        if audience.side != side and was != now:
            raise Leak(f"{audience.name} can tell what side {side} holds: {parting(was, now)}")


async def same_from_the_log(first: Course, course: Course, side: int) -> None:
    """Compare what somebody is sent who comes in late, if both courses came to the same end."""
    if len(first.sent) != len(course.sent):
        return
    for audience in {*VIEWERS} - {Audience.of(side)}:
        half = sorted(first.live.snapshot.ends)[len(first.live.snapshot.ends) // 2]
        was, now = [blinded((await one.matches.since(MATCH, audience, half)).text) for one in (first, course)]
        if was != now:
            raise Leak(f"{audience.name}, coming in late, can tell: {parting(was, now)}")


def blinded(text: bytes) -> bytes:
    """Return a message without what must differ: hashes.

    The commitment to a hidden fact commits to its body, and the match's key is the same here, its salt with
    it; so another body has another commitment, and every hash from there on is another. In play the salt is
    what nobody else knows, so that no commitment can be opened by guessing. How many there are must be the
    same, and where they stand.
    """
    message = json.loads(text)
    message["h"] = ""
    message["sealed"] = [seq for seq, _ in message.get("sealed", ())]
    return json.dumps(message).encode()


@pytest.mark.parametrize("options", [{}, {"pairs": True}, {"night": True, "turns": 3}])
async def test_what_the_others_are_sent_does_not_depend_on_what_a_side_holds(options: dict[str, Any]) -> None:
    """Neither facts nor their number, nor who is asked and when, nor anybody's clock."""
    compared = 0
    for seed in range(6):
        first = await played(options, seed)
        compared += sum([await exchanged(first, options, side, seed) for side in (0, 1)])

    assert compared > 150


async def test_the_exchange_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The side itself is sent something else: else nothing would be proved by the others' not being."""
    first = await played({}, 1)
    monkeypatch.setattr(f"{__name__}.same_to_others", lambda *_: None)
    course: list[Course] = []
    monkeypatch.setattr(f"{__name__}.same_from_the_log", remember(course))

    await exchanged(first, {}, 0, 1)

    assert first.sent[3][0] != course[0].sent[3][0]
    assert blinded(first.sent[3][1]) == blinded(course[0].sent[3][1])
    assert first.sent[3][1] != course[0].sent[3][1]


def remember(into: list[Course]) -> Callable[..., Any]:
    """Return what keeps the second course of an exchange."""

    async def keep(_: Course, course: Course, __: int) -> None:
        into.append(course)

    return keep


async def hunt() -> None:
    for seed in range(12):
        first = await played({}, seed)
        for side in (0, 1):
            await exchanged(first, {}, side, seed)


async def test_asking_only_the_seat_that_holds_the_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows by the number of facts and by who is asked."""
    asks = Reactions.steps["react"][0]
    kind_hearted = asks.run

    def shy(self: Reactions, sight: Sight) -> list[Decision]:
        options: list[Decision] = kind_hearted(self, sight)
        return [] if options == [Pass()] else options

    monkeypatch.setattr(asks, "run", shy)

    with pytest.raises(Leak, match="can tell what side"):
        await hunt()


async def sealed_choice(which: int) -> list[bytes]:
    """Begin a match, let seat 0 give the order of that number, and return what the others are sent."""
    course = new_course({})
    with one_key(course.dealt, None):
        await begun({}, course)
        assert course.live.table is not None
        prompt = course.live.table.prompts[0]
        assert "4.1" == prompt.rule
        await do(course, 0, GAME.encode(prompt.options[which]))
    return [blinded(text) for text in course.sent[-1][1:]]


async def test_a_secret_choice_sends_the_others_the_same_whatever_it_is() -> None:
    sent = [await sealed_choice(which) for which in range(3)]

    assert [sent[0]] * 3 == sent


async def test_a_secret_choice_that_shows_by_the_number_of_facts_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def chosen(self: Orders, table: Table, decision: Sail) -> None:  # noqa: ARG001 the kernel's shape
        if decision.islet == "islet:3":
            table.record(OrderSpent(0))
        table.record(Ordered(0, decision.islet))

    monkeypatch.setattr(Orders.steps["choose"][0], "then", chosen)

    sent = [await sealed_choice(which) for which in range(3)]

    assert sent[0] == sent[1] != sent[2]
