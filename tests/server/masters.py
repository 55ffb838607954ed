"""Several Redises for tests, with the user of deploy/redis: a Cluster, or a service with Sentinels.

What tests and replicas ask themselves goes by the default user; the URL for a server has the other one.
"""

import hashlib
import re
import secrets
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Self
from uuid import UUID

import redis
from redis.crc import key_slot

from server.bench.redis_server import RedisServer
from server.fanout.channels import channel
from tests.cluster.programs import free_ports
from tests.deploy.files import DEPLOY
from tests.server.certificates import Certificates

SLOTS: Final = 16384

SERVICE: Final = "fleet"


def users(password: str) -> list[list[str]]:
    """Return the users of deploy/redis, all with this password, as ACL SETUSER takes them."""
    text = (DEPLOY / "redis" / "users.acl").read_text()
    text = re.sub(r"SHA256_OF_\w+", hashlib.sha256(password.encode()).hexdigest(), text)
    return [line.split()[1:] for line in text.splitlines()]


def waited(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until a condition holds, without an event loop."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it does not become so"
        time.sleep(0.02)


class Several:
    """Redises on ports of the loopback, all with the user of deploy/redis; with certificates by TLS alone."""

    def __init__(self, folder: Path, certificates: Certificates | None = None) -> None:
        """Take an empty folder, which goes with them."""
        self.folder, self.certificates = folder, certificates
        self.scheme = "rediss" if certificates else "redis"
        self.options = certificates.options if certificates else ""
        self.servers: list[RedisServer] = []
        self._password = secrets.token_hex(8)
        self.user = f"fleetfold:{self._password}"

    def __enter__(self) -> Self:
        """Give them as they are."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all for good."""
        for server in self.servers:
            server.kill()
        shutil.rmtree(self.folder)

    def add(self, port: int, settings: Mapping[str, str]) -> RedisServer:
        """Start one more."""
        every = {"repl-diskless-sync-delay": "0", **self.tls(port), **settings}
        words = [word for name, value in every.items() for word in (f"--{name}", *value.split(" "))]
        server = self._add(port, *words)
        self.start(server)
        return server

    def _add(self, port: int, *words: str, config: Path | None = None) -> RedisServer:
        folder = self.folder / str(port)
        folder.mkdir(exist_ok=True)
        server = RedisServer(folder, *words, port=port, config=config)
        server.url = f"{self.scheme}://127.0.0.1:{port}{self.options}"
        self.servers.append(server)
        return server

    def tls(self, port: int) -> dict[str, str]:
        """Return the settings by which a Redis or a Sentinel speaks TLS alone."""
        if self.certificates is None:
            return {}
        port_of = {"port": "0", "tls-port": str(port), "tls-auth-clients": "no"}
        everywhere = dict.fromkeys(("tls-replication", "tls-cluster"), "yes")
        return port_of | everywhere | self.certificates.settings

    def start(self, server: RedisServer) -> None:
        """Start one, which has forgotten its users if it ran before."""
        server.start()
        for user in users(self._password):
            if user[0] != "default":
                server.ask("ACL", "SETUSER", *user)


class Pretender(Several):
    """One Redis that is named as if it were a Cluster, and may know no HELLO."""

    def __init__(self, folder: Path, settings: Mapping[str, str]) -> None:
        super().__init__(folder)
        self.options = "?protocol=2"
        self.url = f"redis+cluster://127.0.0.1:{self.add(free_ports(1)[0], settings).port}"


class Cluster(Several):
    """Three masters with a third of the slots each, and as many replicas of each as wanted."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, str] = {},
        *,
        replicas: int = 0,
        certificates: Certificates | None = None,
    ) -> None:
        super().__init__(folder, certificates)
        count = 3 * (1 + replicas)
        ports = free_ports(2 * count)
        for number, (port, between) in enumerate(zip(ports[:count], ports[count:], strict=True)):
            own = {"cluster-enabled": "yes", "cluster-port": str(between), "cluster-node-timeout": "1000"}
            server = self.add(port, {**own, **settings})
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            if number:
                self.servers[0].ask("CLUSTER", "MEET", "127.0.0.1", port, between)
        self.masters = self.servers[:3]
        self._moved: dict[int, RedisServer] = {}
        for number, master in enumerate(self.masters):
            first, last = SLOTS * number // 3, SLOTS * (number + 1) // 3 - 1
            master.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
        waited(lambda: all(self._knows(one) == count for one in self.servers))
        for number, replica in enumerate(self.servers[3:]):
            replica.ask("CLUSTER", "REPLICATE", self.name(self.masters[number % 3]))
        waited(lambda: all(self._well(one) for one in self.servers))
        places = ",".join(f"127.0.0.1:{one.port}" for one in self.masters)
        self.url = f"{self.scheme}+cluster://{self.user}@{places}{self.options}"

    def _knows(self, server: RedisServer) -> int:
        nodes: Any = server.ask("CLUSTER NODES")
        return sum("handshake" not in node["flags"] for node in nodes.values())

    def _well(self, server: RedisServer) -> bool:
        told: Any = server.ask("CLUSTER INFO")
        return told["cluster_state"] == "ok" and in_step(server)

    def name(self, server: RedisServer) -> str:
        """Return the name of a server in the cluster."""
        name: Any = server.ask("CLUSTER", "MYID")
        return str(name.decode())

    def move(self, slot: int, source: RedisServer, target: RedisServer) -> None:
        """Move a slot with its keys, as `redis-cli --cluster reshard` does."""
        target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", self.name(source))
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", self.name(target))
        waited(lambda: self._moved_on(slot, source, target))
        for server in (target, source, *self.masters):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", self.name(target))
        self._moved[slot] = target
        waited(lambda: all(self._port_of(slot, one) == target.port for one in self.masters))

    def _moved_on(self, slot: int, source: RedisServer, target: RedisServer) -> bool:
        """Move some keys of a slot; whether there were none."""
        keys = source.ask("CLUSTER", "GETKEYSINSLOT", slot, 100)
        assert isinstance(keys, list)
        if keys:
            source.ask("MIGRATE", "127.0.0.1", target.port, "", 0, 1000, "KEYS", *keys)
        return not keys

    def _port_of(self, slot: int, told_by: RedisServer) -> int:
        """Return the port of who has a slot, as one of them knows it."""
        table: Any = told_by.ask("CLUSTER SLOTS")
        return int(next(master[1] for first, last, master, *_ in table if first <= slot <= last))

    def put_back(self) -> None:
        """Move all slots that were moved to the masters that had them at first."""
        for slot, now in list(self._moved.items()):
            if now is not self._first(slot):
                self.move(slot, now, self._first(slot))
        self._moved.clear()

    def channels(self, server: RedisServer) -> set[bytes]:
        """Return the channels that somebody hears at a master."""
        found: Any = server.ask("PUBSUB", "SHARDCHANNELS")
        return set(found)

    def hearers(self, server: RedisServer, match: UUID) -> int:
        """Return how many hear a match's channel at a master."""
        return hearers(server, "SHARDNUMSUB", match)

    def master_of(self, name: str) -> RedisServer:
        """Return who has the slot of a name."""
        slot = key_slot(name.encode())
        return self._moved.get(slot, self._first(slot))

    def _first(self, slot: int) -> RedisServer:
        return next(one for number, one in enumerate(self.masters, 1) if slot < SLOTS * number // 3)


class Service(Several):
    """A master with a replica, and Sentinels, which take it for dead after 0.3 s."""

    def __init__(self, folder: Path, *, sentinels: int = 1, certificates: Certificates | None = None) -> None:
        super().__init__(folder, certificates)
        master, replica, *others = free_ports(2 + sentinels)
        self.master = self.add(master, {})
        self.replica = self.add(replica, {"replicaof": f"127.0.0.1 {master}"})
        waited(lambda: in_step(self.replica))
        self.sentinels = [self._sentinel(port, sentinels // 2 + 1) for port in others]
        waited(lambda: all(self._knows(one) == (1, sentinels - 1) for one in self.sentinels))
        places = ",".join(f"127.0.0.1:{one.port}" for one in self.sentinels)
        options = f"{self.options or '?'}&sentinel_username=watch&sentinel_password={self._password}"
        self.url = f"{self.scheme}+sentinel://{self.user}@{places}/{SERVICE}{options}"

    def _sentinel(self, port: int, quorum: int) -> RedisServer:
        folder = self.folder / str(port)
        folder.mkdir()
        config = folder / "sentinel.conf"
        settings = {"port": str(port), "bind": "127.0.0.1", "dir": str(folder), **self.tls(port)}
        own = [
            f"sentinel monitor {SERVICE} 127.0.0.1 {self.master.port} {quorum}",
            f"sentinel down-after-milliseconds {SERVICE} 300",
            f"sentinel failover-timeout {SERVICE} 3000",
        ]
        config.write_text("\n".join([*map(" ".join, settings.items()), *own, ""]))
        server = self._add(port, "--sentinel", config=config)
        server.start()
        rights = ["-@all", "+auth", "+hello", "+ping", "+client|setname", "+sentinel|masters"]
        server.ask("ACL", "SETUSER", "watch", "on", f">{self._password}", *rights)
        return server

    def _knows(self, sentinel: RedisServer) -> tuple[int, int]:
        told = self._told(sentinel)
        return int(told["num-slaves"]), int(told["num-other-sentinels"])

    def _told(self, sentinel: RedisServer) -> Any:
        return sentinel.ask("SENTINEL MASTER", SERVICE)

    def be_patient(self) -> None:
        """Have Sentinels take the master for dead no more, and wait until they do not."""
        for one in self.sentinels:
            one.ask("SENTINEL SET", SERVICE, "down-after-milliseconds", 60000)
        waited(lambda: all(self._told(one)["flags"] == "master" for one in self.sentinels))

    def named(self) -> int:
        """Return the port of who is master, as the first Sentinel says."""
        return int(self._told(self.sentinels[0])["port"])

    def hearers(self, match: UUID) -> int:
        """Return how many hear a match's channel at the replica."""
        try:
            return hearers(self.replica, "NUMSUB", match)
        except redis.ConnectionError:  # Sentinels end all connections of who becomes master
            return 0


def hearers(server: RedisServer, question: str, match: UUID) -> int:
    """Return how many hear a match's channel at a server, by what PUBSUB answers."""
    told: Any = server.ask("PUBSUB", question, channel(match))
    return int(told[1])


def in_step(server: RedisServer) -> bool:
    """Whether a Redis is a master, or a replica that has its master's data."""
    role: Any = server.ask("ROLE")
    return bool(role[0] == b"master" or role[3] == b"connected")
