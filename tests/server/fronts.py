"""A proxy of deploy/proxy in front of a node: the real program, with TLS, reads the operator's example.

What is the operator's is this machine's: the name is the loopback's address, ports are free ones, the
certificate is of the tests' authority. What else is changed a test names (`changes`, whole lines).

Deliberately absent: ports below 1024 and certificates from elsewhere.
"""

import asyncio
import contextlib
import http.client
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from tests.cluster.examples import with_lines
from tests.cluster.programs import LOOPBACK, Program, free_ports
from tests.deploy.files import DEPLOY
from tests.server.certificates import Certificates
from tests.server.reading import Got

FILES: Final = {"nginx": "nginx.conf", "caddy": "Caddyfile", "haproxy": "haproxy.cfg"}
"""The example of each program."""

NOBODY: Final[Mapping[str, str]] = {}


class Front:
    """A proxy that runs: at `url` with TLS, and without on the port `plain`."""

    def __init__(self, folder: Path, port: int, plain: int) -> None:
        """Take an existing folder, and the two ports."""
        self.certificates = Certificates(folder / "tls")
        self.port, self.plain = port, plain
        self.url = f"https://{LOOPBACK}:{port}"
        self.trusting = ssl.create_default_context(cafile=str(self.certificates.ca))

    async def get(self, path: str, *, plain: bool = False, headers: Mapping[str, str] = NOBODY) -> Got:
        """Ask over a connection of its own."""
        return await asyncio.to_thread(self._get, path, plain, headers)

    def _get(self, path: str, plain: bool, headers: Mapping[str, str]) -> Got:
        made = (
            http.client.HTTPConnection(LOOPBACK, self.plain, timeout=10)
            if plain
            else http.client.HTTPSConnection(LOOPBACK, self.port, timeout=10, context=self.trusting)
        )
        with contextlib.closing(made):
            made.request("GET", path, headers=dict(headers))
            answer = made.getresponse()
            body = answer.read()
        return Got(body, answer.status, {name.lower(): value for name, value in answer.getheaders()}, body)


def program(name: str) -> str:
    """Return where a program is. Where there is none the test fails, and says what to do."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert found is not None, f"there is no {name}: run `deploy/provision {name}`"
    return found


@contextlib.asynccontextmanager
async def fronted(
    name: str, folder: Path, node: str, changes: Mapping[str, str] = NOBODY
) -> AsyncIterator[Front]:
    """Start a proxy in front of the node at a URL, and end it."""
    folder.mkdir()
    front = Front(folder, *free_ports(2))
    text = with_lines((DEPLOY / "proxy" / FILES[name]).read_text(), changes)
    command, environ = {"nginx": _nginx, "caddy": _caddy, "haproxy": _haproxy}[name](
        text, folder, front, urlsplit(node).netloc
    )
    running = Program(name, [program(name), *command], folder, environ=environ)
    running.start()
    try:
        # A proxy that looks for nodes first sends nobody on before it has found one.
        await running.ready(lambda: _answers(front), within=20)
        yield front
    finally:
        await running.stop()


async def _answers(front: Front) -> bool:
    return (await front.get("/healthz")).status == 200


Started = tuple[list[str | Path], dict[str, str]]
"""What stands behind a program's name, and its environment."""


def _nginx(text: str, folder: Path, front: Front, node: str) -> Started:
    site, settings = folder / "site.conf", folder / "nginx.conf"
    made = front.certificates
    site.write_text(
        with_lines(
            text,
            {
                "listen 80;": f"listen {LOOPBACK}:{front.plain};",
                "listen [::]:80;": "",
                "listen 443 ssl http2;": f"listen {LOOPBACK}:{front.port} ssl http2;",
                "listen [::]:443 ssl http2;": "",
                "server_name fleet.example;": f"server_name {LOOPBACK};",
                "ssl_certificate     /etc/fleetfold/tls/site.crt;": f'ssl_certificate "{made.crt}";',
                "ssl_certificate_key /etc/fleetfold/tls/site.key;": f'ssl_certificate_key "{made.key}";',
                "server 127.0.0.1:8000 max_fails=2 fail_timeout=5s;": (
                    f"server {node} max_fails=2 fail_timeout=5s;"
                ),
            },
        )
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "\n".join(f'{kind}_temp_path "{folder}/{kind}";' for kind in kinds)
    settings.write_text(
        f'{"user root;" if os.getuid() == 0 else ""}\ndaemon off;\npid "{folder}/pid";\nevents {{}}\n'
        f'http {{\naccess_log off;\n{places}\ninclude "{site}";\n}}\n'
    )
    return ["-c", settings, "-p", folder, "-e", "stderr"], {}


def _caddy(text: str, folder: Path, front: Front, node: str) -> Started:
    settings = folder / "Caddyfile"
    ours = f"admin off\nhttp_port {front.plain}\nhttps_port {front.port}\ndefault_bind {LOOPBACK}\nservers {{"
    made = front.certificates
    changes = {"servers {": ours, "{$SITE} {": f'{{$SITE}} {{\ntls "{made.crt}" "{made.key}"'}
    if _version("caddy", "version") < (2, 7):
        changes["stream_close_delay 5m"] = ""  # what a distribution packs may not know it yet
    settings.write_text(with_lines(text, changes))
    environ = {"SITE": LOOPBACK, "SERVER": node, "HOME": str(folder)}
    return ["run", "--adapter", "caddyfile", "--config", settings], environ


def _haproxy(text: str, folder: Path, front: Front, node: str) -> Started:
    settings, site = folder / "haproxy.cfg", folder / "site.pem"
    made = front.certificates
    site.write_bytes(made.crt.read_bytes() + made.key.read_bytes())
    settings.write_text(
        with_lines(
            text,
            {
                "bind :80": f"bind {LOOPBACK}:{front.plain}",
                "bind :443 ssl crt /etc/fleetfold/tls/site.pem alpn h2,http/1.1": (
                    f"bind {LOOPBACK}:{front.port} ssl crt '{site}' alpn h2,http/1.1"
                ),
                "server node1 127.0.0.1:8000 check": f"server node1 {node} check",
            },
        )
    )
    return ["-db", "-f", settings], {}


def _version(name: str, *words: str) -> tuple[int, ...]:
    said: Any = subprocess.run([program(name), *words], check=True, capture_output=True, text=True).stdout
    found = re.search(r"\d+(?:\.\d+)+", said)
    assert found is not None, said
    return tuple(int(one) for one in found[0].split("."))
