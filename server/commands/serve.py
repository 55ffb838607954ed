"""`fleetfold serve`: a server for its operator; log lines as JSON on standard error."""

import click

from server.commands.running import log_lines, read_settings, run, serve_together, serve_until_stopped
from server.settings import MOST_PROCESSES


@click.command()
@click.option(
    "--processes",
    type=click.IntRange(1, MOST_PROCESSES),
    help="How many serve on the port; else FLEETFOLD_PROCESSES, else one for each core, at most 8.",
)
def command(processes: int | None) -> None:
    """Run a server.

    Everything is set by the environment: FLEETFOLD_DATABASE_URL (without it the server runs its own
    Postgres), FLEETFOLD_REDIS_URL, FLEETFOLD_HOST, FLEETFOLD_PORT, FLEETFOLD_KEYS and others; see
    server/settings.py or the runbook in deploy/. Ends in good order on SIGTERM or Ctrl-C.
    """
    from server.machine.parent import usual  # noqa: PLC0415 most commands serve nothing, and start without it

    settings = read_settings()
    log_lines(settings.log_level)
    count = processes or settings.processes or usual()
    if count == 1:
        run(serve_until_stopped(settings, lambda url, _: click.echo(url)))
    else:
        run(serve_together(settings, count, settings.log_level, lambda url, _: click.echo(url)))
