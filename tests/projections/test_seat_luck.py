"""What the dice of each seat came to: worked by hand, followed and rebuilt, and nothing before the end."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from domain.kernel.facts import Fact, Modifier, Roll, RolledUnseen
from domain.match.notices import BY_MATCH, CALLED_OFF
from domain.match.replacing import SeatReplaced
from domain.match.undo import Undone
from domain.titles import TITLES
from projections.feed import catch_up, turn
from projections.generations import rebuild
from projections.luck import Count, Tally, luck, over_matches
from projections.seat_luck import AT_ONCE, SeatLuck, Seats
from server.log.store import PostgresLog
from server.postgres.database import Database, connection
from tests.golden.make import HERE, read
from tests.projections.play import START, keep, play
from tests.projections.rated import Thrown, dice, store, uid
from tests.projections.steady import entry
from tests.tiny import GAME

HITS, CHECKS = "hits", "checks"
BEGAN = datetime.fromtimestamp(START / 1e6, UTC)


async def rows(database: Database) -> list[dict[str, Any]]:
    async with connection(database.read) as conn:
        found = await conn.fetch("SELECT * FROM view.seat_luck ORDER BY match_id, seat, place, measure DESC")
    return [dict(row) for row in found]


async def follow(database: Database) -> list[dict[str, Any]]:
    await catch_up(database.projector, SeatLuck())
    return await rows(database)


def figures(row: dict[str, Any]) -> tuple[Any, ...]:
    """Who rolled what, how many dice, what they came to, and six times the mean of fair ones."""
    return row["seat"], row["place"], row["measure"], row["dice"], row["came"], round(6 * row["expected"], 9)


async def test_the_dice_of_each_seat_are_counted_by_measure(database: Database, log: PostgresLog) -> None:
    """Given rolls of which one is unseen, one is of neither side, and one is for the higher total."""
    unseen = RolledUnseen(0, "1", "repair", 0, 6, (5, 3), "5+ repairs")
    between = (
        dice(0, (6, 4, 1)),
        dice(0, (6, 1), "6 is 2 hits"),
        unseen,
        dice(1, (1,)),
        dice(-1, (6,)),
        dice(1, (6,), "the higher total"),
    )
    await store(log, Thrown(name="one", between=between))

    found = await follow(database)

    assert [
        (0, 0, HITS, 5, 4, 9 + 4),
        (0, 0, CHECKS, 2, 1, 4),
        (1, 0, HITS, 1, 0, 3),
    ] == [figures(row) for row in found]
    # Of a die that hits on 4+ it is 1/4; of one whose 6 is two hits, 4/6 less 1/9; of a repair, 1/3 less 1/9.
    assert [3 / 4 + 2 * (4 / 6 - 1 / 9), 2 * (1 / 3 - 1 / 9), 1 / 4] == pytest.approx(
        [row["variance"] for row in found]
    )
    assert {(uid("one"), "tiny", None)} == {(row["match_id"], row["title"], row["until"]) for row in found}


async def test_nothing_is_told_of_a_match_before_its_very_end(database: Database, log: PostgresLog) -> None:
    played = play(GAME, "campaign", seed=3)
    before = played.cut(len(played.commands) - 1)
    await keep(log, before)
    assert [] == await follow(database)

    await keep(log, played, after=before.entries[-1].seq)

    assert {0, 1} == {row["seat"] for row in await follow(database)}


async def test_who_takes_a_seat_over_answers_for_what_was_rolled_since(
    database: Database, log: PostgresLog
) -> None:
    between = (dice(1, (6, 6)), dice(0, (1,)), SeatReplaced(1, "person"), dice(1, (1, 1, 1)))
    await store(log, Thrown(name="handed", between=between))

    found = await follow(database)

    assert [(0, 0, HITS, 1, 0, 3), (1, 0, HITS, 2, 2, 6), (1, 1, HITS, 3, 0, 9)] == [
        figures(row) for row in found
    ]
    assert [None, BEGAN, None] == [row["until"] for row in found]


async def test_who_takes_over_a_seat_that_had_not_rolled_is_not_the_first(
    database: Database, log: PostgresLog
) -> None:
    await store(log, Thrown(name="handed", between=(SeatReplaced(1, "person"), dice(1, (6,)))))

    assert [(1, 1, HITS, 1, 1, 3)] == [figures(row) for row in await follow(database)]


async def test_the_dice_of_a_side_of_several_seats_are_nobodys(database: Database, log: PostgresLog) -> None:
    team = Thrown(
        name="team", players=("ann", "bob", "cyd"), sides=(0, 1, 1), between=(dice(0, (6,)), dice(1, (6,)))
    )
    await store(log, team)

    assert [0] == [row["seat"] for row in await follow(database)]


async def test_a_roll_that_a_correction_took_back_counts_as_it_fell(
    database: Database, log: PostgresLog
) -> None:
    """Given facts 1 to 3, the offer and who sat down, and two rolls, of which the second is taken back."""
    between = (dice(0, (1,)), dice(0, (1,)), Undone(0, 4, consent=True), dice(0, (6,)))
    await store(log, Thrown(name="corrected", between=between))

    assert [(0, 0, HITS, 3, 1, 9)] == [figures(row) for row in await follow(database)]


async def test_a_match_with_more_rolls_than_are_read_at_once_is_counted_whole(
    database: Database, log: PostgresLog
) -> None:
    await store(log, Thrown(name="long", between=tuple(dice(n % 2, (6,)) for n in range(2 * AT_ONCE + 1))))

    assert [AT_ONCE + 1, AT_ONCE] == [row["dice"] for row in await follow(database)]


async def test_a_match_counts_however_it_ended(database: Database, log: PostgresLog) -> None:
    thrown = (dice(0, (1, 1)),)
    off = Thrown(name="off", winner=None, reason=CALLED_OFF, rule=BY_MATCH, between=thrown)
    resigned = Thrown(name="resigned", reason="resignation", rule=BY_MATCH, between=thrown)
    for duel in (off, resigned):
        await store(log, duel)

    assert {off.match, resigned.match} == {row["match_id"] for row in await follow(database)}


async def test_a_match_that_cannot_be_read_is_left_out_and_stops_nobody_elses(
    database: Database, log: PostgresLog
) -> None:
    await store(log, Thrown(name="bad", between=(dice(0, (6,)), dice(0, (9,)))))
    await store(log, Thrown(name="good", between=(dice(0, (6,)),)))

    assert [uid("good")] == [row["match_id"] for row in await follow(database)]


async def test_rebuilt_while_matches_end_it_is_the_same_as_followed(
    database: Database, log: PostgresLog
) -> None:
    matches = [play(GAME, "campaign", seed=seed) for seed in range(12)]
    for played in matches[::2]:
        await keep(log, played)
    await follow(database)

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        rebuilding = group.create_task(rebuild(database.projector, SeatLuck()))
        for played in matches[1::2]:
            await keep(log, played)
            await turn(database.projector, SeatLuck())
        await rebuilding
    followed = await follow(database)
    await rebuild(database.projector, SeatLuck())

    assert followed == await rows(database)
    assert {played.match for played in matches if rolls(played.facts)} == {
        row["match_id"] for row in followed
    }


@pytest.mark.parametrize(
    "name", ["midway/duel", "coral_sea/campaign", "nimitz/two-persons-1943", "pacific_war/E1-31"]
)
def test_a_seat_has_what_the_report_of_its_match_says_of_its_side(name: str) -> None:
    game = TITLES[name.partition("/")[0]]
    facts = [*enumerate((line for line in read(game, HERE / f"{name}.jsonl") if isinstance(line, Fact)), 1)]
    seats = Seats(uid(name))
    for seq, fact in facts:
        if type(fact).__name__ in ("Created", "Rolled", "RolledUnseen"):
            seats.add(BEGAN, entry(seq, 0, fact).body)

    told = {one.side: (one.dice, one.came, round(one.expected, 6)) for one in luck(rolls(facts))}

    found: dict[int, Count] = {}
    sides = {seat: side for side, seat in seats.alone.items()}
    for _, seat, _, _, _, _, *count in seats.end():
        found[sides[seat]] = found.get(sides[seat], Count()).plus(Count(*count))
    assert told == {side: (one.dice, one.came, round(one.expected, 6)) for side, one in sorted(found.items())}
    assert told


def rolls(facts: Iterable[tuple[int, Fact]]) -> list[Roll]:
    return [fact for _, fact in facts if isinstance(fact, Roll)]


def test_a_difference_is_none_in_the_mean_also_where_dice_end_the_match_and_a_quotient_is_not() -> None:
    """Given matches that end with the first hit, or with the second die."""
    courses = {faces[: 1 if faces[0] >= 4 else 2] for faces in product(range(1, 7), repeat=2)}
    difference = quotient = 0.0
    for faces in courses:
        tally = Tally()
        for face in faces:
            tally.add(dice(0, (face,)))
        count = tally.counts[0, "hits"]
        difference += (count.came - count.expected) / 6 ** len(faces)
        quotient += count.off / 6 ** len(faces)

    assert pytest.approx(0) == difference
    assert quotient > 0.14


@pytest.mark.parametrize(
    ("came", "said"),
    [
        (50, "Within ordinary luck, neither lucky nor unlucky: as many hits as were to be expected of"),
        (52, "Within ordinary luck, a little lucky: 2.0 hits above what was to be expected of"),
        (43, "Within ordinary luck, unlucky: 7.0 hits below what was to be expected of"),
        (61, "Lucky beyond what is usual: 11.0 hits above what was to be expected of"),
        (39, "Unlucky beyond what is usual: 11.0 hits below what was to be expected of"),
    ],
)
def test_luck_over_matches_is_said_in_words_and_then_in_figures(came: int, said: str) -> None:
    words = over_matches("hits", Count(100, came, 50.0, 25.0))

    assert f"{said} 100 dice, where fair dice stay within ± 9.8 in 19 of 20 cases." == words


def test_of_few_dice_nothing_is_said_and_what_is_no_hit_is_a_success() -> None:
    few, many = Count(9, 9, 4.5, 2.25), Count(1000, 508, 500.0, 250.0)

    assert "Too few to speak of luck: 9 dice for hits." == over_matches("hits", few)
    assert "8.0 successes above what was to be expected of 1,000 dice" in over_matches("checks", many)


def test_a_modifier_changes_the_chance_of_a_check() -> None:
    held = Tally()
    held.add(dice(0, (7,), "7 or less holds", 10))
    changed = Roll(0, "1", "hold", 0, 10, (7,), "7 or less holds", modifiers=(Modifier("plan", 1),))
    held.add(changed)

    (count,) = held.counts.values()
    assert (2, 1) == (count.dice, count.came)
    assert pytest.approx((0.7 + 0.6, 0.21 + 0.24)) == (count.expected, count.variance)
