"""Chapters and stories kept beside the log: what a match in force tells, each reader what he may see."""

from uuid import UUID

import asyncpg
import pytest

from domain.kernel.audience import Audience, Reader
from domain.kernel.facts import Fact
from domain.match.chronicle import Chapter, Line
from domain.match.undo import standing
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.chronicle import Course, PacificWarChronicle
from projections import chronicle
from projections.chronicle import Chronicles, StoryLine
from projections.feed import catch_up, turn
from projections.generations import prepare, rebuild
from server.log.store import PostgresLog
from server.postgres.database import Database, auditor, connection
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play
from tests.tiny import GAME

READERS: tuple[Reader, ...] = (Audience.UMPIRE, Audience.SIDE_0, Audience.SIDE_1, Audience.ONLOOKERS)


def campaign(seed: int = 3, most: int = 120, corrected: float = 0.0) -> Played:
    played = play(PACIFIC_WAR, "C1", seed=seed, undos=0.2, corrected=corrected, most=most)
    assert any(entry.type == "Undone" for entry in played.entries)
    return played


Stories = dict[str, list[StoryLine]]


def expected(played: Played, reader: Reader) -> tuple[list[Chapter], Stories]:
    """What a match tells by the facts in force, followed from the first on."""
    one = PACIFIC_WAR.chronicle
    assert one is not None
    course = one.course()
    stories: Stories = {}
    for seq, fact in standing(played.facts):
        if not isinstance(fact, one.types):
            continue
        for line in one.follow(course, seq, fact):
            at = one.chapter(course), one.when(course)
            if reader.sees(line.audience):
                stories.setdefault(line.unit, []).append(StoryLine(seq, *at, line.kind, line.words))
    return one.chapters(course), stories


async def read(database: Database, match: UUID, reader: Reader) -> tuple[list[Chapter], Stories]:
    async with connection(database.projector) as conn:
        units = [
            row["unit"]
            for row in await conn.fetch("SELECT DISTINCT unit FROM view.story WHERE match_id = $1", match)
        ]
        stories = {unit: await chronicle.story(conn, match, unit, reader) for unit in units}
        return await chronicle.chapters(conn, match), {
            unit: lines for unit, lines in stories.items() if lines
        }


@pytest.mark.parametrize("seed", [3, 4])
async def test_after_every_few_commands_it_is_what_the_match_in_force_tells(
    database: Database, log: PostgresLog, seed: int
) -> None:
    played = campaign(seed, corrected=0.04)
    await prepare(database.projector, Chronicles())

    after = 0
    for number in [*range(3, len(played.commands), 3), len(played.commands)]:
        cut = played.cut(number)
        await keep(log, cut, after)
        after = len(cut.entries)
        await catch_up(database.projector, Chronicles())

        assert expected(cut, Audience.UMPIRE) == await read(database, played.match, Audience.UMPIRE)


@pytest.mark.parametrize("every", [7, 100, chronicle.EVERY])
async def test_in_pages_of_any_size_and_rebuilt_it_is_the_same(
    database: Database, log: PostgresLog, monkeypatch: pytest.MonkeyPatch, every: int
) -> None:
    monkeypatch.setattr(chronicle, "EVERY", every)
    played = campaign()
    await keep_all(log, [played])
    await prepare(database.projector, Chronicles())
    while await turn(database.projector, Chronicles(), limit=11):
        pass
    for reader in READERS:
        assert expected(played, reader) == await read(database, played.match, reader)

    await rebuild(database.projector, Chronicles())

    for reader in READERS:
        assert expected(played, reader) == await read(database, played.match, reader)


async def test_a_side_is_told_what_it_knows_of_its_own_units_and_nobody_else_is(
    database: Database, log: PostgresLog
) -> None:
    played = campaign(most=60)
    await keep_all(log, [played])
    await prepare(database.projector, Chronicles())
    await catch_up(database.projector, Chronicles())
    secret = {entry.seq: entry.audience for entry in played.entries if entry.audience is not Audience.ALL}

    _, all_of_it = await read(database, played.match, Audience.UMPIRE)
    for reader in READERS[1:]:
        _, stories = await read(database, played.match, reader)

        assert [] == [
            line
            for lines in stories.values()
            for line in lines
            if line.seq in secret and not reader.sees(secret[line.seq])
        ]
        assert len(stories) < len(all_of_it)


async def test_a_match_of_a_title_without_a_chronicle_has_no_chapters(
    database: Database,
    log: PostgresLog,
    with_tiny: None,  # noqa: ARG001
) -> None:
    await keep_all(log, [play(GAME, "campaign", seed=1)])
    await prepare(database.projector, Chronicles())
    await catch_up(database.projector, Chronicles())

    async with connection(database.projector) as conn:
        assert 0 == await conn.fetchval("SELECT count(*) FROM view.course")


async def test_a_match_that_cannot_be_told_stops_nobody_else(
    database: Database, log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = campaign(3, 60), campaign(5, 60)
    follow = PacificWarChronicle.follow
    wrong = next(entry for entry in bad.entries if entry.type == "OwnUnits" and entry.seq > 50)

    def faulty(self: PacificWarChronicle, course: Course, seq: int, fact: Fact) -> list[Line]:
        if (seq, fact) == (wrong.seq, PACIFIC_WAR.fact(wrong.body)):
            raise ValueError("a fault")
        return follow(self, course, seq, fact)

    monkeypatch.setattr(PacificWarChronicle, "follow", faulty)
    await keep_all(log, [bad, good])
    await prepare(database.projector, Chronicles())
    while await turn(database.projector, Chronicles(), limit=50):
        pass

    last = await read(database, bad.match, Audience.UMPIRE)
    assert all(line.seq < wrong.seq for lines in last[1].values() for line in lines)
    assert expected(good, Audience.UMPIRE) == await read(database, good.match, Audience.UMPIRE)


async def test_auditors_may_not_read_it(database: Database, dsn: str) -> None:
    await prepare(database.projector, Chronicles())

    async with auditor(dsn) as conn:
        for view in ("course", "chapter", "story"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await conn.fetch(f"SELECT * FROM view.{view}")
