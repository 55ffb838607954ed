"""Back to a moment by pgBackRest, with the files of deploy/postgres and the words of deploy/runbook.md."""

import asyncio
import contextlib
import re
import secrets
import shlex
import shutil
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from server.proof.checkpoints import Tampered
from server.proof.notes import new_signer
from tests.conftest import running
from tests.deploy.files import DEPLOY
from tests.server.deployed import Deployed
from tests.server.test_database_files import PASSWORD, laid
from tests.server.test_drill import resigned, sign_on, verified
from tests.server.witness import offered

BEFORE, LATER = 8, 6
"""Commands that are acknowledged before the moment, and after it."""

RECOVERED = 60.0
"""Seconds that Postgres may take to come to the moment."""

SECOND = len("2026-11-28 21:04:06")
"""How much of a moment says its second."""

BACKUP = DEPLOY / "postgres" / "pgbackrest.conf"


def recipe() -> list[str]:
    """Return the words by which the runbook puts a moment back."""
    (line,) = re.findall(r"^ {4}(pgbackrest .* restore)$", (DEPLOY / "runbook.md").read_text(), re.MULTILINE)
    return shlex.split(line)


class Kept(Deployed):
    """A Postgres whose log is archived, and whose backups lie, in folders beside it."""

    def __init__(self, folder: Path) -> None:
        places = {name: folder / name for name in ("repository", "spool", "log", "lock")}
        by_environment = {
            "PGBACKREST_CONFIG": folder / BACKUP.name,
            "PGBACKREST_LOG_PATH": places["log"],
            "PGBACKREST_LOCK_PATH": places["lock"],
            "PGBACKREST_PG1_SOCKET_PATH": folder,
        }
        super().__init__(folder, {name: str(path) for name, path in by_environment.items()})
        self.environ["PGBACKREST_PG1_PORT"] = str(self.port)
        for place in places.values():
            place.mkdir()
            self.own(place)
        changes = {
            "repo1-path=/var/lib/pgbackrest": f"repo1-path={places['repository']}",
            "spool-path=/var/spool/pgbackrest": f"spool-path={places['spool']}",
            "repo1-cipher-pass=DRAW_YOUR_OWN": f"repo1-cipher-pass={secrets.token_urlsafe(48)}",
            "pg1-path=/var/lib/postgresql/18/main": f"pg1-path={self.data}",
        }
        self.laid(BACKUP, changes).chmod(0o640)

    def backs_up(self, *words: str) -> str:
        """Run pgBackRest for the stanza."""
        return self.run("pgbackrest", "--stanza=fleetfold", *words)

    def now(self) -> str:
        """Return the moment, as `--target` takes it."""
        return self.sql("-c", "SET timezone = 'UTC'; SELECT clock_timestamp()")

    async def second_ended(self) -> None:
        """Wait for the next second: pgBackRest takes no backup that ended in the second of the moment."""
        begun = self.now()
        async with asyncio.timeout(10):
            while self.now()[:SECOND] == begun[:SECOND]:
                await asyncio.sleep(0.05)

    async def put_back(self, moment: str, command: Sequence[str | Path], *words: str) -> None:
        """Put a moment back by the recipe, with words of pgBackRest's besides; wait until it takes writes."""
        said = [re.sub(r"(?<=^--target=).*", moment, word) for word in recipe()]
        await asyncio.to_thread(self.run, *said[:-1], *words, said[-1])
        await self.start(command)
        async with asyncio.timeout(RECOVERED):
            while self.sql("-c", "SELECT pg_is_in_recovery()") == "t":
                await asyncio.sleep(0.1)


@pytest.fixture
async def kept(folder: Path) -> AsyncIterator[Kept]:
    """Give a Postgres on which nothing was started yet."""
    place = folder.parent / "postgres"
    place.mkdir()
    made = Kept(place)
    made.set_up()
    yield made
    await made.drop()


@pytest.mark.soak
async def test_a_moment_is_put_back_and_the_node_serves_all_that_was_acknowledged_by_then(
    kept: Kept, tmp_path: Path
) -> None:
    assert shutil.which("pgbackrest"), "there is no pgBackRest: run `deploy/provision pgbackrest`"
    command, by_tls = laid(kept)
    await kept.start(command)
    kept.give_roles(DEPLOY / "postgres" / "roles.sql", PASSWORD)
    kept.backs_up("stanza-create")
    kept.backs_up("check")
    url, node = kept.url("fleetfold", PASSWORD, options=by_tls), tmp_path / "node"
    node.mkdir()
    new_signer().write(node / "signer")

    async with running(url, node) as server, contextlib.AsyncExitStack() as stack:
        early = await resigned(server, tmp_path, 1)
        signed = await verified(server, early)
        table = await offered(server.url, "midway", tmp_path)
        await stack.enter_async_context(table.played(server.url))
        await table.acknowledged(BEFORE // 2)
        await asyncio.to_thread(kept.backs_up, "--type=full", "backup")
        await kept.second_ended()
        await table.acknowledged(BEFORE // 2)
        before = list(table.receipts)
        heads = await server.log.heads([early, table.match])
        moment = kept.now()
        await table.acknowledged(LATER)
        later, at_last = kept.now(), await server.log.heads([early, table.match])
        await stack.aclose()
        late = await resigned(server, tmp_path, 2)
    await kept.stop()
    shutil.rmtree(kept.data / "base")  # and what was there is gone
    await kept.put_back(moment, command)

    async with running(url, node) as server, contextlib.AsyncExitStack() as stack:
        assert heads == await server.log.heads([early, table.match, late])
        entries, _ = await server.matches.opening.everything(table.match)
        for receipt in before:
            entry = entries[receipt.seq - 1]
            assert (receipt.command, receipt.h) == (entry.command, entry.hash.hex())
        assert signed == await verified(server, early)
        await stack.enter_async_context(table.played(server.url))
        await table.acknowledged(LATER)
        await stack.aclose()
        assert not [check for check in await verified(server, table.match) if check.result == "fails"]
        with pytest.raises(Tampered, match="a note of 2 leaves was published: 1 are left"):
            await sign_on(server)
    for name in ("signer", "checkpoints"):
        (node / name).rename(tmp_path / name)
    ordered = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "signer", "new", cwd=DEPLOY.parent, env={"FLEETFOLD_DATA": str(node)}
    )
    assert 0 == await ordered.wait()
    async with running(url, node) as server:
        await resigned(server, tmp_path, 2)
    kept.backs_up("check")  # the log is archived on its new timeline
    await kept.stop()

    await kept.put_back(later, command, "--target-timeline=1")
    async with running(url, node) as server:
        assert at_last == await server.log.heads([early, table.match, late])
