"""What every log keeps to: the same tests for the log in Postgres and the log in memory."""

import asyncio
import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Draft, Entry, check, seal
from projections.record import BadRecord
from projections.sources import FactsInLog, NobodyWaits
from server.log.outcomes import Altered
from server.log.statements import APPEND, COMMAND, PAGE, ask
from server.log.store import (
    Log,
    MemoryLog,
    Moved,
    Oversized,
    PostgresLog,
    Repeated,
    Stored,
    Unavailable,
    Void,
)
from server.postgres.database import Database, apply, connect, connection
from server.postgres.embedded import Embedded

Links = Callable[[bytes], Awaitable[None]]

K_SALT = bytes.fromhex("ab" * 32)

OPEN: Draft = ("Moved", 1, Audience.ALL, False, b'{"type":"Moved"}')
OWN: Draft = ("Drew", 2, Audience.SIDE_0, False, b'{"type":"Drew","card":7}')
FOE: Draft = ("Drew", 2, Audience.SIDE_1, False, b'{"type":"Drew","card":8}')
RECORD: Draft = ("Decided", 1, Audience.UMPIRE, False, b'{"type":"Decided"}')
LAST: Draft = ("Ended", 1, Audience.ALL, True, b'{"type":"Ended"}')


@pytest.fixture
async def postgres_log(database: Database) -> AsyncIterator[Log]:
    kept = PostgresLog(database)
    yield kept
    await kept.close()


@pytest.fixture(params=["memory", "postgres"])
def log(request: pytest.FixtureRequest) -> Log:
    """One after the other, and no database where none is needed."""
    return MemoryLog() if request.param == "memory" else request.getfixturevalue("postgres_log")


def now() -> int:
    return time.time_ns() // 1000


def sealed(
    match: UUID, *drafts: Draft, behind: list[Entry] | None = None, at: int | None = None
) -> list[Entry]:
    """A command behind others: new id, now."""
    after, prev = (behind[-1].seq, behind[-1].hash) if behind else (0, ZERO)
    return seal(match, uuid4(), now() if at is None else at, after, prev, drafts, K_SALT)


async def test_a_command_is_stored_and_read_as_it_was_sent(log: Log) -> None:
    sent = sealed(uuid4(), OPEN, OWN, RECORD)

    assert Stored() == await log.append(sent, ZERO)
    assert sent == await log.read_everything(sent[0].match)


