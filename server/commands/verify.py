"""`fleetfold verify`: whether a match happened as its record says."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final
from uuid import UUID

import click

from projections.linking import Check
from projections.verify import Report, checks, file_checks
from server.commands.reach import file_or_match, reach, verifier
from server.commands.running import Progress, log_lines, read_settings, run
from server.proof.notes import Verifier
from server.settings import Settings

MARKS: Final = {
    "holds": ("holds", "cyan"),
    "fails": ("FAILS", "magenta"),
    "differs": ("differs", "yellow"),
    "unchecked": ("not checked", "yellow"),
}


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@click.option("--key", help="The public key of whoever signs the checkpoints, or the file it is in.")
def command(match: str, key: str | None) -> None:
    """Check that a match happened as its record says.

    MATCH is the id of a match in the log; FILE is one that `fleetfold export` wrote, and needs no database.
    Checked are the chain of hashes, the commitments to hidden facts, the nonces, every die, who could resign,
    agree, take back or run out of time where it says so, every decision under today's rules, and the signed
    checkpoint. Every check says what holds or why it could not be made; what could not be is not held against
    the record. Ends with 1, and names the first bad fact, if anything is wrong.

    \b
    fleetfold verify game.ndjson
    fleetfold verify 01995f3c-…
    """  # noqa: D301 click wants the character, not the backslash
    log_lines("error")
    settings = read_settings()
    found = file_or_match(match)
    public = verifier(key, settings)
    report = Report([])

    def say(steps: Iterator[Check]) -> None:
        for check in steps:
            report.checks.append(check)
            show(check)

    if isinstance(found, Path):
        with found.open("rb") as file:
            say(file_checks(file, None, public, tell=Progress().facts))
    else:
        run(_verify(settings, found, public, say))
    verdict(report)
    sys.exit(0 if report.good else 1)


async def _verify(
    settings: Settings, match: UUID, public: Verifier | None, say: Callable[[Iterator[Check]], None]
) -> None:
    """Check a match as it is read from the log."""
    async with reach(settings) as at:
        record = await at.record(match)
        key = await at.key(match, record.last, needed=False)
        await asyncio.to_thread(say, checks(record, key, public, tell=Progress().facts))


def show(check: Check) -> None:
    """Print one check."""
    mark, color = MARKS[check.result]
    click.echo(f"{check.name:<11}{click.style(f'{mark:<12}', fg=color)}{check.text}")


def verdict(report: Report) -> None:
    """Print the last line."""
    if report.good:
        today = (
            f" Otherwise by today's rules, and not judged: {report.differences}."
            if report.differences
            else ""
        )
        click.echo(f"Nothing that could be checked is wrong.{today}")
    elif report.first_bad is None:
        click.echo("Not as it should be: the header, or the checkpoint in it.")
    else:
        click.echo(f"Not as it should be. The first bad fact is {report.first_bad}.")
