import json as plain
import tracemalloc
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.kernel.audience import VIEWERS, Audience, Reader
from domain.match.chain import Entry, Sealed, salt
from projections.feed import catch_up
from projections.generations import prepare
from projections.importing import NoImport, bring_in
from projections.record import BadRecord, Record, proof, read, record, stream, write
from projections.standings import Standings, standings
from projections.verify import verify
from server.log.store import MemoryLog, PostgresLog
from server.postgres.database import Database, connection
from server.proof.checkpoints import Sequencer
from server.proof.keys import KeyRing
from server.proof.notes import Verifier, new_signer
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play
from tests.tiny import GAME

TITLES = {GAME.name: GAME}
RING = KeyRing({"ring": bytes.fromhex("8f3a1c5be09d4e7726b8d1f04a93c55e61b70d82fe1947ac3358d6902bef14c8")})


def played(seed: int = 1) -> Played:
    return play(GAME, "campaign", {"pairs": True}, seed=seed, undos=0.3)


async def brought_in(log: Any, one: Record, k_salt: bytes) -> list[int]:
    return [seq async for seq in bring_in(log, one, k_salt)]


def test_a_file_is_read_and_written_byte_for_byte() -> None:
    whole = record(played().entries, Audience.UMPIRE)
    text = write(whole)

    assert whole == read(text)
    assert text == write(read(text))


@pytest.mark.parametrize("mask", VIEWERS)
def test_a_file_for_an_audience_is_read_and_written_byte_for_byte(mask: Reader) -> None:
    match = played()
    text = write(record(match.entries, mask, match.k_salt))

    assert text == write(read(text))


class Paged(MemoryLog):
    """A log that gives a match of any length, a page after the other, and holds none of it."""

    def __init__(self, entries: Sequence[Entry], times: int = 1) -> None:
        super().__init__()
        self._entries, self._times = entries, times

    async def pages(self, match: UUID, after: int = 0, upto: int = 0) -> AsyncIterator[list[Entry]]:  # noqa: ARG002
        for _ in range(self._times):
            for first in range(0, len(self._entries), 50):
                yield [replace(entry) for entry in self._entries[first : first + 50]]


@pytest.mark.parametrize("audience", [Audience.UMPIRE, *VIEWERS])
async def test_a_record_that_is_written_as_it_is_read_is_the_same(audience: Reader) -> None:
    match = played()
    whole = record(match.entries, audience, match.k_salt)

    parts = [part async for part in stream(Paged(match.entries), whole.header, audience, match.k_salt)]

    assert len(parts) > 2
    assert write(whole) == b"".join(parts)


async def test_a_record_of_any_length_is_written_in_as_much_memory() -> None:
    match = played()
    header = record(match.entries, Audience.UMPIRE).header

    async def peak(times: int) -> int:
        tracemalloc.start()
        try:
            async for _ in stream(Paged(match.entries, times), header, Audience.SIDE_0, match.k_salt):
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    await peak(1)
    assert await peak(20) < 1.5 * await peak(2)


def test_the_bytes_of_every_body_are_those_of_the_log() -> None:
    match = played()
    lines = [plain.loads(line) for line in write(record(match.entries, Audience.UMPIRE)).splitlines()[1:]]

    assert [entry.body for entry in match.entries] == [line["body"].encode() for line in lines]


def test_of_a_sealed_fact_there_is_its_number_and_commitment_only() -> None:
    match = played()
    lines = [
        plain.loads(line)
        for line in write(record(match.entries, Audience.ONLOOKERS, match.k_salt)).splitlines()[1:]
    ]

    for entry, line in zip(match.entries, lines, strict=True):
        if Audience.ONLOOKERS.sees(entry.audience):
            assert "body" in line
        else:
            assert ["seq", "sealed"] == list(line)


@pytest.mark.parametrize(
    ("mask", "side"),
    [(Audience.SIDE_0, 1), (Audience.SIDE_1, 0), (Audience.ONLOOKERS, 0), (Audience.ONLOOKERS, 1)],
)
def test_no_file_holds_another_sides_secret_or_its_salt(mask: Reader, side: int) -> None:
    match = played()
    text = write(record(match.entries, mask, match.k_salt))
    hidden = [entry for entry in match.entries if entry.audience is Audience.of(side)]

    assert hidden
    for entry in hidden:
        assert plain.dumps(entry.body.decode(), separators=(",", ":")).encode() not in text
        assert salt(match.k_salt, entry.seq).hex().encode() not in text


