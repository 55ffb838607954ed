"""`fleetfold rebuild`: projections made anew from the log."""

from typing import Any

import click

from projections.every import PROJECTIONS
from projections.generations import Rebuilding, rebuild
from projections.projection import Projection, UnprojectableFact
from server.commands.reach import reach
from server.commands.running import Progress, log_lines, read_settings, run
from server.settings import Settings

NAMES = [projection.name for projection in PROJECTIONS]


@click.command()
@click.argument("name", type=click.Choice(NAMES), required=False, metavar=f"[{'|'.join(NAMES)}]")
def command(name: str | None) -> None:
    """Build projections anew from the log: all, or the one named.

    A projection is what is kept about matches to be looked up quickly: standings, counts of dice, the
    positions from which long matches are opened, the chapters and stories of campaigns, ratings, and what
    the dice of each seat came to. It follows from the log and may be made again at any time.
    The server may run meanwhile; the old one serves until the new one is complete.
    """
    log_lines("error")
    chosen = [projection for projection in PROJECTIONS if name in (None, projection.name)]
    try:
        run(_rebuild(read_settings(), chosen))
    except (UnprojectableFact, Rebuilding) as why:
        raise click.ClickException(f"{why}.") from None


async def _rebuild(settings: Settings, chosen: list[Projection[Any]]) -> None:
    async with reach(settings) as at:
        for projection in chosen:
            count = _Count(projection.name)
            await rebuild(at.database.projector, projection, count.say)
            click.echo(f"{projection.name}: {count.facts} facts")


class _Count:
    """Says how far a rebuild has come."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.facts = 0
        self._progress = Progress()

    def say(self, facts: int) -> None:
        self.facts = facts
        self._progress.say(f"{self.name}: {facts} facts so far")
