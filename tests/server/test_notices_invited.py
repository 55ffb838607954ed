"""Who hears of an invitation to a tournament, and of the round of a bot."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import json

from server.notices.notifying import Notifying
from server.notices.outbox import SEATED
from server.notices.places import Webhook
from server.postgres.database import Connection, connection
from server.serving import Serving
from server.tournaments.course import locked
from server.tournaments.inviting import UNINVITE, invite
from tests.server.meets import all_made, done, made, pairings, signed_up, until
from tests.server.noticed import BOB, World, owner_of, round_of
from tests.server.receivers import Browser, MailBox, Web
from tests.server.test_tournament_bots import registered

_BLOCK = """
INSERT INTO people.block (person_id, blocked) SELECT a.id, b.id FROM people.person a, people.person b
 WHERE $1::uuid IS NOT NULL AND (a.handle, b.handle) = ({})
"""
_ENTER = """
INSERT INTO people.entrant (tournament, number, person_id)
SELECT $1, 1, id FROM people.person WHERE handle = 'bob'
"""
_BAN = "UPDATE people.person SET banned_at = now() WHERE $1::uuid IS NOT NULL AND handle = 'ann'"
OVER = {
    "taken back": "DELETE FROM people.invitation WHERE tournament = $1",
    "entered": _ENTER,
    "started": "UPDATE people.tournament SET state = 'under way' WHERE id = $1",
    "called off": "UPDATE people.tournament SET state = 'called off' WHERE id = $1",
    "banned": _BAN,
    "kept away": _BLOCK.format("'bob', 'ann'"),
    "keeps away": _BLOCK.format("'ann', 'bob'"),
}
"""What ends an invitation of bob by ann to tournament $1."""

_SWISS = "UPDATE people.tournament SET state = 'under way', kind = 'swiss', rounds = 2 WHERE id = $1"
_CUP = """
INSERT INTO people.tournament (id, command, director, name, title, scenario, options, by_turns, kind, rounds,
                               rated, open, bots, by_itself, most)
VALUES ($1, gen_random_uuid(), $2, 'Winter cup', 'midway', 'duel', '{}', true, 'round robin', 0,
        false, false, true, true, 8)
