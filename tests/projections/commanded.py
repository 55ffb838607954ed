"""Runs `fleetfold` in a process of its own, as people do, without loading everything anew each time."""

import asyncio
import os
import sys
from collections.abc import Mapping
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from server.__main__ import COMMANDS, main

LOADED = get_context("forkserver")
"""A process that has loaded the commands and done nothing; each command is a fork of it."""

LOADED.set_forkserver_preload([__name__, *(module for module, _ in COMMANDS.values())])


class Ran(Struct, frozen=True):
    """What a command came to."""

    code: int
    out: str
    err: str


async def fleetfold(*words: str, **environ: str) -> Ran:
    """Run a command to its end; of the settings around it knows those that are given."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("FLEETFOLD_")}
    with TemporaryDirectory() as folder:
        streams = Path(folder, "out"), Path(folder, "err")
        process = LOADED.Process(target=_command, args=(words, {**ours, **environ}, streams))
        process.start()
        await asyncio.to_thread(process.join)
        assert process.exitcode is not None
        return Ran(process.exitcode, *(path.read_text(encoding="utf-8") for path in streams))


def _command(words: tuple[str, ...], environ: Mapping[str, str], streams: tuple[Path, Path]) -> None:
    """Be the command."""
    for number, path in enumerate(streams, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.environ.clear()
    os.environ.update(environ)
    sys.exit(main(words, prog_name="fleetfold"))
