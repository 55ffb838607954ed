"""One match whose seats are at two nodes, beside the same match with both at one: what the way between costs.

Two nodes run on one database and one Redis. In each round a match is played with both seats at the first
node, and one with a seat at each, for as many decisions; a seat decides when all seats have seen the last
decision. A decision is timed from the write of its message to its receipt.
"""

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from domain.match.game import Game
from server.bench import Result, Say, share
from server.bench.many import BusyMatch, Measured
from server.bench.node import Node, begun, connected, node
from server.bench.redis_server import RedisServer

ALLOWED: Final = 1.0
"""Milliseconds that it may cost a player that his opponent is at another node."""

PATIENCE: Final = 60.0
"""Timeout of one match, in seconds."""


async def apart_bench(
    dsn: str, folder: Path, say: Say, games: Sequence[Game], decisions: int, rounds: int
) -> list[Result]:
    """Measure so many decisions of each title in so many rounds. Raises LeftOut."""
    results: list[Result] = []
    await asyncio.to_thread(folder.mkdir)
    with _redis(folder) as url:
        async with (
            node(dsn, folder / "one", redis_url=url) as one,
            node(dsn, folder / "two", redis_url=url, keys_file=folder / "one" / "keys") as two,
        ):
            for game in games:
                say(f"decisions of a match of {game.title} with its seats at one node, and at two")
                together, between = Measured(), Measured()
                for number in range(rounds):
                    await _played(one, one, game, number, decisions, together)
                    await _played(one, two, game, number, decisions, between)
                results += _results(game, together, between)
    return results


def _results(game: Game, together: Measured, between: Measured) -> list[Result]:
    results = []
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        here, there = share(together.milliseconds, part), share(between.milliseconds, part)
        limit = f"{here:.1f} ms at one node + {ALLOWED:.0f} ms"
        told = f"{game.title} with seats at two nodes, {name}"
        results.append(Result(told, there, "ms", limit, (here + ALLOWED) / there, 1.0))
    return results


async def _played(one: Node, two: Node, game: Game, seed: int, decisions: int, measured: Measured) -> None:
    """Play a match with its first seat at one node and all others at another."""
    match, tokens = await begun(one.url, game)
    table = BusyMatch(match, seed, len(tokens), measured, decisions)
    try:
        async with asyncio.timeout(PATIENCE):
            for seat, (number, token) in zip(table.seats, tokens.items(), strict=True):
                seat.socket = await connected((two if number else one).url, match, seat.hear, token)
                table.sockets.append(seat.socket)
            await table.ready.wait()
            table.go()
            await table.ended.wait()
    finally:
        for socket in table.sockets:
            socket.close()


@contextlib.contextmanager
def _redis(folder: Path) -> Iterator[str]:
    """Run a Redis that keeps nothing on disk, and give its URL. Raises LeftOut."""
    server = RedisServer(folder)
    server.start()
    try:
        yield server.url
    finally:
        server.kill()
