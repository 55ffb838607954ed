"""The channels of persons: where they lead, whose they are, and how they are stopped."""

import asyncio
from uuid import uuid4

import pytest
from msgspec.structs import replace

from domain.match.refusals import RequestError
from server.mail_url import MailServer
from server.notices.channels import MOST, TESTS, Channels
from server.notices.notifying import Notifying
from server.notices.places import AnyPlace, Boxes, Mail, Webhook
from server.people.erasing import Erasing
from server.people.mailboxes import Mailboxes
from server.people.sessions import Here
from server.postgres.database import Database
from server.proof.keys import KeyRing
from tests.server.noticed import BOB, RING, World, one_to_tell, round_of
from tests.server.receivers import Browser, MailBox, Web


async def test_where_a_channel_leads_is_nowhere_in_clear(world: World, telling: Notifying, hook: Web) -> None:
    person = await world.person()
    browser = Browser().place(hook.url(path="/push-endpoint"), telling.keys.public)
    added = [
        await telling.channels.add(person, place)
        for place in (BOB, browser, Webhook(url=hook.url(path="/hook-path")))
    ]
    rows = await world.owner.fetch("SELECT c::text FROM people.channel c")
    shown = "".join(row[0] for row in rows) + repr(await telling.channels.of(person)) + repr(browser)
    raw = b"".join(row[0] for row in await world.owner.fetch("SELECT box FROM people.channel"))

    for secret in ("bob@example.org", "push-endpoint", "hook-path", browser.auth, added[2].secret[6:]):
        assert secret not in shown
        assert secret.encode() not in raw
        assert secret.encode().hex() not in shown


async def test_a_person_has_so_many_channels_and_no_more(world: World, telling: Notifying) -> None:
    person = await world.person()
    places = [Mail(address=f"p{number}@example.org") for number in range(MOST + 1)]
    results = await asyncio.gather(
        *(telling.channels.add(person, place) for place in places), return_exceptions=True
    )

    assert MOST == len(await telling.channels.of(person))
    assert ["too_many"] == [one.code for one in results if isinstance(one, RequestError)]


async def test_the_same_place_is_there_once(world: World, telling: Notifying) -> None:
    person = await world.person()
    first = await telling.channels.add(person, BOB)
    again = await telling.channels.add(person, Mail(address="Bob@Example.org"))

    assert first.channel == again.channel
    assert 1 == len(await telling.channels.of(person))


async def test_added_again_a_channel_is_stopped_by_the_mails_of_before(
    world: World, telling: Notifying, box: MailBox
) -> None:
    person, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)
    token = box.took[0]["List-Unsubscribe"].strip("<>").rpartition("/")[2]

    await telling.channels.add(person, BOB)

    assert await telling.channels.unsubscribe(token)
    assert ["off"] == [one.state for one in await telling.channels.of(person)]


async def test_a_channel_that_is_turned_on_again_is_told_at_once_of_a_turn_that_lasts(
    world: World, telling: Notifying, box: MailBox
) -> None:
    """Given a turn that began while it was off, a minute behind the last walk through all turns."""
    person, match = await one_to_tell(world, telling)
    (channel,) = await telling.channels.of(person)
    await telling.channels.change(person, channel.id, on=False)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)
    await world.later(minutes=6)
    await round_of(telling)
    assert [] == await world.outbox()

    await telling.channels.change(person, channel.id, on=True)
    await round_of(telling)

    assert ([("turn", 1, 5, "sent")], 1) == (await world.outbox(), len(box.took))


@pytest.mark.parametrize("again", ["turned on", "added"])
async def test_what_came_due_while_a_channel_was_off_is_told_when_it_is_on_again_if_it_lasts(
    world: World, telling: Notifying, box: MailBox, again: str
) -> None:
    """Given two turns that wait for a digest when it is turned off, and one of which is over by then."""
    person, match = await one_to_tell(world, telling)
    over = await world.match(None, person)
    (channel,) = await telling.channels.of(person)
    await telling.channels.change(person, channel.id, digest=True)
    for one in (match, over):
        await world.ask(one, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)
    await telling.channels.change(person, channel.id, on=False)
    await world.later(hours=1)
    await round_of(telling)
    await world.moved(over, 1)
    missed = await world.outbox()

    if again == "added":
        await telling.channels.add(person, BOB)
    else:
        await telling.channels.change(person, channel.id, on=True)
    await round_of(telling)

    assert [("turn", 1, 5, "off")] * 2 == missed
    assert ["off", "sent"] == sorted(row[-1] for row in await world.outbox())
    assert 1 == len(box.took)


async def test_a_browser_is_with_who_was_there_last(world: World, telling: Notifying, hook: Web) -> None:
    before, after = await world.person(), await world.person()
    place = Browser().place(hook.url(), telling.keys.public)
    for person in (before, after, after):
        await telling.channels.add(person, place)

    assert [] == await telling.channels.of(before)
    assert 1 == len(await telling.channels.of(after))


