"""`fleetfold serve`: a server for its operator; log lines as JSON on standard error."""

import click

from server.commands.running import log_lines, read_settings, run, serve_until_stopped


@click.command()
def command() -> None:
    """Run a server.

    Everything is set by the environment: FLEETFOLD_DATABASE_URL (without it the server runs its own
    Postgres), FLEETFOLD_REDIS_URL, FLEETFOLD_HOST, FLEETFOLD_PORT, FLEETFOLD_KEYS and others; see
    server/settings.py or the runbook in deploy/. Ends in good order on SIGTERM or Ctrl-C.
    """
    settings = read_settings()
    log_lines(settings.log_level)
    run(serve_until_stopped(settings, lambda url, _: click.echo(url)))
