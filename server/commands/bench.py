"""`fleetfold bench`: what this machine can do and what we make of it, as ratios."""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click
from msgspec import json

from server.bench import Result, Say
from server.bench.parts import PARTS, BenchReport, Machine, measure
from server.commands.running import log_lines, run

HEADINGS: Final = ("", "value", "unit", "against", "ratio", "keep", "ok?")
HUNDRED: Final = 100

EXPLAINED: Final = """
Read the ratios: value and peer, or value and limit, were measured in the same run, and more is always better.
`keep` is the least that we want to see; figures without one are there to be looked at. Nothing here passes or
fails: run it again when the machine is quiet before you believe a figure.
"""


@click.command()
@click.option("--only", multiple=True, type=click.Choice(list(PARTS)), help="Measure this part; repeatable.")
@click.option("--quick", is_flag=True, help="A few seconds in all: whether it runs, not how fast.")
@click.option(
    "--json",
    "path",
    default=Path("var/bench.json"),
    show_default=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where all figures are written as JSON.",
)
def command(only: tuple[str, ...], path: Path, *, quick: bool) -> None:
    """Measure this machine, and Fleetfold on it, as ratios to what it could do at best.

    Takes a quarter of an hour, most of it for a whole war. It starts a Postgres of its own and leaves nothing
    but the JSON file. Speed is shown, not tested: a slow machine is no failure.
    """
    log_lines("error")
    report = run(measure(only or tuple(PARTS), progress(), quick=quick))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.format(json.encode(report), indent=2) + b"\n")
    click.echo(table(report))
    click.echo(f"\nAll figures are in {path}.", err=True)


def progress() -> Say:
    """Return what tells of each step, with the seconds since the beginning."""
    began = time.monotonic()
    return lambda text: click.echo(f"{time.monotonic() - began:5.0f} s  {text} …", err=True)


def table(report: BenchReport) -> str:
    """Write the figures for a person to read."""
    notes = []
    for name, part in report.parts.items():
        if part.left_out:
            notes.append(f"{name} is left out: {part.left_out}")
    for title, shares in report.shares.items():
        spent = ", ".join(f"{module} {share:.0%}" for module, share in shares.items())
        notes.append(f"A decision of {title} spends its time in {spent}.")
    for title, shares in report.questions.items():
        spent = ", ".join(f"{question} {share:.1%}" for question, share in shares.items())
        notes.append(f"In a match played sensibly, of what the rules of {title} take: {spent}.")
    lines = figures(result for part in report.parts.values() for result in part.results)
    return "\n".join([_on(report.machine), "", *lines, EXPLAINED, *notes]).rstrip()


def figures(results: Iterable[Result]) -> list[str]:
    """Write figures as the lines of a table, beneath its headings."""
    rows = [HEADINGS, *map(row, results)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [_line(one, widths) for one in rows]


def row(result: Result) -> tuple[str, ...]:
    """Write one figure as a row."""
    keep = "" if result.keep is None else f"{result.keep:.2f}"
    ok = {None: "", True: "yes", False: "no"}[result.ok]
    return (result.name, number(result.value), result.unit, result.against, number(result.ratio), keep, ok)


def number(value: float) -> str:
    """Write a number as precisely as it is worth."""
    return f"{value:,.0f}" if value >= HUNDRED else f"{value:.2f}"


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    aligned = [
        cell.rjust(width) if heading in {"value", "ratio", "keep"} else cell.ljust(width)
        for cell, width, heading in zip(cells, widths, HEADINGS, strict=True)
    ]
    return "  ".join(aligned).rstrip()


def _on(machine: Machine) -> str:
    postgres = f", PostgreSQL {machine.postgres}" if machine.postgres else ""
    return f"{machine.cores} cores, {machine.system}, Python {machine.python}{postgres}"
