"""The files of deploy/postgres and deploy/container for Postgres, read by a real one."""

import os
import shlex
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from tests.cluster.examples import drawn
from tests.cluster.programs import LOOPBACK
from tests.conftest import running
from tests.deploy.files import DEPLOY, read
from tests.server.certificates import Certificates
from tests.server.deployed import Deployed, asked
from tests.server.talk import prompt, seated

PASSWORD = "hunter2"
OURS = "10.0.0.0/8"
"""The network of deploy/postgres/pg_hba.conf, where one's own is to be put."""


@pytest.fixture
async def deployed(folder: Path) -> AsyncIterator[Deployed]:
    """Give a Postgres on which nothing was started yet."""
    folder.mkdir()
    made = Deployed(folder)
    made.set_up()
    yield made
    await made.drop()


def laid(postgres: Deployed) -> tuple[list[str], str]:
    """Lay the files of deploy/postgres, with certificates; return its command, and what a URL ends with."""
    made = Certificates(postgres.folder / "tls")
    made.key.chmod(0o600)
    postgres.own(made.key)
    changes = {
        "ssl_cert_file = '/etc/fleetfold/tls/postgres.crt'": f"ssl_cert_file = '{made.crt}'",
        "ssl_key_file = '/etc/fleetfold/tls/postgres.key'": f"ssl_key_file = '{made.key}'",
    }
    settings = postgres.laid(DEPLOY / "postgres" / "postgresql.conf", changes)
    users = (DEPLOY / "postgres" / "pg_hba.conf").read_text().splitlines()
    network = {line: line.replace(OURS, f"{LOOPBACK}/32") for line in users if OURS in line}
    hba = postgres.laid(DEPLOY / "postgres" / "pg_hba.conf", network)
    command = ["-c", f"config_file={settings}", "-c", f"hba_file={hba}"]
    return command, f"?sslmode=verify-full&sslrootcert={made.ca}"


async def refused(url: str, why: str) -> None:
    with pytest.raises(asyncpg.InvalidAuthorizationSpecificationError, match=why):
        await asked(url, "SELECT 1")


async def test_a_node_comes_by_tls_with_its_password_and_nobody_comes_in_another_way(
    deployed: Deployed, tmp_path: Path
) -> None:
    command, by_tls = laid(deployed)
    await deployed.start(command)
    deployed.give_roles(DEPLOY / "postgres" / "roles.sql", PASSWORD)
    deployed.sql(given=f"ALTER ROLE postgres PASSWORD '{PASSWORD}';")
    deployed.sql(given=f"CREATE ROLE standby REPLICATION LOGIN PASSWORD '{PASSWORD}';")

    async with (
        running(deployed.url("fleetfold", PASSWORD, options=by_tls), tmp_path / "node") as server,
        seated(server.url) as (created, north, _),
    ):
        upto, options = await prompt(north, 0)
        receipt = await north.ask("decide", match=created["match"], answers=upto, decision=options[0])
        lines_open = deployed.sql(
            "-c",
            "SELECT DISTINCT usename, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
            " WHERE datname = 'fleetfold'",
        )
    streaming = f"host={LOOPBACK} sslmode=require user={{}} dbname=fleetfold replication=1"
    streamed = deployed.run(
        deployed.bin / "psql", streaming.format("standby"), "-c", "IDENTIFY_SYSTEM", PGPASSWORD=PASSWORD
    )

    assert ("receipt", "fleetfold|t") == (receipt["t"], lines_open)
    assert "systemid" in streamed
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asked(deployed.url("fleetfold", "hunter3", options=by_tls), "SELECT 1")
    await refused(deployed.url("fleetfold", PASSWORD, options="?sslmode=disable"), "no encryption")
    for user, database in (("postgres", "fleetfold"), ("standby", "fleetfold"), ("fleetfold", "postgres")):
        await refused(deployed.url(user, PASSWORD, database, by_tls), f'"{user}", database "{database}"')
    for words in (("-h", LOOPBACK, "-U", "fleetfold", streaming.format("fleetfold")), ("-U", "fleetfold")):
        with pytest.raises(subprocess.CalledProcessError) as fault:
            deployed.run(deployed.bin / "psql", *words, "-c", "IDENTIFY_SYSTEM", PGPASSWORD=PASSWORD)
        assert "no pg_hba.conf entry" in fault.value.stderr


async def test_the_container_sets_up_what_the_server_connects_to(deployed: Deployed, tmp_path: Path) -> None:
    """Given Postgres' image, which runs the files in their order on a server started by the same command."""
    service = read("container/compose.yaml")["services"]["postgres"]
    bound = [volume.split(":") for volume in service["volumes"] if volume.startswith(".")]
    files = {where: DEPLOY / "container" / file for file, where, _ in bound}
    program, *command = service["command"]
    for where in [where for where in files if where.endswith(".conf")]:
        laid = deployed.laid(files[where], {})
        command = [word.replace(where, str(laid)) for word in command]
    drawn(tmp_path / "secrets", postgres=f"{LOOPBACK}:{deployed.port}/fleetfold")
    secret = Path(shutil.copy(tmp_path / "secrets" / "database_password", deployed.folder))
    deployed.own(secret)
    await deployed.start(command)
    deployed.sql("-c", f"CREATE DATABASE {service['environment']['POSTGRES_DB']}")

    for where in sorted(where for where in files if "initdb.d" in where):
        text = files[where].read_text()
        if where.endswith(".sql"):
            deployed.sql(database="fleetfold", given=text)
            continue
        there = "/run/secrets/database_password"
        assert 1 == text.count(there)
        assert text.startswith("#!/bin/bash\n")
        assert os.access(files[where], os.X_OK)
        deployed.run("bash", given=text.replace(there, shlex.quote(str(secret))))
    url = (tmp_path / "secrets" / "database_url").read_text().strip()
    ready = [
        word.replace("pg_isready", str(deployed.bin / "pg_isready"))
        for word in service["healthcheck"]["test"]
    ]
    deployed.run(*ready[1:])
    async with running(url, tmp_path / "node") as server, seated(server.url) as (created, *_):
        assert created["match"]

    assert "postgres" == program
    await refused(deployed.url("postgres", PASSWORD, "postgres"), "no pg_hba.conf entry")
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asked(deployed.url("fleetfold", PASSWORD), "SELECT 1")
    assert (secret.read_text().strip()) not in deployed.said
