"""How what is due is told: again, later, once, or not any more."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from server.mail_url import MailServer
from server.notices.notifying import Notifying
from server.notices.outbox import CHANCE, GIVEN_UP, LATER, is_given_up, next_try
from server.notices.places import Boxes, Mail, Webhook
from server.notices.quiet import quiet_until
from tests.server.certificates import Certificates
from tests.server.noticed import BOB, RING, World, notifying, one_to_tell, round_of
from tests.server.receivers import Browser, MailBox, Web


async def test_each_channel_is_told(world: World, telling: Notifying, box: MailBox, hook: Web) -> None:
    person, match = await one_to_tell(world, telling)
    browser = Browser()
    await telling.channels.add(person, browser.place(hook.url(path="/push"), telling.keys.public))
    await telling.channels.add(person, Webhook(url=hook.url()))
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("turn", 1, 5, "sent")] * 3 == await world.outbox()
    assert ({"/push", "/hook"}, 1) == ({one.path for one in hook.took}, len(box.took))


async def test_what_failed_is_tried_again_and_given_up_after_a_day(
    world: World, telling: Notifying, box: MailBox
) -> None:
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    box.answer = "451 later"
    await world.later(seconds=61)
    row = None
    for number in range(1, 13):
        await round_of(telling)
        row = await world.owner.fetchrow("SELECT *, due - log.now() AS wait FROM people.outbox")
        assert row is not None
        assert number == row["tries"]
        if row["outcome"] is not None:
            break
        low, high = (LATER[min(number, 5) - 1] * part for part in CHANCE)
        assert low - timedelta(seconds=5) <= row["wait"] <= high
        await world.owner.execute(
            "UPDATE log.clock SET shift = shift + $1", row["wait"] + timedelta(seconds=1)
        )

    assert row is not None
    assert ("given up", "the mail server answers 451") == (row["outcome"], row["fault"])
    assert 7 <= row["tries"] <= 10
    assert not box.took


async def test_what_a_sender_chokes_on_is_logged_once_and_given_up_too(
    world: World, telling: Notifying, hook: Web
) -> None:
    """Given a browser with a key that no browser has, as no check of today lets in."""
    browser = Browser().place(hook.url("secret.example.org"), telling.keys.public)
    _, match = await one_to_tell(world, telling, browser)
    channel = await world.owner.fetchval("SELECT id FROM people.channel")
    box = Boxes(RING).seal(channel, replace(browser, p256dh="AAAA"))
    await world.owner.execute("UPDATE people.channel SET box = $1", box)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    with capture_logs() as logs:
        for _ in range(3):
            await round_of(telling)
            row = await world.owner.fetchrow("SELECT outcome, fault, tries FROM people.outbox")
            await world.later(hours=13)

    assert row is not None
    assert ("given up", "a fault of this server", 3) == (row["outcome"], row["fault"], row["tries"])
    assert ["ValueError"] == [line["why"] for line in logs if line["log_level"] == "error"]
    assert "secret" not in repr(logs)


def test_when_a_try_comes_and_when_it_is_the_last() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)

    for tries, wait in enumerate([*LATER, LATER[-1], LATER[-1]], 1):
        low, high = (at + wait * part for part in CHANCE)
        assert low <= next_try(at, tries) <= high
    assert len({next_try(at, 1) for _ in range(20)}) > 1
    assert not is_given_up(at, None)
    assert not is_given_up(at, at - GIVEN_UP + timedelta(seconds=1))
    assert is_given_up(at, at - GIVEN_UP)


async def test_a_channel_that_is_gone_is_forgotten(world: World, telling: Notifying, hook: Web) -> None:
    person, match = await one_to_tell(world, telling, Browser().place(hook.url(), telling.keys.public))
    hook.status = 410
    for seq in (5, 9):
        await world.ask(match, 1, seq)
        await world.later(seconds=61)
        await round_of(telling)
        await world.moved(match, 1)

    assert [("turn", 1, 5, "gone")] == await world.outbox()
    assert ["gone"] == [one.state for one in await telling.channels.of(person)]
    assert 1 == len(hook.took)


async def test_who_is_banned_is_told_nothing(world: World, telling: Notifying, box: MailBox) -> None:
    person, match = await one_to_tell(world, telling)
    await world.owner.execute("UPDATE people.person SET banned_at = now() WHERE id = $1", person)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)

    assert [("turn", 1, 5, "off")] == await world.outbox()
    assert not box.took


async def test_a_mail_server_that_hangs_makes_no_other_channel_wait(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    for number in range(6):
        _, match = await one_to_tell(world, telling, Mail(address=f"p{number}@example.org"))
        await world.ask(match, 1, 5)
    _, match = await one_to_tell(world, telling, Webhook(url=hook.url()))
    await world.ask(match, 1, 5)
    box.open.clear()
    await world.later(seconds=61)
    running = asyncio.create_task(telling.run())
    await hook.heard(1)
    assert not box.took

    box.open.set()
    await box.heard(6)
    async with asyncio.timeout(40):
        while not all(outcome == "sent" for *_, outcome in await world.outbox()):
            await asyncio.sleep(0.02)
    running.cancel()
    await asyncio.wait([running])


async def test_two_workers_on_one_outbox_tell_each_notice_once(
    world: World, box: MailBox, certificates: Certificates
) -> None:
    two = [notifying(world, box, certificates) for _ in range(2)]
    for number in range(20):
        _, match = await one_to_tell(world, two[0], Mail(address=f"p{number}@example.org"))
        await world.ask(match, 1, 5)
    await world.later(seconds=61)
    running = [asyncio.create_task(one.run()) for one in two]
    await box.heard(20)
    async with asyncio.timeout(40):
        while not all(outcome == "sent" for *_, outcome in await world.outbox()):
            await asyncio.sleep(0.02)
    for task in running:
        task.cancel()
    await asyncio.wait(running)

    assert {f"p{number}@example.org": 1 for number in range(20)} == {
        message["To"]: sum(one["To"] == message["To"] for one in box.took) for message in box.took
    }


async def test_a_claim_ends_by_itself_and_another_worker_goes_on(
    world: World, box: MailBox, certificates: Certificates
) -> None:
    """Given a worker that has claimed a notice and is never heard of again."""
    dead = world.notifying(mail=MailServer("127.0.0.1", box.port, tls=False), lease=timedelta(seconds=0.3))
    alive = notifying(world, box, certificates)
    _, match = await one_to_tell(world, alive)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await alive.look()
    assert 1 == len(await dead._outbox.claim("mail", 4))
    assert [] == await alive._outbox.claim("mail", 4)

    async with asyncio.timeout(40):
        while not box.took:
            await round_of(alive)

    assert [("turn", 1, 5, "sent")] == await world.outbox()


async def test_a_worker_that_stood_still_until_another_claimed_tells_nothing(
    world: World, telling: Notifying, box: MailBox
) -> None:
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await telling.look()
    (late,) = await telling._outbox.claim("mail", 1)
    await world.owner.execute("UPDATE people.channel SET leased_until = clock_timestamp()")
    (early,) = await telling._outbox.claim("mail", 1)

    await telling.workers["mail"]._handle(late)
    assert [("turn", 1, 5, None)] == await world.outbox()
    assert not box.took

    await telling.workers["mail"]._handle(early)
    assert [("turn", 1, 5, "sent")] == await world.outbox()
    assert 1 == len(box.took)


async def test_a_digest_is_told_once_an_hour(world: World, telling: Notifying, box: MailBox) -> None:
    person, match = await one_to_tell(world, telling)
    (channel,) = await telling.channels.of(person)
    await telling.channels.change(person, channel.id, digest=True)
    await world.owner.execute("UPDATE log.clock SET shift = date_trunc('hour', now()) + '10 days' - now()")
    others = [await world.match(None, person) for _ in range(2)]
    for one in (match, *others):
        await world.ask(one, 1, 5)
    await world.later(minutes=20)
    await round_of(telling)
    assert not box.took

    await world.moved(match, 1)
    await world.later(minutes=41)
    await round_of(telling)

    assert ["2 things wait for you"] == [one["Subject"] for one in box.took]
    assert ["sent", "sent", "stale"] == sorted(outcome for *_, outcome in await world.outbox())


async def test_a_digest_that_failed_is_told_in_one_piece(
    world: World, telling: Notifying, box: MailBox
) -> None:
    person, match = await one_to_tell(world, telling)
    await world.owner.execute("UPDATE people.channel SET digest = true")
    for one in (match, *[await world.match(None, person) for _ in range(9)]):
        await world.ask(one, 1, 5)
    await world.later(seconds=61)
    await telling.look()
    await world.later(hours=1)
    box.answer = "451 later"
    await round_of(telling)
    assert 1 == await world.owner.fetchval("SELECT count(DISTINCT due) FROM people.outbox")

    box.answer = "250 taken"
    await world.later(seconds=15)
    await round_of(telling)

    assert ["10 things wait for you"] == [one["Subject"] for one in box.took]


async def test_at_night_nothing_is_told_and_in_the_morning_it_is(
    world: World, telling: Notifying, box: MailBox
) -> None:
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await world.owner.execute(
        "UPDATE people.person SET night = extract(hour FROM log.now() AT TIME ZONE 'UTC')"
    )
    await round_of(telling)
    assert not box.took

    await world.later(hours=8)
    await round_of(telling)

    assert 1 == len(box.took)


@pytest.mark.parametrize(
    ("at", "zone", "night", "until"),
    [
        ("2026-01-10T22:30", "UTC", 22, "2026-01-11T06:00"),
        ("2026-01-10T05:59", "UTC", 22, "2026-01-10T06:00"),
        ("2026-01-10T06:00", "UTC", 22, None),
        ("2026-01-10T21:59", "UTC", 22, None),
        ("2026-01-10T03:00", "UTC", 0, "2026-01-10T08:00"),
        ("2026-01-10T12:00", "UTC", 16, None),
        ("2026-01-10T23:59", "UTC", 16, "2026-01-11T00:00"),
        ("2026-01-10T21:30", "Europe/Berlin", 22, "2026-01-11T05:00"),
        ("2026-01-10T14:00", "Asia/Tokyo", 22, "2026-01-10T21:00"),
        ("2026-01-10T07:00", "America/Los_Angeles", 22, "2026-01-10T14:00"),
        ("2026-03-28T22:00", "Europe/Berlin", 22, "2026-03-29T04:00"),  # an hour is left out
        ("2026-10-24T21:00", "Europe/Berlin", 22, "2026-10-25T05:00"),  # an hour comes twice
        ("2026-01-10T22:30", "Mars/Olympus", 22, None),
        ("2026-01-10T22:30", "UTC", None, None),
    ],
)
def test_a_night_is_eight_hours_by_the_clock_on_the_wall(
    at: str, zone: str, night: int | None, until: str | None
) -> None:
    found = quiet_until(datetime.fromisoformat(at).replace(tzinfo=UTC), zone, night)

    assert (None if until is None else datetime.fromisoformat(until).replace(tzinfo=UTC)) == found


async def test_while_mail_is_off_its_notices_are_off_and_make_no_age(
    world: World, telling: Notifying, box: MailBox
) -> None:
    """Given a node without a mail server, which waits a while for another that has one."""
    off = world.notifying()
    for seq in (5, 9):
        _, match = await one_to_tell(world, telling)
        await world.ask(match, 1, seq)
    await world.later(seconds=61)
    await round_of(off)
    assert [None] * 2 == [outcome for *_, outcome in await world.outbox()]

    await world.later(minutes=6)
    await round_of(off)
    await off.stop()
    await round_of(telling)

    assert ["off"] * 2 == [outcome for *_, outcome in await world.outbox()]
    assert (0, []) == (off.age, box.took)


async def test_what_nobody_tried_for_a_day_is_told_while_it_lasts_and_given_up_else(
    world: World, telling: Notifying, box: MailBox
) -> None:
    """Given notices that were put in, and then no node for a weekend."""
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await telling.look()
    await world.owner.execute(
        "INSERT INTO people.outbox (channel, person_id, match_id, seat, kind, turn, due)"
        " SELECT channel, person_id, match_id, seat, 'joined', 4, due FROM people.outbox"
    )
    await world.later(hours=60)
    await round_of(telling)

    assert 1 == len(box.took)
    assert [("joined", 1, 4, "given up"), ("turn", 1, 5, "sent")] == sorted(await world.outbox())


async def test_what_is_old_is_deleted(world: World, telling: Notifying) -> None:
    _, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)
    await world.later(days=29)
    await telling._outbox.tidy()
    assert 1 == len(await world.outbox())

    await world.later(days=2)
    await telling._outbox.tidy()

    assert [] == await world.outbox()


async def test_who_sits_on_the_same_side_is_no_opponent(
    world: World, telling: Notifying, box: MailBox
) -> None:
    person = await world.person()
    await telling.channels.add(person, BOB)
    match = await world.match(None, person, None, None, sides=(0, 0, 1, 1))
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)

    assert ["It is your turn in Midway, against Player 2 and Player 3: Friday"] == [
        one["Subject"] for one in box.took
    ]


async def test_a_notice_tells_nothing_but_title_opponent_and_label(
    world: World, telling: Notifying, box: MailBox
) -> None:
    """Given a match with a fact that is hidden, and a label and a name that an operator has hidden."""
    _, match = await one_to_tell(world, telling)
    await world.fact(match, 4, "Moved", where="atoll 17")
    await world.owner.execute("UPDATE lobby.match SET hidden = true")
    await world.owner.execute("UPDATE lobby.seat SET hidden = true")
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)
    (message,) = box.took

    assert "It is your turn in Midway, against your opponent" == message["Subject"]
    assert not any(word in message.as_string() for word in ("atoll", "Friday", "Player"))
