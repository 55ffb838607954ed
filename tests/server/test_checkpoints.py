"""Checkpoints.

The reference tree is RFC 6962's own definition, by recursion; the vectors are those of certificate
transparency's reference tests, over leaves given as bytes.
"""

import asyncio
import base64
import hashlib
import string
import time
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Entry, seal
from server.log.store import PostgresLog, Stored
from server.postgres.database import Connection, Database, connection
from server.proof.checkpoints import Sequencer, Tampered, publish
from server.proof.keys import KeyFault
from server.proof.notes import (
    BadNote,
    Checkpoint,
    ForeignNote,
    Signer,
    Verifier,
    find_signer,
    new_signer,
    read_note,
    read_signer,
)
from server.proof.tree import (
    EMPTY,
    Tree,
    consistency_proof,
    includes,
    inclusion_proof,
    leads_to,
    leaf_hash,
    node_hash,
    tree_root,
)

SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")  # of RFC 8032, 7.1
PUBLIC = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
SIGNER = Signer("log.example/fleet", SEED)
BASE64 = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"

# The eight leaves of certificate transparency's reference tests, and the roots over the first 1 to 8 of them.
BYTES = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
LEAVES = [hashlib.sha256(b"\x00" + leaf).digest() for leaf in BYTES]


def reference(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962, 2.1."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return hashlib.sha256(b"\x01" + reference(leaves[:split]) + reference(leaves[split:])).digest()


def forest(size: int) -> list[bytes]:
    return [hashlib.sha256(number.to_bytes(4, "big")).digest() for number in range(size)]


def test_rfc_6962_the_empty_tree() -> None:
    found = Tree().root.hex()

    assert "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" == found


def test_rfc_6962_known_roots() -> None:
    found = [tree_root(LEAVES[: size + 1]).hex() for size in range(8)]

    assert ROOTS == found


def test_rfc_6962_known_inclusion_proof() -> None:
    """The path of leaf 5 in the tree of 8."""
    found = [step.hex() for step in inclusion_proof(LEAVES, 5)]

    assert [
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ] == found


def test_rfc_6962_known_consistency_proof() -> None:
    """From the tree of 6 to the tree of 8."""
    found = [step.hex() for step in consistency_proof(LEAVES, 6)]

    assert [
        "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ] == found


def test_a_leaf_is_laid_out_as_stated() -> None:
    match = UUID("018f4e2a-7b3c-7def-8123-456789abcdef")
    head = bytes(range(32))
    stated = "00" + match.hex + "0000000000000123" + head.hex()

    assert hashlib.sha256(bytes.fromhex(stated)).digest() == leaf_hash(match, 0x123, head)


@given(st.integers(0, 70))
def test_a_tree_that_grows_is_the_reference(size: int) -> None:
    assert reference(forest(size)) == tree_root(forest(size))


@given(st.integers(1, 70), st.data())
def test_every_leaf_is_proved_and_no_other(size: int, data: st.DataObject) -> None:
    leaves, root = forest(size), tree_root(forest(size))
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, size))
    proof = inclusion_proof(leaves, index)

    assert includes(root, size, index, leaves[index], proof)
    assert includes(root, size, other, leaves[index], proof) == (other == index)
    assert not includes(root, size, index, EMPTY, proof)
    assert not includes(EMPTY, size, index, leaves[index], proof)
    assert not includes(root, size, index, leaves[index], [*proof, EMPTY])
    assert not proof or not includes(root, size, index, leaves[index], proof[:-1])


@given(st.integers(0, 70), st.integers(0, 70))
def test_growth_is_proved_and_change_is_not(one: int, another: int) -> None:
    small, large = sorted((one, another))
    leaves = forest(large)
    proof = consistency_proof(leaves, small)
    old = Checkpoint("o", small, tree_root(leaves[:small]))
    new = Checkpoint("o", large, tree_root(leaves))

    assert leads_to(old, new, proof)
    assert not leads_to(Checkpoint("o", small, ZERO), new, proof)
    assert not leads_to(old, Checkpoint("p", large, new.root), proof)
    assert not leads_to(old, new, [*proof, EMPTY])
    assert small == large or not leads_to(new, old, proof)
    assert not proof or not leads_to(old, new, proof[:-1])
    assert not proof or not leads_to(old, new, [ZERO, *proof[1:]])


