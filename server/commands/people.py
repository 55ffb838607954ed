"""`fleetfold people`: for the operator, who looks at persons and reports, mutes, bans, erases, exports one.

It works on the database itself. Nodes that run follow within 15 seconds. All of it is noted in the audit log,
by the person's id, which says nothing any more once he is erased.
"""

import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import click
from asyncpg import InsufficientPrivilegeError
from msgspec import json

from domain.match.refusals import RequestError
from server.commands.reach import note, owner
from server.commands.running import log_lines, read_settings, run
from server.people import erasing, operating, reported
from server.people.mailboxes import Mailboxes
from server.people.operating import Looked, Mark
from server.people.reported import Reported
from server.postgres.database import Connection, Unfit, alone
from server.proof import keys
from server.settings import Settings

json_option = click.option("--json", "plain", is_flag=True, help="Print JSON.")


@click.group()
def command() -> None:
    """Look at persons, mute, ban or erase one, hand out what is kept of one.

    For the operator, on the database itself, and noted in the audit log. Servers that run follow within 15
    seconds.
    """
    log_lines("error")


@command.command("list")
@click.option("--words", default="", help="Only those with this in handle or name.")
@click.option("--muted", "mark", flag_value="muted", help="Only those who are muted.")
@click.option("--banned", "mark", flag_value="banned", help="Only those who are banned.")
@json_option
def list_(words: str, mark: Mark | None, plain: bool) -> None:
    """List persons and bots, who was seen last first: at most 1,000."""
    found = run(_list(read_settings(), words, mark))
    if plain:
        click.echo(json.encode(found))
        return
    for one in found:
        signs = ", ".join(filter(None, (one.owner and f"bot of {one.owner}", *_marks(one))))
        click.echo(f"{one.handle:20} seen {_day(one.seen)}  {one.name}  {signs}".rstrip())


@command.command()
@click.argument("handle")
@json_option
def show(handle: str, plain: bool) -> None:
    """Show what is known of a person or bot, but for mail addresses and what he reads and writes."""
    one = run(_show(read_settings(), handle))
    if plain:
        click.echo(json.encode(one))
        return
    click.echo(f"{one.handle}  {one.name}".rstrip())
    for line in filter(None, (one.owner and f"bot of {one.owner}", *_marks(one), one.about)):
        click.echo(f"  {line}")
    click.echo(f"  since {_day(one.since)}, seen {_day(one.seen)}")
    click.echo(f"  passkeys {one.passkeys}, sessions {one.sessions}, bots {one.bots}, seats {one.seats}")


@command.command()
@click.argument("handle")
def mute(handle: str) -> None:
    """Let a person, and his bots, write nothing to others any more: in chat, on offers, of himself.

    What he wrote before stays: hide it by match.
    """
    run(_mark(read_settings(), handle, "muted", on=True))
    click.echo("Muted.")


@command.command()
@click.argument("handle")
def unmute(handle: str) -> None:
    """Let a person write again."""
    run(_mark(read_settings(), handle, "muted", on=False))
    click.echo("Not muted any more.")


@command.command()
@click.argument("handle")
def ban(handle: str) -> None:
    """End a person's sessions, and let him in no more; his bots neither. Their offers are taken back.

    Links that he has go on: make them void, or hide what he wrote, by match. Tournaments that he directs and
    has not started are called off, for good.
    """
    run(_mark(read_settings(), handle, "banned", on=True))
    click.echo("Banned.")


@command.command()
@click.argument("handle")
def unban(handle: str) -> None:
    """Let a person in again."""
    run(_mark(read_settings(), handle, "banned", on=False))
    click.echo("Not banned any more.")


@command.command()
@click.argument("handle")
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(handle: str, yes: bool) -> None:
    """Erase a person with his bots, or one bot: for good, as he can himself.

    His matches, and their record, stay as they are; on them he is called "someone".
    """
    if not yes:
        click.confirm(f"Erase {handle} for good?", abort=True)
    run(_erase(read_settings(), handle))
    click.echo("Erased.")


