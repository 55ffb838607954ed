"""What is measured, as lines of a file: a line for the machine, then one for each figure."""

import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from msgspec import Struct, json

from tests.peers.installed import versions

Tell = Callable[["Figure"], None]
"""Called with each figure as soon as it is there."""

Keep = Callable[["Machine | Figure"], None]
"""Called with each line as soon as it is there."""


class Machine(Struct, frozen=True, tag=True):
    """What the figures were taken on, without its name; and how much was measured."""

    processor: str
    cores: int
    system: str
    versions: dict[str, str]
    taken: str
    """The day, as 2026-11-29."""
    scale: str
    busy: float
    """Cores that others kept busy for a second before anything was measured."""


class Figure(Struct, frozen=True, tag=True):
    """What was measured of one contestant at one size. In `values` every number has its unit in its name."""

    part: str
    of: str
    at: int
    values: dict[str, float] = {}
    left_out: str = ""
    """Why there are no values; empty if there are."""


class Measured(Struct, frozen=True):
    """All that one run measured."""

    machine: Machine
    figures: list[Figure]

    def of(self, part: str) -> list[Figure]:
        """Return the figures of a part that are there."""
        return [one for one in self.figures if one.part == part and one.values]


LINE: Final[json.Decoder[Machine | Figure]] = json.Decoder(Machine | Figure)


def read(path: Path) -> Measured:
    """Read a file of lines; what is measured twice counts as it was measured last."""
    machine: Machine | None = None
    found = dict[tuple[str, str, int], Figure]()
    for line in path.read_bytes().splitlines():
        told = LINE.decode(line)
        if isinstance(told, Machine):
            machine = told
        else:
            found[told.part, told.of, told.at] = told
    if machine is None:
        raise ValueError(f"{path.name} does not say what it was measured on")
    return Measured(machine, list(found.values()))


def written(lines: Iterable[Machine | Figure]) -> bytes:
    """Return lines as they are kept."""
    return b"".join(json.encode(line) + b"\n" for line in lines)


def this_machine(scale: str, postgres: str) -> Machine:
    """Describe where this runs."""
    ours = {
        "Python": platform.python_version(),
        "PostgreSQL": postgres,
        "Node": _node(),
        **{name: version(name) for name in ("uvloop", "websockets", "asyncpg")},
    }
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        versions={**ours, **versions()},
        taken=datetime.now(UTC).date().isoformat(),
        scale=scale,
        busy=_busy(),
    )


def _busy(seconds: float = 1.0) -> float:
    """Return how many cores others keep busy meanwhile; without /proc, how many processes want to run."""
    try:
        before = _worked()
    except FileNotFoundError:
        return os.getloadavg()[0]
    time.sleep(seconds)
    return (_worked() - before) / seconds


def _worked() -> float:
    """Return the seconds that all cores have worked since the start of the machine."""
    all_cores = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    user, nice, system, _idle, _waiting, irq, softirq, steal, *_ = map(int, all_cores)
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except FileNotFoundError:
        return platform.machine()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )


def _node() -> str:
    """Return the version of Node that servers written for it run on."""
    try:
        asked = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return "none"
    return asked.stdout.strip().removeprefix("v")
