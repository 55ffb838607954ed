import random

import pytest

from domain.kernel.dice import seeded
from domain.kernel.facts import Decided, Drew, Rolled, RolledUnseen
from domain.match.undo import standing
from projections.audit import Audit, DiceCount, Fairness, Seat, chi_square_tail, decisions, dice, fairness
from projections.feed import catch_up
from projections.generations import prepare
from projections.projection import UnprojectableFact
from projections.standings import Standings, standings
from projections.turns import DecisionMark
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from tests.kernel.test_unseen import GAME as SEARCHING
from tests.projections.conftest import keep_all
from tests.projections.play import Played, keep, play
from tests.tiny import GAME


async def audited(database: Database, log: PostgresLog, *matches: Played) -> None:
    await keep_all(log, matches)
    for projection in (Audit(), Standings()):
        await prepare(database.projector, projection)
        await catch_up(database.projector, projection)


async def of(database: Database, played: Played | None = None, title: str | None = None) -> list[Fairness]:
    async with connection(database.read) as conn:
        return await dice(conn, title=title, match=played.match if played else None)


async def test_every_face_of_every_roll_is_counted(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", seed=1)
    await audited(database, log, played)
    faces = [face for _, fact in played.facts if isinstance(fact, Rolled) for face in fact.dice]

    fire = next(one for one in await of(database, played) if one.purpose == "fire")

    assert len(faces) == fire.rolled > 0
    assert tuple(faces.count(face) for face in range(1, 7)) == fire.faces
    assert sum(faces) / len(faces) == pytest.approx(fire.mean)


async def test_all_matches_of_a_title_together(database: Database, log: PostgresLog) -> None:
    matches = [play(GAME, "campaign", seed=seed) for seed in range(1, 7)]
    await audited(database, log, *matches)
    count = sum(len(f.dice) for one in matches for _, f in one.facts if isinstance(f, Rolled))

    for found in (await of(database), await of(database, title="tiny")):
        assert count == next(one.rolled for one in found if one.purpose == "fire")
    assert [] == await of(database, title="chess")


async def test_draws_are_not_counted_before_the_match_has_ended(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", seed=2)
    await audited(database, log, played.cut(len(played.commands) - 1))
    before = [one.purpose for one in await of(database)]
    await keep(log, played, len(played.cut(len(played.commands) - 1).entries))
    await catch_up(database.projector, Audit())
    after = {one.purpose: one.rolled for one in await of(database)}
    drawn = sum(len(fact.places) for _, fact in played.facts if isinstance(fact, Drew))

    assert "draw a card" not in before
    assert drawn == after["draw a card"] > 0


async def test_unseen_rolls_are_not_counted_before_the_match_has_ended(
    database: Database, log: PostgresLog
) -> None:
    whole = [play(SEARCHING, "probe", seed=seed) for seed in range(9)]
    played = max(whole, key=lambda one: sum(isinstance(fact, RolledUnseen) for _, fact in one.facts))
    cut = played.cut(len(played.commands) - 1)
    await audited(database, log, cut)
    before = [one.purpose for one in await of(database)]
    await keep(log, played, len(cut.entries))
    await catch_up(database.projector, Audit())
    after = {(one.purpose, one.sides): one.rolled for one in await of(database)}
    rolls = [fact for _, fact in played.facts if isinstance(fact, RolledUnseen)]

    assert "weather" in before
    assert not {"search", "depth"} & {*before}
    for kind in {(roll.purpose, roll.sides) for roll in rolls}:
        assert after[kind] == sum(len(r.dice) for r in rolls if (r.purpose, r.sides) == kind) > 0


async def test_decisions_of_each_seat_and_those_taken_back(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", {"pairs": True}, seed=3, undos=0.5, corrected=0.1)
    await audited(database, log, played)
    made = [fact for _, fact in played.facts if isinstance(fact, Decided)]
    stand = [fact for _, fact in standing(played.facts) if isinstance(fact, Decided)]

    async with connection(database.read) as conn:
        found = await decisions(conn, played.match)

    assert found is not None
    for seat, one in enumerate(found.seats):
        chosen = [f for f in stand if f.seat == seat and f.how == "chosen"]
        forced = [f for f in stand if f.seat == seat and f.how == "forced"]
        all_chosen = [f for f in made if f.seat == seat and f.how == "chosen"]
        assert (len(chosen), len(forced)) == (one.chosen, one.forced)
        assert len(all_chosen) - len(chosen) == one.taken_back
    assert sum(one.taken_back for one in found.seats) > 0


async def test_decisions_taken_by_the_clock(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", seed=3, lapses=0.3)
    await audited(database, log, played)
    lapsed = [f.seat for _, f in played.facts if isinstance(f, Decided) and f.how == "default"]

    async with connection(database.read) as conn:
        found = await decisions(conn, played.match)

    assert found is not None
    assert [lapsed.count(0), lapsed.count(1)] == [seat.default for seat in found.seats]
    assert len(lapsed) > 2


async def test_facts_that_do_not_follow_stop_it(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "skirmish")
    await prepare(database.projector, Audit())
    await keep(log, played)
    async with connection(database.projector) as conn:
        await conn.execute(
            "UPDATE view.cursor SET match_id = $1, seq = 3, xid = (SELECT min(xid) FROM log.fact)",
            played.match,
        )

    with pytest.raises(UnprojectableFact, match="comes after fact 0"):
        await catch_up(database.projector, Audit())


async def test_time_used_is_that_of_the_standings(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", seed=3, undos=0.5, paused=0.2, corrected=0.1)
    await audited(database, log, played)

    async with connection(database.read) as conn:
        counted = await decisions(conn, played.match)
        standing_now = (await standings(conn, [played.match]))[0]

    assert counted is not None
    assert [chair.used for chair in standing_now.chairs] == [seat.used for seat in counted.seats]
    assert all(0 < seat.longest < seat.used for seat in counted.seats)


async def test_no_match_no_decisions(database: Database) -> None:
    await prepare(database.projector, Audit())
    async with connection(database.read) as conn:
        assert await decisions(conn, play(GAME, "skirmish").match) is None


def count_of(faces: list[int], sides: int = 6) -> DiceCount:
    count = DiceCount()
    count.roll(faces, sides)
    return count


def test_fair_dice_are_within_the_band_95_times_of_100() -> None:
    within = 0
    for seed in range(1000):
        faces = seeded(seed).roll(0, 60, 6)
        one = fairness("fire", 6, count_of(list(faces)))
        within += one.low <= one.mean <= one.high

    assert 930 <= within <= 970


def test_fair_draws_are_within_the_band_95_times_of_100() -> None:
    within = 0
    for seed in range(1000):
        chance, count = random.Random(seed), DiceCount()
        for left in range(16, 1, -1):
            count.draw([chance.randrange(left)], left)
        one = fairness("draw a card", 0, count)
        within += one.low <= one.mean <= one.high

    assert 930 <= within <= 970


def test_loaded_dice_are_outside() -> None:
    one = fairness("fire", 6, count_of([6] * 40 + [1, 2, 3, 4, 5] * 12))

    assert one.mean > one.high
    assert one.chance is not None
    assert one.chance < 0.05


def test_the_figures_of_a_pile_by_hand() -> None:
    one = fairness("fire", 6, count_of([1, 1, 2, 3, 4, 6]))

    assert (3.5, (2, 1, 1, 1, 0, 1)) == (one.expected, one.faces)
    assert 17 / 6 == pytest.approx(one.mean)
    assert 1.96 * (35 / 12 / 6) ** 0.5 == pytest.approx(one.high - 3.5, rel=1e-4)
    assert 2.0 == pytest.approx(one.chi_square)


@pytest.mark.parametrize(
    ("square", "freedom", "tail"),
    [
        (3.841459, 1, 0.05),
        (5.991465, 2, 0.05),
        (11.070498, 5, 0.05),
        (18.307038, 10, 0.05),
        (0, 5, 1),
        (30.143527, 19, 0.05),
    ],
)
def test_the_tail_of_chi_square(square: float, freedom: int, tail: float) -> None:
    assert tail == pytest.approx(chi_square_tail(square, freedom), abs=1e-6)


def test_decisions_of_one_command_count_as_one() -> None:
    """All may read the count, and not how many picks a hidden move was made of."""
    seat = Seat()
    for mark in (
        DecisionMark(0),
        DecisionMark(0, "chosen", joined=True),
        DecisionMark(0, "chosen", joined=True),
    ):
        seat.count(mark)

    assert 1 == seat.chosen


def test_what_a_seat_has_ordered_counts_as_what_it_chose() -> None:
    ordered, chosen = Seat(), Seat()

    ordered.count(DecisionMark(0, "ordered"))
    chosen.count(DecisionMark(0, "chosen"))

    assert chosen == ordered
    assert 1 == ordered.chosen
