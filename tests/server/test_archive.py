"""The file of a backup: whatever is wrong with it is said in a sentence, before it takes memory or disk."""

import asyncio
import signal
import struct
import sys
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import json, structs

from server.commands import restore as restoring
from server.commands.archive import LONGEST, MANIFEST, Manifest, reading, writing
from server.commands.backup import back_up
from server.commands.restore import command, schema_of
from server.postgres.database import Unfit
from server.postgres.migrations import SchemaError
from tests.conftest import running
from tests.server.talk import offer

ROOT = Path(__file__).parents[2]
FACTS = b"a\tb\n" * 1000


def manifest(**said: Any) -> Manifest:
    some: dict[str, Any] = {
        "form": 1, "id": str(uuid4()), "made": "2026-11-29T05:00:00Z", "server": "1", "postgres": "18.4",
        "schema": [], "matches": 0, "facts": 0, "size": 0, "root": "", "sealed_with": [], "members": {},
    }  # fmt: skip
    return json.decode(json.encode({**some, **said}), type=Manifest)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Give an archive with a table and a key ring."""
    path = tmp_path / "b.zip"
    with writing(path) as archive:
        archive.add("tables/log.fact", FACTS)
        archive.add("secrets/keys", b"a ring")
        archive.end(manifest(members=json.decode(json.encode(archive.members))))
    return path


def read_whole(path: Path) -> None:
    """Read everything in an archive, as a restore does."""
    with reading(path) as archive:
        schema_of(archive.manifest)
        for name in archive.manifest.members:
            if name.startswith("tables/"):
                for _ in archive.pieces(name):
                    pass
            else:
                archive.text(name)


def again(file: Path, *, compressed: int = zipfile.ZIP_DEFLATED, **changed: bytes | None) -> Path:
    """Write an archive again, with other contents of members, or without them."""
    names = {"facts": "tables/log.fact", "keys": "secrets/keys", "manifest": MANIFEST}
    to = file.with_name("again.zip")
    with ZipFile(file) as old, ZipFile(to, "w", compressed) as new:
        for word, name in names.items():
            content = changed.get(word, old.read(name))
            if content is not None:
                new.writestr(name, content)
    return to


def patched(file: Path, name: str, at: int, value: bytes) -> Path:
    """Change what the directory says of a member, from a byte of its entry on."""
    content = bytearray(file.read_bytes())
    entry = content.rindex(name.encode()) - 46
    assert content[entry : entry + 4] == b"PK\x01\x02"
    content[entry + at : entry + at + len(value)] = value
    to = file.with_name("patched.zip")
    to.write_bytes(content)
    return to


def twice(file: Path) -> Path:
    """Put a member into an archive a second time."""
    with pytest.warns(UserWarning, match="Duplicate name"), ZipFile(file, "a") as archive:
        archive.writestr("secrets/keys", b"another")
    return file


def nested(file: Path) -> Path:
    return again(file, manifest=b"[" * 100_000)


WRONG: dict[str, tuple[Any, str]] = {
    "empty": (lambda file: cut(file, 0), "File is not a zip file"),
    "cut short": (lambda file: cut(file, file.stat().st_size - 30), "File is not a zip file"),
    "a picture": (lambda file: (file.write_bytes(b"\x89PNG" * 99), file)[1], "File is not a zip file"),
    "without a manifest": (lambda file: again(file, manifest=None), "no item named 'manifest.json'"),
    "a manifest that is not UTF-8": (
        lambda file: again(file, manifest=b'{"form":"\xff"}'), "cut short or damaged"
    ),
    "a manifest that is no JSON": (lambda file: again(file, manifest=b"form = 1"), "JSON is malformed"),
    "a manifest of something else": (lambda file: again(file, manifest=b"{}"), "missing required field"),
    "a manifest that is too deep": (nested, "cut short or damaged"),
    "a manifest that is too large": (
        lambda file: again(file, manifest=bytes(LONGEST + 1)), "manifest.json is too large"
    ),
    "without a member": (lambda file: again(file, keys=None), "are not those that its manifest names"),
    "a name twice": (twice, "are not those that its manifest names"),
    "another size": (lambda file: again(file, keys=b"ring"), "secrets/keys is not as large"),
    "another content": (
        lambda file: again(file, keys=b"A ring"), "secrets/keys is not what its manifest says"
    ),
    "compressed otherwise": (
        lambda file: again(file, compressed=zipfile.ZIP_LZMA), "manifest.json is compressed otherwise"
    ),
    "encrypted": (lambda file: patched(file, "secrets/keys", 8, b"\x01"), "secrets/keys is encrypted"),
    "another sum": (lambda file: patched(file, "secrets/keys", 16, b"\0\0\0\0"), "Bad CRC-32"),
}  # fmt: skip


def cut(file: Path, size: int) -> Path:
    file.write_bytes(file.read_bytes()[:size])
    return file


@pytest.mark.parametrize("fault", WRONG)
def test_what_is_wrong_with_a_file_is_said_in_one_sentence(
    file: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, said = WRONG[fault]
    monkeypatch.setenv("FLEETFOLD_DATABASE_URL", "postgresql://nobody@127.0.0.1:1/nothing")
    monkeypatch.setattr(restoring, "log_lines", lambda _level: None)  # for the tests that follow, too

    done = CliRunner().invoke(command, [str(make(file))])

    assert (1, SystemExit) == (done.exit_code, type(done.exception)), done
    assert done.output.startswith("Error: ")
    assert 1 == done.output.count("\n")
    assert said in done.output


def test_what_inflates_beyond_its_size_takes_no_memory(file: Path, tmp_path: Path) -> None:
    """Given members of 50 MB whose entries say what the manifest says."""
    bomb = tmp_path / "bomb.zip"
    zeros = bytes(50 << 20)
    with ZipFile(file) as old:
        said = json.decode(old.read(MANIFEST), type=Manifest)
    with ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for name in said.members:
            new.writestr(name, zeros)
        new.writestr(MANIFEST, json.encode(said))
    del zeros
    for name, member in said.members.items():
        assert member.size is not None
        bomb = patched(bomb, name, 24, struct.pack("<I", member.size))

    tracemalloc.start()
    try:
        with reading(bomb) as archive:
            with pytest.raises(Unfit, match="secrets/keys cannot be read: Bad CRC-32"):
                archive.text("secrets/keys")
            with pytest.raises(Unfit, match=r"tables/log.fact cannot be read: Bad CRC-32"):
                list(archive.pieces("tables/log.fact"))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert most < 8 << 20


def test_a_size_that_is_not_the_manifest_s_is_refused_before_anything_is_read(file: Path) -> None:
    with reading(file) as archive:
        said = archive.manifest
    members = {**said.members, "tables/log.fact": structs.replace(said.members["tables/log.fact"], size=5)}
    changed = again(file, manifest=json.encode(structs.replace(said, members=members)))

    with pytest.raises(Unfit, match=r"tables/log.fact is too large: 4000 bytes"), reading(changed):
        pass


def test_a_backup_that_does_not_say_sizes_is_read_as_before(file: Path) -> None:
    with reading(file) as archive:
        said = archive.manifest
    members = {name: structs.replace(one, size=None) for name, one in said.members.items()}
    read_whole(again(file, manifest=json.encode(structs.replace(said, members=members))))


async def test_bytes_that_were_changed_are_found_or_change_nothing(
    dsn: str, folder: Path, tmp_path: Path
) -> None:
    """Given a real backup, and changes of it that are the same at each run."""
    file = tmp_path / "b.zip"
    async with running(dsn, folder) as server:
        await offer(server.url)
        await back_up(server.settings, lambda _made: file, with_keys=True)
    content, found = file.read_bytes(), set[int]()
    directory = content.index(b"PK\x01\x02")
    anywhere = st.integers(0, len(content) - 1) | st.integers(directory, len(content) - 1)

    @settings(max_examples=200, derandomize=True)
    @given(
        edits=st.lists(st.tuples(anywhere, st.integers(1, 255)), max_size=6),
        end=st.just(len(content)) | anywhere,
        inserted=st.tuples(anywhere, st.binary(max_size=4)),
    )
    def holds(edits: list[tuple[int, int]], end: int, inserted: tuple[int, bytes]) -> None:
        changed = bytearray(content)
        for place, by in edits:
            changed[place] ^= by
        changed[inserted[0] : inserted[0]] = inserted[1]
        path = tmp_path / "changed.zip"
        path.write_bytes(changed[:end])
        try:
            read_whole(path)
        except (Unfit, SchemaError) as why:
            found.add(len(str(why).splitlines()))
        else:
            found.add(0)

    await asyncio.to_thread(holds)
    assert {0, 1} == found


KILLED = """
import sys
from pathlib import Path
from server.commands.archive import writing
with writing(Path(sys.argv[1])) as archive:
    archive.add("nonces/some", b"some")
    print(flush=True)
    sys.stdin.read()
"""


def names_in(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


async def killed(path: Path) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, str(path), cwd=ROOT,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    await asyncio.wait_for(process.stdout.readline(), 20)
    return process


async def test_what_a_killed_backup_left_is_removed_by_the_next_and_no_other_draft(tmp_path: Path) -> None:
    dead, alive = await asyncio.gather(killed(tmp_path / "dead.zip"), killed(tmp_path / "alive.zip"))
    dead.send_signal(signal.SIGKILL)
    await dead.wait()
    (tmp_path / ".mine.0123abcd").touch()
    left = len(names_in(tmp_path))
    with writing(tmp_path / "b.zip") as archive:
        archive.end(manifest())
    now = names_in(tmp_path)
    await alive.communicate(b"")

    assert 3 == left
    assert [".mine.0123abcd", "b.zip"] == [now[1], now[2]]
    assert now[0].startswith(".alive.zip.")
    assert [".mine.0123abcd", "alive.zip", "b.zip"] == names_in(tmp_path)