@pytest.mark.parametrize(
    ("line", "old", "new", "why"),
    [
        (1, b'"fleetfold":1', b'"fleetfold":2', "form 2"),
        (1, b'"head":', b'"head"', "not JSON"),
        (1, b'"title"', b'"tidle"', "not the header"),
        (1, b'"head":', b'"head": ', "not written as records are"),
        (3, b'{"seq":2,', b'{"seq":3,', "fact 3 stands in the place of fact 2"),
        (4, b'"index":', b'"index":-', "not a fact"),
        (4, b'"hash":"', b'"hash":"zz', "not a fact"),
        (5, b'"final":false', b'"final":false ', "not written as records are"),
        (5, b'"type"', b'"more":1,"type"', "not a fact"),
    ],
)
def test_a_damaged_line_is_named(line: int, old: bytes, new: bytes, why: str) -> None:
    lines = write(record(played().entries, Audience.UMPIRE)).split(b"\n")
    lines[line - 1] = lines[line - 1].replace(old, new, 1)

    with pytest.raises(BadRecord, match=why) as bad:
        read(b"\n".join(lines))

    assert line == bad.value.line


@pytest.mark.parametrize(
    "text", [b"", b"\n", b"hello", b"\xff\xfe\n", b"{}\n", b"null\n", b'{"fleetfold":1}\n']
)
def test_what_is_no_record_at_all(text: bytes) -> None:
    with pytest.raises(BadRecord, match="line 1"):
        read(text)


def test_a_file_cut_short() -> None:
    text = write(record(played().entries, Audience.UMPIRE))
    lines = text.count(b"\n")

    with pytest.raises(BadRecord, match="ends in the middle") as middle:
        read(text[:-1])
    with pytest.raises(BadRecord, match=f"says {lines - 1} facts, and there are {lines - 3}") as short:
        read(b"\n".join(text.split(b"\n")[:-3]) + b"\n")

    assert (lines, lines - 1) == (middle.value.line, short.value.line)


def test_facts_behind_the_head() -> None:
    text = write(record(played().entries, Audience.UMPIRE))
    last = text.splitlines()[-1]
    seq = len(text.splitlines()) - 1
    more = last.replace(b'{"seq":%d' % seq, b'{"seq":%d' % (seq + 1))

    with pytest.raises(BadRecord, match=f"line {seq + 2}: the header says {seq} facts"):
        read(text + more + b"\n")


def test_nothing_is_no_record() -> None:
    with pytest.raises(ValueError, match="at least one fact"):
        record([], Audience.UMPIRE)


async def test_a_match_from_one_log_into_another(log: PostgresLog) -> None:
    match, other = played(), MemoryLog()
    await keep(other, match)
    text = write(record(await other.read_everything(match.match), Audience.UMPIRE))

    came_to = await brought_in(log, read(text), match.k_salt)

    assert text == write(record(await log.read_everything(match.match), Audience.UMPIRE))
    assert [0, *(command[-1].seq for command in match.commands)] == came_to
    assert verify(record(await log.read_everything(match.match), Audience.UMPIRE), titles=TITLES).good


async def test_projections_that_run_meet_what_is_brought_in(database: Database, log: PostgresLog) -> None:
    await prepare(database.projector, Standings())
    await keep(log, played(1))
    await catch_up(database.projector, Standings())
    old = played(2)

    await brought_in(log, record(old.entries, Audience.UMPIRE), old.k_salt)
    await catch_up(database.projector, Standings())

    async with connection(database.read) as conn:
        assert len(old.entries) == (await standings(conn, [old.match]))[0].facts


async def test_a_match_is_brought_in_once() -> None:
    match, log = played(), MemoryLog()
    await brought_in(log, record(match.entries, Audience.UMPIRE), match.k_salt)

    with pytest.raises(NoImport, match="is there already"):
        await brought_in(log, record(match.entries, Audience.UMPIRE), match.k_salt)


