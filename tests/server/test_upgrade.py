"""A node of the version before the last change of the schema goes on when a newer one has made that change.

The older code comes from the history of the repository: the latest commit with fewer files of the schema, all
of which are as they are today. So what was changed while it was made, and was on no server, does not count.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.request import urlopen

import asyncpg
import pytest
from msgspec import json

from server.proof.keys import generate
from server.serving import serving
from server.settings import Settings
from tests.server.witness import offered

ROOT = Path(__file__).parents[2]
WITHIN = "server/postgres/schema"
PARTS = ("server", "domain", "projections", "clients", "docs/rules", ":!clients/web")


def files(tree: Path) -> list[str]:
    """Return the names of the files of the schema of a tree."""
    return sorted(file.name for file in (tree / WITHIN).glob("*.sql"))


def git(*command: str) -> str:
    done = subprocess.run(["git", *command], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"this takes a clone of the repository with its history: {done.stderr}")
    return done.stdout.strip()


@pytest.fixture(scope="session")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the tree before the last files of the schema came."""
    today = {f"{WITHIN}/{name}": git("hash-object", f"{WITHIN}/{name}") for name in files(ROOT)}

    def is_older(commit: str) -> bool:
        listed = git("ls-tree", "--format=%(path) %(objectname)", commit, f"{WITHIN}/").splitlines()
        there = dict(line.split() for line in listed)
        return there.items() < today.items()

    changed = git("log", "--format=%H^", "--", WITHIN).splitlines()
    commit = next(commit for commit in ("HEAD", *changed) if is_older(commit))
    tree = tmp_path_factory.mktemp("older")
    packed = tree.with_suffix(".tar")
    git("archive", "-o", str(packed), commit, "--", *PARTS)
    subprocess.run(["tar", "-xf", packed, "-C", tree], check=True)
    return tree


@asynccontextmanager
async def node(tree: Path, dsn: str, folder: Path) -> AsyncIterator[str]:
    """Run `fleetfold serve` of a tree and yield its URL."""
    folder.mkdir(exist_ok=True)
    ours = {"DATABASE_URL": dsn, "DATA": str(folder), "KEYS": str(folder / "keys")}
    settings = {f"FLEETFOLD_{name}": value for name, value in ours.items()}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", "serve", cwd=tree, env={**os.environ, **settings},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        url = (await process.stdout.readline()).decode().strip()
        assert url, "the older node did not start"
        yield url
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def applied(dsn: str) -> list[str]:
    conn = await asyncpg.connect(dsn)
    try:
        return [row["name"] for row in await conn.fetch("SELECT name FROM setup.applied ORDER BY number")]
    finally:
        await conn.close()


async def listed(url: str) -> set[str]:
    """Return the ids of the matches that a node lists."""
    said = await asyncio.to_thread(lambda: urlopen(f"{url}/api/matches").read())
    return {match["match"] for match in json.decode(said)["matches"]}


async def test_an_older_node_plays_on_beside_a_newer_schema_and_a_newer_node(
    empty_dsn: str, folder: Path, tmp_path: Path, older: Path
) -> None:
    folder.mkdir()
    generate(folder / "keys")
    async with node(older, empty_dsn, folder) as old:
        before = await applied(empty_dsn)
        table = await offered(old, "midway", tmp_path)
        async with table.played(old):
            await table.acknowledged(6)
            set_by = Settings(database_url=empty_dsn, data=folder, keys_file=folder / "keys", port=0)
            async with serving(set_by, think=0.0) as new:
                await table.acknowledged(6)
                after = await applied(empty_dsn)
                second = await offered(new.url, "midway", tmp_path)
                async with second.played(old):
                    await second.acknowledged(6)
                async with second.played(new.url):
                    await second.acknowledged(6)
                third = await offered(old, "midway", tmp_path)
                async with third.played(new.url):
                    await third.acknowledged(6)
                matches = {str(one.match) for one in (table, second, third)}
                while not matches <= await listed(old):  # projections are a second behind
                    await asyncio.sleep(0.05)

    assert files(older) == before
    assert files(ROOT) == after
    assert set(before) < set(after)
