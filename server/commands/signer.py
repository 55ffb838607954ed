"""`fleetfold signer`: the key that checkpoints are signed with."""

import click

from server.commands.running import read_settings
from server.proof.keys import KeyFault
from server.proof.notes import new_signer


@click.group()
def command() -> None:
    """Make the key that checkpoints are signed with."""


@command.command()
@click.option("--name", default="", help="What it signs as, such as fleet.example/log. [default: by its key]")
def new(name: str) -> None:
    """Make a key to sign checkpoints with, and print the public key that they are checked with.

    It is written to `signer` in FLEETFOLD_DATA, for its owner alone to read, and used from the next start of
    this node on. A server with its own database makes one by itself. Of several nodes one signs; another that
    has the same file takes its place when it is gone. Publish what is printed where whoever runs the database
    cannot change it: with it everybody can check that no match that has ended was changed later.
    """
    path = read_settings().data / "signer"
    try:
        signer = new_signer(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        signer.write(path)
    except FileExistsError:
        raise click.ClickException(
            f"{path} is there already, and stays: what it has signed is checked with its public key."
        ) from None
    except (KeyFault, OSError) as why:
        raise click.ClickException(str(why)) from None
    click.echo(signer.public)
    click.echo(f"The key is in {path}. Keep a copy, and start the server again.", err=True)
