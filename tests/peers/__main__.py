"""`make bench-peers`: measures Fleetfold beside others and writes docs/benchmarks.md.

With ARGS: `--quick` to see whether it runs; `--full` for three times as long; `--only fanout` for one part,
whose figures take the place of those that are kept; `--document` to write the page again from what is kept.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from server.bench import LeftOut, Say, scratch
from server.commands.running import log_lines, run
from server.limits import allow_files
from server.postgres.embedded import Embedded
from tests.peers import appends, fanout, growth, lengths, round_trip
from tests.peers.document import write
from tests.peers.figures import Figure, Keep, Machine, Tell, read, this_machine, written
from tests.peers.installed import Missing, Peers
from tests.peers.ours import engine
from tests.peers.processes import FILES, beside_servers
from tests.peers.round_trip import Matches

ROOT: Final = Path(__file__).parents[2]
KEPT: Final = ROOT / "var" / "bench-peers.jsonl"
FILE: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)
PATIENCE: Final = 900.0
"""Seconds for one part."""


class Scale(Struct, frozen=True):
    """How much is measured. The defaults take ten minutes on two quiet cores."""

    name: str = "default"
    sockets: Sequence[int] = (1000, 4000)
    rounds: int = 3
    turn: float = 0.4
    matches: Matches = Matches()
    seconds: float = 8.0
    writers: Sequence[int] = (1, 32, 512)
    append_rounds: int = 2
    append_seconds: float = 2.0
    onlookers: Sequence[int] = (10, 100, 500, 1000, 4000, 10_000)
    at_once: Sequence[int] = (1, 10, 100, 500, 2000)
    in_the_log: Sequence[int] = (10_000, 100_000, 1_000_000, 5_000_000)
    of_a_match: Sequence[int] = (1000, 10_000, 100_000, 500_000)
    nodes: Sequence[int] = (1, 2, 3)
    spread: Matches = Matches(60, 10)
    growth_seconds: float = 4.0


SCALES: Final = {
    "quick": Scale(
        name="quick",
        sockets=(20,),
        rounds=1,
        turn=0.02,
        matches=Matches(3, 2),
        seconds=0.5,
        writers=(4,),
        append_rounds=1,
        append_seconds=0.5,
        onlookers=(2, 10),
        at_once=(1, 3),
        in_the_log=(30_000,),
        of_a_match=(600, 1500),
        nodes=(1, 2),
        spread=Matches(2, 2),
        growth_seconds=0.5,
    ),
    "default": Scale(),
    "full": Scale(name="full", rounds=9, turn=0.6, seconds=25.0, append_rounds=6, growth_seconds=12.0),
}


class Bench(Struct, frozen=True):
    """What every part is given."""

    scale: Scale
    peers: Peers
    postgres: Embedded
    say: Say
    tell: Tell
    alone: bool
    """Only those are measured that need no registry."""


async def _fanout(bench: Bench) -> None:
    names = fanout.WITHOUT_PEERS if bench.alone else tuple(fanout.CONTESTANTS)
    scale = bench.scale
    # It waits for other processes in this thread.
    await asyncio.to_thread(
        fanout.measure, bench.peers, bench.say, bench.tell, scale.sockets, scale.rounds, scale.turn, names
    )


async def _round_trip(bench: Bench) -> None:
    names = round_trip.WITHOUT_PEERS if bench.alone else tuple(round_trip.SYSTEMS)
    scale = bench.scale
    await round_trip.measure(
        bench.peers, bench.postgres, bench.say, bench.tell, scale.matches, scale.seconds, names
    )


async def _appends(bench: Bench) -> None:
    names = appends.WITHOUT_PEERS if bench.alone else appends.CONTESTANTS
    scale = bench.scale
    await appends.measure(
        bench.peers,
        bench.postgres,
        bench.say,
        bench.tell,
        scale.writers,
        scale.append_rounds,
        scale.append_seconds,
        names,
    )


async def _onlookers(bench: Bench) -> None:
    await growth.onlookers(bench.postgres, bench.say, bench.tell, bench.scale.onlookers)


async def _matches(bench: Bench) -> None:
    scale = bench.scale
    await growth.matches(
        bench.peers, bench.postgres, bench.say, bench.tell, scale.at_once, scale.growth_seconds
    )


async def _nodes(bench: Bench) -> None:
    scale = bench.scale
    await growth.nodes(
        bench.peers, bench.postgres, bench.say, bench.tell, scale.nodes, scale.spread, scale.growth_seconds
    )


async def _in_the_log(bench: Bench) -> None:
    scale = bench.scale
    await lengths.in_the_log(bench.postgres, bench.say, bench.tell, scale.in_the_log, scale.append_seconds)


async def _of_a_match(bench: Bench) -> None:
    await lengths.of_a_match(bench.postgres, bench.say, bench.tell, bench.scale.of_a_match)


PARTS: Final[dict[str, Callable[[Bench], Awaitable[None]]]] = {
    "fanout": _fanout,
    "round_trip": _round_trip,
    "appends": _appends,
    "onlookers": _onlookers,
    "matches": _matches,
    "nodes": _nodes,
    "in_the_log": _in_the_log,
    "of_a_match": _of_a_match,
}


async def measure(scale: Scale, names: Sequence[str], say: Say, keep: Keep, *, alone: bool) -> None:
    """Measure the named parts in the order of PARTS; a part that cannot be is told so."""
    allow_files(FILES)
    async with engine() as postgres:
        keep(this_machine(scale.name, await scratch.version(postgres)))
        bench = Bench(scale, Peers(), postgres, say, keep, alone)
        for name, part in PARTS.items():
            if name in names:
                try:
                    async with asyncio.timeout(PATIENCE):
                        await part(bench)
                except (LeftOut, Missing, OSError, RuntimeError) as why:
                    keep(Figure(name, "the rest", 0, left_out=f"{type(why).__name__} {why}".strip()))


@click.command()
@click.option("--quick", "scale", flag_value="quick", help="Half a minute: whether it runs, not how fast.")
@click.option("--full", "scale", flag_value="full", help="Three times as long.")
@click.option("--only", multiple=True, type=click.Choice(list(PARTS)), help="Measure this part; repeatable.")
@click.option("--alone", is_flag=True, help="Measure nothing that comes from a registry.")
@click.option("--document", is_flag=True, help="Measure nothing; write the page from what is kept.")
@click.option(
    "--kept", default=KEPT, type=click.Path(dir_okay=False, path_type=Path), help="Where figures are kept."
)
@click.option(
    "--docs", default=ROOT / "docs", type=click.Path(file_okay=False, path_type=Path), help="Where to write."
)
def command(
    scale: str | None, only: tuple[str, ...], kept: Path, docs: Path, *, alone: bool, document: bool
) -> None:
    """Measure Fleetfold beside others on this machine, and write docs/benchmarks.md."""
    if not document:
        log_lines("error")
        beside_servers()
        began = time.monotonic()
        say: Say = lambda text: click.echo(f"{time.monotonic() - began:5.0f} s  {text} …", err=True)  # noqa: E731
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.open("ab" if only else "wb", buffering=0) as file:

            def keep(line: Machine | Figure) -> None:
                file.write(written([line]))
                if isinstance(line, Figure):
                    values = ", ".join(f"{value:,.1f} {name}" for name, value in line.values.items())
                    click.echo(f"         {line.of}: {values or line.left_out}", err=True)

            run(measure(SCALES[scale or "default"], only or tuple(PARTS), say, keep, alone=alone))
    for path in write(read(kept), docs):
        click.echo(path)


if __name__ == "__main__":
    command()
