"""Whose seat is offered to others as he stays away hears of it, while it still is."""

from typing import Any

import pytest

from server.notices.notifying import Notifying
from tests.server.noticed import BOB, World, one_to_tell, round_of
from tests.server.receivers import MailBox


async def test_whose_seat_is_offered_hears_of_it_once_and_who_offers_it_does_not(
    world: World, telling: Notifying, box: MailBox
) -> None:
    other, match = await one_to_tell(world, telling)
    north = await world.person()
    await telling.channels.add(north, BOB)
    await world.owner.execute(
        "UPDATE lobby.seat SET name = 'North', person_id = $2 WHERE match_id = $1 AND seat = 0", match, north
    )
    await world.fact(match, 5, "SeatOffered", seat=1, by=0)
    for _ in range(3):
        await round_of(telling)
        await world.later(seconds=61)

    assert [("vacant", 1, 5, "sent")] == await world.outbox()
    assert [other] == [
        row[0] for row in await world.owner.fetch("SELECT person_id FROM people.outbox WHERE kind = 'vacant'")
    ]
    (mail,) = box.took
    assert (
        "Your seat is offered to others, as you stay away: Midway, against North: Friday" == mail["Subject"]
    )


@pytest.mark.parametrize(
    ("type", "body", "outcome"),
    [
        ("Decided", {"seat": 1, "how": "chosen"}, "stale"),
        ("Decided", {"seat": 1, "how": "ordered"}, "stale"),
        ("Decided", {"seat": 1, "how": "default"}, "sent"),
        ("Decided", {"seat": 0, "how": "chosen"}, "sent"),
        ("SeatReplaced", {"seat": 1, "kind": "person"}, "stale"),
        ("SeatReplaced", {"seat": 0, "kind": "person"}, "sent"),
        ("GameEnded", {"winner": 0, "reason": "time", "rule": ""}, "stale"),
    ],
)
async def test_it_is_told_unless_he_has_decided_or_the_seat_is_taken(
    world: World, telling: Notifying, type: str, body: dict[str, Any], outcome: str
) -> None:
    _, match = await one_to_tell(world, telling)
    await world.fact(match, 5, "SeatOffered", seat=1, by=0)
    await telling.look()
    await world.fact(match, 6, type, **body)
    await world.later(seconds=61)
    await round_of(telling)

    assert ("vacant", 1, 5, outcome) in await world.outbox()


async def test_who_is_at_the_match_has_seen_it(world: World, telling: Notifying, box: MailBox) -> None:
    _, match = await one_to_tell(world, telling)
    await world.fact(match, 5, "SeatOffered", seat=1, by=0)
    world.there = {match: 0b10}
    await round_of(telling)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("vacant", 1, 5, "seen")] == await world.outbox()
    assert not box.took
