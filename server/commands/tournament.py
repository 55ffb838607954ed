"""`fleetfold tournament`: for the operator, who looks at tournaments, exports or ends one, or hides words.

It works on the database itself, and is noted in the audit log. Deliberately absent: all other rulings, which
are its director's.
"""

import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import click
from msgspec import json

from domain.match.refusals import RequestError
from server.commands.reach import note, owner
from server.commands.running import log_lines, read_settings, run
from server.lobby.fitting import fit
from server.postgres.database import Connection, alone
from server.protocol.tournaments import Tournament, Tournaments
from server.settings import Settings
from server.tournaments import directing, reading
from server.tournaments.course import locked
from server.tournaments.directing import REASON

_EVER = datetime(9999, 1, 1, tzinfo=UTC)

_HIDE = (
    "UPDATE people.tournament SET name = 'A tournament', about = '' WHERE id = $1",
    "UPDATE people.ruling SET reason = '' WHERE tournament = $1",
    """
    UPDATE lobby.match m SET label = '' FROM people.pairing q
     WHERE q.tournament = $1 AND m.match_id = q.match_id
    """,
)

json_option = click.option("--json", "plain", is_flag=True, help="Print JSON.")


@click.group()
def command() -> None:
    """Look at tournaments, export one, call one off, or hide its words.

    For the operator, on the database itself, and noted in the audit log. Servers that run follow within 15
    seconds.
    """
    log_lines("error")


@command.command("list")
@json_option
def list_(plain: bool) -> None:
    """List those that are open or under way, and the latest that are over."""
    found = run(_list(read_settings()))
    if plain:
        click.echo(json.encode(found))
        return
    for one in found.tournaments:
        click.echo(f"{one.id}  {one.state:10}  {one.kind:11}  {one.title}, {one.entrants} in it: {one.name}")


@command.command()
@click.argument("tournament", type=click.UUID)
@json_option
def show(tournament: UUID, plain: bool) -> None:
    """Show a tournament: its table, and what was done and why."""
    one = run(_one(read_settings(), tournament, "show tournament"))
    if plain:
        click.echo(json.encode(one))
        return
    info = one.info
    click.echo(f"{info.name}: {info.kind} of {info.title}, {info.state}, directed by {info.director.name}")
    names = {entrant.number: entrant.player for entrant in one.entrants}
    for row in one.standings:
        who = names[row.entrant]
        click.echo(f"{row.place:4}. {who.handle or who.name:20} {row.points:4g} of {row.played}")
    for said in reversed(one.rulings):
        about = "".join(
            f" {name} {number}"
            for name, number in (("entrant", said.entrant), ("pairing", said.pairing))
            if number is not None
        )
        day = datetime.fromtimestamp(said.at / 1e6, UTC).strftime("%Y-%m-%d %H:%M")
        click.echo(f"{day}  {said.by or 'the server'}: {said.what}{about}  {said.reason}".rstrip())


@command.command()
@click.argument("tournament", type=click.UUID)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--csv", "table", is_flag=True, help="The pairings as a table, in place of all as JSON.")
def export(tournament: UUID, file: Path | None, table: bool) -> None:
    """Write a tournament to FILE or to the terminal, as everybody can read it."""
    one = run(_one(read_settings(), tournament, "export tournament"))
    kept = reading.as_csv(one) if table else json.format(json.encode(one), indent=2)
    if file is None:
        click.echo(kept)
        return
    with file.open("xb") as new:
        new.write(kept)
    click.echo(f"Written to {file}.")


@command.command("call-off")
@click.argument("tournament", type=click.UUID)
@click.option("--reason", required=True, help="Why: it is shown to all.")
def call_off(tournament: UUID, reason: str) -> None:
    """End a tournament that is open or under way, without a result.

    Matches of it that have begun are played on, and count for nothing here.
    """
    run(_call_off(read_settings(), tournament, reason))
    click.echo("Called off.")


@command.command()
@click.argument("tournament", type=click.UUID)
def hide(tournament: UUID) -> None:
    """Take what is written about a tournament out of sight for good.

    Its name, what it is about, the reasons of its rulings, and the labels of its matches are not kept.
    """
    run(_hide(read_settings(), tournament))
    click.echo("Hidden.")


async def _call_off(settings: Settings, tournament: UUID, reason: str) -> None:
    async with _on(settings) as conn:
        said = fit(reason.strip(), REASON, "a reason")
        await directing.call_off(conn, await locked(conn, tournament), None, said)
        await note(conn, "call off tournament", str(tournament))


async def _hide(settings: Settings, tournament: UUID) -> None:
    async with _on(settings) as conn:
        await locked(conn, tournament)
        for statement in _HIDE:
            await conn.execute(statement, tournament)
        await note(conn, "hide tournament", str(tournament))


async def _list(settings: Settings) -> Tournaments:
    async with _on(settings) as conn:
        await note(conn, "list tournaments", "")
        return await reading.listed(conn, _EVER)


async def _one(settings: Settings, tournament: UUID, action: str) -> Tournament:
    async with _on(settings) as conn:
        one = await reading.read(conn, tournament, book=True)
        await note(conn, action, str(tournament))
        return one


@contextlib.asynccontextmanager
async def _on(settings: Settings) -> AsyncIterator[Connection]:
    """Open a transaction; what is refused becomes a click error."""
    try:
        async with owner(settings) as dsn, alone(dsn) as conn, conn.transaction():
            yield conn
    except RequestError as why:
        raise click.ClickException(why.reason) from None