@command.command()
@click.argument("handle")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
def export(handle: str, file: Path | None) -> None:
    """Write all that is kept of a person as JSON, to FILE or to the terminal, as he can himself."""
    kept = run(_export(read_settings(), handle))
    if file is None:
        click.echo(kept)
        return
    with file.open("xb") as new:
        file.chmod(0o600)
        new.write(kept)
    click.echo(f"Written to {file}.")


@command.command()
@click.option("--all", "every", is_flag=True, help="Also those that are dealt with.")
@click.option("--done", type=int, multiple=True, metavar="ID", help="Note that this one is dealt with.")
@json_option
def reports(every: bool, done: tuple[int, ...], plain: bool) -> None:
    """List the lines of chat that were reported and are not dealt with, or note that some are."""
    if done:
        for number, was_open in zip(done, run(_done(read_settings(), done)), strict=True):
            click.echo(f"{number}: dealt with." if was_open else f"{number}: was dealt with before.")
        return
    found = run(_reports(read_settings(), every))
    if plain:
        click.echo(json.encode(found))
        return
    for one in found:
        state = "open" if one.done is None else f"dealt with {_day(one.done)}"
        click.echo(f"{one.id}  {_day(one.made)}  {state}  {one.by} about {_whose(one)}, match {one.match}")
        click.echo(f"  line: {one.text}" if one.text else "  line: gone, with who was erased")
        if one.word:
            click.echo(f"  why: {one.word}")


async def _reports(settings: Settings, every: bool) -> list[Reported]:
    async with _on(settings) as conn:
        await note(conn, "list reports", "")
        return list(await reported.listed(conn, every=every))


async def _done(settings: Settings, reports: tuple[int, ...]) -> list[bool]:
    async with _on(settings) as conn:
        found = []
        for number in reports:
            found.append(await reported.done(conn, number))
            await note(conn, "report dealt with", str(number))
        return found


async def _list(settings: Settings, words: str, mark: Mark | None) -> list[Looked]:
    async with _on(settings) as conn:
        await note(conn, "list persons", "")
        return list(await operating.listed(conn, words, mark or ""))


async def _show(settings: Settings, handle: str) -> Looked:
    async with _on(settings) as conn:
        one = await operating.looked_at(conn, handle)
        await note(conn, "show person", str(one.id))
        return one


async def _mark(settings: Settings, handle: str, what: Mark, *, on: bool) -> None:
    async with _on(settings) as conn:
        one = await operating.looked_at(conn, handle)
        await operating.mark(conn, one.id, what, on=on)
        await note(conn, f"{'' if on else 'not '}{what}", str(one.id))


async def _erase(settings: Settings, handle: str) -> None:
    async def once() -> None:
        async with _on(settings) as conn:
            one = await operating.looked_at(conn, handle)
            await erasing.erase(conn, one.id)
            await note(conn, "erase person", str(one.id))

    await erasing.through(once)


async def _export(settings: Settings, handle: str) -> bytes:
    folder = settings.data if settings.embedded else None
    ring = keys.find_ring(text=settings.keys, file=settings.keys_file, folder=folder)
    async with _on(settings) as conn:
        one = await operating.looked_at(conn, handle)
        await note(conn, "export person", str(one.id))
        return await erasing.kept(conn, one.id, Mailboxes(ring))


@contextlib.asynccontextmanager
async def _on(settings: Settings) -> AsyncIterator[Connection]:
    """Open a transaction as the owner of the schema; what is refused becomes a click error.

    No role of a node's may ban: who breaks into one takes nobody's ban back.
    """
    try:
        async with owner(settings) as dsn, alone(dsn) as conn, conn.transaction():
            yield conn
    except InsufficientPrivilegeError as why:
        raise Unfit(f"Persons are looked after with the login that owns the schema: {why}.") from None
    except RequestError as why:
        raise click.ClickException(why.reason) from None


def _whose(one: Reported) -> str:
    if one.seat is None:
        return "an onlooker"
    if one.about:
        return f"{one.about} (seat {one.seat})"
    return f"a guest called {one.name} (seat {one.seat})" if one.name else f"a guest (seat {one.seat})"


def _marks(one: Looked) -> tuple[str, ...]:
    marks = {"muted": one.muted, "banned": one.banned}
    return tuple(f"{name} since {_day(since)}" for name, since in marks.items() if since is not None)


def _day(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1e6, UTC).strftime("%Y-%m-%d")
