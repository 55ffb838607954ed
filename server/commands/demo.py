"""`fleetfold demo`: a whole match with bots over real websockets, then everything about it checked."""

import asyncio
import contextlib
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import click
from msgspec import Struct, json
from msgspec.structs import replace

from clients import bots
from clients.client import Client, RequestRefused, create
from clients.links import Place
from clients.player import take_part
from domain.kernel.audience import VIEWERS, Audience, Viewer
from domain.kernel.facts import OWN_CHOICE, Decided
from domain.match.adjudicate import readjudicate
from domain.match.chain import Entry
from domain.match.game import Game
from domain.match.undo import standing
from domain.titles import TITLES
from projections import record, verify, views
from server.commands.running import log_lines, run
from server.proof import keys
from server.protocol import wire
from server.serving import Serving, serving
from server.settings import Settings

LAST = 30.0
"""Seconds within which onlookers must see the end after the players have."""


class DemoReport(Struct, frozen=True):
    """The last line of the demo."""

    title: str
    scenario: str
    match: UUID
    winner: str
    decisions: int
    facts: int
    onlookers: int
    views_equal: bool
    verified: bool
    readjudicated: bool
    differences: int
    played: float = 0.0
    """Seconds of the match, its server's start among them."""
    checked: float = 0.0
    """Seconds of replay, verifying and deciding again."""

    @property
    def good(self) -> bool:
        """Whether everything is as it should be."""
        return self.views_equal and self.verified and self.readjudicated and not self.differences

    def words(self) -> str:
        """Say how much was played, and how long all of it took."""
        return (
            f"{self.decisions:,} decisions and {self.facts:,} facts in {spent(self.played + self.checked)}: "
            f"played in {spent(self.played)}, checked in {spent(self.checked)}"
        )


def spent(seconds: float) -> str:
    """Return a time in words: `4.2 s`, `5 min 12 s`."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{seconds:.1f} s"


@click.command()
@click.option("--title", default="midway", show_default=True, help="Which game.")
@click.option("--scenario", default="", help="Which of its scenarios; the title's own default unless said.")
@click.option(
    "--seed", default=1, show_default=True, help="Seeds the bots' choices; the dice are never seeded."
)
@click.option(
    "--onlookers", default=3, show_default=True, type=click.IntRange(0, 60), help="How many look on."
)
@click.option(
    "--facts", default=0, type=click.IntRange(0), help="A bot resigns after so many; to the end unless said."
)
def command(title: str, scenario: str, seed: int, onlookers: int, facts: int) -> None:
    """Play a match with bots on a server of its own, then replay, verify and re-adjudicate it.

    The last two lines say how long it took and, as JSON, what was found. Ends with 1 if anything is not as it
    should be.
    """
    game, scenario = known(title, scenario)
    log_lines("error")
    report = run(demonstrate(game, scenario, seed, onlookers, facts))
    say(report.words())
    click.echo(json.encode(report))
    sys.exit(0 if report.good else 1)


def known(title: str, scenario: str) -> tuple[Game, str]:
    """Return the title and which of its scenarios is meant, its default for none; raises BadParameter."""
    game = TITLES.get(title)
    if game is None or (scenario and scenario not in game.scenarios):
        names = "; ".join(f"{g.name}: {', '.join(g.scenarios)}" for g in TITLES.values())
        raise click.BadParameter(f"there is {names}")
    return game, scenario or game.default_scenario


async def demonstrate(game: Game, scenario: str, seed: int, onlookers: int, facts: int = 0) -> DemoReport:
    """Play on a server with a data folder of its own and say what was found; see `play_out` for `facts`."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fleetfold-demo-", ignore_cleanup_errors=True) as folder:
        say("Starting a server with a database of its own …")
        async with serving(Settings(data=Path(folder), port=0)) as server:
            wish = wire.Create(wire.VERSION, uuid4(), game.name, scenario)
            created = await create(server.url, wish)
            say(f"Playing {game.title}, {scenario}, at {server.url}/match/{created.match} …")
            seen = await play_out(server, created, game, seed, onlookers, facts)
            entries, key = await server.matches.opening.everything(created.match)
            over = time.monotonic()
            found = check(game, scenario, entries, key, seen)
            return replace(found, played=over - began, checked=time.monotonic() - over)


