"""`fleetfold import`: a match from its file into the log."""

from pathlib import Path
from uuid import UUID

import click

from domain.match.chain import Entry
from projections.importing import AlreadyThere, NoImport, bring_in
from projections.record import key as revealed
from projections.sources import RecordFile
from projections.verify import checks
from server.commands.reach import OpenLog, reach, record_file, verifier
from server.commands.running import Progress, log_lines, read_settings, run
from server.commands.verify import show
from server.lobby.offers import enter_imported
from server.postgres.database import connection
from server.proof import keys
from server.proof.keys import KeyFault, Unsealable
from server.settings import Settings


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--key", help="The public key of whoever signs the checkpoints, or the file it is in.")
@click.option("--unlisted", is_flag=True, help="Keep it off the server's list of matches.")
def command(file: Path, key: str | None, *, unlisted: bool) -> None:
    """Read a match from its file into the log.

    The file must hold all facts of the match, as `fleetfold export` writes them when it has ended. It is
    verified first; then every fact is stored as it was, with the same id, times and hashes, and read again.
    A match that is there already is left alone. An import that was cut short goes on where it stopped.

    A match that has ended is listed among those that have, for everybody to replay and verify, unless you
    say --unlisted: then only commands find it. One that has not ended is not listed: nobody has a link to it.
    """
    log_lines("error")
    settings = read_settings()
    try:
        with record_file(file) as record:
            listed = run(_import(settings, record, key, unlisted=unlisted))
    except NoImport as why:
        raise click.ClickException(str(why)) from None
    click.echo(f"Match {record.header.match} is in the log, with {record.header.head} facts.")
    if listed:
        click.echo("It is listed among the matches that have ended.")


async def _import(settings: Settings, record: RecordFile, public: str | None, *, unlisted: bool) -> bool:
    """Import a record; whether its match was newly listed. Raises NoImport, BadRecord."""
    progress = Progress()
    async with reach(settings, create=True) as at:
        key = _key(at, record)
        wrong = [
            check
            for check in checks(record, key, verifier(public, settings), tell=progress.facts)
            if check.result == "fails"
        ]
        for check in wrong:
            show(check)
        if wrong:
            raise NoImport("The file does not verify. Nothing was written.")
        await at.note("import", UUID(record.header.match), upto=record.header.head)
        try:
            async for seq in bring_in(at.log, record, keys.salt_key(key)):
                progress.say(f"{seq} of {record.header.head} facts")
        except AlreadyThere:
            if unlisted or not await _list(at, record):
                raise
            return True
        return not unlisted and await _list(at, record)


async def _list(at: OpenLog, record: RecordFile) -> bool:
    """List an ended match; whether it was newly listed."""
    first, last = record.first, record.last
    if not isinstance(first, Entry) or not isinstance(last, Entry) or not last.final:
        return False
    async with connection(at.database.append) as conn:
        return await enter_imported(conn, first, last)


def _key(at: OpenLog, record: RecordFile) -> bytes:
    """Return the match key: from the last fact, or, for a match that has not ended, the sealed key opened."""
    found = revealed([record.last] if record.last else [])
    if found is not None:
        return found
    if not record.header.box:
        raise NoImport("The match has not ended, and the file does not hold its sealed key.")
    try:
        return at.ring().open(UUID(record.header.match), bytes.fromhex(record.header.box))
    except (KeyFault, Unsealable) as fault:
        raise NoImport(f"The match has not ended, and its key cannot be opened here: {fault}.") from None
