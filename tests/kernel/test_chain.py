"""The chain. The vectors were computed with xxd, sha256sum and openssl, not with this code."""

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.audience import VIEWERS, Audience, Reader
from domain.match.chain import (
    ZERO,
    Draft,
    Entry,
    Fault,
    Sealed,
    check,
    commitment,
    committed,
    head,
    link,
    salt,
    seal,
    shown,
)

MATCH = UUID("018f4e2a-7b3c-7def-8123-456789abcdef")
COMMAND = UUID("6f1d2c3b-4a59-4e8d-9c0b-1a2938475665")
AT = 1_800_000_000_000_000
K_SALT = bytes.fromhex("ab" * 32)

CREATED: Draft = ("Created", 1, Audience.ALL, False, b'{"type":"Created","title":"midway"}')
DREW: Draft = ("Drew", 3, Audience.SIDE_0, False, b'{"type":"Drew","side":0,"card":7}')
OPEN: Draft = ("Moved", 1, Audience.ALL, False, b"{}")
OWN: Draft = ("Hid", 1, Audience.SIDE_0, False, b'{"hex":"1205"}')
FOE: Draft = ("Hid", 1, Audience.SIDE_1, False, b'{"hex":"0101"}')
RECORD: Draft = ("Decided", 1, Audience.UMPIRE, False, b'{"seat":0}')
LAST: Draft = ("Ended", 1, Audience.ALL, True, b"{}")


def written(*commands: list[Draft], start: int = AT) -> list[Entry]:
    """A log of one match: command i has the id i and comes a second after the one before."""
    log: list[Entry] = []
    for number, drafts in enumerate(commands):
        prev = log[-1].hash if log else ZERO
        log += seal(MATCH, UUID(int=number), start + number * 1_000_000, len(log), prev, drafts, K_SALT)
    return log


def relinked(log: list[Entry], *, after: int = 0) -> list[Entry]:
    """The same facts with hashes that fit: what a forger would write."""
    out: list[Entry] = log[:after]
    for entry in log[after:]:
        prev = out[-1].hash if out else ZERO
        out.append(replace(entry, hash=link(entry.match, entry.seq, prev, committed(entry, K_SALT))))
    return out


READERS: tuple[Reader, ...] = (*VIEWERS, Audience.UMPIRE)

PLAYED = [[OPEN, RECORD], [OWN, OPEN, FOE], [FOE], [RECORD, OPEN], [OPEN, LAST]]


def test_vector_salt() -> None:
    found = salt(K_SALT, 2).hex()

    assert "f2c350c14f7d486ba971066266dfb855" == found


def test_vector_commitment_of_an_open_fact() -> None:
    name, ver, audience, _, body = CREATED
    found = commitment(b"", name, ver, audience, COMMAND, AT, body).hex()

    assert "bf7d572bcb52480f66f53a9efe8b9db0c57234142d2cd3c64d491c718f61f5a1" == found


def test_vector_commitment_of_a_hidden_fact() -> None:
    name, ver, audience, _, body = DREW
    found = commitment(salt(K_SALT, 2), name, ver, audience, COMMAND, AT, body).hex()

    assert "4dcdbbeb203ee326ff5a23849b3b3503c6fdab2340c2bcef2d4418236a04c7de" == found


def test_vector_commitment_of_a_fact_a_microsecond_before_1970() -> None:
    name, ver, audience, _, body = CREATED
    found = commitment(b"", name, ver, audience, COMMAND, -1, body).hex()

    assert "a6bc356539680e134311a37938d6a63fb9b2e7fec40a99e9726ad67933e23013" == found


def test_vector_links_of_a_command() -> None:
    found = seal(MATCH, COMMAND, AT, 0, ZERO, [CREATED, DREW], K_SALT)

    assert [
        "47cfb71666965d1d76adbf8c823e142c385844e575bc20fc0ddf300cc5b5a9d0",
        "ddd54660ee417d23a0adf07be05e032e967bf8b483b127f48ae0b8db5a8a2b99",
    ] == [entry.hash.hex() for entry in found]


def test_seal_numbers_facts_and_their_places() -> None:
    found = seal(MATCH, COMMAND, AT, 6, ZERO, [OPEN, LAST], K_SALT)

    assert [(7, 0, False), (8, 1, True)] == [(entry.seq, entry.index, entry.final) for entry in found]


def test_a_whole_log_holds() -> None:
    found = check(written(*PLAYED), K_SALT)

    assert found is None


def test_nothing_holds() -> None:
    assert check([]) is None


def test_the_rest_of_a_log_holds() -> None:
    log = written(*PLAYED)

    assert check(log[2:], K_SALT, after=2, prev=log[1].hash) is None


def test_the_rest_of_a_log_does_not_hold_behind_another_head() -> None:
    log = written(*PLAYED)

    assert Fault(3, "does not link to what stands before it") == check(log[2:], K_SALT, after=2)


def test_the_rest_of_a_log_begins_with_a_command() -> None:
    log = written(*PLAYED)

    found = check(log[1:], K_SALT, after=1, prev=log[0].hash)

    assert Fault(2, "is not the first of its command") == found


def test_what_each_audience_got_holds() -> None:
    log = written(*PLAYED)

    found = [check(shown(log, eyes, K_SALT), salts=salts_for(log, eyes)) for eyes in READERS]
    nothing_seen = check(Sealed(entry.seq, committed(entry, K_SALT)) for entry in log)

    assert [None] * 5 == [*found, nothing_seen]


