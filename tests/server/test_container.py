"""An operator's commands, run with the settings of deploy/container: its image's and its compose file's."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

from tests.deploy.files import DEPLOY, read

SECRETS, DATA = "/run/secrets", "/var/lib/fleetfold"
SITE = "${SITE:?the name that players type}"


def drawn(secrets: Path, database: str) -> Path:
    """Draw the secrets of the containers; the URL of their database is this one."""
    subprocess.run([DEPLOY / "secrets", secrets], check=True, stderr=subprocess.DEVNULL)
    (secrets / "database_url").write_text(f"{database}\n")
    return secrets


def environment(secrets: Path, data: Path) -> dict[str, str]:
    """Return all that `docker compose exec server` sets, with two folders that are elsewhere here."""
    server = read("container/compose.yaml")["services"]["server"]
    assert not {"entrypoint", "command", "env_file"} & set(
        server
    )  # what these set no other command would see
    recipe = (DEPLOY / "container" / "Containerfile").read_text()
    image = re.findall(r"(?:^ENV|\\\n) +(\w+)=([^ \\\n]+)", recipe, re.MULTILINE)
    there = {**dict(image), **server["environment"]}
    assert {"FLEETFOLD_DATA", "FLEETFOLD_DATABASE_URL", "FLEETFOLD_REDIS_URL", "PATH"} <= set(there)
    moved = {SECRETS: str(secrets), DATA: str(data), SITE: "fleet.example"}
    for old, new in moved.items():
        there = {name: value.replace(old, new) for name, value in there.items()}
    return {**there, "PATH": os.environ["PATH"]}


async def fleetfold(env: dict[str, str], *words: str) -> tuple[int | None, str]:
    """Run a command with this environment and no more; return its exit code and what it said."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "server", *words, cwd=DEPLOY.parent, env=env,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(60):
        said, _ = await process.communicate()
    return process.returncode, said.decode()


async def test_an_operator_of_the_containers_reaches_the_database_with_any_command(
    dsn: str, tmp_path: Path
) -> None:
    data, match = tmp_path / "data", uuid4()
    data.mkdir()
    env = environment(drawn(tmp_path / "secrets", dsn), data)

    hidden, made = await asyncio.gather(
        fleetfold(env, "match", "hide", str(match), "--label"),
        fleetfold(env, "backup", str(data / "kept.zip"), "--with-keys"),
    )

    assert (1, f"Error: There is no match {match}.\n") == hidden
    assert 0 == made[0], made
    assert f"{data / 'kept.zip'}: 0 matches" in made[1]
