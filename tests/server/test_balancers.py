"""HAProxy takes both of its files as they are in deploy/. Where there is no HAProxy this fails."""

import subprocess
from pathlib import Path

import pytest

from tests.deploy.files import DEPLOY
from tests.server.certificates import Certificates
from tests.server.fronts import program

TLS = "/etc/fleetfold/tls/site.pem"


@pytest.mark.parametrize(("name", "named"), [("proxy/haproxy.cfg", 1), ("patroni/haproxy.cfg", 0)])
def test_haproxy_takes_the_file_without_a_warning(tmp_path: Path, name: str, named: int) -> None:
    """Given a certificate in the place of the operator's; for the database no TLS ends here."""
    made = Certificates(tmp_path / "tls")
    site, settings = tmp_path / "tls" / "site.pem", tmp_path / "haproxy.cfg"
    site.write_bytes(made.crt.read_bytes() + made.key.read_bytes())
    text = (DEPLOY / name).read_text()
    settings.write_text(text.replace(TLS, str(site)))

    checked = subprocess.run(
        [program("haproxy"), "-c", "-f", settings], check=False, capture_output=True, text=True, timeout=60
    )

    assert named == text.count(TLS)
    assert (0, ["Configuration file is valid"]) == (
        checked.returncode,
        (checked.stdout + checked.stderr).splitlines(),
    )
