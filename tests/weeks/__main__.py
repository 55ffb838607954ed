"""`make demo-weeks` and `make bench-weeks`.

python -m tests.weeks demo     play a rated duel over weeks; the last line is its report, as JSON
python -m tests.weeks stage    a server for browser tests, which is asked over pipes
python -m tests.weeks bench    measure a node with 50,000 matches by turns; see its --help

The first ends with 1 where anything is not as it should be, and says what. In the last nothing passes or
fails.
"""

import sys
import tempfile
from pathlib import Path

import click

from server.commands.bench import figures, progress
from server.commands.running import log_lines, run
from tests.weeks import stage
from tests.weeks.demo import demonstrate
from tests.weeks.load import Scale, measure, results, words
from tests.weeks.tally import line


@click.group()
def main() -> None:
    """Play over weeks."""


@main.command()
def demo() -> None:
    """Play a rated duel of two persons by turns, each called by mail, push and webhook."""
    log_lines("error")
    report = run(demonstrate(click.echo))
    faults = report.faults()
    for fault in faults:
        click.echo(f"Not as it should be: {fault}.")
    click.echo(line(report))
    sys.exit(1 if faults else 0)


@main.command("stage")
def stage_() -> None:
    """Serve, and answer what is asked on standard input."""
    log_lines("error")
    run(stage.serve(stage.say))


@main.command()
@click.option("--persons", default=Scale().persons, show_default=True, help="How many there are.")
@click.option("--matches", default=Scale().matches, show_default=True, help="How many are in play, by turns.")
@click.option("--turns", default=Scale().turns, show_default=True, help="How many are played in an hour.")
@click.option("--squeezed", default=Scale().squeezed, show_default=True, help="Seconds for such an hour.")
@click.option("--seconds", default=Scale().seconds, show_default=True, help="Of each of four times.")
def bench(persons: int, matches: int, turns: int, squeezed: float, seconds: float) -> None:
    """Measure how long notices wait and decisions take on a node with many matches by turns, as ratios."""
    log_lines("error")
    scale = Scale(persons, matches, turns, squeezed, seconds)
    with tempfile.TemporaryDirectory(prefix="fleetfold-weeks-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # as root, Postgres runs under another account
        found = run(measure(scale, Path(folder), progress()))
    click.echo(f"{words(scale, found)}\n")
    click.echo("\n".join(figures(results(found))))


if __name__ == "__main__":
    main(prog_name="python -m tests.weeks")