def salts_for(log: list[Entry], mask: Reader) -> dict[int, bytes]:
    return {entry.seq: salt(K_SALT, entry.seq) for entry in log if mask.sees(entry.audience)}


def test_onlookers_get_commitments_for_what_is_hidden() -> None:
    log = written([OPEN, OWN])

    found = shown(log, Audience.ONLOOKERS, K_SALT)

    assert [log[0], Sealed(2, committed(log[1], K_SALT))] == found


def test_a_sealed_tail_is_compared_with_a_receipt() -> None:
    log = written([OPEN, OWN, FOE])

    assert log[-1].hash == head(MATCH, shown(log, Audience.ONLOOKERS, K_SALT))


def test_a_hidden_fact_without_its_salt_is_not_taken_for_good() -> None:
    found = check(written([OPEN, OWN]))

    assert Fault(2, "is hidden, and its salt was not given") == found


def test_a_gap_is_found() -> None:
    log = written(*PLAYED)

    assert Fault(4, "is missing: 5 stands in its place") == check(log[:3] + log[4:], K_SALT)


def test_a_repeat_is_found() -> None:
    log = written(*PLAYED)

    assert Fault(4, "is missing: 3 stands in its place") == check(log[:3] + log[2:], K_SALT)


def test_a_fact_before_the_first_is_found() -> None:
    log = written(*PLAYED)

    assert Fault(1, "is missing: 0 stands in its place") == check([replace(log[0], seq=0)], K_SALT)


def test_a_changed_commitment_is_found_at_the_next_fact_in_full() -> None:
    log = shown(written(*PLAYED), Audience.ONLOOKERS, K_SALT)
    log[2] = Sealed(3, ZERO)

    assert Fault(4, "does not link to what stands before it") == check(log)


def test_time_that_falls_is_found() -> None:
    log = written([OPEN], [OPEN], [OPEN])
    log = relinked([*log[:2], replace(log[2], at=AT)])

    assert Fault(3, "is earlier than 2") == check(log, K_SALT)


def test_two_times_in_a_command_are_found() -> None:
    log = written([OPEN, OPEN])
    log = relinked([log[0], replace(log[1], at=AT + 1)])

    assert Fault(2, "does not go with 1, of the same command") == check(log, K_SALT)


def test_another_match_is_found() -> None:
    log = written([OPEN], [OPEN])
    log = relinked([log[0], replace(log[1], match=UUID(int=9))])

    assert Fault(2, "is of another match") == check(log, K_SALT)


def test_a_command_with_a_hole_is_found() -> None:
    log = written([OPEN, OPEN])
    log = relinked([log[0], replace(log[1], index=2)])

    assert Fault(2, "does not go with 1, of the same command") == check(log, K_SALT)


def test_a_command_without_its_first_fact_is_found() -> None:
    log = written([OPEN], [OPEN])
    log = relinked([log[0], replace(log[1], index=1)])

    assert Fault(2, "is not the first of its command") == check(log, K_SALT)


def test_the_first_command_without_its_first_fact_is_found() -> None:
    log = relinked([replace(written([OPEN])[0], index=1)])

    assert Fault(1, "is not the first of its command") == check(log, K_SALT)


def test_a_command_in_two_places_is_found() -> None:
    log = written([OPEN], [OPEN], [OPEN])
    log = relinked([*log[:2], replace(log[2], command=log[0].command)])

    assert Fault(3, "is of a command that had ended") == check(log, K_SALT)


def test_a_command_split_by_sealed_facts_is_found() -> None:
    log = written([OPEN, OWN, OPEN])
    log = relinked([log[0], log[1], replace(log[2], index=1)])

    assert Fault(3, "does not go with 1, of the same command") == check(
        shown(log, Audience.ONLOOKERS, K_SALT)
    )


def test_what_follows_the_end_is_found() -> None:
    log = written([OPEN, LAST], [OPEN])

    assert Fault(3, "follows 2, which is final") == check(log, K_SALT)


def test_what_follows_the_end_is_found_though_sealed() -> None:
    log = written([OPEN, LAST, FOE])

    assert Fault(3, "follows 2, which is final") == check(shown(log, Audience.ONLOOKERS, K_SALT))


drafts = st.lists(st.sampled_from([OPEN, OWN, FOE, RECORD]), min_size=1, max_size=4)


@given(st.lists(drafts, min_size=1, max_size=6), st.sampled_from(READERS))
def test_any_log_holds_for_any_audience(commands: list[list[Draft]], mask: Reader) -> None:
    log = written(*commands)

    assert check(shown(log, mask, K_SALT), salts=salts_for(log, mask)) is None


@given(st.lists(drafts, min_size=1, max_size=6), st.data())
def test_any_changed_byte_of_a_body_is_found_where_it_is(
    commands: list[list[Draft]], data: st.DataObject
) -> None:
    log = written(*commands)
    place = data.draw(st.integers(0, len(log) - 1))
    body = bytearray(log[place].body)
    body[data.draw(st.integers(0, len(body) - 1))] ^= data.draw(st.integers(1, 255))
    log[place] = replace(log[place], body=bytes(body))

    assert Fault(place + 1, "does not link to what stands before it") == check(log, K_SALT)


@pytest.mark.parametrize("kind", [Entry, Fault, Sealed])
def test_what_is_on_a_chain_cannot_be_changed(kind: type[Struct]) -> None:
    assert kind.__struct_config__.frozen
