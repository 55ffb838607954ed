"""Secrecy of Pacific War over the wire (P0.2.2, P0.3.2, P0.4, P41.14): frames, refusals, pages, channels.

A real server plays matches that seek battle over sockets, through Postgres and Redis, with both players, an
onlooker and a stranger at it. Each comes through a proxy that notes every byte he is sent.

1. Names. The set-up is public text, so a unit's name alone betrays nothing: what counts is that a unit that
   was hidden before a command and is hidden after it is not named in what the command sends the others, and
   in no channel of Redis.
2. Pages. What is read over HTTP during the match is what the reader's socket was sent, and no fact more.
3. Counts. What a player does in a sealed window sends the others a frame of as many facts as anything else
   that he could have done (P0.3.2).
4. Guesses. An order to a hidden unit of the enemy is refused in the words in which one to nobody is.
5. Frames. Each is what the domain tells its audience of the command, and nothing besides: the facts that it
   may see, places for the others, the change of its view, prompts of its own seats. What is behind a screen
   in a campaign are numbers, which no search would find: levels, bids before they open, allocation, patrols,
   submarine duty, links. `tests/pacific_war/test_00_twins.py` shows that the domain tells nothing of these.
   A fact of one side is searched for in all that others are sent.

Deliberately absent: what follows from the domain alone, see `tests/pacific_war/test_00_secrecy.py`.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import Struct
from msgspec.json import encode

from clients.bots import strengths
from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import OWN_CHOICE, Decided, Secret, State
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.claims import is_early
from domain.match.views import Views, patch
from domain.pacific_war import FACTS, PACIFIC_WAR
from domain.pacific_war.decisions.cycle import Deactivate, DeactivateTF, Disembark, Fire
from server.bench.compare import command_of
from server.fanout.channels import channel
from server.fanout.redis_bus import RedisBus
from server.serving import Serving
from tests.conftest import running
from tests.kernel.playing import Log, copy_of, finished
from tests.kernel.secrecy import Leak, parting
from tests.pacific_war.lively import lively
from tests.pacific_war.test_00_secrecy import SCENARIOS, hidden, sealed, told
from tests.server.reading import get
from tests.server.talk import Said, offer
from tests.server.test_secrecy import (
    UMPIRES,
    Ear,
    Listening,
    all_hear,
    facts_named,
    listening,
    look_for,
    sit_down,
    tapped,
)

SECRETS = [
    tuple(
        form + (b',\\"side\\":%d' if b"\\" in form else b',"side":%d') % side
        for form in facts_named(*(kind.__name__ for kind in FACTS if issubclass(kind, Secret)))
    )
    for side in (0, 1)
]
"""How a fact begins that is for one side alone."""
READS = 40
"""Commands after which everybody reads all pages again."""
GUESSES = (5, 30, 60, 90)
"""Commands before which both give orders to what they cannot see; a connection may be refused 30 times."""


PASSAGE = 4_000
"""Facts that are read from within a match; a reader gets no more than 5,000 at once."""
PARTS = ("facts", "sealed", "patch")
"""Of a frame, what a page of it has in common with what a socket was sent."""


class Heard(Struct):
    """What came of a match: the names searched for, facts read, guesses made, and windows compared."""

    searched: int = 0
    read: int = 0
    guessed: int = 0
    windows: int = 0
    phases: set[str] = set()


class Way(Struct, frozen=True):
    """How a match is played: by whom, how far, and after how many commands all pages are read."""

    choose: Callable[[Table, Random], tuple[int, list[Decision]]] = lively
    operations: int = 0
    """Operations of a campaign that are enough, of the last the activation; 0 for the whole match."""
    reads: int = READS

    def over(self, state: State[Any, Any]) -> bool:
        """Return whether it is played to where it was to be."""
        if not self.operations or state.open.phase != "5.1.R":
            return state.match.over
        begun: int = state.open.war.operations
        return state.match.over or begun >= self.operations


class Marks:
    """The log, and how far each ear and each channel have been searched."""

    def __init__(self, here: Listening) -> None:
        self.here, self.log = here, dict(since(here, 0))
        self.ends = {name: len(said) for name, _, said in self._all()}

    def _all(self) -> list[tuple[str, int | None, bytes | bytearray]]:
        ears = [(ear.name, ear.side, ear.proxy.links[0].answered) for ear in self.here.ears]
        channels = [(f"channel {name}", None, said) for name, said in self.here.channels.items()]
        return [*ears, *channels]

    def new(self) -> list[tuple[str, int | None, bytes]]:
        """Return what each was sent since the last time, with the side that may know it."""
        found = []
        for name, side, said in self._all():
            found.append((name, side, bytes(said[self.ends.get(name, 0) :])))
            self.ends[name] = len(said)
        return found


def table_of(here: Listening) -> Table:
    """Return the table that the server plays on."""
    table = here.server.matches.memory.live[here.match].table
    assert table is not None
    return table


def since(here: Listening, seq: int) -> list[tuple[int, Any]]:
    """Return the facts after `seq` as the server has them; of a long match it holds the latest alone."""
    return [one for one in here.server.matches.memory.live[here.match].facts if one[0] > seq]


def plain(decision: Decision) -> Said:
    """Return a decision as it is sent."""
    said: Said = json.loads(PACIFIC_WAR.encode(decision))
    return said


def last(ear: Ear) -> Said:
    """Return the latest frame or view that somebody was sent."""
    return next(one for one in reversed(ear.talk.heard) if one["t"] in {"view", "frame"})


def by_bot(table: Table, chance: Random) -> tuple[int, list[Decision]]:
    """Return a seat that is asked and what the house's bot decides there."""
    seat = chance.choice(sorted(table.prompts))
    return seat, command_of(PACIFIC_WAR, table, seat, strengths("pacific_war")["steady"], chance)[1]