async def play_out(
    server: Serving, created: wire.Created, game: Game, seed: int, onlookers: int, facts: int = 0
) -> list[tuple[Viewer, dict[str, Any]]]:
    """Let bots play every seat while others look on; return what each of them saw last, and as whom.

    After so many `facts` the first seat resigns; 0 lets the match come to its end.
    """
    folder = server.settings.data / "nonces"
    seats = [link for link in created.links if link.role == "seat"]
    strength = list(bots.strengths(game.name).values())[-1]
    seen: list[tuple[Viewer, dict[str, Any]]] = []

    async def look_on() -> None:
        async with Client(Place(server.url, created.match)) as client:
            async with asyncio.timeout(None) as patience:
                await client.wait(lambda: client.over)
                patience.reschedule(asyncio.get_running_loop().time() + LAST)
                await client.wait(lambda: bool(client.match.get("key")))
            seen.append((Audience.ONLOOKERS, client.view))

    async def take_seat(link: wire.Link) -> None:
        chance = None if link.seat is None else seed * 100 + link.seat
        async with (
            Client(Place(server.url, created.match, link.token), nonces=folder) as client,
            asyncio.TaskGroup() as both,
        ):
            both.create_task(take_part(client, strength, seed=chance))
            if facts and link is seats[0]:
                both.create_task(resign(client, facts))

    async with asyncio.TaskGroup() as group:
        for _ in range(onlookers):
            group.create_task(look_on())
        for link in seats:
            group.create_task(take_seat(link))
    for link in seats:
        async with Client(Place(server.url, created.match, link.token), nonces=folder) as client:
            await client.wait(lambda client=client: bool(client.match.get("key")))  # type: ignore[misc]
            side = None if link.seat is None else client.match["seats"][link.seat]["side"]
            seen.append((Audience.of(side), client.view))
    return seen


async def resign(client: Client, facts: int) -> None:
    """Resign when a match has so many facts, unless it is over by then."""
    await client.wait(lambda: client.over or client.upto >= facts)
    with contextlib.suppress(RequestRefused):  # it has ended
        await client.send(wire.Resign(client.place.match, uuid4()))


def check(
    game: Game, scenario: str, entries: list[Entry], key: bytes, seen: list[tuple[Viewer, dict[str, Any]]]
) -> DemoReport:
    """Replay, verify and re-adjudicate; compare what was seen with the log."""
    say(f"Replaying {len(entries)} facts …")
    k_salt = keys.salt_key(key)
    found = {
        audience: told(views.folded(views.steps(game, entries, audience, k_salt))) for audience in VIEWERS
    }
    equal = all(told(view) == found[audience] for audience, view in seen)
    say("Verifying …")
    report = verify.verify(record.record(entries, Audience.UMPIRE))
    say("Deciding everything again …")
    facts = [(entry.seq, game.fact(entry.body)) for entry in entries]
    differences = list(readjudicate(game, facts))
    match = found[Audience.ONLOOKERS]["match"]
    winner = game.sides[match["winner"]] if "winner" in match else "draw"
    decided = [fact for _, fact in standing(facts) if isinstance(fact, Decided)]
    return DemoReport(
        game.name,
        scenario,
        entries[0].match,
        winner,
        sum(fact.how in OWN_CHOICE for fact in decided),
        len(entries),
        sum(audience is Audience.ONLOOKERS for audience, _ in seen),
        equal,
        report.good,
        bool(match.get("over")) and bool(decided),
        len(differences),
    )


def told(view: Any) -> Any:
    """Return a view as it goes over the wire, where a tuple is a list."""
    return json.decode(json.encode(view))


def say(text: str) -> None:
    """Show what is being done."""
    click.echo(text)
