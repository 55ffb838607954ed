"""The demonstration of play over weeks (`make demo-weeks`), and that each of its checks can fail."""

import asyncio
import sys
from asyncio import create_subprocess_exec
from asyncio.subprocess import PIPE
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner
from msgspec import json
from msgspec.structs import replace

from domain.midway import MIDWAY
from tests.projections.play import play
from tests.weeks import __main__ as program
from tests.weeks.demo import LEAST, Report, moved, play_out, weeks
from tests.weeks.tally import CHANNELS, LATEST, Channel, Delivery, Spell, spells_of, tally

COUNTS = ["turns", "mails", "pushes", "webhooks", "late", "doubled", "lost"]
KEYS = ["title", "match", *COUNTS, "rated", "verified"]
GOOD = Report("midway", UUID(int=1), 12, 12, 12, 12, 0, 0, 0, rated=True, verified=True)
SPELLS = [Spell(0, 0, 10 * LATEST), Spell(1, 10 * LATEST, 20 * LATEST), Spell(0, 20 * LATEST)]
TOLD = [Delivery(channel, one.seat, "turn", one.since + LATEST) for one in SPELLS for channel in CHANNELS]


async def test_a_rated_duel_over_weeks_calls_who_is_away_once_a_turn_by_every_channel(
    dsn: str, folder: Path
) -> None:
    """Given a duel that is given up in its fourth turn."""
    folder.mkdir()
    async with asyncio.timeout(180), weeks(dsn, dsn, folder) as one:
        report = await play_out(one, lambda _: None, turns=4)

    assert [] == report.faults(least=4)
    assert (4, True, True) == (report.mails, report.rated, report.verified)


@pytest.mark.soak
async def test_the_last_line_of_a_whole_demonstration_has_these_keys_and_it_ends_well() -> None:
    process = await create_subprocess_exec(sys.executable, "-m", "tests.weeks", "demo", stdout=PIPE)
    said, _ = await process.communicate()
    found: dict[str, Any] = json.decode(said.splitlines()[-1])

    assert (0, KEYS) == (process.returncode, list(found))
    assert found["turns"] >= LEAST
    assert {found["turns"]} == {found[name] for name in ("mails", "pushes", "webhooks")}


def test_turns_are_counted_as_the_log_has_them() -> None:
    played = play(MIDWAY, "duel", seed=1)
    spells = spells_of(played.entries)

    assert [] == [one for one in spells if one.until is None or one.until < one.since]
    assert {0, 1} == {one.seat for one in spells}
    assert spells_of(played.entries[:-20])[-1].until is None


def test_each_turn_told_once_by_every_channel_is_as_it_should_be() -> None:
    assert tally(SPELLS, TOLD).good
    assert (3, 3, 3, 3, 0, 0, 0) == (*(getattr(tally(SPELLS, TOLD), name) for name in COUNTS),)


def after(one: Delivery, by: int) -> Delivery:
    return replace(one, at=one.at + by)


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ([*TOLD, after(TOLD[0], 1)], {"mails": 4, "doubled": 1, "late": 1}),
        ([*TOLD, after(TOLD[0], -1)], {"mails": 4, "doubled": 1}),
        (TOLD[1:], {"mails": 2, "lost": 1}),
        ([after(TOLD[0], 1), *TOLD[1:]], {"late": 1}),
        ([after(TOLD[0], 10 * LATEST), *TOLD[1:]], {"late": 1, "lost": 1}),
        ([*TOLD, Delivery("push", 1, "turn", 5)], {"pushes": 4, "late": 1}),
        ([*TOLD, Delivery("push", 1, "ended", 5)], {}),
    ],
)
def test_what_is_told_twice_too_late_or_never_is_counted(
    told: list[Delivery], counted: dict[str, int]
) -> None:
    found = tally(SPELLS, told)
    whole = {"mails": 3, "pushes": 3, "webhooks": 3, "late": 0, "doubled": 0, "lost": 0}

    assert whole | counted == {name: getattr(found, name) for name in whole}
    assert found.good == (not counted)


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_turn_of_which_one_channel_says_nothing_is_lost(channel: Channel) -> None:
    assert 3 == tally(SPELLS, [one for one in TOLD if one.channel != channel]).lost


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"turns": 11, "mails": 11, "pushes": 11, "webhooks": 11}, "11 turns, and at least 12 were wanted"),
        ({"mails": 13}, "13 mails for 12 turns"),
        ({"pushes": 11}, "11 pushes for 12 turns"),
        ({"webhooks": 0}, "0 webhooks for 12 turns"),
        ({"late": 1}, "1 late"),
        ({"doubled": 2}, "2 doubled"),
        ({"lost": 3}, "3 lost"),
        ({"rated": False}, "the ratings have not moved as the result says"),
        ({"verified": False}, "the match does not verify"),
    ],
)
def test_the_demonstration_ends_with_1_and_says_what_is_not_as_it_should_be(
    change: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def found(_say: Callable[[str], None]) -> Report:
        return replace(GOOD, **change)

    monkeypatch.setattr(program, "demonstrate", found)
    monkeypatch.setattr(program, "log_lines", lambda _level: None)
    ran = CliRunner().invoke(program.main, ["demo"])
    *_, before, last = ran.output.splitlines()

    assert (1, f"Not as it should be: {said}.") == (ran.exit_code, before)
    assert KEYS == list(json.decode(last))


def test_where_all_is_as_it_should_be_there_is_nothing_to_say() -> None:
    assert [] == GOOD.faults()


def of(before: int | None, after: int | None, score: float) -> dict[str, Any]:
    return {"matches": [{"before": before, "after": after, "score": score}], "ratings": [{}]}


@pytest.mark.parametrize(
    ("mine", "theirs", "right"),
    [
        (of(1500, 1600, 1), of(1500, 1400, 0), True),
        (of(1500, 1500, 0.5), of(1500, 1500, 0.5), True),
        (of(1500, 1500, 1), of(1500, 1400, 0), False),
        (of(1500, 1600, 1), of(1500, 1500, 0), False),
        (of(1500, 1400, 1), of(1500, 1600, 0), False),
        (of(1500, 1600, 1), of(1500, 1600, 1), False),
        (of(None, None, 1), of(1500, 1400, 0), False),
        ({"matches": [], "ratings": []}, of(1500, 1400, 0), False),
    ],
)
def test_ratings_have_moved_if_the_winners_rose_and_the_losers_fell(
    mine: dict[str, Any], theirs: dict[str, Any], right: bool
) -> None:
    assert right == moved(mine, theirs)
