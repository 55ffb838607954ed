"""The pump: what goes out together, and what is answered when connections break. Facts of a statement share
an xid."""

import asyncio
import contextlib
import shutil
import time
from collections.abc import AsyncIterator
from typing import Self
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import UUID, uuid4

import asyncpg
import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Draft, Entry, seal
from server.log.outcomes import Busy, Moved, Repeated, Stored, Unavailable, Void
from server.log.pump import Pump
from server.log.statements import APPEND
from server.postgres import database as database_module
from server.postgres.database import Connection, Database, apply, connect, connection
from server.postgres.embedded import Embedded
from tests.conftest import new_place

OPEN: Draft = ("Moved", 1, Audience.ALL, False, b'{"type":"Moved"}')


def command(
    match: UUID | None = None, *, behind: list[Entry] | None = None, size: int = 16, facts: int = 1
) -> list[Entry]:
    after, prev = (behind[-1].seq, behind[-1].hash) if behind else (0, ZERO)
    drafts = [("Moved", 1, Audience.ALL, False, b"x" * size)] * facts
    return seal(match or uuid4(), uuid4(), time.time_ns() // 1000, after, prev, drafts, b"k" * 32)


@pytest.fixture
async def pump(database: Database) -> AsyncIterator[Pump]:
    running = Pump(database.append, database.play)
    yield running
    await running.close()


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    """Somebody who may lock the log, end others' sessions, and see xids."""
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


@contextlib.asynccontextmanager
async def held(owner: Connection) -> AsyncIterator[None]:
    """Nothing can be appended meanwhile."""
    async with owner.transaction():
        await owner.execute("LOCK TABLE log.fact IN EXCLUSIVE MODE")
        yield


async def statements(owner: Connection) -> list[int]:
    """Commands of each statement, in the order of statements."""
    rows = await owner.fetch("SELECT count(*) FROM log.fact WHERE cmd_ix = 0 GROUP BY xid ORDER BY xid")
    return [row["count"] for row in rows]


async def blocked(owner: Connection, sessions: int = 1) -> list[int]:
    """Wait until so many sessions wait for the log; their process ids."""
    for _ in range(500):
        rows = await owner.fetch(
            "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'log.fact'::regclass"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        if len(rows) == sessions:
            return [row["pid"] for row in rows]
        await asyncio.sleep(0.01)
    raise AssertionError(f"{len(rows)} sessions wait, not {sessions}")


async def test_what_waits_goes_out_together(pump: Pump, owner: Connection) -> None:
    async with held(owner):
        first = asyncio.create_task(pump.append(command(), ZERO))
        await blocked(owner)
        others = [asyncio.create_task(pump.append(command(), ZERO)) for _ in range(20)]
        await asyncio.sleep(0)

    assert [Stored()] * 21 == await asyncio.gather(first, *others)
    assert [1, 20] == await statements(owner)


async def test_a_statement_holds_256_commands(pump: Pump, owner: Connection) -> None:
    await asyncio.gather(*(pump.append(command(), ZERO) for _ in range(550)))

    assert [256, 256, 38] == await statements(owner)


async def test_a_statement_holds_a_mebibyte(pump: Pump, owner: Connection) -> None:
    await asyncio.gather(*(pump.append(command(size=60_000), ZERO) for _ in range(20)))

    assert [17, 3] == await statements(owner)


async def test_a_larger_command_goes_alone(pump: Pump, owner: Connection) -> None:
    sizes = (1, 20, 1)

    await asyncio.gather(*(pump.append(command(size=60_000, facts=facts), ZERO) for facts in sizes))

    assert [1, 1, 1] == await statements(owner)


async def test_a_statement_holds_one_command_of_a_match(pump: Pump, owner: Connection) -> None:
    first = command()
    second = command(first[0].match, behind=first)
    third = command(first[0].match, behind=second)

    answers = await asyncio.gather(
        pump.append(first, ZERO),
        pump.append(second, first[-1].hash),
        pump.append(third, second[-1].hash),
        pump.append(command(), ZERO),
    )

    assert [Stored()] * 4 == list(answers)
    assert [2, 1, 1] == await statements(owner)


async def test_a_match_with_much_to_say_does_not_keep_others_waiting(pump: Pump, owner: Connection) -> None:
    chain = [command()]
    for _ in range(5):
        chain.append(command(chain[0][0].match, behind=chain[-1]))
    sends = [
        pump.append(one, before[-1].hash if before else ZERO)
        for before, one in zip([[], *chain], chain, strict=False)
    ]

    await asyncio.gather(*sends, *(pump.append(command(), ZERO) for _ in range(300)))

    assert [256, 46, 1, 1, 1, 1] == await statements(owner)


async def test_a_full_queue_is_busy_and_nothing_else_is_hurt(database: Database, owner: Connection) -> None:
    pump = Pump(database.append, database.play, queue=4)
    async with held(owner):
        tasks = [asyncio.create_task(pump.append(command(), ZERO))]
        await blocked(owner)
        tasks += [asyncio.create_task(pump.append(command(), ZERO)) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Busy, match="too much at once"):
            await pump.append(command(), ZERO)

    assert [Stored()] * 5 == await asyncio.gather(*tasks)
    await pump.close()


async def test_a_row_the_log_cannot_take_costs_its_own_match_only(pump: Pump) -> None:
    bad = command(size=65_537)

    answers = await asyncio.gather(
        *(pump.append(command(), ZERO) for _ in range(3)),
        pump.append(bad, ZERO),
        *(pump.append(command(), ZERO) for _ in range(3)),
        return_exceptions=True,
    )

    assert [Stored()] * 3 == answers[:3]
    assert isinstance(answers[3], asyncpg.CheckViolationError)
    assert [Stored()] * 3 == answers[4:]


async def test_a_lost_session_is_made_good_on_another(pump: Pump, owner: Connection) -> None:
    async with held(owner):
        tasks = [asyncio.create_task(pump.append(command(), ZERO)) for _ in range(3)]
        for pid in await blocked(owner):
            await owner.execute("SELECT pg_terminate_backend($1)", pid)

    assert [Stored()] * 3 == await asyncio.gather(*tasks)
    assert [3] == await statements(owner)


async def test_closing_answers_what_waits_and_takes_no_more(database: Database, owner: Connection) -> None:
    pump = Pump(database.append, database.play)
    async with held(owner):
        tasks = [asyncio.create_task(pump.append(command(), ZERO))]
        await blocked(owner)
        tasks += [asyncio.create_task(pump.append(command(), ZERO)) for _ in range(4)]
        await asyncio.sleep(0)
        closing = asyncio.create_task(pump.close())
        await asyncio.sleep(0)
        with pytest.raises(Unavailable, match="closed"):
            await pump.append(command(), ZERO)
    await closing

    assert [Stored()] * 5 == [task.result() for task in tasks]


async def test_closing_what_never_ran(database: Database) -> None:
    await Pump(database.append, database.play).close()


async def test_closing_waits_for_look_ups(database: Database) -> None:
    pump = Pump(database.append, database.play)
    sent = command()
    await pump.append(sent, ZERO)
    again = asyncio.create_task(pump.append(sent, ZERO))
    await asyncio.sleep(0)
    await pump.close()

    assert Repeated(tuple(sent)) == again.result()


class Proxy:
    """Between the server and Postgres: passes bytes on, or answers no more, or nothing at all, or cuts."""

    def __init__(self, dsn: str) -> None:
        self.folder = new_place()
        parts = urlsplit(dsn)
        query = parse_qs(parts.query)
        self.target = f"{query['host'][0]}/.s.PGSQL.{query['port'][0]}"
        self.path = self.folder / f".s.PGSQL.{query['port'][0]}"
        self.dsn = parts._replace(
            query=urlencode({"host": str(self.folder), "port": query["port"][0]})
        ).geturl()
        self.answers = asyncio.Event()
        self.answers.set()
        self.asks = asyncio.Event()
        self.asks.set()
        self.lines: set[asyncio.StreamWriter] = set()
        self.work: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self.server = await asyncio.start_unix_server(self.serve, self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        self.cut()
        for task in self.work:
            task.cancel()
        await asyncio.gather(*self.work, return_exceptions=True)
        shutil.rmtree(self.folder)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self.target)
        self.lines |= {writer, back}
        for task in (self.carry(reader, back, self.asks), self.carry(there, writer, self.answers)):
            running = asyncio.create_task(task)
            self.work.add(running)

    async def carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, gate: asyncio.Event
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await source.read(65536):
                await gate.wait()
                sink.write(data)
                await sink.drain()
        sink.close()

    def cut(self) -> None:
        """End all lines, without a word, on our side."""
        for line in self.lines:
            line.transport.abort()
        self.lines.clear()


@pytest.fixture
async def proxy(dsn: str) -> AsyncIterator[Proxy]:
    async with Proxy(dsn) as between:
        yield between


@pytest.fixture
async def far(proxy: Proxy) -> AsyncIterator[Database]:
    """A database behind the proxy."""
    pools = await connect(proxy.dsn)
    yield pools
    for pool in (pools.append, pools.read, pools.projector):
        pool.terminate()


async def facts(owner: Connection) -> int:
    count: int = await owner.fetchval("SELECT count(*) FROM log.fact")
    return count


async def test_a_lost_answer_is_found_out(proxy: Proxy, far: Database, owner: Connection) -> None:
    pump = Pump(far.append, far.play)
    await pump.append(command(), ZERO)
    proxy.answers.clear()
    task = asyncio.create_task(pump.append(command(), ZERO))
    async with asyncio.timeout(5):
        while await facts(owner) < 2:
            await asyncio.sleep(0.01)
    proxy.cut()
    proxy.answers.set()

    assert Stored() == await task
    assert 2 == await facts(owner)
    await pump.close()


async def test_not_there_may_mean_not_yet(proxy: Proxy, far: Database, owner: Connection) -> None:
    """The first session is cut off at the lock, and stores the command when it comes free."""
    pump = Pump(far.append, far.play)
    sent = command()
    async with held(owner):
        task = asyncio.create_task(pump.append(sent, ZERO))
        await blocked(owner)
        for line in list(proxy.lines):
            if line.get_extra_info("sockname") == str(proxy.path):
                line.transport.abort()
        await blocked(owner, 2)

    assert Stored() == await task
    assert 1 == await facts(owner)
    await pump.close()


async def test_who_got_no_answer_sends_again_and_learns_the_truth(proxy: Proxy, far: Database) -> None:
    pump = Pump(far.append, far.play, deadline=0.5)
    first, second = command(), command()
    await pump.append(first, ZERO)
    proxy.asks.clear()
    began = time.monotonic()
    with pytest.raises(Unavailable):
        await pump.append(second, ZERO)
    waited = time.monotonic() - began
    proxy.cut()
    proxy.asks.set()

    assert waited < 1
    assert await pump.append(second, ZERO) in (Stored(), Repeated(tuple(second)))
    assert Moved() == await pump.append(command(first[0].match), ZERO)
    await pump.close()


async def test_a_silent_look_up_is_unavailable(proxy: Proxy, far: Database, owner: Connection) -> None:
    pump = Pump(far.append, far.play, deadline=0.5)
    sent = command()
    await pump.append(sent, ZERO)
    async with owner.transaction():
        await owner.execute("LOCK TABLE log.fact IN EXCLUSIVE MODE")
        task = asyncio.create_task(pump.append(replaced(sent), ZERO))
        await blocked(owner)
        proxy.server.close()  # the spare cannot be made any more

    with pytest.raises(Unavailable):
        await task
    proxy.cut()
    await pump.close()


async def test_what_no_standby_has_is_acknowledged_to_nobody_however_often_it_is_sent(
    own_postgres: Embedded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit that waits for its standby is there once it is cancelled, on a machine that may be lost.

    The library asks to cancel what takes too long. That the connection is dropped at once forestalls it.
    """
    monkeypatch.setattr(database_module._pool, "__defaults__", (0.4,))
    await apply(own_postgres.dsn)
    sent = command()

    async def wait_for(standbys: str) -> None:
        owner = await asyncpg.connect(own_postgres.dsn)
        await owner.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{standbys}'")
        await owner.execute("SELECT pg_reload_conf()")
        await owner.close()

    async def waits() -> bool:
        """Whether a commit waits for a standby: a reload is told to those who ask for it later."""
        conn = await asyncpg.connect(own_postgres.dsn)
        try:
            async with asyncio.timeout(0.5):
                await conn.execute("INSERT INTO log.audit (actor, action, subject) VALUES ('', '', '')")
        except TimeoutError:
            return True
        else:
            return False
        finally:
            conn.terminate()

    async with far_from(own_postgres.dsn) as database:
        pump = Pump(database.append, database.play, deadline=1.0)
        await pump.append(command(), ZERO)
        await wait_for("nobody")
        async with asyncio.timeout(30):
            while not await waits():
                pass
        answers = [await asyncio.gather(pump.append(sent, ZERO), return_exceptions=True) for _ in range(2)]
        await wait_for("")
        last = await pump.append(sent, ZERO)
        await pump.close()

        assert [Unavailable] * 2 == [type(answer) for (answer,) in answers], answers
        assert isinstance(last, (Stored, Repeated))


@contextlib.asynccontextmanager
async def far_from(dsn: str) -> AsyncIterator[Database]:
    database = await connect(dsn)
    try:
        yield database
    finally:
        await database.close()


def replaced(sent: list[Entry]) -> list[Entry]:
    return [replace(entry, body=b"{}") for entry in sent]


async def test_without_postgres_nobody_waits_longer_than_the_deadline(own_postgres: Embedded) -> None:
    """Stopped, then started: what is sent is unavailable, then stored; the queue keeps nothing of the time
    between."""
    await apply(own_postgres.dsn)
    database = await connect(own_postgres.dsn)
    pump = Pump(database.append, database.play, deadline=0.5, queue=10)
    await pump.append(command(), ZERO)
    await own_postgres.stop()
    for _ in range(3):
        began = time.monotonic()
        answers = await asyncio.gather(
            *(pump.append(command(), ZERO) for _ in range(8)), return_exceptions=True
        )

        assert [Unavailable] * 8 == list(map(type, answers))
        assert time.monotonic() - began < 1
    await own_postgres.start()

    assert Stored() == await pump.append(command(), ZERO)
    await pump.close()
    await database.close()


async def links(owner: Connection, count: int) -> list[bytes]:
    """Make so many tokens that are valid, and return their hashes."""
    match = uuid4()
    await owner.execute(
        "INSERT INTO lobby.match (match_id, title, scenario, pace, private, command)"
        " VALUES ($1, 'tiny', 'skirmish', '', false, $2)",
        match,
        match.bytes * 2,
    )
    made = [uuid4().bytes * 2 for _ in range(count)]
    await owner.executemany(
        "INSERT INTO lobby.token (hash, match_id, seat, kind) VALUES ($1, $2, 0, 'seat')",
        [(token, match) for token in made],
    )
    return made


async def until(owner: Connection, query: str) -> None:
    """Wait until a query says yes."""
    async with asyncio.timeout(5):
        while not await owner.fetchval(query):
            await asyncio.sleep(0.01)


async def revoke(owner: Connection, token: bytes) -> None:
    await owner.execute("UPDATE lobby.token SET revoked_at = clock_timestamp() WHERE hash = $1", token)


async def test_of_a_statement_what_came_by_a_void_link_alone_is_not_stored(
    pump: Pump, owner: Connection
) -> None:
    valid, void = await links(owner, 2)
    await revoke(owner, void)
    unknown = bytes(32)
    first = command()
    async with held(owner):
        waiting = [asyncio.create_task(pump.append(first, ZERO))]
        await blocked(owner)
        waiting += [
            asyncio.create_task(pump.append(command(facts=2), ZERO, token))
            for token in (valid, void, None, unknown, valid)
        ]
        waiting.append(asyncio.create_task(pump.append(command(first[0].match), ZERO, valid)))
        await asyncio.sleep(0)

    assert [Stored(), Stored(), Void(), Stored(), Void(), Stored(), Moved()] == await asyncio.gather(*waiting)
    assert [1, 3] == await statements(owner)
    assert 7 == await facts(owner)


async def test_a_link_that_is_revoked_while_its_command_waits_stores_nothing(
    pump: Pump, owner: Connection
) -> None:
    (token,) = await links(owner, 1)
    async with held(owner):
        others = asyncio.create_task(pump.append(command(), ZERO))
        await blocked(owner)
        late = asyncio.create_task(pump.append(command(), ZERO, token))
        await asyncio.sleep(0)
        await revoke(owner, token)

    assert [Stored(), Void()] == [await others, await late]
    assert 1 == await facts(owner)


async def test_by_a_link_that_is_void_by_now_nobody_learns_what_was_stored(
    pump: Pump, owner: Connection
) -> None:
    (token,) = await links(owner, 1)
    sent = command()
    await pump.append(sent, ZERO, token)
    await revoke(owner, token)

    assert Void() == await pump.append(sent, ZERO, token)


async def test_what_was_stored_by_a_link_that_was_valid_then_is_stored(
    proxy: Proxy, far: Database, owner: Connection
) -> None:
    (token,) = await links(owner, 1)
    pump = Pump(far.append, far.play)
    await pump.append(command(), ZERO)
    proxy.answers.clear()
    task = asyncio.create_task(pump.append(command(), ZERO, token))
    await until(owner, "SELECT count(*) = 2 FROM log.fact")
    await revoke(owner, token)
    proxy.cut()
    proxy.answers.set()

    assert Stored() == await task
    assert 2 == await facts(owner)
    await pump.close()


async def test_nobody_is_told_void_of_what_a_statement_that_was_cut_off_may_still_store(
    proxy: Proxy, far: Database, owner: Connection, dsn: str
) -> None:
    """The first session waits for another's row, is cut off, and stores the command when that is gone."""
    (token,) = await links(owner, 1)
    pump = Pump(far.append, far.play)
    sent = command()
    other: Connection = await asyncpg.connect(dsn)
    await other.execute("BEGIN")
    await other.execute(
        "INSERT INTO log.fact (match_id, command_id, at, seq, cmd_ix, ver, audience, final, type, hash, body)"
        " VALUES ($1, $2, now(), 1, 0, 1, 7, false, 'Moved', $3, '')",
        sent[0].match,
        uuid4(),
        sent[0].hash,
    )
    task = asyncio.create_task(pump.append(sent, ZERO, token))
    await until(owner, "SELECT true FROM pg_stat_activity WHERE wait_event = 'transactionid'")
    await revoke(owner, token)
    proxy.cut()
    with pytest.raises(Unavailable, match="may still store it"):
        await task
    await other.close()

    await until(owner, "SELECT true FROM log.fact")
    assert Void() == await pump.append(sent, ZERO, token)
    await pump.close()


async def test_tokens_are_looked_up_by_their_index_though_there_was_none_when_the_plan_was_made(
    database: Database,
) -> None:
    """A connection keeps the plan, and a day later there may be a million tokens."""
    async with connection(database.append) as conn:
        await conn.execute(f"PREPARE append AS {APPEND}")
        plan = await conn.fetch(f"EXPLAIN EXECUTE append({', '.join(['NULL'] * 13)})")
    lines = [row[0].strip().partition("  (")[0] for row in plan]
    scans = [line for line in lines if " on token " in line and "Scan" in line]

    assert scans == [
        "->  Index Scan using token_pkey on token k",
        "->  Index Scan using token_match on token k_1",  # of seats that go to others
    ]
