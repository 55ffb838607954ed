"""The history check through the whole server: sockets, tables, Postgres, and watchers of every audience.

What it looks for is in `tests.server.tables`; that it finds it is tried here on a sound history put wrong.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
import structlog
from msgspec.structs import replace

from domain.kernel.audience import Audience
from server.postgres.embedded import Embedded
from tests.server.tables import History, bugs, play, wrong

log = structlog.get_logger()


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Path]:
    """Where the server keeps its keys and its lines."""
    yield tmp_path
    shutil.rmtree(tmp_path)


def counts(made: History) -> dict[str, int]:
    """What a play came to, to be printed."""
    return {
        "matches": len(made.log),
        "facts": sum(map(len, made.log.values())),
        "receipts": sum(told.receipt is not None for told in made.told),
        "refused": sum(told.receipt is None for told in made.told),
        "connections": sum(len(seen.runs) for seen in made.watched),
        "ranges": sum(len(ranges) for seen in made.watched for _, ranges in seen.runs),
        "kills": made.kills,
        "crashes": made.crashes,
    }


async def test_the_server_and_postgres_are_killed_and_every_match_goes_on_to_its_end(
    own_postgres: Embedded, notes: Path
) -> None:
    made = await play(own_postgres, notes, seconds=8, seed=1)
    happened = counts(made)
    log.info("history", **happened)

    assert [] == wrong(made)
    assert [] == bugs(made.lines)
    assert happened["kills"] > 2, happened
    assert happened["crashes"] > 0, happened
    assert happened["receipts"] > 100, happened
    assert_faults_are_found(made)


def assert_faults_are_found(made: History) -> None:
    """A check that finds nothing in what is wrong proves nothing."""
    for name, spoil in SPOILT.items():
        spoilt = replace(
            made,
            told=list(made.told),
            watched=[replace(seen, runs=[(s, list(r)) for s, r in seen.runs]) for seen in made.watched],
            log={match: list(entries) for match, entries in made.log.items()},
            feed=list(made.feed),
        )
        spoil(spoilt)

        assert wrong(spoilt), name


def a_receipt_for_nothing(made: History) -> None:
    at = next(n for n, told in enumerate(made.told) if told.receipt is not None)
    made.told[at] = replace(made.told[at], command=UUID(int=1))


def a_refusal_of_what_is_there(made: History) -> None:
    at = next(n for n, told in enumerate(made.told) if told.receipt is not None)
    made.told[at] = replace(made.told[at], receipt=None)


def a_lost_end(made: History) -> None:
    next(iter(made.log.values())).pop()


def a_repeat_in_the_feed(made: History) -> None:
    made.feed.append(made.feed[-1])


def a_hole_for_a_watcher(made: History) -> None:
    ranges = next(ranges for seen in made.watched for _, ranges in seen.runs if len(ranges) > 2)
    del ranges[1]


def another_s_fact_for_a_watcher(made: History) -> None:
    seen = next(seen for seen in made.watched if seen.side == 0)
    hidden = next(entry.seq for entry in made.log[seen.match] if entry.audience is Audience.SIDE_1)
    for _, ranges in seen.runs:
        for place, (after, upto, seqs) in enumerate(ranges):
            if after < hidden <= upto:
                ranges[place] = (after, upto, sorted([*seqs, hidden]))
                return
    seen.runs.append((hidden - 1, [(hidden - 1, hidden, [hidden])]))


SPOILT: dict[str, Callable[[History], None]] = {
    "a receipt for nothing": a_receipt_for_nothing,
    "a refusal of what is there": a_refusal_of_what_is_there,
    "a lost end": a_lost_end,
    "a repeat in the feed": a_repeat_in_the_feed,
    "a hole for a watcher": a_hole_for_a_watcher,
    "another's fact for a watcher": another_s_fact_for_a_watcher,
}


@pytest.mark.soak
async def test_the_same_for_longer(own_postgres: Embedded, notes: Path) -> None:
    """In rounds of a minute, each with new matches; FLEETFOLD_SOAK_SECONDS says how long in all."""
    rounds = max(1, int(os.environ.get("FLEETFOLD_SOAK_SECONDS", "3600")) // 60)
    for number in range(rounds):
        folder = notes / str(number)
        folder.mkdir()
        made = await play(own_postgres, folder, seconds=60, seed=number)
        log.info("history", round=number, **counts(made))

        assert [] == wrong(made)
        assert [] == bugs(made.lines)
