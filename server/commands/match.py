"""`fleetfold match`: offer a match, list matches, show one, all on a server that runs; hide a name."""

import re
from typing import Any, get_args
from uuid import uuid4

import click
from msgspec import json

from clients import reading
from clients.client import Broken, Client, Lost, RequestRefused, create
from clients.links import BadLink, Place, default_url, place
from domain.kernel.seats import Clock
from domain.match.notices import CALLED_OFF
from server.commands import hide
from server.commands.running import run
from server.protocol import wire
from server.protocol.listing import MatchState, SeatInfo
from server.protocol.responses import MatchDetails, TitleInfo

FAULTS = (BadLink, Broken, Lost, RequestRefused, reading.Unread)

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
TIME = re.compile(r"(\d+)([smhd]?)")
WORDS = ("nights", "weekends", "by_claim")
"""What may be said of a clock beside its times; each is a field of the protocol's."""

server_option = click.option(
    "--server", "url", default=default_url, help="Address of the server; FLEETFOLD_URL, or this machine's."
)
json_option = click.option("--json", "plain", is_flag=True, help="Print JSON.")


@click.group()
def command() -> None:
    """Offer a match, list matches, show one, hide a name."""


command.add_command(hide.command, "hide")


@command.command()
@click.argument("title", required=False)
@click.argument("scenario", required=False)
@click.option("--option", "options", multiple=True, metavar="NAME[=NUMBER]", help="A rule to play with.")
@click.option(
    "--clock",
    metavar="BANK[+INCREMENT][/CAP][,WORD]...",
    help="Thinking time, such as 20m+30s, or 7d/18d,turn=2d,nights,weekends,by_claim.",
)
@click.option("--bot", "bots", multiple=True, metavar="SEAT=STRENGTH", help="Let the server play a seat.")
@click.option("--private", is_flag=True, help="Only those with a link can watch.")
@click.option("--label", default="", help="A line that tells this match from others.")
@click.option("--pace", type=click.Choice(wire.PACES[1:]), help="How fast you mean to play.")
@click.option("--by-turns", is_flag=True, help="You play when you have time, over days.")
@server_option
@json_option
def new(
    title: str | None,
    scenario: str | None,
    options: tuple[str, ...],
    clock: str | None,
    bots: tuple[str, ...],
    private: bool,
    label: str,
    pace: str | None,
    by_turns: bool,
    url: str,
    plain: bool,
) -> None:
    """Offer a match of TITLE (the server's first unless told), set up as SCENARIO, and print its links.

    Unless told, SCENARIO is the title's default. Give each player the link of a seat. Whoever has the link
    has the seat.
    """
    try:
        chosen = _chosen(url, title)
        wish = wire.Create(
            wire.VERSION,
            uuid4(),
            chosen.name,
            scenario or chosen.default_scenario,
            dict(map(_option, options)),
            _clock(clock),
            private,
            label,
            pace or "",
            dict(map(_bot, bots)),
            by_turns,
        )
        created, seats = run(_offer(url, wish))
    except FAULTS as fault:
        raise click.ClickException(str(fault)) from None
    if plain:
        click.echo(json.encode(created))
        return
    click.echo(f"{chosen.title}, {wish.scenario}: match {created.match}")
    for link in created.links:
        who = link.role if link.seat is None else f"{seats[link.seat]['name']} (seat {link.seat})"
        click.echo(f"  {who:24} {url.rstrip('/')}{link.path}")


@command.command("list")
@click.option("--state", type=click.Choice(get_args(MatchState)), help="Only such matches.")
@server_option
@json_option
def list_(state: MatchState | None, url: str, plain: bool) -> None:
    """List the matches that everybody may watch, the latest first."""
    try:
        found = reading.matches(url, state)
    except FAULTS as fault:
        raise click.ClickException(str(fault)) from None
    if plain:
        click.echo(json.encode(found))
        return
    if not found:
        click.echo("There are no such matches. `fleetfold match new` offers one.")
    for one in found:
        players = " - ".join(_player(seat) for seat in one.seats)
        label = "(imported)" if one.imported else one.label
        click.echo(f"{one.match}  {one.state:8} {one.title}, {one.scenario}: {players}  {label}".rstrip())


