"""One server process of several, as `server.machine.parent` starts it, with the arguments FD and PID.

FD is its end of the line, over which it is told everything else. It serves until it is told to stop by
SIGTERM or SIGINT, or the line is lost. PID is the process that started it: on Linux the kernel kills this one
with it, whatever this one does, so that one that hangs does not keep the port. Elsewhere it ends by itself.
"""

import asyncio
import os
import signal
import socket
import sys

import structlog
import uvloop
from msgspec import json

from server.commands.running import failure, log_lines, told_to_stop
from server.limits import allow_files, give_way_sooner, search_less_for_garbage
from server.machine.parent import FAREWELL, Serves, Start, decoded
from server.postgres.launch import end_with
from server.serving import served
from server.siblings import line as lines
from server.siblings.frames import Kind
from server.siblings.line import Line

logger = structlog.get_logger()


def main(descriptor: str, starter: str) -> None:
    """Serve over the line with this file descriptor, no longer than the process that started this one."""
    end_with(int(starter), signal.SIGKILL)
    with socket.socket(fileno=int(descriptor)) as end:
        sys.exit(uvloop.run(_serve(end)))


async def _serve(end: socket.socket) -> int:
    """Serve until told to stop; return the exit code."""
    line = await lines.connected(end)
    try:
        start = decoded(await line.begun())
    except ConnectionError:
        return 1
    line.number, line.count, line.ends = start.number, start.count, start.ends
    log_lines(start.log_level, process=start.number)
    beating = asyncio.create_task(line.run())
    try:
        await _until_stopped(line, start)
    except Exception as why:
        said = failure(why)
        if said is None:
            logger.exception("bug")
        line.say(Kind.FAILED, (said or f"{type(why).__name__}: {why}").encode())
        return 1
    else:
        return 0
    finally:
        beating.cancel()
        line.close()


async def _until_stopped(line: Line, start: Start) -> None:
    allow_files()
    with told_to_stop() as stop:
        orphaned = asyncio.create_task(_when_lost(line, stop, start.settings.drain_seconds + FAREWELL))
        async with served(start.settings, start.dsn, line=line, house_pass=start.house_pass) as server:
            search_less_for_garbage()
            give_way_sooner()
            line.say(Kind.READY, json.encode(Serves(server.url, server.site.built)))
            await stop.wait()
        orphaned.cancel()


async def _when_lost(line: Line, stop: asyncio.Event, patience: float) -> None:
    """Stop when the line is lost, in good order, and after so many seconds in any case."""
    await line.lost.wait()
    logger.warning("orphaned", why="the process that started this one is gone")
    stop.set()
    await asyncio.sleep(patience)
    os._exit(1)  # whatever still waits for an answer: nobody else would end it


if __name__ == "__main__":
    main(*sys.argv[1:])
