"""The examples of deploy/ with the places, ports and passwords of this machine put into them.

What is to be replaced has to be there: an example that was changed is noticed, and not passed over.
"""

import secrets
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.cluster.programs import LOOPBACK

DEPLOY = Path(__file__).parents[2] / "deploy"
FORWARDED = "http-request set-header X-Forwarded-Proto"


def with_lines(text: str, changes: Mapping[str, str]) -> str:
    """Replace whole lines, given without what they are indented by; an empty line takes one out."""
    lines, left = [], dict(changes)
    for line in text.splitlines():
        said = line.strip()
        if said not in changes:
            lines.append(line)
            continue
        left.pop(said, None)
        indent = line[: len(line) - len(line.lstrip())]
        lines += [indent + new for new in changes[said].splitlines()]
    assert not left, f"the example has no such lines: {list(left)}"
    return "\n".join(lines) + "\n"


def drawn(folder: Path, redis: str = "", postgres: str = "") -> None:
    """Draw keys and passwords into a new folder by deploy/secrets, which says what the places look like."""
    environ = {"PATH": "/usr/bin:/bin:/usr/local/bin", "REDIS": redis, "POSTGRES": postgres}
    subprocess.run([DEPLOY / "secrets", folder], check=True, stderr=subprocess.DEVNULL, env=environ)


def balancer(port: int, nodes: Sequence[int]) -> str:
    """Return HAProxy's settings for the nodes, without TLS, which needs a name."""
    servers = "\n".join(
        f"server node{number} {LOOPBACK}:{node} check" for number, node in enumerate(nodes, 1)
    )
    return with_lines(
        (DEPLOY / "proxy" / "haproxy.cfg").read_text(),
        {
            "bind :80": f"bind {LOOPBACK}:{port}",
            "bind :443 ssl crt /etc/fleetfold/tls/site.pem alpn h2,http/1.1": "",
            "http-request redirect scheme https code 301 unless { ssl_fc }": "",
            f"{FORWARDED} https": f"{FORWARDED} http",
            "server node1 127.0.0.1:8000 check": servers,
        },
    )


def primary(port: int, members: Sequence[tuple[int, int]]) -> str:
    """Return HAProxy's section for the primary of members given by their ports of Postgres and Patroni."""
    return with_lines(
        (DEPLOY / "patroni" / "haproxy.cfg").read_text(),
        {
            "bind 127.0.0.1:5432": f"bind {LOOPBACK}:{port}",
            **{
                f"server postgres{number} 10.0.0.1{number}:5432 check port 8008": (
                    f"server postgres{number} {LOOPBACK}:{postgres} check port {patroni}"
                )
                for number, (postgres, patroni) in enumerate(members, 1)
            },
        },
    )


def patroni(name: str, folder: Path, binaries: Path, ports: Mapping[str, int], password: str) -> str:
    """Return the settings of a member; `ports` are those of `etcd`, `patroni` and `postgres`."""
    settings: dict[str, Any] = yaml.safe_load((DEPLOY / "patroni" / "patroni.yml").read_text())
    settings["name"] = name
    settings["restapi"] = dict.fromkeys(settings["restapi"], f"{LOOPBACK}:{ports['patroni']}")
    settings["etcd3"]["hosts"] = [f"{LOOPBACK}:{ports['etcd']}"]
    postgres = settings["postgresql"]
    postgres["listen"] = postgres["connect_address"] = f"{LOOPBACK}:{ports['postgres']}"
    postgres["data_dir"], postgres["bin_dir"] = str(folder / "data"), str(binaries)
    postgres["pgpass"] = str(folder / "pgpass")
    for login in postgres["authentication"].values():
        login["password"] = password
    postgres["pg_hba"] = [line.replace("10.0.0.0/24", f"{LOOPBACK}/32") for line in postgres["pg_hba"]]
    # A socket beside the data: the usual folder of sockets is not ours.
    postgres["parameters"] = {"unix_socket_directories": str(folder)}
    return yaml.safe_dump(settings)


def password() -> str:
    """Draw a password."""
    return secrets.token_hex(16)
