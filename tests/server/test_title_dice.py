"""The dice of all matches of a title: summed once for all who ask within a minute, as a read like others."""

import asyncio
from typing import Any

import pytest
from msgspec import json

from domain.match.game import Game
from projections import audit
from projections.audit import DiceCount, fairness
from projections.feed import catch_up
from server import addresses, limits
from server.addresses import Address
from server.http.reads import PLACES, Reads
from server.http.responses import TitleAudit
from server.http.title_dice import KEPT, TitleDice
from server.log.outcomes import Busy
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from server.serving import Serving
from tests.projections.play import keep, play
from tests.server.reading import get
from tests.tiny import GAME

DRAWS = """
INSERT INTO view.dice (match_id, title, purpose, sides, rolled, excess, variance, faces)
SELECT gen_random_uuid(), 'tiny', 'draw', 0, 1, random() - 0.5, 1e9 * random(), '{}'
  FROM generate_series(1, 1000)
"""

EVER = 1e9
"""Seconds until what was spent is back: not while a test runs."""


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """Give the titles whose dice the database is asked for, in order."""
    asked, dice = list[str | None](), audit.dice

    async def noting(conn: Any, *, title: str | None = None, match: Any = None) -> Any:
        asked.append(title)
        return await dice(conn, title=title, match=match)

    monkeypatch.setattr(audit, "dice", noting)
    return asked


@pytest.fixture
async def played(database: Database) -> Database:
    """Give a database with the dice of some matches."""
    await add(database, GAME, 1, 2, 3)
    return database


async def add(database: Database, game: Game, *seeds: int) -> None:
    log = PostgresLog(database)
    for seed in seeds:
        await keep(log, play(game, "campaign", seed=seed))
    await log.close()
    await catch_up(database.projector, audit.Audit())


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_whoever_asks_for_the_dice_of_a_title_within_a_minute_is_answered_by_one_question(
    played: Database, questions: list[str | None]
) -> None:
    clock, homes = Clock(), [Address() for _ in range(5)]
    dice = TitleDice(played.http, Reads(), clock)

    first = await asyncio.gather(*(dice.answer(home, "tiny") for home in homes for _ in range(10)))
    await add(played, GAME, 4)
    clock.now += KEPT - 1
    later = await dice.answer(Address(), "tiny")
    assert ["tiny"] == questions
    clock.now += 1
    anew = await dice.answer(Address(), "tiny")

    assert {later} == {*first}
    assert ["tiny", "tiny"] == questions
    before, after = (json.decode(body, type=TitleAudit).dice for body in (later, anew))
    assert 0 < before[0].rolled < after[0].rolled
    async with connection(played.http) as conn:
        assert after == await audit.dice(conn, title="tiny")


async def test_the_dice_of_a_title_are_summed_as_a_read_that_the_address_pays_for(
    played: Database, questions: list[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given all places of a node taken by others, so that one waits; what is kept needs none, and is free."""
    monkeypatch.setattr(addresses, "READS", (limits.TITLE_DICE, EVER))
    reads, home, other = Reads(), Address(), Address()
    dice, let_go = TitleDice(played.http, reads), asyncio.Event()

    async def long() -> bytes:
        await let_go.wait()
        return b""

    taken = [asyncio.create_task(reads.read(Address(), number, 1, long)) for number in range(PLACES)]
    asked = asyncio.create_task(dice.answer(home, "tiny"))
    async with asyncio.timeout(10):
        while not reads._places.waiting:
            await asyncio.sleep(0)
    assert [] == questions
    let_go.set()
    body = await asked
    await asyncio.gather(*taken)

    assert limits.TITLE_DICE == home.reads.spent
    other.reads.spend(2 * limits.TITLE_DICE)
    assert body == await dice.answer(home, "tiny") == await dice.answer(other, "tiny")
    with pytest.raises(Busy):
        await dice.answer(other, "midway")
    assert limits.TITLE_DICE == home.reads.spent


async def test_who_waited_at_his_address_while_others_were_answered_asks_nothing_more(
    played: Database, questions: list[str | None]
) -> None:
    reads, home = Reads(), Address()
    dice = TitleDice(played.http, reads)

    async with home.turn:
        waits = asyncio.create_task(dice.answer(home, "tiny"))
        body = await dice.answer(Address(), "tiny")

    assert body == await waits
    assert ["tiny"] == questions


async def test_what_could_not_be_summed_is_not_kept(
    played: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = TitleDice(played.http, Reads())

    async def failing(*_: Any, **__: Any) -> Any:
        raise TimeoutError

    with monkeypatch.context() as patched:
        patched.setattr(audit, "dice", failing)
        with pytest.raises(TimeoutError):
            await dice.answer(Address(), "tiny")

    assert json.decode(await dice.answer(Address(), "tiny"), type=TitleAudit).dice


async def test_many_who_ask_over_http_are_one_question(server: Serving, questions: list[str | None]) -> None:
    answers = await asyncio.gather(*(get(server.url, "/api/audit/midway") for _ in range(30)))

    assert [(200, b'{"dice":[]}')] * 30 == [(one.status, one.body) for one in answers]
    assert ["midway"] == questions


async def test_postgres_sums_to_the_last_bit_what_its_rows_come_to_one_by_one(played: Database) -> None:
    """Given so many draws besides the matches that the bits of their sums differ with the order."""
    async with connection(played.projector) as conn:
        await conn.execute(DRAWS)
    counts: dict[tuple[str, int], DiceCount] = {}
    async with connection(played.http) as conn:
        for row in await conn.fetch("SELECT * FROM view.dice"):
            one = counts.setdefault((row["purpose"], row["sides"]), DiceCount(faces=[0] * row["sides"]))
            one.rolled += row["rolled"]
            one.excess += row["excess"]
            one.variance += row["variance"]
            one.faces = [was + more for was, more in zip(one.faces, row["faces"], strict=True)]
        found = await audit.dice(conn, title="tiny")

    assert {0, 6} <= {sides for _, sides in counts}
    assert [fairness(*key, counts[key]) for key in sorted(counts)] == found