def hasty(table: Table, chance: Random) -> tuple[int, list[Decision]]:
    """Return the same, but in 5.2.M units stand down as they can, so that an Operation is soon over."""
    for seat, prompt in table.prompts.items():
        for option in prompt.options:
            if isinstance(option, Deactivate | DeactivateTF):
                return seat, [option]
    return by_bot(table, chance)


async def play(here: Listening, seed: int, way: Way) -> Heard:
    """Play a match to its end, or to an Operation, and look at all that is sent; raises Leak."""
    chance, heard, marks, commands = Random(seed), Heard(), Marks(here), 0
    views, decided = Views(PACIFIC_WAR), set[int]()
    was = views.of(table_of(here).state, early=True)
    while not way.over(await here.state()):
        table = table_of(here)
        if commands in GUESSES:
            heard.guessed += await guess(here, table)
        if commands % way.reads == 0:
            heard.read += await read_pages(here, marks.log)
        before = [hidden(table.state, side) for side in (0, 1)]
        seat, decisions = way.choose(table, chance)
        heard.phases.add(table.state.open.phase)
        others = another(table, seat, chance) if sealed(table, seat) else []
        ear = next(one for one in here.ears if one.seat == seat)
        answer = await ear.talk.ask(
            "decide",
            match=here.match,
            answers=last(ear)["upto"],
            decisions=[plain(one) for one in decisions],
        )
        assert "receipt" == answer["t"], answer
        await all_hear(here, answer["seq"])
        await tapped_all(here, answer["seq"])
        commands += 1
        state, facts = await here.state(), since(here, max(marks.log))
        marks.log |= dict(facts)
        named = {unit for _, fact in facts for unit in told(fact)}
        heard.searched += search(marks, [before[side] & hidden(state, side) - named for side in (0, 1)])
        # Whoever was asked and has answered: all see that he was.
        decided |= {fact.seat for _, fact in facts if isinstance(fact, Decided) and fact.how in OWN_CHOICE}
        told_alone(here, facts, was, now := views.of(state, early=is_early(state.match, decided)))
        was = now
        for one in here.ears:
            if others and one.side != seat:
                same(shape(others, one.side), heard_shape(last(one)), f"{one.name} in a sealed window")
                heard.windows += 1
    return heard


async def tapped_all(here: Listening, seq: int) -> None:
    """Wait until the message of a command has come through Redis."""
    bus, name = here.server.bus, channel(here.match)
    assert isinstance(bus, RedisBus)
    async with asyncio.timeout(10):
        while name not in here.latest or upto(bus, name, here) < seq:
            await asyncio.sleep(0.001)


