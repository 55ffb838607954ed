"""Matches opened from positions: the same match as one folded from its start, and never another."""

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec import structs

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.seats import Clock
from domain.match import fold, position
from domain.match.fold import Fold, Forgotten
from domain.match.notices import Created
from domain.titles import TITLES
from projections import positions
from projections.feed import catch_up
from projections.generations import prepare
from projections.positions import Positions, find
from projections.views import seen_at
from server.log.store import PostgresLog
from server.play import acts
from server.play.live import Live
from server.play.matches import Matches
from server.play.opening import NoMatch, Source
from server.play.reading import TooLate
from server.play.slices import Slices
from server.play.snapshot import Snapshot
from server.postgres.database import Database
from server.proof.keys import KeyRing
from tests import tiny
from tests.kernel.test_position import undoable
from tests.projections.play import Played, play
from tests.projections.test_positions import undone_past_dice
from tests.server.test_questions import Followed, at_some_moment, opened

EVERY = 20


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TITLES, tiny.GAME.name, tiny.GAME)
    monkeypatch.setattr(positions, "EVERY", EVERY)


def shown(live: Live | Snapshot) -> Snapshot:
    """A snapshot without what depends on how far back a node knows the match."""
    return structs.replace(live.snapshot if isinstance(live, Live) else live, latest=(), ends={})


@pytest.mark.parametrize(
    ("title", "scenario", "options", "commands"),
    [
        ("tiny", "campaign", {"pairs": True}, 80),
        ("tiny", "campaign", {}, 80),
        ("midway", "duel", {}, 250),
        ("coral_sea", "campaign", {}, 60),
    ],
)
def test_a_match_opened_from_any_position_is_the_one_that_is_folded_again_or_says_what_it_lacks(
    title: str, scenario: str, options: dict[str, Any], commands: int
) -> None:
    game = TITLES[title]
    match, chance = Followed(game, scenario, options, clock=Clock(600, 5)), random.Random(title)
    kept: list[bytes] = []
    same = late = 0
    for _ in range(commands):
        if match.live.state.match.over:
            break
        at_some_moment(match, chance)
        kept.append(position.encode(match.live._fold.position()))
        for one in chance.sample(kept, min(3, len(kept))):
            folded = Fold.at_position(game, position.decode(one))
            news = match.entries[folded.seq :]
            if not news:
                continue
            try:
                again = asyncio.run(Slices().through(opened(folded, news, match.key)))
            except (TooLate, Forgotten):
                late += 1
                continue
            same += 1
            assert shown(match.live) == shown(again)
            assert undoable(match.live._fold) == undoable(again._fold)
    assert same > 10
    assert late > 0


class Nodes:
    """A match on the log, with its positions, and nodes that open it."""

    def __init__(self, dsn: str, database: Database, played: Played) -> None:
        self.dsn, self.database, self.played = dsn, database, played
        self.log = PostgresLog(database)
        self.ring = KeyRing({"one": secrets.token_bytes(32)})
        self.taken_up: list[int] = []

    async def keep(self, *, boxed: bool = True) -> None:
        """Put the match on the log, with its key sealed or not at all, and follow it."""
        prev, box = bytes(32), self.ring.seal(self.played.match, self.played.key) if boxed else None
        for command in self.played.commands:
            await self.log.append(command, prev, box if command[0].seq == 1 else None)
            prev = command[-1].hash
        await prepare(self.database.projector, Positions())
        await catch_up(self.database.projector, Positions())

    def node(self, *, with_positions: bool = True) -> Matches:
        async def found(match: UUID, upto: int) -> positions.Found | None:
            one = await find(self.database.read, match, upto)
            self.taken_up.append(one.position.seq if one else 0)
            return one

        given: dict[str, Any] = {"positions": found} if with_positions else {}
        return Matches(self.log, self.ring, lambda _: None, **given)

    async def change(self, sql: str) -> None:
        conn = await asyncpg.connect(self.dsn)
        try:
            await conn.execute(sql)
        finally:
            await conn.close()


Keeping = Callable[..., Awaitable[Nodes]]


