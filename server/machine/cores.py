"""How many cores this process may use: those that it may run on, and no more than its container is given.

A container's quota is a limit of its control group, or of one above it, and is seen by no other means: with
the time of two cores on a machine of sixty-four, eight processes would wait for each other. Only Linux has
either; elsewhere it is one (see `server.machine.port`).
"""

import contextlib
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

GROUPS: Final = Path("/sys/fs/cgroup")
"""Where the control groups are."""

OWN: Final = Path("/proc/self/cgroup")
"""In which of them this process is."""


def cores() -> int:
    """Return how many cores this process may use, at least 1; a part of one counts as one."""
    if sys.platform != "linux":
        return 1
    return max(1, math.ceil(min(len(os.sched_getaffinity(0)), quota())))


def quota(groups: Path = GROUPS, own: Path = OWN) -> float:
    """Return the seconds of processor in a second that the control groups leave; infinite without a limit."""
    with contextlib.suppress(OSError):
        return min(map(_limit, _folders(groups, own.read_text())), default=math.inf)
    return math.inf


def _folders(groups: Path, own: str) -> Iterator[Path]:
    """Yield the folders of the groups that may limit this process, of either version.

    In a container the path may be that on its host, of which there is only the end of the way up.
    """
    for line in own.splitlines():
        _, controllers, path = line.split(":", 2)
        if not controllers:
            roots = groups, groups / "unified"
        elif "cpu" in controllers.split(","):
            roots = groups / controllers, groups / "cpu"
        else:
            continue
        inside = PurePosixPath(*(part for part in path.split("/") if part not in {"", ".", ".."}))
        for root in roots:
            yield from (root / above for above in (inside, *inside.parents))


def _limit(folder: Path) -> float:
    """Return what one group leaves."""
    with contextlib.suppress(OSError, ValueError):
        most, period = (folder / "cpu.max").read_text().split()
        return int(most) / int(period)  # or "max"
    with contextlib.suppress(OSError, ValueError):
        most, period = ((folder / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        return int(most) / int(period) if int(most) > 0 else math.inf
    return math.inf
