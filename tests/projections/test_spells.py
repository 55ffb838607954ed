"""Whose turn it is, and since when."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from msgspec import json

from domain.kernel.facts import State, evolve
from domain.match.notices import TimeOutClaimed
from domain.match.undo import standing
from projections.feed import catch_up
from projections.generations import prepare, rebuild
from projections.projection import ProjectedFact
from projections.spells import ChangedSpells, Spell, Turns
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play
from tests.tiny import GAME

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Rows = dict[int, Spell]


def asked(played: Played) -> tuple[int, ...]:
    state: State[Any, Any] = evolve(GAME.state(), [fact for _, fact in standing(played.facts)])
    return () if state.match.paused else state.asked


def spells(played: Played) -> Rows:
    """The spells as of the end of a match, by folding it anew for every command."""
    now: Rows = {}
    for number in range(1, len(played.commands) + 1):
        cut = played.cut(number)
        seats, command = asked(cut), cut.commands[-1]
        begun = next(
            (e for e in reversed(command) if e.type in {"Paused", "ClocksStarted", "Undone"}), command[-1]
        )
        spell = Spell(begun.seq, EPOCH + timedelta(microseconds=begun.at))
        for claim in (e for e in command if e.type == "TimeOutClaimed"):
            claimed = GAME.fact(claim.body)
            assert isinstance(claimed, TimeOutClaimed)
            now[claimed.seat] = Spell(claim.seq, EPOCH + timedelta(microseconds=claim.at))
        now = {seat: now.get(seat, spell) for seat in seats}
    return now


async def read(database: Database, match: UUID) -> Rows:
    async with connection(database.read) as conn:
        rows = await conn.fetch("SELECT seat, seq, since FROM view.turn WHERE match_id = $1", match)
    return {row["seat"]: Spell(row["seq"], row["since"]) for row in rows}


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_after_every_command_there_is_a_row_for_each_seat_that_is_asked_and_no_other(
    database: Database, log: PostgresLog, seed: int
) -> None:
    played = play(
        GAME, "campaign", {"pairs": True}, seed=seed, undos=0.4, paused=0.1, lapses=0.2, corrected=0.1
    )
    await prepare(database.projector, Turns())

    after = 0
    for number in range(1, len(played.commands) + 1):
        cut = played.cut(number)
        await keep(log, cut, after)
        after = len(cut.entries)
        await catch_up(database.projector, Turns())

        assert spells(cut) == await read(database, played.match)


async def test_in_one_page_and_in_many_it_is_the_same(database: Database, log: PostgresLog) -> None:
    matches = [
        play(
            GAME, "campaign", {"pairs": True}, seed=seed, undos=0.4, paused=0.1, lapses=0.2, corrected=0.1
        ).cut(20 + seed)
        for seed in range(1, 6)
    ]
    await prepare(database.projector, Turns())
    await keep_all(log, matches)
    await catch_up(database.projector, Turns())
    piecewise = [await read(database, played.match) for played in matches]

    await rebuild(database.projector, Turns())

    assert piecewise == [await read(database, played.match) for played in matches]
    assert piecewise == [spells(played) for played in matches]


def told(folding: ChangedSpells, seq: int, type: str, **body: Any) -> Rows:
    fact = ProjectedFact(UUID(int=1), seq, seq * 1_000_000, type, 1, json.encode(body))
    Turns().fold(folding, fact)
    return {seat: spell for (_, seat), spell in folding.spells.items()}


def spell(seq: int) -> Spell:
    return Spell(seq, EPOCH + timedelta(seconds=seq))


def test_who_is_asked_again_goes_on_with_the_same_spell() -> None:
    folding = ChangedSpells({}, {}, {}, {})

    assert {0: spell(1)} == told(folding, 1, "Paused", seats=[0])
    assert {0: spell(1), 1: spell(2)} == told(folding, 2, "Paused", seats=[0, 1])
    assert {1: spell(2)} == told(folding, 3, "Paused", seats=[1])
    assert {0: spell(4), 1: spell(2)} == told(folding, 4, "Paused", seats=[0, 1])


def test_whose_time_out_is_claimed_and_who_is_asked_on_begins_another_spell() -> None:
    folding = ChangedSpells({}, {}, {}, {})
    told(folding, 1, "Paused", seats=[0, 1])

    assert {0: spell(2), 1: spell(1)} == told(folding, 2, "TimeOutClaimed", seat=0, by=2)
    assert {0: spell(2), 1: spell(1)} == told(folding, 3, "Paused", seats=[0, 1])
    assert {0: spell(2)} == told(folding, 4, "Paused", seats=[0])
    told(folding, 5, "TimeOutClaimed", seat=0, by=2)
    assert {1: spell(6)} == told(folding, 6, "Paused", seats=[1])


def test_a_pause_and_the_end_of_a_match_end_every_spell() -> None:
    folding = ChangedSpells({}, {}, {}, {})
    told(folding, 1, "Paused", seats=[0])

    assert {} == told(folding, 2, "ClocksStopped")
    assert {0: spell(3)} == told(folding, 3, "ClocksStarted", seat=1, running=[0])
    assert {} == told(folding, 4, "GameEnded", winner=None, reason="", rule="")


def test_who_takes_over_a_seat_that_is_asked_has_a_turn_of_his_own() -> None:
    folding = ChangedSpells({}, {}, {}, {})
    told(folding, 1, "Paused", seats=[0, 1])

    assert {0: spell(2), 1: spell(1)} == told(folding, 2, "SeatReplaced", seat=0, kind="person")
    assert {1: spell(1)} == told(folding, 3, "Paused", seats=[1])
    assert {1: spell(1)} == told(folding, 4, "SeatReplaced", seat=0, kind="person")
