"""`fleetfold export`: a match as one file."""

import contextlib
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from uuid import UUID

import click

from domain.kernel.audience import Audience
from projections.history import BY_NAME
from projections.record import header_of, stream
from projections.record import key as record_key
from server.commands.audience import audience_option, reader_name
from server.commands.reach import reach
from server.commands.running import Progress, log_lines, read_settings, run
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
    if output is None:
        run(_export(read_settings(), match, audience, pour))
        return
    with contextlib.ExitStack() as stack:
        # Only when there is something to write: where nothing can be exported, a file that is there stays.
        opened = cache(lambda: stack.enter_context(output.open("wb")))
        head = run(_export(read_settings(), match, audience, lambda text: opened().write(text)))
    click.echo(f"{head} facts written to {output}", err=True)


def pour(text: bytes) -> None:
    """Write all of it to standard output.

    Where PYTHONUNBUFFERED is set, as in most images, one write to a pipe may take a part only and says so.
    """
    out = sys.stdout.buffer
    rest = memoryview(text)
    while rest:
        rest = rest[out.write(rest) :]
    out.flush()


async def _export(settings: Settings, match: UUID, audience: str, write: Callable[[bytes], object]) -> int:
    """Write the record of a match as it is read, and return the number of its facts."""
    async with reach(settings) as at:
        first, last = await at.ends(match)
        name = reader_name(audience, ended=last.final)
        await at.note("export", match, audience=name, upto=last.seq)
        reader, k_salt, box = BY_NAME[name], b"", b""
        if reader is not Audience.UMPIRE:
            key = record_key([last]) or await at.key(match, last)
            assert key is not None
            k_salt = keys.salt_key(key)
        elif not last.final:
            click.echo("The match has not ended: this file holds what is hidden.", err=True)
            box = await at.log.sealed_key(match) or b""
        header = header_of(first, last, proof=await at.proof(match), box=box)
        progress, lines = Progress(), -1
        async for text in stream(at.log, header, reader, k_salt):
            write(text)
            lines += text.count(b"\n")
            progress.say(f"{lines} of {header.head} facts")
        return header.head
