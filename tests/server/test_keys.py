import base64
import hmac
import stat
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.proof.keys import (
    KeyFault,
    KeyRing,
    Unsealable,
    bot_nonce,
    dice_commitment,
    dice_key,
    find_ring,
    generate,
    match_key,
    private_text,
    read_ring,
    salt_key,
    write_private,
)

MATCH = UUID("018f4e2a-7b3c-7def-8123-456789abcdef")
OTHER = UUID("018f4e2a-7b3c-7def-8123-456789abcdee")
FIRST = bytes.fromhex("8f3a1c5be09d4e7726b8d1f04a93c55e61b70d82fe1947ac3358d6902bef14c8")
SECOND = FIRST[::-1]


def line(name: str, key: bytes) -> str:
    return f"{name} {base64.b64encode(key).decode()}\n"


def test_a_match_key_is_32_bytes_and_new_each_time() -> None:
    keys = {match_key() for _ in range(100)}

    assert (100, {32}) == (len(keys), {len(key) for key in keys})


# made with: openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:8f3a… -kdfopt info:salt HKDF
def test_vector_of_the_salt_key() -> None:
    assert "e6816c1b286345caf40c5a24def5d99c747325bdb147a41eb79e36660576eb25" == salt_key(FIRST).hex()


def test_vectors_of_the_nonces_of_bots() -> None:
    """HKDF once more, in its own words."""
    extracted = hmac.digest(bytes(32), FIRST, "sha256")
    said = [hmac.digest(extracted, b"nonce" + bytes([seat, 1]), "sha256")[:16] for seat in range(7)]

    assert said == [bot_nonce(FIRST, seat) for seat in range(7)]
    assert 7 == len(set(said))


def test_vector_of_the_dice_key() -> None:
    assert "f6dd984fbaa4de1a6a0d75efccb248224a0cd1422c46a28ab05223d2019a2b71" == dice_key(FIRST).hex()


def test_vector_of_the_dice_commitment() -> None:
    assert "ab84807e333b5ac1179f823cfe167f9fb4b54f3aba33fb744133e42ab4ec67c1" == dice_commitment(FIRST)


def test_a_box_opens_again() -> None:
    ring = KeyRing({"a": FIRST})

    assert SECOND == ring.open(MATCH, ring.seal(MATCH, SECOND))


def test_a_box_has_the_layout_of_the_docstring() -> None:
    box = KeyRing({"abc": FIRST}).seal(MATCH, SECOND)

    assert (b"\x01\x03abc", 5 + 12 + 32 + 16) == (box[:5], len(box))


def test_two_boxes_of_one_key_differ() -> None:
    ring = KeyRing({"a": FIRST})

    assert ring.seal(MATCH, SECOND) != ring.seal(MATCH, SECOND)


def test_a_box_does_not_open_for_another_match() -> None:
    ring = KeyRing({"a": FIRST})

    with pytest.raises(Unsealable, match="another match's"):
        ring.open(OTHER, ring.seal(MATCH, SECOND))


def test_the_first_key_seals_and_all_open() -> None:
    old = KeyRing({"old": FIRST})
    new = KeyRing({"new": SECOND, "old": FIRST})
    box = old.seal(MATCH, FIRST)

    assert (FIRST, b"\x01\x03new") == (new.open(MATCH, box), new.seal(MATCH, FIRST)[:5])


def test_a_box_whose_key_is_gone_says_which() -> None:
    box = KeyRing({"old": FIRST}).seal(MATCH, FIRST)

    with pytest.raises(Unsealable, match="needs key 'old'"):
        KeyRing({"new": SECOND}).open(MATCH, box)


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_changed_box_does_not_open(place: int, change: int) -> None:
    ring = KeyRing({"a": FIRST})
    box = bytearray(ring.seal(MATCH, SECOND))
    box[place % len(box)] ^= change

    with pytest.raises(Unsealable):
        ring.open(MATCH, bytes(box))


@given(st.integers(0, 62))
def test_a_box_cut_short_does_not_open(length: int) -> None:
    ring = KeyRing({"a": FIRST})

    with pytest.raises(Unsealable):
        ring.open(MATCH, ring.seal(MATCH, SECOND)[:length])


def test_a_ring_shows_its_ids_only() -> None:
    assert "KeyRing(new, old)" == repr(KeyRing({"new": SECOND, "old": FIRST}))


def test_a_ring_is_read_from_lines() -> None:
    ring = read_ring("# the ring of node 1\n\n" + line("new", SECOND) + line("old", FIRST))

    assert "KeyRing(new, old)" == repr(ring)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("# nothing\n", "empty"),
        ("justone\n", "line 1 .* not an id and a key"),
        ("a !!!!\n", "not base64"),
        (line("a", FIRST[:31]), "31 bytes"),
        (line("ä", FIRST), "the id of a key"),
        (line("a", FIRST) + line("a", SECOND), "stands twice"),
        (line("a", bytes(32)), "not random"),
        (line("a", b"changeme" * 4), "not random"),
        (line("a", bytes(range(32))), "not random"),
        (line("a", bytes(range(64, 0, -2))), "not random"),
    ],
)
def test_an_unfit_ring_is_refused(text: str, reason: str) -> None:
    with pytest.raises(KeyFault, match=reason):
        read_ring(text)


def test_a_refusal_never_shows_the_key() -> None:
    with pytest.raises(KeyFault) as refusal:
        read_ring("a " + "c2VjcmV0" * 3)

    assert "c2VjcmV0" not in str(refusal.value)


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    write_private(tmp_path / "ring", line("file", FIRST))

    assert "KeyRing(env)" == repr(find_ring(text=line("env", FIRST), file=tmp_path / "ring"))


def test_a_ring_is_read_from_a_file_of_mode_0600(tmp_path: Path) -> None:
    write_private(tmp_path / "ring", line("file", FIRST))

    assert "KeyRing(file)" == repr(find_ring(file=tmp_path / "ring"))


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o700])
def test_a_file_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "ring"
    path.write_text(line("file", FIRST))
    path.chmod(mode)

    with pytest.raises(KeyFault, match="mode 0600"):
        find_ring(file=path)


def test_an_absent_file_is_refused_though_a_folder_is_there(tmp_path: Path) -> None:
    with pytest.raises(KeyFault, match="FileNotFoundError"):
        find_ring(file=tmp_path / "ring", folder=tmp_path)


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyFault, match="IsADirectoryError"):
        private_text(tmp_path)


def test_a_server_that_is_not_embedded_needs_its_own_keys() -> None:
    with pytest.raises(KeyFault, match="no key ring"):
        find_ring(text="  ")


def test_an_embedded_server_makes_its_ring_once(tmp_path: Path) -> None:
    box = find_ring(folder=tmp_path).seal(MATCH, FIRST)

    assert FIRST == find_ring(folder=tmp_path).open(MATCH, box)


def test_a_generated_ring_is_for_its_owner_alone(tmp_path: Path) -> None:
    generate(tmp_path / "keys")

    assert (0o600, ["keys"]) == (
        stat.S_IMODE((tmp_path / "keys").stat().st_mode),
        [path.name for path in tmp_path.iterdir()],
    )


def test_a_ring_is_never_written_over(tmp_path: Path) -> None:
    generate(tmp_path / "keys")

    with pytest.raises(FileExistsError):
        generate(tmp_path / "keys")
