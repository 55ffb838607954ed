"""Positions kept beside the log: each is what the match folds to, and none is trusted that is not."""

import asyncpg
import pytest
from msgspec.structs import replace

from domain.kernel.facts import Decided, Fact
from domain.match import fold, notices
from domain.match.corrections import CorrectionAnswered, CorrectionOffered, DiceCounted, seat_of
from domain.match.fold import Fold
from domain.match.undo import Undone
from projections import positions
from projections.feed import catch_up
from projections.generations import prepare, rebuild
from projections.positions import BadPosition, Positions, differing, latest
from server.log import statements
from server.log.store import PostgresLog
from server.postgres.database import Database, auditor, connection
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play, retold, tale
from tests.tiny import GAME
from tests.tiny.facts import StepsLeft

EVERY, CORRECTED = 20, 40


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch, with_tiny: None) -> None:  # noqa: ARG001
    monkeypatch.setattr(positions, "EVERY", EVERY)
    monkeypatch.setattr(positions, "CORRECTED", CORRECTED)


def long(seed: int = 1) -> Played:
    return play(GAME, "campaign", seed=seed, undos=0.3, corrected=0.05)


def due(played: Played) -> list[int]:
    """The last facts of the commands in which a match reached a multiple of EVERY facts, or was corrected.

    Of corrections it is the first in each CORRECTED facts.
    """
    firsts = {one // CORRECTED: one for one in reversed(corrections(played))}
    return [
        command[-1].seq
        for command in played.commands
        if command[-1].seq // EVERY > (command[0].seq - 1) // EVERY or command[-1].seq in firsts.values()
    ]


def corrections(played: Played) -> list[int]:
    """The facts behind which a match was corrected."""
    return [entry.seq for entry in played.entries if entry.type == "DiceCounted"]


async def followed(database: Database) -> None:
    await prepare(database.projector, Positions())
    await catch_up(database.projector, Positions())


async def kept(database: Database, played: Played) -> list[int]:
    async with connection(database.read) as conn:
        rows = await conn.fetch(
            "SELECT seq FROM view.position WHERE match_id = $1 ORDER BY seq", played.match
        )
    return [row["seq"] for row in rows]


async def wrong(database: Database, played: Played) -> list[int]:
    async with connection(database.projector) as conn:
        return await differing(conn, played.match)


async def test_a_position_is_kept_every_so_many_facts_and_behind_corrections_and_is_what_the_match_folds_to(
    database: Database, log: PostgresLog
) -> None:
    matches = [long(seed) for seed in (1, 2, 3)]
    await keep_all(log, matches)

    await followed(database)

    for played in matches:
        assert due(played) == await kept(database, played)
        assert len(due(played)) > 3
        assert [] == await wrong(database, played)
    assert any(corrections(played) for played in matches)


@pytest.mark.parametrize("each", [False, True])
async def test_corrections_in_a_row_make_one_position(
    database: Database, log: PostgresLog, monkeypatch: pytest.MonkeyPatch, each: bool
) -> None:
    """Given a match that is corrected again and again within a hundred facts, read at once or one by one."""
    monkeypatch.setattr(positions, "EVERY", 1_000)
    monkeypatch.setattr(positions, "CORRECTED", 100)
    played = corrected_in_a_row(12)
    assert len({seq // 100 for seq in corrections(played)}) == 1
    await prepare(database.projector, Positions())
    first = corrections(played)[0]
    done = 0
    for seq in corrections(played) if each else corrections(played)[-1:]:
        cut = played.cut(sum(command[-1].seq <= seq for command in played.commands))
        await keep(log, cut, done)
        done = seq
        await catch_up(database.projector, Positions())

    assert [first] == await kept(database, played)
    assert [] == await wrong(database, played)


def corrected_in_a_row(times: int) -> Played:
    """Play a little, and go back to before the first decision as often."""
    played = play(GAME, "campaign", undos=0, most=6)
    whole = Fold(GAME)
    for command in played.commands:
        whole.apply(command)
    seq, of = next((seq, of) for seq, fact in whole.facts if (of := seat_of(fact)) is not None)
    rounds: list[list[Fact]] = [
        [CorrectionOffered(0, seq - 1, of)],
        [
            CorrectionAnswered(1, agreed=True),
            Undone(of, seq - 1, consent=True),
            DiceCounted(whole.state.rolls, whole.state.unseen or 0),
        ],
    ]
    last = played.entries[-1].at
    return retold(played, [*tale(played), *((last, facts) for facts in rounds * times)])


async def test_positions_kept_as_a_match_grows_are_those_of_one_that_is_read_at_once(
    database: Database, log: PostgresLog
) -> None:
    played = long()
    await prepare(database.projector, Positions())
    done = 0
    for count in range(3, len(played.commands) + 1, 3):
        await keep(log, played.cut(count), done)
        done = played.cut(count).entries[-1].seq
        await catch_up(database.projector, Positions())
    async with connection(database.read) as conn:
        grown = await conn.fetch("SELECT * FROM view.position ORDER BY seq")

    await rebuild(database.projector, Positions())

    async with connection(database.read) as conn:
        assert grown == await conn.fetch("SELECT * FROM view.position ORDER BY seq")
    assert [seq for seq in due(played) if seq <= done] == [row["seq"] for row in grown]
    assert [] == await wrong(database, played)


async def test_a_node_finds_the_last_position_at_or_before_a_fact(
    database: Database, log: PostgresLog
) -> None:
    played = long()
    await keep(log, played)
    await followed(database)
    first, second = due(played)[:2]

    async with connection(database.read) as conn:
        found = [await latest(conn, played.match, upto) for upto in (first - 1, first, second - 1, second)]

    assert [None, first, first, second] == [one and one.position.seq for one in found]
    assert found[1] is not None
    taken_up = Fold.at_position(found[1].game, found[1].position)
    whole = Fold(GAME)
    for command in played.commands:
        if command[-1].seq <= first:
            whole.apply(command)
    assert (whole.state, whole.hash) == (taken_up.state, taken_up.hash)


async def change(dsn: str, sql: str) -> None:
    conn = await asyncpg.connect(dsn)
    try:
        await conn.execute(sql)
    finally:
        await conn.close()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("body = set_byte(body, 40, get_byte(body, 40) # 1)", "damaged"),
        ("digest = sha256('')", "damaged"),
        ("hash = sha256('')", "not on the chain"),
        ("seq = seq + 1", "not on the chain"),
    ],
)
async def test_a_position_that_is_damaged_or_not_on_the_chain_is_not_given(
    dsn: str, database: Database, log: PostgresLog, damage: str, why: str
) -> None:
    played = long()
    await keep(log, played)
    await followed(database)
    last = due(played)[-1]
    await change(dsn, f"UPDATE view.position_1 SET {damage} WHERE seq = {last}")

    async with connection(database.read) as conn:
        with pytest.raises(BadPosition, match=why):
            await latest(conn, played.match)

    assert [last + (damage == "seq = seq + 1")] == await wrong(database, played)


async def test_a_position_of_another_match_is_not_given(
    dsn: str, database: Database, log: PostgresLog
) -> None:
    played, other = long(1), long(2)
    await keep_all(log, [played, other])
    await followed(database)
    last = due(played)[-1]
    await change(dsn, f"DELETE FROM view.position_1 WHERE match_id = '{other.match}'")
    await change(dsn, f"UPDATE view.position_1 SET match_id = '{other.match}' WHERE seq = {last}")

    async with connection(database.read) as conn:
        with pytest.raises(BadPosition):
            await latest(conn, other.match)


async def test_a_position_of_other_rules_is_as_good_as_none(
    database: Database, log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = long()
    await keep(log, played)
    await followed(database)
    monkeypatch.setattr(GAME, "revision", "3")

    async with connection(database.read) as conn:
        assert None is await latest(conn, played.match)
    await rebuild(database.projector, Positions())
    async with connection(database.read) as conn:
        found = await latest(conn, played.match)

    assert found is not None
    assert due(played)[-1] == found.position.seq


async def test_positions_go_on_from_the_start_where_the_last_one_is_damaged(
    dsn: str, database: Database, log: PostgresLog
) -> None:
    played = long()
    before = played.cut(len(played.commands) // 2)
    await keep(log, before)
    await followed(database)
    last = due(before)[-1]
    await change(dsn, f"UPDATE view.position_1 SET body = '\\x00' WHERE seq = {last}")

    await keep(log, played, before.entries[-1].seq)
    await catch_up(database.projector, Positions())

    assert due(played) == await kept(database, played)
    assert [last] == await wrong(database, played)


async def test_a_match_of_older_rules_whose_undo_goes_back_past_dice_has_positions_too(
    database: Database, log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "FORGET", 10)
    played = undone_past_dice(play(GAME, "campaign", undos=0))
    await keep(log, played)

    await followed(database)

    assert due(played) == await kept(database, played)
    assert [] == await wrong(database, played)


def undone_past_dice(played: Played) -> Played:
    """Take back all that was played, in the midst of the match, and play it once more from there."""
    told = tale(played)
    begun = next(n for n, (_, facts) in enumerate(told) if isinstance(facts[0], Decided))
    middle = begun + (len(told) - begun) // 2
    back_to = sum(len(facts) for _, facts in told[:begun])
    undo: tuple[int, list[Fact]] = (told[middle - 1][0], [Undone(0, back_to)])
    again = [(told[middle - 1][0], facts) for _, facts in told[begun:middle]]
    return retold(played, [*told[:middle], undo, *again])


async def test_what_cannot_be_folded_here_has_no_positions_and_stops_no_others(
    database: Database, log: PostgresLog
) -> None:
    strange, broken, played = renamed(long(1), "chess"), long(2), long(3)
    broken = broken.changed(due(broken)[1] - 5, StepsLeft("no such boat", 1))
    await keep_all(log, [strange, broken, played])

    await followed(database)

    assert [] == await kept(database, strange)
    assert due(broken)[:1] == await kept(database, broken)
    assert due(played) == await kept(database, played)


async def test_a_match_in_which_no_command_ends_has_no_positions_and_stops_nothing(
    database: Database, log: PostgresLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given pages that are too short for any command, as if an index were altered."""
    played = long(1)
    await keep_all(log, [played])
    monkeypatch.setattr(statements, "PAGE", 1)

    await followed(database)

    assert [] == await kept(database, played)


def renamed(played: Played, title: str) -> Played:
    created = played.facts[0][1]
    assert isinstance(created, notices.Created)
    return played.changed(1, replace(created, title=title))


async def test_positions_hold_secrets_and_auditors_may_not_read_them(
    dsn: str, database: Database, log: PostgresLog
) -> None:
    await keep(log, long())
    await followed(database)
    await rebuild(database.projector, Positions())

    async with auditor(dsn) as conn:
        for relation in ("view.position", "view.position_2"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await conn.fetch(f"SELECT * FROM {relation}")
    async with connection(database.read) as node:
        assert await node.fetchval("SELECT count(*) FROM view.position") > 3