@given(st.integers(2, 70), st.data())
def test_a_new_root_that_does_not_fit_is_not_proved(size: int, data: st.DataObject) -> None:
    leaves = forest(size)
    small = data.draw(st.integers(1, size - 1))
    old = Checkpoint("o", small, tree_root(leaves[:small]))

    assert not leads_to(old, Checkpoint("o", size, ZERO), consistency_proof(leaves, small))


def test_proofs_of_what_is_not_there_are_refused() -> None:
    with pytest.raises(IndexError):
        inclusion_proof(LEAVES, 8)
    with pytest.raises(IndexError):
        consistency_proof(LEAVES, 9)


def test_a_node_is_not_a_leaf() -> None:
    assert node_hash(EMPTY, EMPTY) != hashlib.sha256(b"\x00" + EMPTY + EMPTY).digest()


def test_a_note_is_written_as_the_specification_says() -> None:
    note = SIGNER.sign(8, tree_root(LEAVES))
    lines = note.split("\n")
    stamp = hashlib.sha256(b"log.example/fleet\n\x01" + PUBLIC).digest()[:4]
    signed = base64.b64decode(lines[4].removeprefix("— log.example/fleet "))
    Ed25519PublicKey.from_public_bytes(PUBLIC).verify(signed[4:], "\n".join([*lines[:3], ""]).encode())

    assert ["log.example/fleet", "8", "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=", ""] == lines[:4]
    assert (stamp, 64, [""]) == (signed[:4], len(signed[4:]), lines[5:])


def test_a_public_key_is_written_as_the_specification_says() -> None:
    stamp = hashlib.sha256(b"log.example/fleet\n\x01" + PUBLIC).hexdigest()[:8]

    key = base64.b64encode(bytes([1]) + PUBLIC).decode()

    assert f"log.example/fleet+{stamp}+{key}" == SIGNER.public


def test_a_note_is_opened_with_the_public_key() -> None:
    note = SIGNER.sign(8, tree_root(LEAVES))

    assert Checkpoint("log.example/fleet", 8, tree_root(LEAVES)) == Verifier(SIGNER.public).open(note)


def test_a_note_signed_by_others_too_is_opened() -> None:
    note = SIGNER.sign(8, EMPTY)
    witness = Signer("witness", bytes.fromhex("5a" * 32)).sign(8, EMPTY).splitlines()[-1]

    assert 8 == Verifier(SIGNER.public).open(note + witness + "\n").size


@given(st.integers(0, 10_000), st.integers(1, 127))
def test_a_changed_note_is_not_opened(place: int, change: int) -> None:
    note = bytearray(SIGNER.sign(8, tree_root(LEAVES)).encode())
    note[place % len(note)] ^= change

    with pytest.raises(BadNote):
        Verifier(SIGNER.public).open(note.decode(errors="replace"))


@pytest.mark.parametrize("name", ["log.example/fleet", "fleetfold.local", ""])
def test_a_note_of_another_key_is_not_opened_and_not_called_wrong(name: str) -> None:
    ours, others = new_signer(name), new_signer(name)

    with pytest.raises(ForeignNote, match="not signed by"):
        Verifier(ours.public).open(others.sign(8, EMPTY))


@pytest.mark.parametrize("name", ["log.example/fleet", ""])
def test_a_wrong_signature_of_this_key_is_called_wrong(name: str) -> None:
    signer = new_signer(name)
    signature = signer.sign(8, EMPTY).splitlines()[-1]
    forged = "\n".join([*signer.sign(9, EMPTY).splitlines()[:-1], signature, ""])
    elsewhere = signer.sign(8, EMPTY).replace(signer.name, "log.example/other", 1)

    for note in (forged, elsewhere):
        with pytest.raises(BadNote, match="not signed by") as caught:
            Verifier(signer.public).open(note)
        assert not isinstance(caught.value, ForeignNote)


@pytest.mark.parametrize("name", ["log.example/fleet", ""])
@pytest.mark.parametrize("spare", [1, 2, 3])
def test_rfc_4648_3_5_a_signature_is_spelled_in_one_way_alone(name: str, spare: int) -> None:
    """The last character holds two bits that are none of the signature's; set, they say the same bytes."""
    signer = new_signer(name)
    text, spelled = signer.sign(8, EMPTY).removesuffix("\n").rsplit(" ", 1)
    other = f"{spelled[:-2]}{BASE64[BASE64.index(spelled[-2]) + spare]}="
    assert base64.b64decode(spelled) == base64.b64decode(other)

    with pytest.raises(BadNote, match="not signed by") as caught:
        Verifier(signer.public).open(f"{text} {other}\n")
    assert not isinstance(caught.value, ForeignNote)


