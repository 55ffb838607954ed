"""`fleetfold bot`: let a bot play a seat, from anywhere."""

from collections.abc import Mapping
from pathlib import Path

import click

from clients import bots
from clients.client import Broken, Client, Lost, NoSeat, RequestRefused
from clients.links import BadLink, Place, place, state_folder
from clients.player import Outcome, take_part
from server.commands.running import run


@click.command()
@click.argument("link", envvar="FLEETFOLD_LINK")
@click.option(
    "--token",
    envvar="FLEETFOLD_BOT_TOKEN",
    default="",
    help="The token of a bot that somebody has registered at /you; the seat is then that bot's.",
)
@click.option("--strength", help="Which bot; the best one for the title unless told.")
@click.option("--seed", type=int, help="Seeds the bot's choices; the dice are never seeded.")
@click.option("--name", default="", help="What the bot is called at the table.")
@click.option("--think", default=0.0, show_default=True, help="Seconds that it takes for a decision.")
@click.option(
    "--nonces",
    type=click.Path(file_okay=False, path_type=Path),
    default=state_folder,
    help="Folder where the seat's nonce is kept, so that the bot can be stopped and started again.",
)
def command(
    link: str, token: str, strength: str | None, seed: int | None, name: str, think: float, nonces: Path
) -> None:
    """Let a bot play the seat that LINK opens, until the match is over.

    Stopped and started again it goes on where it was. LINK can be given in FLEETFOLD_LINK, and a token in
    FLEETFOLD_BOT_TOKEN, where other users of this machine do not see them. With a token a seat that is the
    bot's already needs no more than the address of the match.
    """
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        outcome = run(_play(place(link), strength, headers, name=name, seed=seed, think=think, nonces=nonces))
    except (BadLink, Broken, Lost, NoSeat, RequestRefused) as fault:
        raise click.ClickException(str(fault)) from None
    _say(outcome)


async def _play(
    at: Place,
    strength: str | None,
    headers: Mapping[str, str],
    *,
    name: str,
    seed: int | None,
    think: float,
    nonces: Path,
) -> Outcome:
    async with Client(at, nonces=nonces, headers=headers) as client:
        assert client.welcome is not None
        title = client.welcome.title
        known = bots.strengths(title)
        chosen = strength or list(known)[-1]
        if chosen not in known:
            raise click.BadParameter(
                f"no bot plays {title} at strength {chosen}; there is {', '.join(known)}"
            )
        return await take_part(client, known[chosen], name=name or f"{chosen} bot", seed=seed, think=think)


def _say(outcome: Outcome) -> None:
    won = "drawn" if outcome.winner is None else "won" if outcome.winner == outcome.side else "lost"
    click.echo(f"{won}: {outcome.reason}. {outcome.decisions} decisions, {outcome.upto} facts.")
    click.echo(f"Last receipt: fact {outcome.upto}, hash {outcome.h}")