def upto(bus: RedisBus, name: str, here: Listening) -> int:
    """Return how far the latest message reaches, opened as another node would."""
    return bus._seals.open(name.encode(), here.match, here.latest[name])[0].upto


def told_alone(here: Listening, facts: Log, was: Any, now: Any) -> None:
    """Compare the latest frame of everybody with what the domain tells his audience; raises Leak."""
    for ear in here.ears:
        audience, frame = Audience.of(ear.side), last(ear)
        same(shape([fact for _, fact in facts], ear.side), heard_shape(frame), f"facts of {ear.name}")
        expected = json.loads(encode(patch(was[audience], now[audience])))
        # When the command was stored is known to whoever has the frame.
        told = {name: part for name, part in frame["patch"].items() if name != "waited_since"}
        due, sent = (json.dumps(one, sort_keys=True) for one in (expected, told))
        same(due, sent, f"view of {ear.name}")
        assert {prompt["seat"] for prompt in frame["prompts"]} <= {ear.seat}


def search(marks: Marks, hidden: list[set[str]]) -> int:
    """Search what a command sent for hidden units of the other side, and unseen dice; raises Leak."""
    searched = 0
    for name, side, said in marks.new():
        if b'"over":true' in said:
            continue  # the match has ended, and everything is laid open
        look_for(UMPIRES, said, name)
        for foe in (0, 1):
            if foe != side:
                look_for(SECRETS[foe], said, name)
                names = [form.encode() for unit in hidden[foe] for form in (f'"{unit}"', f"[{unit}]")]
                names += [form.replace(b'"', b'\\"') for form in names if form.startswith(b'"')]
                look_for(names, said, name)
                searched += len(hidden[foe])
    return searched


def another(table: Table, seat: int, chance: Random) -> list[Any]:
    """Return the facts of another whole command with which a seat could answer a sealed window."""
    copy = Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, table.state), seeded(1))
    first = chance.choice(copy.prompts[seat].options)
    return copy.decide_all(seat, finished(copy, seat, first, chance.choice))


def shape(facts: list[Any], side: int | None) -> str:
    """Return what a side is sent of facts: their bodies, and a place for each that it may not see."""
    audience = Audience.of(side)
    return "".join(
        PACIFIC_WAR.encode(fact).decode() if audience.sees(fact.audience()) else "." for fact in facts
    )


def heard_shape(frame: Said) -> str:
    """Return the same of a frame that was sent."""
    places = {one["seq"]: one["body"] for one in frame["facts"]} | {seq: "." for seq, _ in frame["sealed"]}
    return "".join(places[seq] for seq in sorted(places))


async def read_pages(here: Listening, log: dict[int, Any]) -> int:
    """Read all pages of the match with everybody's eyes, and compare; return how many facts were read."""
    match = f"/api/matches/{here.match}"
    head, read = max(log), 0
    own = await here.state()
    for ear in here.ears:
        audience = Audience.of(ear.side)
        frames = {one["upto"]: one for one in ear.talk.heard if one["t"] == "frame"}
        for path in ("/api/matches", match, f"{match}/dispute/{head}"):
            page = await get(here.server.url, path, ear.token)
            assert page.status in {200, 403}
            names = [f'"{unit}"'.encode() for foe in (0, 1) if foe != ear.side for unit in hidden(own, foe)]
            look_for([*names, *UMPIRES], page.raw, f"{ear.name} at {path}")
        for path in (
            f"{match}/steps?all=1",
            f"{match}/steps?side=0",
            f"{match}/steps?from={max(9, head - PASSAGE)}&upto={head}&side=1&all=1",
            f"{match}/steps?side=1",
            f"{match}/record",
        ):
            page = await get(here.server.url, path, ear.token)
            assert 200 == page.status
            for line in page.lines:
                for fact in line.get("facts", [line] if "body" in line else []):
                    assert audience.sees(log[fact["seq"]].audience()), (ear.name, path, fact)
                    assert PACIFIC_WAR.encode(log[fact["seq"]]) == fact["body"].encode()
                    read += 1
                if line.get("t") == "frame" and (sent := frames.get(line["upto"])):
                    was, now = (json.dumps([one[key] for key in PARTS]) for one in (sent, line))
                    same(was, now, f"{ear.name} at {path}")
    return read


