"""Two persons who never exchanged a link play a rated duel over weeks, one of them always away.

The server is one of its own, with a Postgres of its own, and what it sends goes to a desk beside it. Its
clock is moved on by hand: a minute until a turn is due, and hours until who was called comes and decides.
Nobody comes without having been called. Deliberately absent: what counts as told (`tests.weeks.tally`).
"""

import asyncio
import contextlib
import random
import tempfile
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

import asyncpg
from msgspec import Struct

from clients import bots
from domain.kernel.audience import Audience
from domain.midway import MIDWAY
from projections import record, verify
from projections.cursor import lag
from projections.every import PROJECTIONS
from server.postgres.database import Connection, connection, own_login
from server.postgres.embedded import embedded
from server.serving import Serving, served
from server.settings import Settings
from tests.weeks.desk import Desk, desk
from tests.weeks.player import Player, Said
from tests.weeks.tally import CHANNELS, LATEST, Delivery, Spell, spells_of, tally

Say = Callable[[str], None]

CLOCK: Final = {"bank": 30 * 86_400, "by_claim": True}
"""Thirty days a side, in seconds; a time-out is claimed."""

WAIT: Final = timedelta(seconds=61)
COMES: Final = timedelta(hours=9)
"""How long after he was called a person comes."""

LEAST: Final = 12
"""Turns of a demonstration, at least."""

WEAKEST, *_, STRONGEST = bots.strengths(MIDWAY.name).values()
"""Who decides for the persons: the one until there were LEAST turns, before which it ends no match."""

WITHIN: Final = 20.0
"""Seconds within which what was moved on to is done, by a server that is there."""


class Report(Struct, frozen=True):
    """The last line of the demonstration."""

    title: str
    match: UUID
    turns: int
    mails: int
    pushes: int
    webhooks: int
    late: int
    doubled: int
    lost: int
    rated: bool
    verified: bool

    def faults(self, least: int = LEAST) -> list[str]:
        """Return what is not as it should be, in words."""
        counts = {name: getattr(self, name) for name in ("late", "doubled", "lost")}
        told = (("mails", self.mails), ("pushes", self.pushes), ("webhooks", self.webhooks))
        return [
            *([f"{self.turns} turns, and at least {least} were wanted"] if self.turns < least else []),
            *(f"{count} {name} for {self.turns} turns" for name, count in told if count != self.turns),
            *(f"{count} {name}" for name, count in counts.items() if count),
            *([] if self.rated else ["the ratings have not moved as the result says"]),
            *([] if self.verified else ["the match does not verify"]),
        ]


class NotAlone(Exception):
    """Somebody is at the match who is to be away."""


class Weeks:
    """A server whose clock is moved on by hand, and the desk beside it."""

    def __init__(self, server: Serving, owner: Connection, at: Desk) -> None:
        self.server, self.desk, self.owner = server, at, owner

    async def later(self, by: timedelta) -> None:
        """Move the clock on."""
        await self.owner.execute("UPDATE log.clock SET shift = shift + $1", by)
        await self.server.clock.measure()

    async def level(self) -> None:
        """Wait until the projections have all that is on the log."""
        async with asyncio.timeout(WITHIN), connection(self.server.database.http) as conn:
            while any([await lag(conn, one.name) for one in PROJECTIONS]):
                self.server.runner.wake()
                await asyncio.sleep(0.01)

    async def spells(self, match: UUID) -> list[Spell]:
        """Return the turns of a match so far."""
        return spells_of(await self.server.log.read_everything(match))

    async def is_there(self, match: UUID, seats: int) -> None:
        """Wait until these seats, a bit each, are at the match, and no others. Raises NotAlone."""
        try:
            async with asyncio.timeout(WITHIN):
                while (await self.server.hub.seats_at([match]) or {}).get(match, 0) != seats:
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise NotAlone(f"others are at the match than {seats:b}") from None

    async def called(self, spell: Spell) -> bool:
        """Let a minute of a turn pass, and wait until every channel has told of it; whether all have."""
        await self.level()
        await self.later(WAIT)
        await self.server.notices.look()

        def all_have(told: list[Delivery]) -> bool:
            by = {one.channel for one in told if of_spell(one, spell)}
            return len(by) == len(CHANNELS)

        return await self.desk.until(all_have, WITHIN)

    async def told(self, kind: str, persons: int) -> None:
        """Wait until every channel of so many persons has told of something that is due."""
        await self.server.notices.look()
        wanted = persons * len(CHANNELS)
        await self.desk.until(lambda told: sum(one.kind == kind for one in told) >= wanted, WITHIN)


def of_spell(one: Delivery, spell: Spell) -> bool:
    """Whether something that came tells of a turn that lasts."""
    return (one.kind, one.seat) == ("turn", spell.seat) and one.at >= spell.since


