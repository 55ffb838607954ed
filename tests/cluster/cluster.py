"""A whole cluster on the loopback: Postgres, Redis, nodes of the server, and a balancer in front of them.

All of it lies in one folder, and all of it ends with the process that started it.
"""

import asyncio
import contextlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import redis.asyncio

from server.proof.notes import new_signer
from tests.cluster import examples
from tests.cluster.database import Alone, Postgres, Trio, patroni_is_there
from tests.cluster.programs import LOOPBACK, NotThere, Program, fetched, free_ports

ROOT = Path(__file__).parents[2]


class Redis:
    """A Redis with the settings and the user of deploy/redis, without TLS."""

    def __init__(self, port: int, secrets: Path, logs: Path) -> None:
        self.port = port
        command: list[str | Path] = [_found("redis-server"), examples.DEPLOY / "redis" / "redis.conf"]
        command += ["--port", str(port), "--tls-port", "0", "--bind", LOOPBACK, "--dir", logs]
        command += ["--aclfile", secrets / "redis_users"]
        self.program = Program("redis", command, logs)
        self._url = (secrets / "redis_url").read_text().strip()

    async def start(self) -> None:
        """Start it, and wait until it answers. Raises NotThere."""
        self.program.start()
        await self.program.ready(self._answers)

    async def _answers(self) -> bool:
        async with redis.asyncio.Redis.from_url(self._url) as client:
            return bool(await client.ping())


class Node:
    """A node of the server, with a folder of its own."""

    def __init__(self, number: int, port: int, folder: Path, logs: Path, environ: dict[str, str]) -> None:
        self.port = port
        self.url = f"http://{LOOPBACK}:{port}"
        data = folder / f"node{number}"
        data.mkdir()
        own = {"FLEETFOLD_PORT": str(port), "FLEETFOLD_DATA": str(data), "PYTHONPATH": str(ROOT)}
        self.program = Program(
            f"node{number}", [sys.executable, "-m", "server", "serve"], logs, environ={**environ, **own}
        )
        self.data = data

    async def start(self) -> None:
        """Start it, and wait until it is ready. Raises NotThere."""
        self.program.start()
        await self.program.ready(self._ready, within=120)

    async def again(self) -> None:
        """Start it again and again until it stays: the database may be away."""
        while True:
            with contextlib.suppress(NotThere):
                await self.start()
                return
            await asyncio.sleep(0.2)

    async def _ready(self) -> bool:
        status, _ = await fetched(self.port, "/readyz")
        return status == 200

    async def number(self, name: str) -> float:
        """Return a number of its /metrics, the sum over its labels."""
        _, text = await fetched(self.port, "/metrics")
        lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
        return sum(float(value) for what, _, value in lines if what.partition("{")[0] == name)


class Cluster:
    """What stands; made by `cluster`."""

    def __init__(self, folder: Path, count: int, settings: dict[str, str]) -> None:
        self.folder, logs = folder, folder / "logs"
        logs.mkdir()
        port, redis_port, *ports = free_ports(2 + count)
        self.url = f"http://{LOOPBACK}:{port}"
        secrets = folder / "secrets"
        examples.drawn(secrets, f"redis://{LOOPBACK}:{redis_port}")
        self.keys = secrets / "keys"
        self.redis = Redis(redis_port, secrets, logs)
        self.postgres: Postgres = (
            Trio(folder / "postgres", logs) if patroni_is_there() else Alone(folder / "postgres")
        )
        self._common = {
            "FLEETFOLD_REDIS_URL": (secrets / "redis_url").read_text().strip(),
            "FLEETFOLD_KEYS": str(self.keys),
            "FLEETFOLD_PUBLIC_URL": self.url,
            "FLEETFOLD_PROXIES": "1",
            "FLEETFOLD_DRAIN_SECONDS": "2",
            "FLEETFOLD_PROCESSES": "1",  # three nodes are processes enough for one machine
            **settings,
        }
        self._ports, self._logs = ports, logs
        self.nodes: list[Node] = []
        balancing = folder / "haproxy.cfg"
        balancing.write_text(examples.balancer(port, ports))
        self._balancer = Program("haproxy", [_found("haproxy"), "-db", "-f", balancing], logs)
        self._balancer_port = port

    async def start(self) -> None:
        """Start all of it. Raises NotThere."""
        await asyncio.gather(self.postgres.start(), self.redis.start())
        environ = {**self._common, "FLEETFOLD_DATABASE_URL": self.postgres.url}
        signer = new_signer()
        for number, port in enumerate(self._ports, 1):
            node = Node(number, port, self.folder, self._logs, environ)
            if number <= 2:  # one signs, and the second signs on when the first is gone
                signer.write(node.data / "signer")
            self.nodes.append(node)
        first, *others = self.nodes
        await first.start()  # it makes the schema
        await asyncio.gather(*(node.start() for node in others))
        self._balancer.start()
        await self._balancer.ready(partial(_leads_to_a_node, self._balancer_port))

    async def stop(self) -> None:
        """End all of it."""
        self._balancer.kill()
        await asyncio.gather(*(node.program.stop() for node in self.nodes))
        self.redis.program.kill()
        await self.postgres.stop()


@contextlib.asynccontextmanager
async def cluster(nodes: int = 3, **settings: str) -> AsyncIterator[Cluster]:
    """Run a cluster in a folder of its own, which is removed at the end; `settings` are FLEETFOLD_ ones.

    Raises NotThere.
    """
    folder = Path(tempfile.mkdtemp(prefix="fleetfold-cluster-"))
    folder.chmod(0o755)  # Postgres of an account of its own passes through
    try:
        made = Cluster(folder, nodes, settings)
        try:
            await made.start()
            yield made
        finally:
            await made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _leads_to_a_node(port: int) -> bool:
    status, said = await fetched(port, "/readyz")
    return status == 200 and bool(json.loads(said)["ready"])


def _found(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise NotThere(f"There is no {program}: run `deploy/provision redis haproxy patroni`.")
    return found


def memory(pid: int) -> int:
    """Return the resident memory of a process in bytes; 0 if it is gone."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0