async def test_a_test_is_told_at_once_and_shown_with_what_came_of_it(
    world: World, telling: Notifying, box: MailBox
) -> None:
    person, _ = await one_to_tell(world, telling)
    (channel,) = await telling.channels.of(person)
    box.answer = "554 no"
    for _ in range(6):
        await telling.channels.test(person, channel.id)
        await round_of(telling)
        box.answer = "250 taken"
        await world.later(seconds=1)
    (channel,) = await telling.channels.of(person)

    assert ["sent"] * 5 == [one.outcome for one in channel.last]
    assert {"This is a test: notices reach you here"} == {one["Subject"] for one in box.took}
    for _ in range(TESTS - 6):
        await telling.channels.test(person, channel.id)
    with pytest.raises(RequestError, match="tests within an hour"):
        await telling.channels.test(person, channel.id)


async def test_a_person_manages_his_own_channels_only(world: World, telling: Notifying) -> None:
    person, _ = await one_to_tell(world, telling)
    other = await world.person()
    (channel,) = await telling.channels.of(person)
    for act in (
        telling.channels.test(other, channel.id),
        telling.channels.remove(other, channel.id),
        telling.channels.change(other, channel.id, on=False),
    ):
        with pytest.raises(RequestError):
            await act

    assert [channel] == await telling.channels.of(person)


async def test_a_channel_is_stopped_by_the_token_of_its_mails(
    world: World, telling: Notifying, box: MailBox
) -> None:
    person, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await round_of(telling)
    token = box.took[0]["List-Unsubscribe"].strip("<>").rpartition("/")[2]

    assert not await telling.channels.unsubscribe(token + "x")
    assert ["on"] == [one.state for one in await telling.channels.of(person)]
    assert await telling.channels.unsubscribe(token)
    assert await telling.channels.unsubscribe(token)
    assert ["off"] == [one.state for one in await telling.channels.of(person)]
    await world.moved(match, 1)
    await world.ask(match, 1, 9)
    await world.later(seconds=61)
    await round_of(telling)
    assert 1 == len(box.took)


async def test_what_waits_for_a_channel_that_is_turned_off_is_not_told(
    world: World, telling: Notifying, box: MailBox
) -> None:
    person, match = await one_to_tell(world, telling)
    (channel,) = await telling.channels.of(person)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await telling.look()
    await telling.channels.change(person, channel.id, on=False)
    await round_of(telling)

    assert [("turn", 1, 5, "off")] == await world.outbox()
    assert not box.took


async def test_who_is_erased_leaves_nothing(world: World, telling: Notifying, box: MailBox) -> None:
    person, match = await one_to_tell(world, telling)
    await world.ask(match, 1, 5)
    await world.later(seconds=61)
    await telling.look()
    handle = await world.owner.fetchval("SELECT handle FROM people.person WHERE id = $1", person)
    erasing = Erasing(world.database.http, Mailboxes(RING))
    await erasing.erase(Here(person, 0, b"", handle, ""), handle)
    await round_of(telling)

    assert ([], []) == (await world.outbox(), await telling.channels.of(person))
    assert not box.took


@pytest.mark.parametrize(
    "place",
    [
        Mail(address="bob"),
        Mail(address="bob@here"),
        Mail(address="bob@example.org\r\nBcc: eve@example.org"),
        Mail(address="Bob <bob@example.org>"),
        Mail(address="a@example.org, b@example.org"),
        Mail(address="bø@example.org"),
        Mail(address=f"{'x' * 250}@example.org"),
        Webhook(url="http://example.org/"),
        Webhook(url="https://user:password@example.org/"),
        Webhook(url="https://example.org/ x"),
        Webhook(url="https:///x"),
        Webhook(url="https://example.org:port/"),
        Webhook(url="https://example.org:0/"),
        Webhook(url="https://xn--a.example/x"),
        Webhook(url="https://xn--/x"),
        Webhook(url=f"https://example.org/{'x' * 2000}"),
        Webhook(url="https://example.org/", shape="fax"),
        replace(Browser().place("https://push.example.org/", "k"), auth="short"),
        replace(Browser().place("https://push.example.org/", "k"), p256dh="AAAA"),
        Browser().place("http://push.example.org/", "k"),
    ],
)
async def test_a_place_that_is_none_is_refused(database: Database, place: AnyPlace) -> None:
    with pytest.raises(RequestError) as refused:
        await Channels(database.read, RING).add(uuid4(), place)

    assert "bad_request" == refused.value.code


async def test_with_a_new_key_on_top_of_the_ring_a_box_is_sealed_anew_when_it_is_used(
    world: World, telling: Notifying, box: MailBox
) -> None:
    _, match = await one_to_tell(world, telling)
    new = bytes((91 + i * i * 11) % 256 for i in range(32))
    turned = KeyRing({"k2": new, "k1": RING._roots["k1"]})
    mail = MailServer("127.0.0.1", box.port, tls=False)
    for seq, ring in ((5, turned), (9, KeyRing({"k2": new}))):
        one = world.notifying(mail=mail, ring=ring)
        await world.ask(match, 1, seq)
        await world.later(seconds=61)
        await round_of(one)
        await world.moved(match, 1)
        await one.stop()

    assert [("turn", 1, 5, "sent"), ("turn", 1, 9, "sent")] == await world.outbox()


def test_a_box_of_another_channel_does_not_open() -> None:
    boxes, channel = Boxes(RING), uuid4()
    box = boxes.seal(channel, BOB)

    assert BOB == boxes.open(channel, box)
    assert boxes.open(uuid4(), box) is None
    assert boxes.open(channel, RING.seal(channel, b"{}")) is None
