"""`make cluster` and `make demo-cluster`: a cluster on this machine's loopback.

python -m tests.cluster                run one until Ctrl-C
python -m tests.cluster demo [60]      kill parts of one for so many seconds, and check what everybody saw

The last line of a demonstration is its report, as JSON (`tests.cluster.trial.Report`). It ends with 1 at any
violation, and where it comes to no end; then the last line says why.
"""

import asyncio
import signal
import sys
import traceback
from collections.abc import Callable

import click

from tests.cluster.cluster import cluster
from tests.cluster.programs import NotThere
from tests.cluster.trial import Plan, line, trial

Say = Callable[[str], None]

SHOWN = 20
"""Violations that are told one by one."""


async def serve_until_stopped(say: Say) -> None:
    """Run a cluster until SIGINT or SIGTERM, and say what to open."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    say("Starting Postgres, Redis, three nodes and a balancer …")
    async with cluster() as made:
        say(
            f"Open {made.url} in a browser: HAProxy, which leads to three nodes.\n"
            + "\n".join(
                f"  node {number}   {node.url}, its numbers at {node.url}/metrics, process {node.program.pid}"
                for number, node in enumerate(made.nodes, 1)
            )
            + f"\n  Postgres {made.postgres.kind}\n"
            f"  Redis    port {made.redis.port}, process {made.redis.program.pid}\n"
            f"  Logs     {made.folder / 'logs'}\n"
            f"Offer a match:  .venv/bin/fleetfold match new midway duel --server {made.url}\n"
            "Kill what you like. Ctrl-C ends all of it, and removes its matches.",
        )
        await stop.wait()
        say("Stopping …")


def demonstrate(seconds: float, say: Say) -> int:
    """Run a trial and say what was found; 1 at any violation."""
    found = asyncio.run(trial(Plan(seconds=seconds), say))
    for violation in found.violations[:SHOWN]:
        say(violation)
    say(line(found.report))
    return int(bool(found.violations))


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    try:
        if arguments[:1] == ["demo"]:
            return demonstrate(float(arguments[1]) if arguments[1:] else Plan().seconds, click.echo)
        asyncio.run(serve_until_stopped(click.echo))
    except NotThere as why:
        click.echo(str(why), err=True)
        return 1
    except Exception as why:  # whose message alone may tell nothing
        traceback.print_exc()
        click.echo(
            f"It broke off, and tells nothing of what was not yet checked: {str(why) or repr(why)}", err=True
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