@command.command()
@click.argument("match", metavar="LINK|MATCH")
@server_option
@json_option
def show(match: str, url: str, plain: bool) -> None:
    """Say how a match stands. MATCH is its id, or a link to it."""
    try:
        one = reading.match(place(match, url))
    except FAULTS as fault:
        raise click.ClickException(str(fault)) from None
    if plain:
        click.echo(json.encode(one))
        return
    click.echo(f"{one.title}, {one.scenario}, {one.state}  {one.label}".rstrip())
    for number, seat in enumerate(one.seats):
        asked = ", is asked" if number in one.asked else ""
        here = ", here" if seat.present else ""
        click.echo(f"  {seat.name} (seat {number}): {_player(seat)}{here}{asked}")
    rules = [name if value is True else f"{name}={value}" for name, value in one.options.items() if value]
    click.echo(f"  options: {', '.join(rules) or 'none'}; {one.facts} facts")
    if one.state == "ended":
        click.echo(f"  {_result(one)}: {one.reason}")


def _chosen(url: str, title: str | None) -> TitleInfo:
    """Return the title that was named, or the server's first."""
    known = reading.titles(url)
    for one in known:
        if title in {None, one.name}:
            return one
    names = ", ".join(one.name for one in known)
    raise click.BadParameter(f"there is no title {title}; there is {names}")


async def _offer(url: str, wish: wire.Create) -> tuple[wire.Created, list[dict[str, Any]]]:
    """Offer a match and look what its seats are called."""
    created = await create(url, wish)
    token = next(link.token for link in created.links if link.role == "onlooker")
    async with Client(Place(url.rstrip("/"), created.match, token)) as client:
        seats: list[dict[str, Any]] = client.match["seats"]
        return created, seats


def _option(text: str) -> tuple[str, bool | int]:
    name, separator, value = text.partition("=")
    if not separator:
        return name, True
    if value.lstrip("-").isdigit():
        return name, int(value)
    if value in {"true", "false"}:
        return name, value == "true"
    raise click.BadParameter(f"{text} is neither an option nor an option with a number")


def _bot(text: str) -> tuple[int, str]:
    seat, _, strength = text.partition("=")
    if not seat.isdigit() or not strength:
        raise click.BadParameter(f"{text} is not a seat and a strength, such as 1=steady")
    return int(seat), strength


def _clock(text: str | None) -> Clock | None:
    if text is None:
        return None
    times, *words = (part.strip() for part in text.split(","))
    given, _, cap = times.partition("/")
    bank, _, increment = given.partition("+")
    said: dict[str, Any] = {}
    for word in words:
        name, _, time = word.partition("=")
        if name in said:
            raise click.BadParameter(f"{name} is said twice of a clock")
        if name == "turn":
            said[name] = _seconds(time)
        elif word in WORDS:
            said[name] = True
        else:
            known = ", ".join(WORDS)
            raise click.BadParameter(f"{word!r} says nothing of a clock; known are turn=TIME, {known}")
    return Clock(_seconds(bank), _seconds(increment or "0"), _seconds(cap or "0"), **said)


def _seconds(text: str) -> int:
    found = TIME.fullmatch(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a time such as 90s, 20m, 2h or 7d")
    return int(found[1]) * SECONDS[found[2] or "s"]


def _player(seat: SeatInfo) -> str:
    if seat.taken is None:
        return "free"
    return seat.player or f"a {seat.taken}"


def _result(one: MatchDetails) -> str:
    if one.winner is None:
        return CALLED_OFF if one.reason == CALLED_OFF else "drawn"
    return " and ".join(seat.name for seat in one.seats if seat.side == one.winner) + " won"
