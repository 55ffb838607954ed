"""`fleetfold watch`: a match in words, as it happens."""

import asyncio
import re
from collections.abc import Iterable
from datetime import UTC, datetime

import click

from clients import reading
from clients.client import Broken, Client, Heard, Lost, RequestRefused
from clients.links import BadLink, Place, default_url, place
from domain.match.telling import Told
from server.commands.running import run
from server.protocol import wire
from server.protocol.names import called

ID = re.compile(r"\[([^\[\]]+)\]")


@click.command()
@click.argument("match", metavar="LINK|MATCH", envvar="FLEETFOLD_LINK")
@click.option("--all", "whole", is_flag=True, help="Begin with the first fact, not with what happens next.")
@click.option(
    "--server", "url", default=default_url, help="Address of the server; FLEETFOLD_URL, or this machine's."
)
def command(match: str, whole: bool, url: str) -> None:
    """Follow a match in words until it ends. MATCH is its id, or a link to it.

    With the link of a seat you see what that seat sees. Watching decides nothing.
    """
    try:
        run(follow(place(match, url), whole=whole))
    except (BadLink, Broken, Lost, RequestRefused, reading.Unread) as fault:
        raise click.ClickException(str(fault)) from None


async def follow(at: Place, *, whole: bool) -> None:
    """Print what happens until the match has ended."""
    printer = MatchPrinter(at, whole=whole)
    async with Client(at, listen=printer.heard) as client:
        await client.wait(lambda: printer.ended)


class MatchPrinter:
    """Prints every fact once, in order, also those that came while nobody was listening."""

    def __init__(self, at: Place, *, whole: bool) -> None:
        self._at, self._whole = at, whole
        self._told = 0
        self.ended = False
        """Whether the last fact, which reveals the match key, has been printed."""
        self._names: dict[str, str] = {}

    async def heard(self, heard: Heard) -> None:
        """Print what a message tells."""
        client, message = heard.client, heard.message
        if isinstance(message, wire.Welcome) and not self._names:
            self._names = await asyncio.to_thread(reading.names, self._at.url, message.title)
        elif isinstance(message, wire.View):
            self._names |= seats(client)
            await self._catch_up(message.upto)
        elif isinstance(message, wire.Frame):
            self._print(message.facts)
        self.ended = bool(client.match.get("key"))

    async def _catch_up(self, upto: int) -> None:
        """Print what came before a view, unless it is the first and the past is not wanted."""
        if self._told or self._whole:
            await asyncio.to_thread(self._print_past, upto)
        else:
            click.echo(f"({upto} facts so far; --all shows them)")
            self._told = upto

    def _print_past(self, upto: int) -> None:
        """Print what has not been told up to a fact, passage by passage as it is read."""
        for frame in reading.steps(self._at, self._told):
            self._print(fact for fact in frame.facts if fact.seq <= upto)
            if frame.upto >= upto:
                return

    def _print(self, facts: Iterable[Told]) -> None:
        for fact in facts:
            if fact.seq > self._told:
                self._told = fact.seq
                click.echo(f"{clock(fact.at)}  {spoken(fact.words, self._names)}")


def seats(client: Client) -> dict[str, str]:
    """Return what the seats of a match are called."""
    return {f"seat:{number}": seat["name"] for number, seat in enumerate(client.match["seats"])}


def spoken(words: str, names: dict[str, str]) -> str:
    """Return a sentence with every id in it replaced by its name."""
    return ID.sub(lambda found: called(names, found[1]) or found[1], words)


def clock(at: int) -> str:
    """Return the local time of day of a moment, given in microseconds since the epoch."""
    return datetime.fromtimestamp(at / 1e6, UTC).astimezone().strftime("%H:%M:%S")
