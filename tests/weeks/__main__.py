"""`make demo-weeks` and `make bench-weeks`.

python -m tests.weeks demo     play a rated duel over weeks; the last line is its report, as JSON

It ends with 1 where anything is not as it should be, and says what.
"""

import sys

import click

from server.commands.running import log_lines, run
from tests.weeks.demo import demonstrate
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


if __name__ == "__main__":
    main(prog_name="python -m tests.weeks")
