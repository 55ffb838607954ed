"""`fleetfold play`: everything on this machine, for somebody who wants to play now."""

import os
import sys
import threading
import webbrowser
from functools import partial
from shlex import quote

import click

from clients.links import DEFAULT_URL
from server.commands.running import log_lines, read_settings, run, serve_together, serve_until_stopped
from server.http.headers import by_name
from server.settings import MOST_PROCESSES, Settings, default_data


@click.command()
@click.option("--port", type=click.IntRange(1, 65535), help="The port; else 8000 or the next free one.")
@click.option(
    "--processes",
    type=click.IntRange(1, MOST_PROCESSES),
    help="How many serve on the port; else FLEETFOLD_PROCESSES, else one.",
)
@click.option("--verbose", is_flag=True, help="Show the server's log lines.")
@click.option(
    "--open/--no-open", "opens", default=True, help="Whether to open the page, where a screen is there."
)
def command(port: int | None, processes: int | None, *, verbose: bool, opens: bool) -> None:
    """Start the database and the server on this machine, and open the page. Ctrl-C ends both."""
    import msgspec  # noqa: PLC0415 needed for one line

    settings = read_settings()
    if port is not None:
        settings = msgspec.structs.replace(settings, port=port)
    level = settings.log_level if verbose else "warning"
    log_lines(level, sys.stderr)
    click.echo("Starting the database and the server …", err=True)
    count = processes or settings.processes or 1  # a second takes 100 MB, for which two who play have no use
    if count == 1:
        run(serve_until_stopped(settings, partial(ready, settings, opens)))
    else:
        run(serve_together(settings, count, level, partial(ready, settings, opens)))
    click.echo("Stopped. The matches are kept.", err=True)


def ready(settings: Settings, opens: bool, url: str, built: bool) -> None:
    """Say what can be done now."""
    here = by_name(url) if settings.public_url is None else url
    if built:
        if opens and somebody_sees_it():
            threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()  # it may take a while
        click.echo(f"Open {here} in a browser. Ctrl-C ends the server.")
    else:
        click.echo(
            f"Serving on {url}, without the page (clients/web is not built). Ctrl-C ends the server.\n"
            f"Offer a match:  fleetfold match new midway duel --server {url}"
        )
    if settings.mail is None:
        click.echo("No mail is sent: FLEETFOLD_MAIL and FLEETFOLD_MAIL_FROM turn it on (deploy/runbook.md).")
    needed = [f"FLEETFOLD_URL={url}"] if url != DEFAULT_URL else []
    if settings.embedded and settings.data != default_data():
        needed.append(f"FLEETFOLD_DATA={quote(str(settings.data))}")
    if needed:
        click.echo(f"For the other commands in another shell:  export {' '.join(needed)}")


def somebody_sees_it() -> bool:
    """Whether who has started this has a screen on which a browser could open: no pipe, no far shell."""
    windows = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return sys.stdout.isatty() and bool(windows) and "SSH_CONNECTION" not in os.environ
