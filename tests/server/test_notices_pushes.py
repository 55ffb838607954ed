"""Pushes to a browser: to where it says last, and no longer than it is signed in."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID

import pytest

from server.mail_url import MailServer
from server.notices.notifying import Notifying
from server.people import sessions
from server.proof import keys
from server.serving import Serving
from tests.server.authenticator import Authenticator, Browser, Said
from tests.server.certificates import Certificates
from tests.server.noticed import BOB, World, round_of
from tests.server.receivers import Browser as Pushed
from tests.server.receivers import MailBox, Web, trusting


class Anna:
    """A person at two browsers of one server, by one passkey: `here` is pushed to, `there` is elsewhere."""

    def __init__(self, world: World, server: Serving, telling: Notifying, hook: Web) -> None:
        self.world, self.server, self.telling, self.hook = world, server, telling, hook
        self.here, self.there = Browser(server.url), Browser(server.url)
        self.key, self.pushed = Authenticator(), Pushed()
        self.codes: list[str] = []
        self.turns = 4
        self.person = self.match = UUID(int=0)

    async def begin(self) -> None:
        """Sign up, and sign in elsewhere; a match in which she has seat 1."""
        told = await self.here.sign_up("anna", self.key)
        self.codes = told["codes"]
        await self.there.sign_in(self.key)
        self.person = await self.world.owner.fetchval("SELECT id FROM people.person WHERE handle = 'anna'")
        self.match = await self.world.match(None, self.person)

    def place(self, path: str = "/push") -> Said:
        """Return what her browser says of itself."""
        place = self.pushed.place(self.hook.url(path=path), "")
        return {"kind": "push", "endpoint": place.endpoint, "p256dh": place.p256dh, "auth": place.auth}

    async def told_here(self) -> str:
        """Have her told in the one browser; return the channel."""
        _, told = await self.here.ask("POST", "/api/me/channels", self.place())
        return str(told["added"])

    async def renews(self, channel: str, path: str = "/anew", browser: Browser | None = None) -> int:
        """Let a browser say that it is pushed to elsewhere by now; return the status of the answer."""
        asked = f"/api/me/channels/{channel}/browser"
        status, _ = await (browser or self.here).ask("POST", asked, self.place(path))
        return status

    async def turn(self) -> list[str]:
        """Let her next turn be told; return where pushes of it went."""
        self.turns += 1
        await self.world.moved(self.match, 1)
        await self.world.ask(self.match, 1, self.turns)
        await self.world.later(seconds=61)
        return await self.round()

    async def round(self) -> list[str]:
        """Let what is due be told; return where pushes went."""
        before = len(self.hook.took)
        await round_of(self.telling)
        return [one.path for one in self.hook.took[before:]]

    async def channels(self) -> list[tuple[str, str]]:
        """Return kind and state of all that her page shows."""
        _, told = await self.there.ask("GET", "/api/me/channels")
        return [(one["kind"], one["state"]) for one in told["channels"]]


@pytest.fixture
async def anna(
    world: World, server: Serving, certificates: Certificates, box: MailBox, hook: Web
) -> AsyncIterator[Anna]:
    for worker in server.notices.workers.values():
        worker.close()
    telling = world.notifying(
        lambda: trusting(certificates),
        MailServer("127.0.0.1", box.port, tls=False),
        ring=keys.find_ring(file=server.settings.keys_file),
    )
    one = Anna(world, server, telling, hook)
    await one.begin()
    yield one
    await telling.stop()


async def ends_it(anna: Anna) -> None:
    _, told = await anna.there.ask("GET", "/api/me")
    (other,) = [one["id"] for one in told["person"]["sessions"] if not one["here"]]
    await anna.there.ask("DELETE", f"/api/me/sessions/{other}")


async def ends_all_others(anna: Anna) -> None:
    await anna.there.ask("DELETE", "/api/me/sessions")


async def signs_out(anna: Anna) -> None:
    await anna.here.ask("POST", "/api/me/sign-out")


async def removes_its_passkey(anna: Anna) -> None:
    _, told = await anna.there.ask("POST", "/api/me/sign-in", {"recovery": anna.codes[0]})
    (passkey,) = told["person"]["passkeys"]
    await anna.there.ask("DELETE", f"/api/me/passkeys/{passkey['id']}")


async def does_not_come_for_long(anna: Anna) -> None:
    await anna.world.owner.execute(
        "UPDATE people.session SET seen_at = seen_at - interval '91 days' WHERE id = ("
        "SELECT session FROM people.channel WHERE kind = 'push')"
    )
    await anna.world.owner.execute(sessions.OVER)


@pytest.mark.parametrize(
    "ends", [ends_it, ends_all_others, signs_out, removes_its_passkey, does_not_come_for_long]
)
async def test_a_browser_whose_session_has_ended_is_pushed_to_no_more_and_mail_goes_on(
    anna: Anna, box: MailBox, ends: Callable[[Anna], Awaitable[None]]
) -> None:
    await anna.told_here()
    await anna.server.notices.channels.add(anna.person, BOB)
    first = (await anna.turn(), len(box.took))

    await ends(anna)

    assert (["/push"], 1) == first
    assert ([], 2) == (await anna.turn(), len(box.took))
    assert [("mail", "on")] == await anna.channels()


async def test_a_session_that_goes_on_for_months_is_pushed_to(anna: Anna) -> None:
    """Given a browser that is used each month, and one that was added before sessions were noted."""
    await anna.told_here()
    for _ in range(4):
        await anna.world.later(days=40)
        assert 200 == (await anna.here.ask("GET", "/api/me"))[0]
        await anna.world.owner.execute(sessions.OVER)
        assert ["/push"] == await anna.turn()
    await anna.world.owner.execute("UPDATE people.channel SET session = NULL")
    await signs_out(anna)

    assert ["/push"] == await anna.turn()


async def test_a_session_that_ends_while_its_browser_is_added_leaves_nothing_behind(anna: Anna) -> None:
    _, added = await asyncio.gather(
        ends_all_others(anna), anna.here.ask("POST", "/api/me/channels", anna.place())
    )

    assert added[0] in {200, 401}
    assert [] == await anna.channels()


async def test_a_browser_is_pushed_to_where_it_says_by_now(anna: Anna) -> None:
    channel = await anna.told_here()
    await anna.turn()
    await anna.here.ask("PATCH", f"/api/me/channels/{channel}", {"quiet": False})

    assert 200 == await anna.renews(channel)
    assert ["/anew"] == await anna.turn()
    _, told = await anna.here.ask("GET", "/api/me/channels")
    assert [(channel, "on", False)] == [(one["id"], one["state"], one["quiet"]) for one in told["channels"]]


async def test_a_browser_that_its_maker_has_forgotten_is_told_again_once_it_says_where(anna: Anna) -> None:
    channel = await anna.told_here()
    anna.hook.statuses = [410]
    await anna.turn()
    gone = await anna.channels()

    await anna.renews(channel)

    assert [("push", "gone")] == gone
    assert ["/anew"] == await anna.round(), "the turn at which it was found gone, and which lasts"
    assert ["/anew"] == await anna.turn()


async def test_a_place_that_is_found_gone_after_its_browser_has_said_where_it_is_ends_nothing(
    anna: Anna,
) -> None:
    """Given a push service that takes long to say that it has forgotten the old place."""
    channel = await anna.told_here()
    anna.hook.statuses = [410]
    anna.hook.open.clear()
    told = asyncio.create_task(anna.turn())
    await anna.hook.heard(1)
    await anna.renews(channel)
    anna.hook.open.set()

    assert ["/push", "/anew"] == await told
    assert [("push", "on")] == await anna.channels()


async def test_of_browsers_from_before_sessions_were_noted_those_go_with_all_other_sessions(
    anna: Anna,
) -> None:
    await anna.told_here()
    await anna.server.notices.channels.add(anna.person, BOB)
    await anna.world.owner.execute("UPDATE people.channel SET session = NULL")

    await ends_all_others(anna)

    assert [] == await anna.turn()
    assert [("mail", "on")] == await anna.channels()


async def test_a_browser_that_was_turned_off_stays_so_wherever_it_is_pushed_to(anna: Anna) -> None:
    channel = await anna.told_here()
    await anna.there.ask("PATCH", f"/api/me/channels/{channel}", {"on": False})

    assert 200 == await anna.renews(channel)
    assert [] == await anna.turn()
    assert [("push", "off")] == await anna.channels()


async def test_who_says_it_by_another_session_is_pushed_to_by_that(anna: Anna) -> None:
    """Given a browser that was added before sessions were noted."""
    channel = await anna.told_here()
    await anna.world.owner.execute("UPDATE people.channel SET session = NULL")

    await anna.renews(channel)
    await ends_it(anna)

    assert [] == await anna.turn()
    assert [] == await anna.channels()


async def test_a_browser_that_was_removed_or_is_somebody_elses_is_not_made_anew(anna: Anna) -> None:
    channel = await anna.told_here()
    bert = Browser(anna.server.url)
    await bert.sign_up("bert")
    mail = (await anna.server.notices.channels.add(anna.person, BOB)).channel
    refused = [await anna.renews(channel, browser=bert), await anna.renews(str(mail))]
    await anna.there.ask("DELETE", f"/api/me/channels/{channel}")
    refused.append(await anna.renews(channel))
    refused.append((await anna.here.ask("POST", f"/api/me/channels/{channel}/browser", {"kind": "mail"}))[0])
    anna.here.cookie = ""
    refused.append(await anna.renews(channel))

    assert [403, 403, 403, 400, 401] == refused
    assert [] == await anna.turn()


async def test_a_place_is_of_one_browser_at_a_time(anna: Anna) -> None:
    """Given somebody else who was pushed to there before, and another channel of her own that leads there."""
    bert = Browser(anna.server.url)
    await bert.sign_up("bert")
    await bert.ask("POST", "/api/me/channels", anna.place("/anew"))
    await anna.there.ask("POST", "/api/me/channels", anna.place("/other"))
    channel = await anna.told_here()

    await anna.renews(channel, "/anew")
    await anna.renews(channel, "/other")

    assert [] == (await bert.ask("GET", "/api/me/channels"))[1]["channels"]
    assert ["/other"] == await anna.turn()
    assert [("push", "on")] == await anna.channels()
