"""The history check: first that it finds what is wrong, then that nothing is."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
import structlog
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Draft, Entry, committed, link, seal
from server.postgres.embedded import Embedded
from tests.server.history import (
    BUSY,
    K_SALT,
    Acknowledged,
    History,
    Invoked,
    Refused,
    play,
    violations,
    watched,
)

log = structlog.get_logger()

MATCH = UUID(int=7)
FACTS = (2, 1, 3)
"""Of each command in the sound history."""


def name(number: int) -> UUID:
    return UUID(int=100 + number)


def sound() -> History:
    """Three commands of one match, one after the other: command i from 10i to 10i + 5."""
    history = History([], {MATCH: []}, [])
    log = history.log[MATCH]
    for number, count in enumerate(FACTS):
        drafts: list[Draft] = [("Happened", 1, Audience.SIDE_0, False, b'{"of":%d}' % count)] * count
        log += seal(
            MATCH, name(number), 1000 + number, len(log), log[-1].hash if log else ZERO, drafts, K_SALT
        )
        seqs = tuple(range(len(log) - count + 1, len(log) + 1))
        history.events += [
            Invoked(MATCH, name(number), 10 * number),
            Acknowledged(MATCH, name(number), 10 * number + 5, seqs, log[-1].hash),
        ]
    history.feed = [(MATCH, entry.seq) for entry in log]
    return history


def found(history: History) -> list[str]:
    return violations(history.events, history.log, history.feed)


def forged(entries: list[Entry]) -> list[Entry]:
    """The same with seqs and links that fit."""
    log: list[Entry] = []
    for seq, entry in enumerate(entries, 1):
        moved = replace(entry, seq=seq)
        prev = log[-1].hash if log else ZERO
        log.append(replace(moved, hash=link(MATCH, seq, prev, committed(moved, K_SALT))))
    return log


def test_a_sound_history_has_no_violation() -> None:
    assert [] == found(sound())


def test_nothing_happened_has_no_violation() -> None:
    assert [] == violations([], {}, [])


def test_1_a_lost_acknowledgement_is_found() -> None:
    history = sound()
    history.log[MATCH] = history.log[MATCH][:3]
    history.feed = history.feed[:3]

    assert [f"acknowledged at (4, 5, 6), not there: {name(2)} of {MATCH}"] == found(history)


def test_1_an_acknowledgement_of_a_lost_match_is_found() -> None:
    history = sound()
    history.log.clear()
    history.feed.clear()

    assert 3 == len([one for one in found(history) if "not there" in one])


def test_1_an_acknowledgement_at_other_seqs_is_found() -> None:
    history = sound()
    told = history.events[3]
    assert isinstance(told, Acknowledged)
    history.events[3] = replace(told, seqs=(4,))

    assert [f"acknowledged at (4,), not there: {name(1)} of {MATCH}"] == found(history)


def test_1_an_acknowledgement_of_another_hash_is_found() -> None:
    history = sound()
    told = history.events[3]
    assert isinstance(told, Acknowledged)
    history.events[3] = replace(told, hash=ZERO)

    assert [f"acknowledged with another hash: {name(1)} of {MATCH}"] == found(history)


def test_1_a_refused_command_that_is_there_is_found() -> None:
    history = sound()
    history.events[5] = Refused(MATCH, name(2), 25)

    assert [f"refused, yet there: {name(2)} of {MATCH}"] == found(history)


def test_1_a_command_that_is_there_twice_is_found() -> None:
    history = sound()
    log = history.log[MATCH]
    history.log[MATCH] = forged([*log, replace(log[2], at=log[-1].at)])
    history.feed.append((MATCH, 7))

    assert [
        f"acknowledged at (3,), not there: {name(1)} of {MATCH}",
        f"fact 7 is of a command that had ended: {MATCH}",
        f"not whole: {name(1)} of {MATCH}",
    ] == found(history)[:3]


def test_2_a_gap_is_found() -> None:
    history = sound()
    del history.log[MATCH][2]
    del history.feed[2]

    assert f"fact 3 is missing: 4 stands in its place: {MATCH}" in found(history)


def test_2_a_wrong_link_is_found() -> None:
    history = sound()
    history.log[MATCH][4] = replace(history.log[MATCH][4], hash=ZERO)

    assert [f"fact 5 does not link to what stands before it: {MATCH}"] == found(history)


def test_3_a_split_command_is_found() -> None:
    history = sound()
    log = history.log[MATCH]
    history.log[MATCH] = forged([log[0], replace(log[2], at=log[0].at), log[1], *log[3:]])

    assert f"not whole: {name(0)} of {MATCH}" in found(history)


def test_3_a_command_cut_short_is_found_though_nobody_was_told() -> None:
    history = sound()
    history.log[MATCH].pop()
    history.feed.pop()
    history.events.pop()

    assert [f"not whole: {name(2)} of {MATCH}"] == found(history)


def test_4_reordered_real_time_is_found() -> None:
    """Command 0 was acknowledged before command 1 began, yet stands behind it."""
    history = sound()
    log = forged([replace(history.log[MATCH][2], at=1), *history.log[MATCH][:2], *history.log[MATCH][3:]])
    history.log[MATCH] = log
    history.events = [
        Invoked(MATCH, name(0), 0),
        Acknowledged(MATCH, name(0), 5, (2, 3), log[2].hash),
        Invoked(MATCH, name(1), 10),
        Acknowledged(MATCH, name(1), 15, (1,), log[0].hash),
        *history.events[4:],
    ]
    told = history.events[5]
    assert isinstance(told, Acknowledged)
    history.events[5] = replace(told, hash=log[-1].hash)

    assert [f"begun after a later one was acknowledged: {name(1)} of {MATCH}"] == found(history)


def test_4_commands_that_overlap_may_stand_either_way() -> None:
    history = sound()
    history.events[2] = Invoked(MATCH, name(1), 26)
    history.events[3] = replace(history.events[3], time=30)
    history.events[4] = Invoked(MATCH, name(2), 6)
    history.events[5] = replace(history.events[5], time=27)

    assert [] == found(history)


def test_4_a_command_that_nobody_sent_is_found() -> None:
    history = sound()
    del history.events[2:4]

    assert [f"sent by nobody: {name(1)} of {MATCH}"] == found(history)


@pytest.mark.parametrize(
    ("feed", "place"),
    [
        ([1, 2, 2, 3, 4, 5, 6], 3),
        ([1, 2, 3, 4, 5, 6, 6], 7),
        ([1, 2, 4, 5, 6], 3),
        ([1, 2, 3, 4, 5], 6),
        ([1, 3, 2, 4, 5, 6], 2),
        ([], 1),
    ],
)
def test_5_a_feed_with_a_repeat_a_hole_or_another_order_is_found(feed: list[int], place: int) -> None:
    history = sound()
    history.feed = [(MATCH, seq) for seq in feed]

    assert [f"the feed differs from the log at its fact {place} of {MATCH}"] == found(history)


def test_5_a_feed_of_an_unknown_match_is_found() -> None:
    history = sound()
    history.feed.append((UUID(int=1), 1))

    assert [f"the feed differs from the log at its fact 1 of {UUID(int=1)}"] == found(history)


VISIBLE = {1, 2, 4, 7, 8}


def test_6_ranges_that_join_up_are_sound() -> None:
    assert [] == watched([(0, 3, [1, 2]), (3, 3, []), (3, 6, [4]), (6, 8, [7, 8])], VISIBLE)


def test_6_ranges_may_start_later() -> None:
    assert [] == watched([(3, 6, [4])], VISIBLE, start=3)


@pytest.mark.parametrize(
    ("ranges", "wrong"),
    [
        ([(0, 3, [1, 2]), (4, 6, [])], "range 4 to 6 does not join on to 3"),
        ([(0, 3, [1, 2]), (0, 3, [1, 2])], "range 0 to 3 does not join on to 3"),
        ([(0, 3, [1, 2]), (3, 2, [])], "range 3 to 2 goes backwards"),
        ([(0, 3, [1, 2, 3])], "range 0 to 3 shows hidden [3]"),
        ([(0, 3, [1])], "range 0 to 3 lacks [2]"),
        ([(0, 3, [2, 1])], "range 0 to 3 shows [2, 1]: out of order, twice or not of it"),
        ([(0, 3, [1, 2, 2])], "range 0 to 3 shows [1, 2, 2]: out of order, twice or not of it"),
        ([(0, 3, [1, 2, 4])], "range 0 to 3 shows [1, 2, 4]: out of order, twice or not of it"),
    ],
)
def test_6_ranges_that_do_not_are_found(ranges: list[tuple[int, int, list[int]]], wrong: str) -> None:
    assert [wrong] == watched(ranges, VISIBLE)


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Path]:
    """Where writers write; hours of it are not kept."""
    yield tmp_path
    shutil.rmtree(tmp_path)


def counts(history: History) -> dict[str, int]:
    """What a play came to, to be printed."""
    kinds = [type(event) for event in history.events]
    return {
        "facts": sum(map(len, history.log.values())),
        "invoked": kinds.count(Invoked),
        "acknowledged": kinds.count(Acknowledged),
        "refused": kinds.count(Refused),
        "kills": history.kills,
        "crashes": history.crashes,
    }


async def test_writers_and_postgres_are_killed_and_nothing_is_lost(
    own_postgres: Embedded, notes: Path
) -> None:
    history = await play(own_postgres, notes, seconds=10, seed=1)
    log.info("history", **counts(history))

    assert [] == found(history)
    assert_busy(history)


def assert_busy(history: History) -> None:
    happened = counts(history)

    assert happened["acknowledged"] > BUSY, happened
    assert happened["kills"] > 5, happened
    assert happened["crashes"] > 0, happened


@pytest.mark.soak
async def test_the_same_for_an_hour(own_postgres: Embedded, notes: Path) -> None:
    """In rounds of a minute, each with new matches; FLEETFOLD_SOAK_SECONDS says how long in all."""
    rounds = max(1, int(os.environ.get("FLEETFOLD_SOAK_SECONDS", "3600")) // 60)
    for number in range(rounds):
        folder = notes / str(number)
        folder.mkdir()
        history = await play(own_postgres, folder, seconds=60, seed=number)
        shutil.rmtree(folder)
        log.info("history", round=number, **counts(history))

        assert [] == found(history)
