"""What is installed: the page and the rulebooks are inside, so that an installed fleetfold needs no Node."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_page_the_rulebooks_the_schema_and_the_data(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())

    wanted = {
        "clients/web/dist/index.html",
        "server/rules/midway.md",
        "server/postgres/schema/0001_log.sql",
        "domain/midway/data/midway.json",
        "clients/PROTOCOL.md",
    }
    assert set() == wanted - names
    assert any(name.startswith("clients/web/dist/assets/") for name in names)
    assert not any("node_modules" in name or name.startswith(("tests/", "clients/web/src")) for name in names)


def test_the_wheel_holds_the_licence_of_everything_that_is_in_the_page(wheel: Path) -> None:
    built = zipfile.ZipFile(wheel)
    texts = {
        name.rpartition("/")[2]: built.read(name).decode()
        for name in built.namelist()
        if name.startswith("clients/web/dist/licences/")
    }

    assert "SIL OPEN FONT LICENSE" in texts["fontsource-variable-archivo.txt"].upper()
    assert "Copyright" in texts["svelte.txt"]
    assert {"clsx.txt", "world-atlas.txt"} < set(texts)
    assert all(texts.values())


def test_what_was_installed_serves_the_page_and_the_rules(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    ask = (
        "from server.serving import BUILT; from server.http.titles import RULES;"
        "print((BUILT / 'index.html').is_file(), (RULES / 'midway.md').is_file(), BUILT)"
    )

    said = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout

    assert f"True True {tmp_path / 'clients' / 'web' / 'dist'}" == said.strip()