async def test_commands_follow_one_another(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    second = sealed(match, OWN, FOE, behind=first)
    third = sealed(match, LAST, behind=second)

    assert [Stored()] * 3 == [
        await log.append(first, ZERO),
        await log.append(second, first[-1].hash),
        await log.append(third, second[-1].hash),
    ]
    assert check(await log.read_everything(match), K_SALT) is None


async def test_what_was_sent_before_is_answered_as_then(log: Log) -> None:
    sent = sealed(uuid4(), OPEN, OWN)
    await log.append(sent, ZERO)

    assert Repeated(tuple(sent)) == await log.append(sent, ZERO)
    assert sent == await log.read_everything(sent[0].match)


async def test_a_command_id_counts_wherever_it_stands(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    second = sealed(match, OPEN, behind=first)
    await log.append(first, ZERO)
    await log.append(second, first[-1].hash)
    again = seal(match, first[0].command, now(), 2, second[-1].hash, [FOE], K_SALT)

    assert Repeated(tuple(first)) == await log.append(again, second[-1].hash)


async def test_a_command_id_is_of_its_match_only(log: Log) -> None:
    first = sealed(uuid4(), OPEN)
    other = seal(uuid4(), first[0].command, now(), 0, ZERO, [OPEN], K_SALT)
    await log.append(first, ZERO)

    assert Stored() == await log.append(other, ZERO)


async def test_another_moved_first(log: Log) -> None:
    match = uuid4()
    await log.append(sealed(match, OPEN), ZERO)

    assert Moved() == await log.append(sealed(match, FOE), ZERO)


async def test_sixteen_at_once_behind_one_fact_one_is_stored(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    await log.append(first, ZERO)

    answers = await asyncio.gather(
        *(log.append(sealed(match, OPEN, FOE, behind=first), first[-1].hash) for _ in range(16))
    )

    assert [1, 15] == [answers.count(Stored()), answers.count(Moved())]
    assert [1, 2, 3] == [entry.seq for entry in await log.read_everything(match)]


async def test_the_same_command_twice_at_once_is_stored_once(log: Log) -> None:
    sent = sealed(uuid4(), OPEN, FOE)

    answers = await asyncio.gather(log.append(sent, ZERO), log.append(sent, ZERO))

    assert [Stored(), Repeated(tuple(sent))] == list(answers)


@pytest.fixture
def links(log: Log, request: pytest.FixtureRequest) -> tuple[Links, Links]:
    """What makes a link, by the hash of its token, and what makes it void."""
    if isinstance(log, MemoryLog):
        revoked = log.revoked

        async def nothing(_: bytes) -> None: ...

        async def revoke(token: bytes) -> None:
            revoked.add(token)

        return nothing, revoke
    pools: Database = request.getfixturevalue("database")

    async def made(token: bytes) -> None:
        async with connection(pools.read) as conn:
            await conn.execute(
                "INSERT INTO lobby.match (match_id, title, scenario, pace, private, command)"
                " VALUES ($1, 'tiny', 'skirmish', '', false, $2)",
                UUID(bytes=token[:16]),
                token,
            )
            await conn.execute(
                "INSERT INTO lobby.token (hash, match_id, seat, kind) VALUES ($2, $1, 0, 'seat')",
                UUID(bytes=token[:16]),
                token,
            )

    async def revoked_there(token: bytes) -> None:
        async with connection(pools.read) as conn:
            await conn.execute("UPDATE lobby.token SET revoked_at = clock_timestamp() WHERE hash = $1", token)

    return made, revoked_there


async def test_a_command_is_stored_by_a_link_that_is_valid_and_by_none_that_is_void(
    log: Log, links: tuple[Links, Links]
) -> None:
    made, revoke = links
    token, match = secrets.token_bytes(32), uuid4()
    await made(token)
    first = sealed(match, OPEN)
    second, third = sealed(match, OWN, FOE, behind=first), sealed(match, OWN, FOE, behind=first)

    assert not await log.void(token)
    assert Stored() == await log.append(first, ZERO, token=token)
    assert Moved() == await log.append(sealed(match, FOE), ZERO, token=token)
    assert Repeated(tuple(first)) == await log.append(first, ZERO, token=token)
    await revoke(token)

    assert await log.void(token)
    assert [Void()] * 3 == [
        await log.append(second, first[-1].hash, token=token),
        await log.append(sealed(match, FOE), ZERO, token=token),
        await log.append(first, ZERO, token=token),
    ]
    assert first == await log.read_everything(match)
    assert Stored() == await log.append(third, first[-1].hash)


async def test_a_fact_stands_unless_an_undo_goes_back_to_before_it(log: Log) -> None:
    match = uuid4()
    sent = sealed(match, OPEN, RECORD, OPEN)
    await log.append(sent, ZERO)
    assert [None, *sent, None] == [await log.standing(match, seq) for seq in range(5)]

    undone: Draft = ("Undone", 1, Audience.ALL, False, b'{"type":"Undone","seat":0,"back_to":2}')
    more = sealed(match, undone, RECORD, behind=sent)
    await log.append(more, sent[-1].hash)

    assert [*sent[:2], None, *more] == [await log.standing(match, seq) for seq in range(1, 6)]
    assert await log.standing(uuid4(), 1) is None


async def test_many_matches_at_once(log: Log) -> None:
    sent = [sealed(uuid4(), OPEN, OWN) for _ in range(700)]

    assert [Stored()] * 700 == await asyncio.gather(*(log.append(command, ZERO) for command in sent))
    assert {command[0].match: 2 for command in sent} == await log.heads(
        [command[0].match for command in sent]
    )


async def test_a_wrong_predecessor_is_not_followed(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    await log.append(first, ZERO)
    wrong = seal(match, uuid4(), now(), 1, b"\x01" * 32, [OPEN], K_SALT)

    assert Moved() == await log.append(wrong, b"\x01" * 32)


async def test_a_match_begins_behind_zero(log: Log) -> None:
    wrong = seal(uuid4(), uuid4(), now(), 0, b"\x01" * 32, [OPEN], K_SALT)

    assert Moved() == await log.append(wrong, b"\x01" * 32)


async def test_a_hole_is_not_left(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    second = sealed(match, OPEN, behind=first)
    await log.append(first, ZERO)

    assert Moved() == await log.append(sealed(match, OPEN, behind=second), second[-1].hash)


async def test_nothing_follows_the_final_fact(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN, LAST)
    await log.append(first, ZERO)

    assert Moved() == await log.append(sealed(match, OPEN, behind=first), first[-1].hash)


async def test_time_does_not_fall(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    await log.append(first, ZERO)
    before = sealed(match, OPEN, behind=first, at=first[0].at - 1)
    same = sealed(match, OPEN, behind=first, at=first[0].at)

    assert Moved() == await log.append(before, first[-1].hash)
    assert Stored() == await log.append(same, first[-1].hash)


async def test_a_clock_more_than_two_seconds_ahead_is_refused(log: Log) -> None:
    ahead = sealed(uuid4(), OPEN, at=now() + 2_500_000)
    nearly = sealed(uuid4(), OPEN, at=now() + 1_500_000)

    assert Moved() == await log.append(ahead, ZERO)
    assert Stored() == await log.append(nearly, ZERO)


async def test_reading_goes_on_behind_a_seq(log: Log) -> None:
    sent = sealed(uuid4(), OPEN, OWN, FOE, RECORD, OPEN)
    await log.append(sent, ZERO)

    assert sent[2:] == await log.read_everything(sent[0].match, 2)
    assert [] == await log.read_everything(sent[0].match, 5)


async def test_a_long_match_is_read_in_pages_of_whole_commands(log: Log) -> None:
    match, sent, commands = uuid4(), list[Entry](), list[list[Entry]]()
    for facts in (COMMAND, COMMAND, 900, 3):
        commands.append(sealed(match, *[OPEN] * facts, behind=sent))
        await log.append(commands[-1], sent[-1].hash if sent else ZERO)
        sent += commands[-1]

    pages = [page async for page in log.pages(match)]
    rest = [page async for page in log.pages(match, COMMAND)]

    assert sent == [one for page in pages for one in page]
    assert sent[COMMAND:] == [one for page in rest for one in page]
    assert {command[-1].seq for command in commands} >= {page[-1].seq for page in pages}
    assert isinstance(log, MemoryLog) or len(pages) == 2
    assert [] == [page async for page in log.pages(match, len(sent))]
    ends = [2 * COMMAND, 2 * COMMAND + 900]
    for upto, end in [(ends[0] - 1, COMMAND), (ends[0], ends[0]), (ends[0] + 1, ends[0]), (ends[1], ends[1])]:
        assert sent[:end] == [one async for page in log.pages(match, 0, upto) for one in page]
    assert [] == [page async for page in log.pages(match, COMMAND, COMMAND + 9)]
    assert sent[ends[1] :] == [one async for page in log.pages(match, ends[1], len(sent)) for one in page]


async def test_a_fact_that_says_to_be_far_on_in_its_command_does_not_keep_a_reader_for_ever(
    postgres_log: Log, dsn: str
) -> None:
    """Given two commands of which the last fact of a page is altered, then reading names it and stops."""
    match, sent = uuid4(), list[Entry]()
    for _ in range(2):
        command = sealed(match, *[OPEN] * COMMAND, behind=sent)
        await postgres_log.append(command, sent[-1].hash if sent else ZERO)
        sent += command
    conn = await asyncpg.connect(dsn)
    for table in ("fact", "fact_p0"):
        await conn.execute(f"ALTER TABLE log.{table} DISABLE TRIGGER USER")
    await conn.execute("UPDATE log.fact SET cmd_ix = 30000 WHERE match_id = $1 AND seq = $2", match, PAGE)
    await conn.close()

    with pytest.raises(
        Altered, match=f"match {match}: fact {PAGE} says that 30000 facts .* {COMMAND} at most"
    ):
        await asyncio.wait_for(postgres_log.read_everything(match), 20)
    read = FactsInLog(postgres_log, match, len(sent))
    with pytest.raises(BadRecord, match=f"line 2: match {match}: fact {PAGE}"):
        await asyncio.wait_for(asyncio.to_thread(list, read), 20)


async def test_a_thread_that_reads_facts_for_nobody_any_more_reads_no_further(postgres_log: Log) -> None:
    """Given a reader in a thread that holds at its second fact, and who waited for it is gone."""
    match = uuid4()
    await postgres_log.append(sealed(match, *[OPEN] * 9), ZERO)
    held, free, ended, seen = asyncio.Event(), threading.Event(), threading.Event(), list[int]()
    loop = asyncio.get_running_loop()

    def read(facts: FactsInLog) -> None:
        try:
            for fact in facts:
                seen.append(fact.seq)
                if fact.seq == 2:
                    loop.call_soon_threadsafe(held.set)
                    free.wait(20)
        except NobodyWaits:
            ended.set()
            raise

    reading = asyncio.create_task(FactsInLog(postgres_log, match, 9).read_by(read))
    await asyncio.wait_for(held.wait(), 20)
    reading.cancel()
    await asyncio.wait([reading])
    free.set()

    assert await asyncio.to_thread(ended.wait, 20)
    assert [1, 2] == seen


async def test_an_unknown_match_is_empty(log: Log) -> None:
    match = uuid4()

    assert ([], [], {}, None) == (
        await log.read_everything(match),
        await log.stored(match, uuid4()),
        await log.heads([match]),
        await log.sealed_key(match),
    )


async def test_a_command_is_found_by_its_id(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    second = sealed(match, OWN, FOE, behind=first)
    await log.append(first, ZERO)
    await log.append(second, first[-1].hash)

    assert second == await log.stored(match, second[0].command)


async def test_entries_can_be_sent_again_as_read(log: Log) -> None:
    sent = sealed(uuid4(), OPEN, OWN)
    await log.append(sent, ZERO)
    read = await log.read_everything(sent[0].match)

    assert Repeated(tuple(sent)) == await log.append(read, ZERO)


async def test_the_box_is_kept_with_the_first_command(log: Log) -> None:
    sent = sealed(uuid4(), OPEN)

    assert Stored() == await log.append(sent, ZERO, b"box")
    assert b"box" == await log.sealed_key(sent[0].match)


async def test_the_same_box_again_is_no_matter(log: Log) -> None:
    sent = sealed(uuid4(), OPEN)
    await log.append(sent, ZERO, b"box")

    assert Repeated(tuple(sent)) == await log.append(sent, ZERO, b"box")


async def test_another_box_for_the_match_stores_nothing(log: Log) -> None:
    match = uuid4()
    sent = sealed(match, OPEN)
    await log.append(sent, ZERO, b"box")

    assert Moved() == await log.append(sealed(match, OPEN), ZERO, b"another")
    assert b"box" == await log.sealed_key(match)
    assert sent == await log.read_everything(match)


async def test_who_decides_gets_a_connection_for_the_one_that_broke_before_who_begins_matches(
    dsn: str, postgres_log: Log
) -> None:
    before = sealed(uuid4(), OPEN)
    await postgres_log.append(before, ZERO)
    owner = await asyncpg.connect(dsn)
    try:
        async with asyncio.timeout(10), owner.transaction():
            await owner.execute("LOCK TABLE log.secret")
            begun = [sealed(uuid4(), OPEN) for _ in range(4)]
            beginning = [asyncio.create_task(postgres_log.append(one, ZERO, b"box")) for one in begun]
            while not await owner.fetchval(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'log.secret'::regclass"
            ):
                await asyncio.sleep(0.01)
            assert await owner.fetchval(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND query LIKE $1",
                f"{APPEND[:30]}%",
            )
            async with asyncio.timeout(2):
                stored = await postgres_log.append(
                    sealed(before[0].match, OPEN, behind=before), before[-1].hash
                )
            assert not any(one.done() for one in beginning)
    finally:
        await owner.close()

    assert [Stored()] * 5 == [stored, *await asyncio.gather(*beginning)]


async def test_a_command_of_the_greatest_size_is_stored(log: Log) -> None:
    body = b"x" * 65536
    sent = sealed(uuid4(), *[("Moved", 1, Audience.ALL, False, body)] * 256)

    assert Stored() == await log.append(sent, ZERO)
    assert sent == await log.stored(sent[0].match, sent[0].command)


async def test_a_command_of_as_many_facts_as_there_may_be_is_stored_and_found_whole(log: Log) -> None:
    sent = sealed(uuid4(), *[OPEN] * 4096)

    assert Stored() == await log.append(sent, ZERO)
    assert Repeated(tuple(sent)) == await log.append(sent, ZERO)
    assert sent == await log.stored(sent[0].match, sent[0].command)


async def test_limits_are_told_before_anything_is_written(log: Log) -> None:
    match = uuid4()
    large = sealed(match, OPEN, ("Moved", 1, Audience.ALL, False, b"x" * 65537))
    many = sealed(match, *[OPEN] * 4097)
    heavy = sealed(
        match,
        *[("Moved", 1, Audience.ALL, False, b"x" * 65536)] * 256,
        ("Moved", 1, Audience.ALL, False, b"x"),
    )
    late = seal(match, uuid4(), now(), 2**31 - 2, ZERO, [OPEN], K_SALT)

    for sent, reason in (
        (large, "65537 bytes .* fact 2"),
        (many, "4097 facts"),
        (heavy, "16777217 bytes in a command"),
        (late, "fact 2147483647"),
    ):
        with pytest.raises(Oversized, match=reason):
            await log.append(sent, ZERO, b"box" if sent[0].seq == 1 else None)

    assert ({}, None) == (await log.heads([match]), await log.sealed_key(match))


async def test_a_match_goes_on_behind_any_number_of_facts(dsn: str, postgres_log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    far = seal(match, uuid4(), first[0].at, 2**31 - 4, bytes(32), [OPEN], K_SALT)
    await postgres_log.append(first, ZERO)
    conn = await asyncpg.connect(dsn)
    await conn.execute(
        "INSERT INTO log.fact (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body)"
        " SELECT match_id, $2, at, $3, 0, ver, audience, final, type, $4, body FROM log.fact"
        "  WHERE match_id = $1",
        match,
        far[0].command,
        far[0].seq,
        far[0].hash,
    )
    await conn.close()
    last = sealed(match, OPEN, behind=far)

    assert Stored() == await postgres_log.append(last, far[0].hash)
    assert [last] == [page async for page in postgres_log.pages(match, far[0].seq)]


async def test_what_is_not_one_command_is_a_bug_of_the_caller(log: Log) -> None:
    match = uuid4()
    good = sealed(match, OPEN, OPEN)
    wrong = {
        "at least one fact": [],
        "another match": [good[0], replace(good[1], match=uuid4())],
        "another match, command": [good[0], replace(good[1], command=uuid4())],
        "command or time": [good[0], replace(good[1], at=good[1].at + 1)],
        "fact 1 is not in its place": [replace(good[0], index=1)],
        "fact 2 is not in its place": [good[0], replace(good[1], index=2)],
        "fact 3 is not in its place": [good[0], replace(good[1], seq=3)],
        "fact 1 is final": sealed(match, LAST, OPEN),
        "version 0": [replace(good[0], ver=0)],
        "version 32768": [replace(good[0], ver=1 << 15)],
        "audience 8": [replace(good[0], audience=8)],
        "time -1": [replace(good[0], at=-1)],
        "time 9": [replace(good[0], at=9 * 10**18)],
        "type ''": [replace(good[0], type="")],
        "type 'a": [replace(good[0], type="a" * 65)],
        "x00": [replace(good[0], type="a\0")],
        "udc80": [replace(good[0], type="a\udc80")],
        "hash of 31": [replace(good[0], hash=bytes(31))],
        "fact 0 cannot": [replace(good[0], seq=0)],
    }

    for reason, entries in wrong.items():
        with pytest.raises(ValueError, match=reason):
            await log.append(entries, ZERO)

    assert {} == await log.heads([match])


async def test_a_short_predecessor_is_a_bug_of_the_caller(log: Log) -> None:
    with pytest.raises(ValueError, match="31 bytes"):
        await log.append(sealed(uuid4(), OPEN), bytes(31))


async def test_a_box_later_is_a_bug_of_the_caller(log: Log) -> None:
    match = uuid4()
    first = sealed(match, OPEN)
    await log.append(first, ZERO)

    with pytest.raises(ValueError, match="first command"):
        await log.append(sealed(match, OPEN, behind=first), first[-1].hash, b"box")


async def test_without_postgres_every_question_is_unavailable_in_time(own_postgres: Embedded) -> None:
    await apply(own_postgres.dsn)
    database = await connect(own_postgres.dsn)
    log = PostgresLog(database, deadline=0.3)
    sent = sealed(uuid4(), OPEN)
    match = sent[0].match
    await log.append(sent, ZERO, b"box")
    await own_postgres.stop()
    again = sealed(uuid4(), OPEN)
    began = time.monotonic()
    answers = await asyncio.gather(
        log.read_everything(match),
        log.stored(match, sent[0].command),
        log.heads([match]),
        log.sealed_key(match),
        log.append(again, ZERO),
        log.append(again, ZERO, b"box"),
        return_exceptions=True,
    )
    waited = time.monotonic() - began
    await own_postgres.start()

    assert [Unavailable] * 6 == list(map(type, answers))
    assert waited < 1
    assert (sent, b"box", {match: 1}) == (
        await log.read_everything(match),
        await log.sealed_key(match),
        await log.heads([match]),
    )
    await log.close()
    await database.close()


async def test_a_question_that_is_wrong_is_not_asked_again(database: Database) -> None:
    with pytest.raises(asyncpg.SyntaxOrAccessError):
        await ask(database.read, lambda conn: conn.fetch("SELECT FROM log.nothing"))