@pytest.fixture
async def keeping(dsn: str, database: Database) -> AsyncIterator[Keeping]:
    """Give what puts a match on the log and follows it."""
    made: list[Nodes] = []

    async def keep(played: Played, *, boxed: bool = True) -> Nodes:
        made.append(Nodes(dsn, database, played))
        await made[-1].keep(boxed=boxed)
        return made[-1]

    yield keep
    for one in made:
        await one.log.close()


@pytest.fixture
async def nodes(keeping: Keeping) -> Nodes:
    """Give a match of some hundred facts in the midst of play."""
    return await keeping(play(tiny.GAME, "campaign", undos=0.2, most=40))


async def test_a_node_opens_a_match_from_its_last_position(nodes: Nodes) -> None:
    match = nodes.played.match
    from_the_start = await nodes.node(with_positions=False).get(match)

    snapshot = await nodes.node().get(match)

    assert shown(from_the_start) == shown(snapshot)
    assert len(nodes.played.entries) == snapshot.seq
    assert snapshot.seq - 2 * EVERY < nodes.taken_up[-1] > 0


@pytest.mark.parametrize(
    "damage",
    [
        "body = set_byte(body, 40, get_byte(body, 40) # 1)",
        "body = '{}', digest = sha256('')",
        "hash = sha256('')",
        "seq = seq - 1",
    ],
)
async def test_a_damaged_position_is_ignored_and_counted_and_the_match_folded_from_its_start(
    nodes: Nodes, damage: str
) -> None:
    await nodes.change(f"UPDATE view.position_1 SET {damage}")
    node = nodes.node()

    snapshot = await node.get(nodes.played.match)

    assert 1 == node.opening.ignored
    assert shown(await nodes.node(with_positions=False).get(nodes.played.match)) == shown(snapshot)


async def test_a_wrong_position_that_cannot_be_folded_on_is_ignored(nodes: Nodes) -> None:
    """It says of itself that it is whole, and on the chain; but what follows does not fit it."""
    await nodes.change("DELETE FROM view.position_1 WHERE seq > 130")
    found = await find(nodes.database.read, nodes.played.match, 130)
    assert found is not None
    empty = Fold(tiny.GAME)
    empty.seq, empty.hash, empty.at = found.position.seq, found.position.hash, found.position.at
    await write(nodes, empty)
    node = nodes.node()

    snapshot = await node.get(nodes.played.match)

    assert 1 == node.opening.ignored
    assert shown(await nodes.node(with_positions=False).get(nodes.played.match)) == shown(snapshot)


async def write(nodes: Nodes, folded: Fold) -> None:
    async with nodes.database.projector.acquire() as conn:
        query = positions._WRITE.format(table="view.position_1")
        await conn.execute(query, *positions._row(nodes.played.match, folded))


async def test_a_position_of_other_rules_is_not_taken_up(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiny.GAME, "revision", "3")
    node = nodes.node()

    snapshot = await node.get(nodes.played.match)

    assert ([0], 0) == (nodes.taken_up, node.opening.ignored)
    assert len(nodes.played.entries) == snapshot.seq


async def test_a_match_that_is_not_there_is_not_there(nodes: Nodes) -> None:
    with pytest.raises(NoMatch):
        await nodes.node().get(UUID(int=7))
    with pytest.raises(NoMatch):
        await nodes.node().opening.fold_at(UUID(int=7), 3)


@pytest.mark.parametrize("forget", [5, 1000])
async def test_what_an_audience_saw_at_any_moment_is_folded_from_a_position(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch, forget: int
) -> None:
    monkeypatch.setattr(fold, "FORGET", forget)
    node, entries = nodes.node(), nodes.played.entries
    for seq in range(1, len(entries) + 1, 3):
        folded = await node.opening.fold_at(nodes.played.match, seq)

        for audience in VIEWERS:
            assert seen_at(tiny.GAME, entries, audience, seq) == folded.view(audience)
    assert max(nodes.taken_up) > len(entries) - 2 * EVERY