"""


class Cup:
    """An open tournament of ann, to which bob, who has mail, may be invited."""

    def __init__(self, world: World, id: UUID, ann: UUID, bob: UUID) -> None:
        self.world, self.id, self.ann, self.bob = world, id, ann, bob

    async def invite(self, whom: UUID | None = None, place: int | None = None) -> None:
        """Invite somebody now, bob if nobody else is named."""
        async with connection(self.world.database.read) as conn, conn.transaction():
            await invite(conn, await locked(conn, self.id), whom or self.bob, place)

    async def take_back(self) -> None:
        """Take the invitation of bob back."""
        await self.sql(UNINVITE.replace("p.handle = $2", "p.handle = 'bob'"))

    async def sql(self, query: str, *more: Any) -> None:
        """Do something as the owner of the database; $1 is the tournament."""
        await self.world.owner.execute(query, self.id, *more)


@pytest.fixture
async def cup(world: World, telling: Notifying) -> Cup:
    ann, bob = await world.person("ann"), await world.person("bob")
    await telling.channels.add(bob, BOB)
    one = Cup(world, uuid4(), ann, bob)
    await one.sql(_CUP, ann)
    return one


async def a_minute_later(world: World, telling: Notifying) -> None:
    await world.later(seconds=61)
    await round_of(telling)


async def kinds(world: World) -> list[tuple[Any, ...]]:
    return sorted((kind, outcome) for kind, _, _, outcome in await world.outbox())


async def test_who_is_invited_hears_once_by_whom_and_to_what(
    world: World, telling: Notifying, box: MailBox, cup: Cup
) -> None:
    await cup.invite()
    await round_of(telling)
    assert not box.took

    await a_minute_later(world, telling)
    await a_minute_later(world, telling)

    (mail,) = box.took
    assert [("invited", "sent")] == await kinds(world)
    assert "You are invited to a tournament of Midway, by ann: Winter cup" == mail["Subject"]
    assert f"https://fleet.example/tournaments/{cup.id}" in mail.as_string().replace("=\n", "")


@pytest.mark.parametrize("what", OVER)
async def test_an_invitation_that_is_over_is_told_to_nobody(
    world: World, telling: Notifying, box: MailBox, cup: Cup, what: str
) -> None:
    await cup.invite()
    await cup.sql(OVER[what])
    await a_minute_later(world, telling)

    assert [("invited", "stale")] == await kinds(world)
    assert not box.took


async def test_taken_back_and_made_anew_it_is_told_once_at_most(
    world: World, telling: Notifying, box: MailBox, cup: Cup
) -> None:
    for _ in range(2):
        await cup.invite()
        await cup.take_back()
        await a_minute_later(world, telling)
    assert not box.took

    for _ in range(3):
        await cup.invite()
        await a_minute_later(world, telling)
        await cup.take_back()

    assert [("invited", "sent")] == await kinds(world)
    assert 1 == len(box.took)


async def test_a_swiss_is_entered_late_until_its_last_round_and_so_is_an_invitation_told(
    world: World, telling: Notifying, box: MailBox, cup: Cup
) -> None:
    other = await world.person()
    await telling.channels.add(other, BOB)
    await cup.sql(_SWISS)
    for number, whom in ((1, cup.bob), (2, other)):
        await cup.sql("INSERT INTO people.round (tournament, number) VALUES ($1, $2)", number)
        await cup.invite(whom)
        await a_minute_later(world, telling)

    assert [("invited", "sent"), ("invited", "stale")] == await kinds(world)
    assert 1 == len(box.took)


async def test_a_place_that_is_offered_is_another_notice_until_somebody_has_it(
    world: World, telling: Notifying, cup: Cup
) -> None:
    await cup.invite()
    await a_minute_later(world, telling)
    await cup.sql("UPDATE people.tournament SET state = 'under way' WHERE id = $1")
    await cup.take_back()
    for place in (2, 3):
        await cup.invite(place=place)
        if place == 3:
            await cup.take_back()
        await a_minute_later(world, telling)
        await cup.take_back()

    assert [("invited", "sent"), ("invited", "sent"), ("invited", "stale")] == await kinds(world)


async def test_of_a_bot_that_is_invited_hears_its_owner(
    world: World, telling: Notifying, box: MailBox, cup: Cup
) -> None:
    bot = await world.person("bobs_bot", owner=cup.bob)
    await cup.invite()
    await cup.invite(bot)
    await cup.take_back()
    await a_minute_later(world, telling)

    assert [("botinvited", "sent"), ("invited", "stale")] == await kinds(world)
    (mail,) = box.took
    assert mail["Subject"].strip().startswith("A bot of yours is invited to a tournament of Midway")


async def test_each_channel_is_told_and_none_makes_a_link_of_what_a_director_wrote(
    world: World, telling: Notifying, hook: Web, cup: Cup
) -> None:
    """Given a name with a link in it; then a director who was muted, of whom nobody reads a name."""
    browser = Browser()
    await telling.channels.add(cup.bob, browser.place(hook.url(path="/push"), telling.keys.public))
    for shape in ("fleetfold", "discord"):
        await telling.channels.add(cup.bob, Webhook(url=hook.url(path=f"/{shape}"), shape=shape))
    await cup.sql("UPDATE people.tournament SET name = '[Win](https://evil.example/x)' WHERE id = $1")
    await cup.invite()
    await a_minute_later(world, telling)
    told = {took.path: took.body for took in hook.took}
    (own,) = json.decode(told["/fleetfold"])["data"]["notices"]
    push = browser.opened(told["/push"])
    await world.owner.execute("UPDATE people.person SET muted_at = now() WHERE handle = 'ann'")
    await world.owner.execute("UPDATE people.outbox SET outcome = NULL")
    hook.took.clear()
    await a_minute_later(world, telling)

    link = f"https://fleet.example/tournaments/{cup.id}"
    assert (None, str(cup.id), link) == (own["match"], own["tournament"], own["link"])
    assert link == push["link"]
    for text in (told["/discord"].decode(), push["body"]):
        assert "by ann: Win" in text
        assert "evil.example" not in text
    assert len(told) == len(hook.took)
    assert not any(b"Win" in took.body for took in hook.took if took.path != "/push")


async def test_of_a_round_of_his_bot_hears_its_owner_a_minute_later_if_the_bot_has_not_sat_down(
    server: Serving, dsn: str, folder: Any
) -> None:
    anna, bert = [await signed_up(server.url, handle) for handle in ("anna", "bert")]
    hook = {"kind": "webhook", "url": "https://hooks.example.org/bert"}
    await bert.ask("POST", "/api/me/channels", hook)
    await registered(bert, "bertbot", folder)
    tournament = await made(anna, rounds=1, bots=True)
    await done(anna, "POST", tournament, "entry")
    await done(bert, "POST", tournament, "entry", {"bot": "bertbot"})
    await done(anna, "POST", tournament, "start")
    (pair,) = pairings(await until(anna, tournament, all_made))
    owner = await owner_of(dsn)
    before = await rounds(owner)
    await owner.execute(
        "INSERT INTO lobby.seat (match_id, seat, name, kind) SELECT match_id, seat, 'Bot', 'bot'"
        " FROM people.outbox WHERE kind = 'botround'"
    )
    after = await rounds(owner)
    await owner.close()

    assert [("bert", pair["match"], 60.0, False)] == before
    assert [("bert", pair["match"], 60.0, True)] == after


async def rounds(owner: Connection) -> list[tuple[Any, ...]]:
    """Return who hears of which round of a bot, how many seconds later, and whether it is over."""
    rows = await owner.fetch(
        "SELECT p.handle, o.match_id::text, round(extract(epoch FROM o.due - o.made_at))::float8,"
        f" ({SEATED}) FROM people.outbox o JOIN people.person p ON p.id = o.person_id"
        " WHERE o.kind = 'botround'"
    )
    return [tuple(row) for row in rows]
