"""`fleetfold replay`: a match in words, step by step."""

import asyncio
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from uuid import UUID

import click

from domain.match.chain import Entry, Sealed
from domain.match.game import Game
from domain.titles import TITLES
from projections.history import BY_NAME, Passage, named, names, passages, seats, undone
from projections.report import NotEnded, lines, report
from projections.sources import RecordFile, RecordInLog
from server.commands.audience import audience_option, reader_name
from server.commands.reach import file_or_match, reach, record_file
from server.commands.running import log_lines, read_settings, run
from server.settings import Settings


@click.command()
@click.argument("match", metavar="MATCH|FILE")
@audience_option
@click.option("--to", type=click.IntRange(min=1), help="Go as far as this fact.")
@click.option(
    "--report", "reported", is_flag=True, help="Only how it ended: result, losses, what decided it."
)
@click.option("--pace", type=click.FloatRange(min=0), default=0.0, help="Seconds between two steps.")
def command(match: str, audience: str, to: int | None, reported: bool, pace: float) -> None:
    """Go through a match step by step, in words.

    MATCH is the id of a match in the log; FILE is one that `fleetfold export` wrote, and needs no database.
    Each step shows the number of its facts, the time, and who acted. What was taken back is marked.

    \b
    fleetfold replay game.ndjson --pace 1
    fleetfold replay 01995f3c-… --audience 0 --to 120
    fleetfold replay game.ndjson --report
    """  # noqa: D301 click wants the character, not the backslash
    log_lines("error")
    found = file_or_match(match)

    def tell(record: RecordFile | RecordInLog) -> None:
        name = reader_name(audience, ended=_ended(record.last))
        game = TITLES.get(record.header.title)
        if game is None:
            raise click.ClickException(f"There is no title {record.header.title} here.")
        try:
            if reported:
                _report(game, record, to)
            else:
                _replay(game, record, name, to, pace)
        except ValueError as fault:
            raise click.ClickException(
                f"These are not facts of {game.title}: {fault}. See `fleetfold verify`."
            ) from None

    if isinstance(found, Path):
        with record_file(found) as record:
            tell(record)
    else:
        run(_read(read_settings(), found, audience, tell))


def _replay(game: Game, record: RecordFile | RecordInLog, name: str, to: int | None, pace: float) -> None:
    """Print a match step by step. Raises ValueError for facts that the title lacks."""
    undos = undone(game, _facts(record, to))
    known = names(game, seats(_first(record), game))
    click.echo(f"{game.title}, {_scenario(game, record.header.scenario)} ({name})")
    for passage in passages(game, _facts(record, to), BY_NAME[name], undos):
        show(passage, known)
        time.sleep(pace)


def _report(game: Game, record: RecordFile | RecordInLog, to: int | None) -> None:
    """Print how a match ended; only what has ended, with all its facts, can be told so."""
    undos = undone(game, _facts(record, to))
    try:
        told = report(game, map(_open, _facts(record, to)), undos)
    except NotEnded as why:
        raise click.ClickException(f"There is no report: {why}.") from None
    click.echo(f"{game.title}, {_scenario(game, told.scenario)}")
    for line in lines(game, told, names(game, seats(_first(record), game))):
        click.echo(line)


def _facts(record: RecordFile | RecordInLog, to: int | None) -> Iterator[Entry | Sealed]:
    """Yield the facts of a record, as far as fact `to`."""
    facts = (entry for entry, _ in record.lines())
    return facts if to is None else takewhile(lambda entry: entry.seq <= to, facts)


def _first(record: RecordFile | RecordInLog) -> list[Entry | Sealed]:
    return [record.first] if record.first else []


def _open(entry: Entry | Sealed) -> Entry:
    if isinstance(entry, Sealed):
        raise click.ClickException("There is no report: facts of this record are sealed.")
    return entry


def _scenario(game: Game, scenario: str) -> str:
    """Return the name of a scenario; its id where a record names one that the title has dropped."""
    return game.names.get(f"scenario:{scenario}", scenario)


async def _read(settings: Settings, match: UUID, audience: str, tell: Callable[[RecordInLog], None]) -> None:
    """Tell of a match in the log, in a thread, since the event loop reads it."""
    async with reach(settings) as at:
        record = await at.record(match)
        if audience in {"0", "1", "all"} and not _ended(record.last):
            await at.note("replay", match, audience=audience, upto=record.header.head)
            click.echo("The match has not ended: this shows what is hidden, and was noted.", err=True)
        await asyncio.to_thread(tell, record)


def _ended(last: Entry | Sealed | None) -> bool:
    return isinstance(last, Entry) and last.final


def show(passage: Passage, known: dict[str, str]) -> None:
    """Print one step."""
    span = (
        f"{passage.after + 1}" if passage.upto == passage.after + 1 else f"{passage.after + 1}-{passage.upto}"
    )
    parts = [span]
    if passage.at is not None:
        parts.append(f"{datetime.fromtimestamp(passage.at / 1e6, UTC):%Y-%m-%d %H:%M:%S}")
    if passage.seat is not None:
        parts.append(known.get(f"seat:{passage.seat}", f"seat {passage.seat}"))
    click.echo(click.style("\n" + "  ".join(parts), bold=True))
    for sentence in passage.sentences:
        text = named(sentence.words, known)
        click.echo(click.style(f"  {text}  (taken back)", dim=True) if sentence.taken_back else f"  {text}")
    if passage.hidden:
        click.echo(click.style(f"  ({passage.hidden} hidden)", dim=True))
