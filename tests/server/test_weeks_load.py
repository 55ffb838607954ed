"""The measurement of a node with many matches by turns (`make bench-weeks`), small, and what it works out."""

import asyncio
from pathlib import Path

from tests.weeks.load import Measured, Scale, measure_on, results, words

SMALL = Scale(persons=200, matches=240, turns=20, squeezed=4.0, seconds=1.0, moved=True)


async def test_a_node_with_matches_by_turns_tells_all_that_is_due_and_is_measured(
    dsn: str, folder: Path
) -> None:
    folder.mkdir()
    async with asyncio.timeout(180):
        found = await measure_on(dsn, SMALL, folder, lambda _: None)
    rows = {one.name: one for one in results(found)}

    assert (20, 0) == (found.turns, found.untold)
    assert found.told >= 10
    assert all(found.decisions.values())
    assert max(found.ages) < 60
    assert rows["outbox age, at most"].ok
    assert "200 persons, 240 matches by turns in play; 20 turns" in words(SMALL, found)


def test_what_is_late_slow_or_untold_is_not_as_it_should_be() -> None:
    fast = Measured({False: [10.0] * 100, True: [11.0] * 100}, 4, [1.0, 2.0], 2, 0, 4.0, (1e8, 2e8))
    slow = Measured({False: [10.0] * 100, True: [13.0] * 100}, 4, [1.0, 61.0], 2, 1, 40.0, (1e8, 2e8))

    assert {True, None} == {one.ok for one in results(fast)}
    assert [
        "outbox age, at most",
        "decisions with notices, p99",
        "told, of what was due",
        "a start with these matches",
    ] == [one.name for one in results(slow) if one.ok is False]