def same(was: str, now: str, who: str) -> None:
    """Raise Leak where two messages differ."""
    if was != now:
        raise Leak(f"{who}: {parting(was.encode(), now.encode())}")


async def guess(here: Listening, table: Table) -> int:
    """Order hidden units of the enemy and nobody about: the answers must be alike."""
    guessed = 0
    for ear in here.ears:
        if ear.seat in table.prompts and ear.side is not None:
            unknown = sorted(hidden(table.state, 1 - ear.side))[:2]
            answers = [
                await ear.talk.ask(
                    "decide", match=here.match, answers=last(ear)["upto"], decision=plain(decision)
                )
                for unit in [*unknown, "nobody"]
                for decision in (Fire(unit), Disembark(unit))
            ]
            alike = [{key: value for key, value in one.items() if key != "command"} for one in answers]
            assert "illegal" == alike[0]["code"], alike[0]
            assert alike == [alike[0], alike[1]] * (len(alike) // 2)
            guessed += len(unknown)
    return guessed


async def whole(server: Serving, url: str, scenario: str, seed: int, way: Way = Way()) -> Heard:  # noqa: B008 frozen
    """Offer, begin and play a match."""
    created = await offer(server.url, title="pacific_war", scenario=scenario)
    async with listening(server, created) as here, tapped(url, here):
        await sit_down(here)
        await tapped_all(here, since(here, 0)[-1][0])
        return await play(here, seed, way)


MATCHES = [
    # Of 300 matches a sample is played by every test run: the shorter ones, and a large battle.
    pytest.param(
        scenario, seed, marks=() if seed == 1 and scenario in {"E3", "E4", "B1"} else pytest.mark.soak
    )
    for scenario in SCENARIOS
    for seed in range(1, 61)
]


@pytest.mark.parametrize(("scenario", "seed"), MATCHES)
async def test_p0_4_p41_14_nobody_is_sent_what_only_the_other_may_know(
    dsn: str, folder: Path, redis_url: str, scenario: str, seed: int
) -> None:
    """Given a match over a real server, when it is played, nothing hidden is in what anybody else is sent."""
    async with running(dsn, folder, redis_url=redis_url) as server:
        heard = await whole(server, redis_url, scenario, seed)
        at_night = "E3" == scenario  # without aircraft, where it may come to no battle
        if not heard.windows and not at_night:  # by the dice of one match in hundreds: another must have some
            heard = await whole(server, redis_url, scenario, seed)

    assert heard.searched > 20
    assert heard.read > 20
    assert heard.windows or at_night


PHASES_OF_SECRETS = {"5.1.G", "5.1.I", "5.1.N", "5.1.O", "5.1.P", "5.1.R", "5.1.S", "5.2.D", "5.2.M"}
"""Allocation, duty and transport, patrols, bids, activation, contact, reaction, and the cycle."""


@pytest.mark.parametrize(
    ("scenario", "seed", "way"),
    [
        ("C1", 1, Way(hasty, 2, 120)),
        *(pytest.param("C1", n, Way(by_bot, 4, 400), marks=pytest.mark.soak) for n in range(2, 6)),
        *(pytest.param("S2", n, Way(by_bot, 3, 150), marks=pytest.mark.soak) for n in range(1, 4)),
    ],
)
async def test_p0_4_2_p41_14_nobody_is_sent_what_a_side_has_behind_its_screen_in_a_campaign(
    dsn: str, folder: Path, redis_url: str, scenario: str, seed: int, way: Way
) -> None:
    """Given Operations between bots over a real server, all that anybody is sent is looked at."""
    heard, phases = Heard(), set[str]()
    async with running(dsn, folder, redis_url=redis_url) as server:
        for _ in range(4):  # by the dice of one campaign in ten no cycle begins: the next must have one
            heard = await whole(server, redis_url, scenario, seed, way)
            phases |= heard.phases
            if phases >= PHASES_OF_SECRETS:
                break

    assert heard.searched > 1_000
    assert heard.read > 1_000
    assert heard.windows > 4
    assert phases >= PHASES_OF_SECRETS
