"""The drill: a server of four titles is backed up while it plays, lost, and put back from the file."""

import asyncio
import contextlib
import shutil
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from clients.client import Client
from clients.links import Place
from domain.titles import TITLES
from projections.every import PROJECTIONS
from projections.generations import rebuild
from projections.linking import Check
from projections.verify import checks
from server.commands.archive import reading
from server.commands.backup import back_up
from server.commands.reach import OpenLog, verifier
from server.commands.restore import Wish, restore
from server.postgres.database import Unfit, connection
from server.proof.checkpoints import LATEST, Sequencer, Tampered
from server.proof.notes import new_signer
from server.protocol import wire
from server.serving import Serving, serving
from server.settings import Settings
from tests.server.witness import offered

BEFORE, LATER = 8, 4
"""Commands of each match that are acknowledged before the backup, after it, and after it was restored."""

MEANWHILE = 20
"""Commands of each match that there may be while the backup is made, so that none comes to its end."""


async def resigned(server: Serving, folder: Path, size: int) -> UUID:
    """Play a match whose end is a resignation, and have it signed in a tree of this size."""
    await level(server)  # or what has begun counts as offered still
    table = await offered(server.url, "midway", folder)
    async with table.played(server.url):
        await table.acknowledged(2 * 2)
    async with Client(
        Place(server.url, table.match, table.tokens[0]), nonces=folder / table.tokens[0][:8]
    ) as client:
        await client.sit()
        await client.send(wire.Resign(table.match, uuid4()))
    while True:
        await sequencer(server).once()
        async with connection(server.database.projector) as conn:
            if size == await conn.fetchval("SELECT max(size) FROM log.checkpoint"):
                break
    await level(server)  # or it counts as offered still
    return table.match


def sequencer(server: Serving) -> Sequencer:
    assert server.signer is not None
    folder = server.settings.data / "checkpoints"
    return Sequencer(server.database.projector, server.signer, folder, interval=0)


async def sign_on(server: Serving) -> None:
    """Sign until that is refused: while the server's own sequencer is at it nothing is said."""
    while True:
        await sequencer(server).once()


async def verified(server: Serving, match: UUID) -> list[Check]:
    """Verify a match on the log, as `fleetfold verify` does."""
    at = OpenLog(server.database, server.log, server.settings, server.settings.data)
    record = await at.record(match)
    key = await at.key(match, record.last, needed=False)
    return await asyncio.to_thread(lambda: list(checks(record, key, verifier(None, server.settings))))


async def level(server: Serving) -> None:
    """Wait until all projections have what is on the log."""
    async with asyncio.timeout(30):
        while any((await server.runner.lag()).values()):
            await asyncio.sleep(0.05)


async def projected(server: Serving) -> list[list[str]]:
    """Return all rows of all projections, level with the log."""
    found = []
    await level(server)
    for projection in PROJECTIONS:
        async with connection(server.database.projector) as conn:
            found += [
                sorted(row[0] for row in await conn.fetch(f"SELECT v::text FROM view.{view} v"))
                for view in projection.views
            ]
    return found


async def test_a_server_that_was_lost_comes_back_from_its_backup_and_plays_on(
    folder: Path, tmp_path: Path
) -> None:
    file, kept = tmp_path / "backup.zip", tmp_path / "kept"
    async with (
        serving(Settings(data=folder, port=0), think=0.0) as server,
        contextlib.AsyncExitStack() as stack,
    ):
        early = await resigned(server, tmp_path, 1)
        signed = await verified(server, early)
        tables = [await offered(server.url, title, tmp_path) for title in TITLES]
        for table in tables:
            await stack.enter_async_context(table.played(server.url))
        await asyncio.gather(*(table.acknowledged(BEFORE, MEANWHILE) for table in tables))
        before = [receipt for table in tables for receipt in table.receipts]
        _, manifest = await back_up(server.settings, lambda _made: file, with_keys=True)
        await asyncio.gather(*(table.acknowledged(LATER) for table in tables))
        await stack.aclose()
        late = await resigned(server, tmp_path, 2)
    shutil.copytree(folder / "checkpoints", kept)
    shutil.rmtree(folder)

    wish = Wish(Settings(data=folder, port=0), None, None, kept, without_keys=False, accept_loss=False)
    with reading(file) as archive:
        with pytest.raises(Unfit, match=r"published of 2 matches .* there are 1\. The rest, 1, ended after"):
            await restore(wish, archive)
        await restore(structs.replace(wish, accept_loss=True), archive)

    async with (
        serving(Settings(data=folder, port=0), think=0.0) as server,
        contextlib.AsyncExitStack() as stack,
    ):
        for receipt in before:
            entries, _ = await server.matches.opening.everything(receipt.match)
            assert (receipt.command, receipt.h) == (
                entries[receipt.seq - 1].command,
                entries[receipt.seq - 1].hash.hex(),
            )
        assert signed == await verified(server, early)
        assert late not in await server.log.heads([late])
        with pytest.raises(Tampered, match="a note of 2 leaves was published: 1 are left"):
            await sign_on(server)
        for table in tables:
            await stack.enter_async_context(table.played(server.url))
        await asyncio.gather(*(table.acknowledged(LATER) for table in tables))
        await stack.aclose()
        for table in tables:
            assert not [check for check in await verified(server, table.match) if check.result == "fails"]
        rows = await projected(server)
        for projection in PROJECTIONS:
            await rebuild(server.database.projector, projection)
        assert rows == await projected(server)
        shutil.rmtree(folder / "checkpoints")
        server.signer = new_signer()
        await resigned(server, tmp_path, 2)
    assert 1 + len(tables) == manifest.matches
    assert {"000000000001", "000000000002", LATEST} == {note.name for note in kept.iterdir()}