@contextlib.asynccontextmanager
async def weeks(dsn: str, login: str, folder: Path) -> AsyncIterator[Weeks]:
    """Run a server by a login on a database, as whose owner the clock is moved on, and a desk beside it."""
    async with desk(folder / "desk") as at:
        owner = await asyncpg.connect(dsn)
        await owner.execute("UPDATE log.clock SET trial = true")
        settings = Settings(
            data=folder, port=0, mail=at.server, mail_from="notices@fleet.example", notices_to_loopback=True
        )
        async with served(settings, login) as server:
            at.now = server.clock.now
            yield Weeks(server, owner, at)
        await owner.close()


async def demonstrate(say: Say) -> Report:
    """Play on a server with a Postgres of its own, and say what was found."""
    with tempfile.TemporaryDirectory(prefix="fleetfold-weeks-", ignore_cleanup_errors=True) as folder:
        say("Starting a server with a database of its own, a mail server, a push service, and webhooks …")
        async with embedded(Path(folder)) as dsn, weeks(dsn, await own_login(dsn), Path(folder)) as one:
            return await play_out(one, say)


async def play_out(one: Weeks, say: Say, turns: int = 0) -> Report:
    """Play, and say what was found. After so many `turns` who is asked resigns; 0: to the end."""
    url, folder = one.server.url, one.server.settings.data
    both = [Player(url, handle, seat, folder / handle) for seat, handle in enumerate(("ann", "bob"))]
    for player in both:
        await player.sign_up(one.desk)
    say("Two persons have signed up; one offers a rated duel by turns, the other finds it …")
    match = await met(one, both)
    await play(one, both, match, say, turns)
    say("The match is over; looking at ratings, and at everything that was told …")
    return await found(one, both, match)


async def met(one: Weeks, both: list[Player]) -> UUID:
    """Let one offer and the other take it from the list; the match has begun, and both are away."""
    maker, taker = both
    match = await maker.offer(
        title=MIDWAY.name,
        scenario="duel",
        clock=CLOCK,
        by_turns=True,
        rated=True,
        persons=True,
    )
    await one.level()
    await taker.find(title=MIDWAY.name, rated=True, by_turns=True)
    await one.is_there(match, 0)
    await one.level()
    await one.later(WAIT)
    await one.told("joined", 1)
    await maker.begin()
    return match


async def play(one: Weeks, both: list[Player], match: UUID, say: Say, turns: int) -> None:
    """Call who is asked, let hours pass, let him come and decide, until the match is over."""
    called, goes_on, chance = set[tuple[int, int]](), True, random.Random()
    while goes_on:
        await one.is_there(match, 0)
        spells = await one.spells(match)
        asked = [spell for spell in spells if spell.until is None]
        for spell in asked:
            if (spell.seat, spell.since) not in called and not await one.called(spell):
                say(f"Turn {len(spells)} was not told by every channel within {WITHIN:.0f} s.")
            called.add((spell.seat, spell.since))
        await one.later(COMES)
        player = both[asked[0].seat]
        if turns and len(spells) >= turns:
            await player.resign()
            return
        choose = WEAKEST if len(spells) <= LEAST else STRONGEST
        goes_on = await player.decide(choose, chance, partial(one.is_there, match, 1 << player.seat))
        if len(spells) % 10 == 0:
            say(f"{len(spells)} turns …")


async def found(one: Weeks, both: list[Player], match: UUID) -> Report:
    """Count, when nothing is left to be told, and look at the record and the ratings."""
    await one.level()
    await one.later(timedelta(microseconds=LATEST))
    await one.told("ended", len(both))
    entries = await one.server.log.read_everything(match)
    counted = tally(spells_of(entries), one.desk.deliveries)
    report = verify.verify(record.record(entries, Audience.UMPIRE))
    results = [await player.ask("GET", f"/api/people/{player.handle}/results") for player in both]
    return Report(
        MIDWAY.name,
        match,
        counted.turns,
        counted.mails,
        counted.pushes,
        counted.webhooks,
        counted.late,
        counted.doubled,
        counted.lost,
        moved(*results),
        report.good,
    )


def moved(mine: Said, theirs: Said) -> bool:
    """Whether the one match of two persons has moved the ratings of both as its result says."""
    pair = [of["matches"] for of in (mine, theirs)]
    if any(len(matches) != 1 or matches[0]["before"] is None for matches in pair):
        return False
    for (match,) in pair:
        change = match["after"] - match["before"]
        if {1: change <= 0, 0: change >= 0}.get(match["score"], False):
            return False
    return bool(pair[0][0]["score"] + pair[1][0]["score"] == 1) and all(
        of["ratings"] for of in (mine, theirs)
    )