async def test_an_import_cut_short_goes_on_where_it_stopped() -> None:
    match, log = played(), MemoryLog()
    async for seq in bring_in(log, record(match.entries, Audience.UMPIRE), match.k_salt):
        if seq > 40:
            break

    came_to = await brought_in(log, record(match.entries, Audience.UMPIRE), match.k_salt)

    assert came_to[0] > 40
    assert match.entries == await log.read_everything(match.match)


async def test_another_match_under_the_same_id_is_left_alone() -> None:
    match, log = played(), MemoryLog()
    other = Played(
        GAME, match.match, played(2).key, [replace(e, match=match.match) for e in played(2).entries]
    )
    await keep(log, other)

    with pytest.raises(NoImport, match="another match is there"):
        await brought_in(log, record(match.entries, Audience.UMPIRE), match.k_salt)


async def test_a_chain_that_does_not_hold_is_not_brought_in() -> None:
    match, log = played(), MemoryLog()
    entries = list(match.entries)
    entries[30] = replace(entries[30], at=entries[30].at + 1)

    with pytest.raises(NoImport, match=r"fact 31 .* Nothing was written"):
        await brought_in(log, record(entries, Audience.UMPIRE), match.k_salt)

    assert {} == await log.heads([match.match])


async def test_a_header_of_another_hash_is_not_brought_in() -> None:
    match = played()
    whole = record(match.entries, Audience.UMPIRE)

    with pytest.raises(NoImport, match="not that of the last fact"):
        await brought_in(
            MemoryLog(), replace(whole, header=replace(whole.header, hash="00" * 32)), match.k_salt
        )


async def test_a_log_that_moves_on_while_a_match_is_brought_in() -> None:
    match, log = played(), MemoryLog()
    bringing = bring_in(log, record(match.entries, Audience.UMPIRE), match.k_salt)
    for _ in range(10):
        await anext(bringing)
    other = [replace(entry, command=match.match) for entry in match.commands[9]]
    await log.append(other, match.commands[8][-1].hash)

    with pytest.raises(NoImport, match="has moved on by itself"):
        await anext(bringing)


async def test_sealed_facts_are_not_brought_in() -> None:
    match = played()

    with pytest.raises(NoImport, match="sealed"):
        await brought_in(MemoryLog(), record(match.entries, Audience.SIDE_0, match.k_salt), match.k_salt)


async def test_a_match_that_has_not_ended_takes_its_box_along() -> None:
    match, log = played().cut(30), MemoryLog()
    box = RING.seal(match.match, match.key)
    text = write(record(match.entries, Audience.UMPIRE, box=box))

    await brought_in(log, read(text), match.k_salt)

    assert match.key == RING.open(match.match, await log.sealed_key(match.match) or b"")


async def test_a_finished_match_is_proved_to_be_in_the_checkpoint(
    database: Database, log: PostgresLog, tmp_path: Any
) -> None:
    matches = [played(seed) for seed in range(1, 6)]
    await keep_all(log, matches)
    signer = new_signer("fleet.example")
    note = await Sequencer(database.projector, signer, tmp_path).once()
    assert note is not None

    for match in matches:
        async with connection(database.projector) as conn:
            found = await proof(conn, match.match)
        whole = record(match.entries, Audience.UMPIRE, proof=found)
        checks = {
            c.name: c.result for c in verify(read(write(whole)), None, Verifier(signer.public), TITLES).checks
        }
        assert "holds" == checks["checkpoint"]


async def test_a_match_in_no_checkpoint_has_no_proof(database: Database) -> None:
    async with connection(database.projector) as conn:
        assert await proof(conn, UUID(int=1)) is None


def test_a_record_knows_whether_it_is_complete() -> None:
    match = played()
    partial = record(match.entries, Audience.ONLOOKERS, match.k_salt)

    assert (True, False) == (record(match.entries, Audience.UMPIRE).complete, partial.complete)
    assert {Entry, Sealed} == {type(entry) for entry in partial.entries}
    assert (match.key, match.key, None) == (
        record(match.entries, Audience.UMPIRE).key,
        partial.key,
        record(match.cut(5).entries, Audience.UMPIRE).key,
    )
