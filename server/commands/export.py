"""`fleetfold export`: a match as one file."""

import sys
from pathlib import Path
from uuid import UUID

import click
from msgspec.structs import replace

from domain.kernel.audience import Audience
from projections.history import BY_NAME
from projections.record import Record, record, write
from server.commands.audience import audience_option, reader_name
from server.commands.reach import reach
from server.commands.running import log_lines, read_settings, run
from server.proof import keys
from server.settings import Settings


@click.command()
@click.argument("match", type=click.UUID)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write.")
@audience_option
def command(match: UUID, output: Path | None, audience: str) -> None:
    """Write a match into one file, to keep, to give away, to verify or to import elsewhere.

    The file is text: a header, then a line a fact. Facts that the audience may not see are sealed: the chain
    can be checked all the same. Without -o it goes to standard output. Exports are noted in the audit log.

    \b
    fleetfold export 01995f3c-… -o game.ndjson
    """  # noqa: D301 click wants the character, not the backslash
    log_lines("error")
    made = run(_make(read_settings(), match, audience))
    if output is None:
        pour(write(made))
        return
    output.write_bytes(write(made))
    click.echo(f"{len(made.entries)} facts written to {output}", err=True)


def pour(text: bytes) -> None:
    """Write all of it to standard output.

    Where PYTHONUNBUFFERED is set, as in most images, one write to a pipe may take a part only and says so.
    """
    out = sys.stdout.buffer
    rest = memoryview(text)
    while rest:
        rest = rest[out.write(rest) :]
    out.flush()


async def _make(settings: Settings, match: UUID, audience: str) -> Record:
    async with reach(settings) as at:
        whole = await at.record(match)
        entries = await at.entries(match)
        ended = entries[-1].final
        name = reader_name(audience, ended=ended)
        await at.note("export", match, audience=name, upto=entries[-1].seq)
        reader = BY_NAME[name]
        if reader is not Audience.UMPIRE:
            key = whole.key or await at.key(match, entries)
            assert key is not None
            return record(entries, reader, keys.salt_key(key), proof=whole.header.checkpoint)
        if ended:
            return whole
        click.echo("The match has not ended: this file holds what is hidden.", err=True)
        sealed_key = await at.log.sealed_key(match) or b""
        return Record(replace(whole.header, box=sealed_key.hex()), entries)
