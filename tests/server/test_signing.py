"""Who signs checkpoints: one node, by lease, another when it is gone; and what is told where nobody does."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import asyncpg
import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from server.commands import signer as commands
from server.postgres.database import Connection
from server.proof import signing
from server.proof.checkpoints import Sequencer, publish
from server.proof.notes import Checkpoint, Verifier, new_signer, read_note, read_signer
from server.proof.signing import Signing
from server.proof.tree import EMPTY
from server.serving import Serving
from tests.conftest import running
from tests.server.reading import get
from tests.server.talk import seated


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


async def ended(server: Serving) -> None:
    """Play a match to its end."""
    async with seated(server.url, title="midway", scenario="duel") as (created, north, south):
        await north.ask("resign", match=created["match"])
        await south.hear("frame")


async def told_of_keys(server: Serving) -> tuple[bool, str, str]:
    """Return what a node tells: whether it has a key, by /readyz and as a number, and whether it signs."""
    ready, numbers = [await get(server.url, path) for path in ("/readyz", "/metrics")]
    signer, signing = [
        numbers.body.decode().partition(f"\nfleetfold_{name} ")[2].split()[0]
        for name in ("signer", "signing")
    ]
    return ready.json["signer"], signer, signing


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(15):
        while not await holds():
            await asyncio.sleep(0.05)


async def signed(sequencer: Sequencer) -> Checkpoint:
    """Sign what has ended; a transaction that is just open, of a projection perhaps, holds it back."""
    async with asyncio.timeout(15):
        while not (note := await sequencer.once()):
            await asyncio.sleep(0.05)
    return note


async def test_one_node_signs_and_when_it_is_gone_another_with_the_key(
    dsn: str, folder: Path, owner: Connection
) -> None:
    folder.mkdir()
    new_signer().write(folder / "signer")

    async def in_tree(size: int) -> bool:
        return bool(size == await owner.fetchval("SELECT count(*) FROM log.leaf"))

    async with AsyncExitStack() as later:
        async with running(dsn, folder) as one:
            await until(one.signing.may_sign)
            two = await later.enter_async_context(running(dsn, folder))
            await ended(one)
            await until(lambda: in_tree(1))
            before = [node.signing.here for node in (one, two)]
            told = [await told_of_keys(node) for node in (one, two)]
        await ended(two)
        await until(lambda: in_tree(2))

        assert [True, False] == before
        assert [(True, "1.0", "1.0"), (True, "1.0", "0.0")] == told
        assert two.signing.here


async def test_whose_turn_it_is_not_signs_nothing_and_publishes_what_was_signed(
    server: Serving, tmp_path: Path
) -> None:
    async def never() -> bool:
        return False

    pool, signer = server.database.projector, new_signer()
    await ended(server)
    other = Sequencer(pool, signer, tmp_path / "b", may_sign=never)
    before = await other.once(), (tmp_path / "b").exists()
    note = await signed(Sequencer(pool, signer, tmp_path / "a"))
    after = await other.once()

    assert (None, False) == before
    assert None is after
    assert note == read_note((tmp_path / "b" / "checkpoint").read_text())


async def test_a_node_that_refuses_to_sign_tells_it_and_leaves_it_to_another(
    dsn: str, folder: Path, owner: Connection, tmp_path: Path
) -> None:
    folder.mkdir()
    signer = new_signer()
    signer.write(folder / "signer")
    publish(folder / "checkpoints", 2, signer.sign(2, EMPTY))

    async def is_ready(server: Serving) -> bool:
        return bool((await get(server.url, "/readyz")).json["signed"])

    async def refused() -> bool:
        return not await is_ready(one)

    async def signed_on() -> bool:
        return bool(await owner.fetchval("SELECT count(*) FROM log.checkpoint") == 1)

    async with running(dsn, folder) as one:
        await ended(one)
        await until(refused)
        numbers = (await get(one.url, "/metrics")).body.decode()
        keys, key = folder / "keys", (folder / "signer").read_text()
        async with running(dsn, tmp_path, keys_file=keys, signer=key) as two:
            await until(signed_on)
            shown = (await get(one.url, "/api/checkpoint")).json

            assert [True, False] == [node.signing.here for node in (two, one)]
            assert await is_ready(two)
            assert signer.public == shown["key"]
            assert 1 == Verifier(shown["key"]).open(shown["note"]).size
    assert "\nfleetfold_signing_refused 1.0\n" in numbers


async def test_a_node_without_the_key_serves_and_tells_at_once_that_it_has_none(
    dsn: str, folder: Path
) -> None:
    with capture_logs() as said:
        async with running(dsn, folder) as server:
            told, ready = await told_of_keys(server), await get(server.url, "/readyz")

    assert (False, "0.0", "0.0") == told
    assert (200, True, True) == (ready.status, ready.json["ready"], ready.json["signed"])
    assert ["signer.missing"] == [line["event"] for line in said if line["event"].startswith("signer")]


async def test_a_node_without_the_key_shows_the_last_note(server: Serving, tmp_path: Path) -> None:
    signer = new_signer()
    await ended(server)
    await signed(Sequencer(server.database.projector, signer, tmp_path))
    shown = (await get(server.url, "/api/checkpoint")).json

    assert "" == shown["key"]
    assert 1 == Verifier(signer.public).open(shown["note"]).size


async def waits(server: Serving, seconds: float) -> None:
    """Wait until a match has waited to be signed for so long, as a node sees it."""

    async def waiting() -> bool:
        await server.signing.look()
        return server.signing.waiting > seconds

    await until(waiting)


async def test_a_node_tells_that_nobody_signs(
    server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signing, "LATE", 0.3)
    before = await get(server.url, "/readyz")
    await ended(server)
    with capture_logs() as said:
        await waits(server, 0.3)
        once = server.signing.late
        for _ in range(3):
            await server.signing.look()
    late = await get(server.url, "/readyz")
    numbers = (await get(server.url, "/metrics")).body.decode()
    await signed(Sequencer(server.database.projector, new_signer(), tmp_path))
    await server.signing.look()
    after = await get(server.url, "/readyz")

    assert not once
    assert [True, False, True] == [page.json["signed"] for page in (before, late, after)]
    assert [(True, False)] * 3 == [
        (page.json["ready"], page.json["signer"]) for page in (before, late, after)
    ]
    assert ["checkpoint.nobody_signs"] == [line["event"] for line in said if "checkpoint" in line["event"]]
    assert "signer new" in next(line["todo"] for line in said if "todo" in line)
    assert "\nfleetfold_signing 0.0\n" in numbers
    assert 0.3 < float(numbers.partition("\nfleetfold_unsigned_seconds ")[2].split()[0]) < 60
    assert 0 == server.signing.waiting


async def test_a_match_that_was_brought_in_waits_since_the_last_note_at_most(
    server: Serving, tmp_path: Path, owner: Connection
) -> None:
    await ended(server)
    await signed(Sequencer(server.database.projector, new_signer(), tmp_path))
    await ended(server)
    await waits(server, 0.1)
    await owner.execute("UPDATE view.standings SET last_at = last_at - interval '1 year'")
    await server.signing.look()

    assert 0 < server.signing.waiting < 60


async def test_two_keys_in_one_cluster_are_told_once(server: Serving, tmp_path: Path) -> None:
    pool, keys = server.database.projector, [new_signer(), new_signer()]
    await ended(server)
    await signed(Sequencer(pool, keys[0], tmp_path))
    with capture_logs() as said:
        for signer in (*keys, None):
            one = Signing(pool, server.leases, signer)
            for _ in range(2):
                await one.look()

    assert [(keys[0].name, keys[1].name)] == [
        (line["last"], line["ours"]) for line in said if line["event"] == "checkpoint.other_key"
    ]


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    where = {"FLEETFOLD_DATA": str(tmp_path / "data"), "FLEETFOLD_DATABASE_URL": "postgresql://nowhere/x"}
    made = CliRunner().invoke(commands.command, ["new"], env=where)
    path = tmp_path / "data" / "signer"
    kept = path.read_text()
    again = CliRunner().invoke(commands.command, ["new", "--name", "other"], env=where)

    assert 0 == made.exit_code
    assert Verifier(made.stdout.strip()).hash == read_signer(path).hash
    assert "PRIVATE" not in made.output
    assert 0o600 == path.stat().st_mode & 0o777
    assert 1 == again.exit_code
    assert "is there already" in again.output
    assert kept == path.read_text()


def test_a_key_with_a_name_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    made = CliRunner().invoke(
        commands.command, ["new", "--name", "a b"], env={"FLEETFOLD_DATA": str(tmp_path / "data")}
    )

    assert 1 == made.exit_code
    assert "no spaces" in made.output
    assert not (tmp_path / "data").exists()