def test_a_note_in_the_name_of_a_key_that_did_not_sign_it_is_called_wrong() -> None:
    ours = new_signer()
    forger = Signer(ours.name, bytes.fromhex("5a" * 32))

    with pytest.raises(BadNote, match="not signed by") as caught:
        Verifier(ours.public).open(forger.sign(8, EMPTY))

    assert not isinstance(caught.value, ForeignNote)


def test_a_key_that_is_not_named_is_named_after_itself() -> None:
    signer = new_signer()
    public = base64.b64decode(signer.public.split("+", 2)[2])[1:]

    assert f"fleetfold-{hashlib.sha256(public).hexdigest()[:8]}" == signer.name
    assert signer.name != new_signer().name
    assert (True, False) == (Verifier(signer.public).own, Verifier(SIGNER.public).own)


@pytest.mark.parametrize("goes_on", [True, False])
async def test_a_tree_whose_last_note_is_of_an_older_name_is_gone_on_with(
    log: PostgresLog, database: Database, tmp_path: Path, *, goes_on: bool
) -> None:
    older = new_signer("fleetfold.local")
    await played(log)
    await Sequencer(database.projector, older, tmp_path, interval=0).once()
    older.write(tmp_path / "signer")
    signer = read_signer(tmp_path / "signer") if goes_on else new_signer()

    await played(log)
    note = await Sequencer(database.projector, signer, tmp_path, interval=0).once()

    assert note is not None
    assert (2, "fleetfold.local" if goes_on else signer.name) == (note.size, note.origin)
    assert 1 == Verifier(older.public).open((tmp_path / "000000000001").read_text()).size
    assert 2 == Verifier(signer.public).open((tmp_path / "checkpoint").read_text()).size


@pytest.mark.parametrize("text", ["", "a+b", "a+00000000+!!", "a+00000000+AQ==", "a+zz+" + "A" * 44])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(BadNote):
        Verifier(text)


def test_a_key_that_does_not_fit_its_hash_is_refused() -> None:
    name, _, key = SIGNER.public.split("+", 2)

    with pytest.raises(BadNote, match="its own hash"):
        Verifier(f"{name}+00000000+{key}")


def test_a_signing_key_is_kept_in_a_private_file(tmp_path: Path) -> None:
    signer = new_signer("fleet")
    signer.write(tmp_path / "key")

    assert signer.public == read_signer(tmp_path / "key").public


def test_a_server_makes_its_key_once_and_keeps_one_that_it_finds_under_its_name(tmp_path: Path) -> None:
    SIGNER.write(tmp_path / "given")
    given = find_signer(tmp_path / "given", make=True)
    nothing = find_signer(tmp_path / "signer", make=False)
    made, again = (find_signer(tmp_path / "signer", make=make) for make in (True, False))

    assert given is not None
    assert made is not None
    assert again is not None
    assert (SIGNER.public, None, made.public) == (given.public, nothing, again.public)
    assert Verifier(made.public).own


@pytest.mark.parametrize("text", ["", "PRIVATE+KEY+fleet", SIGNER.public])
def test_what_is_no_signing_key_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").touch(mode=0o600)
    (tmp_path / "key").write_text(text)

    with pytest.raises(KeyFault, match="no signing key"):
        read_signer(tmp_path / "key")


def test_a_signing_key_that_was_changed_is_refused(tmp_path: Path) -> None:
    SIGNER.write(tmp_path / "key")
    (tmp_path / "key").write_text((tmp_path / "key").read_text().replace("log.example", "log.exbmple"))

    with pytest.raises(KeyFault, match="its own hash"):
        read_signer(tmp_path / "key")


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\n"])
def test_an_unfit_name_is_refused(name: str) -> None:
    with pytest.raises(KeyFault, match="name"):
        Signer(name, SEED)


# The sequencer


@pytest.fixture
async def log(database: Database) -> AsyncIterator[PostgresLog]:
    kept = PostgresLog(database)
    yield kept
    await kept.close()


@pytest.fixture
async def owner(dsn: str) -> AsyncIterator[Connection]:
    conn = await asyncpg.connect(dsn)
    yield conn
    await conn.close()