async def test_a_client_that_knows_an_end_since_the_position_gets_a_frame(nodes: Nodes) -> None:
    match, node = nodes.played.match, nodes.node()
    snapshot = await node.get(match)
    began = nodes.taken_up[-1]

    known = [seq for seq in range(1, snapshot.seq + 1) if snapshot.end(seq) is not None]
    frame = await node.since(match, Audience.SIDE_0, known[0])

    assert [began, snapshot.seq] == [known[0], known[-1]]
    assert (known[0], snapshot.seq) == (frame.after, frame.upto)
    whole = await nodes.node(with_positions=False).since(match, Audience.SIDE_0, known[0])
    assert whole.text == frame.text


async def test_where_the_last_position_stands_behind_what_may_be_taken_back_an_earlier_one_is_taken(
    keeping: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "EVERY", 1)
    played, whole = play(tiny.GAME, "campaign", undos=0.2), Fold(tiny.GAME)
    for count, command in enumerate(played.commands, 1):
        whole.apply(command)
        if count > 30 and any(back is not None for back in undoable(whole)):
            played = played.cut(count)
            break
    made = await keeping(played)
    match, node = played.match, made.node()

    snapshot = await node.get(match)

    assert made.taken_up[0] == snapshot.seq > whole.barrier >= made.taken_up[-1] > 0
    assert undoable(whole) == undoable(node.memory.live[match]._fold)
    assert shown(await made.node(with_positions=False).get(match)) == shown(snapshot)
    assert 0 == node.opening.ignored


async def test_a_match_of_older_rules_whose_undo_goes_back_past_dice_is_opened_all_the_same(
    keeping: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "FORGET", 10)
    made = await keeping(undone_past_dice(play(tiny.GAME, "campaign", undos=0)))
    undone = next(entry.seq for entry in made.played.entries if entry.type == "Undone")
    await made.change(f"DELETE FROM view.position_1 WHERE seq > {undone}")
    whole, node = Fold(tiny.GAME), made.node()
    for command in made.played.commands:
        whole.apply(command)

    snapshot = await node.get(made.played.match)

    assert made.taken_up[0] > 0
    assert whole.views() == snapshot.views
    assert 0 == node.opening.ignored


async def test_a_match_that_was_brought_in_is_opened_at_its_end_by_the_key_that_it_revealed(
    keeping: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(positions, "EVERY", 1)
    made = await keeping(play(tiny.GAME, "campaign"), boxed=False)
    node = made.node()

    snapshot = await node.get(made.played.match)

    assert [len(made.played.entries)] == made.taken_up
    assert made.played.key == snapshot.key
    assert len(made.played.entries) == await node.opening.last_position(made.played.match, 10**6)
    await made.change("UPDATE view.position_1 SET digest = sha256('')")
    assert 0 == await node.opening.last_position(made.played.match, 10**6)
    assert (made.played.entries, made.played.key) == await made.node().opening.everything(made.played.match)


async def test_of_many_who_decide_in_matches_that_are_not_in_memory_the_first_are_done_before_the_last_begin(
    database: Database,
) -> None:
    game, log = tiny.GAME, PostgresLog(database)
    ring = KeyRing({"one": secrets.token_bytes(32)})
    given = game.set_up("skirmish", {})
    created = partial(Created, "tiny", "skirmish", given, game.revision)
    matches = [UUID(int=number) for number in range(200)]
    begun, when_done = list[UUID](), list[int]()

    async def noted(match: UUID, _: int) -> None:
        begun.append(match)

    node = Matches(log, ring, lambda _: None, play=Source(log, noted))

    async def sit(match: UUID) -> None:
        await node.command(match, uuid4(), *acts.sit(0, "person", "ab" * 32))
        when_done.append(len(begun))

    async with asyncio.timeout(20):
        seats = game.seats("skirmish", given)
        await asyncio.gather(
            *(node.create(one, lambda promise: created(promise, seats, None)) for one in matches)
        )
        await asyncio.gather(*map(sit, matches))
    await log.close()

    assert 200 == len(begun) == len(when_done)
    assert when_done[0] < 100
