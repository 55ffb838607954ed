"""A notice says until when a player has: by his own clock on the wall, as it is when it is told."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from msgspec import json

from server.lobby.clocks_due import ClocksDue
from server.mail_url import MailServer
from server.notices.deadlines import said
from server.notices.notifying import Notifying
from server.notices.places import Mail, Webhook
from server.play.clock import NO_DATE
from server.play.clockwork import Clockwork
from tests.conftest import running
from tests.server.noticed import World, one_to_tell, round_of
from tests.server.receivers import Browser, MailBox, Web
from tests.server.talk import seated

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
WITHIN = 40
WEEKS = {"by_turns": True, "clock": {"bank": 7 * 86_400, "nights": True, "by_claim": True}}


@pytest.mark.parametrize(
    ("until", "zone", "words"),
    [
        (None, "Asia/Tokyo", ""),
        (datetime(2026, 12, 4, 9, 0, 59, tzinfo=UTC), "Asia/Tokyo", "you have until Fri 4 Dec, 18:00"),
        (datetime(2026, 12, 4, 9, tzinfo=UTC), "UTC", "you have until Fri 4 Dec, 09:00 UTC"),
        (datetime(2026, 12, 4, 9, tzinfo=UTC), "Nowhere/Else", "you have until Fri 4 Dec, 09:00 UTC"),
        (datetime(2026, 12, 4, 9, tzinfo=UTC), "../etc", "you have until Fri 4 Dec, 09:00 UTC"),
        (datetime(2026, 12, 31, 16, tzinfo=UTC), "Asia/Tokyo", "you have until Fri 1 Jan 2027, 01:00"),
        (datetime(2026, 12, 1, 12, tzinfo=UTC), "Europe/London", "your time ran out on Tue 1 Dec, 12:00"),
    ],
)
def test_until_when_is_said_by_the_persons_own_wall(until: datetime | None, zone: str, words: str) -> None:
    assert words == said(until, NOON, zone)


async def asked_until(world: World, telling: Notifying, until: datetime | None) -> UUID:
    """Make a person in Tokyo who has a browser, too, and a turn of his that began a minute ago; return it."""
    person, match = await one_to_tell(world, telling)
    await world.owner.execute("UPDATE people.person SET zone = 'Asia/Tokyo' WHERE id = $1", person)
    await world.fact(match, 5, "Paused")
    await world.ask(match, 1, 5)
    await noted(world, match, 5, until)
    await world.later(seconds=61)
    return match


async def noted(world: World, match: UUID, seq: int, until: datetime | int | None) -> None:
    """Note as of a fact until when seat 1 has, a date or microseconds since the epoch."""
    end = round(until.timestamp() * 1_000_000) if isinstance(until, datetime) else until
    due = ClocksDue(world.database.http, cast("Clockwork", None), lambda: 0)
    due._to_note[match] = seq, None, json.encode({} if end is None else {"1": end}).decode()
    await due.note()


NOTED_BY_AN_OLDER_NODE = """
INSERT INTO lobby.clock_due (match_id, seq, due) VALUES ($1, $2, $3)
    ON CONFLICT (match_id) DO UPDATE SET seq = excluded.seq, due = excluded.due
