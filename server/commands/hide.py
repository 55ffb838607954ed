"""`fleetfold match hide`: for the operator, who takes a label or a player's name out of sight."""

from uuid import UUID

import click

from server.commands.reach import reach
from server.commands.running import log_lines, read_settings, run
from server.postgres.database import connection
from server.settings import Settings


@click.command()
@click.argument("match", type=click.UUID)
@click.option("--label", is_flag=True, help="Hide the match's label.")
@click.option(
    "--seat",
    "seats",
    type=click.IntRange(0, 6),
    multiple=True,
    help="Hide the name of a seat's player.",
)
@click.option("--unhide", is_flag=True, help="Show it again.")
def command(match: UUID, label: bool, seats: tuple[int, ...], unhide: bool) -> None:
    """Hide the label of a match, or what a player calls himself, from everybody.

    For the operator, on the database itself, and noted in the audit log. What is hidden is shown as if
    nothing had been written; the match goes on, and its log, which holds no names, is as it was.

    \b
    fleetfold match hide 01995f3c-… --label --seat 1
    """  # noqa: D301 click wants the character, not the backslash
    if not label and not seats:
        raise click.UsageError("Say what to hide: --label, --seat, or both.")
    log_lines("error")
    run(hide(read_settings(), match, seats, label=label, hidden=not unhide))
    click.echo("Shown again." if unhide else "Hidden.")


async def hide(settings: Settings, match: UUID, seats: tuple[int, ...], *, label: bool, hidden: bool) -> None:
    """Hide or show the label and names of a match, and note it; a click error if one of them is not there."""
    async with reach(settings) as at:
        async with connection(at.database.append) as conn, conn.transaction():
            found = await conn.fetchval("SELECT true FROM lobby.match WHERE match_id = $1", match)
            if not found:
                raise click.ClickException(f"There is no match {match}.")
            if label:
                await conn.execute("UPDATE lobby.match SET hidden = $2 WHERE match_id = $1", match, hidden)
            for seat in seats:
                query = "UPDATE lobby.seat SET hidden = $3 WHERE match_id = $1 AND seat = $2"
                if await conn.execute(query, match, seat, hidden) == "UPDATE 0":
                    raise click.ClickException(f"Nobody sits on seat {seat} of match {match}.")
        await at.note("hide" if hidden else "unhide", match, label=label, seats=seats)
