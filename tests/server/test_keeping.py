"""The keys that lie beside a database: what the settings name counts, and two that differ are not one."""

from pathlib import Path
from typing import Any

import pytest

from server.commands.keeping import still_to_do, to_back_up, to_restore, to_write
from server.proof.keys import KeyFault, write_private
from server.settings import Settings
from tests.server.test_starts import key

RING, OTHER = key("k"), key("other")
NONE: dict[str, Path | None] = {"keys": None, "signer": None}


def settings(folder: Path, **more: Any) -> Settings:
    return Settings(database_url="postgresql://nowhere/", data=folder, port=0, **more)


def written(file: Path, text: str) -> Path:
    write_private(file, text)
    return file


@pytest.mark.parametrize(("name", "setting"), [("keys", "FLEETFOLD_KEYS"), ("signer", "FLEETFOLD_SIGNER")])
def test_an_option_and_a_setting_that_name_different_keys_are_refused(
    tmp_path: Path, name: str, setting: str
) -> None:
    given = {**NONE, name: written(tmp_path / "given", OTHER)}
    wanted = f"--{name} names another than {setting}"

    with pytest.raises(KeyFault, match=wanted):
        to_restore(settings(tmp_path, **{name: RING}), given, {})
    with pytest.raises(KeyFault, match=wanted):
        to_restore(settings(tmp_path, **{f"{name}_file": written(tmp_path / "set", RING)}), given, {})


def test_an_option_and_a_setting_that_name_the_same_ring_are_one(tmp_path: Path) -> None:
    given = {**NONE, "keys": written(tmp_path / "given", f"# of the old server\n\n{RING}\n")}

    assert {"keys": RING} == to_restore(settings(tmp_path, keys=RING), given, {})


def test_what_a_setting_names_comes_before_the_backup_and_what_lies_in_the_folder(tmp_path: Path) -> None:
    for name in NONE:
        written(tmp_path / name, key("lying"))
    set_by = settings(tmp_path, keys=RING, signer="a signer")
    texts = to_restore(set_by, NONE, {"keys": OTHER, "signer": "another"})

    assert {"keys": RING, "signer": "a signer"} == texts
    assert {} == to_write(set_by, texts)


def test_another_key_in_the_folder_than_in_the_backup_is_refused(tmp_path: Path) -> None:
    written(tmp_path / "keys", RING)

    assert {"keys": RING} == to_restore(settings(tmp_path), NONE, {"keys": RING})
    with pytest.raises(KeyFault, match=r"keys is there already, and is another"):
        to_restore(settings(tmp_path), NONE, {"keys": OTHER})


def test_what_nothing_names_is_written_where_the_server_looks_for_it(tmp_path: Path) -> None:
    texts = to_restore(settings(tmp_path), NONE, {"keys": RING, "signer": "a signer"})

    assert {tmp_path / "keys": RING, tmp_path / "signer": "a signer"} == to_write(settings(tmp_path), texts)


def test_what_is_still_to_do_is_said_and_nothing_else(tmp_path: Path) -> None:
    def said(kept: str = "a signer", **more: Any) -> str:
        return " ".join(still_to_do(settings(tmp_path, **more), {"signer": kept}))

    assert "Set FLEETFOLD_KEYS to a new key ring" in said()
    assert "The key that signs checkpoints is not there" in said()
    assert "" == said(keys=RING, signer="a signer")
    assert "FLEETFOLD_SIGNER is another key" in said(keys=RING, signer="another")
    written(tmp_path / "keys", RING)
    written(tmp_path / "signer", "a signer")
    assert said().startswith("Set FLEETFOLD_KEYS to the key ring before you start")
    assert "checkpoints" not in said()


def test_a_backup_takes_what_the_settings_name_before_what_lies_in_the_folder(tmp_path: Path) -> None:
    for name in NONE:
        written(tmp_path / name, key("lying"))
    set_by = settings(tmp_path, keys_file=written(tmp_path / "ring", RING), signer="a signer")

    assert {"keys": RING, "signer": "a signer"} == to_back_up(set_by)
    with pytest.raises(KeyFault, match="FLEETFOLD_KEYS is not set"):
        to_back_up(settings(tmp_path))