"""


def words_of(box: MailBox) -> list[str]:
    """Return what the mails say of time, as text and as HTML."""
    found = []
    for message in box.took:
        for kind in ("plain", "html"):
            body = message.get_body((kind,))
            assert body is not None
            text = body.get_content().replace("<br>", "\n").replace("</p>", "\n")
            found += [line for line in text.splitlines() if "you have" in line or "ran out" in line]
    return found


async def test_every_channel_says_until_when(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    person, match = await one_to_tell(world, telling)
    await world.owner.execute("UPDATE people.person SET zone = 'Asia/Tokyo' WHERE id = $1", person)
    browser = Browser()
    await telling.channels.add(person, browser.place(hook.url(path="/push"), telling.keys.public))
    for shape in ("fleetfold", "discord", "slack", "ntfy"):
        await telling.channels.add(person, Webhook(url=hook.url(path=f"/{shape}"), shape=shape))
    await world.fact(match, 5, "Paused")
    await world.ask(match, 1, 5)
    now = await world.now()
    until = (now + timedelta(days=3)).replace(microsecond=5)
    await noted(world, match, 5, until)
    await world.later(seconds=61)
    await round_of(telling)
    words = said(until, now, "Asia/Tokyo")
    by = {took.path: took.body for took in hook.took}

    assert [words, words] == words_of(box)
    assert f"against Player 0: Friday\n{words}" == browser.opened(by.pop("/push"))["body"]
    assert [until.strftime("%Y-%m-%dT%H:%M:%SZ")] == [
        one["until"] for one in json.decode(by.pop("/fleetfold"))["data"]["notices"]
    ]
    assert {"/discord", "/slack", "/ntfy"} == set(by)
    assert all(f", {words}." in body.decode() for body in by.values())


async def test_it_is_as_it_is_when_the_notice_is_told_and_not_as_it_was_when_that_was_made(
    world: World, telling: Notifying, box: MailBox
) -> None:
    """Given a mail server that takes nothing while the other goes on holiday and all have days more."""
    now = await world.now()
    match = await asked_until(world, telling, now + timedelta(days=1))
    box.answer = "451 later"
    await round_of(telling)
    await world.fact(match, 6, "HolidayBegan", seat=0)
    await noted(world, match, 6, now + timedelta(days=9))
    box.answer = "250 taken"
    await world.later(minutes=1)
    await round_of(telling)

    assert [said(now + timedelta(days=9), now, "Asia/Tokyo")] * 2 == words_of(box)


@pytest.mark.parametrize(
    "case",
    ["no clock", "of an earlier fact", "of nobody's time", "of an older node", "beyond all dates", "in 9999"],
)
async def test_where_no_end_is_known_nothing_is_said_of_it(
    world: World, telling: Notifying, box: MailBox, case: str
) -> None:
    match = await asked_until(world, telling, None)
    if case == "no clock":
        await world.owner.execute("DELETE FROM lobby.clock_due")
    elif case == "of an earlier fact":
        await world.owner.execute("DELETE FROM lobby.clock_due")
        await noted(world, match, 4, await world.now() + timedelta(days=1))
    elif case == "of an older node":
        await noted(world, match, 5, await world.now() + timedelta(days=1))
        await world.fact(match, 6, "HolidayBegan", seat=0)
        await world.owner.execute(NOTED_BY_AN_OLDER_NODE, match, 6, await world.now())
    elif case != "of nobody's time":
        await noted(world, match, 5, NO_DATE if case == "in 9999" else 10 * NO_DATE)
    await round_of(telling)

    assert (1, []) == (len(box.took), words_of(box))


async def test_time_that_has_run_out_while_the_notice_waited_is_said_to_have(
    world: World, telling: Notifying, box: MailBox
) -> None:
    now = await world.now()
    await asked_until(world, telling, now + timedelta(seconds=30))
    await round_of(telling)

    assert [said(now + timedelta(seconds=30), now + timedelta(days=1), "Asia/Tokyo")] * 2 == words_of(box)


async def test_a_digest_says_it_of_each_turn(
    world: World, telling: Notifying, box: MailBox, hook: Web
) -> None:
    person, one = await one_to_tell(world, telling)
    browser = Browser()
    await telling.channels.add(person, browser.place(hook.url(path="/push"), telling.keys.public))
    await world.owner.execute("UPDATE people.channel SET digest = true")
    now = await world.now()
    ends = [now + timedelta(days=1), now + timedelta(days=2)]
    for match, end in zip((one, await world.match(None, person)), ends, strict=True):
        await world.fact(match, 5, "Paused")
        await world.ask(match, 1, 5)
        await noted(world, match, 5, end)
    await world.later(seconds=61)
    await round_of(telling)
    await world.later(hours=1)
    await round_of(telling)
    words = [said(end, now, "UTC") for end in ends]

    assert sorted(words * 2) == sorted(words_of(box))
    told = browser.opened(hook.took[0].body)["body"].split("\n")
    assert sorted(f"It is your turn in Midway, {end}" for end in words) == sorted(told)


async def test_a_server_says_the_end_of_the_clock_itself(
    world: World, dsn: str, folder: Path, box: MailBox
) -> None:
    mail = MailServer("127.0.0.1", box.port, tls=False)
    async with running(dsn, folder, mail=mail, mail_from="notices@fleet.example") as server:
        async with seated(server.url, **WEEKS) as (created, _, _):
            match = UUID(created["match"])
            for seat in (0, 1):
                person = await world.person(zone="America/New_York")
                await server.notices.channels.add(person, Mail(address=f"seat{seat}@example.org"))
                await world.owner.execute(
                    "UPDATE lobby.seat SET person_id = $3 WHERE match_id = $1 AND seat = $2",
                    match,
                    seat,
                    person,
                )
        async with asyncio.timeout(WITHIN):
            while not await world.owner.fetchval(
                "SELECT count(*) FROM view.turn t JOIN lobby.clock_due d USING (match_id)"
                " WHERE d.deadlines ? t.seat::text"
            ):
                await asyncio.sleep(0.02)
        ends = (await server.reader.latest(match)).deadlines
        await world.later(seconds=62)
        async with asyncio.timeout(WITHIN):
            while len(
                told := [one for one in box.took if one["Subject"].startswith("It is your turn")]
            ) < len(ends):
                await asyncio.sleep(0.02)

    for message in told:
        end = datetime.fromtimestamp(ends[int(message["To"][4])] / 1e6, ZoneInfo("America/New_York"))
        assert f"you have until {end:%a} {end.day} {end:%b}" in message.as_string()
        assert f", {end:%H:%M}\n" in message.as_string().replace("\r", "")


async def test_a_note_that_could_not_be_written_is_written_the_next_time_and_none_of_an_earlier_fact_after_it(
    world: World,
) -> None:
    match = await world.match(None, None)
    due = ClocksDue(world.database.http, cast("Clockwork", None), lambda: 0)
    due._to_note[match] = 5, None, "{}"
    await world.owner.execute("ALTER TABLE lobby.clock_due RENAME TO away")
    await due.note()
    await world.owner.execute("ALTER TABLE lobby.away RENAME TO clock_due")
    await due.note()
    due._to_note[match] = 4, None, "{}"
    await due.note()

    assert 5 == await world.owner.fetchval("SELECT noted FROM lobby.clock_due")
