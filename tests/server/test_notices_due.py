"""What is due, and to whom it is told."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from server.notices import due
from server.notices.notifying import Notifying
from server.notices.places import Mail
from server.postgres.database import connection
from tests.server.certificates import Certificates
from tests.server.noticed import BOB, World, notifying, one_to_tell, owner_of, round_of
from tests.server.receivers import MailBox


async def test_whose_turn_it_has_been_for_a_minute_hears_of_it_once(
    world: World, telling: Notifying, box: MailBox
) -> None:
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 0, 4)
    await world.ask(match, 1, 5)
    await round_of(telling)
    assert [] == await world.outbox()

    await world.later(seconds=61)
    for _ in range(3):
        await round_of(telling)
        await world.later(minutes=10)

    assert [("turn", 1, 5, "sent")] == await world.outbox()
    assert ["It is your turn in Midway, against Player 0: Friday"] == [one["Subject"] for one in box.took]


async def test_the_next_turn_is_another_notice(world: World, telling: Notifying) -> None:
    _, match = await one_to_tell(world, telling)
    for seq in (5, 9):
        await world.ask(match, 1, seq)
        await world.later(seconds=61)
        await round_of(telling)
        await world.moved(match, 1)

    assert [("turn", 1, 5, "sent"), ("turn", 1, 9, "sent")] == await world.outbox()


async def test_who_sits_down_later_does_not_hear_that_another_had_before_him(
    world: World, telling: Notifying
) -> None:
    """Given two who had both sat down by the time that somebody looked."""
    persons = [await world.person() for _ in range(2)]
    for number, person in enumerate(persons):
        await telling.channels.add(person, Mail(address=f"seat{number}@example.org"))
    match = await world.match(*persons)
    await world.fact(match, 1, "SeatTaken", seat=0)
    await world.fact(match, 2, "SeatTaken", seat=1)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("joined", 0, 2, "sent")] == await world.outbox()


async def five_turns(world: World, telling: Notifying) -> None:
    person, match = await one_to_tell(world, telling)
    for one in (match, *[await world.match(None, person) for _ in range(4)]):
        await world.ask(one, 1, 5)


async def test_more_turns_than_one_statement_takes_are_put_in_by_one_look(
    world: World, telling: Notifying, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "AT_ONCE", 2)
    await five_turns(world, telling)
    await world.later(seconds=61)

    await telling.look()

    assert 5 == len(await world.outbox())


async def test_turns_that_came_due_in_an_hour_without_a_node_are_put_in_by_its_first_look(
    world: World, telling: Notifying, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "AT_ONCE", 2)
    await five_turns(world, telling)
    await world.later(hours=1)

    await telling.look()

    assert 5 == len(await world.outbox())


async def test_turns_that_came_due_while_no_node_was_there_are_put_in_some_at_a_look(
    world: World, telling: Notifying, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "AT_ONCE", 2)
    await five_turns(world, telling)
    await world.later(hours=20)
    found = []
    for _ in range(4):
        await telling.look()
        found.append(len(await world.outbox()))

    assert [2, 4, 5, 5] == found


async def test_each_look_finds_channels_that_were_added_by_an_index(world: World) -> None:
    async with connection(world.database.notices) as conn:
        await conn.execute(f"PREPARE added (timestamptz) AS {due._ADDED}")
        plan = await conn.fetch("EXPLAIN EXECUTE added (now())")
        await conn.execute("DEALLOCATE added")

    assert "channel_turned_on" in str(plan)


async def test_who_has_tied_a_seat_to_himself_hears_what_lasts_when_all_turns_are_gone_through(
    world: World, telling: Notifying
) -> None:
    person, _ = await one_to_tell(world, telling)
    match = await world.match(None, None)
    await world.ask(match, 1, 5)
    await world.later(minutes=30)
    await round_of(telling)
    await world.owner.execute(
        "UPDATE lobby.seat SET person_id = $2 WHERE match_id = $1 AND seat = 1", match, person
    )
    await world.later(minutes=5)
    await round_of(telling)
    assert [] == await world.outbox()

    await world.later(minutes=5, seconds=1)
    await round_of(telling)

    assert [("turn", 1, 5, "sent")] == await world.outbox()


async def test_who_is_at_the_match_hears_of_it_when_he_has_left(world: World, telling: Notifying) -> None:
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    world.there = {match: 0b10}
    for _ in range(3):
        await world.later(seconds=61)
        await round_of(telling)
    assert [("turn", 1, 5, None)] == await world.outbox()

    world.there = {match: 0b01}
    await world.later(seconds=61)
    await round_of(telling)

    assert [("turn", 1, 5, "sent")] == await world.outbox()


async def test_who_wants_to_hear_of_it_even_when_he_is_there_does(
    world: World, telling: Notifying, box: MailBox
) -> None:
    person, match = await one_to_tell(world, telling)
    (channel,) = await telling.channels.of(person)
    await telling.channels.change(person, channel.id, away=False)
    await world.ask(match, 1, 5)
    world.there = {match: 0b10}
    await world.later(seconds=61)
    await round_of(telling)

    assert 1 == len(box.took)


async def test_while_it_is_unknown_who_is_at_other_nodes_a_notice_waits_for_minutes_and_no_longer(
    world: World, telling: Notifying
) -> None:
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    world.there = None
    await world.later(seconds=61)
    await round_of(telling)
    assert [("turn", 1, 5, None)] == await world.outbox()

    await world.later(minutes=11)
    await round_of(telling)

    assert [("turn", 1, 5, "sent")] == await world.outbox()


async def test_a_turn_that_is_over_is_not_told(world: World, telling: Notifying, box: MailBox) -> None:
    """Given a mail server that refuses, until the player has moved."""
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    box.answer = "451 later"
    await world.later(seconds=61)
    await round_of(telling)
    await world.moved(match, 1)
    await world.ask(match, 1, 9)
    box.answer = "250 taken"
    await world.later(seconds=20)
    await round_of(telling)

    assert [("turn", 1, 5, "stale")] == await world.outbox()
    assert not box.took


async def test_of_what_was_before_the_channel_a_turn_that_lasts_is_told_and_nothing_else(
    world: World, telling: Notifying
) -> None:
    person = await world.person()
    match = await world.match(None, person)
    await world.fact(match, 1, "Started")
    await world.ask(match, 1, 5)
    await world.later(seconds=1)
    await telling.channels.add(person, BOB)
    await world.later(minutes=5)
    await round_of(telling)

    assert [("turn", 1, 5, "sent")] == await world.outbox()


async def test_a_turn_that_the_view_shows_late_is_told(world: World, telling: Notifying) -> None:
    """Given a projection that was away for twenty minutes, while others were looked at."""
    _, match = await one_to_tell(world, telling)
    began = await world.now()
    await world.later(minutes=20)
    await round_of(telling)
    await world.ask(match, 1, 5)
    await world.owner.execute("UPDATE view.turn SET since = $1", began + timedelta(seconds=1))
    await world.later(minutes=2)
    await round_of(telling)
    assert [] == await world.outbox()
    await world.later(minutes=8, seconds=1)
    await round_of(telling)

    assert [("turn", 1, 5, "sent")] == await world.outbox()


async def test_whose_nonce_the_other_seat_has_put_aside_is_told_once_to_begin_again(
    world: World, telling: Notifying, box: MailBox
) -> None:
    """Given a seat that had shown its nonce, and two that had not."""
    people = [await world.person() for _ in range(3)]
    for person, name in zip(people, "abc", strict=True):
        await telling.channels.add(person, Mail(address=f"{name}@example.org"))
    match = await world.match(*people, sides=(0, 1, 1))
    await world.fact(match, 1, "NonceShown", seat=0, nonce="cd" * 32)
    for seq in (2, 3):
        await world.fact(match, seq, "NonceCommittedAnew", seat=1, hash="ab" * 32)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("anew", 0, 2, "sent")] == await world.outbox()
    assert ["Begin again, as the other seat has done: Midway, against Player 1 and Player 2: Friday"] == [
        one["Subject"] for one in box.took
    ]


@pytest.mark.parametrize(
    ("type", "fields", "outcome"),
    [
        ("NonceCommittedAnew", {"seat": 0, "hash": "ab" * 32}, "stale"),
        ("NonceCommittedAnew", {"seat": 1, "hash": "ab" * 32}, "sent"),
        ("Started", {}, "stale"),
        ("GameEnded", {}, "stale"),
    ],
)
async def test_who_has_begun_again_is_not_told_to(
    world: World, telling: Notifying, type: str, fields: dict[str, Any], outcome: str
) -> None:
    person = await world.person()
    await telling.channels.add(person, BOB)
    match = await world.match(person, None)
    await world.fact(match, 1, "NonceShown", seat=0, nonce="cd" * 32)
    await world.fact(match, 2, "NonceCommittedAnew", seat=1, hash="ab" * 32)
    await world.fact(match, 3, type, **fields)
    await world.later(seconds=61)
    await round_of(telling)

    assert ("anew", 0, 2, outcome) in await world.outbox()


async def test_a_seat_hears_what_others_do_and_not_what_it_did_itself(
    world: World, telling: Notifying, box: MailBox
) -> None:
    people = [await world.person() for _ in range(2)]
    for person, name in zip(people, "ab", strict=True):
        await telling.channels.add(person, Mail(address=f"{name}@example.org"))
    match = await world.match(*people)
    await world.fact(match, 1, "Created", title="midway")
    await world.fact(match, 2, "SeatTaken", seat=0, kind="person")
    await world.fact(match, 3, "Started")
    await world.fact(match, 4, "DrawOffered", seat=1)
    await world.fact(match, 5, "Paused", seats=[0], keep=0, push=[])
    await round_of(telling)
    assert not box.took  # a minute has to pass

    await world.later(seconds=61)
    await round_of(telling)
    await round_of(telling)

    assert {
        ("joined", 1, 2, "sent"),
        ("begun", 0, 3, "sent"),
        ("begun", 1, 3, "sent"),
        ("offer", 0, 4, "sent"),
    } == set(await world.outbox())
    assert 4 == len(box.took)


async def test_the_others_hear_that_a_seat_goes_on_holiday_unless_it_is_back_already(
    world: World, telling: Notifying, box: MailBox
) -> None:
    people = [await world.person() for _ in range(2)]
    for person, name in zip(people, "ab", strict=True):
        await telling.channels.add(person, Mail(address=f"{name}@example.org"))
    match = await world.match(*people)
    await world.fact(match, 1, "HolidayBegan", seat=0, since=0, days=3)
    await world.fact(match, 2, "HolidayBegan", seat=1, since=0, days=3)
    await world.fact(match, 3, "HolidayEnded", seat=1, until=1)
    await round_of(telling)
    await world.later(seconds=61)
    await round_of(telling)

    assert {("holiday", 0, 2, "stale"), ("holiday", 1, 1, "sent")} == set(await world.outbox())
    assert ["Somebody goes on holiday in Midway, against Player 0: Friday"] == [
        one["Subject"] for one in box.took
    ]


async def test_an_offer_that_was_answered_is_not_told(world: World, telling: Notifying) -> None:
    _, match = await one_to_tell(world, telling)
    await world.fact(match, 1, "UndoOffered", seat=0, back_to=0)
    await world.fact(match, 2, "UndoAnswered", seat=1, agreed=False)
    await round_of(telling)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("offer", 1, 1, "stale")] == await world.outbox()


Then = tuple[str, dict[str, Any]]


SAID_BY = frozenset({"CorrectionOffered"})
"""The offers that say who makes them by another field, as it may be no seat."""


@pytest.mark.parametrize(
    ("offer", "then", "left"),
    [
        ("DrawOffered", [("PauseAnswered", {"seat": 2, "agreed": False})], {1, 2}),
        ("DrawOffered", [("UndoAnswered", {"seat": 1, "agreed": True}), ("Undone", {"seat": 0})], {1, 2}),
        ("DrawOffered", [("UndoOffered", {"seat": 0}), ("ClocksStopped", {})], {1, 2}),
        (
            "UndoOffered",
            [("DrawOffered", {"seat": 0}), ("DrawAnswered", {"seat": 1, "agreed": False})],
            {1, 2},
        ),
        ("DrawOffered", [("DrawAnswered", {"seat": 1, "agreed": True})], {2}),
        ("PauseOffered", [("PauseAnswered", {"seat": 2, "agreed": True})], {1}),
        ("UndoOffered", [("UndoAnswered", {"seat": 1, "agreed": False})], set()),
        ("UndoOffered", [("Undone", {"seat": 0})], set()),
        ("UndoOffered", [("UndoOffered", {"seat": 1})], set()),
        ("PauseOffered", [("ClocksStopped", {})], set()),
        ("CorrectionOffered", [("Undone", {"seat": 0, "back_to": 8})], set()),
        ("CorrectionOffered", [("Decided", {"seat": 1})], set()),
        ("CorrectionOffered", [("CorrectionAnswered", {"seat": 2, "agreed": True})], {1}),
        ("CorrectionOffered", [("CorrectionAnswered", {"seat": 0, "agreed": False})], set()),
        ("CorrectionOffered", [("CorrectionWithdrawn", {"back_to": 7})], set()),
        ("CorrectionOffered", [("SeatReplaced", {"seat": 0})], set()),
        ("CorrectionOffered", [("SeatReplaced", {"seat": 1})], {2}),
        (
            "CorrectionOffered",
            [("CorrectionAnswered", {"seat": 2, "agreed": True}), ("SeatReplaced", {"seat": 2})],
            set(),
        ),
        ("DrawOffered", [("SeatReplaced", {"seat": 0})], set()),
        ("CorrectionOffered", [("GameEnded", {})], set()),
        ("DrawOffered", [("GameEnded", {})], set()),
    ],
)
async def test_an_offer_is_told_to_whom_it_waits_for(
    world: World, telling: Notifying, offer: str, then: list[Then], left: set[int]
) -> None:
    """Given three seats, of which the first offers something, and what happens behind it."""
    people = [await world.person() for _ in range(3)]
    for person in people[1:]:
        await telling.channels.add(person, Mail(address=f"{person.hex}@example.org"))
    match = await world.match(*people, sides=(0, 1, 1))
    await world.fact(match, 1, offer, **({"by": 0, "back_to": 7} if offer in SAID_BY else {"seat": 0}))
    await world.later(seconds=1)
    for seq, (name, body) in enumerate(then, 2):
        await world.fact(match, seq, name, **body)
    await round_of(telling)
    await world.later(seconds=65)
    await round_of(telling)

    told = [(seat, out) for kind, seat, turn, out in await world.outbox() if (kind, turn) == ("offer", 1)]
    assert {(seat, "sent" if seat in left else "stale") for seat in (1, 2)} == set(told)


async def test_what_a_director_proposes_is_told_to_all_seats(world: World, telling: Notifying) -> None:
    people = [await world.person() for _ in range(2)]
    for person in people:
        await telling.channels.add(person, Mail(address=f"{person.hex}@example.org"))
    match = await world.match(*people)
    await world.fact(match, 1, "CorrectionOffered", by=None, back_to=7)
    await round_of(telling)
    await world.later(seconds=65)
    await round_of(telling)

    assert {("offer", 0, 1, "sent"), ("offer", 1, 1, "sent")} == set(await world.outbox())


async def test_who_was_there_when_it_ended_has_seen_it(world: World, telling: Notifying) -> None:
    _, match = await one_to_tell(world, telling)
    await world.fact(match, 1, "GameEnded", winner=None, reason="agreement", rule="match")
    world.there = {match: 0b10}
    await round_of(telling)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("ended", 1, 1, "seen")] == await world.outbox()


async def test_lines_of_an_hour_are_one_notice_and_onlookers_are_none(
    world: World, telling: Notifying, box: MailBox
) -> None:
    _, match = await one_to_tell(world, telling)
    said = "INSERT INTO lobby.chat (match_id, room, seat, text) VALUES ($1, $2, $3, 'a secret')"
    await world.owner.execute("UPDATE log.clock SET shift = date_trunc('hour', now()) - now()")
    for room, seat in (("table", 0), ("table", 0), ("table", 1), ("onlookers", None)):
        await world.owner.execute(said, match, room, seat)
    await world.later(seconds=1)
    await telling.look()
    await world.owner.execute("UPDATE people.channel SET made_at = '-infinity'")
    await round_of(telling)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("wrote", 1, "sent")] == [(kind, seat, out) for kind, seat, _, out in await world.outbox()]
    assert "a secret" not in box.took[0].as_string()


SAID = "INSERT INTO lobby.chat (match_id, room, seat, text) VALUES ($1, 'table', 0, 'hello')"


async def test_a_line_that_was_written_while_no_node_looked_is_told(world: World, telling: Notifying) -> None:
    _, match = await one_to_tell(world, telling)
    await round_of(telling)
    await world.later(seconds=1)
    await world.owner.execute(SAID, match)
    await world.later(hours=2)
    for _ in range(2):
        await round_of(telling)
        assert [("wrote", "sent")] == [(kind, out) for kind, _, _, out in await world.outbox()]
        await world.later(minutes=10)

    assert 1 == await world.owner.fetchval(
        "SELECT count(*) FROM people.heard WHERE chat = (SELECT id FROM lobby.chat)"
    )


async def test_a_line_that_is_seen_later_than_the_next_one_is_told(
    world: World, telling: Notifying, dsn: str
) -> None:
    _, match = await one_to_tell(world, telling)
    _, other = await one_to_tell(world, telling, Mail(address="ann@example.org"))
    await world.later(seconds=1)
    slow = await owner_of(dsn)
    async with slow.transaction():
        await slow.execute(SAID, match)
        await world.owner.execute(SAID, other)
        await world.later(minutes=2)
        await round_of(telling)
        assert ["wrote"] == [kind for kind, *_ in await world.outbox()]
    await slow.close()
    await round_of(telling)

    assert ["wrote"] * 2 == [kind for kind, *_ in await world.outbox()]


async def test_a_line_is_told_though_the_place_is_that_of_another_log(
    world: World, telling: Notifying
) -> None:
    _, match = await one_to_tell(world, telling)
    await world.owner.execute("UPDATE people.heard SET chat = 10000")
    await world.later(seconds=1)
    await world.owner.execute(SAID, match)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("wrote", "sent")] == [(kind, out) for kind, _, _, out in await world.outbox()]


async def test_what_happened_before_a_restore_is_not_told_again(world: World, telling: Notifying) -> None:
    """Given the place of another log, and facts that all have one new transaction."""
    _, match = await one_to_tell(world, telling)
    await world.fact(match, 1, "Started")
    await world.owner.execute("UPDATE people.heard SET match_id = $1, seq = 7", uuid4())
    await world.later(seconds=61)
    await round_of(telling)
    assert [] == await world.outbox()

    await world.fact(match, 2, "GameEnded", winner=None, reason="", rule="")
    await round_of(telling)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("ended", 1, 2, "sent")] == await world.outbox()


async def test_two_that_look_at_once_put_each_thing_in_once(
    world: World, box: MailBox, certificates: Certificates
) -> None:
    two = [notifying(world, box, certificates) for _ in range(2)]
    for _ in range(10):
        _, match = await one_to_tell(world, two[0])
        await world.fact(match, 1, "Started")
        await world.ask(match, 1, 2)
    await world.later(seconds=61)
    for _ in range(2):
        await asyncio.gather(*(one.look() for one in two))
        await world.later(seconds=61)
    await asyncio.gather(*(round_of(one) for one in two))
    for one in two:
        await one.stop()

    assert 20 == len(await world.outbox())
    assert 20 == len(box.took) == len({one["Message-ID"] for one in box.took})
