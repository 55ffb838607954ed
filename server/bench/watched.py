"""What a match with one onlooker keeps in a node's memory, in each title, and how much of that is the ring.

Counted by `tracemalloc`, in this process and without a database: a match that is opened as it goes on, and
followed for as many commands as a ring has room for. A second match of the title is counted, so that what
all matches share (tables, maps, plans) is there already.
"""

import gc
import secrets
import tracemalloc
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Entry
from domain.match.game import Game
from domain.titles import TITLES
from server.bench import Result
from server.bench.chance import longest, play, sealed
from server.fanout.broadcasts import Broadcast, websocket_bytes
from server.fanout.ring import MOST, Piece, Ring
from server.lobby.tokens import uuid7
from server.log.store import MemoryLog
from server.play.matches import Matches
from server.proof import keys
from server.proof.keys import KeyRing

LIMIT: Final = 1024.0
"""KiB that a watched match may cost."""


async def watched_bench(facts: int = 1500) -> list[Result]:
    """Weigh a match of each title, played by chance to so many facts."""
    results: list[Result] = []
    for game in TITLES.values():
        await _weighed(game, facts, seed=1)
        whole, ring = await _weighed(game, facts, seed=2)
        name = f"a watched match, {game.name}"
        results.append(Result(name, whole, "KiB", f"limit {LIMIT:.0f}", LIMIT / whole, 1.0))
        results.append(Result(f"{name}: its ring", ring, "KiB", "the whole", ring / whole))
    return results


async def _weighed(game: Game, facts: int, seed: int) -> tuple[float, float]:
    """Return what a match costs that was followed, and its ring, in KiB."""
    sealer = KeyRing({"bench": secrets.token_bytes(keys.SIZE)})
    played = play(game, longest(game), facts, seed)
    commands = _commands(sealed(game, played, uuid7()))
    match, key = commands[0][0].match, sealer.seal(commands[0][0].match, played.key)
    before = max(1, len(commands) - MOST)
    log = await _stored(commands[:before], key)
    tracemalloc.start()
    try:
        base, ring = _used(), Ring(0)
        node = Matches(log, sealer, lambda _: None)
        _put(ring, (await node.get(match)).latest)
        for number in range(before, len(commands)):
            await log.append(commands[number], commands[number - 1][-1].hash)
            _put(ring, (await node.latest(match)).latest)
        whole = _used() - base
        ring.restart(ring.upto)
        return whole, max(1.0, whole - (_used() - base))
    finally:
        tracemalloc.stop()


def _commands(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return the commands of a match but for the one that ends it."""
    grouped = [list(group) for _, group in groupby(entries, key=lambda entry: entry.command)]
    return grouped[:-1] if entries[-1].final else grouped


async def _stored(commands: Sequence[Sequence[Entry]], key: bytes) -> MemoryLog:
    log, prev = MemoryLog(), ZERO
    for command in commands:
        await log.append(command, prev, key if command[0].seq == 1 else None)
        prev = command[-1].hash
    return log


def _put(ring: Ring, broadcasts: Iterable[Broadcast]) -> None:
    """Put what onlookers are told into a ring, as a room does."""
    for one in broadcasts:
        if one.audience is Audience.ONLOOKERS:
            if ring.upto != one.after:
                ring.restart(one.after)
            ring.append(Piece(one.after, one.upto, websocket_bytes(one.text)))


def _used() -> float:
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1024
