"""The command `fleetfold`: each subcommand is a module of `server.commands`, imported when it is run."""

import sys
from importlib import import_module

import click

COMMANDS = {
    "play": ("server.commands.play", "Start everything on this machine and say what to open."),
    "serve": ("server.commands.serve", "Run a server, as its operator has set it up."),
    "match": ("server.commands.match", "Offer a match, list matches, show one, hide a name."),
    "people": ("server.commands.people", "Look at persons, mute, ban or erase one."),
    "watch": ("server.commands.watch", "Follow a match in words."),
    "bot": ("server.commands.bot", "Let a bot play a seat."),
    "replay": ("server.commands.replay", "Go through a match step by step, in words."),
    "verify": ("server.commands.verify", "Check a match: chain, dice, commitments, rules."),
    "export": ("server.commands.export", "Write a match into one file."),
    "import": ("server.commands.import_", "Read a match from its file into the log."),
    "backup": ("server.commands.backup", "Write everything that is kept into one file."),
    "restore": ("server.commands.restore", "Put a backup back, into an empty database."),
    "signer": ("server.commands.signer", "Make the key that signs checkpoints."),
    "tournament": ("server.commands.tournament", "Look at tournaments, export one, call one off."),
    "rebuild": ("server.commands.rebuild", "Build projections anew from the log."),
    "demo": ("server.commands.demo", "Play a whole match with bots, then replay and verify it."),
    "bench": ("server.commands.bench", "Measure this machine, and us against it."),
}


class Commands(click.Group):
    """Commands that are imported only when they are run, so that each starts at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click's own signature
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="fleetfold")
def main() -> None:
    """Wargames of the Pacific war for two: played, watched, replayed and verified."""


if __name__ == "__main__":
    sys.exit(main(prog_name="fleetfold"))