async def played(log: PostgresLog, *, finished: bool = True) -> Entry:
    """A match of three facts, and the last of them."""
    drafts = [("Moved", 1, Audience.ALL, False, b"{}")] * 2 + [("Ended", 1, Audience.ALL, finished, b"{}")]
    entries = seal(uuid4(), uuid4(), time.time_ns() // 1000, 0, ZERO, drafts, b"k" * 32)
    assert Stored() == await log.append(entries, ZERO)
    return entries[-1]


def root_of(*ends: Entry) -> bytes:
    return tree_root([leaf_hash(end.match, end.seq, end.hash) for end in ends])


async def test_finished_matches_become_leaves_in_the_order_of_their_ends(
    log: PostgresLog, database: Database, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0)
    first = await played(log)
    await played(log, finished=False)
    second = await played(log)

    assert Checkpoint(SIGNER.name, 2, root_of(first, second)) == await sequencer.once()


async def test_growth_is_signed_and_nothing_else(
    log: PostgresLog, database: Database, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0)
    nothing = await sequencer.once()
    ends = [await played(log)]
    one = await sequencer.once()
    again = await sequencer.once()
    ends += [await played(log), await played(log)]
    three = await sequencer.once()

    assert (None, None) == (nothing, again)
    assert [Checkpoint(SIGNER.name, size, root_of(*ends[:size])) for size in (1, 3)] == [one, three]


async def test_a_note_is_signed_once_in_an_interval(
    log: PostgresLog, database: Database, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0.3)
    await played(log)
    first = await sequencer.once()
    await played(log)
    early = await sequencer.once()
    await asyncio.sleep(0.35)
    late = await sequencer.once()

    assert first is not None
    assert late is not None
    assert (1, None, 2) == (first.size, early, late.size)


async def test_notes_are_published_outside_the_database(
    log: PostgresLog, database: Database, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path / "notes", interval=0)
    signed = []
    for _ in range(2):
        await played(log)
        signed.append(await sequencer.once())
    verifier = Verifier(SIGNER.public)
    files = {path.name: verifier.open(path.read_text()) for path in (tmp_path / "notes").iterdir()}

    assert {"000000000001": signed[0], "000000000002": signed[1], "checkpoint": signed[1]} == files


async def test_notes_that_the_folder_lacks_are_published(
    log: PostgresLog, database: Database, tmp_path: Path
) -> None:
    first = Sequencer(database.projector, SIGNER, tmp_path / "a", interval=0)
    for _ in range(2):
        await played(log)
        await first.once()
    await Sequencer(database.projector, SIGNER, tmp_path / "b", interval=0).once()

    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == sorted(
        path.name for path in (tmp_path / "b").iterdir()
    )


async def test_two_sequencers_take_turns(log: PostgresLog, database: Database, tmp_path: Path) -> None:
    sequencers = [Sequencer(database.projector, SIGNER, tmp_path / name, interval=0) for name in "ab"]
    ends = []
    for _ in range(5):
        ends.append(await played(log))
        await asyncio.gather(*(sequencer.once() for sequencer in sequencers))
    await asyncio.gather(*(sequencer.once() for sequencer in sequencers))
    last = read_note((tmp_path / "a" / "checkpoint").read_text())

    assert Checkpoint(SIGNER.name, 5, root_of(*ends)) == last


async def test_one_sequencer_at_a_time(
    log: PostgresLog, database: Database, owner: Connection, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0)
    await played(log)
    async with owner.transaction():
        await owner.execute("SELECT pg_advisory_xact_lock($1)", 0x666C_6565_7466)
        meanwhile = await sequencer.once()
    after = await sequencer.once()

    assert meanwhile is None
    assert after is not None


async def test_a_transaction_still_open_holds_leaves_back(
    log: PostgresLog, database: Database, owner: Connection, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0)
    async with owner.transaction():
        await owner.execute("SELECT pg_current_xact_id()")
        end = await played(log)
        meanwhile = await sequencer.once()
    after = await sequencer.once()

    assert (None, Checkpoint(SIGNER.name, 1, root_of(end))) == (meanwhile, after)


async def test_without_its_cursor_nothing_is_added_twice(
    log: PostgresLog, database: Database, owner: Connection, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0)
    ends = [await played(log)]
    await sequencer.once()
    await owner.execute("DELETE FROM view.cursor")
    ends.append(await played(log))

    assert Checkpoint(SIGNER.name, 2, root_of(*ends)) == await sequencer.once()


async def test_a_log_without_a_cursor_is_gone_through_once(
    log: PostgresLog, database: Database, owner: Connection, tmp_path: Path
) -> None:
    """Given a log that was restored, all of whose ends were signed: it is not read again each second."""
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0)
    await played(log)
    await sequencer.once()
    await owner.execute("DELETE FROM view.cursor WHERE name = 'checkpoints'")
    await sequencer.once()

    assert 1 == await owner.fetchval(
        "SELECT count(*) FROM view.cursor"
        " WHERE name = 'checkpoints' AND xid > (SELECT max(xid) FROM log.fact)"
    )


async def test_a_cursor_that_is_ahead_of_the_cluster_is_set_back_once(
    log: PostgresLog, database: Database, owner: Connection, tmp_path: Path
) -> None:
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0)
    ends = [await played(log)]
    await sequencer.once()
    await owner.execute("UPDATE view.cursor SET xid = '99999999999' WHERE name = 'checkpoints'")
    with capture_logs() as lines:
        await sequencer.once()
        await sequencer.once()
    ends.append(await played(log))

    assert Checkpoint(SIGNER.name, 2, root_of(*ends)) == await sequencer.once()
    assert ["checkpoint.astray"] == [line["event"] for line in lines]


async def changed(owner: Connection, sql: str) -> None:
    """What an administrator might do."""
    await owner.execute("ALTER TABLE log.leaf DISABLE TRIGGER ALL")
    await owner.execute(sql)


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("UPDATE log.leaf SET last_seq = 2 WHERE ix = 1", "first 3 leaves are not those"),
        ("UPDATE log.leaf SET head = decode(repeat('00', 32), 'hex') WHERE ix = 0", "are not those"),
        ("DELETE FROM log.leaf WHERE ix = 2", "3 leaves was published: 2 are left"),
    ],
)
async def test_a_changed_tree_is_not_signed(
    log: PostgresLog, database: Database, owner: Connection, tmp_path: Path, sql: str, reason: str
) -> None:
    for _ in range(3):
        await played(log)
    await Sequencer(database.projector, SIGNER, tmp_path, interval=0).once()
    await changed(owner, sql)

    with pytest.raises(Tampered, match=reason):
        await Sequencer(database.projector, SIGNER, tmp_path, interval=0).run()


async def test_a_published_note_counts_though_the_database_lost_it(
    log: PostgresLog, database: Database, tmp_path: Path
) -> None:
    publish(tmp_path, 2, SIGNER.sign(2, EMPTY))
    await played(log)

    with pytest.raises(Tampered, match="2 leaves was published: 1 are left"):
        await Sequencer(database.projector, SIGNER, tmp_path, interval=0).once()


async def test_it_runs_by_itself(log: PostgresLog, database: Database, tmp_path: Path) -> None:
    running = asyncio.create_task(Sequencer(database.projector, SIGNER, tmp_path, interval=0.01).run())
    await played(log)
    async with asyncio.timeout(10):
        while not (tmp_path / "checkpoint").exists():
            await asyncio.sleep(0.01)
    running.cancel()

    assert 1 == read_note((tmp_path / "checkpoint").read_text()).size


async def test_what_fails_is_put_off(
    log: PostgresLog, database: Database, owner: Connection, tmp_path: Path
) -> None:
    await owner.execute("REVOKE INSERT ON log.leaf FROM game_projector")
    await played(log)
    sequencer = Sequencer(database.projector, SIGNER, tmp_path, interval=0.01)
    running = asyncio.create_task(sequencer.run())
    await asyncio.sleep(0.2)
    refused = not running.done() and not (tmp_path / "checkpoint").exists()
    await owner.execute("GRANT INSERT ON log.leaf TO game_projector")
    async with asyncio.timeout(10):
        while not (tmp_path / "checkpoint").exists():
            await asyncio.sleep(0.01)
    running.cancel()

    assert refused


async def test_while_nothing_ends_nothing_is_written(database: Database, folder: Path) -> None:
    sequencer = Sequencer(database.projector, SIGNER, folder, interval=0)
    await sequencer.once()
    async with connection(database.read) as conn:
        before = await conn.fetch("SELECT name, xid::text, xmin::text FROM view.cursor")
        await sequencer.once()
        after = await conn.fetch("SELECT name, xid::text, xmin::text FROM view.cursor")

    assert before == after
